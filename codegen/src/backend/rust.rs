//! Rust as ordinary files: a module for each machine and system, and the file that declares them.

use std::collections::BTreeMap;
use std::sync::Arc;

use statespec_lang::diagnostic::{Code, Diagnostic, Diagnostics, suggest};
use statespec_lang::model::Model;
use statespec_lang::output::Outputs;
use statespec_lang::read::{Entries, Text};
use statespec_lang::yaml::Node;
use statespec_rust::files::chosen::objections;
use statespec_rust::files::output::{self, Root};
use statespec_rust::lower::held::HELD;
use statespec_rust::{Facade, Serde, Style, unsupported};

use super::{Backend, Configured, Job, Reader, Section};

mod keys {
    use statespec_lang::read::{Entries, Text, spec_types};
    use statespec_lang::source::Spanned;

    spec_types! {
        /// Rust as ordinary files.
        pub struct Rust as "`[rust]`" {
            /// The folder of the modules, such as `src/machines`.
            out: Text,
            /// The file that declares the modules: `mod.rs` if omitted, or `lib.rs` for a separate crate.
            root: Option<Text>,
            /// Serialization with serde: `true`, or the feature of your crate that enables it; none if omitted.
            serde: Option<Text>,
            /// Whether machines have asynchronous hosts, too: `AsyncHost` and `run_async`; `false` if omitted.
            async_host: Option<Spanned<bool>>,
            /// The path of the crate `statespec`; `::statespec` if omitted.
            facade: Option<Text>,
            /// The Rust types of values, by their type in the spec (`int`, `decimal`, `duration`, `timestamp`, `reference`): `timestamp = "jiff::Timestamp"`.
            types: Option<Entries<Text>>,
            /// The Rust types of single fields: `"job.attempts" = "u32"`, or `"job.event.now"` for a field of payloads.
            fields: Option<Entries<Text>>,
        }
    }
}

/// The backend of Rust modules. The derive needs none.
#[derive(Debug)]
pub struct Rust;

/// The modules of a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// The folder of the modules.
    pub out: String,
    /// The file that declares them.
    pub root: Root,
    /// The style of the code.
    pub style: Style,
    /// The keys of `types` and `fields`, for messages.
    pub chosen: Vec<Text>,
}

impl Backend for Rust {
    fn name(&self) -> &'static str {
        "rust"
    }

    fn about(&self) -> &'static str {
        "Rust modules"
    }

    fn section(&self) -> Section {
        Section::table::<keys::Rust>("rust", "Rust as ordinary files; none if omitted. The derive needs no files.")
    }

    fn read(&self, section: Node, reader: &mut Reader<'_>) -> Option<Arc<dyn Configured>> {
        let rust: keys::Rust = reader.keys(section)?;
        let root = match rust.root {
            None => Root::Module,
            Some(it) => reader.choice("root", &it, &[("mod.rs", Root::Module), ("lib.rs", Root::Crate)]),
        };
        let serde = match rust.serde.as_ref().map(|it| it.value.as_str()) {
            None | Some("false") => Serde::Off,
            Some("true") => Serde::On,
            Some(feature) => Serde::Feature(feature.to_owned()),
        };
        let facade = rust.facade.map_or_else(Facade::default, |it| {
            Facade::parse(&it.value).unwrap_or_else(|message| {
                reader.error(it.span, message, "write it as in code, such as `::statespec`");
                Facade::default()
            })
        });
        let async_host = rust.async_host.is_some_and(|it| it.value);
        let (types, fields) = (rust.types.unwrap_or_default(), rust.fields.unwrap_or_default());
        for (name, _) in types.iter() {
            let known = || HELD.iter().copied().chain(["reference"]);
            if !known().any(|it| it == name.value) {
                let help = suggest(&name.value, known()).unwrap_or_else(|| format!("there are {}", known().collect::<Vec<_>>().join(", ")));
                reader.error(name.span, format!("`{}` is no type of values that a type of yours holds", name.value), help);
            }
        }
        let chosen = types.iter().chain(fields.iter()).map(|(name, _)| name.clone()).collect();
        let style = Style { facade, serde, async_host, types: rust_types(types, reader), fields: rust_types(fields, reader) };
        Some(Arc::new(Settings { out: reader.path(rust.out), root, style, chosen }))
    }
}

fn rust_types(types: Entries<Text>, reader: &mut Reader<'_>) -> BTreeMap<String, String> {
    for (_, ty) in types.iter() {
        if let Err(error) = syn::parse_str::<syn::Type>(&ty.value) {
            let help = "write it as in code, with its path: `jiff::Timestamp`";
            reader.error(ty.span, format!("`{}` is no type of Rust: {error}", ty.value), help);
        }
    }
    types.iter().map(|(name, ty)| (name.value.clone(), ty.value.clone())).collect()
}

impl Configured for Settings {
    fn places(&self) -> Vec<String> {
        vec![self.out.clone()]
    }

    fn unsupported(&self, model: &Model) -> Vec<Diagnostic> {
        unsupported(model)
    }

    fn outputs<'a>(&'a self, job: Job<'a>, diagnostics: &mut Diagnostics) -> Outputs<'a> {
        for objection in objections(job.model, &self.style) {
            if let Some(key) = self.chosen.iter().find(|it| it.value == objection.key) {
                diagnostics.push(Diagnostic::new(Code::ConfigInvalid, key.span, objection.message).help(objection.help));
            }
        }
        output::outputs(job.model, &self.out, self.root, &self.style)
    }
}
