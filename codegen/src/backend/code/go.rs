//! Go, as gofmt lays it out.

use heck::ToUpperCamelCase as _;

use super::subject::{Cell, List, Table};
use super::text::{Line, Objection, columns, identifiers, quoted};

/// A type of texts, its constants, and a list of them.
pub(super) fn constants(of: &List<'_>, _: usize) -> Result<Vec<Line>, Objection> {
    let ty = &of.ty;
    let named = identifiers(&of.items, |it| format!("{ty}{}", it.to_upper_camel_case()), &[&format!("{ty}Values")])?;
    let widest = named.iter().map(|it| columns(&it.1)).max().unwrap_or(0);
    let mut lines = vec![Line::plain(format!("type {ty} string")), Line::plain(""), Line::plain("const (")];
    for (item, ident) in &named {
        let blanks = " ".repeat(widest - columns(ident));
        lines.push(Line::of(item, format!("\t{ident}{blanks} {ty} = {}", quoted(item.wire))));
    }
    lines.extend([Line::plain(")"), Line::plain(""), Line::plain(format!("var {ty}Values = []{ty}{{"))]);
    lines.extend(named.iter().map(|(item, ident)| Line::of(item, format!("\t{ident},"))));
    lines.push(Line::plain("}"));
    Ok(lines)
}

/// A map from the stored text of each state.
pub(super) fn map(of: &Table<'_>, _: usize) -> Result<Vec<Line>, Objection> {
    let is_text = of.rows.iter().all(|(_, cell)| matches!(cell, Cell::Text(_)));
    let ty = if is_text { "map[string]string" } else { "map[string][]string" };
    let widest = of.rows.iter().map(|(item, _)| columns(&quoted(item.wire))).max().unwrap_or(0);
    let mut lines = vec![Line::plain(format!("var {} = {ty}{{", of.name))];
    for (item, cell) in &of.rows {
        let key = quoted(item.wire);
        let blanks = " ".repeat(widest - columns(&key));
        let value = match cell {
            Cell::Text(label) => quoted(label),
            Cell::States(states) => format!("{{{}}}", states.iter().map(|it| quoted(it)).collect::<Vec<_>>().join(", ")),
        };
        lines.push(Line::of(item, format!("\t{key}:{blanks} {value},")));
    }
    lines.push(Line::plain("}"));
    Ok(lines)
}
