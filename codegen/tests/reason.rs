//! Verdicts about guards in combination, compared with the interpreter on randomly generated guards.

use std::collections::BTreeMap;

use proptest::prelude::*;
use statespec_codegen::model::machine::Constant;
use statespec_codegen::model::{EnumId, EventId, FieldId, Machine, PartId, PayloadId, PredicateId, StateId, TransitionId, Value};
use statespec_codegen::source::Input;
use statespec_lang::check::{Possible, Reasoner};
use statespec_lang::expr::{Env, Expr, Var, eval_bool};
use statespec_lang::interpret::{Error, Instance, Reason, Request, plan};
use statespec_lang::lower::load;

/// Values of variables, and answers of predicates.
#[derive(Debug, Default)]
struct Given {
    values: BTreeMap<Var, Value>,
    answers: BTreeMap<PredicateId, bool>,
}

impl Given {
    /// Whether a condition holds, on the evaluator that machines run on; `None` if it divides by zero.
    fn holds(&self, machine: &Machine, condition: &Expr) -> Option<bool> {
        eval_bool(condition, &Evaluated { machine, given: self }).ok()
    }
}

struct Evaluated<'a> {
    machine: &'a Machine,
    given: &'a Given,
}

impl Env for Evaluated<'_> {
    fn var(&self, var: Var) -> Value {
        self.given.values.get(&var).cloned().unwrap_or(Value::Null)
    }

    fn constants(&self) -> &[Constant] {
        &self.machine.constants
    }

    fn predicate(&self, predicate: PredicateId) -> bool {
        self.given.answers.get(&predicate).copied().unwrap_or(false)
    }

    fn is_in(&self, _: &Expr, state: StateId, whole: StateId) -> bool {
        self.machine.is_in(state, whole)
    }

    fn part_is_in(&self, _: PartId, _: StateId) -> bool {
        unreachable!("a machine reads no parts")
    }

    fn is_active(&self, _: StateId) -> bool {
        unreachable!("the guards do not ask for it")
    }
}

/// A machine with fields and payload of every type that guards can read. `None` if a guard tests twice
/// whether a value is null, which is an error.
fn machine(first: &str, second: &str) -> Option<Machine> {
    let text = format!(
        "machine: m\nconstants: {{ k: 2, share: 0.70 }}\nenums: {{ e: [p0, q0, r0] }}\npredicates: {{ may: {{}} }}\ncontext:\n  \
         n: int\n  d: decimal\n  b: bool\n  kind: {{ type: e, default: p0 }}\n  t: {{ type: int, optional: true }}\n  \
         note: text\n  r: {{ type: reference, optional: true }}\n\
         states: {{ a: {{ initial: true }}, whole: {{ states: {{ b1: {{ initial: true }}, b2: {{}} }} }} }}\n\
         events: {{ go: {{ payload: {{ m: int, x: decimal, s: state, u: {{ type: reference, optional: true }} }} }} }}\n\
         transitions:\n  - {{ from: a, event: go, when: \"{first}\", to: b1 }}\n  - {{ from: a, event: go, when: \"{second}\", to: b2 }}\n"
    );
    let loaded = load(&[Input { path: "m.yaml".into(), text }]);
    let other = loaded.diagnostics.iter().find(|it| it.message != "this is never null");
    assert!(other.is_none(), "{first} | {second}: {other:?}");
    loaded.model.map(|mut it| it.machines.remove(0))
}

fn condition() -> impl Strategy<Value = String> {
    let order = prop::sample::select(vec!["<", "<=", ">", ">=", "==", "!="]);
    let equality = prop::sample::select(vec!["==", "!="]);
    let (small, tenth) = (-3..4_i64, 0..10_u32);
    let atom = prop_oneof![
        (order.clone(), small.clone()).prop_map(|(op, k)| format!("n {op} {k}")),
        (order.clone(), 0..4_i64, small.clone()).prop_map(|(op, c, k)| format!("{k} {op} n - {c}")),
        (order.clone(), small.clone()).prop_map(|(op, k)| format!("n * 2 {op} {k}")),
        (order.clone(), small.clone()).prop_map(|(op, k)| format!("-3 * n {op} {k} + k")),
        order.clone().prop_map(|op| format!("n {op} m")),
        (order.clone(), small.clone()).prop_map(|(op, k)| format!("m - n {op} {k}")),
        order.clone().prop_map(|op| format!("n + 1 {op} n")),
        (order.clone(), tenth.clone()).prop_map(|(op, k)| format!("d {op} 0.{k}")),
        (order.clone(), tenth.clone()).prop_map(|(op, k)| format!("d * 3 {op} share - 0.{k}")),
        order.clone().prop_map(|op| format!("x {op} d + 0.05")),
        order.clone().prop_map(|op| format!("n {op} x")),
        order.clone().prop_map(|op| format!("n {op} 0.5")),
        (order.clone(), small.clone()).prop_map(|(op, k)| format!("t != null and t {op} {k}")),
        (order.clone(), small.clone()).prop_map(|(op, k)| format!("(t == null or t {op} {k})")),
        (equality.clone(), small.clone()).prop_map(|(op, k)| format!("t {op} {k}")),
        equality.clone().prop_map(|op| format!("t {op} null")),
        (equality.clone(), prop::sample::select(vec!["p0", "q0", "r0"])).prop_map(|(op, v)| format!("kind {op} {v}")),
        (equality.clone(), prop::sample::select(vec!["a", "b1", "b2"])).prop_map(|(op, v)| format!("s {op} {v}")),
        Just("s in whole".to_owned()),
        (order.clone(), -1..4_i64).prop_map(|(op, k)| format!("len(note) {op} {k}")),
        (order.clone(), 1..4_i64, small.clone()).prop_map(|(op, c, k)| format!("n / {c} {op} {k}")),
        (order.clone(), 1..4_i64, small.clone()).prop_map(|(op, c, k)| format!("{k} {op} n % {c}")),
        (order.clone(), small.clone()).prop_map(|(op, k)| format!("m / n {op} {k}")),
        (order.clone(), tenth.clone()).prop_map(|(op, k)| format!("(d != 0.{k} and x / (d - 0.{k}) {op} 1)")),
        (equality.clone(), prop::sample::select(vec!["", "x"])).prop_map(|(op, v)| format!("note {op} '{v}'")),
        equality.clone().prop_map(|op| format!("r {op} u")),
        equality.prop_map(|op| format!("r {op} null")),
        Just("b".to_owned()),
        Just("may".to_owned()),
        Just("true".to_owned()),
    ];
    atom.prop_recursive(3, 8, 2, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a}) and ({b})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a}) or ({b})")),
            inner.prop_map(|a| format!("not ({a})")),
        ]
    })
}

/// The position of the row that the interpreter takes.
fn taken(machine: &Machine, given: &Given) -> Result<usize, Reason> {
    let value = |var: Var, default: Value| given.values.get(&var).cloned().unwrap_or(default);
    let default = |idx: usize| machine.fields[idx].default.as_ref().and_then(|it| it.to_value()).unwrap_or(Value::Null);
    let context = (0..machine.fields.len()).map(|idx| value(Var::Context(FieldId::new(idx)), default(idx))).collect();
    let usual = [Value::Int(0), Value::Decimal(rust_decimal::Decimal::ZERO), Value::State(StateId::new(0)), Value::Null];
    let payload: Vec<Value> = usual.into_iter().enumerate().map(|(idx, it)| value(Var::Payload(PayloadId::new(idx)), it)).collect();
    let instance = Instance { configuration: StateId::new(0).into(), context };
    let answer = |id| given.answers.get(&id).copied().unwrap_or(false);
    match plan(machine, Some(&instance), Request::Event(EventId::new(0)), &payload, &[], &answer) {
        Ok(plan) => Ok(plan.steps[0].transitions[0].index()),
        Err(Error::Refused(refused)) => Err(refused.reason),
        Err(error) => panic!("{error:?}"),
    }
}

/// Combinations of small values.
fn values() -> impl Strategy<Value = Vec<Given>> {
    let reference = || prop_oneof![Just(Value::Null), (0..2_u64).prop_map(Value::Reference)];
    let decimal = || (-20..40_i64).prop_map(|it| Value::Decimal(rust_decimal::Decimal::new(it * 5, 2)));
    let one = (
        (-5..6_i64, decimal(), any::<bool>(), 0..3_usize, prop::option::of(-4..5_i64), prop::sample::select(vec!["", "x", "y"])),
        (reference(), -5..6_i64, decimal(), prop::sample::select(vec![0_usize, 2, 3]), reference(), any::<bool>()),
    );
    let given = one.prop_map(|((n, d, b, kind, t, note), (r, m, x, s, u, may))| {
        let context = [
            Value::Int(n),
            d,
            Value::Bool(b),
            Value::Enum(EnumId::new(0), kind),
            t.map_or(Value::Null, Value::Int),
            Value::Text(note.into()),
            r,
        ];
        let payload = [Value::Int(m), x, Value::State(StateId::new(s)), u];
        let context = context.into_iter().enumerate().map(|(idx, it)| (Var::Context(FieldId::new(idx)), it));
        let payload = payload.into_iter().enumerate().map(|(idx, it)| (Var::Payload(PayloadId::new(idx)), it));
        Given { values: context.chain(payload).collect(), answers: [(PredicateId::new(0), may)].into() }
    });
    prop::collection::vec(given, 30)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_claimed_of_two_guards_is_so(first in condition(), second in condition(), tried in values()) {
        let Some(machine) = machine(&first, &second) else { return Ok(()) };
        let guards: Vec<_> = machine.transitions.iter().filter_map(|it| it.guard.as_ref()).collect();
        let reasoner = Reasoner::new(&machine);
        let event = Some(EventId::new(0));
        for (a, b) in [(true, true), (true, false), (false, true), (false, false)] {
            let conditions = [(guards[0], a), (guards[1], b)];
            if let Some((values, answers)) = reasoner.values(event, &conditions) {
                let given = Given { values, answers };
                match taken(&machine, &given) {
                    Ok(row) => prop_assert_eq!(row, if a { 0 } else { 1 }, "{:?}", given),
                    Err(reason) => {
                        // A row is no transition where its guard plainly never holds.
                        let never = || guards.iter().all(|it| reasoner.possible(event, &[(it, true)]) == Possible::Never);
                        prop_assert!(reason == Reason::Guard || reason == Reason::NoTransition && never(), "{:?}", reason);
                        prop_assert!(!a && !b, "{:?}", given);
                    }
                }
            } else if reasoner.possible(event, &conditions) == Possible::Never {
                for given in &tried {
                    let found = guards.iter().map(|it| given.holds(&machine, it)).collect::<Vec<_>>();
                    prop_assert_ne!(&found, &vec![Some(a), Some(b)], "{:?}", given);
                }
            }
        }
    }
}

/// `never`, `with` or `unknown`, for two guards that must both hold.
fn verdict(first: &str, second: &str) -> &'static str {
    let machine = machine(first, second).unwrap();
    let guards: Vec<_> = machine.transitions.iter().filter_map(|it| it.guard.as_ref()).collect();
    assert_eq!(machine.transition(TransitionId::new(0)).events().len(), 1);
    match Reasoner::new(&machine).possible(Some(EventId::new(0)), &[(guards[0], true), (guards[1], true)]) {
        Possible::Never => "never",
        Possible::With(_) => "with",
        Possible::Unknown => "unknown",
    }
}

#[test]
fn what_guards_usually_say_is_understood() {
    for (first, second, expected) in [
        ("n >= 3", "n < 3", "never"),
        ("n + 1 >= k", "n < 1", "never"),
        ("n + 1 >= k", "n < 2", "with"),
        ("n > 2", "n < 4 and n != 3", "never"),
        ("n > 2", "n < 4", "with"),
        ("2 * n == 3", "true", "never"),
        ("n == 0.5", "true", "never"),
        ("d > 0.70", "d < 0.71", "with"),
        ("d >= share", "d < share - 0.05", "never"),
        ("d - share >= 0", "d < 0.7", "never"),
        ("b", "not b", "never"),
        ("kind != p0 and kind != q0", "kind != r0", "never"),
        ("kind == p0 or kind == q0", "kind != p0", "with"),
        ("s in whole", "s == a", "never"),
        ("s in whole and s != b1", "s != b2", "never"),
        ("t == null", "t != null and t > 3", "never"),
        ("not (t != null and t > 3)", "t != null", "with"),
        ("t == 3", "t == null", "never"),
        ("note == 'x'", "note != 'x'", "never"),
        ("note != 'x' and note != ''", "note != 'xx'", "with"),
        ("may", "not may", "never"),
        ("len(note) > 3", "len(note) <= 3", "never"),
        ("len(note) < 0", "true", "never"),
        ("len(note) == 0", "note != ''", "unknown"),
        ("len(note) == 1 and note != 'x'", "3 > len(note)", "with"),
        ("m / n > 3", "m / n <= 3", "never"),
        ("m / n > 3", "n == 0", "unknown"),
        ("m / n >= 1", "n != 0", "with"),
        ("n < m", "n > m", "never"),
        ("n < m", "m <= n", "never"),
        ("n < m", "m < 0", "with"),
        ("r == u", "r != u", "never"),
        ("r == u", "u != null", "with"),
        ("n * m > 3", "not (n * m > 3)", "never"),
        // True only where numbers saturate.
        ("n + 1 <= n", "n > 3", "with"),
    ] {
        assert_eq!(verdict(first, second), expected, "{first} | {second}");
    }
}
