//! Rust, as rustfmt lays it out, for programs that take no more than the names.

use heck::ToUpperCamelCase as _;

use super::subject::{Cell, List, Table};
use super::text::{Line, Objection, columns, identifiers};

/// The widths up to which rustfmt keeps a list, and a line, on one line.
const LIST: usize = 60;
const COLUMNS: usize = 100;

fn text(text: &str) -> String {
    format!("{text:?}")
}

/// An enum, and the stored text of each variant.
pub(super) fn variants(of: &List<'_>, _: usize) -> Result<Vec<Line>, Objection> {
    let ty = &of.ty;
    let named = identifiers(&of.items, |it| it.to_upper_camel_case(), &["Self"])?;
    let mut lines = vec![Line::plain("#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]"), Line::plain(format!("pub enum {ty} {{"))];
    lines.extend(named.iter().map(|(item, ident)| Line::of(item, format!("    {ident},"))));
    let between = format!(
        "}}\n\nimpl {ty} {{\n    /// The text in stores and messages.\n    pub const fn as_str(self) -> &'static str {{\n        match self {{"
    );
    lines.extend(between.split('\n').map(Line::plain));
    lines.extend(named.iter().map(|(item, ident)| Line::of(item, format!("            {ty}::{ident} => {},", text(item.wire)))));
    lines.extend(["        }", "    }", "}"].map(Line::plain));
    Ok(lines)
}

/// A slice of pairs: the stored text of each state, and what belongs to it.
pub(super) fn pairs(of: &Table<'_>, indent: usize) -> Result<Vec<Line>, Objection> {
    let is_text = of.rows.iter().all(|(_, cell)| matches!(cell, Cell::Text(_)));
    let ty = if is_text { "&str" } else { "&[&str]" };
    let value = |cell: &Cell<'_>| match cell {
        Cell::Text(label) => text(label),
        Cell::States(states) => format!("&[{}]", states.iter().map(|it| text(it)).collect::<Vec<_>>().join(", ")),
    };
    let pairs: Vec<String> = of.rows.iter().map(|(item, cell)| format!("({}, {})", text(item.wire), value(cell))).collect();
    let begin = format!("pub const {}: &[(&str, {ty})] = &[", of.name);
    let inside = pairs.join(", ");
    if columns(&inside) + 2 <= LIST && indent + columns(&begin) + columns(&inside) + 2 <= COLUMNS {
        return Ok(vec![Line::plain(format!("{begin}{inside}];"))]);
    }
    let mut lines = vec![Line::plain(begin)];
    lines.extend(of.rows.iter().zip(pairs).map(|((item, _), pair)| Line::of(item, format!("    {pair},"))));
    lines.push(Line::plain("];"));
    Ok(lines)
}
