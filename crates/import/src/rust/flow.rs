//! Follows a function through its branches, with what is known of its places.
//!
//! ```text
//! function, values of some places ──follow──▶ paths: conditions, values of places, how it ends
//! ```
//!
//! The expressions are here. `conditions` chooses branches, `patterns` says whether a value fits, `places` reads what is known and
//! `changes` sets it, `calls` and `loops` follow the rest, `merging` makes one path of two, and `shown` writes a value as its code.
//!
//! A condition that is not known splits a path; paths that differ in nothing else are one again. What may be changed by something
//! that is not understood is open from there on, with the place in the text.

mod calls;
mod changes;
mod conditions;
mod loops;
mod merging;
mod patterns;
mod places;
mod shown;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::ir::{At, Body, Expr, Kind, Local, Operator, Pattern, Place, Symbol, Symbols, Variable, Wrap};
use super::items::Items;
use changes::strip;
use conditions::equal;
use shown::{after, is_to_hold, parts_of};

/// Calls inside the file that are followed into each other.
const MAX_CALLS: usize = 2;
/// The branches of a function that are followed.
const MAX_PATHS: usize = 48;
/// The expressions of a file that are followed, with every state and event, and those of one run through a function.
const FUEL: usize = 300_000;
const FUEL_OF_RUN: usize = 4_000;
/// The entries of a list that are followed one by one.
const MAX_ENTRIES: usize = 64;
/// The longest code that is shown in a condition.
const MAX_CODE: usize = 400;
/// The longest text that stands for a variable in a condition.
const MAX_TEXT: usize = 80;

/// What is known of a value.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Value {
    Variant(usize, usize),
    Bool(bool),
    Int(i128),
    Text(String),
    Unit,
    None,
    Wrapped(Wrap, Rc<Value>),
    Tuple(Vec<Value>),
    List(Vec<Value>),
    Struct(String, BTreeMap<Symbol, Value>),
    /// What is behind a reference.
    Behind(Place),
    Open(Open),
}

/// A value that is not known.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Open {
    /// The code that it is the value of.
    pub(super) text: String,
    /// The parameter that it is.
    pub(super) parameter: Option<Local>,
    /// Where the state goes into it, or where it may have been changed: conditions on it cannot be followed.
    pub(super) lost: Option<At>,
    /// Of a condition that a value is one of several: the value, which is none of the others then.
    pub(super) subject: Option<String>,
}

impl Open {
    fn new(text: impl Into<String>, lost: Option<At>) -> Self {
        Open { text: text.into(), parameter: None, lost, subject: None }
    }
}

impl Value {
    fn open(text: impl Into<String>) -> Self {
        Value::Open(Open::new(text, None))
    }

    /// Whether there is a state of an enum in it, or a value that a state went into.
    fn has_state(&self, of: Option<usize>) -> bool {
        match self {
            Value::Variant(it, _) => of.is_none_or(|of| of == *it),
            Value::Wrapped(_, inner) => inner.has_state(of),
            Value::Tuple(all) | Value::List(all) => all.iter().any(|it| it.has_state(of)),
            Value::Struct(_, fields) => fields.values().any(|it| it.has_state(of)),
            Value::Open(it) => it.lost.is_some(),
            _ => false,
        }
    }

    /// Whether nothing is decided by which of such values it is.
    fn is_small(&self) -> bool {
        matches!(self, Value::Int(_) | Value::Text(_) | Value::Unit) || matches!(self, Value::Open(it) if it.lost.is_none())
    }
}

/// A condition of a path.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Guard {
    pub(super) text: String,
    pub(super) holds: bool,
    /// Where it cannot be followed.
    pub(super) lost: Option<At>,
    pub(super) subject: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Flow {
    Next(Value),
    Return(Value),
    Break(Value),
    Continue,
    Never,
    /// It cannot be followed from a place on.
    Lost(At),
}

/// One way through the code.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Path {
    pub(super) guards: Vec<Guard>,
    pub(super) flow: Flow,
    pub(super) known: BTreeMap<Place, Value>,
    /// How often a place may have been changed.
    changes: BTreeMap<Place, usize>,
    /// The arm of a `match` that it went through last.
    pub(super) arm: Option<At>,
}

/// What was seen on all paths.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// The places that got a state, by its enum, each with where.
    pub(super) set: BTreeMap<usize, BTreeSet<(Place, At)>>,
    /// The parameters that a condition compared with variants of an enum.
    pub(super) asked: BTreeMap<Local, usize>,
    /// The parameters that a condition compared with texts.
    pub(super) texts: BTreeMap<Local, BTreeSet<String>>,
    /// The functions that were followed.
    pub(super) called: BTreeSet<usize>,
    /// What may have set the state, and is not understood.
    pub(super) killed: BTreeSet<At>,
    /// The variables that got a new value of a struct, and those that got one that is not known.
    pub(super) made: BTreeSet<Local>,
    pub(super) given: BTreeSet<Local>,
    /// The places of all assignments that were followed.
    pub(super) sites: BTreeSet<At>,
}

pub(super) struct Eval<'e, 'a> {
    pub(super) items: &'e Items<'a>,
    pub(super) symbols: &'e Symbols,
    pub(super) variables: &'e [Variable],
    pub(super) bodies: &'e [Body],
    pub(super) constants: &'e [Expr],
    pub(super) text: &'e str,
    /// The places of the line breaks in it.
    breaks: Vec<usize>,
    /// The place of the state, and what is in it at the beginning.
    pub(super) seed: Option<(Place, Value)>,
    /// The enum whose state may be elsewhere, too.
    pub(super) about: Option<usize>,
    pub(super) seen: Seen,
    /// Whether only what is seen counts, and not under which conditions.
    pub(super) is_survey: bool,
    /// What is left of the run, and of the file.
    fuel: usize,
    left: usize,
    pub(super) stack: Vec<usize>,
    pub(super) lists: usize,
}

impl Path {
    fn next(mut self, value: Value) -> Vec<Path> {
        self.flow = Flow::Next(value);
        vec![self]
    }

    fn end(mut self, flow: Flow) -> Vec<Path> {
        self.flow = flow;
        vec![self]
    }

    fn start() -> Self {
        Path { guards: Vec::new(), flow: Flow::Next(Value::Unit), known: BTreeMap::new(), changes: BTreeMap::new(), arm: None }
    }
}

impl<'e, 'a> Eval<'e, 'a> {
    pub(super) fn new(
        items: &'e Items<'a>,
        symbols: &'e Symbols,
        variables: &'e [Variable],
        bodies: &'e [Body],
        constants: &'e [Expr],
        text: &'e str,
    ) -> Self {
        let (seed, about, seen, stack) = (None, None, Seen::default(), Vec::new());
        let (is_survey, fuel, left, lists) = (false, FUEL_OF_RUN, FUEL, 0);
        let breaks = text.match_indices('\n').map(|it| it.0).collect();
        Eval { items, symbols, variables, bodies, constants, text, breaks, seed, about, seen, is_survey, fuel, left, stack, lists }
    }
}

impl Eval<'_, '_> {
    /// All ways through a function, with values of its parameters.
    pub(super) fn run(&mut self, function: usize, values: &[(Local, Value)]) -> Vec<Path> {
        let body = &self.bodies[function];
        let mut path = Path::start();
        for (local, pattern) in &body.parameters {
            let given = values.iter().find(|it| it.0 == *local).map(|it| it.1.clone());
            let value = given
                .unwrap_or_else(|| Value::Open(Open { parameter: Some(*local), ..Open::new(self.variables[*local].name.clone(), None) }));
            // What is known of a parameter by its place is known of it from the start.
            if self.seed.as_ref().is_some_and(|it| it.0.local == *local) && values.iter().all(|it| it.0 != *local) {
                continue;
            }
            path.known.insert(Place::local(*local), value.clone());
            if !matches!(pattern, Pattern::Bind(it, _) if it == local) {
                self.bind(pattern, &value, &mut path);
            }
        }
        self.stack.push(function);
        let before = self.left.min(FUEL_OF_RUN);
        self.fuel = before;
        let paths = self.eval(&body.block, path);
        self.left -= before - self.fuel;
        self.stack.pop();
        paths
    }

    /// The value of a constant; `None` if it is not known whole.
    pub(super) fn constant(&mut self, constant: usize) -> Option<Value> {
        let expr = &self.constants[constant];
        self.fuel = self.fuel.max(FUEL_OF_RUN / 10);
        match self.eval(expr, Path::start()).as_slice() {
            [Path { guards, flow: Flow::Next(value), .. }] if guards.is_empty() => Some(value.clone()),
            _ => None,
        }
    }

    /// Goes on with every path that has a value.
    fn then(&mut self, paths: Vec<Path>, mut next: impl FnMut(&mut Self, Path, Value) -> Vec<Path>) -> Vec<Path> {
        let mut all = Vec::new();
        for mut path in paths {
            match std::mem::replace(&mut path.flow, Flow::Next(Value::Unit)) {
                Flow::Next(value) => all.extend(next(self, path, value)),
                other => all.extend(path.end(other)),
            }
        }
        all
    }

    /// The values of several expressions, one after the other.
    fn values<'x>(&mut self, all: impl IntoIterator<Item = &'x Expr>, path: Path) -> Vec<(Path, Vec<Value>)> {
        let mut open = vec![(path, Vec::new())];
        for expr in all {
            let mut next = Vec::new();
            for (path, values) in open {
                // A path that ends in an operand has no value for the rest: it is carried in its flow.
                if !matches!(path.flow, Flow::Next(_)) {
                    next.push((path, values));
                    continue;
                }
                for path in self.eval(expr, path) {
                    let mut values = values.clone();
                    if let Flow::Next(value) = &path.flow {
                        values.push(value.clone());
                    }
                    next.push((path, values));
                }
            }
            open = next;
            if let (true, Some((path, _))) = (open.len() > 2 * MAX_PATHS, open.first()) {
                let mut path = path.clone();
                path.flow = Flow::Lost(expr.at);
                return vec![(path, Vec::new())];
            }
        }
        open
    }

    /// Makes a value of those of several expressions.
    fn made(&mut self, all: &[Expr], path: Path, make: impl Fn(Vec<Value>) -> Value) -> Vec<Path> {
        let done = self.values(all, path);
        done.into_iter()
            .flat_map(|(path, values)| match path.flow {
                Flow::Next(_) => path.next(make(values)),
                _ => vec![path],
            })
            .collect()
    }

    pub(super) fn eval(&mut self, expr: &Expr, path: Path) -> Vec<Path> {
        if self.fuel == 0 {
            return path.end(Flow::Lost(expr.at));
        }
        self.fuel -= 1;
        match &expr.kind {
            Kind::Variant(of, idx, data) => {
                let value = Value::Variant(*of, *idx);
                self.made(data, path, |_| value.clone())
            }
            Kind::Bool(it) => path.next(Value::Bool(*it)),
            Kind::Int(it) => path.next(Value::Int(*it)),
            Kind::Text(it) => path.next(Value::Text(it.clone())),
            Kind::None => path.next(Value::None),
            Kind::Place(place) => {
                let value = self.read_here(&path, place);
                path.next(value)
            }
            Kind::Field(base, symbol) => {
                let paths = self.eval(base, path);
                self.then(paths, |eval, path, value| {
                    let value = eval.field(&value, *symbol).unwrap_or_else(|| eval.unknown(expr, &path, value.has_state(eval.about)));
                    path.next(value)
                })
            }
            Kind::Constant(idx) => {
                if self.lists > 3 {
                    let value = self.unknown(expr, &path, false);
                    return path.next(value);
                }
                self.lists += 1;
                let value = self.constant(*idx);
                self.lists -= 1;
                let value = value.filter(|it| !matches!(it, Value::Open(_))).unwrap_or_else(|| self.unknown(expr, &path, false));
                path.next(value)
            }
            Kind::Wrapped(wrap, inner) => {
                let paths = self.eval(inner, path);
                self.then(paths, |_, path, value| path.next(Value::Wrapped(*wrap, Rc::new(value))))
            }
            Kind::Tuple(all) if all.is_empty() => path.next(Value::Unit),
            Kind::Tuple(all) => self.made(all, path, Value::Tuple),
            Kind::List(all) => self.made(all, path, Value::List),
            Kind::Struct(name, fields, rest) => self.new_value(expr, name, fields, rest.as_deref(), path),
            Kind::Not(inner) => {
                let paths = self.eval(inner, path);
                self.then(paths, |eval, path, value| match value {
                    Value::Bool(it) => path.next(Value::Bool(!it)),
                    other => {
                        let branches = eval.branch(path, &other, inner);
                        branches.into_iter().flat_map(|(path, holds)| path.next(Value::Bool(!holds))).collect()
                    }
                })
            }
            Kind::And(a, b) => self.both(a, b, true, path),
            Kind::Or(a, b) => self.both(a, b, false, path),
            Kind::Binary(operator, a, b) => self.binary(expr, *operator, a, b, path),
            Kind::Is(value, pattern, guard) => {
                let paths = self.eval(value, path);
                let paths = self.then(paths, |eval, path, known| {
                    eval.fits(pattern, &known, value, path).into_iter().flat_map(|(path, fits)| path.next(Value::Bool(fits))).collect()
                });
                match guard {
                    None => paths,
                    Some(guard) => self.then(paths, |eval, path, value| match value {
                        Value::Bool(true) => eval.eval(guard, path),
                        other => path.next(other),
                    }),
                }
            }
            Kind::If(condition, then, other) => {
                let paths = self.condition(condition, path);
                let mut all = Vec::new();
                for (path, holds) in paths {
                    match (holds, other) {
                        (None, _) => all.push(path),
                        (Some(true), _) => all.extend(self.eval(then, path)),
                        (Some(false), Some(other)) => all.extend(self.eval(other, path)),
                        (Some(false), None) => all.extend(path.next(Value::Unit)),
                    }
                }
                self.merged(all, expr.at)
            }
            Kind::Match(value, arms) => {
                let paths = self.eval(value, path);
                let all = self.then(paths, |eval, path, known| eval.arms(value, &known, arms, path));
                self.merged(all, expr.at)
            }
            Kind::Block(all, has_value) => {
                let mut paths = path.next(Value::Unit);
                for (idx, statement) in all.iter().enumerate() {
                    let is_value = *has_value && idx + 1 == all.len();
                    paths = self.then(paths, |eval, path, _| eval.statement(statement, is_value, path));
                    paths = self.merged(paths, statement.at);
                }
                if *has_value { paths } else { self.then(paths, |_, path, _| path.next(Value::Unit)) }
            }
            Kind::Let(pattern, value, other) => self.let_(pattern, value.as_deref(), other.as_deref(), path),
            Kind::Assign(place, value, is_behind) => {
                let paths = self.eval(value, path);
                self.then(paths, |eval, path, value| eval.assign(place, value, *is_behind, expr.at, path))
            }
            Kind::Change(place, value) => {
                let paths = self.eval(value, path);
                self.then(paths, |eval, path, value| {
                    let after = match (eval.place(place, &path).map(|it| eval.read(&path, &it)), value) {
                        (Some(Value::Int(a)), Value::Int(b)) if eval.text[expr.at.0..expr.at.1].contains("+=") => {
                            a.checked_add(b).map_or_else(|| Value::open(""), Value::Int)
                        }
                        _ => eval.after_change(place, &path),
                    };
                    eval.assign(place, after, true, expr.at, path)
                })
            }
            Kind::Replace(place, value) => {
                let paths = match value {
                    Some(value) => self.eval(value, path),
                    None => {
                        let value = self.default_of(place, &path, expr);
                        path.next(value)
                    }
                };
                self.then(paths, |eval, path, value| {
                    let target = strip(place);
                    let before = match eval.place(target, &path) {
                        Some(it) => eval.read(&path, &it),
                        None => eval.unknown(target, &path, false),
                    };
                    let paths = eval.assign(target, value, true, expr.at, path);
                    eval.then(paths, |_, path, _| path.next(before.clone()))
                })
            }
            Kind::Swap(a, b) => {
                let mut path = path;
                for one in [a, b] {
                    self.kill(strip(one), expr.at, false, &mut path);
                }
                path.next(Value::Unit)
            }
            Kind::Call(called, all) => self.call(expr, *called, all, path),
            Kind::Method(name, receiver, all) => self.method(expr, name, receiver, all, path),
            Kind::Borrow(_, inner) => match (&inner.kind, self.place(inner, &path)) {
                (Kind::Place(_) | Kind::Deref(_), Some(place)) => {
                    let value = self.read(&path, &place);
                    // A place is looked up where it is used, so that changes behind the reference are seen.
                    let is_open = matches!(value, Value::Open(_) | Value::Struct(..)) || self.is_seed(&place);
                    path.next(if is_open { Value::Behind(place) } else { value })
                }
                _ => self.eval(inner, path),
            },
            Kind::Deref(inner) => {
                let paths = self.eval(inner, path);
                self.then(paths, |eval, path, value| {
                    let value = eval.seen_through(&path, value);
                    path.next(value)
                })
            }
            Kind::Try(inner) => {
                let paths = self.eval(inner, path);
                self.then(paths, |eval, path, value| eval.question(inner, value, path))
            }
            Kind::Ready(inner) => {
                let paths = self.eval(inner, path);
                self.then(paths, |eval, path, value| {
                    let shown = eval.text_for(inner, &value, &path);
                    let text = format!("{shown} is Ready(_)");
                    let of = eval.unknown(inner, &path, value.has_state(eval.about));
                    let Value::Open(mut of) = of else { return path.next(of) };
                    of.text = text;
                    let ready = Value::open(format!("ready!({shown})"));
                    eval.split(path, &of)
                        .into_iter()
                        .flat_map(|(path, holds)| match holds {
                            true => path.next(ready.clone()),
                            false => path.end(Flow::Return(Value::Unit)),
                        })
                        .collect()
                })
            }
            Kind::Return(value) => {
                let paths = match value {
                    Some(value) => self.eval(value, path),
                    None => path.next(Value::Unit),
                };
                self.then(paths, |_, path, value| path.end(Flow::Return(value)))
            }
            Kind::Break(value) => {
                let paths = match value {
                    Some(value) => self.eval(value, path),
                    None => path.next(Value::Unit),
                };
                self.then(paths, |_, path, value| path.end(Flow::Break(value)))
            }
            Kind::Continue => path.end(Flow::Continue),
            Kind::Never => path.end(Flow::Never),
            Kind::Unread(enums, calls) => {
                let mut path = path;
                if !calls.is_empty() || self.about.is_some_and(|it| enums.contains(&it)) {
                    self.seen.killed.insert(expr.at);
                    self.lose(expr.at, &mut path);
                }
                let value = self.unknown(expr, &path, false);
                path.next(value)
            }
            Kind::Unfollowed => path.end(Flow::Lost(expr.at)),
            Kind::Leave => path.end(Flow::Return(Value::Wrapped(Wrap::Err, Rc::new(Value::Unit)))),
            Kind::Loop(head, pattern, body) => self.loop_(expr, head.as_deref(), pattern.as_ref(), body, path),
            Kind::Closure(body) => {
                let mut path = path;
                self.changed_in(body, &mut path);
                let value = self.unknown(expr, &path, false);
                path.next(value)
            }
            Kind::Other(all) => {
                let done = self.values(all, path);
                let mut paths = Vec::new();
                for (path, values) in done {
                    if matches!(path.flow, Flow::Next(_)) {
                        let mut path = path;
                        self.handed_on(&all.iter().collect::<Vec<_>>(), expr.at, false, &mut path);
                        let value = self.unknown(expr, &path, values.iter().any(|it| it.has_state(self.about)));
                        paths.extend(path.next(value));
                    } else {
                        paths.push(path);
                    }
                }
                paths
            }
        }
    }

    /// A statement. A call whose value nobody uses changes what it is called on.
    fn statement(&mut self, statement: &Expr, is_value: bool, path: Path) -> Vec<Path> {
        let mut paths = self.eval(statement, path);
        if let (false, Kind::Method(name, receiver, _)) = (is_value, &statement.kind) {
            for path in &mut paths {
                if let Some(place) = self.place(receiver, path) {
                    if self.is_seed(&place) && self.items.is_elsewhere(name) {
                        self.kill(receiver, statement.at, false, path);
                    }
                    *path.changes.entry(place).or_insert(0) += 1;
                }
            }
        }
        paths
    }

    fn let_(&mut self, pattern: &Pattern, value: Option<&Expr>, other: Option<&Expr>, path: Path) -> Vec<Path> {
        let Some(value) = value else { return path.next(Value::Unit) };
        let paths = self.eval(value, path);
        self.then(paths, |eval, path, known| {
            if let Pattern::Bind(local, None) = pattern {
                let mut path = path;
                let is_possible = eval.declared(*local, &known, value, &mut path);
                return if is_possible { path.next(Value::Unit) } else { path.end(Flow::Never) };
            }
            let mut all = Vec::new();
            for (path, fits) in eval.fits(pattern, &known, value, path) {
                match (fits, other) {
                    (false, Some(other)) => all.extend(eval.eval(other, path)),
                    (false, None) => {}
                    (true, _) => all.extend(path.next(Value::Unit)),
                }
            }
            all
        })
    }

    /// Gives a value to a new variable. A value that is not known keeps the code that it is the value of; a new value holds the state that
    /// it was made with, and is no way from another one.
    fn declared(&mut self, local: Local, known: &Value, value: &Expr, path: &mut Path) -> bool {
        let is_new = matches!(known, Value::Struct(..));
        if is_new {
            self.seen.made.insert(local)
        } else {
            self.seen.given.insert(local)
        };
        let state = self.seed.clone().filter(|(place, _)| is_new && place.local == local);
        let made = state.as_ref().map(|(place, _)| place.fields.iter().try_fold(known.clone(), |value, it| self.field(&value, *it)));
        if let (Some(Some(made @ Value::Variant(..))), Some((_, state))) = (&made, &state)
            && made != state
        {
            return false;
        }
        let known = match known {
            Value::Struct(..) if state.is_some() => Value::open(self.variables[local].name.clone()),
            Value::Open(open) if open.lost.is_none() => {
                let is_short = open.text.len() <= MAX_TEXT;
                let name = &self.variables[local].name;
                let text = if is_short { open.text.clone() } else { format!("`{name}` of line {}", self.line_and_column(value.at.0).0) };
                Value::Open(Open { text, ..open.clone() })
            }
            other => other.clone(),
        };
        let place = Place::local(local);
        path.known.retain(|it, _| !it.is_in(&place));
        path.changes.retain(|it, _| !it.is_in(&place));
        path.known.insert(place, known);
        true
    }

    fn new_value(&mut self, expr: &Expr, name: &str, fields: &[(Symbol, Expr)], rest: Option<&Expr>, path: Path) -> Vec<Path> {
        let done = self.values(fields.iter().map(|it| &it.1).chain(rest), path);
        let mut all = Vec::new();
        for (path, values) in done {
            if !matches!(path.flow, Flow::Next(_)) {
                all.push(path);
                continue;
            }
            let mut known: BTreeMap<Symbol, Value> = match values.get(fields.len()) {
                Some(Value::Struct(_, base)) => base.clone(),
                Some(_) => {
                    // What the rest is made of is not known, and a state may be in it.
                    let value = self.unknown(expr, &path, false);
                    all.extend(path.next(value));
                    continue;
                }
                None => BTreeMap::new(),
            };
            known.extend(fields.iter().map(|it| it.0).zip(values));
            all.extend(path.next(Value::Struct(name.to_owned(), known)));
        }
        all
    }

    /// What is in the place of the state.
    pub(super) fn state_of(&self, path: &Path) -> Option<Value> {
        let (place, _) = self.seed.as_ref()?;
        Some(self.read(path, place))
    }

    /// Whether the place of the state was set on a path.
    pub(super) fn is_set(&self, path: &Path) -> bool {
        let Some((place, _)) = &self.seed else { return false };
        path.known.keys().any(|it| {
            place.is_in(it) && !(it.fields.is_empty() && matches!(path.known[it], Value::Open(Open { lost: None, .. }) | Value::Behind(_)))
        })
    }
}
