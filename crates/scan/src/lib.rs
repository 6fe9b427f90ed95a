//! Finds the state machines that people wrote in a repository, and where they disagree.
//!
//! ```text
//! files ──read──▶ statements (one for each diagram, table, chart, enum and spec)
//!       ──alike─▶ groups of statements of the same thing
//!       ──compare▶ what each says, and each disagreement with how sure it is
//! ```
//!
//! Silence is better than a false alarm: two machines that only share some names of states are not compared.
//!
//! This crate reads the files that it is given. It knows no project and no output; how a page marks regions is told to it.
//! Its entry points are [`read`] with [`scan`], and [`compare`](mod@compare) for two sources.

mod alike;
mod code;
pub mod compare;
mod files;
mod languages;
mod manifest;
mod modules;
mod paths;
mod print;
mod text_file;
mod verdict;

use std::collections::BTreeSet;

use statespec_lang::diagnostic::{Diagnostic, Level};
use statespec_lang::parallel;
use statespec_lang::source::Sources;

pub use alike::Alike;
pub use code::read_source;
use compare::{Comparison, Fact, Line, Statement, compare};
pub use files::{Found, read};

/// How sure it is that a disagreement is a mistake of one of the sources.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sureness {
    /// One source may leave it out, or be about something else.
    Perhaps,
    /// One of the sources is wrong.
    Sure,
}

/// Several statements of the same thing.
#[derive(Debug, Clone)]
pub struct Group {
    /// The statements, by their positions in [`Scan::statements`]; at least two.
    pub members: Vec<usize>,
    /// What they have in common.
    pub alike: Alike,
    /// What each says.
    pub comparison: Comparison,
    /// The disagreements, in the order of the comparison.
    pub disagreements: Vec<Disagreement>,
}

/// A fact on which the statements of a group disagree.
#[derive(Debug, Clone)]
pub struct Disagreement {
    /// The kind of fact.
    pub fact: Fact,
    /// What each member says.
    pub line: Line,
    /// How sure it is.
    pub sureness: Sureness,
    /// The reason, for people.
    pub why: String,
}

/// What a scan found.
#[derive(Debug, Clone)]
pub struct Scan {
    /// The machines, by path and place.
    pub statements: Vec<Statement>,
    /// The statements of the same things, in the order of their first members.
    pub groups: Vec<Group>,
}

impl Scan {
    /// The disagreements, with their groups.
    pub fn disagreements(&self) -> impl Iterator<Item = (&Group, &Disagreement)> {
        self.groups.iter().flat_map(|group| group.disagreements.iter().map(move |it| (group, it)))
    }

    /// The disagreements about which there is no doubt.
    pub fn n_sure(&self) -> usize {
        self.disagreements().filter(|it| it.1.sureness == Sureness::Sure).count()
    }

    /// Each disagreement as a finding, at the first place that states the fact.
    pub fn findings(&self) -> Vec<Diagnostic> {
        let finding = |(group, it): (&Group, &Disagreement)| {
            let finding = group.comparison.finding(it.fact, &it.line)?.help(it.why.clone());
            let level = if it.sureness == Sureness::Sure { Level::Error } else { Level::Warning };
            Some(Diagnostic { level, ..finding })
        };
        self.disagreements().filter_map(finding).collect()
    }
}

/// What a project tells of its sources, each by its [place](Statement::place).
#[derive(Debug, Clone, Default)]
pub struct Known {
    /// The sources that leave something out on purpose.
    pub excerpts: Vec<String>,
    /// Sources of the same thing.
    pub same: Vec<Vec<String>>,
    /// Sources of different things.
    pub different: Vec<Vec<String>>,
}

impl Known {
    /// Whether two statements are of the same thing, if the project tells.
    fn of(&self, a: &Statement, b: &Statement) -> Option<Option<Alike>> {
        let has_both = |list: &Vec<String>| list.contains(&a.place()) && list.contains(&b.place());
        match (self.same.iter().any(has_both), self.different.iter().any(has_both)) {
            (true, _) => Some(Some(Alike::Told)),
            (false, true) => Some(None),
            (false, false) => None,
        }
    }

    /// The names that no statement has.
    pub fn unknown(&self, statements: &[Statement]) -> Vec<&str> {
        let known: BTreeSet<String> = statements.iter().map(Statement::place).collect();
        let all = self.excerpts.iter().chain(self.same.iter().flatten()).chain(self.different.iter().flatten());
        all.map(String::as_str).filter(|it| !known.contains(*it)).collect()
    }
}

/// Groups statements, and compares those of each group.
pub fn scan(statements: Vec<Statement>, sources: &Sources, known: &Known) -> Scan {
    let alike::Groups { groups, pairs } = alike::groups(&statements, sources, known);
    let groups = parallel::map(&groups, |(members, alike)| {
        let of_group: Vec<&Statement> = members.iter().map(|it| &statements[*it]).collect();
        let comparison = compare(&of_group);
        // Two that are only of one group are perhaps two things.
        let are_one = |a: usize, b: usize| {
            let (a, b) = (members[a], members[b]);
            pairs.get(&(a.min(b), a.max(b))).is_some_and(|it| it.sureness() == Sureness::Sure)
        };
        let disagreements = verdict::disagreements(&of_group, &statements, &comparison, *alike, &are_one, known);
        Group { members: members.clone(), alike: *alike, comparison, disagreements }
    });
    Scan { statements, groups }
}
