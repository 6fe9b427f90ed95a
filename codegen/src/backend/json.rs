//! The resolved model as JSON, for tools in other languages.
//!
//! Names instead of positions, expressions as texts, `null` where the model has nothing. The
//! shape has a version and is described in `docs/reference/model-json.md`, which a test holds
//! against what is written here.

use serde_json::{Map, Value, json};

use super::Job;
use super::show::{MachineNames, SystemNames};
use crate::expr::{Expr, Names, show_literal, type_name};
use crate::model::machine::{
    Actor, Commit, Edge, Effect, Enum, Event, Field, From, Key, Machine, Order, Outcome, Piece, Target, Transition,
};
use crate::model::system::{Crossing, Fire, Input, Link, Part, Rule, Step, Transaction, Walkthrough};
use crate::model::{ActorId, EffectId, Literal, Model, PartId, StateId, System, Type};
use crate::output::{Blame, Generated, Output};
use crate::parallel;
use crate::source::{SourceId, Sources, Span};

/// The version of the shape. Keys may be added within one; a changed or removed key raises it.
pub const VERSION: u64 = 1;

/// A file for every machine and system.
pub fn emit(job: Job<'_>) -> Generated {
    let Some(folder) = &job.config.json else { return Generated::default() };
    let folder = folder.trim_matches('/');
    let output = |name: &str, value: Value, span: Span, blame: Blame| {
        // The pretty printer cannot fail on a tree of maps, lists and texts.
        let mut text = serde_json::to_string_pretty(&value).unwrap_or_default();
        text.push('\n');
        let path = if folder.is_empty() { format!("{name}.json") } else { format!("{folder}/{name}.json") };
        Output { path, text, origin: Some(span), blame }
    };
    let mut files = parallel::map(&job.model.machines, |it| output(&it.name, machine(job.sources, it), it.span, blame(it)));
    let systems = parallel::map(&job.model.systems, |it| output(&it.name, system(job.sources, job.model, it), it.span, Blame::default()));
    files.extend(systems);
    Generated { files, ..Generated::default() }
}

/// A line that holds a name speaks of what has the name.
fn blame(machine: &Machine) -> Blame {
    let states = machine.states.iter().map(|it| (&it.name, it.span));
    let events = machine.events.iter().map(|it| (&it.name, it.span));
    let effects = machine.effects.iter().map(|it| (&it.name, it.span));
    let named = states.chain(events).chain(effects);
    Blame(named.map(|(name, span)| (vec![format!("\"{name}\"")], span)).collect())
}

fn head(
    sources: &Sources,
    kind: &str,
    name: &str,
    source: SourceId,
    title: &str,
    doc: &Option<String>,
    from: &[String],
) -> Map<String, Value> {
    let mut map = Map::new();
    map.insert("version".into(), VERSION.into());
    map.insert("kind".into(), kind.into());
    map.insert("name".into(), name.into());
    map.insert("spec".into(), sources.get(source).path().into());
    map.insert("title".into(), title.into());
    map.insert("doc".into(), json!(doc));
    map.insert("sources".into(), json!(from));
    map
}

/// Everything: all machines and systems.
pub fn project(sources: &Sources, model: &Model) -> Value {
    json!({
        "version": VERSION, "kind": "project",
        "machines": list(&model.machines, |it| machine(sources, it)), "systems": list(&model.systems, |it| system(sources, model, it)),
    })
}

/// A machine.
pub fn machine(sources: &Sources, machine: &Machine) -> Value {
    let it = OfMachine { machine };
    let mut map = head(sources, "machine", &machine.name, machine.source, &machine.title, &machine.doc, &machine.sources);
    let mut put = |key: &str, value: Value| map.insert(key.into(), value);
    put("actors", list(&machine.actors, actor));
    put(
        "constants",
        list(
            &machine.constants,
            |constant| json!({ "name": constant.name, "type": it.ty(&constant.ty), "value": it.literal(&constant.value), "doc": constant.doc }),
        ),
    );
    put("enums", list(&machine.enums, enumeration));
    put("context", list(&machine.fields, |field| it.field(field)));
    put(
        "attributes",
        list(&machine.attributes, |attribute| {
            json!({
                "name": attribute.name, "type": it.ty(&attribute.ty), "optional": attribute.optional, "label": attribute.label,
                "doc": attribute.doc,
            })
        }),
    );
    put("initial", json!(machine.state(machine.initial()).name));
    put("states", machine.state_ids().map(|id| it.state(id)).collect());
    put("events", list(&machine.events, |event| it.event(event)));
    put("predicates", list(&machine.predicates, |predicate| json!({ "name": predicate.name, "doc": predicate.doc })));
    put("effects", list(&machine.effects, |effect| it.effect(effect)));
    put("transitions", list(&machine.transitions, |row| it.transition(row)));
    put("edges", list(&machine.edges, |edge| it.edge(edge)));
    put("orders", list(&machine.orders, |order| it.order(order)));
    put("notes", json!(machine.notes));
    Value::Object(map)
}

fn list<T>(items: &[T], to_json: impl Fn(&T) -> Value) -> Value {
    items.iter().map(to_json).collect()
}

fn actor(actor: &Actor) -> Value {
    json!({ "name": actor.name, "doc": actor.doc })
}

fn enumeration(it: &Enum) -> Value {
    json!({
        "name": it.name, "doc": it.doc, "ignore_case": it.ignore_case,
        "values": list(&it.values, |value| json!({ "name": value.name, "label": value.label, "doc": value.doc })),
    })
}

/// What the parts of one machine are called.
#[derive(Clone, Copy)]
struct OfMachine<'a> {
    machine: &'a Machine,
}

impl OfMachine<'_> {
    fn ty(self, ty: &Type) -> String {
        type_name(ty, &self.machine.enums)
    }

    fn literal(self, literal: &Literal) -> Value {
        to_json(literal, &MachineNames::new(self.machine, &[]))
    }

    fn names(self, ids: &[StateId]) -> Value {
        ids.iter().map(|it| self.machine.state(*it).name.as_str()).collect()
    }

    fn effects(self, ids: &[EffectId]) -> Value {
        ids.iter().map(|it| self.machine.effect(*it).name.as_str()).collect()
    }

    fn actors(self, ids: &[ActorId]) -> Value {
        ids.iter().map(|it| self.machine.actors[it.index()].name.as_str()).collect()
    }

    fn field(self, field: &Field) -> Value {
        json!({
            "name": field.name, "type": self.ty(&field.ty), "optional": field.optional,
            "default": field.default.as_ref().map(|it| self.literal(it)), "label": field.label, "aliases": field.aliases, "doc": field.doc,
        })
    }

    fn state(self, id: StateId) -> Value {
        let state = self.machine.state(id);
        let name = |id: StateId| self.machine.state(id).name.as_str();
        let attributes: Map<String, Value> =
            self.machine.attributes.iter().zip(&state.attributes).map(|(it, value)| (it.name.clone(), self.literal(value))).collect();
        json!({
            "name": state.name, "path": self.machine.path_name(id), "wire": state.wire, "label": state.label, "doc": state.doc,
            "parent": state.parent.map(name), "children": self.names(&state.children), "default_child": state.default_child.map(name),
            "initial": self.machine.is_initial(id), "terminal": state.terminal,
            "final": self.machine.is_leaf(id) && self.machine.is_final(id),
            "attributes": attributes, "entry": self.effects(&state.entry), "exit": self.effects(&state.exit), "inferred": state.inferred,
        })
    }

    fn event(self, event: &Event) -> Value {
        json!({
            "name": event.name, "label": event.label, "by": self.actors(&event.by),
            "performer": event.performer.map(|it| self.machine.actors[it.index()].name.as_str()),
            "payload": list(&event.payload, |it| self.field(it)), "settles": event.settles, "aliases": event.aliases, "doc": event.doc,
        })
    }

    fn effect(self, effect: &Effect) -> Value {
        let piece = |piece: &Piece| match piece {
            Piece::Text(text) => json!({ "text": text }),
            Piece::Payload(idx) => json!({ "payload": effect.payload.get(*idx).map(|it| it.name.as_str()) }),
        };
        json!({
            "name": effect.name, "label": effect.label, "payload": list(&effect.payload, |it| self.field(it)),
            "message": effect.message.as_ref().map(|it| list(it, piece)), "doc": effect.doc,
        })
    }

    fn transition(self, row: &Transition) -> Value {
        let (from, except) = match &row.from {
            From::Birth => (json!("[*]"), json!([])),
            From::Any { except } => (json!("*"), self.names(except)),
            From::States(states) => (self.names(states), json!([])),
        };
        let events: Vec<&str> = row.events.iter().map(|it| self.machine.event(*it).name.as_str()).collect();
        let payload = row.events.first().map_or(&[][..], |it| &self.machine.event(*it).payload);
        let (outcome, to, refusal) = match &row.outcome {
            Outcome::Stay => ("stay", Value::Null, Value::Null),
            Outcome::To(states) => ("go", self.names(states), Value::Null),
            Outcome::Payload(idx) => ("payload", json!(payload.get(*idx).map(|it| it.name.as_str())), Value::Null),
            Outcome::Refuse(text) => ("refuse", Value::Null, json!(text)),
        };
        let names = Written(MachineNames::new(self.machine, &row.events));
        let show = |expr: &Expr| expr.show(&names);
        let set: Map<String, Value> =
            row.set.iter().map(|(field, expr)| (self.machine.fields[field.index()].name.clone(), show(expr).into())).collect();
        let commit = match row.commit {
            Commit::PersistFirst => "persist_first",
            Commit::MemoryFirst => "memory_first",
        };
        json!({
            "from": from, "except": except, "events": events, "when": row.guard.as_ref().map(show), "outcome": outcome, "to": to,
            "refusal": refusal, "set": set, "before": self.effects(&row.before), "do": self.effects(&row.effects), "commit": commit,
            "label": row.label, "summary": row.summary, "doc": row.doc, "inferred": row.inferred,
        })
    }

    fn edge(self, edge: &Edge) -> Value {
        let name = |id: StateId| self.machine.state(id).name.as_str();
        let (outcome, to) = match edge.to {
            Target::Stay => ("stay", None),
            Target::Leaf(id) => ("go", Some(name(id))),
            Target::Payload(_) => ("payload", None),
            Target::Refuse => ("refuse", None),
        };
        json!({
            "from": edge.from.map(name), "event": edge.event.map(|it| self.machine.event(it).name.as_str()), "outcome": outcome, "to": to,
            "transition": edge.transition.index(),
        })
    }

    fn order(self, order: &Order) -> Value {
        let field = |idx: usize| order.item.get(idx).map(|it| it.name.as_str());
        let values = |idx: usize, values: &[usize]| -> Value {
            let Some(Type::Enum(id)) = order.item.get(idx).map(|it| &it.ty) else { return json!([]) };
            let all = self.machine.enums.get(id.index()).map_or(&[][..], |it| &it.values);
            values.iter().filter_map(|it| all.get(*it)).map(|it| it.name.as_str()).collect()
        };
        let key = |key: &Key| match key {
            Key::Field { field: idx, descending } => json!({ "field": field(*idx), "descending": descending }),
            Key::Rank { field: idx, first, last, label } => {
                json!({ "rank": field(*idx), "first": values(*idx, first), "last": values(*idx, last), "label": label })
            }
        };
        let states: Map<String, Value> =
            self.machine.states.iter().zip(&order.state_keys).map(|(state, keys)| (state.name.clone(), list(keys, key))).collect();
        json!({
            "name": order.name, "doc": order.doc, "item": list(&order.item, |it| self.field(it)), "keys": list(&order.keys, key),
            "states": states,
        })
    }
}

/// The same names, with the operators of the spec language.
struct Written<N>(N);

impl<N: Names> Names for Written<N> {
    fn var(&self, var: crate::expr::Var) -> String {
        self.0.var(var)
    }
    fn constant(&self, constant: crate::model::ConstantId) -> String {
        self.0.constant(constant)
    }
    fn predicate(&self, predicate: crate::model::PredicateId) -> String {
        self.0.predicate(predicate)
    }
    fn state(&self, subject: Option<&Expr>, state: StateId) -> String {
        self.0.state(subject, state)
    }
    fn event(&self, event: crate::model::EventId) -> String {
        self.0.event(event)
    }
    fn enums(&self) -> &[Enum] {
        self.0.enums()
    }
}

/// Truth values, whole numbers and lists as such; everything else as text, decimals too, so that
/// no reader rounds them.
fn to_json(literal: &Literal, names: &dyn Names) -> Value {
    match literal {
        Literal::Null => Value::Null,
        Literal::Bool(it) => json!(it),
        Literal::Int(it) => json!(it),
        Literal::Text(it) => json!(it),
        Literal::List(items) => list(items, |it| to_json(it, names)),
        other => json!(show_literal(other, names, None)),
    }
}

/// A system.
pub fn system(sources: &Sources, model: &Model, system: &System) -> Value {
    let it = OfSystem { model, system };
    let mut map = head(sources, "system", &system.name, system.source, &system.title, &system.doc, &system.sources);
    let mut put = |key: &str, value: Value| map.insert(key.into(), value);
    put("actors", list(&system.actors, actor));
    put("parts", list(&system.parts, |part| it.part(part)));
    put("rules", list(&system.rules, |rule| it.rule(rule)));
    put("transactions", list(&system.transactions, |transaction| it.transaction(transaction)));
    put("links", list(&system.links, |link| it.link(link)));
    put(
        "invariants",
        list(
            &system.invariants,
            |invariant| json!({ "require": it.show(&invariant.require, &[]), "doc": invariant.doc, "inferred": invariant.inferred }),
        ),
    );
    put("walkthroughs", list(&system.walkthroughs, |walkthrough| it.walkthrough(walkthrough)));
    put("notes", json!(system.notes));
    Value::Object(map)
}

/// What the parts of one system are called.
#[derive(Clone, Copy)]
struct OfSystem<'a> {
    model: &'a Model,
    system: &'a System,
}

impl<'a> OfSystem<'a> {
    fn machine(self, part: PartId) -> &'a Machine {
        &self.model.machines[self.system.part(part).machine]
    }

    fn show(self, expr: &Expr, inputs: &[Input]) -> String {
        expr.show(&Written(SystemNames::new(self.model, self.system, inputs)))
    }

    fn event(self, part: PartId, event: crate::model::EventId) -> String {
        format!("{}.{}", self.system.part(part).name, self.machine(part).event(event).name)
    }

    fn actors(self, ids: &[ActorId]) -> Value {
        ids.iter().filter_map(|it| self.system.actors.get(it.index())).map(|it| it.name.as_str()).collect()
    }

    fn part(self, part: &Part) -> Value {
        let machine = &self.model.machines[part.machine];
        json!({
            "name": part.name, "label": part.label, "machine": machine.name, "many": part.many,
            "of": part.of.map(|(owner, _)| self.system.part(owner).name.as_str()),
            "by": part.of.map(|(_, field)| machine.fields[field.index()].name.as_str()), "doc": part.doc,
        })
    }

    fn rule(self, rule: &Rule) -> Value {
        let events: Vec<String> = rule.events.iter().map(|(part, event)| self.event(*part, *event)).collect();
        json!({ "before": events, "require": self.show(&rule.require, &[]), "doc": rule.doc, "inferred": rule.inferred })
    }

    fn fire(self, fire: &Fire, inputs: &[Input]) -> Value {
        let fields = &self.machine(fire.part).event(fire.event).payload;
        let payload: Map<String, Value> =
            fields.iter().zip(&fire.payload).map(|(field, value)| (field.name.clone(), self.show(value, inputs).into())).collect();
        json!({ "event": self.event(fire.part, fire.event), "payload": payload })
    }

    fn transaction(self, transaction: &Transaction) -> Value {
        let inputs = &transaction.payload;
        let input = |input: &Input| {
            json!({
                "name": input.field.name, "type": type_name(&input.field.ty, &self.system.enums), "optional": input.field.optional,
                "of": input.of.map(|it| self.system.part(it).name.as_str()), "doc": input.field.doc,
            })
        };
        json!({
            "name": transaction.name, "by": self.actors(&transaction.by),
            "performer": transaction.performer.and_then(|it| self.system.actors.get(it.index())).map(|it| it.name.as_str()),
            "surface": transaction.surface, "payload": list(inputs, input), "atomic": transaction.atomic,
            "fire": list(&transaction.fire, |it| self.fire(it, inputs)), "on_failure": transaction.on_failure, "doc": transaction.doc,
            "inferred": transaction.inferred,
        })
    }

    fn link(self, link: &Link) -> Value {
        let on = match link.on {
            Crossing::Enter => "enter",
            Crossing::Exit => "exit",
        };
        json!({
            "part": self.system.part(link.part).name, "on": on, "state": self.machine(link.part).state(link.state).name,
            "when": link.when.as_ref().map(|it| self.show(it, &[])), "fire": self.fire(&link.fire, &[]), "optional": link.optional,
            "doc": link.doc, "inferred": link.inferred,
        })
    }

    fn walkthrough(self, walkthrough: &Walkthrough) -> Value {
        json!({ "name": walkthrough.name, "doc": walkthrough.doc, "steps": list(&walkthrough.steps, |it| self.step(it)) })
    }

    fn step(self, step: &Step) -> Value {
        let transaction = self.system.transactions.get(step.transaction);
        let inputs = transaction.map_or(&[][..], |it| it.payload.as_slice());
        let instances: Map<String, Value> =
            step.instances.iter().map(|(part, number)| (self.system.part(*part).name.clone(), (*number).into())).collect();
        let names = |input: &Input, value: &Literal| match (value, input.of) {
            (Literal::State(id), Some(part)) => json!(self.machine(part).state(*id).name),
            (value, _) => to_json(value, &SystemNames::new(self.model, self.system, inputs)),
        };
        let payload: Map<String, Value> =
            inputs.iter().zip(&step.payload).map(|(input, value)| (input.field.name.clone(), names(input, value))).collect();
        json!({
            "step": step.number, "run": transaction.map(|it| it.name.as_str()), "instances": instances, "with": payload,
            "trigger": step.trigger, "note": step.note, "refused": step.refused,
        })
    }
}
