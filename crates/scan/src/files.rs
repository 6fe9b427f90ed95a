//! Reads the machines of all files of a folder.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use statespec_lang::diagnostic::Diagnostic;
use statespec_lang::parallel;
use statespec_lang::source::{Source, Sources, Span};

use super::code;
use super::modules::EnumNames;
use super::paths::{is_test_file, parent};
use super::text_file::text_of;
use crate::compare::{Kind, Statement};
use crate::languages;
use statespec_import::Regions;

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

/// Reads the machines of some files of a root, without the files and the [places](Statement::place) that are ignored.
pub fn read(root: &Path, mut paths: Vec<String>, is_ignored: &(dyn Fn(&str) -> bool + Sync), regions: Regions) -> Found {
    paths.retain(|it| !is_ignored(it));
    paths.sort_unstable();
    paths.dedup();
    let mut found = Found { n_files: paths.len(), ..Found::default() };
    let packages = packages(&paths);
    // Read in parallel; a text that cannot state a machine is dropped at once, so that memory is bounded by those that can.
    let texts = parallel::map(&paths, |path| match candidate(&root.join(path), path) {
        // A source has `/` in its place: the path would be that of another file.
        Ok(it) if path.contains('\\') && (it.text.is_some() || !it.enums.is_empty()) => {
            Err(io::Error::other("its name has a `\\`, which not every system allows; rename it"))
        }
        read => read,
    });
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
        let is_meant = |it: &Statement| !it.edges.is_empty() || (is_set(it) && !is_of_flags(found.sources.get(it.span.source), it.span));
        let machines = read.found.into_iter().filter(|it| is_meant(it) && it.states.len() > 1 && !is_ignored(&it.place()));
        let before = found.statements.len();
        found.statements.extend(machines);
        // A text without a machine is none of our business.
        if found.statements.len() > before {
            found.problems.extend(read.problems);
        }
    }
    for statement in &mut found.statements {
        statement.generated = is_generated(found.sources.get(statement.span.source), statement.span, regions);
        statement.dated = is_dated(found.sources.get(statement.span.source));
        let folders = statement.path.match_indices('/').rev().map(|(at, mark)| &statement.path[..at + mark.len()]);
        statement.package = folders.into_iter().find(|it| packages.contains(*it)).unwrap_or_default().to_owned();
    }
    found.statements.sort_by(|a, b| (&a.path, a.span).cmp(&(&b.path, b.span)));
    found
}

/// The folders of programs and libraries: those with a file that declares one.
fn packages(paths: &[String]) -> BTreeSet<String> {
    const MANIFESTS: &[&str] = &[
        "Cargo.toml",
        "package.json",
        "go.mod",
        "pyproject.toml",
        "setup.py",
        "pom.xml",
        "build.gradle",
        "build.gradle.kts",
        "composer.json",
        "mix.exs",
    ];
    let folder = |path: &'_ str| path.rfind('/').map_or(0, |it| it + 1);
    let declares = |path: &&String| {
        let name = &path[folder(path)..];
        MANIFESTS.contains(&name) || name.ends_with(".csproj")
    };
    paths.iter().filter(declares).map(|it| it[..folder(it)].to_owned()).collect()
}

/// Whether a program made what stands at a place: the head or the name of the file says so, or it is in a region of a page.
fn is_generated(source: &Source, span: Span, regions: Regions) -> bool {
    const MARKS: [&str; 8] = [
        "code generated",
        "@generated",
        "file is generated",
        "file was generated",
        "do not edit",
        "auto-generated",
        "autogenerated",
        "automatically generated",
    ];
    let text = source.text();
    let head: String = text.chars().take(1_500).collect::<String>().to_lowercase();
    let line = || text[..span.range().start].matches('\n').count();
    let is_in_region = || regions(text).iter().any(|(_, lines)| lines.contains(&line()));
    // `src/generated/model.ts`, `order.pb.go`, `order_pb2.py`
    let of_program = |word: &str| matches!(word, "generated" | "gen" | "pb" | "pb2");
    let is_named_so = || source.path().split(|it: char| !it.is_alphanumeric()).any(of_program);
    MARKS.iter().any(|it| head.contains(it)) || is_named_so() || (text.contains("statespec:begin") && is_in_region())
}

/// Whether a type of Rust has bits that hold at the same time: `#[derive(BitFlags)]`.
fn is_of_flags(source: &Source, span: Span) -> bool {
    let before = &source.text()[..span.range().start];
    let attributes = before.lines().rev().take_while(|it| !it.trim().is_empty() && !it.starts_with('}'));
    source.path().ends_with(".rs") && attributes.into_iter().any(|it| it.to_lowercase().contains("bitflags"))
}

/// Whether a file says that it tells of another time than today: it is in an archive, it is a report of one day, or it is a draft.
fn is_dated(source: &Source) -> bool {
    const FOLDERS: &[&str] = &["archive", "archived", "archives", "attic", "deprecated", "obsolete", "superseded"];
    const REPORTS: &[&str] = &["audit", "review", "report", "retrospective", "postmortem", "proposal"];
    const DRAFTS: &[&str] = &["draft", "proposed", "proposal", "rfc", "superseded", "deprecated", "obsolete"];
    let path = source.path().to_lowercase();
    let words = |text: &str| -> Vec<String> { text.split(|it: char| !it.is_alphanumeric()).map(str::to_owned).collect() };
    let has = |text: &str, set: &[&str]| words(text).iter().any(|it| set.contains(&it.as_str()));
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", &path));
    let is_page = [".md", ".markdown", ".mdx"].iter().any(|it| name.ends_with(it));
    // `**Status**: Draft`
    let says_draft = |line: &str| {
        let line = line.to_lowercase();
        let status = line.trim_start_matches(|it: char| !it.is_alphanumeric()).strip_prefix("status").map(str::to_owned);
        status.is_some_and(|it| {
            it.contains(':') && words(&it).iter().find(|it| !it.is_empty()).is_some_and(|it| DRAFTS.contains(&it.as_str()))
        })
    };
    const HEAD: usize = 30;
    has(folder, FOLDERS) || (is_page && (has(name, REPORTS) || source.text().lines().take(HEAD).any(says_draft)))
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
    if (words.is_empty() && !languages::knows(path)) || is_test(path) {
        return Ok(Candidate::default());
    }
    let Some(text) = text_of(full)? else { return Ok(Candidate::default()) };
    let is_rust = path.ends_with(".rs");
    let has_words = || words.iter().any(|all| all.iter().all(|it| text.contains(it)));
    let may_state = languages::may_state(path, &text) || has_words() || (is_rust && uses_states(&text));
    let enums = if is_rust { enums_of(&text) } else { BTreeSet::new() };
    Ok(Candidate { text: may_state.then_some(text), enums })
}

/// Whether a file is one of tests: of Rust, a chart or diagram below a folder of tests, or SQL with such a word in its path. Code of
/// other languages has rules of its own, and a page may describe tests and the program.
fn is_test(path: &str) -> bool {
    let lower = path.to_lowercase();
    if lower.ends_with(".rs") {
        return is_test_file(path);
    }
    let is_chart = [".scxml", ".json", ".mmd", ".mermaid", ".puml", ".plantuml", ".pu", ".iuml"].iter().any(|it| lower.ends_with(it));
    let is_of_tests = |word: &str| {
        matches!(word, "test" | "tests" | "testing" | "testdata" | "testcase" | "testcases" | "unittest" | "unittests" | "fixtures")
            || matches!(word, "conformance" | "e2e" | "w3c")
    };
    let place = if lower.ends_with(".sql") { lower.as_str() } else { parent(&lower) };
    (is_chart || lower.ends_with(".sql")) && place.split(|it: char| !it.is_alphanumeric()).any(is_of_tests)
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
