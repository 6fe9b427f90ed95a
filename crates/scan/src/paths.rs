//! Paths below the root of a project, as texts with `/`.

/// The folder of a path.
pub(super) fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |it| it.0)
}

/// The name of a file.
pub(super) fn name_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// A path from a folder; `None` if it leads out of the root.
pub(super) fn join(folder: &str, path: &str) -> Option<String> {
    if path.starts_with('/') {
        return None;
    }
    let start = if folder.starts_with('/') { "/" } else { "" };
    let mut parts: Vec<&str> = folder.split('/').filter(|it| !it.is_empty()).collect();
    for part in path.split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop().filter(|it| *it != "..")?;
            }
            part => parts.push(part),
        }
    }
    Some(start.to_owned() + &parts.join("/"))
}

/// Whether a file is one of tests: in a folder such as `tests` or `fixtures`, or with a name such as `test_order.py` or
/// `order.spec.ts`.
pub(crate) fn is_of_tests(path: &str) -> bool {
    const FOLDERS: &[&str] = &["test", "tests", "__tests__", "testdata", "testing", "fixtures", "benches", "fuzz", "e2e"];
    let lower = path.to_lowercase();
    let name = name_of(&lower);
    let stem = name.rsplit_once('.').map_or(name, |it| it.0);
    let ends = ["_test", "_tests", ".test", ".spec", "-test"];
    parent(&lower).split('/').any(|it| FOLDERS.contains(&it))
        || ["test", "tests"].contains(&stem)
        || stem.starts_with("test_")
        || ends.iter().any(|it| stem.ends_with(it))
}
