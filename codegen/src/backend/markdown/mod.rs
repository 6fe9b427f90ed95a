//! Pages in Markdown: those of documents, a default page for every subject that no document
//! shows, an index, and every view as a region for hand-written pages.

mod cell;
mod declared;
pub mod escape;
mod ladder;
mod machine;
mod pages;
mod rows;
mod section;
mod system;
mod table;
mod template;

use std::sync::Arc;

use minijinja::context;
use statespec_lang::model::document::{Aspect, DiagramStyle, Lead, Subject, TableView, View, ViewKind};
use statespec_lang::model::{Model, StateId};
use statespec_lang::output::{Blame, Outputs, Pending, Rendered};
use statespec_lang::source::Span;

use super::{Job, mermaid};
pub use section::{Docs, Sections, Settings};
pub use template::Layout;
use template::Templates;

/// The input of views.
#[derive(Clone, Copy)]
struct Subjects<'a> {
    model: &'a Model,
}

/// A piece of a page, without a newline at its end.
#[derive(Debug, Clone, Default)]
struct Block {
    text: String,
    blame: Blame,
}

impl Block {
    /// A piece whose lines show no single element.
    fn text(text: impl Into<String>) -> Self {
        Block { text: text.into(), blame: Blame::default() }
    }
}

/// All pages and regions.
fn outputs<'a>(job: Job<'a>, docs: &'a Settings) -> Outputs<'a> {
    let templates = Arc::new(Templates::new(&docs.layout));
    let subjects = Subjects { model: job.model };
    let mut outputs = Outputs::default();
    let machines = (0..job.model.machines.len()).map(Subject::Machine);
    let systems = (0..job.model.systems.len()).map(Subject::System);
    let all: Vec<Subject> = machines.chain(systems).collect();
    for subject in all.iter().copied() {
        let origin = span(subjects, subject);
        // The picture of a ladder lies beside a page of ours; a page of the user's may be anywhere.
        for (word, view) in usual_views(subjects, subject).filter(|(_, it)| !matches!(it.kind, ViewKind::Ladder(_))) {
            let templates = Arc::clone(&templates);
            let render = move || self::view(subjects, &view, &templates).map(|it| region(it, origin));
            outputs.regions.insert(format!("{}.{word}", name(subjects, subject)), Pending::new(Some(origin), render));
        }
        let text = job.sources.get(origin.source).text();
        let render = move || spec(text).map(|it| region(it, origin));
        outputs.regions.insert(format!("{}.spec", name(subjects, subject)), Pending::new(Some(origin), render));
    }
    pages::add(job, docs, &all, &templates, &mut outputs);
    outputs
}

fn region<'a>(block: Block, origin: Span) -> Rendered<'a> {
    Rendered::blaming(block.text + "\n", Some(origin), block.blame)
}

/// The source of a spec, without the comment for editors; `None` if it could be taken for a region marker.
fn spec(text: &str) -> Option<Block> {
    let text = text.strip_prefix("# yaml-language-server:").and_then(|it| it.split_once('\n')).map_or(text, |(_, rest)| rest);
    if text.contains("<!--") {
        return None;
    }
    let ticks = text.split(|it| it != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(ticks.max(2) + 1);
    Some(Block::text(format!("{fence}yaml\n{}\n{fence}", text.trim_matches('\n'))))
}

/// The names of the views that can be sections of a page.
fn words() -> impl Iterator<Item = &'static str> {
    let all = [Subject::Machine(0), Subject::System(0)].into_iter().map(views).map(|it| it.map(|(word, _)| word));
    let mut words: Vec<&str> = Vec::new();
    for word in all.flatten().filter(|it| *it != "about") {
        if !words.contains(&word) {
            words.push(word);
        }
    }
    words.into_iter()
}

/// Every possible view of a subject, in its default form.
fn usual_views(subjects: Subjects<'_>, subject: Subject) -> impl Iterator<Item = (&'static str, View)> {
    let span = span(subjects, subject);
    views(subject).map(move |(word, kind)| (word, View { subject, kind, span }))
}

fn views(subject: Subject) -> impl Iterator<Item = (&'static str, ViewKind)> {
    let pictures = [("about", ViewKind::About), ("diagram", ViewKind::Diagram(DiagramStyle::of_page()))];
    let tables = Aspect::ALL.iter().filter(move |it| it.is_of(subject)).flat_map(move |it| {
        let table = (it.word(), ViewKind::Table(TableView::of(*it)));
        let picture = match (*it, subject) {
            (Aspect::Walkthrough, Subject::System(_)) => Some(("sequence", ViewKind::Sequence(None))),
            (Aspect::Thresholds, Subject::Machine(_)) => Some(("ladder", ViewKind::Ladder(None))),
            (Aspect::Timers, Subject::Machine(_)) => Some(("timeline", ViewKind::Timeline(None))),
            _ => None,
        };
        [Some(table), picture].into_iter().flatten()
    });
    let lists = [("notes", ViewKind::Notes(None)), ("sources", ViewKind::Sources(None))];
    pictures.into_iter().chain(tables).chain(lists)
}

/// A view as Markdown; `None` if it is empty.
fn view(subjects: Subjects<'_>, view: &View, templates: &Templates<'_>) -> Option<Block> {
    let mut block = view_of(subjects, view, templates)?;
    block.blame.push_spec(span(subjects, view.subject).source);
    Some(block)
}

fn view_of(subjects: Subjects<'_>, view: &View, templates: &Templates<'_>) -> Option<Block> {
    let (doc, notes, sources) = match view.subject {
        Subject::Machine(idx) => {
            let it = &subjects.model.machines[idx];
            (&it.doc, &it.notes, &it.sources)
        }
        Subject::System(idx) => {
            let it = &subjects.model.systems[idx];
            (&it.doc, &it.notes, &it.sources)
        }
    };
    match &view.kind {
        ViewKind::About => doc.as_deref().map(|it| Block::text(escape::blocks(it))).filter(|it| !it.text.is_empty()),
        ViewKind::Diagram(style) => match view.subject {
            Subject::Machine(idx) => Some(diagram(&subjects.model.machines[idx], style, templates)),
            Subject::System(idx) => match system::diagram(subjects, &subjects.model.systems[idx], templates)? {
                Ok(diagram) => Some(diagram),
                Err(n_arrows) => matrix(subjects, idx, n_arrows, templates),
            },
        },
        ViewKind::Ladder(only) => match view.subject {
            Subject::Machine(idx) => ladder(&subjects.model.machines[idx], only.as_deref()),
            Subject::System(_) => None,
        },
        ViewKind::Timeline(only) => match view.subject {
            Subject::Machine(idx) => mermaid::timeline(&subjects.model.machines[idx], only.as_deref()).map(|it| picture(&it, templates)),
            Subject::System(_) => None,
        },
        ViewKind::Sequence(only) => match view.subject {
            Subject::Machine(_) => None,
            Subject::System(idx) => system::sequences(subjects, &subjects.model.systems[idx], only.as_deref(), templates),
        },
        ViewKind::Table(table) => table::render(subjects, view.subject, table, templates),
        ViewKind::Notes(lead) => list(lead, notes, templates),
        ViewKind::Sources(lead) => list(lead, sources, templates),
    }
}

/// The number of parts up to which a matrix fits a page; one that is wider is no more readable than the other tables.
const MAX_PARTS: usize = 16;

/// The transactions, links and parts of a system whose diagram would have too many arrows.
fn matrix(subjects: Subjects<'_>, idx: usize, n_arrows: usize, templates: &Templates<'_>) -> Option<Block> {
    if subjects.model.systems[idx].parts.len() > MAX_PARTS {
        let message = format!("The diagram is omitted: {n_arrows} arrows are too many to draw. The tables contain the same information.");
        return Some(Block::text(message));
    }
    let mut matrix = table::render(subjects, Subject::System(idx), &TableView::of(Aspect::Matrix), templates)?;
    let lead = format!("{n_arrows} arrows would cross each other; this matrix shows which events each transaction fires in which part.");
    matrix.text = format!("{lead}\n\n{}", matrix.text);
    Some(matrix)
}

/// A diagram of which each line shows at most one element of the spec.
fn picture(lines: &mermaid::Lines, templates: &Templates<'_>) -> Block {
    let mut block = Block::text(templates.render("diagram.md", context! { text => lines.text() }).trim_end());
    for (line, element) in lines.lines() {
        if let Some(span) = element {
            block.blame.push(line, span);
        }
    }
    block
}

fn list(lead: &Lead, sentences: &[String], templates: &Templates<'_>) -> Option<Block> {
    let notes: Vec<String> = sentences.iter().map(|it| escape::line(it)).filter(|it| !it.is_empty()).collect();
    let lead = lead.as_deref().map(escape::line);
    (!notes.is_empty()).then(|| Block::text(templates.render("notes.md", context! { lead, notes }).trim_end()))
}

fn diagram(machine: &statespec_lang::model::Machine, style: &DiagramStyle, templates: &Templates<'_>) -> Block {
    match machine::diagram(machine, style) {
        Err(sentence) => Block::text(sentence),
        Ok(diagram) => {
            let mut block = Block::text(templates.render("diagram.md", context! { text => diagram.text() }).trim_end());
            for (line, row) in diagram.lines() {
                if let Some(row) = row {
                    block.blame.push(line, machine.transition(row).span);
                }
            }
            loops(machine, style, &mut block);
            block
        }
    }
}

/// Links to the pictures of a machine's ladders, which lie beside the page.
fn ladder(machine: &statespec_lang::model::Machine, only: Option<&[usize]>) -> Option<Block> {
    let link = |(idx, it): (usize, &ladder::Ladder)| {
        format!("![{}]({})", escape::label(&it.words(), escape::Place::Line), ladder::Ladder::file(machine, idx))
    };
    let shown = pictures(machine, only);
    let links: Vec<String> = shown.iter().map(|(idx, it)| link((*idx, it))).collect();
    (!links.is_empty()).then(|| Block::text(links.join("\n\n")))
}

/// The ladders of a machine that a view shows, each with its position.
fn pictures(machine: &statespec_lang::model::Machine, only: Option<&[usize]>) -> Vec<(usize, ladder::Ladder)> {
    let is_shown = |it: &ladder::Ladder| only.is_none_or(|only| only.contains(&it.event.index()));
    ladder::ladders(machine).into_iter().enumerate().filter(|(_, it)| is_shown(it)).collect()
}

/// Lists the arrows that a diagram leaves out because they lead back to their state: a sentence, since a list would continue
/// in a list that follows.
fn loops(machine: &statespec_lang::model::Machine, style: &DiagramStyle, block: &mut Block) {
    let mut by_state: Vec<(StateId, Vec<String>)> = Vec::new();
    let relations = mermaid::left_out(machine, style);
    for relation in &relations {
        let mermaid::Node::State(id) = relation.from else { continue };
        let label = escape::label(&relation.label, escape::Place::Line);
        match by_state.iter_mut().find(|(state, _)| *state == id) {
            Some((_, labels)) => labels.push(label),
            None => by_state.push((id, vec![label])),
        }
    }
    if by_state.is_empty() {
        return;
    }
    let of_state = |(id, labels): &(StateId, Vec<String>)| {
        let labels = labels.iter().filter(|it| !it.is_empty()).map(String::as_str).collect::<Vec<_>>().join(", ");
        let state = escape::code(&machine.state(*id).name, escape::Place::Line);
        if labels.is_empty() { state } else { format!("{state} ({labels})") }
    };
    let line = format!("{LOOPS} {}.", by_state.iter().map(of_state).collect::<Vec<String>>().join("; "));
    block.text.extend(["\n\n", &line]);
}

/// The words before the arrows that a diagram leaves out; the check of the diagrams knows them.
const LOOPS: &str = "Transitions back to the same state:";

fn name(subjects: Subjects<'_>, subject: Subject) -> &str {
    match subject {
        Subject::Machine(idx) => &subjects.model.machines[idx].name,
        Subject::System(idx) => &subjects.model.systems[idx].name,
    }
}

fn span(subjects: Subjects<'_>, subject: Subject) -> Span {
    match subject {
        Subject::Machine(idx) => subjects.model.machines[idx].span,
        Subject::System(idx) => subjects.model.systems[idx].span,
    }
}
