//! Mermaid state diagrams: parsed as Mermaid parses them, then converted to a draft.

mod codes;
mod lexer;
mod parse;
mod whole;

use statespec_lang::diagnostic::{Code, Diagnostic};
use statespec_lang::source::{SourceId, Sources};

use super::diagram::{self, Block};
use super::draft::{Draft, Findings};
use super::naming::machine_name;

/// Whether a text begins with a state diagram, ignoring comments, directives and front matter.
pub(super) fn is_state_diagram(text: &str) -> bool {
    header(text).is_some()
}

/// A file with a single diagram.
pub(super) fn read_file(sources: &Sources, id: SourceId, found: &mut Findings) -> Option<Draft> {
    let source = sources.get(id);
    let block = Block::new(id, [(0, source.text())]);
    let stem = super::naming::stem(source.path());
    match read_block(&block, &stem, None) {
        Ok(draft) => Some(Draft { name: machine_name(&draft.name), ..draft }),
        Err(problem) => {
            found.0.push(problem);
            None
        }
    }
}

/// One diagram. `name` and `title` come from the page; the diagram's own title has priority.
pub(super) fn read_block(block: &Block, name: &str, title: Option<&str>) -> Result<Draft, Diagnostic> {
    let block = &block.with_text(codes::encode(block.text()));
    let Some(header) = header(block.text()) else {
        let help = "a state diagram begins with `stateDiagram-v2`";
        return Err(Diagnostic::new(Code::ImportUnreadable, block.first_line(), "this is not a state diagram").help(help));
    };
    let diagram = parse::parse(block, &header).map_err(|it| it.at(block))?;
    diagram::draft(diagram, name, title, block)
}

/// The part before the diagram proper.
pub(super) struct Header {
    /// The position after `stateDiagram`.
    end: usize,
    title: Option<String>,
    /// The ranges of settings: front matter other than a title, directives.
    settings: Vec<std::ops::Range<usize>>,
    comments: Vec<String>,
}

fn header(text: &str) -> Option<Header> {
    let mut header = Header { end: 0, title: None, settings: Vec::new(), comments: Vec::new() };
    front_matter(text, &mut header);
    loop {
        let rest = &text[header.end..];
        let start = text.len() - rest.trim_start().len();
        let rest = &text[start..];
        header.end = start;
        if rest.starts_with("%%{") {
            let length = rest.find("}%%")? + 3;
            header.settings.push(start..start + length);
            header.end += length;
        } else if let Some(comment) = rest.strip_prefix("%%") {
            let line = comment.split('\n').next().unwrap_or_default();
            header.comments.extend(Some(codes::written(line.trim())).filter(|it| !it.is_empty()));
            header.end += 2 + line.len();
        } else {
            break;
        }
    }
    let rest = &text[header.end..];
    let behind = rest.get(.."stateDiagram".len()).filter(|it| it.eq_ignore_ascii_case("stateDiagram")).map(|it| &rest[it.len()..])?;
    let behind = behind.get(..3).filter(|it| it.eq_ignore_ascii_case("-v2")).map_or(behind, |_| &behind[3..]);
    if !behind.is_empty() && !behind.starts_with(char::is_whitespace) {
        return None;
    }
    header.end = text.len() - behind.len();
    Some(header)
}

/// `---`, keys, `---`.
fn front_matter(text: &str, header: &mut Header) {
    let mut lines = text.split_inclusive('\n');
    let mut offset = 0;
    // Blank lines before it are permitted.
    let Some(first) = lines.by_ref().find(|line| {
        offset += line.len();
        !line.trim().is_empty()
    }) else {
        return;
    };
    if first.trim() != "---" {
        return;
    }
    let start = offset;
    let mut title = None;
    let mut settings = Vec::new();
    for line in lines {
        let range = offset..offset + line.trim_end().len();
        offset += line.len();
        if line.trim() == "---" {
            header.end = offset;
            header.title = title;
            header.settings.extend(settings);
            return;
        }
        match line.strip_prefix("title:") {
            Some(value) => title = Some(value.trim().trim_matches(['"', '\'']).to_owned()).filter(|it| !it.is_empty()),
            // One finding covers all of them.
            None if !line.trim().is_empty() && settings.is_empty() && range.start >= start => settings.push(range),
            None => {}
        }
    }
}
