//! Finds the code of a machine in a project: types with the derive, build scripts, and modules that are checked in.

use std::path::{Path, PathBuf};

use statespec_lang::model::Machine;
use statespec_lang::source::Sources;
use statespec_rust::derive;
use statespec_rust::files::output::Root;
use statespec_rust::root;
use syn::{DeriveInput, Item};

use super::code::Code;
use crate::backend::rust;
use crate::project::Project;
use crate::sync::rust_files;

/// All code of a machine that a project has. What cannot be read or parsed is passed over: the compiler reports it.
pub(super) fn codes(project: &Project, sources: &Sources, machine: &Machine) -> Vec<Code> {
    let folder = &project.root.folder;
    let spec = folder.join(sources.get(machine.source).path());
    let mut found = Vec::new();
    for (path, text) in rust_files(folder, &["StateMachine", "OUT_DIR"]) {
        let Ok(file) = syn::parse_file(&text) else { continue };
        let seeker = Seeker { file: &folder.join(&path), path: &path, spec: &spec, machine, sources };
        seeker.items(&file.items, &module_path(folder, &path), &mut found);
    }
    if let Some(rust) = project.config.get::<rust::Settings>() {
        let place = format!("In the crate of {}.", rust.out);
        let file = match rust.root {
            Root::Module => "mod.rs",
            Root::Crate => "lib.rs",
        };
        found.push(Code::checked_in(&module_path(folder, &format!("{}/{file}", rust.out)), &place, rust.style.clone()));
    }
    found.sort_by_key(Code::rank);
    found
}

struct Seeker<'a> {
    file: &'a Path,
    path: &'a str,
    spec: &'a Path,
    machine: &'a Machine,
    sources: &'a Sources,
}

impl Seeker<'_> {
    fn items(&self, items: &[Item], module: &str, found: &mut Vec<Code>) {
        for item in items {
            match item {
                Item::Mod(inner) => {
                    let items = inner.content.iter().flat_map(|it| &it.1);
                    self.items(&items.cloned().collect::<Vec<_>>(), &format!("{module}::{}", inner.ident), found);
                }
                Item::Struct(it) => found.extend(self.derived(&it.clone().into(), module)),
                Item::Enum(it) => found.extend(self.derived(&it.clone().into(), module)),
                Item::Macro(it) if it.mac.path.is_ident("include") => {
                    let tokens = it.mac.tokens.to_string();
                    // A crate may include other files that its build script writes.
                    if tokens.contains("OUT_DIR") && tokens.contains("/machines.rs") {
                        found.push(Code::build_script(module, &format!("In the crate of {}, which includes the modules.", self.path)));
                    }
                }
                _ => {}
            }
        }
    }

    fn derived(&self, item: &DeriveInput, module: &str) -> Option<Code> {
        let named = derive::spec_of(item)?;
        // Where the derive looks: below the crate, then below each folder around the file.
        let folders = package(self.file).into_iter().chain(root::around(self.file.parent()?));
        let spec = folders.map(|it| it.join(&named)).find(|it| it.exists())?;
        let is_same = |a: &Path, b: &Path| matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b);
        let place = match module {
            "crate" => format!("In {}, where `{}` is.", self.path, item.ident),
            module => format!("In {}, where `{}` is: `{module}`.", self.path, item.ident),
        };
        is_same(&spec, self.spec).then(|| Code::derive(module, &place, item, self.machine, self.sources))?
    }
}

/// The nearest folder around a file with a `Cargo.toml`.
fn package(file: &Path) -> Option<&Path> {
    file.ancestors().skip(1).find(|it| it.join("Cargo.toml").exists())
}

/// The Rust path of the module in a file, as Cargo lays out packages: `crate::a` for `src/a.rs` and `src/a/mod.rs`.
fn module_path(root: &Path, path: &str) -> String {
    let file: PathBuf = path.split('/').fold(root.to_owned(), |folder, it| folder.join(it));
    let inside = package(&file).and_then(|it| file.strip_prefix(it).ok()).map(|it| it.with_extension(""));
    let names: Vec<String> = inside.iter().flat_map(|it| it.components()).map(|it| it.as_os_str().to_string_lossy().into_owned()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let modules = match names.as_slice() {
        ["src", "bin", ..] | ["src", "main" | "lib"] => &[],
        ["src", modules @ ..] => modules,
        // Another target, or no package: its file is the root of a crate.
        _ => &[],
    };
    let modules = modules.strip_suffix(&["mod"]).unwrap_or(modules);
    ["crate"].iter().chain(modules).copied().collect::<Vec<_>>().join("::")
}
