//! The list of all forms.

use heck::{ToLowerCamelCase as _, ToShoutySnakeCase as _, ToSnakeCase as _, ToUpperCamelCase as _};

use super::subject::{List, Table};
use super::text::{Line, Objection};
use super::{csharp, go, graphql, jvm, proto, python, rust, schema, sql, typescript};

/// The lines of a list; the number is that of the columns before each line.
type OfList = fn(&List<'_>, usize) -> Result<Vec<Line>, Objection>;

/// The same for a table.
type OfTable = fn(&Table<'_>, usize) -> Result<Vec<Line>, Objection>;

/// How a language writes names in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Form {
    /// The word in the marker.
    pub name: &'static str,
    /// The language.
    pub language: &'static str,
    /// What it makes, in a few words.
    pub about: &'static str,
    /// What it is made of.
    pub takes: Takes,
}

/// What a form is made of, with the case of its usual name.
#[derive(Debug, Clone, Copy)]
pub enum Takes {
    /// `states`, `events` and `enums.NAME`.
    Lists(OfList, Case),
    /// `labels` and `edges`.
    Tables(OfTable, Case),
    /// All of these.
    Both(OfList, Case, OfTable, Case),
}

impl PartialEq for Takes {
    fn eq(&self, other: &Self) -> bool {
        self.list() == other.list() && self.table() == other.table()
    }
}

impl Eq for Takes {}

impl Takes {
    /// Whether it takes lists.
    pub fn list(&self) -> bool {
        matches!(self, Self::Lists(..) | Self::Both(..))
    }

    /// Whether it takes tables.
    pub fn table(&self) -> bool {
        matches!(self, Self::Tables(..) | Self::Both(..))
    }
}

/// The case of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Case {
    /// `OrderState`
    UpperCamel,
    /// `orderState`
    LowerCamel,
    /// `ORDER_STATE`
    Shouty,
    /// `order_state`
    Snake,
    /// The last word: `state`.
    Last,
}

impl Case {
    /// A name in this case.
    pub(super) fn of(self, name: &str) -> String {
        match self {
            Self::UpperCamel => name.to_upper_camel_case(),
            Self::LowerCamel => name.to_lower_camel_case(),
            Self::Shouty => name.to_shouty_snake_case(),
            Self::Snake => name.to_snake_case(),
            Self::Last => name.rsplit('_').next().unwrap_or(name).to_owned(),
        }
    }
}

use Case::{Last, LowerCamel, Shouty, Snake, UpperCamel};
use Takes::{Both, Lists, Tables};

const fn form(name: &'static str, language: &'static str, about: &'static str, takes: Takes) -> Form {
    Form { name, language, about, takes }
}

/// All forms, by language.
pub const FORMS: &[Form] = &[
    form("ts-union", "TypeScript", "a union of texts", Lists(typescript::union, UpperCamel)),
    form(
        "ts-const",
        "TypeScript",
        "an object, with the union of its values",
        Both(typescript::object, UpperCamel, typescript::table, LowerCamel),
    ),
    form("py-strenum", "Python", "a `StrEnum`", Lists(python::strenum, UpperCamel)),
    form("py-literal", "Python", "a `Literal`", Lists(python::literal, UpperCamel)),
    form("py-dict", "Python", "a dictionary", Tables(python::dict, Shouty)),
    form("go-const", "Go", "a type with its constants, and a list of them", Lists(go::constants, UpperCamel)),
    form("go-map", "Go", "a map", Tables(go::map, UpperCamel)),
    form("sql-check", "SQL", "a `CHECK` of a column", Lists(sql::check, Last)),
    form("pg-enum", "PostgreSQL", "a `CREATE TYPE`", Lists(sql::pg_enum, Snake)),
    form("proto-enum", "Protocol Buffers", "an enum, with the numbers of the spec", Lists(proto::constants, UpperCamel)),
    form("graphql", "GraphQL", "an enum", Lists(graphql::constants, UpperCamel)),
    form("kotlin-enum", "Kotlin", "an enum class", Lists(jvm::kotlin_enum, UpperCamel)),
    form("kotlin-map", "Kotlin", "a map", Tables(jvm::kotlin_map, LowerCamel)),
    form("java-enum", "Java", "an enum", Lists(jvm::java_enum, UpperCamel)),
    form("java-map", "Java", "a map", Tables(jvm::java_map, Shouty)),
    form("csharp-enum", "C#", "an enum with `EnumMember`", Lists(csharp::constants, UpperCamel)),
    form("csharp-map", "C#", "a dictionary", Tables(csharp::dictionary, UpperCamel)),
    form("rust-enum", "Rust", "an enum, with the text of each variant", Lists(rust::variants, UpperCamel)),
    form("rust-const", "Rust", "a slice of pairs", Tables(rust::pairs, Shouty)),
    form("json-schema", "JSON Schema in YAML", "the body of a schema", Lists(schema::body, UpperCamel)),
    form("openapi", "OpenAPI in YAML", "an entry of `components.schemas`", Lists(schema::entry, UpperCamel)),
];
