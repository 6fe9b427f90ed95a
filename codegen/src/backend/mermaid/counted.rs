//! A machine as a Mermaid flowchart with the number of times that each arrow was taken. Arrows that never were are dashed, which
//! Mermaid's state diagrams cannot draw.
//!
//! ```text
//! flowchart TD
//!     s0["queued"]
//!     s1["claimed"]
//!     s0 -->|"claim (12)"| s1
//!     s0 -.-> s1
//! ```
//!
//! The arrows are those of the state diagram ([`relations`](super::relations)). Ids are numbers, so that no name can be taken for syntax.

use statespec_lang::model::document::DiagramStyle;
use statespec_lang::model::machine::Machine;
use statespec_lang::model::{StateId, TransitionId};
use statespec_lang::source::Span;

use super::flow::label;
use super::lines::Lines;
use super::{MAX_STATES, Node, Relation, TooLarge, relations};

/// How often an arrow was taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Count {
    /// Nothing is known.
    Unknown,
    /// As often as this.
    Certain(u64),
    /// At most as often as this: other arrows explain the same records.
    AtMost(u64),
}

/// Draws a machine with the number of each arrow.
///
/// # Errors
///
/// The diagram is too large to be readable.
pub fn counted(machine: &Machine, style: &DiagramStyle, count: &dyn Fn(&Relation<'_>) -> Count) -> Result<Lines, TooLarge> {
    let too_large = TooLarge { n_states: machine.states.len() };
    if machine.states.len() > MAX_STATES {
        return Err(too_large);
    }
    let mut lines = Lines::default();
    lines.push(0, &["flowchart TD"], None);
    let relations = relations(machine, style);
    states(machine, None, 1, &relations, &mut lines);
    for relation in &relations {
        let (Some(from), Some(to)) = (id(relation.from, relation.scope), id(relation.to, relation.scope)) else { continue };
        let of = count(relation);
        let arrow = if matches!(of, Count::Certain(0) | Count::AtMost(0)) { "-.->" } else { "-->" };
        let number = match of {
            Count::Unknown | Count::Certain(0) | Count::AtMost(0) => String::new(),
            Count::Certain(n) => format!("({n})"),
            Count::AtMost(n) => format!("(at most {n})"),
        };
        let text = [relation.label.as_ref(), &number].into_iter().filter(|it| !it.is_empty()).collect::<Vec<_>>().join(" ");
        let text = if text.is_empty() { String::new() } else { format!("|\"{}\"|", label(&text)) };
        lines.push(1, &[&format!("{from} {arrow}{text} {to}")], span(machine, relation.row));
    }
    if lines.fits() { Ok(lines) } else { Err(too_large) }
}

/// The states inside a state, each composite as a box around its own.
fn states(machine: &Machine, scope: Option<StateId>, depth: usize, relations: &[Relation<'_>], lines: &mut Lines) {
    if relations.iter().any(|it| it.from == Node::Start && it.scope == scope) {
        lines.push(depth, &[&format!("{}(( ))", start(scope))], None);
    }
    for &id in machine.inside(scope).iter() {
        let state = machine.state(id);
        let name = label(state.label.as_deref().filter(|it| !it.trim().is_empty()).unwrap_or(&state.name));
        if machine.is_leaf(id) {
            // An outcome has round ends.
            let (open, close) = if state.terminal { ("([", "])") } else { ("[", "]") };
            lines.push(depth, &[&format!("s{}{open}\"{name}\"{close}", id.index())], Some(state.span));
        } else {
            lines.push(depth, &[&format!("subgraph s{}[\"{name}\"]", id.index())], Some(state.span));
            states(machine, Some(id), depth + 1, relations, lines);
            lines.push(depth, &["end"], None);
        }
    }
}

/// The id of a node; none of an end, which the form of an outcome shows.
fn id(node: Node, scope: Option<StateId>) -> Option<String> {
    match node {
        Node::Start => Some(start(scope)),
        Node::State(id) => Some(format!("s{}", id.index())),
        Node::End => None,
    }
}

fn start(scope: Option<StateId>) -> String {
    scope.map_or_else(|| "start".to_owned(), |it| format!("start{}", it.index()))
}

fn span(machine: &Machine, row: Option<TransitionId>) -> Option<Span> {
    row.map(|it| machine.transition(it).span)
}
