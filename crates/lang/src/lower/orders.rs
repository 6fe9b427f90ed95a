//! Sort orders.

use super::names::{check_distinct, check_name, state, unknown};
use super::{fields, limits};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::limits::ATTRIBUTES;
use crate::model::machine::{Field, Key, Machine, Order};
use crate::model::{Literal, StateId, Type};
use crate::read::{Entries, OneOrMany, Text};
use crate::spec;

pub(super) fn lower(spec: &spec::machine::Machine, machine: &Machine, n_bytes: usize, diagnostics: &mut Diagnostics) -> Vec<Order> {
    let mut orders = Vec::new();
    let mut n_keys = 0;
    for (name, body) in spec.orders.iter().flat_map(Entries::iter) {
        check_name(name, "order", diagnostics);
        let item = fields::fields("item field", &Some(body.item.clone()), machine, diagnostics);
        let first = keys(&body.keys, None, &item, machine, diagnostics);
        let mut given = vec![None; machine.states.len()];
        for (name, spec) in body.states.iter().flat_map(Entries::iter) {
            if let Some(id) = state(name, machine, diagnostics) {
                given[id.index()] = Some(keys(spec, Some(id), &item, machine, diagnostics));
            }
        }
        // Parents come before their children, so inherited keys are already lowered.
        let mut state_keys: Vec<Vec<Key>> = Vec::new();
        for (id, own) in machine.state_ids().zip(given) {
            let inherited = || machine.state(id).parent.map(|it| state_keys[it.index()].clone());
            let own = own.or_else(inherited).unwrap_or_default();
            n_keys += own.len() + 1;
            if limits::refuse(ATTRIBUTES, n_keys, n_bytes, name.span, diagnostics) {
                return orders;
            }
            state_keys.push(own);
        }
        let doc = super::text::fill_opt(&body.doc, &machine.constants, diagnostics);
        orders.push(Order { name: name.value.clone(), doc, item, keys: first, state_keys, span: name.span });
    }
    check_distinct("orders", orders.iter().map(|it| (it.name.as_str(), it.span)), crate::names::snake, diagnostics);
    orders
}

fn keys(
    spec: &OneOrMany<spec::machine::Key>,
    state: Option<StateId>,
    item: &[Field],
    machine: &Machine,
    diagnostics: &mut Diagnostics,
) -> Vec<Key> {
    spec.0
        .iter()
        .filter_map(|key| match key {
            spec::machine::Key::Field(text) => by_field(text, item, diagnostics),
            spec::machine::Key::Full(rank) => by_rank(rank, state, item, machine, diagnostics),
        })
        .collect()
}

fn field(name: &Text, item: &[Field], diagnostics: &mut Diagnostics) -> Option<usize> {
    let found = item.iter().position(|it| it.name == name.value);
    if found.is_none() {
        unknown("item field", name, item.iter().map(|it| it.name.as_str()), diagnostics);
    }
    found
}

fn by_field(text: &Text, item: &[Field], diagnostics: &mut Diagnostics) -> Option<Key> {
    let mut words = text.value.split_whitespace();
    let name = words.next().unwrap_or_default();
    let descending = match (words.next(), words.next()) {
        (None | Some("asc"), None) => false,
        (Some("desc"), None) => true,
        _ => {
            let message = format!("`{}` is no sort key", text.value);
            diagnostics.push(Diagnostic::new(Code::BadOrder, text.span, message).help("write `field asc` or `field desc`"));
            return None;
        }
    };
    let idx = field(&Text::new(name.to_owned(), text.span), item, diagnostics)?;
    if matches!(item[idx].ty, Type::Reference | Type::State) {
        let message = format!("`{name}` has no order");
        diagnostics.push(Diagnostic::new(Code::BadOrder, text.span, message).also(item[idx].span, "declared here"));
        return None;
    }
    Some(Key::Field { field: idx, descending })
}

fn by_rank(
    rank: &spec::machine::RankBody,
    state: Option<StateId>,
    item: &[Field],
    machine: &Machine,
    diagnostics: &mut Diagnostics,
) -> Option<Key> {
    let Some(state) = state else {
        let message = "a rank depends on the state";
        diagnostics.push(Diagnostic::new(Code::BadOrder, rank.span, message).help("put it under `states`"));
        return None;
    };
    let idx = field(&rank.rank, item, diagnostics)?;
    if item[idx].ty.is_unknown() {
        return None;
    }
    if !matches!(item[idx].ty, Type::Enum(_)) || item[idx].optional {
        let message = format!("a rank sorts by an enum that is always there, `{}` is not one", item[idx].name);
        diagnostics.push(Diagnostic::new(Code::BadOrder, rank.rank.span, message).also(item[idx].span, "declared here"));
        return None;
    }
    let list = Type::List(Box::new(item[idx].ty.clone()));
    let mut values = |name: &Option<Text>| -> Option<Vec<usize>> {
        let Some(name) = name else { return Some(Vec::new()) };
        let Some(attribute_idx) = machine.attributes.iter().position(|it| it.name == name.value) else {
            unknown("attribute", name, machine.attributes.iter().map(|it| it.name.as_str()), diagnostics);
            return None;
        };
        let attribute = &machine.attributes[attribute_idx];
        if attribute.ty.is_unknown() {
            return None;
        }
        if attribute.ty != list {
            let expected = crate::expr::type_name(&list, &machine.enums);
            let message = format!("`{}` must be of type `{expected}`", name.value);
            diagnostics.push(Diagnostic::new(Code::BadOrder, name.span, message).also(attribute.span, "declared here"));
            return None;
        }
        let Some(Literal::List(items)) = machine.state(state).attributes.get(attribute_idx) else { return Some(Vec::new()) };
        Some(items.iter().filter_map(|it| if let Literal::Enum(_, value) = it { Some(*value) } else { None }).collect())
    };
    let (first, last) = (values(&rank.first), values(&rank.last));
    let (first, last) = (first?, last?);
    if let Some(both) = first.iter().find(|it| last.contains(it)) {
        let Type::Enum(id) = &item[idx].ty else { return None };
        let value = &machine.enums[id.index()].values[*both].name;
        let message = format!("`{value}` is to come first and last in `{}`", machine.state(state).name);
        diagnostics.push(Diagnostic::new(Code::BadOrder, rank.span, message));
        return None;
    }
    let label = super::text::label(&rank.label, &machine.constants, diagnostics);
    Some(Key::Rank { field: idx, first, last, label })
}
