//! Reads tables with a row for each state before a step and a column for each state after it: `from \ to`.

use std::collections::BTreeSet;
use std::ops::Range;

use super::cell::Cell;
use super::column::{self, Column};
use super::known::Known;
use super::page::About;
use super::phrase::{self, words};
use super::source::Source;
use super::table::Table;

/// A table of steps in place of a matrix, and what it lacks.
#[derive(Debug)]
pub(super) struct Steps {
    pub(super) table: Table,
    pub(super) losses: Vec<(Range<usize>, String)>,
    pub(super) assumed: Vec<(Range<usize>, String)>,
    /// Whether its cells say in words which steps are allowed, whatever the text around it is about.
    pub(super) is_explicit: bool,
    /// Whether it is open what a cell says.
    pub(super) partial: bool,
    /// Where the cells begin that say more than yes, while others only say yes: exceptions, such as `✓ (owner)`.
    pub(super) exceptions: BTreeSet<usize>,
}

/// What a cell says of the step from its row to its column.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Mark {
    /// Allowed, with the text behind the mark.
    Yes(String),
    /// Not allowed; a dash and an empty cell, too.
    No,
    /// `x`, which some tables have for yes, and others for no.
    Cross,
    /// `no-op`
    Stay,
    /// Some other text.
    Text,
}

/// A matrix whose rows and columns have states as headings.
struct Matrix<'a> {
    table: &'a Table,
    /// The columns of states.
    columns: Vec<usize>,
    marks: Vec<Vec<Mark>>,
}

impl Table {
    /// The steps of a matrix; `None` if this is none, or if it is open what it says.
    ///
    /// `about` is what the text around it speaks of: a corner that names the rows only may be that of anything.
    pub(super) fn steps_of_matrix(&self, about: About) -> Option<Steps> {
        let corner = &self.head.first()?.text;
        let says_rows = names_rows(corner) && about != About::Others;
        let matrix = (leads_from_row_to_column(corner) || says_rows).then(|| Matrix::new(self))??;
        (!says_rows || matrix.is_square()).then(|| matrix.steps())?
    }

    /// Why a table that may be a matrix of states was not read.
    pub(super) fn why_no_matrix(&self) -> Option<&'static str> {
        let corner = &self.head.first()?.text;
        if names_both_sides(corner) {
            return Some(
                "its first heading speaks of both sides of a step, and its other headings or cells are not those of a matrix of states",
            );
        }
        Matrix::new(self).filter(|it| it.columns.len() > 2 && it.is_square() && it.has_marks_only())?;
        match names_rows(corner) {
            true => Some("its rows and its columns are the same states, and which steps its cells allow cannot be told"),
            false => Some(
                "its rows and its columns are the same states, and its first heading does not say that a step leaves those of the rows",
            ),
        }
    }
}

impl<'a> Matrix<'a> {
    /// `None` if rows and columns have other headings than the same names, of which one side may have more.
    fn new(table: &'a Table) -> Option<Self> {
        let rows: Vec<String> = table.rows.iter().map(|it| it.first().map(name)).collect::<Option<_>>()?;
        let known: BTreeSet<&String> = rows.iter().collect();
        let of_headings = column::Columns::new(&table.head, None).of;
        let is_extra = |idx: usize| {
            let cells = table.rows.iter().filter_map(|it| it.get(idx));
            !known.contains(&name(&table.head[idx])) && (of_headings[idx] != Column::Other || cells.map(mark).any(|it| it == Mark::Text))
        };
        let columns: Vec<usize> = (1..table.head.len()).filter(|it| !is_extra(*it)).collect();
        let heads: BTreeSet<String> = columns.iter().map(|it| name(&table.head[*it])).collect();
        let is_distinct = known.len() == rows.len() && heads.len() == columns.len();
        // `[none]` before the first step is no column.
        let are_same = heads.iter().all(|it| known.contains(it)) || rows.iter().all(|it| heads.contains(it) || is_bracketed(it));
        let is_matrix = is_distinct && are_same && rows.len() > 1 && heads.len() > 1;
        let marks = table.rows.iter().map(|row| columns.iter().map(|it| row.get(*it).map_or(Mark::No, mark)).collect()).collect();
        is_matrix.then_some(Matrix { table, columns, marks })
    }

    fn is_square(&self) -> bool {
        self.table.rows.len() == self.columns.len()
    }

    fn has_marks_only(&self) -> bool {
        self.marks.iter().flatten().all(|it| *it != Mark::Text) && self.marks.iter().flatten().any(|it| *it != Mark::No)
    }

    /// The steps, one row for each cell that says one; `None` if the cells do not say which are allowed.
    fn steps(&self) -> Option<Steps> {
        let has = |wanted: &dyn Fn(&Mark) -> bool| self.marks.iter().flatten().any(wanted);
        let has_yes = has(&|it| matches!(it, Mark::Yes(_)));
        let crosses_allow = !has_yes && !has(&|it| *it == Mark::Text);
        let are_events = !has_yes && !has(&|it| *it == Mark::Cross);
        let is_cross_open = has(&|it| *it == Mark::Cross) && (!crosses_allow || self.has_refusals());
        if is_cross_open
            || !has(&|it| !matches!(it, Mark::No | Mark::Stay))
            || (are_events && !self.texts().all(|it| may_be_event(&it.text)))
        {
            return None;
        }
        let mut steps = Steps {
            table: self.heads(),
            losses: self.extra_columns(),
            assumed: Vec::new(),
            is_explicit: self.is_explicit(),
            partial: false,
            exceptions: self.exceptions(),
        };
        for (row, marks) in self.table.rows.iter().zip(&self.marks) {
            let n_before = steps.table.rows.len();
            let n_losses = steps.losses.len();
            let before = self.source(&row[0], &mut steps.assumed);
            for (column, mark) in self.columns.iter().zip(marks) {
                let (head, Some(cell)) = (&self.table.head[*column], row.get(*column)) else { continue };
                let says = match mark {
                    Mark::No => {
                        if let Some(remark) = remark_of_no(cell) {
                            steps.losses.push((cell.range.clone(), format!("`{remark}` was left out")));
                        }
                        continue;
                    }
                    Mark::Yes(rest) => rest.as_str(),
                    Mark::Cross if crosses_allow => "",
                    Mark::Stay if !are_events && name(&row[0]) == name(head) => "",
                    Mark::Text if are_events => cell.text.as_str(),
                    Mark::Cross | Mark::Stay | Mark::Text => {
                        steps.losses.push((cell.range.clone(), "whether this step is allowed cannot be told: it was left out".to_owned()));
                        steps.partial = true;
                        continue;
                    }
                };
                steps.push(&before, head, cell, says);
                steps.guess(mark, cell);
            }
            let is_end = steps.table.rows.len() == n_before && steps.losses.len() == n_losses;
            if is_end && before.text == row[0].text {
                let end = Cell { text: "(terminal)".to_owned(), range: row[0].range.clone(), ..Cell::default() };
                steps.table.rows.push(vec![row[0].clone(), blank(&row[0]), blank(&row[0]), end]);
            }
        }
        steps.drop_empty_columns();
        Some(steps)
    }

    /// Whether a cell says no by more than a dash.
    fn has_refusals(&self) -> bool {
        let cells = self.table.rows.iter().flat_map(|row| self.columns.iter().filter_map(|it| row.get(*it)));
        cells.filter(|it| mark(it) == Mark::No).any(|it| phrase::is_crossed(&it.text) || !words(&it.text).is_empty())
    }

    fn exceptions(&self) -> BTreeSet<usize> {
        let is_plain = |it: &Mark| matches!(it, Mark::Yes(rest) if rest.is_empty());
        let has_plain = self.marks.iter().flatten().any(is_plain);
        let cells = self.table.rows.iter().zip(&self.marks).flat_map(|(row, marks)| {
            let cells = self.columns.iter().zip(marks).filter_map(|(column, mark)| Some((row.get(*column)?, mark)));
            cells.filter(|(_, mark)| matches!(mark, Mark::Yes(_)) && !is_plain(mark))
        });
        cells.filter(|_| has_plain).map(|(cell, _)| cell.range.start).collect()
    }

    fn is_explicit(&self) -> bool {
        let says = |it: &Cell| matches!(words(&it.text).join(" ").as_str(), "allowed" | "permitted" | "valid" | "legal");
        self.table.rows.iter().flatten().any(says)
    }

    /// The source of a row; `[none]`, which no column leads to, is a start.
    fn source(&self, head: &Cell, assumed: &mut Vec<(Range<usize>, String)>) -> Cell {
        let own = name(head);
        if !is_bracketed(&own) || self.columns.iter().any(|it| name(&self.table.head[*it]) == own) {
            return head.clone();
        }
        if head.source(&Known::default()) != Source::Start {
            assumed.push((head.range.clone(), format!("no column leads to `{own}`: it was read as the start")));
        }
        Cell { text: "[*]".to_owned(), range: head.range.clone(), ..Cell::default() }
    }

    fn texts(&self) -> impl Iterator<Item = &'a Cell> {
        let cells = self.table.rows.iter().flat_map(|row| self.columns.iter().filter_map(|it| row.get(*it)));
        cells.filter(|it| mark(it) == Mark::Text)
    }

    fn extra_columns(&self) -> Vec<(Range<usize>, String)> {
        let extra = (1..self.table.head.len()).filter(|it| !self.columns.contains(it)).map(|it| &self.table.head[it]);
        extra.map(|it| (it.range.clone(), format!("the column `{}` is about several steps at once: it was left out", it.text))).collect()
    }

    /// A table of steps without rows.
    fn heads(&self) -> Table {
        let last = &self.table.head[self.table.head.len() - 1];
        let head = |text: &str, at: &Cell| Cell { text: text.to_owned(), range: at.range.clone(), ..Cell::default() };
        let head = vec![head("From", &self.table.head[0]), head("Event", last), head("Condition", last), head("To", last)];
        Table { head, rows: Vec::new(), range: self.table.range.clone() }
    }
}

impl Steps {
    /// Adds the step of a cell, with the event or the condition that the cell says.
    fn push(&mut self, from: &Cell, to: &Cell, cell: &Cell, says: &str) {
        let inside = says.strip_prefix('(').and_then(|it| it.strip_suffix(')')).filter(|it| !it.contains(['(', ')']));
        let text = inside.unwrap_or(says).trim();
        let (mut event, mut condition) = ("", "");
        if phrase::is_conditional(text) {
            condition = text;
        } else if inside.is_none() && may_be_event(says) {
            event = says;
        } else if !says.is_empty() {
            self.losses.push((cell.range.clone(), format!("`{says}` was left out")));
        }
        let part = |text: &str| Cell { range: cell.range.clone(), ..cell.part(text) };
        let to = Cell { range: cell.range.clone(), ..to.clone() };
        self.table.rows.push(vec![from.clone(), part(event), part(condition), to]);
    }

    /// Tells that words behind a mark were read as an event, once.
    fn guess(&mut self, mark: &Mark, cell: &Cell) {
        const MESSAGE: &str = "the words behind the marks of this table were read as events";
        let is_event = self.table.rows.last().is_some_and(|it| !it[1].text.is_empty());
        if matches!(mark, Mark::Yes(_)) && is_event && !self.assumed.iter().any(|it| it.1 == MESSAGE) {
            self.assumed.push((cell.range.clone(), MESSAGE.to_owned()));
        }
    }

    /// Leaves out the columns of events and of conditions, if no cell has any.
    fn drop_empty_columns(&mut self) {
        for idx in [2, 1] {
            if self.table.rows.iter().all(|it| it[idx].text.is_empty()) {
                self.table.head.remove(idx);
                self.table.rows.iter_mut().for_each(|it| drop(it.remove(idx)));
            }
        }
    }
}

/// What a cell says.
fn mark(cell: &Cell) -> Mark {
    let text = cell.text.trim();
    if let Some(rest) = text.strip_prefix(['✅', '✓', '✔', '☑']) {
        if phrase::is_crossed(rest) {
            return Mark::Text;
        }
        return Mark::Yes(rest.trim_matches(|it: char| it.is_whitespace() || matches!(it, '\u{fe0f}' | ':')).to_owned());
    }
    let at = text.find(" (").unwrap_or(text.len());
    let (said, remark) = (cell.part(&text[..at]), text[at..].trim());
    if words(&said.text) == ["x"] {
        return Mark::Cross;
    }
    match said.verdict() {
        Some(true) => Mark::Yes(remark.to_owned()),
        Some(false) => Mark::No,
        None if phrase::stays(text) => Mark::Stay,
        None if said.is_nothing() || phrase::is_crossed(text) || phrase::refusal(text).is_some() => Mark::No,
        None => Mark::Text,
    }
}

/// What a cell says more than no: `❌ (unless paid)`, `❌ except by the admin`.
fn remark_of_no(cell: &Cell) -> Option<&str> {
    let text = cell.text.trim();
    let behind_sign = text.trim_start_matches(|it: char| !it.is_alphanumeric() && it != '(');
    let remark = if behind_sign.len() < text.len() { Some(behind_sign) } else { phrase::split_remark(text).1 };
    let says_no = |it: &str| {
        phrase::refusal(it).is_some()
            || phrase::end(it).is_some()
            || words(it).iter().all(|it| matches!(it.as_str(), "never" | "no" | "not"))
    };
    remark.filter(|it| !says_no(it))
}

/// Whether a text can name an event: neither `0.3` nor a letter of some legend.
fn may_be_event(text: &str) -> bool {
    let words = words(text);
    words.first().is_some_and(|it| it.starts_with(char::is_alphabetic)) && words.iter().any(|it| it.chars().count() > 1)
}

/// The name of a row or column, without a remark in brackets.
fn name(cell: &Cell) -> String {
    let text = cell.text.trim();
    text.find(" (").map_or(text, |at| text[..at].trim()).to_owned()
}

fn is_bracketed(name: &str) -> bool {
    [('(', ')'), ('[', ']'), ('<', '>')].iter().any(|(open, close)| name.starts_with(*open) && name.ends_with(*close))
        || words(name).is_empty()
}

fn blank(at: &Cell) -> Cell {
    Cell { range: at.range.clone(), ..Cell::default() }
}

/// The words of a heading that say before and after, in their order: `From state \ To state` is `from to`.
fn sides(corner: &str) -> String {
    let of_states = ["state", "states", "status", "statuses", "stage", "phase"];
    words(corner).into_iter().filter(|it| !of_states.contains(&it.as_str())).collect::<Vec<_>>().join(" ")
}

const FROM_TO: &[&str] = &["from to", "current next", "current new", "current target", "source target", "old new"];

/// Whether a heading says before and after, in any order.
fn names_both_sides(corner: &str) -> bool {
    let own = sides(corner);
    let turned = own.split(' ').rev().collect::<Vec<_>>().join(" ");
    FROM_TO.iter().any(|it| *it == own || *it == turned)
}

/// Whether the first heading says of the rows alone that a step leaves them: `Source`.
fn names_rows(corner: &str) -> bool {
    matches!(sides(corner).as_str(), "from" | "source" | "current" | "old" | "before")
}

/// Whether the first heading says that the rows are before a step, and the columns after it.
fn leads_from_row_to_column(corner: &str) -> bool {
    let is_forward = FROM_TO.contains(&sides(corner).as_str());
    let Some((rows, columns)) = corner.split_once(['/', '\\', '|']) else {
        // `from → to`
        return is_forward && !corner.contains(['↓', '⬇']);
    };
    let points = |text: &str, arrows: &[char]| text.contains(arrows);
    let (down, right) = (&['↓', '⬇'], &['→', '➡', '⇒']);
    match (points(rows, down) || points(columns, right), points(rows, right) || points(columns, down)) {
        (_, false) => is_forward,
        // `To → / From ↓`
        (false, true) => !is_forward && names_both_sides(corner),
        (true, true) => false,
    }
}
