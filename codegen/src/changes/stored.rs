//! What was stored: whether the new machine reads the configurations of the old one, as text and as JSON.

use statespec_lang::model::{Machine, StateId};

use super::pairs::Pairs;
use super::{Found, Rule};

/// Looks for a configuration of the old machine that the new one does not read, and tells the first. One for each leaf is tried: a
/// leaf that goes together with the start of all other regions goes together with their other leaves, too.
pub(super) fn compare(pairs: &Pairs<'_>, found: &mut Found) {
    let Pairs { old, new, .. } = pairs;
    if !old.has_regions() && !new.has_regions() {
        return;
    }
    for leaf in old.leaves() {
        let Some(at) = old.configuration_from(old.entry_set(&[], &[leaf])) else { continue };
        let today: Option<Vec<StateId>> = at.leaves().map(|it| pairs.state(it).filter(|it| new.is_leaf(*it))).collect();
        // A state that is gone, or that has states inside now, is told by itself.
        let Some(today) = today else { continue };
        let text = old.configuration_text(&at);
        let message = match new.configuration(&today) {
            Err(why) => format!("`{text}`, as it was stored, can no longer be read: {why}"),
            Ok(_) => {
                let Some((before, now)) = at.leaves().zip(today).find(|(a, b)| keys(old, *a) != keys(new, *b)) else { continue };
                let place = |keys: Vec<&str>| if keys.is_empty() { "by itself".into() } else { format!("in `{}`", keys.join(".")) };
                let (before, now) = (place(keys(old, before)), place(keys(new, now)));
                format!("`{text}`, stored as JSON, can no longer be read: a state that was {before} is now {now}")
            }
        };
        found.add(Rule::StoredOtherwise, old.span, new.span, message);
        return;
    }
}

/// The keys around a leaf in JSON: of parallel states and of regions, from the outside.
fn keys(machine: &Machine, leaf: StateId) -> Vec<&str> {
    let has_key = |it: &StateId| machine.state(*it).parallel || machine.is_region(*it);
    let mut keys: Vec<&str> = machine.ancestors(leaf).filter(has_key).map(|it| machine.state(it).wire.as_str()).collect();
    keys.reverse();
    keys
}
