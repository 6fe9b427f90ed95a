//! Reasoning about guards in combination: whether some can hold while others do not.
//!
//! Conditions are expanded into cases. A case is a set of values for every variable or sum of variables
//! in the conditions ([`domain`]). If no case is left, the conditions never hold together. This is a
//! proof, because a condition that is not understood counts as possible. If a case is left, values from it
//! are tried on the evaluator that machines run on ([`witness`]); only results confirmed there are reported.

mod atom;
mod domain;
mod witness;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use rust_decimal::Decimal;

use crate::expr::{Expr, ExprKind, Var, fold, operands};
use crate::model::machine::{Constant, Machine};
use crate::model::{Literal, PartId, PredicateId, StateId, Type};
use domain::Domain;
pub(in crate::check) use witness::Witness;

/// The facts about the variables.
pub(super) trait World {
    /// The constants that expressions refer to.
    fn constants(&self) -> &[Constant];
    /// The type of a variable, and whether it may be null.
    fn var(&self, var: Var) -> Option<(Type, bool)>;
    /// The number of values of an enum-like type: of enums, and of states, leaves or not.
    fn n_values(&self, var: Var) -> usize;
    /// The states that are possible values of a variable.
    fn leaves(&self, var: Var) -> Vec<StateId>;
    /// Whether `state`, a possible value of the variable, is `whole` or lies inside it.
    fn is_in(&self, var: Var, state: StateId, whole: StateId) -> bool;
    /// The machine of a part, if it has regions.
    fn machine_with_regions(&self, part: PartId) -> Option<&Machine> {
        let _ = part;
        None
    }
    /// The least and the greatest possible value of a number, if known.
    fn bounds(&self, var: Var) -> (Option<Decimal>, Option<Decimal>) {
        let _ = var;
        (None, None)
    }
    /// The work that is left.
    fn effort(&self) -> &Effort;
}

/// The work that is left for the reasoning about one machine or system, in constraints compared and conditions
/// evaluated. When it is used up, every further verdict is [`Verdict::Unknown`].
pub(super) struct Effort {
    left: AtomicUsize,
}

/// The work for any machine or system, and for each of its conditions. A person's guards need a tenth of this.
const MIN_EFFORT: usize = 400_000;
const EFFORT_PER_CONDITION: usize = 100;

impl Effort {
    /// The work for a machine or system with this number of conditions.
    pub(super) fn new(n_conditions: usize) -> Self {
        Effort { left: AtomicUsize::new(MIN_EFFORT + n_conditions.saturating_mul(EFFORT_PER_CONDITION)) }
    }

    // The lints of one machine run one after another, so the result does not depend on threads.
    fn spend(&self, amount: usize) -> Result<(), TooMany> {
        let spent = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(amount));
        match spent {
            Ok(_) => Ok(()),
            Err(_) => {
                self.left.store(0, Ordering::Relaxed);
                Err(TooMany)
            }
        }
    }
}

/// Whether conditions can hold together.
pub(super) enum Verdict {
    /// They never hold together, for any values.
    Never,
    /// They hold together for these values.
    With(Witness),
    /// Neither could be proved.
    Unknown,
}

/// The maximum number of cases.
const MAX_CASES: usize = 256;

/// The subject of a constraint in a case.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    /// Whether a variable is null.
    Null(Var),
    /// A truth value, enum value or state.
    Choice(Var),
    /// A number, or a sum of numbers with their factors.
    Amount(Vec<(Var, Decimal)>),
    /// A text.
    Text(Var),
    /// The length of a text.
    Length(Var),
    /// Whether two variables are equal.
    Same(Var, Var),
    /// The answer of the user's code.
    Predicate(PredicateId),
    /// Whether the machine is in a state.
    Active(StateId),
    /// The child in which a part with regions is, of those of a state or of the whole machine.
    Child(PartId, Option<StateId>),
    /// Whether a condition that is not understood holds, by position.
    Opaque(usize),
}

/// One way to satisfy the conditions: values for their variables.
type Case = BTreeMap<Key, Domain>;

/// There are too many cases, or no effort is left.
struct TooMany;

/// Determines whether all conditions can have the given truth values at once.
pub(super) fn solve(world: &dyn World, conditions: &[(&Expr, bool)]) -> Verdict {
    decide(world, conditions).unwrap_or(Verdict::Unknown)
}

fn decide(world: &dyn World, conditions: &[(&Expr, bool)]) -> Result<Verdict, TooMany> {
    world.effort().spend(conditions.iter().map(|(expr, _)| expr.n_nodes()).sum())?;
    let mut solver = Solver { world, opaque: Vec::new() };
    let folded: Vec<(Expr, bool)> = conditions.iter().map(|(expr, wanted)| (fold(expr, world.constants()), *wanted)).collect();
    let mut cases = vec![Case::new()];
    for (expr, wanted) in &folded {
        cases = solver.refine(cases, expr, *wanted)?;
    }
    if cases.is_empty() {
        return Ok(Verdict::Never);
    }
    Ok(witness::find(world, &folded, &cases)?.map_or(Verdict::Unknown, Verdict::With))
}

/// Whether a condition holds for these values, on the evaluator that machines run on; `None` if it divides by zero.
pub(super) fn holds(world: &dyn World, condition: &Expr, witness: &Witness) -> Option<bool> {
    crate::expr::eval_bool(condition, &witness::Tried { world, witness }).ok()
}

struct Solver<'w> {
    world: &'w dyn World,
    /// Conditions that are not understood, without their places.
    opaque: Vec<Expr>,
}

impl Solver<'_> {
    /// The cases in which the condition has the wanted truth value. They exclude each other.
    fn refine(&mut self, cases: Vec<Case>, expr: &Expr, wanted: bool) -> Result<Vec<Case>, TooMany> {
        if cases.is_empty() {
            return Ok(cases);
        }
        match (&expr.kind, wanted) {
            (ExprKind::Literal(Literal::Bool(value)), _) => Ok(if *value == wanted { cases } else { Vec::new() }),
            (ExprKind::Not(inner), _) => self.refine(cases, inner, !wanted),
            (ExprKind::And(..), true) | (ExprKind::Or(..), false) => {
                operands(expr).into_iter().try_fold(cases, |cases, it| self.refine(cases, it, wanted))
            }
            (ExprKind::And(..), false) | (ExprKind::Or(..), true) => {
                let mut found = Vec::new();
                // The cases that no operand so far has decided.
                let mut rest = cases;
                for operand in operands(expr) {
                    found.extend(self.refine(rest.clone(), operand, wanted)?);
                    if found.len() > MAX_CASES {
                        return Err(TooMany);
                    }
                    rest = self.refine(rest, operand, !wanted)?;
                }
                Ok(found)
            }
            _ => {
                let conjunctions = self.atom(expr, wanted);
                let added: usize = conjunctions.iter().flatten().map(|(_, it)| it.size()).sum();
                let known: usize = cases.iter().flat_map(Case::values).map(Domain::size).sum();
                self.world.effort().spend(known * conjunctions.len() + added * cases.len() + 1)?;
                let mut refined = Vec::new();
                for case in &cases {
                    refined.extend(conjunctions.iter().filter_map(|conjunction| with(case, conjunction)));
                }
                if refined.len() > MAX_CASES { Err(TooMany) } else { Ok(refined) }
            }
        }
    }

    /// The position of a condition that is not understood; equal conditions share a position.
    fn opaque(&mut self, expr: &Expr) -> usize {
        let span = self.opaque.first().map_or(expr.span, |first| first.span);
        let bare = expr.clone().placed_at(span);
        self.opaque.iter().position(|it| *it == bare).unwrap_or_else(|| {
            self.opaque.push(bare);
            self.opaque.len() - 1
        })
    }
}

/// The case with further constraints; `None` if it becomes empty.
fn with(case: &Case, conjunction: &[(Key, Domain)]) -> Option<Case> {
    let mut case = case.clone();
    for (key, domain) in conjunction {
        let met = match case.get(key) {
            Some(before) => before.meet(domain),
            None => domain.clone(),
        };
        if met.is_empty() {
            return None;
        }
        case.insert(key.clone(), met);
    }
    Some(case)
}

/// Whether two expressions are equal, apart from their spans.
pub(super) fn same(a: &Expr, b: &Expr) -> bool {
    a.clone().placed_at(a.span) == b.clone().placed_at(a.span)
}
