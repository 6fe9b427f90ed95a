//! A field of the context.

/// A context field, with its default as YAML.
#[derive(Debug, Clone)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) ty: &'static str,
    pub(super) default: Option<String>,
    pub(super) optional: bool,
}
