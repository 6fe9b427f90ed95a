//! What names say: whether a list or a function is about allowed steps, about forbidden ones, or about something else.

/// What a name says about the pairs of states behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sense {
    Allowed,
    Forbidden,
    Open,
}

const FORBIDDEN: &[&str] = &[
    "forbidden",
    "forbid",
    "forbids",
    "invalid",
    "illegal",
    "disallowed",
    "disallow",
    "denied",
    "deny",
    "blocked",
    "blocks",
    "prohibited",
    "not",
    "cannot",
    "rejected",
    "rejects",
    "reject",
    "refused",
    "refuses",
    "never",
    "impossible",
    "bad",
    "wrong",
    "conflicts",
];

const ALLOWED: &[&str] = &[
    "allowed",
    "allow",
    "allows",
    "valid",
    "validate",
    "legal",
    "permitted",
    "permit",
    "permits",
    "transition",
    "transitions",
    "edge",
    "edges",
    "arc",
    "arcs",
    "move",
    "moves",
    "graph",
    "flow",
    "lifecycle",
    "next",
    "successors",
    "can",
    "may",
    "go",
    "reach",
    "reachable",
    "advance",
    "change",
    "switch",
    "check",
    "ensure",
    "accepts",
    "become",
];

const ONWARD: &[&str] = &[
    "next",
    "advance",
    "step",
    "steps",
    "transition",
    "transitions",
    "successor",
    "successors",
    "proceed",
    "progress",
    "forward",
    "promote",
    "targets",
    "allowed",
    "reachable",
    "outgoing",
];

const BACKWARD: &[&str] =
    &["prev", "previous", "back", "backward", "backwards", "predecessor", "predecessors", "sources", "incoming", "undo", "revert", "from"];

const STEPPING: &[&str] = &[
    "next",
    "apply",
    "transition",
    "transitions",
    "step",
    "on",
    "handle",
    "handles",
    "fire",
    "process",
    "advance",
    "update",
    "dispatch",
    "reduce",
    "react",
    "receive",
    "trigger",
    "consume",
    "execute",
    "accept",
    "feed",
    "try",
    "target",
];

const EVENTS: &[&str] = &[
    "event",
    "events",
    "action",
    "command",
    "trigger",
    "input",
    "signal",
    "message",
    "msg",
    "operation",
    "op",
    "transition",
    "cmd",
    "evt",
];

/// The words of a name in any casing.
fn words(name: &str) -> Vec<String> {
    statespec_lang::names::snake(name).split('_').map(str::to_owned).collect()
}

fn has(name: &str, set: &[&str]) -> bool {
    words(name).iter().any(|it| set.contains(&it.as_str()))
}

/// What a name of a list, or of a function of two states, says.
pub(super) fn sense(name: &str) -> Sense {
    if has(name, FORBIDDEN) {
        Sense::Forbidden
    } else if has(name, ALLOWED) {
        Sense::Allowed
    } else {
        Sense::Open
    }
}

/// Whether a name tells of all steps of an enum: `is_valid_transition`, and not `can_retry_from`.
pub(super) fn is_general(name: &str, of: &[&str]) -> bool {
    const SMALL: &[&str] = &["is", "are", "be", "a", "all", "the", "self", "to", "from", "into", "of", "on", "for", "by", "after"];
    const THINGS: &[&str] = &[
        "state",
        "states",
        "status",
        "statuses",
        "phase",
        "phases",
        "stage",
        "stages",
        "lifecycle",
        "machine",
        "table",
        "matrix",
        "map",
        "rules",
        "list",
        "pairs",
        "targets",
        "outgoing",
        "possible",
        "enter",
        "fsm",
    ];
    let of: Vec<String> = of.iter().flat_map(|it| words(it)).collect();
    words(name).iter().all(|it| [SMALL, THINGS, ALLOWED].iter().any(|set| set.contains(&it.as_str())) || of.contains(it))
}

/// Whether a function has a purpose of its own, so that it may tell of a part of the steps: `next_state_for_error`.
pub(super) fn has_own_purpose(name: &str) -> bool {
    let words = words(name);
    let behind = words.iter().position(|it| it == "for").map_or(&[][..], |it| &words[it + 1..]);
    let is_step = |it: &String| EVENTS.contains(&it.as_str()) || ["the", "a", "state", "status", "phase", "stage"].contains(&it.as_str());
    !behind.iter().all(is_step)
}

/// Whether a function of two states is about steps: `can_become`, or a parameter `to`; not `Permission::allows(other)`.
pub(super) fn is_about_steps(name: &str, first: &str, second: &str) -> bool {
    const STEPS: &[&str] = &[
        "transition",
        "transitions",
        "move",
        "moves",
        "go",
        "become",
        "reach",
        "reachable",
        "advance",
        "change",
        "switch",
        "proceed",
        "next",
        "enter",
        "edge",
        "successor",
    ];
    // `validate_state(current, required)` compares the state with the one that a caller needs.
    let is_check = [first, second].iter().any(|it| has(it, &["required", "expected", "wanted", "needed"]));
    !is_check && (has(name, STEPS) || is_forward("", if first == "self" { "" } else { first }, second).is_some())
}

/// Whether a function of one state returns what follows it: `next`, and not `opposite` or `previous`.
pub fn is_onward(name: &str) -> bool {
    has(name, ONWARD) && !has(name, BACKWARD) && !has(name, FORBIDDEN)
}

/// Whether a parameter is an event by its name or its type.
pub(super) fn is_event(event_type: &str, event_key: &str) -> bool {
    has(event_type, EVENTS) || has(event_key, EVENTS)
}

/// Whether a function of a state and something else is a step.
pub(super) fn is_step(name: &str, event_type: &str, event_key: &str) -> bool {
    !has(name, FORBIDDEN) && !has(name, &["previous", "undo", "revert"]) && (has(name, STEPPING) || is_event(event_type, event_key))
}

/// Whether a method sets what it gets: `set_state`, `transition_to`.
pub(super) fn is_setter(name: &str) -> bool {
    const SETTING: &[&str] =
        &["set", "transition", "enter", "go", "goto", "move", "switch", "change", "become", "advance", "mark", "update", "replace"];
    words(name).first().is_some_and(|it| SETTING.contains(&it.as_str()))
}

/// Whether a function puts a value into the place of another one: `insert`, `save_state`, `compare_exchange`.
pub(super) fn stores(name: &str) -> bool {
    const STORING: &[&str] = &["insert", "save", "store", "put", "set", "write", "persist", "replace", "upsert", "overwrite", "swap"];
    words(name).first().is_some_and(|it| STORING.contains(&it.as_str())) || name.starts_with("compare_exchange")
}

/// Whether a name is of states: `JobStatus`.
pub(super) fn is_of_states(name: &str) -> bool {
    has(name, &["state", "states", "status", "phase", "stage", "lifecycle"])
}

/// Whether the first of two states is the source; `None` if the names do not tell.
pub(super) fn is_forward(name: &str, first: &str, second: &str) -> Option<bool> {
    const SOURCE: &[&str] = &["from", "prev", "previous", "old", "current", "src", "source", "cur", "before"];
    const TARGET: &[&str] = &["to", "next", "new", "target", "dest", "destination", "after", "requested", "desired", "goal", "dst"];
    let ends_from = words(name).last().is_some_and(|it| it == "from" || it == "after" || it == "follow" || it == "follows");
    if has(second, SOURCE) || has(first, TARGET) {
        return Some(false);
    }
    if ends_from && first == "self" {
        return Some(false);
    }
    (has(first, SOURCE) || has(second, TARGET) || first.starts_with("self")).then_some(true)
}
