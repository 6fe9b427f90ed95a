//! Stepping through a machine or a system by hand: a line in, a text out.
//!
//! The interpreter decides every outcome; this module only handles text. An invalid line changes nothing,
//! and the answer lists the possible input.

mod line;
mod machine;
mod rust_test;
mod system;

use std::collections::BTreeSet;

use crate::chars::{printable, visible};
use crate::diagnostic::suggest;
use crate::explore::Subject;
use crate::model::Model;

/// The commands with their descriptions. Names of events and transactions have priority; `:undo` is always the command.
const COMMANDS: &[(&str, &str)] = &[
    ("state", "the current states, the possible calls, and the reasons for the refusal of others"),
    ("holds [NAME]", "the named predicates; NAME or NAME=true makes one hold from now on, NAME=false the opposite"),
    ("given [FIELD=VALUE]", "initial values for fields without a default"),
    ("undo", "undoes the last step"),
    ("trace", "the steps so far, as a walkthrough"),
    ("test", "the steps so far, as a Rust test"),
    ("help", "this list; also `?`"),
    ("quit", "ends the session; so does the end of the input"),
];

/// A running session.
pub struct Session<'m> {
    game: Box<dyn Game + 'm>,
    holds: BTreeSet<String>,
}

/// The outcome of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// A text; ends with a line break, or is empty.
    Said(String),
    /// The session has ended.
    Quit,
}

/// The subject of a session: a machine or a system.
trait Game {
    /// The names of possible requests, permitted or not.
    fn names(&self) -> Vec<String>;
    /// The named predicates, with their descriptions in the spec.
    fn predicates(&self) -> Vec<(String, Option<String>)>;
    /// The current state, the permitted requests, and why the others are refused.
    fn state(&self, holds: &BTreeSet<String>) -> String;
    /// Makes a request. The error describes a mistake in the line.
    fn call(&mut self, words: &[String], holds: &BTreeSet<String>) -> Result<String, String>;
    /// Sets values of fields at creation.
    fn given(&mut self, values: &[(String, String)]) -> Result<String, String>;
    /// Undoes the last step and returns its description.
    fn undo(&mut self) -> Option<String>;
    /// The steps so far.
    fn trace(&self) -> String;
    /// The steps so far as a test, or the reason why there is none.
    fn test(&self) -> Result<String, String>;
}

impl<'m> Session<'m> {
    /// A new session; `None` if the model has no such subject.
    ///
    /// ```
    /// use statespec_codegen::explore::Subject;
    /// use statespec_codegen::lower::load;
    /// use statespec_codegen::source::Input;
    /// use statespec_codegen::play::{Answer, Session};
    ///
    /// let text = "machine: door
    /// states: { open: { initial: true }, shut: {} }
    /// events: { push: {} }
    /// transitions: [{ from: open, event: push, to: shut }]
    /// ";
    /// let loaded = load(&[Input { path: "machines/door.yaml".into(), text: text.into() }]);
    /// let model = loaded.model.expect("the spec is right");
    /// let mut session = Session::new(&model, Subject::Machine("door")).expect("there is a door");
    /// assert_eq!(session.answer("push"), Answer::Said("door: open -> shut\n".into()));
    /// assert_eq!(session.answer("pusch"), Answer::Said("there is no `pusch`; did you mean `push`?\n".into()));
    /// assert_eq!(session.answer("quit"), Answer::Quit);
    /// ```
    pub fn new(model: &'m Model, subject: Subject<'_>) -> Option<Self> {
        let game: Box<dyn Game + 'm> = match subject {
            Subject::Machine(name) => {
                let idx = model.machines.iter().position(|it| it.name == name)?;
                Box::new(machine::MachineGame::new(model, idx))
            }
            Subject::System(name) => Box::new(system::SystemGame::new(model, model.systems.iter().find(|it| it.name == name)?)),
        };
        Some(Session { game, holds: BTreeSet::new() })
    }

    /// The text before the first line.
    pub fn greeting(&self) -> String {
        shown(&format!("{}\n`help` tells what else can be said.\n", self.game.state(&self.holds)))
    }

    /// A line of the input as the output repeats it before its answer, if the input is not a terminal.
    pub fn echo(line: &str) -> String {
        format!("> {}\n", visible(line))
    }

    /// All words that can begin a line, for completion.
    pub fn words(&self) -> Vec<String> {
        let commands = COMMANDS.iter().filter_map(|(usage, _)| usage.split(' ').next()).map(str::to_owned);
        self.game.names().into_iter().chain(commands).collect()
    }

    /// Executes a line.
    pub fn answer(&mut self, line: &str) -> Answer {
        if self.is_quit(line) {
            return Answer::Quit;
        }
        let text = line::words(line).and_then(|words| self.obey(&words)).unwrap_or_else(|wrong| wrong);
        let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
        Answer::Said(shown(&(text + end)))
    }

    fn is_quit(&self, line: &str) -> bool {
        let word = line.trim();
        matches!(word, ":quit" | ":exit") || (matches!(word, "quit" | "exit") && !self.game.names().iter().any(|it| it == word))
    }

    fn obey(&mut self, words: &[String]) -> Result<String, String> {
        let Some(first) = words.first() else { return Ok(String::new()) };
        if self.game.names().contains(first) {
            return self.game.call(words, &self.holds);
        }
        let rest = &words[1..];
        match first.strip_prefix(':').unwrap_or(first) {
            "state" => Ok(self.game.state(&self.holds)),
            "holds" => self.holds(rest),
            "given" => self.game.given(&line::values(rest)?),
            "undo" => Ok(self.game.undo().map_or_else(|| "there is nothing to take back".to_owned(), |it| format!("taken back: {it}"))),
            "trace" => Ok(self.game.trace()),
            "test" => self.game.test(),
            "help" | "?" => Ok(self.help()),
            word if word.contains('=') => self.holds(words),
            word => {
                let known = self.words();
                let help = suggest(word, known.iter().map(String::as_str)).map_or_else(String::new, |it| format!("; {it}"));
                Err(format!("there is no `{word}`{help}"))
            }
        }
    }

    fn help(&self) -> String {
        let mut text =
            String::from("NAME [FIELD=VALUE ...]     asks for what has this name; quote texts with blanks: note=\"two words\"\n");
        for (usage, doc) in COMMANDS {
            text.push_str(&format!("{usage:<26} {doc}\n"));
        }
        text + "A line starting with `:` is always a command.\n"
    }

    /// Sets the predicates that hold.
    fn holds(&mut self, words: &[String]) -> Result<String, String> {
        let known = self.game.predicates();
        if known.is_empty() {
            return Err("no guard here asks a named predicate".into());
        }
        let mut holds = self.holds.clone();
        for word in words {
            let (name, value) = word.split_once('=').unwrap_or((word, "true"));
            if !known.iter().any(|it| it.0 == name) {
                let help = suggest(name, known.iter().map(|it| it.0.as_str())).map_or_else(String::new, |it| format!("; {it}"));
                return Err(format!("there is no predicate `{name}`{help}"));
            }
            match value {
                "true" => _ = holds.insert(name.to_owned()),
                "false" => _ = holds.remove(name),
                _ => return Err(format!("`{name}` takes true or false, not `{value}`")),
            }
        }
        self.holds = holds;
        let line = |(name, doc): &(String, Option<String>)| {
            let value = if self.holds.contains(name) { "holds" } else { "does not hold" };
            format!("{name} {value}{}\n", doc.as_ref().map_or_else(String::new, |it| format!(": {it}")))
        };
        Ok(known.iter().map(line).collect())
    }
}

/// A text for a terminal: the line that was typed, which answers quote, may contain any character.
fn shown(text: &str) -> String {
    let lines: Vec<String> = text.split('\n').map(visible).collect();
    printable(&lines.join("\n"))
}

/// ` by a or b`; empty if every actor is permitted.
fn actors(names: Vec<&str>) -> String {
    if names.is_empty() { String::new() } else { format!("  by {}", names.join(" or ")) }
}
