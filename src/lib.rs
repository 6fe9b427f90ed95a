//! statespec.
#![no_std]
