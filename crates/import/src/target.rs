//! What a step leads to, as cells of tables say it: names of states, `(unchanged)`, `(none — terminal)`.

use super::cell::{Cell, Named, States, states};
use super::column::Column;
use super::known::Known;
use super::phrase::{self, ENDS, split_arrow, without_prefix};
use super::source::Source;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Target {
    /// `(terminal)`, `[*]`
    End,
    /// `—`: an end, no change or a refusal.
    Nothing,
    /// `(unchanged)`
    Stay,
    /// `not allowed`
    Refused,
    States(States),
    Unclear,
}

/// The words before the state that a step stays in.
const STAYS: &[&str] = &["stays in", "stays at", "stays", "stay in", "stay", "remains in", "remains", "remain in", "keeps"];

impl Cell {
    /// What a step leads to; a cell in another style than the states may say anything.
    pub(super) fn target(&self, known: &Known, adjacency: bool) -> Target {
        match self.target_in_any_style(known, adjacency) {
            Target::States(states) if self.is_no_state_of(known) || self.may_be_qualified(known) || self.says_more_than(&states, known) => {
                Target::Unclear
            }
            Target::States(states) => Target::States(States { named: states.named.into_iter().map(Named::reached).collect(), ..states }),
            target => target,
        }
    }

    /// Whether only the style of a cell says that it names no state.
    pub(super) fn differs_in_style(&self, known: &Known, column: Column) -> bool {
        let names_states = match column {
            Column::From => matches!(self.source_in_any_style(known), Source::States(_)),
            _ => matches!(self.target_in_any_style(known, false), Target::States(_)),
        };
        names_states && self.is_no_state_of(known)
    }

    pub(super) fn target_in_any_style(&self, known: &Known, adjacency: bool) -> Target {
        let text = self.text.trim();
        if self.is_struck_out() {
            return Target::Unclear;
        }
        let words = self.words();
        let is_known = known.sources.contains(text);
        if words.is_empty() {
            return match text.trim_matches(['(', ')', '`']) {
                "*" => Target::Unclear,
                "[*]" | "[*" => Target::End,
                sign if phrase::is_crossed(sign) => Target::Refused,
                sign if sign.is_empty() || self.is_empty_sign() => Target::Nothing,
                // `?`, and a sign for what stands above.
                _ => Target::Unclear,
            };
        }
        // `Cancelled -> Queued`: which of the steps the row takes is open.
        let is_step = split_arrow(text).is_some_and(|(before, _)| !phrase::words(before).is_empty());
        if (is_step || self.is_way()) && !is_known {
            return Target::Unclear;
        }
        let is_certain = is_known || (self.only_codes() && !self.is_wrapped() && !self.is_nothing());
        if !is_certain && let Some(target) = self.said_of_target(known, adjacency) {
            return target;
        }
        let states = states(self, known);
        let is_state =
            |it: &Named| matches!(self.part(&it.name).target_in_any_style(known, false), Target::States(states) if states.is_only(it));
        let are_names = match is_certain {
            true => {
                states.are_no_values()
                    && states.named.iter().all(|it| !it.name.contains('*') && (states.named.len() == 1 || !phrase::stays(&it.name)))
            }
            false => !states.is_short(known) && self.are_names(&states, known, is_state),
        };
        if are_names { Target::States(states) } else { Target::Unclear }
    }

    /// What a target says that is not the name of a state.
    fn said_of_target(&self, known: &Known, adjacency: bool) -> Option<Target> {
        let words = self.words();
        let text = words.join(" ");
        let is = |texts: &[&str]| texts.contains(&text.as_str());
        let all = |set: &[&str]| words.iter().all(|it| set.contains(&it.as_str()));
        let any = |set: &[&str]| words.iter().any(|it| set.contains(&it.as_str()));
        const EMPTY: &[&str] = &["none", "no", "nothing", "n", "a", "null", "na"];
        let filler: Vec<&str> = [EMPTY, ENDS, phrase::ABOUT_ENDS].concat();
        if all(&filler) && (any(EMPTY) || any(ENDS)) {
            // `End` can be the name of a state, and `DEAD` is one; `(end)`, `none — terminal` and `terminal` are not.
            let is_name = is(&["sink", "dead"])
                || (known.has_arrows && is(&["terminal", "end", "final"]))
                || (is(&["end", "final"]) && (!adjacency || known.ends_are_names));
            if is_name && !self.is_wrapped() {
                return None;
            }
            return Some(if any(ENDS) || any(&["outgoing", "further"]) || adjacency { Target::End } else { Target::Nothing });
        }
        if phrase::end(&self.text).is_some() {
            return Some(Target::End);
        }
        if phrase::stays(&self.text) || self.remark_of_stay(known).is_some() {
            return Some(Target::Stay);
        }
        let refusals = [
            "not",
            "allowed",
            "permitted",
            "forbidden",
            "prohibited",
            "illegal",
            "invalid",
            "refused",
            "rejected",
            "blocked",
            "denied",
            "transition",
        ];
        // `Rejected` alone is a state.
        let is_sure = self.is_wrapped() || words.len() > 1 || is(&["forbidden", "prohibited"]);
        if all(&refusals) && is_sure {
            return Some(Target::Refused);
        }
        if let Some(target) = self.behind_words(known) {
            return Some(target);
        }
        // `LIVE + EXTENDED`, `— (see below)`
        let is_aside = self.is_bracketed() || self.text.trim().starts_with(['—', '–']) || self.text.contains(" + ");
        (is_aside || self.any(known).is_some()).then_some(Target::Unclear)
    }

    /// The remark of a step that stays: `no-op (already open)`. It names no state, unless `already` stands before.
    pub(super) fn remark_of_stay(&self, known: &Known) -> Option<&str> {
        let (said, remark) = self.text.trim().strip_suffix(')')?.split_once(" (")?;
        let is_else = |it: &String| matches!(it.as_str(), "or" | "then" | "but" | "except" | "not");
        let names_state = known.has(remark) || remark.split(|it: char| !it.is_alphanumeric() && it != '_').any(|it| known.has(it));
        let is_clear = without_prefix(remark, &["already", "still"]).is_some() || !names_state;
        let is_open = phrase::is_conditional(remark) || split_arrow(remark).is_some() || phrase::words(remark).iter().any(is_else);
        (phrase::stays(said) && !phrase::stays(remark) && is_clear && !is_open && !phrase::refuses(remark)).then_some(remark)
    }

    /// The state that a step stays in: `stays open`.
    pub(super) fn stays_in(&self) -> Option<Cell> {
        let name = without_prefix(&self.text, STAYS)?.trim();
        let is_name = !name.is_empty() && (self.codes.iter().any(|it| it == name) || !name.contains(char::is_whitespace));
        is_name.then(|| self.part(name))
    }

    /// A state with words before it: `stays open`, `back to open`; `None` if there are none.
    fn behind_words(&self, known: &Known) -> Option<Target> {
        const BEFORE: &[&str] =
            &["still", "back to", "returns to", "return to", "goes to", "go to", "moves to", "falls through to", "falls back to"];
        let name = without_prefix(&self.text, STAYS).or_else(|| without_prefix(&self.text, BEFORE))?.trim();
        if known.sources.contains(self.text.trim()) || name.is_empty() {
            return None;
        }
        let states = states(&self.part(name), known);
        let is_known = !states.named.is_empty() && states.named.iter().all(|it| known.has(&it.name));
        Some(if is_known { Target::States(states) } else { Target::Unclear })
    }
}
