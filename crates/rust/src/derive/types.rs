//! The types of the user that hold values of a spec: options, and the types of fields.

use quote::ToTokens;
use statespec_lang::model::machine::Field;
use statespec_lang::model::{Literal, Type};
use syn::Type as RustType;
use syn::ext::IdentExt;

use super::Context;
use super::errors::Errors;
use super::options::{Options, unknown_name};
use crate::ir::Form;
use crate::lower::OwnTypes;
use crate::lower::held::{held_type, integer_fits, payload_name};

/// The types of the options.
pub(super) fn own_types(options: &Options) -> OwnTypes {
    OwnTypes {
        types: options.types.iter().map(|(name, ty)| (name.unraw().to_string(), ty.to_token_stream())).collect(),
        fields: options.fields.iter().map(|(name, ty)| (name.value(), ty.to_token_stream())).collect(),
    }
}

/// Checks the options `types` and `fields`.
pub(super) fn check(context: &Context<'_>, form: &Form, errors: &mut Errors) {
    let machine = context.machine;
    let fields = || machine.fields.iter().map(|it| (it.name.clone(), it, true));
    let payloads = || machine.events.iter().flat_map(|it| &it.payload).map(|it| (payload_name(&it.name), it, false));
    for (name, ty) in &context.options.fields {
        let named: Vec<(String, &Field, bool)> = fields().chain(payloads()).filter(|it| it.0 == name.value()).collect();
        let Some((_, field, in_context)) = named.first() else {
            let known: Vec<String> = fields().chain(payloads()).map(|it| it.0).collect();
            errors.push(unknown_name(name, "field", known.iter().map(String::as_str)));
            continue;
        };
        if held_type(&field.ty).is_none() {
            let message = "only fields of type `int`, `decimal`, `duration` and `timestamp` are held by types of yours";
            errors.at(name, message);
        } else if *in_context && matches!(form, Form::Struct(_)) {
            errors.at(name, "the field of the struct has the type already: remove this option");
        } else if *in_context {
            default_fits(context, field, ty, errors);
        }
    }
    if matches!(form, Form::Around(_)) {
        let single = |field: &Field| context.options.fields.iter().any(|(name, _)| name.value() == field.name);
        for (name, ty) in &context.options.types {
            let of_type = machine.fields.iter().filter(|it| held_type(&it.ty).is_some_and(|it| *name == it));
            of_type.filter(|it| !single(it)).for_each(|it| default_fits(context, it, ty, errors));
        }
    }
}

/// Reports a default that is out of the range of an integer.
pub(super) fn default_fits(context: &Context<'_>, field: &Field, ty: &RustType, errors: &mut Errors) {
    let Some(Literal::Int(value)) = field.default.as_ref().filter(|_| field.ty == Type::Int) else { return };
    let name = ty.to_token_stream().to_string();
    if integer_fits(&name, *value) == Some(false) {
        let place = context.location(field.span);
        errors.at(ty, format!("the default of `{}` at {place} is {value}, which `{name}` cannot hold", field.name));
    }
}
