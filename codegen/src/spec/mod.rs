//! The YAML as written: one type per YAML shape, every value with its span.

#[cfg(feature = "systems")]
pub mod document;
pub mod machine;
pub mod shared;
#[cfg(feature = "systems")]
pub mod system;

/// Whether a word is a key of the language.
#[cfg(feature = "sync")]
pub(crate) fn is_keyword(word: &str) -> bool {
    let modules = [
        machine::ALL_KEYS,
        shared::ALL_KEYS,
        #[cfg(feature = "systems")]
        system::ALL_KEYS,
        #[cfg(feature = "systems")]
        document::ALL_KEYS,
    ];
    modules.into_iter().flatten().any(|keys| keys.contains(&word))
}
