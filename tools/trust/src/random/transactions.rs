//! Transactions of random systems, and the events that they and links fire.

use statespec_lang::names::snake;

use super::dice::Dice as _;
use super::expressions::{Ty, Var};
use super::machine::{Event, one_or_many, type_name};
use super::names::Names;
use super::system::{Role, System, Transaction};
use super::yaml::{Map, Put as _, Yaml, plain, text};

impl System<'_> {
    pub(super) fn declare_transactions(&mut self) -> Map {
        let mut names = Names::new(snake);
        let mut transactions = Map::new();
        let n_transactions = if self.rng.chance(90) { self.rng.between(1, 6) } else { 0 };
        for _ in 0..n_transactions {
            let name = names.fresh(self.rng, self.names);
            if let Some(body) = self.transaction(&name) {
                transactions.put(&name, Yaml::Map(body));
            }
        }
        transactions
    }

    fn transaction(&mut self, name: &str) -> Option<Map> {
        let acting: Vec<usize> = (0..self.parts.len()).filter(|it| !self.machine(*it).events.is_empty()).collect();
        let mut parts = self.rng.several(&acting, 3);
        self.rng.shuffle(&mut parts);
        let fired: Vec<(usize, Event)> = parts.iter().map(|it| (*it, self.rng.pick(&self.machine(*it).events.clone()).clone())).collect();
        if fired.is_empty() {
            return None;
        }
        let roles = self.take_roles();
        let in_roles: Vec<(usize, Event)> = roles.iter().map(|(role, event)| (self.roles[*role].part, event.clone())).collect();
        let created: Vec<usize> = fired.iter().filter(|(_, event)| event.creates).map(|(part, _)| *part).collect();
        let mut body = Map::new();
        let may = |actor: &&String| fired.iter().chain(&in_roles).all(|(_, event)| event.by.is_empty() || event.by.contains(actor));
        let allowed: Vec<String> = self.actors.iter().filter(may).cloned().collect();
        if !allowed.is_empty() && self.rng.chance(60) {
            let by = self.rng.several(&allowed, 2).into_iter().map(text).collect();
            body.put("by", one_or_many(self.rng, by));
        }
        if let Some(performer) = self.rng.maybe(&self.actors).cloned().filter(|_| self.rng.chance(25)) {
            body.put("performer", text(performer));
        }
        self.put_text("surface", 20, &mut body);
        let mut inputs = Vec::new();
        let mut names = Names::words(snake);
        let mut fires = Vec::new();
        self.readable = roles.iter().map(|it| it.0).collect();
        let named = fired.iter().map(|(part, event)| (self.parts[*part].name.clone(), event));
        let named: Vec<(String, &Event)> = named.chain(roles.iter().map(|(role, event)| (self.roles[*role].name.clone(), event))).collect();
        for (name, event) in named {
            let fire = self.fire(&name, event, None, &created, &mut inputs, Some(&mut names));
            if fire.is_none() {
                self.readable.clear();
            }
            fires.push(fire?);
        }
        self.readable.clear();
        let inputs_spec = inputs.iter().map(|it| (it.name.clone(), self.input(it))).collect();
        body.put_map("payload", inputs_spec);
        let also = roles.iter().map(|(role, _)| &self.roles[*role]).map(|it| (it.name.clone(), text(self.parts[it.part].name.clone())));
        body.put_map("also", also.collect());
        if self.rng.chance(50) {
            body.put("atomic", plain(self.rng.chance(85)));
        }
        body.put("fire", one_or_many(self.rng, fires));
        for (key, percent) in [("doc", 40), ("on_failure", 20), ("inferred", 10)] {
            self.put_text(key, percent, &mut body);
        }
        self.put_allow(&mut body);
        let roles = roles.iter().map(|(role, _)| self.roles[*role].name.clone()).collect();
        self.transactions.push(Transaction { name: name.to_owned(), inputs, parts, roles });
        Some(body)
    }

    /// Roles for a transaction, each with the event that is fired: new ones, or those of other transactions.
    fn take_roles(&mut self) -> Vec<(usize, Event)> {
        let many: Vec<usize> = (0..self.parts.len()).filter(|it| self.parts[*it].many && !self.machine(*it).events.is_empty()).collect();
        let mut taken: Vec<(usize, Event)> = Vec::new();
        while taken.len() < 3 && self.rng.chance(40) {
            let Some(part) = self.rng.maybe(&many).copied() else { break };
            let event = self.rng.pick(&self.machine(part).events.clone()).clone();
            let known = |(idx, it): (usize, &Role)| (it.part == part && it.is_new == event.creates).then_some(idx);
            let known: Vec<usize> = self.roles.iter().enumerate().filter_map(known).collect();
            let known = self.rng.maybe(&known).copied().filter(|it| taken.iter().all(|(other, _)| other != it));
            let role = match known.filter(|_| self.rng.chance(50)) {
                Some(role) => role,
                None => {
                    let name = self.part_names.fresh(self.rng, self.names);
                    self.roles.push(Role { name, part, is_new: event.creates, event: event.name.clone() });
                    self.roles.len() - 1
                }
            };
            taken.push((role, event));
        }
        taken
    }

    /// The declaration of an input of a transaction.
    fn input(&mut self, input: &Var) -> Yaml {
        let part = |machine: usize| self.parts.iter().find(|it| it.machine == machine).map_or("", |it| it.name.as_str());
        let ty = match input.ty {
            Ty::State(machine) | Ty::Configuration(machine) => format!("{}.state", part(machine)),
            Ty::Enum(machine, idx) => format!("{}.{}", part(machine), self.words[machine].enums[idx].0),
            other => type_name(other, &[]),
        };
        let mut body: Map = vec![("type".into(), text(ty))];
        if input.optional {
            body.put("optional", plain(true));
        }
        self.put_text("doc", 30, &mut body);
        self.put_text("label", 15, &mut body);
        if self.rng.chance(10) {
            body.put("aliases", text(format!("other_{}", input.name)));
        }
        self.put_allow(&mut body);
        if body.len() == 1 { body.remove(0).1 } else { Yaml::Map(body) }
    }

    /// An event of a part or role with its payload; values that cannot be read anywhere become inputs of the transaction.
    pub(super) fn fire(
        &mut self,
        name: &str,
        event: &Event,
        from: Option<usize>,
        created: &[usize],
        inputs: &mut Vec<Var>,
        mut names: Option<&mut Names>,
    ) -> Option<Yaml> {
        let mut payload = Map::new();
        for field in &event.payload {
            let wanted = if self.rng.chance(50) { names.as_deref_mut() } else { None };
            if let Some(names) = wanted {
                let name = names.fresh(self.rng, self.names);
                inputs.push(Var { name: name.clone(), ty: field.ty, optional: field.optional && self.rng.chance(60) });
                payload.put(&field.name, text(name));
                continue;
            }
            let mut rng = self.rng.clone();
            let given = self.scope(from, created, inputs).given(&mut rng, field.ty, field.optional, &[]);
            *self.rng = rng;
            let given = match given {
                Some(given) => given,
                None => {
                    let name = names.as_deref_mut()?.fresh(self.rng, self.names);
                    inputs.push(Var { name: name.clone(), ty: field.ty, optional: false });
                    name
                }
            };
            payload.put(&field.name, text(given));
        }
        let name = format!("{name}.{}", event.name);
        Some(if payload.is_empty() { text(name) } else { Yaml::Map(vec![(name, Yaml::Map(payload))]) })
    }
}
