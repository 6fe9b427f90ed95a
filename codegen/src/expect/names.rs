//! The names that a text lists.
//!
//! A text can be read in several ways: its quoted texts are the names, or the first word of each of its items is. The
//! reading in which most of the wanted names occur counts, of several the one with the fewest other names; these are too
//! much.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use statespec_lang::names::snake;

use super::markdown;
use super::subject::Wanted;
use super::text::{Code, Language, Word, code, words};

/// The wanted names that a text has, and the names that it has besides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Read {
    pub(super) found: Vec<bool>,
    pub(super) extra: Vec<(String, Range<usize>)>,
}

/// One way to read a text: its names.
pub(super) type Reading = Vec<Word>;

/// Finds the names; the reason if no reading has any of the wanted ones.
pub(super) fn read(text: &str, language: Language, wanted: &[Wanted]) -> Result<Read, &'static str> {
    let known = Known::new(wanted);
    let readings = match language {
        Language::Markdown => markdown::readings(text, &known),
        _ => {
            let code = code(text, language);
            vec![quoted(text, &code, &known), items(&code, language, &known)]
        }
    };
    let tried = readings.into_iter().map(|reading| {
        let affix = known.affix(&reading);
        let n_found = known.found(&reading, &affix).iter().filter(|it| **it).count();
        let n_extra = reading.iter().filter(|it| known.position(&it.text, &affix).is_none()).count();
        ((n_found, std::cmp::Reverse(n_extra)), reading, affix)
    });
    // Of two equal readings the first one counts.
    let best = tried.reduce(|best, it| if it.0 > best.0 { it } else { best });
    let Some(((1.., _), reading, affix)) = best else {
        return if wanted.is_empty() { Ok(Read { found: Vec::new(), extra: Vec::new() }) } else { Err("none of the names occurs in it") };
    };
    let found = known.found(&reading, &affix);
    let mut extra: Vec<(String, Range<usize>)> = Vec::new();
    for word in reading.iter().filter(|it| known.position(&it.text, &affix).is_none()) {
        if extra.iter().all(|it| it.0 != word.text) {
            extra.push((word.text.clone(), word.range.clone()));
        }
    }
    Ok(Read { found, extra })
}

/// The words around each name of a list: `ORDER_STATUS_OPEN`, `OpenState`.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Affix {
    before: Vec<String>,
    behind: Vec<String>,
}

/// The wanted names, whatever their case and the marks between their words.
pub(super) struct Known {
    n_wanted: usize,
    by_name: BTreeMap<String, usize>,
}

/// The most words that a prefix or suffix has.
const MAX_AFFIX: usize = 5;

impl Known {
    pub(super) fn new(wanted: &[Wanted]) -> Self {
        let mut by_name = BTreeMap::new();
        // The name in the spec counts before a label of another element.
        for all in [true, false] {
            for (idx, it) in wanted.iter().enumerate() {
                let names = if all { &it.names[..1] } else { &it.names[1..] };
                names.iter().for_each(|name| _ = by_name.entry(plain(name)).or_insert(idx));
            }
        }
        Known { n_wanted: wanted.len(), by_name }
    }

    /// The position of a name that has the affix, or is bare.
    pub(super) fn position(&self, name: &str, affix: &Affix) -> Option<usize> {
        let parts = parts(name);
        let inner = parts.strip_prefix(affix.before.as_slice()).and_then(|it| it.strip_suffix(affix.behind.as_slice()));
        let inner = inner.filter(|it| !it.is_empty()).and_then(|it| self.by_name.get(&it.concat()));
        inner.or_else(|| self.by_name.get(&plain(name))).copied()
    }

    /// Whether a name is wanted as it is.
    pub(super) fn has(&self, name: &str) -> bool {
        self.by_name.contains_key(&plain(name))
    }

    /// The affix with which the most wanted names occur; the shortest of several.
    pub(super) fn affix(&self, names: &[Word]) -> Affix {
        let mut by_affix = BTreeMap::<Affix, BTreeSet<usize>>::new();
        for name in names {
            let parts = parts(&name.text);
            for start in 0..parts.len().min(MAX_AFFIX + 1) {
                for end in (start + 1..=parts.len()).rev().take(MAX_AFFIX + 1) {
                    if let Some(idx) = self.by_name.get(&parts[start..end].concat()) {
                        let affix = Affix { before: parts[..start].to_vec(), behind: parts[end..].to_vec() };
                        by_affix.entry(affix).or_default().insert(*idx);
                    }
                }
            }
        }
        let size = |it: &Affix| it.before.len() + it.behind.len();
        let best = by_affix.into_iter().max_by_key(|(affix, found)| (found.len(), std::cmp::Reverse(size(affix))));
        best.map(|it| it.0).unwrap_or_default()
    }

    fn found(&self, names: &[Word], affix: &Affix) -> Vec<bool> {
        let mut found = vec![false; self.n_wanted];
        names.iter().filter_map(|it| self.position(&it.text, affix)).for_each(|idx| found[idx] = true);
        found
    }
}

/// Whether two names differ in case and marks only.
pub(super) fn is_same(a: &str, b: &str) -> bool {
    plain(a) == plain(b)
}

/// The words of a name, in small letters.
fn parts(name: &str) -> Vec<String> {
    snake(name).split('_').filter(|it| !it.is_empty()).map(str::to_owned).collect()
}

/// A name without case and marks.
fn plain(name: &str) -> String {
    parts(name).concat()
}

/// The texts in quotes that look like names.
fn quoted(text: &str, code: &Code, known: &Known) -> Reading {
    let is_name = |it: &str| {
        let fits = |it: char| it.is_alphanumeric() || matches!(it, '_' | '-' | '.' | ':' | '/');
        it.starts_with(|it: char| it.is_alphabetic() || it == '_') && it.chars().all(fits) || known.has(it)
    };
    let all = code.quoted.iter().map(|it| Word { text: text[it.inside.clone()].to_owned(), range: it.inside.clone() });
    all.filter(|it| is_name(&it.text)).collect()
}

/// Words that declare something and are no names themselves, unless they are wanted.
const KEYWORDS: &[&str] = &[
    "abstract",
    "and",
    "as",
    "begin",
    "case",
    "check",
    "class",
    "const",
    "constexpr",
    "constraint",
    "create",
    "declare",
    "def",
    "default",
    "defmodule",
    "enum",
    "export",
    "extends",
    "extern",
    "final",
    "fn",
    "from",
    "fun",
    "func",
    "function",
    "implements",
    "import",
    "in",
    "inline",
    "inner",
    "int",
    "interface",
    "internal",
    "iota",
    "is",
    "let",
    "message",
    "module",
    "mut",
    "namespace",
    "not",
    "null",
    "object",
    "open",
    "option",
    "or",
    "package",
    "private",
    "protected",
    "pub",
    "public",
    "readonly",
    "record",
    "reserved",
    "return",
    "sealed",
    "self",
    "static",
    "str",
    "string",
    "struct",
    "super",
    "table",
    "this",
    "type",
    "typedef",
    "union",
    "use",
    "using",
    "val",
    "values",
    "var",
    "void",
    "where",
];

/// The first word of each item, at the depth of brackets where the wanted names are.
fn items(code: &Code, language: Language, known: &Known) -> Reading {
    let text = without_attributes(code.unquoted());
    if language == Language::Yaml {
        let listed = listed(&text);
        if !listed.is_empty() {
            return listed;
        }
    }
    let is_keyword = |it: &Word| KEYWORDS.contains(&it.text.to_lowercase().as_str()) && !known.has(&it.text);
    let mut by_depth = BTreeMap::<usize, Vec<Word>>::new();
    let (mut depth, mut start) = (0_usize, 0);
    for (at, mark) in text.char_indices().filter(|(_, it)| ",|;\n(){}[]".contains(*it)).chain([(text.len(), '\n')]) {
        let segment = &text[start..at];
        let shifted = |it: Word| Word { range: it.range.start + start..it.range.end + start, ..it };
        let all: Vec<Word> = words(segment).into_iter().map(shifted).collect();
        let declares = all.first().is_some_and(is_keyword);
        let named: Vec<Word> = all.into_iter().filter(|it| !is_keyword(it)).collect();
        let equals = segment.find('=').map(|it| it + start);
        let is_head = declares && ("({[".contains(mark) || segment.trim_end().ends_with('='));
        let is_plain = !declares && equals.is_none() && named.iter().filter(|it| known.has(&it.text)).count() > 1;
        let items = by_depth.entry(depth).or_default();
        if is_plain {
            items.extend(named);
        } else if !is_head {
            let of_type = declares && segment.split_whitespace().any(|it| it == "type");
            let first = named.into_iter().find(|it| !of_type || equals.is_none_or(|equals| it.range.start > equals));
            items.extend(first);
        }
        start = at + mark.len_utf8().min(text.len() - at);
        match mark {
            '(' | '{' | '[' => depth += 1,
            ')' | '}' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    let n_found = |names: &Vec<Word>| known.found(names, &known.affix(names)).into_iter().filter(|it| *it).count();
    let best = by_depth.into_values().map(|it| (n_found(&it), it)).reduce(|best, it| if it.0 > best.0 { it } else { best });
    best.map(|it| it.1).unwrap_or_default()
}

/// The text with `#[attributes]` and `@Annotations(…)` blank: they are no items.
fn without_attributes(text: String) -> String {
    let mut bytes = text.clone().into_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let is_word = |idx: usize| bytes.get(idx).is_some_and(|it| it.is_ascii_alphanumeric() || matches!(it, b'_' | b'.'));
        let mut end = at + 1;
        let begins = match bytes[at] {
            b'#' => bytes.get(end).is_some_and(|it| *it == b'['),
            b'@' => {
                while is_word(end) {
                    end += 1;
                }
                end > at + 1
            }
            _ => false,
        };
        if !begins {
            at += 1;
            continue;
        }
        let mut depth = 0_usize;
        while let Some(byte) = bytes.get(end) {
            match byte {
                b'(' | b'[' => depth += 1,
                b')' | b']' => depth = depth.saturating_sub(1),
                _ if depth == 0 => break,
                _ => {}
            }
            end += 1;
            if depth == 0 {
                break;
            }
        }
        bytes[at..end].iter_mut().filter(|it| **it != b'\n').for_each(|it| *it = b' ');
        at = end;
    }
    // An attribute begins and ends with characters of one byte, so only whole characters were replaced.
    String::from_utf8(bytes).unwrap_or(text)
}

/// The items of lists in YAML: `- open`, `[open, shut]`.
fn listed(text: &str) -> Vec<Word> {
    let mut items = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let item = line.trim_start().strip_prefix("- ").map(|it| (it, start + line.len() - it.len()));
        let flow = line.find('[').map(|it| (&line[it..], start + it));
        let of =
            |(part, at): (&str, usize)| words(part).into_iter().map(move |it| Word { range: it.range.start + at..it.range.end + at, ..it });
        match (item, flow) {
            (_, Some(it)) => items.extend(of(it)),
            (Some(it), None) => items.extend(of(it).next()),
            (None, None) => {}
        }
        start += line.len();
    }
    items
}
