//! Thresholds as a ladder: states in a row, with a value at which the machine rises to the next state, and one at which it
//! falls back.
//!
//! Nothing declares a ladder. It follows from the guards of one event that compare one value with constants:
//!
//! ```text
//! LOW -> MEDIUM when sample >= 0.50      MEDIUM -> LOW when sample < 0.45
//! ```
//!
//! A picture of some of the ways would be wrong. So there is a ladder only if the event leads from each of its states
//! nowhere but one state up and one state down, and only by such guards. Rows that refuse the event or stay do not count.

mod svg;

use std::cmp::Ordering;
use std::collections::BTreeMap;

pub(super) use svg::picture;

use statespec_lang::expr::{Compare, Expr, ExprKind, Names as _, Var, fold, show_literal};
use statespec_lang::model::machine::{Edge, From, Machine, On, Outcome, Target};
use statespec_lang::model::{EventId, Literal, StateId, TransitionId};
use statespec_lang::show::MachineNames;

/// The number of states from which a picture is no help.
const MAX_LEVELS: usize = 20;

/// States that one value leads up and down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Ladder {
    /// The event that brings the value, or after which it is compared.
    pub(super) event: EventId,
    /// The value as guards write it.
    pub(super) value: String,
    /// The states, lowest first.
    pub(super) levels: Vec<String>,
    /// For each pair of neighbours, the threshold upward and the one downward.
    pub(super) rungs: Vec<(Threshold, Option<Threshold>)>,
}

/// A comparison with a constant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Threshold {
    /// The comparison, such as `≥`.
    pub(super) sign: &'static str,
    pub(super) at: Literal,
    /// The constant as tables show it.
    pub(super) text: String,
}

/// A transition with one comparison as its guard.
struct Move {
    row: TransitionId,
    from: StateId,
    to: StateId,
    is_up: bool,
    threshold: Threshold,
}

impl Ladder {
    /// The name of the picture of the ladder with this position in a machine.
    pub(super) fn file(machine: &Machine, idx: usize) -> String {
        let number = if idx == 0 { String::new() } else { (idx + 1).to_string() };
        format!("{}-ladder{number}.svg", machine.name)
    }

    /// The ladder in words, for readers who do not see the picture.
    pub(super) fn words(&self) -> String {
        let rung = |(idx, (up, down)): (usize, &(Threshold, Option<Threshold>))| {
            let (low, high) = (&self.levels[idx], &self.levels[idx + 1]);
            let back = down.as_ref().map_or_else(String::new, |it| format!(" and back when {} {} {}", self.value, it.sign, it.text));
            format!("{low} to {high} when {} {} {}{back}", self.value, up.sign, up.text)
        };
        self.rungs.iter().enumerate().map(rung).collect::<Vec<_>>().join("; ")
    }
}

/// The ladders of a machine, in the order of events.
pub(super) fn ladders(machine: &Machine) -> Vec<Ladder> {
    let mut moves: BTreeMap<(EventId, Var), Vec<Move>> = BTreeMap::new();
    for (idx, row) in machine.transitions.iter().enumerate() {
        let (Some(guard), From::States(states), Target::To(targets)) = (&row.guard, &row.from, &row.target) else { continue };
        let (Some((var, is_up, threshold)), [to]) = (comparison(machine, guard), targets.as_slice()) else { continue };
        for event in row.events() {
            let own = moves.entry((*event, var)).or_default();
            own.extend(states.iter().map(|from| Move {
                row: TransitionId::new(idx),
                from: *from,
                to: machine.default_leaf(*to),
                is_up,
                threshold: threshold.clone(),
            }));
        }
    }
    moves.into_iter().filter_map(|((event, var), moves)| ladder(machine, event, var, &moves)).collect()
}

fn ladder(machine: &Machine, event: EventId, var: Var, moves: &[Move]) -> Option<Ladder> {
    let only = |from: StateId, is_up: bool| {
        let mut own = moves.iter().filter(|it| it.from == from && it.is_up == is_up);
        own.next().filter(|_| own.next().is_none())
    };
    let ups = || moves.iter().filter(|it| it.is_up);
    // The lowest state is the one that nothing leads up to.
    let mut lowest = ups().map(|it| it.from).filter(|from| ups().all(|it| it.to != *from));
    let mut states = vec![lowest.next()?];
    let mut rungs = Vec::new();
    while let Some(up) = only(*states.last()?, true) {
        if states.contains(&up.to) || states.len() == MAX_LEVELS {
            return None;
        }
        let down = only(up.to, false).filter(|it| it.to == up.from);
        rungs.push((up.threshold.clone(), down.map(|it| it.threshold.clone())));
        states.push(up.to);
    }
    // Each move is a part of the ladder, or there is none.
    let n_drawn = rungs.iter().map(|(_, down)| 1 + usize::from(down.is_some())).sum::<usize>();
    let is_leaf = states.iter().all(|it| machine.is_leaf(*it));
    let rises = rungs.windows(2).all(|it| compare(&it[0].0.at, &it[1].0.at) == Some(Ordering::Less));
    let is_apart = |(up, down): &(Threshold, Option<Threshold>)| {
        down.as_ref().is_none_or(|down| matches!(compare(&down.at, &up.at), Some(Ordering::Less | Ordering::Equal)))
    };
    let is_move = |edge: &Edge| matches!(edge.outcome, Outcome::Leaf(_) | Outcome::Payload(_) | Outcome::History(_));
    let mut edges = states.iter().flat_map(|it| machine.candidates(Some(*it), On::Event(event)));
    let is_whole = edges.all(|edge| !is_move(edge) || moves.iter().any(|it| it.row == edge.transition));
    let has_way_back = rungs.iter().any(|(_, down)| down.is_some());
    let is_ladder = n_drawn == moves.len() && is_leaf && rises && rungs.iter().all(is_apart) && has_way_back && is_whole;
    is_ladder.then(|| Ladder {
        event,
        value: MachineNames::new(machine).var(var),
        levels: states.iter().map(|it| machine.path_name(*it).into_owned()).collect(),
        rungs,
    })
}

/// A guard that compares a variable with a constant: the variable, whether greater values fulfil it, and the threshold.
fn comparison(machine: &Machine, guard: &Expr) -> Option<(Var, bool, Threshold)> {
    let ExprKind::Compare(operator, left, right) = &guard.kind else { return None };
    let (left, right) = (fold(left, &machine.constants), fold(right, &machine.constants));
    let (var, at, operator) = match (&left.kind, &right.kind) {
        (ExprKind::Var(var) | ExprKind::NonNull(var), ExprKind::Literal(at)) => (*var, at, *operator),
        (ExprKind::Literal(at), ExprKind::Var(var) | ExprKind::NonNull(var)) => (*var, at, flipped(*operator)),
        _ => return None,
    };
    let (is_up, sign) = match operator {
        Compare::Ge => (true, "\u{2265}"),
        Compare::Gt => (true, ">"),
        Compare::Le => (false, "\u{2264}"),
        Compare::Lt => (false, "<"),
        Compare::Eq | Compare::Ne => return None,
    };
    // Other types have no order in which numbers stand on a line.
    compare(at, at)?;
    let text = show_literal(at, &MachineNames::new(machine), None);
    Some((var, is_up, Threshold { sign, at: at.clone(), text }))
}

fn flipped(operator: Compare) -> Compare {
    match operator {
        Compare::Lt => Compare::Gt,
        Compare::Le => Compare::Ge,
        Compare::Gt => Compare::Lt,
        Compare::Ge => Compare::Le,
        Compare::Eq | Compare::Ne => operator,
    }
}

/// The order of two numbers of one type.
pub(super) fn compare(a: &Literal, b: &Literal) -> Option<Ordering> {
    match (a, b) {
        (Literal::Int(a), Literal::Int(b))
        | (Literal::Duration(a), Literal::Duration(b))
        | (Literal::Timestamp(a), Literal::Timestamp(b)) => Some(a.cmp(b)),
        (Literal::Decimal(a), Literal::Decimal(b)) => Some(a.cmp(b)),
        _ => None,
    }
}
