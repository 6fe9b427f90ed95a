//! Emitted systems in TypeScript and Python do what the interpreter does. The systems beside reference machines and beside fixtures of
//! machines are tested with those; `tools/trust/tests/` compares random systems.

use statespec_code::typescript::{Int, Style};

use crate::subjects::{PLANTED_SYSTEMS, SYSTEMS};
use crate::trials::{Defect, assert_found, python, typescript};

#[test]
fn typescript_does_what_the_interpreter_does() {
    let Some(trial) = typescript::Trial::new("systems") else { return };
    for (idx, it) in SYSTEMS.iter().enumerate() {
        let int = if idx % 2 == 0 { Int::Number } else { Int::Bigint };
        trial.emit(&it.name, it, &Style { int, ..Style::default() });
    }
    trial.compile();
    trial.test();
}

#[test]
fn python_does_what_the_interpreter_does() {
    let Some(trial) = python::Trial::new("systems") else { return };
    SYSTEMS.iter().for_each(|it| trial.emit(it));
    trial.check_and_test(&SYSTEMS);
}

/// The walks of systems look for calls that rules and invariants refuse: random calls seldom are such.
#[test]
fn walks_of_systems_have_refusals_by_rules_and_invariants() {
    let [rules, invariants] = ["rule", "invariant"].map(|it| PLANTED_SYSTEMS.n_refused(it));
    let all = PLANTED_SYSTEMS.n_calls(true) - PLANTED_SYSTEMS.n_calls(false);
    assert!(10 * (rules + invariants) > all && 50 * invariants > all, "of {all}, rules refuse {rules} and invariants {invariants}");
}

/// What is wrong in a copy of the emitted modules of a system, and the tests that must find it.
const IN_PYTHON: [Defect; 25] = [
    ("town", "context.n_open > 0", "context.n_open >= 0"),
    ("town", "context.n_open > 1", "context.n_open > 2"),
    ("town", "Howl(times=100)", "Howl(times=10)"),
    ("town", "Howl(times=v.of(_PART_HOUSE).context.n_open)", "Howl(times=2)"),
    ("town", "state == _m_house.State.SOUND and ", "state and "),
    ("town", "kind == _m_house.Kind.BRICK", "kind == _m_house.Kind.WOOD"),
    ("town", "enters=True, state=\"broken\"", "enters=False, state=\"broken\""),
    ("town", "enters=False, state=\"sound\"", "enters=True, state=\"sound\""),
    ("town", "optional=True,\n            when", "optional=False,\n            when"),
    ("town", "optional=False", "optional=True"),
    ("village", "context.n < 1", "context.n < 1000000"),
    ("town", "statespec.Need(\"house\", created=True)", "statespec.Need(\"house\")"),
    ("town", "rules=(statespec.Rule(0, _function_8),)", "rules=()"),
    ("town", "statespec.Load(\"house\", \"owned\", (\"door\",))", "statespec.Load(\"house\", \"owned\")"),
    ("town", "of_kind=r.kind", "of_kind=_m_house.Kind.WOOD"),
    ("village", "\"break\", by=(), named=_function_9", "\"break\", by=(), named=lambda r: {\"house\": 1}"),
    (
        "statespec",
        "((False, step.exited), (True, step.entered)) for it in names",
        "((True, step.entered), (False, step.exited)) for it in names",
    ),
    ("statespec", "self.order = min(self.order,", "self.order = max(self.order,"),
    ("statespec", "refused.link = number", "refused.link = None"),
    ("statespec", "raise self._missing(need.part)", "continue"),
    (
        "statespec",
        "self.kept.setdefault((part, key), _Kept(part, key, stored, stored))",
        "self.kept[part, key] = _Kept(part, key, stored, stored)",
    ),
    ("statespec", "self._given(fire.part, keys) if before is None else None", "None"),
    ("statespec", "message, part=node.plays, key=key, machine=refusal", "message, key=key, machine=refusal"),
    ("statespec", "SystemReason.INVARIANT, invariant.text, index=idx", "SystemReason.INVARIANT, invariant.text, index=None"),
    ("statespec", "self.skipped.append(refused)", "pass"),
];

#[test]
fn a_defect_of_a_python_system_is_found() {
    let Some(trial) = python::Trial::new("system-defects") else { return };
    assert_found(&IN_PYTHON, |it| trial.planted(&PLANTED_SYSTEMS, it));
}

/// The same for the compiled modules of TypeScript.
const IN_TYPESCRIPT: [Defect; 25] = [
    ("town", "context.n_open > 0", "context.n_open >= 0"),
    ("town", "context.n_open > 1", "context.n_open > 2"),
    ("town", "times: 100", "times: 10"),
    ("town", "times: at.house.context.n_open", "times: 2"),
    ("town", "s.eq(at.house.state, \"sound\") && ", ""),
    ("town", "s.eq(at.house.context.kind, \"brick\")", "s.eq(at.house.context.kind, \"wood\")"),
    ("town", "on: \"enter\", state: \"broken\"", "on: \"exit\", state: \"broken\""),
    ("town", "on: \"exit\", state: \"sound\"", "on: \"enter\", state: \"sound\""),
    ("town", "optional: true", "optional: false"),
    ("town", "optional: false", "optional: true"),
    ("village", "context.n < 1", "context.n < 1000000"),
    ("town", "[\"house\", true, false]", "[\"house\", false, false]"),
    ("town", "rules: [[0, ", "rules: [].length > 0 ? [] : [[1, "),
    ("town", "[\"house\", \"owned\", [\"door\"]]", "[\"house\", \"owned\"]"),
    ("town", "of_kind: it.kind", "of_kind: \"wood\""),
    ("town", "[\"house\", \"house_id\"]", "[\"door\", \"house_id\"]"),
    ("statespec", "[...exits, ...step.entered.map((it) => [\"enter\", it])]", "[...step.entered.map((it) => [\"enter\", it]), ...exits]"),
    ("statespec", "COMMITS.indexOf(commit) < COMMITS.indexOf(this.commit)", "COMMITS.indexOf(commit) > COMMITS.indexOf(this.commit)"),
    ("statespec", "error.link = link;", ""),
    ("statespec", "if (!isThere && !created)", "if (false)"),
    ("statespec", "if (!this.kept.has(id))", "if (true)"),
    ("statespec", "before === null ? this.given(fire.part, keys) : {}", "{}"),
    ("statespec", "refused.message, { part: node.plays, key, machine: refused }", "refused.message, { key, machine: refused }"),
    ("statespec", "this.of.invariantTexts[idx] ?? \"\", { index: idx }", "this.of.invariantTexts[idx] ?? \"\", {}"),
    ("statespec", "this.skipped.push(error);", ""),
];

#[test]
fn a_defect_of_a_typescript_system_is_found() {
    let Some(trial) = typescript::Trial::new("system-defects") else { return };
    assert_found(&IN_TYPESCRIPT, |it| trial.planted(&PLANTED_SYSTEMS, it));
}
