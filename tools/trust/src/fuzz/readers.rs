//! Readers: any bytes give a result or a message with a location.

use statespec_codegen::diagnostic::{Diagnostic, Diagnostics, Level, Style, render};
use statespec_codegen::source::{Input, Sources};
use statespec_lang::lower::{Loaded, load};
use statespec_lang::show::MachineNames;
use statespec_lang::yaml::{self, Node, NodeKind};

/// Longer messages than this are useless.
const MAX_MESSAGES: usize = 1 << 20;

/// YAML to nodes: a missing tree has a message, and every span is correct.
pub fn yaml(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let mut sources = Sources::default();
    let id = sources.add("fuzz.yaml", text);
    let mut diagnostics = Diagnostics::default();
    let node = yaml::parse(&sources, id, &mut diagnostics);
    let found = diagnostics.finish();
    assert_eq!(node.is_none(), !found.is_empty());
    check_messages(&sources, &found);
    if let Some(node) = node {
        check_spans(&sources, &node);
    }
}

/// Every span is in its file, on character boundaries, and inside the span of its parent.
fn check_spans(sources: &Sources, node: &Node) {
    let range = node.span.range();
    assert!(sources.get(node.span.source).text().get(range.clone()).is_some(), "{range:?}");
    let within = |inner: &Node| {
        let inside = inner.span.start >= node.span.start && inner.span.end <= node.span.end;
        assert!(inside || inner.span.range().is_empty(), "{:?} in {range:?}", inner.span);
        check_spans(sources, inner);
    };
    match &node.kind {
        NodeKind::Scalar { .. } => {}
        NodeKind::List(items) => items.iter().for_each(within),
        NodeKind::Map(entries) => entries.iter().for_each(|(key, value)| {
            within(key);
            within(value);
        }),
    }
}

/// One input in this many has its messages rendered: rendering takes five times as long as everything else.
const DRAWN: usize = 16;

/// Messages have a text and a location in a file, and can be rendered.
pub(super) fn check_messages(sources: &Sources, diagnostics: &[Diagnostic]) {
    for diagnostic in diagnostics {
        assert!(!diagnostic.message.is_empty());
        let places = std::iter::once(&diagnostic.primary).chain(&diagnostic.secondary);
        for (span, _) in places {
            let source = sources.get(span.source);
            assert!(!source.path().is_empty());
            // A span beyond the end of the file, or inside a character, is truncated by the renderer.
            assert!(span.start <= span.end, "{span:?} of {:?}", diagnostic.message);
            assert!(sources.location(*span).starts_with(source.path()) && sources.slice(*span).len() <= source.text().len());
        }
    }
    // The selection is the same in every run.
    let sum = diagnostics.iter().map(|it| it.message.len() + it.primary.0.start as usize).sum::<usize>();
    if !sum.is_multiple_of(DRAWN) {
        return;
    }
    let text = render(sources, diagnostics, Style::Plain);
    assert!(text.len() < MAX_MESSAGES, "{} bytes of messages", text.len());
    assert_eq!(text.is_empty(), diagnostics.is_empty());
    let n_located = text.lines().filter(|it| it.contains("-->") || it.contains("note: ")).count();
    assert!(n_located >= diagnostics.len().min(100), "{text}");
}

/// The separator between two specs of one input.
pub(super) const BETWEEN: &str = "\n====\n";

/// The specs in an input; `None` if it is not UTF-8, which the reader of files refuses.
pub(super) fn split(data: &[u8]) -> Option<Vec<Input>> {
    let text = std::str::from_utf8(data).ok()?;
    let specs = text.split(BETWEEN).take(8).enumerate();
    Some(specs.map(|(idx, text)| Input { path: format!("machines/{idx}.yaml"), text: text.into() }).collect())
}

/// Specs to the model: a model, or messages with the reasons; the order of files makes no difference.
pub fn spec(data: &[u8]) {
    let Some(mut specs) = split(data) else { return };
    let Loaded { sources, model, diagnostics, .. } = load(&specs);
    let has_errors = diagnostics.iter().any(|it| it.code.level() == Level::Error);
    assert_eq!(model.is_none(), has_errors);
    check_messages(&sources, &diagnostics);
    specs.reverse();
    assert_eq!(load(&specs).diagnostics, diagnostics);
}

/// A machine with something of every type; its guard is a placeholder.
const WORLD: &str = "machine: m
constants: { limit: 3, share: 0.70, wait: 30s, word: hello }
enums: { colour: { values: { red: {}, dark-blue: {} } } }
context: { n: int, d: decimal, t: text, b: bool, p: duration, at: timestamp, until: { type: timestamp, optional: true }, c: colour, s: state }
predicates: { lucky: {} }
states: { a: { initial: true }, o: { states: { i: { initial: true }, j: {} } } }
events: { go: { payload: { k: int } } }
transitions:
  - { from: a, event: go, to: o, when: ";

/// Guards: the displayed form of an accepted guard parses to the same guard.
pub fn expression(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Some(shown) = guard(text) {
        let again = guard(&shown);
        assert_eq!(again.as_ref(), Some(&shown), "of {text:?}");
    }
}

/// The displayed form of a guard, if the text is one.
fn guard(text: &str) -> Option<String> {
    let is_plain = |it: char| matches!(it, ' '..='~') && it != '"' && it != '\\';
    let quoted: String = text.chars().map(|it| if is_plain(it) { it.to_string() } else { format!("\\U{:08X}", u32::from(it)) }).collect();
    let loaded = load(&[Input { path: "m.yaml".into(), text: format!("{WORLD}\"{quoted}\" }}\n") }]);
    check_messages(&loaded.sources, &loaded.diagnostics);
    let model = loaded.model?;
    let machine = model.machines.first()?;
    let names = MachineNames::new(machine);
    Some(machine.transitions.first()?.guard.as_ref()?.show(&names))
}
