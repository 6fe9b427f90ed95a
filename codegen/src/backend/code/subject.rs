//! What a region is about: a list of names, or a table from state to something.

use statespec_lang::model::machine::{Enum, Reserved};
use statespec_lang::model::{Machine, Model, StateId};
use statespec_lang::source::Span;

use super::text::Objection;
use crate::expect::{edges_between_leaves, machine_named, unknown};

/// A name of a machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Item<'m> {
    /// The name in the spec.
    pub name: &'m str,
    /// How it is stored and sent.
    pub wire: &'m str,
    /// How people read it.
    pub label: &'m str,
    /// The description, or an empty text.
    pub doc: &'m str,
    /// The number, if the spec has one.
    pub number: Option<i32>,
    /// The place in the spec.
    pub span: Span,
}

/// A list of names, for a type.
#[derive(Debug)]
pub struct List<'m> {
    /// The name of the type.
    pub ty: String,
    /// The names, in the order of the spec.
    pub items: Vec<Item<'m>>,
    /// The numbers and names that are not used any more.
    pub reserved: &'m [Reserved],
}

/// A table from each state to a text, or to other states.
#[derive(Debug)]
pub struct Table<'m> {
    /// The name of the constant.
    pub name: String,
    /// Each state with what belongs to it.
    pub rows: Vec<(Item<'m>, Cell<'m>)>,
}

/// What belongs to a state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cell<'m> {
    /// Its label.
    Text(&'m str),
    /// The states that a step leads to.
    States(Vec<&'m str>),
}

pub(super) struct Subject<'m> {
    machine: &'m Machine,
    what: What<'m>,
}

#[derive(Clone, Copy)]
enum What<'m> {
    States,
    Events,
    Enum(&'m Enum),
    Labels,
    Edges,
}

/// The subject with this name: `order.states`.
pub(super) fn find<'m>(name: &str, model: &'m Model) -> Result<Subject<'m>, Objection> {
    let parts: Vec<&str> = name.split('.').collect();
    let machine = machine_named(parts[0], model).map_err(Objection::from)?;
    let what = match &parts[1..] {
        ["states"] => What::States,
        ["events"] => What::Events,
        ["labels"] => What::Labels,
        ["edges"] => What::Edges,
        ["enums", name] => {
            let known = machine.enums.iter().map(|it| it.name.as_str());
            let found = machine.enums.iter().find(|it| it.name == *name);
            What::Enum(found.ok_or_else(|| Objection::from(unknown("enum", name, known)))?)
        }
        _ => {
            let of = &machine.name;
            let help = format!("`{of}.states`, `{of}.events`, `{of}.enums.NAME`, `{of}.labels` or `{of}.edges`");
            return Err(Objection::new(format!("`{name}` is nothing that can be generated"), help));
        }
    };
    Ok(Subject { machine, what })
}

impl<'m> Subject<'m> {
    pub(super) fn machine(&self) -> &'m Machine {
        self.machine
    }

    pub(super) fn is_table(&self) -> bool {
        matches!(self.what, What::Labels | What::Edges)
    }

    /// The usual name of the type or constant, in lower case with `_`.
    pub(super) fn usual_name(&self) -> String {
        let what = match self.what {
            What::States => "state",
            What::Events => "event",
            What::Enum(it) => &it.name,
            What::Labels => "labels",
            What::Edges => "edges",
        };
        format!("{}_{what}", self.machine.name)
    }

    /// The name of what is listed, for the column of a table.
    pub(super) fn items(&self) -> Vec<Item<'m>> {
        match self.what {
            What::States | What::Labels | What::Edges => self.machine.leaves().map(|it| self.state(it)).collect(),
            What::Events => {
                let events = self.machine.events.iter().filter(|it| it.timer.is_none());
                let item = |it: &'m statespec_lang::model::machine::Event| Item {
                    name: &it.name,
                    wire: &it.name,
                    label: it.label.as_deref().unwrap_or(&it.name),
                    doc: it.doc.as_deref().unwrap_or_default(),
                    number: it.number,
                    span: it.span,
                };
                events.map(item).collect()
            }
            What::Enum(of) => {
                let item = |it: &'m statespec_lang::model::machine::EnumValue| Item {
                    name: &it.name,
                    wire: &it.wire,
                    label: it.label.as_deref().unwrap_or(&it.name),
                    doc: it.doc.as_deref().unwrap_or_default(),
                    number: it.number,
                    span: it.span,
                };
                of.values.iter().map(item).collect()
            }
        }
    }

    fn state(&self, id: StateId) -> Item<'m> {
        let it = self.machine.state(id);
        Item {
            name: &it.name,
            wire: &it.wire,
            label: it.label.as_deref().unwrap_or(&it.name),
            doc: it.doc.as_deref().unwrap_or_default(),
            number: it.number,
            span: it.span,
        }
    }

    pub(super) fn list(&self, ty: String) -> List<'m> {
        let reserved: &[Reserved] = match self.what {
            What::States | What::Labels | What::Edges => &self.machine.reserved_states,
            What::Events => &self.machine.reserved_events,
            What::Enum(it) => &it.reserved,
        };
        List { ty, items: self.items(), reserved }
    }

    pub(super) fn table(&self, name: String) -> Table<'m> {
        let leaves: Vec<StateId> = self.machine.leaves().collect();
        let edges = edges_between_leaves(self.machine);
        let row = |(position, id): (usize, &StateId)| {
            let item = self.state(*id);
            let cell = match self.what {
                What::Edges => {
                    let mut targets: Vec<usize> = edges.iter().map(|it| it.0).filter(|it| it.0 == position).map(|it| it.1).collect();
                    targets.sort_unstable();
                    Cell::States(targets.into_iter().map(|it| self.machine.state(leaves[it]).wire.as_str()).collect())
                }
                _ => Cell::Text(item.label),
            };
            (item, cell)
        };
        Table { name, rows: leaves.iter().enumerate().map(row).collect() }
    }
}
