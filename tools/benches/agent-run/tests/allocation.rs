//! Raising an event allocates nothing.

use agent_run::{CONTENDERS, asks_without_end};

#[test]
fn dispatch_allocates_nothing() {
    let asks = asks_without_end(100_000);
    for contender in CONTENDERS.iter().filter(|it| it.package.is_none_or(|it| it == "statespec")) {
        let drive = (contender.prepare)(&asks);
        let mut n_moves = 0;
        let allocations = allocation_counter::measure(|| n_moves = drive());
        assert!(n_moves > 0);
        assert_eq!(allocations.count_total, 0, "{}", contender.name);
    }
}

#[test]
fn the_counter_counts() {
    let allocations = allocation_counter::measure(|| drop(std::hint::black_box(vec![1])));
    assert_eq!(allocations.count_total, 1);
}
