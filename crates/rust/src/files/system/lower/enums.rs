//! The enums of a system: parts, transactions, actors, rules and invariants.

use proc_macro2::{Ident, TokenStream};
use statespec_lang::model::ActorId;
use statespec_lang::model::system::Transaction;
use statespec_lang::names::{ident, snake};

use super::SystemLowering;
use crate::ir::{UnitEnum, Variant};
use crate::lower::docs;
use crate::lower::machine::actor_variants;

impl SystemLowering<'_> {
    pub(super) fn part_enum(&self) -> UnitEnum {
        let variants = self.system.parts.iter().zip(&self.names.parts).map(|(part, names)| Variant {
            ident: names.variant.clone(),
            name: part.name.clone(),
            label: Some(part.label.clone()),
            text: part.doc.clone(),
            doc: vec![docs::sentence_or(part.doc.as_deref(), || format!("The part {}.", docs::code(&part.name)))],
            aliases: Vec::new(),
        });
        unit_enum("Part", "part", "The parts: machines in a role.", variants.collect())
    }

    pub(super) fn transaction_enum(&self) -> Option<UnitEnum> {
        let transactions = &self.system.transactions;
        let variants = transactions.iter().zip(&self.names.transaction_variants).map(|(it, ident)| Variant {
            ident: ident.clone(),
            name: it.name.clone(),
            label: it.surface.clone(),
            text: it.doc.clone(),
            doc: self.transaction_doc(it),
            aliases: Vec::new(),
        });
        (!transactions.is_empty()).then(|| unit_enum("Transaction", "transaction", "The transactions of the system.", variants.collect()))
    }

    pub(super) fn actor_enum(&self) -> Option<UnitEnum> {
        let actors = &self.system.actors;
        let doc = "The actors that trigger transactions, or do the work that transactions start.";
        (!actors.is_empty()).then(|| unit_enum("Actor", "actor", doc, actor_variants(actors, &self.names.actors)))
    }

    pub(super) fn rule_enum(&self) -> Option<UnitEnum> {
        let rules = &self.system.rules;
        let variants = rules.iter().zip(&self.names.rules).map(|(it, ident)| text_variant(ident, &it.doc));
        let doc = "The rules: conditions on raising events, read before the transaction.";
        (!rules.is_empty()).then(|| unit_enum("Rule", "rule", doc, variants.collect()))
    }

    pub(super) fn invariant_enum(&self) -> Option<UnitEnum> {
        let invariants = &self.system.invariants;
        let variants = invariants.iter().zip(&self.names.invariants).map(|(it, ident)| text_variant(ident, &it.doc));
        let doc = "The invariants: conditions that hold after every transaction.";
        (!invariants.is_empty()).then(|| unit_enum("Invariant", "invariant", doc, variants.collect()))
    }

    /// The description of a transaction, and its actors.
    pub(super) fn transaction_doc(&self, transaction: &Transaction) -> Vec<String> {
        let actor = |id: &ActorId| self.system.actors[id.index()].name.as_str();
        let mut doc = vec![docs::sentence_or(transaction.doc.as_deref(), || format!("The transaction {}.", docs::code(&transaction.name)))];
        if !transaction.by.is_empty() {
            doc.push(format!("Triggered by {}.", docs::code_list(transaction.by.iter().map(actor), "or")));
        }
        if let Some(performer) = &transaction.performer {
            doc.push(format!("The work is done by {}.", docs::code(actor(performer))));
        }
        for role in &transaction.roles {
            let (role, part) = (self.part(*role), self.part(self.system.plays(*role)));
            doc.push(format!("The role {} is taken by {}.", docs::code(&role.name), docs::one(&part.name)));
        }
        if let Some(text) = &transaction.on_failure {
            doc.push(docs::sentence(text));
        }
        if let Some(reason) = &transaction.inferred {
            doc.push(format!("Inferred: {}", docs::sentence(reason)));
        }
        doc
    }
}

/// A variant that represents a text of the spec.
fn text_variant(ident: &Ident, text: &str) -> Variant {
    Variant {
        ident: ident.clone(),
        name: snake(&ident.to_string()),
        label: None,
        text: Some(text.to_owned()),
        doc: vec![docs::sentence_or(Some(text), || "A condition of the spec.".into())],
        aliases: Vec::new(),
    }
}

fn unit_enum(name: &str, kind: &str, doc: &str, variants: Vec<Variant>) -> UnitEnum {
    let attributes = TokenStream::new();
    UnitEnum { ident: ident(name), kind: kind.into(), doc: vec![doc.into()], variants, ignore_case: false, attributes }
}
