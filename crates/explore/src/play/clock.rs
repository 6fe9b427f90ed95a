//! The clock of a session: moments relative to it are the same in every run.

use statespec_lang::expr::parse_duration;
use statespec_lang::expr::{parse_timestamp, show_duration, show_timestamp};
use statespec_lang::interpret::value::read;
use statespec_lang::model::machine::{Enum, Field};
use statespec_lang::model::{Machine, Type, Value};

/// 2026-01-01T00:00:00Z, where the clock of every session starts.
const START: i64 = 1_767_225_600_000_000;

/// The moment that a line calls `now`. It is not the time of the system, and only the command `now` moves it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Clock(i64);

impl Default for Clock {
    fn default() -> Self {
        Clock(START)
    }
}

impl Clock {
    /// The moment in RFC 3339.
    pub(super) fn show(self) -> String {
        show_timestamp(self.0)
    }

    /// The clock at a moment in microseconds.
    pub(super) fn at(micros: i64) -> Clock {
        Clock(micros)
    }

    /// The moment in microseconds.
    pub(super) fn micros(self) -> i64 {
        self.0
    }

    /// The clock after a duration that a person typed.
    pub(super) fn after(self, text: &str) -> Result<Clock, String> {
        let span = parse_duration(text).filter(|it| *it >= 0);
        let span = span.ok_or_else(|| format!("`wait` takes a duration, not `{text}`: write 30s or 1h"))?;
        self.0.checked_add(span).map(Clock).ok_or_else(|| format!("`{text}` is beyond the moments that there are"))
    }

    /// `2026-01-01T00:30:00Z, in 30m`
    pub(super) fn due(self, moment: i64) -> String {
        let span = if moment > self.0 { format!("in {}", show_duration(moment.saturating_sub(self.0))) } else { "now".into() };
        format!("{}, {span}", show_timestamp(moment))
    }

    /// The line that waits until a moment: `wait 30m`.
    pub(super) fn wait(self, moment: i64) -> String {
        format!("wait {}", show_duration(moment.saturating_sub(self.0).max(0)))
    }

    /// The clock at a moment that a person typed.
    pub(super) fn moved(self, text: &str) -> Result<Clock, String> {
        let wrong = || format!("`now` takes a moment, not `{text}`: {EXAMPLES}");
        self.moment(text).transpose()?.or_else(|| parse_timestamp(text)).map(Clock).ok_or_else(wrong)
    }

    /// Reads a value as [`read`] does, and also `now`, `+1h` and `-5m` for a moment.
    pub(super) fn read(self, machine: &Machine, enums: &[Enum], field: &Field, text: &str) -> Result<Value, String> {
        if field.ty != Type::Timestamp {
            return read(machine, enums, field, text);
        }
        match self.moment(text) {
            Some(moment) => moment.map(Value::Timestamp),
            None => read(machine, enums, field, text).map_err(|_| format!("`{}` takes a moment, not `{text}`: {EXAMPLES}", field.name)),
        }
    }

    /// The moment of `now`, `+1h`, `-5m` or `now+1h`; `None` for other texts.
    fn moment(self, text: &str) -> Option<Result<i64, String>> {
        let offset = text.strip_prefix("now").unwrap_or(text);
        if offset.is_empty() {
            return (text == "now").then_some(Ok(self.0));
        }
        // The sign is that of the duration, which needs none if it is added.
        let duration = offset.strip_prefix('+').filter(|it| !it.starts_with('-')).or_else(|| offset.starts_with('-').then_some(offset))?;
        let micros = parse_duration(duration)?;
        Some(self.0.checked_add(micros).ok_or_else(|| format!("`{text}` is beyond the moments that there are")))
    }
}

/// The ways to write a moment.
pub(super) const EXAMPLES: &str = "write now, +1h, -5m or 2026-01-31T12:00:00Z";
