//! Tables in pages that are written by a measurement.
//!
//! ```text
//! <!-- measured:begin NAME -->
//! …
//! <!-- measured:end NAME -->
//! ```
//!
//! They are not regions of the check: a measurement takes longer than a check may.

use std::path::Path;
use std::{fs, io};

/// Writes a text between the two marker lines of a page.
///
/// # Errors
///
/// If the page cannot be read or written, or has no such markers.
pub fn write(page: &Path, name: &str, text: &str) -> io::Result<()> {
    let old = fs::read_to_string(page)?;
    let (begin, end) = (format!("<!-- measured:begin {name} -->\n"), format!("<!-- measured:end {name} -->\n"));
    let parts = old.split_once(&begin).and_then(|(before, rest)| Some((before, rest.split_once(&end)?.1)));
    let Some((before, after)) = parts else {
        return Err(io::Error::other(format!("{} has no place for the measurement `{name}`", page.display())));
    };
    fs::write(page, format!("{before}{begin}\n{text}\n{end}{after}"))
}
