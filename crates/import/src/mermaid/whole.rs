//! The composite that is drawn around the regions of a machine, as Mermaid has no `--` outside composites.
//!
//! ```text
//! [*] --> machine
//! state "lamp" as machine {      regions of the machine `lamp`
//!     state heat { … }      ──▶    heat
//!     --                           light
//!     state light { … }
//! }
//! ```

use statespec_lang::mermaid::MACHINE;

use crate::diagram::{Arrow, Diagram, End, Node};

/// Takes it off: its regions become those of the machine, its text the name of the machine.
pub(super) fn take_off(diagram: &mut Diagram) {
    let Some((whole, _, node)) = diagram.nodes.get_full(MACHINE) else { return };
    if !is_whole(diagram, whole, node) {
        return;
    }
    diagram.name = node.texts.first().cloned();
    diagram.parallel = true;
    diagram.arrows.retain(|it| it.to != End::Node(whole));
    diagram.nodes.shift_remove_index(whole);
    // The nodes behind it move up.
    let moved = |it: usize| if it > whole { it - 1 } else { it };
    let scope = |it: Option<usize>| it.filter(|it| *it != whole).map(moved);
    let end = |it: End| match it {
        End::Dot => End::Dot,
        End::Node(of) => End::Node(moved(of)),
        End::History { of, deep } => End::History { of: moved(of), deep },
    };
    diagram.nodes.values_mut().for_each(|it| it.scope = scope(it.scope));
    for arrow in &mut diagram.arrows {
        (arrow.from, arrow.to, arrow.scope) = (end(arrow.from), end(arrow.to), scope(arrow.scope));
    }
}

/// Whether a composite is no state: it has regions, nothing is beside it, and nothing is said about it but that the machine starts in it.
///
/// The generator gives this id to no state.
fn is_whole(diagram: &Diagram, whole: usize, node: &Node) -> bool {
    let is_alone = diagram.nodes.values().enumerate().all(|(idx, it)| idx == whole || it.scope.is_some());
    let is_plain = node.scope.is_none() && node.texts.len() < 2 && node.notes.is_empty() && node.comments.is_empty();
    let is_start = |it: &Arrow| (it.from, it.scope) == (End::Dot, None) && it.text.is_none() && it.comments.is_empty();
    let mut touching = diagram.arrows.iter().filter(|it| [it.from, it.to].contains(&End::Node(whole)));
    node.parallel && is_alone && is_plain && touching.all(is_start)
}
