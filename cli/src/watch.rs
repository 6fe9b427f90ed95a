//! `gen --watch`: generates again whenever an input of the outputs changes.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use notify::{Event, RecursiveMode, Watcher as _};
use statespec_codegen::config::{Config, FILE};
use statespec_codegen::project::Project;
use statespec_codegen::report::Status;

/// Editors write a file in several steps: the delay lets them finish.
const QUIET: Duration = Duration::from_millis(100);

/// Generates once, and again after every change, until the user stops it.
pub(crate) fn run(root: &Path, generate: &mut dyn FnMut() -> Status) -> Status {
    let (sender, receiver) = channel();
    let watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
        // A read access changes nothing.
        if event.as_ref().is_ok_and(|it| it.kind.is_access()) {
            return;
        }
        let _ = sender.send(event);
    });
    let watched = watcher.and_then(|mut it| it.watch(root, RecursiveMode::Recursive).map(|()| it));
    let _watcher = match watched {
        Ok(watcher) => watcher,
        Err(error) => {
            crate::say(&format!("error: cannot watch `{}`: {error}\n", root.display()));
            return Status::CouldNotRun;
        }
    };
    loop {
        generate();
        let inputs = inputs(root);
        crate::say("waiting for changes; Ctrl-C ends this\n");
        loop {
            match receiver.recv() {
                Ok(Ok(event)) if !event.paths.iter().any(|path| inputs.iter().any(|it| path.starts_with(it))) => {}
                Ok(Err(error)) => crate::say(&format!("error: cannot watch `{}`: {error}\n", root.display())),
                Ok(Ok(_)) => break,
                Err(_) => return Status::CouldNotRun,
            }
        }
        while !matches!(receiver.recv_timeout(QUIET), Err(RecvTimeoutError::Timeout)) {}
    }
}

/// The folders and files that outputs are generated from; read each time, because the configuration may have changed.
fn inputs(root: &Path) -> Vec<PathBuf> {
    let config = Project::open(root).map_or_else(|_| Config::default(), |it| it.config);
    let templates = config.templates.iter().map(|it| it.file.value.as_str());
    let all = config.specs.iter().map(String::as_str).chain(templates).chain([FILE]);
    all.map(|it| crate::on_disk(root, it)).collect()
}
