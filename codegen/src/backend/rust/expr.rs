//! Typed expressions in Rust: `nudge_failures + 1 >= nudge_limit` becomes
//! `self.context.nudge_failures.saturating_add(1) >= NUDGE_LIMIT`.

use proc_macro2::{Literal as RustLiteral, TokenStream};
use quote::quote;

use super::Module;
use crate::expr::{Arithmetic, Compare, Expr, ExprKind, Var, fold};
use crate::model::machine::{Constant, Event};
use crate::model::{ConstantId, Literal, PredicateId, StateId, Type};

/// How an expression reads what it reads, where it stands.
pub(crate) trait Reads {
    /// A variable by value, a text as `&str`; in an `Option` where it may be null.
    fn var(&self, var: Var, ty: &Type) -> TokenStream;
    /// Where a variable that may be null is kept.
    fn place(&self, var: Var) -> TokenStream;
    /// What a predicate answers.
    fn predicate(&self, predicate: PredicateId) -> TokenStream;
    /// The path of the façade.
    fn facade(&self) -> &TokenStream;
    /// A constant by name.
    fn constant(&self, constant: ConstantId) -> TokenStream;
    /// The values of the constants.
    fn constants(&self) -> &[Constant];
    /// A value; `subject` is the other side where it is compared.
    fn literal(&self, literal: &Literal, subject: Option<&Expr>) -> TokenStream;
    /// Whether a state is another or lies inside it.
    fn is_in(&self, state: TokenStream, subject: &Expr, whole: StateId) -> TokenStream;
}

/// Rust for an expression, and how strongly it holds together.
struct Code {
    tokens: TokenStream,
    strength: Strength,
    /// Of type `Option`.
    wrapped: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    Or,
    And,
    Compare,
    Unary,
    Atom,
}

impl Code {
    fn new(tokens: TokenStream, strength: Strength) -> Self {
        Code { tokens, strength, wrapped: false }
    }

    fn at_least(self, strength: Strength) -> TokenStream {
        let tokens = self.tokens;
        if self.strength < strength {
            quote! { (#tokens) }
        } else {
            tokens
        }
    }

    /// As an `Option`.
    fn in_option(self) -> TokenStream {
        let tokens = self.tokens;
        if self.wrapped {
            tokens
        } else {
            quote! { ::core::option::Option::Some(#tokens) }
        }
    }

    /// Not as an `Option`: what was tested against null has a value, so the default is never taken.
    fn unwrapped(self) -> Self {
        let tokens = self.tokens;
        if self.wrapped { Code::new(quote! { #tokens.unwrap_or_default() }, Strength::Atom) } else { Code { tokens, ..self } }
    }
}

/// A condition or a value that is not null.
pub(crate) fn value(expr: &Expr, reads: &dyn Reads) -> TokenStream {
    code(expr, None, reads).unwrapped().tokens
}

/// A value for a place of type `Option`.
pub(crate) fn optional_value(expr: &Expr, reads: &dyn Reads) -> TokenStream {
    code(expr, None, reads).in_option()
}

fn code(expr: &Expr, subject: Option<&Expr>, reads: &dyn Reads) -> Code {
    match &expr.kind {
        ExprKind::Literal(Literal::Null) => {
            Code { tokens: quote! { ::core::option::Option::None }, strength: Strength::Atom, wrapped: true }
        }
        ExprKind::Literal(literal) => {
            let negative = matches!(literal, Literal::Int(it) if *it < 0);
            Code::new(reads.literal(literal, subject), if negative { Strength::Unary } else { Strength::Atom })
        }
        ExprKind::Constant(id) => Code::new(reads.constant(*id), Strength::Atom),
        ExprKind::Var(var) => Code { tokens: reads.var(*var, &expr.ty), strength: Strength::Atom, wrapped: expr.optional },
        ExprKind::NonNull(var) => Code { tokens: reads.var(*var, &expr.ty), strength: Strength::Atom, wrapped: true },
        ExprKind::Predicate(id) => Code::new(reads.predicate(*id), Strength::Atom),
        ExprKind::Not(inner) => negation(inner, reads),
        ExprKind::And(left, right) => {
            let left = code(left, None, reads).unwrapped().at_least(Strength::And);
            let right = code(right, None, reads).unwrapped().at_least(Strength::Compare);
            Code::new(quote! { #left && #right }, Strength::And)
        }
        ExprKind::Or(left, right) => {
            let left = code(left, None, reads).unwrapped().at_least(Strength::Or);
            let right = code(right, None, reads).unwrapped().at_least(Strength::And);
            Code::new(quote! { #left || #right }, Strength::Or)
        }
        ExprKind::Compare(operator, left, right) => comparison(*operator, left, right, reads),
        ExprKind::Arithmetic(operator, left, right) => match fold(expr, reads.constants()).kind {
            ExprKind::Literal(folded) => code(&Expr { kind: ExprKind::Literal(folded), ..expr.clone() }, subject, reads),
            _ => arithmetic(*operator, left, right, reads),
        },
        ExprKind::In(inner, whole) => {
            let state = code(inner, None, reads);
            if state.wrapped {
                let inside = reads.is_in(quote! { it }, inner, *whole);
                let state = state.tokens;
                Code::new(quote! { #state.is_some_and(|it| #inside) }, Strength::Atom)
            } else {
                // `==` for a leaf, a method for a composite: the weaker of the two counts.
                Code::new(reads.is_in(state.at_least(Strength::Atom), inner, *whole), Strength::Compare)
            }
        }
        ExprKind::ToDecimal(inner) => {
            let inner = code(inner, None, reads).unwrapped().tokens;
            let facade = reads.facade();
            Code::new(quote! { #facade::Decimal::from(#inner) }, Strength::Atom)
        }
    }
}

/// `not a`, without `!` in front of a comparison.
fn negation(inner: &Expr, reads: &dyn Reads) -> Code {
    match &inner.kind {
        ExprKind::Not(twice) => code(twice, None, reads).unwrapped(),
        ExprKind::Compare(operator, left, right) => {
            let opposite = match operator {
                Compare::Eq => Compare::Ne,
                Compare::Ne => Compare::Eq,
                Compare::Lt => Compare::Ge,
                Compare::Le => Compare::Gt,
                Compare::Gt => Compare::Le,
                Compare::Ge => Compare::Lt,
            };
            comparison(opposite, left, right, reads)
        }
        _ => {
            let inner = code(inner, None, reads).unwrapped().at_least(Strength::Unary);
            Code::new(quote! { !#inner }, Strength::Unary)
        }
    }
}

fn comparison(operator: Compare, left: &Expr, right: &Expr, reads: &dyn Reads) -> Code {
    let is_null = |it: &Expr| matches!(it.kind, ExprKind::Literal(Literal::Null));
    for (this, other) in [(left, right), (right, left)] {
        if is_null(this) && !is_null(other) {
            return null_test(operator, other, reads);
        }
        // `flag == true` is `flag`.
        if let ExprKind::Literal(Literal::Bool(wanted)) = this.kind {
            let other_code = code(other, None, reads);
            if !other_code.wrapped {
                return if wanted == (operator == Compare::Eq) { other_code } else { negation(other, reads) };
            }
        }
    }
    let (left_code, right_code) = (code(left, Some(right), reads), code(right, Some(left), reads));
    let (left, right) = if left_code.wrapped || right_code.wrapped {
        (left_code.in_option(), right_code.in_option())
    } else {
        (left_code.at_least(Strength::Unary), right_code.at_least(Strength::Unary))
    };
    let operator = match operator {
        Compare::Eq => quote! { == },
        Compare::Ne => quote! { != },
        Compare::Lt => quote! { < },
        Compare::Le => quote! { <= },
        Compare::Gt => quote! { > },
        Compare::Ge => quote! { >= },
    };
    Code::new(quote! { #left #operator #right }, Strength::Compare)
}

fn null_test(operator: Compare, other: &Expr, reads: &dyn Reads) -> Code {
    let other = match &other.kind {
        ExprKind::Var(var) => reads.place(*var),
        _ => code(other, None, reads).in_option(),
    };
    let test = if operator == Compare::Eq {
        quote! { is_none }
    } else {
        quote! { is_some }
    };
    Code::new(quote! { #other.#test() }, Strength::Atom)
}

/// Saturating, as methods: `a.saturating_add(b)`.
fn arithmetic(operator: Arithmetic, left: &Expr, right: &Expr, reads: &dyn Reads) -> Code {
    // The greater type carries the method: `duration * int`, `timestamp + duration`.
    let swapped = matches!((&left.ty, &right.ty), (Type::Int, Type::Duration) | (Type::Duration, Type::Timestamp));
    let (left, right) = if swapped { (right, left) } else { (left, right) };
    let method = match operator {
        Arithmetic::Add => quote! { saturating_add },
        Arithmetic::Sub if left.ty == Type::Timestamp && right.ty == Type::Timestamp => quote! { saturating_since },
        Arithmetic::Sub => quote! { saturating_sub },
        Arithmetic::Mul => quote! { saturating_mul },
    };
    let receiver = match &left.kind {
        // A bare number has no type to find the method by.
        ExprKind::Literal(Literal::Int(it)) => {
            let it = RustLiteral::i64_suffixed(*it);
            quote! { (#it) }
        }
        _ => code(left, None, reads).unwrapped().at_least(Strength::Atom),
    };
    let argument = code(right, None, reads).unwrapped().tokens;
    Code::new(quote! { #receiver.#method(#argument) }, Strength::Atom)
}

/// Reading inside a machine: its context, and the payload bound by a pattern.
pub(crate) struct MachineReads<'a> {
    pub(crate) module: &'a Module<'a>,
    /// The machine: `self`.
    pub(crate) machine: TokenStream,
    /// The event whose pattern binds the payload.
    pub(crate) event: Option<&'a Event>,
    /// What predicates are asked with after the context: `event`, or nothing.
    pub(crate) predicate_event: Option<TokenStream>,
}

impl Reads for MachineReads<'_> {
    fn var(&self, var: Var, ty: &Type) -> TokenStream {
        match var {
            Var::Context(id) => {
                let place = self.place(var);
                let optional = self.module.machine.fields[id.index()].optional;
                match (ty, optional) {
                    (Type::Text, true) => quote! { #place.as_ref().map(::core::convert::AsRef::<str>::as_ref) },
                    (Type::Text, false) => quote! { ::core::convert::AsRef::<str>::as_ref(&#place) },
                    _ => place,
                }
            }
            _ => self.place(var),
        }
    }

    fn place(&self, var: Var) -> TokenStream {
        match var {
            Var::Context(id) => {
                let (context, field) = (self.module.context_of(&self.machine), self.module.field(id));
                quote! { #context.#field }
            }
            Var::Payload(idx) => {
                let idents = self.event.map(|it| self.module.field_idents(&it.payload)).unwrap_or_default();
                let local = idents.get(idx).map(|it| self.module.local(it));
                quote! { #local }
            }
            Var::PartState(_) | Var::PartContext(..) | Var::PartId(_) => quote! {},
        }
    }

    fn predicate(&self, predicate: PredicateId) -> TokenStream {
        let method = &self.module.predicates[predicate.index()];
        let context = self.module.has_context().then(|| {
            let context = self.module.context_lent(&self.machine);
            quote! { #context, }
        });
        let event = self.predicate_event.as_ref().filter(|_| self.module.predicate_takes_event(predicate));
        quote! { predicates.#method(#context #event) }
    }

    fn facade(&self) -> &TokenStream {
        &self.module.facade
    }

    fn constant(&self, constant: ConstantId) -> TokenStream {
        let ident = &self.module.constants[constant.index()];
        quote! { #ident }
    }

    fn constants(&self) -> &[Constant] {
        &self.module.machine.constants
    }

    fn literal(&self, literal: &Literal, _subject: Option<&Expr>) -> TokenStream {
        self.module.literal(literal)
    }

    fn is_in(&self, state: TokenStream, _subject: &Expr, whole: StateId) -> TokenStream {
        self.module.is_in(state, whole)
    }
}

impl Module<'_> {
    /// Whether a state is another or lies inside it.
    pub(crate) fn is_in(&self, state: TokenStream, whole: StateId) -> TokenStream {
        let ident = &self.states[whole.index()];
        if self.machine.is_leaf(whole) {
            quote! { #state == State::#ident }
        } else {
            quote! { #state.is_in(Composite::#ident) }
        }
    }
}
