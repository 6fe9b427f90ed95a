//! The operators of specs. They saturate at the ends of the range, as they do there.

use core::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

use super::{Duration, Timestamp};

impl Add for Duration {
    type Output = Duration;

    fn add(self, other: Duration) -> Duration {
        self.saturating_add(other)
    }
}

impl Sub for Duration {
    type Output = Duration;

    fn sub(self, other: Duration) -> Duration {
        self.saturating_sub(other)
    }
}

impl Mul<i64> for Duration {
    type Output = Duration;

    fn mul(self, times: i64) -> Duration {
        self.saturating_mul(times)
    }
}

impl Neg for Duration {
    type Output = Duration;

    fn neg(self) -> Duration {
        Duration::ZERO.saturating_sub(self)
    }
}

impl Add<Duration> for Timestamp {
    type Output = Timestamp;

    fn add(self, span: Duration) -> Timestamp {
        self.saturating_add(span)
    }
}

impl Sub<Duration> for Timestamp {
    type Output = Timestamp;

    fn sub(self, span: Duration) -> Timestamp {
        self.saturating_sub(span)
    }
}

/// The span since an earlier timestamp.
impl Sub for Timestamp {
    type Output = Duration;

    fn sub(self, earlier: Timestamp) -> Duration {
        self.saturating_since(earlier)
    }
}

impl AddAssign<Duration> for Timestamp {
    fn add_assign(&mut self, span: Duration) {
        *self = *self + span;
    }
}

impl SubAssign<Duration> for Timestamp {
    fn sub_assign(&mut self, span: Duration) {
        *self = *self - span;
    }
}
