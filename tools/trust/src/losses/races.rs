//! Edits that are saved while the library writes.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use std::{fs, io, thread};

use statespec_codegen::source::Sources;
use statespec_codegen::sync::{Config, Refusal, plan};
use statespec_lang::output::{Blame, Generated, Output, Region};

use super::Outcome;
use super::ground::Lab;
use crate::rng::Rng;

/// The minimum time of one race.
const TIME: Duration = Duration::from_millis(500);

/// The maximum time: on a busy machine, it takes longer until both sides had enough turns.
const MAX_TIME: Duration = Duration::from_secs(20);
const MIN_TURNS: usize = 5;

fn config(root: &Path) -> Config {
    Config { root: root.to_owned(), owned: Vec::new(), shared: vec!["docs".into()], command: "gen".into(), remove: Vec::new() }
}

fn file(path: &str, text: String) -> Output {
    Output { path: path.into(), text, origin: None, blame: Blame::default() }
}

fn with_file(path: &str, text: String) -> Generated {
    Generated { files: vec![file(path, text)], regions: BTreeMap::new() }
}

/// Runs the generator repeatedly while `edit` is called with a number and returns the words that it saved in the file.
///
/// `outputs` returns the outputs of the n-th run. Both sides must have had enough turns, otherwise the race proves nothing.
fn race(
    root: &Path,
    path: &str,
    seed: u64,
    outputs: impl Fn(usize) -> Generated,
    edit: impl Fn(&Path, u64) -> Option<String> + Sync,
) -> io::Result<Outcome> {
    fs::create_dir_all(root.join("docs"))?;
    let config = config(root);
    let full = root.join(path);
    let done = AtomicBool::new(false);
    let n_turns = AtomicUsize::new(0);
    let mut outcome = Outcome::default();
    let (n_edits, lost) = thread::scope(|scope| {
        let editor = scope.spawn(|| {
            let mut rng = Rng::new(seed);
            let (mut n_edits, mut lost) = (0, Vec::new());
            for n in 0.. {
                if done.load(Ordering::Relaxed) {
                    break;
                }
                if let Some(words) = edit(&full, n) {
                    n_edits += 1;
                    // Another text may be there for a moment, until the run has seen the edit.
                    let patience = Instant::now() + Duration::from_secs(1);
                    while !fs::read_to_string(&full).is_ok_and(|it| it.contains(&words)) {
                        if Instant::now() > patience {
                            lost.push(format!("`{words}` was lost"));
                            break;
                        }
                    }
                }
                // Usually a short pause, and sometimes a pause that is long enough for a whole run.
                let pause = if n % 4 == 0 { 40_000 } else { 2_000 };
                thread::sleep(Duration::from_micros(rng.below(pause) as u64));
                n_turns.store(n_edits, Ordering::Relaxed);
            }
            (n_edits, lost)
        });
        let start = Instant::now();
        let mut n_runs = 0;
        let is_enough = |changed| changed >= MIN_TURNS && n_turns.load(Ordering::Relaxed) >= MIN_TURNS;
        while !editor.is_finished() && (start.elapsed() < TIME || !is_enough(outcome.changed) && start.elapsed() < MAX_TIME) {
            let plan = plan(&config, &outputs(n_runs), &Sources::default());
            n_runs += 1;
            // A file that disappears while it is read: nothing is written.
            if !plan.failures.is_empty() {
                continue;
            }
            match plan.apply(false) {
                Ok(applied) => outcome.changed += applied.written.len() + applied.removed.len(),
                Err(Refusal::Blocked) => {}
                Err(Refusal::Failed(failures) | Refusal::Stopped { failures, .. }) => {
                    let other = failures.iter().map(ToString::to_string).filter(|it| !it.contains("has changed"));
                    outcome.lost.extend(other.map(|it| format!("a run fails: {it}")));
                }
            }
        }
        done.store(true, Ordering::Relaxed);
        editor.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    });
    outcome.tried = n_edits;
    outcome.lost.extend(lost);
    if outcome.changed < MIN_TURNS || n_edits < MIN_TURNS {
        outcome.lost.push(format!("there were only {} changes by runs, and {n_edits} edits", outcome.changed));
    }
    Ok(outcome)
}

fn page(n: u64) -> (String, String) {
    let words = format!("edit {n}.");
    let long = "Words of a person.\n".repeat(200);
    (format!("# Page\n\n<!-- statespec:begin a -->\n<!-- statespec:end a -->\n\n{long}\n{words}\n"), words)
}

fn with_region(_: usize) -> Generated {
    let region = Region { text: "generated\n".repeat(50), origin: None, blame: Blame::default() };
    Generated { files: Vec::new(), regions: BTreeMap::from([("a".to_owned(), region)]) }
}

pub(super) fn in_place(_: &Lab<'_>, seed: u64) -> io::Result<Outcome> {
    let dir = tempfile::tempdir()?;
    race(dir.path(), "docs/page.md", seed, with_region, |full, n| {
        let (text, words) = page(n);
        fs::write(full, text).ok().map(|()| words)
    })
}

pub(super) fn renamed(_: &Lab<'_>, seed: u64) -> io::Result<Outcome> {
    let dir = tempfile::tempdir()?;
    race(dir.path(), "docs/page.md", seed, with_region, |full, n| {
        let (text, words) = page(n);
        let temporary = full.with_extension("tmp");
        fs::write(&temporary, text).and_then(|()| fs::rename(&temporary, full)).ok().map(|()| words)
    })
}

pub(super) fn created(_: &Lab<'_>, seed: u64) -> io::Result<Outcome> {
    let dir = tempfile::tempdir()?;
    race(
        dir.path(),
        "docs/made.md",
        seed,
        |n| with_file("docs/made.md", format!("# {n}\n")),
        |full, n| {
            // Every other time, the path is left free for the output of the run.
            if n.is_multiple_of(2) {
                let _ = fs::remove_file(full);
                return None;
            }
            let words = format!("mine {n}.");
            let created = fs::File::create_new(full).and_then(|mut it| io::Write::write_all(&mut it, words.as_bytes()));
            created.is_ok().then_some(words)
        },
    )
}

pub(super) fn orphan(_: &Lab<'_>, seed: u64) -> io::Result<Outcome> {
    let dir = tempfile::tempdir()?;
    let made = with_file("docs/gone.md", "# Gone\n".into());
    plan(&config(dir.path()), &made, &Sources::default()).apply(false).map_err(|it| io::Error::other(format!("{it:?}")))?;
    let orphan = fs::read_to_string(dir.path().join("docs/gone.md"))?;
    race(
        dir.path(),
        "docs/gone.md",
        seed,
        |_| Generated::default(),
        |full, n| {
            if n.is_multiple_of(2) {
                let _ = fs::write(full, &orphan);
                return None;
            }
            let words = format!("edit {n}.");
            fs::write(full, format!("{orphan}{words}\n")).ok().map(|()| words)
        },
    )
}

/// The outputs of a run that is stopped by an edit of one of them.
const N_FILES: usize = 300;

/// An edit of an output stops a run: the edit stays, and the run lists what it has written and what it has left.
pub(super) fn stopped(_: &Lab<'_>, seed: u64) -> io::Result<Outcome> {
    let dir = tempfile::tempdir()?;
    let config = config(dir.path());
    let place = |idx: usize| format!("docs/{idx:03}.md");
    let outputs = |word: &str| Generated {
        files: (0..N_FILES).map(|idx| file(&place(idx), format!("# {word}\n"))).collect(),
        regions: BTreeMap::new(),
    };
    let refused = |it: Refusal| io::Error::other(format!("{it:?}"));
    plan(&config, &outputs("old"), &Sources::default()).apply(false).map_err(refused)?;
    let text = |idx: usize| fs::read_to_string(dir.path().join(place(idx)));
    let mut rng = Rng::new(seed);
    let (watched, edited) = (rng.below(N_FILES / 2), N_FILES - 1 - rng.below(N_FILES / 4));
    let plan = plan(&config, &outputs("new"), &Sources::default());
    let applied = thread::scope(|scope| {
        scope.spawn(|| {
            let patience = Instant::now() + Duration::from_secs(10);
            while Instant::now() < patience && !text(watched).is_ok_and(|it| it.contains("# new")) {}
            fs::write(dir.path().join(place(edited)), "mine\n")
        });
        plan.apply(false)
    });
    let mut outcome = Outcome { tried: 1, ..Outcome::default() };
    if text(edited)? != "mine\n" {
        outcome.lost.push(format!("the edit of {} was lost", place(edited)));
    }
    let names = fs::read_dir(dir.path().join("docs"))?.map(|it| it.map(|it| it.file_name().to_string_lossy().into_owned()));
    outcome
        .lost
        .extend(names.collect::<io::Result<Vec<_>>>()?.into_iter().filter(|it| it.starts_with('.')).map(|it| format!("{it} stayed")));
    match applied {
        // The edit came after the run.
        Ok(applied) => outcome.changed = applied.written.len(),
        Err(Refusal::Stopped { done, left, .. }) => {
            outcome.changed = done.written.len();
            for idx in (0..N_FILES).filter(|it| *it != edited) {
                let (is_new, path) = (text(idx)?.contains("# new"), place(idx));
                if is_new != done.written.contains(&path) || is_new == left.contains(&path) {
                    outcome.lost.push(format!("{path} is not reported as it is"));
                }
            }
            if !left.contains(&place(edited)) {
                outcome.lost.push(format!("{} is reported as written", place(edited)));
            }
        }
        Err(other) => outcome.lost.push(format!("the run ended with {other:?}")),
    }
    Ok(outcome)
}
