//! The graph as `const` data.

use std::collections::BTreeSet;

use proc_macro2::{Literal as RustLiteral, TokenStream, TokenTree};
use quote::quote;

use super::module::number;
use super::{Module, listed};
use crate::expr::{Expr, Names, Var};
use crate::model::machine::{Commit, Enum, Event, From, Outcome, Transition};
use crate::model::{ConstantId, EffectId, EventId, PredicateId, StateId};

/// `impl State for State`: what code for any machine asks.
pub(crate) fn expand_state_trait(module: &Module<'_>) -> TokenStream {
    let facade = &module.facade;
    let machine_name = &module.machine.name;
    let event = if module.has_events() {
        quote! { EventKind }
    } else {
        quote! { #facade::Never }
    };
    let effect = if module.has_effects() {
        quote! { Effect }
    } else {
        quote! { #facade::Never }
    };
    // A settling event moves at most once for each state, and may stay in the end.
    let n_steps = number(if module.settles() { module.leaves.len() + 1 } else { 1 });
    let births = birth_events(module);
    let births = (!births.is_empty()).then(|| {
        let births = births.iter().map(|id| module.event(*id));
        quote! { const BIRTH_EVENTS: &'static [Self::Event] = &[#(#births),*]; }
    });
    let nodes = expand_nodes(module);
    let events = if module.has_events() {
        quote! { State::events(self) }
    } else {
        quote! { &[] }
    };
    quote! {
        impl #facade::State for State {
            type Event = #event;
            type Effect = #effect;
            type Steps = [#facade::Step<State>; #n_steps];

            const MACHINE: &'static str = #machine_name;
            const INITIAL: Self = State::INITIAL;
            #births
            #nodes

            #[inline]
            fn transitions() -> &'static [#facade::Transition<Self>] {
                State::transitions()
            }

            #[inline]
            fn successors(self) -> &'static [Self] {
                State::successors(self)
            }

            #[inline]
            fn events(self) -> &'static [Self::Event] {
                #events
            }

            #[inline]
            fn allows(self, to: Self) -> bool {
                State::allows(self, to)
            }

            #[inline]
            fn is_terminal(self) -> bool {
                State::is_terminal(self)
            }

            #[inline]
            fn is_final(self) -> bool {
                State::is_final(self)
            }
        }
    }
}

/// `State::transitions`: paths; in a large machine text, as [`listed`] says.
pub(crate) fn expand_transitions(module: &Module<'_>) -> TokenStream {
    let facade = &module.facade;
    let rows = &module.machine.transitions;
    let (plain_rows, others): (Vec<_>, Vec<_>) =
        rows.iter().enumerate().partition(|(_, row)| module.is_listed() && plain(module, row).is_some());
    let expanded: Vec<_> = others.iter().map(|(_, row)| expand_row(module, row)).collect();
    let imports = expand_imports(&expanded, facade);
    let (items, rows) = if module.is_listed() {
        let lines = plain_rows.iter().filter_map(|(_, row)| plain(module, row)).map(|Plain { from, event, to }| vec![from, event, to]);
        let text = listed::text(lines);
        let events = if module.has_events() {
            quote! { &EventKind::ALL }
        } else {
            quote! { &[] }
        };
        let positions = others.iter().map(|(idx, _)| number(*idx));
        let value = quote! {
            #facade::__private::rows(&State::ALL, #events, #text.as_bytes(), &[#((#positions, #expanded)),*])
        };
        listed::expand_deferred("rows", &[("ROWS", rows.len())], &quote! { [#facade::Transition<State>; ROWS] }, &value)
    } else {
        (quote! {}, quote! { const { &[#(#expanded),*] } })
    };
    quote! {
        /// The rows of the spec, in its order.
        pub const fn transitions() -> &'static [#facade::Transition<State>] {
            #imports
            #items
            #rows
        }
    }
}

/// A row that says no more than this: places among the leaves and events.
#[derive(Debug, Clone, Copy)]
struct Plain {
    from: usize,
    event: usize,
    to: usize,
}

fn plain(module: &Module<'_>, row: &Transition) -> Option<Plain> {
    let says_more = row.guard.is_some()
        || !row.before.is_empty()
        || !row.effects.is_empty()
        || row.commit == Commit::MemoryFirst
        || [&row.label, &row.doc, &row.summary, &row.inferred].iter().any(|it| it.is_some());
    let (From::States(from), [event], Outcome::To(to)) = (&row.from, row.events.as_slice(), &row.outcome) else { return None };
    let leaves: BTreeSet<StateId> = from.iter().flat_map(|it| module.leaves_in(*it)).collect();
    let (Some(from), 1, [to], false) = (leaves.first(), leaves.len(), to.as_slice(), says_more) else { return None };
    let to = module.leaf_index(module.machine.default_leaf(*to));
    Some(Plain { from: module.leaf_index(*from), event: event.index(), to })
}

/// Short names for the rows: nothing else is named beside them but states, events and effects.
fn expand_imports(rows: &[TokenStream], facade: &TokenStream) -> Option<TokenStream> {
    let mut named = BTreeSet::new();
    rows.iter().for_each(|row| path_starts(row.clone(), &mut named));
    let names = ["Row", "Source", "Target", "Transition", "Trigger"];
    let used: Vec<_> = names.iter().filter(|it| named.contains(**it)).map(|it| crate::names::ident(it)).collect();
    (!used.is_empty()).then(|| quote! { use #facade::{#(#used),*}; })
}

/// Whatever stands before a `::`. How tokens print differs inside the compiler, so they are looked at one by one.
fn path_starts(tokens: TokenStream, named: &mut BTreeSet<String>) {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Group(group) => path_starts(group.stream(), named),
            TokenTree::Ident(ident) if matches!(tokens.peek(), Some(TokenTree::Punct(it)) if it.as_char() == ':') => {
                named.insert(ident.to_string());
            }
            _ => {}
        }
    }
}

/// The events that bring a machine into being.
pub(crate) fn birth_events(module: &Module<'_>) -> Vec<EventId> {
    let mut events: Vec<EventId> = module.machine.edges_from(None).iter().filter_map(|edge| edge.event).collect();
    events.dedup();
    events
}

fn expand_row(module: &Module<'_>, row: &Transition) -> TokenStream {
    if let Some(Plain { from, event, to }) = plain(module, row) {
        let (from, event, to) = (module.state(module.leaves[from]), module.event(EventId::new(event)), module.state(module.leaves[to]));
        return quote! { Transition::Plain(#from, #event, #to) };
    }
    let (from, on, to) = (expand_source(module, &row.from), expand_trigger(module, row), expand_target(module, row));
    let new = match (&from, &on, &to) {
        (Source::Leaf(from), Trigger::Event(event), Target::To(to)) => quote! { new(#from, #event, #to) },
        _ => {
            let (from, on, to) = (from.tokens(), on.tokens(), to.tokens());
            quote! { of(#from, #on, #to) }
        }
    };
    let guard = guard_text(module, row).map(|guard| quote! { .guard(#guard) });
    let effects = |method: &str, effects: &[EffectId]| {
        let method = crate::names::ident(method);
        let effects = effects.iter().map(|id| module.effect(*id));
        (effects.len() > 0).then(|| quote! { .#method(&[#(#effects),*]) })
    };
    let (before, after) = (effects("before", &row.before), effects("effects", &row.effects));
    let commit = (row.commit == Commit::MemoryFirst).then(|| quote! { .memory_first() });
    let text = |method: &str, text: Option<&String>| {
        let method = crate::names::ident(method);
        text.map(|text| quote! { .#method(#text) })
    };
    let label = text("label", row.label.as_ref());
    let doc = text("doc", row.doc.as_ref().or(row.summary.as_ref()));
    let inferred = text("inferred", row.inferred.as_ref());
    quote! { Transition::Full(&Row::#new #guard #before #after #commit #label #doc #inferred) }
}

/// The guard of a row as written in the spec.
pub(crate) fn guard_text(module: &Module<'_>, row: &Transition) -> Option<String> {
    row.guard.as_ref().map(|guard| guard.show(&RowNames { module, row }))
}

/// Where a row starts, in Rust.
enum Source {
    Birth,
    Leaf(TokenStream),
    In(Vec<TokenStream>),
    AnyBut(Vec<TokenStream>),
}

impl Source {
    fn tokens(&self) -> TokenStream {
        match self {
            Source::Birth => quote! { Source::Birth },
            Source::Leaf(leaf) => quote! { Source::Leaf(#leaf) },
            Source::In(leaves) => quote! { Source::In(&[#(#leaves),*]) },
            Source::AnyBut(except) => quote! { Source::AnyBut(&[#(#except),*]) },
        }
    }
}

/// What takes a row, in Rust.
enum Trigger {
    Wish,
    Event(TokenStream),
    AnyOf(Vec<TokenStream>),
}

impl Trigger {
    fn tokens(&self) -> TokenStream {
        match self {
            Trigger::Wish => quote! { Trigger::Wish },
            Trigger::Event(event) => quote! { Trigger::Event(#event) },
            Trigger::AnyOf(events) => quote! { Trigger::AnyOf(&[#(#events),*]) },
        }
    }
}

/// What a row comes to, in Rust.
enum Target {
    To(TokenStream),
    OneOf(Vec<TokenStream>),
    Other(TokenStream),
}

impl Target {
    fn tokens(&self) -> TokenStream {
        match self {
            Target::To(to) => quote! { Target::To(#to) },
            Target::OneOf(targets) => quote! { Target::OneOf(&[#(#targets),*]) },
            Target::Other(tokens) => quote! { Target::#tokens },
        }
    }
}

fn expand_source(module: &Module<'_>, from: &From) -> Source {
    let leaves = |states: &[StateId]| -> Vec<TokenStream> {
        let leaves: BTreeSet<StateId> = states.iter().flat_map(|it| module.leaves_in(*it)).collect();
        leaves.iter().map(|it| module.state(*it)).collect()
    };
    match from {
        From::Birth => Source::Birth,
        From::States(states) => match leaves(states).as_slice() {
            [only] => Source::Leaf(only.clone()),
            several => Source::In(several.to_vec()),
        },
        From::Any { except } => Source::AnyBut(leaves(except)),
    }
}

fn expand_trigger(module: &Module<'_>, row: &Transition) -> Trigger {
    match row.events.as_slice() {
        [] => Trigger::Wish,
        [only] => Trigger::Event(module.event(*only)),
        several => Trigger::AnyOf(several.iter().map(|id| module.event(*id)).collect()),
    }
}

fn expand_target(module: &Module<'_>, row: &Transition) -> Target {
    match &row.outcome {
        Outcome::Stay => Target::Other(quote! { Stay }),
        Outcome::To(states) => {
            let states: Vec<_> = states.iter().map(|it| module.state(module.machine.default_leaf(*it))).collect();
            match states.as_slice() {
                [only] => Target::To(only.clone()),
                _ => Target::OneOf(states),
            }
        }
        Outcome::Payload(idx) => {
            let name = &payload_name(module, row, *idx);
            Target::Other(quote! { Payload(#name) })
        }
        Outcome::Refuse(text) => Target::Other(quote! { Refuse(#text) }),
    }
}

pub(crate) fn payload_name(module: &Module<'_>, row: &Transition, idx: usize) -> String {
    let event = row.events.first().map(|id| module.machine.event(*id));
    event.and_then(|it: &Event| it.payload.get(idx)).map_or_else(String::new, |it| it.name.clone())
}

/// Entry and exit effects, where any state has some.
fn expand_nodes(module: &Module<'_>) -> Option<TokenStream> {
    let machine = module.machine;
    if machine.states.iter().all(|it| it.entry.is_empty() && it.exit.is_empty()) {
        return None;
    }
    let facade = &module.facade;
    let order: Vec<StateId> = module.leaves.iter().chain(&module.composites).copied().collect();
    let nodes = order.iter().map(|id| {
        let state = machine.state(*id);
        let parent = match state.parent {
            Some(parent) => {
                let idx = module.leaves.len() + module.composites.partition_point(|it| *it < parent);
                let parent = RustLiteral::usize_unsuffixed(idx);
                quote! { ::core::option::Option::Some(#parent) }
            }
            None => quote! { ::core::option::Option::None },
        };
        let entry = state.entry.iter().map(|id| module.effect(*id));
        let exit = state.exit.iter().map(|id| module.effect(*id));
        quote! { #facade::Node { parent: #parent, entry: &[#(#entry),*], exit: &[#(#exit),*] } }
    });
    Some(quote! { const NODES: &'static [#facade::Node<Self::Effect>] = &[#(#nodes),*]; })
}

/// What things are called in the guard of a row.
struct RowNames<'a> {
    module: &'a Module<'a>,
    row: &'a Transition,
}

impl Names for RowNames<'_> {
    fn var(&self, var: Var) -> String {
        match var {
            Var::Payload(idx) => payload_name(self.module, self.row, idx),
            var => self.module.var(var),
        }
    }

    fn constant(&self, constant: ConstantId) -> String {
        Names::constant(self.module, constant)
    }

    fn predicate(&self, predicate: PredicateId) -> String {
        Names::predicate(self.module, predicate)
    }

    fn state(&self, subject: Option<&Expr>, state: StateId) -> String {
        Names::state(self.module, subject, state)
    }

    fn event(&self, event: EventId) -> String {
        Names::event(self.module, event)
    }

    fn enums(&self) -> &[Enum] {
        self.module.enums()
    }
}
