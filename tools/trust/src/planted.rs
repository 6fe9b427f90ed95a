//! What a check finds of drift that is planted: a state or an edge is taken from one of several sources that agree and that are
//! confirmed as one.
//!
//! ```text
//! a repository ──scan──▶ candidates that agree ──confirm──▶ take one state or edge from one file ──▶ compare again
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;
use std::{fs, io};

use statespec_codegen::diagnostic::Level;
use statespec_codegen::source::Sources;
use statespec_codegen::{sync, walk};
use statespec_scan::compare::{Statement, compare};
use statespec_scan::{Confirmed, Found, Scan, read, scan};
use tempfile::TempDir;

use crate::rng::Rng;

/// What was planted in sources of one kind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Row {
    /// The states or edges that were taken, one at a time.
    pub planted: usize,
    /// Those that are reported.
    pub found: usize,
    /// Those that are not.
    pub missed: Vec<String>,
}

/// At most so many groups of a repository.
const MAX_GROUPS: usize = 5;

/// At most so many states or edges of a source.
const MAX_TAKEN: usize = 3;

/// Plants drift in repositories, and counts what the scan finds, by kind of source; and how many repositories have sources
/// that agree.
///
/// # Errors
///
/// A file cannot be read or written.
pub fn run(folders: &[&Path], seed: u64, progress: &mut dyn FnMut(&str)) -> io::Result<(BTreeMap<String, Row>, usize)> {
    let mut rows: BTreeMap<String, Row> = BTreeMap::new();
    let mut n_repositories = 0;
    for folder in folders {
        let (found, scanned) = scanned(folder, &Confirmed::default());
        let mut rng = Rng::new(seed);
        let agreeing = scanned.candidates.iter().filter(|it| it.comparison.disagreements().next().is_none()).collect();
        let n_before: usize = rows.values().map(|it| it.planted).sum();
        for group in rng.some(agreeing, MAX_GROUPS) {
            let members: Vec<&Statement> = group.members.iter().map(|it| &scanned.statements[*it]).collect();
            plant(&mut rng, folder, &members, &found.sources, &mut rows)?;
        }
        let n_planted = rows.values().map(|it| it.planted).sum::<usize>() - n_before;
        n_repositories += usize::from(n_planted > 0);
        progress(&format!("{}: {n_planted} planted", folder.display()));
    }
    Ok((rows, n_repositories))
}

fn scanned(folder: &Path, confirmed: &Confirmed) -> (Found, Scan) {
    let mut found = read(folder, walk::files(folder, ""), &|_| false, sync::regions);
    let scanned = scan(std::mem::take(&mut found.statements), &found.sources, confirmed);
    (found, scanned)
}

/// Takes states and edges from the sources of a group, one at a time.
fn plant(rng: &mut Rng, folder: &Path, members: &[&Statement], sources: &Sources, rows: &mut BTreeMap<String, Row>) -> io::Result<()> {
    let paths: BTreeSet<&str> = members.iter().map(|it| it.path.as_str()).collect();
    let copy = TempDir::new()?;
    for path in paths {
        let full = copy.path().join(path);
        full.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::copy(folder.join(path), full)?;
    }
    let confirmed = Confirmed { same: vec![members.iter().map(|it| it.place()).collect()], ..Confirmed::default() };
    // Alone, the files must say what they say in the repository.
    let says_the_same = |scan: &Scan| match scan.confirmed.as_slice() {
        [only] => only.members.len() == members.len() && only.differences.is_empty(),
        _ => false,
    };
    if !says_the_same(&scanned(copy.path(), &confirmed).1) {
        return Ok(());
    }
    for member in members {
        let text = sources.get(member.span.source).text();
        let extension = member.path.rsplit_once('.').map_or("", |it| it.1);
        for (what, range) in rng.some(facts(member), MAX_TAKEN) {
            let Some(drifted) = without(text, range.clone(), member) else { continue };
            let full = copy.path().join(&member.path);
            fs::write(&full, drifted)?;
            let (found, after) = scanned(copy.path(), &confirmed);
            let is_planted = found.problems.iter().all(|it| it.level != Level::Error)
                && after.statements.iter().any(|it| it.path == member.path && it.name == member.name && says_less(member, it));
            fs::write(&full, text)?;
            if !is_planted {
                continue;
            }
            let row = rows.entry(format!("{}, `.{extension}`, {what}", member.kind.name())).or_default();
            row.planted += 1;
            match after.findings().is_empty() {
                false => row.found += 1,
                true => row.missed.push(format!("{} without `{}`", member.place(), &text[range])),
            }
        }
    }
    Ok(())
}

/// What can be taken from a source: the edges, or the states of one that states no edges.
fn facts(statement: &Statement) -> Vec<(&'static str, Range<usize>)> {
    let source = statement.span.source;
    let edges = statement.edges.iter().map(|it| ("edge", it.span));
    let states = statement.states.iter().map(|it| ("state", it.span)).filter(|_| statement.edges.is_empty());
    let mut facts: Vec<_> = edges.chain(states).filter(|it| it.1.source == source).map(|it| (it.0, it.1.range())).collect();
    facts.sort_by_key(|it| (it.1.start, it.1.end));
    facts.dedup();
    facts
}

/// A text without its line, if nothing else of the statement is on it; else without the words and the mark beside them.
fn without(text: &str, range: Range<usize>, statement: &Statement) -> Option<String> {
    let start = text[..range.start].rfind('\n').map_or(0, |it| it + 1);
    let end = text[range.end..].find('\n').map_or(text.len(), |it| range.end + it + 1);
    let is_alone = facts(statement).iter().all(|it| it.1 == range || !(start..end).contains(&it.1.start))
        && !(start..end).contains(&statement.span.range().start);
    let is_quote = |it: char| matches!(it, '"' | '\'' | '`');
    let is_mark = |it: char| matches!(it, ',' | '|');
    let cut = if is_alone {
        start..end
    } else {
        let quoted = text[..range.start].ends_with(is_quote) && text[range.end..].starts_with(is_quote);
        let (from, to) = if quoted { (range.start - 1, range.end + 1) } else { (range.start, range.end) };
        let before = text[..from].trim_end();
        let behind = text[to..].trim_start();
        match (behind.starts_with(is_mark), before.ends_with(is_mark)) {
            (true, _) => from..text.len() - behind.len() + 1,
            (false, true) => before.len() - 1..to,
            (false, false) => return None,
        }
    };
    Some([&text[..cut.start], &text[cut.end..]].concat())
}

/// Whether one states all that the other does, and not more, and lacks something.
fn says_less(before: &Statement, after: &Statement) -> bool {
    let size = |it: &Statement| it.states.len() + it.edges.len();
    // What the text lacks now is the only disagreement of the two.
    let comparison = compare(&[before, after]);
    size(after) < size(before) && comparison.disagreements().next().is_some()
}

/// The table for people.
pub fn markdown(rows: &BTreeMap<String, Row>) -> String {
    let mut text = "| Taken from | Planted | Found | Not found |\n| --- | ---: | ---: | ---: |\n".to_owned();
    let mut all = Row::default();
    for (kind, Row { planted, found, missed }) in rows {
        text.push_str(&format!("| {kind} | {planted} | {found} | {} |\n", missed.len()));
        all.planted += planted;
        all.found += found;
        all.missed.extend(missed.clone());
    }
    text + &format!("| **All** | {} | {} | {} |\n", all.planted, all.found, all.missed.len())
}
