//! Protocol Buffers: an enum with the numbers of the spec.

use statespec_lang::model::machine::{Reserved, Retired};
use statespec_lang::names;

use super::list::{Item, Kind, List, Text};
use super::{Case, Form, Language, Objection};

const LANGUAGE: Language = Language { name: "Protocol Buffers", fence: "text", comment: ("// ", ""), columns: 80 };

pub(super) const FORMS: &[Form] =
    &[Form { name: "proto-enum", language: &LANGUAGE, kinds: Kind::NAMES, case: Case::Camel, make: enumeration }];

/// Names have the prefix that the style guide asks for; the first one has the number 0.
fn enumeration(list: &List<'_, '_>) -> Result<Text, Objection> {
    let prefix = names::shouty(list.name);
    let mut values = Vec::new();
    for (ident, item) in list.named(LANGUAGE.name, |it| format!("{prefix}_{}", names::shouty(it.name)))? {
        if !ident.is_ascii() {
            return Err(super::only_ascii(LANGUAGE.name, item));
        }
        let Some(number) = item.number else {
            return Err(Objection {
                message: format!("`{}` has no number", item.name),
                help: "write `number: 1` in the spec, and never change it: it is what is sent".to_owned(),
                also: Some((item.span, "it is declared here".to_owned())),
            });
        };
        if let Some((_, other, first)) = values.iter().find(|it: &&(i32, String, &Item<'_>)| it.0 == number) {
            return Err(Objection {
                message: format!("`{ident}` has the number {number} of `{other}`"),
                help: "give it one that was never in use".to_owned(),
                also: Some((first.span, "the first with it".to_owned())),
            });
        }
        values.push((number, ident, item));
    }
    let is_zero = |it: &&Reserved| it.of == Retired::Number(0);
    if let Some(zero) = list.subject.reserved().iter().find(is_zero) {
        return Err(Objection {
            message: "the number 0 is reserved, and the first value of an enum has it".to_owned(),
            help: "remove 0 from `reserved`".to_owned(),
            also: Some((zero.span, "it is reserved here".to_owned())),
        });
    }
    let mut text = Text::of(format!("enum {} {{", list.name));
    match values.iter().position(|it| it.0 == 0) {
        Some(zero) => values[..=zero].rotate_right(1),
        None => text.line(format!("  {prefix}_UNSPECIFIED = 0;")),
    }
    values.iter().for_each(|(number, ident, item)| text.item(item, format!("  {ident} = {number};")));
    let (mut numbers, mut retired) = (Vec::new(), Vec::new());
    for it in list.subject.reserved() {
        match &it.of {
            Retired::Number(number) => numbers.push(number.to_string()),
            Retired::Name(name) => retired.push(format!("\"{prefix}_{}\"", names::shouty(name))),
        }
    }
    for reserved in [numbers, retired].iter().filter(|it| !it.is_empty()) {
        text.line(format!("  reserved {};", reserved.join(", ")));
    }
    text.line("}");
    Ok(text)
}
