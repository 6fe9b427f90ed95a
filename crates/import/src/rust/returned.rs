//! The values that a function returns by name, each with the block that ends with it.
//!
//! ```text
//! token.set_state(next);
//! Some(next)
//! ```
//!
//! The steps to `next` are those of the returned value, so the setter takes no other ones.

use std::collections::BTreeSet;
use std::ops::Range;

use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{Expr, Stmt};

use super::range::range_of_block;
use super::variables::bare;

#[derive(Default)]
pub(super) struct Returned {
    /// The blocks that end the function, each with the path that is its value.
    blocks: Vec<(Range<usize>, String)>,
    /// The variables that are assigned after they were declared: they may change before they are returned.
    assigned: BTreeSet<String>,
}

impl Returned {
    pub(super) fn of(block: &syn::Block) -> Self {
        let mut found = Returned::default();
        found.visit_block(block);
        found.tail(block);
        found
    }

    /// Whether a block around a place returns the value of a path.
    pub(super) fn gives(&self, path: &syn::Path, place: usize) -> bool {
        let text = path.to_token_stream().to_string();
        !self.assigned.contains(&text) && self.blocks.iter().any(|(range, value)| range.contains(&place) && *value == text)
    }

    fn tail(&mut self, block: &syn::Block) {
        if let Some(Stmt::Expr(value, None)) = block.stmts.last() {
            self.value(value, block);
        }
    }

    /// A value that the function returns at the end of a block.
    fn value(&mut self, value: &Expr, block: &syn::Block) {
        match value {
            Expr::Paren(it) => self.value(&it.expr, block),
            Expr::Path(it) => self.blocks.push((range_of_block(block), it.path.to_token_stream().to_string())),
            Expr::Call(it) if matches!(&*it.func, Expr::Path(it) if it.path.is_ident("Some") || it.path.is_ident("Ok")) => {
                it.args.iter().for_each(|it| self.value(it, block));
            }
            Expr::Block(it) => self.tail(&it.block),
            Expr::If(it) => {
                self.tail(&it.then_branch);
                if let Some((_, other)) = &it.else_branch {
                    self.value(other, block);
                }
            }
            Expr::Match(it) => {
                for arm in &it.arms {
                    if let Expr::Block(it) = &*arm.body {
                        self.tail(&it.block);
                    }
                }
            }
            _ => {}
        }
    }
}

impl<'x> Visit<'x> for Returned {
    fn visit_block(&mut self, it: &'x syn::Block) {
        if let Some(Stmt::Expr(Expr::Return(end), _)) = it.stmts.last()
            && let Some(value) = &end.expr
        {
            self.value(value, it);
        }
        visit::visit_block(self, it);
    }

    fn visit_expr_assign(&mut self, it: &'x syn::ExprAssign) {
        self.assigned.insert(bare(&it.left).to_token_stream().to_string());
        visit::visit_expr_assign(self, it);
    }

    // What a closure returns is not what the function returns.
    fn visit_expr_closure(&mut self, _: &'x syn::ExprClosure) {}
}
