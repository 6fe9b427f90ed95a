//! Checks values against their declared types, and converts values to and from text.

use crate::diagnostic::suggest;
use crate::expr::{number, parse_duration, show_duration};
use crate::model::machine::{Enum, Field};
use crate::model::{Literal, Machine, StateId, Type, Value};

/// Whether a value is valid for a field of this machine.
pub fn fits(machine: &Machine, field: &Field, value: &Value) -> bool {
    match (&field.ty, value) {
        (_, Value::Null) => field.optional,
        (Type::Bool, Value::Bool(_))
        | (Type::Int, Value::Int(_))
        | (Type::Decimal, Value::Decimal(_))
        | (Type::Text, Value::Text(_))
        | (Type::Duration, Value::Duration(_))
        | (Type::Timestamp, Value::Timestamp(_))
        | (Type::Reference, Value::Reference(_)) => true,
        (Type::State, Value::State(state)) => state.index() < machine.states.len() && machine.is_leaf(*state),
        (Type::Enum(ty), Value::Enum(id, idx)) => ty == id && has_value(&machine.enums, id.index(), *idx),
        _ => false,
    }
}

fn has_value(enums: &[Enum], id: usize, idx: usize) -> bool {
    enums.get(id).is_some_and(|it| idx < it.values.len())
}

/// A value as messages show it: texts as they are, states and enum values by their stored
/// name, timestamps in RFC 3339, references as numbers.
pub fn show(machine: &Machine, value: &Value) -> String {
    match value {
        Value::Null => "null".into(),
        Value::Bool(it) => it.to_string(),
        Value::Int(it) => it.to_string(),
        Value::Decimal(it) => it.to_string(),
        Value::Text(it) => it.clone(),
        Value::Duration(it) => show_duration(*it),
        Value::Timestamp(it) => moment(*it),
        Value::Reference(it) => it.to_string(),
        Value::State(id) => machine.states.get(id.index()).map_or_else(String::new, |it| it.wire.clone()),
        Value::Enum(id, idx) => {
            let value = machine.enums.get(id.index()).and_then(|it| it.values.get(*idx));
            value.map_or_else(String::new, |it| it.wire.clone())
        }
    }
}

/// Parses a value that a person typed for a field; states are those of `machine`. The error states what was expected.
pub fn read(machine: &Machine, enums: &[Enum], field: &Field, text: &str) -> Result<Value, String> {
    if field.optional && text == "null" {
        return Ok(Value::Null);
    }
    let unknown = |what: &str, names: Vec<&str>| {
        let help = suggest(text, names.iter().copied()).map_or_else(String::new, |it| format!("; {it}"));
        format!("`{}` takes {what}, not `{text}`{help}", field.name)
    };
    let wrong = || unknown(&kind(enums, &field.ty), Vec::new());
    let value = match &field.ty {
        Type::Bool => text.parse().ok().map(Value::Bool),
        Type::Int => text.parse().ok().map(Value::Int),
        Type::Decimal => match number(text) {
            Some(Literal::Int(it)) => Some(Value::Decimal(it.into())),
            Some(Literal::Decimal(it)) => Some(Value::Decimal(it)),
            _ => None,
        },
        Type::Text => Some(Value::Text(text.to_owned())),
        Type::Duration => parse_duration(text).map(Value::Duration),
        Type::Timestamp => read_moment(text).map(Value::Timestamp),
        Type::Reference => text.parse().ok().map(Value::Reference),
        Type::State => {
            let names: Vec<&str> = machine.leaves().map(|it| machine.state(it).name.as_str()).collect();
            let stored = || machine.leaves().find(|it| machine.state(*it).wire == text);
            let state: Option<StateId> = machine.state_named(text).filter(|it| machine.is_leaf(*it)).or_else(stored);
            return state.map(Value::State).ok_or_else(|| unknown("a state", names));
        }
        Type::Enum(id) => {
            let values = enums.get(id.index()).map_or(&[][..], |it| &it.values);
            let idx = values.iter().position(|it| it.name == text).or_else(|| values.iter().position(|it| it.wire == text));
            let names = values.iter().map(|it| it.name.as_str()).collect();
            return idx.map(|idx| Value::Enum(*id, idx)).ok_or_else(|| unknown(&kind(enums, &field.ty), names));
        }
        // Neither is ever the type of a field.
        Type::Event | Type::List(_) => None,
    };
    value.ok_or_else(wrong)
}

/// A description of the values of this type.
pub fn kind(enums: &[Enum], ty: &Type) -> String {
    match ty {
        Type::Bool => "true or false".into(),
        Type::Int => "a whole number".into(),
        Type::Decimal => "a number".into(),
        Type::Text => "a text".into(),
        Type::Duration => "a duration such as 30s".into(),
        Type::Timestamp => "a point in time such as 2026-01-31T12:00:00Z".into(),
        Type::Reference => "the number of an instance".into(),
        Type::State => "a state".into(),
        Type::Enum(id) => format!("a value of `{}`", enums.get(id.index()).map_or("", |it| it.name.as_str())),
        Type::Event | Type::List(_) => "nothing".into(),
    }
}

/// The microseconds of `2026-01-31T12:00:00Z`, with up to six digits behind the seconds.
pub(crate) fn read_moment(text: &str) -> Option<i64> {
    let (date, time) = text.strip_suffix('Z')?.split_once('T')?;
    let numbers = |text: &str, sign: char| text.split(sign).map(|it| it.parse::<u32>().ok()).collect::<Option<Vec<_>>>();
    let (clock, fraction) = time.split_once('.').unwrap_or((time, "0"));
    let ([year, month, day], [hour, minute, second]) =
        (<[u32; 3]>::try_from(numbers(date, '-')?).ok()?, <[u32; 3]>::try_from(numbers(clock, ':')?).ok()?);
    let is_fraction = (1..=6).contains(&fraction.len()) && fraction.bytes().all(|it| it.is_ascii_digit());
    if year > 9999 || !(1..=12).contains(&month) || hour > 23 || minute > 59 || second > 59 || !is_fraction {
        return None;
    }
    // Days since 1 March of year 0, so that a leap day ends its year.
    let (years, months) = if month > 2 { (i64::from(year), month - 3) } else { (i64::from(year) - 1, month + 9) };
    let days =
        365 * years + years.div_euclid(4) - years.div_euclid(100) + years.div_euclid(400) + i64::from((153 * months + 2) / 5 + day) - 1;
    let seconds = (days - 719_468) * 86_400 + i64::from(hour * 3_600 + minute * 60 + second);
    let micros = seconds * 1_000_000 + format!("{fraction:0<6}").parse::<i64>().ok()?;
    // Formatting uses the same calendar, so a date such as 30 February does not survive the round trip.
    let written = moment(micros);
    (written.get(..10) == Some(date)).then_some(micros)
}

/// A timestamp in RFC 3339, with microseconds if there are any.
pub(crate) fn moment(micros: i64) -> String {
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

#[cfg(test)]
mod tests {
    use super::{moment, read_moment};

    #[test]
    fn moments_are_written_by_rfc_3339() {
        for (micros, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (-1, "1969-12-31T23:59:59.999999Z"),
            (951_782_400_000_000, "2000-02-29T00:00:00Z"),
            (951_868_800_000_000, "2000-03-01T00:00:00Z"),
            (4_107_542_399_000_000, "2100-02-28T23:59:59Z"),
            (4_107_542_400_000_000, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(moment(micros), text);
            assert_eq!(read_moment(text), Some(micros));
        }
        for text in [
            "",
            "2026-02-30T00:00:00Z",
            "2026-13-01T00:00:00Z",
            "2026-01-01T24:00:00Z",
            "2026-01-01T00:00:00.Z",
            "2026-01-01",
            "2026-01-00T00:00:00Z",
        ] {
            assert_eq!(read_moment(text), None, "{text}");
        }
        // No panic at the limits.
        let _ = (moment(i64::MIN), moment(i64::MAX));
    }
}
