//! Reads the machines of all files of a folder.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use super::code;
use super::modules::EnumNames;
use crate::compare::{Kind, Statement};
use crate::diagnostic::Diagnostic;
use crate::import::MAX_BYTES;
use crate::source::Sources;
use crate::{languages, parallel, walk};

/// What was read below a folder.
#[derive(Debug, Default)]
pub struct Found {
    /// The texts that state a machine.
    pub sources: Sources,
    /// The machines and the sets of states, sorted by path and place.
    pub statements: Vec<Statement>,
    /// What could not be read of those texts.
    pub problems: Vec<Diagnostic>,
    /// The number of files below the folder.
    pub n_files: usize,
    /// The files that cannot be read, each with the reason.
    pub unread: Vec<(String, io::Error)>,
}

/// Reads the machines of the files below some places of a root, without the files and the [places](Statement::place) that are ignored.
pub fn read(root: &Path, places: &[String], is_ignored: &(dyn Fn(&str) -> bool + Sync)) -> Found {
    let mut paths: Vec<String> = places.iter().flat_map(|it| walk::files(root, it)).filter(|it| !is_ignored(it)).collect();
    paths.sort_unstable();
    paths.dedup();
    let mut found = Found { n_files: paths.len(), ..Found::default() };
    // Read in parallel; a text that cannot state a machine is dropped at once, so that memory is bounded by those that can.
    let texts = parallel::map(&paths, |path| candidate(&root.join(path), path));
    let mut ids = Vec::new();
    let mut names = EnumNames::new();
    for (path, text) in paths.into_iter().zip(texts) {
        match text {
            Ok(Candidate { text, enums }) => {
                for name in enums {
                    names.entry(name).or_default().insert(path.clone());
                }
                ids.extend(text.map(|it| found.sources.add(path, &it)));
            }
            Err(error) => found.unread.push((path, error)),
        }
    }
    // A migration changes what the one before says, so they are read together.
    let (migrations, ids): (Vec<_>, Vec<_>) = ids.into_iter().partition(|it| languages::sql::knows(found.sources.get(*it).path()));
    let schemas = code::Read { statements: languages::sql::read(&found.sources, &migrations), open: Vec::new() };
    for code::Read { statements: read, open } in code::read(root, &mut found.sources, &ids, &names).into_iter().chain([schemas]) {
        found.problems.extend(open);
        // A diagram or a table without edges is no machine; a type of this name is a set of states.
        let is_set = |it: &Statement| matches!(it.kind, Kind::Code | Kind::Schema) && languages::is_of_states(&it.name);
        let is_meant = |it: &Statement| !it.edges.is_empty() || is_set(it);
        let machines = read.found.into_iter().filter(|it| is_meant(it) && it.states.len() > 1 && !is_ignored(&it.place()));
        let before = found.statements.len();
        found.statements.extend(machines);
        // A text without a machine is none of our business.
        if found.statements.len() > before {
            found.problems.extend(read.problems);
        }
    }
    found.statements.sort_by(|a, b| (&a.path, a.span).cmp(&(&b.path, b.span)));
    found
}

/// A file that may state a machine, or declare the states of one.
#[derive(Default)]
struct Candidate {
    /// The text, if it may state a machine.
    text: Option<String>,
    /// The names of the enums that it may declare.
    enums: BTreeSet<String>,
}

fn candidate(full: &Path, path: &str) -> io::Result<Candidate> {
    let words = words(path).unwrap_or_default();
    if words.is_empty() && !languages::knows(path) {
        return Ok(Candidate::default());
    }
    let Some(text) = text_of(full)? else { return Ok(Candidate::default()) };
    let is_rust = path.ends_with(".rs");
    let has_words = || words.iter().any(|all| all.iter().all(|it| text.contains(it)));
    let may_state = languages::may_state(path, &text) || has_words() || (is_rust && uses_states(&text));
    let enums = if is_rust { enums_of(&text) } else { BTreeSet::new() };
    Ok(Candidate { text: may_state.then_some(text), enums })
}

/// Whether a text of Rust has what steps between states of an enum of another file have.
fn uses_states(text: &str) -> bool {
    const STATES: &[&str] = &["State", "Status", "Phase", "Stage"];
    const STEPS: &[&str] = &["transition", "TRANSITION", "allowed", "ALLOWED", "fn next", "fn can_", "successors", "advance", "EDGES"];
    // `OrderState::Open`, `impl OrderState {`
    let names_one = |name: &str| {
        text.match_indices(name).any(|(at, _)| text[at + name.len()..].starts_with("::") || text[at + name.len()..].starts_with(" {"))
    };
    STATES.iter().any(|it| names_one(it)) && STEPS.iter().any(|it| text.contains(it))
}

/// The names behind `enum`.
fn enums_of(text: &str) -> BTreeSet<String> {
    let name = |behind: &str| behind.trim_start().split(|it: char| !it.is_alphanumeric() && it != '_').next().map(str::to_owned);
    let names = text.match_indices("enum ").filter_map(|(at, word)| name(&text[at + word.len()..]));
    names.filter(|it| it.starts_with(char::is_uppercase)).collect()
}

/// The text of a file, unless it is missing, too large, or not UTF-8.
pub(super) fn text_of(full: &Path) -> io::Result<Option<String>> {
    let file = match File::open(full) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let n_bytes = file.metadata()?.len();
    if usize::try_from(n_bytes).is_ok_and(|it| it > MAX_BYTES) {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    file.take(n_bytes).read_to_end(&mut bytes)?;
    Ok(String::from_utf8(bytes).ok())
}

/// For a file that can be read, by its name: lists of words, of one of which a text that states a machine has all.
fn words(path: &str) -> Option<&'static [&'static [&'static str]]> {
    let extension = Path::new(path).extension()?.to_str()?.to_ascii_lowercase();
    Some(match extension.as_str() {
        "mmd" | "mermaid" => &[&["stateDiagram"]],
        "puml" | "plantuml" | "pu" | "iuml" => &[&["->", "[*]"], &["->", "state "], &["<-", "state "], &["<-", "[*]"]],
        "md" | "markdown" | "mdx" => &[&["stateDiagram"], &["|", "--"], &["@startuml"], &["```plantuml"], &["```puml"]],
        "scxml" => &[&["<scxml"]],
        "json" => &[&["\"states\"", "\"on\""]],
        "rs" => &[&["enum ", "State"], &["enum ", "Status"], &["enum ", "Phase"], &["enum ", "Stage"], &["enum ", "transition"]],
        "yaml" | "yml" => &[&["machine:", "states:", "transitions:"]],
        _ => return None,
    })
}
