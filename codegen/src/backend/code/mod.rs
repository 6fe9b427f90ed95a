//! What a region in a file of any language has: the names of a machine in a form of that language.
//!
//! ```text
//! statespec:begin order.states ts-union OrderStatus
//!                 └ subject    └ form   └ name of the type, if not the usual one
//! ```
//!
//! A form is a function from a [`List`] or a [`Table`] to lines. [`FORMS`] lists all of them; a new one is a function in the
//! file of its language, and a line there.

mod csharp;
mod form;
mod go;
mod graphql;
mod jvm;
mod own;
mod proto;
mod python;
mod rust;
mod schema;
mod sql;
mod subject;
mod text;
mod typescript;

use std::sync::Arc;

use statespec_lang::diagnostic::{Code as Lint, Diagnostic, Diagnostics};
use statespec_lang::model::{Machine, Model};
use statespec_lang::output::{Blame, Outputs, Region, Rendered};
use statespec_lang::read::Text;
use statespec_lang::source::{SourceId, Sources, Span};
use statespec_lang::yaml::Node;

pub use form::{FORMS, Form, Takes};
pub use own::OwnForm;
use subject::Subject;
pub use subject::{Item, List, Table};
pub use text::{Line, Objection};

use super::{Backend, Configured, Job, Reader, Section};
use crate::marks;

/// The name of the backend on the command line.
pub const NAME: &str = "code";

mod keys {
    use statespec_lang::read::{Text, spec_types};

    spec_types! {
        /// A form of your own for regions in source files.
        pub struct Form as "`[[form]]`" {
            /// The word in the marker: `statespec:begin order.states NAME`.
            name: Text,
            /// The template, a file of the project.
            file: Text,
        }
    }
}

/// The backend of regions in source files.
#[derive(Debug)]
pub struct Code;

/// The forms of a project.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Settings {
    /// The user's own ones.
    pub forms: Vec<OwnForm>,
}

impl Backend for Code {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static str {
        "Regions in source files of any language"
    }

    fn section(&self) -> Section {
        Section::array::<keys::Form>("form", "Your own forms of regions in source files.")
    }

    fn usual(&self) -> Option<Arc<dyn Configured>> {
        Some(Arc::new(Settings::default()))
    }

    fn read(&self, section: Node, reader: &mut Reader<'_>) -> Option<Arc<dyn Configured>> {
        let written: Vec<keys::Form> = reader.keys(section)?;
        let mut forms: Vec<OwnForm> = Vec::new();
        for it in written {
            let name = it.name.value;
            if FORMS.iter().any(|it| it.name == name) || forms.iter().any(|it| it.name == name) {
                reader.error(it.name.span, format!("there is a form `{name}` already"), "choose another name");
            } else if name.is_empty() || !name.chars().all(|it| it.is_alphanumeric() || "-_.".contains(it)) {
                reader.error(it.name.span, format!("`{name}` cannot be a word of a marker"), "write letters, digits and `-`");
            }
            let span = it.file.span;
            forms.push(OwnForm { name, file: Text::new(reader.path(it.file), span) });
        }
        Some(Arc::new(Settings { forms }))
    }
}

impl Configured for Settings {
    /// Regions are wherever people put them.
    fn places(&self) -> Vec<String> {
        Vec::new()
    }

    fn templates(&self) -> Vec<&Text> {
        self.forms.iter().map(|it| &it.file).collect()
    }

    /// A region is generated for the file that has it, by [`Request::render`].
    fn outputs<'a>(&'a self, _: Job<'a>, _: &mut Diagnostics) -> Outputs<'a> {
        Outputs::default()
    }
}

/// What a marker asks for.
pub struct Request<'m> {
    subject: Subject<'m>,
    form: Chosen<'m>,
    /// The name of the type, if it is not the usual one.
    name: Option<String>,
}

enum Chosen<'m> {
    List(fn(&List<'_>, usize) -> Result<Vec<Line>, Objection>, form::Case),
    Table(fn(&Table<'_>, usize) -> Result<Vec<Line>, Objection>, form::Case),
    Own(&'m OwnForm),
}

/// Everything that a request needs besides the words of its marker.
#[derive(Clone, Copy)]
pub struct Context<'m> {
    /// The machines.
    pub model: &'m Model,
    /// The specs, for their paths.
    pub sources: &'m Sources,
    /// The user's own forms.
    pub own: &'m [OwnForm],
    /// The templates of the project.
    pub files: &'m Sources,
}

/// Reads the words of a marker.
///
/// # Errors
///
/// The words name nothing that can be generated.
pub fn request<'m>(words: &str, context: Context<'m>) -> Result<Request<'m>, Objection> {
    let words: Vec<&str> = words.split_whitespace().collect();
    let (name, form, ty) = match words.as_slice() {
        [name, form] => (*name, *form, None),
        [name, form, ty] => (*name, *form, Some(*ty)),
        _ => {
            let message = "a region has a subject, a form, and perhaps a name".to_owned();
            return Err(Objection::new(message, "write `statespec:begin order.states ts-union`, with your machine and one of the forms"));
        }
    };
    let subject = subject::find(name, context.model)?;
    let own = context.own.iter().find(|it| it.name == form);
    let known = FORMS.iter().map(|it| it.name).chain(context.own.iter().map(|it| it.name.as_str()));
    let form = match (FORMS.iter().find(|it| it.name == form), own) {
        (Some(form), _) => chosen(form, &subject)?,
        (None, Some(own)) => Chosen::Own(own),
        (None, None) => {
            let help = statespec_lang::diagnostic::suggest(form, known).unwrap_or_default();
            return Err(Objection::new(format!("there is no form `{form}`"), help));
        }
    };
    if let Some(ty) = ty.filter(|it| !text::is_identifier(it)) {
        return Err(Objection::new(format!("`{ty}` cannot be the name of a type"), "write letters, digits and `_`"));
    }
    Ok(Request { subject, form, name: ty.map(str::to_owned) })
}

/// The part of a form that makes something of a subject.
fn chosen<'m>(form: &Form, subject: &Subject<'_>) -> Result<Chosen<'m>, Objection> {
    match (&form.takes, subject.is_table()) {
        (Takes::Lists(list, case), false) | (Takes::Both(list, case, _, _), false) => Ok(Chosen::List(*list, *case)),
        (Takes::Tables(table, case), true) | (Takes::Both(_, _, table, case), true) => Ok(Chosen::Table(*table, *case)),
        (_, is_table) => {
            let what = if is_table { "the states, the events or an enum" } else { "`labels` or `edges`" };
            let fitting =
                FORMS.iter().filter(|it| it.language == form.language && it.takes.table() == is_table).map(|it| format!("`{}`", it.name));
            let fitting: Vec<String> = fitting.collect();
            let help = match fitting.as_slice() {
                [] => format!("no form of {} does", form.language),
                _ => format!("use {}", fitting.join(" or ")),
            };
            Err(Objection::new(format!("`{}` takes {what}", form.name), help))
        }
    }
}

impl<'m> Request<'m> {
    /// The machine whose names these are.
    pub fn machine(&self) -> &'m Machine {
        self.subject.machine()
    }

    /// The text in whole lines, without the blanks before the marker, of which there are `indent` columns.
    ///
    /// # Errors
    ///
    /// The language cannot express a name, or a number is missing.
    pub fn render(&self, indent: usize, context: Context<'m>) -> Result<Rendered<'m>, Objection> {
        let machine = self.machine();
        let named = |case: form::Case| self.name.clone().unwrap_or_else(|| case.of(&self.subject.usual_name()));
        let lines = match &self.form {
            Chosen::List(list, case) => list(&self.subject.list(named(*case)), indent)?,
            Chosen::Table(table, case) => table(&self.subject.table(named(*case)), indent)?,
            Chosen::Own(own) => own.lines(&self.subject, self.name.as_deref(), context)?,
        };
        let text: String = lines.iter().map(|it| format!("{}\n", it.text)).collect();
        let blame: Blame = lines.into_iter().filter_map(|it| Some((it.text, it.span?))).collect();
        let mut rendered = Rendered::new(text, Some(machine.span), move || blame);
        rendered.specs.extend(&machine.uses);
        Ok(rendered)
    }
}

/// The table of forms, for the guide.
pub(crate) fn forms() -> Region {
    let mut text = String::from("| Form | Language | What it makes | Of |\n| --- | --- | --- | --- |\n");
    for form in FORMS {
        let of = match (form.takes.list(), form.takes.table()) {
            (true, true) => "all subjects",
            (true, false) => "`states`, `events`, `enums`",
            (false, _) => "`labels`, `edges`",
        };
        text.push_str(&format!("| `{}` | {} | {} | {of} |\n", form.name, form.language, form.about));
    }
    Region { text, origin: None, blame: Blame::default() }
}

/// The columns that some blanks take; a tab takes four.
pub fn width(indent: &str) -> usize {
    indent.chars().map(|it| if it == '\t' { 4 } else { 1 }).sum()
}

/// What is wrong with the regions of a file.
pub fn objections(sources: &Sources, id: SourceId, context: Context<'_>) -> Vec<Diagnostic> {
    let source = sources.get(id);
    let objection = |it: marks::Region<'_>| {
        let rendered = request(it.words, context).and_then(|request| request.render(width(it.indent), context).map(|_| ()));
        let objection = rendered.err()?;
        let diagnostic = Diagnostic::new(Lint::ExpectMarker, Span::new(id, it.marker), objection.message);
        let diagnostic = if objection.help.is_empty() { diagnostic } else { diagnostic.help(objection.help) };
        Some(objection.also.into_iter().fold(diagnostic, |diagnostic, (span, why)| diagnostic.also(span, why)))
    };
    marks::read(source.path(), source.text()).regions.into_iter().filter_map(objection).collect()
}
