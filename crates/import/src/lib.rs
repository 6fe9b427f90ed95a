//! Converts existing state machines to specs: diagrams of Mermaid and PlantUML, tables, SCXML, XState and Rust enums.
//!
//! ```text
//! text ──read───▶ drafts (states and rows as written, each with its span)
//!      ──finish─▶ specs in YAML with generated names, and a report of the losses
//! ```
//!
//! An importer never drops anything silently: every construct that the spec language cannot express, and
//! every part that the text leaves open, is a finding that points into the text.
//!
//! This crate knows texts and the language: no disk, no project, no output. How a page marks its regions is [told](Markers) to it.
//! Its entry points are [`import`], and [`statements()`] and [`code()`] for texts that are compared.

mod around;
mod code;
mod crossing;
mod delays;
mod diagram;
mod draft;
mod field;
mod finish;
mod flat;
mod guard;
mod label;
mod markdown;
mod mermaid;
mod naming;
mod order;
mod page;
mod phrase;
mod plantuml;
mod raised;
mod recalled;
mod regions;
mod rust;
mod scxml;
mod spaces;
mod starts;
mod statement;
mod table;
mod write;
mod xstate;

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use statespec_lang::diagnostic::{Code, Diagnostic, Level};
use statespec_lang::lower::load;
use statespec_lang::source::{Input, SourceId, Sources, Span};

pub use code::{RustCode, RustMachine, code};
use draft::{Draft, Findings};
pub use rust::names::is_onward;
pub use rust::{Binding, Declared, Known, Outline, Wanted};
pub use statement::{Edge, Kind, Named, Statement, Statements};
pub use statement::{read_table, statements};
pub use table::spec::{ColumnAt, TableSpec, columns};
pub use table::vocabulary::Column as TableColumn;

/// The maximum length of an imported text in bytes.
pub const MAX_BYTES: usize = 4 << 20;

/// The format of an imported text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Format {
    /// A Mermaid `stateDiagram` or `stateDiagram-v2`.
    Mermaid,
    /// PlantUML state diagrams.
    PlantUml,
    /// A page with such diagrams, or tables of transitions.
    Markdown,
    /// State Chart XML.
    Scxml,
    /// The configuration of an XState machine, as JSON.
    XState,
    /// A Rust file with an enum and its edges.
    Rust,
}

impl Format {
    /// All of them.
    pub const ALL: &'static [Format] = &[Format::Mermaid, Format::PlantUml, Format::Markdown, Format::Scxml, Format::XState, Format::Rust];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Format::Mermaid => "mermaid",
            Format::PlantUml => "plantuml",
            Format::Markdown => "markdown",
            Format::Scxml => "scxml",
            Format::XState => "xstate",
            Format::Rust => "rust",
        }
    }

    /// The contents, for the help of the command line.
    pub fn about(self) -> &'static str {
        match self {
            Format::Mermaid => "A Mermaid state diagram",
            Format::PlantUml => "PlantUML state diagrams",
            Format::Markdown => "A page with such diagrams, or with tables of transitions",
            Format::Scxml => "State Chart XML",
            Format::XState => "The configuration of an XState machine, as JSON",
            Format::Rust => "A Rust file with an enum and its edges",
        }
    }

    /// The format of a text, detected by the extension of its path, else by its beginning. Rust is detected by its text only where
    /// the path has no extension: other languages have enums, too.
    pub fn detect(path: &str, text: &str) -> Option<Format> {
        let extension = path.rsplit(['/', '\\']).next().and_then(|it| it.rsplit_once('.')).map(|(_, it)| it.to_ascii_lowercase());
        match extension.as_deref() {
            Some("mmd" | "mermaid") => return Some(Format::Mermaid),
            Some("puml" | "plantuml" | "pu" | "iuml") => return Some(Format::PlantUml),
            Some("md" | "markdown" | "mdx") => return Some(Format::Markdown),
            Some("scxml") => return Some(Format::Scxml),
            Some("json") => return Some(Format::XState),
            Some("rs") => return Some(Format::Rust),
            _ => {}
        }
        let start = text.trim_start_matches('\u{feff}').trim_start();
        if mermaid::is_state_diagram(start) {
            Some(Format::Mermaid)
        } else if plantuml::is_plantuml(start) {
            Some(Format::PlantUml)
        } else if start.starts_with('<') && text.contains("<scxml") {
            Some(Format::Scxml)
        } else if start.starts_with('{') {
            Some(Format::XState)
        } else if text.contains("```") || text.contains("| -") || text.contains("|-") {
            Some(Format::Markdown)
        } else if extension.is_none() && text.contains("enum ") {
            Some(Format::Rust)
        } else {
            None
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let known = || Format::ALL.iter().map(|it| it.name()).collect::<Vec<_>>().join(", ");
        Format::ALL
            .iter()
            .find(|it| it.name() == name)
            .copied()
            .ok_or_else(|| format!("there is no format `{name}`; there are: {}", known()))
    }
}

/// The options of an import.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The format; detected from the path and the contents if omitted.
    pub format: Option<Format>,
    /// The name of the only machine to import from a text with several machines; of Rust, the name of its enum.
    pub only: Option<String>,
    /// Further events that an SCXML chart gets: its wildcards and prefixes stand for them, too.
    pub events: Vec<String>,
    /// The table of a page to read, and how: nothing else of the page is read.
    pub table: Option<TableSpec>,
    /// Return the page with these markers around the diagrams that were read.
    pub markers: Option<Markers>,
}

/// Finds the regions of a page: the name of each, and the lines from its first marker to its last one, counted from 0.
pub type Regions = fn(page: &str) -> Vec<(String, Range<usize>)>;

/// How a page marks its regions: who makes the regions knows.
#[derive(Debug, Clone, Copy)]
pub struct Markers {
    /// Finds the regions that a page has already.
    pub read: Regions,
    /// A text of whole lines with the markers of the region of this name around it.
    pub around: fn(name: &str, text: &str) -> String,
}

/// One imported machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spec {
    /// The name; the usual file is `machines/NAME.yaml`.
    pub name: String,
    /// The spec: it loads without errors.
    pub yaml: String,
    /// The place in the imported text.
    pub span: Span,
    /// The losses, assumptions and ignored parts, sorted by place.
    pub losses: Vec<Diagnostic>,
}

impl Spec {
    /// Whether nothing except layout was ignored, and nothing assumed except a start that the text leaves out.
    pub fn is_whole(&self) -> bool {
        self.losses.iter().all(is_harmless)
    }
}

/// The outcome of an import.
#[derive(Debug, Clone)]
pub struct Imported {
    /// The imported text, for rendering findings.
    pub sources: Sources,
    /// The machines, in the order of the text.
    pub specs: Vec<Spec>,
    /// With [`Options::markers`]: the page with markers around the imported parts. `None` if there is nothing to mark.
    pub page: Option<String>,
    /// The parts that could not be read, and findings that concern no single machine.
    pub problems: Vec<Diagnostic>,
}

impl Imported {
    /// Whether every machine of the text was read, each of them completely.
    pub fn is_whole(&self) -> bool {
        !self.specs.is_empty() && self.specs.iter().all(Spec::is_whole) && self.problems.iter().all(is_harmless)
    }

    /// Whether any part could not be read.
    pub fn has_errors(&self) -> bool {
        self.problems.iter().any(|it| it.code.level() == Level::Error)
    }

    /// All findings, sorted by place.
    pub fn findings(&self) -> Vec<Diagnostic> {
        let mut all: Vec<Diagnostic> = self.specs.iter().flat_map(|it| &it.losses).chain(&self.problems).cloned().collect();
        all.sort_by(|a, b| (a.primary.0, a.code, &a.message).cmp(&(b.primary.0, b.code, &b.message)));
        all
    }
}

/// Imports the machines of a text. `path` is used in messages, for names, and to detect the format.
///
/// ```
/// use statespec_import::{Options, import};
///
/// let text = "stateDiagram-v2\n  [*] --> idle\n  idle --> running: start\n";
/// let imported = import("worker.mmd", text, &Options::default());
/// assert!(imported.is_whole());
/// assert!(imported.specs[0].yaml.contains("- { from: idle, event: start, to: running }"));
/// ```
pub fn import(path: &str, text: &str, options: &Options) -> Imported {
    let mut sources = Sources::default();
    let id = sources.add(path, text);
    let mut found = Findings::default();
    let whole = Span::new(id, 0..1);
    let Read { drafts, page, format, others: _ } = read(&sources, id, options, &mut found);
    let mut specs = Vec::new();
    for draft in drafts {
        match spec(draft) {
            Ok(mut spec) => {
                if spec.yaml.contains(char::REPLACEMENT_CHARACTER) && !text.contains(char::REPLACEMENT_CHARACTER) {
                    let message = "control characters are not allowed in a spec: each became U+FFFD";
                    spec.losses.push(Diagnostic::new(Code::ImportLoss, spec.span, message));
                }
                specs.push(spec);
            }
            Err(problem) => found.0.push(problem),
        }
    }
    if let Some(only) = options.only.as_ref().filter(|_| !matches!(format, Some(Format::Markdown | Format::Rust))) {
        let known: Vec<String> = specs.iter().map(|it: &Spec| format!("`{}`", it.name)).collect();
        specs.retain(|it| it.name == *only);
        if specs.is_empty() && !known.is_empty() {
            found.unreadable_help(whole, format!("the text has no machine `{only}`"), format!("there are: {}", known.join(", ")));
        }
    }
    if specs.is_empty() && !found.0.iter().any(|it| it.code.level() == Level::Error) {
        found.unreadable(whole, "the text has lists of states, and no steps: no spec can be made of it");
    }
    Imported { sources, specs, page, problems: found.finish() }
}

/// What was read of a text.
struct Read {
    /// The machines, in the order of the text.
    drafts: Vec<Draft>,
    /// What a page says of these machines once more, and sets of states without steps: for comparisons.
    others: Vec<Draft>,
    page: Option<String>,
    format: Option<Format>,
}

/// Reads the machines of a text; what cannot be read is found.
fn read(sources: &Sources, id: SourceId, options: &Options, found: &mut Findings) -> Read {
    let source = sources.get(id);
    let (path, text) = (source.path(), source.text());
    let format = options.format.or_else(|| Format::detect(path, text));
    let whole = Span::new(id, 0..1);
    let mut page = None;
    let mut others = Vec::new();
    let drafts = if text.len() > MAX_BYTES {
        found.unreadable(whole, format!("the text has {} bytes; an import reads up to {MAX_BYTES}", text.len()));
        Vec::new()
    } else {
        match format {
            Some(Format::Mermaid) => mermaid::read_file(sources, id, found).into_iter().collect(),
            Some(Format::PlantUml) => plantuml::read_file(sources, id, found),
            Some(Format::Markdown) => {
                let read = markdown::read(sources, id, options, found);
                page = read.page;
                others = read.others;
                read.drafts
            }
            Some(Format::Scxml) => scxml::read(sources, id, &options.events, found).into_iter().collect(),
            Some(Format::XState) => xstate::read(sources, id, found).into_iter().collect(),
            Some(Format::Rust) => rust::read(sources, id, options.only.as_deref(), found),
            None => {
                let known: Vec<_> = Format::ALL.iter().map(|it| it.name()).collect();
                let help = format!("name the format: {}; `scan` and `compare` read enums and tables of other languages", known.join(", "));
                found.unreadable_help(whole, "this is none of the formats that can be imported", help);
                Vec::new()
            }
        }
    };
    Read { drafts, others, page, format }
}

/// Finishes a draft. A spec is only returned if it loads.
fn spec(draft: Draft) -> Result<Spec, Diagnostic> {
    let span = draft.span;
    let (name, yaml, losses) = finish::finish(draft);
    let loaded = load(&[Input { path: format!("machines/{name}.yaml"), text: yaml.clone() }]);
    match loaded.diagnostics.iter().find(|it| it.code.level() == Level::Error) {
        Some(error) => {
            let message = format!("no spec can be made of this: {}", error.message);
            Err(Diagnostic::new(Code::ImportUnreadable, span, message))
        }
        None => Ok(Spec { name, yaml, span, losses }),
    }
}

/// Whether a finding is about the look of a text, or about a start that the text leaves out.
fn is_harmless(finding: &Diagnostic) -> bool {
    matches!(finding.code, Code::ImportLook | Code::ImportAdded)
}

/// The message about a transition to the history of a state that it may leave itself.
fn remembered_first(name: &str) -> String {
    format!("where `{name}` is active here, the chart enters it again where it is, and a spec where it was when it was left before")
}

/// The message about an event that says that some state is done.
fn ordinary_done(event: &str) -> String {
    format!(
        "`{event}` is an ordinary event here, which your code must raise: in a spec, only the state itself takes a step when it is done"
    )
}

/// A place in an imported text.
fn span(id: SourceId, range: Range<usize>) -> Span {
    Span::new(id, range)
}
