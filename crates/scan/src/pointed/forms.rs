//! The forms of the parts that a person points at.

use std::ops::Range;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::part;

/// A name, and its place in the part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) range: Range<usize>,
}

/// What a part states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fact {
    /// A state, with another name or a number of it.
    State(Word, Option<String>),
    /// An edge.
    Edge(Word, Word),
}

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the patterns of this file are constant, and a test uses each")
}

/// A name in quotes, or a word. Of `Order::Paid` and `Order.Paid` the last part counts.
const NAME: &str = r#"(?:"[^"\n]+"|'[^'\n]+'|`[^`\n]+`|[\p{L}_][\p{L}\p{N}_]*(?:(?:-|\.|::)[\p{L}\p{N}_]+)*)"#;

static NAMES: LazyLock<Regex> = LazyLock::new(|| regex(NAME));
static QUOTED: LazyLock<Regex> = LazyLock::new(|| regex(r#""[\p{L}_][^"\n]*"|'[\p{L}_][^'\n]*'"#));
static BULLET: LazyLock<Regex> = LazyLock::new(|| regex(r"(?m)^[ \t]*(?:[-*+]|\d+[.)])[ \t]+(.+)$"));
static COMMENT: LazyLock<Regex> = LazyLock::new(|| regex(r"(?s)/\*.*?\*/|(?m:(?://|--[ ]|(?:^|[ \t])#)[^\n]*)"));
static ARROW: LazyLock<Regex> = LazyLock::new(|| regex(r"-+>|=+>|→|⟶"));
static LISTED: LazyLock<Regex> =
    LazyLock::new(|| regex(&format!(r"({NAME})\]?\s*[:=]\s*(?:[\w.]+ ?)*[\[{{(]{{1,2}}([^\[\]{{}}()]*)[\]}})]")));
static PAIR: LazyLock<Regex> = LazyLock::new(|| regex(&format!(r"[\[({{]\s*({NAME})\s*,\s*({NAME})\s*,?\s*[\])}}]")));

/// A match as a name, without its quotes and without what is before its last part.
fn word(range: Range<usize>, text: &str) -> Word {
    let found = &text[range.clone()];
    if found.starts_with(['"', '\'', '`']) {
        return Word { text: found[1..found.len() - 1].trim().to_owned(), range: range.start + 1..range.end - 1 };
    }
    let last = found.rfind(['.', ':']).map_or(0, |it| it + 1);
    Word { text: found[last..].to_owned(), range: range.start + last..range.end }
}

/// The text with spaces in place of comments.
fn without_comments(text: &str) -> String {
    COMMENT
        .replace_all(text, |it: &Captures<'_>| {
            it[0].chars().map(|it| if it == '\n' { "\n".into() } else { " ".repeat(it.len_utf8()) }).collect::<String>()
        })
        .into_owned()
}

/// The quoted texts of a range, or else the first word of each of its items.
fn names(text: &str, range: Range<usize>) -> Vec<Word> {
    let inside = &text[range.clone()];
    let quoted: Vec<Word> = QUOTED.find_iter(inside).map(|it| word(range.start + it.start()..range.start + it.end(), text)).collect();
    if !quoted.is_empty() {
        return quoted;
    }
    let mut words = Vec::new();
    let mut at = range.start;
    for item in inside.split_inclusive([',', '|', '&', ';', '\n']) {
        words.extend(NAMES.find(item).map(|it| word(at + it.start()..at + it.end(), text)));
        at += item.len();
    }
    words
}

/// The states of a list: its bullets, or else its quoted texts, or else the first word of each item.
pub(super) fn list(text: &str) -> Vec<Fact> {
    static STRONG: LazyLock<Regex> = LazyLock::new(|| regex(r"`([^`\n]+)`|\*\*([^*\n]+)\*\*|__([^_\n]+)__"));
    let bullet = |it: Captures<'_>| {
        let item = it.get(1)?;
        let strong = STRONG.captures(item.as_str()).filter(|it| it.get(0).is_some_and(|it| it.start() <= 2));
        let range = match strong.as_ref().and_then(|it| it.iter().skip(1).flatten().next()) {
            Some(name) => name.range(),
            None => 0..item.as_str().find([':', '(', ',', '–', '—']).unwrap_or(item.len()),
        };
        let named = &item.as_str()[range.clone()];
        let plain = named.trim().trim_matches(['"', '\'', '*', ':', ' ']);
        let start = item.start() + range.start + named.find(plain)?;
        (!plain.is_empty()).then(|| Word { text: plain.to_owned(), range: start..start + plain.len() })
    };
    let mut words: Vec<Word> = BULLET.captures_iter(text).filter_map(bullet).collect();
    if words.is_empty() {
        words = names(&without_comments(text), 0..text.len());
    }
    words.into_iter().map(|it| Fact::State(it, None)).collect()
}

/// The headings of the highest level.
pub(super) fn headings(text: &str) -> Vec<Fact> {
    let headings = part::headings(text);
    let highest = headings.iter().map(|it| it.level).min();
    let states = headings.into_iter().filter(|it| Some(it.level) == highest);
    let state = |range: Range<usize>| Word { text: text[range.clone()].replace(['`', '*'], ""), range };
    states.map(|it| Fact::State(state(it.title), None)).collect()
}

/// The edges: those of arrows, or else those of lists of what follows a state, or else those of pairs.
pub(super) fn pairs(text: &str) -> Vec<Fact> {
    let plain = without_comments(text);
    let mut facts = Vec::new();
    let mut at = 0;
    for line in plain.split_inclusive('\n') {
        let line_start = at;
        at += line.len();
        let mut ends = vec![0];
        ends.extend(ARROW.find_iter(line).flat_map(|it| [it.start(), it.end()]));
        ends.push(line.len());
        let parts: Vec<Range<usize>> = ends.chunks(2).map(|it| line_start + it[0]..line_start + it[1]).collect();
        for both in parts.windows(2) {
            // What is behind a colon, or behind `if`, is an event or a guard.
            let to = plain[both[1].clone()].find([':', ';']).map_or(both[1].clone(), |it| both[1].start..both[1].start + it);
            facts.extend(all_pairs(&names(&plain, both[0].clone()), &names(&plain, to)));
        }
    }
    if facts.is_empty() {
        for it in LISTED.captures_iter(&plain) {
            if let (Some(from), Some(to)) = (it.get(1), it.get(2)) {
                let from = word(from.range(), &plain);
                facts.push(Fact::State(from.clone(), None));
                facts.extend(all_pairs(&[from], &names(&plain, to.range())));
            }
        }
    }
    if facts.is_empty() {
        for it in PAIR.captures_iter(&plain) {
            if let (Some(from), Some(to)) = (it.get(1), it.get(2)) {
                facts.push(Fact::Edge(word(from.range(), &plain), word(to.range(), &plain)));
            }
        }
    }
    facts
}

fn all_pairs(from: &[Word], to: &[Word]) -> Vec<Fact> {
    from.iter().flat_map(|from| to.iter().map(|to| Fact::Edge(from.clone(), to.clone()))).collect()
}

/// The nodes and edges of a graph of Graphviz, the nodes with their labels.
pub(super) fn dot(text: &str) -> Vec<Fact> {
    static NODE: LazyLock<Regex> = LazyLock::new(|| regex(&format!(r#"(?m)^\s*({NAME})\s*\[([^\]]*)\]\s*;?\s*$|^\s*({NAME})\s*;\s*$"#)));
    static LABEL: LazyLock<Regex> = LazyLock::new(|| regex(r#"\blabel\s*=\s*(?:"([^"]+)"|([\w]+))"#));
    static ATTRIBUTES: LazyLock<Regex> = LazyLock::new(|| regex(r"\[[^\]]*\]"));
    let plain = without_comments(text);
    let mut facts = Vec::new();
    for it in NODE.captures_iter(&plain) {
        let Some(node) = it.get(1).or_else(|| it.get(3)).map(|it| word(it.range(), &plain)) else { continue };
        let label = it.get(2).and_then(|it| LABEL.captures(it.as_str())).and_then(|it| it.get(1).or_else(|| it.get(2)));
        if !["node", "edge", "graph"].contains(&node.text.as_str()) {
            facts.push(Fact::State(node, label.map(|it| it.as_str().to_owned())));
        }
    }
    let edges = ATTRIBUTES.replace_all(&plain, |it: &Captures<'_>| " ".repeat(it[0].len()));
    facts.extend(pairs(&edges).into_iter().filter(|it| matches!(it, Fact::Edge(..))));
    facts
}

/// The nodes and edges of a flowchart of Mermaid, the nodes with their labels.
pub(super) fn flowchart(text: &str) -> Vec<Fact> {
    static NODE: LazyLock<Regex> =
        LazyLock::new(|| regex(r#"([\p{L}_][\p{L}\p{N}_]*)(?:\[+|\(+|\{+|>)"?[\[(/\\]?"?([^\[\](){}"|]+)"?[/\\]?[\])}]+"#));
    static LINK: LazyLock<Regex> = LazyLock::new(|| {
        regex(r"(?:-{2,}|={2,}|-\.+)[^-=.>|\n]*(?:-+|=+|\.+-)>(?:\s*\|[^|\n]*\|)?|(?:-{2,}>|={2,}>|-\.+->)(?:\s*\|[^|\n]*\|)?")
    });
    static OTHER: LazyLock<Regex> = LazyLock::new(|| {
        regex(
            r"(?m)^\s*(?:flowchart|graph|subgraph|end|classDef|class|style|linkStyle|click|direction)\b[^\n]*|%%[^\n]*|^\s*```[^\n]*|:::\w+",
        )
    });
    let blank = |it: &Captures<'_>| " ".repeat(it[0].len());
    let plain = OTHER.replace_all(text, blank).into_owned();
    let mut facts = Vec::new();
    for it in NODE.captures_iter(&plain) {
        if let (Some(id), Some(label)) = (it.get(1), it.get(2)) {
            facts.push(Fact::State(word(id.range(), &plain), Some(label.as_str().trim().to_owned())));
        }
    }
    // The identifier alone, so that a label has no arrows and no names.
    let ids = NODE.replace_all(&plain, |it: &Captures<'_>| format!("{}{}", &it[1], " ".repeat(it[0].len() - it[1].len())));
    let arrows = LINK.replace_all(&ids, |it: &Captures<'_>| format!("{}->", " ".repeat(it[0].len() - 2)));
    facts.extend(pairs(&arrows));
    facts
}

/// The matches of a pattern.
pub(super) fn matches(text: &str, pattern: &Regex) -> Vec<Fact> {
    let word = |it: &Captures<'_>, name: &str| it.name(name).map(|it| Word { text: it.as_str().trim().to_owned(), range: it.range() });
    let fact = |it: Captures<'_>| {
        let named = |name: &str| word(&it, name).filter(|it| !it.text.is_empty());
        let state = named("state").map(|state| Fact::State(state, named("number").map(|it| it.text)));
        let edge = named("from").zip(named("to")).map(|(from, to)| Fact::Edge(from, to));
        state.into_iter().chain(edge)
    };
    pattern.captures_iter(text).flat_map(fact).collect()
}
