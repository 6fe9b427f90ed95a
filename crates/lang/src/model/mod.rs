//! The validated model: names resolved, ids dense, everything in document order.
//!
//! A model is built in one place ([`crate::lower`]) and never changed, so its readers need not check
//! whether anything is unresolved.

pub mod configuration;
mod crossing;
pub mod document;
pub mod machine;
pub mod names;
pub mod placement;
mod queries;
pub mod system;
mod timers;

pub use configuration::{Configuration, ConfigurationError};
pub use document::Document;
pub use machine::{Machine, Timer};
pub use system::System;

use crate::diagnostic::Code;
use crate::source::Span;
pub use crate::types::{
    ActorId, AttributeId, ConstantId, EffectId, EnumId, EventId, FieldId, Literal, OrderId, PartId, PayloadId, PredicateId, StateId,
    TransitionId, Type, Value,
};

/// The model of one run: machines, systems and documents, each sorted by name.
#[derive(Debug, Clone, Default)]
pub struct Model {
    /// The machines.
    pub machines: Vec<Machine>,
    /// The systems.
    pub systems: Vec<System>,
    /// The documents.
    pub documents: Vec<Document>,
    /// The waived lints of elements, in the order written.
    pub waivers: Vec<Waiver>,
}

/// A lint waived for one element and its contents.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Waiver {
    /// The element, identified by its `span` in the model.
    pub element: Span,
    /// The lint.
    pub code: Code,
    /// The reason for the waiver.
    pub reason: String,
    /// The span of the waiver.
    pub span: Span,
    /// The machine or system that contains the element, identified by its `span`.
    pub whole: Span,
}

impl Model {
    /// The machine with this name.
    pub fn machine(&self, name: &str) -> Option<&Machine> {
        // Machines are sorted by name.
        let idx = self.machines.binary_search_by(|it| it.name.as_str().cmp(name)).ok()?;
        self.machines.get(idx)
    }
}
