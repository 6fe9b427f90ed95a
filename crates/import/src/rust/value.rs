//! Values and outcomes of code that is followed with known states.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::items::{Function, Items, type_name};

/// A value, as far as it is known.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    Bool(bool),
    Int(i128),
    Text(String),
    /// A variant of an enum, by positions.
    Variant(usize, usize),
    Tuple(Vec<Value>),
    List(Vec<Value>),
    /// A struct with named fields.
    Struct(Vec<(String, Value)>),
    Some(Box<Value>),
    None,
    Ok(Box<Value>),
    Err,
    Unit,
    /// A value that is not known, by its source text.
    Unknown {
        text: String,
        /// Whether it depends on a state, so that it cannot be a guard.
        of_state: bool,
    },
}

impl Value {
    /// A value that depends on the state in a way that cannot be followed.
    pub(super) fn lost(text: impl Into<String>) -> Self {
        Value::Unknown { text: text.into(), of_state: true }
    }

    /// Whether two values are equal; `None` if that is not known.
    pub(super) fn equals(&self, other: &Value) -> Option<bool> {
        let all = |a: &[Value], b: &[Value]| {
            let mut known = Some(a.len() == b.len());
            for (a, b) in a.iter().zip(b) {
                match a.equals(b) {
                    Some(false) => return Some(false),
                    Some(true) => {}
                    None => known = None,
                }
            }
            known
        };
        match (self, other) {
            (Value::Unknown { .. }, _) | (_, Value::Unknown { .. }) => None,
            (Value::Tuple(a), Value::Tuple(b)) | (Value::List(a), Value::List(b)) => all(a, b),
            (Value::Some(a), Value::Some(b)) | (Value::Ok(a), Value::Ok(b)) => a.equals(b),
            (Value::Err, Value::Err) => None,
            (a, b) => Some(a == b),
        }
    }

    /// The source text of the condition that two values are equal.
    pub(super) fn show(&self, items: &Items<'_>) -> String {
        match self {
            Value::Unknown { text, .. } => text.clone(),
            Value::Variant(of, idx) => format!("{}::{}", items.enums[*of].name, items.enums[*of].variants[*idx].name),
            Value::Text(text) => format!("'{text}'"),
            Value::Int(number) => number.to_string(),
            Value::Bool(value) => value.to_string(),
            Value::Some(inner) => format!("Some({})", inner.show(items)),
            Value::Ok(inner) => format!("Ok({})", inner.show(items)),
            Value::None => "None".to_owned(),
            other => format!("{other:?}"),
        }
    }

    pub(super) fn is_of_state(&self) -> bool {
        match self {
            Value::Unknown { of_state, .. } => *of_state,
            Value::Tuple(all) | Value::List(all) => all.iter().any(Value::is_of_state),
            Value::Some(it) | Value::Ok(it) => it.is_of_state(),
            _ => false,
        }
    }
}

/// How a piece of code ends.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Flow {
    Value(Value),
    Return(Value),
    /// A panic.
    Never,
    Continue,
    Break,
    /// What happens from a place on is not known, and may set the state; `None` is in the statement that is followed.
    Lost(Option<Place>),
}

/// A place in the text of the file.
pub(super) type Place = (usize, usize);

/// One outcome; of several, the first whose guards hold is the case.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Case {
    /// The conditions that the code cannot decide from the state alone.
    pub(super) guards: Vec<String>,
    pub(super) flow: Flow,
    pub(super) effects: Effects,
    /// The last arm that leads here, in the function that is read.
    pub(super) arm: Option<Place>,
}

impl Case {
    pub(super) fn value(value: Value) -> Vec<Case> {
        Case::flow(Flow::Value(value))
    }

    pub(super) fn flow(flow: Flow) -> Vec<Case> {
        vec![Case::of(flow)]
    }

    pub(super) fn of(flow: Flow) -> Case {
        Case { guards: Vec::new(), flow, effects: Effects::default(), arm: None }
    }

    /// About the memory that its texts take.
    pub(super) fn n_bytes(&self) -> usize {
        let of_value = |it: &Value| if let Value::Unknown { text, .. } = it { text.len() } else { 0 };
        let guards: usize = self.guards.iter().map(String::len).sum();
        guards + self.effects.fields.iter().map(|(path, value)| path.len() + of_value(value)).sum::<usize>()
    }

    /// A case of the code behind this one, as a case of both.
    pub(super) fn before(&self, behind: Case) -> Case {
        let guards = self.guards.iter().cloned().chain(behind.guards).collect();
        Case { guards, flow: behind.flow, effects: self.effects.then(behind.effects), arm: behind.arm.or(self.arm) }
    }
}

/// What a piece of code has set.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Effects {
    /// The state that was assigned last.
    pub(super) assigned: Option<Value>,
    /// The values of other fields that were assigned, by their paths: `self.failures`.
    pub(super) fields: BTreeMap<String, Value>,
    /// The last `.await` behind an assignment of the state.
    pub(super) awaited: Option<Place>,
}

impl Effects {
    pub(super) fn is_none(&self) -> bool {
        self.assigned.is_none() && self.fields.is_empty()
    }

    /// The effects of both.
    pub(super) fn then(&self, later: Effects) -> Effects {
        let mut fields = later.fields;
        self.fields.iter().for_each(|(path, value)| {
            if !fields.contains_key(path) {
                fields.insert(path.clone(), value.clone());
            }
        });
        Effects { assigned: later.assigned.or_else(|| self.assigned.clone()), fields, awaited: later.awaited.or(self.awaited) }
    }
}

/// What is known where a piece of code stands.
#[derive(Debug, Clone, Default)]
pub(super) struct Scope {
    /// Variables and paths such as `self.state`, the latest last.
    values: Vec<(Rc<str>, Value)>,
    /// The values that the code before has given to fields, by their paths.
    fields: Rc<BTreeMap<String, Value>>,
    /// The type of the surrounding `impl`.
    pub(super) of: Option<Rc<str>>,
    pub(super) module: Rc<[String]>,
    pub(super) depth: usize,
    /// Whether the function around returns an `Option`, so that each of its `?` is about one.
    pub(super) returns_option: bool,
    /// Whether the code before has set the state.
    pub(super) is_set: bool,
    /// The last `.await` since then.
    pub(super) awaited: Option<Place>,
    /// The variables that are references, each with whether they are mutable.
    references: Rc<BTreeMap<String, bool>>,
}

impl Scope {
    pub(super) fn new(of: Option<&String>, module: &[String], depth: usize) -> Self {
        Scope { of: of.map(|it| it.as_str().into()), module: module.into(), depth, ..Scope::default() }
    }

    /// The scope at the start of a function.
    pub(super) fn inside(function: &Function<'_>, depth: usize) -> Self {
        let returns_option =
            matches!(&function.signature.output, syn::ReturnType::Type(_, ty) if type_name(ty).as_deref() == Some("Option"));
        let references = function.signature.inputs.iter().filter_map(|it| match it {
            syn::FnArg::Receiver(it) => Some(("self".to_owned(), !is_shared(it))),
            syn::FnArg::Typed(it) => match (&*it.pat, &*it.ty) {
                (syn::Pat::Ident(name), syn::Type::Reference(ty)) => Some((name.ident.to_string(), ty.mutability.is_some())),
                _ => None,
            },
        });
        let references = Rc::new(references.collect());
        Scope { returns_option, references, ..Scope::new(function.of.as_ref(), &function.module, depth) }
    }

    /// Whether a name is one of a variable.
    pub(super) fn has(&self, name: &str) -> bool {
        self.values.iter().any(|(it, _)| **it == *name)
    }

    /// Whether a variable is a reference by which the function cannot change anything: `&self`.
    pub(super) fn is_shared(&self, name: &str) -> bool {
        self.references.get(name) == Some(&false)
    }

    /// Whether a variable is a reference by which a called function may change something: `&mut self`.
    pub(super) fn is_mutable(&self, name: &str) -> bool {
        self.references.get(name) == Some(&true)
    }

    /// Notes a variable that is a mutable reference: `let r = &mut bytes;`.
    pub(super) fn refer(&mut self, name: String) {
        Rc::make_mut(&mut self.references).insert(name, true);
    }

    pub(super) fn get(&self, key: &str) -> Option<&Value> {
        self.fields.get(key).or_else(|| self.values.iter().rev().find(|(it, _)| **it == *key).map(|(_, value)| value))
    }

    /// [`Scope::get`] without a copy of the name.
    pub(super) fn get_ident(&self, name: &syn::Ident) -> Option<&Value> {
        let set = self.fields.iter().find(|(path, _)| name == path.as_str()).map(|(_, value)| value);
        set.or_else(|| self.values.iter().rev().find(|(it, _)| name == &**it).map(|(_, value)| value))
    }

    pub(super) fn has_same_values(&self, other: &Scope) -> bool {
        self.values == other.values && self.fields == other.fields
    }

    pub(super) fn set(&mut self, key: impl Into<Rc<str>>, value: Value) {
        let key = key.into();
        // The fields of what had this name before.
        let is_old = |path: &String| **path == *key || is_behind(path, &key);
        if self.fields.keys().any(is_old) {
            Rc::make_mut(&mut self.fields).retain(|path, _| !is_old(path));
        }
        self.values.push((key, value));
    }

    /// The fields that the code before has given a value.
    pub(super) fn fields(&self) -> &BTreeMap<String, Value> {
        &self.fields
    }

    pub(super) fn give(&mut self, path: impl Into<String>, value: Value) {
        Rc::make_mut(&mut self.fields).insert(path.into(), value);
    }

    /// Forgets what was set since it was a copy of another scope.
    pub(super) fn forget_behind(&mut self, other: &Scope) {
        self.values.truncate(other.values.len());
        self.fields.clone_from(&other.fields);
    }

    /// The values behind `self`, which a method of the same type sees as well.
    pub(super) fn of_self(&self) -> impl Iterator<Item = &(Rc<str>, Value)> {
        self.values.iter().filter(|(key, _)| **key == *"self" || is_behind(key, "self"))
    }

    /// The values of paths that begin with a name, each with the rest of its path: `.kind()`.
    pub(super) fn behind<'s>(&'s self, name: &'s str) -> impl Iterator<Item = (&'s str, &'s Value)> {
        self.values.iter().filter_map(move |(key, value)| Some((key.strip_prefix(name).filter(|it| it.starts_with('.'))?, value)))
    }

    /// Whether a text mentions a variable that is a state, or comes from one.
    pub(super) fn mentions_state(&self, text: &str) -> bool {
        let from_state = |it: &Value| matches!(it, Value::Variant(..)) || it.is_of_state();
        self.values.iter().any(|(key, value)| from_state(value) && mentions(text, key))
            || self.fields.iter().any(|(path, value)| value.is_of_state() && mentions(text, path))
    }
}

/// Whether a path leads on from another one: `self.job.state` from `self.job`.
pub(super) fn is_behind(path: &str, base: &str) -> bool {
    path.strip_prefix(base).is_some_and(|it| it.starts_with('.'))
}

/// Whether a receiver is `&self`.
pub(super) fn is_shared(receiver: &syn::Receiver) -> bool {
    match &receiver.kind {
        syn::ReceiverKind::Reference(_, _, mutability) => mutability.is_none(),
        _ => false,
    }
}

/// The names in a text, without those of fields and methods.
pub(super) fn names(text: &str) -> impl Iterator<Item = &str> {
    let mut at = 0;
    let words = text.split(|it: char| !it.is_alphanumeric() && it != '_');
    words.filter(move |word| {
        let is_field = text[..at].ends_with('.');
        at += word.len();
        // The sign behind the word.
        at += text[at..].chars().next().map_or(0, char::len_utf8);
        !word.is_empty() && !is_field
    })
}

/// Whether a text has a name or path as a whole.
pub(super) fn mentions(text: &str, key: &str) -> bool {
    occurrences(text, key).next().is_some()
}

/// The places in a text that have a name or path as a whole.
pub(super) fn occurrences<'t>(text: &'t str, key: &'t str) -> impl Iterator<Item = usize> + use<'t> {
    let is_word = |it: char| it.is_alphanumeric() || it == '_';
    let is_whole = move |at: &usize| {
        let before = text[..*at].chars().next_back();
        let behind = text[at + key.len()..].chars().next();
        !before.is_some_and(|it| is_word(it) || it == '.') && !behind.is_some_and(is_word)
    };
    text.match_indices(key).map(|(at, _)| at).filter(is_whole)
}
