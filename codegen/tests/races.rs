//! An edit during a run: an interrupted run reports which files it has written. `cargo trust losses` races edits with runs.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use statespec_codegen::diagnostic::Style;
use statespec_codegen::report::Report;
use statespec_codegen::source::Sources;
use statespec_codegen::sync::{Config, Refusal, plan};
use statespec_lang::output::{Blame, Generated, Output};

fn config(root: &Path) -> Config {
    Config { root: root.to_owned(), owned: Vec::new(), shared: vec!["docs".into()], command: "gen".into(), remove: Vec::new() }
}

fn file(path: &str, text: String) -> Output {
    Output { path: path.into(), text, origin: None, blame: Blame::default() }
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
