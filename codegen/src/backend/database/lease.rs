//! `lease` of `[[database]]`: rows that a holder has for a time, and the states in which they are lost if the holder dies.
//!
//! A state is held if the graph leads to it from a claim or a reclaim, it has not ended, and nobody can claim it. The holder leaves
//! it alone if no event of `claim` and `reclaim` is accepted there, no timer ends there, and no row leaves it by itself. Both is asked
//! with and without a time in the field of the lease, because a guard may ask for one and a row may take it away.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use statespec_lang::check::{Possible, Reasoner};
use statespec_lang::diagnostic::{Code, Diagnostic, suggest};
use statespec_lang::expr::{Compare, Expr, ExprKind, Var};
use statespec_lang::model::machine::{Edge, On, Outcome};
use statespec_lang::model::{EventId, FieldId, Literal, Machine, StateId, TransitionId, Type};
use statespec_lang::read::Text;
use statespec_lang::source::Span;

/// The lease of a table, as the configuration has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Lease {
    pub(super) expires: Text,
    pub(super) claim: Vec<Text>,
    pub(super) renew: Vec<Text>,
    pub(super) reclaim: Vec<Text>,
}

/// The names of a lease, resolved.
pub(super) struct Resolved<'m> {
    machine: &'m Machine,
    expires: FieldId,
    claim: BTreeSet<EventId>,
    reclaim: BTreeSet<EventId>,
}

impl Lease {
    /// Looks the names up; `None` if some are wrong, and each of these is reported.
    pub(super) fn resolve<'m>(&self, machine: &'m Machine, error: &mut dyn FnMut(Span, String, String)) -> Option<Resolved<'m>> {
        let mut is_right = true;
        let mut error = |span: Span, message: String, help: String| {
            is_right = false;
            error(span, message, help);
        };
        let name = &self.expires;
        let field = machine.fields.iter().position(|it| it.name == name.value);
        match field.map(|it| &machine.fields[it]) {
            None => {
                let help = suggest(&name.value, machine.fields.iter().map(|it| it.name.as_str())).unwrap_or_default();
                error(name.span, format!("the context of `{}` has no field `{}`", machine.name, name.value), help);
            }
            Some(it) if it.ty != Type::Timestamp => {
                error(name.span, format!("`{}` is no timestamp", name.value), "name the field that says when a lease ends".to_owned());
            }
            Some(_) => {}
        }
        if machine.has_regions() {
            let message = format!("`{}` has regions, and a lease is about states of which one is active", machine.name);
            error(name.span, message, "remove `lease`".to_owned());
        }
        let mut seen = BTreeSet::new();
        let mut events = |role: &str, names: &[Text], sets: bool| -> BTreeSet<EventId> {
            let mut found = BTreeSet::new();
            for it in names {
                let Some(id) = machine.event_named(&it.value) else {
                    let help = suggest(&it.value, machine.events.iter().map(|it| it.name.as_str())).unwrap_or_default();
                    error(it.span, format!("`{}` has no event `{}`", machine.name, it.value), help);
                    continue;
                };
                let mut rows = machine.transitions.iter().filter(|row| row.events().contains(&id));
                if !seen.insert(id) {
                    let message = format!("`{}` stands in `lease` already", it.value);
                    error(it.span, message, "an event claims, renews or reclaims".to_owned());
                } else if let (true, Some(field)) = (sets, field.map(FieldId::new))
                    && !rows.any(|row| row.set.iter().any(|it| it.0 == field))
                {
                    let help = format!("let a row of it set `{}`, or remove it from `{role}`", name.value);
                    error(it.span, format!("no row of `{}` sets `{}`", it.value, name.value), help);
                }
                found.insert(id);
            }
            found
        };
        let claim = events("claim", &self.claim, true);
        events("renew", &self.renew, true);
        let reclaim = events("reclaim", &self.reclaim, false);
        let expires = field.map(FieldId::new)?;
        is_right.then_some(Resolved { machine, expires, claim, reclaim })
    }
}

/// A state, and whether the field of the lease is null there.
type Place = (StateId, bool);

impl Resolved<'_> {
    /// The states that a holder has, in the order of states.
    pub(super) fn held(&self) -> BTreeSet<StateId> {
        let takes = |it: &&Edge| it.on.event().is_some_and(|it| self.claim.contains(&it) || self.reclaim.contains(&it));
        let mut open: Vec<StateId> = self.machine.edges.iter().filter(takes).flat_map(|it| self.ends(it)).collect();
        let mut held = BTreeSet::new();
        while let Some(at) = open.pop() {
            let has_ended = self.machine.ancestors(at).any(|it| self.machine.state(it).terminal);
            let is_free = self.claim.iter().any(|it| self.accepted(at, On::Event(*it)).next().is_some());
            if !has_ended && !is_free && held.insert(at) {
                open.extend(self.machine.tried_in(at).concat().iter().flat_map(|it| self.ends(it)));
            }
        }
        held
    }

    /// The states in which nobody has a row and an event claims it, in the order of states.
    pub(super) fn free(&self) -> BTreeSet<StateId> {
        let is_free = |at: &StateId| self.claim.iter().any(|it| self.accepted(*at, On::Event(*it)).next().is_some());
        self.machine.leaves().filter(is_free).collect()
    }

    /// A warning for each state that the holder leaves alone.
    pub(super) fn findings(&self) -> Vec<Diagnostic> {
        let (reasoner, held) = (Reasoner::new(self.machine), self.held());
        let reached = self.reached(&reasoner);
        let mut findings = Vec::new();
        for leaf in held {
            let places: Vec<Place> = [true, false].into_iter().map(|it| (leaf, it)).filter(|it| reached.contains_key(it)).collect();
            let stranded: Vec<Place> = places.iter().copied().filter(|it| !self.has_other_way(&reasoner, *it)).collect();
            if stranded.is_empty() {
                continue;
            }
            let (name, field) = (&self.machine.state(leaf).name, &self.machine.fields[self.expires.index()].name);
            let (when, test) = match (stranded.len() == places.len(), stranded[0].1) {
                (true, _) => (String::new(), String::new()),
                (false, true) => (format!(" once `{field}` is null"), format!(" where `{field} == null`")),
                (false, false) => (format!(" while `{field}` is set"), format!(" where `{field} != null`")),
            };
            let events: Vec<String> = self.reclaim.iter().map(|it| format!("`{}`", self.machine.event(*it).name)).collect();
            let message = format!("only its holder leaves `{name}`{when}: if the holder dies there, nobody takes over");
            let mut it = Diagnostic::new(Code::DatabaseStranded, self.machine.state(leaf).span, message);
            for row in stranded.iter().filter_map(|it| reached[it]).collect::<BTreeSet<_>>() {
                it = it.also(self.machine.transition(row).span, "this row leads there");
            }
            findings.push(it.help(format!("let a row of {} lead from `{name}`{test}", events.join(" or "))));
        }
        findings
    }

    /// The leaves to which an edge leads; none if it stays or refuses.
    fn ends(&self, edge: &Edge) -> Vec<StateId> {
        match edge.outcome {
            Outcome::Stay | Outcome::Refuse => Vec::new(),
            _ => self.machine.endings(edge).concat(),
        }
    }

    fn accepted(&self, at: StateId, on: On) -> impl Iterator<Item = &Edge> {
        self.machine.tried(Some(at), on).iter().filter(|it| it.outcome != Outcome::Refuse)
    }

    /// Every place that can be reached from creation, with a row that leads to it.
    fn reached(&self, reasoner: &Reasoner<'_>) -> BTreeMap<Place, Option<TransitionId>> {
        let machine = self.machine;
        let field = &machine.fields[self.expires.index()];
        let is_null = matches!(field.default, None | Some(Literal::Null)) && field.optional;
        let mut reached: BTreeMap<Place, Option<TransitionId>> = BTreeMap::from([((machine.initial().first(), is_null), None)]);
        let mut open: Vec<Place> = reached.keys().copied().collect();
        for edge in machine.edges_from(None).iter().filter(|it| it.outcome != Outcome::Refuse) {
            for place in self.after(edge, None, is_null) {
                if reached.insert(place, Some(edge.transition)).is_none() {
                    open.push(place);
                }
            }
        }
        while let Some((at, is_null)) = open.pop() {
            for edges in machine.tried_in(at) {
                for edge in self.possible(reasoner, edges, is_null) {
                    for place in self.after(edge, Some(at), is_null) {
                        if let Entry::Vacant(first) = reached.entry(place) {
                            first.insert(Some(edge.transition));
                            open.push(place);
                        }
                    }
                }
            }
        }
        reached
    }

    /// The places after an edge.
    fn after(&self, edge: &Edge, at: Option<StateId>, is_null: bool) -> Vec<Place> {
        let set = self.machine.transition(edge.transition).set.iter().rev().find(|it| it.0 == self.expires);
        let lease: &[bool] = match set.map(|it| &it.1) {
            None => &[is_null],
            Some(it) if it.is_field(self.expires) => &[is_null],
            Some(Expr { kind: ExprKind::Literal(Literal::Null), .. }) => &[true],
            Some(it) if it.optional => &[true, false],
            Some(_) => &[false],
        };
        let ends = match edge.outcome {
            Outcome::Stay => at.into_iter().collect(),
            _ => self.ends(edge),
        };
        ends.into_iter().flat_map(|end| lease.iter().map(move |it| (end, *it))).collect()
    }

    /// Whether somebody other than the holder may lead a row out of a place, or to another lease there.
    fn has_other_way(&self, reasoner: &Reasoner<'_>, (at, is_null): Place) -> bool {
        let is_of_others = |on: On| match on {
            On::Event(it) => self.reclaim.contains(&it) || self.claim.contains(&it) || self.machine.timer(it).is_some(),
            On::Automatic | On::Done(_) => true,
            On::Direct => false,
        };
        let tried = self.machine.tried_in(at).into_iter().filter(|it| is_of_others(it[0].on));
        tried.flat_map(|edges| self.possible(reasoner, edges, is_null)).next().is_some()
    }

    /// The edges of one trigger that may be taken, as far as the lease decides it. Doubt is for the edge.
    fn possible<'e>(&self, reasoner: &Reasoner<'_>, edges: &'e [Edge], is_null: bool) -> Vec<&'e Edge> {
        let field = &self.machine.fields[self.expires.index()];
        let of = |kind| Expr { kind, ty: Type::Timestamp, optional: true, span: field.span };
        let (var, null) = (of(ExprKind::Var(Var::Context(self.expires))), of(ExprKind::Literal(Literal::Null)));
        let kind = ExprKind::Compare(Compare::Eq, Box::new(var), Box::new(null));
        let test = Expr { kind, ty: Type::Bool, optional: false, span: field.span };
        let guard = |edge: &Edge| self.machine.transition(edge.transition).guard.as_ref();
        let is_direct = edges.first().is_some_and(|it| it.on == On::Direct);
        let may_be = |(position, edge): &(usize, &'e Edge)| {
            if edge.outcome == Outcome::Refuse {
                return false;
            }
            let mut all: Vec<(&Expr, bool)> = Vec::new();
            if field.optional {
                all.push((&test, is_null));
            }
            all.extend(guard(edge).map(|it| (it, true)));
            // A direct transition names its target, so that rows with other targets do not compete.
            let before = edges[..*position].iter().filter(|it| !is_direct || it.outcome == edge.outcome);
            for earlier in before {
                match guard(earlier) {
                    None => return false,
                    Some(it) => all.push((it, false)),
                }
            }
            reasoner.possible(edge.on.event(), &all) != Possible::Never
        };
        edges.iter().enumerate().filter(may_be).map(|it| it.1).collect()
    }
}
