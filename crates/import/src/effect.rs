//! Effects in cells of tables: the list of them, and texts that may say more than an effect.

use super::cell::Cell;
use super::known::Known;
use super::list::List;
use super::phrase;

impl Cell {
    /// The effects of a cell: a list of names is several, any other text is one.
    pub(super) fn effects(&self) -> List {
        const SEPARATORS: &[&str] = &[",", ";", "\n"];
        let codes = self.several_codes().map(|names| List { names, notes: Vec::new() });
        let list = codes.or_else(|| self.list(SEPARATORS)).or_else(|| self.list_of_codes(&[SEPARATORS, &[" and "]].concat()));
        list.unwrap_or_else(|| List { names: vec![self.text.clone()], notes: Vec::new() })
    }
}

/// What the text of an effect may say besides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum More {
    /// `late → LOST`: another target than that of its row.
    Target(String),
    /// `ring if it is late`
    Condition,
}

impl More {
    /// What a text of an effect may say besides, in a table with these states.
    pub(super) fn of(text: &str, known: &Known) -> Option<Self> {
        let mut is_condition = phrase::is_conditional(text);
        let mut depth = 0;
        let parts = phrase::between_arrows(text);
        for pair in parts.windows(2) {
            depth += brackets(pair[0]);
            if let Some(target) = state_at_start(pair[1], known) {
                return Some(More::Target(target));
            }
            // `(late → tell)` is a condition in any language.
            is_condition |= depth > 0;
        }
        is_condition.then_some(More::Condition)
    }
}

/// The known state that a text begins with.
fn state_at_start(text: &str, known: &Known) -> Option<String> {
    let text = text.trim_start_matches(['`', '*', '"', ' ']);
    let ends = |it: char| it.is_ascii_punctuation() && it != '_' && it != '-' || matches!(it, '，' | '；' | '。' | '）' | '、' | '\n');
    let is_word = |it: char| it.is_alphanumeric() || matches!(it, '_' | '-' | '.');
    let to_end = text.split(ends).next();
    let word = text.split(|it| !is_word(it)).next();
    to_end.into_iter().chain(word).map(str::trim).find(|it| known.has(it)).map(str::to_owned)
}

/// How many more brackets a text opens than it closes.
fn brackets(text: &str) -> i32 {
    let of = |it: char| match it {
        '(' | '（' => 1,
        ')' | '）' => -1,
        _ => 0,
    };
    text.chars().map(of).sum()
}
