//! The seeds of fuzzing: the specs and pages of this repository, and the words in them.

use std::fs;
use std::path::{Path, PathBuf};

use statespec_lang::yaml::{Node, NodeKind};
use walkdir::WalkDir;

use super::readers::BETWEEN;
use crate::mutants::parse;
use crate::rng::Rng;

/// Pieces of specs, guards and pages, valid and invalid.
pub const WORDS: &[&str] = &[
    "machine: m\n",
    "system: s\n",
    "document: d\n",
    "states: ",
    "transitions:\n",
    "events: ",
    "context: ",
    "constants: ",
    "attributes: ",
    "enums: ",
    "effects: ",
    "predicates: ",
    "orders: ",
    "actors: ",
    "parts: ",
    "transactions: ",
    "rules: ",
    "invariants: ",
    "walkthroughs: ",
    "notes: ",
    "sources: ",
    "sections: ",
    "show: ",
    "columns: ",
    "from: ",
    "event: ",
    "to: ",
    "when: ",
    "do: ",
    "set: ",
    "by: ",
    "fire: ",
    "require: ",
    "doc: ",
    "label: ",
    "title: ",
    "refuse: ",
    "inferred: ",
    "initial: true",
    "terminal: true",
    "wire: ",
    "payload: ",
    "type: ",
    "default: ",
    "optional: true",
    "settle: ",
    "only: ",
    "except: ",
    "list<text>",
    "int",
    "decimal",
    "duration",
    "timestamp",
    "text",
    "bool",
    "state",
    "{ ",
    " }",
    "[",
    "]",
    "- ",
    "\n  - ",
    "\n      ",
    ": ",
    ", ",
    "\"",
    "'",
    "|\n",
    ">-\n",
    "&a ",
    "*a",
    "<<",
    "!!str ",
    "# ",
    "%TAG ",
    "---\n",
    "...\n",
    "\"*\"",
    "[*]",
    "null",
    "~",
    "0.1",
    "-1",
    "99999999999999999999",
    "30s",
    " and ",
    " or ",
    "not ",
    " == ",
    " != ",
    " <= ",
    " >= ",
    " < ",
    " > ",
    " + ",
    " - ",
    " * ",
    " in ",
    "(",
    ")",
    "{n}",
    "{{",
    "}}",
    "\u{feff}",
    "\r\n",
    "\t",
    "\0",
    "é",
    "\u{202e}",
    "```",
    "~~~",
    "<!--",
    "-->",
    "<!-- statespec:begin a -->\n",
    "<!-- statespec:end a -->\n",
    "<!-- statespec:begin b.c -->\n",
    "<!-- statespec:end b.c 0123456789abcdef -->\n",
    "<!-- statespec:begin d -->\n",
    "<!-- statespec:end d 0123456789abcdef -->\n",
    "| x |\n",
    "| --- |\n",
    "\n====\n",
    "self",
    "Self",
    "crate",
    "end",
    "class",
    "note",
    "fn",
    "__proto__",
    "<br>",
    "\\",
    "`",
    "%%",
    ";",
];

/// The repository's root.
fn root() -> PathBuf {
    xtask::root()
}

/// All files below a folder with this extension, sorted.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let all = WalkDir::new(folder).sort_by_file_name().into_iter().filter_map(Result::ok).map(walkdir::DirEntry::into_path);
    all.filter(|it| it.extension().is_some_and(|it| it == extension)).collect()
}

fn specs() -> Vec<String> {
    let folders = ["machines", "codegen/tests/fixtures"].map(|it| root().join(it));
    let texts = folders.iter().flat_map(|it| files(it, "yaml"));
    texts.filter_map(|it| fs::read_to_string(it).ok()).collect()
}

/// Specs that belong together: a system with its machines.
fn projects() -> Vec<String> {
    let all = files(&root().join("machines"), "yaml");
    let text = |it: &PathBuf| fs::read_to_string(it).unwrap_or_default();
    let sets: [&[&str]; 4] = [
        &["mission.yaml", "hop.yaml", "mission_hop.yaml", "mission_hops.doc.yaml"],
        &["agent_run.yaml", "run_job.yaml", "agent_lifecycle.doc.yaml"],
        &["mysis.yaml", "mysis_activity.yaml", "mysis_runtime.yaml"],
        &["resource.yaml", "eviction_policy.yaml", "pressure.yaml", "session.yaml", "context_os.yaml"],
    ];
    sets.iter()
        .map(|set| all.iter().filter(|it| set.iter().any(|name| it.ends_with(name))).map(text).collect::<Vec<_>>().join(BETWEEN))
        .collect()
}

/// The expressions of all specs.
fn expressions() -> Vec<String> {
    fn collect(node: &Node, key: &str, found: &mut Vec<String>) {
        match &node.kind {
            NodeKind::Scalar { text, .. } if matches!(key, "when" | "require" | "set") => found.push(text.clone()),
            NodeKind::Scalar { .. } => {}
            NodeKind::List(items) => items.iter().for_each(|it| collect(it, key, found)),
            NodeKind::Map(entries) => entries.iter().for_each(|(name, value)| {
                let NodeKind::Scalar { text, .. } = &name.kind else { return };
                collect(value, if key == "set" { key } else { text }, found);
            }),
        }
    }
    let own = [
        "n + 1 > limit and not b",
        "d - share * 2.5 <= 0.1",
        "until != null and until < at + wait",
        "c == dark-blue or s in o",
        "t == word",
    ];
    let mut found: Vec<String> = own.map(str::to_owned).to_vec();
    specs().iter().filter_map(|it| parse(it)).for_each(|it| collect(&it, "", &mut found));
    found.sort();
    found.dedup();
    found
}

fn pages() -> Vec<String> {
    let mut paths = files(&root().join("docs"), "md");
    paths.extend(["README.md", "ARCHITECTURE.md"].map(|it| root().join(it)));
    let own = [
        "# T\n\n<!-- statespec:begin a -->\n<!-- statespec:end a -->\n\ntext\n<!-- statespec:begin b.c -->\nx\n<!-- statespec:end b.c 0123456789abcdef -->\n",
        "```\n<!-- statespec:begin a -->\n```\n<!-- statespec:begin d -->\n```\n<!-- statespec:end d 0123456789abcdef -->\n",
    ];
    own.map(str::to_owned).into_iter().chain(paths.iter().filter_map(|it| fs::read_to_string(it).ok())).collect()
}

/// Texts to import, each after the byte that selects its format.
fn imports() -> Vec<String> {
    let mut found = Vec::new();
    for path in pages() {
        found.push(format!("\u{1}{path}"));
        found.extend(path.split("```mermaid\n").skip(1).filter_map(|it| it.split_once("```")).map(|(diagram, _)| format!("\0{diagram}")));
    }
    let scxml = "<scxml xmlns=\"http://www.w3.org/2005/07/scxml\" version=\"1.0\" initial=\"a\"><state id=\"a\"><transition event=\"go\" target=\"b\" cond=\"x\"/></state><final id=\"b\"/></scxml>";
    let xstate = "{ \"id\": \"m\", \"initial\": \"a\", \"states\": { \"a\": { \"on\": { \"GO\": { \"target\": \"b\", \"guard\": \"ok\" } } }, \"b\": { \"type\": \"final\" } } }";
    let rust = "enum State { A, B }\nimpl State { fn next(&self) -> &[State] { match self { State::A => &[State::B], State::B => &[] } } }";
    found.extend([format!("\u{2}{scxml}"), format!("\u{3}{xstate}"), format!("\u{4}{rust}")]);
    found
}

/// The seeds of a target.
pub fn of(target: &str) -> Vec<Vec<u8>> {
    let texts = match target {
        "yaml" => specs(),
        "expression" => expressions(),
        "regions" => pages(),
        "import" => imports(),
        _ => specs().into_iter().chain(projects()).collect(),
    };
    texts.into_iter().map(String::into_bytes).collect()
}

/// Writes the seeds of a target into a folder, one file each, and the dictionary next to it.
///
/// # Errors
///
/// If something cannot be written.
pub fn write(target: &str, folder: &Path) -> std::io::Result<()> {
    fs::create_dir_all(folder)?;
    for (idx, seed) in of(target).iter().enumerate() {
        fs::write(folder.join(format!("seed-{idx:03}")), seed)?;
    }
    Ok(())
}

/// The words, in the format of libFuzzer.
pub fn dictionary() -> String {
    let escaped = |it: &&str| it.bytes().map(|byte| format!("\\x{byte:02X}")).collect::<String>();
    WORDS.iter().map(|it| format!("\"{}\"\n", escaped(it))).collect()
}

/// A generator of new inputs from old ones, the same in every run.
#[derive(Debug)]
pub struct Mutator {
    seeds: Vec<Vec<u8>>,
    rng: Rng,
}

impl Mutator {
    /// The generator for a target.
    pub fn new(target: &str, seed: u64) -> Self {
        Mutator { seeds: of(target), rng: Rng::new(seed) }
    }

    /// The seeds that it mutates.
    pub fn seeds(&self) -> &[Vec<u8>] {
        &self.seeds
    }

    /// The next input: a seed with one to four changes.
    pub fn next_mutant(&mut self) -> Vec<u8> {
        let pick = self.rng.below(self.seeds.len());
        let mut input = self.seeds.get(pick).cloned().unwrap_or_default();
        for _ in 0..=self.rng.below(4) {
            let at = self.rng.below(input.len() + 1);
            let end = (at + 1 + self.rng.below(40)).min(input.len());
            let word = WORDS[self.rng.below(WORDS.len())].as_bytes();
            match self.rng.below(6) {
                0 => _ = input.splice(at..at, word.iter().copied()),
                1 => _ = input.splice(at..end, word.iter().copied()),
                2 => _ = input.drain(at..end),
                3 => {
                    let copied = input[at..end].to_vec();
                    let to = self.rng.below(input.len() + 1);
                    _ = input.splice(to..to, copied);
                }
                4 => {
                    let bit = self.rng.below(8);
                    input.get_mut(at).into_iter().for_each(|it| *it ^= 1 << bit);
                }
                _ => {
                    let other = self.rng.below(self.seeds.len());
                    let other = self.seeds.get(other).map(Vec::as_slice).unwrap_or_default();
                    let from = self.rng.below(other.len() + 1);
                    let part = other[from..(from + 80).min(other.len())].to_vec();
                    _ = input.splice(at..at, part);
                }
            }
        }
        input
    }
}
