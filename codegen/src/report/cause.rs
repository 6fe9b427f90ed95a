//! Findings grouped by what causes them.

use std::collections::BTreeMap;

use statespec_lang::source::{SourceId, Sources};

use crate::sync::{Finding, Kind, Place};

/// What causes some findings: a line of a spec, a spec, or the output of a single finding.
pub(super) struct Cause<'a> {
    /// The kind of all findings.
    pub(super) kind: Kind,
    /// The place in a spec or page; `None` if the output itself is the place.
    pub(super) place: Option<&'a Place>,
    /// The findings, at least one, each with the first line of its file that differs for this reason.
    pub(super) findings: Vec<(&'a Finding, Option<usize>)>,
}

impl Cause<'_> {
    /// The problem, in one sentence without a final full stop.
    pub(super) fn message(&self) -> String {
        let several = match self.kind {
            Kind::Missing => "are missing",
            Kind::Stale => "are out of date",
            Kind::Orphaned => "have no spec any more",
            Kind::Edited | Kind::Marker | Kind::UnknownRegion => "need attention",
        };
        match self.findings.as_slice() {
            [] => String::new(),
            [(one, _)] => one.message.clone(),
            [(first, _), _] => format!("{} and 1 more output {several}", first.path),
            [(first, _), rest @ ..] => format!("{} and {} more outputs {several}", first.path, rest.len()),
        }
    }
}

/// One cause for each line of a spec, in the order of the first of its findings.
pub(super) fn causes<'a>(findings: &[&'a Finding], sources: &Sources) -> Vec<Cause<'a>> {
    let mut causes: Vec<Cause<'a>> = Vec::new();
    let mut known: BTreeMap<(Kind, SourceId, Option<usize>), usize> = BTreeMap::new();
    for &finding in findings {
        let kind = finding.kind;
        if finding.places.is_empty() {
            causes.push(Cause { kind, place: None, findings: vec![(finding, finding.drifted_line)] });
        }
        for (place, line) in &finding.places {
            let key = match place {
                Place::Spec(span, _) => Some((kind, span.source, Some(sources.get(span.source).line_column(span.start as usize).0))),
                Place::WholeSpec(spec) => Some((kind, *spec, None)),
                Place::Page(_) => None,
            };
            match key.and_then(|it| known.get(&it)).and_then(|it| causes.get_mut(*it)) {
                Some(cause) => cause.findings.push((finding, *line)),
                None => {
                    known.extend(key.map(|it| (it, causes.len())));
                    causes.push(Cause { kind, place: Some(place), findings: vec![(finding, *line)] });
                }
            }
        }
    }
    causes
}
