//! `play`: the dialogue with a terminal or a pipe.

use std::io::{BufRead as _, IsTerminal as _};

use statespec_codegen::diagnostic::Style;
use statespec_codegen::model::Model;
use statespec_codegen::project::Project;
use statespec_codegen::report::{Report, Status};
use statespec_codegen::rust_test::RustTests;
use statespec_explore::play::{Answer, Session};
use statespec_explore::{Subject, subject, subjects};
use statespec_rust::root::Root;

use crate::args::PlayArgs;
use crate::terminal;

/// Plays until the input ends.
pub(crate) fn run(root: &Root, args: &PlayArgs) -> Result<Status, Report> {
    let project = crate::open(root)?;
    let loaded = crate::load(&project)?;
    let model = crate::model(&loaded)?;
    let subject = chosen(&project, model, args.name.as_deref())?;
    let Some(session) = Session::new(model, subject) else {
        return Err(crate::export::unknown(&project, model, subject.name(), true));
    };
    let machine = model.machine(subject.name()).filter(|_| matches!(subject, Subject::Machine(_)));
    let tests = machine.map_or_else(RustTests::default, |it| RustTests::of(&project, &loaded.sources, it));
    // The stream removes the colours where nobody sees them.
    let mut session = session.with_tests(tests).with_style(Style::Colour);
    if crate::print(&session.greeting()) != Status::Clean {
        return Ok(Status::CouldNotRun);
    }
    if std::io::stdin().is_terminal() { terminal::run(session) } else { from_pipe(&mut session) }
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
