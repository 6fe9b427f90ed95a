//! The text between two markers in a source file: states, events, enums, labels and edges, in many languages.
//!
//! ```text
//! // statespec:begin order.states ts-union
//! export type OrderState = "draft" | "in_review" | "paid";
//! // statespec:end
//! ```
//!
//! A form is a function from a list of items to a text; [`forms`] has them all. The text is laid out as the usual formatter
//! of the language lays it out, so that the two do not undo each other's work.

mod csharp;
mod go;
mod graphql;
mod jvm;
mod list;
pub mod own;
mod proto;
mod python;
mod rust;
pub mod schema;
mod sql;
mod typescript;

use heck::{ToLowerCamelCase as _, ToSnakeCase as _};
use statespec_lang::diagnostic::{Code, Diagnostic, suggest};
use statespec_lang::lower::load;
use statespec_lang::model::{Machine, Model};
use statespec_lang::names;
use statespec_lang::output::{Blame, Region, Rendered};
use statespec_lang::source::{Input, SourceId, Sources, Span};

pub use list::Kind;
use list::{Item, List, Subject, Text};
pub use own::OwnForm;

use crate::{marks, subject};

/// The forms of each language, in the order of the docs.
const LANGUAGES: &[&[Form]] = &[
    typescript::FORMS,
    python::FORMS,
    go::FORMS,
    rust::FORMS,
    jvm::FORMS,
    csharp::FORMS,
    sql::FORMS,
    proto::FORMS,
    graphql::FORMS,
    schema::FORMS,
];

/// A form.
#[derive(Debug)]
pub struct Form {
    /// The name in markers.
    pub name: &'static str,
    /// The language of the text.
    pub language: &'static Language,
    /// The subjects that it can show.
    pub kinds: &'static [Kind],
    case: Case,
    make: fn(&List<'_, '_>) -> Result<Text, Objection>,
}

/// The language of a form.
#[derive(Debug)]
pub struct Language {
    /// The name.
    pub name: &'static str,
    /// The name behind the fence of a block of code: one that the book can highlight, or `text`.
    pub fence: &'static str,
    /// What begins and ends a comment.
    pub comment: (&'static str, &'static str),
    /// The columns of a line in the language's usual formatter.
    pub columns: usize,
}

/// The casing of the name that a form declares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Case {
    /// `OrderState`.
    Camel,
    /// `orderStateLabels`.
    LowerCamel,
    /// `OrderState` for names, `orderStateLabels` for tables.
    TypeOrValue,
    /// `order_state`.
    Snake,
    /// `ORDER_STATE_LABELS`.
    Shouty,
    /// `state`, a column of the table of orders.
    Column,
}

impl Case {
    /// The usual name for a subject.
    fn name(self, subject: &Subject<'_>) -> String {
        let (machine, last) = subject.stem();
        let words = format!("{machine}_{last}");
        match self {
            Case::TypeOrValue if Kind::TABLES.contains(&subject.kind) => words.to_lower_camel_case(),
            Case::Camel | Case::TypeOrValue => names::upper_camel(&words),
            Case::LowerCamel => words.to_lower_camel_case(),
            Case::Snake => words.to_snake_case(),
            Case::Shouty => names::shouty(&words),
            Case::Column => last.to_snake_case(),
        }
    }
}

/// All forms, in the order of the docs.
pub fn forms() -> impl Iterator<Item = &'static Form> + Clone {
    LANGUAGES.iter().copied().flatten()
}

/// Why a marker asks for nothing, and how to mend it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Objection {
    /// The problem.
    pub message: String,
    /// A way out.
    pub help: String,
    /// A place in a spec, and its part in the problem.
    pub also: Option<(Span, String)>,
}

impl Objection {
    fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        Objection { message: message.into(), help: help.into(), also: None }
    }
}

impl From<subject::Unknown> for Objection {
    fn from((message, help): subject::Unknown) -> Self {
        Objection::new(message, help)
    }
}

/// What a marker asks for: the items of a subject in a form.
#[derive(Debug)]
pub struct Request<'m> {
    subject: Subject<'m>,
    form: Chosen<'m>,
    name: String,
}

#[derive(Debug, Clone, Copy)]
enum Chosen<'m> {
    BuiltIn(&'static Form),
    Own(&'m OwnForm<'m>),
}

/// Resolves the words of a marker: `order.states ts-union`, or `order.states ts-union OrderStatus`.
///
/// # Errors
///
/// A word is missing, or names nothing; or the form cannot show the subject.
pub fn request<'m>(words: &str, model: &'m Model, own: &'m [OwnForm<'m>]) -> Result<Request<'m>, Objection> {
    let mut words = words.split_whitespace();
    let subject = find(words.next().unwrap_or_default(), model)?;
    let kind = subject.kind;
    let known = || forms().filter(|it| it.kinds.contains(&kind)).map(|it| it.name).chain(own.iter().map(|it| it.name));
    let list = |it: &mut dyn Iterator<Item = &str>| format!("there are: {}", it.collect::<Vec<_>>().join(", "));
    let Some(word) = words.next() else {
        return Err(Objection::new("the marker names no form", list(&mut known())));
    };
    let form = match (own.iter().find(|it| it.name == word), forms().find(|it| it.name == word)) {
        (Some(own), _) => Chosen::Own(own),
        (None, Some(form)) if form.kinds.contains(&kind) => Chosen::BuiltIn(form),
        (None, Some(form)) => {
            let message = format!("`{}` has no {}", form.name, kind.plural());
            // Forms of the same language first: they are what is meant.
            let mut same = known().filter(|name| forms().any(|it| it.name == *name && it.language.name == form.language.name)).peekable();
            let help = if same.peek().is_some() { list(&mut same) } else { list(&mut known()) };
            return Err(Objection::new(message, help));
        }
        (None, None) => {
            let near = suggest(word, known()).filter(|it| it.starts_with("did"));
            return Err(Objection::new(format!("there is no form `{word}`"), near.unwrap_or_else(|| list(&mut known()))));
        }
    };
    if subject.items.is_empty() {
        let objection = Objection::new(format!("`{}` has no {}", subject.machine.name, kind.plural()), "remove the marker");
        return Err(Objection { also: Some((subject.machine.span, "the machine".to_owned())), ..objection });
    }
    let name = match (words.next(), form) {
        (Some(name), _) => declared(name)?,
        (None, Chosen::BuiltIn(form)) => form.case.name(&subject),
        (None, Chosen::Own(_)) => Case::Camel.name(&subject),
    };
    if let Some(more) = words.next() {
        let help = "a marker has a subject, a form, and perhaps a name: `statespec:begin order.states ts-union OrderStatus`";
        return Err(Objection::new(format!("`{more}` is one word too many"), help));
    }
    Ok(Request { subject, form, name })
}

/// What is wrong with the regions of a file.
pub fn objections(sources: &Sources, id: SourceId, model: &Model, own: &[OwnForm<'_>]) -> Vec<Diagnostic> {
    let source = sources.get(id);
    let objection = |it: marks::Region<'_>| {
        let rendered = request(it.words, model, own).and_then(|request| request.render_at(it.indent).map(|_| ()));
        let Objection { message, help, also } = rendered.err()?;
        let diagnostic = Diagnostic::new(Code::ExpectMarker, Span::new(id, it.marker), message).help(help);
        Some(also.into_iter().fold(diagnostic, |diagnostic, (span, why)| diagnostic.also(span, why)))
    };
    marks::read(source.path(), source.text()).regions.into_iter().filter_map(objection).collect()
}

/// The subject with this name.
fn find<'m>(name: &str, model: &'m Model) -> Result<Subject<'m>, Objection> {
    let mut parts = name.split('.');
    let machine = subject::machine(parts.next().unwrap_or_default(), model)?;
    let parts: Vec<&str> = parts.collect();
    Ok(match parts.as_slice() {
        ["states"] => Subject::states(machine, Kind::States),
        ["labels"] => Subject::states(machine, Kind::Labels),
        ["edges"] => Subject::states(machine, Kind::Edges),
        ["events"] => Subject::events(machine),
        ["enums", name] => Subject::values(machine, subject::enumeration(name, machine)?),
        _ => {
            let of = &machine.name;
            let help = format!("`{of}.states`, `{of}.events`, `{of}.enums.NAME`, `{of}.labels` or `{of}.edges`");
            return Err(Objection::new(format!("`{name}` is nothing that a form can show"), help));
        }
    })
}

/// Words that are no name of a type or value in one of the languages. Columns of SQL are in quotes instead.
const KEYWORDS: &[&str] = &[
    "abstract",
    "and",
    "as",
    "assert",
    "async",
    "await",
    "break",
    "case",
    "catch",
    "chan",
    "class",
    "const",
    "continue",
    "def",
    "del",
    "delete",
    "do",
    "elif",
    "else",
    "enum",
    "except",
    "export",
    "extends",
    "false",
    "finally",
    "fn",
    "for",
    "from",
    "func",
    "function",
    "go",
    "goto",
    "if",
    "impl",
    "import",
    "in",
    "instanceof",
    "interface",
    "internal",
    "is",
    "lambda",
    "let",
    "loop",
    "match",
    "mod",
    "namespace",
    "new",
    "nil",
    "not",
    "null",
    "object",
    "or",
    "package",
    "pass",
    "private",
    "protected",
    "pub",
    "public",
    "raise",
    "return",
    "self",
    "static",
    "string",
    "struct",
    "super",
    "switch",
    "this",
    "throw",
    "trait",
    "true",
    "try",
    "typeof",
    "use",
    "using",
    "val",
    "var",
    "void",
    "when",
    "where",
    "while",
    "with",
    "yield",
    "Self",
    "None",
    "True",
    "False",
];

/// A name that a marker gives.
fn declared(name: &str) -> Result<String, Objection> {
    let help = "write a letter or `_`, then letters, digits and `_`";
    let is_word = name.chars().all(|it| it.is_ascii_alphanumeric() || it == '_') && !name.starts_with(|it: char| it.is_ascii_digit());
    if !is_word || !name.contains(|it: char| it.is_ascii_alphabetic()) {
        return Err(Objection::new(format!("`{name}` cannot be the name of a type or value"), help));
    }
    Ok(name.to_owned())
}

impl<'m> Request<'m> {
    /// The machine.
    pub fn machine(&self) -> &'m Machine {
        self.subject.machine
    }

    /// The columns of a line in the usual formatter of the language, the indentation included.
    pub fn columns(&self) -> usize {
        match self.form {
            Chosen::BuiltIn(form) => form.language.columns,
            Chosen::Own(_) => 100,
        }
    }

    /// The text, as [`Request::render`] makes it, for a file whose markers have these blanks before them. A tab has four columns.
    ///
    /// # Errors
    ///
    /// Those of [`Request::render`].
    pub fn render_at(&self, indent: &str) -> Result<Rendered<'m>, Objection> {
        let taken: usize = indent.chars().map(|it| if it == '\t' { 4 } else { 1 }).sum();
        let mut rendered = self.render(self.columns().saturating_sub(taken))?;
        rendered.specs.extend(&self.machine().uses);
        Ok(rendered)
    }

    /// The text, without indentation, with LF line ends, ending in one; `width` columns are left behind the indentation.
    ///
    /// # Errors
    ///
    /// The language cannot express an item, two items would have one identifier, or a template fails.
    pub fn render(&self, width: usize) -> Result<Rendered<'m>, Objection> {
        let list = List { subject: &self.subject, name: &self.name, width };
        match self.form {
            Chosen::Own(form) => own::render(form, &list),
            Chosen::BuiltIn(form) => {
                if form.case != Case::Column && KEYWORDS.contains(&self.name.as_str()) {
                    let help = "name the type as the third word of the marker, such as `OrderStatus`";
                    return Err(Objection::new(format!("`{}` is a keyword", self.name), help));
                }
                let Text { text, blame } = (form.make)(&list)?;
                Ok(Rendered::new(text, Some(self.subject.machine.span), move || blame))
            }
        }
    }
}

/// The objection to an item whose name a language cannot have as an identifier.
fn only_ascii(language: &str, item: &Item<'_>) -> Objection {
    Objection {
        message: format!("`{}` has letters that {language} has in no name", item.name),
        help: "give it a name of ASCII letters and digits, and the present one as `wire`".to_owned(),
        also: Some((item.span, "it is declared here".to_owned())),
    }
}

/// The machine of the examples in the docs.
const EXAMPLE: &str = "machine: order
enums: { channel: [web, phone] }
states:
  draft: { initial: true, label: Draft, number: 1 }
  in_review: { label: In review, number: 2 }
  paid: { label: Paid, number: 3, terminal: true }
reserved: { states: [4, parked] }
events: { submit: { payload: { channel: { type: channel, informative: true } } }, pay:, reject: }
transitions:
  - { from: draft, event: submit, to: in_review }
  - { from: in_review, event: pay, to: paid }
  - { from: in_review, event: reject, to: draft }
";

/// The regions of the docs: the table of forms, and the machine of the examples with one of each.
pub fn regions() -> Vec<(String, Region)> {
    let region = |name: &str, text: String| (name.to_owned(), Region { text, origin: None, blame: Blame::default() });
    vec![region("forms", table()), region("forms.examples", examples())]
}

fn table() -> String {
    let mut table = String::from("| Form | Language | Subjects |\n| --- | --- | --- |\n");
    for form in forms() {
        let kinds: Vec<&str> = form.kinds.iter().map(|it| it.word()).collect();
        table.push_str(&format!("| `{}` | {} | {} |\n", form.name, form.language.name, kinds.join(", ")));
    }
    table
}

/// The example of each form with its markers: states, or edges in forms of tables.
pub fn example(form: &Form) -> String {
    let loaded = load(&[Input { path: "machines/order.yaml".into(), text: EXAMPLE.into() }]);
    let model = loaded.model.unwrap_or_else(|| unreachable!("the example is a spec: {:?}", loaded.diagnostics));
    let kind = if form.kinds.contains(&Kind::States) { Kind::States } else { Kind::Edges };
    let words = format!("order.{} {}", kind.word(), form.name);
    let text = request(&words, &model, &[]).and_then(|it| it.render(it.columns()).map(|it| it.text.into_owned()));
    let text = text.unwrap_or_else(|objection| unreachable!("the example has every form: {objection:?}"));
    let (open, close) = form.language.comment;
    let end = crate::sync::end_words(&words, &text);
    format!("{open}statespec:begin {words}{close}\n{text}{open}{end}{close}\n")
}

fn examples() -> String {
    let mut text = format!("```yaml\n{EXAMPLE}```\n\n");
    for language in LANGUAGES {
        for (idx, form) in language.iter().enumerate() {
            if idx == 0 || language[idx - 1].language.name != form.language.name {
                text.push_str(&format!("## {}\n\n", form.language.name));
            }
            text.push_str(&format!("```{}\n{}```\n\n", form.language.fence, example(form)));
        }
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}
