//! The page of the book.

use std::fmt::Write as _;
use std::time::Duration;

use crate::stage::{Measured, Stage};
use crate::{Point, Series};

const HEAD: &str = include_str!("page.md");

/// The page: the measurements, the machine, the total time, and the growth.
pub(crate) fn page(all: &[Series], points: &[Vec<Point>], on_one: Option<&Point>, took: Duration) -> String {
    let n_minutes = took.as_secs().div_ceil(60);
    let mut text = HEAD.replace("{machine}", &machine()).replace("{minutes}", &n_minutes.to_string());
    if let Some(largest) = points.first().and_then(|it| it.last()) {
        text = text.replace("{summary}", &summary(&all[0], &points[0], largest));
    }
    for (series, points) in all.iter().zip(points) {
        let _ = write!(text, "\n## {}\n\n{}\n", series.title, series.about);
        text.push_str(&growth(series, points));
        if let (Some(size), Some(point)) = (series.sizes.last(), points.last()) {
            let _ = write!(text, "\nWith {} {}:\n\n", grown(series, *size), series.grows);
            text.push_str(&beside_parsing(point));
        }
    }
    if let Some(point) = on_one {
        text.push_str("\n## On one core\n\nThe largest project of machines again, restricted to one core, measured once.\n\n");
        text.push_str(&beside_parsing(point));
    }
    text
}

/// The summary before the tables.
fn summary(series: &Series, points: &[Point], largest: &Point) -> String {
    let sizes: Vec<usize> = series.sizes.iter().map(|it| grown(series, *it)).collect();
    let of = |stage: Stage| Stage::ALL.iter().position(|it| *it == stage).unwrap_or_default();
    let n_machines = sizes.last().copied().unwrap_or_default();
    let mut text = format!("{n_machines} machines of 100 states and 400 edges each:\n\n");
    for stage in [Stage::Outputs, Stage::Clean] {
        let (it, parse) = (largest[of(stage)], largest[0]);
        let exponent = exponent(&sizes, &points.iter().map(|it| it[of(stage)].cpu).collect::<Vec<_>>());
        let _ = writeln!(
            text,
            "- {} takes {:.1} seconds: {:.1} times parsing in wall-clock time, {:.1} times in CPU time; it grows as n to the {exponent:.2}.",
            stage.title(),
            it.wall,
            it.wall / parse.wall,
            it.cpu / parse.cpu
        );
    }
    let [rust, languages] = [Stage::Rust, Stage::Languages].map(|it| largest[of(it)].cpu);
    let _ = writeln!(text, "- The three other languages take {:.1} times the CPU time of Rust.", languages / rust);
    text.trim_end().to_owned()
}

/// A row for each stage: processor seconds at each size, and their growth.
fn growth(series: &Series, points: &[Point]) -> String {
    let sizes: Vec<usize> = series.sizes.iter().map(|it| grown(series, *it)).collect();
    let mut text = format!("\n| CPU seconds for {} | ", series.grows);
    sizes.iter().for_each(|it| _ = write!(text, "{it} | "));
    text.push_str("Grows as n to the |\n| --- |");
    text.push_str(&" --: |".repeat(sizes.len() + 1));
    text.push('\n');
    for (idx, stage) in Stage::ALL.into_iter().enumerate() {
        let _ = write!(text, "| {} |", stage.title());
        points.iter().for_each(|it| _ = write!(text, " {:.3} |", it[idx].cpu));
        let exponent = exponent(&sizes, &points.iter().map(|it| it[idx].cpu).collect::<Vec<_>>());
        let _ = writeln!(text, " {exponent:.2} |");
    }
    text
}

/// A row for each stage at one size: both kinds of seconds, each in relation to parsing.
fn beside_parsing(point: &Point) -> String {
    let mut text = String::from("| Stage | Wall-clock seconds | × parse only | CPU seconds | × parse only | Peak MiB |\n");
    text.push_str("| --- | --: | --: | --: | --: | --: |\n");
    for (stage, it) in Stage::ALL.into_iter().zip(point) {
        let Measured { wall, cpu, peak } = *it;
        let (by_clock, by_cpu) = (wall / point[0].wall, cpu / point[0].cpu);
        let _ = writeln!(text, "| {} | {wall:.3} | {by_clock:.1} | {cpu:.3} | {by_cpu:.1} | {peak:.0} |", stage.title());
    }
    text
}

/// The size of a project in the unit that grows in a series.
pub(crate) fn grown(series: &Series, size: crate::Size) -> usize {
    match series.grows {
        "machines" => size.n_machines,
        "states" => size.n_states,
        _ => size.n_parts,
    }
}

/// The slope of the regression line through the logarithms: 1 is linear.
fn exponent(sizes: &[usize], seconds: &[f64]) -> f64 {
    let points: Vec<(f64, f64)> = sizes.iter().zip(seconds).map(|(size, seconds)| ((*size as f64).ln(), seconds.ln())).collect();
    let n_points = points.len() as f64;
    let mean_x = points.iter().map(|it| it.0).sum::<f64>() / n_points;
    let mean_y = points.iter().map(|it| it.1).sum::<f64>() / n_points;
    let covariance: f64 = points.iter().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
    let variance: f64 = points.iter().map(|(x, _)| (x - mean_x).powi(2)).sum();
    covariance / variance
}

/// The cores, the processor, the operating system and its load.
fn machine() -> String {
    let n_cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|it| it.strip_prefix("model name")?.split_once(": ")).map_or("unknown processor", |it| it.1);
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split_whitespace().next().unwrap_or("unknown");
    format!("{n_cores} cores of {model}, {}, with a load of {load} at the end", std::env::consts::OS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponents_tell_linear_from_quadratic() {
        let sizes = [10, 100, 1000];
        assert!((exponent(&sizes, &[0.5, 5.0, 50.0]) - 1.0).abs() < 1e-9);
        assert!((exponent(&sizes, &[0.1, 10.0, 1000.0]) - 2.0).abs() < 1e-9);
    }
}
