//! The keys of the spec language that random specs use, counted by visiting the specs along the language's JSON Schema.

use std::collections::BTreeMap;

use serde_json::Value;
use statespec_codegen::registry::BACKENDS;
use statespec_codegen::schema::schema;

use super::yaml::{Map, Yaml};

/// The keys that random specs do not use: the time that a random walkthrough would have to wait depends on every timer of its
/// system.
pub const NOT_DRAWN: [&str; 1] = ["Step.wait"];

/// The number of occurrences of each key, by the shape that has it: `State.initial`.
#[derive(Debug, Clone)]
pub struct Coverage {
    counts: BTreeMap<(String, String), u64>,
    schemas: BTreeMap<&'static str, Value>,
}

impl Coverage {
    /// All keys of machine and system files, with no occurrences.
    ///
    /// # Panics
    ///
    /// If the library has no schema of a kind.
    pub fn new() -> Coverage {
        let read = |kind: &'static str| {
            let text = schema(kind, BACKENDS).unwrap_or_else(|| panic!("there is no schema of a {kind}"));
            (kind, serde_json::from_str(&text).unwrap_or_else(|error| panic!("the schema of a {kind} is no JSON: {error}")))
        };
        let mut coverage = Coverage { counts: BTreeMap::new(), schemas: ["machine", "system"].into_iter().map(read).collect() };
        for (kind, schema) in coverage.schemas.clone() {
            coverage.declare(kind, &schema);
            for (name, definition) in schema.get("definitions").and_then(Value::as_object).into_iter().flatten() {
                coverage.declare(name, definition);
            }
        }
        coverage
    }

    fn declare(&mut self, shape: &str, schema: &Value) {
        for key in schema.get("properties").and_then(Value::as_object).into_iter().flat_map(|it| it.keys()) {
            self.counts.insert((shape.to_owned(), key.clone()), 0);
        }
    }

    /// Counts the keys of a spec.
    pub(super) fn count(&mut self, kind: &'static str, spec: &Map) {
        let Some(schema) = self.schemas.get(kind).cloned() else { return };
        self.walk(kind, &schema, &schema, &Yaml::Map(spec.clone()));
    }

    fn walk(&mut self, shape: &str, root: &Value, schema: &Value, value: &Yaml) {
        if let Some(name) = schema.get("$ref").and_then(Value::as_str).and_then(|it| it.strip_prefix("#/definitions/")) {
            return self.walk(name, root, &root["definitions"][name], value);
        }
        for choice in ["anyOf", "allOf"].iter().filter_map(|it| schema.get(it)).filter_map(Value::as_array).flatten() {
            self.walk(shape, root, choice, value);
        }
        match value {
            Yaml::Map(entries) => {
                for (key, value) in entries {
                    if let Some(inner) = schema.get("properties").and_then(|it| it.get(key)) {
                        *self.counts.entry((shape.to_owned(), key.clone())).or_default() += 1;
                        self.walk(shape, root, inner, value);
                    } else if let Some(inner) = schema.get("additionalProperties") {
                        self.walk(shape, root, inner, value);
                    }
                }
            }
            Yaml::List(items) => {
                if let Some(inner) = schema.get("items") {
                    items.iter().for_each(|it| self.walk(shape, root, inner, it));
                }
            }
            Yaml::Plain(_) | Yaml::Text(_) => {}
        }
    }

    /// Adds the occurrences in other specs.
    pub(super) fn add(&mut self, other: Coverage) {
        for (key, n) in other.counts {
            *self.counts.entry(key).or_default() += n;
        }
    }

    /// The keys that no spec has used, with those that are [`NOT_DRAWN`].
    pub fn missing(&self) -> Vec<String> {
        self.counts.iter().filter(|(_, n)| **n == 0).map(|((shape, key), _)| format!("{shape}.{key}")).collect()
    }

    /// A table with a line for each shape.
    pub fn markdown(&self) -> String {
        let mut shapes: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for ((shape, key), n) in &self.counts {
            shapes.entry(shape.strip_suffix("Body").unwrap_or(shape)).or_default().push(format!("`{key}` {n}"));
        }
        let rows = shapes.iter().map(|(shape, keys)| format!("| {shape} | {} |\n", keys.join(", ")));
        format!("| Of | Keys, and how often each occurs |\n| --- | --- |\n{}", rows.collect::<String>())
    }
}

impl Default for Coverage {
    fn default() -> Self {
        Coverage::new()
    }
}
