//! The diagrams and tables of a page, with the text around them.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Options as MarkdownOptions, Parser, Tag, TagEnd};
use statespec_lang::diagnostic::Diagnostic;
use statespec_lang::source::SourceId;

use super::diagram::Block;
use super::draft::Draft;
use super::flat::Flat;
use super::table::{Cell, Table};
use super::{foreign, mermaid, phrase, plantuml, symbols};

/// A diagram or table, and its context in the page.
pub(super) struct Piece {
    pub(super) what: What,
    pub(super) range: Range<usize>,
    /// Whether it is inside a list, a quote or an admonition.
    pub(super) contained: bool,
    /// The headings above it, outermost first.
    pub(super) headings: Vec<String>,
    /// The paragraph right before it.
    pub(super) before: String,
}

impl Piece {
    /// The text that says that the piece shows what is not allowed.
    pub(super) fn forbids(&self) -> Option<&str> {
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
    pub(super) fn maps(&self) -> Option<&str> {
        let heading = self.headings.last()?;
        let words = phrase::words(heading);
        let is = |it: &String| matches!(it.as_str(), "mapping" | "mappings" | "conversion" | "conversions" | "correspondence" | "renaming");
        let is_of_events = words.iter().any(|it| matches!(it.as_str(), "event" | "events" | "transition" | "transitions"));
        (words.iter().any(is) && !is_of_events).then_some(heading)
    }

    /// The heading, if it says that a table lists what was tested: `Transitions tested`.
    pub(super) fn tests(&self) -> Option<&str> {
        let heading = self.headings.last()?;
        phrase::words(heading).iter().any(|it| matches!(it.as_str(), "tested" | "untested")).then_some(heading)
    }

    /// What the text around it, and the name of the file, speak of.
    pub(super) fn about(&self, stem: &str) -> About {
        const OF_STATES: &[&str] = &["state", "states", "status", "statuses", "fsm"];
        const OF_LIVES: &[&str] = &["lifecycle", "cycle", "workflow", "machine"];
        const OF_STEPS: &[&str] = &["transition", "transitions"];
        let n_titles = usize::from(self.headings.len() > 1);
        let (title, near) = self.headings.split_at(n_titles);
        let far = title.iter().map(String::as_str).chain([stem]).flat_map(telling_words);
        let words: Vec<String> = far.chain(near.iter().chain([&self.before]).flat_map(|it| phrase::words(it))).collect();
        let has = |set: &[&str]| words.iter().any(|it| set.contains(&it.as_str()));
        let levels = [(OF_STATES, About::States), (OF_LIVES, About::Lives), (OF_STEPS, About::Transitions)];
        levels.into_iter().find(|(set, _)| has(set)).map_or(About::Others, |(_, about)| about)
    }

    /// Whether the text around it, or a heading of a table, has a word of another language for states.
    pub(super) fn is_about_foreign_states(&self) -> bool {
        let heads = if let What::Table(table) = &self.what { table.head.as_slice() } else { &[] };
        let texts = self.headings.iter().chain([&self.before]).chain(heads.iter().map(|it| &it.text));
        texts.map(String::as_str).any(foreign::speaks_of_states)
    }
}

/// The words of the title of a page, or of its name, that tell what its tables are about: `status` may be that of anything, and
/// `state machine` is not.
fn telling_words(title: &str) -> Vec<String> {
    let words = phrase::words(title);
    let is_telling = |idx: usize| match (words[idx].as_str(), words.get(idx + 1).map(String::as_str)) {
        ("state" | "status", next) => matches!(next, Some("machine" | "machines" | "model" | "transitions" | "transition")),
        _ => true,
    };
    (0..words.len()).filter(|idx| is_telling(*idx)).map(|idx| words[idx].clone()).collect()
}

/// What a text speaks of, as far as its words tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum About {
    /// Neither states nor transitions.
    Others,
    /// Transitions, which may be those of pages or of versions.
    Transitions,
    /// A life cycle or a workflow, which versions have, too.
    Lives,
    States,
}

pub(super) enum What {
    Diagram(Diagram),
    Table(Table),
}

/// A state diagram.
pub(super) enum Diagram {
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

    pub(super) fn block(&self) -> &Block {
        match self {
            Diagram::Mermaid(block) => block,
            Diagram::PlantUml(part) => &part.block,
        }
    }

    pub(super) fn read(&self, name: &str, title: Option<&str>) -> Result<Draft, Diagnostic> {
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

/// The diagrams and tables of a page, in order.
pub(super) fn pieces(page: &str, id: SourceId) -> Vec<Piece> {
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
                    cell.text = symbols::with_signs(cell.text.trim());
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
