//! `new`: the first spec of a machine, and its page.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::{IsTerminal as _, stderr, stdin};

use inquire::validator::Validation;
use inquire::{InquireError, Text};
use statespec_codegen::diagnostic::{Style, nearest};
use statespec_codegen::lower::load;
use statespec_codegen::names::is_name;
use statespec_codegen::project::Project;
use statespec_codegen::report::{RenderOptions, Report};
use statespec_codegen::root::Root;
use statespec_codegen::source::{Input, Span};
use statespec_codegen::sync::{self, Draft, Mode};

use crate::args::NewArgs;

/// The states of a new machine if none are given.
const USUAL_STATES: [&str; 4] = ["queued", "running", "done", "failed"];
const USUAL_TRANSITIONS: [&str; 3] = ["queued -> running: start", "running -> done: finish", "running -> failed: fail"];

/// The machine that is to be created.
struct Plan {
    name: String,
    title: String,
    states: Vec<String>,
    transitions: Vec<Arrow>,
}

/// An edge such as `open -> closed: close`.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Arrow {
    from: String,
    to: String,
    event: Option<String>,
}

/// Creates a machine and its page.
pub(crate) fn run(root: &Root, args: &NewArgs) -> Result<Report, Report> {
    let project = crate::open(root)?;
    make(&project, &plan(args)?, args.page.as_deref())
}

/// The plan from flags, or from questions if there is a terminal and there are no flags.
fn plan(args: &NewArgs) -> Result<Plan, Report> {
    let asks = !args.no_input && stdin().is_terminal() && stderr().is_terminal();
    let name = match &args.name {
        Some(name) => name.clone(),
        None if asks => {
            ask(Text::new("Name of the machine:").with_placeholder("ticket").with_validator(|it: &str| Ok(valid(check_name(it)))))?
        }
        None => return Err(Report::of_error("a machine needs a name: `new ticket`")),
    };
    check_name(&name).map_err(|it| Report::of_error(&it))?;
    let title = match &args.title {
        Some(title) => title.clone(),
        None if asks => ask(Text::new("Title of its page:").with_default(&title_of(&name)))?,
        None => title_of(&name),
    };
    let states = match args.states.as_slice() {
        [] if asks => {
            let usual = USUAL_STATES.join(", ");
            let question = Text::new("States, the initial one first:").with_default(&usual);
            split(&ask(question.with_validator(|it: &str| Ok(valid(check_states(&split(it))))))?)
        }
        [] => USUAL_STATES.map(str::to_owned).to_vec(),
        states => states.iter().map(|it| it.trim().to_owned()).collect(),
    };
    check_states(&states).map_err(|it| Report::of_error(&it))?;
    let is_usual = states == USUAL_STATES;
    let transitions = match args.transitions.as_slice() {
        [] if asks && !(is_usual && args.states.is_empty()) => ask_transitions(&states)?,
        [] if is_usual => {
            USUAL_TRANSITIONS.iter().map(|it| arrow(it, &states)).collect::<Result<_, _>>().map_err(|it| Report::of_error(&it))?
        }
        [] => chain(&states),
        written => {
            let (right, wrong): (Vec<_>, Vec<_>) = written.iter().map(|it| arrow(it, &states)).partition(Result::is_ok);
            let wrong = wrong.into_iter().filter_map(Result::err).map(|it| Report::of_error(&it));
            if let Some(wrong) =
                wrong.reduce(|a, b| Report { text: a.text + &b.text, annotations: [a.annotations, b.annotations].concat(), ..a })
            {
                return Err(wrong);
            }
            right.into_iter().filter_map(Result::ok).collect()
        }
    };
    Ok(Plan { name, title, states, transitions })
}

fn ask(question: Text<'_, '_>) -> Result<String, Report> {
    question.prompt().map(|it| it.trim().to_owned()).map_err(|error| match error {
        InquireError::OperationCanceled | InquireError::OperationInterrupted => Report::stopped("nothing was made\n"),
        error => Report::of_error(&error.to_string()),
    })
}

fn ask_transitions(states: &[String]) -> Result<Vec<Arrow>, Report> {
    let mut arrows = Vec::new();
    loop {
        let known = states.to_vec();
        let question =
            Text::new("Transition (empty when done):").with_placeholder("open -> closed: close").with_validator(move |it: &str| {
                Ok(if it.trim().is_empty() { Validation::Valid } else { valid(arrow(it, &known).map(|_| ())) })
            });
        let answer = ask(question)?;
        if answer.is_empty() {
            return Ok(arrows);
        }
        arrows.extend(arrow(&answer, states));
    }
}

fn valid(checked: Result<(), String>) -> Validation {
    match checked {
        Ok(()) => Validation::Valid,
        Err(problem) => Validation::Invalid(problem.into()),
    }
}

fn check_name(name: &str) -> Result<(), String> {
    match is_name(name.trim()) {
        true => Ok(()),
        false => Err(format!("`{name}` is not a valid name: a name starts with a letter and continues with letters, digits, `_` and `-`")),
    }
}

fn check_states(states: &[String]) -> Result<(), String> {
    if states.is_empty() {
        return Err("a machine needs a state".into());
    }
    let mut seen = BTreeSet::new();
    for state in states {
        check_name(state)?;
        if !seen.insert(state) {
            return Err(format!("the state `{state}` is listed twice"));
        }
    }
    Ok(())
}

fn split(text: &str) -> Vec<String> {
    text.split([',', ' ']).map(str::trim).filter(|it| !it.is_empty()).map(str::to_owned).collect()
}

fn arrow(text: &str, states: &[String]) -> Result<Arrow, String> {
    let shape = || format!("`{text}` is not a transition: write `from -> to: event`");
    let (edge, event) = text.split_once(':').map_or((text, None), |(edge, event)| (edge, Some(event.trim().to_owned())));
    let (from, to) = edge.split_once("->").ok_or_else(shape)?;
    for state in [from, to].map(str::trim) {
        if !states.iter().any(|it| it == state) {
            let help = match nearest(state, states.iter().map(String::as_str)) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("the states are {}", states.join(", ")),
            };
            return Err(format!("there is no state `{state}`; {help}"));
        }
    }
    event.iter().try_for_each(|it| check_name(it))?;
    Ok(Arrow { from: from.trim().to_owned(), to: to.trim().to_owned(), event })
}

/// One state after the other, as a default.
fn chain(states: &[String]) -> Vec<Arrow> {
    states.windows(2).map(|it| Arrow { from: it[0].clone(), to: it[1].clone(), event: None }).collect()
}

/// The title of a name: `run_job` becomes "Run Job".
fn title_of(name: &str) -> String {
    let words = name.split(['_', '-']).filter(|it| !it.is_empty()).map(|word| {
        let mut characters = word.chars();
        let first: String = characters.next().map(|it| it.to_uppercase().collect()).unwrap_or_default();
        first + characters.as_str()
    });
    words.collect::<Vec<_>>().join(" ")
}

impl Plan {
    /// The spec as text.
    fn spec(&self) -> String {
        let mut text = format!("machine: {}\ntitle: {}\n\nstates:\n", name(&self.name), quoted(&self.title));
        for (idx, state) in self.states.iter().enumerate() {
            let leaves = self.transitions.iter().any(|it| it.from == *state);
            let mark = match (idx, leaves) {
                (0, _) => "initial: true, ",
                (_, false) => "terminal: true, ",
                _ => "",
            };
            let _ = writeln!(text, "  {}: {{ {mark}doc: {} }}", name(state), quoted(&format!("TODO: what `{state}` means.")));
        }
        let mut events: Vec<&String> = Vec::new();
        for event in self.transitions.iter().filter_map(|it| it.event.as_ref()) {
            if !events.contains(&event) {
                events.push(event);
            }
        }
        if !events.is_empty() {
            text.push_str("\nevents:\n");
            for event in events {
                let _ = writeln!(text, "  {}: {{ doc: {} }}", name(event), quoted(&format!("TODO: what raises `{event}`.")));
            }
        }
        if !self.transitions.is_empty() {
            text.push_str("\ntransitions:\n");
        }
        for arrow in &self.transitions {
            let event = arrow.event.as_ref().map(|it| format!("event: {}, ", name(it))).unwrap_or_default();
            let _ = writeln!(text, "  - {{ from: {}, {event}to: {} }}", name(&arrow.from), name(&arrow.to));
        }
        text
    }

    /// A page with regions and room for hand-written text.
    fn page(&self) -> String {
        let region = |view: &str| format!("<!-- statespec:begin {0}.{view} -->\n<!-- statespec:end {0}.{view} -->\n", self.name);
        let title = self.title.replace(['\n', '\r'], " ");
        format!(
            "# {title}\n\nTODO: what a reader should know first.\n\n{}\n## States\n\n{}\n## Transitions\n\n{}",
            region("diagram"),
            region("states"),
            region("transitions")
        )
    }
}

/// A name, quoted if YAML would read another type.
fn name(text: &str) -> String {
    const WORDS: [&str; 9] = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];
    let is_plain = text.chars().all(|it| it.is_ascii_alphanumeric() || it == '_' || it == '-');
    if is_plain && !WORDS.contains(&text.to_lowercase().as_str()) { text.to_owned() } else { quoted(text) }
}

/// A text in double quotes: YAML reads JSON escapes alike. Braces are doubled, so that they are not placeholders.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text.replace('{', "{{").replace('}', "}}")).to_string()
}

/// Writes the spec and its outputs: its page, and a page with regions if requested.
fn make(project: &Project, plan: &Plan, page: Option<&str>) -> Result<Report, Report> {
    let path = format!("{}/{}.yaml", crate::specs_folder(project), plan.name);
    let spec = plan.spec();
    // Valid answers may still be invalid together, such as two states that become one identifier.
    let alone = load(&[Input { path: path.clone(), text: spec.clone() }]);
    crate::model(&alone).map_err(|it| Report { text: it.text + "nothing was made\n", ..it })?;
    let draft = |path: &str, text: String| Draft { path: path.to_owned(), text, replaces: None };
    let drafts = std::iter::once(draft(&path, spec)).chain(page.map(|it| draft(it, plan.page()))).collect();
    // Both files or none: if a page cannot be written, no spec may remain.
    sync::plan_files(&project.root.folder, drafts).apply(false).map_err(|it| Report::of_refusal(&it, Style::Colour))?;
    let made: String = std::iter::once(path.as_str()).chain(page).map(|it| format!("wrote {it}\n")).collect();
    let report =
        page_of(project, &path).unwrap_or_else(|problem| Report { text: problem.text + "its page was not generated\n", ..problem });
    let next = format!("next: fill in the TODOs in {path}, then run `{}`\n", project.command());
    Ok(Report { text: made + &report.text + &next, ..report })
}

/// Writes the page of a spec. The generator writes the index, and pages of other machines.
fn page_of(project: &Project, path: &str) -> Result<Report, Report> {
    let loaded = crate::load(project)?;
    let mut outputs = project.outputs(&loaded.sources, crate::model(&loaded)?).map_err(|it| it.report(Style::Colour))?;
    let own = loaded.sources.find(path);
    // The index may have findings about this machine, too.
    let is_page = |path: &str| path.ends_with(".md") && !path.ends_with("/README.md");
    let is_own = |origin: Option<Span>| origin.is_some_and(|it| Some(it.source) == own);
    let (pages, others) = outputs.files.into_iter().partition(|(path, it)| is_page(path) && is_own(it.origin));
    outputs.files = pages;
    outputs.others.files.extend(others.into_iter().map(|(path, _): (String, _)| path));
    let places =
        sync::Config { owned: Vec::new(), shared: outputs.files.iter().map(|(path, _)| path.clone()).collect(), ..project.places() };
    let options = RenderOptions { full_diff: false, style: Style::Colour };
    let run = sync::run(&places, outputs, &loaded.sources, Mode::Write { force: false });
    let report = Report::of_run(&run, &loaded.sources, options);
    let text = report.text.lines().filter(|it| !it.starts_with("checked ")).map(|it| format!("{it}\n")).collect();
    Ok(Report { text, ..report })
}
