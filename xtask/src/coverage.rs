//! Which rows of the reference machines the tests take: they record their attempts, and the audit of these counts.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::BufReader;
use std::path::Path;
use std::process::Command;

use statespec_audit::{Audit, Finding, Format, Level, Options, Outcome, Reading, row_text};
use statespec_codegen::diagnostic::Code;
use statespec_codegen::model::{Machine, Model};
use statespec_codegen::source::Input;
use statespec_lang::lower::load;
use statespec_lang::types::TransitionId;

use crate::SPECS;

/// The page.
pub const PAGE: &str = "docs/evidence/coverage.md";

/// The folder with the recorded attempts.
const ATTEMPTS: &str = "target/attempts";

/// Runs the tests with recording turned on, audits what they recorded, and writes the page. Returns what to say.
///
/// # Errors
///
/// A test fails, the audit finds something, or the disk refuses.
pub fn write(root: &Path) -> Result<String, String> {
    let folder = root.join(ATTEMPTS);
    let told = |error: std::io::Error| format!("{}: {error}", folder.display());
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(told)?;
    }
    fs::create_dir_all(&folder).map_err(told)?;
    let arguments = ["test", "-p", "statespec", "--test", "machines", "differential::"];
    let tests = Command::new("cargo")
        .args(arguments)
        .current_dir(root)
        .env("STATESPEC_ATTEMPTS", &folder)
        // The same sample everywhere.
        .env_remove("STATESPEC_CHECKS")
        .status()
        .map_err(|error| format!("cargo cannot run: {error}"))?;
    if !tests.success() {
        return Err(format!("`cargo {}` failed", arguments.join(" ")));
    }
    let model = model(root)?;
    let mut outcomes = BTreeMap::new();
    for machine in &model.machines {
        let name = format!("{}.jsonl", machine.name);
        let outcome = audited(machine, &folder.join(&name)).map_err(|why| format!("{ATTEMPTS}/{name}: {why}"))?;
        // The comparison puts machines into regions that no call leads to, and takes values that no record has, such as years beyond
        // 9999.
        let is_left_out = |it: &&Finding| match it.code {
            Code::AuditUnknown => it.message.starts_with("no call leads"),
            Code::AuditValue => it.message.contains(" does not fit: "),
            _ => false,
        };
        if let Some(finding) = outcome.findings.iter().find(|it| !is_left_out(it)) {
            return Err(format!("{ATTEMPTS}/{name}:{}: {}", finding.place.line, finding.message));
        }
        outcomes.insert(machine.name.as_str(), outcome);
    }
    fs::write(root.join(PAGE), page(&model, &outcomes)).map_err(|error| format!("{PAGE}: {error}"))?;
    Ok(format!("wrote {PAGE}\n"))
}

/// The reference machines.
///
/// # Errors
///
/// The folder cannot be read, or a spec has errors.
pub fn model(root: &Path) -> Result<Model, String> {
    let mut inputs = Vec::new();
    let folder = root.join(SPECS);
    for entry in fs::read_dir(&folder).map_err(|error| format!("{SPECS}: {error}"))? {
        let path = entry.map_err(|error| error.to_string())?.path();
        if path.extension().is_some_and(|it| it == "yaml") {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let text = fs::read_to_string(&path).map_err(|error| format!("{SPECS}/{name}: {error}"))?;
            inputs.push(Input { path: format!("{SPECS}/{name}"), text });
        }
    }
    inputs.sort_by(|a, b| a.path.cmp(&b.path));
    load(&inputs).model.ok_or_else(|| format!("a spec in {SPECS} has errors"))
}

/// Each attempt is one of a machine that was put into some state.
fn audited(machine: &Machine, path: &Path) -> Result<Outcome, String> {
    let mut audit = Audit::new(machine, Options { cut: true, ..Options::default() })?;
    if path.exists() {
        let input = BufReader::new(File::open(path).map_err(|error| error.to_string())?);
        audit.read("attempts", Format::Jsonl, &Reading::default(), input)?;
    }
    Ok(audit.finish())
}

/// The page of these numbers.
pub fn page(model: &Model, outcomes: &BTreeMap<&str, Outcome>) -> String {
    let mut text = String::from(
        "# Coverage of the tests\n\n\
         Which rows of the reference machines the tests of this repository take.\n\n\
         The tests that compare the emitted Rust with the interpreter record every attempt: an observer of the façade writes it, with its payload and its context, if `STATESPEC_ATTEMPTS` names a folder.\n\
         [The audit](../guide/audit.md) executes these attempts again, and counts the rows that they take.\n\n\
         ```sh\ncargo xtask coverage\n```\n\n\
         runs the tests, audits what they recorded, and writes this page.\n\n",
    );
    let rows = |machine: &Machine| (0..machine.transitions.len()).map(TransitionId::new).collect::<Vec<_>>();
    let count = |machine: &Machine, row: TransitionId| {
        outcomes.get(machine.name.as_str()).and_then(|it| it.seen.get(&row)).copied().unwrap_or_default()
    };
    let is_taken = |machine: &Machine, row: TransitionId| count(machine, row).certain > 0;
    let never: Vec<(&Machine, TransitionId)> = model
        .machines
        .iter()
        .flat_map(|machine| rows(machine).into_iter().map(move |it| (machine, it)))
        .filter(|it| !is_taken(it.0, it.1))
        .collect();
    let n_rows: usize = model.machines.iter().map(|it| it.transitions.len()).sum();
    let n_attempts: u64 = outcomes.values().map(|it| it.n_records).sum();
    let n_replayed: u64 = outcomes.values().map(|it| it.levels[Level::Replay as usize]).sum();
    let _ = writeln!(
        text,
        "{} of {n_rows} rows were taken, in {n_attempts} attempts, of which {n_replayed} were replayed as a whole.",
        n_rows - never.len()
    );
    text.push_str(
        "The others failed outside of the machine, are refused direct transitions, whose target no record has, are of machines in regions that no call leads to, or have values that no record has, such as years beyond 9999.\nThe audit found nothing else.\n",
    );
    text.push_str("A row that only the answer of a predicate tells from another one counts as *at most*: answers are not recorded.\n\n## Rows never taken\n\n");
    match never.is_empty() {
        true => text.push_str("None.\n"),
        false => {
            for (machine, row) in &never {
                let open = if count(machine, *row).at_most > 0 { ", which predicates may have taken" } else { "" };
                let _ = writeln!(text, "- `{}`: {}{open}", machine.name, code(&row_text(machine, *row)));
            }
        }
    }
    for machine in &model.machines {
        let all = rows(machine);
        let n_taken = all.iter().filter(|it| is_taken(machine, **it)).count();
        let _ = write!(text, "\n## {}\n\n{n_taken} of {} rows.\n\n| Row | Taken |\n| --- | ---: |\n", machine.name, all.len());
        for row in all {
            let seen = count(machine, row);
            let taken = match (seen.certain, seen.at_most) {
                (certain, 0) => certain.to_string(),
                (certain, more) => format!("{certain}, at most {}", certain + more),
            };
            let _ = writeln!(text, "| {} | {taken} |", code(&row_text(machine, row)).replace('|', "\\|"));
        }
    }
    text
}

fn code(text: &str) -> String {
    format!("`{}`", text.replace('`', "'"))
}
