//! GitHub Actions' workflow commands: one for each annotation, shown at the line of the file in a pull request.

use statespec_lang::chars::visible;

use super::{Annotation, AuditSummary};

/// The number of outputs that an annotation lists.
const MAX_OUTPUTS: usize = 20;

/// The workflow command, ending in a newline. The text of the annotation is escaped, so it cannot begin another command.
pub(super) fn command(annotation: &Annotation) -> String {
    let place = &annotation.place;
    let mut properties = format!("file={}", property(&place.file));
    if !place.is_whole_file() {
        properties.push_str(&format!(",line={},endLine={}", place.line, place.end_line));
    }
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
    let others: Vec<_> = annotation.outputs.iter().filter(|it| it.file != place.file).collect();
    for output in others.iter().take(MAX_OUTPUTS) {
        let line = output.any_line().map_or_else(String::new, |it| format!(":{it}"));
        message.push_str(&format!("\n{}{line}", output.file));
    }
    if others.len() > MAX_OUTPUTS {
        message.push_str(&format!("\nand {} more", others.len() - MAX_OUTPUTS));
    }
    format!("::{} {properties}::{}\n", annotation.level, data(&message))
}

/// The numbers of an audit as a notice without a place, ending in a newline.
pub(super) fn notice(audit: &AuditSummary) -> String {
    format!("::notice title={}::{}\n", property(&format!("audit of {}", audit.machine)), data(audit.text.trim_end()))
}

/// The escapes that the runner decodes: see `toCommandValue` in the documentation of workflow commands. Other control characters are
/// shown: the runner prints them into a log.
fn data(text: &str) -> String {
    let lines: Vec<String> = text.split('\n').map(visible).collect();
    lines.join("\n").replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
