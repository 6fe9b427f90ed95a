//! Reads the code of a function: what it compares, what it assigns, and what it calls.

mod sites;

use super::*;
use crate::rust::eval::{arguments, matches_arguments};
use crate::rust::returned::Returned;

/// What a variable can be.
#[derive(Default)]
struct Local {
    /// The enums of its variants.
    enums: BTreeSet<usize>,
    /// The fields of new values, each with the struct.
    fields: BTreeSet<(String, String)>,
}

pub(super) struct Reader<'f, 'a, T> {
    function: &'f Function<'a>,
    items: &'f Items<'a>,
    text: &'f T,
    found: Variables,
    parameters: BTreeSet<String>,
    /// The variables, with what they can be.
    locals: BTreeMap<String, Local>,
    /// The parameters of the closures around.
    closed: Vec<String>,
    /// Whether the code around runs in another thread or task: `thread::spawn(move || …)`.
    is_spawned: bool,
    returned: Returned,
}

impl<'f, 'a, T: Fn(&Expr) -> String> Reader<'f, 'a, T> {
    /// Adds what the code of a function says to what its signature says.
    pub(super) fn read(
        function: &'f Function<'a>,
        items: &'f Items<'a>,
        text: &'f T,
        found: Variables,
        parameters: BTreeSet<String>,
    ) -> Variables {
        let returned = Returned::of(function.block);
        let (locals, closed) = (BTreeMap::new(), Vec::new());
        let mut reader = Reader { function, items, text, found, parameters, locals, closed, is_spawned: false, returned };
        reader.visit_block(function.block);
        reader.found
    }

    /// Pairs the parts of a value with the parts of a pattern.
    fn compare(&mut self, value: &Expr, pattern: &Pat) {
        match (bare(value), pattern) {
            (Expr::Call(call), pattern) if let Some(place) = replaced(call) => self.compare(place, pattern),
            (value, Pat::Guard(it)) => self.compare(value, &it.pat),
            (value, Pat::Paren(it)) => self.compare(value, &it.pat),
            (value, Pat::Reference(it)) => self.compare(value, &it.pat),
            (value, Pat::Or(it)) => it.cases.iter().for_each(|it| self.compare(value, it)),
            (Expr::Tuple(values), Pat::Tuple(patterns)) => {
                for (value, pattern) in values.elems.iter().zip(&patterns.elems) {
                    self.compare(value, pattern);
                }
            }
            (value, pattern) => {
                if let Some(of) = self.enum_of(pattern) {
                    self.add(value, of);
                }
            }
        }
    }

    fn add(&mut self, value: &Expr, of: usize) {
        // `steps.any(|it| it.outcome == Outcome::Done)` compares many values, not one of the function.
        if base(value).is_some_and(|it| self.closed.contains(&it)) {
            self.found.closed.insert(of);
            return;
        }
        let key = (self.text)(value);
        self.found.compared.insert(key.clone());
        let key = match value {
            Expr::Path(it) => match it.path.get_ident().map(ToString::to_string) {
                Some(name) if name == "self" || self.parameters.contains(&name) => {
                    if self.items.enums[of].is_known() || self.found.all.iter().any(|it| it.key == name) {
                        return;
                    }
                    name
                }
                Some(name) if self.locals.contains_key(&name) => format!("let {name}"),
                _ => return,
            },
            Expr::Field(_) | Expr::MethodCall(_) => key,
            _ => return,
        };
        if !self.found.all.iter().any(|it| it.key == key) {
            self.found.all.push(Variable { key, of, is_parameter: false });
        }
    }

    /// Looks at the parts of a call of a function of this name.
    fn inside(&mut self, name: &str, look: impl FnOnce(&mut Self)) {
        let before = self.is_spawned;
        self.is_spawned |= name.starts_with("spawn");
        look(self);
        self.is_spawned = before;
    }

    /// Notes what a method call does.
    fn method(&mut self, it: &syn::ExprMethodCall) {
        let is_self = matches!(bare(&it.receiver), Expr::Path(path) if path.path.is_ident("self"));
        let name = it.method.to_string();
        let own = self.items.function(self.function.of.as_deref(), &name).filter(|_| is_self);
        self.found.called.insert(name.clone());
        self.found.calls.extend(own);
        self.found.sites.extend(own.map(|called| Site::call(range_of_method(it), called)));
        if let Expr::Path(receiver) = bare(&it.receiver) {
            let place = receiver.path.get_ident().map(ToString::to_string);
            self.found.handed.extend(place.map(|place| Handed { place, to: name.clone(), own, at: None }));
        }
        if let Expr::Field(field) = bare(&it.receiver) {
            self.found.methods.insert((field.member.to_token_stream().to_string(), name.clone()));
        }
        self.hand_on(&name, own, &it.args);
        match own {
            Some(_) => self.stored(&name, &it.args, || range_of_method(it)),
            None => {
                let n_before = self.found.sites.len();
                if !self.is_of_enum(&name) {
                    self.set_by_method(it, &name);
                }
                if !is_self && self.found.sites.len() == n_before {
                    self.called_on_another(it, &name);
                }
            }
        }
    }

    /// The enum of a variable that holds one of its variants.
    fn only_enum_of(&self, path: &syn::Path) -> Option<usize> {
        let enums = &self.locals.get(&path.get_ident()?.to_string())?.enums;
        enums.first().copied().filter(|_| enums.len() == 1)
    }

    fn enum_of(&self, pattern: &Pat) -> Option<usize> {
        let path = match pattern {
            Pat::Path(it) => &it.path,
            Pat::TupleStruct(it) => &it.path,
            Pat::Struct(it) => &it.path,
            Pat::Ident(it) => {
                let of = self.function.of.as_deref();
                return self.items.bare_variant(&it.ident, of, &self.function.module).map(|(of, _)| of);
            }
            _ => return None,
        };
        self.enum_of_path(path)
    }

    fn enum_of_path(&self, path: &syn::Path) -> Option<usize> {
        let names: Vec<String> = path.segments.iter().map(|it| it.ident.to_string()).collect();
        if let Some(name) = path.get_ident() {
            let of = self.function.of.as_deref();
            return self.items.bare_variant(name, of, &self.function.module).map(|(of, _)| of);
        }
        let [.., of, name] = names.as_slice() else { return None };
        let of = if of == "Self" { self.function.of.as_deref()? } else { of };
        let of = self.items.enum_named(of, &self.function.module)?;
        self.items.variant(of, name).map(|(of, _)| of)
    }
}

impl<'x, T: Fn(&Expr) -> String> Visit<'x> for Reader<'_, '_, T> {
    // A function inside is one of its own.
    fn visit_item(&mut self, _: &'x syn::Item) {}

    fn visit_expr_match(&mut self, it: &'x syn::ExprMatch) {
        for arm in &it.arms {
            self.compare(&it.expr, &arm.pat);
        }
        let all = if let Expr::Tuple(all) = bare(&it.expr) { all.elems.iter().collect() } else { vec![&*it.expr] };
        self.found.matched.extend(all.into_iter().map(|it| (self.text)(bare(it))));
        visit::visit_expr_match(self, it);
    }

    fn visit_expr_let(&mut self, it: &'x syn::ExprLet) {
        self.compare(&it.expr, &it.pat);
        visit::visit_expr_let(self, it);
    }

    fn visit_expr_binary(&mut self, it: &'x syn::ExprBinary) {
        let is_assignment = it.op.to_token_stream().to_string().ends_with('=')
            && !matches!(it.op, syn::BinOp::Eq(_) | syn::BinOp::Ne(_) | syn::BinOp::Le(_) | syn::BinOp::Ge(_));
        if is_assignment {
            self.assign(&it.left, None, false);
        }
        if matches!(it.op, syn::BinOp::Eq(_) | syn::BinOp::Ne(_))
            && let Expr::Path(path) = bare(&it.right)
            && let Some(of) = self.enum_of_path(&path.path).or_else(|| self.only_enum_of(&path.path))
        {
            self.add(bare(&it.left), of);
        }
        visit::visit_expr_binary(self, it);
    }

    fn visit_expr_closure(&mut self, it: &'x syn::ExprClosure) {
        let before = self.closed.len();
        for input in &it.inputs {
            let mut names = Names::default();
            names.visit_pat(input);
            self.closed.append(&mut names.0);
        }
        visit::visit_expr_closure(self, it);
        self.closed.truncate(before);
    }

    fn visit_local(&mut self, it: &'x syn::Local) {
        let pattern = match &it.pat {
            Pat::Type(it) => &it.pat,
            other => other,
        };
        if let Pat::Ident(name) = pattern {
            let name = name.ident.to_string();
            // The value before it is replaced is that of the place: `mem::replace(self, Broken)`.
            let read = |it: &'x Expr| if let Expr::Call(call) = it { replaced(call).unwrap_or(it) } else { it };
            let value = it.init.iter().map(|it| (self.text)(read(&it.expr)));
            self.found.lets.extend(value.map(|it| (name.clone(), it)));
            let mut computed = BTreeSet::new();
            it.init.iter().for_each(|it| self.given(&it.expr, &mut computed));
            let mut fields = it.init.as_ref().map(|it| self.new_fields(&it.expr)).unwrap_or_default();
            let local = self.locals.entry(name).or_default();
            local.enums.append(&mut computed);
            local.fields.append(&mut fields);
        }
        visit::visit_local(self, it);
    }

    fn visit_expr_assign(&mut self, it: &'x syn::ExprAssign) {
        self.found.assigned_from.extend(called(&it.right));
        self.assignment(&it.left, Some(&it.right), range_of_assign(it));
        visit::visit_expr_assign(self, it);
    }

    fn visit_expr_call(&mut self, it: &'x syn::ExprCall) {
        if let Some(place) = replaced(it) {
            let given = self.assign(place, it.args.get(1), true);
            self.site(range_of_call(it), given, it.args.get(1));
        }
        if let Expr::Path(path) = &*it.func {
            let names: Vec<&syn::Ident> = path.path.segments.iter().map(|it| &it.ident).collect();
            if let [of, name] = names.as_slice()
                && *of == "Self"
            {
                self.found.calls.extend(self.items.function(self.function.of.as_deref(), &name.to_string()));
            }
            // `Some(Data { .. })` is a value, and so is `State::Open(it)`.
            if let Some(name) = names.last() {
                self.found.called.insert(name.to_string());
                self.hand_on(&name.to_string(), None, &it.args);
            }
            if let Some(name) = names.last().filter(|it| !it.to_string().starts_with(char::is_uppercase)) {
                self.stored(&name.to_string(), &it.args, || range_of_call(it));
            }
        }
        let name = if let Expr::Path(it) = &*it.func { it.path.segments.last().map(|it| it.ident.to_string()) } else { None };
        self.inside(&name.unwrap_or_default(), |inner| visit::visit_expr_call(inner, it));
    }

    fn visit_expr_method_call(&mut self, it: &'x syn::ExprMethodCall) {
        self.method(it);
        self.inside(&it.method.to_string(), |inner| visit::visit_expr_method_call(inner, it));
    }

    fn visit_macro(&mut self, it: &'x syn::Macro) {
        self.sites_in(it.tokens.clone());
        // `ready!(self.poll_send(cx))?`
        if let Some(arguments) = arguments(it) {
            arguments.iter().for_each(|it| InMacro(self).visit_expr(it));
        }
        if it.path.segments.last().is_some_and(|it| it.ident == "matches")
            && let Ok((value, pattern)) = matches_arguments(it)
        {
            self.compare(&value, &pattern);
        }
    }

    fn visit_pat(&mut self, it: &'x Pat) {
        if let Pat::Lit(literal) = it
            && let syn::Lit::Str(text) = &literal.lit
        {
            let text = text.value();
            if !self.found.literals.contains(&text) {
                self.found.literals.push(text);
            }
        }
        visit::visit_pat(self, it);
    }
}

/// The method calls in the arguments of a macro; what it does with their values is not known.
struct InMacro<'r, 'f, 'a, T>(&'r mut Reader<'f, 'a, T>);

impl<'x, T: Fn(&Expr) -> String> Visit<'x> for InMacro<'_, '_, '_, T> {
    fn visit_expr_method_call(&mut self, it: &'x syn::ExprMethodCall) {
        self.0.method(it);
        visit::visit_expr_method_call(self, it);
    }
}
