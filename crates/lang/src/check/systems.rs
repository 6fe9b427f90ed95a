//! Lints about systems: rules, links and transactions across machines.

use std::collections::{BTreeMap, BTreeSet};

use super::divisors::{HELP, zero_divisors};
use super::reason::{Effort, Verdict, World, solve};
use super::show::names;
use super::{Finding, SystemCx};
use crate::diagnostic::Code;
use crate::expr::{Expr, ExprKind, Var, defined};
use crate::interpret::{Reason, SystemReason, walkthrough};
use crate::model::machine::{Constant, From, Machine, On, Outcome, Target, Transition};
use crate::model::system::{Crossing, Fire, Input, Link, Transaction};
use crate::model::{EnumId, EventId, Model, PartId, StateId, System, TransitionId, Type};
use crate::show::SystemNames;

fn machine_of<'m>(model: &'m Model, system: &System, part: PartId) -> &'m Machine {
    &model.machines[system.part(part).machine]
}

/// The variables of a system's expressions.
struct SystemWorld<'m> {
    model: &'m Model,
    system: &'m System,
    inputs: &'m [Input],
    /// A part that is known to be in one of these states.
    in_states: Option<(PartId, &'m [StateId])>,
    effort: &'m Effort,
}

impl<'m> SystemWorld<'m> {
    fn new(cx: &'m SystemCx<'m>) -> Self {
        SystemWorld { model: cx.model, system: cx.system, inputs: &[], in_states: None, effort: &cx.effort }
    }

    /// The part whose machine a variable belongs to.
    fn part(&self, var: Var) -> Option<PartId> {
        match var {
            Var::PartState(part) | Var::PartContext(part, _) | Var::PartId(part) => Some(part),
            Var::Input(idx) => self.inputs.get(idx)?.of,
            Var::Context(_) | Var::Payload(_) => None,
        }
    }
}

impl World for SystemWorld<'_> {
    fn constants(&self) -> &[Constant] {
        &[]
    }

    fn var(&self, var: Var) -> Option<(Type, bool)> {
        match var {
            Var::PartState(_) => Some((Type::State, false)),
            Var::PartId(_) => Some((Type::Reference, false)),
            Var::PartContext(part, field) => {
                let field = machine_of(self.model, self.system, part).fields.get(field.index())?;
                let machine = self.system.part(part).machine;
                let ty = match &field.ty {
                    // The system renumbers the enums of its machines.
                    Type::Enum(id) => Type::Enum(EnumId::new(self.system.enum_origins.iter().position(|it| *it == (machine, *id))?)),
                    other => other.clone(),
                };
                Some((ty, field.optional))
            }
            Var::Input(idx) => self.inputs.get(idx).map(|it| (it.field.ty.clone(), it.field.optional)),
            Var::Context(_) | Var::Payload(_) => None,
        }
    }

    fn n_values(&self, var: Var) -> usize {
        match self.var(var) {
            Some((Type::Enum(id), _)) => self.system.enums.get(id.index()).map_or(0, |it| it.values.len()),
            _ => 0,
        }
    }

    fn leaves(&self, var: Var) -> Vec<StateId> {
        match (var, self.in_states) {
            (Var::PartState(part), Some((known, states))) if part == known => states.to_vec(),
            _ => self.part(var).map(|it| machine_of(self.model, self.system, it).leaves().collect()).unwrap_or_default(),
        }
    }

    fn is_in(&self, var: Var, state: StateId, whole: StateId) -> bool {
        self.part(var).is_some_and(|it| {
            let machine = machine_of(self.model, self.system, it);
            state.index() < machine.states.len() && machine.is_in(state, whole)
        })
    }

    fn machine_with_regions(&self, part: PartId) -> Option<&Machine> {
        Some(machine_of(self.model, self.system, part)).filter(|it| it.has_regions())
    }

    fn effort(&self) -> &Effort {
        self.effort
    }
}

/// Whether a condition never has this truth value. One that divides by zero does not hold.
fn never(world: &SystemWorld<'_>, expr: &Expr, wanted: bool) -> bool {
    matches!(solve(world, &[(&defined(expr, &[]), wanted)]), Verdict::Never)
}

pub(super) fn zero_divisor(cx: &SystemCx<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut check = |inputs: &[Input], expr: &Expr, before: &[(&Expr, bool)], consequence: &str, within: crate::source::Span| {
        let world = SystemWorld { inputs, ..SystemWorld::new(cx) };
        for (division, _) in zero_divisors(&world, expr, None, before, &[]) {
            let name = division.divisor.show(&SystemNames::new(cx.model, cx.system, inputs));
            let message = format!("the divisor `{name}` is zero for some values, and then {consequence}");
            findings.push(Finding::new(division.divisor.span, message).within(within).help(HELP));
        }
    };
    let system = cx.system;
    for rule in &system.rules {
        check(&[], &rule.require, &[], "the rule does not hold", rule.span);
    }
    for invariant in &system.invariants {
        check(&[], &invariant.require, &[], "the invariant does not hold", invariant.span);
    }
    let rules = |fire: &Fire| system.conditions_for(fire.part, fire.event).map(|(_, it)| it).collect::<Vec<_>>();
    for transaction in &system.transactions {
        for fire in &transaction.fire {
            let rules = rules(fire);
            let before: Vec<(&Expr, bool)> = rules.iter().map(|it| (it.as_ref(), true)).collect();
            for value in &fire.payload {
                check(&transaction.payload, value, &before, "the transaction is refused", transaction.span);
            }
        }
    }
    for link in &system.links {
        let mut before = Vec::new();
        if let Some(when) = &link.when {
            check(&[], when, &before, "the link is refused", link.span);
            before.push((when, true));
        }
        let rules = rules(&link.fire);
        before.extend(rules.iter().map(|it| (it.as_ref(), true)));
        for value in &link.fire.payload {
            check(&[], value, &before, "the link is refused", link.span);
        }
    }
    findings
}

pub(super) fn link_never_holds(cx: &SystemCx<'_>) -> Vec<Finding> {
    let world = SystemWorld::new(cx);
    let mut findings = Vec::new();
    for link in &cx.system.links {
        let Some(when) = &link.when else { continue };
        if never(&world, when, true) {
            let finding = Finding::new(when.span, "this condition holds for no values").within(link.span);
            findings.push(finding.help("fix the condition, or remove the link: it never fires"));
        }
    }
    findings
}

pub(super) fn rule_never_holds(cx: &SystemCx<'_>) -> Vec<Finding> {
    let world = SystemWorld::new(cx);
    let mut findings = Vec::new();
    for rule in &cx.system.rules {
        if never(&world, &rule.require, true) {
            let finding = Finding::new(rule.require.span, "this never holds, so the rule always refuses its events");
            findings.push(finding.within(rule.span).help("fix the condition"));
            continue;
        }
        for (part, event) in &rule.events {
            let machine = machine_of(cx.model, cx.system, *part);
            let states = taking(machine, *event);
            // An event that no edge accepts is covered by another lint; a creation event has no state before it.
            if states.is_empty() || machine.is_creation_event(*event) {
                continue;
            }
            if never_in(cx, *part, &states, &rule.require) {
                let (part, event) = (&cx.system.part(*part).name, &machine.event(*event).name);
                let taken = names(states.iter().map(|it| machine.state(*it).name.as_str()), 4);
                let message = format!("this never holds where `{part}.{event}` is taken, in {taken}");
                let finding = Finding::new(rule.require.span, message).within(rule.span);
                findings.push(finding.help(format!("fix the condition, or exclude the event: `except: {part}.{event}`")));
            }
        }
    }
    for invariant in &cx.system.invariants {
        if never(&world, &invariant.require, true) {
            let finding = Finding::new(invariant.require.span, "this never holds, so every transaction would be undone");
            findings.push(finding.within(invariant.span).help("fix the condition"));
        }
    }
    findings
}

/// Whether a condition never holds where a part is in one of these leaves.
fn never_in(cx: &SystemCx<'_>, part: PartId, states: &[StateId], condition: &Expr) -> bool {
    let world = SystemWorld { in_states: Some((part, states)), ..SystemWorld::new(cx) };
    if world.machine_with_regions(part).is_none() {
        return never(&world, condition, true);
    }
    // Such a part is also in other leaves.
    let subject = || Expr { kind: ExprKind::Var(Var::PartState(part)), ty: Type::State, optional: false, span: condition.span };
    let is_in = |state: &StateId| Expr::condition(condition.span, ExprKind::In(Box::new(subject()), *state));
    states.iter().all(|it| matches!(solve(&world, &[(&is_in(it), true), (&defined(condition, &[]), true)]), Verdict::Never))
}

/// The states in which a machine accepts an event, without refusals.
fn taking(machine: &Machine, event: EventId) -> Vec<StateId> {
    let takes = machine.edges.iter().filter(|it| it.on == On::Event(event) && it.outcome != Outcome::Refuse);
    takes.filter_map(|it| it.from).collect::<BTreeSet<_>>().into_iter().collect()
}

pub(super) fn rule_never_broken(cx: &SystemCx<'_>) -> Vec<Finding> {
    let world = SystemWorld::new(cx);
    let rules = cx.system.rules.iter().map(|it| (&it.require, it.span));
    let invariants = cx.system.invariants.iter().map(|it| (&it.require, it.span));
    let broken = rules.chain(invariants).filter(|(require, _)| never(&world, require, false));
    let finding = |(require, whole): (&Expr, crate::source::Span)| {
        let finding = Finding::new(require.span, "this holds for all values and can never be violated").within(whole);
        finding.help("fix the condition, or remove it")
    };
    broken.map(finding).collect()
}

pub(super) fn not_atomic(cx: &SystemCx<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for transaction in cx.system.transactions.iter().filter(|it| !it.atomic) {
        let parts = changed(cx, transaction);
        if parts.len() > 1 {
            let listed = names(parts.iter().map(|it| cx.system.part(*it).name.as_str()), 6);
            let message = format!("`{}` changes {listed}, but is not atomic", transaction.name);
            findings.push(
                Finding::new(transaction.span, message).help("add `atomic: true`, so that one database transaction covers all changes"),
            );
        }
    }
    findings
}

/// The parts that a transaction changes, including by links that must not fail. A part that
/// only accepts its event is not changed.
fn changed(cx: &SystemCx<'_>, transaction: &Transaction) -> BTreeSet<PartId> {
    let mut parts = BTreeSet::new();
    let mut open: Vec<(PartId, EventId)> = transaction.fire.iter().map(|it| (it.part, it.event)).collect();
    let mut seen: BTreeSet<(PartId, EventId)> = open.iter().copied().collect();
    while let Some((part, event)) = open.pop() {
        let machine = machine_of(cx.model, cx.system, part);
        if machine.transitions.iter().any(|row| row.events().contains(&event) && changes(row)) {
            // No spec names the owner of the instance in a role.
            let is_named = cx.system.declared_roles().any(|it| it == part);
            parts.insert(if is_named { part } else { cx.system.plays(part) });
        }
        let links = cx.system.links_of(part).map(|(_, it)| it).filter(|it| !it.optional && crosses(machine, event, it));
        open.extend(links.map(|it| (it.fire.part, it.fire.event)).filter(|it| seen.insert(*it)));
    }
    parts
}

fn changes(row: &Transition) -> bool {
    match row.target {
        Target::Refuse(_) => false,
        Target::Stay => !row.set.is_empty() || !row.before.is_empty() || !row.effects.is_empty(),
        Target::To(_) | Target::Fork(_) | Target::Payload(_) | Target::History(_) => true,
    }
}

/// Whether some edge of the event crosses the border of the link's state, in the link's direction.
fn crosses(machine: &Machine, event: EventId, link: &Link) -> bool {
    // Further steps may follow the event's own.
    let own = machine.edges.iter().filter(|edge| edge.on == On::Event(event));
    own.chain(machine.reactions()).any(|edge| {
        if machine.has_regions() {
            return match link.on {
                Crossing::Enter => machine.may_enter(edge, link.state),
                Crossing::Exit => machine.may_leave(edge, link.state),
            };
        }
        let Outcome::Leaf(to) = edge.outcome else { return matches!(edge.outcome, Outcome::Payload(_) | Outcome::History(_)) };
        let (left, entered) = match edge.from {
            Some(from) => machine.path(from, to, machine.reentered(machine.transition(edge.transition))),
            None => (Vec::new(), machine.creation_path(to)),
        };
        match link.on {
            Crossing::Enter => entered.contains(&link.state),
            Crossing::Exit => left.contains(&link.state),
        }
    })
}

pub(super) fn walkthrough_skips(cx: &SystemCx<'_>) -> Vec<Finding> {
    if cx.system.walkthroughs.is_empty() {
        return Vec::new();
    }
    let mut taken = BTreeMap::<usize, BTreeSet<TransitionId>>::new();
    for idx in 0..cx.system.walkthroughs.len() {
        // A walkthrough that fails is already an error when the specs are read.
        let Ok(steps) = walkthrough(cx.model, cx.system, idx) else { continue };
        for step in steps {
            match &step.outcome {
                Ok(trace) => {
                    for fired in &trace.fired {
                        let rows = taken.entry(cx.system.part(fired.part).machine).or_default();
                        rows.extend(fired.steps.iter().flat_map(|it| it.transitions.iter().copied()));
                    }
                }
                Err(SystemReason::Machine { part, refused, .. }) => {
                    if let Reason::Text(row) = refused.reason {
                        taken.entry(cx.system.part(*part).machine).or_default().insert(row);
                    }
                }
                Err(_) => {}
            }
        }
    }
    let mut findings = Vec::new();
    let mut told = BTreeSet::new();
    for part in cx.system.parts.iter().filter(|it| told.insert(it.machine)) {
        let machine = &cx.model.machines[part.machine];
        let taken = taken.remove(&part.machine).unwrap_or_default();
        let all = (0..machine.transitions.len()).map(TransitionId::new);
        let skipped: Vec<TransitionId> = all.filter(|it| !taken.contains(it)).collect();
        if skipped.is_empty() {
            continue;
        }
        let shown: Vec<String> = skipped.iter().map(|it| row_name(machine, *it)).collect();
        let (n_all, listed) = (machine.transitions.len(), names(shown.iter().map(String::as_str), 5));
        let message =
            format!("the walkthroughs cover {} of {n_all} transitions of `{}`; they never take {listed}", taken.len(), machine.name);
        findings.push(
            Finding::new(part.span, message).help(format!("add a step for each, or add {}", super::waiver(Code::LintWalkthroughSkips))),
        );
    }
    findings
}

/// A short name of a row: `running → idle on nudge_failed`.
fn row_name(machine: &Machine, row: TransitionId) -> String {
    let row = machine.transition(row);
    let state = |it: &StateId| machine.state(*it).name.as_str();
    let from = match &row.from {
        From::Creation => "[*]".to_owned(),
        From::Any { .. } => "*".to_owned(),
        From::States(states) => states.iter().map(state).collect::<Vec<_>>().join(", "),
    };
    let events: Vec<&str> = row.events().iter().map(|it| machine.event(*it).name.as_str()).collect();
    let on = if events.is_empty() { String::new() } else { format!(" on {}", events.join(", ")) };
    match &row.target {
        Target::Stay => format!("{from}{on}"),
        Target::To(states) => format!("{from} → {}{on}", states.iter().map(state).collect::<Vec<_>>().join(", ")),
        Target::Fork(branches) => {
            let states: Vec<_> = branches.iter().map(|it| state(&it.state())).collect();
            format!("{from} → {}{on}", states.join(" and "))
        }
        Target::Payload(_) => format!("{from} → any{on}"),
        Target::History(to) => format!("{from} → {}{on}", state(&to.whole)),
        Target::Refuse(_) => format!("{from} refusing{on}"),
    }
}
