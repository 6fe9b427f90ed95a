//! The plot: seconds over size, both logarithmic, so that linear growth is a straight line at one slope.

use std::fmt::Write as _;

use crate::page::grown;
use crate::stage::Stage;
use crate::{Point, Series};

const WIDTH: f64 = 300.0;
const HEIGHT: f64 = 260.0;
/// The margins of each panel, for its labels.
const LEFT: f64 = 60.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 80.0;
const COLOURS: [&str; 9] = ["#000000", "#0072b2", "#56b4e9", "#f0e442", "#999999", "#009e73", "#e69f00", "#d55e00", "#cc79a7"];
/// The range of seconds, as powers of ten.
const DECADES: std::ops::RangeInclusive<i32> = -3..=2;

/// All series side by side.
pub(crate) fn plot(all: &[Series], points: &[Vec<Point>]) -> String {
    let (width, height) = ((LEFT + WIDTH) * all.len() as f64 + 20.0, TOP + HEIGHT + BOTTOM);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for (idx, (series, points)) in all.iter().zip(points).enumerate() {
        panel(&mut svg, idx as f64 * (LEFT + WIDTH) + LEFT, series, points);
    }
    for (idx, stage) in Stage::ALL.into_iter().enumerate() {
        let (x, y) = (LEFT + idx as f64 * 130.0, TOP + HEIGHT + 60.0);
        let title = stage.title().replace('`', "");
        let _ = writeln!(svg, "<rect x=\"{x}\" y=\"{}\" width=\"12\" height=\"12\" fill=\"{}\"/>", y - 10.0, COLOURS[idx]);
        let _ = writeln!(svg, "<text x=\"{}\" y=\"{y}\">{title}</text>", x + 18.0);
    }
    svg + "</svg>\n"
}

fn panel(svg: &mut String, left: f64, series: &Series, points: &[Point]) {
    let sizes: Vec<f64> = series.sizes.iter().map(|it| (grown(series, *it) as f64).log10()).collect();
    let (Some(first), Some(last)) = (sizes.first(), sizes.last()) else { return };
    let x = |size: f64| left + (size - first) / (last - first) * (WIDTH - 30.0);
    let (low, high) = (f64::from(*DECADES.start()), f64::from(*DECADES.end()));
    let y = |seconds: f64| TOP + HEIGHT - (seconds.log10().clamp(low, high) - low) / (high - low) * HEIGHT;
    let _ = writeln!(svg, "<text x=\"{left}\" y=\"20\" font-weight=\"bold\">{}</text>", series.title);
    for decade in DECADES {
        let (at, label) = (y(10f64.powi(decade)), format!("{} s", 10f64.powi(decade)));
        let _ = writeln!(svg, "<line x1=\"{left}\" x2=\"{}\" y1=\"{at:.1}\" y2=\"{at:.1}\" stroke=\"#ddd\"/>", left + WIDTH - 30.0);
        let _ = writeln!(svg, "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>", left - 6.0, at + 4.0);
    }
    for (size, at) in series.sizes.iter().zip(&sizes) {
        let (at, bottom) = (x(*at), TOP + HEIGHT + 16.0);
        let _ = writeln!(svg, "<text x=\"{at:.1}\" y=\"{bottom}\" text-anchor=\"middle\">{}</text>", grown(series, *size));
    }
    let _ =
        writeln!(svg, "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>", left + WIDTH / 2.0, TOP + HEIGHT + 34.0, series.grows);
    for (idx, colour) in COLOURS.iter().enumerate() {
        let line: Vec<String> = sizes.iter().zip(points).map(|(size, it)| format!("{:.1},{:.1}", x(*size), y(it[idx].cpu))).collect();
        let _ = writeln!(svg, "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"/>", line.join(" "));
        for point in &line {
            let (x, y) = point.split_once(',').unwrap_or_default();
            let _ = writeln!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"2.5\" fill=\"{colour}\"/>");
        }
    }
}
