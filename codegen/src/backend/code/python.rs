//! Python 3.11, as Black lays it out.

use heck::ToShoutySnakeCase as _;

use super::subject::{Cell, List, Table};
use super::text::{Line, Objection, identifiers, list, quoted};

const COLUMNS: usize = 88;

/// A class with a member for each name; it needs `from enum import StrEnum`.
pub(super) fn strenum(of: &List<'_>, _: usize) -> Result<Vec<Line>, Objection> {
    let mut lines = vec![Line::plain(format!("class {}(StrEnum):", of.ty))];
    for (item, ident) in identifiers(&of.items, |it| it.to_shouty_snake_case(), &[])? {
        lines.push(Line::of(item, format!("    {ident} = {}", quoted(item.wire))));
    }
    Ok(lines)
}

/// `OrderState = Literal["draft", "paid"]`; it needs `from typing import Literal`.
pub(super) fn literal(of: &List<'_>, indent: usize) -> Result<Vec<Line>, Objection> {
    let texts: Vec<String> = of.items.iter().map(|it| quoted(it.wire)).collect();
    let lines = list(&format!("{} = Literal[", of.ty), &texts, "]", COLUMNS.saturating_sub(indent), "    ", true);
    let is_long = lines.len() > 1;
    let line = |(idx, text): (usize, String)| match idx.checked_sub(1).and_then(|it| of.items.get(it)) {
        Some(item) if is_long => Line::of(item, text),
        _ => Line::plain(text),
    };
    Ok(lines.into_iter().enumerate().map(line).collect())
}

/// A dictionary from the stored text of each state.
pub(super) fn dict(of: &Table<'_>, indent: usize) -> Result<Vec<Line>, Objection> {
    let is_text = of.rows.iter().all(|(_, cell)| matches!(cell, Cell::Text(_)));
    let ty = if is_text { "dict[str, str]" } else { "dict[str, list[str]]" };
    let mut lines = vec![Line::plain(format!("{}: {ty} = {{", of.name))];
    for (item, cell) in &of.rows {
        let key = quoted(item.wire);
        match cell {
            Cell::Text(label) => {
                let one = format!("    {key}: {},", quoted(label));
                lines.push(Line::of(item, one));
            }
            Cell::States(states) => {
                let states: Vec<String> = states.iter().map(|it| quoted(it)).collect();
                let rows = list(&format!("    {key}: ["), &states, "],", COLUMNS.saturating_sub(indent), "    ", true);
                lines.extend(rows.into_iter().map(Line::plain));
            }
        }
    }
    lines.push(Line::plain("}"));
    Ok(lines)
}
