//! Expressions as tokens.

use proc_macro2::{Ident, Literal, TokenStream, TokenTree};
use quote::quote;

use super::prelude;
use crate::ir::{Env, Expr, Held, Place};

/// The binding strength of an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    Or,
    And,
    Compare,
    Unary,
    Atom,
}

/// A value that reads nothing.
pub fn expand_value(expr: &Expr, env: &Env) -> TokenStream {
    prelude::resolved(Scope::constant(env).expand(expr), env.in_file)
}

/// The scope of an expression.
pub struct Scope<'a> {
    pub(crate) env: &'a Env,
    /// The place of the state: `self.state`.
    pub(crate) state: TokenStream,
    /// The place of the context: `self.context`.
    pub(crate) context: TokenStream,
    /// The arguments of a predicate before the event: `&self.context,`.
    pub(crate) asked: TokenStream,
    /// The event in the form that predicates take.
    pub(crate) event: TokenStream,
}

impl<'a> Scope<'a> {
    /// The scope of values that read nothing.
    pub fn constant(env: &'a Env) -> Self {
        Scope { env, state: quote! {}, context: quote! {}, asked: quote! {}, event: quote! {} }
    }

    /// The expression as tokens.
    pub fn expand(&self, expr: &Expr) -> TokenStream {
        let facade = &self.env.facade;
        match expr {
            Expr::Null => quote! { __None },
            Expr::Bool(it) => quote! { #it },
            Expr::Int(it) => int(*it, false),
            Expr::Decimal { mantissa, scale } => {
                let (mantissa, scale) = (Literal::i128_unsuffixed(*mantissa), Literal::u32_unsuffixed(*scale));
                quote! { #facade::decimal(#mantissa, #scale) }
            }
            Expr::Text(it) => quote! { #it },
            Expr::Duration(0) => quote! { #facade::Duration::ZERO },
            Expr::Duration(it) => {
                let (from, number) = in_units(*it);
                let number = int(number, false);
                quote! { #facade::Duration::#from(#number) }
            }
            Expr::Timestamp(it) => {
                let micros = int(*it, false);
                quote! { #facade::Timestamp::from_micros(#micros) }
            }
            Expr::List(items) => {
                let items = items.iter().map(|it| self.expand(it));
                quote! { &[#(#items),*] }
            }
            Expr::Path(path) => path.clone(),
            Expr::Place(place) => self.place(place),
            Expr::Str { place, optional } => match optional {
                true => {
                    let place = self.place(place);
                    quote! { #place.as_ref().map(__AsRef::<str>::as_ref) }
                }
                false => {
                    let reference = self.reference(place);
                    quote! { __AsRef::<str>::as_ref(#reference) }
                }
            },
            Expr::Some(inner) => {
                let inner = self.expand(inner);
                quote! { __Some(#inner) }
            }
            // The value was tested against null, so the default is never used.
            Expr::Known(inner) => {
                let inner = self.at_least(inner, Strength::Atom);
                quote! { #inner.unwrap_or_default() }
            }
            Expr::IsSome(inner) => {
                let inner = self.at_least(inner, Strength::Atom);
                quote! { #inner.is_some() }
            }
            Expr::IsNone(inner) => {
                let inner = self.at_least(inner, Strength::Atom);
                quote! { #inner.is_none() }
            }
            Expr::Not(inner) => {
                let inner = self.at_least(inner, Strength::Unary);
                quote! { !#inner }
            }
            Expr::And(left, right) => {
                let (left, right) = (self.at_least(left, Strength::And), self.at_least(right, Strength::Compare));
                quote! { #left && #right }
            }
            Expr::Or(left, right) => {
                let (left, right) = (self.at_least(left, Strength::Or), self.at_least(right, Strength::And));
                quote! { #left || #right }
            }
            Expr::Compare(operator, left, right) => self.comparison(operator, left, right),
            Expr::Method { receiver, method, argument } => {
                // A bare number has no type on which to call the method.
                let receiver = match &**receiver {
                    Expr::Int(it) => {
                        let number = int(*it, true);
                        quote! { (#number) }
                    }
                    receiver => self.at_least(receiver, Strength::Atom),
                };
                let (method, argument) = (statespec_lang::names::ident(method), self.expand(argument));
                quote! { #receiver.#method(#argument) }
            }
            Expr::Call { function, arguments } => {
                let function = statespec_lang::names::ident(function);
                let arguments = arguments.iter().map(|it| match it {
                    // Two bare numbers have no type.
                    Expr::Int(it) => int(*it, true),
                    it => self.expand(it),
                });
                quote! { #facade::__private::#function(#(#arguments),*) }
            }
            Expr::Checked { divides, value } => {
                let (divides, value) = (self.expand(divides), self.expand(value));
                quote! { if #divides { return __Err(Refused::DivisionByZero.into()) } else { #value } }
            }
            Expr::ToDecimal(inner) => {
                let inner = match &**inner {
                    Expr::Int(it) => int(*it, true),
                    inner => self.expand(inner),
                };
                quote! { <#facade::Decimal as __From<i64>>::from(#inner) }
            }
            Expr::InComposite { state, composite, optional } => {
                let state = self.at_least(state, Strength::Atom);
                match optional {
                    true => quote! { #state.is_some_and(|it| it.is_in(#composite)) },
                    false => quote! { #state.is_in(#composite) },
                }
            }
            Expr::IsActive { leaf, among: true } => {
                let state = self.state_as_receiver();
                quote! { #state.is_active(#leaf) }
            }
            Expr::IsActive { leaf, among: false } => {
                let state = &self.state;
                quote! { #state == #leaf }
            }
            Expr::IsWithin(composite) => {
                let state = self.state_as_receiver();
                quote! { #state.is_in(#composite) }
            }
            Expr::Predicate { method, takes_event } => {
                let (asked, event) = (&self.asked, takes_event.then_some(&self.event));
                quote! { predicates.#method(#asked #event) }
            }
            Expr::KeepLiteral(inner) => {
                let inner = self.expand(inner);
                quote! { #facade::FromLiteral::from_literal(#inner) }
            }
            Expr::CloneOf(place) => {
                let reference = self.reference(place);
                quote! { __Clone::clone(#reference) }
            }
            Expr::Load { value, held, optional } => {
                let value = self.at_least(value, Strength::Atom);
                self.conversion(value, held, *optional, &quote! { load_field })
            }
            Expr::Store { value, held, optional } => {
                let value = if *optional { self.at_least(value, Strength::Atom) } else { self.expand(value) };
                self.conversion(value, held, *optional, &quote! { store_field })
            }
            Expr::Keep { value, optional } => {
                let value = self.expand(value);
                match optional {
                    true => quote! { #value.map(__From::from) },
                    false => quote! { __From::from(#value) },
                }
            }
        }
    }

    /// `<u32 as Holds<i64>>::load_field(value, "attempts")?`: every mention of the user's type has the place in its code, so that
    /// the compiler reports a type that holds no such values once.
    fn conversion(&self, value: TokenStream, held: &Held, optional: bool, method: &TokenStream) -> TokenStream {
        let (facade, Held { own, ty, is_alias, name, refused }) = (&self.env.facade, held);
        if *is_alias {
            let same = quote! { <#own as #facade::__private::Is<#ty>>::#method };
            return if optional {
                quote! { #value.map(#same) }
            } else {
                quote! { #same(#value) }
            };
        }
        let converted = quote! { <#own as #facade::Holds<#ty>>::#method };
        let refuse = refused.as_ref().map(|refused| quote! { .map_err(#refused) });
        match optional {
            false => quote! { #converted(#value, #name) #refuse ? },
            true => quote! { #value.map(|it| #converted(it, #name)).transpose() #refuse ? },
        }
    }

    /// The state before a method call, which binds more strongly than the `*` of `*self`.
    fn state_as_receiver(&self) -> TokenStream {
        let state = &self.state;
        match state.clone().into_iter().next() {
            Some(TokenTree::Punct(_)) => quote! { (#state) },
            _ => state.clone(),
        }
    }

    /// `operator` is one of Rust's six comparison operators.
    fn comparison(&self, operator: &str, left: &Expr, right: &Expr) -> TokenStream {
        let left = match (left, right) {
            // Two bare numbers have no type for the comparison.
            (Expr::Int(it), Expr::Int(_)) => int(*it, true),
            _ => self.at_least(left, Strength::Unary),
        };
        let right = self.at_least(right, Strength::Unary);
        match operator {
            "==" => quote! { #left == #right },
            "!=" => quote! { #left != #right },
            "<" => quote! { #left < #right },
            "<=" => quote! { #left <= #right },
            ">" => quote! { #left > #right },
            _ => quote! { #left >= #right },
        }
    }

    /// A reference to a text of the context.
    fn reference(&self, place: &Place) -> TokenStream {
        let text = self.place(place);
        match place {
            Place::Local(_) => text,
            _ => quote! { &#text },
        }
    }

    pub(super) fn place(&self, place: &Place) -> TokenStream {
        match place {
            Place::Context(field) => {
                let context = &self.context;
                quote! { #context.#field }
            }
            Place::Local(local) => quote! { #local },
            Place::Other(tokens) => tokens.clone(),
        }
    }

    fn at_least(&self, expr: &Expr, least: Strength) -> TokenStream {
        let tokens = self.expand(expr);
        if strength(expr) < least {
            quote! { (#tokens) }
        } else {
            tokens
        }
    }
}

fn strength(expr: &Expr) -> Strength {
    match expr {
        Expr::Or(..) => Strength::Or,
        Expr::And(..) => Strength::And,
        Expr::Compare(..) | Expr::IsActive { among: false, .. } => Strength::Compare,
        Expr::Not(_) => Strength::Unary,
        Expr::Int(it) if *it < 0 => Strength::Unary,
        _ => Strength::Atom,
    }
}

/// The constructor of a duration in its greatest unit without a remainder, and the number of these units.
fn in_units(micros: i64) -> (Ident, i64) {
    let units = [
        (86_400_000_000, "from_days"),
        (3_600_000_000, "from_hours"),
        (60_000_000, "from_minutes"),
        (1_000_000, "from_seconds"),
        (1_000, "from_millis"),
    ];
    let unit = units.into_iter().find(|(unit, _)| micros % unit == 0);
    let (unit, name) = unit.unwrap_or((1, "from_micros"));
    (statespec_lang::names::ident(name), micros / unit)
}

/// A whole number. The limits of the range are written as constants, because Rust warns of comparisons with the digits.
fn int(number: i64, suffixed: bool) -> TokenStream {
    match number {
        i64::MAX => quote! { i64::MAX },
        i64::MIN => quote! { i64::MIN },
        number => {
            let number = if suffixed { Literal::i64_suffixed(number) } else { Literal::i64_unsuffixed(number) };
            quote! { #number }
        }
    }
}

/// The clippy lints that conditions of a spec may violate: a spec may use two conditions where one suffices.
pub(crate) fn allow_conditions<'e>(exprs: impl Iterator<Item = &'e Expr>, env: &Env) -> Option<TokenStream> {
    let (mut n_connectives, mut same_sides, mut is_pattern, mut has_text) = (0, false, false, false);
    for expr in exprs {
        // A pattern could compare a variable of the pattern with a value; the guard keeps the form in the spec.
        let is_local = |it: &Expr| matches!(it, Expr::Place(Place::Local(_)));
        is_pattern |= matches!(expr, Expr::Compare("==", left, right) if is_local(left) || is_local(right));
        expr.walk(&mut |it| match it {
            Expr::And(..) | Expr::Or(..) | Expr::Not(_) => n_connectives += 1,
            Expr::Compare(_, left, right) => {
                let scope = Scope::constant(env);
                same_sides |= scope.expand(left).to_string() == scope.expand(right).to_string();
                // The text may be empty; the tokens do not depend on what it says.
                has_text |= [left, right].iter().any(|it| matches!(&***it, Expr::Text(_)));
            }
            _ => {}
        });
    }
    let nonminimal = (n_connectives > 0).then(|| quote! { clippy::nonminimal_bool, clippy::overly_complex_bool_expr });
    let eq_op = same_sides.then(|| quote! { clippy::eq_op });
    let pattern = is_pattern.then(|| quote! { clippy::redundant_guards });
    let empty = has_text.then(|| quote! { clippy::comparison_to_empty });
    let lints: Vec<_> = eq_op.into_iter().chain(nonminimal).chain(pattern).chain(empty).collect();
    (!lints.is_empty()).then(|| quote! { #[allow(#(#lints),*)] })
}
