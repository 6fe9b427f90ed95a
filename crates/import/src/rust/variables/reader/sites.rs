//! The places in the code where something gets a state: assignments, setters, and new values that are stored.

use proc_macro2::{TokenStream, TokenTree};
use syn::punctuated::Punctuated;
use syn::{Expr, Token};

use super::*;
use crate::rust::eval::elements;
use crate::rust::names_of_methods::{changes, reads};
use crate::rust::value::mentions;
use crate::rust::words;

impl<T: Fn(&Expr) -> String> Reader<'_, '_, T> {
    pub(super) fn site(&mut self, range: Range<usize>, enums: BTreeSet<usize>, value: Option<&Expr>) {
        let fields = value.map(|it| self.new_fields(it)).unwrap_or_default();
        self.site_of(range, enums, fields);
    }

    fn site_of(&mut self, range: Range<usize>, enums: BTreeSet<usize>, fields: BTreeSet<(String, String)>) {
        if !enums.is_empty() || !fields.is_empty() {
            self.found.sites.push(Site { range, enums, fields, call: None, is_returned: false });
        }
    }

    /// The fields of a new value of a struct: `Data { state, .. }`, a variable with one, `Data::default()`.
    pub(super) fn new_fields(&self, value: &Expr) -> BTreeSet<(String, String)> {
        let own = |name: String| if name == "Self" { self.function.of.clone().unwrap_or_default() } else { name };
        match bare(value) {
            Expr::Struct(new) => {
                let of = own(new.path.segments.last().map(|it| it.ident.to_string()).unwrap_or_default());
                let own = new.fields.iter().map(|it| (of.clone(), it.member.to_token_stream().to_string()));
                own.chain(new.fields.iter().flat_map(|it| self.new_fields(&it.expr))).collect()
            }
            Expr::Path(it) => {
                let local = it.path.get_ident().and_then(|it| self.locals.get(&it.to_string()));
                local.map(|it| it.fields.clone()).unwrap_or_default()
            }
            Expr::Call(it) => {
                let Expr::Path(path) = &*it.func else { return BTreeSet::new() };
                let names: Vec<String> = path.path.segments.iter().map(|it| it.ident.to_string()).collect();
                match names.as_slice() {
                    [.., of, name] if name == "default" || name == "new" => {
                        let fields = self.items.fields_of(&own(of.clone()));
                        let inner = it.args.iter().filter(|_| fields.is_empty()).flat_map(|it| self.new_fields(it)).collect();
                        if fields.is_empty() { inner } else { fields }
                    }
                    _ => it.args.iter().flat_map(|it| self.new_fields(it)).collect(),
                }
            }
            Expr::Array(it) => it.elems.iter().flat_map(|it| self.new_fields(it)).collect(),
            Expr::Tuple(it) => it.elems.iter().flat_map(|it| self.new_fields(it)).collect(),
            Expr::Repeat(it) => self.new_fields(&it.expr),
            // `vec![Cell::new(); n]`
            Expr::Macro(it) if it.mac.path.is_ident("vec") => elements(&it.mac).iter().flat_map(|it| self.new_fields(it)).collect(),
            _ => BTreeSet::new(),
        }
    }

    /// Finds `self.state = State::Variant` in the arguments of a macro, which need be no Rust.
    pub(super) fn sites_in(&mut self, tokens: TokenStream) {
        let list: Vec<TokenTree> = tokens.into_iter().collect();
        for window in list.windows(7) {
            if let [
                TokenTree::Punct(dot),
                TokenTree::Ident(_),
                TokenTree::Punct(sign),
                TokenTree::Ident(of),
                TokenTree::Punct(colon),
                _,
                TokenTree::Ident(name),
            ] = window
                && (dot.as_char(), sign.as_char(), colon.as_char()) == ('.', '=', ':')
                && let Some((of, _)) =
                    self.items.enum_named(&of.to_string(), &self.function.module).and_then(|it| self.items.variant(it, &name.to_string()))
            {
                self.site(sign.span().byte_range().start..name.span().byte_range().end, BTreeSet::from([of]), None);
            }
        }
        for token in list {
            if let TokenTree::Group(group) = token {
                self.sites_in(group.stream());
            }
        }
    }

    /// An assignment, also one of a tuple: `(self.state, self.count) = (State::Open, 0)`.
    pub(super) fn assignment(&mut self, left: &Expr, right: Option<&Expr>, range: Range<usize>) {
        if let Expr::Tuple(places) = left {
            for (idx, place) in places.elems.iter().enumerate() {
                let value = match right {
                    Some(Expr::Tuple(values)) if values.elems.len() == places.elems.len() => values.elems.get(idx),
                    other => other,
                };
                self.assignment(place, value, range.clone());
            }
            return;
        }
        let is_through = matches!(left, Expr::Unary(_));
        let given = self.assign(left, right, is_through);
        // A variable of the function is not what others see.
        match bare(left) {
            Expr::Path(it) if !is_through => {
                if let Some(local) = it.path.get_ident().and_then(|it| self.locals.get_mut(&it.to_string())) {
                    local.enums.extend(given);
                }
            }
            _ => self.site(range, given, right),
        }
    }

    /// Notes that a place gets a value, which `mem::take` does not name; the enums of the value.
    pub(super) fn assign(&mut self, place: &Expr, value: Option<&Expr>, is_through: bool) -> BTreeSet<usize> {
        let place = (self.text)(bare(place));
        if is_through {
            self.found.through.insert(place.clone());
        }
        if value.is_some_and(|it| !self.comes_from(it, &place)) {
            self.found.replaced.insert(place.clone());
        }
        let mut given = BTreeSet::new();
        value.into_iter().for_each(|it| self.given(it, &mut given));
        self.found.assigned.entry(place).or_default().extend(&given);
        given
    }

    /// Whether a value comes from that of a place, by itself or by a variable: `self.state.on(event)`.
    fn comes_from(&self, value: &Expr, place: &str) -> bool {
        let text = (self.text)(value);
        let of_local = self.found.lets.iter().filter(|(name, _)| *name == text).any(|(_, value)| mentions(value, place));
        mentions(&text, place) || of_local
    }

    /// `token.set_state(Running)`, `map.insert(id, Entry { state: Running })`, `flag.store(State::Open as u8)`
    pub(super) fn set_by_method(&mut self, it: &syn::ExprMethodCall, name: &str) {
        let stores = words::stores(name);
        if !stores && !words::is_setter(name) {
            return;
        }
        let mut given = BTreeSet::new();
        // `f.write_str(self.as_str())` writes a state, and sets none.
        let is_self = |it: &&Expr| matches!(it, Expr::Path(it) if it.path.is_ident("self"));
        for value in it.args.iter().map(bare).filter(|it| !is_self(it)) {
            if matches!(value, Expr::Path(_)) || (stores && matches!(value, Expr::Struct(_) | Expr::Cast(_))) {
                self.given(value, &mut given);
            }
        }
        let fields = it.args.iter().filter(|_| stores).flat_map(|it| self.new_fields(it)).collect();
        let n_before = self.found.sites.len();
        let range = range_of_method(it);
        let is_returned = self.gives_back(it, range.start);
        self.site_of(range, given, fields);
        self.found.sites[n_before..].iter_mut().for_each(|it| it.is_returned = is_returned);
    }

    /// `path.borrow_mut().probe()`, `story.with_status(Status::Done)`: a method of the file that only its callers make a step.
    pub(super) fn called_on_another(&mut self, it: &syn::ExprMethodCall, name: &str) {
        if changes(name) || reads(name) {
            return;
        }
        // A name of more types than these says too little.
        const MOST: usize = 3;
        let fits =
            |function: &Function<'_>| function.signature.receiver().is_some() && function.signature.inputs.len() == it.args.len() + 1;
        let called: Vec<usize> = self.items.functions_named(name).filter(|it| fits(&self.items.functions[*it])).collect();
        if called.len() > MOST {
            return;
        }
        let mut given = BTreeSet::new();
        it.args.iter().for_each(|it| self.given(bare(it), &mut given));
        for called in called {
            if !self.items.functions[called].is_public || !given.is_empty() {
                let range = range_of_method(it);
                let is_returned = self.gives_back(it, range.start);
                self.found.sites.push(Site { is_returned, ..Site::call(range, called) });
            }
        }
    }

    /// Whether every method of this name in the file is one of an enum: `state.transition(signal)` sets nothing to a signal.
    pub(super) fn is_of_enum(&self, name: &str) -> bool {
        let mut named = self.items.functions_named(name).map(|it| &self.items.functions[it]).peekable();
        named.peek().is_some() && named.all(|it| it.of.as_ref().is_some_and(|of| self.items.enum_named(of, &it.module).is_some()))
    }

    /// Whether the function returns the only argument of a call: `token.set_state(next); Some(next)`.
    fn gives_back(&self, it: &syn::ExprMethodCall, start: usize) -> bool {
        match it.args.iter().collect::<Vec<_>>().as_slice() {
            [Expr::Path(value)] => self.returned.gives(&value.path, start),
            _ => false,
        }
    }

    /// Notes the variables that a call gets.
    pub(super) fn hand_on(&mut self, to: &str, own: Option<usize>, arguments: &Punctuated<Expr, Token![,]>) {
        // What another thread does with a value decides nothing here.
        if self.is_spawned {
            return;
        }
        for (at, argument) in arguments.iter().enumerate() {
            let place = match bare(argument) {
                field @ Expr::Field(_) => Some((self.text)(field)),
                // The parameter of a closure is another variable.
                Expr::Path(it) => it.path.get_ident().map(ToString::to_string).filter(|it| !self.closed.contains(it)),
                _ => None,
            };
            self.found.handed.extend(place.map(|place| Handed { place, to: to.to_owned(), own, at: Some(at) }));
        }
    }

    /// `self.save(&Data { state: State::Open, .. })`: a new value in the place of an old one.
    pub(super) fn stored(&mut self, name: &str, arguments: &Punctuated<Expr, Token![,]>, range: impl FnOnce() -> Range<usize>) {
        if words::stores(name) {
            let fields = arguments.iter().flat_map(|it| self.new_fields(it)).collect();
            self.site_of(range(), BTreeSet::new(), fields);
        }
    }

    /// The enums of the variants that a value can be.
    pub(super) fn given(&self, value: &Expr, found: &mut BTreeSet<usize>) {
        let of_block = |block: &syn::Block, found: &mut BTreeSet<usize>| {
            if let Some(syn::Stmt::Expr(last, None)) = block.stmts.last() {
                self.given(last, found);
            }
        };
        match value {
            Expr::Paren(it) => self.given(&it.expr, found),
            Expr::Group(it) => self.given(&it.expr, found),
            // Of a private function that stores its parameter as a number, the callers say which state that is.
            Expr::Cast(it) if matches!(bare(&it.expr), Expr::Path(it) if it.path.get_ident().is_some()) && !self.function.is_public => {}
            Expr::Cast(it) => self.given(&it.expr, found),
            Expr::Try(it) => self.given(&it.expr, found),
            Expr::Await(it) => self.given(&it.base, found),
            Expr::Tuple(it) => it.elems.iter().for_each(|it| self.given(it, found)),
            Expr::MethodCall(it) if it.args.is_empty() && (it.method == "clone" || it.method == "into") => self.given(&it.receiver, found),
            Expr::Path(it) => {
                let parameter = |name: &syn::Ident| self.found.all.iter().find(|it| it.is_parameter && name == &it.key).map(|it| it.of);
                found.extend(self.enum_of_path(&it.path).or_else(|| it.path.get_ident().and_then(parameter)));
                let local = it.path.get_ident().and_then(|it| self.locals.get(&it.to_string()));
                found.extend(local.iter().flat_map(|it| &it.enums));
            }
            Expr::Struct(it) => match self.enum_of_path(&it.path) {
                Some(of) => _ = found.insert(of),
                // A new value in the place of an old one: `*self = Self { state: State::Open, .. }`.
                None => it.fields.iter().for_each(|it| self.given(&it.expr, found)),
            },
            Expr::Call(it) => {
                let Expr::Path(path) = &*it.func else { return };
                let of = self.enum_of_path(&path.path);
                found.extend(of);
                // `Some(State::Open)`, `Endpoint::In(Bulk::Open)`
                if of.is_some() || path.path.is_ident("Some") {
                    it.args.iter().for_each(|it| self.given(it, found));
                }
                found.extend(self.returned_by(&path.path));
            }
            Expr::Block(it) => of_block(&it.block, found),
            Expr::Unsafe(it) => of_block(&it.block, found),
            Expr::If(it) => {
                of_block(&it.then_branch, found);
                it.else_branch.iter().for_each(|(_, other)| self.given(other, found));
            }
            Expr::Match(it) => it.arms.iter().for_each(|arm| self.given(&arm.body, found)),
            _ => {}
        }
    }

    /// The enum that a function beside its declaration returns: `State::start(n)?`.
    fn returned_by(&self, path: &syn::Path) -> Option<usize> {
        let names: Vec<String> = path.segments.iter().map(|it| it.ident.to_string()).collect();
        let [.., of, name] = names.as_slice() else { return None };
        let of = if of == "Self" { self.function.of.as_deref()? } else { of };
        let function = self.items.function(Some(of), name)?;
        let syn::ReturnType::Type(_, ty) = &self.items.functions[function].signature.output else { return None };
        let names = crate::rust::items::names_in(ty.to_token_stream());
        let enum_ = self.items.enum_named(of, &self.function.module)?;
        names.iter().any(|it| it == "Self" || it == of).then_some(enum_)
    }
}
