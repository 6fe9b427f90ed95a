//! The JSON Schema of the spec language, made from the same types that read it.
//!
//! Editors take it from the first line of a spec:
//! `# yaml-language-server: $schema=../docs/schema/machine.json`.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;

use crate::output::{Blame, Output};

/// The folder of the schemas, relative to the project's root.
pub const FOLDER: &str = "docs/schema";

/// One schema file for every kind of spec, sorted by path.
///
/// Draft 7, because that is what the YAML language server validates with.
pub fn outputs() -> Vec<Output> {
    let mut outputs = vec![output::<super::machine::Machine>("machine")];
    outputs.sort_by(|a, b| a.path.cmp(&b.path));
    outputs
}

fn output<T: JsonSchema>(kind: &str) -> Output {
    let mut schema = SchemaSettings::draft07().into_generator().into_root_schema_for::<T>().to_value();
    as_read(&mut schema);
    if let Value::Object(map) = &mut schema {
        map.insert("title".into(), format!("statespec {kind}").into());
    }
    // The pretty printer cannot fail on a tree of maps, lists and texts.
    let mut text = serde_json::to_string_pretty(&schema).unwrap_or_default();
    text.push('\n');
    Output { path: format!("{FOLDER}/{kind}.json"), text, origin: None, blame: Blame::default() }
}

/// What schemars takes for granted and our reader does not: a key that may be left out may not be
/// `null`, and a map whose keys may all be left out may be written as nothing (`closed:`).
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
