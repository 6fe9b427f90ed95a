//! A small description of functions: places as access paths, branches, assignments, calls and returns.

use std::collections::BTreeMap;

/// A place in the file: its first byte, and the one behind its last.
pub(super) type At = (usize, usize);
/// A variable: its number is its own in the file, whatever it is called.
pub(super) type Local = usize;
/// The name of a field.
pub(super) type Symbol = u32;

/// A variable, or a field in it: `self.inner.state`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub(super) local: Local,
    pub(super) fields: Vec<Symbol>,
}

impl Place {
    pub(super) fn local(local: Local) -> Self {
        Place { local, fields: Vec::new() }
    }

    pub(super) fn field(&self, field: Symbol) -> Self {
        self.join(&[field])
    }

    pub(super) fn join(&self, fields: &[Symbol]) -> Self {
        Place { local: self.local, fields: self.fields.iter().chain(fields).copied().collect() }
    }

    /// Whether it is another place, or a part of it.
    pub(super) fn is_in(&self, whole: &Place) -> bool {
        self.local == whole.local && self.fields.starts_with(&whole.fields)
    }
}

/// The names of fields, each with its number.
#[derive(Debug, Default)]
pub(super) struct Symbols {
    pub(super) names: Vec<String>,
    numbers: BTreeMap<String, Symbol>,
}

impl Symbols {
    pub(super) fn number(&mut self, name: &str) -> Symbol {
        if let Some(known) = self.numbers.get(name) {
            return *known;
        }
        let number = u32::try_from(self.names.len()).expect("a file has fewer names than bytes");
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        number
    }
}

/// A variable of a function.
#[derive(Debug, Clone)]
pub(super) struct Variable {
    pub(super) name: String,
    /// The last name of its declared type.
    pub(super) ty: Option<String>,
    /// Whether its value may be changed through it: `&mut`, or not behind `&`.
    pub(super) is_mutable: bool,
    pub(super) is_parameter: bool,
}

/// A function: its parameters, and what it does.
#[derive(Debug)]
pub(super) struct Body {
    pub(super) parameters: Vec<(Local, Pattern)>,
    pub(super) block: Expr,
    /// Its variables have the numbers from the first to the second one.
    pub(super) locals: (Local, Local),
}

#[derive(Debug, Clone)]
pub(super) struct Expr {
    pub(super) kind: Kind,
    pub(super) at: At,
}

/// What wraps a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Wrap {
    Some,
    Ok,
    Err,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    Equal,
    Unequal,
    Less,
    AtMost,
    Greater,
    AtLeast,
    Plus,
    Minus,
}

#[derive(Debug, Clone)]
pub(super) enum Kind {
    /// A variant of an enum, with what its data is made of.
    Variant(usize, usize, Vec<Expr>),
    Bool(bool),
    Int(i128),
    /// A text or a character.
    Text(String),
    Place(Place),
    /// The field of a value.
    Field(Box<Expr>, Symbol),
    Constant(usize),
    None,
    Wrapped(Wrap, Box<Expr>),
    Tuple(Vec<Expr>),
    List(Vec<Expr>),
    /// A new value of a type, with its fields and what it takes the others of.
    Struct(String, Vec<(Symbol, Expr)>, Option<Box<Expr>>),
    Not(Box<Expr>),
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
    Binary(Operator, Box<Expr>, Box<Expr>),
    /// Whether a value fits: `let`, `matches!`, with the condition behind `if`.
    Is(Box<Expr>, Pattern, Option<Box<Expr>>),
    If(Box<Expr>, Box<Expr>, Option<Box<Expr>>),
    Match(Box<Expr>, Vec<Arm>),
    Block(Vec<Expr>, bool),
    /// A variable, its value, and what happens where the value does not fit.
    Let(Pattern, Option<Box<Expr>>, Option<Box<Expr>>),
    /// Whether the place is behind `*`.
    Assign(Box<Expr>, Box<Expr>, bool),
    /// `+=`
    Change(Box<Expr>, Box<Expr>),
    /// `mem::replace`; `mem::take` has no new value.
    Replace(Box<Expr>, Option<Box<Expr>>),
    Swap(Box<Expr>, Box<Expr>),
    /// A call of a function of the file, or of one that is not known.
    Call(Option<usize>, Vec<Expr>),
    Method(String, Box<Expr>, Vec<Expr>),
    /// `&mut`, or `&`.
    Borrow(bool, Box<Expr>),
    Deref(Box<Expr>),
    Try(Box<Expr>),
    /// A value that is pending leaves the function: `ready!`.
    Ready(Box<Expr>),
    Return(Option<Box<Expr>>),
    Break(Option<Box<Expr>>),
    Continue,
    /// A condition, or a value for each round, and what is done in each.
    Loop(Option<Box<Expr>>, Option<Pattern>, Box<Expr>),
    /// What a closure does, whenever it is called.
    Closure(Box<Expr>),
    /// A macro or a call that does not come back.
    Never,
    /// A macro that leaves the function with an error.
    Leave,
    /// A macro whose words are not read: the enums whose variants it names, and the functions of the file that it may call.
    Unread(Vec<usize>, Vec<String>),
    /// A jump to a label: it is not followed from here on.
    Unfollowed,
    /// What is not understood, with its parts.
    Other(Vec<Expr>),
}

#[derive(Debug, Clone)]
pub(super) struct Arm {
    pub(super) pattern: Pattern,
    pub(super) guard: Option<Expr>,
    pub(super) body: Expr,
}

#[derive(Debug, Clone)]
pub(super) enum Pattern {
    Any,
    Bind(Local, Option<Box<Pattern>>),
    /// A variant, and whether its data fits whatever it is.
    Variant(usize, usize, Vec<Pattern>, At),
    Wrapped(Wrap, Box<Pattern>),
    None,
    Tuple(Vec<Pattern>),
    Struct(Vec<(Symbol, Pattern)>),
    Bool(bool),
    Int(i128),
    Text(String),
    Or(Vec<Pattern>),
    /// What is not understood, with the variables that it binds.
    Other(Vec<Pattern>),
}

impl Pattern {
    /// Calls a function with every variable that it binds.
    pub(super) fn bound(&self, found: &mut impl FnMut(Local)) {
        match self {
            Pattern::Bind(local, inner) => {
                found(*local);
                inner.iter().for_each(|it| it.bound(found));
            }
            Pattern::Variant(_, _, all, _) | Pattern::Tuple(all) | Pattern::Or(all) | Pattern::Other(all) => {
                all.iter().for_each(|it| it.bound(found));
            }
            Pattern::Wrapped(_, inner) => inner.bound(found),
            Pattern::Struct(all) => all.iter().for_each(|it| it.1.bound(found)),
            Pattern::Any | Pattern::None | Pattern::Bool(_) | Pattern::Int(_) | Pattern::Text(_) => {}
        }
    }

    /// Whether it fits every value.
    pub(super) fn fits_all(&self) -> bool {
        match self {
            Pattern::Any => true,
            Pattern::Bind(_, inner) => inner.as_ref().is_none_or(|it| it.fits_all()),
            Pattern::Tuple(all) => all.iter().all(Pattern::fits_all),
            Pattern::Struct(all) => all.iter().all(|it| it.1.fits_all()),
            _ => false,
        }
    }
}

impl Expr {
    /// Calls a function with each part, in the order of the code.
    pub(super) fn parts<'e>(&'e self, found: &mut dyn FnMut(&'e Expr)) {
        match &self.kind {
            Kind::Bool(_) | Kind::Int(_) | Kind::Text(_) | Kind::Place(_) | Kind::Constant(_) | Kind::None => {}
            Kind::Continue | Kind::Never | Kind::Leave | Kind::Unfollowed | Kind::Unread(..) => {}
            Kind::Variant(_, _, all) | Kind::Tuple(all) | Kind::List(all) | Kind::Block(all, _) | Kind::Call(_, all) | Kind::Other(all) => {
                all.iter().for_each(found);
            }
            Kind::Field(one, _) | Kind::Wrapped(_, one) | Kind::Not(one) | Kind::Borrow(_, one) | Kind::Deref(one) => found(one),
            Kind::Try(one) | Kind::Ready(one) | Kind::Closure(one) => found(one),
            Kind::Return(one) | Kind::Break(one) => one.iter().for_each(|it| found(it)),
            Kind::Struct(_, fields, rest) => {
                fields.iter().for_each(|it| found(&it.1));
                rest.iter().for_each(|it| found(it));
            }
            Kind::And(a, b) | Kind::Or(a, b) | Kind::Binary(_, a, b) | Kind::Assign(a, b, _) | Kind::Change(a, b) | Kind::Swap(a, b) => {
                found(a);
                found(b);
            }
            Kind::Is(value, _, guard) => {
                found(value);
                guard.iter().for_each(|it| found(it));
            }
            Kind::If(a, b, c) => {
                found(a);
                found(b);
                c.iter().for_each(|it| found(it));
            }
            Kind::Match(value, arms) => {
                found(value);
                for arm in arms {
                    arm.guard.iter().for_each(&mut *found);
                    found(&arm.body);
                }
            }
            Kind::Let(_, a, b) => a.iter().chain(b).for_each(|it| found(it)),
            Kind::Replace(a, b) => {
                found(a);
                b.iter().for_each(|it| found(it));
            }
            Kind::Method(_, receiver, all) => {
                found(receiver);
                all.iter().for_each(found);
            }
            Kind::Loop(head, _, body) => {
                head.iter().for_each(|it| found(it));
                found(body);
            }
        }
    }

    /// Calls a function with this and with everything inside.
    pub(super) fn all<'e>(&'e self, found: &mut dyn FnMut(&'e Expr)) {
        found(self);
        self.parts(&mut |it| it.all(found));
    }
}
