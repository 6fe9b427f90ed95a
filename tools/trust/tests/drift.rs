//! The check misses nothing and raises no false alarm, on a small sample of the measurements of `cargo trust`.

use std::path::Path;

use trust::alarms;
use trust::losses;
use trust::mutants::{self, Amount};
use trust::planted;

#[test]
fn every_mutant_of_a_sample_is_found() {
    let table = mutants::run(&xtask::root(), Amount::Sample(1, 7), "", &mut |_| {}).unwrap();
    assert!(table.failures.is_empty(), "\n{}", table.failures.join("\n"));
    let sum = table.total();
    assert!(sum.mutants >= 120 && sum.equal >= 5, "{sum:?}");
}

#[test]
fn no_circumstance_raises_a_false_alarm() {
    let results = alarms::run(&xtask::root(), Path::new(env!("CARGO_BIN_EXE_trust"))).unwrap();
    assert!(results.len() >= 14, "{results:?}");
    for (name, result) in results {
        assert_eq!(result, Ok(()), "{name}");
    }
}

#[test]
fn nothing_that_a_person_wrote_is_lost() {
    let rows = losses::run(Path::new(env!("CARGO_BIN_EXE_trust")), 1, 100, &mut |_| {}).unwrap();
    for row in rows {
        assert!(row.outcome.tried > 0, "{}", row.what);
        assert_eq!(row.outcome.lost, Vec::<String>::new(), "{}", row.what);
    }
}

#[test]
fn the_scan_finds_what_is_taken_from_one_of_several_files() {
    let (rows, n_repositories) = planted::run(&[&xtask::root().join("cli/tests/scan")], 0, &mut |_| {}).unwrap();
    let n_planted: usize = rows.values().map(|it| it.planted).sum();
    let missed: Vec<&String> = rows.values().flat_map(|it| &it.missed).collect();
    assert!(n_repositories == 1 && n_planted >= 12 && rows.len() >= 5, "{rows:?}");
    assert!(missed.is_empty(), "{missed:?}");
}
