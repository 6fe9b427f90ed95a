//! Random systems: every key of a system file, in every combination that the language allows.

use statespec_lang::names::{snake, upper_camel};

use super::dice::Dice as _;
use super::expressions::{Scope, Ty, Var, Vocabulary};
use super::machine::{Event, Machine, allow, one_or_many};
use super::names::{Hostility, Names};
use super::texts;
use super::yaml::{Map, Put as _, Yaml, plain, text};
use crate::rng::Rng;

/// A machine in a role.
#[derive(Debug, Clone)]
pub(super) struct Part {
    pub(super) name: String,
    /// The position of the machine in the project.
    pub(super) machine: usize,
    pub(super) many: bool,
    /// The position of the part that owns every instance; smaller than its own.
    of: Option<usize>,
}

/// A further instance of a part with `many`, in a role of transactions.
#[derive(Debug, Clone)]
pub(super) struct Role {
    pub(super) name: String,
    pub(super) part: usize,
    /// Whether transactions create the instance.
    pub(super) is_new: bool,
    /// The event that was fired with it first.
    pub(super) event: String,
}

/// A transaction with its inputs.
#[derive(Debug, Clone)]
pub(super) struct Transaction {
    pub(super) name: String,
    pub(super) inputs: Vec<Var>,
    /// The parts that it involves.
    pub(super) parts: Vec<usize>,
    /// The names of its roles.
    pub(super) roles: Vec<String>,
}

/// A system during its generation.
pub(super) struct System<'m> {
    pub(super) rng: &'m mut Rng,
    pub(super) names: Hostility,
    pub(super) texts: Hostility,
    pub(super) machines: &'m [Machine],
    pub(super) words: Vec<Vocabulary>,
    pub(super) actors: Vec<String>,
    pub(super) parts: Vec<Part>,
    /// The names of parts and roles.
    pub(super) part_names: Names,
    pub(super) roles: Vec<Role>,
    /// The roles that expressions can read at the moment: positions in `roles`.
    pub(super) readable: Vec<usize>,
    pub(super) transactions: Vec<Transaction>,
}

/// A system of these machines without walkthroughs, and the data for those.
pub(super) fn system<'m>(rng: &'m mut Rng, machines: &'m [Machine], name: String) -> (System<'m>, Map) {
    let (names, texts) = (*rng.pick(&[0, 4, 10, 25, 80]), *rng.pick(&[0, 10, 40, 90]));
    let words = machines.iter().map(|it| it.vocabulary.clone()).collect();
    let part_names = Names::words(snake);
    let (actors, parts, roles, readable, transactions) = (Vec::new(), Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut system = System { rng, names, texts, machines, words, actors, parts, part_names, roles, readable, transactions };
    let spec = system.spec(name);
    (system, spec)
}

impl System<'_> {
    fn spec(&mut self, name: String) -> Map {
        let mut head: Map = vec![("system".into(), text(name))];
        self.put_text("title", 30, &mut head);
        self.put_text("doc", 40, &mut head);
        if self.rng.chance(20) {
            let sources = (0..self.rng.between(1, 2)).map(|_| text(texts::raw(self.rng, self.texts))).collect();
            head.put("sources", Yaml::List(sources));
        }
        let actors = self.actors();
        head.put_map("actors", actors);
        let parts = self.declare_parts();
        head.put("parts", Yaml::Map(parts));
        let mut rules = self.list(35, 3, Self::rule);
        let transactions = self.declare_transactions();
        rules.extend(self.list(50, 2, Self::role_rule));
        head.put_list("rules", rules);
        head.put_map("transactions", transactions);
        let links = self.list(60, 4, Self::link);
        head.put_list("links", links);
        let invariants = self.list(40, 3, Self::invariant);
        head.put_list("invariants", invariants);
        if self.rng.chance(25) {
            let notes = (0..self.rng.between(1, 3)).map(|_| self.text()).collect();
            head.put("notes", Yaml::List(notes));
        }
        self.put_allow(&mut head);
        head
    }

    pub(super) fn text(&mut self) -> Yaml {
        text(texts::text(self.rng, self.texts))
    }

    pub(super) fn put_text(&mut self, key: &str, percent: usize, entries: &mut Map) {
        if self.rng.chance(percent) {
            let words = if key == "label" { texts::label } else { texts::text };
            entries.put(key, text(words(self.rng, self.texts)));
        }
    }

    pub(super) fn put_allow(&mut self, entries: &mut Map) {
        if self.rng.chance(15) {
            entries.put("allow", allow(self.rng, self.texts));
        }
    }

    /// Some items, in this percentage of systems.
    fn list(&mut self, percent: usize, n: usize, make: fn(&mut Self) -> Option<Yaml>) -> Vec<Yaml> {
        if !self.rng.chance(percent) {
            return Vec::new();
        }
        (0..self.rng.between(1, n)).filter_map(|_| make(self)).collect()
    }

    fn actors(&mut self) -> Map {
        let mut names = Names::new(upper_camel);
        let mut actors = Map::new();
        // The actors of the machines, so that they may trigger transactions that raise their events, and others.
        let known: Vec<&String> = self.machines.iter().flat_map(|it| &it.actors).collect();
        for actor in known {
            if self.rng.chance(70) && names.accept(actor) {
                self.actors.push(actor.clone());
            }
        }
        if self.rng.chance(50) {
            let actor = names.fresh(self.rng, self.names);
            self.actors.push(actor);
        }
        for actor in self.actors.clone() {
            actors.put(&actor, self.text());
        }
        actors
    }

    fn declare_parts(&mut self) -> Map {
        let n_parts = if self.rng.chance(15) { 1 } else { self.rng.between(1, 5) };
        let mut parts = Map::new();
        for idx in 0..n_parts {
            let machine = self.rng.below(self.machines.len());
            let name = self.part_names.fresh(self.rng, self.names);
            let mut body: Map = vec![("machine".into(), text(self.machines[machine].name.clone()))];
            let many = self.rng.chance(50);
            if many || self.rng.chance(10) {
                body.put("many", plain(many));
            }
            let mut of = None;
            if let Some(owner) = &self.machines[machine].owner
                && idx > 0
                && self.rng.chance(75)
                && let whole = self.rng.below(idx)
                // A single machine that exists from the start cannot belong to one of many.
                && (many || !self.parts[whole].many || self.machines[machine].events.iter().any(|it| it.creates))
            {
                body.put("of", text(self.parts[whole].name.clone()));
                body.put("by", text(owner.clone()));
                of = Some(whole);
            }
            let orders = &self.machines[machine].sorted_by;
            if !orders.is_empty() && self.rng.chance(60) {
                let orders = orders.iter().map(|it| text(format!("{name}.{it}"))).collect();
                body.put("orders", one_or_many(self.rng, orders));
            }
            self.put_text("label", 25, &mut body);
            self.put_text("doc", 40, &mut body);
            self.put_allow(&mut body);
            parts.put(&name, Yaml::Map(body));
            self.parts.push(Part { name, machine, many, of });
        }
        parts
    }

    pub(super) fn machine(&self, part: usize) -> &Machine {
        &self.machines[self.parts[part].machine]
    }

    /// Whether an instance of one part determines the instance of another part.
    fn determines(&self, from: usize, to: usize) -> bool {
        let owners = std::iter::successors(self.parts[from].of, |it| self.parts[*it].of);
        from == to || !self.parts[to].many || owners.into_iter().any(|it| it == to)
    }

    /// The type of `part.state`.
    fn state_of(&self, machine: usize) -> Ty {
        if self.machines[machine].has_regions() { Ty::Configuration(machine) } else { Ty::State(machine) }
    }

    /// The readable values for an instance of `from` (of any part if `None`); of parts that are created, only the identity.
    pub(super) fn scope(&self, from: Option<usize>, created: &[usize], inputs: &[Var]) -> Scope<'_> {
        let mut vars = inputs.to_vec();
        for (idx, part) in self.parts.iter().enumerate() {
            if from.is_some_and(|it| !self.determines(it, idx)) {
                continue;
            }
            let var = |name: &str, ty, optional| Var { name: format!("{}.{name}", part.name), ty, optional };
            vars.push(var("id", Ty::Reference, false));
            if !created.contains(&idx) {
                vars.push(var("state", self.state_of(part.machine), false));
                vars.extend(self.machine(idx).context.iter().map(|it| var(&it.name, it.ty, it.optional)));
            }
        }
        for role in self.readable.iter().map(|it| &self.roles[*it]) {
            let var = |name: &str, ty, optional| Var { name: format!("{}.{name}", role.name), ty, optional };
            vars.push(var("id", Ty::Reference, false));
            if !role.is_new {
                vars.push(var("state", self.state_of(self.parts[role.part].machine), false));
                vars.extend(self.machine(role.part).context.iter().map(|it| var(&it.name, it.ty, it.optional)));
            }
        }
        Scope { vars, machines: &self.words }
    }

    /// A part that has events.
    fn acting(&mut self) -> Option<usize> {
        let acting: Vec<usize> = (0..self.parts.len()).filter(|it| !self.machine(*it).events.is_empty()).collect();
        self.rng.maybe(&acting).copied()
    }

    fn rule(&mut self) -> Option<Yaml> {
        let part = self.acting()?;
        let machine = self.machine(part).clone();
        let name = self.parts[part].name.clone();
        let mut body = Map::new();
        let mut created = Vec::new();
        if self.rng.chance(30) {
            body.put("before", text(format!("{name}.*")));
            let rest: Vec<&Event> = machine.events.iter().filter(|it| !it.creates).collect();
            let creating = machine.events.iter().filter(|it| it.creates);
            let except: Vec<Yaml> = creating.map(|it| text(format!("{name}.{}", it.name))).collect();
            if rest.is_empty() {
                return None;
            }
            if !except.is_empty() {
                body.put("except", one_or_many(self.rng, except));
            } else if rest.len() > 1 && self.rng.chance(40) {
                body.put("except", text(format!("{name}.{}", self.rng.pick(&rest).name)));
            }
        } else {
            let events = self.rng.several(&machine.events, 3);
            if events.iter().any(|it| it.creates) {
                created.push(part);
            }
            let events = events.iter().map(|it| text(format!("{name}.{}", it.name))).collect();
            body.put("before", one_or_many(self.rng, events));
        }
        let condition = self.condition(Some(part), &created, &[]);
        body.put("require", text(condition));
        body.put("doc", self.text());
        self.put_text("inferred", 10, &mut body);
        self.put_allow(&mut body);
        Some(Yaml::Map(body))
    }

    /// A rule before the event of a role: it reads the instance in the role, and the instance of the part.
    fn role_rule(&mut self) -> Option<Yaml> {
        let all: Vec<usize> = (0..self.roles.len()).collect();
        let idx = *self.rng.maybe(&all)?;
        let role = self.roles[idx].clone();
        let mut body: Map = vec![("before".into(), text(format!("{}.{}", role.name, role.event)))];
        self.readable = vec![idx];
        let condition = self.condition(Some(role.part), &[], &[]);
        self.readable.clear();
        body.put("require", text(condition));
        body.put("doc", self.text());
        self.put_allow(&mut body);
        Some(Yaml::Map(body))
    }

    pub(super) fn condition(&mut self, from: Option<usize>, created: &[usize], inputs: &[Var]) -> String {
        // The scope borrows the whole system, including the generator of random numbers, which is cloned for that reason.
        let mut rng = self.rng.clone();
        let condition = self.scope(from, created, inputs).condition(&mut rng);
        *self.rng = rng;
        condition
    }

    fn invariant(&mut self) -> Option<Yaml> {
        let from = self.rng.below(self.parts.len());
        let mut body: Map = vec![("require".into(), text(self.condition(Some(from), &[], &[])))];
        body.put("doc", self.text());
        self.put_text("inferred", 15, &mut body);
        self.put_allow(&mut body);
        Some(Yaml::Map(body))
    }

    /// A link; it leads to an earlier part.
    fn link(&mut self) -> Option<Yaml> {
        let leads = |part: usize, to: usize| self.determines(part, to) && !self.machine(to).events.is_empty();
        let ways: Vec<(usize, usize)> =
            (0..self.parts.len()).flat_map(|part| (0..part).filter(move |to| leads(part, *to)).map(move |to| (part, to))).collect();
        let (part, target) = *self.rng.maybe(&ways)?;
        let machine = self.machine(part).clone();
        let state = self.rng.pick(&machine.states).name.clone();
        let key = *self.rng.pick(&["enter", "exit"]);
        let mut body: Map = vec![(key.into(), text(format!("{}.{state}", self.parts[part].name)))];
        let event = self.rng.pick(&self.machine(target).events.clone()).clone();
        let created: &[usize] = if event.creates { &[target] } else { &[] };
        if self.rng.chance(40) {
            body.put("when", text(self.condition(Some(part), created, &[])));
        }
        let name = self.parts[target].name.clone();
        let fire = self.fire(&name, &event, Some(part), created, &mut Vec::new(), None)?;
        body.put("fire", fire);
        if self.rng.chance(45) {
            body.put("optional", plain(self.rng.chance(85)));
        }
        self.put_text("doc", 50, &mut body);
        self.put_text("inferred", 10, &mut body);
        self.put_allow(&mut body);
        Some(Yaml::Map(body))
    }
}
