//! PaperTrail keeps the changes of all attributes of a record in one column, as JSON or as YAML.

use granit_parser::{Event, Parser, ScalarStyle, options};

use super::columns::Cell;
use super::shown::plain;

/// The deepest nesting of YAML.
const MAX_DEPTH: usize = 64;

/// The columns of a table of PaperTrail.
#[derive(Debug)]
pub(crate) struct Versions {
    /// The position of the column with the changes.
    pub(crate) changes: usize,
    /// The position of the column that says `create`, `update` or `destroy`.
    pub(crate) event: usize,
    /// The attribute that has the state.
    pub(crate) attribute: String,
}

/// The state before and after, from the column with the changes of all attributes; `None` if the state did not change.
pub(crate) fn change<'a>(versions: &Versions, value: &dyn Fn(usize) -> Cell<'a>) -> Result<Option<[Option<String>; 2]>, String> {
    let text = value(versions.changes).flatten().unwrap_or_default().trim();
    let is_destroyed = value(versions.event).flatten() == Some("destroy");
    let found = match text {
        "" => None,
        text if text.starts_with('{') => json_change(text, &versions.attribute)?,
        text => yaml_change(text, &versions.attribute)?,
    };
    // A record that is destroyed has no state, whether or not its last one was kept.
    Ok(match found {
        Some([from, _]) if is_destroyed => Some([from, None]),
        None if is_destroyed => Some([None, None]),
        found => found,
    })
}

fn json_change(text: &str, attribute: &str) -> Result<Option<[Option<String>; 2]>, String> {
    let changes: serde_json::Map<String, serde_json::Value> =
        serde_json::from_str(text).map_err(|_| "`object_changes` is no JSON object".to_owned())?;
    let Some(pair) = changes.get(attribute) else { return Ok(None) };
    let text = |it: &serde_json::Value| match it {
        serde_json::Value::Null => Some(None),
        serde_json::Value::String(it) => Some(Some(it.clone())),
        serde_json::Value::Number(it) => Some(Some(it.to_string())),
        _ => None,
    };
    match pair.as_array().map(Vec::as_slice) {
        Some([from, to]) => match (text(from), text(to)) {
            (Some(from), Some(to)) => Ok(Some([from, to])),
            _ => Err(format!("`{attribute}` in `object_changes` is no pair of states")),
        },
        _ => Err(format!("`{attribute}` in `object_changes` is no pair of states")),
    }
}

/// The form that Ruby writes: a map from each attribute to a list of its two values.
fn yaml_change(text: &str, attribute: &str) -> Result<Option<[Option<String>; 2]>, String> {
    let options = options! { flow_nesting_limit: MAX_DEPTH, block_nesting_limit: MAX_DEPTH, emit_unresolved_aliases: true };
    let not_a_pair = || format!("`{attribute}` in `object_changes` is no pair of states");
    let (mut depth, mut n_values) = (0, 0);
    // The place in the pair, once the attribute was read.
    let mut pair: Option<Vec<Option<String>>> = None;
    for event in Parser::new_from_str_with_options(text, options) {
        let (event, _) = event.map_err(|error| format!("`object_changes` is no YAML: {}", plain(&error.info())))?;
        // The values of the map itself are its keys and what they have, in turn.
        let is_key = depth == 1 && n_values % 2 == 0;
        if depth == 1 && matches!(event, Event::Scalar(..) | Event::SequenceStart(..) | Event::MappingStart(..) | Event::UnresolvedAlias(_))
        {
            n_values += 1;
        }
        match (event, &mut pair) {
            (Event::Scalar(key, ..), None) if is_key && key == attribute => pair = Some(Vec::new()),
            (Event::SequenceStart(..), Some(_)) if depth == 1 => depth += 1,
            (Event::Scalar(value, style, ..), Some(values)) if depth == 2 => {
                let is_nothing = style == ScalarStyle::Plain && ["", "~", "null", "Null", "NULL"].contains(&&*value);
                values.push((!is_nothing).then(|| value.into_owned()));
            }
            (Event::SequenceEnd, Some(values)) if depth == 2 => {
                return match std::mem::take(values).try_into() {
                    Ok(pair) => Ok(Some(pair)),
                    Err(_) => Err(not_a_pair()),
                };
            }
            (Event::SequenceStart(..) | Event::MappingStart(..), None) => depth += 1,
            (Event::SequenceEnd | Event::MappingEnd, None) => depth -= 1,
            (Event::Scalar(..) | Event::SequenceStart(..) | Event::MappingStart(..) | Event::UnresolvedAlias(_), Some(_)) => {
                return Err(not_a_pair());
            }
            _ => {}
        }
    }
    Ok(None)
}
