//! Trees of states, up to four levels deep, some with regions.

use std::collections::BTreeSet;

use statespec_lang::names::upper_camel;

use super::attributes::Attribute;
use super::dice::Dice as _;
use super::expressions::Ty;
use super::machine::{Machine, Maker, Use, one_or_many, put_aka, put_number};
use super::names::Names;
use super::texts;
use super::yaml::{Map, Put as _, Yaml, plain, text};

/// A state.
#[derive(Debug, Clone)]
pub(super) struct State {
    pub(super) name: String,
    pub(super) is_leaf: bool,
    /// The number of states inside, at any depth: they follow in the list.
    pub(super) n_inside: usize,
    pub(super) is_terminal: bool,
    /// Whether a state directly inside is terminal, or inside each of its regions.
    pub(super) may_be_done: bool,
    /// Its regions, by position; empty if it has states inside, or none.
    pub(super) regions: Vec<usize>,
    pub(super) is_region: bool,
}

impl State {
    fn new(name: String) -> Self {
        State { name, is_leaf: true, n_inside: 0, is_terminal: false, may_be_done: false, regions: Vec::new(), is_region: false }
    }
}

/// A state with its children, by its position among all states.
#[derive(Debug)]
pub(super) struct Tree {
    idx: usize,
    inside: Vec<Tree>,
}

const MAX_DEPTH: usize = 4;

/// Names for the states of a machine, in the order of the spec.
pub(super) fn declare(maker: &mut Maker<'_>, machine: &mut Machine) -> Vec<Tree> {
    let mut names = Names::new(upper_camel);
    let nests = if maker.rng.chance(40) { 35 } else { 0 };
    // Large machines are emitted in another way than small ones.
    let n_states = if maker.usage == Use::Alone && maker.rng.chance(5) { maker.rng.between(30, 90) } else { maker.rng.between(1, 7) };
    let splits = if n_states < 8 && maker.rng.chance(25) { 30 } else { 0 };
    let shape = Shape { nests, splits };
    let tree = if splits > 0 && maker.rng.chance(40) {
        let regions = regions(maker, machine, &mut names, shape, 1);
        machine.regions = regions.iter().map(|it| it.idx).collect();
        regions
    } else {
        level(maker, machine, &mut names, n_states, shape, 1)
    };
    machine.vocabulary.states = machine.states.iter().map(|it| (it.name.clone(), it.is_leaf)).collect();
    tree
}

/// How often a state has states inside, and how often regions, in percent.
#[derive(Clone, Copy)]
struct Shape {
    nests: usize,
    splits: usize,
}

fn level(maker: &mut Maker<'_>, machine: &mut Machine, names: &mut Names, n_states: usize, shape: Shape, depth: usize) -> Vec<Tree> {
    let mut trees = Vec::new();
    for _ in 0..n_states {
        let idx = machine.states.len();
        let name = maker.name(names);
        machine.states.push(State::new(name));
        let mut inside = Vec::new();
        if depth + 1 < MAX_DEPTH && maker.rng.chance(shape.splits) {
            machine.states[idx].is_leaf = false;
            inside = regions(maker, machine, names, shape, depth + 1);
            machine.states[idx].regions = inside.iter().map(|it| it.idx).collect();
            machine.states[idx].n_inside = machine.states.len() - idx - 1;
            machine.states[idx].may_be_done = inside.iter().all(|it| machine.states[it.idx].may_be_done);
        } else if depth < MAX_DEPTH && maker.rng.chance(shape.nests) {
            machine.states[idx].is_leaf = false;
            let n_inside = maker.rng.between(1, 3);
            inside = level(maker, machine, names, n_inside, shape, depth + 1);
            machine.states[idx].n_inside = machine.states.len() - idx - 1;
            machine.states[idx].may_be_done = inside.iter().any(|it| machine.states[it.idx].is_terminal);
        } else {
            machine.states[idx].is_terminal = maker.rng.chance(20);
        }
        trees.push(Tree { idx, inside });
    }
    trees
}

/// Two or three regions, each with states.
fn regions(maker: &mut Maker<'_>, machine: &mut Machine, names: &mut Names, shape: Shape, depth: usize) -> Vec<Tree> {
    let n_regions = maker.rng.between(2, 3);
    let mut region = || {
        let idx = machine.states.len();
        let name = maker.name(names);
        machine.states.push(State { is_leaf: false, is_region: true, ..State::new(name) });
        let n_inside = maker.rng.between(1, 3);
        let inside = level(maker, machine, names, n_inside, shape, depth + 1);
        machine.states[idx].n_inside = machine.states.len() - idx - 1;
        machine.states[idx].may_be_done = inside.iter().any(|it| machine.states[it.idx].is_terminal);
        Tree { idx, inside }
    };
    (0..n_regions).map(|_| region()).collect()
}

/// Some states with others inside, and for each a field that remembers where the machine was, or two.
pub(super) fn histories(maker: &mut Maker<'_>, machine: &Machine) -> Vec<(usize, String)> {
    let is_carried = |name: &str| machine.events.iter().flat_map(|it| &it.payload).any(|it| it.name == name);
    let mut fields = machine.context.iter().filter(|it| matches!(it.ty, Ty::State(_)) && it.optional && !is_carried(&it.name));
    let mut histories: Vec<(usize, String)> = Vec::new();
    // A field remembers one state, so that no region is inside.
    let is_single = |idx: usize| !machine.states[idx + 1..=idx + machine.states[idx].n_inside].iter().any(|it| it.is_region);
    for whole in (0..machine.states.len()).filter(|it| !machine.states[*it].is_leaf && is_single(*it)) {
        for percent in [80, 40] {
            if maker.rng.chance(percent)
                && let Some(field) = fields.next()
            {
                histories.push((whole, field.name.clone()));
            }
        }
    }
    histories
}

/// The states, as written in the spec.
pub(super) fn write(maker: &mut Maker<'_>, machine: &Machine, trees: &[Tree], attributes: &[Attribute]) -> Map {
    let mut wires: BTreeSet<String> = machine.states.iter().map(|it| it.name.clone()).collect();
    write_level(maker, machine, trees, attributes, &mut wires)
}

fn write_level(maker: &mut Maker<'_>, machine: &Machine, trees: &[Tree], attributes: &[Attribute], wires: &mut BTreeSet<String>) -> Map {
    let initial = maker.rng.below(trees.len());
    let mut states = Map::new();
    for (place, tree) in trees.iter().enumerate() {
        let mut body = Map::new();
        if place == initial && !machine.states[tree.idx].is_region {
            body.put("initial", plain(true));
        }
        if tree.inside.is_empty() {
            if machine.states[tree.idx].is_terminal {
                body.put("terminal", plain(true));
            }
            if maker.rng.chance(15) {
                let wire = wire(maker);
                // `+` separates the states of regions.
                if !(machine.has_regions() && wire.contains('+')) && wires.insert(wire.clone()) {
                    body.put("wire", text(wire));
                }
            }
            put_number(&machine.states[tree.idx].name, &mut body);
        }
        maker.put_text("label", 15, machine, &mut body);
        maker.put_text("doc", 40, machine, &mut body);
        let mut values = Map::new();
        for attribute in attributes {
            let must = tree.inside.is_empty() && !attribute.may_be_left_out;
            if must || maker.rng.chance(40) {
                values.put(&attribute.name, attribute.value(maker, machine, attribute.optional));
            }
        }
        body.put_map("attributes", values);
        let free: Vec<&str> = machine.effects.iter().filter(|it| it.payload.is_empty()).map(|it| it.name.as_str()).collect();
        for key in ["entry", "exit"] {
            if !free.is_empty() && maker.rng.chance(20) {
                let effects = maker.rng.several(&free, 2).into_iter().map(text).collect();
                body.put(key, one_or_many(maker.rng, effects));
            }
        }
        let mut histories = Vec::new();
        for (_, field) in machine.histories.iter().filter(|it| it.0 == tree.idx) {
            let shallow = maker.rng.chance(40);
            let long = || Yaml::Map(vec![("field".to_owned(), text(field.clone())), ("shallow".to_owned(), plain(shallow))]);
            histories.push(if shallow || maker.rng.chance(20) { long() } else { text(field.clone()) });
        }
        if !histories.is_empty() {
            body.put("history", one_or_many(maker.rng, histories));
        }
        if !tree.inside.is_empty() {
            let key = if machine.states[tree.idx].regions.is_empty() { "states" } else { "regions" };
            body.put(key, Yaml::Map(write_level(maker, machine, &tree.inside, attributes, wires)));
        }
        maker.put_text("inferred", 8, machine, &mut body);
        put_aka(&machine.states[tree.idx].name, &mut body);
        maker.put_allow(&mut body);
        let body = if body.is_empty() && maker.rng.chance(50) { plain("") } else { Yaml::Map(body) };
        states.put(&machine.states[tree.idx].name, body);
    }
    states
}

/// The stored name of a state or a value: any text.
pub(super) fn wire(maker: &mut Maker<'_>) -> String {
    match maker.rng.below(3) {
        0 => texts::short(maker.rng, maker.texts),
        1 => Names::new(upper_camel).fresh(maker.rng, maker.names.max(20)),
        _ => format!("wire-{}", maker.rng.below(1000)),
    }
}
