//! The fields that code asks about: the values of others tell no cases apart.

use super::operators::assigning;
use super::*;

/// The fields that code asks about, each piece of code looked at once.
#[derive(Default)]
pub(super) struct Asked {
    /// By the address of the first statement, and the number of statements.
    statements: BTreeMap<(usize, usize), Rc<BTreeSet<String>>>,
    /// By function.
    functions: BTreeMap<usize, Rc<Reads>>,
}

/// The fields that a piece of code reads, and the names of what it calls.
#[derive(Default)]
struct Reads {
    fields: BTreeSet<String>,
    calls: BTreeSet<String>,
}

impl Reads {
    /// What a place that is only set reads: `self.job` of `self.job.state = …`.
    fn place(&mut self, place: &Expr) {
        match bare(place) {
            Expr::Field(it) => self.visit_expr(&it.base),
            other => self.visit_expr(other),
        }
    }

    fn tokens(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Ident(it) => {
                    self.fields.insert(it.to_string());
                    self.calls.insert(it.to_string());
                }
                TokenTree::Group(it) => self.tokens(it.stream()),
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }
}

impl<'x> Visit<'x> for Reads {
    fn visit_expr_assign(&mut self, it: &'x syn::ExprAssign) {
        self.place(&it.left);
        self.visit_expr(&it.right);
    }

    fn visit_expr_binary(&mut self, it: &'x syn::ExprBinary) {
        if assigning(&it.op).is_some() {
            self.place(&it.left)
        } else {
            self.visit_expr(&it.left)
        }
        self.visit_expr(&it.right);
    }

    fn visit_expr_field(&mut self, it: &'x syn::ExprField) {
        self.fields.insert(it.member.to_token_stream().to_string());
        syn::visit::visit_expr_field(self, it);
    }

    fn visit_expr_path(&mut self, it: &'x syn::ExprPath) {
        self.fields.extend(it.path.get_ident().filter(|it| *it != "self").map(ToString::to_string));
    }

    fn visit_expr_method_call(&mut self, it: &'x syn::ExprMethodCall) {
        self.calls.insert(it.method.to_string());
        syn::visit::visit_expr_method_call(self, it);
    }

    fn visit_expr_call(&mut self, it: &'x syn::ExprCall) {
        if let Expr::Path(path) = &*it.func {
            self.calls.extend(path.path.segments.last().map(|it| it.ident.to_string()));
        }
        syn::visit::visit_expr_call(self, it);
    }

    fn visit_macro(&mut self, it: &'x syn::Macro) {
        // A message about a field decides nothing.
        let decides = |name: &str| matches!(name, "matches" | "ensure") || name.contains("assert");
        if it.path.segments.last().is_some_and(|it| decides(&it.ident.to_string())) {
            self.tokens(it.tokens.clone());
        }
    }
}

impl Eval<'_, '_> {
    /// The fields that statements ask about, in the functions that they call as well.
    pub(super) fn asked_in(&mut self, statements: &[Stmt]) -> Rc<BTreeSet<String>> {
        let key = |at: usize| (statements[at..].as_ptr().addr(), statements.len() - at);
        let known = (0..statements.len()).find(|at| self.asked.statements.contains_key(&key(*at))).unwrap_or(statements.len());
        let mut asked = if known < statements.len() { Rc::clone(&self.asked.statements[&key(known)]) } else { Rc::default() };
        for at in (0..known).rev() {
            let mut reads = Reads::default();
            reads.visit_stmt(&statements[at]);
            self.add_calls(&mut reads);
            if !reads.fields.is_subset(&asked) {
                asked = Rc::new(reads.fields.union(&asked).cloned().collect());
            }
            self.asked.statements.insert(key(at), Rc::clone(&asked));
        }
        asked
    }

    /// Adds what the called functions read, as deep as calls are followed.
    fn add_calls(&mut self, reads: &mut Reads) {
        let mut open = std::mem::take(&mut reads.calls);
        let mut seen = open.clone();
        for _ in 0..=MAX_CALLS {
            let items = self.items;
            let called: Vec<usize> = open.iter().flat_map(|it| items.functions_named(it)).collect();
            open.clear();
            for function in called {
                if self.fuel.get() == 0 {
                    return;
                }
                let inner = self.reads_of(function);
                self.burn(1 + inner.fields.len() + inner.calls.len());
                reads.fields.extend(inner.fields.iter().cloned());
                open.extend(inner.calls.iter().filter(|it| seen.insert((*it).clone())).cloned());
            }
        }
    }

    fn reads_of(&mut self, function: usize) -> Rc<Reads> {
        let block = self.items.functions[function].block;
        let find = || {
            let mut reads = Reads::default();
            reads.visit_block(block);
            Rc::new(reads)
        };
        Rc::clone(self.asked.functions.entry(function).or_insert_with(find))
    }
}
