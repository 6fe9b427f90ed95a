//! Whole pages and their index.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use minijinja::context;
use statespec_lang::model::document::{Document, Subject, ViewKind};
use statespec_lang::output::{Blame, Outputs, Pending, PendingFile, Rendered};
use statespec_lang::source::Span;

use super::escape::{self, Place};
use super::ladder::{Ladder, picture};
use super::table::lines;
use super::template::Templates;
use super::{Block, Sections, Settings, Subjects, name, pictures, region, span, usual_views, view, views};
use crate::backend::Job;

/// A page in the index.
struct Entry {
    path: String,
    title: String,
    /// The machines and systems on the page, in order.
    shows: Vec<String>,
    span: Span,
}

/// Adds the pages of all documents, default pages, the index page and the regions about pages.
pub(super) fn add<'a>(job: Job<'a>, docs: &'a Settings, all: &[Subject], templates: &Arc<Templates<'a>>, outputs: &mut Outputs<'a>) {
    let subjects = Subjects { model: job.model };
    let mut entries = Vec::new();
    let mut shown = BTreeSet::new();
    let mut file = |path: &str, origin: Span, make: Box<dyn Fn(&Templates<'a>) -> Block + Send + Sync + 'a>| {
        let templates = Arc::clone(templates);
        let render = move || {
            let block = make(&templates);
            Ok(Rendered::blaming(block.text, Some(origin), block.blame))
        };
        outputs.files.push((path.to_owned(), Pending::new(Some(origin), render)));
    };
    for document in &job.model.documents {
        let mut shows = Vec::new();
        for subject in document.sections.iter().flat_map(|it| &it.views).map(|it| it.subject) {
            shown.insert(subject);
            let name = name(subjects, subject).to_owned();
            if !shows.contains(&name) {
                shows.push(name);
            }
        }
        entries.push(Entry { path: document.path.clone(), title: document.title.clone(), shows, span: document.span });
        file(&document.path, document.span, Box::new(move |templates| document_page(subjects, document, templates)));
    }
    // The pictures of ladders by path, so that each is drawn once.
    let mut drawn: BTreeMap<String, (usize, Ladder)> = BTreeMap::new();
    let mut draw = |folder: &str, machine: usize, only: Option<&[usize]>| {
        let declared = &job.model.machines[machine];
        let path = |idx: usize| format!("{}{}", prefix(folder), Ladder::file(declared, idx));
        drawn.extend(pictures(declared, only).into_iter().map(|(idx, ladder)| (path(idx), (machine, ladder))));
    };
    for document in &job.model.documents {
        for view in document.sections.iter().flat_map(|it| &it.views) {
            if let (Subject::Machine(idx), ViewKind::Ladder(only)) = (view.subject, &view.kind) {
                draw(document.path.rsplit_once('/').map_or("", |it| it.0), idx, only.as_deref());
            }
        }
    }
    let mut index = None;
    if docs.pages {
        let folder = docs.out.as_str();
        let mut taken: BTreeSet<String> = entries.iter().map(|it| it.path.to_lowercase()).collect();
        let path = format!("{}README.md", prefix(folder));
        // A document may take the place of the index. A page that does so by its name is refused with all such outputs.
        index = (!taken.contains(&path.to_lowercase())).then_some((path, folder));
        for subject in all.iter().copied().filter(|it| !shown.contains(it)) {
            let (name, title, span) = (name(subjects, subject), title(subjects, subject), span(subjects, subject));
            let path = free_path(&mut taken, folder, name);
            let sections = sections(docs, subject);
            if let Subject::Machine(idx) = subject
                && sections.iter().flatten().any(|it| it == "ladder")
            {
                draw(folder, idx, None);
            }
            file(&path, span, Box::new(move |templates| default_page(subjects, subject, &sections, templates)));
            entries.push(Entry { path, title: title.to_owned(), shows: vec![name.to_owned()], span });
        }
        entries.sort_by(|a, b| a.path.cmp(&b.path));
    }
    let Some(origin) = entries.first().map(|it| it.span) else { return };
    let entries = Arc::new(entries);
    if let Some((path, folder)) = index {
        let entries = Arc::clone(&entries);
        file(&path, origin, Box::new(move |templates| index_page(&entries, folder, templates)));
    }
    for (path, (machine, ladder)) in drawn {
        outputs.files.push((path, drawing(job.model.machines[machine].span, ladder)));
    }
    let (templates, of_index) = (Arc::clone(templates), Arc::clone(&entries));
    let index = move || Some(region(index_table(&of_index, "", &templates), origin));
    outputs.regions.insert("index".into(), Pending::new(Some(origin), index));
    outputs.regions.insert("summary".into(), Pending::new(Some(origin), move || Some(region(summary(&entries, "docs"), origin))));
}

/// The picture of one ladder of a machine, which is declared at `span`.
fn drawing<'m>(span: Span, ladder: Ladder) -> PendingFile<'m> {
    let origin = Some(span);
    Pending::new(origin, move || Ok(Rendered::new(picture(&ladder), origin, Blame::default)))
}

fn index_page(entries: &[Entry], folder: &str, templates: &Templates<'_>) -> Block {
    let blocks = vec![Block::text("Every page here is generated from the specs."), index_table(entries, folder, templates)];
    page("Machines", &blocks, templates)
}

fn prefix(folder: &str) -> String {
    let folder = folder.trim_matches('/');
    if folder.is_empty() { String::new() } else { format!("{folder}/") }
}

/// `<folder>/<name>.md`, with a number after the name if a document already has that path.
fn free_path(taken: &mut BTreeSet<String>, folder: &str, name: &str) -> String {
    let stem = format!("{}{name}", prefix(folder));
    let numbered = (2u32..).map(|it| format!("{stem}-{it}.md"));
    let mut candidates = std::iter::once(format!("{stem}.md")).chain(numbered);
    let free = candidates.find(|it| taken.insert(it.to_lowercase()));
    free.unwrap_or_else(|| format!("{stem}.md"))
}

fn title(subjects: Subjects<'_>, subject: Subject) -> &str {
    match subject {
        Subject::Machine(idx) => &subjects.model.machines[idx].title,
        Subject::System(idx) => &subjects.model.systems[idx].title,
    }
}

/// A title and blocks, with an empty line between any two.
fn page(title: &str, blocks: &[Block], templates: &Templates<'_>) -> Block {
    let texts: Vec<String> = blocks.iter().map(|it| it.text.clone()).collect();
    let text = templates.render("page.md", context! { title => escape::heading(title), blocks => texts });
    let mut blame = Blame::default();
    blocks.iter().for_each(|it| blame.append(&it.blame));
    Block { text, blame }
}

fn document_page(subjects: Subjects<'_>, document: &Document, templates: &Templates<'_>) -> Block {
    let mut blocks: Vec<Block> = document.intro.iter().map(|it| Block::text(escape::blocks(it))).collect();
    for section in &document.sections {
        if let Some(heading) = &section.heading {
            let text = format!("{} {}", "#".repeat(section.level), escape::heading(heading));
            blocks.push(Block::text(text));
        }
        blocks.extend(section.text.iter().map(|it| Block::text(escape::blocks(it))));
        blocks.extend(section.views.iter().filter_map(|it| view(subjects, it, templates)));
    }
    blocks.retain(|it| !it.text.is_empty());
    page(&document.title, &blocks, templates)
}

/// The sections of a page that no document describes, each with its views.
fn sections(docs: &Settings, subject: Subject) -> Vec<Vec<String>> {
    let usual: &[&[&str]] = match subject {
        Subject::Machine(_) => &[&["diagram"], &["states"], &["transitions"], &["events"], &["effects", "timers", "timeline"]],
        Subject::System(_) => &[&["diagram"], &["parts"], &["transactions"], &["rules", "links", "invariants"], &["walkthrough"]],
    };
    match &docs.sections {
        Sections::Usual => usual.iter().map(|it| it.iter().map(|it| (*it).to_owned()).collect()).collect(),
        // A matrix stands where the diagram of a system has too many arrows.
        Sections::All => {
            let words = views(subject).map(|(word, _)| word).filter(|it| !matches!(*it, "about" | "matrix"));
            words.map(|it| vec![it.to_owned()]).collect()
        }
        Sections::Chosen(words) => words.iter().map(|it| vec![it.clone()]).collect(),
    }
}

/// The headings of a default page.
fn heading(word: &str) -> &'static str {
    match word {
        "diagram" => "Diagram",
        "parts" => "Parts",
        "states" => "States",
        "transitions" => "Transitions",
        "adjacency" => "Successor States",
        "acceptance" => "Acceptance of Events",
        "refusals" => "Refusals",
        "transactions" => "Transactions",
        "rules" => "Rules",
        "links" => "Links",
        "invariants" => "Invariants",
        "placement" => "Placement",
        "reach" => "Reach of Transactions",
        "walkthrough" => "Walkthroughs",
        "sequence" => "Walkthroughs as Diagrams",
        "updates" => "Updates",
        "surfaces" => "User Interface",
        "actors" => "Actors",
        "events" => "Events",
        "effects" => "Effects",
        "predicates" => "Predicates",
        "context" => "Context",
        "constants" => "Constants",
        "matrix" => "Transactions and Parts",
        "timers" => "Timers",
        "timeline" => "Time Line",
        "thresholds" => "Thresholds",
        "ladder" => "Levels",
        "attributes" => "Attributes of States",
        "enums" => "Enums",
        "orders" => "Orders",
        "inferred" => "Inferred",
        "notes" => "Notes",
        "sources" => "Sources",
        _ => "",
    }
}

fn default_page(subjects: Subjects<'_>, subject: Subject, sections: &[Vec<String>], templates: &Templates<'_>) -> Block {
    let mut views: BTreeMap<&str, _> = usual_views(subjects, subject).collect();
    let mut shown = |word: &str| views.remove(word).and_then(|it| view(subjects, &it, templates));
    let mut blocks: Vec<Block> = shown("about").into_iter().collect();
    for section in sections {
        let found: Vec<(&str, Block)> = section.iter().filter_map(|it| Some((it.as_str(), shown(it)?))).collect();
        // A time line shows what the table before it lists.
        let named = found.iter().map(|it| it.0).filter(|it| found.len() == 1 || *it != "timeline").map(heading);
        if !found.is_empty() {
            blocks.push(Block::text(format!("## {}", listed(&named.collect::<Vec<_>>()))));
        }
        blocks.extend(found.into_iter().map(|it| it.1));
    }
    page(title(subjects, subject), &blocks, templates)
}

/// Names as a heading lists them: `Rules, Links and Invariants`.
fn listed(names: &[&str]) -> String {
    match names {
        [head @ .., last] if !head.is_empty() => format!("{} and {last}", head.join(", ")),
        _ => names.concat(),
    }
}

/// All pages as a table, linked from a page in `folder`.
fn index_table(entries: &[Entry], folder: &str, templates: &Templates<'_>) -> Block {
    let mut block = Block::default();
    let mut rows = Vec::new();
    for entry in entries {
        let shows: Vec<_> = entry.shows.iter().map(|it| escape::code(it, Place::Cell)).collect();
        let row = vec![link(entry, folder, Place::Cell), shows.join(", ")];
        block.blame.push_spec(entry.span.source);
        rows.push(row);
    }
    block.text = templates
        .render("table.md", context! { headers => ["Page", "Shows"], lines => lines(rows.iter().map(Vec::as_slice)) })
        .trim_end()
        .to_owned();
    block
}

/// All pages as a list for the summary of a book, linked from a page in `folder`.
fn summary(entries: &[Entry], folder: &str) -> Block {
    let mut block = Block::default();
    let mut lines = Vec::new();
    for entry in entries {
        let link = link(entry, folder, Place::Line);
        block.blame.push_spec(entry.span.source);
        lines.push(format!("- {link}"));
    }
    block.text = lines.join("\n");
    block
}

fn link(entry: &Entry, folder: &str, place: Place) -> String {
    format!("[{}]({})", escape::plain(&entry.title, place), relative(folder, &entry.path))
}

/// The relative path from a folder to a file, both relative to the project's root.
fn relative(folder: &str, path: &str) -> String {
    let from: Vec<&str> = folder.split('/').filter(|it| !it.is_empty()).collect();
    let to: Vec<&str> = path.split('/').collect();
    let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = std::iter::repeat_n("..", from.len() - shared);
    up.chain(to[shared..].iter().copied()).collect::<Vec<_>>().join("/")
}
