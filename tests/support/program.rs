//! Executes programs of machines as their documentation says, with nothing but the program and the declarations of the machine: no
//! question that the model answers is asked of it.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use statespec_lang::expr::{Compare, Var};
use statespec_lang::interpret::{EffectCall, Instance, Phase, Plan, Reason, Step};
use statespec_lang::model::machine::{Commit, On, Origin, Piece};
use statespec_lang::model::{Configuration, EventId, FieldId, Literal, PayloadId, PredicateId, StateId, Type, Value};
use statespec_lang::program::{Action, Arm, Cause, Destination, Expr, Kind, Operation, Program};

/// A call of a machine.
#[derive(Clone, Copy)]
pub(crate) struct Call<'a> {
    /// The event, or the requested target.
    pub(crate) cause: Cause,
    /// The payload of the event.
    pub(crate) payload: &'a [Value],
    /// Values for fields of the context at creation.
    pub(crate) given: &'a [(FieldId, Value)],
    /// The answers of the user's code.
    pub(crate) holds: &'a dyn Fn(PredicateId) -> bool,
}

/// The leaf or parallel state that a request for a state means.
pub(crate) fn requested(program: &Program<'_>, mut id: StateId) -> StateId {
    while let Some(child) = program.machine.states[id.index()].default_child {
        id = child;
    }
    id
}

/// The events that a refusal lists as allowed.
pub(crate) fn allowed(program: &Program<'_>, at: Option<&Instance>) -> Vec<EventId> {
    let Some(instance) = at else { return program.accepted_at_creation.clone() };
    let mut events: Vec<EventId> = instance.configuration.leaves().flat_map(|it| program.node(it).accepted.clone()).collect();
    events.sort_unstable();
    events.dedup();
    events
}

/// What a call changes.
pub(crate) fn plan(program: &Program<'_>, at: Option<&Instance>, call: Call<'_>) -> Result<Plan, Reason> {
    let machine = program.machine;
    let settles = matches!(call.cause, Cause::Event(event) if machine.events[event.index()].settles);
    let reacts = program.cases.iter().any(|it| matches!(it.cause, Cause::Automatic | Cause::Done(_))) || !program.raised.is_empty();
    let n_leaves = machine.states.iter().filter(|it| it.children.is_empty()).count();
    let mut leaves: Option<Vec<StateId>> = at.map(|it| it.configuration.leaves().collect());
    let mut context = match at {
        Some(instance) => instance.context.clone(),
        None => defaults(program, call.given),
    };
    let (mut steps, mut waiting, mut commit) = (Vec::<Step>::new(), VecDeque::<Cause>::new(), Commit::MemoryOnly);
    loop {
        let run = |cause, payload| Run { program, leaves: leaves.as_deref(), context: &context, cause, payload, holds: call.holds };
        let chosen = match steps.is_empty() || settles {
            true => run(call.cause, call.payload).step().map(Some),
            false => reaction(&mut waiting, &run),
        };
        let taken = match chosen {
            Ok(Some(taken)) => taken,
            Ok(None) => break,
            Err(_) if settles && !steps.is_empty() => break,
            Err(reason) => return Err(reason),
        };
        commit = taken.rows.iter().map(|it| program.rows[*it].commit).fold(commit, Commit::min);
        let repeats = settles && !taken.stays && leaves.as_ref() == Some(&taken.leaves) && context == taken.context;
        if reacts {
            waiting.extend(taken.rows.iter().flat_map(|it| &program.rows[*it].raise).map(|it| Cause::Event(*it)));
            waiting.extend(completed(program, &taken.step.entered, &taken.leaves).into_iter().map(Cause::Done));
        }
        let stays = taken.stays;
        steps.push(taken.step);
        (leaves, context) = (Some(taken.leaves), taken.context);
        if !reacts && (stays || !settles) {
            break;
        }
        let too_many = match settles {
            true => steps.len() > 1 && steps.len() > n_leaves,
            false => steps.len() > statespec_lang::model::Machine::MAX_STEPS || waiting.len() > statespec_lang::model::Machine::MAX_WAITING,
        };
        if repeats || too_many {
            return Err(Reason::Unsettled);
        }
    }
    let leaves = leaves.expect("a creation leads to a state");
    for step in &mut steps {
        step.effects = effects(program, step, call.payload, &context);
    }
    Ok(Plan { steps, end: Instance { configuration: configuration(program, &leaves), context }, commit })
}

/// The step that follows a step: an automatic one, else the first that a waiting cause takes.
fn reaction<'a>(waiting: &mut VecDeque<Cause>, run: &dyn Fn(Cause, &'a [Value]) -> Run<'a>) -> Result<Option<Taken>, Reason> {
    let mut cause = Cause::Automatic;
    loop {
        match run(cause, &[]).step() {
            Ok(taken) => return Ok(Some(taken)),
            Err(refused @ (Reason::Text(_) | Reason::DivisionByZero)) => return Err(refused),
            Err(_) => {}
        }
        match waiting.pop_front() {
            Some(next) => cause = next,
            None => return Ok(None),
        }
    }
}

/// The context of a new machine.
pub(crate) fn defaults(program: &Program<'_>, given: &[(FieldId, Value)]) -> Vec<Value> {
    let fields = program.machine.fields.iter().enumerate();
    let value = |(idx, field): (usize, &statespec_lang::model::machine::Field)| match given.iter().find(|it| it.0.index() == idx) {
        Some((_, value)) => value.clone(),
        None => field.default.as_ref().map_or(Value::Null, literal),
    };
    fields.map(value).collect()
}

/// A step, and the machine after it.
struct Taken {
    rows: Vec<usize>,
    stays: bool,
    step: Step,
    leaves: Vec<StateId>,
    context: Vec<Value>,
}

/// One step: the machine before it, and its cause.
struct Run<'a> {
    program: &'a Program<'a>,
    leaves: Option<&'a [StateId]>,
    context: &'a [Value],
    cause: Cause,
    payload: &'a [Value],
    holds: &'a dyn Fn(PredicateId) -> bool,
}

impl Run<'_> {
    fn step(&self) -> Result<Taken, Reason> {
        self.take(&self.arms()?)
    }

    /// The arms that are taken at once.
    fn arms(&self) -> Result<Vec<&Arm>, Reason> {
        if let Cause::Done(whole) = self.cause
            && !is_done(self.program, self.leaves.unwrap_or_default(), whole)
        {
            return Err(Reason::NoTransition);
        }
        let Some(leaves) = self.leaves else {
            let arm = self.arm(None)?;
            return if arm.action == Action::Refuse { Err(Reason::Text(arm.row)) } else { Ok(vec![arm]) };
        };
        let (mut reason, mut chosen, mut refusing) = (Reason::NoTransition, Vec::<&Arm>::new(), Vec::<&Arm>::new());
        for leaf in leaves {
            match self.arm(Some(*leaf)) {
                Ok(arm) if arm.action == Action::Refuse => refusing.push(arm),
                Ok(arm) if chosen.iter().any(|it| (it.row, it.source) == (arm.row, arm.source)) => {}
                Ok(arm) => chosen.push(arm),
                Err(Reason::Guard) => reason = Reason::Guard,
                Err(Reason::NoTransition) => {}
                Err(other) => return Err(other),
            }
        }
        let prevails = |it: &&&Arm| !chosen.iter().any(|inner| self.is_inside(inner.source, it.source));
        if let Some(arm) = refusing.iter().find(prevails) {
            return Err(Reason::Text(arm.row));
        }
        let mut kept: Vec<(&Arm, BTreeSet<StateId>)> = Vec::new();
        for arm in chosen {
            let left = self.left(arm);
            let in_conflict = |other: &(&Arm, BTreeSet<StateId>)| !left.is_disjoint(&other.1);
            if kept.iter().any(|it| in_conflict(it) && !self.is_inside(arm.source, it.0.source)) {
                continue;
            }
            kept.retain(|it| !in_conflict(it));
            kept.push((arm, left));
        }
        if kept.is_empty() { Err(reason) } else { Ok(kept.into_iter().map(|it| it.0).collect()) }
    }

    /// The arm that a leaf chooses.
    fn arm(&self, leaf: Option<StateId>) -> Result<&Arm, Reason> {
        let case = self.program.case(leaf, self.cause).ok_or(Reason::NoTransition)?;
        for arm in &case.arms {
            let row = self.program.row(arm.row);
            if row.guard_divides.as_ref().is_some_and(|it| self.truth(it)) {
                return Err(Reason::DivisionByZero);
            }
            if row.guard.as_ref().is_none_or(|it| self.truth(it)) {
                return Ok(arm);
            }
        }
        Err(Reason::Guard)
    }

    fn take(&self, arms: &[&Arm]) -> Result<Taken, Reason> {
        let program = self.program;
        let rows = || arms.iter().map(|it| program.row(it.row));
        if rows().any(|it| it.divides.as_ref().is_some_and(|it| self.truth(it))) {
            return Err(Reason::DivisionByZero);
        }
        let exited: BTreeSet<StateId> = arms.iter().flat_map(|it| self.left(it)).collect();
        let targets: Vec<StateId> = arms.iter().flat_map(|it| self.targets(it)).collect();
        let before: Vec<StateId> = self.leaves.unwrap_or_default().to_vec();
        let mut active: BTreeSet<StateId> = before.iter().flat_map(|it| around(program, *it)).filter(|it| !exited.contains(it)).collect();
        let stays = active.clone();
        if !targets.is_empty() {
            targets.iter().for_each(|it| active.extend(around(program, *it)));
            start_regions(program, &mut active);
        }
        let leaves: Vec<StateId> = active.iter().copied().filter(|it| program.machine.states[it.index()].children.is_empty()).collect();

        let mut set = BTreeMap::new();
        for it in rows().flat_map(|it| &it.set) {
            set.insert(it.field, self.value(&it.value));
        }
        if self.leaves.is_some() {
            let assigned: BTreeSet<FieldId> = set.keys().copied().collect();
            for memory in exited.iter().rev().flat_map(|it| &program.node(*it).memories).filter(|it| !assigned.contains(&it.field)) {
                let leaf = before.iter().find_map(|it| memory.leaves.get(it)).expect("a state that is left was active");
                set.insert(memory.field, Value::State(*leaf));
            }
        }
        let mut context = self.context.to_vec();
        set.iter().for_each(|(field, value)| context[field.index()] = value.clone());
        Ok(Taken {
            rows: arms.iter().map(|it| it.row.index()).collect(),
            stays: arms.iter().all(|it| it.action == Action::Stay),
            step: Step {
                transitions: arms.iter().map(|it| it.row).collect(),
                on: match self.cause {
                    Cause::Event(event) => On::Event(event),
                    Cause::Direct(_) => On::Direct,
                    Cause::Automatic => On::Automatic,
                    Cause::Done(whole) => On::Done(whole),
                },
                from: self.leaves.map(|it| configuration(program, it)),
                to: configuration(program, &leaves),
                exited: exited.into_iter().rev().collect(),
                entered: active.difference(&stays).copied().collect(),
                set: set.into_iter().collect(),
                effects: Vec::new(),
            },
            leaves,
            context,
        })
    }

    /// The leaves to which an arm leads.
    fn targets(&self, arm: &Arm) -> Vec<StateId> {
        let Action::Go(destinations) = &arm.action else { return Vec::new() };
        let leaf = |it: &Destination| match *it {
            Destination::Leaf(leaf) => leaf,
            Destination::Payload(id) => match self.payload(id) {
                Value::State(leaf) => *leaf,
                other => panic!("the payload names no state but {other:?}"),
            },
            Destination::History { field, whole, default } => match &self.context[field.index()] {
                Value::State(leaf) if self.is_in(*leaf, whole) => *leaf,
                _ => default,
            },
        };
        destinations.iter().map(leaf).collect()
    }

    /// The active states that an arm leaves.
    fn left(&self, arm: &Arm) -> BTreeSet<StateId> {
        let targets = self.targets(arm);
        let Some(leaves) = self.leaves.filter(|_| arm.action != Action::Stay) else { return BTreeSet::new() };
        let active: BTreeSet<StateId> = leaves.iter().flat_map(|it| around(self.program, *it)).collect();
        let states = &self.program.machine.states;
        let is_plain = |it: &StateId| !states[it.index()].parallel;
        // Inside each of these, all is left; none is the whole machine.
        let domains: Vec<Option<StateId>> = match self.program.row(arm.row).reenters {
            Some(outer) => {
                let contains_all = |it: &StateId| targets.iter().all(|to| self.is_in(*to, *it));
                vec![around(self.program, outer).skip(1).find(|it| is_plain(it) && contains_all(it))]
            }
            None => {
                let is_related = |it: &StateId| arm.source.is_none_or(|source| self.is_in(source, *it) || self.is_in(*it, source));
                let domain =
                    |to: &StateId| around(self.program, *to).skip(1).find(|it| active.contains(it) && is_plain(it) && is_related(it));
                targets.iter().map(domain).collect()
            }
        };
        let is_left = |id: &StateId| domains.iter().any(|it| it.is_none_or(|domain| *id != domain && self.is_in(*id, domain)));
        active.into_iter().filter(is_left).collect()
    }

    fn is_in(&self, id: StateId, whole: StateId) -> bool {
        around(self.program, id).any(|it| it == whole)
    }

    /// Whether a source lies inside another one; none is the whole machine.
    fn is_inside(&self, inner: Option<StateId>, outer: Option<StateId>) -> bool {
        inner.is_some_and(|inner| outer.is_none_or(|outer| inner != outer && self.is_in(inner, outer)))
    }

    fn payload(&self, id: PayloadId) -> &Value {
        let Cause::Event(event) = self.cause else { panic!("only an event has a payload") };
        let position = self.program.machine.payload_fields(event).position(|it| it.0 == id);
        &self.payload[position.expect("the event carries the field")]
    }
}

/// Evaluates expressions of a program.
pub(crate) trait Values {
    /// The value of a variable.
    fn read(&self, var: Var) -> Value;
    /// The value of a constant.
    fn constant(&self, id: statespec_lang::model::ConstantId) -> Value;
    /// The answer of the user's code.
    fn predicate(&self, id: PredicateId) -> bool;
    /// Whether a leaf is a state or lies inside it.
    fn is_in(&self, subject: &Expr, leaf: StateId, whole: StateId) -> bool;
    /// Whether a part is in a state.
    fn part_is_in(&self, part: statespec_lang::model::PartId, whole: StateId) -> bool;
    /// Whether the machine is in a state.
    fn is_active(&self, whole: StateId) -> bool;

    /// A condition.
    fn truth(&self, expr: &Expr) -> bool {
        self.value(expr) == Value::Bool(true)
    }

    /// The value of an expression.
    fn value(&self, expr: &Expr) -> Value {
        let value = self.value_of_kind(expr);
        assert!(expr.nullable || value != Value::Null, "a value that is never null is null: {expr:?}");
        if let Some(folded) = &expr.value {
            assert_eq!(literal(folded), value, "the value of {expr:?}");
        }
        value
    }

    /// The value of an expression, without checks.
    fn value_of_kind(&self, expr: &Expr) -> Value {
        match &expr.kind {
            Kind::Literal(it) => literal(it),
            Kind::Constant(id) => self.constant(*id),
            Kind::Read(var) | Kind::Known(var) => self.read(*var),
            Kind::IsNull(var) => Value::Bool(self.read(*var) == Value::Null),
            Kind::Predicate(id) => Value::Bool(self.predicate(*id)),
            Kind::Not(a) => Value::Bool(!self.truth(a)),
            Kind::And(a, b) => Value::Bool(self.truth(a) && self.truth(b)),
            Kind::Or(a, b) => Value::Bool(self.truth(a) || self.truth(b)),
            Kind::Compare(operator, a, b) => {
                assert!(!(a.nullable || b.nullable) || matches!(operator, Compare::Eq | Compare::Ne), "an order of null: {expr:?}");
                let order = self.value(a).cmp(&self.value(b));
                Value::Bool(match operator {
                    Compare::Eq => order.is_eq(),
                    Compare::Ne => order.is_ne(),
                    Compare::Lt => order.is_lt(),
                    Compare::Le => order.is_le(),
                    Compare::Gt => order.is_gt(),
                    Compare::Ge => order.is_ge(),
                })
            }
            Kind::Operation(operation, a, b) => operate(*operation, &expr.ty, self.value(a), self.value(b)),
            Kind::Len(a) => match self.value(a) {
                Value::Text(text) => Value::Int(text.chars().count().try_into().expect("a text fits into the memory")),
                other => panic!("the length of {other:?}"),
            },
            Kind::ToDecimal(a) => match self.value(a) {
                Value::Int(it) => Value::Decimal(it.into()),
                other => panic!("the decimal of {other:?}"),
            },
            Kind::In(a, whole) => match self.value(a) {
                Value::State(leaf) => Value::Bool(self.is_in(a, leaf, *whole)),
                other => panic!("{other:?} is no state"),
            },
            Kind::PartIn(part, whole) => Value::Bool(self.part_is_in(*part, *whole)),
            Kind::Active(whole) => Value::Bool(self.is_active(*whole)),
        }
    }
}

impl Values for Run<'_> {
    fn read(&self, var: Var) -> Value {
        match var {
            Var::Context(id) => self.context[id.index()].clone(),
            Var::Payload(id) => self.payload(id).clone(),
            Var::Input(_) | Var::PartState(_) | Var::PartContext(..) | Var::PartId(_) => panic!("a machine knows no parts"),
        }
    }

    fn constant(&self, id: statespec_lang::model::ConstantId) -> Value {
        literal(&self.program.machine.constants[id.index()].value)
    }

    fn predicate(&self, id: PredicateId) -> bool {
        (self.holds)(id)
    }

    fn is_in(&self, _: &Expr, leaf: StateId, whole: StateId) -> bool {
        Run::is_in(self, leaf, whole)
    }

    fn part_is_in(&self, _: statespec_lang::model::PartId, _: StateId) -> bool {
        panic!("a machine knows no parts")
    }

    fn is_active(&self, whole: StateId) -> bool {
        self.leaves.is_some_and(|leaves| leaves.iter().any(|it| Run::is_in(self, *it, whole)))
    }
}

/// The value of a literal.
pub(crate) fn literal(literal: &Literal) -> Value {
    match literal {
        Literal::Null => Value::Null,
        Literal::Bool(it) => Value::Bool(*it),
        Literal::Int(it) => Value::Int(*it),
        Literal::Decimal(it) => Value::Decimal(*it),
        Literal::Text(it) => Value::Text(it.clone()),
        Literal::Duration(it) => Value::Duration(*it),
        Literal::Timestamp(it) => Value::Timestamp(*it),
        Literal::Enum(id, idx) => Value::Enum(*id, *idx),
        Literal::State(it) => Value::State(*it),
        Literal::Event(_) | Literal::List(_) => panic!("no expression has the value {literal:?}"),
    }
}

/// The façade is another implementation of the rules of division than the interpreter.
fn operate(operation: Operation, ty: &Type, a: Value, b: Value) -> Value {
    use statespec::__private::{quotient, remainder};
    let whole = |a: i64, b: i64| match operation {
        Operation::Add | Operation::Later => a.saturating_add(b),
        Operation::Sub | Operation::Earlier | Operation::Since => a.saturating_sub(b),
        Operation::Mul | Operation::Times => a.saturating_mul(b),
        Operation::Div => quotient(a, b),
        Operation::Rem => remainder(a, b),
    };
    match (ty, a, b) {
        (Type::Decimal, Value::Decimal(a), Value::Decimal(b)) => Value::Decimal(match operation {
            Operation::Add => a.saturating_add(b),
            Operation::Sub => a.saturating_sub(b),
            Operation::Mul => a.saturating_mul(b),
            Operation::Div => quotient(a, b),
            Operation::Rem => remainder(a, b),
            other => panic!("{other:?} of decimals"),
        }),
        (Type::Int, Value::Int(a), Value::Int(b)) => Value::Int(whole(a, b)),
        (Type::Duration, Value::Duration(a), Value::Duration(b)) => Value::Duration(whole(a, b)),
        (Type::Duration, Value::Duration(a), Value::Int(b)) if operation == Operation::Times => Value::Duration(whole(a, b)),
        (Type::Duration, Value::Timestamp(a), Value::Timestamp(b)) if operation == Operation::Since => Value::Duration(whole(a, b)),
        (Type::Timestamp, Value::Timestamp(a), Value::Duration(b)) if matches!(operation, Operation::Later | Operation::Earlier) => {
            Value::Timestamp(whole(a, b))
        }
        (ty, a, b) => panic!("{operation:?} of {a:?} and {b:?}: {ty:?}"),
    }
}

/// A state and those around it, innermost first.
pub(crate) fn around<'p>(program: &'p Program<'_>, id: StateId) -> impl Iterator<Item = StateId> + use<'p> {
    let states = &program.machine.states;
    std::iter::successors(Some(id), |id| states[id.index()].parent)
}

/// Adds the start of every region that would be left without an active state.
fn start_regions(program: &Program<'_>, active: &mut BTreeSet<StateId>) {
    let machine = program.machine;
    let is_region = |id: StateId| machine.states[id.index()].parent.map_or(machine.parallel, |it| machine.states[it.index()].parallel);
    let surrounds = |id: StateId, active: &BTreeSet<StateId>| machine.states[id.index()].parent.is_none_or(|it| active.contains(&it));
    // States come before those inside them, so that one pass is enough.
    for idx in 0..machine.states.len() {
        let id = StateId::new(idx);
        if is_region(id) && surrounds(id, active) && !active.contains(&id) {
            program.node(id).starts.iter().for_each(|it| active.extend(around(program, *it)));
        }
    }
}

/// Whether a composite is in a terminal child, or each of its regions is.
fn is_done(program: &Program<'_>, leaves: &[StateId], whole: StateId) -> bool {
    let states = &program.machine.states;
    let ended = |it: StateId| leaves.iter().any(|leaf| states[leaf.index()].terminal && states[leaf.index()].parent == Some(it));
    let state = &states[whole.index()];
    if state.parallel { state.children.iter().all(|it| ended(*it)) } else { ended(whole) }
}

/// The composites that are done once some states are entered.
fn completed(program: &Program<'_>, entered: &[StateId], leaves: &[StateId]) -> Vec<StateId> {
    let mut done = Vec::new();
    for (idx, id) in entered.iter().enumerate() {
        done.extend(program.node(*id).completes);
        let whole = program.node(*id).may_complete.filter(|it| is_done(program, leaves, *it));
        done.extend(whole.filter(|whole| !entered[idx + 1..].iter().any(|it| program.node(*it).may_complete == Some(*whole))));
    }
    done
}

fn effects(program: &Program<'_>, step: &Step, payload: &[Value], context: &[Value]) -> Vec<EffectCall> {
    let states = &program.machine.states;
    let rows = || step.transitions.iter().map(|it| program.row(*it));
    let before = rows().flat_map(|it| &it.before).map(|it| (Phase::Before, it));
    let exit = step.exited.iter().flat_map(|it| &states[it.index()].exit).map(|it| (Phase::Exit, it));
    let entry = step.entered.iter().flat_map(|it| &states[it.index()].entry).map(|it| (Phase::Entry, it));
    let after = rows().flat_map(|it| &it.effects).map(|it| (Phase::Do, it));
    let call = |(phase, effect): (Phase, &statespec_lang::model::EffectId)| {
        let only = |configuration: &Configuration| Value::State(configuration.leaves().next().expect("a leaf"));
        let taken: Vec<Value> = program.effects[effect.index()]
            .takes
            .iter()
            .map(|it| match it.origin {
                Origin::Context(field) => context[field.index()].clone(),
                Origin::From => step.from.as_ref().map_or(Value::Null, only),
                Origin::To => only(&step.to),
                Origin::Payload(id) => {
                    let event = step.on.event().expect("only an event has a payload");
                    let position = program.machine.payload_fields(event).position(|it| it.0 == id).expect("the event carries the field");
                    payload[position].clone()
                }
            })
            .collect();
        let text = |it: &Piece| match it {
            Piece::Text(text) => text.clone(),
            Piece::Taken(idx) => statespec_lang::interpret::value::show(program.machine, &taken[*idx]),
        };
        let message = program.machine.effects[effect.index()].message.as_ref().map(|it| it.iter().map(text).collect());
        EffectCall { phase, effect: *effect, taken, message }
    };
    before.chain(exit).chain(entry).chain(after).map(call).collect()
}

/// The configuration of leaves that are active at once.
pub(crate) fn configuration(program: &Program<'_>, leaves: &[StateId]) -> Configuration {
    program.machine.configuration(leaves).expect("leaves that go together")
}
