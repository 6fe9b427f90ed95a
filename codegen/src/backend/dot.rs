//! A machine as a graph for Graphviz.
//!
//! The arrows are those of the Mermaid diagram, whose module selects them.

use std::fmt::Write as _;

use statespec_lang::model::document::DiagramStyle;
use statespec_lang::model::{Machine, StateId};

use super::mermaid::{Node, Relation, relations};

/// The graph as DOT.
///
/// Composites are clusters; an arrow from or to one ends at its border.
pub fn graph(machine: &Machine) -> String {
    let relations = relations(machine, &DiagramStyle::default());
    let mut text = format!("digraph {} {{\n", quoted(&machine.name));
    let _ = writeln!(text, "  compound=true;\n  label={};\n  labelloc=t;\n  node [shape=box, style=rounded];", quoted(&machine.title));
    states(machine, None, &relations, 1, &mut text);
    for relation in &relations {
        let _ = writeln!(text, "  {};", arrow(machine, relation));
    }
    text.push_str("}\n");
    text
}

fn states(machine: &Machine, parent: Option<StateId>, relations: &[Relation<'_>], depth: usize, text: &mut String) {
    let indent = "  ".repeat(depth);
    let here = || relations.iter().filter(|it| it.scope == parent);
    if here().any(|it| it.from == Node::Start) {
        let _ = writeln!(text, "{indent}{} [shape=point, width=0.15, label=\"\"];", start(parent));
    }
    if here().any(|it| it.to == Node::End) {
        let _ = writeln!(text, "{indent}{} [shape=doublecircle, width=0.15, label=\"\"];", end(parent));
    }
    for id in machine.state_ids().filter(|id| machine.state(*id).parent == parent) {
        let state = machine.state(id);
        let label = quoted(state.label.as_deref().unwrap_or(&state.name));
        if machine.is_leaf(id) {
            let _ = writeln!(text, "{indent}s{} [label={label}];", id.index());
        } else {
            // Regions are active together.
            let style = if machine.is_region(id) { " style=dashed;" } else { "" };
            let _ = writeln!(text, "{indent}subgraph cluster_s{} {{\n{indent}  label={label};{style}", id.index());
            states(machine, Some(id), relations, depth + 1, text);
            let _ = writeln!(text, "{indent}}}");
        }
    }
}

fn arrow(machine: &Machine, relation: &Relation<'_>) -> String {
    let mut attributes = Vec::new();
    let from = match relation.from {
        Node::State(id) => endpoint(machine, id, "ltail", &mut attributes),
        Node::Start | Node::End => start(relation.scope),
    };
    let to = match relation.to {
        Node::State(id) => endpoint(machine, id, "lhead", &mut attributes),
        Node::Start | Node::End => end(relation.scope),
    };
    if !relation.label.is_empty() {
        attributes.push(format!("label={}", quoted(&relation.label)));
    }
    let attributes = if attributes.is_empty() { String::new() } else { format!(" [{}]", attributes.join(", ")) };
    format!("{from} -> {to}{attributes}")
}

/// Graphviz draws arrows between nodes only: the first leaf represents a composite.
fn endpoint(machine: &Machine, id: StateId, side: &str, attributes: &mut Vec<String>) -> String {
    if machine.is_leaf(id) {
        return format!("s{}", id.index());
    }
    attributes.push(format!("{side}=cluster_s{}", id.index()));
    let mut leaf = id;
    while let Some(child) = machine.state(leaf).children.first() {
        leaf = *child;
    }
    format!("s{}", leaf.index())
}

fn start(scope: Option<StateId>) -> String {
    scope.map_or_else(|| "start".to_owned(), |it| format!("start_s{}", it.index()))
}

fn end(scope: Option<StateId>) -> String {
    scope.map_or_else(|| "end".to_owned(), |it| format!("end_s{}", it.index()))
}

/// A text in double quotes, in which only they and the backslash are special.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}
