//! What a guard enforces, for readers and programs: each rule of the guard, each row of the spec, and each rule of a system.

use std::collections::BTreeSet;

use statespec_lang::model::machine::{From, Target, Transition, Trigger};
use statespec_lang::model::{Machine, StateId};
use statespec_lang::show::MachineNames;
use statespec_lang::types::TransitionId;

use super::condition::Condition;
use super::dialect::Dialect;
use super::graph::Ways;
use super::mapping::{Births, Deletes, Engine};
use super::plan::Plan;
use super::verdict::{Rule, Verdict};
use super::{postgres, sqlite};

pub(crate) fn rules(plan: &Plan<'_>) -> Vec<Rule> {
    let general = |what: &str, verdict, because: Option<&str>| Rule {
        what: what.to_owned(),
        verdict,
        because: because.map(str::to_owned),
        span: None,
    };
    let mut rules = vec![
        general("a row has one of the stored states", Verdict::Enforced, None),
        match plan.mapping.births {
            Births::Initial => general("a row is inserted in the state in which a machine is created", Verdict::Enforced, None),
            Births::Any => general("a row is inserted in the state in which a machine is created", Verdict::Not, Some("`births` is `any`")),
        },
        general("the key of a row never changes", Verdict::Enforced, None),
        match plan.mapping.deletes {
            Deletes::Any => general("a row is deleted once it has ended", Verdict::Not, Some("`deletes` is `any`")),
            Deletes::Terminal => general("a row is deleted once it has ended", Verdict::Enforced, None),
            Deletes::Never => general("no row is deleted", Verdict::Enforced, None),
        },
    ];
    if plan.mapping.engine == Engine::Sqlite {
        rules.push(general("no row is replaced over its key or one of `unique`", Verdict::Enforced, None));
    }
    if !plan.machine().fields.is_empty() {
        rules.push(general("assignments to the context", Verdict::Statement, Some("the trigger reads the columns before the write")));
    }
    if plan.machine().timers().next().is_some() {
        rules.push(general("a timer elapses after its duration", Verdict::Statement, Some("the start of a timer has no column")));
    }
    let machine = plan.machine();
    rules.extend((0..machine.transitions.len()).map(|idx| of_row(plan, TransitionId::new(idx))));
    for part in &plan.mapping.parts {
        let because = "the tables of its parts are not known: `part` of `[[database]]` says which part a table has".to_owned();
        rules.extend(part.rules.iter().map(|it| Rule {
            what: format!("{}: {it}", part.system),
            verdict: Verdict::Not,
            because: Some(because.clone()),
            span: None,
        }));
    }
    rules.extend(plan.mapping.membership.iter().flat_map(|it| it.rules.iter().cloned()));
    rules
}

/// A row of the spec.
fn of_row(plan: &Plan<'_>, id: TransitionId) -> Rule {
    let machine = plan.machine();
    let row = machine.transition(id);
    let dialect: &dyn Dialect = match plan.mapping.engine {
        Engine::Postgres => &postgres::Postgres,
        Engine::Sqlite => &sqlite::Sqlite,
    };
    let rule = |verdict, because: Option<String>| Rule { what: shown(machine, row), verdict, because, span: Some(row.span) };
    let statement = |because: &str| rule(Verdict::Statement, Some(because.to_owned()));
    if matches!(row.target, Target::Refuse(_)) {
        return statement("a write has no event, so the trigger does not know what was refused");
    }
    if row.from == From::Creation {
        return match plan.mapping.births {
            Births::Any => rule(Verdict::Not, Some("`births` is `any`".to_owned())),
            Births::Initial if row.guard.is_some() => statement("an inserted row has no state before"),
            Births::Initial => rule(Verdict::Enforced, None),
        };
    }
    let Some(pairs) = plan.graph.begun.get(&id).filter(|it| !it.is_empty()) else {
        let is_reaction = matches!(row.trigger, Trigger::Automatic | Trigger::Done);
        return match is_reaction || row.events().iter().all(|it| machine.raised().contains(it)) && !row.events().is_empty() {
            true => statement("it follows another step, and both are one write"),
            false => statement("the state stays, and the same state can always be written"),
        };
    };
    if row.guard.is_none() {
        return rule(Verdict::Enforced, None);
    }
    let mut lost = BTreeSet::new();
    let (mut also_free, mut is_part) = (false, false);
    for pair @ (from, _) in pairs {
        let at = &plan.graph.states[*from].configuration;
        is_part |= matches!(plan.conditions(dialect).guard(at, id, true, &mut lost), Condition::Sql(_));
        let condition = plan.conditions(dialect).of(at, plan.graph.pairs.get(pair).unwrap_or(&Ways::Free));
        also_free |= condition == Condition::Is(true);
    }
    let asks = lost.iter().any(|it| it.is_predicate);
    match (lost.is_empty(), also_free) {
        (true, false) => rule(Verdict::Enforced, None),
        (true, true) => statement("another row leads to the same state without this guard"),
        (false, _) => {
            let why: Vec<&str> = lost.iter().map(|it| it.why.as_str()).collect();
            let how = if is_part && !also_free { "in part" } else { "is not" };
            let why = format!("the edge is enforced, the guard {how}: {}", why.join("; "));
            rule(if asks { Verdict::Not } else { Verdict::Statement }, Some(why))
        }
    }
}

/// A row as a line: `running → claimed on reclaim when lease_expires_at < now`.
fn shown(machine: &Machine, row: &Transition) -> String {
    let names = |ids: &[StateId]| ids.iter().map(|it| machine.state(*it).name.as_str()).collect::<Vec<_>>().join(", ");
    let from = match &row.from {
        From::Creation => "[*]".to_owned(),
        From::States(states) => names(states),
        From::Any { except } if except.is_empty() => "any state".to_owned(),
        From::Any { except } => format!("any state but {}", names(except)),
    };
    let to = match &row.target {
        Target::Stay => "the same state".to_owned(),
        Target::To(states) => names(states),
        Target::Fork(branches) => names(&branches.iter().map(|it| it.state()).collect::<Vec<_>>()),
        Target::Payload(id) => format!("the state in {}", machine.payload_path(*id)),
        Target::History(recall) => format!("the history of {}", machine.state(recall.whole).name),
        Target::Refuse(text) => format!("refused: {text}"),
    };
    let on = match &row.trigger {
        Trigger::Events(events) => {
            format!(" on {}", events.iter().map(|it| machine.event(*it).name.as_str()).collect::<Vec<_>>().join(", "))
        }
        Trigger::AnyOther(_) => " on any other event".to_owned(),
        Trigger::Direct => String::new(),
        Trigger::Automatic => " by itself".to_owned(),
        Trigger::Done => " when done".to_owned(),
    };
    let when = row.guard.as_ref().map_or_else(String::new, |it| format!(" when {}", it.show(&MachineNames::new(machine))));
    format!("{from} → {to}{on}{when}")
}
