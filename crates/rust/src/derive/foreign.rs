//! Names for other derives: the names of a variant in serde, strum and sqlx.

use heck::{ToKebabCase, ToLowerCamelCase, ToShoutyKebabCase, ToShoutySnakeCase, ToSnakeCase, ToUpperCamelCase};
use proc_macro2::TokenStream;
use statespec_lang::names::snake_by_capitals;
use syn::meta::ParseNestedMeta;
use syn::{Attribute, LitStr, Token, parenthesized};

/// A name that an attribute gives to a variant.
pub(super) struct Given {
    /// The library that reads the attribute.
    pub(super) library: &'static str,
    /// The name.
    pub(super) name: String,
    /// The place of the name.
    pub(super) at: LitStr,
    /// Whether it is given to this variant, not to all variants by a rule.
    pub(super) is_own: bool,
}

/// A library whose derives have names of their own.
pub(super) struct Library {
    pub(super) name: &'static str,
    /// The keys on a variant.
    own: &'static [&'static str],
    /// The key of a rule on the enum.
    all: &'static str,
}

pub(super) const LIBRARIES: &[Library] = &[
    Library { name: "serde", own: &["rename"], all: "rename_all" },
    Library { name: "strum", own: &["serialize", "to_string"], all: "serialize_all" },
    Library { name: "sqlx", own: &["rename"], all: "rename_all" },
];

/// The names that the attributes of an enum and of its variant give; a variant's own name has priority over the rule.
pub(super) fn given(outer: &[Attribute], inner: &[Attribute], ident: &str) -> Vec<Given> {
    let mut all = Vec::new();
    for library in LIBRARIES {
        let own = values(inner, library.name, library.own);
        if own.is_empty() {
            let rules = values(outer, library.name, &[library.all]);
            let ruled = rules.into_iter().filter_map(|at| Some((cased(library.name, &at.value(), ident)?, at)));
            all.extend(ruled.map(|(name, at)| Given { library: library.name, name, at, is_own: false }));
        } else if library.name == "strum" && own.len() > 1 {
            // Several names for parsing: strum decides which one is printed.
        } else {
            all.extend(own.into_iter().map(|at| Given { library: library.name, name: at.value(), at, is_own: true }));
        }
    }
    all
}

/// The texts of some keys of a library's attributes. Errors in them are reported by the library.
fn values(attributes: &[Attribute], library: &str, keys: &[&str]) -> Vec<LitStr> {
    let mut found = Vec::new();
    for attribute in attributes.iter().filter(|it| it.path().is_ident(library)) {
        let _ = attribute.parse_nested_meta(|meta| {
            if keys.iter().any(|key| meta.path.is_ident(key)) {
                if meta.input.peek(Token![=]) {
                    found.push(meta.value()?.parse()?);
                    return Ok(());
                }
                // `rename(serialize = "…", deserialize = "…")`
                return meta.parse_nested_meta(|meta| {
                    if meta.path.is_ident("serialize") {
                        found.push(meta.value()?.parse()?);
                        return Ok(());
                    }
                    pass_over(&meta)
                });
            }
            pass_over(&meta)
        });
    }
    found
}

fn pass_over(meta: &ParseNestedMeta<'_>) -> syn::Result<()> {
    if meta.input.peek(Token![=]) {
        meta.value()?.parse::<syn::Expr>()?;
    } else if meta.input.peek(syn::token::Paren) {
        let content;
        parenthesized!(content in meta.input);
        content.parse::<TokenStream>()?;
    }
    Ok(())
}

/// The rules that [`cased`] knows.
pub(super) const RULES: &[&str] =
    &["snake_case", "lowercase", "UPPERCASE", "PascalCase", "camelCase", "SCREAMING_SNAKE_CASE", "kebab-case", "SCREAMING-KEBAB-CASE"];

/// The name of a variant under a rule; `None` for an unknown rule.
pub(super) fn cased(library: &str, rule: &str, ident: &str) -> Option<String> {
    // Serde puts a `_` before every capital, the others split into words.
    let snake = if library == "serde" { snake_by_capitals(ident) } else { ident.to_snake_case() };
    Some(match rule {
        "lowercase" => ident.to_lowercase(),
        "UPPERCASE" => ident.to_uppercase(),
        "PascalCase" => ident.to_upper_camel_case(),
        "camelCase" => ident.to_lower_camel_case(),
        "snake_case" => snake,
        "SCREAMING_SNAKE_CASE" if library == "serde" => snake.to_uppercase(),
        "SCREAMING_SNAKE_CASE" => ident.to_shouty_snake_case(),
        "kebab-case" | "kebab_case" if library == "serde" => snake.replace('_', "-"),
        "kebab-case" | "kebab_case" => ident.to_kebab_case(),
        "SCREAMING-KEBAB-CASE" if library == "serde" => snake.to_uppercase().replace('_', "-"),
        "SCREAMING-KEBAB-CASE" => ident.to_shouty_kebab_case(),
        _ => return None,
    })
}
