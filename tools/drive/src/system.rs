//! The generated code for systems: a unit of work in memory, and transactions by name.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};
use statespec_codegen::backend::rust::glue::{self, Modules};
use statespec_codegen::model::system::{System, Transaction};
use statespec_codegen::model::{Model, PartId, Type};
use statespec_codegen::names::{snake, upper_camel};

use super::{Driven, arguments, instances};

/// The name of a system's unit of work.
pub(super) fn unit_ident(system: &System) -> Ident {
    format_ident!("{}InMemory", upper_camel(&system.name))
}

/// A system, with the names of its module.
struct Scope<'a> {
    model: &'a Model,
    system: &'a System,
    /// All machines of the model, in their order.
    machines: &'a [Driven<'a>],
    /// The path of the system's module.
    path: TokenStream,
    /// The fields of the world, by part.
    parts: Vec<Ident>,
    /// The variants of `Part`, by part.
    part_variants: Vec<Ident>,
    transactions: Vec<Ident>,
}

impl<'a> Scope<'a> {
    fn new(model: &'a Model, system: &'a System, machines: &'a [Driven<'a>], krate: &TokenStream) -> Self {
        let module = Modules::of(model).of_name(&system.name);
        let parts = || system.parts.iter().map(|it| &it.name);
        let transactions = system.transactions.iter().map(|it| &it.name);
        Scope {
            model,
            system,
            machines,
            path: quote! { #krate::#module },
            parts: glue::unique(&["unit"], parts(), snake),
            part_variants: glue::unique(&["Missing", "Rule", "Invariant", "Self"], parts(), upper_camel),
            transactions: glue::unique(&["check_invariants", "save"], transactions, snake),
        }
    }

    fn machine(&self, part: PartId) -> &Driven<'a> {
        &self.machines[self.system.part(part).machine]
    }

    /// A name that contains the name of the part: `load_hop`, `hop_key`.
    fn method(&self, before: &str, part: PartId, behind: &str) -> Ident {
        let name = self.parts[part.index()].to_string();
        format_ident!("{before}{}{behind}", name.strip_prefix("r#").unwrap_or(&name))
    }

    /// The instances that a transaction takes by their keys.
    fn named(&self, transaction: &Transaction) -> Vec<&'a String> {
        let named = instances::named(self.model, self.system, transaction);
        named.into_iter().map(|part| &self.system.part(part).name).collect()
    }

    /// The methods of the unit of work for one part.
    fn expand_methods(&self, part: PartId) -> TokenStream {
        let (declared, machine) = (self.system.part(part), self.machine(part));
        let (field, ty) = (&self.parts[part.index()], machine.ty());
        let (load, save) = (self.method("load_", part, ""), self.method("save_", part, ""));
        let (parameter, key) = if declared.many { (Some(quote! { key: u64, }), quote! { key }) } else { (None, quote! { 1 }) };
        let own_key = (!declared.many && instances::needs_key(self.system, part)).then(|| {
            let method = self.method("", part, "_key");
            quote! {
                fn #method(&mut self) -> Result<u64, String> {
                    Ok(1)
                }
            }
        });
        let new_key = (declared.many && machine.names.has_creation).then(|| {
            let method = self.method("new_", part, "");
            quote! {
                fn #method(&mut self) -> Result<u64, String> {
                    Ok(self.#field.next_key())
                }
            }
        });
        let in_invariants = self.system.invariants.iter().any(|it| it.require.parts().contains(&part));
        let next = (declared.many && in_invariants).then(|| {
            let method = self.method("next_", part, "");
            quote! {
                fn #method(&mut self, after: Option<u64>) -> Result<Option<(u64, #ty)>, String> {
                    Ok(self.#field.after(after))
                }
            }
        });
        let perform = self.expand_perform(part, parameter.as_ref(), &key);
        let predicates = (!machine.machine.predicates.is_empty()).then(|| {
            let (ty, method) = (format_ident!("{}Predicates", self.part_variants[part.index()]), self.method("", part, "_predicates"));
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

    fn expand_perform(&self, part: PartId, parameter: Option<&TokenStream>, key: &TokenStream) -> Option<TokenStream> {
        let machine = self.machine(part);
        if machine.machine.effects.is_empty() {
            return None;
        }
        let (method, path, name) = (self.method("perform_", part, ""), &machine.path, &self.system.part(part).name);
        let (event, argument) = match (machine.names.effects_take_event, machine.names.has_direct) {
            (false, _) => (None, None),
            (true, true) => (Some(machine.event_ty(quote! { '_ })), Some(quote! { Some(event), })),
            (true, false) => (Some(machine.event_ty(quote! { '_ })), Some(quote! { event, })),
        };
        let event = event.map(|ty| quote! { event: &#ty, });
        // The log is also a host of machines with other parameters.
        let host = (!arguments(machine.names.of_effects).is_empty()).then(|| {
            let text = machine.names.of_perform.text.then(|| quote! { String, });
            let reference = machine.names.of_perform.reference.then(|| quote! { u64, });
            quote! { ::<#text #reference _> }
        });
        Some(quote! {
            fn #method(&mut self, #parameter #event effect: #path::Effect) -> Result<(), String> {
                self.log.speak_of(#name, #key);
                effect.perform #host (#argument &mut self.log)
            }
        })
    }

    fn expand_call(&self, transaction: &Transaction, function: &Ident) -> TokenStream {
        let (name, path) = (&transaction.name, &self.path);
        let keys = self.named(transaction).into_iter().map(|name| quote! { chosen.number(#name) });
        let inputs = transaction.payload.iter().enumerate().map(|(idx, input)| {
            let idx = Literal::usize_unsuffixed(idx);
            match (&input.field.ty, input.of, input.field.optional) {
                (Type::State, Some(part), optional) => {
                    let machine = &self.machine(part).machine.name;
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
}

/// The implementation of `DriveSystem` for one system.
pub(super) fn expand_system(model: &Model, system: &System, machines: &[Driven<'_>], krate: &TokenStream) -> TokenStream {
    let scope = Scope::new(model, system, machines, krate);
    let (unit, path, fields) = (unit_ident(system), &scope.path, &scope.parts);
    let types = system.part_ids().map(|part| scope.machine(part).ty());
    let methods = system.part_ids().map(|part| scope.expand_methods(part));
    let keeps_text = system.part_ids().any(|part| scope.machine(part).names.of_context.text);
    let text = keeps_text.then(|| quote! { type Text = String; });
    let name = &system.name;
    let calls = system.transactions.iter().zip(&scope.transactions).map(|(it, function)| scope.expand_call(it, function));
    let named = system.transactions.iter().map(|it| {
        let (name, named) = (&it.name, scope.named(it));
        quote! { #name => &[#(#named),*] }
    });
    let part_names = system.parts.iter().map(|it| &it.name);
    let machine_names = system.part_ids().map(|part| scope.machine(part).machine.name.as_str());
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
                    #(#part_names => self.#fields.told(model, #machine_names),)*
                    _ => panic!("there is no such part"),
                }
            }

            #invariants
        }
    }
}
