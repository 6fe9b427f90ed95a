//! Functions that set a state, and whose steps were not read.
//!
//! ```text
//! fn abort(&mut self) { self.phase = Phase::Aborted; }
//! ```
//!
//! Where the steps of an enum are read from such code, and not from a table of all of them, a spec without this
//! step would say less than the code.

use std::collections::BTreeSet;
use std::ops::Range;

use super::Machine;
use super::edges::Reads;
use super::items::{Function, Items, type_name};
use super::range::range;
use super::setters::Setters;
use super::variables::{Site, Variables};
use super::words;
use crate::import::draft::Findings;

/// Reports functions that set a state of a machine, and that neither were read nor are called by those that were.
///
/// So they are of an enum without steps, if its name or the code says that it has states.
pub(super) fn report(
    items: &Items<'_>,
    variables: &[Variables],
    setters: &Setters<'_>,
    reads: &Reads,
    machines: &[Machine],
    lost: &mut Findings,
) {
    for (of, machine) in machines.iter().enumerate() {
        let item = &items.enums[of];
        // Nothing is imported from an enum whose declaration is not known, and that is reported.
        if !item.is_known() {
            continue;
        }
        let has_steps = !machine.draft.rows.is_empty();
        // A table says which steps are allowed, whatever the code does.
        let compares = |idx: usize| variables[idx].all.iter().any(|it| it.of == of);
        let has_states = || {
            let takes_steps = |idx: usize| compares(idx) && setters.sets(idx, of, |_| true);
            item.is_local() && (words::is_of_states(&item.name) || (0..variables.len()).any(takes_steps))
        };
        if machine.is_table || machine.draft.complete || !(has_steps || has_states()) {
            continue;
        }
        let is_read = |idx: usize| reads.functions.contains(&(idx, of));
        // Code outside may call a public function in any state, whoever else calls it.
        let is_covered = |idx: usize| is_read(idx) || (reads.seen.called.contains(&(idx, of)) && !items.functions[idx].is_public);
        // Nothing that was followed sets the state here.
        let unreached_sites = |idx: usize| {
            let sites = setters.sites(idx, of, is_read);
            let is_imported = move |it: &Site| it.is_returned && reads.returning.contains(&(idx, of));
            sites.filter(move |it| !reads.seen.reached.contains(&it.range.start) && !is_imported(it))
        };
        let unreached = |idx: usize| unreached_sites(idx).map(|it| it.range.clone());
        if has_steps {
            for idx in (0..items.functions.len()).filter(|it| is_read(*it)) {
                let is_told = |it: &Range<usize>| reads.lost.iter().any(|(start, end)| (*start..*end).contains(&it.start));
                for site in unreached(idx).filter(|it| !is_told(it)) {
                    let message = format!("this sets a `{}`, and could not be followed: the step is missing", item.name);
                    lost.loss(machine.place(site), message);
                }
            }
        }
        let is_covered = |idx: usize| is_covered(idx) && (is_read(idx) || unreached(idx).next().is_none());
        // `state = self.step(state)` in a loop that sets the same variable by itself, too.
        let drives = |idx: usize| {
            let is_set = |name: &String| variables[idx].assigned.get(name).is_some_and(|it| it.contains(&of));
            let by_event = |name: &str| items.functions_named(name).any(is_read);
            variables[idx].handed.iter().any(|(name, called, _)| is_set(name) && by_event(called))
        };
        let sets = |idx: usize| setters.sets(idx, of, is_read) || (has_steps && (tries(&items.functions[idx], &item.name) || drives(idx)));
        let unread = (0..items.functions.len()).filter(|it| !is_covered(*it) && sets(*it));
        let mut reported = BTreeSet::new();
        for idx in unread {
            reported.insert(idx);
            let function = &items.functions[idx];
            let place = machine.place(range(&function.signature.ident));
            let (setter, name) = (&function.name, &item.name);
            let is_new = unreached_sites(idx).next().is_some() && unreached_sites(idx).all(|it| it.enums.is_empty() && it.call.is_none());
            let message = match has_steps {
                // Values that are only stored are data, whatever they hold.
                false if is_new => continue,
                true if is_new => {
                    format!("`{setter}` stores a new value with a `{name}`: where it replaces another one, its steps are missing")
                }
                true => format!("`{setter}` sets a `{name}`, too, and could not be followed: its steps are missing"),
                false => format!("`{setter}` sets a `{name}`, and no step of it could be followed"),
            };
            lost.loss(place, message);
        }
        // `if allowed(self.state) { self.state = next(self.state); }`, where the steps of `next` are read.
        let is_step = |name: &String| items.functions_named(name).find(|it| reads.returning.contains(&(*it, of)));
        for idx in (0..items.functions.len()).filter(|it| has_steps && variables[*it].decides && !is_covered(*it)) {
            if reported.contains(&idx) {
                continue;
            }
            let Some(step) = variables[idx].assigned_from.iter().find_map(is_step) else { continue };
            let (caller, step) = (&items.functions[idx], &items.functions[step].name);
            let message = format!("`{}` decides whether it takes a step of `{step}`: this was left out", caller.name);
            lost.loss(machine.place(range(&caller.signature.ident)), message);
            reported.insert(idx);
        }
        let is_open = |idx: usize| !reported.contains(&idx) && !is_covered(idx);
        for idx in (0..items.functions.len()).filter(|it| has_steps && is_open(*it)) {
            let caller = &items.functions[idx];
            let of_state = |name: &str| items.function(Some(&item.name), name);
            let methods = variables[idx].methods.iter().filter(|(field, _)| setters.holds(caller.of.as_deref(), field, of));
            let methods: Vec<usize> = methods.filter_map(|(_, name)| of_state(name)).collect();
            let looks = variables[idx].all.iter().any(|it| it.of == of) || methods.iter().any(|it| !is_read(*it));
            let by_method = methods.iter().copied().find(|it| looks && is_read(*it));
            let in_closure =
                || variables[idx].calls.iter().copied().find(|it| is_read(*it)).filter(|_| variables[idx].closed.contains(&of));
            let Some(event) = by_method.or_else(|| event_of(&variables[idx], setters, of, is_read)).or_else(in_closure) else { continue };
            let event = &items.functions[event].name;
            let message = format!("`{}` decides by the state when it calls `{event}`: this was left out", caller.name);
            lost.loss(machine.place(range(&caller.signature.ident)), message);
        }
    }
}

/// The function with steps of its own that another one calls, which looks at the same field.
fn event_of(caller: &Variables, setters: &Setters<'_>, of: usize, is_read: impl Fn(usize) -> bool) -> Option<usize> {
    let mut fields = caller.all.iter().filter(|it| it.of == of && !it.is_parameter);
    fields.find_map(|field| caller.calls.iter().copied().find(|it| is_read(*it) && setters.assigns(*it, &field.key)))
}

/// `fn poll(&self, state: &State) -> Result<State, Error>`, `fn step(&mut self) -> Result<State, Error>`
fn tries(function: &Function<'_>, name: &str) -> bool {
    let is_it = |ty: &syn::Type| {
        let found = type_name(ty);
        found.as_deref() == Some(name) || (found.as_deref() == Some("Self") && function.of.as_deref() == Some(name))
    };
    let takes = function.signature.inputs.iter().any(|it| match it {
        syn::FnArg::Receiver(_) => function.of.as_deref() == Some(name) || words::is_step(&function.name, "", ""),
        syn::FnArg::Typed(it) => is_it(&it.ty),
    });
    let syn::ReturnType::Type(_, output) = &function.signature.output else { return false };
    let syn::Type::Path(output) = &**output else { return false };
    let Some(last) = output.path.segments.last().filter(|it| it.ident == "Result") else { return false };
    let syn::PathArguments::AngleBracketed(of) = &last.arguments else { return false };
    takes && of.args.iter().any(|it| matches!(it, syn::GenericArgument::Type(ty) if is_it(ty)))
}
