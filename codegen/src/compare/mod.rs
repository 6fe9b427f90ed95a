//! Compares two sources that state the same machine: a spec, a diagram, a table, a chart or code.
//!
//! ```text
//! spec ──────────────────────▶ statement ─┐
//! diagram, table, code ─import─▶ statement ─┴─compare─▶ the states and edges of each, and the disagreements
//! ```
//!
//! Names are the same whatever their case and the marks between their words: `InProgress`, `in-progress` and `IN_PROGRESS`.
//! Events, guards and effects are not compared: sources call them by different names, and many leave them out.

mod statement;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::diagnostic::{Code, Diagnostic};
pub use crate::import::{Edge, Named, Statement};
use crate::source::{Sources, Span};
pub use statement::{Statements, is_same, read};
use statement::{are_called_alike, have_one_name};

/// What two sources say of one fact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The fact: a state, or `from → to`, in the words of the first source that states it.
    pub fact: String,
    /// The place in each source; `None` if the source does not state it.
    pub places: [Option<Span>; 2],
}

impl Line {
    /// Whether only one source states the fact.
    pub fn is_disagreement(&self) -> bool {
        self.places.iter().any(Option::is_none)
    }
}

/// Two statements side by side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comparison {
    /// The sources.
    pub heads: [(String, Span); 2],
    /// The states where the machine starts; empty if a source does not tell.
    pub starts: Vec<Line>,
    /// The states.
    pub states: Vec<Line>,
    /// The edges.
    pub edges: Vec<Line>,
}

impl Comparison {
    /// The facts that only one source states.
    pub fn disagreements(&self) -> impl Iterator<Item = &Line> {
        self.starts.iter().chain(&self.states).chain(&self.edges).filter(|it| it.is_disagreement())
    }

    /// The facts, with the line of each source that states them.
    pub fn text(&self, sources: &Sources) -> String {
        let at = |place: Option<Span>| {
            let line = place.map(|it| sources.get(it.source).line_column(it.range().start).0);
            line.map_or_else(|| "–".to_owned(), |it| it.to_string())
        };
        let sections = [("starts", &self.starts), ("states", &self.states), ("edges", &self.edges)];
        let all = sections.iter().flat_map(|(_, lines)| lines.iter());
        let width = all.map(|it| it.fact.chars().count()).max().unwrap_or(0) + 4;
        let first = self.heads[0].0.chars().count().max(6) + 2;
        let mut text = format!("{:width$}{:first$}{}\n", "", self.heads[0].0, self.heads[1].0);
        for (title, lines) in sections.into_iter().filter(|(_, lines)| !lines.is_empty()) {
            let _ = writeln!(text, "{title}");
            for line in lines {
                let mark = if line.is_disagreement() { "≠" } else { " " };
                let pad = width - 2;
                let _ = writeln!(text, "{mark} {:pad$}{:first$}{}", line.fact, at(line.places[0]), at(line.places[1]));
            }
        }
        let _ = match self.disagreements().count() {
            0 => writeln!(text, "both state the same"),
            1 => writeln!(text, "1 disagreement"),
            n_found => writeln!(text, "{n_found} disagreements"),
        };
        text
    }

    /// Each disagreement, at the place that states the fact.
    pub fn findings(&self) -> Vec<Diagnostic> {
        let of = |code: Code, what: &str, lines: &[Line]| -> Vec<Diagnostic> {
            let alone = lines.iter().filter_map(|line| match line.places {
                [Some(place), None] => Some((line, place, 1)),
                [None, Some(place)] => Some((line, place, 0)),
                _ => None,
            });
            let finding = |(line, place, other): (&Line, Span, usize)| {
                let (name, span) = &self.heads[other];
                let message = format!("{what} `{}` is missing in {name}", line.fact);
                Diagnostic::new(code, place, message).also(*span, "this source does not state it")
            };
            alone.map(finding).collect()
        };
        [
            of(Code::CompareStart, "the start", &self.starts),
            of(Code::CompareState, "the state", &self.states),
            of(Code::CompareEdge, "the edge", &self.edges),
        ]
        .concat()
    }
}

/// Compares two statements. The order is that of the first, followed by what only the second states.
///
/// An edge of a state that only one source knows is no disagreement of its own.
pub fn compare(a: &Statement, b: &Statement) -> Comparison {
    let keys = common_keys(a, b);
    let is_shared = |key: usize| keys.iter().all(|it| it.contains(&key));
    let both = [(a, &keys[0]), (b, &keys[1])];
    let states = both.map(|(source, keys)| facts(source.states.iter().zip(keys).map(|(it, key)| (*key, it.name.clone(), it.span))));
    let edges = both.map(|(source, keys)| {
        let edges = source.edges.iter().filter(|it| is_shared(keys[it.from]) && is_shared(keys[it.to]));
        let text = |it: &Edge| format!("{} → {}", source.states[it.from].name, source.states[it.to].name);
        facts(edges.map(|it| ((keys[it.from], keys[it.to]), text(it), it.span)))
    });
    let starts = both.map(|(source, keys)| {
        let starts = source.starts.iter().filter(|it| is_shared(keys[**it]));
        facts(starts.map(|it| (keys[*it], source.states[*it].name.clone(), source.states[*it].span)))
    });
    let tells_start = starts.iter().all(|it| !it.is_empty());
    Comparison {
        heads: [a, b].map(|it| (it.place(), it.span)),
        starts: if tells_start { join(starts) } else { Vec::new() },
        states: join(states),
        edges: join(edges),
    }
}

/// Facts of one source, each with its key, its words and its place; the first of several with a key.
type Facts<K> = Vec<(K, String, Span)>;

fn facts<K: Ord + Copy>(all: impl Iterator<Item = (K, String, Span)>) -> Facts<K> {
    let mut seen = BTreeSet::new();
    all.filter(|it| seen.insert(it.0)).collect()
}

fn join<K: Ord + Copy>([a, b]: [Facts<K>; 2]) -> Vec<Line> {
    let of_b: BTreeMap<K, Span> = b.iter().map(|it| (it.0, it.2)).collect();
    let in_a: BTreeSet<K> = a.iter().map(|it| it.0).collect();
    let first = a.into_iter().map(|(key, fact, span)| Line { fact, places: [Some(span), of_b.get(&key).copied()] });
    let rest = b.into_iter().filter(|it| !in_a.contains(&it.0)).map(|(_, fact, span)| Line { fact, places: [None, Some(span)] });
    first.chain(rest).collect()
}

/// A number for each state of both statements: the same number for the same state.
fn common_keys(a: &Statement, b: &Statement) -> [Vec<usize>; 2] {
    let n_first = a.states.len();
    let mut free: BTreeSet<usize> = (0..n_first).collect();
    let mut keys: Vec<Option<usize>> = vec![None; b.states.len()];
    // Names first: a label of one state can be the name of another.
    for is_same in [have_one_name as fn(&Named, &Named) -> bool, are_called_alike] {
        for (state, key) in b.states.iter().zip(&mut keys).filter(|(_, key)| key.is_none()) {
            *key = free.iter().copied().find(|idx| is_same(&a.states[*idx], state));
            free.retain(|it| Some(*it) != *key);
        }
    }
    let of_b = keys.into_iter().enumerate().map(|(idx, key)| key.unwrap_or(n_first + idx));
    [(0..n_first).collect(), of_b.collect()]
}
