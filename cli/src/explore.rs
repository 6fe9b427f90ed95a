//! `explore`: all reachable configurations.

use statespec_codegen::report::{Annotation, Report, Status};
use statespec_explore::{Limit, Limits, explore, subject, subjects};
use statespec_rust::root::Root;

use crate::args::ExploreArgs;

/// Explores, and returns the report or the reason of a failure.
pub(crate) fn run(root: &Root, args: &ExploreArgs) -> Result<Report, Report> {
    let project = crate::open(root)?;
    let loaded = crate::load(&project)?;
    let model = crate::model(&loaded)?;
    let wanted = match &args.name {
        None => subjects(model),
        Some(name) => vec![subject(model, name).ok_or_else(|| crate::export::unknown(&project, model, name, true))?],
    };
    let instances = args.instances.iter().cloned().collect();
    let mut limits = Limits { instances, late_timers: args.late_timers, ..Limits::default() };
    limits.max_states = args.max_states.unwrap_or(limits.max_states);
    let _progress = crate::progress::start("exploring");
    let mut report = Report::clean("");
    for subject in wanted {
        let found = explore(model, subject, &limits).map_err(|error| Report::of_misuse(&format!("{}: {error}", subject.name())))?;
        let asked = args.max_states.is_some() && found.bounds.iter().all(|it| it.limit == Limit::States);
        report.status = match report.status {
            _ if found.has_faults() => Status::Findings,
            Status::Clean | Status::BoundedAsAsked if !found.is_complete() && !asked => Status::Bounded,
            Status::Clean if !found.is_complete() => Status::BoundedAsAsked,
            status => status,
        };
        if !report.text.is_empty() {
            report.text.push('\n');
        }
        report.text.push_str(&found.text(&loaded.sources));
        if args.walkthroughs {
            report.text.push_str(&found.walkthroughs());
        }
        report.annotations.extend(found.bounds.iter().map(|it| Annotation::of_bound(&loaded.sources, it)));
        report.annotations.extend(found.findings.iter().map(|it| Annotation::of_exploration(&loaded.sources, it)));
    }
    Ok(report)
}
