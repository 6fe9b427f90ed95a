//! What cells of tables say of whether a step is allowed: `Not allowed`, `blocked: …`, `❌`.

use std::collections::BTreeSet;

use super::cell::Cell;
use super::foreign;
use super::phrase::{self, words};

impl Cell {
    /// Whether the cell says that the step of its row is not allowed: `Not allowed. Rejected with 409.`
    pub(super) fn refuses(&self) -> bool {
        phrase::refuses(&self.text)
    }

    /// Whether a cell of a condition says so: `Disallowed; create a new one`, `never`, `❌`.
    pub(super) fn refuses_always(&self) -> bool {
        let is = |texts: &[&str]| texts.contains(&self.words().join(" ").as_str());
        phrase::refuses_its_step(&self.text)
            || phrase::refusal(&self.text).is_some()
            || phrase::is_crossed(&self.text)
            || is(&["never", "nobody", "no one"])
    }

    /// Whether a cell of an event says so: `blocked — the order is paid`. `rejected` is an event where it leads to `Rejected`.
    pub(super) fn refuses_event(&self, target: &str) -> bool {
        let leads = |word: &str| words(target).iter().any(|it| it.starts_with(&word[..word.len() - 2]));
        let named = |(word, alone): (&str, bool)| (alone && self.only_codes()) || leads(word);
        phrase::refuses_its_step(&self.text) || phrase::is_crossed(&self.text) || phrase::refusal(&self.text).is_some_and(|it| !named(it))
    }

    /// Whether a cell of a state says so: `blocked: …`, `Done (rejected)`. `Blocked` alone is a state.
    pub(super) fn refuses_state(&self, known: &BTreeSet<String>) -> bool {
        let text = self.text.trim();
        let is_refusal = |(_, alone): (&str, bool)| !alone || phrase::is_crossed(text);
        let says = self.refuses() || phrase::has_refusing_brackets(text) || phrase::refusal(text).is_some_and(is_refusal);
        says && !known.contains(text)
    }

    /// Whether a cell of the column `Allowed?` says yes or no; `None` if neither.
    pub(super) fn verdict(&self) -> Option<bool> {
        let text = self.text.trim();
        if text.contains(['✅', '✓', '✔', '☑']) {
            return Some(true);
        }
        if phrase::is_crossed(text) || foreign::refuses(text) {
            return Some(false);
        }
        match self.words().join(" ").as_str() {
            "yes" | "y" | "true" | "allowed" | "valid" | "legal" | "permitted" | "ok" | "x" | "ja" | "oui" | "sí" | "да" | "是" | "예"
            | "네" | "はい" => Some(true),
            "no" | "n" | "false" | "nein" | "non" | "нет" | "否" | "不" | "아니오" | "아니요" | "いいえ" | "not allowed" | "forbidden"
            | "invalid" | "illegal" | "denied" | "not permitted" | "disallowed" => Some(false),
            _ => None,
        }
    }
}
