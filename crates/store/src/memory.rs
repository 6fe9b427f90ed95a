//! Changes that are kept in memory only (`commit: memory_only`): a store has no memory, and the row stays behind the machine.

use statespec::__private::names;
use statespec::{Change, Commit, State};

use crate::Error;

/// Refuses a change that no store writes, before anything is written.
pub(crate) fn stored<S: State>(change: &Change<S>, event: Option<&str>) -> Result<(), Error> {
    if change.commit() != Commit::MemoryOnly {
        return Ok(());
    }
    let step = event.map_or_else(|| "the step".to_owned(), |it| format!("`{it}`"));
    let from = change.from().map_or_else(|| "nothing".to_owned(), |it| format!("`{}`", names::<S>(it)));
    Err(Error::unfit(format!(
        "{}: {step} from {from} to `{}` is kept in memory only (`commit: memory_only`), so no store writes it: take it on the machine in \
         memory, and the next step that is stored with `Request::ahead`",
        S::MACHINE,
        names::<S>(change.to()),
    )))
}
