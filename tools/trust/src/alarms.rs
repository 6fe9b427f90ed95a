//! Tests for false alarms: a clean repository stays clean under other circumstances.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

use statespec_codegen::diagnostic::Style;
use statespec_codegen::report::{RenderOptions, Status};
use statespec_codegen::sync::Mode;
use xtask::{SPECS, Scope, config, generate};

use crate::mutants::Tree;

/// One difference between checkouts that is not drift.
struct Circumstance {
    name: &'static str,
    /// Changes a copy of the repository; returns the root to check, or `None` if this system does not support the change.
    prepare: fn(&Tree) -> io::Result<Option<PathBuf>>,
    /// The command before the program on the command line.
    wrapper: &'static [&'static str],
    /// The environment of the program.
    env: &'static [(&'static str, &'static str)],
}

impl Circumstance {
    const fn new(name: &'static str) -> Self {
        Circumstance { name, prepare: as_it_is, wrapper: &[], env: &[] }
    }
}

const NOBODY: &[&str] = &["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];

const ALL: &[Circumstance] = &[
    Circumstance::new("another directory"),
    Circumstance { prepare: odd_folder, ..Circumstance::new("a path with blanks and letters of other scripts") },
    Circumstance { prepare: |tree| backwards(tree).map(Some), ..Circumstance::new("files made in another order") },
    Circumstance { prepare: crlf, ..Circumstance::new("a checkout with CRLF, specs included") },
    Circumstance { prepare: mixed_pages, ..Circumstance::new("specs with CRLF, outputs with LF") },
    Circumstance { env: &[("LC_ALL", "tr_TR.UTF-8"), ("LANG", "tr_TR.UTF-8")], ..Circumstance::new("another locale: Turkish") },
    Circumstance { env: &[("LC_ALL", "C"), ("LANG", "C")], ..Circumstance::new("another locale: C") },
    Circumstance { env: &[("TZ", "Pacific/Kiritimati")], ..Circumstance::new("another time zone: UTC+14") },
    Circumstance { env: &[("TZ", "Pacific/Pago_Pago")], ..Circumstance::new("another time zone: UTC-11") },
    Circumstance { wrapper: &["sh", "-c", "umask 077; exec \"$@\"", "sh"], ..Circumstance::new("umask 077") },
    Circumstance { wrapper: &["env", "-i"], ..Circumstance::new("an empty environment") },
    Circumstance { wrapper: &["sh", "-c", "cd / && exec \"$@\"", "sh"], ..Circumstance::new("another working directory") },
    Circumstance { prepare: read_only, ..Circumstance::new("a read-only tree") },
    Circumstance { prepare: for_others, wrapper: NOBODY, ..Circumstance::new("another user") },
    Circumstance { prepare: read_only_for_others, wrapper: NOBODY, ..Circumstance::new("another user and a read-only tree") },
    Circumstance { prepare: linked_root, ..Circumstance::new("a root behind a symbolic link") },
    Circumstance { prepare: touched, ..Circumstance::new("files that are newer than they were") },
    Circumstance { prepare: other_projects, ..Circumstance::new("other projects, a worktree and a submodule below the root") },
    Circumstance { prepare: temporary_files, ..Circumstance::new("temporary files of runs that were ended in the middle") },
    Circumstance { prepare: linked_beside, ..Circumstance::new("symbolic links beside hand-written pages") },
];

/// Checks a copy of the repository in every circumstance; returns each name, with the output of a check that was not clean.
///
/// `program` is this crate's own, whose `check` subcommand is run. Unsupported circumstances are left out.
///
/// # Errors
///
/// If a copy cannot be made, or the repository already has drifted.
pub fn run(root: &Path, program: &Path) -> io::Result<Vec<(&'static str, Result<(), String>)>> {
    let places = config(root, Scope::All).map_err(io::Error::other)?;
    let places: Vec<&str> = places.owned.iter().chain(&places.shared).map(String::as_str).chain([SPECS]).collect();
    let options = RenderOptions { full_diff: false, style: Style::Plain };
    if generate(root, Scope::All, Mode::Check, options).status != Status::Clean {
        return Err(io::Error::other("the repository has drifted already: run the check first"));
    }
    let is_root = Command::new("id").arg("-u").output().is_ok_and(|it| it.stdout == b"0\n");
    let mut results = Vec::new();
    for Circumstance { name, prepare, wrapper, env } in ALL {
        if wrapper == &NOBODY && !is_root {
            continue;
        }
        let tree = Tree::copy(root, &places)?;
        let Some(root) = prepare(&tree)? else { continue };
        // Another user may not have access to our folders, including that of the program.
        let program = if wrapper == &NOBODY { share(program, tree.root())? } else { program.to_owned() };
        let line: Vec<&std::ffi::OsStr> = wrapper.iter().map(std::ffi::OsStr::new).chain([program.as_os_str()]).collect();
        let output = Command::new(line[0]).args(&line[1..]).arg("check").arg(&root).envs(env.iter().copied()).output();
        let result = match output {
            Ok(output) if output.status.success() => Ok(()),
            Ok(output) => Err(String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()),
            Err(error) => Err(format!("{}: {error}", line[0].to_string_lossy())),
        };
        writable(tree.root())?;
        results.push((*name, result));
    }
    Ok(results)
}

fn as_it_is(tree: &Tree) -> io::Result<Option<PathBuf>> {
    Ok(Some(tree.root().to_owned()))
}

/// Moves all files into a folder of the copy, in this order.
fn move_to<'a>(tree: &'a Tree, folder: &str, paths: impl Iterator<Item = &'a String>) -> io::Result<PathBuf> {
    for path in paths {
        tree.put(&format!("{folder}/{path}"), &tree.files[path])?;
    }
    Ok(tree.place(folder))
}

fn odd_folder(tree: &Tree) -> io::Result<Option<PathBuf>> {
    move_to(tree, "a b/Ünï — 日本 'x'", tree.files.keys()).map(Some)
}

fn backwards(tree: &Tree) -> io::Result<PathBuf> {
    move_to(tree, "backwards", tree.files.keys().rev())
}

fn with_crlf(bytes: &[u8]) -> Vec<u8> {
    bytes.iter().flat_map(|it| if *it == b'\n' { vec![b'\r', b'\n'] } else { vec![*it] }).collect()
}

fn crlf(tree: &Tree) -> io::Result<Option<PathBuf>> {
    for (path, bytes) in &tree.files {
        tree.put(path, &with_crlf(bytes))?;
    }
    as_it_is(tree)
}

fn mixed_pages(tree: &Tree) -> io::Result<Option<PathBuf>> {
    for (path, bytes) in tree.files.iter().filter(|(path, _)| path.starts_with(SPECS)) {
        tree.put(path, &with_crlf(bytes))?;
    }
    as_it_is(tree)
}

fn touched(tree: &Tree) -> io::Result<Option<PathBuf>> {
    for (path, bytes) in &tree.files {
        tree.put(path, bytes)?;
    }
    as_it_is(tree)
}

/// A generated page of the copy.
fn a_page(tree: &Tree) -> io::Result<&[u8]> {
    let page = tree.files.iter().find(|(path, _)| path.starts_with("docs/machines/") && path.ends_with(".md"));
    page.map(|(_, bytes)| bytes.as_slice()).ok_or_else(|| io::Error::other("there is no generated page"))
}

/// The outputs of other projects would be orphans in this one.
fn other_projects(tree: &Tree) -> io::Result<Option<PathBuf>> {
    for (folder, mark) in [("project", "statespec.toml"), ("worktree", ".git"), ("module", ".git/HEAD")] {
        tree.put(&format!("docs/{folder}/{mark}"), b"")?;
        tree.put(&format!("docs/{folder}/docs/machines/theirs.md"), a_page(tree)?)?;
    }
    as_it_is(tree)
}

/// The temporary files of a process number that does not exist.
fn temporary_files(tree: &Tree) -> io::Result<Option<PathBuf>> {
    tree.put(&format!("docs/.statespec-new-{}-aaaaaa", i32::MAX), b"half a te")?;
    tree.put(&format!("docs/machines/.statespec-old-{}-1-page.md", i32::MAX), a_page(tree)?)?;
    as_it_is(tree)
}

/// Links: their targets are not searched.
#[cfg(unix)]
fn linked_beside(tree: &Tree) -> io::Result<Option<PathBuf>> {
    tree.put("elsewhere/old.md", a_page(tree)?)?;
    std::os::unix::fs::symlink("../elsewhere", tree.place("docs/folder"))?;
    std::os::unix::fs::symlink("../elsewhere/old.md", tree.place("docs/old.md"))?;
    as_it_is(tree)
}

#[cfg(not(unix))]
fn linked_beside(_: &Tree) -> io::Result<Option<PathBuf>> {
    Ok(None)
}

#[cfg(unix)]
fn set_mode(folder: &Path, file_mode: u32, folder_mode: u32) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    for entry in walkdir::WalkDir::new(folder).contents_first(true) {
        let entry = entry?;
        let mode = if entry.file_type().is_dir() { folder_mode } else { file_mode };
        if !entry.path_is_symlink() {
            fs::set_permissions(entry.path(), fs::Permissions::from_mode(mode))?;
        }
    }
    Ok(())
}

#[cfg(not(unix))]
fn set_mode(_: &Path, _: u32, _: u32) -> io::Result<()> {
    Ok(())
}

fn read_only(tree: &Tree) -> io::Result<Option<PathBuf>> {
    set_mode(tree.root(), 0o444, 0o555)?;
    as_it_is(tree)
}

fn for_others(tree: &Tree) -> io::Result<Option<PathBuf>> {
    set_mode(tree.root(), 0o644, 0o755)?;
    as_it_is(tree)
}

fn read_only_for_others(tree: &Tree) -> io::Result<Option<PathBuf>> {
    read_only(tree)
}

/// Makes a folder writable, so that the copy can be removed.
fn writable(folder: &Path) -> io::Result<()> {
    set_mode(folder, 0o644, 0o755)
}

/// A copy of the program beside the tree, where every user can run it.
fn share(program: &Path, root: &Path) -> io::Result<PathBuf> {
    let copy = root.join("target/program");
    let is_closed = fs::metadata(root)?.permissions().readonly();
    if is_closed {
        set_mode(root, 0o444, 0o755)?;
    }
    fs::create_dir_all(root.join("target"))?;
    fs::copy(program, &copy)?;
    set_mode(root, if is_closed { 0o444 } else { 0o644 }, if is_closed { 0o555 } else { 0o755 })?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(&copy, fs::Permissions::from_mode(0o755))?;
    }
    Ok(copy)
}

#[cfg(unix)]
fn linked_root(tree: &Tree) -> io::Result<Option<PathBuf>> {
    let real = backwards(tree)?;
    let link = tree.place("link");
    std::os::unix::fs::symlink(real, &link)?;
    Ok(Some(link))
}

#[cfg(not(unix))]
fn linked_root(_: &Tree) -> io::Result<Option<PathBuf>> {
    Ok(None)
}

/// The results as Markdown.
pub fn markdown(results: &[(&str, Result<(), String>)]) -> String {
    let rows = results.iter().map(|(name, result)| format!("| {name} | {} |\n", if result.is_ok() { "clean" } else { "**false alarm**" }));
    format!("| Circumstance | Check |\n| --- | --- |\n{}", rows.collect::<String>())
}
