//! Regions in hand-written pages: generated text between two markers.
//!
//! ```text
//! <!-- statespec:begin mysis.diagram -->
//! …
//! <!-- statespec:end mysis.diagram 85944171f73967e8 -->
//! ```
//!
//! Each marker is alone on its line. The author of a page writes the two markers without a digest;
//! the first run fills the region and adds the digest. Markers are found with a Markdown parser, so
//! markers in code blocks are text.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::marker::{Marker, Side, begin_line, end_line, markers, parse};
use crate::digest::{digest, is_digest};

/// The regions of a page.
#[derive(Debug, Default)]
pub(crate) struct Page {
    /// The regions with correct markers, in the order of the page.
    pub(crate) regions: Vec<Found>,
    /// The problems of the other markers.
    pub(super) problems: Vec<Problem>,
}

/// One region of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) name: String,
    /// The lines of the begin marker and of the end marker, counted from 0.
    pub(crate) begin: usize,
    pub(crate) end: usize,
    pub(crate) markers: Markers,
}

/// How the markers of a region are written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Markers {
    /// As comments of Markdown, both with the name.
    Page,
    /// As comments of any language, which stay as they are; the end has the digest alone.
    Comments {
        /// The line of the first marker.
        begin: String,
        /// The blanks before it.
        indent: String,
        /// The line of the second marker: what is before `statespec:end`, and behind the digest.
        before_end: String,
        behind_end: String,
        /// The digest on the disk; none before the first run.
        digest: Option<String>,
    },
}

/// An invalid marker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Problem {
    /// The line of the marker, counted from 0.
    pub(super) line: usize,
    pub(super) message: String,
    pub(super) label: &'static str,
    pub(super) help: String,
    /// Another line that explains the problem.
    pub(super) also: Option<(usize, &'static str)>,
}

/// The limit on how often one page is parsed again because the text of a region hides its end marker.
const MAX_RESTARTS: usize = 64;

/// The digest of a region's text.
pub(crate) fn digest_of(name: &str, text: &[u8]) -> String {
    digest([name.as_bytes(), b"\n", text])
}

/// The regions of a page: the name of each, and the lines from its first marker to its last one, counted from 0.
pub fn regions(page: &str) -> Vec<(String, Range<usize>)> {
    read(page).regions.into_iter().map(|it| (it.name, it.begin..it.end)).collect()
}

/// A text of whole lines with the markers of the region of this name around it.
///
/// With the digest of the text, the next run recognizes the region as unedited and updates it.
pub fn marked(name: &str, text: &str) -> String {
    let digest = digest_of(name, text.as_bytes());
    format!("{}\n{text}{}", begin_line(name), end_line(name, Some(&digest)))
}

/// Finds the regions of a page with LF line ends.
pub(crate) fn read(text: &str) -> Page {
    let mut reader = Reader::default();
    let line_starts: Vec<usize> = std::iter::once(0).chain(text.match_indices('\n').map(|(idx, _)| idx + 1)).collect();
    let lines: Vec<&str> = text.split('\n').collect();
    let mut from = 0;
    let mut seen: BTreeSet<usize> = BTreeSet::new();
    for restart in 0..=MAX_RESTARTS {
        let markers = markers(text, &lines, &line_starts, from);
        seen.extend(markers.iter().map(|it| it.line));
        match reader.pair(&markers, &lines, restart < MAX_RESTARTS) {
            Some(hidden_end) => from = hidden_end + 1,
            None => break,
        }
    }
    for (line, name) in lines.iter().enumerate().filter_map(|(line, text)| Some((line, written_end(unquoted(text))?))) {
        if !seen.contains(&line) && !reader.page.regions.iter().any(|it| it.begin < line && line <= it.end) {
            reader.swallowed(line, name);
        }
    }
    reader.page.problems.sort_by_key(|it| it.line);
    reader.page
}

#[derive(Default)]
struct Reader {
    page: Page,
    /// The line of the first begin marker of each name.
    seen: BTreeMap<String, usize>,
}

/// An open region.
struct Open<'a> {
    name: &'a str,
    line: usize,
    /// Whether no problem was found so far.
    good: bool,
}

impl Reader {
    /// Pairs markers. Returns the line of an end marker that the parser did not see; parsing continues after it.
    fn pair(&mut self, markers: &[Marker<'_>], lines: &[&str], may_restart: bool) -> Option<usize> {
        let last_ends: BTreeMap<&str, usize> = markers
            .iter()
            .enumerate()
            .filter_map(|(idx, it)| it.is.filter(|(side, _)| *side == Side::End).map(|(_, name)| (name, idx)))
            .collect();
        let mut open: Vec<Open<'_>> = Vec::new();
        // Begin markers whose end comes before them; these were already reported.
        let mut reversed: Vec<usize> = Vec::new();
        for (idx, marker) in markers.iter().enumerate() {
            if !marker.good {
                self.malformed(marker, lines[marker.line]);
            }
            match marker.is {
                None => {}
                Some((Side::Begin, name)) => {
                    let next = markers.get(idx + 1);
                    let ends_next = next.is_some_and(|it| it.is == Some((Side::End, name)));
                    if marker.good && open.is_empty() && !ends_next && may_restart {
                        let limit = next.map_or(lines.len(), |it| it.line);
                        if let Some(end) = hidden_end(lines, name, marker.line + 1..limit) {
                            self.begin(marker.line, name, &mut open);
                            self.page.regions.push(Found { name: name.to_owned(), begin: marker.line, end, markers: Markers::Page });
                            return Some(end);
                        }
                    }
                    // One mistake must not affect later regions: a begin marker without an end opens no region.
                    let ends = if marker.good { last_ends.get(name).is_some_and(|it| *it > idx) } else { ends_next };
                    if ends {
                        let good = self.begin(marker.line, name, &mut open) && marker.good;
                        open.push(Open { name, line: marker.line, good });
                    } else if marker.good && !reversed.contains(&marker.line) {
                        self.never_ends(marker.line, name);
                    }
                }
                Some((Side::End, name)) => match open.iter().rposition(|it| it.name == name) {
                    Some(depth) => {
                        let region = open.drain(depth..).next();
                        if let Some(region) = region.filter(|it| it.good && marker.good && open.is_empty()) {
                            self.page.regions.push(Found {
                                name: name.to_owned(),
                                begin: region.line,
                                end: marker.line,
                                markers: Markers::Page,
                            });
                        }
                    }
                    None if marker.good => reversed.extend(self.stray_end(marker.line, name, &markers[idx + 1..])),
                    None => {}
                },
            }
        }
        None
    }

    /// Records the beginning of a region, and whether it is valid at that place.
    fn begin(&mut self, line: usize, name: &str, open: &mut [Open<'_>]) -> bool {
        if let Some(outer) = open.last_mut() {
            outer.good = false;
            let (outer, outer_line) = (outer.name, outer.line);
            self.inside(line, name, outer, outer_line);
        } else if let Some(&first) = self.seen.get(name) {
            let message = format!("region `{name}` stands twice in this page");
            self.problem(line, message, "for the second time", "remove one of the two").also = Some((first, "the first"));
        }
        self.seen.entry(name.to_owned()).or_insert(line);
        open.is_empty()
    }

    fn problem(&mut self, line: usize, message: String, label: &'static str, help: impl Into<String>) -> &mut Problem {
        self.page.problems.push(Problem { line, message, label, help: help.into(), also: None });
        let last = self.page.problems.len() - 1;
        &mut self.page.problems[last]
    }

    fn malformed(&mut self, marker: &Marker<'_>, line: &str) {
        let canonical = match marker.is {
            Some((Side::Begin, name)) => format!("`{}`", begin_line(name)),
            Some((Side::End, name)) => format!("`{}`", end_line(name, None)),
            None => format!("`{}` or `{}`", begin_line("NAME"), end_line("NAME", None)),
        };
        let comment = line.find("<!--").and_then(|start| line[start..].split_inclusive("-->").next());
        let label = if comment.is_some_and(|it| parse(it).is_some()) { "not alone on its line" } else { "not the form of a marker" };
        let message = "this comment means to be a region marker, and is none".to_owned();
        self.problem(marker.line, message, label, format!("a marker stands alone on its line: {canonical}"));
    }

    /// A filled end marker that Markdown now parses as text, so that its region would no longer be checked.
    fn swallowed(&mut self, line: usize, name: &str) {
        let message = format!("region `{name}` has become part of a code block or a comment");
        let help = "close what was opened before the region; in an example, leave the digest out";
        self.problem(line, message, "a run wrote this marker", help);
    }

    fn inside(&mut self, line: usize, name: &str, outer: &str, outer_line: usize) {
        if name == outer {
            let message = format!("region `{name}` begins twice before it ends");
            let help = "remove one of the two markers";
            self.problem(line, message, "begins again", help).also = Some((outer_line, "begins here"));
        } else {
            let message = format!("region `{name}` begins inside region `{outer}`");
            let help = format!("put `{}` before it: regions do not nest", end_line(outer, None));
            self.problem(line, message, "begins here", help).also = Some((outer_line, "has not ended yet"));
        }
    }

    fn never_ends(&mut self, line: usize, name: &str) {
        let help = format!("put `{}` after the place for the generated text", end_line(name, None));
        self.problem(line, format!("region `{name}` never ends"), "begins here", help);
    }

    /// An end without a preceding begin; returns the line of a begin that comes after it.
    fn stray_end(&mut self, line: usize, name: &str, rest: &[Marker<'_>]) -> Option<usize> {
        let known = self.seen.get(name);
        if known.is_some_and(|begin| self.page.problems.iter().any(|it| it.line == *begin)) {
            // One message per mistake: its begin was already reported.
            return None;
        }
        if known.is_some() {
            let message = format!("region `{name}` ends twice");
            self.problem(line, message, "ends again", "remove one of the two end markers");
            return None;
        }
        let begin = rest.iter().find(|it| it.is == Some((Side::Begin, name)));
        let ends_again = rest.iter().any(|it| it.is == Some((Side::End, name)));
        match begin.filter(|_| !ends_again) {
            Some(begin) => {
                let message = format!("region `{name}` ends before it begins");
                self.problem(line, message, "ends here", "swap the two markers").also = Some((begin.line, "begins here"));
                Some(begin.line)
            }
            None => {
                let help = format!("put `{}` before the place for the generated text, or remove this line", begin_line(name));
                self.problem(line, format!("region `{name}` ends and never began"), "ends here", help);
                None
            }
        }
    }
}

/// An end marker that the parser took for text, because an edit of the region opened a code block or the like.
///
/// Only a marker with a digest counts: it was written by a run.
fn hidden_end(lines: &[&str], name: &str, range: Range<usize>) -> Option<usize> {
    lines.get(range.clone())?.iter().position(|it| written_end(it) == Some(name)).map(|idx| range.start + idx)
}

/// A line without the prefix that puts it into a list, a quote or an indented code block.
fn unquoted(line: &str) -> &str {
    line.trim_start_matches(|it: char| it.is_whitespace() || it.is_ascii_digit() || matches!(it, '>' | '-' | '*' | '+' | '.' | ')'))
        .trim_end()
}

/// The names of the regions that a run has filled.
pub(super) fn filled(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|it| written_end(unquoted(it)))
}

/// The name on an end marker with a digest, which a run has written.
fn written_end(line: &str) -> Option<&str> {
    match parse(line)? {
        (Side::End, name, Some(digest)) if is_digest(digest.as_bytes()) => Some(name),
        _ => None,
    }
}
