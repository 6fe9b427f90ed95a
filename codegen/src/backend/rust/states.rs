//! The states, and what the graph says about each.

use proc_macro2::{Literal as RustLiteral, TokenStream};
use quote::{ToTokens, quote};

use super::element::Element;
use super::form::OwnEnum;
use super::introspect;
use super::long::fixed;
use super::module::number;
use super::types::Place;
use super::vocabulary::{Vocabulary, Word, expand_own_names};
use super::{Module, docs, listed, orders};
use crate::model::StateId;
use crate::names::ident;

/// `State`, `Composite` where there are any, and all their methods.
pub(crate) fn expand_states(module: &Module<'_>) -> TokenStream {
    let state = match module.own_enum() {
        Some(own) => expand_own_vocabulary(module, own),
        None => module.expand_vocabulary(&states_of(module)),
    };
    let graph = expand_graph(module);
    let composite = expand_composite(module);
    let state_trait = introspect::expand_state_trait(module);
    quote! { #state #graph #composite #state_trait }
}

fn states_of(module: &Module<'_>) -> Vocabulary {
    let machine = module.machine;
    let words = module.leaves.iter().map(|id| word(module, *id, machine.state(*id).wire.clone()));
    Vocabulary {
        ident: ident("State"),
        kind: "state".into(),
        doc: vec![format!("What a {} can be in.", docs::code(&machine.name))],
        words: words.collect(),
        ignore_case: false,
    }
}

/// Names of the user's enum, whose variants are the leaves.
fn expand_own_vocabulary(module: &Module<'_>, own: &OwnEnum) -> TokenStream {
    let index = module.index_of(quote! { self });
    let names = expand_own_names(&states_of(module), module, &index);
    let positions = own.variants.iter().enumerate().map(|(idx, variant)| {
        let idx = number(idx);
        quote! { State::#variant => #idx }
    });
    let position = (!own.in_order).then(|| {
        quote! {
            impl State {
                /// The position in `ALL`.
                #[inline]
                pub const fn index(self) -> usize {
                    match self { #(#positions,)* }
                }
            }
        }
    });
    quote! { #position #names }
}

fn word(module: &Module<'_>, id: StateId, name: String) -> Word {
    let state = module.machine.state(id);
    let mut doc = vec![docs::sentence_or(state.doc.as_deref(), || format!("The state {}.", docs::code(&state.name)))];
    if let Some(parent) = state.parent {
        let parent = docs::code(&module.machine.path_name(parent));
        doc.push(if module.machine.is_initial(id) { format!("Where {parent} is entered.") } else { format!("Inside {parent}.") });
    }
    if state.terminal {
        doc.push("An outcome: the work has ended.".into());
    }
    if let Some(reason) = &state.inferred {
        doc.push(format!("Inferred: {}", docs::sentence(reason)));
    }
    Word { ident: module.states[id.index()].clone(), name, label: state.label.clone(), text: state.doc.clone(), doc, aliases: Vec::new() }
}

/// The inherent methods of `State` beyond its names.
fn expand_graph(module: &Module<'_>) -> TokenStream {
    let machine = module.machine;
    let initial = module.state(machine.default_leaf(machine.initial_top));
    let transitions = introspect::expand_transitions(module);
    let successors = expand_successors(module);
    let allows = expand_allows(module);
    let events = module.has_events().then(|| expand_permitted(module));
    let terminal: Vec<_> = module.leaves.iter().copied().filter(|id| machine.state(*id).terminal).collect();
    let last: Vec<_> = module.leaves.iter().copied().filter(|id| module.successors(*id).iter().all(|to| to == id)).collect();
    let terminal = expand_one_of(module, &terminal);
    let last = expand_one_of(module, &last);
    let nesting = (!module.composites.is_empty()).then(|| expand_nesting(module));
    let attributes = (0..machine.attributes.len()).map(|idx| expand_attribute(module, idx));
    let orders = orders::expand_comparators(module);
    let ends = fixed!(module.long, members(terminal, last) => {
        /// Whether this is an outcome: the work has ended, though there may be a way back.
        pub const fn is_terminal(self) -> bool {
            #terminal
        }

        /// Whether there is no way out.
        pub const fn is_final(self) -> bool {
            #last
        }
    });
    quote! {
        impl State {
            /// Where a machine starts.
            pub const INITIAL: State = #initial;

            #transitions
            #successors
            #allows
            #events

            #ends
            #nesting
            #(#attributes)*
            #orders
        }
    }
}

/// `matches!(self, State::A | State::B)`
fn expand_one_of(module: &Module<'_>, states: &[StateId]) -> TokenStream {
    let states_tokens = states.iter().map(|id| module.state(*id));
    match states.len() {
        0 => quote! { false },
        n_states if n_states == module.leaves.len() => quote! { true },
        _ => quote! { ::core::matches!(self, #(#states_tokens)|*) },
    }
}

fn expand_successors(module: &Module<'_>) -> TokenStream {
    let n_leaves = module.leaves.len();
    let lists: Vec<&[StateId]> = module.leaves.iter().map(|id| module.successors(*id)).collect();
    // A payload can lead anywhere from everywhere: that needs no table of its own.
    let anywhere = n_leaves > 1 && lists.iter().any(|it| it.len() == n_leaves);
    let (items, list) = if module.is_listed() && !anywhere {
        let places = |list: &&[StateId]| list.iter().map(|it| module.leaf_index(*it)).collect();
        listed::expand_lists(module, &quote! { State }, &lists.iter().map(places).collect::<Vec<_>>())
    } else {
        let lists = lists.iter().map(|list| match anywhere && list.len() == n_leaves {
            true => Element::word("&State::ALL"),
            false => Element::Slice(list.iter().map(|it| module.state_path(*it)).collect()),
        });
        expand_table("SUCCESSORS", module, &quote! { &[State] }, lists)
    };
    fixed!(module.long, members(items, list) => {
        /// The states that an edge leads to, guards aside.
        #[inline]
        pub const fn successors(self) -> &'static [State] {
            #items
            #list
        }
    })
}

/// A constant with a value for each state, and looking up that of `self`.
fn expand_table(
    name: &str,
    module: &Module<'_>,
    element: &TokenStream,
    values: impl Iterator<Item = Element>,
) -> (TokenStream, TokenStream) {
    let values = module.long.elements(values.collect());
    let (name, n_states, index) = (ident(name), number(module.leaves.len()), module.index_of(quote! { self }));
    (quote! { const #name: &[#element; #n_states] = &[#values]; }, quote! { #name[#index] })
}

/// One bit for each target, as long as they fit into a word.
fn expand_allows(module: &Module<'_>) -> TokenStream {
    let n_leaves = module.leaves.len();
    let n_states = number(n_leaves);
    let doc = docs::line("Whether an edge leads there, guards aside.");
    let Some(width) = [8, 16, 32, 64].into_iter().find(|width| n_leaves <= *width) else {
        return fixed!(module.long, members(doc) => {
            #doc
            pub fn allows(self, to: State) -> bool {
                self.successors().contains(&to)
            }
        });
    };
    let rows = module.leaves.iter().map(|from| {
        let bits = module.successors(*from).iter().fold(0u64, |bits, to| bits | 1 << module.leaf_index(*to));
        let digits: String = format!("{bits:0n_leaves$b}");
        binary_literal(&digits)
    });
    let word = ident(&format!("u{width}"));
    let (from, to) = (module.index_of(quote! { self }), module.word_of(quote! { to }));
    quote! {
        #doc
        #[inline]
        pub const fn allows(self, to: State) -> bool {
            // A row for each state; in it a bit for each target, the first one last.
            const ALLOWED: &[#word; #n_states] = &[#(#rows),*];
            ALLOWED[#from] >> #to & 1 == 1
        }
    }
}

/// `0b0110`, with `_` between groups of four.
fn binary_literal(digits: &str) -> TokenStream {
    let mut text = String::from("0b");
    for (idx, digit) in digits.chars().enumerate() {
        if idx > 0 && (digits.len() - idx).is_multiple_of(4) {
            text.push('_');
        }
        text.push(digit);
    }
    text.parse().unwrap_or_else(|_| RustLiteral::u64_unsuffixed(0).into_token_stream())
}

fn expand_permitted(module: &Module<'_>) -> TokenStream {
    let (items, list) = if module.is_listed() {
        let places = |id: &StateId| module.machine.events_in(*id).iter().map(|it| it.index()).collect();
        listed::expand_lists(module, &quote! { EventKind }, &module.leaves.iter().map(places).collect::<Vec<_>>())
    } else {
        let lists = module.leaves.iter().map(|id| {
            let events = module.machine.events_in(*id).into_iter().map(|it| module.event_path(it));
            Element::Slice(events.collect())
        });
        expand_table("PERMITTED", module, &quote! { &[EventKind] }, lists)
    };
    fixed!(module.long, members(items, list) => {
        /// The events that some edge takes here, guards aside.
        #[inline]
        pub const fn events(self) -> &'static [EventKind] {
            #items
            #list
        }
    })
}

fn expand_nesting(module: &Module<'_>) -> TokenStream {
    let machine = module.machine;
    let (n_states, index) = (number(module.leaves.len()), module.index_of(quote! { self }));
    let parents = module.leaves.iter().map(|id| match machine.state(*id).parent {
        Some(parent) => {
            let parent = &module.states[parent.index()];
            quote! { ::core::option::Option::Some(Composite::#parent) }
        }
        None => quote! { ::core::option::Option::None },
    });
    let paths = module.leaves.iter().map(|id| machine.path_name(*id));
    let arms = module.composites.iter().map(|whole| {
        let ident = &module.states[whole.index()];
        let leaves = module.leaves_in(*whole);
        let inside = expand_one_of(module, &leaves);
        quote! { Composite::#ident => #inside }
    });
    quote! {
        /// The innermost state around this one.
        pub const fn parent(self) -> ::core::option::Option<Composite> {
            const PARENTS: &[::core::option::Option<Composite>; #n_states] = &[#(#parents),*];
            PARENTS[#index]
        }

        /// The names of the states around this one and its own, outermost first.
        pub const fn path(self) -> &'static str {
            const PATHS: &[&str; #n_states] = &[#(#paths),*];
            PATHS[#index]
        }

        /// Whether this state lies inside another.
        pub const fn is_in(self, composite: Composite) -> bool {
            match composite {
                #(#arms,)*
            }
        }
    }
}

fn expand_attribute(module: &Module<'_>, idx: usize) -> TokenStream {
    let attribute = &module.machine.attributes[idx];
    let method = &module.attributes[idx];
    let (n_states, index) = (number(module.leaves.len()), module.index_of(quote! { self }));
    let ty = module.optional_ty(&attribute.ty, attribute.optional, Place::Static);
    let element = module.optional_ty(&attribute.ty, attribute.optional, Place::Table);
    let doc =
        docs::attributes(&[docs::sentence_or(attribute.doc.as_deref(), || format!("The attribute {}.", docs::code(&attribute.name)))]);
    let values = module.leaves.iter().map(|id| {
        let value = &module.machine.state(*id).attributes[idx];
        module.optional_literal(value, attribute.optional)
    });
    quote! {
        #doc
        pub const fn #method(self) -> #ty {
            const VALUES: &[#element; #n_states] = &[#(#values),*];
            VALUES[#index]
        }
    }
}

fn expand_composite(module: &Module<'_>) -> Option<TokenStream> {
    if module.composites.is_empty() {
        return None;
    }
    let machine = module.machine;
    let n_composites = number(module.composites.len());
    let vocabulary = Vocabulary {
        ident: ident("Composite"),
        kind: "composite state".into(),
        doc: vec!["States with states inside; a machine is in one of those.".into()],
        words: module.composites.iter().map(|id| word(module, *id, machine.state(*id).wire.clone())).collect(),
        ignore_case: false,
    };
    let vocabulary = module.expand_vocabulary(&vocabulary);
    let defaults = module.composites.iter().map(|id| module.state(machine.default_leaf(*id)));
    let parents = module.composites.iter().map(|id| match machine.state(*id).parent {
        Some(parent) => {
            let parent = &module.states[parent.index()];
            quote! { ::core::option::Option::Some(Composite::#parent) }
        }
        None => quote! { ::core::option::Option::None },
    });
    Some(quote! {
        #vocabulary

        impl Composite {
            /// The state that entering this one ends in.
            pub const fn default_state(self) -> State {
                const DEFAULTS: &[State; #n_composites] = &[#(#defaults),*];
                DEFAULTS[self as usize]
            }

            /// The innermost state around this one.
            pub const fn parent(self) -> ::core::option::Option<Composite> {
                const PARENTS: &[::core::option::Option<Composite>; #n_composites] = &[#(#parents),*];
                PARENTS[self as usize]
            }
        }
    })
}
