//! What an exploration found, as annotations.

use statespec_explore::{Bound, Finding};
use statespec_lang::diagnostic::{Code, Diagnostic};
use statespec_lang::source::Sources;

use super::Annotation;

impl Annotation {
    /// The annotation of an exploration finding.
    pub fn of_exploration(sources: &Sources, finding: &Finding) -> Self {
        let annotation = Annotation::of_diagnostic(sources, &Diagnostic::new(finding.code, finding.span, finding.message.clone()));
        let trace = finding.trace.as_ref().map(|it| it.steps.iter().map(|step| step.text()).collect());
        Annotation { way: trace.unwrap_or_default(), ..annotation }
    }

    /// The annotation of something that an exploration left out.
    pub fn of_bound(sources: &Sources, bound: &Bound) -> Self {
        let annotation = Annotation::of_diagnostic(sources, &Diagnostic::new(Code::ExploreBounded, bound.span, bound.message.clone()));
        Annotation { help: bound.help.clone(), ..annotation }
    }
}
