//! The jobs per second over the rollout, as SVG.

use std::error::Error;
use std::fmt::Write as _;
use std::time::Duration;

use crate::acts;
use crate::stage::Stage;

/// The time that each point is about.
const BIN: Duration = Duration::from_millis(250);

/// The place of the curves.
const LEFT: f64 = 50.0;
const TOP: f64 = 40.0;
const WIDTH: f64 = 800.0;
const HEIGHT: f64 = 200.0;

/// A curve: its name, its colour, and its jobs per second.
struct Curve {
    name: &'static str,
    colour: &'static str,
    rates: Vec<f64>,
}

/// Runs the service until its rollout is over; each step is looked at for so long.
pub(crate) fn measured(stage: &mut Stage, pause: Duration) -> Result<String, Box<dyn Error>> {
    let steps = acts::timed(stage, pause)?;
    let (Some(begin), Some(end)) = (steps.first(), steps.last()) else { return Err("there are no steps".into()) };
    let n_bins = ((end.0 - begin.0).as_secs_f64() / BIN.as_secs_f64()) as usize;
    let rates = |workers: &[&str]| {
        let mut counts = vec![0.0; n_bins];
        for job in stage.told.after("ended").iter().filter(|it| it.at >= begin.0 && workers.contains(&it.worker.as_str())) {
            let bin = ((job.at - begin.0).as_secs_f64() / BIN.as_secs_f64()) as usize;
            counts.get_mut(bin).into_iter().for_each(|it| *it += 1.0 / BIN.as_secs_f64());
        }
        counts
    };
    let curves = [
        Curve { name: "all workers", colour: "#000000", rates: rates(&["worker-1", "worker-2", "worker-3", "worker-4"]) },
        Curve { name: "those of the earlier revision", colour: "#d55e00", rates: rates(&["worker-1", "worker-2"]) },
        Curve { name: "those of the later revision", colour: "#0072b2", rates: rates(&["worker-3", "worker-4"]) },
    ];
    let steps: Vec<(f64, &str)> = steps.iter().map(|it| ((it.0 - begin.0).as_secs_f64(), it.1.as_str())).collect();
    Ok(svg(&steps, &curves))
}

fn svg(steps: &[(f64, &str)], curves: &[Curve]) -> String {
    let n_bins = curves.iter().map(|it| it.rates.len()).max().unwrap_or(1).max(1);
    let seconds = n_bins as f64 * BIN.as_secs_f64();
    let highest = curves.iter().flat_map(|it| &it.rates).fold(1.0_f64, |a, b| a.max(*b));
    let top = (highest / 100.0).ceil() * 100.0;
    let (x, y) = (|at: f64| LEFT + at / seconds * WIDTH, |rate: f64| TOP + HEIGHT - rate / top * HEIGHT);
    let mut out =
        String::from("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 870 290\" font-family=\"sans-serif\" font-size=\"12\">\n");
    out += "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n<text x=\"50\" y=\"14\" font-weight=\"bold\">Jobs per second</text>\n";
    for rate in [0.0, top / 2.0, top] {
        let at = y(rate);
        let _ = writeln!(out, "<line x1=\"{LEFT}\" x2=\"{}\" y1=\"{at:.1}\" y2=\"{at:.1}\" stroke=\"#ddd\"/>", LEFT + WIDTH);
        let _ = writeln!(out, "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{rate:.0}</text>", LEFT - 6.0, at + 4.0);
    }
    for (at, step) in steps {
        let (at, bottom) = (x(*at), TOP + HEIGHT);
        let _ =
            writeln!(out, "<line x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"{TOP}\" y2=\"{bottom}\" stroke=\"#999\" stroke-dasharray=\"3 3\"/>");
        let _ = writeln!(out, "<text x=\"{:.1}\" y=\"{}\">{step}</text>", at + 3.0, TOP - 6.0);
    }
    for (idx, Curve { name, colour, rates }) in curves.iter().enumerate() {
        let point = |(bin, rate): (usize, &f64)| format!("{:.1},{:.1}", x((bin as f64 + 0.5) * BIN.as_secs_f64()), y(*rate));
        let points: Vec<String> = rates.iter().enumerate().map(point).collect();
        let _ = writeln!(out, "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"/>", points.join(" "));
        let _ = writeln!(out, "<text x=\"{}\" y=\"{}\" fill=\"{colour}\">{name}</text>", LEFT + idx as f64 * 250.0, TOP + HEIGHT + 40.0);
    }
    let _ = writeln!(out, "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{seconds:.0} s</text>", LEFT + WIDTH, TOP + HEIGHT + 16.0);
    out + "</svg>\n"
}
