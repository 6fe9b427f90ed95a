//! Parses YAML text to a small tree of nodes, each with its span.
//!
//! Only a plain subset of YAML is accepted. Features that make a file read differently than it looks
//! (anchors, aliases, tags, merge keys, directives, several documents, control characters,
//! duplicate keys) are refused with a specific message, and everything has a limit.

use granit_parser::{Event, Parser, ScalarStyle, ScanError, options};

use crate::chars::is_forbidden;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::limits::{ENTRIES as MAX_ENTRIES, LEVELS as MAX_DEPTH, SPEC as MAX_BYTES, VALUES as MAX_NODES};
use crate::source::{SourceId, Sources, Span};

mod slips;

/// The maximum number of refusals in one file; the rest of it is not read.
const MAX_REFUSALS: usize = 1_000;

/// Checks that a file is small enough to be read; the error is the message.
pub fn admit(n_bytes: usize) -> Result<(), String> {
    if n_bytes > MAX_BYTES { Err(format!("the file has {n_bytes} bytes; a spec may have {MAX_BYTES}")) } else { Ok(()) }
}

/// A YAML node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// The kind of node.
    pub kind: NodeKind,
    /// The span, including quotes.
    pub span: Span,
}

/// The kind of a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NodeKind {
    /// A text, number or word.
    Scalar {
        /// The text after unescaping.
        text: String,
        /// Whether it is written without quotes, so that `3` may be a number and `true` a truth value.
        plain: bool,
    },
    /// A list.
    List(Vec<Node>),
    /// A map in the order written. Keys are scalars and distinct.
    Map(Vec<(Node, Node)>),
}

impl Node {
    /// A name for the kind of node, for messages.
    pub fn describe(&self) -> &'static str {
        match &self.kind {
            NodeKind::Scalar { text, plain: true } if text.is_empty() => "nothing",
            NodeKind::Scalar { .. } => "a text",
            NodeKind::List(_) => "a list",
            NodeKind::Map(_) => "a map",
        }
    }
}

/// Reads one file. Without a tree there is at least one diagnostic.
pub fn parse(sources: &Sources, id: SourceId, diagnostics: &mut Diagnostics) -> Option<Node> {
    read(sources, id, diagnostics, false)
}

/// [`parse`] for JSON, where a key may be empty.
pub fn parse_json(sources: &Sources, id: SourceId, diagnostics: &mut Diagnostics) -> Option<Node> {
    read(sources, id, diagnostics, true)
}

fn read(sources: &Sources, id: SourceId, diagnostics: &mut Diagnostics, is_json: bool) -> Option<Node> {
    let text = sources.get(id).text();
    if let Err(message) = admit(text.len()) {
        diagnostics.push(Diagnostic::new(Code::YamlLimit, Span::new(id, 0..0), message));
        return None;
    }
    let mut clean = true;
    for (offset, character) in text.char_indices().filter(|(_, it)| is_forbidden(*it)).take(MAX_REFUSALS) {
        clean = false;
        let span = Span::new(id, offset..offset + character.len_utf8());
        let message = format!("the character U+{:04X} is not allowed in a spec", u32::from(character));
        diagnostics.push(Diagnostic::new(Code::YamlForbidden, span, message).help("delete it"));
    }
    if !clean {
        // The parser would only report the same again.
        return None;
    }
    let mut builder = Builder { id, text, diagnostics, n_nodes: 0, n_refusals: 0, clean, depth: 0, is_json };
    let node = builder.document();
    node.filter(|_| builder.clean)
}

struct Builder<'a> {
    id: SourceId,
    text: &'a str,
    diagnostics: &'a mut Diagnostics,
    n_nodes: usize,
    n_refusals: usize,
    clean: bool,
    depth: usize,
    /// Whether a key may be empty.
    is_json: bool,
}

type Events<'a> = Parser<'a, granit_parser::StrInput<'a>>;

/// The tree cannot be completed; the reason is already reported.
struct Stop;

fn events(text: &str) -> Events<'_> {
    let options = options! {
        disallow_directives: true,
        emit_unresolved_aliases: true,
        emit_anchor_events: true,
        emit_comments: false,
        flow_nesting_limit: MAX_DEPTH,
        block_nesting_limit: MAX_DEPTH,
    };
    Parser::new_from_str_with_options(text, options)
}

/// The place of an error in bytes.
fn offset(error: &ScanError, text: &str) -> usize {
    let offset = error
        .marker()
        .byte_offset()
        .unwrap_or_else(|| text.char_indices().nth(error.marker().index()).map_or(text.len(), |(offset, _)| offset));
    // The scanner may report a position in the middle of a character, or after the end.
    crate::source::floor_char_boundary(text, offset.min(text.len()))
}

impl<'a> Builder<'a> {
    fn document(&mut self) -> Option<Node> {
        let mut events = events(self.text);
        let mut root = None;
        loop {
            let (event, span) = match self.next(&mut events) {
                Ok(Some(it)) => it,
                Ok(None) => break,
                Err(Stop) => return None,
            };
            match event {
                Event::StreamStart | Event::DocumentStart(..) | Event::DocumentEnd => {}
                Event::StreamEnd => break,
                _ if root.is_some() => {
                    self.refuse(
                        Code::YamlForbidden,
                        span,
                        "a spec file holds one document, this is a second one",
                        Some("split it into two files"),
                    );
                    return None;
                }
                event => match self.node(event, span, &mut events) {
                    Ok(node) => root = Some(node),
                    Err(Stop) => return None,
                },
            }
        }
        if root.is_none() && self.clean {
            self.refuse(
                Code::UnknownKind,
                Span::new(self.id, 0..0),
                "the file is empty",
                Some("start it with `machine:`, `system:` or `document:`"),
            );
        }
        root
    }

    fn next(&mut self, events: &mut Events<'a>) -> Result<Option<(Event<'a>, Span)>, Stop> {
        match events.next() {
            None => Ok(None),
            Some(Ok((event, span))) => {
                let span = Span::new(self.id, span.byte_range().unwrap_or(0..0));
                if let Event::Anchor(..) = event {
                    self.refuse(
                        Code::YamlForbidden,
                        span,
                        "anchors are not allowed in a spec",
                        Some("write the value out where it is used"),
                    );
                    return self.next(events);
                }
                Ok(Some((event, span)))
            }
            Some(Err(error)) => {
                let offset = offset(&error, self.text);
                let span = Span::new(self.id, offset..offset + self.text[offset..].chars().next().map_or(0, char::len_utf8));
                let message = format!("this is not YAML: {}", error.info());
                let line_start = self.text[..offset].rfind('\n').map_or(0, |it| it + 1);
                let indent = self.text[line_start..].chars().take_while(|it| it.is_whitespace() && *it != '\n');
                let (before, behind) = self.text.split_at(offset);
                let help = if indent.into_iter().any(|it| it == '\t') {
                    Some("YAML is indented with spaces, never with tabs".to_owned())
                } else if before.trim_end().ends_with('*') || behind.starts_with('*') {
                    Some("a text that starts with `*` needs quotes: \"*\"".to_owned())
                } else {
                    slips::help(self.text, offset)
                };
                self.refuse(Code::YamlSyntax, span, message, help.as_deref());
                Err(Stop)
            }
        }
    }

    fn refuse(&mut self, code: Code, span: Span, message: impl Into<String>, help: Option<&str>) {
        self.clean = false;
        self.n_refusals += 1;
        let diagnostic = Diagnostic::new(code, span, message);
        self.diagnostics.push(match help {
            Some(help) => diagnostic.help(help),
            None => diagnostic,
        });
    }

    fn node(&mut self, event: Event<'a>, span: Span, events: &mut Events<'a>) -> Result<Node, Stop> {
        self.n_nodes += 1;
        if self.n_nodes > MAX_NODES {
            self.refuse(Code::YamlLimit, span, format!("the file has more than {MAX_NODES} values"), None);
            return Err(Stop);
        }
        if self.n_refusals > MAX_REFUSALS {
            return Err(Stop);
        }
        if event.tag().is_some() {
            self.refuse(Code::YamlForbidden, span, "tags are not allowed in a spec", None);
        }
        match event {
            Event::Scalar(text, style, ..) => {
                let plain = style == ScalarStyle::Plain;
                // The parser reports `~` for an empty value.
                let nothing = plain && span.start == span.end;
                let text = if nothing { String::new() } else { text.into_owned() };
                let span = self.join(span, span);
                // Verbatim ones are already refused.
                if let Some(character) = text.chars().find(|it| !plain && is_forbidden(*it)) {
                    let message = format!("the character U+{:04X} is not allowed in a spec, not even as an escape", u32::from(character));
                    self.refuse(Code::YamlForbidden, span, message, Some("delete the escape"));
                }
                Ok(Node { kind: NodeKind::Scalar { text, plain }, span })
            }
            Event::SequenceStart(..) => self.nested(span, events, Self::list),
            Event::MappingStart(..) => self.nested(span, events, Self::map),
            Event::Alias(_) | Event::UnresolvedAlias(_) => {
                self.refuse(
                    Code::YamlForbidden,
                    span,
                    "aliases are not allowed in a spec",
                    Some("a text that starts with `*` needs quotes: \"*\""),
                );
                Ok(Node { kind: NodeKind::Scalar { text: String::new(), plain: false }, span })
            }
            _ => {
                self.refuse(Code::YamlSyntax, span, "this is not a value", None);
                Err(Stop)
            }
        }
    }

    fn nested(
        &mut self,
        span: Span,
        events: &mut Events<'a>,
        read: fn(&mut Self, Span, &mut Events<'a>) -> Result<Node, Stop>,
    ) -> Result<Node, Stop> {
        if self.depth == MAX_DEPTH {
            self.refuse(Code::YamlLimit, span, format!("nested deeper than {MAX_DEPTH} levels"), None);
            return Err(Stop);
        }
        self.depth += 1;
        let node = read(self, span, events);
        self.depth -= 1;
        node
    }

    /// Stops if a collection already has the maximum number of entries.
    fn has_place(&mut self, n_entries: usize, span: Span) -> Result<(), Stop> {
        if n_entries < MAX_ENTRIES {
            return Ok(());
        }
        self.refuse(Code::YamlLimit, span, format!("one map or list has more than {MAX_ENTRIES} entries"), None);
        Err(Stop)
    }

    fn list(&mut self, start: Span, events: &mut Events<'a>) -> Result<Node, Stop> {
        let mut items = Vec::new();
        loop {
            match self.next(events)? {
                Some((Event::SequenceEnd, end)) => return Ok(Node { kind: NodeKind::List(items), span: self.join(start, end) }),
                Some((event, span)) => {
                    self.has_place(items.len(), span)?;
                    items.push(self.node(event, span, events)?);
                }
                None => return Err(Stop),
            }
        }
    }

    fn map(&mut self, start: Span, events: &mut Events<'a>) -> Result<Node, Stop> {
        let mut entries = Vec::new();
        let mut seen = std::collections::BTreeMap::<String, Span>::new();
        loop {
            let key = match self.next(events)? {
                Some((Event::MappingEnd, end)) => return Ok(Node { kind: NodeKind::Map(entries), span: self.join(start, end) }),
                Some((event, span)) => self.node(event, span, events)?,
                None => return Err(Stop),
            };
            self.has_place(entries.len(), key.span)?;
            let Some((event, span)) = self.next(events)? else { return Err(Stop) };
            let value = self.node(event, span, events)?;
            let NodeKind::Scalar { text, .. } = &key.kind else {
                self.refuse(Code::WrongShape, key.span, format!("a key is a text, this is {}", key.describe()), None);
                continue;
            };
            if text == "<<" {
                self.refuse(Code::YamlForbidden, key.span, "merge keys are not allowed in a spec", Some("write the keys out"));
            } else if text.is_empty() && !self.is_json {
                self.refuse(Code::YamlSyntax, key.span, "a key without a name", None);
            } else if let Some(first) = seen.get(text) {
                self.clean = false;
                self.n_refusals += 1;
                let diagnostic = Diagnostic::new(Code::DuplicateKey, key.span, format!("the key `{text}` occurs twice in this map"));
                self.diagnostics.push(diagnostic.also(*first, "first here").help("keep one of the two, or merge them"));
            } else {
                seen.insert(text.clone(), key.span);
                entries.push((key, value));
            }
        }
    }

    /// The span from the start of a node to its end, without the trailing white space that block style includes.
    fn join(&self, start: Span, end: Span) -> Span {
        let whole = &self.text[start.start as usize..(end.end as usize).min(self.text.len()).max(start.start as usize)];
        Span::new(self.id, start.start as usize..start.start as usize + whole.trim_end().len())
    }
}
