//! Converts drawn states and arrows to a draft: resolves `[*]`, choices, forks, regions and histories.

use statespec_lang::diagnostic::{Code, Diagnostic};
use statespec_lang::names::snake;

use super::Block;
use super::drawn::{Arrow, Diagram, End, Node, Pseudo};
use super::history::{self, History};
use crate::Kind;
use crate::draft::{Draft, Effect, Findings, From, Goal, Row, State, Trigger};
use crate::label::{self, Label};
use crate::phrase;

/// An arrow to be converted to a row.
#[derive(Debug, Clone)]
struct Step {
    from: End,
    to: End,
    label: Label,
    /// Whether a slash was read as "or".
    are_alternatives: bool,
    /// The guard of an arrow out of a choice.
    guards: Vec<String>,
    /// Whether the step needs no event: it leads out of a choice.
    automatic: bool,
    text: Option<String>,
    arrow: Arrow,
}

/// Converts a diagram to a draft.
pub(crate) fn draft(diagram: Diagram, name: &str, title: Option<&str>, block: &Block) -> Result<Draft, Diagnostic> {
    let Diagram { name: own_name, title: own_title, doc, is_uml, parallel, nodes, arrows, notes, comments, found } = diagram;
    let title = own_title.as_deref().or(title);
    if nodes.is_empty() {
        return Err(Diagnostic::new(Code::ImportUnreadable, block.first_line(), "this diagram has no states"));
    }
    // Behind a choice, `not allowed` is a condition.
    let is_passed = |it: End| matches!(it, End::Node(node) if nodes[node].pseudo.is_some_and(Pseudo::is_passed));
    let is_refused = |it: &Arrow| !is_passed(it.from) && it.text.as_deref().is_some_and(phrase::is_refused_arrow);
    let (refused, allowed): (Vec<Arrow>, Vec<Arrow>) = arrows.into_iter().partition(is_refused);
    let has_actions = nodes.values().any(|it| !it.entry.is_empty() || !it.exit.is_empty());
    let shows = |it: &Arrow| it.text.as_deref().is_some_and(label::shows_effects);
    let is_uml = is_uml || has_actions || allowed.iter().any(shows);
    let steps = allowed.into_iter().map(|it| step(it, is_uml)).collect();
    let mut shaper = Shaper { block, ids: nodes.keys().cloned().collect(), found, steps, rows: Vec::new(), recalling: Vec::new() };
    for arrow in refused {
        shaper.found.loss(block.span(arrow.range), "this arrow says that its step is not allowed: it was left out");
    }
    shaper.choices(&nodes);
    let mut states = shaper.states(&nodes);
    let histories = shaper.histories(&states);
    let starts = shaper.starts(&states, &histories);
    shaper.arrows(&mut states, &histories);
    let mut pseudo: Vec<(Pseudo, usize, statespec_lang::source::Span)> = nodes
        .values()
        .enumerate()
        .filter_map(|(idx, it)| Some((it.pseudo.filter(|it| !it.is_passed())?, states.of_node[idx]?, block.span(it.range.clone()))))
        .collect();
    let mut draft = Draft {
        kind: Kind::Diagram,
        complete: false,
        partial: false,
        parallel,
        name: own_name.as_deref().or(own_title.as_deref()).unwrap_or(name).to_owned(),
        title: title.map(str::to_owned),
        doc,
        fields: Vec::new(),
        untyped: Vec::new(),
        states: states.drafts,
        rows: shaper.rows,
        recalls: Vec::new(),
        events: Vec::new(),
        raising: Vec::new(),
        raised_at_start: Vec::new(),
        notes,
        comments,
        span: block.whole(),
        found: shaper.found,
    };
    draft.mark_starts(&starts.of_machine, &starts.of_state);
    let of_spec = draft.starts();
    let of_text: Vec<Vec<Goal>> = starts.of_state.into_iter().zip(of_spec).map(|(own, it)| if own.is_empty() { it } else { own }).collect();
    history::resolve(&mut draft, &histories, &shaper.recalling, &of_text);
    draft.lead_to_starts(&of_text);
    draft.lead_children_to_starts(&of_text);
    // From the last to the first, as one that is resolved is removed.
    pseudo.sort_by_key(|it| std::cmp::Reverse(it.1));
    for (kind, state, span) in pseudo {
        let resolved = if kind == Pseudo::Fork { draft.resolve_fork(state) } else { draft.resolve_join(state) };
        if !resolved {
            let what = if kind == Pseudo::Fork { "fork starts several states at once" } else { "join waits for several states" };
            let id = &draft.states[state].id;
            let message = format!("a {what}, and these are not in different regions of one state: `{id}` became an ordinary state");
            draft.found.loss(span, message);
        }
    }
    draft.settle_moved_regions();
    draft.settle_otherwise();
    tell_several(&mut draft);
    Ok(draft)
}

/// Reports each state without a way in whose name may stand for several states: `ANY_ACTIVE`.
fn tell_several(draft: &mut Draft) {
    // A table would lose a row of `ALL_RED`; here, the state is kept.
    let is_several = |text: &str| phrase::names_several(text) || phrase::words(&snake(text)).first().is_some_and(|it| it == "all");
    for (idx, state) in draft.states.iter().enumerate() {
        let is_named_so = is_several(&state.id) || state.label.as_deref().is_some_and(is_several);
        let has_way_out = draft.rows.iter().any(|it| it.from == From::State(idx));
        let has_way_in = state.initial || draft.rows.iter().any(|it| it.to == Some(idx));
        if is_named_so && has_way_out && !has_way_in {
            let name = state.label.as_ref().unwrap_or(&state.id);
            draft
                .found
                .loss(state.span, format!("nothing leads to `{name}`, which may stand for several states: it became an ordinary state"));
        }
    }
}

fn step(arrow: Arrow, is_uml: bool) -> Step {
    let alternatives = arrow.text.as_deref().filter(|_| !is_uml).and_then(label::parse_alternatives);
    let are_alternatives = alternatives.is_some();
    let label = alternatives.or_else(|| arrow.text.as_deref().map(label::parse)).unwrap_or_default();
    Step { from: arrow.from, to: arrow.to, label, are_alternatives, guards: Vec::new(), automatic: false, text: arrow.text.clone(), arrow }
}

struct Shaper<'a> {
    block: &'a Block,
    ids: Vec<String>,
    found: Findings,
    steps: Vec<Step>,
    rows: Vec<Row>,
    /// The rows that lead to a history, each with its position among the histories.
    recalling: Vec<(usize, usize)>,
}

/// The states of the draft, and the node of each.
struct States {
    drafts: Vec<State>,
    /// The state of each node.
    of_node: Vec<Option<usize>>,
}

impl States {
    fn of(&self, end: End) -> Option<usize> {
        match end {
            End::Dot => None,
            End::Node(node) | End::History { of: node, .. } => self.of_node[node],
        }
    }

    /// The state and its ancestors.
    fn path(&self, state: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(state), |it| self.drafts[*it].parent)
    }
}

/// Where the arrows from `[*]` lead: of the machine, and of each composite.
struct Starts {
    of_machine: Vec<Goal>,
    of_state: Vec<Vec<Goal>>,
}

impl Shaper<'_> {
    /// Makes the arrows out of choices automatic steps: the first whose guard holds is taken, so one without a guard comes last.
    fn choices(&mut self, nodes: &indexmap::IndexMap<String, Node>) {
        for (choice, node) in nodes.values().enumerate().filter(|(_, it)| it.pseudo.is_some_and(Pseudo::is_passed)) {
            let end = End::Node(choice);
            let loops = self.steps.iter().any(|it| it.from == end && it.to == end);
            if loops || self.count(|it| it.to == end) == 0 || self.count(|it| it.from == end) == 0 {
                let why = if loops { "it leads to itself" } else { "no arrow leads through it" };
                let what = if node.pseudo == Some(Pseudo::Point) { "point" } else { "choice" };
                let message = format!("the {what} `{}` became an ordinary state, as {why}", self.ids[choice]);
                self.found.loss(self.block.span(node.range.clone()), message);
                continue;
            }
            let (mut out, rest): (Vec<Step>, Vec<Step>) = std::mem::take(&mut self.steps).into_iter().partition(|it| it.from == end);
            // `c --> b: event [guard]` is not conventional, but meaningful: it waits for the event.
            for step in out.iter_mut().filter(|it| it.label.guards.is_empty() || it.label.events.is_empty()) {
                step.automatic = true;
                step.guards.extend(branch(step));
                step.label.events.clear();
                step.label.guards.clear();
            }
            out.sort_by_key(|it| it.automatic && it.guards.is_empty());
            self.steps = rest;
            self.steps.append(&mut out);
        }
    }

    fn count(&self, fits: impl Fn(&Step) -> bool) -> usize {
        self.steps.iter().filter(|it| fits(it)).count()
    }

    /// The states, every composite before its children.
    fn states(&mut self, nodes: &indexmap::IndexMap<String, Node>) -> States {
        let mut states = States { drafts: Vec::new(), of_node: vec![None; nodes.len()] };
        let mut inside: Vec<Vec<usize>> = vec![Vec::new(); nodes.len() + 1];
        for (idx, node) in nodes.values().enumerate() {
            inside[node.scope.map_or(0, |it| it + 1)].push(idx);
        }
        // No composite starts in a point on its border, nor in a state that others named before.
        inside.iter_mut().for_each(|it| it.sort_by_key(|idx| (nodes[*idx].pseudo == Some(Pseudo::Point), nodes[*idx].mention)));
        let mut open: Vec<usize> = inside[0].iter().rev().copied().collect();
        while let Some(idx) = open.pop() {
            states.of_node[idx] = Some(states.drafts.len());
            if nodes[idx].region {
                let has_arrows = self.steps.iter().any(|it| it.arrow.scope == Some(idx));
                match inside[idx + 1].as_slice() {
                    // Nothing is behind the divider.
                    [] if !has_arrows => {
                        states.of_node[idx] = None;
                        continue;
                    }
                    // A composite alone in its region names the region.
                    [only] if !has_arrows && !inside[*only + 1].is_empty() => {
                        states.of_node[*only] = states.of_node[idx];
                        let parent = nodes[idx].scope.and_then(|it| states.of_node[it]);
                        states.drafts.push(self.state(*only, &nodes[*only], parent));
                        open.extend(inside[*only + 1].iter().rev());
                        continue;
                    }
                    _ => {}
                }
            }
            let parent = nodes[idx].scope.and_then(|it| states.of_node[it]);
            states.drafts.push(self.state(idx, &nodes[idx], parent));
            open.extend(inside[idx + 1].iter().rev());
        }
        states
    }

    fn state(&mut self, idx: usize, node: &Node, parent: Option<usize>) -> State {
        let mut state = State::new(self.ids[idx].clone(), parent, self.block.span(node.range.clone()));
        let mut texts = node.texts.iter();
        state.label = texts.next().cloned();
        // A generated id is replaced by the displayed name if it was derived from that name.
        if let Some(name) = state.label.as_deref().filter(|it| statespec_lang::names::is_name(it))
            && statespec_lang::mermaid::made_up(name, &state.id)
        {
            state.id = name.to_owned();
            state.label = None;
        }
        state.doc = texts.chain(&node.notes).filter(|it| !it.is_empty()).cloned().collect();
        state.entry = node.entry.iter().map(Effect::new).collect();
        state.exit = node.exit.iter().map(Effect::new).collect();
        state.comments.clone_from(&node.comments);
        state.parallel = node.parallel;
        if node.region {
            state.inferred = Some("The regions of a diagram have no names.".to_owned());
        }
        state
    }

    /// The histories to which arrows lead; an arrow out of one names the state for the case that nothing is remembered.
    fn histories(&mut self, states: &States) -> Vec<History> {
        let is_history = |it: End| matches!(it, End::History { .. });
        let (out, rest): (Vec<Step>, Vec<Step>) = std::mem::take(&mut self.steps).into_iter().partition(|it| is_history(it.from));
        self.steps = rest;
        let mut histories: Vec<History> = Vec::new();
        for step in self.steps.iter().filter(|it| is_history(it.to)) {
            if let (End::History { deep, .. }, Some(state)) = (step.to, states.of(step.to))
                && histories.iter().all(|it| it.end != step.to)
            {
                histories.push(History { end: step.to, state, deep, default: None, span: self.span(step) });
            }
        }
        for step in out {
            let Some(history) = histories.iter_mut().find(|it| it.end == step.from) else {
                self.found.loss(self.span(&step), "no arrow leads to this history, so the arrow out of it was left out");
                continue;
            };
            let inside = |to: usize| to != history.state && states.path(to).any(|it| it == history.state);
            match states.of(step.to).filter(|to| !is_history(step.to) && inside(*to)) {
                Some(to) if history.default.is_none() => history.default = Some(to),
                _ => {
                    let message = "a history leads to one state inside its composite if nothing is remembered: this arrow was left out";
                    self.found.loss(self.span(&step), message);
                    continue;
                }
            }
            if let Some(text) = &step.text {
                self.found
                    .loss(self.span(&step), format!("where nothing is remembered, a spec has no further condition: `{text}` was left out"));
            }
        }
        histories
    }

    /// `[*] --> x`: where the machine and its composites start, and the creation of machines.
    fn starts(&mut self, states: &States, histories: &[History]) -> Starts {
        let mut found = Starts { of_machine: Vec::new(), of_state: vec![Vec::new(); states.drafts.len()] };
        let (starts, rest): (Vec<Step>, Vec<Step>) = std::mem::take(&mut self.steps).into_iter().partition(|it| it.from == End::Dot);
        self.steps = rest;
        let (top, inner): (Vec<Step>, Vec<Step>) = starts.into_iter().partition(|it| it.arrow.scope.is_none());
        for start in inner {
            self.inner_start(start, states, histories, &mut found);
        }
        let has_guards = |it: &Step| it.text.is_some() || !it.guards.is_empty();
        let is_plain = top.len() == 1 && top.iter().all(|it| !has_guards(it));
        for start in top {
            // Nothing is remembered at the start.
            let default = histories.iter().find(|it| it.end == start.to).and_then(|it| it.default);
            let Some(to) = default.or(states.of(start.to)) else {
                self.found.loss(self.span(&start), "an arrow from `[*]` to `[*]` says nothing");
                continue;
            };
            // A composite on the way that starts elsewhere: this program draws a creation so.
            let starts_there = |on: usize| match states.drafts[on].parent {
                Some(parent) => found.of_state[parent].first().is_none_or(|own| states.path(own.0).any(|it| it == on)),
                None => true,
            };
            let is_start = is_plain && states.path(to).all(starts_there);
            if found.of_machine.is_empty() {
                let outermost = states.path(to).last().unwrap_or(to);
                found.of_machine.push((if is_start { to } else { outermost }, None));
            }
            if !is_start {
                let row = self.row(start, From::Creation, Some(to));
                self.rows.push(row);
            }
        }
        found
    }

    /// The initial state of a composite.
    fn inner_start(&mut self, start: Step, states: &States, histories: &[History], found: &mut Starts) {
        let span = self.span(&start);
        let Some(scope) = start.arrow.scope.and_then(|it| states.of_node[it]) else { return };
        let Some(to) = states.of(start.to) else {
            self.found.loss(span, "an arrow from `[*]` to `[*]` says nothing");
            return;
        };
        let name = &states.drafts[scope].id;
        if let End::History { .. } = start.to {
            self.found.loss(span, format!("`{name}` starts where it was left last, and a composite of a spec starts in one state"));
            let default = histories.iter().find(|it| it.end == start.to).and_then(|it| it.default);
            found.of_state[scope].extend(default.filter(|it| states.path(*it).any(|it| it == scope)).map(|it| (it, None)));
            return;
        }
        if to == scope || !states.path(to).any(|it| it == scope) {
            self.found.loss(span, format!("`{name}` cannot start in a state that is not inside it"));
            return;
        }
        if let Some(text) = &start.text {
            self.found.loss(span, format!("the initial state of a composite has no condition in a spec: `{text}` was left out"));
        }
        match found.of_state[scope].first() {
            Some((first, _)) if *first != to => {
                let first = &states.drafts[*first].id;
                self.found.loss(span, format!("`{name}` starts in one state, and `{first}` came first"));
            }
            _ => found.of_state[scope] = vec![(to, None)],
        }
    }

    /// All other arrows, ends included.
    fn arrows(&mut self, states: &mut States, histories: &[History]) {
        let steps = std::mem::take(&mut self.steps);
        // The states that an arrow leaves for another one.
        let mut leaves: Vec<bool> = vec![false; states.drafts.len()];
        let mut ends_too: Vec<bool> = vec![false; states.drafts.len()];
        for step in &steps {
            let Some(from) = states.of(step.from) else { continue };
            (if step.to == End::Dot { &mut ends_too } else { &mut leaves })[from] = true;
        }
        let mut seen = std::collections::BTreeSet::new();
        let mut ends: Vec<(usize, statespec_lang::source::Span)> = Vec::new();
        for step in steps {
            let span = self.span(&step);
            let Some(from) = states.of(step.from) else { continue };
            if !seen.insert((step.from, step.to, step.arrow.scope, step.text.clone(), step.arrow.doc.clone(), step.guards.clone())) {
                self.found.ignored(span, "the same arrow stands here for the second time");
                continue;
            }
            if step.to != End::Dot {
                let to = states.of(step.to);
                if let Some(history) = histories.iter().position(|it| it.end == step.to) {
                    self.recalling.push((self.rows.len(), history));
                }
                let row = self.row(step, From::State(from), to);
                self.rows.push(row);
                continue;
            }
            let scope = step.arrow.scope.and_then(|it| states.of_node[it]);
            match scope.filter(|scope| states.path(*scope).any(|it| leaves[it]) && !states.path(*scope).any(|it| ends_too[it])) {
                Some(scope) => {
                    let name = &states.drafts[scope].id;
                    self.found.loss(
                        span,
                        format!("this end is one of `{name}` only, and a composite of a spec does not end by itself: arrows out of it lead out of every state inside"),
                    );
                }
                None => ends.push((from, span)),
            }
            // `x --> [*]: terminal` says it twice.
            let says_end = |text: &&String| {
                let words = phrase::words(text);
                words.iter().all(|it| matches!(it.as_str(), "terminal" | "final" | "end" | "state"))
            };
            if let Some(text) = step.text.as_ref().filter(|it| !says_end(it)) {
                let from_id = &states.drafts[from].id;
                let message = format!("the end behind `{text}` has no name: the spec has a step that stays in `{from_id}`");
                self.found.assumed(span, message);
                let row = self.row(step, From::State(from), None);
                self.rows.push(row);
            }
        }
        self.ends(ends, states);
    }

    /// Marks the states in which the machine ends. A composite cannot be terminal, but the states inside it can.
    fn ends(&mut self, ends: Vec<(usize, statespec_lang::source::Span)>, states: &mut States) {
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); states.drafts.len()];
        for (idx, state) in states.drafts.iter().enumerate() {
            if let Some(parent) = state.parent {
                children[parent].push(idx);
            }
        }
        // An end inside a composite tells where the composite ends, so it comes first.
        let (leaves, composites): (Vec<_>, Vec<_>) = ends.into_iter().partition(|(state, _)| children[*state].is_empty());
        for (state, _) in leaves {
            states.drafts[state].terminal = true;
        }
        for (state, span) in composites {
            let mut inside = Vec::new();
            let mut open = vec![state];
            while let Some(idx) = open.pop() {
                open.extend(&children[idx]);
                inside.extend(Some(idx).filter(|it| children[*it].is_empty()));
            }
            if inside.iter().any(|it| states.drafts[*it].terminal) {
                continue;
            }
            let name = &states.drafts[state].id;
            self.found.assumed(span, format!("no state inside `{name}` leads to its end: the machine can end in each of them"));
            for leaf in inside {
                states.drafts[leaf].terminal = true;
            }
        }
    }

    fn row(&mut self, step: Step, from: From, to: Option<usize>) -> Row {
        let mut row = Row::new(from, to, self.span(&step));
        if step.label.effects.iter().any(|it| it.contains(" / ")) {
            let message = "the parts behind the first `/` were read as one effect, but each may be an event or an effect of its own";
            self.found.assumed(row.span, message);
        }
        if step.are_alternatives && !step.label.events.is_empty() {
            let message = "the parts around the `/` were read as several events: effects stand behind a guard, or are calls such as `x()`";
            self.found.assumed(row.span, message);
        }
        if step.label.guards.len() > 1 {
            self.found.assumed(row.span, label::SEVERAL_GUARDS);
        }
        if step.label.has_other_brackets {
            self.found.assumed(row.span, label::OTHER_BRACKETS);
        }
        if step.label.has_slash_inside {
            self.found.assumed(row.span, label::SLASH_INSIDE);
        }
        row.events = step.label.events;
        if step.automatic {
            row.trigger = Trigger::Automatic;
        }
        row.guards = step.guards;
        row.with_guards(step.label.guards);
        row.effects = step.label.effects.into_iter().map(Effect::new).collect();
        row.label = step.text;
        row.doc = step.arrow.doc;
        row.comments = step.arrow.comments;
        row
    }

    fn span(&self, step: &Step) -> statespec_lang::source::Span {
        self.block.span(step.arrow.range.clone())
    }
}

/// The guards of an arrow out of a choice, with or without brackets; `else` is none.
fn branch(out: &Step) -> Vec<String> {
    let texts = if out.label.guards.is_empty() { out.text.iter().cloned().collect() } else { out.label.guards.clone() };
    texts.into_iter().filter(|it| !phrase::is_else(it) && !it.trim().eq_ignore_ascii_case("default")).collect()
}
