//! The orders that sort the instances of a part: what they compare is in the context of the part.

use super::{Lowering, dotted};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::expr::type_name;
use crate::lower::names::unknown;
use crate::model::machine::{Enum, Field, Machine};
use crate::model::system::PartOrder;
use crate::model::{FieldId, OrderId, PartId, System, Type};
use crate::read::Text;
use crate::spec;

pub(super) fn lower(spec: &spec::system::System, system: &mut System, cx: &Lowering<'_>, diagnostics: &mut Diagnostics) {
    for (idx, (_, part)) in spec.parts.iter().enumerate() {
        let mut orders: Vec<PartOrder> = Vec::new();
        for text in part.orders.iter().flat_map(|it| &it.0) {
            let Some(order) = order(text, PartId::new(idx), system, cx, diagnostics) else { continue };
            if orders.iter().any(|it| (it.by, it.order) == (order.by, order.order)) {
                diagnostics.push(Diagnostic::new(Code::BadSystem, text.span, format!("`{}` stands here twice", text.value)));
                continue;
            }
            orders.push(order);
        }
        system.parts[idx].orders = orders;
    }
}

fn order(text: &Text, sorted: PartId, system: &System, cx: &Lowering<'_>, diagnostics: &mut Diagnostics) -> Option<PartOrder> {
    let (by, name) = dotted(text, "order", &[], system, diagnostics)?;
    let (machine, own) = (cx.machine(system, by), cx.machine(system, sorted));
    let Some(idx) = machine.orders.iter().position(|it| it.name == name.value) else {
        unknown("order", &name, machine.orders.iter().map(|it| it.name.as_str()), diagnostics);
        return None;
    };
    let field = |item: &Field| compared(item, machine, own, text, diagnostics);
    // All errors at once, so that one look at the context is enough.
    let fields: Vec<Option<FieldId>> = machine.orders[idx].item.iter().map(field).collect();
    Some(PartOrder { by, order: OrderId::new(idx), fields: fields.into_iter().collect::<Option<_>>()?, span: text.span })
}

/// The context field that has what an order compares.
fn compared(item: &Field, machine: &Machine, own: &Machine, text: &Text, diagnostics: &mut Diagnostics) -> Option<FieldId> {
    let ty = type_name(&item.ty, &machine.enums);
    let mut refuse = |message: String, help: String, field: Option<&Field>| {
        let diagnostic = Diagnostic::new(Code::BadSystem, text.span, message).also(item.span, "compared here").help(help);
        diagnostics.push(match field {
            Some(field) => diagnostic.also(field.span, "the field"),
            None => diagnostic,
        });
        None
    };
    let Some(idx) = own.fields.iter().position(|it| it.name == item.name) else {
        let optional = if item.optional { ", optional: true" } else { "" };
        let message = format!("`{}` compares `{}`, which is no field of `{}`", text.value, item.name, own.name);
        return refuse(message, format!("add it to the context of `{}`: `{}: {{ type: {ty}{optional} }}`", own.name, item.name), None);
    };
    let field = &own.fields[idx];
    if item.ty == Type::State {
        let message = format!("`{}` compares states of `{}`, but `{}` is a state of `{}`", text.value, machine.name, field.name, own.name);
        return refuse(message, "compare an enum".into(), Some(field));
    }
    let same = match (&item.ty, &field.ty) {
        (Type::Enum(theirs), Type::Enum(ours)) => same_values(&machine.enums[theirs.index()], &own.enums[ours.index()]),
        (theirs, ours) => theirs == ours,
    };
    if !same {
        let message = format!("`{}` compares `{}` as `{ty}`, which differs in `{}`", text.value, item.name, own.name);
        return refuse(message, "give both the same type; two enums need the same values in the same order".into(), Some(field));
    }
    if field.optional && !item.optional {
        let message = format!("`{}` compares `{}`, which may be null in `{}`", text.value, item.name, own.name);
        return refuse(message, format!("write `optional: true` in the order: null comes first (`{}`)", item.name), Some(field));
    }
    Some(FieldId::new(idx))
}

/// Whether two enums have the same values: the order of values matters to sort keys, and the stored names to stores.
fn same_values(theirs: &Enum, ours: &Enum) -> bool {
    let values = |it: &Enum| it.values.iter().map(|it| (it.name.clone(), it.wire.clone())).collect::<Vec<_>>();
    values(theirs) == values(ours)
}
