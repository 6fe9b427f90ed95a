//! The delayed events of a chart that are timers: a state sends the event to itself when it is entered, or what leads to the state
//! sends it; the state handles it, and nothing else speaks of it.

use std::collections::{BTreeMap, BTreeSet};

use roxmltree::{Document, Node};

use super::spaces::Spaces;

/// The timers of a chart.
#[derive(Default)]
pub(super) struct Delays {
    /// By the state that handles them, by its position; each with its event.
    timers: BTreeMap<usize, Vec<(String, Delay)>>,
    events: BTreeSet<String>,
    /// The elements that a timer replaces, by their positions.
    replaced: BTreeSet<usize>,
}

/// One timer.
#[derive(Debug, Clone)]
pub(super) struct Delay {
    /// The duration, in the syntax of a spec.
    pub(super) after: String,
    /// Whether the event never comes once the state was left: the chart cancels it, or only the event itself leads out.
    pub(super) ends_with_state: bool,
}

impl Delays {
    /// The timers of a chart.
    pub(super) fn of(document: &Document<'_>, spaces: &Spaces<'_>) -> Self {
        let mentions = Mentions::of(document, spaces);
        let mut delays = Delays::default();
        for send in document.descendants().filter(|it| is(*it, "send")) {
            if let Some(Timer { state, event, delay, replaced }) = mentions.timer(send) {
                delays.timers.entry(state).or_default().push((event.to_owned(), delay));
                delays.events.insert(event.to_owned());
                delays.replaced.extend(replaced);
            }
        }
        delays
    }

    /// The timers whose end a transition for these events is for, each with its event.
    pub(super) fn of_transition(&self, transition: Node<'_, '_>, events: &[&str]) -> Vec<(String, Delay)> {
        let of_state = transition.parent_element().and_then(|it| self.timers.get(&place(it)));
        let stems: Vec<&str> = events.iter().filter_map(|it| stem(it)).collect();
        let is_meant = |(event, _): &&(String, Delay)| stems.iter().any(|it| names_before(event).any(|name| name == *it));
        of_state.into_iter().flatten().filter(is_meant).cloned().collect()
    }

    /// Whether an event is the end of a timer.
    pub(super) fn is_timer(&self, event: &str) -> bool {
        self.events.contains(event)
    }

    /// Whether a timer replaces an element.
    pub(super) fn replaces(&self, node: Node<'_, '_>) -> bool {
        self.replaced.contains(&place(node))
    }
}

/// A `<send>` that is a timer.
struct Timer<'a> {
    /// The position of the state that handles it.
    state: usize,
    event: &'a str,
    delay: Delay,
    /// The elements that the timer replaces.
    replaced: Vec<usize>,
}

/// What the names of the events begin with that a descriptor matches; empty for every event, none if it is no descriptor.
fn stem(descriptor: &str) -> Option<&str> {
    if descriptor == "*" {
        return Some("");
    }
    Some(descriptor.trim_end_matches(".*").trim_end_matches('.')).filter(|it| !it.contains('*'))
}

/// The literal text that the value of an expression begins with: `'Do.' + name`. None if it may begin otherwise.
fn literal_start(expression: &str) -> Option<&str> {
    let expression = expression.trim();
    let quote = expression.chars().next().filter(|it| matches!(it, '\'' | '"'))?;
    let (start, rest) = expression[1..].split_once(quote)?;
    let rest = rest.trim_start();
    let is_sum = rest.is_empty() || rest.starts_with('+') || rest.starts_with("..");
    // Any other operator may replace the text.
    let is_plain = rest.chars().all(|it| it.is_alphanumeric() || it.is_whitespace() || "_.+'\"()[]".contains(it));
    let has_word = rest.split_whitespace().any(|it| matches!(it, "and" | "or" | "if" | "else"));
    (is_sum && is_plain && !has_word && !start.contains('\\') && !start.is_empty()).then_some(start)
}

/// What descriptors of an event begin with: its name, each part of it before a dot, and nothing.
fn names_before(event: &str) -> impl Iterator<Item = &str> {
    event.match_indices('.').map(|(end, _)| &event[..end]).chain([event, ""])
}

fn is(node: Node<'_, '_>, tag: &str) -> bool {
    node.is_element() && node.tag_name().name() == tag
}

/// Whether an element is a state, of any kind.
fn is_state(node: Node<'_, '_>) -> bool {
    ["state", "parallel", "final"].iter().any(|it| is(node, it))
}

/// The transitions of a state that lead somewhere.
fn moves<'a>(state: Node<'a, 'a>) -> impl Iterator<Item = Node<'a, 'a>> {
    state.children().filter(|it| is(*it, "transition") && it.attribute("target").is_some())
}

/// Whether only its own transitions leave a state: it has no states inside, and is in no region, and in no state that is left or
/// entered as a whole.
fn is_alone(state: Node<'_, '_>) -> bool {
    let remembers = |it: Node<'_, '_>| it.children().any(|it| is(it, "history"));
    let is_simple = is(state, "state") && !state.children().any(|it| is_state(it) || is(it, "history"));
    let mut around = state.ancestors().skip(1).filter(Node::is_element);
    is_simple && around.all(|it| !is(it, "parallel") && !remembers(it) && moves(it).next().is_none())
}

/// Whether the state around a state starts in it, as the first one where none is named.
fn may_start(state: Node<'_, '_>) -> bool {
    let Some(around) = state.parent_element() else { return true };
    let names_start = around.attribute("initial").is_some() || around.children().any(|it| is(it, "initial"));
    !names_start && around.children().find(|it| is_state(*it)) == Some(state)
}

fn place(node: Node<'_, '_>) -> usize {
    node.id().get_usize()
}

/// The state around an element that is directly inside its `<onentry>` or `<onexit>`.
fn state_of<'a>(node: Node<'a, 'a>, tag: &str) -> Option<usize> {
    let state = node.parent_element().filter(|it| is(*it, tag))?.parent_element()?;
    is(state, "state").then(|| place(state))
}

/// Where a chart speaks of events.
#[derive(Default)]
struct Mentions<'a> {
    /// The states with a transition for events that begin so; `None` is no simple state.
    handlers: BTreeMap<&'a str, BTreeSet<Option<usize>>>,
    /// How often an event is sent or raised.
    n_sent: BTreeMap<&'a str, usize>,
    /// The states whose `<onexit>` cancels an event that was sent with this id; `None` elsewhere.
    cancels: BTreeMap<&'a str, Vec<(Option<usize>, usize)>>,
    /// Whether an expression decides what is sent or cancelled.
    is_computed: bool,
    /// What the names of the events begin with that other expressions send.
    computed: BTreeSet<&'a str>,
    /// The states with an id, where no two have the same one.
    states: BTreeMap<&'a str, Option<Node<'a, 'a>>>,
    /// The elements that name a state as their target or start, by its id.
    entered_by: BTreeMap<&'a str, Vec<usize>>,
}

impl<'a> Mentions<'a> {
    fn of(document: &'a Document<'a>, spaces: &Spaces<'_>) -> Self {
        let mut mentions = Mentions::default();
        for node in document.descendants().filter(Node::is_element) {
            let event = node.attribute("event").unwrap_or_default().trim();
            let entered = node.attribute("target").filter(|_| is(node, "transition")).or(node.attribute("initial"));
            for id in spaces.states(entered.unwrap_or_default()) {
                mentions.entered_by.entry(id).or_default().push(place(node));
            }
            if let Some(id) = node.attribute("id").filter(|_| is_state(node)) {
                mentions.states.entry(id).and_modify(|it| *it = None).or_insert(Some(node));
            }
            match node.tag_name().name() {
                "transition" => {
                    let state = node.parent_element().filter(|it| is(*it, "state")).map(place);
                    for stem in spaces.events(event).into_iter().filter_map(stem) {
                        mentions.handlers.entry(stem).or_default().insert(state);
                    }
                }
                "raise" | "send" => {
                    let computed = node.attribute("eventexpr").map(literal_start);
                    mentions.is_computed |= computed == Some(None);
                    mentions.computed.extend(computed.flatten());
                    *mentions.n_sent.entry(event).or_default() += 1;
                }
                "cancel" => match node.attribute("sendid") {
                    Some(id) => mentions.cancels.entry(id).or_default().push((state_of(node, "onexit"), place(node))),
                    None => mentions.is_computed = true,
                },
                _ => {}
            }
        }
        mentions
    }

    /// The timer that a `<send>` is.
    fn timer(&self, send: Node<'a, 'a>) -> Option<Timer<'a>> {
        let (event, delay) = (send.attribute("event")?.trim(), send.attribute("delay")?);
        let of_entry = state_of(send, "onentry");
        let state = of_entry.or_else(|| self.entered_with(send, event))?;
        let is_plain =
            send.attributes().all(|it| ["event", "delay", "id"].contains(&it.name())) && !send.children().any(|it| it.is_element());
        let is_computed = self.is_computed || self.computed.iter().any(|it| event.starts_with(it));
        let after = duration(delay).filter(|_| is_plain && !is_computed)?;
        // Its own state handles it, and nothing else does.
        let mut handlers = names_before(event).filter_map(|it| self.handlers.get(it)).flatten().peekable();
        handlers.peek()?;
        if !handlers.all(|it| *it == Some(state)) || self.n_sent.get(event) != Some(&1) {
            return None;
        }
        let mut replaced = vec![place(send)];
        for (at, cancel) in send.attribute("id").and_then(|id| self.cancels.get(id)).into_iter().flatten() {
            // Elsewhere, it may be cancelled while the state is active.
            if *at != Some(state) {
                return None;
            }
            replaced.push(*cancel);
        }
        let delay = Delay { after, ends_with_state: of_entry.is_none() || replaced.len() > 1 };
        Some(Timer { state, event, delay, replaced })
    }

    /// The state that is entered exactly when an event is sent, and left only when it comes: a transition to the state sends it,
    /// or the `<onexit>` of a state from which all transitions lead there.
    fn entered_with(&self, send: Node<'a, 'a>, event: &str) -> Option<usize> {
        let around = send.parent_element()?;
        let source = around.parent_element().filter(|it| is_state(*it))?;
        let senders: Vec<Node<'_, '_>> = match around.tag_name().name() {
            "transition" => vec![around],
            "onexit" if is_alone(source) => moves(source).collect(),
            _ => return None,
        };
        let id = senders.first()?.attribute("target")?.trim();
        let state = (*self.states.get(id)?)?;
        let leads_there = senders.iter().all(|it| it.attribute("target").is_some_and(|it| it.trim() == id));
        let enters = |it: &usize| senders.iter().any(|sender| place(*sender) == *it);
        let only_so = self.entered_by.get(id)?.iter().all(enters) && !may_start(state);
        let stays = moves(state).all(|it| it.attribute("event").is_some_and(|it| it.trim() == event));
        let is_outside = state.ancestors().all(|it| it != source);
        (leads_there && only_so && stays && is_outside && is_alone(state)).then(|| place(state))
    }
}

/// A delay such as `1.5s` or `200ms` in the syntax of a spec; `None` if it is none that a timer has.
fn duration(delay: &str) -> Option<String> {
    let delay = delay.trim();
    let (number, scale) = match delay.strip_suffix("ms") {
        Some(number) => (number, 1_000),
        None => (delay.strip_suffix('s')?, 1_000_000),
    };
    after_micros(number, scale)
}

/// A decimal number of a unit of so many microseconds, as a duration of a spec; `None` where it is not greater than zero.
pub(super) fn after_micros(number: &str, scale: i64) -> Option<String> {
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    let digits = |it: &str| it.bytes().all(|it| it.is_ascii_digit());
    if !digits(whole) || !digits(part) || number.len() > 15 || part.len() > 6 || (whole.is_empty() && part.is_empty()) {
        return None;
    }
    let whole = if whole.is_empty() { 0 } else { whole.parse::<i64>().ok()? };
    let mut micros = whole.checked_mul(scale)?;
    let mut unit = scale;
    for digit in part.bytes() {
        unit /= 10;
        micros = micros.checked_add(i64::from(digit - b'0').checked_mul(unit)?)?;
    }
    (micros > 0).then(|| statespec_lang::expr::show_duration(micros))
}
