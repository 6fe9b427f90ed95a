//! The user's struct: its fields are the context.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use statespec_lang::diagnostic::nearest;
use statespec_lang::model::machine::Field;
use statespec_lang::model::{Literal, Type};
use statespec_lang::names::snake;
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{DataStruct, DeriveInput, Fields, GenericArgument, LitStr, PathArguments, Type as RustType};

use super::errors::Errors;
use super::generics::{angled, own_generics, parameter_in};
use super::options::{Options, machine_attributes, unknown};
use super::types;
use super::{Context, Held};
use crate::ir::{Form, HeldField, OwnStruct};
use crate::lower::held::{held_type, integer_fits};
use crate::lower::{docs, leaf_variants};

/// Compares the fields with the context; returns the checks that are left to the compiler.
pub(super) fn form(context: &Context<'_>, input: &DeriveInput, data: &DataStruct, errors: &mut Errors) -> Held {
    let Fields::Named(named) = &data.fields else {
        errors.at(&input.ident, "a machine is a struct with named fields: one for the state, and one for each field of the context");
        return None;
    };
    let fields: Vec<Own<'_>> = named.named.iter().filter_map(|field| Own::read(field, errors)).collect();
    let state = find_state(context, input, &fields, errors);
    let mut checks = Vec::new();
    if let Some(state) = state {
        check_state(context, state, &mut checks, errors);
    }
    if context.machine.has_regions() {
        several_states(context, state, errors);
    }
    let own_generics = own_generics(&input.generics, errors);
    let (mut found, mut held) = (Vec::new(), Vec::new());
    for declared in &context.machine.fields {
        let own = fields.iter().find(|it| !is_same(Some(*it), state) && (it.name == declared.name || it.name == snake(&declared.name)));
        match own {
            Some(own) => {
                if let Some(parameter) = parameter_in(own.ty, &input.generics) {
                    errors.at(own.ty, format!("a field of the spec cannot have the parameter `{parameter}` in its type"));
                }
                held.push(check_type(context, declared, own, &mut checks, errors));
                found.push((declared, Some(own)));
            }
            None => {
                held.push(None);
                found.push((declared, missing(context, input, declared, &fields, errors)));
            }
        }
    }
    let is_own = |it: &&Own<'_>| !is_same(Some(*it), state) && !found.iter().any(|(_, own)| is_same(*own, Some(*it)));
    let own = fields.iter().filter(is_own).map(|it| (it.ident.clone(), type_tokens(it.ty))).collect();
    let reference = reference(context, &found, errors);
    let form = OwnStruct {
        state: state.map_or_else(|| format_ident!("state"), |it| it.ident.clone()),
        fields: found
            .iter()
            .map(|(field, own)| own.map_or_else(|| statespec_lang::names::ident(&snake(&field.name)), |it| it.ident.clone()))
            .collect(),
        held,
        reference,
        own,
        generics: own_generics.clone(),
        own_states: context.names.has_own_states,
    };
    if let (Some(option), true) = (&context.options.typestate, !input.generics.params.is_empty()) {
        errors.at(option, "a struct with parameters has no type for each state: remove this option");
    }
    let (machine, (parameters, arguments)) = (&input.ident, angled(&own_generics));
    let follows = context.names.has_own_states.then(|| check_own_states(context, state, errors)).flatten();
    let facade = context.options.facade.tokens();
    let checks = checks.into_iter().map(|Check { field, ty, wanted }| {
        // Type aliases work: the compiler compares the types.
        match &wanted {
            Wanted::Is(expected) if parameters.is_empty() => {
                quote_spanned! { ty.span() => const _: fn(&#machine) -> &#expected = |it| &it.#field; }
            }
            Wanted::Is(expected) => {
                let own = &own_generics.parameters;
                quote_spanned! { ty.span() =>
                    const _: () = {
                        #[allow(dead_code)]
                        fn check<'check, #own>(it: &'check #machine #arguments) -> &'check #expected { &it.#field }
                    };
                }
            }
            Wanted::Alias(own, value) => {
                quote! { const _: fn(#own) -> #value = <#own as #facade::__private::Is<#value>>::load_field; }
            }
            Wanted::Held(own, value) => {
                quote! { const _: fn(#own) -> ::core::option::Option<#value> = <#own as #facade::Holds<#value>>::load; }
            }
        }
    });
    Some((Form::Struct(form), quote! { #(#checks)* #follows }))
}

/// Reports what a machine with regions cannot have, since it may be in several states at once.
fn several_states(context: &Context<'_>, state: Option<&Own<'_>>, errors: &mut Errors) {
    let machine = docs::one(&context.machine.name);
    if let (Some(state), true) = (state, context.names.has_own_states) {
        let message =
            format!("{machine} may be in several states at once: remove `#[machine(state)]`, and use the type that this derive emits");
        errors.at(state.ty, message);
    }
    if let Some(option) = &context.options.typestate {
        errors.at(option, format!("{machine} may be in several states at once, so there is no type for each: remove this option"));
    }
}

/// The enum with the states, if it is the user's: the type of the field marked with `#[machine(state)]`, unless that is the
/// name of the enum that this derive would emit.
pub(super) fn own_states(input: &DeriveInput, options: &Options) -> Option<Ident> {
    let syn::Data::Struct(data) = &input.data else { return None };
    // What is wrong in an attribute is reported where the fields are compared with the context.
    let mut ignored = Errors::default();
    let marked = data.fields.iter().filter_map(|it| Own::read(it, &mut ignored)).find(|it| it.is_state)?;
    let RustType::Path(path) = ungrouped(marked.ty) else { return None };
    let last = &path.path.segments.last()?.ident;
    let prefix = options.prefix.clone().unwrap_or_else(|| input.ident.unraw().to_string());
    let emitted = options.names.get("State").map_or_else(|| format!("{prefix}State"), |it| it.to_string());
    (*last != emitted && !KNOWN.contains(&last.unraw().to_string().as_str())).then(|| last.clone())
}

/// Checks what can be checked of the user's enum; the compiler compares the names of the machines.
fn check_own_states(context: &Context<'_>, state: Option<&Own<'_>>, errors: &mut Errors) -> Option<TokenStream> {
    let (machine, facade, state) = (context.machine, context.options.facade.tokens(), state?);
    if matches!(ungrouped(state.ty), RustType::Path(path) if path.path.segments.len() > 1) {
        errors.at(state.ty, "the names that the derive of this enum emits must be in scope: `use` them, and write the enum without a path");
        return None;
    }
    if machine.fields.is_empty() {
        let message = "without a context, the enum is the machine itself: call the methods of the field, and remove this derive";
        errors.at(state.ty, message);
        return None;
    }
    let (ty, name, variants) = (state.ty, &machine.name, leaf_variants(machine));
    Some(quote_spanned! { ty.span() =>
        const _: () = #facade::__private::follows(<#ty as #facade::State>::MACHINE, #name, &[#(#ty::#variants.index()),*]);
    })
}

/// A field of the user's struct.
struct Own<'a> {
    ident: &'a Ident,
    ty: &'a RustType,
    /// The name in the spec.
    name: String,
    /// Marked as the state.
    is_state: bool,
    /// Marked as one that holds values by conversion, also if its default may not fit.
    is_held: bool,
}

impl<'a> Own<'a> {
    fn read(field: &'a syn::Field, errors: &mut Errors) -> Option<Own<'a>> {
        let ident = field.ident.as_ref()?;
        let mut own = Own { ident, ty: &field.ty, name: ident.unraw().to_string(), is_state: false, is_held: false };
        for attribute in machine_attributes(&field.attrs) {
            let read = attribute.parse_nested_meta(|meta| {
                if meta.path.is_ident("state") {
                    own.is_state = true;
                } else if meta.path.is_ident("held") {
                    own.is_held = true;
                } else if meta.path.is_ident("rename") {
                    own.name = meta.value()?.parse::<LitStr>()?.value();
                } else {
                    let name = meta.path.get_ident().cloned().unwrap_or_else(|| format_ident!("_"));
                    return Err(unknown(&name, "option of a field", ["state", "rename", "held"].into_iter()));
                }
                Ok(())
            });
            if let Err(error) = read {
                errors.push(error);
            }
        }
        Some(own)
    }
}

fn is_same(a: Option<&Own<'_>>, b: Option<&Own<'_>>) -> bool {
    matches!((a, b), (Some(a), Some(b)) if a.ident == b.ident)
}

/// A check for the compiler: the type of a field.
struct Check<'a> {
    field: &'a Ident,
    ty: &'a RustType,
    wanted: Wanted,
}

/// The type that a field must have.
enum Wanted {
    /// This one.
    Is(TokenStream),
    /// The first holds values of the second.
    Held(TokenStream, TokenStream),
    /// The first is the second by another name.
    Alias(TokenStream, TokenStream),
}

/// The field marked with `#[machine(state)]`, else the only one of the state's type, else the one called `state`.
fn find_state<'a>(context: &Context<'_>, input: &DeriveInput, fields: &'a [Own<'a>], errors: &mut Errors) -> Option<&'a Own<'a>> {
    let mut marked = fields.iter().filter(|it| it.is_state);
    if let Some(first) = marked.next() {
        marked.for_each(|it| errors.at(it.ident, "a machine has one state: another field is marked as well"));
        return Some(first);
    }
    let expected = context.names.state();
    let in_context = context.machine.fields.iter().any(|it| it.name == "state");
    // A field of the context with this name can be a renamed one; then the field called `state` is free for the state.
    let is_renamed = fields.iter().any(|it| it.name == "state" && it.ident != "state");
    let by_name = fields.iter().find(|it| if in_context { is_renamed && it.ident == "state" } else { it.name == "state" });
    let found = by_name.or_else(|| {
        let mut of_type = fields.iter().filter(|it| last_name(it.ty).is_some_and(|name| name == expected));
        of_type.next().filter(|_| of_type.next().is_none())
    });
    if found.is_none() {
        errors.at(&input.ident, format!("where is the state kept? add a field `state: {expected}`, or mark one with `#[machine(state)]`"));
    }
    found
}

fn check_state<'a>(context: &Context<'_>, state: &'a Own<'a>, checks: &mut Vec<Check<'a>>, errors: &mut Errors) {
    let expected = &context.names.types["State"];
    match last_name(state.ty) {
        Some(name) if *expected == name => {}
        Some(name) if !is_known(&name, context) => {
            checks.push(Check { field: state.ident, ty: state.ty, wanted: Wanted::Is(quote! { #expected }) });
        }
        _ => errors.at(state.ty, format!("the state is of type `{expected}`, which this derive emits")),
    }
}

/// Compares the type of a field with the spec; returns it where it holds the values by conversion.
fn check_type<'a>(
    context: &Context<'_>,
    field: &Field,
    own: &'a Own<'a>,
    checks: &mut Vec<Check<'a>>,
    errors: &mut Errors,
) -> Option<HeldField> {
    let declared = format!("`{}` at {}", field.name, context.location(field.span));
    let expected = expected(context, field);
    let (inner, optional) = match option_of(own.ty) {
        Some(inner) => (inner, true),
        None => (own.ty, false),
    };
    if optional != field.optional && last_name(own.ty).is_some_and(|it| it == "Option" || is_known(&it, context) || field.ty == Type::Text)
    {
        let says = if field.optional { "may be null" } else { "is never null" };
        errors.at(own.ty, format!("{declared} {says}: write `{}`", expected.shown));
        return None;
    }
    let name = last_name(inner);
    let fits = match (&name, &expected.name) {
        (Some(name), Some(expected)) => {
            let is_integer = field.ty == Type::Int && integer_fits(name, 0).is_some();
            name == expected || is_integer || !is_known(name, context)
        }
        (Some(name), None) => expected.texts.is_empty() || expected.texts.contains(&name.as_str()) || !is_known(name, context),
        (None, expected) => expected.is_none(),
    };
    if !fits {
        errors.at(own.ty, format!("{declared} is of type `{}`: write `{}`", expected.spec, expected.shown));
        return None;
    }
    if let (Some(held), Some(value)) = (held_by(context, field, own), &expected.tokens) {
        types::default_fits(context, field, inner, errors);
        let wanted = if held.is_alias { Wanted::Alias } else { Wanted::Held };
        checks.push(Check { field: own.ident, ty: own.ty, wanted: wanted(held.ty.clone(), value.clone()) });
        return Some(held);
    }
    if let Some(expected) = expected.tokens.filter(|_| !matches!(field.ty, Type::Bool | Type::Int)) {
        let expected = if field.optional {
            quote! { ::core::option::Option<#expected> }
        } else {
            expected
        };
        checks.push(Check { field: own.ident, ty: own.ty, wanted: Wanted::Is(expected) });
    }
    None
}

/// The type of a field that holds the values by conversion; `None` if it is the one that the façade has, or an alias of an option.
fn held_by(context: &Context<'_>, field: &Field, own: &Own<'_>) -> Option<HeldField> {
    held_type(&field.ty)?;
    let inner = match (option_of(own.ty), field.optional) {
        (Some(inner), true) => inner,
        (None, false) => own.ty,
        (Some(_), false) | (None, true) => return None,
    };
    let held = |is_alias| HeldField { ty: type_tokens(inner), is_alias };
    let RustType::Path(path) = ungrouped(inner) else { return Some(held(false)) };
    let last = &path.path.segments.last()?.ident;
    let facade = context.options.facade.tokens().to_string().replace(' ', "");
    let whole = path.to_token_stream().to_string().replace(' ', "");
    let around = whole.split('<').next()?.strip_suffix(&last.to_string())?.trim_end_matches("::");
    // `Timestamp` and `statespec::Timestamp` are the façade's, and every `Decimal` is; `jiff::Timestamp` is not.
    let of_facade = around.is_empty() || around.trim_start_matches("::") == facade.trim_start_matches("::") || field.ty == Type::Decimal;
    let is_usual = of_facade && expected(context, field).name.is_some_and(|name| *last == name);
    // Any other name may be an alias; with a default, `new` would have to know whether it is one.
    let is_name = around.is_empty() && !is_known(&last.unraw().to_string(), context);
    let has_default = field.default.as_ref().is_some_and(|it| *it != Literal::Null);
    (!is_usual).then(|| held(is_name && has_default && !own.is_held))
}

/// The expected type of a field.
struct Expected {
    /// The last segment of the type's path; `None` if several are possible.
    name: Option<String>,
    /// The types accepted for a text.
    texts: &'static [&'static str],
    /// The type in messages.
    shown: String,
    /// The type in the terms of the spec.
    spec: String,
    /// The type, if it is unique.
    tokens: Option<TokenStream>,
}

fn expected(context: &Context<'_>, field: &Field) -> Expected {
    let facade = context.options.facade.tokens();
    let own = |name: &str| {
        let ident = statespec_lang::names::ident(name);
        (Some(name.to_owned()), name.to_owned(), Some(quote! { #ident }))
    };
    let of_facade = |name: &str| {
        let ident = format_ident!("{name}");
        (Some(name.to_owned()), format!("statespec::{name}"), Some(quote! { #facade::#ident }))
    };
    const TEXTS: &[&str] = &["String", "str"];
    let (spec, (name, shown, tokens)) = match &field.ty {
        Type::Bool => ("bool".to_owned(), own("bool")),
        Type::Int => ("int".to_owned(), own("i64")),
        Type::Decimal => ("decimal".to_owned(), of_facade("Decimal")),
        Type::Duration => ("duration".to_owned(), of_facade("Duration")),
        Type::Timestamp => ("timestamp".to_owned(), of_facade("Timestamp")),
        Type::State => ("state".to_owned(), own(&context.names.leaf())),
        Type::Enum(id) => {
            let declared = &context.machine.enums[id.index()].name;
            (declared.clone(), own(&context.names.enums[id.index()].to_string()))
        }
        Type::Text => ("text".to_owned(), (None, "String".to_owned(), None)),
        // Fields cannot have other types in the spec language.
        Type::Reference | Type::Event | Type::List(_) => ("reference".to_owned(), (None, "u64".to_owned(), None)),
    };
    let texts = if field.ty == Type::Text { TEXTS } else { &[] };
    let shown = if field.optional { format!("Option<{shown}>") } else { shown };
    Expected { name, texts, shown, spec, tokens }
}

/// Reports a missing field; returns the field that is probably meant.
fn missing<'o, 'a>(
    context: &Context<'_>,
    input: &DeriveInput,
    field: &Field,
    fields: &'o [Own<'a>],
    errors: &mut Errors,
) -> Option<&'o Own<'a>> {
    let known: Vec<&str> =
        fields.iter().filter(|it| context.machine.fields.iter().all(|field| field.name != it.name)).map(|it| it.name.as_str()).collect();
    let near = nearest(&field.name, known.iter().copied()).and_then(|name| fields.iter().find(|it| it.name == name));
    let (name, place, shown) = (&field.name, context.location(field.span), expected(context, field).shown);
    match near {
        Some(near) => errors.at(near.ident, format!("did you mean `{name}`? the context at {place} has a field of that name")),
        None => errors.at(&input.ident, format!("the context has a field `{name}` at {place}: add `{}: {shown}`", snake(name))),
    }
    near
}

/// The common type of all references.
fn reference(context: &Context<'_>, found: &[(&Field, Option<&Own<'_>>)], errors: &mut Errors) -> Option<TokenStream> {
    let mut first: Option<TokenStream> = context.options.reference.as_ref().map(type_tokens);
    for (field, own) in found {
        let Some(own) = own.filter(|_| field.ty == Type::Reference) else { continue };
        let ty = type_tokens(option_of(own.ty).unwrap_or(own.ty));
        match &first {
            Some(first) if first.to_string() != ty.to_string() => {
                errors.at(own.ty, format!("all references of a machine are of one type, and another is `{first}`"));
            }
            _ => first = Some(ty),
        }
    }
    first
}

fn type_tokens(ty: &RustType) -> TokenStream {
    quote! { #ty }
}

/// `T` of `Option<T>`.
fn option_of(ty: &RustType) -> Option<&RustType> {
    let RustType::Path(path) = ungrouped(ty) else { return None };
    let last = path.path.segments.last().filter(|it| it.ident == "Option")?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    match arguments.args.first() {
        Some(GenericArgument::Type(inner)) if arguments.args.len() == 1 => Some(inner),
        _ => None,
    }
}

/// `Decimal` of `rust_decimal::Decimal`, `str` of `&'static str`.
fn last_name(ty: &RustType) -> Option<String> {
    match ungrouped(ty) {
        RustType::Path(path) => path.path.segments.last().map(|it| it.ident.unraw().to_string()),
        RustType::Reference(reference) => last_name(&reference.elem),
        _ => None,
    }
}

fn ungrouped(ty: &RustType) -> &RustType {
    match ty {
        RustType::Group(group) => ungrouped(&group.elem),
        RustType::Paren(paren) => ungrouped(&paren.elem),
        ty => ty,
    }
}

/// Types that everyone knows.
const KNOWN: &[&str] = &[
    "bool",
    "char",
    "str",
    "String",
    "i8",
    "i16",
    "i32",
    "i64",
    "i128",
    "isize",
    "u8",
    "u16",
    "u32",
    "u64",
    "u128",
    "usize",
    "f32",
    "f64",
    "Decimal",
    "Duration",
    "Timestamp",
    "Option",
    "Vec",
];

/// Whether a name is certainly not an alias of another type.
fn is_known(name: &str, context: &Context<'_>) -> bool {
    KNOWN.contains(&name) || name == context.names.state() || name == context.names.leaf()
}
