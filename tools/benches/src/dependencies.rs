//! The time for a clean release build of each contender's dependencies.

use std::fs;
use std::path::Path;

use crate::compile::Peers;
use crate::results::Dependency;
use crate::{benches, root, rustc, target};

/// The line that users write under `[dependencies]`, and the contender's name in the tables.
const WANTED: &[(&str, &str, &str)] = &[
    ("statespec, checked in", "statespec", CHECKED_IN),
    ("statespec, derive", "statespec", DERIVE),
    ("rust-fsm", "rust-fsm", ""),
    ("fsmentry", "fsmentry", ""),
    ("ironstate", "ironstate", ""),
    ("smlang", "smlang", ""),
    ("statum", "statum", ""),
    ("state-machines", "state-machines", ""),
    ("statig", "statig", ""),
    ("finny", "finny", ""),
];

/// The names of all contenders.
pub fn names() -> impl Iterator<Item = &'static str> {
    WANTED.iter().map(|it| it.0)
}

/// The features that checked-in emitted code needs.
pub const CHECKED_IN: &str = "default-features = false";

/// The features that a derive needs.
pub const DERIVE: &str = "default-features = false, features = [\"derive\"]";

/// The minimum of this number of clean builds of each contender, taken alternately.
pub fn measure(rounds: usize, peers: Peers<'_>) -> Result<Vec<Dependency>, String> {
    let folder = target().join("dependencies");
    let mut measured: Vec<Dependency> = Vec::new();
    let wanted = |package: &str| package == "statespec" || peers.include(package);
    for round in 0..rounds {
        for (idx, (name, package, options)) in WANTED.iter().filter(|it| wanted(it.1)).enumerate() {
            eprintln!("building the dependencies, {} of {rounds}: {name}", round + 1);
            let project = folder.join(package);
            write_project(&project, package, options)?;
            let built = project.join("target");
            let _ = fs::remove_dir_all(&built);
            let all = rustc::compile(&project, &built, &["build", "--release"])?;
            let own = all.iter().filter(|it| it.name != "user");
            let build = Dependency {
                name: (*name).to_owned(),
                n_crates: own.clone().filter(|it| it.name != "build_script_build").count(),
                cpu_seconds: own.map(|it| it.cpu_seconds).sum(),
            };
            match measured.get_mut(idx) {
                Some(before) if before.cpu_seconds <= build.cpu_seconds => {}
                Some(before) => *before = build,
                None => measured.push(build),
            }
            let _ = fs::remove_dir_all(&built);
        }
    }
    Ok(measured)
}

fn write_project(project: &Path, package: &str, options: &str) -> Result<(), String> {
    let dependency = dependency(package, options)?;
    let manifest = format!("[package]\nname = \"user\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n{dependency}");
    let write = |path: &str, text: &str| fs::write(project.join(path), text).map_err(|it| format!("{path}: {it}"));
    fs::create_dir_all(project.join("src")).map_err(|it| it.to_string())?;
    write("Cargo.toml", &manifest)?;
    write("src/lib.rs", "")?;
    let lock = benches().join("Cargo.lock");
    fs::copy(lock, project.join("Cargo.lock")).map_err(|it| it.to_string())?;
    Ok(())
}

/// The line under `[dependencies]`, with the version from this workspace's lock file.
pub fn dependency(package: &str, options: &str) -> Result<String, String> {
    let place = match package {
        "statespec" => format!("path = {:?}", root()),
        _ => "version = \"*\"".to_owned(),
    };
    let options = if options.is_empty() { String::new() } else { format!(", {options}") };
    Ok(format!("{package} = {{ {place}{options} }}\n"))
}
