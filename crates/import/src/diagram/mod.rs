//! State diagrams: the states and arrows that their notations have in common, and what these mean.
//!
//! ```text
//! Mermaid ──┐
//!           ├─parse─▶ Diagram (states and arrows as drawn) ─shape─▶ draft
//! PlantUML ─┘
//! ```

mod block;
mod drawn;
mod history;
mod shape;

pub(crate) use block::Block;
pub(crate) use drawn::{Arrow, Diagram, End, MAX_DEPTH, Node, Pseudo, Wrong};
pub(crate) use shape::draft;
