//! The audit: one attempt after the other, against what is known of its entity.

mod replayed;
mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::hash::BuildHasher as _;

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use statespec_lang::diagnostic::Code;
use statespec_lang::interpret::may_raise;
use statespec_lang::model::{ActorId, EventId, Machine, StateId};
use statespec_lang::types::TransitionId;

use super::attempt::{Attempt, Ended, Item};
use super::dwell::Dwell;
use super::entities::{Entities, Entity};
use super::findings::{Files, Finding, Findings};
use super::names::Names;
use super::outcome::{self, End, Outcome};
use super::possible::{Asked, At, BEGUN, GONE, Possible, Set, Target, Trigger, UNBORN, begins};
use super::replay::Replay;
use super::shown::quoted;

/// The number of names of other machines that are told apart.
const MAX_MACHINES: usize = 100;

/// What an audit takes beside the machine.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The stored values of states, beside their names in the spec and in storage.
    pub values: BTreeMap<StateId, Vec<String>>,
    /// Whether histories may begin in any state: the first records were deleted.
    pub cut: bool,
    /// The other machines of the project: their records are skipped.
    pub others: BTreeSet<String>,
}

/// An audit of the histories of one machine.
///
/// ```
/// use statespec_audit::{Audit, Format, Options, Reading};
/// use statespec_lang::lower::load;
/// use statespec_lang::source::Input;
///
/// let text = "machine: door\nstates: { open: { initial: true }, shut: { terminal: true } }\ntransitions: [{ from: open, to: shut }]\n";
/// let model = load(&[Input { path: "machines/door.yaml".into(), text: text.into() }]).model.expect("the spec is right");
/// let mut audit = Audit::new(&model.machines[0], Options::default())?;
/// audit.read("doors.csv", Format::Csv, &Reading::default(), "id,from,to\n7,open,shut\n7,shut,open\n".as_bytes())?;
/// let found = audit.finish().findings;
/// assert_eq!((found.len(), found[0].place.line), (1, 3));
/// assert_eq!(found[0].message, "`7` goes from `shut` to `open`, which the graph does not have");
/// # Ok::<(), String>(())
/// ```
#[derive(Debug)]
pub struct Audit<'m> {
    machine: &'m Machine,
    options: Options,
    possible: Possible,
    births: BTreeSet<At>,
    replay: Replay<'m>,
    states: Names,
    events: Names,
    actors: Names,
    entities: Entities,
    steps: Vec<Counted>,
    of_step: HashTable<u32>,
    hash: FixedState,
    findings: Findings,
    files: Files,
    dwell: BTreeMap<At, Dwell>,
    /// How often each row was taken, by replay.
    taken: BTreeMap<TransitionId, outcome::Seen>,
    n_records: u64,
    n_skipped: u64,
    n_others: u64,
    levels: [u64; 3],
    machines: BTreeSet<String>,
}

/// A kind of step, and how often it was recorded.
#[derive(Debug)]
pub(crate) struct Counted {
    pub(crate) asked: Asked,
    to: Set,
    pub(crate) is_possible: bool,
    pub(crate) rows: BTreeSet<TransitionId>,
    pub(crate) n: u64,
    /// The first rows that a replay took, and how often.
    pub(crate) taken: BTreeMap<TransitionId, u64>,
    pub(crate) n_replayed: u64,
    pub(crate) first: u64,
}

/// The names of one attempt as numbers. The outer `None` is what was not recorded.
struct Numbers {
    from: Option<Option<At>>,
    to: Target,
    event: Trigger,
    /// Whether the machine has all of them.
    are_known: bool,
}

impl<'m> Audit<'m> {
    /// An audit that has read nothing yet.
    ///
    /// # Errors
    ///
    /// The machine has too many configurations; the text says how many are possible.
    pub fn new(machine: &'m Machine, options: Options) -> Result<Self, String> {
        let mut possible = Possible::of(machine)?;
        if options.cut {
            possible.admit_all();
        }
        Ok(Audit {
            machine,
            births: possible.births(),
            replay: Replay::of(machine),
            states: Names::of_states(machine, &possible, &options.values),
            events: Names::of_events(machine),
            actors: Names::of_actors(machine),
            possible,
            options,
            entities: Entities::new(),
            steps: Vec::new(),
            of_step: HashTable::new(),
            hash: FixedState::with_seed(4),
            findings: Findings::default(),
            files: Files::default(),
            dwell: BTreeMap::new(),
            taken: BTreeMap::new(),
            n_records: 0,
            n_skipped: 0,
            n_others: 0,
            levels: [0; 3],
            machines: BTreeSet::new(),
        })
    }

    /// Reads a whole file. `name` is its name in findings.
    ///
    /// # Errors
    ///
    /// The file cannot be read to its end, or its table lacks a column; what was read before counts.
    pub fn read(
        &mut self,
        name: &str,
        format: super::Format,
        reading: &super::Reading,
        input: impl std::io::BufRead,
    ) -> Result<(), String> {
        self.begin(name);
        super::read::read(format, reading, input, &mut |item| self.item(&item))
    }

    /// Begins a file: the lines of the items that follow are its lines.
    pub fn begin(&mut self, name: &str) {
        self.files.begin(name);
    }

    /// The number of bytes that are kept about entities.
    pub fn n_bytes(&self) -> usize {
        self.entities.n_bytes()
    }

    /// Takes the next item.
    pub fn item(&mut self, item: &Item<'_>) {
        match item {
            Item::Skipped => self.n_skipped += 1,
            Item::Broken { line, column, why } => {
                let line = self.line(*line);
                self.found(Code::AuditBroken, line, *column, || why.clone(), || None, None);
            }
            Item::Attempt(line, attempt) => {
                let line = self.line(*line);
                self.attempt(line, attempt);
            }
        }
    }

    /// A line, counted over all files.
    fn line(&mut self, line: u64) -> u64 {
        self.files.last = self.files.last.max(line);
        self.files.base + line
    }

    fn found(
        &mut self,
        code: Code,
        line: u64,
        column: usize,
        message: impl FnOnce() -> String,
        help: impl FnOnce() -> Option<String>,
        related: Option<(u64, &str)>,
    ) {
        let files = &self.files;
        self.findings.push(code, || Finding {
            code,
            place: files.place(line, column),
            message: message(),
            help: help(),
            related: related.map(|(line, text)| (files.place(line, 1), text.to_owned())),
        });
    }

    fn attempt(&mut self, line: u64, attempt: &Attempt<'_>) {
        if attempt.machine.is_some_and(|it| it != self.machine.name) {
            return self.of_other(line, attempt.machine.unwrap_or_default());
        }
        self.n_records += 1;
        let position = self.entities.position(attempt.entity);
        let mut entity = self.entities.at(position);
        let numbers = self.numbers(line, attempt, &mut entity);
        self.one(line, attempt, &numbers, &mut entity);
        self.entities.put(position, entity);
    }

    /// A record of another machine is skipped, if there is such a machine.
    fn of_other(&mut self, line: u64, name: &str) {
        self.n_others += 1;
        if self.options.others.contains(name) || self.machines.contains(name) || self.machines.len() >= MAX_MACHINES {
            return;
        }
        self.machines.insert(name.to_owned());
        let help = format!("the records of other machines are skipped; this audit is about `{}`", self.machine.name);
        self.found(Code::AuditUnknown, line, 1, || format!("there is no machine {}", quoted(name)), || Some(help), None);
    }

    /// The names as numbers; those that the machine does not have are reported.
    fn numbers(&mut self, line: u64, attempt: &Attempt<'_>, entity: &mut Entity) -> Numbers {
        let mut unknown: Vec<(&str, &str)> = Vec::new();
        let mut state = |names: &mut Names, text| {
            let (number, is_known) = names.number(text);
            if !is_known {
                unknown.push(("state", text));
            }
            number
        };
        let from = attempt.from.map(|it| it.map(|text| state(&mut self.states, text)));
        let to = match attempt.to {
            None => Target::Untold,
            Some(None) => Target::Deleted,
            Some(Some(text)) => Target::At(state(&mut self.states, text)),
        };
        // A state that was reported when the entity came to it is not reported again when it leaves.
        if let Some(Some(number)) = from
            && unknown.first().is_some_and(|it| Some(Some(it.1)) == attempt.from)
            && self.possible.members(entity.set()) == [number]
        {
            unknown.remove(0);
        }
        let event = match attempt.event {
            None => Trigger::Untold,
            Some(None) => Trigger::Direct,
            Some(Some(text)) => match self.events.number(text) {
                (number, true) => Trigger::Event(number),
                (number, false) => {
                    unknown.push(("event", text));
                    Trigger::Unknown(number)
                }
            },
        };
        if let (Some(text), Trigger::Event(event), false) = (attempt.actor, event, self.machine.actors.is_empty()) {
            match self.actors.number(text) {
                (number, true) => self.actor(line, attempt, EventId::new(event as usize), ActorId::new(number as usize)),
                (_, false) => unknown.push(("actor", text)),
            }
        }
        let are_known = unknown.iter().all(|it| it.0 == "actor");
        for (what, name) in unknown {
            // States of all regions that are never active together.
            let is_reached = what != "state" || self.machine.configuration_of(name).is_err();
            let help = if is_reached { self.near(what, name) } else { None };
            let message = match is_reached {
                true => format!("the machine has no {what} {}", quoted(name)),
                false => format!("no call leads the machine to {}", quoted(name)),
            };
            self.found(Code::AuditUnknown, line, 1, || message, || help, None);
        }
        if !are_known {
            entity.report();
        }
        Numbers { from, to, event, are_known }
    }

    fn actor(&mut self, line: u64, attempt: &Attempt<'_>, event: EventId, actor: ActorId) {
        let machine = self.machine;
        if may_raise(machine, event, actor) {
            return;
        }
        let name = &machine.event(event).name;
        let message = match machine.timer(event) {
            Some(_) => format!("`{name}` is a timer, which nobody raises, and {} did", quoted(attempt.actor.unwrap_or_default())),
            None => format!("{} raised `{name}` and must not", quoted(attempt.actor.unwrap_or_default())),
        };
        let by: Vec<String> = machine.event(event).by.iter().map(|it| format!("`{}`", machine.actors[it.index()].name)).collect();
        let help = (!by.is_empty()).then(|| format!("it may be raised by {}", by.join(", ")));
        self.found(Code::AuditActor, line, 1, || message, || help, None);
    }

    /// One record of an entity: its place in the history, then its step.
    fn one(&mut self, line: u64, attempt: &Attempt<'_>, numbers: &Numbers, entity: &mut Entity) {
        let (current, last) = (entity.set(), entity.line());
        let is_earlier = matches!((attempt.at, entity.at()), (Some(at), Some(before)) if at < before);
        let is_same_time = attempt.at.is_some() && attempt.at == entity.at();
        let is_new = begins(current);
        let holds = |at: &At| self.possible.members(current).contains(at);
        let leads_here = matches!(numbers.to, Target::At(at) if self.possible.members(current) == [at]);
        let continues = match numbers.from {
            Some(None) => is_new,
            Some(Some(from)) => is_new || holds(&from),
            None => !is_earlier,
        };
        if !continues && is_same_time && leads_here {
            let message = format!("this record of {} repeats another one", quoted(attempt.entity));
            return self.found(Code::AuditDuplicate, line, 1, || message, || None, Some((last, "the record that it repeats")));
        }
        if is_earlier {
            let name = quoted(attempt.entity);
            let message = match continues {
                true => format!("the clock of {name} goes backwards"),
                false => format!("this record of {name} is out of order"),
            };
            self.found(Code::AuditOrder, line, 1, || message, || None, Some((last, "this record is later, and stands before it")));
            if !continues {
                return;
            }
        }
        // Where records are missing or out of order, what the last one left says nothing about this one.
        if !continues || is_earlier {
            entity.context = 0;
        }
        let from = match numbers.from {
            None if is_new => BEGUN,
            None => current,
            Some(None) => {
                if !continues {
                    self.created_again(line, attempt, entity);
                }
                UNBORN
            }
            Some(Some(from)) => {
                let may_begin = self.births.contains(&from) || from as usize >= self.possible.configurations.len();
                if !continues || current == GONE || current == UNBORN && !may_begin {
                    self.gap(line, attempt, from, entity);
                }
                self.possible.set(vec![from])
            }
        };
        let next = match attempt.ended {
            Ended::Changed => self.step(line, attempt, numbers, from, entity),
            Ended::Refused | Ended::Failed if begins(from) => current,
            Ended::Refused | Ended::Failed => from,
        };
        self.replayed(line, attempt, numbers, from, entity);
        self.stay(attempt, entity, from, next, is_earlier);
        entity.set_set(next);
        entity.set_line(line);
        if attempt.at.is_some() {
            entity.set_at(attempt.at);
        }
    }

    fn created_again(&mut self, line: u64, attempt: &Attempt<'_>, entity: &mut Entity) {
        if entity.is_reported() {
            return;
        }
        entity.report();
        let message = format!("{} is created a second time", quoted(attempt.entity));
        self.found(Code::AuditStep, line, 1, || message, || None, Some((entity.line(), "it exists since, or before, this record")));
    }

    fn gap(&mut self, line: u64, attempt: &Attempt<'_>, from: At, entity: &mut Entity) {
        if entity.is_reported() {
            return;
        }
        entity.report();
        let name = quoted(attempt.entity);
        let begins = self.name(from);
        let current = entity.set();
        let message = match current {
            UNBORN => format!("the history of {name} begins in `{begins}`, in which no machine is created"),
            GONE => format!("{name} was deleted, and is in `{begins}`"),
            _ => format!("a record of {name} is missing: it was in {}, and this one begins in `{begins}`", self.shown(current)),
        };
        let help =
            (current == UNBORN).then(|| "where the first records were deleted, `--cut` admits histories that begin anywhere".to_owned());
        let related = (current != UNBORN).then_some((entity.line(), "the record before"));
        self.found(Code::AuditGap, line, 1, || message, || help, related);
    }

    /// Counts a step, and reports the first one of its entity that the graph does not have. Returns the configurations afterwards.
    fn step(&mut self, line: u64, attempt: &Attempt<'_>, numbers: &Numbers, from: Set, entity: &mut Entity) -> Set {
        let asked = Asked { from, event: numbers.event, to: numbers.to, stored_only: attempt.stored_only };
        let idx = self.counted(asked, line);
        let step = &mut self.steps[idx];
        step.n += 1;
        let (next, is_possible) = (step.to, step.is_possible);
        if !is_possible && numbers.are_known && !entity.is_reported() {
            entity.report();
            let name = quoted(attempt.entity);
            let verb = match numbers.event {
                Trigger::Event(event) => format!("`{}` leads {name}", self.machine.event(EventId::new(event as usize)).name),
                _ => format!("{name} goes"),
            };
            let to = match numbers.to {
                Target::At(at) => format!(" to `{}`", self.name(at)),
                Target::Untold | Target::Deleted => " on".to_owned(),
            };
            let message = match from {
                from if begins(from) => match numbers.to {
                    Target::At(at) => format!("{name} is created in `{}`, in which the graph creates none", self.name(at)),
                    _ => format!("{verb}{to} before it is created"),
                },
                from => format!("{verb} from {}{to}, which the graph does not have", self.shown(from)),
            };
            let help = self.allowed(from, asked.stored_only);
            let related = (entity.line() > 0).then_some((entity.line(), "the record before"));
            self.found(Code::AuditStep, line, 1, || message, || Some(help), related);
        }
        let needed_event = matches!(numbers.event, Trigger::Event(_) | Trigger::Direct | Trigger::Unknown(_));
        self.levels[usize::from(needed_event)] += 1;
        next
    }

    /// The kind of a step, with its number.
    fn counted(&mut self, asked: Asked, line: u64) -> usize {
        let Audit { of_step, steps, possible, hash, .. } = self;
        let key = hash.hash_one(asked);
        if let Some(found) = of_step.find(key, |it| steps[*it as usize].asked == asked) {
            return *found as usize;
        }
        let answer = possible.answer(asked);
        let idx = steps.len();
        let super::possible::Answer { to, is_possible, rows } = answer;
        steps.push(Counted { asked, to, is_possible, rows, n: 0, taken: BTreeMap::new(), n_replayed: 0, first: line });
        of_step.insert_unique(key, idx as u32, |it| hash.hash_one(steps[*it as usize].asked));
        idx
    }

    /// Adds the time that the entity was in its state.
    fn stay(&mut self, attempt: &Attempt<'_>, entity: &mut Entity, from: Set, next: Set, is_earlier: bool) {
        let passed = match (attempt.at, entity.at()) {
            (Some(at), Some(before)) if !is_earlier => Some(at.saturating_sub(before) as f64),
            _ => None,
        };
        let is_new = begins(from);
        let since = passed.filter(|_| entity.since >= 0.0 && entity.set() == from).map(|it| f64::from(entity.since) + it);
        if from == next && !is_new {
            entity.since = since.map_or(-1.0, |it| it as f32);
            return;
        }
        if let (Some(time), Some(at)) = (since, self.possible.only(from)) {
            self.dwell.entry(at).or_default().add(time);
        }
        entity.since = if attempt.at.is_some() { 0.0 } else { -1.0 };
    }

    /// The result.
    pub fn finish(self) -> Outcome {
        let events = |trigger: Trigger| match trigger {
            Trigger::Untold => None,
            Trigger::Direct => Some(None),
            Trigger::Event(event) => Some(Some(self.machine.event(EventId::new(event as usize)).name.clone())),
            Trigger::Unknown(event) => Some(Some(self.events.unknown(event).unwrap_or("another event").to_owned())),
        };
        let raw = |at: At| match self.possible.configurations.get(at as usize) {
            Some(it) => self.machine.configuration_name(it).into_owned(),
            None => self.states.unknown(at).unwrap_or("another state").to_owned(),
        };
        let end = |set: Set| match self.possible.members(set) {
            [] => End::Nothing,
            [at] => match self.possible.configurations.get(*at as usize) {
                Some(it) => End::At(it.clone()),
                None => End::Foreign(raw(*at)),
            },
            _ => End::Several,
        };
        let mut steps: Vec<outcome::Step> = Vec::new();
        let mut seen = BTreeMap::<TransitionId, outcome::Seen>::new();
        for (row, taken) in self.taken.iter().filter(|it| *it.1 != outcome::Seen::default()) {
            seen.insert(*row, *taken);
        }
        for step in self.steps.iter().filter(|it| it.n > 0) {
            let n_rest = step.n - step.n_replayed.min(step.n);
            let is_certain = step.rows.len() == 1;
            for row in step.rows.iter().filter(|_| n_rest > 0) {
                let seen = seen.entry(*row).or_default();
                *(if is_certain { &mut seen.certain } else { &mut seen.at_most }) += n_rest;
            }
            let to = match step.asked.to {
                Target::At(at) => Some(raw(at)),
                Target::Deleted => None,
                Target::Untold => Some(self.possible.members(step.to).iter().map(|it| raw(*it)).collect::<Vec<_>>().join(" or ")),
            };
            let from = match step.asked.from {
                set if begins(set) => None,
                set => Some(self.possible.members(set).iter().map(|it| raw(*it)).collect::<Vec<_>>().join(" or ")),
            };
            steps.push(outcome::Step {
                from,
                event: events(step.asked.event),
                to,
                n: step.n,
                is_allowed: step.is_possible,
                first: self.files.place(step.first, 1),
                ends: (
                    if begins(step.asked.from) { End::Nothing } else { end(step.asked.from) },
                    if step.asked.to == Target::Untold && !step.is_possible { End::Several } else { end(step.to) },
                ),
                rows: step.rows.clone(),
                taken: step.taken.clone(),
                n_replayed: step.n_replayed,
            });
        }
        steps.sort_by(|a, b| (&a.from, &a.event, &a.to).cmp(&(&b.from, &b.event, &b.to)));
        let is_whole = self.levels[0] == 0 && self.levels[1] == 0;
        let has_events = self.levels[1] + self.levels[2] > 0;
        let can_see = |row: TransitionId| {
            let stays = matches!(self.machine.transition(row).target, statespec_lang::model::machine::Target::Stay);
            is_whole || self.possible.beginning.contains(&row) && (has_events || !stays)
        };
        let all = (0..self.machine.transitions.len()).map(TransitionId::new);
        let (visible, hidden): (Vec<TransitionId>, Vec<TransitionId>) = all.partition(|it| can_see(*it) || seen.contains_key(it));
        let unseen = visible.into_iter().filter(|it| !seen.contains_key(it)).collect();
        let mut findings = self.findings.kept;
        // The order of the files and of their lines.
        findings.sort_by_key(|it| (self.files.number(&it.place), it.code));
        Outcome {
            machine: self.machine.name.clone(),
            files: self.files.names(),
            n_records: self.n_records,
            n_entities: self.entities.len() as u64,
            n_skipped: self.n_skipped,
            n_others: self.n_others,
            levels: self.levels,
            findings,
            counts: self.findings.counts,
            steps,
            seen,
            unseen,
            n_hidden: hidden.len() as u64,
            dwell: self
                .dwell
                .into_iter()
                .map(|(at, it)| (self.machine.configuration_name(&self.possible.configurations[at as usize]).into_owned(), it))
                .collect(),
        }
    }
}
