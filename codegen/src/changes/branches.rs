//! The rows that compete for one event in one state, in the names of the new machine, and when each is taken.

use statespec_lang::check::{Possible, Reasoner};
use statespec_lang::expr::Expr;
use statespec_lang::model::machine::{Branch as ForkBranch, Commit, Edge, Machine, On, Outcome, Recall, Transition};
use statespec_lang::model::{EffectId, EventId, StateId, TransitionId};
use statespec_lang::show::MachineNames;

use super::pairs::Pairs;
use super::translate::Translation;

/// The outcome of a branch. States are those of the new machine, except removed ones.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Goal {
    Stay,
    To(StateId),
    /// The state that a payload field names.
    Field(String),
    /// Where the machine was last in a state; with the field, if the state has or had several histories.
    History(StateId, Option<String>),
    /// Several at once.
    Fork(Vec<Goal>),
    /// A state of the old machine that the new one lacks.
    Gone(StateId),
    Refuse,
}

impl Goal {
    /// The targets of a fork, as states of the new machine.
    fn fork(
        branches: &[ForkBranch],
        today: impl Fn(StateId) -> Option<StateId>,
        field: impl Fn(Recall) -> Option<String>,
        new: &Machine,
    ) -> Goal {
        let goal = |it: &ForkBranch| match (today(it.state()), it) {
            (None, _) => Goal::Gone(it.state()),
            (Some(id), ForkBranch::To(_)) => Goal::To(new.default_end(id)),
            (Some(id), ForkBranch::History(to)) => Goal::History(id, field(*to)),
        };
        Goal::Fork(branches.iter().map(goal).collect())
    }
}

/// What a step does besides moving, as texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Deed {
    pub(super) set: Vec<String>,
    pub(super) before: Vec<String>,
    pub(super) after: Vec<String>,
    pub(super) raise: Vec<String>,
    pub(super) reenter: bool,
    pub(super) commit: Commit,
}

/// A guard.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Guard {
    Always,
    When(Expr),
    /// It reads something that the new machine lacks.
    Untold,
}

/// One competing row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Branch {
    pub(super) goal: Goal,
    pub(super) deed: Deed,
    guard: Guard,
    pub(super) row: TransitionId,
}

/// The rows for one event in one state, in the order in which they are tried.
pub(super) struct Branches {
    pub(super) all: Vec<Branch>,
    /// A direct transition names its target, so rows with other targets do not compete.
    is_direct: bool,
}

/// When something is done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Condition {
    Always,
    When(Expr),
    Never,
    Untold,
}

/// What became of a condition; with values for which the answer changed, as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Verdict {
    Same,
    /// Another text of the same meaning.
    Reworded,
    Narrower(String),
    Wider(String),
    /// It no longer holds for some values, and holds for others if that is known.
    Differs(String, Option<String>),
    Unclear,
}

impl Branches {
    pub(super) fn of_old(pairs: &Pairs<'_>, translation: &Translation<'_, '_>, edges: &[Edge]) -> Self {
        let goal = |edge: &Edge| match edge.outcome {
            Outcome::Stay => Goal::Stay,
            Outcome::Refuse => Goal::Refuse,
            Outcome::Payload(id) => Goal::Field(translation.field_name(id)),
            // A state that became a composite leads into it.
            Outcome::Leaf(id) | Outcome::Parallel(id) => pairs.state(id).map_or(Goal::Gone(id), |it| Goal::To(pairs.new.default_end(it))),
            Outcome::History(to) => pairs.state(to.whole).map_or(Goal::Gone(to.whole), |id| Goal::History(id, field_of_old(pairs, to))),
            Outcome::Fork => {
                let field = |to| field_of_old(pairs, to);
                Goal::fork(pairs.old.branches(edge.transition), |id| pairs.state(id), field, pairs.new)
            }
        };
        let names = |ids: &[EffectId]| effects(pairs.old, ids);
        let branch = |edge: &Edge| {
            let row = pairs.old.transition(edge.transition);
            let set = row.set.iter().map(|(field, expr)| {
                let name = match pairs.fields[field.index()] {
                    Some(it) => &pairs.new.fields[it.index()].name,
                    None => &pairs.old.fields[field.index()].name,
                };
                let value = match translation.of_old(expr) {
                    Some(it) => it.show(&MachineNames::new(pairs.new)),
                    None => expr.show(&MachineNames::new(pairs.old)),
                };
                format!("{name} = {value}")
            });
            let raised = |it: &EventId| match pairs.event(*it) {
                Some(it) => pairs.new.event(it).name.clone(),
                None => pairs.old.event(*it).name.clone(),
            };
            let deed = Deed {
                set: set.collect(),
                before: names(&row.before),
                after: names(&row.effects),
                raise: row.raise.iter().map(raised).collect(),
                reenter: row.reenter,
                commit: row.commit,
            };
            let guard = row.guard.as_ref().map(|it| translation.of_old(it));
            Branch { goal: goal(edge), deed, guard: of(guard), row: edge.transition }
        };
        Branches::new(edges.iter().map(branch).collect(), edges)
    }

    pub(super) fn of_new(pairs: &Pairs<'_>, translation: &Translation<'_, '_>, edges: &[Edge]) -> Self {
        let machine = pairs.new;
        let goal = |edge: &Edge| match edge.outcome {
            Outcome::Stay => Goal::Stay,
            Outcome::Refuse => Goal::Refuse,
            Outcome::Payload(id) => Goal::Field(machine.payload_name(id).to_owned()),
            Outcome::Leaf(id) | Outcome::Parallel(id) => Goal::To(id),
            Outcome::History(to) => Goal::History(to.whole, field_of_new(pairs, to)),
            Outcome::Fork => Goal::fork(machine.branches(edge.transition), Some, |to| field_of_new(pairs, to), machine),
        };
        let branch = |edge: &Edge| {
            let row = machine.transition(edge.transition);
            let set = row.set.iter().map(|(field, expr)| {
                format!("{} = {}", machine.fields[field.index()].name, translation.of_new(expr).show(&MachineNames::new(machine)))
            });
            let deed = Deed {
                set: set.collect(),
                before: effects(machine, &row.before),
                after: effects(machine, &row.effects),
                raise: row.raise.iter().map(|it| machine.event(*it).name.clone()).collect(),
                reenter: row.reenter,
                commit: row.commit,
            };
            let guard = row.guard.as_ref().map(|it| Some(translation.of_new(it)));
            Branch { goal: goal(edge), deed, guard: of(guard), row: edge.transition }
        };
        Branches::new(edges.iter().map(branch).collect(), edges)
    }

    fn new(all: Vec<Branch>, edges: &[Edge]) -> Self {
        let is_direct = edges.first().is_some_and(|it| it.on == On::Direct && it.from.is_some());
        Branches { all, is_direct }
    }

    /// The different outcomes, without refusals.
    pub(super) fn goals(&self) -> Vec<Goal> {
        let mut goals: Vec<Goal> = Vec::new();
        for it in self.all.iter().filter(|it| it.goal != Goal::Refuse) {
            if !goals.contains(&it.goal) {
                goals.push(it.goal.clone());
            }
        }
        goals
    }

    /// The different deeds on the way to a goal.
    pub(super) fn deeds(&self, goal: &Goal) -> Vec<&Deed> {
        let mut deeds: Vec<&Deed> = Vec::new();
        for it in self.all.iter().filter(|it| it.goal == *goal) {
            if !deeds.contains(&&it.deed) {
                deeds.push(&it.deed);
            }
        }
        deeds
    }

    /// The first row with a goal.
    pub(super) fn row(&self, goal: &Goal) -> Option<TransitionId> {
        self.all.iter().find(|it| it.goal == *goal).map(|it| it.row)
    }

    /// Whether both are tried in the same order under the same guards.
    pub(super) fn has_guards_of(&self, other: &Branches) -> bool {
        let same = |(a, b): (&Branch, &Branch)| a.goal == b.goal && a.guard == b.guard && a.guard != Guard::Untold;
        self.all.len() == other.all.len() && self.all.iter().zip(&other.all).all(same)
    }

    /// When a goal is reached; with a deed, when it is reached that way.
    pub(super) fn condition(&self, goal: &Goal, deed: Option<&Deed>) -> Condition {
        let mut ways: Vec<Expr> = Vec::new();
        let mut earlier: Vec<Expr> = Vec::new();
        let mut is_told = true;
        for branch in self.all.iter().filter(|it| !self.is_direct || it.goal == *goal) {
            let is_wanted = branch.goal == *goal && deed.is_none_or(|it| branch.deed == *it);
            match (is_wanted, &branch.guard) {
                (true, Guard::Untold) => return Condition::Untold,
                (true, _) if !is_told => return Condition::Untold,
                (true, guard) => {
                    let own = if let Guard::When(it) = guard { Some(it.clone()) } else { None };
                    let all = earlier.iter().cloned().map(Expr::negated).chain(own);
                    match all.reduce(Expr::and) {
                        None => return Condition::Always,
                        Some(it) => ways.push(it),
                    }
                }
                (false, Guard::When(it)) => earlier.push(it.clone()),
                (false, Guard::Untold) => is_told = false,
                (false, Guard::Always) => {}
            }
            if branch.guard == Guard::Always {
                break;
            }
        }
        ways.into_iter().reduce(Expr::or).map_or(Condition::Never, Condition::When)
    }
}

/// What became of a condition.
pub(super) fn judge(reasoner: &Reasoner<'_>, event: Option<EventId>, old: &Condition, new: &Condition) -> Verdict {
    // The cases in which one condition holds and the other does not.
    let only = |a: &Condition, b: &Condition| {
        let (mut conditions, mut possible) = (Vec::new(), true);
        for (condition, wanted) in [(a, true), (b, false)] {
            match condition {
                Condition::Always => possible &= wanted,
                Condition::Never => possible &= !wanted,
                Condition::When(it) => conditions.push((it.clone(), wanted)),
                Condition::Untold => return Possible::Unknown,
            }
        }
        let conditions: Vec<(&Expr, bool)> = conditions.iter().map(|(it, wanted)| (it, *wanted)).collect();
        if possible { reasoner.possible(event, &conditions) } else { Possible::Never }
    };
    if old == new && *old != Condition::Untold {
        return Verdict::Same;
    }
    match (only(old, new), only(new, old)) {
        (Possible::Never, Possible::Never) => Verdict::Reworded,
        (Possible::With(lost), Possible::Never) => Verdict::Narrower(lost),
        (Possible::Never, Possible::With(gained)) => Verdict::Wider(gained),
        (Possible::With(lost), Possible::With(gained)) => Verdict::Differs(lost, Some(gained)),
        (Possible::With(lost), Possible::Unknown) => Verdict::Differs(lost, None),
        _ => Verdict::Unclear,
    }
}

/// The field of a history of the old machine, by its name in the new one if it has one; `None` if the state has one history in
/// both machines.
pub(super) fn field_of_old(pairs: &Pairs<'_>, to: Recall) -> Option<String> {
    let known = pairs.fields[to.field.index()].map(|it| &pairs.new.fields[it.index()]);
    let name = &known.unwrap_or(&pairs.old.fields[to.field.index()]).name;
    let has_several = |today: StateId| pairs.new.state(today).histories.len() > 1;
    let is_ambiguous = pairs.old.state(to.whole).histories.len() > 1 || pairs.state(to.whole).is_some_and(has_several);
    is_ambiguous.then(|| name.clone())
}

/// The field of a history of the new machine; `None` if the state has one history in both machines.
pub(super) fn field_of_new(pairs: &Pairs<'_>, to: Recall) -> Option<String> {
    let had_several = |it: StateId| pairs.state(it) == Some(to.whole) && pairs.old.state(it).histories.len() > 1;
    let is_ambiguous = pairs.new.state(to.whole).histories.len() > 1 || pairs.old.state_ids().any(had_several);
    is_ambiguous.then(|| pairs.new.fields[to.field.index()].name.clone())
}

fn of(guard: Option<Option<Expr>>) -> Guard {
    match guard {
        None => Guard::Always,
        Some(Some(it)) => Guard::When(it),
        Some(None) => Guard::Untold,
    }
}

pub(super) fn effects(machine: &Machine, ids: &[EffectId]) -> Vec<String> {
    ids.iter().map(|it| machine.effect(*it).name.clone()).collect()
}

/// The texts of a row that only people read, with their keys.
pub(super) fn texts(row: &Transition) -> [(&'static str, &Option<String>); 4] {
    [("label", &row.label), ("summary", &row.summary), ("doc", &row.doc), ("inferred", &row.inferred)]
}
