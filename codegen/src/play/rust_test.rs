//! In work.
pub(super) fn text(
    _: &crate::model::Machine,
    _: &[(crate::model::FieldId, crate::model::Value)],
    _: &[super::machine::Past],
) -> Result<String, String> {
    Err(String::new())
}
