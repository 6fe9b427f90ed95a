//! The values that a call chooses: one of every cell between the values at which an atom changes.

use std::collections::BTreeSet;

use statespec_lang::expr::Var;
use statespec_lang::interpret::BoundaryValues;
use statespec_lang::model::machine::Field;
use statespec_lang::model::{Machine, Type, Value};

use super::abstraction::Choices;
use super::atoms::{Atom, Term, Vars};
use super::linear::{Number, cells, is_number, number_of};
use super::values::{default_of, plain};

/// The maximum number of combinations for one row of one configuration; the report states when it is exceeded.
const MAX_COMBINATIONS: usize = 4_096;

/// All combinations of values for the chosen variables, in their order, and whether some had to be left out. `known` are
/// the values of the other variables.
pub(super) fn combinations(choices: &Choices, vars: &Vars<'_>, known: &dyn Fn(Var) -> Value) -> (Vec<Vec<Value>>, bool) {
    let mut all: Vec<Vec<Value>> = vec![Vec::new()];
    let mut cut = false;
    for (idx, (var, atoms)) in choices.iter().enumerate() {
        let Some(field) = vars.field(*var) else { continue };
        let mut longer = Vec::new();
        for chosen in &all {
            let of = |it: Var| choices[..idx].iter().position(|(var, _)| *var == it).map_or_else(|| known(it), |it| chosen[it].clone());
            longer.extend(values(*var, field, atoms, vars.machine, &of).into_iter().map(|it| [chosen.as_slice(), &[it]].concat()));
            if longer.len() > MAX_COMBINATIONS {
                cut = true;
                longer.truncate(MAX_COMBINATIONS);
                break;
            }
        }
        all = longer;
    }
    (all, cut)
}

/// The values of one variable that these atoms distinguish.
fn values(var: Var, field: &Field, atoms: &BTreeSet<Atom>, machine: &Machine, of: &dyn Fn(Var) -> Value) -> Vec<Value> {
    if atoms.is_empty() {
        // A field keeps its default.
        let default = default_of(field);
        let keeps = matches!(var, Var::Context(_)) && (default != Value::Null || field.optional);
        return vec![if keeps { default } else { plain(field, machine) }];
    }
    let mut values = match &field.ty {
        Type::Bool | Type::Enum(_) | Type::State if !atoms.contains(&Atom::Value(var)) => {
            vec![plain(&Field { optional: false, ..field.clone() }, machine)]
        }
        Type::Bool => vec![Value::Bool(false), Value::Bool(true)],
        Type::Enum(id) => {
            let n_values = machine.enums.get(id.index()).map_or(0, |it| it.values.len());
            (0..n_values).map(|idx| Value::Enum(*id, idx)).collect()
        }
        Type::State => machine.leaves().map(Value::State).collect(),
        ty if is_number(ty) => {
            let root = |atom: &Atom| match atom {
                Atom::Sign(form) => form.root(var, &|it| number_of(&of(it))),
                _ => None,
            };
            let mut values = cells(ty, &atoms.iter().filter_map(root).collect::<Vec<Number>>());
            if atoms.contains(&Atom::Value(var)) {
                // The borders are not known: the numbers of the spec are likely ones.
                let likely = BoundaryValues::without_extremes(machine).of(field);
                let new = likely.into_iter().filter(|it| *it != Value::Null && !values.contains(it));
                values.extend(new.collect::<Vec<_>>());
            }
            values
        }
        ty => names(var, ty, atoms, of),
    };
    if field.optional {
        values.push(Value::Null);
    }
    values
}

/// The names that a variable is compared with, and another one.
fn names(var: Var, ty: &Type, atoms: &BTreeSet<Atom>, of: &dyn Fn(Var) -> Value) -> Vec<Value> {
    let other = |atom: &Atom| match atom {
        Atom::Same(a, Term::Var(b)) => Some(of(if *a == var { *b } else { *a })),
        Atom::Same(_, Term::Value(value)) => Some(value.clone()),
        _ => None,
    };
    let mut values: BTreeSet<Value> = atoms.iter().filter_map(other).filter(|it| *it != Value::Null).collect();
    let mut fresh = (1..).map(|number| match ty {
        Type::Reference => Value::Reference(number),
        _ if number == 1 => Value::Text("text".into()),
        _ => Value::Text(format!("text {number}")),
    });
    values.extend(fresh.find(|it| !values.contains(it)));
    // Every length between the numbers, of a text that equals none of those.
    let numbers = atoms.iter().filter_map(|it| if let Atom::Length(_, with) = it { Some(*with) } else { None });
    let lengths: BTreeSet<usize> = numbers.flat_map(|it| it - 1..=it + 1).filter_map(|it| usize::try_from(it).ok()).collect();
    for length in lengths {
        values.extend(texts_of_length(length).find(|it| !values.contains(it)));
    }
    values.into_iter().collect()
}

/// Different texts of one length.
fn texts_of_length(length: usize) -> impl Iterator<Item = Value> {
    let last = if length == 0 { 'a'..='a' } else { 'a'..=char::MAX };
    last.map(move |last| match length.checked_sub(1) {
        Some(before) => Value::Text("x".repeat(before) + last.encode_utf8(&mut [0; 4])),
        None => Value::Text(String::new()),
    })
}
