//! The states, and the facts of the graph about each.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use statespec_lang::names::ident;

use super::expr::Scope;
use super::unit_enum::{self, expand_texts, expand_unit_enum};
use super::{doc, number, orders, regions, rows, timers};
use crate::ir::{Attribute, Lists, Machine, Nesting, OwnEnum, Part, UnitEnum};

/// `State`, `Composite` if there are composites, and all their methods.
pub(super) fn expand_states(m: &Machine) -> TokenStream {
    let state = match m.form.own_enum() {
        Some(own) => expand_own_names(m, own),
        None => expand_unit_enum(&m.states, &m.env),
    };
    let graph = expand_graph(m);
    let composite = m.composites.as_ref().zip(m.graph.nesting.as_ref()).map(|(it, nesting)| expand_composite(m, it, nesting));
    let state_trait = expand_state_trait(m);
    quote! { #state #graph #composite #state_trait }
}

/// The names of the user's own enum.
fn expand_own_names(m: &Machine, own: &OwnEnum) -> TokenStream {
    let UnitEnum { ident: State, kind, .. } = &m.states;
    let (facade, vis, attributes) = (&m.env.facade, &m.env.visibility, &m.env.attributes);
    // A struct with a context does not see the order of its enum.
    let position = (!own.in_order || m.has_context()).then(|| {
        let (variants, positions) = (&own.variants, (0..own.variants.len()).map(number));
        let position = if own.in_order {
            quote! { self as usize }
        } else {
            quote! { match self { #(#State::#variants => #positions,)* } }
        };
        let body = m.env.body(position);
        quote! {
            #attributes
            impl #State {
                /// The position in `ALL`.
                #[inline]
                #vis const fn index(self) -> usize {
                    #body
                }
            }
        }
    });
    let other_names = (!own.other_names.is_empty()).then(|| {
        let consts = own.other_names.iter().map(|(other, variant)| {
            quote! {
                #[doc(hidden)]
                #[allow(non_upper_case_globals)]
                #vis const #other: #State = #State::#variant;
            }
        });
        quote! { #attributes impl #State { #(#consts)* } }
    });
    let position = quote! { #other_names #position };
    let mut texts = m.states.clone();
    let shown = [Part::Label, Part::Doc].map(|it| m.has_part(it));
    texts.variants.iter_mut().for_each(|it| {
        it.label = it.label.take().filter(|_| shown[0]);
        it.text = it.text.take().filter(|_| shown[1]);
    });
    let texts = expand_texts(&texts, &m.env, &m.index_of(&quote! { self }));
    if own.in_order && m.has_part(Part::Display) && m.has_part(Part::FromStr) {
        let names = unit_enum::expand_names(&m.states, &m.env, None);
        return quote! { #position #names #texts };
    }
    let (index, names) = (m.index_tokens(), unit_enum::expand_own_names(&m.states, &m.env, &m.index_tokens()));
    let display = m.has_part(Part::Display).then(|| quote! { #facade::__display!(#State); });
    let from_str = m.has_part(Part::FromStr).then(|| quote! { #facade::__from_str!(#State); });
    quote! {
        #position
        #names
        #texts
        #facade::__named!(#State, #kind, #index, ignore_case = false, aliases = []);
        #display
        #from_str
    }
}

/// The methods of `State` beyond its names.
fn expand_graph(m: &Machine) -> TokenStream {
    let (State, vis, attributes) = (&m.types.state, &m.env.visibility, &m.env.attributes);
    let graph = &m.graph;
    let initial = &graph.initial;
    let transitions = rows::expand_transitions(m);
    let successors = expand_list(m, State, &graph.successors);
    let events = graph.events.as_ref().map(|lists| expand_events(m, lists));
    let [allows, terminal, sink] = expand_facts(m)
        .map(|Fact { part, docs, signature, body, .. }| m.has_part(part).then(|| quote! { #docs #vis const #signature { #body } }));
    let nesting = graph.nesting.as_ref().map(|it| expand_nesting(m, it));
    let own = graph.attributes.iter().map(|it| expand_attribute(m, it));
    let comparators = orders::expand_comparators(m);
    quote! {
        #attributes
        impl #State {
            /// The state that a machine starts in.
            #vis const INITIAL: #State = #State::#initial;

            #transitions

            /// The states that a transition leads to, guards aside.
            #[inline]
            #vis const fn successors(self) -> &'static [#State] {
                #successors
            }

            #allows

            #events

            #terminal

            #sink

            #nesting
            #(#own)*
            #comparators
        }
    }
}

/// A method of states that a user may leave out, and which the façade's trait has in any case.
struct Fact {
    part: Part,
    name: Ident,
    docs: TokenStream,
    signature: TokenStream,
    body: TokenStream,
}

fn expand_facts(m: &Machine) -> [Fact; 3] {
    let (State, facade, index) = (&m.types.state, &m.env.facade, m.index_tokens());
    let (allows, is_terminal, is_sink) = (ident("allows"), ident("is_terminal"), ident("is_sink"));
    [
        Fact {
            part: Part::Allows,
            docs: quote! {
                /// Whether a transition leads to this state, guards aside.
                #[inline]
            },
            signature: quote! { fn #allows(self, to: #State) -> bool },
            body: quote! { #facade::__contains!(self.successors(), to, #index) },
            name: allows,
        },
        Fact {
            part: Part::IsTerminal,
            docs: quote! {
                /// Whether this is an outcome: the work has ended, although a transition may lead back.
            },
            signature: quote! { fn #is_terminal(self) -> bool },
            body: expand_one_of(m, &m.graph.terminal),
            name: is_terminal,
        },
        Fact {
            part: Part::IsSink,
            docs: quote! {
                /// Whether this is a sink: no transition leads to another state.
            },
            signature: quote! { fn #is_sink(self) -> bool },
            body: expand_one_of(m, &m.graph.sinks),
            name: is_sink,
        },
    ]
}

/// The list for the state `self`.
fn expand_list(m: &Machine, ty: &Ident, lists: &Lists) -> TokenStream {
    let (facade, n_states, index) = (&m.env.facade, number(m.states.variants.len()), m.index_of(&quote! { self }));
    match lists {
        Lists::Slices(lists) => {
            let lists = lists.iter().map(|list| match list {
                Some(list) => quote! { &[#(#ty::#list),*] },
                None => quote! { &#ty::ALL },
            });
            quote! {
                const LISTS: &[&[#ty]; #n_states] = &[#(#lists),*];
                LISTS[#index]
            }
        }
        Lists::Packed { text, n_items } => {
            let n_items = number(*n_items);
            quote! { #facade::__packed_list!(#ty, #n_states, #n_items, #text, #index) }
        }
    }
}

fn expand_events(m: &Machine, lists: &Lists) -> TokenStream {
    let (EventKind, vis) = (&m.types.event_kind, &m.env.visibility);
    let list = expand_list(m, EventKind, lists);
    quote! {
        /// The events that a transition accepts here, guards aside.
        #[inline]
        #vis const fn events(self) -> &'static [#EventKind] {
            #list
        }
    }
}

/// `matches!(self, State::A | State::B)`
fn expand_one_of(m: &Machine, states: &[Ident]) -> TokenStream {
    let State = &m.types.state;
    match states.len() {
        0 => quote! { false },
        n_states if n_states == m.states.variants.len() => quote! { true },
        _ => quote! { __Matches!(self, #(#State::#states)|*) },
    }
}

fn expand_nesting(m: &Machine, nesting: &Nesting) -> TokenStream {
    let (Composite, vis) = (&m.types.composite, &m.env.visibility);
    let (n_states, index) = (number(m.states.variants.len()), m.index_of(&quote! { self }));
    let parents = nesting.parents.iter().map(|it| expand_parent(m, it.as_ref()));
    let paths = &nesting.paths;
    let composites = m.composites.iter().flat_map(|it| &it.variants).map(|it| &it.ident);
    let inside = nesting.inside.iter().map(|it| expand_one_of(m, it));
    quote! {
        /// The innermost state around this one.
        #vis const fn parent(self) -> __Option<#Composite> {
            const PARENTS: &[__Option<#Composite>; #n_states] = &[#(#parents),*];
            PARENTS[#index]
        }

        /// The names of the states around this one and its own, outermost first.
        #vis const fn path(self) -> &'static str {
            const PATHS: &[&str; #n_states] = &[#(#paths),*];
            PATHS[#index]
        }

        /// Whether this state lies inside another.
        #vis const fn is_in(self, composite: #Composite) -> bool {
            match composite {
                #(#Composite::#composites => #inside,)*
            }
        }
    }
}

fn expand_parent(m: &Machine, parent: Option<&Ident>) -> TokenStream {
    let Composite = &m.types.composite;
    match parent {
        Some(parent) => quote! { __Some(#Composite::#parent) },
        None => quote! { __None },
    }
}

fn expand_attribute(m: &Machine, attribute: &Attribute) -> TokenStream {
    let Attribute { method, ty, element, values, .. } = attribute;
    let (vis, docs, scope) = (&m.env.visibility, doc(&attribute.doc), Scope::constant(&m.env));
    let (n_states, index) = (number(values.len()), m.index_of(&quote! { self }));
    let values = values.iter().map(|it| scope.expand(it));
    quote! {
        #docs
        #vis const fn #method(self) -> #ty {
            const VALUES: &[#element; #n_states] = &[#(#values),*];
            VALUES[#index]
        }
    }
}

fn expand_composite(m: &Machine, composites: &UnitEnum, nesting: &Nesting) -> TokenStream {
    let (Composite, State) = (&m.types.composite, &m.types.state);
    let (vis, attributes) = (&m.env.visibility, &m.env.attributes);
    let definition = expand_unit_enum(composites, &m.env);
    let n_composites = number(composites.variants.len());
    let defaults = &nesting.defaults;
    let parents = nesting.composite_parents.iter().map(|it| expand_parent(m, it.as_ref()));
    let node = (!m.graph.nodes.is_empty()).then(|| {
        quote! {
            /// The position among all states: after the innermost ones.
            #[doc(hidden)]
            #vis const fn node(self) -> u32 {
                #State::ALL.len() as u32 + self as u32
            }
        }
    });
    quote! {
        #definition

        #attributes
        impl #Composite {
            /// The state that entering this one leads to.
            #vis const fn default_state(self) -> #State {
                const DEFAULTS: &[#State; #n_composites] = &[#(#State::#defaults),*];
                DEFAULTS[self as usize]
            }

            /// The innermost state around this one.
            #vis const fn parent(self) -> __Option<#Composite> {
                const PARENTS: &[__Option<#Composite>; #n_composites] = &[#(#parents),*];
                PARENTS[self as usize]
            }

            #node
        }
    }
}

/// `impl State for State`: the facts that generic code reads.
fn expand_state_trait(m: &Machine) -> TokenStream {
    let (State, Row, EventKind, EffectKind) = (&m.types.state, &m.types.row, &m.types.event_kind, &m.types.effect_kind);
    let (facade, attributes, name) = (&m.env.facade, &m.env.impl_attributes, &m.name);
    let event = if m.events.is_some() {
        quote! { #EventKind }
    } else {
        quote! { #facade::Never }
    };
    let effect = if m.effect_enum.is_some() {
        quote! { #EffectKind }
    } else {
        quote! { #facade::Never }
    };
    let steps = regions::expand_steps_ty(m);
    let creation = m.creation.as_ref().map(|creation| {
        let events = &creation.events;
        quote! { const CREATION_EVENTS: &'static [#event] = &[#(#EventKind::#events),*]; }
    });
    let (nodes, timers) = (expand_nodes(m, &effect), timers::expand_table(m));
    let converted = (!m.converted.is_empty()).then(|| {
        let names = &m.converted;
        quote! { const CONVERTED: &'static [&'static str] = &[#(#names),*]; }
    });
    let further = [("events", m.events.is_some()), ("path", m.graph.nesting.is_some())];
    let further = further.into_iter().filter(|it| it.1).map(|it| ident(it.0));
    // What the user's type has in its own way is written here, and not forwarded.
    let (forwarded, written): (Vec<_>, Vec<_>) = expand_facts(m).into_iter().partition(|it| m.has_part(it.part));
    let forward = match written.is_empty() {
        true => quote! { #facade::__state!(#(#further),*); },
        false => {
            let (methods, names) =
                (written.iter().map(|Fact { signature, body, .. }| quote! { #signature { #body } }), forwarded.iter().map(|it| &it.name));
            quote! {
                #(#methods)*
                #facade::__state!(only #(#names,)* #(#further),*);
            }
        }
    };
    quote! {
        #attributes
        impl #facade::__private::Graph<#event, #effect> for #State {
            type Steps = #steps;
            #converted
            #nodes
            #timers
        }

        #attributes
        impl #facade::State for #State {
            type Event = #event;
            type Effect = #effect;
            type Row = #Row;

            const MACHINE: &'static str = #name;
            const INITIAL: #State = #State::INITIAL;
            #creation
            #forward
        }
    }
}

/// Entry and exit effects, if any state has some, and the composites that are done.
fn expand_nodes(m: &Machine, effect: &TokenStream) -> Option<TokenStream> {
    let (facade, EffectKind) = (&m.env.facade, &m.types.effect_kind);
    let nodes = m.graph.nodes.iter().map(|node| {
        let parent = node.parent.map_or_else(
            || quote! { __None },
            |it| {
                let parent = m.node(it);
                quote! { __Some(#parent) }
            },
        );
        let (entry, exit) = (&node.entry, &node.exit);
        quote! { #facade::__private::Node { parent: #parent, entry: &[#(#EffectKind::#entry),*], exit: &[#(#EffectKind::#exit),*] } }
    });
    let completing = (!m.graph.completing.is_empty()).then(|| {
        let pairs = m.graph.completing.iter().map(|(node, composite)| m.completion(*node, composite));
        quote! { const COMPLETING: &'static [(u32, u32)] = &[#(#pairs),*]; }
    });
    (!m.graph.nodes.is_empty()).then(|| {
        quote! {
            const NODES: &'static [#facade::__private::Node<#effect>] = &[#(#nodes),*];
            #completing
        }
    })
}
