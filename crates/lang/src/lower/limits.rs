//! Limits on what one machine expands to, counted before it is made.

use std::collections::BTreeMap;

use super::placeholders::added;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::limits::{ATTRIBUTES, CROSSED, DECLARED, EDGES, Expansion, FIELDS, LABEL, PAIRS, TEXT};
use crate::model::machine::{Edge, Machine, Target, Transition};
use crate::model::{Literal, StateId};
use crate::read::{Entries, Named, Text};
use crate::source::Span;
use crate::spec;
use crate::yaml::{Node, NodeKind};

/// Refuses an element with which a number exceeds a limit for a text of this size; whether it does.
pub(super) fn refuse(limit: Expansion, n_found: usize, n_bytes: usize, at: Span, diagnostics: &mut Diagnostics) -> bool {
    let Some(message) = limit.exceeded(n_found, n_bytes) else { return false };
    let diagnostic = Diagnostic::new(Code::YamlLimit, at, format!("this makes {message}"));
    diagnostics.push(diagnostic.help("divide it, or shorten what is repeated"));
    true
}

/// Refuses a label or wire name that is too long.
pub(super) fn label(text: Option<&str>, at: Option<&Text>, diagnostics: &mut Diagnostics) {
    if let (Some(text), Some(at)) = (text, at)
        && text.len() > LABEL
    {
        let message = format!("this text has {} bytes; a label or wire name may have {LABEL}", text.len());
        diagnostics.push(
            Diagnostic::new(Code::YamlLimit, at.span, message).help("it is shown wherever its element is; write long texts into `doc`"),
        );
    }
}

/// Whether the constants of a machine may be filled in: each placeholder adds to the text.
/// `shared` are the lengths of constants in shared files.
pub(super) fn constants(root: &Node, shared: &BTreeMap<&str, usize>, n_bytes: usize, diagnostics: &mut Diagnostics) -> bool {
    let NodeKind::Map(entries) = &root.kind else { return true };
    let declared = match get(entries, "constants").map(|it| &it.kind) {
        Some(NodeKind::Map(declared)) => declared.as_slice(),
        _ if shared.is_empty() => return true,
        _ => &[],
    };
    let length = |node: &Node| match &node.kind {
        NodeKind::Scalar { text, .. } => text.len(),
        NodeKind::List(_) | NodeKind::Map(_) => 0,
    };
    let of = |node: &Node| match &node.kind {
        NodeKind::Map(body) => get(body, "value").map_or(0, length),
        _ => length(node),
    };
    let lengths = declared.iter().filter_map(|(name, node)| match &name.kind {
        NodeKind::Scalar { text, .. } => Some((text.as_str(), of(node))),
        _ => None,
    });
    let lengths: BTreeMap<&str, usize> = shared.iter().map(|(name, it)| (*name, *it)).chain(lengths).collect();
    let mut sum = 0_usize;
    let mut open = vec![root];
    while let Some(node) = open.pop() {
        match &node.kind {
            NodeKind::Scalar { text, .. } => {
                sum = sum.saturating_add(added(text, |name| lengths.get(name).copied()));
                if refuse(TEXT, sum, n_bytes, node.span, diagnostics) {
                    return false;
                }
            }
            NodeKind::List(items) => open.extend(items.iter().rev()),
            NodeKind::Map(entries) => open.extend(entries.iter().rev().map(|(_, value)| value)),
        }
    }
    true
}

fn get<'a>(entries: &'a [(Node, Node)], key: &str) -> Option<&'a Node> {
    let named = |name: &Node| matches!(&name.kind, NodeKind::Scalar { text, .. } if text == key);
    entries.iter().find(|(name, _)| named(name)).map(|(_, value)| value)
}

/// Whether no list of declarations is too long.
pub(super) fn declarations(spec: &spec::machine::Machine, diagnostics: &mut Diagnostics) -> bool {
    let fields = |what: &str, it: &Option<Entries<spec::machine::Field>>, diagnostics: &mut Diagnostics| {
        it.as_ref().is_some_and(|it| entries(what, it.iter(), FIELDS, diagnostics))
    };
    let mut beyond = fields("context fields", &spec.context, diagnostics);
    for (_, event) in spec.events.iter().flat_map(Named::iter) {
        beyond |= fields("payload fields", &event.payload, diagnostics);
    }
    beyond |= spec.constants.as_ref().is_some_and(|it| entries("constants", it.iter(), DECLARED, diagnostics));
    beyond |= spec.effects.as_ref().is_some_and(|it| entries("effects", it.iter(), DECLARED, diagnostics));
    beyond |= spec.predicates.as_ref().is_some_and(|it| entries("predicates", it.iter(), DECLARED, diagnostics));
    beyond |= spec.actors.as_ref().is_some_and(|it| entries("actors", it.iter(), DECLARED, diagnostics));
    for (_, body) in spec.enums.iter().flat_map(Entries::iter) {
        beyond |= match body {
            spec::machine::Enum::Values(it) => entries("values of an enum", it.iter().map(|it| (it, ())), DECLARED, diagnostics),
            spec::machine::Enum::Full(it) => entries("values of an enum", it.values.iter(), DECLARED, diagnostics),
        };
    }
    !beyond
}

/// Refuses a list with more entries than a limit; whether it does.
fn entries<'a, T: 'a>(what: &str, entries: impl Iterator<Item = (&'a Text, T)>, limit: usize, diagnostics: &mut Diagnostics) -> bool {
    let mut n_found = 0;
    let mut first_beyond = None;
    for (idx, (name, _)) in entries.enumerate() {
        n_found = idx + 1;
        if n_found == limit + 1 {
            first_beyond = Some(name.span);
        }
    }
    let Some(span) = first_beyond else { return false };
    let message = format!("there are {n_found} {what}; {limit} are allowed");
    diagnostics.push(Diagnostic::new(Code::YamlLimit, span, message).help("divide the machine"));
    true
}

/// Whether states may have values of all attributes, and be paired with all events.
pub(super) fn states(machine: &Machine, n_bytes: usize, diagnostics: &mut Diagnostics) -> bool {
    let n_states = machine.states.len();
    let of = |n: usize| n.saturating_mul(n_states);
    let attribute =
        machine.attributes.last().is_some_and(|it| refuse(ATTRIBUTES, of(machine.attributes.len()), n_bytes, it.span, diagnostics));
    let event = machine.events.last().is_some_and(|it| refuse(PAIRS, of(machine.events.len()), n_bytes, it.span, diagnostics));
    !attribute && !event
}

/// The bytes of the texts in a literal.
pub(super) fn length(literal: &Literal) -> usize {
    match literal {
        Literal::Text(text) => text.len(),
        Literal::List(items) => items.iter().map(length).sum(),
        _ => 0,
    }
}

/// The edges of rows, and the text that repeats with each.
pub(super) struct Rows<'a> {
    machine: &'a Machine,
    n_bytes: usize,
    n_edges: usize,
    repeated: usize,
    /// Pairs of a source and any leaf, of rows whose payload gives the target.
    n_pairs: usize,
}

impl<'a> Rows<'a> {
    pub(super) fn new(machine: &'a Machine, n_bytes: usize) -> Self {
        Rows { machine, n_bytes, n_edges: 0, repeated: 0, n_pairs: 0 }
    }

    /// Whether a row may be expanded to its edges.
    pub(super) fn admit(&mut self, row: &Transition, n_sources: usize, diagnostics: &mut Diagnostics) -> bool {
        let n_targets = if let Target::To(states) = &row.target { states.len() } else { 1 };
        let n_edges = n_sources.saturating_mul(n_targets).saturating_mul(row.events().len().max(1));
        self.n_edges = self.n_edges.saturating_add(n_edges);
        self.repeated = self.repeated.saturating_add(self.weight(row).saturating_mul(n_edges.saturating_sub(1)));
        if let Target::Payload(_) = row.target {
            self.n_pairs = self.n_pairs.saturating_add(n_edges.saturating_mul(self.machine.states.len()));
        }
        let found = [(EDGES, self.n_edges), (TEXT, self.repeated), (PAIRS, self.n_pairs)];
        !found.into_iter().any(|(limit, n_found)| refuse(limit, n_found, self.n_bytes, row.span, diagnostics))
    }

    /// The bytes that each edge of a row repeats, about.
    fn weight(&self, row: &Transition) -> usize {
        let width = |it: Span| it.range().len();
        let guard = row.guard.as_ref().map_or(0, |it| width(it.span));
        let set: usize = row.set.iter().map(|(field, value)| self.machine.fields[field.index()].name.len() + width(value.span)).sum();
        let refusal = if let Target::Refuse(text) = &row.target { text.len() } else { 0 };
        let effects: usize = row.before.iter().chain(&row.effects).map(|it| self.machine.effect(*it).name.len()).sum();
        guard + set + refusal + effects
    }
}

/// For each leaf, the edges of other regions that leave it; none if there are too many.
pub(super) fn beside(machine: &Machine, n_bytes: usize, diagnostics: &mut Diagnostics) -> BTreeMap<StateId, Vec<Edge>> {
    let mut beside = BTreeMap::<StateId, Vec<Edge>>::new();
    if !machine.has_regions() {
        return beside;
    }
    let mut n_left = 0_usize;
    for edge in &machine.edges {
        let left = machine.left_beside(edge);
        n_left = n_left.saturating_add(left.len());
        if refuse(CROSSED, n_left, n_bytes, machine.transition(edge.transition).span, diagnostics) {
            return BTreeMap::new();
        }
        left.into_iter().for_each(|it| beside.entry(it).or_default().push(*edge));
    }
    beside
}

/// Whether the effects of entering and leaving states are few, for all edges.
pub(super) fn crossings(machine: &Machine, n_bytes: usize, diagnostics: &mut Diagnostics) -> bool {
    let effects = |it: usize| -> usize {
        let state = &machine.states[it];
        state.entry.iter().chain(&state.exit).map(|it| machine.effect(*it).name.len()).sum()
    };
    let mut crossed = vec![0_usize; machine.states.len()];
    for idx in 0..machine.states.len() {
        crossed[idx] = effects(idx) + machine.states[idx].parent.map_or(0, |it| crossed[it.index()]);
    }
    let mut sum = 0_usize;
    for edge in &machine.edges {
        let target = match edge.outcome {
            crate::model::machine::Outcome::Leaf(to) => crossed[to.index()],
            _ => 0,
        };
        sum = sum.saturating_add(target + edge.from.map_or(0, |it| crossed[it.index()]));
        if refuse(TEXT, sum, n_bytes, machine.transition(edge.transition).span, diagnostics) {
            return false;
        }
    }
    true
}
