//! Regions: the types of configurations.

use proc_macro2::{Ident, TokenStream};
use statespec_lang::model::StateId;
use statespec_lang::names::snake;

use super::{Lowering, docs};
use crate::ir::{Alternative, Configuration, Region, RegionField, Regions, Shape};
use crate::names::UniqueNames;

impl Lowering<'_> {
    /// What a machine with regions needs beyond its leaves.
    pub(super) fn regions(&self) -> Option<Regions> {
        let machine = self.machine;
        if !machine.has_regions() {
            return None;
        }
        let mut types = Vec::new();
        let n_active = self.configuration(None, &mut types);
        let may_complete = machine.state_ids().filter_map(|id| Some((id, self.program.node(id).may_complete?)));
        Some(Regions {
            types,
            order: machine.state_ids().map(|id| self.node_index(id)).collect(),
            list: machine.state_ids().filter(|id| machine.is_region(*id)).map(|id| self.region(id)).collect(),
            may_complete: may_complete.map(|(id, of)| (self.node_index(id), self.state(of))).collect(),
            n_active,
        })
    }

    fn region(&self, id: StateId) -> Region {
        Region {
            node: self.node_index(id),
            of: self.machine.state(id).parent.map(|it| self.node_index(it)),
            starts: self.state_idents(self.program.node(id).starts.iter().copied()),
        }
    }

    /// Adds the type of the configurations inside a state, and those inside it; returns the maximum number of leaves that are
    /// active in it at once.
    fn configuration(&self, whole: Option<StateId>, types: &mut Vec<Configuration>) -> usize {
        let machine = self.machine;
        let place = types.len();
        types.push(Configuration {
            ident: self.configuration_ident(whole),
            doc: self.configuration_doc(whole),
            attributes: if whole.is_none() { self.attributes("State") } else { TokenStream::new() },
            // It is known once the types inside are.
            shape: Shape::All(Vec::new()),
        });
        let (shape, n_active) = if machine.is_parallel(whole) {
            let regions = machine.inside(whole);
            let n_active = regions.iter().map(|it| self.configuration(Some(*it), types)).sum();
            (Shape::All(self.region_fields(&regions)), n_active)
        } else {
            let mut ends = Vec::new();
            self.ends_inside(whole, &mut ends);
            let parallel = ends.iter().filter(|it| machine.is_parallel(Some(**it)));
            let n_active = parallel.map(|it| self.configuration(Some(*it), types)).max().unwrap_or(1);
            let initial = self.alternative(machine.default_end(whole.unwrap_or(machine.initial_top)));
            (Shape::OneOf { alternatives: ends.iter().map(|it| self.alternative(*it)).collect(), initial }, n_active)
        };
        types[place].shape = shape;
        n_active
    }

    /// The leaves and parallel states inside a state that no other parallel state surrounds, in order.
    fn ends_inside(&self, whole: Option<StateId>, ends: &mut Vec<StateId>) {
        for id in self.machine.inside(whole).iter() {
            match self.machine.is_leaf(*id) || self.machine.is_parallel(Some(*id)) {
                true => ends.push(*id),
                false => self.ends_inside(Some(*id), ends),
            }
        }
    }

    fn configuration_ident(&self, whole: Option<StateId>) -> Ident {
        whole.map_or(&self.types.configuration, |it| &self.names.configurations[&it]).clone()
    }

    fn configuration_doc(&self, whole: Option<StateId>) -> Vec<String> {
        let machine = self.machine;
        let name = |id: StateId| docs::code(&machine.path_name(id));
        vec![match whole {
            None => format!("What {} is in: one state, or one in each region.", docs::one(&machine.name)),
            Some(id) if machine.is_parallel(whole) => format!("What a machine is in inside {}: one state in each region.", name(id)),
            Some(id) => format!("What a machine is in inside the region {}.", name(id)),
        }]
    }

    fn region_fields(&self, regions: &[StateId]) -> Vec<RegionField> {
        let names: Vec<&String> = regions.iter().map(|it| &self.machine.state(*it).name).collect();
        let fields = UniqueNames::default().claim_all(names, snake);
        let field = |(id, field): (&StateId, Ident)| {
            let state = self.machine.state(*id);
            let doc = docs::sentence_or(state.doc.as_deref(), || format!("The region {}.", docs::code(&state.name)));
            RegionField { field, name: state.wire.clone(), doc: vec![doc], ty: self.configuration_ident(Some(*id)) }
        };
        regions.iter().zip(fields).map(field).collect()
    }

    fn alternative(&self, id: StateId) -> Alternative {
        let state = self.machine.state(id);
        Alternative {
            variant: self.state(id),
            name: state.wire.clone(),
            doc: vec![docs::sentence_or(state.doc.as_deref(), || format!("The state {}.", docs::code(&state.name)))],
            inside: self.machine.is_parallel(Some(id)).then(|| self.configuration_ident(Some(id))),
        }
    }
}
