//! Expressions of the old machine in the names of the new one.

use statespec_lang::expr::{Compare, Expr, ExprKind, Var, fold};
use statespec_lang::model::{EventId, FieldId, Literal, PayloadId, PredicateId, StateId, Type};

use super::pairs::Pairs;

/// Translates the expressions of rows of one event.
pub(super) struct Translation<'p, 'm> {
    pairs: &'p Pairs<'m>,
    /// The event in both machines; none for a direct transition.
    event: Option<(EventId, EventId)>,
    /// For each field in the payload of the old event, its position in the new one.
    payload: Vec<Option<usize>>,
}

impl<'p, 'm> Translation<'p, 'm> {
    pub(super) fn new(pairs: &'p Pairs<'m>, event: Option<(EventId, EventId)>) -> Self {
        let payload = event.map_or_else(Vec::new, |(old, new)| pairs.payload(old, new));
        Translation { pairs, event, payload }
    }

    /// An expression of the new machine in the form of translated ones: constants are values, and places are equal.
    pub(super) fn of_new(&self, expr: &Expr) -> Expr {
        fold(expr, &self.pairs.new.constants).placed_at(self.pairs.new.span)
    }

    /// An expression of the old machine; `None` if it reads something that the new one lacks or has with another type.
    pub(super) fn of_old(&self, expr: &Expr) -> Option<Expr> {
        self.expr(&fold(expr, &self.pairs.old.constants)).map(|it| it.placed_at(self.pairs.new.span))
    }

    fn expr(&self, expr: &Expr) -> Option<Expr> {
        let boxed = |it: &Expr| self.expr(it).map(Box::new);
        let kind = match &expr.kind {
            ExprKind::Literal(it) => ExprKind::Literal(self.literal(it)?),
            // `fold` replaces the constants of the machine.
            ExprKind::Constant(_) => return None,
            ExprKind::Var(var) => ExprKind::Var(self.var(*var)?),
            ExprKind::NonNull(var) => ExprKind::NonNull(self.var(*var)?),
            ExprKind::Predicate(id) => ExprKind::Predicate(PredicateId::new(self.pairs.predicates[id.index()]?)),
            ExprKind::Not(a) => ExprKind::Not(boxed(a)?),
            ExprKind::And(a, b) => ExprKind::And(boxed(a)?, boxed(b)?),
            ExprKind::Or(a, b) => ExprKind::Or(boxed(a)?, boxed(b)?),
            ExprKind::Compare(operator, a, b) => ExprKind::Compare(*operator, boxed(a)?, boxed(b)?),
            ExprKind::Arithmetic(operator, a, b) => ExprKind::Arithmetic(*operator, boxed(a)?, boxed(b)?),
            ExprKind::ToDecimal(a) => ExprKind::ToDecimal(boxed(a)?),
            ExprKind::Len(a) => ExprKind::Len(boxed(a)?),
            ExprKind::Active(state) => ExprKind::Active(self.pairs.state(*state)?),
            ExprKind::In(subject, whole) => return self.inside(subject, *whole, expr),
        };
        Some(Expr { kind, ty: self.ty(&expr.ty)?, optional: expr.optional, span: expr.span })
    }

    /// `subject in WHOLE`: the leaves inside, if they are others today.
    fn inside(&self, subject: &Expr, whole: StateId, expr: &Expr) -> Option<Expr> {
        let Pairs { old, new, .. } = self.pairs;
        let subject = self.expr(subject)?;
        let with = |kind| Expr::condition(expr.span, kind);
        let inside: Vec<StateId> = old.leaves().filter(|it| old.is_in(*it, whole)).filter_map(|it| self.pairs.state(it)).collect();
        let same = |today: StateId| new.leaves().all(|it| new.is_in(it, today) == inside.contains(&it));
        match self.pairs.state(whole).filter(|it| same(*it)) {
            Some(today) => Some(with(ExprKind::In(Box::new(subject), today))),
            None => {
                let is = |leaf: StateId| {
                    let leaf = Expr { kind: ExprKind::Literal(Literal::State(leaf)), ty: Type::State, ..subject.clone() };
                    with(ExprKind::Compare(Compare::Eq, Box::new(subject.clone()), Box::new(Expr { optional: false, ..leaf })))
                };
                let leaves = inside.into_iter().filter(|it| new.is_leaf(*it)).map(is);
                leaves.reduce(Expr::or)
            }
        }
    }

    /// The name of a payload field of the old event today; its old name if it is removed.
    pub(super) fn field_name(&self, id: PayloadId) -> String {
        let today = self.event.and_then(|(old, new)| {
            let position = self.payload[self.pairs.old.payload_position(old, id)?]?;
            Some(self.pairs.new.event(new).payload[position].name.clone())
        });
        today.unwrap_or_else(|| self.pairs.old.payload_name(id).to_owned())
    }

    fn var(&self, var: Var) -> Option<Var> {
        let Pairs { old, new, .. } = self.pairs;
        let (before, today, var) = match var {
            Var::Context(id) => {
                let today = self.pairs.fields[id.index()]?;
                (&old.fields[id.index()], &new.fields[today.index()], Var::Context(FieldId::new(today.index())))
            }
            Var::Payload(id) => {
                let (of_old, of_new) = self.event?;
                let position = old.payload_position(of_old, id)?;
                let today = &new.event(of_new).payload[self.payload[position]?];
                let name = new.payload_names.iter().position(|it| *it == today.name)?;
                (&old.event(of_old).payload[position], today, Var::Payload(PayloadId::new(name)))
            }
            // Only systems have these.
            Var::Input(_) | Var::PartState(_) | Var::PartContext(..) | Var::PartId(_) => return None,
        };
        (self.ty(&before.ty)? == today.ty && before.optional == today.optional).then_some(var)
    }

    /// The type in the new machine.
    pub(super) fn ty(&self, ty: &Type) -> Option<Type> {
        Some(match ty {
            Type::Enum(id) => Type::Enum(self.pairs.enums[id.index()]?),
            Type::List(item) => Type::List(Box::new(self.ty(item)?)),
            other => other.clone(),
        })
    }

    /// The value in the new machine.
    pub(super) fn literal(&self, literal: &Literal) -> Option<Literal> {
        Some(match literal {
            Literal::Enum(id, value) => Literal::Enum(self.pairs.enums[id.index()]?, self.pairs.values[id.index()][*value]?),
            Literal::State(id) => Literal::State(self.pairs.state(*id)?),
            Literal::Event(id) => Literal::Event(self.pairs.event(*id)?),
            Literal::List(items) => Literal::List(items.iter().map(|it| self.literal(it)).collect::<Option<_>>()?),
            other => other.clone(),
        })
    }
}
