//! The façade's own values: moments, spans, the types that hold them, and what an unknown name shows.

use statespec::{Duration, Holds, OutOfRange, TimeError, Timestamp};
use statespec_machines::mysis;

#[test]
fn moments_are_written_and_read_by_rfc_3339() {
    for (micros, text) in [
        (0, "1970-01-01T00:00:00Z"),
        (-1, "1969-12-31T23:59:59.999999Z"),
        (951_782_400_000_000, "2000-02-29T00:00:00Z"),
        (951_868_800_000_000, "2000-03-01T00:00:00Z"),
        (4_107_542_399_000_000, "2100-02-28T23:59:59Z"),
        (4_107_542_400_000_000, "2100-03-01T00:00:00Z"),
    ] {
        assert_eq!(Timestamp::from_micros(micros).to_string(), text);
        assert_eq!(text.parse(), Ok(Timestamp::from_micros(micros)));
    }
    for moment in [Timestamp::MIN, Timestamp::MAX] {
        assert_eq!(moment.to_string().parse(), Ok(moment));
    }
}

#[test]
fn moments_are_read_with_offsets_and_fractions() {
    let moment = |text: &str| text.parse::<Timestamp>();
    let utc = moment("2024-02-29T23:30:00Z").unwrap();
    for same in ["2024-02-29t23:30:00z", "2024-03-01T01:00:00+01:30", "2024-02-29 22:30:00-01:00", "2024-02-29T23:30:00.0Z"] {
        assert_eq!(moment(same), Ok(utc), "{same}");
    }
    assert_eq!(moment("2024-02-29T23:30:00.1234567Z"), Ok(utc + Duration::from_micros(123_456)));
    assert_eq!(moment("2016-12-31T23:59:60Z"), moment("2017-01-01T00:00:00Z"));
    for wrong in [
        "",
        "2024-02-30T00:00:00Z",
        "2023-02-29T00:00:00Z",
        "2024-13-01T00:00:00Z",
        "2024-00-01T00:00:00Z",
        "2024-01-01T24:00:00Z",
        "2024-01-01T00:00:00.Z",
        "2024-01-01T00:00:00",
        "2024-01-01T00:00Z",
        "2024-01-01T00:00:00+0100",
        "2024-01-01T00:00:00+24:00",
        "24-01-01T00:00:00Z",
        "2024-1-01T00:00:00Z",
        "2024-01-01T00:00:00é",
        "٢٠٢٤-01-01T00:00:00Z",
    ] {
        assert_eq!(moment(wrong), Err(TimeError::NotATimestamp), "{wrong}");
    }
    assert_eq!(moment("999999-01-01T00:00:00Z"), Err(TimeError::OutOfRange));
}

#[test]
fn spans_are_written_and_read_as_in_specs() {
    for (micros, text) in [(0, "0s"), (7, "7us"), (-90_000_000, "-90s"), (86_400_000_000, "1d"), (5_400_000_000, "90m")] {
        assert_eq!(Duration::from_micros(micros).to_string(), text);
        assert_eq!(text.parse(), Ok(Duration::from_micros(micros)));
    }
    for span in [Duration::MIN, Duration::MAX] {
        assert_eq!(span.to_string().parse(), Ok(span));
    }
    for wrong in ["", "s", "30", "1.5s", "+3s", "- 3s", "3 s", "3w", "--3s"] {
        assert_eq!(wrong.parse::<Duration>(), Err(TimeError::NotADuration), "{wrong}");
    }
    for beyond in ["9223372036854775808us", "106751992d", "99999999999999999999999999999999999999999d"] {
        assert_eq!(beyond.parse::<Duration>(), Err(TimeError::OutOfRange), "{beyond}");
    }
}

#[test]
fn a_value_out_of_range_is_none() {
    assert_eq!(<u32 as Holds<i64>>::store(-1), None);
    assert_eq!(<u32 as Holds<i64>>::store(1 << 32), None);
    assert_eq!(<u32 as Holds<i64>>::store(7), Some(7));
    assert_eq!(Holds::<i64>::load(u64::MAX), None);
    assert_eq!(Holds::<i64>::load(u8::MAX), Some(255));
    assert_eq!(<core::time::Duration as Holds<Duration>>::store(Duration::from_micros(-1)), None);
    assert_eq!(Holds::<Duration>::load(core::time::Duration::MAX), None);
    assert_eq!(<Timestamp as Holds<Timestamp>>::store(Timestamp::MAX), Some(Timestamp::MAX));
    assert_eq!(OutOfRange::of("event.now").to_string(), "`event.now` is out of range");
}

#[test]
fn an_unknown_name_is_cut_at_a_character() {
    let message = |name: &str| name.parse::<mysis::State>().unwrap_err().to_string();
    assert!(message(&"é".repeat(30)).starts_with(&format!("`{}…` ", "é".repeat(23))), "{}", message(&"é".repeat(30)));
    assert!(message("short").starts_with("`short` "), "{}", message("short"));
}

/// The times of other crates. The tests of a workspace run with the features of all its packages.
#[cfg(all(feature = "std", feature = "chrono", feature = "jiff"))]
mod of_other_crates {
    use std::fmt::Debug;
    use std::time::SystemTime;

    use super::*;

    #[test]
    fn times_of_other_crates_hold_times() {
        fn survives<H: Holds<T>, T: PartialEq + Debug + Copy>(value: T) {
            assert_eq!(H::store(value).and_then(H::load), Some(value));
        }
        for micros in [0, 1, -1, 1_709_251_200_123_456] {
            let moment = Timestamp::from_micros(micros);
            survives::<SystemTime, _>(moment);
            survives::<chrono::DateTime<chrono::Utc>, _>(moment);
            survives::<jiff::Timestamp, _>(moment);
            let span = Duration::from_micros(micros);
            survives::<chrono::TimeDelta, _>(span);
            survives::<jiff::SignedDuration, _>(span);
        }
        assert!(<jiff::Timestamp as Holds<Timestamp>>::store(Timestamp::MAX).is_none());
        assert!(<chrono::DateTime<chrono::Utc> as Holds<Timestamp>>::store(Timestamp::MAX).is_none());
    }

    /// Converts there and back.
    fn survives<T: TryInto<U> + Copy + Debug + PartialEq, U: TryInto<T>>(value: T) {
        let Ok(other) = value.try_into() else { panic!("{value:?}") };
        assert!(other.try_into().is_ok_and(|it| it == value), "{value:?}");
    }

    #[test]
    fn times_survive_conversion() {
        for micros in [0, 1, -1, 1_709_251_200_123_456, -62_135_596_800_000_000] {
            let moment = Timestamp::from_micros(micros);
            survives::<_, SystemTime>(moment);
            survives::<_, chrono::DateTime<chrono::Utc>>(moment);
            survives::<_, jiff::Timestamp>(moment);
            let span = Duration::from_micros(micros);
            survives::<_, chrono::TimeDelta>(span);
            survives::<_, jiff::SignedDuration>(span);
            if micros >= 0 {
                survives::<_, core::time::Duration>(span);
            }
        }
        // Nanoseconds are dropped towards the past, before 1970 as well as after.
        let before = SystemTime::UNIX_EPOCH - core::time::Duration::from_nanos(1);
        assert_eq!(Timestamp::try_from(before), Ok(Timestamp::from_micros(-1)));
        assert_eq!(Timestamp::from(jiff::Timestamp::new(-1, 999).unwrap()), Timestamp::from_micros(-1_000_000));
    }

    #[test]
    fn what_does_not_fit_is_an_error() {
        assert_eq!(Duration::try_from(core::time::Duration::MAX), Err(TimeError::OutOfRange));
        assert_eq!(core::time::Duration::try_from(Duration::from_micros(-1)), Err(TimeError::OutOfRange));
        assert_eq!(chrono::DateTime::<chrono::Utc>::try_from(Timestamp::MAX), Err(TimeError::OutOfRange));
        assert_eq!(jiff::Timestamp::try_from(Timestamp::MIN), Err(TimeError::OutOfRange));
        assert_eq!(Duration::try_from(jiff::SignedDuration::MAX), Err(TimeError::OutOfRange));
    }
}
