//! Python, as Black and Ruff lay it out.

use statespec_lang::names;

use super::list::{Kind, List, Text, four_digits, preferred_quote, quoted};
use super::{Case, Form, Language, Objection};

const LANGUAGE: Language = Language { name: "Python", fence: "python", comment: ("# ", ""), columns: 88 };

pub(super) const FORMS: &[Form] = &[
    Form { name: "py-strenum", language: &LANGUAGE, kinds: Kind::NAMES, case: Case::Camel, make: strenum },
    Form { name: "py-literal", language: &LANGUAGE, kinds: Kind::NAMES, case: Case::Camel, make: literal_type },
    Form { name: "py-dict", language: &LANGUAGE, kinds: Kind::TABLES, case: Case::Shouty, make: dict },
];

fn literal(text: &str) -> String {
    quoted(text, preferred_quote(text), &[], four_digits)
}

fn strenum(list: &List<'_, '_>) -> Result<Text, Objection> {
    let mut text = Text::of(format!("class {}(StrEnum):", list.name));
    for (ident, item) in list.named(LANGUAGE.name, |it| names::shouty(it.name))? {
        let value = literal(item.wire);
        let (line, inside) = (format!("    {ident} = {value}"), format!("        {value}"));
        // Black puts a value into parentheses if that helps.
        let is_long = !list.fits(&line) && list.fits(&inside);
        text.item(item, if is_long { format!("    {ident} = (\n{inside}\n    )") } else { line });
    }
    Ok(text)
}

fn literal_type(list: &List<'_, '_>) -> Result<Text, Objection> {
    let members: Vec<String> = list.items().iter().map(|it| literal(it.wire)).collect();
    let line = format!("{} = Literal[{}]", list.name, members.join(", "));
    // A comma behind a single member would make a tuple of it.
    if list.fits(&line) || members.len() == 1 {
        return Ok(Text::of(line));
    }
    let mut text = Text::of(format!("{} = Literal[", list.name));
    list.items().iter().zip(members).for_each(|(item, member)| text.item(item, format!("    {member},")));
    text.line("]");
    Ok(text)
}

fn dict(list: &List<'_, '_>) -> Result<Text, Objection> {
    let value = if list.subject.kind == Kind::Labels { "str" } else { "list[str]" };
    let mut text = Text::of(format!("{}: dict[str, {value}] = {{", list.name));
    if list.subject.kind == Kind::Labels {
        list.items().iter().for_each(|it| text.item(it, format!("    {}: {},", literal(it.wire), literal(it.shown()))));
    } else {
        list.rows(literal).for_each(|(item, targets)| {
            let key = literal(item.wire);
            let line = format!("    {key}: [{}],", targets.join(", "));
            text.item(
                item,
                if list.fits(&line) { line } else { format!("    {key}: [\n        {},\n    ],", targets.join(",\n        ")) },
            );
        });
    }
    text.line("}");
    Ok(text)
}
