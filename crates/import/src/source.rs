//! The states before a step, as cells of tables say them: names, `any (except X)`, `review.*`.

use super::cell::{Cell, Named, States, states};
use super::known::Known;
use super::phrase::{self, End, without_prefix, words};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Source {
    /// `[*]`, `(start)`
    Start,
    /// An empty cell: as in the row above, or a start.
    Blank,
    Any {
        except: Vec<String>,
        /// `any non-terminal state`
        but_terminal: bool,
    },
    States(States),
    Unclear,
}

impl Cell {
    /// The states before a step; a cell in another style than the states may say anything.
    pub(super) fn source(&self, known: &Known) -> Source {
        match self.source_in_any_style(known) {
            Source::States(states) if self.is_no_state_of(known) || self.may_be_qualified(known) || self.says_more_than(&states, known) => {
                Source::Unclear
            }
            source => source,
        }
    }

    pub(super) fn source_in_any_style(&self, known: &Known) -> Source {
        let text = self.text.trim();
        if self.is_blank() || matches!(text, "↑" | "^") {
            return Source::Blank;
        }
        if self.is_struck_out() {
            return Source::Unclear;
        }
        let words = self.words();
        let is_name = self.only_codes() && !words.is_empty() && !self.is_wrapped();
        if !is_name && !self.is_any_sign() {
            let starts = ["start", "initial", "new", "creation", "create", "entry", "none", "nothing", "n", "a", "state", "no", "null"];
            let all = words.iter().all(|it| starts.contains(&it.as_str()));
            // `?` and `…` are no starts.
            let sure = if words.is_empty() { self.is_empty_sign() } else { self.is_wrapped() || self.is_nothing() };
            if all && sure {
                return Source::Start;
            }
        }
        if let Some(any) = self.any(known) {
            return any;
        }
        // Nothing leads to `ANY_ACTIVE`, so that it is hardly a state.
        if phrase::names_several(text) && !known.targets.contains(text) {
            return Source::Unclear;
        }
        // `Shop: any`
        if text.rsplit_once(':').is_some_and(|(_, it)| matches!(phrase::words(it).as_slice(), [only] if only == "any" || only == "all")) {
            return Source::Unclear;
        }
        if self.is_bracketed() || words.is_empty() || self.names_ends(known) || (self.is_way() && !known.has_both(text)) {
            return Source::Unclear;
        }
        let mut states = states(self, known);
        if states.is_short(known) {
            return Source::Unclear;
        }
        // `review.*` is every state that begins so.
        let patterns = states.named.iter().any(|it| it.name.contains('*'));
        if patterns {
            let Some(named) = states.named.iter().map(|it| matching(it, known)).collect::<Option<Vec<_>>>() else { return Source::Unclear };
            states = States { named: named.concat(), guessed: true };
        }
        let is_state = |it: &Named| matches!(self.part(&it.name).source_in_any_style(known), Source::States(states) if states.is_only(it));
        let is_certain = self.only_codes() || patterns;
        if (is_certain && states.are_no_values()) || self.are_names(&states, known, is_state) {
            Source::States(states)
        } else {
            Source::Unclear
        }
    }

    /// Whether the cell stands for the ends of the table: `terminal` in a row without successors.
    pub(super) fn names_ends(&self, known: &Known) -> bool {
        self.codes.is_empty() && phrase::end(&self.text) == Some(End::Plain) && !known.targets.contains(self.text.trim())
    }

    /// `*`
    fn is_any_sign(&self) -> bool {
        let text = self.text.trim();
        // `* (all states)` says it twice, in any language.
        let bare =
            text.strip_suffix(')').and_then(|it| it.split_once(" (")).filter(|(_, remark)| is_every_state(remark)).map_or(text, |it| it.0);
        bare.trim_matches(['(', ')', '`', '"']) == "*"
    }

    /// `any`, `ANY (except X, Y)`, `any non-X`, `all but X`, `any non-terminal state`.
    pub(super) fn any(&self, known: &Known) -> Option<Source> {
        let every = Source::Any { except: Vec::new(), but_terminal: false };
        if self.is_any_sign() {
            return Some(every);
        }
        let text = self.text.trim();
        let inside = text.strip_prefix('(').and_then(|it| it.strip_suffix(')')).unwrap_or(text);
        if known.has_both(text) {
            return None;
        }
        if is_no_end(inside) {
            return Some(Source::Any { except: Vec::new(), but_terminal: true });
        }
        let rest = without_prefix(inside, ANY)?;
        let rest = without_prefix(rest, &["state", "states", "status", "statuses"]).unwrap_or(rest).trim();
        if rest.is_empty() {
            return Some(every);
        }
        let bare = rest.trim_matches(['(', ')', ',', ' ', ':']);
        let except = [
            "except for",
            "except",
            "excluding",
            "excl.",
            "other than",
            "apart from",
            "besides",
            "but not",
            "but",
            "minus",
            "not",
            "≠",
            "!=",
        ];
        let mut names = without_prefix(bare, &except);
        if names.is_none() {
            // `any non-Idle state`
            names = ["non-", "non ", "Non-", "NON-"].iter().find_map(|it| bare.strip_prefix(it));
        }
        let Some(names) = names else { return Some(Source::Unclear) };
        let names = names.trim_end_matches(|it: char| it == ')' || it.is_whitespace());
        let names = ["states", "state"].iter().find_map(|it| names.strip_suffix(it)).unwrap_or(names).trim();
        if matches!(names.to_lowercase().as_str(), "terminal" | "final" | "end" | "terminal ones" | "final ones") {
            return Some(Source::Any { except: Vec::new(), but_terminal: true });
        }
        let cell = self.part(names);
        // A name may be spelled in another case here: `any non-idle`.
        let spelled = |name: &str| {
            let same = |it: &&String| it.eq_ignore_ascii_case(name);
            known.sources.iter().find(same).or_else(|| known.targets.iter().find(same)).cloned()
        };
        let except: Option<Vec<String>> = states(&cell, known).named.iter().map(|it| spelled(&it.name)).collect();
        Some(except.filter(|it| !it.is_empty()).map_or(Source::Unclear, |except| Source::Any { except, but_terminal: false }))
    }
}

const ANY: &[&str] = &["anything", "anywhere", "any", "all", "every", "each", "*"];

/// Whether a remark says that every state is meant: `all states`.
fn is_every_state(remark: &str) -> bool {
    const WORDS: &[&str] = &[
        "any state",
        "any status",
        "all states",
        "all statuses",
        "every state",
        "all",
        "any",
        "wildcard",
        "모든 상태",
        "所有状态",
        "任意状态",
        "すべての状態",
        "全状態",
        "jeder zustand",
        "alle zustände",
        "tous les états",
        "tout état",
        "todos los estados",
        "tutti gli stati",
        "любое состояние",
        "все состояния",
    ];
    WORDS.contains(&words(remark).join(" ").as_str())
}

/// Whether a text says that it stands for several states: `any state`, `all non-terminal`.
pub(super) fn is_any_state(text: &str) -> bool {
    let of = ["state", "states", "status", "statuses", "non", "not", "except", "excluding", "but", "other", "of", "active", "terminal"];
    is_no_end(text) || without_prefix(text, ANY).is_some_and(|rest| words(rest).first().is_some_and(|it| of.contains(&it.as_str())))
}

/// Whether a text stands for the states that are no ends: `non-terminal`, `nonterminal states`.
fn is_no_end(text: &str) -> bool {
    let words = words(text).join(" ");
    let bare = [" states", " state", " statuses", " status"].iter().find_map(|it| words.strip_suffix(it)).unwrap_or(&words);
    matches!(bare, "non terminal" | "nonterminal" | "not terminal" | "non final" | "nonfinal" | "not final")
}

/// The states that a pattern such as `review.*` stands for; a name is itself. `None` if there are none.
fn matching(named: &Named, known: &Known) -> Option<Vec<Named>> {
    if !named.name.contains('*') {
        return Some(vec![named.clone()]);
    }
    let stem = named.name.strip_suffix('*').filter(|it| !it.is_empty() && !it.contains('*'))?;
    let fits = known.sources.union(&known.targets).filter(|it| it.starts_with(stem));
    let all: Vec<Named> = fits.map(|it| Named { name: it.clone(), ..named.clone() }).collect();
    (!all.is_empty()).then_some(all)
}
