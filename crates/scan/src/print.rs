//! What a scan found, for people.

use std::fmt::Write as _;

use statespec_lang::chars::visible;
use statespec_lang::source::Sources;

use super::{Group, Scan, Sureness};

impl Scan {
    /// A table for each group whose sources disagree, or for every group.
    pub fn tables(&self, sources: &Sources, all: bool) -> String {
        let groups = self.groups.iter().filter(|it| all || !it.disagreements.is_empty());
        groups.map(|it| self.table(it, sources) + "\n").collect()
    }

    /// The sources of a group, each with a letter, and what each says.
    fn table(&self, group: &Group, sources: &Sources) -> String {
        let letters: Vec<String> = (0..group.members.len()).map(letter).collect();
        let mut text = String::new();
        for (letter, member) in letters.iter().zip(&group.members) {
            let it = &self.statements[*member];
            let generated = if it.generated { ", generated" } else { "" };
            let _ = write!(text, "{letter}  {} `{}`, {}{generated}", sources.location(it.span), it.name, it.kind.name());
            let elsewhere = it.states.first().map(|state| state.span).filter(|state| state.source != it.span.source);
            let _ = match elsewhere {
                Some(state) => writeln!(text, " of states of {}", visible(sources.get(state.source).path())),
                None => writeln!(text),
            };
        }
        let heads: Vec<&str> = letters.iter().map(String::as_str).collect();
        text + &group.comparison.table(sources, &heads)
    }

    /// The numbers, in one line.
    pub fn summary(&self, n_files: usize) -> String {
        let count = |n: usize, one: &str| if n == 1 { format!("1 {one}") } else { format!("{n} {one}s") };
        let n_sure = self.n_sure();
        let n_perhaps = self.disagreements().filter(|it| it.1.sureness == Sureness::Perhaps).count();
        let n_grouped: usize = self.groups.iter().map(|it| it.members.len()).sum();
        let (machines, files, groups) =
            (count(self.statements.len(), "machine"), count(n_files, "file"), count(self.groups.len(), "group"));
        format!(
            "{machines} in {files}, {n_grouped} of them in {groups} of the same thing: {} for sure, {n_perhaps} possible\n",
            count(n_sure, "disagreement")
        )
    }
}

/// `a`, `b` … `z`, `aa`.
fn letter(idx: usize) -> String {
    const LETTERS: &str = "abcdefghijklmnopqrstuvwxyz";
    let last = &LETTERS[idx % LETTERS.len()..][..1];
    if idx < LETTERS.len() { last.to_owned() } else { letter(idx / LETTERS.len() - 1) + last }
}
