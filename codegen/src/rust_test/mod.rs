//! The steps of a machine as a test of its emitted types: what `test` prints in a session of `play`.
#![allow(non_snake_case, reason = "interpolated types are spelled as in the emitted code")]

mod code;
mod find;

use std::cell::Cell;
use std::collections::BTreeSet;

use proc_macro2::{Ident, Literal as Number, TokenStream};
use quote::{format_ident, quote};
use statespec_explore::play::{Past, Tests};
use statespec_lang::interpret::{Instance, Request};
use statespec_lang::model::machine::Field;
use statespec_lang::model::{Configuration, EventId, FieldId, Literal, Machine, Model, PredicateId, Type, Value};
use statespec_lang::names::snake;
use statespec_lang::source::Sources;
use statespec_rust::Style;
use statespec_rust::emit::expr::expand_value;
use statespec_rust::files::file::items_text;
use statespec_rust::ir::{self, Expr, Form, OwnStruct, Part};
use statespec_rust::lower::held::integer;
use statespec_rust::lower::types::some_if;
use statespec_rust::lower::{self, Lowering};
use statespec_rust::names::{ModuleNames, TYPES, UniqueNames};
use statespec_rust::unsupported_machine;

pub use code::{Code, Kind};

use crate::project::Project;

/// Prints tests in Rust.
#[derive(Default)]
pub struct RustTests {
    /// The code that tests can call, the best first.
    pub code: Vec<Code>,
}

impl RustTests {
    /// Tests of all code of a machine that a project has.
    pub fn of(project: &Project, sources: &Sources, machine: &Machine) -> RustTests {
        RustTests { code: find::codes(project, sources, machine) }
    }
}

impl Tests for RustTests {
    fn kinds(&self) -> Vec<&'static str> {
        Kind::ALL.map(Kind::word).into()
    }

    fn about(&self) -> String {
        format!("the steps so far, as a Rust test; KIND is {}", Kind::ALL.map(Kind::word).join(", "))
    }

    fn test(&self, model: &Model, machine: &Machine, past: &[Past], kind: Option<&str>) -> Result<String, String> {
        if let Some(unsupported) = unsupported_machine(machine) {
            return Err(format!("there is no code to test: {}", unsupported.message));
        }
        let kind = kind.map(|word| {
            let known = Kind::ALL.into_iter().find(|it| it.word() == word);
            known.ok_or_else(|| format!("there is no test for `{word}`"))
        });
        text(model, machine, past, kind.transpose()?, &self.code)
    }
}

/// The test, formatted, for the first code of a kind that can express it; without a kind for the first of all.
fn text(model: &Model, machine: &Machine, past: &[Past], kind: Option<Kind>, code: &[Code]) -> Result<String, String> {
    if past.is_empty() {
        return Err("nothing has happened yet".into());
    }
    let mut first = None;
    for code in code.iter().filter(|it| kind.is_none_or(|kind| kind == it.kind)) {
        match text_for(model, machine, past, code) {
            Err(why) => _ = first.get_or_insert(why),
            text => return text,
        }
    }
    match (first, Code::usual(kind.unwrap_or(Kind::CheckedIn), &machine.name)) {
        (Some(why), _) => Err(why),
        (None, Some(usual)) => text_for(model, machine, past, &usual),
        (None, None) => {
            Err(format!("no type with `#[derive(StateMachine)]` follows `{}` here: `test checked-in` needs none", machine.name))
        }
    }
}

fn text_for(model: &Model, machine: &Machine, past: &[Past], code: &Code) -> Result<String, String> {
    // In a log, a line that begins with `::` is a command: no path of a test may begin one.
    let style = Style { facade: code.style.facade.relative(), ..code.style.clone() };
    let mut module = lower::lower(machine, &style, &code.options);
    // The user's modules are imported, and they use the names of the prelude as everyone does.
    module.env.in_file = true;
    let lowering = Lowering::new(machine, &style, &code.options);
    let test = Test { machine, holds: holds_ident(&module), lowering, module, code, has_held: Cell::default() };
    test.check(past)?;
    let steps: Vec<&Past> = past.iter().filter(|it| test.has_method(it)).collect();
    let Some(first) = steps.first() else {
        return Err("the emitted types have no methods for these steps, so there is nothing to test".into());
    };
    let import = test.expand_import(model)?;
    let name = format_ident!("a_way_through_{}", snake(&machine.name));
    let start = test.expand_start(first);
    let n_steps = steps.len();
    let steps = steps.iter().enumerate().map(|(idx, it)| test.expand_step(it, idx + 1 == n_steps));
    let predicates = test.expand_predicates();
    let steps: TokenStream = start.into_iter().chain(steps).collect();
    let facade = &test.module.env.facade;
    let held = test.has_held.get().then(|| {
        quote! {
            /// The value in the type that holds it.
            fn held<T, H: #facade::Holds<T>>(value: T) -> H {
                H::store(value).unwrap()
            }
        }
    });
    let items = quote! {
        #[test]
        fn #name() {
            #import

            #predicates
            #held
            #steps
        }
    };
    let text = items_text(&[], items).map_err(|it| it.to_string())?;
    Ok(format!("// {}\n{text}", code.place))
}

/// The name of the type that implements the predicates; no type of the module has it.
fn holds_ident(module: &ir::Machine) -> Ident {
    let mut unique = UniqueNames::besides(TYPES.iter().copied().chain(["Context"]));
    unique.reserve(&module.types.machine);
    module.enums.iter().for_each(|it| unique.reserve(&it.ident));
    module.orders.iter().for_each(|it| unique.reserve(&it.item));
    unique.reserve(&module.types.state);
    unique.claim("Holds".into())
}

/// The greatest reference of a type; `None` if the type is no number.
fn greatest(ty: &str) -> Option<u64> {
    Some(match ty {
        "i8" => i8::MAX as u64,
        "u8" => u8::MAX.into(),
        "i16" => i16::MAX as u64,
        "u16" => u16::MAX.into(),
        "i32" => i32::MAX as u64,
        "u32" => u32::MAX.into(),
        "i64" | "isize" => i64::MAX as u64,
        "u64" | "usize" | "i128" | "u128" => u64::MAX,
        _ => return None,
    })
}

struct Test<'m> {
    machine: &'m Machine,
    lowering: Lowering<'m>,
    module: ir::Machine,
    /// The type that implements the predicates.
    holds: Ident,
    code: &'m Code,
    /// Whether a value is in a type of the user.
    has_held: Cell<bool>,
}

impl Test<'_> {
    /// Refuses steps with values that a test cannot write.
    fn check(&self, past: &[Past]) -> Result<(), String> {
        let Machine = &self.module.types.machine;
        if !self.module.has_machine() {
            let how = match self.module.form {
                Form::Enum(_) if self.module.has_context() => "the option `context` of the derive adds a machine with the context",
                _ => "the derive omits it",
            };
            return Err(format!("`{Machine}` has no `apply`: {how}; `test checked-in` needs no derive"));
        }
        let values = past.iter().flat_map(|it| {
            let context = it.before.iter().chain(it.outcome.as_ref().ok()).flat_map(|it| &it.context);
            it.payload.iter().chain(context).chain(it.given.iter().map(|it| &it.1))
        });
        let references: Vec<u64> = values.filter_map(|it| if let Value::Reference(it) = it { Some(*it) } else { None }).collect();
        let ty = self.lowering.own_reference().cloned().unwrap_or_else(|| self.lowering.default_reference()).to_string();
        match (greatest(&ty), references.iter().max()) {
            (None, Some(_)) => Err(format!("the references of `{Machine}` are of type `{ty}`, and a test knows no values of it")),
            (Some(greatest), Some(number)) if *number > greatest => {
                Err(format!("the references of `{Machine}` are of type `{ty}`, into which {number} does not fit"))
            }
            _ => Ok(()),
        }
    }

    /// Whether the emitted types can express the step. A machine without transitions on events has no `apply`, and a
    /// direct transition needs a machine.
    fn has_method(&self, past: &Past) -> bool {
        match (past.request, &past.before) {
            (Request::Event(_), Some(_)) => self.module.dispatch.is_some(),
            (Request::Event(_), None) => self.module.creation.is_some() && self.module.has_part(Part::New),
            (Request::Direct(_), Some(_)) => self.module.direct.is_some(),
            (Request::Direct(_), None) => false,
        }
    }

    /// The module of the machine, or that of the type with the derive.
    fn expand_import(&self, model: &Model) -> Result<TokenStream, String> {
        let wrong = |it: syn::Error| format!("`{}` is no path of a module: {it}", self.code.module);
        let around: syn::Path = syn::parse_str(&self.code.module).map_err(wrong)?;
        let module = ModuleNames::of(model).of_name(&self.machine.name);
        Ok(match self.code.kind {
            Kind::Derive => quote! { use #around::*; },
            Kind::BuildScript | Kind::CheckedIn => quote! { use #around::#module::*; },
        })
    }

    /// The machine before its first step, unless that creates it.
    fn expand_start(&self, first: &Past) -> Option<TokenStream> {
        let instance = first.before.as_ref()?;
        let Machine = &self.module.types.machine;
        let is_new = self.module.has_part(Part::New)
            && self.module.creation.is_none()
            && Instance::start(self.machine, &[]).is_ok_and(|it| it == *instance);
        let (state, context) = (self.expand_configuration(&instance.configuration), &instance.context);
        let unwrap = self.module.starts_by_conversion().then(|| quote! { .unwrap() });
        let value = match (&self.module.form, is_new) {
            (Form::Enum(_), _) => state,
            (Form::Struct(own), true) => {
                let values = own.own.iter().map(|_| quote! { Default::default() });
                quote! { #Machine::new(#(#values),*) #unwrap }
            }
            (Form::Struct(own), false) => self.expand_struct(own, &state, context),
            (Form::Module | Form::Around(_), true) => quote! { #Machine::new() #unwrap },
            (Form::Module | Form::Around(_), false) => {
                let context = self.module.has_context().then(|| self.expand_context(context));
                quote! { #Machine::restore(#state, #context) }
            }
        };
        Some(quote! { let mut machine: #Machine = #value; })
    }

    /// The user's struct; the fields that the spec does not know have their defaults.
    fn expand_struct(&self, own: &OwnStruct, state: &TokenStream, context: &[Value]) -> TokenStream {
        let (Machine, state_field) = (&self.module.types.machine, &own.state);
        let fields = self.expand_fields(context);
        let others = own.own.iter().map(|(name, _)| quote! { #name: Default::default() });
        quote! { #Machine { #state_field: #state, #(#fields,)* #(#others,)* } }
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
            // The user's struct may not implement `Debug`, and its module may have a `Result` of its own.
            (Err(text), None) => quote! {
                let refused = #call.map(|(machine, _): (#Machine, _)| machine).err().unwrap();
                assert_eq!(format!("{refused}"), #text);
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
            (Request::Event(event), Some(_)) if self.machine.timer(event).is_some() => {
                let (Recorded, variant) = (self.expand_event_ty(&self.module.types.event), self.lowering.event(event));
                quote! { machine.replay(#Recorded::#variant, #holds) }
            }
            (Request::Event(event), Some(_)) => {
                let event = self.expand_event(event, &past.payload);
                quote! { machine.apply(#event, #holds) }
            }
            (Request::Event(event), None) => {
                let event = self.expand_event(event, &past.payload);
                match &self.module.form {
                    Form::Struct(own) if past.given.is_empty() => {
                        let values = own.own.iter().map(|_| quote! { Default::default() });
                        quote! { #Machine::create(#(#values,)* #event, #holds) }
                    }
                    Form::Struct(own) => {
                        let initial = self.expand_configuration(&self.machine.initial());
                        let machine = self.expand_struct(own, &initial, &self.given(&past.given));
                        quote! { #machine.create_with(#event, #holds) }
                    }
                    _ if past.given.is_empty() => quote! { #Machine::create(#event, #holds) },
                    _ => {
                        let context = self.expand_context(&self.given(&past.given));
                        quote! { #Machine::create_with(#context, #event, #holds) }
                    }
                }
            }
        }
    }

    fn expand_event(&self, id: EventId, payload: &[Value]) -> TokenStream {
        let (Event, variant) = (self.expand_event_ty(&self.module.types.input), self.lowering.event(id));
        let fields = &self.machine.event(id).payload;
        let values = fields.iter().zip(self.lowering.payload(fields)).zip(payload).map(|((field, (ident, _)), value)| {
            let value = self.expand_held(field, self.lowering.own_payload(field), value);
            quote! { #ident: #value }
        });
        let payload = (!fields.is_empty()).then(|| quote! { { #(#values),* } });
        quote! { #Event::#variant #payload }
    }

    /// A type of events before `::`. The type of references cannot be inferred if only events have references.
    fn expand_event_ty(&self, Event: &Ident) -> TokenStream {
        let generics = &self.module.generics;
        let text = generics.of_event.text.then(|| quote! { &str, });
        let reference = (generics.of_event.reference && !generics.of_context.reference).then(|| quote! { ::<#text u64> });
        quote! { #Event #reference }
    }

    /// The state, and the fields that changed.
    fn expand_after(&self, before: Option<&Instance>, after: &Instance) -> TokenStream {
        let fields = self.machine.fields.iter().zip(&self.module.fields).zip(&after.context).enumerate();
        let changed = fields.filter(|(idx, (_, value))| before.is_none_or(|it| it.context.get(*idx) != Some(value)));
        let fields = changed.map(|(idx, ((field, names), value))| {
            let own = self.lowering.own_field(FieldId::new(idx));
            let (ident, expected) = (&names.ident, self.expand_held(field, own, value));
            let place = match &self.module.form {
                Form::Struct(_) => quote! { machine.#ident },
                Form::Module | Form::Enum(_) | Form::Around(_) => quote! { machine.context().#ident },
            };
            match value {
                Value::Bool(true) if !field.optional => quote! { assert!(#place); },
                Value::Bool(false) if !field.optional => quote! { assert!(!#place); },
                Value::Null if self.is_own_text(field) => quote! { assert!(#place.is_none()); },
                _ if self.is_own_text(field) => {
                    let place = self.expand_text(field, ident, &place);
                    quote! { assert_eq!(#place, #expected); }
                }
                _ => quote! { assert_eq!(#place, #expected); },
            }
        });
        let held = match &self.module.form {
            Form::Enum(_) => quote! { machine },
            _ => quote! { machine.state() },
        };
        let state = match self.machine.has_regions() {
            true => {
                let text = self.machine.configuration_text(&after.configuration);
                quote! { assert_eq!(#held.to_string(), #text); }
            }
            false => {
                let state = self.lowering.state_path(after.configuration.first());
                quote! { assert_eq!(#held, #state); }
            }
        };
        quote! {
            #state
            #(#fields)*
        }
    }

    /// What the machine is in; several leaves are read from their text.
    fn expand_configuration(&self, configuration: &Configuration) -> TokenStream {
        match self.machine.has_regions() {
            true => {
                let text = self.machine.configuration_text(configuration);
                quote! { #text.parse().unwrap() }
            }
            false => self.lowering.state_path(configuration.first()),
        }
    }

    /// Whether a field is a text of a type that the user chose.
    fn is_own_text(&self, field: &Field) -> bool {
        field.ty == Type::Text && matches!(self.module.form, Form::Struct(_))
    }

    /// A text of the user's struct as `&str`.
    fn expand_text(&self, field: &Field, ident: &Ident, place: &TokenStream) -> TokenStream {
        match (self.code.strings.contains(&ident.to_string()), field.optional) {
            (true, true) => quote! { #place.as_deref() },
            (true, false) => place.clone(),
            (false, true) => quote! { #place.as_ref().map(AsRef::<str>::as_ref) },
            (false, false) => quote! { AsRef::<str>::as_ref(&#place) },
        }
    }

    fn expand_context(&self, values: &[Value]) -> TokenStream {
        let Context = &self.module.types.context;
        let fields = self.expand_fields(values);
        quote! { #Context { #(#fields),* } }
    }

    /// `field: value` of every field of the context.
    fn expand_fields(&self, values: &[Value]) -> Vec<TokenStream> {
        let fields = self.machine.fields.iter().zip(&self.module.fields).zip(values).enumerate();
        fields
            .map(|(idx, ((field, names), value))| {
                let ident = &names.ident;
                let value = match value {
                    Value::Text(text) if self.is_own_text(field) => {
                        let text = quote! { #text.into() };
                        if field.optional {
                            quote! { Some(#text) }
                        } else {
                            text
                        }
                    }
                    value => self.expand_held(field, self.lowering.own_field(FieldId::new(idx)), value),
                };
                quote! { #ident: #value }
            })
            .collect()
    }

    /// The context of a machine to create: the given values, and defaults for the other fields.
    fn given(&self, given: &[(FieldId, Value)]) -> Vec<Value> {
        let value = |(idx, field): (usize, &Field)| {
            let own = given.iter().find(|it| it.0 == FieldId::new(idx)).map(|it| it.1.clone());
            own.or_else(|| field.default.as_ref().and_then(|it| it.to_value())).unwrap_or(Value::Null)
        };
        self.machine.fields.iter().enumerate().map(value).collect()
    }

    /// A value in the type of the user that holds it, if there is one.
    fn expand_held(&self, field: &Field, own: Option<&TokenStream>, value: &Value) -> TokenStream {
        let Some(own) = own.filter(|_| *value != Value::Null) else { return self.expand_value(field, value) };
        if let Value::Int(number) = value
            && let Some(number) = integer(&own.to_string(), *number)
        {
            return self.expand(&some_if(field.optional, number));
        }
        let value = self.expand_value(&Field { optional: false, ..field.clone() }, value);
        self.has_held.set(true);
        self.expand(&some_if(field.optional, Expr::Path(quote! { held(#value) })))
    }

    /// A value as a Rust expression.
    fn expand_value(&self, field: &Field, value: &Value) -> TokenStream {
        let literal = match value {
            Value::Null => Literal::Null,
            Value::Bool(it) => Literal::Bool(*it),
            Value::Int(it) => Literal::Int(*it),
            Value::Decimal(it) => Literal::Decimal(*it),
            Value::Text(it) => Literal::Text(it.clone()),
            Value::Duration(it) => Literal::Duration(*it),
            Value::Timestamp(it) => Literal::Timestamp(*it),
            Value::State(it) => Literal::State(*it),
            Value::Enum(id, idx) => Literal::Enum(*id, *idx),
            Value::Reference(it) => {
                let number = Number::u64_unsuffixed(*it);
                return self.expand(&some_if(field.optional, Expr::Path(quote! { #number })));
            }
        };
        self.expand(&self.lowering.optional_literal(&literal, field.optional))
    }

    fn expand(&self, value: &Expr) -> TokenStream {
        expand_value(value, &self.module.env)
    }

    /// The predicates' implementation, if guards ask predicates.
    fn expand_predicates(&self) -> Option<TokenStream> {
        if self.module.predicates.is_empty() {
            return None;
        }
        let (Holds, Predicates) = (&self.holds, &self.module.types.predicates);
        let Context = match &self.module.form {
            Form::Struct(_) => &self.module.types.machine,
            Form::Module | Form::Enum(_) | Form::Around(_) => &self.module.types.context,
        };
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
