//! Emitted machines behave like the interpreter.

use statespec::State;
use statespec_lang::model::Model;

use crate::support::{
    Drive, DriveSystem, VisitMachines, VisitSystems, compare_everywhere, compare_on_walks, compare_transactions, compare_walkthroughs,
    compare_worlds, model_of, one_in, sample,
};

struct Everywhere<'m>(&'m Model);

impl VisitMachines for Everywhere<'_> {
    fn machine<D: Drive>(&mut self) {
        let machine = self.0.machine(D::State::MACHINE).expect("a machine");
        // A machine with regions has many configurations.
        compare_everywhere::<D>(machine, if machine.has_regions() { sample(30) } else { one_in(12, 300) });
    }
}

struct Walks<'m>(&'m Model);

impl VisitMachines for Walks<'_> {
    fn machine<D: Drive>(&mut self) {
        let machine = self.0.machine(D::State::MACHINE).expect("a machine");
        compare_on_walks::<D>(machine, one_in(12, 50) as u64, 200);
    }
}

#[test]
fn every_event_in_every_state_around_every_guard() {
    crate::drive::each_machine(&mut Everywhere(&model_of("machines")));
}

#[test]
fn random_sequences() {
    crate::drive::each_machine(&mut Walks(&model_of("machines")));
}

struct Systems<'m>(&'m Model);

impl VisitSystems for Systems<'_> {
    fn system<D: DriveSystem>(&mut self) {
        compare_walkthroughs::<D>(self.0);
        let went_through = compare_transactions::<D>(self.0, one_in(10, 200) as u64, 60);
        assert!(went_through.values().all(|it| *it > 0), "{went_through:?}");
    }
}

#[test]
fn every_walkthrough_and_random_transactions() {
    crate::drive::each_system(&mut Systems(&model_of("machines")));
}

struct Worlds<'m>(&'m Model);

impl VisitSystems for Worlds<'_> {
    fn system<D: DriveSystem>(&mut self) {
        let n_worlds = compare_worlds::<D>(self.0, one_in(8, 300));
        assert!(n_worlds > 25, "{}: {n_worlds} worlds", D::SYSTEM);
    }
}

#[test]
fn every_transaction_in_every_reachable_world() {
    crate::drive::each_system(&mut Worlds(&model_of("machines")));
}
