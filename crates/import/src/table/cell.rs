//! The forms of cells: a name, several names, or a phrase of the [vocabulary](super::vocabulary). Whatever else is not read.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::spec::Words;
use super::vocabulary::{self, Sense};

/// What stands in [`Cell::plain`] for a text in code marks.
pub(crate) const CODE: char = '\u{1}';

/// A cell.
#[derive(Debug, Clone, Default)]
pub(crate) struct Cell {
    /// The text, with [`CODE`] in the place of each text in code marks.
    pub(crate) plain: String,
    /// The texts in code marks.
    pub(crate) codes: Vec<String>,
    pub(crate) range: Range<usize>,
}

/// What the cell of a state says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Value {
    Empty,
    Names(Vec<String>),
    Is(Sense),
    /// None of the forms.
    Unread,
}

/// What stands between names.
const SEPARATORS: &[&str] = &[",", ";", "\n", " or ", " / ", " · ", "|"];

/// What stands between events, effects or actors.
const LISTING: &[&str] = &[",", "\n", " or ", " / ", "|"];

const ARROWS: &[&str] = &["→", "->", "⇒", "➜"];

/// The most words of a name.
const MAX_WORDS: usize = 4;

impl Cell {
    /// The whole text.
    pub(crate) fn text(&self) -> String {
        let mut codes = self.codes.iter();
        let mut text = String::new();
        for character in self.plain.trim().chars() {
            match character {
                CODE => text.push_str(codes.next().map_or("", String::as_str)),
                other => text.push(other),
            }
        }
        text
    }

    /// The only text in code marks, if there is nothing else.
    fn only_code(&self) -> Option<&str> {
        let mut signs = self.plain.trim().chars();
        (signs.next() == Some(CODE) && signs.next().is_none()).then(|| self.codes[0].as_str())
    }

    /// The phrase that the whole cell is. A name in code marks is none.
    pub(super) fn sense(&self, words: &Words) -> Option<Sense> {
        let text = match self.only_code() {
            Some(code) if is_name(code) => return None,
            Some(code) => code.to_owned(),
            None if self.plain.contains(CODE) => return None,
            None => self.plain.trim().to_owned(),
        };
        words.sense(&text).or_else(|| vocabulary::sense(&text))
    }

    /// Whether it has no text.
    pub(super) fn is_empty(&self) -> bool {
        self.plain.trim().is_empty()
    }

    /// Whether it begins with a refusal.
    pub(super) fn begins_with_refusal(&self) -> bool {
        self.only_code().is_none() && vocabulary::begins_with_refusal(self.plain.trim_start())
    }

    /// Whether it begins with words that forbid a step.
    pub(super) fn forbids(&self) -> bool {
        self.only_code().is_none() && vocabulary::forbids(self.plain.trim_start())
    }

    /// The parts between separators, each as a cell.
    fn parts(&self, separators: &[&str]) -> Vec<Cell> {
        let mut codes = self.codes.iter().cloned();
        let mut rest: Vec<String> = vec![self.plain.trim().to_owned()];
        for separator in separators {
            rest = rest.iter().flat_map(|it| it.split(separator)).map(|it| it.trim().to_owned()).collect();
        }
        let part = |plain: String| {
            let n_codes = plain.chars().filter(|it| *it == CODE).count();
            Cell { codes: codes.by_ref().take(n_codes).collect(), plain, range: self.range.clone() }
        };
        rest.into_iter().map(part).collect()
    }

    /// The two sides of `A → B`.
    pub(super) fn step(&self) -> Option<(Cell, Cell)> {
        let whole = match self.only_code() {
            Some(code) => Cell { plain: code.to_owned(), codes: Vec::new(), range: self.range.clone() },
            None => self.clone(),
        };
        let mut parts = whole.parts(ARROWS);
        let (to, from) = (parts.pop()?, parts.pop()?);
        let is_whole = parts.is_empty() && !from.is_empty() && !to.is_empty();
        is_whole.then_some((from, to))
    }

    /// What it says of states.
    pub(super) fn value(&self, words: &Words, known: &Names) -> Value {
        if self.is_empty() {
            return Value::Empty;
        }
        if let Some(sense) = self.sense(words) {
            return Value::Is(sense);
        }
        match self.names(known) {
            Some(names) => Value::Names(names),
            None => Value::Unread,
        }
    }

    fn names(&self, known: &Names) -> Option<Vec<String>> {
        let mut whole = self.clone();
        let bare = ARROWS.iter().find_map(|it| self.plain.trim().strip_prefix(it)).unwrap_or(self.plain.trim()).trim();
        let inside = [('{', '}'), ('[', ']')].iter().find_map(|(open, close)| bare.strip_prefix(*open)?.strip_suffix(*close));
        whole.plain = inside.unwrap_or(bare).to_owned();
        let mut names: Vec<String> = Vec::new();
        let parts = whole.parts(SEPARATORS);
        for part in &parts {
            let found = match part.only_code() {
                Some(code) => is_name(code).then(|| vec![code.to_owned()]),
                None if part.plain.contains(CODE) => None,
                None if parts.len() > 1 && known.is_short(&part.plain) => None,
                None if known.admits(&part.plain) => Some(vec![part.plain.clone()]),
                // `A/B` is two names if each stands alone elsewhere.
                None => {
                    let sides: Vec<String> = part.plain.split('/').map(|it| it.trim().to_owned()).collect();
                    (sides.len() > 1 && sides.iter().all(|it| known.has(it))).then_some(sides)
                }
            };
            for name in found? {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        (!names.is_empty()).then_some(names)
    }

    /// Whether it has nothing but some of these names, each with an arrow in front or a remark behind.
    pub(super) fn lists(&self, known: &[&str]) -> bool {
        let named = |it: &Cell| {
            let text = it.text();
            let bare = ARROWS.iter().find_map(|arrow| text.trim().strip_prefix(arrow)).unwrap_or(&text).trim();
            known.iter().any(|name| bare.strip_prefix(name).is_some_and(|it| it.is_empty() || it.starts_with(" (")))
        };
        self.parts(SEPARATORS).iter().all(named)
    }

    /// The events, effects or actors that it lists: texts in code marks, words, or names with capitals (`Team Lead`).
    pub(super) fn list(&self) -> Option<Vec<String>> {
        let one = |it: &Cell| match it.only_code() {
            Some(code) => Some(code.to_owned()),
            None => (is_word(&it.plain) || (is_name(&it.plain) && is_title(&it.plain))).then(|| it.plain.clone()),
        };
        self.parts(LISTING).iter().map(one).collect()
    }

    /// Its only text, if that is neither a list nor has a remark in parentheses, a second sentence, or code marks in it.
    pub(super) fn phrase(&self) -> Option<String> {
        let text = self.text();
        let outside = text.split('[').next().unwrap_or_default();
        let has_remark = outside.trim_start().starts_with('(') || outside.contains(" (");
        let has_more = [", ", ";", "\n", " or ", " / ", "|", ". "].iter().any(|it| outside.contains(it));
        (self.codes.is_empty() && !has_remark && !has_more).then_some(text)
    }

    /// What stands before a remark in parentheses.
    pub(super) fn without_remark(&self) -> Option<Cell> {
        let (before, _) = self.plain.trim().strip_suffix(')')?.split_once('(')?;
        let n_codes = before.matches(CODE).count();
        Some(Cell { plain: before.trim().to_owned(), codes: self.codes[..n_codes].to_vec(), range: self.range.clone() })
    }
}

/// Whether each word begins with no small letter.
fn is_title(text: &str) -> bool {
    text.split(' ').all(|it| it.starts_with(|it: char| !it.is_lowercase()))
}

/// Whether a text is one word, or a call: `page_in()`.
fn is_word(text: &str) -> bool {
    let bare = text.strip_suffix("()").unwrap_or(text);
    !bare.is_empty() && bare.chars().all(|it| it.is_alphanumeric() || matches!(it, '_' | '-' | '.' | ':'))
}

/// Whether a text can be the name of a state: letters, digits and marks within words, up to four words.
pub(super) fn is_name(text: &str) -> bool {
    // `paid¹` has a footnote.
    let is_sign = |it: char| it.is_alphabetic() || it.is_ascii_digit() || matches!(it, '_' | '-' | '.' | ':' | '/' | ' ' | '\'' | '&');
    text.starts_with(|it: char| it.is_alphanumeric() || it == '_')
        && text.ends_with(|it: char| it.is_alphanumeric() || it == '_')
        && text.chars().all(is_sign)
        && text.split(' ').count() <= MAX_WORDS
        && text.split(' ').all(|it| it.chars().any(char::is_alphanumeric) || it == "&" || it == "-")
}

/// How a name is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Style {
    Upper,
    Capital,
    Lower,
    /// In a script without capitals.
    Uncased,
}

fn style(name: &str) -> Style {
    match name {
        _ if !name.chars().any(|it| it.is_lowercase() || it.is_uppercase()) => Style::Uncased,
        _ if !name.chars().any(char::is_lowercase) => Style::Upper,
        _ if name.starts_with(char::is_uppercase) => Style::Capital,
        _ => Style::Lower,
    }
}

/// The names of a table, by which a text among them is told from a name.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// Whether names stand in code marks.
    coded: bool,
    /// How often each text stands alone in a cell of a state, or as a part of a list.
    counts: BTreeMap<String, usize>,
    /// What follows a mark or a space in these texts: `PART` of `PAID_PART`.
    ends: BTreeSet<String>,
    /// How many texts are written in each way.
    styles: BTreeMap<Style, usize>,
    /// A person said which columns have the states.
    told: bool,
}

impl Names {
    /// Of the cells of states.
    pub(super) fn of<'a>(cells: impl Iterator<Item = &'a Cell>, words: &Words, told: bool) -> Self {
        let mut names = Names { told, ..Names::default() };
        for cell in cells.filter(|it| it.sense(words).is_none()) {
            for part in cell.parts(SEPARATORS) {
                match part.only_code() {
                    Some(code) if is_name(code) => names.coded = true,
                    _ if part.plain.contains(CODE) => {}
                    // A number is a name in code marks only.
                    _ if is_name(&part.plain)
                        && (told || (part.plain.contains(char::is_alphabetic) && !vocabulary::is_prose(&part.plain))) =>
                    {
                        *names.counts.entry(part.plain).or_default() += 1
                    }
                    _ => {}
                }
            }
        }
        for text in names.counts.keys() {
            *names.styles.entry(style(text)).or_default() += 1;
            names.ends.extend(text.match_indices(['_', '-', '.', ' ']).map(|(at, _)| text[at + 1..].to_owned()));
        }
        names
    }

    /// Whether a text stands alone somewhere.
    fn has(&self, text: &str) -> bool {
        !self.coded && self.counts.contains_key(text)
    }

    /// Whether a text in a list may be the end of another name: `PAID_FULL / PART` beside `PAID_PART`.
    fn is_short(&self, text: &str) -> bool {
        !self.told && self.counts.get(text) == Some(&1) && self.ends.contains(text)
    }

    /// Whether a text without code marks is a name.
    fn admits(&self, text: &str) -> bool {
        let Some(count) = self.counts.get(text).filter(|_| !self.coded || self.told) else { return false };
        // `a/b` beside `a` may be two names.
        if text.contains('/') && text.split('/').any(|it| self.counts.contains_key(it.trim())) {
            return false;
        }
        let is_known = *count > 1 || self.told;
        // `open after review` may be a sentence; `Being Reviewed`, or what stands in two cells, is a name.
        let is_sentence = text.contains(' ') && !is_title(text);
        let own = style(text);
        let is_alone = self.styles.get(&own) == Some(&1);
        let others: Vec<usize> = self.styles.iter().filter(|it| *it.0 != own).map(|it| *it.1).collect();
        // All others, two or more, are written in one other way.
        let is_odd = is_alone && matches!(others[..], [n_others] if n_others > 1);
        let is_of_another_script = own == Style::Uncased && !others.is_empty();
        (is_known || !(is_sentence || is_odd)) && (self.told || !is_of_another_script)
    }
}
