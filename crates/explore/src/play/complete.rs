//! Completion and hints: what can follow at the end of a line.

use super::{Session, TEST, command, line};

/// A way to go on at the end of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// The word in a list.
    pub shown: String,
    /// The text that replaces the unfinished word; ends with a blank or `=` where more must follow.
    pub text: String,
}

impl Candidate {
    fn new(shown: &str, end: &str) -> Candidate {
        Candidate { shown: shown.to_owned(), text: format!("{}{end}", line::quoted(shown)) }
    }
}

impl Session<'_> {
    /// The words that can complete a line up to the cursor, and the position at which the unfinished word begins.
    pub fn complete(&self, before: &str) -> (usize, Vec<Candidate>) {
        let split = line::split(before);
        let mut words = split.words;
        let (start, begun) = if split.is_in_word { words.pop().unwrap_or_default() } else { (before.len(), String::new()) };
        let words: Vec<String> = words.into_iter().map(|it| it.1).collect();
        let (start, begun, all) = match words.split_first() {
            None => match begun.strip_prefix(':') {
                Some(rest) => (start + 1, rest.to_owned(), self.named_commands()),
                None => self.first(start, begun),
            },
            Some((first, rest)) => self.following(first, rest, start, begun),
        };
        // A quote is text that a person is writing.
        let all = if split.is_quoted { Vec::new() } else { all };
        (start, all.into_iter().filter(|it| it.shown.starts_with(&begun)).collect())
    }

    /// What is still missing at the end of a line: ` by=<a text>`. Empty if nothing is, or if a word is not finished.
    pub fn hint(&self, line: &str) -> String {
        let split = line::split(line);
        let words: Vec<String> = split.words.into_iter().map(|it| it.1).collect();
        let Some(first) = words.first().filter(|it| self.game.names().contains(it)) else { return String::new() };
        if split.is_quoted || (split.is_in_word && words.len() > 1 && words.last().is_some_and(|it| !it.contains('='))) {
            return String::new();
        }
        let is_given = |name: &str| words[1..].iter().any(|it| it.split_once('=').is_some_and(|it| it.0 == name));
        let slots = self.game.slots(first).into_iter().filter(|it| !it.is_optional && !is_given(&it.name));
        let missing: String = slots.map(|it| it.usage()).collect();
        // After a blank, the hint continues the line.
        if split.is_in_word { missing } else { missing.trim_start().to_owned() }
    }

    fn named_commands(&self) -> Vec<Candidate> {
        self.commands().iter().map(|(usage, _)| Candidate::new(command(usage), "")).collect()
    }

    /// Requests, commands, and predicates, which are set by `NAME=true`.
    fn first(&self, start: usize, begun: String) -> (usize, String, Vec<Candidate>) {
        if let Some((name, value)) = begun.split_once('=') {
            return (start + name.len() + 1, value.to_owned(), truths());
        }
        let requests = self.game.names().into_iter().map(|it| {
            let takes_more = !self.game.slots(&it).is_empty() || !self.game.targets_of(&it).is_empty();
            Candidate::new(&it, if takes_more { " " } else { "" })
        });
        let predicates = self.game.predicates().into_iter().map(|it| Candidate::new(&it.0, "="));
        // Everything but the requests would hide them; it follows once a word has begun.
        let others = self.named_commands().into_iter().chain(predicates.filter(|_| !begun.is_empty()));
        let all = requests.chain(others).collect();
        (start, begun, all)
    }

    fn following(&self, first: &str, rest: &[String], start: usize, begun: String) -> (usize, String, Vec<Candidate>) {
        let is_request = self.game.names().iter().any(|it| it == first);
        let plain = |names: Vec<String>| names.iter().map(|it| Candidate::new(it, "")).collect();
        let slots = match first.strip_prefix(':').unwrap_or(first) {
            _ if is_request => {
                let targets = self.game.targets_of(first);
                if !targets.is_empty() {
                    let all = if rest.is_empty() { plain(targets) } else { Vec::new() };
                    return (start, begun, all);
                }
                self.game.slots(first)
            }
            "given" => self.game.given_slots(),
            TEST if rest.is_empty() => {
                let kinds = self.tests.iter().flat_map(|it| it.kinds());
                return (start, begun, plain(kinds.map(str::to_owned).collect()));
            }
            "now" if rest.is_empty() => return (start, begun, plain(vec!["+".into(), "-".into()])),
            "wait" if rest.is_empty() => return (start, begun, plain(vec!["10s".into(), "1m".into(), "1h".into()])),
            "holds" => match begun.split_once('=') {
                Some((name, value)) => return (start + name.len() + 1, value.to_owned(), truths()),
                None => {
                    let all = self.game.predicates().iter().map(|it| Candidate::new(&it.0, "=")).collect();
                    return (start, begun, all);
                }
            },
            _ => Vec::new(),
        };
        if let Some((name, value)) = begun.split_once('=') {
            let values = slots.into_iter().find(|it| it.name == name).map(|it| it.values).unwrap_or_default();
            return (start + name.len() + 1, value.to_owned(), plain(values));
        }
        let is_given = |name: &str| rest.iter().any(|it| it.split_once('=').is_some_and(|it| it.0 == name));
        let all = slots.iter().filter(|it| !is_given(&it.name)).map(|it| Candidate::new(&it.name, "=")).collect();
        (start, begun, all)
    }
}

fn truths() -> Vec<Candidate> {
    ["true", "false"].map(|it| Candidate::new(it, "")).into()
}
