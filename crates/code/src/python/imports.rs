//! What files import.

use crate::writer::{Import, Imports, Writer};

pub(super) const ANY: Import = name("typing", "Any");
pub(super) const ASSERT_NEVER: Import = name("typing", "assert_never");
pub(super) const CALLABLE: Import = name("collections.abc", "Callable");
pub(super) const CAST: Import = name("typing", "cast");
pub(super) const CLASS_VAR: Import = name("typing", "ClassVar");
pub(super) const DATACLASS: Import = name("dataclasses", "dataclass");
pub(super) const DATACLASSES: Import = module("dataclasses");
pub(super) const DATETIME: Import = name("datetime", "datetime");
pub(super) const DECIMAL: Import = name("decimal", "Decimal");
pub(super) const DEQUE: Import = name("collections", "deque");
pub(super) const FIELD: Import = name("dataclasses", "field");
pub(super) const FINAL: Import = name("typing", "Final");
pub(super) const GENERATOR: Import = name("collections.abc", "Generator");
pub(super) const GENERIC: Import = name("typing", "Generic");
pub(super) const ITERABLE: Import = name("collections.abc", "Iterable");
pub(super) const JSON: Import = module("json");
pub(super) const MAPPING: Import = name("collections.abc", "Mapping");
pub(super) const MODULE_TYPE: Import = name("types", "ModuleType");
pub(super) const NEVER: Import = name("typing", "Never");
pub(super) const NO_RETURN: Import = name("typing", "NoReturn");
pub(super) const PATH: Import = name("pathlib", "Path");
pub(super) const PROTOCOL: Import = name("typing", "Protocol");
pub(super) const REPLACE: Import = name("dataclasses", "replace");
pub(super) const SEQUENCE: Import = name("collections.abc", "Sequence");
pub(super) const STR_ENUM: Import = name("enum", "StrEnum");
pub(super) const SYS: Import = module("sys");
pub(super) const TIMEDELTA: Import = name("datetime", "timedelta");
pub(super) const TIMEZONE: Import = name("datetime", "timezone");
pub(super) const TYPE_ALIAS: Import = name("typing", "TypeAlias");
pub(super) const TYPE_VAR: Import = name("typing", "TypeVar");
pub(super) const UNITTEST: Import = module("unittest");

const fn name(module: &'static str, name: &'static str) -> Import {
    Import { module, name: Some(name) }
}

const fn module(module: &'static str) -> Import {
    Import { module, name: None }
}

/// The first lines of a file: what it is about, and what it imports from Python's library and from the package.
pub(super) fn head(about: &str, imports: Imports, own: &[String]) -> String {
    let mut out = Writer::new("    ");
    out.line(about);
    out.line("\nfrom __future__ import annotations\n");
    let (names, modules): (Vec<Import>, Vec<Import>) = imports.into_iter().partition(|it| it.name.is_some());
    modules.iter().for_each(|it| out.line(format!("import {}", it.module)));
    for it in names.chunk_by(|a, b| a.module == b.module) {
        let names: Vec<&str> = it.iter().filter_map(|it| it.name).collect();
        out.line(format!("from {} import {}", it[0].module, names.join(", ")));
    }
    out.apart(1);
    own.iter().for_each(|it| out.line(it));
    out.into_text()
}
