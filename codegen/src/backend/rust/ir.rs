//! The description of a module to emit: every name is a Rust identifier, every expression is typed, every row is complete.
//!
//! [`lower`](super::lower) makes it from the model, and [`emit`](super::emit) makes tokens of it. Nothing in it refers
//! to the model, and nothing behind it decides anything about the graph.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream};

#[cfg(feature = "files")]
use crate::source::Span;

/// The surroundings of the emitted code: how it names what it does not define.
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
    /// The condition of serde implementations, where there are any.
    pub(crate) serde: Option<TokenStream>,
    /// Functions may import names of the façade: no type of the user's can have the same.
    pub(crate) imports: bool,
    /// Functions have no bodies: something is wrong that they would only repeat.
    pub(crate) stub: bool,
}

/// Paths of the prelude: short in a file, absolute beside items of the user's.
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
    pub(crate) graph: Graph,
    pub(crate) rows: Rows,
    pub(crate) events: Option<Events>,
    pub(crate) effects: Vec<Effect>,
    pub(crate) effect_enum: Option<UnitEnum>,
    pub(crate) actors: Option<UnitEnum>,
    pub(crate) enums: Vec<UnitEnum>,
    pub(crate) constants: Vec<Constant>,
    /// The fields of the context.
    pub(crate) fields: Vec<Field>,
    pub(crate) predicates: Vec<Predicate>,
    pub(crate) orders: Vec<Order>,
    /// The events that create a machine; none where `new` does.
    pub(crate) creation: Option<Creation>,
    /// The transitions on events.
    pub(crate) dispatch: Option<Dispatch>,
    /// The direct transitions.
    pub(crate) direct: Option<Dispatch>,
    /// The assignments of rows with events.
    pub(crate) on_event: Vec<Assignment>,
    /// The assignments of rows without an event.
    pub(crate) on_direct: Vec<Assignment>,
    pub(crate) typestate: Option<Typestate>,
    /// The words by which a line of the module speaks of an element of the spec.
    #[cfg(feature = "files")]
    pub(crate) blame: Vec<(Vec<String>, Span)>,
}

/// The owner of the machine's type and of its states.
#[derive(Clone)]
pub(crate) enum Form {
    /// A module: the machine is a struct that holds the state and a `Context`.
    Module,
    /// The user's struct, whose fields are the context.
    Struct(OwnStruct),
    /// The user's enum is the state, and the machine where there is no context.
    Enum(OwnEnum),
}

/// The user's struct.
#[derive(Debug, Clone)]
pub(crate) struct OwnStruct {
    /// The field that holds the state.
    pub(crate) state: Ident,
    /// The fields of the context, by their ids.
    pub(crate) fields: Vec<Ident>,
    /// The type of references, where a field or an option says so.
    pub(crate) reference: Option<TokenStream>,
    /// The fields that the spec does not know, in order, with their types.
    pub(crate) own: Vec<(Ident, TokenStream)>,
}

/// The user's enum.
#[derive(Debug, Clone)]
pub(crate) struct OwnEnum {
    /// The variants of the leaves, in their order.
    pub(crate) variants: Vec<Ident>,
    /// Whether `as usize` yields the position of a state: the order of the spec, counted from 0.
    pub(crate) in_order: bool,
}

/// A part that may be left out, since the user may have something of the same name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Part {
    /// `new`, `create` and `create_with`.
    New,
    /// `run` and `run_to`.
    Run,
    /// `plan`, `apply` and all that changes the machine.
    Machine,
    /// `Display` of the user's enum.
    Display,
    /// `FromStr` of the user's enum.
    FromStr,
}

/// The names of the types that a module may hold.
#[derive(Clone)]
pub(crate) struct Types {
    pub(crate) machine: Ident,
    pub(crate) state: Ident,
    pub(crate) composite: Ident,
    pub(crate) event: Ident,
    pub(crate) event_kind: Ident,
    pub(crate) row: Ident,
    pub(crate) effect: Ident,
    pub(crate) effects: Ident,
    pub(crate) actor: Ident,
    pub(crate) change: Ident,
    pub(crate) refused: Ident,
    pub(crate) context: Ident,
    pub(crate) predicates: Ident,
    pub(crate) in_state: Ident,
    pub(crate) marker: Ident,
}

/// The type parameters, and the types that have them.
pub(crate) struct Generics {
    /// The parameter for texts of the context: `Text`.
    pub(crate) text: Ident,
    /// The parameter for references: `R`.
    pub(crate) reference: Ident,
    /// The parameter for the type that answers predicates: `P`.
    pub(crate) predicates: Ident,
    /// The parameter for the type that performs effects: `H`.
    pub(crate) host: Ident,
    /// The parameters of `Context` and of the machine.
    pub(crate) of_context: Params,
    /// The parameters of `Event`; a text stands for the lifetime.
    pub(crate) of_event: Params,
    /// The parameters of `Effects`.
    pub(crate) of_effects: Params,
    /// The parameters of `Predicates`.
    pub(crate) of_predicates: Params,
    /// The traits that `Text` needs where steps are taken.
    pub(crate) text_needs: TextNeeds,
    /// A default of the context is a text, so that `Text` is made from a literal.
    pub(crate) default_text: bool,
}

/// The parameters of one type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Params {
    /// A parameter for texts.
    pub text: bool,
    /// A parameter for references.
    pub reference: bool,
}

/// The traits that assignments and guards need of `Text`.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct TextNeeds {
    /// A text of a payload is kept.
    pub(crate) from_payload: bool,
    /// A text of the spec is kept.
    pub(crate) from_literal: bool,
    /// A text of the context is kept a second time, or the machine is copied.
    pub(crate) clone: bool,
    /// A text of the context is compared.
    pub(crate) as_str: bool,
}

/// A fieldless enum whose variants have names.
pub(crate) struct UnitEnum {
    pub(crate) ident: Ident,
    /// The kind of its values, for messages: "state".
    pub(crate) kind: String,
    pub(crate) doc: Vec<String>,
    pub(crate) variants: Vec<Variant>,
    /// Parsing ignores ASCII case.
    pub(crate) ignore_case: bool,
    /// Attributes that the user adds.
    pub(crate) attributes: TokenStream,
}

/// A variant of a [`UnitEnum`].
pub(crate) struct Variant {
    pub(crate) ident: Ident,
    /// The name that is stored and sent.
    pub(crate) name: String,
    /// The name that a person reads.
    pub(crate) label: Option<String>,
    /// The spec's description.
    pub(crate) text: Option<String>,
    pub(crate) doc: Vec<String>,
    /// Other names.
    pub(crate) aliases: Vec<String>,
}

/// The facts about states that methods of `State` return.
pub(crate) struct Graph {
    pub(crate) initial: Ident,
    /// The leaves that a transition leads to, by leaf.
    pub(crate) successors: Lists,
    /// The events that a transition accepts, by leaf; none where there are no events.
    pub(crate) events: Option<Lists>,
    pub(crate) terminal: Vec<Ident>,
    pub(crate) sinks: Vec<Ident>,
    pub(crate) nesting: Option<Nesting>,
    pub(crate) attributes: Vec<Attribute>,
    /// Entry and exit effects: leaves, then composites; empty where no state has any.
    pub(crate) nodes: Vec<Node>,
    /// The steps that one change may have.
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
    /// The innermost composite, by leaf.
    pub(crate) parents: Vec<Option<Ident>>,
    /// The names from the outermost composite to the leaf, by leaf.
    pub(crate) paths: Vec<String>,
    /// The leaves inside, by composite.
    pub(crate) inside: Vec<Vec<Ident>>,
    /// The innermost composite around, by composite.
    pub(crate) composite_parents: Vec<Option<Ident>>,
    /// The leaf that entering leads to, by composite.
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

/// The rows of the spec.
pub(crate) struct Rows {
    pub(crate) list: Vec<Row>,
    /// Rows have names each; otherwise they are packed into a text, and only those that code refers to have names.
    pub(crate) named: bool,
}

/// One row of the spec.
pub(crate) struct Row {
    /// Its name.
    pub(crate) ident: Ident,
    /// The row in the words of the spec.
    pub(crate) words: String,
    pub(crate) source: Source,
    pub(crate) trigger: Trigger,
    pub(crate) target: Target,
    /// The guard in the words of the spec.
    pub(crate) guard: Option<String>,
    pub(crate) before: Vec<Ident>,
    pub(crate) effects: Vec<Ident>,
    pub(crate) memory_first: bool,
    pub(crate) label: Option<String>,
    pub(crate) doc: Option<String>,
    pub(crate) inferred: Option<String>,
    /// The positions of source, event and target, where the row says nothing else.
    pub(crate) plain: Option<[usize; 3]>,
    /// Code refers to the row.
    pub(crate) referred: bool,
}

/// Where a row starts.
pub(crate) enum Source {
    Creation,
    Leaf(Ident),
    In(Vec<Ident>),
    AnyBut(Vec<Ident>),
}

/// What triggers a row.
pub(crate) enum Trigger {
    Direct,
    Event(Ident),
    AnyOf(Vec<Ident>),
}

/// Where a row leads.
pub(crate) enum Target {
    Stay,
    To(Ident),
    OneOf(Vec<Ident>),
    Payload(String),
    Refuse(String),
}

/// The events of a machine.
pub(crate) struct Events {
    pub(crate) kinds: UnitEnum,
    /// The payloads, by event; empty where no event has one.
    pub(crate) payloads: Vec<Vec<Field>>,
    /// The actors that may raise each event, and the one that does its work.
    pub(crate) actors: Option<Vec<(Vec<Ident>, Option<Ident>)>>,
    /// Attributes that the user adds to `Event`.
    pub(crate) attributes: TokenStream,
}

/// A field of the context, of a payload, or of the items of an order.
#[derive(Clone)]
pub(crate) struct Field {
    pub(crate) ident: Ident,
    /// The name of a variable that holds it.
    pub(crate) local: Ident,
    pub(crate) doc: Vec<String>,
    /// The type of the field.
    pub(crate) ty: TokenStream,
    /// The type of a parameter.
    pub(crate) argument: TokenStream,
    /// The value of a new machine; only fields of the context have one.
    pub(crate) default: Option<Expr>,
}

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
    pub(crate) payload: Vec<Field>,
    /// The optional fields of the payload.
    pub(crate) message: Option<Message>,
    /// The events whose payload it takes.
    pub(crate) events: Vec<EventPattern>,
    /// Every event of the machine carries its payload.
    pub(crate) complete: bool,
}

/// The message of an effect.
pub(crate) struct Message {
    /// The text for `format_args!`.
    pub(crate) format: String,
    /// The arguments, and whether each may be null.
    pub(crate) arguments: Vec<(Ident, bool)>,
    /// An argument is a reference of a type parameter.
    pub(crate) shows_references: bool,
}

/// A predicate, as a method of the type that answers it.
pub(crate) struct Predicate {
    pub(crate) method: Ident,
    pub(crate) doc: Vec<String>,
    pub(crate) takes_event: bool,
}

/// How events create a machine.
pub(crate) struct Creation {
    pub(crate) arms: Vec<Arm>,
    /// Some events do not create a machine.
    pub(crate) partial: bool,
    /// The events that create a machine.
    pub(crate) events: Vec<Ident>,
    /// The events among them that settle.
    pub(crate) settling: Vec<Ident>,
    pub(crate) doc: String,
    pub(crate) asks: bool,
}

/// How a step is found: a match for rows with guards, and a table for the others.
pub(crate) struct Dispatch {
    pub(crate) arms: Vec<Arm>,
    /// The arms leave nothing to the table.
    pub(crate) total: bool,
    pub(crate) table: Table,
    /// The events that settle; for direct transitions, none.
    pub(crate) settling: Vec<Ident>,
    /// All events settle.
    pub(crate) all_settle: bool,
    /// A guard asks a predicate.
    pub(crate) asks: bool,
}

/// The table behind the match.
pub(crate) enum Table {
    /// There are no rows without a guard.
    Empty,
    /// A cell for every pair, computed from the rows; the pairs that a later row decides are listed.
    Dense(Vec<(Ident, Ident, TokenStream)>),
    /// A sorted list, where most pairs have no edge.
    Sparse(Vec<(Ident, Ident, Outcome)>),
}

/// An arm of a match that finds a step.
pub(crate) struct Arm {
    pub(crate) pattern: Pattern,
    pub(crate) guard: Option<Expr>,
    pub(crate) outcome: Outcome,
}

/// The pattern of an arm.
pub(crate) enum Pattern {
    /// An event at creation.
    Event(EventPattern),
    /// An event in some states; in all of them where the list is empty.
    StateAndEvent(Vec<Ident>, EventPattern),
    /// A state and the target of a direct transition.
    StateAndTarget(Ident, Ident),
}

/// An event, with the fields of its payload that are used.
#[derive(Clone)]
pub(crate) struct EventPattern {
    pub(crate) variant: Ident,
    /// Fields, and the variables that hold them.
    pub(crate) bindings: Vec<(Ident, Ident)>,
    /// The event has other fields.
    pub(crate) rest: bool,
}

/// The outcome of an arm; each but the last names the row.
#[derive(Clone)]
pub(crate) enum Outcome {
    To(Ident, TokenStream),
    /// To the state in a variable.
    ToLocal(Ident, TokenStream),
    Stay(TokenStream),
    Refuse(TokenStream),
    NoGuard,
}

/// The assignments that some rows share.
pub(crate) struct Assignment {
    pub(crate) rows: Vec<TokenStream>,
    /// The events whose payload is read; empty where none is.
    pub(crate) events: Vec<EventPattern>,
    /// Fields and their new values, which read what was there before.
    pub(crate) set: Vec<(Ident, Expr)>,
    /// A value reads a field that an earlier one assigns.
    pub(crate) simultaneous: bool,
    pub(crate) asks: bool,
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

/// A transition that no guard decides.
pub(crate) struct TypestateMethod {
    pub(crate) method: Ident,
    pub(crate) doc: Vec<String>,
    pub(crate) to: Ident,
    pub(crate) row: TokenStream,
    /// The event; none for a direct transition.
    pub(crate) event: Option<(Ident, Vec<Field>)>,
    /// The payload of the event holds a reference.
    pub(crate) takes_reference: bool,
}

/// A typed expression. Texts are `&str`, values that may be null are options.
#[derive(Clone)]
pub(crate) enum Expr {
    Null,
    Bool(bool),
    Int(i64),
    Decimal {
        mantissa: i128,
        scale: u32,
    },
    Text(String),
    Duration(i64),
    List(Vec<Expr>),
    /// A path: a constant, a variant.
    Path(TokenStream),
    /// A value where it is kept.
    Place(Place),
    /// A text of the context, as `&str`.
    Str {
        place: Place,
        optional: bool,
    },
    /// `Some(value)`
    Some(Box<Expr>),
    /// A value that was tested against null before.
    Known(Box<Expr>),
    IsSome(Box<Expr>),
    IsNone(Box<Expr>),
    Not(Box<Expr>),
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
    Compare(&'static str, Box<Expr>, Box<Expr>),
    /// `receiver.method(argument)`
    Method {
        receiver: Box<Expr>,
        method: &'static str,
        argument: Box<Expr>,
    },
    /// A whole number as a decimal.
    ToDecimal(Box<Expr>),
    /// A state lies inside a composite.
    InComposite {
        state: Box<Expr>,
        composite: TokenStream,
        optional: bool,
    },
    Predicate {
        method: Ident,
        takes_event: bool,
    },
    /// A text of the spec, kept in the context.
    KeepLiteral(Box<Expr>),
    /// A copy of a text of the context.
    CloneOf(Place),
    /// A text that is lent, kept in the context.
    Keep {
        value: Box<Expr>,
        optional: bool,
    },
}

/// Where a value is kept.
#[derive(Clone)]
pub(crate) enum Place {
    /// A field of the machine's context.
    Context(Ident),
    /// A variable.
    Local(Ident),
    /// Elsewhere.
    #[cfg(feature = "files")]
    Other(TokenStream),
}

impl Expr {
    /// Calls `visit` on this expression and everything inside.
    pub(crate) fn walk(&self, visit: &mut dyn FnMut(&Expr)) {
        visit(self);
        match self {
            Expr::Some(a)
            | Expr::Known(a)
            | Expr::IsSome(a)
            | Expr::IsNone(a)
            | Expr::Not(a)
            | Expr::ToDecimal(a)
            | Expr::KeepLiteral(a) => {
                a.walk(visit);
            }
            Expr::And(a, b) | Expr::Or(a, b) | Expr::Compare(_, a, b) | Expr::Method { receiver: a, argument: b, .. } => {
                a.walk(visit);
                b.walk(visit);
            }
            Expr::InComposite { state: a, .. } | Expr::Keep { value: a, .. } => a.walk(visit),
            Expr::List(items) => items.iter().for_each(|it| it.walk(visit)),
            Expr::Null
            | Expr::Bool(_)
            | Expr::Int(_)
            | Expr::Decimal { .. }
            | Expr::Text(_)
            | Expr::Duration(_)
            | Expr::Path(_)
            | Expr::Place(_)
            | Expr::Str { .. }
            | Expr::Predicate { .. }
            | Expr::CloneOf(_) => {}
        }
    }

    /// Whether it asks a predicate that gets the event.
    pub(crate) fn asks_with_event(&self) -> bool {
        let mut asks = false;
        self.walk(&mut |it| asks |= matches!(it, Expr::Predicate { takes_event: true, .. }));
        asks
    }

    /// Whether it asks a predicate.
    pub(crate) fn asks(&self) -> bool {
        let mut asks = false;
        self.walk(&mut |it| asks |= matches!(it, Expr::Predicate { .. }));
        asks
    }
}

impl Machine {
    /// Whether there is anything that changes: a state alone does not know the context.
    pub(crate) fn has_machine(&self) -> bool {
        !self.skip.contains(&Part::Machine) && (!matches!(self.form, Form::Enum(_)) || self.fields.is_empty())
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

    /// Whether some assignment asks a predicate.
    pub(crate) fn assigns_predicates(&self) -> bool {
        self.on_event.iter().any(|it| it.asks)
    }

    /// Whether some message shows a reference.
    pub(crate) fn shows_references(&self) -> bool {
        self.effects.iter().any(|it| it.message.as_ref().is_some_and(|message| message.shows_references))
    }

    /// Whether some effect takes something from the payload.
    pub(crate) fn effects_take_event(&self) -> bool {
        self.effects.iter().any(|it| !it.payload.is_empty())
    }

    /// The parameters of `Effect::perform` before the host: it speaks of the references of the event, too.
    pub(crate) fn perform_params(&self) -> Params {
        let Generics { of_effects, of_event, .. } = &self.generics;
        let in_event = self.effects_take_event() && of_event.reference;
        Params { text: of_effects.text, reference: of_effects.reference || in_event }
    }
}
