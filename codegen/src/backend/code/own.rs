//! Forms of the user's own: templates.

use serde::Serialize;
use statespec_lang::read::Text;

use super::Context;
use super::subject::{Cell, Item, Subject};
use super::text::{Line, Objection};
use crate::backend::{json, template};

/// A form of the user's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnForm {
    /// The word in the marker.
    pub name: String,
    /// The template, a file of the project.
    pub file: Text,
}

/// The input of the template.
#[derive(Serialize)]
struct Input<'a, M> {
    /// The name in the marker, or the usual one in lower case with `_`.
    name: &'a str,
    items: Vec<Value<'a>>,
    /// The machine, as in [`crate::backend::json`].
    machine: M,
}

#[derive(Serialize)]
struct Value<'a> {
    name: &'a str,
    wire: &'a str,
    label: &'a str,
    doc: &'a str,
    number: Option<i32>,
    /// The stored texts of the states that a step leads to, of `edges` alone.
    to: Option<&'a [&'a str]>,
}

impl<'a> Value<'a> {
    fn new(item: &Item<'a>, to: Option<&'a [&'a str]>) -> Self {
        let Item { name, wire, label, doc, number, .. } = *item;
        Value { name, wire, label, doc, number, to }
    }
}

impl OwnForm {
    /// The lines that the template makes.
    pub(super) fn lines(&self, subject: &Subject<'_>, name: Option<&str>, context: Context<'_>) -> Result<Vec<Line>, Objection> {
        let path = &self.file.value;
        let wrong = |message: String| Objection::new(format!("{path}: {message}"), "correct the template");
        let file = context.files.find(path).ok_or_else(|| wrong("it was not read".to_owned()))?;
        let usual = subject.usual_name();
        let rows = match subject.is_table() {
            true => subject.table(String::new()).rows,
            false => subject.items().into_iter().map(|it| (it, Cell::Text(it.label))).collect(),
        };
        let items = rows.iter().map(|(item, cell)| Value::new(item, if let Cell::States(it) = cell { Some(it) } else { None })).collect();
        let input = Input { name: name.unwrap_or(&usual), items, machine: json::machine(context.sources, subject.machine()) };
        let text = template::fill(context.sources, context.files.get(file), &input).map_err(wrong)?;
        Ok(text.trim_end_matches('\n').split('\n').map(Line::plain).collect())
    }
}
