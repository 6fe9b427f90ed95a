//! The files that `check FILE…` and `check --changed` are about.

use std::path::Path;

use statespec_codegen::expect::has_marker;
use statespec_codegen::focus::Focus;
use statespec_codegen::project::Project;
use statespec_codegen::report::Report;

use crate::args::CheckArgs;
use crate::{git, scan};

/// The focus of a check of a project; none if it is about everything.
pub(crate) fn of(project: &Project, args: &CheckArgs) -> Result<Option<Focus>, Report> {
    if let Some(revision) = &args.changed {
        return changed(&project.root.folder, revision).map(|it| Some(Focus::new(it)));
    }
    if args.files.is_empty() {
        return Ok(None);
    }
    let mut files = Vec::new();
    for file in &args.files {
        match crate::in_project(&project.root, file) {
            Some(path)
                if project.config.role(&path).is_some() || scan::is_confirmed(project, &path) || file.exists() && is_guarded(file)? =>
            {
                files.push(path);
            }
            // Files of other projects are those of other runs.
            None if args.files.len() > 1 => {}
            _ if !file.exists() => return Err(Report::of_misuse(&format!("`{}` does not exist", file.display()))),
            _ => {
                let why =
                    format!("`{}` is no spec, output, page or confirmed source of the project; {}", file.display(), project.root.note());
                return Err(Report::of_misuse(&why));
            }
        }
    }
    Ok(Some(Focus::new(files)))
}

fn is_guarded(file: &Path) -> Result<bool, Report> {
    has_marker(file).map_err(|error| Report::of_error(&format!("cannot read `{}`: {error}", file.display())))
}

/// The files below a folder that differ from a revision, and those that git does not know.
fn changed(root: &Path, revision: &str) -> Result<Vec<String>, Report> {
    let git = |args: &[&str]| git::run(root, "tell what changed", args).map(|it| git::list(&it));
    let mut files = git(&["diff", "--name-only", "--no-renames", "--relative", "-z", git::revision(revision)?, "--"])?;
    files.extend(git(&["ls-files", "--others", "--exclude-standard", "-z"])?);
    Ok(files)
}
