//! Reads pages: every state diagram and every table of transitions in them.

use std::collections::BTreeMap;

use statespec_lang::source::{SourceId, Sources};

use super::draft::{Draft, Findings};
use super::held_against::state_of;
use super::naming::{Namer, machine_name, slug, without_number};
use super::other_tables::{NO_SOURCES, NO_STEPS};
use super::page::{About, Diagram, Piece, What, pieces};
use super::sections::{drawn, most_alike, tell_remarked_states, tell_shared_states};
use super::state_table::StateTable;
use super::table::{Edges, Table};
use super::{Markers, Options, beside, span};

/// The contents of a page.
pub(super) struct Read {
    pub(super) drafts: Vec<Draft>,
    /// The page with markers around the imported parts.
    pub(super) page: Option<String>,
}

/// The view of a machine that no region of a page has.
const MATRIX: &str = "matrix";

const DIAGRAM: &str = "diagram";

/// A machine of the page and the piece that it was read from.
pub(super) struct Machine {
    pub(super) draft: Draft,
    pub(super) piece: usize,
    view: &'static str,
}

impl Machine {
    pub(super) fn is_drawn(&self) -> bool {
        self.view == DIAGRAM
    }
}

/// Reads a page.
pub(super) fn read(sources: &Sources, id: SourceId, options: &Options, found: &mut Findings) -> Read {
    let source = sources.get(id);
    let text = source.text();
    let stem = stem(source.path());
    let pieces = pieces(text, id);
    let mut machines: Vec<Machine> = Vec::new();
    let mut forbidden = Vec::new();
    let mut n_failed = 0;
    let n_before = found.0.len();
    for (idx, piece) in pieces.iter().enumerate() {
        let What::Diagram(diagram) = &piece.what else { continue };
        if let Some(why) = piece.forbids() {
            found.loss(
                diagram.block().first_line(),
                format!("`{why}`: the diagram shows what is not allowed, so nothing was imported from it"),
            );
            continue;
        }
        let (name, title) = called(piece, &stem);
        match diagram.read(&name, title.as_deref()) {
            Ok(draft) => machines.push(Machine { draft, piece: idx, view: DIAGRAM }),
            Err(problem) => {
                n_failed += 1;
                found.0.push(problem);
            }
        }
    }
    let mut unread = Vec::new();
    let mut beside: BTreeMap<usize, Vec<Edges<'_>>> = BTreeMap::new();
    for (idx, piece) in pieces.iter().enumerate() {
        let What::Table(table) = &piece.what else { continue };
        let Some(edges) = Edges::new(table, id, piece.about(&stem)) else {
            unread.push((table, piece));
            continue;
        };
        if let Some(why) = why_no_machine(&edges, table, piece) {
            found.loss(span(id, edges.head_range()), why);
            continue;
        }
        let why = piece.forbids().filter(|_| !edges.is_explicit()).or(edges.forbids.then_some("forbidden"));
        if let Some(why) = why {
            forbidden.push((idx, edges, why));
            continue;
        }
        if let Some(heading) = piece.maps().filter(|_| edges.is_adjacency()) {
            let message = format!("`{heading}`: the table says which names become others, so nothing was imported from it");
            found.loss(span(id, edges.head_range()), message);
            continue;
        }
        match drawn(&edges, piece, &pieces, &machines) {
            Some(machine) => beside.entry(machine).or_default().push(edges),
            None => {
                let (name, title) = called(piece, &stem);
                let view = match edges.is_adjacency() {
                    _ if edges.is_matrix() => MATRIX,
                    true => "adjacency",
                    false => "transitions",
                };
                let draft = edges.draft(&name, title.as_deref());
                if draft.rows.is_empty() {
                    found.0.extend(draft.found.0);
                    found.loss(span(id, edges.head_range()), "no row of this table could be read as a step: nothing was imported from it");
                    continue;
                }
                machines.push(Machine { draft, piece: idx, view });
            }
        }
    }
    for (machine, tables) in beside {
        beside::compare(&tables, &mut machines[machine].draft, id);
    }
    for (table, piece) in unread {
        tell_unread(table, piece, piece.about(&stem), &pieces, &mut machines, id, found);
    }
    let n_forbidden = forbidden.len();
    for (idx, edges, why) in forbidden {
        match most_alike(&edges, &pieces[idx], &pieces, &machines, |_| true) {
            Some(machine) => beside::forbid(edges, &mut machines[machine].draft),
            None => {
                let message = format!("`{why}`: the table lists what is not allowed, so nothing was imported from it");
                found.loss(span(id, edges.head_range()), message);
            }
        }
    }
    machines.sort_by_key(|it| it.piece);
    let mut namer = Namer::new("machine", statespec_lang::names::snake);
    for machine in &mut machines {
        machine.draft.name = namer.fresh(&machine_name(&machine.draft.name));
    }
    tell_shared_states(&mut machines, &pieces);
    tell_remarked_states(&mut machines);
    if machines.is_empty() && n_failed == 0 {
        let message = if n_forbidden > 0 {
            "this page lists forbidden transitions only"
        } else if found.0.len() > n_before {
            "nothing of this page was imported"
        } else {
            "no state diagram was found in this page, and no table that the import knows as one of transitions"
        };
        found.unreadable_help(
            span(id, 0..1),
            message,
            "a diagram stands in a ```mermaid or ```plantuml block; a table has columns such as From, To and Trigger",
        );
    }
    if let Some(only) = &options.only {
        let known: Vec<String> = machines.iter().map(|it| format!("`{}`", it.draft.name)).collect();
        machines.retain(|it| it.draft.name == *only);
        if machines.is_empty() && !known.is_empty() {
            let message = format!("this page has no machine `{only}`");
            found.unreadable_help(span(id, 0..1), message, format!("there are: {}", known.join(", ")));
        }
    }
    let page = options.markers.and_then(|it| mark(text, &pieces, &machines, it, id, found));
    Read { drafts: machines.into_iter().map(|it| it.draft).collect(), page }
}

/// Why the steps of a table are none of a machine.
fn why_no_machine(edges: &Edges<'_>, table: &Table, piece: &Piece) -> Option<String> {
    if let Some(heading) = edges.tests().or(piece.tests()) {
        return Some(lists_tests(heading));
    }
    if let Some(heading) = table.times() {
        return Some(format!("`{heading}`: the table lists steps that were taken once, so nothing was imported from it"));
    }
    edges.subjects().map(|heading| {
        format!("the column `{heading}` says that the rows are about different things: the table was not read; give each of them its own")
    })
}

/// Reads what a table says that is none of steps, or tells that it was not read.
fn tell_unread(table: &Table, piece: &Piece, about: About, pieces: &[Piece], machines: &mut [Machine], id: SourceId, found: &mut Findings) {
    let head = span(id, table.head_range());
    let about_states = about != About::Others;
    if let Some(why) = table.why_no_matrix().filter(|_| about_states) {
        found.loss(head, format!("this table was not read: {why}"));
        return;
    }
    let has_traits = |it: &Machine| StateTable::new(table, &it.draft).is_some_and(|it| it.has_traits());
    let has_traits = table.sides().1.is_none() && machines.iter().any(has_traits);
    if !has_traits && machines.iter().any(|it| table.names_states_of(&it.draft)) {
        found.loss(head, table.tests().map_or(table.why_no_steps().to_owned(), |it| lists_tests(&it)));
        return;
    }
    if !has_traits && table.looks_like_steps() && (about_states || piece.is_about_foreign_states()) {
        found.loss(head, table.why_no_steps());
        return;
    }
    if let Some(heading) = table.steps_of_anything(about_states) {
        let message = format!("whether the column `{heading}` has steps between states cannot be told: this table was not read");
        found.loss(head, message);
        return;
    }
    if table.has_transitions() || table.lists_ends() {
        found.loss(head, NO_STEPS);
        return;
    }
    // Of several machines with these states, the one of the same section, and the last one above.
    let fit = |it: &Machine| {
        let n_rows = StateTable::new(table, &it.draft)?.n_rows();
        Some((n_rows, pieces[it.piece].headings == piece.headings, pieces[it.piece].range.start < piece.range.start))
    };
    let best = (0..machines.len()).filter(|it| fit(&machines[*it]).is_some()).max_by_key(|it| fit(&machines[*it]));
    let states = best.and_then(|it| Some((it, StateTable::new(table, &machines[it].draft)?)));
    if let Some((best, states)) = states {
        for (place, name) in states.unknown(|name| machines.iter().any(|it| state_of(&it.draft, name).is_some())) {
            found.loss(span(id, place), format!("this table has a state `{name}`, but no machine of this page does: it was left out"));
        }
        let is_drawn = machines[best].is_drawn();
        let column = states.column();
        states.read(&mut machines[best].draft, is_drawn, id);
        // A machine of some of these states has the same ends.
        for machine in machines.iter_mut().enumerate().filter(|it| it.0 != best).map(|it| it.1) {
            let is_drawn = machine.is_drawn();
            if let Some(states) = StateTable::of_whole(table, column, &machine.draft).filter(|it| !it.traits().is_empty()) {
                states.read_traits(&mut machine.draft, is_drawn, id);
            }
        }
        if table.names_states_beside(column, |name| machines.iter().any(|it| state_of(&it.draft, name).is_some())) {
            found.loss(head, "this table names states in several columns: how they belong together was left out");
        }
    } else if (about_states && table.lacks_sources()) || machines.iter().any(|it| table.names_targets_of(&it.draft)) {
        found.loss(head, NO_SOURCES);
    } else if let Some(of) = machines.iter().find(|it| table.mentions(&it.draft)) {
        found.loss(head, format!("this table names states of `{}`, and was not read", machine_name(&of.draft.name)));
    } else if table.may_be_of_states(about_states) {
        found.loss(head, NO_STEPS);
    }
}

/// The message about a table with this heading of test cases.
fn lists_tests(heading: &str) -> String {
    format!("`{heading}`: the table lists test cases, so nothing was imported from it")
}

/// The file's name without folder and extension.
pub(super) fn stem(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.split_once('.').map_or(name, |(stem, _)| stem).to_owned()
}

/// The name of a diagram in the page, and a title if there is a specific heading.
fn called(piece: &Piece, stem: &str) -> (String, Option<String>) {
    let telling = piece.headings.iter().rev().find(|it| !is_generic(it));
    match telling {
        Some(heading) => (heading.clone(), Some(without_number(heading).to_owned())),
        None => (stem.to_owned(), None),
    }
}

/// Generic headings that are unsuitable as names.
pub(super) fn is_generic(heading: &str) -> bool {
    let words = slug(without_number(heading), "x");
    matches!(
        words.as_str(),
        "x" | "diagram"
            | "diagrams"
            | "state_diagram"
            | "state_diagrams"
            | "state_machine"
            | "states"
            | "state_machine_diagram"
            | "mermaid"
            | "mermaid_diagram"
            | "plantuml"
            | "plantuml_diagram"
            | "overview"
            | "example"
            | "examples"
            | "transitions"
            | "allowed_transitions"
            | "valid_transitions"
            | "state_transitions"
            | "transition_table"
            | "state_transition_table"
            | "state_transition_diagram"
            | "adjacency"
            | "usage"
            | "introduction"
    )
}

/// The page with markers around the imported parts.
fn mark(text: &str, pieces: &[Piece], machines: &[Machine], markers: Markers, id: SourceId, found: &mut Findings) -> Option<String> {
    let regions = (markers.read)(text);
    let line_of = |offset: usize| text[..offset].matches('\n').count();
    let mut marked = String::new();
    let mut from = 0;
    for machine in machines {
        let piece = &pieces[machine.piece];
        let name = format!("{}.{}", machine.draft.name, machine.view);
        let start = text[..piece.range.start].rfind('\n').map_or(0, |it| it + 1);
        let end = text[..piece.range.end].trim_end().len();
        let line = line_of(piece.range.start);
        let place = span(id, start..start + text[start..].find('\n').unwrap_or(0));
        if let What::Diagram(Diagram::PlantUml(_)) = piece.what {
            found.loss(place, format!("no markers were added around `{name}`: a region of a page holds the diagram for Mermaid"));
        } else if machine.view == MATRIX {
            found.loss(place, format!("no markers were added around `{name}`: a region of a page holds a table with a row for each step"));
        } else if piece.contained || !text[start..piece.range.start].trim().is_empty() {
            found.loss(
                place,
                format!("no markers were added around `{name}`: it is inside a list, a quote or an admonition, and markers need lines of their own"),
            );
        } else if let Some((known, _)) = regions.iter().find(|(_, lines)| lines.start < line && line < lines.end) {
            found.ignored(place, format!("it is already in the region `{known}`"));
        } else {
            marked.push_str(&text[from..start]);
            let body = format!("{}\n", &text[start..end]);
            marked.push_str(&(markers.around)(&name, &body));
            from = end;
        }
    }
    marked.push_str(&text[from..]);
    (from > 0).then_some(marked)
}
