//! For a `build.rs`: generates the machines of a crate as modules in `OUT_DIR`.
//!
//! ```no_run
//! // The main function of build.rs:
//! statespec_codegen::build_script::emit("machines");
//! ```
//!
//! ```text
//! // src/main.rs
//! mod machines {
//!     include!(concat!(env!("OUT_DIR"), "/machines.rs"));
//! }
//! ```

use std::path::{Path, PathBuf};
use std::{fs, io};

use statespec_lang::check::check;
use statespec_lang::diagnostic::{self, Diagnostic, Level, Levels, render};
use statespec_lang::lower::load;
use statespec_lang::model::Model;
use statespec_lang::output::RenderError;
use statespec_lang::source::Sources;

use crate::{report, sync};
use statespec_rust::names::ModuleNames;
use statespec_rust::root;
pub use statespec_rust::{Facade, Serde, Style};
use statespec_rust::{files::file::machine_text, files::system::system_text, unsupported};

/// Emits a module for each machine and system below a folder such as `machines`, and tells Cargo to run the script
/// again when anything in that folder changes. The folder is in the crate, or else in the nearest folder around it.
///
/// `include!` the file `machines.rs` of `OUT_DIR`: it declares the modules. Lint warnings become warnings of the
/// build. On errors, reports all of them and ends the process with exit code 1, as Cargo expects of a build script;
/// the previous contents of `OUT_DIR` remain.
pub fn emit(folder: impl AsRef<Path>) {
    Build::default().emit(folder);
}

/// Options for emitting modules, if the defaults of [`emit`] do not fit.
#[derive(Debug, Clone, Default)]
pub struct Build {
    /// The style of the modules.
    pub style: Style,
    /// The level of each lint.
    pub levels: Levels,
}

impl Build {
    /// Same as the function [`emit`], with these options.
    pub fn emit(&self, folder: impl AsRef<Path>) {
        let place = |name: &str| match std::env::var_os(name) {
            Some(value) => PathBuf::from(value),
            None => fail(&format!("error: `{name}` is not set: this is for build scripts, which Cargo runs\n")),
        };
        // Cargo tells which features are enabled, so the modules need no condition.
        let mut build = self.clone();
        if let Serde::Feature(name) = &self.style.serde {
            let variable = format!("CARGO_FEATURE_{}", name.to_uppercase().replace('-', "_"));
            build.style.serde = if std::env::var_os(variable).is_some() { Serde::On } else { Serde::Off };
        }
        match build.run(&place("CARGO_MANIFEST_DIR"), folder.as_ref(), &place("OUT_DIR")) {
            Ok(instructions) => say(&instructions),
            Err(Failed { instructions, report }) => {
                say(&instructions);
                fail(&report)
            }
        }
    }

    /// Emits the modules for the crate in `package` into the folder `out`. Returns the lines for Cargo.
    ///
    /// # Errors
    ///
    /// All errors in the specs at once, and files that cannot be read or written. Nothing is written in that case.
    pub fn run(&self, package: &Path, folder: &Path, out: &Path) -> Result<Vec<String>, Failed> {
        // As the derive does: specs beside the workspace are those of its members, too.
        let found = root::around(package).map(|it| it.join(folder)).find(|it| it.exists());
        let specs = found.unwrap_or_else(|| package.join(folder));
        let mut instructions = vec![format!("cargo::rerun-if-changed={}", specs.display())];
        let failed = |instructions: &[String], report: String| Failed { instructions: instructions.to_vec(), report };
        let (Some(above), Some(name)) = (specs.parent(), specs.file_name().and_then(|it| it.to_str())) else {
            return Err(failed(&instructions, format!("error: `{}` is no folder below another\n", specs.display())));
        };
        let inputs = sync::read_specs(above, name);
        let inputs = inputs.map_err(|it| failed(&instructions, report::describe(&it, diagnostic::Style::Plain)))?;
        let loaded = load(&inputs);
        let mut diagnostics = loaded.diagnostics;
        diagnostics.extend(loaded.model.iter().flat_map(|model| check(model, &self.levels)));
        diagnostics.extend(loaded.model.iter().flat_map(unsupported));
        let is_error = |it: &Diagnostic| it.level == Level::Error;
        let Some(model) = loaded.model.filter(|_| !diagnostics.iter().any(is_error)) else {
            return Err(failed(&instructions, render(&loaded.sources, &diagnostics, diagnostic::Style::Plain)));
        };
        instructions.extend(diagnostics.iter().map(|it| warning(&loaded.sources, it)));
        let files = self.files(&model, out).map_err(|it| failed(&instructions, format!("error: what was emitted is not Rust: {it}\n")))?;
        for (path, text) in files {
            write(&path, &text).map_err(|it| failed(&instructions, format!("error: cannot write `{}`: {it}\n", path.display())))?;
        }
        Ok(instructions)
    }

    /// A file for each module, and last the file that declares them all.
    fn files(&self, model: &Model, out: &Path) -> Result<Vec<(PathBuf, String)>, RenderError> {
        let folder = out.join("machines");
        let mut files = Vec::new();
        let mut root = String::new();
        let modules = ModuleNames::of(model);
        let mut add = |name: &str, text: String| {
            let path = folder.join(format!("{}.rs", modules.file(name)));
            // An included file has no folder of its own for modules, so each declaration states its path.
            let shown = path.to_string_lossy().into_owned();
            // A program need not call every method.
            root.push_str(&format!("#[allow(dead_code)]\n#[path = {shown:?}]\npub mod {};\n", modules.of_name(name)));
            files.push((path, text));
        };
        for machine in &model.machines {
            add(&machine.name, machine_text(machine, &self.style)?);
        }
        for system in &model.systems {
            add(&system.name, system_text(model, system, &self.style)?);
        }
        files.push((out.join("machines.rs"), root));
        Ok(files)
    }
}

/// A build script that failed.
#[derive(Debug)]
pub struct Failed {
    /// The lines for Cargo that apply even so: the files to watch.
    pub instructions: Vec<String>,
    /// All errors, as text.
    pub report: String,
}

/// A lint's finding as a warning of the build; Cargo accepts one line for each.
fn warning(sources: &Sources, diagnostic: &Diagnostic) -> String {
    let message = diagnostic.message.replace('\n', " ");
    format!("cargo::warning={}: {message} [{}]", sources.location(diagnostic.primary.0), diagnostic.code.id())
}

/// Writes a file unless it already has this content, to avoid unnecessary recompilation.
fn write(path: &Path, text: &str) -> io::Result<()> {
    if fs::read(path).is_ok_and(|it| it == text.as_bytes()) {
        return Ok(());
    }
    fs::create_dir_all(path.parent().unwrap_or(path))?;
    fs::write(path, text)
}

#[expect(clippy::print_stdout, reason = "Cargo reads the standard output of build scripts")]
fn say(instructions: &[String]) {
    for line in instructions {
        println!("{line}");
    }
}

#[expect(clippy::print_stderr, reason = "Cargo shows the standard error of a build script that failed")]
fn fail(report: &str) -> ! {
    eprint!("{report}");
    std::process::exit(1)
}
