//! The decimals of a machine: the façade has their type behind a feature only.

use statespec_lang::model::machine::{Field, Machine};
use statespec_lang::model::{Literal, Type};
use statespec_lang::source::Span;

/// The place of the first declaration with decimals.
pub(super) fn first(machine: &Machine) -> Option<Span> {
    let of_fields = |fields: &[Field]| fields.iter().find(|it| is_decimal(&it.ty)).map(|it| it.span);
    let constants = machine.constants.iter().find(|it| is_decimal(&it.ty)).map(|it| it.span);
    let attributes = || machine.attributes.iter().find(|it| is_decimal(&it.ty)).map(|it| it.span);
    let others =
        || machine.events.iter().map(|it| &it.payload).chain(machine.orders.iter().map(|it| &it.item)).find_map(|it| of_fields(it));
    constants.or_else(|| of_fields(&machine.fields)).or_else(attributes).or_else(others)
}

/// The same machine with whole numbers in their place, for items without bodies.
pub(super) fn without(machine: &Machine) -> Machine {
    let mut machine = machine.clone();
    for constant in &mut machine.constants {
        replace_type(&mut constant.ty);
        replace_value(&mut constant.value);
    }
    for attribute in &mut machine.attributes {
        replace_type(&mut attribute.ty);
    }
    machine.states.iter_mut().flat_map(|it| &mut it.attributes).for_each(replace_value);
    let payloads = machine.events.iter_mut().map(|it| &mut it.payload);
    let taken = machine.effects.iter_mut().flat_map(|it| &mut it.takes).map(|it| &mut it.field);
    let items = machine.orders.iter_mut().map(|it| &mut it.item);
    for field in machine.fields.iter_mut().chain(taken).chain(payloads.chain(items).flatten()) {
        replace_type(&mut field.ty);
        field.default.iter_mut().for_each(replace_value);
    }
    machine
}

fn is_decimal(ty: &Type) -> bool {
    match ty {
        Type::Decimal => true,
        Type::List(item) => is_decimal(item),
        _ => false,
    }
}

fn replace_type(ty: &mut Type) {
    match ty {
        Type::Decimal => *ty = Type::Int,
        Type::List(item) => replace_type(item),
        _ => {}
    }
}

fn replace_value(value: &mut Literal) {
    match value {
        Literal::Decimal(_) => *value = Literal::Int(0),
        Literal::List(items) => items.iter_mut().for_each(replace_value),
        _ => {}
    }
}
