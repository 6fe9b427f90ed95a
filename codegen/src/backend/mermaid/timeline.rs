//! The timers of a machine as a Mermaid Gantt chart: a bar for each, from the moment at which its state is entered.
//!
//! ```text
//! ---
//! config:
//!     gantt:
//!         leftPadding: 75
//! ---
//! gantt
//!     dateFormat YYYY-MM-DD
//!     axisFormat %M:%S
//!     todayMarker off
//!     section go
//!     2m#58; amber :2000-01-01, 120000ms
//!     section amber
//!     3s#58; red :2000-01-01, 3000ms
//! ```
//!
//! A chart has points in time, so every bar begins on one day: of the year 2000, whose last digits are 0.

use statespec_lang::expr::show_literal;
use statespec_lang::model::machine::{Machine, Target, Transition};
use statespec_lang::model::{EventId, Literal, StateId};
use statespec_lang::show::MachineNames;
use statespec_lang::source::Span;

use super::lines::{Lines, label};

/// The number of bars up to which a reader sees all of them at once.
const MAX_BARS: usize = 40;

/// The width of a letter of a state's name beside the bars, in pixels, and the least width of all of it.
const LETTER: usize = 7;
const MIN_PADDING: usize = 75;

const SECOND: i64 = 1_000_000;
const DAY: i64 = 24 * 3_600 * SECOND;
const YEAR: i64 = 366 * DAY;

/// A timer in one of its states.
struct Bar {
    state: StateId,
    micros: i64,
    /// What happens at its end.
    text: String,
    /// The row, if there is only one.
    span: Option<Span>,
}

/// Draws the timers of a machine with constant durations; `None` if there are fewer than two bars to compare, or too many.
pub fn timeline(machine: &Machine, only: Option<&[usize]>) -> Option<Lines> {
    let mut bars = Vec::new();
    for (event, timer) in machine.timers().filter(|(event, _)| only.is_none_or(|it| it.contains(&event.index()))) {
        // Mermaid's smallest unit is a millisecond, and its axis has a line for each year.
        let Some(micros) = machine.fixed_duration(timer).filter(|it| (1_000..=20 * YEAR).contains(it)) else { continue };
        if bars.len() + timer.states.len() > MAX_BARS {
            return None;
        }
        bars.extend(timer.states.iter().map(|state| bar(machine, event, micros, *state)));
    }
    if bars.len() < 2 {
        return None;
    }
    bars.sort_by_key(|it| (it.state, it.micros));
    let longest = bars.iter().map(|it| it.micros).max()?;
    let name = |state: StateId| machine.path_name(state);
    let padding = bars.iter().map(|it| name(it.state).chars().count() * LETTER + 2 * LETTER).max()?.max(MIN_PADDING);
    let mut lines = Lines::default();
    // Mermaid keeps a fixed space for names, and draws longer ones over the bars.
    lines.push(0, &["---"], None);
    lines.push(0, &["config:"], None);
    lines.push(1, &["gantt:"], None);
    lines.push(2, &[&format!("leftPadding: {padding}")], None);
    lines.push(0, &["---"], None);
    lines.push(0, &["gantt"], None);
    lines.push(1, &["dateFormat YYYY-MM-DD"], None);
    axis(longest).iter().for_each(|it| lines.push(1, &[it], None));
    lines.push(1, &["todayMarker off"], None);
    let mut section = None;
    for bar in bars {
        if section != Some(bar.state) {
            lines.push(1, &["section ", &label(&name(bar.state))], None);
            section = Some(bar.state);
        }
        lines.push(1, &[&label(&bar.text), &format!(" :2000-01-01, {}ms", bar.micros / 1_000)], bar.span);
    }
    lines.fits().then_some(lines)
}

fn bar(machine: &Machine, event: EventId, micros: i64, state: StateId) -> Bar {
    let rows: Vec<&Transition> = machine.transitions.iter().filter(|it| it.events().contains(&event)).collect();
    let mut ends: Vec<String> = Vec::new();
    for end in rows.iter().flat_map(|it| ends_of(machine, it)) {
        if !ends.contains(&end) {
            ends.push(end);
        }
    }
    let duration = show_literal(&Literal::Duration(micros), &MachineNames::new(machine), None);
    let text = format!("{duration}: {}", ends.join(" or "));
    Bar { state, micros, text, span: rows.first().filter(|_| rows.len() == 1).map(|it| it.span) }
}

/// The states that a row leads to, by their names.
fn ends_of(machine: &Machine, row: &Transition) -> Vec<String> {
    let name = |it: StateId| machine.path_name(it).into_owned();
    match &row.target {
        Target::To(states) => states.iter().map(|it| name(*it)).collect(),
        Target::Fork(branches) => vec![branches.iter().map(|it| name(it.state())).collect::<Vec<_>>().join(" and ")],
        Target::History(recall) => vec![name(recall.whole)],
        Target::Payload(_) => Vec::new(),
        Target::Stay => vec!["stays".to_owned()],
        Target::Refuse(_) => vec!["refused".to_owned()],
    }
}

/// The labels of the axis, from seconds to years.
fn axis(longest: i64) -> &'static [&'static str] {
    match longest / SECOND {
        0..10 => &["axisFormat %-S.%L s"],
        10..3_600 => &["axisFormat %M:%S"],
        _ if longest < DAY => &["axisFormat %H:%M"],
        _ if longest < 15 * DAY => &["axisFormat day %-j", "tickInterval 1day"],
        _ if longest < YEAR => &["axisFormat day %-j"],
        _ => &["axisFormat year %-y", "tickInterval 12month"],
    }
}
