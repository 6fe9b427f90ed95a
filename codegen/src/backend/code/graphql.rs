//! GraphQL.

use heck::ToShoutySnakeCase as _;

use super::subject::List;
use super::text::{Line, Objection, ascii_identifiers};

/// An enum; its values are names, not texts.
pub(super) fn constants(of: &List<'_>, _: usize) -> Result<Vec<Line>, Objection> {
    let mut lines = vec![Line::plain(format!("enum {} {{", of.ty))];
    let named = ascii_identifiers(&of.items, |it| it.to_shouty_snake_case())?;
    lines.extend(named.into_iter().map(|(item, ident)| Line::of(item, format!("  {ident}"))));
    lines.push(Line::plain("}"));
    Ok(lines)
}
