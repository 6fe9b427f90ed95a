//! Texts of a log as names and texts of the spec.

use statespec_lang::names::{is_name, upper_camel};

/// A text of a log as a name of the spec.
pub(crate) fn spelled(text: &str) -> String {
    if is_name(text) {
        return text.to_owned();
    }
    let mut name: String = text.chars().take(60).map(|it| if unicode(it) { it } else { '_' }).collect();
    if !is_name(&name) {
        name = format!("x{name}");
    }
    if is_name(&name) { name } else { "unnamed".to_owned() }
}

fn unicode(it: char) -> bool {
    it.is_ascii_alphanumeric() || it == '_' || it == '-'
}

/// A text in quotes of YAML.
pub(crate) fn quote(text: &str) -> String {
    let mut quoted = String::from("\"");
    for it in text.chars() {
        match it {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            it if it.is_control() || statespec_lang::chars::is_forbidden(it) => quoted.push('_'),
            it => quoted.push(it),
        }
    }
    quoted.push('"');
    quoted
}

/// Texts of a log as names of the spec, all different.
pub(crate) fn names(texts: &[String]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for text in texts {
        let name = fresh(&spelled(text), &names);
        names.push(name);
    }
    names
}

/// Whether two words are one name in emitted code, so that a spec cannot have both: `back again` and `back_again`, `s2` and `s_2`.
pub(crate) fn collide(a: &str, b: &str) -> bool {
    upper_camel(a) == upper_camel(b)
}

/// A name that is none of these, also in emitted code.
pub(crate) fn fresh(name: &str, taken: &[String]) -> String {
    let is_taken = |it: &str| taken.iter().any(|other| collide(other, it));
    let mut candidate = name.to_owned();
    let mut n = 2;
    // A name has 100 bytes at most.
    let stem = &name[..statespec_lang::source::floor_char_boundary(name, name.len().min(90))];
    while is_taken(&candidate) {
        candidate = format!("{stem}_{n}");
        n += 1;
    }
    candidate
}

/// The line of an event; the word of the history still means the event.
pub(crate) fn event_line(name: &str, recorded: &str) -> String {
    match collide(name, recorded) {
        true => format!("  {name}: {{}}"),
        false => format!("  {name}: {{ aliases: [{}] }}", quote(recorded)),
    }
}
