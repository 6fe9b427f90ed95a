//! The numbers of `docs/evidence/audit.md`. Linux: processor time and memory come from `/proc`.
//!
//! `measure generate FILE pairs|replay EVENTS ENTITIES`, `measure parse FILE`, `measure audit FILE`. For `tools/engines/compare.py`,
//! `measure find FILE` prints the lines of all findings, and `measure sql DIALECT TABLE` the statement.
#![allow(clippy::print_stdout, reason = "it prints what it measures")]

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, BufWriter, Write};

use statespec_audit::{Audit, Dialect, Format, Options, Query, Reading, sql};
use statespec_lang::lower::load;
use statespec_lang::source::Input;
use statespec_record::Line;

const SPEC: &str = include_str!("../../../machines/run_job.yaml");

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args.as_slice() {
        ["generate", file, kind, n_events, n_entities] => generate(file, *kind == "replay", n_events.parse()?, n_entities.parse()?)?,
        ["parse", file] => {
            let mut input = BufReader::with_capacity(1 << 16, File::open(file)?);
            let (mut line, mut n_lines) = (Vec::new(), 0_u64);
            while input.read_until(b'\n', &mut line)? > 0 {
                let parsed: Line<'_> = serde_json::from_slice(&line)?;
                n_lines += u64::from(!parsed.entity.0.is_empty());
                line.clear();
            }
            println!("parsed {n_lines} lines: {}", used()?);
        }
        ["audit", file] => {
            let model = load(&[Input { path: "machines/run_job.yaml".into(), text: SPEC.into() }]).model.ok_or("the spec has errors")?;
            let mut audit = Audit::new(&model.machines[0], Options::default())?;
            let input = BufReader::with_capacity(1 << 16, File::open(file)?);
            audit.read(file, Format::Jsonl, &Reading::default(), input)?;
            let n_bytes = audit.n_bytes();
            let outcome = audit.finish();
            println!(
                "audited {} records of {} entities, levels {:?}, {} findings, {} bytes of entities: {}",
                outcome.n_records,
                outcome.n_entities,
                outcome.levels,
                outcome.n_findings(),
                n_bytes,
                used()?
            );
        }
        ["find", file] => {
            let model = load(&[Input { path: "machines/run_job.yaml".into(), text: SPEC.into() }]).model.ok_or("the spec has errors")?;
            let mut audit = Audit::new(&model.machines[0], Options::default())?;
            audit.read(file, Format::Jsonl, &Reading::default(), BufReader::with_capacity(1 << 16, File::open(file)?))?;
            for finding in audit.finish().findings {
                println!("{}", finding.place.line);
            }
        }
        ["sql", dialect, table] => {
            let model = load(&[Input { path: "machines/run_job.yaml".into(), text: SPEC.into() }]).model.ok_or("the spec has errors")?;
            let dialect = Dialect::ALL.into_iter().find(|it| it.name() == *dialect).ok_or("there is no such dialect")?;
            let query = Query {
                table: (*table).to_owned(),
                entity: vec!["entity".into()],
                order: vec!["at".into()],
                from: Some("from".into()),
                to: "to".into(),
                machine: None,
                only: Vec::new(),
            };
            println!("{}", sql(&model.machines[0], &BTreeMap::new(), dialect, &query)?);
        }
        _ => return Err("see the first lines of this file".into()),
    }
    Ok(())
}

/// Jobs that are claimed, run, and end or are claimed again, many at once.
fn generate(file: &str, replay: bool, n_events: u64, n_entities: u64) -> std::io::Result<()> {
    let mut out = BufWriter::new(File::create(file)?);
    // Each entity is replaced by a new one when it ends, so that about as many are alive all the time; the total is a parameter.
    let n_each = (n_events / n_entities).max(2);
    let n_alive = n_entities.min(100_000);
    let mut jobs: Vec<(u64, u64)> = (0..n_alive).map(|id| (id, 0)).collect();
    let mut next = n_alive;
    for n in 0..n_events {
        let job = &mut jobs[(n % n_alive) as usize];
        let (id, step) = *job;
        let at = |n: u64| {
            format!(
                "2026-07-{:02}T{:02}:{:02}:{:02}.{:06}Z",
                1 + n / 86_400_000_000 % 28,
                n / 3_600_000_000 % 24,
                n / 60_000_000 % 60,
                n / 1_000_000 % 60,
                n % 1_000_000
            )
        };
        let now = at(n * 100);
        let is_last = step + 1 >= n_each;
        let (from, event, to) = match step {
            0 => ("queued", "\"claim\"", "claimed"),
            _ if is_last => (if step % 2 == 1 { "claimed" } else { "running" }, "null", "complete"),
            step if step % 2 == 1 => ("claimed", "null", "running"),
            _ => ("running", "\"reclaim\"", "claimed"),
        };
        write!(out, "{{\"v\":1,\"machine\":\"run_job\",\"entity\":\"job-{id:08}\",\"at\":\"{now}\",\"from\":\"{from}\"")?;
        if replay {
            // A reclaim sets the lease to null, so that it is renewed in between: here, each lease is over when it is claimed.
            let lease = if step == 0 || step > 2 { "null".to_owned() } else { "\"2026-06-01T00:00:00Z\"".to_owned() };
            write!(out, ",\"event\":{event},\"context\":{{\"lease_expires_at\":{lease}}}")?;
            match step {
                0 => write!(out, ",\"payload\":{{\"until\":\"2026-06-01T00:00:00Z\"}}")?,
                2 => write!(out, ",\"payload\":{{\"now\":\"{now}\"}}")?,
                _ => {}
            }
        }
        writeln!(out, ",\"to\":\"{to}\"}}")?;
        *job = if is_last && next < n_entities { (next, 0) } else { (id, step + 1) };
        if is_last {
            next += 1;
        }
    }
    out.flush()
}

/// The processor time and the most memory of this process.
fn used() -> std::io::Result<String> {
    let stat = fs::read_to_string("/proc/self/stat")?;
    let fields: Vec<&str> = stat.rsplit(") ").next().unwrap_or_default().split(' ').collect();
    let ticks = |idx: usize| fields.get(idx).and_then(|it| it.parse::<f64>().ok()).unwrap_or(0.0);
    let status = fs::read_to_string("/proc/self/status")?;
    let peak = status.lines().find_map(|it| it.strip_prefix("VmHWM:")).unwrap_or_default().trim().to_owned();
    Ok(format!("{:.2} s of processor time, {peak} at most", (ticks(11) + ticks(12)) / 100.0))
}
