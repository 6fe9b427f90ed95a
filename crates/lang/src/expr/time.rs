//! Durations and timestamps as text.

/// The way to write a timestamp, for messages.
pub const TIMESTAMPS: &str = "timestamps are in UTC, with up to six digits behind the seconds: `2026-01-31T12:00:00Z`";

/// Microseconds of `250ms`, `30s`, `5m`, `1h`, `2d` or `-1us`: every text that [`show_duration`] returns.
pub fn parse_duration(text: &str) -> Option<i64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let unit_start = text.len() - digits.trim_start_matches(|it: char| it.is_ascii_digit()).len();
    let amount: i64 = text[..unit_start].parse().ok()?;
    let unit = match &text[unit_start..] {
        "us" => 1,
        "ms" => 1_000,
        "s" => 1_000_000,
        "m" => 60_000_000,
        "h" => 3_600_000_000,
        "d" => 86_400_000_000,
        _ => return None,
    };
    amount.checked_mul(unit)
}

/// Microseconds in the largest unit that divides them: `90s`.
pub fn show_duration(micros: i64) -> String {
    let units = [(86_400_000_000, "d"), (3_600_000_000, "h"), (60_000_000, "m"), (1_000_000, "s"), (1_000, "ms")];
    match units.iter().find(|(size, _)| micros != 0 && micros % size == 0) {
        Some((size, unit)) => format!("{}{unit}", micros / size),
        None if micros == 0 => "0s".into(),
        None => format!("{micros}us"),
    }
}

/// The microseconds of `2026-01-31T12:00:00Z`, with up to six digits behind the seconds.
pub fn parse_timestamp(text: &str) -> Option<i64> {
    let (date, time) = text.strip_suffix('Z')?.split_once('T')?;
    let numbers = |text: &str, sign: char| text.split(sign).map(|it| it.parse::<u32>().ok()).collect::<Option<Vec<_>>>();
    let (clock, fraction) = time.split_once('.').unwrap_or((time, "0"));
    let ([year, month, day], [hour, minute, second]) =
        (<[u32; 3]>::try_from(numbers(date, '-')?).ok()?, <[u32; 3]>::try_from(numbers(clock, ':')?).ok()?);
    let is_clock = clock.len() == 8 && clock.bytes().all(|it| it.is_ascii_digit() || it == b':');
    let is_fraction = (1..=6).contains(&fraction.len()) && fraction.bytes().all(|it| it.is_ascii_digit());
    if year > 9999 || !(1..=12).contains(&month) || hour > 23 || minute > 59 || second > 59 || !is_clock || !is_fraction {
        return None;
    }
    // Days since 1 March of year 0, so that a leap day ends its year.
    let (years, months) = if month > 2 { (i64::from(year), month - 3) } else { (i64::from(year) - 1, month + 9) };
    let days =
        365 * years + years.div_euclid(4) - years.div_euclid(100) + years.div_euclid(400) + i64::from((153 * months + 2) / 5 + day) - 1;
    let seconds = (days - 719_468) * 86_400 + i64::from(hour * 3_600 + minute * 60 + second);
    let micros = seconds * 1_000_000 + format!("{fraction:0<6}").parse::<i64>().ok()?;
    // Formatting uses the same calendar, so a date such as 30 February does not survive the round trip.
    let written = show_timestamp(micros);
    (written.get(..10) == Some(date)).then_some(micros)
}

/// A timestamp in RFC 3339, with microseconds if there are any.
pub fn show_timestamp(micros: i64) -> String {
    let (seconds, micros) = (micros.div_euclid(1_000_000), micros.rem_euclid(1_000_000));
    let (mut day, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    // Whole cycles of 400 years first, then years and months one by one: slow, but easy to verify.
    const DAYS_IN_400_YEARS: i64 = 146_097;
    let mut year = 1970 + 400 * day.div_euclid(DAYS_IN_400_YEARS);
    day = day.rem_euclid(DAYS_IN_400_YEARS);
    let leaps = |year: i64| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    while day >= 365 + i64::from(leaps(year)) {
        day -= 365 + i64::from(leaps(year));
        year += 1;
    }
    let february = 28 + i64::from(leaps(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if day < length {
            break;
        }
        day -= length;
        month += 1;
    }
    let fraction = if micros == 0 { String::new() } else { format!(".{micros:06}") };
    let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{:02}T{hour:02}:{minute:02}:{second:02}{fraction}Z", day + 1)
}
