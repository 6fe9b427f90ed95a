//! The meaning of the columns of a table, by their headings.

use super::cell::Cell;
use super::phrase::{is_negative, words};
use super::test_cases::{tells_cases, tells_results};

/// The meaning of a column, determined by its heading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Column {
    From,
    To,
    Event,
    Guard,
    Effect,
    Doc,
    /// Who may do it.
    Actor,
    /// Whether the row is allowed at all.
    Verdict,
    /// The successors that are not allowed.
    Forbidden,
    Other,
}

/// The columns of a table.
#[derive(Debug, Default)]
pub(super) struct Columns {
    pub(super) of: Vec<Column>,
    /// The texts in brackets behind headings that may say more: `(if approved)`.
    pub(super) remarks: Vec<Option<String>>,
    /// The heading that tells that the rows are test cases.
    pub(super) tests: Option<String>,
    /// The column `Action` that was read as the events.
    pub(super) actions: Option<usize>,
}

impl Columns {
    /// `split` is the first of the two columns that were one of steps such as `A → B`.
    pub(super) fn new(head: &[Cell], split: Option<usize>) -> Self {
        let mut plain: Vec<Column> = head.iter().map(|it| column(&it.text)).collect();
        if let Some(at) = split {
            (plain[at], plain[at + 1]) = (Column::From, Column::To);
        }
        let bracketed: Vec<Option<(Column, Option<String>)>> =
            head.iter().zip(&plain).map(|(it, plain)| if *plain == Column::Other { in_brackets(&it.text) } else { None }).collect();
        let mut columns = Columns { of: plain.clone(), remarks: vec![None; head.len()], tests: None, actions: None };
        for (idx, found) in bracketed.iter().enumerate() {
            let Some((column, remark)) = found else { continue };
            // Of `Next (success)` and `Next (failure)`, neither is the column of targets.
            let n_same = bracketed.iter().flatten().filter(|it| it.0 == *column).count();
            if *column == Column::Doc || (n_same == 1 && !plain.contains(column)) {
                columns.of[idx] = *column;
                columns.remarks[idx].clone_from(remark);
            }
        }
        columns.settle_sources(head);
        columns.settle_successors(head);
        columns.settle_ends(head);
        columns.actions = (0..head.len()).find(|it| columns.is_action(head, *it)).filter(|_| !columns.has(Column::Event));
        if let Some(idx) = columns.actions {
            columns.of[idx] = Column::Event;
        }
        for idx in 0..columns.of.len() {
            // The first column of a kind counts; documentation may be in several columns.
            if columns.of[idx] != Column::Doc && columns.of[..idx].contains(&columns.of[idx]) {
                columns.of[idx] = Column::Other;
            }
        }
        columns.settle_lists(head);
        let first = columns.of.iter().position(|it| matches!(it, Column::From | Column::To)).unwrap_or(head.len());
        let of_tests = head.iter().enumerate().find(|(idx, it)| tells_results(&it.text) || (*idx < first && tells_cases(&it.text)));
        columns.tests = of_tests.map(|(_, it)| it.text.clone());
        columns
    }

    /// `Allowed states` are those after a step beside a column of sources, and those before it beside one of targets.
    fn settle_lists(&mut self, head: &[Cell]) {
        let Some(at) = head.iter().position(|it| names_allowed_states(&it.text)).filter(|it| self.of[*it] == Column::Other) else { return };
        match (self.has(Column::From), self.has(Column::To)) {
            (true, false) => self.of[at] = Column::To,
            (false, true) => self.of[at] = Column::From,
            _ => {}
        }
    }

    /// Whether a column may say what leads from one state to another. `Actions` behind the states are what the step does; other words
    /// say so between the two only.
    fn is_action(&self, head: &[Cell], idx: usize) -> bool {
        const BETWEEN: &[&str] = &["key", "keys", "message", "operation", "method", "endpoint", "call", "request"];
        let (Some(to), from) = (self.position(Column::To), self.position(Column::From)) else { return false };
        let is_between = from.is_some_and(|it| it < idx) && idx < to;
        match words(&head[idx].text).as_slice() {
            // Beside a condition, what stands behind the states is what a step does.
            [only] if only == "action" => idx < to || !self.has(Column::Guard),
            [only] => is_between && BETWEEN.contains(&only.as_str()),
            _ => false,
        }
    }

    /// Beside `Next phase`, `Phase` and `Current phase` are the states before a step.
    fn settle_successors(&mut self, head: &[Cell]) {
        let Some(at) = self.position(Column::To).filter(|_| !self.has(Column::From)) else { return };
        let Ok([next, noun]) = <[String; 2]>::try_from(words(&head[at].text)) else { return };
        let is_source = |idx: &usize| {
            let own = words(&head[*idx].text);
            self.of[*idx] == Column::Other && (own == [noun.as_str()] || own == ["current", noun.as_str()])
        };
        let source = (0..head.len()).find(is_source).filter(|_| next == "next");
        if let Some(source) = source {
            self.of[source] = Column::From;
        }
    }

    /// Beside `From`, a column such as `Status` tells of something else.
    fn settle_sources(&mut self, head: &[Cell]) {
        let is_from = |it: &usize| self.of[*it] == Column::From && words(&head[*it].text).first().is_some_and(|it| it == "from");
        let Some(from) = (0..head.len()).find(is_from) else { return };
        for idx in (0..head.len()).filter(|it| *it != from) {
            if self.of[idx] == Column::From {
                self.of[idx] = Column::Other;
            }
        }
    }

    /// `Initial state` and `Final state` are the two sides of a step where they stand side by side.
    fn settle_ends(&mut self, head: &[Cell]) {
        let find = |wanted: &str| head.iter().position(|it| words(&it.text).join(" ") == wanted);
        if let (Some(from), Some(to)) = (find("initial state"), find("final state"))
            && !self.has(Column::From)
            && !self.has(Column::To)
        {
            (self.of[from], self.of[to]) = (Column::From, Column::To);
        }
    }

    pub(super) fn has(&self, column: Column) -> bool {
        self.of.contains(&column)
    }

    /// The heading of the column that was read in place of another one, and what it was read as.
    pub(super) fn read_as<'a>(&self, head: &'a [Cell], idx: usize) -> Option<(&'a Cell, &'static str)> {
        let own = column(&head[idx].text);
        let what = match own {
            Column::From => "the states before a step",
            Column::To => "the states after a step",
            Column::Event => "the events",
            Column::Guard => "the conditions",
            Column::Effect => "the effects",
            Column::Actor => "the actors",
            _ => return None,
        };
        self.position(own).filter(|it| *it != idx).map(|it| (&head[it], what))
    }

    pub(super) fn position(&self, column: Column) -> Option<usize> {
        self.of.iter().position(|it| *it == column)
    }
}

const OF_STATES: &[&str] = &["state", "states", "status", "statuses", "stage", "stages", "phase", "phases", "mode", "modes"];

const ALLOWED: &[&str] = &["allowed", "permitted", "legal", "valid", "possible"];

/// `Allowed statuses`
fn names_allowed_states(heading: &str) -> bool {
    let words = words(heading);
    let is_of = |it: &String| OF_STATES.contains(&it.as_str()) || it == "s";
    matches!(words.split_first(), Some((first, rest)) if ALLOWED.contains(&first.as_str()) && !rest.is_empty() && rest.iter().all(is_of))
}

/// Whether a heading says that its states are those after a step, in any order of its words: `Possible next statuses`.
fn names_successors(heading: &str) -> bool {
    const AFTER: &[&str] = &["next", "subsequent", "following", "successor", "resulting", "reachable", "target", "outgoing"];
    let others = ["transition", "transitions", "target", "targets", "to", "the", "all"];
    let all = |it: &str| [AFTER, ALLOWED, OF_STATES, &others].iter().any(|set| set.contains(&it));
    heading.split(' ').any(|it| AFTER.contains(&it)) && heading.split(' ').all(all) && heading.contains(' ')
}

/// Whether a heading says that its states are those before a step: `Legal in state`.
fn names_predecessors(heading: &str) -> bool {
    let words: Vec<&str> = heading.split(' ').collect();
    match words.as_slice() {
        [first, "in" | "from", rest @ ..] => ALLOWED.contains(first) && rest.iter().all(|it| OF_STATES.contains(it)),
        _ => false,
    }
}

/// The meaning of a heading with brackets, `From (stage/substage)`, and the text in them if it is no other word for the same.
fn in_brackets(heading: &str) -> Option<(Column, Option<String>)> {
    let (outside, rest) = heading.split_once('(')?;
    let (inside, behind) = rest.split_once(')')?;
    if is_negative(heading) || !words(behind).is_empty() {
        return None;
    }
    let mut found = column(outside);
    let inside_words = words(inside);
    // `State (next)`
    if found == Column::From && !words(outside).iter().any(|it| it == "from" || it == "source") {
        let closer = [column(inside), column(&format!("{inside} state"))].into_iter().find(|it| matches!(it, Column::From | Column::To));
        found = closer.unwrap_or(found);
    }
    let same = [
        "state",
        "states",
        "status",
        "statuses",
        "stage",
        "substage",
        "phase",
        "step",
        "name",
        "id",
        "code",
        "enum",
        "value",
        "from",
        "to",
        "source",
        "target",
        "next",
        "current",
        "old",
        "new",
        "optional",
        "valid",
        "allowed",
        "legal",
        "permitted",
        "possible",
        "s",
        "event",
        "trigger",
        "action",
        "actions",
        "effect",
        "effects",
        "condition",
        "conditions",
        "guard",
        "role",
        "roles",
    ];
    let is_same = inside_words.iter().all(|it| same.contains(&it.as_str()));
    (found != Column::Other).then(|| (found, (!is_same).then(|| format!("({})", inside.trim()))))
}

/// Whether a heading is one of steps, such as `Transition` or `From → To`; and whether it can be one of anything.
pub(super) fn of_steps(heading: &str) -> Option<bool> {
    match words(heading).join(" ").as_str() {
        "transition"
        | "transitions"
        | "state transition"
        | "state transitions"
        | "status transition"
        | "status transitions"
        | "state change"
        | "status change"
        | "from state to state"
        | "valid transition"
        | "allowed transition" => Some(false),
        "from to" | "change" | "step" | "path" | "flow" | "move" | "edge" | "edges" | "arrow" => Some(true),
        // `Board transition`
        heading if heading.ends_with(" transition") || heading.ends_with(" transitions") => Some(true),
        _ => None,
    }
}

const KNOWN: &[(Column, &[&str])] = &[
    (
        Column::From,
        &[
            "from",
            "from state",
            "from status",
            "source",
            "source state",
            "state",
            "status",
            "current",
            "current state",
            "current status",
            "old state",
            "start state",
            "state before",
            "status before",
            "before state",
            "prior state",
        ],
    ),
    (
        Column::To,
        &[
            "to",
            "to state",
            "to status",
            "target",
            "next",
            "new state",
            "new status",
            "destination",
            "allowed transitions",
            "allowed next",
            "allowed targets",
            "allowed to",
            "transitions",
            "transitions to",
            "can transition to",
            "can go to",
            "valid transitions",
            "valid targets",
            "possible transitions",
            "successors",
            "end state",
            "state after",
            "status after",
            "after state",
        ],
    ),
    (Column::Event, &["on", "input", "command"]),
    (Column::Guard, &["when", "if"]),
    (Column::Effect, &["effect", "effects", "side effect", "side effects", "action", "actions", "do"]),
    (Column::Doc, &["description", "doc", "notes", "note", "comment", "meaning", "remarks"]),
    (
        Column::Actor,
        &[
            "actor",
            "actors",
            "role",
            "roles",
            "permitted role",
            "permitted roles",
            "allowed role",
            "allowed roles",
            "required role",
            "authorization",
            "authorisation",
            "authorized",
            "authorized by",
            "authorized role",
            "authorized roles",
            "primary actor",
            "primary actors",
            "allowed actor",
            "allowed actors",
            "who",
            "who can",
            "by",
            "performed by",
            "initiated by",
            "initiator",
            "caller",
            "allowed by",
        ],
    ),
    (
        Column::Verdict,
        &[
            "allowed",
            "valid",
            "legal",
            "permitted",
            "is allowed",
            "is valid",
            "allowed yes no",
            // In other languages, such a column would be left out, and each row be allowed.
            "erlaubt",
            "zulässig",
            "autorisé",
            "autorisée",
            "permitido",
            "permitida",
            "consentito",
            "разрешено",
            "允许",
            "是否允许",
            "許可",
            "可否",
            "허용",
        ],
    ),
    (
        Column::Forbidden,
        &[
            "forbidden",
            "forbidden transitions",
            "forbidden targets",
            "forbidden next states",
            "disallowed",
            "disallowed transitions",
            "not allowed",
            "invalid transitions",
            "illegal transitions",
            "prohibited transitions",
            "cannot transition to",
            "cannot go to",
        ],
    ),
];

/// The meaning of a heading of words for the same thing: `Trigger / Command`, `Guard condition`.
fn composed(heading: &str) -> Option<Column> {
    const EVENT: &[&str] = &["trigger", "triggers", "event", "events"];
    const OF_EVENT: &[&str] = &["command", "commands", "condition", "action", "input", "message", "signal", "cause", "name", "type"];
    const GUARD: &[&str] = &["guard", "guards", "condition", "conditions", "precondition", "preconditions", "pre"];
    let mut words = heading.split(' ');
    let all = |set: &[&[&str]]| heading.split(' ').all(|it| set.iter().any(|set| set.contains(&it)));
    let is_event = words.any(|it| EVENT.contains(&it)) && all(&[EVENT, OF_EVENT]);
    let is_guard = all(&[GUARD]) && heading != "pre";
    // `Condition / Trigger` is a condition first.
    match (is_event && !GUARD.iter().any(|it| heading.starts_with(it)), is_guard || is_event) {
        (true, _) => Some(Column::Event),
        (_, true) => Some(Column::Guard),
        _ => None,
    }
}

/// Whether a heading names events and something else than another column: `Command or evidence`.
fn begins_with_events(heading: &str) -> bool {
    const EVENT: &[&str] = &["command", "commands", "trigger", "triggers", "event", "events"];
    let Some((first, other)) = heading.split_once(" or ") else { return false };
    EVENT.contains(&first) && column(other) == Column::Other
}

/// The meaning of a heading without brackets.
fn column(heading: &str) -> Column {
    let heading = words(heading).join(" ");
    let heading = heading.trim_end_matches(" s");
    if let Some(column) = composed(heading) {
        return column;
    }
    match KNOWN.iter().find(|(_, words)| words.contains(&heading)) {
        Some((column, _)) => *column,
        None if begins_with_events(heading) => Column::Event,
        None if names_successors(heading) => Column::To,
        None if names_predecessors(heading) => Column::From,
        None => Column::Other,
    }
}
