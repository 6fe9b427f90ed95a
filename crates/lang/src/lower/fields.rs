//! Lowers enums, constants, fields and attributes: everything with a type.

use std::collections::BTreeMap;

use super::names::{check_distinct, check_name, check_word, texts, unknown};
use super::text::{fill, fill_opt, label};
use super::{former, limits, numbers};
use crate::diagnostic::{Code, Diagnostic, Diagnostics, nearest, suggest};
use crate::expr::{TIMESTAMPS, number, parse_duration, parse_timestamp, type_name};
use crate::model::machine::{Attribute, Constant, Enum, EnumValue, Field, Machine};
use crate::model::{EnumId, EventId, Literal, StateId, Type};
use crate::names;
use crate::read::{Entries, Text};
use crate::spec;
use crate::yaml::{Node, NodeKind};

pub(super) fn enums(spec: &spec::machine::Machine, diagnostics: &mut Diagnostics) -> Vec<Enum> {
    let mut enums = Vec::new();
    for (name, body) in spec.enums.iter().flat_map(Entries::iter) {
        check_word(name, "enum", diagnostics);
        if BUILT_IN.iter().any(|(word, _)| *word == name.value) {
            let message = format!("`{}` is a type of the language", name.value);
            diagnostics.push(Diagnostic::new(Code::NameCollision, name.span, message).help("choose another name"));
        }
        let mut values = Vec::new();
        let (mut doc, mut ignore_case, mut retired) = (None, false, &None);
        match body {
            spec::machine::Enum::Values(texts) => {
                let value = |it: &Text| EnumValue {
                    name: it.value.clone(),
                    wire: it.value.clone(),
                    number: None,
                    former: Vec::new(),
                    label: None,
                    doc: None,
                    span: it.span,
                };
                values.extend(texts.iter().map(value));
            }
            spec::machine::Enum::Full(body) => {
                doc = fill_opt(&body.doc, &[], diagnostics);
                ignore_case = body.ignore_case.as_ref().is_some_and(|it| it.value);
                for (name, value) in body.values.iter() {
                    let label = fill_opt(&value.label, &[], diagnostics);
                    let doc = fill_opt(&value.doc, &[], diagnostics);
                    limits::label(value.wire.as_ref().map(|it| it.value.as_str()), value.wire.as_ref(), diagnostics);
                    let wire = value.wire.as_ref().unwrap_or(name).value.clone();
                    let former = texts(&value.aka);
                    let number = value.number.as_ref().map(|it| it.value);
                    values.push(EnumValue { name: name.value.clone(), wire, number, former, label, doc, span: name.span });
                }
                retired = &body.reserved;
            }
        }
        for value in &values {
            check_name(&Text::new(value.name.clone(), value.span), "value", diagnostics);
        }
        if values.is_empty() {
            diagnostics.push(Diagnostic::new(Code::BadType, name.span, format!("the enum `{}` has no values", name.value)));
        }
        check_distinct("values", values.iter().map(|it| (it.name.as_str(), it.span)), names::upper_camel, diagnostics);
        check_read_apart(&values, ignore_case, diagnostics);
        if let spec::machine::Enum::Full(body) = body {
            former::check("value", body.values.iter().map(|(name, it)| (name, &it.aka)), diagnostics);
        }
        let reserved = numbers::reserved(retired, values.iter().map(|it| (it.name.as_str(), it.number, it.span)), diagnostics);
        enums.push(Enum { name: name.value.clone(), doc, ignore_case, values, reserved, span: name.span });
    }
    check_distinct("enums", enums.iter().map(|it| (it.name.as_str(), it.span)), names::upper_camel, diagnostics);
    enums
}

/// Reports values that are stored alike, or are equal to a reader that ignores case.
fn check_read_apart(values: &[EnumValue], ignore_case: bool, diagnostics: &mut Diagnostics) {
    let mut seen = BTreeMap::<String, &EnumValue>::new();
    for value in values {
        let read = if ignore_case { value.wire.to_ascii_lowercase() } else { value.wire.clone() };
        let first = *seen.entry(read).or_insert(value);
        // Values that collide in emitted code have been reported.
        if first.span != value.span && names::upper_camel(&first.name) != names::upper_camel(&value.name) {
            let (message, help) = if first.wire == value.wire {
                (format!("two values are stored and sent as `{}`", value.wire), "give one of them another `wire`")
            } else {
                let message = format!("`{}` and `{}` are one value to a reader that ignores case", first.wire, value.wire);
                (message, "rename one of the two, or remove `ignore_case`")
            };
            diagnostics.push(Diagnostic::new(Code::NameCollision, value.span, message).also(first.span, "first here").help(help));
        }
    }
}

/// Reports an alias that is the name or an alias of another field.
pub(super) fn check_aliases<'a>(what: &str, fields: impl Iterator<Item = &'a Field> + Clone, diagnostics: &mut Diagnostics) {
    let mut seen: BTreeMap<&str, &Field> = fields.clone().map(|it| (it.name.as_str(), it)).collect();
    for field in fields {
        for alias in &field.aliases {
            let first = *seen.entry(alias).or_insert(field);
            if first.span != field.span {
                let message = format!("two {what}s are called `{alias}`: `{}` and `{}`", first.name, field.name);
                let diagnostic = Diagnostic::new(Code::NameCollision, field.span, message).also(first.span, "first here");
                diagnostics.push(diagnostic.help("remove the alias, or choose another one"));
            }
        }
    }
}

pub(super) fn constants(spec: &spec::machine::Machine, diagnostics: &mut Diagnostics) -> Vec<Constant> {
    let mut constants = Vec::new();
    for (name, body) in spec.constants.iter().flat_map(Entries::iter) {
        check_word(name, "constant", diagnostics);
        let (node, declared, doc) = match body {
            spec::machine::ConstantOrValue::Value(value) => (&value.0, None, None),
            spec::machine::ConstantOrValue::Full(body) => (&body.value.0, body.r#type.as_ref(), body.doc.as_ref()),
        };
        let NodeKind::Scalar { text, plain } = &node.kind else {
            diagnostics.push(Diagnostic::new(
                Code::WrongShape,
                node.span,
                format!("a constant is a single value, this is {}", node.describe()),
            ));
            continue;
        };
        let ty = match declared {
            Some(declared) => match BUILT_IN.iter().find(|(word, _)| *word == declared.value) {
                Some((_, ty)) if OF_CONSTANTS.contains(ty) => ty.clone(),
                _ => {
                    diagnostics.push(bad_constant_type(declared, spec));
                    Type::UNKNOWN
                }
            },
            None if !plain => Type::Text,
            None => match text.as_str() {
                "true" | "false" => Type::Bool,
                text => match signed_number(text) {
                    Some(Literal::Int(_)) => Type::Int,
                    Some(_) => Type::Decimal,
                    None if parse_duration(text).is_some() => Type::Duration,
                    None if parse_timestamp(text).is_some() => Type::Timestamp,
                    None if is_number_in_shape(text) => {
                        diagnostics.push(out_of_range(node, text));
                        Type::UNKNOWN
                    }
                    None => Type::Text,
                },
            },
        };
        // Constants need no names of states, so an empty machine is enough to read them.
        let names = LiteralNames { enums: &[], states: &[], events: &[] };
        // A constant without a value is still declared, so that its uses are no errors, too.
        let (ty, value) = match literal(node, &ty, false, &names, diagnostics) {
            Some(value) => (ty, value),
            None => (Type::UNKNOWN, Literal::Null),
        };
        // The docs of a constant may use the constants before it.
        let doc = doc.map(|it| fill(it, &constants, diagnostics));
        constants.push(Constant { name: name.value.clone(), ty, value, doc, shown: false, span: name.span });
    }
    check_distinct("constants", constants.iter().map(|it| (it.name.as_str(), it.span)), names::shouty, diagnostics);
    constants
}

pub(super) fn context(spec: &spec::machine::Machine, machine: &Machine, diagnostics: &mut Diagnostics) -> Vec<Field> {
    let mut fields = fields("context field", &spec.context, machine, diagnostics);
    for (field, (_, spec)) in fields.iter_mut().zip(spec.context.iter().flat_map(Entries::iter)) {
        let given = match spec {
            spec::machine::Field::Full(body) => body.default.as_ref(),
            spec::machine::Field::Type(_) => None,
        };
        field.default = match given {
            Some(given) => literal(&given.0, &field.ty, field.optional, &LiteralNames::of(machine), diagnostics),
            None if field.optional => Some(Literal::Null),
            None => zero(&field.ty),
        };
        if field.default.is_none() && given.is_none() && !field.ty.is_unknown() {
            let ty = type_name(&field.ty, &machine.enums);
            let message = format!("the field `{}` of type `{ty}` has no initial value", field.name);
            let help = match field.ty {
                Type::Reference => "make it `optional: true`: it then starts as null",
                _ => "give it a `default`, or make it `optional: true` (it starts as null)",
            };
            diagnostics.push(Diagnostic::new(Code::MissingKey, field.span, message).help(help));
        }
    }
    fields
}

/// The default value of a field without one in the spec.
fn zero(ty: &Type) -> Option<Literal> {
    Some(match ty {
        Type::Bool => Literal::Bool(false),
        Type::Int => Literal::Int(0),
        Type::Decimal => Literal::Decimal(rust_decimal::Decimal::ZERO),
        Type::Text => Literal::Text(String::new()),
        Type::Duration => Literal::Duration(0),
        Type::Timestamp | Type::Reference | Type::State | Type::Event | Type::Enum(_) | Type::List(_) => return None,
    })
}

pub(super) fn payload(spec: &Option<Entries<spec::machine::Field>>, machine: &Machine, diagnostics: &mut Diagnostics) -> Vec<Field> {
    let fields = fields("payload field", spec, machine, diagnostics);
    for (_, field) in spec.iter().flat_map(Entries::iter) {
        if let spec::machine::Field::Full(body) = field
            && let Some(default) = &body.default
        {
            let message = "a payload field cannot have a default: the caller gives every value";
            diagnostics
                .push(Diagnostic::new(Code::UnknownKey, default.0.span, message).help("make it `optional: true` if it may be missing"));
        }
    }
    fields
}

/// Fields in the order written. Wrong types are reported.
pub(super) fn fields(
    what: &str,
    spec: &Option<Entries<spec::machine::Field>>,
    machine: &Machine,
    diagnostics: &mut Diagnostics,
) -> Vec<Field> {
    let mut fields = Vec::new();
    for (name, field) in spec.iter().flat_map(Entries::iter) {
        check_word(name, what, diagnostics);
        let (ty, body) = match field {
            spec::machine::Field::Type(ty) => (ty, None),
            spec::machine::Field::Full(body) => (&body.r#type, Some(body)),
        };
        let resolved = parse_type(ty, &machine.enums, false, diagnostics).unwrap_or(Type::UNKNOWN);
        let constants = &machine.constants;
        fields.push(Field {
            name: name.value.clone(),
            ty: resolved,
            optional: body.and_then(|it| it.optional.as_ref()).is_some_and(|it| it.value),
            informative: body.and_then(|it| it.informative.as_ref()).is_some_and(|it| it.value),
            default: None,
            doc: body.and_then(|it| fill_opt(&it.doc, constants, diagnostics)),
            label: body.and_then(|it| label(&it.label, constants, diagnostics)),
            aliases: body.map(|it| texts(&it.aliases)).unwrap_or_default(),
            former: body.map(|it| texts(&it.aka)).unwrap_or_default(),
            span: name.span,
        });
    }
    check_distinct(&format!("{what}s"), fields.iter().map(|it| (it.name.as_str(), it.span)), names::snake, diagnostics);
    check_aliases(what, fields.iter(), diagnostics);
    let with_former = spec.iter().flat_map(Entries::iter).map(|(name, field)| match field {
        spec::machine::Field::Type(_) => (name, &None),
        spec::machine::Field::Full(body) => (name, &body.aka),
    });
    former::check(what, with_former, diagnostics);
    fields
}

pub(super) fn attributes(spec: &spec::machine::Machine, machine: &Machine, diagnostics: &mut Diagnostics) -> Vec<Attribute> {
    let mut attributes = Vec::new();
    for (name, attribute) in spec.attributes.iter().flat_map(Entries::iter) {
        check_word(name, "attribute", diagnostics);
        let (ty, body) = match attribute {
            spec::machine::Attribute::Type(ty) => (ty, None),
            spec::machine::Attribute::Full(body) => (&body.r#type, Some(body)),
        };
        let ty = parse_type(ty, &machine.enums, true, diagnostics);
        let optional = body.and_then(|it| it.optional.as_ref()).is_some_and(|it| it.value);
        let default = match (&ty, body.and_then(|it| it.default.as_ref())) {
            (Some(ty), Some(given)) => literal(&given.0, ty, optional, &LiteralNames::of(machine), diagnostics),
            _ => None,
        };
        attributes.push(Attribute {
            name: name.value.clone(),
            ty: ty.unwrap_or(Type::UNKNOWN),
            optional,
            default,
            doc: body.and_then(|it| fill_opt(&it.doc, &machine.constants, diagnostics)),
            label: body.and_then(|it| label(&it.label, &machine.constants, diagnostics)),
            span: name.span,
        });
    }
    check_distinct("attributes", attributes.iter().map(|it| (it.name.as_str(), it.span)), names::snake, diagnostics);
    attributes
}

const BUILT_IN: &[(&str, Type)] = &[
    ("bool", Type::Bool),
    ("int", Type::Int),
    ("decimal", Type::Decimal),
    ("text", Type::Text),
    ("duration", Type::Duration),
    ("timestamp", Type::Timestamp),
    ("reference", Type::Reference),
    ("state", Type::State),
    ("event", Type::Event),
];

/// A type as written; `event` and `list<…>` are allowed only if `of_attribute`.
pub(super) fn parse_type(text: &Text, enums: &[Enum], of_attribute: bool, diagnostics: &mut Diagnostics) -> Option<Type> {
    if let Some(item) = text.value.strip_prefix("list<").and_then(|it| it.strip_suffix('>')) {
        if !of_attribute {
            diagnostics.push(Diagnostic::new(Code::BadType, text.span, "only attributes can be lists"));
            return None;
        }
        if item.starts_with("list<") {
            diagnostics.push(Diagnostic::new(Code::BadType, text.span, "a list of lists is not a type"));
            return None;
        }
        let item = parse_type(&Text::new(item.to_owned(), text.span), enums, true, diagnostics)?;
        return Some(Type::List(Box::new(item)));
    }
    if let Some((_, ty)) = BUILT_IN.iter().find(|(word, _)| *word == text.value) {
        let run_time_only = matches!(ty, Type::Timestamp | Type::Reference);
        if (*ty == Type::Event && !of_attribute) || (run_time_only && of_attribute) {
            diagnostics.push(Diagnostic::new(Code::BadType, text.span, format!("`{}` cannot be the type here", text.value)));
            return None;
        }
        return Some(ty.clone());
    }
    let found = enums.iter().position(|it| it.name == text.value);
    if found.is_none() {
        diagnostics.push(unknown_type(text, of_attribute, enums.iter().map(|it| it.name.as_str())));
    }
    found.map(|idx| Type::Enum(EnumId::new(idx)))
}

/// Names that other languages use for types.
const OTHER_TYPES: &[(&str, &str)] = &[
    ("string", "text"),
    ("str", "text"),
    ("char", "text"),
    ("varchar", "text"),
    ("boolean", "bool"),
    ("integer", "int"),
    ("long", "int"),
    ("short", "int"),
    ("i8", "int"),
    ("i16", "int"),
    ("i32", "int"),
    ("i64", "int"),
    ("u8", "int"),
    ("u16", "int"),
    ("u32", "int"),
    ("u64", "int"),
    ("usize", "int"),
    ("int32", "int"),
    ("int64", "int"),
    ("bigint", "int"),
    ("number", "decimal"),
    ("numeric", "decimal"),
    ("float", "decimal"),
    ("double", "decimal"),
    ("real", "decimal"),
    ("f32", "decimal"),
    ("f64", "decimal"),
    ("money", "decimal"),
    ("date", "timestamp"),
    ("time", "timestamp"),
    ("datetime", "timestamp"),
    ("date-time", "timestamp"),
    ("instant", "timestamp"),
    ("interval", "duration"),
    ("timespan", "duration"),
    ("id", "reference"),
    ("uuid", "reference"),
    ("guid", "reference"),
    ("ref", "reference"),
];

/// The error for a name that is no type, with the type that was probably meant.
fn unknown_type<'a>(text: &Text, of_attribute: bool, enums: impl Iterator<Item = &'a str> + Clone) -> Diagnostic {
    let allowed = BUILT_IN.iter().filter(|(_, ty)| match ty {
        Type::Event => of_attribute,
        Type::Timestamp | Type::Reference => !of_attribute,
        _ => true,
    });
    let known = allowed.map(|(word, _)| *word).chain(enums);
    let meant = |name: &str| {
        let lower = name.to_lowercase();
        let other = OTHER_TYPES.iter().find(|(word, _)| *word == lower).map(|(_, ours)| *ours);
        known.clone().find(|it| *it == name).or(other.filter(|it| known.clone().any(|known| known == *it)))
    };
    let name = text.value.as_str();
    let wrapped = ["Option<", "option<", "optional<", "Optional<"].iter().find_map(|it| name.strip_prefix(it)?.strip_suffix('>'));
    let optional = name.strip_suffix('?').or(wrapped).map(|it| meant(it).or_else(|| nearest(it, known.clone())).unwrap_or(it));
    let diagnostic = Diagnostic::new(Code::BadType, text.span, format!("there is no type `{name}`"));
    match (optional, meant(name)) {
        (Some(ty), _) => diagnostic.help(format!("write `{{ type: {ty}, optional: true }}`")),
        (None, Some(ty)) => diagnostic.help(format!("the spec language calls it `{ty}`")),
        (None, None) => match suggest(name, known) {
            Some(help) => diagnostic.help(help),
            None => diagnostic,
        },
    }
}

/// The types that a constant can have.
const OF_CONSTANTS: &[Type] = &[Type::Bool, Type::Int, Type::Decimal, Type::Text, Type::Duration, Type::Timestamp];

/// The error for a type that a constant cannot have.
fn bad_constant_type(declared: &Text, spec: &spec::machine::Machine) -> Diagnostic {
    let is_enum = || spec.enums.iter().flat_map(Entries::iter).any(|(name, _)| name.value == declared.value);
    if BUILT_IN.iter().any(|(word, _)| *word == declared.value) || is_enum() {
        let message = format!("a constant cannot be of type `{}`", declared.value);
        return Diagnostic::new(Code::BadType, declared.span, message).help("bool, int, decimal, text, duration or timestamp");
    }
    let diagnostic = unknown_type(declared, false, std::iter::empty());
    // A constant always has a value.
    let is_optional = diagnostic.help.as_ref().is_some_and(|it| it.contains("optional"));
    if is_optional { diagnostic.help("a constant is never null: bool, int, decimal, text, duration or timestamp") } else { diagnostic }
}

/// The names a literal can use.
pub(super) struct LiteralNames<'a> {
    pub(super) enums: &'a [Enum],
    pub(super) states: &'a [crate::model::machine::State],
    pub(super) events: &'a [crate::model::machine::Event],
}

impl<'a> LiteralNames<'a> {
    pub(super) fn of(machine: &'a Machine) -> Self {
        LiteralNames { enums: &machine.enums, states: &machine.states, events: &machine.events }
    }
}

/// A value of a known type.
pub(super) fn literal(node: &Node, ty: &Type, optional: bool, names: &LiteralNames<'_>, diagnostics: &mut Diagnostics) -> Option<Literal> {
    if ty.is_unknown() {
        return None;
    }
    if let Type::List(item) = ty {
        let NodeKind::List(nodes) = &node.kind else {
            diagnostics.push(Diagnostic::new(Code::WrongShape, node.span, format!("expected a list, found {}", node.describe())));
            return None;
        };
        let items: Vec<_> = nodes.iter().filter_map(|it| literal(it, item, false, names, diagnostics)).collect();
        return (items.len() == nodes.len()).then_some(Literal::List(items));
    }
    let expected = type_name(ty, names.enums);
    let NodeKind::Scalar { text, plain } = &node.kind else {
        diagnostics.push(Diagnostic::new(
            Code::WrongShape,
            node.span,
            format!("expected a value of type `{expected}`, found {}", node.describe()),
        ));
        return None;
    };
    if *plain && text == "null" {
        if !optional {
            diagnostics.push(Diagnostic::new(Code::TypeMismatch, node.span, "this cannot be null").help("make it `optional: true`"));
        }
        return optional.then_some(Literal::Null);
    }
    let name = || Text::new(text.clone(), node.span);
    let value = match ty {
        Type::Bool => text.parse().ok().filter(|_| *plain).map(Literal::Bool),
        Type::Int => signed_number(text).filter(|it| *plain && matches!(it, Literal::Int(_))),
        Type::Decimal => signed_number(text).filter(|_| *plain).map(|it| match it {
            Literal::Int(value) => Literal::Decimal(value.into()),
            other => other,
        }),
        Type::Text => Some(Literal::Text(text.clone())),
        Type::Duration => parse_duration(text).map(Literal::Duration),
        Type::Timestamp => parse_timestamp(text).map(Literal::Timestamp),
        Type::Enum(id) => {
            let values = names.enums.get(id.index()).map(|it| it.values.as_slice()).unwrap_or_default();
            let found = values.iter().position(|it| it.name == *text);
            if found.is_none() {
                let diagnostic = Diagnostic::new(Code::UnknownName, node.span, format!("`{expected}` has no value `{text}`"));
                diagnostics.push(match suggest(text, values.iter().map(|it| it.name.as_str())) {
                    Some(help) => diagnostic.help(help),
                    None => diagnostic,
                });
                return None;
            }
            found.map(|idx| Literal::Enum(*id, idx))
        }
        Type::State => {
            let Some(idx) = names.states.iter().position(|it| it.name == *text) else {
                unknown("state", &name(), names.states.iter().map(|it| it.name.as_str()), diagnostics);
                return None;
            };
            if !names.states[idx].children.is_empty() {
                let message = format!("`{text}` is a composite and never the current state");
                diagnostics.push(Diagnostic::new(Code::TypeMismatch, node.span, message).help("name one of the states inside"));
                return None;
            }
            Some(Literal::State(StateId::new(idx)))
        }
        Type::Event => {
            let Some(idx) = names.events.iter().position(|it| it.name == *text) else {
                unknown("event", &name(), names.events.iter().map(|it| it.name.as_str()), diagnostics);
                return None;
            };
            Some(Literal::Event(EventId::new(idx)))
        }
        Type::Reference | Type::List(_) => {
            let message = format!("a value of type `{expected}` cannot be written in a spec");
            let help = if optional { "`null` is the only one" } else { "make it `optional: true`: the value is then `null`" };
            diagnostics.push(Diagnostic::new(Code::TypeMismatch, node.span, message).help(help));
            return None;
        }
    };
    if value.is_none() {
        let diagnostic = Diagnostic::new(Code::TypeMismatch, node.span, format!("expected a value of type `{expected}`, found `{text}`"));
        diagnostics.push(if *ty == Type::Timestamp { diagnostic.help(TIMESTAMPS) } else { diagnostic });
    }
    value
}

/// A number that may be negative.
fn signed_number(text: &str) -> Option<Literal> {
    is_number_in_shape(text).then(|| number(text)).flatten()
}

/// Digits with at most one point between them: `1.2.3` is a version, a text.
fn is_number_in_shape(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    digits.starts_with(|it: char| it.is_ascii_digit())
        && digits.ends_with(|it: char| it.is_ascii_digit())
        && digits.bytes().all(|it| it.is_ascii_digit() || it == b'.')
        && digits.bytes().filter(|it| *it == b'.').count() <= 1
}

/// The error for a number outside the range of the language's number types.
fn out_of_range(node: &Node, text: &str) -> Diagnostic {
    // The number may have a million digits, and the span shows them.
    let n_digits = text.bytes().filter(u8::is_ascii_digit).count();
    let message = format!("a number of {n_digits} digits is out of range");
    Diagnostic::new(Code::TypeMismatch, node.span, message)
        .help("whole numbers have 64 bits, decimals 28 digits; a text of digits needs quotes")
}
