//! The names of variants in storage and in messages, as attributes of `serde`, `strum` and `sqlx` give them.
//!
//! ```text
//! #[serde(rename_all = "snake_case")] enum Job { #[serde(rename = "waiting")] Queued, AtWork }    // waiting, at_work
//! ```

use syn::{Attribute, ItemEnum, Lit, Variant};

/// The name of a variant, if an attribute gives another one than its identifier. Of several, `serde` counts first.
pub(super) fn name(of: &ItemEnum, variant: &Variant) -> Option<String> {
    let ident = variant.ident.to_string().trim_start_matches("r#").to_owned();
    let of_tool = |tool: &Tool| {
        let own = value(&variant.attrs, tool.name, tool.one);
        own.or_else(|| value(&of.attrs, tool.name, &[tool.all]).and_then(|style| cased(&ident, &style)))
    };
    TOOLS.iter().find_map(of_tool).filter(|it| *it != ident)
}

/// An attribute that gives names.
struct Tool {
    name: &'static str,
    /// The keys on a variant; the first that is there counts.
    one: &'static [&'static str],
    /// The key on the enum, with a style.
    all: &'static str,
}

const TOOLS: &[Tool] = &[
    Tool { name: "serde", one: &["rename"], all: "rename_all" },
    Tool { name: "strum", one: &["to_string", "serialize"], all: "serialize_all" },
    Tool { name: "sqlx", one: &["rename"], all: "rename_all" },
];

/// The text of a key: `rename` in `#[serde(rename = "waiting")]`, and of `serialize` in `#[serde(rename(serialize = "waiting"))]`.
fn value(attributes: &[Attribute], tool: &str, keys: &[&str]) -> Option<String> {
    let mut found: Vec<Option<String>> = vec![None; keys.len()];
    for attribute in attributes.iter().filter(|it| it.path().is_ident(tool)) {
        // An attribute of another form gives no name.
        let _ = attribute.parse_nested_meta(|meta| {
            let at = keys.iter().position(|it| meta.path.is_ident(it));
            if meta.input.peek(syn::token::Paren) {
                return meta.parse_nested_meta(|inner| {
                    let text = text(&inner)?;
                    if let (Some(at), true) = (at, inner.path.is_ident("serialize")) {
                        found[at] = found[at].take().or(text);
                    }
                    Ok(())
                });
            }
            let text = text(&meta)?;
            if let Some(at) = at {
                found[at] = found[at].take().or(text);
            }
            Ok(())
        });
    }
    found.into_iter().flatten().next()
}

/// The text behind `=`; `None` without one.
fn text(meta: &syn::meta::ParseNestedMeta<'_>) -> syn::Result<Option<String>> {
    if !meta.input.peek(syn::Token![=]) {
        return Ok(None);
    }
    match meta.value()?.parse::<Lit>()? {
        Lit::Str(text) => Ok(Some(text.value())),
        _ => Ok(None),
    }
}

/// An identifier in a style, as `serde` and `strum` write them; `None` for a style that neither has.
fn cased(ident: &str, style: &str) -> Option<String> {
    let mut words: Vec<String> = Vec::new();
    for character in ident.chars() {
        match words.last_mut() {
            Some(word) if !character.is_uppercase() => word.push(character),
            _ => words.push(character.to_string()),
        }
    }
    let lower = |it: &String| it.to_lowercase();
    let upper = |it: &String| it.to_uppercase();
    let joined = |of: &dyn Fn(&String) -> String, sign: &str| words.iter().map(of).collect::<Vec<_>>().join(sign);
    Some(match style {
        "lowercase" => ident.to_lowercase(),
        "UPPERCASE" => ident.to_uppercase(),
        "snake_case" => joined(&lower, "_"),
        "SCREAMING_SNAKE_CASE" | "shouty_snake_case" => joined(&upper, "_"),
        "kebab-case" | "kebab_case" => joined(&lower, "-"),
        "SCREAMING-KEBAB-CASE" => joined(&upper, "-"),
        "PascalCase" => ident.to_owned(),
        "camelCase" | "mixed_case" => {
            let first = ident.chars().next()?;
            format!("{}{}", first.to_lowercase(), &ident[first.len_utf8()..])
        }
        _ => return None,
    })
}
