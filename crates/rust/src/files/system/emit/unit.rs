//! The unit of work that the user implements.

use proc_macro2::TokenStream;
use quote::quote;

use crate::emit::{doc, doc_line};
use crate::files::system::ir::{Part, System};
use crate::lower::docs;

/// `trait UnitOfWork`.
pub(super) fn expand_unit(system: &System) -> TokenStream {
    let (facade, vis) = (&system.env.facade, &system.env.visibility);
    let text = system.keeps_text.then(|| {
        quote! {
            /// The type of texts in contexts.
            type Text: __Clone + __AsRef<str> + for<'e> __From<&'e str>;
        }
    });
    let methods = system.parts.iter().map(expand_methods);
    let actor = system.has_actor_checks().then(|| {
        quote! {
            /// The actor that triggers the transactions; without one, none is refused for its actor.
            fn actor(&self) -> __Option<Actor> {
                __None
            }
        }
    });
    let docs = doc_line(&format!("The store of {}, and the host of its effects, during one transaction.", docs::one(&system.name)));
    quote! {
        #docs
        #vis trait UnitOfWork: #facade::Unit {
            #text
            #actor
            #(#methods)*
        }
    }
}

fn expand_methods(part: &Part) -> TokenStream {
    let (name, machine) = (docs::code(&part.name), &part.machine);
    let (ty, load, save) = (machine.ty(&quote! { Self }), &part.methods.load, &part.methods.save);
    let key = part.many.then(|| quote! { key: Self::Key, });
    let load_doc = doc_line(&if part.many { format!("Loads {}.", docs::one(&part.name)) } else { format!("Loads the {name}.") });
    let save_doc = doc_line(&format!(
        "Takes the {name} after a change into the transaction; `before` is what was loaded, `None` where it is new. The commit says \
         whether the store is written. A failure undoes the transaction."
    ));
    let own_key = part.methods.key.as_ref().map(|method| {
        let docs = doc_line(&format!("The key of the {name}."));
        quote! { #docs fn #method(&mut self) -> __Result<Self::Key, Self::Error>; }
    });
    let new_key = part.methods.new.as_ref().map(|method| {
        let docs = doc_line(&format!("The key of a new {name}: called once for each that is created."));
        quote! { #docs fn #method(&mut self) -> __Result<Self::Key, Self::Error>; }
    });
    let next = expand_next(part);
    let perform = expand_perform(part);
    let predicates = expand_predicates(part);
    let allow_load = (machine.text && machine.reference).then(|| quote! { #[allow(clippy::type_complexity)] });
    quote! {
        #own_key
        #new_key
        #load_doc
        #allow_load
        fn #load(&mut self, #key) -> __Result<__Option<#ty>, Self::Error>;
        #save_doc
        fn #save(&mut self, #key before: __Option<&#ty>, after: &#ty) -> __Result<(), Self::Error>;
        #next
        #perform
        #predicates
    }
}

/// The unit of work that tries transactions out: it loads and saves as the real one does, and performs nothing.
pub(super) fn expand_planning(system: &System) -> Option<TokenStream> {
    if system.transactions.is_empty() {
        return None;
    }
    let facade = &system.env.facade;
    let text = system.keeps_text.then(|| quote! { type Text = U::Text; });
    let actor = system.has_actor_checks().then(|| {
        quote! {
            fn actor(&self) -> __Option<Actor> {
                self.unit().actor()
            }
        }
    });
    let methods = system.parts.iter().map(expand_planned_methods);
    Some(quote! {
        impl<U: UnitOfWork> UnitOfWork for #facade::Planning<'_, U> {
            #text
            #actor
            #(#methods)*
        }
    })
}

fn expand_planned_methods(part: &Part) -> TokenStream {
    let (ty, load, save) = (part.machine.ty(&quote! { Self }), &part.methods.load, &part.methods.save);
    let (parameter, key) = if part.many { (Some(quote! { key: Self::Key, }), Some(quote! { key, })) } else { (None, None) };
    let keys = part.methods.key.iter().chain(&part.methods.new).map(|method| {
        quote! {
            fn #method(&mut self) -> __Result<Self::Key, Self::Error> {
                self.unit_mut().#method()
            }
        }
    });
    let next = part.methods.next.as_ref().map(|method| {
        quote! {
            fn #method(&mut self, after: __Option<Self::Key>) -> __Result<__Option<(Self::Key, #ty)>, Self::Error> {
                self.unit_mut().#method(after)
            }
        }
    });
    let perform = part.methods.perform.as_ref().map(|method| {
        let unused_key = part.many.then(|| quote! { _key: Self::Key, });
        let effect = part.machine.effect_ty(&quote! { Self });
        quote! {
            fn #method(&mut self, #unused_key _effect: #effect) -> __Result<(), Self::Error> {
                __Ok(())
            }
        }
    });
    let predicates = part.methods.predicates.as_ref().map(|(Answers, method)| {
        quote! {
            type #Answers = U::#Answers;

            fn #method(&mut self) -> __Result<Self::#Answers, Self::Error> {
                self.unit_mut().#method()
            }
        }
    });
    quote! {
        #(#keys)*

        fn #load(&mut self, #parameter) -> __Result<__Option<#ty>, Self::Error> {
            self.unit_mut().#load(#key)
        }

        fn #save(&mut self, #parameter before: __Option<&#ty>, after: &#ty) -> __Result<(), Self::Error> {
            self.unit_mut().#save(#key before, after)
        }

        #next
        #perform
        #predicates
    }
}

fn expand_next(part: &Part) -> Option<TokenStream> {
    let (method, machine) = (part.methods.next.as_ref()?, &part.machine);
    let ty = machine.ty(&quote! { Self });
    let docs = doc(&[
        format!("The {} after `after`, or the first one: any order will do that stays the same.", docs::code(&part.name)),
        "Invariants check every one.".into(),
    ]);
    let allow = (machine.text || machine.reference).then(|| quote! { #[allow(clippy::type_complexity)] });
    Some(quote! {
        #docs
        #allow
        fn #method(&mut self, after: __Option<Self::Key>) -> __Result<__Option<(Self::Key, #ty)>, Self::Error>;
    })
}

fn expand_perform(part: &Part) -> Option<TokenStream> {
    let machine = &part.machine;
    let (method, effect) = (part.methods.perform.as_ref()?, machine.effect_ty(&quote! { Self }));
    let key = part.many.then(|| quote! { key: Self::Key, });
    let docs =
        doc_line(&format!("Performs an effect of the {}; `effect.perform(host)` calls its method of a host.", docs::code(&part.name)));
    Some(quote! { #docs fn #method(&mut self, #key effect: #effect) -> __Result<(), Self::Error>; })
}

fn expand_predicates(part: &Part) -> Option<TokenStream> {
    let ((Answers, method), name) = (part.methods.predicates.as_ref()?, docs::code(&part.name));
    let bound = part.machine.predicates_bound(&quote! { Self });
    let ty_docs = doc_line(&format!("The type that answers the predicates of the {name}."));
    let docs = doc_line(&format!("The predicates of the {name} in this transaction: the same answers throughout."));
    Some(quote! {
        #ty_docs
        type #Answers: #bound + __Clone;

        #docs
        fn #method(&mut self) -> __Result<Self::#Answers, Self::Error>;
    })
}
