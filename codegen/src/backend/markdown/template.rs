//! The templates, and how they are filled.
//!
//! A template holds loops and layout. What it is given is Markdown already: escaping depends on
//! what a text means, and only Rust knows that.

use minijinja::syntax::SyntaxConfig;
use minijinja::{AutoEscape, Environment, Error, UndefinedBehavior, Value};

const TEMPLATES: &[(&str, &str)] = &[
    ("diagram.md", include_str!("../../../templates/diagram.md")),
    ("list.md", include_str!("../../../templates/list.md")),
    ("notes.md", include_str!("../../../templates/notes.md")),
    ("page.md", include_str!("../../../templates/page.md")),
    ("table.md", include_str!("../../../templates/table.md")),
];

/// All templates, parsed.
pub(super) struct Templates {
    environment: Environment<'static>,
}

impl Templates {
    pub(super) fn new() -> Self {
        let mut environment = Environment::new();
        environment.set_auto_escape_callback(|_| AutoEscape::None);
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true).build();
        debug_assert!(syntax.is_ok(), "{syntax:?}");
        environment.set_syntax(syntax.unwrap_or_default());
        for (name, text) in TEMPLATES {
            let parsed = environment.add_template(name, text);
            debug_assert!(parsed.is_ok(), "{parsed:?}");
        }
        Templates { environment }
    }

    /// Fills a template in.
    ///
    /// The templates are part of this crate and every one of them is rendered by the tests, so
    /// what could go wrong does so there. A page says it, should it ever happen elsewhere.
    pub(super) fn render(&self, name: &str, context: Value) -> String {
        let rendered = self.environment.get_template(name).and_then(|it| it.render(context));
        debug_assert!(rendered.is_ok(), "{rendered:?}");
        rendered.unwrap_or_else(|error: Error| format!("(the template {name} failed: {error})\n"))
    }
}

#[cfg(test)]
mod tests {
    use minijinja::context;

    use super::super::table::lines;
    use super::*;

    #[test]
    fn templates_lay_out_what_they_are_given() {
        let templates = Templates::new();
        let rows = [["`a`", "1", "{{ x }}"], ["`b`", "", ""]].map(|row| row.map(str::to_owned).to_vec()).to_vec();
        let rendered = [
            templates.render("table.md", context! { headers => ["A", "B", "C"], lines => lines(rows.iter().map(Vec::as_slice)) }),
            templates.render("list.md", context! { rows => rows }),
            templates.render("notes.md", context! { lead => "Notes:", notes => ["one"] }),
            templates.render("notes.md", context! { lead => (), notes => ["one"] }),
            templates.render("diagram.md", context! { text => "stateDiagram-v2\n  a --> b\n" }),
            templates.render("page.md", context! { title => "T", blocks => ["one\ntwo", "three"] }),
            templates.render("page.md", context! { title => "T", blocks => [""; 0] }),
        ];
        insta::assert_snapshot!(rendered.join("----\n"));
    }
}
