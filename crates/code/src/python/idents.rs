//! The identifiers of one module.

use statespec_lang::expr::Var;
use statespec_lang::model::machine::Field;
use statespec_lang::model::{EnumId, Machine, StateId};

use crate::names::{self, Names, is_invisible, pascal as camels, shouty as shouted_name, snake as snakes};

/// In the place of a value that no call reads: it raises.
pub(super) const UNREACHABLE: &str = "statespec.unreachable()";

/// Keywords of Python, which are no identifiers.
pub(super) const KEYWORDS: [&str; 35] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif", "else", "except",
    "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try",
    "while", "with", "yield",
];

/// Names in a class that annotations there mean something else by.
const IN_FIELDS: [&str; 6] = ["bool", "int", "self", "statespec", "str", "tuple"];

/// Names of classes that a module has or imports.
const CLASSES: [&str; 28] = [
    "Actor",
    "CHART",
    "MACHINE",
    "Change",
    "Composite",
    "Context",
    "Decimal",
    "Effect",
    "EffectKind",
    "Elapsed",
    "Event",
    "EventKind",
    "Final",
    "Mapping",
    "Never",
    "Predicates",
    "Protocol",
    "Refused",
    "State",
    "StrEnum",
    "Timer",
    "Timers",
    "TypeAlias",
    "Exception",
    "ValueError",
    "False",
    "None",
    "True",
];

/// An identifier that starts with a letter: one with `_` is private. A spec has no two names that are one for Python, which compares
/// names in the form NFKC.
fn public(name: String, letter: char) -> String {
    if name.starts_with('_') { format!("{letter}{name}") } else { name }
}

pub(super) fn pascal(name: &str) -> String {
    public(camels(name), 'X')
}

pub(super) fn shouty(name: &str) -> String {
    public(shouted_name(name), 'X')
}

pub(super) fn snake(name: &str) -> String {
    public(snakes(name), 'x')
}

/// The names of a class, besides keywords.
pub(super) fn in_class() -> Names {
    Names::besides(KEYWORDS.into_iter().chain(IN_FIELDS))
}

/// What only Python has: no identifiers, but expressions of them.
pub(super) struct Own;

/// The identifiers of a module.
pub(super) type Idents = crate::idents::Idents<Own>;

impl Idents {
    pub(super) fn of(machine: &Machine) -> Idents {
        let mut classes = Names::besides(CLASSES);
        let shouted = |names: Vec<&str>| Names::default().claim_all(names, shouty);
        let names = |fields: Vec<&Field>| in_class().claim_all(fields.iter().map(|it| it.name.as_str()), snake);
        let own = classes.claim(pascal(&machine.name));
        let enums = classes.claim_all(machine.enums.iter().map(|it| it.name.as_str()), pascal);
        let events = classes.claim_all(machine.events.iter().filter(|it| it.timer.is_none()).map(|it| it.name.as_str()), pascal);
        let mut events = events.into_iter();
        Idents {
            machine: own,
            states: shouted(machine.states.iter().map(|it| it.name.as_str()).collect()),
            values: machine.enums.iter().map(|it| shouted(it.values.iter().map(|it| it.name.as_str()).collect())).collect(),
            enums,
            // The events of timers have no class.
            events: machine.events.iter().map(|it| if it.timer.is_none() { events.next() } else { None }.unwrap_or_default()).collect(),
            kinds: shouted(machine.events.iter().map(|it| it.name.as_str()).collect()),
            payload: in_class().claim_all(machine.payload_names.iter().map(String::as_str), snake),
            fields: names(machine.fields.iter().collect()),
            effects: classes.claim_all(machine.effects.iter().map(|it| it.name.as_str()), |it| format!("{}Effect", pascal(it))),
            taken: machine.effects.iter().map(|it| names(it.takes.iter().map(|it| &it.field).collect())).collect(),
            constants: classes.claim_all(machine.constants.iter().map(|it| it.name.as_str()), shouty),
            actors: shouted(machine.actors.iter().map(|it| it.name.as_str()).collect()),
            predicates: in_class().claim_all(machine.predicates.iter().map(|it| it.name.as_str()), snake),
            own: Own,
        }
    }

    /// A leaf as an expression.
    pub(super) fn leaf(&self, id: StateId) -> String {
        format!("State.{}", self.state(id))
    }

    /// The set of the leaves inside a composite.
    pub(super) fn inside(&self, id: StateId) -> String {
        format!("_IN_{}", self.state(id))
    }

    /// A value of an enum as an expression.
    pub(super) fn member(&self, of: EnumId, idx: usize) -> String {
        format!("{}.{}", self.enums[of.index()], self.value(of, idx))
    }

    /// A variable of a machine as an expression in the functions of rows.
    pub(super) fn var(&self, var: Var) -> String {
        match var {
            Var::Context(id) => format!("c.{}", self.field(id)),
            Var::Payload(id) => format!("e.{}", self.payload(id)),
            // Expressions of a machine read no parts of systems.
            Var::Input(_) | Var::PartState(_) | Var::PartContext(..) | Var::PartId(_) => UNREACHABLE.to_owned(),
        }
    }
}

/// A text as a literal.
pub(super) fn quoted(text: &str) -> String {
    names::quoted(text, |it| if it == '\t' { "\\t".to_owned() } else { format!("\\U{:08x}", u32::from(it)) })
}

/// A text as a docstring, without the indent of its further lines.
pub(super) fn docstring(text: &str) -> String {
    let mut shown = String::new();
    // The quotes at the end are escaped one by one: the docstring ends behind them.
    let (text, all) = (text.trim().trim_end_matches('"'), text.trim());
    for it in text.chars() {
        match it {
            '\\' => shown.push_str("\\\\"),
            '\n' => shown.push('\n'),
            it if it.is_control() || is_invisible(it) => shown.push(' '),
            it => shown.push(it),
        }
    }
    let shown = shown.replace("\"\"\"", "\\\"\\\"\\\"");
    format!("\"\"\"{shown}{}\"\"\"", "\\\"".repeat(all.len() - text.len()))
}

/// Several expressions as a tuple.
pub(super) fn tuple(items: impl IntoIterator<Item = String>) -> String {
    let items: Vec<String> = items.into_iter().collect();
    match items.as_slice() {
        [only] => format!("({only},)"),
        items => format!("({})", items.join(", ")),
    }
}
