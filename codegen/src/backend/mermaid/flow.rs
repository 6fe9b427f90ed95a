//! A system as a Mermaid flowchart: its parts, the transactions that change them, and the links between them.
//!
//! ```text
//! flowchart LR
//!     actor0(["user"])
//!     part0["Mission"]
//!     part1[["Hop (many for each Mission)"]]
//!     run0("approve_mission (approve)")
//!     actor0 --> run0
//!     run0 --> part0
//!     part1 -.->|"enters FAILED: abort"| part0
//! ```
//!
//! Ids are numbers, so that no name can be taken for syntax. A transaction names its events itself: on the arrows, which run
//! close to each other, their names would lie over others.

use statespec_lang::model::system::{Crossing, Fire, Link};
use statespec_lang::model::{Model, PartId, System};

use super::lines::{self, Lines};

/// The number of arrows up to which they can be told apart: the transactions stand in one column between actors and parts, so that
/// each further arrow crosses more of the others.
const MAX_ARROWS: usize = 30;

/// The error for a system that is too large to draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooMany {
    /// The number of arrows in the diagram.
    pub n_arrows: usize,
}

/// Draws a system.
pub fn flow(model: &Model, system: &System) -> Result<Lines, TooMany> {
    let n_fired: usize = system.transactions.iter().map(|it| it.fire.len() + it.by.len()).sum();
    let too_many = TooMany { n_arrows: n_fired + system.links.len() };
    if too_many.n_arrows > MAX_ARROWS {
        return Err(too_many);
    }
    let mut lines = Lines::default();
    lines.push(0, &["flowchart LR"], None);
    for (idx, actor) in system.actors.iter().enumerate() {
        // An actor without a transaction would be a box without an arrow.
        if system.transactions.iter().any(|it| it.by.iter().any(|by| by.index() == idx)) {
            lines.push(1, &[&format!("actor{idx}([\"{}\"])", label(&actor.name))], None);
        }
    }
    for (idx, part) in system.parts.iter().enumerate() {
        let (open, close) = if part.many { ("[[", "]]") } else { ("[", "]") };
        // An arrow between owner and part would change the columns of the layout.
        let many = match part.of {
            Some((owner, _)) => format!(" (many for each {})", system.part(owner).label),
            None if part.many => " (many)".to_owned(),
            None => String::new(),
        };
        lines.push(1, &[&format!("part{idx}{open}\"{}\"{close}", label(&format!("{}{many}", part.label)))], None);
    }
    for (idx, transaction) in system.transactions.iter().enumerate() {
        let span = Some(transaction.span);
        let event = |it: &Fire| {
            let event = model.machines[system.part(it.part).machine].event(it.event).name.clone();
            if system.plays(it.part) == it.part { event } else { format!("{}.{event}", system.part(it.part).name) }
        };
        let events: Vec<String> = transaction.fire.iter().map(event).collect();
        let same = events.iter().all(|it| *it == transaction.name);
        let events = if same { String::new() } else { format!(" ({})", events.join(", ")) };
        lines.push(1, &[&format!("run{idx}(\"{}\")", label(&format!("{}{events}", transaction.name)))], span);
        for actor in &transaction.by {
            lines.push(1, &[&format!("actor{} --> run{idx}", actor.index())], span);
        }
        let mut changed: Vec<PartId> = Vec::new();
        for part in transaction.fire.iter().map(|it| system.plays(it.part)) {
            // Two roles of a part would be two arrows over each other.
            if !changed.contains(&part) {
                lines.push(1, &[&format!("run{idx} --> part{}", part.index())], span);
                changed.push(part);
            }
        }
    }
    // One arrow for all links between two parts: arrows between the same two would lie over each other.
    let mut arrows: Vec<((PartId, PartId), Vec<&Link>)> = Vec::new();
    for link in &system.links {
        let ends = (link.part, link.fire.part);
        match arrows.iter_mut().find(|(it, _)| *it == ends) {
            Some((_, links)) => links.push(link),
            None => arrows.push((ends, vec![link])),
        }
    }
    for ((from, to), links) in arrows {
        let texts: Vec<String> = links.iter().map(|it| on(model, system, it)).collect();
        let span = links.first().filter(|_| links.len() == 1).map(|it| it.span);
        lines.push(1, &[&format!("part{} -.->|\"{}\"| part{}", from.index(), label(&texts.join(", ")), to.index())], span);
    }
    if lines.fits() { Ok(lines) } else { Err(too_many) }
}

/// A text in quotes. Mermaid breaks long labels anywhere, also within a character code, so a colon stays a colon.
pub(super) fn label(text: &str) -> String {
    lines::label(text).replace("#58;", ":")
}

/// What a link reacts to, and the event that it fires: `enters FAILED: abort`.
fn on(model: &Model, system: &System, link: &Link) -> String {
    let machine = |part| &model.machines[system.part(part).machine];
    let verb = match link.on {
        Crossing::Enter => "enters",
        Crossing::Exit => "leaves",
    };
    let state = machine(link.part).path_name(link.state);
    format!("{verb} {state}: {}", machine(link.fire.part).event(link.fire.event).name)
}
