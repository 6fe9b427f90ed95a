//! The section `[docs]`, and the places of pages.

use std::sync::Arc;

use statespec_lang::diagnostic::{Diagnostics, suggest};
use statespec_lang::output::Outputs;
use statespec_lang::read::{OneOrMany, Text};
use statespec_lang::yaml::Node;

use super::Layout;
use crate::backend::{Backend, Configured, Job, Reader, Section};

mod keys {
    use statespec_lang::read::spec_types;
    use statespec_lang::source::Spanned;

    use super::{OneOrMany, Text};

    spec_types! {
        /// Pages and regions in Markdown.
        pub struct Docs as "`[docs]`" {
            /// The folder of the pages; `docs/machines` if omitted.
            out: Option<Text>,
            /// Whether statespec writes an index, and a page for each machine and system that no document shows; `true` if omitted.
            pages: Option<Spanned<bool>>,
            /// The sections of these pages, in this order: names of views, or `all` for every view that is not empty. If omitted: a diagram, states, transitions, events, and effects with timers; for a system a diagram, parts, transactions, rules with links and invariants, and walkthroughs.
            sections: Option<OneOrMany<Text>>,
            /// The folders and files where documents can put pages and where pages can contain regions; `docs` and `README.md` if omitted.
            places: Option<OneOrMany<Text>>,
        }
    }
}

/// The backend of pages and regions. Every project has them.
#[derive(Debug)]
pub struct Docs;

/// The sections of a page that no document describes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sections {
    /// The five that most readers look for.
    Usual,
    /// Every view that is not empty.
    All,
    /// These views, each with its name as in documents and regions.
    Chosen(Vec<String>),
}

/// The pages and regions of a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// The folder of the pages.
    pub out: String,
    /// Whether pages for subjects without a document, and an index, are generated.
    pub pages: bool,
    /// The sections of these pages.
    pub sections: Sections,
    /// The places that are searched for documents' pages and for regions.
    pub places: Vec<String>,
    /// The layout of pages and regions.
    pub layout: Layout,
}

impl Default for Settings {
    fn default() -> Self {
        let places = vec!["docs".into(), "README.md".into()];
        Settings { out: "docs/machines".into(), pages: true, sections: Sections::Usual, places, layout: Layout::default() }
    }
}

impl Backend for Docs {
    fn name(&self) -> &'static str {
        "docs"
    }

    fn about(&self) -> &'static str {
        "Pages and regions"
    }

    fn section(&self) -> Section {
        Section::table::<keys::Docs>("docs", "Pages and regions in Markdown.")
    }

    fn usual(&self) -> Option<Arc<dyn Configured>> {
        Some(Arc::new(Settings::default()))
    }

    fn read(&self, section: Node, reader: &mut Reader<'_>) -> Option<Arc<dyn Configured>> {
        let docs: keys::Docs = reader.keys(section)?;
        let usual = Settings::default();
        Some(Arc::new(Settings {
            out: docs.out.map_or(usual.out, |it| reader.path(it)),
            pages: docs.pages.is_none_or(|it| it.value),
            sections: docs.sections.map_or(usual.sections, |it| sections(it, reader)),
            places: reader.paths(docs.places, usual.places),
            layout: usual.layout,
        }))
    }
}

/// The sections of pages, as written.
fn sections(written: OneOrMany<Text>, reader: &mut Reader<'_>) -> Sections {
    let known: Vec<&str> = super::words().collect();
    match written.0.as_slice() {
        [one] if one.value == "all" => return Sections::All,
        _ => {}
    }
    for it in written.0.iter().filter(|it| !known.contains(&it.value.as_str())) {
        let help = match it.value.as_str() {
            "all" => "write it alone: `sections = \"all\"`".to_owned(),
            other => suggest(other, known.iter().copied()).unwrap_or_else(|| format!("there are: `all`, `{}`", known.join("`, `"))),
        };
        reader.error(it.span, format!("`{}` is no section of a page", it.value.escape_debug()), help);
    }
    Sections::Chosen(written.0.into_iter().map(|it| it.value).collect())
}

impl Configured for Settings {
    fn places(&self) -> Vec<String> {
        std::iter::once(&self.out).chain(&self.places).cloned().collect()
    }

    fn pages(&self) -> Option<&[String]> {
        Some(&self.places)
    }

    fn outputs<'a>(&'a self, job: Job<'a>, _: &mut Diagnostics) -> Outputs<'a> {
        super::outputs(job, self)
    }
}
