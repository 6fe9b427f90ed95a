//! Times as logs have them, in microseconds since 1970.

/// The microseconds of a day.
const DAY: i64 = 86_400_000_000;

/// Reads `2026-07-01T12:00:00.000001Z`: a blank in place of `T`, an offset in place of `Z`, and up to nine digits behind the
/// seconds, of which six count. A time without an offset is in UTC.
pub(crate) fn parse(text: &str) -> Option<i64> {
    let bytes = text.as_bytes();
    let number = |range: std::ops::Range<usize>| -> Option<i64> {
        let mut value = 0;
        for byte in bytes.get(range)? {
            value = value * 10 + i64::from(byte.is_ascii_digit().then(|| byte - b'0')?);
        }
        Some(value)
    };
    let is = |at: usize, signs: &[u8]| bytes.get(at).is_some_and(|it| signs.contains(it));
    if !(is(4, b"-") && is(7, b"-") && is(10, b"Tt ") && is(13, b":") && is(16, b":")) {
        return None;
    }
    let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
    let (hour, minute, second) = (number(11..13)?, number(14..16)?, number(17..19)?);
    if hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let (mut at, mut micros) = (19, 0);
    if is(at, b".,") {
        let n_digits = bytes[20..].iter().take_while(|it| it.is_ascii_digit()).count();
        if !(1..=9).contains(&n_digits) {
            return None;
        }
        for idx in 0..6 {
            let digit = if idx < n_digits { number(20 + idx..21 + idx)? } else { 0 };
            micros = micros * 10 + digit;
        }
        at = 20 + n_digits;
    }
    let offset = match &bytes[at..] {
        b"" | b"Z" | b"z" | b" UTC" => 0,
        [sign @ (b'+' | b'-'), rest @ ..] => {
            let hours = number(at + 1..at + 3)?;
            let minutes = match rest.len() {
                2 => 0,
                4 => number(at + 3..at + 5)?,
                5 if is(at + 3, b":") => number(at + 4..at + 6)?,
                _ => return None,
            };
            if hours > 23 || minutes > 59 {
                return None;
            }
            let minutes = hours * 60 + minutes;
            if *sign == b'+' { minutes } else { -minutes }
        }
        _ => return None,
    };
    let seconds = hour * 3_600 + minute * 60 + second;
    Some(days(year, month, day)? * DAY + (seconds - offset * 60) * 1_000_000 + micros)
}

/// The days from 1970 to a date; `None` if there is no such date.
fn days(year: i64, month: i64, day: i64) -> Option<i64> {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let length = match month {
        2 => 28 + i64::from(leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    if !(1..=length).contains(&day) {
        return None;
    }
    // Days since 1 March of year 0, so that a leap day ends its year.
    let (years, months) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leaps = years.div_euclid(4) - years.div_euclid(100) + years.div_euclid(400);
    Some(365 * years + leaps + (153 * months + 2) / 5 + day - 1 - 719_468)
}
