//! The module of a system: requests, the interface of a store, and the tables that the support file executes.

mod names;
mod tables;
mod types;

use statespec_lang::model::{Model, System};
use statespec_lang::program::SystemProgram;

use super::Style;
use super::types::doc;
use crate::writer::Writer;
use names::Names;

/// The module of a system.
pub(super) fn module(model: &Model, system: &System, style: &Style) -> String {
    let program = SystemProgram::of(model, system);
    let names = Names::of(model, &program);
    let mut out = Writer::new("  ");
    doc(&mut out, Some(system.doc.as_deref().unwrap_or(&system.title)));
    out.blank();
    out.line(format!("import * as s from \"./{}{}\";", super::SUPPORT, style.extension));
    for (module, file) in names.modules() {
        out.line(format!("import * as {module} from \"./{file}{}\";", style.extension));
    }
    types::write(&mut out, &names);
    functions(&mut out, &names);
    tables::write(&mut out, &names, style);
    out.into_text()
}

/// The exported functions.
fn functions(out: &mut Writer, names: &Names<'_>) {
    let asks = names.with_predicates().next().is_some();
    let (parameter, argument, pass) = if asks { (", predicates: Predicates", "predicates", ", predicates") } else { ("", "{}", "") };
    let mut function = |about: &str, signature: String, body: String| {
        out.blank();
        doc(out, Some(about));
        out.block(format!("export {signature} {{"), "}", |out| out.line(format!("return {body};")));
    };
    let transact = format!("s.transact<Planned>(SYSTEM, request, {argument})");
    function(
        "What a transaction changes, or why it is refused. Nothing is stored: the caller stores the writes, all or nothing.",
        format!("function plan(store: Store, request: Request{parameter}): Result"),
        format!("s.drive(store, {transact})"),
    );
    function(
        "The same for a store whose methods return promises.",
        format!("async function planAsync(store: s.Async<Store>, request: Request{parameter}): Promise<Result>"),
        format!("s.driveAsync(store, {transact})"),
    );
    // Without transactions, there is nothing that an actor may trigger.
    if !names.system().actors.is_empty() && !names.system().transactions.is_empty() {
        function(
            "The same in the name of an actor: refused where the actor may not trigger the transaction.",
            format!("function planAs(actor: Actor, store: Store, request: Request{parameter}): Result"),
            format!("s.permitTransaction(SYSTEM, request.type, actor) ?? plan(store, request{pass})"),
        );
        function(
            "The same for a store whose methods return promises.",
            format!("async function planAsAsync(actor: Actor, store: s.Async<Store>, request: Request{parameter}): Promise<Result>"),
            format!("s.permitTransaction(SYSTEM, request.type, actor) ?? planAsync(store, request{pass})"),
        );
        function(
            "Whether an actor may trigger a transaction.",
            "function mayTrigger(actor: Actor, transaction: Request[\"type\"]): boolean".into(),
            "s.mayTrigger(SYSTEM, transaction, actor)".into(),
        );
    }
    if !names.program.invariants.is_empty() {
        function(
            "The first invariant that does not hold, as a refusal; `null` if all hold. A plan checks those that it may break.",
            "function checkInvariants(store: Store): s.RefusedTransaction | null".into(),
            "s.drive(store, s.checkAll(SYSTEM))".into(),
        );
        function(
            "The same for a store whose methods return promises.",
            "async function checkInvariantsAsync(store: s.Async<Store>): Promise<s.RefusedTransaction | null>".into(),
            "s.driveAsync(store, s.checkAll(SYSTEM))".into(),
        );
    }
    function(
        "A store in memory with these instances.",
        "function memory(content: readonly Write[] = []): s.Memory<Store, Write>".into(),
        "s.memory(SYSTEM, content)".into(),
    );
    function(
        "A request as JSON.",
        "function encodeRequest(request: Request): string".into(),
        "s.printJson(s.writeRequest(SYSTEM, request))".into(),
    );
    function(
        "Reads a request. Throws a `DecodeError`.",
        "function decodeRequest(text: string): Request".into(),
        "s.readRequest(SYSTEM, s.parseJson(text))".into(),
    );
}
