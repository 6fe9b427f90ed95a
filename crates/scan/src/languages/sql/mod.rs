//! Sets of states in SQL: enum types, `CHECK` constraints, and enum columns.
//!
//! The files of a folder of migrations are one schema, in the order of their names: what comes later changes what was there.
//!
//! ```text
//! files of a folder ──read─▶ statements of SQL ──schema─▶ the sets that are left at the end
//! ```

mod piece;
mod read;
mod schema;

use std::collections::BTreeMap;
use std::path::Path;

use statespec_lang::source::{SourceId, Sources};

use schema::Schema;
use statespec_import::Statements;

/// Whether a file is SQL, by its name.
pub(crate) fn knows(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|it| it.eq_ignore_ascii_case("sql"))
}

/// Whether a text may declare a set of states, or change one.
pub(super) fn may_state(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    let has = |words: &[&str]| words.iter().any(|it| text.contains(it));
    has(&super::filter::STEMS) && has(&["check", "enum", "alter", "drop"])
}

/// The sets of states of several files, sorted by path.
pub(crate) fn read(sources: &Sources, ids: &[SourceId]) -> Statements {
    let mut folders: BTreeMap<&str, Vec<SourceId>> = BTreeMap::new();
    for id in ids.iter().filter(|it| !is_backward(sources.get(**it).path())) {
        folders.entry(folder(sources.get(*id).path())).or_default().push(*id);
    }
    let mut all = Statements::default();
    for ids in folders.values() {
        let mut schema = Schema::default();
        for id in ids {
            all.problems.extend(read::read(sources, *id, &mut schema));
        }
        all.found.extend(schema.statements(sources));
    }
    all.found.sort_by(|a, b| (&a.path, a.span).cmp(&(&b.path, b.span)));
    all
}

/// The folder whose files are one schema. Some tools give each migration a folder of its own: `2026_01_01_init/up.sql`.
fn folder(path: &str) -> &str {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    match name {
        "up.sql" | "migration.sql" => folder.rsplit_once('/').map_or("", |it| it.0),
        _ => folder,
    }
}

/// Whether a file takes a migration back.
fn is_backward(path: &str) -> bool {
    path == "down.sql" || path.ends_with("/down.sql") || path.ends_with(".down.sql") || path.ends_with("_down.sql")
}
