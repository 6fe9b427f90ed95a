//! Concurrent edits during a run: no edit is lost, and an interrupted run reports which files it has written.

#![cfg(feature = "sync")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use statespec_codegen::diagnostic::Style;
use statespec_codegen::output::{Blame, Generated, Output, Region};
use statespec_codegen::report::Report;
use statespec_codegen::source::Sources;
use statespec_codegen::sync::{Config, Refusal, plan};

/// The minimum time for each way to save.
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

/// Pseudo-random numbers, the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

/// Runs the generator repeatedly while `edit` is called with a number and returns the text that it put into the file.
///
/// `outputs` returns the outputs of the n-th run; the result is the number of runs with changes and the number of edits.
fn race(path: &str, outputs: impl Fn(usize) -> Generated, edit: impl Fn(&Path, u64) -> Option<String> + Sync) -> (usize, usize) {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("docs")).unwrap();
    let config = config(dir.path());
    let full = dir.path().join(path);
    let done = AtomicBool::new(false);
    let n_turns = AtomicUsize::new(0);
    let mut n_changed = 0;
    let n_edits = thread::scope(|scope| {
        let editor = scope.spawn(|| {
            let mut numbers = Numbers(7);
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
                            lost.push(words);
                            break;
                        }
                    }
                }
                // Usually a short pause, and sometimes a pause that is long enough for a whole run.
                let pause = if n % 4 == 0 { 40_000 } else { 2_000 };
                thread::sleep(Duration::from_micros(numbers.below(pause)));
                n_turns.store(n_edits, Ordering::Relaxed);
            }
            assert!(lost.is_empty(), "lost {} of {n_edits} edits of {path}: {lost:?}", lost.len());
            n_edits
        });
        let start = Instant::now();
        let mut n_runs = 0;
        let mut refused = Vec::new();
        let is_enough = |n_changed| n_changed >= MIN_TURNS && n_turns.load(Ordering::Relaxed) >= MIN_TURNS;
        while !editor.is_finished() && (start.elapsed() < TIME || !is_enough(n_changed) && start.elapsed() < MAX_TIME) {
            let plan = plan(&config, &outputs(n_runs), &Sources::default());
            n_runs += 1;
            // A file that disappears while it is read: nothing is written.
            if !plan.failures.is_empty() {
                continue;
            }
            match plan.apply(false) {
                Ok(applied) => n_changed += applied.written.len() + applied.removed.len(),
                Err(Refusal::Blocked) => {}
                Err(Refusal::Failed(failures) | Refusal::Stopped { failures, .. }) => {
                    refused.extend(failures.iter().map(ToString::to_string).filter(|it| !it.contains("has changed")));
                }
            }
        }
        done.store(true, Ordering::Relaxed);
        // This check comes after the other thread has a reason to end.
        assert!(refused.is_empty(), "{refused:?}");
        editor.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    });
    (n_changed, n_edits)
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

#[test]
fn no_edit_of_a_page_is_lost() {
    let in_place = |full: &Path, n: u64| {
        let (text, words) = page(n);
        fs::write(full, text).unwrap();
        Some(words)
    };
    let renamed = |full: &Path, n: u64| {
        let (text, words) = page(n);
        let temporary = full.with_extension("tmp");
        fs::write(&temporary, text).unwrap();
        fs::rename(&temporary, full).unwrap();
        Some(words)
    };
    for (n_changed, n_edits) in [race("docs/page.md", with_region, in_place), race("docs/page.md", with_region, renamed)] {
        assert!(n_changed >= MIN_TURNS && n_edits >= MIN_TURNS, "{n_changed} runs wrote, and {n_edits} edits were saved");
    }
}

#[test]
fn no_file_that_appears_in_a_place_is_lost() {
    let outputs = |n: usize| Generated { files: vec![file("docs/made.md", format!("# {n}\n"))], regions: BTreeMap::new() };
    let appear = |full: &Path, n: u64| {
        // Every other time, the path is left free for the output of the run.
        if n.is_multiple_of(2) {
            let _ = fs::remove_file(full);
            return None;
        }
        let words = format!("mine {n}.");
        let created = fs::File::create_new(full).and_then(|mut it| std::io::Write::write_all(&mut it, words.as_bytes()));
        created.is_ok().then_some(words)
    };
    let (n_changed, n_edits) = race("docs/made.md", outputs, appear);
    assert!(n_changed >= MIN_TURNS && n_edits >= MIN_TURNS, "{n_changed} runs wrote, and {n_edits} files appeared");
}

#[test]
fn no_edit_of_an_orphan_is_lost() {
    let dir = tempfile::tempdir().unwrap();
    let made = Generated { files: vec![file("docs/gone.md", "# Gone\n".into())], regions: BTreeMap::new() };
    plan(&config(dir.path()), &made, &Sources::default()).apply(false).unwrap();
    let orphan = fs::read_to_string(dir.path().join("docs/gone.md")).unwrap();
    let edit = |full: &Path, n: u64| {
        if n.is_multiple_of(2) {
            fs::write(full, &orphan).unwrap();
            return None;
        }
        let words = format!("edit {n}.");
        fs::write(full, format!("{orphan}{words}\n")).unwrap();
        Some(words)
    };
    let (n_changed, n_edits) = race("docs/gone.md", |_| Generated::default(), edit);
    assert!(n_changed >= MIN_TURNS && n_edits >= MIN_TURNS, "{n_changed} runs removed it, and {n_edits} edits were saved");
}

#[test]
fn a_run_that_stops_in_the_middle_says_how_far_it_came() {
    const N_FILES: usize = 400;
    for _ in 0..50 {
        let dir = tempfile::tempdir().unwrap();
        let config = config(dir.path());
        let outputs = |word: &str| Generated {
            files: (0..N_FILES).map(|idx| file(&format!("docs/{idx:03}.md"), format!("# {word}\n"))).collect(),
            regions: BTreeMap::new(),
        };
        plan(&config, &outputs("old"), &Sources::default()).apply(false).unwrap();
        let full = |idx: usize| -> PathBuf { dir.path().join(format!("docs/{idx:03}.md")) };
        let plan = plan(&config, &outputs("new"), &Sources::default());
        let applied = thread::scope(|scope| {
            scope.spawn(|| {
                let patience = Instant::now() + Duration::from_secs(10);
                while Instant::now() < patience && !fs::read_to_string(full(0)).is_ok_and(|it| it.contains("# new")) {}
                fs::write(full(N_FILES - 1), "mine\n").unwrap();
            });
            plan.apply(false)
        });
        assert_eq!(fs::read_to_string(full(N_FILES - 1)).unwrap(), "mine\n", "the edit stays, whenever it came");
        let hidden =
            fs::read_dir(dir.path().join("docs")).unwrap().filter(|it| it.as_ref().unwrap().file_name().to_string_lossy().starts_with('.'));
        assert_eq!(hidden.count(), 0, "no temporary file stays");
        let Err(refusal) = applied else { continue };
        let Refusal::Stopped { failures, done, left } = &refusal else { panic!("{refusal:?}") };
        assert_eq!(failures.len(), 1);
        assert_eq!((done.written.len() + left.len(), left.last().map(String::as_str)), (N_FILES, Some("docs/399.md")));
        for idx in 0..N_FILES - 1 {
            let is_written = done.written.contains(&format!("docs/{idx:03}.md"));
            assert_eq!(fs::read_to_string(full(idx)).unwrap().contains("# new"), is_written, "{idx}");
        }
        let text = Report::of_refusal(&refusal, Style::Plain).text;
        assert!(!text.contains("nothing was written"), "{text}");
        assert!(text.starts_with("wrote docs/000.md\n") && text.contains("\nleft as it was: docs/399.md\n"), "{text}");
        assert!(text.contains(&format!("{} of {N_FILES} files were changed before that", done.written.len())), "{text}");
        return;
    }
    panic!("no attempt was stopped in the middle");
}
