//! The rows of the spec: their names, and their data.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::{doc_line, number};
use crate::ir::{Machine, Row, Source, Target, Trigger};

/// The names of the rows.
pub(super) fn expand_rows(m: &Machine) -> TokenStream {
    if m.rows.named && !m.rows.list.is_empty() { expand_names(m) } else { expand_numbers(m) }
}

/// `enum Row`, with the row in words as the doc of each variant.
fn expand_names(m: &Machine) -> TokenStream {
    let (Row, facade, vis, attributes) = (&m.types.row, &m.env.facade, &m.env.visibility, &m.env.attributes);
    let variants = m.rows.list.iter().map(|row| {
        let (docs, ident) = (doc_line(&row.words), &row.ident);
        quote! { #docs #ident }
    });
    let idents = m.rows.list.iter().map(|it| &it.ident);
    let n_rows = number(m.rows.list.len());
    quote! {
        /// The rows of the spec, in its order.
        #attributes
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #vis enum #Row {
            #(#variants,)*
        }

        #facade::__row!(#vis #Row, #n_rows, [#(#idents),*]);
    }
}

/// The names of the rows that code refers to, if there are too many rows for individual names.
fn expand_numbers(m: &Machine) -> TokenStream {
    let (Row, facade, vis, attributes) = (&m.types.row, &m.env.facade, &m.env.visibility, &m.env.attributes);
    let referred = m.rows.list.iter().enumerate().filter(|(_, row)| row.referred && !m.rows.named);
    let constants = referred.map(|(position, row)| {
        let (docs, ident, position) = (doc_line(&row.words), &row.ident, number(position));
        quote! { #docs #attributes const #ident: #Row = #Row::at(#position); }
    });
    quote! {
        /// A row of the spec, by its position.
        #attributes
        #vis type #Row = #facade::RowNumber;

        #(#constants)*
    }
}

/// `State::transitions`: a line for each row; in a large machine, a text in the format of the façade's module `packed`.
pub(super) fn expand_transitions(m: &Machine) -> TokenStream {
    let (State, facade, vis) = (&m.types.state, &m.env.facade, &m.env.visibility);
    let body = if m.rows.named { expand_list(m) } else { expand_packed(m) };
    quote! {
        /// The rows of the spec as data, in its order.
        #vis const fn transitions() -> &'static [#facade::Transition<#State>] {
            #body
        }
    }
}

fn expand_list(m: &Machine) -> TokenStream {
    let (State, facade) = (&m.types.state, &m.env.facade);
    let rows = m.rows.list.iter().map(|row| expand_row(m, row));
    let imports = expand_imports(m, m.rows.list.iter());
    quote! {
        #imports
        const ROWS: &[#facade::Transition<#State>] = &[#(#rows),*];
        ROWS
    }
}

fn expand_packed(m: &Machine) -> TokenStream {
    let (State, EventKind, facade) = (&m.types.state, &m.types.event_kind, &m.env.facade);
    let mut text = String::new();
    m.rows.list.iter().filter_map(|row| row.plain).for_each(|positions| {
        text.push('\n');
        positions.iter().for_each(|it| text.push_str(&format!("{it:5}")));
    });
    let others = || m.rows.list.iter().enumerate().filter(|(_, row)| row.plain.is_none());
    let imports = expand_imports(m, others().map(|(_, row)| row));
    let others = others().map(|(position, row)| {
        let (position, row) = (number(position), expand_row(m, row));
        quote! { (#position, #row) }
    });
    let events = if m.events.is_some() {
        quote! { &#EventKind::ALL }
    } else {
        quote! { &[] }
    };
    let n_rows = number(m.rows.list.len());
    quote! {
        #imports
        #facade::__packed_rows!(#State, #events, #n_rows, #text, [#(#others),*])
    }
}

/// Short names for the rows: only states, events and effects are in the same scope.
fn expand_imports<'m>(m: &Machine, mut rows: impl Iterator<Item = &'m Row> + Clone) -> Option<TokenStream> {
    let facade = &m.env.facade;
    let names = match (rows.clone().next().is_some(), rows.any(|it| !it.is_short())) {
        (false, _) => return None,
        (true, false) => quote! { Transition },
        (true, true) => quote! { {Source, Target, Transition, Trigger} },
    };
    m.env.in_file.then(|| quote! { use #facade::#names; })
}

impl Row {
    /// Whether the row has one source leaf, one target leaf and one event.
    fn is_short(&self) -> bool {
        matches!((&self.source, &self.trigger, &self.target), (Source::Leaf(_), Trigger::Event(_), Target::To(_)))
    }
}

/// The names of the façade's items that rows use.
struct Names {
    source: TokenStream,
    target: TokenStream,
    transition: TokenStream,
    trigger: TokenStream,
}

impl Names {
    fn of(m: &Machine) -> Self {
        let name = |name: &str| {
            let (facade, name) = (&m.env.facade, statespec_lang::names::ident(name));
            if m.env.in_file {
                quote! { #name }
            } else {
                quote! { #facade::#name }
            }
        };
        Names { source: name("Source"), target: name("Target"), transition: name("Transition"), trigger: name("Trigger") }
    }
}

fn expand_row(m: &Machine, row: &Row) -> TokenStream {
    let (State, EventKind, EffectKind) = (&m.types.state, &m.types.event_kind, &m.types.effect_kind);
    let names = Names::of(m);
    let Transition = &names.transition;
    let new = match (&row.source, &row.trigger, &row.target) {
        (Source::Leaf(from), Trigger::Event(event), Target::To(to)) => {
            quote! { #Transition::new(#State::#from, #EventKind::#event, #State::#to) }
        }
        (source, trigger, target) => {
            let source = expand_source(m, source, &names.source);
            let trigger = expand_trigger(m, trigger, &names.trigger);
            let target = expand_target(m, target, &names.target);
            quote! { #Transition::of(#source, #trigger, #target) }
        }
    };
    let effects = |method: &str, effects: &[Ident]| {
        let method = statespec_lang::names::ident(method);
        (!effects.is_empty()).then(|| quote! { .#method(&[#(#EffectKind::#effects),*]) })
    };
    let text = |method: &str, text: &Option<String>| {
        let method = statespec_lang::names::ident(method);
        text.as_ref().map(|text| quote! { .#method(#text) })
    };
    let (guard, before, after) =
        (text("with_guard", &row.guard), effects("with_before", &row.before), effects("with_effects", &row.effects));
    let raise = (!row.raise.is_empty()).then(|| {
        let raised = &row.raise;
        quote! { .with_raised(&[#(#EventKind::#raised),*]) }
    });
    let reenter = row.reenter.map(|node| {
        let node = m.node(node);
        quote! { .with_reenter(#node) }
    });
    let commit = row.commit.map(|method| {
        let method = statespec_lang::names::ident(method);
        quote! { .#method() }
    });
    let (label, doc, inferred) = (text("with_label", &row.label), text("with_doc", &row.doc), text("with_inferred", &row.inferred));
    quote! { #new #guard #before #after #raise #reenter #commit #label #doc #inferred }
}

fn expand_source(m: &Machine, source: &Source, ty: &TokenStream) -> TokenStream {
    let State = &m.types.state;
    match source {
        Source::Creation => quote! { #ty::Creation },
        Source::Leaf(leaf) => quote! { #ty::Leaf(#State::#leaf) },
        Source::In(leaves) => quote! { #ty::In(&[#(#State::#leaves),*]) },
        Source::AnyBut(leaves) => quote! { #ty::AnyBut(&[#(#State::#leaves),*]) },
    }
}

fn expand_trigger(m: &Machine, trigger: &Trigger, ty: &TokenStream) -> TokenStream {
    let EventKind = &m.types.event_kind;
    match trigger {
        Trigger::Direct => quote! { #ty::Direct },
        Trigger::Automatic => quote! { #ty::Automatic },
        Trigger::Done => quote! { #ty::Done },
        Trigger::Event(event) => quote! { #ty::Event(#EventKind::#event) },
        Trigger::AnyOf(events) => quote! { #ty::AnyOf(&[#(#EventKind::#events),*]) },
    }
}

fn expand_target(m: &Machine, target: &Target, ty: &TokenStream) -> TokenStream {
    let State = &m.types.state;
    match target {
        Target::Stay => quote! { #ty::Stay },
        Target::To(leaf) => quote! { #ty::To(#State::#leaf) },
        Target::OneOf(leaves) => quote! { #ty::OneOf(&[#(#State::#leaves),*]) },
        Target::All(leaves) => quote! { #ty::All(&[#(#State::#leaves),*]) },
        Target::Payload(field) => quote! { #ty::Payload(#field) },
        Target::History(default) => quote! { #ty::History(#State::#default) },
        Target::Refuse(text) => quote! { #ty::Refuse(#text) },
    }
}
