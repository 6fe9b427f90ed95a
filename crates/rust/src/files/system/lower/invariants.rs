//! Invariants: conditions on every instance of a part, its owners, and the parts without `many`.

use std::collections::BTreeSet;

use proc_macro2::Ident;
use statespec_lang::expr::Var;
use statespec_lang::model::PartId;

use super::SystemLowering;
use super::resolve::{Reader, Reads};
use crate::files::system::ir::{Each, FindOwner, Invariant, Single};
use crate::lower::docs;
use crate::lower::expr::value;
use crate::names::UniqueNames;

/// The variables of the functions that check invariants.
const LOCALS: &[&str] = &["unit", "after", "holds", "owner", "self"];

/// The variables of one function, by part, and the parts that it reads.
struct Locals {
    instances: Vec<Ident>,
    keys: Vec<Ident>,
    read: BTreeSet<PartId>,
    read_keys: BTreeSet<PartId>,
}

impl SystemLowering<'_> {
    pub(super) fn invariant(&self, idx: usize) -> Invariant {
        let program = &self.program.invariants[idx];
        let mut unique = UniqueNames::besides(LOCALS.iter().copied());
        let instances: Vec<Ident> = self.names.parts.iter().map(|it| unique.claim(it.local.clone())).collect();
        let keys: Vec<Ident> = self.names.parts.iter().map(|it| unique.claim(format!("{}_id", it.base))).collect();
        let chain = &program.owners;
        let mut locals = Locals { instances, keys, read: BTreeSet::new(), read_keys: BTreeSet::new() };
        for var in program.require.vars() {
            match var {
                Var::PartState(part) | Var::PartContext(part, _) => drop(locals.read.insert(part)),
                Var::PartId(part) => drop(locals.read_keys.insert(part)),
                Var::Context(_) | Var::Payload(_) | Var::Input(_) => {}
            }
        }
        // The search for the owners reads every part but the last, and the keys of single owners.
        locals.read.extend(program.each.iter().chain(chain).take(chain.len()));
        locals.read_keys.extend(chain.iter().filter(|it| !self.part(**it).many));
        let singles: BTreeSet<PartId> = program.parts.iter().chain(chain).copied().filter(|it| !self.part(*it).many).collect();
        let reads =
            Reads { lowering: self, reader: Reader::Locals(&locals.instances, &locals.keys), inputs: &[], input_locals: &[], taker: None };
        let condition = value(&program.require, &reads);
        Invariant {
            variant: self.names.invariants[idx].clone(),
            function: self.names.checks[idx].clone(),
            doc: vec![docs::sentence_or(Some(&self.system.invariants[idx].doc), || "A condition of the spec.".into())],
            singles: singles.iter().map(|part| self.single(*part, &locals)).collect(),
            each: program.each.map(|of| self.each(of, chain, &locals)),
            condition,
        }
    }

    fn single(&self, part: PartId, locals: &Locals) -> Single {
        let owner = self.beginning_owner(part).filter(|it| !self.part(it.part).many);
        Single {
            part: part.index(),
            local: locals.read.contains(&part).then(|| locals.instances[part.index()].clone()),
            key: locals.read_keys.contains(&part).then(|| locals.keys[part.index()].clone()),
            owner: owner.map(|it| {
                let fields = &self.machine(part).names.fields;
                (it.part.index(), fields[it.field.index()].clone(), fields.len() > 1)
            }),
        }
    }

    fn each(&self, of: PartId, chain: &[PartId], locals: &Locals) -> Each {
        let mut owners = Vec::new();
        let mut at = of;
        for (idx, owner) in chain.iter().enumerate() {
            // Every part in the chain has an owner.
            let Some((_, by)) = self.part(at).of else { break };
            let (instance, by) = (locals.instances[at.index()].clone(), self.machine(at).names.fields[by.index()].clone());
            let key = locals.keys[owner.index()].clone();
            owners.push(if self.part(*owner).many {
                let local = locals.read.contains(owner).then(|| locals.instances[owner.index()].clone());
                FindOwner::Load { part: owner.index(), of: instance, by, key, local }
            } else {
                // An instance without an owner is checked with the single one, but has no owners further up.
                FindOwner::Is { of: instance, by, key, required: idx + 1 < chain.len() }
            });
            at = *owner;
        }
        Each {
            part: of.index(),
            local: locals.instances[of.index()].clone(),
            is_read: locals.read.contains(&of),
            key: locals.keys[of.index()].clone(),
            owners,
        }
    }
}
