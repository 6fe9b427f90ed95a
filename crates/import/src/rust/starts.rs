//! Where a machine starts, as constructors tell.
//!
//! ```text
//! fn new() -> Self { Job { state: State::Queued } }
//! ```
//!
//! Constructors that disagree, or that get the state from elsewhere, are reported.

use std::collections::BTreeSet;

use super::Machine;
use super::flow::Eval;
use super::ir::{Body, Expr, Kind};
use super::items::{Function, Items, begins_empty, type_name, types_in};

/// Marks the initial states of machines whose enums do not mark one, and reports where a marked one differs. `alone` is the enum that
/// is imported without steps.
pub(super) fn mark(
    items: &Items<'_>,
    eval: &Eval<'_, '_>,
    bodies: &[Body],
    looks: impl Fn(usize, usize) -> bool,
    machines: &mut [Machine],
    alone: Option<usize>,
) {
    for (of, machine) in machines.iter_mut().enumerate() {
        if (machine.draft.rows.is_empty() && alone != Some(of)) || !items.enums[of].is_known() {
            continue;
        }
        let functions = || items.functions.iter().zip(bodies).enumerate();
        let starts = |function: &Function<'_>, body: &Body| Starts { items, eval, function, of }.of(&body.block);
        let is_new = |it: &Function<'_>| it.signature.receiver().is_none() && (is_named_constructor(&it.name) || makes_its_type(it));
        // One that is not named as a constructor counts where it names a state.
        let counts = |it: &Function<'_>, start: &Option<usize>| start.is_some() || is_named_constructor(&it.name);
        let of_constructors = functions().filter(|it| is_new(it.1.0)).map(|it| it.1);
        let mut found: BTreeSet<Option<usize>> =
            of_constructors.flat_map(|(it, body)| starts(it, body).into_iter().filter(|start| counts(it, start))).collect();
        let mut who = "constructors";
        if found.is_empty() {
            // A new value that a function makes which looks at none.
            found = functions().filter(|it| !looks(it.0, of)).flat_map(|(_, (it, body))| starts(it, body)).collect();
            who = "new values";
            if found.len() != 1 || found.contains(&None) {
                continue;
            }
        }
        let is_known = found.len() == 1 && !found.contains(&None);
        // Where no constructor names a state, the first one of the enum.
        let first = found.into_iter().flatten().next().unwrap_or(0);
        if let Some(marked) = machine.draft.states.iter().find(|it| it.initial) {
            if is_known && machine.draft.states[first].id != marked.id {
                let (marked, other, place) = (&marked.id, &machine.draft.states[first].id, marked.span);
                let message =
                    format!("`{marked}` is marked as the default, and the constructors of this file begin in `{other}`: the mark was kept");
                machine.draft.found.assumed(place, message);
            }
            continue;
        }
        let Some(state) = machine.draft.states.get_mut(first) else { continue };
        state.initial = true;
        if is_known {
            let message = format!("the machine is assumed to start in `{}`, because {who} of this file begin there", state.id);
            machine.draft.found.assumed(state.span, message);
        } else {
            let message =
                format!("the constructors of this file begin in several states, or it is not known where: `{}` was marked", state.id);
            machine.draft.found.added(state.span, message);
            state.inferred = Some("Constructors begin in several states, or it is not known where.".to_owned());
        }
    }
}

fn is_named_constructor(name: &str) -> bool {
    matches!(name, "new" | "default") || ["new_", "with_", "create"].iter().any(|it| name.starts_with(it))
}

/// Whether a function returns a value of its own type: `fn temporary() -> Self`.
fn makes_its_type(function: &Function<'_>) -> bool {
    let syn::ReturnType::Type(_, ty) = &function.signature.output else { return false };
    types_in(ty).iter().any(|it| it == "Self" || Some(it) == function.of.as_ref())
}

/// A function, and the enum whose states it may name.
struct Starts<'s, 'a> {
    items: &'s Items<'a>,
    eval: &'s Eval<'s, 'a>,
    function: &'s Function<'a>,
    of: usize,
}

impl Starts<'_, '_> {
    /// The states that new values in a function have; `None` for one that is not known.
    fn of(&self, block: &Expr) -> BTreeSet<Option<usize>> {
        let mut found = BTreeSet::new();
        let is_maker = self.function.signature.receiver().is_none();
        block.all(&mut |it| match &it.kind {
            // `Job { id, ..other }` is another one in part.
            Kind::Struct(name, fields, None) => {
                let fields = fields.iter().filter_map(|(symbol, value)| self.start(name, *symbol as usize, value));
                found.extend(fields);
            }
            // `let mut it = Self::new(); it.state = State::Open; it`
            Kind::Assign(place, value, _) if is_maker => {
                if let (Kind::Place(place), Some(of)) = (&place.kind, &self.function.of)
                    && let [.., symbol] = place.fields.as_slice()
                {
                    found.extend(self.start(of, *symbol as usize, value));
                }
            }
            _ => {}
        });
        if is_maker && is_named_constructor(&self.function.name) && self.function.of.as_ref() == Some(&self.items.enums[self.of].name) {
            self.tail(block, &mut found);
        }
        found
    }

    /// What a field of a type starts with, if it holds the enum, and is no list.
    fn start(&self, of: &str, field: usize, value: &Expr) -> Option<Option<usize>> {
        let ty = self.items.field_type(of, &self.eval.symbols.names[field])?;
        let names = types_in(ty);
        let is_it = |it: &String| self.items.enum_named(it, &self.function.module) == Some(self.of);
        let is_one = !begins_empty(&names) && names.iter().all(|it| it != "Option") && names.iter().any(is_it);
        let is_plain = type_name(ty).is_some_and(|it| is_it(&it));
        is_one.then(|| self.variant(value, is_plain))
    }

    /// The variant that a value is; in a field of another type, the one that it is made of: `Mutex::new(State::Queued)`.
    fn variant(&self, value: &Expr, is_plain: bool) -> Option<usize> {
        match &value.kind {
            Kind::Variant(of, idx, _) => Some(*idx).filter(|_| *of == self.of),
            Kind::Call(None, all) if !is_plain => match all.as_slice() {
                [inner] => self.variant(inner, false),
                _ => None,
            },
            _ => None,
        }
    }

    /// `fn new() -> Self { Self::Accepted }`, in the enum itself.
    fn tail(&self, value: &Expr, found: &mut BTreeSet<Option<usize>>) {
        match &value.kind {
            Kind::Block(all, true) => all.last().into_iter().for_each(|it| self.tail(it, found)),
            Kind::If(_, then, other) => std::iter::once(then).chain(other).for_each(|it| self.tail(it, found)),
            Kind::Match(_, arms) => arms.iter().for_each(|arm| self.tail(&arm.body, found)),
            Kind::Wrapped(_, inner) => self.tail(inner, found),
            _ => {
                found.insert(self.variant(value, true));
            }
        }
    }
}
