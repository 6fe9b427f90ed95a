//! Regions: the types of configurations, and the steps of machines that have them.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::arm::expand_arm;
use super::expr::Scope;
use super::{doc, number, steps};
use crate::ir::{Alternative, Arm, Configuration, Creation, Dispatch, Machine, Pattern, Reactions, Regions, Shape};

/// The types of configurations, and the traits of that of the machine.
pub(super) fn expand_configurations(m: &Machine) -> Option<TokenStream> {
    let regions = m.regions.as_ref()?;
    let types: TokenStream = regions.types.iter().map(|it| expand_type(m, it)).collect();
    let (methods, traits) = (expand_methods(m, regions), expand_traits(m, regions));
    Some(quote! { #types #methods #traits })
}

/// One type: an enum of states, or a struct of regions.
fn expand_type(m: &Machine, it: &Configuration) -> TokenStream {
    let (Type, vis, attributes, docs, own) = (&it.ident, &m.env.visibility, &m.env.attributes, doc(&it.doc), &it.attributes);
    let (serde, derive) = (m.env.serde_derive(false), quote! { #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)] });
    let definition = match &it.shape {
        Shape::OneOf { alternatives, .. } => {
            let variants = alternatives.iter().map(|it| {
                let (docs, variant, inside) = (doc(&it.doc), &it.variant, it.inside.as_ref().map(|it| quote! { (#it) }));
                let renamed = m.env.serde_names("", &it.name, &[]);
                quote! { #docs #renamed #variant #inside }
            });
            quote! { #vis enum #Type { #(#variants,)* } }
        }
        Shape::All(regions) => {
            let fields = regions.iter().map(|it| {
                let (docs, field, ty) = (doc(&it.doc), &it.field, &it.ty);
                let renamed = m.env.serde_names("", &it.name, &[]);
                quote! { #docs #renamed #vis #field: #ty }
            });
            quote! { #vis struct #Type { #(#fields,)* } }
        }
    };
    let (initial, of) = (expand_initial(it), expand_of(m, it));
    quote! {
        #docs
        #attributes
        #own
        #derive
        #serde
        #definition

        #attributes
        impl #Type {
            /// Where it starts.
            #vis const INITIAL: #Type = #initial;

            #of
        }
    }
}

fn expand_initial(it: &Configuration) -> TokenStream {
    let Type = &it.ident;
    match &it.shape {
        Shape::OneOf { initial: Alternative { variant, inside, .. }, .. } => {
            let inside = inside.as_ref().map(|it| quote! { (#it::INITIAL) });
            quote! { #Type::#variant #inside }
        }
        Shape::All(regions) => {
            let fields = regions.iter().map(|it| {
                let (field, ty) = (&it.field, &it.ty);
                quote! { #field: #ty::INITIAL }
            });
            quote! { #Type { #(#fields),* } }
        }
    }
}

/// `of_leaves`: the value with these active leaves.
fn expand_of(m: &Machine, it: &Configuration) -> TokenStream {
    let (Type, Leaf) = (&it.ident, &m.types.state);
    let body = match &it.shape {
        Shape::OneOf { alternatives, .. } => {
            let tried = alternatives.iter().map(|it| {
                let variant = &it.variant;
                match &it.inside {
                    None => quote! { if is_active(#Leaf::#variant) { return __Some(#Type::#variant); } },
                    Some(inside) => quote! {
                        if let __Some(inside) = #inside::of_leaves(is_active) { return __Some(#Type::#variant(inside)); }
                    },
                }
            });
            quote! { #(#tried)* __None }
        }
        Shape::All(regions) => {
            let fields = regions.iter().map(|it| {
                let (field, ty) = (&it.field, &it.ty);
                quote! { #field: #ty::of_leaves(is_active)? }
            });
            quote! { __Some(#Type { #(#fields),* }) }
        }
    };
    quote! {
        fn of_leaves(is_active: impl ::core::ops::Fn(#Leaf) -> bool + __Copy) -> __Option<Self> {
            #body
        }
    }
}

/// The pattern of a configuration in which a leaf is active, for each leaf.
fn patterns(regions: &Regions, ty: &Ident) -> Vec<(Ident, TokenStream)> {
    let Some(Configuration { ident: Type, shape, .. }) = regions.of_type(ty) else { return Vec::new() };
    match shape {
        Shape::OneOf { alternatives, .. } => {
            let of = |it: &Alternative| {
                let variant = &it.variant;
                match &it.inside {
                    None => vec![(variant.clone(), quote! { #Type::#variant })],
                    Some(inside) => {
                        patterns(regions, inside).into_iter().map(|(leaf, it)| (leaf, quote! { #Type::#variant(#it) })).collect()
                    }
                }
            };
            alternatives.iter().flat_map(of).collect()
        }
        Shape::All(fields) => {
            let inside = fields.iter().flat_map(|it| patterns(regions, &it.ty).into_iter().map(move |inside| (&it.field, inside)));
            inside.map(|(field, (leaf, it))| (leaf, quote! { #Type { #field: #it, .. } })).collect()
        }
    }
}

/// The methods of the machine's configurations.
fn expand_methods(m: &Machine, regions: &Regions) -> TokenStream {
    let (State, Leaf, EventKind, Composite) = (&m.types.configuration, &m.types.state, &m.types.event_kind, &m.types.composite);
    let (facade, vis, attributes) = (&m.env.facade, &m.env.visibility, &m.env.attributes);
    let active = patterns(regions, State).into_iter().map(|(leaf, pattern)| quote! { #Leaf::#leaf => __Matches!(self, #pattern), });
    let events = m.events.as_ref().map(|_| {
        quote! {
            /// The events that a transition accepts here, guards aside, in the order of the spec.
            #vis fn events(self) -> impl ::core::iter::Iterator<Item = #EventKind> + __Clone {
                #facade::Configuration::<#Leaf>::accepted(self)
            }
        }
    });
    quote! {
        #attributes
        impl #State {
            /// The active leaves, in the order of the spec.
            #vis fn leaves(self) -> impl ::core::iter::Iterator<Item = #Leaf> + __Clone {
                #Leaf::ALL.into_iter().filter(move |leaf| self.is_active(*leaf))
            }

            /// Whether this leaf is active.
            #vis const fn is_active(self, leaf: #Leaf) -> bool {
                match leaf {
                    #(#active)*
                }
            }

            /// Whether a leaf inside this state is active.
            #vis fn is_in(self, composite: #Composite) -> bool {
                self.leaves().any(|leaf| leaf.is_in(composite))
            }

            #events

            /// The leaves that a transition leads to from one of the active leaves, guards aside, in the order of the spec.
            #vis fn successors(self) -> impl ::core::iter::Iterator<Item = #Leaf> + __Clone {
                #facade::Configuration::<#Leaf>::reachable(self)
            }

            /// Whether a transition leads from one of the active leaves to this leaf, guards aside.
            #vis fn allows(self, to: #Leaf) -> bool {
                self.leaves().any(|leaf| leaf.allows(to))
            }

            /// Whether every active leaf is an outcome: the work has ended, although a transition may lead back.
            #vis fn is_terminal(self) -> bool {
                self.leaves().all(#Leaf::is_terminal)
            }
        }
    }
}

/// The traits of the machine's configurations: what generic code reads, and the text.
fn expand_traits(m: &Machine, regions: &Regions) -> TokenStream {
    let (State, Leaf, facade, attributes) = (&m.types.configuration, &m.types.state, &m.env.facade, &m.env.impl_attributes);
    let order = regions.order.iter().map(|it| m.node(*it));
    let list = regions.list.iter().map(|it| {
        let (node, starts) = (m.node(it.node), &it.starts);
        let of = it.of.map(|of| m.node(of)).map_or_else(|| quote! { __None }, |of| quote! { __Some(#of) });
        quote! { #facade::__private::Region { node: #node, of: #of, starts: &[#(#Leaf::#starts),*] } }
    });
    let may_complete = regions.may_complete.iter().map(|(node, composite)| m.completion(*node, composite));
    quote! {
        #attributes
        impl #facade::Configuration<#Leaf> for #State {
            fn leaves(self) -> impl ::core::iter::Iterator<Item = #Leaf> + __Clone {
                #State::leaves(self)
            }

            fn is_active(self, leaf: #Leaf) -> bool {
                #State::is_active(self, leaf)
            }
        }

        #attributes
        impl #facade::__private::Regions<#Leaf> for #State {
            const ORDER: &'static [u32] = &[#(#order),*];
            const REGIONS: &'static [#facade::__private::Region<#Leaf>] = &[#(#list),*];
            const MAY_COMPLETE: &'static [(u32, u32)] = &[#(#may_complete),*];

            fn of(is_active: impl ::core::ops::Fn(#Leaf) -> bool + __Copy) -> __Option<Self> {
                #State::of_leaves(is_active)
            }
        }

        /// The names of the active leaves with `+` between them.
        #attributes
        impl ::core::fmt::Display for #State {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::fmt::Display::fmt(&#facade::__private::names::<#Leaf>(*self), f)
            }
        }

        /// Reads what `Display` writes: each active leaf once, in the order of the spec.
        #attributes
        impl ::core::str::FromStr for #State {
            type Err = #facade::NoConfiguration<#Leaf>;

            fn from_str(text: &str) -> __Result<Self, #facade::NoConfiguration<#Leaf>> {
                #facade::__private::parse(text)
            }
        }
    }
}

/// The type of the steps of one change.
pub(super) fn expand_steps_ty(m: &Machine) -> TokenStream {
    let (State, Leaf, facade, n_steps) = (&m.types.configuration, &m.types.state, &m.env.facade, number(m.graph.n_steps));
    match &m.regions {
        None => quote! { [#facade::Step<#Leaf>; #n_steps] },
        Some(regions) => {
            let (n_active, n_words) = (number(regions.n_active), number(regions.n_words()));
            quote! { #facade::__private::Microsteps<#Leaf, #State, #n_steps, #n_active, #n_words> }
        }
    }
}

/// The body that finds the step of `event`.
pub(super) fn expand_decision(m: &Machine, regions: &Regions, dispatch: &Dispatch) -> TokenStream {
    let (Refused, state) = (&m.types.refused, m.state_of(&quote! { self }));
    let others = (!dispatch.total).then(|| expand_none(m));
    let chosen = expand_chosen(m, regions, &dispatch.arms, &quote! { (leaf, *event) }, others);
    let fits = steps::expand_fits_call(m, &quote! { self }, &quote! { event }, &quote! { out_of_range });
    expand_microstep(m, chosen, &quote! { #Refused::of_event(__Some(#state), event.kind(), reason, row) }, fits)
}

/// The body that finds the direct transition to the leaf `to`.
pub(super) fn expand_direct(m: &Machine, regions: &Regions, dispatch: &Dispatch) -> TokenStream {
    let (Refused, state) = (&m.types.refused, m.state_of(&quote! { self }));
    let others = (!dispatch.total).then(|| expand_none(m));
    let chosen = expand_chosen(m, regions, &dispatch.arms, &quote! { (leaf, to) }, others);
    let fits = steps::expand_direct_fits(m, &quote! { out_of_range });
    expand_microstep(m, chosen, &quote! { #Refused::of_direct(#state, to, reason, row) }, fits)
}

/// The body that finds the step that the machine takes by itself for `cause`.
pub(super) fn expand_reaction(m: &Machine, regions: &Regions, reactions: &Reactions) -> TokenStream {
    let (Refused, Leaf, State, state) = (&m.types.refused, &m.types.state, &m.types.configuration, m.state_of(&quote! { self }));
    let (facade, Cause) = (&m.env.facade, m.env.cause());
    let chosen = expand_chosen(m, regions, &reactions.arms, &quote! { (leaf, cause) }, Some(expand_none(m)));
    let fits = steps::expand_direct_fits(m, &quote! { out_of_range });
    // Nobody asked for it, so nobody sees this refusal.
    let refused = quote! { #Refused::of_direct(#state, #Leaf::INITIAL, reason, row) };
    let microstep = expand_microstep(m, chosen, &refused, fits);
    let waits = reactions.arms.iter().any(|arm| matches!(arm.pattern, Pattern::Done(..)));
    let is_over = waits.then(|| {
        quote! {
            // A parallel state that is no longer done when its turn comes has been left, or one of its regions goes on.
            if let #Cause::Done(done) = cause && !#facade::__private::is_done::<#Leaf, #State>(#state, done) {
                let (reason, row) = (#facade::Reason::NoTransition, __None);
                return __Err(#refused);
            }
        }
    });
    quote! { #is_over #microstep }
}

/// The statement that finds the step of `event` at creation.
pub(super) fn expand_creation(m: &Machine, regions: &Regions, creation: &Creation) -> TokenStream {
    let (Refused, facade) = (&m.types.refused, &m.env.facade);
    let scope = m.scope(&quote! { machine }, quote! { &event });
    let others = creation.partial.then(|| expand_none(m));
    let found = expand_match(m, &creation.arms, &scope, &quote! { event }, others);
    let choice = expand_checked(m, regions, &creation.arms, found);
    let (_, import) = m.env.choice();
    quote! {
        #import
        let step = #facade::__private::create(#choice)
            .map_err(|none| none.refused(|reason, row| #Refused::of_event(__None, event.kind(), reason, row)))?;
    }
}

/// `_ => Choice::NoTransition,`
fn expand_none(m: &Machine) -> TokenStream {
    let Choice = m.env.choice().0;
    quote! { _ => #Choice::NoTransition, }
}

/// The function from a leaf to what it chooses.
fn expand_chosen(m: &Machine, regions: &Regions, arms: &[Arm], subject: &TokenStream, others: Option<TokenStream>) -> TokenStream {
    let Leaf = &m.types.state;
    let scope = m.scope(&quote! { self }, quote! { event });
    let found = expand_match(m, arms, &scope, subject, others);
    let choice = expand_checked(m, regions, arms, found);
    quote! { |leaf: #Leaf| #choice }
}

fn expand_match(m: &Machine, arms: &[Arm], scope: &Scope<'_>, subject: &TokenStream, others: Option<TokenStream>) -> TokenStream {
    let Choice = m.env.choice().0;
    let arms = arms.iter().map(|arm| expand_arm(m, arm, scope, &Choice));
    quote! { match #subject { #(#arms)* #others } }
}

/// What is chosen, where a guard may convert a value.
fn expand_checked(m: &Machine, regions: &Regions, arms: &[Arm], found: TokenStream) -> TokenStream {
    if !arms.iter().any(Arm::converts) {
        return found;
    }
    let (Choice, Leaf, facade, n_active) = (m.env.choice().0, &m.types.state, &m.env.facade, number(regions.n_active));
    quote! {{
        let find = || -> __Result<#Choice<#Leaf, #n_active>, #facade::OutOfRange> { __Ok(#found) };
        find().unwrap_or_else(#Choice::OutOfRange)
    }}
}

/// The step of what the active leaves choose; `refused` is made of `reason` and `row`.
fn expand_microstep(m: &Machine, chosen: TokenStream, refused: &TokenStream, fits: Option<TokenStream>) -> TokenStream {
    let (facade, state) = (&m.env.facade, m.state_of(&quote! { self }));
    let found = quote! { #facade::__private::microstep(#state, #chosen).map_err(|none| none.refused(|reason, row| #refused)) };
    let (_, import) = m.env.choice();
    match fits {
        None => quote! { #import #found },
        Some(fits) => quote! {
            #import
            let step = #found?;
            let out_of_range = |error| {
                let (reason, row) = (#facade::Reason::OutOfRange, __None);
                #refused.out_of_range(error)
            };
            #fits
            __Ok(step)
        },
    }
}
