//! Systems: a function for each transaction, over a unit of work that the user implements.

mod invariants;
mod links;
mod reads;
mod refusal;
mod scope;
mod transactions;
mod unit;

use proc_macro2::TokenStream;
use quote::quote;

use super::long::Long;
use super::vocabulary::{Vocabulary, Word, expand_vocabulary};
use super::{Style, docs};
use crate::model::{Model, System};
use crate::names::ident;
pub(crate) use scope::Scope;
pub(crate) use transactions::Instances;

/// The items of a system's module. The modules of its machines are its siblings.
pub fn emit_system(model: &Model, system: &System, style: &Style) -> TokenStream {
    let scope = Scope::new(model, system, style);
    let transactions = transactions::expand_transactions(&scope);
    let invariants = invariants::expand_invariants(&scope);
    let unit = unit::expand_unit(&scope);
    let refusal = refusal::expand_refusal(&scope);
    let vocabularies = expand_vocabularies(&scope);
    let world = unit::expand_world(&scope);
    let links = links::expand_links(&scope);
    quote! {
        #transactions
        #invariants
        #unit
        #refusal
        #vocabularies
        #world
        #links
    }
}

/// The text of a system's module, without the header of a generated file.
///
/// # Errors
///
/// Where the tokens are not Rust, which no spec should bring about.
pub fn system_text(model: &Model, system: &System, style: &Style) -> Result<String, syn::Error> {
    let mut doc = vec![docs::sentence(&system.title), system.doc.as_deref().map(docs::sentence).unwrap_or_default()];
    doc.push(docs::bullets(&system.notes));
    super::items_text(&doc, emit_system(model, system, style))
}

/// `Part`, `Transaction` and `Actor`.
fn expand_vocabularies(scope: &Scope<'_>) -> TokenStream {
    let parts = scope.system.parts.iter().zip(&scope.part_variants).map(|(part, ident)| Word {
        ident: ident.clone(),
        name: part.name.clone(),
        label: Some(part.label.clone()),
        text: part.doc.clone(),
        doc: vec![docs::sentence_or(part.doc.as_deref(), || format!("The part {}.", docs::code(&part.name)))],
        aliases: Vec::new(),
    });
    let parts = vocabulary("Part", "part", "A machine in a role.", parts.collect());
    let transactions = scope.system.transactions.iter().zip(&scope.transaction_variants).map(|(transaction, ident)| Word {
        ident: ident.clone(),
        name: transaction.name.clone(),
        label: transaction.surface.clone(),
        text: transaction.doc.clone(),
        doc: transactions::doc(scope, transaction),
        aliases: Vec::new(),
    });
    let transactions = vocabulary("Transaction", "transaction", "What can be done to the system.", transactions.collect());
    let actors = scope.system.actors.iter().zip(&scope.actors).map(|(actor, ident)| Word {
        ident: ident.clone(),
        name: actor.name.clone(),
        label: None,
        text: Some(actor.doc.clone()),
        doc: vec![docs::sentence_or(Some(&actor.doc), || format!("The actor {}.", docs::code(&actor.name)))],
        aliases: Vec::new(),
    });
    let actors = vocabulary("Actor", "actor", "Who triggers transactions, or does the work that they start.", actors.collect());
    let expand = |it: &Vocabulary| (!it.words.is_empty()).then(|| expand_vocabulary(it, &scope.facade, scope.style, &Long::default()));
    let (parts, transactions, actors) = (expand(&parts), expand(&transactions), expand(&actors));
    let who = transactions::expand_who(scope);
    quote! { #parts #transactions #who #actors }
}

fn vocabulary(name: &str, kind: &str, doc: &str, words: Vec<Word>) -> Vocabulary {
    Vocabulary { ident: ident(name), kind: kind.into(), doc: vec![doc.into()], words, ignore_case: false }
}
