//! Calls: those of functions of the file are followed, others may change what they get as `&mut`.

use super::*;

impl Eval<'_, '_> {
    pub(super) fn call(&mut self, expr: &Expr, called: Option<usize>, all: &[Expr], path: Path) -> Vec<Path> {
        let all: Vec<&Expr> = all.iter().collect();
        let done = self.values(all.iter().copied(), path);
        let mut paths = Vec::new();
        for (path, values) in done {
            if !matches!(path.flow, Flow::Next(_)) {
                paths.push(path);
                continue;
            }
            match called.filter(|it| self.bodies[*it].parameters.len() == all.len()) {
                Some(called) => paths.extend(self.inline(expr, called, &all, values, path)),
                None => paths.extend(self.not_followed(expr, &all, &values, called.is_none(), path)),
            }
        }
        self.merged(paths, expr.at)
    }

    /// Follows a call, unless it is too deep or one of a function inside itself.
    fn inline(&mut self, expr: &Expr, called: usize, all: &[&Expr], values: Vec<Value>, mut path: Path) -> Vec<Path> {
        if self.stack.len() > MAX_CALLS || self.stack.contains(&called) {
            return self.not_followed(expr, all, &values, false, path);
        }
        self.seen.called.insert(called);
        let body = &self.bodies[called];
        for ((local, pattern), (argument, value)) in body.parameters.iter().zip(all.iter().copied().zip(values)) {
            // What is behind a reference, or in a variable, is changed where it is.
            let place = match &value {
                Value::Open(_) | Value::Struct(..) | Value::Behind(_) => self.place(argument, &path),
                _ => None,
            };
            let is_state = self.place(argument, &path).filter(|it| self.is_seed(it) && self.variables[*local].is_mutable);
            let value = match place.or(is_state) {
                Some(place) => Value::Behind(place),
                None => match value {
                    Value::Open(it) if it.text.len() > MAX_TEXT => Value::Open(Open { text: self.variables[*local].name.clone(), ..it }),
                    other => other,
                },
            };
            path.known.insert(Place::local(*local), value.clone());
            if !matches!(pattern, Pattern::Bind(it, _) if it == local) {
                self.bind(pattern, &value, &mut path);
            }
        }
        let (arm, (first, end)) = (path.arm, body.locals);
        self.stack.push(called);
        let block = &self.bodies[called].block;
        let mut paths = self.eval(block, path);
        self.stack.pop();
        for path in &mut paths {
            let value = match std::mem::replace(&mut path.flow, Flow::Never) {
                Flow::Return(value) | Flow::Next(value) => Flow::Next(self.outside(path, value, first..end)),
                other => other,
            };
            path.flow = value;
            path.known.retain(|it, _| !(first..end).contains(&it.local));
            path.changes.retain(|it, _| !(first..end).contains(&it.local));
            path.arm = arm;
        }
        paths
    }

    /// A value as its caller sees it: variables of the function are gone.
    fn outside(&self, path: &Path, value: Value, own: std::ops::Range<usize>) -> Value {
        match value {
            Value::Behind(place) => {
                let place = self.resolved(path, &place);
                if own.contains(&place.local) { self.read(path, &place) } else { Value::Behind(place) }
            }
            Value::Wrapped(wrap, inner) => Value::Wrapped(wrap, Rc::new(self.outside(path, (*inner).clone(), own))),
            Value::Tuple(all) => Value::Tuple(all.into_iter().map(|it| self.outside(path, it, own.clone())).collect()),
            Value::Open(it) => Value::Open(Open { parameter: it.parameter.filter(|it| !own.contains(it)), ..it }),
            other => other,
        }
    }

    /// A call of a function that is not known.
    fn not_followed(&mut self, expr: &Expr, all: &[&Expr], values: &[Value], is_elsewhere: bool, mut path: Path) -> Vec<Path> {
        let has_state = values.iter().any(|it| self.seen_through(&path, it.clone()).has_state(self.about));
        let value = self.unknown(expr, &path, has_state);
        self.handed_on(all, expr.at, is_elsewhere, &mut path);
        path.next(value)
    }

    /// What a function that is not known gets as `&mut`, it may change.
    pub(super) fn handed_on(&mut self, all: &[&Expr], at: At, is_elsewhere: bool, path: &mut Path) {
        for argument in all {
            match &argument.kind {
                Kind::Borrow(true, inner) => self.kill(inner, at, is_elsewhere, path),
                // `refresh(self)` hands on what `self` is behind.
                Kind::Place(place) if place.fields.is_empty() => {
                    let variable = &self.variables[place.local];
                    if variable.is_mutable && (variable.is_parameter || matches!(path.known.get(place), Some(Value::Behind(_)))) {
                        self.kill(argument, at, is_elsewhere, path);
                    }
                }
                _ => {}
            }
        }
    }

    pub(super) fn method(&mut self, expr: &Expr, name: &str, receiver: &Expr, all: &[Expr], path: Path) -> Vec<Path> {
        let operands: Vec<&Expr> = std::iter::once(receiver).chain(all).collect();
        let done = self.values(operands.iter().copied(), path);
        let mut paths = Vec::new();
        for (path, values) in done {
            if !matches!(path.flow, Flow::Next(_)) {
                paths.push(path);
                continue;
            }
            if let Some(value) = self.known_method(name, &values, &path) {
                paths.extend(path.next(value));
                continue;
            }
            let ty = self.type_of(&values[0], receiver, &path);
            let called = ty.as_deref().and_then(|it| self.items.function(Some(it), name));
            match called.filter(|it| self.bodies[*it].parameters.len() == operands.len()) {
                Some(called) => paths.extend(self.inline(expr, called, &operands, values, path)),
                None => {
                    let mut path = path;
                    let has_state = values.iter().any(|it| self.seen_through(&path, it.clone()).has_state(self.about));
                    let value = match self.seen_through(&path, values[0].clone()) {
                        // What holds something by reference holds it.
                        Value::Open(it) if is_to_hold(name) && all.is_empty() => Value::Open(it),
                        _ => self.unknown(expr, &path, has_state),
                    };
                    let is_elsewhere = self.items.is_elsewhere(name);
                    self.handed_on(&operands[1..], expr.at, is_elsewhere, &mut path);
                    self.called_on(receiver, &values, expr.at, is_elsewhere, &mut path);
                    paths.extend(path.next(value));
                }
            }
        }
        self.merged(paths, expr.at)
    }

    /// A method that is not known may change what holds the state, unless it is called on something that cannot be changed.
    fn called_on(&mut self, receiver: &Expr, values: &[Value], at: At, is_elsewhere: bool, path: &mut Path) {
        let Some(place) = self.place(receiver, path) else { return };
        // A list or an option is another one then.
        let is_whole = |it: &Value| matches!(it, Value::List(_) | Value::Wrapped(..) | Value::None | Value::Struct(..) | Value::Tuple(_));
        if self.variables[place.local].is_mutable && is_whole(&self.read(path, &place)) && !self.is_seed(&place) {
            path.known.retain(|it, _| !it.is_in(&place));
            path.known.insert(place.clone(), Value::open(""));
            *path.changes.entry(place.clone()).or_insert(0) += 1;
        }
        let Some((seed, _)) = self.seed.clone() else { return };
        // A method on the state itself reads it, unless it gets another one, as `set` and `replace` do.
        if place == seed {
            if values[1..].iter().any(|it| matches!(it, Value::Variant(of, _) if Some(*of) == self.about)) {
                self.kill(receiver, at, is_elsewhere, path);
            }
            return;
        }
        if seed.is_in(&place) && self.variables[place.local].is_mutable {
            self.kill(receiver, at, is_elsewhere, path);
        }
    }

    /// The type that a method is called on.
    fn type_of(&self, value: &Value, receiver: &Expr, path: &Path) -> Option<String> {
        match self.seen_through(path, value.clone()) {
            Value::Variant(of, _) => return Some(self.items.enums[of].name.clone()),
            Value::Struct(name, _) => return Some(name),
            _ => {}
        }
        let place = self.place(receiver, path)?;
        let ty = self.declared_type(place.local, &place.fields);
        // What holds the state in a field is the only struct of the file with such a field.
        ty.or_else(|| {
            let (seed, _) = self.seed.as_ref()?;
            let [field] = seed.fields.get(place.fields.len()..)? else { return None };
            seed.is_in(&place).then(|| self.items.struct_with(&self.symbols.names[*field as usize], self.about?)).flatten()
        })
    }

    /// Methods of the standard library on known values.
    fn known_method(&self, name: &str, values: &[Value], path: &Path) -> Option<Value> {
        let receiver = self.seen_through(path, values[0].clone());
        let first = values.get(1).map(|it| self.seen_through(path, it.clone()));
        let is_some = matches!(receiver, Value::Wrapped(Wrap::Some, _));
        let is_ok = matches!(receiver, Value::Wrapped(Wrap::Ok, _));
        match (name, &receiver, values.len()) {
            ("clone" | "to_owned" | "into" | "as_ref" | "borrow" | "deref" | "copied" | "cloned", it, 1)
                if !matches!(it, Value::Open(_)) =>
            {
                Some(receiver)
            }
            ("iter" | "into_iter" | "to_vec" | "as_slice", Value::List(_), 1) => Some(receiver),
            ("unwrap" | "expect", Value::Wrapped(Wrap::Some | Wrap::Ok, inner), _) => Some((**inner).clone()),
            ("unwrap_or", Value::Wrapped(Wrap::Some | Wrap::Ok, inner), 2) => Some((**inner).clone()),
            ("unwrap_or", Value::None | Value::Wrapped(Wrap::Err, _), 2) => first,
            ("is_some", Value::Wrapped(..) | Value::None, 1) => Some(Value::Bool(is_some)),
            ("is_none", Value::Wrapped(..) | Value::None, 1) => Some(Value::Bool(!is_some)),
            ("is_ok", Value::Wrapped(..), 1) => Some(Value::Bool(is_ok)),
            ("is_err", Value::Wrapped(..), 1) => Some(Value::Bool(!is_ok)),
            ("ok_or" | "ok_or_else", Value::Wrapped(Wrap::Some, inner), 2) => Some(Value::Wrapped(Wrap::Ok, Rc::clone(inner))),
            ("ok_or" | "ok_or_else", Value::None, 2) => Some(Value::Wrapped(Wrap::Err, Rc::new(Value::Unit))),
            ("ok", Value::Wrapped(Wrap::Ok, inner), 1) => Some(Value::Wrapped(Wrap::Some, Rc::clone(inner))),
            ("ok", Value::Wrapped(Wrap::Err, _), 1) => Some(Value::None),
            ("then_some", Value::Bool(true), 2) => first.map(|it| Value::Wrapped(Wrap::Some, Rc::new(it))),
            ("then_some", Value::Bool(false), 2) => Some(Value::None),
            ("eq", _, 2) => equal(&receiver, &first?).map(Value::Bool),
            ("ne", _, 2) => equal(&receiver, &first?).map(|it| Value::Bool(!it)),
            ("contains", Value::List(all), 2) => {
                let first = first?;
                let found: Vec<Option<bool>> = all.iter().map(|it| equal(&self.seen_through(path, it.clone()), &first)).collect();
                if found.contains(&Some(true)) {
                    return Some(Value::Bool(true));
                }
                found.iter().all(|it| *it == Some(false)).then_some(Value::Bool(false))
            }
            _ => None,
        }
    }
}
