//! Cuts a text into statements of SQL, and parses those that may change a schema.

use sqlparser::ast::Statement;
use sqlparser::dialect::{Dialect, GenericDialect, MsSqlDialect, MySqlDialect, PostgreSqlDialect, SQLiteDialect};
use sqlparser::parser::Parser;
use sqlparser::tokenizer::{Location, Token, TokenWithSpan, Tokenizer};
use statespec_lang::diagnostic::{Code, Diagnostic};
use statespec_lang::source::{SourceId, Sources, Span};

use super::schema::Schema;

/// The dialects, tried in this order.
const DIALECTS: [&dyn Dialect; 5] = [&GenericDialect {}, &PostgreSqlDialect {}, &MySqlDialect {}, &SQLiteDialect {}, &MsSqlDialect {}];

/// Lines behind which a migration is taken back.
const BACKWARD: [&str; 4] = ["-- +goose Down", "-- migrate:down", "-- +migrate Down", "--//@UNDO"];

/// Reads a file into a schema; returns what cannot be read of it.
pub(super) fn read(sources: &Sources, id: SourceId, schema: &mut Schema) -> Vec<Diagnostic> {
    let text = sources.get(id).text();
    let end = BACKWARD.iter().filter_map(|it| text.find(it)).min().unwrap_or(text.len());
    let mut problems = Vec::new();
    let piece = Piece { id, start: 0, text: &text[..end] };
    piece.read(schema, &mut problems);
    problems
}

/// A part of a file.
pub(super) struct Piece<'a> {
    id: SourceId,
    start: usize,
    text: &'a str,
}

impl Piece<'_> {
    fn read(&self, schema: &mut Schema, problems: &mut Vec<Diagnostic>) {
        let tokens = match Tokenizer::new(&GenericDialect {}, self.text).tokenize_with_location() {
            Ok(tokens) => tokens,
            Err(error) => {
                let place = self.place(error.location, error.location);
                return problems.push(Diagnostic::new(Code::ImportUnreadable, place, format!("this is not SQL: {}", error.message)));
            }
        };
        for statement in tokens.split(|it| it.token == Token::SemiColon) {
            if is_word(statement.iter().find(|it| !matches!(it.token, Token::Whitespace(_))), &["DO"]) {
                // `DO $$ … $$` is a program, and the statements stand in its text.
                statement.iter().filter_map(|it| self.quoted(it)).for_each(|it| it.read(schema, problems));
                continue;
            }
            let Some(first) = statement.iter().position(|it| is_word(Some(it), &["CREATE", "ALTER", "DROP"])) else { continue };
            let statement = &statement[first..];
            match parse(statement) {
                Some(parsed) => schema.apply(&parsed, self),
                None if may_matter(statement) => {
                    let (start, end) = (statement[0].span.start, statement[statement.len() - 1].span.end);
                    let message = "this statement of SQL could not be read: a set of states may be another one";
                    problems.push(Diagnostic::new(Code::ImportLoss, self.place(start, end), message));
                }
                None => {}
            }
        }
    }

    /// The text between `$$` and `$$`.
    fn quoted(&self, token: &TokenWithSpan) -> Option<Piece<'_>> {
        let Token::DollarQuotedString(quoted) = &token.token else { return None };
        let tag = quoted.tag.as_ref().map_or(0, String::len);
        let start = self.offset(token.span.start) + tag + 2;
        let text = self.text.get(start..start + quoted.value.len())?;
        Some(Piece { id: self.id, start: self.start + start, text })
    }

    /// A place of the file.
    pub(super) fn place(&self, start: Location, end: Location) -> Span {
        let (start, end) = (self.offset(start), self.offset(end));
        Span::new(self.id, self.start + start..self.start + end.max(start))
    }

    /// The bytes before a line and a column, both counted from 1, the column in characters.
    fn offset(&self, location: Location) -> usize {
        let (line, column) = (location.line.saturating_sub(1), location.column.saturating_sub(1));
        let lines = self.text.split_inclusive('\n');
        let mut before = 0;
        for (number, text) in (0..).zip(lines) {
            if number == line {
                return before + text.chars().zip(0..column).map(|it| it.0.len_utf8()).sum::<usize>();
            }
            before += text.len();
        }
        self.text.len()
    }
}

fn is_word(token: Option<&TokenWithSpan>, words: &[&str]) -> bool {
    matches!(token.map(|it| &it.token), Some(Token::Word(word)) if words.iter().any(|it| word.value.eq_ignore_ascii_case(it)))
}

fn parse(tokens: &[TokenWithSpan]) -> Option<Statement> {
    let parse = |dialect: &&dyn Dialect| Parser::new(*dialect).with_tokens_with_locations(tokens.to_vec()).parse_statement().ok();
    DIALECTS.iter().find_map(parse)
}

/// Whether a statement that cannot be read may be about a set of texts.
fn may_matter(tokens: &[TokenWithSpan]) -> bool {
    let is_set = tokens.iter().any(|it| is_word(Some(it), &["CHECK", "ENUM"]));
    let is_of_states =
        |it: &TokenWithSpan| matches!(&it.token, Token::Word(word) if crate::languages::is_of_states(&word.value.to_lowercase()));
    is_set && tokens.iter().any(is_of_states)
}
