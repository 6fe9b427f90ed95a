//! One service through its life: a table that exists is attached, workers run, a revision of the spec rolls out, a worker is killed,
//! and a row is changed by hand.
//!
//! - `life` shows all of it, in a file of SQLite, or in the database of PostgreSQL whose address is in `LIFE_URL`.
//! - `life graph FILE SECONDS` writes the jobs per second over the rollout, of which each step takes so long.
//! - `life worker …` is a process of the service, which the others start.
#![allow(clippy::duplicate_mod, reason = "the service is compiled with each revision of its spec")]

mod acts;
mod after;
mod before;
mod graph;
mod place;
mod stage;
mod task;
mod workers;

use std::error::Error;
use std::process::ExitCode;
use std::time::Duration;

use place::{Place, URL};
use stage::Stage;
use task::{Revision, Task};

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => acts::all(&mut Stage::new()?),
        ["graph", path, seconds] => {
            let pause = Duration::try_from_secs_f64(seconds.parse()?)?;
            Ok(std::fs::write(path, graph::measured(&mut Stage::new()?, pause)?)?)
        }
        ["worker", ..] => {
            let task =
                Task::parse(&words[1..]).ok_or("a worker has a revision, a name, and the number of the first job that it accepts")?;
            let place = Place { url: std::env::var(URL)? };
            match task.revision {
                Revision::Before => Ok(before::start(&place, &task)?),
                Revision::After => Ok(after::start(&place, &task)?),
            }
        }
        _ => Err("`life` shows the life of a service; `life graph FILE SECONDS` measures its rollout".into()),
    }
}
