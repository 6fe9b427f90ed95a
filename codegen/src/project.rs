//! A project: its root, its configuration, and all outputs generated from its specs.
//!
//! The command line, the maintenance tasks of this repository and the tests all use [`Project`].

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use statespec_lang::chars::visible;
use statespec_lang::check::check;
use statespec_lang::diagnostic::{Code, Diagnostic, Diagnostics, Style};
use statespec_lang::lower::{Loaded, load};
use statespec_lang::model::Model;
use statespec_lang::output::{Generated, Outputs};
use statespec_lang::source::{Sources, Span};
use statespec_rust::root::{Root, SPECS};

use crate::backend::{Backend, Job, code};
use crate::config::{self, Config};
use crate::expect::{self, Guarded};
use crate::focus::Focus;
use crate::registry::BACKENDS;
use crate::report::{Format, RenderOptions, Report, Status};
use crate::sync::{self, Failure, Mode};

/// A project on the disk.
#[derive(Debug, Clone)]
pub struct Project {
    /// The folder that all paths are relative to, and how it was found.
    pub root: Root,
    /// The outputs and their places.
    pub config: Config,
    /// Orphans that a run removes although a person wrote or edited them, each by its path.
    pub remove: Vec<String>,
    /// Whether a run that writes records that texts with `statespec:reviewed` were read again.
    pub accept: bool,
    /// The files that a run is about; all if there is none.
    pub focus: Option<Focus>,
    /// The configuration and the templates as read; diagnostics about them refer to these files.
    pub files: Sources,
}

/// The reasons why a project cannot be used, all at once.
#[derive(Debug)]
pub struct Unusable {
    /// The files that the diagnostics refer to.
    pub files: Sources,
    /// The errors in the configuration or in a template.
    pub diagnostics: Vec<Diagnostic>,
    /// The files that could not be read.
    pub failures: Vec<Failure>,
}

impl Unusable {
    /// All reasons as the report of a run.
    pub fn report(&self, style: Style) -> Report {
        Report::of_failures(&self.failures, style).after(&self.files, &self.diagnostics, style)
    }
}

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.report(Style::Plain).print(Format::Text))
    }
}

impl std::error::Error for Unusable {}

/// Outputs that a program adds to those of a project.
#[derive(Debug, Clone, Default)]
pub struct Extras {
    /// Whole files and regions.
    pub generated: Generated,
    /// Folders and files that contain these outputs besides hand-written ones.
    pub places: Vec<String>,
}

impl Extras {
    /// Combines these outputs with others.
    pub fn add_to(self, mut generated: Generated) -> Generated {
        generated.files.extend(self.generated.files);
        generated.files.sort_by(|a, b| a.path.cmp(&b.path));
        generated.regions.extend(self.generated.regions);
        generated
    }
}

impl Project {
    /// A project whose configuration is not in a file. It has no templates: only [`Project::open`] reads them.
    pub fn new(root: impl Into<Root>, config: Config) -> Project {
        Project { root: root.into(), config, remove: Vec::new(), accept: false, focus: None, files: Sources::default() }
    }

    /// Reads the configuration of the project in `root`, if it has one, and its templates.
    ///
    /// # Errors
    ///
    /// All errors in the configuration, and all templates that cannot be read.
    pub fn open(root: impl Into<Root>) -> Result<Project, Box<Unusable>> {
        Project::open_with(root, BACKENDS)
    }

    /// As [`Project::open`], for a project that can have these backends.
    ///
    /// # Errors
    ///
    /// Those of [`Project::open`].
    pub fn open_with(root: impl Into<Root>, backends: &[&'static dyn Backend]) -> Result<Project, Box<Unusable>> {
        let root = root.into();
        let mut files = Sources::default();
        let mut diagnostics = Diagnostics::default();
        let mut failures = Vec::new();
        let config = match sync::read(&root.folder, config::FILE) {
            Ok(None) => Some(Config::usual(backends)),
            Ok(Some(text)) => {
                let id = files.add(config::FILE, &text);
                config::read(&files, id, backends, &mut diagnostics)
            }
            Err(failure) => {
                failures.push(failure);
                None
            }
        };
        for template in config.iter().flat_map(Config::templates) {
            if files.find(&template.value).is_some() {
                continue;
            }
            match sync::read(&root.folder, &template.value) {
                Ok(Some(text)) => _ = files.add(template.value.clone(), &text),
                Ok(None) => {
                    let message = format!("there is no file `{}`", template.value);
                    let help = format!("paths start at the project's root: {root}");
                    diagnostics.push(Diagnostic::new(Code::ConfigInvalid, template.span, message).help(help));
                }
                Err(failure) => failures.push(failure),
            }
        }
        let diagnostics = diagnostics.finish();
        match config {
            Some(config) if diagnostics.is_empty() && failures.is_empty() => Ok(Project { files, ..Project::new(root, config) }),
            _ => Err(Box::new(Unusable { files, diagnostics, failures })),
        }
    }

    /// The command named in headers and messages. It depends only on the contents of the project.
    pub fn command(&self) -> String {
        match &self.config.command {
            Some(command) => command.clone(),
            None if self.root.folder.join("Cargo.toml").exists() => "cargo statespec gen".into(),
            None => "statespec gen".into(),
        }
    }

    /// Reads all specs.
    ///
    /// # Errors
    ///
    /// Every file that cannot be read; and a project without any spec and without a configuration. Errors *in* a spec are part of
    /// the result.
    pub fn load(&self) -> Result<Loaded, Vec<Failure>> {
        if self.is_without_specs() {
            return Ok(load(&[]));
        }
        sync::read_specs_in(&self.root, &self.config.specs).map(|it| load(&it))
    }

    /// Whether the project has a configuration that names no specs, and none in the usual place: it checks what people wrote.
    fn is_without_specs(&self) -> bool {
        let is_usual = self.config.specs.as_slice() == [SPECS];
        is_usual && self.root.folder.join(config::FILE).exists() && !self.root.folder.join(SPECS).exists()
    }

    /// All outputs of the project for its model, each text rendered on demand.
    ///
    /// The user's own templates are rendered at once: even the paths of their outputs are templates.
    ///
    /// # Errors
    ///
    /// Templates that cannot be rendered.
    pub fn outputs<'a>(&'a self, sources: &'a Sources, model: &'a Model) -> Result<Outputs<'a>, Box<Unusable>> {
        if self.is_without_specs() {
            return Ok(Outputs::default());
        }
        let mut unsupported: Vec<Diagnostic> = Vec::new();
        for diagnostic in self.config.configured().flat_map(|(_, it)| it.unsupported(model)) {
            if !unsupported.contains(&diagnostic) {
                unsupported.push(diagnostic);
            }
        }
        if !unsupported.is_empty() {
            return Err(Box::new(Unusable { files: sources.clone(), diagnostics: unsupported, failures: Vec::new() }));
        }
        let mut diagnostics = Diagnostics::default();
        let mut outputs = Outputs::default();
        let job = Job { sources, model, files: &self.files, backends: &self.config.backends };
        for (backend, configured) in self.config.configured() {
            let made = configured.outputs(job, &mut diagnostics);
            if self.config.scope.contains(backend.name()) {
                outputs.files.extend(made.files);
            } else {
                // Outputs of other kinds are not orphans, whatever the scope of this run.
                outputs.others.files.extend(made.files.into_iter().map(|(path, _)| path));
            }
            // Pages have the regions of all backends.
            let regions = if self.config.has_pages() { &mut outputs.regions } else { &mut outputs.others.regions };
            regions.extend(made.regions);
        }
        let using = model.machines.iter().filter(|it| !it.uses.is_empty());
        let mut outputs = outputs.with_shared(using.map(|it| (it.source, it.uses.clone())).collect());
        outputs.sort();
        let diagnostics = diagnostics.finish();
        if !diagnostics.is_empty() {
            return Err(Box::new(Unusable { files: self.files.clone(), diagnostics, failures: Vec::new() }));
        }
        let (diagnostics, failures) = collisions(sources, &outputs);
        if diagnostics.is_empty() && failures.is_empty() {
            Ok(outputs)
        } else {
            Err(Box::new(Unusable { files: sources.clone(), diagnostics, failures }))
        }
    }

    /// All of [`Project::outputs`], rendered.
    ///
    /// # Errors
    ///
    /// Those of [`Project::outputs`], and emitted tokens that are not valid Rust, which no spec should cause.
    pub fn generate(&self, sources: &Sources, model: &Model) -> Result<Generated, Box<Unusable>> {
        self.outputs(sources, model)?.render().map_err(|errors| {
            let failures = errors.iter().map(|(path, error)| Failure::not_rust(path, error)).collect();
            Box::new(Unusable { files: self.files.clone(), diagnostics: Vec::new(), failures })
        })
    }

    /// The places of outputs on the disk.
    pub fn places(&self) -> sync::Config {
        sync::Config {
            root: self.root.folder.clone(),
            owned: self.config.owned.clone(),
            shared: self.config.shared(),
            command: self.command(),
            remove: self.remove.clone(),
        }
    }

    /// What the lints find, and what the sections of outputs make visible.
    pub fn findings(&self, model: &Model) -> Vec<Diagnostic> {
        let mut findings = check(model, &self.config.levels);
        findings.extend(self.config.configured().flat_map(|(_, it)| it.findings(model)));
        findings
    }

    /// Reads all specs, checks them, generates the outputs, and writes, checks or shows them.
    pub fn run(&self, extras: impl FnOnce(&Model) -> Result<Extras, Failure>, mode: Mode, options: RenderOptions) -> Report {
        let loaded = match self.load() {
            Ok(loaded) => loaded,
            Err(failures) => return Report::of_failures(&failures, options.style),
        };
        let mut diagnostics = loaded.diagnostics;
        let mut sources = loaded.sources;
        let report = match &loaded.model {
            None => Report::stopped("nothing was generated: fix the specs first\n"),
            Some(model) => {
                diagnostics.extend(self.findings(model));
                let texts = self.texts(&sources, model);
                let report = self.sync(&sources, model, &mut diagnostics, extras, &texts, (mode, options));
                self.hand_written(&mut sources, model, &mut diagnostics, texts, mode, report)
            }
        };
        report.after(&sources, &diagnostics, options.style)
    }

    fn sync(
        &self,
        sources: &Sources,
        model: &Model,
        diagnostics: &mut Vec<Diagnostic>,
        extras: impl FnOnce(&Model) -> Result<Extras, Failure>,
        texts: &HandWritten,
        (mode, options): (Mode, RenderOptions),
    ) -> Report {
        let extras = extras(model);
        let mut outputs = match self.outputs(sources, model) {
            Ok(outputs) => outputs,
            Err(unusable) => return unusable.report(options.style),
        };
        let extras = match &extras {
            Ok(extras) => extras,
            Err(failure) => return Report::of_failures(std::slice::from_ref(failure), options.style),
        };
        let mut added = Outputs::from(&extras.generated);
        if !self.config.has_pages() {
            added.others.regions = std::mem::take(&mut added.regions);
        }
        outputs.extend(added);
        outputs.sort();
        let mut places = self.places();
        places.shared.extend(extras.places.iter().cloned());
        let focus = self.focus.as_ref();
        let focus = focus.and_then(|it| Some((it, it.scope(&self.config, sources, model, &mut outputs)?)));
        let own = self.own_forms(sources);
        let mut run = sync::run_with_texts(&places, outputs, self.regions(texts, model, &own), sources, mode);
        run.plan.warnings.extend(self.missing_places());
        if let Some((focus, scope)) = &focus {
            focus.keep(scope, &mut run);
            scope.keep(diagnostics);
        }
        Report::of_run(&run, sources, options)
    }
}

impl Project {
    /// The files with markers that a run is about; none if it is limited to outputs that have none.
    fn texts(&self, sources: &Sources, model: &Model) -> HandWritten {
        if self.config.is_limited() && !self.config.scope.contains(code::own::NAME) {
            return HandWritten::default();
        }
        let (mut files, unread) = expect::guarded(&self.root.folder, self.config.expect.as_deref());
        if let Some(focus) = &self.focus {
            files.retain(|it| focus.is_about_text(&self.config, sources, model, &it.path, &it.bytes));
        }
        HandWritten { files, unread }
    }

    /// The user's own forms of regions in source files.
    pub fn own_forms<'a>(&'a self, sources: &'a Sources) -> Vec<code::OwnForm<'a>> {
        self.config.get::<code::own::Settings>().map_or_else(Vec::new, |it| it.own(&self.files, sources))
    }

    /// The regions in files of other languages, unless they are outside the scope of the run. Those that cannot be generated are left
    /// out; [`Project::hand_written`] reports them.
    fn regions<'a>(&self, texts: &HandWritten, model: &'a Model, own: &'a [code::OwnForm<'a>]) -> Vec<sync::Text<'a>> {
        if !self.config.scope.contains(code::own::NAME) {
            return Vec::new();
        }
        let text = |file: &Guarded| {
            let regions = sync::regions_of_text(&file.path, &file.bytes).into_iter().filter_map(|region| {
                let rendered = code::request(region.words(), model, own).and_then(|it| it.render_at(region.indent())).ok()?;
                Some((region, rendered))
            });
            sync::Text { path: file.path.clone(), bytes: file.bytes.clone(), regions: regions.collect() }
        };
        texts.files.iter().map(text).filter(|it| !it.regions.is_empty()).collect()
    }

    /// Compares hand-written texts with the machines that they name, unless the run is limited to some outputs. Only
    /// the digests of reviews are written, and only if the user asks for it.
    fn hand_written(
        &self,
        sources: &mut Sources,
        model: &Model,
        diagnostics: &mut Vec<Diagnostic>,
        texts: HandWritten,
        mode: Mode,
        report: Report,
    ) -> Report {
        let HandWritten { mut files, mut unread } = texts;
        if self.config.is_limited() {
            return report;
        }
        let is_writing = matches!(mode, Mode::Write { .. });
        // The regions of some were written just now.
        files.retain_mut(|file| {
            if report.made.iter().all(|it| it.path != file.path) {
                return true;
            }
            match std::fs::read(self.root.folder.join(&file.path)) {
                Ok(bytes) => file.bytes = bytes,
                Err(error) => {
                    unread.push((file.path.clone(), error));
                    return false;
                }
            }
            true
        });
        let mut text = String::new();
        if self.accept && is_writing {
            match expect::accept(&self.root.folder, &mut files, model) {
                Ok(accepted) => {
                    text.extend(accepted.recorded.iter().map(|it| format!("recorded that {} was read again\n", visible(it))));
                    let unwritten = |it: &String| format!("did not record that {} was read again: save it in UTF-8\n", visible(it));
                    text.extend(accepted.undecodable.iter().map(unwritten));
                }
                Err(refusal) => {
                    let refused = Report::of_refusal(&refusal, Style::Plain);
                    return Report { text: report.text + &refused.text, made: report.made, ..refused };
                }
            }
        }
        // Without a focus: which machines such a file names is not known.
        for (path, error) in unread.into_iter().filter(|_| self.focus.is_none()) {
            let span = Span::new(sources.add(path, ""), 0..0);
            let message = format!("this file cannot be read, and markers in it are not found: {error}");
            let help = "make it readable, or name the files with markers as `expect` in `statespec.toml`";
            diagnostics.push(Diagnostic::new(Code::ExpectUnread, span, message).help(help));
        }
        let (mut n_checked, mut found) = (0, Vec::new());
        let mut added = Vec::new();
        for Guarded { path, bytes } in files {
            let is_wide = expect::is_wide(&bytes);
            let text = if is_wide { "".into() } else { String::from_utf8_lossy(&bytes) };
            added.push((sources.add(path, &text), is_wide));
        }
        let own = self.own_forms(sources);
        for (id, is_wide) in added {
            if is_wide {
                let message = "this file has markers that are not read: it is in UTF-16 or UTF-32";
                found.push(Diagnostic::new(Code::ExpectMarker, Span::new(id, 0..0), message).help("save it in UTF-8"));
                continue;
            }
            let checked = expect::check(sources, id, model);
            n_checked += checked.n_checked;
            found.extend(checked.findings);
            diagnostics.extend(code::objections(sources, id, model, &own));
        }
        if n_checked > 0 {
            let texts = if n_checked == 1 { "1 hand-written text".to_owned() } else { format!("{n_checked} hand-written texts") };
            let result = match found.len() {
                0 => "all agree".to_owned(),
                1 => "1 finding".to_owned(),
                n_found => format!("{n_found} findings"),
            };
            text.push_str(&format!("compared {texts}: {result}\n"));
        }
        diagnostics.extend(found);
        Report { text: report.text + &text, ..report }
    }

    /// Configured paths that do not exist: the files may be somewhere else.
    fn missing_places(&self) -> Vec<(String, String)> {
        let places = self.config.in_scope().flat_map(|(backend, it)| {
            let usual = backend.usual();
            let is_usual = move |place: &String| usual.as_ref().and_then(|it| it.pages()).is_some_and(|it| it.contains(place));
            it.pages().into_iter().flatten().filter(move |it| !is_usual(it)).map(|it| ("places", it))
        });
        let owned = self.config.owned.iter().map(|it| ("owned", it));
        let specs = self.config.specs.iter().filter(|_| !self.is_without_specs()).map(|it| ("specs", it));
        let expect = self.config.expect.iter().flatten().map(|it| ("expect", it));
        let note = self.root.note();
        let missing =
            specs.chain(owned).chain(expect).chain(places).filter(|(_, it)| std::fs::symlink_metadata(self.root.folder.join(it)).is_err());
        missing.map(|(key, it)| (it.clone(), format!("`{key}` in {} names it, and it does not exist; {note}", config::FILE))).collect()
    }
}

/// The files of a project that have markers, and those that cannot be read, each with the reason.
#[derive(Default)]
struct HandWritten {
    files: Vec<Guarded>,
    unread: Vec<(String, std::io::Error)>,
}

/// Outputs that would take the place of others, including on file systems that ignore case.
fn collisions(sources: &Sources, outputs: &Outputs<'_>) -> (Vec<Diagnostic>, Vec<Failure>) {
    let mut by_path = BTreeMap::<String, Vec<(&str, Option<Span>)>>::new();
    for (path, pending) in &outputs.files {
        by_path.entry(path.to_lowercase()).or_default().push((path, pending.origin));
    }
    let mut diagnostics = Diagnostics::default();
    let mut failures = Vec::new();
    for same in by_path.into_values().filter(|it| it.len() > 1) {
        // The index and the like have an origin, too, but are not named after it.
        let stem = |path: &str| path.rsplit('/').next().unwrap_or(path).split('.').next().unwrap_or_default().to_lowercase();
        let written = |span: &Span| sources.get(span.source).text().get(span.start as usize..span.end as usize).unwrap_or_default();
        let named = same.iter().find_map(|(path, origin)| {
            let span = (*origin)?;
            (written(&span).to_lowercase() == stem(path)).then_some((*path, span))
        });
        match named {
            Some((path, span)) => {
                let message = format!("`{}` would be written to `{path}`, which is the place of another output", written(&span));
                let help = format!("choose another name, or another folder in {}", config::FILE);
                diagnostics.push(Diagnostic::new(Code::NameCollision, span, message).help(help));
            }
            None => failures.extend(same.first().map(|(path, _)| Failure::twice(path))),
        }
    }
    (diagnostics.finish(), failures)
}

/// Fails a test if any output of a project differs from its specs, or if a text between markers does.
///
/// It compares no sources that `[scan]` of `statespec.toml` confirms as one: the command `check` does.
///
/// Put it into one test of your crate. It finds the project as the command line does from the folder of the crate.
///
/// ```no_run
/// #[test]
/// fn what_is_checked_in_says_what_the_specs_say() {
///     statespec_codegen::assert_in_sync!();
/// }
/// ```
#[macro_export]
macro_rules! assert_in_sync {
    () => {
        // Read when the test runs: two checkouts can share a target folder.
        $crate::project::assert_in_sync(
            ::std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| ::core::env!("CARGO_MANIFEST_DIR").into()),
        )
    };
}

/// The implementation of [`assert_in_sync!`](crate::assert_in_sync), for the project that contains a folder.
///
/// # Panics
///
/// With the report of the check, unless it has no findings.
pub fn assert_in_sync(folder: impl AsRef<Path>) {
    let options = RenderOptions { full_diff: false, style: Style::Plain };
    let report = match Project::open(Root::find(folder.as_ref())) {
        Ok(project) => project.run(|_| Ok(Extras::default()), Mode::Check, options),
        Err(unusable) => unusable.report(options.style),
    };
    assert!(report.status == Status::Clean, "\n{}", report.print(Format::Text));
}
