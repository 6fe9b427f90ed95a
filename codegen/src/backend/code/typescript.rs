//! TypeScript, as Prettier lays it out.

use heck::ToUpperCamelCase as _;

use super::subject::{Cell, List, Table};
use super::text::{Line, Objection, columns, identifiers, list, quoted};

const COLUMNS: usize = 80;

/// A text in quotes that cannot end the script of a page.
fn text(text: &str) -> String {
    quoted(text).replace("</", "\\u003c/").replace("<!", "\\u003c!")
}

/// `export type OrderState = "draft" | "paid";`
pub(super) fn union(of: &List<'_>, indent: usize) -> Result<Vec<Line>, Objection> {
    let ty = &of.ty;
    let texts: Vec<String> = of.items.iter().map(|it| text(it.wire)).collect();
    let one = format!("export type {ty} = {};", texts.join(" | "));
    if indent + columns(&one) <= COLUMNS {
        return Ok(vec![Line::plain(one)]);
    }
    let mut lines = vec![Line::plain(format!("export type {ty} ="))];
    let last = of.items.len() - 1;
    let member = |(idx, item): (usize, &super::Item<'_>)| {
        let end = if idx == last { ";" } else { "" };
        Line::of(item, format!("  | {}{end}", texts[idx]))
    };
    lines.extend(of.items.iter().enumerate().map(member));
    Ok(lines)
}

/// An object with a key for each name, and the union of its values, which has the same name.
pub(super) fn object(of: &List<'_>, indent: usize) -> Result<Vec<Line>, Objection> {
    let ty = &of.ty;
    let mut lines = vec![Line::plain(format!("export const {ty} = {{"))];
    for (item, ident) in identifiers(&of.items, |it| it.to_upper_camel_case(), &[])? {
        lines.push(Line::of(item, format!("  {ident}: {},", text(item.wire))));
    }
    lines.push(Line::plain("} as const;"));
    let (begin, body) = (format!("export type {ty} ="), format!("(typeof {ty})[keyof typeof {ty}];"));
    let one = format!("{begin} {body}");
    if indent + columns(&one) <= COLUMNS {
        lines.push(Line::plain(one));
    } else {
        lines.extend([Line::plain(begin), Line::plain(format!("  {body}"))]);
    }
    Ok(lines)
}

/// An object from the stored text of each state.
pub(super) fn table(of: &Table<'_>, indent: usize) -> Result<Vec<Line>, Objection> {
    let mut lines = vec![Line::plain(format!("export const {} = {{", of.name))];
    for (item, cell) in &of.rows {
        let key = key(item.wire);
        match cell {
            Cell::Text(label) => {
                let one = format!("  {key}: {},", text(label));
                if indent + columns(&one) <= COLUMNS {
                    lines.push(Line::of(item, one));
                } else {
                    lines.extend([Line::plain(format!("  {key}:")), Line::of(item, format!("    {},", text(label)))]);
                }
            }
            Cell::States(states) => {
                let states: Vec<String> = states.iter().map(|it| text(it)).collect();
                let rows = list(&format!("  {key}: ["), &states, "],", COLUMNS.saturating_sub(indent), "  ", true);
                lines.extend(rows.into_iter().map(Line::plain));
            }
        }
    }
    lines.push(Line::plain("} as const;"));
    Ok(lines)
}

/// A key of an object: quoted only where it must be. `__proto__: …` would set the prototype.
fn key(name: &str) -> String {
    let is_plain = name.starts_with(|it: char| it.is_ascii_alphabetic() || it == '_' || it == '$')
        && name.chars().all(|it| it.is_ascii_alphanumeric() || it == '_' || it == '$');
    match name {
        "__proto__" => "[\"__proto__\"]".to_owned(),
        _ if is_plain => name.to_owned(),
        _ => text(name),
    }
}
