//! The operators at their limits.

use rust_decimal::Decimal;
use serde_json::{Value as Json, json};
use statespec_lang::expr::{Arithmetic, Env, Expr, ExprKind, Var, eval};
use statespec_lang::model::machine::Constant;
use statespec_lang::model::{Literal, PartId, PredicateId, StateId, Type, Value};
use statespec_lang::source::{Sources, Span};

use super::{VERSION, printed};

/// The operators on whole numbers and on decimals at their limits, with `n_random` random pairs of each type: `[type, operator, left,
/// right, result]`. Whole numbers and decimals are texts; a result of `null` is a division by zero.
pub fn numbers(n_random: usize) -> String {
    let mut seed = 7_u64;
    let mut next = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        seed >> 16
    };
    let limits = [i64::MIN, i64::MIN + 1, -9_007_199_254_740_992, -9_007_199_254_740_991, -7, -2, -1, 0, 1, 2, 3, 7, 10];
    let ints: Vec<i64> =
        limits.into_iter().chain([3_037_000_500, 9_007_199_254_740_991, 9_007_199_254_740_992, i64::MAX - 1, i64::MAX]).collect();
    let texts = [
        "0",
        "0.00",
        "1",
        "-1",
        "2",
        "3",
        "0.5",
        "0.05",
        "-0.05",
        "7",
        "1.10",
        "100.00",
        "0.0000000000000000000000000001",
        "4294967296",
        "-0.0000000000000000000000000001",
        "18446744073709551616",
        "79228162514264337593543950335",
        "-79228162514264337593543950335",
        "7.9228162514264337593543950335",
        "7922816251426433759354395033.5",
        "39614081257132168796771975168",
        "3.3333333333333333333333333333",
    ];
    let decimals: Vec<Decimal> = texts.iter().map(|it| it.parse().expect("each text above is a decimal")).collect();
    let mut pairs: Vec<(Literal, Literal)> = Vec::new();
    pairs.extend(ints.iter().flat_map(|a| ints.iter().map(|b| (Literal::Int(*a), Literal::Int(*b)))));
    pairs.extend(decimals.iter().flat_map(|a| decimals.iter().map(|b| (Literal::Decimal(*a), Literal::Decimal(*b)))));
    for _ in 0..n_random {
        let mut int = || ((next() << 16) ^ next()).cast_signed() >> (next() % 64);
        pairs.push((Literal::Int(int()), Literal::Int(int())));
        let mut decimal = || {
            let digits = ((u128::from(next()) << 48) | u128::from(next())) >> (next() % 96);
            let sign = if next() % 2 == 0 { 1 } else { -1 };
            Decimal::from_i128_with_scale(sign * digits.cast_signed(), u32::try_from(next() % 29).unwrap_or_default())
        };
        pairs.push((Literal::Decimal(decimal()), Literal::Decimal(decimal())));
    }
    let operators = [Arithmetic::Add, Arithmetic::Sub, Arithmetic::Mul, Arithmetic::Div, Arithmetic::Rem];
    // No text has these expressions.
    let span = Span::new(Sources::default().add("numbers", ""), 0..0);
    let vectors = pairs.iter().flat_map(|(a, b)| operators.iter().map(move |it| vector(*it, a, b, span))).collect();
    printed(&json!({ "version": VERSION }), &[("vectors", vectors)])
}

fn vector(operator: Arithmetic, left: &Literal, right: &Literal, span: Span) -> Json {
    let ty = if matches!(left, Literal::Int(_)) { Type::Int } else { Type::Decimal };
    let expr = |kind| Expr { kind, ty: ty.clone(), optional: false, span };
    let literal = |it: &Literal| Box::new(expr(ExprKind::Literal(it.clone())));
    let result = eval(&expr(ExprKind::Arithmetic(operator, literal(left), literal(right))), &Nothing);
    let shown = |it: &Value| match it {
        Value::Int(it) => json!(it.to_string()),
        Value::Decimal(it) => json!(it.to_string()),
        _ => Json::Null,
    };
    let [a, b] = [left, right].map(|it| it.to_value().as_ref().map_or(Json::Null, shown));
    let kind = if ty == Type::Int { "int" } else { "decimal" };
    json!([kind, operator.sign(), a, b, result.as_ref().map_or(Json::Null, shown)])
}

/// No variable has a value.
struct Nothing;

impl Env for Nothing {
    fn var(&self, _: Var) -> Value {
        Value::Null
    }

    fn constants(&self) -> &[Constant] {
        &[]
    }

    fn predicate(&self, _: PredicateId) -> bool {
        false
    }

    fn is_in(&self, _: &Expr, _: StateId, _: StateId) -> bool {
        false
    }

    fn part_is_in(&self, _: PartId, _: StateId) -> bool {
        false
    }

    fn is_active(&self, _: StateId) -> bool {
        false
    }
}
