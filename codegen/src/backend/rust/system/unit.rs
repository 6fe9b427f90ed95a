//! The unit of work that the user implements, and the world as a transaction sees it.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::docs;
use super::scope::Scope;
use crate::model::{PartId, Type};

/// `trait UnitOfWork`.
pub(super) fn expand_unit(scope: &Scope<'_>) -> TokenStream {
    let facade = &scope.facade;
    let text = scope.keeps_text().then(|| {
        quote! {
            /// What texts are kept in.
            type Text: ::core::clone::Clone + ::core::convert::AsRef<str> + for<'e> ::core::convert::From<&'e str>;
        }
    });
    let methods = scope.system.part_ids().map(|part| expand_methods(scope, part));
    let doc =
        docs::line(&format!("Where the instances of a {} are kept, while something is done to them.", docs::code(&scope.system.name)));
    quote! {
        #doc
        pub trait UnitOfWork: #facade::Unit {
            #text
            #(#methods)*
        }
    }
}

fn expand_methods(scope: &Scope<'_>, part: PartId) -> TokenStream {
    let this = quote! { Self };
    let (declared, machine) = (scope.part(part), scope.machine(part));
    let name = docs::code(&declared.name);
    let ty = scope.machine_ty(part, &this);
    let (load, save) = (scope.method("load", part), scope.method("save", part));
    let key = declared.many.then(|| quote! { key: Self::Key, });
    let load_doc = docs::line(&match declared.many {
        true => format!("Finds a {name}."),
        false => format!("Finds the {name}."),
    });
    let save_doc = docs::line(&format!("Saves the {name} after a change; `before` is what was found, nothing where it is new."));
    let own_key = (!declared.many && scope.needs_key(part)).then(|| {
        let method = scope.part_method(part, "key");
        let doc = docs::line(&format!("What tells the {name} of this unit apart."));
        quote! { #doc fn #method(&mut self) -> ::core::result::Result<Self::Key, Self::Error>; }
    });
    let born = declared.many && machine.has_birth();
    let new_key = born.then(|| {
        let method = scope.method("new", part);
        let doc = docs::line(&format!("What will tell a new {name} apart: called once for each that is born."));
        quote! { #doc fn #method(&mut self) -> ::core::result::Result<Self::Key, Self::Error>; }
    });
    let in_invariants = scope.system.invariants.iter().any(|it| it.require.parts().contains(&part));
    let next = (declared.many && in_invariants).then(|| {
        let method = scope.method("next", part);
        let doc = docs::attributes(&[
            format!("Goes through every {name}: the first one, or the one after `after`, in any order that stays the same."),
            "Invariants ask it.".into(),
        ]);
        quote! {
            #doc
            #[allow(clippy::type_complexity)]
            fn #method(
                &mut self,
                after: ::core::option::Option<Self::Key>
            ) -> ::core::result::Result<::core::option::Option<(Self::Key, #ty)>, Self::Error>;
        }
    });
    let perform = machine.has_effects().then(|| {
        let method = scope.method("perform", part);
        let path = scope.path(part);
        let event = machine.effects_take_event().then(|| {
            let event = scope.event_ty(part, &this);
            quote! { event: &#event, }
        });
        let forward = if machine.effects_take_event() { "effect.perform(event, …)" } else { "effect.perform(…)" };
        let doc = docs::line(&format!("Performs an effect of the {name}; `{forward}` calls its method."));
        quote! { #doc fn #method(&mut self, #key #event effect: #path::Effect) -> ::core::result::Result<(), Self::Error>; }
    });
    let predicates = machine.has_predicates().then(|| {
        let (ty, method, path) = (scope.predicates_ty(part), scope.part_method(part, "predicates"), scope.path(part));
        let arguments = predicates_arguments(scope, part, &this);
        let ty_doc = docs::line(&format!("What decides the predicates of the {name}."));
        let doc = docs::line(&format!("The predicates of the {name} in this transaction: the same answers throughout."));
        quote! {
            #ty_doc
            type #ty: #path::Predicates #arguments + ::core::clone::Clone;

            #doc
            fn #method(&mut self) -> ::core::result::Result<Self::#ty, Self::Error>;
        }
    });
    quote! {
        #own_key
        #new_key
        #load_doc
        #[allow(clippy::type_complexity)]
        fn #load(&mut self, #key) -> ::core::result::Result<::core::option::Option<#ty>, Self::Error>;
        #save_doc
        fn #save(&mut self, #key before: ::core::option::Option<&#ty>, after: &#ty) -> ::core::result::Result<(), Self::Error>;
        #next
        #perform
        #predicates
    }
}

pub(super) fn predicates_arguments(scope: &Scope<'_>, part: PartId, owner: &TokenStream) -> TokenStream {
    let machine = scope.machine(part);
    let text = machine.context_has(&Type::Text).then(|| quote! { #owner::Text, });
    let key = machine.predicates_need_reference().then(|| quote! { #owner::Key, });
    if text.is_some() || key.is_some() {
        quote! { <#text #key> }
    } else {
        quote! {}
    }
}

/// `struct World`, its `Clone`, and saving it.
pub(super) fn expand_world(scope: &Scope<'_>) -> TokenStream {
    let facade = &scope.facade;
    let unit = quote! { U };
    let parts: Vec<_> = scope.system.part_ids().collect();
    let idents = &scope.parts;
    let types = parts.iter().map(|part| scope.machine_ty(*part, &unit));
    let asking: Vec<_> = parts.iter().filter(|part| scope.machine(**part).has_predicates()).collect();
    let predicates: Vec<_> = asking.iter().map(|part| scope.part_method(**part, "predicates")).collect();
    let predicate_types = asking.iter().map(|part| scope.predicates_ty(**part));
    let saves = parts.iter().zip(idents).map(|(part, ident)| {
        let save = scope.method("save", *part);
        if scope.part(*part).many {
            quote! {
                if let (::core::option::Option::Some((before, after)), ::core::option::Option::Some(key)) = (world.#ident.changed(), world.#ident.key()) {
                    unit.#save(key, before, after)?;
                }
            }
        } else {
            quote! {
                if let ::core::option::Option::Some((before, after)) = world.#ident.changed() {
                    unit.#save(before, after)?;
                }
            }
        }
    });
    let (first, others) = idents.split_first().map(|(first, others)| (quote! { #first }, others)).unwrap_or_default();
    quote! {
        /// The parts that a transaction speaks of.
        struct World<U: UnitOfWork> {
            #(#idents: #facade::Slot<#types, U::Key>,)*
            #(#predicates: ::core::option::Option<U::#predicate_types>,)*
        }

        impl<U: UnitOfWork> World<U> {
            const fn empty() -> Self {
                World {
                    #(#idents: #facade::Slot::empty(),)*
                    #(#predicates: ::core::option::Option::None,)*
                }
            }
        }

        impl<U: UnitOfWork> ::core::clone::Clone for World<U> {
            fn clone(&self) -> Self {
                World {
                    #(#idents: self.#idents.clone(),)*
                    #(#predicates: self.#predicates.clone(),)*
                }
            }
        }

        /// Saves what took part, and says when the store is written.
        fn save<U: UnitOfWork>(unit: &mut U, world: &World<U>) -> ::core::result::Result<#facade::Commit, U::Error> {
            #(#saves)*
            ::core::result::Result::Ok(world.#first.order() #(.min(world.#others.order()))*)
        }
    }
}
