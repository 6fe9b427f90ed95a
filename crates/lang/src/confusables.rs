//! How names look and how Rust reads them, by the tables of Unicode.

use unicode_normalization::UnicodeNormalization as _;

/// The appearance of a text: the same for all texts that look alike.
pub(crate) fn skeleton(text: &str) -> String {
    unicode_security::skeleton(text).collect()
}

/// The name that Rust reads, if it is another one. Characters that are only composed in another way are the same to Rust.
pub(crate) fn read_by_rust(name: &str) -> Option<String> {
    let read: String = name.nfkc().collect();
    (!name.nfc().eq(read.chars())).then_some(read)
}
