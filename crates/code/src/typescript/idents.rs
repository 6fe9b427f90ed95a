//! The identifiers of one emitted file.

use statespec_lang::model::Machine;
use statespec_lang::model::machine::Effect;

use crate::names::{self, Names, camel, pascal, shouty};

/// Words that cannot name a variable or a type.
pub(super) const KEYWORDS: &[&str] = &[
    "abstract",
    "any",
    "as",
    "async",
    "await",
    "boolean",
    "break",
    "case",
    "catch",
    "class",
    "const",
    "continue",
    "debugger",
    "default",
    "delete",
    "do",
    "else",
    "enum",
    "export",
    "extends",
    "false",
    "finally",
    "for",
    "function",
    "if",
    "implements",
    "import",
    "in",
    "instanceof",
    "interface",
    "let",
    "never",
    "new",
    "null",
    "number",
    "object",
    "package",
    "private",
    "protected",
    "public",
    "return",
    "static",
    "string",
    "super",
    "switch",
    "symbol",
    "this",
    "throw",
    "true",
    "try",
    "typeof",
    "undefined",
    "unknown",
    "var",
    "void",
    "while",
    "with",
    "yield",
];

/// The types that a file declares or uses itself.
const TYPES: &[&str] = &[
    "Actor",
    "BigInt",
    "Composite",
    "Context",
    "Decimal",
    "Effect",
    "Event",
    "EventName",
    "Extract",
    "Leaf",
    "Map",
    "Object",
    "Partial",
    "Pick",
    "Predicates",
    "Recorded",
    "Result",
    "State",
    "String",
    "Target",
];

/// The constants that a file declares itself.
const CONSTANTS: &[&str] = &["ARMS", "CONTEXT", "EFFECTS", "EVENTS", "GRAPH", "MACHINE", "NAN", "ROWS", "TIMERS"];

/// The identifiers of one machine.
#[derive(Debug)]
pub(super) struct Idents {
    /// The type of the machine.
    pub(super) machine: String,
    /// The members of `State`, or in a machine with regions of `Leaf` and `Composite`, by state.
    pub(super) states: Vec<String>,
    pub(super) events: Vec<String>,
    pub(super) actors: Vec<String>,
    pub(super) constants: Vec<String>,
    /// The types of enums, and the members of each.
    pub(super) enums: Vec<(String, Vec<String>)>,
    /// The methods of `Predicates`.
    pub(super) predicates: Vec<String>,
    /// The properties of payload fields.
    pub(super) payload: Vec<String>,
}

impl Idents {
    pub(super) fn of(machine: &Machine) -> Self {
        // An enum is a constant, too.
        let mut types = Names::besides(TYPES.iter().chain(KEYWORDS).chain(CONSTANTS).copied());
        let name = types.claim(pascal(&machine.name));
        let members = |names: Vec<&str>| Names::default().claim_all(names, pascal);
        let enums = machine.enums.iter().map(|it| {
            let values = it.values.iter().map(|it| it.name.as_str()).collect();
            (types.claim(pascal(&it.name)), members(values))
        });
        let enums = enums.collect();
        // Leaves and composites are members of two objects.
        let [mut leaves, mut composites] = [true, false].map(|leaf| {
            let states = machine.state_ids().filter(|it| machine.is_leaf(*it) == leaf);
            members(states.map(|it| machine.state(it).name.as_str()).collect()).into_iter()
        });
        let mut next = |is_leaf: bool| if is_leaf { leaves.next() } else { composites.next() };
        Idents {
            machine: name,
            states: machine.state_ids().map(|it| next(machine.is_leaf(it)).unwrap_or_default()).collect(),
            events: members(machine.events.iter().map(|it| it.name.as_str()).collect()),
            actors: members(machine.actors.iter().map(|it| it.name.as_str()).collect()),
            constants: types.claim_all(machine.constants.iter().map(|it| it.name.as_str()), shouty),
            enums,
            // A class has members of these names already, and `new` of an interface is its constructor.
            predicates: Names::besides(["constructor", "new", "toString", "valueOf"])
                .claim_all(machine.predicates.iter().map(|it| it.name.as_str()), camel),
            // The property `type` says which event or effect it is.
            payload: Names::besides(["type"]).claim_all(machine.payload_names.iter().map(String::as_str), str::to_owned),
        }
    }
}

/// The properties of the values that an effect takes: their names, unless one is that which says which effect it is.
pub(super) fn taken(effect: &Effect) -> Vec<String> {
    Names::besides(["type"]).claim_all(effect.takes.iter().map(|it| it.field.name.as_str()), str::to_owned)
}

/// A text of TypeScript. Every character that ends a line or a text there is escaped.
pub(super) fn quoted(text: &str) -> String {
    names::quoted(text, |it| format!("\\u{:04x}", u32::from(it)))
}

fn is_identifier(name: &str) -> bool {
    // The owner of an instance in another role is named `role.owner`.
    !name.contains(['-', '.']) && name != "__proto__"
}

/// `context.name`, or `context["a-name"]`.
pub(super) fn access(of: &str, name: &str) -> String {
    if is_identifier(name) { format!("{of}.{name}") } else { format!("{of}[{}]", quoted(name)) }
}

/// A property of an object. `__proto__` without brackets would be the prototype.
pub(super) fn key(name: &str) -> String {
    if is_identifier(name) { name.to_owned() } else { format!("[{}]", quoted(name)) }
}

/// A property of a type.
pub(super) fn member(name: &str) -> String {
    if is_identifier(name) { name.to_owned() } else { quoted(name) }
}
