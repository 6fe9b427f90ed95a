//! Texts that PlantUML displays: without their markup.

/// Marks without an effect of their own: `<b>` … `</b>`.
const PLAIN_TAGS: [&str; 11] = ["b", "i", "u", "s", "w", "sub", "sup", "plain", "code", "strike", "del"];
/// The length up to which a mark is searched.
const MAX_TAG: usize = 200;
/// Marks with a value: `<color:red>`, `<size:20>`.
const VALUE_TAGS: [&str; 6] = ["color", "size", "font", "back", "img", "text"];

/// A text without markup; its line breaks (`\n`, `%newline()`) are replaced by `line_end`.
pub(super) fn plain(text: &str, line_end: &str) -> String {
    let mut text = text.replace("%newline()", line_end).replace("%n()", line_end).replace("**", "");
    for escape in ["\\n", "\\l", "\\r"] {
        text = text.replace(escape, line_end);
    }
    text = text.replace("\\t", " ");
    let text = without_tags(&text);
    let words = |it: &str| it.split_whitespace().collect::<Vec<_>>().join(" ");
    match line_end {
        " " => words(&text),
        _ => text.lines().map(words).collect::<Vec<_>>().join(line_end).trim().to_owned(),
    }
}

fn without_tags(text: &str) -> String {
    let lower = text.to_ascii_lowercase();
    let paired: Vec<&str> = PLAIN_TAGS.iter().copied().filter(|it| lower.contains(&format!("</{it}>"))).collect();
    let mut plain = String::new();
    let mut from = 0;
    for (start, _) in lower.match_indices('<') {
        if start < from {
            continue;
        }
        let Some(length) = lower.as_bytes()[start..].iter().take(MAX_TAG).position(|it| *it == b'>') else { continue };
        if is_tag(&paired, &lower[start + 1..start + length]) {
            plain.push_str(&text[from..start]);
            from = start + length + 1;
        }
    }
    plain.push_str(&text[from..]);
    plain
}

/// Whether what is between `<` and `>` is markup, and no comparison: of marks without a value, only those that end in the text.
fn is_tag(paired: &[&str], inside: &str) -> bool {
    let name = inside.strip_prefix('/').unwrap_or(inside);
    let value = |it: &str| name.strip_prefix(it).is_some_and(|it| it.is_empty() || it.starts_with([':', ' ', '=', '#']));
    name.starts_with(['&', '$']) && !name.contains(' ')
        || (name.starts_with(':') && name.ends_with(':') && name.len() > 2)
        || paired.contains(&name)
        || VALUE_TAGS.iter().any(|it| value(it))
}

/// The text of a description, and whether it is what a state performs when it is entered or left: `entry / start motor`.
pub(super) fn action(text: &str) -> Option<(Moment, &str)> {
    let length = text.find(['/', ':'])?;
    let (word, behind) = (text[..length].trim().to_ascii_lowercase().replace([' ', '_', '-'], ""), text[length + 1..].trim());
    let moment = match word.as_str() {
        "entry" | "onentry" | "enter" | "onenter" => Moment::Entry,
        "exit" | "onexit" | "leave" | "onleave" => Moment::Exit,
        _ => return None,
    };
    (!behind.is_empty()).then_some((moment, behind))
}

/// When a state performs something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Moment {
    Entry,
    Exit,
}
