//! The algorithm in appendix D of the SCXML recommendation, written down as it stands there: slow, with sets of states, and
//! without anything of the library. Regions are held against it.
//!
//! Two differences are the ones that the page about semantics names: an event that nothing takes is refused, and a state that is
//! no longer done when its turn comes is passed over.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

pub(super) type Id = usize;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Atomic,
    Final,
    Compound,
    Parallel,
}

#[derive(Debug, Clone)]
pub(super) struct State {
    pub(super) kind: Kind,
    pub(super) parent: Option<Id>,
    pub(super) children: Vec<Id>,
    /// Of a compound state.
    pub(super) initial: Option<Id>,
    /// Its histories, each whether deep.
    pub(super) histories: Vec<bool>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Event {
    None,
    Named(usize),
    Done(Id),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    State(Id),
    /// One of the histories of a state, by its position.
    History(Id, usize),
}

#[derive(Debug, Clone)]
pub(super) struct Transition {
    pub(super) source: Id,
    pub(super) event: Event,
    /// `In(state)`, or its negation.
    pub(super) cond: Option<(Id, bool)>,
    pub(super) targets: Vec<Target>,
    pub(super) raise: Vec<usize>,
}

/// A chart; the ids are in document order, and state 0 is `<scxml>`, a compound state.
#[derive(Debug, Clone)]
pub(super) struct Chart {
    pub(super) states: Vec<State>,
    pub(super) transitions: Vec<Transition>,
}

/// One microstep, as the interpreter tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Microstep {
    pub(super) taken: Vec<usize>,
    pub(super) exited: Vec<Id>,
    pub(super) entered: Vec<Id>,
}

#[derive(Debug, Clone)]
pub(super) struct Session<'c> {
    chart: &'c Chart,
    pub(super) configuration: BTreeSet<Id>,
    history_value: BTreeMap<(Id, usize), Vec<Id>>,
    internal_queue: VecDeque<Event>,
}

/// The call takes too many steps.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Endless;

const LIMIT: usize = 64;

impl<'c> Session<'c> {
    pub(super) fn new(chart: &'c Chart) -> Self {
        Session { chart, configuration: BTreeSet::new(), history_value: BTreeMap::new(), internal_queue: VecDeque::new() }
    }

    /// Enters the initial states, then completes the macrostep.
    pub(super) fn start(&mut self) -> Result<Vec<Microstep>, Endless> {
        let initial = self.chart.states[0].initial.unwrap();
        let first = Transition { source: 0, event: Event::None, cond: None, targets: vec![Target::State(initial)], raise: Vec::new() };
        let entered = self.enter_states(&[&first]);
        self.macrostep(vec![Microstep { taken: Vec::new(), exited: Vec::new(), entered }])
    }

    /// An external event; no steps if nothing takes it.
    pub(super) fn send(&mut self, event: usize) -> Result<Vec<Microstep>, Endless> {
        let enabled = self.select_transitions(Event::Named(event));
        if enabled.is_empty() {
            return Ok(Vec::new());
        }
        let first = self.microstep(&enabled);
        self.macrostep(vec![first])
    }

    fn macrostep(&mut self, mut steps: Vec<Microstep>) -> Result<Vec<Microstep>, Endless> {
        loop {
            if steps.len() > LIMIT || self.internal_queue.len() > LIMIT {
                return Err(Endless);
            }
            let mut enabled = self.select_transitions(Event::None);
            while enabled.is_empty() {
                match self.internal_queue.pop_front() {
                    Some(event) => enabled = self.select_transitions(event),
                    None => return Ok(steps),
                }
            }
            steps.push(self.microstep(&enabled));
        }
    }

    fn microstep(&mut self, enabled: &[usize]) -> Microstep {
        let transitions: Vec<&Transition> = enabled.iter().map(|it| &self.chart.transitions[*it]).collect();
        let exited = self.exit_states(&transitions);
        for transition in &transitions {
            self.internal_queue.extend(transition.raise.iter().map(|it| Event::Named(*it)));
        }
        let entered = self.enter_states(&transitions);
        Microstep { taken: enabled.to_vec(), exited, entered }
    }

    fn select_transitions(&self, event: Event) -> Vec<usize> {
        if let Event::Done(state) = event
            && !self.is_in_final_state(state)
        {
            return Vec::new();
        }
        let mut enabled: Vec<usize> = Vec::new();
        for atomic in self.configuration.iter().copied().filter(|it| self.is_atomic(*it)) {
            'states: for state in std::iter::once(atomic).chain(self.proper_ancestors(atomic, None)) {
                for (idx, transition) in self.chart.transitions.iter().enumerate().filter(|(_, it)| it.source == state) {
                    let holds = transition.cond.is_none_or(|(state, wanted)| self.configuration.contains(&state) == wanted);
                    if transition.event == event && holds {
                        if !enabled.contains(&idx) {
                            enabled.push(idx);
                        }
                        break 'states;
                    }
                }
            }
        }
        self.remove_conflicting_transitions(enabled)
    }

    fn remove_conflicting_transitions(&self, enabled: Vec<usize>) -> Vec<usize> {
        let mut filtered: Vec<usize> = Vec::new();
        for t1 in enabled {
            let mut preempted = false;
            let mut to_remove = Vec::new();
            for t2 in filtered.iter().copied() {
                let (a, b) = (&self.chart.transitions[t1], &self.chart.transitions[t2]);
                if !self.compute_exit_set(&[a]).is_disjoint(&self.compute_exit_set(&[b])) {
                    if self.is_descendant(a.source, b.source) {
                        to_remove.push(t2);
                    } else {
                        preempted = true;
                        break;
                    }
                }
            }
            if !preempted {
                filtered.retain(|it| !to_remove.contains(it));
                filtered.push(t1);
            }
        }
        filtered
    }

    fn compute_exit_set(&self, transitions: &[&Transition]) -> BTreeSet<Id> {
        let mut states = BTreeSet::new();
        for transition in transitions.iter().filter(|it| !it.targets.is_empty()) {
            let domain = self.transition_domain(transition);
            states.extend(self.configuration.iter().copied().filter(|it| self.is_descendant(*it, domain)));
        }
        states
    }

    fn exit_states(&mut self, transitions: &[&Transition]) -> Vec<Id> {
        let exited: Vec<Id> = self.compute_exit_set(transitions).into_iter().rev().collect();
        for state in &exited {
            for (idx, deep) in self.chart.states[*state].histories.iter().enumerate() {
                let remembered = |it: &Id| match deep {
                    true => self.is_atomic(*it) && self.is_descendant(*it, *state),
                    false => self.chart.states[*it].parent == Some(*state),
                };
                let value = self.configuration.iter().copied().filter(remembered).collect();
                self.history_value.insert((*state, idx), value);
            }
        }
        self.configuration.retain(|it| !exited.contains(it));
        exited
    }

    fn enter_states(&mut self, transitions: &[&Transition]) -> Vec<Id> {
        let mut to_enter = BTreeSet::new();
        for transition in transitions.iter().filter(|it| !it.targets.is_empty()) {
            for target in &transition.targets {
                self.add_descendant_states_to_enter(*target, &mut to_enter);
            }
            let ancestor = self.transition_domain(transition);
            for target in self.effective_target_states(transition) {
                self.add_ancestor_states_to_enter(target, ancestor, &mut to_enter);
            }
        }
        for state in &to_enter {
            self.configuration.insert(*state);
            if self.chart.states[*state].kind == Kind::Final {
                let parent = self.chart.states[*state].parent.unwrap();
                if parent != 0 {
                    self.internal_queue.push_back(Event::Done(parent));
                    let grandparent = self.chart.states[parent].parent.unwrap();
                    if self.chart.states[grandparent].kind == Kind::Parallel && self.is_in_final_state(grandparent) {
                        self.internal_queue.push_back(Event::Done(grandparent));
                    }
                }
            }
        }
        to_enter.into_iter().collect()
    }

    fn add_descendant_states_to_enter(&self, target: Target, to_enter: &mut BTreeSet<Id>) {
        match target {
            Target::History(of, idx) => match self.history_value.get(&(of, idx)) {
                Some(remembered) => {
                    for state in remembered {
                        self.add_descendant_states_to_enter(Target::State(*state), to_enter);
                    }
                    for state in remembered {
                        self.add_ancestor_states_to_enter(*state, of, to_enter);
                    }
                }
                // The default transition of every history leads to the initial state.
                None => {
                    let initial = self.chart.states[of].initial.unwrap();
                    self.add_descendant_states_to_enter(Target::State(initial), to_enter);
                    self.add_ancestor_states_to_enter(initial, of, to_enter);
                }
            },
            Target::State(state) => {
                to_enter.insert(state);
                let body = &self.chart.states[state];
                match body.kind {
                    Kind::Compound => {
                        let initial = body.initial.unwrap();
                        self.add_descendant_states_to_enter(Target::State(initial), to_enter);
                        self.add_ancestor_states_to_enter(initial, state, to_enter);
                    }
                    Kind::Parallel => self.add_missing_regions(state, to_enter),
                    Kind::Atomic | Kind::Final => {}
                }
            }
        }
    }

    fn add_ancestor_states_to_enter(&self, state: Id, ancestor: Id, to_enter: &mut BTreeSet<Id>) {
        for state in self.proper_ancestors(state, Some(ancestor)) {
            to_enter.insert(state);
            if self.chart.states[state].kind == Kind::Parallel {
                self.add_missing_regions(state, to_enter);
            }
        }
    }

    fn add_missing_regions(&self, parallel: Id, to_enter: &mut BTreeSet<Id>) {
        for child in &self.chart.states[parallel].children {
            if !to_enter.iter().any(|it| self.is_descendant(*it, *child)) {
                self.add_descendant_states_to_enter(Target::State(*child), to_enter);
            }
        }
    }

    fn transition_domain(&self, transition: &Transition) -> Id {
        if transition.source == 0 {
            return 0;
        }
        let targets = self.effective_target_states(transition);
        // `findLCCA`; every transition is external.
        let is_compound = |it: &Id| self.chart.states[*it].kind == Kind::Compound;
        let contains = |it: &Id| targets.iter().all(|target| self.is_descendant(*target, *it));
        self.proper_ancestors(transition.source, None).into_iter().filter(is_compound).find(contains).unwrap()
    }

    fn effective_target_states(&self, transition: &Transition) -> Vec<Id> {
        let mut targets = Vec::new();
        for target in &transition.targets {
            match target {
                Target::State(state) => targets.push(*state),
                Target::History(of, idx) => match self.history_value.get(&(*of, *idx)) {
                    Some(remembered) => targets.extend(remembered.iter().copied()),
                    None => targets.push(self.chart.states[*of].initial.unwrap()),
                },
            }
        }
        targets
    }

    fn is_in_final_state(&self, state: Id) -> bool {
        let body = &self.chart.states[state];
        let is_final = |it: &Id| self.chart.states[*it].kind == Kind::Final && self.configuration.contains(it);
        match body.kind {
            Kind::Compound => body.children.iter().any(is_final),
            Kind::Parallel => body.children.iter().all(|it| self.is_in_final_state(*it)),
            Kind::Atomic | Kind::Final => false,
        }
    }

    fn is_atomic(&self, state: Id) -> bool {
        self.chart.states[state].children.is_empty()
    }

    /// The ancestors from the inside out, up to but without `to`.
    fn proper_ancestors(&self, state: Id, to: Option<Id>) -> Vec<Id> {
        let parent = |it: &Id| self.chart.states[*it].parent;
        std::iter::successors(parent(&state), parent).take_while(|it| Some(*it) != to).collect()
    }

    fn is_descendant(&self, state: Id, of: Id) -> bool {
        self.proper_ancestors(state, None).contains(&of)
    }
}
