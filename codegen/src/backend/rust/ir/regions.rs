//! The configurations of a machine with regions, as types that allow no other ones.

use proc_macro2::{Ident, TokenStream};

/// What a machine with regions needs beyond its leaves.
pub(crate) struct Regions {
    /// The types of configurations: that of the machine first, each before those inside it.
    pub(crate) types: Vec<Configuration>,
    /// All nodes, in the order of the spec.
    pub(crate) order: Vec<usize>,
    /// The regions, in the order of the spec.
    pub(crate) list: Vec<Region>,
    /// The nodes whose entry may complete a parallel state that a row waits for, and the position of that composite.
    pub(crate) may_complete: Vec<(usize, usize)>,
    /// The maximum number of leaves that are active at once.
    pub(crate) n_active: usize,
}

impl Regions {
    /// The number of words of a set of nodes.
    pub(crate) fn n_words(&self) -> usize {
        self.order.len().div_ceil(64)
    }

    /// The type of this name.
    pub(crate) fn of_type(&self, ident: &Ident) -> Option<&Configuration> {
        self.types.iter().find(|it| it.ident == *ident)
    }
}

/// A type of configurations: of the machine, of a region, or of a parallel state.
pub(crate) struct Configuration {
    pub(crate) ident: Ident,
    pub(crate) doc: Vec<String>,
    /// Attributes added by the user.
    pub(crate) attributes: TokenStream,
    pub(crate) shape: Shape,
}

/// The shape of a [`Configuration`].
pub(crate) enum Shape {
    /// One of these, at first `initial`.
    OneOf { alternatives: Vec<Alternative>, initial: Alternative },
    /// One in each region.
    All(Vec<RegionField>),
}

/// One of the states that a machine, or a region, is in at a time.
pub(crate) struct Alternative {
    pub(crate) variant: Ident,
    /// The name for storage and transmission.
    pub(crate) name: String,
    pub(crate) doc: Vec<String>,
    /// The type of the configurations inside, if it is a parallel state; otherwise it is a leaf.
    pub(crate) inside: Option<Ident>,
}

/// A region of a parallel state, as a field.
pub(crate) struct RegionField {
    pub(crate) field: Ident,
    /// The name for storage and transmission.
    pub(crate) name: String,
    pub(crate) doc: Vec<String>,
    pub(crate) ty: Ident,
}

/// A region.
pub(crate) struct Region {
    pub(crate) node: usize,
    /// The node of the parallel state; `None` for the machine.
    pub(crate) of: Option<usize>,
    /// The leaves in which it starts.
    pub(crate) starts: Vec<Ident>,
}
