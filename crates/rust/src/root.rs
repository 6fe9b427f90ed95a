//! The root of a project: the folder that all its paths are relative to, and how it was found.
//!
//! The command line, the derive, the tests and the tools all search here, so they agree.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The configuration file of a project; its folder is the root.
pub const FILE: &str = "statespec.toml";

/// The conventional folder of specs, below the root.
pub const SPECS: &str = "machines";

/// The root of a project, and how it was found.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Root {
    /// The folder.
    pub folder: PathBuf,
    /// How it was found.
    pub mark: Mark,
}

/// The mark by which a root was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// The caller named the folder.
    Named,
    /// It is the nearest folder with a `statespec.toml`.
    Configuration,
    /// It is the nearest folder with specs in `machines`.
    Specs,
    /// It is the root of the Cargo workspace.
    Workspace,
    /// It is the nearest folder with a `Cargo.toml`.
    Package,
    /// It is the top of the repository.
    Repository,
    /// There is no mark, so it is the folder where the search began.
    Start,
}

impl Root {
    /// The root of the project that a folder belongs to.
    ///
    /// It is the nearest folder upwards with a `statespec.toml`, else the nearest with specs in `machines`, else the
    /// root of the Cargo workspace, else the package, else the top of the repository, else the folder itself. The
    /// search ends at the top of the repository.
    pub fn find(start: &Path) -> Root {
        let nearest = |mark: Mark, has: &dyn Fn(&Path) -> bool| {
            around(start).find(|it| has(it)).map(|folder| Root { folder: folder.to_owned(), mark })
        };
        nearest(Mark::Configuration, &|it| it.join(FILE).exists())
            .or_else(|| nearest(Mark::Specs, &holds_specs))
            .or_else(|| nearest(Mark::Workspace, &is_workspace))
            .or_else(|| nearest(Mark::Package, &|it| it.join("Cargo.toml").exists()))
            .or_else(|| nearest(Mark::Repository, &is_repository))
            .unwrap_or_else(|| Root { folder: start.to_owned(), mark: Mark::Start })
    }

    /// All projects from the top of the repository around a folder downwards, or from the folder itself without one,
    /// sorted by path: every folder with a `statespec.toml`, and every other folder with specs in `machines` unless a
    /// project with a configuration is around it. Other repositories and hidden folders are not entered.
    pub fn find_all(start: &Path) -> Vec<Root> {
        let top = top(start);
        let mut found = Vec::new();
        let mut open = vec![(top.to_owned(), false)];
        while let Some((folder, is_configured)) = open.pop() {
            let mark = match folder.join(FILE).exists() {
                true => Some(Mark::Configuration),
                false => (!is_configured && holds_specs(&folder)).then_some(Mark::Specs),
            };
            let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
            let folders = entries.filter(|it| it.file_type().is_ok_and(|it| it.is_dir()));
            let own = folders.filter(|it| !is_ignored(&it.file_name().to_string_lossy(), true) && !is_repository(&it.path()));
            let is_configured = is_configured || mark == Some(Mark::Configuration);
            open.extend(own.map(|it| (it.path(), is_configured)));
            found.extend(mark.map(|mark| Root { folder, mark }));
        }
        found.sort();
        found
    }

    /// The root of the project that this process works on, for tests and tools that Cargo runs: the search begins at
    /// the package that Cargo runs, or else at the current folder. Nothing of it is fixed when the program is compiled:
    /// two checkouts can share a target folder.
    ///
    /// # Errors
    ///
    /// If there is no current folder.
    pub fn of_process() -> io::Result<Root> {
        let package = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
        package.map_or_else(std::env::current_dir, Ok).map(|it| Root::find(&it))
    }

    /// The note that a message about something missing ends with.
    pub fn note(&self) -> String {
        format!("the project's root is {self}")
    }
}

impl fmt::Display for Root {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let how = match self.mark {
            Mark::Named => "the folder that was named",
            Mark::Configuration => "the nearest folder upwards with `statespec.toml`",
            Mark::Specs => "the nearest folder upwards with specs in `machines`",
            Mark::Workspace => "the root of the Cargo workspace",
            Mark::Package => "the nearest folder upwards with `Cargo.toml`",
            Mark::Repository => "the top of the repository",
            Mark::Start => "the current folder, since no folder upwards has `statespec.toml`, `machines`, `Cargo.toml` or `.git`",
        };
        write!(f, "`{}`, {how}", self.folder.display())
    }
}

impl<T: AsRef<Path> + ?Sized> From<&T> for Root {
    fn from(folder: &T) -> Root {
        folder.as_ref().to_owned().into()
    }
}

impl From<PathBuf> for Root {
    fn from(folder: PathBuf) -> Root {
        Root { folder, mark: Mark::Named }
    }
}

/// The top of the repository around a folder, or the folder itself without one.
pub fn top(start: &Path) -> &Path {
    around(start).find(|it| is_repository(it)).unwrap_or(start)
}

/// The folders in which a project is searched, innermost first: from a folder to the top of its repository, or of the
/// file system.
pub fn around(start: &Path) -> impl Iterator<Item = &Path> {
    let mut folders = start.ancestors();
    let mut is_over = false;
    std::iter::from_fn(move || {
        let folder = folders.next().filter(|_| !is_over)?;
        is_over = is_repository(folder);
        Some(folder)
    })
}

/// Hidden files, and folders that tools fill with their own files.
pub fn is_ignored(name: &str, is_folder: bool) -> bool {
    name.starts_with('.') || (is_folder && matches!(name, "target" | "node_modules"))
}

/// Whether a folder is the top of a repository, a worktree or a submodule.
fn is_repository(folder: &Path) -> bool {
    fs::symlink_metadata(folder.join(".git")).is_ok()
}

/// Whether a folder has specs in `machines`, or an empty `machines` that waits for them. Modules in `src/machines` and
/// pages in `docs/machines` are no specs.
pub fn holds_specs(folder: &Path) -> bool {
    let Ok(entries) = fs::read_dir(folder.join(SPECS)) else { return false };
    let mut entries: Vec<_> = entries.flatten().collect();
    let is_empty = entries.is_empty();
    while let Some(entry) = entries.pop() {
        let path = entry.path();
        if path.extension().is_some_and(|it| it == "yaml" || it == "yml") {
            return true;
        }
        // Links are not followed, so the search ends.
        if entry.file_type().is_ok_and(|it| it.is_dir()) {
            entries.extend(fs::read_dir(path).into_iter().flatten().flatten());
        }
    }
    is_empty
}

/// Whether a folder is the root of a Cargo workspace. A look at the lines is enough: the derive reads no TOML.
fn is_workspace(folder: &Path) -> bool {
    let is_header = |line: &str| {
        let name = line.trim_start().strip_prefix('[').and_then(|it| it.trim_start().strip_prefix("workspace"));
        name.is_some_and(|it| it.trim_start().starts_with([']', '.']))
    };
    fs::read_to_string(folder.join("Cargo.toml")).is_ok_and(|it| it.lines().any(is_header))
}
