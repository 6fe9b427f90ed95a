//! Which statements are about the same thing.
//!
//! Many machines are `open` and `closed`, so names of states alone say little. Two statements are about the same thing if their
//! subjects share a word, and most of their states are the same; or if so many states are the same that chance is out of the
//! question. The subject is the name of the machine, of its heading or enum, without words such as "state" and "lifecycle"; if
//! nothing is left of it, it is the name of the file, and then of its folder.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use statespec_lang::names::snake;
use statespec_lang::source::Sources;

use super::{Known, Sureness};
use crate::compare::{Fact, Kind, Statement, compare, state_names};

/// What the statements of a group have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Alike {
    /// Most states, but no word of their subjects.
    States,
    /// A word of their subjects, and some states.
    Partly,
    /// A word of their subjects, and most states.
    Both,
    /// Everything, the text included: copies.
    Copies,
    /// The configuration says so.
    Told,
}

impl Alike {
    /// Whether it is the same thing beyond doubt.
    pub fn sureness(self) -> Sureness {
        match self {
            Alike::Both | Alike::Copies | Alike::Told => Sureness::Sure,
            Alike::States | Alike::Partly => Sureness::Perhaps,
        }
    }
}

/// Statements of the same things.
pub(super) struct Groups {
    /// The groups, each with what the least alike of the pairs that hold it together have in common.
    pub(super) groups: Vec<(Vec<usize>, Alike)>,
    /// What two statements have in common.
    pub(super) pairs: BTreeMap<(usize, usize), Alike>,
}

/// The groups of statements of the same thing.
pub(super) fn groups(statements: &[Statement], sources: &Sources, known: &Known) -> Groups {
    let subjects: Vec<BTreeSet<String>> = statements.iter().map(subject).collect();
    let copies = copies(statements, sources, known);
    let variants = Variants::new(statements);
    let mut pairs: BTreeMap<(usize, usize), Alike> = BTreeMap::new();
    for (a, b) in candidates(statements, &subjects, &copies, known) {
        let told = known.of(&statements[a], &statements[b]);
        let alike = || alike([&statements[a], &statements[b]], [&subjects[a], &subjects[b]], sources, &variants);
        pairs.extend(told.unwrap_or_else(alike).map(|it| ((a, b), it)));
    }
    let mut best: Vec<(Alike, usize, usize)> = pairs.iter().map(|((a, b), alike)| (*alike, *a, *b)).collect();
    // Of several sections of a page, the one with the very same subject comes first.
    let is_another = |a: usize, b: usize| subjects[a] != subjects[b];
    best.sort_by_key(|(alike, a, b)| (Reverse(*alike), is_another(*a, *b), *a, *b));
    let mut groups: Vec<Option<(Vec<usize>, Alike)>> = (0..statements.len()).map(|it| Some((vec![it], Alike::Told))).collect();
    let mut group_of: Vec<usize> = (0..statements.len()).collect();
    for (alike, a, b) in best {
        let (kept, gone) = (group_of[a].min(group_of[b]), group_of[a].max(group_of[b]));
        let (Some((first, _)), Some((second, weakest))) = (&groups[kept], &groups[gone]) else { continue };
        // Each must be like each: what holds a group together is one thing, not a chain of things.
        let are_alike = || first.iter().all(|a| second.iter().all(|b| pairs.contains_key(&(*a.min(b), *a.max(b)))));
        // A pair that is less alike joins only statements that no better pair has joined to others.
        let is_late = alike.sureness() == Sureness::Perhaps && first.len() + second.len() > 2;
        // The other sections of the page are about something else.
        let are_sections = |a: usize, b: usize| statements[a].span.source == statements[b].span.source && is_another(a, b);
        let is_of_page = || first.iter().any(|a| second.iter().any(|b| is_page(&statements[*a]) && are_sections(*a, *b)));
        let is_another_section = is_another(a, b) && first.len() + second.len() > 2 && is_of_page();
        if kept == gone || is_late || (alike != Alike::Told && (is_another_section || !are_alike())) {
            continue;
        }
        let (second, weakest) = (second.clone(), alike.min(*weakest));
        groups[gone] = None;
        if let Some((members, least)) = &mut groups[kept] {
            second.iter().for_each(|it| group_of[*it] = kept);
            members.extend(second);
            members.sort_unstable();
            *least = weakest.min(*least);
        }
    }
    for (copy, of) in copies.more {
        if let Some((members, _)) = &mut groups[group_of[of]] {
            for member in &*members {
                let (a, b) = (copy.min(*member), copy.max(*member));
                let found = alike([&statements[a], &statements[b]], [&subjects[a], &subjects[b]], sources, &variants);
                pairs.insert((a, b), found.unwrap_or(Alike::Partly));
            }
            members.push(copy);
            members.sort_unstable();
        }
    }
    Groups { groups: groups.into_iter().flatten().filter(|it| it.0.len() > 1).collect(), pairs }
}

/// Whether a statement is a table or a diagram, of which a page may have several.
fn is_page(it: &Statement) -> bool {
    matches!(it.kind, Kind::Table | Kind::Diagram)
}

/// The number of copies of one text that are compared with everything else; more ones go where the first one goes.
const MAX_COPIES: usize = 3;
/// The number of statements of which a name of a state can tell that two of them may be of the same thing.
const MAX_SHARING: usize = 500;

/// Statements of files with the same text.
#[derive(Default)]
struct Copies {
    /// Pairs of copies.
    pairs: Vec<(usize, usize)>,
    /// Copies beyond those that are compared, each with the first one.
    more: BTreeMap<usize, usize>,
}

fn copies(statements: &[Statement], sources: &Sources, known: &Known) -> Copies {
    let is_told = |it: &Statement| known.same.iter().chain(&known.different).any(|list| list.contains(&it.place()));
    let mut same: BTreeMap<Text<'_>, Vec<usize>> = BTreeMap::new();
    for (idx, it) in statements.iter().enumerate().filter(|(_, it)| !is_told(it)) {
        same.entry(text_of(it, sources)).or_default().push(idx);
    }
    let mut copies = Copies::default();
    for list in same.into_values() {
        let (compared, more) = list.split_at(list.len().min(MAX_COPIES));
        copies.pairs.extend(compared[1..].iter().map(|it| (compared[0], *it)));
        copies.more.extend(more.iter().map(|it| (*it, compared[0])));
    }
    copies
}

/// The pairs that may be of the same thing: those that share enough names of states, copies, and those of which the project tells.
fn candidates(statements: &[Statement], subjects: &[BTreeSet<String>], copies: &Copies, known: &Known) -> BTreeSet<(usize, usize)> {
    let mut having: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (idx, statement) in statements.iter().enumerate().filter(|(idx, _)| !copies.more.contains_key(idx)) {
        for name in state_names(statement) {
            having.entry(name).or_default().push(idx);
        }
    }
    let mut n_shared: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for same in having.values().filter(|it| it.len() <= MAX_SHARING) {
        for (position, a) in same.iter().enumerate() {
            same[position + 1..].iter().for_each(|b| *n_shared.entry((*a, *b)).or_default() += 1);
        }
    }
    // A state has several names, so no more states are shared than names: fewer ones are never enough.
    let may_be_alike = |(a, b): (usize, usize), n_shared: usize| {
        let (a_states, b_states) = (statements[a].states.len(), statements[b].states.len());
        let shares_word = !subjects[a].is_disjoint(&subjects[b]) || subjects[a].is_empty() || subjects[b].is_empty();
        match shares_word {
            true => n_shared > 1 && n_shared * 2 >= a_states.min(b_states),
            false => n_shared > 3 && n_shared * 5 >= a_states.max(b_states) * 4,
        }
    };
    let mut pairs: BTreeSet<(usize, usize)> =
        n_shared.into_iter().filter(|(pair, n_shared)| may_be_alike(*pair, *n_shared)).map(|(pair, _)| pair).collect();
    pairs.extend(&copies.pairs);
    for list in &known.same {
        let members: Vec<usize> = (0..statements.len()).filter(|it| list.contains(&statements[*it].place())).collect();
        pairs.extend(members.iter().enumerate().flat_map(|(position, a)| members[position + 1..].iter().map(|b| (*a, *b))));
    }
    pairs
}

/// What two statements have in common, if that is enough.
fn alike([a, b]: [&Statement; 2], subjects: [&BTreeSet<String>; 2], sources: &Sources, variants: &Variants) -> Option<Alike> {
    if is_copy(a, b, sources) {
        return Some(Alike::Copies);
    }
    let are_variants = |a: &Statement, b: &Statement| are_variants(a, b) || variants.has(a, b);
    let comparison = compare(&[a, b]);
    let n_shared = comparison.lines.iter().filter(|(fact, line)| *fact == Fact::State && !line.is_disagreement()).count();
    let (most, least) = (a.states.len().max(b.states.len()), a.states.len().min(b.states.len()));
    let is_most = n_shared * 4 >= least * 3 && n_shared * 2 >= most;
    // A machine without a subject is the only one of its repository, or of its part of it.
    let is_whole = n_shared == most && n_shared >= 4;
    let shares_word = !subjects[0].is_disjoint(subjects[1]) || (is_whole && subjects.iter().any(|it| it.is_empty()));
    let is_close = n_shared >= 3 && is_most;
    // Names of states are all that a set has, and many sets have the same ones, so its subject must be the same.
    if [a, b].iter().any(|it| it.edges.is_empty()) {
        let are_named = || [a, b].iter().all(|it| !named_subject(it).is_empty());
        // The type `State` of two files may be of two things.
        let is_same = !subjects[0].is_empty() && subjects[0] == subjects[1] && (a.edges.len() + b.edges.len() > 0 || are_named());
        // A file hardly declares one set twice.
        let is_one =
            is_same && a.span.source != b.span.source && !hides(a, b) && !hides(b, a) && are_of_one_kind(a, b) && !are_variants(a, b);
        // Half of all that the two have; or all but one state of a small set, if its name is the same to the last word.
        let is_half = is_close && n_shared * 3 >= most + least;
        // Two interfaces may call things alike; if each has states of its own, they are hardly one thing.
        let are_interfaces = a.kind == Kind::Schema && b.kind == Kind::Schema && n_shared < least;
        let is_one = is_one && !are_interfaces;
        let is_small_part = is_one && a.name == b.name && n_shared == least && most == least + 1;
        return (shares_word && (is_half || is_small_part)).then_some(if is_one { Alike::Both } else { Alike::Partly });
    }
    // Sections of a page have words in common, and so have files of variants.
    let contains = |a: usize, b: usize| subjects[a].is_superset(subjects[b]);
    let is_another = a.span.source == b.span.source || (!contains(0, 1) && !contains(1, 0));
    // The name of a type is no heading: each of its words counts.
    let names = [named_subject(a), named_subject(b)];
    let are_two_types = is_code(a) && is_code(b) && names.iter().all(|it| !it.is_empty()) && names[0] != names[1];
    let is_hidden = a.span.source != b.span.source && is_code(a) && is_code(b) && (a.local || b.local);
    if shares_word && is_close && ((a.kind == b.kind && is_another) || are_two_types || is_hidden || are_variants(a, b)) {
        return Some(Alike::Partly);
    }
    match shares_word {
        true if is_close => Some(Alike::Both),
        true if n_shared >= 2 && n_shared * 2 >= least => Some(Alike::Partly),
        false if n_shared >= 4 && n_shared * 5 >= most * 4 => Some(Alike::States),
        _ => None,
    }
}

fn is_code(it: &Statement) -> bool {
    it.kind == Kind::Code
}

/// Whether the other file cannot mean a set, because its own file hides it. What a page tells of a program of Rust may be private.
fn hides(it: &Statement, other: &Statement) -> bool {
    it.local && (is_code(other) || !it.path.ends_with(".rs"))
}

/// What tells that two statements are of variants, beside their paths.
struct Variants<'a> {
    /// The names that several charts with different texts have: copied with a chart that something else was made of.
    copied_names: BTreeSet<&'a str>,
    /// Folders of programs that repeat the folders of the others, as a second checkout does.
    checkouts: BTreeSet<&'a str>,
}

impl<'a> Variants<'a> {
    fn new(statements: &'a [Statement]) -> Self {
        let mut charts: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for it in statements.iter().filter(|it| it.kind == Kind::Chart) {
            charts.entry(&it.name).or_default().insert(&it.path);
        }
        let packages: BTreeSet<&str> = statements.iter().map(|it| it.package.as_str()).collect();
        let mut repeated: BTreeMap<&str, usize> = BTreeMap::new();
        for package in &packages {
            let inner = package.match_indices('/').map(|(at, mark)| package.split_at(at + mark.len()));
            for (folder, _) in inner.filter(|(_, inner)| packages.contains(inner) && !inner.is_empty()) {
                *repeated.entry(folder).or_default() += 1;
            }
        }
        Variants {
            copied_names: charts.into_iter().filter(|it| it.1.len() > 2).map(|it| it.0).collect(),
            checkouts: repeated.into_iter().filter(|it| it.1 > 1).map(|it| it.0).collect(),
        }
    }

    fn has(&self, a: &Statement, b: &Statement) -> bool {
        let folder = |it: &'_ Statement| it.path.rsplit_once('/').map_or(String::new(), |it| it.0.to_owned());
        let are_charts = a.kind == Kind::Chart && b.kind == Kind::Chart && a.name == b.name;
        let checkout = |it: &Statement| self.checkouts.iter().find(|folder| it.path.starts_with(**folder));
        let is_repeated = |a: &Statement, b: &Statement| {
            !b.package.is_empty() && a.package.len() > b.package.len() && a.path.ends_with(&format!("/{}", b.path))
        };
        (are_charts && (folder(a) == folder(b) || self.copied_names.contains(a.name.as_str())))
            || checkout(a) != checkout(b)
            || is_repeated(a, b)
            || is_repeated(b, a)
    }
}

/// Whether two files are of different programs or of different versions of one: folders of examples, `v1` and `v2`, and names such as
/// `cluster_3` and `cluster_4`.
fn are_variants(a: &Statement, b: &Statement) -> bool {
    const EXAMPLES: &[&str] = &["example", "sample", "demo", "tutorial", "workshop", "template", "playground", "script", "showcase"];
    // Each folder of examples may have a program of its own, and so may each of its files.
    let example = |it: &Statement| {
        let (folder, _) = it.path.rsplit_once('/')?;
        folder.split('/').any(|it| EXAMPLES.contains(&singular(&it.to_lowercase()).as_str())).then(|| folder.to_owned())
    };
    let version = |it: &Statement| {
        let is_version = |it: &&str| it.strip_prefix('v').is_some_and(|it| it.starts_with(|it: char| it.is_ascii_digit()));
        it.path.split('/').find(is_version).map(str::to_owned)
    };
    let are_two = |a: Option<String>, b: Option<String>| a.is_some() && b.is_some() && a != b;
    let unnumbered = |it: &Statement| it.name.trim_end_matches(|it: char| it.is_ascii_digit() || it == '_').to_owned();
    let are_numbered = a.name != b.name && unnumbered(a) == unnumbered(b);
    let is_of_example = example(a).is_some() && a.kind == b.kind && a.span.source != b.span.source;
    example(a) != example(b) || is_of_example || are_numbered || are_two(version(a), version(b))
}

/// Whether two files have the same text.
fn is_copy(a: &Statement, b: &Statement, sources: &Sources) -> bool {
    a.span.source != b.span.source && text_of(a, sources) == text_of(b, sources)
}

/// The name, the place and the whole text: what copies have in common.
type Text<'s> = (&'s str, (usize, usize), &'s str);

fn text_of<'s>(it: &'s Statement, sources: &'s Sources) -> Text<'s> {
    let place = it.span.range();
    (&it.name, (place.start, place.end), sources.get(it.span.source).text())
}

/// Whether the names may be of one set: the states of a run are not its statuses. A machine, and a set without such a word,
/// fits both.
fn are_of_one_kind(a: &Statement, b: &Statement) -> bool {
    let kind = |it: &Statement| {
        let word = it.name.rsplit('_').map(singular).find(|it| ["state", "status", "phase", "stage"].contains(&it.as_str()));
        word.filter(|_| it.edges.is_empty())
    };
    match (kind(a), kind(b)) {
        (Some(a), Some(b)) => a == b,
        _ => true,
    }
}

/// Words that say nothing about the subject of a machine or of a set of states.
const GENERAL: &str = "state status lifecycle life cycle machine diagram table fsm enum kind type value code choice schema \
    the of and a an for in to v s cycle de vie d un une des le la les du et";

/// Words that say nothing about the subject of a machine either: its heading has them, and so has the name of its file.
const GENERAL_OF_MACHINES: &str = "transition flow workflow phase stage step valid allowed legal overview model design spec \
    specification doc readme index mod lib main src architecture guide reference event rule guard form list matrix section \
    behavior behaviour behavioral";

/// The words of the subject: of the name, or else of the file, or else of its folder.
fn subject(statement: &Statement) -> BTreeSet<String> {
    let path = statement.path.rsplit_once('.').map_or(statement.path.as_str(), |it| it.0);
    let parts = path.rsplit('/').take(3).map(|it| words(it, &|word| has(GENERAL, word) || has(GENERAL_OF_MACHINES, word)));
    std::iter::once(named_subject(statement)).chain(parts).find(|it| !it.is_empty()).unwrap_or_default()
}

/// The words of the subject in the name.
fn named_subject(statement: &Statement) -> BTreeSet<String> {
    match statement.edges.is_empty() {
        true => words(&statement.name, &|word| has(GENERAL, word) || matches!(word, "phase" | "stage")),
        false => words(&statement.name, &|word| has(GENERAL, word) || has(GENERAL_OF_MACHINES, word)),
    }
}

/// The words of a text that are not general.
fn words(text: &str, is_general: &dyn Fn(&str) -> bool) -> BTreeSet<String> {
    let plain: String = text.chars().map(|it| if it.is_alphanumeric() { it } else { '_' }).collect();
    let words = snake(&plain);
    let words = words.split('_').filter(|it| it.chars().any(char::is_alphabetic)).map(singular);
    words.filter(|it| !is_general(it)).collect()
}

fn has(list: &str, word: &str) -> bool {
    list.split(' ').any(|it| it == word)
}

/// A word without the ending of the plural.
fn singular(word: &str) -> String {
    match (word.strip_suffix("es"), word.strip_suffix('s')) {
        (Some(stem), _) if stem == "status" => stem.to_owned(),
        (_, Some(stem)) if stem.len() > 2 && !stem.ends_with(['s', 'u']) => stem.to_owned(),
        _ => word.to_owned(),
    }
}
