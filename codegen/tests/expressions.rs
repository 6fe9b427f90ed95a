//! The expression language, through its public interface: a displayed expression parses to the same
//! expression, folding changes no value, and arithmetic is exact.

use proptest::prelude::*;
use rust_decimal::Decimal;
use statespec_codegen::diagnostic::Diagnostics;
use statespec_codegen::expr::{Env, Expr, ExprKind, Names, Resolved, Scope, Var, check, eval, fold, parse};
use statespec_codegen::interpret::value::{read as read_value, show};
use statespec_codegen::lower::load;
use statespec_codegen::model::machine::{Constant, Enum, EnumValue};
use statespec_codegen::model::{ConstantId, EnumId, EventId, FieldId, Literal, PredicateId, StateId, Type, Value};
use statespec_codegen::source::{Input, Sources, Span, Spanned};

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
    let value = |name: &str| EnumValue { name: name.into(), wire: name.into(), former: Vec::new(), label: None, doc: None, span: span() };
    World {
        constants: vec![
            constant("limit", Type::Int, Literal::Int(3)),
            constant("share", Type::Decimal, Literal::Decimal(Decimal::new(70, 2))),
            constant("buffer", Type::Decimal, Literal::Decimal(Decimal::new(5, 2))),
            constant("wait", Type::Duration, Literal::Duration(30_000_000)),
        ],
        enums: vec![Enum {
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
    eval(&read(text, ty).unwrap(), &world())
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

/// A random condition as text, with operators and names of the right types.
fn condition() -> impl Strategy<Value = String> {
    let int = prop::sample::select(vec!["count", "limit", "7", "0", "-3"]).prop_map(str::to_owned);
    let int = int.prop_recursive(3, 8, 2, |inner| {
        (inner.clone(), prop::sample::select(vec!["+", "-", "*"]), inner).prop_map(|(a, op, b)| format!("({a} {op} {b})"))
    });
    let decimal = prop::sample::select(vec!["ratio", "share", "buffer", "0.10", "2.5"]).prop_map(str::to_owned);
    let decimal = decimal.prop_recursive(3, 8, 2, |inner| {
        (inner.clone(), prop::sample::select(vec!["+", "-", "*"]), inner).prop_map(|(a, op, b)| format!("({a} {op} {b})"))
    });
    let signs = || prop::sample::select(vec!["==", "!=", "<", "<=", ">", ">="]);
    let leaf = prop_oneof![
        (int.clone(), signs(), int).prop_map(|(a, op, b)| format!("{a} {op} {b}")),
        (decimal.clone(), signs(), decimal).prop_map(|(a, op, b)| format!("{a} {op} {b}")),
        prop::sample::select(vec!["ready", "lucky", "true", "false", "name == 'x'", "place in OUTER", "place != INNER", "shade == red"])
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

    #[test]
    fn folding_changes_no_value(text in condition()) {
        let world = world();
        let expr = read(&text, &Type::Bool).unwrap();
        prop_assert_eq!(eval(&fold(&expr, &world.constants), &world), eval(&expr, &world));
    }

    #[test]
    fn no_text_makes_the_parser_panic(text in "[a-z0-9 .'()<>=!+*-]{0,40}") {
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
