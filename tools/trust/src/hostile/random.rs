//! Random machines that multiply: states in composites and regions, histories, timers, automatic rows and rows of many states and
//! events. Each number is small or large, so that any two of them meet.

use std::fmt::Write as _;

use crate::rng::Rng;

/// A machine so far.
struct Machine {
    rng: Rng,
    /// The number of states that may still be declared.
    n_left: usize,
    n_states: usize,
    leaves: Vec<String>,
    /// Composites without regions, and whether a state directly inside is terminal.
    composites: Vec<(String, bool)>,
    /// For each region, the leaves directly inside.
    regions: Vec<Vec<String>>,
    /// The fields of histories.
    histories: Vec<String>,
    n_effects: usize,
}

/// The largest depth of states in states.
const MAX_DEPTH: usize = 6;

/// The spec of a seed: every key is valid, and only its numbers may be refused.
pub fn spec(seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let n_left = *pick(&mut rng, &[4, 12, 40, 150, 600, 2_000]);
    let n_effects = size(&mut rng, &[0, 1, 5, 60]);
    let mut machine = Machine {
        rng,
        n_left,
        n_states: 0,
        leaves: Vec::new(),
        composites: Vec::new(),
        regions: Vec::new(),
        histories: Vec::new(),
        n_effects,
    };
    let has_regions = machine.rng.below(3) == 0;
    let (top, states) = if has_regions { ("regions", machine.regions(0)) } else { ("states", machine.inside(0, None).0) };
    let n_events = 1 + size(&mut machine.rng, &[1, 4, 30, 200]);
    let rows = machine.rows(n_events);
    let names = |n: usize, word: &str| (0..n).map(|idx| format!("{word}{idx}: {{}}, ")).collect::<String>();
    let fields: String = machine.histories.iter().map(|it| format!("{it}: {{ type: state, optional: true }}, ")).collect();
    format!(
        "machine: m\ncontext: {{ n: {{ type: int, default: 0 }}, {fields} }}\npredicates: {{ {} }}\neffects: {{ {} }}\n\
         events: {{ make: {{}}, go: {{ payload: {{ goal: state }} }}, {} }}\n{top}: {{ {states} }}\ntransitions:\n{rows}",
        names(N_PREDICATES, "p"),
        names(machine.n_effects, "f"),
        names(n_events, "e"),
    )
}

const N_PREDICATES: usize = 30;

fn pick<'a, T>(rng: &mut Rng, items: &'a [T]) -> &'a T {
    &items[rng.below(items.len())]
}

/// One of some numbers, or one near it.
fn size(rng: &mut Rng, sizes: &[usize]) -> usize {
    let size = *pick(rng, sizes);
    size + rng.below(1 + size / 4)
}

impl Machine {
    fn name(&mut self) -> String {
        self.n_states += 1;
        self.n_left = self.n_left.saturating_sub(1);
        format!("s{}", self.n_states)
    }

    /// Two and more regions.
    fn regions(&mut self, depth: usize) -> String {
        let n_regions = 2 + self.rng.below(if self.n_left > 100 { 12 } else { 3 });
        let mut text = String::new();
        for _ in 0..n_regions {
            let name = self.name();
            self.regions.push(Vec::new());
            let region = self.regions.len() - 1;
            let inside = self.inside(depth + 1, Some(region)).0;
            let _ = write!(text, "{name}: {{ states: {{ {inside} }} }}, ");
        }
        text
    }

    /// The states inside a state, whether one of them is terminal, and whether one has regions.
    fn inside(&mut self, depth: usize, region: Option<usize>) -> (String, bool, bool) {
        let n = (2 + size(&mut self.rng, &[0, 1, 3, 20, 200])).min(self.n_left.max(2));
        let mut text = String::new();
        let (mut has_terminal, mut has_regions) = (false, false);
        for child in 0..n {
            let name = self.name();
            let initial = if child == 0 { "initial: true, " } else { "" };
            let nests = depth < MAX_DEPTH && self.n_left > 4 && self.rng.below(6) == 0;
            let (entry, exit) = (self.effects("entry"), self.effects("exit"));
            if nests && self.rng.below(4) == 0 {
                has_regions = true;
                let inside = self.regions(depth + 1);
                let _ = write!(text, "{name}: {{ {initial}{entry}{exit}regions: {{ {inside} }} }}, ");
            } else if nests {
                let (inside, ends, is_parallel) = self.inside(depth + 1, None);
                has_regions |= is_parallel;
                let mut history = String::new();
                if !is_parallel && self.rng.below(2) == 0 {
                    let field = format!("h{name}");
                    let shallow = self.rng.below(2) == 0;
                    history =
                        if shallow { format!("history: {{ field: {field}, shallow: true }}, ") } else { format!("history: {field}, ") };
                    self.histories.push(field);
                }
                self.composites.push((name.clone(), ends));
                let _ = write!(text, "{name}: {{ {initial}{entry}{exit}{history}states: {{ {inside} }} }}, ");
            } else {
                let is_terminal = child > 0 && child + 1 == n && self.rng.below(2) == 0;
                has_terminal |= is_terminal;
                let terminal = if is_terminal { "terminal: true, " } else { "" };
                let _ = write!(text, "{name}: {{ {initial}{terminal}{entry}{exit} }}, ");
                region.into_iter().for_each(|it| self.regions[it].push(name.clone()));
                self.leaves.push(name);
            }
        }
        (text, has_terminal, has_regions)
    }

    fn effects(&mut self, key: &str) -> String {
        if self.n_effects == 0 || self.rng.below(4) > 0 {
            return String::new();
        }
        let n = 1 + self.rng.below(self.n_effects);
        format!("{key}: [{}], ", (0..n).map(|it| format!("f{it}, ")).collect::<String>())
    }

    /// Some leaves: one, a few or all.
    fn some_leaves(&mut self) -> Vec<String> {
        let n = (*pick(&mut self.rng, &[1, 1, 3, 30, 300, 3_000])).min(self.leaves.len());
        let leaves = self.leaves.clone();
        self.rng.some(leaves, n)
    }

    fn leaf(&mut self) -> String {
        pick(&mut self.rng, &self.leaves).clone()
    }

    fn rows(&mut self, n_events: usize) -> String {
        let first = self.leaves[0].clone();
        let mut rows = format!("  - {{ from: \"[*]\", event: make, to: {first} }}\n");
        let n_rows = [0, 1, 5, 40, 200];
        for _ in 0..size(&mut self.rng, &n_rows) {
            let n = (*pick(&mut self.rng, &[1, 1, 2, 20, 200])).min(n_events);
            let events: String = self.rng.some((0..n_events).collect(), n).iter().map(|it| format!("e{it}, ")).collect();
            let (from, when) = (self.from(), self.when());
            let to = self.to();
            let _ = writeln!(rows, "  - {{ from: {from}, event: [{events}], {when}{to} }}");
        }
        for _ in 0..size(&mut self.rng, &[0, 0, 1, 20]) {
            let (from, when) = (self.from(), self.when());
            let _ = writeln!(rows, "  - {{ from: {from}, event: go, {when}to: \"{{goal}}\" }}");
        }
        for timer in 0..size(&mut self.rng, &n_rows) {
            // In a machine with regions, a timer of several states could run twice at once.
            let leaves = self.some_leaves();
            let from = if self.regions.is_empty() { leaves.join(", ") } else { leaves[0].clone() };
            let (seconds, when, to) = (1 + self.rng.below(100_000), self.when(), self.to());
            let _ = writeln!(rows, "  - {{ from: [{from}], after: {seconds}s, timer: t{timer}, {when}{to} }}");
        }
        for _ in 0..size(&mut self.rng, &n_rows) {
            let (leaves, guard, to) = (self.some_leaves(), self.guard(), self.leaf());
            let _ = writeln!(rows, "  - {{ from: [{}], automatic: true, when: \"{guard}\", to: {to} }}", leaves.join(", "));
        }
        for (composite, _) in self.composites.clone().into_iter().filter(|it| it.1) {
            if self.rng.below(2) == 0 {
                let (guard, to) = (self.guard(), self.to());
                let _ = writeln!(rows, "  - {{ from: {composite}, done: true, when: \"{guard}\", {to} }}");
            }
        }
        rows
    }

    /// The sources of a row.
    fn from(&mut self) -> String {
        match self.rng.below(6) {
            0 => "\"*\"".to_owned(),
            1 => {
                // Some state is left.
                let leaves = self.some_leaves();
                let n = leaves.len().min(self.leaves.len() - 1);
                format!("\"*\", except: [{}]", leaves[..n].join(", "))
            }
            2 if !self.composites.is_empty() => pick(&mut self.rng, &self.composites).0.clone(),
            _ => format!("[{}]", self.some_leaves().join(", ")),
        }
    }

    fn when(&mut self) -> String {
        if self.rng.below(2) == 0 { String::new() } else { format!("when: \"{}\", ", self.guard()) }
    }

    fn guard(&mut self) -> String {
        let number = self.rng.below(100);
        match self.rng.below(4) {
            0 => format!("n < {number}"),
            1 => format!("in({})", self.leaf()),
            2 => (0..1 + number).map(|it| format!("p{}", it % N_PREDICATES)).collect::<Vec<_>>().join(" or "),
            _ => format!("p{}", number % N_PREDICATES),
        }
    }

    /// What a row does: its target, or nothing, or a refusal.
    fn to(&mut self) -> String {
        let to = match self.rng.below(7) {
            0 if !self.histories.is_empty() => format!("\"{{{}}}\"", pick(&mut self.rng, &self.histories)),
            1 if !self.composites.is_empty() => pick(&mut self.rng, &self.composites).0.clone(),
            2 => return "set: { n: n + 1 }".to_owned(),
            _ => self.leaf(),
        };
        let more = self.rng.below(8);
        let raise = if more == 0 { ", raise: [e0, e1]" } else { "" };
        let effects = if more == 1 && self.n_effects > 0 { ", do: [f0]" } else { "" };
        format!("to: {to}{raise}{effects}")
    }
}
