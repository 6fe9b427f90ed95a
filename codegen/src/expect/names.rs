//! The names that a text lists.
//!
//! A text can be read in several ways: its quoted texts are the names, or the first word of each of its items is. The
//! reading in which most of the wanted names occur counts, of several the one with the fewest other names; these are too
//! much.

use std::collections::BTreeMap;
use std::ops::Range;

use super::known::{Known, Reading};
use super::markdown;
use super::subject::Wanted;
use super::text::{Code, Language, Word, code, words};

/// The wanted names that a text has, and the names that it has besides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Read {
    pub(super) found: Vec<bool>,
    pub(super) extra: Vec<(String, Range<usize>)>,
}

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
