//! GraphQL: an enum whose values are names.

use statespec_lang::names;

use super::list::{Kind, List, Text};
use super::{Case, Form, Language, Objection};

const LANGUAGE: Language = Language { name: "GraphQL", fence: "text", comment: ("# ", ""), columns: 80 };

pub(super) const FORMS: &[Form] =
    &[Form { name: "graphql", language: &LANGUAGE, kinds: Kind::NAMES, case: Case::Camel, make: enumeration }];

fn enumeration(list: &List<'_, '_>) -> Result<Text, Objection> {
    let named = list.named(LANGUAGE.name, |it| names::shouty(it.name))?;
    if let Some((_, item)) = named.iter().find(|(ident, _)| !ident.is_ascii()) {
        return Err(super::only_ascii(LANGUAGE.name, item));
    }
    let mut text = Text::of(format!("enum {} {{", list.name));
    named.iter().for_each(|(ident, item)| text.item(item, format!("  {ident}")));
    text.line("}");
    Ok(text)
}
