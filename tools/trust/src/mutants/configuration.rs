//! Changes to `statespec.toml`: each must be found, unless the outputs and the places where they are looked for stay the same.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::{fs, io};

use statespec_codegen::backend::{Backend as _, conformance, database, json, markdown, rust, template};
use statespec_codegen::config::{Config, FILE};
use statespec_codegen::diagnostic::Style;
use statespec_codegen::language;
use statespec_codegen::project::Project;
use statespec_codegen::report::{RenderOptions, Report, Status};
use statespec_codegen::sync::{self, Mode};
use statespec_lang::check::check as lint;
use statespec_lang::lower::{Loaded, load};
use xtask::Scope;

use super::run::{Rows, Runner, regions};
use super::text::Edit;

pub(super) const OPTIONS: RenderOptions = RenderOptions { full_diff: false, style: Style::Plain };

/// A configuration with every key, none of which has its usual value, and the files that it refers to.
const EVERY_KEY: &[(&str, &str)] = &[
    (
        FILE,
        "specs = [\"graphs\", \"more/door.yaml\"]\ncommand = \"just gen\"\nowned = [\"web\", \"src/graphs\"]\n\n\
         [docs]\nout = \"book/graphs\"\npages = true\nplaces = [\"book\", \"README.md\", \"NOTES.md\"]\n\n\
         [json]\nout = \"model\"\n\n[rust]\nout = \"src/graphs\"\nroot = \"lib.rs\"\nserde = \"serde\"\nfacade = \"::core_statespec\"\n\n\
         [conformance]\nout = \"tests/graphs\"\n\n[language]\nschemas = \"schema\"\nregions = true\n\n\
         [lints]\ndead-end = \"allow\"\nno-outcome = \"allow\"\n\n\
         [[template]]\nfile = \"own/list.txt\"\nout = \"web/{{ name }}.txt\"\nper = \"machine\"\nescape = \"html\"\n\n\
         [[template]]\nfile = \"own/all.txt\"\nout = \"all.txt\"\nper = \"project\"\nescape = \"markdown\"\n",
    ),
    ("own/list.txt", "{{ name }}: {{ states[0].doc }}\n"),
    ("own/all.txt", "{% for it in machines %}{{ it.states[0].doc }}\n{% endfor %}"),
    (
        "graphs/lamp.yaml",
        "machine: lamp\nstates:\n  off: { initial: true, doc: 'Less <than> \"one\" | two & *more*.' }\n  on: { doc: It shines. }\n  \
         stuck: { doc: Nobody leaves it. }\nevents: { press: { doc: A press. } }\ntransitions:\n  - { from: off, event: press, to: on }\n  \
         - { from: on, event: press, to: stuck }\n",
    ),
    (
        "more/door.yaml",
        "machine: door\nstates:\n  shut: { initial: true, doc: Shut <tight>. }\n  open: { doc: 'Open | wide.', terminal: true }\n\
         transitions:\n  - { from: shut, to: open }\n",
    ),
    ("book/guide.md", "# Guide\n\n<!-- statespec:begin lamp.diagram -->\n<!-- statespec:end lamp.diagram -->\n"),
    ("README.md", "# Read\n\n<!-- statespec:begin door.states -->\n<!-- statespec:end door.states -->\n"),
    ("NOTES.md", "# Notes\n\n<!-- statespec:begin keys.machine -->\n<!-- statespec:end keys.machine -->\n"),
];

/// A project, and what a check of it reports.
struct Subject<'a> {
    what: &'static str,
    root: &'a Path,
    text: String,
    /// The hand-written files among all files.
    by_hand: BTreeSet<String>,
    /// The state of the project without a change.
    right: State,
    run: &'a dyn Fn(&Project) -> Report,
}

/// Everything that a configuration decides, apart from owned folders.
#[derive(Debug, PartialEq, Eq)]
struct State {
    outputs: String,
    lints: Vec<String>,
}

/// All changes of the keys and values of a configuration: each has a class, a place and the new text.
fn changes(text: &str) -> Vec<(&'static str, String, String)> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let strings: BTreeSet<&str> = text.split('"').skip(1).step_by(2).collect();
    let mut all = Vec::new();
    let mut push = |class, idx: usize, n: usize, by: &str| {
        let mutant = [&lines[..idx].concat(), by, &lines[idx + n..].concat()].concat();
        all.push((class, format!("line {}: {by:?}", idx + 1), mutant));
    };
    for (idx, line) in lines.iter().enumerate() {
        if line.starts_with('[') {
            let n_lines = 1 + lines[idx + 1..].iter().take_while(|it| !it.starts_with('[')).count();
            let section = lines[idx..idx + n_lines].concat();
            push("section removed", idx, n_lines, "");
            push("section doubled", idx, n_lines, &format!("{section}\n{section}"));
            push("section misspelt", idx, 1, &line.replacen(']', "x]", 1));
        }
        let Some((key, value)) = line.split_once(" = ").filter(|_| !line.starts_with('#')) else { continue };
        push("key removed", idx, 1, "");
        push("key misspelt", idx, 1, &format!("{key}x = {value}"));
        push("key doubled", idx, 1, &format!("{line}{line}"));
        match value.trim_end() {
            flag @ ("true" | "false") => push("flag turned", idx, 1, &format!("{key} = {}\n", flag != "true")),
            _ => {
                for old in value.split('"').skip(1).step_by(2) {
                    let replaced = |by: &str| format!("{key} = {}", value.replacen(&format!("\"{old}\""), by, 1));
                    let (first, rest) = old.split_at((old.len() / 2..).find(|it| old.is_char_boundary(*it)).unwrap_or_default());
                    push("value misspelt", idx, 1, &replaced(&format!("\"{first}x{rest}\"")));
                    push("value emptied", idx, 1, &replaced("\"\""));
                    push("value pointing elsewhere", idx, 1, &replaced(&format!("\"elsewhere/{old}\"")));
                    push("value pointing outside", idx, 1, &replaced(&format!("\"../{old}\"")));
                    push("value of another type", idx, 1, &replaced("7"));
                    if value.starts_with('[') {
                        push("value doubled", idx, 1, &replaced(&format!("\"{old}\", \"{old}\"")));
                        let without = replaced("").replace("[, ", "[").replace(", , ", ", ").replace(", ]", "]");
                        push("value removed from a list", idx, 1, &without);
                    }
                    for other in strings.iter().filter(|it| **it != old) {
                        push("value replaced by another", idx, 1, &replaced(&format!("\"{other}\"")));
                    }
                }
            }
        }
    }
    all
}

impl Subject<'_> {
    /// Whether a folder that is said to be generated does not exist, or contains something else.
    fn owns_too_much(&self, config: &Config) -> bool {
        config.owned.iter().any(|folder| {
            let place = format!("{folder}/");
            self.by_hand.iter().any(|it| it == folder || it.starts_with(&place)) || !self.root.join(folder).exists()
        })
    }

    /// Whether the change must be found, and whether it is.
    fn check(&self, text: &str) -> io::Result<(bool, bool)> {
        fs::write(self.root.join(FILE), text)?;
        let Ok(project) = Project::open(self.root) else { return Ok((true, true)) };
        let report = (self.run)(&project);
        let found = report.status != Status::Clean || !report.annotations.is_empty();
        let expected = report.status == Status::CouldNotRun
            || self.owns_too_much(&project.config)
            || state(self.root, &self.by_hand, &project.config)? != self.right;
        Ok((expected, found))
    }
}

/// The outputs and places of a configuration, and what the lints say at its levels.
fn state(root: &Path, by_hand: &BTreeSet<String>, config: &Config) -> io::Result<State> {
    let sorted = |paths: &[String]| paths.iter().cloned().collect::<BTreeSet<_>>();
    // A place without regions decides nothing, but must exist.
    let shared = config.shared();
    let is_served =
        |path: &str| shared.iter().any(|it| path.strip_prefix(it.as_str()).is_some_and(|it| it.is_empty() || it.starts_with('/')));
    let pages = by_hand.iter().filter(|it| it.ends_with(".md") && is_served(it));
    let served: Vec<&String> = pages.filter(|it| fs::read(root.join(it)).is_ok_and(|it| !regions(&it).is_empty())).collect();
    let docs = config
        .get::<markdown::Settings>()
        .map(|it| (&it.out, it.pages, &it.sections, it.places.iter().all(|it| root.join(it).exists()), served));
    let is_expected_somewhere = config.expect.iter().flatten().all(|it| root.join(it).exists());
    // Spaces within the braces decide nothing.
    let out = |it: &str| it.replace("{{ ", "{{").replace(" }}", "}}");
    let templates = config.get::<template::Settings>().into_iter().flat_map(|it| &it.templates);
    let templates: Vec<_> = templates.map(|it| (&it.file.value, out(&it.out.value), it.per, it.escape)).collect();
    let (json, conformance) = (config.get::<json::Settings>(), config.get::<conformance::Settings>());
    // A section without keys decides nothing, either.
    let language = config.get::<language::Settings>().map_or((None, false), |it| (it.schemas.as_ref(), it.regions));
    let rest = (&config.command, json, conformance, config.get::<rust::Settings>(), language);
    let specs = sync::read_specs_in(&root.into(), &config.specs).map_err(|_| io::Error::other("the specs cannot be read"));
    let (lints, tables) = match specs {
        Err(error) => (vec![error.to_string()], Vec::new()),
        Ok(specs) => {
            let loaded = load(&specs);
            let lints = loaded.model.iter().flat_map(|it| lint(it, &config.levels));
            let lints = lints.map(|it| format!("{:?} {:?} {}", it.code, it.level, it.message)).collect();
            (lints, tables(root, &loaded)?)
        }
    };
    let rest = (rest, tables);
    Ok(State { outputs: format!("{:?}", (sorted(&config.specs), docs, is_expected_somewhere, templates, rest)), lints })
}

/// What the tables of databases decide: the paths and texts of their outputs.
fn tables(root: &Path, loaded: &Loaded) -> io::Result<Vec<(String, String)>> {
    let (Some(model), Ok(mut project)) = (&loaded.model, Project::open(root)) else { return Ok(Vec::new()) };
    project.config.settings.retain(|name, _| *name == database::Databases.name());
    let generated = match project.generate(&loaded.sources, model) {
        Ok(generated) => generated,
        // Such a run fails.
        Err(error) => return Ok(vec![("error".to_owned(), error.to_string())]),
    };
    Ok(generated.files.into_iter().map(|it| (it.path, it.text)).collect())
}

impl Runner {
    /// The configuration of this repository, and one with every key.
    pub(super) fn configurations(&mut self) -> io::Result<()> {
        let outputs: BTreeSet<&str> = self.outputs_of_all().collect();
        let by_hand = self.tree.files.keys().filter(|it| !outputs.contains(it.as_str())).cloned().collect();
        let root = self.tree.root().to_owned();
        self.configuration("configuration of this repository", &root, by_hand, &|it| xtask::run(it, Scope::All, Mode::Check, OPTIONS))?;
        self.tree.restore(FILE)?;

        let folder = tempfile::tempdir()?;
        for (path, text) in EVERY_KEY {
            let full = folder.path().join(path);
            fs::create_dir_all(full.parent().unwrap_or(folder.path()))?;
            fs::write(full, text)?;
        }
        let by_hand = EVERY_KEY.iter().map(|(path, _)| (*path).to_owned()).collect();
        let run = |project: &Project, mode| project.run(|_| Ok(cargo_statespec::extras(project)), mode, OPTIONS);
        let project = Project::open(folder.path()).map_err(io::Error::other)?;
        let written = run(&project, Mode::Write { force: false });
        if written.status != Status::Clean {
            return Err(io::Error::other(written.text));
        }
        self.configuration("configuration with every key", folder.path(), by_hand, &|it| run(it, Mode::Check))
    }

    fn configuration(
        &mut self,
        what: &'static str,
        root: &Path,
        by_hand: BTreeSet<String>,
        run: &dyn Fn(&Project) -> Report,
    ) -> io::Result<()> {
        let text = fs::read_to_string(root.join(FILE))?;
        let project = Project::open(root).map_err(io::Error::other)?;
        let report = run(&project);
        if report.status != Status::Clean || !report.annotations.is_empty() {
            return Err(io::Error::other(format!("the {what} is not clean: {}", report.text)));
        }
        let right = state(root, &by_hand, &project.config)?;
        let subject = Subject { what, root, text, by_hand, right, run };
        let mut rows: Rows<String> = BTreeMap::new();
        for (class, place, mutant) in changes(&subject.text) {
            rows.entry((subject.what, class.to_owned())).or_default().push((place, mutant));
        }
        for edit in Edit::all(subject.text.as_bytes()) {
            let Some(mutant) = edit.apply(subject.text.as_bytes()).and_then(|it| String::from_utf8(it).ok()) else { continue };
            rows.entry((subject.what, edit.class().to_owned())).or_default().push((edit.to_string(), mutant));
        }
        for ((what, class), mutants) in self.pick(rows) {
            for (place, mutant) in mutants.into_iter().filter(|(_, it)| *it != subject.text) {
                let (expected, found) = subject.check(&mutant)?;
                self.table.count((what, &class), &|| place.clone(), expected, found);
            }
        }
        Ok(())
    }
}
