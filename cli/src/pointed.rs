//! `scan --source`: what is read of a source that a person points at, before it is written into `statespec.toml`.

use std::fmt::Write as _;

use statespec_codegen::config::{self, Source};
use statespec_codegen::diagnostic::{Diagnostics, Style};
use statespec_codegen::registry::BACKENDS;
use statespec_codegen::report::Report;
use statespec_codegen::source::Sources;
use statespec_rust::root::{FILE, Root};
use statespec_scan::pointed::{How, Part, Pointed, add};
use toml_edit::{ArrayOfTables, DocumentMut, InlineTable, Item, Value};

use crate::settings::{document, write};

/// The source of a table of the configuration.
pub(crate) fn pointed(it: &Source) -> Result<Pointed, String> {
    let part = match (&it.heading, &it.symbol, &it.between) {
        (Some(heading), ..) => Part::Heading(heading.value.clone()),
        (_, Some(symbol), _) => Part::Symbol(symbol.value.clone()),
        (.., Some(between)) => match between.0.as_slice() {
            [first, second] => Part::Between(first.value.clone(), second.value.clone()),
            _ => return Err("`between` has two texts".to_owned()),
        },
        (None, None, None) => Part::Whole,
    };
    let how = match (&it.kind, &it.pattern) {
        (Some(kind), _) => How::of_kind(&kind.value)?,
        (None, Some(pattern)) => How::of_pattern(&pattern.value)?,
        (None, None) => return Err("it has neither a `kind` nor a `pattern`".to_owned()),
    };
    Ok(Pointed::new(&it.file.value, it.name.as_ref().map(|it| it.value.as_str()), part, how))
}

/// Shows what is read of a source; writes it into the configuration if asked to.
pub(crate) fn run(root: &Root, words: &str, is_written: bool) -> Result<Report, Report> {
    let misuse = |why: &str| Report::of_misuse(&format!("`{words}` is no source: {why}"));
    let table = words.trim().trim_start_matches('{').trim_end_matches('}');
    let value: Value = format!("{{ {table} }}").parse().map_err(|it: toml_edit::TomlError| misuse(it.message()))?;
    let Some(table) = value.as_inline_table() else { return Err(misuse("write a table: `{ file = \"…\", kind = \"list\" }`")) };
    let source = source(table)?;
    let pointed = pointed(&source).map_err(|it| misuse(&it))?;
    let mut sources = Sources::default();
    let id = add(&root.folder, &mut sources, &pointed).map_err(|it| Report::of_error(&it))?;
    let mut text = pointed.block(&sources, id).map_err(|it| Report::of_error(&format!("`{}`: {it}", pointed.file)))?;
    let stated = match pointed.read(&sources, id) {
        Ok(stated) => stated,
        Err(why) => return Err(Report::stopped(text).and(Report::of_error(&format!("`{}`: {why}", pointed.file)))),
    };
    let listed = |list: Vec<String>| list.join(", ");
    let state = |it: &statespec_scan::compare::Named| it.label.as_ref().map_or(it.name.clone(), |label| format!("{} ({label})", it.name));
    let _ = writeln!(text, "`{}`: {} states: {}", stated.place(), stated.states.len(), listed(stated.states.iter().map(state).collect()));
    if !stated.edges.is_empty() {
        let edge = |it: &statespec_scan::compare::Edge| format!("{} → {}", stated.states[it.from].name, stated.states[it.to].name);
        let _ = writeln!(text, "{} edges: {}", stated.edges.len(), listed(stated.edges.iter().map(edge).collect()));
    }
    if !is_written {
        text.push_str("`--write` adds it to `statespec.toml`\n");
        return Ok(Report::clean(text));
    }
    let (mut document, before) = document(root)?;
    add_table(&mut document, table).map_err(|it| Report::of_error(&it))?;
    write(root, &document, before)?;
    text.push_str(&format!("wrote it into {FILE}; `scan --confirm` records what it is the same as\n"));
    Ok(Report::clean(text))
}

/// The table as the configuration reads it.
fn source(table: &InlineTable) -> Result<Source, Report> {
    let mut document = DocumentMut::new();
    add_table(&mut document, table).map_err(|it| Report::of_misuse(&it))?;
    let mut sources = Sources::default();
    let id = sources.add("--source", &document.to_string());
    let mut diagnostics = Diagnostics::default();
    let config = config::read(&sources, id, BACKENDS, &mut diagnostics);
    let found = diagnostics.finish();
    let source = config.and_then(|it| it.scan.sources.into_iter().next());
    source.ok_or_else(|| Report::stopped("").after(&sources, &found, Style::Colour))
}

fn add_table(document: &mut DocumentMut, table: &InlineTable) -> Result<(), String> {
    let list = document.entry("source").or_insert(Item::ArrayOfTables(ArrayOfTables::new()));
    let list = list.as_array_of_tables_mut().ok_or("write `source` as `[[source]]`")?;
    let mut table = table.clone();
    // A table over several lines has no spaces of one line.
    table.iter_mut().for_each(|(_, value)| value.decor_mut().clear());
    table.decor_mut().clear();
    let mut table = table.into_table();
    table.iter_mut().for_each(|(mut key, _)| {
        key.leaf_decor_mut().clear();
    });
    list.push(table);
    Ok(())
}
