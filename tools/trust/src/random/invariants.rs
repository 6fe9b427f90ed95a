//! Invariants of random systems hold at the start: a condition that does not is negated, or left out.

use super::yaml::{Map, Yaml, text};

/// The message about an invariant that is broken at the start.
const BROKEN: &str = "this invariant does not hold before the first transaction";

/// Mends the invariants of a system. `messages` are those about a spec.
pub(super) fn hold(spec: &mut Map, messages: &dyn Fn(&Map) -> Vec<String>) {
    let Some(position) = spec.iter().position(|(key, _)| key == "invariants") else { return };
    let (_, Yaml::List(invariants)) = spec.remove(position) else { return };
    let mut kept = Vec::new();
    for invariant in invariants {
        let with = |it: &Yaml| {
            let mut spec = spec.clone();
            let all = kept.iter().chain([it]).cloned().collect();
            spec.insert(position, ("invariants".to_owned(), Yaml::List(all)));
            spec
        };
        let holds = |it: &Yaml| !messages(&with(it)).iter().any(|it| it == BROKEN);
        let candidates = [Some(invariant.clone()), negated(invariant)];
        let found = candidates.into_iter().flatten().find(holds);
        kept.extend(found);
    }
    if !kept.is_empty() {
        spec.insert(position, ("invariants".to_owned(), Yaml::List(kept)));
    }
}

/// The invariant that requires the opposite.
fn negated(invariant: Yaml) -> Option<Yaml> {
    let Yaml::Map(mut entries) = invariant else { return None };
    let (_, require) = entries.iter_mut().find(|(key, _)| key == "require")?;
    let Yaml::Text(condition) = require else { return None };
    *require = text(format!("not ({condition})"));
    Some(Yaml::Map(entries))
}
