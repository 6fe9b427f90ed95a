//! The YAML parser, compared with an independent parser and with the schema that editors use.

use std::path::Path;

use proptest::prelude::*;
use serde_json::Value;
use statespec_codegen::diagnostic::{Diagnostics, Style, render};
use statespec_codegen::registry::BACKENDS;
use statespec_codegen::schema;
use statespec_codegen::source::{Input, Sources};
use statespec_lang::lower::load;
use statespec_lang::yaml::{self, Node, NodeKind};

use crate::project::checks::sample;

fn specs(folder: &str) -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut specs = Vec::new();
    for entry in std::fs::read_dir(&root).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|it| it == "yaml") {
            specs.push((path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read_to_string(&path).unwrap()));
        }
    }
    specs.sort();
    assert!(!specs.is_empty(), "no specs in {folder}");
    specs
}

fn read(text: &str) -> Option<Node> {
    let mut sources = Sources::default();
    let id = sources.add("test.yaml", text);
    let mut diagnostics = Diagnostics::default();
    let node = yaml::parse(&sources, id, &mut diagnostics);
    assert_eq!(node.is_none(), !diagnostics.finish().is_empty());
    node
}

/// Our tree as a value of the other parser: plain scalars get the types of YAML's core schema.
fn to_value(node: &Node) -> serde_yaml::Value {
    match &node.kind {
        NodeKind::Scalar { text, plain: true } => serde_yaml::from_str(text).unwrap_or(serde_yaml::Value::String(text.clone())),
        NodeKind::Scalar { text, plain: false } => serde_yaml::Value::String(text.clone()),
        NodeKind::List(items) => items.iter().map(to_value).collect(),
        NodeKind::Map(entries) => {
            let entries = entries.iter().map(|(key, value)| (to_value(key), to_value(value)));
            serde_yaml::Value::Mapping(entries.collect())
        }
    }
}

#[test]
fn an_independent_reader_sees_the_same_specs() {
    for (name, text) in specs("../machines") {
        let ours = to_value(&read(&text).unwrap());
        let theirs: serde_yaml::Value = serde_yaml::from_str(&text).unwrap();
        assert_eq!(ours, theirs, "{name}");
    }
}

fn validator(kind: &str) -> jsonschema::Validator {
    let text = schema::schema(kind, BACKENDS).unwrap();
    jsonschema::draft7::new(&serde_json::from_str(&text).unwrap()).unwrap()
}

#[test]
fn the_schema_accepts_every_reference_spec() {
    for (name, text) in specs("../machines") {
        let value: Value = serde_yaml::from_str(&text).unwrap();
        let kind = value.as_object().unwrap().keys().next().unwrap().clone();
        let errors: Vec<String> =
            validator(&kind).iter_errors(&value).map(|it| format!("{name}: {it} at {}", it.instance_path())).collect();
        assert_eq!(errors, Vec::<String>::new());
        let pragma = format!("# yaml-language-server: $schema=../docs/schema/{kind}.json\n");
        assert!(text.starts_with(&pragma), "{name} must start with: {pragma}");
    }
}

#[test]
fn the_schema_refuses_what_the_reader_refuses_for_its_keys_and_shapes() {
    let validator = validator("machine");
    for name in ["unknown_keys.yaml", "wrong_shapes.yaml", "missing_keys.yaml"] {
        let (_, text) = specs("tests/fixtures/bad").into_iter().find(|(it, _)| it == name).unwrap();
        let value: Value = serde_yaml::from_str(&text).unwrap();
        assert!(!validator.is_valid(&value), "{name}");
    }
}

#[test]
fn hostile_files_are_refused_at_once() {
    let deep = |open: &str, n: usize| format!("machine: {}", open.repeat(n));
    let aliases = format!("a: &a [{}]\nb: [{}]\n", "x,".repeat(20_000), "*a,".repeat(20_000));
    let hostile = [
        deep("{ a: ", 100_000),
        deep("[", 100_000),
        format!("machine:\n{}", (0..2_000).map(|depth| format!("{}-\n", " ".repeat(depth))).collect::<String>()),
        "- ".repeat(100_000),
        "? ".repeat(100_000),
        aliases,
        "\0\u{1}\u{2}".repeat(1_000),
        "%TAG ! tag:example.com,2000:\n---\nmachine: m\n".into(),
        "machine: m\n---\nmachine: n\n".repeat(1_000),
        format!("\"{}", "x".repeat(1 << 20)),
        "!!binary".repeat(10_000),
    ];
    for text in hostile {
        let loaded = load(&[Input { path: "hostile.yaml".into(), text: text.clone() }]);
        assert!(loaded.model.is_none());
        let message = render(&loaded.sources, &loaded.diagnostics, Style::Plain);
        assert!(message.contains("hostile.yaml:"), "{message}");
        assert!(message.len() < 200_000, "{} bytes of messages", message.len());
    }
}

/// Pieces of specs, valid and invalid, so that random texts resemble specs.
const PIECES: &[&str] = &[
    "machine: m\n",
    "states: ",
    "{ idle: { initial: true }, done: {} }",
    "transitions:\n",
    "  - ",
    "{ from: idle, event: go, to: done }",
    "events: ",
    "{ go: {} }",
    "when: ",
    "n + 1 > 2",
    "{",
    "}",
    "[",
    "]",
    "- ",
    ": ",
    ",",
    "\n",
    "\n  ",
    "\"",
    "'",
    "|\n",
    ">-\n",
    "&a ",
    "*a",
    "<<",
    "!!str ",
    "#",
    "é",
    "\u{202e}",
    "\0",
    "\t",
    "\r\n",
    "set: ",
    "context: { n: int }\n",
    "doc: \"{n}\"",
    "*",
    "[*]",
    "null",
    "~",
    "0.1",
    "99999999999999999999",
    "30s",
    "system: s\n",
    "document: d\n",
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(sample(2_000) as u32) })]

    #[test]
    fn no_text_makes_the_reader_panic(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..60)) {
        let loaded = load(&[Input { path: "random.yaml".into(), text: pieces.concat() }]);
        let message = render(&loaded.sources, &loaded.diagnostics, Style::Colour);
        prop_assert_eq!(loaded.model.is_none(), !message.is_empty());
    }

    #[test]
    fn a_spec_with_one_thing_changed_is_read_or_refused(at in 0usize..6_000, piece in prop::sample::select(PIECES), cut in 0usize..40) {
        let (_, text) = specs("../machines").swap_remove(at % 10);
        let floor = |mut offset: usize| { offset = offset.min(text.len()); while !text.is_char_boundary(offset) { offset -= 1; } offset };
        let (start, end) = (floor(at), floor(at + cut));
        let changed = format!("{}{piece}{}", &text[..start], &text[end..]);
        let loaded = load(&[Input { path: "changed.yaml".into(), text: changed }]);
        render(&loaded.sources, &loaded.diagnostics, Style::Plain);
        prop_assert_eq!(loaded.model.is_none(), !loaded.diagnostics.is_empty());
    }
}
