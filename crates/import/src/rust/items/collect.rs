//! Collects the items of a file from its tree.

use proc_macro2::{TokenStream, TokenTree};
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};

use super::*;
use crate::rust::range::{range, range_of_block, range_of_expr};
use crate::rust::wire;

impl<'a> Items<'a> {
    fn inside_test(&mut self, attributes: &[syn::Attribute], item: &impl ToTokens, inner: impl FnOnce(&mut Self)) {
        let before = self.in_test;
        if !before && attributes.iter().any(is_test) {
            self.in_test = true;
            self.tests.push(range(item));
        }
        inner(self);
        self.in_test = before;
    }

    fn import(&mut self, tree: &syn::UseTree, path: &[String]) {
        match tree {
            syn::UseTree::Path(it) => {
                let path: Vec<String> = path.iter().cloned().chain([it.ident.to_string()]).collect();
                self.import(&it.tree, &path);
            }
            syn::UseTree::Name(it) => {
                let name = it.ident.to_string();
                let whole: Vec<&str> = path.iter().map(String::as_str).chain([name.as_str()]).collect();
                self.imported.insert(name.clone(), whole.join("::"));
                self.bind_use(path, &name, None);
                // `use State::Open`
                self.bare_of(path, Some(name));
            }
            syn::UseTree::Rename(it) => {
                let (name, other) = (it.ident.to_string(), it.rename.to_string());
                let whole: Vec<&str> = path.iter().map(String::as_str).chain([name.as_str()]).collect();
                self.imported.insert(name.clone(), whole.join("::"));
                self.bind_use(path, &name, Some(&other));
                self.aliases.insert(other, name);
            }
            syn::UseTree::Glob(_) => {
                self.bind(None, path.iter().map(|it| it.trim_start_matches("r#").to_owned()).collect());
                self.bare_of(path, None);
            }
            syn::UseTree::Group(it) => it.items.iter().for_each(|it| self.import(it, path)),
        }
    }

    fn bare_of(&mut self, path: &[String], name: Option<String>) {
        if let Some(of) = path.last().filter(|it| it.starts_with(char::is_uppercase)) {
            let scope = self.scopes.last().cloned().unwrap_or(0..usize::MAX - 1);
            self.bare.push(Bare { of: of.clone(), name, scope });
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
                self.of_self.push((of.to_owned(), name.clone()));
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
fn plain(name: &Ident) -> String {
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
        self.inside_test(attributes, item, |items| visit::visit_item(items, item));
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
        if let Some((braces, _)) = &item.content {
            let range = item.mod_token.span.byte_range().start..braces.span.close().byte_range().end;
            self.inline.push((range.clone(), self.module.clone()));
            self.scopes.push(range);
            visit::visit_item_mod(self, item);
            self.scopes.pop();
        }
        self.module.pop();
    }

    fn visit_item_impl(&mut self, item: &'a syn::ItemImpl) {
        let before = std::mem::replace(&mut self.of, type_name(&item.self_ty));
        let is_of_trait = std::mem::replace(&mut self.in_trait, item.trait_.is_some());
        visit::visit_item_impl(self, item);
        (self.of, self.in_trait) = (before, is_of_trait);
    }

    fn visit_type_param(&mut self, item: &'a syn::TypeParam) {
        self.open_types.insert(item.ident.to_string());
        visit::visit_type_param(self, item);
    }

    fn visit_item_trait(&mut self, item: &'a syn::ItemTrait) {
        self.open_types.insert(item.ident.to_string());
        let before = self.of.replace(item.ident.to_string());
        visit::visit_item_trait(self, item);
        self.of = before;
    }

    fn visit_item_use(&mut self, item: &'a syn::ItemUse) {
        let before = self.bindings.len();
        self.import(&item.tree, &[]);
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
        self.structs.insert(plain(&item.ident), item);
        visit::visit_item_struct(self, item);
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        if self.follows
            && path.segments.len() == 2
            && path.segments[0].ident == "Self"
            && let Some(of) = &self.of
        {
            let name = &path.segments[1].ident;
            self.of_self.push((of.clone(), name.clone()));
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
            wire: wire::name(item, it),
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
        self.inside_test(&item.attrs, item, |items| items.function_of(&item.sig, &item.block, &item.vis));
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
        if self.in_test {
            return;
        }
        let name = signature.ident.to_string().trim_start_matches("r#").to_owned();
        self.open_types.extend(signature.generics.type_params().map(|it| it.ident.to_string()));
        self.functions_by_name.entry(name.clone()).or_default().push(self.functions.len());
        self.functions.push(Function {
            name,
            of: self.of.clone().filter(|_| self.depth == 0),
            signature,
            block,
            module: self.module.clone(),
            is_public: self.in_trait || !matches!(visibility, syn::Visibility::Inherited),
        });
        self.depth += 1;
        self.scopes.push(range_of_block(block));
        visit::visit_block(self, block);
        self.scopes.pop();
        self.depth -= 1;
    }

    fn constant_of(&mut self, name: &Ident, value: &'a syn::Expr, is_local: bool) {
        if self.in_test {
            return;
        }
        let name = name.to_string();
        self.constants_by_name.entry(name.clone()).or_default().push(self.constants.len());
        self.constants.push(Constant {
            name,
            of: self.of.clone(),
            value,
            module: self.module.clone(),
            is_local,
            range: range_of_expr(value),
        });
        visit::visit_expr(self, value);
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
