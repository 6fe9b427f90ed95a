//! Who may do a step, as cells of tables say it: `Admin (any time) or Borrower`.

use super::cell::Cell;
use super::phrase::{outside_brackets, split_arrow, without_prefix, words};

/// The actors in a cell; without names, anyone.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Actors {
    pub(super) names: Vec<String>,
    /// What the cell says besides: `(before due)`.
    pub(super) notes: Vec<String>,
    /// Whether `and` was read as `or`.
    pub(super) guessed: bool,
    /// Whether someone is left out, so that who is meant cannot be told.
    pub(super) unclear: bool,
}

impl Cell {
    /// Who may do it.
    pub(super) fn actors(&self) -> Actors {
        let mut actors = Actors::default();
        if self.is_nothing() {
            return actors;
        }
        let anyone = ["anyone", "any", "anybody", "everyone", "everybody", "all", "public"];
        let mut is_anyone = false;
        let pieces = match self.only_codes() {
            true => self.codes.clone(),
            false => outside_brackets(&self.text, &[",", ";", "\n", "/", "|", " & ", " + ", " or ", " OR ", " and "]),
        };
        // `editor+` is one name.
        actors.guessed = !self.only_codes() && outside_brackets(&self.text, &[" and ", " & ", " + "]).len() > 1;
        let is_list_of_several = pieces.len() > 1;
        let is_capital = pieces.first().is_some_and(|it| it.trim_start().starts_with(char::is_uppercase));
        for piece in pieces {
            // `!retired`, `amount > 10`
            if is_condition(&piece) {
                actors.notes.push(piece.trim().to_owned());
                continue;
            }
            let (name, notes) = actor(&piece);
            actors.notes.extend(notes);
            let words = words(&name);
            let is_small = is_capital && name.starts_with(char::is_lowercase);
            if is_list_of_several && (is_aside(&words) || (is_small && says_how(&words))) {
                actors.notes.push(name);
                continue;
            }
            // `Clerk -> Office` is a way.
            actors.unclear |= split_arrow(&name).is_some();
            // `Gateway sets a flag; Coordinator applies it`, `Host approves, then Admin`: sentences, and no names.
            let is_list = self.text.contains(';');
            actors.unclear |= words.len() > if is_list { 2 } else { 4 };
            actors.unclear |= words.iter().any(|it| matches!(it.as_str(), "then" | "who" | "which"));
            // `anyone except guests`: a list of actors has no such thing.
            actors.unclear |= words.iter().any(|it| matches!(it.as_str(), "except" | "excluding" | "not" | "but" | "without" | "unless"))
                || words.first().is_some_and(|it| it == "same");
            is_anyone |= anyone.contains(&words.join(" ").as_str());
            if !words.is_empty() && !actors.names.contains(&name) {
                actors.names.push(name);
            }
        }
        actors.unclear |= !is_anyone && actors.names.is_empty();
        if is_anyone || actors.unclear {
            actors.names.clear();
        }
        actors
    }
}

/// Whether a part of a list says how or when it is done rather than by whom: `following a payment`, `reason required`, `once`. A longer
/// text is a sentence.
fn is_aside(words: &[String]) -> bool {
    const LONGEST: usize = 4;
    const SMALL: &[&str] = &[
        "a",
        "an",
        "the",
        "on",
        "upon",
        "at",
        "in",
        "into",
        "by",
        "with",
        "as",
        "from",
        "for",
        "to",
        "of",
        "per",
        "via",
        "through",
        "due",
        "following",
        "subject",
        "based",
        "depending",
        "including",
        "requires",
        "needs",
        "must",
        "may",
        "can",
        "once",
        "because",
        "since",
        "that",
        "which",
    ];
    const SINGLE: &[&str] =
        &["once", "twice", "always", "automatically", "manually", "optional", "optionally", "required", "mandatory", "directly"];
    let [first, rest @ ..] = words else { return false };
    let Some(last) = rest.last() else { return SINGLE.contains(&first.as_str()) };
    let is_participle = first.ends_with("ing") && SMALL.contains(&rest[0].as_str());
    let is_count = SINGLE.contains(&first.as_str()) || first.starts_with(|it: char| it.is_ascii_digit());
    let is_needed = matches!(last.as_str(), "required" | "needed" | "mandatory" | "optional");
    words.len() <= LONGEST && (SMALL.contains(&first.as_str()) || is_participle || is_count || is_needed)
}

/// Whether a part of a list of actors with a capital is one word of how it is done: `approved`, `usually`.
fn says_how(words: &[String]) -> bool {
    matches!(words, [word] if word.ends_with("ed") || word.ends_with("ly"))
}

/// Whether a part of a list is a condition of code.
fn is_condition(piece: &str) -> bool {
    let piece = piece.trim().trim_start_matches('`');
    piece.starts_with('!') || piece.contains(['=', '<', '>', '≥', '≤', '≠'])
}

/// The name of an actor, and what is said of when it may do it: `only Admin (any time)`.
fn actor(text: &str) -> (String, Vec<String>) {
    let mut notes = Vec::new();
    let mut name = text.trim();
    let outside;
    if let Some((before, rest)) = name.split_once('(') {
        let (inside, behind) = rest.rsplit_once(')').unwrap_or((rest, ""));
        if words(before).is_empty() && words(behind).is_empty() {
            // `(system)`
            name = inside.trim();
        } else {
            notes.push(format!("({})", inside.trim()));
            outside = format!("{} {}", before.trim(), behind.trim());
            name = outside.trim();
        }
    }
    const CONDITIONS: &[&str] =
        &["if", "when", "while", "before", "after", "until", "during", "within", "via", "with", "upon", "following", "once", "through"];
    let mut name = without_prefix(name, &["or", "only", "by"]).unwrap_or(name).trim();
    name = without_prefix(name, &["the", "a", "an"]).unwrap_or(name).trim();
    if let Some(at) = remark_at(name) {
        notes.push(name[at..].trim().to_owned());
        name = name[..at].trim();
    }
    let begins = |at: &usize| without_prefix(&name[*at..], CONDITIONS).is_some();
    let beginnings = std::iter::once(0).chain(name.match_indices(' ').map(|(at, _)| at + 1));
    if let Some(at) = beginnings.into_iter().find(begins) {
        notes.push(name[at..].trim().to_owned());
        name = name[..at].trim();
    }
    let name = [" only", " or", " and"].iter().find_map(|it| name.strip_suffix(it)).unwrap_or(name);
    (name.trim_matches(['`', '"', '*', '.', ' ', ':', '–', '—']).to_owned(), notes)
}

/// Where a remark behind the name of an actor begins: `Admin — with approval`, `Admin: by hand`, `Admin [asks twice]`, `Admin¹`.
fn remark_at(name: &str) -> Option<usize> {
    let signs = [" — ", " – ", " - ", ": ", " [", "¹", "²", "³", "†", "‡"];
    signs.iter().filter_map(|it| name.find(it)).min().filter(|it| *it > 0)
}
