//! Parallel work on many items, with the results in order.

use std::num::NonZero;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// The result of `f` for each item, in the order of the items, computed on all threads available.
///
/// The assignment of items to threads has no effect: `f` sees one item and shares no mutable state.
pub fn map<I, R: Send>(items: I, f: impl Fn(I::Item) -> R + Sync) -> Vec<R>
where
    I: IntoIterator<IntoIter: ExactSizeIterator + Send>,
{
    let items = items.into_iter();
    // The query reads system files, which is too expensive for a single item.
    let n_threads = if items.len() < 2 { 1 } else { thread::available_parallelism().map_or(1, NonZero::get).min(items.len()) };
    map_on(n_threads, items, f)
}

/// [`map`] on this number of threads, for the test that it has no effect.
#[doc(hidden)]
pub fn map_on<T, R: Send>(n_threads: usize, items: impl Iterator<Item = T> + Send, f: impl Fn(T) -> R + Sync) -> Vec<R> {
    if n_threads < 2 {
        return items.map(f).collect();
    }
    let items = Mutex::new(items.enumerate());
    // Items differ in size, so each thread takes the next item when it is free.
    let work = || {
        let mut made = Vec::new();
        // A thread that panics ends the run, and none panics while it holds the lock.
        let next = || items.lock().unwrap_or_else(PoisonError::into_inner).next();
        while let Some((idx, item)) = next() {
            made.push((idx, f(item)));
        }
        made
    };
    let mut made: Vec<(usize, R)> = thread::scope(|scope| {
        let others: Vec<_> = (1..n_threads).map(|_| scope.spawn(work)).collect();
        let own = work();
        let joined = others.into_iter().flat_map(|it| it.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        own.into_iter().chain(joined).collect()
    });
    made.sort_unstable_by_key(|(idx, _)| *idx);
    made.into_iter().map(|(_, it)| it).collect()
}
