//! Drives contenders: `drive count <passes> <name>` under an instruction counter, `drive time <rounds>` with the clock.

use std::env::args;
use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;

use agent_run::{CONTENDERS, FLOOR, asks_without_end};

const N_ASKS: usize = 1_000_000;

fn main() -> ExitCode {
    let words: Vec<String> = args().skip(1).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["count", passes, name] => count(passes.parse().unwrap_or(1), name),
        ["time", rounds] => time(rounds.parse().unwrap_or(1)),
        _ => {
            eprintln!("usage: drive count <passes> <name> | drive time <rounds>");
            ExitCode::from(2)
        }
    }
}

/// Runs the passes; one more pass is exactly one million requests more.
fn count(passes: usize, name: &str) -> ExitCode {
    let Some(contender) = CONTENDERS.iter().chain([&FLOOR]).find(|it| it.name == name) else {
        eprintln!("there is no contender `{name}`");
        return ExitCode::from(2);
    };
    let drive = (contender.prepare)(&asks_without_end(N_ASKS));
    for _ in 0..passes {
        black_box(drive());
    }
    ExitCode::SUCCESS
}

/// Measures nanoseconds per request: the minimum of several passes, which alternate with those of the other contenders.
fn time(rounds: usize) -> ExitCode {
    let asks = asks_without_end(N_ASKS);
    let mut runs: Vec<_> = CONTENDERS.iter().chain([&FLOOR]).map(|it| (it.name, (it.prepare)(&asks), f64::INFINITY)).collect();
    for _ in 0..rounds {
        for (_, drive, fastest) in &mut runs {
            let start = Instant::now();
            black_box(drive());
            *fastest = fastest.min(start.elapsed().as_secs_f64());
        }
    }
    for (name, _, fastest) in runs {
        println!("{name}\t{}", fastest * 1e9 / N_ASKS as f64);
    }
    ExitCode::SUCCESS
}
