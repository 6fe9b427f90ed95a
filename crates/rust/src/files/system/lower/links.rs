//! Links: methods of `World` that raise an event when another part changes.

use std::collections::BTreeSet;

use proc_macro2::Ident;
use quote::quote;
use statespec_lang::expr::Var;
use statespec_lang::model::system::Crossing;
use statespec_lang::model::{PartId, StateId, Type};
use statespec_lang::program::system as program;

use super::SystemLowering;
use super::transactions::checked;
use crate::files::system::ir::{Crossed, FollowMethod, Link, LinkCall};
use crate::lower::docs;
use crate::lower::expr::value;
use crate::names::UniqueNames;

impl SystemLowering<'_> {
    /// The parts that transactions change, directly or through links.
    pub(super) fn fired(&self) -> BTreeSet<PartId> {
        self.program.transactions.iter().flat_map(|it| &it.changes).copied().collect()
    }

    pub(super) fn follow_method(&self, part: PartId) -> Option<FollowMethod> {
        let method = self.follow(part)?;
        let links = self.program.links_of(part);
        let crossing = |(on, state): &(Crossing, StateId)| {
            let following = links.iter().filter(|(_, link)| (link.on, link.state) == (*on, *state));
            (self.crossed(part, *on, *state), following.map(|(idx, link)| self.link_call(*idx, link)).collect())
        };
        Some(FollowMethod { method, crossings: self.program.part(part).borders.iter().map(crossing).collect() })
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

    fn link_call(&self, idx: usize, link: &program::Link) -> LinkCall {
        LinkCall { method: self.link_method(idx, link.part), optional: link.optional, follow: self.follow_of_caller(link) }
    }

    /// The links triggered by an optional link are not optional, so its caller follows them.
    fn follow_of_caller(&self, link: &program::Link) -> Option<Ident> {
        if link.optional { self.follow(link.fire.part) } else { None }
    }

    pub(super) fn link(&self, idx: usize, program: &program::Link) -> Link {
        let when = program.when.as_ref().map(|when| {
            let present = when.needs.iter().map(|it| self.get(*it)).collect();
            let reads = self.reads(quote! { self });
            (present, checked(when.divides.as_ref(), value(&when.condition, &reads), &reads))
        });
        let rules = self.rules(&program.rules);
        let present = self.present(&program.needs, std::slice::from_ref(&program.fire), &rules);
        let is_kept_text = |var: Var| match var {
            Var::PartContext(part, field) => self.machine(part).machine.fields[field.index()].ty == Type::Text,
            _ => false,
        };
        let copies = program.fire.payload.iter().any(|it| it.value.vars().into_iter().any(is_kept_text));
        let world = if copies {
            quote! { before }
        } else {
            quote! { self }
        };
        let mut fire = self.fire(&program.fire, self.reads(world), &mut UniqueNames::default(), false);
        let returns_change = self.follow_of_caller(program).is_some();
        if returns_change {
            fire.follow = None;
        }
        let (path, change) = (self.path(program.fire.part), &self.machine(program.fire.part).types.change);
        Link {
            method: self.link_method(idx, program.part),
            doc: vec![docs::sentence_or(self.system.links[idx].doc.as_deref(), || "A link of the spec.".into())],
            when,
            present,
            rules,
            copies,
            change: returns_change.then(|| quote! { #path::#change }),
            fire,
        }
    }
}
