//! `gen --watch`: generates again whenever a file of the project changes.
//!
//! Specs, templates and the configuration are inputs. Pages and other files in the places of outputs count as well: an
//! edited region is reported, and a new marker is filled. A file that is as the last run left it has not changed, however
//! late the system reports the write.

use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use notify::{Event, RecursiveMode, Watcher as _};
use statespec_codegen::config::{Config, Role};
use statespec_codegen::project::Project;
use statespec_codegen::registry::BACKENDS;
use statespec_codegen::report::Status;
use statespec_codegen::sync::Made;
use statespec_rust::root::Root;

/// Editors write a file in several steps: the delay lets them finish.
const QUIET: Duration = Duration::from_millis(100);

/// The maximum delay: another program may write to the places of the project all the time.
const LONGEST: Duration = Duration::from_secs(1);

/// Generates once, and again after every change, until the user stops it. `output` is the file of the report.
pub(crate) fn run(root: &Root, output: Option<&Path>, generate: &mut dyn FnMut() -> Vec<Made>) -> Status {
    let folder = root.folder.as_path();
    let (sender, receiver) = channel();
    let watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
        // A read access changes nothing.
        if event.as_ref().is_ok_and(|it| it.kind.is_access()) {
            return;
        }
        let _ = sender.send(event);
    });
    let watched = watcher.and_then(|mut it| it.watch(folder, RecursiveMode::Recursive).map(|()| it));
    let _watcher = match watched {
        Ok(watcher) => watcher,
        Err(error) => {
            crate::ui::say(&format!("error: cannot watch `{}`: {error}\n", folder.display()));
            return Status::CouldNotRun;
        }
    };
    // Some systems report the real paths of files.
    let real = folder.canonicalize();
    let mut project = Watched {
        roots: [folder].into_iter().chain(real.as_deref()).collect(),
        config: Config::usual(BACKENDS),
        made: Vec::new(),
        report: output.and_then(|it| crate::in_project(root, it)),
    };
    loop {
        project.made = generate();
        // While the configuration has errors, the last one without errors remains.
        if let Ok(it) = Project::open(root.clone()) {
            project.config = it.config;
        }
        crate::ui::say("waiting for changes; Ctrl-C ends this\n");
        if !wait(&receiver, &|event| project.is_changed_by(event)) {
            return Status::CouldNotRun;
        }
    }
}

/// The project after a run.
struct Watched<'a> {
    roots: Vec<&'a Path>,
    config: Config,
    /// The files that the run changed.
    made: Vec<Made>,
    /// The file of the report: every run writes it.
    report: Option<String>,
}

impl Watched<'_> {
    /// Whether an event is about a file of the project that is no longer as the last run left it.
    fn is_changed_by(&self, event: &Event) -> bool {
        // The system dropped events: any file may have changed.
        event.need_rescan() || event.paths.iter().any(|it| self.is_changed(it))
    }

    fn is_changed(&self, full: &Path) -> bool {
        let Some(path) = self.roots.iter().find_map(|it| full.strip_prefix(it).ok()).map(slashed) else { return false };
        if full.is_dir() {
            // A folder says nothing: the files in it do. A folder that was moved here brings files that no event names.
            let is_ours = self.made.iter().any(|it| is_within(&it.path, &path));
            return !is_ours && self.config.role(&format!("{path}/file")).is_some();
        }
        match self.config.role(&path) {
            None => false,
            Some(Role::Input) => true,
            Some(Role::Output) if self.report.as_ref() == Some(&path) => false,
            Some(Role::Output) => match self.made.iter().find(|it| it.path == path) {
                Some(made) => !made.is_left(std::fs::read(full).ok().as_deref()),
                None => true,
            },
        }
    }
}

fn is_within(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

/// A relative path as a configuration writes it.
fn slashed(path: &Path) -> String {
    path.components().map(|it| it.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

/// Waits for a change of the project, then for a pause between changes, but at most for [`LONGEST`]. False if there
/// will be no more events.
fn wait(events: &Receiver<notify::Result<Event>>, is_change: &dyn Fn(&Event) -> bool) -> bool {
    let mut changed: Option<(Instant, Instant)> = None;
    loop {
        let until = changed.map(|(first, last)| (last + QUIET).min(first + LONGEST));
        let received = match until {
            None => events.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(until) => events.recv_timeout(until.saturating_duration_since(Instant::now())),
        };
        let now = Instant::now();
        match received.map(|it| it.map(|event| is_change(&event))) {
            Ok(Ok(true)) => changed = Some((changed.map_or(now, |it| it.0), now)),
            Ok(Ok(false)) => {}
            Ok(Err(error)) => crate::ui::say(&format!("error: cannot watch: {error}\n")),
            Err(RecvTimeoutError::Timeout) => return true,
            Err(RecvTimeoutError::Disconnected) => return false,
        }
        // Events without a role may arrive faster than they are read.
        if until.is_some_and(|it| now >= it) {
            return true;
        }
    }
}
