//! A file of declarations that several machines use, as written.

use super::machine::{ConstantOrValue, Enum};
use crate::read::{Entries, Text, spec_types};

spec_types! {
    /// Declarations that several machines use, each with `use:` and the path of this file.
    pub struct Shared as "a shared file" {
        /// The name in messages. Machines refer to the file by its path.
        shared: Text,
        /// A description.
        doc: Option<Text>,
        /// Actors, each with a description.
        actors: Option<Entries<Text>>,
        /// Named values for guards and texts.
        constants: Option<Entries<ConstantOrValue>>,
        /// Enumerations for fields and attributes.
        enums: Option<Entries<Enum>>,
    }
}
