//! Conditions: which branch a path takes, and what is asked where that is not known.

use super::*;

impl Eval<'_, '_> {
    pub(super) fn condition(&mut self, condition: &Expr, path: Path) -> Vec<(Path, Option<bool>)> {
        let mut all = Vec::new();
        for path in self.eval(condition, path) {
            match path.flow.clone() {
                Flow::Next(value) => all.extend(self.branch(path, &value, condition).into_iter().map(|(path, holds)| (path, Some(holds)))),
                _ => all.push((path, None)),
            }
        }
        all
    }

    /// The branches of a condition with this value.
    pub(super) fn branch(&mut self, path: Path, value: &Value, condition: &Expr) -> Vec<(Path, bool)> {
        match self.seen_through(&path, value.clone()) {
            Value::Bool(it) => vec![(path, it)],
            Value::Open(open) if !open.text.is_empty() => self.split(path, &open),
            other => {
                let open = self.unknown(condition, &path, other.has_state(self.about));
                let Value::Open(open) = open else { return vec![(path, true)] };
                self.split(path, &open)
            }
        }
    }

    /// Both branches of a condition that is not known, unless the path has it already.
    pub(super) fn split(&mut self, path: Path, open: &Open) -> Vec<(Path, bool)> {
        if self.is_survey {
            return vec![(path.clone(), true), (path, false)];
        }
        if let Some(known) = path.guards.iter().find(|it| it.text == open.text) {
            let holds = known.holds;
            return vec![(path, holds)];
        }
        let is_of_same = |it: &Guard| open.subject.is_some() && it.subject == open.subject;
        if path.guards.iter().any(|it| it.holds && is_of_same(it)) {
            return vec![(path, false)];
        }
        let guarded = |holds: bool| {
            let mut path = path.clone();
            path.guards.retain(|it| !(holds && is_of_same(it) && it.lost.is_none()));
            path.guards.push(Guard { text: open.text.clone(), holds, lost: open.lost, subject: open.subject.clone() });
            (path, holds)
        };
        vec![guarded(true), guarded(false)]
    }

    pub(super) fn both(&mut self, a: &Expr, b: &Expr, is_and: bool, path: Path) -> Vec<Path> {
        let mut all = Vec::new();
        for (path, holds) in self.condition(a, path) {
            match holds {
                None => all.push(path),
                Some(holds) if holds != is_and => all.extend(path.next(Value::Bool(!is_and))),
                Some(_) => all.extend(self.eval(b, path)),
            }
        }
        all
    }

    pub(super) fn binary(&mut self, expr: &Expr, operator: Operator, a: &Expr, b: &Expr, path: Path) -> Vec<Path> {
        let done = self.values([a, b], path);
        let mut all = Vec::new();
        for (path, values) in done {
            let (Flow::Next(_), [x, y]) = (&path.flow, values.as_slice()) else {
                all.push(path);
                continue;
            };
            let (x, y) = (self.seen_through(&path, x.clone()), self.seen_through(&path, y.clone()));
            let value = match (operator, &x, &y) {
                (Operator::Plus, Value::Int(x), Value::Int(y)) => x.checked_add(*y).map(Value::Int),
                (Operator::Minus, Value::Int(x), Value::Int(y)) => x.checked_sub(*y).map(Value::Int),
                (Operator::Plus | Operator::Minus, ..) => None,
                (Operator::Less, Value::Int(x), Value::Int(y)) => Some(Value::Bool(x < y)),
                (Operator::AtMost, Value::Int(x), Value::Int(y)) => Some(Value::Bool(x <= y)),
                (Operator::Greater, Value::Int(x), Value::Int(y)) => Some(Value::Bool(x > y)),
                (Operator::AtLeast, Value::Int(x), Value::Int(y)) => Some(Value::Bool(x >= y)),
                (Operator::Equal | Operator::Unequal, ..) => {
                    self.note(&x, &y);
                    self.note(&y, &x);
                    equal(&x, &y).map(|it| Value::Bool(it == (operator == Operator::Equal)))
                }
                _ => None,
            };
            let elsewhere = self.is_elsewhere(&x, &y) || self.is_elsewhere(&y, &x);
            let value = value.unwrap_or_else(|| {
                let has_state = [&x, &y].iter().any(|it| matches!(it, Value::Open(it) if it.lost.is_some()));
                let is_number =
                    !matches!(operator, Operator::Equal | Operator::Unequal) && (x.has_state(self.about) || y.has_state(self.about));
                self.unknown(expr, &path, has_state || is_number || elsewhere)
            });
            all.extend(path.next(value));
        }
        all
    }

    /// Whether a value that is not known is compared with a state that is followed: it may be the same state in another place.
    pub(super) fn is_elsewhere(&self, open: &Value, other: &Value) -> bool {
        matches!((open, other), (Value::Open(_), Value::Variant(of, _)) if self.about == Some(*of) && self.seed.is_some())
    }

    /// Notes that a parameter decides, as what it is compared with says.
    pub(super) fn note(&mut self, open: &Value, other: &Value) {
        let Value::Open(Open { parameter: Some(parameter), .. }) = open else { return };
        match other {
            Value::Variant(of, _) => {
                self.seen.asked.insert(*parameter, *of);
            }
            Value::Text(text) => {
                self.seen.texts.entry(*parameter).or_default().insert(text.clone());
            }
            _ => {}
        }
    }

    pub(super) fn question(&mut self, inner: &Expr, value: Value, path: Path) -> Vec<Path> {
        match value {
            Value::Wrapped(Wrap::Some | Wrap::Ok, value) => path.next((*value).clone()),
            Value::Wrapped(Wrap::Err, _) | Value::None => path.end(Flow::Return(value)),
            Value::Open(open) => {
                let text = format!("{} is Ok(_)", self.text_for(inner, &Value::Open(open.clone()), &path));
                let asked = Open::new(text, open.lost);
                let fail = Value::Wrapped(Wrap::Err, Rc::new(Value::Unit));
                self.split(path, &asked)
                    .into_iter()
                    .flat_map(|(path, holds)| match holds {
                        true => path.next(Value::Open(open.clone())),
                        false => path.end(Flow::Return(fail.clone())),
                    })
                    .collect()
            }
            other => {
                let value = self.unknown(inner, &path, other.has_state(self.about));
                let Value::Open(open) = value else { return path.next(other) };
                self.question(inner, Value::Open(open), path)
            }
        }
    }
}

/// Whether two values are equal, if that is known.
pub(super) fn equal(a: &Value, b: &Value) -> Option<bool> {
    match (a, b) {
        (Value::Variant(of, x), Value::Variant(other, y)) if of == other => Some(x == y),
        (Value::Bool(x), Value::Bool(y)) => Some(x == y),
        (Value::Int(x), Value::Int(y)) => Some(x == y),
        (Value::Text(x), Value::Text(y)) => Some(x == y),
        (Value::None, Value::None) => Some(true),
        (Value::None, Value::Wrapped(..)) | (Value::Wrapped(..), Value::None) => Some(false),
        (Value::Wrapped(x, a), Value::Wrapped(y, b)) if x == y => equal(a, b),
        (Value::Wrapped(..), Value::Wrapped(..)) => Some(false),
        (Value::Tuple(a), Value::Tuple(b)) if a.len() == b.len() => {
            let all: Vec<Option<bool>> = a.iter().zip(b).map(|(a, b)| equal(a, b)).collect();
            if all.contains(&Some(false)) { Some(false) } else { all.iter().all(|it| *it == Some(true)).then_some(true) }
        }
        _ => None,
    }
}
