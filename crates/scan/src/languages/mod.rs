//! Sets of states in other languages: enums, unions of texts, and tables of steps between them.
//!
//! A grammar and a query find them; a further language is a line of `LANGUAGES` and a file in `queries/`. SQL is read by a parser of
//! its own, and schemas, such as OpenAPI, as the YAML or JSON that they are.
//!
//! ```text
//! text ──grammar, query─▶ captures ──pieces─▶ sets and tables ──statements─▶ statements
//! ```
//!
//! The captures of a query:
//!
//! | capture | meaning |
//! | --- | --- |
//! | `@set`, `@name` | a declaration of a set of states, and its name |
//! | `@set`, `@owner` | a declaration with constants: those whose names begin in the same way are a set |
//! | `@list`, `@name` | such a declaration, whose states are its parts: a union, an array or an object |
//! | `@state`, `@value` | a state of the innermost set around it, and the text that stands for it outside the program |
//! | `@other` | something else in a set: its states are not all named, so it is left out |
//! | `@number`, `@iota` | the number of a state, or what its position is added to |
//! | `@of` | the type of a state or of a table, where it says more than the name |
//! | `@map`, `@name` | a table of steps: from each key to each of its targets |
//! | `@from`, `@targets` | a key, and everything that follows it: the names in the lists there are its targets |
//! | `@owned`, `@owner` | a declaration around a set, and its name: `Order` of a field `status` |

mod filter;
mod pieces;
mod schemas;
pub(crate) mod sql;
mod statements;

use std::path::Path;
use std::sync::OnceLock;

use statespec_import::{Kind, Statements};
use statespec_lang::diagnostic::{Code, Diagnostic};
use statespec_lang::source::{SourceId, Sources, Span};
use tree_sitter::{Query, QueryError};

use filter::{ENUMS, Form, GO, KOTLIN, PYTHON};
pub(crate) use statements::is_of_states;

/// A language whose sets of states are read.
struct Language {
    extensions: &'static [&'static str],
    kind: Kind,
    grammar: fn() -> tree_sitter::Language,
    query: &'static str,
    /// The ways in which the query finds something.
    forms: &'static [Form],
    /// The query, compiled once.
    compiled: OnceLock<Result<Query, QueryError>>,
}

impl Language {
    const fn new(
        kind: Kind,
        extensions: &'static [&'static str],
        grammar: fn() -> tree_sitter::Language,
        query: &'static str,
        forms: &'static [Form],
    ) -> Self {
        Language { extensions, kind, grammar, query, forms, compiled: OnceLock::new() }
    }

    fn query(&self) -> &Result<Query, QueryError> {
        self.compiled.get_or_init(|| Query::new(&(self.grammar)(), self.query))
    }
}

static LANGUAGES: [Language; 9] = [
    Language::new(Kind::Code, &["ts", "mts", "cts"], || tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(), TYPESCRIPT, filter::TYPESCRIPT),
    Language::new(Kind::Code, &["tsx"], || tree_sitter_typescript::LANGUAGE_TSX.into(), TYPESCRIPT, filter::TYPESCRIPT),
    Language::new(Kind::Code, &["py", "pyi"], || tree_sitter_python::LANGUAGE.into(), include_str!("queries/python.scm"), PYTHON),
    Language::new(Kind::Code, &["go"], || tree_sitter_go::LANGUAGE.into(), include_str!("queries/go.scm"), GO),
    Language::new(Kind::Code, &["java"], || tree_sitter_java::LANGUAGE.into(), include_str!("queries/java.scm"), ENUMS),
    Language::new(Kind::Code, &["kt"], || tree_sitter_kotlin_ng::LANGUAGE.into(), include_str!("queries/kotlin.scm"), KOTLIN),
    Language::new(Kind::Code, &["cs"], || tree_sitter_c_sharp::LANGUAGE.into(), include_str!("queries/csharp.scm"), ENUMS),
    Language::new(Kind::Schema, &["proto"], || tree_sitter_proto::LANGUAGE.into(), include_str!("queries/protobuf.scm"), ENUMS),
    Language::new(
        Kind::Schema,
        &["graphql", "gql", "graphqls"],
        || tree_sitter_graphql::LANGUAGE.into(),
        include_str!("queries/graphql.scm"),
        ENUMS,
    ),
];

const TYPESCRIPT: &str = include_str!("queries/typescript.scm");

/// The language of a file, by its name.
fn language(path: &str) -> Option<&'static Language> {
    let extension = Path::new(path).extension()?.to_str()?.to_ascii_lowercase();
    LANGUAGES.iter().find(|it| it.extensions.contains(&extension.as_str()))
}

/// Whether a file is in a language whose sets of states are read.
pub(crate) fn knows(path: &str) -> bool {
    language(path).is_some() || sql::knows(path)
}

/// Whether code is a migration, which has what held once. Those of SQL are read one after another.
fn is_migration(path: &str) -> bool {
    path.to_lowercase().split('/').rev().skip(1).any(|it| it.starts_with("migration"))
}

/// Whether a text may state something: a quick look, before it is parsed.
pub(crate) fn may_state(path: &str, text: &str) -> bool {
    if sql::knows(path) {
        return sql::may_state(text);
    }
    match language(path) {
        Some(language) => !is_migration(path) && filter::may_state(language.forms, text),
        None => schemas::may_state(path, text),
    }
}

/// The sets of states of a text, and the steps between them; `None` if it is in none of the languages.
pub(crate) fn read(sources: &Sources, id: SourceId) -> Option<Statements> {
    let source = sources.get(id);
    if sql::knows(source.path()) {
        return Some(sql::read(sources, &[id]));
    }
    let Some(language) = language(source.path()) else { return schemas::read(sources, id) };
    let pieces = match language.query() {
        Ok(query) => pieces::read(source.text(), &(language.grammar)(), query),
        Err(error) => Err(format!("the query of this language is wrong: {error}")),
    };
    Some(match pieces {
        Ok(pieces) => statements::make(sources, id, language.kind, pieces),
        Err(why) => {
            let problem = Diagnostic::new(Code::ImportUnreadable, Span::new(id, 0..1), why);
            Statements { found: Vec::new(), problems: vec![problem] }
        }
    })
}
