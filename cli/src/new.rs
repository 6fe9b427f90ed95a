//! `new`: the first spec of a machine, and its page.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::{IsTerminal as _, stderr, stdin};
use std::path::PathBuf;

use inquire::validator::Validation;
use inquire::{InquireError, Text};
use statespec_codegen::diagnostic::{Style, nearest};
use statespec_codegen::language;
use statespec_codegen::project::Project;
use statespec_codegen::report::{RenderOptions, Report, Status};
use statespec_codegen::source::Input;
use statespec_codegen::sync::{self, Draft, Mode};
use statespec_lang::lower::load;
use statespec_lang::names::{collide, is_name};
use statespec_lang::output::PendingFile;
use statespec_rust::root::Root;

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
    let taken = Taken::of(&project);
    make(&project, &plan(args, &taken)?, args.page.as_deref())
}

/// The names that a new machine cannot have.
#[derive(Debug, Clone)]
struct Taken {
    /// The folder of the new spec.
    folder: PathBuf,
    /// The machines, systems and documents of the project, each with its file.
    names: Vec<(String, String)>,
}

impl Taken {
    /// The names in a project. Specs with errors have names, too; files that are no specs have none.
    fn of(project: &Project) -> Self {
        let mut names = Vec::new();
        if let Ok(loaded) = project.load() {
            let path = |source| loaded.sources.get(source).path().to_owned();
            names = loaded.names.iter().map(|it| (it.value.clone(), path(it.span.source))).collect();
        }
        Taken { folder: crate::on_disk(&project.root.folder, crate::specs_folder(project)), names }
    }

    /// Refuses a name that is not one, or that is taken.
    fn check(&self, name: &str) -> Result<(), String> {
        let name = name.trim();
        check_name(name)?;
        if let Some((other, file)) = self.names.iter().find(|(other, _)| collide(other, name)) {
            let both = if other == name { format!("`{name}`") } else { format!("`{other}`, which collides with `{name}`") };
            return Err(format!("{file} has the name {both} already; choose another name"));
        }
        // The file system may ignore case.
        let file = format!("{name}.yaml");
        let entries = self.folder.read_dir().into_iter().flatten().flatten();
        let mut files = entries.map(|it| it.file_name().to_string_lossy().into_owned());
        match files.find(|it| it.to_lowercase() == file.to_lowercase()) {
            Some(other) => Err(format!("the file `{other}` is there already; choose another name")),
            None => Ok(()),
        }
    }
}

/// The plan from flags, or from questions if there is a terminal and there are no flags.
fn plan(args: &NewArgs, taken: &Taken) -> Result<Plan, Report> {
    let asks = !args.no_input && stdin().is_terminal() && stderr().is_terminal();
    // What is given is checked before the first question: no answer can be in vain.
    args.name.iter().try_for_each(|it| taken.check(it)).map_err(|it| Report::of_misuse(&it))?;
    let given: Vec<String> = args.states.iter().map(|it| it.trim().to_owned()).collect();
    if !given.is_empty() {
        check_states(&given).map_err(|it| Report::of_misuse(&it))?;
        arrows(&args.transitions, &given)?;
    }
    let name = match &args.name {
        Some(name) => name.clone(),
        None if asks => {
            let taken = taken.clone();
            let question = Text::new("Name of the machine:").with_placeholder("ticket");
            ask(question.with_validator(move |it: &str| Ok(valid(taken.check(it)))))?
        }
        None => return Err(Report::of_misuse("a machine needs a name: `new ticket`")),
    };
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
    check_states(&states).map_err(|it| Report::of_misuse(&it))?;
    let is_usual = states == USUAL_STATES;
    let transitions = match args.transitions.as_slice() {
        [] if asks && !(is_usual && args.states.is_empty()) => ask_transitions(&states)?,
        [] if is_usual => {
            USUAL_TRANSITIONS.iter().map(|it| arrow(it, &states)).collect::<Result<_, _>>().map_err(|it| Report::of_error(&it))?
        }
        [] => chain(&states),
        written => arrows(written, &states)?,
    };
    Ok(Plan { name, title, states, transitions })
}

/// All transitions, or all that are wrong with them.
fn arrows(written: &[String], states: &[String]) -> Result<Vec<Arrow>, Report> {
    let (right, wrong): (Vec<_>, Vec<_>) = written.iter().map(|it| arrow(it, states)).partition(Result::is_ok);
    let wrong = wrong.into_iter().filter_map(Result::err).map(|it| Report::of_misuse(&it));
    let joined = wrong.reduce(|a, b| Report { text: a.text + &b.text, annotations: [a.annotations, b.annotations].concat(), ..a });
    joined.map_or_else(|| Ok(right.into_iter().filter_map(Result::ok).collect()), Err)
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
    fn spec(&self, schema: Option<&str>) -> String {
        let schema = schema.map(|it| format!("# yaml-language-server: $schema={it}\n")).unwrap_or_default();
        let mut text = format!("{schema}machine: {}\ntitle: {}\n\nstates:\n", name(&self.name), quoted(&self.title));
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
    let folder = crate::specs_folder(project);
    let path = format!("{folder}/{}.yaml", plan.name);
    let spec = plan.spec(schema(project, folder).as_deref());
    // Valid answers may still be invalid together, such as two states that become one identifier, or a name that takes the
    // place of another output.
    let alone = load(&[Input { path: path.clone(), text: spec.clone() }]);
    let nothing = |it: Report| Report { text: it.text + "nothing was made\n", status: Status::Misused, ..it };
    let model = crate::model(&alone).map_err(nothing)?;
    project.outputs(&alone.sources, model).map_err(|it| nothing(it.report(Style::Colour)))?;
    let draft = |path: &str, text: String| Draft { path: path.to_owned(), text, replaces: None };
    let drafts = std::iter::once(draft(&path, spec)).chain(page.map(|it| draft(it, plan.page()))).collect();
    // Both files or none: if a page cannot be written, no spec may remain.
    sync::plan_files(&project.root.folder, drafts).apply(false).map_err(|it| Report::of_refusal(&it, Style::Colour))?;
    let made = format!("wrote {path}\n");
    let report = outputs_of(project, &path, page)?;
    let next = format!("next: replace the TODOs in {path}, then run `{}`\n", project.command());
    Ok(Report { text: made + &report.text + &next, ..report })
}

/// The schema of machines as the first line of a spec names it, for editors: that of the project, else the published one.
fn schema(project: &Project, folder: &str) -> Option<String> {
    match project.config.get::<language::Settings>().and_then(|it| it.schemas.as_ref()) {
        Some(schemas) => Some(format!("{}{schemas}/machine.json", "../".repeat(folder.split('/').count()))),
        None => statespec_codegen::schema::published("machine"),
    }
}

/// Writes the outputs that describe a spec, and the regions of its page. The generator writes all others.
fn outputs_of(project: &Project, path: &str, page: Option<&str>) -> Result<Report, Report> {
    let loaded = project.load();
    let Some((loaded, model)) = loaded.as_ref().ok().and_then(|it| Some((it, it.model.as_ref()?))) else {
        // Errors in other files are no news about this one.
        let wrote = page.map(|it| format!("wrote {it}\n")).unwrap_or_default();
        return Ok(Report::clean(wrote + "its page was not generated: another spec has errors, which `check` shows\n"));
    };
    let mut outputs = project.outputs(&loaded.sources, model).map_err(|it| it.report(Style::Colour))?;
    let own = loaded.sources.find(path);
    let describes = |it: &PendingFile<'_>| it.render().is_ok_and(|it| own.is_some_and(|own| it.specs.contains(&own)));
    let (files, others) = outputs.files.into_iter().partition(|(_, it)| describes(it));
    outputs.files = files;
    outputs.others.files.extend(others.into_iter().map(|(path, _): (String, _)| path));
    let shared = outputs.files.iter().map(|(path, _)| path.clone()).chain(page.map(str::to_owned)).collect();
    let places = sync::Config { owned: Vec::new(), shared, ..project.places() };
    let options = RenderOptions { full_diff: false, style: Style::Colour };
    let run = sync::run(&places, outputs, &loaded.sources, Mode::Write { force: false });
    let report = Report::of_run(&run, &loaded.sources, options);
    let text = report.text.lines().filter(|it| !it.starts_with("checked ")).map(|it| format!("{it}\n")).collect();
    Ok(Report { text, ..report })
}
