//! How sure it is that a disagreement is a mistake.
//!
//! A source that decides every pair of states refuses what it does not state: another source that states it is wrong, or it is
//! itself. A diagram or a list of rows may be an excerpt of another source. If it states something that the other lacks, it is
//! none, and one of the two is wrong; else what it lacks is only perhaps a mistake.

use super::{Alike, Disagreement, Known, Sureness};
use crate::compare::{Comparison, Fact, Kind, Line, Said, Statement};
use crate::names::snake;

/// The disagreements of a comparison, each with how sure it is and why.
pub(super) fn disagreements(members: &[&Statement], comparison: &Comparison, alike: Alike, known: &Known) -> Vec<Disagreement> {
    let told: Vec<bool> = members.iter().map(|it| known.excerpts.contains(&it.place())).collect();
    // What an excerpt lacks is no disagreement: it says nothing about it.
    let silent = |(fact, line): &(Fact, Line)| {
        let said =
            line.said.iter().zip(&told).map(|(said, is_excerpt)| if *is_excerpt && *said == Said::No { Said::Nothing } else { *said });
        (*fact, Line { said: said.collect(), ..line.clone() })
    };
    let is_meant = |(fact, line): &(Fact, Line)| line.is_disagreement() && !(*fact == Fact::State && is_placeholder(&line.fact));
    let lines: Vec<(Fact, Line)> = comparison.disagreements().map(silent).filter(is_meant).collect();
    let of = |(fact, line): &(Fact, Line)| {
        let (sureness, why) = match alike {
            Alike::Both | Alike::Copies | Alike::Told => judge(members, &lines, *fact, line),
            Alike::States => (Sureness::Perhaps, "perhaps these are two things: only their states have the same names".to_owned()),
            Alike::Partly => (Sureness::Perhaps, "perhaps these are two things: they share only some states".to_owned()),
        };
        Disagreement { fact: *fact, line: line.clone(), sureness, why }
    };
    lines.iter().map(of).collect()
}

/// Whether a file is a page with texts around its diagrams.
fn is_page(path: &str) -> bool {
    [".md", ".markdown", ".mdx"].iter().any(|it| path.to_lowercase().ends_with(it))
}

/// Whether a name stands for the absence of a state, which some sources name and others do not: `ORDER_STATUS_UNSPECIFIED`.
fn is_placeholder(name: &str) -> bool {
    const NAMES: &[&str] = &["unspecified", "unknown", "undefined", "unset", "none", "null", "unrecognized", "all", "any"];
    snake(name).rsplit('_').next().is_some_and(|it| NAMES.contains(&it))
}

fn judge(members: &[&Statement], lines: &[(Fact, Line)], fact: Fact, line: &Line) -> (Sureness, String) {
    let who = |wanted: fn(&Said) -> bool| (0..members.len()).filter(move |it| wanted(&line.said[*it]));
    let place = |it: usize| members[it].place();
    let decides = |it: &usize| match fact {
        Fact::Edge => members[*it].complete,
        // The states of code, schemas and charts are all that there are.
        Fact::State => members[*it].complete || matches!(members[*it].kind, Kind::Code | Kind::Schema | Kind::Chart),
        Fact::Start => matches!(members[*it].kind, Kind::Spec | Kind::Chart),
    };
    // Of several things that one set lacks while it has nothing of its own, it may be a part on purpose; of one, hardly.
    let is_part = |lacking: &usize| {
        let (mut n_lacking, mut has_own) = (0, false);
        for (_, it) in lines.iter().filter(|(of, _)| *of == Fact::State) {
            n_lacking += usize::from(it.said[*lacking] == Said::No);
            has_own |= matches!(it.said[*lacking], Said::Yes(_));
        }
        fact == Fact::State && members[*lacking].edges.is_empty() && n_lacking > 1 && !has_own
    };
    // Pages and diagrams leave out steps back to the same state, and so does code that has none.
    let leaves_out = |fact: Fact, line: &Line, it: usize| {
        let has_some = || members[it].edges.iter().any(|it| it.from == it.to);
        fact == Fact::Edge && line.of_one_state && !(members[it].complete && has_some())
    };
    let lacking = || who(|it| *it == Said::No).filter(|it| !leaves_out(fact, line, *it));
    if lacking().next().is_none() {
        return (Sureness::Perhaps, "perhaps the other source leaves out steps back to the same state".to_owned());
    }
    if let Some(refuses) = lacking().filter(|it| !is_part(it)).find(decides) {
        let how =
            if fact == Fact::State { "lists all of its states, and not this one" } else { "decides every case, and refuses this one" };
        return (Sureness::Sure, format!("{} {how}: correct one of the two", place(refuses)));
    }
    let states_more = |lacking: usize, stating: usize| {
        let is_more = |(fact, it): &&(Fact, Line)| {
            matches!(it.said[lacking], Said::Yes(_)) && it.said[stating] == Said::No && !leaves_out(*fact, it, stating)
        };
        lines.iter().any(|it| is_more(&it))
    };
    // Diagrams that are files of their own are often variants of each other.
    let is_variant = |it: usize| members[it].kind == Kind::Diagram && !is_page(&members[it].path);
    for lacking in lacking() {
        let comparable = |it: &usize| states_more(lacking, *it) && !(is_variant(lacking) && is_variant(*it));
        if let Some(stating) = who(|it| matches!(it, Said::Yes(_))).find(comparable) {
            let why = format!("{} is no excerpt of {}: each states what the other lacks", place(lacking), place(stating));
            return (Sureness::Sure, why);
        }
    }
    (Sureness::Perhaps, "perhaps the source that lacks it is an excerpt: say so as `excerpts` in `[scan]` of `statespec.toml`".to_owned())
}
