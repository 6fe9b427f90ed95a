//! What an event comes to: a `const` table, and a short match in front of it for what guards decide.

use proc_macro2::{Literal as RustLiteral, TokenStream};
use quote::quote;

use super::Module;
use super::expr::{MachineReads, value};
use super::groups::Groups;
use super::listed::expand_deferred;
use super::long::{Arm, Pattern};
use crate::expr::Var;
use crate::model::machine::{Edge, Event, Outcome};
use crate::model::{EventId, StateId};

/// The body that finds the step of `event` in `self.state`.
pub(crate) fn expand_decision(module: &Module<'_>) -> TokenStream {
    let mut arms = Dynamic::default();
    let mut cells = Vec::new();
    for &from in &module.leaves {
        for edges in module.machine.edges_from(Some(from)).chunk_by(|a, b| a.event == b.event) {
            let Some(event) = edges[0].event else { continue };
            arms.add(module, from, edges, event);
            let refs: Vec<&Edge> = edges.iter().collect();
            cells.extend(Cell::of(module, from, event.index(), &refs));
        }
    }
    let arms = arms.expand(module);
    let table = Table { cells, n_columns: module.machine.events.len(), by_event: true };
    let state = module.state_of(&quote! { self });
    expand_lookup(module, &table, arms, quote! { (#state, *event) })
}

/// The body that finds the step to the state `to`, asked for by name in `self.state`.
pub(crate) fn expand_wish(module: &Module<'_>) -> TokenStream {
    let mut list = Vec::new();
    let mut cells = Vec::new();
    for &from in &module.leaves {
        let mut by_target = Groups::<StateId, (StateId, Vec<&Edge>)>::default();
        for edge in module.machine.candidates(Some(from), None) {
            if let Outcome::Leaf(to) = edge.outcome {
                by_target.get(to, || (to, Vec::new())).1.push(edge);
            }
        }
        for (to, edges) in by_target.list {
            for edge in edges.iter().take_while(|edge| module.is_dynamic(edge)) {
                let Some(guard) = &module.machine.transition(edge.transition).guard else { continue };
                let reads = MachineReads { module, machine: quote! { self }, event: None, predicate_event: None };
                let guard = value(guard, &reads);
                let outcome = expand_outcome(module, edge, None);
                let pattern = Pattern::Paths(format!("({}, {})", module.state_path(from), module.state_path(to)));
                list.push(Arm { pattern, guard: Some(guard), outcome });
            }
            cells.extend(Cell::of(module, from, module.leaf_index(to), &edges));
        }
    }
    let table = Table { cells, n_columns: module.leaves.len(), by_event: false };
    let state = module.state_of(&quote! { self });
    expand_lookup(module, &table, Arms { list, total: false }, quote! { (#state, to) })
}

/// The statement that finds the outcome of `event` at birth; `context` holds the values that every machine is born with.
pub(crate) fn expand_birth(module: &Module<'_>) -> TokenStream {
    let facade = &module.facade;
    let mut arms = Vec::new();
    let mut n_events = 0;
    for edges in module.machine.edges_from(None).chunk_by(|a, b| a.event == b.event) {
        let Some(event) = edges[0].event else { continue };
        n_events += 1;
        let mut open = true;
        for edge in edges {
            let arm = expand_arm(module, edge, event, None);
            let guarded = module.machine.transition(edge.transition).guard.is_some();
            arms.push(arm);
            if !guarded {
                open = false;
                break;
            }
        }
        if open {
            arms.push(Arm { pattern: pattern(module, None, event, &[]), guard: None, outcome: "Outcome::NoGuard".into() });
        }
    }
    let arms = Arm::tokens(arms.iter());
    let others = (n_events < module.machine.events.len()).then(|| quote! { _ => Outcome::Nothing, });
    quote! {
        use #facade::Outcome;
        let outcome = match event { #arms #others };
    }
}

/// A cell of a dispatch table that holds something.
struct Cell<'m> {
    from: StateId,
    column: usize,
    /// The edge that is taken when no guard in front of the table holds; `None` where all edges have one.
    chosen: Option<&'m Edge>,
    /// The row that counts although another one without a guard stands before it.
    inner: Option<u32>,
}

impl<'m> Cell<'m> {
    /// What the table says when no guard in front of it holds; edges in the order in which they are tried.
    fn of(module: &Module<'_>, from: StateId, column: usize, edges: &[&'m Edge]) -> Option<Cell<'m>> {
        let mut unguarded = edges.iter().copied().filter(|edge| module.machine.transition(edge.transition).guard.is_none());
        let Some(chosen) = unguarded.next() else { return Some(Cell { from, column, chosen: None, inner: None }) };
        if matches!(chosen.outcome, Outcome::Payload(_)) {
            // The match has an arm for it that always holds.
            return None;
        }
        let earlier = unguarded.any(|edge| edge.transition < chosen.transition && !matches!(edge.outcome, Outcome::Payload(_)));
        Some(Cell { from, column, chosen: Some(chosen), inner: earlier.then_some(chosen.transition.0) })
    }
}

struct Table<'m> {
    cells: Vec<Cell<'m>>,
    n_columns: usize,
    /// The columns are events, not states asked for by name.
    by_event: bool,
}

impl Table<'_> {
    /// What a column stands for.
    fn column_of(&self, module: &Module<'_>, cell: &Cell<'_>) -> TokenStream {
        if self.by_event { module.event(EventId::new(cell.column)) } else { module.state(module.leaves[cell.column]) }
    }

    /// What tells the column in emitted code.
    fn column(&self) -> TokenStream {
        if self.by_event {
            quote! { event.kind() }
        } else {
            quote! { to }
        }
    }

    /// What makes a step of an outcome.
    fn method(&self) -> TokenStream {
        if self.by_event {
            quote! { on_event }
        } else {
            quote! { on_wish }
        }
    }
}

/// The table and the match in front of it.
fn expand_lookup(module: &Module<'_>, table: &Table<'_>, arms: Arms, subject: TokenStream) -> TokenStream {
    let facade = &module.facade;
    let (column, method, state) = (table.column(), table.method(), module.state_of(&quote! { self }));
    let dense = module.leaves.len() * table.n_columns <= 4096 + 16 * table.cells.len();
    let (items, lookup) = match table.cells.is_empty() {
        true => (quote! {}, quote! { #facade::Outcome::Nothing.#method(#state, #column) }),
        false if dense => expand_dense(module, table),
        false => expand_sparse(module, table),
    };
    if arms.list.is_empty() {
        return quote! { #items #lookup };
    }
    let list = module.long.arms(&arms.list);
    let others = (!arms.total).then(|| quote! { _ => return #lookup, });
    let items = (!arms.total).then_some(items);
    quote! {
        use #facade::Outcome;
        #items
        let outcome = match #subject {
            #list
            #others
        };
        outcome.#method(#state, #column)
    }
}

/// A cell for every pair, computed from the rows when the code is compiled.
fn expand_dense(module: &Module<'_>, table: &Table<'_>) -> (TokenStream, TokenStream) {
    let facade = &module.facade;
    let (column, method, state) = (table.column(), table.method(), module.state_of(&quote! { self }));
    let index = module.index_argument();
    let inner = table.cells.iter().filter_map(|cell| {
        let row = RustLiteral::u32_unsuffixed(cell.inner?);
        let (from, column) = (module.state(cell.from), table.column_of(module, cell));
        Some(quote! { (#from, #column, #row) })
    });
    let inner = quote! { [#(#inner),*] };
    let (states, events) = (("STATES", module.leaves.len()), ("EVENTS", table.n_columns));
    let (items, table) = if table.by_event {
        let value = quote! { #facade::__table!(State, EventKind, #inner #index) };
        expand_deferred("table", &[states, events], &quote! { #facade::Table<State, STATES, EVENTS> }, &value)
    } else {
        expand_deferred("ways", &[states], &quote! { #facade::Ways<STATES> }, &quote! { #facade::__ways!(State, #inner #index) })
    };
    (items, quote! { #table.#method(#state, #column) })
}

/// A sorted list, where most pairs have no edge.
fn expand_sparse(module: &Module<'_>, table: &Table<'_>) -> (TokenStream, TokenStream) {
    let facade = &module.facade;
    let (column, method, state) = (table.column(), table.method(), module.state_of(&quote! { self }));
    let mut cells: Vec<&Cell<'_>> = table.cells.iter().collect();
    cells.sort_by_key(|cell| (cell.from, cell.column));
    let edges = cells.iter().map(|cell| {
        let (from, column) = (module.word_of(module.state(cell.from)), table.column_of(module, cell));
        let column = if table.by_event {
            quote! { #column as u32 }
        } else {
            module.word_of(column)
        };
        let outcome = cell.chosen.map_or_else(|| "Outcome::NoGuard".to_owned(), |edge| expand_outcome(module, edge, None));
        format!("({from}, {column}, {outcome}), ")
    });
    let edges: TokenStream = edges.collect::<String>().parse().unwrap_or_default();
    let items = quote! {
        const EDGES: &[(u32, u32, #facade::Outcome<State>)] = {
            use #facade::Outcome;
            &[#edges]
        };
    };
    let row = if module.index_argument().is_some() {
        quote! { self.index() }
    } else {
        quote! { #state as usize }
    };
    let place = if table.by_event {
        quote! { #column as usize }
    } else {
        module.index_of(column.clone())
    };
    (items, quote! { #facade::find(EDGES, #row, #place).#method(#state, #column) })
}

/// What an edge comes to; a target in the payload is bound by the pattern.
fn expand_outcome(module: &Module<'_>, edge: &Edge, event: Option<&Event>) -> String {
    let row = edge.transition.0;
    match edge.outcome {
        Outcome::Stay => format!("Outcome::Stay({row})"),
        Outcome::Refuse => format!("Outcome::Refuse({row})"),
        Outcome::Leaf(to) => format!("Outcome::To({}, {row})", module.state_path(to)),
        Outcome::Payload(idx) => {
            let idents = event.map(|it| module.field_idents(&it.payload)).unwrap_or_default();
            let to = idents.get(idx).map(|it| module.local(it).to_string()).unwrap_or_default();
            format!("Outcome::To({to}, {row})")
        }
    }
}

/// One arm: the event's pattern, the guard, the outcome. Beside the event stand the states that it is taken in; at birth there are none.
fn expand_arm(module: &Module<'_>, edge: &Edge, event_id: EventId, states: Option<&str>) -> Arm {
    let event = module.machine.event(event_id);
    let guard = &module.machine.transition(edge.transition).guard;
    let mut used: Vec<usize> = guard.iter().flat_map(|it| it.vars()).filter_map(payload_position).collect();
    if let Outcome::Payload(idx) = edge.outcome {
        used.push(idx);
    }
    let guard = guard.as_ref().map(|guard| {
        let (machine, event_tokens) = match states {
            Some(_) => (quote! { self }, quote! { event }),
            None => (quote! { machine }, quote! { &event }),
        };
        value(guard, &MachineReads { module, machine, event: Some(event), predicate_event: Some(event_tokens) })
    });
    Arm { pattern: pattern(module, states, event_id, &used), guard, outcome: expand_outcome(module, edge, Some(event)) }
}

/// An event in some states, or alone at birth; `used` are the payload fields to bind.
fn pattern(module: &Module<'_>, states: Option<&str>, event: EventId, used: &[usize]) -> Pattern {
    if module.machine.event(event).payload.is_empty() {
        let event = format!("Event::{}", module.events[event.index()]);
        return Pattern::Paths(states.map_or_else(|| event.clone(), |states| format!("({states}, {event})")));
    }
    let event = module.event_pattern(event, used);
    let states: Option<TokenStream> = states.map(|it| it.parse().unwrap_or_default());
    Pattern::Other(states.map_or_else(|| event.clone(), |states| quote! { (#states, #event) }))
}

pub(crate) fn payload_position(var: Var) -> Option<usize> {
    match var {
        Var::Payload(idx) => Some(idx),
        _ => None,
    }
}

/// The arms in front of a table, and whether they leave nothing to it.
struct Arms {
    list: Vec<Arm>,
    total: bool,
}

/// The edges that need an arm, by event and source.
#[derive(Default)]
struct Dynamic(Groups<EventId, (EventId, Vec<BySource>)>);

/// A state, and the edges from it that need an arm.
type BySource = (StateId, Vec<Edge>);

impl Dynamic {
    /// Takes what the table cannot say: everything up to the first edge that always holds and needs no payload.
    fn add(&mut self, module: &Module<'_>, from: StateId, edges: &[Edge], event: EventId) {
        let mut dynamic = Vec::new();
        for edge in edges.iter().take_while(|edge| module.is_dynamic(edge)) {
            dynamic.push(*edge);
            if module.machine.transition(edge.transition).guard.is_none() {
                break;
            }
        }
        if dynamic.is_empty() {
            return;
        }
        self.0.get(event, || (event, Vec::new())).1.push((from, dynamic));
    }

    fn expand(&self, module: &Module<'_>) -> Arms {
        let mut list = Vec::new();
        let mut n_covered = 0;
        for (event, by_source) in &self.0.list {
            for (states, edges) in share(by_source, module.leaves.len()) {
                let everywhere = states.len() == module.leaves.len();
                if edges.iter().any(|edge| module.machine.transition(edge.transition).guard.is_none()) {
                    n_covered += states.len();
                }
                let states = match everywhere {
                    true => "_".to_owned(),
                    false => states.iter().map(|it| module.state_path(*it)).collect::<Vec<_>>().join(" | "),
                };
                list.extend(edges.iter().map(|edge| expand_arm(module, edge, *event, Some(&states))));
            }
        }
        Arms { list, total: n_covered == module.leaves.len() * module.machine.events.len() }
    }
}

/// States with the same edges share their arms, and so do all states where all begin alike.
fn share(by_source: &[BySource], n_leaves: usize) -> Vec<(Vec<StateId>, Vec<Edge>)> {
    let same = |a: &Edge, b: &Edge| a.transition == b.transition && a.outcome == b.outcome;
    let first = by_source.first().map(|it| it.1.as_slice()).unwrap_or_default();
    let begins_alike =
        |n_edges: &usize| by_source.iter().all(|(_, edges)| edges.get(*n_edges).is_some_and(|it| same(it, &first[*n_edges])));
    let n_common = if by_source.len() == n_leaves { (0..first.len()).take_while(begins_alike).count() } else { 0 };
    let mut groups = Groups::<Vec<(u32, Outcome)>, (Vec<StateId>, Vec<Edge>)>::default();
    if n_common > 0 {
        // No rest of edges is empty, so that this key is no other's.
        groups.get(Vec::new(), || (by_source.iter().map(|it| it.0).collect(), first[..n_common].to_vec()));
    }
    for (from, edges) in by_source.iter().filter(|(_, edges)| edges.len() > n_common) {
        let own = &edges[n_common..];
        let key = own.iter().map(|edge| (edge.transition.0, edge.outcome)).collect();
        groups.get(key, || (Vec::new(), own.to_vec())).0.push(*from);
    }
    groups.list
}

impl Module<'_> {
    /// `Event::Error { cause, .. }`, binding these payload fields.
    pub(crate) fn event_pattern(&self, id: EventId, used: &[usize]) -> TokenStream {
        let event = self.machine.event(id);
        let variant = &self.events[id.index()];
        if event.payload.is_empty() {
            return quote! { Event::#variant };
        }
        let idents = self.field_idents(&event.payload);
        let bound: Vec<_> = idents.iter().enumerate().filter(|(idx, _)| used.contains(idx)).map(|(_, it)| self.binding(it)).collect();
        let rest = (bound.len() < idents.len()).then(|| quote! { .. });
        quote! { Event::#variant { #(#bound,)* #rest } }
    }
}
