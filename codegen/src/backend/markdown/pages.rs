//! Whole pages and their index.

use std::collections::{BTreeMap, BTreeSet};

use minijinja::context;

use super::escape::{self, Place};
use super::table::lines;
use super::template::Templates;
use super::{Block, Subjects, name, region, span, view};
use crate::backend::Job;
use crate::model::document::{Document, Subject};
use crate::output::{Blame, Generated, Output};
use crate::parallel;
use crate::source::Span;

/// A page for the index.
struct Entry {
    path: String,
    title: String,
    /// The machines and systems that it shows, in order.
    shows: Vec<String>,
    span: Span,
}

type Views = BTreeMap<Subject, Vec<(&'static str, Block)>>;

/// Adds the pages of all documents, default pages, the index page and the regions about pages.
pub(super) fn emit(job: Job<'_>, views: &Views, templates: &Templates<'_>, generated: &mut Generated) {
    let subjects = Subjects { model: job.model };
    let mut entries = Vec::new();
    let mut shown = BTreeSet::new();
    let pages = parallel::map(&job.model.documents, |it| document_page(subjects, it, templates));
    for (document, page) in job.model.documents.iter().zip(pages) {
        let mut shows = Vec::new();
        for subject in document.sections.iter().flat_map(|it| &it.views).map(|it| it.subject) {
            shown.insert(subject);
            let name = name(subjects, subject).to_owned();
            if !shows.contains(&name) {
                shows.push(name);
            }
        }
        entries.push(Entry { path: document.path.clone(), title: document.title.clone(), shows, span: document.span });
        generated.files.push(output(document.path.clone(), page, document.span));
    }
    if let Some(folder) = &job.config.pages {
        let mut taken: BTreeSet<String> = entries.iter().map(|it| it.path.to_lowercase()).collect();
        let others: Vec<_> = views.iter().filter(|(it, _)| !shown.contains(it)).collect();
        let pages = parallel::map(&others, |(subject, own)| default_page(&title(subjects, **subject), own, templates));
        for ((subject, _), page) in others.into_iter().zip(pages) {
            let path = free_path(&mut taken, folder, name(subjects, *subject));
            let title = title(subjects, *subject);
            generated.files.push(output(path.clone(), page, span(subjects, *subject)));
            entries.push(Entry { path, title, shows: vec![name(subjects, *subject).to_owned()], span: span(subjects, *subject) });
        }
        entries.sort_by(|a, b| a.path.cmp(&b.path));
        let index = format!("{}README.md", prefix(folder));
        if let Some(first) = entries.first().filter(|_| !taken.contains(&index.to_lowercase())) {
            let blocks = vec![Block::text("Every page here is made from the specs."), index_table(&entries, folder, templates)];
            let origin = first.span;
            generated.files.push(output(index, page("Machines", &blocks, templates), origin));
        }
    }
    if let Some(first) = entries.first() {
        generated.regions.insert("index".into(), region(&index_table(&entries, "", templates), first.span));
        generated.regions.insert("summary".into(), region(&summary(&entries, "docs"), first.span));
    }
}

fn output(path: String, block: Block, origin: Span) -> Output {
    Output { path, text: block.text, origin: Some(origin), blame: block.blame }
}

fn prefix(folder: &str) -> String {
    let folder = folder.trim_matches('/');
    if folder.is_empty() { String::new() } else { format!("{folder}/") }
}

/// `<folder>/<name>.md`, with a number behind the name where a document already writes there.
fn free_path(taken: &mut BTreeSet<String>, folder: &str, name: &str) -> String {
    let stem = format!("{}{name}", prefix(folder));
    let numbered = (2u32..).map(|it| format!("{stem}-{it}.md"));
    let mut candidates = std::iter::once(format!("{stem}.md")).chain(numbered);
    let free = candidates.find(|it| taken.insert(it.to_lowercase()));
    free.unwrap_or_else(|| format!("{stem}.md"))
}

fn title(subjects: Subjects<'_>, subject: Subject) -> String {
    match subject {
        Subject::Machine(idx) => subjects.model.machines[idx].title.clone(),
        Subject::System(idx) => subjects.model.systems[idx].title.clone(),
    }
}

/// Puts blocks under a title, with an empty line between any two.
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
            blocks.push(Block { blame: Blame::from_iter([([&text], section.span)]), text });
        }
        blocks.extend(section.text.iter().map(|it| Block::text(escape::blocks(it))));
        blocks.extend(section.views.iter().filter_map(|it| view(subjects, it, templates)));
    }
    blocks.retain(|it| !it.text.is_empty());
    page(&document.title, &blocks, templates)
}

/// The headings of a default page.
fn heading(word: &str) -> &'static str {
    match word {
        "diagram" => "Diagram",
        "parts" => "Parts",
        "states" => "States",
        "transitions" => "Transitions",
        "adjacency" => "What Can Follow What",
        "acceptance" => "Acceptance of Events",
        "refusals" => "Refusals",
        "transactions" => "Transactions",
        "rules" => "Rules",
        "links" => "Links",
        "invariants" => "Invariants",
        "walkthrough" => "Walkthroughs",
        "updates" => "Updates",
        "surfaces" => "Where Transactions Are Found",
        "actors" => "Actors",
        "events" => "Events",
        "effects" => "Effects",
        "predicates" => "Predicates",
        "context" => "Context",
        "constants" => "Constants",
        "thresholds" => "Thresholds",
        "attributes" => "Attributes of States",
        "enums" => "Enums",
        "orders" => "Orders",
        "inferred" => "Inferred",
        "notes" => "Notes",
        "sources" => "Sources",
        _ => "",
    }
}

fn default_page(title: &str, views: &[(&'static str, Block)], templates: &Templates<'_>) -> Block {
    let mut blocks = Vec::new();
    for (word, block) in views {
        let heading = heading(word);
        if !heading.is_empty() {
            blocks.push(Block::text(format!("## {heading}")));
        }
        blocks.push(block.clone());
    }
    page(title, &blocks, templates)
}

/// All pages as a table, linked from a page in `folder`.
fn index_table(entries: &[Entry], folder: &str, templates: &Templates<'_>) -> Block {
    let mut block = Block::default();
    let mut rows = Vec::new();
    for entry in entries {
        let shows: Vec<_> = entry.shows.iter().map(|it| escape::code(it, Place::Cell)).collect();
        let row = vec![link(entry, folder, Place::Cell), shows.join(", ")];
        block.blame(&row, entry.span);
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
        block.blame(std::slice::from_ref(&link), entry.span);
        lines.push(format!("- {link}"));
    }
    block.text = lines.join("\n");
    block
}

fn link(entry: &Entry, folder: &str, place: Place) -> String {
    format!("[{}]({})", escape::plain(&entry.title, place), relative(folder, &entry.path))
}

/// The way from a folder to a file, both relative to the project's root.
fn relative(folder: &str, path: &str) -> String {
    let from: Vec<&str> = folder.split('/').filter(|it| !it.is_empty()).collect();
    let to: Vec<&str> = path.split('/').collect();
    let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = std::iter::repeat_n("..", from.len() - shared);
    up.chain(to[shared..].iter().copied()).collect::<Vec<_>>().join("/")
}
