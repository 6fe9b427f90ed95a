//! Reads pages: every state diagram, every table of steps, and every list of states in them.

use statespec_lang::diagnostic::{Code, Diagnostic};
use statespec_lang::expr::parse_duration;
use statespec_lang::mermaid::made_up;
use statespec_lang::names::snake;
use statespec_lang::source::{SourceId, Sources};

use super::draft::{Draft, Findings, From, Row, State, Trigger};
use super::naming::{Namer, is_generic, machine_name, stem, without_number};
use super::page::{Diagram, Piece, What, pieces};
use super::table::cell::{CODE, Cell};
use super::table::{self, Reading};
use super::{Markers, Options, TableSpec, span};

/// The contents of a page.
pub(super) struct Read {
    pub(super) drafts: Vec<Draft>,
    /// What the page says of these machines once more, and sets of states without steps.
    pub(super) others: Vec<Draft>,
    /// The page with markers around the imported parts.
    pub(super) page: Option<String>,
}

/// The view of a machine that no region of a page has.
const MATRIX: &str = "matrix";

const DIAGRAM: &str = "diagram";

/// A list of states, which is no machine.
const VALUES: &str = "values";

/// A machine of the page and the piece that it was read from.
struct Machine {
    draft: Draft,
    piece: usize,
    view: &'static str,
    /// The name that the page gives it.
    called: String,
}

/// Reads a page.
pub(super) fn read(sources: &Sources, id: SourceId, options: &Options, found: &mut Findings) -> Read {
    let source = sources.get(id);
    let text = source.text();
    let stem = stem(source.path());
    let pieces = pieces(text, id);
    let n_before = found.0.len();
    let mut machines = match &options.table {
        Some(spec) => pointed_at(spec, &pieces, &stem, id, found),
        None => by_rules(source.path(), &pieces, &stem, id, found),
    };
    let mut namer = Namer::new("machine", snake);
    for machine in &mut machines {
        machine.draft.name = namer.fresh(&machine_name(&machine.draft.name));
    }
    let (mut machines, mut others) = once_each(machines, &pieces);
    if let Some(only) = &options.only {
        let known: Vec<String> = machines.iter().map(|it| format!("`{}`", it.draft.name)).collect();
        let is_one = |it: &Machine| it.draft.name == *only && !it.draft.rows.is_empty();
        machines.extend(others.extract_if(.., |(it, _)| is_one(it)).map(|(it, _)| it));
        machines.retain(is_one);
        if machines.is_empty() && !known.is_empty() {
            let message = format!("this page has no machine `{only}`");
            found.unreadable_help(span(id, 0..1), message, format!("there are: {}", known.join(", ")));
        }
        others.clear();
    }
    let line_of = |machine: &Machine| text[..pieces[machine.piece].range.start].matches('\n').count() + 1;
    for (other, of) in &others {
        let message = match of {
            Some(of) => {
                let machine = machines.iter().find(|it| it.draft.name == *of).map_or(0, line_of);
                let (path, name) = (source.path(), &other.draft.name);
                format!(
                    "line {machine} describes this machine, too, and was imported: `statespec compare {path}#{of} {path}#{name}` compares them"
                )
            }
            None => "this lists states, and no steps: no spec was made of it, but `compare` and `scan` read it".to_owned(),
        };
        found.ignored(other.draft.span, message);
    }
    if machines.is_empty() && others.is_empty() && !found.0[n_before..].iter().any(|it| it.code == Code::ImportUnreadable) {
        let message = match found.0.len() > n_before {
            true => "nothing of this page was imported",
            false => "no state diagram was found in this page, and no table of transitions",
        };
        let help = "a diagram stands in a ```mermaid or ```plantuml block; a table has columns such as From, To and Trigger";
        found.unreadable_help(span(id, 0..1), message, help);
    }
    let page = options.markers.and_then(|it| mark(text, &pieces, &machines, it, id, found));
    let of = |it: Machine| it.draft;
    Read { drafts: machines.into_iter().map(of).collect(), others: others.into_iter().map(|it| it.0.draft).collect(), page }
}

/// Everything of a page that the rules read.
fn by_rules(path: &str, pieces: &[Piece], stem: &str, id: SourceId, found: &mut Findings) -> Vec<Machine> {
    let mut machines = Vec::new();
    let mut n_tables = 0;
    // What this program makes draws a machine, and shows it in tables.
    let is_drawn = |of: &Piece| of.own.is_some() && pieces.iter().any(|it| it.own == of.own && matches!(it.what, What::Diagram(_)));
    for (idx, piece) in pieces.iter().enumerate() {
        let (called, title) = called(piece, stem);
        let mut add = |mut draft: Draft, view| {
            if piece.own.is_some() {
                mark_timers(&mut draft);
            }
            machines.push(Machine { draft, piece: idx, view, called: called.clone() });
        };
        match &piece.what {
            What::Diagram(diagram) => {
                if let Some(why) = piece.forbids() {
                    let message = format!("`{why}`: the diagram shows what is not allowed, so nothing was imported from it");
                    found.loss(diagram.block().first_line(), message);
                    continue;
                }
                match diagram.read(&called, title.as_deref()) {
                    Ok(mut draft) => {
                        add_loops(&mut draft, &piece.behind);
                        add(draft, DIAGRAM);
                    }
                    Err(problem) => found.0.push(problem),
                }
            }
            What::Table(table) => {
                n_tables += 1;
                if is_drawn(piece) {
                    continue;
                }
                match table::read(table, &called, title.as_deref(), &piece.around(pieces), None, id) {
                    Reading::Steps(draft, view) => add(draft, view),
                    Reading::Values(draft) => add(draft, VALUES),
                    // What else this program shows of a machine, or of a system, is in the specs.
                    Reading::Unread(_) if piece.own.is_some() => {}
                    Reading::Unread(why) => {
                        let message = format!("this table was not read: {why}");
                        let columns = table::suggested(table);
                        let help = format!("`statespec import {path} --table {n_tables} --columns {columns}` reads it, with its columns");
                        found.0.push(Diagnostic::new(Code::ImportLoss, span(id, table.head_range()), message).help(help));
                    }
                    Reading::Other => {}
                }
            }
            What::Bullets(_) if piece.own.is_some() => {}
            What::Bullets(bullets) => {
                if let Some(draft) = table::read_bullets(bullets, &called, &piece.around(pieces), id) {
                    add(draft, VALUES);
                }
            }
        }
    }
    complete_own(machines, pieces)
}

/// The machines, with what the tables of states on pages of this program say of them in place of these tables.
fn complete_own(machines: Vec<Machine>, pieces: &[Piece]) -> Vec<Machine> {
    let (mut machines, values): (Vec<Machine>, Vec<Machine>) =
        machines.into_iter().partition(|it| it.view != VALUES || pieces[it.piece].own.is_none());
    // The table of events names the steps of some of them again.
    let steps =
        |it: &Machine| (pieces[it.piece].own.clone(), it.draft.rows.len(), it.draft.states.iter().map(|it| it.id.clone()).collect());
    let all: Vec<(Option<String>, usize, std::collections::BTreeSet<String>)> = machines.iter().map(steps).collect();
    machines.retain(|it| {
        let (own, n_rows, states) = steps(it);
        own.is_none() || !all.iter().any(|other| other.0 == own && other.1 > n_rows && other.2.is_superset(&states))
    });
    for list in values {
        let Some(whole) = machines.iter_mut().find(|it| pieces[it.piece].own == pieces[list.piece].own) else {
            machines.push(list);
            continue;
        };
        for state in list.draft.states {
            let idx = whole.draft.state_at(&state.id, state.span);
            let known = &mut whole.draft.states[idx];
            known.initial |= state.initial;
            known.terminal |= state.terminal;
            known.label = known.label.take().or(state.label);
            known.doc = state.doc;
        }
    }
    machines.sort_by_key(|it| it.piece);
    machines
}

/// The table that a person points at.
fn pointed_at(spec: &TableSpec, pieces: &[Piece], stem: &str, id: SourceId, found: &mut Findings) -> Vec<Machine> {
    let is_within = |it: &Piece| spec.within.as_ref().is_none_or(|within| within.contains(&it.range.start));
    let tables = || {
        let pieces = pieces.iter().enumerate().filter(|(_, it)| is_within(it));
        pieces.filter_map(|(idx, it)| if let What::Table(table) = &it.what { Some((idx, it, table)) } else { None })
    };
    let part = if spec.within.is_some() { "part" } else { "page" };
    let n_tables = tables().count();
    let number = spec.table.unwrap_or(1);
    let picked = tables().nth(number.wrapping_sub(1)).filter(|_| spec.table.is_some() || n_tables == 1);
    let Some((idx, piece, table)) = picked else {
        let message = match (spec.table, n_tables) {
            (_, 0) => format!("this {part} has no table"),
            (Some(number), _) => format!("this {part} has no table {number}: it has {n_tables}"),
            (None, _) => format!("this {part} has {n_tables} tables: name one with `--table`, or with `table` in `statespec.toml`"),
        };
        found.unreadable(span(id, 0..1), message);
        return Vec::new();
    };
    let (called, title) = called(piece, stem);
    match table::read(table, &called, title.as_deref(), &piece.around(pieces), Some(spec), id) {
        Reading::Steps(draft, view) => vec![Machine { draft, piece: idx, view, called }],
        Reading::Values(draft) => vec![Machine { draft, piece: idx, view: VALUES, called }],
        Reading::Unread(why) => {
            found.unreadable(span(id, table.head_range()), format!("this table was not read: {why}"));
            Vec::new()
        }
        Reading::Other => {
            let help = "`--columns from=1,event=2,to=3` says which columns have the states";
            found.unreadable_help(span(id, table.head_range()), "the headings of this table name no columns of steps", help);
            Vec::new()
        }
    }
}

/// The machines, and what says less: a table of a machine that is drawn, or was read before, with the name of that one; and lists of states.
fn once_each(machines: Vec<Machine>, pieces: &[Piece]) -> (Vec<Machine>, Vec<(Machine, Option<String>)>) {
    let names = |it: &Machine| it.draft.states.iter().map(|it| snake(&it.id)).collect::<std::collections::BTreeSet<String>>();
    let is_same = |a: &Machine, b: &Machine| {
        let (of_a, of_b) = (names(a), names(b));
        let is_near = a.called == b.called || pieces[a.piece].headings == pieces[b.piece].headings;
        of_a == of_b || (is_near && a.view == DIAGRAM && (of_a.is_subset(&of_b) || of_b.is_subset(&of_a)))
    };
    let (values, steps): (Vec<Machine>, Vec<Machine>) = machines.into_iter().partition(|it| it.view == VALUES);
    let (mut kept, tables): (Vec<Machine>, Vec<Machine>) = steps.into_iter().partition(|it| it.view == DIAGRAM);
    let mut others: Vec<(Machine, Option<String>)> = values.into_iter().map(|it| (it, None)).collect();
    for table in tables {
        match kept.iter().find(|it| is_same(it, &table)).map(|it| it.draft.name.clone()) {
            Some(of) => others.push((table, Some(of))),
            None => kept.push(table),
        }
    }
    kept.sort_by_key(|it| it.piece);
    others.sort_by_key(|it| it.0.piece);
    (kept, others)
}

/// On a page that this program made, `after 2m` is a timer and no event.
fn mark_timers(draft: &mut Draft) {
    for row in draft.rows.iter_mut().filter(|it| matches!(it.from, From::State(_)) && it.trigger == Trigger::Events) {
        let [event] = row.events.as_slice() else { continue };
        let duration = event.strip_prefix("after ").filter(|it| parse_duration(it).is_some()).map(str::to_owned);
        if let Some(duration) = duration {
            row.after = duration;
            row.trigger = Trigger::After;
            row.events.clear();
        }
    }
}

/// The words before the steps that a generated page lists below its diagram.
const LOOPS: &str = "Transitions back to the same state:";

/// Adds the steps that a generated page leaves out of its diagram, and lists below it: ``Transitions back to the same state: `a` (go).``
fn add_loops(draft: &mut Draft, behind: &Cell) {
    let Some(list) = behind.plain.trim().strip_prefix(LOOPS) else { return };
    let mut codes = behind.codes.iter();
    let mut loops: Vec<(&str, String)> = Vec::new();
    for part in list.trim().split("; ") {
        let mut signs = part.chars();
        match loops.last_mut() {
            // A label may have a semicolon, too.
            Some((_, label)) if !part.starts_with(CODE) => label.push_str("; "),
            _ => {
                signs.next();
                loops.push((codes.next().map_or("", String::as_str), String::new()));
            }
        }
        let Some((_, label)) = loops.last_mut() else { return };
        for sign in signs {
            match sign {
                CODE => label.extend(codes.next().map(String::as_str)),
                other => label.push(other),
            }
        }
    }
    for (name, label) in loops {
        // A name that Mermaid cannot have as an id is drawn under another one, with the name or its label beside it.
        let find = |is_it: &dyn Fn(&State) -> bool| draft.states.iter().position(is_it);
        let found = find(&|it| it.id == name).or_else(|| find(&|it| it.label.as_deref() == Some(name)));
        let Some(state) = found.or_else(|| find(&|it| made_up(name, &it.id))) else {
            draft.found.loss(draft.span, format!("`{name}` is listed below the diagram, which has no such state"));
            continue;
        };
        let row = Row::new(From::State(state), Some(state), draft.span);
        let label = label.trim().trim_end_matches('.').strip_prefix('(').and_then(|it| it.strip_suffix(')'));
        draft.rows.push(label.map_or(row.clone(), |it| row.with_label(it)));
    }
    draft.settle_otherwise();
}

/// The name of a diagram in the page, and a title if there is a specific heading.
fn called(piece: &Piece, stem: &str) -> (String, Option<String>) {
    let telling = piece.headings.iter().rev().find(|it| !is_generic(it));
    match telling {
        Some(heading) => (heading.clone(), Some(without_number(heading).to_owned())),
        None => (stem.to_owned(), None),
    }
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
