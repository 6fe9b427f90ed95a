//! The items of a file: enums, functions, constants and imports, each with its module.

mod collect;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit::Visit;

use super::declared::{Binding, Declared, Known, Module, Variant};

/// An enum of the file, or one that the file only uses.
#[derive(Debug)]
pub(super) struct Enum {
    pub(super) name: String,
    pub(super) variants: Vec<Variant>,
    pub(super) doc: String,
    pub(super) module: Vec<String>,
    /// The keyword and the name.
    pub(super) head: Range<usize>,
    pub(super) origin: Origin,
    /// Whether a function declares it.
    pub(super) in_body: bool,
    pub(super) is_test: bool,
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

pub(super) struct Function<'a> {
    pub(super) name: String,
    /// The type of the surrounding `impl`.
    pub(super) of: Option<String>,
    pub(super) signature: &'a syn::Signature,
    pub(super) block: &'a syn::Block,
    pub(super) module: Vec<String>,
    /// Whether code outside of the file may call it.
    pub(super) is_public: bool,
}

pub(super) struct Constant<'a> {
    pub(super) name: String,
    pub(super) of: Option<String>,
    pub(super) value: &'a syn::Expr,
    pub(super) module: Vec<String>,
    /// Whether it is a variable of a function.
    pub(super) is_local: bool,
    pub(super) range: Range<usize>,
}

/// `use State::*`, or `use State::Open`: the variants need no qualifier there.
struct Bare {
    of: String,
    /// The only variant.
    name: Option<String>,
    /// The function or module with the `use`.
    scope: Range<usize>,
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
    /// Paths by the last name: `use statespec_lang::model::State`.
    pub(super) imported: BTreeMap<String, String>,
    /// The enums by name.
    by_name: BTreeMap<String, Vec<usize>>,
    /// The variants that need no qualifier.
    bare: Vec<Bare>,
    /// The functions and modules around, while the file is read.
    scopes: Vec<Range<usize>>,
    /// The names that `use` and `type` bind.
    pub(super) bindings: Vec<Binding>,
    /// The modules that the file declares.
    pub(super) modules: Vec<Module>,
    /// The places of modules inside the file.
    inline: Vec<(Range<usize>, Vec<String>)>,
    /// Whether enums of other files matter.
    pub(super) follows: bool,
    /// The type parameters and the traits of the file: `I::Duration` is a type.
    open_types: BTreeSet<String>,
    /// The functions that traits of the file declare.
    of_traits: BTreeSet<String>,
    /// The structs of the file by name.
    structs: BTreeMap<String, &'a syn::ItemStruct>,
    /// `Self::Open`, with the type that it is.
    of_self: Vec<(String, Ident)>,
    module: Vec<String>,
    of: Option<String>,
    in_test: bool,
    /// Whether the surrounding `impl` is one of a trait, whose methods others see.
    in_trait: bool,
    depth: usize,
}

impl<'a> Items<'a> {
    /// Reads the items of a file, with the enums of other files if they matter.
    pub(super) fn new(file: &'a syn::File, tokens: &TokenStream, known: Option<&Known>) -> Self {
        let mut items = Items { follows: known.is_some(), ..Items::default() };
        items.visit_file(file);
        known.into_iter().for_each(|it| items.declare_elsewhere(it));
        items.used(tokens.clone());
        for (of, name) in std::mem::take(&mut items.of_self) {
            if !items.structs.contains_key(&of) {
                items.used_variant(&of, &name);
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
                origin: Origin::Elsewhere(Arc::clone(declared)),
                in_body: false,
                is_test: false,
            });
        }
        // Another name of something else with the same last name.
        let named = |it: &str| first_names.values().any(|name| *name == it);
        self.aliases.retain(|name, of| known.contains_key(name) || !named(of));
    }

    /// Whether an enum is one of the standard library, which is no machine: `Poll::Pending`.
    pub(super) fn is_of_library(&self, of: usize) -> bool {
        let of = &self.enums[of];
        let path = self.imported.get(&of.name).map_or("", String::as_str);
        !of.is_known() && (of.name == "Poll" || ["std::", "core::", "alloc::"].iter().any(|it| path.starts_with(it)))
    }

    /// The enum with this name, as seen from a module.
    pub(super) fn enum_named(&self, name: &str, module: &[String]) -> Option<usize> {
        let name = self.aliases.get(name).map_or(name, String::as_str);
        let shared = |it: &Enum| it.module.iter().zip(module).take_while(|(a, b)| a == b).count();
        let named = self.by_name.get(name).into_iter().flatten().map(|it| (*it, &self.enums[*it]));
        // The nearest module wins; of equally near ones, the enclosing one.
        named.max_by_key(|(idx, it)| (shared(it), std::cmp::Reverse(it.module.len()), std::cmp::Reverse(*idx))).map(|(idx, _)| idx)
    }

    /// The enum that has a variant of this name, which stands alone at a place because of a `use`.
    ///
    /// The nearest `use` counts, and one of the name before one of all names. One elsewhere may come by another `use`.
    pub(super) fn bare_variant(&self, name: &Ident, of: Option<&str>, module: &[String]) -> Option<(usize, usize)> {
        let (place, name) = (name.span().byte_range().start, name.to_string());
        let named = self.bare.iter().filter(|it| it.name.as_ref().is_none_or(|it| *it == name));
        let found = named.filter_map(|it| {
            let of = if it.of == "Self" { of.unwrap_or_default() } else { it.of.as_str() };
            let variant = self.variant(self.enum_named(of, module)?, &name)?;
            let distance = if it.scope.contains(&place) { it.scope.len() } else { usize::MAX };
            Some((distance, it.name.is_none(), variant))
        });
        found.min_by_key(|(distance, is_glob, _)| (*distance, *is_glob)).map(|(_, _, variant)| variant)
    }

    pub(super) fn variant(&self, of: usize, name: &str) -> Option<(usize, usize)> {
        self.enums[of].variants.iter().position(|it| it.name == name).map(|it| (of, it))
    }

    pub(super) fn function(&self, of: Option<&str>, name: &str) -> Option<usize> {
        let named = self.functions_by_name.get(name).into_iter().flatten();
        named.copied().find(|it| self.functions[*it].of.as_deref() == of)
    }

    /// The functions of a name, of whatever type.
    pub(super) fn functions_named(&self, name: &str) -> impl Iterator<Item = usize> {
        self.functions_by_name.get(name).into_iter().flatten().copied()
    }

    /// The type of a field of a struct of the file.
    pub(super) fn field_type(&self, of: &str, field: &str) -> Option<&'a syn::Type> {
        let of = self.aliases.get(of).map_or(of, String::as_str);
        let fields = &self.structs.get(of)?.fields;
        fields.iter().find(|it| it.ident.as_ref().is_some_and(|it| it == field)).map(|it| &it.ty)
    }

    /// Whether no other file names a field of a struct: it is private, and the file has no modules in other files.
    pub(super) fn is_private(&self, of: &str, field: &str) -> bool {
        let of = self.aliases.get(of).map_or(of, String::as_str);
        let fields = self.structs.get(of).map(|it| &it.fields);
        let is_it = |it: &&syn::Field| it.ident.as_ref().is_some_and(|it| it == field);
        let found = fields.and_then(|it| it.iter().find(is_it));
        found.is_some_and(|it| matches!(it.vis, syn::Visibility::Inherited)) && self.modules.iter().all(|it| it.is_inline || it.is_test)
    }

    /// The enums that a field of this name has as its type, in whatever struct.
    pub(super) fn enums_of_field(&self, field: &str) -> BTreeSet<usize> {
        let types = self.structs.values().flat_map(|it| &it.fields).filter(|it| it.ident.as_ref().is_some_and(|it| it == field));
        types.filter_map(|it| self.enum_named(&type_name(&it.ty)?, &[])).collect()
    }

    /// The names in the types of the fields of this name, in whatever struct.
    pub(super) fn fields_naming(&self, field: &str) -> BTreeSet<String> {
        let types = self.structs.values().flat_map(|it| &it.fields).filter(|it| it.ident.as_ref().is_some_and(|it| it == field));
        types.flat_map(|it| names_in(it.ty.to_token_stream())).collect()
    }

    /// Whether a struct of the file has a state of an enum.
    pub(super) fn has_state(&self, name: &str, of: usize) -> bool {
        let fields = self.structs.get(name).map(|it| &it.fields);
        fields.is_some_and(|it| it.iter().any(|it| type_name(&it.ty).is_some_and(|it| self.enum_named(&it, &[]) == Some(of))))
    }

    /// The only struct with a field of this name that is a state of an enum.
    pub(super) fn struct_with(&self, field: &str, of: usize) -> Option<String> {
        let has = |it: &&String| {
            let ty = self.field_type(it, field).and_then(type_name);
            ty.is_some_and(|it| self.enum_named(&it, &[]) == Some(of))
        };
        let mut found = self.structs.keys().filter(has);
        found.next().filter(|_| found.next().is_none()).cloned()
    }

    /// Whether the file has no function of a name, in whatever type.
    pub(super) fn is_elsewhere(&self, name: &str) -> bool {
        !self.functions_by_name.contains_key(name) && !self.of_traits.contains(name)
    }

    pub(super) fn constant(&self, of: Option<&str>, name: &str) -> Option<usize> {
        let fits = |it: &Constant<'_>| !it.is_local && (of.is_none() || it.of.as_deref() == of);
        let named = self.constants_by_name.get(name).into_iter().flatten();
        named.copied().find(|it| fits(&self.constants[*it]))
    }

    /// Enums that are only used: `Event::Start` of another file.
    fn used(&mut self, tokens: TokenStream) {
        paths(tokens, false, &mut |it| it.names.windows(2).for_each(|it| self.used_variant(&it[0].to_string(), &it[1])));
    }

    fn used_variant(&mut self, of: &str, ident: &Ident) {
        let name = ident.to_string();
        let of = self.aliases.get(of).map_or(of, String::as_str).to_owned();
        let is_camel = |it: &str| it.starts_with(char::is_uppercase);
        // `Duration::ZERO` is a constant.
        let is_constant = name.len() > 1 && !name.contains(char::is_lowercase);
        if !is_camel(&of) || !is_camel(&name) || is_constant || of == "Self" || self.open_types.contains(&of) {
            return;
        }
        let known = self.by_name.get(&of).and_then(|it| it.first()).copied();
        if known.is_some_and(|it| self.enums[it].is_known() || self.enums[it].variants.iter().any(|it| it.name == name)) {
            return;
        }
        let range = ident.span().byte_range();
        if self.tests.iter().any(|it| it.contains(&range.start)) {
            return;
        }
        let variant =
            Variant { name, wire: None, doc: String::new(), range: range.clone(), has_fields: false, number: None, is_default: false };
        match known {
            Some(known) => self.enums[known].variants.push(variant),
            None => self.declare(Enum {
                name: of,
                variants: vec![variant],
                doc: String::new(),
                module: Vec::new(),
                head: range,
                origin: Origin::Unknown,
                in_body: false,
                is_test: false,
            }),
        }
    }

    fn declare(&mut self, item: Enum) {
        self.by_name.entry(item.name.clone()).or_default().push(self.enums.len());
        self.enums.push(item);
    }
}

/// Whether a type, by its names, is a map or a list, which is empty in a new value.
pub(super) fn begins_empty(names: &[String]) -> bool {
    names.iter().any(|it| it.ends_with("Map") || it.ends_with("Set") || it.starts_with("Vec"))
}

/// A path among words, such as `job::State::Open`.
pub(super) struct NamePath {
    pub(super) names: Vec<Ident>,
    /// Whether it begins with `::`.
    pub(super) is_absolute: bool,
    /// Whether brackets follow: `start(…)`.
    pub(super) is_called: bool,
    /// Whether it is one of `use`.
    pub(super) in_use: bool,
}

/// Calls a function with every path among some words.
pub(super) fn paths(tokens: TokenStream, mut in_use: bool, found: &mut dyn FnMut(&NamePath)) {
    let list: Vec<TokenTree> = tokens.into_iter().collect();
    let is_colon = |idx: usize| matches!(list.get(idx), Some(TokenTree::Punct(it)) if it.as_char() == ':');
    let mut idx = 0;
    while let Some(token) = list.get(idx) {
        idx += 1;
        match token {
            TokenTree::Group(group) => paths(group.stream(), in_use, found),
            TokenTree::Punct(sign) if sign.as_char() == ';' => in_use = false,
            TokenTree::Ident(word) if word == "use" => in_use = true,
            TokenTree::Ident(first) => {
                let is_absolute = idx > 2 && is_colon(idx - 2) && is_colon(idx - 3);
                let mut names = vec![first.clone()];
                while let (true, true, Some(TokenTree::Ident(next))) = (is_colon(idx), is_colon(idx + 1), list.get(idx + 2)) {
                    names.push(next.clone());
                    idx += 3;
                }
                let is_called = matches!(list.get(idx), Some(TokenTree::Group(it)) if it.delimiter() == Delimiter::Parenthesis);
                found(&NamePath { names, is_absolute, is_called, in_use });
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

/// The names in a type, or in other code.
pub(super) fn names_in(tokens: TokenStream) -> Vec<String> {
    let mut names = Vec::new();
    paths(tokens, false, &mut |it| names.extend(it.names.iter().map(Ident::to_string)));
    names
}

/// The names in a type.
pub(super) fn types_in(ty: &syn::Type) -> Vec<String> {
    names_in(ty.to_token_stream())
}

/// The last name of a type: `State` of `&statespec_lang::model::State`.
pub(super) fn type_name(ty: &syn::Type) -> Option<String> {
    match ty {
        syn::Type::Path(it) => it.path.segments.last().map(|it| it.ident.to_string()),
        syn::Type::Reference(it) => type_name(&it.elem),
        syn::Type::Paren(it) => type_name(&it.elem),
        syn::Type::Group(it) => type_name(&it.elem),
        _ => None,
    }
}
