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

fn map_on<T, R: Send>(n_threads: usize, items: impl Iterator<Item = T> + Send, f: impl Fn(T) -> R + Sync) -> Vec<R> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_items() {
        let items: Vec<usize> = (0..1000).collect();
        let slow = |it: &usize| {
            let spin = if it.is_multiple_of(7) { 2000 } else { 1 };
            (0..spin).fold(*it, |sum, _| std::hint::black_box(sum)) * 2
        };
        let expected: Vec<usize> = items.iter().map(|it| it * 2).collect();
        for n_threads in [1, 2, 3, 64] {
            assert_eq!(map_on(n_threads, items.iter(), slow), expected, "{n_threads}");
        }
        assert_eq!(map(&items[..0], slow), Vec::<usize>::new());
    }

    #[test]
    #[should_panic(expected = "seven")]
    fn a_panic_is_passed_on() {
        map_on(2, [1, 7].into_iter(), |it| assert_ne!(it, 7, "seven"));
    }
}
