//! The code of a machine in the user's crate: what a printed test calls, and where the test belongs.

use std::collections::BTreeSet;

use quote::ToTokens as _;
use statespec_lang::model::Machine;
use statespec_lang::source::Sources;
use statespec_rust::Style;
use statespec_rust::derive;
use statespec_rust::ir::Form;
use statespec_rust::lower::ModuleOptions;
use syn::{Data, DeriveInput};

/// How a crate gets the code of a machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A type of the user with the derive.
    Derive,
    /// A build script writes a module.
    BuildScript,
    /// The module is checked in.
    CheckedIn,
}

impl Kind {
    /// All of them, in the order in which a test prefers them.
    pub const ALL: [Kind; 3] = [Kind::Derive, Kind::BuildScript, Kind::CheckedIn];

    /// The word after `test`.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Derive => "derive",
            Kind::BuildScript => "build-script",
            Kind::CheckedIn => "checked-in",
        }
    }
}

/// The code of one machine in a crate.
#[derive(Clone)]
pub struct Code {
    pub(super) kind: Kind,
    /// The place of a test, as a comment.
    pub(super) place: String,
    /// The Rust path of the module with the derived type, or of the module around the machine's own.
    pub(super) module: String,
    pub(super) style: Style,
    pub(super) options: ModuleOptions,
    /// The fields of the user's struct whose type is `String`, or an `Option` of it.
    pub(super) strings: BTreeSet<String>,
}

impl Code {
    /// Modules that are checked in, below a Rust path such as `crate::machines`; `place` says where a test belongs.
    pub fn checked_in(module: &str, place: &str, style: Style) -> Code {
        let (module, place) = (module.to_owned(), place.to_owned());
        Code { kind: Kind::CheckedIn, place, module, style, options: ModuleOptions::default(), strings: BTreeSet::new() }
    }

    /// Modules that a build script writes, included below a Rust path.
    pub fn build_script(module: &str, place: &str) -> Code {
        Code { kind: Kind::BuildScript, ..Code::checked_in(module, place, Style::default()) }
    }

    /// A type with the derive in a module. `None` if it does not fit the machine: the compiler says why.
    pub fn derive(module: &str, place: &str, item: &DeriveInput, machine: &Machine, sources: &Sources) -> Option<Code> {
        let (style, options) = derive::module_of(item, machine, sources)?;
        let mut strings = BTreeSet::new();
        if let Data::Struct(data) = &item.data {
            let is_string = |ty: &syn::Type| matches!(ty.to_token_stream().to_string().as_str(), "String" | "Option < String >");
            let fields = data.fields.iter().filter(|it| is_string(&it.ty));
            strings.extend(fields.filter_map(|it| it.ident.as_ref()).map(ToString::to_string));
        }
        Some(Code { kind: Kind::Derive, place: place.to_owned(), module: module.to_owned(), style, options, strings })
    }

    /// The code that a project without any Rust for the machine would have.
    pub(super) fn usual(kind: Kind, machine: &str) -> Option<Code> {
        let place = |how: &str| format!("No Rust for `{machine}` was found: this is for {how}.");
        match kind {
            Kind::Derive => None,
            Kind::BuildScript => Some(Code::build_script("crate::machines", &place("a build script, with its modules in `machines`"))),
            Kind::CheckedIn => Some(Code::checked_in(
                "crate::machines",
                &place("`out = \"src/machines\"` below `[rust]` in statespec.toml"),
                Style::default(),
            )),
        }
    }

    /// The order in which a test prefers code: a machine with its context before a bare state.
    pub(super) fn rank(&self) -> (Kind, u8) {
        let form = match &self.options.form {
            Form::Module | Form::Struct(_) => 0,
            Form::Around(_) => 1,
            Form::Enum(_) => 2,
        };
        (self.kind, form)
    }
}
