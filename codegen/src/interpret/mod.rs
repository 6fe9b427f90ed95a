//! The step semantics, written down as a program.
