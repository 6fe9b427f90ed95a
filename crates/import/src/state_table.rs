//! Tables of the states of a machine of the page: which of them are starts and ends, and columns that would need both sides of a step.

use std::collections::BTreeSet;
use std::ops::Range;

use statespec_lang::names::snake;
use statespec_lang::source::{SourceId, Span};

use super::cell::Cell;
use super::column::{Column, Columns};
use super::draft::{Draft, From};
use super::foreign;
use super::held_against::states_of;
use super::other_tables::only_name;
use super::phrase::words;
use super::span;
use super::table::Table;

/// A table with a column of states of a machine.
pub(super) struct StateTable<'a> {
    table: &'a Table,
    /// The column of the states.
    column: usize,
    /// The states of the machine that each row names.
    states: Vec<Vec<usize>>,
}

/// What a column says of states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Trait {
    Initial,
    Terminal,
}

/// What a column of a table of states says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Says {
    /// By yes and no, which states have this trait.
    YesOrNo(Trait),
    /// By words such as `initial`, which trait a state has.
    Words,
}

impl<'a> StateTable<'a> {
    /// `None` if no column names states of the machine in most rows.
    pub(super) fn new(table: &'a Table, draft: &Draft) -> Option<Self> {
        let of_headings = Columns::new(&table.head, None).of;
        let has_traits = table.head.iter().any(|it| of_heading(&it.text).is_some());
        let is_of_states = |it: &usize| {
            (*it == 0 && has_traits) || matches!(of_headings[*it], Column::From | Column::To) || names_states(&table.head[*it].text)
        };
        let best = |of: &dyn Fn(&usize) -> bool| {
            let all = (0..table.head.len()).filter(of).map(|column| StateTable::of_column(table, column, draft));
            let best = all.max_by_key(|it| (it.n_rows(), std::cmp::Reverse(it.column)));
            best.filter(|it| it.n_rows() > 1 && it.n_rows() * 2 >= table.rows.len())
        };
        // Beside names for people, the names of the machine have a column of their own, such as `Code`.
        best(&is_of_states).or_else(|| best(&|_| has_traits).filter(StateTable::has_a_row_for_each))
    }

    /// A table with the states of a machine in this column; a row that lacks the column, or names none, has none.
    fn of_column(table: &'a Table, column: usize, draft: &Draft) -> Self {
        let states = |row: &Vec<Cell>| row.get(column).map_or_else(Vec::new, |it| states_of(draft, it));
        StateTable { table, column, states: table.rows.iter().map(states).collect() }
    }

    /// The sources of a table of steps, if each row has other ones.
    pub(super) fn of_sources(table: &'a Table, column: Option<usize>, draft: &Draft) -> Option<Self> {
        Some(StateTable::of_column(table, column?, draft)).filter(StateTable::has_a_row_for_each)
    }

    pub(super) fn column(&self) -> usize {
        self.column
    }

    /// The table for a machine all of whose states it names.
    pub(super) fn of_whole(table: &'a Table, column: usize, draft: &Draft) -> Option<Self> {
        let states = StateTable::of_column(table, column, draft);
        let named: BTreeSet<&usize> = states.states.iter().flatten().collect();
        (named.len() > 1 && named.len() == draft.states.len()).then_some(states)
    }

    /// The columns that say by yes and no which states are starts or ends.
    pub(super) fn traits(&self) -> Vec<usize> {
        (0..self.table.head.len()).filter(|it| matches!(self.says(*it), Some(Says::YesOrNo(_)))).collect()
    }

    /// Whether each row names another state.
    fn has_a_row_for_each(&self) -> bool {
        let mut seen = BTreeSet::new();
        self.states.iter().flatten().all(|it| seen.insert(it))
    }

    /// The number of rows that name states.
    pub(super) fn n_rows(&self) -> usize {
        self.states.iter().filter(|it| !it.is_empty()).count()
    }

    /// Reads the columns that say which states are starts and ends, and tells which columns are about steps. `is_drawn` tells that the
    /// machine is a diagram, which wins.
    pub(super) fn read(&self, draft: &mut Draft, is_drawn: bool, id: SourceId) {
        self.read_traits(draft, is_drawn, id);
        self.aside(draft, id);
        let of_headings = Columns::new(&self.table.head, None).of;
        // Beside the states that steps lead to, the other columns are about steps.
        let is_of_targets = of_headings[self.column] == Column::To;
        let is_unread = |heading: &str| of_heading(heading).is_some();
        let is_of_steps = |it: &usize| {
            let heading = &self.table.head[*it].text;
            let is_left_out = is_of_targets || is_unread(heading) || is_of_steps(of_headings[*it], heading);
            *it != self.column && self.says(*it).is_none() && is_left_out
        };
        let names: Vec<String> =
            (0..self.table.head.len()).filter(is_of_steps).map(|it| format!("`{}`", self.table.head[it].text)).collect();
        if !names.is_empty() {
            let message =
                format!("this table names states, but not both sides of a step: the contents of {} were left out", names.join(", "));
            draft.found.loss(span(id, self.table.head_range()), message);
        }
    }

    /// Whether a column says which states are starts or ends.
    pub(super) fn has_traits(&self) -> bool {
        !self.traits().is_empty()
    }

    /// Reads the columns that say which states are starts and ends.
    pub(super) fn read_traits(&self, draft: &mut Draft, is_drawn: bool, id: SourceId) {
        for column in 0..self.table.head.len() {
            let Some(says) = self.says(column) else { continue };
            self.remarks(column, says, draft, id);
            if says != Says::YesOrNo(Trait::Initial) {
                self.terminal(column, draft, is_drawn, id);
            }
            if says != Says::YesOrNo(Trait::Terminal) {
                self.initial(column, draft, id);
            }
        }
    }

    /// Tells what other columns say in passing of starts and ends: `Blocked (terminal)`.
    fn aside(&self, draft: &mut Draft, id: SourceId) {
        let others = (0..self.table.head.len()).filter(|it| *it != self.column && self.says(*it).is_none());
        for (states, cell) in others.flat_map(|it| self.cells(it)).filter(|it| !it.0.is_empty()) {
            let said: Vec<Trait> = cell.text.split(['(', ')', '.', ';', ',', ':']).filter_map(trait_in_passing).collect();
            let is_known = |state: &usize, said: &Trait| match said {
                Trait::Initial => draft.states[*state].initial,
                Trait::Terminal => draft.states[*state].terminal,
            };
            if states.iter().any(|state| said.iter().any(|it| !is_known(state, it))) {
                let message = format!("`{}`: what this says of a start or an end was left out", cell.text);
                draft.found.loss(span(id, cell.range.clone()), message);
            }
        }
    }

    fn cells(&self, column: usize) -> impl Iterator<Item = (&[usize], &Cell)> {
        self.states.iter().zip(&self.table.rows).filter_map(move |(states, row)| Some((states.as_slice(), row.get(column)?)))
    }

    /// What a column says of the states, if it says whether they are starts or ends.
    fn says(&self, column: usize) -> Option<Says> {
        let heading = &self.table.head[column].text;
        let Some(found) = of_heading(heading) else {
            let has_words = || self.cells(column).any(|(_, it)| trait_of(it).is_some());
            return (column != self.column && is_of_kinds(heading) && has_words()).then_some(Says::Words);
        };
        let n_known = self.cells(column).filter(|(_, it)| is_yes(it).is_some()).count();
        (n_known * 2 > self.table.rows.len()).then_some(Says::YesOrNo(found))
    }

    /// The names in the column of states that no machine has, where the cell consists of one.
    pub(super) fn unknown(&self, is_known: impl Fn(&str) -> bool) -> Vec<(Range<usize>, String)> {
        if !names_states(&self.table.head[self.column].text) || Columns::new(&self.table.head, None).of[self.column] == Column::To {
            return Vec::new();
        }
        let unknown = self.cells(self.column).filter(|(states, _)| states.is_empty());
        let named = unknown.filter_map(|(_, cell)| Some((cell.range.clone(), only_name(cell)?)));
        named.filter(|(_, name)| !is_known(name) && !REST.contains(&name.to_lowercase().as_str())).collect()
    }

    /// Tells what stands behind the words that were read.
    fn remarks(&self, column: usize, says: Says, draft: &mut Draft, id: SourceId) {
        let is_read = |cell: &Cell| if says == Says::Words { trait_of(cell).is_some() } else { is_yes(cell).is_some() };
        for (_, cell) in self.cells(column).filter(|(states, cell)| !states.is_empty() && is_read(cell)) {
            if let Some(at) = cell.text.find(REMARKS).filter(|at| !words(&cell.text[..*at]).is_empty()) {
                let (said, remark) = (cell.text[..at].trim(), cell.text[at..].trim());
                draft.found.loss(span(id, cell.range.clone()), format!("`{remark}` behind `{said}` was left out"));
            }
        }
    }

    fn terminal(&self, column: usize, draft: &mut Draft, is_drawn: bool, id: SourceId) {
        let mut marked = Vec::new();
        for (states, cell) in self.cells(column) {
            let place = span(id, cell.range.clone());
            let is_end = match self.says(column) {
                Some(Says::Words) if trait_of(cell) == Some(Trait::Terminal) => Some(true),
                Some(Says::Words) => continue,
                _ => is_yes(cell),
            };
            let Some(is_end) = is_end else {
                draft.found.loss(place, "whether these states are terminal cannot be told: nothing was imported from this cell");
                continue;
            };
            for &state in states {
                let name = draft.states[state].id.clone();
                if draft.states[state].terminal == is_end {
                    continue;
                }
                let message = match is_end {
                    false => format!("`{name}` is terminal elsewhere, but this table says that it is not: it stays so"),
                    true if has_way_out(draft, state) => {
                        format!("this table says that `{name}` is terminal, but it has a way out: it was not marked")
                    }
                    true if is_drawn => {
                        format!("this table says that `{name}` is terminal, but the diagram does not: the diagram was imported")
                    }
                    true => {
                        draft.states[state].terminal = true;
                        marked.push(state);
                        continue;
                    }
                };
                draft.found.loss(place, message);
            }
        }
        tell_ends_in_every_state(draft, &marked);
    }

    fn initial(&self, column: usize, draft: &mut Draft, id: SourceId) {
        for (states, cell) in self.cells(column) {
            let is_start = match self.says(column) {
                Some(Says::Words) => trait_of(cell) == Some(Trait::Initial),
                _ => is_yes(cell) == Some(true),
            };
            for &state in states.iter().filter(|_| is_start) {
                let starts: Vec<usize> =
                    draft.inside(draft.states[state].parent).into_iter().filter(|it| draft.states[*it].initial).collect();
                if starts.is_empty() {
                    draft.states[state].initial = true;
                } else if !starts.contains(&state) {
                    let message = format!(
                        "this table says that `{}` is initial, but the machine starts in `{}`",
                        draft.states[state].id, draft.states[starts[0]].id
                    );
                    draft.found.loss(span(id, cell.range.clone()), message);
                }
            }
        }
    }
}

/// The signs before a remark.
const REMARKS: [char; 6] = ['(', '（', '*', ':', ';', ','];

/// The names of rows for all other states.
const REST: &[&str] = &["other", "others", "else", "otherwise", "default"];

/// Whether a row leads from a state, or from one around it, to another one.
fn has_way_out(draft: &Draft, state: usize) -> bool {
    draft.rows.iter().any(|row| match row.from {
        From::State(from) => draft.is_in(state, Some(from)) && row.to.is_some_and(|to| to != state),
        _ => false,
    })
}

/// Tells that rows of every state include these ends.
fn tell_ends_in_every_state(draft: &mut Draft, ends: &[usize]) {
    let leads = |row: &super::draft::Row| ends.iter().find(|it| row.from == From::Any && !row.except.contains(it) && row.to != Some(**it));
    let found: Vec<(Span, usize)> = draft.rows.iter().filter_map(|row| Some((row.span, *leads(row)?))).collect();
    for (place, end) in found {
        let message = format!("every state includes ends such as `{}`", draft.states[end].id);
        draft.found.assumed(place, message);
    }
}

/// `Terminal?`, `Is final`, `Initial`
fn of_heading(heading: &str) -> Option<Trait> {
    const FILLER: &[&str] = &["is", "a", "an", "the", "state", "status", "it"];
    const FOREIGN: &[&str] = &[
        "终态",
        "是否终态",
        "终止状态",
        "終了状態",
        "最終状態",
        "종료 상태",
        "종료 상태 여부",
        "최종 상태",
        "최종 상태 여부",
        "endzustand",
    ];
    // `isFinal` is three words in one.
    let words = words(&if heading.contains(char::is_whitespace) { heading.to_owned() } else { snake(heading) });
    if FOREIGN.contains(&words.join(" ").as_str()) {
        return Some(Trait::Terminal);
    }
    let mut rest = words.iter().map(String::as_str).filter(|it| !FILLER.contains(it));
    let first = rest.next();
    first.filter(|_| rest.next().is_none()).and_then(of_word)
}

fn of_word(word: &str) -> Option<Trait> {
    match word {
        "terminal" | "final" | "end" => Some(Trait::Terminal),
        "initial" | "start" => Some(Trait::Initial),
        _ => None,
    }
}

/// Whether a heading says that its column has the kinds of states: `Type`.
fn is_of_kinds(heading: &str) -> bool {
    const KINDS: &[&str] = &["type", "kind", "category", "class"];
    let words = words(heading);
    words.last().is_some_and(|it| KINDS.contains(&it.as_str())) && words.len() < 3
}

/// The trait that a cell consists of, also before a remark: `Terminal (by hand)`, `initial state`.
fn trait_of(cell: &Cell) -> Option<Trait> {
    trait_of_text(cell.text.split(REMARKS).next().unwrap_or(&cell.text))
}

/// The trait that a phrase is about: `Terminal error state`.
fn trait_in_passing(said: &str) -> Option<Trait> {
    let words = words(said);
    let (first, last) = (words.first()?, words.last()?);
    let is_sure = words.len() == 1 || matches!(last.as_str(), "state" | "status");
    of_word(first).filter(|_| is_sure)
}

fn trait_of_text(said: &str) -> Option<Trait> {
    match words(said).iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [word] | [word, "state" | "status"] => of_word(word),
        _ => None,
    }
}

/// Whether a heading has a word for states, in any language.
fn names_states(heading: &str) -> bool {
    let of_states = ["state", "states", "status", "statuses", "phase", "stage"];
    words(heading).iter().any(|it| of_states.contains(&it.as_str())) || foreign::speaks_of_states(heading)
}

/// Whether a column is about steps: what it says of a state alone has no place in a spec.
fn is_of_steps(column: Column, heading: &str) -> bool {
    const STEPS: &[&str] = &["action", "actions", "command", "commands", "operations"];
    // Whatever the other words say, `Entry condition` and `Entered when` tell when a step is taken.
    const WHEN: &[&str] = &[
        "event",
        "events",
        "trigger",
        "triggers",
        "triggered",
        "guard",
        "guards",
        "condition",
        "conditions",
        "precondition",
        "preconditions",
        "criteria",
        "criterion",
        "when",
        "transition",
        "transitions",
        "entry",
        "exit",
        "enter",
        "enters",
        "entered",
        "exits",
        "exited",
        "timeout",
        "timeouts",
    ];
    let is_known = matches!(column, Column::Guard | Column::Event | Column::Effect | Column::Actor | Column::Verdict | Column::Forbidden);
    let words = words(heading);
    let has = |set: &[&str], it: &String| set.contains(&it.as_str());
    let is_action = words.last().is_some_and(|it| has(STEPS, it));
    is_known || is_action || words.iter().any(|it| has(WHEN, it))
}

/// Whether a cell says yes or no, also before a remark: `Yes*`, `no (can be sent again)`.
fn is_yes(cell: &Cell) -> Option<bool> {
    let said = cell.text.split(REMARKS).next().unwrap_or(&cell.text);
    let said = cell.part(if words(said).is_empty() { &cell.text } else { said });
    if said.is_empty_sign() { Some(false) } else { said.verdict() }
}
