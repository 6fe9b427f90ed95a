//! Stepping through a machine or a system by hand: a line in, a text out.
//!
//! The interpreter decides every outcome; this module only handles text. An invalid line changes nothing,
//! and the answer lists the possible input.

mod clock;
mod complete;
mod line;
mod machine;
mod slot;
mod system;
mod text;

use std::collections::BTreeSet;

use statespec_lang::chars::visible;
use statespec_lang::diagnostic::{Style, suggest};
use statespec_lang::model::{Machine, Model};

use clock::Clock;
pub use complete::Candidate;
pub use machine::Past;
use slot::Slot;
use text::{Ink, Text};

use crate::Subject;

/// The commands with their descriptions. Names of events and transactions have priority; `:undo` is always the command.
const COMMANDS: &[(&str, &str)] = &[
    ("state", "the current states, the possible calls, and the reasons for the refusal of others"),
    ("holds [NAME]", "the named predicates; NAME or NAME=true makes one hold from now on, NAME=false the opposite"),
    ("given [FIELD=VALUE]", "initial values for fields without a default"),
    ("now [MOMENT]", "the clock; `now +1h` moves it, and lets no timer elapse"),
    ("wait DURATION", "lets time pass: the timers that become due elapse, one after the other"),
    ("undo", "undoes the last step that changed something"),
    ("trace", "the steps so far, as a walkthrough"),
    ("test [KIND]", "the steps so far, as a test"),
    ("help", "this list; also `?`"),
    ("quit", "ends the session; also `q` and the end of the input"),
];

/// The command that a session has only with tests, which describe it themselves.
const TEST: &str = "test";

/// The maximum number of timers that elapse within one `wait`.
const MAX_ELAPSED: usize = 100;

/// A running session.
pub struct Session<'m> {
    game: Box<dyn Game + 'm>,
    holds: BTreeSet<String>,
    clock: Clock,
    tests: Option<Box<dyn Tests + 'm>>,
    style: Style,
}

/// What the lines so far have set: requests are made with it.
#[derive(Clone, Copy)]
struct Settings<'a> {
    /// The named predicates that hold.
    holds: &'a BTreeSet<String>,
    clock: Clock,
}

/// A step that was undone.
struct Undone {
    /// The line with the request.
    line: String,
    /// The number of later requests, which changed nothing.
    n_without_change: usize,
    /// The clock at the step, if time matters.
    clock: Option<Clock>,
}

/// The outcome of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// A text; ends with a line break, or is empty.
    Said(String),
    /// The session has ended.
    Quit,
}

/// Prints steps as a test in the language of a program. Backends implement it.
pub trait Tests {
    /// The words that can follow `test`: the kinds of tests that can be printed.
    fn kinds(&self) -> Vec<&'static str>;
    /// The description of the command, for `help`.
    fn about(&self) -> String;
    /// The steps of a machine as a test.
    ///
    /// # Errors
    ///
    /// A message: why these steps cannot be a test, or there is no program to test.
    fn test(&self, model: &Model, machine: &Machine, past: &[Past], kind: Option<&str>) -> Result<String, String>;
}

/// The subject of a session: a machine or a system.
trait Game {
    /// The names of possible requests, permitted or not.
    fn names(&self) -> Vec<String>;
    /// The fields of a request.
    fn slots(&self, name: &str) -> Vec<Slot>;
    /// The words that can follow a request that takes a single word; empty for others.
    fn targets_of(&self, name: &str) -> Vec<String>;
    /// The fields that `given` sets.
    fn given_slots(&self) -> Vec<Slot>;
    /// The named predicates, with their descriptions in the spec.
    fn predicates(&self) -> Vec<(String, Option<String>)>;
    /// Whether some value is a moment.
    fn has_moments(&self) -> bool;
    /// The current state, the permitted requests, and why the others are refused.
    fn state(&self, settings: Settings<'_>) -> Text;
    /// Why a word that is the name of no request cannot be one, if the subject knows it: the name of a timer.
    fn objection(&self, word: &str, clock: Clock) -> Option<String>;
    /// Makes a request. The error describes a mistake in the line.
    fn call(&mut self, words: &[String], settings: Settings<'_>) -> Result<Text, String>;
    /// Whether there are timers.
    fn has_timers(&self) -> bool;
    /// Lets the next timer elapse that is due until a moment; `None` if there is none. The clock is the moment at which it was due.
    fn elapse(&mut self, until: Clock, settings: Settings<'_>) -> Result<Option<(Clock, Text)>, String>;
    /// Sets values of fields at creation.
    fn given(&mut self, values: &[(String, String)], clock: Clock) -> Result<String, String>;
    /// Undoes the last step that changed something.
    fn undo(&mut self) -> Option<Undone>;
    /// The steps so far.
    fn trace(&self) -> String;
    /// The steps so far as a test, or the reason why there is none.
    fn test(&self, kind: Option<&str>, tests: &dyn Tests) -> Result<String, String>;
}

impl<'m> Session<'m> {
    /// A new session; `None` if the model has no such subject.
    ///
    /// ```
    /// use statespec_explore::Subject;
    /// use statespec_explore::play::{Answer, Session};
    /// use statespec_lang::lower::load;
    /// use statespec_lang::source::Input;
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
        Some(Session { game, holds: BTreeSet::new(), clock: Clock::default(), tests: None, style: Style::Plain })
    }

    /// The same session with the command `test`.
    #[must_use]
    pub fn with_tests(mut self, tests: impl Tests + 'm) -> Self {
        self.tests = Some(Box::new(tests));
        self
    }

    /// The same session with colours in its answers, or without.
    #[must_use]
    pub fn with_style(mut self, style: Style) -> Self {
        self.style = style;
        self
    }

    /// The text before the first line.
    pub fn greeting(&self) -> String {
        let mut text = self.state();
        text.line(Ink::Plain, "\n`help` tells what else can be said.");
        text.show(self.style)
    }

    fn state(&self) -> Text {
        let mut text = self.game.state(Settings { holds: &self.holds, clock: self.clock });
        if self.game.has_moments() || self.game.has_timers() {
            text.line(Ink::Dim, format!("now is {}", self.clock.show()));
        }
        text
    }

    /// A line of the input as the output repeats it before its answer, if the input is not a terminal.
    pub fn echo(line: &str) -> String {
        format!("> {}\n", visible(line))
    }

    /// All words that can begin a line.
    fn words(&self) -> Vec<String> {
        let commands = self.commands().into_iter().map(|(usage, _)| command(usage).to_owned());
        self.game.names().into_iter().chain(commands).collect()
    }

    /// The usage of each command, and its description.
    fn commands(&self) -> Vec<(&'static str, String)> {
        let described = |(usage, doc): &(&'static str, &str)| match (command(usage), &self.tests) {
            (TEST, None) => None,
            (TEST, Some(tests)) => Some((*usage, tests.about())),
            _ => Some((*usage, (*doc).to_owned())),
        };
        COMMANDS.iter().filter_map(described).collect()
    }

    /// Executes a line.
    pub fn answer(&mut self, line: &str) -> Answer {
        if self.is_quit(line) {
            return Answer::Quit;
        }
        let text = line::words(line).and_then(|words| self.obey(&words)).unwrap_or_else(|wrong| Text::of(Ink::Mistake, wrong));
        Answer::Said(text.show(self.style))
    }

    fn is_quit(&self, line: &str) -> bool {
        let word = line.trim();
        matches!(word, ":quit" | ":q" | ":exit")
            || (matches!(word, "quit" | "q" | "exit") && !self.game.names().iter().any(|it| it == word))
    }

    fn obey(&mut self, words: &[String]) -> Result<Text, String> {
        let Some(first) = words.first() else { return Ok(Text::default()) };
        if self.game.names().contains(first) {
            return self.game.call(words, Settings { holds: &self.holds, clock: self.clock });
        }
        let rest = &words[1..];
        let plain = |text: String| Text::of(Ink::Plain, text);
        match first.strip_prefix(':').unwrap_or(first) {
            "state" => Ok(self.state()),
            "holds" => self.holds(rest).map(plain),
            "given" => self.game.given(&line::values(rest)?, self.clock).map(plain),
            "now" => self.now(rest).map(plain),
            "wait" => self.wait(rest),
            "undo" => Ok(self.undo()),
            "trace" => Ok(plain(self.game.trace())),
            TEST if self.tests.is_some() => self.test(rest).map(plain),
            "help" | "?" => Ok(plain(self.help())),
            word if word.contains('=') => self.holds(words).map(plain),
            word => {
                if let Some(objection) = self.game.objection(word, self.clock) {
                    return Err(objection);
                }
                let known = self.words();
                let begun = || known.iter().map(String::as_str).filter(|it| it.starts_with(word));
                let known: Vec<&str> =
                    if begun().next().is_some() { begun().collect() } else { known.iter().map(String::as_str).collect() };
                let help = suggest(word, known).map_or_else(String::new, |it| format!("; {it}"));
                Err(format!("there is no `{word}`{help}"))
            }
        }
    }

    /// Shows the clock, or moves it.
    fn now(&mut self, words: &[String]) -> Result<String, String> {
        match words {
            [] => {}
            [moment] => self.clock = self.clock.moved(moment)?,
            _ => return Err("write `now` and one moment, such as `now +1h`".into()),
        }
        let how = match self.game.has_timers() {
            true => "`now +1h` only moves the clock, `wait 1h` also lets timers elapse",
            false => "`now +1h` moves the clock, and nothing else does",
        };
        Ok(format!("now is {}; {how}", self.clock.show()))
    }

    /// Lets time pass.
    fn wait(&mut self, words: &[String]) -> Result<Text, String> {
        let [span] = words else { return Err("write `wait` and one duration, such as `wait 30s`".into()) };
        let until = self.clock.after(span)?;
        if !self.game.has_timers() {
            return Err("nothing here waits: no transition has `after`; `now +1h` moves the clock".into());
        }
        let mut text = Text::default();
        for _ in 0..MAX_ELAPSED {
            match self.game.elapse(until, Settings { holds: &self.holds, clock: self.clock })? {
                Some((clock, said)) => {
                    self.clock = clock;
                    text.append(said);
                }
                None => {
                    self.clock = until;
                    text.line(Ink::Dim, format!("now is {}", self.clock.show()));
                    return Ok(text);
                }
            }
        }
        text.line(Ink::Bad, format!("{MAX_ELAPSED} timers have elapsed, and more are due: now is {}", self.clock.show()));
        Ok(text)
    }

    fn undo(&mut self) -> Text {
        let Some(Undone { line, n_without_change, clock }) = self.game.undo() else {
            return Text::of(Ink::Plain, "there is nothing to take back");
        };
        // The time since then has not passed.
        self.clock = clock.unwrap_or(self.clock);
        let others = match n_without_change {
            0 => String::new(),
            1 => ", and a request after it that changed nothing".into(),
            _ => format!(", and {n_without_change} requests after it that changed nothing"),
        };
        Text::of(Ink::Good, format!("taken back: {line}{others}"))
    }

    fn test(&self, words: &[String]) -> Result<String, String> {
        let Some(tests) = self.tests.as_deref() else { return Err("nothing here prints a test".into()) };
        let kinds = tests.kinds();
        match words {
            [] => self.game.test(None, tests),
            [word] if kinds.contains(&word.as_str()) => self.game.test(Some(word), tests),
            [word] => {
                let help = suggest(word, kinds).map_or_else(String::new, |it| format!("; {it}"));
                Err(format!("there is no test for `{word}`{help}"))
            }
            _ => Err(format!("write `test` and one kind: {}", kinds.join(", "))),
        }
    }

    fn help(&self) -> String {
        let mut text =
            String::from("NAME [FIELD=VALUE ...]     asks for what has this name; quote texts with blanks: note=\"two words\"\n");
        for (usage, doc) in self.commands() {
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

/// The name of a command in its usage.
fn command(usage: &str) -> &str {
    usage.split(' ').next().unwrap_or(usage)
}

/// ` by a or b`; empty if every actor is permitted.
fn actors(names: Vec<&str>) -> String {
    if names.is_empty() { String::new() } else { format!("  by {}", names.join(" or ")) }
}
