//! Regions: the types of configurations, and the rows that leaves choose.

use proc_macro2::{Ident, TokenStream};
use statespec_lang::expr::{Expr as SpecExpr, divides_where};
use statespec_lang::model::machine::{Branch, Edge, Outcome, Recall};
use statespec_lang::model::{EventId, StateId};
use statespec_lang::names::snake;

use super::expr::value;
use super::scope::RowScope;
use super::{Lowering, docs};
use crate::ir::{Alternative, Choice, Configuration, Destination, Region, RegionField, Regions, Shape};
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
        let may_complete = machine.state_ids().filter_map(|id| Some((id, machine.may_complete(id)?)));
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
            starts: self.state_idents(self.machine.default_leaves(id)),
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
        whole.and_then(|it| self.names.configurations.get(&it)).unwrap_or(&self.types.configuration).clone()
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

    /// The row that a leaf chooses along an edge.
    pub(super) fn choice(&self, edge: &Edge, event: Option<EventId>) -> Choice {
        let machine = self.machine;
        let leaf = |id: StateId| Destination::Leaf(self.state(id));
        let leaves = |id: StateId| machine.default_leaves(id).into_iter().map(leaf).collect::<Vec<_>>();
        let history = |to: Recall| vec![Destination::History(self.recall(to))];
        let to = match edge.outcome {
            Outcome::Stay | Outcome::Refuse => Vec::new(),
            Outcome::Leaf(to) => vec![leaf(to)],
            Outcome::Parallel(to) => leaves(to),
            Outcome::Fork => {
                let branches = machine.branches(edge.transition).iter();
                let to = branches.flat_map(|it| match it {
                    Branch::To(id) => leaves(*id),
                    Branch::History(to) => history(*to),
                });
                to.collect()
            }
            Outcome::History(to) => history(to),
            // The check rejects a row without an event that refers to a field of the payload.
            Outcome::Payload(id) => event.and_then(|it| self.local(it, id)).map(Destination::Local).into_iter().collect(),
        };
        Choice {
            row: self.row_path(edge.transition),
            source: edge.source.map(|it| self.node_index(it)),
            to,
            divides: self.divides_in_values(edge).map(|it| value(&it, &RowScope::new(self, event))),
        }
    }

    /// The condition under which an assignment of a row of a machine with regions divides by zero, where its guard holds.
    pub(super) fn divides_in_values(&self, edge: &Edge) -> Option<SpecExpr> {
        let row = self.machine.transition(edge.transition);
        let values = row.set.iter().map(|(_, value)| value);
        divides_where(values, row.guard.as_ref(), &self.machine.constants).filter(|_| self.machine.has_regions())
    }
}
