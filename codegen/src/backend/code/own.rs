//! Forms of the user's own: templates for the text between two markers.

use std::sync::Arc;

use serde_json::{Value, json};
use statespec_lang::diagnostic::Diagnostics;
use statespec_lang::output::{Outputs, Rendered};
use statespec_lang::read::Text;
use statespec_lang::source::{Sources, Spanned};
use statespec_lang::yaml::Node;

use super::list::{List, Subject};
use super::{Objection, forms};
use crate::backend::{Backend, Configured, Job, Reader, Section, template};

mod keys {
    use statespec_lang::read::{Text, spec_types};

    spec_types! {
        /// A form of regions in source files.
        pub struct Form as "`[[form]]`" {
            /// The name in markers: `statespec:begin order.states NAME`.
            name: Text,
            /// The template, a file of the project.
            file: Text,
        }
    }
}

/// The name of the backend on the command line.
pub const NAME: &str = "forms";

/// The backend of the user's own forms. It has no files; the regions are where the markers are.
#[derive(Debug)]
pub struct Forms;

/// The user's own forms of a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// The name and the template of each, in the order of the configuration.
    pub forms: Vec<(Text, Text)>,
}

/// A form of the user's own.
#[derive(Debug, Clone, Copy)]
pub struct OwnForm<'m> {
    /// The name in markers.
    pub name: &'m str,
    /// The path of the template.
    pub path: &'m str,
    /// The template.
    pub text: &'m str,
    /// The specs: templates see their paths, and more specs allow a template more work.
    pub specs: &'m Sources,
}

impl Backend for Forms {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static str {
        "Regions in source files"
    }

    fn section(&self) -> Section {
        Section::array::<keys::Form>("form", "Your own forms of regions in source files.")
    }

    fn read(&self, section: Node, reader: &mut Reader<'_>) -> Option<Arc<dyn Configured>> {
        let written: Vec<keys::Form> = reader.keys(section)?;
        let mut read: Vec<(Text, Text)> = Vec::new();
        for keys::Form { name, file, .. } in written {
            let is_word = |it: char| it.is_ascii_alphanumeric() || it == '-' || it == '_';
            if name.value.is_empty() || !name.value.chars().all(is_word) {
                reader.error(name.span, format!("`{}` is no name of a form", name.value), "write letters, digits, `-` and `_`");
            } else if forms().any(|it| it.name == name.value) {
                reader.error(name.span, format!("there is a form `{}` already", name.value), "choose another name");
            } else if read.iter().any(|(it, _)| it.value == name.value) {
                reader.error(name.span, format!("two forms have the name `{}`", name.value), "choose another name for one of them");
            }
            let span = file.span;
            read.push((name, Spanned::new(reader.path(file), span)));
        }
        Some(Arc::new(Settings { forms: read }))
    }
}

impl Configured for Settings {
    fn places(&self) -> Vec<String> {
        Vec::new()
    }

    fn templates(&self) -> Vec<&Text> {
        self.forms.iter().map(|(_, file)| file).collect()
    }

    fn outputs<'a>(&'a self, _: Job<'a>, _: &mut Diagnostics) -> Outputs<'a> {
        Outputs::default()
    }
}

impl Settings {
    /// The forms, with the templates from the files of the project.
    pub fn own<'m>(&'m self, files: &'m Sources, specs: &'m Sources) -> Vec<OwnForm<'m>> {
        let own = self.forms.iter().filter_map(|(name, file)| {
            let text = files.get(files.find(&file.value)?).text();
            Some(OwnForm { name: &name.value, path: &file.value, text, specs })
        });
        own.collect()
    }
}

/// Fills in a form. Which line shows which item is not known.
pub(super) fn render<'m>(form: &OwnForm<'m>, list: &List<'_, 'm>) -> Result<Rendered<'m>, Objection> {
    let subject = list.subject;
    let value = value(form.specs, subject, list);
    let text = template::render(form.path, form.text, &value, form.specs).map_err(|(message, line)| Objection {
        message: format!("the form `{}` cannot be filled in: {message}", form.name),
        help: match line {
            Some(line) => format!("the template is {}, line {line}", form.path),
            None => format!("the template is {}", form.path),
        },
        also: Some((subject.machine.span, "filled in for this machine".to_owned())),
    })?;
    Ok(Rendered::new(text, Some(subject.machine.span), Default::default))
}

/// The input of a form.
fn value(specs: &Sources, subject: &Subject<'_>, list: &List<'_, '_>) -> Value {
    let item = |idx: usize| {
        let it = &subject.items[idx];
        let targets = subject.targets.get(idx).map(|it| it.iter().map(|to| subject.items[*to].wire).collect::<Vec<_>>());
        json!({ "name": it.name, "wire": it.wire, "label": it.shown(), "doc": it.doc, "number": it.number, "targets": targets })
    };
    let items: Vec<Value> = (0..subject.items.len()).map(item).collect();
    json!({
        "subject": subject.kind.word(), "enum": subject.of.map(|it| &it.name), "type": list.name, "items": items,
        "machine": template::value(&crate::backend::json::machine(specs, subject.machine)),
    })
}
