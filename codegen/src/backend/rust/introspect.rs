//! The graph as `const` data.

use std::collections::BTreeSet;

use proc_macro2::{Literal as RustLiteral, TokenStream};
use quote::quote;

use super::element::Element;
use super::long::{fixed, literal};
use super::module::number;
use super::{Module, listed};
use crate::expr::{Expr, Names, Var};
use crate::model::machine::{Commit, Enum, Event, From, Target, Transition};
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
    let methods = fixed!(module.long, members(facade, events) => {
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
    });
    quote! {
        impl #facade::State for State {
            type Event = #event;
            type Effect = #effect;
            type Steps = [#facade::Step<State>; #n_steps];

            const MACHINE: &'static str = #machine_name;
            const INITIAL: Self = State::INITIAL;
            #births
            #nodes
            #methods
        }
    }
}

/// `State::transitions`: paths; in a large machine text, as [`listed`] says.
pub(crate) fn expand_transitions(module: &Module<'_>) -> TokenStream {
    let facade = &module.facade;
    let rows = &module.machine.transitions;
    let (mut lines, mut others) = (Vec::new(), Vec::new());
    for (idx, row) in rows.iter().enumerate() {
        match plain(module, row).filter(|_| module.is_listed()) {
            Some(Plain { from, event, to }) => lines.push([from, event, to]),
            None => others.push((idx, row_element(module, row))),
        }
    }
    let (positions, others): (Vec<_>, Vec<_>) = others.into_iter().unzip();
    let imports = expand_imports(&others, facade);
    let (items, rows) = if module.is_listed() {
        let text = module.long.literal(listed::text(&lines));
        let events = if module.has_events() {
            quote! { &EventKind::ALL }
        } else {
            quote! { &[] }
        };
        let value = quote! { #facade::__private::rows(&State::ALL, #events, #text.as_bytes(), OTHERS) };
        let (items, rows) =
            listed::expand_deferred("rows", &[("ROWS", rows.len())], &quote! { [#facade::Transition<State>; ROWS] }, &value);
        let placed = positions.into_iter().zip(others).map(|(idx, row)| Element::call("", [Element::Word(idx.to_string()), row]));
        let others = module.long.elements(placed.collect());
        // A constant of its own, because only there references to rows that are computed live long enough.
        let others = quote! { const OTHERS: &[(usize, #facade::Transition<State>)] = &[#others]; };
        (quote! { #others #items }, rows)
    } else {
        let rows = module.long.elements(others);
        (quote! { const ROWS: &[#facade::Transition<State>] = &[#rows]; }, quote! { ROWS })
    };
    fixed!(module.long, members(facade, imports, items, rows) => {
        /// The rows of the spec, in its order.
        pub const fn transitions() -> &'static [#facade::Transition<State>] {
            #imports
            #items
            #rows
        }
    })
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
    let (From::States(from), [event], Target::To(to)) = (&row.from, row.events.as_slice(), &row.target) else { return None };
    let ([from], [to], false) = (from.as_slice(), to.as_slice(), says_more) else { return None };
    let to = module.leaf_index(module.machine.default_leaf(*to));
    module.machine.is_leaf(*from).then(|| Plain { from: module.leaf_index(*from), event: event.index(), to })
}

/// Short names for the rows: nothing else is named beside them but states, events and effects.
fn expand_imports(rows: &[Element], facade: &TokenStream) -> Option<TokenStream> {
    let mut named = BTreeSet::new();
    rows.iter().for_each(|row| row.starts(&mut named));
    let names = ["Row", "Source", "Target", "Transition", "Trigger"];
    let used: Vec<_> = names.iter().filter(|it| named.contains(**it)).map(|it| crate::names::ident(it)).collect();
    (!used.is_empty()).then(|| quote! { use #facade::{#(#used),*}; })
}

/// The events that bring a machine into being.
pub(crate) fn birth_events(module: &Module<'_>) -> Vec<EventId> {
    let mut events: Vec<EventId> = module.machine.edges_from(None).iter().filter_map(|edge| edge.event).collect();
    events.dedup();
    events
}

fn row_element(module: &Module<'_>, row: &Transition) -> Element {
    if let Some(Plain { from, event, to }) = plain(module, row) {
        let words = [module.state_path(module.leaves[from]), module.event_path(EventId::new(event)), module.state_path(module.leaves[to])];
        return Element::call("Transition::Plain", words.map(Element::Word));
    }
    let (from, on, to) = (source(module, &row.from), trigger(module, row), target(module, row));
    let new = match (from, on, to) {
        (Side::Path(from), Side::Path(event), Side::Path(to)) => Element::call("&Row::new", [from, event, to].map(Element::Word)),
        (from, on, to) => Element::call("&Row::of", [from.element("Source::Leaf"), on.element("Trigger::Event"), to.element("Target::To")]),
    };
    let text = |method: &str, text: Option<&String>| text.map(|text| format!(".{method}({})", literal(text)));
    let effects = |method: &str, effects: &[EffectId]| {
        let effects: Vec<_> = effects.iter().map(|id| format!("Effect::{}", module.effects[id.index()])).collect();
        (!effects.is_empty()).then(|| format!(".{method}(&[{}])", effects.join(", ")))
    };
    let methods = [
        text("guard", guard_text(module, row).as_ref()),
        effects("before", &row.before),
        effects("effects", &row.effects),
        (row.commit == Commit::MemoryFirst).then(|| ".memory_first()".to_owned()),
        text("label", row.label.as_ref()),
        text("doc", row.doc.as_ref().or(row.summary.as_ref())),
        text("inferred", row.inferred.as_ref()),
    ];
    let methods: Vec<String> = methods.into_iter().flatten().collect();
    let row = if methods.is_empty() { new } else { Element::Chain(Box::new(new), methods) };
    Element::call("Transition::Full", [row])
}

/// The guard of a row as written in the spec.
pub(crate) fn guard_text(module: &Module<'_>, row: &Transition) -> Option<String> {
    row.guard.as_ref().map(|guard| guard.show(&RowNames { module, row }))
}

/// Where a row starts, what takes it, or what it comes to.
enum Side {
    /// A single state or event.
    Path(String),
    /// Anything else, as the façade has it.
    Other(Element),
}

impl Side {
    /// A path that is alone; else `several(&[…])`.
    fn of(paths: Vec<String>, several: &str) -> Side {
        match <[String; 1]>::try_from(paths) {
            Ok([path]) => Side::Path(path),
            Err(paths) => Side::Other(Element::call(several, [Element::Slice(paths)])),
        }
    }

    /// As the façade has it, where a single path is `single(path)`.
    fn element(self, single: &str) -> Element {
        match self {
            Side::Path(path) => Element::call(single, [Element::Word(path)]),
            Side::Other(other) => other,
        }
    }
}

fn source(module: &Module<'_>, from: &From) -> Side {
    let leaves = |states: &[StateId]| -> Vec<String> {
        let leaves: BTreeSet<StateId> = states.iter().flat_map(|it| module.leaves_in(*it)).collect();
        leaves.iter().map(|it| module.state_path(*it)).collect()
    };
    match from {
        From::Creation => Side::Other(Element::word("Source::Birth")),
        From::States(states) => Side::of(leaves(states), "Source::In"),
        From::Any { except } => Side::Other(Element::call("Source::AnyBut", [Element::Slice(leaves(except))])),
    }
}

fn trigger(module: &Module<'_>, row: &Transition) -> Side {
    if row.events.is_empty() {
        return Side::Other(Element::word("Trigger::Wish"));
    }
    Side::of(row.events.iter().map(|id| module.event_path(*id)).collect(), "Trigger::AnyOf")
}

fn target(module: &Module<'_>, row: &Transition) -> Side {
    let text = |text: &str| Element::Word(literal(text));
    Side::Other(match &row.target {
        Target::Stay => Element::word("Target::Stay"),
        Target::To(states) => {
            let states = states.iter().map(|it| module.state_path(module.machine.default_leaf(*it)));
            return Side::of(states.collect(), "Target::OneOf");
        }
        Target::Payload(idx) => Element::call("Target::Payload", [text(&payload_name(module, row, *idx))]),
        Target::Refuse(why) => Element::call("Target::Refuse", [text(why)]),
    })
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
pub(super) struct RowNames<'a> {
    pub(super) module: &'a Module<'a>,
    pub(super) row: &'a Transition,
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
