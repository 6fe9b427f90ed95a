//! Cells that say that the one above them is meant: `idem`, `"`.

use std::ops::Range;

use super::cell::Cell;
use super::column::{Column, Columns};
use super::table::Table;

/// A table whose repeated cells are written out, and the place of each with what is said there.
pub(super) struct WrittenOut {
    pub(super) table: Table,
    pub(super) repeats: Vec<(Range<usize>, String)>,
}

impl Table {
    /// The table with its repeated cells written out; `None` if there are none. Columns that are left out stay as they are.
    pub(super) fn written_out(&self) -> Option<WrittenOut> {
        let columns = Columns::new(&self.head, None).of;
        let mut table = self.clone();
        let mut repeats = Vec::new();
        for number in 1..table.rows.len() {
            let (before, rest) = table.rows.split_at_mut(number);
            let pairs = rest[0].iter_mut().zip(&before[number - 1]).zip(&columns);
            for ((cell, above), _) in pairs.filter(|((it, _), column)| it.repeats() && **column != Column::Other) {
                let message = match above.is_blank() {
                    true => format!("`{}` was read as the cell above it, which is empty", cell.text),
                    false => format!("`{}` was read as the cell above it, `{}`", cell.text, above.text),
                };
                repeats.push((cell.range.clone(), message));
                *cell = Cell { range: cell.range.clone(), ..above.clone() };
            }
        }
        (!repeats.is_empty()).then_some(WrittenOut { table, repeats })
    }
}

impl Cell {
    /// Whether the cell says that the one above it is meant.
    fn repeats(&self) -> bool {
        const REPEATS: &[&str] = &[
            "ditto",
            "dito",
            "idem",
            "ídem",
            "same as above",
            "as above",
            "like above",
            "same as previous row",
            "same as the row above",
            "wie oben",
            "同上",
            "위와 같음",
        ];
        let is_sign = matches!(self.text.trim(), "\"" | "″" | "〃" | "''" | "”");
        self.codes.is_empty() && (is_sign || REPEATS.contains(&self.words().join(" ").as_str()))
    }
}
