//! Values against their declared types, and values as text.

use crate::expr::show_duration;
use crate::model::machine::{Enum, Field};
use crate::model::{Machine, Type, Value};

/// Whether a value may stand in a field of this machine.
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

/// A value as messages show it: texts as they are, states and enum values by the name they are
/// stored under, moments by RFC 3339, references as numbers.
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
            value.map_or_else(String::new, |it| it.name.clone())
        }
    }
}

/// A moment by RFC 3339, with microseconds where there are any.
fn moment(micros: i64) -> String {
    let (seconds, micros) = (micros.div_euclid(1_000_000), micros.rem_euclid(1_000_000));
    let (mut day, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    // Whole cycles of 400 years first, then years and months one by one: slow, and easy to check.
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
    use super::moment;

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
        }
        // No panic at the ends.
        let _ = (moment(i64::MIN), moment(i64::MAX));
    }
}
