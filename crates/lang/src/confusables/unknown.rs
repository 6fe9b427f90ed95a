//! How names look and how Rust reads them, without the tables of Unicode: every text looks like itself only, and is read as it is.

/// The appearance of a text.
pub(crate) fn skeleton(text: &str) -> String {
    text.to_owned()
}

/// The name that Rust reads, if it is another one; the compiler tells.
pub(crate) fn read_by_rust(_: &str) -> Option<String> {
    None
}
