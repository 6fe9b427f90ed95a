//! The templates and their rendering.
//!
//! A template contains loops and layout. Its input is Markdown already: escaping depends on
//! the kind of a text, which only Rust knows.

use std::collections::BTreeMap;

use minijinja::syntax::SyntaxConfig;
use minijinja::{AutoEscape, Environment, Error, UndefinedBehavior, Value};

const TEMPLATES: &[(&str, &str)] = &[
    ("diagram.md", include_str!("../../../templates/diagram.md")),
    ("list.md", include_str!("../../../templates/list.md")),
    ("notes.md", include_str!("../../../templates/notes.md")),
    ("page.md", include_str!("../../../templates/page.md")),
    ("table.md", include_str!("../../../templates/table.md")),
];

/// The texts of the templates for pages and regions, by name.
///
/// A changed template yields different pages; the tests of the check use this to verify that it detects them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout(pub BTreeMap<&'static str, String>);

impl Default for Layout {
    /// The layout of this crate.
    fn default() -> Self {
        Layout(TEMPLATES.iter().map(|(name, text)| (*name, (*text).to_owned())).collect())
    }
}

/// All templates, parsed; or the parse error of one of them.
pub(super) struct Templates<'a>(Result<Environment<'a>, Error>);

impl<'a> Templates<'a> {
    pub(super) fn new(layout: &'a Layout) -> Self {
        let parsed = || {
            let mut environment = Environment::new();
            environment.set_auto_escape_callback(|_| AutoEscape::None);
            environment.set_undefined_behavior(UndefinedBehavior::Strict);
            environment.set_syntax(SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true).build()?);
            layout.0.iter().try_for_each(|(name, text)| environment.add_template(name, text))?;
            Ok(environment)
        };
        Templates(parsed())
    }

    /// Renders a template.
    ///
    /// The usual layout is part of this crate and the tests render every template of it, so errors
    /// appear there. If one occurs elsewhere, the page shows it.
    pub(super) fn render(&self, name: &str, context: Value) -> String {
        let rendered = self.0.as_ref().map_err(Error::to_string);
        let rendered = rendered.and_then(|it| it.get_template(name).and_then(|it| it.render(context)).map_err(|it| it.to_string()));
        rendered.unwrap_or_else(|error| format!("(the template {name} failed: {error})\n"))
    }
}
