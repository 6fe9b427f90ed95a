//! Durations and timestamps from text.

use core::fmt;
use core::ops::RangeInclusive;
use core::str::FromStr;

use super::{Duration, Timestamp, UNITS, civil_from_days, days_from_civil};

/// The reason why a text, or a value of another type, is no [`Timestamp`] or [`Duration`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum TimeError {
    /// The text is not a timestamp of RFC 3339.
    NotATimestamp,
    /// The text is not a whole number with a unit.
    NotADuration,
    /// The time lies outside of the range of the type.
    OutOfRange,
}

impl fmt::Display for TimeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TimeError::NotATimestamp => "expected a timestamp of RFC 3339, such as `2001-09-09T01:46:40Z`",
            TimeError::NotADuration => "expected a whole number and a unit (d, h, m, s, ms or us), such as `90s`",
            TimeError::OutOfRange => "the time is out of range",
        })
    }
}

impl core::error::Error for TimeError {}

/// Reads a timestamp of [RFC 3339](https://www.rfc-editor.org/rfc/rfc3339#section-5.6), and everything that `Display` writes.
///
/// Digits after the microseconds are dropped. A leap second counts as the second after it.
impl FromStr for Timestamp {
    type Err = TimeError;

    fn from_str(text: &str) -> Result<Self, TimeError> {
        let micros = timestamp(text).ok_or(TimeError::NotATimestamp)?;
        i64::try_from(micros).map(Timestamp).map_err(|_| TimeError::OutOfRange)
    }
}

fn timestamp(text: &str) -> Option<i128> {
    let (date, time) = text.split_once(['T', 't', ' '])?;
    let (sign, date) = match date.strip_prefix('-') {
        Some(date) => (-1, date),
        None => (1, date),
    };
    // Years of more than four digits are beyond the RFC, but `Display` writes them.
    let [year, month, day] = numbers(date, '-', [4..=6, 2..=2, 2..=2])?;
    let year = sign * year;
    let days = days_from_civil(year, month, day);
    // A date that does not exist is another date.
    if civil_from_days(days) != (year, month, day) {
        return None;
    }
    let (time, offset) = match time.strip_suffix(['Z', 'z']) {
        Some(time) => (time, 0),
        None => {
            let (time, offset) = time.split_at(time.rfind(['+', '-'])?);
            let [hours, minutes] = numbers(&offset[1..], ':', [2..=2, 2..=2])?;
            let minutes = (hours < 24 && minutes < 60).then_some(hours * 60 + minutes)?;
            (time, if offset.starts_with('-') { -minutes } else { minutes })
        }
    };
    let (time, micros) = match time.split_once('.') {
        Some((time, fraction)) => (time, fraction_micros(fraction)?),
        None => (time, 0),
    };
    let [hour, minute, second] = numbers(time, ':', [2..=2, 2..=2, 2..=2])?;
    if hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let seconds = ((days * 24 + hour) * 60 + minute - offset) * 60 + second;
    Some(i128::from(seconds) * 1_000_000 + i128::from(micros))
}

/// Numbers with these counts of digits, between separators.
fn numbers<const N: usize>(text: &str, separator: char, n_digits: [RangeInclusive<usize>; N]) -> Option<[i64; N]> {
    let mut parts = text.split(separator);
    let mut numbers = [0; N];
    for (number, n_digits) in numbers.iter_mut().zip(n_digits) {
        let digits = parts.next().filter(|it| n_digits.contains(&it.len()) && is_digits(it))?;
        *number = digits.parse().ok()?;
    }
    parts.next().is_none().then_some(numbers)
}

/// The microseconds of the digits after the point.
fn fraction_micros(digits: &str) -> Option<i64> {
    if digits.is_empty() || !is_digits(digits) {
        return None;
    }
    let first_six = digits.bytes().chain(core::iter::repeat(b'0')).take(6);
    Some(first_six.fold(0, |sum, digit| sum * 10 + i64::from(digit - b'0')))
}

fn is_digits(text: &str) -> bool {
    text.bytes().all(|it| it.is_ascii_digit())
}

/// Reads a whole number with a unit, as specs and `Display` write it: `90s`, `-2h`.
impl FromStr for Duration {
    type Err = TimeError;

    fn from_str(text: &str) -> Result<Self, TimeError> {
        let start = usize::from(text.starts_with('-'));
        let end = text[start..].find(|it: char| !it.is_ascii_digit()).map_or(text.len(), |at| start + at);
        let unit = UNITS.iter().find(|(_, name)| *name == &text[end..]).filter(|_| end > start);
        let (unit, _) = unit.ok_or(TimeError::NotADuration)?;
        // The sign belongs to the number: the least number has no positive counterpart.
        let number: i64 = text[..end].parse().map_err(|_| TimeError::OutOfRange)?;
        number.checked_mul(*unit).map(Duration).ok_or(TimeError::OutOfRange)
    }
}
