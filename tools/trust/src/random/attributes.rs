//! Attributes of states: of every type, including lists.

use statespec_lang::names::snake;

use super::dice::Dice as _;
use super::expressions::Ty;
use super::machine::{Machine, Maker, type_name};
use super::names::Names;
use super::texts;
use super::values;
use super::yaml::{Map, Put as _, Yaml, plain, text};

/// The type of an attribute.
#[derive(Debug, Clone)]
enum AttributeType {
    One(Ty),
    Event,
    List(Box<AttributeType>),
    /// A list of these values of an enum.
    Some(usize, Vec<String>),
}

/// An attribute.
#[derive(Debug)]
pub(super) struct Attribute {
    pub(super) name: String,
    pub(super) spec: Yaml,
    pub(super) optional: bool,
    /// Whether states may omit it.
    pub(super) may_be_left_out: bool,
    ty: AttributeType,
}

/// Two list attributes without a common value, and the position of the enum.
#[derive(Debug)]
pub(super) struct Rank {
    pub(super) first: String,
    pub(super) last: String,
    pub(super) idx: usize,
}

impl Attribute {
    /// A value for a state.
    pub(super) fn value(&self, maker: &mut Maker<'_>, machine: &Machine, optional: bool) -> Yaml {
        let is_list = matches!(self.ty, AttributeType::List(_) | AttributeType::Some(..));
        if optional && !is_list && maker.rng.chance(25) {
            return plain("null");
        }
        self.ty.value(maker, machine)
    }
}

impl AttributeType {
    fn name(&self, machine: &Machine) -> String {
        match self {
            AttributeType::One(ty) => type_name(*ty, &machine.vocabulary.enums),
            AttributeType::Event => "event".into(),
            AttributeType::List(item) => format!("list<{}>", item.name(machine)),
            AttributeType::Some(idx, _) => format!("list<{}>", machine.vocabulary.enums[*idx].0),
        }
    }

    fn value(&self, maker: &mut Maker<'_>, machine: &Machine) -> Yaml {
        match self {
            // Texts of states contain constants.
            AttributeType::One(Ty::Text) => maker.text(machine),
            AttributeType::One(ty) => values::value(maker, machine, *ty, false).unwrap_or_else(|| plain("null")),
            AttributeType::Event => text(maker.rng.pick(&machine.events).name.clone()),
            AttributeType::List(item) => Yaml::List((0..maker.rng.between(0, 4)).map(|_| item.value(maker, machine)).collect()),
            AttributeType::Some(_, values) => {
                let n_values = maker.rng.between(0, values.len());
                Yaml::List(maker.rng.some(values.clone(), n_values).into_iter().map(text).collect())
            }
        }
    }

    /// A value for all states without one of their own: its texts have no placeholders.
    fn default(&self, maker: &mut Maker<'_>, machine: &Machine) -> Yaml {
        match self {
            AttributeType::One(Ty::Text) => text(texts::raw(maker.rng, maker.texts)),
            AttributeType::List(item) => Yaml::List((0..maker.rng.between(0, 3)).map(|_| item.default(maker, machine)).collect()),
            other => other.value(maker, machine),
        }
    }
}

/// The attributes of a machine, and the attributes by which an order can rank.
pub(super) fn attributes(maker: &mut Maker<'_>, machine: &Machine) -> (Vec<Attribute>, Vec<Rank>) {
    let mut names = Names::words(snake);
    let mut attributes = Vec::new();
    let mut ranks = Vec::new();
    if maker.rng.chance(45) {
        for _ in 0..maker.rng.between(1, 5) {
            let name = maker.name(&mut names);
            let ty = attribute_type(maker, machine);
            attributes.push(attribute(maker, machine, name, ty));
        }
    }
    if !machine.vocabulary.enums.is_empty() && maker.rng.chance(40) {
        let idx = maker.rng.below(machine.vocabulary.enums.len());
        let values = &machine.vocabulary.enums[idx].1;
        let (first, last) = values.split_at(maker.rng.between(0, values.len()));
        let (first_name, last_name) = (maker.name(&mut names), maker.name(&mut names));
        let rank = Rank { first: first_name.clone(), last: last_name.clone(), idx };
        attributes.push(attribute(maker, machine, first_name, AttributeType::Some(idx, first.to_vec())));
        attributes.push(attribute(maker, machine, last_name, AttributeType::Some(idx, last.to_vec())));
        ranks.push(rank);
    }
    (attributes, ranks)
}

fn attribute_type(maker: &mut Maker<'_>, machine: &Machine) -> AttributeType {
    let mut types: Vec<AttributeType> = [Ty::Bool, Ty::Int, Ty::Decimal, Ty::Text, Ty::Duration, Ty::State(machine.number)]
        .into_iter()
        .chain((0..machine.vocabulary.enums.len()).map(|idx| Ty::Enum(machine.number, idx)))
        .map(AttributeType::One)
        .collect();
    if !machine.events.is_empty() {
        types.push(AttributeType::Event);
    }
    let ty = maker.rng.pick(&types).clone();
    if maker.rng.chance(35) { AttributeType::List(Box::new(ty)) } else { ty }
}

fn attribute(maker: &mut Maker<'_>, machine: &Machine, name: String, ty: AttributeType) -> Attribute {
    let optional = maker.rng.chance(30);
    let has_default = maker.rng.chance(40);
    let mut keys = Map::new();
    if has_default {
        keys.put("default", ty.default(maker, machine));
    }
    if optional || maker.rng.chance(5) {
        keys.put("optional", plain(optional));
    }
    maker.put_text("doc", 40, machine, &mut keys);
    maker.put_text("label", 20, machine, &mut keys);
    let written = text(ty.name(machine));
    let spec = if keys.is_empty() {
        written
    } else {
        keys.insert(0, ("type".into(), written));
        Yaml::Map(keys)
    };
    Attribute { name, spec, optional, may_be_left_out: optional || has_default, ty }
}
