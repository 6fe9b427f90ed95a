//! Reading the project's files. Every error is a [`Failure`] with the path and the operation.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Component, Path, PathBuf};
use std::{fmt, fs};

use statespec_lang::chars::visible;
use statespec_lang::diagnostic::Code;
use statespec_lang::output::RenderError;
use statespec_lang::source::Input;
use statespec_rust::root::{self, Root, is_ignored};
use walkdir::WalkDir;

use super::temporary::is_temporary;

/// A file operation that failed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Failure {
    /// The file, relative to the project's root.
    pub path: String,
    /// The operation, such as "read".
    pub verb: &'static str,
    /// The reason for the failure.
    pub why: String,
    /// The code to look up, if it has an explanation.
    pub code: Option<Code>,
    /// Whether the user asked for something that is not possible, and nothing else failed.
    pub is_misuse: bool,
}

impl Failure {
    /// A file that cannot be used: `verb` is what was tried, such as `read`.
    pub fn new(path: &str, verb: &'static str, why: impl ToString) -> Self {
        Failure { path: path.to_owned(), verb, why: why.to_string(), code: None, is_misuse: false }
    }

    /// Two outputs with the same path.
    pub fn twice(path: &str) -> Self {
        Failure::new(path, "generate", "two outputs have this path, or paths that differ in case only")
    }

    /// Emitted tokens that are not Rust; no spec should cause this.
    pub fn not_rust(path: &str, error: &RenderError) -> Self {
        Failure::new(path, "generate", error)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot {} `{}`: {}", self.verb, visible(&self.path), visible(&self.why))
    }
}

impl std::error::Error for Failure {}

/// The reason why a path must not name a file of the project, if there is one.
pub fn objection(path: &str) -> Option<&'static str> {
    if path.is_empty() {
        return Some("it is empty");
    }
    if path.contains(['\\', '\0', ':']) {
        return Some("it has a character that not every system allows");
    }
    let plain = path.split('/').all(|it| !matches!(it, "" | "." | ".."));
    let normal = Path::new(path).components().all(|it| matches!(it, Component::Normal(_)));
    (!plain || !normal).then_some("it must be a relative path without `..`")
}

/// The project's files. Symbolic links and other projects are not entered: their contents do not belong to the project.
#[derive(Debug)]
pub(super) struct Disk<'a> {
    root: &'a Path,
    plain_folders: BTreeSet<PathBuf>,
}

/// The files found in a place.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// All files except hidden ones, by path relative to the root.
    pub(super) entries: BTreeMap<String, Entry>,
    /// Files whose names are those of temporary files.
    pub(super) temporary: BTreeMap<String, PathBuf>,
    /// Symbolic links, which are not followed.
    pub(super) links: BTreeMap<String, PathBuf>,
    pub(super) failures: Vec<Failure>,
}

/// The folders that a search enters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// Folders of the project; outputs are nowhere else.
    Own,
    /// Folders of nested projects as well, such as specs that a submodule provides.
    Shared,
}

/// A file that was found in a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    /// The full path.
    pub(super) full: PathBuf,
    /// Whether everything in its folder is generated.
    pub(super) owned: bool,
    /// Whether it is a regular file; links and devices are never read.
    pub(super) plain: bool,
}

impl<'a> Disk<'a> {
    pub(super) fn new(root: &'a Path) -> Self {
        Disk { root, plain_folders: BTreeSet::new() }
    }

    /// Checks that the folders of a file belong to the project.
    pub(super) fn check(&mut self, path: &str) -> Result<(), Failure> {
        self.check_folders(path).map_err(|why| Failure::new(path, "read", why))
    }

    /// The bytes of a file whose folders were checked; `None` if it does not exist.
    pub(super) fn read(&self, path: &str) -> Result<Option<Vec<u8>>, Failure> {
        let fail = |why: &str| Failure::new(path, "read", why);
        let full = self.root.join(path);
        match fs::symlink_metadata(&full) {
            Ok(it) if it.is_symlink() => Err(fail("it is a symbolic link; outputs are plain files")),
            Ok(it) if it.is_dir() => Err(fail("it is a folder, and a file belongs there")),
            Ok(it) if !it.is_file() => Err(fail("it is not a plain file")),
            Ok(_) => fs::read(&full).map(Some).map_err(|error| Failure::new(path, "read", error)),
            Err(error) if is_absent(&error) => Ok(None),
            Err(error) => Err(Failure::new(path, "read", error)),
        }
    }

    /// Adds all files below a place (a folder, or a single file).
    pub(super) fn walk(&mut self, place: &str, owned: bool, reach: Reach, found: &mut Found) {
        let place = place.trim_end_matches('/');
        let Found { entries, temporary, links, failures } = found;
        if let Err(why) = self.check_place(place, reach) {
            failures.push(Failure::new(place, "look into", why));
            return;
        }
        let start = self.root.join(place);
        let kind = fs::symlink_metadata(&start);
        if !kind.as_ref().is_ok_and(fs::Metadata::is_dir) {
            // A single file, which may be missing: its temporary files are beside it.
            let beside = start.parent().into_iter().flat_map(|it| fs::read_dir(it).into_iter().flatten().flatten());
            let is_temporary = |it: &fs::DirEntry| is_temporary(&it.file_name().to_string_lossy());
            temporary.extend(beside.filter(is_temporary).map(|it| (relative(self.root, &it.path()), it.path())));
        }
        match kind {
            Err(error) if is_absent(&error) => return,
            // A link to a single page: the page is read at its real path.
            Ok(it) if it.is_symlink() => {
                links.insert(place.to_owned(), start);
                return;
            }
            _ => {}
        }
        let wanted = |it: &walkdir::DirEntry| {
            if is_temporary(&it.file_name().to_string_lossy()) {
                temporary.insert(relative(self.root, it.path()), it.path().to_owned());
            }
            let is_other = || reach == Reach::Own && it.file_type().is_dir() && mark_of_project(it.path()).is_some();
            it.depth() == 0 || !(is_ignored(&it.file_name().to_string_lossy(), it.file_type().is_dir()) || is_other())
        };
        for entry in WalkDir::new(&start).follow_root_links(false).sort_by_file_name().into_iter().filter_entry(wanted) {
            match entry {
                Ok(entry) if entry.file_type().is_dir() => {}
                Ok(entry) => {
                    let path = relative(self.root, entry.path());
                    let plain = entry.file_type().is_file();
                    if entry.path_is_symlink() {
                        links.insert(path.clone(), entry.path().to_owned());
                    }
                    entries.entry(path).or_insert(Entry { full: entry.into_path(), owned: false, plain }).owned |= owned;
                }
                Err(error) => {
                    let path = error.path().map_or(place.to_owned(), |it| relative(self.root, it));
                    let why = error.io_error().map_or_else(|| error.to_string(), ToString::to_string);
                    failures.push(Failure::new(&path, "look into", why));
                }
            }
        }
    }

    /// Checks that the folders of a path belong to the project: no symbolic link, no other project, no file in place of a folder.
    pub(super) fn check_folders(&mut self, path: &str) -> Result<(), String> {
        if let Some(objection) = objection(path) {
            return Err(objection.to_owned());
        }
        match path.rsplit_once('/') {
            Some((folder, _)) => self.check_folder(Path::new(folder), Reach::Own),
            None => Ok(()),
        }
    }

    /// The same check for a place, which may be a folder or a single file.
    fn check_place(&mut self, place: &str, reach: Reach) -> Result<(), String> {
        if let Some(objection) = objection(place) {
            return Err(objection.to_owned());
        }
        let full = self.root.join(place);
        match fs::symlink_metadata(&full) {
            Ok(it) if it.is_file() => {}
            Ok(it) if it.is_symlink() && fs::metadata(&full).is_ok_and(|it| it.is_file()) => {}
            _ => return self.check_folder(Path::new(place), reach),
        }
        let folder = Path::new(place).parent().filter(|it| !it.as_os_str().is_empty());
        folder.map_or(Ok(()), |it| self.check_folder(it, reach))
    }

    /// Descends component by component: for a whole path the system follows links, even the last one before a slash.
    fn check_folder(&mut self, folder: &Path, reach: Reach) -> Result<(), String> {
        if self.plain_folders.contains(folder) {
            return Ok(());
        }
        let mut above = PathBuf::new();
        for component in folder.components() {
            above.push(component);
            let (full, shown) = (self.root.join(&above), above.display());
            match fs::symlink_metadata(&full) {
                Ok(it) if it.is_symlink() => {
                    return Err(format!(
                        "`{shown}` is a symbolic link, and what is behind one is not the project's; name the folder itself"
                    ));
                }
                Ok(it) if it.is_dir() => {}
                Ok(_) => return Err(format!("`{shown}` is not a folder")),
                Err(error) if is_absent(&error) => return Ok(()),
                Err(error) => return Err(error.to_string()),
            }
            if let Some(mark) = mark_of_project(&full).filter(|_| reach == Reach::Own) {
                return Err(format!(
                    "`{shown}` is a project of its own (it has `{mark}`); run the command there, and name no folder of it here"
                ));
            }
        }
        self.plain_folders.insert(folder.to_owned());
        Ok(())
    }
}

/// The entry that marks a folder below the root as another project, a worktree or a submodule.
pub(super) fn mark_of_project(folder: &Path) -> Option<&'static str> {
    [root::FILE, ".git"].into_iter().find(|it| fs::symlink_metadata(folder.join(it)).is_ok())
}

fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// A path below the root as text with forward slashes.
fn relative(root: &Path, path: &Path) -> String {
    let path = path.strip_prefix(root).unwrap_or(path);
    path.components().map(|it| it.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

/// Reads all specs (`*.yaml`, `*.yml`) below a folder of the project, sorted by path.
///
/// # Errors
///
/// All files that cannot be read or are not UTF-8, reported at once; also a folder without specs.
pub fn read_specs(root: &Path, folder: &str) -> Result<Vec<Input>, Vec<Failure>> {
    read_specs_in(&Root::from(root), &[folder.to_owned()])
}

/// Reads all specs in the given places of the project: folders, or single files.
///
/// # Errors
///
/// As [`read_specs`].
pub fn read_specs_in(root: &Root, places: &[String]) -> Result<Vec<Input>, Vec<Failure>> {
    let mut found = Found::default();
    let mut disk = Disk::new(&root.folder);
    for place in places {
        disk.walk(place, false, Reach::Shared, &mut found);
    }
    let Found { entries, mut failures, .. } = found;
    let mut specs = Vec::new();
    for (path, entry) in entries {
        if !(path.ends_with(".yaml") || path.ends_with(".yml")) {
            continue;
        }
        if !entry.plain {
            failures.push(Failure::new(&path, "read", "it is not a plain file"));
            continue;
        }
        // A file that is too large is not loaded.
        let n_bytes = fs::metadata(&entry.full).map_or(0, |it| usize::try_from(it.len()).unwrap_or(usize::MAX));
        if let Err(why) = statespec_lang::yaml::admit(n_bytes) {
            failures.push(Failure { code: Some(Code::YamlLimit), ..Failure::new(&path, "read", why) });
            continue;
        }
        match fs::read(&entry.full).map_err(|error| Failure::new(&path, "read", error)).and_then(|it| utf8(&path, it)) {
            Err(failure) => failures.push(failure),
            Ok(text) => specs.push(Input { path, text }),
        }
    }
    if specs.is_empty() && failures.is_empty() {
        failures.push(no_spec(root, places));
    }
    if failures.is_empty() { Ok(specs) } else { Err(failures) }
}

fn no_spec(root: &Root, places: &[String]) -> Failure {
    let listed = places.join("`, `");
    let exists = places.iter().any(|it| root.folder.join(it).exists());
    let what = if exists { "there is no `.yaml` file" } else { "it does not exist" };
    let note = root.note();
    let why = format!("{what}; `statespec new NAME` creates one, and `specs` in statespec.toml sets the folder; {note}");
    Failure::new(&listed, "find a spec in", why)
}

/// Reads a text file of the project; `None` if it does not exist.
///
/// # Errors
///
/// If it cannot be read, is not UTF-8, or is behind a symbolic link.
pub fn read(root: &Path, path: &str) -> Result<Option<String>, Failure> {
    Disk::new(root).read(path)?.map(|bytes| utf8(path, bytes)).transpose()
}

/// Reads a file of the project byte by byte; `None` if it does not exist.
///
/// # Errors
///
/// If it cannot be read, or is behind a symbolic link or in another project.
pub fn read_bytes(root: &Path, path: &str) -> Result<Option<Vec<u8>>, Failure> {
    let mut disk = Disk::new(root);
    disk.check(path)?;
    disk.read(path)
}

fn utf8(path: &str, bytes: Vec<u8>) -> Result<String, Failure> {
    String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        let failure = Failure::new(path, "read", format!("line {line} is not UTF-8"));
        Failure { code: Some(Code::NotUtf8), ..failure }
    })
}
