//! Whether a text may state something, before it is parsed: most files of a repository do not.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

/// What the names of sets of states, and of tables of their steps, contain.
pub(super) const STEMS: [&str; 6] = ["state", "status", "phase", "stage", "lifecycle", "transition"];

/// Words behind which a set is declared.
const DECLARING: &[&str] = &["enum", "type", "class", "const", "var", "val", "let", "interface"];

/// Whether a text of one of the languages may declare a set of states, or a table of steps.
///
/// A name with one of the stems is declared (`enum OrderStatus`, `const (… OrderStatus = …`), or has texts (`status: "open"`).
pub(crate) fn may_state(text: &str) -> bool {
    static FINDER: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| AhoCorasick::builder().ascii_case_insensitive(true).build(STEMS).ok());
    // Without a finder nothing is left out.
    let Some(finder) = FINDER.as_ref() else { return true };
    finder.find_iter(text).any(|found| is_declared(text, found.start(), found.end()))
}

fn is_declared(text: &str, start: usize, end: usize) -> bool {
    let is_part = |it: char| it.is_alphanumeric() || it == '_';
    let before = text[..start].trim_end_matches(is_part);
    let after = text[end..].trim_start_matches(is_part);
    let keyword = before.trim_end();
    let declares = keyword.len() < before.len() && {
        let word = &keyword[keyword.trim_end_matches(is_part).len()..];
        DECLARING.contains(&word)
    };
    // `status: "open" | …`, `status?: 'open'`, `Status = "open"`, `Status = iota`, `status: Literal[…`, `status: z.enum(…`
    let value = after.trim_start_matches(['?', ' ', '\t', ':', '=', '\r', '\n', '|', '(', '[']);
    let is_set = value.len() < after.len() && ["\"", "'", "iota", "Literal", "z.", "{", "map["].iter().any(|it| value.starts_with(it));
    declares || is_set
}
