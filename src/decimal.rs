//! Exact decimals.

/// An exact decimal of up to 28 digits: `0.70 - 0.05` is `0.65`.
pub use rust_decimal::Decimal;

/// The decimal `mantissa / 10^scale`; usable in constants.
///
/// ```
/// const HIGH_AT: statespec::Decimal = statespec::decimal(70, 2);
/// const BUFFER: statespec::Decimal = statespec::decimal(5, 2);
/// assert_eq!((HIGH_AT - BUFFER).to_string(), "0.65");
/// ```
pub const fn decimal(mantissa: i128, scale: u32) -> Decimal {
    let digits = mantissa.unsigned_abs();
    Decimal::from_parts(digits as u32, (digits >> 32) as u32, (digits >> 64) as u32, mantissa < 0, scale)
}

impl crate::number::Divide for Decimal {
    fn quotient(self, by: Decimal) -> Decimal {
        if by.is_zero() {
            return Decimal::ZERO;
        }
        let limit = if self.is_sign_negative() == by.is_sign_negative() { Decimal::MAX } else { Decimal::MIN };
        self.checked_div(by).unwrap_or(limit)
    }

    fn remainder(self, by: Decimal) -> Decimal {
        if by.is_zero() {
            return Decimal::ZERO;
        }
        let (digits, by_digits) = (self.mantissa().unsigned_abs(), by.mantissa().unsigned_abs());
        let (rest, scale) = if self.scale() < by.scale() {
            // Digit by digit, so that no number needs more than 128 bits.
            let rest = (self.scale()..by.scale()).fold(digits % by_digits, |rest, _| rest * 10 % by_digits);
            (rest, by.scale())
        } else {
            // A divisor of more than 128 bits is larger than this number.
            let scaled = 10_u128.checked_pow(self.scale() - by.scale()).and_then(|it| by_digits.checked_mul(it));
            (scaled.map_or(digits, |by| digits % by), self.scale())
        };
        let rest = if self.is_sign_negative() { -(rest as i128) } else { rest as i128 };
        decimal(rest, scale)
    }
}
