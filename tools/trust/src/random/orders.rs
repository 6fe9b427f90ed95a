//! Sort orders that depend on the state.

use statespec_lang::names::snake;

use super::attributes::Rank;
use super::dice::Dice as _;
use super::expressions::Ty;
use super::machine::{Field, Machine, Maker, Use, one_or_many, type_name};
use super::names::Names;
use super::yaml::{Map, Put as _, Yaml, plain, text};

/// The orders of a machine.
pub(super) fn orders(maker: &mut Maker<'_>, machine: &mut Machine, ranks: &[Rank]) -> Map {
    let mut names = Names::new(snake);
    let mut orders = Map::new();
    if maker.rng.chance(if ranks.is_empty() { 15 } else { 80 }) {
        for _ in 0..maker.rng.between(1, 2) {
            let name = maker.name(&mut names);
            let own = if maker.usage == Use::Part && maker.rng.chance(50) { comparable(machine) } else { Vec::new() };
            if !own.is_empty() {
                machine.sorted_by.push(name.clone());
            }
            let order = order(maker, machine, ranks, &own);
            orders.put(&name, order);
        }
    }
    orders
}

/// The fields of the context that an order can compare: a state of one machine is none of another.
fn comparable(machine: &Machine) -> Vec<Field> {
    machine.context.iter().filter(|it| !matches!(it.ty, Ty::State(_))).cloned().collect()
}

/// An order, whose items have the fields `own` of the context, or any.
fn order(maker: &mut Maker<'_>, machine: &Machine, ranks: &[Rank], own: &[Field]) -> Yaml {
    let mut names = Names::words(snake);
    let mut item = Map::new();
    let mut sortable = Vec::new();
    let mut rankable = Vec::new();
    let mut types = vec![Ty::Bool, Ty::Int, Ty::Decimal, Ty::Text, Ty::Duration, Ty::Timestamp, Ty::Reference, Ty::State(machine.number)];
    types.extend((0..machine.vocabulary.enums.len()).map(|idx| Ty::Enum(machine.number, idx)));
    let wanted: Vec<Ty> = ranks.iter().map(|it| Ty::Enum(machine.number, it.idx)).collect();
    let wanted = if own.is_empty() { wanted } else { Vec::new() };
    let n_fields = if own.is_empty() { maker.rng.between(1, 4) + wanted.len() } else { own.len() };
    for idx in 0..n_fields {
        let given = own.get(idx);
        let name = given.map_or_else(|| maker.name(&mut names), |it| it.name.clone());
        let ty = given.map(|it| it.ty).or_else(|| wanted.get(idx).copied()).unwrap_or_else(|| *maker.rng.pick(&types));
        let mut body: Map = vec![("type".into(), text(type_name(ty, &machine.vocabulary.enums)))];
        // What is null in the context is null in the item.
        let optional = given.is_some_and(|it| it.optional) || idx >= wanted.len() && maker.rng.chance(25);
        if optional {
            body.put("optional", plain(true));
        }
        maker.put_text("doc", 30, machine, &mut body);
        maker.put_text("label", 15, machine, &mut body);
        maker.put_allow(&mut body);
        if !matches!(ty, Ty::Reference | Ty::State(_)) {
            sortable.push(name.clone());
        }
        if !optional {
            rankable.extend(ranks.iter().filter(|it| ty == Ty::Enum(machine.number, it.idx)).map(|it| (name.clone(), it)));
        }
        let short = body.len() == 1 && maker.rng.chance(70);
        item.put(&name, if short { body.remove(0).1 } else { Yaml::Map(body) });
    }
    let mut body = Map::new();
    maker.put_text("doc", 50, machine, &mut body);
    body.put("item", Yaml::Map(item));
    let keys = keys(maker, machine, &sortable, &[]);
    body.put("keys", if keys.is_empty() { Yaml::List(keys) } else { one_or_many(maker.rng, keys) });
    let mut states = Map::new();
    for state in &machine.states {
        if maker.rng.chance(50) {
            let keys = self::keys(maker, machine, &sortable, &rankable);
            states.put(&state.name, if keys.is_empty() { Yaml::List(keys) } else { one_or_many(maker.rng, keys) });
        }
    }
    body.put_map("states", states);
    Yaml::Map(body)
}

fn keys(maker: &mut Maker<'_>, machine: &Machine, sortable: &[String], rankable: &[(String, &Rank)]) -> Vec<Yaml> {
    let mut keys = Vec::new();
    for _ in 0..maker.rng.between(0, 3) {
        let ranked = maker.rng.maybe(rankable).filter(|_| maker.rng.chance(60));
        if let Some((field, rank)) = ranked {
            let mut body: Map = vec![("rank".into(), text(field.clone()))];
            if maker.rng.chance(70) {
                body.put("first", text(rank.first.clone()));
            }
            if maker.rng.chance(60) {
                body.put("last", text(rank.last.clone()));
            }
            maker.put_text("label", 40, machine, &mut body);
            keys.push(Yaml::Map(body));
        } else if let Some(field) = maker.rng.maybe(sortable) {
            let direction = *maker.rng.pick(&["", " asc", " desc"]);
            keys.push(text(format!("{field}{direction}")));
        }
    }
    keys
}
