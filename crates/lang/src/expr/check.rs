//! Resolves names and types: [`Ast`] to [`Expr`].

use rust_decimal::Decimal;

use super::{Arithmetic, Ast, AstKind, Compare, Expr, ExprKind, Var};
use crate::diagnostic::{Code, Diagnostic, Diagnostics, suggest};
use crate::source::{Span, Spanned};
use crate::types::{Enum, Literal, StateId, Type};

/// The meaning of names in the context of an expression.
pub trait Scope {
    /// A variable, constant or predicate: `nudge_failures`, `hop.is_final`.
    fn name(&self, path: &[Spanned<String>]) -> Option<Resolved>;
    /// All names in scope, for "did you mean".
    fn names(&self) -> Vec<String>;
    /// The name of a variable as an expression writes it, if it has one.
    fn variable_name(&self, var: Var) -> Option<String>;
    /// Whether the expression has a guard beside it that can test for null.
    fn has_guard(&self) -> bool;
    /// The enums that types refer to.
    fn enums(&self) -> &[Enum];
    /// A state, leaf or composite, of the machine that `other` (the other side of a comparison) belongs to.
    fn state(&self, name: &str, other: Option<&Expr>) -> Option<StateId>;
    /// Why `in(STATE)` has no meaning here, as a help; `None` if the expression belongs to a machine that is in some state.
    fn is_nowhere(&self) -> Option<&'static str>;
    /// Whether a state has no child states.
    fn is_leaf(&self, state: StateId, other: Option<&Expr>) -> bool;
    /// The names of the states that can be compared with `other`.
    fn state_names(&self, other: Option<&Expr>) -> Vec<String>;
}

/// The resolution of a name.
#[derive(Debug, Clone)]
pub struct Resolved {
    /// The expression that it denotes.
    pub kind: ExprKind,
    /// Its type.
    pub ty: Type,
    /// Whether it may be null.
    pub optional: bool,
}

/// Checks that `ast` has the type `expected` (may be null only if `optional`), and resolves it. The variables in `known`
/// are never null there.
///
/// All errors are added to `diagnostics`. Where the result is `None` there is at least one, here or at the declaration of a
/// name whose type is wrong.
pub fn check(ast: &Ast, expected: &Type, optional: bool, known: &[Var], scope: &dyn Scope, diagnostics: &mut Diagnostics) -> Option<Expr> {
    if expected.is_unknown() {
        return None;
    }
    let mut checker = Checker { scope, diagnostics, non_null: known.to_vec(), is_condition: *expected == Type::Bool };
    let expr = checker.expect(ast, expected)?;
    if expr.optional && !optional {
        checker.may_be_null(&expr);
        return None;
    }
    Some(expr)
}

/// The name of a type as written in a spec.
pub fn type_name(ty: &Type, enums: &[Enum]) -> String {
    match ty {
        Type::Bool => "bool".into(),
        Type::Int => "int".into(),
        Type::Decimal => "decimal".into(),
        Type::Text => "text".into(),
        Type::Duration => "duration".into(),
        Type::Timestamp => "timestamp".into(),
        Type::Reference => "reference".into(),
        Type::State => "state".into(),
        Type::Event => "event".into(),
        Type::Enum(id) => enums.get(id.index()).map_or_else(|| "enum".into(), |it| it.name.clone()),
        Type::List(item) => format!("list<{}>", type_name(item, enums)),
    }
}

struct Checker<'a> {
    scope: &'a dyn Scope,
    diagnostics: &'a mut Diagnostics,
    /// Variables known not to be null at this place.
    non_null: Vec<Var>,
    /// The whole expression is true or false, so a test for null can be added to it.
    is_condition: bool,
}

impl Checker<'_> {
    fn error(&mut self, code: Code, span: Span, message: String, help: Option<String>) {
        let diagnostic = Diagnostic::new(code, span, message);
        self.diagnostics.push(match help {
            Some(help) => diagnostic.help(help),
            None => diagnostic,
        });
    }

    fn may_be_null(&mut self, expr: &Expr) {
        if let ExprKind::Literal(Literal::Null) = expr.kind {
            self.error(
                Code::TypeMismatch,
                expr.span,
                "`null` is not allowed here".into(),
                Some("only a value with `optional: true` can be null".into()),
            );
            return;
        }
        let name = match &expr.kind {
            ExprKind::Var(var) => self.scope.variable_name(*var),
            _ => None,
        };
        let message = name.as_ref().map_or_else(|| "this may be null here".into(), |it| format!("`{it}` may be null here"));
        // Help that cannot be followed is none: there may be no place for a test.
        let help = name.and_then(|it| match (self.is_condition, self.scope.has_guard()) {
            (true, _) => Some(format!("test it first: `{it} != null and …`")),
            (false, true) => Some(format!("test it in the guard: `when: {it} != null`")),
            (false, false) => None,
        });
        self.error(Code::TypeMismatch, expr.span, message, help);
    }

    /// Checks against a known type; bare names of states and enum values are resolved here.
    fn expect(&mut self, ast: &Ast, expected: &Type) -> Option<Expr> {
        if let Some(name) = literal_name(ast)
            && !self.is_variable(ast)
            && let Some(found) = self.named_literal(name, expected, None)
        {
            return Some(Expr { kind: ExprKind::Literal(found), ty: expected.clone(), optional: false, span: ast.span });
        }
        if let AstKind::Null = ast.kind {
            return Some(Expr { kind: ExprKind::Literal(Literal::Null), ty: expected.clone(), optional: true, span: ast.span });
        }
        let expr = self.infer(ast, Some(expected))?;
        self.coerce(expr, expected)
    }

    fn coerce(&mut self, expr: Expr, expected: &Type) -> Option<Expr> {
        if expr.ty == *expected {
            return Some(expr);
        }
        if expr.ty == Type::Int && *expected == Type::Decimal {
            let span = expr.span;
            let kind = match expr.kind {
                ExprKind::Literal(Literal::Int(value)) => ExprKind::Literal(Literal::Decimal(Decimal::from(value))),
                _ if expr.optional => {
                    self.may_be_null(&expr);
                    return None;
                }
                _ => ExprKind::ToDecimal(Box::new(expr)),
            };
            return Some(Expr { kind, ty: Type::Decimal, optional: false, span });
        }
        let message = format!("expected {}, found {}", self.type_name(expected), self.type_name(&expr.ty));
        let help = (*expected == Type::Bool).then(|| to_condition(&expr));
        self.error(Code::TypeMismatch, expr.span, message, help);
        None
    }

    fn type_name(&self, ty: &Type) -> String {
        format!("`{}`", type_name(ty, self.scope.enums()))
    }

    /// A state or enum value by its bare name, where the expected type is a state or an enum.
    fn named_literal(&self, name: &str, expected: &Type, other: Option<&Expr>) -> Option<Literal> {
        match expected {
            Type::Enum(id) => {
                let values = &self.scope.enums().get(id.index())?.values;
                let idx = values.iter().position(|it| it.name == name)?;
                Some(Literal::Enum(*id, idx))
            }
            Type::State => self.scope.state(name, other).map(Literal::State),
            _ => None,
        }
    }

    fn infer(&mut self, ast: &Ast, hint: Option<&Type>) -> Option<Expr> {
        let span = ast.span;
        let expr = |kind, ty| Some(Expr { kind, ty, optional: false, span });
        match &ast.kind {
            AstKind::Bool(value) => expr(ExprKind::Literal(Literal::Bool(*value)), Type::Bool),
            AstKind::Text(text) => expr(ExprKind::Literal(Literal::Text(text.clone())), Type::Text),
            AstKind::Duration(micros) => expr(ExprKind::Literal(Literal::Duration(*micros)), Type::Duration),
            AstKind::Timestamp(micros) => expr(ExprKind::Literal(Literal::Timestamp(*micros)), Type::Timestamp),
            AstKind::Number(text) => match number(text) {
                Some(literal) => {
                    let ty = if matches!(literal, Literal::Int(_)) { Type::Int } else { Type::Decimal };
                    expr(ExprKind::Literal(literal), ty)
                }
                None => {
                    let message = format!("`{text}` is out of range");
                    self.error(Code::TypeMismatch, span, message, Some("whole numbers have 64 bits, decimals 28 digits".into()));
                    None
                }
            },
            AstKind::Null => {
                self.error(Code::TypeMismatch, span, "`null` can only be assigned, or compared with `==` or `!=`".into(), None);
                None
            }
            AstKind::Name(path) => self.name(path, span, hint),
            AstKind::Not(inner) => {
                let inner = self.boolean(inner)?;
                expr(ExprKind::Not(Box::new(inner)), Type::Bool)
            }
            AstKind::And(left, right) => {
                let left = self.boolean(left);
                let known = self.non_null.len();
                if let Some(left) = &left {
                    facts(left, true, &mut self.non_null);
                }
                let right = self.boolean(right);
                self.non_null.truncate(known);
                expr(ExprKind::And(Box::new(left?), Box::new(right?)), Type::Bool)
            }
            AstKind::Or(left, right) => {
                let left = self.boolean(left);
                let known = self.non_null.len();
                if let Some(left) = &left {
                    facts(left, false, &mut self.non_null);
                }
                let right = self.boolean(right);
                self.non_null.truncate(known);
                expr(ExprKind::Or(Box::new(left?), Box::new(right?)), Type::Bool)
            }
            AstKind::Compare(operator, left, right) => self.compare(*operator, left, right, span),
            AstKind::Arithmetic(operator, left, right) => self.arithmetic(*operator, left, right, span),
            AstKind::Len(inner) => {
                let inner = self.infer(inner, Some(&Type::Text))?;
                let inner = self.coerce(inner, &Type::Text)?;
                if inner.optional {
                    self.may_be_null(&inner);
                    return None;
                }
                expr(ExprKind::Len(Box::new(inner)), Type::Int)
            }
            AstKind::Active(state) => {
                if let Some(help) = self.scope.is_nowhere() {
                    self.error(Code::TypeMismatch, span, "`in(…)` asks where the machine itself is".into(), Some(help.into()));
                    return None;
                }
                match literal_name(state).and_then(|name| self.scope.state(name, None)) {
                    Some(state) => expr(ExprKind::Active(state), Type::Bool),
                    None => {
                        self.unknown_state(state, None);
                        None
                    }
                }
            }
            AstKind::In(left, right) => {
                let left = self.infer(left, None)?;
                let left = self.coerce(left, &Type::State)?;
                if left.optional {
                    self.may_be_null(&left);
                    return None;
                }
                let found = literal_name(right).and_then(|name| self.scope.state(name, Some(&left)));
                match found {
                    Some(state) => expr(ExprKind::In(Box::new(left), state), Type::Bool),
                    None => {
                        self.unknown_state(right, Some(&left));
                        None
                    }
                }
            }
        }
    }

    fn boolean(&mut self, ast: &Ast) -> Option<Expr> {
        let expr = self.expect(ast, &Type::Bool)?;
        if expr.optional {
            self.may_be_null(&expr);
            return None;
        }
        Some(expr)
    }

    fn name(&mut self, path: &[Spanned<String>], span: Span, hint: Option<&Type>) -> Option<Expr> {
        let Some(resolved) = self.scope.name(path) else {
            let written = path.iter().map(|it| it.value.as_str()).collect::<Vec<_>>().join(".");
            let mut known = match hint {
                Some(Type::State) => self.scope.state_names(None),
                Some(Type::Enum(id)) => {
                    let values = self.scope.enums().get(id.index()).into_iter().flat_map(|it| &it.values);
                    values.map(|it| it.name.clone()).collect()
                }
                _ => Vec::new(),
            };
            known.extend(self.scope.names());
            let help = suggest(&written, known.iter().map(String::as_str));
            self.error(Code::UnknownName, span, format!("there is no `{written}` here"), help);
            return None;
        };
        if resolved.ty.is_unknown() {
            return None;
        }
        let mut expr = Expr { kind: resolved.kind, ty: resolved.ty, optional: resolved.optional, span };
        if let ExprKind::Var(var) = expr.kind
            && expr.optional
            && self.non_null.contains(&var)
        {
            expr.kind = ExprKind::NonNull(var);
            expr.optional = false;
        }
        Some(expr)
    }

    /// A bare name that is not a variable is a state or enum value and takes its type from elsewhere.
    /// Where a name could be both, the variable wins; the value can be quoted.
    fn is_variable(&self, ast: &Ast) -> bool {
        matches!(&ast.kind, AstKind::Name(path) if self.scope.name(path).is_some())
    }

    /// Both sides of a comparison: the side with a type of its own determines the type of the other.
    fn sides(&mut self, left: &Ast, right: &Ast) -> Option<(Expr, Expr)> {
        let has_type = |it: &Ast| !matches!(it.kind, AstKind::Name(_) | AstKind::Text(_) | AstKind::Null) || self.is_variable(it);
        if has_type(left) || !has_type(right) {
            let left = self.infer(left, None)?;
            let right = self.other_side(right, &left)?;
            Some((left, right))
        } else {
            let right = self.infer(right, None)?;
            let left = self.other_side(left, &right)?;
            Some((left, right))
        }
    }

    fn other_side(&mut self, ast: &Ast, known: &Expr) -> Option<Expr> {
        if known.ty == Type::State
            && let Some(name) = literal_name(ast)
            && !self.is_variable(ast)
        {
            return match self.scope.state(name, Some(known)) {
                Some(state) if self.scope.is_leaf(state, Some(known)) => {
                    Some(Expr { kind: ExprKind::Literal(Literal::State(state)), ty: Type::State, optional: false, span: ast.span })
                }
                Some(_) => {
                    let message = format!("`{name}` is a composite and never the current state");
                    self.error(Code::TypeMismatch, ast.span, message, Some(format!("write `… in {name}`")));
                    None
                }
                None => {
                    self.unknown_state(ast, Some(known));
                    None
                }
            };
        }
        match (&ast.kind, &known.ty) {
            (AstKind::Null, _) => self.expect(ast, &known.ty),
            (_, Type::Enum(_)) if literal_name(ast).is_some() => self.expect(ast, &known.ty),
            _ => self.infer(ast, Some(&known.ty)),
        }
    }

    fn unknown_state(&mut self, ast: &Ast, other: Option<&Expr>) {
        let known = self.scope.state_names(other);
        match literal_name(ast) {
            Some(name) => {
                let help = suggest(name, known.iter().map(String::as_str));
                self.error(Code::UnknownName, ast.span, format!("there is no state `{name}`"), help);
            }
            None => self.error(Code::TypeMismatch, ast.span, "expected the name of a state".into(), None),
        }
    }

    fn compare(&mut self, operator: Compare, left: &Ast, right: &Ast, span: Span) -> Option<Expr> {
        let (mut left, mut right) = self.sides(left, right)?;
        if left.ty == Type::Decimal && right.ty == Type::Int {
            right = self.coerce(right, &Type::Decimal)?;
        } else if left.ty == Type::Int && right.ty == Type::Decimal {
            left = self.coerce(left, &Type::Decimal)?;
        } else if left.ty != right.ty {
            let message = format!("{} cannot be compared with {}", self.type_name(&left.ty), self.type_name(&right.ty));
            self.error(Code::TypeMismatch, span, message, None);
            return None;
        }
        let equality = matches!(operator, Compare::Eq | Compare::Ne);
        let ordered = matches!(left.ty, Type::Int | Type::Decimal | Type::Duration | Type::Timestamp);
        if !equality && !ordered {
            let message = format!("{} has no order, only `==` and `!=`", self.type_name(&left.ty));
            self.error(Code::TypeMismatch, span, message, None);
            return None;
        }
        if !equality {
            for side in [&left, &right] {
                if side.optional {
                    self.may_be_null(&side.clone());
                    return None;
                }
            }
        }
        let null = |it: &Expr| matches!(it.kind, ExprKind::Literal(Literal::Null));
        if (null(&left) && !right.optional) || (null(&right) && !left.optional) {
            self.error(Code::TypeMismatch, span, "this is never null".into(), Some("remove the comparison".into()));
            return None;
        }
        Some(Expr { kind: ExprKind::Compare(operator, Box::new(left), Box::new(right)), ty: Type::Bool, optional: false, span })
    }

    fn arithmetic(&mut self, operator: Arithmetic, left: &Ast, right: &Ast, span: Span) -> Option<Expr> {
        let left = self.infer(left, None);
        let right = self.infer(right, None);
        let (mut left, mut right) = (left?, right?);
        for side in [&left, &right] {
            if side.optional {
                self.may_be_null(&side.clone());
                return None;
            }
        }
        if left.ty == Type::Decimal && right.ty == Type::Int {
            right = self.coerce(right, &Type::Decimal)?;
        } else if left.ty == Type::Int && right.ty == Type::Decimal {
            left = self.coerce(left, &Type::Decimal)?;
        }
        use Arithmetic::{Add, Mul, Sub};
        let ty = match (operator, &left.ty, &right.ty) {
            (_, Type::Int, Type::Int) => Type::Int,
            (_, Type::Decimal, Type::Decimal) => Type::Decimal,
            (Add | Sub, Type::Duration, Type::Duration) => Type::Duration,
            (Add | Sub, Type::Timestamp, Type::Duration) => Type::Timestamp,
            (Add, Type::Duration, Type::Timestamp) => Type::Timestamp,
            (Sub, Type::Timestamp, Type::Timestamp) => Type::Duration,
            (Mul, Type::Duration, Type::Int) | (Mul, Type::Int, Type::Duration) => Type::Duration,
            _ => {
                let message = format!("{} {} {} is not defined", self.type_name(&left.ty), operator.sign(), self.type_name(&right.ty));
                self.error(Code::TypeMismatch, span, message, None);
                return None;
            }
        };
        Some(Expr { kind: ExprKind::Arithmetic(operator, Box::new(left), Box::new(right)), ty, optional: false, span })
    }
}

/// A suggestion that turns a value into a condition.
fn to_condition(expr: &Expr) -> String {
    let example = match expr.ty {
        _ if expr.optional => "… != null",
        Type::Int | Type::Decimal => "… > 0",
        Type::Duration => "… > 5s",
        Type::Text => "… == 'text'",
        Type::Timestamp => "… < now",
        _ => "… == name",
    };
    format!("a condition is true or false: compare the value with another one, as in `{example}`")
}

/// The variables that are never null where the condition holds, sorted.
pub fn known(condition: &Expr) -> Vec<Var> {
    let mut non_null = Vec::new();
    facts(condition, true, &mut non_null);
    non_null.sort_unstable();
    non_null.dedup();
    non_null
}

/// Collects the variables that cannot be null when `expr` is `value`.
fn facts(expr: &Expr, value: bool, non_null: &mut Vec<Var>) {
    match (&expr.kind, value) {
        (ExprKind::Compare(operator, left, right), _) => {
            let tells = if value { Compare::Ne } else { Compare::Eq };
            if *operator != tells {
                return;
            }
            match (&left.kind, &right.kind) {
                (ExprKind::Var(var), ExprKind::Literal(Literal::Null)) | (ExprKind::Literal(Literal::Null), ExprKind::Var(var)) => {
                    non_null.push(*var);
                }
                _ => {}
            }
        }
        (ExprKind::And(left, right), true) | (ExprKind::Or(left, right), false) => {
            facts(left, value, non_null);
            facts(right, value, non_null);
        }
        (ExprKind::Not(inner), _) => facts(inner, !value, non_null),
        _ => {}
    }
}

/// A single bare or quoted word.
fn literal_name(ast: &Ast) -> Option<&str> {
    match &ast.kind {
        AstKind::Name(path) if path.len() == 1 => Some(&path[0].value),
        AstKind::Text(text) => Some(text),
        _ => None,
    }
}

/// A number as written: whole or decimal, exact.
pub fn number(text: &str) -> Option<Literal> {
    if text.contains('.') { Decimal::from_str_exact(text).ok().map(Literal::Decimal) } else { text.parse().ok().map(Literal::Int) }
}
