//! JSON Schema and OpenAPI: fragments of YAML as forms, and whole files.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};
use statespec_lang::diagnostic::{Code, Diagnostic, Diagnostics};
use statespec_lang::model::{Machine, Model};
use statespec_lang::output::{Outputs, Pending, Rendered};
use statespec_lang::source::Span;
use statespec_lang::yaml::Node;

use super::list::{Item, Kind, List, Subject, Text, four_digits, quoted};
use super::{Case, Form, Language, Objection};
use crate::backend::{Backend, Configured, Job, Reader, Section, json};

const SCHEMA: Language = Language { name: "JSON Schema in YAML", fence: "yaml", comment: ("# ", ""), columns: 80 };
const OPENAPI: Language = Language { name: "OpenAPI in YAML", fence: "yaml", comment: ("# ", ""), columns: 80 };

pub(super) const FORMS: &[Form] = &[
    Form { name: "json-schema", language: &SCHEMA, kinds: Kind::NAMES, case: Case::Camel, make: fragment },
    Form { name: "openapi", language: &OPENAPI, kinds: Kind::NAMES, case: Case::Camel, make: fragment },
];

mod keys {
    use statespec_lang::read::{Text, spec_types};

    spec_types! {
        /// JSON Schemas of names.
        pub struct JsonSchema as "`[json-schema]`" {
            /// The folder of the files, one for each machine.
            out: Text,
        }

        /// An OpenAPI file of names.
        pub struct OpenApi as "`[openapi]`" {
            /// The file, in YAML: `components.schemas` of all machines, for references from other files.
            out: Text,
        }
    }
}

fn fragment(list: &List<'_, '_>) -> Result<Text, Objection> {
    let mut text = Text::default();
    schema(&mut text, list.subject, list.name, 0);
    Ok(text)
}

/// An entry of a map of schemas, as Prettier lays it out.
fn schema(text: &mut Text, subject: &Subject<'_>, name: &str, indent: usize) {
    text.line(format!("{:indent$}{}:", "", scalar(name)));
    text.line(format!("{:indent$}  type: string", ""));
    text.line(format!("{:indent$}  enum:", ""));
    subject.items.iter().for_each(|it| text.item(it, format!("{:indent$}    - {}", "", scalar(it.wire))));
}

/// A text in YAML, plain where every version of YAML reads it as a text.
fn scalar(text: &str) -> String {
    const WORDS: &[&str] = &["true", "false", "yes", "no", "on", "off", "y", "n", "null"];
    let plain = text.starts_with(|it: char| it.is_ascii_alphabetic())
        && text.chars().all(|it| it.is_ascii_alphanumeric() || it == '_' || it == '-')
        && !WORDS.contains(&text.to_ascii_lowercase().as_str());
    let escaped = quoted(text, '"', &[], four_digits);
    match () {
        () if plain => text.to_owned(),
        // Prettier prefers quotes that need no escapes.
        () if text.contains('"') && escaped.matches('\\').count() == text.matches('"').count() => format!("'{}'", text.replace('\'', "''")),
        () => escaped,
    }
}

/// The types of a machine by their names: states, events, enums.
fn types(machine: &Machine) -> Vec<(String, Subject<'_>)> {
    let names = [Subject::states(machine, Kind::States), Subject::events(machine)];
    let enums = machine.enums.iter().map(|it| Subject::values(machine, it));
    names.into_iter().chain(enums).filter(|it| !it.items.is_empty()).map(|it| (Case::Camel.name(&it), it)).collect()
}

/// Types of some machines that have one name.
fn collisions<'m>(machines: impl Iterator<Item = &'m Machine>, section: &str) -> Vec<Diagnostic> {
    let mut seen = BTreeMap::new();
    let mut collisions = Vec::new();
    for (name, subject) in machines.flat_map(types) {
        let span = subject.of.map_or(subject.machine.span, |it| it.span);
        let is_enum = subject.of.is_some();
        if let Some((first, first_is_enum)) = seen.insert(name.clone(), (span, is_enum)) {
            // The name to change is that of an enum, if there is one.
            let (at, other) = if is_enum || !first_is_enum { (span, first) } else { (first, span) };
            let message = format!("two types would have the name `{name}` in the output of {section}");
            let diagnostic = Diagnostic::new(Code::NameCollision, at, message).also(other, "the other one");
            collisions.push(diagnostic.help("rename the enum or one of the machines"));
        }
    }
    collisions
}

/// The backend of JSON Schemas: a file for every machine.
#[derive(Debug)]
pub struct JsonSchema;

/// The JSON Schemas of a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schemas {
    /// The folder of the files.
    pub out: String,
}

impl Backend for JsonSchema {
    fn name(&self) -> &'static str {
        "json-schema"
    }

    fn about(&self) -> &'static str {
        "JSON Schemas of states, events and enums"
    }

    fn section(&self) -> Section {
        Section::table::<keys::JsonSchema>("json-schema", "JSON Schemas of the names of states, events and values; none if omitted.")
    }

    fn read(&self, section: Node, reader: &mut Reader<'_>) -> Option<Arc<dyn Configured>> {
        let keys: keys::JsonSchema = reader.keys(section)?;
        Some(Arc::new(Schemas { out: reader.path(keys.out) }))
    }
}

impl Configured for Schemas {
    fn places(&self) -> Vec<String> {
        vec![self.out.clone()]
    }

    fn unsupported(&self, model: &Model) -> Vec<Diagnostic> {
        model.machines.iter().flat_map(|it| collisions([it].into_iter(), "`[json-schema]`")).collect()
    }

    fn outputs<'a>(&'a self, job: Job<'a>, _: &mut Diagnostics) -> Outputs<'a> {
        let file = |machine: &'a Machine| {
            let path = if self.out.is_empty() { format!("{}.json", machine.name) } else { format!("{}/{}.json", self.out, machine.name) };
            let render = move || {
                let text = json::text(&definitions(machine));
                let blame = || types(machine).iter().flat_map(|(_, it)| listed(it)).collect();
                Ok(Rendered::new(text, Some(machine.span), blame))
            };
            (path, Pending::new(Some(machine.span), render))
        };
        Outputs { files: job.model.machines.iter().map(file).collect(), ..Outputs::default() }
    }
}

/// The lines of a list of JSON, each with its item.
fn listed(subject: &Subject<'_>) -> Vec<(String, Span)> {
    let last = subject.items.len() - 1;
    let line = |(idx, it): (usize, &Item<'_>)| (format!("{}{}", json!(it.wire), if idx == last { "" } else { "," }), it.span);
    subject.items.iter().enumerate().map(line).collect()
}

/// The schema of a machine: a definition for each type.
fn definitions(machine: &Machine) -> Value {
    let definition = |subject: &Subject<'_>| {
        let names: Vec<&str> = subject.items.iter().map(|it| it.wire).collect();
        json!({ "type": "string", "enum": names })
    };
    let all: serde_json::Map<String, Value> = types(machine).iter().map(|(name, it)| (name.clone(), definition(it))).collect();
    json!({ "$schema": "https://json-schema.org/draft/2020-12/schema", "title": machine.title, "$defs": all })
}

/// The backend of an OpenAPI file about all machines.
#[derive(Debug)]
pub struct OpenApi;

/// The OpenAPI file of a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Components {
    /// The file.
    pub out: String,
}

impl Backend for OpenApi {
    fn name(&self) -> &'static str {
        "openapi"
    }

    fn about(&self) -> &'static str {
        "OpenAPI schemas of states, events and enums"
    }

    fn section(&self) -> Section {
        Section::table::<keys::OpenApi>("openapi", "An OpenAPI file with the names of states, events and values; none if omitted.")
    }

    fn read(&self, section: Node, reader: &mut Reader<'_>) -> Option<Arc<dyn Configured>> {
        let keys: keys::OpenApi = reader.keys(section)?;
        let span = keys.out.span;
        let out = reader.path(keys.out);
        if ![".yaml", ".yml"].iter().any(|it| out.ends_with(it)) {
            reader.error(span, format!("`{out}` is no YAML file"), "name a file, such as `api/states.yaml`");
        }
        Some(Arc::new(Components { out }))
    }
}

impl Configured for Components {
    fn places(&self) -> Vec<String> {
        vec![self.out.clone()]
    }

    fn unsupported(&self, model: &Model) -> Vec<Diagnostic> {
        collisions(model.machines.iter(), "`[openapi]`")
    }

    fn outputs<'a>(&'a self, job: Job<'a>, _: &mut Diagnostics) -> Outputs<'a> {
        let origin = job.model.machines.first().map(|it| it.span);
        let render = move || {
            let mut text = Text::of("components:\n  schemas:");
            for (name, subject) in job.model.machines.iter().flat_map(types) {
                text.blame.push_spec(subject.machine.source);
                schema(&mut text, &subject, &name, 4);
            }
            Ok(Rendered::blaming(text.text, None, text.blame))
        };
        let file = origin.map(|_| (self.out.clone(), Pending::new(None, render)));
        Outputs { files: file.into_iter().collect(), ..Outputs::default() }
    }
}
