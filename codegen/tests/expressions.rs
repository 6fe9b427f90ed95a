//! The expression language, through its public interface: a displayed expression parses to the same
//! expression, folding changes no value, and arithmetic is exact.

use proptest::prelude::*;
use rust_decimal::Decimal;
use statespec_codegen::diagnostic::Diagnostics;
use statespec_codegen::model::machine::{Constant, Enum, EnumValue};
use statespec_codegen::model::{ConstantId, EnumId, EventId, FieldId, Literal, PartId, PredicateId, StateId, Type, Value};
use statespec_codegen::source::{Input, Sources, Span, Spanned};
use statespec_lang::expr::{
    DivisionByZero, Env, Expr, ExprKind, Names, Resolved, Scope, Var, check, defined, divides, divisions, eval, eval_bool, fold, parse,
};
use statespec_lang::interpret::value::{read as read_value, show};
use statespec_lang::lower::load;

/// A world with a name of every type, and two states: `INNER` is nested in `OUTER`.
struct World {
    constants: Vec<Constant>,
    enums: Vec<Enum>,
    values: Vec<Value>,
}

const FIELDS: &[(&str, Type, bool)] = &[
    ("count", Type::Int, false),
    ("ratio", Type::Decimal, false),
    ("name", Type::Text, false),
    ("ready", Type::Bool, false),
    ("patience", Type::Duration, false),
    ("now", Type::Timestamp, false),
    ("until", Type::Timestamp, true),
    ("place", Type::State, false),
    ("shade", Type::Enum(EnumId(0)), false),
];
const STATES: &[&str] = &["OUTER", "INNER", "OTHER"];

fn span() -> Span {
    let mut sources = Sources::default();
    let id = sources.add("test.yaml", "");
    Span::new(id, 0..0)
}

fn world() -> World {
    let constant = |name: &str, ty, value| Constant { name: name.into(), ty, value, doc: None, shown: false, span: span() };
    let value = |name: &str| EnumValue {
        name: name.into(),
        wire: name.into(),
        number: None,
        former: Vec::new(),
        label: None,
        doc: None,
        span: span(),
    };
    World {
        constants: vec![
            constant("limit", Type::Int, Literal::Int(3)),
            constant("share", Type::Decimal, Literal::Decimal(Decimal::new(70, 2))),
            constant("buffer", Type::Decimal, Literal::Decimal(Decimal::new(5, 2))),
            constant("wait", Type::Duration, Literal::Duration(30_000_000)),
        ],
        enums: vec![Enum {
            reserved: Vec::new(),
            name: "colour".into(),
            doc: None,
            ignore_case: false,
            values: vec![value("red"), value("dark-blue")],
            span: span(),
        }],
        values: vec![
            Value::Int(2),
            Value::Decimal(Decimal::new(65, 2)),
            Value::Text("x".into()),
            Value::Bool(true),
            Value::Duration(1),
            Value::Timestamp(1_000),
            Value::Null,
            Value::State(StateId(1)),
            Value::Enum(EnumId(0), 1),
        ],
    }
}

impl Scope for World {
    fn name(&self, path: &[Spanned<String>]) -> Option<Resolved> {
        let [name] = path else { return None };
        if let Some(idx) = FIELDS.iter().position(|it| it.0 == name.value) {
            let (_, ty, optional) = &FIELDS[idx];
            return Some(Resolved { kind: ExprKind::Var(Var::Context(FieldId::new(idx))), ty: ty.clone(), optional: *optional });
        }
        if name.value == "lucky" {
            return Some(Resolved { kind: ExprKind::Predicate(PredicateId(0)), ty: Type::Bool, optional: false });
        }
        let idx = self.constants.iter().position(|it| it.name == name.value)?;
        Some(Resolved { kind: ExprKind::Constant(ConstantId::new(idx)), ty: self.constants[idx].ty.clone(), optional: false })
    }
    fn names(&self) -> Vec<String> {
        FIELDS.iter().map(|it| it.0.to_owned()).collect()
    }
    fn variable_name(&self, var: Var) -> Option<String> {
        if let Var::Context(id) = var { FIELDS.get(id.index()).map(|it| it.0.to_owned()) } else { None }
    }
    fn has_guard(&self) -> bool {
        true
    }
    fn enums(&self) -> &[Enum] {
        &self.enums
    }
    fn state(&self, name: &str, _: Option<&Expr>) -> Option<StateId> {
        STATES.iter().position(|it| *it == name).map(StateId::new)
    }
    fn is_leaf(&self, state: StateId, _: Option<&Expr>) -> bool {
        state.0 != 0
    }
    fn is_nowhere(&self) -> Option<&'static str> {
        None
    }
    fn state_names(&self, _: Option<&Expr>) -> Vec<String> {
        STATES.iter().map(|it| (*it).to_owned()).collect()
    }
}

impl Env for World {
    fn var(&self, var: Var) -> Value {
        match var {
            Var::Context(id) => self.values[id.index()].clone(),
            _ => Value::Null,
        }
    }
    fn constants(&self) -> &[Constant] {
        &self.constants
    }
    fn predicate(&self, _: PredicateId) -> bool {
        true
    }
    fn is_active(&self, state: StateId) -> bool {
        state == StateId(1)
    }

    fn part_is_in(&self, _: PartId, _: StateId) -> bool {
        false
    }

    fn is_in(&self, _: &Expr, state: StateId, whole: StateId) -> bool {
        state == whole || (whole.0 == 0 && state.0 == 1)
    }
}

impl Names for World {
    fn var(&self, var: Var) -> String {
        match var {
            Var::Context(id) => FIELDS[id.index()].0.into(),
            _ => String::new(),
        }
    }
    fn constant(&self, constant: ConstantId) -> String {
        self.constants[constant.index()].name.clone()
    }
    fn predicate(&self, _: PredicateId) -> String {
        "lucky".into()
    }
    fn state(&self, _: Option<&Expr>, state: StateId) -> String {
        STATES[state.index()].into()
    }
    fn event(&self, _: EventId) -> String {
        String::new()
    }
    fn enums(&self) -> &[Enum] {
        &self.enums
    }
    fn is_variable(&self, name: &str) -> bool {
        FIELDS.iter().any(|it| it.0 == name)
    }
}

fn read(text: &str, ty: &Type) -> Result<Expr, Vec<String>> {
    let world = world();
    let ast = parse(text, span()).map_err(|it| vec![it.message])?;
    let mut diagnostics = Diagnostics::default();
    let expr = check(&ast, ty, false, &[], &world, &mut diagnostics);
    let messages: Vec<String> = diagnostics.finish().into_iter().map(|it| it.message).collect();
    expr.ok_or(messages)
}

fn value(text: &str, ty: &Type) -> Value {
    eval(&read(text, ty).unwrap(), &world()).unwrap()
}

#[test]
fn decimals_are_exact() {
    assert_eq!(value("0.70 - 0.05", &Type::Decimal), Value::Decimal(Decimal::new(65, 2)));
    let folded = fold(&read("share - buffer", &Type::Decimal).unwrap(), &world().constants);
    assert_eq!(folded.show(&world()), "0.65");
    assert_eq!(value("ratio < share - buffer", &Type::Bool), Value::Bool(false), "0.65 is not below 0.65");
    assert_eq!(value("ratio <= share - buffer", &Type::Bool), Value::Bool(true));
    assert_eq!(value("0.1 + 0.2 == 0.3", &Type::Bool), Value::Bool(true));
}

#[test]
fn operators_bind_as_the_reference_says() {
    for (text, expected) in [
        ("count + 1 >= limit and not ready or lucky", true),
        ("not ready and lucky or lucky", true),
        ("count + 1 * 2 == 4", true),
        ("(count + 1) * 2 == 6", true),
        ("count - 1 - 1 == 0", true),
        ("-count + 2 == 0", true),
        ("place in OUTER and place == INNER", true),
        ("place in OTHER", false),
        ("shade == 'dark-blue'", true),
        ("now + wait > now", true),
        ("now - now == 0s", true),
        ("wait * 2 == 1m", true),
        ("until == null or until < now", true),
        ("until != null and until < now", false),
    ] {
        assert_eq!(value(text, &Type::Bool), Value::Bool(expected), "{text}");
    }
}

#[test]
fn arithmetic_saturates() {
    assert_eq!(value("9223372036854775807 + 1", &Type::Int), Value::Int(i64::MAX));
    assert_eq!(value("-9223372036854775807 - 2", &Type::Int), Value::Int(i64::MIN));
    assert_eq!(value("9223372036854775807 * 2", &Type::Int), Value::Int(i64::MAX));
    assert_eq!(value("7922816251426433759354395033.5 * 100", &Type::Decimal), Value::Decimal(Decimal::MAX));
}

#[test]
fn quotients_are_rounded_towards_zero_and_remainders_have_the_sign_of_the_left_side() {
    for (a, b, quotient, remainder) in [
        ("7", "2", 3, 1),
        ("-7", "2", -3, -1),
        ("7", "-2", -3, 1),
        ("-7", "-2", 3, -1),
        ("0", "3", 0, 0),
        ("-9223372036854775808", "-1", i64::MAX, 0),
        ("-9223372036854775808", "1", i64::MIN, 0),
    ] {
        assert_eq!(value(&format!("{a} / ({b})"), &Type::Int), Value::Int(quotient), "{a} / {b}");
        assert_eq!(value(&format!("{a} % ({b})"), &Type::Int), Value::Int(remainder), "{a} % {b}");
    }
}

#[test]
fn decimals_are_divided_to_28_digits() {
    for (text, expected) in [
        ("7.5 / 2", "3.75"),
        ("1.0 / 3", "0.3333333333333333333333333333"),
        ("2.0 / 3", "0.6666666666666666666666666667"),
        ("-2.0 / 3", "-0.6666666666666666666666666667"),
        ("100.0 / 3", "33.333333333333333333333333333"),
        ("7922816251426433759354395033.5 / 0.01", "79228162514264337593543950335"),
        ("-7922816251426433759354395033.5 / 0.01", "-79228162514264337593543950335"),
        ("7.5 % 2", "1.5"),
        ("-7.5 % 2", "-1.5"),
        ("7.5 % -2", "1.5"),
        ("0.7 % 0.05", "0"),
        ("7922816251426433759354395033.5 % 0.0000000000000000000000000007", "0.0000000000000000000000000000"),
        ("5.0 % 7922816251426433759354395033.5", "5"),
        ("0.0000000000000000000000000005 % 7922816251426433759354395033.5", "0.0000000000000000000000000005"),
        ("limit * 1.0 / 2", "1.5"),
        ("limit / 2", "1"),
    ] {
        assert_eq!(value(text, &Type::Decimal), Value::Decimal(Decimal::from_str_exact(expected).unwrap()), "{text}");
    }
}

#[test]
fn a_division_by_zero_has_no_value_unless_it_is_not_evaluated() {
    for text in ["1 / 0 == 1", "1 % (count - 2) == 0", "1.0 / 0 < 2", "1.0 % 0.00 < 2", "ready and 1 / 0 == 1", "not ready or 1 / 0 == 1"] {
        assert_eq!(eval(&read(text, &Type::Bool).unwrap(), &world()), Err(DivisionByZero), "{text}");
    }
    for text in ["ready or 1 / 0 == 1", "not (not ready and 1 / 0 == 1)", "count == 2 or 1 / (count - 2) == 1"] {
        assert_eq!(value(text, &Type::Bool), Value::Bool(true), "{text}");
    }
}

/// What remains is the condition under which an expression divides by zero.
#[test]
fn what_tests_before_a_division_exclude_is_left_out() {
    for (text, expected) in [
        ("count / limit > 3", None),
        ("7 / count > 3", Some("count == 0")),
        ("count != 0 and 7 / count > 3", None),
        ("not (count == 0) and 7 / count > 3", None),
        ("count > 0 and ready and 7 % count == 1", None),
        ("0 < count and 7 / count > 3", None),
        ("count >= 1 and 7 / count > 3", None),
        ("count <= 1 and 7 / count > 3", Some("count <= 1 and count == 0")),
        ("count == limit and 7 / count > 3", None),
        ("count == 0 or 7 / count > 3", None),
        ("count != 0 or 7 / count > 3", Some("not count != 0 and count == 0")),
        ("7 / count > 3 and count != 0", Some("count == 0")),
        ("count - 1 != 0 and 7 / (count - 1) > 3", None),
        ("ratio > 0 and 7 / ratio > 3", None),
        ("1.0 / count > 3", Some("count == 0")),
        ("count != 0 and 1.0 / count > 3", None),
        ("len(name) > 0 and 7 / len(name) > 3", None),
        ("7 / (7 / count) > 3", Some("count == 0 or 7 / count == 0")),
        (
            "ready and 7 / count > 3 and lucky and 7 % limit == 7 / (count - 1)",
            Some("ready and (count == 0 or 7 / count > 3 and (lucky and count - 1 == 0))"),
        ),
        ("7 / 0 > 3", Some("true")),
    ] {
        let (world, expr) = (world(), read(text, &Type::Bool).unwrap());
        let found = divides(&expr, &world.constants).map(|it| it.show(&world));
        assert_eq!(found.as_deref(), expected, "{text}");
    }
}

#[test]
fn the_length_of_a_text_counts_unicode_scalar_values() {
    for (text, length) in [("''", 0), ("'abc'", 3), ("'äöü'", 3), ("'𝄞'", 1), ("'e\u{301}'", 2), ("name", 1)] {
        assert_eq!(value(&format!("len({text})"), &Type::Int), Value::Int(length), "{text}");
    }
    assert_eq!(fold(&read("len('äb') + 1", &Type::Int).unwrap(), &[]).show(&world()), "3");
    assert_eq!(value("len ( name )== 1", &Type::Bool), Value::Bool(true));
    for (text, message) in [
        ("len(count) > 3", "expected `text`, found `int`"),
        ("len(name", "this call is not closed"),
        ("size(name) > 3", "there is no function `size`"),
        ("len > 3", "there is no `len` here"),
    ] {
        assert_eq!(read(text, &Type::Bool).unwrap_err(), vec![message.to_owned()], "{text}");
    }
}

#[test]
fn timestamps_are_written_by_rfc_3339() {
    for (text, micros) in [
        ("1970-01-01T00:00:00Z", 0),
        ("1970-01-01T00:00:00.001Z + 1us", 1_001),
        ("2026-01-31T12:00:00Z-1h", 1_769_857_200_000_000),
        ("1d + 1969-12-31T23:59:59.999999Z", 86_399_999_999),
    ] {
        assert_eq!(value(text, &Type::Timestamp), Value::Timestamp(micros), "{text}");
    }
    assert_eq!(
        fold(&read("2026-01-31T12:00:00Z + wait", &Type::Timestamp).unwrap(), &world().constants).show(&world()),
        "2026-01-31T12:00:30Z"
    );
    assert_eq!(value("2026-01-31 - 01 == 1993", &Type::Bool), Value::Bool(true), "this is a subtraction");
    for text in ["2026-02-30T00:00:00Z", "2026-01-31T12:00:00", "2026-01-31T12:00Z", "2026-01-31T12:00:00z", "2026-01-31T12:00:00.1234567Z"]
    {
        assert_eq!(read(text, &Type::Timestamp).unwrap_err(), vec![format!("`{text}` is no timestamp")]);
    }
}

/// A random condition as text, with operators and names of the right types.
fn condition() -> impl Strategy<Value = String> {
    let int = prop::sample::select(vec!["count", "limit", "7", "0", "-3", "len(name)"]).prop_map(str::to_owned);
    let int = int.prop_recursive(3, 8, 2, |inner| {
        (inner.clone(), prop::sample::select(vec!["+", "-", "*", "/", "%"]), inner).prop_map(|(a, op, b)| format!("({a} {op} {b})"))
    });
    let decimal = prop::sample::select(vec!["ratio", "share", "buffer", "0.10", "2.5"]).prop_map(str::to_owned);
    let decimal = decimal.prop_recursive(3, 8, 2, |inner| {
        (inner.clone(), prop::sample::select(vec!["+", "-", "*", "/", "%"]), inner).prop_map(|(a, op, b)| format!("({a} {op} {b})"))
    });
    let signs = || prop::sample::select(vec!["==", "!=", "<", "<=", ">", ">="]);
    let leaf = prop_oneof![
        (int.clone(), signs(), int).prop_map(|(a, op, b)| format!("{a} {op} {b}")),
        (decimal.clone(), signs(), decimal).prop_map(|(a, op, b)| format!("{a} {op} {b}")),
        prop::sample::select(vec![
            "ready",
            "lucky",
            "true",
            "false",
            "name == 'x'",
            "place in OUTER",
            "place != INNER",
            "shade == red",
            "now < 2026-01-31T12:00:00.5Z",
            "len(name) > 0"
        ])
        .prop_map(str::to_owned),
    ];
    leaf.prop_recursive(4, 24, 2, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a}) and ({b})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a}) or ({b})")),
            inner.prop_map(|a| format!("not ({a})")),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1_000) })]

    #[test]
    fn what_is_shown_reads_back_as_the_same(text in condition()) {
        let world = world();
        let expr = read(&text, &Type::Bool).unwrap();
        let shown = expr.show(&world);
        let again = read(&shown, &Type::Bool).unwrap();
        prop_assert_eq!(again.show(&world), shown);
        prop_assert_eq!(eval(&again, &world), eval(&expr, &world));
    }

    /// An independent second opinion: the interpreter, and the condition that emitted code and lints use.
    #[test]
    fn the_condition_of_a_division_by_zero_holds_exactly_where_there_is_no_value(text in condition(), count in -3..4_i64, ready: bool) {
        let mut world = world();
        world.values[0] = Value::Int(count);
        world.values[3] = Value::Bool(ready);
        let expr = read(&text, &Type::Bool).unwrap();
        let found = eval_bool(&expr, &world);
        let divides = divides(&expr, &world.constants).is_some_and(|it| eval_bool(&it, &world).unwrap());
        prop_assert_eq!(divides, found.is_err());
        prop_assert_eq!(eval_bool(&defined(&expr, &world.constants), &world), Ok(found.unwrap_or(false)));
        let any = divisions(&expr, None, &world.constants).filter(|it| eval_bool(&it.when, &world) == Ok(true)).count() > 0;
        prop_assert_eq!(any, divides, "the first divisor that is zero has a condition of its own");
    }

    #[test]
    fn remainders_are_what_quotients_leave(a: i64, b: i64, c: i64, d: i64, scale in 0_u32..10) {
        let int = |text: String| value(&text, &Type::Int);
        if b != 0 && (a, b) != (i64::MIN, -1) {
            prop_assert_eq!(int(format!("{a} / ({b}) * ({b}) + {a} % ({b})")), Value::Int(a));
        }
        let (c, d) = (Decimal::new(c, scale), Decimal::new(d, 3));
        if !d.is_zero() {
            let Value::Decimal(rest) = value(&format!("{c:.9} % {d:.3}"), &Type::Decimal) else { panic!() };
            let whole = (c - rest) / d;
            prop_assert!(rest.abs() < d.abs() && (rest.is_zero() || rest.is_sign_negative() == c.is_sign_negative()));
            prop_assert!(whole.is_integer(), "{} {} {}", c, d, rest);
        }
    }

    #[test]
    fn folding_changes_no_value(text in condition()) {
        let world = world();
        let expr = read(&text, &Type::Bool).unwrap();
        prop_assert_eq!(eval(&fold(&expr, &world.constants), &world), eval(&expr, &world));
    }

    #[test]
    fn no_text_makes_the_parser_panic(text in "[a-z0-9 .'()<>=!+*/%TZ:-]{0,40}") {
        let _ = read(&text, &Type::Bool);
    }
}

/// The microseconds of the year 1 and of the year 10000: RFC 3339 has four digits.
const YEARS: std::ops::Range<i64> = -62_135_596_800_000_000..253_402_300_800_000_000;

proptest! {
    /// What a trace or `play` shows can be typed in again.
    #[test]
    fn every_value_that_is_shown_is_read(
        int: i64, duration: i64, timestamp in YEARS, reference: u64, mantissa: i64, scale in 0_u32..28, text: String,
    ) {
        let fields = "{ a: int, b: duration, c: duration, d: timestamp, e: reference, f: decimal, g: text }";
        let spec = format!("machine: m\nstates: {{ s: {{ initial: true }} }}\nevents: {{ go: {{ payload: {fields} }} }}\ntransitions: [{{ from: s, event: go }}]\n");
        let model = load(&[Input { path: "machines/m.yaml".into(), text: spec }]).model.unwrap();
        let machine = &model.machines[0];
        let values = [
            Value::Int(int),
            Value::Duration(duration),
            Value::Duration(duration / 1_000_000 * 1_000_000),
            Value::Timestamp(timestamp),
            Value::Reference(reference),
            Value::Decimal(Decimal::new(mantissa, scale)),
            Value::Text(text),
        ];
        for (field, value) in machine.event(EventId::new(0)).payload.iter().zip(values) {
            let shown = show(machine, &value);
            prop_assert_eq!(read_value(machine, &[], field, &shown), Ok(value), "{}", shown);
        }
    }
}
