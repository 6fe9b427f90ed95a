//! `diff`: two versions of specs, as files, folders and revisions, as the guide shows it.

use std::process::Command;

use crate::support::Project;

/// The fenced blocks of the guide, in order.
fn blocks() -> Vec<String> {
    let page = include_str!("../../docs/guide/diff.md").replace("\r\n", "\n");
    let parts: Vec<&str> = page.split("```").collect();
    parts.iter().skip(1).step_by(2).filter_map(|it| Some(it.split_once('\n')?.1.to_owned())).collect()
}

fn git(project: &Project, args: &[&str]) {
    let identity = ["-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"];
    let output = Command::new("git").arg("-C").arg(project.path()).args(identity).args(args).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// A repository whose branch `main` has the old version of the guide, and whose `HEAD` has the new one.
fn repository() -> Project {
    let project = Project::empty();
    let blocks = blocks();
    project.put("machines/ticket.yaml", &blocks[0]);
    git(&project, &["init", "--quiet", "--initial-branch", "main"]);
    git(&project, &["add", "."]);
    git(&project, &["commit", "--quiet", "--message", "Old"]);
    git(&project, &["checkout", "--quiet", "-b", "next"]);
    project.put("machines/ticket.yaml", &blocks[1]);
    git(&project, &["commit", "--quiet", "--all", "--message", "New"]);
    project
}

#[test]
fn the_guide_shows_what_the_command_prints() {
    let project = Project::empty();
    let blocks = blocks();
    project.put("old.yaml", &blocks[0]);
    project.put("new.yaml", &blocks[1]);
    let run = project.statespec(&["diff", "old.yaml", "new.yaml"]);
    assert_eq!((run.stdout.as_str(), run.code), (blocks[2].as_str(), Some(0)), "{}", run.stderr);
}

#[test]
fn revisions_folders_and_the_files_as_they_are() {
    let project = repository();
    let diff = |args: &[&str]| {
        let all: Vec<&str> = ["diff"].iter().chain(args).copied().collect();
        let run = project.statespec(&all);
        assert_eq!(run.code, Some(0), "{args:?}: {}", run.stderr);
        run.stdout
    };
    let expected = diff(&["main..HEAD"]);
    assert!(expected.contains("the state `working` is now called `active`"), "{expected}");
    for args in [&["main...HEAD"][..], &["main.."], &["main"], &["main", "HEAD"], &["main", "next"]] {
        assert_eq!(diff(args), expected, "{args:?}");
    }
    assert_eq!(diff(&["HEAD"]), "no changes\n");
    // Below the top of the repository, and with folders of specs in other places.
    project.put("old/ticket.yaml", &blocks()[0]);
    let of_folders = diff(&["old", "machines"]);
    assert_eq!(of_folders, expected, "{of_folders}");
    assert_eq!(diff(&["old", "machines/ticket.yaml"]), expected);
}

#[test]
fn a_revision_is_read_with_its_own_configuration() {
    let project = repository();
    project.put("statespec.toml", "specs = [\"graphs\", \"more/one.yaml\"]\n");
    project.put("graphs/deep/ticket.yaml", &blocks()[1]);
    project.put("graphs/.hidden.yaml", "machine: [");
    project.put("more/one.yaml", "machine: one\nstates: [a]\ntransitions: []\n");
    project.put("more/two.yaml", "machine: [");
    git(&project, &["rm", "--quiet", "-r", "machines"]);
    git(&project, &["add", "."]);
    git(&project, &["commit", "--quiet", "--message", "Moved"]);
    let run = project.statespec(&["diff", "HEAD~1..HEAD"]);
    assert_eq!(
        run.stdout, "one\n  informational  the machine is new\n                 more/one.yaml:1: machine-added\n1 informational\n",
        "{}",
        run.stderr
    );
}

#[test]
fn the_exit_code_follows_the_class_and_the_audience() {
    let project = repository();
    let code = |args: &[&str]| project.statespec(&[&["diff", "main..HEAD"], args].concat()).code;
    assert_eq!(code(&[]), Some(0));
    assert_eq!(code(&["--fail-on", "breaking"]), Some(100));
    assert_eq!(code(&["--fail-on", "breaking", "--audience", "stored"]), Some(100));
    assert_eq!(code(&["--fail-on", "breaking", "--audience", "readers"]), Some(0));
    assert_eq!(code(&["--fail-on", "review", "--audience", "readers"]), Some(100));
    assert_eq!(project.statespec(&["diff", "HEAD..HEAD", "--fail-on", "informational"]).code, Some(0));
}

#[test]
fn the_file_has_the_format_and_the_log_the_text() {
    let project = repository();
    let run = project.statespec(&["diff", "main..HEAD", "--format", "markdown", "--output", "changes.md"]);
    assert!(run.stdout.starts_with("ticket\n"), "{}", run.stdout);
    let comment = project.get("changes.md");
    assert!(comment.starts_with("<!-- statespec diff -->\n"), "{comment}");
    let json = project.statespec(&["diff", "main..HEAD", "--format", "json"]).stdout;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["version"], &json["old"], &json["class"]), (&1.into(), &"main".into(), &"breaking".into()), "{json:#}");
}

#[test]
fn the_workflow_of_the_guide_runs() {
    let project = repository();
    let workflow = blocks().into_iter().find(|it| it.starts_with("on: pull_request")).unwrap();
    let commands: Vec<String> = workflow
        .lines()
        .filter_map(|it| it.trim().strip_prefix("- run: cargo statespec "))
        .map(|it| it.replace("\"origin/$GITHUB_BASE_REF...HEAD\"", "main...HEAD"))
        .collect();
    let codes = commands.iter().map(|it| project.cargo_statespec(&it.split(' ').collect::<Vec<_>>()).code);
    assert_eq!(codes.collect::<Vec<_>>(), [Some(0), Some(100)], "{commands:?}");
    assert!(project.get("changes.md").starts_with("<!-- statespec diff -->\n"));
}

#[test]
fn versions_that_cannot_be_read_say_why() {
    let project = repository();
    project.put("bad.yaml", "machine: bad\nstates: [a]\ntransitions:\n  - { from: a, to: b }\n");
    let told = |args: &[&str], code: i32, text: &str| {
        let run = project.statespec(&[&["diff"], args].concat());
        assert!(run.code == Some(code) && run.stderr.contains(text), "{args:?}: {:?} {}", run.code, run.stderr);
    };
    told(&["nowhere..HEAD"], 2, "`nowhere` is no file, no folder and no revision in git");
    told(&["--output=x", "--", "-x"], 2, "`-x` is no revision");
    told(&["bad.yaml"], 2, "`bad.yaml` is one version; name the other one, too");
    told(&["machines/../bad.yaml"], 2, "is one version; name the other one, too");
    told(&["main", "bad.yaml"], 1, "these errors are in the specs of `bad.yaml`");
    told(&["main", "bad.yaml"], 1, "there is no state `b`");
    let empty = Project::empty();
    let run = empty.statespec(&["diff", "main"]);
    assert_eq!(run.code, Some(2), "{}", run.stderr);
}
