//! What the cells of a table tell of the names of its states, before its rows are read.

use std::collections::BTreeSet;

use super::cell::Cell;
use super::column::Column;
use super::foreign::Style;
use super::source::Source;
use super::surplus::Spelling;
use super::table::Edges;
use super::target::Target;

/// The texts that tables use for states beyond doubt: a cell `a/b` is two states if both are among them.
#[derive(Debug, Default)]
pub(super) struct Known {
    pub(super) sources: BTreeSet<String>,
    pub(super) targets: BTreeSet<String>,
    /// The names that are alone in a cell.
    pub(super) alone: BTreeSet<String>,
    /// The parts of `OPEN/SHUT`, which are states if nothing else is likely.
    pub(super) listed: BTreeSet<String>,
    /// The texts with a remark in brackets, `stalled (no progress)`, of sources and of targets.
    pub(super) remarked: [BTreeSet<String>; 2],
    pub(super) style: Style,
    pub(super) spelling: Spelling,
    /// Whether `End` is the name of a state.
    pub(super) ends_are_names: bool,
    /// Whether each row is a step with an arrow, so that `→ terminal` leads to a state of this name.
    pub(super) has_arrows: bool,
    /// Whether names that differ in case alone are different states.
    pub(super) case_matters: bool,
    /// Whether an event is called manual, so that `automatic` is one, too.
    pub(super) has_manual_event: bool,
    /// Whether a name has words behind a comma: `registered, not stolen`.
    pub(super) has_qualified: bool,
}

impl Known {
    /// What the cells of a table tell.
    pub(super) fn of(edges: &Edges<'_>) -> Self {
        let mut known = Known {
            sources: edges.sure(Column::From).collect(),
            targets: edges.sure(Column::To).collect(),
            alone: edges.alone(),
            listed: edges.state_cells().filter(|it| it.codes.is_empty()).flat_map(Cell::listed).collect(),
            remarked: [edges.remarked(Column::From), edges.remarked(Column::To)],
            style: Style::default(),
            spelling: Spelling::default(),
            ends_are_names: edges.has_ways_out_of_ends(),
            has_arrows: edges.is_split(),
            case_matters: edges.distinguishes_case(),
            has_manual_event: edges.table.rows.iter().filter_map(|it| edges.cell(it, Column::Event)).any(Cell::is_manual),
            has_qualified: edges.state_cells().any(Cell::is_qualified),
        };
        known.style = Style::of(edges.naming_cells(&known).into_iter(), &known);
        known.spelling = Spelling::of(&known);
        known
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.sources.contains(name) || self.targets.contains(name)
    }

    /// Whether the table has a name both as a source and as a target, so that it is a name however it reads.
    pub(super) fn has_both(&self, name: &str) -> bool {
        self.sources.contains(name) && self.targets.contains(name)
    }

    /// Whether it is open what a text with brackets names: of `stalled (no progress)` and `stalled (crashed)`, both may be `stalled`.
    pub(super) fn is_open(&self, name: &str) -> bool {
        let stem = |it: &str| it.split('(').next().unwrap_or(it).trim().to_owned();
        let [sources, targets] = &self.remarked;
        let others = || sources.union(targets).filter(|it| it.as_str() != name && stem(it) == stem(name));
        name.ends_with(')') && !(sources.contains(name) && targets.contains(name)) && others().next().is_some()
    }

    /// Whether a name may be short for another one: `CONFIRMED_PAID / DEPOSIT` beside `CONFIRMED_DEPOSIT`.
    pub(super) fn may_be_short(&self, name: &str) -> bool {
        let ends = |it: &String| it.strip_suffix(name).is_some_and(|it| it.ends_with(['_', ' ', '-', '.']));
        !self.alone.contains(name) && self.alone.iter().any(ends)
    }
}

impl Edges<'_> {
    fn remarked(&self, column: Column) -> BTreeSet<String> {
        self.table.rows.iter().filter_map(|row| self.cell(row, column)).flat_map(Cell::remarked).collect()
    }

    /// The names in the cells of a column that are states beyond doubt, in the order of the rows.
    pub(super) fn sure(&self, column: Column) -> impl Iterator<Item = String> {
        self.table.rows.iter().filter_map(move |row| self.cell(row, column)).flat_map(Cell::sure_names)
    }

    /// Whether a state that leads to `End` has another way out, so that this is the name of a state.
    fn has_ways_out_of_ends(&self) -> bool {
        let source = |row: &Vec<Cell>| self.cell(row, Column::From).map(|it| it.text.clone()).filter(|it| !it.is_empty());
        let is_bare = |row: &&Vec<Cell>| self.cell(row, Column::To).is_some_and(|it| it.words() == ["end"] || it.words() == ["final"]);
        let (ends, others): (Vec<&Vec<Cell>>, Vec<&Vec<Cell>>) = self.table.rows.iter().partition(is_bare);
        let sources: BTreeSet<String> = others.into_iter().filter_map(source).collect();
        ends.into_iter().filter_map(source).any(|it| sources.contains(&it))
    }

    /// Whether names that differ in case alone are different states: one cell lists two of them, or each has a row of its own.
    fn distinguishes_case(&self) -> bool {
        let n_distinct = |names: &[String]| names.iter().map(|it| it.to_lowercase()).collect::<BTreeSet<_>>().len();
        let differs = |names: Vec<String>| names.len() > n_distinct(&names);
        let sources: Vec<String> = self.sure(Column::From).collect();
        let is_once = sources.iter().collect::<BTreeSet<_>>().len() == sources.len();
        self.state_cells().map(Cell::sure_names).any(differs) || (self.is_adjacency() && is_once && differs(sources))
    }

    /// The names that are alone in a cell.
    fn alone(&self) -> BTreeSet<String> {
        let names = self.state_cells().map(Cell::sure_names);
        names.filter_map(|it| <[String; 1]>::try_from(it).ok()).flatten().collect()
    }

    /// The cells of sources and targets.
    fn state_cells(&self) -> impl Iterator<Item = &Cell> {
        self.table.rows.iter().flat_map(|row| [self.cell(row, Column::From), self.cell(row, Column::To)]).flatten()
    }

    /// The cells of sources and targets that name states, in whatever style: `none` and `any existing` do not.
    fn naming_cells(&self, known: &Known) -> Vec<&Cell> {
        let cells = |column: Column| self.table.rows.iter().filter_map(move |it| self.cell(it, column));
        let sources = cells(Column::From).filter(|it| matches!(it.source_in_any_style(known), Source::States(_)));
        let targets = cells(Column::To).filter(|it| matches!(it.target_in_any_style(known, self.is_adjacency()), Target::States(_)));
        sources.chain(targets).collect()
    }
}
