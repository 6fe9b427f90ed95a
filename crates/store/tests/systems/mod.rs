//! The systems of the source documents, on the store.

pub(crate) mod missions;
mod pager;
mod runtime;
pub(crate) mod supervisor;
