//! Files that the user requests, such as a new spec: written with the same care as outputs.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::change::{Action, Change, Seen};
use super::disk::{Disk, Failure};
use super::leftover::Leftover;
use super::plan::Plan;
use super::temporary::is_temporary;

/// A requested file that is not an output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    /// The path, relative to the root.
    pub path: String,
    /// The contents.
    pub text: String,
    /// The contents of the file that it replaces; if `None`, the file must not exist.
    pub replaces: Option<Vec<u8>>,
}

/// A plan to write all requested files or none.
pub fn plan_files(root: &Path, drafts: Vec<Draft>) -> Plan {
    let mut plan = Plan::new(root, "");
    for Draft { path, text, replaces } in drafts {
        let full = root.join(&path);
        let now = Disk::new(root).check_folders(&path).and_then(|()| Seen::now(&full).map_err(|error| error.to_string()));
        let is_twice = plan.changes.iter().any(|it| it.path == path);
        let objection = match (now, &replaces) {
            (Err(why), _) => Some(why),
            _ if is_twice => Some("two files have this path".to_owned()),
            (Ok(Seen::Nothing), _) | (Ok(Seen::File(_)), Some(_)) => None,
            (Ok(Seen::File(_)), None) => Some("it is there already".to_owned()),
            (Ok(_), _) => Some("something is there that is not a plain file".to_owned()),
        };
        match objection {
            Some(why) => plan.failures.push(Failure::new(&path, "write", why)),
            // The existing file may be the only copy of somebody's work.
            None => {
                plan.changes.push(Change { path, full, seen: replaces.into(), action: Action::Write(text.into_bytes()), keeps_words: true })
            }
        }
    }
    plan.leftovers = leftovers(&plan.changes);
    plan
}

/// Temporary files beside the drafts: no other search covers folders of specs.
fn leftovers(changes: &[Change]) -> Vec<Leftover> {
    let folder = |path: &str| path.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
    let folders: BTreeSet<(String, PathBuf)> =
        changes.iter().filter_map(|it| Some((folder(&it.path), it.full.parent()?.to_owned()))).collect();
    let mut found = Vec::new();
    for (folder, full) in folders {
        // A folder that does not exist yet is empty.
        for entry in fs::read_dir(full).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if is_temporary(&name) {
                found.push(Leftover::new(format!("{folder}{name}"), entry.path()));
            }
        }
    }
    found
}
