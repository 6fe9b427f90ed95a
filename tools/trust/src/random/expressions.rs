//! Guards, assignments, rules and invariants of the right type, as unusual as the language allows.

use std::collections::BTreeSet;

use super::dice::Dice as _;
use crate::rng::Rng;

/// A type. States and enums belong to a machine of the project, by its position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Ty {
    Bool,
    Int,
    Decimal,
    Text,
    Duration,
    Timestamp,
    Reference,
    State(usize),
    /// The states in which a part with regions is: there is no such value, and conditions ask for one of them.
    Configuration(usize),
    Enum(usize, usize),
}

/// The names that literals of a machine use.
#[derive(Debug, Clone, Default)]
pub(super) struct Vocabulary {
    /// The enums with their values.
    pub(super) enums: Vec<(String, Vec<String>)>,
    /// The states, and whether each is a leaf.
    pub(super) states: Vec<(String, bool)>,
}

impl Vocabulary {
    /// The names of the leaves.
    pub(super) fn leaves(&self) -> Vec<&str> {
        self.states.iter().filter(|(_, is_leaf)| *is_leaf).map(|(name, _)| name.as_str()).collect()
    }
}

/// A field, constant or predicate, by its name in expressions.
#[derive(Debug, Clone)]
pub(super) struct Var {
    pub(super) name: String,
    pub(super) ty: Ty,
    pub(super) optional: bool,
}

/// The names that an expression can use.
pub(super) struct Scope<'a> {
    pub(super) vars: Vec<Var>,
    /// The machines of the project.
    pub(super) machines: &'a [Vocabulary],
}

/// A guard.
pub(super) struct Guard {
    pub(super) text: String,
    /// Optional variables that are not null where it holds.
    pub(super) known: Vec<String>,
}

/// The optional variables that are known not to be null at this place.
type Known<'k> = &'k [String];

const INTS: &[&str] = &[
    "0",
    "1",
    "-1",
    "2",
    "3",
    "7",
    "21",
    "100000",
    "2147483647",
    "2147483648",
    "-2147483648",
    "-2147483649",
    "4294967296",
    "3000000000",
    "9223372036854775807",
    "-9223372036854775807",
    "-9223372036854775808",
];
const DECIMALS: &[&str] =
    &["0.0", "0.70", "0.05", "-0.5", "1.0", "100.00", "12345678901234567890.12345678", "0.0000000000000000000000000001", "-7.9"];
const DURATIONS: &[&str] =
    &["0s", "250ms", "30s", "5m", "1h", "2d", "1us", "106751991d", "9223372036854775807us", "-30s", "-9223372036854775807us"];
pub(super) const TIMESTAMPS: &[&str] = &[
    "1970-01-01T00:00:00Z",
    "2026-01-31T12:00:00Z",
    "1969-12-31T23:59:59.999999Z",
    "2000-02-29T23:59:59.5Z",
    "0000-01-01T00:00:00Z",
    "9999-12-31T23:59:59.999999Z",
];
const TEXTS: &[&str] = &["", "a", "text", "\"", "\\", "{}", "*/", "//", "__LIST__0", "é", "#\"", "a b", "\\n", "\n", "null"];

const ALL_ORDERED: &[&str] = &["==", "!=", "<", "<=", ">", ">="];

impl Scope<'_> {
    /// A condition.
    pub(super) fn condition(&self, rng: &mut Rng) -> String {
        let depth = rng.between(0, 3);
        self.bool(rng, depth, &[])
    }

    /// A value for a field: `null` if the field is optional, or a value of its type; `None` if no value of the type
    /// can be written.
    pub(super) fn given(&self, rng: &mut Rng, ty: Ty, optional: bool, known: Known<'_>) -> Option<String> {
        if optional && rng.chance(25) {
            return Some("null".into());
        }
        if optional && rng.chance(40) {
            let fit: Vec<&Var> = self.vars.iter().filter(|it| it.ty == ty).collect();
            if let Some(var) = rng.maybe(&fit) {
                return Some(var.name.clone());
            }
        }
        let depth = rng.between(0, 2);
        self.value(rng, ty, depth, known).or_else(|| self.literal(rng, ty)).or_else(|| optional.then(|| "null".into()))
    }

    /// A guard; half of the guards test optional variables.
    pub(super) fn guard(&self, rng: &mut Rng) -> Guard {
        let optional: BTreeSet<&str> = self.vars.iter().filter(|it| it.optional).map(|it| it.name.as_str()).collect();
        let optional: Vec<&str> = optional.into_iter().collect();
        if optional.is_empty() || rng.chance(50) {
            return Guard { text: self.condition(rng), known: Vec::new() };
        }
        let known: Vec<String> = rng.several(&optional, 2).into_iter().map(str::to_owned).collect();
        let tests = known.iter().map(|name| match rng.below(4) {
            0 => format!("null != {name}"),
            1 => format!("not ({name} == null)"),
            _ => format!("{name} != null"),
        });
        let test = tests.collect::<Vec<_>>().join(" and ");
        // A condition before the test must not mention what the test is about.
        let others = self.vars.iter().filter(|it| !known.contains(&it.name)).cloned().collect();
        let before = Scope { vars: others, machines: self.machines };
        let text = match rng.below(5) {
            0 => format!("{test} and ({})", self.bool(rng, 1, &known)),
            1 => format!("({}) and {test}", before.bool(rng, 1, &[])),
            2 => format!("not (not ({test}) or ({}))", self.bool(rng, 1, &known)),
            _ => test,
        };
        Guard { text, known }
    }

    /// A value that reads a variable that is known not to be null, mostly.
    pub(super) fn tested(&self, rng: &mut Rng, ty: Ty, known: Known<'_>) -> Option<String> {
        let fit: Vec<&Var> = self.vars.iter().filter(|it| it.ty == ty && known.contains(&it.name)).collect();
        let name = rng.maybe(&fit).filter(|_| rng.chance(75))?.name.clone();
        let step = if ty == Ty::Timestamp { Ty::Duration } else { ty };
        let counts = matches!(ty, Ty::Int | Ty::Decimal | Ty::Duration | Ty::Timestamp);
        match self.value(rng, step, 1, known).filter(|_| counts && rng.chance(70)) {
            Some(step) => Some(format!("{name} + {step}")),
            None => Some(name),
        }
    }

    /// A literal of a type, if the type has literals.
    fn literal(&self, rng: &mut Rng, ty: Ty) -> Option<String> {
        Some(match ty {
            Ty::Bool => (*rng.pick(&["true", "false"])).into(),
            Ty::Int => (*rng.pick(INTS)).into(),
            Ty::Decimal => (*rng.pick(DECIMALS)).into(),
            Ty::Duration => (*rng.pick(DURATIONS)).into(),
            Ty::Text => format!("'{}'", rng.pick(TEXTS)),
            Ty::State(machine) => self.word(rng, self.machines[machine].leaves().into_iter().map(str::to_owned).collect()),
            Ty::Enum(machine, idx) => self.word(rng, self.machines[machine].enums[idx].1.clone()),
            Ty::Timestamp => (*rng.pick(TIMESTAMPS)).into(),
            Ty::Reference | Ty::Configuration(_) => return None,
        })
    }

    /// A state or value: bare, or in quotes if a bare word would have another meaning.
    fn word(&self, rng: &mut Rng, names: Vec<String>) -> String {
        let name = rng.pick(&names);
        let reserved = matches!(name.as_str(), "and" | "or" | "not" | "in" | "true" | "false" | "null");
        // The inputs of a transaction are not complete yet, and a bare word must not be the name of one of them.
        let in_system = self.vars.iter().any(|it| it.name.contains('.'));
        let quoted = in_system || reserved || name.contains('-') || self.vars.iter().any(|it| it.name == *name) || rng.chance(30);
        if quoted { format!("'{name}'") } else { name.clone() }
    }

    /// A variable of a type that is not null at this place.
    fn var(&self, rng: &mut Rng, ty: Ty, known: Known<'_>) -> Option<String> {
        let fit = |it: &&Var| it.ty == ty && (!it.optional || known.contains(&it.name));
        let fit: Vec<&Var> = self.vars.iter().filter(fit).collect();
        rng.maybe(&fit).map(|it| it.name.clone())
    }

    /// A value with a type of its own: not a bare name of a state or value, whose type depends on the context.
    fn value(&self, rng: &mut Rng, ty: Ty, depth: usize, known: Known<'_>) -> Option<String> {
        if ty == Ty::Bool {
            return Some(self.bool(rng, depth, known));
        }
        if depth > 0 && rng.chance(50) {
            let mut side = |ty| self.value(rng, ty, depth - 1, known);
            let (left, right) = match ty {
                Ty::Int => (side(Ty::Int), side(Ty::Int)),
                Ty::Decimal => {
                    let other = if depth.is_multiple_of(2) { Ty::Int } else { Ty::Decimal };
                    (side(Ty::Decimal), side(other))
                }
                Ty::Duration => (side(Ty::Duration), side(Ty::Duration)),
                Ty::Timestamp => (side(Ty::Timestamp), side(Ty::Duration)),
                _ => (None, None),
            };
            if let (Some(left), Some(right)) = (left, right) {
                let signs: &[&str] =
                    if matches!(ty, Ty::Int | Ty::Decimal) { &["+", "-", "*", "+", "-", "*", "/", "%"] } else { &["+", "-"] };
                let sign = *rng.pick(signs);
                return Some(match ty {
                    Ty::Duration if rng.chance(30) => {
                        let factor = self.value(rng, Ty::Int, 0, known)?;
                        if rng.chance(50) { format!("({left} * {factor})") } else { format!("({factor} * {left})") }
                    }
                    Ty::Duration if rng.chance(30) => match (self.var(rng, Ty::Timestamp, known), self.var(rng, Ty::Timestamp, known)) {
                        (Some(left), Some(right)) => format!("({left} - {right})"),
                        _ => format!("({left} {sign} {right})"),
                    },
                    Ty::Timestamp if sign == "+" && rng.chance(30) => format!("({right} + {left})"),
                    _ => format!("({left} {sign} {right})"),
                });
            }
        }
        if ty == Ty::Int && rng.chance(10) {
            let text = self.var(rng, Ty::Text, known).or_else(|| self.literal(rng, Ty::Text))?;
            return Some(format!("len({text})"));
        }
        let var = if rng.chance(70) { self.var(rng, ty, known) } else { None };
        let literal = |rng: &mut Rng| if matches!(ty, Ty::State(_) | Ty::Enum(..)) { None } else { self.literal(rng, ty) };
        var.or_else(|| literal(rng)).or_else(|| self.var(rng, ty, known))
    }

    fn bool(&self, rng: &mut Rng, depth: usize, known: Known<'_>) -> String {
        if depth == 0 {
            return self.atom(rng, known);
        }
        match rng.below(9) {
            0 => format!("not ({})", self.bool(rng, depth - 1, known)),
            1 => format!("not not ({})", self.bool(rng, depth - 1, known)),
            2 | 3 => {
                let mut sides = [self.bool(rng, depth - 1, known), self.bool(rng, depth - 1, known)];
                if sides.iter().all(|it| it.contains("null")) {
                    // The null test on the left may make a test on the right redundant.
                    sides[1] = self.atom(rng, known);
                }
                let sign = *rng.pick(&["and", "or"]);
                // Without parentheses the operators group in another way, which is valid, too.
                if rng.chance(30) && known.is_empty() && !sides.iter().any(|it| it.contains("null")) {
                    format!("{} {sign} {}", sides[0], sides[1])
                } else {
                    format!("({}) {sign} ({})", sides[0], sides[1])
                }
            }
            4 | 5 => self.null_test(rng, depth, known).unwrap_or_else(|| self.atom(rng, known)),
            _ => self.compare(rng, depth, known).unwrap_or_else(|| self.atom(rng, known)),
        }
    }

    /// A test for null, and a condition that depends on it.
    fn null_test(&self, rng: &mut Rng, depth: usize, known: Known<'_>) -> Option<String> {
        let optional: Vec<&Var> = self.vars.iter().filter(|it| it.optional && !known.contains(&it.name)).collect();
        let var = rng.maybe(&optional)?;
        let name = var.name.as_str();
        let mut inside = known.to_vec();
        inside.push(name.to_owned());
        let behind = match self.compare_of(rng, var.ty, depth - 1, &inside) {
            Some(it) if rng.chance(70) => it,
            _ => self.bool(rng, depth - 1, &inside),
        };
        Some(match rng.below(6) {
            0 => format!("{name} == null"),
            1 => format!("null != {name}"),
            2 => format!("{name} == null or ({behind})"),
            3 => format!("not ({name} == null) and ({behind})"),
            _ => format!("{name} != null and ({behind})"),
        })
    }

    /// A comparison of two values of some type.
    fn compare(&self, rng: &mut Rng, depth: usize, known: Known<'_>) -> Option<String> {
        let mut types: Vec<Ty> = self.vars.iter().map(|it| it.ty).collect();
        types.extend([Ty::Int, Ty::Decimal, Ty::Duration, Ty::Text, Ty::Bool]);
        let ty = *rng.pick(&types);
        // Both sides may be null.
        let optional: Vec<&Var> = self.vars.iter().filter(|it| it.ty == ty && !matches!(ty, Ty::Configuration(_))).collect();
        if rng.chance(25) && optional.len() > 1 {
            let (left, right) = (rng.pick(&optional), rng.pick(&optional));
            // An optional int is not converted to a decimal; here the types are equal.
            return Some(format!("{} {} {}", left.name, rng.pick(&["==", "!="]), right.name));
        }
        self.compare_of(rng, ty, depth - 1, known)
    }

    fn compare_of(&self, rng: &mut Rng, ty: Ty, depth: usize, known: Known<'_>) -> Option<String> {
        let left = match ty {
            Ty::State(machine) | Ty::Configuration(machine) => {
                let left = self.var(rng, ty, known)?;
                if matches!(ty, Ty::Configuration(_)) || rng.chance(50) {
                    let names = self.machines[machine].states.iter().map(|it| it.0.clone()).collect();
                    return Some(format!("{left} in {}", self.word(rng, names)));
                }
                left
            }
            Ty::Enum(..) | Ty::Reference => self.var(rng, ty, known)?,
            _ => self.value(rng, ty, depth, known)?,
        };
        // A division behind the test that its divisor is not zero.
        if matches!(ty, Ty::Int | Ty::Decimal)
            && rng.chance(10)
            && let Some(divisor) = self.var(rng, ty, known)
        {
            let (operator, sign) = (*rng.pick(&["/", "%"]), *rng.pick(ALL_ORDERED));
            return Some(format!("({divisor} != 0 and {left} {operator} {divisor} {sign} {})", self.literal(rng, ty)?));
        }
        let right = match rng.below(8) {
            0 => left.clone(),
            1..4 => self.literal(rng, ty).or_else(|| self.var(rng, ty, known))?,
            _ => self.value(rng, ty, depth, known)?,
        };
        let ordered = matches!(ty, Ty::Int | Ty::Decimal | Ty::Duration | Ty::Timestamp);
        let sign = *rng.pick(if ordered { ALL_ORDERED } else { &["==", "!="] });
        let (left, right) = if ty == Ty::Bool { (format!("({left})"), format!("({right})")) } else { (left, right) };
        Some(if rng.chance(20) { format!("{right} {sign} {left}") } else { format!("{left} {sign} {right}") })
    }

    /// An atomic condition.
    fn atom(&self, rng: &mut Rng, known: Known<'_>) -> String {
        if rng.chance(30)
            && let Some(test) = self.compare_of(rng, Ty::Int, 0, known)
        {
            return test;
        }
        let var = if rng.chance(85) { self.var(rng, Ty::Bool, known) } else { None };
        var.or_else(|| self.literal(rng, Ty::Bool)).unwrap_or_else(|| "true".into())
    }
}
