//! The forms that are read: lists of steps (`lists`), functions that say which steps are allowed (`pairs`), that return what follows
//! (`following`), or that set a state (`setting`). `steps` says which steps are the same.

mod following;
mod lists;
mod pairs;
mod setting;
mod steps;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::flow::{Eval, Flow, Guard, Path, Seen, Value};
use super::ir::{At, Body, Expr, Kind, Local, Place, Wrap};
use super::items::{Function, Items, Origin, names_in, type_name};
use super::{Machine, names};
use crate::draft::{Findings, From, Row};
use following::text;
use quote::ToTokens;
use steps::{is_same_from_all, is_same_on_all, ordered};

/// The largest enum whose states are tried.
const MAX_STATES: usize = 300;
/// The largest number of pairs that are tried.
const MAX_PAIRS: usize = 10_000;
/// An event that has none of the names of the file.
const OTHER: usize = usize::MAX;

/// The places that were not followed, each with the states in which they are reached.
type Lost = BTreeMap<At, BTreeSet<usize>>;

/// What was read of the code.
#[derive(Default)]
pub(super) struct Reads {
    /// The enums of other files whose declarations would tell more.
    pub(super) wanted: BTreeSet<usize>,
    /// The functions that were read or reported, each with the enum.
    pub(super) functions: BTreeSet<(usize, usize)>,
    /// The places that set a state and that are a part of what was read, each with the enum.
    pub(super) sites: BTreeSet<(At, usize)>,
    /// The names of functions that set a state, each with the enum.
    pub(super) setters: BTreeSet<(String, usize)>,
    /// What is only of interest where an enum has no steps.
    pub(super) hints: Vec<(usize, Range<usize>, String)>,
}

/// A step: source, target, event and guards.
#[derive(Debug, Clone, PartialEq)]
struct Step {
    from: usize,
    to: usize,
    event: Option<usize>,
    guards: Vec<Guard>,
    at: Range<usize>,
}

pub(super) struct Forms<'r, 'e, 'a> {
    pub(super) items: &'e Items<'a>,
    pub(super) eval: Eval<'e, 'a>,
    pub(super) bodies: &'e [Body],
    pub(super) machines: &'r mut [Machine],
    pub(super) lost: &'r mut Findings,
    pub(super) reads: Reads,
    /// The functions that set a state, each with the enum.
    pub(super) setters: BTreeSet<(usize, usize)>,
    /// What was not followed at all, with its assignments.
    unknown: Vec<(usize, Lost, BTreeSet<At>)>,
    /// The functions that were followed for the one that is tried.
    called: BTreeSet<usize>,
    /// The places of assignments in the function that is tried.
    pub(super) pending: BTreeSet<(At, usize)>,
}

impl<'r, 'e, 'a> Forms<'r, 'e, 'a> {
    pub(super) fn new(
        items: &'e Items<'a>,
        eval: Eval<'e, 'a>,
        bodies: &'e [Body],
        machines: &'r mut [Machine],
        lost: &'r mut Findings,
    ) -> Self {
        let (reads, setters, called, pending) = (Reads::default(), BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        Forms { items, eval, bodies, machines, lost, reads, setters, unknown: Vec::new(), called, pending }
    }

    pub(super) fn read(&mut self) {
        // A private function that is called by one that is read has no steps of its own.
        let mut calls: BTreeMap<usize, Seen> = BTreeMap::new();
        let concerned = self.concerned();
        for idx in 0..self.items.functions.len() {
            self.eval.seen = Seen::default();
            (self.eval.seed, self.eval.about) = (None, None);
            if concerned.contains(&idx) {
                self.eval.is_survey = true;
                self.eval.run(idx, &[]);
                self.eval.is_survey = false;
            }
            let seen = std::mem::take(&mut self.eval.seen);
            self.setters.extend(seen.set.keys().map(|it| (idx, *it)));
            calls.insert(idx, seen);
        }
        self.reads.setters = self.setters.iter().map(|(idx, of)| (self.items.functions[*idx].name.clone(), *of)).collect();
        let mut called: BTreeSet<usize> = calls.values().flat_map(|it| it.called.iter().copied()).collect();
        // Of a method, the type that it is called on may not be known yet.
        let mut methods = BTreeSet::new();
        self.bodies
            .iter()
            .for_each(|it| it.block.all(&mut |it| methods.extend(if let Kind::Method(name, ..) = &it.kind { Some(name) } else { None })));
        called.extend((0..self.items.functions.len()).filter(|it| methods.contains(&self.items.functions[*it].name)));
        let mut order: Vec<usize> = (0..self.items.functions.len()).collect();
        order.sort_by_key(|it| called.contains(it) && !self.items.functions[*it].is_public);
        let mut followed: BTreeSet<(usize, usize)> = BTreeSet::new();
        for idx in order {
            self.function(idx, &calls[&idx], &called, &mut followed);
        }
        for (of, lost, sites) in std::mem::take(&mut self.unknown) {
            if sites.iter().all(|it| self.reads.sites.contains(&(*it, of))) {
                self.not_followed(of, &lost);
            }
        }
        for idx in 0..self.items.constants.len() {
            let constant = &self.items.constants[idx];
            if let Some(Value::List(all)) = self.eval.constant(idx) {
                let name = constant.name.clone();
                let (range, is_local) = (constant.range.clone(), constant.is_local);
                self.list(&name, &all, self.eval.constants.get(idx), range, is_local);
            }
        }
    }

    /// The functions that name a variant or a place of an enum, and those that call one of these. Others say nothing of states.
    fn concerned(&self) -> BTreeSet<usize> {
        let mut concerned = BTreeSet::new();
        let mut callers: Vec<(usize, BTreeSet<usize>)> = Vec::new();
        for (idx, body) in self.bodies.iter().enumerate() {
            let mut is_it = !self.states(idx).is_empty();
            let mut called = BTreeSet::new();
            body.block.all(&mut |it| match &it.kind {
                Kind::Variant(..) | Kind::Constant(_) | Kind::Unread(..) => is_it = true,
                Kind::Place(place) => is_it |= self.eval.declared_enum(place).is_some(),
                Kind::Field(_, symbol) => is_it |= !self.items.enums_of_field(&self.eval.symbols.names[*symbol as usize]).is_empty(),
                Kind::Call(called_one, _) => called.extend(*called_one),
                Kind::Method(name, ..) => called.extend(self.items.functions_named(name)),
                _ => {}
            });
            if is_it {
                concerned.insert(idx);
            } else {
                callers.push((idx, called));
            }
        }
        loop {
            let before = concerned.len();
            callers.retain(|(idx, called)| called.is_disjoint(&concerned) || !concerned.insert(*idx));
            if concerned.len() == before {
                return concerned;
            }
        }
    }

    fn function(&mut self, idx: usize, seen: &Seen, called: &BTreeSet<usize>, followed: &mut BTreeSet<(usize, usize)>) {
        let function = &self.items.functions[idx];
        let name = super::range::range(&function.signature.ident);
        let states = self.states(idx);
        if self.bodies[idx].parameters.is_empty() {
            self.without_parameters(idx, &name);
        }
        let mut enums: BTreeSet<usize> = seen.set.keys().copied().collect();
        enums.extend(states.iter().map(|it| it.1));
        for of in enums {
            let n_states = self.items.enums[of].variants.len();
            if n_states > MAX_STATES || self.items.is_of_library(of) || n_states == 0 {
                continue;
            }
            let own: Vec<Local> = states.iter().filter(|it| it.1 == of).map(|it| it.0).collect();
            self.ends(idx, of, &own);
            let is_private = !function.is_public && called.contains(&idx);
            if is_private && followed.contains(&(idx, of)) {
                self.reads.functions.insert((idx, of));
                continue;
            }
            let set = seen.set.get(&of);
            self.called.clear();
            let before = self.reads.functions.len();
            match (set, own.as_slice()) {
                (Some(set), _) => self.setting(idx, of, set, &own, seen, &name),
                (None, [first, second]) => self.pairs(idx, of, [*first, *second], None, &name),
                (None, [one]) => self.following(idx, of, *one, seen, &name),
                (None, _) => {}
            }
            if self.reads.functions.len() > before {
                followed.extend(self.called.iter().map(|it| (*it, of)));
            }
        }
    }

    /// The parameters that are states, each with its enum.
    fn states(&self, idx: usize) -> Vec<(Local, usize)> {
        let function = &self.items.functions[idx];
        let of_type = |local: Local| {
            let variable = &self.eval.variables[local];
            self.items.enum_named(variable.ty.as_deref()?, &function.module)
        };
        self.bodies[idx].parameters.iter().filter_map(|(local, _)| Some((*local, of_type(*local)?))).collect()
    }

    fn returned(&self, idx: usize) -> Vec<String> {
        match &self.items.functions[idx].signature.output {
            syn::ReturnType::Type(_, ty) => names_in(ty.to_token_stream()),
            syn::ReturnType::Default => Vec::new(),
        }
    }

    fn returns(&self, idx: usize, of: usize) -> bool {
        let function = &self.items.functions[idx];
        let is_it = |it: &String| {
            let name = if it == "Self" { function.of.as_deref().unwrap_or_default() } else { it };
            self.items.enum_named(name, &function.module) == Some(of)
        };
        self.returned(idx).iter().any(is_it)
    }

    /// `fn default() -> Self`, and a list that a function without parameters returns.
    fn without_parameters(&mut self, idx: usize, name: &Range<usize>) {
        let function = &self.items.functions[idx];
        let is_start = matches!(function.name.as_str(), "default" | "initial" | "initial_state" | "start");
        let is_list = matches!(&function.signature.output, syn::ReturnType::Type(_, ty) if names_in(ty.to_token_stream()).len() > 1 || ty.to_token_stream().to_string().contains('['));
        if !is_start && !is_list {
            return;
        }
        let paths = self.run(idx, &[]);
        let [Path { guards, flow: Flow::Next(value) | Flow::Return(value), .. }] = paths.as_slice() else { return };
        match value {
            Value::Variant(of, state) if is_start && guards.is_empty() => {
                let draft = &mut self.machines[*of].draft;
                if draft.states.iter().all(|it| !it.initial) {
                    draft.states[*state].initial = true;
                }
            }
            Value::List(all) if guards.is_empty() => {
                let fn_name = function.name.clone();
                self.list(&fn_name, &all.clone(), None, name.clone(), false);
            }
            _ => {}
        }
    }

    /// `fn is_terminal(self) -> bool`
    fn ends(&mut self, idx: usize, of: usize, own: &[Local]) {
        let function = &self.items.functions[idx];
        let [one] = own else { return };
        if !matches!(function.name.as_str(), "is_terminal" | "is_final" | "terminal") || !self.items.enums[of].is_known() {
            return;
        }
        for state in 0..self.items.enums[of].variants.len() {
            let paths = self.run(idx, &[(*one, Value::Variant(of, state))]);
            if let [Path { guards, flow: Flow::Next(Value::Bool(true)) | Flow::Return(Value::Bool(true)), .. }] = paths.as_slice()
                && guards.is_empty()
            {
                self.machines[of].draft.states[state].terminal = true;
            }
        }
    }

    fn run(&mut self, idx: usize, values: &[(Local, Value)]) -> Vec<Path> {
        self.eval.seen = Seen::default();
        let paths = self.eval.run(idx, values);
        self.called.extend(&self.eval.seen.called);
        paths
    }

    /// Notes that an enum has steps here, whose variants are known only in part.
    fn want(&mut self, of: usize) {
        if matches!(self.items.enums[of].origin, Origin::Unknown) {
            self.reads.wanted.insert(of);
        }
    }

    /// The names of states in a sentence: `A`, `B`, `C` or one of 4 others.
    fn named(&self, of: usize, states: &BTreeSet<usize>) -> String {
        let n_shown = if states.len() > 4 { 3 } else { states.len() };
        let name = |it: &usize| format!("`{}`", self.items.enums[of].variants[*it].name);
        let mut names: Vec<String> = states.iter().take(n_shown).map(name).collect();
        let n_others = states.len() - n_shown;
        names.extend((n_others > 0).then(|| format!("one of {n_others} others")));
        match names.split_last() {
            Some((last, first)) if !first.is_empty() => format!("{} or {last}", first.join(", ")),
            Some((only, _)) => only.clone(),
            None => String::new(),
        }
    }

    /// Adds steps; one that leads from every state to one target is a single row, behind those with a condition.
    fn add(&mut self, of: usize, steps: Vec<Step>, events: &[String]) {
        let n_states = self.items.enums[of].variants.len();
        let mut sources: BTreeMap<(usize, Option<usize>), BTreeSet<usize>> = BTreeMap::new();
        for step in steps.iter().filter(|it| it.guards.is_empty()) {
            sources.entry((step.to, step.event)).or_default().insert(step.from);
        }
        let is_whole = |it: &Step| it.guards.is_empty() && n_states > 2 && sources[&(it.to, it.event)].len() == n_states;
        let (last, first): (Vec<&Step>, Vec<&Step>) = steps.iter().partition(|it| is_whole(it));
        let machine = &mut self.machines[of];
        for step in first.into_iter().chain(last) {
            let from = if is_whole(step) { From::Any } else { From::State(step.from) };
            let mut row = Row::new(from, Some(step.to), machine.place(step.at.clone()));
            row.events = step.event.and_then(|it| events.get(it)).cloned().into_iter().collect();
            row.guards = step.guards.iter().map(text).collect();
            machine.add(row);
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Answer {
    /// It says yes or no.
    Says,
    /// Its values can mean either.
    Open,
    None,
}

struct Event {
    local: Local,
    is_named: bool,
    values: Vec<(String, Value)>,
    /// The values behind stand for all others.
    n_named: usize,
    of: Option<usize>,
}

#[derive(Default)]
struct Found {
    steps: Vec<Step>,
    /// What keeps the state.
    stays: Vec<Step>,
    /// What was not followed, each with the states in which it is reached.
    lost: Lost,
    event: Option<String>,
}

struct Listed {
    of: usize,
    from: usize,
    to: Vec<usize>,
    event: Option<String>,
}

enum Leads {
    To(Vec<usize>),
    Nowhere,
    Gone,
    Unknown,
}

fn type_is_list(output: &syn::ReturnType) -> bool {
    match output {
        syn::ReturnType::Type(_, ty) => {
            let text = ty.to_token_stream().to_string();
            text.contains('[') || text.starts_with("Vec <")
        }
        syn::ReturnType::Default => false,
    }
}
