//! How sure it is that a disagreement is a mistake.
//!
//! A source that decides every pair of states refuses what it does not state: another source that states it is wrong, or it is
//! itself. A diagram or a list of rows may be an excerpt of another source. If it states something that the other lacks, it is
//! none, and one of the two is wrong; else what it lacks is only perhaps a mistake.

use std::collections::BTreeSet;

use statespec_lang::names::snake;

use super::{Alike, Disagreement, Known, Sureness};
use crate::compare::{Comparison, Fact, Kind, Line, Said, Stated, Statement, is_same};

/// The disagreements of a comparison, each with how sure it is and why.
///
/// `are_one` tells of two members whether they are of the same thing beyond doubt; `all` are the statements that were read.
pub(super) fn disagreements(
    members: &[&Statement],
    all: &[Statement],
    comparison: &Comparison,
    alike: Alike,
    are_one: &dyn Fn(usize, usize) -> bool,
    known: &Known,
) -> Vec<Disagreement> {
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
            Alike::Both | Alike::Copies | Alike::Told => Judge { members, lines: &lines, are_one, fact: *fact, line, all }.verdict(),
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
    // `payment.onDone` is what leads on from the states inside `payment`.
    let is_done = [".onDone", ".onError"].iter().any(|it| name.ends_with(it));
    is_done || snake(name).rsplit('_').next().is_some_and(|it| NAMES.contains(&it))
}

/// A value of a set that says that there is no state, as screens have it for what has not begun: `NULL`.
fn of_no_state(of: &Statement) -> Option<&str> {
    let is_none = |name: &str| matches!(snake(name).as_str(), "null" | "none" | "undefined" | "unset" | "all" | "any");
    of.states.iter().map(|it| it.name.as_str()).find(|it| is_none(it))
}

/// Whether a name stands for a mistake instead of a state. In Go, the zero value of a type often has the name `Invalid`.
fn is_invalid(name: &str) -> bool {
    snake(name).rsplit('_').next() == Some("invalid")
}

/// Whether two names are one in two spellings, such as `canceled` and `cancelled`.
fn is_spelling(one: &str, other: &str) -> bool {
    let (one, other) = (snake(one), snake(other));
    one.len().min(other.len()) > 4 && one.len().max(other.len()) <= 64 && strsim::damerau_levenshtein(&one, &other) == 1
}

/// What a source that lacks a fact says of it.
struct Judge<'a> {
    members: &'a [&'a Statement],
    lines: &'a [(Fact, Line)],
    are_one: &'a dyn Fn(usize, usize) -> bool,
    fact: Fact,
    line: &'a Line,
    /// The statements of all groups, and those of none.
    all: &'a [Statement],
}

impl Judge<'_> {
    fn who(&self, wanted: fn(&Said) -> bool) -> impl Iterator<Item = usize> {
        (0..self.members.len()).filter(move |it| wanted(&self.line.said[*it]))
    }

    fn place(&self, member: usize) -> String {
        self.members[member].place()
    }

    fn verdict(&self) -> (Sureness, String) {
        let perhaps = |why: &str| (Sureness::Perhaps, format!("perhaps {why}"));
        if self.fact == Fact::State && is_invalid(&self.line.fact) {
            return perhaps("this is the name of a mistake, and of no state");
        }
        let lacking: Vec<usize> = self.who(|it| *it == Said::No).filter(|it| !self.leaves_out(self.fact, self.line, *it)).collect();
        if lacking.is_empty() {
            return perhaps("the other source leaves out steps back to the same state");
        }
        let stating: Vec<usize> = self.who(|it| matches!(it, Said::Yes(_))).collect();
        let pairs = || lacking.iter().flat_map(|lacking| stating.iter().map(|stating| (*lacking, *stating)));
        let are_two = |it: &(usize, usize)| self.fact == Fact::State && are_of_one_package(self.members[it.0], self.members[it.1]);
        // What the group is about is two things, so a third source is about one of them.
        if let Some(excuse) = pairs().filter(are_two).find_map(|it| self.excuse(it.0, it.1)) {
            return perhaps(&excuse);
        }
        let mut excuse = None;
        for (lacking, stating) in pairs().filter(|it| self.decides(it.0)) {
            let Some(found) = self.excuse(lacking, stating) else {
                let how = match self.fact {
                    Fact::State => "lists all of its states, and not this one",
                    Fact::Start | Fact::Edge => "decides every case, and refuses this one",
                };
                return (Sureness::Sure, format!("{} {how}: correct one of the two", self.place(lacking)));
            };
            excuse = excuse.or(Some(found));
        }
        for (lacking, stating) in pairs() {
            // Diagrams that are files of their own are often variants of each other.
            let is_variant = |it: usize| self.members[it].kind == Kind::Diagram && !is_page(&self.members[it].path);
            let are_variants = is_variant(lacking) && is_variant(stating);
            let lists_all = self.fact == Fact::State && is_set(self.members[lacking]);
            if !are_variants && !lists_all && self.excuse(lacking, stating).is_none() && self.states_more(lacking, stating) {
                let why = format!("{} is no excerpt of {}: each states what the other lacks", self.place(lacking), self.place(stating));
                return (Sureness::Sure, why);
            }
        }
        excuse = excuse.or_else(|| pairs().find_map(|it| self.excuse(it.0, it.1)));
        perhaps(
            &excuse.unwrap_or_else(|| {
                "the source that lacks it is an excerpt: say so as `excerpts` in `[scan]` of `statespec.toml`".to_owned()
            }),
        )
    }

    /// Whether a source states all that there is.
    fn decides(&self, member: usize) -> bool {
        let member = self.members[member];
        match self.fact {
            Fact::Edge => member.complete,
            // The states of code, schemas and charts are all that there are.
            Fact::State => member.complete || matches!(member.kind, Kind::Code | Kind::Schema | Kind::Chart),
            Fact::Start => matches!(member.kind, Kind::Spec | Kind::Chart),
        }
    }

    /// A reason why one source may lack what the other states, other than a mistake.
    fn excuse(&self, lacking: usize, stating: usize) -> Option<String> {
        let (a, b) = (self.members[lacking], self.members[stating]);
        if !(self.are_one)(lacking, stating) {
            return Some(format!("{} and {} are two things", a.place(), b.place()));
        }
        if let Some(old) = [a, b].into_iter().find(|it| it.dated) {
            return Some(format!("{} tells of another time: it is in an archive, a report or a draft", old.place()));
        }
        if self.fact == Fact::Start && self.is_of_pages(lacking, stating) {
            return Some(format!("{} begins earlier or later than {}", a.place(), b.place()));
        }
        match self.stated(stating) {
            Stated::OfAny => return Some(format!("{} has a row for any state here, which may mean those that have this step", b.place())),
            Stated::AsException => return Some(format!("{} has this step as an exception", b.place())),
            Stated::Plainly => {}
        }
        if self.begins_there(stating) {
            return Some(format!("{} begins earlier than {}", b.place(), a.place()));
        }
        if let Some(other) = self.other_type(lacking, stating) {
            return Some(format!("{} has the states of {other}", b.place()));
        }
        if self.fact == Fact::State && are_siblings(a, b) {
            return Some(format!("{} and {} are types of two programs", a.place(), b.place()));
        }
        if is_partial(a, self.fact) {
            return Some(format!("{} has more than was read of it", a.place()));
        }
        if self.fact == Fact::Edge && are_two_types(a, b) {
            return Some(format!("{} and {} are two types of one program", a.place(), b.place()));
        }
        if self.fact == Fact::Edge && is_screen(a) {
            return Some(format!("{} has the steps that a screen offers", a.place()));
        }
        if let Some(other) = self.other_table(lacking) {
            return Some(format!("{other} of the same page has it"));
        }
        if self.fact != Fact::State || !is_set(a) {
            return None;
        }
        if is_client(a) {
            return Some(format!("{} leaves out on purpose what a client need not know", a.place()));
        }
        let own = |one: usize, other: usize| {
            let is_own =
                |(fact, it): &&(Fact, Line)| *fact == Fact::State && matches!(it.said[one], Said::Yes(_)) && it.said[other] == Said::No;
            self.lines.iter().filter(is_own).map(|it| it.1.fact.as_str()).collect::<Vec<&str>>()
        };
        let (own_of_lacking, own_of_stating) = (own(lacking, stating), own(stating, lacking));
        let is_misspelt = |it: &&str| own_of_stating.iter().any(|other| is_spelling(it, other));
        // One state under two spellings.
        if !own_of_lacking.is_empty() && own_of_lacking.iter().all(is_misspelt) {
            return None;
        }
        // Of several things that one set lacks while it has nothing of its own, it may be a part on purpose; of one, hardly.
        if a.edges.is_empty() && own_of_lacking.is_empty() && own_of_stating.len() > 1 {
            return Some(format!("{} is a part of {} on purpose", a.place(), b.place()));
        }
        if is_interface(a) {
            return Some(format!("{} leaves out on purpose what others need not know", a.place()));
        }
        if !is_set(b) {
            return None;
        }
        let is_table = |it: &Statement| it.path.to_lowercase().ends_with(".sql");
        if let Some(none) = of_no_state(b).filter(|_| of_no_state(a).is_none()) {
            return Some(format!("{} has values that are no states, such as `{none}`", b.place()));
        }
        if b.generated || b.interface || is_of_sdk(b) {
            return Some(format!("{} keeps or adds on purpose what others need", b.place()));
        }
        if are_of_one_package(a, b) {
            return Some(format!("{} and {} are two types of one program", a.place(), b.place()));
        }
        let are_two = !(own_of_lacking.is_empty() || is_table(a) || is_table(b));
        are_two.then(|| format!("{} and {} are two things: each has states of its own", a.place(), b.place()))
    }

    /// Whether a source leaves out steps back to the same state: pages and diagrams do, and so does code that has none.
    fn leaves_out(&self, fact: Fact, line: &Line, member: usize) -> bool {
        let member = self.members[member];
        let has_some = || member.edges.iter().any(|it| it.from == it.to);
        fact == Fact::Edge && line.of_one_state && !(member.complete && has_some())
    }

    /// Another table of the page of a table that lacks a state, which has it beside some of the same states.
    fn other_table(&self, lacking: usize) -> Option<String> {
        let a = self.members[lacking];
        if self.fact != Fact::State || a.kind != Kind::Table {
            return None;
        }
        let has = |it: &Statement, name: &str| it.states.iter().any(|it| is_same(&it.name, name));
        let shares = |it: &Statement| a.states.iter().any(|state| has(it, &state.name));
        let fits =
            |it: &&Statement| it.kind == Kind::Table && it.path == a.path && it.span != a.span && has(it, &self.line.fact) && shares(it);
        self.all.iter().find(fits).map(Statement::place)
    }

    /// Whether both sources are diagrams or tables.
    fn is_of_pages(&self, a: usize, b: usize) -> bool {
        [a, b].iter().all(|it| matches!(self.members[*it].kind, Kind::Diagram | Kind::Table))
    }

    /// How clearly a source states the fact.
    fn stated(&self, member: usize) -> Stated {
        let Said::Yes(place) = self.line.said[member] else { return Stated::Plainly };
        let edge = self.members[member].edges.iter().find(|it| self.fact == Fact::Edge && it.span == place);
        edge.map_or(Stated::Plainly, |it| it.stated)
    }

    /// Whether a diagram or a table begins in the state.
    fn begins_there(&self, member: usize) -> bool {
        let b = self.members[member];
        let mut starts = b.starts.iter().map(|it| &b.states[*it].name);
        self.fact == Fact::State && matches!(b.kind, Kind::Diagram | Kind::Table) && starts.any(|it| is_same(it, &self.line.fact))
    }

    /// Another type that is about the same as the source that lacks a state, and more, with exactly the states of the other source.
    fn other_type(&self, lacking: usize, stating: usize) -> Option<String> {
        let (a, b) = (self.members[lacking], self.members[stating]);
        if self.fact != Fact::State || a.kind != Kind::Code {
            return None;
        }
        let names = |it: &Statement| it.states.iter().map(|it| snake(&it.name)).collect::<BTreeSet<String>>();
        let wanted = names(b);
        let subject = |it: &Statement| -> BTreeSet<String> {
            let words = it.name.split('_').map(str::to_owned);
            words.filter(|it| !["state", "states", "status", "statuses", "phase", "stage"].contains(&it.as_str())).collect()
        };
        let own = subject(a);
        // `session_record` beside `session`
        let is_closer = |it: &Statement| subject(it) != own && subject(it).is_superset(&own);
        let fits = |it: &&Statement| it.kind == Kind::Code && it.place() != a.place() && it.place() != b.place() && is_closer(it);
        self.all.iter().filter(fits).find(|it| names(it) == wanted).map(Statement::place)
    }

    /// Whether the source that lacks the fact states something that the other lacks.
    fn states_more(&self, lacking: usize, stating: usize) -> bool {
        let is_more = |(fact, it): &&(Fact, Line)| {
            let is_read = !is_partial(self.members[stating], *fact);
            let is_plain = || Judge { fact: *fact, line: it, ..*self }.stated(lacking) == Stated::Plainly;
            // Where pages begin, they say little.
            let is_start = *fact == Fact::Start && self.is_of_pages(lacking, stating);
            is_read
                && !is_start
                && matches!(it.said[lacking], Said::Yes(_))
                && it.said[stating] == Said::No
                && !self.leaves_out(*fact, it, stating)
                && is_plain()
        };
        self.lines.iter().any(|it| is_more(&it))
    }
}

/// Whether a source is an enum or a list: its states are all that it is about.
fn is_set(of: &Statement) -> bool {
    matches!(of.kind, Kind::Code | Kind::Schema)
}

/// Whether a source may have more facts of a kind than were read of it.
fn is_partial(of: &Statement, fact: Fact) -> bool {
    of.partial
        && match fact {
            // An enum has all of its states, whatever its steps are.
            Fact::State => of.complete || of.kind == Kind::Table,
            Fact::Start | Fact::Edge => !of.complete,
        }
}

/// Whether a source is what a program tells others: an interface, or code of one.
fn is_interface(of: &Statement) -> bool {
    of.generated || of.interface || is_client(of) || is_of_sdk(of) || (of.kind == Kind::Schema && !of.path.to_lowercase().ends_with(".sql"))
}

/// Whether a source is what a client knows of a server: `lib/api.ts`, `orders/actions.ts`.
fn is_client(of: &Statement) -> bool {
    let path = of.path.to_lowercase();
    let stem = path.strip_suffix(".ts").or_else(|| path.strip_suffix(".tsx")).or_else(|| path.strip_suffix(".mts"));
    stem.is_some_and(|it| it.contains('/') && matches!(it.rsplit(['/', '.']).next(), Some("api" | "actions")))
}

/// Whether a source is what other programs see of a program: `packages/sdk/src/order.ts`.
fn is_of_sdk(of: &Statement) -> bool {
    of.path.split('/').any(|it| it.to_lowercase().split(['-', '_']).any(|it| it == "sdk"))
}

/// Whether a source is a part of a screen, which leaves out the steps that people do not take.
fn is_screen(of: &Statement) -> bool {
    of.path.to_lowercase().ends_with(".tsx")
}

/// Whether two types of code are of programs side by side, in one language: `services/orders` and `services/refunds`.
fn are_siblings(a: &Statement, b: &Statement) -> bool {
    const SIDE_BY_SIDE: &[&str] = &["services", "crates", "microservices", "modules", "plugins"];
    let program = |it: &Statement| {
        let mut parts = it.path.split('/');
        let at = parts.position(|it| SIDE_BY_SIDE.contains(&it))?;
        let name = it.path.split('/').nth(at + 1)?;
        Some((it.path.split('/').take(at + 1).collect::<Vec<&str>>().join("/"), name.to_owned()))
    };
    let extension = |it: &Statement| it.path.rsplit_once('.').map(|it| it.1.to_lowercase());
    let are_code = a.kind == Kind::Code && b.kind == Kind::Code && extension(a) == extension(b);
    match (program(a), program(b)) {
        (Some(a), Some(b)) => are_code && a.0 == b.0 && a.1 != b.1,
        _ => false,
    }
}

/// Whether two types of code are of one program in one language. If they were one thing, it would hardly declare it twice.
fn are_of_one_package(a: &Statement, b: &Statement) -> bool {
    let language = |it: &Statement| {
        let extension = it.path.rsplit_once('.').map_or("", |it| it.1).to_lowercase();
        match extension.as_str() {
            "tsx" | "mts" | "cts" => "ts".to_owned(),
            "pyi" => "py".to_owned(),
            _ => extension,
        }
    };
    let is_code = |it: &Statement| it.kind == Kind::Code;
    is_code(a) && is_code(b) && !a.generated && !b.generated && a.package == b.package && language(a) == language(b)
}

/// Whether the steps of code are of two types of one program: each type is declared, and at another place. A table of steps of a type
/// that another file declares does not tell of which.
fn are_two_types(a: &Statement, b: &Statement) -> bool {
    let declaration = |it: &Statement| it.states.first().map(|it| it.span);
    let is_declared = |it: &Statement| !(it.complete && it.partial);
    are_of_one_package(a, b) && is_declared(a) && is_declared(b) && declaration(a) != declaration(b)
}
