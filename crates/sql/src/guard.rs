//! From a machine and a mapping to a guard: what is checked first, and what both dialects have in common.

use std::collections::BTreeSet;

use statespec_lang::chars::is_forbidden;
use statespec_lang::model::Machine;
use statespec_lang::program::Program;

use super::graph::Graph;
use super::mapping::{Engine, Kind, Mapping};
use super::objects::{Object, ObjectKind};
use super::outbox;
use super::plan::{Plan, QUOTE};
use super::rules::rules;
use super::statements::{Statement, statements};
use super::verdict::Rule;
use super::{postgres, sqlite};

/// The longest name of a machine, so that no name of an object is cut off: PostgreSQL has 63 bytes.
const MAX_NAME: usize = 40;

/// A guard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guard {
    /// The graph.
    pub graph: Graph,
    /// The stored value of each state of the graph, by position.
    pub stored: Vec<String>,
    /// The objects, in the order in which they are created.
    pub objects: Vec<Object>,
    /// The statements that a program may use.
    pub statements: Vec<Statement>,
    /// What is enforced, and what is not.
    pub rules: Vec<Rule>,
}

/// Why there is no guard, and what to change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Objection {
    /// The problem.
    pub message: String,
    /// A way out.
    pub help: String,
}

impl Objection {
    fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        Objection { message: message.into(), help: help.into() }
    }
}

impl Guard {
    /// The script: each statement with its semicolon.
    pub fn script(&self) -> String {
        script(&self.objects)
    }

    /// Its triggers.
    pub fn triggers(&self) -> impl Iterator<Item = &Object> {
        self.objects.iter().filter(|it| matches!(it.kind, ObjectKind::Trigger { .. }))
    }
}

/// The guard of a machine in a table. It is a function of its arguments alone.
///
/// # Errors
///
/// The machine has too many states at once, or a name or value that the dialect cannot have.
///
/// ```
/// use std::collections::{BTreeMap, BTreeSet};
/// use statespec_lang::lower::load;
/// use statespec_lang::source::Input;
/// use statespec_sql::{Births, Deletes, Engine, Kind, Mapping, Table, guard};
///
/// let text = "machine: door\nstates: { open: { initial: true }, shut: { terminal: true } }\ntransitions: [{ from: open, to: shut }]\n";
/// let model = load(&[Input { path: "machines/door.yaml".into(), text: text.into() }]).model.expect("the spec is right");
/// let mapping = Mapping {
///     engine: Engine::Sqlite,
///     table: Table { schema: None, name: "doors".into() },
///     key: vec!["id".into()],
///     unique: Vec::new(),
///     state: "state".into(),
///     kind: Kind::Text,
///     values: BTreeMap::new(),
///     version: None,
///     columns: BTreeMap::new(),
///     births: Births::Initial,
///     deletes: Deletes::Any,
///     journal: false,
///     payload: BTreeSet::new(),
///     timers: BTreeMap::new(),
///     store: false,
///     clock: BTreeSet::new(),
///     parts: Vec::new(),
///     membership: None,
/// };
/// let guard = guard(&model.machines[0], &mapping).expect("the machine fits into a trigger");
/// assert!(guard.script().contains("CREATE TRIGGER \"statespec_door_edge\" AFTER UPDATE ON \"doors\""));
/// ```
pub fn guard(machine: &Machine, mapping: &Mapping) -> Result<Guard, Vec<Objection>> {
    let program = Program::of(machine);
    let graph = Graph::of(&program).map_err(|why| {
        let help = match machine.has_regions() {
            true => "split the regions into machines with a table or a column each",
            false => "split the machine",
        };
        vec![Objection::new(format!("`{}` is not guarded: {why}", machine.name), help)]
    })?;
    let stored = stored(machine, mapping, &graph);
    let objections = objections(machine, mapping, &stored);
    if !objections.is_empty() {
        return Err(objections);
    }
    let plan = Plan { program: &program, mapping, graph: &graph, stored: &stored, earlier: None };
    let objects = objects(&plan);
    let rules = rules(&plan);
    let statements = statements(&plan);
    Ok(Guard { objects, statements, rules, graph, stored })
}

/// The objects of a plan, in the order in which they are created.
pub(crate) fn objects(plan: &Plan<'_>) -> Vec<Object> {
    let mut objects = match plan.mapping.engine {
        Engine::Postgres => postgres::objects(plan),
        Engine::Sqlite => sqlite::objects(plan),
    };
    if plan.mapping.store {
        objects.extend(outbox::objects(plan));
    }
    objects
}

/// Each statement with its semicolon.
pub(crate) fn script(objects: &[Object]) -> String {
    let statements: Vec<String> = objects.iter().map(|it| format!("{};\n", it.sql)).collect();
    statements.join("\n")
}

/// The stored value of each state of the graph.
pub(crate) fn stored(machine: &Machine, mapping: &Mapping, graph: &Graph) -> Vec<String> {
    let value = |it: &super::graph::State| match it.configuration.only() {
        Some(leaf) => mapping.values.get(&leaf).cloned().unwrap_or_else(|| machine.state(leaf).wire.clone()),
        None => machine.configuration_text(&it.configuration).into_owned(),
    };
    graph.states.iter().map(value).collect()
}

/// The objection to a text that would end a function in a script, or that no script shows.
pub(crate) fn unfit(text: &str) -> Option<Objection> {
    let is_unfit = text.is_empty() || text.contains(QUOTE) || text.chars().any(|it| is_forbidden(it) || it.is_control());
    is_unfit.then(|| {
        let message = format!("`{}` cannot stand in a script of SQL", text.escape_debug());
        Objection::new(message, "use letters, digits and signs, and no control characters")
    })
}

fn objections(machine: &Machine, mapping: &Mapping, stored: &[String]) -> Vec<Objection> {
    let mut objections = Vec::new();
    if machine.name.len() > MAX_NAME {
        let message = format!("the name of `{}` has more than {MAX_NAME} bytes, and those of the triggers begin with it", machine.name);
        objections.push(Objection::new(message, "shorten the name of the machine"));
    }
    if let Some(it) = mapping.membership.as_ref().filter(|it| it.system.len() > MAX_NAME) {
        let message = format!("the name of `{}` has more than {MAX_NAME} bytes, and that of a table begins with it", it.system);
        objections.push(Objection::new(message, "shorten the name of the system"));
    }
    if machine.has_regions() && !mapping.values.is_empty() {
        let message = format!("`{}` has regions: a row has the text of a configuration", machine.name);
        objections.push(Objection::new(message, "remove `values`, and give states a `wire` in the spec"));
    }
    if machine.has_regions() && mapping.kind == Kind::Integer {
        let message = format!("`{}` has regions: a row has the text of a configuration, which is no number", machine.name);
        objections.push(Objection::new(message, "store it in a column of texts"));
    }
    let mut seen = BTreeSet::new();
    for value in stored {
        let is_number = value.parse::<i64>().is_ok_and(|it| it.to_string() == *value);
        if mapping.kind == Kind::Integer && !is_number {
            let message = format!("`{value}` is no whole number, and the column has numbers");
            objections.push(Objection::new(message, "write the number of each state in `values`: `values = { queued = 0 }`"));
        } else if !seen.insert(value) {
            let message = format!("two states are stored as `{value}`");
            objections.push(Objection::new(message, "give each state a value of its own"));
        }
    }
    let columns = mapping.columns.values().map(|it| &it.name).chain(mapping.timers.values());
    let names = mapping.key.iter().chain(mapping.unique.iter().flatten()).chain(&mapping.version).chain(columns).chain([&mapping.state]);
    let table = mapping.table.schema.iter().chain([&mapping.table.name]);
    for text in names.chain(table).chain(stored) {
        objections.extend(unfit(text));
    }
    let own = ["entry", "version", "from_state", "to_state", "at", "event", "actor", "payload"];
    if let Some(key) = mapping.key.iter().find(|it| mapping.journal && own.contains(&it.as_str())) {
        let message = format!("the journal has a column `{key}` of its own");
        objections.push(Objection::new(message, "rename the column of the key, or remove `journal`"));
    }
    objections
}
