//! Changes to source files with generated regions: one in a region or in its markers must be found, one around them must not.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::{fs, io};

use statespec_codegen::project::{Extras, Project};
use statespec_codegen::report::Status;
use statespec_codegen::sync::Mode;

use super::configuration::OPTIONS;
use super::run::{Rows, Runner};
use super::text::Edit;

/// A repository with regions in five languages: indented, with CRLF, with a byte order mark, and between lines of code.
const FILES: &[(&str, &str)] = &[
    (
        "machines/order.yaml",
        "machine: order\nstates:\n  draft: { initial: true, number: 1, label: 'To \"do\"' }\n  paid: { number: 2 }\n  \
         closed: { terminal: true, number: 3 }\nevents: { pay:, close: }\ntransitions:\n  - { from: draft, event: pay, to: paid }\n  \
         - { from: paid, event: close, to: closed }\n",
    ),
    ("statespec.toml", "[docs]\npages = false\n"),
    (
        "service/order.rs",
        "//! Orders.\n\n// statespec:begin order.states rust-enum\n// statespec:end\n\nmod edges {\n    // statespec:begin order.edges rust-const\n    \
         // statespec:end\n}\n",
    ),
    ("web/order.ts", "/* statespec:begin order.states ts-union */\n/* statespec:end */\n\nexport const nothing = 0;\n"),
    ("worker/order.py", "\"\"\"Orders.\"\"\"\n\n# statespec:begin order.labels py-dict\n# statespec:end\n"),
    (
        "migrations/1.sql",
        "CREATE TABLE orders (\r\n  state text NOT NULL,\r\n  -- statespec:begin order.states sql-check\r\n  -- statespec:end\r\n);\r\n",
    ),
    ("order.proto", "\u{feff}syntax = \"proto3\";\n\n// statespec:begin order.states proto-enum\n// statespec:end\n"),
];

fn is_marker(line: &str) -> bool {
    ["statespec:begin ", "statespec:end "].iter().any(|it| line.contains(it))
}

/// The words of a marker. The signs of the comment around them are those of a language, which the check does not know.
fn words(line: &str) -> &str {
    line.trim_matches(|it: char| !it.is_alphanumeric())
}

/// The markers.
fn markers(text: &str) -> Vec<&str> {
    text.lines().filter(|it| is_marker(it)).map(words).collect()
}

/// The lines of a file: of markers the indentation, the words and the line end.
fn lines(text: &str) -> Vec<[&str; 3]> {
    let parts = |line| match is_marker(line) {
        true => {
            let end = if line.ends_with("\r\n") { "\r\n" } else { "\n" };
            [&line[..line.len() - line.trim_start().len()], words(line), end]
        }
        false => [line, "", ""],
    };
    text.split_inclusive('\n').map(parts).collect()
}

/// The bytes of each region with its markers.
fn regions(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let (mut offset, mut begin) = (0, None);
    for line in text.split_inclusive('\n') {
        if line.contains("statespec:begin ") {
            begin = Some(offset);
        }
        offset += line.len();
        if line.contains("statespec:end ") {
            found.extend(begin.take().map(|it| it..offset));
        }
    }
    found
}

fn status(root: &Path, mode: Mode) -> io::Result<Status> {
    let project = Project::open(root).map_err(io::Error::other)?;
    let report = project.run(|_| Ok(Extras::default()), mode, OPTIONS);
    // A warning counts as found, because nothing may be written there.
    Ok(if report.annotations.is_empty() { report.status } else { Status::Findings })
}

impl Runner {
    /// Source files with regions.
    pub(super) fn code(&mut self) -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        for (path, text) in FILES {
            let full = folder.path().join(path);
            fs::create_dir_all(full.parent().unwrap_or(folder.path()))?;
            fs::write(full, text)?;
        }
        let written = status(folder.path(), Mode::Write { force: false })?;
        let checked = status(folder.path(), Mode::Check)?;
        if (written, checked) != (Status::Clean, Status::Clean) {
            return Err(io::Error::other("the regions in source files are not clean before the changes"));
        }
        let mut rows: Rows<(Edit, bool)> = BTreeMap::new();
        let mut texts = BTreeMap::new();
        for (path, _) in FILES.iter().filter(|it| it.1.contains("statespec:begin ")) {
            let text = fs::read_to_string(folder.path().join(path))?;
            let mut next = 0;
            let mut add = |range: Range<usize>, what: &'static str| {
                for edit in Edit::within(text.as_bytes(), range) {
                    let change = (edit, what == "regions in source files");
                    rows.entry((what, edit.class().to_owned())).or_default().push(((*path).to_owned(), change));
                }
            };
            for region in regions(&text) {
                add(next..region.start, "text around regions in source files");
                add(region.clone(), "regions in source files");
                next = region.end;
            }
            add(next..text.len(), "text around regions in source files");
            texts.insert((*path).to_owned(), text);
        }
        for ((what, class), mutants) in self.pick(rows) {
            for (path, (edit, is_inside)) in mutants {
                let (Some(text), full) = (texts.get(&path), folder.path().join(&path)) else { continue };
                let Some(mutant) = edit.apply(text.as_bytes()) else { continue };
                // Two carriage returns end a line on no system; of a marker, the check may see one of them or both.
                if mutant.windows(3).any(|it| it == b"\r\r\n") {
                    continue;
                }
                fs::write(&full, &mutant)?;
                // Text around regions may change, as long as the markers stay.
                let changed = String::from_utf8_lossy(&mutant);
                let expected = if is_inside { lines(&changed) != lines(text) } else { markers(&changed) != markers(text) };
                let found = status(folder.path(), Mode::Check)? != Status::Clean;
                self.table.count((what, &class), &|| format!("{path}: {edit}"), expected, found);
                fs::write(&full, text)?;
            }
        }
        Ok(())
    }
}
