//! C#.

use heck::ToUpperCamelCase as _;

use super::subject::{Cell, List, Table};
use super::text::{Line, Objection, identifiers, quoted};

/// An enum; its stored texts are attributes, which need `System.Runtime.Serialization`.
pub(super) fn constants(of: &List<'_>, _: usize) -> Result<Vec<Line>, Objection> {
    let mut lines = vec![Line::plain(format!("public enum {}", of.ty)), Line::plain("{")];
    for (item, ident) in identifiers(&of.items, |it| it.to_upper_camel_case(), &[])? {
        lines.push(Line::of(item, format!("    [EnumMember(Value = {})]", quoted(item.wire))));
        lines.push(Line::of(item, format!("    {ident},")));
    }
    lines.push(Line::plain("}"));
    Ok(lines)
}

/// A dictionary from the stored text of each state, as a member of a class.
pub(super) fn dictionary(of: &Table<'_>, _: usize) -> Result<Vec<Line>, Objection> {
    let is_text = of.rows.iter().all(|(_, cell)| matches!(cell, Cell::Text(_)));
    let ty = if is_text { "string" } else { "string[]" };
    let head = format!("public static readonly IReadOnlyDictionary<string, {ty}> {} = new Dictionary<string, {ty}>", of.name);
    let mut lines = vec![Line::plain(head), Line::plain("{")];
    for (item, cell) in &of.rows {
        let value = match cell {
            Cell::Text(label) => quoted(label),
            Cell::States(states) if states.is_empty() => "System.Array.Empty<string>()".to_owned(),
            Cell::States(states) => format!("new[] {{ {} }}", states.iter().map(|it| quoted(it)).collect::<Vec<_>>().join(", ")),
        };
        lines.push(Line::of(item, format!("    [{}] = {value},", quoted(item.wire))));
    }
    lines.push(Line::plain("};"));
    Ok(lines)
}
