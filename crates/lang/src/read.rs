//! Reads spec types from YAML nodes: field by field, collecting every error.

use crate::diagnostic::{Code, Diagnostic, Diagnostics, nearest, suggest};
use crate::source::{Span, Spanned};
use crate::yaml::{Node, NodeKind};

/// A type that can be read from a YAML node, whose texts it takes over.
///
/// `None` means that the node is invalid, and that at least one diagnostic states the reason.
pub trait Read: Sized {
    /// Reads the node.
    fn read(node: Node, diagnostics: &mut Diagnostics) -> Option<Self>;

    /// The value for an omitted key, if the key is optional.
    fn absent() -> Option<Self> {
        None
    }
}

/// A text, always with its span. Numbers and words written without quotes are texts too.
pub type Text = Spanned<String>;

/// A map in the order written, with the span of every key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entries<T>(pub Vec<(Text, T)>);

impl<T> Default for Entries<T> {
    fn default() -> Self {
        Entries(Vec::new())
    }
}

impl<T> Entries<T> {
    /// The entries in the order written.
    pub fn iter(&self) -> impl Iterator<Item = (&Text, &T)> {
        self.0.iter().map(|(key, value)| (key, value))
    }
}

/// Named elements: a map, or a list where some have nothing but a name, such as `[open, shut]`. An item of the list is a
/// name, or a map of one name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named<T> {
    /// The elements in the order written.
    pub entries: Entries<T>,
    /// Whether they are written as a list.
    pub is_list: bool,
}

impl<T> Named<T> {
    /// The elements in the order written.
    pub fn iter(&self) -> impl Iterator<Item = (&Text, &T)> {
        self.entries.iter()
    }
}

/// One value or a list of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OneOrMany<T>(pub Vec<T>);

impl<T> Default for OneOrMany<T> {
    fn default() -> Self {
        OneOrMany(Vec::new())
    }
}

/// The text of an expression; `null` and numbers are expressions, too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expression(pub Text);

/// Any YAML value, kept as a node until its type is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Literal(pub Node);

fn wrong_shape(node: &Node, expected: &str) -> Diagnostic {
    Diagnostic::new(Code::WrongShape, node.span, format!("expected {expected}, found {}", node.describe()))
}

impl Read for Text {
    fn read(node: Node, diagnostics: &mut Diagnostics) -> Option<Self> {
        match node.kind {
            NodeKind::Scalar { text, plain } if !(plain && text.is_empty()) => Some(Spanned::new(text, node.span)),
            _ => {
                diagnostics.push(wrong_shape(&node, "a text"));
                None
            }
        }
    }
}

impl Read for Spanned<bool> {
    fn read(node: Node, diagnostics: &mut Diagnostics) -> Option<Self> {
        match &node.kind {
            NodeKind::Scalar { text, plain: true } if text == "true" || text == "false" => Some(Spanned::new(text == "true", node.span)),
            _ => {
                diagnostics.push(wrong_shape(&node, "`true` or `false`"));
                None
            }
        }
    }
}

impl Read for Spanned<i32> {
    fn read(node: Node, diagnostics: &mut Diagnostics) -> Option<Self> {
        if let NodeKind::Scalar { text, plain: true } = &node.kind
            && let Some(number) = whole_number(text)
        {
            return Some(Spanned::new(number, node.span));
        }
        let found = match &node.kind {
            NodeKind::Scalar { text, plain: true } if !text.is_empty() => format!("`{text}`"),
            _ => node.describe().to_owned(),
        };
        let message = format!("expected a whole number from {} to {}, found {found}", i32::MIN, i32::MAX);
        diagnostics.push(Diagnostic::new(Code::WrongShape, node.span, message));
        None
    }
}

/// A number of 32 bits in the one spelling that all YAML readers take for it: `017` is fifteen to some.
pub fn whole_number(text: &str) -> Option<i32> {
    text.parse().ok().filter(|it: &i32| it.to_string() == text)
}

impl Read for Expression {
    fn read(node: Node, diagnostics: &mut Diagnostics) -> Option<Self> {
        Text::read(node, diagnostics).map(Expression)
    }
}

impl Read for Literal {
    fn read(node: Node, _: &mut Diagnostics) -> Option<Self> {
        Some(Literal(node))
    }
}

impl<T: Read> Read for Option<T> {
    fn read(node: Node, diagnostics: &mut Diagnostics) -> Option<Self> {
        T::read(node, diagnostics).map(Some)
    }

    fn absent() -> Option<Self> {
        Some(None)
    }
}

impl<T: Read> Read for Vec<T> {
    fn read(node: Node, diagnostics: &mut Diagnostics) -> Option<Self> {
        let NodeKind::List(items) = node.kind else {
            diagnostics.push(wrong_shape(&node, "a list"));
            return None;
        };
        // Allocates the exact capacity: lists are the bulk of a large spec.
        let n_items = items.len();
        let mut read = Vec::with_capacity(n_items);
        read.extend(items.into_iter().filter_map(|item| T::read(item, diagnostics)));
        (read.len() == n_items).then_some(read)
    }
}

impl<T: Read> Read for OneOrMany<T> {
    fn read(node: Node, diagnostics: &mut Diagnostics) -> Option<Self> {
        match node.kind {
            NodeKind::List(_) => Vec::read(node, diagnostics).map(OneOrMany),
            _ => T::read(node, diagnostics).map(|it| OneOrMany(vec![it])),
        }
    }
}

impl<T: Read> Read for Entries<T> {
    fn read(node: Node, diagnostics: &mut Diagnostics) -> Option<Self> {
        let NodeKind::Map(entries) = node.kind else {
            diagnostics.push(wrong_shape(&node, "a map"));
            return None;
        };
        let n_entries = entries.len();
        let mut read = Vec::with_capacity(n_entries);
        read.extend(entries.into_iter().filter_map(|(key, value)| Some((Text::read(key, diagnostics)?, T::read(value, diagnostics)?))));
        (read.len() == n_entries).then_some(Entries(read))
    }
}

impl<T: Read> Read for Named<T> {
    fn read(node: Node, diagnostics: &mut Diagnostics) -> Option<Self> {
        let NodeKind::List(items) = node.kind else {
            if !matches!(node.kind, NodeKind::Map(_)) {
                diagnostics.push(wrong_shape(&node, "a map or a list of names"));
                return None;
            }
            return Entries::read(node, diagnostics).map(|entries| Named { entries, is_list: false });
        };
        let n_items = items.len();
        let mut entries = Vec::with_capacity(n_items);
        entries.extend(items.into_iter().filter_map(|it| listed(it, diagnostics)));
        (entries.len() == n_items).then_some(Named { entries: Entries(entries), is_list: true })
    }
}

/// An item of a list of named elements.
fn listed<T: Read>(node: Node, diagnostics: &mut Diagnostics) -> Option<(Text, T)> {
    let span = node.span;
    match node.kind {
        NodeKind::Map(mut entries) if entries.len() == 1 => {
            let (name, element) = entries.pop()?;
            Some((Text::read(name, diagnostics)?, T::read(element, diagnostics)?))
        }
        NodeKind::Map(entries) => {
            let message = format!("expected one name, found {}", entries.len());
            let help = "write one item for each, such as `- open` or `- open: { doc: … }`, or a map of all of them";
            diagnostics.push(Diagnostic::new(Code::WrongShape, span, message).help(help));
            None
        }
        _ => {
            let name = Text::read(node, diagnostics)?;
            // The element is as empty as that of `open:` in a map.
            let nothing = Node { kind: NodeKind::Scalar { text: String::new(), plain: true }, span };
            Some((name, T::read(nothing, diagnostics)?))
        }
    }
}

/// Names that other tools use for the keys of specs.
const OTHER_WORDS: &[(&str, &str)] = &[
    ("on", "event"),
    ("trigger", "event"),
    ("source", "from"),
    ("target", "to"),
    ("dest", "to"),
    ("guard", "when"),
    ("cond", "when"),
    ("if", "when"),
    ("actions", "do"),
    ("effects", "do"),
    ("assign", "set"),
    ("description", "doc"),
    ("final", "terminal"),
    ("params", "payload"),
    ("data", "payload"),
    ("variables", "context"),
];

/// The keys of one map, taken one by one.
pub struct Fields {
    /// The entries not yet taken.
    entries: Vec<(Node, Node)>,
    /// The span for messages about missing keys: the first line is enough.
    first: Span,
}

impl Fields {
    /// Opens a map and reports every key that is not in `known`. A key that is another word for a known one, or a misspelt one,
    /// is read as that, so that its value is checked, too, and the known key is not missing.
    pub fn open(node: Node, what: &str, known: &[&str], diagnostics: &mut Diagnostics) -> Option<Self> {
        let mut entries = match node.kind {
            NodeKind::Map(entries) => entries,
            // `idle:` without a value is an empty map.
            NodeKind::Scalar { text, plain: true } if text.is_empty() => Vec::new(),
            _ => {
                diagnostics.push(wrong_shape(&node, &format!("{what} (a map)")));
                return None;
            }
        };
        let first = entries.first().map_or(node.span, |(key, _)| key.span);
        let mut meant = Vec::new();
        for (idx, (key, value)) in entries.iter().enumerate() {
            let NodeKind::Scalar { text, .. } = &key.kind else { continue };
            if known.contains(&text.as_str()) {
                continue;
            }
            let diagnostic = Diagnostic::new(Code::UnknownKey, key.span, format!("{what} has no key `{text}`"));
            let other_word = OTHER_WORDS.iter().find(|(word, ours)| *word == text.as_str() && known.contains(ours));
            diagnostics.push(if let Some((_, ours)) = other_word {
                meant.push((idx, *ours));
                diagnostic.help(format!("the spec language calls it `{ours}`"))
            } else if let Some(near) = nearest(text, known.iter().copied()) {
                meant.push((idx, near));
                diagnostic.help(format!("did you mean `{near}`?"))
            } else if value.describe() == "nothing" {
                // `{ doc: first, second }` contains a key `second` without a value.
                diagnostic.help("a text with a comma needs quotes between `{` and `}`")
            } else if let Some(help) = suggest(text, known.iter().copied()) {
                diagnostic.help(help)
            } else {
                diagnostic
            });
        }
        for (idx, name) in meant {
            if !entries.iter().any(|(key, _)| is_key(key, name)) {
                entries[idx].0.kind = NodeKind::Scalar { text: name.into(), plain: true };
            }
        }
        Some(Fields { entries, first })
    }

    /// Reads the value of one key.
    pub fn take<T: Read>(&mut self, key: &str, what: &str, diagnostics: &mut Diagnostics) -> Option<T> {
        match self.entries.iter().position(|(it, _)| is_key(it, key)) {
            Some(idx) => T::read(self.entries.swap_remove(idx).1, diagnostics),
            None => T::absent().or_else(|| {
                let message = format!("{what} needs the key `{key}`");
                diagnostics.push(Diagnostic::new(Code::MissingKey, self.first, message).label(format!("no `{key}` here")));
                None
            }),
        }
    }
}

fn is_key(node: &Node, key: &str) -> bool {
    matches!(&node.kind, NodeKind::Scalar { text, .. } if text == key)
}

/// Declares spec types: the struct, its reader and its JSON Schema from one list of keys.
///
/// A field that is a Rust keyword is written raw (`r#do`) and read without the `r#`.
#[doc(hidden)]
#[macro_export]
macro_rules! spec_types {
    ($(
        $(#[$meta:meta])*
        pub struct $name:ident as $what:literal {
            $($(#[$field_meta:meta])* $field:ident : $ty:ty,)*
        }
    )*) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Eq)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[cfg_attr(feature = "schema", schemars(deny_unknown_fields))]
        pub struct $name {
            /// The span of the whole map.
            #[cfg_attr(feature = "schema", schemars(skip))]
            pub span: $crate::source::Span,
            $($(#[$field_meta])* pub $field: $ty,)*
        }

        impl $name {
            /// The keys this map may have.
            pub const KEYS: &'static [&'static str] = &[$($crate::read::key(stringify!($field)),)*];
        }

        impl $crate::read::Read for $name {
            fn read(node: $crate::yaml::Node, diagnostics: &mut $crate::diagnostic::Diagnostics) -> Option<Self> {
                let span = node.span;
                let mut fields = $crate::read::Fields::open(node, $what, Self::KEYS, diagnostics)?;
                $(let $field = fields.take($crate::read::key(stringify!($field)), $what, diagnostics);)*
                Some($name { span, $($field: $field?,)* })
            }
        }
    )*

        /// The keys of all these types.
        #[allow(dead_code, reason = "only some features tell keys from names")]
        pub(crate) const ALL_KEYS: &[&[&str]] = &[$($name::KEYS,)*];
    };
}
pub use crate::spec_types;

/// The YAML key of a field with this Rust name.
pub const fn key(field: &'static str) -> &'static str {
    match field.as_bytes() {
        [b'r', b'#', ..] => field.split_at(2).1,
        _ => field,
    }
}

#[cfg(feature = "schema")]
mod schema {
    //! Spans are invisible in the schema.

    use std::borrow::Cow;

    use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

    use super::{Entries, Expression, Literal, Named, OneOrMany};
    use crate::source::Spanned;

    impl JsonSchema for Spanned<String> {
        fn inline_schema() -> bool {
            true
        }
        fn schema_name() -> Cow<'static, str> {
            "Text".into()
        }
        fn json_schema(_: &mut SchemaGenerator) -> Schema {
            json_schema!({ "type": ["string", "number", "boolean"] })
        }
    }

    impl JsonSchema for Spanned<bool> {
        fn inline_schema() -> bool {
            true
        }
        fn schema_name() -> Cow<'static, str> {
            "Bool".into()
        }
        fn json_schema(_: &mut SchemaGenerator) -> Schema {
            json_schema!({ "type": "boolean" })
        }
    }

    impl JsonSchema for Spanned<i32> {
        fn inline_schema() -> bool {
            true
        }
        fn schema_name() -> Cow<'static, str> {
            "Number".into()
        }
        fn json_schema(_: &mut SchemaGenerator) -> Schema {
            json_schema!({ "type": "integer", "minimum": i32::MIN, "maximum": i32::MAX })
        }
    }

    impl JsonSchema for Expression {
        fn inline_schema() -> bool {
            true
        }
        fn schema_name() -> Cow<'static, str> {
            "Expression".into()
        }
        fn json_schema(_: &mut SchemaGenerator) -> Schema {
            json_schema!({ "not": { "type": ["object", "array"] } })
        }
    }

    impl JsonSchema for Literal {
        fn inline_schema() -> bool {
            true
        }
        fn schema_name() -> Cow<'static, str> {
            "Literal".into()
        }
        fn json_schema(_: &mut SchemaGenerator) -> Schema {
            json_schema!(true)
        }
    }

    impl<T: JsonSchema> JsonSchema for Entries<T> {
        fn inline_schema() -> bool {
            true
        }
        fn schema_name() -> Cow<'static, str> {
            format!("Entries_{}", T::schema_name()).into()
        }
        fn json_schema(generator: &mut SchemaGenerator) -> Schema {
            let value = generator.subschema_for::<T>();
            json_schema!({ "type": "object", "additionalProperties": value })
        }
    }

    impl<T: JsonSchema> JsonSchema for Named<T> {
        fn inline_schema() -> bool {
            true
        }
        fn schema_name() -> Cow<'static, str> {
            format!("Named_{}", T::schema_name()).into()
        }
        fn json_schema(generator: &mut SchemaGenerator) -> Schema {
            let (name, value) = (generator.subschema_for::<super::Text>(), generator.subschema_for::<T>());
            let one = json_schema!({ "type": "object", "additionalProperties": value, "minProperties": 1, "maxProperties": 1 });
            json_schema!({ "anyOf": [
                { "type": "object", "additionalProperties": value },
                { "type": "array", "items": { "anyOf": [name, one] } },
            ] })
        }
    }

    impl<T: JsonSchema> JsonSchema for OneOrMany<T> {
        fn inline_schema() -> bool {
            true
        }
        fn schema_name() -> Cow<'static, str> {
            format!("OneOrMany_{}", T::schema_name()).into()
        }
        fn json_schema(generator: &mut SchemaGenerator) -> Schema {
            let value = generator.subschema_for::<T>();
            json_schema!({ "anyOf": [value, { "type": "array", "items": value }] })
        }
    }
}
