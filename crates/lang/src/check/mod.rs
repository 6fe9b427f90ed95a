//! Lints: checks for valid specs that are probably mistakes.
//!
//! A lint is a function from the model to findings; `MACHINE_LINTS` and `SYSTEM_LINTS` list them all. A finding that an
//! element of the spec waives (`allow:`) is dropped; the others get the level that the project
//! sets for their lint. Lints prefer silence to false alarms: a claim about guards is proved, or
//! demonstrated by values that were evaluated.

mod divisors;
mod edges;
mod graph;
mod guards;
mod names;
mod numbers;
mod overlap;
mod possible;
mod races;
mod react;
mod reason;
mod settle;
mod show;
mod systems;
mod timers;
mod usage;

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostic::{Code, Diagnostic, Diagnostics, Level, Levels};
use crate::model::System;
use crate::model::{Machine, Model, Waiver};
use crate::parallel;
use crate::source::Span;
use graph::Graph;
use guards::Bounds;
use guards::Group;
pub use possible::{Possible, Reasoner};
use reason::Effort;
use usage::Uses;

/// A lint over one machine: its code, and the function that finds violations.
type MachineLint = (Code, fn(&MachineCx<'_>) -> Vec<Finding>);

const MACHINE_LINTS: &[MachineLint] = &[
    (Code::LintUnreachableState, graph::unreachable_state),
    (Code::LintDeadEnd, graph::dead_end),
    (Code::LintNoOutcome, graph::no_outcome),
    (Code::LintSinkEdge, edges::sink_edge),
    (Code::LintTerminalEdge, edges::terminal_edge),
    (Code::LintSelfEdge, edges::self_edge),
    (Code::LintLoneChild, graph::lone_child),
    (Code::LintShadowedEdge, guards::shadowed_edge),
    (Code::LintNeverHolds, guards::never_holds),
    (Code::LintOverlappingGuards, overlap::overlapping_guards),
    (Code::LintGuardGap, overlap::guard_gap),
    (Code::LintNeverSettles, settle::never_settles),
    (Code::LintNeverRests, react::never_rests),
    (Code::LintRacingAssignments, races::racing_assignments),
    (Code::LintTimerNeverElapses, timers::never_elapses),
    (Code::LintZeroDivisor, divisors::zero_divisor),
    (Code::LintUnusedEvent, usage::unused_event),
    (Code::LintUnusedEffect, usage::unused_effect),
    (Code::LintUnusedPredicate, usage::unused_predicate),
    (Code::LintUnusedConstant, usage::unused_constant),
    (Code::LintContextNeverRead, usage::context_never_read),
    (Code::LintContextNeverWritten, usage::context_never_written),
    (Code::LintPayloadNeverRead, usage::payload_never_read),
    (Code::LintIdleActor, usage::idle_actor),
    (Code::LintOpenToAnyone, usage::raised_by_anyone),
    (Code::LintConfusableNames, names::confusable_names),
    (Code::LintLookalikeNames, names::lookalike::lookalike_names),
    (Code::LintWireCase, names::wire_case),
    (Code::LintMissingNumber, numbers::missing_number),
    (Code::LintSharedNumber, numbers::shared_number),
    (Code::LintUndocumentedState, names::undocumented_state),
    (Code::LintTodo, names::todo),
];

/// A lint over one system with its machines.
type SystemLint = (Code, fn(&SystemCx<'_>) -> Vec<Finding>);

const SYSTEM_LINTS: &[SystemLint] = &[
    (Code::LintNeverHolds, systems::link_never_holds),
    (Code::LintZeroDivisor, systems::zero_divisor),
    (Code::LintPayloadNeverRead, usage::input_never_read),
    (Code::LintIdleActor, usage::idle_system_actor),
    (Code::LintOpenToAnyone, usage::triggered_by_anyone),
    (Code::LintNotAtomic, systems::not_atomic),
    (Code::LintRuleNeverHolds, systems::rule_never_holds),
    (Code::LintRuleNeverBroken, systems::rule_never_broken),
    (Code::LintWalkthroughSkips, systems::walkthrough_skips),
];

/// A violation that a lint found.
struct Finding {
    message: String,
    primary: Span,
    secondary: Vec<(Span, String)>,
    help: Option<String>,
    /// The elements whose waivers cover it, by their spans, except the machine or system itself.
    at: Vec<Span>,
}

impl Finding {
    /// A finding about one element, which is also the primary span.
    fn new(element: Span, message: impl Into<String>) -> Self {
        Finding { message: message.into(), primary: element, secondary: Vec::new(), help: None, at: vec![element] }
    }

    /// Adds another element that contributes. A waiver there covers the finding, too.
    fn also(mut self, element: Span, label: impl Into<String>) -> Self {
        self.secondary.push((element, label.into()));
        self.within(element)
    }

    /// Adds an element whose waiver covers the finding, too.
    fn within(mut self, element: Span) -> Self {
        self.at.push(element);
        self
    }

    fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    fn into_diagnostic(self, code: Code, level: Level) -> Diagnostic {
        Diagnostic {
            code,
            level,
            message: self.message,
            primary: (self.primary, String::new()),
            secondary: self.secondary,
            help: self.help,
        }
    }
}

/// The waiver of a lint as a spec writes it.
fn waiver(code: Code) -> String {
    format!("`allow: {{ {}: the reason }}`", code.short())
}

/// A machine, with the facts that several lints use.
struct MachineCx<'m> {
    machine: &'m Machine,
    effort: Effort,
    graph: Graph,
    groups: Vec<Group>,
    bounds: Vec<Bounds>,
    uses: Uses,
}

/// A system, with its machines.
struct SystemCx<'m> {
    model: &'m Model,
    system: &'m System,
    effort: Effort,
}

/// Runs all lints over a model. The findings are sorted by place, like all diagnostics of a spec.
///
/// Findings of lints at `deny` are errors, at `warn` warnings; those at `allow` and those that the
/// spec waives are dropped. A waiver that covers nothing is itself a finding.
///
/// ```
/// use statespec_lang::check::check;
/// use statespec_lang::diagnostic::{Code, Levels};
/// use statespec_lang::lower::load;
/// use statespec_lang::source::Input;
///
/// let text = "machine: door\nstates: { open: { initial: true }, closed: }\ntransitions:\n  - { from: open, to: closed }\n";
/// let model = load(&[Input { path: "machines/door.yaml".into(), text: text.into() }]).model.unwrap();
/// let found = check(&model, &Levels::default());
/// assert_eq!(found[0].code, Code::LintDeadEnd);
/// assert!(check(&model, &Levels::from_pairs([("dead-end", "allow")]).unwrap()).is_empty());
/// ```
pub fn check(model: &Model, levels: &Levels) -> Vec<Diagnostic> {
    let mut waivers = Waivers::new(model);
    let mut diagnostics = Diagnostics::default();
    let mut report = |code: Code, finding: Finding| {
        if let Some(level) = levels.report(code) {
            diagnostics.push(finding.into_diagnostic(code, level));
        }
    };
    let machines = contexts(model);
    let found = parallel::map(&machines, |cx| {
        MACHINE_LINTS.iter().flat_map(|(code, run)| run(cx).into_iter().map(|it| (*code, it))).collect::<Vec<_>>()
    });
    let everywhere = found_everywhere(model, &found);
    for (machine, findings) in model.machines.iter().zip(found) {
        let own =
            findings.into_iter().filter(|(code, it)| it.primary.source == machine.source || everywhere.contains(&(*code, it.primary)));
        own.filter(|(code, it)| !waivers.cover(*code, it, machine.span)).for_each(|(code, it)| report(code, it));
    }
    for system in &model.systems {
        let effort = Effort::new(system.rules.len() + system.links.len() + system.invariants.len());
        let cx = SystemCx { model, system, effort };
        for (code, run) in SYSTEM_LINTS {
            run(&cx).into_iter().filter(|it| !waivers.cover(*code, it, system.span)).for_each(|it| report(*code, it));
        }
    }
    waivers.unneeded().into_iter().for_each(|it| report(Code::LintUnneededWaiver, it));
    diagnostics.finish()
}

/// The findings about elements of shared files that every machine that uses the file has: a constant that one of them reads is
/// in use.
fn found_everywhere(model: &Model, found: &[Vec<(Code, Finding)>]) -> BTreeSet<(Code, Span)> {
    let mut counts = BTreeMap::<(Code, Span), usize>::new();
    for (machine, findings) in model.machines.iter().zip(found) {
        let shared = findings.iter().filter(|(_, it)| it.primary.source != machine.source).map(|(code, it)| (*code, it.primary));
        shared.collect::<BTreeSet<_>>().into_iter().for_each(|it| *counts.entry(it).or_default() += 1);
    }
    let n_users = |(_, span): &(Code, Span)| model.machines.iter().filter(|it| it.uses.contains(&span.source)).count();
    counts.into_iter().filter(|(it, n_found)| *n_found == n_users(it)).map(|(it, _)| it).collect()
}

/// The facts that several lints use, for each machine.
fn contexts(model: &Model) -> Vec<MachineCx<'_>> {
    let machines = model.machines.iter().zip(Uses::of(model));
    let context = |(machine, uses)| MachineCx {
        machine,
        effort: Effort::new(machine.transitions.len()),
        graph: Graph::new(machine),
        groups: guards::groups(machine),
        bounds: overlap::bounds(machine),
        uses,
    };
    machines.map(context).collect()
}

/// The waivers of a model, and which of them were needed.
struct Waivers<'m> {
    by_place: BTreeMap<(Span, Code), (&'m Waiver, bool)>,
}

impl<'m> Waivers<'m> {
    fn new(model: &'m Model) -> Self {
        Waivers { by_place: model.waivers.iter().map(|it| ((it.element, it.code), (it, false))).collect() }
    }

    /// Whether a waiver covers the finding. All waivers that do are marked as needed.
    fn cover(&mut self, code: Code, finding: &Finding, whole: Span) -> bool {
        let mut covered = false;
        for element in finding.at.iter().chain([&whole]) {
            if let Some((_, needed)) = self.by_place.get_mut(&(*element, code)) {
                *needed = true;
                covered = true;
            }
        }
        covered
    }

    /// Findings about waivers that covered nothing.
    fn unneeded(&mut self) -> Vec<Finding> {
        // A lint that was not run might have a finding.
        let is_run = |code: Code| code != Code::LintUnneededWaiver && (cfg!(feature = "confusables") || code != Code::LintLookalikeNames);
        let idle = |(waiver, needed): &(&'m Waiver, bool)| (!needed && is_run(waiver.code)).then_some(*waiver);
        let idle: Vec<&Waiver> = self.by_place.values().filter_map(idle).collect();
        let mut findings = Vec::new();
        for waiver in idle {
            let message = format!("`{}` reports nothing here", waiver.code.short());
            let finding = Finding::new(waiver.span, message).within(waiver.element).help("remove the waiver");
            if !self.cover(Code::LintUnneededWaiver, &finding, waiver.whole) {
                findings.push(finding);
            }
        }
        // A waiver for unneeded waivers is needed only if there are any.
        let idle = self.by_place.values().filter(|(waiver, needed)| !needed && waiver.code == Code::LintUnneededWaiver);
        findings.extend(idle.map(|(waiver, _)| Finding::new(waiver.span, "every waiver here is needed").help("remove the waiver")));
        findings
    }
}
