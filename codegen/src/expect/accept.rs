//! Records that texts were read again: the one thing that is written into them.

use std::path::Path;

use statespec_lang::model::Model;

use super::find::Guarded;
use super::{meaning, reviews};
use crate::sync::{Draft, Refusal, plan_files};

/// What some editors write at the beginning of a file in UTF-8.
const BYTE_ORDER_MARK: &str = "\u{feff}";

/// What was recorded, and what was not.
#[derive(Debug, Default)]
pub(crate) struct Accepted {
    /// The reviews that were renewed, as `docs/order.md (order)`.
    pub(crate) recorded: Vec<String>,
    /// The files with reviews to renew that are not in UTF-8, so that they are not written.
    pub(crate) undecodable: Vec<String>,
}

/// Renews the digests of all reviews whose machine has changed.
///
/// # Errors
///
/// If a file cannot be written, or was edited meanwhile. Then none is written.
pub(crate) fn accept(root: &Path, files: &mut [Guarded], model: &Model) -> Result<Accepted, Refusal> {
    let mut drafts = Vec::new();
    let mut accepted = Accepted::default();
    for file in files.iter_mut() {
        let decoded = String::from_utf8_lossy(&file.bytes).into_owned();
        let (mark, text) = match decoded.strip_prefix(BYTE_ORDER_MARK) {
            Some(text) => (BYTE_ORDER_MARK, text),
            None => ("", decoded.as_str()),
        };
        let mut renewed = text.to_owned();
        let mut recorded = Vec::new();
        for review in reviews(&file.path, text).into_iter().rev() {
            let Some(machine) = model.machine(&review.machine) else { continue };
            let digest = meaning::digest(machine);
            if review.digest.as_ref() != Some(&digest) {
                renewed.replace_range(review.range, &format!("{}@{digest}", review.machine));
                recorded.push(format!("{} ({})", file.path, review.machine));
            }
        }
        if recorded.is_empty() {
            continue;
        }
        if std::str::from_utf8(&file.bytes).is_err() {
            accepted.undecodable.push(file.path.clone());
            continue;
        }
        accepted.recorded.extend(recorded);
        let text = format!("{mark}{renewed}");
        drafts.push(Draft { path: file.path.clone(), text: text.clone(), replaces: Some(file.bytes.clone()) });
        file.bytes = text.into_bytes();
    }
    accepted.recorded.sort();
    plan_files(root, drafts).apply(false).map(|_| accepted)
}
