//! What a project confirms of its sources, each by its name, and what follows from it.

use std::collections::BTreeMap;

use statespec_lang::diagnostic::Diagnostic;

use crate::compare::{Comparison, Fact, Kind, Line, Said, Statement, compare, is_same_fact};

/// What a project confirms.
#[derive(Debug, Clone, Default)]
pub struct Confirmed {
    /// The sources that leave something out on purpose.
    pub excerpts: Vec<String>,
    /// Sources of the same thing.
    pub same: Vec<Vec<String>>,
    /// Sources of different things.
    pub different: Vec<Vec<String>>,
    /// The differences that are meant.
    pub meant: Vec<Meant>,
}

/// A difference that is meant: a source lacks a fact on purpose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meant {
    /// The source that lacks the fact.
    pub source: String,
    /// The kind of fact.
    pub fact: Fact,
    /// The state, or both states of the edge: `paid -> closed`.
    pub words: String,
}

/// A name in a confirmation that stands for no source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unfound {
    /// The name.
    pub name: String,
    /// The sources of the file; several with this name, or all others if none has it.
    pub others: Vec<String>,
    /// Whether several sources have the name.
    pub is_ambiguous: bool,
}

/// Sources that are confirmed as one, with the differences that are not meant.
#[derive(Debug, Clone)]
pub struct Enforced {
    /// The sources, by their positions.
    pub members: Vec<usize>,
    /// What each states.
    pub comparison: Comparison,
    /// The differences, without those that are meant and what excerpts lack.
    pub differences: Vec<(Fact, Line)>,
}

impl Enforced {
    /// Each difference, at the first place that states the fact.
    pub fn findings(&self) -> Vec<Diagnostic> {
        self.differences.iter().filter_map(|(fact, line)| self.comparison.finding(*fact, line)).collect()
    }
}

impl Confirmed {
    /// All names, each once for each time that it is written.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let lists = self.same.iter().chain(&self.different).flatten();
        lists.chain(&self.excerpts).chain(self.meant.iter().map(|it| &it.source)).map(String::as_str)
    }

    /// The source with a name.
    ///
    /// # Errors
    ///
    /// None has it, or several have.
    pub fn find(&self, statements: &[Statement], name: &str) -> Result<usize, Unfound> {
        let having: Vec<usize> = (0..statements.len()).filter(|it| answers_to(&statements[*it], name)).collect();
        let places = |list: Vec<&Statement>| list.into_iter().map(Statement::place).collect();
        match having.as_slice() {
            [only] => Ok(*only),
            [] => {
                let path = name.rsplit_once('#').map_or(name, |it| it.0);
                let others = places(statements.iter().filter(|it| it.path == path).collect());
                Err(Unfound { name: name.to_owned(), others, is_ambiguous: false })
            }
            several => {
                let others = places(several.iter().map(|it| &statements[*it]).collect());
                Err(Unfound { name: name.to_owned(), others, is_ambiguous: true })
            }
        }
    }

    /// The sources that are confirmed as one: lists with a source in common are one list.
    pub(crate) fn same(&self, statements: &[Statement]) -> Vec<Vec<usize>> {
        let mut lists: Vec<Vec<usize>> = Vec::new();
        for names in &self.same {
            let mut list: Vec<usize> = names.iter().filter_map(|it| self.find(statements, it).ok()).collect();
            let (joined, others) =
                std::mem::take(&mut lists).into_iter().partition(|it: &Vec<usize>| it.iter().any(|it| list.contains(it)));
            lists = others;
            list.extend(joined.into_iter().flatten());
            list.sort_unstable();
            list.dedup();
            lists.extend(Some(list).filter(|it| it.len() > 1));
        }
        lists.sort();
        lists
    }

    /// Compares the sources that are confirmed as one. The second list has the meant differences, by their positions, that are none:
    /// the sources agree.
    pub fn enforce(&self, statements: &[Statement]) -> (Vec<Enforced>, Vec<usize>) {
        let mut is_used = vec![false; self.meant.len()];
        let mut enforced = Vec::new();
        let at = |name: &String| self.find(statements, name).ok();
        let excerpts: Vec<usize> = self.excerpts.iter().filter_map(at).collect();
        let mut meant: BTreeMap<usize, Vec<(usize, &Meant)>> = BTreeMap::new();
        for (idx, it) in self.meant.iter().enumerate() {
            match at(&it.source) {
                Some(source) => meant.entry(source).or_default().push((idx, it)),
                // It is reported as a source that was not found.
                None => is_used[idx] = true,
            }
        }
        for members in self.same(statements) {
            let of_group: Vec<&Statement> = members.iter().map(|it| &statements[*it]).collect();
            let comparison = compare(&of_group);
            let mut differences = Vec::new();
            for (fact, line) in comparison.disagreements() {
                let mut line = line.clone();
                for (member, said) in members.iter().zip(&mut line.said).filter(|it| *it.1 == Said::No) {
                    let is_it = |it: &Meant| it.fact == *fact && line.words.iter().any(|words| is_same_fact(words, &it.words));
                    let found = meant.get(member).into_iter().flatten().find(|it| is_it(it.1));
                    found.iter().for_each(|it| is_used[it.0] = true);
                    if found.is_some() || excerpts.contains(member) || is_unread(&statements[*member], *fact) {
                        *said = Said::Nothing;
                    }
                }
                differences.extend(line.is_disagreement().then_some((*fact, line)));
            }
            enforced.push(Enforced { members, comparison, differences });
        }
        (enforced, (0..is_used.len()).filter(|it| !is_used[*it]).collect())
    }
}

/// Whether a source may have more facts of a kind than were read of it: a table with a row that was not read, and code that takes
/// steps. A table of steps alone need not name all states.
fn is_unread(of: &Statement, fact: Fact) -> bool {
    of.partial
        && match fact {
            Fact::State => of.complete || of.kind == Kind::Table,
            Fact::Start | Fact::Edge => !of.complete,
        }
}

/// Whether a source is meant by a name: by that of reports, or by the one that it has beside others of the name or without them.
fn answers_to(statement: &Statement, name: &str) -> bool {
    let Some(name) = name.strip_prefix(statement.path.as_str()).and_then(|it| it.strip_prefix('#')) else { return false };
    let kind = statement.kind.name();
    let own = statement.name.as_str();
    // `order`, `order.table`, `order.table.2`
    let plain = own.split_once(&format!(".{kind}")).map_or(own, |it| it.0);
    name == own || name == plain || (own == plain && name == format!("{plain}.{kind}"))
}

/// Gives the sources of one name in one file names of their own: with the kind, and then with a number. A name survives edits of the
/// file other than a further source of the same name and kind before it.
pub(crate) fn tell_apart(statements: &mut [Statement]) {
    let mut of_name: BTreeMap<(String, String), Vec<usize>> = BTreeMap::new();
    for (idx, it) in statements.iter().enumerate() {
        of_name.entry((it.path.clone(), it.name.clone())).or_default().push(idx);
    }
    for ((_, name), same) in of_name.into_iter().filter(|it| it.1.len() > 1) {
        let mut n_of_kind: BTreeMap<Kind, usize> = BTreeMap::new();
        for idx in same {
            let kind = statements[idx].kind;
            let n = n_of_kind.entry(kind).or_default();
            *n += 1;
            statements[idx].name = if *n == 1 { format!("{name}.{}", kind.name()) } else { format!("{name}.{}.{n}", kind.name()) };
        }
    }
}
