//! Random machines: every key of a machine file, in every combination that the language allows.

use statespec_lang::names::{snake, upper_camel};

use super::attributes;
use super::declarations;
use super::dice::Dice as _;
use super::expressions::{Scope, Ty, Var, Vocabulary};
use super::names::{Hostility, Names};
use super::orders;
use super::rows;
use super::states::{self, State};
use super::texts;
use super::yaml::{Map, Put as _, Yaml, plain, text};
use crate::rng::Rng;

/// A field of a context or a payload.
pub(super) type Field = Var;

/// An event.
#[derive(Debug, Clone)]
pub(super) struct Event {
    pub(super) name: String,
    pub(super) payload: Vec<Field>,
    /// The actors that may raise it; empty if every actor may.
    pub(super) by: Vec<String>,
    /// Whether it only creates machines.
    pub(super) creates: bool,
}

/// An effect, with the fields that it takes.
#[derive(Debug, Clone)]
pub(super) struct Effect {
    pub(super) name: String,
    pub(super) payload: Vec<Field>,
}

/// The data of a machine that the generator needs.
#[derive(Debug, Clone, Default)]
pub(super) struct Machine {
    pub(super) name: String,
    /// Its position in the project.
    pub(super) number: usize,
    pub(super) actors: Vec<String>,
    pub(super) constants: Vec<Var>,
    pub(super) context: Vec<Field>,
    /// The field with the key of the owner, an instance of another part.
    pub(super) owner: Option<String>,
    pub(super) states: Vec<State>,
    /// The regions of the machine itself, by position; empty if it has states.
    pub(super) regions: Vec<usize>,
    /// States with a history, by position, and the field of each.
    pub(super) histories: Vec<(usize, String)>,
    /// Whether a step may cause further ones.
    pub(super) reacts: bool,
    pub(super) events: Vec<Event>,
    pub(super) predicates: Vec<String>,
    pub(super) effects: Vec<Effect>,
    pub(super) vocabulary: Vocabulary,
    /// The orders that compare fields of its own context, so that they can sort its instances.
    pub(super) sorted_by: Vec<String>,
    pub(super) spec: Map,
}

/// The use of a machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    /// By itself.
    Alone,
    /// As a part of systems, which read `part.state` and `part.id`.
    Part,
}

/// The inputs of the generator: random numbers, and how unusual names and texts are.
pub(super) struct Maker<'r> {
    pub(super) rng: &'r mut Rng,
    pub(super) names: Hostility,
    pub(super) texts: Hostility,
    pub(super) usage: Use,
}

impl<'r> Maker<'r> {
    /// A maker with a random degree of unusual names: none, some or many.
    pub(super) fn new(rng: &'r mut Rng, usage: Use) -> Self {
        let names = *rng.pick(&[0, 4, 10, 25, 80]);
        let texts = *rng.pick(&[0, 10, 40, 90]);
        Maker { rng, names, texts, usage }
    }

    /// A name for a list.
    pub(super) fn name(&mut self, names: &mut Names) -> String {
        names.fresh(self.rng, self.names)
    }

    /// A text that refers to constants.
    pub(super) fn text(&mut self, machine: &Machine) -> Yaml {
        let constants: Vec<(String, bool)> =
            machine.constants.iter().map(|it| (it.name.clone(), matches!(it.ty, Ty::Int | Ty::Decimal))).collect();
        text(texts::filled(self.rng, self.texts, &constants))
    }

    /// A text in this percentage of cases.
    pub(super) fn put_text(&mut self, key: &str, percent: usize, machine: &Machine, entries: &mut Map) {
        if self.rng.chance(percent) {
            // Constants would make some labels too long.
            let text = if key == "label" { text(texts::label(self.rng, self.texts)) } else { self.text(machine) };
            entries.put(key, text);
        }
    }

    /// A list of texts without placeholders.
    pub(super) fn raw_texts(&mut self) -> Vec<Yaml> {
        (0..self.rng.between(1, 3)).map(|_| text(texts::raw(self.rng, self.texts))).collect()
    }

    /// A waiver in a small percentage of cases.
    pub(super) fn put_allow(&mut self, entries: &mut Map) {
        if self.rng.chance(6) {
            entries.put("allow", allow(self.rng, self.texts));
        }
    }

    /// Aliases, which no other entry of the list may have.
    pub(super) fn put_aliases(&mut self, names: &mut Names, entries: &mut Map) {
        if self.rng.chance(15) {
            let aliases: Vec<Yaml> = (0..self.rng.between(1, 2)).map(|_| text(self.name(names))).collect();
            entries.put("aliases", one_or_many(self.rng, aliases));
        }
    }
}

/// Earlier names of some elements. They are made of the name itself, so that no other element has them.
pub(super) fn put_aka(name: &str, entries: &mut Map) {
    match name.bytes().map(usize::from).sum::<usize>() % 8 {
        0 => entries.put("aka", text(format!("was_{name}"))),
        1 => entries.put("aka", Yaml::List(["was", "first"].iter().map(|it| text(format!("{it}_{name}"))).collect())),
        _ => {}
    }
}

/// The numbers of some elements, made of their names.
pub(super) fn put_number(name: &str, entries: &mut Map) {
    match name.bytes().map(usize::from).sum::<usize>() % 7 {
        0 => entries.put("number", plain(i32::MAX)),
        1 => entries.put("number", plain(name.len())),
        _ => {}
    }
}

/// What some lists reserve, which no element has.
pub(super) fn retired(list: &str) -> Option<Yaml> {
    match list.len() % 4 {
        0 => Some(plain(i32::MIN)),
        1 => Some(Yaml::List(vec![plain(-1), text(format!("gone_from_{list}"))])),
        _ => None,
    }
}

/// A waiver of one or two lints.
pub(super) fn allow(rng: &mut Rng, hostility: Hostility) -> Yaml {
    let lints: Vec<&str> = statespec_codegen::diagnostic::Code::lints().map(|it| it.short()).collect();
    let lints = rng.several(&lints, 2);
    // A reason must not consist of white space only.
    Yaml::Map(lints.into_iter().map(|it| (it.to_owned(), text(format!("because {}", texts::raw(rng, hostility))))).collect())
}

/// A list, or its only item without brackets.
pub(super) fn one_or_many(rng: &mut Rng, mut items: Vec<Yaml>) -> Yaml {
    match items.pop() {
        Some(only) if items.is_empty() && rng.chance(60) => only,
        last => {
            items.extend(last);
            Yaml::List(items)
        }
    }
}

/// The name of a type in a spec.
pub(super) fn type_name(ty: Ty, enums: &[(String, Vec<String>)]) -> String {
    match ty {
        Ty::Bool => "bool".into(),
        Ty::Int => "int".into(),
        Ty::Decimal => "decimal".into(),
        Ty::Text => "text".into(),
        Ty::Duration => "duration".into(),
        Ty::Timestamp => "timestamp".into(),
        Ty::Reference => "reference".into(),
        Ty::State(_) | Ty::Configuration(_) => "state".into(),
        Ty::Enum(_, idx) => enums[idx].0.clone(),
    }
}

/// A machine with this name.
pub(super) fn machine(maker: &mut Maker<'_>, name: String, number: usize) -> Machine {
    let mut machine = Machine { name, number, ..Machine::default() };
    let mut head: Map = vec![("machine".into(), text(machine.name.clone()))];
    let enums = declarations::enums(maker, &mut machine);
    let constants = declarations::constants(maker, &mut machine);
    maker.put_text("title", 30, &machine, &mut head);
    maker.put_text("doc", 40, &machine, &mut head);
    if maker.rng.chance(20) {
        let sources = maker.raw_texts();
        head.put("sources", Yaml::List(sources));
    }
    head.put_map("actors", actors(maker, &mut machine));
    let states = states::declare(maker, &mut machine);
    let context = declarations::context(maker, &mut machine, reserved(maker.usage));
    let predicates = predicates(maker, &mut machine);
    let events = declarations::events(maker, &mut machine);
    let effects = declarations::effects(maker, &mut machine);
    let (attributes, ranks) = attributes::attributes(maker, &machine);
    machine.histories = states::histories(maker, &machine);
    let states = states::write(maker, &machine, &states, &attributes);
    machine.reacts = maker.rng.chance(30);
    let transitions = rows::rows(maker, &machine);
    head.put_map("constants", constants);
    head.put_map("enums", enums);
    head.put_map("context", context);
    head.put_map("attributes", attributes.into_iter().map(|it| (it.name, it.spec)).collect());
    head.put(if machine.regions.is_empty() { "states" } else { "regions" }, Yaml::Map(states));
    head.put_map("events", events);
    head.put_map("predicates", predicates);
    head.put_map("effects", effects);
    head.put("transitions", Yaml::List(transitions));
    if !machine.reacts && !machine.has_regions() && maker.rng.chance(25) && !machine.events.is_empty() {
        let settling: Vec<&Event> = machine.events.iter().filter(|it| !it.creates).collect();
        let settling = maker.rng.several(&settling, 2);
        if !settling.is_empty() {
            let settling = settling.iter().map(|it| text(it.name.clone())).collect();
            head.put("settle", one_or_many(maker.rng, settling));
        }
    }
    let reserved = |list: &str| Some((list.to_owned(), retired(&format!("{}_{list}", machine.name))?));
    head.put_map("reserved", ["states", "events"].into_iter().filter_map(reserved).collect());
    head.put_map("orders", orders::orders(maker, &mut machine, &ranks));
    if maker.rng.chance(25) {
        let notes = (0..maker.rng.between(1, 3)).map(|_| maker.text(&machine)).collect();
        head.put("notes", Yaml::List(notes));
    }
    maker.put_allow(&mut head);
    machine.spec = head;
    machine
}

/// Context fields with the names that a system uses for every part.
fn reserved(usage: Use) -> &'static [&'static str] {
    if usage == Use::Part { &["state", "id"] } else { &[] }
}

fn actors(maker: &mut Maker<'_>, machine: &mut Machine) -> Map {
    let mut names = Names::new(upper_camel);
    let mut actors = Map::new();
    if maker.rng.chance(50) {
        for _ in 0..maker.rng.between(1, 3) {
            let name = maker.name(&mut names);
            actors.put(&name, maker.text(machine));
            machine.actors.push(name);
        }
    }
    actors
}

fn predicates(maker: &mut Maker<'_>, machine: &mut Machine) -> Map {
    let mut predicates = Map::new();
    let others = machine.constants.iter().chain(&machine.context).map(|it| it.name.as_str());
    let mut names = Names::words(snake).without(others);
    if maker.rng.chance(40) {
        for _ in 0..maker.rng.between(1, 3) {
            let name = maker.name(&mut names);
            let mut body = Map::new();
            maker.put_text("doc", 50, machine, &mut body);
            maker.put_allow(&mut body);
            predicates.put(&name, if body.is_empty() { plain("") } else { Yaml::Map(body) });
            machine.predicates.push(name);
        }
    }
    predicates
}

impl Machine {
    /// The payload of a row as its expressions name it: with `event.` where a context field has the name, and for some others.
    pub(super) fn named(&self, payload: &[Field]) -> Vec<Field> {
        let is_shared = |name: &str| self.context.iter().any(|it| it.name == name);
        let name = |name: &str| if is_shared(name) || name.len().is_multiple_of(4) { format!("event.{name}") } else { name.to_owned() };
        payload.iter().map(|it| Var { name: name(&it.name), ..it.clone() }).collect()
    }

    /// Whether the machine may be in several states at once.
    pub(super) fn has_regions(&self) -> bool {
        self.states.iter().any(|it| it.is_region)
    }

    /// States in two regions of one state, or of the machine.
    pub(super) fn fork(&self, maker: &mut Maker<'_>) -> Option<Vec<String>> {
        let split: Vec<&Vec<usize>> = self.states.iter().map(|it| &it.regions).chain([&self.regions]).filter(|it| !it.is_empty()).collect();
        let regions = *maker.rng.maybe(&split)?;
        let regions = maker.rng.several(regions, 2);
        let inside = regions.into_iter().map(|region| region + maker.rng.between(1, self.states[region].n_inside));
        Some(inside.map(|it| self.states[it].name.clone()).collect())
    }

    /// The states around others that may be done.
    pub(super) fn may_be_done(&self) -> Vec<&str> {
        self.states.iter().filter(|it| it.may_be_done).map(|it| it.name.as_str()).collect()
    }

    /// The names that an expression of a row can use; `payload` as [`Machine::named`] gives it.
    pub(super) fn scope<'a>(&self, payload: &[Field], machines: &'a [Vocabulary]) -> Scope<'a> {
        let predicate = |it: &String| Var { name: it.clone(), ty: Ty::Bool, optional: false };
        let fields = payload.iter().chain(&self.context).chain(&self.constants).cloned();
        Scope { vars: fields.chain(self.predicates.iter().map(predicate)).collect(), machines }
    }
}
