//! The list of all backends. A new one is a file or folder in `backend/`, and a line here.

use crate::backend::code::own::Forms;
use crate::backend::code::schema::{JsonSchema, OpenApi};
use crate::backend::{
    Backend, conformance::Conformance, database::Databases, golang::Go, json::Json, markdown::Docs, python::Python, rust::Rust,
    template::Templates, typescript::TypeScript,
};
use crate::language::Language;

/// The backends that a project can have, in the order of the docs. A program can open a project with more.
pub const BACKENDS: &[&dyn Backend] =
    &[&Docs, &Json, &Rust, &TypeScript, &Python, &Go, &Conformance, &JsonSchema, &OpenApi, &Language, &Templates, &Forms, &Databases];
