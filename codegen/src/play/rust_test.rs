//! The steps of a machine as a test of its emitted types.
#![allow(non_snake_case, reason = "interpolated types are spelled as in the emitted code")]

use std::collections::BTreeSet;

use proc_macro2::{Ident, Literal as Number, TokenStream};
use quote::{format_ident, quote};

use super::machine::Past;
use crate::backend::rust::emit::expr::Scope;
use crate::backend::rust::ir::{self, Expr};
use crate::backend::rust::lower::types::some_if;
use crate::backend::rust::lower::{self, Lowering};
use crate::backend::rust::names::{ModuleNames, TYPES, UniqueNames};
use crate::backend::rust::{Style, items_text};
use crate::interpret::{Instance, Request};
use crate::model::machine::Field;
use crate::model::{EventId, FieldId, Literal, Machine, Model, PredicateId, Value};
use crate::names::snake;

/// The test, formatted. The machine's module is expected in the root of the crate.
pub(super) fn text(model: &Model, machine: &Machine, given: &[(FieldId, Value)], past: &[Past]) -> Result<String, String> {
    if past.is_empty() {
        return Err("nothing has happened yet".into());
    }
    let (style, request) = (Style::default(), lower::ModuleOptions::default());
    let module = lower::lower(machine, &style, &request);
    let lowering = Lowering::new(machine, &style, &request);
    let test = Test { machine, holds: holds_ident(&module), lowering, module };
    let steps: Vec<&Past> = past.iter().filter(|it| test.has_method(it)).collect();
    if steps.is_empty() {
        return Err("the emitted types have no methods for these steps, so there is nothing to test".into());
    }
    let module = ModuleNames::of(model).of_name(&machine.name);
    let name = format_ident!("a_way_through_{}", snake(&machine.name));
    let start = test.expand_start(given, &past[0]);
    let n_steps = steps.len();
    let steps = steps.into_iter().enumerate().map(|(idx, it)| test.expand_step(it, idx + 1 == n_steps));
    let predicates = test.expand_predicates();
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

/// The name of the type that implements the predicates; no type of the module has it.
fn holds_ident(module: &ir::Machine) -> Ident {
    let mut unique = UniqueNames::besides(TYPES.iter().copied().chain(["Context"]));
    unique.reserve(&module.types.machine);
    module.enums.iter().for_each(|it| unique.reserve(&it.ident));
    module.orders.iter().for_each(|it| unique.reserve(&it.item));
    unique.claim("Holds".into())
}

struct Test<'m> {
    machine: &'m Machine,
    lowering: Lowering<'m>,
    module: ir::Machine,
    /// The type that implements the predicates.
    holds: Ident,
}

impl Test<'_> {
    /// Whether the emitted types can express the step. A machine without transitions on events has no `apply`, and a
    /// direct transition needs a machine.
    fn has_method(&self, past: &Past) -> bool {
        match (past.request, &past.before) {
            (Request::Event(_), Some(_)) => self.module.dispatch.is_some(),
            (Request::Event(_), None) => self.module.creation.is_some(),
            (Request::Direct(_), Some(_)) => self.module.direct.is_some(),
            (Request::Direct(_), None) => false,
        }
    }

    /// The machine, if no event creates it.
    fn expand_start(&self, given: &[(FieldId, Value)], first: &Past) -> Option<TokenStream> {
        let instance = first.before.as_ref()?;
        let Machine = &self.module.types.machine;
        let value = if given.is_empty() {
            quote! { #Machine::new() }
        } else {
            let (state, context) = (self.lowering.state_path(instance.state), self.expand_context(&instance.context));
            quote! { #Machine::restore(#state, #context) }
        };
        Some(quote! { let mut machine: #Machine = #value; })
    }

    fn expand_step(&self, past: &Past, is_last: bool) -> TokenStream {
        let Machine = &self.module.types.machine;
        let call = self.expand_call(past);
        match (&past.outcome, &past.before) {
            (Ok(after), Some(before)) => {
                let after = self.expand_after(Some(before), after);
                quote! { #call.unwrap(); #after }
            }
            (Ok(after), None) => {
                let after = self.expand_after(None, after);
                let mutable = (!is_last).then(|| quote! { mut });
                quote! {
                    let (#mutable machine, _): (#Machine, _) = #call.unwrap();
                    #after
                }
            }
            (Err(text), Some(_)) => quote! {
                let refused = #call.unwrap_err();
                assert_eq!(format!("{refused}"), #text);
            },
            (Err(text), None) => quote! {
                let refused: Result<(#Machine, _), _> = #call;
                assert_eq!(format!("{}", refused.unwrap_err()), #text);
            },
        }
    }

    fn expand_call(&self, past: &Past) -> TokenStream {
        let Machine = &self.module.types.machine;
        let holds = self.expand_holds(&past.holds);
        match (past.request, &past.before) {
            (Request::Direct(state), _) => {
                let state = self.lowering.state_path(self.machine.default_leaf(state));
                quote! { machine.transition_to(#state, #holds) }
            }
            (Request::Event(event), Some(_)) => {
                let event = self.expand_event(event, &past.payload);
                quote! { machine.apply(#event, #holds) }
            }
            (Request::Event(event), None) if past.given.is_empty() => {
                let event = self.expand_event(event, &past.payload);
                quote! { #Machine::create(#event, #holds) }
            }
            (Request::Event(event), None) => {
                let (context, event) = (self.expand_given(&past.given), self.expand_event(event, &past.payload));
                quote! { #Machine::create_with(#context, #event, #holds) }
            }
        }
    }

    fn expand_event(&self, id: EventId, payload: &[Value]) -> TokenStream {
        let (Event, variant) = (&self.module.types.event, self.lowering.event(id));
        // The type of references cannot be inferred if only events have references.
        let generics = &self.module.generics;
        let reference = (generics.of_event.reference && !generics.of_context.reference).then(|| quote! { ::<u64> });
        let fields = &self.machine.event(id).payload;
        let values = fields.iter().zip(self.lowering.payload(fields)).zip(payload).map(|((field, (ident, _)), value)| {
            let value = self.expand_value(field, value);
            quote! { #ident: #value }
        });
        let payload = (!fields.is_empty()).then(|| quote! { { #(#values),* } });
        quote! { #Event #reference::#variant #payload }
    }

    /// The state, and the fields that changed.
    fn expand_after(&self, before: Option<&Instance>, after: &Instance) -> TokenStream {
        let state = self.lowering.state_path(after.state);
        let fields = self.machine.fields.iter().zip(&self.module.fields).zip(&after.context).enumerate();
        let changed = fields.filter(|(idx, (_, value))| before.is_none_or(|it| it.context.get(*idx) != Some(value)));
        let fields = changed.map(|(_, ((field, names), value))| {
            let (ident, expected) = (&names.ident, self.expand_value(field, value));
            match value {
                Value::Bool(true) if !field.optional => quote! { assert!(machine.context().#ident); },
                Value::Bool(false) if !field.optional => quote! { assert!(!machine.context().#ident); },
                _ => quote! { assert_eq!(machine.context().#ident, #expected); },
            }
        });
        quote! {
            assert_eq!(machine.state(), #state);
            #(#fields)*
        }
    }

    fn expand_context(&self, values: &[Value]) -> TokenStream {
        let Context = &self.module.types.context;
        let fields = self.machine.fields.iter().zip(&self.module.fields).zip(values).map(|((field, names), value)| {
            let (ident, value) = (&names.ident, self.expand_value(field, value));
            quote! { #ident: #value }
        });
        quote! { #Context { #(#fields),* } }
    }

    /// The context of a machine to create: the given values, and defaults for the other fields.
    fn expand_given(&self, given: &[(FieldId, Value)]) -> TokenStream {
        let value = |(idx, field): (usize, &Field)| {
            let own = given.iter().find(|it| it.0 == FieldId::new(idx)).map(|it| it.1.clone());
            own.or_else(|| field.default.as_ref().and_then(|it| it.to_value())).unwrap_or(Value::Null)
        };
        let values: Vec<Value> = self.machine.fields.iter().enumerate().map(value).collect();
        self.expand_context(&values)
    }

    /// A value as a Rust expression.
    fn expand_value(&self, field: &Field, value: &Value) -> TokenStream {
        let facade = &self.module.env.facade;
        let literal = match value {
            Value::Null => Literal::Null,
            Value::Bool(it) => Literal::Bool(*it),
            Value::Int(it) => Literal::Int(*it),
            Value::Decimal(it) => Literal::Decimal(*it),
            Value::Text(it) => Literal::Text(it.clone()),
            Value::Duration(it) => Literal::Duration(*it),
            Value::State(it) => Literal::State(*it),
            Value::Enum(id, idx) => Literal::Enum(*id, *idx),
            Value::Timestamp(it) => {
                let micros = Number::i64_unsuffixed(*it);
                return self.expand(&some_if(field.optional, Expr::Path(quote! { #facade::Timestamp::from_micros(#micros) })));
            }
            Value::Reference(it) => {
                let number = Number::u64_unsuffixed(*it);
                return self.expand(&some_if(field.optional, Expr::Path(quote! { #number })));
            }
        };
        self.expand(&self.lowering.optional_literal(&literal, field.optional))
    }

    fn expand(&self, value: &Expr) -> TokenStream {
        Scope::constant(&self.module.env).expand(value)
    }

    /// The predicates' implementation, if guards ask predicates.
    fn expand_predicates(&self) -> Option<TokenStream> {
        if self.module.predicates.is_empty() {
            return None;
        }
        let (Holds, Predicates, Context) = (&self.holds, &self.module.types.predicates, &self.module.types.context);
        let context = self.module.has_context().then(|| quote! { _: &#Context, });
        let methods = self.machine.predicates.iter().zip(&self.module.predicates).map(|(predicate, names)| {
            let (name, method) = (&predicate.name, &names.method);
            let event = names.takes_event.then(|| {
                let (Event, text) = (&self.module.types.event, self.module.generics.of_event.text.then(|| quote! { <&str> }));
                quote! { _: &#Event #text }
            });
            quote! {
                fn #method(&self, #context #event) -> bool {
                    self.0.contains(&#name)
                }
            }
        });
        Some(quote! {
            /// The predicates that hold.
            struct #Holds(&'static [&'static str]);

            // Texts and references are of the types that the module has for them without arguments.
            impl #Predicates for #Holds {
                #(#methods)*
            }
        })
    }

    fn expand_holds(&self, holds: &BTreeSet<PredicateId>) -> Option<TokenStream> {
        let (Holds, names) = (&self.holds, holds.iter().map(|it| &self.machine.predicates[it.index()].name));
        (!self.machine.predicates.is_empty()).then(|| quote! { &#Holds(&[#(#names),*]) })
    }
}
