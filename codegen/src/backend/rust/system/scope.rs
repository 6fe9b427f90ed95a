//! What one emitted system is made from: its machines, and the identifiers of everything in it.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::super::module::Claims;
use super::super::types::Place;
use super::super::{Module, Style};
use crate::model::machine::Field;
use crate::model::system::{Fire, Input, Link, Part, Transaction};
use crate::model::{EnumId, Model, PartId, System, Type};
use crate::names::{ident, snake, upper_camel};

/// A system on its way to Rust.
pub(crate) struct Scope<'m> {
    pub(crate) system: &'m System,
    pub(crate) style: &'m Style,
    /// The path of the façade.
    pub(crate) facade: TokenStream,
    /// The machine of each part.
    pub(crate) machines: Vec<Module<'m>>,
    /// The machines whose enums the system speaks of, by position in the model.
    enum_machines: BTreeMap<usize, Module<'m>>,
    /// Fields of the world, by part.
    pub(crate) parts: Vec<Ident>,
    /// Variants of `Part` and `Refused`.
    pub(crate) part_variants: Vec<Ident>,
    pub(crate) actors: Vec<Ident>,
    pub(crate) transactions: Vec<Ident>,
    pub(crate) transaction_variants: Vec<Ident>,
}

/// The names that a module of a system uses itself.
const FUNCTIONS: &[&str] = &["check_invariants", "save"];

/// What `Refused` says besides the refusals of machines.
const REASONS: &[&str] = &["Missing", "Rule", "Invariant", "Self"];

impl<'m> Scope<'m> {
    pub(crate) fn new(model: &'m Model, system: &'m System, style: &'m Style) -> Self {
        let machines: Vec<_> = system.parts.iter().map(|part| Module::new(&model.machines[part.machine], style)).collect();
        let enum_machines: BTreeSet<usize> = system.enum_origins.iter().map(|(machine, _)| *machine).collect();
        let names = || system.parts.iter().map(|it| &it.name);
        Scope {
            system,
            style,
            facade: style.facade_path(),
            machines,
            enum_machines: enum_machines.into_iter().map(|idx| (idx, Module::new(&model.machines[idx], style))).collect(),
            parts: Claims::new(&["unit"]).claim_all(names(), snake),
            part_variants: Claims::new(REASONS).claim_all(names(), upper_camel),
            actors: Claims::new(&["Self"]).claim_all(system.actors.iter().map(|it| &it.name), upper_camel),
            transactions: Claims::new(FUNCTIONS).claim_all(system.transactions.iter().map(|it| &it.name), snake),
            transaction_variants: Claims::new(&["Self"]).claim_all(system.transactions.iter().map(|it| &it.name), upper_camel),
        }
    }

    pub(crate) fn part(&self, id: PartId) -> &'m Part {
        self.system.part(id)
    }

    pub(crate) fn machine(&self, id: PartId) -> &Module<'m> {
        &self.machines[id.index()]
    }

    /// `super::hop`
    pub(crate) fn path(&self, id: PartId) -> TokenStream {
        let module = ident(&snake(&self.machine(id).machine.name));
        quote! { super::#module }
    }

    /// `super::hop::Hop<K>`; `K` and `text` stand for the parameters.
    pub(crate) fn machine_ty(&self, id: PartId, owner: &TokenStream) -> TokenStream {
        let (path, machine) = (self.path(id), self.machine(id));
        let ident = &machine.ident;
        let text = machine.context_has(&Type::Text).then(|| quote! { #owner::Text, });
        let key = machine.context_has(&Type::Reference).then(|| quote! { #owner::Key, });
        let arguments = (text.is_some() || key.is_some()).then(|| quote! { <#text #key> });
        quote! { #path::#ident #arguments }
    }

    /// `super::hop::Event<'_, K>`
    pub(crate) fn event_ty(&self, id: PartId, owner: &TokenStream) -> TokenStream {
        let (path, machine) = (self.path(id), self.machine(id));
        let lifetime = machine.payload_has(&Type::Text).then(|| quote! { '_, });
        let key = machine.payload_has(&Type::Reference).then(|| quote! { #owner::Key, });
        let arguments = (lifetime.is_some() || key.is_some()).then(|| quote! { <#lifetime #key> });
        quote! { #path::Event #arguments }
    }

    /// Whether some part keeps texts.
    pub(crate) fn keeps_text(&self) -> bool {
        self.machines.iter().any(|it| it.context_has(&Type::Text))
    }

    /// Whether the identity of a part is asked for anywhere.
    pub(crate) fn needs_key(&self, id: PartId) -> bool {
        self.part(id).many || self.is_owner(id) || self.expressions().any(|expr| expr.vars().contains(&crate::expr::Var::PartId(id)))
    }

    fn is_owner(&self, id: PartId) -> bool {
        self.system.parts.iter().any(|part| part.of.is_some_and(|(owner, _)| owner == id))
    }

    fn expressions(&self) -> impl Iterator<Item = &crate::expr::Expr> {
        let system = self.system;
        let fires = system.transactions.iter().flat_map(|it| &it.fire).chain(system.links.iter().map(|it| &it.fire));
        let rules = system.rules.iter().map(|it| &it.require).chain(system.invariants.iter().map(|it| &it.require));
        let conditions = system.links.iter().filter_map(|it| it.when.as_ref());
        fires.flat_map(|it| &it.payload).chain(rules).chain(conditions)
    }

    /// Whether the event brings its part into being.
    pub(crate) fn is_birth(&self, fire: &Fire) -> bool {
        self.machine(fire.part).machine.is_creation_event(fire.event)
    }

    /// The links that watch a part.
    pub(crate) fn links_of(&self, part: PartId) -> impl Iterator<Item = (usize, &'m Link)> + '_ {
        self.system.links.iter().enumerate().filter(move |(_, link)| link.part == part)
    }

    /// The parts that a transaction needs, its links included.
    pub(crate) fn needed(&self, transaction: &Transaction) -> BTreeSet<PartId> {
        let mut needed: BTreeSet<PartId> = self.system.parts_of(transaction).into_iter().collect();
        let mut open: Vec<PartId> = transaction.fire.iter().map(|it| it.part).collect();
        let mut seen: BTreeSet<PartId> = BTreeSet::new();
        while let Some(part) = open.pop() {
            if !seen.insert(part) {
                continue;
            }
            for (_, link) in self.links_of(part) {
                needed.extend(self.system.parts_of_fire(&link.fire));
                needed.extend(link.when.iter().flat_map(|it| it.parts()));
                open.push(link.fire.part);
            }
        }
        needed
    }

    /// The type of an input of a transaction.
    pub(crate) fn input_ty(&self, input: &Input) -> TokenStream {
        let ty = match &input.field.ty {
            Type::State => match input.of {
                Some(part) => {
                    let path = self.path(part);
                    quote! { #path::State }
                }
                None => quote! { ::core::convert::Infallible },
            },
            Type::Enum(id) => {
                let (module, own) = self.enum_module(*id);
                let path = ident(&snake(&module.machine.name));
                let ident = &module.enums[own.index()];
                quote! { super::#path::#ident }
            }
            Type::Reference => quote! { U::Key },
            ty => self.machines[0].ty(ty, Place::Argument),
        };
        if input.field.optional {
            quote! { ::core::option::Option<#ty> }
        } else {
            ty
        }
    }

    /// The machine that an enum of the system comes from, and its id there.
    pub(crate) fn enum_module(&self, id: EnumId) -> (&Module<'m>, EnumId) {
        let (machine, own) = self.system.enum_origins[id.index()];
        (&self.enum_machines[&machine], own)
    }

    /// What the values of a transaction are called in its function.
    pub(crate) fn locals(&self, inputs: &[Input]) -> Locals {
        let mut claims = Claims::new(&["unit", "world", "pass", "self"]);
        let inputs = inputs.iter().map(|it| claims.claim(snake(&it.field.name))).collect();
        let mut of_parts = |suffix: &str| -> Vec<Ident> {
            self.system.parts.iter().map(|it| claims.claim(format!("{}{suffix}", snake(&it.name)))).collect()
        };
        Locals {
            keys: of_parts("_id"),
            now: of_parts("_now"),
            events: of_parts("_event"),
            next: of_parts("_next"),
            changes: of_parts("_change"),
            inputs,
        }
    }

    /// `unit.load_hop`
    pub(crate) fn method(&self, verb: &str, part: PartId) -> Ident {
        format_ident!("{verb}_{}", plain(&self.parts[part.index()]))
    }

    /// `unit.hop_key`
    pub(crate) fn part_method(&self, part: PartId, what: &str) -> Ident {
        format_ident!("{}_{what}", plain(&self.parts[part.index()]))
    }

    /// `HopPredicates`
    pub(crate) fn predicates_ty(&self, part: PartId) -> Ident {
        format_ident!("{}Predicates", self.part_variants[part.index()])
    }

    /// The field of the context that says to whom an instance belongs.
    pub(crate) fn owner_field(&self, part: PartId) -> Option<(PartId, Ident, &'m Field)> {
        let (owner, field) = self.part(part).of?;
        let machine = self.machine(part);
        Some((owner, machine.fields[field.index()].clone(), &machine.machine.fields[field.index()]))
    }
}

/// Names in the function of a transaction or link; all but `inputs` by part.
pub(crate) struct Locals {
    pub(crate) inputs: Vec<Ident>,
    pub(crate) keys: Vec<Ident>,
    pub(crate) now: Vec<Ident>,
    pub(crate) events: Vec<Ident>,
    pub(crate) next: Vec<Ident>,
    pub(crate) changes: Vec<Ident>,
}

/// A raw identifier loses its `r#` where it becomes part of a longer one.
fn plain(ident: &Ident) -> String {
    let text = ident.to_string();
    text.strip_prefix("r#").map_or(text.clone(), str::to_owned)
}
