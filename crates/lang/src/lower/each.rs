//! A stage that processes every file on its own, on all threads.

use crate::diagnostic::Diagnostics;
use crate::parallel;

/// The result of `stage` for each item, in the order of the items; so are the diagnostics.
pub(super) fn each<T: Send, R: Send>(
    items: Vec<T>,
    diagnostics: &mut Diagnostics,
    stage: impl Fn(T, &mut Diagnostics) -> R + Sync,
) -> Vec<R> {
    let made = parallel::map(items, |item| {
        let mut found = Diagnostics::default();
        (stage(item, &mut found), found)
    });
    let mut results = Vec::with_capacity(made.len());
    for (result, found) in made {
        diagnostics.append(found);
        results.push(result);
    }
    results
}
