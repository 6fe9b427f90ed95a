//! Typed expressions.

use proc_macro2::{Ident, TokenStream};

/// A typed expression. Texts are `&str`, values that may be null are options.
#[derive(Clone)]
pub enum Expr {
    Null,
    Bool(bool),
    Int(i64),
    Decimal {
        mantissa: i128,
        scale: u32,
    },
    Text(String),
    Duration(i64),
    Timestamp(i64),
    List(Vec<Expr>),
    /// A path: a constant or a variant.
    Path(TokenStream),
    /// A value at its place.
    Place(Place),
    /// A text of the context, as `&str`; a local one is a reference.
    Str {
        place: Place,
        optional: bool,
    },
    /// `Some(value)`
    Some(Box<Expr>),
    /// A value that was tested against null earlier.
    Known(Box<Expr>),
    IsSome(Box<Expr>),
    IsNone(Box<Expr>),
    Not(Box<Expr>),
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
    Compare(&'static str, Box<Expr>, Box<Expr>),
    /// `receiver.method(argument)`
    Method {
        receiver: Box<Expr>,
        method: &'static str,
        argument: Box<Expr>,
    },
    /// `facade::function(arguments)`
    Call {
        function: &'static str,
        arguments: Vec<Expr>,
    },
    /// A value that refuses the transaction where it divides by zero.
    Checked {
        divides: Box<Expr>,
        value: Box<Expr>,
    },
    /// A whole number as a decimal.
    ToDecimal(Box<Expr>),
    /// Whether a state is inside a composite.
    InComposite {
        state: Box<Expr>,
        composite: TokenStream,
        optional: bool,
    },
    /// Whether the machine is in a leaf, which may be one of several.
    IsActive {
        leaf: TokenStream,
        among: bool,
    },
    /// Whether the machine is in a composite.
    IsWithin(TokenStream),
    Predicate {
        method: Ident,
        takes_event: bool,
    },
    /// A text of the spec, stored in the context.
    KeepLiteral(Box<Expr>),
    /// A copy of a text of the context; a local one is a reference.
    CloneOf(Place),
    /// A borrowed text, stored in the context.
    Keep {
        value: Box<Expr>,
        optional: bool,
    },
    /// A value of a type of the user, as the façade has it; may end the function with an error.
    Load {
        value: Box<Expr>,
        held: Held,
        optional: bool,
    },
    /// A value in a type of the user; may end the function with an error.
    Store {
        value: Box<Expr>,
        held: Held,
        optional: bool,
    },
}

/// A type of the user that holds values of a spec.
#[derive(Clone)]
pub struct Held {
    /// The type.
    pub own: TokenStream,
    /// The type that the façade has for these values.
    pub ty: TokenStream,
    /// Whether it must be the same type by another name, so that no value is out of its range.
    pub is_alias: bool,
    /// The name of the field, for the error of a value that does not fit.
    pub name: String,
    /// The refusal that is made of this error; without one, the error is returned as it is.
    pub refused: Option<TokenStream>,
}

/// The place of a value.
#[derive(Clone)]
pub enum Place {
    /// A field of the machine's context.
    Context(Ident),
    /// A variable.
    Local(Ident),
    /// Another place.
    Other(TokenStream),
}

impl Expr {
    /// Calls `visit` on this expression and everything inside.
    pub fn walk(&self, visit: &mut dyn FnMut(&Expr)) {
        visit(self);
        match self {
            Expr::Some(a)
            | Expr::Known(a)
            | Expr::IsSome(a)
            | Expr::IsNone(a)
            | Expr::Not(a)
            | Expr::ToDecimal(a)
            | Expr::KeepLiteral(a) => {
                a.walk(visit);
            }
            Expr::And(a, b) | Expr::Or(a, b) | Expr::Compare(_, a, b) | Expr::Method { receiver: a, argument: b, .. } => {
                a.walk(visit);
                b.walk(visit);
            }
            Expr::Checked { divides: a, value: b } => {
                a.walk(visit);
                b.walk(visit);
            }
            Expr::InComposite { state: a, .. }
            | Expr::Keep { value: a, .. }
            | Expr::Load { value: a, .. }
            | Expr::Store { value: a, .. } => {
                a.walk(visit);
            }
            Expr::List(items) | Expr::Call { arguments: items, .. } => items.iter().for_each(|it| it.walk(visit)),
            Expr::Null
            | Expr::Bool(_)
            | Expr::Int(_)
            | Expr::Decimal { .. }
            | Expr::Text(_)
            | Expr::Duration(_)
            | Expr::Timestamp(_)
            | Expr::Path(_)
            | Expr::Place(_)
            | Expr::Str { .. }
            | Expr::IsActive { .. }
            | Expr::IsWithin(_)
            | Expr::Predicate { .. }
            | Expr::CloneOf(_) => {}
        }
    }

    /// Whether it reads the machine: its context, or where it is.
    pub fn reads_machine(&self) -> bool {
        let mut reads = false;
        self.walk(&mut |it| {
            reads |= match it {
                Expr::Place(place) | Expr::Str { place, .. } | Expr::CloneOf(place) => matches!(place, Place::Context(_)),
                Expr::IsActive { .. } | Expr::IsWithin(_) | Expr::Predicate { .. } => true,
                _ => false,
            }
        });
        reads
    }

    /// Whether it asks a predicate that takes the event.
    pub fn asks_with_event(&self) -> bool {
        let mut asks = false;
        self.walk(&mut |it| asks |= matches!(it, Expr::Predicate { takes_event: true, .. }));
        asks
    }

    /// Whether it converts a value from or to a type of the user, which may fail.
    pub fn converts(&self) -> bool {
        let mut converts = false;
        self.walk(&mut |it| converts |= matches!(it, Expr::Load { held, .. } | Expr::Store { held, .. } if !held.is_alias));
        converts
    }

    /// Whether it asks a predicate.
    pub fn asks(&self) -> bool {
        let mut asks = false;
        self.walk(&mut |it| asks |= matches!(it, Expr::Predicate { .. }));
        asks
    }
}
