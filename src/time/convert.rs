//! Conversions from and to the times of other libraries. What is finer than a microsecond is dropped, towards the past.

use super::{Duration, TimeError};

impl TryFrom<core::time::Duration> for Duration {
    type Error = TimeError;

    fn try_from(span: core::time::Duration) -> Result<Self, TimeError> {
        i64::try_from(span.as_micros()).map(Duration::from_micros).map_err(|_| TimeError::OutOfRange)
    }
}

/// Fails for a negative span.
impl TryFrom<Duration> for core::time::Duration {
    type Error = TimeError;

    fn try_from(span: Duration) -> Result<Self, TimeError> {
        u64::try_from(span.as_micros()).map(core::time::Duration::from_micros).map_err(|_| TimeError::OutOfRange)
    }
}

#[cfg(feature = "std")]
mod system {
    use std::time::{SystemTime, UNIX_EPOCH};

    use crate::{TimeError, Timestamp};

    impl Timestamp {
        /// The time of the system's clock. Available with the feature `std`.
        ///
        /// # Panics
        ///
        /// If the clock is more than 292,000 years away from 1970.
        pub fn now() -> Self {
            Timestamp::try_from(SystemTime::now()).expect("the clock of the system is within 292,000 years of 1970")
        }
    }

    impl TryFrom<SystemTime> for Timestamp {
        type Error = TimeError;

        fn try_from(time: SystemTime) -> Result<Self, TimeError> {
            let nanos = |span: std::time::Duration| i128::try_from(span.as_nanos()).map_err(|_| TimeError::OutOfRange);
            let nanos = match time.duration_since(UNIX_EPOCH) {
                Ok(after) => nanos(after)?,
                Err(before) => -nanos(before.duration())?,
            };
            i64::try_from(nanos.div_euclid(1_000)).map(Timestamp::from_micros).map_err(|_| TimeError::OutOfRange)
        }
    }

    /// Fails for a time that the system cannot represent.
    impl TryFrom<Timestamp> for SystemTime {
        type Error = TimeError;

        fn try_from(time: Timestamp) -> Result<Self, TimeError> {
            let span = std::time::Duration::from_micros(time.as_micros().unsigned_abs());
            let system = if time.as_micros() < 0 { UNIX_EPOCH.checked_sub(span) } else { UNIX_EPOCH.checked_add(span) };
            system.ok_or(TimeError::OutOfRange)
        }
    }
}

#[cfg(feature = "chrono")]
mod with_chrono {
    use chrono::{DateTime, TimeDelta, TimeZone, Utc};

    use crate::{Duration, TimeError, Timestamp};

    /// Every time of chrono is in range.
    impl<Z: TimeZone> From<DateTime<Z>> for Timestamp {
        fn from(time: DateTime<Z>) -> Self {
            Timestamp::from_micros(time.timestamp_micros())
        }
    }

    /// Fails for a time beyond the years of chrono.
    impl TryFrom<Timestamp> for DateTime<Utc> {
        type Error = TimeError;

        fn try_from(time: Timestamp) -> Result<Self, TimeError> {
            DateTime::from_timestamp_micros(time.as_micros()).ok_or(TimeError::OutOfRange)
        }
    }

    impl TryFrom<TimeDelta> for Duration {
        type Error = TimeError;

        fn try_from(span: TimeDelta) -> Result<Self, TimeError> {
            span.num_microseconds().map(Duration::from_micros).ok_or(TimeError::OutOfRange)
        }
    }

    impl From<Duration> for TimeDelta {
        fn from(span: Duration) -> Self {
            TimeDelta::microseconds(span.as_micros())
        }
    }
}

#[cfg(feature = "jiff")]
mod with_jiff {
    use crate::{Duration, TimeError, Timestamp};

    /// Every timestamp of jiff is in range.
    impl From<jiff::Timestamp> for Timestamp {
        fn from(time: jiff::Timestamp) -> Self {
            let micros = time.as_nanosecond().div_euclid(1_000);
            Timestamp::from_micros(i64::try_from(micros).expect("the years of jiff end with 9999"))
        }
    }

    /// Fails for a time beyond the years of jiff.
    impl TryFrom<Timestamp> for jiff::Timestamp {
        type Error = TimeError;

        fn try_from(time: Timestamp) -> Result<Self, TimeError> {
            jiff::Timestamp::from_microsecond(time.as_micros()).map_err(|_| TimeError::OutOfRange)
        }
    }

    impl TryFrom<jiff::SignedDuration> for Duration {
        type Error = TimeError;

        fn try_from(span: jiff::SignedDuration) -> Result<Self, TimeError> {
            i64::try_from(span.as_nanos().div_euclid(1_000)).map(Duration::from_micros).map_err(|_| TimeError::OutOfRange)
        }
    }

    impl From<Duration> for jiff::SignedDuration {
        fn from(span: Duration) -> Self {
            jiff::SignedDuration::from_micros(span.as_micros())
        }
    }
}
