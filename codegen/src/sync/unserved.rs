//! Generated text outside all places: outputs and filled regions that no run compares any more.
//!
//! They remain when a section is removed from the configuration, a folder gets another name, or a link takes the place of a
//! page. They only cause warnings: nothing is written or removed outside the places.

use std::collections::{BTreeMap, VecDeque};
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use statespec_lang::source::Sources;

use super::disk::mark_of_project;
use super::line_ends::with_lf;
use super::page::Regions;
use super::{Config, header, region};
use statespec_rust::root::is_ignored;

/// The limit on the files and folders of one search. Folders near the root are searched first.
const MAX_ENTRIES: usize = 20_000;

/// The limit on the size of a page.
const MAX_PAGE: u64 = 8 << 20;

/// The folder of specs that needs no configuration: a folder that contains one may be the root of another project.
const USUAL_SPECS: &str = "machines";

const PAGES: &[&str] = &["md", "markdown", "mdx"];

/// The search of one project.
pub(super) struct Search<'a, 'r> {
    pub(super) config: &'a Config,
    pub(super) specs: &'a Sources,
    pub(super) regions: &'a Regions<'r>,
}

/// A file or folder to look at.
struct Next {
    /// The path in messages, relative to the root.
    path: String,
    full: PathBuf,
    /// Whether it lies behind a link in a place.
    is_linked: bool,
}

/// The findings: pages, and the outputs of each folder with the specs that the first of them names.
#[derive(Default)]
struct Found {
    pages: Vec<(String, bool)>,
    outputs: BTreeMap<String, Vec<(String, String)>>,
}

impl Search<'_, '_> {
    /// The warnings about the tree outside all places, and about links within them: a path, and the message.
    pub(super) fn warnings(&self, links: &BTreeMap<String, PathBuf>) -> Vec<(String, String)> {
        let mut found = Found::default();
        let mut open = VecDeque::from([Next { path: String::new(), full: self.config.root.clone(), is_linked: false }]);
        let behind = |(path, full): (&String, &PathBuf)| {
            let real = full.canonicalize().ok().filter(|it| !self.is_served(it))?;
            Some(Next { path: path.clone(), full: real, is_linked: true })
        };
        open.extend(links.iter().filter_map(behind));
        let mut n_entries = 0;
        while let Some(next) = open.pop_front().filter(|_| n_entries < MAX_ENTRIES) {
            n_entries += 1;
            // The search is a help: the run itself reports files that cannot be read, as far as it needs them.
            let Ok(metadata) = fs::symlink_metadata(&next.full) else { continue };
            if metadata.is_file() {
                let _ = self.file(&next, &mut found);
            } else if metadata.is_dir() {
                let Ok(entries) = fs::read_dir(&next.full) else { continue };
                let mut below: Vec<Next> = entries.flatten().filter_map(|it| self.below(&next, &it)).collect();
                below.sort_by(|a, b| a.path.cmp(&b.path));
                open.extend(below);
            }
        }
        found.warnings()
    }

    /// An entry of a folder, unless it is ignored, in a place, or in another project.
    fn below(&self, folder: &Next, entry: &fs::DirEntry) -> Option<Next> {
        let kind = entry.file_type().ok().filter(|it| it.is_file() || it.is_dir())?;
        let name = entry.file_name().into_string().ok()?;
        if is_ignored(&name, kind.is_dir()) {
            return None;
        }
        let path = if folder.path.is_empty() { name } else { format!("{}/{name}", folder.path) };
        let full = entry.path();
        let is_elsewhere = || !folder.is_linked && self.config.watches(&path) || kind.is_dir() && self.is_other_project(&path, &full);
        (!is_elsewhere()).then(|| Next { path: path.clone(), full: full.clone(), is_linked: folder.is_linked })
    }

    /// A folder with specs of its own that this project does not read is another project without a configuration.
    fn is_other_project(&self, path: &str, full: &Path) -> bool {
        let is_spec = |it: fs::DirEntry| it.path().extension().is_some_and(|it| it == "yaml" || it == "yml");
        let specs = format!("{path}/{USUAL_SPECS}/");
        let is_usual = || {
            fs::read_dir(full.join(USUAL_SPECS)).is_ok_and(|it| it.flatten().any(is_spec))
                && !self.specs.paths().any(|it| it.starts_with(&specs))
        };
        mark_of_project(full).is_some() || is_usual()
    }

    /// Whether a run looks at the real path of a link.
    fn is_served(&self, real: &Path) -> bool {
        let root = self.config.root.canonicalize();
        let Some(below) = root.ok().and_then(|it| real.strip_prefix(it).ok().map(Path::to_owned)) else { return false };
        let names: Vec<_> = below.iter().map(|it| it.to_string_lossy()).collect();
        self.config.watches(&names.join("/")) && !names.iter().any(|it| is_ignored(it, true))
    }

    fn file(&self, next: &Next, found: &mut Found) -> io::Result<()> {
        let extension = next.path.rsplit_once('.').map_or("", |(_, it)| it);
        let is_page = PAGES.iter().any(|it| it.eq_ignore_ascii_case(extension));
        if !is_page && !header::has_place(&next.path) {
            return Ok(());
        }
        let mut file = File::open(&next.full)?;
        let mut bytes = Vec::new();
        (&mut file).take(header::HEAD_LEN).read_to_end(&mut bytes)?;
        if header::begins(&bytes) {
            file.read_to_end(&mut bytes)?;
            let origin = header::read(&with_lf(&bytes)).map(|it| it.origin).unwrap_or_default();
            if !next.is_linked && self.is_ours(&origin) {
                let folder = next.path.rsplit_once('/').map_or("", |(folder, _)| folder);
                found.outputs.entry(folder.to_owned()).or_default().push((next.path.clone(), origin));
            }
        } else if is_page {
            file.take(MAX_PAGE).read_to_end(&mut bytes)?;
            if region::filled(&String::from_utf8_lossy(&bytes)).any(|it| self.regions.provide(it)) {
                found.pages.push((next.path.clone(), next.is_linked));
            }
        }
        Ok(())
    }

    /// Whether a header names specs of this project, or specs that were beside them.
    fn is_ours(&self, origin: &str) -> bool {
        let folder = match origin.split_once(" specs in ") {
            Some((_, folder)) => Some(folder),
            None => origin.split(", ").next().and_then(|it| it.rsplit_once('/')).map(|(folder, _)| folder),
        };
        folder.is_none_or(|it| self.specs.paths().any(|spec| header::harmless(spec).strip_prefix(it).is_some_and(|it| it.starts_with('/'))))
    }
}

impl Found {
    fn warnings(self) -> Vec<(String, String)> {
        let mut warnings = Vec::new();
        for outputs in self.outputs.into_values() {
            let n_others = outputs.len() - 1;
            let Some((path, origin)) = outputs.into_iter().next() else { continue };
            let (others, rest) = match n_others {
                0 => (String::new(), "it, or name its folder"),
                1 => (", as does another file of its folder".to_owned(), "both, or name the folder"),
                n => (format!(", as do {n} other files of its folder"), "them, or name the folder"),
            };
            let message = format!(
                "it has the header of an output (from {origin}){others}, and no output has this path; delete {rest} in the configuration"
            );
            warnings.push((path, message));
        }
        for (path, is_linked) in self.pages {
            let message = match is_linked {
                true => "it is or lies behind a symbolic link, so its regions are not looked at; put the page itself there",
                false => "it has filled regions, and is in no place that is looked at; add it to `places` in the configuration",
            };
            warnings.push((path, message.to_owned()));
        }
        warnings
    }
}
