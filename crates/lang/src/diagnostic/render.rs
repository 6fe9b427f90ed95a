//! Diagnostics as text that looks like rustc's.

use annotate_snippets::{AnnotationKind, Group, Level as Severity, Renderer, Snippet};

use super::{Diagnostic, Level};
use crate::chars::visible;
use crate::source::{Sources, Span, floor_char_boundary};

/// Plain text or terminal colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// No escape sequences.
    Plain,
    /// ANSI colours; the terminal stream strips them if they are not wanted.
    Colour,
}

/// The number of diagnostics that are drawn; the rest is counted. Drawing tens of thousands takes minutes.
const MAX_DRAWN: usize = 100;

/// The length from which a line is not quoted: the snippet would hide the message.
const MAX_QUOTED_LINE: usize = 2_000;

/// The length from which only the relevant lines are passed to the renderer, which reads its whole input.
const MAX_GIVEN: usize = 1 << 16;

/// Renders all diagnostics, one after another, each ending in a newline.
pub fn render(sources: &Sources, diagnostics: &[Diagnostic], style: Style) -> String {
    let renderer = match style {
        Style::Plain => Renderer::plain(),
        Style::Colour => Renderer::styled(),
    };
    let mut text = String::new();
    for diagnostic in diagnostics.iter().take(MAX_DRAWN) {
        text.push_str(&renderer.render(&[group(sources, diagnostic)]));
        text.push_str("\n\n");
    }
    if diagnostics.len() > MAX_DRAWN {
        text.push_str(&format!("… and {} more\n\n", diagnostics.len() - MAX_DRAWN));
    }
    text
}

fn group<'a>(sources: &'a Sources, diagnostic: &'a Diagnostic) -> Group<'a> {
    let severity = match diagnostic.level {
        Level::Error => Severity::ERROR,
        Level::Warning => Severity::WARNING,
    };
    let title = severity.primary_title(diagnostic.message.as_str()).id(diagnostic.code.id());
    let mut group = Group::with_title(title);
    let mut files = vec![diagnostic.primary.0.source];
    for (span, _) in &diagnostic.secondary {
        if !files.contains(&span.source) {
            files.push(span.source);
        }
    }
    for file in files {
        let source = sources.get(file);
        let in_file = |span: &Span| span.source == file;
        let places: Vec<_> = std::iter::once((&diagnostic.primary, AnnotationKind::Primary))
            .chain(diagnostic.secondary.iter().map(|it| (it, AnnotationKind::Context)))
            .filter(|((span, _), _)| in_file(span))
            .collect();
        if let Some(((span, label), _)) = places.iter().find(|((span, _), _)| quotes_long_line(source.text(), *span)) {
            let (line, column) = source.line_column(span.start as usize);
            let label = if label.is_empty() { String::new() } else { format!(": {label}") };
            let text = format!("{}:{line}:{column}{label} (the line is too long to show)", visible(source.path()));
            group = group.element(Severity::NOTE.message(text));
            continue;
        }
        // The input must be short; in a long text the places are rendered one after the other.
        let is_long = source.text().len() > MAX_GIVEN;
        for places in places.chunks(if is_long { 1 } else { places.len().max(1) }) {
            let lines = if is_long { line_around(source.text(), places[0].0.0) } else { 0..source.text().len() };
            let (first_line, _) = source.line_column(lines.start);
            let mut snippet = Snippet::source(&source.text()[lines.clone()]).line_start(first_line).path(visible(source.path()));
            for ((span, label), kind) in places {
                let range = clamp(source.text(), *span);
                let range = range.start - lines.start..range.end - lines.start;
                snippet = snippet.annotation(kind.span(range).label((!label.is_empty()).then_some(label.as_str())));
            }
            group = group.element(snippet);
        }
    }
    match &diagnostic.help {
        Some(help) => group.element(Severity::HELP.message(help.as_str())),
        None => group,
    }
}

/// The renderer panics past the end and inside a character, and draws every line of a long span, so the
/// range is reduced to whole characters of the first line.
fn clamp(text: &str, span: Span) -> std::ops::Range<usize> {
    let start = floor_char_boundary(text, span.start as usize);
    let line_end = text[start..].find('\n').map_or(text.len(), |idx| start + idx);
    let end = floor_char_boundary(text, span.end as usize).min(line_end);
    start..end.max(start)
}

fn quotes_long_line(text: &str, span: Span) -> bool {
    line_around(text, span).len() > MAX_QUOTED_LINE
}

/// The line in which a span begins.
fn line_around(text: &str, span: Span) -> std::ops::Range<usize> {
    let start = floor_char_boundary(text, span.start as usize);
    let line_start = text[..start].rfind('\n').map_or(0, |idx| idx + 1);
    let line_end = text[start..].find('\n').map_or(text.len(), |idx| start + idx);
    line_start..line_end
}
