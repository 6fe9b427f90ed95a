//! The packages as the registry gets them: their contents, and what they say about themselves.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use xtask::root;

/// In the order of their dependencies, which is that of publishing; each with its folder.
const PACKAGES: [(&str, &str); 14] = [
    ("statespec-lang", "crates/lang"),
    ("statespec-rust", "crates/rust"),
    ("statespec-explore", "crates/explore"),
    ("statespec-sql", "crates/sql"),
    ("statespec-record", "crates/record"),
    ("statespec-audit", "crates/audit"),
    ("statespec-code", "crates/code"),
    ("statespec-codegen", "codegen"),
    ("statespec-import", "crates/import"),
    ("statespec-scan", "crates/scan"),
    ("statespec-macros", "macros"),
    ("statespec", "."),
    ("statespec-store", "crates/store"),
    ("cargo-statespec", "cli"),
];

fn cargo(args: &[&str]) -> String {
    let output = Command::new(env!("CARGO")).current_dir(root()).args(args).output().expect("cargo runs");
    assert!(output.status.success(), "cargo {args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("cargo writes UTF-8").replace('\\', "/")
}

fn metadata() -> Vec<Value> {
    let all: Value = serde_json::from_str(&cargo(&["metadata", "--offline", "--no-deps", "--format-version", "1"])).unwrap();
    all["packages"].as_array().unwrap().clone()
}

#[test]
fn contain_what_a_user_compiles_and_nothing_else() {
    for (name, _) in PACKAGES {
        let list = cargo(&["package", "--offline", "--allow-dirty", "--list", "--package", name]);
        // A checkout without git has no revision. Modules and examples of lints come and go: one line stands for all of them.
        let mut kinds: Vec<_> = list.lines().filter(|it| *it != ".cargo_vcs_info.json").map(kind).collect();
        kinds.dedup();
        insta::assert_snapshot!(name, kinds.join("\n"));
    }
}

fn kind(path: &str) -> &str {
    match path {
        it if it.starts_with("src/") && it.ends_with(".rs") => "src/**/*.rs",
        it if it.starts_with("tests/fixtures/lints/") && it.ends_with("/hit.yaml") => "tests/fixtures/lints/*",
        it if it.starts_with("tests/fixtures/lints/") && it.ends_with("/miss.yaml") => "tests/fixtures/lints/*",
        it => it,
    }
}

#[test]
fn are_all_that_is_published_and_say_where_they_come_from() {
    let found = metadata();
    let mut published: Vec<_> =
        found.iter().filter(|it| it["publish"].is_null()).map(|it| it["name"].as_str().unwrap().to_owned()).collect();
    let mut expected = PACKAGES.map(|(name, _)| name).to_vec();
    expected.sort_unstable();
    published.sort_unstable();
    assert_eq!(published, expected);

    for (name, folder) in PACKAGES {
        let package = found.iter().find(|it| it["name"] == name).unwrap();
        for key in ["description", "homepage", "repository", "license", "rust_version"] {
            assert!(package[key].is_string(), "{name} has no {key}");
        }
        assert_eq!(package["documentation"], format!("https://docs.rs/{name}"));
        assert_eq!(package["readme"], "README.md", "{name}");
        // The registry takes five of each.
        for key in ["keywords", "categories"] {
            assert!((1..=5).contains(&package[key].as_array().unwrap().len()), "{name}: {key}");
        }
        let version = package["version"].as_str().unwrap();
        for dependency in package["dependencies"].as_array().unwrap() {
            let on = dependency["name"].as_str().unwrap();
            let of_ours = dependency["path"].is_string();
            if of_ours && dependency["kind"].is_null() {
                assert_eq!(dependency["req"], format!("={version}"), "{name} on {on}: published together");
                assert!(position(on) < position(name), "{name} on {on}: published before");
            } else if of_ours {
                // Cargo leaves such a dependency out of the package; with a version, it would have to be published before.
                assert_eq!(dependency["req"], "*", "the tests of {name} on {on}: by path alone");
            }
        }
        for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
            let text = |path: &Path| fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let (here, there) = (root().join(licence), root().join(folder).join(licence));
            assert_eq!(text(&here), text(&there), "{name}: a copy of {licence}");
        }
    }
}

fn position(name: &str) -> Option<usize> {
    PACKAGES.iter().position(|(it, _)| *it == name)
}

/// The guide says how long the examples are: lines of code before the tests, imports aside.
#[test]
fn examples_have_about_eighty_lines() {
    for name in ["service", "worker"] {
        let text = fs::read_to_string(root().join("examples").join(name).join("src/main.rs")).unwrap();
        let (program, _) = text.split_once("#[cfg(test)]").unwrap();
        let is_code = |line: &&str| !line.is_empty() && !line.starts_with("//") && !line.starts_with("use ");
        let n_lines = program.lines().map(str::trim).filter(is_code).count();
        assert!(n_lines <= 80, "{name} has {n_lines} lines");
    }
}
