//! The constant `SYSTEM`, and the functions of its rules, payloads and conditions.

use std::collections::BTreeMap;

use statespec_lang::model::PartId;
use statespec_lang::model::system::Crossing;
use statespec_lang::program::Expr;
use statespec_lang::program::system::{Fire, Link, Load, Need, Rule, When};

use super::exprs;
use super::names::Names;
use crate::python::expr::Exprs;
use crate::python::forms::{decimals, define};
use crate::python::idents::{quoted, tuple};
use crate::python::imports::FINAL;
use crate::systems::{Methods, RequestValue, key_name};
use crate::writer::Writer;

/// Writes functions and tables. The decimals that they read are written to `body`, which is above them.
pub(super) fn write(body: &mut Writer, names: &Names<'_>) {
    let mut functions = Writer::new("    ");
    names.system().part_ids().for_each(|it| raise(&mut functions, names, it));
    functions.apart(2);
    names.all().for_each(|it| part(&mut functions, names, it));
    let mut tables = Tables { names, n_functions: 0, functions: Writer::new("    "), decimals: BTreeMap::new() };
    let mut table = Writer::new("    ");
    tables.system(&mut table);
    decimals(body, &tables.decimals);
    for it in [functions, tables.functions, table] {
        body.apart(2);
        body.append(it);
    }
}

/// The functions that raise an event in an instance of a part, and that begin one.
fn raise(out: &mut Writer, names: &Names<'_>, id: PartId) {
    let (machine, program, class, alias) = (names.machine(id), names.program.part(id), names.class(id), names.alias(id));
    let idx = id.index();
    let predicates = if names.with_predicates().next().is_some() { "Predicates" } else { "object" };
    let pass = if machine.predicates.is_empty() { String::new() } else { format!(", p.{}", names.own.members[idx]) };
    let context = program.owner.map(|owner| {
        let field = &machine.fields[owner.field.index()];
        let value = if field.optional { "owner" } else { "statespec.known_reference(owner)" };
        format!("{alias}.Context({}={value})", names.idents(id).field(owner.field))
    });
    if !machine.events.is_empty() {
        let [has_events, has_timers] = [false, true].map(|timed| machine.events.iter().any(|it| it.timer.is_some() == timed));
        define(out, format!("def _raise_{idx}("));
        out.line(format!("    machine: {class} | None, event: {}, owner: statespec.Reference | None, p: {predicates}", names.event_ty(id)));
        out.line(format!(") -> {alias}.Change | {alias}.Refused:\n    if machine is None:"));
        if program.begins.is_some() || !has_events {
            out.line("        raise AssertionError(\"an instance that no event creates is not there\")");
        } else {
            if has_timers {
                out.line(format!("        if isinstance(event, {alias}.Timer):"));
                out.line("            raise AssertionError(\"a timer creates no instance\")");
            }
            let context = context.as_ref().map_or_else(String::new, |it| format!(", context={it}"));
            out.line(format!("        return {class}.try_create(event{pass}{context})"));
        }
        if has_timers && has_events {
            out.line(format!("    if isinstance(event, {alias}.Timer):\n        return machine.try_elapse(event{pass})"));
        }
        out.line(format!("    return machine.try_{}(event{pass})", if has_events { "apply" } else { "elapse" }));
    }
    if program.begins.is_some() {
        define(out, format!("def _new_{idx}(owner: statespec.Reference | None) -> {class}:"));
        out.line(format!("    return {class}.new({})", context.unwrap_or_default()));
    }
    if let Some(owner) = program.owner {
        define(out, format!("def _owner_{idx}(machine: {class}) -> statespec.Reference | None:"));
        out.line(format!("    return machine.context.{}", names.idents(id).field(owner.field)));
    }
}

/// The constant of a part or role.
fn part(out: &mut Writer, names: &Names<'_>, id: PartId) {
    let (program, plays) = (names.program.part(id), names.program.part(id).plays);
    let (declared, at) = (names.system().part(id), plays.index());
    let Methods { load, key, list, create } = &names.methods[at];
    let raises = if names.machine(id).events.is_empty() { "statespec.never".to_owned() } else { format!("_raise_{at}") };
    let mut arguments = vec![
        format!("name={}", quoted(&declared.name)),
        format!("plays={}", quoted(names.name(plays))),
        format!("many={}", truth(declared.many)),
        format!("new={}", if program.begins.is_some() { format!("_new_{at}") } else { "None".to_owned() }),
        format!("raises={raises}"),
        format!("write={}", names.own.writes[at]),
        format!("missing={}", quoted(&program.missing)),
        format!("same={}", quoted(&program.same)),
        format!("load={}", quoted(load)),
    ];
    for (name, method) in [("key", key), ("list", list), ("create", create)] {
        arguments.extend(method.as_ref().map(|it| format!("{name}={}", quoted(it))));
    }
    if let Some(owner) = program.owner {
        let is_optional = names.machine(id).fields[owner.field.index()].optional;
        arguments.push(format!("owner={}", quoted(names.name(owner.part))));
        arguments.push(format!("owner_of=_owner_{at}"));
        arguments.push(format!("owner_optional={}", truth(is_optional)));
    }
    out.apart(1);
    let fixed = out.imports.name(FINAL);
    out.block(format!("{}: {fixed}[statespec.Part[{}]] = statespec.Part(", names.constant(id), names.class(id)), ")", |out| {
        arguments.iter().for_each(|it| out.line(format!("{it},")));
    });
}

fn truth(it: bool) -> &'static str {
    if it { "True" } else { "False" }
}

struct Tables<'a> {
    names: &'a Names<'a>,
    n_functions: usize,
    functions: Writer,
    decimals: BTreeMap<String, String>,
}

impl Tables<'_> {
    fn name(&self, part: PartId) -> String {
        quoted(self.names.name(part))
    }

    fn parts(&self, parts: impl IntoIterator<Item = PartId>) -> String {
        tuple(parts.into_iter().map(|it| self.name(it)))
    }

    fn system(&mut self, out: &mut Writer) {
        let (system, program) = (self.names.system(), self.names.program);
        let fixed = out.imports.name(FINAL);
        out.block(format!("SYSTEM: {fixed} = statespec.System("), ")", |out| {
            out.line(format!("name={},", quoted(&system.name)));
            out.line(format!("parts={},", tuple(self.names.all().map(|it| self.names.constant(it).to_owned()))));
            out.block("transactions={", "},", |out| (0..system.transactions.len()).for_each(|it| self.transaction(out, it)));
            out.block("links=(", "),", |out| program.links.iter().for_each(|it| self.link(out, it)));
            out.line(format!("rules={},", tuple(system.rules.iter().map(|it| quoted(&it.doc)))));
            out.block("invariants=(", "),", |out| {
                for (declared, it) in system.invariants.iter().zip(&program.invariants) {
                    let each = it.each.map_or_else(|| "None".to_owned(), |it| self.name(it));
                    let (owners, parts) = (self.parts(it.owners.iter().copied()), self.parts(it.parts.iter().copied()));
                    let holds = self.condition(&it.require);
                    out.line(format!("statespec.Invariant({}, {each}, {owners}, {parts}, {holds}),", quoted(&declared.doc)));
                }
            });
            out.block("predicates={", "},", |out| {
                for it in self.names.with_predicates() {
                    let member = quoted(&self.names.own.members[it.index()]);
                    out.line(format!("{}: ({member}, {}.CHART.predicates),", self.name(it), self.names.alias(it)));
                }
            });
        });
        out.line("\"\"\"What the system does, as data.\"\"\"");
    }

    fn transaction(&mut self, out: &mut Writer, idx: usize) {
        let (declared, program) = (&self.names.system().transactions[idx], &self.names.program.transactions[idx]);
        let class = self.names.own.requests[idx].clone();
        let keys = self.names.own.fields[idx].iter().filter_map(|(ident, it)| match it.value {
            RequestValue::Key(part) => Some(format!("{}: r.{ident}", self.name(part))),
            RequestValue::Input(_) => None,
        });
        let keys = keys.collect::<Vec<_>>().join(", ");
        let named = self.function(&format!("r: {class}"), "dict[str, statespec.Reference]", &format!("{{{keys}}}"));
        let by = declared.by.iter().map(|it| quoted(&self.names.system().actors[it.index()].name));
        let distinct = program.distinct.iter().map(|it| format!("({}, {})", self.name(it.part), self.parts(it.among.iter().copied())));
        let (by, distinct) = (tuple(by), tuple(distinct));
        let fires: Vec<String> = program.fires.iter().map(|it| self.fire(it, Some(idx))).collect();
        let rules = self.rules(&program.rules);
        out.block(format!("{class}: statespec.Transaction("), "),", |out| {
            out.line(format!("{}, by={by}, named={named},", quoted(&declared.name)));
            out.line(format!("loads={},", self.loads(&program.loads)));
            out.line(format!("distinct={distinct},"));
            out.line(format!("parts={},", self.parts(program.parts.iter().copied())));
            out.line(format!("needs={},", self.needs(&program.needs)));
            out.line(format!("rules={rules},"));
            out.line(format!("fires={},", tuple(fires)));
            out.line(format!("checks={},", tuple(program.checks.iter().map(ToString::to_string))));
        });
    }

    fn link(&mut self, out: &mut Writer, link: &Link) {
        let state = quoted(&self.names.machine(link.part).state(link.state).wire);
        let when = link.when.as_ref().map(|When { needs, divides, condition }| {
            let holds = self.condition(condition);
            let divides = divides.as_ref().map(|it| format!(", {}", self.condition(it)));
            format!("statespec.When({}, {holds}{})", self.parts(needs.iter().copied()), divides.unwrap_or_default())
        });
        let (rules, fire) = (self.rules(&link.rules), self.fire(&link.fire, None));
        out.block("statespec.Link(", "),", |out| {
            out.line(format!("{}, enters={}, state={state},", self.name(link.part), truth(link.on == Crossing::Enter)));
            out.line(format!("loads={},", self.loads(&link.loads)));
            out.line(format!("parts={},", self.parts(link.parts.iter().copied())));
            out.line(format!("needs={},", self.needs(&link.needs)));
            out.line(format!("rules={rules},"));
            out.line(format!("fire={fire},"));
            out.line(format!("optional={},", truth(link.optional)));
            if let Some(when) = when {
                out.line(format!("when={when},"));
            }
        });
    }

    fn loads(&self, loads: &[Load]) -> String {
        tuple(loads.iter().map(|it| {
            let owned = if it.owned.is_empty() { String::new() } else { format!(", {}", self.parts(it.owned.iter().copied())) };
            format!("statespec.Load({}, {}{owned})", self.name(it.part), quoted(key_name(it.key)))
        }))
    }

    fn needs(&self, needs: &[Need]) -> String {
        tuple(needs.iter().map(|it| {
            let created = if it.created { ", created=True" } else { "" };
            let belongs = if it.belongs { ", belongs=True" } else { "" };
            format!("statespec.Need({}{created}{belongs})", self.name(it.part))
        }))
    }

    fn rules(&mut self, rules: &[Rule]) -> String {
        let rules: Vec<String> = rules.iter().map(|it| format!("statespec.Rule({}, {})", it.rule, self.condition(&it.require))).collect();
        tuple(rules)
    }

    /// A function of its own, and its name.
    fn function(&mut self, parameters: &str, ty: &str, body: &str) -> String {
        let name = format!("_function_{}", self.n_functions);
        self.n_functions += 1;
        define(&mut self.functions, format!("def {name}({parameters}) -> {ty}:\n    return {body}"));
        name
    }

    /// What a printer of expressions makes; its decimals become those of the module.
    fn printed(&mut self, transaction: Option<usize>, print: impl FnOnce(&mut Exprs<'_>) -> String) -> String {
        let scope = self.names.scope(transaction);
        let mut exprs = exprs(&scope);
        exprs.decimals = std::mem::take(&mut self.decimals);
        let text = print(&mut exprs);
        self.decimals = exprs.decimals;
        self.functions.imports.extend(exprs.imports);
        text
    }

    /// A condition outside of transactions.
    fn condition(&mut self, expr: &Expr) -> String {
        let text = self.printed(None, |it| it.text(expr));
        self.function("v: statespec.View", "bool", &text)
    }

    fn fire(&mut self, fire: &Fire, transaction: Option<usize>) -> String {
        let (names, part) = (self.names, fire.part);
        let request = transaction.map_or_else(|| "object".to_owned(), |it| names.own.requests[it].clone());
        let parameters = format!("v: statespec.View, r: {request}");
        let machine = names.machine(part);
        let fields: Vec<_> = machine.payload_fields(fire.event).map(|it| it.0).collect();
        let values = fields.into_iter().zip(&fire.payload).map(|(id, given)| {
            let value = self.printed(transaction, |it| it.text_of(&given.value, part));
            format!("{}={value}", names.idents(part).payload(id))
        });
        let values = values.collect::<Vec<_>>().join(", ");
        let alias = names.alias(part);
        // A transaction may let a timer elapse.
        let event = match machine.event(fire.event).timer {
            Some(_) => format!("{alias}.Timer.{}", names.idents(part).kind(fire.event)),
            None => format!("{alias}.{}({values})", names.idents(part).event(fire.event)),
        };
        let event = self.function(&parameters, &names.event_ty(part), &event);
        let divides = fire.payload.iter().filter_map(|it| it.divides.as_ref());
        let divides: Vec<String> = divides.map(|it| format!("({})", self.printed(transaction, |exprs| exprs.text(it)))).collect();
        let divides = match divides.is_empty() {
            true => String::new(),
            false => format!(", divides={}", self.function(&parameters, "bool", &divides.join(" or "))),
        };
        let in_memory = if fire.in_memory { ", in_memory=True" } else { "" };
        format!("statespec.Fire({}, {event}{divides}{in_memory})", self.name(part))
    }
}
