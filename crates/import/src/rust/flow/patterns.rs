//! Patterns: whether a value fits, which conditions decide it, and what is bound.

use super::*;
use crate::rust::ir::Arm;

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
}
