//! Splits a line into words at blanks; quotes keep words together.

/// The words of a line.
pub(super) fn words(line: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quoted = false;
    let mut characters = line.chars();
    while let Some(it) = characters.next() {
        match it {
            '"' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            '\\' if quoted => word.get_or_insert_default().push(characters.next().unwrap_or('\\')),
            it if it.is_whitespace() && !quoted => words.extend(word.take()),
            it => word.get_or_insert_default().push(it),
        }
    }
    if quoted {
        return Err("a quote is not closed; write a text as note=\"two words\"".into());
    }
    words.extend(word);
    Ok(words)
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
