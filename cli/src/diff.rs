//! `diff`: what changes between two versions of specs.

use std::path::{Path, PathBuf};

use statespec_codegen::changes::{Audience, Format, Side, changes_of_models, print};
use statespec_codegen::config::{self, Config};
use statespec_codegen::diagnostic::{Diagnostics, Style};
use statespec_codegen::model::Model;
use statespec_codegen::project::Project;
use statespec_codegen::registry::BACKENDS;
use statespec_codegen::report::{Report, Status};
use statespec_codegen::source::{Input, Sources};
use statespec_codegen::sync::read_specs;
use statespec_lang::lower::{Loaded, load, used_files};
use statespec_rust::root::{self, Root};

use crate::args::DiffArgs;
use crate::git;

/// The texts of a comparison: in the format, and for people.
pub(crate) struct Told {
    pub(crate) requested: String,
    pub(crate) text: String,
    pub(crate) status: Status,
}

/// One of the two versions.
enum Version {
    /// The files of the project as they are.
    Here,
    /// A file or folder.
    Path(PathBuf),
    /// A commit of git, by its id.
    Commit(String),
}

/// Compares two versions.
pub(crate) fn run(root: &Root, args: &DiffArgs) -> Result<Told, Report> {
    let [(old_name, old), (new_name, new)] = read_both(root, &args.old, args.new.as_deref())?;
    if old.sources.n_bytes() == 0 && new.sources.n_bytes() == 0 {
        return Err(Report::of_error(&format!("there are no specs in `{old_name}`, and none in `{new_name}`; {}", root.note())));
    }
    let (a, b) = (model(&old, &old_name)?, model(&new, &new_name)?);
    let changes = changes_of_models((&old.sources, a), (&new.sources, b));
    let audiences = args.audiences();
    let sides = [Side { name: &old_name, sources: &old.sources }, Side { name: &new_name, sources: &new.sources }];
    let worst = changes.iter().map(|it| it.class(&audiences)).max();
    let fails = args.fail_on.is_some_and(|it| worst.is_some_and(|worst| worst >= it));
    Ok(Told {
        requested: print(&changes, sides, &audiences, args.format),
        text: print(&changes, sides, &audiences, Format::Text),
        status: if fails { Status::Findings } else { Status::Clean },
    })
}

/// Two versions, each with the name for people.
pub(crate) fn read_both(root: &Root, old: &str, new: Option<&str>) -> Result<[(String, Loaded); 2], Report> {
    let [(old_name, old), (new_name, new)] = versions(root, old, new)?;
    let (old, new) = (read(root, &old, &old_name)?, read(root, &new, &new_name)?);
    Ok([(old_name, old), (new_name, new)])
}

impl DiffArgs {
    fn audiences(&self) -> Vec<Audience> {
        match self.audience.is_empty() {
            true => Audience::ALL.to_vec(),
            false => Audience::ALL.into_iter().filter(|it| self.audience.contains(it)).collect(),
        }
    }
}

/// The versions that the arguments name, each with the name for people.
fn versions(root: &Root, old: &str, new: Option<&str>) -> Result<[(String, Version); 2], Report> {
    let folder = &root.folder;
    let of_commit = |name: &str| -> Result<(String, Version), Report> {
        let commit = git::commit(folder, git::revision(name)?)?;
        let why = || Report::of_misuse(&format!("`{name}` is no file, no folder and no revision in git; {}", root.note()));
        commit.map(|it| (name.to_owned(), Version::Commit(it))).ok_or_else(why)
    };
    let of_either = |name: &str| match Path::new(name).exists() {
        true => Ok((name.to_owned(), Version::Path(PathBuf::from(name)))),
        false => of_commit(name),
    };
    if let Some(new) = new {
        return Ok([of_either(old)?, of_either(new)?]);
    }
    if Path::new(old).exists() {
        return Err(Report::of_misuse(&format!("`{}` is one version; name the other one, too", old)));
    }
    let or_head = |it: &str| if it.is_empty() { "HEAD".to_owned() } else { it.to_owned() };
    if let Some((a, b)) = old.split_once("...") {
        let (a, b) = (or_head(a), or_head(b));
        let base = git::run(folder, "find the common ancestor", &["merge-base", git::revision(&a)?, git::revision(&b)?])?;
        let base = String::from_utf8_lossy(&base).trim().to_owned();
        return Ok([(a, Version::Commit(base)), of_commit(&b)?]);
    }
    if let Some((a, b)) = old.split_once("..") {
        return Ok([of_commit(&or_head(a))?, of_commit(&or_head(b))?]);
    }
    Ok([of_commit(old)?, ("the files".to_owned(), Version::Here)])
}

fn read(root: &Root, version: &Version, name: &str) -> Result<Loaded, Report> {
    match version {
        Version::Here => crate::load(&crate::open(root)?),
        Version::Path(path) if path.is_dir() => of_folder(path),
        Version::Path(path) => {
            let text = crate::read_text(&path.to_string_lossy())?;
            let mut inputs = vec![Input { path: path.to_string_lossy().replace('\\', "/"), text }];
            // A shared file that is not there is reported at the line that uses it.
            for used in used_files(&inputs[0]).into_iter().filter(|it| Path::new(it).exists()) {
                inputs.push(Input { text: crate::read_text(&used)?, path: used });
            }
            Ok(load(&inputs))
        }
        Version::Commit(commit) => of_commit(root, commit, name),
    }
}

/// A folder: a project if it has a configuration or specs in `machines`, else a folder of specs.
fn of_folder(path: &Path) -> Result<Loaded, Report> {
    let full = path.canonicalize().map_err(|error| Report::of_error(&format!("cannot read `{}`: {error}", path.display())))?;
    if full.join(root::FILE).exists() || root::holds_specs(&full) {
        return crate::load(&Project::open(&full).map_err(|it| it.report(Style::Colour))?);
    }
    let (Some(above), Some(name)) = (full.parent(), full.file_name()) else {
        return Err(Report::of_misuse(&format!("`{}` is no folder of specs", path.display())));
    };
    let specs = read_specs(above, &name.to_string_lossy()).map_err(|failures| Report::of_failures(&failures, Style::Colour))?;
    Ok(load(&specs))
}

/// The specs of the project in a commit; none if it had none.
fn of_commit(root: &Root, commit: &str, name: &str) -> Result<Loaded, Report> {
    let folder = &root.folder;
    let files = git::files(folder, commit)?;
    let text = |bytes: Vec<u8>, path: &str| {
        String::from_utf8(bytes).map_err(|_| Report::of_error(&format!("`{path}` is not UTF-8 text in `{name}`")))
    };
    let mut config = Config::usual(BACKENDS);
    if let Some((path, id)) = files.iter().find(|it| it.0 == config::FILE) {
        let bytes = git::contents(folder, &[id])?.remove(0);
        let mut sources = Sources::default();
        let source = sources.add(path.clone(), &text(bytes, path)?);
        let mut diagnostics = Diagnostics::default();
        let read = config::read(&sources, source, BACKENDS, &mut diagnostics);
        let diagnostics = diagnostics.finish();
        match read {
            Some(it) if diagnostics.is_empty() => config = it,
            _ => return Err(Report::stopped(of_version(name)).after(&sources, &diagnostics, Style::Colour)),
        }
    }
    let is_spec = |path: &str| {
        let within = |place: &String| path.strip_prefix(place.as_str()).is_some_and(|it| it.is_empty() || it.starts_with('/'));
        let is_hidden =
            |place: &String| path.strip_prefix(place.as_str()).is_some_and(|it| it.split('/').any(|it| root::is_ignored(it, true)));
        (path.ends_with(".yaml") || path.ends_with(".yml")) && config.specs.iter().any(|it| within(it) && !is_hidden(it))
    };
    let specs: Vec<&(String, String)> = files.iter().filter(|it| is_spec(&it.0)).collect();
    let ids: Vec<&str> = specs.iter().map(|it| it.1.as_str()).collect();
    let contents = if ids.is_empty() { Vec::new() } else { git::contents(folder, &ids)? };
    let inputs = specs.iter().zip(contents).map(|((path, _), bytes)| Ok(Input { path: path.clone(), text: text(bytes, path)? }));
    Ok(load(&inputs.collect::<Result<Vec<_>, Report>>()?))
}

/// The model of a version, or its errors.
pub(crate) fn model<'l>(loaded: &'l Loaded, name: &str) -> Result<&'l Model, Report> {
    let errors = || Report::stopped(of_version(name)).after(&loaded.sources, &loaded.diagnostics, Style::Colour);
    loaded.model.as_ref().ok_or_else(errors)
}

fn of_version(name: &str) -> String {
    format!("these errors are in the specs of `{name}`\n")
}
