//! Durations and timestamps in whole microseconds. Arithmetic saturates at the ends of the range.

mod convert;
mod ops;
mod parse;

use core::fmt;

pub use parse::TimeError;

/// The units of durations, with their microseconds.
const UNITS: [(i64, &str); 6] =
    [(86_400_000_000, "d"), (3_600_000_000, "h"), (60_000_000, "m"), (1_000_000, "s"), (1_000, "ms"), (1, "us")];

/// A span of time in microseconds; may be negative.
///
/// ```
/// use statespec::Duration;
///
/// let lease: Duration = "30s".parse()?;
/// assert_eq!((lease * 4).to_string(), "2m");
/// assert_eq!(Duration::from_micros(1_500_000).to_string(), "1500ms");
/// assert_eq!(Duration::from_days(2).to_string(), "2d");
/// assert_eq!([Duration::from_hours(1), Duration::from_minutes(1)], [Duration::from_minutes(60), Duration::from_seconds(60)]);
/// assert_eq!(Duration::MAX + lease, Duration::MAX);
/// assert_eq!(core::time::Duration::try_from(lease)?.as_secs(), 30);
/// # Ok::<(), statespec::TimeError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Duration(i64);

impl Duration {
    /// The empty span.
    pub const ZERO: Duration = Duration(0);
    /// The longest span.
    pub const MAX: Duration = Duration(i64::MAX);
    /// The longest negative span.
    pub const MIN: Duration = Duration(i64::MIN);

    /// A span of this many microseconds.
    pub const fn from_micros(micros: i64) -> Self {
        Duration(micros)
    }

    /// A span of this many milliseconds.
    pub const fn from_millis(millis: i64) -> Self {
        Duration(millis.saturating_mul(1_000))
    }

    /// A span of this many seconds.
    pub const fn from_seconds(seconds: i64) -> Self {
        Duration(seconds.saturating_mul(1_000_000))
    }

    /// A span of this many minutes.
    pub const fn from_minutes(minutes: i64) -> Self {
        Duration(minutes.saturating_mul(60_000_000))
    }

    /// A span of this many hours.
    pub const fn from_hours(hours: i64) -> Self {
        Duration(hours.saturating_mul(3_600_000_000))
    }

    /// A span of this many days of 24 hours.
    pub const fn from_days(days: i64) -> Self {
        Duration(days.saturating_mul(86_400_000_000))
    }

    /// The number of microseconds.
    pub const fn as_micros(self) -> i64 {
        self.0
    }

    /// The sum, which saturates.
    pub const fn saturating_add(self, other: Duration) -> Self {
        Duration(self.0.saturating_add(other.0))
    }

    /// The difference, which saturates.
    pub const fn saturating_sub(self, other: Duration) -> Self {
        Duration(self.0.saturating_sub(other.0))
    }

    /// The product, which saturates.
    pub const fn saturating_mul(self, times: i64) -> Self {
        Duration(self.0.saturating_mul(times))
    }
}

/// Formatted as in specs, in the greatest unit that divides the span: `2m`, `1500ms`; microseconds as `7us`.
impl fmt::Display for Duration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match UNITS.iter().find(|(unit, _)| self.0 % unit == 0) {
            Some((unit, name)) if self.0 != 0 => write!(f, "{}{name}", self.0 / unit),
            _ => f.write_str("0s"),
        }
    }
}

/// A point in time, in microseconds since 1970-01-01T00:00:00Z.
///
/// ```
/// use statespec::{Duration, Timestamp};
///
/// let moment = Timestamp::from_micros(1_000_000_000_250_000);
/// assert_eq!(moment.to_string(), "2001-09-09T01:46:40.250000Z");
/// assert_eq!((moment - Duration::from_millis(250)).to_string(), "2001-09-09T01:46:40Z");
/// assert_eq!("2001-09-09T03:46:40.25+02:00".parse(), Ok(moment));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Timestamp(i64);

impl Timestamp {
    /// 1970-01-01T00:00:00Z.
    pub const EPOCH: Timestamp = Timestamp(0);
    /// The latest timestamp.
    pub const MAX: Timestamp = Timestamp(i64::MAX);
    /// The earliest timestamp.
    pub const MIN: Timestamp = Timestamp(i64::MIN);

    /// The timestamp this many microseconds after 1970-01-01T00:00:00Z.
    pub const fn from_micros(micros: i64) -> Self {
        Timestamp(micros)
    }

    /// The number of microseconds since 1970-01-01T00:00:00Z.
    pub const fn as_micros(self) -> i64 {
        self.0
    }

    /// The timestamp that is later by `span`.
    pub const fn saturating_add(self, span: Duration) -> Self {
        Timestamp(self.0.saturating_add(span.0))
    }

    /// The timestamp that is earlier by `span`.
    pub const fn saturating_sub(self, span: Duration) -> Self {
        Timestamp(self.0.saturating_sub(span.0))
    }

    /// The span from `earlier` to this timestamp.
    pub const fn saturating_since(self, earlier: Timestamp) -> Duration {
        Duration(self.0.saturating_sub(earlier.0))
    }
}

/// Formatted according to RFC 3339, with microseconds unless they are zero.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (seconds, micros) = (self.0.div_euclid(1_000_000), self.0.rem_euclid(1_000_000));
        let (days, second_of_day) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
        let (year, month, day) = civil_from_days(days);
        let (hour, minute, second) = (second_of_day / 3_600, second_of_day / 60 % 60, second_of_day % 60);
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}")?;
        if micros != 0 {
            write!(f, ".{micros:06}")?;
        }
        f.write_str("Z")
    }
}

const DAYS_IN_400_YEARS: i64 = 146_097;
/// The days between 0000-03-01 and 1970-01-01.
const DAYS_TO_1970: i64 = 719_468;

/// The year, month and day of a day counted from 1970-01-01, in the Gregorian calendar.
///
/// Years are counted from March, so that the leap day is the last one of its year.
fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let days = days + DAYS_TO_1970;
    let (era, day_of_era) = (days.div_euclid(DAYS_IN_400_YEARS), days.rem_euclid(DAYS_IN_400_YEARS));
    let leap_days = day_of_era / 1_460 - day_of_era / 36_524 + day_of_era / 146_096;
    let year_of_era = (day_of_era - leap_days) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = era * 400 + year_of_era + i64::from(month <= 2);
    (year, month, day)
}

/// The day counted from 1970-01-01; the inverse of `civil_from_days` for dates that exist.
fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let (year, month_from_march) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let (era, year_of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let day_of_year = (153 * month_from_march + 2) / 5 + day - 1;
    era * DAYS_IN_400_YEARS + 365 * year_of_era + year_of_era / 4 - year_of_era / 100 + day_of_year - DAYS_TO_1970
}
