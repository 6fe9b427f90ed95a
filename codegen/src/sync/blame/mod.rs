//! Attributes outdated outputs to the lines of the specs that changed.
//!
//! The old spec is not known, only what it led to: the text on the disk. So a line of the spec is blamed only on evidence:
//!
//! - A name that an output should show and that no output shows yet is new: its declaration is blamed.
//! - So is a text or an expression of several words.
//! - A line that shows exactly one element of the spec, such as the row of a transition, has other words than before,
//!   and the element has these words; or the line is new, and so is the element.
//!
//! An output without evidence shares the cause of the other outputs of its spec, if they have exactly one.
//! Otherwise the spec is blamed without a line, and where several specs are possible, the output itself: a wrong line is
//! worse than none. This is so where something was removed from several places, after a reordering, and where another
//! version of the generator wrote the outputs.

mod changes;
mod leaves;
pub(super) mod words;

use std::collections::{BTreeMap, BTreeSet};

use statespec_lang::output::Blame;
use statespec_lang::source::{SourceId, Sources, Span};

use self::changes::{NewLine, new_lines};
use self::leaves::{Leaf, LeafKind, Leaves};
use self::words::{is_number, join, words};
use super::finding::{Finding, Kind, Place, Texts};

/// The number of leaves of a spec that are compared with the found texts. Where more are in question, the spec changed as a whole.
const MAX_LEAVES: usize = 200;

/// The number of causes in one spec. Where more are found, the spec is blamed without a line.
const MAX_CAUSES: usize = 20;

const NOT_YET: &str = "the generated text does not reflect this yet";

/// The first line of the found text that differs, counted from 1 in the file.
pub(super) fn drifted_line(texts: &Texts) -> Option<usize> {
    changes::first_line(&texts.found, &texts.expected).map(|idx| texts.first_line + idx)
}

/// A finding whose text differs, and the origin of the expected text.
pub(super) struct Drifted {
    /// The index of the finding.
    pub(super) finding_idx: usize,
    /// The specs that the output is generated from.
    pub(super) specs: BTreeSet<SourceId>,
    pub(super) blame: Blame,
}

/// Outputs that agree with the specs: their texts, and the elements that their lines show.
#[derive(Default)]
pub(super) struct UpToDate {
    texts: Vec<String>,
    elements: BTreeSet<Span>,
}

impl UpToDate {
    pub(super) fn push(&mut self, text: &str, blame: &Blame) {
        self.texts.push(join(&words(text)));
        let lines: BTreeSet<&str> = text.lines().map(str::trim).collect();
        self.elements.extend(blame.lines().filter(|(line, _)| lines.contains(line)).map(|(_, span)| span));
    }
}

/// Finds the places of outdated outputs, and the elements that edited lines show.
pub(super) fn attribute(
    drifted: &[Drifted],
    findings: &mut [Finding],
    sources: &Sources,
    up_to_date: impl FnOnce(&BTreeSet<SourceId>) -> UpToDate,
) {
    let is = |it: &&Drifted, kind: Kind| findings.get(it.finding_idx).is_some_and(|it| it.kind == kind);
    let stale: Vec<&Drifted> = drifted.iter().filter(|it| is(it, Kind::Stale)).collect();
    let edited: Vec<&Drifted> = drifted.iter().filter(|it| is(it, Kind::Edited)).collect();
    let specs: BTreeSet<SourceId> = drifted.iter().flat_map(|it| it.specs.iter().copied()).collect();
    let leaves: BTreeMap<SourceId, Leaves> = specs.iter().map(|id| (*id, Leaves::read(sources, *id))).collect();
    let mut places: Vec<(usize, Places)> = Vec::new();
    if !stale.is_empty() {
        let stale_specs = stale.iter().flat_map(|it| it.specs.iter().copied()).collect();
        let mut evidence = Evidence::new(&leaves, up_to_date(&stale_specs));
        for it in &stale {
            evidence
                .old
                .extend(texts_of(findings, it).map(|texts| Old { words: join(&words(&texts.found)), specs: Some(it.specs.clone()) }));
        }
        places = causes(&stale, findings, sources, &mut evidence);
    }
    for it in edited {
        let mut evidence = Evidence::new(&leaves, UpToDate::default());
        let Some(texts) = texts_of(findings, it) else { continue };
        evidence.old.push(Old { words: join(&words(&texts.found)), specs: None });
        findings[it.finding_idx].shows = evidence.shown(it, texts);
    }
    for (finding_idx, places) in places {
        findings[finding_idx].places = places;
    }
}

/// Places, each with the first line of the output that differs for this reason.
type Places = Vec<(Place, Option<usize>)>;

fn texts_of<'a>(findings: &'a [Finding], drifted: &Drifted) -> Option<&'a Texts> {
    findings.get(drifted.finding_idx)?.texts.as_ref()
}

/// The places of each outdated output.
fn causes(stale: &[&Drifted], findings: &[Finding], sources: &Sources, evidence: &mut Evidence<'_>) -> Vec<(usize, Places)> {
    let sole: BTreeSet<SourceId> = stale.iter().filter(|it| it.specs.len() == 1).filter_map(|it| it.specs.first().copied()).collect();
    let mut spans: Vec<BTreeMap<Span, usize>> = Vec::new();
    for it in stale {
        let is_sole = it.specs.iter().any(|it| sole.contains(it));
        spans.push(texts_of(findings, it).map(|texts| evidence.of(it, texts, is_sole)).unwrap_or_default());
    }
    // Words that are gone from the lines of one element alone were a part of it.
    for (spec, elements) in &evidence.reduced {
        let has_other = spans.iter().flat_map(BTreeMap::keys).any(|it| it.source == *spec);
        if let (false, Some((element, outputs)), 1) = (has_other, elements.first_key_value(), elements.len()) {
            for (spans, it) in spans.iter_mut().zip(stale) {
                spans.extend(outputs.get(&it.finding_idx).map(|line| (*element, *line)));
            }
        }
    }
    let by_line = by_line(&spans, sources);
    let line = |span: &Span| (span.source, sources.get(span.source).line_column(span.start as usize).0);
    // Outputs of one spec alone prove that this spec changed.
    let changed: BTreeSet<SourceId> = by_line.keys().map(|it| it.0).chain(sole).collect();
    let of_output = |(it, spans): (&&Drifted, &BTreeMap<Span, usize>)| {
        let first_line = texts_of(findings, it).map_or(1, |it| it.first_line);
        let mut found: BTreeMap<Span, Option<usize>> = BTreeMap::new();
        for (span, idx) in spans {
            if let Some(whole) = by_line.get(&line(span)) {
                let known = found.entry(*whole).or_insert(Some(first_line + idx));
                *known = (*known).min(Some(first_line + idx));
            }
        }
        let drifted_line = findings.get(it.finding_idx).and_then(|it| it.drifted_line);
        if found.is_empty() {
            let possible: Vec<Span> = by_line.values().copied().filter(|span| it.specs.contains(&span.source)).collect();
            found.extend(possible.first().filter(|_| possible.len() == 1).map(|it| (*it, drifted_line)));
        }
        let mut places: Places = found.into_iter().map(|(span, line)| (Place::Spec(span, NOT_YET), line)).collect();
        if places.is_empty() {
            let possible: Vec<&SourceId> = it.specs.iter().filter(|it| changed.contains(it)).collect();
            places.extend(possible.first().filter(|_| possible.len() == 1).map(|it| (Place::WholeSpec(**it), drifted_line)));
        }
        (it.finding_idx, places)
    };
    stale.iter().zip(&spans).map(of_output).collect()
}

/// One span for each line with a cause. A spec with too many causes has none.
fn by_line(spans: &[BTreeMap<Span, usize>], sources: &Sources) -> BTreeMap<(SourceId, usize), Span> {
    let mut by_line: BTreeMap<(SourceId, usize), Span> = BTreeMap::new();
    for span in spans.iter().flat_map(BTreeMap::keys) {
        let line = sources.get(span.source).line_column(span.start as usize).0;
        let whole = by_line.entry((span.source, line)).or_insert(*span);
        *whole = Span { start: whole.start.min(span.start), end: whole.end.max(span.end), ..*whole };
    }
    let n_causes = |spec: SourceId| by_line.keys().filter(|it| it.0 == spec).count();
    let too_many: BTreeSet<SourceId> = by_line.keys().map(|it| it.0).filter(|it| n_causes(*it) > MAX_CAUSES).collect();
    by_line.retain(|(spec, _), _| !too_many.contains(spec));
    by_line
}

/// A text that was generated from an earlier version of some specs, or that did not change with them.
struct Old {
    words: String,
    /// The specs; `None` for all of them.
    specs: Option<BTreeSet<SourceId>>,
}

/// What the texts on the disk say about the earlier versions of the specs.
struct Evidence<'a> {
    leaves: &'a BTreeMap<SourceId, Leaves>,
    old: Vec<Old>,
    /// Elements that a line of an up-to-date output shows.
    unchanged: BTreeSet<Span>,
    /// Whether a leaf occurs in none of the old texts.
    is_new: BTreeMap<Span, bool>,
    /// The elements with lines that only lost words, and where: the findings, each with the line of its text.
    reduced: BTreeMap<SourceId, BTreeMap<Span, BTreeMap<usize, usize>>>,
}

impl<'a> Evidence<'a> {
    fn new(leaves: &'a BTreeMap<SourceId, Leaves>, up_to_date: UpToDate) -> Self {
        let old = up_to_date.texts.into_iter().map(|words| Old { words, specs: None }).collect();
        Evidence { leaves, old, unchanged: up_to_date.elements, is_new: BTreeMap::new(), reduced: BTreeMap::new() }
    }

    /// The parts of the specs that the new lines of an output come from, each with a line of the found text. `may_add` says
    /// whether a line that replaces none shows that its element is new; a page that a document lays out can also show more of
    /// an old spec.
    fn of(&mut self, drifted: &Drifted, texts: &Texts, may_add: bool) -> BTreeMap<Span, usize> {
        let expected = join(&words(&texts.expected));
        let mut found = BTreeMap::new();
        for line in new_lines(&texts.found, &texts.expected) {
            let element = drifted.blame.find(&line.text).filter(|it| !self.unchanged.contains(it));
            let mut spans = self.new_names(drifted, &line);
            if spans.is_empty() && may_add && !line.replaces {
                spans.extend(element);
            }
            if spans.is_empty() {
                spans = self.new_texts(drifted, &line, &expected);
            }
            if let (true, true, Some(element)) = (spans.is_empty(), line.replaces, element) {
                spans.extend(self.changed_part(drifted, element, &line));
            }
            for span in spans {
                found.entry(span).or_insert(line.found_idx);
            }
        }
        found
    }

    /// The element that the edited lines of an output should show; `None` if there are several.
    fn shown(&mut self, drifted: &Drifted, texts: &Texts) -> Option<Span> {
        let expected = join(&words(&texts.expected));
        let mut found = BTreeSet::new();
        for line in new_lines(&texts.found, &texts.expected) {
            match drifted.blame.find(&line.text) {
                Some(element) => found.extend([element]),
                None => found.extend(self.new_texts(drifted, &line, &expected)),
            }
        }
        found.first().copied().filter(|_| found.len() == 1)
    }

    /// The declarations of the names in a line that no old text has.
    fn new_names(&mut self, drifted: &Drifted, line: &NewLine) -> Vec<Span> {
        let mut by_name: BTreeMap<&str, Vec<&Leaf>> = BTreeMap::new();
        for leaf in self.candidates(drifted, line) {
            if leaf.kind == LeafKind::Name && line.joined.contains(&leaf.joined) && self.is_new(leaf) {
                by_name.entry(&leaf.joined).or_default().push(leaf);
            }
        }
        let declaration = |leaves: Vec<&Leaf>| {
            let declared: Vec<&&Leaf> = leaves.iter().filter(|it| it.declares).collect();
            match (declared.as_slice(), leaves.as_slice()) {
                ([one], _) => Some(one.span),
                ([], [one]) => Some(one.span),
                _ => None,
            }
        };
        by_name.into_values().filter_map(declaration).collect()
    }

    /// The texts that an output should show, of which a line has words, and that no old text has.
    fn new_texts(&mut self, drifted: &Drifted, line: &NewLine, expected: &str) -> Vec<Span> {
        let candidates = self.candidates(drifted, line).into_iter();
        candidates.filter(|it| it.kind == LeafKind::Text && expected.contains(&it.joined) && self.is_new(it)).map(|it| it.span).collect()
    }

    /// The part of an element that has the new words of its line.
    fn changed_part(&mut self, drifted: &Drifted, element: Span, line: &NewLine) -> Option<Span> {
        let leaves = self.leaves.get(&element.source)?;
        let is_known = |word: &&String| !leaves.with(word).is_empty();
        if line.inserted.is_empty() {
            if !line.deleted.is_empty() {
                let outputs = self.reduced.entry(element.source).or_default().entry(element).or_default();
                outputs.entry(drifted.finding_idx).or_insert(line.found_idx);
            }
            return None;
        }
        // A name that is gone altogether was renamed somewhere else.
        let own: Vec<&Leaf> = leaves.of(element).collect();
        let has = |word: &String| own.iter().any(|it| it.words.contains(word));
        let is_explained = line.inserted.iter().filter(is_known).all(has) && line.deleted.iter().all(|it| is_number(it) || is_known(&it));
        let with_new_words: Vec<&&Leaf> = own.iter().filter(|it| line.inserted.iter().any(|word| it.words.contains(word))).collect();
        match with_new_words.as_slice() {
            _ if !is_explained => None,
            [] => None,
            [one] => Some(one.span),
            _ => Some(element),
        }
    }

    /// The leaves that have a new word of a line.
    fn candidates(&self, drifted: &Drifted, line: &NewLine) -> Vec<&'a Leaf> {
        let mut found = Vec::new();
        for leaves in drifted.specs.iter().filter_map(|it| self.leaves.get(it)) {
            let mut positions: Vec<usize> = line.inserted.iter().flat_map(|it| leaves.with(it)).copied().collect();
            positions.sort_unstable();
            positions.dedup();
            found.extend(positions.into_iter().map(|idx| &leaves.list[idx]));
        }
        found
    }

    /// Whether no old text has the leaf.
    fn is_new(&mut self, leaf: &Leaf) -> bool {
        if let Some(known) = self.is_new.get(&leaf.span) {
            return *known;
        }
        if self.is_new.keys().filter(|it| it.source == leaf.span.source).count() >= MAX_LEAVES {
            return false;
        }
        let is_about = |old: &&Old| old.specs.as_ref().is_none_or(|it| it.contains(&leaf.span.source));
        let is_new = !self.old.iter().filter(is_about).any(|old| old.words.contains(&leaf.joined));
        self.is_new.insert(leaf.span, is_new);
        is_new
    }
}
