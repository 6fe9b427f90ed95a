//! TypeScript.
