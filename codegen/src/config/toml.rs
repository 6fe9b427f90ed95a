//! Converts TOML to the same tree of nodes as YAML, so that both share one reader.

use statespec_lang::diagnostic::{Code, Diagnostic, Diagnostics};
use statespec_lang::limits::SPEC as MAX_BYTES;
use statespec_lang::source::{SourceId, Sources, Span};
use statespec_lang::yaml::{Node, NodeKind};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Reads one file. If it is invalid there is at least one diagnostic.
pub(super) fn parse(sources: &Sources, id: SourceId, diagnostics: &mut Diagnostics) -> Option<Node> {
    let text = sources.get(id).text();
    if text.len() > MAX_BYTES {
        let message = format!("the file has {} bytes; a configuration may have {MAX_BYTES}", text.len());
        diagnostics.push(Diagnostic::new(Code::ConfigSyntax, Span::new(id, 0..0), message));
        return None;
    }
    let (table, errors) = DeTable::parse_recoverable(text);
    for error in &errors {
        let span = Span::new(id, error.span().unwrap_or(0..0));
        // The parser's messages are sometimes fragments over several lines.
        let message = error.message().split('\n').collect::<Vec<_>>().join("; ");
        let diagnostic = Diagnostic::new(Code::ConfigSyntax, span, message);
        let is_bare = diagnostic.message.contains("must be quoted");
        diagnostics.push(if is_bare { diagnostic.help("write it as `key = \"text\"`") } else { diagnostic });
    }
    errors.is_empty().then(|| map(id, table.get_ref(), Span::new(id, table.span())))
}

fn map(id: SourceId, table: &DeTable<'_>, span: Span) -> Node {
    let mut entries: Vec<(Node, Node)> = table.iter().map(|(key, value)| (text(id, key.get_ref(), key.span()), node(id, value))).collect();
    // The parser sorts by name; the order of the file is restored.
    entries.sort_by_key(|(key, _)| key.span);
    Node { kind: NodeKind::Map(entries), span }
}

fn node(id: SourceId, value: &Spanned<DeValue<'_>>) -> Node {
    let span = Span::new(id, value.span());
    let plain = |text: &str| Node { kind: NodeKind::Scalar { text: text.to_owned(), plain: true }, span };
    match value.get_ref() {
        DeValue::String(it) => text(id, it, value.span()),
        DeValue::Integer(it) => plain(it.as_str()),
        DeValue::Float(it) => plain(it.as_str()),
        DeValue::Boolean(it) => plain(if *it { "true" } else { "false" }),
        DeValue::Datetime(it) => plain(&it.to_string()),
        DeValue::Array(items) => Node { kind: NodeKind::List(items.iter().map(|it| node(id, it)).collect()), span },
        DeValue::Table(table) => map(id, table, span),
    }
}

fn text(id: SourceId, text: &str, range: std::ops::Range<usize>) -> Node {
    Node { kind: NodeKind::Scalar { text: text.to_owned(), plain: false }, span: Span::new(id, range) }
}
