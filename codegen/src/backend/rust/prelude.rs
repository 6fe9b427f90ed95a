//! Names that every Rust file has.

/// What the prelude offers under a short name. Emitted modules define nothing of these names, so
/// that the long ones, which the derive needs, only tire the reader of a file.
pub(super) const PRELUDE: &[(&[&str], &str)] = &[
    (&["core", "option", "Option", "Some"], "Some"),
    (&["core", "option", "Option", "None"], "None"),
    (&["core", "option", "Option"], "Option"),
    (&["core", "result", "Result", "Ok"], "Ok"),
    (&["core", "result", "Result", "Err"], "Err"),
    (&["core", "result", "Result"], "Result"),
    (&["core", "default", "Default"], "Default"),
    (&["core", "clone", "Clone"], "Clone"),
    (&["core", "convert", "From"], "From"),
    (&["core", "convert", "AsRef"], "AsRef"),
    (&["core", "marker", "Copy"], "Copy"),
    (&["core", "marker", "Sized"], "Sized"),
    (&["core", "cmp", "PartialEq"], "PartialEq"),
    (&["core", "cmp", "Ord"], "Ord"),
    (&["core", "matches"], "matches"),
    (&["core", "format_args"], "format_args"),
];

/// The short name of `::core::option::Option` and the like.
#[cfg(feature = "files")]
pub(super) fn short_name(path: &str) -> Option<&'static str> {
    let names = path.strip_prefix("::").filter(|it| it.starts_with("core::"))?;
    PRELUDE.iter().find(|(path, _)| names.split("::").eq(path.iter().copied())).map(|(_, short)| *short)
}

/// Names that a module must not define, since files use them for what the prelude means by them.
pub(super) fn prelude_names() -> impl Iterator<Item = &'static str> {
    PRELUDE.iter().map(|(_, short)| *short)
}
