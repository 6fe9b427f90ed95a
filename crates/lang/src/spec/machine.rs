//! A machine file as written.

use crate::read::{Entries, Expression, Literal, Named, OneOrMany, Text, spec_types};
use crate::source::Spanned;

spec_types! {
    /// One state machine: states are a map, transitions a flat list with one edge per line.
    pub struct Machine as "a machine" {
        /// The machine's name in other files and in emitted code.
        machine: Text,
        /// The heading of its page; the name if omitted.
        title: Option<Text>,
        /// A description of the machine.
        doc: Option<Text>,
        /// The sources of the facts.
        sources: Option<Vec<Text>>,
        /// Shared files with declarations of this machine, by their paths from the folder of this file: `money.yaml`.
        r#use: Option<OneOrMany<Text>>,
        /// The actors who may raise events or who do the work that events start, each with a description.
        actors: Option<Entries<Text>>,
        /// Named values for guards and texts: `{nudge_limit}` in a text shows the value.
        constants: Option<Entries<ConstantOrValue>>,
        /// Enumerations for fields and attributes.
        enums: Option<Entries<Enum>>,
        /// The context: data stored with the state, which guards read and `set` writes.
        context: Option<Entries<Field>>,
        /// Typed facts about each state.
        attributes: Option<Entries<Attribute>>,
        /// The states. Tables and emitted code keep their order. A list starts in its first state, unless another is marked.
        states: Option<Named<State>>,
        /// The regions, in place of `states`: the machine is in one state of each at once.
        regions: Option<Named<State>>,
        /// The events. A transition can name only declared events.
        events: Option<Named<Event>>,
        /// Named conditions that user code decides.
        predicates: Option<Named<Predicate>>,
        /// Actions of a step outside the machine.
        effects: Option<Named<Effect>>,
        /// The edges. Of several that match, the first whose guard holds wins.
        transitions: Vec<Transition>,
        /// Numbers and names of states and events that are gone, which must not be used again.
        reserved: Option<Reserved>,
        /// Events that are fired again until they take an edge that stays or no edge is enabled.
        settle: Option<OneOrMany<Text>>,
        /// Sort orders that depend on the state.
        orders: Option<Entries<Order>>,
        /// Sentences for the page.
        notes: Option<Vec<Text>>,
        /// Lints waived here, each with the reason: `{ dead-end: It stays open for good. }`.
        allow: Option<Entries<Text>>,
    }

    /// What was in use once.
    pub struct Reserved as "`reserved`" {
        /// Numbers and names of states.
        states: Option<OneOrMany<Text>>,
        /// Numbers and names of events.
        events: Option<OneOrMany<Text>>,
    }

    /// A named value with a description.
    pub struct Constant as "a constant" {
        /// The value: a number, truth value, text in quotes, or a duration such as `30s`.
        value: Literal,
        /// Its type, if the value does not determine it: `decimal` for a whole number.
        r#type: Option<Text>,
        /// A description of the constant.
        doc: Option<Text>,
        /// Lints waived here, each with the reason: `{ dead-end: It stays open for good. }`.
        allow: Option<Entries<Text>>,
    }

    /// A field of the context, of a payload or of sorted items.
    pub struct FieldBody as "a field" {
        /// `bool`, `int`, `decimal`, `text`, `duration`, `timestamp`, `reference`, `state`, or the name of an enum.
        r#type: Text,
        /// The initial value.
        default: Option<Literal>,
        /// May be `null`.
        optional: Option<Spanned<bool>>,
        /// Is there for people, or for code outside the machine: no lint asks for something that reads it.
        informative: Option<Spanned<bool>>,
        /// A description of the field.
        doc: Option<Text>,
        /// The heading in tables; the name if omitted.
        label: Option<Text>,
        /// Other names for it in texts.
        aliases: Option<OneOrMany<Text>>,
        /// Earlier names. `diff` tells a rename from a removal and an addition by them.
        aka: Option<OneOrMany<Text>>,
        /// Lints waived here, each with the reason: `{ dead-end: It stays open for good. }`.
        allow: Option<Entries<Text>>,
    }

    /// An attribute that states may have.
    pub struct AttributeBody as "an attribute" {
        /// A type of a field, or `event`, or `list<…>` of one of these.
        r#type: Text,
        /// The value of states without a value of their own.
        default: Option<Literal>,
        /// States may omit it.
        optional: Option<Spanned<bool>>,
        /// A description of the attribute.
        doc: Option<Text>,
        /// The heading in tables; the name if omitted.
        label: Option<Text>,
    }

    /// A state.
    pub struct State as "a state" {
        /// The machine, or the surrounding state, starts here.
        initial: Option<Spanned<bool>>,
        /// An outcome: the work has ended, although a transition may lead back.
        terminal: Option<Spanned<bool>>,
        /// The text shown to people in place of the name.
        label: Option<Text>,
        /// The state's name in storage and messages; the name if omitted.
        wire: Option<Text>,
        /// The number in messages that carry numbers, such as those of Protocol Buffers. It is never changed, and never used again.
        number: Option<Spanned<i32>>,
        /// Earlier names. `diff` tells a rename from a removal and an addition by them.
        aka: Option<OneOrMany<Text>>,
        /// A description of the state.
        doc: Option<Text>,
        /// Values of the machine's attributes.
        attributes: Option<Entries<Literal>>,
        /// Effects on entering the state.
        entry: Option<OneOrMany<Text>>,
        /// Effects on leaving the state.
        exit: Option<OneOrMany<Text>>,
        /// The context field that remembers where the machine was inside this state when it left it, or several; `to: "{field}"` leads back there.
        history: Option<OneOrMany<History>>,
        /// States inside this one.
        states: Option<Named<State>>,
        /// The regions of this state, in place of `states`: while the machine is in this state, it is in one state of each at once.
        regions: Option<Named<State>>,
        /// Marks what the source text does not contain; the text is the reason for adding it.
        inferred: Option<Text>,
        /// Lints waived here, each with the reason: `{ dead-end: It stays open for good. }`.
        allow: Option<Entries<Text>>,
    }

    /// What a context field remembers of a state with states inside.
    pub struct HistoryBody as "a history" {
        /// The context field, of type `state` and optional.
        field: Text,
        /// Remembers only which of the states directly inside it was.
        shallow: Option<Spanned<bool>>,
    }

    /// Something that can happen.
    pub struct Event as "an event" {
        /// The actors who may raise it; anyone if omitted.
        by: Option<OneOrMany<Text>>,
        /// The actor who does the work that it starts, if that is another one.
        performer: Option<Text>,
        /// The data of the event.
        payload: Option<Entries<Field>>,
        /// The number in messages that carry numbers, such as those of Protocol Buffers. It is never changed, and never used again.
        number: Option<Spanned<i32>>,
        /// The text in diagrams and tables; the name if omitted.
        label: Option<Text>,
        /// A description of the event.
        doc: Option<Text>,
        /// Other names for it in texts.
        aliases: Option<OneOrMany<Text>>,
        /// Earlier names. `diff` tells a rename from a removal and an addition by them.
        aka: Option<OneOrMany<Text>>,
        /// Lints waived here, each with the reason: `{ dead-end: It stays open for good. }`.
        allow: Option<Entries<Text>>,
    }

    /// A condition that the user's code decides.
    pub struct Predicate as "a predicate" {
        /// A description of the condition.
        doc: Option<Text>,
        /// Lints waived here, each with the reason: `{ dead-end: It stays open for good. }`.
        allow: Option<Entries<Text>>,
    }

    /// An action of a step outside the machine.
    pub struct Effect as "an effect" {
        /// A description of the effect.
        doc: Option<Text>,
        /// The text in tables; the doc if omitted.
        label: Option<Text>,
        /// The fields that it takes from the payload of the event.
        payload: Option<OneOrMany<Text>>,
        /// The fields that it takes from the context, as they are after the change.
        context: Option<OneOrMany<Text>>,
        /// The states of the step that it takes: `from`, `to`, or both.
        states: Option<OneOrMany<Text>>,
        /// The text of the effect, with constants and the values that it takes in braces.
        message: Option<Text>,
        /// Lints waived here, each with the reason: `{ dead-end: It stays open for good. }`.
        allow: Option<Entries<Text>>,
    }

    /// One edge, or several that differ only in source, event or target.
    pub struct Transition as "a transition" {
        /// A state, a list of states, `"*"` for every state, `"[*]"` for creation.
        from: OneOrMany<Text>,
        /// States that `"*"` excludes.
        except: Option<OneOrMany<Text>>,
        /// The event, several, or `"*"` for any other event. If omitted, and without `after`, `automatic` or `done`, the row is a direct transition, requested by its target.
        event: Option<OneOrMany<Text>>,
        /// The transition is taken when its source has been active for this duration: `30s`, a constant, a context field, or an expression of these.
        after: Option<Expression>,
        /// The name of the timer of `after`; `STATE_timeout` for each source if omitted.
        timer: Option<Text>,
        /// The transition needs no event: it is taken as soon as its guard holds, after every step.
        automatic: Option<Spanned<bool>>,
        /// The transition is taken when the source, a state with states inside, enters a terminal one of them.
        done: Option<Spanned<bool>>,
        /// The target: a state, `{field}` for a payload field of type `state` or for a history; several in different regions of one state, or without an event. If omitted, the machine stays in its state.
        to: Option<OneOrMany<Text>>,
        /// The event is refused with this text.
        refuse: Option<Text>,
        /// The guard.
        when: Option<Text>,
        /// Assignments to the context; every right side reads the values from before the step.
        set: Option<Entries<Expression>>,
        /// Effects that must succeed before anything changes.
        before: Option<OneOrMany<Text>>,
        /// Effects after the change.
        r#do: Option<OneOrMany<Text>>,
        /// Events that the machine raises itself after the step, in order. They have no payload.
        raise: Option<OneOrMany<Text>>,
        /// Where the target lies inside the source, or contains it, the outer one of the two is left and entered again.
        reenter: Option<Spanned<bool>>,
        /// `persist_first` (a failing store leaves everything unchanged), `memory_first` (the state moves, the failure is reported) or `memory_only` (nothing is stored).
        commit: Option<Text>,
        /// The text that diagrams and tables show instead of the event.
        label: Option<Text>,
        /// A short description of the step for tables; the effects' labels if omitted.
        summary: Option<Text>,
        /// A longer description.
        doc: Option<Text>,
        /// Marks what the source text does not contain; the text is the reason for adding it.
        inferred: Option<Text>,
        /// Lints waived here, each with the reason: `{ dead-end: It stays open for good. }`.
        allow: Option<Entries<Text>>,
    }

    /// A sort order over items that are not part of the machine.
    pub struct Order as "an order" {
        /// A description of the order.
        doc: Option<Text>,
        /// The fields of the sorted items.
        item: Entries<Field>,
        /// The keys compared first in every state, such as `weight asc`.
        keys: OneOrMany<Key>,
        /// The keys compared next, for each state.
        states: Option<Entries<OneOrMany<Key>>>,
    }

    /// Sorts by the list that contains an enum value.
    pub struct RankBody as "a rank" {
        /// The field, of an enum type.
        rank: Text,
        /// The list attribute whose values come first.
        first: Option<Text>,
        /// The list attribute whose values come last.
        last: Option<Text>,
        /// The text in tables.
        label: Option<Text>,
    }

    /// A named set of values.
    pub struct EnumBody as "an enum" {
        /// The values.
        values: Entries<EnumValue>,
        /// A description of the enum.
        doc: Option<Text>,
        /// Numbers and names of values that are gone, which must not be used again.
        reserved: Option<OneOrMany<Text>>,
        /// Reading a value ignores upper and lower case (ASCII).
        ignore_case: Option<Spanned<bool>>,
    }

    /// One value of an enum.
    pub struct EnumValue as "a value of an enum" {
        /// The value's name in storage and messages; the name if omitted.
        wire: Option<Text>,
        /// The number in messages that carry numbers, such as those of Protocol Buffers. It is never changed, and never used again.
        number: Option<Spanned<i32>>,
        /// Earlier names. `diff` tells a rename from a removal and an addition by them.
        aka: Option<OneOrMany<Text>>,
        /// The text shown to people.
        label: Option<Text>,
        /// A description of the value.
        doc: Option<Text>,
    }
}

impl Machine {
    /// The top states: alternatives, or regions.
    pub fn inside(&self) -> Option<&Named<State>> {
        self.states.as_ref().or(self.regions.as_ref())
    }
}

impl State {
    /// The states directly inside: alternatives, or regions.
    pub fn inside(&self) -> Option<&Named<State>> {
        self.states.as_ref().or(self.regions.as_ref())
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
    /// A history: its context field alone, or written out.
    History(HistoryBody) = Field "The context field, which remembers the innermost state.";
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
