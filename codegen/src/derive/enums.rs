//! The user's enum: its variants are the states.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::ext::IdentExt;
use syn::{DataEnum, DeriveInput, Expr, ExprLit, Fields, Lit, LitStr, Variant};

use super::Context;
use super::errors::Errors;
use super::options::{machine_attributes, unknown};
use crate::backend::rust::form::{Form, OwnEnum};
use crate::diagnostic::suggest;
use crate::model::StateId;
use crate::names::{snake, upper_camel};

/// Holds the variants against the states, both ways.
pub(super) fn form(context: &Context<'_>, input: &DeriveInput, data: &DataEnum, errors: &mut Errors) -> (Form, TokenStream) {
    if !input.generics.params.is_empty() {
        errors.at(&input.generics, "a state has no parameters");
    }
    let machine = context.machine;
    let leaves: Vec<StateId> = machine.leaves().collect();
    let mut variants: Vec<Option<(&Variant, usize)>> = vec![None; leaves.len()];
    for (idx, variant) in data.variants.iter().enumerate() {
        if !matches!(variant.fields, Fields::Unit) {
            errors.at(&variant.fields, "a state holds no data: put it into a struct beside the state");
        }
        let names = Names::read(variant, errors);
        match leaves.iter().position(|leaf| names.mean(&machine.state(*leaf).name, &machine.state(*leaf).wire)) {
            None => unknown_state(context, variant, &names, errors),
            Some(place) => match variants[place] {
                Some((first, _)) => {
                    let message = format!("the state `{}` has a variant already, `{}`", machine.state(leaves[place]).name, first.ident);
                    errors.at(variant, message);
                }
                None => variants[place] = Some((variant, idx)),
            },
        }
    }
    for (leaf, _) in leaves.iter().zip(&variants).filter(|(_, variant)| variant.is_none()) {
        let state = machine.state(*leaf);
        let place = context.location(state.span);
        errors.at(&input.ident, format!("the state `{}` at {place} has no variant: add `{}`", state.name, upper_camel(&state.name)));
    }
    let in_order =
        variants.iter().enumerate().all(|(place, variant)| variant.is_some_and(|(variant, idx)| idx == place && counts(variant, place)));
    let idents = leaves.iter().zip(&variants).map(|(leaf, variant)| match variant {
        Some((variant, _)) => variant.ident.clone(),
        None => crate::names::ident(&upper_camel(&machine.state(*leaf).name)),
    });
    (Form::Enum(OwnEnum { variants: idents.collect(), in_order }), quote! {})
}

/// Whether `as usize` yields the position: there is no discriminant, or it says just that.
fn counts(variant: &Variant, place: usize) -> bool {
    match &variant.discriminant {
        None => true,
        Some((_, Expr::Lit(ExprLit { lit: Lit::Int(it), .. }))) => it.base10_parse::<usize>().is_ok_and(|it| it == place),
        Some(_) => false,
    }
}

/// What a variant is called.
struct Names {
    ident: Ident,
    given: Option<String>,
}

impl Names {
    fn read(variant: &Variant, errors: &mut Errors) -> Names {
        let mut names = Names { ident: variant.ident.unraw(), given: None };
        for attribute in machine_attributes(&variant.attrs) {
            let read = attribute.parse_nested_meta(|meta| {
                if meta.path.is_ident("rename") {
                    names.given = Some(meta.value()?.parse::<LitStr>()?.value());
                    return Ok(());
                }
                let name = meta.path.get_ident().cloned().unwrap_or_else(|| crate::names::ident("_"));
                Err(unknown(&name, "option of a variant", ["rename"].into_iter()))
            });
            if let Err(error) = read {
                errors.push(error);
            }
        }
        names
    }

    /// Whether this is what the spec calls a state.
    fn mean(&self, name: &str, wire: &str) -> bool {
        match &self.given {
            Some(given) => given == name || given == wire,
            None => self.ident == upper_camel(name) || snake(&self.ident.to_string()) == snake(name),
        }
    }
}

fn unknown_state(context: &Context<'_>, variant: &Variant, names: &Names, errors: &mut Errors) {
    let machine = context.machine;
    let given = names.given.clone().unwrap_or_else(|| snake(&names.ident.to_string()));
    let composite = machine.composites().find(|id| names.mean(&machine.state(*id).name, &machine.state(*id).wire));
    if let Some(id) = composite {
        let inside: Vec<String> = machine.state(id).children.iter().map(|it| format!("`{}`", machine.state(*it).name)).collect();
        let place = context.location(machine.state(id).span);
        errors.at(variant, format!("`{given}` at {place} has states inside: a machine is in one of those, {}", inside.join(", ")));
        return;
    }
    let known = machine.leaves().map(|it| machine.state(it).name.as_str());
    let help = suggest(&given, known.collect::<Vec<_>>()).map_or_else(String::new, |it| format!("; {it}"));
    let place = context.location(machine.span);
    errors.at(variant, format!("the machine at {place} has no state `{given}`{help}"));
}
