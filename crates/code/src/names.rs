//! Identifiers of emitted code: cased, distinct from each other, from the keywords of a language and from names that a file uses
//! itself.

use std::collections::{BTreeMap, BTreeSet};

use statespec_lang::model::Model;
pub use statespec_lang::names::{shouty, snake, upper_camel as pascal};

/// `in-progress` becomes `inProgress`.
pub fn camel(name: &str) -> String {
    let cased = pascal(name);
    let mut letters = cased.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_lowercase).collect();
    first + letters.as_str()
}

/// Whether a character changes the direction or the layout of the text around it.
pub fn is_invisible(it: char) -> bool {
    matches!(it, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// A text in double quotes, in which `escape` writes the characters that control or hide text.
pub fn quoted(text: &str, escape: impl Fn(char) -> String) -> String {
    let mut quoted = String::from("\"");
    for it in text.chars() {
        match it {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            it if it.is_control() || is_invisible(it) => quoted.push_str(&escape(it)),
            it => quoted.push(it),
        }
    }
    quoted.push('"');
    quoted
}

/// Distinct identifiers of one scope.
#[derive(Debug, Clone, Default)]
pub struct Names(BTreeSet<String>);

impl Names {
    /// Identifiers that also differ from these: keywords, and names that the file uses itself.
    pub fn besides<'a>(taken: impl IntoIterator<Item = &'a str>) -> Self {
        Names(taken.into_iter().map(str::to_owned).collect())
    }

    /// The identifier for a cased name, with as many `_` appended as needed.
    pub fn claim(&mut self, mut name: String) -> String {
        while !self.0.insert(name.clone()) {
            name.push('_');
        }
        name
    }

    /// The identifiers for some names, in this case.
    pub fn claim_all<'a>(&mut self, names: impl IntoIterator<Item = &'a str>, case: impl Fn(&str) -> String) -> Vec<String> {
        names.into_iter().map(|it| self.claim(case(it))).collect()
    }
}

/// The files of the machines and systems, without folder and extension, by their names: in snake case, and distinct from `taken`.
pub fn files(model: &Model, taken: &[&str]) -> BTreeMap<String, String> {
    let mut names = Names::besides(taken.iter().copied());
    let all = model.machines.iter().map(|it| &it.name).chain(model.systems.iter().map(|it| &it.name));
    all.map(|it| (it.clone(), names.claim(snake(it)))).collect()
}
