//! Splits a line into words at blanks; quotes keep words together.

/// The words of a line.
pub(super) fn words(line: &str) -> Result<Vec<String>, String> {
    let split = split(line);
    if split.is_quoted {
        return Err("a quote is not closed; write a text as note=\"two words\"".into());
    }
    Ok(split.words.into_iter().map(|it| it.1).collect())
}

/// The words of an unfinished line, each with its position.
pub(super) struct Split {
    pub(super) words: Vec<(usize, String)>,
    /// Whether a quote is open at the end.
    pub(super) is_quoted: bool,
    /// Whether the line ends in a word.
    pub(super) is_in_word: bool,
}

pub(super) fn split(line: &str) -> Split {
    let mut words = Vec::new();
    let mut word: Option<(usize, String)> = None;
    let mut is_quoted = false;
    let mut characters = line.char_indices();
    while let Some((at, it)) = characters.next() {
        if it.is_whitespace() && !is_quoted {
            words.extend(word.take());
            continue;
        }
        let (_, text) = word.get_or_insert_with(|| (at, String::new()));
        match it {
            '"' => is_quoted = !is_quoted,
            '\\' if is_quoted => text.push(characters.next().map_or('\\', |it| it.1)),
            it => text.push(it),
        }
    }
    let is_in_word = word.is_some();
    words.extend(word);
    Split { words, is_quoted, is_in_word }
}

/// Words as a line that is split into them.
pub(super) fn join(words: &[String]) -> String {
    words.iter().map(|it| quoted(it)).collect::<Vec<_>>().join(" ")
}

/// A word as it is typed: `note="two words"`.
pub(super) fn quoted(word: &str) -> String {
    if !word.is_empty() && !word.contains(|it: char| it.is_whitespace() || it == '"') {
        return word.to_owned();
    }
    let (name, text) = word.split_once('=').map_or((String::new(), word), |(name, text)| (format!("{name}="), text));
    format!("{name}\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// `FIELD=VALUE` pairs.
pub(super) fn values(words: &[String]) -> Result<Vec<(String, String)>, String> {
    let mut values: Vec<(String, String)> = Vec::new();
    for word in words {
        let Some((name, value)) = word.split_once('=') else {
            return Err(format!("what is `{word}`? Values are written as FIELD=VALUE"));
        };
        if values.iter().any(|it| it.0 == name) {
            return Err(format!("`{name}` stands there twice"));
        }
        values.push((name.to_owned(), value.to_owned()));
    }
    Ok(values)
}
