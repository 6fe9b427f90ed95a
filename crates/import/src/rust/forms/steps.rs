//! Steps in their order: what earlier ones say already, and which are the same.

use super::*;

/// Steps without the conditions that their order says: that what an earlier step asks does not hold.
pub(super) fn ordered(steps: Vec<Step>) -> Vec<Step> {
    let mut done: Vec<Step> = Vec::new();
    for mut step in merged(steps) {
        let mut at = 0;
        while at < step.guards.len() {
            let (guard, of) = (&step.guards[at], &step.guards);
            let is_opposite = |it: &Guard| it.text == guard.text && it.holds != guard.holds;
            let is_before = |it: &Step| {
                let is_same = it.from == step.from && it.event == step.event && (step.event.is_some() || it.to == step.to);
                is_same && it.guards.iter().all(|it| is_opposite(it) || (it != guard && of.contains(it)))
            };
            if done.iter().any(is_before) {
                step.guards.remove(at);
            } else {
                at += 1;
            }
        }
        // What an earlier step with the same target asks besides, says nothing.
        let is_same = |it: &Step| (it.from, it.event) == (step.from, step.event);
        while let Some(last) = done.iter().rposition(is_same)
            && done[last].to == step.to
            && step.guards.iter().all(|it| done[last].guards.contains(it))
        {
            done.remove(last);
        }
        if !done.iter().any(|it| (it.from, it.to, it.event, &it.guards) == (step.from, step.to, step.event, &step.guards)) {
            done.push(step);
        }
    }
    done
}

/// One step for two that differ in whether a condition holds.
pub(super) fn merged(mut steps: Vec<Step>) -> Vec<Step> {
    let same = |a: &Step, b: &Step| {
        let is_same = (a.from, a.to, a.event, a.guards.len()) == (b.from, b.to, b.event, b.guards.len());
        let mut differ = a.guards.iter().zip(&b.guards).enumerate().filter(|(_, (a, b))| a != b);
        let (at, (x, y)) = differ.next().filter(|_| is_same)?;
        (differ.next().is_none() && x.text == y.text && x.holds != y.holds).then_some(at)
    };
    let find = |steps: &[Step]| (0..steps.len()).find_map(|a| (a + 1..steps.len()).find_map(|b| Some((a, b, same(&steps[a], &steps[b])?))));
    while let Some((a, b, at)) = find(&steps) {
        steps.remove(b);
        steps[a].guards.remove(at);
    }
    steps
}

/// Whether the steps are the same on every event.
pub(super) fn is_same_on_all(steps: &[Step], n_events: usize) -> bool {
    let on = |event: usize| -> Vec<(usize, usize, &Vec<Guard>)> {
        steps.iter().filter(|it| it.event == Some(event)).map(|it| (it.from, it.to, &it.guards)).collect()
    };
    (1..n_events).all(|it| on(it) == on(0))
}

/// Whether the steps are the same from every state.
pub(super) fn is_same_from_all(steps: &[Step], n_states: usize) -> bool {
    let of =
        |from: usize| -> Vec<(usize, &Vec<Guard>)> { steps.iter().filter(|it| it.from == from).map(|it| (it.to, &it.guards)).collect() };
    n_states > 1 && (1..n_states).all(|it| of(it) == of(0))
}
