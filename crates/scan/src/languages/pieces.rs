//! What a query finds in a text: sets of states with their members, and tables of steps with their rows.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;

use tree_sitter::{Node, Parser, Query, QueryCursor, StreamingIterator as _};

/// The sets and tables of a text, in its order.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    pub(super) sets: Vec<Set>,
    pub(super) maps: Vec<Map>,
}

/// A declaration of a set of states.
#[derive(Debug, Default)]
pub(super) struct Set {
    /// The name; a set without one is a list of constants, each with its type or with a beginning that others have, too.
    pub(super) name: Option<Word>,
    /// The name of the declaration around it.
    pub(super) owner: Option<String>,
    pub(super) members: Vec<Member>,
    /// Whether it contains something that is not the name of a state.
    pub(super) has_others: bool,
    /// Where something in it is not of the language.
    pub(super) broken: Option<Range<usize>>,
}

/// A state of a set.
#[derive(Debug)]
pub(super) struct Member {
    pub(super) word: Word,
    /// The text that stands for it outside the program.
    pub(super) value: Option<String>,
    /// Its type, where it stands beside it.
    pub(super) of: Option<String>,
    pub(super) number: Number,
}

/// What a text says of the number of a state.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) enum Number {
    /// Nothing. Behind `iota`, it is one more than the one before.
    #[default]
    None,
    Is(i64),
    /// Its position in the list and so much.
    Iota(i64),
    /// A constant with a value of its own, which is no number.
    Text,
}

impl Member {
    fn new(word: Word, value: Option<String>) -> Self {
        Member { word, value, of: None, number: Number::None }
    }
}

/// A table of steps.
#[derive(Debug)]
pub(super) struct Map {
    pub(super) name: Word,
    /// The type of the keys, if it is written.
    pub(super) of: Option<String>,
    pub(super) rows: Vec<Row>,
}

/// The steps out of a state.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) from: Word,
    /// The targets; `None` if they are something else than a list of names.
    pub(super) to: Option<Vec<Word>>,
}

/// A name, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) range: Range<usize>,
}

impl Word {
    fn new(node: Node<'_>, text: &str) -> Self {
        Word { text: bare(&text[node.byte_range()]).to_owned(), range: node.byte_range() }
    }
}

/// The name in a piece of code: `open` of `"open"`, `Open` of `[OrderStatus.Open]` and of `OrderStatus.Open.value`.
fn bare(code: &str) -> &str {
    let is_frame = |it: char| matches!(it, '"' | '\'' | '`' | '[' | ']') || it.is_whitespace();
    let is_text = code.trim_start_matches(['[', ' ']).starts_with(['"', '\'', '`']);
    let code = code.trim_matches(is_frame);
    if is_text {
        return code;
    }
    let code = code.strip_suffix(".value").unwrap_or(code);
    code.rsplit('.').next().unwrap_or(code)
}

/// A place, ordered by its start; what is around comes before what is inside.
type Place = (usize, Reverse<usize>);

fn place(node: Node<'_>) -> Place {
    (node.start_byte(), Reverse(node.end_byte()))
}

/// The lists of targets, as the grammars call them, each with the names in it.
const LISTS: [(&str, &[&str]); 5] = [
    ("array", &["string", "member_expression"]),
    ("list", &["string", "attribute", "identifier"]),
    ("set", &["string", "attribute", "identifier"]),
    ("tuple", &["string", "attribute", "identifier"]),
    ("literal_value", &["identifier", "selector_expression", "interpreted_string_literal"]),
];

/// The key of the list of targets in an object.
const TARGETS: [&str; 5] = ["to", "next", "targets", "transitions", "allowed"];

/// What follows a key, if it is an object: `{ to: ["closed"] }`, and in Go a struct, `{To: []Status{Closed}}`.
fn object(node: Node<'_>) -> Option<Node<'_>> {
    match node.kind() {
        "object" | "dictionary" => Some(node),
        "literal_element" => node.named_child(0).filter(|it| {
            let is_literal = |part: Node<'_>| {
                let value = part.child_by_field_name("value").and_then(|it| it.named_child(0));
                value.is_some_and(|it| it.kind() == "composite_literal")
            };
            it.named_children(&mut it.walk()).any(is_literal)
        }),
        _ => None,
    }
}

/// The list of targets in an object.
fn list_of<'t>(object: Node<'t>, text: &str) -> Option<Node<'t>> {
    object.named_children(&mut object.walk()).find_map(|pair| {
        let key = pair.child_by_field_name("key")?;
        let name = bare(&text[key.byte_range()]).to_lowercase();
        pair.child_by_field_name("value").filter(|it| TARGETS.contains(&name.as_str()) && !matches!(it.kind(), "object" | "dictionary"))
    })
}

/// How deep a list lies in what follows a key: `new Set([…])`, `frozenset({…})`.
const MAX_DEPTH: usize = 6;

/// What a part of a list has as its name: itself; in Go what is in the element, or the key in front of `true` or `{}`.
fn listed(part: Node<'_>) -> Option<Node<'_>> {
    let inside = |field: &str| part.child_by_field_name(field).and_then(|it| it.named_child(0));
    match part.kind() {
        "literal_element" => part.named_child(0),
        "keyed_element" => inside("value").filter(|it| ["true", "literal_value"].contains(&it.kind())).and_then(|_| inside("key")),
        _ => Some(part),
    }
}

/// What the matches say of each place.
#[derive(Default)]
struct Found {
    sets: BTreeMap<Place, Option<Word>>,
    broken: BTreeMap<Place, Range<usize>>,
    /// The declarations whose constants are sets.
    owners: BTreeMap<Place, String>,
    members: BTreeMap<Place, Member>,
    others: BTreeMap<Place, ()>,
    owned: BTreeMap<Place, String>,
    maps: BTreeMap<Place, (Option<Word>, Option<String>)>,
    rows: BTreeMap<Place, Word>,
    targets: BTreeMap<Place, Word>,
}

/// Reads a text.
///
/// # Errors
///
/// The reason why the grammar cannot read it.
pub(super) fn read(text: &str, grammar: &tree_sitter::Language, query: &Query) -> Result<Pieces, String> {
    let mut parser = Parser::new();
    parser.set_language(grammar).map_err(|error| format!("the grammar of this language cannot be used: {error}"))?;
    let tree = parser.parse(text, None).ok_or("the grammar of this language cannot read this file")?;
    let mut found = Found::default();
    let mut cursor = QueryCursor::new();
    let mut matches = cursor.matches(query, tree.root_node(), text.as_bytes());
    let mut rows: BTreeMap<(Place, Place), Place> = BTreeMap::new();
    while let Some(matched) = matches.next() {
        let node = |name: &str| {
            let idx = query.capture_index_for_name(name)?;
            matched.captures().iter().find(|it| it.index == idx).map(|it| it.node)
        };
        found.add(&node, text);
        if let Some(list) = node("list") {
            found.list(list, text);
        }
        if let (Some(map), Some(from), Some(targets)) = (node("map"), node("from"), node("targets")) {
            // The list in an object is what it says of the targets, `{ to: ["closed"], by: ["owner"] }`; without one, it has none.
            let list = object(targets).map_or(Some(targets), |it| list_of(it, text));
            rows.insert((place(map), place(from)), place(list.unwrap_or(targets)));
            if let Some(list) = list {
                found.targets(list, text);
            }
            found.rows.insert(place(from), Word::new(from, text));
        }
    }
    Ok(found.join(&rows, text))
}

impl Found {
    fn add<'a>(&mut self, node: &dyn Fn(&str) -> Option<Node<'a>>, text: &str) {
        let word = |name: &str| node(name).map(|it| Word::new(it, text));
        if let Some(set) = node("set").or_else(|| node("list")) {
            // Of a whole file, the other statements are none of the set.
            let error = set.children(&mut set.walk()).find(|it| it.is_error() || it.is_missing()).filter(|_| set.kind() != "module");
            self.broken.extend(error.map(|it| (place(set), it.byte_range())));
            let name = self.sets.entry(place(set)).or_default();
            *name = name.take().or_else(|| word("name"));
        }
        if let Some(map) = node("map") {
            let (name, of) = self.maps.entry(place(map)).or_default();
            *name = name.take().or_else(|| word("name"));
            *of = of.take().or_else(|| word("of").map(|it| it.text));
        }
        if let Some(state) = node("state") {
            let member = self.members.entry(place(state)).or_insert_with(|| Member::new(Word::new(state, text), None));
            member.value = member.value.take().or_else(|| word("value").map(|it| it.text));
            member.of = member.of.take().or_else(|| word("of").map(|it| it.text));
            let number = word("number").and_then(|it| it.text.replace('_', "").parse::<i64>().ok());
            member.number = match (node("iota"), number) {
                (Some(_), offset) => Number::Iota(offset.unwrap_or(0)),
                (None, Some(number)) => Number::Is(number),
                (None, None) if member.number == Number::None && node("value").is_some() => Number::Text,
                (None, None) => member.number,
            };
        }
        match (node("owned"), node("set"), word("owner")) {
            (Some(owned), _, Some(owner)) => self.owned.insert(place(owned), owner.text),
            (None, Some(set), Some(owner)) => self.owners.insert(place(set), owner.text),
            _ => None,
        };
        self.others.extend(node("other").map(|it| (place(it), ())));
    }

    /// Adds the names in the lists of a row. A pattern would keep every list open until it ends: of lists inside of lists, a query
    /// takes time by the square of their number.
    fn targets(&mut self, targets: Node<'_>, text: &str) {
        let mut cursor = targets.walk();
        let mut open = vec![(targets, 0)];
        while let Some((node, depth)) = open.pop() {
            let names = LISTS.iter().find(|it| it.0 == node.kind()).map_or(&[][..], |it| it.1);
            for part in node.named_children(&mut cursor) {
                let named = listed(part).filter(|it| names.contains(&it.kind()));
                self.targets.extend(named.map(|it| (place(it), Word::new(it, text))));
                if depth < MAX_DEPTH {
                    open.push((part, depth + 1));
                }
            }
        }
    }

    /// Adds the parts of a list. A pattern would keep each part until the list ends, and a union is a chain of unions: a query takes
    /// time by the square or the cube of their number.
    fn list(&mut self, list: Node<'_>, text: &str) {
        let mut cursor = list.walk();
        let mut open = vec![list];
        while let Some(node) = open.pop() {
            for part in node.named_children(&mut cursor) {
                match (node.kind(), part.kind()) {
                    (_, "comment") => {}
                    ("union_type", "union_type") => open.push(part),
                    ("union_type", "literal_type") | ("array", "string") => {
                        let string =
                            if part.kind() == "string" { Some(part) } else { part.named_child(0).filter(|it| it.kind() == "string") };
                        self.members.extend(string.map(|it| (place(it), Member::new(Word::new(it, text), None))));
                    }
                    ("union_type", _) => {
                        self.others.insert(place(part), ());
                    }
                    ("object", "pair") => {
                        let field = |name: &str, kinds: &[&str]| part.child_by_field_name(name).filter(|it| kinds.contains(&it.kind()));
                        if let (Some(key), Some(value)) = (field("key", &["property_identifier", "string"]), field("value", &["string"])) {
                            let value = Some(Word::new(value, text).text);
                            self.members.insert(place(key), Member::new(Word::new(key, text), value));
                        } else {
                            self.others.insert(place(part), ());
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    /// Each member in its set, and each target in its row.
    fn join(self, rows: &BTreeMap<(Place, Place), Place>, text: &str) -> Pieces {
        let Found { sets, mut broken, mut owners, members, others, owned, maps, rows: froms, targets } = self;
        let set_places: Vec<Place> = sets.keys().copied().collect();
        let around = innermost(&owned.keys().copied().collect::<Vec<_>>(), &set_places);
        let owner_names: Vec<String> = owned.into_values().collect();
        let mut all: Vec<Set> = sets
            .into_iter()
            .zip(around)
            .map(|((place, name), around)| {
                let own = owners.remove(&place).filter(|_| name.is_none());
                let owner = own.or_else(|| around.map(|it| owner_names[it].clone()));
                Set { name, owner, broken: broken.remove(&place), ..Set::default() }
            })
            .collect();
        let within = innermost(&set_places, &members.keys().copied().collect::<Vec<_>>());
        for (member, set) in members.into_values().zip(within) {
            if let Some(set) = set {
                all[set].members.push(member);
            }
        }
        for set in innermost(&set_places, &others.keys().copied().collect::<Vec<_>>()).into_iter().flatten() {
            all[set].has_others = true;
        }
        let mut lists: Vec<Place> = rows.values().copied().collect();
        lists.sort_unstable();
        let mut words: BTreeMap<Place, Vec<Word>> = BTreeMap::new();
        let within = innermost(&lists, &targets.keys().copied().collect::<Vec<_>>());
        for (word, list) in targets.into_values().zip(within) {
            if let Some(list) = list {
                words.entry(lists[list]).or_default().push(word);
            }
        }
        let maps = maps.into_iter().filter_map(|(map, (name, of))| {
            let own = rows.range((map, (0, Reverse(usize::MAX)))..).take_while(|it| it.0.0 == map).map(|((_, from), list)| Row {
                from: froms[from].clone(),
                to: words.get(list).cloned().or_else(|| is_empty(&text[list.0..list.1.0]).then(Vec::new)),
            });
            Some(Map { name: name?, of, rows: own.collect() })
        });
        Pieces { maps: maps.collect(), sets: all }
    }
}

/// Whether a piece of code is a collection of nothing: `[]`, `set()`, `new Set()`, `[]OrderStatus{}`.
fn is_empty(code: &str) -> bool {
    let words = code.split(|it: char| !it.is_alphanumeric() && it != '_').filter(|it| !it.is_empty());
    let n_more = words.filter(|it| !matches!(*it, "set" | "frozenset" | "new" | "Set" | "list" | "tuple")).count();
    code.ends_with(['}', ']', ')']) && (n_more == 0 || (code.starts_with("[]") && code.ends_with("{}")))
}

/// For each item the position of the innermost other place around it. Both are sorted.
fn innermost(around: &[Place], items: &[Place]) -> Vec<Option<usize>> {
    let mut next = 0;
    let mut open: Vec<usize> = Vec::new();
    let find = |item: &Place| {
        while next < around.len() && around[next] <= *item {
            open.push(next);
            next += 1;
        }
        // What ends before the item begins can contain no later item.
        while let Some(last) = open.last()
            && around[*last].1.0 <= item.0
        {
            open.pop();
        }
        open.iter().rev().find(|it| around[**it].1.0 >= item.1.0 && around[**it] != *item).copied()
    };
    items.iter().map(find).collect()
}
