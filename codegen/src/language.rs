//! Descriptions of statespec itself, for repositories that document it: the JSON Schemas of all files, and regions about
//! keys, codes, lints and limits.
//!
//! This backend is not in `backend/` because it describes the configuration and the list of changes, which use that module.

use std::sync::Arc;

use statespec_lang::diagnostic::{Code, Diagnostics};
use statespec_lang::limits;
use statespec_lang::output::{Blame, Output, Outputs};
use statespec_lang::yaml::Node;

use crate::backend::{Backend, Configured, Job, Reader, Section, code, lints};
use crate::{changes, schema};

mod keys {
    use statespec_lang::read::{Text, spec_types};
    use statespec_lang::source::Spanned;

    spec_types! {
        /// For repositories that document the spec language itself.
        pub struct Language as "`[language]`" {
            /// The folder of the JSON Schemas of spec files, for editors.
            schemas: Option<Text>,
            /// Whether pages may have regions about the language and the command line, such as `keys.machine` and `diagnostics`.
            regions: Option<Spanned<bool>>,
        }
    }
}

/// The backend of descriptions of statespec itself.
#[derive(Debug)]
pub struct Language;

/// The descriptions that a project contains.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// The folder of the JSON Schemas, if there is one.
    pub schemas: Option<String>,
    /// Whether regions about the language are available.
    pub regions: bool,
}

impl Backend for Language {
    fn name(&self) -> &'static str {
        "schemas"
    }

    fn about(&self) -> &'static str {
        "JSON Schemas of the spec language"
    }

    fn section(&self) -> Section {
        Section::table::<keys::Language>("language", "For repositories that document the spec language itself.")
    }

    fn read(&self, section: Node, reader: &mut Reader<'_>) -> Option<Arc<dyn Configured>> {
        let language: keys::Language = reader.keys(section)?;
        let schemas = language.schemas.map(|it| reader.path(it));
        Some(Arc::new(Settings { schemas, regions: language.regions.is_some_and(|it| it.value) }))
    }
}

impl Configured for Settings {
    fn places(&self) -> Vec<String> {
        self.schemas.iter().cloned().collect()
    }

    fn outputs<'a>(&'a self, job: Job<'a>, _: &mut Diagnostics) -> Outputs<'a> {
        let mut outputs = Outputs::default();
        if let Some(folder) = &self.schemas {
            let file = |(kind, text)| Output { path: format!("{folder}/{kind}.json"), text, origin: None, blame: Blame::default() };
            outputs.files = schema::all(job.backends).map(file).map(Output::into_pending).collect();
        }
        if self.regions {
            let pages = [("lints", lints::region()), ("limits", limits::region()), ("changes", changes::region())];
            let pages = pages.map(|(name, it)| (name.to_owned(), it));
            let regions = Code::regions().into_iter().chain(pages).chain(code::regions()).chain(schema::regions(job.backends));
            outputs.regions = regions.map(|(name, it)| (name, it.into_pending())).collect();
        }
        outputs
    }
}
