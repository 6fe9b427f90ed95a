//! The exported types of a system: actors, requests, the store, and what a plan has.

use statespec_lang::model::system::Transaction;

use super::names::Names;
use crate::systems::{Methods, RequestValue};
use crate::typescript::idents::{member, quoted};
use crate::typescript::types::doc;
use crate::writer::Writer;

pub(super) fn write(out: &mut Writer, names: &Names<'_>) {
    actors(out, names);
    requests(out, names);
    store(out, names);
    predicates(out, names);
    let of_parts = |name: &str, ty: &dyn Fn(&str, &str, &str) -> String| {
        let parts = names.system().part_ids();
        let members = parts.map(|it| ty(&quoted(names.name(it)), &names.ty(it), names.alias(it))).collect();
        (name.to_owned(), members)
    };
    let unions: [(&str, (String, Vec<String>)); 3] = [
        ("An instance that a transaction changes.", of_parts("Write", &|part, machine, _| format!("s.PartWrite<{part}, {machine}>"))),
        (
            "An event that a transaction or one of its links fired.",
            of_parts("Change", &|part, machine, module| format!("s.PartChange<{part}, {machine}, {module}.Recorded>")),
        ),
        ("An effect of a transaction.", of_parts("Effect", &|part, _, module| format!("s.PartEffect<{part}, {module}.Effect>"))),
    ];
    for (about, (name, members)) in unions {
        out.blank();
        doc(out, Some(about));
        union(out, &name, members.into_iter().map(|it| (String::new(), it)).collect());
    }
    out.blank();
    doc(out, Some("What a transaction changes: the writes, the events and the effects."));
    out.line("export type Planned = s.Planned<Write, Change, Effect>;");
    out.blank();
    doc(out, Some("What a transaction changes, or a refusal."));
    out.line("export type Result = Planned | s.RejectedTransaction;");
    out.blank();
    doc(out, Some("What conditions and payloads read: the instances, by part and role."));
    out.block("export type Instances = {", "};", |out| {
        names.all().for_each(|it| out.line(format!("readonly {}: s.Seen<{}>;", member(names.name(it)), names.ty(it))));
    });
}

fn actors(out: &mut Writer, names: &Names<'_>) {
    let actors = &names.system().actors;
    if actors.is_empty() {
        return;
    }
    let idents = crate::names::Names::default().claim_all(actors.iter().map(|it| it.name.as_str()), crate::names::pascal);
    out.blank();
    doc(out, Some("The actors that trigger transactions."));
    out.block("export const Actor = {", "} as const;", |out| {
        for (it, ident) in actors.iter().zip(idents) {
            doc(out, Some(&it.doc));
            out.line(format!("{ident}: {},", quoted(&it.name)));
        }
    });
    out.line("export type Actor = (typeof Actor)[keyof typeof Actor];");
}

/// The description of a transaction: what the spec says, and who may trigger it.
fn about(names: &Names<'_>, it: &Transaction) -> String {
    let by: Vec<String> = it.by.iter().map(|id| format!("`{}`", names.system().actors[id.index()].name)).collect();
    let by = (!by.is_empty()).then(|| format!("Triggered by {}.", by.join(", ")));
    let parts = [it.doc.clone(), by, it.on_failure.clone()];
    parts.into_iter().flatten().collect::<Vec<_>>().join("\n\n")
}

fn requests(out: &mut Writer, names: &Names<'_>) {
    let transactions = names.system().transactions.iter().zip(&names.own.requests);
    let members = transactions.map(|(it, fields)| {
        let field = |field: &crate::systems::RequestField| {
            let ty = match field.value {
                RequestValue::Key(_) => "s.Reference".to_owned(),
                RequestValue::Input(idx) => names.input_ty(&it.payload[idx]),
            };
            format!("; readonly {}: {ty}", member(&field.name))
        };
        let fields: String = fields.iter().map(field).collect();
        (about(names, it), format!("{{ readonly type: {}{fields} }}", quoted(&it.name)))
    });
    let members = members.collect();
    out.blank();
    doc(out, Some("The requests for transactions."));
    union(out, "Request", members);
}

fn store(out: &mut Writer, names: &Names<'_>) {
    out.blank();
    doc(out, Some("What a plan reads of your store, inside one transaction of it."));
    out.block("export interface Store {", "}", |out| {
        for (part, Methods { load, key, list, create }) in names.system().part_ids().zip(&names.methods) {
            let (name, ty) = (names.name(part), names.ty(part));
            let many = names.system().part(part).many;
            doc(out, Some(&format!("The `{name}`{}; `null` if it is not there.", if many { " with this key" } else { "" })));
            out.line(format!("{load}({}): {ty} | null;", if many { "key: s.Reference" } else { "" }));
            if let Some(key) = key {
                doc(out, Some(&format!("The key of the `{name}`, whether it is there or not.")));
                out.line(format!("{key}(): s.Reference;"));
            }
            if let Some(list) = list {
                doc(out, Some(&format!("All instances of `{name}` with their keys: invariants check each.")));
                out.line(format!("{list}(): Iterable<readonly [s.Reference, {ty}]>;"));
            }
            if let Some(create) = create {
                doc(out, Some(&format!("The key of a new `{name}`: another one with every call.")));
                out.line(format!("{create}(): s.Reference;"));
            }
        }
    });
}

fn predicates(out: &mut Writer, names: &Names<'_>) {
    if names.with_predicates().next().is_none() {
        return;
    }
    out.blank();
    doc(out, Some("The conditions that your code decides, by part."));
    out.block("export type Predicates = {", "};", |out| {
        names.with_predicates().for_each(|it| out.line(format!("readonly {}: {}.Predicates;", member(names.name(it)), names.alias(it))));
    });
}

/// A union of types, each with a description.
fn union(out: &mut Writer, name: &str, members: Vec<(String, String)>) {
    let Some(last) = members.len().checked_sub(1) else {
        return out.line(format!("export type {name} = never;"));
    };
    out.line(format!("export type {name} ="));
    out.indented(|out| {
        for (idx, (text, it)) in members.into_iter().enumerate() {
            doc(out, (!text.is_empty()).then_some(text.as_str()));
            out.line(format!("| {it}{}", if idx == last { ";" } else { "" }));
        }
    });
}
