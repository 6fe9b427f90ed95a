//! A ladder as SVG: a bar for each state, over the values at which the machine can be in it.
//!
//! Where two bars overlap, the machine stays in the state that it is in: the hysteresis. The thresholds stand at equal
//! distances, so that no two texts overlap.

use std::cmp::Ordering;
use std::fmt::Write as _;

use super::{Ladder, Threshold, compare};

const ROW: usize = 44;
const BAR: usize = 24;
const COLUMN: usize = 92;
const MARGIN: usize = 16;
/// The width of a character of the names of states. The text is monospaced, so the width is known.
const CHARACTER: usize = 8;

/// The picture, with a newline at its end.
pub(in crate::backend::markdown) fn picture(ladder: &Ladder) -> String {
    let mut values: Vec<&Threshold> = ladder.rungs.iter().flat_map(|(up, down)| std::iter::once(up).chain(down)).collect();
    values.sort_by(|a, b| compare(&a.at, &b.at).unwrap_or(Ordering::Equal));
    values.dedup_by(|a, b| a.at == b.at);
    let n_levels = ladder.levels.len();
    let longest = ladder.levels.iter().map(|it| it.chars().count()).max().unwrap_or_default();
    let left = MARGIN * 2 + longest * CHARACTER;
    let right = left + (values.len() + 1) * COLUMN;
    let bottom = MARGIN + n_levels * ROW;
    let x = |of: &Threshold| left + (values.iter().position(|it| it.at == of.at).unwrap_or_default() + 1) * COLUMN;
    // The lowest level is the lowest row.
    let y = |level: usize| MARGIN + (n_levels - 1 - level) * ROW + (ROW - BAR) / 2;

    let mut svg = String::new();
    let (width, height) = (right + MARGIN, bottom + 52);
    let _ = writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" \
         font-family=\"monospace\" font-size=\"13\">\n<title>{}</title>\n<rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>",
        escape(&ladder.words())
    );
    for value in &values {
        let at = x(value);
        let _ = writeln!(
            svg,
            "<line x1=\"{at}\" y1=\"{MARGIN}\" x2=\"{at}\" y2=\"{bottom}\" stroke=\"#d0d0d8\"/>\n\
             <text x=\"{at}\" y=\"{}\" text-anchor=\"middle\" fill=\"#333333\">{}</text>",
            bottom + 18,
            escape(&value.text)
        );
    }
    for (level, name) in ladder.levels.iter().enumerate() {
        let falls = level.checked_sub(1).and_then(|it| ladder.rungs[it].1.as_ref());
        let start = falls.map_or(left, x);
        let end = ladder.rungs.get(level).map_or(right, |(up, _)| x(up));
        let top = y(level);
        let _ = writeln!(
            svg,
            "<rect x=\"{start}\" y=\"{top}\" width=\"{}\" height=\"{BAR}\" rx=\"4\" fill=\"#ececff\" stroke=\"#9370db\"/>\n\
             <text x=\"{}\" y=\"{}\" text-anchor=\"end\" fill=\"#333333\">{}</text>",
            end.saturating_sub(start),
            left - MARGIN,
            top + BAR - 7,
            escape(name)
        );
    }
    for (level, (up, down)) in ladder.rungs.iter().enumerate() {
        arrow(&mut svg, x(up), y(level), y(level + 1) + BAR, "");
        if let Some(down) = down {
            arrow(&mut svg, x(down), y(level + 1) + BAR, y(level), " stroke-dasharray=\"4 3\"");
        }
    }
    let _ = writeln!(
        svg,
        "<line x1=\"{left}\" y1=\"{bottom}\" x2=\"{right}\" y2=\"{bottom}\" stroke=\"#333333\"/>\n\
         <text x=\"{right}\" y=\"{}\" text-anchor=\"end\" fill=\"#333333\">{} (not to scale)</text>\n</svg>",
        bottom + 40,
        escape(&ladder.value)
    );
    svg
}

/// A vertical arrow between two bars.
fn arrow(svg: &mut String, x: usize, from: usize, to: usize, dashes: &str) {
    let back = if to < from { to + 6 } else { to.saturating_sub(6) };
    let _ = writeln!(
        svg,
        "<line x1=\"{x}\" y1=\"{from}\" x2=\"{x}\" y2=\"{back}\" stroke=\"#333333\"{dashes}/>\n\
         <path d=\"M{} {back}H{}L{x} {to}Z\" fill=\"#333333\"/>",
        x - 4,
        x + 4
    );
}

/// A text in XML. Characters that a reader cannot see are replaced.
fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&apos;"),
            '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}' => {
                escaped.push('\u{fffd}');
            }
            other if other.is_control() => escaped.push('\u{fffd}'),
            other => escaped.push(other),
        }
    }
    escaped
}
