//! The plots: the time of `cargo check` over the number of states.

use plotters::prelude::*;

use crate::results::{Compile, Results, Seconds};

/// The plots by file name.
pub fn plots(results: &Results) -> Result<Vec<(String, String)>, String> {
    let check = plot(results, "cargo check, milliseconds over an empty crate", |it| it.check)?;
    Ok(vec![("benchmarks-check.svg".into(), check)])
}

fn plot(results: &Results, title: &str, what: fn(&Compile) -> Option<Seconds>) -> Result<String, String> {
    let mut text = String::new();
    draw(&mut text, results, title, what).map_err(|it| format!("drawing failed: {it}"))?;
    Ok(text + "\n")
}

fn draw(
    text: &mut String,
    results: &Results,
    title: &str,
    what: fn(&Compile) -> Option<Seconds>,
) -> Result<(), Box<dyn std::error::Error>> {
    let lines = lines(results, what);
    let area = SVGBackend::with_string(text, (860, 520)).into_drawing_area();
    area.fill(&WHITE)?;
    let most = lines.iter().flat_map(|it| &it.1).map(|it| it.1).fold(1.0, f64::max);
    let mut chart = ChartBuilder::on(&area)
        .caption(title, ("sans-serif", 18))
        .margin(16)
        .x_label_area_size(40)
        .y_label_area_size(60)
        .build_cartesian_2d((8.0..3000.0f64).log_scale(), (1.0..most * 2.0).log_scale())?;
    chart
        .configure_mesh()
        .x_desc("states, four edges each")
        .y_desc("ms")
        .x_label_formatter(&|it| format!("{it:.0}"))
        .y_label_formatter(&|it| format!("{it:.0}"))
        .light_line_style(TRANSPARENT)
        .draw()?;
    for (idx, (name, points)) in lines.iter().enumerate() {
        let color = Palette99::pick(idx).to_rgba();
        // The other contenders have thinner lines.
        let width = if name.starts_with("statespec") || name.starts_with("hand") { 3 } else { 1 };
        chart
            .draw_series(LineSeries::new(points.iter().copied(), color.stroke_width(width)))?
            .label(*name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], color.stroke_width(width)));
        chart.draw_series(points.iter().map(|it| Circle::new(*it, 3, color.filled())))?;
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK.mix(0.3))
        .draw()?;
    drop(chart);
    area.present()?;
    Ok(())
}

/// The name and the points of every contender.
fn lines(results: &Results, what: fn(&Compile) -> Option<Seconds>) -> Vec<(&str, Vec<(f64, f64)>)> {
    let mut lines: Vec<(&str, Vec<(f64, f64)>)> = Vec::new();
    for it in results.compile.iter().filter(|it| it.reason.is_none()) {
        let Some(seconds) = what(it) else { continue };
        // A logarithmic scale has no place for a value that is not above the floor.
        let point = (it.n_states as f64, (seconds.over_floor() * 1e3).max(1.0));
        match lines.iter_mut().find(|(name, _)| *name == it.name) {
            Some((_, points)) => points.push(point),
            None => lines.push((&it.name, vec![point])),
        }
    }
    lines
}
