//! Texts in any language, as far as finding names needs it: comments, quotes and words.

use std::ops::Range;

/// How a file writes comments and lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    Markdown,
    /// Comments after `//`, and within `/* */`.
    Slashes,
    /// Comments after `#`.
    Hash,
    /// As [`Language::Hash`]; lists are `- item` or `[item]`, and `key:` is no item.
    Yaml,
    /// Comments after `--`, and within `/* */`.
    Dashes,
    /// Comments within `<!-- -->`.
    Tags,
    /// Comments are not known.
    Other,
}

impl Language {
    /// The language of a file, by its name.
    pub(super) fn of(path: &str) -> Self {
        let name = path.rsplit('/').next().unwrap_or(path);
        let extension = name.rsplit_once('.').map_or("", |it| it.1).to_ascii_lowercase();
        match extension.as_str() {
            "md" | "markdown" => Language::Markdown,
            "yaml" | "yml" => Language::Yaml,
            "c" | "cc" | "cpp" | "cs" | "cts" | "dart" | "fs" | "go" | "gradle" | "groovy" | "h" | "hpp" | "java" | "js" | "jsx" | "kt"
            | "kts" | "mjs" | "mts" | "php" | "prisma" | "proto" | "rs" | "scala" | "scss" | "sol" | "swift" | "thrift" | "ts" | "tsx"
            | "zig" => Language::Slashes,
            "bash" | "conf" | "cr" | "elixir" | "ex" | "exs" | "gql" | "graphql" | "graphqls" | "hcl" | "jl" | "ksh" | "nix" | "pl"
            | "properties" | "ps1" | "py" | "pyi" | "r" | "rb" | "sh" | "tf" | "toml" | "zsh" => Language::Hash,
            "ada" | "adb" | "ads" | "elm" | "hs" | "lua" | "psql" | "sql" | "vhd" | "vhdl" => Language::Dashes,
            "htm" | "html" | "svg" | "vue" | "xhtml" | "xml" | "xsd" => Language::Tags,
            _ if matches!(name, "Dockerfile" | "Makefile") => Language::Hash,
            _ => Language::Other,
        }
    }

    /// What begins a comment up to the end of the line.
    fn line_comment(self) -> Option<&'static str> {
        match self {
            Language::Slashes => Some("//"),
            Language::Hash | Language::Yaml => Some("#"),
            Language::Dashes => Some("--"),
            Language::Markdown | Language::Tags | Language::Other => None,
        }
    }

    /// A comment that is alone on its line.
    pub(super) fn comment(self, words: &str) -> Option<String> {
        let of_line = self.line_comment().map(|it| format!("{it} {words}"));
        of_line.or_else(|| self.block_comment().map(|(begin, end)| format!("{begin} {words} {end}")))
    }

    /// What encloses a comment.
    fn block_comment(self) -> Option<(&'static str, &'static str)> {
        match self {
            Language::Slashes | Language::Dashes => Some(("/*", "*/")),
            Language::Markdown | Language::Tags => Some(("<!--", "-->")),
            Language::Hash | Language::Yaml | Language::Other => None,
        }
    }
}

/// A text in quotes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Quoted {
    /// The range with its quotes.
    pub(super) whole: Range<usize>,
    /// The range within.
    pub(super) inside: Range<usize>,
}

/// A text without its comments.
pub(super) struct Code {
    /// As long as the text; comments are blanks.
    pub(super) bare: String,
    /// The texts in quotes, in order.
    pub(super) quoted: Vec<Quoted>,
}

impl Code {
    /// The text with quoted texts blank as well.
    pub(super) fn unquoted(&self) -> String {
        let mut bytes = self.bare.clone().into_bytes();
        self.quoted.iter().for_each(|it| blank(&mut bytes, it.whole.clone()));
        String::from_utf8(bytes).unwrap_or_else(|_| self.bare.clone())
    }
}

fn blank(bytes: &mut [u8], range: Range<usize>) {
    bytes[range].iter_mut().filter(|it| **it != b'\n').for_each(|it| *it = b' ');
}

/// Separates a text from its comments. A quote that does not end on its line is no quote.
pub(super) fn code(text: &str, language: Language) -> Code {
    let mut bytes = text.as_bytes().to_vec();
    let mut quoted = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let Some(first) = rest.chars().next() else { break };
        if language.line_comment().is_some_and(|it| rest.starts_with(it)) {
            let end = rest.find('\n').map_or(text.len(), |it| at + it);
            blank(&mut bytes, at..end);
            at = end;
            continue;
        }
        if let Some((begin, end)) = language.block_comment()
            && let Some(inside) = rest.strip_prefix(begin)
        {
            let length = inside.find(end).map_or(rest.len(), |it| begin.len() + it + end.len());
            blank(&mut bytes, at..at + length);
            at += length;
            continue;
        }
        // reStructuredText doubles its marks.
        let marks = if rest.starts_with("``") { 2 } else { 1 };
        if matches!(first, '\'' | '"' | '`')
            && !is_apostrophe(&text[..at], first)
            && let Some(length) = quote(&rest[marks - 1..], first)
            && rest[marks - 1 + length..].starts_with(&rest[..marks - 1])
        {
            let whole = at..at + length + 2 * (marks - 1);
            quoted.push(Quoted { inside: whole.start + marks..whole.end - marks, whole: whole.clone() });
            at = whole.end;
            continue;
        }
        at += first.len_utf8();
    }
    // Only whole characters were replaced.
    let bare = String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned());
    Code { bare, quoted }
}

/// Whether a mark is within a word: `isn't`. One letter may begin a text in quotes: `b'open'`, `N'open'`.
fn is_apostrophe(before: &str, mark: char) -> bool {
    mark == '\'' && before.chars().rev().take(2).filter(|it| it.is_alphanumeric()).count() == 2
}

/// The length of the quoted text at the beginning.
fn quote(text: &str, quote: char) -> Option<usize> {
    let mut characters = text.char_indices().skip(1);
    while let Some((at, character)) = characters.next() {
        match character {
            '\n' => return None,
            '\\' => _ = characters.next(),
            _ if character == quote => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// A name with its place. `Status.OPEN` and `Status::OPEN` are one name, of which the last part counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) range: Range<usize>,
}

/// The names in a text, in order. Words that begin with a digit are none.
pub(super) fn words(text: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let is_inside = |it: char| it.is_alphanumeric() || it == '_';
    let mut characters = text.char_indices().peekable();
    let mut joined = false;
    while let Some((start, character)) = characters.next() {
        if !is_inside(character) {
            let word_before = words.last().is_some_and(|it| it.range.end == start);
            let colons = character == ':' && text[start..].starts_with("::");
            joined = (word_before && (character == '.' || colons)) || (joined && character == ':');
            continue;
        }
        let mut end = start + character.len_utf8();
        while let Some((at, next)) = characters.peek().copied() {
            // `in-progress` is one name, `a --> b` and `a - b` are two.
            let is_hyphen = next == '-' && text[at + 1..].chars().next().is_some_and(is_inside);
            if !is_inside(next) && !is_hyphen {
                break;
            }
            end = at + next.len_utf8();
            characters.next();
        }
        let word = Word { text: text[start..end].to_owned(), range: start..end };
        if character.is_numeric() {
            joined = false;
            continue;
        }
        if std::mem::take(&mut joined) {
            words.pop();
        }
        words.push(word);
    }
    words
}
