//! Lowers documents: resolves subjects, views and columns, and checks that paths stay inside the project.

use std::collections::BTreeMap;

use super::limits;
use super::name_table::NameTable;
use super::names::{check_file_name, unknown};
use super::placeholders::added;
use super::text::{fill, fill_opt};
use crate::diagnostic::{Code, Diagnostic, Diagnostics, suggest};
use crate::limits::{TEXT, VIEWS};
use crate::model::document::{
    Aspect, Column, Content, DiagramStyle, Document, Fact, Items, Lead, Section, Subject, TableView, View, ViewKind,
};
use crate::model::machine::Constant;
use crate::model::{AttributeId, Literal, Machine, Model, OrderId, PartId, System, Type};
use crate::read::{Entries, OneOrMany, Text};
use crate::source::{Sources, Span};
use crate::spec;

/// The deepest heading is `######`.
const MAX_LEVEL: usize = 6;

/// The deepest indentation at which a diagram is still rendered as one.
const MAX_INDENT: usize = 16;

/// The keywords of views that are not tables.
const OTHER_VIEWS: [&str; 7] = ["about", "diagram", "ladder", "notes", "sequence", "sources", "timeline"];

/// Lowers a document as far as possible and reports the rest. Needs machines and systems in `model`.
///
/// `weight` sums up what the documents so far show.
pub(super) fn lower(
    sources: &Sources,
    spec: &spec::document::Document,
    model: &Model,
    names: &NameTable,
    weight: &mut Weight,
    diagnostics: &mut Diagnostics,
) -> Document {
    check_file_name(&spec.document, "document", diagnostics);
    let mut page =
        Page { sources, model, names, shown: Vec::new(), shown_text: String::new(), names_subject: spec.of.is_some(), weight, diagnostics };
    let of = spec.of.as_ref().and_then(|it| page.subject(it));
    page.collect(spec.sections.as_deref().unwrap_or_default());
    page.shown_text = page.list_shown();
    let mut sections = Vec::new();
    page.sections(spec.sections.as_deref().unwrap_or_default(), of, 2, &mut sections);
    let texts = [Some(&spec.title), spec.intro.as_ref()];
    let constants = page.constants(of, spec.span, &texts);
    check_path(&spec.path, page.diagnostics);
    Document {
        name: spec.document.value.clone(),
        source: spec.span.source,
        span: spec.document.span,
        path: spec.path.value.clone(),
        title: fill(&spec.title, &constants, page.diagnostics),
        intro: fill_opt(&spec.intro, &constants, page.diagnostics),
        sections,
    }
}

/// The machines and systems that a document names, in order.
pub(super) fn subjects(spec: &spec::document::Document) -> Vec<&Text> {
    spec.of.iter().chain(subjects_of(spec.sections.as_deref().unwrap_or_default())).collect()
}

fn subjects_of(sections: &[spec::document::Section]) -> Vec<&Text> {
    let mut names = Vec::new();
    for section in sections {
        let views = section.show.iter().flat_map(|it| &it.0).filter_map(|view| match view {
            spec::document::View::Full(body) => body.of.as_ref(),
            spec::document::View::Name(_) => None,
        });
        names.extend(section.of.iter().chain(views));
        names.extend(subjects_of(section.sections.as_deref().unwrap_or_default()));
    }
    names
}

/// Two documents must not write the same file, including on file systems that ignore case.
pub(super) fn check_paths<'a>(paths: impl Iterator<Item = &'a Text>, diagnostics: &mut Diagnostics) {
    let mut seen = BTreeMap::<String, Span>::new();
    for path in paths {
        match seen.get(&path.value.to_lowercase()) {
            Some(first) => diagnostics.push(
                Diagnostic::new(Code::BadDocument, path.span, format!("two documents write `{}`", path.value))
                    .also(*first, "the first")
                    .help("give each another path"),
            ),
            None => {
                seen.insert(path.value.to_lowercase(), path.span);
            }
        }
    }
}

fn check_path(path: &Text, diagnostics: &mut Diagnostics) {
    let value = path.value.as_str();
    let odd = |it: char| !(it.is_alphanumeric() || matches!(it, '/' | '.' | '_' | '-'));
    let complaint = if value.starts_with('/') || value.contains([':', '\\']) {
        Some("the path of a page is relative to the project's root, with `/` between folders")
    } else if value.split('/').any(|it| it == "..") {
        Some("the path of a page must not leave the project")
    } else if value.split('/').any(|it| it.is_empty() || it == "." || it.ends_with('.')) {
        Some("the path of a page is plain: no empty names, no `.`")
    } else if value.contains(odd) || value.len() > 200 {
        Some("the path of a page is made of letters, digits, `-`, `_` and `.`")
    } else if value.split('/').any(|it| it.starts_with('.')) {
        Some("the path of a page is no hidden file: no check would find it once its document is gone")
    } else if value.split('/').any(crate::names::is_device) {
        Some("the path of a page names a device on Windows")
    } else if !value.ends_with(".md") || value.ends_with("/.md") || value == ".md" {
        Some("a page is a file that ends in `.md`")
    } else {
        None
    };
    if let Some(message) = complaint {
        diagnostics.push(Diagnostic::new(Code::BadDocument, path.span, message).help("for example `docs/machines/order.md`"));
    }
}

/// What documents show: how much text their constants and views make.
pub(super) struct Weight {
    /// The size of all specs, in bytes.
    n_bytes: usize,
    /// The bytes that constants add.
    texts: usize,
    /// The bytes of all views, by estimate.
    views: usize,
    is_full: bool,
}

impl Weight {
    pub(super) fn new(sources: &Sources) -> Self {
        Weight { n_bytes: sources.n_bytes(), texts: 0, views: 0, is_full: false }
    }
}

/// The bytes of an edge in a table, about.
const EDGE: usize = 64;

/// The state while a page is lowered.
struct Page<'a> {
    sources: &'a Sources,
    model: &'a Model,
    names: &'a NameTable,
    /// The specs that the page shows, in the order of first mention.
    shown: Vec<String>,
    /// The same as a text, for `{spec}`.
    shown_text: String,
    /// Whether the document names what its sections show, even with an unknown name.
    names_subject: bool,
    weight: &'a mut Weight,
    diagnostics: &'a mut Diagnostics,
}

impl Page<'_> {
    /// The machine or system with this name; from here on, `{spec}` includes it.
    fn subject(&mut self, name: &Text) -> Option<Subject> {
        let found = self.find(&name.value);
        if found.is_none() {
            unknown("machine or system", name, self.names.subjects(), self.diagnostics);
        }
        if let Some(subject) = found {
            self.show(subject);
        }
        found
    }

    fn find(&self, name: &str) -> Option<Subject> {
        let machine = self.model.machines.iter().position(|it| it.name == name).map(Subject::Machine);
        machine.or_else(|| self.model.systems.iter().position(|it| it.name == name).map(Subject::System))
    }

    fn show(&mut self, subject: Subject) {
        let source = match subject {
            Subject::Machine(idx) => self.model.machines[idx].source,
            Subject::System(idx) => self.model.systems[idx].source,
        };
        let path = self.sources.get(source).path().to_owned();
        if !self.shown.contains(&path) {
            self.shown.push(path);
        }
    }

    /// Collects the specs that the page shows, before any placeholder is filled in.
    fn collect(&mut self, sections: &[spec::document::Section]) {
        for name in subjects_of(sections) {
            // An unknown name is reported where the section is lowered.
            if let Some(subject) = self.find(&name.value) {
                self.show(subject);
            }
        }
    }

    /// The paths of the specs that the page shows, as a sentence lists them.
    fn list_shown(&self) -> String {
        let paths: Vec<_> = self.shown.iter().map(|it| format!("`{it}`")).collect();
        match paths.as_slice() {
            [head @ .., last] if !head.is_empty() => format!("{} and {last}", head.join(", ")),
            _ => paths.concat(),
        }
    }

    /// The names that some texts use in braces: `spec`, and the constants of the machine. None if they make too much
    /// text, so that nothing is filled in.
    fn constants(&mut self, subject: Option<Subject>, span: Span, texts: &[Option<&Text>]) -> Vec<Constant> {
        let model = self.model;
        let declared = match subject {
            Some(Subject::Machine(idx)) => model.machines[idx].constants.as_slice(),
            _ => &[],
        };
        // Most texts have no placeholders.
        if !texts.iter().flatten().any(|it| it.value.contains(['{', '}'])) {
            return Vec::new();
        }
        let mut constants = declared.to_vec();
        if constants.iter().all(|it| it.name != "spec") {
            let value = Literal::Text(self.shown_text.clone());
            constants.push(Constant { name: "spec".into(), ty: Type::Text, value, doc: None, shown: true, span });
        }
        let lengths: BTreeMap<&str, usize> = constants.iter().map(|it| (it.name.as_str(), limits::length(&it.value))).collect();
        for text in texts.iter().flatten() {
            self.weight.texts = self.weight.texts.saturating_add(added(&text.value, |name| lengths.get(name).copied()));
            if limits::refuse(TEXT, self.weight.texts, self.weight.n_bytes, text.span, self.diagnostics) {
                self.weight.is_full = true;
                return Vec::new();
            }
        }
        constants
    }

    /// Whether a view may be shown, besides all views so far.
    fn has_place(&mut self, subject: Subject, kind: &ViewKind, span: Span) -> bool {
        let machine = |idx: usize| {
            let it: &Machine = &self.model.machines[idx];
            let pairs = match kind {
                ViewKind::Table(table) if table.aspect == Aspect::Acceptance => it.states.len().saturating_mul(it.events.len()),
                _ => 0,
            };
            self.sources.get(it.source).text().len() + EDGE * (it.edges.len() + pairs / 4)
        };
        let size = match subject {
            Subject::Machine(idx) => machine(idx),
            Subject::System(idx) => {
                let system = &self.model.systems[idx];
                self.sources.get(system.source).text().len() + system.parts.iter().map(|it| machine(it.machine)).sum::<usize>()
            }
        };
        self.weight.views = self.weight.views.saturating_add(size);
        self.weight.is_full |= limits::refuse(VIEWS, self.weight.views, self.weight.n_bytes, span, self.diagnostics);
        !self.weight.is_full
    }

    fn sections(&mut self, specs: &[spec::document::Section], of: Option<Subject>, level: usize, sections: &mut Vec<Section>) {
        for spec in specs {
            if level > MAX_LEVEL {
                let message = format!("sections go {} deep, Markdown has no heading for another", MAX_LEVEL - 1);
                self.diagnostics.push(Diagnostic::new(Code::BadDocument, spec.span, message));
                return;
            }
            let of = match &spec.of {
                Some(name) => self.subject(name),
                None => of,
            };
            let constants = self.constants(of, spec.span, &[spec.heading.as_ref(), spec.text.as_ref()]);
            if self.weight.is_full {
                return;
            }
            let heading = fill_opt(&spec.heading, &constants, self.diagnostics);
            let text = fill_opt(&spec.text, &constants, self.diagnostics);
            let views = spec.show.iter().flat_map(|it| &it.0).filter_map(|it| self.view(it, of, spec)).collect();
            sections.push(Section { heading, level, text, views, span: spec.span });
            self.sections(spec.sections.as_deref().unwrap_or_default(), of, level + 1, sections);
        }
    }

    fn view(&mut self, spec: &spec::document::View, of: Option<Subject>, section: &spec::document::Section) -> Option<View> {
        let (subject, kind, span) = match spec {
            spec::document::View::Name(name) => {
                let kind = self.named(name)?;
                (of, kind, name.span)
            }
            spec::document::View::Full(body) => {
                let subject = match &body.of {
                    Some(name) => Some(self.subject(name)?),
                    None => of,
                };
                let kind = self.with_options(body, subject)?;
                (subject, kind, body.span)
            }
        };
        let Some(subject) = subject else {
            // A wrong `of` is already reported; only a missing one needs a new message.
            if section.of.is_none() && !self.names_subject {
                let message = "the machine or system to show is missing";
                self.diagnostics.push(Diagnostic::new(Code::BadDocument, span, message).help("add `of: <name>` to the section"));
            }
            return None;
        };
        let shown = !self.weight.is_full && self.fits(&kind, subject, span) && self.has_place(subject, &kind, span);
        shown.then_some(View { subject, kind, span })
    }

    /// A view given by its name alone.
    fn named(&mut self, name: &Text) -> Option<ViewKind> {
        let plain = match name.value.as_str() {
            "about" => ViewKind::About,
            "diagram" => ViewKind::Diagram(DiagramStyle::of_page()),
            "notes" => ViewKind::Notes(Some("Notes:".into())),
            "sequence" => ViewKind::Sequence(None),
            "ladder" => ViewKind::Ladder(None),
            "timeline" => ViewKind::Timeline(None),
            "sources" => ViewKind::Sources(Some("Sources:".into())),
            word => match Aspect::ALL.iter().find(|it| it.word() == word) {
                Some(aspect) => ViewKind::Table(TableView::of(*aspect)),
                None => {
                    let known: Vec<_> = OTHER_VIEWS.into_iter().chain(Aspect::ALL.iter().map(|it| it.word())).collect();
                    unknown("view", name, known, self.diagnostics);
                    return None;
                }
            },
        };
        Some(plain)
    }

    /// A view with options: one key of the map is its name.
    fn with_options(&mut self, body: &spec::document::ViewBody, subject: Option<Subject>) -> Option<ViewKind> {
        let tables = tables(body);
        let others = [
            body.diagram.is_some(),
            body.ladder.is_some(),
            body.notes.is_some(),
            body.sequence.is_some(),
            body.sources.is_some(),
            body.timeline.is_some(),
        ];
        let n_views = tables.len() + others.iter().filter(|it| **it).count();
        if n_views != 1 {
            let message = format!("expected one view with its options, found {n_views}");
            let help = "write each view as a list item of its own: `show: [diagram, { states: { … } }]`";
            self.diagnostics.push(Diagnostic::new(Code::BadDocument, body.span, message).help(help));
            return None;
        }
        if let Some(diagram) = &body.diagram {
            let options = [diagram.indent.is_some(), diagram.labels.is_some(), diagram.sorted.is_some(), diagram.loops.is_some()];
            if matches!(subject, Some(Subject::System(_))) && options.contains(&true) {
                let message = "the diagram of a system has no options";
                self.diagnostics.push(Diagnostic::new(Code::BadDocument, diagram.span, message));
                return None;
            }
            return self.diagram(diagram).map(ViewKind::Diagram);
        }
        let lead = |spec: &spec::document::Notes, usual: &str| -> Lead {
            let lead = spec.lead.as_ref().map_or(usual, |it| it.value.as_str());
            (!lead.trim().is_empty()).then(|| lead.to_owned())
        };
        if let Some(notes) = &body.notes {
            return Some(ViewKind::Notes(lead(notes, "Notes:")));
        }
        if let Some(notes) = &body.sources {
            return Some(ViewKind::Sources(lead(notes, "Sources:")));
        }
        let events = |idx: usize| self.model.machines[idx].events.iter().map(|it| it.name.as_str()).collect();
        if let Some(ladder) = &body.ladder {
            let Some(Subject::Machine(idx)) = subject else { return Some(ViewKind::Ladder(None)) };
            return self.picked("event", ladder.only.as_ref(), events(idx)).map(ViewKind::Ladder);
        }
        if let Some(timeline) = &body.timeline {
            let Some(Subject::Machine(idx)) = subject else { return Some(ViewKind::Timeline(None)) };
            return self.picked("event", timeline.only.as_ref(), events(idx)).map(ViewKind::Timeline);
        }
        if let Some(sequence) = &body.sequence {
            let Some(Subject::System(idx)) = subject else { return Some(ViewKind::Sequence(None)) };
            let names = self.model.systems[idx].walkthroughs.iter().map(|it| it.name.as_str()).collect();
            return self.picked("walkthrough", sequence.only.as_ref(), names).map(ViewKind::Sequence);
        }
        let (aspect, table) = *tables.first()?;
        let subject = subject?;
        if !aspect.is_of(subject) {
            // Already reported with the view; its options cannot be checked either.
            return Some(ViewKind::Table(TableView::of(aspect)));
        }
        let columns = self.columns(table, aspect, subject);
        let only = self.only(table, aspect, subject);
        let list = self.choice(&table.r#as, "a view is shown as", ["table", "list"]);
        let display_names = self.choice(&table.names, "inner states are called by", ["path", "display"]);
        Some(ViewKind::Table(TableView { aspect, columns: columns?, only: only?, display_names, list }))
    }

    /// One of two keywords; true for the second.
    fn choice(&mut self, text: &Option<Text>, what: &str, words: [&str; 2]) -> bool {
        let Some(text) = text else { return false };
        if !words.contains(&text.value.as_str()) {
            let message = format!("{what} `{}` or `{}`, not `{}`", words[0], words[1], text.value.escape_debug());
            self.diagnostics.push(Diagnostic::new(Code::BadDocument, text.span, message));
        }
        text.value == words[1]
    }

    fn diagram(&mut self, spec: &spec::document::Diagram) -> Option<DiagramStyle> {
        let usual = DiagramStyle::of_page();
        let indent = match &spec.indent {
            None => usual.indent,
            Some(text) => match text.value.parse::<usize>() {
                Ok(indent) if indent <= MAX_INDENT => indent,
                _ => {
                    let message = format!("a diagram is indented by 0 to {MAX_INDENT} spaces, not by `{}`", text.value.escape_debug());
                    self.diagnostics.push(Diagnostic::new(Code::BadDocument, text.span, message));
                    return None;
                }
            },
        };
        let labels = spec.labels.as_ref().map_or(usual.labels, |it| it.value);
        let sorted = spec.sorted.as_ref().map_or(usual.sorted, |it| it.value);
        let loops = spec.loops.as_ref().map_or(usual.loops, |it| it.value);
        Some(DiagramStyle { indent, labels, sorted, loops })
    }

    /// Whether the subject has the aspect of the view.
    fn fits(&mut self, kind: &ViewKind, subject: Subject, span: Span) -> bool {
        let word = match kind {
            ViewKind::Sequence(_) if matches!(subject, Subject::Machine(_)) => "sequence",
            ViewKind::Ladder(_) if matches!(subject, Subject::System(_)) => "ladder",
            ViewKind::Timeline(_) if matches!(subject, Subject::System(_)) => "timeline",
            ViewKind::Table(table) if !table.aspect.is_of(subject) => table.aspect.word(),
            _ => return true,
        };
        let (name, what) = match subject {
            Subject::Machine(idx) => (&self.model.machines[idx].name, "machine"),
            Subject::System(idx) => (&self.model.systems[idx].name, "system"),
        };
        let tables = Aspect::ALL.iter().filter(|it| it.is_of(subject)).map(|it| it.word());
        let others =
            OTHER_VIEWS.into_iter().filter(|it| if what == "system" { !matches!(*it, "ladder" | "timeline") } else { *it != "sequence" });
        let known: Vec<_> = others.chain(tables).map(|it| format!("`{it}`")).collect();
        let message = format!("`{name}` is a {what} and has no `{word}`");
        self.diagnostics.push(Diagnostic::new(Code::BadDocument, span, message).help(format!("it has {}", known.join(", "))));
        false
    }

    fn columns(&mut self, table: &spec::document::Table, aspect: Aspect, subject: Subject) -> Option<Vec<Column>> {
        let mut columns = Vec::new();
        let mut complete = true;
        for (header, content) in table.columns.iter().flat_map(Entries::iter) {
            match self.content(content, aspect, subject) {
                Some(content) => columns.push(Column { header: header.value.clone(), content }),
                None => complete = false,
            }
        }
        if complete && columns.is_empty() && table.columns.is_some() {
            self.diagnostics.push(Diagnostic::new(Code::BadDocument, table.span, "a table has at least one column"));
            complete = false;
        }
        complete.then_some(columns)
    }

    /// The content of a column: a fact of the aspect, else an attribute, an order or a part.
    fn content(&mut self, text: &Text, aspect: Aspect, subject: Subject) -> Option<Content> {
        let facts = aspect.facts().iter().map(|(fact, ..)| *fact);
        let mut known: Vec<(String, Content)> = facts.map(|it: Fact| (it.word().to_owned(), Content::Fact(it))).collect();
        let mut add = |prefix: &str, name: &str, content: Content| {
            known.push((format!("{prefix}.{name}"), content));
            if known.iter().all(|(it, _)| it != name) {
                known.push((name.to_owned(), content));
            }
        };
        match (aspect, subject) {
            (Aspect::States, Subject::Machine(idx)) => {
                let machine = &self.model.machines[idx];
                for (idx, attribute) in machine.attributes.iter().enumerate() {
                    add("attribute", &attribute.name, Content::Attribute(AttributeId::new(idx)));
                }
                for (idx, order) in machine.orders.iter().enumerate() {
                    add("order", &order.name, Content::Order(OrderId::new(idx)));
                }
            }
            (Aspect::Walkthrough | Aspect::Matrix, Subject::System(idx)) => {
                for (idx, part) in self.model.systems[idx].parts.iter().enumerate() {
                    add("part", &part.name, Content::Part(PartId::new(idx)));
                }
            }
            _ => {}
        }
        let found = known.iter().find(|(name, _)| *name == text.value).map(|(_, content)| *content);
        if found.is_none() {
            let message = format!("`{}` cannot be a column of `{}`", text.value.escape_debug(), aspect.word());
            let diagnostic = Diagnostic::new(Code::BadDocument, text.span, message);
            let short: Vec<_> = known.iter().map(|(name, _)| name.as_str()).filter(|it| !it.contains('.')).collect();
            self.diagnostics.push(match suggest(&text.value, short) {
                Some(help) => diagnostic.help(help),
                None => diagnostic,
            });
        }
        found
    }

    fn only(&mut self, table: &spec::document::Table, aspect: Aspect, subject: Subject) -> Option<Option<Vec<usize>>> {
        let Some(only) = &table.only else { return Some(None) };
        let (what, known) = match subject {
            Subject::Machine(idx) => machine_items(&self.model.machines[idx], aspect),
            Subject::System(idx) => system_items(&self.model.systems[idx], aspect),
        };
        if what.is_empty() {
            let message = format!("the rows of `{}` have no names to pick by", aspect.word());
            self.diagnostics.push(Diagnostic::new(Code::BadDocument, only.0.first().map_or(table.span, |it| it.span), message));
            return None;
        }
        self.picked(what, Some(only), known)
    }

    /// The positions of some names; `None` inside if all are meant.
    fn picked(&mut self, what: &'static str, only: Option<&OneOrMany<Text>>, known: Vec<&str>) -> Option<Option<Vec<usize>>> {
        let Some(only) = only else { return Some(None) };
        let mut picked = Vec::new();
        for name in &only.0 {
            match known.iter().position(|it| *it == name.value) {
                Some(idx) => picked.push(idx),
                None => unknown(what, name, known.clone(), self.diagnostics),
            }
        }
        (picked.len() == only.0.len()).then_some(Some(picked))
    }
}

/// The items that `only` selects from in a machine: a word for them, and the names.
fn machine_items(machine: &Machine, aspect: Aspect) -> (&'static str, Vec<&str>) {
    match (aspect.items(), aspect) {
        (Items::States, _) => ("state", machine.states.iter().map(|it| it.name.as_str()).collect()),
        (Items::Events, _) => ("event", machine.events.iter().map(|it| it.name.as_str()).collect()),
        (Items::Own, Aspect::Actors) => ("actor", machine.actors.iter().map(|it| it.name.as_str()).collect()),
        (Items::Own, Aspect::Effects) => ("effect", machine.effects.iter().map(|it| it.name.as_str()).collect()),
        (Items::Own, Aspect::Predicates) => ("predicate", machine.predicates.iter().map(|it| it.name.as_str()).collect()),
        (Items::Own, Aspect::Context) => ("field", machine.fields.iter().map(|it| it.name.as_str()).collect()),
        (Items::Own, Aspect::Constants) => ("constant", machine.constants.iter().map(|it| it.name.as_str()).collect()),
        (Items::Own, Aspect::Attributes) => ("attribute", machine.attributes.iter().map(|it| it.name.as_str()).collect()),
        (Items::Own, Aspect::Orders) => ("order", machine.orders.iter().map(|it| it.name.as_str()).collect()),
        _ => ("", Vec::new()),
    }
}

/// The items that `only` selects from in a system: a word for them, and the names.
fn system_items(system: &System, aspect: Aspect) -> (&'static str, Vec<&str>) {
    match (aspect.items(), aspect) {
        (Items::Walkthroughs, _) => ("walkthrough", system.walkthroughs.iter().map(|it| it.name.as_str()).collect()),
        (Items::Own, Aspect::Actors) => ("actor", system.actors.iter().map(|it| it.name.as_str()).collect()),
        (Items::Own, Aspect::Parts) => ("part", system.parts.iter().map(|it| it.name.as_str()).collect()),
        (Items::Own, Aspect::Transactions) => ("transaction", system.transactions.iter().map(|it| it.name.as_str()).collect()),
        _ => ("", Vec::new()),
    }
}

/// The tables that a view with options names.
fn tables(body: &spec::document::ViewBody) -> Vec<(Aspect, &spec::document::Table)> {
    let table = |aspect| match aspect {
        Aspect::States => &body.states,
        Aspect::Transitions => &body.transitions,
        Aspect::Adjacency => &body.adjacency,
        Aspect::Acceptance => &body.acceptance,
        Aspect::Refusals => &body.refusals,
        Aspect::Attributes => &body.attributes,
        Aspect::Actors => &body.actors,
        Aspect::Events => &body.events,
        Aspect::Effects => &body.effects,
        Aspect::Timers => &body.timers,
        Aspect::Predicates => &body.predicates,
        Aspect::Context => &body.context,
        Aspect::Constants => &body.constants,
        Aspect::Enums => &body.enums,
        Aspect::Thresholds => &body.thresholds,
        Aspect::Orders => &body.orders,
        Aspect::Parts => &body.parts,
        Aspect::Transactions => &body.transactions,
        Aspect::Matrix => &body.matrix,
        Aspect::Rules => &body.rules,
        Aspect::Links => &body.links,
        Aspect::Invariants => &body.invariants,
        Aspect::Placement => &body.placement,
        Aspect::Reach => &body.reach,
        Aspect::Walkthrough => &body.walkthrough,
        Aspect::Updates => &body.updates,
        Aspect::Surfaces => &body.surfaces,
        Aspect::Inferred => &body.inferred,
    };
    Aspect::ALL.iter().filter_map(|aspect| table(*aspect).as_ref().map(|table| (*aspect, table))).collect()
}
