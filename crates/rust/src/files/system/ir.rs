//! The description of a system's module: every name is a Rust identifier, every expression is typed.
//!
//! [`lower`](super::lower) creates it from the model, and [`emit`](super::emit) converts it to tokens.

use proc_macro2::{Ident, TokenStream};

use crate::ir::{Env, Expr, Params, UnitEnum};

/// The module of a system.
pub(crate) struct System {
    /// The name in the spec.
    pub(crate) name: String,
    /// The documentation of the module.
    pub(crate) module_doc: Vec<String>,
    pub(crate) env: Env,
    pub(crate) parts: Vec<Part>,
    /// Whether some part stores texts.
    pub(crate) keeps_text: bool,
    pub(crate) part_enum: UnitEnum,
    pub(crate) transaction_enum: Option<UnitEnum>,
    pub(crate) actors: Option<UnitEnum>,
    pub(crate) rules: Option<UnitEnum>,
    pub(crate) invariant_enum: Option<UnitEnum>,
    pub(crate) transactions: Vec<Transaction>,
    /// The parts as a transaction sees them; `None` if there are no transactions.
    pub(crate) world: Option<World>,
    pub(crate) invariants: Vec<Invariant>,
    pub(crate) orders: Vec<PartOrder>,
    /// Whether the payload of an event, or the condition of a link, may divide by zero.
    pub(crate) divides: bool,
    /// Whether a value of a type of the user is converted, so that a transaction may be refused for it.
    pub(crate) converts: bool,
}

/// A machine in a role.
pub(crate) struct Part {
    /// The name in the spec.
    pub(crate) name: String,
    /// The variant of `Part` and of `Refused`.
    pub(crate) variant: Ident,
    pub(crate) machine: Machine,
    /// Whether there may be many instances.
    pub(crate) many: bool,
    pub(crate) methods: Methods,
}

/// The facts about a machine's module that a system uses.
pub(crate) struct Machine {
    /// The path of the module: `super::hop`.
    pub(crate) path: TokenStream,
    /// The machine's type.
    pub(crate) ident: Ident,
    /// Whether the type has a parameter for texts.
    pub(crate) text: bool,
    /// Whether the type has a parameter for references.
    pub(crate) reference: bool,
    /// Whether `Event` has a parameter for texts.
    pub(crate) event_text: bool,
    /// Whether `Event` has a parameter for references.
    pub(crate) event_reference: bool,
    /// Whether `Predicates` has a parameter for references.
    pub(crate) predicates_reference: bool,
    /// The parameters of `Effect`.
    pub(crate) of_values: Params,
    /// Whether events create the machine.
    pub(crate) has_creation: bool,
    /// Whether the machine has `apply`.
    pub(crate) has_dispatch: bool,
    /// Whether the machine has timers: then a transaction may fire what callers cannot raise.
    pub(crate) has_timers: bool,
}

/// The methods of `UnitOfWork` for one part.
pub(crate) struct Methods {
    pub(crate) load: Ident,
    pub(crate) save: Ident,
    /// The method for the key of the single instance.
    pub(crate) key: Option<Ident>,
    /// The method for the key of a new instance.
    pub(crate) new: Option<Ident>,
    /// The method that iterates over the instances.
    pub(crate) next: Option<Ident>,
    pub(crate) perform: Option<Ident>,
    /// The type that implements the predicates, and the method that returns it.
    pub(crate) predicates: Option<(Ident, Ident)>,
}

/// A function that compares two instances of a part.
pub(crate) struct PartOrder {
    pub(crate) ident: Ident,
    pub(crate) doc: Vec<String>,
    /// The machine of the part that is sorted.
    pub(crate) sorted: Machine,
    /// The module whose state determines the keys, and the names in it.
    pub(crate) by: TokenStream,
    pub(crate) state: Ident,
    pub(crate) method: Ident,
    pub(crate) item: Ident,
    pub(crate) params: Params,
    pub(crate) fields: Vec<Compared>,
}

/// A field of the item, and the field of the context that it has the value of.
pub(crate) struct Compared {
    pub(crate) item: Ident,
    pub(crate) context: Ident,
    /// Whether the field of the context may be null.
    pub(crate) optional: bool,
    /// Whether the field of the item may be null, and that of the context never is.
    pub(crate) wrapped: bool,
    pub(crate) value: ComparedValue,
}

/// The way from the value of a context to that of an item.
pub(crate) enum ComparedValue {
    Copied,
    Text,
    /// Another enum with the same values in the same order.
    Enum(TokenStream),
}

/// A function that changes the system.
pub(crate) struct Transaction {
    pub(crate) ident: Ident,
    pub(crate) variant: Ident,
    pub(crate) doc: Vec<String>,
    /// The keys that the caller passes: ids of parts and roles, and parameters.
    pub(crate) keys: Vec<(usize, Ident)>,
    /// The inputs with their types.
    pub(crate) inputs: Vec<(Ident, TokenStream)>,
    /// The inputs that no payload reads.
    pub(crate) unused: Vec<Ident>,
    /// The instances that the transaction creates.
    pub(crate) new: Vec<NewKey>,
    pub(crate) loads: Vec<LoadCall>,
    /// The instances that must differ.
    pub(crate) distinct: Vec<Distinct>,
    /// The methods of `World` that return the parts whose instances must exist.
    pub(crate) present: Vec<Ident>,
    /// The rules that must hold.
    pub(crate) rules: Vec<RuleCheck>,
    pub(crate) fires: Vec<Fire>,
    /// Whether a rule or a payload reads the world before the transaction.
    pub(crate) reads: bool,
    /// The actors that may trigger it; empty if every actor may.
    pub(crate) by: Vec<Ident>,
    /// The actor that does the work.
    pub(crate) performer: Option<Ident>,
    pub(crate) atomic: bool,
}

/// The key of an instance that a transaction creates.
pub(crate) struct NewKey {
    /// The position in [`System::parts`].
    pub(crate) part: usize,
    /// The id of the part or role.
    pub(crate) taken_by: usize,
    /// The variable.
    pub(crate) key: Ident,
}

/// Instances of one part that must differ.
pub(crate) struct Distinct {
    /// The variant of `Part`.
    pub(crate) variant: Ident,
    /// The fields of `World`.
    pub(crate) slots: Vec<Ident>,
}

/// The check of a rule.
pub(crate) enum RuleCheck {
    /// `require` with this variant of `Rule`.
    Rule(Ident),
    /// A method, for a role of the part that the rule guards.
    Method(Ident),
}

/// A rule about a part, for a role of that part.
pub(crate) struct RoleRule {
    pub(crate) method: Ident,
    /// The variant of `Rule`.
    pub(crate) rule: Ident,
    /// The name of the role.
    pub(crate) role: String,
    pub(crate) condition: Expr,
}

/// A call of a method that loads a part.
pub(crate) struct LoadCall {
    pub(crate) method: Ident,
    pub(crate) key: Option<Ident>,
    /// Whether the method queries the unit of work; otherwise it only adds a slot.
    pub(crate) asks: bool,
}

/// An event that a transaction or a link raises.
pub(crate) struct Fire {
    /// The method of `World`.
    pub(crate) method: Ident,
    /// The path of the variant.
    pub(crate) event: TokenStream,
    /// The fields of the payload.
    pub(crate) payload: Vec<(Ident, Expr)>,
    /// The variable of the change, and the method that follows its links.
    pub(crate) follow: Option<(Ident, Ident)>,
}

/// The parts as a transaction sees them.
pub(crate) struct World {
    pub(crate) slots: Vec<Slot>,
    /// The conditions of rules, by variant; empty if no transaction needs any.
    pub(crate) rules: Vec<(Ident, Expr)>,
    pub(crate) role_rules: Vec<RoleRule>,
    pub(crate) links: Vec<Link>,
    /// The checks after a change: the slots that an invariant reads, and the variant of the invariant.
    pub(crate) checks: Vec<(Vec<Ident>, Ident)>,
}

/// A part in `World`, with the methods that some transaction needs.
pub(crate) struct Slot {
    /// The position in [`System::parts`].
    pub(crate) part: usize,
    /// The name of the part or role.
    pub(crate) name: String,
    pub(crate) field: Ident,
    /// The fields of the slots that may have the same instance: it is then there.
    pub(crate) may_be: Vec<Ident>,
    /// The field for the predicates.
    pub(crate) predicates: Option<Ident>,
    /// The method that returns the instance.
    pub(crate) get: Option<Ident>,
    /// The method that returns the key.
    pub(crate) id: Option<Ident>,
    /// The method that loads the instance.
    pub(crate) load: Option<Ident>,
    /// The methods that load the instance as the owner of another one.
    pub(crate) load_owner: Vec<LoadOwner>,
    /// The method that adds a slot for a new instance.
    pub(crate) make: Option<Ident>,
    /// The field of the context for the owner, and the owner's field of `World`; for machines without a creation event.
    pub(crate) owner: Option<Owner>,
    /// The method that raises an event.
    pub(crate) fire: Option<Ident>,
    pub(crate) create: Option<Create>,
    pub(crate) follow: Option<FollowMethod>,
}

/// A method that loads an owner.
pub(crate) struct LoadOwner {
    pub(crate) method: Ident,
    /// The name of the part that determines the owner, and its field of `World`.
    pub(crate) owned: (String, Ident),
    /// The field of its context.
    pub(crate) by: Ident,
}

/// The owner of a new instance.
pub(crate) struct Owner {
    /// The owner's field of `World`.
    pub(crate) field: Ident,
    /// The field of the context.
    pub(crate) by: Ident,
    /// Whether the context has other fields.
    pub(crate) rest: bool,
}

/// A method that creates an instance.
pub(crate) struct Create {
    pub(crate) method: Ident,
    /// The method for an existing instance.
    pub(crate) or_fire: Option<Ident>,
    /// The events that create an instance in memory, in the place of an existing one.
    pub(crate) in_memory: Vec<Ident>,
    pub(crate) owner: Option<Owner>,
}

/// The method that follows the links of a part.
pub(crate) struct FollowMethod {
    pub(crate) method: Ident,
    pub(crate) crossings: Vec<(Crossed, Vec<LinkCall>)>,
}

/// A crossing of a state's border by a step.
pub(crate) enum Crossed {
    Enters(TokenStream),
    Leaves(TokenStream),
    EntersComposite(TokenStream),
    /// By the position of this composite among the nodes.
    EntersNode(TokenStream),
    LeavesComposite(TokenStream),
    LeavesNode(TokenStream),
}

/// A call of a link's method.
pub(crate) struct LinkCall {
    pub(crate) method: Ident,
    pub(crate) optional: bool,
    /// The method that follows the links of the change; only for an optional link does the caller call it.
    pub(crate) follow: Option<Ident>,
}

/// A link, as a method of `World`.
pub(crate) struct Link {
    pub(crate) method: Ident,
    pub(crate) doc: Vec<String>,
    /// The parts that the condition reads, and the condition.
    pub(crate) when: Option<(Vec<Ident>, Expr)>,
    pub(crate) present: Vec<Ident>,
    pub(crate) rules: Vec<RuleCheck>,
    pub(crate) fire: Fire,
    /// Whether the payload borrows from the world: it is then read from a copy.
    pub(crate) copies: bool,
    /// The type of the change, if the method returns it.
    pub(crate) change: Option<TokenStream>,
}

/// A condition that holds after every transaction.
pub(crate) struct Invariant {
    pub(crate) variant: Ident,
    pub(crate) function: Ident,
    pub(crate) doc: Vec<String>,
    /// The parts without `many`.
    pub(crate) singles: Vec<Single>,
    /// The part of which every instance is checked, and its owners.
    pub(crate) each: Option<Each>,
    pub(crate) condition: Expr,
}

/// A part without `many` that an invariant reads.
pub(crate) struct Single {
    pub(crate) part: usize,
    /// The variable of the instance; `None` if only its existence matters.
    pub(crate) local: Option<Ident>,
    /// The variable of the key, if it is read.
    pub(crate) key: Option<Ident>,
    /// The position of the owner in [`System::parts`], the field of the context for it, and whether there are other
    /// fields; for a machine without a creation event.
    pub(crate) owner: Option<(usize, Ident, bool)>,
}

/// Every instance of a part.
pub(crate) struct Each {
    pub(crate) part: usize,
    pub(crate) local: Ident,
    pub(crate) is_read: bool,
    pub(crate) key: Ident,
    pub(crate) owners: Vec<FindOwner>,
}

/// A step from an instance to its owner; instances without one are skipped.
pub(crate) enum FindOwner {
    /// The owner is loaded.
    Load { part: usize, of: Ident, by: Ident, key: Ident, local: Option<Ident> },
    /// The owner is the single instance with this key.
    Is { of: Ident, by: Ident, key: Ident, required: bool },
}
