//! stub
use crate::model::{Model, System};
/// stub
pub fn system_text(_: &Model, _: &System, _: &super::Style) -> Result<String, syn::Error> {
    Ok(String::new())
}
