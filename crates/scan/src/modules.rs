//! Follows the paths of Rust through the modules of a project: which enum a name means.
//!
//! Modules are where the compiler looks for them: in the file, in `name.rs` or `name/mod.rs` beside it, or where `#[path]` says.
//! A file is read only when a path leads through it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use statespec_lang::diagnostic::{Code, Diagnostic};
use statespec_lang::source::{SourceId, Sources};

use super::manifest::{Dependency, Package};
use super::paths::{is_of_tests, join, name_of, parent};
use super::text_file::text_of;
use statespec_import::{Declared, Known, Outline, Wanted};

/// The number of names that are looked up for one path.
const MAX_LOOKUPS: usize = 500;
/// The number of names on the way from a path to what it means.
const MAX_DEPTH: usize = 50;

/// The files that contain `enum NAME`, by the name.
pub(super) type EnumNames = BTreeMap<String, BTreeSet<String>>;

/// The modules of a project, as far as they were needed.
pub(super) struct Modules<'s> {
    root: &'s Path,
    sources: &'s mut Sources,
    names: &'s EnumNames,
    /// What the files declare, by path; `None` if there is no such file.
    files: BTreeMap<String, Option<Rc<Outline>>>,
    /// The packages by folder.
    packages: BTreeMap<String, Option<Rc<Package>>>,
    spots: BTreeMap<Module, Option<Spot>>,
    /// The names that are being looked up.
    open: BTreeSet<(Module, String)>,
    n_lookups: usize,
    /// Whether a file or package on the way is missing.
    is_broken: bool,
    /// Whether the way leads out of the project.
    is_outside: bool,
    /// The file that asks: it alone sees what its functions bind.
    asking: String,
}

/// A module of a crate, by the file of the crate and the path from there.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Module {
    root: String,
    path: Vec<String>,
}

impl Module {
    fn of_file(root: impl Into<String>) -> Self {
        Module { root: root.into(), path: Vec::new() }
    }

    fn inside(&self, names: &[String]) -> Self {
        Module { root: self.root.clone(), path: self.path.iter().chain(names).cloned().collect() }
    }

    fn outside(&self) -> Option<Self> {
        let (_, path) = self.path.split_last()?;
        Some(Module { root: self.root.clone(), path: path.to_vec() })
    }
}

/// Where a module is: in a file, or in a module inside it.
#[derive(Debug, Clone)]
struct Spot {
    file: String,
    inline: Vec<String>,
}

/// What a path leads to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Target {
    Module(Module),
    /// An enum of a file, by its position.
    Enum(String, usize),
}

impl<'s> Modules<'s> {
    pub(super) fn new(root: &'s Path, sources: &'s mut Sources, names: &'s EnumNames) -> Self {
        Modules {
            root,
            sources,
            names,
            files: BTreeMap::new(),
            packages: BTreeMap::new(),
            spots: BTreeMap::new(),
            open: BTreeSet::new(),
            n_lookups: 0,
            is_broken: false,
            is_outside: false,
            asking: String::new(),
        }
    }

    /// Adds a file that was read.
    pub(super) fn add(&mut self, id: SourceId, outline: Outline) {
        self.files.insert(self.sources.get(id).path().to_owned(), Some(Rc::new(outline)));
    }

    /// The declarations of the enums that a file wants, and those of which it is open which are meant.
    pub(super) fn known(&mut self, id: SourceId, wanted: &[Wanted]) -> (Known, Vec<Diagnostic>) {
        let (mut known, mut open) = (Known::new(), Vec::new());
        self.asking = self.sources.get(id).path().to_owned();
        let own = self.module_of(&self.asking.clone());
        if is_of_tests(&self.asking) || self.is_test(&own) {
            return (known, open);
        }
        for wanted in wanted {
            let mut found: BTreeSet<Target> = BTreeSet::new();
            (self.is_broken, self.is_outside) = (false, false);
            let mut n_lost = 0;
            for (inline, path) in &wanted.paths {
                self.n_lookups = 0;
                let targets = self.resolve(&own.inside(inline), path);
                // Of what is not followed to its end, it is not known whether it is all.
                let targets = if self.n_lookups > MAX_LOOKUPS { BTreeSet::new() } else { targets };
                let enums: Vec<Target> = targets.into_iter().filter(|it| matches!(it, Target::Enum(..))).collect();
                n_lost += usize::from(enums.is_empty());
                found.extend(enums);
            }
            let by_path: Vec<Arc<Declared>> = found.iter().filter_map(|it| self.declared(it)).collect();
            let meant = match by_path.as_slice() {
                [] if self.is_broken && !self.is_outside => self.by_name(&own, wanted),
                _ => by_path,
            };
            match meant.as_slice() {
                [] => {}
                [only] if found.is_empty() || n_lost == 0 => {
                    known.insert(wanted.name.clone(), Arc::clone(only));
                }
                several => open.extend(wanted.has_steps.then(|| open_name(wanted, several))),
            }
        }
        (known, open)
    }

    fn declared(&mut self, target: &Target) -> Option<Arc<Declared>> {
        match target {
            Target::Enum(file, idx) => self.outline(file)?.enums.get(*idx).cloned(),
            Target::Module(_) => None,
        }
    }

    /// The enums of the project that have a name, for a path that cannot be followed.
    fn by_name(&mut self, own: &Module, wanted: &Wanted) -> Vec<Arc<Declared>> {
        // `use path::Name as Other`
        let bound = self.spot(own).and_then(|spot| self.outline(&spot.file)).and_then(|it| {
            let binding = it.bindings.iter().find(|it| it.name.as_deref() == Some(wanted.name.as_str()));
            binding.and_then(|it| it.path.last().cloned())
        });
        let name = bound.unwrap_or_else(|| wanted.name.clone());
        let files: Vec<String> = self.names.get(&name).into_iter().flatten().filter(|it| !is_of_tests(it)).cloned().collect();
        let mut found = Vec::new();
        for file in files {
            let Some(outline) = self.outline(&file) else { continue };
            found.extend(outline.enums.iter().filter(|it| it.name == name).cloned());
        }
        match found.as_slice() {
            [only] if !only.has_all(&wanted.variants) => Vec::new(),
            _ => found,
        }
    }

    /// What a path leads to, as seen from a module.
    fn resolve(&mut self, from: &Module, path: &[String]) -> BTreeSet<Target> {
        let Some((first, rest)) = path.split_first() else { return BTreeSet::new() };
        let mut rest = rest;
        let mut at: BTreeSet<Target> = match first.as_str() {
            "crate" => [Target::Module(Module::of_file(from.root.clone()))].into(),
            "self" => [Target::Module(from.clone())].into(),
            "super" => self.outside(from),
            "" => {
                let Some((name, behind)) = rest.split_first() else { return BTreeSet::new() };
                rest = behind;
                self.library(from, name).into_iter().collect()
            }
            name => {
                let near = self.lookup(from, name);
                if near.is_empty() && !rest.is_empty() { self.library(from, name).into_iter().collect() } else { near }
            }
        };
        for name in rest {
            let mut next = BTreeSet::new();
            for target in at {
                let Target::Module(module) = target else { continue };
                match name.as_str() {
                    "self" => next.extend([Target::Module(module)]),
                    "super" => next.extend(self.outside(&module)),
                    name => next.extend(self.lookup(&module, name)),
                }
            }
            at = next;
        }
        at
    }

    fn outside(&mut self, module: &Module) -> BTreeSet<Target> {
        let outside = module.outside();
        self.is_broken |= outside.is_none();
        outside.into_iter().map(Target::Module).collect()
    }

    /// What a name means in a module.
    fn lookup(&mut self, module: &Module, name: &str) -> BTreeSet<Target> {
        self.n_lookups += 1;
        if self.open.len() >= MAX_DEPTH {
            self.n_lookups = MAX_LOOKUPS + 1;
        }
        let key = (module.clone(), name.to_owned());
        if self.n_lookups > MAX_LOOKUPS || !self.open.insert(key.clone()) {
            return BTreeSet::new();
        }
        let found = self.lookup_open(module, name);
        self.open.remove(&key);
        found
    }

    fn lookup_open(&mut self, module: &Module, name: &str) -> BTreeSet<Target> {
        let spot = self.spot(module);
        let Some((spot, outline)) = spot.and_then(|spot| self.outline(&spot.file).map(|it| (spot, it))) else {
            self.is_broken = true;
            return BTreeSet::new();
        };
        let enums = outline.enums.iter().enumerate().filter(|(_, it)| it.name == name && it.module == spot.inline);
        let mut found: BTreeSet<Target> = enums.map(|(idx, _)| Target::Enum(spot.file.clone(), idx)).collect();
        let sees = |it: &&statespec_import::Binding| it.module == spot.inline && !it.is_test && (!it.in_body || spot.file == self.asking);
        let bindings: Vec<&statespec_import::Binding> = outline.bindings.iter().filter(sees).collect();
        for binding in bindings.iter().filter(|it| it.name.as_deref() == Some(name)) {
            found.extend(self.resolve(module, &binding.path));
        }
        if found.is_empty() {
            let inside = module.inside(&[name.to_owned()]);
            let is_declared = outline.modules.iter().any(|it| it.name == name && it.module == spot.inline && !it.is_test);
            if is_declared || self.spot(&inside).is_some() {
                found.insert(Target::Module(inside));
            }
        }
        // A name of its own hides those that come with `*`.
        if found.is_empty() {
            for binding in bindings.iter().filter(|it| it.name.is_none()) {
                for target in self.resolve(module, &binding.path) {
                    if let Target::Module(other) = target {
                        found.extend(self.lookup(&other, name));
                    }
                }
            }
        }
        found
    }

    /// The library that has a name in the package of a module.
    fn library(&mut self, from: &Module, name: &str) -> Option<Target> {
        if matches!(name, "std" | "core" | "alloc") {
            self.is_outside = true;
            return None;
        }
        let Some((folder, package)) = self.package_around(&from.root) else {
            self.is_broken = true;
            return None;
        };
        let folder = match package.dependencies.get(name) {
            None if package.name == name => folder,
            None => return None,
            Some(Dependency::Folder(folder)) => folder.clone(),
            Some(Dependency::Workspace) => match self.shared(&folder, name) {
                Some(folder) => folder,
                None => {
                    self.is_outside = true;
                    return None;
                }
            },
            Some(Dependency::Outside) => {
                self.is_outside = true;
                return None;
            }
        };
        let library = self.package(&folder).and_then(|it| it.library.clone());
        let file = library.or_else(|| join(&folder, "src/lib.rs"))?;
        let exists = self.outline(&file).is_some();
        self.is_broken |= !exists;
        exists.then(|| Target::Module(Module::of_file(file)))
    }

    /// The folder of a dependency of which the workspace around a package tells.
    fn shared(&mut self, folder: &str, name: &str) -> Option<String> {
        let mut at = Some(folder);
        while let Some(folder) = at {
            match self.package(folder).and_then(|it| it.shared.get(name).cloned()) {
                Some(Dependency::Folder(folder)) => return Some(folder),
                Some(_) => return None,
                None => at = Package::above(folder),
            }
        }
        None
    }

    /// The module of a file, by the usual places.
    fn module_of(&mut self, file: &str) -> Module {
        let alone = Module::of_file(file);
        let (folder, name) = (parent(file), name_of(file));
        let is_target = ["src/bin", "examples", "tests", "benches"].iter().any(|it| folder == *it || folder.ends_with(&format!("/{it}")));
        if matches!(name, "lib.rs" | "main.rs" | "build.rs") || is_target {
            return alone;
        }
        let Some(root) = self.crate_around(folder) else { return alone };
        let below = file.strip_prefix(parent(&root)).map_or(file, |it| it.trim_start_matches('/'));
        let below = below.strip_suffix(".rs").unwrap_or(below);
        let below = below.strip_suffix("/mod").unwrap_or(below);
        let module = Module { root, path: below.split('/').map(str::to_owned).collect() };
        self.spots.insert(module.clone(), Some(Spot { file: file.to_owned(), inline: Vec::new() }));
        module
    }

    /// The file of the crate around a folder.
    fn crate_around(&mut self, folder: &str) -> Option<String> {
        let mut at = Some(folder);
        while let Some(folder) = at {
            let package = self.package(folder);
            let files = ["lib.rs", "main.rs"].iter().filter_map(|it| join(folder, it));
            let library = package.as_ref().and_then(|it| it.library.clone());
            let files: Vec<String> = files.chain(library).collect();
            if let Some(file) = files.into_iter().find(|it| self.outline(it).is_some()) {
                return Some(file);
            }
            at = Package::above(folder).filter(|_| package.is_none());
        }
        None
    }

    /// The package around a file, with its folder.
    fn package_around(&mut self, file: &str) -> Option<(String, Rc<Package>)> {
        let mut at = Some(parent(file));
        while let Some(folder) = at {
            if let Some(package) = self.package(folder) {
                return Some((folder.to_owned(), package));
            }
            at = Package::above(folder);
        }
        None
    }

    fn package(&mut self, folder: &str) -> Option<Rc<Package>> {
        if let Some(known) = self.packages.get(folder) {
            return known.clone();
        }
        let text = join(folder, "Cargo.toml").and_then(|it| text_of(&self.root.join(it)).ok().flatten());
        let package = text.map(|it| Rc::new(Package::read(folder, &it)));
        self.packages.insert(folder.to_owned(), package.clone());
        package
    }

    /// Where a module is.
    fn spot(&mut self, module: &Module) -> Option<Spot> {
        if let Some(known) = self.spots.get(module) {
            return known.clone();
        }
        let spot = self.find_spot(module);
        self.spots.insert(module.clone(), spot.clone());
        spot
    }

    fn find_spot(&mut self, module: &Module) -> Option<Spot> {
        let Some((outside, name)) = module.outside().zip(module.path.last()) else {
            return self.outline(&module.root).map(|_| Spot { file: module.root.clone(), inline: Vec::new() });
        };
        let around = self.spot(&outside)?;
        let outline = self.outline(&around.file)?;
        let (tests, declared): (Vec<_>, Vec<_>) =
            outline.modules.iter().filter(|it| it.name == *name && it.module == around.inline).partition(|it| it.is_test);
        if declared.is_empty() && !tests.is_empty() {
            return None;
        }
        if declared.iter().any(|it| it.is_inline) {
            let inline = around.inline.iter().chain([name]).cloned().collect();
            return Some(Spot { inline, ..around });
        }
        let own_folder = match name_of(&around.file) {
            "mod.rs" => parent(&around.file),
            _ if around.file == module.root => parent(&around.file),
            _ => around.file.strip_suffix(".rs").unwrap_or(&around.file),
        };
        let folder = around.inline.iter().try_fold(own_folder.to_owned(), |folder, it| join(&folder, it))?;
        let given: BTreeSet<&String> = declared.iter().filter_map(|it| it.path.as_ref()).collect();
        let files: Vec<String> = match given.first() {
            // Of several files, each for another system, it is open which is meant.
            Some(_) if given.len() > 1 => Vec::new(),
            Some(given) => join(if around.inline.is_empty() { parent(&around.file) } else { &folder }, given).into_iter().collect(),
            None => [format!("{name}.rs"), format!("{name}/mod.rs")].iter().filter_map(|it| join(&folder, it)).collect(),
        };
        let file = files.into_iter().find(|it| self.outline(it).is_some())?;
        Some(Spot { file, inline: Vec::new() })
    }

    /// Whether a module, or one around it, is compiled only for tests.
    fn is_test(&mut self, module: &Module) -> bool {
        let Some((outside, name)) = module.outside().zip(module.path.last()) else { return false };
        let around = self.spot(&outside).and_then(|spot| self.outline(&spot.file).map(|it| (spot, it)));
        let is_declared = |(spot, outline): (Spot, Rc<Outline>)| {
            outline.modules.iter().any(|it| it.is_test && it.name == *name && it.module == spot.inline)
        };
        around.is_some_and(is_declared) || self.is_test(&outside)
    }

    /// What a file declares.
    fn outline(&mut self, file: &str) -> Option<Rc<Outline>> {
        if let Some(known) = self.files.get(file) {
            return known.clone();
        }
        let text = if file.ends_with(".rs") { text_of(&self.root.join(file)).ok().flatten() } else { None };
        let outline = text.map(|it| {
            let id = self.sources.find(file).unwrap_or_else(|| self.sources.add(file, &it));
            Rc::new(statespec_import::code(self.sources, id, &Known::new()).outline)
        });
        self.files.insert(file.to_owned(), outline.clone());
        outline
    }
}

/// The message that it is open which enum a name means.
fn open_name(wanted: &Wanted, several: &[Arc<Declared>]) -> Diagnostic {
    let message = format!("it is open which `{}` has these steps: nothing was read from them", wanted.name);
    let finding = Diagnostic::new(Code::ImportLoss, wanted.place, message);
    several.iter().fold(finding, |finding, it| finding.also(it.place(), "perhaps this one"))
}
