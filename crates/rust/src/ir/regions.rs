//! The configurations of a machine with regions, as types that allow no other ones.

use proc_macro2::{Ident, TokenStream};

/// What a machine with regions needs beyond its leaves.
pub struct Regions {
    /// The types of configurations: that of the machine first, each before those inside it.
    pub types: Vec<Configuration>,
    /// All nodes, in the order of the spec.
    pub order: Vec<usize>,
    /// The regions, in the order of the spec.
    pub list: Vec<Region>,
    /// The nodes whose entry may complete a parallel state that a row waits for, and that composite.
    pub may_complete: Vec<(usize, Ident)>,
    /// The maximum number of leaves that are active at once.
    pub n_active: usize,
}

impl Regions {
    /// The number of words of a set of nodes.
    pub fn n_words(&self) -> usize {
        self.order.len().div_ceil(64)
    }

    /// The type of this name.
    pub fn of_type(&self, ident: &Ident) -> Option<&Configuration> {
        self.types.iter().find(|it| it.ident == *ident)
    }
}

/// A type of configurations: of the machine, of a region, or of a parallel state.
pub struct Configuration {
    pub ident: Ident,
    pub doc: Vec<String>,
    /// Attributes added by the user.
    pub attributes: TokenStream,
    pub shape: Shape,
}

/// The shape of a [`Configuration`].
pub enum Shape {
    /// One of these, at first `initial`.
    OneOf { alternatives: Vec<Alternative>, initial: Alternative },
    /// One in each region.
    All(Vec<RegionField>),
}

/// One of the states that a machine, or a region, is in at a time.
pub struct Alternative {
    pub variant: Ident,
    /// The name for storage and transmission.
    pub name: String,
    pub doc: Vec<String>,
    /// The type of the configurations inside, if it is a parallel state; otherwise it is a leaf.
    pub inside: Option<Ident>,
}

/// A region of a parallel state, as a field.
pub struct RegionField {
    pub field: Ident,
    /// The name for storage and transmission.
    pub name: String,
    pub doc: Vec<String>,
    pub ty: Ident,
}

/// A region.
pub struct Region {
    pub node: usize,
    /// The node of the parallel state; `None` for the machine.
    pub of: Option<usize>,
    /// The leaves in which it starts.
    pub starts: Vec<Ident>,
}
