//! A machine by itself.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use statespec_lang::diagnostic::suggest;
use statespec_lang::expr::fold;
use statespec_lang::interpret::machine::plan;
use statespec_lang::interpret::value::show;
use statespec_lang::interpret::{Clock as Timers, EffectCall, Error, Host, Instance, Phase, Request};
use statespec_lang::model::machine::{Branch, Edge, Event, Field, On, Outcome, Recall};
use statespec_lang::model::{EventId, FieldId, Machine, Model, PredicateId, StateId, Type, Value};
use statespec_lang::show::MachineNames;

use super::clock::Clock;
use super::slot::Slot;
use super::text::{Ink, Text};
use super::{Game, Settings, Tests, Undone, actors, line};
use crate::machine_cases::payloads_of;
use crate::{by, change};

pub(super) struct MachineGame<'m> {
    model: &'m Model,
    idx: usize,
    machine: &'m Machine,
    /// The instance; `None` before creation.
    at: Option<Instance>,
    given: Vec<(FieldId, Value)>,
    /// The running timers.
    timers: Timers,
    past: Vec<Past>,
}

/// A requested step, taken or refused.
#[derive(Debug)]
pub struct Past {
    /// The machine before it; `None` if the request creates it.
    pub before: Option<Instance>,
    /// What was requested.
    pub request: Request,
    /// The values of the event's payload.
    pub payload: Vec<Value>,
    /// The fields that were given at creation.
    pub given: Vec<(FieldId, Value)>,
    /// The named predicates that held.
    pub holds: BTreeSet<PredicateId>,
    /// The machine after it, or the refusal.
    pub outcome: Result<Instance, String>,
    /// The line with the request.
    line: String,
    /// The changes and effects, in words.
    did: Vec<String>,
    /// The timers before it, and the moment.
    timers: Timers,
    clock: Clock,
}

impl Past {
    /// Whether the machine is another one than before, or effects were performed.
    fn has_changed_something(&self) -> bool {
        self.outcome.as_ref().is_ok_and(|after| self.before.as_ref() != Some(after) || self.did.len() > 1)
    }
}

/// The environment: predicates set by hand, effects only recorded.
struct Outside<'a> {
    holds: &'a BTreeSet<PredicateId>,
    raised: Vec<EffectCall>,
}

impl Host for Outside<'_> {
    fn predicate(&self, predicate: PredicateId) -> bool {
        self.holds.contains(&predicate)
    }

    fn before(&mut self, effect: &EffectCall) -> Result<(), String> {
        self.raised.push(effect.clone());
        Ok(())
    }

    fn effect(&mut self, effect: &EffectCall) {
        self.raised.push(effect.clone());
    }
}

impl<'m> MachineGame<'m> {
    pub(super) fn new(model: &'m Model, idx: usize) -> Self {
        let timers = Timers::default();
        let mut game = MachineGame { model, idx, machine: &model.machines[idx], at: None, given: Vec::new(), timers, past: Vec::new() };
        game.begin(Clock::default());
        game
    }

    fn begin(&mut self, clock: Clock) {
        self.at = self.start().ok();
        self.timers = self.at.as_ref().map_or_else(Timers::default, |it| Timers::start(self.machine, it, clock.micros()));
    }

    fn is_created(&self) -> bool {
        !self.machine.edges_from(None).is_empty()
    }

    /// The machine before the first step, if no event creates it.
    fn start(&self) -> Result<Instance, String> {
        if self.is_created() {
            return Err("no event has brought it into being yet".into());
        }
        Instance::start(self.machine, &self.given).map_err(|it| format!("{}; say `given FIELD=VALUE`", it.show(self.machine)))
    }

    fn holding(&self, names: &BTreeSet<String>) -> BTreeSet<PredicateId> {
        let predicates = self.machine.predicates.iter().enumerate();
        predicates.filter(|(_, it)| names.contains(&it.name)).map(|(idx, _)| PredicateId::new(idx)).collect()
    }

    /// `None` if the request is accepted with some payload, else the refusal for the first payload.
    fn refusal(&self, request: Request, payloads: &[Vec<Value>], holds: &BTreeSet<PredicateId>) -> Option<String> {
        let given = if self.at.is_none() { self.given.as_slice() } else { &[] };
        let mut first = None;
        for payload in payloads {
            match plan(self.machine, self.at.as_ref(), request, payload, given, &|it| holds.contains(&it)) {
                Ok(_) => return None,
                Err(error) => _ = first.get_or_insert_with(|| error.show(self.machine)),
            }
        }
        first
    }

    /// The description of an edge, guard first.
    fn edge(&self, edge: &Edge) -> String {
        let (machine, row) = (self.machine, self.machine.transition(edge.transition));
        let mut text = String::new();
        if let Some(guard) = &row.guard {
            let _ = write!(text, "when {}: ", fold(guard, &machine.constants).show(&MachineNames::new(machine)));
        }
        match (edge.outcome, &row.target) {
            (Outcome::Leaf(to) | Outcome::Parallel(to), _) => text.push_str(&format!("-> {}", machine.path_name(to))),
            (Outcome::Payload(id), _) => text.push_str(&format!("-> the state in `{}`", machine.payload_name(id))),
            (Outcome::History(to), _) => text.push_str(&format!("-> {}", last_in(machine, to))),
            (Outcome::Fork, _) => {
                let name = |it: &Branch| match it {
                    Branch::To(id) => machine.path_name(*id).into_owned(),
                    Branch::History(to) => last_in(machine, *to),
                };
                let targets: Vec<String> = machine.branches(edge.transition).iter().map(name).collect();
                text.push_str(&format!("-> {}", targets.join(" and ")));
            }
            (Outcome::Stay, _) => text.push_str("stays"),
            (Outcome::Refuse, statespec_lang::model::machine::Target::Refuse(words)) => text.push_str(&format!("refused: {words}")),
            (Outcome::Refuse, _) => text.push_str("refused"),
        }
        let effects: Vec<&str> = row.before.iter().chain(&row.effects).map(|it| machine.effect(*it).name.as_str()).collect();
        if !effects.is_empty() {
            text.push_str(&format!("; does {}", effects.join(", ")));
        }
        text
    }

    /// A line that raises the event.
    fn usage(&self, event: &Event) -> String {
        let fields = event.payload.iter().map(|it| self.slot(it).usage());
        format!("{}{}", event.name, fields.collect::<String>())
    }

    fn slot(&self, field: &Field) -> Slot {
        Slot::new(Some(self.machine), &self.machine.enums, field)
    }

    /// The edges of all active leaves for one trigger; those of a row that several leaves share, once.
    fn candidates(&self, on: On) -> Vec<Edge> {
        let leaves: Vec<Option<StateId>> = self.at.as_ref().map_or_else(|| vec![None], |it| it.configuration.leaves().map(Some).collect());
        let mut edges: Vec<Edge> = Vec::new();
        for edge in leaves.into_iter().flat_map(|it| self.machine.candidates(it, on)) {
            if edges.iter().all(|it| (it.transition, it.source, it.outcome) != (edge.transition, edge.source, edge.outcome)) {
                edges.push(*edge);
            }
        }
        edges
    }

    fn targets(&self) -> Vec<StateId> {
        let mut targets: Vec<StateId> = Vec::new();
        for edge in self.candidates(On::Direct) {
            if let Outcome::Leaf(to) | Outcome::Parallel(to) = edge.outcome
                && !targets.contains(&to)
            {
                targets.push(to);
            }
        }
        targets
    }

    fn request(&self, words: &[String], clock: Clock) -> Result<(Request, Vec<Value>), String> {
        let machine = self.machine;
        if let Some(event) = machine.event_named(&words[0]) {
            let usage = || self.usage(machine.event(event));
            let values = line::values(&words[1..]).map_err(|it| format!("{it}: write {}", usage()))?;
            return Ok((Request::Event(event), self.payload(event, &values, clock)?));
        }
        let known = || machine.states.iter().map(|it| it.name.as_str());
        let [_, target] = words else { return Err("write `to STATE`".into()) };
        let help = || suggest(target, known()).map_or_else(String::new, |it| format!("; {it}"));
        let by_path = || machine.state_ids().find(|it| machine.path_name(*it) == *target);
        let state = machine.state_named(target).or_else(by_path).ok_or_else(|| format!("there is no state `{target}`{}", help()))?;
        Ok((Request::Direct(state), Vec::new()))
    }

    /// Why a line cannot let a timer elapse, and what does.
    fn not_raised(&self, timer: EventId, clock: Clock) -> String {
        let name = &self.machine.event(timer).name;
        let due = self.at.iter().flat_map(|it| self.timers.due(self.machine, it)).find(|it| it.0 == timer);
        match due {
            Some((_, moment)) => {
                format!("nobody raises `{name}`: it is a timer, due {}; `{}` reaches that moment", clock.due(moment), clock.wait(moment))
            }
            None => format!("nobody raises `{name}`: it is a timer, and it does not run here"),
        }
    }

    fn payload(&self, event: EventId, values: &[(String, String)], clock: Clock) -> Result<Vec<Value>, String> {
        let event = self.machine.event(event);
        if let Some((name, _)) = values.iter().find(|it| event.payload.iter().all(|field| field.name != it.0)) {
            let help = suggest(name, event.payload.iter().map(|it| it.name.as_str())).map_or_else(String::new, |it| format!("; {it}"));
            return Err(format!("`{}` carries no `{name}`{help}", event.name));
        }
        let value = |field: &Field| match values.iter().find(|it| it.0 == field.name) {
            Some((_, text)) => clock.read(self.machine, &self.machine.enums, field, text),
            None if field.optional => Ok(Value::Null),
            None => Err(format!("`{}` needs `{}`: write {}", event.name, field.name, self.usage(event))),
        };
        event.payload.iter().map(value).collect()
    }

    /// The request as a line; moments are written in full, since the clock may move.
    fn line(&self, words: &[String], request: Request, payload: &[Value]) -> String {
        let Request::Event(event) = request else { return line::join(words) };
        let fields = self.machine.event(event).payload.iter().zip(payload);
        let written = |word: &String| {
            let of_word = word.split_once('=').and_then(|(name, _)| fields.clone().find(|(field, _)| field.name == name));
            match of_word {
                Some((field, value @ Value::Timestamp(_))) => format!("{}={}", field.name, show(self.machine, value)),
                _ => word.clone(),
            }
        };
        line::join(&words.iter().map(written).collect::<Vec<_>>())
    }

    /// The description of a performed effect.
    fn effect(&self, raised: &EffectCall) -> String {
        let effect = self.machine.effect(raised.effect);
        let phase = match raised.phase {
            Phase::Before => "before",
            Phase::Exit => "exit",
            Phase::Entry => "entry",
            Phase::Do => "do",
        };
        let payload = effect.takes.iter().zip(&raised.taken).map(|(it, value)| format!(" {}={}", it.field.name, show(self.machine, value)));
        let message = raised.message.as_ref().map_or_else(String::new, |it| format!(": {it}"));
        format!("{phase} {}{}{message}", effect.name, payload.collect::<String>())
    }

    /// Takes the step of a request, or is refused; `words` is the line with it.
    fn step(&mut self, words: &[String], request: Request, payload: Vec<Value>, settings: Settings<'_>) -> Result<Text, String> {
        let machine = self.machine;
        if self.at.is_none() && !self.is_created() {
            return Err(self.start().err().unwrap_or_default());
        }
        let holds = self.holding(settings.holds);
        let mut outside = Outside { holds: &holds, raised: Vec::new() };
        let before = self.at.clone();
        let mut next = before.clone();
        let done = match (&mut next, request) {
            (Some(instance), Request::Event(event)) => instance.fire(machine, event, &payload, &mut outside),
            (Some(instance), Request::Direct(target)) => instance.transition_to(machine, target, &mut outside),
            (None, Request::Event(event)) => {
                Instance::create(machine, event, &payload, &self.given, &mut outside).map(|(instance, done)| {
                    next = Some(instance);
                    done
                })
            }
            (None, Request::Direct(_)) => {
                plan(machine, None, request, &payload, &self.given, &|_| false).and_then(|_| Err(Error::Misuse("not created".into())))
            }
        };
        let mut did = Vec::new();
        let timers = self.timers.clone();
        let outcome = match (done, next) {
            (Ok(done), Some(after)) => {
                self.timers.observe(machine, &done.steps, settings.clock.micros());
                let stays = || format!("{}: stays in {}", machine.name, machine.configuration_path(&after.configuration));
                did.push(change(machine, &machine.name, before.as_ref(), &after, crate::space::leaves(&done.steps)).unwrap_or_else(stays));
                did.extend(outside.raised.iter().map(|it| format!("  {}", self.effect(it))));
                self.at = Some(after.clone());
                Ok(after)
            }
            (Err(Error::Refused(refused)), _) => {
                // A timer whose guards do not hold is over.
                request.event().into_iter().for_each(|it| self.timers.end(it));
                did.push(format!("refused: {}", refused.show(machine)));
                Err(refused.show(machine).to_string())
            }
            (Err(error), _) => return Err(format!("{}; say `given FIELD=VALUE`", error.show(machine))),
            (Ok(_), None) => return Err("nothing was created".into()),
        };
        let text = Text::of(if outcome.is_ok() { Ink::Good } else { Ink::Bad }, did.join("\n"));
        let given = if before.is_none() { self.given.clone() } else { Vec::new() };
        let line = self.line(words, request, &payload);
        self.past.push(Past { before, request, payload, given, holds, outcome, line, did, timers, clock: settings.clock });
        Ok(text)
    }
}

impl Game for MachineGame<'_> {
    fn names(&self) -> Vec<String> {
        let has_direct = self.machine.edges.iter().any(|it| it.on == On::Direct);
        let events = self.machine.events.iter().filter(|it| it.timer.is_none()).map(|it| it.name.clone());
        events.chain(has_direct.then(|| "to".to_owned())).collect()
    }

    fn predicates(&self) -> Vec<(String, Option<String>)> {
        self.machine.predicates.iter().map(|it| (it.name.clone(), it.doc.clone())).collect()
    }

    fn slots(&self, name: &str) -> Vec<Slot> {
        let event = self.machine.event_named(name).map(|it| self.machine.event(it));
        event.iter().flat_map(|it| &it.payload).map(|it| self.slot(it)).collect()
    }

    fn targets_of(&self, name: &str) -> Vec<String> {
        if self.machine.event_named(name).is_some() || name != "to" {
            return Vec::new();
        }
        self.targets().into_iter().map(|it| self.machine.state(it).name.clone()).collect()
    }

    fn given_slots(&self) -> Vec<Slot> {
        self.machine.fields.iter().map(|it| self.slot(it)).collect()
    }

    fn has_moments(&self) -> bool {
        let payloads = self.machine.events.iter().flat_map(|it| &it.payload);
        self.machine.fields.iter().chain(payloads).any(|it| it.ty == Type::Timestamp)
    }

    fn has_timers(&self) -> bool {
        self.machine.timers().next().is_some()
    }

    fn elapse(&mut self, until: Clock, settings: Settings<'_>) -> Result<Option<(Clock, Text)>, String> {
        let next = self.at.as_ref().and_then(|it| self.timers.next_due(self.machine, it));
        let Some((timer, moment)) = next.filter(|it| it.1 <= until.micros()) else { return Ok(None) };
        let clock = Clock::at(moment.max(settings.clock.micros()));
        let event = self.machine.event(timer);
        let mut text = Text::of(Ink::Dim, format!("{}: {}", clock.show(), event.name));
        text.append(self.step(std::slice::from_ref(&event.name), Request::Event(timer), Vec::new(), Settings { clock, ..settings })?);
        Ok(Some((clock, text)))
    }

    fn state(&self, settings: Settings<'_>) -> Text {
        let machine = self.machine;
        let holds = self.holding(settings.holds);
        let mut text = Text::of(
            Ink::Head,
            match &self.at {
                Some(it) => format!("{} is in {}", machine.name, machine.configuration_path(&it.configuration)),
                None => format!("{} is not there: {}", machine.name, self.start().err().unwrap_or_default()),
            },
        );
        for (field, value) in machine.fields.iter().zip(self.at.iter().flat_map(|it| &it.context)) {
            text.line(Ink::Plain, format!("  {} = {}", field.name, show(machine, value)));
        }
        for (timer, moment) in self.at.iter().flat_map(|it| self.timers.due(machine, it)) {
            text.line(Ink::Plain, format!("  {} is due {}", machine.event(timer).name, settings.clock.due(moment)));
        }
        let (mut can, mut cannot, mut timers, mut no_row) = (Text::default(), Text::default(), Text::default(), Vec::new());
        for (idx, event) in machine.events.iter().enumerate() {
            let id = EventId::new(idx);
            let edges = self.candidates(On::Event(id));
            if edges.is_empty() {
                no_row.extend(event.timer.is_none().then_some(event.name.as_str()));
                continue;
            }
            let by = actors(event.by.iter().map(|it| machine.actors[it.index()].name.as_str()).collect());
            let by = event.timer.as_ref().and(event.label.as_ref()).map_or(by, |it| format!("  {it}"));
            let usage = format!("  {}{by}", self.usage(event));
            let refusal = self.refusal(Request::Event(id), &payloads_of(self.model, self.idx, id), &holds);
            let list = match &refusal {
                _ if event.timer.is_some() => &mut timers,
                None => &mut can,
                Some(_) => &mut cannot,
            };
            list.line(Ink::Plain, usage);
            list.line(Ink::Bad, refusal.iter().map(|why| format!("      {why}")).collect::<String>());
            for edge in edges.iter().filter(|it| it.outcome != Outcome::Refuse || refusal.is_none()) {
                list.line(Ink::Dim, format!("      {}", self.edge(edge)));
            }
        }
        for target in self.targets() {
            let name = &machine.state(target).name;
            match self.refusal(Request::Direct(target), &[Vec::new()], &holds) {
                None => can.line(Ink::Plain, format!("  to {name}")),
                Some(why) => {
                    cannot.line(Ink::Plain, format!("  to {name}"));
                    cannot.line(Ink::Bad, format!("      {why}"));
                }
            }
        }
        text.line(Ink::Head, if can.is_empty() { "nothing can be asked" } else { "can be asked:" });
        text.append(can);
        if !cannot.is_empty() {
            text.line(Ink::Head, "refused:");
            text.append(cannot);
        }
        if !timers.is_empty() {
            text.line(Ink::Head, "with time:");
            text.append(timers);
        }
        if !no_row.is_empty() {
            text.line(Ink::Dim, format!("no row here takes: {}", no_row.join(", ")));
        }
        text
    }

    fn objection(&self, word: &str, clock: Clock) -> Option<String> {
        let timer = self.machine.event_named(word).filter(|it| self.machine.timer(*it).is_some())?;
        Some(self.not_raised(timer, clock))
    }

    fn call(&mut self, words: &[String], settings: Settings<'_>) -> Result<Text, String> {
        let (request, payload) = self.request(words, settings.clock)?;
        self.step(words, request, payload, settings)
    }

    fn given(&mut self, values: &[(String, String)], clock: Clock) -> Result<String, String> {
        let machine = self.machine;
        if self.past.iter().any(|it| it.has_changed_something()) {
            return Err("initial values take effect at creation; `undo` the steps first".into());
        }
        let mut given = self.given.clone();
        for (name, text) in values {
            let Some(idx) = machine.fields.iter().position(|it| it.name == *name) else {
                let help = suggest(name, machine.fields.iter().map(|it| it.name.as_str())).map_or_else(String::new, |it| format!("; {it}"));
                return Err(format!("the context has no `{name}`{help}"));
            };
            given.retain(|it| it.0 != FieldId::new(idx));
            given.push((FieldId::new(idx), clock.read(machine, &machine.enums, &machine.fields[idx], text)?));
        }
        self.given = given;
        self.begin(clock);
        // What was refused so far was asked of a machine with other values; only creation takes them with the request.
        self.past.retain(|it| it.before.is_none());
        let shown =
            self.given.iter().map(|(field, value)| format!("given: {} = {}\n", machine.fields[field.index()].name, show(machine, value)));
        let shown: String = shown.collect();
        Ok(if shown.is_empty() { "nothing is given\n".into() } else { shown })
    }

    fn undo(&mut self) -> Option<Undone> {
        let last = self.past.iter().rposition(Past::has_changed_something)?;
        // Later requests were refused by a machine that is not there any more.
        let mut undone = self.past.drain(last..);
        let Past { before, line, timers, clock, .. } = undone.next()?;
        let n_without_change = undone.len();
        drop(undone);
        (self.at, self.timers) = (before, timers);
        Some(Undone { line, n_without_change, clock: self.has_timers().then_some(clock) })
    }

    fn trace(&self) -> String {
        let machine = self.machine;
        if self.past.is_empty() {
            return "nothing has happened yet\n".into();
        }
        let mut text = format!("{}\n", machine.name);
        for (idx, past) in self.past.iter().enumerate() {
            let who = match past.request {
                Request::Event(event) => by(machine.event(event).by.iter().map(|it| machine.actors[it.index()].name.as_str()).collect()),
                Request::Direct(_) => String::new(),
            };
            let given = past
                .given
                .iter()
                .map(|(field, value)| format!("; given {} = {}", machine.fields[field.index()].name, show(machine, value)));
            let holds = past.holds.iter().map(|it| format!("; {} holds", machine.predicates[it.index()].name));
            let _ = writeln!(text, "  {}. {who}`{}`{}", idx + 1, past.line, given.chain(holds).collect::<String>());
            for line in &past.did {
                let _ = writeln!(text, "       {line}");
            }
        }
        text
    }

    fn test(&self, kind: Option<&str>, tests: &dyn Tests) -> Result<String, String> {
        tests.test(self.model, self.machine, &self.past, kind)
    }
}

/// A history as a target; of several of one state, with its field.
fn last_in(machine: &Machine, to: Recall) -> String {
    let field = machine.distinguishing_field(to).map(|it| format!(" in `{it}`")).unwrap_or_default();
    format!("{}, where it was last{field}", machine.path_name(to.whole))
}
