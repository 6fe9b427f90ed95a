//! A progress display for long work: only on a terminal, only after a delay, and erased at the end.

use std::io::{IsTerminal as _, Write as _, stderr};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The delay: shorter work needs no display.
const PATIENCE: Duration = Duration::from_millis(400);

/// Shows that work is in progress until it is dropped.
pub(crate) struct Progress(Option<(Sender<()>, JoinHandle<()>)>);

/// Starts the delay; if the work takes longer, `what` and the elapsed time are shown.
pub(crate) fn start(what: &'static str) -> Progress {
    if !stderr().is_terminal() {
        return Progress(None);
    }
    let begin = Instant::now();
    let (sender, receiver) = channel();
    let ticker = std::thread::spawn(move || {
        let mut shown = false;
        let mut pause = PATIENCE;
        while receiver.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
            shown = true;
            pause = Duration::from_secs(1);
            let _ = write!(stderr(), "\r{what} … {} s", begin.elapsed().as_secs());
            let _ = stderr().flush();
        }
        if shown {
            let _ = write!(stderr(), "\r{:width$}\r", "", width = what.len() + 12);
        }
    });
    Progress(Some((sender, ticker)))
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((sender, ticker)) = self.0.take() {
            drop(sender);
            let _ = ticker.join();
        }
    }
}
