//! Tables that are no tables of steps: what is said of them.

use std::collections::BTreeSet;

use super::cell::Cell;
use super::column::{self, Column, Columns};
use super::draft::Draft;
use super::held_against::{state_of, states_of, without_remark};
use super::phrase::{between_arrows, split_arrow, words};
use super::table::Table;

/// The sentence about a table of states whose headings do not say what leads where.
const HEADINGS: &str =
    "most rows of this table name states, and the import does not know its headings as the two sides of a step: it was not read";

/// The sentence about a table of what follows events, without the states in which they happen.
pub(super) const NO_SOURCES: &str = "this table names states that steps lead to, but not those that they leave: it was not read";

/// The sentence about a table in which nothing of a machine is known.
pub(super) const NO_STEPS: &str = "the import knows no steps, and no states of a machine, in this table: it was not read";

impl Table {
    /// Whether most rows have two names of which many come back in the other column, as in steps: `a | b`, `b | c`.
    pub(super) fn looks_like_steps(&self) -> bool {
        // Wider tables are those of other things.
        const MAX_COLUMNS: usize = 12;
        let n_columns = self.head.len().min(MAX_COLUMNS);
        let pairs = (0..n_columns).flat_map(|from| (from + 1..n_columns).map(move |to| (from, to)));
        !self.is_about_other_things() && pairs.into_iter().any(|(from, to)| self.is_chain(from, to))
    }

    /// Whether the headings name targets only, and a cell names a state of a machine there.
    pub(super) fn names_targets_of(&self, draft: &Draft) -> bool {
        let (None, Some(to)) = self.sides() else { return false };
        let mut cells = self.rows.iter().filter_map(|it| it.get(to));
        cells.any(|it| it.leading_names().iter().any(|it| state_of(draft, it).is_some()))
    }

    /// Why a table whose rows name states was not read.
    pub(super) fn why_no_steps(&self) -> &'static str {
        match self.sides() {
            (Some(_), Some(_)) => "nothing says that the rows of this table are steps between states: it was not read",
            _ => HEADINGS,
        }
    }

    /// Whether it tells what follows an event, but not in which state: `Event | Next state`, `Event | Outcome`.
    pub(super) fn lacks_sources(&self) -> bool {
        const FOLLOWS: &[&str] = &["outcome", "outcomes", "result", "transition", "state change"];
        let columns = Columns::new(&self.head, None);
        let follows = |it: &Cell| FOLLOWS.contains(&words(&it.text).join(" ").as_str());
        let has_steps = self.rows.iter().flatten().any(|it| between_arrows(&it.text).iter().filter(|it| !it.is_empty()).count() > 1);
        let says_what_follows = columns.has(Column::To) || self.head.iter().any(follows);
        columns.has(Column::Event) && !columns.has(Column::From) && says_what_follows && !has_steps
    }

    /// Whether a column has the ends of several machines: `Terminal states`.
    pub(super) fn lists_ends(&self) -> bool {
        let ends = |it: &Cell| matches!(words(&it.text).as_slice(), [first, second] if first == "terminal" && second.starts_with("state"));
        self.head.iter().skip(1).any(ends)
    }

    /// Whether it names two states of a machine.
    pub(super) fn mentions(&self, draft: &Draft) -> bool {
        let states = |cell: &Cell| match cell.step() {
            Some((from, to)) => [states_of(draft, &from), states_of(draft, &to)].concat(),
            None => states_of(draft, cell),
        };
        let named: BTreeSet<usize> = self.rows.iter().flatten().flat_map(states).collect();
        named.len() > 1
    }

    /// Whether a heading has a word of states or steps, and the rows begin with no numbers, as those of answers of a server do.
    pub(super) fn may_be_of_states(&self, is_around: bool) -> bool {
        const WORDS: &[&str] = &["state", "states", "transition", "transitions", "terminal", "trigger", "triggers"];
        const FIRST: &[&str] = &["status", "statuses"];
        // A longer heading is a phrase about something else.
        const LONGEST: usize = 4;
        let has = |cell: &Cell, set: &[&str]| {
            let words = words(&cell.text);
            words.len() <= LONGEST && words.iter().any(|it| set.contains(&it.as_str()))
        };
        let is_number = |row: &&Vec<Cell>| row.first().is_some_and(|it| it.text.starts_with(|it: char| it.is_ascii_digit()));
        let first = |set: &[&str]| self.head.first().is_some_and(|it| has(it, set));
        let speaks = first(&["state", "states"]) || (is_around && (self.head.iter().any(|it| has(it, WORDS)) || first(FIRST)));
        speaks && self.rows.iter().filter(is_number).count() * 2 < self.rows.len()
    }

    /// Whether most cells of another column begin with the name of a state in code marks.
    pub(super) fn names_states_beside(&self, column: usize, is_state: impl Fn(&str) -> bool) -> bool {
        let names = |cell: &Cell| cell.codes.first().is_some_and(|it| cell.text.trim().starts_with(it.as_str()) && is_state(it));
        let n_named = |idx: &usize| self.rows.iter().filter_map(|it| it.get(*idx)).filter(|it| names(it)).count();
        let n_least = self.rows.len().div_ceil(2);
        (0..self.head.len()).filter(|it| *it != column).any(|it| n_named(&it) >= n_least)
    }

    /// Whether a column of transitions has an arrow.
    pub(super) fn has_transitions(&self) -> bool {
        let is_of_steps = |it: &Cell| column::of_steps(&it.text).is_some() && words(&it.text).iter().any(|it| it.starts_with("transition"));
        let column = self.head.iter().position(is_of_steps);
        column.is_some_and(|idx| self.rows.iter().filter_map(|it| it.get(idx)).any(|it| split_arrow(&it.text).is_some()))
    }

    fn is_chain(&self, from: usize, to: usize) -> bool {
        let pair = |row: &Vec<Cell>| Some((only_name(row.get(from)?)?, only_name(row.get(to)?)?));
        let pairs: BTreeSet<(String, String)> = self.rows.iter().filter_map(pair).filter(|(from, to)| from != to).collect();
        let n_named = self.rows.iter().filter_map(pair).count();
        let sources: BTreeSet<&String> = pairs.iter().map(|it| &it.0).collect();
        let targets: BTreeSet<&String> = pairs.iter().map(|it| &it.1).collect();
        let n_both = sources.intersection(&targets).count();
        pairs.len() > 1 && n_named * 2 > self.rows.len() && n_both > 0 && n_both * 2 >= sources.len().min(targets.len())
    }

    /// Whether its headings say that it relates other things than states: `Task`, `Depends on`.
    fn is_about_other_things(&self) -> bool {
        let others =
            ["depends", "dependency", "dependencies", "requires", "blocks", "parent", "child", "type", "default", "likelihood", "impact"];
        self.head.iter().flat_map(Cell::words).any(|it| others.contains(&it.as_str())) || Columns::new(&self.head, None).tests.is_some()
    }
}

/// The name that a cell consists of: in code marks, or one word that is neither a number nor a degree.
pub(super) fn only_name(cell: &Cell) -> Option<String> {
    const DEGREES: &[&str] = &[
        "yes", "no", "true", "false", "none", "low", "medium", "high", "critical", "ok", "pass", "fail", "optional", "required", "any",
        "all",
    ];
    const MAX_CHARS: usize = 32;
    let whole = cell.text.trim();
    let text = without_remark(whole).unwrap_or(whole);
    let words = words(text);
    let is_word = !text.contains(char::is_whitespace) && text.chars().count() <= MAX_CHARS && text.starts_with(char::is_alphabetic);
    let is_name = (cell.codes.len() == 1 && cell.codes[0] == text) || is_word;
    let is_degree = matches!(words.as_slice(), [only] if DEGREES.contains(&only.as_str()));
    (is_name && !is_degree && words.iter().any(|it| it.contains(char::is_alphabetic))).then(|| text.to_owned())
}
