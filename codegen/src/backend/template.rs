//! The user's own outputs: minijinja templates, rendered with the resolved model.
//!
//! The input of a template is the JSON of [`crate::backend::json`], key for key:
//! a machine, a system, or the whole project.

use std::io;
use std::sync::Arc;

use heck::{ToKebabCase as _, ToLowerCamelCase as _, ToSnakeCase as _, ToTitleCase as _};
use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, Error, ErrorKind, Output as Stream, State, UndefinedBehavior, Value, escape_formatter};
use serde::Serialize;
use statespec_lang::diagnostic::{Code, Diagnostic, Diagnostics};
use statespec_lang::limits::{INSTRUCTIONS, TEMPLATE};
use statespec_lang::model::Model;
use statespec_lang::names;
use statespec_lang::output::{Blame, Output, Outputs};
use statespec_lang::read::Text;
use statespec_lang::source::{SourceId, Sources, Span, Spanned};
use statespec_lang::yaml::Node;

use super::markdown::escape::{Place, plain};
use super::{Backend, Configured, Job, Reader, Section, json};

mod keys {
    use statespec_lang::read::{Text, spec_types};

    spec_types! {
        /// An output of a user-defined template.
        pub struct Template as "`[[template]]`" {
            /// The template, a file of the project.
            file: Text,
            /// The path of the output; it can contain `{{ name }}` and filters.
            out: Text,
            /// One output for each `machine` (if omitted), for each `system`, or for the whole `project`.
            per: Option<Text>,
            /// How values are escaped: `none` (if omitted), `html`, `json`, or `markdown` for cells of tables.
            escape: Option<Text>,
        }
    }
}

/// The backend of the user's own templates.
#[derive(Debug)]
pub struct Templates;

/// The templates of a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// The templates, in the order of the configuration.
    pub templates: Vec<Template>,
}

/// A user-defined output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    /// The template, a file of the project.
    pub file: Text,
    /// The path of the output, itself a template.
    pub out: Text,
    /// The subject of each output.
    pub per: Per,
    /// The escaping of values.
    pub escape: Escape,
}

/// The subject that a template is rendered for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Per {
    /// Each machine.
    Machine,
    /// Each system.
    System,
    /// The whole project, once.
    Project,
}

/// The escaping of values in a template's output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Escape {
    /// Not at all.
    None,
    /// For HTML and XML.
    Html,
    /// As JSON literals.
    Json,
    /// For cells of Markdown tables.
    Markdown,
}

impl Backend for Templates {
    fn name(&self) -> &'static str {
        "templates"
    }

    fn about(&self) -> &'static str {
        "Outputs of your own templates"
    }

    fn section(&self) -> Section {
        Section::array::<keys::Template>("template", "Your own outputs.")
    }

    fn read(&self, section: Node, reader: &mut Reader<'_>) -> Option<Arc<dyn Configured>> {
        let templates: Vec<keys::Template> = reader.keys(section)?;
        Some(Arc::new(Settings { templates: templates.into_iter().map(|it| template(it, reader)).collect() }))
    }
}

fn template(template: keys::Template, reader: &mut Reader<'_>) -> Template {
    const PER: &[(&str, Per)] = &[("machine", Per::Machine), ("system", Per::System), ("project", Per::Project)];
    const ESCAPE: &[(&str, Escape)] =
        &[("none", Escape::None), ("html", Escape::Html), ("json", Escape::Json), ("markdown", Escape::Markdown)];
    let per = template.per.map_or(Per::Machine, |it| reader.choice("per", &it, PER));
    let escape = template.escape.map_or(Escape::None, |it| reader.choice("escape", &it, ESCAPE));
    let out = template.out;
    if place(&out.value).is_none() {
        let help = "begin the path with a folder, such as `web/{{ name }}.ts`";
        reader.error(out.span, "outputs that are named after machines need a folder", help);
    } else if per != Per::Project && !out.value.contains("{{") {
        let help = "name the output after what it shows, such as `web/{{ name }}.ts`, or say `per = \"project\"`";
        reader.error(out.span, "every machine would go into the same file", help);
    }
    let span = template.file.span;
    Template { file: Spanned::new(reader.path(template.file), span), out, per, escape }
}

/// The folder of a template's outputs, or the output itself if it is in the root.
fn place(out: &str) -> Option<String> {
    let fixed = &out[..out.find("{{").or(out.find("{%")).unwrap_or(out.len())];
    match fixed.rsplit_once('/') {
        Some((folder, _)) => Some(folder.to_owned()),
        None => (fixed.len() == out.len()).then(|| out.to_owned()),
    }
}

impl Configured for Settings {
    fn places(&self) -> Vec<String> {
        self.templates.iter().filter_map(|it| place(&it.out.value)).collect()
    }

    fn templates(&self) -> Vec<&Text> {
        self.templates.iter().map(|it| &it.file).collect()
    }

    /// The texts are rendered at once: even the paths are templates.
    fn outputs<'a>(&'a self, job: Job<'a>, diagnostics: &mut Diagnostics) -> Outputs<'a> {
        let files = self.templates.iter().flat_map(|it| emit(it, job, diagnostics)).map(Output::into_pending).collect();
        Outputs { files, ..Outputs::default() }
    }
}

/// Fills in a template of no file of its own: the text of a form. Values are not escaped.
///
/// # Errors
///
/// The message, and the line if it is known.
pub(super) fn render(path: &str, text: &str, value: &serde_json::Value, sources: &Sources) -> Result<String, (String, Option<usize>)> {
    let mut template = Filled { environment: environment(Escape::None), name: path, text };
    let rendered = Allowance::of(sources).render(&mut template, &Value::from(Serde(value)));
    rendered.map(tidy).map_err(|it| (it.message, it.line))
}

/// The same text with LF line ends, ending in one.
fn tidy(text: String) -> String {
    let mut text = text.replace("\r\n", "\n");
    text.truncate(text.trim_end_matches('\n').len());
    text.push('\n');
    text
}

/// The escaping that minijinja does not provide.
const MARKDOWN: &str = "markdown";

/// The subject for which a template is rendered.
struct Subject {
    name: String,
    value: serde_json::Value,
    origin: Option<Span>,
    blame: Blame,
}

/// Renders a template: an output for each of its subjects, sorted by path.
fn emit(template: &Template, job: Job<'_>, diagnostics: &mut Diagnostics) -> Vec<Output> {
    let Job { sources, model, files, .. } = job;
    let Some(id) = files.find(&template.file.value) else {
        let message = format!("the template `{}` was not read", template.file.value);
        diagnostics.push(Diagnostic::new(Code::Template, template.file.span, message));
        return Vec::new();
    };
    let file = files.get(id);
    let mut paths = Filled { environment: environment(Escape::None), name: "out", text: &template.out.value };
    let mut body = Filled { environment: environment(template.escape), name: file.path(), text: file.text() };
    if let Err(error) = paths.environment.template_from_named_str(paths.name, paths.text) {
        diagnostics.push(in_path(template, &Failed::of(&error)));
        return Vec::new();
    }
    if let Err(error) = body.environment.template_from_named_str(body.name, body.text) {
        diagnostics.push(in_file(files, id, &Failed::of(&error), None));
        return Vec::new();
    }
    let mut outputs = Vec::new();
    let mut allowance = Allowance::of(sources);
    for subject in subjects(template.per, sources, model) {
        let value = Value::from(Serde(&subject.value));
        match (allowance.render(&mut paths, &value), allowance.render(&mut body, &value)) {
            (Ok(path), Ok(text)) => {
                let text = tidy(text);
                let hidden = "a hidden file is never looked for, so that nobody would miss its template";
                let is_hidden = path.split('/').any(|it| it.starts_with('.'));
                if let Some(why) = crate::sync::objection(&path).or_else(|| is_hidden.then_some(hidden)) {
                    let message = format!("`{path}` cannot be the path of an output: {why}");
                    diagnostics.push(
                        Diagnostic::new(Code::ConfigInvalid, template.out.span, message).label(format!("filled in for `{}`", subject.name)),
                    );
                    return Vec::new();
                }
                outputs.push(Output { path, text, origin: subject.origin, blame: subject.blame });
            }
            (path, text) => {
                // An error for one machine usually occurs for all, so it is reported once.
                diagnostics_of(path.err(), text.err(), template, files, id, &subject.name, diagnostics);
                return Vec::new();
            }
        }
    }
    outputs.sort_by(|a, b| a.path.cmp(&b.path));
    if let Some(twice) = outputs.windows(2).find(|it| it[0].path == it[1].path) {
        let message = format!("two outputs have the path `{}`", twice[0].path);
        let help = "let `out` differ for each, such as `web/{{ name }}.ts`";
        diagnostics.push(Diagnostic::new(Code::ConfigInvalid, template.out.span, message).help(help));
        return Vec::new();
    }
    outputs
}

/// A template with its settings.
struct Filled<'a> {
    environment: Environment<'static>,
    name: &'a str,
    text: &'a str,
}

/// The instructions and bytes that are left for a template, over all of its outputs.
struct Allowance {
    instructions: usize,
    bytes: usize,
    /// The limits, for messages.
    all: (usize, usize),
}

impl Allowance {
    fn of(sources: &Sources) -> Self {
        let n_bytes = sources.n_bytes();
        let all = (INSTRUCTIONS.of(n_bytes), TEMPLATE.of(n_bytes));
        Allowance { instructions: all.0, bytes: all.1, all }
    }

    /// Renders a template, and takes its work from the allowance.
    fn render(&mut self, template: &mut Filled<'_>, value: &Value) -> Result<String, Failed> {
        template.environment.set_fuel(Some(self.instructions as u64));
        let mut written = Written { bytes: Vec::new(), left: self.bytes, full: false };
        let compiled = template.environment.template_from_named_str(template.name, template.text).map_err(|error| Failed::of(&error))?;
        let rendered = compiled.render_captured_to(value, &mut written).map(|it| it.state().fuel_levels());
        let fuel = rendered.map_err(|error| {
            let (instructions, bytes) = self.all;
            let message = match error.kind() {
                _ if written.full => format!("the outputs of the template have more than {bytes} bytes"),
                ErrorKind::OutOfFuel => format!("the template executes more than {instructions} instructions"),
                _ => return Failed::of(&error),
            };
            Failed { message, line: error.line() }
        })?;
        self.instructions = fuel.map_or(self.instructions, |(_, left)| usize::try_from(left).unwrap_or(usize::MAX));
        self.bytes = written.left;
        // Each write was a text.
        Ok(String::from_utf8_lossy(&written.bytes).into_owned())
    }
}

/// An error in a template, and the line if it is known.
struct Failed {
    message: String,
    line: Option<usize>,
}

impl Failed {
    fn of(error: &Error) -> Self {
        let message = match error.detail() {
            Some(detail) => format!("{}: {detail}", error.kind()),
            None => error.kind().to_string(),
        };
        Failed { message, line: error.line() }
    }
}

/// A text of limited length.
struct Written {
    bytes: Vec<u8>,
    left: usize,
    full: bool,
}

impl io::Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.left.checked_sub(bytes.len()) {
            Some(left) => self.left = left,
            None => {
                self.full = true;
                return Err(io::ErrorKind::FileTooLarge.into());
            }
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn diagnostics_of(
    path: Option<Failed>,
    text: Option<Failed>,
    template: &Template,
    files: &Sources,
    id: SourceId,
    name: &str,
    diagnostics: &mut Diagnostics,
) {
    if let Some(error) = path {
        diagnostics.push(in_path(template, &error));
    }
    if let Some(error) = text {
        diagnostics.push(in_file(files, id, &error, Some(name)));
    }
}

fn in_path(template: &Template, error: &Failed) -> Diagnostic {
    Diagnostic::new(Code::Template, template.out.span, error.message.clone())
        .help("the path is a template, too: it may use what `file` may use")
}

fn in_file(files: &Sources, id: SourceId, error: &Failed, name: Option<&str>) -> Diagnostic {
    let text = files.get(id).text();
    let line = error.line.unwrap_or(1).max(1);
    let start: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
    let width = text[start..].lines().next().map_or(0, |it| it.trim_end().len());
    let indent = text[start..].len() - text[start..].trim_start_matches([' ', '\t']).len();
    let diagnostic = Diagnostic::new(Code::Template, Span::new(id, start + indent.min(width)..start + width), error.message.clone());
    let diagnostic = match name {
        Some(name) => diagnostic.label(format!("filled in for `{name}`")),
        None => diagnostic,
    };
    diagnostic.help("`export` shows everything that a template can use")
}

fn environment(escape: Escape) -> Environment<'static> {
    let mut environment = Environment::new();
    let auto_escape = move |_: &str| match escape {
        Escape::None => AutoEscape::None,
        Escape::Html => AutoEscape::Html,
        Escape::Json => AutoEscape::Json,
        Escape::Markdown => AutoEscape::Custom(MARKDOWN.into()),
    };
    environment.set_auto_escape_callback(auto_escape);
    environment.set_formatter(format);
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true).build();
    debug_assert!(syntax.is_ok(), "{syntax:?}");
    environment.set_syntax(syntax.unwrap_or_default());
    environment.add_filter("snake", |it: String| it.to_snake_case());
    environment.add_filter("camel", |it: String| it.to_lower_camel_case());
    environment.add_filter("pascal", |it: String| names::upper_camel(&it));
    environment.add_filter("shouty", |it: String| names::shouty(&it));
    environment.add_filter("kebab", |it: String| it.to_kebab_case());
    environment.add_filter("words", |it: String| it.to_title_case());
    environment.add_filter("cell", |it: String| Value::from_safe_string(plain(&it, Place::Cell)));
    environment
}

fn format(out: &mut Stream<'_>, state: &mut State<'_, '_>, value: &Value) -> Result<(), Error> {
    match state.auto_escape() {
        AutoEscape::Custom(it) if it == MARKDOWN && !value.is_safe() => Ok(out.write_str(&plain(&value.to_string(), Place::Cell))?),
        AutoEscape::Custom(_) => Ok(out.write_str(&value.to_string())?),
        _ => escape_formatter(out, state, value),
    }
}

fn subjects(per: Per, sources: &Sources, model: &Model) -> Vec<Subject> {
    match per {
        Per::Machine => model
            .machines
            .iter()
            .map(|it| Subject {
                name: it.name.clone(),
                value: value(&json::machine(sources, it)),
                origin: Some(it.span),
                blame: Blame::default(),
            })
            .collect(),
        Per::System => {
            let subject = |it: &statespec_lang::model::System| Subject {
                name: it.name.clone(),
                value: value(&json::system(sources, model, it)),
                origin: Some(it.span),
                blame: Blame::default(),
            };
            model.systems.iter().map(subject).collect()
        }
        Per::Project => {
            let specs = model.machines.iter().map(|it| it.source).chain(model.systems.iter().map(|it| it.source));
            let all = Blame::of_specs(specs);
            vec![Subject { name: "the project".into(), value: value(&json::project(sources, model)), origin: None, blame: all }]
        }
    }
}

/// Converts the JSON once, because templates read the same value more than once.
pub(super) fn value(json: &impl Serialize) -> serde_json::Value {
    serde_json::to_value(json).expect("the values are lists, texts, and maps with texts as keys, so serializing cannot fail")
}
