//! What a machine declares: states, events, data, and the texts for people.

use std::collections::BTreeSet;

use statespec_lang::expr::{fold, show_literal, type_name};
use statespec_lang::model::machine::{Attribute, Effect, Enum, Event, Field, History, Key, Machine, Order, Origin, Piece, State, Timer};
use statespec_lang::model::{ActorId, Configuration, EnumId, EventId, FieldId, Literal, StateId, Type};
use statespec_lang::show::MachineNames;
use statespec_lang::source::Span;

use super::branches::effects;
use super::pairs::{Declared, Pairs, pair, positions};
use super::translate::Translation;
use super::{Found, Rule};

pub(super) fn compare(pairs: &Pairs<'_>, found: &mut Found) {
    whole(pairs, found);
    states(pairs, found);
    events(pairs, found);
    context(pairs, found);
    enums(pairs, found);
    constants(pairs, found);
    predicates(pairs, found);
    actors(pairs, found);
    declared_effects(pairs, found);
    attributes(pairs, found);
    orders(pairs, found);
}

/// Names or texts in backticks, at most four: "`a`, `b` and 3 more".
pub(super) fn list<'a>(items: impl Iterator<Item = &'a str>) -> String {
    const MOST: usize = 4;
    let items: Vec<String> = items.map(|it| format!("`{it}`")).collect();
    match items.len() {
        0..=MOST => items.join(", "),
        n_items => format!("{} and {} more", items[..MOST - 1].join(", "), n_items - (MOST - 1)),
    }
}

/// The keys of texts that differ.
pub(super) fn changed_texts<T: PartialEq>(old: &[(&'static str, &T)], new: &[(&'static str, &T)]) -> Vec<&'static str> {
    old.iter().zip(new).filter(|((_, a), (_, b))| a != b).map(|((key, _), _)| *key).collect()
}

fn wording<T: PartialEq>(
    found: &mut Found,
    what: &str,
    (before, old): (Span, &[(&'static str, &T)]),
    (today, new): (Span, &[(&'static str, &T)]),
) {
    let changed = changed_texts(old, new);
    if !changed.is_empty() {
        found.add(Rule::Wording, before, today, format!("{what}: other texts ({})", changed.join(", ")));
    }
}

fn whole(pairs: &Pairs<'_>, found: &mut Found) {
    let Pairs { old, new, .. } = pairs;
    let mut changed = changed_texts(&[("title", &old.title)], &[("title", &new.title)]);
    changed.extend(changed_texts(&[("doc", &old.doc)], &[("doc", &new.doc)]));
    changed.extend(changed_texts(&[("sources", &old.sources), ("notes", &old.notes)], &[("sources", &new.sources), ("notes", &new.notes)]));
    if !changed.is_empty() {
        found.add(Rule::Wording, old.span, new.span, format!("the machine: other texts ({})", changed.join(", ")));
    }
    if old.parallel != new.parallel {
        let now = if new.parallel { "now has" } else { "no longer has" };
        found.add(Rule::StateNested, old.span, new.span, format!("the machine {now} regions, and is stored otherwise"));
    }
    let starts = |machine: &Machine| machine.edges_from(None).is_empty().then(|| machine.initial());
    let (before, today) = (starts(old), starts(new));
    let same = match (&before, &today) {
        (Some(a), Some(b)) => {
            let leaves = |it: StateId| pairs.state(it).map(|it| new.default_leaves(it));
            let leaves: Option<Vec<Vec<StateId>>> = a.leaves().map(leaves).collect();
            leaves.is_some_and(|it| it.concat().into_iter().eq(b.leaves()))
        }
        (a, b) => a.is_none() == b.is_none(),
    };
    if !same {
        let places =
            [(old, &before), (new, &today)].map(|(machine, id)| id.as_ref().map_or(machine.span, |it| machine.state(it.first()).span));
        let name = |machine: &Machine, at: &Configuration| format!("`{}`", machine.configuration_name(at));
        let message = match (&before, &today) {
            (Some(a), Some(b)) => format!("the machine now starts in {}, before in {}", name(new, b), name(old, a)),
            (None, Some(b)) => format!("the machine now starts in {}; before, an event created it", name(new, b)),
            (Some(a), None) => format!("an event now creates the machine; before, it started in {}", name(old, a)),
            (None, None) => "an event creates the machine".to_owned(),
        };
        found.add(Rule::InitialChanged, places[0], places[1], message);
    }
}

/// Compares the elements of one kind: `both` looks at what is in both machines.
fn each<T: Declared>(
    found: &mut Found,
    what: &str,
    removed: Rule,
    (old, new): (&[T], &[T]),
    today: &[Option<usize>],
    mut both: impl FnMut(&mut Found, usize, usize),
) {
    for (idx, today) in today.iter().enumerate() {
        match today {
            Some(today) if *today < new.len() => both(found, idx, *today),
            _ => found.add(removed, old[idx].span(), None, format!("{what} `{}` is removed", old[idx].name())),
        }
    }
}

/// The elements of one kind that only the new machine has.
fn added<'m, T: Declared>(new: &'m [T], today: &[Option<usize>]) -> impl Iterator<Item = &'m T> {
    let known: BTreeSet<usize> = today.iter().flatten().copied().collect();
    new.iter().enumerate().filter(move |(idx, _)| !known.contains(idx)).map(|it| it.1)
}

fn tell_added<T: Declared>(found: &mut Found, what: &str, rule: Rule, new: &[T], today: &[Option<usize>]) {
    for it in added(new, today) {
        found.add(rule, None, it.span(), format!("{what} `{}` is new", it.name()));
    }
}

/// Compares the elements of one kind that have no other name but their own.
fn by_name<T: Declared>(
    found: &mut Found,
    what: &str,
    (removed, rule): (Rule, Rule),
    (old, new): (&[T], &[T]),
    mut both: impl FnMut(&mut Found, &T, &T),
) {
    let today = pair(old, new);
    each(found, what, removed, (old, new), &today, |found, a, b| both(found, &old[a], &new[b]));
    tell_added(found, what, rule, new, &today);
}

fn states(pairs: &Pairs<'_>, found: &mut Found) {
    let Pairs { old, new, .. } = pairs;
    let today = positions(&pairs.states, StateId::index);
    each(found, "the state", Rule::StateRemoved, (&old.states, &new.states), &today, |found, a, b| {
        state(pairs, StateId::new(a), StateId::new(b), found);
    });
    tell_added(found, "the state", Rule::StateAdded, &new.states, &today);
    reordered(found, "states", &today, (old.span, new.span));
}

fn state(pairs: &Pairs<'_>, before: StateId, today: StateId, found: &mut Found) {
    let Pairs { old, new, .. } = pairs;
    let (a, b) = (old.state(before), new.state(today));
    let mut tell = |rule: Rule, message: String| found.add(rule, a.span, b.span, message);
    if a.name != b.name {
        tell(Rule::StateRenamed, format!("the state `{}` is now called `{}`", a.name, b.name));
    }
    match (old.is_leaf(before), new.is_leaf(today)) {
        (true, true) if a.wire != b.wire => {
            tell(Rule::StateWire, format!("`{}` is now stored and sent as `{}`, before as `{}`", b.name, b.wire, a.wire));
        }
        (true, false) => tell(Rule::StateNested, format!("`{}` now has states inside, and is no longer stored itself", b.name)),
        (false, true) => tell(Rule::StateNested, format!("`{}` no longer has states inside, and is now stored itself", b.name)),
        _ => {}
    }
    match (a.parallel, b.parallel) {
        (false, true) => {
            tell(Rule::StateNested, format!("`{}` now has regions: the machine is in one state of each, and is stored so", b.name))
        }
        (true, false) => {
            tell(Rule::StateNested, format!("`{}` no longer has regions: the machine is in one state of it, and is stored so", b.name))
        }
        _ => {}
    }
    match (a.terminal, b.terminal) {
        (true, false) => tell(Rule::NoLongerFinal, format!("`{}` is no longer terminal", b.name)),
        (false, true) => tell(Rule::NowFinal, format!("`{}` is now terminal", b.name)),
        _ => {}
    }
    if a.parent.map(|it| pairs.state(it)) != b.parent.map(Some) {
        let place = |machine: &Machine, parent: Option<StateId>| {
            parent.map_or_else(|| "at the top".to_owned(), |it| format!("in `{}`", machine.state(it).name))
        };
        tell(Rule::StateMoved, format!("`{}` is now {}, before {}", b.name, place(new, b.parent), place(old, a.parent)));
    }
    if let (Some(x), Some(y)) = (a.default_child, b.default_child)
        && pairs.state(x) != Some(y)
    {
        let (x, y) = (&old.state(x).name, &new.state(y).name);
        tell(Rule::InitialChanged, format!("entering `{}` now leads to `{y}`, before to `{x}`", b.name));
    }
    for (what, x, y) in [("entering", &a.entry, &b.entry), ("leaving", &a.exit, &b.exit)] {
        let (x, y) = (effects(old, x), effects(new, y));
        if x != y {
            let show = |it: &[String]| if it.is_empty() { "none".to_owned() } else { list(it.iter().map(String::as_str)) };
            tell(Rule::Effects, format!("the effects of {what} `{}` are now {}, before {}", b.name, show(&y), show(&x)));
        }
    }
    let remembered = |histories: &[History], field: &dyn Fn(FieldId) -> Option<FieldId>| {
        let known = |it: &History| Some((new.fields[field(it.field)?.index()].name.clone(), it.shallow));
        histories.iter().filter_map(known).collect::<Vec<_>>()
    };
    let (x, y) = (remembered(&a.histories, &|it| pairs.fields[it.index()]), remembered(&b.histories, &Some));
    let sorted = |it: &[(String, bool)]| it.iter().cloned().collect::<BTreeSet<_>>();
    if sorted(&x) != sorted(&y) {
        let one = |(field, shallow): &(String, bool)| format!("in `{field}`{}", if *shallow { " (shallow)" } else { "" });
        let show = |it: &[(String, bool)]| match it {
            [] => "nowhere".to_owned(),
            [(field, true)] => format!("in `{field}`, shallow"),
            _ => it.iter().map(one).collect::<Vec<_>>().join(" and "),
        };
        tell(Rule::Effects, format!("where the machine was in `{}` is now remembered {}, before {}", b.name, show(&y), show(&x)));
    }
    // Composites hand their values down.
    if new.is_leaf(today) {
        attribute_values(pairs, (a, b), found);
    }
    wording(found, &format!("`{}`", b.name), (a.span, &texts_of_state(a)), (b.span, &texts_of_state(b)));
}

fn texts_of_state(it: &State) -> [(&'static str, &Option<String>); 3] {
    [("label", &it.label), ("doc", &it.doc), ("inferred", &it.inferred)]
}

/// The values of the attributes that both machines have.
fn attribute_values(pairs: &Pairs<'_>, (a, b): (&State, &State), found: &mut Found) {
    let Pairs { old, new, .. } = pairs;
    let translation = Translation::new(pairs, None);
    for (attribute, value) in new.attributes.iter().zip(&b.attributes) {
        let Some(idx) = old.attributes.iter().position(|it| it.name == attribute.name) else { continue };
        let Some(before) = a.attributes.get(idx) else { continue };
        if translation.literal(before).as_ref() != Some(value) {
            let (x, y) = (show_literal(before, &MachineNames::new(old), None), show_literal(value, &MachineNames::new(new), None));
            let rule = if attribute.ty == Type::Text { Rule::Wording } else { Rule::AttributeValue };
            found.add(rule, a.span, b.span, format!("`{}` of `{}` is now `{y}`, before `{x}`", attribute.name, b.name));
        }
    }
}

fn events(pairs: &Pairs<'_>, found: &mut Found) {
    let Pairs { old, new, .. } = pairs;
    let today = positions(&pairs.events, EventId::index);
    each(found, "the event", Rule::EventRemoved, (&old.events, &new.events), &today, |found, a, b| {
        event(pairs, EventId::new(a), EventId::new(b), found);
    });
    tell_added(found, "the event", Rule::EventAdded, &new.events, &today);
    reordered(found, "events", &today, (old.span, new.span));
}

fn event(pairs: &Pairs<'_>, before: EventId, today: EventId, found: &mut Found) {
    let Pairs { old, new, .. } = pairs;
    let (a, b) = (old.event(before), new.event(today));
    let mut tell = |rule: Rule, message: String| found.add(rule, a.span, b.span, message);
    if a.name != b.name {
        tell(Rule::EventRenamed, format!("the event `{}` is now called `{}`", a.name, b.name));
    }
    let lost: Vec<&str> = a.aliases.iter().filter(|it| !b.aliases.contains(it) && **it != b.name).map(String::as_str).collect();
    if !lost.is_empty() {
        tell(Rule::Aliases, format!("`{}` is no longer called {}", b.name, list(lost.into_iter())));
    }
    let actor = |machine: &Machine, id: ActorId| machine.actors[id.index()].name.clone();
    let raisers = |machine: &Machine, event: &Event| {
        let mut names: Vec<String> = event.by.iter().map(|it| actor(machine, *it)).collect();
        names.sort();
        (names, event.performer.map(|it| actor(machine, it)))
    };
    let (x, y) = (raisers(old, a), raisers(new, b));
    if x != y {
        let show = |(by, performer): &(Vec<String>, Option<String>)| {
            let by = if by.is_empty() { "anyone".to_owned() } else { list(by.iter().map(String::as_str)) };
            performer.as_ref().map_or_else(|| by.clone(), |it| format!("{by}, performed by `{it}`"))
        };
        tell(Rule::Raisers, format!("`{}` is now raised by {}, before by {}", b.name, show(&y), show(&x)));
    }
    timer(pairs, (a, b), found);
    let mut tell = |rule: Rule, message: String| found.add(rule, a.span, b.span, message);
    if a.settles != b.settles {
        let now = if b.settles { "now settles" } else { "no longer settles" };
        tell(Rule::Settle, format!("`{}` {now}", b.name));
    }
    // The label of a timer says its duration.
    let label = |it: &'_ Event| it.label.clone().filter(|_| a.timer.is_none() || b.timer.is_none());
    wording(
        found,
        &format!("`{}`", b.name),
        (a.span, &[("label", &label(a)), ("doc", &a.doc)]),
        (b.span, &[("label", &label(b)), ("doc", &b.doc)]),
    );
    const RULES: FieldRules = FieldRules {
        removed: Rule::PayloadRemoved,
        renamed: Rule::PayloadRenamed,
        ty: Rule::PayloadType,
        required: Rule::PayloadNowRequired,
        optional: Rule::PayloadNowOptional,
    };
    let payload = pairs.payload(before, today);
    fields(pairs, &format!("`{}`: the payload field", b.name), RULES, (&a.payload, &b.payload), &payload, found);
    for field in added(&b.payload, &payload) {
        let (rule, how) = if field.optional {
            (Rule::PayloadOptional, "optional payload field")
        } else {
            (Rule::PayloadRequired, "required payload field")
        };
        found.add(rule, a.span, field.span, format!("`{}`: the {how} `{}` is new", b.name, field.name));
    }
    rearranged(found, &format!("the payload fields of `{}`", b.name), &payload, (a.span, b.span));
}

fn timer(pairs: &Pairs<'_>, (a, b): (&Event, &Event), found: &mut Found) {
    let Pairs { old, new, .. } = pairs;
    let mut tell = |message: String| found.add(Rule::TimerChanged, a.span, b.span, message);
    let (x, y) = match (&a.timer, &b.timer) {
        (Some(x), Some(y)) => (x, y),
        (Some(_), None) => return tell(format!("`{}` is no longer a timer", b.name)),
        (None, Some(_)) => return tell(format!("`{}` is now a timer", b.name)),
        (None, None) => return,
    };
    let translation = Translation::new(pairs, None);
    if translation.of_old(&x.after).as_ref() != Some(&translation.of_new(&y.after)) {
        let show = |machine: &Machine, it: &Timer| fold(&it.after, &machine.constants).show(&MachineNames::new(machine));
        tell(format!("the timer `{}` now elapses after `{}`, before after `{}`", b.name, show(new, y), show(old, x)));
    }
    let mut before: Vec<Option<StateId>> = x.states.iter().map(|it| pairs.state(*it)).collect();
    let mut today: Vec<Option<StateId>> = y.states.iter().copied().map(Some).collect();
    before.sort_unstable();
    today.sort_unstable();
    if before != today {
        let show = |machine: &Machine, it: &Timer| list(it.states.iter().map(|it| machine.state(*it).name.as_str()));
        tell(format!("the timer `{}` now runs in {}, before in {}", b.name, show(new, y), show(old, x)));
    }
}

/// The rules for the fields of one kind.
struct FieldRules {
    removed: Rule,
    renamed: Rule,
    ty: Rule,
    required: Rule,
    optional: Rule,
}

/// Fields that the old machine has.
fn fields(pairs: &Pairs<'_>, what: &str, rules: FieldRules, (old, new): (&[Field], &[Field]), today: &[Option<usize>], found: &mut Found) {
    let translation = Translation::new(pairs, None);
    each(found, what, rules.removed, (old, new), today, |found, a, b| {
        let (a, b) = (&old[a], &new[b]);
        let mut tell = |rule: Rule, message: String| found.add(rule, a.span, b.span, message);
        if a.name != b.name {
            tell(rules.renamed, format!("{what} `{}` is now called `{}`", a.name, b.name));
        }
        if translation.ty(&a.ty).as_ref() != Some(&b.ty) {
            let (x, y) = (type_name(&a.ty, &pairs.old.enums), type_name(&b.ty, &pairs.new.enums));
            tell(rules.ty, format!("{what} `{}` is now of type `{y}`, before `{x}`", b.name));
        }
        match (a.optional, b.optional) {
            (true, false) => tell(rules.required, format!("{what} `{}` may no longer be null", b.name)),
            (false, true) => tell(rules.optional, format!("{what} `{}` may now be null", b.name)),
            _ => {}
        }
        let mut changed = changed_texts(&[("label", &a.label), ("doc", &a.doc)], &[("label", &b.label), ("doc", &b.doc)]);
        changed.extend(changed_texts(&[("aliases", &a.aliases)], &[("aliases", &b.aliases)]));
        if !changed.is_empty() {
            tell(Rule::Wording, format!("{what} `{}`: other texts ({})", b.name, changed.join(", ")));
        }
    });
}

fn context(pairs: &Pairs<'_>, found: &mut Found) {
    const RULES: FieldRules = FieldRules {
        removed: Rule::ContextRemoved,
        renamed: Rule::ContextRenamed,
        ty: Rule::ContextType,
        required: Rule::ContextNowRequired,
        optional: Rule::ContextNowOptional,
    };
    let Pairs { old, new, .. } = pairs;
    let today = positions(&pairs.fields, FieldId::index);
    fields(pairs, "the context field", RULES, (&old.fields, &new.fields), &today, found);
    let translation = Translation::new(pairs, None);
    for (a, b) in old.fields.iter().zip(&today).filter_map(|(a, today)| Some((a, &new.fields[(*today)?]))) {
        // Another type has another value, of course.
        if translation.ty(&a.ty).as_ref() != Some(&b.ty) {
            continue;
        }
        if a.default.as_ref().map(|it| translation.literal(it)) != b.default.clone().map(Some) {
            let show = |machine: &Machine, it: &Option<Literal>| {
                it.as_ref().map_or_else(|| "nothing".to_owned(), |it| format!("`{}`", show_literal(it, &MachineNames::new(machine), None)))
            };
            let (x, y) = (show(old, &a.default), show(new, &b.default));
            found.add(Rule::ContextDefault, a.span, b.span, format!("the context field `{}` now starts with {y}, before with {x}", b.name));
        }
    }
    tell_added(found, "the context field", Rule::ContextAdded, &new.fields, &today);
    rearranged(found, "the context fields", &today, (old.span, new.span));
}

fn enums(pairs: &Pairs<'_>, found: &mut Found) {
    let Pairs { old, new, .. } = pairs;
    let today = positions(&pairs.enums, EnumId::index);
    each(found, "the enum", Rule::EnumRemoved, (&old.enums, &new.enums), &today, |found, idx, today| {
        let (a, b) = (&old.enums[idx], &new.enums[today]);
        if a.ignore_case != b.ignore_case {
            let how = if b.ignore_case { "now ignores case" } else { "no longer ignores case" };
            found.add(Rule::EnumCase, a.span, b.span, format!("reading `{}` {how}", b.name));
        }
        wording(found, &format!("`{}`", b.name), (a.span, &[("doc", &a.doc)]), (b.span, &[("doc", &b.doc)]));
        values(&pairs.values[idx], a, b, found);
    });
    tell_added(found, "the enum", Rule::EnumAdded, &new.enums, &today);
}

fn values(today: &[Option<usize>], a: &Enum, b: &Enum, found: &mut Found) {
    let what = format!("`{}`: the value", b.name);
    each(found, &what, Rule::ValueRemoved, (&a.values, &b.values), today, |found, x, y| {
        let (x, y) = (&a.values[x], &b.values[y]);
        if x.name != y.name {
            found.add(Rule::ValueRenamed, x.span, y.span, format!("{what} `{}` is now called `{}`", x.name, y.name));
        }
        if x.wire != y.wire {
            let message = format!("`{}`: `{}` is now stored and sent as `{}`, before as `{}`", b.name, y.name, y.wire, x.wire);
            found.add(Rule::ValueWire, x.span, y.span, message);
        }
        let what = format!("`{}`: `{}`", b.name, y.name);
        wording(found, &what, (x.span, &[("label", &x.label), ("doc", &x.doc)]), (y.span, &[("label", &y.label), ("doc", &y.doc)]));
    });
    tell_added(found, &what, Rule::ValueAdded, &b.values, today);
    reordered(found, &format!("values of `{}`", b.name), today, (a.span, b.span));
}

fn constants(pairs: &Pairs<'_>, found: &mut Found) {
    let Pairs { old, new, .. } = pairs;
    let show = |machine: &Machine, it: &Literal| show_literal(it, &MachineNames::new(machine), None);
    let rules = (Rule::ConstantRemoved, Rule::ConstantAdded);
    by_name(found, "the constant", rules, (&old.constants, &new.constants), |found, a, b| {
        if a.ty != b.ty || a.value != b.value {
            let mut message = format!("the constant `{}` is now `{}`, before `{}`", b.name, show(new, &b.value), show(old, &a.value));
            if a.ty != b.ty {
                message.push_str(&format!(", of type `{}`, before `{}`", type_name(&b.ty, &new.enums), type_name(&a.ty, &old.enums)));
            }
            found.add(Rule::ConstantChanged, a.span, b.span, message);
        }
        wording(found, &format!("`{}`", b.name), (a.span, &[("doc", &a.doc)]), (b.span, &[("doc", &b.doc)]));
    });
}

fn predicates(pairs: &Pairs<'_>, found: &mut Found) {
    let rules = (Rule::PredicateRemoved, Rule::PredicateAdded);
    by_name(found, "the condition", rules, (&pairs.old.predicates, &pairs.new.predicates), |found, a, b| {
        wording(found, &format!("`{}`", b.name), (a.span, &[("doc", &a.doc)]), (b.span, &[("doc", &b.doc)]));
    });
}

fn actors(pairs: &Pairs<'_>, found: &mut Found) {
    let rules = (Rule::ActorRemoved, Rule::ActorAdded);
    by_name(found, "the actor", rules, (&pairs.old.actors, &pairs.new.actors), |found, a, b| {
        wording(found, &format!("`{}`", b.name), (a.span, &[("doc", &a.doc)]), (b.span, &[("doc", &b.doc)]));
    });
}

fn declared_effects(pairs: &Pairs<'_>, found: &mut Found) {
    let Pairs { old, new, .. } = pairs;
    let rules = (Rule::EffectRemoved, Rule::EffectAdded);
    by_name(found, "the effect", rules, (&old.effects, &new.effects), |found, a, b| {
        if takes(pairs, a, old) != takes(pairs, b, new) {
            let show = |it: &Effect| {
                let all: Vec<&str> = it.takes.iter().map(|it| it.field.name.as_str()).collect();
                if all.is_empty() { "nothing".to_owned() } else { list(all.into_iter()) }
            };
            found.add(Rule::EffectTakes, a.span, b.span, format!("the effect `{}` now takes {}, before {}", b.name, show(b), show(a)));
        }
        let message = |it: &Effect| it.message.as_ref().map(|it| it.iter().map(piece).collect::<String>());
        let (x, y) = (message(a), message(b));
        let old_texts = [("label", &a.label), ("doc", &a.doc), ("message", &x)];
        let new_texts = [("label", &b.label), ("doc", &b.doc), ("message", &y)];
        wording(found, &format!("`{}`", b.name), (a.span, &old_texts), (b.span, &new_texts));
    });
}

fn piece(piece: &Piece) -> String {
    match piece {
        Piece::Text(text) => text.clone(),
        Piece::Taken(idx) => format!("{{{idx}}}"),
    }
}

/// The values that an effect takes, with their types, in the names of the new machine.
fn takes(pairs: &Pairs<'_>, effect: &Effect, of: &Machine) -> Vec<String> {
    let is_old = std::ptr::eq(of, pairs.old);
    let taken = effect.takes.iter().map(|it| {
        let name = match it.origin {
            Origin::Context(id) if is_old => pairs.fields[id.index()].map(|it| pairs.new.fields[it.index()].name.clone()),
            _ => None,
        };
        let ty = type_name(&it.field.ty, &of.enums);
        format!("{}:{ty}:{}", name.unwrap_or_else(|| it.field.name.clone()), it.field.optional)
    });
    taken.collect()
}

fn attributes(pairs: &Pairs<'_>, found: &mut Found) {
    let Pairs { old, new, .. } = pairs;
    let translation = Translation::new(pairs, None);
    let rules = (Rule::AttributeRemoved, Rule::AttributeAdded);
    by_name(found, "the attribute", rules, (&old.attributes, &new.attributes), |found, a, b| {
        if translation.ty(&a.ty).as_ref() != Some(&b.ty) || a.optional != b.optional {
            let show = |machine: &Machine, it: &Attribute| {
                format!("{}`{}`", if it.optional { "optional " } else { "" }, type_name(&it.ty, &machine.enums))
            };
            let message = format!("the attribute `{}` is now {}, before {}", b.name, show(new, b), show(old, a));
            found.add(Rule::AttributeType, a.span, b.span, message);
        }
        wording(
            found,
            &format!("`{}`", b.name),
            (a.span, &[("label", &a.label), ("doc", &a.doc)]),
            (b.span, &[("label", &b.label), ("doc", &b.doc)]),
        );
    });
}

fn orders(pairs: &Pairs<'_>, found: &mut Found) {
    let Pairs { old, new, .. } = pairs;
    let rules = (Rule::OrderChanged, Rule::OrderChanged);
    by_name(found, "the order", rules, (&old.orders, &new.orders), |found, a, b| {
        if order(old, a) != order(new, b) {
            found.add(Rule::OrderChanged, a.span, b.span, format!("the order `{}` sorts differently", b.name));
        }
        wording(found, &format!("`{}`", b.name), (a.span, &[("doc", &a.doc)]), (b.span, &[("doc", &b.doc)]));
    });
}

/// The meaning of an order as texts: its fields, its keys, and those of each state.
fn order(machine: &Machine, order: &Order) -> Vec<String> {
    let field = |idx: usize| order.item.get(idx).map_or("", |it| it.name.as_str());
    let values = |idx: usize, values: &[usize]| {
        let Some(Type::Enum(id)) = order.item.get(idx).map(|it| &it.ty) else { return String::new() };
        let all = machine.enums.get(id.index()).map_or(&[][..], |it| &it.values);
        values.iter().filter_map(|it| all.get(*it)).map(|it| it.name.as_str()).collect::<Vec<_>>().join(",")
    };
    let key = |key: &Key| match key {
        Key::Field { field: idx, descending } => format!("{} {descending}", field(*idx)),
        Key::Rank { field: idx, first, last, .. } => format!("{} {} {}", field(*idx), values(*idx, first), values(*idx, last)),
    };
    let keys = |it: &[Key]| it.iter().map(key).collect::<Vec<_>>().join(";");
    let fields = order.item.iter().map(|it| format!("{} {} {}", it.name, type_name(&it.ty, &machine.enums), it.optional));
    let mut states: Vec<String> =
        machine.states.iter().zip(&order.state_keys).map(|(state, it)| format!("{} {}", state.name, keys(it))).collect();
    states.sort();
    fields.chain([keys(&order.keys)]).chain(states).collect()
}

/// Elements that emitted enums compare by their order.
fn reordered(found: &mut Found, what: &str, pairs: &[Option<usize>], spans: (Span, Span)) {
    if !in_order(pairs) {
        found.add(Rule::Reordered, spans.0, spans.1, format!("the {what} are in another order"));
    }
}

fn rearranged(found: &mut Found, what: &str, pairs: &[Option<usize>], spans: (Span, Span)) {
    if !in_order(pairs) {
        found.add(Rule::Rearranged, spans.0, spans.1, format!("{what} are in another order"));
    }
}

fn in_order(pairs: &[Option<usize>]) -> bool {
    pairs.iter().flatten().is_sorted()
}
