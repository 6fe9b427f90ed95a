//! `gen --watch`: generates again whenever a file of the project changes.

use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use notify::{Event, RecursiveMode, Watcher as _};
use statespec_codegen::config::{Config, Role};
use statespec_codegen::project::Project;
use statespec_codegen::report::Status;
use statespec_codegen::root::Root;

/// Editors write a file in several steps: the delay lets them finish.
const QUIET: Duration = Duration::from_millis(100);

/// The maximum delay: another program may write to the places of the project all the time.
const LONGEST: Duration = Duration::from_secs(1);

/// Generates once, and again after every change, until the user stops it.
pub(crate) fn run(root: &Root, generate: &mut dyn FnMut() -> Status) -> Status {
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
    let roots: Vec<&Path> = [folder].into_iter().chain(real.as_deref()).collect();
    let mut config = Config::default();
    loop {
        generate();
        // While the configuration has errors, the last one without errors remains.
        if let Ok(project) = Project::open(root.clone()) {
            config = project.config;
        }
        crate::ui::say("waiting for changes; Ctrl-C ends this\n");
        if !wait(&receiver, &|event| role(&config, &roots, event)) {
            return Status::CouldNotRun;
        }
    }
}

/// The role of the changed files; `None` if no file of the project changed.
fn role(config: &Config, roots: &[&Path], event: &Event) -> Option<Role> {
    // The system dropped events: any file may have changed.
    if event.need_rescan() {
        return Some(Role::Input);
    }
    let inside = |path: &Path| roots.iter().find_map(|it| path.strip_prefix(it).ok()).map(slashed);
    event.paths.iter().filter_map(|it| config.role(&inside(it)?)).max()
}

/// A relative path as a configuration writes it.
fn slashed(path: &Path) -> String {
    path.components().map(|it| it.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

/// Waits for a change of the project, then for a pause between changes, but at most for [`LONGEST`]. False if there
/// will be no more events.
fn wait(events: &Receiver<notify::Result<Event>>, role: &dyn Fn(&Event) -> Option<Role>) -> bool {
    let own_until = Instant::now() + QUIET;
    let mut changed: Option<(Instant, Instant)> = None;
    loop {
        let until = changed.map(|(first, last)| (last + QUIET).min(first + LONGEST));
        let received = match until {
            None => events.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(until) => events.recv_timeout(until.saturating_duration_since(Instant::now())),
        };
        let now = Instant::now();
        match received.map(|it| it.map(|event| role(&event))) {
            // The last run wrote these files itself.
            Ok(Ok(Some(Role::Output))) if changed.is_none() && now < own_until => {}
            Ok(Ok(Some(_))) => changed = Some((changed.map_or(now, |it| it.0), now)),
            Ok(Ok(None)) => {}
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
