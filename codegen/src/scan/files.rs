//! Reads the machines of all files of a folder.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use crate::compare::{self, Statement};
use crate::diagnostic::Diagnostic;
use crate::import::MAX_BYTES;
use crate::source::Sources;
use crate::{parallel, walk};

/// What was read below a folder.
#[derive(Debug, Default)]
pub struct Found {
    /// The texts that state a machine.
    pub sources: Sources,
    /// The machines, sorted by path and place. Each has an edge.
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
    for (path, text) in paths.into_iter().zip(texts) {
        match text {
            Ok(Some(text)) => ids.push(found.sources.add(path, &text)),
            Ok(None) => {}
            Err(error) => found.unread.push((path, error)),
        }
    }
    let sources = &found.sources;
    for read in parallel::map(&ids, |id| compare::read(sources, *id)) {
        let machines = read.found.into_iter().filter(|it| !it.edges.is_empty() && it.states.len() > 1 && !is_ignored(&it.place()));
        let before = found.statements.len();
        found.statements.extend(machines);
        // A text without a machine is none of our business.
        if found.statements.len() > before {
            found.problems.extend(read.problems);
        }
    }
    found
}

/// The text of a file that may state a machine.
fn candidate(full: &Path, path: &str) -> io::Result<Option<String>> {
    let Some(words) = words(path) else { return Ok(None) };
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
    let Ok(text) = String::from_utf8(bytes) else { return Ok(None) };
    Ok(words.iter().any(|all| all.iter().all(|it| text.contains(it))).then_some(text))
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
