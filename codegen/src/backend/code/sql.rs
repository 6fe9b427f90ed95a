//! SQL: a check of a column, and an enum of PostgreSQL.

use statespec_lang::chars::is_forbidden;

use super::list::{Item, Kind, List, Text};
use super::{Case, Form, Language, Objection};

const SQL: Language = Language { name: "SQL", fence: "sql", comment: ("-- ", ""), columns: 80 };
const POSTGRESQL: Language = Language { name: "PostgreSQL", fence: "sql", comment: ("-- ", ""), columns: 80 };

pub(super) const FORMS: &[Form] = &[
    Form { name: "sql-check", language: &SQL, kinds: Kind::NAMES, case: Case::Column, make: check },
    Form { name: "pg-enum", language: &POSTGRESQL, kinds: Kind::NAMES, case: Case::Snake, make: pg_enum },
];

/// Words that are no column without quotes, in SQL and in the common databases.
const RESERVED: &[&str] = &[
    "all",
    "alter",
    "analyze",
    "and",
    "any",
    "array",
    "as",
    "asc",
    "between",
    "both",
    "by",
    "case",
    "cast",
    "check",
    "collate",
    "column",
    "condition",
    "constraint",
    "create",
    "cross",
    "default",
    "delete",
    "desc",
    "distinct",
    "do",
    "drop",
    "else",
    "end",
    "except",
    "exists",
    "false",
    "fetch",
    "for",
    "foreign",
    "from",
    "full",
    "function",
    "grant",
    "group",
    "having",
    "in",
    "index",
    "inner",
    "insert",
    "interval",
    "into",
    "is",
    "join",
    "key",
    "left",
    "like",
    "limit",
    "natural",
    "not",
    "null",
    "offset",
    "on",
    "only",
    "or",
    "order",
    "outer",
    "placing",
    "primary",
    "range",
    "rank",
    "references",
    "right",
    "row",
    "rows",
    "select",
    "session_user",
    "set",
    "some",
    "table",
    "then",
    "to",
    "trailing",
    "trigger",
    "true",
    "union",
    "unique",
    "update",
    "user",
    "using",
    "values",
    "when",
    "where",
    "window",
    "with",
];

/// A name; in quotes if it is a word of the language.
fn ident(name: &str) -> String {
    if RESERVED.contains(&name.to_ascii_lowercase().as_str()) { format!("\"{name}\"") } else { name.to_owned() }
}

/// The texts of all items. Control characters have no escape in SQL.
fn literals(list: &List<'_, '_>, objection: impl Fn(&Item<'_>) -> Option<String>) -> Result<Vec<String>, Objection> {
    let literal = |item: &Item<'_>| {
        let control = || item.wire.chars().any(|it| is_forbidden(it) || it.is_control());
        let why = if control() { Some("control characters have no escape in SQL".to_owned()) } else { objection(item) };
        match why {
            None => Ok(format!("'{}'", item.wire.replace('\'', "''"))),
            Some(why) => Err(Objection {
                message: format!("the wire name of `{}` cannot be a text here: {why}", item.name),
                help: "change its `wire`, or write the text by hand, between `statespec:expect` and `statespec:end`".to_owned(),
                also: Some((item.span, "it is declared here".to_owned())),
            }),
        }
    };
    list.items().iter().map(literal).collect()
}

fn check(list: &List<'_, '_>) -> Result<Text, Objection> {
    // MySQL reads a backslash as an escape, other databases do not.
    let backslash = |item: &Item<'_>| item.wire.contains('\\').then(|| "databases read a backslash differently".to_owned());
    Ok(listed(list, &format!("CHECK ({} IN (", ident(list.name)), literals(list, backslash)?, "))"))
}

fn pg_enum(list: &List<'_, '_>) -> Result<Text, Objection> {
    /// One less than `NAMEDATALEN`.
    const MAX: usize = 63;
    let long = |item: &Item<'_>| (item.wire.len() > MAX).then(|| format!("a label of an enum has at most {MAX} bytes"));
    Ok(listed(list, &format!("CREATE TYPE {} AS ENUM (", ident(list.name)), literals(list, long)?, ");"))
}

/// On one line if that has room, otherwise one item a line.
fn listed(list: &List<'_, '_>, open: &str, literals: Vec<String>, close: &str) -> Text {
    let line = format!("{open}{}{close}", literals.join(", "));
    if list.fits(&line) {
        return Text::of(line);
    }
    let mut text = Text::of(open);
    for (idx, (item, literal)) in list.items().iter().zip(&literals).enumerate() {
        let comma = if idx + 1 == literals.len() { "" } else { "," };
        text.item(item, format!("    {literal}{comma}"));
    }
    text.line(close);
    text
}
