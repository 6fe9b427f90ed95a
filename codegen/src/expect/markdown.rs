//! Names in pages: tables, lists and prose.

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::known::{Known, Reading};
use super::text::{Word, words};

/// The ways to read a page, the most telling first: a column of a table, code, strong words, the heads of list items.
pub(super) fn readings(text: &str, known: &Known) -> Vec<Reading> {
    let mut columns: Vec<Vec<Word>> = Vec::new();
    let (mut code, mut strong, mut heads) = (Vec::new(), Vec::new(), Vec::new());
    // Where the next word belongs.
    let (mut column, mut in_head, mut in_strong, mut item_begins) = (None::<usize>, false, false, false);
    let mut cell: Option<Word> = None;
    for (event, range) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
        match event {
            Event::Start(Tag::TableHead) => in_head = true,
            Event::End(TagEnd::TableHead) => in_head = false,
            Event::Start(Tag::TableRow) => column = Some(0),
            Event::End(TagEnd::TableRow) => column = None,
            Event::Start(Tag::TableCell) => cell = None,
            Event::End(TagEnd::TableCell) => {
                if let (Some(idx), false) = (column, in_head) {
                    columns.resize(columns.len().max(idx + 1), Vec::new());
                    columns[idx].extend(cell.take().filter(|it| !it.text.trim().is_empty()));
                    column = Some(idx + 1);
                }
            }
            Event::Start(Tag::Strong) => in_strong = true,
            Event::End(TagEnd::Strong) => in_strong = false,
            Event::Start(Tag::Item) => item_begins = true,
            Event::Code(it) => {
                let word = Word { text: it.to_string(), range: inside(text, &range, &it) };
                if std::mem::take(&mut item_begins) {
                    heads.push(word.clone());
                }
                // A cell is named by its code, if it has some.
                cell = Some(word.clone());
                code.push(word);
            }
            Event::Text(it) => {
                let word = Word { text: it.trim().to_owned(), range: inside(text, &range, it.trim()) };
                if in_strong {
                    strong.push(word.clone());
                }
                if std::mem::take(&mut item_begins) {
                    heads.push(head(&it, &range));
                }
                if cell.is_none() && !in_head {
                    cell = Some(word);
                }
            }
            _ => {}
        }
    }
    // Code that is no name at all, such as a command, is no state that is too much.
    code.retain(|it| is_name(&it.text) || known.has(&it.text));
    columns.into_iter().chain([code, strong, heads]).collect()
}

/// The table or the block of code at a place of a page; else the place alone.
pub(super) fn block(text: &str, at: usize) -> Range<usize> {
    let events = Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter();
    let is_block = |it: &Event<'_>| matches!(it, Event::Start(Tag::Table(_) | Tag::CodeBlock(_)));
    events.filter(|(event, range)| is_block(event) && range.contains(&at)).map(|it| it.1).next().unwrap_or(at..at)
}

/// Whether a text is one word, as names are.
fn is_name(text: &str) -> bool {
    let all = words(text);
    matches!(all.as_slice(), [only] if only.range == (0..text.len())) || all.len() == 1 && text.contains(['.', ':']) && !text.contains(' ')
}

/// The head of a list item: `open: not paid yet`, `open - not paid yet`.
fn head(text: &str, range: &Range<usize>) -> Word {
    let end = [":", " - ", " – ", " — ", " ("].iter().filter_map(|it| text.find(it)).min().unwrap_or(text.len());
    let head = text[..end].trim();
    Word { text: head.to_owned(), range: range.start..range.start + end.min(range.len()) }
}

/// The range of a text within its element.
fn inside(text: &str, range: &Range<usize>, part: &str) -> Range<usize> {
    let at = text.get(range.clone()).and_then(|it| it.find(part)).map_or(range.start, |it| range.start + it);
    at..(at + part.len()).min(text.len())
}
