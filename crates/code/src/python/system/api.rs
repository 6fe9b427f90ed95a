//! What callers of the module of a system use: requests, the store, writes, and the functions that plan.

use statespec_lang::model::PartId;
use statespec_lang::model::system::Transaction;

use super::names::Names;
use crate::python::forms::{self, alias, checks, data_class, define, union};
use crate::python::idents::{docstring, quoted};
use crate::python::imports::{ASSERT_NEVER, CLASS_VAR, FINAL, ITERABLE, PROTOCOL};
use crate::systems::{Methods, RequestValue};
use crate::writer::Writer;

pub(super) fn types(out: &mut Writer, names: &Names<'_>) {
    actors(out, names);
    for idx in 0..names.system().transactions.len() {
        request(out, names, idx);
    }
    union(out, "Request", names.own.requests.iter().map(String::as_str));
    for (id, class) in names.system().part_ids().zip(&names.own.writes) {
        let ty = names.class(id);
        data_class(out, class, "");
        out.line(format!("    \"\"\"A `{}` that a transaction changes.\"\"\"", names.name(id)));
        out.line("\n    key: statespec.Reference\n    \"\"\"Its key; `1` for an only instance whose key nothing asks for.\"\"\"");
        out.line(format!("    before: {ty} | None\n    \"\"\"What was loaded; `None` if it is new.\"\"\"\n    after: {ty}"));
        let class_var = out.imports.name(CLASS_VAR);
        out.line(format!("    part: {class_var}[str] = {}", quoted(names.name(id))));
    }
    union(out, "Write", names.own.writes.iter().map(String::as_str));
    let effects: Vec<String> = names.modules().map(|(alias, _)| format!("{alias}.Effect")).collect();
    union(out, "Effect", effects.iter().map(String::as_str));
    union(out, "Planned", ["statespec.Planned[Write, Effect]"]);
    out.line("\"\"\"What a transaction changes.\"\"\"");
    alias(out, "Refused", "statespec.RefusedTransaction");
    out.line("\"\"\"Why a transaction was refused.\"\"\"");
    predicates(out, names);
    store(out, names, false);
    store(out, names, true);
}

fn actors(out: &mut Writer, names: &Names<'_>) {
    if names.own.actors.is_empty() {
        return;
    }
    let members = names.system().actors.iter().zip(&names.own.actors);
    let members = members.map(|(it, ident)| (ident.as_str(), it.name.as_str(), Some(it.doc.as_str())));
    forms::names(out, "Actor", "The actors that trigger transactions.", members);
}

/// The description of a transaction: what the spec says, and who may trigger it.
fn about(names: &Names<'_>, it: &Transaction) -> String {
    let by: Vec<String> = it.by.iter().map(|id| format!("`{}`", names.system().actors[id.index()].name)).collect();
    let by = (!by.is_empty()).then(|| format!("Triggered by {}.", by.join(", ")));
    let doc = it.doc.clone().unwrap_or_else(|| format!("The transaction `{}`.", it.name));
    [Some(doc), by, it.on_failure.clone()].into_iter().flatten().collect::<Vec<_>>().join("\n\n")
}

fn request(out: &mut Writer, names: &Names<'_>, idx: usize) {
    let it = &names.system().transactions[idx];
    data_class(out, &names.own.requests[idx], ", kw_only=True");
    out.indented(|out| {
        out.line(docstring(&about(names, it)));
        if !names.own.fields[idx].is_empty() {
            out.blank();
        }
        for (ident, field) in &names.own.fields[idx] {
            let RequestValue::Input(input) = field.value else {
                out.line(format!("{ident}: statespec.Reference"));
                continue;
            };
            let input = &it.payload[input];
            let ty = names.input_ty(input, &mut out.imports);
            out.line(format!("{ident}: {ty}"));
            input.field.doc.iter().for_each(|it| out.line(docstring(it)));
        }
        let inputs = names.own.fields[idx].iter().filter_map(|(ident, field)| match field.value {
            RequestValue::Input(at) => Some((ident.as_str(), field.name.as_str(), &it.payload[at].field.ty)),
            RequestValue::Key(_) => None,
        });
        checks(out, inputs);
    });
}

fn predicates(out: &mut Writer, names: &Names<'_>) {
    if names.with_predicates().next().is_none() {
        return;
    }
    data_class(out, "Predicates", ", kw_only=True");
    out.line("    \"\"\"Conditions that the program decides, by part.\"\"\"\n");
    for it in names.with_predicates() {
        out.line(format!("    {}: {}.Predicates", names.own.members[it.index()], names.alias(it)));
    }
}

/// The signatures of a store: name, parameters, result, description.
fn signatures(out: &mut Writer, names: &Names<'_>, id: PartId) -> Vec<(String, &'static str, String, String)> {
    let (name, ty) = (names.name(id), names.class(id));
    let Methods { load, key, list, create } = &names.methods[id.index()];
    let many = names.system().part(id).many;
    let parameter = if many { ", key: statespec.Reference" } else { "" };
    let loaded = format!("The `{name}`{}; `None` if it is not there.", if many { " with this key" } else { "" });
    let mut all = vec![(load.clone(), parameter, format!("{ty} | None"), loaded)];
    let reference = || "statespec.Reference".to_owned();
    all.extend(key.iter().map(|it| (it.clone(), "", reference(), format!("The key of the `{name}`, whether it is there or not."))));
    if let Some(it) = list {
        let listed = format!("{}[tuple[statespec.Reference, {ty}]]", out.imports.name(ITERABLE));
        all.push((it.clone(), "", listed, format!("All instances of `{name}` with their keys.")));
    }
    all.extend(create.iter().map(|it| (it.clone(), "", reference(), format!("The key of a new `{name}`: another one with every call."))));
    all
}

fn store(out: &mut Writer, names: &Names<'_>, is_async: bool) {
    let (class, keyword) = if is_async { ("AsyncStore", "async ") } else { ("Store", "") };
    let protocol = out.imports.name(PROTOCOL);
    define(out, format!("class {class}({protocol}):\n    \"\"\"What a plan reads of your store, inside one transaction of it.\"\"\""));
    out.indented(|out| {
        for id in names.system().part_ids() {
            for (name, parameter, ty, about) in signatures(out, names, id) {
                out.line(format!("\n{keyword}def {name}(self{parameter}) -> {ty}:\n    {}\n    ...", docstring(&about)));
            }
        }
    });
}

pub(super) fn functions(out: &mut Writer, names: &Names<'_>) {
    memory(out, names);
    let asks = names.with_predicates().next().is_some();
    let (parameter, pass) = if asks { (", predicates: Predicates", "predicates") } else { ("", "None") };
    let pass_on = if asks { ", predicates" } else { "" };
    let has_actors = !names.own.actors.is_empty();
    let (actor, actor_on) = if has_actors { (", *, actor: Actor | None = None", ", actor=actor") } else { ("", "") };
    for (suffix, keyword, store, drive, wait) in
        [("", "", "Store", "drive", ""), ("_async", "async ", "AsyncStore", "drive_async", "await ")]
    {
        define(out, format!("{keyword}def try_plan{suffix}(store: {store}, request: Request{parameter}{actor}) -> Planned | Refused:"));
        out.line("    \"\"\"What a transaction changes, or why it is refused. Nothing is stored: the caller stores the writes, all or nothing.\"\"\"");
        if has_actors {
            out.line("    denied = None if actor is None else statespec.denied(SYSTEM, request, actor)\n    if denied is not None:\n        return denied");
        }
        out.line(format!("    return {wait}statespec.{drive}(store, statespec.transact(SYSTEM, request, {pass}))"));
        define(out, format!("{keyword}def plan{suffix}(store: {store}, request: Request{parameter}{actor}) -> Planned:"));
        out.line(format!("    \"\"\"What a transaction changes; raises `Refused`.\"\"\"\n    outcome = {wait}try_plan{suffix}(store, request{pass_on}{actor_on})"));
        out.line("    if isinstance(outcome, statespec.RefusedTransaction):\n        raise outcome\n    return outcome");
        if !names.program.invariants.is_empty() {
            define(out, format!("{keyword}def check_invariants{suffix}(store: {store}) -> Refused | None:"));
            out.line(format!("    \"\"\"The first invariant that does not hold; a plan checks those that it may break.\"\"\"\n    return {wait}statespec.{drive}(store, statespec.check_all(SYSTEM))"));
        }
    }
    json(out, names);
}

fn memory(out: &mut Writer, names: &Names<'_>) {
    let [iterable, fixed] = [ITERABLE, FINAL].map(|it| out.imports.name(it));
    define(out, "class Memory:\n    \"\"\"A store in memory.\"\"\"\n");
    out.line(format!("    def __init__(self, writes: {iterable}[Write] = ()) -> None:"));
    out.line(format!("        self._held: {fixed} = statespec.Held()\n        self.put(writes)"));
    out.line(format!("\n    def put(self, writes: {iterable}[Write]) -> None:"));
    out.line("        \"\"\"Stores what a plan writes.\"\"\"\n        for it in writes:");
    out.line("            self._held.put(it.part, it.key, it.after)");
    for id in names.system().part_ids() {
        let (part, many) = (quoted(names.name(id)), names.system().part(id).many);
        let Methods { load, key, list, create } = &names.methods[id.index()];
        for (name, parameter, ty, about) in signatures(out, names, id) {
            out.line(format!("\n    def {name}(self{parameter}) -> {ty}:\n        {}", docstring(&about)));
            let is = |it: &Option<String>| it.as_ref() == Some(&name);
            let body = if *load == name {
                format!("found: {ty} = self._held.get({part}, {})\n        return found", if many { "key" } else { "1" })
            } else if is(key) {
                "return 1".to_owned()
            } else if is(list) {
                format!("return self._held.all({part})")
            } else if is(create) {
                format!("return self._held.next_key({part})")
            } else {
                continue;
            };
            out.line(format!("        {body}"));
        }
    }
}

fn json(out: &mut Writer, names: &Names<'_>) {
    let transactions = || names.system().transactions.iter().enumerate();
    define(out, "def encode_request(request: Request) -> statespec.Json:\n    \"\"\"A request as JSON.\"\"\"\n    match request:");
    for (idx, it) in transactions() {
        out.line(format!("        case {}():", names.own.requests[idx]));
        let fields = names.own.fields[idx].iter().map(|(ident, field)| {
            let is_decimal =
                matches!(field.value, RequestValue::Input(at) if it.payload[at].field.ty == statespec_lang::model::Type::Decimal);
            let value = if is_decimal { format!("statespec.encode_decimal(request.{ident})") } else { format!("request.{ident}") };
            format!("{}: {value}", quoted(&field.name))
        });
        let fields: Vec<String> = fields.collect();
        match fields.is_empty() {
            true => out.line(format!("            return {}", quoted(&it.name))),
            false => out.line(format!("            return {{{}: {{{}}}}}", quoted(&it.name), fields.join(", "))),
        }
    }
    let assert_never = out.imports.name(ASSERT_NEVER);
    out.line(format!("        case _:\n            {assert_never}(request)"));
    define(out, "def decode_request(value: object) -> Request:\n    \"\"\"A request of its JSON; `DecodeError` for anything else.\"\"\"");
    out.line("    name, data = statespec.as_only(value, \"a request\")\n    match name:");
    for (idx, it) in transactions() {
        let class = &names.own.requests[idx];
        out.line(format!("        case {}:", quoted(&it.name)));
        if names.own.fields[idx].is_empty() {
            out.line(format!("            statespec.no_data(name, data)\n            return {class}()"));
            continue;
        }
        let fields = names.own.fields[idx].iter().map(|(ident, field)| {
            let (reader, is_optional) = match field.value {
                RequestValue::Key(_) => ("statespec.read_reference".to_owned(), false),
                RequestValue::Input(at) => (names.input_reader(&it.payload[at]), it.payload[at].field.optional),
            };
            let read = if is_optional { "read_optional" } else { "read" };
            format!("{ident}=statespec.{read}(fields, {}, {reader})", quoted(&field.name))
        });
        let fields = fields.collect::<Vec<_>>().join(", ");
        out.line(format!("            fields = statespec.some_data(name, data)\n            return {class}({fields})"));
    }
    let known: Vec<String> = transactions().map(|(_, it)| quoted(&it.name)).collect();
    out.line(format!("        case _:\n            raise statespec.unknown_name(name, \"transaction\", [{}])", known.join(", ")));
}
