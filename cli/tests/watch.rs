//! `gen --watch` generates after an edit, whatever else is written below the root.
#![cfg(feature = "watch")]

mod support;

use std::io::Read as _;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use support::Project;

/// Much longer than the maximum delay: the machine may be busy.
const PATIENCE: Duration = Duration::from_secs(30);

/// A running `gen --watch` with its messages; it ends with this value.
struct Watch {
    child: Child,
    said: Arc<Mutex<String>>,
}

impl Watch {
    fn start(project: &Project) -> Watch {
        let mut command = Command::new(env!("CARGO_BIN_EXE_statespec"));
        command.args(["gen", "--watch"]).current_dir(project.path()).stderr(Stdio::piped()).stdout(Stdio::null());
        let mut child = command.spawn().unwrap();
        let (mut stderr, said) = (child.stderr.take().unwrap(), Arc::new(Mutex::new(String::new())));
        let watch = Watch { child, said: Arc::clone(&said) };
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(n_bytes @ 1..) = stderr.read(&mut bytes) {
                said.lock().unwrap().push_str(&String::from_utf8_lossy(&bytes[..n_bytes]));
            }
        });
        watch.until("the first run", || watch.n_runs() >= 1);
        watch
    }

    /// The number of completed runs.
    fn n_runs(&self) -> usize {
        self.said.lock().unwrap().matches("waiting for changes").count()
    }

    fn until(&self, what: &str, holds: impl Fn() -> bool) {
        let start = Instant::now();
        while !holds() {
            assert!(start.elapsed() < PATIENCE, "{what} does not come: {}", self.said.lock().unwrap());
            thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Writes to these files all the time while `body` runs.
fn amid_noise(project: &Project, paths: &[&str], body: impl FnOnce()) {
    let stop = AtomicBool::new(false);
    // A panic of `body` must end the noise as well, or the scope never ends.
    struct Stop<'a>(&'a AtomicBool);
    impl Drop for Stop<'_> {
        fn drop(&mut self) {
            self.0.store(true, Ordering::Relaxed);
        }
    }
    thread::scope(|scope| {
        scope.spawn(|| {
            for number in 0_u64.. {
                if stop.load(Ordering::Relaxed) {
                    break;
                }
                paths.iter().for_each(|path| project.put(path, &number.to_string()));
                thread::sleep(Duration::from_millis(5));
            }
        });
        let _stop = Stop(&stop);
        body();
    });
}

fn ticket() -> Project {
    let project = Project::cargo();
    assert_eq!(project.statespec(&["new", "ticket"]).code, Some(0));
    project
}

#[test]
fn an_edit_amid_a_build_is_seen_and_the_build_causes_no_run() {
    let project = ticket();
    let watch = Watch::start(&project);
    let page = "docs/machines/ticket.md";
    amid_noise(&project, &["target/debug/deps/a.o", ".git/index", "docs/target/b.o", "src/lib.rs"], || {
        thread::sleep(Duration::from_secs(2));
        assert_eq!(watch.n_runs(), 1, "{}", watch.said.lock().unwrap());
        project.edit("machines/ticket.yaml", "title: \"Ticket\"", "title: \"Errand\"");
        watch.until("the page", || project.get(page).contains("# Errand"));
    });
}

#[test]
fn an_edit_is_seen_while_a_place_of_outputs_changes_all_the_time() {
    let project = ticket();
    let watch = Watch::start(&project);
    amid_noise(&project, &["docs/draft.txt"], || {
        project.edit("machines/ticket.yaml", "title: \"Ticket\"", "title: \"Errand\"");
        watch.until("the page", || project.get("docs/machines/ticket.md").contains("# Errand"));
    });
}

#[test]
fn an_edit_of_a_region_is_seen() {
    let project = ticket();
    project.put("README.md", "# Shop\n");
    let watch = Watch::start(&project);
    // The run's own writes have passed.
    thread::sleep(Duration::from_millis(500));
    project.put("README.md", "# Shop\n\n<!-- statespec:begin ticket.states -->\n<!-- statespec:end ticket.states -->\n");
    watch.until("the table", || project.get("README.md").contains("| `"));
}
