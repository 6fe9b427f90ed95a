//! What sets a state and was not followed, once for each place.

use std::collections::BTreeSet;

use super::Machine;
use super::flow::Eval;
use super::forms::Reads;
use super::ir::{At, Body, Expr, Kind, Place};
use super::items::{Enum, Items};
use crate::draft::Findings;

pub(super) fn report(
    items: &Items<'_>,
    eval: &Eval<'_, '_>,
    bodies: &[Body],
    reads: &Reads,
    machines: &mut [Machine],
    lost: &mut Findings,
) {
    let steps = steps_in_comments(eval.text);
    for (of, machine) in machines.iter_mut().enumerate() {
        if items.enums[of].is_local() {
            comments(&steps, &items.enums[of], machine, lost);
        }
        let is_machine = !machine.draft.rows.is_empty() || items.enums[of].is_local();
        if machine.is_table || !is_machine {
            continue;
        }
        for (name, message) in std::mem::take(&mut machine.set_here) {
            machine.draft.partial = true;
            lost.loss(machine.place(name), message);
        }
        let mut sites = BTreeSet::new();
        let calls = |it: &Expr| matches!(&it.kind, Kind::Unread(_, all) if all.iter().any(|it| reads.setters.contains(&(it.clone(), of))));
        for body in bodies {
            body.block.all(&mut |it| sites.extend(site(items, eval, it, of).or(calls(it).then_some(it.at))));
        }
        for at in sites {
            if reads.sites.contains(&(at, of)) {
                continue;
            }
            machine.draft.partial = true;
            let message = format!("this sets a `{}`: set here, not followed", items.enums[of].name);
            lost.loss(machine.place(at.0..at.1), message);
        }
    }
}

/// A comment with an arrow between two words: `// Open -> Shut`.
struct CommentedStep<'a> {
    at: usize,
    from: &'a str,
    to: &'a str,
}

/// The comments with an arrow between two words.
fn steps_in_comments(text: &str) -> Vec<CommentedStep<'_>> {
    let is_other = |it: char| !it.is_alphanumeric() && it != '_';
    let mut start = 0;
    let mut found = Vec::new();
    for line in text.split_inclusive('\n') {
        let comment = line.find("//").map(|it| (start + it, &line[it..]));
        let step = comment.and_then(|(at, comment)| {
            let (before, after) = ["->", "=>", "→"].iter().find_map(|it| comment.split_once(it))?;
            let (from, to) = (before.trim_end().rsplit(is_other).next()?, after.trim_start().split(is_other).next()?);
            Some(CommentedStep { at, from, to })
        });
        found.extend(step);
        start += line.len();
    }
    found
}

/// Steps in comments are not read.
fn comments(steps: &[CommentedStep<'_>], of: &Enum, machine: &Machine, lost: &mut Findings) {
    let is_state = |word: &str| of.variants.iter().any(|it| it.name == word);
    let found: Vec<usize> = steps.iter().filter(|it| is_state(it.from) && is_state(it.to)).map(|it| it.at).collect();
    if let Some(first) = found.first() {
        let message = match found.len() {
            1 => format!("a step of `{}` in a comment: comments are not read", of.name),
            n_steps => format!("this and {} more comments have steps of `{}`: comments are not read", n_steps - 1, of.name),
        };
        lost.loss(machine.place(*first..*first + 2), message);
    }
}

/// The place of code that sets a state of an enum.
fn site(items: &Items<'_>, eval: &Eval<'_, '_>, expr: &Expr, of: usize) -> Option<At> {
    let is_it = match &expr.kind {
        Kind::Assign(place, value, _) => {
            is_state(value, of) || is_of(items, eval, place, of) || is_given(eval, value, of) || is_holder(items, eval, place, of)
        }
        Kind::Replace(place, value) => value.as_ref().is_some_and(|it| is_state(it, of)) || is_of(items, eval, place, of),
        Kind::Swap(a, b) => [a, b].iter().any(|it| is_of(items, eval, it, of) || is_holder(items, eval, it, of)),
        Kind::Unread(enums, _) => enums.contains(&of),
        // A method whose value nobody uses changes what it is called on.
        Kind::Block(all, has_value) => {
            let unused = &all[..all.len() - usize::from(*has_value && !all.is_empty())];
            let method = unused.iter().find(|it| match &it.kind {
                Kind::Method(name, receiver, _) => items.is_elsewhere(name) && is_of(items, eval, receiver, of),
                _ => false,
            });
            return method.map(|it| it.at);
        }
        Kind::Method(_, receiver, all) => all.iter().any(|it| is_state(it, of)) && holds(items, eval, receiver, of),
        _ => false,
    };
    is_it.then_some(expr.at)
}

/// Whether a value is a state, or has one in it, whatever branch it comes from.
fn is_state(value: &Expr, of: usize) -> bool {
    match &value.kind {
        Kind::Variant(other, ..) => *other == of,
        Kind::Wrapped(_, inner) | Kind::Borrow(_, inner) | Kind::Deref(inner) => is_state(inner, of),
        Kind::Tuple(all) => all.iter().any(|it| is_state(it, of)),
        Kind::Struct(_, fields, _) => fields.iter().any(|it| is_state(&it.1, of)),
        Kind::If(_, a, b) => is_state(a, of) || b.as_ref().is_some_and(|it| is_state(it, of)),
        Kind::Match(_, arms) => arms.iter().any(|it| is_state(&it.body, of)),
        Kind::Block(all, true) => all.last().is_some_and(|it| is_state(it, of)),
        _ => false,
    }
}

/// Whether a value is a parameter that is a state.
fn is_given(eval: &Eval<'_, '_>, value: &Expr, of: usize) -> bool {
    matches!(&value.kind, Kind::Place(it) if it.fields.is_empty() && eval.declared_enum(it) == Some(of))
}

/// Whether a place is a whole struct with such a state: `*self = other`.
fn is_holder(items: &Items<'_>, eval: &Eval<'_, '_>, place: &Expr, of: usize) -> bool {
    match &place.kind {
        Kind::Deref(inner) | Kind::Borrow(true, inner) => match &inner.kind {
            Kind::Place(it) if it.fields.is_empty() => {
                let ty = eval.variables[it.local].ty.as_deref();
                ty.is_some_and(|it| items.has_state(it, of))
            }
            _ => false,
        },
        _ => false,
    }
}

/// Whether a place is declared as one of the enum.
fn is_of(items: &Items<'_>, eval: &Eval<'_, '_>, place: &Expr, of: usize) -> bool {
    match &place.kind {
        Kind::Place(place) => !place.fields.is_empty() && eval.declared_enum(place) == Some(of),
        Kind::Deref(inner) | Kind::Borrow(_, inner) => match &inner.kind {
            Kind::Place(place) => eval.declared_enum(place) == Some(of),
            _ => is_of(items, eval, inner, of),
        },
        Kind::Field(_, symbol) => items.enums_of_field(&eval.symbols.names[*symbol as usize]).contains(&of),
        Kind::Tuple(all) => all.iter().any(|it| is_of(items, eval, it, of)),
        _ => false,
    }
}

/// Whether a method is called on a field whose type names the enum: `Cell<State>`.
fn holds(items: &Items<'_>, eval: &Eval<'_, '_>, receiver: &Expr, of: usize) -> bool {
    let mut found = false;
    receiver.all(&mut |it| {
        if let Kind::Place(Place { fields, .. }) = &it.kind {
            found |= fields.iter().any(|it| items.fields_naming(&eval.symbols.names[*it as usize]).contains(&items.enums[of].name));
        }
    });
    found
}
