//! Cuts a text into statements of SQL, and parses those that may change a schema.

use sqlparser::ast::Statement;
use sqlparser::dialect::{Dialect, GenericDialect, MsSqlDialect, MySqlDialect, PostgreSqlDialect, SQLiteDialect};
use sqlparser::parser::Parser;
use sqlparser::tokenizer::{Token, TokenWithSpan, Tokenizer};
use statespec_lang::diagnostic::{Code, Diagnostic};
use statespec_lang::names::snake;
use statespec_lang::source::{SourceId, Sources};

use super::piece::Piece;
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
    read_piece(&Piece::new(id, &text[..end]), schema, &mut problems);
    problems
}

/// Reads a part of a file into a schema.
fn read_piece(piece: &Piece<'_>, schema: &mut Schema, problems: &mut Vec<Diagnostic>) {
    let tokens = match Tokenizer::new(&GenericDialect {}, piece.text).tokenize_with_location() {
        Ok(tokens) => tokens,
        Err(error) => {
            let place = piece.place(error.location, error.location);
            return problems.push(Diagnostic::new(Code::ImportUnreadable, place, format!("this is not SQL: {}", error.message)));
        }
    };
    for statement in tokens.split(|it| it.token == Token::SemiColon) {
        if is_word(statement.iter().find(|it| !matches!(it.token, Token::Whitespace(_))), &["DO"]) {
            // `DO $$ … $$` is a program, and the statements stand in its text.
            statement.iter().filter_map(|it| piece.quoted(it)).for_each(|it| read_piece(&it, schema, problems));
            continue;
        }
        let Some(first) = statement.iter().position(|it| is_word(Some(it), &["CREATE", "ALTER", "DROP"])) else { continue };
        let statement = &statement[first..];
        match parse(statement) {
            Some(parsed) => schema.apply(&parsed, piece),
            None if may_matter(statement) => {
                let (start, end) = (statement[0].span.start, statement[statement.len() - 1].span.end);
                let message = "this statement of SQL could not be read: a set of states may be another one";
                problems.push(Diagnostic::new(Code::ImportLoss, piece.place(start, end), message));
            }
            None => {}
        }
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
    let is_of_states = |it: &TokenWithSpan| matches!(&it.token, Token::Word(word) if crate::languages::is_of_states(&snake(&word.value)));
    is_set && tokens.iter().any(is_of_states)
}
