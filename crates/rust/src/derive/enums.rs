//! The user's enum: its variants are the states.

use proc_macro2::Ident;
use quote::quote;
use statespec_lang::diagnostic::suggest;
use statespec_lang::model::StateId;
use statespec_lang::model::machine::State;
use statespec_lang::names::{ident, snake, upper_camel};
use syn::ext::IdentExt;
use syn::{Attribute, DataEnum, DeriveInput, Expr, ExprLit, Fields, Lit, LitStr, Variant};

use super::errors::Errors;
use super::foreign::{Given, LIBRARIES, RULES, cased, given};
use super::options::{machine_attributes, unknown};
use super::{Context, Held};
use crate::ir::{Form, OwnEnum};
use crate::lower::leaf_variants;

/// Compares the variants with the states, in both directions.
pub(super) fn form(context: &Context<'_>, input: &DeriveInput, data: &DataEnum, errors: &mut Errors) -> Held {
    if !input.generics.params.is_empty() {
        errors.at(&input.generics, "a state has no parameters");
        return None;
    }
    let machine = context.machine;
    let leaves: Vec<StateId> = machine.leaves().collect();
    // Each spelling is computed once: every variant is compared with every state.
    let spellings: Vec<Spelling> = leaves.iter().map(|leaf| Spelling::of(machine.state(*leaf))).collect();
    let mut variants: Vec<Option<(&Variant, usize)>> = vec![None; leaves.len()];
    let mut drifting = Vec::new();
    for (idx, variant) in data.variants.iter().enumerate() {
        if !matches!(variant.fields, Fields::Unit) {
            errors.at(&variant.fields, "a state holds no data: put it into a struct beside the state");
        }
        let names = Names::read(&input.attrs, variant, errors);
        let Some(place) = spellings.iter().position(|it| names.mean(it)) else {
            unknown_state(context, variant, &names, errors);
            continue;
        };
        let state = machine.state(leaves[place]);
        if let Some((first, _)) = variants[place] {
            errors.at(&variant.ident, format!("the state `{}` has a variant already, `{}`", state.name, first.ident));
            continue;
        }
        variants[place] = Some((variant, idx));
        if !context.options.foreign_names {
            let (own, ruled): (Vec<_>, Vec<_>) = names.foreign.into_iter().filter(|it| it.name != state.wire).partition(|it| it.is_own);
            own.iter().for_each(|it| drifted(context, &[(it, &variant.ident, state)], "", errors));
            drifting.extend(ruled.into_iter().map(|it| (it, &variant.ident, state)));
        }
    }
    rules_that_drifted(context, &drifting, data, &variants, &leaves, errors);
    for (leaf, _) in leaves.iter().zip(&variants).filter(|(_, variant)| variant.is_none()) {
        let state = machine.state(*leaf);
        let place = context.location(state.span);
        errors.at(&input.ident, format!("the state `{}` at {place} has no variant: add `{}`", state.name, upper_camel(&state.name)));
    }
    let in_place =
        |(place, found): (usize, &Option<(&Variant, usize)>)| found.is_some_and(|(variant, idx)| idx == place && counts(variant, place));
    let in_order = variants.iter().enumerate().all(in_place);
    let idents = leaves.iter().zip(&variants).map(|(leaf, variant)| match variant {
        Some((variant, _)) => variant.ident.clone(),
        // Already reported: any variant replaces a missing one.
        None => data.variants.first().map_or_else(|| ident(&upper_camel(&machine.state(*leaf).name)), |it| it.ident.clone()),
    });
    let idents: Vec<Ident> = idents.collect();
    if let (Some(option), true) = (&context.options.context, machine.fields.is_empty()) {
        errors.at(option, "this machine has no context: the enum is the machine, and has `apply` without this option");
    }
    // Only a struct of the user needs other names, and without a context there is none.
    let usual = if machine.fields.is_empty() || context.options.context.is_some() { Vec::new() } else { leaf_variants(machine) };
    let is_other = |(usual, _): &(Ident, Ident)| !data.variants.iter().any(|it| it.ident == *usual);
    let other_names = usual.into_iter().zip(idents.iter().cloned()).filter(is_other).collect();
    let reference = context.options.reference.as_ref().map(|it| quote! { #it });
    let own = OwnEnum { variants: idents, in_order, reference, other_names };
    Some((if context.options.context.is_some() { Form::Around(own) } else { Form::Enum(own) }, quote! {}))
}

/// A name for another derive that is not the one under which the spec stores the state.
type Drifted<'a> = (&'a Given, &'a Ident, &'a State);

/// One error for each attribute that names all variants by a rule.
fn rules_that_drifted(
    context: &Context<'_>,
    drifting: &[(Given, &Ident, &State)],
    data: &DataEnum,
    variants: &[Option<(&Variant, usize)>],
    leaves: &[StateId],
    errors: &mut Errors,
) {
    for library in LIBRARIES.iter().map(|it| it.name) {
        let of_library: Vec<Drifted<'_>> =
            drifting.iter().filter(|it| it.0.library == library).map(|(given, ident, state)| (given, *ident, *state)).collect();
        // The rule that gives every state its name, if there is one.
        let stored = || leaves.iter().zip(variants).filter_map(|(leaf, it)| Some((it.as_ref()?.0, context.machine.state(*leaf))));
        let fits =
            |rule: &&&str| stored().all(|(it, state)| cased(library, rule, &it.ident.unraw().to_string()).as_ref() == Some(&state.wire));
        let help =
            RULES.iter().find(fits).filter(|_| data.variants.len() > 1).map(|rule| format!("write `\"{rule}\"`, or ")).unwrap_or_default();
        if !of_library.is_empty() {
            drifted(context, &of_library, &help, errors);
        }
    }
}

fn drifted(context: &Context<'_>, drifted: &[Drifted<'_>], help: &str, errors: &mut Errors) {
    let [(given, ident, state), others @ ..] = drifted else { return };
    let (library, name, wire, place) = (given.library, &given.name, &state.wire, context.location(state.span));
    let more = match others.len() {
        0 => String::new(),
        1 => ", and so with one other variant".to_owned(),
        n_others => format!(", and so with {n_others} other variants"),
    };
    let message = format!(
        "{library} calls `{ident}` `{name}`, the spec stores it as `{wire}` ({place}){more}: {help}use one name, or say `foreign_names` in `#[machine(…)]`"
    );
    errors.at(&given.at, message);
}

/// Whether `as usize` yields the position: there is no discriminant, or it is equal to the position.
fn counts(variant: &Variant, place: usize) -> bool {
    match &variant.discriminant {
        None => true,
        Some((_, Expr::Lit(ExprLit { lit: Lit::Int(it), .. }))) => it.base10_parse::<usize>().is_ok_and(|it| it == place),
        Some(_) => false,
    }
}

/// The names of a variant.
struct Names {
    name: String,
    /// The name in snake case.
    snake: String,
    /// `#[machine(rename = "…")]`
    given: Option<String>,
    /// The names given for other derives.
    foreign: Vec<Given>,
}

impl Names {
    fn read(outer: &[Attribute], variant: &Variant, errors: &mut Errors) -> Names {
        let name = variant.ident.unraw().to_string();
        let foreign = given(outer, &variant.attrs, &name);
        let mut names = Names { snake: snake(&name), name, given: None, foreign };
        for attribute in machine_attributes(&variant.attrs) {
            let read = attribute.parse_nested_meta(|meta| {
                if meta.path.is_ident("rename") {
                    names.given = Some(meta.value()?.parse::<LitStr>()?.value());
                    return Ok(());
                }
                let name = meta.path.get_ident().cloned().unwrap_or_else(|| ident("_"));
                Err(unknown(&name, "option of a variant", ["rename"].into_iter()))
            });
            if let Err(error) = read {
                errors.push(error);
            }
        }
        names
    }

    /// Whether the variant matches a state of the spec: by our attribute, else by a name given
    /// for another derive, else by its own name.
    fn mean(&self, spelling: &Spelling<'_>) -> bool {
        let is_it = |name: &str| name == spelling.state.name || name == spelling.state.wire;
        if let Some(given) = &self.given {
            return is_it(given);
        }
        let own = self.name == spelling.camel || self.snake == spelling.snake;
        own || self.foreign.iter().any(|it| it.is_own && is_it(&it.name))
    }
}

/// A state, and the possible spellings of its name as a variant.
struct Spelling<'m> {
    state: &'m State,
    camel: String,
    snake: String,
}

impl<'m> Spelling<'m> {
    fn of(state: &'m State) -> Self {
        Spelling { state, camel: upper_camel(&state.name), snake: snake(&state.name) }
    }
}

fn unknown_state(context: &Context<'_>, variant: &Variant, names: &Names, errors: &mut Errors) {
    let machine = context.machine;
    let given = names.given.clone().unwrap_or_else(|| names.snake.clone());
    let composite = machine.composites().find(|id| names.mean(&Spelling::of(machine.state(*id))));
    if let Some(id) = composite {
        let inside: Vec<String> = machine.state(id).children.iter().map(|it| format!("`{}`", machine.state(*it).name)).collect();
        let place = context.location(machine.state(id).span);
        errors.at(&variant.ident, format!("`{given}` at {place} has states inside: a machine is in one of those, {}", inside.join(", ")));
        return;
    }
    let known = machine.leaves().map(|it| machine.state(it).name.as_str());
    let help = suggest(&given, known.collect::<Vec<_>>()).map_or_else(String::new, |it| format!("; {it}"));
    let place = context.location(machine.span);
    errors.at(&variant.ident, format!("the machine at {place} has no state `{given}`{help}"));
}
