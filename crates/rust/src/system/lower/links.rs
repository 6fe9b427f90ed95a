//! Links: methods of `World` that raise an event when another part changes.

use std::collections::BTreeSet;

use proc_macro2::Ident;
use quote::quote;
use statespec_lang::expr::Var;
use statespec_lang::model::system::{Crossing, Link as SpecLink};
use statespec_lang::model::{PartId, StateId, Type};

use super::SystemLowering;
use super::transactions::checked;
use crate::lower::docs;
use crate::lower::expr::value;
use crate::names::UniqueNames;
use crate::system::ir::{Crossed, FollowMethod, Link, LinkCall};

impl SystemLowering<'_> {
    /// The parts that transactions change, directly or through links.
    pub(super) fn fired(&self) -> BTreeSet<PartId> {
        let mut fired: BTreeSet<PartId> = self.system.transactions.iter().flat_map(|it| &it.fire).map(|it| it.part).collect();
        let mut open: Vec<PartId> = fired.iter().copied().collect();
        while let Some(part) = open.pop() {
            open.extend(self.system.links_of(part).map(|(_, link)| link.fire.part).filter(|it| fired.insert(*it)));
        }
        fired
    }

    pub(super) fn follow_method(&self, part: PartId) -> Option<FollowMethod> {
        let method = self.follow(part)?;
        let machine = self.machine(part).machine;
        let depth = |state: &StateId| machine.ancestors(*state).count();
        let watched: BTreeSet<StateId> = self.system.links_of(part).map(|(_, link)| link.state).collect();
        // On exit the innermost state comes first, on entry the outermost; with regions, on exit the last region comes first.
        let mut entered: Vec<StateId> = watched.into_iter().collect();
        let mut left = entered.clone();
        if machine.has_regions() {
            left.reverse();
        } else {
            left.sort_by_key(|it| std::cmp::Reverse(depth(it)));
            entered.sort_by_key(depth);
        }
        let borders = left.into_iter().map(|it| (Crossing::Exit, it)).chain(entered.into_iter().map(|it| (Crossing::Enter, it)));
        let mut crossings = Vec::new();
        for (on, state) in borders {
            let links = self.system.links_of(part).filter(|(_, link)| link.on == on && link.state == state);
            let calls: Vec<LinkCall> = links.map(|(idx, link)| self.link_call(idx, &link)).collect();
            if !calls.is_empty() {
                crossings.push((self.crossed(part, on, state), calls));
            }
        }
        Some(FollowMethod { method, crossings })
    }

    fn crossed(&self, part: PartId, on: Crossing, state: StateId) -> Crossed {
        let (path, machine) = (self.path(part), self.machine(part));
        let (types, ident) = (&machine.types, machine.state(state));
        let (leaf, composite) = (&types.state, &types.composite);
        // Then the leaves before and after a step do not tell which composites it crosses.
        let by_node = machine.reenters() || machine.machine.has_regions();
        match (on, machine.machine.is_leaf(state)) {
            (Crossing::Enter, false) if by_node => Crossed::EntersNode(quote! { #path::#composite::#ident }),
            (Crossing::Exit, false) if by_node => Crossed::LeavesNode(quote! { #path::#composite::#ident }),
            (Crossing::Enter, true) => Crossed::Enters(quote! { #path::#leaf::#ident }),
            (Crossing::Exit, true) => Crossed::Leaves(quote! { #path::#leaf::#ident }),
            (Crossing::Enter, false) => Crossed::EntersComposite(quote! { #path::#composite::#ident }),
            (Crossing::Exit, false) => Crossed::LeavesComposite(quote! { #path::#composite::#ident }),
        }
    }

    fn link_call(&self, idx: usize, link: &SpecLink) -> LinkCall {
        LinkCall { method: self.link_method(idx, link.part), optional: link.optional, follow: self.follow_of_caller(link) }
    }

    /// The links triggered by an optional link are not optional, so its caller follows them.
    fn follow_of_caller(&self, link: &SpecLink) -> Option<Ident> {
        if link.optional { self.follow(link.fire.part) } else { None }
    }

    pub(super) fn link(&self, idx: usize, spec: &SpecLink) -> Link {
        let fire = std::slice::from_ref(&spec.fire);
        let when = spec.when.as_ref().map(|when| {
            let present = when.parts().iter().map(|it| self.get(*it)).collect();
            (present, checked(when, &self.reads(quote! { self }), value))
        });
        let mut parts = self.system.parts_of_fire(&spec.fire);
        // The parts of the condition exist.
        parts.retain(|part| !spec.when.as_ref().is_some_and(|it| it.parts().contains(part)));
        let rules = self.rules(&spec.fire);
        let present = self.present(&parts, fire, &rules);
        let is_kept_text = |var: &Var| match var {
            Var::PartContext(part, field) => self.machine(*part).machine.fields[field.index()].ty == Type::Text,
            _ => false,
        };
        let copies = spec.fire.payload.iter().any(|it| it.vars().iter().any(is_kept_text));
        let world = if copies {
            quote! { before }
        } else {
            quote! { self }
        };
        let mut fire = self.fire(&spec.fire, self.reads(world), &mut UniqueNames::default(), false);
        let returns_change = self.follow_of_caller(spec).is_some();
        if returns_change {
            fire.follow = None;
        }
        let (path, change) = (self.path(spec.fire.part), &self.machine(spec.fire.part).types.change);
        Link {
            method: self.link_method(idx, spec.part),
            doc: vec![docs::sentence_or(spec.doc.as_deref(), || "A link of the spec.".into())],
            when,
            present,
            rules,
            copies,
            change: returns_change.then(|| quote! { #path::#change }),
            fire,
        }
    }
}
