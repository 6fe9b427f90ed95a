//! The resolved model as JSON, for tools in other languages.
//!
//! Names instead of positions, expressions as texts, `null` for absent values. The
//! shape has a version and is described in `docs/reference/model-json.md`; a test compares the
//! description with the output.
//!
//! No tree is built: the returned values serialize themselves, one key after the other.

use std::sync::Arc;

use serde::Serialize;
use serde_json::{Serializer, Value, json};
use statespec_lang::diagnostic::Diagnostics;
use statespec_lang::expr::{self, Expr, show_duration, show_literal, type_name};
use statespec_lang::model::machine::{
    Actor, Branch, Edge, Effect, Enum, Event, Field, From, History, Key, Machine, On, Order, Origin, Outcome, Piece, Reserved, Retired,
    Taken, Target, Transition, Trigger,
};
use statespec_lang::model::placement::{Cause, Placement};
use statespec_lang::model::system::{Crossing, Fire, Input, Link, Part, Rule, Step, Transaction, Walkthrough};
use statespec_lang::model::{ActorId, Configuration, EffectId, EventId, FieldId, Literal, Model, PartId, StateId, System, Type};
use statespec_lang::output::{Blame, Outputs, Pending, Rendered};
use statespec_lang::show::{MachineNames, SystemNames};
use statespec_lang::source::Sources;
use statespec_lang::yaml::Node;

use super::object::{Indented, Pairs, list, object};
use super::{Backend, Configured, Job, Reader, Section};

/// The version of the shape. Keys may be added within one version; a changed or removed key increases it.
pub const VERSION: u64 = 1;

mod keys {
    use statespec_lang::read::{Text, spec_types};

    spec_types! {
        /// The resolved graphs as JSON.
        pub struct Json as "`[json]`" {
            /// The folder of the files.
            out: Text,
        }
    }
}

/// The backend of models as JSON: a file for every machine and system.
#[derive(Debug)]
pub struct Json;

/// The files of a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// The folder of the files.
    pub out: String,
}

impl Backend for Json {
    fn name(&self) -> &'static str {
        "json"
    }

    fn about(&self) -> &'static str {
        "Resolved models"
    }

    fn section(&self) -> Section {
        Section::table::<keys::Json>("json", "The resolved graphs as JSON; none if omitted.")
    }

    fn read(&self, section: Node, reader: &mut Reader<'_>) -> Option<Arc<dyn Configured>> {
        let json: keys::Json = reader.keys(section)?;
        Some(Arc::new(Settings { out: reader.path(json.out) }))
    }
}

impl Configured for Settings {
    fn places(&self) -> Vec<String> {
        vec![self.out.clone()]
    }

    fn outputs<'a>(&'a self, job: Job<'a>, _: &mut Diagnostics) -> Outputs<'a> {
        let folder = self.out.trim_matches('/');
        let path = |name: &str| if folder.is_empty() { format!("{name}.json") } else { format!("{folder}/{name}.json") };
        let mut outputs = Outputs::default();
        for it in &job.model.machines {
            let render = move || Ok(Rendered::new(text(&machine(job.sources, it)), Some(it.span), Blame::default));
            outputs.files.push((path(&it.name), Pending::new(Some(it.span), render)));
        }
        for it in &job.model.systems {
            let render = move || Ok(Rendered::new(text(&system(job.sources, job.model, it)), Some(it.span), Blame::default));
            outputs.files.push((path(&it.name), Pending::new(Some(it.span), render)));
        }
        outputs
    }
}

/// JSON for files: indented, with a newline at the end.
pub fn text(json: &impl Serialize) -> String {
    let mut text = Vec::new();
    let printed = json.serialize(&mut Serializer::with_formatter(&mut text, Indented::default()));
    printed.expect("the values are lists, texts, and maps with texts as keys, so serializing cannot fail");
    text.push(b'\n');
    String::from_utf8(text).expect("serde_json writes UTF-8")
}

/// The whole model: all machines and systems.
pub fn project<'a>(sources: &'a Sources, model: &'a Model) -> impl Serialize + 'a {
    object! {
        "version": VERSION,
        "kind": "project",
        "machines": list(&model.machines, |it| machine(sources, it)),
        "systems": list(&model.systems, |it| system(sources, model, it)),
    }
}

/// A machine.
pub fn machine<'a>(sources: &'a Sources, machine: &'a Machine) -> impl Serialize + 'a {
    let it = OfMachine { machine };
    object! {
        "version": VERSION,
        "kind": "machine",
        "name": &machine.name,
        "spec": sources.get(machine.source).path(),
        "title": &machine.title,
        "doc": &machine.doc,
        "sources": &machine.sources,
        "actors": list(&machine.actors, actor),
        "constants": list(&machine.constants, move |constant| {
            object! { "name": &constant.name, "type": it.ty(&constant.ty), "value": it.literal(&constant.value), "doc": &constant.doc }
        }),
        "enums": list(&machine.enums, enumeration),
        "context": list(&machine.fields, move |field| it.field(field)),
        "attributes": list(&machine.attributes, move |attribute| {
            object! {
                "name": &attribute.name, "type": it.ty(&attribute.ty), "optional": attribute.optional, "label": &attribute.label,
                "doc": &attribute.doc,
            }
        }),
        "parallel"?: machine.parallel.then_some(true), "initial": it.configuration(&machine.initial()),
        "states": list((0..machine.states.len()).map(StateId::new), move |id| it.state(id)),
        "events": list(&machine.events, move |event| it.event(event)),
        "reserved_states"?: reserved(&machine.reserved_states), "reserved_events"?: reserved(&machine.reserved_events),
        "predicates": list(&machine.predicates, |predicate| object! { "name": &predicate.name, "doc": &predicate.doc }),
        "effects": list(&machine.effects, move |effect| it.effect(effect)),
        "transitions": list(&machine.transitions, move |row| it.transition(row)),
        "edges": list(&machine.edges, move |edge| it.edge(edge)),
        "orders": list(&machine.orders, move |order| it.order(order)),
        "notes": &machine.notes,
    }
}

fn actor(actor: &Actor) -> impl Serialize {
    object! { "name": &actor.name, "doc": &actor.doc }
}

fn enumeration(it: &Enum) -> impl Serialize {
    object! {
        "name": &it.name, "doc": &it.doc, "ignore_case": it.ignore_case,
        "values": list(&it.values, |value| object! {
            "name": &value.name, "wire": &value.wire, "number"?: value.number, "label": &value.label, "doc": &value.doc,
        }),
        "reserved"?: reserved(&it.reserved),
    }
}

/// Numbers and names; `None` if there are none.
fn reserved(all: &[Reserved]) -> Option<impl Serialize> {
    let one = |it: &Reserved| match &it.of {
        Retired::Number(number) => json!(number),
        Retired::Name(name) => json!(name),
    };
    (!all.is_empty()).then(|| list(all, one))
}

/// The names in one machine.
#[derive(Clone, Copy)]
struct OfMachine<'a> {
    machine: &'a Machine,
}

impl<'a> OfMachine<'a> {
    fn ty(self, ty: &Type) -> String {
        type_name(ty, &self.machine.enums)
    }

    fn literal(self, literal: &Literal) -> Value {
        to_json(literal, &MachineNames::new(self.machine))
    }

    fn name(self, id: StateId) -> &'a str {
        &self.machine.state(id).name
    }

    fn names(self, ids: &'a [StateId]) -> impl Serialize {
        list(ids, move |it| self.name(*it))
    }

    fn effects(self, ids: &'a [EffectId]) -> impl Serialize {
        list(ids, move |it| &self.machine.effect(*it).name)
    }

    fn actors(self, ids: &'a [ActorId]) -> impl Serialize {
        list(ids, move |it| &self.machine.actors[it.index()].name)
    }

    fn field(self, field: &'a Field) -> impl Serialize {
        object! {
            "name": &field.name, "type": self.ty(&field.ty), "optional": field.optional, "informative": field.informative,
            "default": field.default.as_ref().map(|it| self.literal(it)), "label": &field.label, "aliases": &field.aliases,
            "doc": &field.doc,
        }
    }

    /// The name of the only leaf, or a list of names.
    fn configuration(self, at: &Configuration) -> Value {
        match at.only() {
            Some(leaf) => json!(self.name(leaf)),
            None => at.leaves().map(|it| self.name(it)).collect(),
        }
    }

    fn state(self, id: StateId) -> impl Serialize {
        let state = self.machine.state(id);
        let attributes = self.machine.attributes.iter().zip(&state.attributes).map(move |(it, value)| (&it.name, self.literal(value)));
        let field = move |history: History| {
            object! { "field": &self.machine.fields[history.field.index()].name, "shallow": history.shallow }
        };
        // One alone as a map, as in a spec.
        let (history, histories) = match state.histories[..] {
            [] => (None, None),
            [only] => (Some(field(only)), None),
            _ => (None, Some(list(&state.histories, move |it: &History| field(*it)))),
        };
        object! {
            "name": &state.name, "path": self.machine.path_name(id), "wire": &state.wire, "number"?: state.number, "label": &state.label, "doc": &state.doc,
            "parent": state.parent.map(|it| self.name(it)), "children": self.names(&state.children),
            "default_child": state.default_child.map(|it| self.name(it)),
            "initial": self.machine.is_initial(id), "terminal": state.terminal,
            "final": self.machine.is_leaf(id) && self.machine.is_sink(id),
            "parallel"?: state.parallel.then_some(true), "attributes": Pairs(attributes), "entry": self.effects(&state.entry), "exit": self.effects(&state.exit),
            "history"?: history, "histories"?: histories, "inferred": &state.inferred,
        }
    }

    fn event(self, event: &'a Event) -> impl Serialize {
        let timer = event.timer.as_ref().map(|it| {
            object! { "states": self.names(&it.states), "after": it.after.show(&Written(MachineNames::new(self.machine))) }
        });
        object! {
            "name": &event.name, "number"?: event.number, "label": &event.label, "by": self.actors(&event.by),
            "performer": event.performer.map(|it| &self.machine.actors[it.index()].name),
            "payload": list(&event.payload, move |it| self.field(it)), "settles": event.settles, "timer"?: timer, "aliases": &event.aliases,
            "doc": &event.doc,
        }
    }

    fn effect(self, effect: &'a Effect) -> impl Serialize {
        let piece = |piece: &Piece| match piece {
            Piece::Text(text) => json!({ "text": text }),
            Piece::Taken(idx) => match effect.takes.get(*idx) {
                Some(Taken { origin: Origin::Payload(_), field }) => json!({ "payload": field.name }),
                taken => json!({ "taken": taken.map(|it| it.field.name.as_str()) }),
            },
        };
        let of = |wanted: fn(Origin) -> bool| effect.takes.iter().filter(move |it| wanted(it.origin)).map(|it| it.field.name.as_str());
        object! {
            "name": &effect.name, "label": &effect.label, "payload": list(effect.payload(), move |it| self.field(it)),
            "context": list(of(|it| matches!(it, Origin::Context(_))), |it| it),
            "states": list(of(|it| matches!(it, Origin::From | Origin::To)), |it| it),
            "message": effect.message.as_ref().map(|it| list(it, piece)), "doc": &effect.doc,
        }
    }

    fn transition(self, row: &'a Transition) -> impl Serialize {
        let (from, except) = match &row.from {
            From::Creation => (Names::Text("[*]"), &[][..]),
            From::Any { except } => (Names::Text("*"), except.as_slice()),
            From::States(states) => (Names::List(self.machine, states), &[][..]),
        };
        let (outcome, to, refusal) = match &row.target {
            Target::Stay => ("stay", None, None),
            Target::To(states) => ("go", Some(Names::List(self.machine, states)), None),
            Target::Fork(branches) => ("fork", Some(Names::Branches(self.machine, branches)), None),
            Target::Payload(id) => ("payload", Some(Names::Text(self.machine.payload_name(*id))), None),
            Target::History(to) => ("history", Some(Names::Text(&self.machine.state(to.whole).name)), None),
            Target::Refuse(text) => ("refuse", None, Some(text)),
        };
        let remembered = |it: &Branch| matches!(it, Branch::History(_)).then(|| &self.machine.state(it.state()).name);
        let histories: Vec<_> = match &row.target {
            Target::Fork(branches) => branches.iter().filter_map(remembered).collect(),
            _ => Vec::new(),
        };
        let histories = Some(histories).filter(|it| !it.is_empty());
        // The states say which history is meant, unless one of them has several.
        let is_ambiguous = |it: FieldId| self.machine.recall(it).is_some_and(|it| self.machine.distinguishing_field(it).is_some());
        let fields: Vec<FieldId> = if row.recalls().any(is_ambiguous) { row.recalls().collect() } else { Vec::new() };
        let fields: Vec<&str> = fields.into_iter().map(|it| self.machine.fields[it.index()].name.as_str()).collect();
        let fields = Some(fields).filter(|it| !it.is_empty());
        let trigger = match row.trigger {
            Trigger::Events(_) | Trigger::Direct => None,
            Trigger::AnyOther(_) => Some("any_other"),
            Trigger::Automatic => Some("automatic"),
            Trigger::Done => Some("done"),
        };
        let raise = Some(list(&row.raise, move |it: &EventId| &self.machine.event(*it).name)).filter(|_| !row.raise.is_empty());
        let show = move |expr: &Expr| expr.show(&Written(MachineNames::new(self.machine)));
        let set = row.set.iter().map(move |(field, expr)| (&self.machine.fields[field.index()].name, show(expr)));
        object! {
            "from": from, "except": self.names(except), "trigger"?: trigger, "events": list(row.events(), move |it| &self.machine.event(*it).name),
            "when": row.guard.as_ref().map(show), "outcome": outcome, "to": to, "histories"?: histories, "history_fields"?: fields,
            "refusal": refusal, "set": Pairs(set), "before": self.effects(&row.before), "do": self.effects(&row.effects),
            "raise"?: raise, "reenter"?: row.reenter.then_some(true), "commit": row.commit.name(), "label": &row.label, "summary": &row.summary, "doc": &row.doc, "inferred": &row.inferred,
        }
    }

    fn edge(self, edge: &'a Edge) -> impl Serialize {
        let (outcome, to) = match edge.outcome {
            Outcome::Stay => ("stay", None),
            // The targets of a fork stand in its row.
            Outcome::Fork => ("fork", None),
            Outcome::Parallel(id) => ("go", Some(self.name(id))),
            Outcome::Leaf(id) => ("go", Some(self.name(id))),
            Outcome::Payload(_) => ("payload", None),
            Outcome::History(to) => ("history", Some(self.name(to.whole))),
            Outcome::Refuse => ("refuse", None),
        };
        let trigger = match edge.on {
            On::Event(_) | On::Direct => None,
            On::Automatic => Some("automatic"),
            On::Done(_) => Some("done"),
        };
        let done = if let On::Done(composite) = edge.on { Some(self.name(composite)) } else { None };
        object! {
            "from": edge.from.map(|it| self.name(it)), "trigger"?: trigger, "done"?: done, "event": edge.on.event().map(|it| &self.machine.event(it).name), "outcome": outcome,
            "to": to, "transition": edge.transition.index(),
        }
    }

    fn order(self, order: &'a Order) -> impl Serialize {
        let field = |idx: usize| order.item.get(idx).map(|it| it.name.as_str());
        let values = move |idx: usize, values: &[usize]| -> Value {
            let Some(Type::Enum(id)) = order.item.get(idx).map(|it| &it.ty) else { return json!([]) };
            let all = self.machine.enums.get(id.index()).map_or(&[][..], |it| &it.values);
            values.iter().filter_map(|it| all.get(*it)).map(|it| it.name.as_str()).collect()
        };
        let key = move |key: &Key| match key {
            Key::Field { field: idx, descending } => json!({ "field": field(*idx), "descending": descending }),
            Key::Rank { field: idx, first, last, label } => {
                json!({ "rank": field(*idx), "first": values(*idx, first), "last": values(*idx, last), "label": label })
            }
        };
        let states = self.machine.states.iter().zip(&order.state_keys).map(move |(state, keys)| (&state.name, list(keys, key)));
        object! {
            "name": &order.name, "doc": &order.doc, "item": list(&order.item, move |it| self.field(it)), "keys": list(&order.keys, key),
            "states": Pairs(states),
        }
    }
}

/// A wildcard, or states by name.
enum Names<'a> {
    Text(&'a str),
    List(&'a Machine, &'a [StateId]),
    Branches(&'a Machine, &'a [Branch]),
}

impl Serialize for Names<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Names::Text(text) => serializer.serialize_str(text),
            Names::List(machine, ids) => OfMachine { machine }.names(ids).serialize(serializer),
            Names::Branches(machine, branches) => list(*branches, |it| &machine.state(it.state()).name).serialize(serializer),
        }
    }
}

/// The same names, with the operators of the spec language.
struct Written<N>(N);

impl<N: expr::Names> expr::Names for Written<N> {
    fn var(&self, var: expr::Var) -> String {
        self.0.var(var)
    }
    fn constant(&self, constant: statespec_lang::model::ConstantId) -> String {
        self.0.constant(constant)
    }
    fn predicate(&self, predicate: statespec_lang::model::PredicateId) -> String {
        self.0.predicate(predicate)
    }
    fn state(&self, subject: Option<&Expr>, state: StateId) -> String {
        self.0.state(subject, state)
    }
    fn event(&self, event: EventId) -> String {
        self.0.event(event)
    }
    fn enums(&self) -> &[Enum] {
        self.0.enums()
    }
    fn is_variable(&self, name: &str) -> bool {
        self.0.is_variable(name)
    }
}

/// Truth values, whole numbers and lists as such; all other values as text, including decimals, so that
/// no reader rounds them.
fn to_json(literal: &Literal, names: &dyn expr::Names) -> Value {
    match literal {
        Literal::Null => Value::Null,
        Literal::Bool(it) => json!(it),
        Literal::Int(it) => json!(it),
        Literal::Text(it) => json!(it),
        Literal::List(items) => items.iter().map(|it| to_json(it, names)).collect(),
        other => json!(show_literal(other, names, None)),
    }
}

/// A system.
pub fn system<'a>(sources: &'a Sources, model: &'a Model, system: &'a System) -> impl Serialize + 'a {
    let it = OfSystem { model, system };
    object! {
        "version": VERSION,
        "kind": "system",
        "name": &system.name,
        "spec": sources.get(system.source).path(),
        "title": &system.title,
        "doc": &system.doc,
        "sources": &system.sources,
        "actors": list(&system.actors, actor),
        "parts": list(&system.parts, move |part| it.part(part)),
        "rules": list(&system.rules, move |rule| it.rule(rule)),
        "transactions": list(&system.transactions, move |transaction| it.transaction(transaction)),
        "links": list(&system.links, move |link| it.link(link)),
        "invariants": list(&system.invariants, move |invariant| {
            object! { "require": it.show(&invariant.require, &[]), "doc": &invariant.doc, "inferred": &invariant.inferred }
        }),
        "placement": it.placement(),
        "walkthroughs": list(&system.walkthroughs, move |walkthrough| it.walkthrough(walkthrough)),
        "notes": &system.notes,
    }
}

/// The names in one system.
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

    fn event(self, part: PartId, event: EventId) -> String {
        format!("{}.{}", self.system.part(part).name, self.machine(part).event(event).name)
    }

    fn actors(self, ids: &[ActorId]) -> Vec<&'a str> {
        ids.iter().filter_map(|it| self.system.actors.get(it.index())).map(|it| it.name.as_str()).collect()
    }

    fn part(self, part: &'a Part) -> impl Serialize {
        let machine = &self.model.machines[part.machine];
        object! {
            "name": &part.name, "label": &part.label, "machine": &machine.name, "many": part.many,
            "of": part.of.map(|(owner, _)| &self.system.part(owner).name),
            "by": part.of.map(|(_, field)| &machine.fields[field.index()].name),
            "orders": list(&part.orders, move |it| {
                let by = self.system.part(it.by);
                object! { "by": &by.name, "order": &self.model.machines[by.machine].orders[it.order.index()].name }
            }),
            "doc": &part.doc,
        }
    }

    fn rule(self, rule: &'a Rule) -> impl Serialize {
        object! {
            "before": list(&rule.events, move |(part, event)| self.event(*part, *event)), "require": self.show(&rule.require, &[]),
            "doc": &rule.doc, "inferred": &rule.inferred,
        }
    }

    fn fire(self, fire: &'a Fire, inputs: &'a [Input]) -> impl Serialize {
        let fields = &self.machine(fire.part).event(fire.event).payload;
        let names = move || Written(SystemNames::new(self.model, self.system, inputs).for_event_of(fire.part));
        let payload = fields.iter().zip(&fire.payload).map(move |(field, value)| (&field.name, value.show(&names())));
        object! { "event": self.event(fire.part, fire.event), "payload": Pairs(payload) }
    }

    fn transaction(self, transaction: &'a Transaction) -> impl Serialize {
        let inputs = transaction.payload.as_slice();
        let input = move |input: &'a Input| {
            object! {
                "name": &input.field.name, "type": type_name(&input.field.ty, &self.system.enums), "optional": input.field.optional,
                "informative": input.field.informative, "of": input.of.map(|it| &self.system.part(it).name), "doc": &input.field.doc,
            }
        };
        object! {
            "name": &transaction.name, "by": self.actors(&transaction.by),
            "performer": transaction.performer.and_then(|it| self.system.actors.get(it.index())).map(|it| &it.name),
            "surface": &transaction.surface, "payload": list(inputs, input),
            "also"?: (!transaction.roles.is_empty()).then(|| list(&transaction.roles, move |it| {
                object! { "role": &self.system.part(*it).name, "part": &self.system.part(self.system.plays(*it)).name }
            })),
            "atomic": transaction.atomic,
            "fire": list(&transaction.fire, move |it| self.fire(it, inputs)), "on_failure": &transaction.on_failure,
            "doc": &transaction.doc, "inferred": &transaction.inferred,
        }
    }

    fn link(self, link: &'a Link) -> impl Serialize {
        let on = match link.on {
            Crossing::Enter => "enter",
            Crossing::Exit => "exit",
        };
        object! {
            "part": &self.system.part(link.part).name, "on": on, "state": &self.machine(link.part).state(link.state).name,
            "when": link.when.as_ref().map(|it| self.show(it, &[])), "fire": self.fire(&link.fire, &[]), "optional": link.optional,
            "doc": &link.doc, "inferred": &link.inferred,
        }
    }

    /// The roots of the parts, and what transactions reach.
    fn placement(self) -> Value {
        let Placement { parts, transactions, roots } = self.system.placement(self.model);
        let name = |id: PartId| self.system.part(id).name.as_str();
        let called = |idx: usize| self.system.transactions[idx].name.as_str();
        let parts = self.system.part_ids().zip(&parts).map(|(id, placed)| {
            let through = placed.through.iter().map(|(part, field)| self.machine(*part).fields[field.index()].name.as_str());
            json!({ "part": name(id), "root": name(placed.root), "through": through.collect::<Vec<_>>() })
        });
        let roots = roots.iter().map(|root| {
            let key = root.spanning.is_empty().then(|| format!("{}.id", name(root.part)));
            let spanning: Vec<&str> = root.spanning.iter().map(|it| called(*it)).collect();
            let others: Vec<&str> = root.others.iter().map(|it| name(*it)).collect();
            json!({ "part": name(root.part), "key": key, "spanning": spanning, "others": others })
        });
        let transactions = transactions.iter().enumerate().map(|(idx, reach)| {
            let roots = reach.roots.iter().map(|(root, why)| {
                let at = match why.cause {
                    Cause::Fire(it) => format!("transactions.{}.fire[{it}]", called(idx)),
                    Cause::Rule(it) => format!("rules[{it}]"),
                    Cause::Link(it) => format!("links[{it}]"),
                    Cause::Invariant(it) => format!("invariants[{it}]"),
                };
                json!({ "root": name(*root), "part": name(why.part), "changes": why.changes, "at": at })
            });
            json!({ "transaction": called(idx), "roots": roots.collect::<Vec<_>>() })
        });
        json!({
            "parts": parts.collect::<Vec<_>>(), "roots": roots.collect::<Vec<_>>(), "transactions": transactions.collect::<Vec<_>>(),
        })
    }

    fn walkthrough(self, walkthrough: &'a Walkthrough) -> impl Serialize {
        object! { "name": &walkthrough.name, "doc": &walkthrough.doc, "steps": list(&walkthrough.steps, move |it| self.step(it)) }
    }

    fn step(self, step: &'a Step) -> impl Serialize {
        let transaction = self.system.transactions.get(step.transaction);
        let inputs = transaction.map_or(&[][..], |it| it.payload.as_slice());
        let instances = step.instances.iter().map(move |(part, number)| (&self.system.part(*part).name, *number));
        let names = move |input: &Input, value: &Literal| match (value, input.of) {
            (Literal::State(id), Some(part)) => json!(self.machine(part).state(*id).name),
            (value, _) => to_json(value, &SystemNames::new(self.model, self.system, inputs)),
        };
        let payload = inputs.iter().zip(&step.payload).map(move |(input, value)| (&input.field.name, names(input, value)));
        object! {
            "step": &step.number, "run": transaction.map(|it| &it.name), "wait"?: step.wait.map(show_duration), "instances": Pairs(instances), "with": Pairs(payload),
            "trigger": &step.trigger, "note": &step.note, "refused": &step.refused,
        }
    }
}
