//! Outputs against the disk: every kind of drift is found, there is no false alarm, and no edit is lost.

use std::collections::BTreeMap;
use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, SystemTime};

use statespec_codegen::diagnostic::Style;
use statespec_codegen::report::{RenderOptions, Report, Status, describe};
use statespec_codegen::source::{Sources, Span};
use statespec_codegen::sync::{Applied, Config, Kind, Mode, Refusal, digest_of, plan, plan_page, read_specs, regions, run, without, words};
use statespec_lang::output::{Blame, Generated, Output, Outputs, Pending, Region, RenderError, Rendered};
use tempfile::TempDir;

use crate::project::checks::is_complete;

const SPEC: &str =
    "machine: order\nstates:\n  paid: { initial: true }\n  refunded: {}\ntransitions:\n  - { from: paid, event: refund, to: refunded }\n";
const OPTIONS: RenderOptions = RenderOptions { full_diff: false, style: Style::Plain };
const WRITE: Mode = Mode::Write { force: false };
const FORCE: Mode = Mode::Write { force: true };

/// A project in a temporary folder, with its generated outputs.
struct Project {
    dir: TempDir,
    config: Config,
    sources: Sources,
    generated: Generated,
}

impl Project {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let config = Config {
            root: dir.path().to_owned(),
            owned: vec!["generated/src".into(), "docs/machines".into()],
            shared: vec!["docs".into(), "README.md".into(), "generated".into()],
            command: "cargo xtask gen".into(),
            remove: Vec::new(),
        };
        let mut sources = Sources::default();
        let id = sources.add("machines/order.yaml", SPEC);
        let span = |word: &str| SPEC.find(word).map(|start| Span::new(id, start..start + word.len()));
        let edge = span("{ from: paid, event: refund, to: refunded }").unwrap();
        // The rows of the spec and of the changed spec.
        let lines = ["| paid | refund | refunded |", "| paid | refund | paid |", "paid --> refunded : refund", "paid --> paid : refund"];
        let blame: Blame = lines.map(|line| (line, edge)).into_iter().collect();
        let file = |path: &str, text: &str| Output { path: path.into(), text: text.into(), origin: span("order"), blame: blame.clone() };
        let region = |text: &str| Region { text: text.into(), origin: span("order"), blame: blame.clone() };
        let page = "# Order\n\n| From | Event | To |\n| --- | --- | --- |\n| paid | refund | refunded |\n";
        let files = vec![
            file("docs/machines/order.md", page),
            file("generated/model.json", "{\n  \"machine\": \"order\",\n  \"edges\": [\"paid refund refunded\"]\n}\n"),
            file("generated/src/order.rs", "/// The states.\npub enum State {\n    Paid,\n    Refunded,\n}\n"),
        ];
        let diagram = "```mermaid\nstateDiagram-v2\n    paid --> refunded : refund\n```\n";
        let regions = BTreeMap::from([
            ("order.diagram".to_owned(), region(diagram)),
            ("order.transitions".to_owned(), region("| paid | refund | refunded |\n")),
        ]);
        Project { dir, config, sources, generated: Generated { files, regions } }
    }

    /// A project with a hand-written page that has two empty regions, and with all outputs written.
    fn written() -> Self {
        let project = Project::new();
        project.put("docs/guide.md", GUIDE);
        assert_eq!(project.run(WRITE).0, Status::Clean);
        project
    }

    fn put(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.dir.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn get(&self, path: &str) -> String {
        fs::read_to_string(self.dir.path().join(path)).unwrap()
    }

    fn edit(&self, path: &str, old: &str, new: &str) {
        let text = self.get(path);
        assert!(text.contains(old), "{text}");
        self.put(path, text.replacen(old, new, 1));
    }

    fn run(&self, mode: Mode) -> (Status, String) {
        let report = Report::of_run(&run(&self.config, &self.generated, &self.sources, mode), &self.sources, OPTIONS);
        (report.status, report.text)
    }

    fn findings(&self) -> Vec<(Kind, String)> {
        let plan = plan(&self.config, &self.generated, &self.sources);
        assert_eq!(plan.failures, []);
        plan.findings.into_iter().map(|it| (it.kind, it.region.unwrap_or(it.path))).collect()
    }

    /// Changes the spec: the edge leads to another state.
    fn change_spec(&mut self) {
        self.sources = Sources::default();
        // As long as before, so that every span is still right.
        self.sources.add("machines/order.yaml", &SPEC.replace("to: refunded", "to:     paid"));
        for output in &mut self.generated.files {
            output.text = output.text.replace("refund | refunded", "refund | paid").replace("Refunded", "Lost");
        }
        for region in self.generated.regions.values_mut() {
            region.text = region.text.replace("refunded", "paid");
        }
    }
}

const GUIDE: &str = "# Guide\n\n<!-- statespec:begin order.diagram -->\n<!-- statespec:end order.diagram -->\n\n\
    In the middle, <b>by hand</b>.\n\n<!-- statespec:begin order.transitions -->\n\n<!-- statespec:end order.transitions -->\n\nThe end.\n";

#[test]
fn a_new_project_misses_everything_and_one_write_mends_it() {
    let project = Project::new();
    project.put("docs/guide.md", GUIDE);
    let (status, report) = project.run(Mode::Check);
    assert_eq!(status, Status::Findings);
    insta::assert_snapshot!(report);
    let (status, summary) = project.run(WRITE);
    assert_eq!(status, Status::Clean);
    insta::assert_snapshot!(summary);
    assert_eq!(project.run(Mode::Check), (Status::Clean, "checked 5 outputs: all up to date\n".to_owned()));
    assert_eq!(project.run(WRITE), (Status::Clean, "checked 5 outputs: all up to date\n".to_owned()));
    insta::assert_snapshot!(
        ["docs/guide.md", "docs/machines/order.md", "generated/model.json", "generated/src/order.rs"]
            .map(|path| format!("==== {path}\n{}", project.get(path)))
            .concat()
    );
}

#[test]
fn all_kinds_come_out_at_once() {
    let mut project = Project::written();
    project.change_spec();
    project.put("generated/src/stray.rs", "fn stray() {}\n");
    let mut gone = Project::new();
    gone.generated.files[0].path = "generated/old.md".into();
    gone.config.root = project.config.root.clone();
    gone.generated.files.truncate(1);
    gone.generated.regions.clear();
    gone.config.owned.clear();
    gone.config.shared = vec!["generated/old.md".into()];
    assert_eq!(gone.run(WRITE).0, Status::Clean);
    fs::remove_file(project.dir.path().join("generated/src/order.rs")).unwrap();
    project.edit("generated/model.json", "edges", "egdes");
    project.edit("docs/guide.md", "paid --> refunded", "paid --> refused");
    project.put(
        "README.md",
        "<!-- statespec:begin order.diagram -->\n\n<!-- statespec:begin order.transition -->\n<!-- statespec:end order.transition -->\n",
    );
    let (status, report) = project.run(Mode::Check);
    assert_eq!((status, status.exit_code()), (Status::Findings, 100));
    insta::assert_snapshot!(report);
    assert_eq!(project.run(Mode::Check).1, report, "and it changed nothing");
}

#[test]
fn a_stale_output_blames_the_spec_and_is_written() {
    let mut project = Project::written();
    project.change_spec();
    let (status, report) = project.run(Mode::DryRun { force: false });
    assert_eq!(status, Status::Clean);
    insta::assert_snapshot!(report);
    assert_eq!(project.findings().len(), 4);
    assert_eq!(project.run(WRITE).0, Status::Clean);
    assert_eq!(project.findings(), []);
    assert!(project.get("docs/guide.md").contains("In the middle, <b>by hand</b>."));
}

#[test]
fn a_line_that_two_elements_share_blames_neither() {
    let mut project = Project::new();
    let job = project.sources.add("machines/job.yaml", "edges:\n  - { from: open, to: closed }\n");
    let door = project.sources.add("machines/door.yaml", "edges:\n  - { from: open, to: closed }\n");
    let edge = |id| ("open -> closed", Span::new(id, 11..37));
    let page = |blame, text: &str| Output { path: "docs/page.md".into(), text: text.into(), origin: None, blame };
    for (edges, place) in [(vec![edge(job)], "--> machines/job.yaml:2:5\n"), (vec![edge(job), edge(door)], "--> docs/page.md:4\n")] {
        project.generated.files = vec![page(edges.into_iter().collect(), "open, closed\n")];
        assert_eq!(project.run(FORCE).0, Status::Clean);
        project.generated.files[0].text = "open, closed\nopen -> closed\n".to_owned();
        let (_, report) = project.run(Mode::Check);
        assert!(report.contains(place), "{report}");
    }
}

#[test]
fn an_edit_is_never_lost_without_force() {
    let mut project = Project::written();
    project.edit("generated/src/order.rs", "Paid,", "Paid, // mine");
    project.edit("docs/guide.md", "refund | refunded", "refund | mine");
    project.change_spec();
    let before = project.get("docs/machines/order.md");
    let (status, report) = project.run(WRITE);
    assert_eq!(status, Status::Findings);
    insta::assert_snapshot!(report);
    assert_eq!(project.get("docs/machines/order.md"), before, "all or nothing");
    assert!(project.get("generated/src/order.rs").contains("mine"));
    assert_eq!(project.run(Mode::DryRun { force: false }).0, Status::Findings);
    assert_eq!(project.run(Mode::DryRun { force: true }).0, Status::Clean);
    assert_eq!(project.run(FORCE).0, Status::Clean);
    assert_eq!(project.findings(), []);
    assert!(!project.get("docs/guide.md").contains("mine"));
}

#[test]
fn hand_written_text_in_our_place_is_an_edit() {
    let project = Project::new();
    project.put("generated/src/order.rs", "fn mine() {}\n");
    project.put("docs/guide.md", GUIDE.replace("-->\n\n<!-- statespec:end", "-->\nmine\n<!-- statespec:end"));
    assert_eq!(project.run(WRITE).0, Status::Findings);
    let edited: Vec<_> = project.findings().into_iter().filter(|it| it.0 == Kind::Edited).map(|it| it.1).collect();
    assert_eq!(edited, ["order.transitions", "generated/src/order.rs"]);
}

#[test]
fn only_an_untouched_orphan_is_removed_without_force() {
    let mut project = Project::written();
    project.generated.files.remove(2);
    assert_eq!(project.findings(), [(Kind::Orphaned, "generated/src/order.rs".to_owned())]);
    let plan = plan(&project.config, &project.generated, &project.sources);
    let removed = vec!["generated/src/order.rs".to_owned()];
    assert_eq!(plan.apply(false), Ok(Applied { removed, ..Applied::default() }));

    let mut project = Project::written();
    project.generated.files.remove(2);
    project.edit("generated/src/order.rs", "Paid", "Mine");
    assert_eq!(project.run(WRITE).0, Status::Findings);
    assert!(project.get("generated/src/order.rs").contains("Mine"));
    assert_eq!(project.run(FORCE).0, Status::Clean);
    assert!(!project.dir.path().join("generated/src/order.rs").exists());

    // In a shared folder, only files with our header are ours.
    project.put("docs/other.md", "# Other\n\n<!-- @generated by statespec from x -->\n");
    project.put("docs/picture.png", [0x89, b'P', 0xff, 0]);
    project.put("generated/src/.hidden.swp", "x");
    project.put("elsewhere/order.rs", "// @generated by statespec from machines/order.yaml with `x`.\n");
    assert_eq!(project.findings(), []);
    project.put("docs/copy.txt", project.get("docs/machines/order.md"));
    assert_eq!(project.findings(), [(Kind::Orphaned, "docs/copy.txt".to_owned())]);
}

#[test]
fn every_single_byte_is_watched() {
    for idx in 0..3 {
        let mut project = Project::new();
        project.generated.files = vec![project.generated.files[idx].clone()];
        assert_eq!(project.run(WRITE).0, Status::Clean);
        let path = project.generated.files[0].path.clone();
        let length = project.get(&path).len();
        check_mutations(&project, &path, 0..length);
    }
    let mut project = Project::new();
    project.generated.files.clear();
    project.put("docs/guide.md", GUIDE);
    assert_eq!(project.run(WRITE).0, Status::Clean);
    let guide = project.get("docs/guide.md");
    let begins: Vec<usize> = guide.match_indices("<!-- statespec:begin").map(|it| it.0).collect();
    for start in begins {
        let end_marker = guide[start..].find("statespec:end").map(|it| it + start).unwrap();
        let end = guide[end_marker..].find('\n').map(|it| it + end_marker).unwrap();
        check_mutations(&project, "docs/guide.md", start..end);
    }
}

fn check_mutations(project: &Project, path: &str, range: std::ops::Range<usize>) {
    let text = project.get(path);
    let bytes = text.as_bytes();
    let full = project.dir.path().join(path);
    let check = |mutated: &[u8], what: &str, at: usize| {
        fs::write(&full, mutated).unwrap();
        let plan = plan(&project.config, &project.generated, &project.sources);
        assert_eq!(plan.failures, []);
        let text = String::from_utf8_lossy(mutated);
        assert!(!plan.findings.is_empty(), "{what} at byte {at} of {path} was missed:\n{text}");
        // A write must not overwrite it either: it may be intentional.
        let is_blocked = plan.findings.iter().any(|it| it.fix.blocks(false));
        assert!(is_blocked, "{what} at byte {at} of {path} would be overwritten:\n{text}");
    };
    // A sample has one byte in five, which is no divisor of the turns.
    for at in range.clone().step_by(if is_complete() { 1 } else { 5 }) {
        check(&[&bytes[..at], &[bytes[at] ^ 1], &bytes[at + 1..]].concat(), "replacing", at);
        // Every byte is replaced; the slower changes take turns.
        let what = at % 12;
        if what == 0 {
            check(&[&bytes[..at], &bytes[at + 1..]].concat(), "removing", at);
        } else if let Some(byte) = [0xff, b'\n', b'`', b' '].get(what).filter(|it| **it != bytes[at]) {
            check(&[&bytes[..at], &[*byte], &bytes[at + 1..]].concat(), "replacing", at);
        } else if let Some(byte) = [b'\r', b'`', b'\n', 0xff].get(what.wrapping_sub(4)).filter(|_| at > range.start) {
            // A text inserted before a region belongs to the page.
            check(&[&bytes[..at], &[*byte], &bytes[at..]].concat(), "inserting", at);
        }
    }
    fs::write(&full, bytes).unwrap();
    assert_eq!(project.findings(), []);
}

#[test]
fn a_crlf_checkout_is_no_drift() {
    let mut project = Project::written();
    let paths = ["docs/guide.md", "docs/machines/order.md", "generated/model.json", "generated/src/order.rs"];
    for path in paths {
        project.put(path, project.get(path).replace('\n', "\r\n"));
    }
    assert_eq!(project.findings(), []);
    project.change_spec();
    assert!(project.findings().iter().all(|it| it.0 == Kind::Stale));
    assert_eq!(project.run(WRITE).0, Status::Clean);
    assert_eq!(project.findings(), []);
    assert!(!project.get("generated/src/order.rs").contains('\r'), "whole files have LF");
    let guide = project.get("docs/guide.md");
    assert_eq!(guide.matches("\r\n").count(), guide.matches('\n').count(), "a page keeps its line ends");
}

#[test]
fn neither_place_nor_order_matters() {
    let project = Project::written();
    let mut other = Project::new();
    other.generated.files.reverse();
    other.config.shared.reverse();
    other.config.owned.reverse();
    for path in ["docs/guide.md", "docs/machines/order.md", "generated/model.json", "generated/src/order.rs"] {
        other.put(path, project.get(path));
    }
    assert_eq!(other.findings(), []);
    other.put("docs/guide.md", format!("\u{feff}{}", project.get("docs/guide.md")));
    assert_eq!(other.findings(), [], "a byte order mark is the user's");
}

#[test]
fn what_is_right_is_left_alone() {
    let project = Project::written();
    let long_ago = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000);
    let file = fs::File::options().write(true).open(project.dir.path().join("generated/src/order.rs")).unwrap();
    file.set_modified(long_ago).unwrap();
    project.edit("generated/model.json", "edges", "egdes");
    assert_eq!(project.run(FORCE).0, Status::Clean);
    assert_eq!(file.metadata().unwrap().modified().unwrap(), long_ago);
    let names = |folder: &str| {
        let mut names: Vec<_> = fs::read_dir(project.dir.path().join(folder)).unwrap().map(|it| it.unwrap().file_name()).collect();
        names.sort();
        names
    };
    assert_eq!(names("generated"), ["model.json", "src"], "no temporary file stays");
}

#[test]
fn bad_markers_are_shown_where_they_are() {
    let page = "# Page\n\n\
        <!-- statespec:begin order.diagram -->\n\n\
        <!-- statespec:begin order.transitions -->\n<!-- statespec:end order.transitions -->\n<!-- statespec:end order.diagram -->\n\n\
        <!-- statespec:end later -->\ntext\n<!-- statespec:begin later -->\n\n\
        <!-- statespec:begin order.diagrams -->\n<!-- statespec:end order.diagrams -->\n\n\
        <!-- statespec:begin nowhere -->\n<!-- statespec:end nowhere -->\n\n\
        Text <!-- statespec:begin inline --> text\n\n\
        - <!-- statespec:begin list -->\n  <!-- statespec:end list -->\n\n\
        <!--statespec:start order.diagram-->\n\n\
        <!-- statespec:begin twice -->\n<!-- statespec:end twice -->\n<!-- statespec:end twice -->\n\n\
        <!-- statespec:begin twice -->\n<!-- statespec:end twice -->\n\n\
        <!-- statespec:end never.began -->\n\n\
        ```\n<!-- statespec:begin in.code -->\n```\n\n\
        <!-- statespec:begin never.ends -->\n";
    let project = Project::written();
    project.put("docs/page.md", page);
    let (status, report) = project.run(WRITE);
    assert_eq!(status, Status::Findings);
    insta::assert_snapshot!(report);
    assert_eq!(project.run(FORCE).0, Status::Findings, "force mends no markers");
    assert_eq!(project.get("docs/page.md"), page);
}

#[test]
fn long_diffs_are_cut_unless_all_is_wanted() {
    let mut project = Project::written();
    project.generated.files[2].text = "// line\n".repeat(1000);
    let short = project.run(Mode::Check).1;
    assert!(short.lines().count() < 60 && short.contains("more lines (--full-diff shows them)"), "{short}");
    let options = RenderOptions { full_diff: true, style: Style::Plain };
    let full = Report::of_run(&run(&project.config, &project.generated, &project.sources, Mode::Check), &project.sources, options).text;
    assert!(full.lines().count() > 1000);
    let options = RenderOptions { full_diff: false, style: Style::Colour };
    assert!(
        Report::of_run(&run(&project.config, &project.generated, &project.sources, Mode::Check), &project.sources, options)
            .text
            .contains("\x1b[32m+// line\x1b[0m")
    );
}

#[test]
fn what_the_disk_refuses_is_named() {
    let project = Project::written();
    let root = project.dir.path();
    fs::remove_file(root.join("generated/src/order.rs")).unwrap();
    fs::create_dir(root.join("generated/src/order.rs")).unwrap();
    fs::remove_dir_all(root.join("docs/machines")).unwrap();
    project.put("docs/machines", "a file");
    let (status, report) = project.run(Mode::Check);
    assert_eq!((status, status.exit_code()), (Status::CouldNotRun, 1));
    insta::assert_snapshot!(report);
    assert_eq!(project.run(WRITE).0, Status::CouldNotRun);

    let mut project = Project::written();
    project.change_spec();
    let path = project.dir.path().join("generated/src/order.rs");
    let mut permissions = fs::metadata(&path).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions).unwrap();
    let before = project.get("docs/machines/order.md");
    let (status, report) = project.run(WRITE);
    assert_eq!(status, Status::CouldNotRun);
    assert_eq!(report, "error: cannot write `generated/src/order.rs`: it is read-only\nnothing was written\n");
    assert_eq!(project.get("docs/machines/order.md"), before, "all or nothing");

    let mut project = Project::new();
    project.config.root = project.dir.path().join("nowhere");
    assert_eq!(project.run(Mode::Check).1, "error: cannot look into `.`: the project's root is not a folder\n");
}

#[test]
fn a_file_that_changes_under_our_hands_is_left_alone() {
    let mut project = Project::written();
    project.change_spec();
    let plan = plan(&project.config, &project.generated, &project.sources);
    project.edit("generated/src/order.rs", "Paid", "Mine");
    let Err(Refusal::Failed(failures)) = plan.apply(true) else { panic!("it was overwritten") };
    assert_eq!(
        failures[0].to_string(),
        "cannot write `generated/src/order.rs`: it has changed while this ran; it is kept as it is: run the command again"
    );
    assert!(project.get("generated/src/order.rs").contains("Mine"));
}

#[test]
fn the_generator_cannot_lead_out_of_the_project() {
    let mut project = Project::new();
    let text = "x\n".to_owned();
    for path in [
        "../out.md",
        "/out.md",
        "docs//x.md",
        "docs/./x.md",
        "docs\\x.md",
        "",
        "docs",
        "unwatched.md",
        "docs/x.bin",
        "docs/x.md",
        "docs/x.md",
        "docs/x.md/y.md",
    ] {
        project.generated.files.push(Output { path: path.into(), text: text.clone(), origin: None, blame: Blame::default() });
    }
    for (name, text) in [("a", "<!-- statespec:end a -->\n"), ("b", "no newline")] {
        project.generated.regions.insert(name.into(), Region { text: text.into(), origin: None, blame: Blame::default() });
    }
    // A region is generated if a page contains its markers.
    let page = "<!-- statespec:begin a -->\n<!-- statespec:end a -->\n\n<!-- statespec:begin b -->\n<!-- statespec:end b -->\n";
    project.put("README.md", page);
    let (status, report) = project.run(WRITE);
    assert_eq!(status, Status::CouldNotRun);
    insta::assert_snapshot!(report);
    assert_eq!(fs::read_dir(project.dir.path()).unwrap().count(), 1, "nothing was written beside the page");
    assert_eq!(project.get("README.md"), page);
}

#[test]
fn only_what_is_wanted_is_made_and_blamed() {
    let project = Project::new();
    let counters = [const { AtomicUsize::new(0) }; 3];
    let [texts, blames, regions] = &counters;
    let made = &|text: &'static str, n_made: &AtomicUsize| {
        n_made.fetch_add(1, Ordering::Relaxed);
        let blame = || {
            blames.fetch_add(1, Ordering::Relaxed);
            Blame::default()
        };
        Rendered::new(text, None, blame)
    };
    let attempt = |mode: Mode| {
        let file = |name: &str, text| (format!("docs/{name}.md"), Pending::new(None, move || Ok(made(text, texts))));
        let region = |text: Option<&'static str>| Pending::new(None, move || text.map(|it| made(it, regions)));
        let outputs = Outputs {
            files: vec![file("a", "# A\n"), file("b", "# B\n")],
            regions: [("here", Some("here\n")), ("elsewhere", Some("elsewhere\n")), ("hers", None)]
                .map(|(name, text)| (name.to_owned(), region(text)))
                .into(),
            ..Outputs::default()
        };
        let report = Report::of_run(&run(&project.config, outputs, &project.sources, mode), &project.sources, OPTIONS);
        let counted = [texts, blames, regions].map(|it| it.swap(0, Ordering::Relaxed));
        (report.status, report.text, counted)
    };
    project.put("README.md", "<!-- statespec:begin here -->\n<!-- statespec:end here -->\n");
    assert_eq!(attempt(WRITE).2, [2, 0, 1], "what is missing is nobody's fault");
    assert_eq!(attempt(Mode::Check), (Status::Clean, "checked 3 outputs: all up to date\n".to_owned(), [2, 0, 1]));
    project.edit("docs/b.md", "# B", "# C");
    let (status, _, counted) = attempt(Mode::Check);
    assert_eq!((status, counted), (Status::Findings, [2, 1, 1]));

    // A region without a text is missing, and is not suggested as a similar name.
    project.put("README.md", "<!-- statespec:begin hers -->\n<!-- statespec:end hers -->\n");
    let (_, report, _) = attempt(Mode::Check);
    assert!(report.contains("no spec provides region `hers`") && report.contains("did you mean `here`?"), "{report}");
}

#[test]
fn all_that_cannot_be_made_is_named_and_nothing_written() {
    let project = Project::new();
    let not_rust = |path: &str| (path.to_owned(), Pending::new(None, || Err(RenderError::new("the emitted code is not Rust"))));
    let fine = ("docs/fine.md".to_owned(), Pending::new(None, || Ok(Rendered::new("# Fine\n", None, Blame::default))));
    let files = vec![fine, not_rust("generated/a.rs"), not_rust("generated/b.rs")];
    let outputs = Outputs { files, ..Outputs::default() };
    let report = Report::of_run(&run(&project.config, outputs, &project.sources, WRITE), &project.sources, OPTIONS);
    assert_eq!(report.status, Status::CouldNotRun);
    insta::assert_snapshot!(report.text);
    assert_eq!(fs::read_dir(project.dir.path()).unwrap().count(), 0);
}

#[cfg(unix)]
#[test]
fn symbolic_links_are_not_followed() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    let outside = tempfile::tempdir().unwrap();
    let project = Project::written();
    let root = project.dir.path();
    fs::rename(root.join("generated/src"), outside.path().join("src")).unwrap();
    symlink(outside.path().join("src"), root.join("generated/src")).unwrap();
    fs::rename(root.join("docs/machines/order.md"), outside.path().join("order.md")).unwrap();
    symlink(outside.path().join("order.md"), root.join("docs/machines/order.md")).unwrap();
    let (status, report) = project.run(FORCE);
    assert_eq!(status, Status::CouldNotRun);
    insta::assert_snapshot!(report);

    // A stray link in an owned folder is an orphan; the link itself is removed, not its target.
    let mut project = Project::written();
    symlink(outside.path().join("order.md"), project.dir.path().join("docs/machines/link.md")).unwrap();
    assert_eq!(project.findings(), [(Kind::Orphaned, "docs/machines/link.md".to_owned())]);
    assert_eq!(project.run(FORCE).0, Status::Findings);
    project.config.remove.push("docs/machines/link.md".into());
    assert_eq!(project.run(WRITE).0, Status::Clean);
    assert!(outside.path().join("order.md").exists());
    let mode = fs::metadata(project.dir.path().join("generated/src/order.rs")).unwrap().permissions().mode();
    assert_eq!(mode & 0o444, 0o444, "others may read what we write");
}

#[test]
fn specs_are_read_sorted_and_bad_ones_named() {
    let project = Project::new();
    assert!(named(&project, "machines").starts_with("error: cannot find a spec in `machines`: it does not exist; `statespec new NAME`"));
    project.put("machines/notes.txt", [0xff]);
    assert!(named(&project, "machines").starts_with("error: cannot find a spec in `machines`: there is no `.yaml` file; "));
    project.put("machines/z.yaml", "machine: z\n");
    project.put("machines/a/b.yml", "machine: b\n");
    project.put("machines/notes.txt", [0xff]);
    let paths: Vec<_> = read_specs(project.dir.path(), "machines").unwrap().into_iter().map(|it| it.path).collect();
    assert_eq!(paths, ["machines/a/b.yml", "machines/z.yaml"]);
    project.put("machines/bad.yaml", b"machine: a\nlabel: \xe9\n");
    assert_eq!(named(&project, "machines"), "error[yaml::not-utf8]: cannot read `machines/bad.yaml`: line 2 is not UTF-8\n");
    assert!(named(&project, "../machines").starts_with("error: cannot look into `../machines`"));
}

fn named(project: &Project, folder: &str) -> String {
    describe(&read_specs(&project.config.root, folder).unwrap_err(), Style::Plain)
}

/// A project with these outputs in a folder that is not generated as a whole, each from no spec.
fn with_outputs(outputs: &[(&str, &str)]) -> Project {
    let mut project = Project::new();
    let output =
        |(path, text): &(&str, &str)| Output { path: format!("docs/{path}"), text: (*text).into(), origin: None, blame: Blame::default() };
    project.generated.files = outputs.iter().map(output).collect();
    project.generated.regions.clear();
    project
}

#[test]
fn every_kind_of_file_gets_its_comment() {
    let outputs = [
        ("a.rs", "fn f() {}\n"),
        ("a.md", "# A\n"),
        ("a.mmd", "x\n"),
        ("a.toml", "a = 1\n"),
        ("a.sql", ""),
        ("a.json", "{\n  \"a\": 1\n}\n"),
    ];
    let mut project = with_outputs(&outputs);
    assert_eq!(project.run(WRITE).0, Status::Clean);
    let all = outputs.map(|(path, _)| project.get(&format!("docs/{path}"))).join("----\n");
    insta::assert_snapshot!(all);
    // Each is read back as ours and unedited.
    assert_eq!(project.run(Mode::Check).0, Status::Clean);
    project.generated.files.clear();
    let orphans: Vec<_> = project.findings();
    assert_eq!(orphans.len(), outputs.len(), "{orphans:?}");
    assert!(orphans.iter().all(|it| it.0 == Kind::Orphaned));
    assert_eq!(project.run(WRITE).0, Status::Clean, "no edit stops their removal");
}

#[test]
fn some_files_have_no_place_for_a_header() {
    for output in [("Makefile", ""), ("a.bin", ""), ("a.json", "[]\n"), ("b.json", "{\n}\n")] {
        let project = with_outputs(&[output]);
        let failures = plan(&project.config, &project.generated, &project.sources).failures;
        let messages: Vec<String> = failures.iter().map(ToString::to_string).collect();
        assert!(matches!(messages.as_slice(), [it] if it.contains("there is no place for a header in this kind of file")), "{messages:?}");
    }
}

#[test]
fn a_text_about_headers_has_none() {
    let project = with_outputs(&[]);
    project.put("docs/about.md", "# Headers\n\n// @generated by statespec from x\n");
    project.put("docs/theirs.rs", "// @generated by prost-build.\n");
    project.put("docs/empty.rs", "");
    assert_eq!(project.findings(), []);
}

#[test]
fn a_header_counts_many_specs_and_odd_names_are_made_harmless() {
    let header = |paths: &[&str]| {
        let mut project = with_outputs(&[("a.rs", "fn f() {}\n")]);
        let edges: Vec<Span> = paths.iter().map(|it| Span::new(project.sources.add(*it, "a"), 0..1)).collect();
        project.generated.files[0].blame = edges.into_iter().map(|it| ("fn f() {}", it)).collect();
        assert_eq!(project.run(WRITE).0, Status::Clean);
        let text = project.get("docs/a.rs");
        text.lines()
            .next()
            .unwrap()
            .strip_prefix("// @generated by statespec from ")
            .unwrap()
            .strip_suffix(" with `cargo xtask gen`.")
            .unwrap()
            .to_owned()
    };
    assert_eq!(header(&[]), "the spec language");
    assert_eq!(header(&["m/b.yaml", "m/a.yaml"]), "m/a.yaml, m/b.yaml");
    assert_eq!(header(&["m/a/1.yaml", "m/a/2.yaml", "m/b/3.yaml", "m/a/4.yaml", "m/5.yaml"]), "5 specs in m");
    assert_eq!(header(&["a", "b", "c", "d", "e"]), "5 specs");
    assert_eq!(header(&["m/ä-->\"\n`.yaml"]), "m/ä--%3E%22%0A%60.yaml");
}

#[test]
fn a_digest_is_fnv_1a() {
    assert_eq!(digest_of([]), "cbf29ce484222325");
    assert_eq!(digest_of([b"foo".as_slice(), b"bar"]), "85944171f73967e8");
}

#[test]
fn a_digest_fits_its_own_bytes_only() {
    let text = "The quick brown fox";
    for length in 0..text.len() {
        let text = &text[..length];
        let project = with_outputs(&[("a.rs", text)]);
        assert_eq!(project.run(WRITE).0, Status::Clean);
        assert_eq!(project.findings(), [], "{length}");
        let right = project.get("docs/a.rs");
        let is_edited = |wrong: &[u8]| {
            project.put("docs/a.rs", wrong);
            project.findings().iter().any(|it| it.0 == Kind::Edited)
        };
        for idx in 0..length {
            let mut wrong = right.clone().into_bytes();
            wrong[right.len() - length + idx] ^= 1 << (idx % 8);
            assert!(is_edited(&wrong), "{length} {idx}");
        }
        let digest = right.split("Digest: ").nth(1).unwrap().split('\n').next().unwrap();
        for wrong in [digest_of([text.as_bytes()]), digest.to_uppercase() + "A", digest[1..].to_owned(), format!("+{}", &digest[1..])] {
            assert!(is_edited(right.replace(digest, &wrong).as_bytes()), "{length} {wrong}");
        }
    }
}

/// The regions of a page, each with the lines of its markers; and the messages about markers that do not fit.
fn markers_of(page: &str) -> (Vec<(String, usize, usize)>, Vec<String>) {
    let plan = plan_page("page.md", page.into(), &Generated::default(), &Sources::default());
    let messages = plan.findings.into_iter().filter(|it| it.kind == Kind::Marker).map(|it| it.message);
    (regions(page).into_iter().map(|(name, lines)| (name, lines.start, lines.end)).collect(), messages.collect())
}

/// The regions of a page without a problem.
fn regions_of(page: &str) -> Vec<(String, usize, usize)> {
    let (regions, problems) = markers_of(page);
    assert_eq!(problems, Vec::<String>::new(), "{page}");
    regions
}

#[test]
fn regions_are_found_between_all_kinds_of_markdown() {
    let text = "# T\n<!-- statespec:begin a -->\n| x |\n|---|\n<!-- statespec:end a -->\ntext\n<!-- statespec:begin b.c -->\n<!-- statespec:end b.c 0123456789abcdef -->";
    assert_eq!(regions_of(text), [("a".to_owned(), 1, 4), ("b.c".to_owned(), 6, 7)]);
}

#[test]
fn markers_in_code_are_text() {
    let text = "```md\n<!-- statespec:begin a -->\n```\n\n    <!-- statespec:end a -->\n\n`<!-- statespec:begin a -->` and <!-- statespec is fine -->\n";
    assert_eq!(regions_of(text), []);
}

#[test]
fn an_end_hidden_by_an_edit_of_the_region_is_still_the_end() {
    let text = "<!-- statespec:begin a -->\n```\ncode\n``\n<!-- statespec:end a 0123456789abcdef -->\n\n<!-- statespec:begin b -->\n<!-- statespec:end b -->\n";
    assert_eq!(regions_of(text), [("a".to_owned(), 0, 4), ("b".to_owned(), 6, 7)]);
}

const IN_CODE: &str = "region `a` has become part of a code block or a comment";

#[test]
fn a_region_that_an_open_code_block_swallows_is_missed() {
    let region = "<!-- statespec:begin a -->\n| x |\n<!-- statespec:end a 0123456789abcdef -->\n";
    for (before, after) in [("```\n", ""), ("```\n", "```\n"), ("~~~ text\n", "~~~\n"), ("````\ncode\n```\n", "````\n")] {
        assert_eq!(markers_of(&format!("# T\n\n{before}{region}{after}")).1, [IN_CODE], "{before}");
    }
    assert_eq!(regions_of(&format!("<pre>\n{region}</pre>\n")).len(), 1, "HTML swallows no comments");
}

#[test]
fn a_region_that_was_indented_is_missed() {
    let lines = ["<!-- statespec:begin a -->", "| x |", "<!-- statespec:end a 0123456789abcdef -->"];
    for before in ["    ", "\t", ">     ", "-     ", "1.     ", "> ```\n> ", "- ```\n  "] {
        let rest = before.rsplit('\n').next().unwrap_or_default().replace(['-', '1', '.'], " ");
        let page = format!("# T\n\n{before}{}\n{rest}{}\n{rest}{}\n", lines[0], lines[1], lines[2]);
        assert_eq!(markers_of(&page).1, [IN_CODE], "{before:?}");
    }
    assert_eq!(regions_of("# T\n\n    <!-- statespec:begin a -->\n    <!-- statespec:end a -->\n"), [], "an example");
}

#[test]
fn an_example_is_not_taken_for_the_missing_end() {
    let (regions, problems) = markers_of("<!-- statespec:begin a -->\n\n```\n<!-- statespec:end a -->\n```\n");
    assert_eq!((regions, problems.len()), (Vec::new(), 1));
}

#[test]
fn hostile_pages_of_markers_end() {
    for piece in [
        "<!-- statespec:begin a -->\n```\n<!-- statespec:end a 0123456789abcdef -->\n",
        "<!-- statespec:begin a -->\n",
        "<!--statespec:end ",
        "<!-- statespec:",
        "\u{feff}<!--\n",
    ] {
        let _ = regions(&piece.repeat(500));
    }
}

/// The words by which a line of an output is found in a spec.
fn compare_words(text: &str, expected: &str) {
    assert_eq!(words(text).join(" "), expected, "{text}");
}

#[test]
fn a_name_has_the_same_words_in_every_output() {
    for name in ["shut_down_2", "ShutDown2", "SHUT_DOWN_2", "`shut\\_down_2`", "\"shut_down_2\",", "State::ShutDown2"] {
        compare_words(name.strip_prefix("State::").unwrap_or(name), "shut down 2");
    }
    compare_words("HTTPServer", "http server");
    compare_words("Größe ÄÖ", "größe äö");
}

#[test]
fn escapes_are_no_words() {
    compare_words("\"one\\ntwo\" &amp;three #35;four &five", "one two three four five");
}

#[test]
fn comparisons_are_words_however_they_are_written() {
    for text in ["a >= 1 and b < 2 or c != 3", "`a \u{2265} 1 and b < 2 or c \u{2260} 3`", "a >= 1 and b &lt; 2 or c != 3!"] {
        compare_words(text, "a >= 1 and b < 2 or c != 3");
    }
}

#[test]
fn words_are_counted() {
    assert_eq!(without(&words("a b a c"), &words("a c")), ["b", "a"]);
}

#[test]
fn long_diffs_and_hostile_lines_are_tamed() {
    let project = with_outputs(&[("a.rs", &"y\n".repeat(50))]);
    let long = "x".repeat(401);
    project.put("docs/a.rs", format!("\u{1b}[2J\u{202e}\r\n{long}\n"));
    insta::assert_snapshot!(project.run(Mode::Check).1);
    let options = RenderOptions { full_diff: true, ..OPTIONS };
    let whole = Report::of_run(&run(&project.config, &project.generated, &project.sources, Mode::Check), &project.sources, options).text;
    assert!(whole.contains(&long) && whole.matches("+y\n").count() == 50, "{whole}");
}
