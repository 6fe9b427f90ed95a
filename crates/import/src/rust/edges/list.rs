//! Lists of pairs, of triples with an event, and of states with their successors.

use syn::visit::{self, Visit};

use super::*;
use crate::rust::items::names_in;

impl Reader<'_, '_, '_> {
    /// A list of pairs, of triples with an event, or of states with their successors.
    pub(super) fn list(&mut self, name: &str, cases: &[Case], expr: &syn::Expr, whole: Range<usize>, is_local: bool) {
        let [Case { guards, flow: Flow::Value(Value::List(list)) | Flow::Return(Value::List(list)), .. }] = cases else { return };
        if !guards.is_empty() {
            return;
        }
        let read: Vec<Option<Listed>> = list.iter().map(listed).collect();
        let Some(of) = read.iter().flatten().map(|it| it.of).next() else { return };
        let place = self.machines[of].place(whole.clone());
        let mut sense = words::sense(name);
        if sense == Sense::Open && read.iter().flatten().any(|it| it.event.is_some()) {
            sense = Sense::Allowed;
        }
        if sense == Sense::Forbidden {
            self.lost.loss(place, format!("`{name}` lists steps that are not allowed: nothing was imported from it"));
            return;
        }
        if sense == Sense::Open && is_local {
            self.lost.loss(place, format!("nothing says whether the pairs of `{name}` are allowed: nothing was imported from them"));
            return;
        }
        self.want(of);
        self.machines[of].is_table |= self.is_general(name, of);
        let n_other = read.iter().filter(|it| it.as_ref().is_none_or(|it| it.of != of)).count();
        if n_other > 0 {
            self.machines[of].draft.partial = true;
            self.lost.loss(place, format!("{n_other} of the entries cannot be read as steps: they were left out"));
        }
        if sense == Sense::Open && self.items.enums[of].is_known() {
            let message = format!("nothing says that the pairs of `{name}` are allowed: they were read as steps");
            self.machines[of].draft.found.assumed(place, message);
        }
        let places = elements(expr);
        for (idx, listed) in read.into_iter().enumerate() {
            let Some(listed) = listed.filter(|it| it.of == of) else { continue };
            let place = if places.len() == list.len() { places[idx].clone() } else { whole.clone() };
            for to in listed.to {
                let mut row = Row::new(From::State(listed.from), Some(to), span(self.machines[of].id, place.clone()));
                row.events = listed.event.iter().map(|it| it.show_event(self.items)).collect();
                self.machines[of].add(row);
            }
        }
    }
}

impl Value {
    fn show_event(&self, items: &Items<'_>) -> String {
        match self {
            Value::Variant(of, idx) => items.enums[*of].variants[*idx].name.clone(),
            Value::Text(text) => text.clone(),
            other => other.show(items),
        }
    }
}

/// An entry of a list.
struct Listed {
    of: usize,
    from: usize,
    to: Vec<usize>,
    event: Option<Value>,
}

fn listed(entry: &Value) -> Option<Listed> {
    let event = |value: &Value, of: usize| match value {
        Value::Variant(other, _) if *other == of => None,
        Value::Variant(..) => Some(value.clone()),
        Value::Text(text) if !text.trim().is_empty() => Some(value.clone()),
        Value::Some(inner) => Some((**inner).clone()),
        _ => None,
    };
    let targets = |value: &Value, of: usize| -> Option<Vec<usize>> {
        match value {
            Value::Variant(other, idx) if *other == of => Some(vec![*idx]),
            Value::List(all) => {
                let one = |it: &Value| match it {
                    Value::Variant(other, idx) if *other == of => Some(*idx),
                    _ => None,
                };
                all.iter().map(one).collect()
            }
            _ => None,
        }
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
        Value::Struct(fields) => {
            let field = |names: &[&str]| fields.iter().find(|(it, _)| names.contains(&it.as_str())).map(|(_, value)| value);
            let Value::Variant(of, from) = *field(&["from", "source", "src", "current"])? else { return None };
            let to = targets(field(&["to", "target", "dest", "destination", "next"])?, of)?;
            let event = field(&["event", "on", "trigger", "action", "command"]).and_then(|it| event(it, of));
            Some(Listed { of, from, to, event })
        }
        _ => None,
    }
}

/// Whether code may be a list of steps: one whose entries name two things at least, as `(From, To)` does.
///
/// Most constants and variables are none, and following them takes long.
pub(super) fn may_list(expr: &syn::Expr) -> bool {
    let mut found = Lists(false);
    found.visit_expr(expr);
    found.0
}

struct Lists(bool);

impl<'x> Visit<'x> for Lists {
    fn visit_expr_array(&mut self, it: &'x syn::ExprArray) {
        let names_two = |entry: &syn::Expr| {
            let mut names = Names(0);
            names.visit_expr(entry);
            names.0 > 1
        };
        self.0 |= it.elems.iter().any(names_two);
        visit::visit_expr_array(self, it);
    }

    fn visit_macro(&mut self, it: &'x syn::Macro) {
        let is_name = |it: &String| it.starts_with(char::is_uppercase);
        self.0 |= it.path.is_ident("vec") && names_in(it.tokens.clone()).iter().filter(|it| is_name(it)).count() > 1;
    }

    // It runs later, and is not followed.
    fn visit_expr_closure(&mut self, _: &'x syn::ExprClosure) {}
}

/// The number of paths in code that may be variants or constants.
struct Names(usize);

impl<'x> Visit<'x> for Names {
    fn visit_path(&mut self, it: &'x syn::Path) {
        let is_name = it.segments.last().is_some_and(|it| it.ident.to_string().starts_with(char::is_uppercase));
        self.0 += usize::from(is_name);
        visit::visit_path(self, it);
    }

    fn visit_macro(&mut self, it: &'x syn::Macro) {
        self.0 += names_in(it.tokens.clone()).len();
    }
}

/// The places of the entries of a list.
fn elements(expr: &syn::Expr) -> Vec<Range<usize>> {
    match expr {
        syn::Expr::Array(it) => it.elems.iter().map(range).collect(),
        syn::Expr::Reference(it) => elements(&it.expr),
        _ => Vec::new(),
    }
}
