//! GitHub Actions' workflow commands: one for each annotation, shown at the line of the file in a pull request.

use super::Annotation;

/// The workflow command, ending in a newline. The text of the annotation is escaped, so it cannot begin another command.
pub(super) fn command(annotation: &Annotation) -> String {
    let place = &annotation.place;
    let mut properties = format!("file={},line={},endLine={}", property(&place.file), place.line, place.end_line);
    // GitHub accepts columns only for ranges within one line.
    if place.line == place.end_line && place.end_column > place.column {
        properties.push_str(&format!(",col={},endColumn={}", place.column, place.end_column));
    }
    if let Some(code) = annotation.code {
        properties.push_str(&format!(",title={}", property(code)));
    }
    let mut message = annotation.full_message();
    for related in &annotation.related {
        message.push_str(&format!("\n{}:{}: {}", related.place.file, related.place.line, related.label));
    }
    format!("::{} {properties}::{}\n", annotation.level, data(&message))
}

/// The escapes that the runner decodes: see `toCommandValue` in the documentation of workflow commands.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
