//! Whether a text may state something, before it is parsed: most files of a repository do not.

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

/// What the names of sets of states, and of tables of their steps, contain.
pub(super) const STEMS: [&str; 6] = ["state", "status", "phase", "stage", "lifecycle", "transition"];

/// Words behind which a set is declared.
const DECLARING: &[&str] = &["enum", "type", "class", "const", "var", "val", "let", "interface"];

/// What a text must have before it is parsed.
pub(super) struct Filter {
    /// Whatever the query finds contains one of these words.
    pub(super) words: &'static [&'static str],
    /// Whether a set may begin with a text behind its name (`status: "open" | "closed"`), and not only with a word or a bracket.
    pub(super) texts: bool,
}

impl Filter {
    /// Whether a text may declare a set of states, or a table of steps.
    ///
    /// A name with one of the stems is declared (`enum OrderStatus`, `const (… OrderStatus = …`), or has texts.
    pub(super) fn may_state(&self, text: &str) -> bool {
        static FINDER: LazyLock<Option<AhoCorasick>> =
            LazyLock::new(|| AhoCorasick::builder().ascii_case_insensitive(true).build(STEMS).ok());
        if !self.words.iter().any(|it| text.contains(it)) {
            return false;
        }
        // Without a finder nothing is left out.
        let Some(finder) = FINDER.as_ref() else { return true };
        finder.find_iter(text).any(|found| is_declared(text, found.range(), self.texts))
    }
}

fn is_declared(text: &str, stem: Range<usize>, texts: bool) -> bool {
    let is_part = |it: char| it.is_alphanumeric() || it == '_';
    let before = text[..stem.start].trim_end_matches(is_part);
    let after = text[stem.end..].trim_start_matches(is_part);
    let keyword = before.trim_end();
    let declares = keyword.len() < before.len() && {
        let word = &keyword[keyword.trim_end_matches(is_part).len()..];
        DECLARING.contains(&word)
    };
    // `status: "open" | …`, `status?: 'open'`, `Status = "open"`, `Status = iota`, `status: Literal[…`, `status: z.enum(…`
    let value = after.trim_start_matches(['?', ' ', '\t', ':', '=', '\r', '\n', '|', '(', '[']);
    let between = &after[..after.len() - value.len()];
    let is_set = ["iota", "Literal", "z.", "{", "map["].iter().any(|it| value.starts_with(it));
    let has_texts = value.starts_with(['"', '\'']) && (texts || between.contains(['(', '[']));
    declares || (!between.is_empty() && (is_set || has_texts))
}
