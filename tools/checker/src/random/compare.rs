//! Holds what is said about a machine against the interpreter on enumerated values.

use std::collections::BTreeMap;

use statespec_explore::{Finding, Report, Trace};
use statespec_lang::diagnostic::{Code, Diagnostic};
use statespec_lang::interpret::Request;
use statespec_lang::interpret::value::read;
use statespec_lang::model::Machine;
use statespec_lang::source::Span;

use super::Rng;
use super::enumerate::{Configuration, Enumeration, Leads, Walked};

/// A kind of verdict that can be wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Claim {
    /// Exploration shows the way to a deadlock.
    Deadlock,
    /// Exploration shows the way to where no outcome can be reached.
    Stuck,
    /// Exploration is complete and shows no deadlock.
    NoDeadlock,
    /// Exploration is complete and shows nothing that is stuck.
    NothingStuck,
    /// Exploration is complete and says that a row is never taken.
    Untaken,
    /// Exploration is complete and says that an event never succeeds.
    Impossible,
    /// Exploration is complete and says that a state is never entered.
    Unreachable,
    /// A lint says that a row is never taken.
    LintRow,
    /// A lint says that a state is never entered.
    LintState,
    /// A lint says that a state is never left.
    LintDeadEnd,
}

impl Claim {
    /// All of them, in the order of the table.
    pub const ALL: &'static [Claim] = &[
        Claim::Deadlock,
        Claim::Stuck,
        Claim::NoDeadlock,
        Claim::NothingStuck,
        Claim::Untaken,
        Claim::Impossible,
        Claim::Unreachable,
        Claim::LintRow,
        Claim::LintState,
        Claim::LintDeadEnd,
    ];

    /// The verdict, and what would contradict it.
    pub fn texts(self) -> (&'static str, &'static str) {
        match self {
            Claim::Deadlock => ("`explore::deadlock` with its trace", "the trace is refused, or a step is possible at its end"),
            Claim::Stuck => ("`explore::stuck` with its trace", "the trace is refused, or a walk from its end reaches an outcome"),
            Claim::NoDeadlock => ("complete, without a deadlock", "a configuration in which all values of all events are refused"),
            Claim::NothingStuck => ("complete, and nothing is stuck", "a configuration that no value of any event changes"),
            Claim::Untaken => ("`explore::untaken`, complete", "a walk takes the row"),
            Claim::Impossible => ("`explore::impossible`, complete", "the event succeeds on a walk"),
            Claim::Unreachable => ("`explore::unreachable`, complete", "a walk enters the state"),
            Claim::LintRow => ("`lint::never-holds` and `lint::shadowed-edge`", "a walk takes the row"),
            Claim::LintState => ("`lint::unreachable-state`", "a walk enters the state"),
            Claim::LintDeadEnd => ("`lint::dead-end`", "a walk leaves the state"),
        }
    }
}

/// How many verdicts were held against the enumeration, and what it contradicts.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) tried: BTreeMap<Claim, usize>,
    pub(super) wrong: Vec<(Claim, String)>,
}

impl Tally {
    fn judge(&mut self, claim: Claim, contradiction: Option<String>) {
        *self.tried.entry(claim).or_default() += 1;
        self.wrong.extend(contradiction.map(|it| (claim, it)));
    }
}

pub(super) fn compare(machine: &Machine, report: &Report, lints: &[Diagnostic], rng: &mut Rng) -> Tally {
    let enumeration = Enumeration::new(machine);
    let mut tally = Tally::default();
    for finding in &report.findings {
        match finding.code {
            Code::ExploreDeadlock => tally.judge(Claim::Deadlock, refute(&enumeration, finding, rng)),
            Code::ExploreStuck => tally.judge(Claim::Stuck, refute(&enumeration, finding, rng)),
            _ => {}
        }
    }
    let walked = enumeration.walk(rng);
    denied(machine, report, lints, &walked, &mut tally);
    if report.is_complete() {
        missed(&enumeration, report, rng, &mut tally);
    }
    tally
}

/// Replays the trace of a finding, and searches for what it denies.
fn refute(enumeration: &Enumeration<'_>, finding: &Finding, rng: &mut Rng) -> Option<String> {
    let Some(trace) = &finding.trace else { return Some("the finding has no trace".to_owned()) };
    let at = match replay(enumeration, trace) {
        Ok(at) => at,
        Err(contradiction) => return Some(contradiction),
    };
    match finding.code {
        Code::ExploreDeadlock if enumeration.goes_on(&at, rng) => Some(format!("a step is possible: {at:?}")),
        Code::ExploreStuck if enumeration.ends(&at, rng) => Some(format!("an end can be reached: {at:?}")),
        _ => None,
    }
}

/// The configuration at the end of a trace.
fn replay(enumeration: &Enumeration<'_>, trace: &Trace) -> Result<Configuration, String> {
    let machine = enumeration.machine;
    let mut at = enumeration.start(&[]);
    for (name, value) in &trace.given {
        let field = machine.fields.iter().position(|it| it.name == *name).ok_or_else(|| format!("no field is called `{name}`"))?;
        at.1[field] = read(machine, &machine.enums, &machine.fields[field], value).map_err(|it| format!("`{value}`: {it:?}"))?;
    }
    for step in &trace.steps {
        let (request, payload) = match step.run.strip_prefix("to ") {
            Some(to) => (Request::Direct(machine.state_named(to).ok_or_else(|| format!("no state is called `{to}`"))?), Vec::new()),
            None => {
                let event = machine.event_named(&step.run).ok_or_else(|| format!("no event is called `{}`", step.run))?;
                let fields = machine.event(event).payload.iter().zip(&step.with);
                let payload = fields.map(|(field, (_, text))| read(machine, &machine.enums, field, text));
                (Request::Event(event), payload.collect::<Result<_, _>>().map_err(|it| format!("a payload of `{}`: {it:?}", step.run))?)
            }
        };
        let mut mask = 0;
        for name in &step.holds {
            let bit =
                machine.predicates.iter().position(|it| it.name == *name).ok_or_else(|| format!("no predicate is called `{name}`"))?;
            mask |= 1 << bit;
        }
        at = enumeration.run(&at, request, &payload, mask).ok_or_else(|| format!("the step `{}` of the trace is refused", step.run))?.0;
    }
    Ok(at)
}

/// What is said never to happen must not happen on a walk.
fn denied(machine: &Machine, report: &Report, lints: &[Diagnostic], walked: &Walked, tally: &mut Tally) {
    // A row is marked as a whole, or at its guard.
    let taken = |span: Span| {
        let is_row = |row: &_| {
            let row = machine.transition(*row);
            row.span == span || row.guard.as_ref().is_some_and(|it| it.span == span)
        };
        walked.rows.iter().any(is_row).then(|| "the row is taken".to_owned())
    };
    let state = |states: &std::collections::BTreeSet<_>, span: Span, what: &str| {
        let state = states.iter().find(|it| machine.state(**it).span == span);
        state.map(|it| format!("{} is {what}", machine.path_name(*it)))
    };
    for finding in report.findings.iter().filter(|_| report.is_complete()) {
        match finding.code {
            Code::ExploreUntaken => tally.judge(Claim::Untaken, taken(finding.span)),
            Code::ExploreUnreachable => tally.judge(Claim::Unreachable, state(&walked.entered, finding.span, "entered")),
            Code::ExploreImpossible => {
                let event = walked.succeeded.iter().find(|it| machine.event(**it).span == finding.span);
                tally.judge(Claim::Impossible, event.map(|it| format!("`{}` succeeds", machine.event(*it).name)));
            }
            _ => {}
        }
    }
    for lint in lints {
        let span = lint.primary.0;
        match lint.code {
            Code::LintNeverHolds | Code::LintShadowedEdge => tally.judge(Claim::LintRow, taken(span)),
            Code::LintUnreachableState => tally.judge(Claim::LintState, state(&walked.entered, span, "entered")),
            Code::LintDeadEnd => tally.judge(Claim::LintDeadEnd, state(&walked.left, span, "left")),
            _ => {}
        }
    }
}

/// Searches for a configuration that is dead, or cannot end, of which a complete report says nothing.
fn missed(enumeration: &Enumeration<'_>, report: &Report, rng: &mut Rng, tally: &mut Tally) {
    let told = |code| report.findings.iter().any(|it| it.code == code);
    let (deadlock_told, stuck_told) = (told(Code::ExploreDeadlock), told(Code::ExploreStuck));
    // Without an outcome, nothing has to end.
    if !enumeration.machine.states.iter().any(|it| it.terminal) || deadlock_told && stuck_told {
        return;
    }
    for at in enumeration.suspects(rng) {
        let Some(leads) = enumeration.leads(&at, rng) else { continue };
        if !deadlock_told {
            tally.judge(Claim::NoDeadlock, (leads == Leads::Nowhere).then(|| format!("nothing is possible: {at:?}")));
        }
        if !stuck_told {
            tally.judge(Claim::NothingStuck, (leads != Leads::Elsewhere).then(|| format!("nothing leads on: {at:?}")));
        }
    }
}
