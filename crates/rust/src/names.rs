//! Identifiers of emitted code: distinct from each other, from Rust's keywords and from names that a module uses itself.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use statespec_lang::model::Machine;
use statespec_lang::model::Model;
use statespec_lang::names::ident;
use statespec_lang::names::snake;
use syn::ext::IdentExt as _;

use super::ir::Types;

/// The types of every module, as users name them in the options of the derive.
pub const TYPES: &[&str] = &[
    "Actor",
    "AsyncEffectHost",
    "AsyncHost",
    "Change",
    "Composite",
    "Effect",
    "EffectHost",
    "EffectKind",
    "Event",
    "EventKind",
    "Host",
    "In",
    LEAF,
    "Marker",
    "Predicates",
    RECORDED,
    "Refused",
    "Row",
    "State",
    TIMERS,
];

/// The type of timers, which only machines with timers have.
const TIMERS: &str = "Timers";

/// The type of what histories record, events and timers, which only machines with timers have.
const RECORDED: &str = "Recorded";

/// The type of leaves, which only machines with regions have; in others, it is that of states.
pub(crate) const LEAF: &str = "Leaf";

/// The types of one machine's module.
pub(crate) fn types_of(machine: &Machine) -> impl Iterator<Item = &'static str> + Clone {
    let has_timers = machine.timers().next().is_some();
    let has_regions = machine.has_regions();
    TYPES.iter().copied().filter(move |name| (![TIMERS, RECORDED].contains(name) || has_timers) && (*name != LEAF || has_regions))
}

/// The façade's type that functions of a file import: the import would hide a type of the same name.
pub(crate) const OUTCOME: &str = "Outcome";

/// The same in a machine with regions.
pub(crate) const CHOICE: &str = "Choice";

/// The methods of every state: attributes and orders of the same name get the suffix `_`.
pub(crate) const STATE_METHODS: &[&str] = &[
    "allows",
    "clamp",
    "clone",
    "cmp",
    "deserialize",
    "doc",
    "eq",
    "events",
    "fmt",
    "from_str",
    "hash",
    "index",
    "is_in",
    "is_sink",
    "is_terminal",
    "label",
    "max",
    "min",
    "name",
    "ne",
    "parent",
    "parse",
    "partial_cmp",
    "path",
    "serialize",
    "successors",
    "transitions",
];

/// The methods of every machine: where the state is the machine itself, attributes and orders of the same name get the suffix `_`.
pub(crate) const MACHINE_METHODS: &[&str] = &[
    "apply",
    "apply_as",
    "context",
    "context_mut",
    "create",
    "create_as",
    "create_with",
    "direct_step",
    "new",
    "plan",
    "plan_to",
    "restore",
    "run",
    "run_as",
    "run_as_async",
    "run_async",
    "run_by",
    "run_by_async",
    "run_created",
    "run_created_async",
    "run_to",
    "run_to_async",
    "state",
    "take",
    "transition_to",
];

/// The methods of a machine with timers, besides those of every machine.
pub(crate) const TIMER_METHODS: &[&str] = &["replay", "run_due", "run_due_async", "timers"];

/// The variables of emitted functions: variables for payload fields of the same name get the suffix `_`.
pub(crate) const LOCALS: &[&str] = &["actor", "context", "event", "f", "host", "machine", "message", "predicates", "self", "step"];

/// The names of files that declare modules, and of folders of crates: no module may have these names.
const FILES: &[&str] = &["lib", "main", "mod"];

/// A set of distinct identifiers.
#[derive(Default)]
pub struct UniqueNames(BTreeSet<String>);

impl UniqueNames {
    /// Identifiers that also differ from those in `taken`.
    pub fn besides<'a>(taken: impl IntoIterator<Item = &'a str>) -> Self {
        UniqueNames(taken.into_iter().map(str::to_owned).collect())
    }

    /// Reserves a name.
    pub fn reserve(&mut self, name: &Ident) {
        let name = name.to_string();
        self.0.insert(name.strip_prefix("r#").map_or(name.clone(), str::to_owned));
    }

    /// The identifier for a name, with as many `_` appended as needed.
    pub fn claim(&mut self, mut name: String) -> Ident {
        loop {
            // The identifier may differ from the name: `self` is none, so it becomes `self_`.
            let claimed = ident(&name);
            if self.0.insert(claimed.unraw().to_string()) {
                return claimed;
            }
            name.push('_');
        }
    }

    /// The identifier itself, or with `_` appended.
    pub(crate) fn claim_like(&mut self, name: &Ident) -> Ident {
        let text = name.to_string();
        let plain = text.strip_prefix("r#").unwrap_or(&text).to_owned();
        let claimed = self.claim(plain);
        if claimed == *name { name.clone() } else { claimed }
    }

    pub(crate) fn claim_all<'a>(&mut self, names: impl IntoIterator<Item = &'a String>, case: fn(&str) -> String) -> Vec<Ident> {
        names.into_iter().map(|it| self.claim(case(it))).collect()
    }
}

impl Types {
    /// The types of a module: `name` makes the identifier for one of [`TYPES`].
    pub(crate) fn new(machine: Ident, context: Ident, has_regions: bool, has_timers: bool, name: impl Fn(&str) -> Ident) -> Self {
        Types {
            machine,
            context,
            actor: name("Actor"),
            async_effect_host: name("AsyncEffectHost"),
            async_host: name("AsyncHost"),
            change: name("Change"),
            composite: name("Composite"),
            effect: name("Effect"),
            effect_host: name("EffectHost"),
            effect_kind: name("EffectKind"),
            event: name(if has_timers { RECORDED } else { "Event" }),
            input: name("Event"),
            event_kind: name("EventKind"),
            host: name("Host"),
            in_state: name("In"),
            marker: name("Marker"),
            predicates: name("Predicates"),
            refused: name("Refused"),
            row: name("Row"),
            state: name(if has_regions { LEAF } else { "State" }),
            configuration: name("State"),
            timers: name(TIMERS),
        }
    }
}

/// The types, variants and traits of Rust's prelude in emitted code, which no module defines.
pub(crate) const PRELUDE: &[&str] =
    &["AsRef", "Clone", "Copy", "Default", "Err", "From", "None", "Ok", "Option", "Ord", "PartialEq", "Result", "Sized", "Some"];

/// The path of the façade crate, validated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facade(String);

impl Facade {
    /// Reads a path such as `::statespec` or `crate::state`.
    ///
    /// # Errors
    ///
    /// A message, if the text is not a path of identifiers.
    pub fn parse(path: &str) -> Result<Self, String> {
        let names = path.strip_prefix("::").unwrap_or(path).split("::");
        let is_ident = |name: &str| {
            let name = name.strip_prefix("r#").unwrap_or(name);
            let mut characters = name.chars();
            let starts = characters.next().is_some_and(|it| it == '_' || unicode_ident::is_xid_start(it));
            starts && name != "_" && characters.all(unicode_ident::is_xid_continue)
        };
        let fits = names.clone().count() > 0 && names.clone().all(is_ident);
        if fits { Ok(Facade(path.to_owned())) } else { Err(format!("`{path}` is no path of a crate: expected one like `::statespec`")) }
    }

    /// The same path without `::` at its beginning.
    #[must_use]
    pub fn relative(&self) -> Self {
        Facade(self.0.trim_start_matches("::").to_owned())
    }

    /// The path as tokens.
    pub(crate) fn tokens(&self) -> TokenStream {
        let absolute = self.0.starts_with("::").then(|| quote! { :: });
        let names = self.0.trim_start_matches("::").split("::").map(|name| match name.strip_prefix("r#") {
            Some(raw) => Ident::new_raw(raw, proc_macro2::Span::call_site()),
            None => Ident::new(name, proc_macro2::Span::call_site()),
        });
        quote! { #absolute #(#names)::* }
    }
}

impl Default for Facade {
    fn default() -> Self {
        Facade("::statespec".to_owned())
    }
}

/// The modules of a model: each machine and each system has one, and a file of the same name.
pub struct ModuleNames(BTreeMap<String, Ident>);

impl ModuleNames {
    /// The modules of this model.
    pub fn of(model: &Model) -> Self {
        let mut unique = UniqueNames::besides(FILES.iter().copied());
        let names = model.machines.iter().map(|it| &it.name).chain(model.systems.iter().map(|it| &it.name));
        ModuleNames(names.map(|name| (name.clone(), module(&mut unique, name))).collect())
    }

    /// The module of a machine or system: `r#type`, `crate_`.
    pub fn of_name(&self, name: &str) -> Ident {
        // Requests for names outside the model do not occur; the fallback is a module of that name.
        self.0.get(name).cloned().unwrap_or_else(|| module(&mut UniqueNames::besides(FILES.iter().copied()), name))
    }

    /// The file of the module, without its folder and extension.
    pub fn file(&self, name: &str) -> String {
        let ident = self.of_name(name).to_string();
        ident.strip_prefix("r#").map_or(ident.clone(), str::to_owned)
    }
}

fn module(unique: &mut UniqueNames, name: &str) -> Ident {
    unique.claim(snake(name))
}
