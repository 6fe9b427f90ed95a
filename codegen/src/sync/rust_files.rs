//! The Rust files of a project.

use std::fs;
use std::path::Path;

use statespec_rust::root::is_ignored;
use walkdir::WalkDir;

/// The Rust files below a folder that contain one of these words, by path, each with its text. Hidden files, `target` and
/// links are passed over, and so are files that cannot be read.
pub fn rust_files(root: &Path, words: &[&str]) -> Vec<(String, String)> {
    let walk = WalkDir::new(root).sort_by_file_name().into_iter();
    let entries = walk.filter_entry(|it| it.depth() == 0 || !is_ignored(&it.file_name().to_string_lossy(), it.file_type().is_dir()));
    let files = entries.flatten().filter(|it| it.file_type().is_file() && it.path().extension().is_some_and(|it| it == "rs"));
    files
        .filter_map(|it| {
            let text = fs::read_to_string(it.path()).ok().filter(|text| words.iter().any(|word| text.contains(word)))?;
            let path = it.path().strip_prefix(root).ok()?.components();
            Some((path.map(|it| it.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/"), text))
        })
        .collect()
}
