//! Types with a derive, as their owner would write them: they follow the machines of a model.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use statespec_lang::model::Type;
use statespec_lang::model::machine::Field;
use statespec_lang::model::{Model, machine::Machine};
use statespec_lang::names;
use statespec_lang::output::RenderError;
use statespec_rust::Style;
use statespec_rust::files::glue::{self, Modules};

use super::{Driven, Types, driven, path_of};

/// The types that [`derived_file`](super::derived_file) drives, as a file with a module for each machine. `spec` is the path of
/// a machine's spec; the lints in `allowed` are allowed.
///
/// # Errors
///
/// If the emitted tokens are not Rust.
pub fn derived_types(model: &Model, types: Types, spec: &dyn Fn(&Machine) -> String, allowed: &[String]) -> Result<String, RenderError> {
    let modules = Modules::of(model);
    let mut machines = driven(model, &path_of("crate")?, |it| types.form(it), &Style::default());
    machines.retain(|it| types.fit(it.machine));
    let items = machines.into_iter().map(|it| {
        let (module, spec) = (modules.of_name(&it.machine.name), spec(it.machine));
        let allowed = allowed.iter().map(|it| format_ident!("{it}"));
        let derive = quote! {
            #[derive(Debug, Clone, PartialEq, ::statespec::StateMachine)]
            #[machine(#spec, prefix = "", allow(#(#allowed),*))]
        };
        let items = match types {
            Types::Structs => expand_struct(&it, &derive, &quote! { pub state: State }),
            Types::Enums => {
                let context = (!it.machine.fields.is_empty()).then(|| quote! { #[machine(context)] });
                expand_enum(&it, &quote! { #derive #context }, "State")
            }
            Types::Both => {
                let status = expand_enum(&it, &derive, "Status");
                let machine = expand_struct(&it, &derive, &quote! { #[machine(state)] pub state: Status });
                quote! { pub type State = Status; #status #machine }
            }
        };
        quote! { pub mod #module { #items } }
    });
    let items: TokenStream = items.collect();
    glue::text("Types with a derive.", items)
}

fn expand_struct(driven: &Driven<'_>, derive: &TokenStream, state: &TokenStream) -> TokenStream {
    let (machine, emitted) = (driven.machine, &driven.names);
    let fields = machine.fields.iter().zip(&emitted.fields).map(|(field, ident)| {
        let (ty, name) = (field_ty(field, &emitted.leaf, &emitted.enums), &field.name);
        quote! { #[machine(rename = #name)] pub #ident: #ty }
    });
    let ident = &emitted.ident;
    quote! {
        #derive
        pub struct #ident {
            #state,
            #(#fields,)*
        }
    }
}

fn expand_enum(driven: &Driven<'_>, derive: &TokenStream, name: &str) -> TokenStream {
    let ident = format_ident!("{name}");
    let variants = driven.machine.leaves().map(|leaf| names::ident(&names::upper_camel(&driven.machine.state(leaf).name)));
    quote! {
        #derive
        #[derive(Copy, Eq)]
        pub enum #ident {
            #(#variants,)*
        }
    }
}

fn field_ty(field: &Field, leaf: &Ident, enums: &[Ident]) -> TokenStream {
    let ty = match &field.ty {
        Type::Bool => quote! { bool },
        Type::Int => quote! { i64 },
        Type::Decimal => quote! { ::statespec::Decimal },
        Type::Text => quote! { ::std::string::String },
        Type::Duration => quote! { ::statespec::Duration },
        Type::Timestamp => quote! { ::statespec::Timestamp },
        Type::Reference => quote! { u64 },
        Type::State => quote! { #leaf },
        Type::Event => quote! { EventKind },
        Type::Enum(id) => {
            let ident = &enums[id.index()];
            quote! { #ident }
        }
        other => unreachable!("no field of a context has the type {other:?}"),
    };
    if field.optional {
        quote! { ::core::option::Option<#ty> }
    } else {
        ty
    }
}
