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

/// Whether a file is one of tests, by its path.
pub(super) fn is_test_file(path: &str) -> bool {
    let stem = name_of(path).strip_suffix(".rs").unwrap_or_default();
    let is_test = |it: &str| matches!(it, "tests" | "test" | "benches" | "fuzz" | "testing");
    parent(path).split('/').any(is_test) || is_test(stem) || stem.ends_with("_test") || stem.ends_with("_tests")
}
