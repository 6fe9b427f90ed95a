//! SQL.

use super::subject::{Item, List};
use super::text::{Line, Objection, list};

const COLUMNS: usize = 80;

/// A text in quotes.
fn text(item: &Item<'_>) -> Result<String, Objection> {
    if item.wire.chars().any(char::is_control) {
        let message = format!("`{}` is stored as a text with control characters, which SQL has no escapes for", item.name);
        return Err(Objection::new(message, "choose another `wire`").at(item.span, "it is declared here"));
    }
    Ok(format!("'{}'", item.wire.replace('\'', "''")))
}

fn texts(of: &List<'_>) -> Result<Vec<String>, Objection> {
    of.items.iter().map(text).collect()
}

/// `CHECK (state IN ('draft', 'paid'))`
pub(super) fn check(of: &List<'_>, indent: usize) -> Result<Vec<Line>, Objection> {
    Ok(lines(of, list(&format!("CHECK ({} IN (", of.ty), &texts(of)?, "))", COLUMNS.saturating_sub(indent), "  ", false)))
}

/// `CREATE TYPE order_state AS ENUM (…);`
pub(super) fn pg_enum(of: &List<'_>, indent: usize) -> Result<Vec<Line>, Objection> {
    Ok(lines(of, list(&format!("CREATE TYPE {} AS ENUM (", of.ty), &texts(of)?, ");", COLUMNS.saturating_sub(indent), "  ", false)))
}

fn lines(of: &List<'_>, texts: Vec<String>) -> Vec<Line> {
    let is_long = texts.len() > 1;
    let line = |(idx, text): (usize, String)| match idx.checked_sub(1).and_then(|it| of.items.get(it)) {
        Some(item) if is_long => Line::of(item, text),
        _ => Line::plain(text),
    };
    texts.into_iter().enumerate().map(line).collect()
}
