//! Evidence that the check misses nothing, as functions: the command line and the tests call the same ones.

pub mod alarms;
pub mod fuzz;
pub mod hostile;
pub mod losses;
pub mod measured;
pub mod mutants;
pub mod planted;
pub mod random;
pub mod rng;
