//! JSON Schema and OpenAPI in YAML, which has comments.

use super::subject::List;
use super::text::{Line, Objection, quoted};

/// The body of a schema.
pub(super) fn body(of: &List<'_>, _: usize) -> Result<Vec<Line>, Objection> {
    let mut lines = vec![Line::plain("type: string"), Line::plain("enum:")];
    lines.extend(of.items.iter().map(|it| Line::of(it, format!("  - {}", quoted(it.wire)))));
    Ok(lines)
}

/// An entry of `components.schemas`.
pub(super) fn entry(of: &List<'_>, indent: usize) -> Result<Vec<Line>, Objection> {
    let mut lines = vec![Line::plain(format!("{}:", of.ty))];
    lines.extend(body(of, indent)?.into_iter().map(|it| Line { text: format!("  {}", it.text), ..it }));
    Ok(lines)
}
