//! TypeScript, as Prettier lays it out.

use statespec_lang::names;

use super::list::{Kind, List, Text, four_digits, preferred_quote, quoted};
use super::{Case, Form, Language, Objection};

const LANGUAGE: Language = Language { name: "TypeScript", fence: "ts", comment: ("// ", ""), columns: 80 };

pub(super) const FORMS: &[Form] = &[
    Form { name: "ts-union", language: &LANGUAGE, kinds: Kind::NAMES, case: Case::Camel, make: union },
    Form { name: "ts-const", language: &LANGUAGE, kinds: Kind::ALL, case: Case::TypeOrValue, make: constant },
];

/// A text as a literal that ends no script element in HTML either.
fn literal(text: &str) -> String {
    quoted(text, preferred_quote(text), &[], four_digits).replace("</", "\\u003c/").replace("<!--", "\\u003c!--")
}

fn union(list: &List<'_, '_>) -> Result<Text, Objection> {
    let members: Vec<String> = list.items().iter().map(|it| literal(it.wire)).collect();
    let head = format!("export type {} =", list.name);
    let line = format!("{head} {};", members.join(" | "));
    if list.fits(&line) {
        return Ok(Text::of(line));
    }
    let mut text = Text::of(head);
    for (idx, (item, member)) in list.items().iter().zip(&members).enumerate() {
        let bar = if members.len() > 1 { "| " } else { "" };
        let end = if idx + 1 == members.len() { ";" } else { "" };
        text.item(item, format!("  {bar}{member}{end}"));
    }
    Ok(text)
}

fn constant(list: &List<'_, '_>) -> Result<Text, Objection> {
    let name = list.name;
    let mut text = Text::of(format!("export const {name} = {{"));
    match list.subject.kind {
        Kind::States | Kind::Events | Kind::Values => {
            for (ident, item) in list.named(LANGUAGE.name, |it| names::upper_camel(it.name))? {
                text.item(item, property(list, &ident, &literal(item.wire)));
            }
        }
        Kind::Labels => list.items().iter().for_each(|it| text.item(it, property(list, &key(it.wire), &literal(it.shown())))),
        Kind::Edges => list.rows(literal).for_each(|(item, targets)| {
            let key = key(item.wire);
            let line = format!("  {key}: [{}],", targets.join(", "));
            text.item(item, if list.fits(&line) { line } else { format!("  {key}: [\n    {},\n  ],", targets.join(",\n    ")) });
        }),
    }
    text.line("} as const;");
    if Kind::NAMES.contains(&list.subject.kind) {
        let line = format!("export type {name} = (typeof {name})[keyof typeof {name}];");
        text.line("");
        text.line(if list.fits(&line) { line } else { line.replacen(" = ", " =\n  ", 1) });
    }
    Ok(text)
}

/// A property with a text. Prettier puts a long one on a line of its own, unless the key is short.
fn property(list: &List<'_, '_>, key: &str, value: &str) -> String {
    let line = format!("  {key}: {value},");
    if list.fits(&line) || key.chars().count() < 5 { line } else { format!("  {key}:\n    {value},") }
}

/// A text as the key of an object. `__proto__` would set the prototype.
fn key(text: &str) -> String {
    let plain = |it: char| it.is_ascii_alphanumeric() || it == '_' || it == '$';
    let is_plain = !text.is_empty() && text.chars().all(plain) && !text.starts_with(|it: char| it.is_ascii_digit());
    match text {
        "__proto__" => "[\"__proto__\"]".to_owned(),
        _ if is_plain || names::is_name(text) && !text.contains('-') => text.to_owned(),
        _ => literal(text),
    }
}
