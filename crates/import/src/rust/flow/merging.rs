//! Paths that differ in nothing but a condition become one.

use super::*;

impl Eval<'_, '_> {
    /// Makes paths that differ in nothing but a condition one path.
    pub(super) fn merged(&mut self, mut paths: Vec<Path>, at: At) -> Vec<Path> {
        if paths.len() > 1 && paths.len() <= 2 * MAX_PATHS {
            let mut at = 0;
            while at < paths.len() {
                let found = (at + 1..paths.len()).find_map(|other| Some((other, joined(&paths[at], &paths[other])?)));
                match found {
                    Some((other, one)) => {
                        paths.remove(other);
                        paths[at] = one;
                        at = at.saturating_sub(1);
                    }
                    None => at += 1,
                }
            }
        }
        if paths.len() > MAX_PATHS {
            let mut path = Path::start();
            path.flow = Flow::Lost(at);
            return vec![path];
        }
        paths
    }
}

/// One path for two that differ in whether a condition holds, and else in nothing that decides.
fn joined(a: &Path, b: &Path) -> Option<Path> {
    if a == b {
        return Some(a.clone());
    }
    if a.guards.len() != b.guards.len() {
        return None;
    }
    let mut different = a.guards.iter().zip(&b.guards).enumerate().filter(|(_, (a, b))| a != b);
    let (at, (x, y)) = different.next()?;
    if different.next().is_some() || x.text != y.text || x.holds == y.holds {
        return None;
    }
    let flow = match (&a.flow, &b.flow) {
        (x, y) if x == y => x.clone(),
        (Flow::Next(x), Flow::Next(y)) if x.is_small() && y.is_small() => Flow::Next(Value::open("")),
        (Flow::Return(x), Flow::Return(y)) if x.is_small() && y.is_small() => Flow::Return(Value::open("")),
        _ => return None,
    };
    let mut known = BTreeMap::new();
    let mut changes = a.changes.clone();
    for (place, times) in &b.changes {
        let known = changes.entry(place.clone()).or_insert(0);
        *known = (*known).max(*times);
    }
    for place in a.known.keys().chain(b.known.keys()) {
        match (a.known.get(place), b.known.get(place)) {
            (Some(x), Some(y)) if x == y => {
                known.insert(place.clone(), x.clone());
            }
            (Some(x), Some(y)) if x.is_small() && y.is_small() => {
                *changes.entry(place.clone()).or_insert(0) += 1;
                known.insert(place.clone(), Value::Open(Open::new("", None)));
            }
            (Some(x), None) | (None, Some(x)) if x.is_small() => {
                *changes.entry(place.clone()).or_insert(0) += 1;
                known.insert(place.clone(), Value::Open(Open::new("", None)));
            }
            _ => return None,
        }
    }
    let mut guards = a.guards.clone();
    guards.remove(at);
    Some(Path { guards, flow, known, changes, arm: a.arm.filter(|it| Some(*it) == b.arm) })
}
