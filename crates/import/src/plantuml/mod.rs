//! PlantUML state diagrams: parsed as PlantUML parses them, then converted to a draft as those of Mermaid are.

mod arrow;
mod homes;
mod lines;
mod parse;
mod preprocessor;
mod statement;
mod text;

use statespec_lang::diagnostic::{Code, Diagnostic};
use statespec_lang::source::{SourceId, Sources};

use super::diagram::{self, Block};
use super::draft::{Draft, Findings};
use super::naming::{Namer, machine_name};

/// One diagram of a text.
pub(super) struct Part {
    pub(super) block: Block,
    /// The name behind `@startuml`.
    name: Option<String>,
    /// Whether it is drawn by PlantUML's own language, and not one such as `@startjson`.
    is_uml: bool,
}

impl Part {
    /// Whether it is a state diagram. PlantUML has no word for that: it is one if it reads as one.
    pub(super) fn is_state_diagram(&self) -> bool {
        self.is_uml && parse::is_state_diagram(&self.block)
    }
}

/// Whether a text begins with a diagram of PlantUML.
pub(super) fn is_plantuml(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim).filter(|it| !it.is_empty() && !it.starts_with('\''));
    lines.next().is_some_and(|it| start(it).is_some())
}

/// The diagrams of a text: from each `@start…` to its `@end…`. A text without these is one diagram.
pub(super) fn parts(block: &Block) -> Vec<Part> {
    let mut parts = Vec::new();
    // The position behind the line of the start, its name, and whether it is UML.
    let mut open: Option<(usize, Option<String>, bool)> = None;
    let mut offset = 0;
    let text = block.text();
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim();
        let ends = trimmed.get(..4).is_some_and(|it| it.eq_ignore_ascii_case("@end"));
        let starts = start(trimmed);
        if let Some((from, name, is_uml)) = open.take_if(|_| ends || starts.is_some()) {
            parts.push(Part { block: block.part(from..offset), name, is_uml });
        }
        offset += line.len();
        if let Some((kind, name)) = starts {
            open = Some((offset, name, kind.eq_ignore_ascii_case("uml")));
        }
    }
    if let Some((from, name, is_uml)) = open {
        parts.push(Part { block: block.part(from..text.len()), name, is_uml });
    }
    if parts.is_empty() {
        parts.push(Part { block: block.clone(), name: None, is_uml: true });
    }
    parts
}

/// The kind and the name of a diagram that begins with this line: `@startuml order-life`, `@startuml(id=ORDER)`.
fn start(line: &str) -> Option<(&str, Option<String>)> {
    let behind = line.get(..6).filter(|it| it.eq_ignore_ascii_case("@start")).map(|it| &line[it.len()..])?;
    let length = behind.find(|it: char| !it.is_ascii_alphanumeric()).unwrap_or(behind.len());
    let (kind, rest) = behind.split_at(length);
    let rest = match rest.strip_prefix('(').and_then(|it| it.split_once(')')) {
        Some((id, name)) if name.trim().is_empty() => id.trim().strip_prefix("id").map_or(id, |it| it.trim_start_matches([' ', '='])),
        Some((_, name)) => name,
        None => rest.split('{').next().unwrap_or(rest),
    };
    // A name may be that of the picture's file.
    let name = rest.trim().trim_matches('"').rsplit('/').next().unwrap_or_default();
    let name = [".png", ".svg", ".puml"].iter().find_map(|it| name.strip_suffix(it)).unwrap_or(name).trim();
    (!kind.is_empty()).then(|| (kind, Some(name.to_owned()).filter(|it| !it.is_empty())))
}

/// A file with diagrams. Those that are no state diagrams are passed over, unless there is no other.
pub(super) fn read_file(sources: &Sources, id: SourceId, found: &mut Findings) -> Vec<Draft> {
    let source = sources.get(id);
    let stem = super::naming::stem(source.path());
    let (of_states, others): (Vec<Part>, Vec<Part>) =
        parts(&Block::new(id, [(0, source.text())])).into_iter().partition(Part::is_state_diagram);
    for other in others {
        let message = "this is not a state diagram";
        match of_states.is_empty() {
            true => {
                let help = "a state diagram of PlantUML has arrows such as `[*] --> first` or declares its states: `state first`";
                found.unreadable_help(other.block.first_line(), message, help);
            }
            false => found.ignored(other.block.first_line(), format!("{message}: it was passed over")),
        }
    }
    let mut namer = Namer::new("machine", statespec_lang::names::snake);
    let mut drafts = Vec::new();
    for part in of_states {
        match read_part(&part, &stem, None) {
            Ok(draft) => drafts.push(Draft { name: namer.fresh(&machine_name(&draft.name)), ..draft }),
            Err(problem) => found.0.push(problem),
        }
    }
    drafts
}

/// One diagram. `name` and `title` come from the page; the diagram's own title has priority, then its own name.
pub(super) fn read_part(part: &Part, name: &str, title: Option<&str>) -> Result<Draft, Diagnostic> {
    if !part.is_uml {
        return Err(Diagnostic::new(Code::ImportUnreadable, part.block.first_line(), "this is not a state diagram"));
    }
    let diagram = parse::parse(&part.block).map_err(|it| it.at(&part.block))?;
    let own = part.name.as_deref().filter(|it| !super::naming::is_generic(it));
    diagram::draft(diagram, own.unwrap_or(name), title, &part.block)
}
