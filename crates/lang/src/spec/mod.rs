//! The YAML as written: one type per YAML shape, every value with its span.

pub mod document;
pub mod machine;
pub mod shared;
pub mod system;

/// Whether a word is a key of the language.
pub fn is_keyword(word: &str) -> bool {
    let modules = [machine::ALL_KEYS, shared::ALL_KEYS, system::ALL_KEYS, document::ALL_KEYS];
    modules.into_iter().flatten().any(|keys| keys.contains(&word))
}
