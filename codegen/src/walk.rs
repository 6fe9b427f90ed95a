//! The files of a project that people wrote.

use std::fs;
use std::path::Path;

use ignore::{DirEntry, WalkBuilder};
use statespec_rust::root::{self, is_ignored};

/// The files below a place of a root, by their paths relative to the root, with forward slashes. An empty place is the root itself.
///
/// What `.gitignore` names, hidden files, `target`, `node_modules` and other projects are left out, copies of libraries among them,
/// and links are not followed.
/// A folder that is missing or cannot be looked into has no files.
pub fn files(root: &Path, place: &str) -> Vec<String> {
    let full = if place.is_empty() { root.to_owned() } else { root.join(place) };
    let mut walk = WalkBuilder::new(full);
    // The result must not depend on the user's own configuration, or on whether this is a repository.
    walk.git_global(false).git_exclude(false).require_git(false).ignore(false).parents(true).follow_links(false).filter_entry(is_own);
    let files = walk.build().flatten().filter(|it| it.file_type().is_some_and(|it| it.is_file()));
    files.map(|it| relative(root, it.path())).collect()
}

/// Whether an entry belongs to the project.
fn is_own(entry: &DirEntry) -> bool {
    let is_folder = entry.file_type().is_some_and(|it| it.is_dir());
    if entry.depth() == 0 {
        return true;
    }
    let name = entry.file_name().to_string_lossy();
    // The libraries of Go and of PHP; a folder of this name without the file may be about sellers.
    let copies: &[&str] = if name == "vendor" { &["modules.txt", "autoload.php"] } else { &[] };
    let marks = [root::FILE, ".git", "pyvenv.cfg"].iter().chain(copies);
    let is_other = || is_folder && marks.clone().any(|it| fs::symlink_metadata(entry.path().join(it)).is_ok());
    !is_ignored(&name, is_folder) && !is_other()
}

fn relative(root: &Path, path: &Path) -> String {
    let path = path.strip_prefix(root).unwrap_or(path);
    path.components().map(|it| it.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}
