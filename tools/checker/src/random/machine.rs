//! A random small machine, as the text of a spec: guards of every form that compare the context and the payload with
//! small numbers and with each other.

use std::fmt::Write as _;

use super::{NAME, Rng};

/// The type of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ty {
    Int,
    Decimal,
    Duration,
    Timestamp,
    Text,
    Reference,
    Bool,
    Color,
}

#[derive(Debug, Clone)]
struct Field {
    name: String,
    ty: Ty,
    optional: bool,
}

const WORDS: &[&str] = &["red", "green", "blue"];

pub(super) fn machine(rng: &mut Rng) -> String {
    let types: &[Ty] = match rng.below(8) {
        0 | 1 => &[Ty::Int],
        2 => &[Ty::Decimal],
        3 => &[Ty::Timestamp, Ty::Duration],
        4 => &[Ty::Timestamp],
        5 => &[Ty::Text, Ty::Reference, Ty::Color],
        6 => &[Ty::Int, Ty::Decimal, Ty::Bool],
        _ => &[Ty::Int, Ty::Decimal, Ty::Duration, Ty::Timestamp, Ty::Text, Ty::Reference, Ty::Bool, Ty::Color],
    };
    let n_states = 2 + rng.below(3);
    let n_fields = rng.below(4);
    let context: Vec<Field> = (0..n_fields).map(|idx| field(rng, format!("f{idx}"), types, true)).collect();
    let n_predicates = *rng.pick(&[0, 0, 0, 1, 2, 8]);
    let predicates: Vec<String> = (0..n_predicates).map(|idx| format!("h{idx}")).collect();
    let n_events = 1 + rng.below(4);
    let events: Vec<Vec<Field>> = (0..n_events)
        .map(|event| {
            let n_payload = *rng.pick(&[0, 1, 1, 1, 2]);
            (0..n_payload).map(|idx| field(rng, format!("p{event}{idx}"), types, false)).collect()
        })
        .collect();
    let mut text = format!("machine: {NAME}\nenums: {{ color: {{ values: {{ red: {{}}, green: {{}}, blue: {{}} }} }} }}\n");
    if !context.is_empty() {
        text.push_str("context:\n");
        for it in &context {
            let default = default(rng, it).map_or_else(String::new, |it| format!(", default: {it}"));
            let _ = writeln!(text, "  {}: {{ type: {}, optional: {}{default} }}", it.name, type_name(it.ty), it.optional);
        }
    }
    text.push_str("states:\n  s0: { initial: true }\n");
    for idx in 1..n_states {
        let last = if idx + 1 == n_states { "terminal: true" } else { "" };
        let _ = writeln!(text, "  s{idx}: {{ {last} }}");
    }
    text.push_str("events:\n");
    for (idx, payload) in events.iter().enumerate() {
        let fields: Vec<String> =
            payload.iter().map(|it| format!("{}: {{ type: {}, optional: {} }}", it.name, type_name(it.ty), it.optional)).collect();
        let _ = writeln!(text, "  e{idx}: {{ payload: {{ {} }} }}", fields.join(", "));
    }
    if !predicates.is_empty() {
        let declared: Vec<String> = predicates.iter().map(|it| format!("{it}: {{ doc: Decided outside. }}")).collect();
        let _ = writeln!(text, "predicates: {{ {} }}", declared.join(", "));
    }
    text.push_str("transitions:\n");
    if rng.chance(15) {
        let _ = writeln!(text, "  - {{ from: \"[*]\", event: e0, to: s0{} }}", rest(rng, &context, &events[0], &predicates));
    }
    for (idx, payload) in events.iter().enumerate() {
        for _ in 0..1 + rng.below(2) {
            let from = rng.below(n_states - 1);
            let to = if rng.chance(20) { String::new() } else { format!(", to: s{}", rng.below(n_states)) };
            let _ = writeln!(text, "  - {{ from: s{from}, event: e{idx}{to}{} }}", rest(rng, &context, payload, &predicates));
        }
    }
    if rng.chance(10) {
        let _ = writeln!(text, "  - {{ from: s0, to: s1{} }}", rest(rng, &context, &[], &predicates));
    }
    if rng.chance(10) {
        text.push_str("settle: e0\n");
    }
    text
}

fn field(rng: &mut Rng, name: String, types: &[Ty], context: bool) -> Field {
    let ty = *rng.pick(types);
    // No literal gives a reference a value at creation.
    let optional = if context && ty == Ty::Reference { true } else { rng.chance(25) };
    Field { name, ty, optional }
}

fn type_name(ty: Ty) -> &'static str {
    match ty {
        Ty::Int => "int",
        Ty::Decimal => "decimal",
        Ty::Duration => "duration",
        Ty::Timestamp => "timestamp",
        Ty::Text => "text",
        Ty::Reference => "reference",
        Ty::Bool => "bool",
        Ty::Color => "color",
    }
}

fn default(rng: &mut Rng, field: &Field) -> Option<String> {
    if field.optional && rng.chance(60) {
        return None;
    }
    // Neither an enum nor a timestamp has a zero.
    let always = matches!(field.ty, Ty::Color | Ty::Timestamp) && !field.optional;
    if always || rng.chance(50) { literal(rng, field.ty) } else { None }
}

fn literal(rng: &mut Rng, ty: Ty) -> Option<String> {
    Some(match ty {
        Ty::Int => (rng.below(13) as i64 - 3).to_string(),
        Ty::Decimal => (*rng.pick(&["0", "1", "2.5", "-1.5", "4", "7"])).to_owned(),
        Ty::Duration => format!("{}us", rng.below(6)),
        Ty::Text => format!("'{}'", rng.pick(&["a", "b"])),
        Ty::Bool => rng.chance(50).to_string(),
        Ty::Color => format!("'{}'", rng.pick(WORDS)),
        Ty::Timestamp => format!("1970-01-01T00:00:00.00000{}Z", rng.below(6)),
        Ty::Reference => return None,
    })
}

/// The guard and the assignments of a row.
fn rest(rng: &mut Rng, context: &[Field], payload: &[Field], predicates: &[String]) -> String {
    let known: Vec<&Field> = context.iter().chain(payload).collect();
    let mut text = String::new();
    if rng.chance(70)
        && let Some(guard) = condition(rng, &known, predicates)
    {
        let _ = write!(text, ", when: \"{guard}\"");
    }
    let mut set = Vec::new();
    for field in context {
        if rng.chance(35)
            && let Some(value) = value(rng, field, &known, predicates)
        {
            set.push(format!("{}: \"{value}\"", field.name));
        }
    }
    if !set.is_empty() {
        let _ = write!(text, ", set: {{ {} }}", set.join(", "));
    }
    text
}

fn condition(rng: &mut Rng, known: &[&Field], predicates: &[String]) -> Option<String> {
    if predicates.len() > 2 && rng.chance(60) {
        let word = if rng.chance(50) { " or " } else { " and " };
        return Some(predicates.join(word));
    }
    let mut text = atom(rng, known, predicates)?;
    for _ in 0..*rng.pick(&[0, 0, 1, 1, 2]) {
        let word = if rng.chance(65) { "and" } else { "or" };
        text = format!("({text}) {word} ({})", atom(rng, known, predicates)?);
    }
    if rng.chance(12) {
        text = format!("not ({text})");
    }
    Some(text)
}

fn atom(rng: &mut Rng, known: &[&Field], predicates: &[String]) -> Option<String> {
    if !predicates.is_empty() && rng.chance(20) {
        return Some(rng.pick(predicates).clone());
    }
    if known.is_empty() {
        return None;
    }
    let field = *rng.pick(known);
    let same: Vec<&Field> = known.iter().copied().filter(|it| it.ty == field.ty && it.name != field.name).collect();
    if field.optional && rng.chance(30) {
        return Some(format!("{} {} null", field.name, rng.pick(&["==", "!="])));
    }
    let other = (!same.is_empty() && rng.chance(55)).then(|| *rng.pick(&same));
    let operator = *rng.pick(&["==", "!=", "<", "<=", ">", ">="]);
    let equality = *rng.pick(&["==", "!="]);
    let mut needed: Vec<&Field> = vec![field];
    needed.extend(other);
    let text = match field.ty {
        Ty::Bool => return Some(if field.optional { format!("{} == true", field.name) } else { field.name.clone() }),
        Ty::Text if rng.chance(35) => format!("len({}) {operator} {}", field.name, rng.below(5)),
        Ty::Text | Ty::Reference | Ty::Color => {
            let right = other.map(|it| it.name.clone()).or_else(|| literal(rng, field.ty));
            return Some(right.map_or_else(|| format!("{0} == {0}", field.name), |right| format!("{} {equality} {right}", field.name)));
        }
        Ty::Int | Ty::Decimal | Ty::Duration => {
            let left = match rng.below(20) {
                0..6 => format!("{} * {}", field.name, 2 + rng.below(2)),
                6..8 if field.ty != Ty::Duration => format!("{} {} {}", field.name, rng.pick(&["/", "%"]), 2 + rng.below(2)),
                _ => field.name.clone(),
            };
            let constant = if field.ty == Ty::Int && rng.chance(20) { Some("21".to_owned()) } else { literal(rng, field.ty) };
            let constant = constant.unwrap_or_default();
            match other {
                None => format!("{left} {operator} {constant}"),
                Some(it) if field.ty != Ty::Duration && rng.chance(15) => {
                    let test = if rng.chance(50) { format!("{} != 0 and ", it.name) } else { String::new() };
                    format!("{test}{left} {} {} {operator} {constant}", rng.pick(&["/", "%"]), it.name)
                }
                Some(it) if rng.chance(50) => format!("{left} {operator} {}", it.name),
                Some(it) if rng.chance(50) => format!("{left} - {} {operator} {constant}", it.name),
                Some(it) => format!("{left} + {} {operator} {constant}", it.name),
            }
        }
        Ty::Timestamp => match other {
            None => format!("{} {operator} {}", field.name, literal(rng, Ty::Timestamp)?),
            Some(it) if rng.chance(50) => format!("{} {operator} {}", field.name, it.name),
            Some(it) => format!("{} - {} {operator} {}us", field.name, it.name, rng.below(4)),
        },
    };
    let tests: Vec<String> = needed.iter().filter(|it| it.optional).map(|it| format!("{} != null and ", it.name)).collect();
    Some(format!("{}{text}", tests.concat()))
}

fn value(rng: &mut Rng, field: &Field, known: &[&Field], predicates: &[String]) -> Option<String> {
    if field.optional && rng.chance(25) {
        return Some("null".into());
    }
    let same: Vec<&Field> = known.iter().copied().filter(|it| it.ty == field.ty && (field.optional || !it.optional)).collect();
    let certain: Vec<&Field> = same.iter().copied().filter(|it| !it.optional).collect();
    match field.ty {
        Ty::Bool if rng.chance(50) => condition(rng, known, predicates),
        Ty::Int | Ty::Decimal if !certain.is_empty() && rng.chance(40) => {
            let left = rng.pick(&certain).name.clone();
            match rng.below(6) {
                4 => Some(format!("{left} / {}", rng.pick(&certain).name)),
                5 => Some(format!("{left} % ({} - 2)", rng.pick(&certain).name)),
                0 | 1 => Some(format!("{left} + 1")),
                2 => Some(format!("{left} - 1")),
                _ => Some(format!("{left} + {}", rng.pick(&certain).name)),
            }
        }
        _ if !same.is_empty() && rng.chance(70) => Some(rng.pick(&same).name.clone()),
        ty => literal(rng, ty),
    }
}
