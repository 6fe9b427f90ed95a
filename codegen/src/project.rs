//! A project: its root, its configuration, and everything that is made from its specs.
//!
//! The command line, the chores of this repository and the tests all go through [`Project`].

use std::fmt;
use std::path::{Path, PathBuf};

use crate::backend::markdown::Layout;
use crate::backend::{self, Job};
use crate::check::check;
use crate::config::{self, Config};
use crate::diagnostic::{Code, Diagnostic, Diagnostics, Style};
use crate::lower::{Loaded, load};
use crate::model::Model;
use crate::output::{Generated, Output, Region};
use crate::report::Report;
use crate::source::{SourceId, Sources};
use crate::sync::{self, Failure, Look, Mode};
use crate::template;

/// A project on the disk.
#[derive(Debug, Clone)]
pub struct Project {
    /// The folder that all paths are relative to.
    pub root: PathBuf,
    /// What is made, and where it goes.
    pub config: Config,
    /// How its pages and regions are laid out.
    pub layout: Layout,
    /// The configuration and the templates as they were read: what diagnostics about them point into.
    pub files: Sources,
    /// Where in `files` each template of the configuration stands.
    templates: Vec<SourceId>,
}

/// Why a project cannot be worked with. Everything that is wrong, at once.
#[derive(Debug)]
pub struct Unusable {
    /// What the diagnostics point into.
    pub files: Sources,
    /// What is wrong with the configuration or with a template.
    pub diagnostics: Vec<Diagnostic>,
    /// What could not be read.
    pub failures: Vec<Failure>,
}

impl Unusable {
    /// All of it, as the end of a run.
    pub fn report(&self, style: Style) -> Report {
        Report::of_failures(&self.failures, style).after(&self.files, &self.diagnostics, style)
    }
}

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.report(Style::Plain).text)
    }
}

impl std::error::Error for Unusable {}

/// What a program adds to the outputs of a project.
#[derive(Debug, Clone, Default)]
pub struct Extras {
    /// Whole files.
    pub files: Vec<Output>,
    /// Regions by name.
    pub regions: Vec<(String, Region)>,
    /// Folders and files that hold these files besides hand-written ones.
    pub places: Vec<String>,
}

impl Extras {
    /// Everything together.
    pub fn add_to(self, mut generated: Generated) -> Generated {
        generated.files.extend(self.files);
        generated.files.sort_by(|a, b| a.path.cmp(&b.path));
        generated.regions.extend(self.regions);
        generated
    }
}

/// The root of the project that a folder belongs to: the nearest folder upwards with a
/// `statespec.toml`, else with a `Cargo.toml`, else with a `.git`, else the folder itself.
pub fn find_root(start: &Path) -> PathBuf {
    let with = |name: &str| start.ancestors().find(|it| it.join(name).exists());
    with(config::FILE).or_else(|| with("Cargo.toml")).or_else(|| with(".git")).unwrap_or(start).to_owned()
}

impl Project {
    /// A project with a configuration that stands in no file. Templates need one: those of `config` are left out.
    pub fn new(root: impl Into<PathBuf>, config: Config) -> Project {
        let config = Config { templates: Vec::new(), ..config };
        Project { root: root.into(), config, layout: Layout::default(), files: Sources::default(), templates: Vec::new() }
    }

    /// Reads the configuration of the project in `root`, if it has one, and its templates.
    ///
    /// # Errors
    ///
    /// All mistakes in the configuration, and all templates that cannot be read.
    pub fn open(root: impl Into<PathBuf>) -> Result<Project, Box<Unusable>> {
        let root = root.into();
        let mut files = Sources::default();
        let mut diagnostics = Diagnostics::default();
        let mut failures = Vec::new();
        let config = match sync::read(&root, config::FILE) {
            Ok(None) => Some(Config::default()),
            Ok(Some(text)) => {
                let id = files.add(config::FILE, &text);
                config::read(&files, id, &mut diagnostics)
            }
            Err(failure) => {
                failures.push(failure);
                None
            }
        };
        let mut templates = Vec::new();
        for template in config.iter().flat_map(|it| &it.templates) {
            match sync::read(&root, &template.file.value) {
                Ok(Some(text)) => templates.push(files.add(template.file.value.clone(), &text)),
                Ok(None) => {
                    let message = format!("there is no file `{}`", template.file.value);
                    diagnostics
                        .push(Diagnostic::new(Code::ConfigInvalid, template.file.span, message).help("paths start at the project's root"));
                }
                Err(failure) => failures.push(failure),
            }
        }
        let diagnostics = diagnostics.finish();
        match config {
            Some(config) if diagnostics.is_empty() && failures.is_empty() => {
                Ok(Project { root, config, layout: Layout::default(), files, templates })
            }
            _ => Err(Box::new(Unusable { files, diagnostics, failures })),
        }
    }

    /// The command that headers and messages name. It depends on what the project holds and on nothing else.
    pub fn command(&self) -> String {
        match &self.config.command {
            Some(command) => command.clone(),
            None if self.root.join("Cargo.toml").exists() => "cargo statespec gen".into(),
            None => "statespec gen".into(),
        }
    }

    /// Reads all specs.
    ///
    /// # Errors
    ///
    /// Every file that cannot be read; and a project without any spec. What is wrong *in* a spec is in the result.
    pub fn load(&self) -> Result<Loaded, Vec<Failure>> {
        sync::read_specs_in(&self.root, &self.config.specs).map(|it| load(&it))
    }

    /// Everything that the project makes of its model.
    ///
    /// # Errors
    ///
    /// Templates that cannot be filled in.
    pub fn generate(&self, sources: &Sources, model: &Model) -> Result<Generated, Box<Unusable>> {
        let mut diagnostics = Diagnostics::default();
        let mut failures = Vec::new();
        let mut generated = Generated::default();
        let config = &self.config;
        let pages = config.docs.as_ref().filter(|it| it.pages).map(|it| it.out.clone());
        let parts = backend::Config { pages, json: config.json.clone(), layout: self.layout.clone() };
        let job = Job { sources, model, config: &parts };
        generated.files.extend(backend::json::emit(job).files);
        if config.docs.is_some() {
            let docs = backend::markdown::emit(job);
            generated.files.extend(docs.files);
            generated.regions = docs.regions;
        }
        if let Some(rust) = &config.rust {
            match backend::rust::krate::files(model, &rust.out, rust.root, &rust.style) {
                Ok(files) => generated.files.extend(files),
                Err(error) => failures.push(Failure::not_rust(&rust.out, &error)),
            }
        }
        if let Some(folder) = &config.conformance {
            match backend::conformance::files(model, folder) {
                Ok(files) => generated.files.extend(files),
                Err(error) => failures.push(Failure::not_rust(folder, &error)),
            }
        }
        for (template, id) in config.templates.iter().zip(&self.templates) {
            generated.files.extend(template::emit(template, &self.files, *id, sources, model, &mut diagnostics));
        }
        if let Some(folder) = &config.schemas {
            generated.files.extend(crate::spec::schema::outputs(folder));
        }
        if config.language_regions && config.docs.is_some() {
            generated.regions.extend(Code::regions());
            generated.regions.insert("lints".into(), crate::check::region());
            generated.regions.extend(crate::spec::schema::regions());
        }
        generated.files.sort_by(|a, b| a.path.cmp(&b.path));
        let diagnostics = diagnostics.finish();
        if diagnostics.is_empty() && failures.is_empty() {
            Ok(generated)
        } else {
            Err(Box::new(Unusable { files: self.files.clone(), diagnostics, failures }))
        }
    }

    /// Where outputs live on the disk.
    pub fn places(&self) -> sync::Config {
        sync::Config { root: self.root.clone(), owned: self.config.owned.clone(), shared: self.config.shared(), command: self.command() }
    }

    /// Reads all specs, checks them, generates, and writes, checks or shows.
    pub fn run(&self, extras: impl FnOnce(&Model) -> Result<Extras, Failure>, mode: Mode, look: Look) -> Report {
        let loaded = match self.load() {
            Ok(loaded) => loaded,
            Err(failures) => return Report::of_failures(&failures, look.style),
        };
        let mut diagnostics = loaded.diagnostics;
        let report = match &loaded.model {
            None => Report::stopped("nothing was generated: mend the specs first\n"),
            Some(model) => {
                diagnostics.extend(check(model, &self.config.levels));
                self.sync(&loaded.sources, model, extras, mode, look)
            }
        };
        report.after(&loaded.sources, &diagnostics, look.style)
    }

    fn sync(
        &self,
        sources: &Sources,
        model: &Model,
        extras: impl FnOnce(&Model) -> Result<Extras, Failure>,
        mode: Mode,
        look: Look,
    ) -> Report {
        let generated = match self.generate(sources, model) {
            Ok(generated) => generated,
            Err(unusable) => return unusable.report(look.style),
        };
        let extras = match extras(model) {
            Ok(extras) => extras,
            Err(failure) => return Report::of_failures(&[failure], look.style),
        };
        let mut places = self.places();
        places.shared.extend(extras.places.iter().cloned());
        sync::run(&places, &extras.add_to(generated), sources, mode, look)
    }
}

/// Fails a test when anything that a project generates is not what its specs say.
///
/// Put it into one test of your crate. It looks for the project as the command line does: the nearest folder upwards
/// from the crate with a `statespec.toml`, or else the crate itself.
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
        $crate::project::assert_in_sync(::core::env!("CARGO_MANIFEST_DIR"))
    };
}

/// What [`assert_in_sync!`](crate::assert_in_sync) does, for the project that a folder belongs to.
///
/// # Panics
///
/// With the report of the check, unless it is clean.
pub fn assert_in_sync(folder: impl AsRef<Path>) {
    let look = Look { full_diff: false, style: Style::Plain };
    let report = match Project::open(find_root(folder.as_ref())) {
        Ok(project) => project.run(|_| Ok(Extras::default()), Mode::Check, look),
        Err(unusable) => unusable.report(look.style),
    };
    assert!(report.status == sync::Status::Clean, "\n{}", report.text);
}
