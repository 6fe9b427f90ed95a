//! Random XState machines in which nothing depends on code: every machine has the same events, and an event decides where it goes.

use serde_json::{Map, Value, json};

use crate::play::random::Random;

pub(super) const EVENTS: usize = 6;

/// A machine of XState.
pub(super) struct Chart {
    /// 4 or 5.
    pub(super) version: u8,
    is_parallel: bool,
    /// Each after the state around it.
    states: Vec<State>,
    histories: Vec<History>,
    rows: Vec<Row>,
}

struct State {
    parent: Option<usize>,
    is_parallel: bool,
    /// Whether the state around it starts in it.
    is_initial: bool,
    has_entry: bool,
    has_exit: bool,
}

struct History {
    of: usize,
    is_deep: bool,
    /// A child, or nothing.
    default: Option<usize>,
}

struct Row {
    /// `None` is the machine.
    from: Option<usize>,
    event: usize,
    /// A state or a history, as a path of keys from the machine; `None` if the event is taken and nothing happens.
    to: Option<Vec<String>>,
    /// Whether the target is written as a path from the source.
    is_dotted: bool,
    reenter: bool,
    internal: Option<bool>,
}

impl Chart {
    /// The same seed gives the same chart.
    pub(super) fn random(version: u8, random: &mut Random) -> Chart {
        let mut chart = Chart { version, is_parallel: false, states: Vec::new(), histories: Vec::new(), rows: Vec::new() };
        let n_top = 2 + random.below(2);
        for _ in 0..n_top {
            chart.grow(None, 0, random);
        }
        chart.is_parallel = random.below(5) == 0;
        if !chart.is_parallel {
            chart.states[0].is_initial = true;
        }
        for event in 0..EVENTS {
            // Version 4 mixes up the transitions that regions take for one event: some of its states are no configuration.
            let n_rows = if version == 5 { 1 + random.below(3) } else { 1 };
            for _ in 0..n_rows {
                let row = chart.row(event, random);
                // Of several transitions of one state, only the first would be taken.
                if chart.rows.iter().all(|it| (it.from, it.event) != (row.from, event)) {
                    chart.rows.push(row);
                }
            }
        }
        chart
    }

    /// Adds a state, and those inside it.
    fn grow(&mut self, parent: Option<usize>, depth: usize, random: &mut Random) {
        let own = self.states.len();
        let (has_entry, has_exit) = (random.below(3) == 0, random.below(3) == 0);
        self.states.push(State { parent, is_parallel: false, is_initial: false, has_entry, has_exit });
        let is_composite = depth < 3 && self.states.len() < 14 && random.below(5) < if depth == 0 { 4 } else { 3 };
        if !is_composite {
            return;
        }
        let n_children = 1 + random.below(3);
        self.states[own].is_parallel = n_children > 1 && random.below(3) == 0;
        for _ in 0..n_children {
            self.grow(Some(own), depth + 1, random);
        }
        let children = self.inside(Some(own));
        let pick = |random: &mut Random| children[random.below(children.len())];
        let is_parallel = self.states[own].is_parallel;
        if !is_parallel {
            let start = pick(random);
            self.states[start].is_initial = true;
        }
        if random.below(4) == 0 {
            // In version 4, a default counts before the first step only: then, what was never left remembers its start.
            let default = (!is_parallel && self.version == 5 && random.below(3) == 0).then(|| pick(random));
            self.histories.push(History { of: own, is_deep: random.below(2) == 0, default });
        }
    }

    fn row(&self, event: usize, random: &mut Random) -> Row {
        let from = random.below(self.states.len() + 1).checked_sub(1);
        let mut to = self.target(random);
        // The import reports these rows, and a machine with a report is not compared: most get another target.
        for _ in 0..3 {
            let is_reported = |from| match to.1 {
                Some(_) => self.around(from).any(|it| it == to.0),
                None => self.version == 4 && self.are_apart(from, to.0),
            };
            if from.is_some_and(is_reported) {
                to = self.target(random);
            }
        }
        let mut path = self.path(to.0);
        path.extend(to.1.map(|it| format!("h{it}")));
        let source = from.map(|it| self.path(it)).unwrap_or_default();
        let is_inside = path.len() > source.len() && path.starts_with(&source);
        let is_dotted = is_inside && random.below(2) == 0;
        let is_version_5 = self.version == 5;
        let reenter = random.below(4) == 0 && is_version_5 && from.is_some();
        let internal = (random.below(4) == 0 && !is_version_5).then(|| random.below(2) == 0);
        let to = (random.below(16) != 0).then_some(path);
        Row { from, event, is_dotted, reenter, internal: internal.filter(|_| to.is_some()), to }
    }

    /// A state, and which of the histories, if it is one of this state.
    fn target(&self, random: &mut Random) -> (usize, Option<usize>) {
        let to = random.below(self.states.len() + self.histories.len());
        match to.checked_sub(self.states.len()) {
            None => (to, None),
            Some(history) => (self.histories[history].of, Some(history)),
        }
    }

    /// Whether two states are in different regions.
    fn are_apart(&self, a: usize, b: usize) -> bool {
        let whole = self.around(a).find(|it| self.around(b).any(|other| other == *it));
        self.is_parallel(whole) && whole.is_none_or(|it| it != a && it != b)
    }

    fn is_parallel(&self, state: Option<usize>) -> bool {
        state.map_or(self.is_parallel, |it| self.states[it].is_parallel)
    }

    fn inside(&self, parent: Option<usize>) -> Vec<usize> {
        (0..self.states.len()).filter(|it| self.states[*it].parent == parent).collect()
    }

    /// The state itself and those around it, from the inside out.
    fn around(&self, state: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(state), |it| self.states[*it].parent)
    }

    fn path(&self, state: usize) -> Vec<String> {
        let mut path: Vec<String> = self.around(state).map(|it| format!("s{it}")).collect();
        path.reverse();
        path
    }

    /// The configuration, as `createMachine` takes it.
    pub(super) fn configuration(&self) -> Value {
        let mut node = self.node(None);
        node.insert("id".into(), json!("m"));
        // A key that only this version has tells the importer which it is.
        match self.version {
            5 => node.insert("types".into(), json!({})),
            _ => node.insert("predictableActionArguments".into(), json!(true)),
        };
        Value::Object(node)
    }

    fn node(&self, state: Option<usize>) -> Map<String, Value> {
        let mut node = Map::new();
        if self.is_parallel(state) {
            node.insert("type".into(), json!("parallel"));
        }
        if let Some(state) = state {
            if self.states[state].has_entry {
                node.insert("entry".into(), json!(format!("en_s{state}")));
            }
            if self.states[state].has_exit {
                node.insert("exit".into(), json!(format!("ex_s{state}")));
            }
        }
        let children = self.inside(state);
        if let Some(start) = children.iter().find(|it| self.states[**it].is_initial) {
            node.insert("initial".into(), json!(format!("s{start}")));
        }
        let mut inside: Map<String, Value> =
            children.into_iter().map(|it| (format!("s{it}"), Value::Object(self.node(Some(it))))).collect();
        for (idx, history) in self.histories.iter().enumerate().filter(|(_, it)| Some(it.of) == state) {
            let kind = if history.is_deep { "deep" } else { "shallow" };
            let mut node = json!({ "type": "history", "history": kind });
            if let Some(default) = history.default {
                node["target"] = json!(format!("s{default}"));
            }
            inside.insert(format!("h{idx}"), node);
        }
        if !inside.is_empty() {
            node.insert("states".into(), Value::Object(inside));
        }
        let on: Map<String, Value> =
            self.rows.iter().filter(|it| it.from == state).map(|it| (format!("E{}", it.event), self.transition(it))).collect();
        if !on.is_empty() {
            node.insert("on".into(), Value::Object(on));
        }
        node
    }

    fn transition(&self, row: &Row) -> Value {
        let mut transition = Map::new();
        if let Some(path) = &row.to {
            let n_of_source = row.from.map_or(0, |it| self.around(it).count());
            let target = match row.is_dotted {
                true => format!(".{}", path[n_of_source..].join(".")),
                false => format!("#m.{}", path.join(".")),
            };
            transition.insert("target".into(), json!(target));
        }
        if row.reenter {
            transition.insert("reenter".into(), json!(true));
        }
        if let Some(internal) = row.internal {
            transition.insert("internal".into(), json!(internal));
        }
        Value::Object(transition)
    }
}
