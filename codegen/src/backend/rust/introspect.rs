//! The graph as `const` data.

use proc_macro2::{Literal as RustLiteral, TokenStream};
use quote::quote;

use super::Module;
use super::module::number;
use crate::expr::{Expr, Names, Var};
use crate::model::machine::{Commit, Enum, Event, From, Outcome, Transition};
use crate::model::{ConstantId, EventId, PredicateId, StateId};

/// `impl State for State`: what code for any machine asks.
pub(crate) fn expand_state_trait(module: &Module<'_>) -> TokenStream {
    let facade = &module.facade;
    let machine_name = &module.machine.name;
    let event = if module.has_events() { quote! { EventKind } } else { quote! { #facade::Never } };
    let effect = if module.has_effects() { quote! { Effect } } else { quote! { #facade::Never } };
    // A settling event moves at most once for each state, and may stay in the end.
    let n_steps = number(if module.settles() { module.leaves.len() + 1 } else { 1 });
    let rows = module.machine.transitions.iter().map(|row| expand_row(module, row));
    let births = birth_events(module);
    let births = (!births.is_empty()).then(|| {
        let births = births.iter().map(|id| module.event(*id));
        quote! { const BIRTH_EVENTS: &'static [Self::Event] = &[#(#births),*]; }
    });
    let nodes = expand_nodes(module);
    let events = if module.has_events() { quote! { State::events(self) } } else { quote! { &[] } };
    quote! {
        impl #facade::State for State {
            type Event = #event;
            type Effect = #effect;
            type Steps = [#facade::Step<State>; #n_steps];

            const MACHINE: &'static str = #machine_name;
            const INITIAL: Self = State::INITIAL;
            const TRANSITIONS: &'static [#facade::Transition<Self>] = &[#(#rows),*];
            #births
            #nodes

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

/// The events that bring a machine into being.
pub(crate) fn birth_events(module: &Module<'_>) -> Vec<EventId> {
    let mut events: Vec<EventId> = module.machine.edges_from(None).iter().filter_map(|edge| edge.event).collect();
    events.dedup();
    events
}

fn expand_row(module: &Module<'_>, row: &Transition) -> TokenStream {
    let facade = &module.facade;
    let from = expand_source(module, &row.from);
    let events = row.events.iter().map(|id| module.event(*id));
    let to = expand_target(module, row);
    let new = quote! { #facade::Transition::new(#from, &[#(#events),*], #to) };
    let mut extras = Vec::new();
    let mut text = |field: &str, text: &Option<String>| {
        if let Some(text) = text {
            let field = crate::names::ident(field);
            extras.push(quote! { #field: ::core::option::Option::Some(#text) });
        }
    };
    text("guard", &row.guard.as_ref().map(|guard| guard.show(&RowNames { module, row })));
    text("label", &row.label);
    text("doc", &row.doc.clone().or_else(|| row.summary.clone()));
    text("inferred", &row.inferred);
    for (field, effects) in [("before", &row.before), ("effects", &row.effects)] {
        if !effects.is_empty() {
            let field = crate::names::ident(field);
            let effects = effects.iter().map(|id| module.effect(*id));
            extras.push(quote! { #field: &[#(#effects),*] });
        }
    }
    if row.commit == Commit::MemoryFirst {
        extras.push(quote! { commit: #facade::Commit::MemoryFirst });
    }
    if extras.is_empty() { new } else { quote! { #facade::Transition { #(#extras,)* ..#new } } }
}

fn expand_source(module: &Module<'_>, from: &From) -> TokenStream {
    let facade = &module.facade;
    let leaves = |states: &[StateId]| {
        let mut leaves: Vec<StateId> = states.iter().flat_map(|it| module.leaves_in(*it)).collect();
        leaves.sort();
        leaves.dedup();
        let leaves = leaves.iter().map(|it| module.state(*it));
        quote! { &[#(#leaves),*] }
    };
    match from {
        From::Birth => quote! { #facade::Source::Birth },
        From::States(states) => {
            let states = leaves(states);
            quote! { #facade::Source::In(#states) }
        }
        From::Any { except } => {
            let except = leaves(except);
            quote! { #facade::Source::AnyBut(#except) }
        }
    }
}

fn expand_target(module: &Module<'_>, row: &Transition) -> TokenStream {
    let facade = &module.facade;
    match &row.outcome {
        Outcome::Stay => quote! { #facade::Target::Stay },
        Outcome::To(states) => {
            let states: Vec<_> = states.iter().map(|it| module.state(module.machine.default_leaf(*it))).collect();
            match states.as_slice() {
                [only] => quote! { #facade::Target::To(#only) },
                _ => quote! { #facade::Target::OneOf(&[#(#states),*]) },
            }
        }
        Outcome::Payload(idx) => {
            let name = &payload_name(module, row, *idx);
            quote! { #facade::Target::Payload(#name) }
        }
        Outcome::Refuse(text) => quote! { #facade::Target::Refuse(#text) },
    }
}

fn payload_name(module: &Module<'_>, row: &Transition, idx: usize) -> String {
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
