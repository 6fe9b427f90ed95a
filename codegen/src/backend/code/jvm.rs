//! Kotlin and Java.

use heck::ToShoutySnakeCase as _;

use super::subject::{Cell, List, Table};
use super::text::{Line, Objection, identifiers, quoted};

/// A text of Kotlin, in which `$` begins a template.
fn kotlin(text: &str) -> String {
    quoted(text).replace('$', "\\$")
}

/// An enum class whose values know their stored text.
pub(super) fn kotlin_enum(of: &List<'_>, _: usize) -> Result<Vec<Line>, Objection> {
    let mut lines = vec![Line::plain(format!("enum class {}(val wire: String) {{", of.ty))];
    for (item, ident) in identifiers(&of.items, |it| it.to_shouty_snake_case(), &[])? {
        lines.push(Line::of(item, format!("    {ident}({}),", kotlin(item.wire))));
    }
    lines.push(Line::plain("}"));
    Ok(lines)
}

/// A map from the stored text of each state.
pub(super) fn kotlin_map(of: &Table<'_>, _: usize) -> Result<Vec<Line>, Objection> {
    let is_text = of.rows.iter().all(|(_, cell)| matches!(cell, Cell::Text(_)));
    let ty = if is_text { "String" } else { "List<String>" };
    let mut lines = vec![Line::plain(format!("val {}: Map<String, {ty}> = mapOf(", of.name))];
    for (item, cell) in &of.rows {
        let value = match cell {
            Cell::Text(label) => kotlin(label),
            Cell::States(states) => format!("listOf({})", states.iter().map(|it| kotlin(it)).collect::<Vec<_>>().join(", ")),
        };
        lines.push(Line::of(item, format!("    {} to {value},", kotlin(item.wire))));
    }
    lines.push(Line::plain(")"));
    Ok(lines)
}

/// An enum whose values know their stored text.
pub(super) fn java_enum(of: &List<'_>, _: usize) -> Result<Vec<Line>, Objection> {
    let ty = &of.ty;
    let named = identifiers(&of.items, |it| it.to_shouty_snake_case(), &[])?;
    let last = named.len() - 1;
    let mut lines = vec![Line::plain(format!("public enum {ty} {{"))];
    for (idx, (item, ident)) in named.into_iter().enumerate() {
        let end = if idx == last { ";" } else { "," };
        lines.push(Line::of(item, format!("    {ident}({}){end}", quoted(item.wire))));
    }
    let rest = format!(
        "\n    private final String wire;\n\n    {ty}(String wire) {{\n        this.wire = wire;\n    }}\n\n    \
         public String wire() {{\n        return wire;\n    }}\n}}"
    );
    lines.extend(rest.split('\n').map(Line::plain));
    Ok(lines)
}

/// A map from the stored text of each state, as a member of a class.
pub(super) fn java_map(of: &Table<'_>, _: usize) -> Result<Vec<Line>, Objection> {
    let is_text = of.rows.iter().all(|(_, cell)| matches!(cell, Cell::Text(_)));
    let ty = if is_text { "String" } else { "List<String>" };
    let mut lines = vec![Line::plain(format!("public static final Map<String, {ty}> {} = Map.ofEntries(", of.name))];
    let last = of.rows.len() - 1;
    for (idx, (item, cell)) in of.rows.iter().enumerate() {
        let value = match cell {
            Cell::Text(label) => quoted(label),
            Cell::States(states) => format!("List.of({})", states.iter().map(|it| quoted(it)).collect::<Vec<_>>().join(", ")),
        };
        let end = if idx == last { ");" } else { "," };
        lines.push(Line::of(item, format!("    Map.entry({}, {value}){end}", quoted(item.wire))));
    }
    Ok(lines)
}
