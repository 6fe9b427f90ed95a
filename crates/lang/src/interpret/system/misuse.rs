//! Calls of transactions that are invalid.

use super::MAX_FIRED;
use crate::model::{PartId, System};

/// How the call of a transaction is invalid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SystemMisuse {
    /// Neither a number nor an owner says which instance of this part is meant.
    Unknown(PartId),
    /// Two instances of one part are meant.
    Apart {
        /// The part.
        part: PartId,
        /// The numbers of the instances, the smaller one first.
        numbers: [u64; 2],
    },
    /// The links set off more events than a transaction may fire.
    Endless,
    /// Something else, as a sentence: no such transaction, or values that do not fit.
    Other(String),
}

impl SystemMisuse {
    /// The mistake in words.
    pub fn show(&self, system: &System) -> String {
        match self {
            SystemMisuse::Unknown(part) => format!("which `{}`?", system.part(*part).name),
            SystemMisuse::Apart { part, numbers: [first, other] } => format!("which `{}`: {first} or {other}?", system.part(*part).name),
            SystemMisuse::Endless => format!("the links set off more than {MAX_FIRED} events"),
            SystemMisuse::Other(message) => message.clone(),
        }
    }
}
