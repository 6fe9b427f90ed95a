//! Single runs of the command line, in projects with files, links and projects that are none of its business.

use std::fs;
use std::io;

use super::Outcome;
use super::ground::{Ground, Lab, contents, mode, page, spec};
use crate::rng::Rng;

/// Runs a command and compares everything that it must leave alone.
fn attempt(lab: &Lab<'_>, ground: &Ground, args: &[&str], force: bool, named: &[&str]) -> io::Result<Outcome> {
    let before = ground.contents()?;
    let run = lab.statespec(&ground.root(), args)?;
    let (changed, mut lost) = ground.losses(&before, force, named)?;
    let said = String::from_utf8_lossy(&run.stderr);
    // Wrong usage is to be expected only where a file is named for removal.
    let is_expected = |code: i32| matches!(code, 0 | 1 | 100) || code == 2 && args.contains(&"--remove");
    if run.status.code().is_none_or(|it| !is_expected(it)) {
        lost.push(format!("{args:?} ended with {}: {said}", run.status));
    }
    // A refusal names its reason and leaves everything as it is.
    if said.contains("nothing was written") && changed > 0 {
        lost.push(format!("{args:?} says that nothing was written, and changed {changed} files"));
    }
    lost.iter_mut().for_each(|it| *it = format!("{args:?}: {it}"));
    Ok(Outcome { tried: 1, changed, lost })
}

/// A stale project among foreign files; every second one has some that make a run without `--force` stop.
fn crowded(lab: &Lab<'_>, seed: u64) -> io::Result<(Ground, Rng)> {
    let mut rng = Rng::new(seed);
    let mut ground = Ground::new(lab, &mut rng)?;
    ground.sprinkle(&mut rng, seed % 2 == 1)?;
    ground.change_specs("changes")?;
    Ok((ground, rng))
}

pub(super) fn plain(lab: &Lab<'_>, seed: u64) -> io::Result<Outcome> {
    let (ground, _) = crowded(lab, seed)?;
    attempt(lab, &ground, &["gen"], false, &[])
}

pub(super) fn force(lab: &Lab<'_>, seed: u64) -> io::Result<Outcome> {
    let (ground, _) = crowded(lab, seed)?;
    attempt(lab, &ground, &["gen", "--force"], true, &[])
}

pub(super) fn only(lab: &Lab<'_>, seed: u64) -> io::Result<Outcome> {
    const KINDS: [&str; 6] = ["docs", "json", "rust", "conformance", "schemas", "templates"];
    let (ground, mut rng) = crowded(lab, seed)?;
    let mut args = vec!["gen", "--only", KINDS[rng.below(KINDS.len())]];
    let force = rng.below(2) == 0;
    args.extend(force.then_some("--force"));
    let before = ground.contents()?;
    let mut outcome = attempt(lab, &ground, &args, force, &[])?;
    // No output of another kind is removed, although this run does not compare it.
    let after = ground.contents()?;
    let gone = ground.outputs.iter().filter(|it| before.contains_key(*it) && !after.contains_key(*it));
    outcome.lost.extend(gone.map(|it| format!("{args:?}: {it} was removed")));
    Ok(outcome)
}

pub(super) fn remove(lab: &Lab<'_>, seed: u64) -> io::Result<Outcome> {
    let (ground, mut rng) = crowded(lab, seed)?;
    // Everything that is in the way, or any files at all: only those that are in the way may be removed.
    let all: Vec<String> = ground.contents()?.into_keys().filter(|it| !it.starts_with("outside/")).collect();
    let mut named: Vec<&str> = ground.blocking().collect();
    if named.is_empty() || rng.below(2) == 0 {
        named = (0..1 + rng.below(3)).map(|_| all[rng.below(all.len())].as_str()).collect();
    }
    let args: Vec<&str> = ["gen"].into_iter().chain(named.iter().flat_map(|it| ["--remove", it])).collect();
    let removable: Vec<&str> = ground.blocking().filter(|it| named.contains(it)).collect();
    attempt(lab, &ground, &args, false, &removable)
}

/// A file or folder becomes a link to the same contents, inside or outside of the project.
pub(super) fn linked(lab: &Lab<'_>, seed: u64) -> io::Result<Outcome> {
    #[cfg(not(unix))]
    return Ok(Outcome::default());
    #[cfg(unix)]
    {
        let mut rng = Rng::new(seed);
        let mut ground = Ground::new(lab, &mut rng)?;
        let outputs: Vec<&String> = ground.outputs.iter().collect();
        let folders = outputs.iter().filter_map(|it| Some(it.rsplit_once('/')?.0.to_owned()));
        let mut targets: Vec<String> = folders.chain(ground.pages.iter().cloned()).collect();
        targets.extend(["machines", "machines/lamp.yaml", "docs", "notes", "notes/deep", "statespec.toml", "own"].map(str::to_owned));
        targets.push(outputs[rng.below(outputs.len())].clone());
        targets.retain(|it| ground.root().join(it).exists());
        let path = targets[rng.below(targets.len())].clone();
        let to = match rng.below(2) {
            0 => ground.outside().join("moved"),
            _ => ground.root().join("elsewhere"),
        };
        ground.change_specs("changes")?;
        fs::rename(ground.root().join(&path), &to)?;
        std::os::unix::fs::symlink(&to, ground.root().join(&path))?;
        // Behind the link nothing is an output or a page of the project.
        let behind = |it: &String| *it == path || it.starts_with(&format!("{path}/"));
        ground.outputs.retain(|it| !behind(it));
        ground.pages.retain(|it| !behind(it));
        let args: &[&str] =
            [&["gen"][..], &["gen", "--force"], &["gen", "--only", "docs"], &["gen", "--force", "--only", "json"]][rng.below(4)];
        let mut outcome = attempt(lab, &ground, args, true, &[])?;
        outcome.lost.iter_mut().for_each(|it| *it = format!("`{path}` as a link to {}: {it}", to.display()));
        Ok(outcome)
    }
}

/// Other projects below the root have outputs, orphans and pages.
pub(super) fn nested(lab: &Lab<'_>, seed: u64) -> io::Result<Outcome> {
    const MARKS: &[&str] = &["statespec.toml", ".git", ".git/HEAD"];
    let mut rng = Rng::new(seed);
    let ground = Ground::new(lab, &mut rng)?;
    let above: Vec<String> = ground.places.iter().filter(|it| !it.ends_with(".md")).cloned().chain(["packages".to_owned()]).collect();
    let folder = format!("{}/theirs", above[rng.below(above.len())]);
    let outputs: Vec<&String> = ground.outputs.iter().collect();
    ground.put(&format!("{folder}/{}", MARKS[rng.below(MARKS.len())]), "")?;
    for idx in 0..3 {
        let output = outputs[rng.below(outputs.len())];
        let name = output.rsplit('/').next().unwrap_or(output);
        let bytes = ground.get(output)?;
        ground.put(&format!("{folder}/{name}"), if idx == 2 { [bytes, b"\nEdited.\n".to_vec()].concat() } else { bytes })?;
    }
    ground.put(&format!("{folder}/docs/page.md"), page("lamp"))?;
    ground.put(&format!("{folder}/docs/.statespec-new-{}-aaaaaa", i32::MAX), "half a te")?;
    ground.change_specs("changes")?;
    let force = rng.below(2) == 0;
    let args: &[&str] = if force { &["gen", "--force"] } else { &["gen"] };
    attempt(lab, &ground, args, force, &[])
}

/// Paths on the command line that lead out of the project.
pub(super) fn outside(lab: &Lab<'_>, seed: u64) -> io::Result<Outcome> {
    let mut rng = Rng::new(seed);
    let mut ground = Ground::new(lab, &mut rng)?;
    ground.put("door.mmd", "stateDiagram-v2\n  [*] --> shut\n  shut --> open\n  open --> shut\n")?;
    ground.put("theirs/statespec.toml", "")?;
    #[cfg(unix)]
    std::os::unix::fs::symlink(ground.outside(), ground.root().join("up"))?;
    let absolute = ground.outside().join("new.md").display().to_string();
    let new = ["../outside/new.md", "docs/../../outside/new.md", "up/new.md", "theirs/new.md", "./../new.md", &absolute];
    let to = ["../outside", "docs/../../outside", "up", "theirs/machines", "../outside/deep", "up/deep"];
    let idx = rng.below(new.len());
    ground.outputs.clear();
    ground.pages.clear();
    let args = match rng.below(2) {
        0 => ["new", "extra", "--page", new[idx]],
        _ => ["import", "door.mmd", "--to", to[idx]],
    };
    attempt(lab, &ground, &args, false, &[])
}

/// Configurations that would make people's files into orphans are refused.
pub(super) fn owned(lab: &Lab<'_>, seed: u64) -> io::Result<Outcome> {
    let mut rng = Rng::new(seed);
    let mut ground = Ground::new(lab, &mut rng)?;
    ground.put("graphs/deep/extra.yaml", spec("extra", "waits"))?;
    let config = String::from_utf8_lossy(&ground.get("statespec.toml")?).into_owned();
    let rest = config.split_once('\n').map_or("", |(_, rest)| rest).to_owned();
    let lines = [
        "owned = [\"machines\"]",
        "owned = \"machines/\"",
        "owned = [\"docs/machines\", \"machines\"]",
        "owned = \"statespec.toml\"",
        "specs = [\"machines\", \"graphs/deep/extra.yaml\"]\nowned = \"graphs\"",
        "specs = [\"machines\", \"graphs\"]\nowned = \"graphs/deep\"",
        "owned = \"own\"",
    ];
    let template = "\n[[template]]\nfile = \"own/list.txt\"\nout = \"lists/{{ name }}.txt\"\n";
    let line = lines[rng.below(lines.len())];
    ground.put("statespec.toml", format!("{line}\n{rest}{template}"))?;
    ground.change_specs("changes")?;
    // New outputs may appear beside the old ones; nothing that a person wrote may change.
    let place = |it: &String| it.starts_with("lists/") || it.contains("extra");
    ground.outputs.extend(ground.contents()?.into_keys().filter(place).filter(|it| !it.starts_with("graphs")));
    attempt(lab, &ground, &["gen", "--force"], true, &[])
}

/// An imported spec has the permissions of any new file.
pub(super) fn imported(lab: &Lab<'_>, seed: u64) -> io::Result<Outcome> {
    let ground = Ground::new(lab, &mut Rng::new(seed))?;
    ground.put("gate.mmd", "stateDiagram-v2\n  [*] --> shut\n  shut --> open\n  open --> shut\n")?;
    lab.statespec(&ground.root(), &["import", "gate.mmd"])?;
    let modes = (mode(&ground.root().join("gate.mmd"))?, mode(&ground.root().join("machines/gate.yaml"))?);
    let lost = (modes.0 != modes.1).then(|| format!("the spec has mode {:o}, and a new file {:o}", modes.1, modes.0));
    Ok(Outcome {
        tried: 1,
        changed: usize::from(contents(&ground.root())?.contains_key("machines/gate.yaml")),
        lost: lost.into_iter().collect(),
    })
}
