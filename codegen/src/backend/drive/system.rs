//! Glue for systems: a unit of work in memory, and transactions by name.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::machine_ty;
use crate::backend::rust::Style;
use crate::backend::rust::system::{Instances, Scope};
use crate::model::system::Transaction;
use crate::model::{Model, PartId, System, Type};
use crate::names::{ident, snake, upper_camel};

/// What the unit of work of a system is called.
pub(super) fn unit_ident(system: &System) -> Ident {
    format_ident!("{}InMemory", upper_camel(&system.name))
}

/// Everything that one system needs to be driven.
pub(super) fn expand_system(model: &Model, system: &System, krate: &TokenStream, style: &Style) -> TokenStream {
    let scope = Scope::new(model, system, style);
    let unit = unit_ident(system);
    let module = ident(&snake(&system.name));
    let path = quote! { #krate::#module };
    let parts: Vec<PartId> = system.part_ids().collect();
    let fields = &scope.parts;
    let types: Vec<TokenStream> = parts.iter().map(|part| part_ty(&scope, *part, krate)).collect();
    let methods = parts.iter().map(|part| expand_methods(&scope, *part, krate));
    let text = scope.keeps_text().then(|| quote! { type Text = String; });
    let name = &system.name;
    let calls = system.transactions.iter().zip(&scope.transactions).map(|(it, function)| expand_call(&scope, it, function, &path));
    let named = system.transactions.iter().map(|it| {
        let name = &it.name;
        let named = Instances::of(&scope, it).named;
        let named = named.iter().map(|part| &scope.part(*part).name);
        quote! { #name => &[#(#named),*] }
    });
    let part_names: Vec<&String> = system.parts.iter().map(|it| &it.name).collect();
    let machines: Vec<&str> = parts.iter().map(|part| scope.machine(*part).machine.name.as_str()).collect();
    let invariants = (!system.invariants.is_empty()).then(|| {
        quote! {
            fn check(&mut self) -> Result<(), String> {
                #path::check_invariants(self).map_err(|it| it.to_string())
            }
        }
    });
    quote! {
        /// A unit of work in memory.
        #[derive(Debug, Default)]
        pub(crate) struct #unit {
            log: Log,
            #(#fields: Kept<#types>,)*
        }

        impl ::statespec::Unit for #unit {
            type Key = u64;
            type Error = String;

            fn begin(&mut self) -> Result<(), String> {
                #(self.#fields.begin();)*
                Ok(())
            }

            fn commit(&mut self, order: ::statespec::Commit) -> Result<(), String> {
                let written = self.log.write();
                if written.is_ok() || order == ::statespec::Commit::MemoryFirst {
                    #(self.#fields.commit();)*
                }
                written
            }

            fn rollback(&mut self) {
                #(self.#fields.begin();)*
            }
        }

        impl #path::UnitOfWork for #unit {
            #text
            #(#methods)*
        }

        impl DriveSystem for #unit {
            const SYSTEM: &'static str = #name;

            fn log(&mut self) -> &mut Log {
                &mut self.log
            }

            fn named(transaction: &str) -> &'static [&'static str] {
                match transaction {
                    #(#named,)*
                    _ => &[],
                }
            }

            fn run(&mut self, transaction: &str, chosen: &Numbers, payload: &SystemValues<'_>) -> Result<(), String> {
                let _ = (chosen, payload);
                match transaction {
                    #(#calls,)*
                    _ => panic!("there is no such transaction"),
                }
            }

            fn instances(&self, part: &str, model: &::statespec_codegen::model::Model) -> Instances {
                match part {
                    #(#part_names => self.#fields.told(model, #machines),)*
                    _ => panic!("there is no such part"),
                }
            }

            #invariants
        }
    }
}

fn part_ty(scope: &Scope<'_>, part: PartId, krate: &TokenStream) -> TokenStream {
    let module = ident(&snake(&scope.machine(part).machine.name));
    machine_ty(scope.machine(part), &quote! { #krate::#module })
}

/// The methods of the unit of work for one part.
fn expand_methods(scope: &Scope<'_>, part: PartId, krate: &TokenStream) -> TokenStream {
    let (declared, machine) = (scope.part(part), scope.machine(part));
    let (field, name) = (&scope.parts[part.index()], &declared.name);
    let ty = part_ty(scope, part, krate);
    let module = ident(&snake(&machine.machine.name));
    let (load, save) = (scope.method("load", part), scope.method("save", part));
    let (parameter, key) = if declared.many { (Some(quote! { key: u64, }), quote! { key }) } else { (None, quote! { 1 }) };
    let own_key = (!declared.many && scope.needs_key(part)).then(|| {
        let method = scope.part_method(part, "key");
        quote! {
            fn #method(&mut self) -> Result<u64, String> {
                Ok(1)
            }
        }
    });
    let new_key = (declared.many && machine.has_birth()).then(|| {
        let method = scope.method("new", part);
        quote! {
            fn #method(&mut self) -> Result<u64, String> {
                Ok(self.#field.next_key())
            }
        }
    });
    let in_invariants = scope.system.invariants.iter().any(|it| it.require.parts().contains(&part));
    let next = (declared.many && in_invariants).then(|| {
        let method = scope.method("next", part);
        quote! {
            fn #method(&mut self, after: Option<u64>) -> Result<Option<(u64, #ty)>, String> {
                Ok(self.#field.after(after))
            }
        }
    });
    let perform = machine.has_effects().then(|| {
        let method = scope.method("perform", part);
        let (event, argument) = if machine.effects_take_event() {
            let lifetime = machine.payload_has(&Type::Text).then(|| quote! { '_, });
            let reference = machine.payload_has(&Type::Reference).then(|| quote! { u64 });
            let parameters = (lifetime.is_some() || reference.is_some()).then(|| quote! { <#lifetime #reference> });
            let argument = if machine.has_wishes() {
                quote! { Some(event), }
            } else {
                quote! { event, }
            };
            (Some(quote! { event: &#krate::#module::Event #parameters, }), Some(argument))
        } else {
            (None, None)
        };
        let arguments = super::arguments(machine.context_has(&Type::Text), machine.effects_need_reference());
        // The log is a host of machines with other parameters as well.
        let host = (!arguments.is_empty()).then(|| {
            let text = machine.context_has(&Type::Text).then(|| quote! { String, });
            let reference = perform_has_reference(machine).then(|| quote! { u64, });
            quote! { ::<#text #reference _> }
        });
        quote! {
            fn #method(&mut self, #parameter #event effect: #krate::#module::Effect) -> Result<(), String> {
                self.log.speak_of(#name, #key);
                effect.perform #host (#argument &mut self.log)
            }
        }
    });
    let predicates = machine.has_predicates().then(|| {
        let (ty, method) = (scope.predicates_ty(part), scope.part_method(part, "predicates"));
        quote! {
            type #ty = Holds;

            fn #method(&mut self) -> Result<Holds, String> {
                Ok(self.log.holds.clone())
            }
        }
    });
    quote! {
        #own_key
        #new_key
        fn #load(&mut self, #parameter) -> Result<Option<#ty>, String> {
            Ok(self.#field.get(#key))
        }
        fn #save(&mut self, #parameter before: Option<&#ty>, after: &#ty) -> Result<(), String> {
            self.#field.put(#key, before, after)
        }
        #next
        #perform
        #predicates
    }
}

fn perform_has_reference(machine: &crate::backend::rust::Module<'_>) -> bool {
    (machine.effects_take_event() && machine.payload_has(&Type::Reference)) || machine.effects_need_reference()
}

fn expand_call(scope: &Scope<'_>, transaction: &Transaction, function: &Ident, path: &TokenStream) -> TokenStream {
    let name = &transaction.name;
    let instances = Instances::of(scope, transaction);
    let keys = instances.named.iter().map(|part| {
        let name = &scope.part(*part).name;
        quote! { chosen.number(#name) }
    });
    let inputs = transaction.payload.iter().enumerate().map(|(idx, input)| {
        let idx = proc_macro2::Literal::usize_unsuffixed(idx);
        match (&input.field.ty, input.of, input.field.optional) {
            (Type::State, Some(part), optional) => {
                let machine = &scope.machine(part).machine.name;
                if optional {
                    quote! { payload.optional_state(#idx, #machine) }
                } else {
                    quote! { payload.state(#idx, #machine) }
                }
            }
            (Type::Enum(_), _, false) => quote! { payload.choice(#idx) },
            (Type::Enum(_), _, true) => quote! { payload.optional_choice(#idx) },
            _ => quote! { payload.get(#idx) },
        }
    });
    quote! { #name => #path::#function(self, #(#keys,)* #(#inputs),*).map(|_| ()).map_err(|it| it.to_string()) }
}
