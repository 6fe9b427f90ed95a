//! The generated code for systems: a unit of work in memory, and transactions by name.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};
use statespec_lang::model::system::{System, Transaction};
use statespec_lang::model::{Model, PartId, Type};
use statespec_lang::names::{snake, upper_camel};
use statespec_rust::Style;
use statespec_rust::files::glue::{self, Modules};

use super::{Driven, arguments};

/// The name of a system's unit of work.
pub(super) fn unit_ident(system: &System) -> Ident {
    format_ident!("{}InMemory", upper_camel(&system.name))
}

/// A system, with the names of its module.
struct Scope<'a> {
    system: &'a System,
    /// All machines of the model, in their order.
    machines: &'a [Driven<'a>],
    /// The path of the system's module.
    path: TokenStream,
    names: glue::System,
    /// The fields of the unit of work, by part.
    fields: Vec<Ident>,
}

impl<'a> Scope<'a> {
    fn new(model: &'a Model, system: &'a System, machines: &'a [Driven<'a>], krate: &TokenStream, style: &Style) -> Self {
        let module = Modules::of(model).of_name(&system.name);
        Scope {
            system,
            machines,
            path: quote! { #krate::#module },
            names: glue::System::new(model, system, style),
            fields: glue::unique(&["log"], system.parts.iter().map(|it| &it.name), snake),
        }
    }

    fn machine(&self, part: PartId) -> &Driven<'a> {
        &self.machines[self.system.part(part).machine]
    }

    fn part_names(&self, parts: &[PartId]) -> impl Iterator<Item = &'a str> {
        parts.iter().map(|part| self.system.part(*part).name.as_str())
    }

    /// The methods of the unit of work for one part.
    fn expand_methods(&self, part: PartId) -> TokenStream {
        let (declared, names) = (self.system.part(part), &self.names.parts[part.index()]);
        let name = &declared.name;
        let (field, ty) = (&self.fields[part.index()], self.machine(part).ty());
        let (load, save) = (&names.load, &names.save);
        let (parameter, key) = if declared.many { (Some(quote! { key: u64, }), quote! { key }) } else { (None, quote! { 1 }) };
        let own_key = names.key.as_ref().map(|method| {
            quote! {
                fn #method(&mut self) -> Result<u64, String> {
                    Ok(1)
                }
            }
        });
        let new_key = names.new.as_ref().map(|method| {
            quote! {
                fn #method(&mut self) -> Result<u64, String> {
                    Ok(self.#field.next_key())
                }
            }
        });
        let next = names.next.as_ref().map(|method| {
            quote! {
                fn #method(&mut self, after: Option<u64>) -> Result<Option<(u64, #ty)>, String> {
                    Ok(self.#field.after(after))
                }
            }
        });
        let perform = names.perform.as_ref().map(|method| self.expand_perform(part, method, parameter.as_ref(), &key));
        let predicates = names.predicates.as_ref().map(|(ty, method)| {
            quote! {
                type #ty = Holds;

                fn #method(&mut self) -> Result<Holds, String> {
                    Ok(self.log.holds.of(#name))
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

    fn expand_perform(&self, part: PartId, method: &Ident, parameter: Option<&TokenStream>, key: &TokenStream) -> TokenStream {
        let machine = self.machine(part);
        let (path, name) = (&machine.path, &self.system.part(part).name);
        let glue::Params { text, reference, .. } = machine.names.of_values;
        let (text, reference) = (text.then(|| quote! { &str, }), reference.then(|| quote! { u64, }));
        let arguments_of_effect = (text.is_some() || reference.is_some()).then(|| quote! { <#text #reference> });
        // The log is also a host of machines with other parameters.
        let host = (!arguments(machine.names.of_effects).is_empty()).then(|| {
            let glue::Params { text, reference, .. } = machine.names.of_effects;
            let text = text.then(|| quote! { String, });
            let reference = (reference && !machine.names.of_values.reference).then(|| quote! { u64, });
            quote! { ::<#text #reference _> }
        });
        quote! {
            fn #method(&mut self, #parameter effect: #path::Effect #arguments_of_effect) -> Result<(), String> {
                self.log.speak_of(#name, #key);
                effect.perform #host (&mut self.log)
            }
        }
    }

    fn expand_call(&self, transaction: &Transaction, names: &glue::Transaction) -> TokenStream {
        let (name, path, function) = (&transaction.name, &self.path, &names.function);
        let keys = self.part_names(&names.keys).map(|name| quote! { chosen.number(#name) });
        let wanted = names.created.iter().map(|part| {
            let (name, field) = (&self.system.part(*part).name, &self.fields[self.system.plays(*part).index()]);
            quote! { self.#field.want(chosen.0.get(#name).copied()); }
        });
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
        quote! {
            #name => {
                #(#wanted)*
                #path::#function(self, #(#keys,)* #(#inputs),*).map(|_| ()).map_err(|it| it.to_string())
            }
        }
    }
}

/// The implementation of `DriveSystem` for one system.
pub(super) fn expand_system(model: &Model, system: &System, machines: &[Driven<'_>], krate: &TokenStream, style: &Style) -> TokenStream {
    let scope = Scope::new(model, system, machines, krate, style);
    let (unit, path, fields) = (unit_ident(system), &scope.path, &scope.fields);
    let types = system.part_ids().map(|part| scope.machine(part).ty());
    let methods = system.part_ids().map(|part| scope.expand_methods(part));
    let keeps_text = system.part_ids().any(|part| scope.machine(part).names.of_context.text);
    let text = keeps_text.then(|| quote! { type Text = String; });
    let name = &system.name;
    let transactions = || system.transactions.iter().zip(&scope.names.transactions);
    let calls = transactions().map(|(it, names)| scope.expand_call(it, names));
    let named = transactions().map(|(it, names)| {
        let (name, named) = (&it.name, scope.part_names(&names.keys));
        quote! { #name => &[#(#named),*] }
    });
    let created: Vec<TokenStream> = transactions()
        .filter(|(_, names)| !names.created.is_empty())
        .map(|(it, names)| {
            let (name, created) = (&it.name, scope.part_names(&names.created));
            quote! { #name => &[#(#created),*] }
        })
        .collect();
    let created = (!created.is_empty()).then(|| {
        quote! {
            fn created(transaction: &str) -> &'static [&'static str] {
                match transaction {
                    #(#created,)*
                    _ => &[],
                }
            }
        }
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
                let written = if order == ::statespec::Commit::MemoryOnly { Ok(()) } else { self.log.write() };
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

            #created

            fn run(&mut self, transaction: &str, chosen: &Numbers, payload: &SystemValues<'_>) -> Result<(), String> {
                let _ = (chosen, payload);
                match transaction {
                    #(#calls,)*
                    _ => panic!("there is no such transaction"),
                }
            }

            fn instances(&self, part: &str, model: &::statespec_lang::model::Model) -> Instances {
                match part {
                    #(#part_names => self.#fields.told(model, #machine_names),)*
                    _ => panic!("there is no such part"),
                }
            }

            #invariants
        }
    }
}
