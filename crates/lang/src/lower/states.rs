//! Lowers the state tree: names first, so that everything else can refer to them, bodies later.

use std::collections::BTreeMap;

use super::fields::{LiteralNames, literal};
use super::names::{check_distinct, check_name, texts, unknown};
use super::text::{fill, fill_opt, label};
use super::{former, limits};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::limits::TEXT;
use crate::model::machine::{History, Machine, State};
use crate::model::{EffectId, FieldId, Literal, StateId, Type};
use crate::names;
use crate::read::{Entries, Named, OneOrMany, Text};
use crate::source::Span;
use crate::spec;
use crate::yaml::Node;

/// The tree with names, wire names and marks; [`bodies`] adds texts and attributes.
pub(super) fn names(spec: &spec::machine::Machine, machine: &mut Machine, diagnostics: &mut Diagnostics) {
    let Some(inside) = spec.inside() else { return };
    machine.parallel = spec.states.is_none();
    let top = children(inside, None, machine, diagnostics);
    if !machine.parallel {
        machine.initial_top = initial(inside, &top, machine.span, "the machine", diagnostics).unwrap_or(StateId(0));
    }
    if machine.states.is_empty() {
        diagnostics.push(Diagnostic::new(Code::InitialState, machine.span, "the machine has no states"));
    }
    check_distinct("states", machine.states.iter().map(|it| (it.name.as_str(), it.span)), names::upper_camel, diagnostics);
    let mut all = Vec::new();
    nested(inside, &mut all);
    former::check("state", all.iter().map(|(name, it)| (*name, &it.aka)), diagnostics);
    let mut wires = BTreeMap::<&str, &State>::new();
    for state in machine.states.iter().filter(|it| it.children.is_empty()) {
        // States of one name have been reported.
        if let Some(first) = wires.insert(&state.wire, state).filter(|it| it.name != state.name) {
            let message = format!("two states are stored and sent as `{}`", state.wire);
            diagnostics.push(
                Diagnostic::new(Code::NameCollision, state.span, message)
                    .also(first.span, "first here")
                    .help("give one of them another `wire`"),
            );
        }
    }
}

/// All states with their bodies; the depth is limited by that of the YAML.
fn nested<'s>(spec: &'s Named<spec::machine::State>, all: &mut Vec<(&'s Text, &'s spec::machine::State)>) {
    for (name, body) in spec.iter() {
        all.push((name, body));
        body.inside().into_iter().for_each(|it| nested(it, all));
    }
}

fn children(
    spec: &Named<spec::machine::State>,
    parent: Option<StateId>,
    machine: &mut Machine,
    diagnostics: &mut Diagnostics,
) -> Vec<StateId> {
    let mut ids = Vec::new();
    for (name, body) in spec.iter() {
        check_name(name, "state", diagnostics);
        let id = StateId::new(machine.states.len());
        ids.push(id);
        limits::label(body.wire.as_ref().map(|it| it.value.as_str()), body.wire.as_ref(), diagnostics);
        machine.states.push(State {
            name: name.value.clone(),
            wire: body.wire.as_ref().map_or_else(|| name.value.clone(), |it| it.value.clone()),
            number: body.number.as_ref().map(|it| it.value),
            former: texts(&body.aka),
            label: label(&body.label, &machine.constants, diagnostics),
            doc: fill_opt(&body.doc, &machine.constants, diagnostics),
            parent,
            children: Vec::new(),
            default_child: None,
            parallel: false,
            histories: Vec::new(),
            terminal: body.terminal.as_ref().is_some_and(|it| it.value),
            attributes: Vec::new(),
            entry: Vec::new(),
            exit: Vec::new(),
            inferred: fill_opt(&body.inferred, &machine.constants, diagnostics),
            span: name.span,
        });
        let Some(inside) = body.inside() else { continue };
        let key = if body.states.is_some() { "states" } else { "regions" };
        if inside.entries.0.is_empty() {
            let message = format!("`{}` has an empty `{key}`", name.value);
            diagnostics.push(Diagnostic::new(Code::WrongShape, name.span, message).help(format!("leave `{key}` out")));
            continue;
        }
        let inner = children(inside, Some(id), machine, diagnostics);
        if body.states.is_some() {
            let default = initial(inside, &inner, name.span, &format!("`{}`", name.value), diagnostics);
            machine.states[id.index()].default_child = default.or(inner.first().copied());
        }
        let state = &mut machine.states[id.index()];
        state.parallel = body.states.is_none();
        state.children = inner;
        let [wire, number] = [body.wire.as_ref().map(|it| it.span), body.number.as_ref().map(|it| it.span)];
        for (key, span) in [("wire", wire), ("number", number)] {
            let Some(span) = span else { continue };
            let message = format!("`{}` is a composite and is never stored: `{key}` has no effect", name.value);
            diagnostics.push(Diagnostic::new(Code::WrongShape, span, message).help("give the states inside their own"));
        }
        if let Some(terminal) = body.terminal.as_ref().filter(|it| it.value) {
            let message = "a composite cannot be terminal";
            diagnostics.push(Diagnostic::new(Code::WrongShape, terminal.span, message).help("mark the outcomes inside it"));
        }
    }
    ids
}

/// The one state among siblings that is marked as initial; the first of a list without a mark.
fn initial(spec: &Named<spec::machine::State>, ids: &[StateId], whole: Span, what: &str, diagnostics: &mut Diagnostics) -> Option<StateId> {
    let mut marked = spec.iter().zip(ids).filter_map(|((name, body), id)| {
        let mark = body.initial.as_ref().filter(|it| it.value)?;
        Some((mark.span, name, *id))
    });
    let Some((first_span, first_name, id)) = marked.next() else {
        if spec.is_list {
            return ids.first().copied();
        }
        if !ids.is_empty() {
            let first = spec.iter().next().map_or("", |(name, _)| name.value.as_str());
            let message = format!("{what} has no initial state");
            diagnostics.push(
                Diagnostic::new(Code::InitialState, whole, message)
                    .help(format!("mark the one it starts in: `{first}: {{ initial: true }}`")),
            );
        }
        return None;
    };
    for (span, name, _) in marked {
        let message = format!("{what} starts in `{}` and in `{}`", first_name.value, name.value);
        diagnostics
            .push(Diagnostic::new(Code::InitialState, span, message).also(first_span, "first here").help("keep one `initial: true`"));
    }
    Some(id)
}

/// Attributes and effects of every state; false if inherited values make too much text.
pub(super) fn bodies(spec: &spec::machine::Machine, machine: &mut Machine, n_bytes: usize, diagnostics: &mut Diagnostics) -> bool {
    let by_name = machine.attributes.iter().enumerate().map(|(idx, it)| (it.name.clone(), idx)).collect();
    let mut bodies = Bodies { by_name, next: 0, n_copied: 0, n_bytes };
    spec.inside().is_none_or(|it| bodies.walk(it, machine, diagnostics))
}

/// The progress through the states.
struct Bodies {
    /// The positions of the attributes.
    by_name: BTreeMap<String, usize>,
    /// The position of the next state.
    next: usize,
    /// The bytes of all values that states inherit.
    n_copied: usize,
    /// The size of the spec.
    n_bytes: usize,
}

impl Bodies {
    fn walk(&mut self, spec: &Named<spec::machine::State>, machine: &mut Machine, diagnostics: &mut Diagnostics) -> bool {
        for (name, body) in spec.iter() {
            let idx = self.next;
            self.next += 1;
            let attributes = self.attributes(name, body, idx, machine, diagnostics);
            let entry = state_effects(&body.entry, machine, diagnostics);
            let exit = state_effects(&body.exit, machine, diagnostics);
            let histories = histories(body, idx, machine, diagnostics);
            let state = &mut machine.states[idx];
            state.histories = histories;
            state.attributes = attributes;
            state.entry = entry;
            state.exit = exit;
            if limits::refuse(TEXT, self.n_copied, self.n_bytes, name.span, diagnostics) {
                return false;
            }
            if let Some(inside) = body.inside()
                && !self.walk(inside, machine, diagnostics)
            {
                return false;
            }
        }
        true
    }

    fn attributes(
        &mut self,
        name: &Text,
        body: &spec::machine::State,
        idx: usize,
        machine: &Machine,
        diagnostics: &mut Diagnostics,
    ) -> Vec<Literal> {
        let mut given: Vec<Option<&Node>> = vec![None; machine.attributes.len()];
        for (key, node) in body.attributes.iter().flat_map(Entries::iter) {
            match self.by_name.get(&key.value) {
                Some(idx) => given[*idx] = Some(&node.0),
                None => unknown("attribute", key, machine.attributes.iter().map(|it| it.name.as_str()), diagnostics),
            }
        }
        let parent = machine.states[idx].parent;
        let mut values = Vec::new();
        for (attribute_idx, (attribute, given)) in machine.attributes.iter().zip(given).enumerate() {
            let inherited = parent.and_then(|it| machine.state(it).attributes.get(attribute_idx)).filter(|it| **it != Literal::Null);
            let value = match given {
                Some(node) => {
                    let value = literal(node, &attribute.ty, attribute.optional, &LiteralNames::of(machine), diagnostics);
                    value.map(|it| fill_texts(it, node.span, machine, diagnostics))
                }
                None => {
                    let value = inherited.or(attribute.default.as_ref());
                    self.n_copied = self.n_copied.saturating_add(value.map_or(0, limits::length));
                    value.cloned()
                }
            };
            let is_leaf = machine.states[idx].children.is_empty();
            if value.is_none() && given.is_none() && is_leaf && !attribute.optional && !attribute.ty.is_unknown() {
                let message = format!("the state `{}` has no value for `{}`", name.value, attribute.name);
                diagnostics.push(
                    Diagnostic::new(Code::MissingKey, name.span, message)
                        .also(attribute.span, "every state needs a value")
                        .help(format!("add `attributes: {{ {}: … }}`, or make the attribute `optional: true`", attribute.name)),
                );
            }
            values.push(value.unwrap_or(Literal::Null));
        }
        values
    }
}

/// The histories of a state: each a context field for leaves, which is no other history.
fn histories(body: &spec::machine::State, idx: usize, machine: &Machine, diagnostics: &mut Diagnostics) -> Vec<History> {
    let mut found: Vec<History> = Vec::new();
    for written in body.history.iter().flat_map(|it| &it.0) {
        let (name, shallow) = match written {
            spec::machine::History::Field(name) => (name, false),
            spec::machine::History::Full(body) => (&body.field, body.shallow.as_ref().is_some_and(|it| it.value)),
        };
        if machine.states[idx].children.is_empty() {
            let message = format!("`{}` has no states inside, so there is nothing to remember", machine.states[idx].name);
            diagnostics.push(Diagnostic::new(Code::WrongShape, name.span, message).help("omit `history`"));
            break;
        }
        let Some(field) = history_field(name, machine, diagnostics) else { continue };
        let earlier = machine.states[..idx].iter().find(|it| it.histories.iter().any(|it| it.field == field));
        let own = found.iter().any(|it| it.field == field).then(|| &machine.states[idx]);
        if let Some(other) = earlier.or(own) {
            let message = format!("`{}` is the history of `{}` already", name.value, other.name);
            diagnostics.push(Diagnostic::new(Code::NameCollision, name.span, message).also(other.span, "this state").help("add a field"));
            continue;
        }
        found.push(History { field, shallow });
    }
    found
}

/// The context field with this name, if it can remember a state.
fn history_field(name: &Text, machine: &Machine, diagnostics: &mut Diagnostics) -> Option<FieldId> {
    let Some(position) = machine.fields.iter().position(|it| it.name == name.value) else {
        unknown("context field", name, machine.fields.iter().map(|it| it.name.as_str()), diagnostics);
        return None;
    };
    let field = &machine.fields[position];
    if field.ty != Type::State || !field.optional {
        if !field.ty.is_unknown() {
            let message = format!("`{}` cannot remember a state", field.name);
            let diagnostic = Diagnostic::new(Code::TypeMismatch, name.span, message).also(field.span, "declared here");
            diagnostics.push(diagnostic.help(format!("write `{}: {{ type: state, optional: true }}`", field.name)));
        }
        return None;
    }
    Some(FieldId::new(position))
}

/// Texts in attributes can use constants, too.
fn fill_texts(literal: Literal, span: Span, machine: &Machine, diagnostics: &mut Diagnostics) -> Literal {
    match literal {
        Literal::Text(text) => Literal::Text(fill(&Text::new(text, span), &machine.constants, diagnostics)),
        Literal::List(items) => Literal::List(items.into_iter().map(|it| fill_texts(it, span, machine, diagnostics)).collect()),
        other => other,
    }
}

/// Effects of entering or leaving a state. Any event may cause them, so they cannot take a payload.
fn state_effects(spec: &Option<OneOrMany<Text>>, machine: &Machine, diagnostics: &mut Diagnostics) -> Vec<EffectId> {
    let effects = super::transitions::effects(spec, machine, diagnostics);
    for (effect, name) in effects.iter().zip(spec.iter().flat_map(|it| &it.0)) {
        if machine.effect(*effect).payload().next().is_some() {
            let message = format!("`{}` takes a payload, but entering or leaving a state has none", name.value);
            diagnostics.push(Diagnostic::new(Code::BadEffect, name.span, message).help("use it under `do` of the transitions"));
        }
    }
    effects
}
