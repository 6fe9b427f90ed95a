//! The files that `check FILE…` and `check --changed` are about.

use std::path::Path;
use std::process::Command;

use statespec_codegen::focus::Focus;
use statespec_codegen::project::Project;
use statespec_codegen::report::Report;

use crate::args::CheckArgs;

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
            Some(path) if project.config.role(&path).is_some() => files.push(path),
            // Files of other projects are those of other runs.
            None if args.files.len() > 1 => {}
            _ => {
                let why = format!("`{}` is no spec, output or page of the project; {}", file.display(), project.root.note());
                return Err(Report::of_misuse(&why));
            }
        }
    }
    Ok(Some(Focus::new(files)))
}

/// The files below a folder that differ from a revision, and those that git does not know.
fn changed(root: &Path, revision: &str) -> Result<Vec<String>, Report> {
    if revision.starts_with('-') {
        return Err(Report::of_misuse(&format!("`{revision}` is no revision")));
    }
    let mut files = git(root, &["diff", "--name-only", "--no-renames", "--relative", "-z", revision, "--"])?;
    files.extend(git(root, &["ls-files", "--others", "--exclude-standard", "-z"])?);
    Ok(files)
}

/// The files that git lists.
fn git(root: &Path, args: &[&str]) -> Result<Vec<String>, Report> {
    let output = Command::new("git").arg("-C").arg(root).args(args).output();
    let output = output.map_err(|error| Report::of_error(&format!("cannot run git: {error}")))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let said = said.lines().next().unwrap_or_default().trim_start_matches("fatal: ");
        return Err(Report::of_misuse(&format!("git cannot tell what changed in `{}`: {said}", root.display())));
    }
    Ok(String::from_utf8_lossy(&output.stdout).split('\0').filter(|it| !it.is_empty()).map(str::to_owned).collect())
}
