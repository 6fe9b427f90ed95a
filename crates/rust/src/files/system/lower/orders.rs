//! The orders that sort the instances of a part.

use std::collections::BTreeMap;

use proc_macro2::Ident;
use quote::quote;
use statespec_lang::model::system::PartOrder as SpecOrder;
use statespec_lang::model::{PartId, System, Type};
use statespec_lang::names::{snake, start_with_letter};

use super::SystemLowering;
use crate::files::system::ir::{Compared, ComparedValue, PartOrder};
use crate::ir::Params;
use crate::lower::{Lowering, docs};
use crate::names::UniqueNames;

/// The functions that compare instances, for each part: `eviction_of_resource`.
pub(super) fn names(system: &System, machines: &BTreeMap<usize, Lowering<'_>>, functions: &mut UniqueNames) -> Vec<Vec<Ident>> {
    let parts = system.parts.iter().map(|part| {
        let orders = part.orders.iter().map(|it| {
            let order = &machines[&system.part(it.by).machine].machine.orders[it.order.index()].name;
            functions.claim(start_with_letter(format!("{}_of_{}", snake(order).trim_matches('_'), snake(&part.name).trim_matches('_'))))
        });
        orders.collect()
    });
    parts.collect()
}

impl SystemLowering<'_> {
    pub(super) fn orders(&self) -> Vec<PartOrder> {
        let parts = self.system.part_ids().flat_map(|part| {
            let idents = &self.names.orders[part.index()];
            self.part(part).orders.iter().zip(idents).map(move |(order, ident)| self.order(part, order, ident))
        });
        parts.collect()
    }

    fn order(&self, sorted: PartId, spec: &SpecOrder, ident: &Ident) -> PartOrder {
        let (own, by) = (self.machine(sorted), self.machine(spec.by));
        let order = &by.machine.orders[spec.order.index()];
        let (part, name) = (docs::code(&self.part(sorted).name), docs::code(&order.name));
        let has = |ty: Type| order.item.iter().any(|it| it.ty == ty);
        let fields = order.item.iter().zip(by.payload(&order.item)).zip(&spec.fields).map(|((field, (item, _)), id)| Compared {
            item,
            context: own.names.fields[id.index()].clone(),
            optional: own.machine.fields[id.index()].optional,
            wrapped: field.optional && !own.machine.fields[id.index()].optional,
            value: self.compared(&field.ty, &own.machine.fields[id.index()].ty, sorted, spec.by),
        });
        PartOrder {
            ident: ident.clone(),
            doc: vec![
                format!(
                    "Compares two instances of the part {part} by the order {name}, in a state of {}.",
                    docs::code(&self.part(spec.by).name)
                ),
                docs::sentence_or(order.doc.as_deref(), || "A stable sort keeps the order of equal instances.".into()),
            ],
            sorted: self.lower_machine(sorted),
            by: self.path(spec.by),
            state: by.types.state.clone(),
            method: by.names.orders[spec.order.index()].clone(),
            item: by.names.order_items[spec.order.index()].clone(),
            params: Params { text: has(Type::Text), reference: has(Type::Reference), own: false },
            fields: fields.collect(),
        }
    }

    fn compared(&self, theirs: &Type, ours: &Type, sorted: PartId, by: PartId) -> ComparedValue {
        match (theirs, ours) {
            (Type::Enum(_), Type::Enum(_)) if self.part(sorted).machine == self.part(by).machine => ComparedValue::Copied,
            (Type::Enum(theirs), _) => {
                let (path, ident) = (self.path(by), &self.machine(by).names.enums[theirs.index()]);
                ComparedValue::Enum(quote! { #path::#ident })
            }
            (Type::Text, _) => ComparedValue::Text,
            _ => ComparedValue::Copied,
        }
    }
}
