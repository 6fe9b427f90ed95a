//! Markers in files of any language, and the texts between them.
//!
//! ```text
//! -- statespec:expect order.states          // statespec:begin order.states ts-union
//! …                                         …
//! -- statespec:end                          // statespec:end 85944171f73967e8
//! ```
//!
//! The text of an expectation is written by hand and compared; the text of a region is generated. Neither lies in another.
//! In a page, regions have markers of their own, which [`crate::sync`] reads.

mod line;

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser};

pub use line::mentions;
use line::{DEFINITION, Found, Mark, markers};

use crate::digest::is_digest;

/// What a file has between markers, in order, and the mistakes.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Marked<'t> {
    pub expectations: Vec<Expectation<'t>>,
    pub regions: Vec<Region<'t>>,
    pub reviews: Vec<Review<'t>>,
    pub mistakes: Vec<Mistake>,
}

/// A hand-written text that must name something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expectation<'t> {
    /// What it must name: `order.states`.
    pub words: &'t str,
    /// The place of the first marker.
    pub marker: Range<usize>,
    /// The lines between the markers.
    pub body: Range<usize>,
}

/// A generated text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Region<'t> {
    /// What it is generated from: `order.states ts-union`.
    pub words: &'t str,
    /// The place of the first marker.
    pub marker: Range<usize>,
    /// The lines of the two markers, counted from 0.
    pub lines: (usize, usize),
    /// The blanks before the first marker.
    pub indent: &'t str,
    /// The line of the second marker: what is before `statespec:end`, and behind the digest, if there is one.
    pub end: (&'t str, &'t str),
    /// The digest; none before the first run.
    pub digest: Option<&'t str>,
}

/// The record that a text was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Review<'t> {
    /// The machine, and the digest if there is one: `order@49731d4f8c21101f`.
    pub words: &'t str,
    pub marker: Range<usize>,
}

/// A marker that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    pub place: Range<usize>,
    pub message: String,
    pub help: &'static str,
    /// Another marker that explains it.
    pub also: Option<(Range<usize>, &'static str)>,
}

/// Whether the file at a path is a page, by its name.
pub fn is_page(path: &str) -> bool {
    let extension = path.rsplit('/').next().and_then(|it| it.rsplit_once('.')).map_or("", |it| it.1);
    ["md", "markdown"].iter().any(|it| it.eq_ignore_ascii_case(extension))
}

/// The texts between the markers of a file.
pub fn read<'t>(path: &str, text: &'t str) -> Marked<'t> {
    let mut reader = Reader { text, marked: Marked::default(), open: None };
    if !mentions(text.as_bytes()) {
        return reader.marked;
    }
    let is_page = is_page(path);
    let comments = is_page.then(|| comments(text));
    // MDX has other comments; a page that was renamed may still have those of Markdown.
    let is_mdx = path.ends_with(".mdx");
    let counts = |line: Range<usize>, at: usize| {
        if is_mdx && text[line.clone()].trim_start().starts_with("<!--") {
            return false;
        }
        let is_in = |ranges: &[Range<usize>]| ranges.iter().any(|it| it.contains(&at));
        // What a page defines is neither shown as a text nor as a comment.
        let is_definition = || text[line].trim_start().starts_with(DEFINITION);
        comments.as_ref().is_none_or(|(html, shown)| is_in(html) || is_definition() && !is_in(shown))
    };
    for found in markers(text, &counts) {
        match found.mark {
            // Those of regions in pages have names.
            Mark::Begin(_) if is_page => {}
            Mark::End(words) if is_page && !words.is_empty() => {}
            _ => reader.marker(found),
        }
    }
    reader.finish()
}

/// The comments of a page, and the texts that it shows, code among them.
fn comments(page: &str) -> (Vec<Range<usize>>, Vec<Range<usize>>) {
    let (mut html, mut shown) = (Vec::new(), Vec::new());
    for (event, range) in Parser::new_ext(page, Options::ENABLE_TABLES).into_offset_iter() {
        match event {
            Event::Html(_) | Event::InlineHtml(_) => html.push(range),
            Event::Text(_) | Event::Code(_) => shown.push(range),
            _ => {}
        }
    }
    (html, shown)
}

struct Reader<'t> {
    text: &'t str,
    marked: Marked<'t>,
    /// A first marker that awaits its end, and whether it is in no other text.
    open: Option<(Found<'t>, bool)>,
}

impl<'t> Reader<'t> {
    fn mistake(&mut self, place: Range<usize>, message: impl Into<String>, help: &'static str) -> &mut Mistake {
        self.marked.mistakes.push(Mistake { place, message: message.into(), help, also: None });
        let last = self.marked.mistakes.len() - 1;
        &mut self.marked.mistakes[last]
    }

    fn marker(&mut self, found: Found<'t>) {
        match found.mark {
            Mark::Beside => {
                let help = "move the code to another line: only whole lines between two markers are read";
                self.mistake(found.range, "a marker stands alone on its line", help);
            }
            Mark::Unknown(word) => {
                let help = "the markers are `statespec:expect NAME`, `statespec:begin NAME FORM`, `statespec:end` and `statespec:reviewed MACHINE`";
                self.mistake(found.range, format!("there is no marker `statespec:{word}`"), help);
            }
            Mark::Reviewed(words) => self.marked.reviews.push(Review { words, marker: found.range }),
            Mark::Expect(_) | Mark::Begin(_) => {
                let what = named(found.mark);
                let range = found.range.clone();
                let is_outermost = self.open.is_none();
                if let Some((before, _)) = self.open.replace((found, is_outermost)) {
                    let outer = named(before.mark);
                    let message =
                        if what == outer { format!("{what} begins within another one") } else { format!("{what} begins within {outer}") };
                    self.mistake(range, message, "put `statespec:end` before it").also = Some((before.range, "this one is still open"));
                }
            }
            Mark::End(words) => self.end(&found, words),
        }
    }

    fn end(&mut self, found: &Found<'t>, words: &'t str) {
        let Some((begin, is_outermost)) = self.open.take() else {
            let help = "remove it, or put `statespec:expect NAME` or `statespec:begin NAME FORM` where the text begins";
            self.mistake(found.range.clone(), "no text begins before this end", help);
            return;
        };
        if !is_outermost {
            return;
        }
        let is_digest = is_digest(words.as_bytes());
        match begin.mark {
            Mark::Expect(_) if !words.is_empty() => {
                let help = "write `statespec:end` alone; a digest belongs to a text that `statespec:begin` generates";
                self.mistake(found.range.clone(), "the end of a hand-written text has no other words", help);
            }
            Mark::Begin(_) if !words.is_empty() && !is_digest => {
                let help = "write `statespec:end` alone; `gen` adds the digest";
                self.mistake(found.range.clone(), "an end has no other word than a digest", help);
            }
            Mark::Begin(words_of_begin) => {
                let line = |it: &Found<'_>| it.line_start..it.line_end;
                let end_line = &self.text[line(found)];
                let at = found.range.start - found.line_start;
                let indent = self.text[line(&begin)].split(|it: char| !matches!(it, ' ' | '\t')).next().unwrap_or_default();
                let behind = end_line[found.range.end - found.line_start..].trim_end_matches(['\n', '\r']);
                self.marked.regions.push(Region {
                    words: words_of_begin,
                    marker: begin.range,
                    lines: (begin.line, found.line),
                    indent,
                    end: (&end_line[..at], behind),
                    digest: is_digest.then_some(words),
                });
            }
            Mark::Expect(words) => {
                let body = begin.line_end..found.line_start;
                self.marked.expectations.push(Expectation { words, marker: begin.range, body });
            }
            _ => {}
        }
    }

    fn finish(mut self) -> Marked<'t> {
        if let Some((begin, _)) = self.open.take() {
            let message = match begin.mark {
                Mark::Begin(_) => "this region never ends",
                _ => "this expectation never ends",
            };
            self.mistake(begin.range, message, "put `statespec:end` in a comment behind the text");
        }
        self.marked.mistakes.sort_by_key(|it| it.place.start);
        self.marked
    }
}

fn named(mark: Mark<'_>) -> &'static str {
    match mark {
        Mark::Begin(_) => "a region",
        _ => "an expectation",
    }
}
