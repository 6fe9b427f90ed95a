//! What can be asked of a machine: its parts by id and by name, what is inside what, and which rows a state has.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::machine::*;
use super::*;

impl Machine {
    /// The maximum number of steps of one call to a machine that reacts.
    pub const MAX_STEPS: usize = 64;

    /// The maximum number of events that wait within one call. The façade has the same limit.
    pub const MAX_WAITING: usize = 64;

    /// The state with this id.
    pub fn state(&self, id: StateId) -> &State {
        &self.states[id.index()]
    }

    /// The event with this id.
    pub fn event(&self, id: EventId) -> &Event {
        &self.events[id.index()]
    }

    /// The name of a payload field.
    pub fn payload_name(&self, id: PayloadId) -> &str {
        &self.payload_names[id.index()]
    }

    /// A payload field as guards and assignments write it: `event.NAME` where a context field has the same name.
    pub fn payload_path(&self, id: PayloadId) -> Cow<'_, str> {
        let name = self.payload_name(id);
        match self.fields.iter().any(|it| it.name == name) {
            true => format!("event.{name}").into(),
            false => name.into(),
        }
    }

    /// The position of a field in the payload of an event; `None` if the event does not carry it.
    pub fn payload_position(&self, event: EventId, field: PayloadId) -> Option<usize> {
        let positions = &self.event(event).positions;
        positions.binary_search_by_key(&field, |it| it.0).ok().map(|it| positions[it].1)
    }

    /// The fields in the payload of an event, in its order.
    pub fn payload_fields(&self, event: EventId) -> impl Iterator<Item = (PayloadId, &Field)> {
        let event = self.event(event);
        let mut positions: Vec<(usize, PayloadId)> = event.positions.iter().map(|(id, position)| (*position, *id)).collect();
        positions.sort_unstable();
        positions.into_iter().map(|(position, id)| (id, &event.payload[position]))
    }

    /// A field in the payload of an event; `None` if the event does not carry it.
    pub fn payload_field(&self, event: EventId, field: PayloadId) -> Option<&Field> {
        Some(&self.event(event).payload[self.payload_position(event, field)?])
    }

    /// The effect with this id.
    pub fn effect(&self, id: EffectId) -> &Effect {
        &self.effects[id.index()]
    }

    /// The row with this id.
    pub fn transition(&self, id: TransitionId) -> &Transition {
        &self.transitions[id.index()]
    }

    /// The state with this name, leaf or composite.
    pub fn state_named(&self, name: &str) -> Option<StateId> {
        self.lookup.states.find(name, |idx| &self.states[idx].name).map(StateId::new)
    }

    /// The event with this name.
    pub fn event_named(&self, name: &str) -> Option<EventId> {
        self.lookup.events.find(name, |idx| &self.events[idx].name).map(EventId::new)
    }

    /// The effect with this name.
    pub fn effect_named(&self, name: &str) -> Option<EffectId> {
        self.lookup.effects.find(name, |idx| &self.effects[idx].name).map(EffectId::new)
    }

    /// All state ids, in order.
    pub fn state_ids(&self) -> impl DoubleEndedIterator<Item = StateId> + use<> {
        (0..self.states.len()).map(StateId::new)
    }

    /// The leaves, in order: the states in which a machine can be.
    pub fn leaves(&self) -> impl Iterator<Item = StateId> + '_ {
        self.state_ids().filter(|id| self.is_leaf(*id))
    }

    /// The leaves inside a state, in order; a leaf contains itself.
    pub fn leaves_in(&self, whole: StateId) -> impl Iterator<Item = StateId> + '_ {
        let inside = (whole.index()..self.states.len()).map(StateId::new).take_while(move |it| self.is_in(*it, whole));
        inside.filter(|it| self.is_leaf(*it))
    }

    /// The history that this field is.
    pub fn recall(&self, field: FieldId) -> Option<Recall> {
        let whole = self.state_ids().find(|it| self.state(*it).histories.iter().any(|it| it.field == field))?;
        Some(Recall { whole, field })
    }

    /// The name of the field of a history, if its composite has several: else the composite says which one is meant.
    pub fn distinguishing_field(&self, recall: Recall) -> Option<&str> {
        let is_one_of_several = self.state(recall.whole).histories.len() > 1;
        is_one_of_several.then(|| self.fields[recall.field.index()].name.as_str())
    }

    /// The leaf that the history of a composite remembers once `leaf`, which is inside it, is left.
    pub fn remembered(&self, whole: StateId, history: History, leaf: StateId) -> StateId {
        let child = self.ancestors(leaf).find(|it| self.state(*it).parent == Some(whole));
        if history.shallow { child.map_or(leaf, |it| self.default_leaf(it)) } else { leaf }
    }

    /// Whether some composite has a history.
    pub fn has_history(&self) -> bool {
        self.lookup.has_history
    }

    /// Whether some transition takes no event.
    pub fn has_direct(&self) -> bool {
        self.edges.iter().any(|it| it.from.is_some() && it.on == On::Direct)
    }

    /// What a step remembers that leaves a configuration and with it these states: a field and a leaf for each history of the
    /// composites among them. What a row itself assigns takes precedence.
    pub fn remembers(&self, from: &Configuration, left: &[StateId]) -> Vec<(FieldId, StateId)> {
        if !self.has_history() {
            return Vec::new();
        }
        let fields = |whole: StateId| {
            let histories = self.state(whole).histories.as_slice();
            let leaf = if histories.is_empty() { None } else { from.leaves().find(|it| self.is_in(*it, whole)) };
            leaf.into_iter().flat_map(move |leaf| histories.iter().map(move |it| (it.field, self.remembered(whole, *it, leaf))))
        };
        left.iter().copied().flat_map(fields).collect()
    }

    /// The composites, in order.
    pub fn composites(&self) -> impl Iterator<Item = StateId> + '_ {
        self.state_ids().filter(|id| !self.is_leaf(*id))
    }

    /// Whether a state has no child states.
    pub fn is_leaf(&self, id: StateId) -> bool {
        self.state(id).children.is_empty()
    }

    /// Whether the spec marks the state as initial among its siblings.
    pub fn is_initial(&self, id: StateId) -> bool {
        match self.state(id).parent {
            Some(parent) => self.state(parent).default_child == Some(id),
            None => self.initial_top == id && !self.parallel,
        }
    }

    /// The leaf that entering `id` ends in; the first of them if there are several (see [`Machine::default_leaves`]).
    pub fn default_leaf(&self, id: StateId) -> StateId {
        let mut leaf = self.default_end(id);
        while let Some(region) = self.state(leaf).children.first() {
            leaf = self.default_end(*region);
        }
        leaf
    }

    /// `id` and its ancestors, innermost first.
    pub fn ancestors(&self, id: StateId) -> impl Iterator<Item = StateId> + '_ {
        std::iter::successors(Some(id), |id| self.state(*id).parent)
    }

    /// Whether `id` is `whole` or a descendant of it.
    pub fn is_in(&self, id: StateId, whole: StateId) -> bool {
        self.ancestors(id).any(|it| it == whole)
    }

    /// The states left and entered between two leaves: left ones innermost first, entered ones
    /// outermost first. A self-transition leaves and enters the leaf. `again` and all states inside it are left in any case.
    pub fn path(&self, from: StateId, to: StateId, again: Option<StateId>) -> (Vec<StateId>, Vec<StateId>) {
        let again = |id: StateId| again.is_some_and(|it| self.is_in(id, it));
        let stays = |id: StateId| from != to && self.is_in(from, id) && self.is_in(to, id) && !again(id);
        let stays_self = |id: StateId| from == to && id != from && !again(id);
        let exits = self.ancestors(from).filter(|id| !stays(*id) && !stays_self(*id)).collect();
        let mut entries: Vec<_> = self.ancestors(to).filter(|id| !stays(*id) && !stays_self(*id)).collect();
        entries.reverse();
        (exits, entries)
    }

    /// The states entered at creation, outermost first.
    pub fn creation_path(&self, to: StateId) -> Vec<StateId> {
        let mut entries: Vec<_> = self.ancestors(to).collect();
        entries.reverse();
        entries
    }

    /// The edges of one source and trigger, in the order in which they are tried.
    pub fn candidates(&self, from: Option<StateId>, on: On) -> &[Edge] {
        of(&self.edges, from, on)
    }

    /// [`Machine::candidates`], and those of a machine that was stored in a leaf in which none rests.
    pub fn tried(&self, from: Option<StateId>, on: On) -> &[Edge] {
        match self.candidates(from, on) {
            [] => of(&self.lookup.passing, from, on),
            stated => stated,
        }
    }

    /// The edges that only a machine takes that was stored in a leaf in which none rests, for each source and trigger.
    pub(crate) fn passing(&self) -> impl Iterator<Item = &[Edge]> {
        self.lookup.passing.chunk_by(|a, b| (a.from, a.on) == (b.from, b.on))
    }

    /// What is tried in a leaf, for each trigger.
    pub fn tried_in(&self, leaf: StateId) -> Vec<&[Edge]> {
        let alike = |it: &Edge, other: &Edge| it.on == other.on;
        let passing = from(&self.lookup.passing, Some(leaf));
        let mut tried: Vec<&[Edge]> = self.edges_from(Some(leaf)).chunk_by(alike).chain(passing.chunk_by(alike)).collect();
        tried.sort_by_key(|it| it[0].on);
        tried
    }

    /// The edges that are never taken, for each source and trigger, in the order in which they would be tried.
    pub(crate) fn hidden(&self) -> impl Iterator<Item = &[Edge]> {
        self.lookup.never.chunk_by(|a, b| (a.from, a.on) == (b.from, b.on))
    }

    /// The state that a row leaves and enters again in any case: its source or its target, whichever contains the other.
    pub fn reentered(&self, row: &Transition) -> Option<StateId> {
        let From::States(states) = &row.from else { return None };
        let [from] = states[..] else { return None };
        match &row.target {
            _ if !row.reenter => None,
            Target::To(targets) => targets.first().map(|to| if self.is_in(from, *to) { *to } else { from }),
            Target::History(Recall { whole, .. }) => Some(if self.is_in(from, *whole) { *whole } else { from }),
            Target::Fork(branches) => branches.iter().map(|it| it.state()).find(|to| self.is_in(from, *to)).or(Some(from)),
            _ => Some(from),
        }
    }

    /// The edges from one source, for any trigger.
    pub fn edges_from(&self, from: Option<StateId>) -> &[Edge] {
        self::from(&self.edges, from)
    }

    /// Whether the graph has an edge between two leaves, guards aside. Staying is not an edge.
    pub fn allows(&self, from: StateId, to: StateId) -> bool {
        self.successors(from).contains(&to)
    }

    /// The leaves that steps out of a leaf lead to, in the order of states, each once. A step that enters a parallel state leads to a
    /// leaf of each of its regions.
    pub fn successors(&self, from: StateId) -> Vec<StateId> {
        let mut targets: Vec<StateId> = self.edges_leaving(from).flat_map(|it| self.targets_out_of(it, from)).collect();
        targets.sort_unstable();
        targets.dedup();
        targets
    }

    /// The edges that may leave a leaf: those from it, and those of other regions.
    pub fn edges_leaving(&self, leaf: StateId) -> impl Iterator<Item = &Edge> + Clone {
        let beside = self.lookup.beside.get(&leaf).map_or(&[][..], Vec::as_slice);
        self.edges_from(Some(leaf)).iter().chain(beside)
    }

    /// The leaves that an edge may lead to if it leaves `leaf`, guards aside: its source, or one in another region. A row of a
    /// parallel state that moves another region does not leave it.
    pub fn targets_out_of(&self, edge: &Edge, leaf: StateId) -> Vec<StateId> {
        if !self.has_regions() {
            return self.targets(edge);
        }
        let leaves = |it: &Vec<StateId>| self.leaves_with(edge, leaf, it);
        self.endings(edge).into_iter().filter(leaves).flat_map(|it| self.with_regions(edge, it)).collect()
    }

    /// The leaves that an edge may lead to, guards aside, with those of the regions that it enters on the way. Staying leads nowhere.
    pub fn targets(&self, edge: &Edge) -> Vec<StateId> {
        let endings = self.endings(edge);
        if !self.has_regions() {
            return endings.concat();
        }
        let mut targets: Vec<StateId> = endings.into_iter().flat_map(|it| self.with_regions(edge, it)).collect();
        targets.sort_unstable();
        targets.dedup();
        targets
    }

    /// The leaves that an edge leads to: several lists if a payload or a history decides.
    pub fn endings(&self, edge: &Edge) -> Vec<Vec<StateId>> {
        let each = |leaves: &mut dyn Iterator<Item = StateId>| leaves.map(|it| vec![it]).collect();
        match edge.outcome {
            Outcome::Leaf(to) => vec![vec![to]],
            Outcome::Payload(_) => match self.lookup.named.get(&(edge.from, edge.on, edge.transition)) {
                Some(named) => each(&mut named.iter().copied()),
                None => each(&mut self.leaves()),
            },
            Outcome::History(to) => each(&mut self.leaves_in(to.whole)),
            Outcome::Parallel(whole) => vec![self.default_leaves(whole)],
            Outcome::Fork => {
                let leaves = |it: &Branch| match it {
                    Branch::To(id) => self.default_leaves(*id),
                    Branch::History(to) => self.leaves_in(to.whole).collect(),
                };
                vec![self.branches(edge.transition).iter().flat_map(leaves).collect()]
            }
            Outcome::Stay | Outcome::Refuse => Vec::new(),
        }
    }

    /// Whether an edge may lead to a state that its row names as a target, or to a leaf that a payload may name.
    pub fn may_name(&self, edge: &Edge, target: StateId) -> bool {
        match edge.outcome {
            Outcome::Leaf(_) | Outcome::Parallel(_) => edge.outcome == self.entering(target),
            Outcome::Payload(_) => {
                let named = self.lookup.named.get(&(edge.from, edge.on, edge.transition));
                named.is_none_or(|it| it.binary_search(&target).is_ok())
            }
            Outcome::History(_) | Outcome::Fork => true,
            Outcome::Stay | Outcome::Refuse => false,
        }
    }

    /// Whether a machine may rest in a leaf: no automatic row always leads on, and no `done` row of a state that it completes.
    pub fn may_rest(&self, leaf: StateId) -> bool {
        !self.lookup.transient.contains(&leaf)
    }

    /// The leaves that one edge may enter if no history remembers another one; none if a payload names the leaf.
    pub fn starts_in(&self, edge: &Edge) -> Vec<StateId> {
        let targets = match edge.outcome {
            Outcome::History(to) => vec![self.default_leaf(to.whole)],
            Outcome::Fork => self.branches(edge.transition).iter().flat_map(|it| self.default_leaves(it.state())).collect(),
            Outcome::Payload(_) => return Vec::new(),
            _ => return self.targets(edge),
        };
        self.with_regions(edge, targets)
    }

    /// The targets of a fork; none if the row is another one.
    pub fn branches(&self, row: TransitionId) -> &[Branch] {
        match &self.transition(row).target {
            Target::Fork(branches) => branches,
            _ => &[],
        }
    }

    /// Some targets of an edge, and the leaves in which the other regions start that are entered with them.
    fn with_regions(&self, edge: &Edge, mut targets: Vec<StateId>) -> Vec<StateId> {
        if !self.has_regions() {
            return targets;
        }
        let reenters = self.transition(edge.transition).reenter;
        // The parallel state stays where it is active, and the source contains it or lies in the same region as the target.
        let stays = |whole: Option<StateId>, region: StateId| match (edge.from, edge.source) {
            (Some(from), source) if !reenters => {
                let is_active = whole.is_none_or(|it| self.is_in(from, it));
                let contains = |source: StateId| whole.is_some_and(|it| self.is_in(it, source));
                is_active && source.is_none_or(|it| self.is_in(it, region) || contains(it))
            }
            _ => false,
        };
        let mut others = Vec::new();
        for region in targets.iter().flat_map(|it| self.ancestors(*it)).filter(|it| self.is_region(*it)) {
            let whole = self.state(region).parent;
            if !stays(whole, region) {
                others.extend(self.inside(whole).iter().filter(|it| **it != region).flat_map(|it| self.default_leaves(*it)));
            }
        }
        targets.extend(others);
        targets.sort_unstable();
        targets.dedup();
        targets
    }

    /// Whether no edge leads from this leaf to another.
    pub fn is_sink(&self, id: StateId) -> bool {
        self.successors(id).iter().all(|to| *to == id)
    }

    /// The events that some edge accepts in a state (guards aside), without refusals.
    pub fn events_in(&self, id: StateId) -> Vec<EventId> {
        self.accepted_from(Some(id))
    }

    /// [`Machine::events_in`] of a leaf, or of creation.
    pub fn accepted_from(&self, from: Option<StateId>) -> Vec<EventId> {
        let takes = self.edges_from(from).iter().filter(|edge| edge.outcome != Outcome::Refuse);
        let mut events: Vec<_> = takes.filter_map(|edge| edge.on.event()).collect();
        events.dedup();
        events
    }

    /// The events that some edge accepts in a configuration: those of all its leaves.
    pub fn accepted(&self, configuration: &Configuration) -> Vec<EventId> {
        let mut events: Vec<_> = configuration.leaves().flat_map(|it| self.accepted_from(Some(it))).collect();
        events.sort_unstable();
        events.dedup();
        events
    }

    /// The outcome of an edge that names this state as its target.
    pub fn entering(&self, id: StateId) -> Outcome {
        let end = self.default_end(id);
        if self.is_leaf(end) { Outcome::Leaf(end) } else { Outcome::Parallel(end) }
    }

    /// The path of a state's name from the top: `ACTIVE/HOT`.
    pub fn path_name(&self, id: StateId) -> Cow<'_, str> {
        let state = self.state(id);
        if state.parent.is_none() {
            return state.name.as_str().into();
        }
        let mut names: Vec<_> = self.ancestors(id).map(|it| self.state(it).name.as_str()).collect();
        names.reverse();
        names.join("/").into()
    }

    /// The name in refusals: the path in a machine with nested states, as its page shows it; else the name in storage.
    pub fn refused_name(&self, id: StateId) -> Cow<'_, str> {
        let is_nested = self.states.iter().any(|it| it.parent.is_some());
        if is_nested { self.path_name(id) } else { self.state(id).wire.as_str().into() }
    }

    /// The name in tables: a default child is shown under its parent's name, `ACTIVE` for
    /// `ACTIVE/LOADED` (A-40 of the readings).
    pub fn display_name(&self, mut id: StateId) -> Cow<'_, str> {
        while let Some(parent) = self.state(id).parent {
            if self.state(parent).default_child != Some(id) {
                break;
            }
            id = parent;
        }
        self.path_name(id)
    }

    /// Whether a step may cause further ones: some row is automatic, waits for a composite to be done, or raises an event.
    pub fn reacts(&self) -> bool {
        self.lookup.reacts
    }

    /// The events that the machine raises itself.
    pub fn raised(&self) -> BTreeSet<EventId> {
        self.transitions.iter().flat_map(|row| row.raise.iter().copied()).collect()
    }

    /// The edges that may follow the first step of any call, in the order of [`Machine::edges`].
    pub fn reactions(&self) -> impl Iterator<Item = &Edge> {
        let raised = self.raised();
        self.edges.iter().filter(move |edge| match edge.on {
            On::Event(event) => raised.contains(&event),
            On::Automatic | On::Done(_) => true,
            On::Direct => false,
        })
    }

    /// The composite that is done once `entered` is entered: its parent, if it is terminal and a row waits for the parent.
    pub fn completes(&self, entered: StateId) -> Option<StateId> {
        let state = self.state(entered);
        state.parent.filter(|parent| state.terminal && self.waits_for(*parent))
    }

    /// The parallel state that may be done once `entered` is entered, if its other regions are: the one around the composite
    /// that is done then, if a row waits for it.
    pub fn may_complete(&self, entered: StateId) -> Option<StateId> {
        let state = self.state(entered);
        let whole = self.state(state.parent.filter(|_| state.terminal)?).parent?;
        (self.state(whole).parallel && self.waits_for(whole)).then_some(whole)
    }

    /// Whether a row waits for a state to be done.
    fn waits_for(&self, id: StateId) -> bool {
        let waits = |row: &Transition| row.trigger == Trigger::Done && matches!(&row.from, From::States(states) if states.contains(&id));
        self.transitions.iter().any(waits)
    }

    /// Whether a composite is done: it is in a terminal child, or each of its regions is.
    pub fn is_done(&self, configuration: &Configuration, whole: StateId) -> bool {
        let in_outcome = |it: StateId| configuration.leaves().any(|leaf| self.state(leaf).terminal && self.state(leaf).parent == Some(it));
        match self.state(whole) {
            state if state.parallel => state.children.iter().all(|it| in_outcome(*it)),
            _ => in_outcome(whole),
        }
    }

    /// Whether an event only creates a machine.
    pub fn is_creation_event(&self, id: EventId) -> bool {
        self.edges_from(None).iter().any(|edge| edge.on == On::Event(id))
    }

    /// Whether an event creates a machine in memory only: a machine that is stored is no obstacle.
    pub fn is_creation_in_memory(&self, id: EventId) -> bool {
        let edges = self.edges_from(None).iter().filter(|edge| edge.on == On::Event(id) && edge.outcome != Outcome::Refuse);
        let mut orders = edges.map(|edge| self.transition(edge.transition).commit).peekable();
        orders.peek().is_some() && orders.all(|it| it == Commit::MemoryOnly)
    }
}

/// The edges of one source and trigger, of some that are sorted as [`Machine::edges`] are.
fn of(edges: &[Edge], from: Option<StateId>, on: On) -> &[Edge] {
    let start = edges.partition_point(|edge| (edge.from, edge.on) < (from, on));
    let end = edges.partition_point(|edge| (edge.from, edge.on) <= (from, on));
    &edges[start..end]
}

/// The edges of one source, of some that are sorted as [`Machine::edges`] are.
fn from(edges: &[Edge], from: Option<StateId>) -> &[Edge] {
    let start = edges.partition_point(|edge| edge.from < from);
    let end = edges.partition_point(|edge| edge.from <= from);
    &edges[start..end]
}
