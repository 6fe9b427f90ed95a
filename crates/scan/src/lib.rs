//! Finds the state machines that people wrote in a repository, proposes which sources describe the same thing, and compares those of
//! which a person has confirmed it.
//!
//! ```text
//! files ──read──▶ statements (one for each diagram, table, chart, enum and spec)
//!       ──score─▶ candidates: statements that may be of the same thing, best first
//! statespec.toml ──confirmed──▶ statements that are one ──compare──▶ every difference that is not meant
//! ```
//!
//! Whether two descriptions are meant to be the same, a person knows. What follows from it is computed.
//!
//! This crate reads the files that it is given. It knows no project and no output; how a page marks regions is told to it.
//! Its entry points are [`read`] with [`scan`], and [`compare`](mod@compare) for two sources.

mod code;
pub mod compare;
mod confirmed;
mod files;
mod groups;
mod json;
mod languages;
mod manifest;
mod modules;
mod paths;
pub mod pointed;
mod print;
mod score;
mod text_file;

use std::collections::BTreeSet;

use statespec_lang::diagnostic::Diagnostic;
use statespec_lang::parallel;
use statespec_lang::source::Sources;

pub use code::read_source;
use compare::{Comparison, Fact, Statement, compare};
pub use confirmed::{Confirmed, Enforced, Meant, Unfound};
pub use files::{Found, read};
pub use print::letter;
pub use score::Score;

/// Several statements that may be of the same thing.
#[derive(Debug, Clone)]
pub struct Group {
    /// The statements, by their positions in [`Scan::statements`]; at least two.
    pub members: Vec<usize>,
    /// How much they look like descriptions of the same thing.
    pub score: Score,
    /// The words that the subjects of all have in common.
    pub subject: Vec<String>,
    /// What each states.
    pub comparison: Comparison,
}

impl Group {
    /// The number of states that all members have.
    pub fn n_common(&self) -> usize {
        let of_all = |it: &&(Fact, compare::Line)| it.0 == Fact::State && it.1.said.iter().all(|it| matches!(it, compare::Said::Yes(_)));
        self.comparison.lines.iter().filter(of_all).count()
    }

    /// The largest number of steps from the folder of one member to that of another.
    pub fn n_steps(&self, statements: &[Statement]) -> usize {
        let path = |it: &usize| statements[*it].path.as_str();
        let pairs = self.members.iter().flat_map(|a| self.members.iter().map(move |b| (a, b)));
        pairs.map(|(a, b)| score::n_steps(path(a), path(b))).max().unwrap_or(0)
    }
}

/// What a scan found.
#[derive(Debug, Clone)]
pub struct Scan {
    /// The machines, by path and place.
    pub statements: Vec<Statement>,
    /// The statements that may be of the same things, best first.
    pub candidates: Vec<Group>,
    /// The statements that are confirmed as one, compared.
    pub confirmed: Vec<Enforced>,
    /// The differences that are confirmed as meant, by their positions, and of which there are none.
    pub not_needed: Vec<usize>,
}

impl Scan {
    /// The differences of statements that are confirmed as one, each as a finding at the first place that states the fact.
    pub fn findings(&self) -> Vec<Diagnostic> {
        self.confirmed.iter().flat_map(Enforced::findings).collect()
    }

    /// The statements that are in no candidate group and that are not confirmed as one with others.
    pub fn alone(&self) -> impl Iterator<Item = &Statement> {
        let members = self.candidates.iter().map(|it| &it.members).chain(self.confirmed.iter().map(|it| &it.members));
        let grouped: BTreeSet<usize> = members.flatten().copied().collect();
        self.statements.iter().enumerate().filter(move |it| !grouped.contains(&it.0)).map(|it| it.1)
    }
}

/// Proposes which statements are of the same thing, and compares those that are confirmed as one.
pub fn scan(statements: Vec<Statement>, sources: &Sources, confirmed: &Confirmed) -> Scan {
    let candidates = groups::candidates(&statements, sources, confirmed);
    let candidates = parallel::map(&candidates, |it| {
        let of_group: Vec<&Statement> = it.members.iter().map(|it| &statements[*it]).collect();
        let subjects: Vec<BTreeSet<String>> = of_group.iter().map(|it| score::subject(it)).collect();
        let shared = subjects.iter().skip(1).fold(subjects[0].clone(), |all, it| &all & it);
        let (members, comparison) = (it.members.clone(), compare(&of_group));
        Group { members, score: it.score, subject: shared.into_iter().collect(), comparison }
    });
    let (enforced, not_needed) = confirmed.enforce(&statements);
    Scan { statements, candidates, confirmed: enforced, not_needed }
}
