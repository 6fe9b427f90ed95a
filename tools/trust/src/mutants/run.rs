//! The generation of mutants, and the check of each.

use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::path::Path;

use statespec_codegen::config::FILE;
use statespec_codegen::diagnostic::{Code, Levels, Style};
use statespec_codegen::report::describe;
use statespec_codegen::source::{Input, Sources};
use statespec_codegen::sync::{self, Config};
use statespec_lang::check::check as lint;
use statespec_lang::lower::load;
use statespec_lang::output::Generated;
use xtask::{SPECS, Scope, config, outputs};

use super::table::Table;
use super::text::Edit;
use super::tree::Tree;
use super::{enums, meaning, spec};
use crate::rng::Rng;

/// The number of mutants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Amount {
    /// At most this many of each row of the table, selected by this seed.
    Sample(usize, u64),
    /// All mutants.
    All,
}

/// Changes a copy of the repository in every way, and runs the check each time. `only` limits the rows to those with this name.
///
/// # Errors
///
/// If the copy cannot be made, or is not clean before the changes.
pub fn run(root: &Path, amount: Amount, only: &str, progress: &mut dyn FnMut(&str)) -> io::Result<Table> {
    let places = config(root, Scope::All).map_err(io::Error::other)?;
    let places: Vec<&str> = places.owned.iter().chain(&places.shared).map(String::as_str).chain([SPECS, FILE]).collect();
    let tree = Tree::copy(root, &places)?;
    let specs = sync::read_specs(tree.root(), SPECS).map_err(|it| io::Error::other(describe(&it, Style::Plain)))?;
    let generation = generate(&specs).ok_or_else(|| io::Error::other("the specs are wrong: run the check first"))?;
    let config = config(tree.root(), Scope::All).map_err(io::Error::other)?;
    let (found, n_checked) = check(&config, &generation);
    if found {
        return Err(io::Error::other("the repository has drifted already: run the check first"));
    }
    let rng = match amount {
        Amount::All => Rng::new(0),
        Amount::Sample(_, seed) => Rng::new(seed),
    };
    let mut runner = Runner { tree, specs, generation, config, n_checked, amount, only: only.to_owned(), rng, table: Table::default() };
    progress("outputs");
    runner.outputs()?;
    progress("regions");
    runner.pages()?;
    progress("regions in source files");
    runner.code()?;
    progress("spec files");
    runner.spec_files();
    progress("specs");
    runner.specs();
    progress("templates");
    runner.templates()?;
    progress("configurations");
    runner.configurations()?;
    progress("links, other projects, forms of pages");
    runner.layout()?;
    progress("enums");
    runner.enums()?;
    Ok(runner.table)
}

/// The model of the specs, their lint findings, and all outputs.
struct Generation {
    sources: Sources,
    lints: Vec<(Code, String)>,
    generated: Generated,
}

/// The same steps as in the check; `None` if the specs are refused.
fn generate(specs: &[Input]) -> Option<Generation> {
    let loaded = load(specs);
    let model = loaded.model.as_ref()?;
    let generated = outputs(&loaded.sources, model, Scope::All).ok()?;
    let mut lints: Vec<_> = lint(model, &Levels::default()).into_iter().map(|it| (it.code, it.message)).collect();
    lints.sort();
    Some(Generation { sources: loaded.sources, lints, generated })
}

/// Whether the check finds anything, and the number of checked outputs.
fn check(config: &Config, generation: &Generation) -> (bool, usize) {
    let plan = sync::plan(config, &generation.generated, &generation.sources);
    (!plan.findings.is_empty() || !plan.failures.is_empty(), plan.n_checked)
}

pub(super) struct Runner {
    pub(super) tree: Tree,
    pub(super) specs: Vec<Input>,
    generation: Generation,
    config: Config,
    n_checked: usize,
    amount: Amount,
    only: String,
    rng: Rng,
    pub(super) table: Table,
}

/// The mutants of each row of the table: the file, and the change.
pub(super) type Rows<T> = BTreeMap<(&'static str, String), Vec<(String, T)>>;

/// A change of a generated file.
#[derive(Debug, Clone, Copy)]
enum Change {
    Edit(Edit),
    Remove,
    Empty,
    Rename,
    Copy,
    Folder,
    #[cfg(unix)]
    Link,
}

const WHOLE: &[(Change, &str)] = &[
    (Change::Remove, "file removed"),
    (Change::Empty, "file emptied"),
    (Change::Rename, "file renamed"),
    (Change::Copy, "file added: a copy"),
    (Change::Folder, "file replaced by a folder"),
    #[cfg(unix)]
    (Change::Link, "file replaced by a link"),
];

/// The name of this kind of generated file on the page.
fn kind(path: &str) -> &'static str {
    match path {
        _ if path.starts_with("tests/") => "generated test glue",
        _ if path.starts_with("docs/schema/") => "generated schemas",
        _ if path.ends_with(".rs") => "generated Rust",
        _ if path.ends_with(".json") => "generated JSON",
        _ => "generated pages",
    }
}

impl Runner {
    /// The selected mutants of all mutants.
    pub(super) fn pick<T>(&mut self, rows: Rows<T>) -> Rows<T> {
        let rows: Rows<T> = rows.into_iter().filter(|((what, _), _)| what.contains(&self.only)).collect();
        match self.amount {
            Amount::All => rows,
            Amount::Sample(n, _) => rows.into_iter().map(|(class, all)| (class, self.rng.some(all, n))).collect(),
        }
    }

    /// The paths of all outputs.
    pub(super) fn outputs_of_all(&self) -> impl Iterator<Item = &str> {
        self.generation.generated.files.iter().map(|it| it.path.as_str())
    }

    /// Whether the check finds anything or warns.
    pub(super) fn is_reported(&self) -> bool {
        let plan = sync::plan(&self.config, &self.generation.generated, &self.generation.sources);
        !plan.findings.is_empty() || !plan.failures.is_empty() || !plan.warnings.is_empty()
    }

    /// Whether a path is in a place for outputs or pages.
    pub(super) fn is_watched(&self, path: &str) -> bool {
        let mut places = self.config.owned.iter().chain(&self.config.shared);
        places.any(|it| path.strip_prefix(it.as_str()).is_some_and(|it| it.is_empty() || it.starts_with('/')))
    }

    /// Generated files: every change of a byte or a line, and of the whole file.
    fn outputs(&mut self) -> io::Result<()> {
        let mut rows: Rows<Change> = BTreeMap::new();
        for path in self.generation.generated.files.iter().map(|it| it.path.clone()) {
            for edit in Edit::all(&self.tree.files[&path]) {
                rows.entry((kind(&path), edit.class().to_owned())).or_default().push((path.clone(), Change::Edit(edit)));
            }
            for (change, class) in WHOLE {
                rows.entry((kind(&path), (*class).to_owned())).or_default().push((path.clone(), *change));
            }
        }
        for ((what, class), mutants) in self.pick(rows) {
            for (path, change) in mutants {
                if !self.change(&path, change)? {
                    continue;
                }
                let (found, _) = check(&self.config, &self.generation);
                self.table.count((what, &class), &|| format!("{path}: {change:?}"), true, found);
                self.tree.restore(&path)?;
                self.tree.restore(&other(&path))?;
            }
        }
        Ok(())
    }

    /// Changes a file; returns whether the content differs.
    fn change(&self, path: &str, change: Change) -> io::Result<bool> {
        let bytes = &self.tree.files[path];
        match change {
            Change::Edit(edit) => match edit.apply(bytes) {
                Some(mutant) => self.tree.put(path, &mutant)?,
                None => return Ok(false),
            },
            Change::Remove => self.tree.remove(path)?,
            Change::Empty => self.tree.put(path, b"")?,
            Change::Rename => {
                self.tree.remove(path)?;
                self.tree.put(&other(path), bytes)?;
            }
            Change::Copy => self.tree.put(&other(path), bytes)?,
            Change::Folder => {
                self.tree.remove(path)?;
                std::fs::create_dir(self.tree.place(path))?;
            }
            #[cfg(unix)]
            Change::Link => {
                // The target of the link has the right content at this moment.
                self.tree.put("elsewhere", bytes)?;
                self.tree.remove(path)?;
                std::os::unix::fs::symlink(self.tree.place("elsewhere"), self.tree.place(path))?;
            }
        }
        Ok(true)
    }

    /// Hand-written pages: their regions, and the text around them.
    fn pages(&mut self) -> io::Result<()> {
        let mut rows: Rows<(Edit, bool)> = BTreeMap::new();
        for (path, bytes) in &self.tree.files {
            let is_output = self.generation.generated.files.iter().any(|it| it.path == *path);
            if is_output || !path.ends_with(".md") {
                continue;
            }
            let mut next = 0;
            for region in regions(bytes) {
                let around = Edit::within(bytes, next..region.start).into_iter().map(|it| (it, false));
                let first_line = bytes[region.clone()].iter().position(|it| *it == b'\n').map_or(region.end, |it| region.start + it + 1);
                let cut = (first_line..region.end - 1).map(Edit::Truncate);
                let inside = Edit::within(bytes, region.clone()).into_iter().chain(cut).map(|it| (it, true));
                // Without it, the empty line after the region is missing: that line is hand-written.
                let last_newline = Edit::Drop(region.end - 1);
                for (edit, is_inside) in around.chain(inside).filter(|(it, _)| *it != last_newline) {
                    let what = if is_inside { "regions" } else { "text around regions" };
                    rows.entry((what, edit.class().to_owned())).or_default().push((path.clone(), (edit, is_inside)));
                }
                next = region.end;
            }
        }
        for ((what, class), mutants) in self.pick(rows) {
            for (path, (edit, is_inside)) in mutants {
                if !self.change(&path, Change::Edit(edit))? {
                    continue;
                }
                let (found, n_checked) = check(&self.config, &self.generation);
                // Text around regions may change, as long as all regions are still found.
                let expected = is_inside || n_checked != self.n_checked;
                self.table.count(
                    (what, &class),
                    &|| format!("{path}: {edit}"),
                    expected,
                    found || (!expected && n_checked != self.n_checked),
                );
                self.tree.restore(&path)?;
            }
        }
        Ok(())
    }

    /// Specs that are removed, renamed or added.
    fn spec_files(&mut self) {
        if !"specs".contains(&self.only) {
            return;
        }
        for idx in 0..self.specs.len() {
            let without = |it: &mut Vec<Input>| it.remove(idx);
            let mut removed = self.specs.clone();
            let spec = without(&mut removed);
            let renamed = Input { path: spec.path.replace(".yaml", "_other.yaml"), ..spec.clone() };
            let copied = [&self.specs[..], std::slice::from_ref(&renamed)].concat();
            let mut moved = removed.clone();
            moved.push(renamed);
            // An output from many specs names their number only.
            let names = |bytes: &Vec<u8>| String::from_utf8_lossy(bytes).contains(&spec.path);
            let is_named = self.outputs_of_all().any(|it| self.tree.files.get(it).is_some_and(names));
            for (class, specs, expected) in
                [("file removed", removed, true), ("file renamed", moved, is_named), ("file added: a copy", copied, true)]
            {
                let found = self.is_found(&specs);
                self.table.count(("specs", class), &|| spec.path.clone(), expected, found);
            }
        }
        let text = "machine: brand_new\nstates: { a: { initial: true, terminal: true } }\n";
        let added = [&self.specs[..], &[Input { path: format!("{SPECS}/brand_new.yaml"), text: text.into() }]].concat();
        let found = self.is_found(&added);
        self.table.count(("specs", "file added: a new machine"), &|| text.into(), true, found);
    }

    /// Whether a run with these specs would fail: because they are wrong, or because the outputs differ.
    fn is_found(&self, specs: &[Input]) -> bool {
        generate(specs).is_none_or(|generation| check(&self.config, &generation).0)
    }

    /// Enums under the derive whose variants are not the machine's states.
    fn enums(&mut self) -> io::Result<()> {
        let loaded = load(&self.specs);
        let mut rows: Rows<(usize, String)> = BTreeMap::new();
        // A machine with regions is in several states at once, so its derive is on a struct.
        for machine in loaded.model.iter().flat_map(|it| &it.machines).filter(|it| !it.has_regions()) {
            let path = loaded.sources.get(machine.source).path();
            let idx = self.specs.iter().position(|it| it.path == path).unwrap_or_default();
            if !enums::compiles(&self.specs[idx].text, &enums::original(machine)) {
                return Err(io::Error::other(format!("the derive refuses the right enum of `{}`", machine.name)));
            }
            for (class, item) in enums::all(machine) {
                rows.entry(("enums under the derive", class.to_owned())).or_default().push((path.to_owned(), (idx, item)));
            }
        }
        for ((what, class), mutants) in self.pick(rows) {
            for (path, (idx, item)) in mutants {
                let found = !enums::compiles(&self.specs[idx].text, &item);
                self.table.count((what, &class), &|| format!("{path}: {item}"), true, found);
            }
        }
        Ok(())
    }

    /// Specs with changed text.
    fn specs(&mut self) {
        let mut bytes: Rows<(usize, Edit)> = BTreeMap::new();
        let mut said: Rows<(usize, spec::Edit)> = BTreeMap::new();
        for (idx, Input { path, text }) in self.specs.iter().enumerate() {
            for edit in Edit::all(text.as_bytes()) {
                bytes.entry(("specs, as text", edit.class().to_owned())).or_default().push((path.clone(), (idx, edit)));
            }
            for edit in spec::all(text) {
                said.entry(("specs, as graphs", edit.class.clone())).or_default().push((path.clone(), (idx, edit)));
            }
        }
        for ((what, class), mutants) in self.pick(bytes) {
            for (path, (idx, edit)) in mutants {
                let Some(mutant) = edit.apply(self.specs[idx].text.as_bytes()) else { continue };
                // The reader refuses a file that is not UTF-8; a separate test covers that.
                let Ok(mutant) = String::from_utf8(mutant) else { continue };
                self.spec((what, &class), idx, mutant, &|| format!("{path}: {edit}"));
            }
        }
        for ((what, class), mutants) in self.pick(said) {
            for (path, (idx, edit)) in mutants {
                let text = &self.specs[idx].text;
                let mutant = edit.apply(text);
                if edit.by.is_empty() && meaning::EQUAL.contains(&(path.as_str(), text[edit.range.clone()].trim())) {
                    continue;
                }
                self.spec((what, &class), idx, mutant, &|| format!("{path}: {edit:?}"));
            }
        }
    }

    fn spec(&mut self, class: (&str, &str), idx: usize, mutant: String, place: &dyn Fn() -> String) {
        let original = &self.specs[idx].text;
        let drifts = meaning::of(&mutant) != meaning::of(original) || (self.is_quoted(idx) && quote(&mutant) != quote(original));
        // Only lints use waivers: a changed waiver is no excuse for outputs that should have drifted.
        let is_linted = meaning::waivers(&mutant) != meaning::waivers(original);
        let mut specs = self.specs.clone();
        specs[idx].text = mutant;
        let Some(generation) = generate(&specs) else {
            // A refused text is not a spec, and so has another meaning.
            return self.table.count(class, place, true, true);
        };
        let drift = check(&self.config, &generation).0;
        let found = drift || (!drifts && generation.lints != self.generation.lints);
        self.table.count(class, place, drifts || is_linted, found);
    }

    /// Whether a page quotes this spec verbatim.
    fn is_quoted(&self, idx: usize) -> bool {
        let path = &self.specs[idx].path;
        let name = path.rsplit('/').next().and_then(|it| it.strip_suffix(".yaml")).unwrap_or_default();
        let marker = format!("<!-- statespec:begin {name}.spec -->");
        self.tree.files.iter().any(|(path, bytes)| path.ends_with(".md") && String::from_utf8_lossy(bytes).contains(&marker))
    }
}

/// A spec as quoted by a page: with LF line ends, without the comment for editors above it and empty lines around it.
fn quote(text: &str) -> String {
    let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
    let without_comment = text.strip_prefix("# yaml-language-server:").and_then(|it| it.split_once('\n')).map(|(_, rest)| rest);
    without_comment.unwrap_or(&text).trim_matches('\n').to_owned()
}

/// The path for a copy of a file.
fn other(path: &str) -> String {
    let (stem, extension) = path.rsplit_once('.').unwrap_or((path, ""));
    format!("{stem}_other.{extension}")
}

/// The regions of a page, including markers. Only regions with a digest count; the others are examples.
pub(super) fn regions(page: &[u8]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let (mut offset, mut begin) = (0, None);
    for line in page.split_inclusive(|it| *it == b'\n') {
        let text = String::from_utf8_lossy(line);
        if text.starts_with("<!-- statespec:begin ") {
            begin = Some(offset);
        }
        offset += line.len();
        if text.starts_with("<!-- statespec:end ") && text.split(' ').count() == 5 {
            found.extend(begin.take().map(|it| it..offset));
        }
    }
    found
}
