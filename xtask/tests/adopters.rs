//! The files for other projects: the workflow of a release, the action, the hooks. What needs GitHub or Docker cannot
//! run here; the scripts in between do, and the rest is linted.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_yaml::Value;
use xtask::root;

fn yaml(path: &str) -> Value {
    let text = fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    serde_yaml::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The YAML blocks of the page about CI.
fn page() -> Vec<String> {
    let text = fs::read_to_string(root().join("docs/guide/ci.md")).unwrap();
    let blocks = text.split("\n```yaml\n").skip(1);
    blocks.map(|it| it.split_once("\n```").unwrap().0.to_owned()).collect()
}

#[test]
fn workflows_are_free_of_lint() {
    let Some(home) = crate::checks::needed("lint of the workflows", crate::checks::packages("tests/workflows")) else { return };
    let folder = tempfile::tempdir().unwrap();
    let workflows: Vec<_> = page().into_iter().filter(|it| it.contains("\njobs:\n")).collect();
    assert_eq!(workflows.len(), 3);
    let mut paths = vec![root().join(".github/workflows/release.yml")];
    for (idx, text) in workflows.iter().enumerate() {
        let path = folder.path().join(format!("{idx}.yml"));
        fs::write(&path, text).unwrap();
        paths.push(path);
    }
    // The linter finds something where there is something.
    let broken = folder.path().join("broken.yml");
    fs::write(&broken, workflows[0].replace("runs-on:", "runs_on:")).unwrap();
    let lint = |paths: &[PathBuf]| Command::new("node").arg("check.mjs").args(paths).current_dir(&home).output().unwrap();
    assert!(!lint(&[broken]).status.success());
    let output = lint(&paths);
    assert!(output.status.success(), "{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
}

#[test]
fn hooks_are_what_the_page_names() {
    let hooks = yaml(".pre-commit-hooks.yaml");
    let hooks = hooks.as_sequence().unwrap();
    let page = page();
    let example = page.iter().find(|it| it.contains("rev:")).unwrap();
    for hook in hooks {
        for key in ["id", "name", "entry", "language"] {
            assert!(hook[key].is_string(), "{hook:?} has no {key}");
        }
        assert!(example.contains(&format!("- id: {}", hook["id"].as_str().unwrap())), "{example}");
        assert!(hook["entry"].as_str().unwrap().trim_start_matches('/').starts_with("statespec check"));
        assert_eq!((&hook["pass_filenames"], &hook["always_run"]), (&Value::Bool(false), &Value::Bool(true)));
    }
    // The image has its program where the hook expects it.
    let image = fs::read_to_string(root().join("Dockerfile")).unwrap();
    assert!(hooks.iter().any(|it| it["entry"] == "/statespec check") && image.contains("ENTRYPOINT [\"/statespec\"]"));
}

#[test]
fn binaries_have_one_name_everywhere() {
    let manifest = fs::read_to_string(root().join("cli/Cargo.toml")).unwrap();
    assert!(manifest.contains("pkg-url = \"{ repo }/releases/download/v{ version }/{ name }-{ target }-v{ version }.tgz\""));
    let release = yaml(".github/workflows/release.yml");
    let install = fs::read_to_string(root().join("tools/install.sh")).unwrap();
    for it in release["jobs"]["build"]["strategy"]["matrix"]["include"].as_sequence().unwrap() {
        let target = it["target"].as_str().unwrap();
        assert!(install.contains(&format!(" target={target} ;;")), "tools/install.sh knows no {target}");
    }
}

/// A step of a workflow or of the action, by its name.
#[cfg(unix)]
fn step(steps: &Value, name: &str) -> String {
    let steps = steps.as_sequence().unwrap();
    let step = steps.iter().find(|it| it["name"].as_str() == Some(name)).unwrap_or_else(|| panic!("there is no step `{name}`"));
    step["run"].as_str().unwrap().to_owned()
}

/// Runs a step as GitHub does: in bash, which stops at the first command that fails.
#[cfg(unix)]
fn bash(folder: &Path, script: &str, env: &[(&str, &str)]) -> (bool, String) {
    let mut command = Command::new("bash");
    command.args(["--noprofile", "--norc", "-eo", "pipefail", "-c", script]).current_dir(folder).envs(env.iter().copied());
    let output = command.output().unwrap();
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    (output.status.success(), said)
}

/// The platform whose binaries `tools/install.sh` takes here; `None` if it takes none.
#[cfg(unix)]
fn target() -> Option<&'static str> {
    match (std::env::consts::OS, std::env::consts::ARCH) {
        ("linux", "x86_64") => Some("x86_64-unknown-linux-musl"),
        ("linux", "aarch64") => Some("aarch64-unknown-linux-musl"),
        ("macos", "x86_64") => Some("x86_64-apple-darwin"),
        ("macos", "aarch64") => Some("aarch64-apple-darwin"),
        _ => None,
    }
}

/// The way of a binary: the workflow packs it, the action installs it and runs it.
#[cfg(unix)]
#[test]
fn the_action_runs_what_the_release_packs() {
    use std::os::unix::fs::PermissionsExt as _;

    let target = target().ok_or_else(|| crate::checks::Missing::new("there are no binaries for this platform", "run it on Linux or macOS"));
    let Some(target) = crate::checks::needed("the action with the binary of a release", target) else { return };
    let folder = tempfile::tempdir().unwrap();
    let at = |path: &str| folder.path().join(path);
    let text = |path: PathBuf| path.to_str().unwrap().to_owned();

    // A checkout whose build has just ended, with programs that tell their arguments.
    fs::create_dir_all(at(&format!("target/{target}/release"))).unwrap();
    for file in ["CHANGELOG.md", "Cargo.toml", "LICENSE-APACHE", "LICENSE-MIT", "README.md"] {
        fs::copy(root().join(file), at(file)).unwrap();
    }
    for program in ["cargo-statespec", "statespec"] {
        let path = at(&format!("target/{target}/release/{program}"));
        fs::write(&path, "#!/bin/sh\nprintf '<%s>' \"$@\"\n[ \"$1\" = check ]\n").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let release = yaml(".github/workflows/release.yml");
    let pack = step(&release["jobs"]["build"]["steps"], "Package");
    let (ok, said) = bash(folder.path(), &pack, &[("TARGET", target)]);
    assert!(ok, "{said}");
    let version = env!("CARGO_PKG_VERSION");
    fs::create_dir(at("releases")).unwrap();
    fs::rename(at("dist"), at(&format!("releases/v{version}"))).unwrap();

    // The action, at the tag of that release.
    let action = yaml("action.yml");
    let (here, releases) = (text(root()), format!("file://{}", text(at("releases"))));
    let (temp, path, tag) = (text(at("runner")), text(at("path")), format!("v{version}"));
    let runner = [("HERE", &*here), ("RELEASES", &releases), ("RUNNER_TEMP", &temp), ("GITHUB_PATH", &path), ("VERSION", "")];
    let install = step(&action["runs"]["steps"], "Install");
    let (ok, said) = bash(folder.path(), &install, &[&runner[..], &[("REF", &tag)]].concat());
    assert!(ok, "{said}");
    let bin = fs::read_to_string(at("path")).unwrap().trim().to_owned();
    assert!(Path::new(&bin).join("cargo-statespec").is_file());

    let search = format!("{bin}:{}", std::env::var("PATH").unwrap());
    let run = step(&action["runs"]["steps"], "Run");
    let run = |args: &str| bash(folder.path(), &run, &[("PATH", &search), ("ARGS", args)]);
    let default = action["inputs"]["args"]["default"].as_str().unwrap();
    assert_eq!(run(default), (true, "<check><--format><github>".into()));
    assert_eq!(run("check * $(id)"), (true, "<check><*><$(id)>".into()), "nothing is expanded");
    assert!(!run("lint").0, "the exit code is that of the command");

    // A release that does not exist, and one that was changed.
    let (ok, said) = bash(folder.path(), &install, &[&runner[..], &[("REF", "v9.9.9")]].concat());
    assert!(!ok && said.contains("v9.9.9") && said.contains("cannot be downloaded"), "{said}");
    let archive = at(&format!("releases/v{version}/cargo-statespec-{target}-v{version}.tgz"));
    let mut bytes = fs::read(&archive).unwrap();
    bytes.push(0);
    fs::write(&archive, bytes).unwrap();
    fs::remove_dir_all(at("runner")).unwrap();
    let (ok, said) = bash(folder.path(), &install, &[&runner[..], &[("REF", &tag)]].concat());
    assert!(!ok && said.contains("nothing was installed"), "{said}");
    assert!(!Path::new(&bin).join("statespec").exists());
}

#[cfg(unix)]
#[test]
fn a_release_that_contradicts_itself_is_refused() {
    let release = yaml(".github/workflows/release.yml");
    let script = step(&release["jobs"]["verify"]["steps"], "Tag, version, changelog and home agree");
    let manifest =
        "[workspace.package]\nversion = \"1.2.3\"\nhomepage = \"https://statespec.org\"\nrepository = \"https://forge.org/o/statespec\"\n";
    let changelog = "# Changelog\n\n## 1.2.3\n\nThings.\n";
    let run = |manifest: &str, changelog: &str, tag: &str| {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("Cargo.toml"), manifest).unwrap();
        fs::write(folder.path().join("CHANGELOG.md"), changelog).unwrap();
        bash(folder.path(), &script, &[("TAG", tag), ("HOME_URL", "https://forge.org/o/statespec")])
    };
    assert_eq!(run(manifest, changelog, "v1.2.3"), (true, String::new()));
    for (manifest, changelog, tag, why) in [
        (manifest, changelog, "v1.2.4", "the tag is v1.2.4, and Cargo.toml has version 1.2.3"),
        (manifest, "# Changelog\n\n## Unreleased\n", "v1.2.3", "CHANGELOG.md has no section 1.2.3"),
        (&manifest.replace("/o/", "/p/"), changelog, "v1.2.3", "`repository` in Cargo.toml is not https://forge.org/o/statespec"),
        (&manifest.replace("statespec.org", "statespec.example/"), changelog, "v1.2.3", "`homepage` in Cargo.toml is a placeholder"),
    ] {
        assert_eq!(run(manifest, changelog, tag), (false, format!("::error::{why}\n")));
    }
}
