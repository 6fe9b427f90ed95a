//! What a scan found, for people.

use std::fmt::Write as _;

use statespec_lang::chars::visible;
use statespec_lang::source::Sources;

use super::{Group, Scan};
use crate::compare::Statement;

impl Scan {
    /// The candidates, best first, each with what its sources state; the first ones, or all.
    pub fn text(&self, sources: &Sources, n_shown: usize) -> String {
        let groups = self.candidates.iter().take(n_shown).enumerate();
        let mut text: String = groups.map(|(idx, it)| format!("{}. {}\n", idx + 1, self.candidate(it, sources))).collect();
        if let more @ 1.. = self.candidates.len().saturating_sub(n_shown) {
            let _ = writeln!(text, "{more} more with lower scores: `--all` shows them\n");
        }
        text
    }

    /// A candidate: the score with its parts, the sources, each with a letter, and what each states.
    pub fn candidate(&self, group: &Group, sources: &Sources) -> String {
        let score = group.score;
        let words = if group.subject.is_empty() { "no word".to_owned() } else { group.subject.join(" ") };
        let steps = match group.n_steps(&self.statements) {
            0 => "one folder".to_owned(),
            1 => "1 step between folders".to_owned(),
            n => format!("{n} steps between folders"),
        };
        let parts = [
            format!("{} states in common {}", group.n_common(), score.states),
            format!("subject {} ({words})", score.subject),
            format!("{steps} {}", score.nearness),
        ];
        let mut text = format!("score {} = {}\n", score.total(), parts.join(" + "));
        let letters: Vec<String> = (0..group.members.len()).map(letter).collect();
        for (letter, member) in letters.iter().zip(&group.members) {
            let _ = writeln!(text, "{letter}  {}", described(&self.statements[*member], sources));
        }
        let heads: Vec<&str> = letters.iter().map(String::as_str).collect();
        text + &group.comparison.table(sources, &heads)
    }

    /// The numbers, in one line.
    pub fn summary(&self, n_files: usize) -> String {
        let count = |n: usize, one: &str| if n == 1 { format!("1 {one}") } else { format!("{n} {one}s") };
        let (machines, files) = (count(self.statements.len(), "source"), count(n_files, "file"));
        let candidates = count(self.candidates.len(), "candidate group");
        let confirmed = count(self.confirmed.len(), "confirmed group");
        format!("{machines} in {files}: {candidates}, {confirmed}, {} alone\n", self.alone().count())
    }
}

/// A source in one line: its place, its name, and its form.
fn described(it: &Statement, sources: &Sources) -> String {
    let mut text = format!("{} `{}`, {}", sources.location(it.span), it.name, it.kind.name());
    if it.generated {
        text.push_str(", generated");
    }
    if it.partial {
        text.push_str(", read in part");
    }
    if let Some(state) = it.states.first().filter(|state| state.span.source != it.span.source) {
        let _ = write!(text, ", of states of {}", visible(sources.get(state.span.source).path()));
    }
    text
}

/// The letter of a source in the table of a group: `a`, `b` … `z`, `aa`.
pub fn letter(idx: usize) -> String {
    const LETTERS: &str = "abcdefghijklmnopqrstuvwxyz";
    let last = &LETTERS[idx % LETTERS.len()..][..1];
    if idx < LETTERS.len() { last.to_owned() } else { letter(idx / LETTERS.len() - 1) + last }
}
