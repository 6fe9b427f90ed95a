//! The guarded files of a project.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use statespec_lang::parallel;

use crate::{marks, walk};

/// Larger files are data.
const MAX_BYTES: u64 = 4 << 20;

/// The beginning of a file, in which text has no NUL.
const HEAD: usize = 1024;

/// A file with markers.
pub(crate) struct Guarded {
    /// The path, relative to the root.
    pub(crate) path: String,
    pub(crate) bytes: Vec<u8>,
}

/// The paths of the files in which a check looks for markers: in some places below a root, or in all. What `.gitignore` names,
/// hidden files, `target`, `node_modules` and other projects are left out, and links are not followed.
pub fn watched(root: &Path, places: Option<&[String]>) -> BTreeSet<String> {
    // A missing place is a warning of the run.
    places.map_or_else(|| vec![String::new()], <[String]>::to_vec).iter().flat_map(|it| walk::files(root, it)).collect()
}

/// The watched files with markers, sorted by path. The second list has the files that cannot be read, each with the reason.
pub(crate) fn guarded(root: &Path, places: Option<&[String]>) -> (Vec<Guarded>, Vec<(String, io::Error)>) {
    let paths: Vec<String> = watched(root, places).into_iter().collect();
    let read = parallel::map(&paths, |path| contents(&root.join(path)));
    let (mut guarded, mut unread) = (Vec::new(), Vec::new());
    for (path, contents) in paths.into_iter().zip(read) {
        match contents {
            Ok(contents) => guarded.extend(contents.map(|bytes| Guarded { path, bytes })),
            Err(error) => unread.push((path, error)),
        }
    }
    (guarded, unread)
}

/// Whether a file has a marker.
///
/// # Errors
///
/// The file is there and cannot be read.
pub fn has_marker(path: &Path) -> io::Result<bool> {
    contents(path).map(|it| it.is_some())
}

/// Whether a check looks for markers in a file with these contents.
pub fn is_examined(bytes: &[u8]) -> bool {
    bytes.len() as u64 <= MAX_BYTES && !bytes.iter().take(HEAD).any(|it| *it == 0)
}

/// Whether a file begins as a text in UTF-16 or UTF-32, in which no marker is read.
pub(crate) fn is_wide(bytes: &[u8]) -> bool {
    match bytes {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] | [0, 0, 0xfe, 0xff, ..] => true,
        [a, 0, b, 0, ..] | [0, a, 0, b, ..] => a.is_ascii_graphic() && b.is_ascii_graphic(),
        _ => false,
    }
}

/// The contents of a file with markers; `None` if it has none, is no text, or is gone.
fn contents(path: &Path) -> io::Result<Option<Vec<u8>>> {
    let mut file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    if file.metadata()?.len() > MAX_BYTES {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    (&mut file).take(HEAD as u64).read_to_end(&mut bytes)?;
    let is_wide = is_wide(&bytes);
    if bytes.contains(&0) && !is_wide {
        return Ok(None);
    }
    file.read_to_end(&mut bytes)?;
    if is_wide {
        let narrow: Vec<u8> = bytes.iter().copied().filter(|it| *it != 0).collect();
        return Ok(marks::mentions(&narrow).then_some(bytes));
    }
    Ok(marks::mentions(&bytes).then_some(bytes))
}
