//! Rust that has no machine of statespec: an enum of names, and tables of texts.

use statespec_lang::names;

use super::list::{Kind, List, Text, quoted};
use super::{Case, Form, Language, Objection};

const LANGUAGE: Language = Language { name: "Rust", fence: "rust", comment: ("// ", ""), columns: 100 };

pub(super) const FORMS: &[Form] = &[
    Form { name: "rust-enum", language: &LANGUAGE, kinds: Kind::NAMES, case: Case::Camel, make: enumeration },
    Form { name: "rust-const", language: &LANGUAGE, kinds: Kind::TABLES, case: Case::Shouty, make: constant },
];

fn literal(text: &str) -> String {
    quoted(text, '"', &[], |code| format!("\\u{{{code:x}}}"))
}

fn enumeration(list: &List<'_, '_>) -> Result<Text, Objection> {
    let name = list.name;
    let named = list.named(LANGUAGE.name, |it| names::ident(&names::upper_camel(it.name)).to_string())?;
    let mut text = Text::of(format!("#[derive(Debug, Clone, Copy, PartialEq, Eq)]\npub enum {name} {{"));
    named.iter().for_each(|(ident, item)| text.item(item, format!("    {ident},")));
    text.line(format!("}}\n\nimpl {name} {{\n    pub fn as_str(self) -> &'static str {{\n        match self {{"));
    for (ident, item) in &named {
        let wire = literal(item.wire);
        let arm = format!("            Self::{ident} => {wire},");
        text.item(
            item,
            if list.fits(&arm) { arm } else { format!("            Self::{ident} => {{\n                {wire}\n            }}") },
        );
    }
    text.line("        }\n    }\n}");
    Ok(text)
}

/// rustfmt would fill the lines of short rows, and break those of long ones.
fn constant(list: &List<'_, '_>) -> Result<Text, Objection> {
    let is_labels = list.subject.kind == Kind::Labels;
    let value = if is_labels { "&str" } else { "&[&str]" };
    let mut text = Text::of(format!("#[rustfmt::skip]\npub const {}: &[(&str, {value})] = &[", list.name));
    if is_labels {
        list.items().iter().for_each(|it| text.item(it, format!("    ({}, {}),", literal(it.wire), literal(it.shown()))));
    } else {
        list.rows(literal).for_each(|(item, targets)| {
            text.item(item, format!("    ({}, &[{}]),", literal(item.wire), targets.join(", ")));
        });
    }
    text.line("];");
    Ok(text)
}
