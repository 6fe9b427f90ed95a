//! Lists of values: a table with a row for each state, or bullets.

use crate::phrase::words;
use statespec_lang::source::SourceId;

use super::cell::{Cell, Names, Value};
use super::spec::Words;
use super::vocabulary::{self, Column, Heading, Sense};
use super::{Bullets, Table};
use crate::Kind;
use crate::draft::{Draft, State};
use crate::span;

/// The states that a table lists in its first column, beside descriptions. `about_states` is whether the text around it speaks of states.
pub(super) fn of_table(table: &Table, name: &str, about_states: bool, id: SourceId) -> Option<Result<Draft, String>> {
    let (first, rest) = table.head.split_first()?;
    let is_list = match vocabulary::heading(&first.text())? {
        Heading::State => true,
        Heading::Value => about_states,
        _ => false,
    };
    // One more column of states is a step, or a translation.
    let is_about_steps = |it: &Cell| {
        matches!(
            vocabulary::heading(&it.text()),
            Some(Heading::Of(Column::From | Column::To | Column::Event, _) | Heading::State | Heading::Foreign)
        )
    };
    if !is_list || rest.iter().any(is_about_steps) {
        return None;
    }
    let cells: Vec<&Cell> = table.rows.iter().map(|it| it.first()).collect::<Option<_>>()?;
    let mut draft = match of_cells(&cells, name, id) {
        Ok(draft) => draft,
        Err(why) => return Some(Err(format!("its column `{}` {why}", first.text()))),
    };
    let known: Vec<&str> = draft.states.iter().map(|it| it.id.as_str()).collect();
    for row in &table.rows {
        if let Some((head, _)) = rest.iter().zip(row.iter().skip(1)).find(|(_, cell)| cell.lists(&known)) {
            return Some(Err(format!("its column `{}` names states, and its heading is none of those of steps", head.text())));
        }
    }
    for (row, state) in table.rows.iter().zip(&mut draft.states) {
        for (head, cell) in rest.iter().zip(row.iter().skip(1)) {
            let key = words(&head.text()).join(" ");
            let is_yes = cell.sense(&Words::default()) == Some(Sense::Yes);
            let says = |word: &str| (key == word && is_yes) || (key == "kind" && words(&cell.text()).iter().any(|it| it == word));
            state.terminal |= says("terminal") || says("final");
            state.initial |= says("initial");
            let has_text = !cell.is_empty() && cell.sense(&Words::default()) != Some(Sense::Nothing);
            match vocabulary::heading(&head.text()) {
                Some(Heading::Of(Column::Doc, _)) if has_text => state.doc.push(cell.text()),
                _ if key == "label" && has_text => state.label = Some(cell.text()),
                _ => {}
            }
        }
    }
    Some(Ok(draft))
}

/// The states that bullets list: each begins with one text in code marks.
pub(super) fn of_bullets(bullets: &Bullets, name: &str, about_states: bool, id: SourceId) -> Option<Draft> {
    let cells: Vec<&Cell> = bullets.items.iter().collect();
    of_cells(&cells, name, id).ok().filter(|_| about_states)
}

/// The states of cells, each with the name of one; or why they are none.
fn of_cells(cells: &[&Cell], name: &str, id: SourceId) -> Result<Draft, String> {
    let words = Words::default();
    let names = Names::of(cells.iter().copied(), &words, false);
    let [first, _, ..] = cells else { return Err("has fewer than two rows".to_owned()) };
    let mut draft = Draft::new(Kind::Table, name, span(id, first.range.clone()));
    for cell in cells {
        let only = match cell.value(&words, &names) {
            Value::Names(found) => <[String; 1]>::try_from(found).ok(),
            _ => None,
        };
        let Some([only]) = only else {
            return Err(format!("has `{}`, which is not the name of one state", cell.text().replace('\n', " ")));
        };
        if draft.states.iter().any(|it| it.id == only) {
            return Err(format!("names `{only}` twice"));
        }
        draft.states.push(State::new(only, None, span(id, cell.range.clone())));
    }
    draft.complete = false;
    Ok(draft)
}
