//! Guards of other languages: converted to an expression if possible, else to a predicate with the text as its doc.
//!
//! `retries < 3 && ready` becomes the expression `retries < 3 and ready` over a context field and a
//! predicate; `user is of age` becomes the predicate `user_is_of_age`.

use std::collections::BTreeMap;

use statespec_lang::expr::{self, Ast, AstKind, Compare};
use statespec_lang::source::Span;

use super::field::Field;
use super::naming::{Namer, is_word};

/// A guard that a text makes of others.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Guard {
    Text(String),
    /// A name of code, and what the text passes to it: no expression, whatever the fields are called.
    Named(String, String),
    Not(Box<Guard>),
    All(Vec<Guard>),
    Any(Vec<Guard>),
}

impl Guard {
    /// The texts that may be expressions.
    pub(super) fn texts(&self) -> Vec<&str> {
        match self {
            Guard::Text(text) => vec![text],
            Guard::Named(..) => Vec::new(),
            Guard::Not(inner) => inner.texts(),
            Guard::All(all) | Guard::Any(all) => all.iter().flat_map(Guard::texts).collect(),
        }
    }

    /// Whether it asks only where the machine is, which no effect changes.
    pub(super) fn asks_where(&self, span: Span) -> bool {
        match self {
            Guard::Text(text) => asks_where(text, span),
            Guard::Named(..) => false,
            Guard::Not(inner) => inner.asks_where(span),
            Guard::All(all) | Guard::Any(all) => all.iter().all(|it| it.asks_where(span)),
        }
    }

    /// What it is where the machine is in known states, as [`truth`].
    pub(super) fn truth(&self, span: Span, is_active: &IsActive<'_>) -> Option<bool> {
        let of = |it: &Guard| it.truth(span, is_active);
        match self {
            Guard::Text(text) => truth(text, span, is_active),
            Guard::Named(..) => None,
            Guard::Not(inner) => of(inner).map(|it| !it),
            Guard::All(all) => all.iter().map(of).reduce(both).flatten(),
            Guard::Any(all) => all.iter().map(of).reduce(either).flatten(),
        }
    }
}

/// Whether a state is active, by its name in the text; `None` if there is no such state.
pub(super) type IsActive<'a> = dyn Fn(&str) -> Option<bool> + 'a;

/// The guards of one machine.
pub(super) struct Guards {
    /// Declared fields, and fields inferred from comparisons.
    pub(super) fields: Vec<Field>,
    /// Names and docs, in the order of the text.
    pub(super) predicates: Vec<(String, Option<String>)>,
    namer: Namer,
    kinds: BTreeMap<String, Kind>,
    /// The predicates by their texts.
    texts: BTreeMap<String, String>,
}

/// The meaning of a name in guards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Predicate,
    Field(&'static str),
    /// Used in two ways.
    Unclear,
}

impl Guards {
    /// Reads all guards first: the kind of a name depends on every use of it.
    pub(super) fn new<'a>(declared: Vec<Field>, texts: impl Iterator<Item = &'a str>, span: Span) -> Self {
        let mut namer = Namer::new("is", statespec_lang::names::snake);
        let mut kinds: BTreeMap<String, Kind> = BTreeMap::new();
        for field in &declared {
            kinds.insert(field.name.clone(), Kind::Field(field.ty));
            namer.reserve(&field.name);
        }
        let known = kinds.clone();
        for ast in texts.filter_map(|it| expr::parse(&translate(it), span).ok()) {
            let mut uses = Vec::new();
            if uses_of(&ast, &known, &mut uses) {
                for (name, kind) in uses {
                    let known = kinds.entry(name).or_insert(kind);
                    *known = join(*known, kind);
                }
            }
        }
        Guards { fields: declared, predicates: Vec::new(), namer, kinds, texts: BTreeMap::new() }
    }

    /// Whether a text is an expression, once its operators are translated.
    pub(super) fn can_read(text: &str, span: Span) -> bool {
        expr::parse(&translate(text), span).is_ok()
    }

    /// The spec's guard for a text. Declares fields inferred from comparisons, and reports new ones.
    pub(super) fn guard(&mut self, text: &str, span: Span) -> (String, Vec<String>) {
        let translated = translate(text);
        let Some(uses) = self.uses(&translated, span) else { return (self.predicate(text), Vec::new()) };
        let mut inferred = Vec::new();
        for (name, kind) in uses {
            if self.fields.iter().any(|it| it.name == name) || self.predicates.iter().any(|(it, _)| *it == name) {
                continue;
            }
            self.namer.reserve(&name);
            match self.kinds.get(&name) {
                Some(Kind::Field(ty)) if kind != Kind::Predicate => {
                    self.fields.push(Field { name: name.clone(), ty, default: None, optional: false });
                    inferred.push(format!("`{name}` is assumed to be a field of type `{ty}`, because it is compared with one"));
                }
                _ => self.predicates.push((name, None)),
            }
        }
        (translated, inferred)
    }

    /// Whether a text becomes an expression, and no predicate.
    pub(super) fn reads(&self, text: &str, span: Span) -> bool {
        self.uses(&translate(text), span).is_some()
    }

    /// The names in an expression; `None` if it cannot stand in a spec.
    fn uses(&self, translated: &str, span: Span) -> Option<Vec<(String, Kind)>> {
        // A text of code has escapes, `'\n'`, and one of a spec has none.
        if translated.contains('\\') {
            return None;
        }
        let mut uses = Vec::new();
        let readable = expr::parse(translated, span).is_ok_and(|ast| uses_of(&ast, &self.kinds, &mut uses));
        let fits = |(name, kind): &(String, Kind)| match self.kinds.get(name) {
            Some(Kind::Predicate) => *kind == Kind::Predicate,
            Some(Kind::Field(ty)) => fits(ty, *kind),
            _ => false,
        };
        (readable && uses.iter().all(fits) && uses.iter().all(|it| self.can_declare(it))).then_some(uses)
    }

    /// Whether a name is declared already, or still unused.
    fn can_declare(&self, (name, _): &(String, Kind)) -> bool {
        self.fields.iter().any(|it| it.name == *name) || self.predicates.iter().any(|(it, _)| it == name) || !self.namer.has(name)
    }

    /// The spec's guard for a composed one; `of_text` makes those of its texts.
    pub(super) fn composed(&mut self, guard: &Guard, of_text: &mut impl FnMut(&mut Self, &str) -> String) -> String {
        let whole = |it: String, word: &str| if it.contains(word) { format!("({it})") } else { it };
        match guard {
            Guard::Text(text) => of_text(self, text),
            Guard::Named(name, passed) if passed.is_empty() => self.predicate(name),
            Guard::Named(name, passed) => self.named(name, &format!("{name} with {passed}")),
            Guard::Not(inner) => format!("not {}", whole(self.composed(inner, of_text), " ")),
            Guard::All(all) => {
                let all: Vec<String> = all.iter().map(|it| whole(self.composed(it, of_text), " or ")).collect();
                all.join(" and ")
            }
            Guard::Any(any) => any.iter().map(|it| self.composed(it, of_text)).collect::<Vec<_>>().join(" or "),
        }
    }

    /// A predicate for a text that is not an expression.
    fn predicate(&mut self, text: &str) -> String {
        self.named(text, text)
    }

    /// A predicate for a text, with a name like this.
    fn named(&mut self, stem: &str, text: &str) -> String {
        // Different texts are different predicates, also if their names begin in the same way.
        let key = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let name = self.texts.entry(key).or_insert_with(|| self.namer.fresh(&spelled(stem))).clone();
        if !self.predicates.iter().any(|(it, _)| *it == name) {
            self.predicates.push((name.clone(), Some(text.to_owned()).filter(|it| *it != name)));
        }
        name
    }
}

/// Whether a condition asks only where the machine is, with `In(…)`.
pub(super) fn asks_where(text: &str, span: Span) -> bool {
    expr::parse(&translate(&text.replace("In(", "in(")), span).is_ok_and(|it| is_of_place(&it))
}

fn is_of_place(ast: &Ast) -> bool {
    match &ast.kind {
        AstKind::Active(_) | AstKind::Bool(_) => true,
        AstKind::Not(inner) => is_of_place(inner),
        AstKind::And(left, right) | AstKind::Or(left, right) | AstKind::Compare(_, left, right) => is_of_place(left) && is_of_place(right),
        _ => false,
    }
}

/// What a condition is where the machine is in known states: `None` if that depends on more than its `In(…)`.
pub(super) fn truth(text: &str, span: Span, is_active: &IsActive<'_>) -> Option<bool> {
    let ast = expr::parse(&translate(&text.replace("In(", "in(")), span).ok()?;
    truth_of(&ast, is_active)
}

fn truth_of(ast: &Ast, is_active: &IsActive<'_>) -> Option<bool> {
    let of = |it: &Ast| truth_of(it, is_active);
    match &ast.kind {
        AstKind::Active(state) => match &state.kind {
            AstKind::Text(name) => is_active(name),
            AstKind::Name(path) => path.first().filter(|_| path.len() == 1).and_then(|it| is_active(&it.value)),
            _ => None,
        },
        AstKind::Bool(known) => Some(*known),
        AstKind::Not(inner) => of(inner).map(|it| !it),
        AstKind::And(left, right) => both(of(left), of(right)),
        AstKind::Or(left, right) => either(of(left), of(right)),
        AstKind::Compare(Compare::Eq, left, right) => Some(of(left)? == of(right)?),
        AstKind::Compare(Compare::Ne, left, right) => Some(of(left)? != of(right)?),
        _ => None,
    }
}

/// `a and b`, where some of it is not known.
fn both(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    if a == Some(false) || b == Some(false) { Some(false) } else { Some(a? && b?) }
}

/// `a or b`, where some of it is not known.
fn either(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    if a == Some(true) || b == Some(true) { Some(true) } else { Some(a? || b?) }
}

/// Translates operators of other languages.
fn translate(text: &str) -> String {
    let mut translated = text.trim().to_owned();
    for (theirs, ours) in
        [("===", "=="), ("!==", "!="), ("&&", " and "), ("||", " or "), ("≥", ">="), ("≤", "<="), ("≠", "!="), ("\"", "'")]
    {
        translated = translated.replace(theirs, ours);
    }
    let mut negated = String::new();
    let mut rest = translated.as_str();
    while let Some(idx) = rest.find('!') {
        negated.push_str(&rest[..idx]);
        negated.push_str(if rest[idx + 1..].starts_with('=') { "!" } else { " not " });
        rest = &rest[idx + 1..];
    }
    negated.push_str(rest);
    negated.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Operators as words, so that `n < 0` and `n > 0` have different names, and no name of the expression language.
fn spelled(text: &str) -> String {
    if is_word(text) {
        return text.to_owned();
    }
    let mut spelled = text.to_owned();
    for (sign, word) in [
        ("<=", " le "),
        (">=", " ge "),
        ("!=", " ne "),
        ("==", " eq "),
        ("≥", " ge "),
        ("≤", " le "),
        ("≠", " ne "),
        ("<", " lt "),
        (">", " gt "),
        ("=", " eq "),
        ("&&", " and "),
        ("||", " or "),
        ("!", " not "),
        ("+", " plus "),
        ("%", " percent "),
        ("-", "_"),
    ] {
        spelled = spelled.replace(sign, word);
    }
    let slug = super::naming::slug(&spelled, "is");
    if is_word(&slug) { slug } else { format!("is_{slug}") }
}

/// The names of an expression and their uses; false if it contains more than truth values, comparisons with literals and
/// comparisons of fields of one type. `known` are the kinds of names so far.
fn uses_of(ast: &Ast, known: &BTreeMap<String, Kind>, uses: &mut Vec<(String, Kind)>) -> bool {
    let field = |kind: &AstKind| match kind {
        AstKind::Name(path) => match (path.as_slice(), path.first().and_then(|it| known.get(&it.value))) {
            ([name], Some(Kind::Field(ty))) => Some((name.value.clone(), *ty)),
            _ => None,
        },
        _ => None,
    };
    match &ast.kind {
        AstKind::Name(path) => match path.as_slice() {
            [name] if is_word(&name.value) => {
                uses.push((name.value.clone(), Kind::Predicate));
                true
            }
            _ => false,
        },
        // Where the machine is, needs no declaration.
        AstKind::Active(_) => true,
        AstKind::Not(inner) => uses_of(inner, known, uses),
        AstKind::And(left, right) | AstKind::Or(left, right) => uses_of(left, known, uses) && uses_of(right, known, uses),
        AstKind::Compare(compare, left, right) => match (&left.kind, &right.kind) {
            (AstKind::Name(path), literal) if literal_type(literal).is_some() => match (path.as_slice(), literal_type(literal)) {
                ([name], Some(ty)) if is_word(&name.value) => {
                    uses.push((name.value.clone(), Kind::Field(ty)));
                    can_compare(*compare, ty)
                }
                _ => false,
            },
            (left, right) => match (field(left), field(right)) {
                (Some((left, ty)), Some((right, other))) if ty == other => {
                    uses.extend([left, right].map(|it| (it, Kind::Field(ty))));
                    can_compare(*compare, ty)
                }
                _ => false,
            },
        },
        _ => false,
    }
}

fn can_compare(compare: Compare, ty: &str) -> bool {
    !matches!(ty, "text" | "bool") || matches!(compare, Compare::Eq | Compare::Ne)
}

fn literal_type(kind: &AstKind) -> Option<&'static str> {
    match kind {
        AstKind::Number(text) if text.len() > 15 => None,
        AstKind::Number(text) if text.contains('.') => Some("decimal"),
        AstKind::Number(_) => Some("int"),
        AstKind::Duration(_) => Some("duration"),
        AstKind::Text(_) => Some("text"),
        AstKind::Bool(_) => Some("bool"),
        _ => None,
    }
}

fn join(known: Kind, kind: Kind) -> Kind {
    match (known, kind) {
        (Kind::Field("int"), Kind::Field("decimal")) | (Kind::Field("decimal"), Kind::Field("int")) => Kind::Field("decimal"),
        // `ready` alone and `ready == true` elsewhere: a field permits both.
        (Kind::Field("bool"), Kind::Predicate) | (Kind::Predicate, Kind::Field("bool")) => Kind::Field("bool"),
        (a, b) if a == b => a,
        _ => Kind::Unclear,
    }
}

fn fits(ty: &str, kind: Kind) -> bool {
    match kind {
        Kind::Predicate => ty == "bool",
        Kind::Field(used) => used == ty || (ty == "decimal" && used == "int"),
        Kind::Unclear => false,
    }
}
