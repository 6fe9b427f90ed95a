//! `gen --watch` generates after an edit, whatever else is written below the root.
#![cfg(feature = "watch")]

use std::io::Read as _;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use crate::support::Project;

/// Much longer than the maximum delay: the machine may be busy.
const PATIENCE: Duration = Duration::from_secs(30);

/// A running `gen --watch` with its messages; it ends with this value.
struct Watch {
    child: Child,
    said: Arc<Mutex<String>>,
}

impl Watch {
    fn start(project: &Project) -> Watch {
        Watch::start_with(project, &[])
    }

    fn start_with(project: &Project, args: &[&str]) -> Watch {
        let mut command = Command::new(env!("CARGO_BIN_EXE_statespec"));
        command.args(["gen", "--watch"]).args(args).current_dir(project.path()).stderr(Stdio::piped()).stdout(Stdio::null());
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
    project.put("README.md", "# Shop\n\n<!-- statespec:begin ticket.states -->\n<!-- statespec:end ticket.states -->\n");
    watch.until("the table", || project.get("README.md").contains("| `"));
}

#[test]
fn an_edit_inside_a_region_is_reported_and_its_removal_too() {
    let project = ticket();
    project.put("README.md", "# Shop\n\n<!-- statespec:begin ticket.states -->\n<!-- statespec:end ticket.states -->\n");
    let watch = Watch::start(&project);
    let page = project.get("README.md");
    assert!(page.contains("| `"), "{page}");
    project.put("README.md", &page.replacen("| `", "| mine `", 1));
    watch.until("the finding", || watch.said.lock().unwrap().contains("error[drift::edited]: region `ticket.states` in README.md"));
    assert!(project.get("README.md").contains("| mine `"), "no edit is lost");
    let n_runs = watch.n_runs();
    project.put("README.md", &page);
    watch.until("the next run", || watch.n_runs() > n_runs);
    // The generated page is watched as well as the hand-written one.
    let generated = project.get("docs/machines/ticket.md");
    project.put("docs/machines/ticket.md", &generated.replacen("# Ticket", "# Mine", 1));
    watch.until("the finding", || watch.said.lock().unwrap().contains("error[drift::edited]: docs/machines/ticket.md"));
}

#[test]
fn own_writes_cause_no_run() {
    let project = ticket();
    project.put("README.md", "# Shop\n\n<!-- statespec:begin ticket.states -->\n<!-- statespec:end ticket.states -->\n");
    project.put("docs/machines/old.md", &project.get("docs/machines/ticket.md"));
    std::fs::remove_file(project.path().join("docs/machines/ticket.md")).unwrap();
    // The first run writes, fills and removes; its report is in a place of outputs.
    let watch = Watch::start_with(&project, &["--format", "json", "--output", "docs/report.json"]);
    thread::sleep(Duration::from_secs(2));
    assert_eq!(watch.n_runs(), 1, "{}", watch.said.lock().unwrap());
    assert!(!project.path().join("docs/machines/old.md").exists() && project.path().join("docs/report.json").exists());
    // Each edit causes one run, and the writes of that run cause none.
    project.edit("machines/ticket.yaml", "title: \"Ticket\"", "title: \"Errand\"");
    watch.until("the second run", || watch.n_runs() == 2);
    thread::sleep(Duration::from_secs(2));
    assert_eq!(watch.n_runs(), 2, "{}", watch.said.lock().unwrap());
}

#[test]
fn an_edit_right_after_a_run_is_seen() {
    let project = ticket();
    let watch = Watch::start(&project);
    for round in 0..5 {
        let n_runs = watch.n_runs();
        project.edit("machines/ticket.yaml", "states:", "# again\nstates:");
        watch.until("a run", || watch.n_runs() > n_runs);
        // No pause: an earlier version ignored all outputs for some time after a run.
        let name = format!("docs/page{round}.md");
        project.put(&name, "<!-- statespec:begin ticket.states -->\n<!-- statespec:end ticket.states -->\n");
        watch.until("the table", || project.get(&name).contains("| `"));
    }
}

#[test]
fn templates_and_the_configuration_are_watched() {
    let project = ticket();
    let config = "[[template]]\nfile = 'list.jinja'\nout = 'lists/{{ name }}.txt'\n";
    project.put("list.jinja", "{{ title }}\n");
    let watch = Watch::start(&project);
    project.put("statespec.toml", config);
    watch.until("the list", || project.path().join("lists/ticket.txt").exists());
    project.put("list.jinja", "Title: {{ title }}\n");
    watch.until("the changed list", || project.get("lists/ticket.txt").contains("Title: "));
    // An error in the configuration ends nothing.
    project.put("statespec.toml", "nonsense = 1\n");
    watch.until("the error", || watch.said.lock().unwrap().contains("nonsense"));
    project.put("statespec.toml", &config.replace("lists/", "texts/"));
    watch.until("the moved list", || project.path().join("texts/ticket.txt").exists());
}
