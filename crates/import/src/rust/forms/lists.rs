//! Lists of pairs, of triples with an event, and of states with their successors.

use super::*;

impl Forms<'_, '_, '_> {
    /// A list of pairs, of pairs with an event, or of states with those that follow.
    pub(super) fn list(&mut self, name: &str, all: &[Value], expr: Option<&Expr>, whole: Range<usize>, is_local: bool) {
        let read: Vec<Option<Listed>> = all.iter().map(|it| self.listed(it)).collect();
        let Some(of) = read.iter().flatten().map(|it| it.of).next() else { return };
        let place = self.machines[of].place(whole.clone());
        if names::is_refused(name) {
            self.lost.loss(place, format!("`{name}` lists steps that are not allowed: nothing was imported from it"));
            return;
        }
        let is_named = names::is_of_steps(name) || read.iter().flatten().any(|it| it.event.is_some());
        if is_local && !is_named {
            self.lost.loss(place, format!("nothing says whether the pairs of `{name}` are allowed: nothing was imported from them"));
            return;
        }
        self.want(of);
        self.machines[of].is_table = true;
        let n_other = read.iter().filter(|it| it.as_ref().is_none_or(|it| it.of != of)).count();
        if n_other > 0 {
            self.machines[of].draft.partial = true;
            self.lost.loss(place, format!("{n_other} of the entries cannot be read as steps: they were left out"));
        }
        if !is_named && self.items.enums[of].is_known() {
            let message = format!("nothing says that the pairs of `{name}` are allowed: they were read as steps");
            self.machines[of].draft.found.assumed(place, message);
        }
        let places = expr.map(entries).unwrap_or_default();
        for (idx, listed) in read.into_iter().enumerate() {
            let Some(listed) = listed.filter(|it| it.of == of) else { continue };
            let at = if places.len() == all.len() { places[idx].0..places[idx].1 } else { whole.clone() };
            for to in listed.to {
                let mut row = Row::new(From::State(listed.from), Some(to), self.machines[of].place(at.clone()));
                row.events = listed.event.iter().cloned().collect();
                self.machines[of].add(row);
            }
        }
    }

    pub(super) fn listed(&self, entry: &Value) -> Option<Listed> {
        let event = |value: &Value, of: usize| match value {
            Value::Variant(other, idx) if *other != of => Some(self.items.enums[*other].variants[*idx].name.clone()),
            Value::Text(text) if !text.trim().is_empty() => Some(text.clone()),
            Value::Wrapped(Wrap::Some, inner) => match &**inner {
                Value::Variant(other, idx) => Some(self.items.enums[*other].variants[*idx].name.clone()),
                Value::Text(text) => Some(text.clone()),
                _ => None,
            },
            _ => None,
        };
        let one = |it: &Value, of: usize| match it {
            Value::Variant(other, idx) if *other == of => Some(*idx),
            _ => None,
        };
        let targets = |value: &Value, of: usize| match value {
            Value::List(all) => all.iter().map(|it| one(it, of)).collect::<Option<Vec<usize>>>(),
            other => one(other, of).map(|it| vec![it]),
        };
        match entry {
            Value::Tuple(all) => {
                let Value::Variant(of, from) = *all.first()? else { return None };
                match &all[1..] {
                    [to] => Some(Listed { of, from, to: targets(to, of)?, event: None }),
                    [a, b] => match (targets(a, of), targets(b, of)) {
                        (Some(to), None) => Some(Listed { of, from, to, event: Some(event(b, of)?) }),
                        (None, Some(to)) => Some(Listed { of, from, to, event: Some(event(a, of)?) }),
                        _ => None,
                    },
                    _ => None,
                }
            }
            Value::Struct(_, fields) => {
                let field =
                    |is_it: fn(&str) -> bool| fields.iter().find(|it| is_it(&self.eval.symbols.names[*it.0 as usize])).map(|it| it.1);
                let Value::Variant(of, from) = *field(names::is_field_of_source)? else { return None };
                let to = targets(field(names::is_field_of_target)?, of)?;
                Some(Listed { of, from, to, event: field(names::is_field_of_event).and_then(|it| event(it, of)) })
            }
            _ => None,
        }
    }
}

/// The places of the entries of a list.
pub(super) fn entries(expr: &Expr) -> Vec<At> {
    match &expr.kind {
        Kind::List(all) => all.iter().map(|it| it.at).collect(),
        Kind::Borrow(_, inner) => entries(inner),
        _ => Vec::new(),
    }
}
