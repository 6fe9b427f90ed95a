//! Types of the user that hold values of the spec.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::TokenStream;
use quote::quote;
use statespec_lang::model::machine::Field;
use statespec_lang::model::{EventId, FieldId, Literal, PayloadId, Type};

use super::Lowering;
use super::types::{Position, some_if};
use crate::Style;
use crate::ir::{Expr, Form, Held, OwnGenerics};

/// The types that a project or a derive chose, in place of those that the façade has.
#[derive(Debug, Clone, Default)]
pub(crate) struct OwnTypes {
    /// By the type of the spec: `timestamp`.
    pub(crate) types: BTreeMap<String, TokenStream>,
    /// By the field: `attempts` of the context, `event.now` of payloads.
    pub(crate) fields: BTreeMap<String, TokenStream>,
}

/// The types of the spec whose values types of the user can hold.
pub const HELD: &[&str] = &["int", "decimal", "duration", "timestamp"];

/// The name of a type whose values types of the user can hold.
pub(crate) fn held_type(ty: &Type) -> Option<&'static str> {
    match ty {
        Type::Int => Some("int"),
        Type::Decimal => Some("decimal"),
        Type::Duration => Some("duration"),
        Type::Timestamp => Some("timestamp"),
        Type::Bool | Type::Text | Type::Reference | Type::State | Type::Event | Type::Enum(_) | Type::List(_) => None,
    }
}

/// A field of a payload, as options and messages name it.
pub(crate) fn payload_name(field: &str) -> String {
    format!("event.{field}")
}

impl OwnTypes {
    /// The types of a machine's module.
    pub(crate) fn of_module(style: &Style, machine: &str) -> Self {
        let own = |name: &String| Some(name.strip_prefix(machine)?.strip_prefix('.')?.to_owned());
        OwnTypes {
            types: style.types.iter().map(|(name, ty)| (name.clone(), parsed(name, ty))).collect(),
            fields: style.fields.iter().filter_map(|(name, ty)| Some((own(name)?, parsed(name, ty)))).collect(),
        }
    }

    /// The type chosen for a field.
    fn of(&self, ty: &Type, name: &str) -> Option<&TokenStream> {
        self.fields.get(name).or_else(|| self.types.get(held_type(ty)?))
    }
}

impl Lowering<'_> {
    /// The user's type of a field of the context, if it holds the values by conversion.
    pub fn own_field(&self, id: FieldId) -> Option<&TokenStream> {
        let field = &self.machine.fields[id.index()];
        match &self.options.form {
            Form::Struct(own) => own.held.get(id.index())?.as_ref().map(|it| &it.ty),
            Form::Module | Form::Enum(_) | Form::Around(_) => self.chosen(&field.ty, &field.name),
        }
    }

    /// The user's type of a field of payloads.
    pub fn own_payload(&self, field: &Field) -> Option<&TokenStream> {
        self.chosen(&field.ty, &payload_name(&field.name))
    }

    /// The conversions of a field of the context.
    pub(super) fn held_field(&self, id: FieldId) -> Option<Held> {
        let field = &self.machine.fields[id.index()];
        let is_alias = match &self.options.form {
            Form::Struct(own) => own.held.get(id.index())?.as_ref()?.is_alias,
            Form::Module | Form::Enum(_) | Form::Around(_) => false,
        };
        Some(Held { is_alias, ..self.held(self.own_field(id)?, &field.ty, &field.name) })
    }

    /// The conversions of a field in the payload of an event.
    pub(super) fn held_payload(&self, event: Option<EventId>, id: PayloadId) -> Option<Held> {
        let field = self.machine.payload_field(event?, id)?;
        Some(self.held(self.own_payload(field)?, &field.ty, &payload_name(&field.name)))
    }

    /// The user's type for values of a type.
    pub(crate) fn chosen(&self, ty: &Type, name: &str) -> Option<&TokenStream> {
        held_type(ty)?;
        let own = self.own_types.of(ty, name)?;
        let usual = self.ty(ty, Position::Field);
        (own.to_string() != usual.to_string()).then_some(own)
    }

    /// The type of references of a module, unless its user says otherwise.
    pub fn default_reference(&self) -> TokenStream {
        self.own_types.types.get("reference").cloned().unwrap_or_else(|| quote! { u64 })
    }

    /// The conversions of a field.
    pub(crate) fn held(&self, own: &TokenStream, ty: &Type, name: &str) -> Held {
        Held { own: own.clone(), ty: self.ty(ty, Position::Field), is_alias: false, name: name.to_owned(), refused: None }
    }

    pub(super) fn own_generics(&self) -> OwnGenerics {
        match &self.options.form {
            Form::Struct(own) => own.generics.clone(),
            Form::Module | Form::Enum(_) | Form::Around(_) => OwnGenerics::default(),
        }
    }

    /// The names of the fields that types of the user hold. The derive of an enum cannot see the struct that the states are for:
    /// it has the names that its options choose.
    pub(super) fn converted(&self) -> Vec<String> {
        let fields = (0..self.machine.fields.len()).map(FieldId::new);
        let held = fields.filter(|id| self.held_field(*id).is_some_and(|it| !it.is_alias));
        let fields = held.map(|id| self.machine.fields[id.index()].name.clone());
        let payloads = self.machine.events.iter().flat_map(|it| &it.payload).filter(|it| self.own_payload(it).is_some());
        let payloads: BTreeSet<String> = payloads.map(|it| payload_name(&it.name)).collect();
        fields.chain(payloads).collect()
    }

    /// The default of a field that a type of the user holds.
    pub(super) fn held_default(&self, held: Held, field: &Field, default: &Literal) -> Expr {
        if *default == Literal::Null {
            return Expr::Null;
        }
        let value = known_to_fit(&held.own, default).unwrap_or_else(|| store(held, self.literal(default), false));
        some_if(field.optional, value)
    }

    /// Whether the default of a field may be out of the range of the type that is to hold it.
    pub fn may_not_start(&self, id: FieldId) -> bool {
        let field = &self.machine.fields[id.index()];
        let default = field.default.as_ref().unwrap_or(&Literal::Null);
        self.held_field(id).is_some_and(|held| self.held_default(held, field, default).converts())
    }
}

/// The type that a project chose. The configuration is checked when it is read; a build script can choose anything.
fn parsed(name: &str, ty: &str) -> TokenStream {
    ty.parse().unwrap_or_else(|_| {
        let message = format!("`{ty}`, which is chosen for `{name}`, is no type");
        quote! { ::core::compile_error!(#message) }
    })
}

/// A value in the type of the user that is to hold it. A value that is only passed on is not converted.
pub(crate) fn store(held: Held, value: Expr, optional: bool) -> Expr {
    match value {
        Expr::Null => Expr::Null,
        Expr::Load { value, held: from, optional: from_optional }
            if from_optional == optional && from.own.to_string() == held.own.to_string() =>
        {
            *value
        }
        Expr::Some(value) => Expr::Some(Box::new(store(held, *value, false))),
        value => Expr::Store { value: Box::new(value), held, optional },
    }
}

/// A default in a type in which everyone knows that it fits.
fn known_to_fit(own: &TokenStream, default: &Literal) -> Option<Expr> {
    let name: String = own.to_string().split_whitespace().collect();
    match default {
        Literal::Int(value) => integer(&name, *value),
        Literal::Duration(micros) => {
            let in_seconds = *micros % 1_000_000 == 0;
            let units = proc_macro2::Literal::i64_unsuffixed(if in_seconds { *micros / 1_000_000 } else { *micros });
            let made = match name.trim_start_matches("::") {
                "std::time::Duration" | "core::time::Duration" if *micros < 0 => return None,
                "std::time::Duration" | "core::time::Duration" | "jiff::SignedDuration" if in_seconds => quote! { from_secs(#units) },
                "std::time::Duration" | "core::time::Duration" | "jiff::SignedDuration" => quote! { from_micros(#units) },
                "chrono::TimeDelta" | "chrono::Duration" => {
                    let micros = proc_macro2::Literal::i64_unsuffixed(*micros);
                    quote! { microseconds(#micros) }
                }
                _ => return None,
            };
            Some(Expr::Path(quote! { #own::#made }))
        }
        _ => None,
    }
}

/// An integer in one of Rust's types into which it fits; its digits, since names such as `i64::MAX` have a type.
pub fn integer(ty: &str, value: i64) -> Option<Expr> {
    let digits = proc_macro2::Literal::i64_unsuffixed(value);
    integer_fits(ty, value)?.then(|| Expr::Path(quote! { #digits }))
}

/// Whether an integer fits into one of Rust's types; `None` if the type is another one.
pub(crate) fn integer_fits(ty: &str, value: i64) -> Option<bool> {
    Some(match ty {
        "i8" => i8::try_from(value).is_ok(),
        "i16" => i16::try_from(value).is_ok(),
        "i32" => i32::try_from(value).is_ok(),
        "u8" => u8::try_from(value).is_ok(),
        "u16" => u16::try_from(value).is_ok(),
        "u32" => u32::try_from(value).is_ok(),
        "u64" | "u128" => value >= 0,
        // At least 16 bits.
        "usize" => u16::try_from(value).is_ok(),
        "isize" => i16::try_from(value).is_ok(),
        "i64" | "i128" => true,
        _ => return None,
    })
}
