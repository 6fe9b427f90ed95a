//! What a text states of its machines, for comparisons: states and edges, each with its place.

use std::collections::{BTreeMap, BTreeSet};

use statespec_lang::diagnostic::{self, Diagnostic, Level};
use statespec_lang::source::{SourceId, Sources, Span};

use super::draft::{Draft, Findings, From, Trigger};
use super::{Format, Options, TableSpec, read};

/// The form in which a source states a machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A spec.
    Spec,
    /// Code.
    Code,
    /// A database or an interface: SQL, protobuf, GraphQL, OpenAPI.
    Schema,
    /// SCXML or XState.
    Chart,
    /// A table of a page.
    Table,
    /// A diagram.
    Diagram,
}

impl Kind {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Spec => "spec",
            Kind::Code => "code",
            Kind::Schema => "schema",
            Kind::Chart => "chart",
            Kind::Table => "table",
            Kind::Diagram => "diagram",
        }
    }
}

/// One machine, as one source states it: its leaf states, and the edges between them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// The path of the source.
    pub path: String,
    /// The form of the source.
    pub kind: Kind,
    /// Whether it decides every pair of states: an edge that it does not state is refused.
    pub complete: bool,
    /// Whether the source says that a program made it.
    pub generated: bool,
    /// Whether the source states the machine a second time, or lists its states only: it counts where it is named.
    pub again: bool,
    /// Whether the source has more than was read, or than it names: what it lacks says little. Of code that takes steps this is
    /// true of the edges, of a table with a row that could not be read of both, and of a table of steps alone of the states.
    pub partial: bool,
    /// The name of the machine.
    pub name: String,
    /// The place of the machine.
    pub span: Span,
    /// The leaf states.
    pub states: Vec<Named>,
    /// The edges; a row that applies in several states is an edge of each. A source without any says nothing of edges.
    pub edges: Vec<Edge>,
    /// The positions of the states where the machine starts; empty if the source does not tell.
    pub starts: Vec<usize>,
}

impl Statement {
    /// A set of states, of which no edge is known.
    pub fn set(path: &str, kind: Kind, name: String, span: Span, states: Vec<Named>) -> Self {
        Statement {
            path: path.to_owned(),
            kind,
            complete: false,
            generated: false,
            again: false,
            partial: false,
            name,
            span,
            states,
            edges: Vec::new(),
            starts: Vec::new(),
        }
    }
}

/// The machines of one source.
#[derive(Debug, Clone, Default)]
pub struct Statements {
    /// The machines, in the order of the source.
    pub found: Vec<Statement>,
    /// What could not be read, or what a comparison could miss.
    pub problems: Vec<Diagnostic>,
}

/// A state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// The name.
    pub name: String,
    /// The name for readers, if it is another one.
    pub label: Option<String>,
    /// The place of the name.
    pub span: Span,
    /// The names of the states around it, from the inside.
    pub inside: Vec<String>,
    /// The number that stands for it in storage and in messages, if the source states one.
    pub number: Option<i64>,
}

impl Named {
    /// A state with nothing around it.
    pub fn new(name: impl Into<String>, span: Span) -> Self {
        Named { name: name.into(), label: None, span, inside: Vec::new(), number: None }
    }
}

/// An edge between two states, by their positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge {
    /// The state before.
    pub from: usize,
    /// The state after.
    pub to: usize,
    /// The place of the row or arrow.
    pub span: Span,
}

impl Statement {
    /// The path and the name: `docs/order.md#order`.
    pub fn place(&self) -> String {
        format!("{}#{}", self.path, self.name)
    }
}

/// The machines of a text, and what could not be read of it.
pub fn statements(sources: &Sources, id: SourceId) -> Statements {
    of_text(sources, id, &Options::default())
}

/// The machine of one table of a page, as a person points at it, and what could not be read of it.
pub fn read_table(sources: &Sources, id: SourceId, spec: &TableSpec) -> Statements {
    of_text(sources, id, &Options { format: Some(Format::Markdown), table: Some(spec.clone()), ..Options::default() })
}

fn of_text(sources: &Sources, id: SourceId, options: &Options) -> Statements {
    let mut found = Findings::default();
    let read = read(sources, id, options, &mut found);
    let path = sources.get(id).path();
    let first = read.drafts.iter().map(|it| statement(path, it));
    let again = read.others.iter().map(|it| Statement { again: true, ..statement(path, it) });
    let mut statements: Vec<Statement> = first.chain(again).collect();
    statements.sort_by_key(|it| it.span.start);
    let drafts = read.drafts.into_iter().chain(read.others).collect();
    Statements { found: statements, problems: problems(found, drafts) }
}

pub(super) fn problems(found: Findings, drafts: Vec<Draft>) -> Vec<Diagnostic> {
    let mut problems = found.finish();
    // What a spec lacks is no matter here; what is lost is an edge that one side may lack.
    problems.extend(drafts.into_iter().flat_map(|it| it.found.finish()).filter(|it| !super::is_harmless(it)));
    problems.retain(|it| it.code.level() == Level::Error || it.code == diagnostic::Code::ImportLoss);
    problems
}

pub(super) fn statement(path: &str, draft: &Draft) -> Statement {
    let shape = Shape::new(draft);
    let mut leaves: Vec<usize> = (0..draft.states.len()).filter(|it| shape.is_leaf(*it)).collect();
    // No machine rests in a choice, so it comes last, and edges lead through it.
    leaves.sort_by_key(|it| shape.is_choice(*it));
    let n_states = leaves.partition_point(|it| !shape.is_choice(*it));
    let states = leaves[..n_states].iter().map(|idx| {
        let state = &draft.states[*idx];
        let around = std::iter::successors(state.parent, |it| draft.states[*it].parent);
        let inside = around.map(|it| draft.states[it].id.clone()).collect();
        Named { label: state.label.clone(), inside, ..Named::new(&state.id, state.span) }
    });
    let positions: BTreeMap<usize, usize> = leaves.iter().enumerate().map(|(position, state)| (*state, position)).collect();
    let position = |state: usize| positions.get(&state).copied();
    let mut starts: Vec<usize> = Vec::new();
    let mut edges = Vec::new();
    for row in &draft.rows {
        let Some(to) = row.to.map(|it| shape.default_leaf(it)).and_then(position) else { continue };
        match row.from {
            From::Creation => starts.push(to),
            From::Any => {
                let sources = leaves.iter().enumerate().filter(|(_, leaf)| !row.except.iter().any(|it| shape.is_in(**leaf, *it)));
                edges.extend(sources.map(|(from, _)| Edge { from, to, span: row.span }));
            }
            From::State(state) => {
                let mut sources: Vec<usize> = shape.leaves_of(state).into_iter().filter_map(position).collect();
                sources.sort_unstable();
                edges.extend(sources.into_iter().map(|from| Edge { from, to, span: row.span }));
            }
        }
    }
    if starts.is_empty() {
        let marked = draft.states.iter().position(|it| it.initial && it.parent.is_none() && it.inferred.is_none());
        starts.extend(marked.map(|it| shape.default_leaf(it)).and_then(position));
    }
    let edges = through_choices(edges, n_states);
    starts.retain(|it| *it < n_states);
    starts.sort_unstable();
    starts.dedup();
    // Where something is lost, an edge may be, too.
    let complete = draft.complete && !draft.found.0.iter().any(|it| it.code == diagnostic::Code::ImportLoss);
    let (name, states) = (draft.name.clone(), states.collect());
    let partial = draft.partial && !complete;
    Statement { complete, partial, edges, starts, ..Statement::set(path, draft.kind, name, draft.span, states) }
}

/// The edges between states, in place of those into choices and out of them. The positions from `n_states` on are choices.
fn through_choices(edges: Vec<Edge>, n_states: usize) -> Vec<Edge> {
    let mut through = Vec::new();
    let mut of_choices: BTreeMap<usize, Vec<Edge>> = BTreeMap::new();
    edges.iter().filter(|it| it.from >= n_states).for_each(|it| of_choices.entry(it.from).or_default().push(*it));
    for edge in edges.iter().filter(|it| it.from < n_states) {
        let mut seen = BTreeSet::new();
        let mut open = vec![*edge];
        while let Some(at) = open.pop() {
            if at.to < n_states {
                through.push(Edge { from: edge.from, ..at });
            } else if seen.insert(at.to) {
                open.extend(of_choices.get(&at.to).into_iter().flatten().rev().copied());
            }
        }
    }
    through
}

/// The nesting of a draft's states.
struct Shape<'a> {
    draft: &'a Draft,
    /// The states directly inside each state.
    children: Vec<Vec<usize>>,
}

impl<'a> Shape<'a> {
    fn new(draft: &'a Draft) -> Self {
        let mut children = vec![Vec::new(); draft.states.len()];
        for (idx, state) in draft.states.iter().enumerate() {
            state.parent.iter().for_each(|it| children[*it].push(idx));
        }
        Shape { draft, children }
    }

    fn is_leaf(&self, state: usize) -> bool {
        self.children[state].is_empty()
    }

    /// The leaves inside a state, or the state itself.
    fn leaves_of(&self, state: usize) -> Vec<usize> {
        match self.is_leaf(state) {
            true => vec![state],
            false => self.children[state].iter().flat_map(|it| self.leaves_of(*it)).collect(),
        }
    }

    /// Whether every row out of a leaf needs no event.
    fn is_choice(&self, leaf: usize) -> bool {
        // The events that a table leaves out are those of a person or a program.
        if self.draft.kind == Kind::Table {
            return false;
        }
        let mut out = self.draft.rows.iter().filter(|row| row.from == From::State(leaf)).peekable();
        out.peek().is_some() && out.all(|row| row.trigger == Trigger::Automatic)
    }

    /// The leaf that entering a state leads to: the marked children, else the first ones.
    fn default_leaf(&self, state: usize) -> usize {
        let children = &self.children[state];
        let marked = children.iter().find(|it| self.draft.states[**it].initial);
        marked.or_else(|| children.first()).map_or(state, |it| self.default_leaf(*it))
    }

    /// Whether a leaf is inside a state, or is it.
    fn is_in(&self, leaf: usize, state: usize) -> bool {
        std::iter::successors(Some(leaf), |it| self.draft.states[*it].parent).any(|it| it == state)
    }
}
