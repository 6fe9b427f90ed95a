//! Tables with a header.

use std::io::BufRead;

use csv::{ByteRecord, ReaderBuilder};

use super::Sink;
use super::line_ends::LineEnds;
use crate::attempt::Item;
use crate::columns::Reading;
use crate::format::Format;
use crate::rows::Rows;

/// Reads the records of a table.
pub(super) fn records(format: Format, reading: &Reading, input: impl BufRead, each: Sink<'_>) -> Result<(), String> {
    let separator = reading.separator.unwrap_or(b',');
    let mut reader = ReaderBuilder::new().delimiter(separator).flexible(true).from_reader(LineEnds::new(input));
    let header = reader.byte_headers().map_err(|error| told(&error))?.clone();
    let header: Vec<&str> = header
        .iter()
        .map(|it| std::str::from_utf8(it).map(str::trim))
        .collect::<Result<_, _>>()
        .map_err(|_| "the header is not UTF-8".to_owned())?;
    if header.iter().all(|it| it.is_empty()) {
        return Err("the table has no header".to_owned());
    }
    let mut rows = Rows::new(format, &header, reading)?;
    let mut record = ByteRecord::new();
    loop {
        match reader.read_byte_record(&mut record) {
            Ok(false) => return Ok(()),
            Ok(true) => {}
            Err(error) => return Err(told(&error)),
        }
        let line = record.position().map_or(0, csv::Position::line);
        let texts: Result<Vec<&str>, _> = record.iter().map(std::str::from_utf8).collect();
        let broken = |why: String| Item::Broken { line, column: 1, why };
        match texts {
            Err(_) => each(broken("the record is not UTF-8".to_owned())),
            Ok(texts) if texts.len() != header.len() => {
                each(broken(format!("the record has {} values, and the header has {} columns", texts.len(), header.len())));
            }
            Ok(texts) => {
                let item = rows.item(line, &|idx| texts.get(idx).map(|it| Some(*it)));
                each(item);
            }
        }
    }
}

fn told(error: &csv::Error) -> String {
    let line = error.position().map_or_else(String::new, |it| format!("line {}: ", it.line()));
    format!("{line}the table cannot be read: {}", crate::shown::plain(&error.to_string()))
}
