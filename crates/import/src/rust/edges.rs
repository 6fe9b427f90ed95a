//! The steps that functions and lists tell of.

mod following;
mod list;
mod outcome;
mod pairs;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::rc::Rc;

use statespec_lang::source::Span;

use super::Machine;
use super::eval::{Eval, Seen};
use super::items::{Function, Items, Origin, type_name};
use super::range::range;
use super::setters::Setters;
use super::value::{Case, Flow, Place, Scope, Value, mentions};
use super::variables::{Variable, Variables};
use super::words::{self, Sense};
use crate::draft::{Findings, From, Row};
use crate::span;
use following::returns_list;
use outcome::Leading;

/// The largest enum whose pairs of states are tried.
const MAX_STATES: usize = 300;

/// Adds the steps to the machines.
pub(super) fn read(
    mut eval: Eval<'_, '_>,
    variables: &[Variables],
    setters: &Setters<'_>,
    machines: &mut [Machine],
    lost: &mut Findings,
) -> Reads {
    let items = eval.items;
    eval.ambiguous = ambiguous(variables);
    eval.assigned = variables.iter().flat_map(|it| it.assigned.keys()).filter_map(|it| assigned_name(it)).collect();
    let mut reader = Reader {
        items,
        eval,
        variables,
        setters,
        machines,
        lost,
        hints: Vec::new(),
        at: 0,
        reads: Reads::default(),
        settings: BTreeMap::new(),
    };
    // A function that only others of the file call comes after them.
    let assigned_from = variables.iter().flat_map(|it| it.assigned_from.iter().flat_map(|it| items.functions_named(it)));
    let called: BTreeSet<usize> = variables.iter().flat_map(|it| it.calls.iter().copied()).chain(assigned_from).collect();
    let mut order: Vec<usize> = (0..items.functions.len()).collect();
    order.sort_by_key(|it| called.contains(it) && !items.functions[*it].is_public);
    for idx in order {
        reader.at = idx;
        reader.eval.begin(Some(idx));
        reader.function(&items.functions[idx]);
    }
    reader.eval.begin(None);
    for (idx, constant) in items.constants.iter().enumerate() {
        if reader.eval.seen.constants.contains(&idx) || !list::may_list(constant.value) {
            continue;
        }
        let scope = Scope::new(constant.of.as_ref(), &constant.module, 0);
        let cases = reader.eval.expr(constant.value, &scope);
        reader.list(&constant.name, &cases, constant.value, constant.range.clone(), constant.is_local);
    }
    let has_rows = reader.machines.iter().any(|it| !it.draft.rows.is_empty());
    for (of, place, message) in std::mem::take(&mut reader.hints) {
        // Beside a machine, most mappings of other enums are none.
        let is_told = !has_rows || (reader.machines[of].draft.rows.is_empty() && words::is_of_states(&items.enums[of].name));
        if is_told {
            reader.lost.loss(place, message);
        }
    }
    Reads { seen: reader.eval.seen, ..reader.reads }
}

/// The variable that an assignment of a path changes: `it`, and `it.0` of a tuple.
fn assigned_name(path: &str) -> Option<String> {
    match path.split_once('.') {
        None => Some(path.to_owned()),
        Some((name, rest)) => rest.starts_with(|it: char| it.is_ascii_digit()).then(|| name.to_owned()),
    }
}

/// The names that `let` gives to different values, or to one made of what had the name before: `let n = n + 1`.
fn ambiguous(variables: &[Variables]) -> BTreeSet<String> {
    let mut values: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (name, value) in variables.iter().flat_map(|it| &it.lets) {
        values.entry(name).or_default().insert(value);
    }
    values
        .into_iter()
        .filter(|(name, all)| all.len() > 1 || all.iter().any(|it| *it != *name && mentions(it, name)))
        .map(|it| it.0.to_owned())
        .collect()
}

/// What was read of the code.
#[derive(Default)]
pub(super) struct Reads {
    /// The enums of other files whose declarations would tell more.
    pub(super) wanted: BTreeSet<usize>,
    /// The functions, each with an enum whose steps it tells of, or whose steps were reported.
    pub(super) functions: BTreeSet<(usize, usize)>,
    /// The places from which code cannot be followed, and that are reported.
    pub(super) lost: BTreeSet<Place>,
    /// Those of the functions whose steps are what they return, and not what they assign.
    pub(super) returning: BTreeSet<(usize, usize)>,
    /// Those of them that say of two states whether the step is allowed.
    pub(super) pairs: BTreeSet<(usize, usize)>,
    /// The functions that set one state whatever the state is, each with an enum; with the state.
    pub(super) everywhere: BTreeMap<(usize, usize), usize>,
    /// The functions that set no state on some events, each with the enum and the names of the events.
    pub(super) silent: Vec<(usize, usize, String)>,
    pub(super) seen: Seen,
}

struct Reader<'r, 'e, 'a> {
    items: &'e Items<'a>,
    eval: Eval<'e, 'a>,
    /// The variables of every function.
    variables: &'r [Variables],
    setters: &'r Setters<'r>,
    machines: &'r mut [Machine],
    lost: &'r mut Findings,
    /// What only matters if no steps are found, each with the enum.
    hints: Vec<(usize, Span, String)>,
    /// The function that is read.
    at: usize,
    reads: Reads,
    /// The functions that may set a state, by its path.
    settings: BTreeMap<String, Rc<BTreeSet<usize>>>,
}

/// A step: source, target, event and guards.
struct Step {
    from: usize,
    to: usize,
    event: Option<usize>,
    guards: Vec<String>,
    place: Range<usize>,
}

impl Reader<'_, '_, '_> {
    fn function(&mut self, function: &Function<'_>) {
        let variables = &self.variables[self.at];
        let name = range(&function.signature.ident);
        if variables.all.is_empty() && function.signature.inputs.is_empty() {
            // Whatever else it returns is not about steps, and its code may be long.
            if !is_start(&function.name) && !returns_list(function) {
                return;
            }
            let cases = self.eval.block(function.block, &self.scope(function));
            self.start(function, &cases);
            if let Some(syn::Stmt::Expr(value, None)) = function.block.stmts.last() {
                self.list(&function.name, &cases, value, name, false);
            }
            return;
        }
        let mut enums: BTreeMap<usize, Option<Variable>> = variables.all.iter().map(|it| (it.of, None)).collect();
        for (key, of) in self.setters.assigned(self.at, function.of.as_deref()) {
            // A function that it calls may compare the state: `self.expect(State::Idle)?`.
            let field = Variable { key: key.to_owned(), of, is_parameter: false };
            enums.entry(of).or_insert(Some(field));
        }
        for (of, field) in enums {
            if self.items.enums[of].variants.len() > MAX_STATES || self.items.is_of_library(of) {
                continue;
            }
            if let Some(field) = field {
                self.following(function, &field, variables, true);
                continue;
            }
            match variables.of(of).as_slice() {
                [one] => {
                    self.ends(function, one);
                    self.following(function, one, variables, false);
                }
                // What a function has taken out of a place, `let old = mem::replace(…)`, is asked by nobody.
                [first, second] if [first, second].iter().any(|it| it.is_parameter || it.key == "self") => {
                    self.pairs(function, first, second);
                }
                _ => {}
            }
        }
    }

    /// Notes that an enum has steps here, whose variants are known only in part.
    fn want(&mut self, of: usize) {
        if !self.items.enums[of].is_known() {
            self.reads.wanted.insert(of);
        }
    }

    /// Notes what to say of an enum if it has no steps.
    fn hint(&mut self, of: usize, name: Range<usize>, message: String) {
        self.hints.push((of, self.machines[of].place(name), message));
    }

    /// Whether a name tells of all steps of an enum.
    fn is_general(&self, name: &str, of: usize) -> bool {
        let of = &self.items.enums[of];
        let full = if let Origin::Elsewhere(declared) = &of.origin { &declared.machine } else { &of.name };
        words::is_general(name, &[&of.name, full])
    }

    fn scope(&self, function: &Function<'_>) -> Scope {
        Scope::inside(function, 0)
    }

    /// `fn default() -> Self { Self::Open }`
    fn start(&mut self, function: &Function<'_>, cases: &[Case]) {
        if !is_start(&function.name) {
            return;
        }
        let [Case { guards, flow: Flow::Value(Value::Variant(of, idx)), .. }] = cases else { return };
        let draft = &mut self.machines[*of].draft;
        if guards.is_empty() && draft.states.iter().all(|it| !it.initial) {
            draft.states[*idx].initial = true;
        }
    }

    /// `fn is_terminal(self) -> bool`
    fn ends(&mut self, function: &Function<'_>, variable: &Variable) {
        if !matches!(function.name.as_str(), "is_terminal" | "is_final" | "terminal") || !self.items.enums[variable.of].is_known() {
            return;
        }
        for idx in 0..self.items.enums[variable.of].variants.len() {
            let mut scope = self.scope(function);
            scope.set(variable.key.as_str(), Value::Variant(variable.of, idx));
            if let [Case { flow: Flow::Value(Value::Bool(true)) | Flow::Return(Value::Bool(true)), guards, .. }] =
                self.eval.block(function.block, &scope).as_slice()
                && guards.is_empty()
            {
                self.machines[variable.of].draft.states[idx].terminal = true;
            }
        }
    }

    /// Adds steps; one that leads from every state to one target is a single row.
    fn add(&mut self, of: usize, steps: Vec<Step>, events: &[String]) {
        let n_states = self.items.enums[of].variants.len();
        let everywhere = |step: &Step| {
            let same = |it: &&Step| it.to == step.to && it.event == step.event;
            let sources: BTreeSet<usize> = steps.iter().filter(same).filter(|it| it.guards.is_empty()).map(|it| it.from).collect();
            sources.len() == n_states && n_states > 2
        };
        let mut whole: BTreeSet<(usize, Option<usize>)> = BTreeSet::new();
        let mut known: BTreeSet<(usize, Option<usize>)> = BTreeSet::new();
        for step in &steps {
            if known.insert((step.to, step.event)) && everywhere(step) {
                whole.insert((step.to, step.event));
            }
        }
        let machine = &mut self.machines[of];
        let is_whole = |it: &Step| it.guards.is_empty() && whole.contains(&(it.to, it.event));
        // Of each state, the step without a condition is the last one: one row for all states comes after all conditions.
        let conditional: BTreeSet<Option<usize>> = steps.iter().filter(|it| !it.guards.is_empty()).map(|it| it.event).collect();
        let is_late = |it: &&Step| is_whole(it) && conditional.contains(&it.event);
        for step in steps.iter().filter(|it| !is_late(it)).chain(steps.iter().filter(is_late)) {
            let from = if is_whole(step) { From::Any } else { From::State(step.from) };
            let mut row = Row::new(from, Some(step.to), machine.place(step.place.clone()));
            row.events = step.event.and_then(|it| events.get(it)).cloned().into_iter().collect();
            row.guards.clone_from(&step.guards);
            machine.add(row);
        }
    }
}

/// The place of an arm, or of the name of the function.
fn place_of(arm: Option<Place>, name: &Range<usize>) -> Range<usize> {
    arm.map_or_else(|| name.clone(), |(start, end)| start..end)
}

/// Whether a function of this name returns the first state.
fn is_start(name: &str) -> bool {
    matches!(name, "default" | "initial" | "start" | "initial_state")
}
