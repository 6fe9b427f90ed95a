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
