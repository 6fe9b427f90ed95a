//! Glue with which tests drive emitted machines by name: values of the interpreter in, states,
//! contexts and effects out.
//!
//! The traits it implements (`Drive`, `DriveSystem`) are written by hand in `tests/support`; the
//! emitted part only says which field is which.

mod system;

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::rust::form::{Form, OwnEnum, OwnStruct, Shape};
use super::rust::{Module, Style};
use crate::model::machine::{Field, Machine};
use crate::model::{Model, Type};
use crate::names::{ident, snake};
use crate::output::{Blame, Output};

/// Whose types are driven.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Types {
    /// Those of emitted modules.
    Emitted,
    /// Structs with a derive: the context as fields, the state in `state`, no prefix.
    Structs,
    /// Enums with a derive, called `State`, without a prefix; machines with a context are left out.
    Enums,
}

impl Types {
    /// The machine as these types hold it; `None` where they do not.
    fn module<'m>(self, machine: &'m Machine, style: &'m Style) -> Option<Module<'m>> {
        let emitted = Module::new(machine, style);
        let form = match self {
            Types::Emitted => return Some(emitted),
            Types::Structs => Form::Struct(OwnStruct {
                state: ident("state"),
                fields: emitted.fields.clone(),
                reference: machine.fields.iter().any(|it| it.ty == Type::Reference).then(|| quote! { u64 }),
                own: Vec::new(),
            }),
            Types::Enums if emitted.has_context() => return None,
            Types::Enums => Form::Enum(OwnEnum {
                variants: emitted.leaves.iter().map(|it| emitted.states[it.index()].clone()).collect(),
                in_order: true,
            }),
        };
        let mut module = Module::in_shape(machine, style, Shape { form, ..Shape::default() });
        if self == Types::Structs {
            module.ident = emitted.ident;
        }
        Some(module)
    }
}

/// The file that drives all machines with a derive.
///
/// # Errors
///
/// Where emitted tokens are not Rust, which no spec should bring about.
pub fn derived_file(model: &Model, path: &str, crate_path: &str, types: Types) -> Result<Output, syn::Error> {
    let krate: TokenStream = crate_path.parse().unwrap_or_default();
    let style = Style::default();
    let modules: Vec<_> = model.machines.iter().filter_map(|it| types.module(it, &style)).collect();
    let path_of = |module: &Module<'_>| {
        let name = ident(&snake(&module.machine.name));
        quote! { #krate::#name }
    };
    let tys = modules.iter().map(|it| machine_ty(it, &path_of(it)));
    let machines = modules.iter().map(|it| expand_module(it, &path_of(it)));
    let items = quote! {
        use crate::support::*;

        /// Visits every machine.
        pub(crate) fn each_machine(visit: &mut impl VisitMachines) {
            #(visit.machine::<#tys>();)*
        }

        #(#machines)*
    };
    let text = super::rust::items_text(&["Drives every type with a derive by name.".into()], items)?;
    Ok(Output { path: path.to_owned(), text, origin: None, blame: Blame::default() })
}

/// The file that drives all machines and systems; their modules are in `crate_path`, such as `::machines`.
///
/// # Errors
///
/// Where emitted tokens are not Rust, which no spec should bring about.
pub fn file(model: &Model, path: &str, crate_path: &str) -> Result<Output, syn::Error> {
    let krate: TokenStream = crate_path.parse().unwrap_or_default();
    let style = Style::default();
    let machines = model.machines.iter().map(|machine| {
        let module = ident(&snake(&machine.name));
        expand_machine(machine, &quote! { #krate::#module }, &style)
    });
    let types = model.machines.iter().map(|machine| {
        let module = ident(&snake(&machine.name));
        machine_ty(&Module::new(machine, &style), &quote! { #krate::#module })
    });
    let systems = model.systems.iter().map(|it| system::expand_system(model, it, &krate, &style));
    let system_types = model.systems.iter().map(system::unit_ident);
    let items = quote! {
        use crate::support::*;

        /// Visits every machine.
        pub(crate) fn each_machine(visit: &mut impl VisitMachines) {
            #(visit.machine::<#types>();)*
        }

        /// Visits every system.
        pub(crate) fn each_system(visit: &mut impl VisitSystems) {
            #(visit.system::<#system_types>();)*
        }

        #(#machines)*
        #(#systems)*
    };
    let text = super::rust::items_text(&["Drives every emitted machine and system by name.".into()], items)?;
    Ok(Output { path: path.to_owned(), text, origin: None, blame: Blame::default() })
}

/// `::machines::mysis::Mysis<String, u64>`, as far as it has parameters.
pub(super) fn machine_ty(module: &Module<'_>, path: &TokenStream) -> TokenStream {
    let ident = &module.ident;
    let arguments = arguments(module.context_has(&Type::Text), module.context_has(&Type::Reference));
    quote! { #path::#ident #arguments }
}

pub(super) fn arguments(text: bool, reference: bool) -> TokenStream {
    match (text, reference) {
        (false, false) => quote! {},
        (true, false) => quote! { <String> },
        (false, true) => quote! { <u64> },
        (true, true) => quote! { <String, u64> },
    }
}

/// Everything that one machine needs to be driven; its module is at `path`.
pub fn expand_machine(machine: &Machine, path: &TokenStream, style: &Style) -> TokenStream {
    expand_module(&Module::new(machine, style), path)
}

fn expand_module(module: &Module<'_>, path: &TokenStream) -> TokenStream {
    let drive = expand_drive(module, path);
    let predicates = expand_predicates(module, path);
    let effects = expand_effects(module, path);
    quote! { #drive #predicates #effects }
}

fn expand_drive(module: &Module<'_>, path: &TokenStream) -> TokenStream {
    let ty = machine_ty(module, path);
    let event = if module.has_events() {
        let lifetime = module.payload_has(&Type::Text).then(|| quote! { 'v, });
        let reference = module.payload_has(&Type::Reference).then(|| quote! { u64 });
        let parameters = (lifetime.is_some() || reference.is_some()).then(|| quote! { <#lifetime #reference> });
        quote! { #path::Event #parameters }
    } else {
        quote! { ::statespec::Never }
    };
    let make_event = expand_event(module, path);
    let restore = expand_restore(module, path);
    let context = expand_context_values(module);
    let holds = module.has_predicates().then(|| quote! { holds });
    let ignored = if module.has_predicates() {
        quote! { holds }
    } else {
        quote! { _holds }
    };
    let start = match module.own_enum() {
        Some(_) => quote! { Self::INITIAL },
        None => quote! { Self::new() },
    };
    let creation = if module.has_birth() {
        let arguments = holds.clone().map(|it| quote! { , #it });
        quote! {
            fn create(event: Self::Event<'_>, #ignored: &Holds) -> Result<(Self, ::statespec::Change<Self::State>), ::statespec::Refused<Self::State>> {
                Self::born(event #arguments)
            }
        }
    } else {
        quote! {
            fn start() -> Option<Self> {
                Some(#start)
            }
        }
    };
    let apply = module.has_dispatch().then(|| {
        let arguments = holds.clone().map(|it| quote! { , #it });
        quote! {
            fn raise(&mut self, event: Self::Event<'_>, #ignored: &Holds) -> Result<::statespec::Change<Self::State>, ::statespec::Refused<Self::State>> {
                self.apply(event #arguments)
            }
        }
    });
    let direct = module.has_wishes().then(|| {
        let arguments = holds.clone().map(|it| quote! { , #it });
        quote! {
            fn go_to(&mut self, to: Self::State, #ignored: &Holds) -> Result<::statespec::Change<Self::State>, ::statespec::Refused<Self::State>> {
                self.transition_to(to #arguments)
            }
        }
    });
    let run = expand_run(module);
    quote! {
        impl Drive for #ty {
            type State = #path::State;
            type Event<'v> = #event;

            #make_event
            #restore
            #context
            #creation
            #apply
            #direct
            #run
        }
    }
}

fn expand_run(module: &Module<'_>) -> Option<TokenStream> {
    if !module.has_effects() {
        return None;
    }
    let holds = module.has_predicates().then(|| quote! { , holds });
    let ignored = if module.has_predicates() {
        quote! { holds }
    } else {
        quote! { _holds }
    };
    let run = module.has_dispatch().then(|| {
        quote! {
            fn run_event(&mut self, event: Self::Event<'_>, #ignored: &Holds, log: &mut Log) -> Result<::statespec::Change<Self::State>, ::statespec::RunError<Self::State, String>> {
                self.run(event #holds, log)
            }
        }
    });
    let run_to = module.has_wishes().then(|| {
        quote! {
            fn run_direct(&mut self, to: Self::State, #ignored: &Holds, log: &mut Log) -> Result<::statespec::Change<Self::State>, ::statespec::RunError<Self::State, String>> {
                self.run_to(to #holds, log)
            }
        }
    });
    Some(quote! { #run #run_to })
}

/// The event with this name, its payload taken from values.
fn expand_event(module: &Module<'_>, path: &TokenStream) -> TokenStream {
    if !module.has_events() {
        return quote! {
            fn event<'v>(_name: &str, _payload: &Values<'v>) -> Option<Self::Event<'v>> {
                None
            }
        };
    }
    let arms = module.machine.events.iter().zip(&module.events).map(|(event, variant)| {
        let name = &event.name;
        let idents = module.field_idents(&event.payload);
        let fields = event.payload.iter().zip(&idents).enumerate().map(|(idx, (field, ident))| {
            let value = expand_from_value(field, idx, &quote! { payload });
            quote! { #ident: #value }
        });
        let fields = (!event.payload.is_empty()).then(|| quote! { { #(#fields),* } });
        quote! { #name => #path::Event::#variant #fields }
    });
    let payload = if module.has_payload() {
        quote! { payload }
    } else {
        quote! { _payload }
    };
    quote! {
        fn event<'v>(name: &str, #payload: &Values<'v>) -> Option<Self::Event<'v>> {
            Some(match name {
                #(#arms,)*
                _ => return None,
            })
        }
    }
}

fn expand_restore(module: &Module<'_>, path: &TokenStream) -> TokenStream {
    let state = match module.own_enum() {
        Some(_) => quote! { *self },
        None => quote! { self.state() },
    };
    let now = quote! {
        fn state_now(&self) -> Self::State {
            #state
        }
    };
    if !module.has_context() {
        let machine = match module.shape.form {
            Form::Emitted => quote! { Self::restore(state) },
            Form::Struct(_) => quote! { Self { state } },
            Form::Enum(_) => quote! { state },
        };
        return quote! {
            fn at(state: Self::State, _context: &Values<'_>) -> Self {
                #machine
            }

            #now
        };
    }
    let fields = module.machine.fields.iter().zip(&module.fields).enumerate().map(|(idx, (field, ident))| {
        let value = expand_from_value(field, idx, &quote! { context });
        quote! { #ident: #value }
    });
    let machine = match module.own_struct() {
        Some(_) => quote! { Self { state, #(#fields),* } },
        None => quote! { Self::restore(state, #path::Context { #(#fields),* }) },
    };
    quote! {
        fn at(state: Self::State, context: &Values<'_>) -> Self {
            #machine
        }

        #now
    }
}

fn expand_context_values(module: &Module<'_>) -> Option<TokenStream> {
    if !module.has_context() {
        return None;
    }
    let values = module.machine.fields.iter().zip(&module.fields).map(|(field, ident)| {
        let place = match module.own_struct() {
            Some(_) => quote! { self.#ident },
            None => quote! { self.context().#ident },
        };
        expand_to_value(field, &place)
    });
    let machine = if uses_states(&module.machine.fields) {
        quote! { machine }
    } else {
        quote! { _machine }
    };
    Some(quote! {
        fn context_now(&self, #machine: &::statespec_codegen::model::Machine) -> Vec<::statespec_codegen::model::Value> {
            vec![#(#values),*]
        }
    })
}

fn uses_states(fields: &[Field]) -> bool {
    fields.iter().any(|it| it.ty == Type::State)
}

/// Reads the value at a position.
fn expand_from_value(field: &Field, idx: usize, values: &TokenStream) -> TokenStream {
    let idx = proc_macro2::Literal::usize_unsuffixed(idx);
    match (&field.ty, field.optional) {
        (Type::State, false) => quote! { #values.state(#idx) },
        (Type::State, true) => quote! { #values.optional_state(#idx) },
        (Type::Enum(_), false) => quote! { #values.choice(#idx) },
        (Type::Enum(_), true) => quote! { #values.optional_choice(#idx) },
        _ => quote! { #values.get(#idx) },
    }
}

/// Makes a value of a place.
fn expand_to_value(field: &Field, place: &TokenStream) -> TokenStream {
    match (&field.ty, field.optional) {
        (Type::State, false) => quote! { state_value(machine, Some(#place)) },
        (Type::State, true) => quote! { state_value(machine, #place) },
        (Type::Enum(id), optional) => {
            let id = proc_macro2::Literal::u32_unsuffixed(id.0);
            let place = if optional {
                quote! { #place }
            } else {
                quote! { Some(#place) }
            };
            quote! { choice_value(#id, #place) }
        }
        _ => quote! { value(&#place) },
    }
}

pub(crate) fn expand_predicates(module: &Module<'_>, path: &TokenStream) -> Option<TokenStream> {
    if !module.has_predicates() {
        return None;
    }
    let arguments = arguments(module.context_has(&Type::Text), module.predicates_need_reference());
    let context_arguments = arguments_of_context(module);
    let context_ty = match module.own_struct() {
        Some(_) => machine_ty(module, path),
        None => quote! { #path::Context #context_arguments },
    };
    let context = module.has_context().then(|| quote! { _: &#context_ty, });
    let methods = module.machine.predicates.iter().zip(&module.predicates).enumerate().map(|(idx, (predicate, method))| {
        let name = &predicate.name;
        let event = module.predicate_takes_event(crate::model::PredicateId::new(idx)).then(|| {
            let lifetime = module.payload_has(&Type::Text).then(|| quote! { '_, });
            let reference = module.payload_has(&Type::Reference).then(|| quote! { u64 });
            let parameters = (lifetime.is_some() || reference.is_some()).then(|| quote! { <#lifetime #reference> });
            quote! { _: &#path::Event #parameters }
        });
        quote! {
            fn #method(&self, #context #event) -> bool {
                self.holds(#name)
            }
        }
    });
    Some(quote! {
        impl #path::Predicates #arguments for Holds {
            #(#methods)*
        }
    })
}

fn arguments_of_context(module: &Module<'_>) -> TokenStream {
    arguments(module.context_has(&Type::Text), module.context_has(&Type::Reference))
}

fn expand_effects(module: &Module<'_>, path: &TokenStream) -> Option<TokenStream> {
    if !module.has_effects() {
        return None;
    }
    let arguments = arguments(module.context_has(&Type::Text), module.effects_need_reference());
    let machine = machine_ty(module, path);
    let methods = module.machine.effects.iter().zip(&module.effect_methods).map(|(effect, method)| {
        let name = &effect.name;
        let idents: Vec<Ident> = module.field_idents(&effect.payload).iter().map(|it| module.local(it)).collect();
        let parameters = effect.payload.iter().zip(&idents).map(|(field, ident)| {
            let ty = expand_argument_ty(module, field, path);
            quote! { #ident: #ty }
        });
        let message = effect.message.is_some().then(|| quote! { message: ::core::fmt::Arguments<'_> });
        let parameters = parameters.chain(message);
        let payload = effect.payload.iter().zip(&idents).map(|(field, ident)| match field.ty {
            // The log has no machine at hand: states are told by name.
            Type::State | Type::Enum(_) if field.optional => quote! { value(&#ident.map(|it| it.to_string())) },
            Type::State | Type::Enum(_) => quote! { value(&#ident.to_string()) },
            _ => quote! { value(&#ident) },
        });
        let message = if effect.message.is_some() {
            quote! { Some(message.to_string()) }
        } else {
            quote! { None }
        };
        quote! {
            fn #method(&mut self, #(#parameters),*) -> Result<(), String> {
                self.perform(Effect { name: #name, payload: vec![#(#payload),*], message: #message })
            }
        }
    });
    Some(quote! {
        impl #path::Effects #arguments for Log {
            type Error = String;

            fn store(&mut self, _: &#machine, _: &#path::Change) -> Result<(), String> {
                self.write()
            }

            #(#methods)*
        }
    })
}

fn expand_argument_ty(module: &Module<'_>, field: &Field, path: &TokenStream) -> TokenStream {
    let ty = match &field.ty {
        Type::Reference => quote! { u64 },
        Type::State => quote! { #path::State },
        Type::Enum(id) => {
            let ident = &module.enums[id.index()];
            quote! { #path::#ident }
        }
        Type::Text => quote! { &str },
        ty => module.ty(ty, super::rust::types::Place::Argument),
    };
    if field.optional {
        quote! { Option<#ty> }
    } else {
        ty
    }
}
