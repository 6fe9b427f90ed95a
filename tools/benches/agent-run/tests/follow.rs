//! All contenders are the same machine; this is checked before anything is measured.

use agent_run::{CONTENDERS, State, asks, asks_without_end};

#[test]
fn every_contender_follows_the_hand_written_match() {
    let asks = asks(1_000_000);
    let wanted = (CONTENDERS[0].trace)(&asks);
    assert!(wanted.iter().filter(|(_, state)| *state == State::Complete).count() > 10_000, "runs are completed");
    for contender in CONTENDERS {
        let trace = (contender.trace)(&asks);
        let differs = (0..asks.len()).find(|idx| trace[*idx] != wanted[*idx]);
        assert_eq!(differs.map(|idx| (idx, asks[idx], trace[idx])), None, "{}", contender.name);
    }
}

#[test]
fn what_is_measured_never_ends_and_moves_about_half_the_time() {
    let asks = asks_without_end(1_000_000);
    let trace = (CONTENDERS[0].trace)(&asks);
    assert!(trace.iter().all(|(_, state)| *state != State::Complete));
    let n_moves = trace.iter().filter(|(moved, _)| *moved).count() as u64;
    assert!((300_000..700_000).contains(&n_moves), "{n_moves}");
    for contender in CONTENDERS {
        assert_eq!((contender.prepare)(&asks)(), n_moves, "{}", contender.name);
    }
}
