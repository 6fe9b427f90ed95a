//! Parses tokens to states and arrows, as written.

use std::collections::BTreeMap;
use std::ops::Range;

use super::Header;
use super::codes::{self, plain};
use super::lexer::{Aside, Lexer, Token};
use super::whole;
use crate::diagram::{Arrow, Block, Diagram, End, MAX_DEPTH, Node, Wrong};
use crate::draft::Findings;

/// Reads a diagram.
pub(super) fn parse(block: &Block, header: &Header) -> Result<Diagram, Wrong> {
    let mut found = Findings::default();
    for range in &header.settings {
        found.ignored(block.span(range.clone()), "settings of the picture have no place in a spec");
    }
    for range in codes::unknown(block.text()) {
        found.loss(block.span(range), "HTML knows no character of this name: it was kept as it is written");
    }
    let diagram = Diagram { title: header.title.clone(), found, ..Diagram::default() };
    let mut lexer = Lexer::new(block, header.end);
    lexer.aside.comments.clone_from(&header.comments);
    let mut parser = Parser { block, lexer, peeked: None, diagram, mentions: BTreeMap::new() };
    parser.document(None, 0, 0..0)?;
    let Aside { comments, .. } = std::mem::take(&mut parser.lexer.aside);
    parser.diagram.comments = comments;
    whole::take_off(&mut parser.diagram);
    Ok(parser.diagram)
}

struct Parser<'a> {
    block: &'a Block,
    lexer: Lexer<'a>,
    peeked: Option<Option<(Token, Range<usize>)>>,
    diagram: Diagram,
    /// When each composite named each node first.
    mentions: BTreeMap<(Option<usize>, usize), usize>,
}

impl Parser<'_> {
    fn next(&mut self) -> Result<Option<(Token, Range<usize>)>, Wrong> {
        match self.peeked.take() {
            Some(token) => Ok(token),
            None => {
                let token = self.lexer.next()?;
                for range in std::mem::take(&mut self.lexer.aside.directives) {
                    self.diagram.found.ignored(self.block.span(range), "settings of the picture have no place in a spec");
                }
                for range in std::mem::take(&mut self.lexer.aside.swallowed) {
                    let message = "Mermaid reads the whole line as a direction: the text before it was left out";
                    self.diagram.found.loss(self.block.span(range), message);
                }
                for range in std::mem::take(&mut self.lexer.aside.cut) {
                    let message = "Mermaid ends the text at this `;` and reads the rest as states: the import keeps it as text";
                    self.diagram.found.loss(self.block.span(range), message);
                }
                Ok(token)
            }
        }
    }

    fn peek(&mut self) -> Result<Option<&Token>, Wrong> {
        if self.peeked.is_none() {
            self.peeked = Some(self.next()?);
        }
        Ok(self.peeked.as_ref().and_then(|it| it.as_ref()).map(|(token, _)| token))
    }

    fn comments(&mut self) -> Vec<String> {
        std::mem::take(&mut self.lexer.aside.comments)
    }

    /// Parses the statements of the diagram, or of a composite up to its `}`.
    fn document(&mut self, whole: Option<usize>, depth: usize, opened: Range<usize>) -> Result<(), Wrong> {
        // The composite, or its region behind the last divider.
        let mut scope = whole;
        loop {
            let Some((token, range)) = self.next()? else {
                if whole.is_some() {
                    return Err(Wrong { range: opened, message: "this composite is never closed".into() });
                }
                return Ok(());
            };
            match token {
                Token::LineEnd => {}
                Token::Close => return Ok(()),
                Token::Dot => self.statement(End::Dot, scope, range)?,
                Token::Id(id) => {
                    let node = self.node(&id, scope, range.clone())?;
                    self.statement(End::Node(node), scope, range)?;
                }
                Token::State(id) => self.state(&id, None, scope, depth, range)?,
                Token::Alias(text) => {
                    let (id, id_range) = self.lexer.alias_id();
                    self.state(&id, Some(text), scope, depth, range.start..id_range.end)?;
                }
                Token::Pseudo(pseudo, id) => {
                    let node = self.node(&id, scope, range)?;
                    self.diagram.nodes[node].pseudo = Some(pseudo);
                }
                Token::Divider => scope = self.next_region(scope, whole, range)?,
                Token::Note { of, text } => {
                    let node = self.node(&of, scope, range)?;
                    self.diagram.nodes[node].notes.push(plain(&text, "\n"));
                }
                Token::FloatingNote(text) => self.diagram.notes.push(plain(&text, "\n")),
                Token::Title(text) => self.diagram.title = Some(plain(&text, " ")),
                Token::Description(text) => self.diagram.doc = Some(plain(&text, "\n")),
                Token::Styling(what) => self.diagram.found.ignored(self.block.span(range), format!("{what} has no place in a spec")),
                Token::Link => self.diagram.found.loss(self.block.span(range), "a state of a spec has no link"),
                Token::Open | Token::Arrow | Token::Text(_) | Token::ClassMark => {
                    return Err(Wrong { range, message: "Mermaid cannot read this here: a statement begins with a state".into() });
                }
            }
        }
    }

    /// Parses `a`, `a : text`, `a --> b : text`.
    fn statement(&mut self, from: End, scope: Option<usize>, range: Range<usize>) -> Result<(), Wrong> {
        let comments = self.comments();
        self.class()?;
        match self.peek()? {
            Some(Token::Arrow) => {
                self.next()?;
                let (to, to_range) = match self.next()? {
                    Some((Token::Dot, range)) => (End::Dot, range),
                    Some((Token::Id(id), range)) => (End::Node(self.node(&id, scope, range.clone())?), range),
                    Some((_, range)) => return Err(Wrong { range, message: "a state must stand behind the arrow".into() }),
                    None => return Err(Wrong { range, message: "this arrow leads nowhere".into() }),
                };
                self.class()?;
                let mut range = range.start..to_range.end;
                let mut text = None;
                if let Some(Token::Text(_)) = self.peek()?
                    && let Some((Token::Text(words), text_range)) = self.next()?
                {
                    text = Some(plain(&words, " ")).filter(|it| !it.is_empty());
                    range.end = text_range.end;
                }
                self.diagram.arrows.push(Arrow { from, to, text, doc: None, scope, comments, range });
            }
            Some(Token::Text(_)) => {
                let Some((Token::Text(text), range)) = self.next()? else { return Ok(()) };
                let End::Node(node) = from else {
                    self.diagram.found.loss(self.block.span(range), "`[*]` is no state and has no text: it was left out");
                    return Ok(());
                };
                let node = &mut self.diagram.nodes[node];
                node.texts.extend(Some(plain(&text, " ")).filter(|it| !it.is_empty()));
                node.comments.extend(comments);
            }
            _ => match from {
                End::Node(node) => self.diagram.nodes[node].comments.extend(comments),
                End::Dot | End::History { .. } => {
                    self.diagram.found.ignored(self.block.span(range), "a `[*]` without an arrow says nothing");
                }
            },
        }
        Ok(())
    }

    /// Parses `state x`, `state x { … }`, both with an optional text.
    fn state(&mut self, id: &str, text: Option<String>, scope: Option<usize>, depth: usize, range: Range<usize>) -> Result<(), Wrong> {
        let comments = self.comments();
        let mut texts: Vec<String> = text.into_iter().collect();
        // `state "a" as b : c` has two texts; `b:::c` has a class.
        let mut id = id;
        if let Some((name, behind)) = id.split_once(':') {
            match behind.strip_prefix("::") {
                Some(_) => self.diagram.found.ignored(self.block.span(range.clone()), "the class of a state has no place in a spec"),
                None => texts.push(behind.to_owned()),
            }
            id = name.trim();
        }
        if id.is_empty() {
            return Err(Wrong { range, message: "this state has no name".into() });
        }
        let node = self.node(id, scope, range.clone())?;
        if self.peeked.is_none()
            && let Some(text) = self.lexer.text_behind_state()
        {
            let message = "Mermaid shows no text after `state`: the import uses it as the text of the state";
            self.diagram.found.assumed(self.block.span(range.clone()), message);
            texts.push(text);
        }
        let texts = texts.iter().map(|it| plain(it, " ")).filter(|it| !it.is_empty());
        self.diagram.nodes[node].texts.extend(texts);
        self.diagram.nodes[node].comments.extend(comments);
        if self.peek()? == Some(&Token::Open) {
            self.next()?;
            if depth + 1 > MAX_DEPTH {
                return Err(Wrong { range, message: format!("composites are nested deeper than {MAX_DEPTH} levels") });
            }
            self.document(Some(node), depth + 1, range)?;
        }
        Ok(())
    }

    /// Parses `:::class`.
    fn class(&mut self) -> Result<(), Wrong> {
        if self.peek()? == Some(&Token::ClassMark) {
            self.next()?;
            match self.next()? {
                Some((Token::Id(_), range)) => {
                    self.diagram.found.ignored(self.block.span(range), "the class of a state has no place in a spec");
                }
                Some((_, range)) => return Err(Wrong { range, message: "the name of a class must stand behind `:::`".into() }),
                None => {}
            }
        }
        Ok(())
    }

    /// Begins the region behind a divider; before the first divider of a composite is its first region.
    fn next_region(&mut self, scope: Option<usize>, whole: Option<usize>, range: Range<usize>) -> Result<Option<usize>, Wrong> {
        let Some(composite) = whole else { return Ok(scope) };
        if scope == whole {
            let first = self.region(composite, 1, range.clone())?;
            let nodes = self.diagram.nodes.values_mut().enumerate().filter(|(idx, it)| it.scope == whole && *idx != first);
            nodes.for_each(|(_, it)| it.scope = Some(first));
            self.diagram.arrows.iter_mut().filter(|it| it.scope == whole).for_each(|it| it.scope = Some(first));
            self.diagram.nodes[composite].parallel = true;
        }
        let n_regions = self.diagram.nodes.values().filter(|it| it.region && it.scope == whole).count();
        self.region(composite, n_regions + 1, range).map(Some)
    }

    fn region(&mut self, composite: usize, number: usize, range: Range<usize>) -> Result<usize, Wrong> {
        let name = self.diagram.nodes.get_index(composite).map_or("", |(id, _)| id.as_str());
        let id = format!("{name} {number}");
        let region = self.node(&id, Some(composite), range)?;
        self.diagram.nodes[region].region = true;
        Ok(region)
    }

    /// The node with this id, known or new.
    ///
    /// Mermaid draws a state in the composite that names it last. Outside all composites, a name moves nothing.
    fn node(&mut self, id: &str, scope: Option<usize>, range: Range<usize>) -> Result<usize, Wrong> {
        let id = plain(id, " ");
        let now = self.mentions.len();
        if let Some((idx, _, known)) = self.diagram.nodes.get_full(&id) {
            let before = known.scope;
            let Some(new) = scope.filter(|it| Some(*it) != before) else { return Ok(idx) };
            if std::iter::successors(scope, |it| self.diagram.nodes[*it].scope).any(|it| it == idx) {
                // An arrow inside a composite may refer to the composite itself.
                return Ok(idx);
            }
            let mention = *self.mentions.entry((scope, idx)).or_insert(now);
            (self.diagram.nodes[idx].scope, self.diagram.nodes[idx].mention) = (scope, mention);
            if let Some(before) = before {
                let name = |at: usize| self.diagram.nodes.get_index(at).map_or("", |(id, _)| id.as_str());
                let (before, new) = (name(before), name(new));
                let message = format!(
                    "`{id}` is named in `{before}` and in `{new}`, but a state is in one composite: it was put into `{new}`, where Mermaid draws it"
                );
                self.diagram.found.assumed(self.block.span(range), message);
            }
            return Ok(idx);
        }
        let node = Node { scope, mention: now, range, ..Node::default() };
        let (idx, _) = self.diagram.nodes.insert_full(id, node);
        self.mentions.insert((scope, idx), now);
        Ok(idx)
    }
}
