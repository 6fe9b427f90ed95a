//! Sort orders.

use proc_macro2::Ident;
use statespec_lang::model::Type;
use statespec_lang::model::machine::{Key as SpecKey, Order as SpecOrder};

use super::types::Position;
use super::{Lowering, docs};
use crate::ir::{Key, Order, Params};

impl Lowering<'_> {
    pub(super) fn orders(&self) -> Vec<Order> {
        (0..self.machine.orders.len()).map(|idx| self.order(idx)).collect()
    }

    fn order(&self, idx: usize) -> Order {
        let order = &self.machine.orders[idx];
        let mut state_keys: Vec<(Vec<Ident>, &Vec<SpecKey>)> = Vec::new();
        for leaf in &self.leaves {
            let keys = &order.state_keys[leaf.index()];
            match state_keys.iter_mut().find(|(_, it)| *it == keys) {
                Some((variants, _)) => variants.push(self.state(*leaf)),
                None => state_keys.push((vec![self.state(*leaf)], keys)),
            }
        }
        let has = |ty: Type| order.item.iter().any(|it| it.ty == ty);
        Order {
            method: self.names.orders[idx].clone(),
            doc: vec![
                docs::sentence_or(order.doc.as_deref(), || format!("The order {}.", docs::code(&order.name))),
                "A stable sort keeps the order of equal items.".into(),
            ],
            item: self.names.order_items[idx].clone(),
            item_doc: vec![format!("An item that the order {} sorts.", docs::code(&order.name))],
            fields: self.fields_of(&order.item, Position::Item, |_| None),
            params: Params { text: has(Type::Text), reference: has(Type::Reference) && self.own_reference().is_none(), own: false },
            keys: self.keys(order, &order.keys),
            state_keys: state_keys.into_iter().map(|(states, keys)| (states, self.keys(order, keys))).collect(),
        }
    }

    fn keys(&self, order: &SpecOrder, keys: &[SpecKey]) -> Vec<Key> {
        let fields = self.payload(&order.item);
        let key = |key: &SpecKey| match key {
            SpecKey::Field { field, descending } => Some(Key::Field { field: fields[*field].0.clone(), descending: *descending }),
            SpecKey::Rank { field, first, last, .. } => {
                let Type::Enum(id) = order.item[*field].ty else { return None };
                let rank = |value: usize| if first.contains(&value) { 0 } else { 1 + u8::from(last.contains(&value)) };
                let ranks = (0..self.machine.enums[id.index()].values.len()).map(rank).collect();
                Some(Key::Rank { field: fields[*field].0.clone(), ranks })
            }
        };
        keys.iter().filter_map(key).collect()
    }
}
