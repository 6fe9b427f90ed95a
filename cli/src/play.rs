//! `play`: the dialogue with a terminal or a pipe.

use std::io::{BufRead as _, IsTerminal as _};

use rustyline::error::ReadlineError;
use statespec_codegen::explore::{Subject, subject, subjects};
use statespec_codegen::model::Model;
use statespec_codegen::play::{Answer, Session};
use statespec_codegen::project::Project;
use statespec_codegen::report::{Report, Status};
use statespec_codegen::root::Root;

use crate::args::PlayArgs;

/// Plays until the input ends.
pub(crate) fn run(root: &Root, args: &PlayArgs) -> Result<Status, Report> {
    let project = crate::open(root)?;
    let loaded = crate::load(&project)?;
    let model = crate::model(&loaded)?;
    let subject = chosen(&project, model, args.name.as_deref())?;
    let Some(mut session) = Session::new(model, subject) else {
        return Err(crate::export::unknown(&project, model, subject.name(), true));
    };
    if crate::print(&session.greeting()) != Status::Clean {
        return Ok(Status::CouldNotRun);
    }
    if std::io::stdin().is_terminal() { on_terminal(&mut session) } else { from_pipe(&mut session) }
}

fn chosen<'m>(project: &Project, model: &'m Model, name: Option<&str>) -> Result<Subject<'m>, Report> {
    match (name, subjects(model).as_slice()) {
        (Some(name), _) => subject(model, name).ok_or_else(|| crate::export::unknown(project, model, name, true)),
        (None, [only]) => Ok(*only),
        (None, all) => {
            let names: Vec<&str> = all.iter().map(|it| it.name()).collect();
            Err(Report::of_misuse(&format!("say what to play; there are: {}", names.join(", "))))
        }
    }
}

/// Reads lines with editing and a history.
fn on_terminal(session: &mut Session<'_>) -> Result<Status, Report> {
    let cannot = |error: ReadlineError| Report::of_error(&format!("cannot read from the terminal: {error}"));
    let mut editor = rustyline::DefaultEditor::new().map_err(cannot)?;
    loop {
        match editor.readline("> ") {
            Ok(line) => {
                // A line is executed even if the history cannot store it.
                let _ = editor.add_history_entry(&line);
                match session.answer(&line) {
                    Answer::Quit => return Ok(Status::Clean),
                    Answer::Said(text) if crate::print(&text) == Status::Clean => {}
                    Answer::Said(_) => return Ok(Status::CouldNotRun),
                }
            }
            Err(ReadlineError::Eof | ReadlineError::Interrupted) => return Ok(Status::Clean),
            Err(error) => return Err(cannot(error)),
        }
    }
}

/// Reads lines from a pipe; each is printed before its answer, so that the output reads like a session.
fn from_pipe(session: &mut Session<'_>) -> Result<Status, Report> {
    for line in std::io::stdin().lock().split(b'\n') {
        let line = line.map_err(|error| Report::of_error(&format!("cannot read the input: {error}")))?;
        let line = String::from_utf8_lossy(&line);
        let line = line.trim();
        match session.answer(line) {
            Answer::Quit => break,
            Answer::Said(text) if crate::print(&(Session::echo(line) + &text)) == Status::Clean => {}
            Answer::Said(_) => return Ok(Status::CouldNotRun),
        }
    }
    Ok(Status::Clean)
}
