//! The timers of rows with `after`.

use statespec_lang::names::upper_camel;

use super::dice::Dice as _;
use super::expressions::Ty;
use super::machine::{Machine, Maker, one_or_many};
use super::names::Names;
use super::yaml::{Map, Put as _, text};

/// The timers of a machine so far.
pub(super) struct Timers {
    names: Names,
    known: Vec<Timer>,
}

/// A timer, as rows write it.
#[derive(Clone)]
struct Timer {
    /// The states in which it runs, none inside another.
    from: Vec<String>,
    after: String,
    /// The name, if it is not the usual one.
    name: Option<String>,
}

impl Timers {
    /// No timers yet.
    pub(super) fn of(machine: &Machine) -> Self {
        let mut names = Names::new(upper_camel);
        machine.events.iter().for_each(|it| _ = names.accept(&it.name));
        Timers { names, known: Vec::new() }
    }

    /// Puts the keys of a timer into a row: of a new one, or of one that another row has.
    pub(super) fn put(&mut self, maker: &mut Maker<'_>, machine: &Machine, body: &mut Map) {
        let known = if maker.rng.chance(30) { maker.rng.maybe(&self.known).cloned() } else { None };
        let timer = known.unwrap_or_else(|| self.fresh(maker, machine));
        body.put("from", one_or_many(maker.rng, timer.from.iter().map(|it| text(it.clone())).collect()));
        body.put("after", text(timer.after.clone()));
        if let Some(name) = &timer.name {
            body.put("timer", text(name.clone()));
        }
        self.known.push(timer);
    }

    fn fresh(&mut self, maker: &mut Maker<'_>, machine: &Machine) -> Timer {
        let after = duration(maker, machine);
        let state = maker.rng.pick(&machine.states).name.clone();
        if maker.rng.chance(50) && self.names.accept(&format!("{state}_timeout")) {
            return Timer { from: vec![state], after, name: None };
        }
        let leaves: Vec<String> = machine.states.iter().filter(|it| it.is_leaf).map(|it| it.name.clone()).collect();
        // A timer runs in one state at a time.
        let from = if maker.rng.chance(40) && !machine.has_regions() { maker.rng.several(&leaves, 3) } else { vec![state] };
        let mut names = Names::new(upper_camel);
        let stem = maker.name(&mut names);
        let mut name = format!("{stem}_elapsed");
        while !self.names.accept(&name) {
            name.push_str("_too");
        }
        Timer { from, after, name: Some(name) }
    }
}

/// A duration: a literal, a field of the context, or both.
fn duration(maker: &mut Maker<'_>, machine: &Machine) -> String {
    let fields: Vec<&str> = machine.context.iter().filter(|it| it.ty == Ty::Duration && !it.optional).map(|it| it.name.as_str()).collect();
    let literal = format!("{}{}", maker.rng.between(1, 90), maker.rng.pick(&["us", "ms", "s", "m", "h", "d"]));
    let Some(field) = maker.rng.maybe(&fields).filter(|_| maker.rng.chance(60)) else { return literal };
    match maker.rng.below(4) {
        0 => format!("{field} + {literal}"),
        1 => format!("{literal} - {field} * 2"),
        _ => (*field).to_owned(),
    }
}
