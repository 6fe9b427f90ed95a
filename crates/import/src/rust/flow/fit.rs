//! Whether values fit patterns, and what is known of places.

use super::super::ir::{Arm, Pattern};
use super::*;

/// A condition, and whether it has to hold.
type Asked = (Open, bool);

impl Eval<'_, '_> {
    /// The arms of a `match`, in their order.
    pub(super) fn arms(&mut self, scrutinee: &Expr, known: &Value, arms: &[Arm], path: Path) -> Vec<Path> {
        let mut open = vec![path];
        let mut all = Vec::new();
        for (idx, arm) in arms.iter().enumerate() {
            let mut rest = Vec::new();
            let is_last = idx + 1 == arms.len() && arm.guard.is_none();
            for path in std::mem::take(&mut open) {
                let fits =
                    if is_last { self.fits_last(&arm.pattern, known, path) } else { self.fits(&arm.pattern, known, scrutinee, path) };
                for (mut path, fits) in fits {
                    if !fits {
                        rest.push(path);
                        continue;
                    }
                    path.arm = self.place_of(&arm.pattern, known, &path).or(Some(arm.body.at));
                    match &arm.guard {
                        None => all.extend(self.eval(&arm.body, path)),
                        Some(guard) => {
                            for (path, holds) in self.condition(guard, path) {
                                match holds {
                                    None => all.push(path),
                                    Some(true) => all.extend(self.eval(&arm.body, path)),
                                    Some(false) => rest.push(path),
                                }
                            }
                        }
                    }
                }
            }
            rest.dedup();
            open = rest;
        }
        // A `match` has an arm for every value.
        all
    }

    /// What fits no earlier arm fits the last one: nothing is asked there, unless a part of the state decides.
    fn fits_last(&mut self, pattern: &Pattern, known: &Value, mut path: Path) -> Vec<(Path, bool)> {
        self.asked_by(pattern, known, &path);
        let fits = self.fit(pattern, known, "", &path, &mut Vec::new()) != Some(false);
        if fits {
            self.bind(pattern, known, &mut path);
        }
        vec![(path, fits)]
    }

    /// Whether a value fits a pattern: a path for each answer, with the variables that the pattern binds.
    pub(super) fn fits(&mut self, pattern: &Pattern, known: &Value, scrutinee: &Expr, mut path: Path) -> Vec<(Path, bool)> {
        self.asked_by(pattern, known, &path);
        let mut open = Vec::new();
        let text = self.text_for(scrutinee, known, &path);
        match self.fit(pattern, known, &text, &path, &mut open) {
            Some(true) => {
                path.arm = self.place_of(pattern, known, &path).or(path.arm);
                self.bind(pattern, known, &mut path);
                vec![(path, true)]
            }
            Some(false) => vec![(path, false)],
            None => {
                let mut all = Vec::new();
                let mut rest = vec![path];
                // All conditions hold, or the first one that does not.
                for (one, expected) in &open {
                    let mut next = Vec::new();
                    for path in rest {
                        for (path, holds) in self.split(path, one) {
                            if holds == *expected { next.push(path) } else { all.push((path, false)) }
                        }
                    }
                    rest = next;
                }
                for mut path in rest {
                    self.bind(pattern, known, &mut path);
                    all.insert(0, (path, true));
                }
                all
            }
        }
    }

    /// Where a pattern names what it fits: of alternatives, the one that does.
    fn place_of(&self, pattern: &Pattern, value: &Value, path: &Path) -> Option<At> {
        match pattern {
            Pattern::Variant(.., at) => Some(*at),
            Pattern::Or(all) => {
                let found = all.iter().find(|it| self.fit(it, value, "", path, &mut Vec::new()) != Some(false))?;
                self.place_of(found, value, path)
            }
            Pattern::Bind(_, inner) => self.place_of(inner.as_deref()?, value, path),
            Pattern::Tuple(all) => {
                let Value::Tuple(values) = self.seen_through(path, value.clone()) else { return None };
                let places: Vec<At> = all.iter().zip(&values).filter_map(|(pattern, value)| self.place_of(pattern, value, path)).collect();
                Some((places.first()?.0, places.last()?.1))
            }
            _ => None,
        }
    }

    /// The code that a value is of, in a condition.
    pub(super) fn text_for(&self, expr: &Expr, value: &Value, path: &Path) -> String {
        match (self.seen_through(path, value.clone()), &expr.kind) {
            (Value::Open(it), _) if !it.text.is_empty() => it.text,
            (Value::Tuple(values), Kind::Tuple(all)) if all.len() == values.len() => {
                let texts: Vec<String> = all.iter().zip(&values).map(|(expr, value)| self.text_for(expr, value, path)).collect();
                format!("({})", texts.join(", "))
            }
            _ => self.render(held(expr), path),
        }
    }

    /// Whether a value fits; where that is not known, the conditions under which it does.
    fn fit(&self, pattern: &Pattern, value: &Value, text: &str, path: &Path, open: &mut Vec<Asked>) -> Option<bool> {
        let value = &self.seen_through(path, value.clone());
        let all = |parts: Vec<(&Pattern, Value, String)>, open: &mut Vec<Asked>| {
            let mut is_known = true;
            for (pattern, value, text) in parts {
                match self.fit(pattern, &value, &text, path, open) {
                    Some(false) => return Some(false),
                    Some(true) => {}
                    None => is_known = false,
                }
            }
            is_known.then_some(true)
        };
        let lost = match value {
            Value::Open(it) => it.lost,
            _ => None,
        };
        let ask_of = |what: String, expected: bool, subject: Option<String>, open: &mut Vec<Asked>| {
            let lost = lost.or_else(|| self.may_be_the_state(pattern, value, path));
            open.push((Open { subject, ..Open::new(format!("{text} is {what}"), lost) }, expected));
            None
        };
        let ask_if = |what: &str, expected: bool, open: &mut Vec<Asked>| ask_of(what.to_owned(), expected, None, open);
        let ask = |what: String, open: &mut Vec<Asked>| ask_of(what, true, Some(text.to_owned()), open);
        match (pattern, value) {
            (Pattern::Any, _) | (Pattern::Bind(_, None), _) => Some(true),
            (Pattern::Bind(_, Some(inner)), _) => self.fit(inner, value, text, path, open),
            (Pattern::Or(all), _) => {
                let mut inner: Vec<Vec<Asked>> = Vec::new();
                for one in all {
                    let mut asked = Vec::new();
                    match self.fit(one, value, text, path, &mut asked) {
                        Some(true) => return Some(true),
                        Some(false) => {}
                        None => inner.push(asked),
                    }
                }
                let text = |(it, holds): &Asked| if *holds { it.text.clone() } else { format!("!({})", it.text) };
                let texts: Vec<String> = inner.iter().map(|it| it.iter().map(text).collect::<Vec<_>>().join(" && ")).collect();
                let lost = inner.iter().flatten().find_map(|it| it.0.lost);
                match inner.len() {
                    0 => return Some(false),
                    1 => open.extend(inner.remove(0)),
                    _ => open.push((Open::new(texts.join(" || "), lost), true)),
                }
                None
            }
            (Pattern::Variant(of, idx, data, at), Value::Variant(other, known)) if of == other => {
                if idx != known {
                    return Some(false);
                }
                if data.iter().all(Pattern::fits_all) {
                    return Some(true);
                }
                open.push((Open::new(self.text_of(*at), None), true));
                None
            }
            (Pattern::Variant(_, _, data, at), _) => {
                let subject = data.iter().all(Pattern::fits_all).then(|| text.to_owned());
                ask_of(self.text_of(*at), true, subject, open)
            }
            (Pattern::Wrapped(wrap, inner), Value::Wrapped(other, value)) => match wrap == other {
                true => self.fit(inner, value, text, path, open),
                false => Some(false),
            },
            (Pattern::Wrapped(..), Value::None) | (Pattern::None, Value::Wrapped(..)) => Some(false),
            (Pattern::None, Value::None) => Some(true),
            (Pattern::Wrapped(wrap, inner), _) => {
                // An error is no success: one condition says both.
                match wrap {
                    Wrap::Some => ask_if("Some(_)", true, open),
                    Wrap::Ok | Wrap::Err => ask_if("Ok(_)", *wrap == Wrap::Ok, open),
                };
                let within = format!("the value of {text}");
                self.fit(inner, &Value::Open(Open::new(within.clone(), lost)), &within, path, open);
                None
            }
            (Pattern::None, _) => ask_if("Some(_)", false, open),
            (Pattern::Tuple(patterns), Value::Tuple(values)) if patterns.len() == values.len() => {
                let texts = parts_of(text, values.len());
                all(patterns.iter().zip(values.iter().cloned()).zip(texts).map(|((a, b), c)| (a, b, c)).collect(), open)
            }
            (Pattern::Struct(fields), Value::Struct(_, values)) => {
                let of = |it: &Symbol| values.get(it).cloned().unwrap_or_else(|| Value::open(text));
                let name = |it: &Symbol| format!("{text}.{}", self.symbols.names[*it as usize]);
                all(fields.iter().map(|(symbol, pattern)| (pattern, of(symbol), name(symbol))).collect(), open)
            }
            (Pattern::Struct(fields), _) if fields.iter().all(|it| it.1.fits_all()) => Some(true),
            (Pattern::Tuple(patterns), _) if patterns.iter().all(Pattern::fits_all) => Some(true),
            (Pattern::Bool(it), Value::Bool(known)) => Some(it == known),
            (Pattern::Int(it), Value::Int(known)) => Some(it == known),
            (Pattern::Text(it), Value::Text(known)) => Some(it == known),
            (Pattern::Bool(it), _) => ask(it.to_string(), open),
            (Pattern::Int(it), _) => ask(it.to_string(), open),
            (Pattern::Text(it), _) => ask(format!("{it:?}"), open),
            (Pattern::Tuple(_) | Pattern::Struct(_) | Pattern::Other(_), _) => {
                let lost = value.has_state(self.about).then_some(path.arm.unwrap_or_default());
                open.push((Open::new(format!("{text} is of a form that was not read"), lost), true));
                None
            }
        }
    }

    /// Where a value that is not known is compared with variants of the state's enum: it may be the same state by another name.
    fn may_be_the_state(&self, pattern: &Pattern, value: &Value, path: &Path) -> Option<At> {
        match (pattern, value) {
            (Pattern::Variant(of, .., at), Value::Open(_)) if self.about == Some(*of) && self.seed.is_some() => {
                Some(path.arm.unwrap_or(*at))
            }
            _ => None,
        }
    }

    /// Notes the parameters that a pattern tells apart.
    fn asked_by(&mut self, pattern: &Pattern, value: &Value, path: &Path) {
        match (pattern, self.seen_through(path, value.clone())) {
            (Pattern::Or(all), _) => all.iter().for_each(|it| self.asked_by(it, value, path)),
            (Pattern::Bind(_, Some(inner)), _) => self.asked_by(inner, value, path),
            (Pattern::Tuple(all), Value::Tuple(values)) => all.iter().zip(&values).for_each(|(a, b)| self.asked_by(a, b, path)),
            (Pattern::Variant(of, idx, ..), Value::Open(open)) => self.note(&Value::Open(open), &Value::Variant(*of, *idx)),
            (Pattern::Text(text), Value::Open(open)) => self.note(&Value::Open(open), &Value::Text(text.clone())),
            _ => {}
        }
    }

    /// Binds the variables of a pattern that fits.
    pub(super) fn bind(&self, pattern: &Pattern, value: &Value, path: &mut Path) {
        match (pattern, value) {
            (Pattern::Bind(local, inner), _) => {
                let place = Place::local(*local);
                path.known.retain(|it, _| !it.is_in(&place));
                path.changes.retain(|it, _| !it.is_in(&place));
                path.known.insert(place, value.clone());
                if let Some(inner) = inner {
                    self.bind(inner, value, path);
                }
            }
            (Pattern::Tuple(all), Value::Tuple(values)) if all.len() == values.len() => {
                all.iter().zip(values).for_each(|(a, b)| self.bind(a, b, path));
            }
            (Pattern::Wrapped(_, inner), Value::Wrapped(_, value)) => self.bind(inner, value, path),
            (Pattern::Struct(fields), Value::Struct(_, values)) => {
                for (symbol, pattern) in fields {
                    let value = values.get(symbol).cloned().unwrap_or_else(|| Value::open(""));
                    self.bind(pattern, &value, path);
                }
            }
            (Pattern::Struct(fields), Value::Behind(place)) => {
                for (symbol, pattern) in fields {
                    self.bind(pattern, &Value::Behind(place.field(*symbol)), path);
                }
            }
            (Pattern::Or(all), _) => {
                let first = all.iter().find(|it| self.fit(it, value, "", path, &mut Vec::new()) != Some(false));
                first.into_iter().for_each(|it| self.bind(it, value, path));
            }
            _ => {
                let lost = match value {
                    Value::Open(it) => it.lost,
                    _ => None,
                };
                pattern.bound(&mut |local| {
                    let place = Place::local(local);
                    path.known.retain(|it, _| !it.is_in(&place));
                    let text = self.variables[local].name.clone();
                    path.known.insert(place, Value::Open(Open::new(text, lost)));
                });
            }
        }
    }

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
    fn n_changes(&self, path: &Path, place: &Place) -> usize {
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

    /// The name of the type of a variable, or of a field in it, as the declarations say.
    pub(in crate::rust) fn declared_type(&self, local: Local, fields: &[Symbol]) -> Option<String> {
        fields.iter().try_fold(self.variables[local].ty.clone()?, |ty, symbol| {
            super::super::items::type_name(self.items.field_type(&ty, &self.symbols.names[*symbol as usize])?)
        })
    }

    /// The enum that a place has, as its declaration says.
    pub(in crate::rust) fn declared_enum(&self, place: &Place) -> Option<usize> {
        let mut ty = self.variables[place.local].ty.clone();
        for symbol in &place.fields {
            let field = &self.symbols.names[*symbol as usize];
            ty = match ty.as_deref().and_then(|it| self.items.field_type(it, field)) {
                Some(ty) => super::super::items::type_name(ty),
                None => {
                    let of = self.items.enums_of_field(field);
                    (of.len() == 1).then(|| of.first().map(|it| self.items.enums[*it].name.clone())).flatten()
                }
            };
        }
        self.items.enum_named(&ty?, &[])
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

    /// A value that is not known, by its code.
    pub(super) fn unknown(&self, expr: &Expr, path: &Path, has_state: bool) -> Value {
        Value::Open(Open::new(self.render(expr, path), has_state.then_some(expr.at)))
    }

    pub(super) fn text_of(&self, at: At) -> String {
        self.text[at.0..at.1].split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// The code of an expression, with what its variables stand for, and whether something in it has changed before.
    pub(super) fn render(&self, expr: &Expr, path: &Path) -> String {
        let (mut text, mut last, mut times) = (String::new(), expr.at.0, 0);
        let mut places: Vec<(&Place, At)> = Vec::new();
        expr.all(&mut |it| {
            if let Kind::Place(place) = &it.kind {
                places.push((place, it.at));
            }
        });
        places.sort_by_key(|it| it.1);
        for (place, at) in places {
            if at.0 < last || at.1 > expr.at.1 {
                continue;
            }
            let known = self.resolved(path, place);
            times += self.n_changes(path, &known);
            let shown = match self.read(path, place) {
                Value::Open(it) => it.text,
                Value::Behind(it) => self.name_of(&it),
                _ => self.name_of(&known),
            };
            let is_simple = shown.chars().all(|it| it.is_alphanumeric() || "_.():&".contains(it)) || at == expr.at;
            text.push_str(&self.text[last..at.0]);
            text.push_str(&if is_simple { shown } else { format!("({shown})") });
            last = at.1;
        }
        text.push_str(&self.text[last..expr.at.1]);
        let mut text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if text.len() > MAX_CODE {
            let before = &self.text[..expr.at.0];
            let (line, column) = (before.matches('\n').count() + 1, before.len() - before.rfind('\n').map_or(0, |it| it + 1) + 1);
            text = format!("the value at line {line}, column {column}");
        }
        after(text, times)
    }
}

/// A condition is another one after a change of what it asks.
fn after(text: String, n_changes: usize) -> String {
    match n_changes {
        0 => text,
        1 => format!("{text} after a change"),
        _ => format!("{text} after {n_changes} changes"),
    }
}

/// What a reference to a value is to: `job` of `job.as_mut()`.
pub(super) fn held(expr: &Expr) -> &Expr {
    match &expr.kind {
        Kind::Borrow(_, inner) => held(inner),
        Kind::Method(name, inner, all) if all.is_empty() && is_to_hold(name) => held(inner),
        _ => expr,
    }
}

/// What such a method of `Option` and `Result` returns is there where its receiver is.
pub(super) fn is_to_hold(name: &str) -> bool {
    matches!(name, "as_ref" | "as_mut" | "as_deref" | "as_deref_mut")
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

/// The parts of the text of a tuple.
fn parts_of(text: &str, n_parts: usize) -> Vec<String> {
    let inner = text.strip_prefix('(').and_then(|it| it.strip_suffix(')')).unwrap_or_default();
    let (mut parts, mut depth, mut start) = (Vec::new(), 0_i32, 0);
    for (at, sign) in inner.char_indices() {
        match sign {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(inner[start..at].trim().to_owned());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(inner[start..].trim().to_owned());
    parts.retain(|it| !it.is_empty());
    if parts.len() == n_parts { parts } else { (0..n_parts).map(|it| format!("part {} of {text}", it + 1)).collect() }
}
