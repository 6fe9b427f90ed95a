//! Reads a file of text.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use statespec_import::MAX_BYTES;

/// The text of a file, unless it is missing, too large, or not UTF-8.
pub(super) fn text_of(full: &Path) -> io::Result<Option<String>> {
    let file = match File::open(full) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let n_bytes = file.metadata()?.len();
    if usize::try_from(n_bytes).is_ok_and(|it| it > MAX_BYTES) {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    file.take(n_bytes).read_to_end(&mut bytes)?;
    Ok(String::from_utf8(bytes).ok())
}
