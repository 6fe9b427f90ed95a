//! Compares sources that state the same machine: specs, diagrams, tables, charts and code.
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

use statespec_lang::diagnostic::{Code, Diagnostic};
use statespec_lang::source::{Sources, Span};

pub(crate) use statement::state_names;
use statement::{Names, plain};
pub use statement::{is_same, is_same_fact, read};
pub use statespec_import::{Edge, Kind, Named, Statement, Statements};

/// What one source says of a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Said {
    /// It states the fact, here.
    Yes(Span),
    /// It does not state it.
    No,
    /// It says nothing about it: it lacks a state of the edge, or does not tell where the machine starts.
    Nothing,
}

/// What the sources say of one fact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The fact: a state, or `from → to`, in the words of the first source that states it.
    pub fact: String,
    /// The words of each source that states it, each once.
    pub words: Vec<String>,
    /// What each source says.
    pub said: Vec<Said>,
}

impl Line {
    /// Whether some source states the fact, and another does not.
    pub fn is_disagreement(&self) -> bool {
        self.said.contains(&Said::No)
    }

    /// The first place that states the fact.
    pub fn place(&self) -> Option<Span> {
        self.said.iter().find_map(|it| if let Said::Yes(place) = it { Some(*place) } else { None })
    }
}

/// A kind of facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fact {
    /// The machine starts in a state.
    Start,
    /// There is a state.
    State,
    /// There is an edge between two states.
    Edge,
    /// A state has a number, in storage and in messages.
    Number,
}

impl Fact {
    /// The code of a disagreement, and what a message calls the fact.
    fn code(self) -> (Code, &'static str) {
        match self {
            Fact::Start => (Code::CompareStart, "the start"),
            Fact::State => (Code::CompareState, "the state"),
            Fact::Edge => (Code::CompareEdge, "the edge"),
            Fact::Number => (Code::CompareNumber, "the number"),
        }
    }

    /// The name of one fact, as the configuration has it.
    pub fn name(self) -> &'static str {
        match self {
            Fact::Start => "start",
            Fact::State => "state",
            Fact::Edge => "edge",
            Fact::Number => "number",
        }
    }

    fn title(self) -> &'static str {
        match self {
            Fact::Start => "starts",
            Fact::State => "states",
            Fact::Edge => "edges",
            Fact::Number => "numbers",
        }
    }
}

/// Statements side by side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comparison {
    /// The sources.
    pub heads: Vec<(String, Span)>,
    /// The facts: starts, then states, then edges, in the order of the first source that states each; then the first number of each source that differs.
    pub lines: Vec<(Fact, Line)>,
}

impl Comparison {
    /// The facts that some source states and another does not.
    pub fn disagreements(&self) -> impl Iterator<Item = &(Fact, Line)> {
        self.lines.iter().filter(|it| it.1.is_disagreement())
    }

    /// The facts, with the line of each source that states them, and their number.
    pub fn text(&self, sources: &Sources) -> String {
        let heads: Vec<&str> = self.heads.iter().map(|it| it.0.as_str()).collect();
        let mut text = self.table(sources, &heads);
        let _ = match self.disagreements().count() {
            0 => writeln!(text, "{} state the same", if heads.len() == 2 { "both" } else { "all" }),
            1 => writeln!(text, "1 disagreement"),
            n_found => writeln!(text, "{n_found} disagreements"),
        };
        text
    }

    /// The facts, with the line of each source that states them, in brackets if it is a line of another file; a dash where a source
    /// does not.
    pub fn table(&self, sources: &Sources, heads: &[&str]) -> String {
        let cell = |(said, (_, head)): (&Said, &(String, Span))| match *said {
            Said::Yes(place) => {
                let line = sources.get(place.source).line_column(place.range().start).0;
                // A line of another file, such as the one that declares an enum.
                if place.source == head.source { line.to_string() } else { format!("({line})") }
            }
            Said::No => "–".to_owned(),
            Said::Nothing => String::new(),
        };
        let width = self.lines.iter().map(|it| it.1.fact.chars().count()).max().unwrap_or(0) + 4;
        let row = |first: String, cells: Vec<String>| {
            let padded = cells.iter().zip(heads).map(|(it, head)| format!("{it:0$}", head.chars().count().max(6) + 2));
            format!("{first}{}", padded.collect::<String>()).trim_end().to_owned() + "\n"
        };
        let mut text = row(" ".repeat(width), heads.iter().map(|it| (*it).to_owned()).collect());
        for lines in self.lines.chunk_by(|a, b| a.0 == b.0) {
            let _ = writeln!(text, "{}", lines[0].0.title());
            for (_, line) in lines {
                let mark = if line.is_disagreement() { "≠" } else { " " };
                let pad = width - 2;
                text.push_str(&row(format!("{mark} {:pad$}", line.fact), line.said.iter().zip(&self.heads).map(cell).collect()));
            }
        }
        text
    }

    /// Each disagreement, at the first place that states the fact.
    pub fn findings(&self) -> Vec<Diagnostic> {
        self.disagreements().filter_map(|(fact, line)| self.finding(*fact, line)).collect()
    }

    /// One disagreement.
    pub fn finding(&self, fact: Fact, line: &Line) -> Option<Diagnostic> {
        let (code, what) = fact.code();
        let lacking = || self.heads.iter().zip(&line.said).filter(|it| *it.1 == Said::No).map(|it| it.0);
        let names: Vec<&str> = lacking().map(|it| it.0.as_str()).collect();
        let (is, says) = match fact {
            Fact::Number => ("is another one", "this source states another number"),
            _ => ("is missing", "this source does not state it"),
        };
        let diagnostic = Diagnostic::new(code, line.place()?, format!("{what} `{}` {is} in {}", line.fact, names.join(" and in ")));
        Some(lacking().fold(diagnostic, |it, (_, span)| it.also(*span, says)))
    }
}

/// Compares statements of one machine. The order is that of the first, followed by what only later ones state.
///
/// An edge of a state that a source does not know is no disagreement of its own, and neither is a state that a source divides into
/// the states inside of it, which others do not know.
pub fn compare(statements: &[&Statement]) -> Comparison {
    let keys = common_keys(statements);
    let knows = |source: usize, key: usize| keys[source].contains(&key);
    let both = || statements.iter().zip(&keys).enumerate();
    let (mut starts, mut states, mut edges, mut numbers) = (Facts::default(), Facts::default(), Facts::default(), Facts::default());
    // The number that the first source states counts.
    let mut first_numbers: BTreeMap<usize, i64> = BTreeMap::new();
    let mut with_number: BTreeSet<(usize, usize)> = BTreeSet::new();
    for (idx, (source, keys)) in both() {
        for (state, key) in source.states.iter().zip(keys) {
            states.add(idx, (*key, *key), state.name.clone(), state.span);
            if let Some(number) = state.number {
                with_number.insert((idx, *key));
                if *first_numbers.entry(*key).or_insert(number) == number {
                    numbers.add(idx, (*key, *key), format!("{} = {number}", state.name), state.span);
                }
            }
        }
        for start in &source.starts {
            let state = &source.states[*start];
            starts.add(idx, (keys[*start], keys[*start]), state.name.clone(), state.span);
        }
        for edge in &source.edges {
            let name = |state: usize| source.states[state].name.as_str();
            edges.add(idx, (keys[edge.from], keys[edge.to]), format!("{} → {}", name(edge.from), name(edge.to)), edge.span);
        }
    }
    let n_sources = statements.len();
    let nesting = Nesting::new(statements, &keys);
    let mut numbers = numbers.lines(n_sources, |idx, (state, _)| with_number.contains(&(idx, state)));
    // The first number that differs tells that a source counts in another way; the others follow from it.
    let mut told = BTreeSet::new();
    for said in numbers.iter_mut().flat_map(|it| it.said.iter_mut().enumerate()).filter(|it| *it.1 == Said::No) {
        if !told.insert(said.0) {
            *said.1 = Said::Nothing;
        }
    }
    numbers.retain(Line::is_disagreement);
    let lines = [
        (Fact::Start, starts.lines(n_sources, |idx, (state, _)| !statements[idx].starts.is_empty() && knows(idx, state))),
        (Fact::State, states.lines(n_sources, |idx, (state, _)| !nesting.leaves_open(idx, state))),
        (Fact::Edge, edges.lines(n_sources, |idx, (from, to)| !statements[idx].edges.is_empty() && knows(idx, from) && knows(idx, to))),
        (Fact::Number, numbers),
    ];
    Comparison {
        heads: statements.iter().map(|it| (it.place(), it.span)).collect(),
        lines: lines.into_iter().flat_map(|(fact, lines)| lines.into_iter().map(move |it| (fact, it))).collect(),
    }
}

/// What sources say of states inside of others.
struct Nesting {
    /// The names by which each state is known, by its key.
    names: BTreeMap<usize, BTreeSet<String>>,
    /// The names of the states around each state, by its key.
    around: BTreeMap<usize, BTreeSet<String>>,
    /// Of each source, the names of its states that have others inside.
    outer: Vec<BTreeSet<String>>,
    /// Of each source, the names of its other states.
    leaves: Vec<BTreeSet<String>>,
}

impl Nesting {
    fn new(statements: &[&Statement], keys: &[Vec<usize>]) -> Self {
        let mut nesting = Nesting { names: BTreeMap::new(), around: BTreeMap::new(), outer: Vec::new(), leaves: Vec::new() };
        for (source, keys) in statements.iter().zip(keys) {
            let around = |it: &Named| it.inside.iter().map(|it| plain(it)).collect::<Vec<String>>();
            for (state, key) in source.states.iter().zip(keys) {
                nesting.names.entry(*key).or_default().insert(plain(&state.name));
                nesting.around.entry(*key).or_default().extend(around(state));
            }
            nesting.outer.push(source.states.iter().flat_map(around).collect());
            nesting.leaves.push(source.states.iter().map(|it| plain(&it.name)).collect());
        }
        nesting
    }

    /// Whether a source divides a state, or knows only the state around it.
    fn leaves_open(&self, source: usize, state: usize) -> bool {
        let shares = |a: &BTreeSet<String>, b: Option<&BTreeSet<String>>| b.is_some_and(|b| !a.is_disjoint(b));
        shares(&self.outer[source], self.names.get(&state)) || shares(&self.leaves[source], self.around.get(&state))
    }
}

/// Facts by the keys of their states; a state or start has its key twice.
#[derive(Default)]
struct Facts {
    order: Vec<(usize, usize)>,
    words: BTreeMap<(usize, usize), Vec<String>>,
    places: BTreeMap<(usize, usize), Vec<(usize, Span)>>,
}

impl Facts {
    /// Adds what a source states; the first place counts.
    fn add(&mut self, source: usize, key: (usize, usize), words: String, place: Span) {
        let places = self.places.entry(key).or_default();
        if places.is_empty() {
            self.order.push(key);
        }
        if places.iter().all(|it| it.0 != source) {
            places.push((source, place));
        }
        let known = self.words.entry(key).or_default();
        if !known.contains(&words) {
            known.push(words);
        }
    }

    /// The facts of which several sources could tell.
    fn lines(mut self, n_sources: usize, could_tell: impl Fn(usize, (usize, usize)) -> bool) -> Vec<Line> {
        let mut line = |key: (usize, usize)| {
            let words = self.words.remove(&key)?;
            let said = (0..n_sources).map(|source| match self.places[&key].iter().find(|it| it.0 == source) {
                Some((_, place)) => Said::Yes(*place),
                None if could_tell(source, key) => Said::No,
                None => Said::Nothing,
            });
            Some(Line { fact: words.first()?.clone(), said: said.collect(), words })
        };
        let is_shared = |it: &Line| it.said.iter().filter(|it| **it != Said::Nothing).count() > 1;
        self.order.into_iter().filter_map(&mut line).filter(is_shared).collect()
    }
}

/// A number for each state of all statements: the same number for the same state.
fn common_keys(statements: &[&Statement]) -> Vec<Vec<usize>> {
    let mut known: Vec<Names> = Vec::new();
    let mut all_keys = Vec::new();
    for statement in statements {
        let names = Names::of_all(statement);
        let mut free = vec![true; known.len()];
        let mut keys: Vec<Option<usize>> = vec![None; names.len()];
        // Names first: a label of one state can be the name of another.
        for is_same in [Names::have_one as fn(&Names, &Names) -> bool, Names::share_one] {
            for (state, key) in names.iter().zip(&mut keys).filter(|(_, key)| key.is_none()) {
                *key = (0..known.len()).find(|idx| free[*idx] && is_same(&known[*idx], state));
                key.iter().for_each(|it| free[*it] = false);
            }
        }
        let keys = names.into_iter().zip(keys).map(|(names, key)| {
            key.unwrap_or_else(|| {
                known.push(names);
                known.len() - 1
            })
        });
        all_keys.push(keys.collect());
    }
    all_keys
}
