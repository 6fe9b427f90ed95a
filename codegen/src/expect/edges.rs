//! The edges that a text lists: arrows, maps of lists, pairs, and tables.

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::known::{Affix, Known};
use super::subject::Wanted;
use super::text::{Language, Word, code, words};

/// The edges that a text has, by the positions of their states, and the names that are no states.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Read {
    pub(super) edges: Vec<((usize, usize), Range<usize>)>,
    pub(super) extra: Vec<(String, Range<usize>)>,
}

/// Finds the edges; the reason if there are none.
pub(super) fn read(text: &str, language: Language, states: &[Wanted]) -> Result<Read, &'static str> {
    let known = Known::new(states);
    let mut pairs = Vec::new();
    if language == Language::Markdown {
        pairs.extend(tables(text, &known));
    }
    if pairs.is_empty() {
        pairs = steps(text, language, &known);
    }
    let names: Vec<Word> = pairs.iter().flat_map(|(from, to)| [from.clone(), to.clone()]).collect();
    let affix = known.affix(&names);
    let mut read = Read::default();
    for (from, to) in pairs {
        match (known.position(&from.text, &affix), known.position(&to.text, &affix)) {
            (Some(a), Some(b)) => {
                if read.edges.iter().all(|it| it.0 != (a, b)) {
                    read.edges.push(((a, b), from.range.start.min(to.range.start)..from.range.end.max(to.range.end)));
                }
            }
            (a, b) => {
                let unknown = [(a, from), (b, to)].into_iter().filter(|it| it.0.is_none());
                for (_, word) in unknown {
                    if read.extra.iter().all(|it| it.0 != word.text) {
                        read.extra.push((word.text, word.range));
                    }
                }
            }
        }
    }
    if read.edges.is_empty() { Err("it has no edges between the states: arrows, pairs, or a map of lists") } else { Ok(read) }
}

/// A mark or a name of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    Name(Word),
    Arrow,
    Colon,
    Open,
    Close,
    /// `,` and `|`
    Separator,
    Newline,
}

/// The pairs of names that arrows, maps and tuples make.
fn steps(text: &str, language: Language, known: &Known) -> Vec<(Word, Word)> {
    let tokens = tokens(text, language);
    let mut pairs = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let rest = &tokens[at..];
        let (targets, length) = match rest {
            [Token::Name(_), Token::Arrow, Token::Open, ..] => group(&rest[2..], 2),
            [Token::Name(_), Token::Arrow, ..] => line(&rest[2..], 2),
            [Token::Name(_), Token::Colon, after @ ..] => match opens(after) {
                Some(skipped) => group(&after[skipped..], 2 + skipped),
                None => match after {
                    [Token::Name(to), ..] if known.has(&to.text) => (vec![to.clone()], 3),
                    _ => (Vec::new(), 1),
                },
            },
            [Token::Open, Token::Name(from), Token::Separator, Token::Name(to), Token::Close, ..] => {
                pairs.push((from.clone(), to.clone()));
                (Vec::new(), 5)
            }
            _ => (Vec::new(), 1),
        };
        if let Some(Token::Name(from)) = rest.first() {
            pairs.extend(targets.into_iter().map(|it| (from.clone(), it)));
        }
        at += length;
    }
    pairs
}

/// The number of names before a bracket that opens, such as `new Set(`.
fn opens(tokens: &[Token]) -> Option<usize> {
    let at = tokens.iter().take(4).position(|it| *it == Token::Open)?;
    tokens[..at].iter().all(|it| matches!(it, Token::Name(_))).then_some(at)
}

/// All names within brackets, and the number of tokens up to their end.
fn group(tokens: &[Token], before: usize) -> (Vec<Word>, usize) {
    let (mut depth, mut names) = (0_usize, Vec::new());
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Open => depth += 1,
            Token::Close => depth = depth.saturating_sub(1),
            Token::Name(it) => names.push(it.clone()),
            _ => {}
        }
        if depth == 0 {
            return (names, before + at + 1);
        }
    }
    (names, before + tokens.len())
}

/// The names behind an arrow: one, or several with separators. The rest of the line describes the edge.
fn line(tokens: &[Token], before: usize) -> (Vec<Word>, usize) {
    let end = tokens.iter().position(|it| *it == Token::Newline).unwrap_or(tokens.len());
    let mut names = Vec::new();
    let mut expects_name = true;
    for token in &tokens[..end] {
        match token {
            Token::Name(it) if expects_name => {
                names.push(it.clone());
                expects_name = false;
            }
            Token::Separator if !expects_name => expects_name = true,
            _ => break,
        }
    }
    (names, before + end)
}

fn tokens(text: &str, language: Language) -> Vec<Token> {
    let code = code(text, language);
    let bare = code.unquoted();
    let mut tokens: Vec<(usize, Token)> = words(&bare).into_iter().map(|it| (it.range.start, Token::Name(it))).collect();
    tokens.extend(code.quoted.iter().map(|it| {
        let word = Word { text: text[it.inside.clone()].to_owned(), range: it.inside.clone() };
        (it.whole.start, Token::Name(word))
    }));
    let mut next = 0;
    for (at, mark) in bare.char_indices() {
        if at < next {
            continue;
        }
        let rest = &bare[at..];
        let arrow = ["-->", "==>", "->", "=>", "→", "⟶", "➜"].iter().find(|it| rest.starts_with(**it));
        let token = match mark {
            _ if arrow.is_some() => Token::Arrow,
            // A path is part of its name.
            ':' if rest.starts_with("::") => {
                next = at + 2;
                continue;
            }
            ':' => Token::Colon,
            '(' | '[' | '{' => Token::Open,
            ')' | ']' | '}' => Token::Close,
            ',' | '|' => Token::Separator,
            '\n' => Token::Newline,
            _ => continue,
        };
        next = at + arrow.map_or(mark.len_utf8(), |it| it.len());
        tokens.push((at, token));
    }
    tokens.sort_by_key(|it| it.0);
    // Brackets span lines, so a line end only matters outside of them.
    let mut depth = 0_usize;
    tokens.retain(|(_, it)| {
        match it {
            Token::Open => depth += 1,
            Token::Close => depth = depth.saturating_sub(1),
            Token::Newline => return depth == 0,
            _ => {}
        }
        true
    });
    tokens.into_iter().map(|it| it.1).collect()
}

/// A table of a page: its headings, and the words of each cell.
#[derive(Default)]
struct Table {
    head: Vec<String>,
    rows: Vec<Vec<Vec<Word>>>,
}

/// The pairs of names in the tables of a page.
fn tables(text: &str, known: &Known) -> Vec<(Word, Word)> {
    let mut tables: Vec<Table> = Vec::new();
    let (mut in_head, mut in_cell) = (false, false);
    for (event, range) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
        match event {
            Event::Start(Tag::Table(_)) => tables.push(Table::default()),
            Event::Start(Tag::TableHead) => in_head = true,
            Event::End(TagEnd::TableHead) => in_head = false,
            Event::Start(Tag::TableRow) => tables.last_mut().into_iter().for_each(|it| it.rows.push(Vec::new())),
            Event::Start(Tag::TableCell) => {
                in_cell = true;
                if let Some(table) = tables.last_mut() {
                    match table.rows.last_mut() {
                        Some(row) if !in_head => row.push(Vec::new()),
                        _ => table.head.push(String::new()),
                    }
                }
            }
            Event::End(TagEnd::TableCell) => in_cell = false,
            Event::Text(it) | Event::Code(it) if in_cell => {
                let Some(table) = tables.last_mut() else { continue };
                if in_head {
                    table.head.last_mut().into_iter().for_each(|head| head.push_str(&it));
                } else if let Some(cell) = table.rows.last_mut().and_then(|it| it.last_mut()) {
                    let shift = text.get(range.clone()).and_then(|whole| whole.find(&*it)).map_or(range.start, |at| range.start + at);
                    cell.extend(words(&it).into_iter().map(|it| Word { range: it.range.start + shift..it.range.end + shift, ..it }));
                }
            }
            _ => {}
        }
    }
    tables.iter().flat_map(|it| of_table(it, known)).collect()
}

fn of_table(table: &Table, known: &Known) -> Vec<(Word, Word)> {
    let n_columns = table.rows.iter().map(Vec::len).max().unwrap_or(0);
    let column = |idx: usize| table.rows.iter().filter_map(move |row| row.get(idx)).flatten();
    let affixes: Vec<Affix> = (0..n_columns).map(|idx| known.affix(&column(idx).cloned().collect::<Vec<_>>())).collect();
    let n_known = |idx: usize| column(idx).filter(|it| known.position(&it.text, &affixes[idx]).is_some()).count();
    let mut best: Vec<(usize, usize)> = (0..n_columns).map(|idx| (n_known(idx), idx)).filter(|it| it.0 > 0).collect();
    // The two columns with the most states, from left to right.
    best.sort_by_key(|it| (std::cmp::Reverse(it.0), it.1));
    best.truncate(2);
    best.sort_by_key(|it| it.1);
    let [(_, a), (_, b)] = best.as_slice() else { return Vec::new() };
    let heading = |idx: usize| table.head.get(idx).map(|it| it.trim().to_lowercase()).unwrap_or_default();
    let is_turned = ["to", "target", "next", "new"].iter().any(|it| heading(*a).split(' ').next() == Some(it));
    let (from, to) = if is_turned { (*b, *a) } else { (*a, *b) };
    let mut pairs = Vec::new();
    for row in &table.rows {
        let names = |idx: usize| {
            let all = row.get(idx).map_or(&[][..], Vec::as_slice);
            let sure: Vec<Word> = all.iter().filter(|it| known.position(&it.text, &affixes[idx]).is_some()).cloned().collect();
            // A cell without a known state names an unknown one.
            if sure.is_empty() { all.first().into_iter().cloned().collect() } else { sure }
        };
        let (sources, targets) = (names(from), names(to));
        pairs.extend(sources.iter().flat_map(|a| targets.iter().map(move |b| (a.clone(), b.clone()))));
    }
    pairs
}
