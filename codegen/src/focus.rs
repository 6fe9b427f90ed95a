//! A run about some files of a project: what they touch, and nothing else.

use std::collections::BTreeSet;

use statespec_lang::diagnostic::{Diagnostic, Level};
use statespec_lang::model::Model;
use statespec_lang::model::document::Subject;
use statespec_lang::output::Outputs;
use statespec_lang::source::{SourceId, Sources};

use crate::config::{Config, FILE};
use crate::marks;
use crate::sync::Run;

/// The files that a run is about.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Focus {
    files: BTreeSet<String>,
}

/// What the files of a focus touch.
pub(crate) struct Scope {
    /// The specs: those of the focus, and those that show or use them.
    specs: BTreeSet<SourceId>,
    files: BTreeSet<String>,
    regions: BTreeSet<String>,
}

impl Focus {
    /// A run about these files: specs, outputs and pages, by their paths in the project.
    pub fn new(files: impl IntoIterator<Item = String>) -> Self {
        Focus { files: files.into_iter().collect() }
    }

    /// Whether a file is one of those that the run is about.
    pub fn has(&self, path: &str) -> bool {
        self.files.contains(path)
    }

    /// What the files touch; `None` if that is everything, as after a change of the configuration, or if a spec is gone: which lists
    /// named what was in it, nothing says any more.
    pub(crate) fn scope(&self, config: &Config, sources: &Sources, model: &Model, outputs: &mut Outputs<'_>) -> Option<Scope> {
        let is_template = |file: &String| config.templates().any(|it| it.value == *file);
        let is_gone = |file: &String| is_spec(config, file) && sources.find(file).is_none();
        if self.files.iter().any(|it| it == FILE || is_template(it) || is_gone(it)) {
            return None;
        }
        let specs = touched(model, self.files.iter().filter_map(|it| sources.find(it)).collect());
        let about = |origin: Option<SourceId>, described: &BTreeSet<SourceId>| {
            origin.is_some_and(|it| specs.contains(&it)) || described.iter().any(|it| specs.contains(it))
        };
        let rendered = outputs.each_file(|path, origin, rendered| {
            // An output that cannot be rendered is reported.
            let is_about = rendered.map_or(true, |it| about(origin.map(|it| it.source), &it.specs));
            is_about.then(|| path.to_owned())
        });
        let mut files: BTreeSet<String> = rendered.into_iter().flatten().collect();
        files.extend(self.files.iter().cloned());
        let is_region = |name: &&String| {
            let pending = &outputs.regions[*name];
            pending.render().is_some_and(|it| about(pending.origin.map(|it| it.source), &it.specs))
        };
        let regions: BTreeSet<String> = outputs.regions.keys().filter(is_region).cloned().collect();
        let scope = Scope { specs, files, regions };
        self.narrow(&scope, outputs);
        Some(scope)
    }

    /// Leaves the other outputs out of the comparison; they are still known.
    fn narrow(&self, scope: &Scope, outputs: &mut Outputs<'_>) {
        let (kept, left_out) = std::mem::take(&mut outputs.files).into_iter().partition(|(path, _)| scope.files.contains(path));
        outputs.files = kept;
        outputs.others.files.extend(left_out.into_iter().map(|(path, _): (String, _)| path));
        // A page of the focus may have any region.
        let has_page = self.files.iter().any(|it| it.ends_with(".md") || it.ends_with(".markdown"));
        if !has_page {
            let (kept, left_out) = std::mem::take(&mut outputs.regions).into_iter().partition(|(name, _)| scope.regions.contains(name));
            outputs.regions = kept;
            outputs.others.regions.extend::<std::collections::BTreeMap<_, _>>(left_out);
        }
    }

    /// Whether a hand-written text is compared: it is one of the files, or names a machine that they touch.
    pub(crate) fn is_about_text(&self, config: &Config, sources: &Sources, model: &Model, path: &str, text: &[u8]) -> bool {
        let is_template = |file: &String| config.templates().any(|it| it.value == *file);
        let is_gone = |file: &String| is_spec(config, file) && sources.find(file).is_none();
        if self.files.iter().any(is_gone) {
            return true;
        }
        if self.files.contains(path) || self.files.iter().any(|it| it == FILE || is_template(it)) {
            return true;
        }
        let specs = touched(model, self.files.iter().filter_map(|it| sources.find(it)).collect());
        let mut machines = model.machines.iter().filter(|it| specs.contains(&it.source));
        let text = String::from_utf8_lossy(text);
        machines.any(|it| ["expect", "begin", "reviewed"].iter().any(|word| text.contains(&format!("statespec:{word} {}", it.name))))
    }

    /// Drops the findings about other files.
    pub(crate) fn keep(&self, scope: &Scope, run: &mut Run) {
        run.plan.findings.retain(|it| {
            match &it.region {
                _ if self.files.contains(&it.path) => true,
                // Texts in other languages that are about something else are not read.
                Some(region) => scope.regions.contains(region) || !marks::is_page(&it.path),
                None => scope.files.contains(&it.path),
            }
        });
        run.plan.warnings.retain(|(path, _)| self.files.contains(path));
    }
}

impl Scope {
    /// Drops the diagnostics of other specs, except errors: they stop everything.
    pub(crate) fn keep(&self, diagnostics: &mut Vec<Diagnostic>) {
        diagnostics.retain(|it| it.level == Level::Error && it.code.lint_level().is_none() || self.specs.contains(&it.primary.0.source));
    }
}

/// Whether a path is one of a spec.
fn is_spec(config: &Config, path: &str) -> bool {
    let has_extension = path.ends_with(".yaml") || path.ends_with(".yml");
    has_extension && config.role(path) == Some(crate::config::Role::Input)
}

/// Some specs, with the machines, systems and documents that use or show them.
fn touched(model: &Model, mut specs: BTreeSet<SourceId>) -> BTreeSet<SourceId> {
    let using = model.machines.iter().filter(|it| it.uses.iter().any(|it| specs.contains(it))).map(|it| it.source);
    specs.extend(using.collect::<Vec<_>>());
    let machine = |specs: &BTreeSet<SourceId>, idx: usize| model.machines.get(idx).is_some_and(|it| specs.contains(&it.source));
    for system in &model.systems {
        if system.parts.iter().any(|it| machine(&specs, it.machine)) {
            specs.insert(system.source);
        }
    }
    for document in &model.documents {
        let shows = |specs: &BTreeSet<SourceId>, subject: Subject| match subject {
            Subject::Machine(idx) => machine(specs, idx),
            Subject::System(idx) => model.systems.get(idx).is_some_and(|it| specs.contains(&it.source)),
        };
        if document.sections.iter().flat_map(|it| &it.views).any(|it| shows(&specs, it.subject)) {
            specs.insert(document.span.source);
        }
    }
    specs
}
