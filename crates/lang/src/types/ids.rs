//! Dense ids: the position of an item in its machine's list.

macro_rules! ids {
    ($($(#[$meta:meta])* $name:ident;)*) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// The position.
            pub fn index(self) -> usize {
                self.0 as usize
            }

            /// The id at a position.
            pub fn new(index: usize) -> Self {
                $name(index as u32)
            }
        }
    )*};
}

ids! {
    /// A state, leaf or composite.
    StateId;
    /// An event.
    EventId;
    /// A transition: one row of the spec.
    TransitionId;
    /// An effect.
    EffectId;
    /// A predicate.
    PredicateId;
    /// A field of the context.
    FieldId;
    /// The name of a payload field; all events of a machine that carry a field of this name share it.
    PayloadId;
    /// An attribute of states.
    AttributeId;
    /// A constant.
    ConstantId;
    /// An enum.
    EnumId;
    /// An actor.
    ActorId;
    /// A sort order.
    OrderId;
    /// A part of a system.
    PartId;
}
