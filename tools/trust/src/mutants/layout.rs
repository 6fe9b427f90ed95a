//! Changes of the tree around the outputs: symbolic links, other projects, and pages in another form.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::{fs, io};

use statespec_codegen::config::FILE;
use statespec_codegen::project::Project;
use statespec_codegen::report::Status;
use statespec_codegen::sync::Mode;
use xtask::{SPECS, Scope};

use super::configuration::OPTIONS;
use super::run::{Rows, Runner, regions};
use super::text::Edit;

/// A change that is reverted after the check.
#[derive(Debug, Clone)]
enum Change {
    /// A file or folder is moved into this folder, and a link to it takes its place.
    #[cfg(unix)]
    Link(String, PathBuf),
    /// A file gets other contents.
    Put(String, Vec<u8>),
    /// A file gets another path, and other contents.
    Rename(String, String, Vec<u8>),
    /// A folder with these files is added.
    Folder(String, Vec<(String, Vec<u8>)>),
}

/// A change, and whether it must be found.
type Mutant = (Change, bool);

/// The mark of another project, and whether it makes one in a place for outputs.
const MARKS: &[(&str, &str, &str, bool)] = &[
    ("nested project", FILE, "", true),
    ("nested worktree", ".git", "gitdir: elsewhere\n", true),
    ("nested repository", ".git/HEAD", "ref: refs/heads/main\n", true),
    ("nested project without a configuration", "machines/theirs.yaml", "machine: theirs\n", false),
];

/// The form of a region in a page, by its text.
type Form = (&'static str, fn(&str) -> String);

const FORMS: &[Form] = &[
    ("region indented by four blanks", |it| prefixed("    ", "    ", it)),
    ("region indented by a tab", |it| prefixed("\t", "\t", it)),
    ("region indented by one blank", |it| prefixed(" ", " ", it)),
    ("region in a list", |it| prefixed("- ", "  ", it)),
    ("region in a quote", |it| prefixed("> ", "> ", it)),
    ("region in a fence", |it| format!("````text\n{it}````\n")),
    ("region in a fence of tildes", |it| format!("~~~~\n{it}~~~~\n")),
    ("region in a fence without an end", |it| format!("`````\n{it}")),
    ("region in a fence in a list", |it| format!("- ````\n{}  ````\n", prefixed("  ", "  ", it))),
    ("region in a fence in a quote", |it| format!("> ````\n{}> ````\n", prefixed("> ", "> ", it))),
    ("region indented in a list", |it| prefixed("1.     ", "       ", it)),
    ("markers in capitals", |it| {
        it.replace("<!-- statespec:begin", "<!-- Statespec:Begin").replace("<!-- statespec:end", "<!-- STATESPEC:END")
    }),
    ("markers without blanks", |it| it.replace("<!-- statespec:", "<!--statespec:")),
];

/// Forms in which a region stays a region.
const SAME: &[Form] = &[
    ("region after an open comment", |it| format!("<!--\n{it}-->\n")),
    ("region in HTML", |it| format!("<details>\n\n{it}\n</details>\n")),
    ("region in a preformatted block", |it| format!("<pre>\n{it}</pre>\n")),
];

/// Another encoding of a page.
type Encoding = (&'static str, fn(&str) -> Vec<u8>);

const ENCODINGS: &[Encoding] = &[
    ("page in UTF-16 with a mark", |it| std::iter::once(0xfeff).chain(it.encode_utf16()).flat_map(u16::to_le_bytes).collect()),
    ("page in UTF-16, the high byte first", |it| std::iter::once(0xfeff).chain(it.encode_utf16()).flat_map(u16::to_be_bytes).collect()),
    ("page in UTF-16 without a mark", |it| it.encode_utf16().flat_map(u16::to_le_bytes).collect()),
    ("page in UTF-32", |it| it.chars().flat_map(|it| u32::from(it).to_le_bytes()).collect()),
];

fn prefixed(first: &str, rest: &str, text: &str) -> String {
    text.split_inclusive('\n').enumerate().map(|(idx, line)| format!("{}{line}", if idx == 0 { first } else { rest })).collect()
}

fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

impl Runner {
    /// Every change of this module.
    pub(super) fn layout(&mut self) -> io::Result<()> {
        let outside = tempfile::tempdir()?;
        let mut rows: Rows<Mutant> = BTreeMap::new();
        #[cfg(unix)]
        self.links(outside.path(), &mut rows);
        self.nested(&mut rows);
        self.forms(&mut rows);
        for ((what, class), mutants) in self.pick(rows) {
            for (path, (change, expected)) in mutants {
                self.make(&change)?;
                let found = self.look(&change)?;
                self.unmake(&change)?;
                self.table.count((what, &class), &|| path.clone(), expected, found);
            }
        }
        Ok(())
    }

    /// The pages with regions.
    fn pages_with_regions(&self) -> Vec<(String, Vec<Range<usize>>)> {
        let outputs: BTreeSet<&str> = self.outputs_of_all().collect();
        let pages = self.tree.files.iter().filter(|(path, _)| path.ends_with(".md") && !outputs.contains(path.as_str()));
        pages.map(|(path, bytes)| (path.clone(), regions(bytes))).filter(|(_, it)| !it.is_empty()).collect()
    }

    /// Files and folders behind links: outputs, pages, specs and the configuration.
    #[cfg(unix)]
    fn links(&self, outside: &Path, rows: &mut Rows<Mutant>) {
        let outputs: BTreeSet<&str> = self.outputs_of_all().collect();
        let pages: Vec<String> = self.pages_with_regions().into_iter().map(|(path, _)| path).collect();
        let folders = |paths: &mut dyn Iterator<Item = &str>| -> BTreeSet<String> {
            paths.flat_map(|path| path.match_indices('/').map(|(idx, _)| path[..idx].to_owned()).collect::<Vec<_>>()).collect()
        };
        let output_folders = folders(&mut outputs.iter().copied());
        let page_folders = folders(&mut pages.iter().map(String::as_str));
        let all_folders = folders(&mut self.tree.files.keys().map(String::as_str));
        let mut push = |class: &str, path: &str, expected: bool| {
            for (place, folder) in [("inside", self.tree.place("moved")), ("outside", outside.to_owned())] {
                let class = format!("{class} replaced by a link {place}");
                rows.entry(("symbolic links", class))
                    .or_default()
                    .push((path.to_owned(), (Change::Link(path.to_owned(), folder), expected)));
            }
        };
        for path in self.tree.files.keys() {
            match path.as_str() {
                FILE => push("configuration", path, true),
                it if outputs.contains(it) => push("output", path, true),
                it if parent(it) == SPECS => push("spec", path, true),
                it if pages.iter().any(|page| page == it) => push("page with regions", path, true),
                _ => push("other file", path, false),
            }
        }
        for folder in &all_folders {
            match folder {
                it if it == SPECS => push("folder of specs", it, true),
                it if output_folders.contains(it) => push("folder of outputs", it, true),
                it if page_folders.contains(it) => push("folder of pages", it, true),
                it => push("other folder", it, false),
            }
        }
    }

    /// Outputs of other projects below the root; the same files without their project are drift.
    fn nested(&self, rows: &mut Rows<Mutant>) {
        let outputs: Vec<&str> = self.outputs_of_all().collect();
        let pages = self.pages_with_regions();
        let places: BTreeSet<&str> = outputs.iter().map(|it| parent(it)).chain(["", "docs", "packages/app"]).collect();
        for place in places {
            let folder = format!("{place}/theirs").trim_start_matches('/').to_owned();
            let in_place = self.is_watched(&folder);
            let theirs = outputs.iter().map(|it| (*it, self.tree.files[*it].clone()));
            // Their regions have another text.
            let edited = |path: &String, it: &Range<usize>| {
                let region = self.tree.files[path][it.clone()].to_vec();
                Edit::Insert(region.len() / 2).apply(&region).unwrap_or(region)
            };
            let theirs = theirs.chain(pages.iter().map(|(path, regions)| (path.as_str(), edited(path, &regions[0]))));
            for (path, bytes) in theirs {
                let name = path.rsplit('/').next().unwrap_or(path);
                let files = vec![(format!("{folder}/deep/{name}"), bytes.clone()), (format!("{folder}/{name}"), bytes)];
                for (class, mark, text, is_always) in MARKS.iter().filter(|it| it.3 || !in_place) {
                    debug_assert!(*is_always || !in_place);
                    let mark = (format!("{folder}/{mark}"), text.as_bytes().to_vec());
                    let change = Change::Folder(folder.clone(), files.iter().cloned().chain([mark]).collect());
                    rows.entry(("several projects", (*class).to_owned())).or_default().push((format!("{folder}/{name}"), (change, false)));
                }
                let change = Change::Folder(folder.clone(), files);
                let class = "the same folder without its mark".to_owned();
                rows.entry(("several projects", class)).or_default().push((format!("{folder}/{name}"), (change, true)));
            }
        }
    }

    /// Pages whose regions are no longer regions, or whose file is no longer a page.
    fn forms(&self, rows: &mut Rows<Mutant>) {
        for (path, regions) in self.pages_with_regions() {
            let bytes = &self.tree.files[&path];
            let text = String::from_utf8_lossy(bytes);
            let mut push = |class: &str, place: String, change: Change, expected: bool| {
                rows.entry(("pages in another form", class.to_owned())).or_default().push((place, (change, expected)));
            };
            for region in &regions {
                let place = || format!("{path}: byte {}", region.start);
                // An empty line begins a new paragraph, as after an edit by hand.
                let put = |by: String| {
                    let mutant = [&text[..region.start], "\n", &by, "\n", &text[region.end..]].concat();
                    Change::Put(path.clone(), mutant.into_bytes())
                };
                let written = &text[region.clone()];
                for (class, form) in FORMS {
                    push(class, place(), put(form(written)), true);
                }
                for (class, form) in SAME {
                    push(class, place(), put(form(written)), false);
                    let edited = Edit::Insert(written.len() / 2).apply(written.as_bytes()).and_then(|it| String::from_utf8(it).ok());
                    edited.into_iter().for_each(|it| push(&format!("{class}, and edited"), place(), put(form(&it)), true));
                }
            }
            for (class, encode) in ENCODINGS {
                push(class, path.clone(), Change::Put(path.clone(), encode(&text)), true);
            }
            // In a folder a page may have any name; a single file is named by the configuration.
            let is_served = path.contains('/');
            let stem = path.trim_end_matches(".md");
            for (extension, expected) in
                [("mdx", true), ("MDX", true), ("markdown", !is_served), ("MD", !is_served), ("Markdown", !is_served)]
            {
                let renamed = |bytes: Vec<u8>| Change::Rename(path.clone(), format!("{stem}.{extension}"), bytes);
                push(&format!("page renamed to `.{extension}`"), path.clone(), renamed(bytes.clone()), expected);
                for region in regions.iter().filter(|_| is_served && !expected) {
                    let edit = Edit::Insert((region.start + region.end) / 2);
                    let Some(mutant) = edit.apply(bytes) else { continue };
                    push(&format!("page renamed to `.{extension}` and edited"), format!("{path}: {edit}"), renamed(mutant), true);
                }
            }
        }
    }

    fn make(&self, change: &Change) -> io::Result<()> {
        match change {
            #[cfg(unix)]
            Change::Link(path, to) => {
                let target = to.join(path);
                fs::create_dir_all(target.parent().unwrap_or(to))?;
                fs::rename(self.tree.place(path), &target)?;
                std::os::unix::fs::symlink(target, self.tree.place(path))
            }
            Change::Put(path, bytes) => self.tree.put(path, bytes),
            Change::Rename(path, to, bytes) => self.tree.remove(path).and_then(|()| self.tree.put(to, bytes)),
            Change::Folder(_, files) => files.iter().try_for_each(|(path, bytes)| self.tree.put(path, bytes)),
        }
    }

    fn unmake(&self, change: &Change) -> io::Result<()> {
        match change {
            #[cfg(unix)]
            Change::Link(path, to) => {
                fs::remove_file(self.tree.place(path))?;
                fs::rename(to.join(path), self.tree.place(path))?;
                // Only folders are left there.
                fs::read_dir(to)?.try_for_each(|it| fs::remove_dir_all(it?.path()))?;
                if to.starts_with(self.tree.root()) { fs::remove_dir(to) } else { Ok(()) }
            }
            Change::Put(path, _) => self.tree.restore(path),
            Change::Rename(path, to, _) => self.tree.remove(to).and_then(|()| self.tree.restore(path)),
            Change::Folder(folder, _) => {
                self.tree.remove(folder)?;
                let above = parent(folder);
                // A folder that only the change has made.
                if !above.is_empty() && !self.tree.files.keys().any(|it| it.starts_with(&format!("{above}/"))) {
                    self.tree.remove(above.split('/').next().unwrap_or(above))?;
                }
                Ok(())
            }
        }
    }

    /// Whether a run reports anything, warnings included.
    fn look(&self, change: &Change) -> io::Result<bool> {
        match change {
            // These files are read before the outputs are compared.
            #[cfg(unix)]
            Change::Link(path, _) if path == FILE || path.starts_with(SPECS) => {}
            _ => return Ok(self.is_reported()),
        }
        let Ok(project) = Project::open(self.tree.root()) else { return Ok(true) };
        let report = xtask::run(&project, Scope::All, Mode::Check, OPTIONS);
        Ok(report.status != Status::Clean || !report.annotations.is_empty())
    }
}
