//! The lines of PlantUML's preprocessor. None is run: what may change the meaning of a diagram is told.

use std::ops::Range;

use crate::diagram::Wrong;

/// The maximum number of words that a diagram may replace; each line is searched for all of them.
const MAX_REPLACED: usize = 200;

/// What the lines of the preprocessor so far leave open.
#[derive(Debug, Default)]
pub(super) struct Preprocessor {
    /// The names that PlantUML replaces by something else.
    replaced: Vec<String>,
    /// The beginnings of the open conditions and loops.
    open: Vec<Range<usize>>,
    /// The end of the definition that the line is in.
    until: Option<&'static [&'static str]>,
}

/// What a line of the preprocessor means for the diagram.
pub(super) enum Effect {
    /// Nothing.
    None,
    /// It is about the look.
    Look,
    /// What it stands for is missing.
    Lost(&'static str),
}

impl Preprocessor {
    /// Whether a line belongs to an open definition.
    pub(super) fn swallows(&mut self, line: &str) -> bool {
        let Some(ends) = self.until else { return false };
        if directive(line).is_some_and(|(word, _)| ends.contains(&word.as_str())) {
            self.until = None;
        }
        true
    }

    /// Reads a line that begins with `!`.
    pub(super) fn read(&mut self, line: &str, range: &Range<usize>) -> Result<Effect, Wrong> {
        let Some((word, rest)) = directive(line) else { return Ok(Effect::None) };
        let rest = rest.trim();
        match word.as_str() {
            "include" | "includeurl" | "include_many" | "include_once" | "includesub" | "includedef" | "import" => {
                // The library of PlantUML has sprites and themes, and no states.
                return Ok(match rest.starts_with('<') {
                    true => Effect::Look,
                    false => Effect::Lost("the included text is not read: what it draws is missing"),
                });
            }
            "theme" | "pragma" | "option" => return Ok(Effect::Look),
            "log" | "assert" | "dump_memory" | "startsub" | "endsub" | "undef" => {}
            "define" => self.replaces(rest),
            "definelong" => {
                self.replaces(rest);
                self.until = Some(&["enddefinelong"]);
            }
            "procedure" | "function" | "unquoted" | "final" => {
                let name = rest.trim_start_matches("unquoted ").trim_start_matches("procedure ").trim_start_matches("function ");
                self.replaces(name.trim());
                // A function of one line has no end.
                if !rest.contains("!return") && !rest.contains(" return ") {
                    self.until = Some(&["endprocedure", "endfunction"]);
                }
            }
            "local" | "global" => self.replaces(rest),
            "if" | "ifdef" | "ifndef" | "while" | "foreach" => self.open.push(range.clone()),
            "else" | "elseif" => {}
            "endif" | "endwhile" | "endfor" => {
                self.open.pop();
            }
            variable if variable.starts_with('$') => self.replaces(&format!("{word}{rest}")),
            _ => {
                let message = format!("the import does not know what `!{word}` changes in this diagram");
                return Err(Wrong { range: range.clone(), message });
            }
        }
        Ok(Effect::None)
    }

    /// Remembers the name at the beginning of a text. What stands for a colour changes no meaning.
    fn replaces(&mut self, text: &str) {
        let length = text.find(|it: char| !is_word(it) && it != '$').unwrap_or(text.len());
        let (name, value) = text.split_at(length);
        let value = value.trim_start_matches([' ', '\t', '=', '?', '"']);
        let is_colour = value.starts_with('#') && !value.contains(char::is_whitespace);
        self.replaced.extend(Some(name.to_owned()).filter(|it| !it.is_empty() && !is_colour));
    }

    /// Refuses too many definitions, and a line that is drawn under a condition only, or in which PlantUML replaces a word.
    pub(super) fn check(&self, line: &str, range: &Range<usize>) -> Result<(), Wrong> {
        if let Some(range) = self.open.first() {
            let message = "what follows is drawn under a condition, or several times, and the import does not run the preprocessor";
            return Err(Wrong { range: range.clone(), message: message.into() });
        }
        if self.replaced.len() > MAX_REPLACED {
            return Err(Wrong { range: range.clone(), message: format!("this diagram replaces more than {MAX_REPLACED} words") });
        }
        match self.replaced.iter().find(|it| contains(line, it)) {
            Some(name) => {
                let message = format!("PlantUML replaces `{name}` in this line, and the import does not run the preprocessor");
                Err(Wrong { range: range.clone(), message })
            }
            None => Ok(()),
        }
    }
}

/// `!include x` as `include` and ` x`. A variable counts as its own word.
fn directive(line: &str) -> Option<(String, &str)> {
    let behind = line.trim().strip_prefix('!')?.trim_start();
    let length = behind.find(|it: char| !is_word(it) && it != '$').unwrap_or(behind.len());
    let (word, rest) = behind.split_at(length);
    Some((if word.starts_with('$') { word.to_owned() } else { word.to_ascii_lowercase() }, rest))
}

/// Whether a line has a name as a word.
fn contains(line: &str, name: &str) -> bool {
    line.match_indices(name).any(|(idx, _)| {
        let before = line[..idx].chars().next_back().filter(|_| !name.starts_with('$'));
        let behind = line[idx + name.len()..].chars().next();
        !before.is_some_and(is_word) && !behind.is_some_and(is_word)
    })
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}
