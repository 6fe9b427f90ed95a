//! The systems of the source documents, on the store.

pub(crate) mod missions;
mod pager;
pub(crate) mod pool;
mod runtime;
pub(crate) mod supervisor;
