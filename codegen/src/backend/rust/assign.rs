//! What a row assigns to the context.

use proc_macro2::{Literal as RustLiteral, TokenStream};
use quote::{format_ident, quote};

use super::Module;
use super::dispatch::payload_position;
use super::expr::{MachineReads, optional_value, value};
use super::groups::Groups;
use super::introspect::RowNames;
use crate::expr::{Expr, ExprKind, Var};
use crate::model::machine::{Event, From, Transition};
use crate::model::{EventId, FieldId, Literal, TransitionId, Type};

/// The statements that assign the context.
pub(crate) struct Assignments {
    pub(crate) tokens: TokenStream,
    /// Whether they look into the event.
    pub(crate) reads_payload: bool,
}

/// The match that assigns the context for rows with events, where some row does.
pub(crate) fn expand_on_event(module: &Module<'_>) -> Option<Assignments> {
    let rows = rows(module, |row| !row.events.is_empty());
    if rows.is_empty() {
        return None;
    }
    let reads_payload = rows.iter().any(|(_, row)| changes(row).any(|(_, expr)| !payload(expr).is_empty()));
    let mut arms = Groups::<(Vec<EventId>, Vec<(FieldId, String)>), Arm>::default();
    for (id, row) in rows {
        let used: Vec<usize> = changes(row).flat_map(|(_, expr)| payload(expr)).collect();
        // Rows that read no payload need not tell their events apart.
        let events: Vec<EventId> = if used.is_empty() { Vec::new() } else { row.events.clone() };
        // What reads the same for the same events is the same.
        let names = RowNames { module, row };
        let set = changes(row).map(|(field, expr)| (*field, expr.show(&names))).collect();
        let new = || {
            let patterns = events.iter().map(|event| module.event_pattern(*event, &used));
            let pattern = if events.is_empty() {
                quote! { _ }
            } else {
                quote! { #(#patterns)|* }
            };
            let event = events.first().map(|event| module.machine.event(*event));
            Arm { rows: Vec::new(), pattern, body: expand_set(module, row, event) }
        };
        arms.get((events.clone(), set), new).rows.push(id.0);
    }
    let subject = if reads_payload {
        quote! { (step.row(), *event) }
    } else {
        quote! { step.row() }
    };
    let arms = arms.list.iter().map(|Arm { rows, pattern, body }| {
        let rows = rows_pattern(rows);
        let pattern = if reads_payload {
            quote! { (#rows, #pattern) }
        } else {
            rows
        };
        quote! { #pattern => { #body } }
    });
    Some(Assignments { tokens: quote! { match #subject { #(#arms)* _ => {} } }, reads_payload })
}

/// The same for rows that are taken by naming their target.
pub(crate) fn expand_on_wish(module: &Module<'_>) -> Option<TokenStream> {
    let rows = rows(module, |row| row.events.is_empty());
    if rows.is_empty() {
        return None;
    }
    let arms = rows.iter().map(|(id, row)| {
        let body = expand_set(module, row, None);
        let id = RustLiteral::u32_unsuffixed(id.0);
        quote! { #id => { #body } }
    });
    Some(quote! { match step.row() { #(#arms)* _ => {} } })
}

struct Arm {
    rows: Vec<u32>,
    pattern: TokenStream,
    body: TokenStream,
}

/// `1 | 3..=5`
fn rows_pattern(rows: &[u32]) -> TokenStream {
    let patterns = rows.chunk_by(|a, b| a + 1 == *b).flat_map(|run| {
        let literal = |row: &u32| RustLiteral::u32_unsuffixed(*row);
        match run {
            [first, _, .., last] => {
                let (first, last) = (literal(first), literal(last));
                vec![quote! { #first..=#last }]
            }
            run => run.iter().map(literal).map(|it| quote! { #it }).collect(),
        }
    });
    quote! { #(#patterns)|* }
}

fn rows<'m>(module: &Module<'m>, wanted: fn(&Transition) -> bool) -> Vec<(TransitionId, &'m Transition)> {
    let rows = module.machine.transitions.iter().enumerate().map(|(idx, row)| (TransitionId::new(idx), row));
    rows.filter(|(_, row)| changes(row).next().is_some() && wanted(row)).collect()
}

/// The assignments of a row, without those of a field to itself.
fn changes(row: &Transition) -> impl Iterator<Item = &(FieldId, Expr)> {
    row.set.iter().filter(|(field, expr)| expr.kind != ExprKind::Var(Var::Context(*field)))
}

fn payload(expr: &Expr) -> Vec<usize> {
    expr.vars().into_iter().filter_map(payload_position).collect()
}

/// The assignments of a row; right sides read what was there before.
fn expand_set(module: &Module<'_>, row: &Transition, event: Option<&Event>) -> TokenStream {
    let reads = MachineReads { module, machine: quote! { self }, event, predicate_event: None };
    let set: Vec<&(FieldId, Expr)> = changes(row).collect();
    let assigned_before = |idx: usize, expr: &Expr| {
        let vars = expr.vars();
        set[..idx].iter().any(|(field, _)| vars.contains(&Var::Context(*field)))
    };
    let needs_copies = set.iter().enumerate().any(|(idx, (_, expr))| assigned_before(idx, expr));
    let context = module.context_of(&quote! { self });
    let fields: Vec<_> = set.iter().map(|(field, _)| module.field(*field)).collect();
    let values: Vec<_> = set.iter().map(|(field, expr)| expand_value(module, *field, expr, &reads)).collect();
    if !needs_copies {
        return quote! { #(#context.#fields = #values;)* };
    }
    let new: Vec<_> = (0..values.len()).map(|idx| format_ident!("new_{idx}")).collect();
    quote! {
        let (#(#new,)*) = (#(#values,)*);
        #(#context.#fields = #new;)*
    }
}

fn expand_value(module: &Module<'_>, field: FieldId, expr: &Expr, reads: &MachineReads<'_>) -> TokenStream {
    let field = &module.machine.fields[field.index()];
    if field.ty == Type::Text {
        return expand_text(module, expr, field.optional, reads);
    }
    if field.optional { optional_value(expr, reads) } else { value(expr, reads) }
}

/// A text that the context keeps: made from what is lent.
fn expand_text(module: &Module<'_>, expr: &Expr, optional: bool, reads: &MachineReads<'_>) -> TokenStream {
    let facade = &module.facade;
    let (value, wrapped) = match &expr.kind {
        ExprKind::Literal(literal @ (Literal::Null | Literal::Text(_))) => return module.owned_literal(literal, optional),
        ExprKind::Constant(id) => {
            let constant = &module.constants[id.index()];
            (quote! { #facade::FromLiteral::from_literal(#constant) }, false)
        }
        ExprKind::Var(var @ Var::Context(_)) => {
            let place = super::expr::Reads::place(reads, *var);
            (quote! { ::core::clone::Clone::clone(&#place) }, expr.optional)
        }
        _ => {
            let lent = if expr.optional { optional_value(expr, reads) } else { value(expr, reads) };
            let from = quote! { ::core::convert::From::from };
            if expr.optional { (quote! { #lent.map(#from) }, true) } else { (quote! { #from(#lent) }, false) }
        }
    };
    if optional && !wrapped {
        quote! { ::core::option::Option::Some(#value) }
    } else {
        value
    }
}

/// What the assignments and guards of a machine ask of `Text`.
pub(crate) struct TextNeeds {
    /// A text of a payload is kept.
    pub(crate) from_payload: bool,
    /// A text of the spec is kept.
    pub(crate) from_literal: bool,
    /// A text of the context is kept a second time.
    pub(crate) clone: bool,
    /// A text of the context is compared.
    pub(crate) as_str: bool,
}

impl TextNeeds {
    pub(crate) fn of(module: &Module<'_>) -> Self {
        let machine = module.machine;
        let mut needs = TextNeeds { from_payload: false, from_literal: false, clone: false, as_str: false };
        let text_fields = |var: &Var| matches!(var, Var::Context(id) if machine.fields[id.index()].ty == Type::Text);
        let has_texts = machine.fields.iter().any(|it| it.ty == Type::Text);
        for row in machine.transitions.iter().filter(|_| has_texts) {
            for (field, expr) in &row.set {
                if machine.fields[field.index()].ty != Type::Text {
                    needs.as_str |= expr.vars().iter().any(text_fields);
                    continue;
                }
                match &expr.kind {
                    ExprKind::Literal(Literal::Null) => {}
                    ExprKind::Literal(_) | ExprKind::Constant(_) => needs.from_literal = true,
                    ExprKind::Var(Var::Context(_)) => needs.clone = true,
                    _ => needs.from_payload = true,
                }
            }
            needs.as_str |= row.guard.as_ref().is_some_and(|guard| guard.vars().iter().any(text_fields));
        }
        // The user's struct has settled what its texts are.
        needs.from_payload &= module.context_has(&Type::Text);
        // Births are rows like others, but the context they start from has texts of its own.
        needs.from_literal |= machine.transitions.iter().any(|row| row.from == From::Creation) && module.default_bound().is_some();
        needs
    }
}
