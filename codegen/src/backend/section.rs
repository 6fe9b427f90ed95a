//! A backend's section of `statespec.toml`: its description, and what reading it has in common with other sections.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use statespec_lang::diagnostic::{Code, Diagnostic, Diagnostics, suggest};
use statespec_lang::read::{OneOrMany, Read, Text};
use statespec_lang::source::Span;
use statespec_lang::yaml::Node;

/// The description of a section.
#[derive(Debug, Clone, Copy)]
pub struct Section {
    /// The key in the configuration.
    pub key: &'static str,
    /// The meaning, for the schema and for the table of keys.
    pub doc: &'static str,
    /// Whether it is an array of tables, `[[key]]`; otherwise it is one table, `[key]`.
    pub is_array: bool,
    /// The schema of the value, from the type that reads it.
    pub schema: fn(&mut SchemaGenerator) -> Schema,
}

impl Section {
    /// A table, `[key]`, with the keys of `T`.
    pub fn table<T: JsonSchema>(key: &'static str, doc: &'static str) -> Section {
        Section { key, doc, is_array: false, schema: |it| it.subschema_for::<Option<T>>() }
    }

    /// An array of tables, `[[key]]`, each with the keys of `T`.
    pub fn array<T: JsonSchema>(key: &'static str, doc: &'static str) -> Section {
        Section { key, doc, is_array: true, schema: |it| it.subschema_for::<Option<Vec<T>>>() }
    }
}

/// Reads sections and collects their errors: first those of keys, then those of values.
#[derive(Debug)]
pub struct Reader<'a> {
    diagnostics: &'a mut Diagnostics,
    /// The errors of values; they count once all keys are valid.
    errors: Vec<Diagnostic>,
}

impl<'a> Reader<'a> {
    /// A reader that reports errors of keys at once.
    pub(crate) fn new(diagnostics: &'a mut Diagnostics) -> Self {
        Reader { diagnostics, errors: Vec::new() }
    }

    /// Reports the errors of values, too.
    pub(crate) fn finish(self) {
        self.errors.into_iter().for_each(|it| self.diagnostics.push(it));
    }

    /// Reads the keys of a node; `None` if they are invalid.
    pub fn keys<T: Read>(&mut self, node: Node) -> Option<T> {
        T::read(node, self.diagnostics)
    }

    /// Reports an error of a value.
    pub fn error(&mut self, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.errors.push(Diagnostic::new(Code::ConfigInvalid, span, message).help(help));
    }

    /// A path in the project, without a slash at its end.
    pub fn path(&mut self, path: Text) -> String {
        let tidy = path.value.trim_end_matches('/').to_owned();
        if let Some(objection) = crate::sync::objection(&tidy) {
            let help = "write it from the project's root on, with forward slashes";
            self.error(path.span, format!("`{}` is no path in the project: {objection}", path.value), help);
        }
        tidy
    }

    /// Paths in the project; the usual ones if the key is omitted.
    pub fn paths(&mut self, written: Option<OneOrMany<Text>>, usual: Vec<String>) -> Vec<String> {
        written.map_or(usual, |it| it.0.into_iter().map(|it| self.path(it)).collect())
    }

    /// One of several words; the first replaces an unknown one.
    pub fn choice<T: Copy>(&mut self, key: &str, written: &Text, choices: &[(&str, T)]) -> T {
        if let Some((_, choice)) = choices.iter().find(|(word, _)| *word == written.value) {
            return *choice;
        }
        let help = suggest(&written.value, choices.iter().map(|(word, _)| *word)).unwrap_or_default();
        self.error(written.span, format!("`{key}` cannot be `{}`", written.value), help);
        choices[0].1
    }
}
