//! What a scan found, for programs.

use serde::Serialize;
use statespec_lang::chars::plain_json;
use statespec_lang::source::{Sources, Span};

use super::{Scan, Score};
use crate::compare::{Comparison, Fact, Said, Statement};

/// The version of the form. It increases when a key changes its meaning or is removed; new keys do not increase it.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct Whole {
    version: u32,
    n_files: usize,
    candidates: Vec<Group>,
    confirmed: Vec<Group>,
    alone: Vec<Source>,
}

#[derive(Serialize)]
struct Group {
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<Parts>,
    sources: Vec<Source>,
    facts: Vec<Line>,
}

#[derive(Serialize)]
struct Parts {
    total: usize,
    states: usize,
    subject: usize,
    nearness: usize,
}

#[derive(Serialize)]
struct Source {
    /// The name in `statespec.toml`: `docs/order.md#order`.
    name: String,
    kind: &'static str,
    place: Place,
    generated: bool,
    read_in_part: bool,
}

#[derive(Serialize)]
struct Place {
    path: String,
    line: usize,
    column: usize,
}

#[derive(Serialize)]
struct Line {
    kind: &'static str,
    fact: String,
    differs: bool,
    /// What each source states, in the order of the sources.
    stated: Vec<Stated>,
}

#[derive(Serialize)]
struct Stated {
    /// `yes`, `no`, or `nothing` of a source that says nothing about it.
    says: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<Place>,
}

impl Scan {
    /// All groups with all facts and their places, and the sources that stand alone, as JSON.
    pub fn json(&self, sources: &Sources, n_files: usize) -> String {
        let group = |score: Option<Score>, members: &[usize], comparison: &Comparison| Group {
            score: score.map(|it| Parts { total: it.total(), states: it.states, subject: it.subject, nearness: it.nearness }),
            sources: members.iter().map(|it| source(&self.statements[*it], sources)).collect(),
            facts: comparison.lines.iter().map(|(fact, it)| line(*fact, it, sources)).collect(),
        };
        let whole = Whole {
            version: VERSION,
            n_files,
            candidates: self.candidates.iter().map(|it| group(Some(it.score), &it.members, &it.comparison)).collect(),
            confirmed: self.confirmed.iter().map(|it| group(None, &it.members, &it.comparison)).collect(),
            alone: self.alone().map(|it| source(it, sources)).collect(),
        };
        plain_json(&serde_json::to_string_pretty(&whole).expect("there are no maps and no impl fails, so serializing cannot fail")) + "\n"
    }
}

fn source(it: &Statement, sources: &Sources) -> Source {
    Source { name: it.place(), kind: it.kind.name(), place: place(it.span, sources), generated: it.generated, read_in_part: it.partial }
}

fn line(fact: Fact, it: &crate::compare::Line, sources: &Sources) -> Line {
    let stated = it.said.iter().map(|it| match it {
        Said::Yes(span) => Stated { says: "yes", place: Some(place(*span, sources)) },
        Said::No => Stated { says: "no", place: None },
        Said::Nothing => Stated { says: "nothing", place: None },
    });
    Line { kind: fact.name(), fact: it.fact.clone(), differs: it.is_disagreement(), stated: stated.collect() }
}

fn place(span: Span, sources: &Sources) -> Place {
    let source = sources.get(span.source);
    let (line, column) = source.line_column(span.range().start);
    Place { path: source.path().to_owned(), line, column }
}
