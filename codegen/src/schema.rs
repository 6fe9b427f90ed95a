//! The JSON Schema of the spec language, generated from the types that read it.
//!
//! Editors find it through the first line of a spec:
//! `# yaml-language-server: $schema=../docs/schema/machine.json`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};
use statespec_lang::output::{Blame, Region};

use crate::backend::Backend;
use crate::config;

/// The kinds of files that have a schema, sorted.
pub const KINDS: &[&str] = &["attempt", "changes", "config", "document", "machine", "report", "shared", "system"];

/// All schemas with their kinds. That of the configuration has the sections of these backends.
pub fn all(backends: &[&'static dyn Backend]) -> impl Iterator<Item = (&'static str, String)> {
    KINDS.iter().filter_map(|kind| Some((*kind, schema(kind, backends)?)))
}

/// The schema of one of the [`KINDS`]. That of the configuration has the sections of these backends.
///
/// Draft 7, because the YAML language server validates with it.
pub fn schema(kind: &str, backends: &[&'static dyn Backend]) -> Option<String> {
    Some(match kind {
        "attempt" => text(kind, of::<statespec_record::Line<'static>>()),
        "changes" => text(kind, of::<crate::changes::Json<'static>>()),
        "config" => text(kind, configuration(backends)),
        "document" => text(kind, of::<statespec_lang::spec::document::Document>()),
        "machine" => text(kind, of::<statespec_lang::spec::machine::Machine>()),
        "report" => text(kind, of::<crate::report::Json<'static>>()),
        "shared" => text(kind, of::<statespec_lang::spec::shared::Shared>()),
        "system" => text(kind, of::<statespec_lang::spec::system::System>()),
        _ => return None,
    })
}

fn of<T: JsonSchema>() -> Value {
    SchemaSettings::draft07().into_generator().into_root_schema_for::<T>().to_value()
}

/// The project's own keys, and those of the sections.
fn configuration(backends: &[&'static dyn Backend]) -> Value {
    let mut generator = SchemaSettings::draft07().into_generator();
    let mut root = generator.root_schema_for::<config::Written>().to_value();
    let sections = backends.iter().map(|it| it.section()).map(|it| {
        let mut schema = (it.schema)(&mut generator);
        schema.insert("description".into(), it.doc.into());
        (it.key, schema.to_value())
    });
    let mut sections: BTreeMap<&str, Value> = sections.collect();
    let own = root["properties"].as_object().cloned().unwrap_or_default();
    let mut value = |key: &str| sections.remove(key).or_else(|| own.get(key).cloned());
    let properties: Map<String, Value> = config::keys(backends).into_iter().filter_map(|key| Some((key.to_owned(), value(key)?))).collect();
    root["properties"] = properties.into();
    root["definitions"] = generator.take_definitions(true).into();
    root
}

fn text(kind: &str, mut schema: Value) -> String {
    as_read(&mut schema);
    if let Value::Object(map) = &mut schema {
        map.insert("title".into(), format!("statespec {kind}").into());
        if kind == "machine" {
            // One of the two, not both.
            let only = |key: &str| serde_json::json!({ "required": [key] });
            map.insert("oneOf".into(), vec![only("states"), only("regions")].into());
        }
    }
    let mut text = serde_json::to_string_pretty(&schema).expect("the pretty printer cannot fail on a tree of maps, lists and texts");
    text.push('\n');
    text
}

/// Adapts the output of schemars to the reader: an optional key must not be `null`, and a map whose
/// keys are all optional may be empty (`closed:`).
fn as_read(schema: &mut Value) {
    match schema {
        Value::Object(map) => {
            for value in map.values_mut() {
                as_read(value);
            }
            if let Some(Value::Array(types)) = map.get_mut("type") {
                types.retain(|it| it != "null");
                if let [only] = types.as_slice() {
                    let only = only.clone();
                    map.insert("type".into(), only);
                }
            }
            if let Some(Value::Array(choices)) = map.get_mut("anyOf") {
                choices.retain(|it| it.get("type").is_none_or(|ty| ty != "null"));
            }
            let closed_map = map.get("additionalProperties") == Some(&Value::Bool(false));
            if closed_map && !map.contains_key("required") {
                map.insert("type".into(), vec!["object", "null"].into());
            }
        }
        Value::Array(items) => items.iter_mut().for_each(as_read),
        _ => {}
    }
}

/// The address of a schema of this version, if the address of the repository is known.
pub fn published(kind: &str) -> Option<String> {
    let version = env!("CARGO_PKG_VERSION");
    crate::repository().map(|it| format!("{it}/raw/v{version}/docs/schema/{kind}.json"))
}

/// The keys of every map of the language as Markdown tables, one region each: `keys.state`.
///
/// The language reference embeds them, so it can neither name a key that the reader does not know nor
/// omit one.
pub fn regions(backends: &[&'static dyn Backend]) -> BTreeMap<String, Region> {
    let mut regions = BTreeMap::new();
    for (kind, text) in all(backends) {
        let Ok(schema) = serde_json::from_str::<Value>(&text) else { continue };
        regions.insert(format!("keys.{kind}"), key_table(&schema));
        for (name, definition) in schema.get("definitions").and_then(Value::as_object).into_iter().flatten() {
            if definition.get("properties").is_some() {
                let name = name.strip_suffix("Body").unwrap_or(name);
                regions.insert(format!("keys.{}", statespec_lang::names::snake(name)), key_table(definition));
            }
        }
    }
    regions
}

fn key_table(schema: &Value) -> Region {
    let required = |key: &str| schema.get("required").and_then(Value::as_array).is_some_and(|it| it.iter().any(|it| it == key));
    let mut text = String::from("| Key | Value | Meaning |\n| --- | --- | --- |\n");
    for (key, value) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        let doc = value.get("description").and_then(Value::as_str).unwrap_or_default();
        let must = if required(key) { ", required" } else { "" };
        text.push_str(&format!("| `{key}` | {}{must} | {} |\n", shape(value), doc.replace('\n', " ").replace('|', "\\|")));
    }
    Region { text, origin: None, blame: Blame::default() }
}

/// A name for the shape of a value.
fn shape(schema: &Value) -> String {
    if let Some(choices) = schema.get("anyOf").or_else(|| schema.get("allOf")).and_then(Value::as_array) {
        let shapes: Vec<String> = choices.iter().map(shape).collect();
        return match shapes.as_slice() {
            [one, many] if *many == format!("list of {one}") => format!("{one}, or a list"),
            [map, list] if *list == format!("list of text or {map}") => format!("{map}, or a list"),
            _ => shapes.join(" or "),
        };
    }
    if let Some(name) = schema.get("$ref").and_then(Value::as_str) {
        let name = name.rsplit('/').next().unwrap_or(name);
        return match name {
            "ConstantOrValue" => "constant".into(),
            name => statespec_lang::names::snake(name.strip_suffix("Body").unwrap_or(name)).replace('_', " "),
        };
    }
    if schema.get("not").is_some() {
        return "expression".into();
    }
    match schema.get("type") {
        Some(Value::String(ty)) if ty == "array" => format!("list of {}", schema.get("items").map(shape).unwrap_or_default()),
        Some(Value::String(ty)) if ty == "integer" => "number".into(),
        Some(Value::String(ty)) if ty == "boolean" => "true or false".into(),
        Some(Value::String(ty)) if ty == "object" => {
            format!("map of {}", schema.get("additionalProperties").map(shape).unwrap_or_default())
        }
        Some(_) => "text".into(),
        None => "value".into(),
    }
}
