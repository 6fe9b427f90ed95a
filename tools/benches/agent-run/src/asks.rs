//! The pseudo-random requests that drive every contender.

use crate::hand::{Match, State};
use crate::{Ask, Contender};

const SEED: u64 = 20_261_121;

/// This number of requests, the same ones at every call. Half of them are drawn from those that the run accepts at that
/// moment, half from all, so that more than half are accepted. A complete run is followed by a new one.
pub fn asks(n_asks: usize) -> Vec<Ask> {
    draw(n_asks, |_| true)
}

/// Like `asks`, but a request that would complete the run is drawn again: no edge leads out of `complete`,
/// and all requests after it would measure refusals.
pub fn asks_without_end(n_asks: usize) -> Vec<Ask> {
    draw(n_asks, |state| state != State::Complete)
}

fn draw(n_asks: usize, may_enter: impl Fn(State) -> bool) -> Vec<Ask> {
    let mut random = fastrand::Rng::with_seed(SEED);
    let mut run = Match::new();
    let mut asks = Vec::with_capacity(n_asks);
    while asks.len() < n_asks {
        let wants_a_move = random.bool();
        let ask = Ask::ALL[random.usize(..Ask::ALL.len())];
        let mut next = run;
        let moves = next.raise(ask);
        if may_enter(next.state()) && (moves || !wants_a_move) {
            asks.push(ask);
            run = if next.state() == State::Complete { Match::new() } else { next };
        }
    }
    asks
}
