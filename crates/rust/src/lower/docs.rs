//! Texts of a spec as doc comments: they cannot contain a doctest, a link or HTML.

/// Notes as a list, one paragraph each.
pub(crate) fn bullets(notes: &[String]) -> String {
    let bullets = notes.iter().map(|note| format!("- {}", sentence(note).replace('\n', "\n  ")));
    bullets.collect::<Vec<_>>().join("\n")
}

/// A user's text as a sentence of Markdown, capitalized and with a full stop.
pub(crate) fn sentence(text: &str) -> String {
    let mut words = text.trim().to_owned();
    let first_word: String = words.chars().take_while(|it| !it.is_whitespace()).collect();
    // `executeToolCall` and `x-ray` are names and are not capitalized.
    if first_word.chars().all(|it| it.is_lowercase())
        && let Some(first) = words.chars().next()
    {
        words.replace_range(..first.len_utf8(), &first.to_uppercase().to_string());
    }
    if words.ends_with(|it: char| it.is_alphanumeric() || "`)\"'%".contains(it)) {
        words.push('.');
    }
    markdown(&words)
}

/// The user's text if there is one, else `fallback`, which is already Markdown.
pub(crate) fn sentence_or(text: Option<&str>, fallback: impl FnOnce() -> String) -> String {
    match text.map(sentence) {
        Some(text) if !text.is_empty() => text,
        _ => fallback(),
    }
}

/// Escapes a text as Markdown. Spans in single backticks remain code, and names such as `current_hop_id` become code.
pub(crate) fn markdown(text: &str) -> String {
    let mut out = String::new();
    for (idx, line) in text.lines().map(str::trim).enumerate() {
        if idx > 0 {
            out.push('\n');
        }
        markdown_line(line, &mut out);
    }
    out
}

fn markdown_line(line: &str, out: &mut String) {
    let mut rest = line;
    let mut last = ' ';
    while let Some(first) = rest.chars().next() {
        let at_start = rest.len() == line.len();
        // The common case: a part of a word. An `h` may begin a web address.
        let n_plain = rest.bytes().take_while(|it| it.is_ascii_alphabetic() && *it != b'h').count();
        let begins_word = !last.is_alphanumeric() && !"_.`".contains(last);
        if begins_word && let Some(length) = name_length(rest) {
            out.push_str(&code(&rest[..length]));
            rest = &rest[length..];
        } else if n_plain > 0 {
            out.push_str(&rest[..n_plain]);
            rest = &rest[n_plain..];
        } else if first == '`'
            && let Some((inner, after)) = code_span(rest)
        {
            out.push_str(&code(inner));
            rest = after;
        } else if let Some(length) = url_length(rest) {
            out.push('<');
            out.push_str(&rest[..length]);
            out.push('>');
            rest = &rest[length..];
        } else {
            push_plain(first, at_start, rest, last, out);
            rest = &rest[first.len_utf8()..];
        }
        last = line[..line.len() - rest.len()].chars().next_back().unwrap_or(' ');
    }
}

/// The length of a name at the beginning that is written with `_`: `current_hop_id`, `mission.current_hop_id`, `get_context()`.
fn name_length(text: &str) -> Option<usize> {
    let is_inside = |idx: usize| text[..idx].ends_with(char::is_alphanumeric) && text[idx + 1..].starts_with(char::is_alphanumeric);
    let ends = |(idx, it): &(usize, char)| !(it.is_alphanumeric() || (matches!(it, '_' | '.') && is_inside(*idx)));
    let length = text.char_indices().find(ends).map_or(text.len(), |it| it.0);
    let call = if text[length..].starts_with("()") { 2 } else { 0 };
    text[..length].contains('_').then_some(length + call)
}

/// The contents of a code span in single backticks, and the text after it.
fn code_span(text: &str) -> Option<(&str, &str)> {
    let inner = text.strip_prefix('`')?;
    let end = inner.find('`')?;
    let (inside, after) = (&inner[..end], &inner[end + 1..]);
    (!inside.trim().is_empty() && !after.starts_with('`')).then_some((inside, after))
}

/// The length of a web address at the beginning that is valid in Markdown between `<` and `>`.
fn url_length(text: &str) -> Option<usize> {
    let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"))?;
    let inside = |it: char| it.is_ascii_alphanumeric() || "-._~/%?#=+:@&".contains(it);
    let length = host.find(|it| !inside(it)).unwrap_or(host.len());
    let host = host[..length].trim_end_matches(['.', ':', '?']);
    (!host.is_empty()).then_some(text.len() - text.split_once("://")?.1.len() + host.len())
}

fn push_plain(character: char, at_start: bool, rest: &str, last: char, out: &mut String) {
    // A star between spaces is no emphasis. A `>` ends nothing, because no `<` begins anything.
    let stands_alone = character == '*' && last == ' ' && !at_start && rest[1..].starts_with(' ');
    let special = "\\`*_[]<&|~$".contains(character) && !stands_alone;
    // Characters that could begin a heading, list, rule or quotation.
    let begins_block = at_start && "#-+=>:".contains(character);
    let digits = if at_start { rest.bytes().take_while(u8::is_ascii_digit).count() } else { 0 };
    let numbers_item = digits > 0 && rest[digits..].starts_with(['.', ')']);
    if numbers_item {
        // A numeric character reference for the digit, so that no numbered list begins.
        out.push_str(&format!("&#{};", u32::from(character)));
    } else if is_invisible(character) {
        out.push_str(&format!("U+{:04X}", u32::from(character)));
    } else if character.is_control() {
        out.push(' ');
    } else {
        if special || begins_block {
            out.push('\\');
        }
        out.push(character);
    }
}

/// Characters that change how the text after them is displayed.
fn is_invisible(character: char) -> bool {
    matches!(character, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{061c}')
}

/// A text as a code span.
pub(crate) fn code(text: &str) -> String {
    // The common case: names.
    if !text.is_empty() && text.bytes().all(|it| it.is_ascii_graphic() && it != b'`') {
        return ["`", text, "`"].concat();
    }
    let shown: String = text
        .chars()
        .map(|it| match it {
            it if is_invisible(it) => format!("U+{:04X}", u32::from(it)),
            it if it.is_control() => " ".into(),
            it => it.to_string(),
        })
        .collect();
    let longest = shown.split(|it| it != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let pad = if shown.starts_with('`') || shown.ends_with('`') || shown.trim().is_empty() { " " } else { "" };
    format!("{fence}{pad}{shown}{pad}{fence}")
}

/// "a `mission`", "an `order`".
pub(crate) fn one(name: &str) -> String {
    // Vowels that are spoken like the `y` of `year` or the `w` of `won`.
    let by_ear = ["eu", "one", "uni", "usa", "use", "usi", "usu", "uti"];
    let name_in_small = name.to_lowercase();
    let vowel = name_in_small.starts_with(['a', 'e', 'i', 'o', 'u']) && !by_ear.iter().any(|it| name_in_small.starts_with(it));
    format!("{} {}", if vowel { "an" } else { "a" }, code(name))
}

/// "`a`, `b` and `c`".
pub(crate) fn code_list<'a>(names: impl IntoIterator<Item = &'a str>, last: &str) -> String {
    let names: Vec<String> = names.into_iter().map(code).collect();
    match names.split_last() {
        Some((only, [])) => only.clone(),
        Some((end, others)) => format!("{} {last} {end}", others.join(", ")),
        None => String::new(),
    }
}
