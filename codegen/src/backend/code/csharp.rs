//! C#.

use statespec_lang::names;

use super::list::{Kind, List, Text, four_digits, quoted};
use super::{Case, Form, Language, Objection};

const LANGUAGE: Language = Language { name: "C#", fence: "csharp", comment: ("// ", ""), columns: 100 };

pub(super) const FORMS: &[Form] = &[
    Form { name: "csharp-enum", language: &LANGUAGE, kinds: Kind::NAMES, case: Case::Camel, make: enumeration },
    Form { name: "csharp-map", language: &LANGUAGE, kinds: Kind::TABLES, case: Case::Camel, make: map },
];

fn literal(text: &str) -> String {
    quoted(text, '"', &[], four_digits)
}

fn enumeration(list: &List<'_, '_>) -> Result<Text, Objection> {
    let mut text = Text::of(format!("public enum {}\n{{", list.name));
    for (idx, (ident, item)) in list.named(LANGUAGE.name, |it| names::upper_camel(it.name))?.into_iter().enumerate() {
        if idx > 0 {
            text.line("");
        }
        text.item(item, format!("    [EnumMember(Value = {})]\n    {ident},", literal(item.wire)));
    }
    text.line("}");
    Ok(text)
}

fn map(list: &List<'_, '_>) -> Result<Text, Objection> {
    let is_labels = list.subject.kind == Kind::Labels;
    let value = if is_labels { "string" } else { "string[]" };
    let head = format!("public static readonly IReadOnlyDictionary<string, {value}> {}", list.name);
    let mut text = Text::of(format!("{head} = new Dictionary<string, {value}>\n{{"));
    if is_labels {
        list.items().iter().for_each(|it| text.item(it, format!("    [{}] = {},", literal(it.wire), literal(it.shown()))));
    } else {
        list.rows(literal).for_each(|(item, targets)| {
            let targets = if targets.is_empty() { "{ }".to_owned() } else { format!("{{ {} }}", targets.join(", ")) };
            text.item(item, format!("    [{}] = new string[] {targets},", literal(item.wire)));
        });
    }
    text.line("};");
    Ok(text)
}
