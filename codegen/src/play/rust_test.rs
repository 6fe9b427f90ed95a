//! The way through a machine as a test of its emitted types.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::machine::Past;
use crate::backend::rust::{Module, Style, items_text};
use crate::interpret::{Instance, Request};
use crate::model::machine::Field;
use crate::model::{FieldId, Literal, Machine, PredicateId, Value};
use crate::names::{ident, snake};

/// The test, formatted. The module of the machine is taken to lie in the root of the crate.
pub(super) fn text(machine: &Machine, given: &[(FieldId, Value)], past: &[Past]) -> Result<String, String> {
    if past.is_empty() {
        return Err("nothing has happened yet".into());
    }
    let style = Style::default();
    let test = Test { module: Module::new(machine, &style), machine };
    let module = ident(&snake(&machine.name));
    let name = format_ident!("a_way_through_{}", snake(&machine.name).trim_start_matches("r#"));
    let (start, steps) = (test.start(given, past), past.iter().map(|it| test.step(it, past)));
    let predicates = test.predicates();
    let items = quote! {
        #[test]
        fn #name() {
            use crate::#module::*;
            #predicates
            #start
            #(#steps)*
        }
    };
    items_text(&[], items).map_err(|it| it.to_string())
}

struct Test<'m> {
    module: Module<'m>,
    machine: &'m Machine,
}

impl Test<'_> {
    /// The machine, where no event brings it into being.
    fn start(&self, given: &[(FieldId, Value)], past: &[Past]) -> Option<TokenStream> {
        let instance = past[0].before.as_ref()?;
        let ident = &self.module.ident;
        let value = if given.is_empty() {
            quote! { #ident::new() }
        } else {
            let (state, context) = (self.module.state(instance.state), self.context(&instance.context));
            quote! { #ident::restore(#state, #context) }
        };
        Some(quote! { let mut machine: #ident = #value; })
    }

    fn step(&self, past: &Past, all: &[Past]) -> TokenStream {
        let ident = &self.module.ident;
        let holds = self.holds(&past.holds);
        let comma = holds.is_some().then(|| quote! { , });
        let call = match (past.request, &past.before) {
            (Request::Direct(state), _) => {
                let state = self.module.state(self.machine.default_leaf(state));
                quote! { machine.transition_to(#state #comma #holds) }
            }
            (Request::Event(_), Some(_)) => {
                let event = self.event(past);
                quote! { machine.apply(#event #comma #holds) }
            }
            (Request::Event(_), None) if past.given.is_empty() => {
                let event = self.event(past);
                quote! { #ident::born(#event #comma #holds) }
            }
            (Request::Event(_), None) => {
                let event = self.event(past);
                let context = self.creation_context(&past.given);
                quote! { #ident::born_with(#context, #event #comma #holds) }
            }
        };
        match (&past.outcome, &past.before) {
            (Ok(after), Some(before)) => {
                let after = self.expect(Some(before), after);
                quote! { #call.unwrap(); #after }
            }
            (Ok(after), None) => {
                let after = self.expect(None, after);
                let mutable = all.iter().any(|it| it.before.is_some()).then(|| quote! { mut });
                quote! {
                    let (#mutable machine, _): (#ident, _) = #call.unwrap();
                    #after
                }
            }
            (Err(text), Some(_)) => quote! { assert_eq!(#call.unwrap_err().to_string(), #text); },
            (Err(text), None) => quote! {
                let refused: Result<(#ident, _), _> = #call;
                assert_eq!(refused.unwrap_err().to_string(), #text);
            },
        }
    }

    fn event(&self, past: &Past) -> TokenStream {
        let Request::Event(id) = past.request else { return TokenStream::new() };
        let variant = &self.module.events[id.index()];
        let fields = &self.machine.event(id).payload;
        let idents = self.module.field_idents(fields);
        let values = fields.iter().zip(&past.payload).map(|(field, value)| self.value(field, value));
        let payload = (!fields.is_empty()).then(|| quote! { { #(#idents: #values),* } });
        quote! { Event::#variant #payload }
    }

    /// The state, and the fields that changed.
    fn expect(&self, before: Option<&Instance>, after: &Instance) -> TokenStream {
        let state = self.module.state(after.state);
        let fields = self.machine.fields.iter().zip(&self.module.fields).zip(&after.context).enumerate();
        let changed = fields.filter(|(idx, (_, value))| before.is_some_and(|it| it.context.get(*idx) != Some(value)));
        let fields = changed.map(|(_, ((field, ident), value))| {
            let value = self.value(field, value);
            quote! { assert_eq!(machine.context().#ident, #value); }
        });
        quote! {
            assert_eq!(machine.state(), #state);
            #(#fields)*
        }
    }

    fn context(&self, values: &[Value]) -> TokenStream {
        let fields = self.machine.fields.iter().zip(values).map(|(field, value)| self.value(field, value));
        let idents = &self.module.fields;
        quote! { Context { #(#idents: #fields),* } }
    }

    /// What a machine to be created is given, and defaults for the rest.
    fn creation_context(&self, given: &[(FieldId, Value)]) -> TokenStream {
        let value = |(idx, field): (usize, &Field)| {
            let own = given.iter().find(|it| it.0 == FieldId::new(idx)).map(|it| it.1.clone());
            own.or_else(|| field.default.as_ref().and_then(|it| it.to_value())).unwrap_or(Value::Null)
        };
        let values: Vec<Value> = self.machine.fields.iter().enumerate().map(value).collect();
        self.context(&values)
    }

    /// A value as Rust writes it.
    fn value(&self, field: &Field, value: &Value) -> TokenStream {
        let facade = &self.module.facade;
        let literal = match value {
            Value::Null => Literal::Null,
            Value::Bool(it) => Literal::Bool(*it),
            Value::Int(it) => Literal::Int(*it),
            Value::Decimal(it) => Literal::Decimal(*it),
            Value::Text(it) => Literal::Text(it.clone()),
            Value::Duration(it) => Literal::Duration(*it),
            Value::State(it) => Literal::State(*it),
            Value::Enum(id, idx) => Literal::Enum(*id, *idx),
            Value::Timestamp(it) => return optional(field, quote! { #facade::Timestamp::from_micros(#it) }),
            Value::Reference(it) => {
                let it = proc_macro2::Literal::u64_unsuffixed(*it);
                return optional(field, quote! { #it });
            }
        };
        self.module.optional_literal(&literal, field.optional)
    }

    /// The answers of the user's code, where guards ask for some.
    fn predicates(&self) -> Option<TokenStream> {
        if !self.module.has_predicates() {
            return None;
        }
        let module = ident(&snake(&self.machine.name));
        let answers = crate::backend::drive::expand_predicates(&self.module, &quote! { crate::#module });
        Some(quote! {
            /// The predicates that hold.
            struct Holds(&'static [&'static str]);

            impl Holds {
                fn holds(&self, name: &str) -> bool {
                    self.0.contains(&name)
                }
            }

            #answers
        })
    }

    fn holds(&self, holds: &BTreeSet<PredicateId>) -> Option<TokenStream> {
        let names = holds.iter().map(|it| &self.machine.predicates[it.index()].name);
        self.module.has_predicates().then(|| quote! { &Holds(&[#(#names),*]) })
    }
}

fn optional(field: &Field, value: TokenStream) -> TokenStream {
    if field.optional {
        quote! { ::core::option::Option::Some(#value) }
    } else {
        value
    }
}
