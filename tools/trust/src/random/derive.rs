//! The Rust text of types that follow a random machine: a struct whose fields are the context, and an enum whose
//! variants are the states.

use std::collections::{BTreeMap, BTreeSet};

use statespec_codegen::diagnostic::{Code, LintLevel};
use statespec_lang::names::{ident, snake, upper_camel};

use super::dice::Dice as _;
use super::expressions::Ty;
use super::machine::Machine;
use crate::rng::Rng;

/// Realistic names of users' types, some of them similar to emitted names.
const TYPES: &[&str] = &[
    "Job",
    "Ticket",
    "Door",
    "Change",
    "Effect",
    "EffectKind",
    "AsyncHost",
    "Host",
    "Refused",
    "EventKind",
    "Event",
    "Actor",
    "State",
    "Composite",
    "Predicates",
    "Context",
    "Machine",
    "Marker",
    "In",
    "Option",
    "Some",
    "Result",
    "Ok",
    "Vec",
    "String",
    "Default",
    "Clone",
    "Copy",
    "From",
    "Iterator",
    "Debug",
    "Text",
    "R",
    "T",
    "E",
    "U",
    "Row",
    "Outcome",
    "Target",
    "Transition",
    "Key",
    "Unit",
    "World",
    "A",
    "Machine2",
    "Étape",
];

/// Names of emitted types and similar names, which a user's type cannot have without a prefix.
const EMITTED: &[&str] = &[
    "Actor",
    "AsyncEffectHost",
    "AsyncHost",
    "Change",
    "Composite",
    "Context",
    "Effect",
    "EffectHost",
    "EffectKind",
    "Host",
    "Event",
    "EventKind",
    "In",
    "Leaf",
    "Machine",
    "Marker",
    "Predicates",
    "Refused",
    "Row",
    "State",
    "Self",
];

/// A type that follows a machine.
#[derive(Debug, Clone)]
pub(super) struct Derived {
    /// The text of its module.
    pub(super) text: String,
    /// Whether it is private to the module, so that the compiler would report it as dead code.
    pub(super) is_hidden: bool,
}

/// The options of the attribute, common to both forms.
struct Options {
    own: String,
    prefix: String,
    names: BTreeMap<&'static str, String>,
    visibility: &'static str,
    skip: Vec<&'static str>,
    written: Vec<String>,
}

impl Options {
    fn new(rng: &mut Rng, machine: &Machine, is_enum: bool, path: &str) -> Options {
        let mut own = (*rng.pick(TYPES)).to_owned();
        let enums: Vec<String> = machine.vocabulary.enums.iter().map(|it| upper_camel(&it.0)).collect();
        let mut written = vec![format!("{path:?}"), format!("allow({})", denied().join(", "))];
        let mut prefix = own.clone();
        if rng.chance(25) {
            // Without a prefix, emitted names must differ from those of the user's type and of the language.
            let is_free = |name: &str| !EMITTED.contains(&name) && !enums.iter().any(|it| it == name);
            let is_bare = rng.chance(50) && is_free(&own) && is_free("Self") && !enums.iter().any(|it| EMITTED.contains(&it.as_str()));
            prefix = if is_bare { String::new() } else { (*rng.pick(&["Spec", "My", "X", "Job", "State", "É"])).to_owned() };
            let taken = |name: &str| prefix.clone() + name == own;
            if EMITTED.iter().any(|it| taken(it)) || enums.iter().any(|it| taken(it)) {
                own = "Own".to_owned();
            }
            written.push(format!("prefix = {prefix:?}"));
        }
        let mut names = BTreeMap::new();
        if rng.chance(15) {
            let types: &[&str] = if is_enum { &["Event", "Change", "Effect"] } else { &["State", "Event", "Refused"] };
            for name in rng.several(types, 2) {
                names.insert(name, format!("{own}Other{name}"));
            }
            let list: Vec<String> = names.iter().map(|(name, other)| format!("{name} = {other:?}")).collect();
            written.push(format!("names({})", list.join(", ")));
        }
        let visibility = *rng.pick(&["pub", "pub", "pub(crate)", ""]);
        if !visibility.is_empty() && rng.chance(20) {
            written.push(format!("vis = {visibility:?}"));
        }
        let skip = if rng.chance(15) { rng.several(&["new", "run", "machine", "display", "from_str"], 2) } else { Vec::new() };
        if !skip.is_empty() {
            written.push(format!("skip({})", skip.join(", ")));
        }
        if is_enum && !machine.context.is_empty() && rng.chance(50) {
            written.push("context".into());
        }
        // A typestate needs the transitions of a machine.
        if rng.chance(25) && !skip.contains(&"machine") && !machine.has_regions() && (!is_enum || machine.context.is_empty()) {
            written.push("typestate".into());
        }
        if rng.chance(15) {
            written.push("serde".into());
        }
        if rng.chance(15) {
            written.push("async_host".into());
        }
        if rng.chance(10) {
            written.push("foreign_names".into());
        }
        if rng.chance(12) {
            written.push("crate = \"crate::facade::statespec\"".into());
        }
        if rng.chance(8) && !is_enum {
            written.push("derive(Event(::core::cmp::PartialOrd))".into());
        }
        Options { own, prefix, names, visibility, skip, written }
    }

    /// The name of an emitted type.
    fn emitted(&self, name: &str) -> String {
        self.names.get(name).cloned().unwrap_or_else(|| format!("{}{name}", self.prefix))
    }

    /// The attribute, as one or as several.
    fn attributes(&mut self, rng: &mut Rng) -> String {
        let behind = self.written.split_off(1);
        if rng.chance(80) {
            return format!("#[machine({}, {})]\n", self.written[0], behind.join(", "));
        }
        let each: Vec<String> = behind.iter().map(|it| format!("#[machine({it})]\n")).collect();
        format!("#[machine({})]\n{}", self.written[0], each.concat())
    }

    fn is_hidden(&self) -> bool {
        self.visibility != "pub"
    }
}

/// Deny lints, as named in the attribute: a random graph has dead ends.
pub(super) fn denied() -> Vec<String> {
    let denied = Code::lints().filter(|it| it.lint_level() == Some(LintLevel::Deny));
    denied.map(|it| it.short().replace('-', "_")).collect()
}

/// A struct whose fields are the context. `module` is the emitted module of the machine, which has the names of its enums.
pub(super) fn structure(rng: &mut Rng, machine: &Machine, path: &str, module: &str) -> Derived {
    let mut options = Options::new(rng, machine, false, path);
    let reference = *rng.pick(&["u64", "i32", "crate::Key", "(u8, u8)"]);
    let shown = machine.context.iter().any(|it| it.ty == Ty::Reference);
    // A message displays references, and a pair does not implement `Display`.
    let reference = if reference.starts_with('(') && !machine.effects.is_empty() { "u64" } else { reference };
    if !shown || rng.chance(20) {
        options.written.push(format!("reference = {reference:?}"));
    }
    let texts = *rng.pick(&["::alloc::string::String", "::alloc::boxed::Box<str>", "::alloc::rc::Rc<str>", "&'static str"]);
    // A `&'static str` cannot be made from a text with a shorter lifetime.
    let texts = if texts.starts_with('&') { "::alloc::string::String" } else { texts };
    let visibility = if rng.chance(50) { options.visibility } else { "" };
    let mut taken = BTreeSet::new();
    let mut fields = Vec::new();
    for (idx, field) in machine.context.iter().enumerate() {
        let ty = match field.ty {
            Ty::Bool => "bool".to_owned(),
            Ty::Int => "i64".to_owned(),
            Ty::Decimal => "::statespec::Decimal".to_owned(),
            Ty::Duration => "::statespec::Duration".to_owned(),
            Ty::Timestamp => "::statespec::Timestamp".to_owned(),
            Ty::Text => texts.to_owned(),
            Ty::Reference => reference.to_owned(),
            Ty::State(_) => options.emitted(if machine.has_regions() { "Leaf" } else { "State" }),
            Ty::Configuration(_) => options.emitted("State"),
            Ty::Enum(_, idx) => format!("{}{}", options.prefix, enum_name(machine, idx, &field.name, module)),
        };
        let ty = if field.optional { format!("::core::option::Option<{ty}>") } else { ty };
        let own = snake(&field.name);
        let renamed = !own.is_ascii() || rng.chance(10) || ident(&own).to_string().ends_with("self_") || taken.contains(&own);
        let own = if renamed { format!("field_{idx}") } else { ident(&own).to_string() };
        taken.insert(own.trim_start_matches("r#").to_owned());
        let needs_rename = own.trim_start_matches("r#") != field.name && own.trim_start_matches("r#") != snake(&field.name);
        let attribute = if needs_rename { format!("    #[machine(rename = {:?})]\n", field.name) } else { String::new() };
        fields.push(format!("    /// A field.\n{attribute}    {visibility} {own}: {ty},\n"));
    }
    let state = if taken.contains("state") { "current_state_" } else { "state" };
    let mark = if taken.contains("state") || rng.chance(20) { "    #[machine(state)]\n" } else { "" };
    taken.insert(state.to_owned());
    fields.push(format!("    /// The state.\n{mark}    {visibility} {state}: {},\n", options.emitted("State")));
    for own in ["name", "event", "effect", "host", "unit", "change", "context", "text", "u", "e"] {
        if rng.chance(5) && !taken.contains(own) && machine.context.iter().all(|it| it.name != own && snake(&it.name) != own) {
            let ty = *rng.pick(&["u8", "::alloc::string::String", "::core::option::Option<u64>", "bool"]);
            fields.push(format!("    /// A field that the spec does not know.\n    {visibility} {own}: {ty},\n"));
        }
    }
    rng.shuffle(&mut fields);
    let attributes = options.attributes(rng);
    // The fields are never read here.
    let allow = if visibility == "pub" { "" } else { "#[allow(dead_code)]\n" };
    let text = format!(
        "//! A struct.\n\n/// A machine.\n{allow}#[derive(::core::fmt::Debug, ::core::clone::Clone, ::statespec::StateMachine)]\n{attributes}{} struct {} {{\n{}}}\n",
        options.visibility,
        options.own,
        fields.concat(),
    );
    Derived { text, is_hidden: options.is_hidden() }
}

/// The name of the emitted type of an enum: its own name, or the name in the module if that one is taken.
fn enum_name(machine: &Machine, idx: usize, field: &str, module: &str) -> String {
    let own = upper_camel(&machine.vocabulary.enums[idx].0);
    // Behind a prefix, `Self` is a name like any other; the user's struct is in the place of `Context`.
    if ["Self", "Context"].contains(&own.as_str()) || !EMITTED.contains(&own.as_str()) {
        return own;
    }
    let Ok(file) = syn::parse_file(module) else { return own };
    let context = file.items.iter().find_map(|item| match item {
        syn::Item::Struct(it) if it.ident == "Context" => Some(it),
        _ => None,
    });
    let field = context.and_then(|it| it.fields.iter().find(|it| it.ident.as_ref().is_some_and(|it| *it == ident(&snake(field)))));
    let name = field.and_then(|it| last_name(&it.ty));
    name.unwrap_or(own)
}

/// The last name in a type: `Change_` of `Option<Change_>`.
fn last_name(ty: &syn::Type) -> Option<String> {
    let syn::Type::Path(path) = ty else { return None };
    let last = path.path.segments.last()?;
    match &last.arguments {
        syn::PathArguments::AngleBracketed(inside) => match inside.args.first() {
            Some(syn::GenericArgument::Type(inner)) => last_name(inner),
            _ => Some(last.ident.to_string()),
        },
        _ => Some(last.ident.to_string()),
    }
}

/// An enum whose variants are the leaves, in the order of the spec or in another one.
pub(super) fn enumeration(rng: &mut Rng, machine: &Machine, path: &str) -> Derived {
    let mut options = Options::new(rng, machine, true, path);
    options.written.push(format!("reference = {:?}", rng.pick(&["u64", "i32", "crate::Key"])));
    let counts = rng.chance(15);
    let mut variants = Vec::new();
    for (idx, name) in machine.vocabulary.leaves().into_iter().enumerate() {
        let renamed = !name.is_ascii() || rng.chance(10);
        let variant = if renamed { format!("Variant{idx}") } else { ident(&upper_camel(name)).to_string() };
        let attribute = if renamed { format!("    #[machine(rename = {name:?})]\n") } else { String::new() };
        let number = if counts { format!(" = {}", idx * 3 + 1) } else { String::new() };
        variants.push(format!("    /// A state.\n{attribute}    {variant}{number},\n"));
    }
    if rng.chance(50) {
        rng.shuffle(&mut variants);
    }
    let attributes = options.attributes(rng);
    let own = &options.own;
    let mut text = format!(
        "//! An enum.\n\n/// The states.\n#[derive(::core::fmt::Debug, ::core::clone::Clone, ::core::marker::Copy, ::core::cmp::PartialEq, ::core::cmp::Eq, ::statespec::StateMachine)]\n{attributes}{} enum {own} {{\n{}}}\n",
        options.visibility,
        variants.concat(),
    );
    if options.skip.contains(&"display") {
        text.push_str(&format!(
            "\nimpl ::core::fmt::Display for {own} {{\n    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {{\n        f.write_str(\"\")\n    }}\n}}\n"
        ));
    }
    if options.skip.contains(&"from_str") {
        text.push_str(&format!(
            "\nimpl ::core::str::FromStr for {own} {{\n    type Err = ();\n\n    fn from_str(_: &str) -> ::core::result::Result<Self, ()> {{\n        ::core::result::Result::Err(())\n    }}\n}}\n"
        ));
    }
    Derived { text, is_hidden: options.is_hidden() }
}
