//! Reads a Rust file with an enum and its edges.
//!
//! The edges are read from the following forms:
//!
//! - pairs `(From, To)`, or triples with an event in the middle or at the end, in an array, a slice or `vec![…]`;
//! - a `match` with arms `(From, To) => true`, `(From, Event) => To`, `From => To` or `From => &[To, …]`;
//! - `matches!(…, (From, To) | …)`;
//! - comments of the form `From -> To` or `From -> To: event`.
//!
//! The file is read as token trees: the code around the edges need not be understood, and nested
//! expressions cannot exhaust the stack.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use super::draft::{Draft, Findings, From, Row, State};
use super::span;
use crate::source::{SourceId, Sources, Span};

/// The maximum nesting of groups.
const MAX_DEPTH: usize = 100;

/// Reads every enum that has edges; if none has edges, the first enum.
pub(super) fn read(sources: &Sources, id: SourceId, found: &mut Findings) -> Vec<Draft> {
    let text = sources.get(id).text();
    let tokens = match text.parse::<TokenStream>() {
        Ok(tokens) => tokens,
        Err(error) => {
            let help = "look for a bracket or quote without its partner";
            found.unreadable_help(span(id, error.span().byte_range()), "this cannot be cut into the words of Rust", help);
            return Vec::new();
        }
    };
    let mut lists = Vec::new();
    collect(tokens.into_iter().collect(), 0, &mut lists);
    let mut enums: Vec<Enum> = lists.iter().flat_map(|it| enums(it, id)).collect();
    if enums.is_empty() {
        found.unreadable_help(span(id, 0..1), "this file has no enum", "the states are the variants of an enum");
        return Vec::new();
    }
    for machine in &mut enums {
        for list in &lists {
            machine.edges(list);
        }
        machine.comments(text);
    }
    if enums.iter().any(|it| !it.draft.rows.is_empty()) {
        enums.retain(|it| !it.draft.rows.is_empty());
    } else {
        enums.truncate(1);
        let draft = &mut enums[0].draft;
        draft.found.loss(draft.span, "no list of edges was found: pairs of variants in an array, or a `match` over such pairs");
    }
    enums.into_iter().map(|it| it.draft).collect()
}

/// The token lists of a file, outermost first: the file's own and that of every group.
fn collect(tokens: Vec<TokenTree>, depth: usize, lists: &mut Vec<Vec<TokenTree>>) {
    let inner: Vec<Group> =
        tokens.iter().filter_map(|it| if let TokenTree::Group(group) = it { Some(group.clone()) } else { None }).collect();
    lists.push(tokens);
    if depth < MAX_DEPTH {
        for group in inner {
            collect(group.stream().into_iter().collect(), depth + 1, lists);
        }
    }
}

/// An enum to be converted to a machine: its variants are the states.
struct Enum {
    name: String,
    draft: Draft,
    id: SourceId,
}

/// A pattern of one value: variants of the enum, another name, or a wildcard.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Pattern {
    States(Vec<usize>),
    Names(Vec<String>),
    Any,
    Other,
}

/// The enums directly in a list.
fn enums(tokens: &[TokenTree], id: SourceId) -> Vec<Enum> {
    let mut found = Vec::new();
    for (idx, token) in tokens.iter().enumerate() {
        if !is_word(token, "enum") {
            continue;
        }
        let Some(TokenTree::Ident(name)) = tokens.get(idx + 1) else { continue };
        // Generics may precede the variants.
        let body = tokens[idx + 2..].iter().take(64).find_map(|it| group(it, Delimiter::Brace));
        let Some(body) = body else { continue };
        let place = span(id, token.span().byte_range().start..name.span().byte_range().end);
        let mut draft = Draft::new(super::naming::machine_name(name.to_string().trim_start_matches("r#")), place);
        let before = tokens[..idx]
            .iter()
            .rposition(|it| matches!(it, TokenTree::Group(it) if it.delimiter() == Delimiter::Brace) || is_sign(it, ';'));
        draft.doc = Some(docs(&tokens[before.map_or(0, |it| it + 1)..idx])).filter(|it| !it.is_empty());
        for variant in split(&body.stream().into_iter().collect::<Vec<_>>(), ',') {
            variant_state(&variant, id, &mut draft);
        }
        if !draft.states.is_empty() {
            found.push(Enum { name: name.to_string(), draft, id });
        }
    }
    found
}

/// A variant with its docs; its fields are lost.
fn variant_state(tokens: &[TokenTree], id: SourceId, draft: &mut Draft) {
    let mut rest = tokens;
    while let [sign, TokenTree::Group(_), behind @ ..] = rest {
        if !is_sign(sign, '#') {
            break;
        }
        rest = behind;
    }
    let Some(TokenTree::Ident(name)) = rest.first() else { return };
    let place = span(id, name.span().byte_range());
    let mut state = State::new(name.to_string().trim_start_matches("r#"), None, place);
    let attributes = &tokens[..tokens.len() - rest.len()];
    state.doc = Some(docs(attributes)).filter(|it| !it.is_empty()).into_iter().collect();
    state.initial = attributes.iter().filter_map(|it| group(it, Delimiter::Bracket)).any(|it| it.stream().to_string().trim() == "default");
    match rest.get(1) {
        Some(TokenTree::Group(_)) => {
            draft.found.loss(place, format!("a state has no data of its own: the fields of `{name}` were left out"))
        }
        Some(TokenTree::Punct(sign)) if sign.as_char() == '=' => {
            draft.found.loss(place, format!("the number of `{name}` was left out"));
        }
        _ => {}
    }
    draft.states.push(state);
}

/// The text of `#[doc = "…"]`, the desugared form of `///`.
fn docs(tokens: &[TokenTree]) -> String {
    let mut lines = Vec::new();
    for attribute in tokens.iter().filter_map(|it| group(it, Delimiter::Bracket)) {
        let inside: Vec<TokenTree> = attribute.stream().into_iter().collect();
        if let [word, sign, TokenTree::Literal(text)] = inside.as_slice()
            && is_word(word, "doc")
            && is_sign(sign, '=')
            && let Ok(text) = syn::parse_str::<syn::LitStr>(&text.to_string())
        {
            lines.push(text.value().trim().to_owned());
        }
    }
    lines.join("\n").trim().to_owned()
}

impl Enum {
    /// Reads the edges in a list of tokens.
    fn edges(&mut self, tokens: &[TokenTree]) {
        for (idx, token) in tokens.iter().enumerate() {
            if is_word(token, "match") {
                // The first braces after the value contain the arms.
                let body = tokens[idx + 1..].iter().take(64).find_map(|it| group(it, Delimiter::Brace));
                if let Some(body) = body {
                    self.arms(&body.stream().into_iter().collect::<Vec<_>>());
                }
            } else if is_word(token, "matches") {
                let Some(arguments) = tokens.get(idx + 2).and_then(|it| group(it, Delimiter::Parenthesis)) else { continue };
                let arguments = split(&arguments.stream().into_iter().collect::<Vec<_>>(), ',');
                if let Some(patterns) = arguments.get(1) {
                    for pair in alternatives(patterns) {
                        self.pair(&pair, None);
                    }
                }
            } else if let Some(list) = group(token, Delimiter::Bracket) {
                for item in split(&list.stream().into_iter().collect::<Vec<_>>(), ',') {
                    self.pair(&item, None);
                }
            }
        }
    }

    /// `(From, To)`, `(From, Event, To)`, `(From, To, Event)`.
    fn pair(&mut self, tokens: &[TokenTree], guard: Option<&str>) {
        let [TokenTree::Group(tuple)] = tokens else { return };
        if tuple.delimiter() != Delimiter::Parenthesis {
            return;
        }
        let parts: Vec<Pattern> = split(&tuple.stream().into_iter().collect::<Vec<_>>(), ',').iter().map(|it| self.pattern(it)).collect();
        let place = span(self.id, tuple.span().byte_range());
        match parts.as_slice() {
            [from, Pattern::States(to)] => self.rows(from, to, &[], guard, place),
            [from, Pattern::Names(events), Pattern::States(to)] | [from, Pattern::States(to), Pattern::Names(events)] => {
                self.rows(from, to, events, guard, place);
            }
            _ => {}
        }
    }

    fn arms(&mut self, tokens: &[TokenTree]) {
        let mut rest = tokens;
        while let Some(arrow) = rest.windows(2).position(|it| is_sign(&it[0], '=') && is_sign(&it[1], '>')) {
            let (pattern, behind) = (&rest[..arrow], &rest[arrow + 2..]);
            let length = match behind.first() {
                Some(TokenTree::Group(block)) if block.delimiter() == Delimiter::Brace => 1,
                _ => behind.iter().position(|it| is_sign(it, ',')).unwrap_or(behind.len()),
            };
            self.arm(pattern, &behind[..length]);
            rest = &behind[length..];
            if rest.first().is_some_and(|it| is_sign(it, ',')) {
                rest = &rest[1..];
            }
        }
    }

    fn arm(&mut self, pattern: &[TokenTree], body: &[TokenTree]) {
        let (pattern, guard) = match pattern.iter().position(|it| is_word(it, "if")) {
            Some(idx) => (&pattern[..idx], Some(source(&pattern[idx + 1..]))),
            None => (pattern, None),
        };
        let Some(first) = pattern.first() else { return };
        let place = span(self.id, first.span().byte_range());
        if one_of_many(pattern) {
            self.draft.found.loss(place, "this arm looks at what its event or state carries: that part was left out");
        }
        let says = |word: &str| matches!(body, [it] if is_word(it, word));
        let targets = self.targets(body);
        for one in alternatives(pattern) {
            if says("true") {
                self.pair(&one, guard.as_deref());
                continue;
            }
            if says("false") {
                continue;
            }
            let parts = match one.as_slice() {
                [TokenTree::Group(tuple)] if tuple.delimiter() == Delimiter::Parenthesis => {
                    split(&tuple.stream().into_iter().collect::<Vec<_>>(), ',').iter().map(|it| self.pattern(it)).collect()
                }
                path => vec![self.pattern(path)],
            };
            match parts.as_slice() {
                [from @ Pattern::States(_), Pattern::Names(events)] | [from @ Pattern::Any, Pattern::Names(events)]
                    if !targets.is_empty() =>
                {
                    self.rows(from, &targets, events, guard.as_deref(), place);
                }
                [from @ Pattern::States(_)] if !targets.is_empty() => self.rows(from, &targets, &[], guard.as_deref(), place),
                [Pattern::States(_), _] | [Pattern::Any, Pattern::Names(_)] if !body.is_empty() && !self.is_refusal(body) => {
                    self.draft.found.loss(place, "where this arm leads cannot be told: it was left out");
                }
                _ => {}
            }
        }
    }

    /// The states that the right side of an arm names.
    fn targets(&self, body: &[TokenTree]) -> Vec<usize> {
        if let Pattern::States(states) = self.pattern(body) {
            return states;
        }
        let mut found = Vec::new();
        let mut open: Vec<Vec<TokenTree>> = vec![body.to_vec()];
        while let Some(tokens) = open.pop() {
            for part in split(&tokens, ',').iter().flat_map(|it| alternatives(it)) {
                // `&[A, B]` and `Some(A)`: the last piece is the state.
                let path: Vec<TokenTree> = part.iter().filter(|it| !is_sign(it, '&')).cloned().collect();
                match self.pattern(&path) {
                    Pattern::States(states) => found.extend(states),
                    _ => {
                        let is_wrapper = matches!(path.as_slice(), [TokenTree::Ident(_), TokenTree::Group(_)] | [TokenTree::Group(_)])
                            || matches!(path.as_slice(), [TokenTree::Ident(_), sign, TokenTree::Group(_)] if is_sign(sign, '!'));
                        if let Some(TokenTree::Group(inside)) = path.last().filter(|_| is_wrapper && open.len() < MAX_DEPTH) {
                            open.push(inside.stream().into_iter().collect());
                        }
                    }
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// `None`, `Err(…)`, a panic or an empty list.
    fn is_refusal(&self, body: &[TokenTree]) -> bool {
        let words = ["None", "Err", "panic", "unreachable", "todo", "unimplemented", "return", "self", "false"];
        let first = body.iter().find(|it| !is_sign(it, '&'));
        match first {
            Some(TokenTree::Ident(word)) => words.contains(&word.to_string().as_str()),
            Some(TokenTree::Group(list)) => list.stream().is_empty(),
            _ => false,
        }
    }

    /// The meaning of one pattern or path.
    fn pattern(&self, tokens: &[TokenTree]) -> Pattern {
        let tokens: Vec<TokenTree> = tokens.iter().filter(|it| !is_sign(it, '&')).cloned().collect();
        if matches!(tokens.as_slice(), [word] if is_word(word, "_")) {
            return Pattern::Any;
        }
        if let [TokenTree::Literal(text)] = tokens.as_slice() {
            return match syn::parse_str::<syn::LitStr>(&text.to_string()) {
                Ok(text) if !text.value().trim().is_empty() => Pattern::Names(vec![text.value()]),
                _ => Pattern::Other,
            };
        }
        let (mut states, mut names) = (Vec::new(), Vec::new());
        for one in alternatives(&tokens) {
            let Some((qualifier, name)) = path(&one) else { return Pattern::Other };
            let own = qualifier.as_deref().is_none_or(|it| it == self.name || it == "Self");
            let known = self.draft.states.iter().position(|it| it.id == name);
            match known.filter(|_| own) {
                Some(state) => states.push(state),
                None if qualifier.is_some() => names.push(name),
                None => return Pattern::Other,
            }
        }
        match (states.is_empty(), names.is_empty()) {
            (false, true) => Pattern::States(states),
            (true, false) => Pattern::Names(names),
            _ => Pattern::Other,
        }
    }

    fn rows(&mut self, from: &Pattern, to: &[usize], events: &[String], guard: Option<&str>, place: Span) {
        let sources: Vec<From> = match from {
            Pattern::States(states) => states.iter().map(|it| From::State(*it)).collect(),
            Pattern::Any => vec![From::Any],
            _ => return,
        };
        for from in sources {
            for to in to {
                let mut row = Row::new(from, Some(*to), place);
                row.events = events.to_vec();
                row.guards = guard.map(str::to_owned).into_iter().collect();
                let is_known = |it: &Row| (it.from, it.to, &it.events, &it.guards) == (row.from, row.to, &row.events, &row.guards);
                if !self.draft.rows.iter().any(is_known) {
                    self.draft.rows.push(row);
                }
            }
        }
    }

    /// `// From -> To: event`
    fn comments(&mut self, text: &str) {
        let mut offset = 0;
        for line in text.split_inclusive('\n') {
            let range = offset..offset + line.trim_end().len();
            offset += line.len();
            let Some(comment) = line.trim().strip_prefix("//") else { continue };
            let comment = comment.trim_start_matches(['/', '!']).trim();
            let Some((from, rest)) = comment.split_once("->").or_else(|| comment.split_once('→')) else { continue };
            let (to, label) = rest.split_once(':').map_or((rest, None), |(to, label)| (to, Some(label.trim())));
            let state = |name: &str| {
                let name = name.trim().trim_matches('`').trim_end_matches('-');
                let name = name.rsplit("::").next().unwrap_or(name).trim();
                self.draft.states.iter().position(|it| it.id == name)
            };
            let (Some(from), Some(to)) = (state(from), state(to)) else { continue };
            let row = Row::new(From::State(from), Some(to), span(self.id, range));
            self.draft.rows.push(match label.filter(|it| !it.is_empty()) {
                Some(label) => row.with_label(label),
                None => row,
            });
        }
    }
}

/// `A`, `State::A`, `crate::State::A { .. }`: the qualifier before the last name, and the last name.
fn path(tokens: &[TokenTree]) -> Option<(Option<String>, String)> {
    let tokens = match tokens {
        [rest @ .., TokenTree::Group(fields)] if !rest.is_empty() && fields.delimiter() != Delimiter::Bracket => rest,
        all => all,
    };
    let mut names = Vec::new();
    for (idx, part) in tokens.iter().enumerate() {
        match (idx % 3, part) {
            (0, TokenTree::Ident(name)) => names.push(name.to_string()),
            (1 | 2, sign) if is_sign(sign, ':') => {}
            _ => return None,
        }
    }
    if tokens.len() % 3 != 1 {
        return None;
    }
    let name = names.pop()?.trim_start_matches("r#").to_owned();
    Some((names.pop(), name))
}

/// Whether a pattern distinguishes values by their fields: `Finish(false)` and not `Finish(_)`.
fn one_of_many(pattern: &[TokenTree]) -> bool {
    let mut lists = Vec::new();
    collect(pattern.to_vec(), MAX_DEPTH - 4, &mut lists);
    // The outermost list is the pattern itself, the next one its tuple.
    let is_literal = |it: &TokenTree| matches!(it, TokenTree::Literal(_)) || is_word(it, "true") || is_word(it, "false");
    let carried = lists.iter().skip(2).flatten().any(is_literal);
    let single = pattern.len() > 1 && lists.iter().skip(1).flatten().any(is_literal) && !matches!(pattern, [TokenTree::Group(_)]);
    carried || single
}

/// The tokens as source text.
fn source(tokens: &[TokenTree]) -> String {
    let text = tokens.iter().cloned().collect::<TokenStream>().to_string();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn is_word(token: &TokenTree, word: &str) -> bool {
    matches!(token, TokenTree::Ident(it) if it == word)
}

fn is_sign(token: &TokenTree, sign: char) -> bool {
    matches!(token, TokenTree::Punct(it) if it.as_char() == sign)
}

fn group(token: &TokenTree, delimiter: Delimiter) -> Option<&Group> {
    match token {
        TokenTree::Group(group) if group.delimiter() == delimiter => Some(group),
        _ => None,
    }
}

/// The non-empty pieces between signs.
fn split(tokens: &[TokenTree], sign: char) -> Vec<Vec<TokenTree>> {
    let pieces = tokens.split(|it| is_sign(it, sign));
    pieces.filter(|it| !it.is_empty()).map(<[TokenTree]>::to_vec).collect()
}

fn alternatives(tokens: &[TokenTree]) -> Vec<Vec<TokenTree>> {
    split(tokens, '|')
}
