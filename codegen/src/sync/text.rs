//! Files in any language with generated regions between comments.

use statespec_lang::output::Rendered;

use super::page::{self, Page};
use super::region::{Found, Markers, digest_of};
use crate::marks;

/// A file that people write, with its regions.
///
/// ```text
/// // statespec:begin order.states ts-union
/// …
/// // statespec:end 85944171f73967e8
/// ```
pub struct Text<'a> {
    /// The path, relative to the project's root.
    pub path: String,
    /// The contents that the regions were found in.
    pub bytes: Vec<u8>,
    /// The regions that can be generated, in the order of the file, each with its text.
    pub regions: Vec<(Region, Rendered<'a>)>,
}

/// The place of a region in its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Region(Found);

impl Region {
    /// What the region is generated from: the words of its first marker.
    pub fn words(&self) -> &str {
        &self.0.name
    }

    /// The blanks before its first marker, which its text gets, too.
    pub fn indent(&self) -> &str {
        match &self.0.markers {
            Markers::Comments { indent, .. } => indent,
            Markers::Page => "",
        }
    }
}

/// The words of the marker that ends a region with this text, which has no blanks of its file: `statespec:end 85944171f73967e8`.
pub fn end_words(words: &str, text: &str) -> String {
    format!("statespec:end {}", digest_of(words, text.as_bytes()))
}

/// The regions of a file, with correct markers.
pub fn regions_of_text(path: &str, bytes: &[u8]) -> Vec<Region> {
    let text = page::text(bytes);
    let lines: Vec<&str> = text.split('\n').collect();
    let region = |it: marks::Region<'_>| {
        let (begin, end) = it.lines;
        let (before_end, behind_end) = (it.end.0.to_owned(), it.end.1.to_owned());
        let digest = it.digest.map(str::to_owned);
        let markers = Markers::Comments { begin: lines[begin].to_owned(), indent: it.indent.to_owned(), before_end, behind_end, digest };
        Region(Found { name: it.words.to_owned(), begin, end, markers })
    };
    marks::read(path, &text).regions.into_iter().map(region).collect()
}

impl<'a> Text<'a> {
    /// The file, with the comparison of each of its regions.
    pub(super) fn compared(self) -> (String, Page<'a>) {
        let Text { path, bytes, regions } = self;
        let regions = regions.into_iter().map(|(region, rendered)| (region.0, rendered)).collect();
        (path, Page::of_text(bytes, regions))
    }
}
