//! Attributes each difference to a line of a spec.
//!
//! An output records which words refer to which element of a spec. The first differing line with enough
//! identifying words determines the element. Where no line has enough, as in JSON with one word a line, outputs
//! that became stale together share their results: a certain attribution is applied to the uncertain ones.

use std::collections::{BTreeMap, BTreeSet};

use super::finding::{Finding, Kind, Place, Texts};
use super::{diff, header, marker};
use crate::output::{Blame, BlameEntry};
use crate::source::{SourceId, Sources, Span};

/// The number of differing lines that are examined.
const MAX_LINES: usize = 200;

/// The distance within which a line is searched that identifies one of two specs.
const NEIGHBOURHOOD: usize = 40;

/// The length from which a single word identifies an element as well as two words do.
const TELLING_WORD: usize = 20;

const NOT_YET: &str = "the output does not reflect this yet";

/// The spec element that a difference comes from, and the certainty of that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Attribution {
    span: Option<Span>,
    label: &'static str,
    /// Whether the line has enough identifying words.
    is_telling: bool,
    /// Other elements that the line matches equally well.
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

/// The attribution of one finding: to the first differing line that identifies an element, else to the first
/// differing line, else to the output as a whole.
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

/// Two machines of one page may have the same edge. The nearest line that only one of them can have
/// produced decides between them.
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

/// Lines that are not derived from any spec.
fn is_ours(line: &str) -> bool {
    line.contains(header::MARK) || line.contains(header::PLEA) || marker::looks_like_marker(line)
}

/// A finding and its attribution.
#[derive(Debug)]
pub(super) struct AttributedFinding {
    /// The index of the finding.
    pub(super) finding_idx: usize,
    pub(super) attribution: Attribution,
    /// The specs that the output is generated from.
    pub(super) specs: BTreeSet<SourceId>,
}

/// Copies certain attributions to uncertain ones with the same specs.
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
