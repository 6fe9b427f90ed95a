//! Readers: from the bytes of a file to attempts, one after the other.

mod counting;
mod csv;
mod jsonl;
mod line_ends;
mod ocel;
mod xes;

use std::io::{self, BufRead, BufReader};

use flate2::bufread::MultiGzDecoder;

use super::attempt::Item;
use super::columns::Reading;
use super::format::Format;

/// The longest line or record in bytes.
pub(crate) const MAX_LINE: u64 = 16 << 20;

/// Takes one item after the other, in the order of the file.
pub(crate) type Sink<'s> = &'s mut dyn FnMut(Item<'_>);

/// Reads a history, compressed with gzip or not. What cannot be read is an item of its own, and reading goes on behind it as far as
/// the format has a place to go on.
///
/// # Errors
///
/// The input cannot be read, or its table lacks a column; the text says which.
pub fn read(format: Format, reading: &Reading, mut input: impl BufRead, each: Sink<'_>) -> Result<(), String> {
    let start = input.fill_buf().map_err(|error| error.to_string())?;
    if start.starts_with(&[0x1f, 0x8b]) {
        return of(format, reading, BufReader::with_capacity(1 << 16, MultiGzDecoder::new(input)), each);
    }
    of(format, reading, input, each)
}

fn of(format: Format, reading: &Reading, mut input: impl BufRead, each: Sink<'_>) -> Result<(), String> {
    skip_mark(&mut input).map_err(|error| error.to_string())?;
    match format {
        Format::Jsonl if reading.columns.is_empty() && reading.only.is_empty() => jsonl::attempts(reading, input, each),
        Format::Jsonl if reading.columns.is_empty() => jsonl::chosen(reading, input, each),
        Format::Jsonl => jsonl::objects(reading, input, each),
        Format::Csv | Format::DjangoFsmLog | Format::Statesman | Format::PaperTrail => csv::records(format, reading, input, each),
        Format::Xes => xes::traces(reading, input, each),
        Format::Ocel => ocel::events(reading, input, each),
    }
}

/// Some programs begin a text with a mark of its encoding.
fn skip_mark(input: &mut impl BufRead) -> io::Result<()> {
    if input.fill_buf()?.starts_with("\u{feff}".as_bytes()) {
        input.consume(3);
    }
    Ok(())
}
