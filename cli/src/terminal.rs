//! `play` on a terminal: lines with editing, a history, completion and hints.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};

use anstream::AutoStream;
use rustyline::completion::{Completer, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::{Hint, Hinter};
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{ColorMode, CompletionType, Config, Context, Editor, Helper};
use statespec_codegen::report::{Report, Status};
use statespec_explore::play::{Answer, Session};

/// What a person needs to know before the first line, besides `help`.
const KEYS: &str = "Tab completes, Ctrl-C cancels a line, Ctrl-D leaves.\n";

/// The answer to Ctrl-C where there is no line to cancel.
const AGAIN: &str = "Ctrl-C again, Ctrl-D or `quit` leaves.\n";

/// Reads lines until the person leaves.
pub(crate) fn run(session: Session<'_>) -> Result<Status, Report> {
    let cannot = |error: ReadlineError| Report::of_error(&format!("cannot read from the terminal: {error}"));
    let color_mode = match AutoStream::choice(&std::io::stdout()) {
        anstream::ColorChoice::Never => ColorMode::Disabled,
        _ => ColorMode::Forced,
    };
    let config = Config::builder().completion_type(CompletionType::List).color_mode(color_mode).build();
    let history = MemHistory::with_config(&config);
    let mut editor = Editor::<Line<'_>, MemHistory>::with_history(config, history).map_err(cannot)?;
    editor.set_helper(Some(Line { session: RefCell::new(session), is_empty: Cell::new(true) }));
    if crate::print(KEYS) != Status::Clean {
        return Ok(Status::CouldNotRun);
    }
    let mut has_interrupted = false;
    loop {
        let Some(line) = editor.helper() else { return Ok(Status::Clean) };
        line.is_empty.set(true);
        let read = editor.readline("> ");
        let was_empty = editor.helper().is_none_or(|it| it.is_empty.get());
        match read {
            Ok(text) => {
                has_interrupted = false;
                // A line is executed even if the history cannot store it.
                let _ = editor.add_history_entry(&text);
                match editor.helper().map_or(Answer::Quit, |it| it.session.borrow_mut().answer(&text)) {
                    Answer::Quit => return Ok(Status::Clean),
                    Answer::Said(text) if crate::print(&text) == Status::Clean => {}
                    Answer::Said(_) => return Ok(Status::CouldNotRun),
                }
            }
            Err(ReadlineError::Interrupted) if was_empty && has_interrupted => return Ok(Status::Clean),
            Err(ReadlineError::Interrupted) => {
                has_interrupted = true;
                if was_empty && crate::print(AGAIN) != Status::Clean {
                    return Ok(Status::CouldNotRun);
                }
            }
            Err(ReadlineError::Eof) => return Ok(Status::Clean),
            Err(error) => return Err(cannot(error)),
        }
    }
}

/// The line that is being edited.
struct Line<'m> {
    session: RefCell<Session<'m>>,
    /// Whether the line has no text: the editor does not say which line Ctrl-C cancelled.
    is_empty: Cell<bool>,
}

impl Helper for Line<'_> {}

impl Validator for Line<'_> {}

impl Completer for Line<'_> {
    type Candidate = Pair;

    fn complete(&self, line: &str, position: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        let (start, candidates) = self.session.borrow().complete(line.get(..position).unwrap_or(line));
        Ok((start, candidates.into_iter().map(|it| Pair { display: it.shown, replacement: it.text }).collect()))
    }
}

impl Hinter for Line<'_> {
    type Hint = Missing;

    fn hint(&self, line: &str, position: usize, _: &Context<'_>) -> Option<Missing> {
        self.is_empty.set(line.is_empty());
        let text = (position == line.len()).then(|| self.session.borrow().hint(line))?;
        (!text.is_empty()).then_some(Missing(text))
    }
}

/// The fields that a request still needs. They are shown, and not typed.
struct Missing(String);

impl Hint for Missing {
    fn display(&self) -> &str {
        &self.0
    }

    fn completion(&self) -> Option<&str> {
        None
    }
}

impl Highlighter for Line<'_> {
    fn highlight_prompt<'b, 's: 'b, 'p: 'b>(&'s self, prompt: &'p str, _: bool) -> Cow<'b, str> {
        Cow::Owned(format!("\x1b[1m{prompt}\x1b[0m"))
    }

    fn highlight_hint<'h>(&self, hint: &'h str) -> Cow<'h, str> {
        Cow::Owned(format!("\x1b[2m{hint}\x1b[0m"))
    }
}
