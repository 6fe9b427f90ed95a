//! Which configurations of a machine behave alike, and which payloads make a difference.
//!
//! Every leaf has a set of atoms: whatever the guards of its rows read, and whatever the atoms of the next leaf read
//! before the assignments of the row that leads there. Variables of the payload are eliminated: the sums in which one
//! occurs are zero at certain values of it, and the order of these values determines which cells between them exist.
//! Once no leaf needs a further atom, two configurations of one leaf with the same atoms allow the same steps.
//!
//! A sum whose variables are counted up needs ever more atoms; then the value of these variables is the atom.

use std::collections::{BTreeMap, BTreeSet};

use statespec_lang::expr::{Expr, ExprKind, Var, divides_in_row};
use statespec_lang::interpret::Request;
use statespec_lang::model::machine::{Edge, On, Outcome, Target};
use statespec_lang::model::{Configuration, EventId, FieldId, Literal, Machine, StateId, Type};
use statespec_lang::source::Span;

use super::atoms::{Atom, Atoms, Term, Unknown, Vars};
use super::linear::{Number, Sum, is_number, is_whole};
use super::ranges::Ranges;
use super::values::given_fields;

/// The maximum number of sums that differ only in their constants, and of atoms, of one leaf.
const MAX_SHAPE: usize = 24;
const MAX_ATOMS: usize = 160;

/// The variables to choose at a call, each with the atoms that depend on it and on earlier ones only.
pub(super) type Choices = Vec<(Var, BTreeSet<Atom>)>;

/// What a request depends on in one leaf, or before creation.
#[derive(Debug, Clone, Default)]
pub(super) struct Decisions {
    /// The choices of each row.
    pub(super) rows: Vec<Choices>,
    /// The expressions whose borders are not known.
    pub(super) unknown: BTreeSet<Unknown>,
}

/// The atoms of a machine.
#[derive(Debug)]
pub(super) struct Abstraction<'m> {
    rules: Rules<'m>,
    atoms: LeafAtoms,
}

/// How atoms follow from each other.
#[derive(Debug)]
struct Rules<'m> {
    machine: &'m Machine,
    ranges: Ranges,
    /// The fields that code outside the graph gives a value at creation.
    given: Vec<FieldId>,
    /// The fields that are not abstracted.
    exact: BTreeSet<FieldId>,
    /// The events that settle whose atoms are too many.
    unsettled: BTreeSet<EventId>,
}

/// The atoms found so far.
#[derive(Debug, Default)]
struct LeafAtoms {
    leaves: BTreeMap<StateId, BTreeSet<Atom>>,
    /// For the events that settle, in each leaf: the atoms before one more step, with those of the payload.
    settling: BTreeMap<(StateId, EventId), BTreeSet<Atom>>,
    /// For the events that settle: what is not known of any of their steps.
    unknown: BTreeMap<EventId, BTreeSet<Unknown>>,
    /// The atoms of all leaves, if a payload names the next state.
    anywhere: BTreeSet<Atom>,
}

/// What stands in the way of a complete set of atoms.
enum TooMany {
    Sums(Vec<FieldId>),
    Settling(EventId),
}

impl<'m> Abstraction<'m> {
    pub(super) fn of(machine: &'m Machine) -> Self {
        let ranges = Ranges::of(machine);
        let mut rules = Rules { machine, ranges, given: given_fields(machine), exact: BTreeSet::new(), unsettled: BTreeSet::new() };
        loop {
            match rules.settle() {
                Ok(atoms) => return Abstraction { rules, atoms },
                Err(TooMany::Sums(fields)) => rules.exact.extend(fields),
                Err(TooMany::Settling(event)) => _ = rules.unsettled.insert(event),
            }
        }
    }

    /// The atoms of a leaf.
    pub(super) fn atoms(&self, leaf: StateId) -> impl Iterator<Item = &Atom> {
        self.atoms.leaves.get(&leaf).into_iter().flatten()
    }

    /// The variables of the context and of the payload of an event.
    pub(super) fn vars(&self, request: Option<Request>) -> Vars<'_> {
        self.rules.vars(request.and_then(Request::event))
    }

    /// What a request depends on.
    pub(super) fn decisions(&self, from: Option<&Configuration>, request: Request) -> Decisions {
        let mut decisions = Decisions::default();
        let event = request.event();
        let vars = self.rules.vars(event);
        let leaves: Vec<Option<StateId>> = from.map_or_else(|| vec![None], |it| it.leaves().map(Some).collect());
        let edges = leaves.iter().flat_map(|it| request.candidates(self.rules.machine, *it));
        let from = leaves.first().copied().flatten();
        for Atoms { all, unknown } in self.rules.rows(&self.atoms, from, event, edges) {
            decisions.unknown.extend(unknown);
            let (choices, rest) = self.rules.eliminate(&self.rules.chosen(from, event), all, &vars);
            decisions.unknown.extend(rest.unknown);
            decisions.rows.push(choices);
        }
        // One call takes several steps.
        decisions.unknown.extend(event.and_then(|it| self.atoms.unknown.get(&it)).into_iter().flatten().cloned());
        if let Some(event) = event.filter(|it| self.rules.unsettled.contains(it)) {
            let why = "the borders of this event are not computed over several steps, so only some payloads were tried";
            decisions.unknown.insert(Unknown::new(self.rules.machine.event(event).span, why.into()));
        }
        decisions
    }

    /// The initial values that make a difference where no event creates the machine.
    pub(super) fn starts(&self) -> Decisions {
        let machine = self.rules.machine;
        let atoms = machine.initial().leaves().flat_map(|it| self.atoms(it)).cloned().collect();
        let (choices, rest) = self.rules.eliminate(&self.rules.chosen(None, None), atoms, &self.rules.vars(None));
        Decisions { rows: vec![choices], unknown: rest.unknown }
    }
}

impl Rules<'_> {
    fn vars(&self, event: Option<EventId>) -> Vars<'_> {
        Vars { machine: self.machine, event, ranges: &self.ranges }
    }

    /// The variables that a request chooses: its payload, and at creation the fields that no row assigns.
    fn chosen(&self, from: Option<StateId>, event: Option<EventId>) -> Vec<Var> {
        let payload = event.into_iter().flat_map(|it| self.machine.payload_fields(it)).map(|(id, _)| Var::Payload(id));
        let given = self.given.iter().filter(|_| from.is_none()).map(|it| Var::Context(*it));
        payload.chain(given).collect()
    }

    /// Adds atoms until no leaf needs a further one.
    fn settle(&self) -> Result<LeafAtoms, TooMany> {
        let machine = self.machine;
        let mut atoms = LeafAtoms::default();
        let mut sources: BTreeMap<StateId, BTreeSet<StateId>> = BTreeMap::new();
        let mut by_payload = BTreeSet::new();
        for edge in &machine.edges {
            if machine.has_regions() {
                // What one region assigns, the guards of all others may read.
                by_payload.extend(edge.from);
                continue;
            }
            match (edge.outcome, edge.from) {
                (Outcome::Stay, Some(from)) => _ = sources.entry(from).or_default().insert(from),
                (Outcome::Leaf(to), Some(from)) => _ = sources.entry(to).or_default().insert(from),
                (Outcome::Payload(_), from) => by_payload.extend(from),
                (Outcome::History(recall), Some(from)) => {
                    machine.leaves_in(recall.whole).for_each(|to| _ = sources.entry(to).or_default().insert(from));
                }
                _ => {}
            }
        }
        let mut open: BTreeSet<StateId> = machine.leaves().collect();
        while let Some(leaf) = open.pop_last() {
            let mut grown = false;
            let mut found = BTreeSet::new();
            // The steps that follow a request count, too. Nothing is chosen for a direct transition, so each is by itself.
            let edges_by_trigger = machine.edges_from(Some(leaf)).chunk_by(|a, b| a.on == b.on && a.on != On::Direct);
            for edges in edges_by_trigger {
                let event = edges[0].on.event();
                let vars = self.vars(event);
                let rows = self.rows(&atoms, Some(leaf), event, edges);
                if let Some(event) = event.filter(|it| machine.event(*it).settles && !self.unsettled.contains(it)) {
                    let own = atoms.settling.entry((leaf, event)).or_default();
                    grown |= add_all(own, rows.iter().flat_map(|it| it.all.iter().cloned()));
                    if check(own).is_err() {
                        return Err(TooMany::Settling(event));
                    }
                }
                for row in rows {
                    let rest = self.eliminate(&self.chosen(Some(leaf), event), row.all, &vars).1;
                    if let Some(event) = event.filter(|it| machine.event(*it).settles) {
                        atoms.unknown.entry(event).or_default().extend(row.unknown.into_iter().chain(rest.unknown));
                    }
                    found.extend(rest.all);
                }
            }
            if !by_payload.is_empty() {
                grown |= add_all(&mut atoms.anywhere, found.iter().cloned());
            }
            let own = atoms.leaves.entry(leaf).or_default();
            grown |= add_all(own, found);
            check(own).map_err(TooMany::Sums)?;
            if grown {
                open.extend(sources.get(&leaf).into_iter().flatten().chain(&by_payload).copied());
            }
        }
        Ok(atoms)
    }

    /// What each row depends on: its guard and those before it, and the atoms after it.
    fn rows<'e>(
        &self,
        atoms: &LeafAtoms,
        from: Option<StateId>,
        event: Option<EventId>,
        edges: impl IntoIterator<Item = &'e Edge>,
    ) -> Vec<Atoms> {
        let vars = self.vars(event);
        let mut guards = Atoms::default();
        let mut rows = Vec::new();
        for edge in edges {
            let row = self.machine.transition(edge.transition);
            let divides = divides_in_row(row.guard.as_ref(), row.set.iter().map(|it| &it.1), &self.machine.constants);
            row.guard.iter().chain(&divides).for_each(|it| guards.add_condition(it, &vars));
            if edge.outcome == Outcome::Refuse {
                continue;
            }
            let mut own = guards.clone();
            if let Target::Payload(position) = row.target {
                own.all.insert(Atom::Value(Var::Payload(position)));
            }
            own.all.extend(row.recalls().map(|it| Atom::Value(Var::Context(it))));
            let remembered = self.remembered(from, edge);
            // Whether the edge leaves a composite with a history then depends on where it leads.
            let is_uncertain = !remembered.is_empty() && !matches!(edge.outcome, Outcome::Leaf(_));
            let kept: BTreeMap<FieldId, &Expr> = row.set.iter().map(|(field, value)| (*field, value)).collect();
            let set = row.set.iter().map(|(field, value)| (*field, value)).chain(remembered.iter().map(|(field, value)| (*field, value)));
            let set: BTreeMap<FieldId, &Expr> = set.collect();
            for atom in self.after(atoms, from, event, edge) {
                own.add_before(atom, &set, row.span, &vars);
                if is_uncertain {
                    own.add_before(atom, &kept, row.span, &vars);
                }
            }
            rows.push(self.with_exact(own, &vars));
        }
        rows
    }

    /// What the context remembers after an edge that leaves as much as it may, as assignments.
    fn remembered(&self, from: Option<StateId>, edge: &Edge) -> Vec<(FieldId, Expr)> {
        let machine = self.machine;
        let Some(from) = from.filter(|_| machine.has_history()) else { return Vec::new() };
        let row = machine.transition(edge.transition);
        let is_set = |wanted: FieldId| row.set.iter().any(|(field, _)| *field == wanted);
        let remembers = |to: StateId| machine.remembers(&from.into(), &machine.path(from, to, machine.reentered(row)).0);
        let all: BTreeSet<(FieldId, StateId)> = machine.targets(edge).into_iter().flat_map(remembers).collect();
        all.into_iter().filter(|(field, _)| !is_set(*field)).map(|(field, leaf)| (field, state_literal(leaf, row.span))).collect()
    }

    /// The atoms of the configuration after a row.
    fn after<'a>(&self, atoms: &'a LeafAtoms, from: Option<StateId>, event: Option<EventId>, edge: &Edge) -> BTreeSet<&'a Atom> {
        let settles = event.filter(|it| self.machine.event(*it).settles);
        let of = |leaf: StateId| {
            let more = settles.and_then(|it| atoms.settling.get(&(leaf, it)));
            atoms.leaves.get(&leaf).into_iter().chain(more).flatten()
        };
        match (edge.outcome, from) {
            _ if self.machine.has_regions() => atoms.anywhere.iter().collect(),
            (Outcome::Leaf(to), _) => of(to).collect(),
            (Outcome::History(to), _) => self.machine.leaves_in(to.whole).flat_map(of).collect(),
            (Outcome::Stay, Some(from)) => atoms.leaves.get(&from).into_iter().flatten().collect(),
            (Outcome::Payload(_), _) if settles.is_some() => self.machine.leaves().flat_map(of).collect(),
            (Outcome::Payload(_), _) => atoms.anywhere.iter().collect(),
            _ => BTreeSet::new(),
        }
    }

    /// The same atoms; instead of sums with a field that is not abstracted, the values of their fields.
    fn with_exact(&self, mut atoms: Atoms, vars: &Vars<'_>) -> Atoms {
        let is_exact = |it: &Var| matches!(it, Var::Context(field) if self.exact.contains(field));
        let mut values = BTreeSet::new();
        atoms.all.retain(|atom| {
            let read = atom.vars();
            let exact = matches!(atom, Atom::Sign(_)) && read.iter().any(is_exact);
            if exact {
                values.extend(
                    read.iter().filter(|it| matches!(it, Var::Context(_)) && vars.field(**it).is_some()).map(|it| Atom::Value(*it)),
                );
            }
            // A payload is chosen by what it is compared with.
            !exact || read.iter().any(|it| matches!(it, Var::Payload(_)))
        });
        atoms.all.extend(values);
        atoms
    }

    /// Sorts atoms by the last chosen variable that they read. The rest does not depend on the choice.
    fn eliminate(&self, chosen: &[Var], atoms: BTreeSet<Atom>, vars: &Vars<'_>) -> (Choices, Atoms) {
        let mut rest = Atoms { all: atoms, unknown: BTreeSet::new() };
        let mut choices = Choices::new();
        for var in chosen.iter().rev() {
            let Some(field) = vars.field(*var) else { continue };
            let own: BTreeSet<Atom> = rest.all.iter().filter(|it| it.reads(*var)).cloned().collect();
            rest.all.retain(|it| !own.contains(it));
            let unknown = |why: &str| Unknown::new(field.span, format!("`{}` {why}", field.name));
            if own.len() > MAX_ATOMS {
                rest.unknown.insert(unknown("is compared in so many ways that only some of its values were tried"));
            } else {
                let mut derived = Atoms::default();
                for (idx, one) in own.iter().enumerate() {
                    for other in own.iter().skip(idx + 1) {
                        add_distance(*var, one, other, is_whole(&field.ty), vars, &mut derived);
                    }
                }
                rest.extend(self.with_exact(derived, vars));
            }
            if own.iter().any(|it| is_uneven(it, *var, &field.ty, vars)) {
                rest.unknown.insert(unknown("is compared with multiples, so only some of its values were tried"));
            }
            if is_number(&field.ty) && matches!(var, Var::Context(_)) && own.contains(&Atom::Value(*var)) {
                rest.unknown.insert(unknown("can start with any value, of which only some were tried"));
            }
            choices.push((*var, own));
        }
        choices.reverse();
        (choices, rest)
    }
}

/// Adds items, and says whether there was a new one.
fn add_all(set: &mut BTreeSet<Atom>, items: impl IntoIterator<Item = Atom>) -> bool {
    let before = set.len();
    set.extend(items);
    set.len() > before
}

/// Adds what determines the cells between the values at which two atoms change.
fn add_distance(var: Var, one: &Atom, other: &Atom, whole: bool, vars: &Vars<'_>, derived: &mut Atoms) {
    match (one, other) {
        (Atom::Sign(a), Atom::Sign(b)) => {
            let Some(distance) = a.distance(b, var) else { return };
            derived.add_sum(&distance, vars);
            if whole {
                // Between two neighbours there is no whole number.
                for gap in [1, -1] {
                    let gap = Sum::number(Number::from(gap)).and_then(|it| distance.plus(&it, &Number::from(1)));
                    gap.iter().for_each(|it| _ = derived.add_sum(it, vars));
                }
            }
        }
        (Atom::Same(a, b), Atom::Length(_, with)) | (Atom::Length(_, with), Atom::Same(a, b)) => match b {
            Term::Var(b) => derived.add_length(if *a == var { *b } else { *a }, *with, vars),
            Term::Value(_) => {}
        },
        (Atom::Same(a, b), Atom::Same(c, d)) => {
            let side = |a: &Var, b: &Term| if *a == var { b.clone() } else { Term::Var(*a) };
            derived.add_same(side(a, b), side(c, d), vars);
        }
        _ => {}
    }
}

/// Whether the root of a sum may be no value of the type, depending on the other variables.
fn is_uneven(atom: &Atom, var: Var, ty: &Type, vars: &Vars<'_>) -> bool {
    let Atom::Sign(form) = atom else { return false };
    let others: Vec<Var> = form.vars().filter(|it| *it != var).collect();
    let mut factor = form.factor(var).abs();
    if others.is_empty() {
        return false;
    }
    if is_whole(ty) {
        return factor != 1 || others.iter().any(|it| !vars.field(*it).is_some_and(|it| is_whole(&it.ty)));
    }
    for prime in [2, 5] {
        while factor % prime == 0 {
            factor /= prime;
        }
    }
    factor != 1
}

/// Fails if a leaf needs too many atoms, with the fields to be kept as they are.
fn check(atoms: &BTreeSet<Atom>) -> Result<(), Vec<FieldId>> {
    let mut shapes: BTreeMap<&[(Var, i128)], usize> = BTreeMap::new();
    for atom in atoms {
        if let Atom::Sign(form) = atom {
            *shapes.entry(form.shape()).or_default() += 1;
        }
    }
    let Some((shape, n_sums)) = shapes.iter().max_by_key(|(_, n_sums)| **n_sums) else { return Ok(()) };
    if *n_sums <= MAX_SHAPE && shapes.values().sum::<usize>() <= MAX_ATOMS {
        return Ok(());
    }
    let fields = |shape: &[(Var, i128)]| -> Vec<FieldId> {
        shape.iter().filter_map(|it| if let Var::Context(field) = it.0 { Some(field) } else { None }).collect()
    };
    let of_shape = fields(shape);
    Err(if of_shape.is_empty() { shapes.keys().flat_map(|it| fields(it)).collect() } else { of_shape })
}

/// A state as an expression.
fn state_literal(leaf: StateId, span: Span) -> Expr {
    Expr { kind: ExprKind::Literal(Literal::State(leaf)), ty: Type::State, optional: false, span }
}

/// The requests for which a leaf, or the creation, has an edge.
pub(super) fn requests(machine: &Machine, from: impl Into<Option<StateId>>) -> Vec<Request> {
    let (mut events, mut targets) = (BTreeSet::new(), BTreeSet::new());
    for edge in machine.edges_from(from.into()) {
        match (edge.on, edge.outcome) {
            (On::Event(event), _) => _ = events.insert(event),
            (On::Direct, Outcome::Leaf(to)) => _ = targets.insert(to),
            (On::Direct | On::Automatic | On::Done(_), _) => {}
        }
    }
    events.into_iter().map(Request::Event).chain(targets.into_iter().map(Request::Direct)).collect()
}
