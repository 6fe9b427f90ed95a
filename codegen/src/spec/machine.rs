//! A machine file as written.

use crate::read::{Entries, Expression, Literal, OneOrMany, Text, spec_types};
use crate::source::Spanned;

spec_types! {
    /// One state machine: states are a map, transitions a flat list, one edge a line.
    pub struct Machine as "a machine" {
        /// The machine's name, as other files and emitted code call it.
        machine: Text,
        /// The heading of its page; the name when left out.
        title: Option<Text>,
        /// What it is about.
        doc: Option<Text>,
        /// Where the facts come from.
        sources: Option<Vec<Text>>,
        /// Who may raise events or does the work they start, each with a text that says who that is.
        actors: Option<Entries<Text>>,
        /// Named values for guards and texts: `{nudge_limit}` in a text shows the value.
        constants: Option<Entries<ConstantOrValue>>,
        /// Enumerations for fields and attributes.
        enums: Option<Entries<Enum>>,
        /// The data beside the state that guards read and `set` writes.
        context: Option<Entries<Field>>,
        /// The facts every state states about itself.
        attributes: Option<Entries<Attribute>>,
        /// The states, in the order that tables and emitted code keep.
        states: Entries<State>,
        /// What can happen. An event must be declared before a transition names it.
        events: Option<Entries<Event>>,
        /// Conditions that code outside the graph decides.
        predicates: Option<Entries<Predicate>>,
        /// What a step makes happen outside the machine.
        effects: Option<Entries<Effect>>,
        /// The edges. Of several that fit, the first whose guard holds wins.
        transitions: Vec<Transition>,
        /// Events that go on firing until they reach an edge that stays or none is enabled.
        settle: Option<OneOrMany<Text>>,
        /// Sort orders that depend on the state.
        orders: Option<Entries<Order>>,
        /// Sentences for the page.
        notes: Option<Vec<Text>>,
        /// Lints that find something here which is right as it is, each with the reason: `{ dead-end: It stays open for good. }`.
        allow: Option<Entries<Text>>,
    }

    /// A named value with a description.
    pub struct Constant as "a constant" {
        /// The value: a number, truth value, text in quotes, or a duration such as `30s`.
        value: Literal,
        /// Its type, where the value does not tell: `decimal` for a whole number.
        r#type: Option<Text>,
        /// What it stands for.
        doc: Option<Text>,
    }

    /// A field of the context, of a payload or of sorted items.
    pub struct FieldBody as "a field" {
        /// `bool`, `int`, `decimal`, `text`, `duration`, `timestamp`, `reference`, `state`, or the name of an enum.
        r#type: Text,
        /// The value at creation.
        default: Option<Literal>,
        /// May be `null`.
        optional: Option<Spanned<bool>>,
        /// What it holds.
        doc: Option<Text>,
        /// The heading in tables, where it is not the name.
        label: Option<Text>,
        /// Other names that texts use for it.
        aliases: Option<OneOrMany<Text>>,
        /// Lints that find something here which is right as it is, each with the reason: `{ dead-end: It stays open for good. }`.
        allow: Option<Entries<Text>>,
    }

    /// An attribute that states may have.
    pub struct AttributeBody as "an attribute" {
        /// As of a field, or `event`, or `list<…>` of one of these.
        r#type: Text,
        /// The value of states that do not say.
        default: Option<Literal>,
        /// States need not have it.
        optional: Option<Spanned<bool>>,
        /// What it says.
        doc: Option<Text>,
        /// The heading in tables, where it is not the name.
        label: Option<Text>,
    }

    /// A state.
    pub struct State as "a state" {
        /// Where the machine, or the surrounding state, starts.
        initial: Option<Spanned<bool>>,
        /// An outcome: the work has ended, though there may be a way back.
        terminal: Option<Spanned<bool>>,
        /// What a person reads where the name is not good enough.
        label: Option<Text>,
        /// How the state is stored and sent; the name when left out.
        wire: Option<Text>,
        /// What being here means.
        doc: Option<Text>,
        /// Values of the machine's attributes.
        attributes: Option<Entries<Literal>>,
        /// Effects on the way in.
        entry: Option<OneOrMany<Text>>,
        /// Effects on the way out.
        exit: Option<OneOrMany<Text>>,
        /// States inside this one.
        states: Option<Entries<State>>,
        /// Set where the source text did not say so: the reason it is here all the same.
        inferred: Option<Text>,
        /// Lints that find something here which is right as it is, each with the reason: `{ dead-end: It stays open for good. }`.
        allow: Option<Entries<Text>>,
    }

    /// Something that can happen.
    pub struct Event as "an event" {
        /// The actors who may raise it; anyone when left out.
        by: Option<OneOrMany<Text>>,
        /// The actor who does the work it starts, where that is somebody else.
        performer: Option<Text>,
        /// The data it carries.
        payload: Option<Entries<Field>>,
        /// What diagrams and tables show; the name when left out.
        label: Option<Text>,
        /// What it means.
        doc: Option<Text>,
        /// Other names that texts use for it.
        aliases: Option<OneOrMany<Text>>,
        /// Lints that find something here which is right as it is, each with the reason: `{ dead-end: It stays open for good. }`.
        allow: Option<Entries<Text>>,
    }

    /// A condition that the user's code decides.
    pub struct Predicate as "a predicate" {
        /// What it asks.
        doc: Option<Text>,
        /// Lints that find something here which is right as it is, each with the reason: `{ dead-end: It stays open for good. }`.
        allow: Option<Entries<Text>>,
    }

    /// Something that a step makes happen outside the machine.
    pub struct Effect as "an effect" {
        /// What it does.
        doc: Option<Text>,
        /// What tables show; the doc when left out.
        label: Option<Text>,
        /// Fields it takes from the payload of the event, by name.
        payload: Option<OneOrMany<Text>>,
        /// A text it carries, with constants and payload fields in braces.
        message: Option<Text>,
        /// Lints that find something here which is right as it is, each with the reason: `{ dead-end: It stays open for good. }`.
        allow: Option<Entries<Text>>,
    }

    /// One edge, or several that differ only in source, event or target.
    pub struct Transition as "a transition" {
        /// A state, a list of states, `"*"` for every state, `"[*]"` for creation.
        from: OneOrMany<Text>,
        /// States that `"*"` leaves out.
        except: Option<OneOrMany<Text>>,
        /// The event, or several. Left out: the edge is taken by naming its target.
        event: Option<OneOrMany<Text>>,
        /// The target: a state, `{field}` for a payload field of type `state`; several only without an event. Left out: the machine stays where it is.
        to: Option<OneOrMany<Text>>,
        /// The event is turned down with this text.
        refuse: Option<Text>,
        /// The guard.
        when: Option<Text>,
        /// Assignments to the context; every right side reads what was there before.
        set: Option<Entries<Expression>>,
        /// Effects that must succeed before anything changes.
        before: Option<OneOrMany<Text>>,
        /// Effects after the change.
        r#do: Option<OneOrMany<Text>>,
        /// `persist_first` (a failing store leaves everything as it was) or `memory_first` (the state moves, the failure is reported).
        commit: Option<Text>,
        /// What diagrams and tables show instead of the event.
        label: Option<Text>,
        /// What the step does, in a few words, for tables; the effects' labels when left out.
        summary: Option<Text>,
        /// More about it.
        doc: Option<Text>,
        /// Set where the source text did not say so: the reason it is here all the same.
        inferred: Option<Text>,
        /// Lints that find something here which is right as it is, each with the reason: `{ dead-end: It stays open for good. }`.
        allow: Option<Entries<Text>>,
    }

    /// A sort order over items that the machine does not hold itself.
    pub struct Order as "an order" {
        /// What it is for.
        doc: Option<Text>,
        /// The fields of the sorted items.
        item: Entries<Field>,
        /// The keys that come first in every state, such as `weight asc`.
        keys: OneOrMany<Key>,
        /// The keys that follow, for each state.
        states: Option<Entries<OneOrMany<Key>>>,
    }

    /// Sorts by which list an enum value is in.
    pub struct RankBody as "a rank" {
        /// The field, of an enum type.
        rank: Text,
        /// The list attribute whose values come first.
        first: Option<Text>,
        /// The list attribute whose values come last.
        last: Option<Text>,
        /// What tables show.
        label: Option<Text>,
    }

    /// A named set of values.
    pub struct EnumBody as "an enum" {
        /// The values.
        values: Entries<EnumValue>,
        /// What it tells apart.
        doc: Option<Text>,
        /// Reading a value pays no attention to upper and lower case (ASCII).
        ignore_case: Option<Spanned<bool>>,
    }

    /// One value of an enum.
    pub struct EnumValue as "a value of an enum" {
        /// What a person reads.
        label: Option<Text>,
        /// What it means.
        doc: Option<Text>,
    }
}

/// Types that may also be written as a single text.
macro_rules! short_or_long {
    ($($(#[$meta:meta])* $name:ident($long:ty) = $short:ident $short_doc:literal;)*) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Eq)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[cfg_attr(feature = "schema", schemars(untagged))]
        pub enum $name {
            #[doc = $short_doc]
            $short(Text),
            /// Written out.
            Full(Box<$long>),
        }

        impl crate::read::Read for $name {
            fn read(node: crate::yaml::Node, diagnostics: &mut crate::diagnostic::Diagnostics) -> Option<Self> {
                match node.kind {
                    crate::yaml::NodeKind::Map(_) => crate::read::Read::read(node, diagnostics).map(|it| $name::Full(Box::new(it))),
                    _ => Text::read(node, diagnostics).map($name::$short),
                }
            }
        }
    )*};
}
use crate::read::Read;

short_or_long! {
    /// A field: its type alone, or written out.
    Field(FieldBody) = Type "The type alone.";
    /// An attribute: its type alone, or written out.
    Attribute(AttributeBody) = Type "The type alone.";
    /// A sort key.
    Key(RankBody) = Field "`field asc` or `field desc`.";
}

/// A constant: its value alone, or written out.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(untagged))]
pub enum ConstantOrValue {
    /// Written out.
    Full(Box<Constant>),
    /// The value alone.
    Value(Literal),
}

impl Read for ConstantOrValue {
    fn read(node: crate::yaml::Node, diagnostics: &mut crate::diagnostic::Diagnostics) -> Option<Self> {
        match node.kind {
            crate::yaml::NodeKind::Map(_) => Constant::read(node, diagnostics).map(|it| ConstantOrValue::Full(Box::new(it))),
            _ => Some(ConstantOrValue::Value(Literal(node))),
        }
    }
}

/// An enum: a list of its values, or written out.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(untagged))]
pub enum Enum {
    /// The names alone.
    Values(Vec<Text>),
    /// Written out.
    Full(Box<EnumBody>),
}

impl Read for Enum {
    fn read(node: crate::yaml::Node, diagnostics: &mut crate::diagnostic::Diagnostics) -> Option<Self> {
        match node.kind {
            crate::yaml::NodeKind::List(_) => Vec::read(node, diagnostics).map(Enum::Values),
            _ => EnumBody::read(node, diagnostics).map(|it| Enum::Full(Box::new(it))),
        }
    }
}
