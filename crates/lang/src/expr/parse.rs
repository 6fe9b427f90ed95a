//! Parses text to a tree of names and operators, by precedence climbing.
//!
//! `a + 1 >= limit and not (b == null)` — `or` binds weakest, then `and`, `not`, comparison, `+ -`, `* / %`.

use super::time::{TIMESTAMPS, parse_duration, parse_timestamp};
use super::{Arithmetic, Compare};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{Span, Spanned};

/// An expression as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ast {
    /// The kind of expression.
    pub kind: AstKind,
    /// The span of the expression.
    pub span: Span,
}

/// The kind of an expression, with unresolved names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AstKind {
    /// `nudge_limit` or `hop.is_final`.
    Name(Vec<Spanned<String>>),
    /// `12` or `0.05`, as written.
    Number(String),
    /// `30s`, in microseconds.
    Duration(i64),
    /// `2026-01-31T12:00:00Z`, in microseconds since 1970.
    Timestamp(i64),
    /// `'text'`
    Text(String),
    /// `true` or `false`
    Bool(bool),
    /// `null`
    Null,
    /// `not a`
    Not(Box<Ast>),
    /// `a and b`
    And(Box<Ast>, Box<Ast>),
    /// `a or b`
    Or(Box<Ast>, Box<Ast>),
    /// `a < b`
    Compare(Compare, Box<Ast>, Box<Ast>),
    /// `a + b`
    Arithmetic(Arithmetic, Box<Ast>, Box<Ast>),
    /// `a in b`
    In(Box<Ast>, Box<Ast>),
    /// `len(a)`
    Len(Box<Ast>),
    /// `in(a)`
    Active(Box<Ast>),
}

/// The operators, for messages.
const OPERATORS: &str = "operators are `and or not == != < <= > >= + - * / % in` and parentheses";
/// The maximum nesting of operators.
const MAX_DEPTH: usize = 64;
/// The maximum size of one expression, in bytes.
const MAX_BYTES: usize = 4_096;

/// Parses an expression. `span` is the place of `text`. Where the two differ in length (escapes
/// in quotes), errors point at the whole span.
pub fn parse(text: &str, span: Span) -> Result<Ast, Diagnostic> {
    let error = |span, message: String| Diagnostic::new(Code::ExprSyntax, span, message);
    if text.len() > MAX_BYTES {
        return Err(error(span, format!("an expression may have {MAX_BYTES} bytes, this one has {}", text.len())));
    }
    // The text of a quoted scalar starts after the quote.
    let width = (span.end - span.start) as usize;
    let offset = match width.checked_sub(text.len()) {
        Some(0) => Some(0),
        Some(2) => Some(1),
        _ => None,
    };
    let place = move |range: std::ops::Range<usize>| match offset {
        Some(offset) => span.part(range.start + offset..range.end + offset),
        None => span,
    };
    let tokens = tokenize(text, &place)?;
    let end = place(text.len()..text.len());
    let mut parser = Tokens { tokens, next: 0, end, depth: 0 };
    let ast = parser.or()?;
    match parser.peek() {
        None => Ok(ast),
        Some(token) => Err(error(token.span, format!("expected the end of the expression, found `{}`", token.text)).help(OPERATORS)),
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Token<'a> {
    kind: TokenKind,
    text: &'a str,
    span: Span,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TokenKind {
    Word,
    Number,
    Timestamp,
    Text,
    Sign,
}

fn tokenize<'a>(text: &'a str, place: &dyn Fn(std::ops::Range<usize>) -> Span) -> Result<Vec<Token<'a>>, Diagnostic> {
    let mut tokens = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let start = text.len() - rest.len();
        let Some(first) = rest.chars().next() else { return Ok(tokens) };
        let length_of = |accept: &dyn Fn(char) -> bool| rest.find(|it| !accept(it)).unwrap_or(rest.len());
        let (kind, length) = if first == '_' || unicode_ident::is_xid_start(first) {
            (TokenKind::Word, length_of(&unicode_ident::is_xid_continue))
        } else if let Some(length) = timestamp_length(rest) {
            (TokenKind::Timestamp, length)
        } else if first.is_ascii_digit() {
            // `0.05`, `12`, `30s`: the dot belongs to a number only before a digit.
            let mut length = length_of(&|it| it.is_ascii_digit());
            let behind = &rest[length..];
            if behind.starts_with('.') && behind[1..].starts_with(|it: char| it.is_ascii_digit()) {
                length += 1 + behind[1..].find(|it: char| !it.is_ascii_digit()).unwrap_or(behind.len() - 1);
            }
            length += rest[length..].find(|it: char| !unicode_ident::is_xid_continue(it)).unwrap_or(rest.len() - length);
            (TokenKind::Number, length)
        } else if first == '\'' {
            match rest[1..].find('\'') {
                Some(end) => (TokenKind::Text, end + 2),
                None => {
                    return Err(
                        Diagnostic::new(Code::ExprSyntax, place(start..text.len()), "this text is not closed").help("close it with `'`")
                    );
                }
            }
        } else {
            let sign =
                ["==", "!=", "<=", ">=", "<", ">", "+", "-", "*", "/", "%", "(", ")", "."].into_iter().find(|sign| rest.starts_with(sign));
            match sign {
                Some(sign) => (TokenKind::Sign, sign.len()),
                None => {
                    let help = match first {
                        '&' => "write `and`",
                        '|' => "write `or`",
                        '!' => "write `not`",
                        '=' => "write `==`",
                        '≥' => "write `>=`",
                        '≤' => "write `<=`",
                        '"' => "texts need single quotes",
                        _ => OPERATORS,
                    };
                    let span = place(start..start + first.len_utf8());
                    return Err(Diagnostic::new(Code::ExprSyntax, span, format!("`{first}` is not allowed here")).help(help));
                }
            }
        };
        tokens.push(Token { kind, text: &rest[..length], span: place(start..start + length) });
        rest = &rest[length..];
    }
}

/// The length of a timestamp at the beginning of a text, right or wrong: `2026-01-31T` and what may follow.
fn timestamp_length(text: &str) -> Option<usize> {
    const DATE: &[u8] = b"0000-00-00T";
    let date = text.as_bytes().get(..DATE.len())?;
    let matches = date.iter().zip(DATE).all(|(it, pattern)| if *pattern == b'0' { it.is_ascii_digit() } else { it == pattern });
    let is_time = |it: char| it.is_ascii_alphanumeric() || matches!(it, ':' | '.');
    let end_of_time = |start: usize| text[start..].find(|it| !is_time(it)).map_or(text.len(), |it| start + it);
    let end = matches.then(|| end_of_time(DATE.len()))?;
    // An offset belongs to the timestamp, so that the message is about all of it.
    let has_offset = !text[..end].ends_with('Z') && text[end..].starts_with(['+', '-']);
    Some(if has_offset { end_of_time(end + 1) } else { end })
}

struct Tokens<'a> {
    tokens: Vec<Token<'a>>,
    next: usize,
    end: Span,
    depth: usize,
}

impl<'a> Tokens<'a> {
    fn peek(&self) -> Option<Token<'a>> {
        self.tokens.get(self.next).copied()
    }

    /// Takes the next token if it is this word or sign.
    fn accept(&mut self, text: &str) -> bool {
        let accepted = self.peek().is_some_and(|it| it.text == text && matches!(it.kind, TokenKind::Word | TokenKind::Sign));
        self.next += usize::from(accepted);
        accepted
    }

    fn or(&mut self) -> Result<Ast, Diagnostic> {
        let mut left = self.and()?;
        while self.accept("or") {
            let right = self.and()?;
            left = join(left, right, AstKind::Or);
        }
        Ok(left)
    }

    fn and(&mut self) -> Result<Ast, Diagnostic> {
        let mut left = self.not()?;
        while self.accept("and") {
            let right = self.not()?;
            left = join(left, right, AstKind::And);
        }
        Ok(left)
    }

    fn not(&mut self) -> Result<Ast, Diagnostic> {
        let start = self.peek().map_or(self.end, |it| it.span);
        if !self.accept("not") {
            return self.comparison();
        }
        let inner = self.deeper(Self::not)?;
        let span = Span { end: inner.span.end, ..start };
        Ok(Ast { kind: AstKind::Not(Box::new(inner)), span })
    }

    fn comparison(&mut self) -> Result<Ast, Diagnostic> {
        let left = self.sum()?;
        if self.accept("in") {
            let right = self.sum()?;
            return Ok(join(left, right, AstKind::In));
        }
        let operators =
            [("==", Compare::Eq), ("!=", Compare::Ne), ("<=", Compare::Le), (">=", Compare::Ge), ("<", Compare::Lt), (">", Compare::Gt)];
        for (sign, operator) in operators {
            if self.accept(sign) {
                let right = self.sum()?;
                return Ok(join(left, right, |a, b| AstKind::Compare(operator, a, b)));
            }
        }
        Ok(left)
    }

    fn sum(&mut self) -> Result<Ast, Diagnostic> {
        let mut left = self.product()?;
        loop {
            let operator = if self.accept("+") {
                Arithmetic::Add
            } else if self.accept("-") {
                Arithmetic::Sub
            } else {
                return Ok(left);
            };
            let right = self.product()?;
            left = join(left, right, |a, b| AstKind::Arithmetic(operator, a, b));
        }
    }

    fn product(&mut self) -> Result<Ast, Diagnostic> {
        let mut left = self.atom()?;
        loop {
            let operator = if self.accept("*") {
                Arithmetic::Mul
            } else if self.accept("/") {
                Arithmetic::Div
            } else if self.accept("%") {
                Arithmetic::Rem
            } else {
                return Ok(left);
            };
            let right = self.atom()?;
            left = join(left, right, |a, b| AstKind::Arithmetic(operator, a, b));
        }
    }

    fn atom(&mut self) -> Result<Ast, Diagnostic> {
        let Some(token) = self.peek() else {
            return Err(Diagnostic::new(Code::ExprSyntax, self.end, "the expression ends where a value is expected"));
        };
        self.next += 1;
        let span = token.span;
        let kind = match (token.kind, token.text) {
            (TokenKind::Sign, "(") => {
                let inner = self.deeper(Self::or)?;
                if !self.accept(")") {
                    return Err(Diagnostic::new(Code::ExprSyntax, span, "this parenthesis is not closed"));
                }
                return Ok(inner);
            }
            (TokenKind::Sign, "-") => {
                let zero = Ast { kind: AstKind::Number("0".into()), span };
                let inner = self.deeper(Self::atom)?;
                return Ok(match inner.kind {
                    AstKind::Number(text) => Ast { kind: AstKind::Number(format!("-{text}")), span: Span { end: inner.span.end, ..span } },
                    AstKind::Duration(micros) => Ast { kind: AstKind::Duration(-micros), span: Span { end: inner.span.end, ..span } },
                    _ => join(zero, inner, |a, b| AstKind::Arithmetic(Arithmetic::Sub, a, b)),
                });
            }
            (TokenKind::Text, text) => AstKind::Text(text[1..text.len() - 1].to_owned()),
            (TokenKind::Number, text) if text.bytes().all(|it| it.is_ascii_digit() || it == b'.') => AstKind::Number(text.to_owned()),
            (TokenKind::Number, text) => match parse_duration(text) {
                Some(micros) => AstKind::Duration(micros),
                None => {
                    let message = format!("`{text}` is neither a number nor a duration");
                    return Err(
                        Diagnostic::new(Code::ExprSyntax, span, message).help("durations are whole numbers of us, ms, s, m, h or d: `30s`")
                    );
                }
            },
            (TokenKind::Timestamp, text) => match parse_timestamp(text) {
                Some(micros) => AstKind::Timestamp(micros),
                None => {
                    let message = format!("`{text}` is no timestamp");
                    return Err(Diagnostic::new(Code::ExprSyntax, span, message).help(TIMESTAMPS));
                }
            },
            (TokenKind::Word, "true") => AstKind::Bool(true),
            (TokenKind::Word, "false") => AstKind::Bool(false),
            (TokenKind::Word, "null") => AstKind::Null,
            (TokenKind::Word, "in") if self.accept("(") => return self.call("in", span),
            (TokenKind::Word, word) if !matches!(word, "and" | "or" | "not" | "in") => {
                if self.accept("(") {
                    return self.call(word, span);
                }
                let mut path = vec![Spanned::new(word.to_owned(), span)];
                while self.accept(".") {
                    match self.peek() {
                        Some(part) if part.kind == TokenKind::Word => {
                            self.next += 1;
                            path.push(Spanned::new(part.text.to_owned(), part.span));
                        }
                        _ => return Err(Diagnostic::new(Code::ExprSyntax, span, "expected a name after the dot")),
                    }
                }
                let end = path.last().map_or(span.end, |it| it.span.end);
                return Ok(Ast { kind: AstKind::Name(path), span: Span { end, ..span } });
            }
            (_, text) => {
                return Err(Diagnostic::new(Code::ExprSyntax, span, format!("expected a value, found `{text}`")));
            }
        };
        Ok(Ast { kind, span })
    }

    /// A call, behind its opening parenthesis.
    fn call(&mut self, function: &str, span: Span) -> Result<Ast, Diagnostic> {
        let (kind, form): (fn(Box<Ast>) -> AstKind, _) = match function {
            "len" => (AstKind::Len, "len(text)"),
            "in" => (AstKind::Active, "in(STATE)"),
            _ => {
                let message = format!("there is no function `{function}`");
                return Err(Diagnostic::new(Code::ExprSyntax, span, message).help("the functions are `len(text)` and `in(STATE)`"));
            }
        };
        let inner = self.deeper(Self::or)?;
        let end = self.peek().map_or(inner.span.end, |it| it.span.end);
        if !self.accept(")") {
            return Err(Diagnostic::new(Code::ExprSyntax, span, "this call is not closed").help(format!("write `{form}`")));
        }
        Ok(Ast { kind: kind(Box::new(inner)), span: Span { end, ..span } })
    }

    fn deeper(&mut self, read: fn(&mut Self) -> Result<Ast, Diagnostic>) -> Result<Ast, Diagnostic> {
        if self.depth == MAX_DEPTH {
            return Err(Diagnostic::new(Code::ExprSyntax, self.end, format!("nested deeper than {MAX_DEPTH} levels")));
        }
        self.depth += 1;
        let ast = read(self);
        self.depth -= 1;
        ast
    }
}

fn join(left: Ast, right: Ast, kind: impl FnOnce(Box<Ast>, Box<Ast>) -> AstKind) -> Ast {
    let span = Span { end: right.span.end.max(left.span.start), ..left.span };
    Ast { kind: kind(Box::new(left), Box::new(right)), span }
}
