//! The description of a module to emit: every name is a Rust identifier, every expression is typed, every row is complete.
//!
//! [`lower`](super::lower) creates it from the model, and [`emit`](super::emit) converts it to tokens. It has no reference
//! to the model, and later stages make no decisions about the graph.

mod expr;
mod regions;
mod rows;

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream};
#[cfg(feature = "files")]
use statespec_lang::source::Span;

use super::Serde;

pub(crate) use expr::{Expr, Held, Place};
pub(crate) use regions::{Alternative, Configuration, Region, RegionField, Regions, Shape};
pub(crate) use rows::{
    Arm, Assignment, Choice, Creation, Destination, Dispatch, EventPattern, History, KnownValue, Outcome, Pattern, Reactions, Recall, Row,
    Rows, Source, Table, Target, Trigger,
};

/// The environment of the emitted code: the names of items that it does not define.
#[derive(Clone)]
pub(crate) struct Env {
    /// The path of the façade.
    pub(crate) facade: TokenStream,
    /// The names of Rust's prelude.
    pub(crate) prelude: Prelude,
    /// The visibility of items and methods.
    pub(crate) visibility: TokenStream,
    /// Attributes of every item.
    pub(crate) attributes: TokenStream,
    /// Attributes of every implementation of a trait.
    pub(crate) impl_attributes: TokenStream,
    /// The condition of serde implementations.
    pub(crate) serde: Serde,
    /// Whether there is an asynchronous host, too.
    pub(crate) async_host: bool,
    /// Whether functions may import names of the façade: no type of the user can have the same name.
    pub(crate) imports: bool,
    /// Whether functions have no bodies: the spec has errors, and bodies would only cause follow-on errors.
    pub(crate) stub: bool,
}

/// Paths of the prelude: short in a file, absolute beside the user's items.
#[derive(Clone)]
pub(crate) struct Prelude {
    pub(crate) option: TokenStream,
    pub(crate) some: TokenStream,
    pub(crate) none: TokenStream,
    pub(crate) result: TokenStream,
    pub(crate) ok: TokenStream,
    pub(crate) err: TokenStream,
    pub(crate) default: TokenStream,
    pub(crate) clone: TokenStream,
    pub(crate) copy: TokenStream,
    pub(crate) sized: TokenStream,
    pub(crate) from: TokenStream,
    pub(crate) as_ref: TokenStream,
    pub(crate) partial_eq: TokenStream,
    pub(crate) ord: TokenStream,
    pub(crate) matches: TokenStream,
    pub(crate) format_args: TokenStream,
}

/// The module of a machine.
pub(crate) struct Machine {
    /// The name in the spec.
    pub(crate) name: String,
    /// The documentation of the module.
    #[cfg(feature = "files")]
    pub(crate) module_doc: Vec<String>,
    /// The documentation of the machine's type.
    pub(crate) doc: Vec<String>,
    pub(crate) env: Env,
    pub(crate) form: Form,
    pub(crate) skip: BTreeSet<Part>,
    pub(crate) types: Types,
    pub(crate) generics: Generics,
    /// The leaf states.
    pub(crate) states: UnitEnum,
    /// The states around them.
    pub(crate) composites: Option<UnitEnum>,
    /// The configurations, if the machine may be in several leaves at once.
    pub(crate) regions: Option<Regions>,
    pub(crate) graph: Graph,
    pub(crate) rows: Rows,
    pub(crate) events: Option<Events>,
    pub(crate) effects: Vec<Effect>,
    pub(crate) effects_take: Takes,
    pub(crate) effect_enum: Option<UnitEnum>,
    pub(crate) actors: Option<UnitEnum>,
    pub(crate) enums: Vec<UnitEnum>,
    pub(crate) constants: Vec<Constant>,
    /// The fields of the context.
    pub(crate) fields: Vec<Field>,
    /// The names of the fields that types of the user hold.
    pub(crate) converted: Vec<String>,
    pub(crate) predicates: Vec<Predicate>,
    pub(crate) orders: Vec<Order>,
    /// The events that create a machine; `None` if `new` creates it.
    pub(crate) creation: Option<Creation>,
    /// The transitions on events.
    pub(crate) dispatch: Option<Dispatch>,
    /// The direct transitions.
    pub(crate) direct: Option<Dispatch>,
    /// The timers, in the order of their events.
    pub(crate) timers: Vec<Timer>,
    /// The steps that may follow a step within the same call, if there are any.
    pub(crate) reactions: Option<Reactions>,
    /// The fields that remember where the machine was.
    pub(crate) histories: Vec<History>,
    /// The assignments of rows with events.
    pub(crate) on_event: Vec<Assignment>,
    /// The assignments of rows without an event.
    pub(crate) on_direct: Vec<Assignment>,
    pub(crate) typestate: Option<Typestate>,
    /// The lines of the module that show one element of the spec.
    #[cfg(feature = "files")]
    pub(crate) blame: Vec<(String, Span)>,
}

/// The owner of the machine's type and of its states.
#[derive(Clone)]
pub(crate) enum Form {
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
    pub(crate) fn own_enum(&self) -> Option<&OwnEnum> {
        match self {
            Form::Enum(own) | Form::Around(own) => Some(own),
            Form::Module | Form::Struct(_) => None,
        }
    }
}

/// The user's struct.
#[derive(Debug, Clone)]
pub(crate) struct OwnStruct {
    /// The field with the state.
    pub(crate) state: Ident,
    /// The fields of the context, by their ids.
    pub(crate) fields: Vec<Ident>,
    /// Their types where these hold values by conversion, by their ids.
    pub(crate) held: Vec<Option<HeldField>>,
    /// The type of references, if a field or an option determines it.
    pub(crate) reference: Option<TokenStream>,
    /// The fields that are not in the spec, in order, with their types.
    pub(crate) own: Vec<(Ident, TokenStream)>,
    /// Its type parameters.
    pub(crate) generics: OwnGenerics,
    /// Whether the states are an enum of the user, whose derive emits everything that does not need the machine.
    pub(crate) own_states: bool,
}

/// A field of the user's struct whose type holds values by conversion.
#[derive(Debug, Clone)]
pub(crate) struct HeldField {
    pub(crate) ty: TokenStream,
    /// Whether it must be the type that the façade has, by another name.
    pub(crate) is_alias: bool,
}

/// The type parameters of the user's struct.
#[derive(Debug, Clone, Default)]
pub(crate) struct OwnGenerics {
    /// `T: Clone,`
    pub(crate) parameters: TokenStream,
    /// `T,`
    pub(crate) arguments: TokenStream,
    /// The names of types and constants, which no other parameter may have.
    pub(crate) names: Vec<Ident>,
}

/// The user's enum.
#[derive(Debug, Clone)]
pub(crate) struct OwnEnum {
    /// The variants of the leaves, in their order.
    pub(crate) variants: Vec<Ident>,
    /// Whether `as usize` yields the position of a state: the order of the spec, counted from 0.
    pub(crate) in_order: bool,
    /// The type of references, if an option determines it.
    pub(crate) reference: Option<TokenStream>,
    /// Other names of variants, by which the derive of a struct refers to them.
    pub(crate) other_names: Vec<(Ident, Ident)>,
}

/// A part that may be omitted, since the user may have an item of the same name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Part {
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
}

/// The names of the types that a module may define.
#[derive(Clone)]
pub(crate) struct Types {
    pub(crate) machine: Ident,
    /// The leaves; `State` in a machine without regions.
    pub(crate) state: Ident,
    /// What the machine is in: a leaf, or a configuration of several.
    pub(crate) configuration: Ident,
    pub(crate) composite: Ident,
    pub(crate) event: Ident,
    pub(crate) event_kind: Ident,
    pub(crate) row: Ident,
    pub(crate) effect: Ident,
    pub(crate) host: Ident,
    pub(crate) async_host: Ident,
    pub(crate) actor: Ident,
    pub(crate) change: Ident,
    pub(crate) refused: Ident,
    pub(crate) context: Ident,
    pub(crate) predicates: Ident,
    pub(crate) in_state: Ident,
    pub(crate) marker: Ident,
    pub(crate) timers: Ident,
}

/// The type parameters, and the types that have them.
pub(crate) struct Generics {
    /// The parameter for texts of the context: `Text`.
    pub(crate) text: Ident,
    /// The parameter for references: `R`.
    pub(crate) reference: Ident,
    /// The parameter for the type that answers predicates: `P`.
    pub(crate) predicates: Ident,
    /// The parameter for the host: `H`.
    pub(crate) host: Ident,
    /// The parameters of the user's struct.
    pub(crate) own: OwnGenerics,
    /// The default of the parameter for references.
    pub(crate) default_reference: TokenStream,
    /// The parameters of `Context` and of the machine.
    pub(crate) of_context: Params,
    /// The parameters of `Event`.
    pub(crate) of_event: Params,
    /// The parameters of `Host`.
    pub(crate) of_effects: Params,
    /// The parameters of `Predicates`.
    pub(crate) of_predicates: Params,
    /// The traits that the methods that take steps require of `Text`.
    pub(crate) text_needs: TextNeeds,
    /// Whether a default of the context is a text, so that `Text` is created from a literal.
    pub(crate) default_text: bool,
}

/// The parameters of one type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(not(feature = "files"), expect(unreachable_pub, reason = "the glue of our tests shows it"))]
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
pub(crate) struct TextNeeds {
    /// Whether a text of a payload is stored.
    pub(crate) from_payload: bool,
    /// Whether a text of the spec is stored.
    pub(crate) from_literal: bool,
    /// Whether a text of the context is copied, or the whole machine.
    pub(crate) clone: bool,
    /// Whether a text of the context is compared.
    pub(crate) as_str: bool,
}

/// A fieldless enum whose variants have names.
pub(crate) struct UnitEnum {
    pub(crate) ident: Ident,
    /// The kind of its values, for messages: "state".
    pub(crate) kind: String,
    pub(crate) doc: Vec<String>,
    pub(crate) variants: Vec<Variant>,
    /// Whether parsing ignores ASCII case.
    pub(crate) ignore_case: bool,
    /// Attributes added by the user.
    pub(crate) attributes: TokenStream,
}

/// A variant of a [`UnitEnum`].
pub(crate) struct Variant {
    pub(crate) ident: Ident,
    /// The name for storage and transmission.
    pub(crate) name: String,
    /// The name for readers.
    pub(crate) label: Option<String>,
    /// The spec's description.
    pub(crate) text: Option<String>,
    pub(crate) doc: Vec<String>,
    /// Alternative names.
    pub(crate) aliases: Vec<String>,
}

/// The facts about states that methods of `State` return.
pub(crate) struct Graph {
    pub(crate) initial: Ident,
    /// The leaves that a transition leads to, by leaf.
    pub(crate) successors: Lists,
    /// The events that a transition accepts, by leaf; `None` if there are no events.
    pub(crate) events: Option<Lists>,
    pub(crate) terminal: Vec<Ident>,
    pub(crate) sinks: Vec<Ident>,
    pub(crate) nesting: Option<Nesting>,
    pub(crate) attributes: Vec<Attribute>,
    /// Entry and exit effects: leaves, then composites; empty where nothing depends on them.
    pub(crate) nodes: Vec<Node>,
    /// The nodes whose entry completes a composite that a row waits for, and the position of that composite.
    pub(crate) completing: Vec<(usize, usize)>,
    /// The maximum number of steps of one change.
    pub(crate) n_steps: usize,
}

/// A list of variants for each leaf.
pub(crate) enum Lists {
    /// As slices; `None` for all variants.
    Slices(Vec<Option<Vec<Ident>>>),
    /// As text, in large machines.
    Packed { text: String, n_items: usize },
}

/// The composites around each leaf.
pub(crate) struct Nesting {
    /// The innermost composite around, by leaf.
    pub(crate) parents: Vec<Option<Ident>>,
    /// The names from the outermost composite to the leaf, by leaf.
    pub(crate) paths: Vec<String>,
    /// The leaves inside, by composite.
    pub(crate) inside: Vec<Vec<Ident>>,
    /// The innermost composite around, by composite.
    pub(crate) composite_parents: Vec<Option<Ident>>,
    /// The leaf that entering the composite leads to, by composite.
    pub(crate) defaults: Vec<Ident>,
}

/// An attribute of states: a method with a value for each leaf.
pub(crate) struct Attribute {
    pub(crate) method: Ident,
    pub(crate) doc: Vec<String>,
    /// The type that the method returns.
    pub(crate) ty: TokenStream,
    /// The type in the table.
    pub(crate) element: TokenStream,
    pub(crate) values: Vec<Expr>,
}

/// The entry and exit effects of one state.
pub(crate) struct Node {
    pub(crate) parent: Option<usize>,
    pub(crate) entry: Vec<Ident>,
    pub(crate) exit: Vec<Ident>,
}

/// A timer.
pub(crate) struct Timer {
    /// The event with which it elapses.
    pub(crate) event: Ident,
    /// The nodes in which it runs.
    pub(crate) nodes: Vec<usize>,
    /// The duration, read from the machine.
    pub(crate) after: Expr,
}

/// The events of a machine.
pub(crate) struct Events {
    pub(crate) kinds: UnitEnum,
    /// The payloads, by event; empty where no event has one.
    pub(crate) payloads: Vec<Vec<Field>>,
    /// The actors that may raise each event, and the actor that performs its work.
    pub(crate) actors: Option<Vec<(Vec<Ident>, Option<Ident>)>>,
    /// Attributes of `Event` added by the user.
    pub(crate) attributes: TokenStream,
}

/// A field of the context, of a payload, or of the items of an order.
#[derive(Clone)]
pub(crate) struct Field {
    pub(crate) ident: Ident,
    /// The name in the spec.
    pub(crate) name: String,
    /// Whether it is a text; an optional one may be null.
    pub(crate) text: Option<Optional>,
    /// Whether it is a state of the user's own enum, which need not implement serde's traits.
    pub(crate) own_state: Option<Optional>,
    /// The name of a variable for the field.
    pub(crate) local: Ident,
    pub(crate) doc: Vec<String>,
    /// The type of the field.
    pub(crate) ty: TokenStream,
    /// The type of a parameter.
    pub(crate) argument: TokenStream,
    /// The value of a new machine; only fields of the context have one.
    pub(crate) default: Option<Expr>,
}

/// Whether a value may be null.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Optional(pub(crate) bool);

/// A constant of the spec.
pub(crate) struct Constant {
    pub(crate) ident: Ident,
    pub(crate) doc: Vec<String>,
    pub(crate) ty: TokenStream,
    pub(crate) value: Expr,
}

/// An effect, as a method of the host.
pub(crate) struct Effect {
    pub(crate) variant: Ident,
    pub(crate) method: Ident,
    pub(crate) doc: Vec<String>,
    /// The parameters of the method before the message.
    pub(crate) parameters: Vec<Parameter>,
    /// The message, built from the parameters.
    pub(crate) message: Option<Message>,
    /// The events from which its payload is taken.
    pub(crate) events: Vec<EventPattern>,
    /// Whether every event of the machine carries its payload.
    pub(crate) complete: bool,
}

/// A parameter of the method of an effect.
pub(crate) struct Parameter {
    pub(crate) field: Field,
    /// Whether the value may be null.
    pub(crate) optional: bool,
    /// The type of the user that holds the value by conversion.
    pub(crate) held: Option<Held>,
    pub(crate) argument: Argument,
}

/// The value of a [`Parameter`].
pub(crate) enum Argument {
    /// A field of the event, bound by its pattern.
    Event,
    /// A value of the machine.
    Machine(Expr),
    /// The state before the step.
    From,
    /// The state after the step.
    To,
}

/// The values from which the parameters of effects are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(not(feature = "files"), expect(unreachable_pub, reason = "the glue of our tests shows it"))]
pub struct Takes {
    /// Whether some effect takes data from the event.
    pub event: bool,
    /// Whether some effect takes a value of the machine.
    pub machine: bool,
    /// Whether some effect takes a state of the step.
    pub step: bool,
}

impl Effect {
    /// Whether it takes data from the event.
    pub(crate) fn takes_event(&self) -> bool {
        self.parameters.iter().any(|it| matches!(it.argument, Argument::Event))
    }
}

/// The message of an effect.
pub(crate) struct Message {
    /// The text for `format_args!`.
    pub(crate) format: String,
    /// The positions of the parameters that it shows.
    pub(crate) arguments: Vec<usize>,
    /// Whether an argument is a reference of a type parameter.
    pub(crate) shows_references: bool,
}

/// A predicate, as a method of the type that implements the predicates.
pub(crate) struct Predicate {
    pub(crate) method: Ident,
    pub(crate) doc: Vec<String>,
    pub(crate) takes_event: bool,
}

/// A sort order.
pub(crate) struct Order {
    pub(crate) method: Ident,
    pub(crate) doc: Vec<String>,
    pub(crate) item: Ident,
    pub(crate) item_doc: Vec<String>,
    pub(crate) fields: Vec<Field>,
    pub(crate) params: Params,
    /// The keys that come first in every state.
    pub(crate) keys: Vec<Key>,
    /// The keys that follow, by groups of states.
    pub(crate) state_keys: Vec<(Vec<Ident>, Vec<Key>)>,
}

/// A sort key.
#[derive(Clone)]
pub(crate) enum Key {
    Field { field: Ident, descending: bool },
    Rank { field: Ident, ranks: Vec<u8> },
}

/// A type for each state.
pub(crate) struct Typestate {
    /// The module of the markers.
    pub(crate) module: Ident,
    pub(crate) states: Vec<TypestateState>,
}

/// A state with a type of its own.
pub(crate) struct TypestateState {
    pub(crate) variant: Ident,
    pub(crate) doc: Vec<String>,
    pub(crate) methods: Vec<TypestateMethod>,
}

/// A transition without a guard.
pub(crate) struct TypestateMethod {
    pub(crate) method: Ident,
    pub(crate) doc: Vec<String>,
    pub(crate) to: Ident,
    pub(crate) row: TokenStream,
    /// The event; `None` for a direct transition.
    pub(crate) event: Option<(Ident, Vec<Field>)>,
    /// Whether the payload of the event has a reference.
    pub(crate) takes_reference: bool,
}

impl Machine {
    /// Whether machine methods are emitted: a user's enum cannot store a context.
    pub(crate) fn has_machine(&self) -> bool {
        !self.skip.contains(&Part::Machine) && (!matches!(self.form, Form::Enum(_)) || self.fields.is_empty())
    }

    /// Whether a user's enum has the states, and its derive emits everything that does not need the machine.
    pub(crate) fn has_own_states(&self) -> bool {
        matches!(&self.form, Form::Struct(own) if own.own_states)
    }

    pub(crate) fn has_part(&self, part: Part) -> bool {
        !self.skip.contains(&part)
    }

    pub(crate) fn has_context(&self) -> bool {
        !self.fields.is_empty()
    }

    /// Whether some event has a payload.
    pub(crate) fn has_payload(&self) -> bool {
        self.events.as_ref().is_some_and(|it| !it.payloads.is_empty())
    }

    /// Whether the value of some default may be out of the range of the type that is to hold it.
    pub(crate) fn starts_by_conversion(&self) -> bool {
        self.fields.iter().filter_map(|it| it.default.as_ref()).any(Expr::converts)
    }

    /// Whether some assignment of a row with an event asks a predicate.
    pub(crate) fn assigns_predicates(&self) -> bool {
        self.on_event.iter().any(|it| it.asks)
    }

    /// Whether some message shows a reference.
    pub(crate) fn shows_references(&self) -> bool {
        self.effects.iter().any(|it| it.message.as_ref().is_some_and(|message| message.shows_references))
    }

    /// The parameters of `Effect::perform` before the host: they include the references of the event.
    pub(crate) fn perform_params(&self) -> Params {
        let Generics { of_effects, of_event, .. } = &self.generics;
        let in_event = self.effects_take.event && of_event.reference;
        Params { text: of_effects.text, reference: of_effects.reference || in_event, own: of_effects.own }
    }
}
