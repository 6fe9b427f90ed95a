//! What a machine does: edges, guards, assignments and effects.

use std::collections::BTreeMap;

use statespec_lang::check::Reasoner;
use statespec_lang::model::machine::{Branch, Edge, On, Recall, Target, Trigger};
use statespec_lang::model::{EventId, StateId, TransitionId};

use super::branches::{Branches, Condition, Deed, Goal, Verdict, field_of_new, field_of_old, judge, texts};
use super::declared::{changed_texts, list};
use super::pairs::Pairs;
use super::translate::Translation;
use super::{Found, Rule};

/// The same rows for the same trigger, in one or more states.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    /// The trigger in the new machine.
    on: On,
    /// The event in both machines, if it is one.
    event: Option<(EventId, EventId)>,
    is_creation: bool,
    old: Vec<TransitionId>,
    new: Vec<TransitionId>,
}

/// The edges of a [`Key`] in one of its states, and the names of all of them today.
struct Group<'m> {
    old: &'m [Edge],
    new: &'m [Edge],
    from: Vec<&'m str>,
}

/// One finding about the rows of a group. Equal findings of several groups become one change.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Told {
    rule: Rule,
    on: On,
    is_creation: bool,
    goal: Goal,
    what: String,
    rows: (Option<TransitionId>, Option<TransitionId>),
}

pub(super) fn compare(pairs: &Pairs<'_>, found: &mut Found) {
    no_way_out(pairs, found);
    let mut told: Vec<(Told, Vec<&str>)> = Vec::new();
    let mut known = BTreeMap::<Told, usize>::new();
    let reasoner = Reasoner::new(pairs.new);
    for (key, group) in groups(pairs) {
        for it in compare_group(pairs, &reasoner, &key, &group) {
            let idx = *known.entry(it.clone()).or_insert(told.len());
            match told.get_mut(idx) {
                Some((_, from)) => from.extend(&group.from),
                None => told.push((it, group.from.clone())),
            }
        }
    }
    let is_same = told.iter().all(|(it, _)| matches!(it.rule, Rule::Wording | Rule::RefusalText));
    for (it, from) in told {
        let old = it.rows.0.map(|row| pairs.old.transition(row).span);
        let new = it.rows.1.map(|row| pairs.new.transition(row).span);
        let message = format!("{}: {}", describe(pairs, &it, &from), it.what);
        found.add(it.rule, old, new, message);
    }
    if is_same && rows_moved(pairs) {
        found.add(Rule::Rearranged, pairs.old.span, pairs.new.span, "the rows are in another order");
    }
}

/// Leaves whose last way out is gone.
fn no_way_out(pairs: &Pairs<'_>, found: &mut Found) {
    let Pairs { old, new, .. } = pairs;
    for leaf in old.leaves() {
        let Some(today) = pairs.state(leaf).filter(|it| new.is_leaf(*it)) else { continue };
        let state = new.state(today);
        if !old.is_sink(leaf) && new.is_sink(today) && !state.terminal {
            found.add(Rule::NoWayOut, old.state(leaf).span, state.span, format!("`{}` has no way out any more", state.name));
        }
    }
}

/// All pairs of rows to compare, in the order of the old machine. Edges of states and events that one machine lacks are
/// left out: the state or event itself is the change.
fn groups<'m>(pairs: &Pairs<'m>) -> Vec<(Key, Group<'m>)> {
    let (old, new) = (pairs.old, pairs.new);
    let mut sources: Vec<(Option<StateId>, Option<StateId>, &str)> = vec![(None, None, "")];
    for leaf in old.leaves() {
        if let Some(today) = pairs.state(leaf).filter(|it| new.is_leaf(*it)) {
            sources.push((Some(leaf), Some(today), &new.state(today).name));
        }
    }
    let mut groups: Vec<(Key, Group<'m>)> = Vec::new();
    let mut known = BTreeMap::<(On, Option<EventId>, bool, Vec<TransitionId>, Vec<TransitionId>), usize>::new();
    for (before, today, name) in sources {
        let mut put = |on: On, event: Option<(EventId, EventId)>, of_old: &'m [Edge], of_new: &'m [Edge]| {
            let rows = |edges: &[Edge]| edges.iter().map(|it| it.transition).collect::<Vec<_>>();
            let key = (on, event.map(|it| it.0), before.is_none(), rows(of_old), rows(of_new));
            let idx = *known.entry(key).or_insert(groups.len());
            if idx == groups.len() {
                let key = Key { on, event, is_creation: before.is_none(), old: rows(of_old), new: rows(of_new) };
                groups.push((key, Group { old: of_old, new: of_new, from: Vec::new() }));
            }
            // States that became one are one source.
            let from = &mut groups[idx].1.from;
            if from.last() != Some(&name) {
                from.push(name);
            }
        };
        for edges in old.edges_from(before).chunk_by(|a, b| a.on == b.on) {
            let Some(renamed) = pairs.on(edges[0].on) else { continue };
            put(renamed, edges[0].on.event().zip(renamed.event()), edges, new.candidates(today, renamed));
        }
        for edges in new.edges_from(today).chunk_by(|a, b| a.on == b.on) {
            let is_new = |on: On| old.candidates(before, on).is_empty();
            match edges[0].on {
                on @ (On::Direct | On::Automatic) if is_new(on) => put(on, None, &[], edges),
                On::Direct | On::Automatic => {}
                on @ On::Done(whole) => {
                    let mut earlier = old.composites().filter(|it| pairs.state(*it) == Some(whole));
                    if earlier.all(|it| is_new(On::Done(it))) {
                        put(on, None, &[], edges);
                    }
                }
                on @ On::Event(event) => {
                    let mut earlier =
                        pairs.events.iter().enumerate().filter(|(_, it)| **it == Some(event)).map(|(idx, _)| EventId::new(idx));
                    let first = earlier.clone().next();
                    if let Some(first) = first.filter(|_| earlier.all(|it| is_new(On::Event(it)))) {
                        put(on, Some((first, event)), &[], edges);
                    }
                }
            }
        }
    }
    groups
}

fn compare_group(pairs: &Pairs<'_>, reasoner: &Reasoner<'_>, key: &Key, group: &Group<'_>) -> Vec<Told> {
    let translation = Translation::new(pairs, key.event);
    let old = Branches::of_old(pairs, &translation, group.old);
    let new = Branches::of_new(pairs, &translation, group.new);
    let event = key.event.map(|it| it.1);
    let mut told = Vec::new();
    let settles = event.is_some_and(|it| pairs.new.event(it).settles) && !key.is_creation;
    let mut tell = |rule: Rule, goal: &Goal, what: String, rows: (Option<TransitionId>, Option<TransitionId>)| {
        // What was the last step is followed by another one.
        let is_further = settles && matches!(rule, Rule::EdgeAdded | Rule::GuardWider);
        let rule = if is_further { Rule::SettlesFurther } else { rule };
        told.push(Told { rule, on: key.on, is_creation: key.is_creation, goal: goal.clone(), what, rows });
    };
    let (before, today) = (old.goals(), new.goals());
    let lost: Vec<&Goal> = before.iter().filter(|it| !today.contains(it)).collect();
    let gained: Vec<&Goal> = today.iter().filter(|it| !before.contains(it)).collect();
    let same_guards = old.has_guards_of(&new);
    match (lost.as_slice(), gained.as_slice()) {
        ([from], [to]) => {
            let verdict = judge(reasoner, event, &old.condition(from, None), &new.condition(to, None));
            let guard = if matches!(verdict, Verdict::Same | Verdict::Reworded) { "" } else { ", under another guard" };
            let what = format!("the target is now {}, before {}{guard}", target(pairs, to), target(pairs, from));
            tell(Rule::EdgeRetargeted, to, what, (old.row(from), new.row(to)));
        }
        _ => {
            for goal in lost {
                tell(Rule::EdgeRemoved, goal, "the edge is removed".to_owned(), (old.row(goal), None));
            }
            for goal in gained {
                tell(Rule::EdgeAdded, goal, "the edge is new".to_owned(), (None, new.row(goal)));
            }
        }
    }
    for goal in today.iter().filter(|it| before.contains(it)) {
        let rows = (old.row(goal), new.row(goal));
        if !same_guards {
            let conditions = (old.condition(goal, None), new.condition(goal, None));
            let verdict = judge(reasoner, event, &conditions.0, &conditions.1);
            if let Some((rule, what)) = of_guard(pairs, &verdict, &conditions, rows) {
                tell(rule, goal, what, rows);
            }
        }
        for (rule, what) in deeds(reasoner, event, goal, &old, &new, same_guards) {
            tell(rule, goal, what, rows);
        }
        if let (Some(a), Some(b)) = rows {
            let changed = changed_texts(&texts(pairs.old.transition(a)), &texts(pairs.new.transition(b)));
            if !changed.is_empty() {
                tell(Rule::Wording, goal, format!("other texts ({})", changed.join(", ")), rows);
            }
        }
    }
    let refusals = |branches: &Branches, machine: &statespec_lang::model::Machine| -> Vec<String> {
        let rows = branches.all.iter().map(|it| &machine.transition(it.row).target);
        rows.filter_map(|it| if let Target::Refuse(text) = it { Some(text.clone()) } else { None }).collect()
    };
    let (before, today) = (refusals(&old, pairs.old), refusals(&new, pairs.new));
    if before != today {
        let show = |texts: &[String]| if texts.is_empty() { "none".to_owned() } else { list(texts.iter().map(String::as_str)) };
        let what = format!("the text of the refusal is now {}, before {}", show(&today), show(&before));
        tell(Rule::RefusalText, &Goal::Refuse, what, (old.row(&Goal::Refuse), new.row(&Goal::Refuse)));
    }
    told
}

/// The rule for what became of a guard, and its words.
fn of_guard(
    pairs: &Pairs<'_>,
    verdict: &Verdict,
    conditions: &(Condition, Condition),
    rows: (Option<TransitionId>, Option<TransitionId>),
) -> Option<(Rule, String)> {
    use statespec_lang::show::MachineNames;
    let with = |values: &str| if values.is_empty() { String::new() } else { format!(" with {values}") };
    Some(match verdict {
        Verdict::Same => return None,
        Verdict::Reworded => (Rule::GuardReworded, "the guard is written differently and means the same".to_owned()),
        Verdict::Narrower(lost) => (Rule::GuardNarrower, format!("the guard no longer holds{}", with(lost))),
        Verdict::Wider(gained) => (Rule::GuardWider, format!("the guard now holds{}", with(gained))),
        Verdict::Differs(lost, gained) => {
            let gained = gained.as_ref().map_or_else(String::new, |it| format!(", and now holds{}", with(it)));
            (Rule::GuardDiffers, format!("the guard no longer holds{}{gained}", with(lost)))
        }
        Verdict::Unclear => {
            let new = |it: &Condition| match it {
                Condition::When(expr) => Some(format!("`{}`", expr.show(&MachineNames::new(pairs.new)))),
                Condition::Always => Some("always".to_owned()),
                Condition::Never | Condition::Untold => None,
            };
            // A guard that reads something removed is shown in the words of the old machine.
            let old = rows.0.and_then(|row| pairs.old.transition(row).guard.as_ref()).map(|it| it.show(&MachineNames::new(pairs.old)));
            let old = new(&conditions.0).or_else(|| old.map(|it| format!("`{it}`")));
            let shown = |it: Option<String>| it.unwrap_or_else(|| "always".to_owned());
            let (old, new) = (shown(old), shown(new(&conditions.1)));
            let what = match old == new {
                true => format!("the guard {new} reads a value of another type; compare them"),
                false => format!("the guard is now {new}, before {old}; compare them"),
            };
            (Rule::GuardUnclear, what)
        }
    })
}

/// What a step to a goal does besides moving.
fn deeds(
    reasoner: &Reasoner<'_>,
    event: Option<EventId>,
    goal: &Goal,
    old: &Branches,
    new: &Branches,
    same_guards: bool,
) -> Vec<(Rule, String)> {
    let (before, today) = (old.deeds(goal), new.deeds(goal));
    let mut told = Vec::new();
    match (before.as_slice(), today.as_slice()) {
        ([a], [b]) => {
            let mut differ = |rule: Rule, what: &str, a: &[String], b: &[String]| {
                if a != b {
                    let show = |it: &[String]| if it.is_empty() { "none".to_owned() } else { list(it.iter().map(String::as_str)) };
                    told.push((rule, format!("the {what} are now {}, before {}", show(b), show(a))));
                }
            };
            differ(Rule::Assignments, "assignments", &a.set, &b.set);
            differ(Rule::Effects, "effects before the change", &a.before, &b.before);
            differ(Rule::Effects, "effects", &a.after, &b.after);
            differ(Rule::Effects, "raised events", &a.raise, &b.raise);
            if a.reenter != b.reenter {
                let what = if b.reenter { "it now leaves and enters the outer state again" } else { "it no longer leaves the outer state" };
                told.push((Rule::Effects, what.to_owned()));
            }
            if a.commit != b.commit {
                told.push((Rule::Commit, format!("`commit` is now `{}`, before `{}`", b.commit.name(), a.commit.name())));
            }
        }
        _ if before.len() == today.len() && before.iter().all(|it| today.contains(it)) => {
            let moved = |deed: &&&Deed| {
                let (a, b) = (old.condition(goal, Some(deed)), new.condition(goal, Some(deed)));
                !matches!(judge(reasoner, event, &a, &b), Verdict::Same | Verdict::Reworded)
            };
            let in_order = same_guards && old.all.iter().map(|it| &it.deed).eq(new.all.iter().map(|it| &it.deed));
            if !in_order && before.iter().find(moved).is_some() {
                told.push((Rule::Effects, "which of its rows applies has changed, and they do different things".to_owned()));
            }
        }
        _ => told.push((Rule::Effects, "its rows do other things".to_owned())),
    }
    told
}

/// Whether all rows are there as before, but in another order.
fn rows_moved(pairs: &Pairs<'_>) -> bool {
    type Names<'a> = (&'a dyn Fn(StateId) -> String, &'a dyn Fn(EventId) -> String, &'a dyn Fn(Recall) -> Option<String>);
    let words = |machine: &statespec_lang::model::Machine, (states, events, field): Names<'_>| {
        let history = |it: Recall| format!("H {}{}", states(it.whole), field(it).map(|it| format!(" {it}")).unwrap_or_default());
        let row = |it: &statespec_lang::model::machine::Transition| {
            use statespec_lang::model::machine::From;
            let names = |ids: &[StateId]| ids.iter().map(|it| states(*it)).collect::<Vec<_>>().join(",");
            let from = match &it.from {
                From::Creation => "[*]".to_owned(),
                From::States(ids) => names(ids),
                From::Any { except } => format!("* - {}", names(except)),
            };
            let to = match &it.target {
                Target::Stay => String::new(),
                Target::To(ids) => names(ids),
                Target::Fork(branches) => {
                    let name = |it: &Branch| match it {
                        Branch::To(id) => states(*id),
                        Branch::History(to) => history(*to),
                    };
                    branches.iter().map(name).collect::<Vec<_>>().join("+")
                }
                Target::Payload(id) => machine.payload_name(*id).to_owned(),
                Target::History(to) => history(*to),
                Target::Refuse(_) => "!".to_owned(),
            };
            let trigger = match it.trigger {
                Trigger::Events(_) | Trigger::Direct => "",
                Trigger::AnyOther(_) => "*",
                Trigger::Automatic => "automatic",
                Trigger::Done => "done",
            };
            format!("{from}|{trigger} {}|{to}", it.events().iter().map(|it| events(*it)).collect::<Vec<_>>().join(","))
        };
        machine.transitions.iter().map(row).collect::<Vec<_>>()
    };
    let gone = || "?".to_owned();
    let old_state = |it: StateId| pairs.state(it).map_or_else(gone, |it| pairs.new.state(it).name.clone());
    let old_event = |it: EventId| pairs.event(it).map_or_else(gone, |it| pairs.new.event(it).name.clone());
    let old = words(pairs.old, (&old_state, &old_event, &|it| field_of_old(pairs, it)));
    let (new_state, new_event) = (|it: StateId| pairs.new.state(it).name.clone(), |it: EventId| pairs.new.event(it).name.clone());
    let new = words(pairs.new, (&new_state, &new_event, &|it| field_of_new(pairs, it)));
    let sorted = |mut it: Vec<String>| {
        it.sort();
        it
    };
    old != new && sorted(old) == sorted(new)
}

/// The edge in words: "`a`, `b` → `c` on `e`".
fn describe(pairs: &Pairs<'_>, told: &Told, from: &[&str]) -> String {
    let from = if told.is_creation { "creation".to_owned() } else { list(from.iter().copied()) };
    let event = match told.on {
        On::Event(it) => format!(" on `{}`", pairs.new.event(it).name),
        On::Direct => String::new(),
        On::Automatic => " (automatic)".to_owned(),
        On::Done(it) => format!(" when `{}` is done", pairs.new.state(it).name),
    };
    match (&told.goal, told.rule) {
        (Goal::Refuse, _) | (_, Rule::EdgeRetargeted) => format!("{from}{event}"),
        (Goal::Stay, _) => format!("{from} (stays){event}"),
        (goal, _) => format!("{from} → {}{event}", target(pairs, goal)),
    }
}

/// A goal in words.
fn target(pairs: &Pairs<'_>, goal: &Goal) -> String {
    match goal {
        Goal::To(id) => format!("`{}`", pairs.new.state(*id).name),
        Goal::History(id, field) => {
            let field = field.as_ref().map(|it| format!(" in `{it}`")).unwrap_or_default();
            format!("`{}`, where it was last{field}", pairs.new.state(*id).name)
        }
        Goal::Fork(goals) => goals.iter().map(|it| target(pairs, it)).collect::<Vec<_>>().join(" and "),
        Goal::Gone(id) => format!("`{}`", pairs.old.state(*id).name),
        Goal::Field(name) => format!("`{{{name}}}`"),
        Goal::Stay => "the same state, without leaving it".to_owned(),
        Goal::Refuse => "a refusal".to_owned(),
    }
}
