//! Reads pages: every state diagram and every table of transitions in them.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Options as MarkdownOptions, Parser, Tag, TagEnd};

use super::diagram::Block;
use super::draft::{Draft, Findings};
use super::flat::Flat;
use super::mermaid;
use super::naming::{Namer, machine_name, slug, without_number};
use super::plantuml;
use super::table::{Cell, Edges, Table};
use super::{Options, beside, phrase, span};
use crate::diagnostic::Diagnostic;
use crate::source::{SourceId, Sources};
use crate::sync::{marker, region};

/// The contents of a page.
pub(super) struct Read {
    pub(super) drafts: Vec<Draft>,
    /// The page with markers around the imported parts.
    pub(super) page: Option<String>,
}

/// A diagram or table, and its context in the page.
struct Piece {
    what: What,
    range: Range<usize>,
    /// Whether it is inside a list, a quote or an admonition.
    contained: bool,
    /// The headings above it, outermost first.
    headings: Vec<String>,
    /// The paragraph right before it.
    before: String,
}

impl Piece {
    /// The text that says that the piece shows what is not allowed.
    fn forbids(&self) -> Option<&str> {
        let of_steps =
            |it: &&String| ["transition", "change", "move", "edge", "path", "jump"].iter().any(|word| it.to_lowercase().contains(word));
        let outer = self.headings.iter().filter(of_steps);
        // A paragraph may be long: what introduces a table is its last sentence.
        let sentence = self.before.trim_end_matches(['.', ':', ' ']).rsplit(". ").next().unwrap_or_default();
        // `Valid transitions`, whatever the paragraph says of the others.
        let is_positive =
            |it: &String| phrase::words(it).iter().any(|it| matches!(it.as_str(), "valid" | "allowed" | "legal" | "permitted"));
        let sentence = if self.headings.last().is_some_and(is_positive) { "" } else { sentence };
        outer.chain(self.headings.last()).map(String::as_str).chain([sentence]).find(|it| phrase::is_negative(it))
    }

    /// The heading, if it says that a table is a mapping: `Old state mapping`.
    fn maps(&self) -> Option<&str> {
        let heading = self.headings.last()?;
        let words = phrase::words(heading);
        let is = |it: &String| matches!(it.as_str(), "mapping" | "mappings" | "conversion" | "conversions" | "correspondence" | "renaming");
        words.iter().any(is).then_some(heading)
    }

    /// Whether the text around it, or the name of the file, speaks of states.
    fn is_about_states(&self, stem: &str) -> bool {
        let all =
            ["state", "states", "status", "statuses", "lifecycle", "cycle", "transition", "transitions", "workflow", "machine", "fsm"];
        let texts = self.headings.iter().chain([&self.before]).map(String::as_str).chain([stem]);
        let mut words = texts.flat_map(phrase::words);
        words.any(|it| all.contains(&it.as_str()))
    }
}

enum What {
    Diagram(Diagram),
    Table(Table),
}

/// A state diagram.
enum Diagram {
    Mermaid(Block),
    PlantUml(plantuml::Part),
}

impl Diagram {
    /// The state diagrams in a fence with this word.
    fn all(block: Block, notation: Notation) -> Vec<Diagram> {
        if notation != Notation::PlantUml && mermaid::is_state_diagram(block.text()) {
            return vec![Diagram::Mermaid(block)];
        }
        if notation == Notation::PlantUml || (notation == Notation::Any && plantuml::is_plantuml(block.text())) {
            let parts = plantuml::parts(&block).into_iter().filter(plantuml::Part::is_state_diagram);
            return parts.map(Diagram::PlantUml).collect();
        }
        Vec::new()
    }

    fn block(&self) -> &Block {
        match self {
            Diagram::Mermaid(block) => block,
            Diagram::PlantUml(part) => &part.block,
        }
    }

    fn read(&self, name: &str, title: Option<&str>) -> Result<Draft, Diagnostic> {
        match self {
            Diagram::Mermaid(block) => mermaid::read_block(block, name, title),
            Diagram::PlantUml(part) => plantuml::read_part(part, name, title),
        }
    }
}

/// The notation that the word of a fence names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Notation {
    Mermaid,
    PlantUml,
    /// No word, or one that other languages use, too.
    Any,
}

/// The view of a machine that no region of a page has.
const MATRIX: &str = "matrix";

/// A machine of the page and the piece that it was read from.
struct Machine {
    draft: Draft,
    piece: usize,
    view: &'static str,
}

/// Reads a page.
pub(super) fn read(sources: &Sources, id: SourceId, options: &Options, found: &mut Findings) -> Read {
    let source = sources.get(id);
    let text = source.text();
    let stem = stem(source.path());
    let pieces = pieces(text, id);
    let mut machines: Vec<Machine> = Vec::new();
    let mut forbidden = Vec::new();
    let mut n_failed = 0;
    let n_before = found.0.len();
    for (idx, piece) in pieces.iter().enumerate() {
        let What::Diagram(diagram) = &piece.what else { continue };
        if let Some(why) = piece.forbids() {
            found.loss(
                diagram.block().first_line(),
                format!("`{why}`: the diagram shows what is not allowed, so nothing was imported from it"),
            );
            continue;
        }
        let (name, title) = called(piece, &stem);
        match diagram.read(&name, title.as_deref()) {
            Ok(draft) => machines.push(Machine { draft, piece: idx, view: "diagram" }),
            Err(problem) => {
                n_failed += 1;
                found.0.push(problem);
            }
        }
    }
    let mut unread = Vec::new();
    for (idx, piece) in pieces.iter().enumerate() {
        let What::Table(table) = &piece.what else { continue };
        let Some(edges) = Edges::new(table, id, piece.is_about_states(&stem)) else {
            unread.push((table, piece.is_about_states(&stem)));
            continue;
        };
        if let Some(heading) = edges.tests() {
            found.loss(span(id, edges.head_range()), lists_tests(heading));
            continue;
        }
        let why = piece.forbids().filter(|_| !edges.is_explicit()).or(edges.forbids.then_some("forbidden"));
        if let Some(why) = why {
            forbidden.push((idx, edges, why));
            continue;
        }
        if let Some(heading) = piece.maps().filter(|_| edges.is_adjacency()) {
            let message = format!("`{heading}`: the table says which names become others, so nothing was imported from it");
            found.loss(span(id, edges.head_range()), message);
            continue;
        }
        match described(&edges, piece, &pieces, &machines, |it| it.view == "diagram") {
            Some(machine) => beside::compare(&edges, &mut machines[machine].draft, id),
            None => {
                let (name, title) = called(piece, &stem);
                let view = match edges.is_adjacency() {
                    _ if edges.is_matrix() => MATRIX,
                    true => "adjacency",
                    false => "transitions",
                };
                let draft = edges.draft(&name, title.as_deref());
                if draft.states.is_empty() {
                    found.0.extend(draft.found.0);
                    found.loss(span(id, edges.head_range()), "no row of this table says a step: nothing was imported from it");
                    continue;
                }
                machines.push(Machine { draft, piece: idx, view });
            }
        }
    }
    for (table, about_states) in unread {
        if let Some(why) = table.why_no_matrix().filter(|_| about_states) {
            found.loss(span(id, table.head_range()), format!("this table was not read: {why}"));
        } else if machines.iter().any(|it| table.names_states_of(&it.draft)) {
            let message = match table.tests() {
                Some(heading) => lists_tests(&heading),
                None => "most rows of this table name states, and its headings do not say what they are: it was not read".to_owned(),
            };
            found.loss(span(id, table.head_range()), message);
        }
    }
    let n_forbidden = forbidden.len();
    for (idx, edges, why) in forbidden {
        match described(&edges, &pieces[idx], &pieces, &machines, |_| true) {
            Some(machine) => beside::forbid(edges, &mut machines[machine].draft),
            None => {
                let message = format!("`{why}`: the table lists what is not allowed, so nothing was imported from it");
                found.loss(span(id, edges.head_range()), message);
            }
        }
    }
    machines.sort_by_key(|it| it.piece);
    let mut namer = Namer::new("machine", crate::names::snake);
    for machine in &mut machines {
        machine.draft.name = namer.fresh(&machine_name(&machine.draft.name));
    }
    if machines.is_empty() && n_failed == 0 {
        let message = if n_forbidden > 0 {
            "this page lists forbidden transitions only"
        } else if found.0.len() > n_before {
            "nothing of this page was imported"
        } else {
            "this page has no state diagram and no table of transitions"
        };
        found.unreadable_help(
            span(id, 0..1),
            message,
            "a diagram stands in a ```mermaid or ```plantuml block; a table has columns such as From, To and Trigger",
        );
    }
    if let Some(only) = &options.only {
        let known: Vec<String> = machines.iter().map(|it| format!("`{}`", it.draft.name)).collect();
        machines.retain(|it| it.draft.name == *only);
        if machines.is_empty() && !known.is_empty() {
            let message = format!("this page has no machine `{only}`");
            found.unreadable_help(span(id, 0..1), message, format!("there are: {}", known.join(", ")));
        }
    }
    let page = if options.markers { mark(text, &pieces, &machines, id, found) } else { None };
    Read { drafts: machines.into_iter().map(|it| it.draft).collect(), page }
}

/// The message about a table with this heading of test cases.
fn lists_tests(heading: &str) -> String {
    format!("`{heading}`: the table lists test cases, so nothing was imported from it")
}

/// The diagrams and tables of a page, in order.
fn pieces(page: &str, id: SourceId) -> Vec<Piece> {
    let flat = Flat::new(page);
    let text = flat.text.as_ref();
    let options = MarkdownOptions::ENABLE_TABLES | MarkdownOptions::ENABLE_YAML_STYLE_METADATA_BLOCKS;
    let mut found: Vec<Piece> = Vec::new();
    let mut headings: Vec<(usize, String)> = Vec::new();
    let mut heading: Option<(usize, String)> = None;
    let mut code: Option<(Notation, Vec<Range<usize>>)> = None;
    let mut table: Option<Table> = None;
    let mut cell: Option<Cell> = None;
    let mut depth = 0usize;
    // The last paragraph, until another block follows.
    let mut before = String::new();
    let mut paragraph: Option<String> = None;
    for (event, flat_range) in Parser::new_ext(text, options).into_offset_iter() {
        let range = flat.place(&flat_range);
        let contained = depth > 0 || flat.is_inside(&flat_range);
        match event {
            Event::Start(Tag::Paragraph) => paragraph = Some(String::new()),
            Event::End(TagEnd::Paragraph) => before = paragraph.take().unwrap_or_default(),
            Event::Start(Tag::Heading { level, .. }) => heading = Some((level as usize, String::new())),
            Event::End(TagEnd::Heading(_)) => {
                before.clear();
                if let Some((level, words)) = heading.take() {
                    headings.retain(|(it, _)| *it < level);
                    headings.push((level, words.trim().to_owned()));
                }
            }
            Event::Start(Tag::BlockQuote(_) | Tag::List(_) | Tag::Item) => depth += 1,
            Event::End(TagEnd::BlockQuote(_) | TagEnd::List(_) | TagEnd::Item) => {
                depth = depth.saturating_sub(1);
                before.clear();
            }
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => code = notation(&info).map(|it| (it, Vec::new())),
            Event::End(TagEnd::CodeBlock) => {
                let Some((notation, parts)) = code.take() else {
                    before.clear();
                    continue;
                };
                // An admonition indents every line, so every line is a piece.
                let lines = parts.into_iter().flat_map(|it: Range<usize>| {
                    text[it.clone()].split_inclusive('\n').scan(it.start, |at, line| {
                        *at += line.len();
                        Some((*at - line.len(), line))
                    })
                });
                let block = Block::new(id, lines.map(|(at, line)| (flat.place(&(at..at)).start, line)));
                let diagrams = Diagram::all(block, notation);
                let before = if diagrams.is_empty() { String::new() } else { std::mem::take(&mut before) };
                found.extend(diagrams.into_iter().map(|diagram| {
                    let (range, headings) = (range.clone(), words(&headings));
                    Piece { what: What::Diagram(diagram), range, contained, headings, before: before.clone() }
                }));
            }
            Event::Start(Tag::Table(_)) => table = Some(Table { range: range.clone(), ..Table::default() }),
            Event::End(TagEnd::Table) => {
                if let Some(table) = table.take() {
                    found.push(Piece {
                        what: What::Table(table),
                        range,
                        contained,
                        headings: words(&headings),
                        before: std::mem::take(&mut before),
                    });
                }
            }
            Event::Start(Tag::TableRow) => table.iter_mut().for_each(|it| it.rows.push(Vec::new())),
            Event::Start(Tag::TableCell) => cell = Some(Cell { range, ..Cell::default() }),
            Event::End(TagEnd::TableCell) => {
                if let (Some(table), Some(mut cell)) = (&mut table, cell.take()) {
                    cell.text = cell.text.trim().to_owned();
                    table.rows.last_mut().unwrap_or(&mut table.head).push(cell);
                }
            }
            Event::Text(words) => match (&mut code, &mut cell, &mut heading) {
                (Some((_, parts)), ..) => parts.push(flat_range),
                (_, Some(cell), _) => cell.text.push_str(&words),
                (_, _, Some((_, heading))) => heading.push_str(&words),
                _ => paragraph.iter_mut().for_each(|it| it.push_str(&words)),
            },
            Event::Code(words) => match (&mut cell, &mut heading) {
                (Some(cell), _) => {
                    cell.text.push_str(&words);
                    cell.codes.push(words.to_string());
                }
                (_, Some((_, heading))) => heading.push_str(&words),
                _ => paragraph.iter_mut().for_each(|it| it.push_str(&words)),
            },
            Event::Html(tag) | Event::InlineHtml(tag) => {
                if let Some(cell) = cell.as_mut().filter(|_| tag.to_ascii_lowercase().starts_with("<br")) {
                    cell.text.push('\n');
                }
            }
            Event::SoftBreak | Event::HardBreak => {
                cell.iter_mut().for_each(|it| it.text.push(' '));
                paragraph.iter_mut().for_each(|it| it.push(' '));
            }
            _ => {}
        }
    }
    found
}

fn words(headings: &[(usize, String)]) -> Vec<String> {
    headings.iter().map(|(_, it)| it.clone()).collect()
}

/// ` ```mermaid ` and ` ```plantuml `, and the spellings of other tools.
fn notation(info: &str) -> Option<Notation> {
    let word = info.trim_start().trim_start_matches('{').split(|it: char| it.is_whitespace() || matches!(it, '}' | ',' | '{')).next();
    match word.unwrap_or_default().trim_start_matches('.').to_ascii_lowercase().as_str() {
        "mermaid" => Some(Notation::Mermaid),
        "plantuml" | "puml" => Some(Notation::PlantUml),
        "" | "uml" => Some(Notation::Any),
        _ => None,
    }
}

/// The file's name without folder and extension.
pub(super) fn stem(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.split_once('.').map_or(name, |(stem, _)| stem).to_owned()
}

/// The name of a diagram in the page, and a title if there is a specific heading.
fn called(piece: &Piece, stem: &str) -> (String, Option<String>) {
    let telling = piece.headings.iter().rev().find(|it| !is_generic(it));
    match telling {
        Some(heading) => (heading.clone(), Some(without_number(heading).to_owned())),
        None => (stem.to_owned(), None),
    }
}

/// Generic headings that are unsuitable as names.
pub(super) fn is_generic(heading: &str) -> bool {
    let words = slug(without_number(heading), "x");
    matches!(
        words.as_str(),
        "x" | "diagram"
            | "diagrams"
            | "state_diagram"
            | "state_diagrams"
            | "state_machine"
            | "states"
            | "state_machine_diagram"
            | "mermaid"
            | "mermaid_diagram"
            | "plantuml"
            | "plantuml_diagram"
            | "overview"
            | "example"
            | "examples"
            | "transitions"
            | "allowed_transitions"
            | "valid_transitions"
            | "state_transitions"
            | "transition_table"
            | "state_transition_table"
            | "state_transition_diagram"
            | "adjacency"
            | "usage"
            | "introduction"
    )
}

/// The machine that a table describes: in the same section, or with the same states.
fn described(edges: &Edges<'_>, piece: &Piece, pieces: &[Piece], machines: &[Machine], fits: impl Fn(&Machine) -> bool) -> Option<usize> {
    let candidates = machines.iter().enumerate().filter(|(_, it)| fits(it));
    let shared = candidates.map(|(idx, it)| {
        let n_shared = edges.states().filter(|name| beside::state_of(&it.draft, name).is_some()).count();
        (n_shared, pieces[it.piece].headings == piece.headings, idx)
    });
    let best = shared.max_by_key(|(n_shared, near, idx)| (*n_shared, *near, std::cmp::Reverse(*idx)))?;
    (best.0 > 0 && best.0 * 2 >= edges.states().count()).then_some(best.2)
}

/// The page with markers around the imported parts.
fn mark(text: &str, pieces: &[Piece], machines: &[Machine], id: SourceId, found: &mut Findings) -> Option<String> {
    let regions = region::read(text).regions;
    let line_of = |offset: usize| text[..offset].matches('\n').count();
    let mut marked = String::new();
    let mut from = 0;
    for machine in machines {
        let piece = &pieces[machine.piece];
        let name = format!("{}.{}", machine.draft.name, machine.view);
        let start = text[..piece.range.start].rfind('\n').map_or(0, |it| it + 1);
        let end = text[..piece.range.end].trim_end().len();
        let line = line_of(piece.range.start);
        let place = span(id, start..start + text[start..].find('\n').unwrap_or(0));
        if let What::Diagram(Diagram::PlantUml(_)) = piece.what {
            found.loss(place, format!("no markers were added around `{name}`: a region of a page holds the diagram for Mermaid"));
        } else if machine.view == MATRIX {
            found.loss(place, format!("no markers were added around `{name}`: a region of a page holds a table with a row for each step"));
        } else if piece.contained || !text[start..piece.range.start].trim().is_empty() {
            found.loss(
                place,
                format!("no markers were added around `{name}`: it is inside a list, a quote or an admonition, and markers need lines of their own"),
            );
        } else if let Some(known) = regions.iter().find(|it| it.begin < line && line < it.end) {
            found.ignored(place, format!("it is already in the region `{}`", known.name));
        } else {
            marked.push_str(&text[from..start]);
            // With the digest of the imported text, the next run recognizes the region as unedited and updates it.
            let body = format!("{}\n", &text[start..end]);
            let digest = region::digest_of(&name, body.as_bytes());
            marked.push_str(&format!("{}\n{body}{}", marker::begin_line(&name), marker::end_line(&name, Some(&digest))));
            from = end;
        }
    }
    marked.push_str(&text[from..]);
    (from > 0).then_some(marked)
}
