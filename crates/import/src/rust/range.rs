//! The places of syntax in a file.

use std::ops::Range;

use proc_macro2::Span;
use proc_macro2::extra::DelimSpan;
use quote::ToTokens;
use syn::{Expr, Member, PathArguments, UnOp};

/// The place of a piece of syntax in the file.
pub(super) fn range(syntax: &impl ToTokens) -> Range<usize> {
    let mut tokens = syntax.to_token_stream().into_iter();
    let Some(first) = tokens.next() else { return 0..1 };
    let start = first.span().byte_range();
    start.start..tokens.last().map_or(start.end, |it| it.span().byte_range().end)
}

/// The place of an expression. The ends of the usual ones are found without tokens of what is between, which take long to make.
pub(super) fn range_of_expr(expr: &Expr) -> Range<usize> {
    match (first(expr), last(expr)) {
        (Some(first), Some(last)) => first.byte_range().start..last.byte_range().end,
        _ => range(expr),
    }
}

/// The place of a block.
pub(super) fn range_of_block(it: &syn::Block) -> Range<usize> {
    let braces = it.brace_token.span;
    braces.open().byte_range().start..end_of(braces)
}

/// Where brackets end.
fn end_of(brackets: DelimSpan) -> usize {
    brackets.close().byte_range().end
}

/// Where the first token of an expression is; `None` if only its tokens tell.
fn first(expr: &Expr) -> Option<Span> {
    match expr {
        Expr::Path(it) if it.qself.is_none() && it.path.leading_colon.is_none() => it.path.segments.first().map(|it| it.ident.span()),
        Expr::Macro(it) if it.mac.path.leading_colon.is_none() => it.mac.path.segments.first().map(|it| it.ident.span()),
        Expr::Field(it) => first(&it.base),
        Expr::MethodCall(it) => first(&it.receiver),
        Expr::Call(it) => first(&it.func),
        Expr::Index(it) => first(&it.expr),
        Expr::Try(it) => first(&it.expr),
        Expr::Await(it) => first(&it.base),
        Expr::Cast(it) => first(&it.expr),
        Expr::Binary(it) => first(&it.left),
        Expr::Reference(it) => Some(it.and_token.span),
        Expr::Unary(it) => match it.op {
            UnOp::Deref(it) => Some(it.span),
            UnOp::Not(it) => Some(it.span),
            UnOp::Neg(it) => Some(it.span),
            _ => None,
        },
        Expr::Lit(it) => Some(it.lit.span()),
        Expr::Return(it) => Some(it.return_token.span),
        Expr::Paren(it) => Some(it.paren_token.span.open()),
        Expr::Tuple(it) => Some(it.paren_token.span.open()),
        _ => None,
    }
}

/// Where the last token of an expression is; `None` if only its tokens tell.
fn last(expr: &Expr) -> Option<Span> {
    match expr {
        Expr::Path(it) => it.path.segments.last().filter(|it| matches!(it.arguments, PathArguments::None)).map(|it| it.ident.span()),
        Expr::Macro(it) => Some(it.mac.delimiter.span().close()),
        Expr::Field(it) => Some(match &it.member {
            Member::Named(name) => name.span(),
            Member::Unnamed(position) => position.span,
        }),
        Expr::MethodCall(it) => Some(it.paren_token.span.close()),
        Expr::Call(it) => Some(it.paren_token.span.close()),
        Expr::Index(it) => Some(it.bracket_token.span.close()),
        Expr::Try(it) => Some(it.question_token.span),
        Expr::Await(it) => Some(it.await_token.span),
        Expr::Binary(it) => last(&it.right),
        Expr::Reference(it) => last(&it.expr),
        Expr::Return(it) => it.expr.as_ref().map_or(Some(it.return_token.span), |it| last(it)),
        Expr::Unary(it) => last(&it.expr),
        Expr::Lit(it) => Some(it.lit.span()),
        Expr::Paren(it) => Some(it.paren_token.span.close()),
        Expr::Tuple(it) => Some(it.paren_token.span.close()),
        _ => None,
    }
}
