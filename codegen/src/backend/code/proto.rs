//! Protocol Buffers.

use heck::ToShoutySnakeCase as _;

use statespec_lang::model::machine::Retired;

use super::subject::List;
use super::text::{Line, Objection, ascii_identifiers};

/// An enum with the numbers of the spec. Names have the prefix that the style guide asks for; the first one has the number 0.
pub(super) fn constants(of: &List<'_>, _: usize) -> Result<Vec<Line>, Objection> {
    let prefix = of.ty.to_shouty_snake_case();
    let named = ascii_identifiers(&of.items, |it| format!("{prefix}_{}", it.to_shouty_snake_case()))?;
    let mut values = Vec::new();
    for (item, ident) in named {
        let Some(number) = item.number else {
            let help = "write `number: 1` in the spec, and never change it: it is what is sent";
            return Err(Objection::new(format!("`{}` has no number", item.name), help).at(item.span, "it is declared here"));
        };
        values.push((number, Line::of(item, format!("  {ident} = {number};"))));
    }
    let mut lines = vec![Line::plain(format!("enum {} {{", of.ty))];
    match values.iter().position(|it| it.0 == 0) {
        Some(zero) => lines.push(values.remove(zero).1),
        None => lines.push(Line::plain(format!("  {prefix}_UNSPECIFIED = 0;"))),
    }
    lines.extend(values.into_iter().map(|it| it.1));
    let numbers = of.reserved.iter().filter_map(|it| if let Retired::Number(it) = it.of { Some(it.to_string()) } else { None });
    let names = of.reserved.iter().filter_map(|it| match &it.of {
        Retired::Name(it) => Some(format!("\"{prefix}_{}\"", it.to_shouty_snake_case())),
        Retired::Number(_) => None,
    });
    for reserved in [numbers.collect::<Vec<_>>(), names.collect()] {
        if !reserved.is_empty() {
            lines.push(Line::plain(format!("  reserved {};", reserved.join(", "))));
        }
    }
    lines.push(Line::plain("}"));
    Ok(lines)
}
