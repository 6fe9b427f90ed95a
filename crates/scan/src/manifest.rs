//! What `Cargo.toml` says of a package: where its library is, and where those are that it depends on.

use std::collections::BTreeMap;

use toml::de::{DeTable, DeValue};

use super::paths::{join, parent};

/// A package.
#[derive(Debug, Default)]
pub(super) struct Package {
    /// The name of the library in paths.
    pub(super) name: String,
    /// The file of the library, if it is not `src/lib.rs`.
    pub(super) library: Option<String>,
    /// What it depends on, by the name in paths.
    pub(super) dependencies: BTreeMap<String, Dependency>,
    /// What members of the workspace depend on.
    pub(super) shared: BTreeMap<String, Dependency>,
}

/// Where the code of a dependency is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Dependency {
    /// In this folder.
    Folder(String),
    /// The workspace says where.
    Workspace,
    /// Outside of the project.
    Outside,
}

impl Package {
    /// Reads the text of `Cargo.toml` in a folder. A text that is none has no package.
    pub(super) fn read(folder: &str, text: &str) -> Self {
        let Ok(table) = DeTable::parse(text) else { return Package::default() };
        let table = table.get_ref();
        let text = |of: &str, key: &str| inside(table, of).and_then(|it| it.get(key)).and_then(|it| it.get_ref().as_str());
        let name = text("lib", "name").or_else(|| text("package", "name")).unwrap_or_default();
        let mut dependencies = BTreeMap::new();
        for kind in ["dependencies", "dev-dependencies", "build-dependencies"] {
            dependencies.extend(inside(table, kind).map(|it| read_all(folder, it)).unwrap_or_default());
        }
        let shared = inside(table, "workspace").and_then(|it| inside(it, "dependencies"));
        Package {
            name: in_paths(name),
            library: text("lib", "path").and_then(|it| join(folder, it)),
            dependencies,
            shared: shared.map(|it| read_all(folder, it)).unwrap_or_default(),
        }
    }

    /// The folder above another one, as far as its path tells: where the package or workspace around it may be.
    pub(super) fn above(folder: &str) -> Option<&str> {
        let above = parent(folder);
        let is_top = folder.is_empty() || folder.ends_with("..") || (above.is_empty() && folder.starts_with('/'));
        (!is_top).then_some(above)
    }
}

fn read_all(folder: &str, table: &DeTable<'_>) -> BTreeMap<String, Dependency> {
    let one = |value: &DeValue<'_>| {
        let table = value.as_table();
        let key = |name: &str| table.and_then(|it| it.get(name)).map(|it| it.get_ref());
        match (key("path").and_then(DeValue::as_str), key("workspace").and_then(DeValue::as_bool)) {
            (Some(path), _) => join(folder, path).map_or(Dependency::Outside, Dependency::Folder),
            (None, Some(true)) => Dependency::Workspace,
            (None, _) => Dependency::Outside,
        }
    };
    table.iter().map(|(name, value)| (in_paths(name.get_ref()), one(value.get_ref()))).collect()
}

fn inside<'t, 'i>(table: &'t DeTable<'i>, key: &str) -> Option<&'t DeTable<'i>> {
    table.get(key)?.get_ref().as_table()
}

/// The name of a package in paths.
fn in_paths(name: &str) -> String {
    name.replace('-', "_")
}
