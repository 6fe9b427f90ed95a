//! Changes to the bytes of a file.

use std::fmt;
use std::ops::Range;

/// One change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Edit {
    /// One bit of one byte is flipped.
    Flip(usize, u8),
    /// A byte is removed.
    Drop(usize),
    /// A letter is inserted before a byte.
    Insert(usize),
    /// A line is removed; lines are counted from 0.
    DeleteLine(usize),
    /// A line is duplicated.
    DoubleLine(usize),
    /// A line and the one after it are swapped.
    SwapLines(usize),
    /// A blank is added at the end of a line.
    TrailingBlank(usize),
    /// One line ends in CRLF.
    CarriageReturn(usize),
    /// Everything from a byte on is removed.
    Truncate(usize),
    /// A byte order mark is inserted at the beginning.
    ByteOrderMark,
    /// An empty line is added at the end.
    FinalNewline,
}

impl Edit {
    /// Its name in the table.
    pub(super) fn class(self) -> &'static str {
        match self {
            Edit::Flip(..) => "bit flipped",
            Edit::Drop(_) => "byte removed",
            Edit::Insert(_) => "byte added",
            Edit::DeleteLine(_) => "line deleted",
            Edit::DoubleLine(_) => "line doubled",
            Edit::SwapLines(_) => "lines swapped",
            Edit::TrailingBlank(_) => "blank at a line's end",
            Edit::CarriageReturn(_) => "one line with CRLF",
            Edit::Truncate(_) => "truncated",
            Edit::ByteOrderMark => "byte order mark added",
            Edit::FinalNewline => "newline added at the end",
        }
    }

    /// The changed bytes; `None` if nothing would change.
    pub(super) fn apply(self, bytes: &[u8]) -> Option<Vec<u8>> {
        let replaced = |range: Range<usize>, by: &[u8]| [&bytes[..range.start], by, &bytes[range.end..]].concat();
        let line = |idx: usize| nth_line(bytes, idx);
        let mutant = match self {
            Edit::Flip(at, bit) => replaced(at..at + 1, &[bytes.get(at)? ^ (1 << bit)]),
            Edit::Drop(at) => replaced(at..at + 1, b""),
            Edit::Insert(at) => replaced(at..at, b"x"),
            Edit::DeleteLine(idx) => replaced(line(idx)?, b""),
            Edit::DoubleLine(idx) => {
                let line = line(idx)?;
                replaced(line.end..line.end, &bytes[line])
            }
            Edit::SwapLines(idx) => {
                let (first, second) = (line(idx)?, line(idx + 1)?);
                replaced(first.start..second.end, &[&bytes[second], &bytes[first]].concat())
            }
            Edit::TrailingBlank(idx) => {
                let end = line(idx)?.end - 1;
                replaced(end..end, b" ")
            }
            Edit::CarriageReturn(idx) => {
                let end = line(idx)?.end - 1;
                replaced(end..end, b"\r")
            }
            Edit::Truncate(at) => bytes[..at].to_vec(),
            Edit::ByteOrderMark => replaced(0..0, "\u{feff}".as_bytes()),
            Edit::FinalNewline => replaced(bytes.len()..bytes.len(), b"\n"),
        };
        (mutant != bytes).then_some(mutant)
    }

    /// All changes to a file that stay within a range of its bytes. The range begins and ends at line boundaries.
    pub(super) fn within(bytes: &[u8], range: Range<usize>) -> Vec<Edit> {
        let mut edits = Vec::new();
        for at in range.clone() {
            // Another bit for each byte, the same in every run.
            edits.extend([Edit::Flip(at, (at % 8) as u8), Edit::Drop(at), Edit::Insert(at)]);
        }
        let line_of = |at: usize| bytes[..at].iter().filter(|it| **it == b'\n').count();
        let lines = line_of(range.start)..line_of(range.end);
        for idx in lines.clone() {
            edits.extend([Edit::DeleteLine(idx), Edit::DoubleLine(idx), Edit::TrailingBlank(idx), Edit::CarriageReturn(idx)]);
            if idx + 1 < lines.end {
                edits.push(Edit::SwapLines(idx));
            }
        }
        edits
    }

    /// All changes to a file.
    pub(super) fn all(bytes: &[u8]) -> Vec<Edit> {
        let mut edits = Edit::within(bytes, 0..bytes.len());
        edits.extend((0..bytes.len()).map(Edit::Truncate));
        edits.extend([Edit::ByteOrderMark, Edit::FinalNewline]);
        edits
    }
}

impl fmt::Display for Edit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

/// The bytes of a line with its line end; a last line without a line end does not count.
fn nth_line(bytes: &[u8], idx: usize) -> Option<Range<usize>> {
    let mut ends = bytes.iter().enumerate().filter(|(_, it)| **it == b'\n').map(|(at, _)| at + 1);
    let start = if idx == 0 { 0 } else { ends.nth(idx - 1)? };
    Some(start..ends.next()?)
}
