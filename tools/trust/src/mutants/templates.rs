//! Changes to templates: those of the library, which lay out pages and regions, and one of a user.
//!
//! The original outputs are on the disk. A template that gives another text must be found; a template that
//! gives the same text in every place is equivalent.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;
use std::{fs, io};

use statespec_codegen::backend::Backend as _;
use statespec_codegen::backend::markdown::{Docs, Settings};
use statespec_codegen::diagnostic::Style;
use statespec_codegen::project::{Extras, Project};
use statespec_codegen::report::RenderOptions;
use statespec_codegen::source::Sources;
use statespec_codegen::sync::{self, Config, Mode};
use statespec_lang::lower::load;
use statespec_lang::output::Generated;
use xtask::{SPECS, Scope, outputs_of, project, root};

use super::run::{Rows, Runner};
use super::text::Edit;

/// The user's template that the book shows.
const USERS: &str = "cli/tests/typescript/machine.ts.jinja";

/// A change of a whole template, or of one of its tags.
#[derive(Debug, Clone)]
enum Change {
    Edit(Edit),
    /// A replacement of a range.
    Tag(&'static str, Range<usize>, String),
    Empty,
}

impl Change {
    fn class(&self) -> &'static str {
        match self {
            Change::Edit(edit) => edit.class(),
            Change::Tag(class, ..) => class,
            Change::Empty => "file emptied",
        }
    }

    /// The changed text; `None` if nothing would change, or if the result is not UTF-8.
    fn apply(&self, text: &str) -> Option<String> {
        match self {
            Change::Edit(edit) => String::from_utf8(edit.apply(text.as_bytes())?).ok(),
            Change::Tag(_, range, by) => Some([&text[..range.start], by, &text[range.end..]].concat()),
            Change::Empty => Some(String::new()),
        }
    }

    fn all(text: &str) -> Vec<Change> {
        let tags = tags(text);
        let mut all: Vec<Change> = Edit::all(text.as_bytes()).into_iter().map(Change::Edit).chain([Change::Empty]).collect();
        for (idx, tag) in tags.iter().enumerate() {
            let written = &text[tag.clone()];
            all.push(Change::Tag("tag removed", tag.clone(), String::new()));
            all.push(Change::Tag("tag doubled", tag.end..tag.end, written.to_owned()));
            for other in tags[idx + 1..].iter().map(|it| &text[it.clone()]).filter(|it| *it != written) {
                all.push(Change::Tag("tag replaced by another", tag.clone(), other.to_owned()));
            }
        }
        all
    }
}

/// The ranges of `{{ }}` and `{% %}`.
fn tags(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = text[at..].find(['{']).map(|it| at + it) {
        let close = match text.as_bytes().get(start + 1) {
            Some(b'{') => "}}",
            Some(b'%') => "%}",
            _ => {
                at = start + 1;
                continue;
            }
        };
        let Some(end) = text[start..].find(close).map(|it| start + it + 2) else { break };
        found.push(start..end);
        at = end;
    }
    found
}

/// Some templates, and the outputs with one of them changed: `None` if it is refused.
struct Templates<'a> {
    what: &'static str,
    texts: BTreeMap<String, String>,
    places: Config,
    /// The regions that are on some page.
    regions: BTreeSet<String>,
    fill: &'a dyn Fn(&str, &str) -> Option<Generated>,
}

impl Templates<'_> {
    /// All outputs that have a place on the disk, by name.
    fn show<'g>(&self, generated: &'g Generated) -> Vec<(&'g str, &'g str)> {
        let files = generated.files.iter().map(|it| (it.path.as_str(), it.text.as_str()));
        let regions = generated.regions.iter().filter(|(name, _)| self.regions.contains(*name));
        files.chain(regions.map(|(name, it)| (name.as_str(), it.text.as_str()))).collect()
    }
}

impl Runner {
    /// Changed templates, compared with the outputs of the original ones.
    pub(super) fn templates(&mut self) -> io::Result<()> {
        let loaded = load(&self.specs);
        let Some(model) = &loaded.model else { return Ok(()) };
        let (sources, other) = (&loaded.sources, |it: &dyn std::fmt::Display| io::Error::other(it.to_string()));

        let library = project(self.tree.root(), Scope::Docs).map_err(|it| other(&it))?;
        let places = xtask::config(self.tree.root(), Scope::Docs).map_err(|it| other(&it))?;
        let docs = library.config.get::<Settings>().ok_or_else(|| other(&"this repository has no pages"))?;
        let texts = docs.layout.0.iter().map(|(name, text)| ((*name).to_owned(), text.clone())).collect();
        let fill = |name: &str, text: &str| {
            let (mut project, mut docs) = (library.clone(), docs.clone());
            docs.layout.0.iter_mut().filter(|it| *it.0 == name).for_each(|it| text.clone_into(it.1));
            project.config.settings.insert(Docs.name(), Arc::new(docs));
            outputs_of(&project, sources, model, Scope::Docs).ok()
        };
        let regions = self.regions();
        self.run_templates(sources, &Templates { what: "templates of the library", texts, places, regions, fill: &fill })?;

        // A project of its own, with the machines of this one.
        let folder = tempfile::tempdir()?;
        let place = |path: &str| folder.path().join(path);
        fs::create_dir(place(SPECS))?;
        self.specs.iter().try_for_each(|it| fs::write(place(&it.path), &it.text))?;
        fs::write(place("statespec.toml"), "[[template]]\nfile = \"own.jinja\"\nout = \"web/{{ name }}.ts\"\n[docs]\npages = false\n")?;
        let text = fs::read_to_string(root().join(USERS))?;
        fs::write(place("own.jinja"), &text)?;
        let generate = || Project::open(folder.path()).ok()?.generate(sources, model).ok();
        let users = Project::open(folder.path()).map_err(|it| other(&it))?;
        let options = RenderOptions { full_diff: false, style: Style::Plain };
        let report = users.run(|_| Ok(Extras::default()), Mode::Write { force: false }, options);
        if report.status.exit_code() != 0 {
            return Err(io::Error::other(report.text));
        }
        let fill = |_: &str, text: &str| fs::write(place("own.jinja"), text).ok().and_then(|()| generate());
        let texts = BTreeMap::from([(USERS.to_owned(), text)]);
        let (places, regions) = (users.places(), BTreeSet::new());
        self.run_templates(sources, &Templates { what: "templates of a user", texts, places, regions, fill: &fill })
    }

    /// The names of the regions that are on some page.
    fn regions(&self) -> BTreeSet<String> {
        let pages = self.tree.files.iter().filter(|(path, _)| path.ends_with(".md")).map(|(_, it)| String::from_utf8_lossy(it));
        let names = |page: &str| {
            page.lines().filter_map(|it| Some(it.strip_prefix("<!-- statespec:begin ")?.split(' ').next()?.to_owned())).collect::<Vec<_>>()
        };
        pages.flat_map(|it| names(&it)).collect()
    }

    fn run_templates(&mut self, sources: &Sources, templates: &Templates<'_>) -> io::Result<()> {
        let mut rows: Rows<Change> = BTreeMap::new();
        for (name, text) in &templates.texts {
            for change in Change::all(text) {
                rows.entry((templates.what, change.class().to_owned())).or_default().push((name.clone(), change));
            }
        }
        let Some((name, text)) = templates.texts.first_key_value() else { return Ok(()) };
        let Some(right) = (templates.fill)(name, text) else { return Err(io::Error::other("the templates are refused")) };
        let plan = sync::plan(&templates.places, &right, sources);
        if let Some(finding) = plan.findings.first() {
            return Err(io::Error::other(format!("{} have drifted already: {finding:?}", templates.what)));
        }
        let shown = templates.show(&right);
        for ((what, class), mutants) in self.pick(rows) {
            for (name, change) in mutants {
                let Some(mutant) = change.apply(&templates.texts[&name]) else { continue };
                let place = || format!("{name}: {change:?}");
                let Some(made) = (templates.fill)(&name, &mutant) else {
                    self.table.count((what, &class), &place, true, true);
                    continue;
                };
                let found = !is_clean(&templates.places, &made, sources);
                self.table.count((what, &class), &place, templates.show(&made) != shown, found);
            }
        }
        Ok(())
    }
}

/// Whether the check has no findings on the disk.
fn is_clean(places: &Config, generated: &Generated, sources: &Sources) -> bool {
    let plan = sync::plan(places, generated, sources);
    plan.findings.is_empty() && plan.failures.is_empty()
}
