//! The items of a file: enums, functions, constants and imports, each with its module.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};

use super::outline::{Binding, Declared, Known, Module};

/// An enum of the file, or one that the file only uses.
#[derive(Debug)]
pub(super) struct Enum {
    pub(super) name: String,
    pub(super) variants: Vec<Variant>,
    pub(super) doc: String,
    pub(super) module: Vec<String>,
    /// The keyword and the name.
    pub(super) head: Range<usize>,
    /// The whole item with its attributes.
    pub(super) whole: Range<usize>,
    pub(super) origin: Origin,
    /// Whether a function declares it.
    pub(super) in_body: bool,
    pub(super) is_test: bool,
    pub(super) seen: Seen,
}

/// Who sees an enum.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Seen {
    /// Whether other programs see it: a document for them is made of it.
    pub(super) outside: bool,
    /// Whether only its module sees it.
    pub(super) private: bool,
}

impl Enum {
    /// Whether the file declares it.
    pub(super) fn is_local(&self) -> bool {
        matches!(self.origin, Origin::Here)
    }

    /// Whether its variants are all that it has.
    pub(super) fn is_known(&self) -> bool {
        !matches!(self.origin, Origin::Unknown)
    }
}

/// Where an enum is declared.
#[derive(Debug, Clone)]
pub(super) enum Origin {
    /// In the file.
    Here,
    /// In another file of the project.
    Elsewhere(Arc<Declared>),
    /// In a file that is not known: the variants are those that the file uses.
    Unknown,
}

#[derive(Debug, Clone)]
pub(super) struct Variant {
    pub(super) name: String,
    pub(super) doc: String,
    pub(super) range: Range<usize>,
    pub(super) has_fields: bool,
    /// The number behind `=`; `Some(None)` if it is no literal.
    pub(super) number: Option<Option<i128>>,
    pub(super) is_default: bool,
}

pub(super) struct Function<'a> {
    pub(super) name: String,
    /// The type of the surrounding `impl`.
    pub(super) of: Option<String>,
    pub(super) signature: &'a syn::Signature,
    pub(super) block: &'a syn::Block,
    pub(super) module: Vec<String>,
    pub(super) is_test: bool,
    /// Whether code outside of the file may call it.
    pub(super) is_public: bool,
}

pub(super) struct Constant<'a> {
    pub(super) name: String,
    pub(super) of: Option<String>,
    pub(super) value: &'a syn::Expr,
    pub(super) module: Vec<String>,
    pub(super) is_test: bool,
    /// Whether it is a variable of a function.
    pub(super) is_local: bool,
    pub(super) range: Range<usize>,
}

/// The items of a file.
#[derive(Default)]
pub(super) struct Items<'a> {
    pub(super) enums: Vec<Enum>,
    pub(super) functions: Vec<Function<'a>>,
    pub(super) constants: Vec<Constant<'a>>,
    /// The functions and the constants by name, in their order.
    functions_by_name: BTreeMap<String, Vec<usize>>,
    constants_by_name: BTreeMap<String, Vec<usize>>,
    /// The ranges of tests.
    pub(super) tests: Vec<Range<usize>>,
    /// Other names of types: `use State as S`, `type S = State`.
    aliases: BTreeMap<String, String>,
    /// Paths by the last name: `use crate::model::State`.
    pub(super) imported: BTreeMap<String, (String, Range<usize>)>,
    /// The enums by name.
    by_name: BTreeMap<String, Vec<usize>>,
    /// The types whose variants need no qualifier.
    globs: BTreeSet<String>,
    /// The names that `use` and `type` bind.
    pub(super) bindings: Vec<Binding>,
    /// The modules that the file declares.
    pub(super) modules: Vec<Module>,
    /// The places of modules inside the file.
    inline: Vec<(Range<usize>, Vec<String>)>,
    /// Whether enums of other files matter.
    pub(super) follows: bool,
    /// The structs of the file.
    structs: BTreeSet<String>,
    /// `Self::Open`, with the type that it is.
    of_self: Vec<(String, String, Range<usize>)>,
    module: Vec<String>,
    of: Option<String>,
    in_test: bool,
    depth: usize,
}

impl<'a> Items<'a> {
    /// Reads the items of a file, with the enums of other files if they matter.
    pub(super) fn new(file: &'a syn::File, tokens: &TokenStream, known: Option<&Known>) -> Self {
        let mut items = Items { follows: known.is_some(), ..Items::default() };
        items.visit_file(file);
        known.into_iter().for_each(|it| items.declare_elsewhere(it));
        items.used(tokens.clone());
        for (of, name, range) in std::mem::take(&mut items.of_self) {
            if !items.structs.contains(&of) {
                items.used_variant(&of, &name, range);
            }
        }
        items
    }

    /// The names of an enum in the file: its own, and those of `use … as` and `type`.
    pub(super) fn names_of(&self, of: usize) -> BTreeSet<&str> {
        let name = self.enums[of].name.as_str();
        self.aliases.iter().filter(|it| it.1 == name).map(|it| it.0.as_str()).chain([name]).collect()
    }

    /// The module at a place of the file.
    pub(super) fn module_at(&self, place: usize) -> &[String] {
        let around = self.inline.iter().filter(|it| it.0.contains(&place));
        around.max_by_key(|it| it.1.len()).map_or(&[], |it| it.1.as_slice())
    }

    /// Declares enums of other files by the names that they have in this one.
    fn declare_elsewhere(&mut self, known: &Known) {
        let mut first_names: BTreeMap<*const Declared, &str> = BTreeMap::new();
        for (name, declared) in known {
            if self.by_name.contains_key(name) {
                continue;
            }
            self.aliases.remove(name);
            if let Some(first) = first_names.get(&Arc::as_ptr(declared)) {
                self.aliases.insert(name.clone(), (*first).to_owned());
                continue;
            }
            first_names.insert(Arc::as_ptr(declared), name);
            self.declare(Enum {
                name: name.clone(),
                variants: declared.variants.clone(),
                doc: String::new(),
                module: Vec::new(),
                head: declared.head.clone(),
                whole: declared.head.clone(),
                origin: Origin::Elsewhere(Arc::clone(declared)),
                in_body: false,
                is_test: false,
                seen: declared.seen,
            });
        }
        // Another name of something else with the same last name.
        let named = |it: &str| first_names.values().any(|name| *name == it);
        self.aliases.retain(|name, of| known.contains_key(name) || !named(of));
    }

    /// The enum with this name, as seen from a module.
    pub(super) fn enum_named(&self, name: &str, module: &[String]) -> Option<usize> {
        let name = self.aliases.get(name).map_or(name, String::as_str);
        let shared = |it: &Enum| it.module.iter().zip(module).take_while(|(a, b)| a == b).count();
        let named = self.by_name.get(name).into_iter().flatten().map(|it| (*it, &self.enums[*it]));
        // The nearest module wins; of equally near ones, the enclosing one.
        named.max_by_key(|(idx, it)| (shared(it), std::cmp::Reverse(it.module.len()), std::cmp::Reverse(*idx))).map(|(idx, _)| idx)
    }

    /// The enum that has a variant of this name, which stands alone because of a `use`.
    pub(super) fn bare_variant(&self, name: &str, of: Option<&str>, module: &[String]) -> Option<(usize, usize)> {
        let types = self.globs.iter().map(|it| if it == "Self" { of.unwrap_or_default() } else { it.as_str() });
        let mut found = types.filter_map(|it| self.variant(self.enum_named(it, module)?, name));
        found.next()
    }

    pub(super) fn variant(&self, of: usize, name: &str) -> Option<(usize, usize)> {
        self.enums[of].variants.iter().position(|it| it.name == name).map(|it| (of, it))
    }

    pub(super) fn function(&self, of: Option<&str>, name: &str) -> Option<usize> {
        let named = self.functions_by_name.get(name).into_iter().flatten();
        named.copied().find(|it| self.functions[*it].of.as_deref() == of)
    }

    pub(super) fn constant(&self, of: Option<&str>, name: &str) -> Option<usize> {
        let fits = |it: &Constant<'_>| !it.is_local && (of.is_none() || it.of.as_deref() == of);
        let named = self.constants_by_name.get(name).into_iter().flatten();
        named.copied().find(|it| fits(&self.constants[*it]))
    }

    /// Enums that are only used: `Event::Start` of another file.
    fn used(&mut self, tokens: TokenStream) {
        let list: Vec<TokenTree> = tokens.into_iter().collect();
        for window in list.windows(4) {
            if let [TokenTree::Ident(of), TokenTree::Punct(a), TokenTree::Punct(b), TokenTree::Ident(name)] = window
                && a.as_char() == ':'
                && b.as_char() == ':'
            {
                self.used_variant(&of.to_string(), &name.to_string(), name.span().byte_range());
            }
        }
        for token in list {
            if let TokenTree::Group(group) = token {
                self.used(group.stream());
            }
        }
    }

    fn used_variant(&mut self, of: &str, name: &str, range: Range<usize>) {
        let of = self.aliases.get(of).map_or(of, String::as_str).to_owned();
        let is_camel = |it: &str| it.starts_with(char::is_uppercase);
        // `Duration::ZERO` is a constant.
        let is_constant = name.len() > 1 && !name.contains(char::is_lowercase);
        let is_of_test = self.tests.iter().any(|it| it.contains(&range.start));
        if !is_camel(&of) || !is_camel(name) || is_constant || is_of_test || of == "Self" {
            return;
        }
        let variant =
            Variant { name: name.to_owned(), doc: String::new(), range: range.clone(), has_fields: false, number: None, is_default: false };
        let known = self.by_name.get(&of).and_then(|it| it.first()).copied();
        match known.map(|it| &mut self.enums[it]) {
            Some(known) if known.is_known() || known.variants.iter().any(|it| it.name == name) => {}
            Some(known) => known.variants.push(variant),
            None => self.declare(Enum {
                name: of,
                variants: vec![variant],
                doc: String::new(),
                module: Vec::new(),
                head: range.clone(),
                whole: range,
                origin: Origin::Unknown,
                in_body: false,
                is_test: false,
                seen: Seen::default(),
            }),
        }
    }

    fn declare(&mut self, item: Enum) {
        self.by_name.entry(item.name.clone()).or_default().push(self.enums.len());
        self.enums.push(item);
    }

    fn inside_test(&mut self, attributes: &[syn::Attribute], range: Range<usize>, inner: impl FnOnce(&mut Self)) {
        let before = self.in_test;
        if attributes.iter().any(is_test) && !before {
            self.in_test = true;
            self.tests.push(range);
        }
        inner(self);
        self.in_test = before;
    }

    fn import(&mut self, tree: &syn::UseTree, path: &[String], range: &Range<usize>) {
        match tree {
            syn::UseTree::Path(it) => {
                let path: Vec<String> = path.iter().cloned().chain([it.ident.to_string()]).collect();
                self.import(&it.tree, &path, range);
            }
            syn::UseTree::Name(it) => {
                let name = it.ident.to_string();
                let whole: Vec<&str> = path.iter().map(String::as_str).chain([name.as_str()]).collect();
                self.imported.insert(name.clone(), (whole.join("::"), range.clone()));
                self.bind_use(path, &name, None);
                // `use State::Open`
                if let Some(of) = path.last().filter(|it| it.starts_with(char::is_uppercase)) {
                    self.globs.insert(of.clone());
                }
            }
            syn::UseTree::Rename(it) => {
                let (name, other) = (it.ident.to_string(), it.rename.to_string());
                let whole: Vec<&str> = path.iter().map(String::as_str).chain([name.as_str()]).collect();
                self.imported.insert(name.clone(), (whole.join("::"), range.clone()));
                self.bind_use(path, &name, Some(&other));
                self.aliases.insert(other, name);
            }
            syn::UseTree::Glob(_) => {
                self.bind(None, path.iter().map(|it| it.trim_start_matches("r#").to_owned()).collect());
                if let Some(of) = path.last().filter(|it| it.starts_with(char::is_uppercase)) {
                    self.globs.insert(of.clone());
                }
            }
            syn::UseTree::Group(it) => it.items.iter().for_each(|it| self.import(it, path, range)),
        }
    }

    /// `a::Name`, `a::Name as Other`, and `a::{self}`, which binds `a`.
    fn bind_use(&mut self, path: &[String], name: &str, other: Option<&str>) {
        let mut whole: Vec<String> = path.iter().map(|it| it.trim_start_matches("r#").to_owned()).collect();
        if name != "self" || whole.is_empty() {
            whole.push(name.trim_start_matches("r#").to_owned());
        }
        let bound = other.map(|it| it.trim_start_matches("r#").to_owned()).or_else(|| whole.last().cloned());
        self.bind(bound, whole);
    }

    fn bind(&mut self, name: Option<String>, path: Vec<String>) {
        if self.follows {
            self.bindings.push(Binding { module: self.module.clone(), name, path, in_body: self.depth > 0, is_test: self.in_test });
        }
    }

    /// `Self::Open` among the words of a macro.
    fn self_in(&mut self, tokens: TokenStream, of: &str) {
        let list: Vec<TokenTree> = tokens.into_iter().collect();
        for window in list.windows(4) {
            if let [TokenTree::Ident(first), TokenTree::Punct(a), TokenTree::Punct(b), TokenTree::Ident(name)] = window
                && first == "Self"
                && a.as_char() == ':'
                && b.as_char() == ':'
            {
                self.of_self.push((of.to_owned(), name.to_string(), name.span().byte_range()));
            }
        }
        for token in list {
            if let TokenTree::Group(group) = token {
                self.self_in(group.stream(), of);
            }
        }
    }
}

/// A name without `r#`.
fn plain(name: &syn::Ident) -> String {
    name.to_string().trim_start_matches("r#").to_owned()
}

/// `#[path = "…"]`
fn path_of(attribute: &syn::Attribute) -> Option<String> {
    match &attribute.meta {
        syn::Meta::NameValue(it) if it.path.is_ident("path") => match &it.value {
            syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) => Some(text.value()),
            _ => None,
        },
        _ => None,
    }
}

/// `#[test]`, `#[cfg(test)]`, `#[cfg(all(test, not(loom)))]`, `#[tokio::test]`
fn is_test(attribute: &syn::Attribute) -> bool {
    let path = attribute.path();
    path.segments.last().is_some_and(|it| it.ident == "test" || it.ident == "rstest" || it.ident == "proptest")
        || (path.is_ident("cfg") && attribute.parse_args().is_ok_and(|it| names_test(&it)))
}

/// `#[derive(ToSchema)]`, `#[cfg_attr(feature = "api", derive(schemars::JsonSchema))]`
fn is_of_interface(attribute: &syn::Attribute) -> bool {
    let syn::Meta::List(list) = &attribute.meta else { return false };
    let names = ["ToSchema", "JsonSchema", "GraphQLEnum"];
    let text = list.tokens.to_string();
    let derives = list.path.is_ident("derive") || (list.path.is_ident("cfg_attr") && text.contains("derive"));
    derives && text.split(|it: char| !it.is_alphanumeric()).any(|it| names.contains(&it))
}

/// Whether a condition of `cfg` names `test`, other than in `not(…)`.
fn names_test(condition: &syn::Meta) -> bool {
    match condition {
        syn::Meta::Path(path) => path.is_ident("test"),
        syn::Meta::List(list) if list.path.is_ident("not") => false,
        syn::Meta::List(list) => {
            let inner = list.parse_args_with(Punctuated::<syn::Meta, syn::Token![,]>::parse_terminated);
            inner.is_ok_and(|all| all.iter().any(names_test))
        }
        syn::Meta::NameValue(_) => false,
    }
}

impl<'a> Visit<'a> for Items<'a> {
    fn visit_item(&mut self, item: &'a syn::Item) {
        let attributes: &[syn::Attribute] = match item {
            syn::Item::Mod(it) => &it.attrs,
            syn::Item::Fn(it) => &it.attrs,
            syn::Item::Impl(it) => &it.attrs,
            syn::Item::Const(it) => &it.attrs,
            syn::Item::Static(it) => &it.attrs,
            syn::Item::Enum(it) => &it.attrs,
            _ => &[],
        };
        self.inside_test(attributes, range(item), |items| visit::visit_item(items, item));
    }

    fn visit_item_mod(&mut self, item: &'a syn::ItemMod) {
        self.modules.push(Module {
            module: self.module.clone(),
            name: plain(&item.ident),
            path: item.attrs.iter().find_map(path_of),
            is_inline: item.content.is_some(),
            is_test: self.in_test,
        });
        self.module.push(plain(&item.ident));
        if item.content.is_some() {
            self.inline.push((range(item), self.module.clone()));
        }
        visit::visit_item_mod(self, item);
        self.module.pop();
    }

    fn visit_item_impl(&mut self, item: &'a syn::ItemImpl) {
        let before = std::mem::replace(&mut self.of, type_name(&item.self_ty));
        visit::visit_item_impl(self, item);
        self.of = before;
    }

    fn visit_item_trait(&mut self, item: &'a syn::ItemTrait) {
        let before = self.of.replace(item.ident.to_string());
        visit::visit_item_trait(self, item);
        self.of = before;
    }

    fn visit_item_use(&mut self, item: &'a syn::ItemUse) {
        let range = range(item);
        let before = self.bindings.len();
        self.import(&item.tree, &[], &range);
        let is_test = item.attrs.iter().any(is_test);
        for binding in &mut self.bindings[before..] {
            binding.is_test |= is_test;
            if item.leading_colon.is_some() {
                binding.path.insert(0, String::new());
            }
        }
    }

    fn visit_item_type(&mut self, item: &'a syn::ItemType) {
        if let Some(of) = type_name(&item.ty) {
            self.aliases.insert(item.ident.to_string(), of);
        }
        if let syn::Type::Path(it) = &*item.ty
            && it.qself.is_none()
            && it.path.segments.iter().all(|it| it.arguments.is_none())
        {
            let path = it.path.leading_colon.iter().map(|_| String::new()).chain(it.path.segments.iter().map(|it| plain(&it.ident)));
            self.bind(Some(plain(&item.ident)), path.collect());
        }
    }

    fn visit_item_struct(&mut self, item: &'a syn::ItemStruct) {
        self.structs.insert(plain(&item.ident));
        visit::visit_item_struct(self, item);
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        if self.follows
            && path.segments.len() == 2
            && path.segments[0].ident == "Self"
            && let Some(of) = &self.of
        {
            let name = &path.segments[1].ident;
            self.of_self.push((of.clone(), name.to_string(), name.span().byte_range()));
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, item: &'a syn::Macro) {
        if let Some(of) = self.of.clone().filter(|_| self.follows) {
            self.self_in(item.tokens.clone(), &of);
        }
        visit::visit_macro(self, item);
    }

    fn visit_item_enum(&mut self, item: &'a syn::ItemEnum) {
        let variants = item.variants.iter().map(|it| Variant {
            name: it.ident.to_string().trim_start_matches("r#").to_owned(),
            doc: docs(&it.attrs),
            range: it.ident.span().byte_range(),
            has_fields: !it.fields.is_empty(),
            number: it.discriminant.as_ref().map(|(_, value)| integer(value)),
            is_default: it.attrs.iter().any(|it| it.path().is_ident("default")),
        });
        self.declare(Enum {
            name: item.ident.to_string().trim_start_matches("r#").to_owned(),
            variants: variants.collect(),
            doc: docs(&item.attrs),
            module: self.module.clone(),
            head: item.enum_token.span.byte_range().start..item.ident.span().byte_range().end,
            whole: range(item),
            origin: Origin::Here,
            in_body: self.depth > 0,
            is_test: self.in_test,
            seen: Seen { outside: item.attrs.iter().any(is_of_interface), private: matches!(item.vis, syn::Visibility::Inherited) },
        });
    }

    fn visit_item_fn(&mut self, item: &'a syn::ItemFn) {
        self.function_of(&item.sig, &item.block, &item.vis);
    }

    fn visit_impl_item_fn(&mut self, item: &'a syn::ImplItemFn) {
        self.inside_test(&item.attrs, range(item), |items| items.function_of(&item.sig, &item.block, &item.vis));
    }

    fn visit_item_const(&mut self, item: &'a syn::ItemConst) {
        self.constant_of(&item.ident, &item.expr, false);
    }

    fn visit_item_static(&mut self, item: &'a syn::ItemStatic) {
        self.constant_of(&item.ident, &item.expr, false);
    }

    fn visit_impl_item_const(&mut self, item: &'a syn::ImplItemConst) {
        self.constant_of(&item.ident, &item.expr, false);
    }

    fn visit_local(&mut self, local: &'a syn::Local) {
        let pattern = match &local.pat {
            syn::Pat::Type(it) => &it.pat,
            other => other,
        };
        if let (syn::Pat::Ident(name), Some(init)) = (pattern, &local.init) {
            self.constant_of(&name.ident, &init.expr, true);
        }
        visit::visit_local(self, local);
    }
}

impl<'a> Items<'a> {
    fn function_of(&mut self, signature: &'a syn::Signature, block: &'a syn::Block, visibility: &syn::Visibility) {
        let name = signature.ident.to_string().trim_start_matches("r#").to_owned();
        self.functions_by_name.entry(name.clone()).or_default().push(self.functions.len());
        self.functions.push(Function {
            name,
            of: self.of.clone().filter(|_| self.depth == 0),
            signature,
            block,
            module: self.module.clone(),
            is_test: self.in_test,
            is_public: !matches!(visibility, syn::Visibility::Inherited),
        });
        self.depth += 1;
        visit::visit_block(self, block);
        self.depth -= 1;
    }

    fn constant_of(&mut self, name: &syn::Ident, value: &'a syn::Expr, is_local: bool) {
        let name = name.to_string();
        self.constants_by_name.entry(name.clone()).or_default().push(self.constants.len());
        self.constants.push(Constant {
            name,
            of: self.of.clone(),
            value,
            module: self.module.clone(),
            is_test: self.in_test,
            is_local,
            range: range(value),
        });
        visit::visit_expr(self, value);
    }
}

/// The place of a piece of syntax in the file.
pub(super) fn range(syntax: &impl ToTokens) -> Range<usize> {
    let mut tokens = syntax.to_token_stream().into_iter();
    let Some(first) = tokens.next() else { return 0..1 };
    let start = first.span().byte_range();
    start.start..tokens.last().map_or(start.end, |it| it.span().byte_range().end)
}

/// The last name of a type: `State` of `&crate::model::State`.
pub(super) fn type_name(ty: &syn::Type) -> Option<String> {
    match ty {
        syn::Type::Path(it) => it.path.segments.last().map(|it| it.ident.to_string()),
        syn::Type::Reference(it) => type_name(&it.elem),
        syn::Type::Paren(it) => type_name(&it.elem),
        syn::Type::Group(it) => type_name(&it.elem),
        _ => None,
    }
}

fn integer(expr: &syn::Expr) -> Option<i128> {
    match expr {
        syn::Expr::Lit(it) => match &it.lit {
            syn::Lit::Int(it) => it.base10_parse().ok(),
            _ => None,
        },
        _ => None,
    }
}

/// The text of `#[doc = "…"]`, the desugared form of `///`.
fn docs(attributes: &[syn::Attribute]) -> String {
    let mut lines = Vec::new();
    for attribute in attributes.iter().filter(|it| it.path().is_ident("doc")) {
        if let syn::Meta::NameValue(it) = &attribute.meta
            && let syn::Expr::Lit(it) = &it.value
            && let syn::Lit::Str(text) = &it.lit
        {
            lines.push(text.value().trim().to_owned());
        }
    }
    lines.join("\n").trim().to_owned()
}
