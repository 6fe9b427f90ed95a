//! Sources that no reader knows, and that a person points at: a file, the part of it, and how it states what it states.
//!
//! ```text
//! file ──part─▶ a heading, a symbol, or what is between two texts ──form | pattern─▶ states and edges
//! ```

mod forms;
mod part;

use std::path::Path;

use regex::{Regex, RegexBuilder};
use statespec_import::{Edge, Kind, Named, Stated, Statement};
use statespec_lang::names::snake;
use statespec_lang::source::{SourceId, Sources, Span};

use crate::compare::is_same;
use crate::confirmed::tell_apart;
use crate::files::Found;
use crate::text_file::text_of;

use forms::{Fact, Word};
pub use part::Part;

/// A source that a person points at.
#[derive(Debug, Clone)]
pub struct Pointed {
    /// The path of the file.
    pub file: String,
    /// The name of the machine.
    pub name: String,
    /// The part of the file.
    pub part: Part,
    /// How it is read.
    pub how: How,
}

/// How a part of a file is read.
#[derive(Debug, Clone)]
pub enum How {
    /// A list of states.
    List,
    /// Each heading is a state.
    Headings,
    /// Edges: arrows, lists of what follows, or pairs.
    Pairs,
    /// A graph of Graphviz.
    Dot,
    /// A flowchart of Mermaid.
    Flowchart,
    /// A regular expression with captures: each match is a state or an edge.
    Pattern(Regex),
}

/// The captures of a pattern.
const CAPTURES: [&str; 5] = ["state", "from", "to", "event", "number"];

impl How {
    /// The kinds, by their names in the configuration.
    pub const KINDS: [(&str, How); 5] =
        [("list", How::List), ("headings", How::Headings), ("pairs", How::Pairs), ("dot", How::Dot), ("mermaid-flowchart", How::Flowchart)];

    /// The kind with a name.
    ///
    /// # Errors
    ///
    /// There is no such kind.
    pub fn of_kind(name: &str) -> Result<How, String> {
        let known = || Self::KINDS.map(|it| format!("`{}`", it.0)).join(", ");
        let kind = Self::KINDS.into_iter().find(|it| it.0 == name).map(|it| it.1);
        kind.ok_or_else(|| format!("there is no kind `{name}`; there are {}", known()))
    }

    /// A pattern; `^` and `$` are the ends of lines.
    ///
    /// # Errors
    ///
    /// It is no regular expression, or it captures neither a state nor an edge.
    pub fn of_pattern(pattern: &str) -> Result<How, String> {
        let regex = RegexBuilder::new(pattern).multi_line(true).build().map_err(|it| it.to_string().replace('\n', " "))?;
        let names: Vec<&str> = regex.capture_names().flatten().collect();
        if let Some(other) = names.iter().find(|it| !CAPTURES.contains(it)) {
            return Err(format!("there is no capture `{other}`; there are `state`, `from`, `to`, `event` and `number`"));
        }
        match names.contains(&"state") || (names.contains(&"from") && names.contains(&"to")) {
            true => Ok(How::Pattern(regex)),
            false => Err("it captures no state: write `(?<state>…)`, or `(?<from>…)` and `(?<to>…)`".to_owned()),
        }
    }
}

impl Pointed {
    /// A source; without a name, it has that of its part, or else of its file.
    pub fn new(file: &str, name: Option<&str>, part: Part, how: How) -> Self {
        let stem = || Path::new(file).file_stem().map_or(file, |it| it.to_str().unwrap_or(file));
        let name = name.map_or_else(|| snake(part.name().unwrap_or_else(stem)), str::to_owned);
        Pointed { file: file.to_owned(), name, part, how }
    }

    /// What the source states.
    ///
    /// # Errors
    ///
    /// The part is not there, or fewer than two states are read of it.
    pub fn read(&self, sources: &Sources, id: SourceId) -> Result<Statement, String> {
        let text = sources.get(id).text();
        let range = self.part.find(text)?;
        let part = &text[range.clone()];
        let facts = match &self.how {
            How::List => forms::list(part),
            How::Headings => forms::headings(part),
            How::Pairs => forms::pairs(part),
            How::Dot => forms::dot(part),
            How::Flowchart => forms::flowchart(part),
            How::Pattern(regex) => forms::matches(part, regex),
        };
        let statement = self.statement(id, range.start, &facts);
        match statement.states.len() {
            0 => Err("nothing was read of it".to_owned()),
            1 => Err(format!("only one state was read of it, `{}`", statement.states[0].name)),
            _ => Ok(statement),
        }
    }

    fn statement(&self, id: SourceId, start: usize, facts: &[Fact]) -> Statement {
        let span = |word: &Word| Span::new(id, start + word.range.start..start + word.range.end);
        let mut states: Vec<Named> = Vec::new();
        let mut edges: Vec<Edge> = Vec::new();
        for fact in facts {
            let mut position = |word: &Word| match states.iter().position(|it| is_same(&it.name, &word.text)) {
                Some(known) => known,
                None => {
                    states.push(Named::new(&word.text, span(word)));
                    states.len() - 1
                }
            };
            match fact {
                Fact::State(name, label) => {
                    let at = position(name);
                    if states[at].label.is_none() {
                        states[at].label.clone_from(label);
                    }
                }
                Fact::Edge(from, to) => {
                    let (from_at, to_at) = (position(from), position(to));
                    if edges.iter().all(|it| (it.from, it.to) != (from_at, to_at)) {
                        edges.push(Edge { from: from_at, to: to_at, span: span(to), stated: Stated::Plainly });
                    }
                }
            }
        }
        let is_page = [".md", ".markdown", ".mdx"].iter().any(|it| self.file.ends_with(it));
        let kind = match self.how {
            How::Dot | How::Flowchart => Kind::Diagram,
            _ if is_page => Kind::Table,
            _ => Kind::Code,
        };
        let place = states.first().map_or(Span::new(id, start..start), |it| it.span);
        let set = Statement::set(&self.file, kind, self.name.clone(), place, states);
        Statement { edges, ..set }
    }

    /// The text of the part, each line with its number.
    ///
    /// # Errors
    ///
    /// The part is not there.
    pub fn block(&self, sources: &Sources, id: SourceId) -> Result<String, String> {
        let source = sources.get(id);
        let range = self.part.find(source.text())?;
        let first = source.line_column(range.start).0;
        let lines = source.text()[range].trim_matches('\n').lines().enumerate();
        Ok(lines.map(|(idx, line)| format!("{:>4} | {line}\n", first + idx)).collect())
    }
}

impl Found {
    /// Adds the sources that a person points at, in place of those of the same name; the reasons why some cannot be read, by their
    /// positions.
    pub fn point(&mut self, root: &Path, pointed: &[Pointed]) -> Vec<(usize, String)> {
        let mut failures = Vec::new();
        for (idx, it) in pointed.iter().enumerate() {
            match add(root, &mut self.sources, it).and_then(|id| it.read(&self.sources, id)) {
                Ok(statement) => {
                    self.statements.retain(|other| other.place() != statement.place());
                    self.statements.push(statement);
                }
                Err(why) => failures.push((idx, why)),
            }
        }
        self.statements.sort_by(|a, b| (&a.path, a.span).cmp(&(&b.path, b.span)));
        tell_apart(&mut self.statements);
        failures
    }
}

/// Adds the file of a source, unless it is there.
///
/// # Errors
///
/// The file is missing, or it is no text.
pub fn add(root: &Path, sources: &mut Sources, pointed: &Pointed) -> Result<SourceId, String> {
    if let Some(id) = sources.find(&pointed.file) {
        return Ok(id);
    }
    match text_of(&root.join(&pointed.file)) {
        Ok(Some(text)) => Ok(sources.add(pointed.file.as_str(), &text)),
        Ok(None) => Err(format!("`{}` is missing, or it is no text in UTF-8 of up to 4 MiB", pointed.file)),
        Err(error) => Err(format!("`{}` cannot be read: {error}", pointed.file)),
    }
}
