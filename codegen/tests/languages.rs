//! The page of other languages: every example of it is read as the page says.

use std::fmt::Write as _;

use statespec_codegen::{sync, walk};
use statespec_scan::compare::Statement;
use statespec_scan::read;

use crate::project::{read as page_of_project, root};

const PAGE: &str = "docs/reference/languages.md";

/// What is read of a file of this extension.
fn read_as(extension: &str, text: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(format!("order.{extension}")), text).unwrap();
    let found = read(folder.path(), walk::files(folder.path(), ""), &|_| false, sync::regions);
    let mut read: String = found.statements.iter().map(shown).collect();
    for problem in &found.problems {
        writeln!(read, "{}", problem.message).unwrap();
    }
    if read.is_empty() { "nothing\n".to_owned() } else { read }
}

/// A source in a few lines: `order_status: open (Open) = 1, closed`.
fn shown(it: &Statement) -> String {
    let states = it.states.iter().map(|state| {
        let label = state.label.as_ref().map(|it| format!(" ({it})")).unwrap_or_default();
        let number = state.number.map(|it| format!(" = {it}")).unwrap_or_default();
        format!("{}{label}{number}", state.name)
    });
    let mut text = format!("{}: {}\n", it.name, states.collect::<Vec<_>>().join(", "));
    for edge in &it.edges {
        writeln!(text, "  {} → {}", it.states[edge.from].name, it.states[edge.to].name).unwrap();
    }
    text
}

/// Each example is followed by what is read of it. `UPDATE_LANGUAGES=1` writes it into the page.
#[test]
fn the_page_of_languages_says_what_is_read() {
    let page = page_of_project(PAGE).unwrap();
    let mut blocks = page.split("```");
    let mut written = blocks.next().unwrap().to_owned();
    let mut n_examples = 0;
    while let (Some(example), Some(between)) = (blocks.next(), blocks.next()) {
        let (info, text) = example.split_once('\n').unwrap();
        // The book highlights not every language: `txt,proto`.
        let extension = info.rsplit(',').next().unwrap();
        let (Some(_), Some(behind)) = (blocks.next(), blocks.next()) else { panic!("no block behind `{example}`") };
        assert_eq!(between, "\n\n", "what is read stands behind each example");
        write!(written, "```{example}```{between}```text\n{}```{behind}", read_as(extension, text)).unwrap();
        n_examples += 1;
    }
    assert!(n_examples > 20, "{n_examples}");
    if std::env::var_os("UPDATE_LANGUAGES").is_some() {
        std::fs::write(root().join(PAGE), &written).unwrap();
    }
    assert_eq!(written, page, "UPDATE_LANGUAGES=1 mends it");
}

/// The page of Rust has each list of words that decides what a name is about.
#[test]
fn the_page_of_rust_has_the_words_that_decide() {
    let page = page_of_project("docs/guide/rust.md").unwrap();
    let names = page_of_project("crates/import/src/rust/names.rs").unwrap();
    let lists: Vec<&str> = names.lines().filter_map(|it| it.strip_prefix("const ")?.split('"').nth(1)).collect();
    assert_eq!(lists.len(), 9);
    for list in lists {
        assert!(page.contains(&format!("`{list}`")), "the page lacks `{list}`");
    }
}

/// The disagreements between two files, as messages.
fn differences(files: [(&str, &str); 2]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files {
        std::fs::write(folder.path().join(path), text).unwrap();
    }
    let found = read(folder.path(), walk::files(folder.path(), ""), &|_| false, sync::regions);
    assert_eq!(found.problems, []);
    let statements: Vec<&Statement> = found.statements.iter().collect();
    statespec_scan::compare::compare(&statements).findings().into_iter().map(|it| it.message).collect()
}

/// A value that was inserted in the middle moves those behind it.
#[test]
fn numbers_of_one_state_are_compared() {
    let proto = "enum JobStatus { JOB_STATUS_UNSPECIFIED = 0; JOB_STATUS_QUEUED = 1; JOB_STATUS_HELD = 2; JOB_STATUS_RUNNING = 3; }";
    let go = |names: &str| {
        format!("package job\ntype JobStatus int32\nconst (\n\tJobStatusUnspecified JobStatus = iota\n{names})\nconst maxJobs = 7\n")
    };
    let same = go("\tJobStatusQueued\n\tJobStatusHeld\n\tJobStatusRunning\n");
    assert_eq!(differences([("job.proto", proto), ("job.go", &same)]), Vec::<String>::new());
    let moved = go("\tJobStatusQueued\n\tJobStatusRunning\n\tJobStatusHeld\n");
    assert_eq!(
        differences([("job.proto", proto), ("job.go", &moved)]),
        ["the number `JobStatusRunning = 2` is another one in job.proto#job_status"]
    );
    let skipped = go("\t_\n\tJobStatusQueued\n\tJobStatusHeld\n\tJobStatusRunning\n");
    assert_eq!(
        differences([("job.proto", proto), ("job.go", &skipped)]),
        ["the number `JobStatusQueued = 2` is another one in job.proto#job_status"]
    );
    let rust = "pub enum JobStatus { Queued = 1, Held = 2, Running = 4 }";
    assert_eq!(
        differences([("job.proto", proto), ("job.rs", rust)]),
        ["the number `JOB_STATUS_RUNNING = 3` is another one in job.rs#job_status"]
    );
}

/// What does not parse is not read, and said so.
#[test]
fn a_set_with_an_error_is_not_read() {
    for (extension, text) in [
        ("ts", "export enum OrderStatus { Open = 'open', Closed' | 'Lost = 'closed' }\nexport enum OrderPhase { First, Second }\n"),
        ("java", "enum OrderStatus { OPEN, CLOSED LOST }\nenum OrderPhase { First, Second }\n"),
    ] {
        let read = read_as(extension, text);
        assert!(read.contains("nothing was read of `OrderStatus`") && read.starts_with("order_phase: First, Second\n"), "{read}");
    }
}

/// Whatever of the five names ends the name of an enum of Rust, it is compared with a page.
#[test]
fn an_enum_of_rust_without_steps_is_a_set() {
    let page =
        "# Order\n\n```mermaid\nstateDiagram-v2\n  [*] --> New\n  New --> Paid: pay\n  Paid --> Sent: send\n  Sent --> Done: arrive\n```\n";
    for name in ["OrderState", "OrderStatus", "OrderPhase", "OrderStage", "OrderLifecycle"] {
        for rest in ["", "impl OrderState { fn is_terminal(self) -> bool { matches!(self, Self::Sent) } }", "pub enum Other { A, B }"] {
            let code = format!("pub enum {name} {{ New, Paid, Sent }}\n{rest}\n");
            let found = differences([("order.md", page), ("order.rs", &code)]);
            assert_eq!(found.len(), 1, "{code}: {found:?}");
            assert!(found[0].starts_with("the state `Done` is missing in order.rs#order_"), "{found:?}");
        }
    }
}
