//! What cells of tables say: names of states, `any (except X)`, `(unchanged)`, `(none — terminal)`, several events.

use std::collections::BTreeSet;
use std::ops::Range;

use super::column::Column;
use super::foreign::{self, Style};
use super::label::{self, Label};
use super::phrase::{self, outside_brackets, split_arrow, without_prefix, words};
use crate::names::is_name;

/// A cell: its text, and the parts in backticks.
#[derive(Debug, Clone, Default)]
pub(super) struct Cell {
    pub(super) text: String,
    pub(super) codes: Vec<String>,
    pub(super) range: Range<usize>,
}

/// A state in a cell, with what stands in brackets behind it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Named {
    pub(super) name: String,
    pub(super) initial: bool,
    pub(super) terminal: bool,
    /// The text behind the name, if it says something else: `(by hand)`.
    pub(super) note: Option<String>,
}

/// The states in a cell, and whether only the spelling tells that these are several.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct States {
    pub(super) named: Vec<Named>,
    pub(super) guessed: bool,
}

impl States {
    /// Whether this is one state, of the same name: `stays a` is another text than `a`.
    fn is_only(&self, named: &Named) -> bool {
        matches!(self.named.as_slice(), [only] if only.name == named.name)
    }

    /// Whether none of several names is the value of a field, as in `open`, `count = 1`.
    fn are_no_values(&self) -> bool {
        self.named.len() == 1 || !self.named.iter().any(|it| it.name.contains('='))
    }

    fn is_short(&self, known: &Known) -> bool {
        self.named.len() > 1 && self.named.iter().any(|it| known.may_be_short(&it.name))
    }
}

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

/// What a cell of events says: `push`, `kick` (hard).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Events {
    /// Events, guard and effects.
    pub(super) label: Label,
    /// Whether a slash was read as "or".
    pub(super) guessed: bool,
    /// The remarks behind events.
    pub(super) notes: Vec<String>,
}

/// The texts that tables use for states beyond doubt: a cell `a/b` is two states if both are among them.
#[derive(Debug, Default)]
pub(super) struct Known {
    pub(super) sources: BTreeSet<String>,
    pub(super) targets: BTreeSet<String>,
    /// The names that are alone in a cell.
    pub(super) alone: BTreeSet<String>,
    /// The texts with a remark in brackets, `stalled (no progress)`, of sources and of targets.
    pub(super) remarked: [BTreeSet<String>; 2],
    pub(super) style: Style,
}

impl Known {
    pub(super) fn has(&self, name: &str) -> bool {
        self.sources.contains(name) || self.targets.contains(name)
    }

    /// Whether the table has a name both as a source and as a target, so that it is a name however it reads.
    pub(super) fn has_both(&self, name: &str) -> bool {
        self.sources.contains(name) && self.targets.contains(name)
    }

    /// Whether it is open what a text with brackets names: of `stalled (no progress)` and `stalled (crashed)`, both may be `stalled`.
    fn is_open(&self, name: &str) -> bool {
        let stem = |it: &str| it.split('(').next().unwrap_or(it).trim().to_owned();
        let [sources, targets] = &self.remarked;
        let others = || sources.union(targets).filter(|it| it.as_str() != name && stem(it) == stem(name));
        name.ends_with(')') && !(sources.contains(name) && targets.contains(name)) && others().next().is_some()
    }

    /// Whether a name may be short for another one: `CONFIRMED_PAID / DEPOSIT` beside `CONFIRMED_DEPOSIT`.
    fn may_be_short(&self, name: &str) -> bool {
        let ends = |it: &String| it.strip_suffix(name).is_some_and(|it| it.ends_with(['_', ' ', '-', '.']));
        !self.alone.contains(name) && self.alone.iter().any(ends)
    }
}

impl Cell {
    fn words(&self) -> Vec<String> {
        words(&self.text)
    }

    /// A part of the cell as a cell.
    pub(super) fn part(&self, text: &str) -> Cell {
        let codes = self.codes.iter().filter(|it| text.contains(it.as_str())).cloned().collect();
        Cell { text: text.trim().to_owned(), codes, range: self.range.clone() }
    }

    /// The source and the target of a cell such as `A → B`; `None` if its text is no single step. The source of `→ B` is empty.
    pub(super) fn step(&self) -> Option<(Cell, Cell)> {
        let (from, to) = split_arrow(&self.text)?;
        // `A <-> B` is two steps, and `A --go--> B` has its event inside.
        let is_plain = !from.ends_with(['<', '-', '—']) && ![" --", "--", "↔", "⇄", "⇔", "←"].iter().any(|it| from.contains(it));
        (is_plain && !words(to).is_empty() || to.contains("[*]")).then(|| (self.part(from), self.part(to)))
    }

    /// The names in backticks, if the cell consists of them.
    pub(super) fn only_codes(&self) -> bool {
        !self.codes.is_empty() && self.words_outside_codes().iter().all(|it| it == "or" || it == "and")
    }

    /// The names in backticks, if the cell consists of several, and not of alternatives.
    pub(super) fn several_codes(&self) -> Option<Vec<String>> {
        let are_all = self.codes.len() > 1 && self.only_codes() && !self.words_outside_codes().contains(&"or".to_owned());
        are_all.then(|| self.codes.clone())
    }

    fn words_outside_codes(&self) -> Vec<String> {
        words(&self.codes.iter().fold(self.text.clone(), |text, code| text.replacen(code.as_str(), "", 1)))
    }

    /// The names that a cell begins with, as far as it is a list: of `` `open`; a bell rings ``, `open`.
    pub(super) fn leading_names(&self) -> Vec<String> {
        let mut names = Vec::new();
        for part in self.text.split([',', ';', '\n', '(']).flat_map(|it| it.split(" or ")).flat_map(|it| it.split(" / ")).map(str::trim) {
            match self.codes.iter().filter(|it| part.starts_with(it.as_str())).max_by_key(|it| it.len()) {
                Some(code) if *code != part => {
                    names.push(code.clone());
                    break;
                }
                _ => names.push(part.to_owned()),
            }
        }
        names
    }

    /// Whether the text is in brackets, or something else than a word.
    fn is_wrapped(&self) -> bool {
        let text = self.text.trim();
        [('(', ')'), ('[', ']'), ('<', '>'), ('_', '_')].iter().any(|(open, close)| text.starts_with(*open) && text.ends_with(*close))
            || text.starts_with(['—', '–', '-'])
    }

    fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// Whether the cell says that there is nothing, for columns other than those of states.
    pub(super) fn is_nothing(&self) -> bool {
        phrase::is_nothing(&self.text) && !self.is_only_signs()
    }

    /// Whether the cell has signs such as `✅` or `?`, whose meaning only a reader knows.
    pub(super) fn is_only_signs(&self) -> bool {
        self.words().is_empty() && !self.is_empty_sign()
    }

    /// The names that a cell contains beyond doubt.
    pub(super) fn sure_names(&self) -> Vec<String> {
        let is_doubtful = |it: &str| it.contains(['/', '&', '(', '|', '*', '→']) || it.contains(" and ") || it.contains("->");
        let is_any = |it: &str| matches!(it.to_lowercase().as_str(), "any" | "every" | "each" | "all") || is_any_state(it);
        pieces(self).into_iter().filter(|it| !is_doubtful(it) && !is_any(it) && !words(it).is_empty()).collect()
    }

    /// The names with a remark in brackets that a cell contains.
    pub(super) fn remarked(&self) -> impl Iterator<Item = String> {
        pieces(self).into_iter().filter(|it| it.contains('('))
    }

    /// The states before a step; a cell in another style than the states may say anything.
    pub(super) fn source(&self, known: &Known) -> Source {
        match self.source_in_any_style(known) {
            Source::States(_) if self.is_no_state_of(known) => Source::Unclear,
            source => source,
        }
    }

    fn source_in_any_style(&self, known: &Known) -> Source {
        let text = self.text.trim();
        if self.is_blank() || matches!(text, "\"" | "″" | "〃" | "''" | "↑" | "^") || self.words() == ["ditto"] {
            return Source::Blank;
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
        if self.is_bracketed() || words.is_empty() {
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

    /// Whether each of the texts that were taken for names can be one: `b` and `stays a` cannot.
    fn are_names(&self, states: &States, known: &Known, is_state: impl Fn(&Named) -> bool) -> bool {
        let is_name = |it: &Named| (!phrase::is_remark(&it.name) || known.has_both(&it.name)) && !known.is_open(&it.name);
        // A single name is the cell itself, which was looked at.
        states.are_no_values() && states.named.iter().all(is_name) && (states.named.len() == 1 || states.named.iter().all(is_state))
    }

    /// `(deleted or discarded)`: a remark rather than the name of a state.
    fn is_bracketed(&self) -> bool {
        let text = self.text.trim();
        text.strip_prefix('(').and_then(|it| it.strip_suffix(')')).is_some_and(|it| !it.contains(['(', ')']))
    }

    /// Whether the cell has only a dash or a dot, as for a start or an end.
    fn is_empty_sign(&self) -> bool {
        let signs = ['-', '–', '—', '―', '−', '_', '∅', 'ø', '●', '○', '◉', '⊙', '•', '[', ']', '*', '(', ')', '<', '>', '`', ' '];
        self.text.chars().all(|it| signs.contains(&it))
    }

    /// A state with words before it: `stays open`, `back to open`; `None` if there are none.
    fn behind_words(&self, known: &Known) -> Option<Target> {
        const BEFORE: &[&str] = &[
            "stays in",
            "stays at",
            "stays",
            "stay in",
            "stay",
            "remains in",
            "remains",
            "remain in",
            "still",
            "keeps",
            "back to",
            "returns to",
            "return to",
            "goes to",
            "go to",
            "moves to",
            "falls through to",
            "falls back to",
        ];
        let name = without_prefix(&self.text, BEFORE)?.trim();
        if known.sources.contains(self.text.trim()) || name.is_empty() {
            return None;
        }
        let states = states(&self.part(name), known);
        let is_known = !states.named.is_empty() && states.named.iter().all(|it| known.has(&it.name));
        Some(if is_known { Target::States(states) } else { Target::Unclear })
    }

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

    /// `*`
    fn is_any_sign(&self) -> bool {
        self.text.trim().trim_matches(['(', ')', '`', '"']) == "*"
    }

    /// `any`, `ANY (except X, Y)`, `any non-X`, `all but X`, `any non-terminal state`.
    fn any(&self, known: &Known) -> Option<Source> {
        let every = Source::Any { except: Vec::new(), but_terminal: false };
        if self.is_any_sign() {
            return Some(every);
        }
        let text = self.text.trim();
        let inside = text.strip_prefix('(').and_then(|it| it.strip_suffix(')')).unwrap_or(text);
        if known.has_both(text) {
            return None;
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

    /// What a step leads to; a cell in another style than the states may say anything.
    pub(super) fn target(&self, known: &Known, adjacency: bool) -> Target {
        match self.target_in_any_style(known, adjacency) {
            Target::States(_) if self.is_no_state_of(known) => Target::Unclear,
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

    fn target_in_any_style(&self, known: &Known, adjacency: bool) -> Target {
        let text = self.text.trim();
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
        if split_arrow(text).is_some_and(|(before, _)| !self::words(before).is_empty()) && !is_known {
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
        const ENDS: &[&str] = &["terminal", "final", "sink", "end", "absorbing", "dead"];
        const MORE: &[&str] = &[
            "state",
            "states",
            "transition",
            "transitions",
            "outgoing",
            "further",
            "out",
            "possible",
            "allowed",
            "valid",
            "next",
            "is",
            "the",
            "this",
            "and",
        ];
        let filler: Vec<&str> = [EMPTY, ENDS, MORE].concat();
        if all(&filler) && (any(EMPTY) || any(ENDS)) {
            // `End` can be the name of a state; `(end)`, `none — terminal` and `terminal` are not.
            let may_be_name = is(&["end", "final", "sink", "dead"]) && !self.is_wrapped();
            if may_be_name && !adjacency {
                return None;
            }
            return Some(if any(ENDS) || any(&["outgoing", "further"]) || adjacency { Target::End } else { Target::Nothing });
        }
        if phrase::stays(&self.text) {
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

    /// What a cell of events says.
    pub(super) fn events(&self) -> Events {
        let (label, guessed, notes) = self.events_and_notes();
        Events { label, guessed, notes }
    }

    fn events_and_notes(&self) -> (Label, bool, Vec<String>) {
        let several = |events: Vec<String>| Label { events: distinct(events), ..Label::default() };
        let alternatives = outside_brackets(&self.text, &[" / "]);
        let slash = alternatives.len() > 1;
        // Of `a` and `b`, neither is enough.
        if self.only_codes() && self.codes.len() > 1 && !self.words_outside_codes().contains(&"and".to_owned()) {
            return (several(self.codes.clone()), slash, Vec::new());
        }
        const SEPARATORS: &[&str] = &[",", ";", "|", "\n", " or "];
        let list = if slash { self.list_of_codes(&[SEPARATORS, &[" / "]].concat()) } else { self.list(SEPARATORS) };
        if let Some(list) = list.filter(|it| !it.notes.is_empty()) {
            return (several(list.names), slash, list.notes);
        }
        let lines: Vec<String> = self.text.split('\n').map(|it| it.trim().to_owned()).filter(|it| !it.is_empty()).collect();
        if lines.len() > 1 {
            return (several(lines), false, Vec::new());
        }
        if self.text.contains(" / ") && !slash {
            return (several(vec![self.text.clone()]), false, Vec::new());
        }
        let label = label::parse(&self.text);
        if !label.effects.is_empty() && label.guard.is_none() && slash {
            return (several(alternatives.iter().map(|it| it.trim().to_owned()).filter(|it| !it.is_empty()).collect()), true, Vec::new());
        }
        let pieces: Vec<String> = self.text.split([',', ';', '|']).flat_map(|it| it.split(" or ")).map(|it| it.trim().to_owned()).collect();
        if pieces.len() > 1 && pieces.iter().all(|it| is_name(it)) {
            return (several(pieces), false, Vec::new());
        }
        (label, false, Vec::new())
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
            "yes" | "y" | "true" | "allowed" | "valid" | "legal" | "permitted" | "ok" | "x" | "ja" | "oui" | "sí" | "да" | "是" => {
                Some(true)
            }
            "no" | "n" | "false" | "nein" | "non" | "нет" | "否" | "not allowed" | "forbidden" | "invalid" | "illegal" | "denied"
            | "not permitted" | "disallowed" => Some(false),
            _ => None,
        }
    }
}

const ANY: &[&str] = &["anything", "anywhere", "any", "all", "every", "each", "*"];

/// Whether a text says that it stands for several states: `any state`, `all non-terminal`.
fn is_any_state(text: &str) -> bool {
    let of = ["state", "states", "status", "statuses", "non", "not", "except", "excluding", "but", "other", "of", "active", "terminal"];
    without_prefix(text, ANY).is_some_and(|rest| words(rest).first().is_some_and(|it| of.contains(&it.as_str())))
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

fn distinct(texts: Vec<String>) -> Vec<String> {
    let mut distinct: Vec<String> = Vec::new();
    for text in texts {
        if !distinct.contains(&text) {
            distinct.push(text);
        }
    }
    distinct
}

/// The names in a cell: each in backticks, or separated by commas and similar signs.
fn pieces(cell: &Cell) -> Vec<String> {
    let pieces: Vec<String> =
        if cell.only_codes() { cell.codes.clone() } else { outside_brackets(&cell.text, &[",", ";", "\n", " or ", " / "]) };
    let clean = pieces.iter().map(|it| it.trim().trim_start_matches("or ").trim_start_matches(['→', '⇒']).trim_matches(['`', '"', ' ']));
    distinct(clean.filter(|it| !it.is_empty()).map(str::to_owned).collect())
}

fn states(cell: &Cell, known: &Known) -> States {
    let mut found = States::default();
    let pieces = pieces(cell);
    for piece in &pieces {
        let whole = unabbreviated(&pieces[0], piece, known);
        let named = named(whole.as_deref().unwrap_or(piece), known);
        if known.has(&named.name) {
            found.named.push(named);
            continue;
        }
        // `A/B/C`, `A and B`: several states if these are states elsewhere, or if nothing else is likely.
        let parts: Vec<&str> =
            named.name.split(['/', '|', '&']).flat_map(|it| it.split(" and ")).map(str::trim).filter(|it| !it.is_empty()).collect();
        let all_known = parts.iter().all(|it| known.has(it));
        let alike = named.name.contains('/') && parts.iter().all(|it| it.len() > 1 && is_name(it));
        if parts.len() > 1 && (all_known || alike) {
            found.guessed |= !all_known;
            found.named.extend(parts.into_iter().map(|it| Named { name: it.to_owned(), ..named.clone() }));
        } else {
            found.named.push(named);
        }
    }
    found
}

/// `REVIEW_FAILED` of `REVIEW_OPEN / FAILED`, if there is such a state.
fn unabbreviated(first: &str, piece: &str, known: &Known) -> Option<String> {
    let begins = first.match_indices('_').map(|(at, mark)| &first[..at + mark.len()]);
    begins.map(|it| format!("{it}{piece}")).find(|it| first != it && first != piece && known.has(it))
}

/// `Done (terminal)`, `Open (initial)`, `Done — by hand` beside `Done`.
fn named(piece: &str, known: &Known) -> Named {
    let plain = |name: &str| Named { name: name.to_owned(), initial: false, terminal: false, note: None };
    if known.has(piece) {
        let remark = ["—", "–", " - ", ": "].iter().find_map(|it| piece.split_once(it).map(|(name, _)| name.trim()));
        return match remark.filter(|it| known.alone.contains(*it) && !known.has_both(piece)) {
            Some(name) => Named { note: Some(piece[name.len()..].trim().to_owned()), ..plain(name) },
            None => plain(piece),
        };
    }
    let Some((name, note)) = piece.strip_suffix(')').and_then(|it| it.split_once('(')) else { return plain(piece) };
    let name = name.trim();
    let words = words(note);
    let says = |set: &[&str]| !words.is_empty() && words.iter().all(|it| set.contains(&it.as_str()) || it == "state");
    let (initial, terminal) = (says(&["initial", "start", "default", "entry"]), says(&["terminal", "final", "end", "sink", "absorbing"]));
    let is_known = known.has(name) || (name.contains('/') && name.split('/').all(|it| known.has(it.trim()) || is_name(it)));
    if name.is_empty() || !(initial || terminal || is_known) {
        return plain(piece);
    }
    let note = (!initial && !terminal).then(|| format!("({})", note.trim()));
    Named { name: name.to_owned(), initial, terminal, note }
}
