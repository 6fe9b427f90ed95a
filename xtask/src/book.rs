//! The book: `docs/`, built by a pinned mdBook, with a pinned Mermaid that draws the diagrams in the browser.
//!
//! Neither is part of the repository. Cargo installs mdBook below `target/`; npm fetches Mermaid, 3.5 MB in one file,
//! and compares it with the checksum in `tests/mermaid/package-lock.json`, which also pins the parser of the tests.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The version of mdBook that builds the book.
pub const MDBOOK: &str = "0.5.4";

/// The folder of the built book, below the root.
pub const BOOK: &str = "target/book";

/// The folder of the tools that this repository installs for itself, below the root.
const TOOLS: &str = "target/tools";

/// Where npm puts Mermaid, below the root.
const MERMAID: &str = "tests/mermaid/node_modules/mermaid";

/// The browsers that can look at the book, by the names of their programs.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// Builds the book, and looks at it in a browser if asked to; installs what is missing, except the browser.
/// Returns the path of its first page, and what was seen.
///
/// # Errors
///
/// A tool that cannot be installed, every warning of mdBook, and what is wrong with a page in the browser.
pub fn build(root: &Path, look: bool) -> Result<String, String> {
    build_with(&installed_mdbook(root)?, root, &root.join(BOOK))?;
    if !has_mermaid(root) {
        npm(&root.join("tests/mermaid"))?;
    }
    add_mermaid(root, &root.join(BOOK))?;
    let page = format!("{}\n", root.join(BOOK).join("index.html").display());
    Ok(if look { page + &look_at(root)? } else { page })
}

/// Opens every page of the book in a browser; returns what was seen.
fn look_at(root: &Path) -> Result<String, String> {
    let is_there = |it: &&str| Command::new(it).arg("--version").output().is_ok_and(|it| it.status.success());
    let browser = BROWSERS.into_iter().find(is_there);
    let browser = browser.ok_or_else(|| format!("none of these programs is installed: {}", BROWSERS.join(", ")))?;
    let folder = root.join("tests/book");
    if !folder.join("node_modules").is_dir() {
        npm(&folder)?;
    }
    let mut command = Command::new("node");
    command.arg("look.mjs").arg(browser).arg(root.join(BOOK)).arg(root.join(BOOK).with_extension("shots")).current_dir(&folder);
    let output = command.output().map_err(|error| format!("`{command:?}` cannot run: {error}"))?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() { Ok(said) } else { Err(format!("{said}{}", String::from_utf8_lossy(&output.stderr))) }
}

/// Installs the packages of a folder as its lock file has them.
fn npm(folder: &Path) -> Result<(), String> {
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    run(Command::new(npm).args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]).current_dir(folder)).map(|_| ())
}

/// The pinned mdBook, if it is installed: by this repository, or by the user.
pub fn mdbook(root: &Path) -> Option<PathBuf> {
    let own = root.join(TOOLS).join("bin").join(format!("mdbook{}", std::env::consts::EXE_SUFFIX));
    [own, PathBuf::from("mdbook")].into_iter().find(|it| {
        let version = Command::new(it).arg("--version").output().map(|it| it.stdout);
        version.is_ok_and(|it| String::from_utf8_lossy(&it).trim() == format!("mdbook v{MDBOOK}"))
    })
}

/// The pinned mdBook, which is installed if it is missing.
///
/// # Errors
///
/// The message of cargo, which cannot install it.
pub fn installed_mdbook(root: &Path) -> Result<PathBuf, String> {
    if let Some(mdbook) = mdbook(root) {
        return Ok(mdbook);
    }
    // Without the server, which watches files: half of the dependencies. A slower mdBook is built sooner, and this book is small.
    let features = ["--debug", "--no-default-features", "--features", "search"];
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(["install", "--locked", "mdbook", "--version", MDBOOK]).args(features);
    run(command.arg("--root").arg(root.join(TOOLS)).current_dir(root))?;
    mdbook(root).ok_or_else(|| format!("`{command:?}` succeeded, but there is no mdBook {MDBOOK} in {TOOLS}"))
}

/// Builds the book into a folder.
///
/// # Errors
///
/// Every warning of mdBook.
pub fn build_with(mdbook: &Path, root: &Path, to: &Path) -> Result<(), String> {
    let said = run(Command::new(mdbook).arg("build").arg(root.join("docs")).arg("--dest-dir").arg(to).current_dir(root))?;
    let warnings: Vec<_> = said.lines().filter(|it| it.contains("WARN") || it.contains("ERROR")).collect();
    if warnings.is_empty() { Ok(()) } else { Err(format!("mdBook warns:\n{}", warnings.join("\n"))) }
}

/// Whether npm has installed the pinned Mermaid.
pub fn has_mermaid(root: &Path) -> bool {
    let read = |path: &str| fs::read_to_string(root.join(path)).ok().and_then(|it| serde_json::from_str::<serde_json::Value>(&it).ok());
    let pinned = read("tests/mermaid/package.json").map(|it| it["dependencies"]["mermaid"].clone());
    let installed = read(&format!("{MERMAID}/package.json")).map(|it| it["version"].clone());
    installed.is_some() && pinned == installed
}

/// Puts Mermaid and its licence where `docs/assets/diagrams.js` expects it.
///
/// # Errors
///
/// A file that cannot be copied.
pub fn add_mermaid(root: &Path, book: &Path) -> Result<(), String> {
    let to = book.join("assets/mermaid");
    fs::create_dir_all(&to).map_err(|error| format!("{} cannot be created: {error}", to.display()))?;
    for file in ["dist/mermaid.min.js", "LICENSE"] {
        let from = root.join(MERMAID).join(file);
        let name = from.file_name().unwrap_or_default();
        fs::copy(&from, to.join(name)).map_err(|error| format!("{} cannot be copied: {error}", from.display()))?;
    }
    Ok(())
}

/// Runs a command to its end; returns what it says on stderr.
fn run(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| format!("`{command:?}` cannot run: {error}"))?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() { Ok(said) } else { Err(format!("`{command:?}` failed:\n{said}")) }
}
