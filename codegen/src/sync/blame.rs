//! Which line of which spec is to blame for a difference.
//!
//! An output knows which words stand for which element of a spec. The first line that differs and
//! has words enough to be sure of decides. Where none has, as in JSON with its one word a line, the
//! outputs that became stale together help each other: what one is sure of, the others believe.

use std::collections::{BTreeMap, BTreeSet};

use super::finding::{Finding, Kind, Place, Texts};
use super::{diff, header, marker};
use crate::output::{Blame, BlameEntry};
use crate::source::{SourceId, Sources, Span};

/// How many differing lines are looked at.
const MAX_LINES: usize = 200;

/// How far around a line to look for one that says which of two specs is meant.
const NEIGHBOURHOOD: usize = 40;

/// A single word this long is as good as two.
const TELLING_WORD: usize = 20;

const NOT_YET: &str = "the output does not reflect this yet";

/// The spec element that a difference comes from, and how sure that is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Attribution {
    span: Option<Span>,
    label: &'static str,
    /// Whether the line has words enough.
    is_telling: bool,
    /// What the line speaks of just as well.
    others: Vec<Span>,
}

impl Attribution {
    fn is_sure(&self) -> bool {
        self.is_telling && self.others.is_empty()
    }

    pub(super) fn place(&self) -> Option<Place> {
        self.span.map(|span| Place::Spec(span, self.label))
    }
}

/// The attribution of one finding: for the first line that differs and is telling, then for the first that
/// differs, then for the output as a whole.
pub(super) fn attribute(kind: Kind, texts: &Texts, origin: Option<Span>, blame: impl FnOnce() -> Blame) -> Attribution {
    let whole = Attribution { span: origin, label: "comes from here", is_telling: false, others: Vec::new() };
    if kind == Kind::Missing {
        return whole;
    }
    let changed = diff::changed(&texts.found, &texts.expected);
    let label = if kind == Kind::Stale { NOT_YET } else { "the output differs here" };
    let blame = blame();
    let expected = find(&diff::lines(&texts.expected), &changed.expected, &blame, label);
    let found = || find(&diff::lines(&texts.found), &changed.found, &blame, "the output contains more than this");
    expected.or_else(found).unwrap_or(whole)
}

fn find(lines: &[&str], changed: &[usize], blame: &Blame, label: &'static str) -> Option<Attribution> {
    let mut first = None;
    for &idx in changed.iter().filter(|idx| !is_ours(lines[**idx])).take(MAX_LINES) {
        let best = blame.best(lines[idx]);
        let Some(BlameEntry { words, .. }) = best.first() else { continue };
        let is_telling = words.len() > 1 || words.iter().any(|it| it.chars().count() >= TELLING_WORD);
        let span = in_context(lines, idx, &best, blame);
        let others = best.iter().map(|it| it.span).filter(|it| it.source == span.source && *it != span).collect();
        let attribution = Attribution { span: Some(span), label, is_telling, others };
        if is_telling {
            return Some(attribution);
        }
        first.get_or_insert(attribution);
    }
    first
}

/// Two machines of one page may have the same edge. The nearest line that only one of them can
/// have said tells which is meant.
fn in_context(lines: &[&str], idx: usize, best: &[BlameEntry<'_>], blame: &Blame) -> Span {
    let first = best[0].span;
    let sources = sources_of(best);
    if sources.len() < 2 {
        return first;
    }
    for distance in 1..=NEIGHBOURHOOD {
        let around = [idx.checked_sub(distance), Some(idx + distance)];
        for line in around.into_iter().flatten().filter_map(|it| lines.get(it)) {
            let near = sources_of(&blame.best(line));
            if let (1, Some(source)) = (near.len(), near.first())
                && let Some(it) = best.iter().find(|it| it.span.source == *source)
            {
                return it.span;
            }
        }
    }
    first
}

fn sources_of(entries: &[BlameEntry<'_>]) -> BTreeSet<SourceId> {
    entries.iter().map(|it| it.span.source).collect()
}

/// Lines that no spec is to blame for.
fn is_ours(line: &str) -> bool {
    line.contains(header::MARK) || line.contains(header::PLEA) || marker::looks_like_marker(line)
}

/// A finding, and what it comes from.
#[derive(Debug)]
pub(super) struct AttributedFinding {
    /// Where the finding stands.
    pub(super) finding_idx: usize,
    pub(super) attribution: Attribution,
    /// The specs that the output comes from.
    pub(super) specs: BTreeSet<SourceId>,
}

/// Lets those who are sure speak for those who are not, where they come from the same specs.
pub(super) fn agree(attributed: &[AttributedFinding], findings: &mut [Finding], sources: &Sources) {
    let is_stale = |it: &&AttributedFinding| findings[it.finding_idx].kind == Kind::Stale;
    let stale: Vec<&AttributedFinding> = attributed.iter().filter(is_stale).collect();
    let mut support: BTreeMap<(SourceId, usize), (usize, Span)> = BTreeMap::new();
    let line = |span: Span| (span.source, sources.get(span.source).line_column(span.start as usize).0);
    for span in stale.iter().filter(|it| it.attribution.is_sure()).filter_map(|it| it.attribution.span) {
        support.entry(line(span)).or_insert((0, span)).0 += 1;
    }
    for finding in stale.into_iter().filter(|it| !it.attribution.is_sure()) {
        let attribution = &finding.attribution;
        let candidates: BTreeSet<_> = attribution.span.iter().chain(&attribution.others).map(|span| line(*span)).collect();
        let may_be = |place: &(SourceId, usize)| match attribution.is_telling {
            true => candidates.contains(place),
            false => finding.specs.contains(&place.0),
        };
        let known = support.iter().filter(|(place, _)| may_be(place)).rev();
        if let Some((_, (_, span))) = known.max_by_key(|(_, (n_findings, _))| *n_findings) {
            findings[finding.finding_idx].place = Some(Place::Spec(*span, NOT_YET));
        }
    }
}
