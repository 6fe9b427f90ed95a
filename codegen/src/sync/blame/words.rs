//! The words of a text, in a form in which a spec and its outputs can be compared.
//!
//! A name has the same words in every output: `shut_down`, `ShutDown` and `SHUT_DOWN` are `shut` and `down`.
//! Comparisons are words, too: a guard may differ in nothing else.

/// The length up to which an entity such as `&lt;` or `#35;` is recognized.
const MAX_ENTITY: usize = 8;

/// The words of a text in lower case. Escapes of the target formats are left out.
pub fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut last: Option<char> = None;
    let mut rest = text.char_indices();
    while let Some((idx, it)) = rest.next() {
        let behind = &text[idx + it.len_utf8()..];
        if !it.is_alphanumeric() {
            end(&mut word, &mut words);
            last = None;
            let (comparison, n_skipped) = symbol(it, behind);
            words.extend(comparison.map(str::to_owned));
            for _ in 0..n_skipped {
                rest.next();
            }
            continue;
        }
        let next_is_lower = behind.chars().next().is_some_and(char::is_lowercase);
        let begins = last.is_some_and(|last| {
            last.is_numeric() != it.is_numeric()
                || last.is_lowercase() && it.is_uppercase()
                || last.is_uppercase() && it.is_uppercase() && next_is_lower
        });
        if begins {
            end(&mut word, &mut words);
        }
        word.extend(it.to_lowercase());
        last = Some(it);
    }
    end(&mut word, &mut words);
    words
}

fn end(word: &mut String, words: &mut Vec<String>) {
    if !word.is_empty() {
        words.push(std::mem::take(word));
    }
}

/// The comparison that begins with a character, and the number of characters to skip behind it.
fn symbol(first: char, behind: &str) -> (Option<&'static str>, usize) {
    let with_equals = |alone: Option<&'static str>, both: &'static str| match behind.starts_with('=') {
        true => (Some(both), 1),
        false => (alone, 0),
    };
    match first {
        '<' => with_equals(Some("<"), "<="),
        '>' => with_equals(Some(">"), ">="),
        '!' => with_equals(None, "!="),
        '\u{2264}' => (Some("<="), 0),
        '\u{2265}' => (Some(">="), 0),
        '\u{2260}' => (Some("!="), 0),
        '&' if behind.starts_with("lt;") => (Some("<"), 3),
        '&' if behind.starts_with("gt;") => (Some(">"), 3),
        // `\n` in a text literal is no `n`, and `&amp;` is no `amp`.
        '\\' if behind.starts_with(['n', 'r', 't']) => (None, 1),
        '&' | '#' => (None, entity(behind).unwrap_or(0)),
        _ => (None, 0),
    }
}

/// The number of characters of an entity behind its first character.
fn entity(behind: &str) -> Option<usize> {
    let end = behind.char_indices().take(MAX_ENTITY).find(|(_, it)| *it == ';')?.0;
    let name = behind[..end].strip_prefix('#').unwrap_or(&behind[..end]);
    (!name.is_empty() && name.bytes().all(|it| it.is_ascii_alphanumeric())).then_some(end + 1)
}

/// Words as one text, each between blanks: a sequence of words is a part of it if and only if its own text is.
pub(super) fn join(words: &[String]) -> String {
    let mut text = String::from(" ");
    for word in words {
        text.extend([word.as_str(), " "]);
    }
    text
}

/// The words of the first list that have no counterpart in the second.
pub fn without(words: &[String], others: &[String]) -> Vec<String> {
    let mut others: Vec<&String> = others.iter().collect();
    let mut left = Vec::new();
    for word in words {
        match others.iter().position(|it| *it == word) {
            Some(idx) => {
                others.swap_remove(idx);
            }
            None => left.push(word.clone()),
        }
    }
    left
}

/// Whether a word says nothing by itself.
pub(super) fn is_number(word: &str) -> bool {
    word.bytes().all(|it| it.is_ascii_digit() || it.is_ascii_punctuation())
}
