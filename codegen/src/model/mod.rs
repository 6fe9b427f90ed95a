//! What is known to be true: names resolved, ids dense, everything in document order.
//!
//! A model is built in one place ([`crate::lower`]) and never changed, so no reader of it asks
//! whether something is resolved yet.

pub mod document;
mod ids;
pub mod machine;
pub mod system;
pub mod types;

pub use document::Document;
pub use ids::*;
pub use machine::Machine;
pub use system::System;
pub use types::{Literal, Type, Value};

/// Everything one run knows: machines, systems and documents, each sorted by name.
#[derive(Debug, Clone, Default)]
pub struct Model {
    /// The machines.
    pub machines: Vec<Machine>,
    /// The systems.
    pub systems: Vec<System>,
    /// The documents.
    pub documents: Vec<Document>,
}

impl Model {
    /// The machine with this name.
    pub fn machine(&self, name: &str) -> Option<&Machine> {
        // Machines are sorted by name.
        let idx = self.machines.binary_search_by(|it| it.name.as_str().cmp(name)).ok()?;
        self.machines.get(idx)
    }
}
