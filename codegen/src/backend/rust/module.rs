//! What one emitted module is made from: the machine, and the identifiers of everything in it.

use std::collections::BTreeSet;

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use super::Style;
use super::form::{Form, Shape};
use super::long::Long;
use crate::expr::{ExprKind, Names, Var};
use crate::model::machine::{Enum, Event, Field, Machine, Outcome};
use crate::model::{ConstantId, EffectId, EnumId, EventId, PredicateId, StateId, machine};
use crate::names::{ident, shouty, snake, upper_camel};

/// What every state has: attributes and orders of the same name get a `_` behind.
const STATE_METHODS: &[&str] = &[
    "allows",
    "clamp",
    "clone",
    "cmp",
    "doc",
    "eq",
    "events",
    "fmt",
    "from_str",
    "hash",
    "index",
    "is_final",
    "is_in",
    "is_terminal",
    "label",
    "max",
    "min",
    "name",
    "ne",
    "parent",
    "parse",
    "partial_cmp",
    "path",
    "serialize",
    "deserialize",
    "successors",
    "transitions",
];

/// What every module may hold: enums, orders and a machine of the same name get a `_` behind.
const MODULE_TYPES: &[&str] = &[
    "Actor",
    "Change",
    "Composite",
    "Context",
    "Effect",
    "Effects",
    "Event",
    "EventKind",
    "Outcome",
    "Predicates",
    "Refused",
    "RunError",
    "State",
    "Text",
    "R",
    "P",
    "H",
    "Self",
];

/// Names of values in the bodies of emitted functions: payload fields of the same name get a `_` behind.
const LOCALS: &[&str] = &["context", "event", "host", "message", "predicates", "step", "self"];

/// A machine on its way to Rust.
pub struct Module<'m> {
    pub(crate) machine: &'m Machine,
    pub(crate) style: &'m Style,
    /// Whose types the machine and its states are.
    pub(crate) shape: Shape,
    /// Where long lists go.
    pub(crate) long: Long<'m>,
    /// The path of the façade.
    pub(crate) facade: TokenStream,
    /// The type of the machine.
    pub(crate) ident: Ident,
    /// Variants of `State` and `Composite`, by [`StateId`].
    pub(crate) states: Vec<Ident>,
    pub(crate) events: Vec<Ident>,
    pub(crate) effects: Vec<Ident>,
    pub(crate) effect_methods: Vec<Ident>,
    pub(crate) actors: Vec<Ident>,
    pub(crate) constants: Vec<Ident>,
    pub(crate) fields: Vec<Ident>,
    pub(crate) enums: Vec<Ident>,
    pub(crate) predicates: Vec<Ident>,
    pub(crate) attributes: Vec<Ident>,
    pub(crate) orders: Vec<Ident>,
    pub(crate) order_items: Vec<Ident>,
    /// The leaves that some edge leads to, by [`StateId`].
    successors: Vec<Vec<StateId>>,
    /// The leaves, in order.
    pub(crate) leaves: Vec<StateId>,
    /// The composites, in order.
    pub(crate) composites: Vec<StateId>,
}

/// A count or position, as one writes it by hand.
pub(crate) fn number(number: usize) -> Literal {
    Literal::usize_unsuffixed(number)
}

/// Makes identifiers that differ from each other.
pub(crate) struct Claims(BTreeSet<String>);

impl Claims {
    pub(crate) fn new(taken: &[&str]) -> Self {
        Claims(taken.iter().map(|it| (*it).to_owned()).collect())
    }

    pub(crate) fn claim(&mut self, mut name: String) -> Ident {
        while !self.0.insert(name.clone()) {
            name.push('_');
        }
        ident(&name)
    }

    pub(crate) fn claim_all<'a>(&mut self, names: impl Iterator<Item = &'a String>, case: fn(&str) -> String) -> Vec<Ident> {
        names.map(|it| self.claim(case(it))).collect()
    }
}

impl<'m> Module<'m> {
    /// Decides all names.
    pub fn new(machine: &'m Machine, style: &'m Style) -> Self {
        Module::in_shape(machine, style, Shape::default())
    }

    /// The same, around types of the user.
    pub(crate) fn in_shape(machine: &'m Machine, style: &'m Style, shape: Shape) -> Self {
        let Shape { form, prefix, .. } = &shape;
        let free = || Claims::new(&["Self"]);
        let mut types = Claims::new(MODULE_TYPES);
        types.0.extend(super::prelude::prelude_names().map(str::to_owned));
        let ident = match form {
            Form::Emitted => types.claim(upper_camel(&machine.name)),
            Form::Struct(_) => ident(super::rename::MACHINE),
            Form::Enum(_) => ident("State"),
        };
        let enums = machine.enums.iter().map(|it| types.claim(format!("{prefix}{}", upper_camel(&it.name)))).collect();
        let order_items = machine.orders.iter().map(|it| types.claim(format!("{prefix}{}Item", upper_camel(&it.name)))).collect();
        let mut states = free().claim_all(machine.states.iter().map(|it| &it.name), upper_camel);
        if let Form::Enum(own) = form {
            machine.leaves().zip(&own.variants).for_each(|(leaf, variant)| states[leaf.index()] = variant.clone());
        }
        let constant_prefix = if prefix.is_empty() { String::new() } else { shouty(prefix) + "_" };
        let constants = machine.constants.iter().map(|it| constant_prefix.clone() + &shouty(&it.name));
        let mut methods = Claims::new(STATE_METHODS);
        let attributes = methods.claim_all(machine.attributes.iter().map(|it| &it.name), snake);
        let orders = methods.claim_all(machine.orders.iter().map(|it| &it.name), snake);
        Module {
            machine,
            style,
            shape,
            long: Long::default(),
            facade: style.facade_path(),
            ident,
            states,
            events: free().claim_all(machine.events.iter().map(|it| &it.name), upper_camel),
            effects: free().claim_all(machine.effects.iter().map(|it| &it.name), upper_camel),
            effect_methods: Claims::new(&["store"]).claim_all(machine.effects.iter().map(|it| &it.name), snake),
            actors: free().claim_all(machine.actors.iter().map(|it| &it.name), upper_camel),
            constants: {
                let mut claims = free();
                constants.map(|it| claims.claim(it)).collect()
            },
            fields: free().claim_all(machine.fields.iter().map(|it| &it.name), snake),
            predicates: free().claim_all(machine.predicates.iter().map(|it| &it.name), snake),
            enums,
            attributes,
            orders,
            order_items,
            successors: machine.state_ids().map(|it| machine.successors(it)).collect(),
            leaves: machine.leaves().collect(),
            composites: machine.state_ids().filter(|id| !machine.is_leaf(*id)).collect(),
        }
    }

    /// `State::Idle`
    pub(crate) fn state(&self, id: StateId) -> TokenStream {
        let variant = &self.states[id.index()];
        quote! { State::#variant }
    }

    /// The same as text.
    pub(crate) fn state_path(&self, id: StateId) -> String {
        format!("State::{}", self.states[id.index()])
    }

    /// `EventKind::Start`
    pub(crate) fn event(&self, id: EventId) -> TokenStream {
        let variant = &self.events[id.index()];
        quote! { EventKind::#variant }
    }

    /// The same as text.
    pub(crate) fn event_path(&self, id: EventId) -> String {
        format!("EventKind::{}", self.events[id.index()])
    }

    /// `Effect::StoreMessage`
    pub(crate) fn effect(&self, id: EffectId) -> TokenStream {
        let variant = &self.effects[id.index()];
        quote! { Effect::#variant }
    }

    /// The variants of an enum.
    pub(crate) fn enum_variants(&self, id: EnumId) -> Vec<Ident> {
        Claims::new(&["Self"]).claim_all(self.machine.enums[id.index()].values.iter().map(|it| &it.name), upper_camel)
    }

    /// `Category::Soul`
    pub(crate) fn enum_value(&self, id: EnumId, idx: usize) -> TokenStream {
        let ty = &self.enums[id.index()];
        let variant = &self.enum_variants(id)[idx];
        quote! { #ty::#variant }
    }

    /// The identifiers of payload or item fields.
    pub(crate) fn field_idents(&self, fields: &[Field]) -> Vec<Ident> {
        Claims::new(&[]).claim_all(fields.iter().map(|it| &it.name), snake)
    }

    /// What a payload field is bound to in a pattern.
    pub(crate) fn local(&self, field: &Ident) -> Ident {
        if LOCALS.contains(&field.to_string().as_str()) { format_ident!("{field}_") } else { field.clone() }
    }

    /// `cause`, or `context: context_` where a local value has the name.
    pub(crate) fn binding(&self, field: &Ident) -> TokenStream {
        let local = self.local(field);
        if local == *field {
            quote! { #field }
        } else {
            quote! { #field: #local }
        }
    }

    pub(crate) fn has_context(&self) -> bool {
        !self.machine.fields.is_empty()
    }

    pub(crate) fn has_events(&self) -> bool {
        !self.machine.events.is_empty()
    }

    pub(crate) fn has_effects(&self) -> bool {
        !self.machine.effects.is_empty()
    }

    pub(crate) fn has_predicates(&self) -> bool {
        !self.machine.predicates.is_empty()
    }

    pub(crate) fn has_payload(&self) -> bool {
        self.machine.events.iter().any(|it| !it.payload.is_empty())
    }

    /// Whether some event settles.
    pub(crate) fn settles(&self) -> bool {
        self.machine.events.iter().any(|it| it.settles)
    }

    /// Whether some edge is taken by naming its target.
    pub(crate) fn has_wishes(&self) -> bool {
        self.machine.edges.iter().any(|it| it.from.is_some() && it.event.is_none())
    }

    /// Whether machines come into being by an event.
    pub(crate) fn has_birth(&self) -> bool {
        !self.machine.edges_from(None).is_empty()
    }

    /// Whether some event is taken after birth.
    pub(crate) fn has_dispatch(&self) -> bool {
        let stub = self.shape.stub && self.has_events();
        stub || self.machine.edges.iter().any(|it| it.from.is_some() && it.event.is_some())
    }

    /// The index of a leaf among the leaves.
    pub(crate) fn leaf_index(&self, id: StateId) -> usize {
        self.leaves.partition_point(|it| *it < id)
    }

    /// The leaves inside a state, or the state itself.
    pub(crate) fn leaves_in(&self, whole: StateId) -> Vec<StateId> {
        if self.machine.is_leaf(whole) {
            return vec![whole];
        }
        self.leaves.iter().copied().filter(|leaf| self.machine.is_in(*leaf, whole)).collect()
    }

    /// The events that a row with this effect has.
    pub(crate) fn events_with(&self, effect: EffectId) -> Vec<(EventId, &'m Event)> {
        let rows = self.machine.transitions.iter().filter(|row| row.before.contains(&effect) || row.effects.contains(&effect));
        let ids: BTreeSet<EventId> = rows.flat_map(|row| row.events.iter().copied()).collect();
        ids.into_iter().map(|id| (id, self.machine.event(id))).collect()
    }

    /// The leaves that some edge leads to from a leaf: all of them where the payload names one.
    pub(crate) fn successors(&self, from: StateId) -> &[StateId] {
        &self.successors[from.index()]
    }

    /// Whether an edge is decided by more than the table: a guard, or a target in the payload.
    pub(crate) fn is_dynamic(&self, edge: &machine::Edge) -> bool {
        self.machine.transition(edge.transition).guard.is_some() || matches!(edge.outcome, Outcome::Payload(_))
    }
}

impl Names for Module<'_> {
    fn var(&self, var: Var) -> String {
        match var {
            Var::Context(id) => self.machine.fields[id.index()].name.clone(),
            // Positions in payloads need the row; `introspect` has it.
            _ => String::new(),
        }
    }

    fn constant(&self, constant: ConstantId) -> String {
        self.machine.constants[constant.index()].name.clone()
    }

    fn predicate(&self, predicate: PredicateId) -> String {
        self.machine.predicates[predicate.index()].name.clone()
    }

    fn state(&self, _subject: Option<&crate::expr::Expr>, state: StateId) -> String {
        self.machine.state(state).name.clone()
    }

    fn event(&self, event: EventId) -> String {
        self.machine.event(event).name.clone()
    }

    fn enums(&self) -> &[Enum] {
        &self.machine.enums
    }
}

/// Whether an expression asks a predicate.
pub(crate) fn asks(expr: &crate::expr::Expr, predicate: PredicateId) -> bool {
    let mut found = false;
    expr.walk(&mut |it| found |= it.kind == ExprKind::Predicate(predicate));
    found
}
