//! Reads a Rust file with an enum and its edges.
//!
//! The edges are read from the following forms:
//!
//! - functions of two states that say whether a step is allowed;
//! - functions of a state, and of an event, that return or assign the states that follow;
//! - lists of pairs `(From, To)`, of triples with an event, and of states with their successors.
//!
//! Steps in comments are reported, and not read.
//!
//! Functions are followed with every state, so that the order of arms, wildcards, negations and comparisons mean
//! what they mean in the code. Names tell what the pairs are: nothing is read from lists and functions of
//! forbidden steps, and from tests.

mod declared;
mod flow;
mod forms;
mod ir;
mod items;
mod lower;
pub(super) mod names;
mod outline;
mod range;
mod report;
mod starts;
mod wire;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use statespec_lang::source::{SourceId, Sources, Span};

use super::draft::{Draft, Findings, Row, State};
use super::span;
pub use declared::{Binding, Declared, Known};
use flow::Eval;
use forms::Forms;
use items::{Enum, Items, Origin};
use lower::Lower;
pub use outline::{Outline, Wanted};

/// The maximum nesting of brackets.
const MAX_DEPTH: usize = 100;
/// The maximum number of tokens between the outermost and the innermost piece of code: it bounds the parser's stack.
const MAX_WEIGHT: usize = 4_000;
/// The stack for code of that weight.
const STACK_BYTES: usize = 256 << 20;

/// A machine of a file among others.
pub(super) struct Part {
    pub(super) draft: Draft,
    /// The place of the declaration of its enum.
    pub(super) declaration: Span,
    /// Whether the file declares it.
    pub(super) is_local: bool,
    /// Whether a list of steps, or a function that tells of them, is among what was read; else code that takes steps.
    pub(super) is_table: bool,
}

/// What a file says, as one of many.
#[derive(Default)]
pub(super) struct Parts {
    pub(super) parts: Vec<Part>,
    pub(super) outline: Outline,
    /// The enums of other files that have steps in it, and were not known.
    pub(super) wanted: Vec<Wanted>,
}

/// Reads every enum that has edges, or the one of a name; if none has edges, the only enum.
pub(super) fn read(sources: &Sources, id: SourceId, only: Option<&str>, found: &mut Findings) -> Vec<Draft> {
    read_on_stack(sources, id, None, only, found).parts.into_iter().map(|it| it.draft).collect()
}

/// Reads every enum that has edges in a file, with the enums of other files by the names that they have in it.
pub(super) fn read_among(sources: &Sources, id: SourceId, known: &Known, found: &mut Findings) -> Parts {
    read_on_stack(sources, id, Some(known), None, found)
}

fn read_on_stack(sources: &Sources, id: SourceId, known: Option<&Known>, only: Option<&str>, found: &mut Findings) -> Parts {
    let texts = [sources.get(id).path(), sources.get(id).text()];
    // The parser, and everything that follows its trees, is recursive.
    let read = std::thread::scope(|scope| {
        let work = || {
            let mut found = Findings::default();
            let parts = read_text(texts, id, known, only, &mut found);
            (parts, found)
        };
        std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work).ok().and_then(|it| it.join().ok())
    });
    match read {
        Some((parts, inner)) => {
            found.0.extend(inner.0);
            parts
        }
        None => {
            found.unreadable(span(id, 0..1), "this file could not be read: there is no memory for another thread");
            Parts::default()
        }
    }
}

fn read_text([path, text]: [&str; 2], id: SourceId, known: Option<&Known>, only: Option<&str>, found: &mut Findings) -> Parts {
    let tokens = match text.parse::<TokenStream>() {
        Ok(tokens) => tokens,
        Err(error) => {
            let help = "look for a bracket or quote without its partner";
            found.unreadable_help(span(id, error.span().byte_range()), "this cannot be cut into the words of Rust", help);
            return Parts::default();
        }
    };
    if let Err(place) = weigh(tokens.clone(), 0) {
        found.unreadable(span(id, place), "this code is nested too deeply");
        return Parts::default();
    }
    let file = match syn::parse2::<syn::File>(tokens.clone()) {
        Ok(file) => file,
        Err(error) => {
            found.unreadable(span(id, error.span().byte_range()), format!("this is not Rust: {error}"));
            return Parts::default();
        }
    };
    let items = Items::new(&file, &tokens, known);
    let mut machines: Vec<Machine> = items.enums.iter().map(|it| Machine::new(it, id)).collect();
    let mut lost = Findings::default();
    let mut lower = Lower::new(&items);
    let bodies: Vec<ir::Body> = items.functions.iter().map(|it| lower.function(it)).collect();
    let constants: Vec<ir::Expr> = items.constants.iter().map(|it| lower.constant(it.of.as_ref(), &it.module, it.value)).collect();
    let (symbols, variables) = (lower.symbols, lower.variables);
    let eval = Eval::new(&items, &symbols, &variables, &bodies, &constants, text);
    let mut forms = Forms::new(&items, eval, &bodies, &mut machines, &mut lost);
    forms.read();
    let Forms { eval, reads, .. } = forms;
    let alone = alone(&items, &machines);
    let mut unread = Findings::default();
    starts::mark(&items, &eval, &bodies, |idx, of| reads.functions.contains(&(idx, of)), &mut machines, alone);
    report::report(&items, &eval, &bodies, &reads, &mut machines, &mut unread);
    for (of, name, message) in &reads.hints {
        if machines[*of].draft.rows.is_empty() {
            lost.loss(machines[*of].place(name.clone()), message.clone());
        }
    }
    if let Some(only) = only
        && !select(&items, &mut machines, only, id, found)
    {
        return Parts::default();
    }
    let wanted = reads.wanted.into_iter().map(|it| (it, !machines[it].draft.rows.is_empty())).collect();
    let parts = choose(&items, machines, [lost, unread], id, found);
    match known {
        Some(_) => Parts { parts, wanted: outline::wanted(&items, &tokens, &wanted, id), outline: Outline::new(items, path, id) },
        None => Parts { parts, ..Parts::default() },
    }
}

/// Leaves the enum of a name, or of a machine of that name; whether it has steps.
fn select(items: &Items<'_>, machines: &mut [Machine], only: &str, id: SourceId, found: &mut Findings) -> bool {
    let is_it = |of: &Enum| of.name == only || super::naming::machine_name(&of.name) == only;
    let mut names = Vec::new();
    let mut is_there = false;
    for (machine, of) in machines.iter_mut().zip(&items.enums).filter(|it| !it.0.draft.rows.is_empty()) {
        names.push(format!("`{}`", of.name));
        match is_it(of) {
            true => is_there = true,
            false => machine.draft.rows.clear(),
        }
    }
    if !is_there {
        let help = if names.is_empty() { "no enum of this file has steps".to_owned() } else { format!("there are: {}", names.join(", ")) };
        found.unreadable_help(span(id, 0..1), format!("this file has no steps of an enum `{only}`"), help);
    }
    is_there
}

/// Whether an enum is declared here, with variants.
fn is_own(it: &Enum) -> bool {
    it.is_known() && !it.variants.is_empty()
}

/// The only enum of a file without steps, which is imported without any.
fn alone(items: &Items<'_>, machines: &[Machine]) -> Option<usize> {
    let mut enums = items.enums.iter().enumerate().filter(|(_, it)| is_own(it) && it.is_local() && !it.is_test);
    let (only, None) = (enums.next()?.0, enums.next()) else { return None };
    (!has_edges(items, machines)).then_some(only)
}

/// Whether an enum of the file has steps.
fn has_edges(items: &Items<'_>, machines: &[Machine]) -> bool {
    machines.iter().zip(&items.enums).any(|(machine, of)| is_own(of) && !machine.draft.rows.is_empty())
}

/// The machines that have edges, and what to say if there are none.
fn choose(items: &Items<'_>, machines: Vec<Machine>, [lost, unread]: [Findings; 2], id: SourceId, found: &mut Findings) -> Vec<Part> {
    let has_edges = has_edges(items, &machines);
    let mut drafts = Vec::new();
    let mut without: BTreeMap<&str, Machine> = BTreeMap::new();
    for (machine, of) in machines.into_iter().zip(&items.enums) {
        if machine.draft.rows.is_empty() {
            without.insert(&of.name, machine);
            continue;
        }
        if is_own(of) {
            drafts.push(machine.finish(of));
            continue;
        }
        let place = machine.draft.rows[0].span;
        let path = items.imported.get(&of.name).unwrap_or(&of.name);
        let message = format!("these are steps between states of `{path}`, which another file declares: nothing was imported from them");
        let help = "import the file that declares the enum; put the steps beside it, or both into one text";
        if has_edges { found.loss(place, message) } else { found.unreadable_help(place, message, help) }
    }
    if has_edges {
        found.0.extend(lost.0.into_iter().chain(unread.0));
        return drafts;
    }
    let is_refused = !found.0.is_empty();
    let mut enums: Vec<&Enum> = items.enums.iter().filter(|it| is_own(it) && it.is_local() && !it.is_test).collect();
    match enums.as_slice() {
        _ if is_refused => {}
        [] => found.unreadable_help(span(id, 0..1), "this file has no enum", "the states are the variants of an enum"),
        [only] if lost.0.is_empty() && !names::is_event(&only.name, "") && !has_states_elsewhere(items) => {
            // What was read of its states is kept: which of them are terminal.
            let mut machine = without.remove(only.name.as_str()).unwrap_or_else(|| Machine::new(only, id));
            let place = machine.draft.span;
            machine.draft.found.loss(place, "no steps were found: a list of pairs of variants, or a function of two states, or of a state");
            drafts.push(machine.finish(only));
        }
        _ => {
            enums.truncate(3);
            let names: Vec<String> = enums.iter().map(|it| format!("`{}`", it.name)).collect();
            let message = format!("no steps were found between the variants of {}: nothing was imported", names.join(", "));
            found.unreadable(span(id, enums[0].head.clone()), message);
        }
    }
    found.0.extend(lost.0.into_iter().chain(unread.0));
    drafts
}

/// Whether the file uses states of an enum of another file.
fn has_states_elsewhere(items: &Items<'_>) -> bool {
    items.enums.iter().any(|it| !it.is_local() && it.variants.len() > 1 && names::is_of_states(&it.name))
}

/// An enum to be converted to a machine: its variants are the states.
struct Machine {
    draft: Draft,
    seen: BTreeSet<String>,
    /// Whether a list of steps, or a function that tells of them, is among what was read.
    is_table: bool,
    /// Whether code that takes steps is among what was read: where else a state is set is not known.
    takes_steps: bool,
    /// Whether some of that code sets the state itself, and does not return the next one.
    sets: bool,
    /// The functions that set one state whatever the state is, each with what to say of it.
    set_here: Vec<(Range<usize>, String)>,
    id: SourceId,
}

impl Machine {
    fn new(of: &Enum, id: SourceId) -> Self {
        let (name, source) = match &of.origin {
            Origin::Elsewhere(declared) => (&declared.machine, declared.source),
            Origin::Here | Origin::Unknown => (&of.name, id),
        };
        let mut draft = Draft::new(super::Kind::Code, super::naming::machine_name(name), span(source, of.head.clone()));
        draft.doc = Some(of.doc.clone()).filter(|it| !it.is_empty());
        for variant in &of.variants {
            let place = span(source, variant.range.clone());
            let mut state = State::new(variant.name.clone(), None, place);
            state.doc = Some(variant.doc.clone()).filter(|it| !it.is_empty()).into_iter().collect();
            state.wire.clone_from(&variant.wire);
            state.initial = variant.is_default;
            if variant.has_fields {
                draft.found.loss(place, format!("a state has no data of its own: the fields of `{}` were left out", variant.name));
            }
            if variant.number.is_some() {
                draft.found.loss(place, format!("the number of `{}` was left out", variant.name));
            }
            draft.states.push(state);
        }
        Machine { draft, seen: BTreeSet::new(), is_table: false, takes_steps: false, sets: false, set_here: Vec::new(), id }
    }

    /// The machine is where its steps are: in this file.
    fn finish(self, of: &Enum) -> Part {
        let Machine { mut draft, is_table, takes_steps, sets, .. } = self;
        draft.partial |= takes_steps && !is_table;
        let declaration = draft.span;
        if sets && !is_table {
            let message = "these steps come from code that sets the state, and each is what one function does when it is called";
            let rest = "it asks each condition where it stands, perhaps after it changed something, and what its callers decide, and what other objects and threads do meanwhile, is not part of it";
            draft.found.assumed(declaration, format!("{message}: {rest}"));
        }
        if let (false, Some(first)) = (of.is_local(), draft.rows.first()) {
            draft.span = first.span;
        }
        Part { draft, declaration, is_local: of.is_local(), is_table }
    }

    fn place(&self, range: Range<usize>) -> Span {
        span(self.id, range)
    }

    /// Adds a row, once.
    fn add(&mut self, row: Row) {
        if self.seen.insert(format!("{:?} {:?} {:?} {:?}", row.from, row.to, row.events, row.guards)) {
            self.draft.rows.push(row);
        }
    }
}

/// The number of tokens on the longest way from a list of tokens to a piece inside it; the place if there are too many.
///
/// The parser recurses for brackets and for operators, so both count. A piece ends at `;`, `,` and behind braces.
fn weigh(tokens: TokenStream, depth: usize) -> Result<usize, Range<usize>> {
    let (mut longest, mut piece) = (0, 0);
    let mut after_braces = false;
    for token in tokens {
        if after_braces && matches!(&token, TokenTree::Ident(word) if word != "else") {
            piece = 0;
        }
        after_braces = false;
        piece += 1;
        let mut weight = piece;
        match &token {
            TokenTree::Group(group) => {
                if depth >= MAX_DEPTH {
                    return Err(group.span().byte_range());
                }
                weight += weigh(group.stream(), depth + 1)?;
                after_braces = group.delimiter() == Delimiter::Brace;
            }
            TokenTree::Punct(sign) if matches!(sign.as_char(), ';' | ',') => piece = 0,
            _ => {}
        }
        if weight > MAX_WEIGHT {
            return Err(token.span().byte_range());
        }
        longest = longest.max(weight);
    }
    Ok(longest)
}
