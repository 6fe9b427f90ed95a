//! What the dialects differ in, as far as conditions are concerned.

use statespec_lang::expr::Compare;
use statespec_lang::types::Type;

use super::mapping::Column;

/// How a dialect writes the parts of a condition. Numbers and times are compared as numbers; a time is in microseconds.
pub(crate) trait Dialect {
    /// The value of a column of a record, `OLD` before the write; or why there is no such value.
    fn column(&self, record: &str, column: &Column, ty: &Type) -> Result<String, String>;

    /// A number of this type.
    fn number(&self, digits: &str) -> String;

    /// A text, as a value and not as a literal alone: with the order of its bytes.
    fn text(&self, text: &str) -> String;

    /// Whether a column of a record is null.
    fn is_null(&self, record: &str, column: &Column) -> String;

    /// The present time.
    fn now(&self) -> String;

    /// A comparison of two values of one type.
    fn compare(&self, operator: Compare, left: &str, right: &str) -> String;

    /// A condition whose value is that of a value of type `bool`.
    fn truth(&self, value: &str) -> String;

    /// `+`, `-` or `*` of whole numbers and times, which ends at the limits of 64 bits.
    fn operation(&self, sign: &str, left: &str, right: &str) -> String;

    /// The number of characters of a text.
    fn len(&self, text: &str) -> String;
}

/// A name in quotes, the same in all dialects.
pub fn name(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// A sign of SQL.
pub(crate) fn sign(operator: Compare) -> &'static str {
    match operator {
        Compare::Eq => "=",
        Compare::Ne => "<>",
        Compare::Lt => "<",
        Compare::Le => "<=",
        Compare::Gt => ">",
        Compare::Ge => ">=",
    }
}
