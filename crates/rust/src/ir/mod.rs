//! The description of a module to emit: every name is a Rust identifier, every expression is typed, every row is complete.
//!
//! [`lower`](super::lower) creates it from the model, and [`emit`](super::emit) converts it to tokens. It has no reference
//! to the model, and later stages make no decisions about the graph.

mod expr;
mod regions;
mod rows;

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream};
use statespec_lang::source::Span;

use super::Serde;

pub use expr::{Expr, Held, Place};
pub use regions::{Alternative, Configuration, Region, RegionField, Regions, Shape};
pub use rows::{
    Arm, Assignment, Choice, Creation, Destination, Dispatch, EventPattern, History, KnownValue, Outcome, Pattern, Reactions, Recall, Row,
    Rows, Source, Table, Target, Trigger,
};

/// The environment of the emitted code: the names of items that it does not define.
#[derive(Clone)]
pub struct Env {
    /// The path of the façade.
    pub facade: TokenStream,
    /// The visibility of items and methods.
    pub visibility: TokenStream,
    /// Attributes of every item.
    pub attributes: TokenStream,
    /// Attributes of every implementation of a trait.
    pub impl_attributes: TokenStream,
    /// The condition of serde implementations.
    pub serde: Serde,
    /// Whether there is an asynchronous host, too.
    pub async_host: bool,
    /// Whether the items are a file by themselves: no type of the user can have a name of Rust's prelude or of the façade, so that
    /// these names are short.
    pub in_file: bool,
    /// Whether functions have no bodies: the spec has errors, and bodies would only cause follow-on errors.
    pub stub: bool,
}

/// The module of a machine.
pub struct Machine {
    /// The name in the spec.
    pub name: String,
    /// The documentation of the module.
    pub module_doc: Vec<String>,
    /// The documentation of the machine's type.
    pub doc: Vec<String>,
    pub env: Env,
    pub form: Form,
    pub skip: BTreeSet<Part>,
    pub types: Types,
    pub generics: Generics,
    /// The leaf states.
    pub states: UnitEnum,
    /// The states around them.
    pub composites: Option<UnitEnum>,
    /// The configurations, if the machine may be in several leaves at once.
    pub regions: Option<Regions>,
    pub graph: Graph,
    pub rows: Rows,
    pub events: Option<Events>,
    pub effects: Vec<Effect>,
    /// Whether some effect takes data from the event.
    pub effects_take_event: bool,
    /// The effects without their data.
    pub effect_enum: Option<UnitEnum>,
    /// Attributes of `Effect` added by the user.
    pub effect_attributes: TokenStream,
    pub actors: Option<UnitEnum>,
    pub enums: Vec<UnitEnum>,
    pub constants: Vec<Constant>,
    /// The fields of the context.
    pub fields: Vec<Field>,
    /// The names of the fields that types of the user hold.
    pub converted: Vec<String>,
    pub predicates: Vec<Predicate>,
    pub orders: Vec<Order>,
    /// The events that create a machine; `None` if `new` creates it.
    pub creation: Option<Creation>,
    /// The transitions on events.
    pub dispatch: Option<Dispatch>,
    /// The direct transitions.
    pub direct: Option<Dispatch>,
    /// The timers, in the order of their events.
    pub timers: Vec<Timer>,
    /// The steps that may follow a step within the same call, if there are any.
    pub reactions: Option<Reactions>,
    /// The fields that remember where the machine was.
    pub histories: Vec<History>,
    /// The assignments of rows with events.
    pub on_event: Vec<Assignment>,
    /// The assignments of rows without an event.
    pub on_direct: Vec<Assignment>,
    pub typestate: Option<Typestate>,
    /// The lines of the module that show one element of the spec.
    pub blame: Vec<(String, Span)>,
}

/// The owner of the machine's type and of its states.
#[derive(Clone)]
pub enum Form {
    /// A module: the machine is a struct with the state and a `Context`.
    Module,
    /// The user's struct, whose fields are the context.
    Struct(OwnStruct),
    /// The user's enum is the state, and also the machine if there is no context.
    Enum(OwnEnum),
    /// The user's enum is the state of a struct with a `Context`, as in a module.
    Around(OwnEnum),
}

impl Form {
    /// The user's enum with the derive.
    pub fn own_enum(&self) -> Option<&OwnEnum> {
        match self {
            Form::Enum(own) | Form::Around(own) => Some(own),
            Form::Module | Form::Struct(_) => None,
        }
    }

    /// Whether the states are an enum of the user.
    pub fn has_own_states(&self) -> bool {
        match self {
            Form::Enum(_) | Form::Around(_) => true,
            Form::Struct(own) => own.own_states,
            Form::Module => false,
        }
    }
}

/// The user's struct.
#[derive(Debug, Clone)]
pub struct OwnStruct {
    /// The field with the state.
    pub state: Ident,
    /// The fields of the context, by their ids.
    pub fields: Vec<Ident>,
    /// Their types where these hold values by conversion, by their ids.
    pub held: Vec<Option<HeldField>>,
    /// The type of references, if a field or an option determines it.
    pub reference: Option<TokenStream>,
    /// The fields that are not in the spec, in order, with their types.
    pub own: Vec<(Ident, TokenStream)>,
    /// Its type parameters.
    pub generics: OwnGenerics,
    /// Whether the states are an enum of the user, whose derive emits everything that does not need the machine.
    pub own_states: bool,
}

/// A field of the user's struct whose type holds values by conversion.
#[derive(Debug, Clone)]
pub struct HeldField {
    pub ty: TokenStream,
    /// Whether it must be the type that the façade has, by another name.
    pub is_alias: bool,
}

/// The type parameters of the user's struct.
#[derive(Debug, Clone, Default)]
pub struct OwnGenerics {
    /// `T: Clone,`
    pub parameters: TokenStream,
    /// `T,`
    pub arguments: TokenStream,
    /// The names of types and constants, which no other parameter may have.
    pub names: Vec<Ident>,
}

/// The user's enum.
#[derive(Debug, Clone)]
pub struct OwnEnum {
    /// The variants of the leaves, in their order.
    pub variants: Vec<Ident>,
    /// Whether `as usize` yields the position of a state: the order of the spec, counted from 0.
    pub in_order: bool,
    /// The type of references, if an option determines it.
    pub reference: Option<TokenStream>,
    /// Other names of variants, by which the derive of a struct refers to them.
    pub other_names: Vec<(Ident, Ident)>,
}

/// A part that may be omitted, since the user may have an item of the same name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// `new`, `create` and `create_with`.
    New,
    /// `run` and `run_to`.
    Run,
    /// `plan`, `apply` and every method that changes the machine.
    Machine,
    /// `Display` of the user's enum.
    Display,
    /// `FromStr` of the user's enum.
    FromStr,
    /// The method `allows` of the states; the façade's trait has it nevertheless, and so for the next two.
    Allows,
    /// The method `is_terminal` of the states.
    IsTerminal,
    /// The method `is_sink` of the states.
    IsSink,
    /// The method `label` of the states.
    Label,
    /// The method `doc` of the states.
    Doc,
}

/// The names of the types that a module may define.
#[derive(Clone)]
pub struct Types {
    pub machine: Ident,
    /// The leaves; `State` in a machine without regions.
    pub state: Ident,
    /// What the machine is in: a leaf, or a configuration of several.
    pub configuration: Ident,
    pub composite: Ident,
    /// What a step is found for: an event or, in a machine with timers, also a timer that has elapsed.
    pub event: Ident,
    /// What a caller can raise: an event and no timer. Without timers, this is `event`.
    pub input: Ident,
    pub event_kind: Ident,
    pub row: Ident,
    /// An effect with its data; the same as `effect_kind` where no effect has any.
    pub effect: Ident,
    pub effect_kind: Ident,
    pub host: Ident,
    pub async_host: Ident,
    /// The host that takes effects as values.
    pub effect_host: Ident,
    pub async_effect_host: Ident,
    pub actor: Ident,
    pub change: Ident,
    pub refused: Ident,
    pub context: Ident,
    pub predicates: Ident,
    pub in_state: Ident,
    pub marker: Ident,
    pub timers: Ident,
}

/// The type parameters, and the types that have them.
pub struct Generics {
    /// The parameter for texts of the context: `Text`.
    pub text: Ident,
    /// The parameter for references: `R`.
    pub reference: Ident,
    /// The parameter for the type that answers predicates: `P`.
    pub predicates: Ident,
    /// The parameter for the host: `H`.
    pub host: Ident,
    /// The parameters of the user's struct.
    pub own: OwnGenerics,
    /// The default of the parameter for references.
    pub default_reference: TokenStream,
    /// The parameters of `Context` and of the machine.
    pub of_context: Params,
    /// The parameters of `Event`.
    pub of_event: Params,
    /// The parameters of `Host`.
    pub of_effects: Params,
    /// The parameters of `Effect`.
    pub of_values: Params,
    /// The parameters of `Predicates`.
    pub of_predicates: Params,
    /// The traits that the methods that take steps require of `Text`.
    pub text_needs: TextNeeds,
    /// Whether a default of the context is a text, so that `Text` is created from a literal.
    pub default_text: bool,
}

/// The parameters of one type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Params {
    /// Whether there is a parameter for texts.
    pub text: bool,
    /// Whether there is a parameter for references.
    pub reference: bool,
    /// Whether there are the parameters of the user's struct.
    pub own: bool,
}

/// The traits that assignments and guards require of `Text`.
#[derive(Debug, Clone, Copy, Default)]
pub struct TextNeeds {
    /// Whether a text of a payload is stored.
    pub from_payload: bool,
    /// Whether a text of the spec is stored.
    pub from_literal: bool,
    /// Whether a text of the context is copied, or the whole machine.
    pub clone: bool,
    /// Whether a text of the context is compared.
    pub as_str: bool,
}

/// A fieldless enum whose variants have names.
#[derive(Clone)]
pub struct UnitEnum {
    pub ident: Ident,
    /// The kind of its values, for messages: "state".
    pub kind: String,
    pub doc: Vec<String>,
    pub variants: Vec<Variant>,
    /// Whether parsing ignores ASCII case.
    pub ignore_case: bool,
    /// Attributes added by the user.
    pub attributes: TokenStream,
}

/// A variant of a [`UnitEnum`].
#[derive(Clone)]
pub struct Variant {
    pub ident: Ident,
    /// The name for storage and transmission.
    pub name: String,
    /// The name for readers.
    pub label: Option<String>,
    /// The spec's description.
    pub text: Option<String>,
    pub doc: Vec<String>,
    /// Alternative names.
    pub aliases: Vec<String>,
}

/// The facts about states that methods of `State` return.
pub struct Graph {
    pub initial: Ident,
    /// The leaves that a transition leads to, by leaf.
    pub successors: Lists,
    /// The events that a transition accepts, by leaf; `None` if there are no events.
    pub events: Option<Lists>,
    pub terminal: Vec<Ident>,
    pub sinks: Vec<Ident>,
    pub nesting: Option<Nesting>,
    pub attributes: Vec<Attribute>,
    /// Entry and exit effects: leaves, then composites; empty where nothing depends on them.
    pub nodes: Vec<Node>,
    /// The nodes whose entry completes a composite that a row waits for, and that composite.
    pub completing: Vec<(usize, Ident)>,
    /// The maximum number of steps of one change.
    pub n_steps: usize,
}

/// A list of variants for each leaf.
pub enum Lists {
    /// As slices; `None` for all variants.
    Slices(Vec<Option<Vec<Ident>>>),
    /// As text, in large machines.
    Packed { text: String, n_items: usize },
}

/// The composites around each leaf.
pub struct Nesting {
    /// The innermost composite around, by leaf.
    pub parents: Vec<Option<Ident>>,
    /// The names from the outermost composite to the leaf, by leaf.
    pub paths: Vec<String>,
    /// The leaves inside, by composite.
    pub inside: Vec<Vec<Ident>>,
    /// The innermost composite around, by composite.
    pub composite_parents: Vec<Option<Ident>>,
    /// The leaf that entering the composite leads to, by composite.
    pub defaults: Vec<Ident>,
}

/// An attribute of states: a method with a value for each leaf.
pub struct Attribute {
    pub method: Ident,
    pub doc: Vec<String>,
    /// The type that the method returns.
    pub ty: TokenStream,
    /// The type in the table.
    pub element: TokenStream,
    pub values: Vec<Expr>,
}

/// The entry and exit effects of one state.
pub struct Node {
    pub parent: Option<usize>,
    pub entry: Vec<Ident>,
    pub exit: Vec<Ident>,
}

/// A timer.
pub struct Timer {
    /// The event with which it elapses.
    pub event: Ident,
    /// The nodes in which it runs.
    pub nodes: Vec<usize>,
    /// The duration, read from the machine.
    pub after: Expr,
}

/// The events of a machine.
pub struct Events {
    pub kinds: UnitEnum,
    /// The payloads, by event; empty where no event has one.
    pub payloads: Vec<Vec<Field>>,
    /// The actors that may raise each event, and the actor that performs its work.
    pub actors: Option<Vec<(Vec<Ident>, Option<Ident>)>>,
    /// Attributes of `Event` added by the user.
    pub attributes: TokenStream,
}

/// A field of the context, of a payload, or of the items of an order.
#[derive(Clone)]
pub struct Field {
    pub ident: Ident,
    /// The name in the spec.
    pub name: String,
    /// Whether it is a text; an optional one may be null.
    pub text: Option<Optional>,
    /// Whether it is a state of the user's own enum, which need not implement serde's traits.
    pub own_state: Option<Optional>,
    /// The name of a variable for the field.
    pub local: Ident,
    pub doc: Vec<String>,
    /// The type of the field.
    pub ty: TokenStream,
    /// The type of a parameter.
    pub argument: TokenStream,
    /// The value of a new machine; only fields of the context have one.
    pub default: Option<Expr>,
}

/// Whether a value may be null.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Optional(pub bool);

/// A constant of the spec.
pub struct Constant {
    pub ident: Ident,
    pub doc: Vec<String>,
    pub ty: TokenStream,
    pub value: Expr,
}

/// An effect, as a method of the host.
pub struct Effect {
    pub variant: Ident,
    pub method: Ident,
    pub doc: Vec<String>,
    /// The parameters of the method before the message.
    pub parameters: Vec<Parameter>,
    /// The message, built from the parameters.
    pub message: Option<Message>,
    /// The events from which its payload is taken.
    pub events: Vec<EventPattern>,
}

/// A parameter of the method of an effect.
pub struct Parameter {
    pub field: Field,
    /// Whether the value may be null.
    pub optional: bool,
    /// The type of the user that holds the value by conversion.
    pub held: Option<Held>,
    pub argument: Argument,
}

/// The value of a [`Parameter`].
pub enum Argument {
    /// A field of the event, bound by its pattern.
    Event,
    /// A value of the machine.
    Machine(Expr),
    /// The state before the step.
    From,
    /// The state after the step.
    To,
}

impl Effect {
    /// Whether it takes data from the event.
    pub fn takes_event(&self) -> bool {
        self.parameters.iter().any(|it| matches!(it.argument, Argument::Event))
    }
}

/// The message of an effect.
pub struct Message {
    /// The text for `format_args!`.
    pub format: String,
    /// The positions of the parameters that it shows.
    pub arguments: Vec<usize>,
    /// Whether an argument is a reference of a type parameter.
    pub shows_references: bool,
}

/// A predicate, as a method of the type that implements the predicates.
pub struct Predicate {
    pub method: Ident,
    pub doc: Vec<String>,
    pub takes_event: bool,
}

/// A sort order.
pub struct Order {
    pub method: Ident,
    pub doc: Vec<String>,
    pub item: Ident,
    pub item_doc: Vec<String>,
    pub fields: Vec<Field>,
    pub params: Params,
    /// The keys that come first in every state.
    pub keys: Vec<Key>,
    /// The keys that follow, by groups of states.
    pub state_keys: Vec<(Vec<Ident>, Vec<Key>)>,
}

/// A sort key.
#[derive(Clone)]
pub enum Key {
    Field { field: Ident, descending: bool },
    Rank { field: Ident, ranks: Vec<u8> },
}

/// A type for each state.
pub struct Typestate {
    /// The module of the markers.
    pub module: Ident,
    pub states: Vec<TypestateState>,
}

/// A state with a type of its own.
pub struct TypestateState {
    pub variant: Ident,
    pub doc: Vec<String>,
    pub methods: Vec<TypestateMethod>,
}

/// A transition without a guard.
pub struct TypestateMethod {
    pub method: Ident,
    pub doc: Vec<String>,
    pub to: Ident,
    pub row: TokenStream,
    /// The event; `None` for a direct transition.
    pub event: Option<(Ident, Vec<Field>)>,
    /// Whether the payload of the event has a reference.
    pub takes_reference: bool,
}

impl Machine {
    /// Whether machine methods are emitted: a user's enum cannot store a context.
    pub fn has_machine(&self) -> bool {
        !self.skip.contains(&Part::Machine) && (!matches!(self.form, Form::Enum(_)) || self.fields.is_empty())
    }

    /// Whether a user's enum has the states, and its derive emits everything that does not need the machine.
    pub fn has_own_states(&self) -> bool {
        matches!(&self.form, Form::Struct(own) if own.own_states)
    }

    pub fn has_part(&self, part: Part) -> bool {
        !self.skip.contains(&part)
    }

    pub fn has_context(&self) -> bool {
        !self.fields.is_empty()
    }

    /// Whether some event has a payload.
    pub fn has_payload(&self) -> bool {
        self.events.as_ref().is_some_and(|it| !it.payloads.is_empty())
    }

    /// Whether the value of some default may be out of the range of the type that is to hold it.
    pub fn starts_by_conversion(&self) -> bool {
        self.fields.iter().filter_map(|it| it.default.as_ref()).any(Expr::converts)
    }

    /// Whether some assignment of a row with an event asks a predicate.
    pub fn assigns_predicates(&self) -> bool {
        self.on_event.iter().any(|it| it.asks)
    }

    /// Whether some message shows a reference.
    pub fn shows_references(&self) -> bool {
        self.effects.iter().any(|it| it.message.as_ref().is_some_and(|message| message.shows_references))
    }
}
