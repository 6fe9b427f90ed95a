//! Changes of places: by an assignment, and by what is not understood.

use super::*;

impl Eval<'_, '_> {
    /// Puts a value into a place.
    pub(super) fn assign(&mut self, target: &Expr, value: Value, is_behind: bool, at: At, mut path: Path) -> Vec<Path> {
        if let (Kind::Tuple(targets), Value::Tuple(values)) = (&target.kind, &value)
            && targets.len() == values.len()
        {
            let mut paths = vec![path];
            for (target, value) in targets.iter().zip(values) {
                let is_behind = matches!(target.kind, Kind::Deref(_));
                paths = self.then(paths, |eval, path, _| eval.assign(target, value.clone(), is_behind, at, path));
            }
            return paths;
        }
        let place = match &strip(target).kind {
            Kind::Place(place) if place.fields.is_empty() && !is_behind => Some(place.clone()),
            _ => self.place(strip(target), &path),
        };
        let Some(place) = place else {
            // `a.as_mut()?.ready = true` changes a part of `a`.
            if let Some(whole) = self.place(holder(target), &path) {
                *path.changes.entry(whole).or_insert(0) += 1;
            }
            // `*lock() = value`: which place this is, is not known.
            let mut states = BTreeSet::new();
            states_in(&value, &mut states);
            if self.about.is_some_and(|it| states.contains(&it)) {
                self.lose(at, &mut path);
                self.seen.killed.insert(at);
            }
            return path.next(Value::Unit);
        };
        self.seen.sites.insert(at);
        self.note_set(&place, &value, at);
        let value = match &self.seed {
            // Another value in the place of what holds the state.
            Some((seed, _)) if seed.is_in(&place) && *seed != place && matches!(value, Value::Open(_)) => {
                self.seen.killed.insert(at);
                Value::Open(Open::new(self.name_of(&place), Some(at)))
            }
            _ => value,
        };
        let value = self.seen_through(&path, value);
        path.known.retain(|it, _| !it.is_in(&place));
        *path.changes.entry(place.clone()).or_insert(0) += 1;
        path.known.insert(place, value);
        path.next(Value::Unit)
    }

    /// Notes that a place gets a state.
    fn note_set(&mut self, place: &Place, value: &Value, at: At) {
        let mut states = BTreeSet::new();
        match value {
            Value::Struct(_, fields) => {
                for (symbol, value) in fields {
                    self.note_set(&place.field(*symbol), value, at);
                }
            }
            Value::Open(it) => {
                states.extend(self.declared_enum(place).or_else(|| self.declared_enum(&Place::local(it.parameter?))));
            }
            other => states_in(other, &mut states),
        }
        for of in states {
            self.seen.set.entry(of).or_default().insert((place.clone(), at));
        }
    }

    /// The state is not known from here on.
    pub(super) fn lose(&self, at: At, path: &mut Path) {
        if let Some((seed, _)) = &self.seed {
            path.known.retain(|it, _| !it.is_in(seed));
            path.known.insert(seed.clone(), Value::Open(Open::new(self.name_of(seed), Some(at))));
        }
    }

    /// What is not understood may change a place, or a part of it.
    /// Code elsewhere does not change a private field of a struct of the file.
    pub(super) fn kill(&mut self, expr: &Expr, at: At, is_elsewhere: bool, path: &mut Path) {
        let Some(place) = self.place(expr, path) else { return };
        *path.changes.entry(place.clone()).or_insert(0) += 1;
        let is_state = self.seed.as_ref().is_some_and(|it| it.0.is_in(&place) || place.is_in(&it.0));
        if is_state && is_elsewhere && self.is_only_set_here(&place) {
            path.known.retain(|it, _| !it.is_in(&place) || self.is_seed(it) || *it == place);
        } else if is_state {
            self.seen.killed.insert(at);
            self.lose(at, path);
        } else {
            path.known.retain(|it, known| !it.is_in(&place) || (*it == place && matches!(known, Value::Behind(_) | Value::Open(_))));
            // Of a value that is known as a whole, this part is open.
            if path.known.iter().any(|(it, known)| place.is_in(it) && !matches!(known, Value::Behind(_) | Value::Open(_))) {
                path.known.insert(place, Value::open(""));
            }
        }
    }

    /// What a loop or a closure assigns is open.
    pub(super) fn changed_in(&mut self, code: &Expr, path: &mut Path) {
        let mut changed: Vec<(&Expr, At)> = Vec::new();
        code.all(&mut |it| match &it.kind {
            Kind::Assign(place, ..) | Kind::Change(place, _) | Kind::Replace(place, _) => changed.push((strip(place), it.at)),
            Kind::Borrow(true, inner) => changed.push((inner, it.at)),
            _ => {}
        });
        for (place, at) in changed {
            self.kill(place, at, false, path);
        }
    }

    /// Whether only code of this file sets the state in a place: its field is private.
    fn is_only_set_here(&self, place: &Place) -> bool {
        let Some((seed, _)) = &self.seed else { return false };
        let Some(field) = seed.fields.last().filter(|_| place.fields.len() < seed.fields.len()) else { return false };
        let field = &self.symbols.names[*field as usize];
        let ty = self.declared_type(seed.local, &seed.fields[..seed.fields.len() - 1]);
        // The only struct of the file with such a field, where its type is not declared.
        let ty = ty.or_else(|| self.items.struct_with(field, self.about?));
        ty.is_some_and(|it| self.items.is_private(&it, field))
    }

    /// The value behind `+=`.
    pub(super) fn after_change(&self, place: &Expr, path: &Path) -> Value {
        let text = self.place(strip(place), path).map_or_else(|| self.text_of(place.at), |it| self.name_of(&it));
        Value::open(text)
    }

    /// `mem::take` leaves the default of the place.
    pub(super) fn default_of(&self, place: &Expr, path: &Path, whole: &Expr) -> Value {
        let of = self.place(strip(place), path).and_then(|it| match self.read(path, &it) {
            Value::Variant(of, _) => Some(of),
            _ => self.declared_enum(&it),
        });
        let default = of.and_then(|of| Some((of, self.items.enums[of].variants.iter().position(|it| it.is_default)?)));
        default.map_or_else(|| self.unknown(whole, path, true), |(of, idx)| Value::Variant(of, idx))
    }
}

/// The enums whose variants are in a value.
fn states_in(value: &Value, found: &mut BTreeSet<usize>) {
    match value {
        Value::Variant(of, _) => {
            found.insert(*of);
        }
        Value::Wrapped(_, inner) => states_in(inner, found),
        _ => {}
    }
}

/// What holds the place that an expression names: `a` of `a.as_mut()?.ready`.
fn holder(expr: &Expr) -> &Expr {
    match &expr.kind {
        Kind::Borrow(_, inner) | Kind::Deref(inner) | Kind::Field(inner, _) | Kind::Try(inner) => holder(inner),
        Kind::Method(name, inner, _) if is_to_hold(name) || matches!(name.as_str(), "unwrap" | "expect") => holder(inner),
        _ => expr,
    }
}

/// An expression without `&` and `*`.
pub(super) fn strip(expr: &Expr) -> &Expr {
    match &expr.kind {
        Kind::Borrow(_, inner) | Kind::Deref(inner) => strip(inner),
        _ => expr,
    }
}
