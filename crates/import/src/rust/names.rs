//! What names decide: every list here stands on the page of the guide.

/// A list, or a function, that is not about allowed steps.
const REFUSED: &str = "forbidden forbid invalid illegal disallowed denied deny blocked prohibited not cannot never rejected";
/// A list of pairs, or of pairs with an event, that are steps.
const STEPS: &str = "allowed valid legal transition transitions edge edges next successors";
/// A function of two states that says whether a step is allowed.
const CHECKS: &str = "transition transitions move go become reach advance change switch proceed next enter edge follow";
/// A function of one state that returns what follows it.
const ONWARD: &str = "next advance step steps transition transitions successor successors proceed progress forward promote targets allowed reachable outgoing";
const BACKWARD: &str = "prev previous back backward backwards predecessor predecessors sources incoming undo revert from";
/// A parameter, or its type, that is an event.
const EVENTS: &str = "event events action command cmd trigger input signal message msg operation op transition";
/// A function of a state and of something else that returns the next state.
const STEPPING: &str = "next apply transition transitions step on handle fire process advance update dispatch reduce";
/// The parameter with the state before.
const SOURCES: &str = "from prev previous old current source";
/// The parameter with the state behind.
const TARGETS: &str = "to next new target dest destination";

fn has(name: &str, list: &str) -> bool {
    statespec_lang::names::snake(name).split('_').any(|word| list.split(' ').any(|it| it == word))
}

pub(super) fn is_refused(name: &str) -> bool {
    has(name, REFUSED)
}

pub(super) fn is_of_steps(name: &str) -> bool {
    has(name, STEPS)
}

/// Whether a function of one state returns what follows it: `next`, and not `opposite` or `previous`.
pub fn is_onward(name: &str) -> bool {
    has(name, ONWARD) && !has(name, BACKWARD) && !has(name, REFUSED)
}

pub(super) fn is_event(name: &str, ty: &str) -> bool {
    has(name, EVENTS) || has(ty, EVENTS)
}

pub(super) fn is_stepping(name: &str) -> bool {
    has(name, STEPPING) && !has(name, REFUSED) && !has(name, "previous undo revert")
}

/// Whether a function of two states is about steps, and whether the first of the two is the source; `None` if the names do not tell.
pub(super) fn check(name: &str, first: &str, second: &str) -> Option<Option<bool>> {
    let direction = match (has(first, TARGETS) || has(second, SOURCES), has(first, SOURCES) || has(second, TARGETS)) {
        (true, false) => Some(false),
        (false, true) => Some(true),
        _ => None,
    };
    let is_needed = [first, second].iter().any(|it| has(it, "required expected wanted needed"));
    let direction = direction.or((first == "self").then_some(true));
    let is_about = has(name, CHECKS) || has(second, TARGETS) || has(second, SOURCES);
    (is_about && !is_needed).then_some(direction)
}

/// The fields of a struct with the state before, the state behind, and the event.
pub(super) fn is_field_of_source(name: &str) -> bool {
    matches!(name, "from" | "source" | "src" | "current")
}

pub(super) fn is_field_of_target(name: &str) -> bool {
    matches!(name, "to" | "target" | "dest" | "destination" | "next")
}

pub(super) fn is_field_of_event(name: &str) -> bool {
    matches!(name, "event" | "on" | "trigger" | "action" | "command")
}

/// Whether a name is of states: `JobStatus`.
pub(super) fn is_of_states(name: &str) -> bool {
    has(name, "state states status phase stage lifecycle")
}
