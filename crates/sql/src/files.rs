//! The files of a migration, in the numbering and the transaction rules of the tool that runs them.
//!
//! A file is only ever added: the number follows the highest one of the folder, with as many digits.

use std::collections::BTreeSet;

use super::mapping::Engine;
use super::migration::Step;

/// A tool that runs migrations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Style {
    /// sqlx: `0004_job_expand.up.sql`, `.down.sql`. It runs each file in a transaction.
    Sqlx,
    /// refinery: `V4__job_expand.sql`. It runs each file in a transaction, and none undoes another.
    Refinery,
    /// diesel: `0004_job_expand/up.sql`, `down.sql`. It runs each in a transaction.
    Diesel,
    /// Flyway: `V4__job_expand.sql`, `U4__job_expand.sql`. It runs each file in a transaction.
    Flyway,
    /// golang-migrate: `0004_job_expand.up.sql`, `.down.sql`. On PostgreSQL the file has the transaction, on SQLite the tool.
    GolangMigrate,
    /// alembic: `0004_job_expand.py`, after the head of the folder.
    Alembic,
    /// No tool: `0004_job_expand.sql`, `.down.sql`, with the transaction in the file.
    Plain,
}

/// A file of the folder: its path there, and its text where the style reads it.
pub type File = (String, String);

impl Style {
    /// All styles, by their names in the configuration.
    pub const ALL: [(&'static str, Style); 7] = [
        ("plain", Style::Plain),
        ("sqlx", Style::Sqlx),
        ("refinery", Style::Refinery),
        ("diesel", Style::Diesel),
        ("flyway", Style::Flyway),
        ("golang-migrate", Style::GolangMigrate),
        ("alembic", Style::Alembic),
    ];

    /// What stands before the number.
    fn letter(self) -> &'static str {
        if matches!(self, Style::Refinery | Style::Flyway) { "V" } else { "" }
    }

    /// The number of a file, as it is written; `None` if it is no migration.
    fn number(self, path: &str) -> Option<String> {
        let name = path.split('/').next()?.strip_prefix(self.letter())?;
        let number = name.split(['_', '.']).next()?;
        let number: String = match self {
            Style::Diesel => number.chars().filter(|it| *it != '-').collect(),
            _ => number.to_owned(),
        };
        (!number.is_empty() && number.bytes().all(|it| it.is_ascii_digit())).then_some(number)
    }

    /// The files of a folder that lead to its last revision, in their order, and whether the tool runs each in a transaction.
    ///
    /// # Errors
    ///
    /// The files are no SQL, as a sentence.
    pub fn replayed(self, engine: Engine, present: &[File]) -> Result<(Vec<String>, bool), String> {
        if self == Style::Alembic {
            return Err("the files of alembic are programs, which only alembic runs".to_owned());
        }
        let is_up = |it: &&File| self == Style::Diesel || it.0.ends_with(".sql") && !it.0.ends_with(".down.sql");
        let numbered = present.iter().filter(is_up).filter_map(|it| Some((self.number(&it.0)?, &it.0)));
        let numbered: BTreeSet<(u64, &String)> =
            numbered.map(|(number, path)| Ok((whole(&number)?, path))).collect::<Result<_, String>>()?;
        let path = |it: &String| if self == Style::Diesel { format!("{it}/up.sql") } else { it.clone() };
        let in_file = self.has_transactions(engine);
        Ok((numbered.into_iter().map(|it| path(it.1)).collect(), !in_file))
    }

    /// Whether the files have the transactions.
    fn has_transactions(self, engine: Engine) -> bool {
        match self {
            Style::Plain => true,
            Style::GolangMigrate => engine == Engine::Postgres,
            _ => false,
        }
    }

    /// The files for some steps of a machine, beside the present ones of the folder.
    ///
    /// # Errors
    ///
    /// The present files do not say which one is the last, as a sentence.
    pub fn files(self, engine: Engine, machine: &str, steps: &[Step], present: &[File]) -> Result<Vec<File>, String> {
        let numbers = present.iter().filter_map(|it| self.number(&it.0));
        let numbers = numbers.map(|it| Ok((whole(&it)?, it.len()))).collect::<Result<Vec<_>, String>>()?;
        let last = numbers.into_iter().max().unwrap_or((0, 4));
        let mut head = if self == Style::Alembic { head(present)? } else { None };
        let mut files = Vec::new();
        for (idx, step) in steps.iter().enumerate() {
            let number = last.0.checked_add(idx as u64 + 1).ok_or_else(|| "no number is left for another file".to_owned())?;
            let width = if matches!(self, Style::Refinery | Style::Flyway) { 1 } else { last.1 };
            let (number, name) = (format!("{number:0width$}"), format!("{machine}_{}", step.name));
            let up = self.script(engine, step.when, &step.up);
            let down = self.script(engine, &format!("Undoes {name}."), &step.down);
            match self {
                Style::Sqlx | Style::GolangMigrate => {
                    files.push((format!("{number}_{name}.up.sql"), up));
                    files.push((format!("{number}_{name}.down.sql"), down));
                }
                Style::Plain => {
                    files.push((format!("{number}_{name}.sql"), up));
                    files.push((format!("{number}_{name}.down.sql"), down));
                }
                Style::Diesel => {
                    files.push((format!("{number}_{name}/up.sql"), up));
                    files.push((format!("{number}_{name}/down.sql"), down));
                }
                Style::Flyway => {
                    files.push((format!("V{number}__{name}.sql"), up));
                    files.push((format!("U{number}__{name}.sql"), down));
                }
                Style::Refinery => files.push((format!("V{number}__{name}.sql"), up)),
                Style::Alembic => {
                    // Its table has 32 characters for a revision.
                    let revision = format!("{number}_{}", step.name);
                    files.push((format!("{number}_{name}.py"), python(&revision, head.as_deref(), step)));
                    head = Some(revision);
                }
            }
        }
        Ok(files)
    }

    fn script(self, engine: Engine, when: &str, statements: &[String]) -> String {
        let in_file = self.has_transactions(engine);
        let mut text = format!("-- {when}\n\n");
        if in_file {
            text.push_str(match engine {
                // Beside programs that write: SQLite refuses at once a transaction that has read and then writes.
                Engine::Sqlite => "BEGIN IMMEDIATE;\n\n",
                Engine::Postgres => "BEGIN;\n\n",
            });
        }
        statements.iter().for_each(|it| text.push_str(&format!("{it};\n\n")));
        if in_file {
            text.push_str("COMMIT;\n");
        }
        format!("{}\n", text.trim_end())
    }
}

/// The number of a file.
fn whole(number: &str) -> Result<u64, String> {
    number.parse().map_err(|_| format!("`{number}` is too large for the number of a file: give it one of at most 19 digits"))
}

/// The revision of alembic that no other one follows; `None` in an empty folder.
fn head(present: &[File]) -> Result<Option<String>, String> {
    let files = || present.iter().filter(|it| it.0.ends_with(".py") && !it.0.contains('/'));
    let revisions: BTreeSet<String> = files().flat_map(|it| assigned(&it.1, "revision")).collect();
    let followed: BTreeSet<String> = files().flat_map(|it| assigned(&it.1, "down_revision")).collect();
    let heads: Vec<&String> = revisions.difference(&followed).collect();
    match &heads[..] {
        [] => Ok(None),
        [one] => Ok(Some((*one).clone())),
        many => Err(format!(
            "alembic has {} heads ({}): merge them first",
            many.len(),
            many.iter().map(|it| it.as_str()).collect::<Vec<_>>().join(", ")
        )),
    }
}

/// The texts that a variable of a file gets: one, or the several of a tuple, where a revision merges others.
fn assigned(text: &str, name: &str) -> Vec<String> {
    let mut begin = 0;
    for line in text.split_inclusive('\n') {
        if line.split(['=', ':']).next().is_some_and(|it| it.trim() == name) {
            break;
        }
        begin += line.len();
    }
    let Some((_, value)) = text[begin..].split_once('=') else { return Vec::new() };
    let value = value.trim_start();
    let value = match value.chars().next() {
        Some('(') => value.split(')').next(),
        Some('[') => value.split(']').next(),
        Some('"' | '\'') => value.lines().next(),
        _ => None,
    };
    let Some(mut rest) = value else { return Vec::new() };
    let is_list = rest.starts_with(['(', '[']);
    let mut texts = Vec::new();
    while let Some(at) = rest.find(['"', '\'']) {
        let (quote, after) = (&rest[at..=at], &rest[at + 1..]);
        let Some((text, others)) = after.split_once(quote) else { break };
        texts.push(text.to_owned());
        rest = if is_list { others } else { "" };
    }
    texts
}

/// A revision of alembic. A colon is escaped, because alembic reads one as a parameter.
fn python(revision: &str, before: Option<&str>, step: &Step) -> String {
    let literal = |it: &str| format!("\"{}\"", it.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"));
    let list = |statements: &[String]| -> String { statements.iter().map(|it| format!("    run({})\n", literal(it))).collect() };
    format!(
        "# {}\nimport sqlalchemy as sa\nfrom alembic import op\n\nrevision = {}\ndown_revision = {}\nbranch_labels = None\ndepends_on = None\n\n\n\
         def run(sql):\n    op.execute(sa.text(sql.replace(\":\", \"\\\\:\")))\n\n\n\
         def upgrade():\n{}\n\ndef downgrade():\n{}",
        step.when,
        literal(revision),
        before.map_or_else(|| "None".to_owned(), literal),
        list(&step.up),
        list(&step.down)
    )
}
