//! Runs that are killed at any moment.

use std::collections::BTreeMap;
use std::io;
use std::process::Stdio;
use std::time::Duration;

use super::Outcome;
use super::ground::{Contents, Ground, Lab};
use crate::rng::Rng;

/// The runs that are killed in one project.
const N_KILLS: usize = 12;

/// The longest time until the kill. A run takes a few milliseconds, on a busy machine some tens.
const MAX_DELAY: usize = 30_000;

/// After each kill every file has either its old or its new contents, and the next complete run removes what the others left.
pub(super) fn killed(lab: &Lab<'_>, seed: u64) -> io::Result<Outcome> {
    let mut rng = Rng::new(seed);
    let ground = Ground::new(lab, &mut rng)?;
    let mut outcome = Outcome::default();
    // The contents of both versions of the specs.
    let mut complete: BTreeMap<&str, Contents> = BTreeMap::new();
    for word in ["rests", "waits"] {
        ground.change_specs(word)?;
        let run = lab.statespec(&ground.root(), &["gen"])?;
        if !run.status.success() {
            return Err(io::Error::other(String::from_utf8_lossy(&run.stderr).into_owned()));
        }
        complete.insert(word, ground.contents()?);
    }
    let is_temporary = |path: &str| path.rsplit('/').next().unwrap_or(path).starts_with(".statespec-");
    for idx in 0..N_KILLS {
        let word = ["rests", "waits"][idx % 2];
        ground.change_specs(word)?;
        let mut command = lab.command(&ground.root(), &["gen"]);
        let mut run = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
        std::thread::sleep(Duration::from_micros(rng.below(MAX_DELAY) as u64));
        run.kill()?;
        run.wait()?;
        outcome.tried += 1;
        let now = ground.contents()?;
        for path in complete[word].keys().filter(|it| !it.starts_with("machines/")) {
            match now.get(path) {
                Some(it) if complete.values().any(|all| all.get(path) == Some(it)) => {}
                Some(_) => outcome.lost.push(format!("{path} is neither the old nor the new file")),
                None => outcome.lost.push(format!("{path} is gone")),
            }
        }
        let odd = now.keys().filter(|it| !complete[word].contains_key(*it) && !is_temporary(it));
        outcome.lost.extend(odd.map(|it| format!("{it} stayed")));
        outcome.changed += complete[word].iter().filter(|(path, it)| now.get(*path) != Some(it)).count();
    }
    ground.change_specs("waits")?;
    let run = lab.statespec(&ground.root(), &["gen"])?;
    if ground.contents()? != complete["waits"] {
        let left: Vec<String> = ground.contents()?.into_keys().filter(|it| !complete["waits"].contains_key(it)).collect();
        let said = String::from_utf8_lossy(&run.stderr);
        outcome.lost.push(format!("the next run leaves {left:?} or another text: {said}"));
    }
    Ok(outcome)
}
