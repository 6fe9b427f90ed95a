//! Reads the configuration of an XState machine, versions 4 and 5, as JSON.
//!
//! JSON is parsed as YAML, of which it is a subset, so that every value has a span. Trailing commas and
//! unquoted keys, as in JavaScript, are accepted.
//!
//! ```text
//! JSON ──mod──▶ states ──history──▶ what they remember ──steps──▶ rows ──versions──▶ what they leave and enter again
//! ```

mod history;
mod invoke;
mod steps;
mod values;
mod versions;

use std::collections::{BTreeMap, BTreeSet};

use statespec_lang::diagnostic::{Code, Diagnostic, Diagnostics};
use statespec_lang::source::{SourceId, Sources, Span};
use statespec_lang::yaml::{self, Node, NodeKind};

use super::draft::{Draft, Findings, Goal, Raising, State};
use history::History;
use invoke::Invoked;
pub(super) use values::literal;
use values::{entries, get, is_nothing, items, key_span, text};
use versions::Way;

/// Reads a machine.
pub(super) fn read(sources: &Sources, id: SourceId, found: &mut Findings) -> Option<Draft> {
    let mut diagnostics = Diagnostics::default();
    let node = yaml::parse_json(sources, id, &mut diagnostics);
    for problem in diagnostics.finish() {
        let message = problem.message.replace("a spec", "an imported file").replace("YAML", "JSON");
        found.unreadable(problem.primary.0, message);
    }
    let node = node?;
    let stem = super::naming::stem(sources.get(id).path());
    match machine(&node, &stem, sources.get(id).text()) {
        Ok(draft) => Some(draft),
        Err(problem) => {
            found.0.push(problem);
            None
        }
    }
}

fn machine(node: &Node, stem: &str, source: &str) -> Result<Draft, Diagnostic> {
    let place = Span { end: node.span.start + 1, ..node.span };
    if get(node, "states").is_none() {
        return Err(Diagnostic::new(Code::ImportUnreadable, place, "the configuration of a machine is an object with `states`"));
    }
    // In version 4, a machine can have a `key` in place of an `id`.
    let name = ["id", "key"].iter().find_map(|it| get(node, it).and_then(text)).unwrap_or(stem);
    let draft = Draft {
        doc: get(node, "description").and_then(text).map(str::to_owned),
        ..Draft::new(super::Kind::Chart, super::naming::machine_name(name), place)
    };
    let mut reader = Reader {
        draft,
        id: name.to_owned(),
        keys: Vec::new(),
        ids: BTreeMap::new(),
        histories: Vec::new(),
        history_of: BTreeMap::new(),
        bodies: Vec::new(),
        invoked: Vec::new(),
        ways: BTreeMap::new(),
        source,
        is_version_4: false,
        is_version_5: false,
        has_params: false,
    };
    let says = |key: &&&str| get(node, key).is_some_and(|it| !entries(it).is_empty() || text(it).is_some_and(|it| !it.is_empty()));
    for key in LOOK.iter().filter(says) {
        reader.draft.found.ignored(key_span(node, key), format!("`{key}` has no place in a spec"));
    }
    if let Some(context) = get(node, "context") {
        reader.context(context);
    }
    reader.states(node, None);
    reader.remember();
    for idx in 0..reader.bodies.len() {
        let (state, body) = reader.bodies[idx];
        reader.body(state, body);
    }
    if reader.draft.states.is_empty() {
        return Err(Diagnostic::new(Code::ImportUnreadable, place, "this machine has no states"));
    }
    reader.is_version_5 |= reader.has_params && !reader.is_version_4;
    reader.report_invoked();
    reader.lead_to_defaults();
    reader.draft.settle_moved_regions();
    reader.cross();
    let starts = reader.draft.starts();
    let tops = reader.draft.inside(None).into_iter().filter(|it| reader.draft.states[*it].initial).map(|it| (it, None));
    reader.draft.raise_on_the_way(&tops.collect::<Vec<_>>(), &starts);
    Ok(reader.draft)
}

struct Reader<'a> {
    draft: Draft,
    /// The id of the machine.
    id: String,
    /// The key of every state.
    keys: Vec<String>,
    /// States by `id`.
    ids: BTreeMap<String, usize>,
    /// The histories, in document order.
    histories: Vec<History<'a>>,
    /// Where a transition to a history leads, by its ids: to the history of one state, or to those of regions.
    history_of: BTreeMap<String, Vec<Goal>>,
    /// Bodies that are read when all states are known; `None` is the machine.
    bodies: Vec<(Option<usize>, &'a Node)>,
    /// What the states invoke.
    invoked: Vec<Invoked>,
    /// What rows say about what they leave, by their places.
    ways: BTreeMap<Span, Way>,
    /// The imported text.
    source: &'a str,
    /// Whether something is of version 4 only.
    is_version_4: bool,
    /// Whether something is of version 5 only.
    is_version_5: bool,
    /// Whether an action or a guard has `params`, which few machines of version 4 have.
    has_params: bool,
}

/// Keys that the importer handles or ignores without a finding.
const KNOWN: &[&str] = &[
    "id",
    "initial",
    "states",
    "on",
    "always",
    "after",
    "entry",
    "exit",
    "onEntry",
    "onExit",
    "type",
    "description",
    "context",
    "onDone",
    "invoke",
    "version",
    "key",
    "types",
    "schema",
    "tsTypes",
    "predictableActionArguments",
    "preserveActionOrder",
    "strict",
    "order",
];

/// Keys of a machine that say nothing of what it does.
const LOOK: &[&str] = &["version", "types", "schema", "tsTypes", "predictableActionArguments", "preserveActionOrder"];

/// Keys of a state that only version 4 has.
const OF_VERSION_4: &[&str] = &[
    "activities",
    "data",
    "delimiter",
    "onEntry",
    "onExit",
    "predictableActionArguments",
    "preserveActionOrder",
    "schema",
    "strict",
    "tsTypes",
];

/// Keys of a state that only version 5 has.
const OF_VERSION_5: &[&str] = &["output", "types"];

impl<'a> Reader<'a> {
    fn context(&mut self, node: &Node) {
        if !matches!(node.kind, NodeKind::Map(_)) {
            self.draft.found.loss(node.span, "the context is no object: it was left out");
        }
        let all: BTreeSet<&str> = entries(node).iter().filter_map(|it| text(&it.0)).collect();
        for (key, value) in entries(node) {
            let Some(name) = text(key) else { continue };
            let read = match &value.kind {
                NodeKind::Scalar { text, plain: true } => literal(text),
                NodeKind::Scalar { text, .. } => Some(("text", Some(super::write::quoted(text)))),
                _ => None,
            };
            match read {
                Some((ty, default)) => self.draft.declare(name, &all, ty, default, key.span),
                None => {
                    self.draft.found.loss(key.span, format!("the type of `{name}` cannot be determined: it was left out of the context"))
                }
            }
        }
    }

    /// The states inside a node, depth first; the YAML reader bounds the depth.
    fn states(&mut self, node: &'a Node, parent: Option<usize>) {
        self.bodies.push((parent, node));
        if get(node, "type").and_then(text) == Some("parallel") && get(node, "states").is_some_and(|it| !entries(it).is_empty()) {
            match parent {
                Some(parent) => self.draft.states[parent].parallel = true,
                None => self.draft.parallel = true,
            }
        }
        let initial = get(node, "initial").filter(|it| !is_nothing(it)).and_then(|it| self.start(it));
        let mut n_initial = 0;
        for (key, body) in get(node, "states").map(entries).unwrap_or_default() {
            let Some(name) = text(key) else { continue };
            let known = self.draft.states.len();
            let mut state = State::new(name, parent, key.span);
            state.initial = initial == Some(name);
            n_initial += usize::from(state.initial);
            self.keys.push(name.to_owned());
            if !matches!(body.kind, NodeKind::Map(_)) && !is_nothing(body) {
                self.draft.found.loss(body.span, format!("the state `{name}` is no object: what it contains was left out"));
            }
            match get(body, "type").and_then(text) {
                Some("final") => state.terminal = entries(get(body, "states").unwrap_or(body)).is_empty() || get(body, "states").is_none(),
                Some("history") => {
                    // An arrow to it leads to its parent.
                    if let Some(parent) = parent {
                        self.keys.pop();
                        let deep = get(body, "history").and_then(text) == Some("deep");
                        let path = path_of(&self.draft, &self.keys, parent) + "." + name;
                        let names = get(body, "id").and_then(text).map(str::to_owned).into_iter().chain([path]);
                        let names: Vec<String> = names.collect();
                        self.ids.extend(names.iter().map(|it| (it.clone(), parent)));
                        self.histories.push(History { state: parent, shallow: !deep, name, names, body, span: key.span });
                        continue;
                    }
                    self.draft.found.loss(key.span, "a machine as a whole has no history: it was left out");
                    self.keys.pop();
                    continue;
                }
                _ => {}
            }
            if let Some(doc) = get(body, "description").and_then(text) {
                state.doc.push(doc.to_owned());
            }
            for (keys, is_entry) in [(["entry", "onEntry"], true), (["exit", "onExit"], false)] {
                let actions = keys.iter().find_map(|it| get(body, it));
                let (raise, effects) = self.actions(actions);
                *(if is_entry { &mut state.entry } else { &mut state.exit }) = effects;
                if let Some(actions) = actions.filter(|_| !raise.is_empty()) {
                    self.draft.raising.push(Raising { state: known, is_entry, raise, sent: Vec::new(), span: actions.span });
                }
            }
            self.draft.states.push(state);
            if let Some(id) = get(body, "id").and_then(text) {
                self.ids.insert(id.to_owned(), known);
            }
            self.states(body, Some(known));
        }
        if let Some(initial) = initial.filter(|_| n_initial == 0) {
            self.draft.found.loss(key_span(node, "initial"), format!("there is no state `{initial}` to start in"));
        }
    }

    /// The key of the state in which a state starts.
    fn start(&mut self, initial: &'a Node) -> Option<&'a str> {
        if let Some(actions) = get(initial, "actions").filter(|it| !is_nothing(it) && !items(it).is_empty()) {
            self.draft.found.loss(actions.span, "a start performs nothing in a spec: what it contains was left out");
        }
        let named =
            if matches!(initial.kind, NodeKind::Map(_)) { get(initial, "target").filter(|it| !is_nothing(it)) } else { Some(initial) };
        let name = named.and_then(|it| items(it).first()).and_then(text);
        if name.is_none() {
            self.draft.found.loss(initial.span, "this does not name the state to start in");
        }
        name.map(|it| it.strip_prefix('.').unwrap_or(it))
    }

    /// A value as it is written, on one line.
    fn source(&self, node: &Node) -> String {
        self.source[node.span.start as usize..node.span.end as usize].split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

/// The message about what the configuration passes to an effect.
fn no_parameters(name: &str) -> String {
    format!("an effect of a spec has no parameters: what `{name}` has here became its doc, and your code must know it")
}

/// The keys from the root to a state.
fn path_of(draft: &Draft, keys: &[String], state: usize) -> String {
    let mut path: Vec<&str> = std::iter::successors(Some(state), |it| draft.states[*it].parent).map(|it| keys[it].as_str()).collect();
    path.reverse();
    path.join(".")
}
