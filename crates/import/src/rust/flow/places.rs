//! Places: what they are behind references, and what is known to be in them.

use super::*;
use crate::rust::items::type_name;

impl Eval<'_, '_> {
    pub(super) fn field(&self, value: &Value, symbol: Symbol) -> Option<Value> {
        match value {
            Value::Struct(_, fields) => fields.get(&symbol).cloned(),
            Value::Tuple(all) => all.get(self.symbols.names[symbol as usize].parse::<usize>().ok()?).cloned(),
            Value::Behind(place) => Some(Value::Behind(place.field(symbol))),
            _ => None,
        }
    }

    /// The place that an expression names, through references.
    pub(super) fn place(&self, expr: &Expr, path: &Path) -> Option<Place> {
        match &expr.kind {
            Kind::Place(place) => Some(self.resolved(path, place)),
            Kind::Deref(inner) | Kind::Borrow(_, inner) => self.place(inner, path),
            _ => None,
        }
    }

    pub(super) fn resolved(&self, path: &Path, place: &Place) -> Place {
        let mut place = place.clone();
        for _ in 0..8 {
            let behind = (0..=place.fields.len()).rev().find_map(|n_fields| {
                let prefix = Place { local: place.local, fields: place.fields[..n_fields].to_vec() };
                match path.known.get(&prefix) {
                    Some(Value::Behind(to)) if *to != prefix => Some(to.join(&place.fields[n_fields..])),
                    _ => None,
                }
            });
            match behind {
                Some(next) => place = next,
                None => break,
            }
        }
        place
    }

    pub(super) fn is_seed(&self, place: &Place) -> bool {
        self.seed.as_ref().is_some_and(|it| it.0 == *place)
    }

    pub(super) fn read(&self, path: &Path, place: &Place) -> Value {
        let place = self.resolved(path, place);
        for n_fields in (0..=place.fields.len()).rev() {
            let prefix = Place { local: place.local, fields: place.fields[..n_fields].to_vec() };
            let Some(known) = path.known.get(&prefix) else { continue };
            let mut value = known.clone();
            for (idx, symbol) in place.fields[n_fields..].iter().enumerate() {
                match self.field(&value, *symbol) {
                    Some(inner) => value = inner,
                    None => {
                        if let (true, Value::Open(Open { lost: None, .. })) = (self.is_seed(&place), &value) {
                            return self.seed.as_ref().map_or(Value::Unit, |it| it.1.clone());
                        }
                        let base = match &value {
                            Value::Open(it) if !it.text.is_empty() => Some(it.text.clone()),
                            _ => None,
                        };
                        let rest = place.fields[n_fields + idx..].iter().map(|it| self.symbols.names[*it as usize].as_str());
                        let text = base.map(|base| rest.fold(base, |text, name| format!("{text}.{name}")));
                        let text = text.unwrap_or_else(|| self.name_of(&place));
                        let lost = match &value {
                            Value::Open(it) => it.lost,
                            _ => None,
                        };
                        return Value::Open(Open::new(text, lost));
                    }
                }
            }
            for (part, known) in path.known.iter().filter(|it| it.0.is_in(&place) && it.0.fields.len() > place.fields.len()) {
                self.put(&mut value, &part.fields[place.fields.len()..], known);
            }
            return match value {
                Value::Open(it) if it.text.is_empty() => Value::Open(Open { text: self.name_of(&place), ..it }),
                other => other,
            };
        }
        if self.is_seed(&place) {
            return self.seed.as_ref().map_or(Value::Unit, |it| it.1.clone());
        }
        Value::open(self.name_of(&place))
    }

    /// The value of a place where it is used: one that is not known is another one after each change.
    pub(super) fn read_here(&self, path: &Path, place: &Place) -> Value {
        match self.read(path, place) {
            Value::Open(it) => {
                let known = self.resolved(path, place);
                let is_own = it.text == self.name_of(&known);
                let text = if is_own { after(it.text, self.n_changes(path, &known)) } else { it.text };
                Value::Open(Open { text, ..it })
            }
            known => known,
        }
    }

    /// How often a place, a part of it, or what it is a part of may have been changed.
    pub(super) fn n_changes(&self, path: &Path, place: &Place) -> usize {
        path.changes.iter().filter(|it| it.0.is_in(place) || place.is_in(it.0)).map(|it| it.1).sum()
    }

    /// Puts a value into a part of another one.
    fn put(&self, whole: &mut Value, fields: &[Symbol], part: &Value) {
        let Some((first, rest)) = fields.split_first() else {
            *whole = part.clone();
            return;
        };
        let inner = match whole {
            Value::Struct(_, fields) => fields.get_mut(first),
            Value::Tuple(all) => self.symbols.names[*first as usize].parse().ok().and_then(|it: usize| all.get_mut(it)),
            _ => None,
        };
        inner.into_iter().for_each(|it| self.put(it, rest, part));
    }

    /// The value behind references.
    pub(in crate::rust) fn seen_through(&self, path: &Path, value: Value) -> Value {
        match value {
            Value::Behind(place) => self.read(path, &place),
            other => other,
        }
    }

    pub(in crate::rust) fn name_of(&self, place: &Place) -> String {
        let fields = place.fields.iter().map(|it| self.symbols.names[*it as usize].as_str());
        std::iter::once(self.variables[place.local].name.as_str()).chain(fields).collect::<Vec<_>>().join(".")
    }

    /// The name of the type of a variable, or of a field in it, as the declarations say.
    pub(in crate::rust) fn declared_type(&self, local: Local, fields: &[Symbol]) -> Option<String> {
        fields.iter().try_fold(self.variables[local].ty.clone()?, |ty, symbol| {
            type_name(self.items.field_type(&ty, &self.symbols.names[*symbol as usize])?)
        })
    }

    /// The enum that a place has, as its declaration says.
    pub(in crate::rust) fn declared_enum(&self, place: &Place) -> Option<usize> {
        let mut ty = self.variables[place.local].ty.clone();
        for symbol in &place.fields {
            let field = &self.symbols.names[*symbol as usize];
            ty = match ty.as_deref().and_then(|it| self.items.field_type(it, field)) {
                Some(ty) => type_name(ty),
                None => {
                    let of = self.items.enums_of_field(field);
                    (of.len() == 1).then(|| of.first().map(|it| self.items.enums[*it].name.clone())).flatten()
                }
            };
        }
        self.items.enum_named(&ty?, &[])
    }
}
