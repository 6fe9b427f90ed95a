//! The constant `SYSTEM`: what the support file executes.

use statespec_lang::model::PartId;
use statespec_lang::model::system::Crossing;
use statespec_lang::program::Expr;
use statespec_lang::program::system::{Fire, Invariant, Link, Load, Need, Rule, Transaction};

use super::names::Names;
use crate::systems::{Methods, RequestField, RequestValue, key_name};
use crate::typescript::Style;
use crate::typescript::decide::stored;
use crate::typescript::expr::text;
use crate::typescript::idents::{key, quoted};
use crate::typescript::types::doc;
use crate::typescript::used::Used;
use crate::writer::Writer;

pub(super) fn write(out: &mut Writer, names: &Names<'_>, style: &Style) {
    let system = names.system();
    out.blank();
    for (played, module) in names.constants() {
        out.line(format!("const {played}: s.Played = s.played({module}.MACHINE);"));
    }
    out.blank();
    doc(out, Some("The tables and functions of the system, which the support file executes."));
    let tables = Tables { names, style };
    out.block("export const SYSTEM: s.System = {", "};", |out| {
        out.line(format!("name: {},", quoted(&system.name)));
        out.block("parts: [", "],", |out| names.all().for_each(|it| out.line(tables.part(it))));
        out.block("transactions: [", "],", |out| {
            (0..system.transactions.len()).for_each(|idx| tables.transaction(out, idx));
        });
        out.block("links: [", "],", |out| names.program.links.iter().for_each(|it| tables.link(out, it)));
        out.line(format!("rules: {},", texts(system.rules.iter().map(|it| it.doc.as_str()))));
        out.line(format!("invariantTexts: {},", texts(system.invariants.iter().map(|it| it.doc.as_str()))));
        out.block("invariants: [", "],", |out| names.program.invariants.iter().for_each(|it| out.line(tables.invariant(it))));
    });
}

fn texts<'t>(items: impl Iterator<Item = &'t str>) -> String {
    list(items.map(quoted))
}

fn list(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(", "))
}

struct Tables<'a> {
    names: &'a Names<'a>,
    style: &'a Style,
}

impl Tables<'_> {
    fn name(&self, part: PartId) -> String {
        quoted(self.names.name(part))
    }

    fn parts(&self, parts: impl IntoIterator<Item = PartId>) -> String {
        list(parts.into_iter().map(|it| self.name(it)))
    }

    fn part(&self, id: PartId) -> String {
        let (declared, part) = (self.names.system().part(id), self.names.program.part(id));
        let Methods { load, key, list, create } = &self.names.methods[part.plays.index()];
        let mut members = vec![
            format!("name: {}", self.name(id)),
            format!("plays: {}", self.name(part.plays)),
            format!("machine: {}", self.names.played(id)),
            format!("many: {}", declared.many),
            format!("begins: {}", part.begins.is_some()),
        ];
        if let Some(owner) = part.owner {
            let field = &self.names.machine(id).fields[owner.field.index()];
            members.push(format!("owner: [{}, {}, {}]", self.name(owner.part), quoted(&field.name), field.optional));
        }
        members.push(format!("missing: {}, same: {}", quoted(&part.missing), quoted(&part.same)));
        members.push(format!("load: {}", quoted(load)));
        for (name, method) in [("key", key), ("list", list), ("create", create)] {
            members.extend(method.as_ref().map(|it| format!("{name}: {}", quoted(it))));
        }
        format!("{{ {} }},", members.join(", "))
    }

    fn transaction(&self, out: &mut Writer, idx: usize) {
        let (declared, program) = (&self.names.system().transactions[idx], &self.names.program.transactions[idx]);
        let Transaction { loads, distinct, parts, needs, rules, fires, checks, .. } = program;
        let fields = &self.names.own.requests[idx];
        out.block("{", "},", |out| {
            out.line(format!("name: {},", quoted(&declared.name)));
            if !declared.by.is_empty() {
                out.line(format!("by: {},", texts(declared.by.iter().map(|it| self.names.system().actors[it.index()].name.as_str()))));
            }
            let named = fields.iter().filter_map(|RequestField { name, value }| match value {
                RequestValue::Key(part) => Some(format!("[{}, {}]", self.name(*part), quoted(name))),
                RequestValue::Input(_) => None,
            });
            out.line(format!("named: {},", list(named)));
            let field = |RequestField { name, value }: &RequestField| {
                let codec = match value {
                    RequestValue::Key(_) => "s.REFERENCE".to_owned(),
                    RequestValue::Input(idx) => self.names.input_codec(&declared.payload[*idx]),
                };
                format!("[{}, {}, {codec}]", quoted(name), quoted(name))
            };
            out.line(format!("fields: {},", list(fields.iter().map(field))));
            out.line(format!("loads: {},", self.loads(loads)));
            let distinct = distinct.iter().map(|it| format!("[{}, {}]", self.name(it.part), self.parts(it.among.iter().copied())));
            out.line(format!("distinct: {},", list(distinct)));
            out.line(format!("parts: {},", self.parts(parts.iter().copied())));
            out.line(format!("needs: {},", self.needs(needs)));
            out.line(format!("rules: {},", self.rules(rules)));
            out.line(format!("fires: {},", list(fires.iter().map(|it| self.fire(it, Some(idx))))));
            out.line(format!("checks: {},", list(checks.iter().map(ToString::to_string))));
        });
    }

    fn link(&self, out: &mut Writer, link: &Link) {
        out.block("{", "},", |out| {
            let on = if link.on == Crossing::Enter { "enter" } else { "exit" };
            let state = quoted(&self.names.machine(link.part).state(link.state).wire);
            out.line(format!("part: {}, on: {}, state: {state},", self.name(link.part), quoted(on)));
            out.line(format!("loads: {},", self.loads(&link.loads)));
            out.line(format!("parts: {},", self.parts(link.parts.iter().copied())));
            if let Some(when) = &link.when {
                let divides = when.divides.iter().map(|it| format!(", divides: {}", self.condition(it)));
                let needs = self.parts(when.needs.iter().copied());
                out.line(format!("when: {{ needs: {needs}{}, holds: {} }},", divides.collect::<String>(), self.condition(&when.condition)));
            }
            out.line(format!("needs: {},", self.needs(&link.needs)));
            out.line(format!("rules: {},", self.rules(&link.rules)));
            out.line(format!("fire: {},", self.fire(&link.fire, None)));
            out.line(format!("optional: {},", link.optional));
        });
    }

    fn invariant(&self, it: &Invariant) -> String {
        let each = it.each.map_or_else(String::new, |it| format!("each: {}, ", self.name(it)));
        let (owners, parts) = (self.parts(it.owners.iter().copied()), self.parts(it.parts.iter().copied()));
        format!("{{ {each}owners: {owners}, parts: {parts}, require: {} }},", self.condition(&it.require))
    }

    fn loads(&self, loads: &[Load]) -> String {
        list(loads.iter().map(|it| {
            let owned = if it.owned.is_empty() { String::new() } else { format!(", {}", self.parts(it.owned.iter().copied())) };
            format!("[{}, {}{owned}]", self.name(it.part), quoted(key_name(it.key)))
        }))
    }

    fn needs(&self, needs: &[Need]) -> String {
        list(needs.iter().map(|it| format!("[{}, {}, {}]", self.name(it.part), it.created, it.belongs)))
    }

    fn rules(&self, rules: &[Rule]) -> String {
        list(rules.iter().map(|it| format!("[{}, {}]", it.rule, self.condition(&it.require))))
    }

    /// A condition outside of transactions.
    fn condition(&self, expr: &Expr) -> String {
        let mut used = Used::default();
        let body = text(&self.names.scope(None), expr, None, &mut used);
        function(&body, &used, "boolean", None)
    }

    fn fire(&self, fire: &Fire, transaction: Option<usize>) -> String {
        let (machine, scope) = (self.names.machine(fire.part), self.names.scope(transaction));
        let (event, idents) = (machine.event(fire.event), self.names.idents(fire.part));
        let request =
            transaction.map(|it| format!("Extract<Request, {{ readonly type: {} }}>", quoted(&self.names.system().transactions[it].name)));
        let mut used = Used::default();
        let fields = machine.payload_fields(fire.event).zip(&fire.payload).map(|((id, field), given)| {
            let value = stored(self.style.int, text(&scope, &given.value, Some(fire.part), &mut used), &given.value, &field.name);
            format!(", {}: {value}", key(&idents.payload[id.index()]))
        });
        let value = format!("({{ type: {}{} }})", quoted(&event.name), fields.collect::<String>());
        // A transaction may let a timer elapse.
        let ty = format!("{}.Recorded", self.names.alias(fire.part));
        let mut members =
            vec![format!("part: {}", self.name(fire.part)), format!("event: {}", function(&value, &used, &ty, request.as_deref()))];
        let mut used = Used::default();
        let divides = fire.payload.iter().filter_map(|it| it.divides.as_ref()).map(|it| text(&scope, it, None, &mut used));
        let divides: Vec<String> = divides.collect();
        if !divides.is_empty() {
            let divides: Vec<String> = divides.into_iter().map(|it| format!("({it})")).collect();
            members.push(format!("divides: {}", function(&divides.join(" || "), &used, "boolean", request.as_deref())));
        }
        if fire.in_memory {
            members.push("inMemory: true".to_owned());
        }
        format!("{{ {} }}", members.join(", "))
    }
}

/// A function of the instances, and of the request if there is one; the body reads what is `used`.
fn function(body: &str, used: &Used, ty: &str, request: Option<&str>) -> String {
    let parameters = match (used.has("at"), request.filter(|_| used.has("it"))) {
        (true, Some(request)) => format!("at: Instances, it: {request}"),
        (false, Some(request)) => format!("_at: Instances, it: {request}"),
        (true, None) => "at: Instances".to_owned(),
        (false, None) => String::new(),
    };
    format!("({parameters}): {ty} => {body}")
}
