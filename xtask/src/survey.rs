//! A survey of the state machines in public repositories: how many of them the importer carries over.
//!
//! ```text
//! cargo run -p xtask -- import-survey FOLDER
//! ```
//!
//! Every folder in the given folder is a repository. All its Markdown, diagrams, charts and Rust are imported, and
//! counted by format. If node and the packages of `tests/mermaid` are installed, the real Mermaid parser then
//! compares each original with the diagram of its spec.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::Command;

use statespec_codegen::backend::mermaid::diagram;
use statespec_codegen::diagnostic::{Code, Level};
use statespec_codegen::model::document::DiagramStyle;
use statespec_codegen::source::{Input, Span};
use statespec_import::{Format, Options, import};
use statespec_lang::lower::load;

/// The results of all diagrams.
#[derive(Default)]
struct Tally {
    repositories: BTreeSet<String>,
    /// The number of diagrams by result.
    diagrams: BTreeMap<&'static str, usize>,
    /// The number of findings by code.
    findings: BTreeMap<&'static str, usize>,
    /// The number of machines and refused files of each format, by result.
    formats: BTreeMap<&'static str, BTreeMap<&'static str, usize>>,
    n_pages: usize,
    n_panics: usize,
    /// The pairs for the comparison, as JSON.
    compared: Vec<serde_json::Value>,
    log: String,
}

/// Imports everything below a folder, and returns the report.
pub fn survey(folder: &Path) -> std::io::Result<String> {
    let mut tally = Tally::default();
    let mut pages: Vec<PathBuf> = Vec::new();
    let mut others: Vec<(PathBuf, Format)> = Vec::new();
    for entry in walkdir::WalkDir::new(folder).sort_by_file_name() {
        let path = entry.map_err(std::io::Error::other)?.into_path();
        let is_page =
            path.extension().is_some_and(|it| it.eq_ignore_ascii_case("md") || it.eq_ignore_ascii_case("markdown") || it == "mdx");
        if is_page && path.is_file() {
            pages.push(path);
        } else if let Some(format) = format_of(&path).filter(|_| path.is_file()) {
            others.push((path, format));
        }
    }
    for path in pages {
        // Bytes that are not UTF-8 become the replacement character.
        let text = String::from_utf8_lossy(&std::fs::read(&path)?).into_owned();
        let relative = path.strip_prefix(folder).unwrap_or(&path).to_string_lossy().replace('\\', "/");
        tally.page(&relative, &text);
    }
    for (path, format) in others {
        let text = String::from_utf8_lossy(&std::fs::read(&path)?).into_owned();
        let relative = path.strip_prefix(folder).unwrap_or(&path).to_string_lossy().replace('\\', "/");
        tally.file(&relative, &text, format);
    }
    let mut report = tally.report();
    match compare(folder, &tally) {
        Ok(said) => report.push_str(&said),
        Err(reason) => {
            let _ = writeln!(report, "not compared with the real parser: {reason}");
        }
    }
    Ok(report)
}

/// The format of a file that is no page, by its name.
fn format_of(path: &Path) -> Option<Format> {
    match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
        "mmd" | "mermaid" => Some(Format::Mermaid),
        "puml" | "plantuml" | "pu" | "iuml" => Some(Format::PlantUml),
        "scxml" => Some(Format::Scxml),
        "json" => Some(Format::XState),
        "rs" => Some(Format::Rust),
        _ => None,
    }
}

impl Tally {
    fn count(&mut self, what: &'static str, result: &'static str) {
        *self.formats.entry(what).or_default().entry(result).or_default() += 1;
    }

    /// A file of one format. A file of Rust without steps has no machine.
    fn file(&mut self, path: &str, text: &str, format: Format) {
        let options = Options { format: Some(format), ..Options::default() };
        let Ok(imported) = catch_unwind(AssertUnwindSafe(|| import(path, text, &options))) else {
            self.n_panics += 1;
            let _ = writeln!(self.log, "{path}: PANIC");
            return;
        };
        for finding in imported.findings() {
            let _ = writeln!(self.log, "{}: {}: {}", imported.sources.location(finding.primary.0), finding.code.id(), finding.message);
        }
        let machines = imported.specs.iter().filter(|it| format != Format::Rust || !it.yaml.ends_with("transitions: []\n"));
        // What a file of Rust says beside its machines belongs to all of them.
        let is_told = imported.problems.iter().any(|it| it.code == Code::ImportLoss);
        let results: Vec<bool> = machines.map(|it| it.is_whole() && !is_told).collect();
        for is_whole in &results {
            self.count(format.name(), if *is_whole { "whole" } else { "with a report" });
        }
        if results.is_empty() {
            self.count(format.name(), "no machine, or refused");
        } else {
            self.repositories.insert(path.split('/').next().unwrap_or(path).to_owned());
        }
    }

    fn page(&mut self, path: &str, text: &str) {
        let options = Options { format: Some(Format::Markdown), ..Options::default() };
        let Ok(imported) = catch_unwind(AssertUnwindSafe(|| import(path, text, &options))) else {
            self.n_panics += 1;
            let _ = writeln!(self.log, "{path}: PANIC");
            return;
        };
        let text_of = |span: Span| imported.sources.slice(span).to_owned();
        let is_diagram = |span: Span| text_of(span).contains("stateDiagram");
        let mut found_any = false;
        for spec in imported.specs.iter().filter(|it| !is_diagram(it.span) && !text_of(it.span).contains("@startuml")) {
            found_any = true;
            self.count("table", if spec.is_whole() { "whole" } else { "with a report" });
            for finding in &spec.losses {
                let _ = writeln!(self.log, "{}: {}: {}", imported.sources.location(finding.primary.0), finding.code.id(), finding.message);
            }
        }
        for spec in imported.specs.iter().filter(|it| is_diagram(it.span)) {
            found_any = true;
            let how = if !spec.is_whole() {
                "with a report"
            } else if spec.losses.is_empty() {
                "whole"
            } else {
                "whole but for looks"
            };
            *self.diagrams.entry(how).or_default() += 1;
            for finding in &spec.losses {
                *self.findings.entry(finding.code.id()).or_default() += 1;
                let _ = writeln!(self.log, "{}: {}: {}", imported.sources.location(finding.primary.0), finding.code.id(), finding.message);
            }
            let loaded = load(&[Input { path: format!("machines/{}.yaml", spec.name), text: spec.yaml.clone() }]);
            let ours = loaded.model.and_then(|it| diagram(&it.machines[0], &DiagramStyle::default()).ok()).map(|it| it.text().to_owned());
            let place = imported.sources.location(spec.span);
            let compared = serde_json::json!({ "place": place, "original": text_of(spec.span), "whole": spec.is_whole(), "ours": ours });
            self.compared.push(compared);
        }
        for problem in imported.problems.iter().filter(|it| it.code == Code::ImportUnreadable && it.code.level() == Level::Error) {
            // The problem of an unreadable block has one place only: find the block around it.
            let Some(original) = block_around(imported.sources.get(problem.primary.0.source).text(), problem.primary.0.start as usize)
            else {
                continue;
            };
            found_any = true;
            *self.diagrams.entry("unreadable").or_default() += 1;
            let place = imported.sources.location(problem.primary.0);
            let _ = writeln!(self.log, "{place}: {}: {}", problem.code.id(), problem.message);
            self.compared.push(serde_json::json!({ "place": place, "original": original, "whole": false, "ours": null }));
        }
        if found_any {
            self.n_pages += 1;
            self.repositories.insert(path.split('/').next().unwrap_or(path).to_owned());
        }
    }

    fn report(&self) -> String {
        let mut report = self.log.clone();
        let n_diagrams: usize = self.diagrams.values().sum();
        let _ = writeln!(report, "\n{n_diagrams} diagrams on {} pages of {} repositories", self.n_pages, self.repositories.len());
        for (how, count) in &self.diagrams {
            let _ = writeln!(report, "{count:>6} {how}");
        }
        for (format, results) in &self.formats {
            for (how, count) in results {
                let _ = writeln!(report, "{count:>6} {format}: {how}");
            }
        }
        let _ = writeln!(report, "{:>6} panics", self.n_panics);
        for (code, count) in &self.findings {
            let _ = writeln!(report, "{count:>6} findings {code}");
        }
        report
    }
}

/// The text between the fences around a place.
fn block_around(text: &str, at: usize) -> Option<String> {
    let is_fence = |line: &str| {
        line.trim_start_matches([' ', '>', '\t']).starts_with("```") || line.trim_start_matches([' ', '>', '\t']).starts_with("~~~")
    };
    let mut offset = 0;
    let mut start = None;
    let mut lines: Vec<&str> = Vec::new();
    for line in text.split_inclusive('\n') {
        if is_fence(line) {
            if offset > at {
                break;
            }
            lines.clear();
            start = Some(offset);
        } else {
            lines.push(line.trim_start_matches('>'));
        }
        offset += line.len();
    }
    let block = lines.concat();
    (start.is_some() && block.contains("stateDiagram")).then_some(block)
}

/// Runs `tests/mermaid/survey.mjs`.
fn compare(folder: &Path, tally: &Tally) -> Result<String, String> {
    let home = crate::root().join("tests/mermaid");
    if !home.join("node_modules/mermaid").is_dir() {
        return Err("run `npm ci` in tests/mermaid first".into());
    }
    let list = std::env::temp_dir().join("statespec-import-survey.json");
    let json = serde_json::to_string(&tally.compared).map_err(|error| error.to_string())?;
    std::fs::write(&list, json).map_err(|error| format!("{}: {error}", list.display()))?;
    let done = Command::new("node").arg("survey.mjs").arg(&list).current_dir(&home).output().map_err(|_| "there is no `node`")?;
    let _ = folder;
    Ok(format!(
        "\nthe real parser, on the original and on the diagram of the spec:\n{}{}",
        String::from_utf8_lossy(&done.stderr),
        String::from_utf8_lossy(&done.stdout)
    ))
}
