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

use quote::ToTokens;
use syn::Expr;
use syn::visit::{self, Visit};

use super::Machine;
use super::edges::Reads;
use super::items::{Function, Items, names_in, type_name};
use super::range::range;
use super::setters::Setters;
use super::starts;
use super::variables::{Site, Variables, bare};
use super::words;
use crate::draft::Findings;

/// Reports functions that set a state of a machine, and that neither were read nor are called by those that were.
///
/// So they are of an enum without steps, if its name or the code says that it has states, or if it is imported as it is.
pub(super) fn report(
    items: &Items<'_>,
    variables: &[Variables],
    setters: &Setters<'_>,
    reads: &Reads,
    machines: &[Machine],
    alone: Option<usize>,
    lost: &mut Findings,
) {
    for (of, machine) in machines.iter().enumerate() {
        let item = &items.enums[of];
        let code = Code { items, variables, setters, reads, machine, of, has_steps: !machine.draft.rows.is_empty() };
        // Nothing is imported from an enum whose declaration is not known, and that is reported.
        if !item.is_known() || !(code.has_steps || alone == Some(of) || code.has_states()) {
            continue;
        }
        let mut reported = BTreeSet::new();
        // A table says which steps are allowed, whatever the code does.
        let is_table = machine.is_table || machine.draft.complete;
        if !is_table {
            code.report_places(lost);
            reported = code.report_setters(lost);
        }
        if code.has_steps {
            code.report_deciders(&mut reported, lost);
            code.report_refusers(lost);
            code.report_silent(lost);
            if !is_table {
                code.report_callers(&reported, lost);
            }
        }
    }
}

/// The code around one machine.
struct Code<'c> {
    items: &'c Items<'c>,
    variables: &'c [Variables],
    setters: &'c Setters<'c>,
    reads: &'c Reads,
    machine: &'c Machine,
    of: usize,
    has_steps: bool,
}

impl<'c> Code<'c> {
    fn name(&self) -> &'c str {
        &self.items.enums[self.of].name
    }

    fn functions(&self) -> Range<usize> {
        0..self.items.functions.len()
    }

    /// Whether an enum without steps has states all the same.
    fn has_states(&self) -> bool {
        // A parameter that is only handed on is data.
        let compares = |idx: usize| {
            let code = &self.variables[idx];
            code.all.iter().any(|it| it.of == self.of && (!it.is_parameter || code.compared.contains(&it.key)))
        };
        let takes_steps = |idx: usize| compares(idx) && self.setters.sets(idx, self.of, |_| true);
        self.items.enums[self.of].is_local() && (words::is_of_states(self.name()) || self.functions().any(takes_steps))
    }

    fn is_read(&self, idx: usize) -> bool {
        self.reads.functions.contains(&(idx, self.of))
    }

    /// Whether what a function does is read where it is called. Code outside may call a public one in any state.
    fn is_covered(&self, idx: usize) -> bool {
        let is_called = self.reads.seen.called.contains(&(idx, self.of)) && !self.items.functions[idx].is_public;
        self.is_read(idx) || (is_called && self.unreached(idx).next().is_none())
    }

    /// The places that set the state, of which nothing that was followed came across.
    fn unreached(&self, idx: usize) -> impl Iterator<Item = &'c Site> {
        let sites = self.setters.sites(idx, self.of, |it| self.is_read(it));
        let is_imported = move |it: &Site| it.is_returned && self.reads.returning.contains(&(idx, self.of));
        sites.filter(move |it| !self.reads.seen.reached.contains(&it.range.start) && !is_imported(it))
    }

    /// Places in functions that were read.
    fn report_places(&self, lost: &mut Findings) {
        let is_told = |it: &Site| self.reads.lost.iter().any(|(start, end)| (*start..*end).contains(&it.range.start));
        for idx in self.functions().filter(|it| self.has_steps && self.is_read(*it)) {
            for site in self.unreached(idx).filter(|it| !is_told(it)) {
                let is_new = site.enums.is_empty() && site.call.is_none();
                let message = match is_new {
                    // What the function does with these arguments is not known.
                    _ if site.call.is_some() => {
                        format!("this call may set a `{}`, and could not be followed: a step may be missing", self.name())
                    }
                    true => format!("this stores a value with a `{}`: where it replaces another one, the step is missing", self.name()),
                    false => format!("this sets a `{}`, and could not be followed: the step is missing", self.name()),
                };
                lost.loss(self.machine.place(site.range.clone()), message);
            }
        }
    }

    /// Functions that set the state, and were not read.
    fn report_setters(&self, lost: &mut Findings) -> BTreeSet<usize> {
        let (mut reported, of) = (BTreeSet::new(), self.name());
        let is_start = |idx: &usize| self.has_steps && starts::sets_its_own_value(self.items, &self.items.functions[*idx], self.of);
        for idx in self.functions().filter(|it| !self.is_covered(*it) && !is_start(it) && self.sets(*it)) {
            reported.insert(idx);
            let setter = &self.items.functions[idx].name;
            let unreached: Vec<&Site> = self.unreached(idx).collect();
            let is_new = !unreached.is_empty() && unreached.iter().all(|it| it.enums.is_empty() && it.call.is_none());
            // Behind an `.await`, a state that was set before may have been seen.
            let is_set_once = unreached.len() < 2;
            let everywhere =
                self.reads.everywhere.get(&(idx, self.of)).filter(|_| is_set_once).map(|it| &self.items.enums[self.of].variants[*it].name);
            let message = match self.has_steps {
                // Values that are only stored are data, whatever they hold.
                false if is_new => continue,
                true if is_new => {
                    format!("`{setter}` stores a new value with a `{of}`: where it replaces another one, its steps are missing")
                }
                _ if let Some(state) = everywhere => {
                    let why = "in which states it is called could not be read, so there is no row";
                    format!("`{setter}` sets a `{of}` to `{state}`, whatever it was: {why}")
                }
                true if self.reads.seen.called.contains(&(idx, self.of)) => {
                    format!("`{setter}` sets a `{of}`, too, and could not be followed everywhere: steps of it may be missing")
                }
                true => format!("`{setter}` sets a `{of}`, too, and could not be followed: its steps are missing"),
                false => format!("`{setter}` sets a `{of}`, and no step of it could be followed"),
            };
            self.report_function(idx, message, lost);
        }
        reported
    }

    fn sets(&self, idx: usize) -> bool {
        let function = &self.items.functions[idx];
        let names = || names_in(function.block.to_token_stream()).iter().any(|it| it == self.name() || it == "Self");
        let tries = || (tries(function, self.name()) && names()) || self.drives(idx);
        let calls = || self.unreached(idx).any(|it| it.call.is_some());
        self.setters.sets(idx, self.of, |it| self.is_read(it)) || (self.has_steps && (tries() || calls()))
    }

    /// `state = self.step(state)` in a loop that sets the same variable by itself, too.
    fn drives(&self, idx: usize) -> bool {
        let is_set = |name: &String| self.variables[idx].assigned.get(name).is_some_and(|it| it.contains(&self.of));
        let is_step = |name: &str| self.items.functions_named(name).any(|it| self.is_read(it));
        self.variables[idx].handed.iter().any(|it| !it.place.contains('.') && is_set(&it.place) && is_step(&it.to))
    }

    /// `if allowed(self.state) { self.state = next(self.state); }`, where the steps of `next` are read.
    fn report_deciders(&self, reported: &mut BTreeSet<usize>, lost: &mut Findings) {
        let is_asked = |it: &usize| self.reads.returning.contains(&(*it, self.of)) || self.reads.pairs.contains(&(*it, self.of));
        let is_step = |name: &String| self.items.functions_named(name).find(is_asked);
        for idx in self.functions().filter(|it| !self.is_covered(*it)) {
            let code = &self.variables[idx];
            let asked = code.assigned_from.iter().find_map(is_step).filter(|it| self.asks_about_what_it_sets(idx, *it));
            // The steps of a private function are those that its callers take.
            let private = || code.called.iter().find_map(is_step).filter(|it| !self.items.functions[*it].is_public);
            let caller = &self.items.functions[idx];
            let name = |it: usize| &self.items.functions[it].name;
            let message = if let Some(step) = asked {
                format!("`{}` asks about the state before it takes a step of `{}`: this was left out", caller.name, name(step))
            } else if let Some(step) = private().filter(|it| decides(caller.block, name(*it))) {
                let what = "whether these decide about its steps was left out";
                format!("`{}` calls `{}` beside conditions of its own: {what}", caller.name, name(step))
            } else {
                continue;
            };
            if reported.insert(idx) {
                self.report_function(idx, message, lost);
            }
        }
    }

    /// Events of a function on which it sets no state.
    fn report_silent(&self, lost: &mut Findings) {
        let of_this = self.reads.silent.iter().filter(|(_, of, _)| *of == self.of);
        // What a closure sets is not known to be set on the others only.
        for (idx, _, events) in of_this.filter(|(idx, ..)| self.unreached(*idx).next().is_none()) {
            let (name, of) = (&self.items.functions[*idx].name, self.name());
            let message = format!("`{name}` sets no `{of}` on {events}: there is no row, so a spec refuses it");
            lost.assumed(self.machine.place(range(&self.items.functions[*idx].signature.ident)), message);
        }
    }

    /// `fn is_allowed(event: Event, state: State) -> bool`, which refuses what other functions lead to.
    fn report_refusers(&self, lost: &mut Findings) {
        for idx in self.functions().filter(|it| !self.is_covered(*it)) {
            let function = &self.items.functions[idx];
            let parameters = || self.variables[idx].all.iter().filter(|it| it.is_parameter);
            let is_state = parameters().any(|it| it.of == self.of);
            let event = parameters().find(|it| it.of != self.of && words::is_event(&self.items.enums[it.of].name, &it.key));
            let is_answer = matches!(&function.signature.output, syn::ReturnType::Type(_, ty) if type_name(ty).as_deref() == Some("bool"));
            let says = words::sense(&function.name) != words::Sense::Open;
            if let Some(event) = event.filter(|_| is_state && is_answer && says) {
                let (name, event) = (&function.name, &self.items.enums[event.of].name);
                let rest = "and was not read: it may refuse some of the steps";
                let message = format!("`{name}` says in which states an event of `{event}` is allowed, {rest}");
                self.report_function(idx, message, lost);
            }
        }
    }

    /// Whether a function hands a place that it sets to another function than a step.
    fn asks_about_what_it_sets(&self, idx: usize, step: usize) -> bool {
        let (code, step) = (&self.variables[idx], &self.items.functions[step].name);
        code.handed.iter().any(|it| it.at.is_some() && it.to != *step && code.assigned.contains_key(&it.place))
    }

    /// Functions that look at the state, and call an event.
    fn report_callers(&self, reported: &BTreeSet<usize>, lost: &mut Findings) {
        for idx in self.functions().filter(|it| !reported.contains(it) && !self.is_covered(*it)) {
            let Some(event) = self.event_of(idx) else { continue };
            let (caller, event) = (&self.items.functions[idx].name, &self.items.functions[event].name);
            let message =
                format!("`{caller}` looks at the state and calls `{event}`: whether the one decides about the other was left out");
            self.report_function(idx, message, lost);
        }
    }

    /// The function with steps of its own that another one calls, which looks at the same state.
    fn event_of(&self, idx: usize) -> Option<usize> {
        let caller = &self.variables[idx];
        let mut events = caller.calls.iter().copied().filter(|it| self.is_read(*it));
        // By a field that both name.
        let fields: Vec<_> = caller.all.iter().filter(|it| it.of == self.of && !it.is_parameter).collect();
        if let Some(event) = events.clone().find(|event| fields.iter().any(|it| self.setters.assigns(*event, &it.key))) {
            return Some(event);
        }
        // By methods of the enum: `if self.left < self.state.needs() { return; } self.state.advance();`
        let ty = self.items.functions[idx].of.as_deref();
        let of_state = caller.methods.iter().filter(|(field, _)| self.setters.holds(ty, field, self.of));
        let methods: Vec<usize> = of_state.filter_map(|(_, name)| self.items.function(Some(self.name()), name)).collect();
        let looks = caller.all.iter().any(|it| it.of == self.of) || methods.iter().any(|it| !self.is_read(*it));
        let by_method = methods.into_iter().find(|it| looks && self.is_read(*it));
        by_method.or_else(|| events.next().filter(|_| caller.closed.contains(&self.of)))
    }

    fn report_function(&self, idx: usize, message: String, lost: &mut Findings) {
        lost.loss(self.machine.place(range(&self.items.functions[idx].signature.ident)), message);
    }
}

/// Whether code has conditions besides those on what a step returns: `match next(state) { … }`.
fn decides(code: &syn::Block, step: &str) -> bool {
    struct Decides<'s>(&'s str, bool);
    impl Decides<'_> {
        fn condition(&mut self, it: &Expr) {
            let mut calls = Calls(self.0, false);
            calls.visit_expr(it);
            self.1 |= !calls.1;
        }
    }
    impl<'x> Visit<'x> for Decides<'_> {
        fn visit_expr_if(&mut self, it: &'x syn::ExprIf) {
            self.condition(&it.cond);
            visit::visit_expr_if(self, it);
        }
        fn visit_expr_match(&mut self, it: &'x syn::ExprMatch) {
            // `match action { Action::Next => self.mode.next(), … }` only chooses what to call.
            if !matches!(bare(&it.expr), Expr::Path(_)) {
                self.condition(&it.expr);
            }
            visit::visit_expr_match(self, it);
        }
    }
    struct Calls<'s>(&'s str, bool);
    impl<'x> Visit<'x> for Calls<'_> {
        fn visit_ident(&mut self, it: &'x syn::Ident) {
            self.1 |= it == self.0;
        }
    }
    let mut found = Decides(step, false);
    found.visit_block(code);
    found.1
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
