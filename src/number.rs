//! Operations of the expression language that Rust has in another form.

/// Numbers that a spec divides.
///
/// Emitted code refuses a division by zero before it computes; here such a division results in zero, so that nothing can
/// panic.
pub trait Divide {
    /// The quotient: of whole numbers it is rounded towards zero, of decimals to the nearest one. It saturates.
    #[must_use]
    fn quotient(self, by: Self) -> Self;

    /// The remainder, with the sign of this number.
    #[must_use]
    fn remainder(self, by: Self) -> Self;
}

impl Divide for i64 {
    #[inline]
    fn quotient(self, by: i64) -> i64 {
        if by == 0 { 0 } else { self.saturating_div(by) }
    }

    #[inline]
    fn remainder(self, by: i64) -> i64 {
        if by == 0 { 0 } else { self.wrapping_rem(by) }
    }
}

/// `a / b`
#[inline]
pub fn quotient<N: Divide>(a: N, b: N) -> N {
    a.quotient(b)
}

/// `a % b`
#[inline]
pub fn remainder<N: Divide>(a: N, b: N) -> N {
    a.remainder(b)
}

/// `len(text)`: the number of Unicode scalar values.
#[inline]
pub fn len(text: &str) -> i64 {
    i64::try_from(text.chars().count()).unwrap_or(i64::MAX)
}
