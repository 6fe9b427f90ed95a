//! Records that texts were read again: the one thing that is written into them.

use std::path::Path;

use statespec_lang::model::Model;

use super::find::Guarded;
use super::{meaning, reviews};
use crate::sync::{Draft, Refusal, plan_files};

/// Renews the digests of all reviews whose machine has changed; the places, as `docs/order.md (order)`.
///
/// # Errors
///
/// If a file cannot be written, or was edited meanwhile. Then none is written.
pub(crate) fn accept(root: &Path, files: &mut [Guarded], model: &Model) -> Result<Vec<String>, Refusal> {
    let mut drafts = Vec::new();
    let mut accepted = Vec::new();
    for file in files.iter_mut() {
        // Another encoding has no markers.
        let Ok(text) = String::from_utf8(file.bytes.clone()) else { continue };
        let mut renewed = text.clone();
        for review in reviews(&file.path, &text).into_iter().rev() {
            let Some(machine) = model.machine(&review.machine) else { continue };
            let digest = meaning::digest(machine);
            if review.digest.as_ref() != Some(&digest) {
                renewed.replace_range(review.range, &format!("{}@{digest}", review.machine));
                accepted.push(format!("{} ({})", file.path, review.machine));
            }
        }
        if renewed != text {
            drafts.push(Draft { path: file.path.clone(), text: renewed.clone(), replaces: Some(file.bytes.clone()) });
            file.bytes = renewed.into_bytes();
        }
    }
    accepted.sort();
    plan_files(root, drafts).apply(false).map(|_| accepted)
}
