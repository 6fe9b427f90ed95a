//! The files of `docs/guide/ci.md`, extracted from the page and run in an up-to-date project and in a project with drift.
#![cfg(unix)]

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Output};

use crate::support::Project;
use serde_yaml::Value;

/// The fenced blocks of the page with this info string, in the order of the page.
fn blocks(info: &str) -> Vec<String> {
    let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/guide/ci.md")).unwrap();
    let mut parts = page.split("\n```");
    let mut blocks = Vec::new();
    parts.next();
    // Opening and closing fences alternate.
    while let Some(block) = parts.next() {
        let (found, text) = block.split_once('\n').unwrap();
        if found == info {
            blocks.push(format!("{text}\n"));
        }
        parts.next();
    }
    blocks
}

fn yaml(idx: usize) -> Value {
    serde_yaml::from_str(&blocks("yaml")[idx]).unwrap()
}

/// The script that a step of a workflow runs.
fn run_of(workflow: &Value, step: &str) -> String {
    let steps = workflow["jobs"]["check"]["steps"].as_sequence().unwrap();
    let step = steps.iter().find(|it| it["name"].as_str() == Some(step)).unwrap();
    step["run"].as_str().unwrap().to_owned()
}

/// A command with the built `statespec` first in its path.
fn command(project: &Project, program: &str, args: &[&str]) -> Output {
    let folder = Path::new(env!("CARGO_BIN_EXE_statespec")).parent().unwrap().to_owned();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(std::iter::once(folder).chain(std::env::split_paths(&path))).unwrap();
    let identity = ["GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"];
    let mut command = Command::new(program);
    command.args(args).current_dir(project.path()).env("PATH", path).env_remove("CLICOLOR_FORCE");
    // A test that a hook starts must not work on the repository of that hook.
    command.env_remove("GIT_DIR").env_remove("GIT_INDEX_FILE").env_remove("GIT_WORK_TREE");
    command.envs(identity.map(|it| (it, "nobody"))).env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    command.output().unwrap()
}

/// Runs the text of a step as GitHub does: in bash, which stops at the first command that fails.
fn step(project: &Project, script: &str) -> (Option<i32>, String) {
    let output = command(project, "bash", &["-e", "-c", script]);
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

fn green() -> Project {
    let project = Project::cargo();
    project.new_ticket();
    project
}

/// Changes only the spec, and returns the changed line.
fn drift(project: &Project) -> usize {
    project.edit("machines/ticket.yaml", "what `running` means.", "Someone is at it.");
    project.get("machines/ticket.yaml").lines().position(|it| it.contains("Someone is at it.")).unwrap() + 1
}

#[test]
fn the_workflow_passes_and_fails_at_the_line_of_the_spec() {
    let project = green();
    let script = run_of(&yaml(0), "Check");
    assert_eq!(step(&project, &script), (Some(0), String::new()));
    let line = drift(&project);
    let (code, stdout) = step(&project, &script);
    assert_eq!(code, Some(100));
    let at = format!("::error file=machines/ticket.yaml,line={line},");
    assert!(stdout.lines().any(|it| it.starts_with(&at)), "no `{at}` in:\n{stdout}");
}

#[test]
fn the_scanning_workflow_leaves_the_file_that_it_uploads() {
    let workflow = yaml(1);
    let steps = workflow["jobs"]["check"]["steps"].as_sequence().unwrap();
    let upload = steps.iter().find(|it| it["name"].as_str() == Some("Upload")).unwrap();
    let file = upload["with"]["sarif_file"].as_str().unwrap();
    let project = green();
    let script = run_of(&workflow, "Check");
    let results = |project: &Project| {
        let log: serde_json::Value = serde_json::from_str(&project.get(file)).unwrap();
        assert_eq!(log["version"], "2.1.0");
        log["runs"][0]["results"].as_array().unwrap().len()
    };
    assert_eq!(step(&project, &script).0, Some(0));
    assert_eq!(results(&project), 0);
    drift(&project);
    assert_eq!(step(&project, &script).0, Some(100));
    assert!(results(&project) > 0);
}

#[test]
fn what_the_workflows_install_is_this_package() {
    for idx in [0, 1] {
        let script = run_of(&yaml(idx), "Install");
        assert_eq!(script.split(' ').next_back(), Some(env!("CARGO_PKG_NAME")));
    }
}

#[test]
fn the_git_hook_lets_a_commit_pass_or_refuses_it() {
    let project = green();
    let git = |args: &[&str]| command(&project, "git", args);
    assert!(git(&["init", "--quiet"]).status.success());
    let hook = ".git/hooks/pre-commit";
    project.put(hook, &blocks("sh")[0]);
    let path = project.path().join(hook);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    assert!(git(&["add", "."]).status.success());
    let clean = git(&["commit", "--quiet", "-m", "A ticket"]);
    assert!(clean.status.success(), "{}", String::from_utf8_lossy(&clean.stderr));
    drift(&project);
    let refused = git(&["commit", "--quiet", "-am", "A job"]);
    let stderr = String::from_utf8_lossy(&refused.stderr);
    assert!(!refused.status.success(), "{stderr}");
    assert!(stderr.contains("error[drift::stale]: docs/machines/ticket.md"), "{stderr}");
    // With the new outputs, the commit passes.
    assert_eq!(project.statespec(&["gen"]).code, Some(0));
    assert!(git(&["commit", "--quiet", "-am", "A job"]).status.success());
}

#[test]
fn the_entry_for_the_framework_passes_and_fails() {
    let config = yaml(2);
    let hook = &config["repos"][0]["hooks"][0];
    assert_eq!(hook["pass_filenames"].as_bool(), Some(false));
    let entry = hook["entry"].as_str().unwrap();
    let project = green();
    assert_eq!(step(&project, entry).0, Some(0));
    drift(&project);
    assert_eq!(step(&project, entry).0, Some(100));
}
