//! `#[derive(StateMachine)]`, as a function from tokens to tokens.
//!
//! The macro crate finds the spec and calls [`expand`]; everything else is here, where tests can
//! call it. The items come from the emitters of [`crate::backend::rust`], the same that make
//! checked-in modules; this module holds the user's type against the model and says what differs.

mod enums;
mod errors;
mod foreign;
mod options;
mod structs;

use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt;
use syn::{Data, DeriveInput, LitStr};

use crate::backend::rust::ir::Form;
use crate::backend::rust::lower::ModuleOptions;
use crate::backend::rust::names::TYPES;
use crate::backend::rust::{Serde, Style, machine_items};
use crate::check::check;
use crate::lower::load;
use crate::model::Machine;
use crate::names::ident;
use crate::source::{Input, Sources};
use errors::Errors;
use options::Options;

/// A spec that was found.
#[derive(Debug, Clone)]
pub struct Found {
    /// What it says.
    pub text: String,
    /// An expression for its path, for `include_bytes!`: editing the spec builds the crate again.
    pub path: TokenStream,
}

/// Finds the spec that an attribute names, or says where it was looked for.
pub type Find<'a> = &'a dyn Fn(&LitStr) -> Result<Found, String>;

/// What `#[derive(StateMachine)]` makes of a struct or an enum.
///
/// All errors come out at once, as `compile_error!` with the span of what is to blame.
pub fn expand(input: TokenStream, find: Find<'_>) -> TokenStream {
    let input: DeriveInput = match syn::parse2(input) {
        Ok(input) => input,
        Err(error) => return error.to_compile_error(),
    };
    let mut errors = Errors::default();
    let items = expand_all(&input, find, &mut errors);
    let errors = errors.finish();
    quote! { #errors #items }
}

fn expand_all(input: &DeriveInput, find: Find<'_>, errors: &mut Errors) -> TokenStream {
    let options = Options::read(input, errors);
    let Some(path) = &options.path else { return expand_stand_in(input, &options) };
    let found = match find(path) {
        Ok(found) => found,
        Err(message) => {
            errors.at(path, message);
            return expand_stand_in(input, &options);
        }
    };
    let included = &found.path;
    let tracked = quote! { const _: &[u8] = ::core::include_bytes!(#included); };
    let loaded = load(&[Input { path: path.value(), text: found.text }]);
    errors.spec(path, &loaded.sources, &loaded.diagnostics);
    let Some(model) = &loaded.model else {
        // With the states that could be made out, the code around the type still means something.
        let machine = loaded.draft.as_ref().and_then(|it| it.machines.first()).filter(|it| !it.states.is_empty());
        let items = match machine {
            Some(machine) => expand_machine(input, &options, machine, &loaded.sources, true, &mut Errors::default()),
            None => expand_stand_in(input, &options),
        };
        return quote! { #tracked #items };
    };
    let [machine] = model.machines.as_slice() else {
        let message = format!("`{}` is no machine: a type follows a spec that begins with `machine:`", path.value());
        errors.at(path, message);
        let items = expand_stand_in(input, &options);
        return quote! { #tracked #items };
    };
    let findings = check(model, &options.levels);
    errors.spec(path, &loaded.sources, &findings);
    let items = expand_machine(input, &options, machine, &loaded.sources, false, errors);
    quote! { #tracked #items }
}

/// Types of the right names where there is no spec to be had.
fn expand_stand_in(input: &DeriveInput, options: &Options) -> TokenStream {
    let states: Vec<String> = match &input.data {
        Data::Enum(data) => data.variants.iter().map(|it| it.ident.unraw().to_string()).collect(),
        _ => vec!["unknown".to_owned()],
    };
    let states = states.iter().enumerate().map(|(idx, name)| format!("  \"{name}\": {{ initial: {} }}\n", idx == 0));
    let text = format!("machine: unknown\nstates:\n{}events: {{ unknown: }}\ntransitions: []\n", states.collect::<String>());
    let loaded = load(&[Input { path: String::new(), text }]);
    // Variants that no spec could tell apart have nothing to stand in for.
    let Some(machine) = loaded.model.as_ref().and_then(|it| it.machines.first()) else { return quote! {} };
    expand_machine(input, options, machine, &loaded.sources, true, &mut Errors::default())
}

/// The items; without bodies (`stub`) where something is wrong already.
fn expand_machine(
    input: &DeriveInput,
    options: &Options,
    machine: &Machine,
    sources: &Sources,
    stub: bool,
    errors: &mut Errors,
) -> TokenStream {
    let names = Names::new(input, options);
    let n_errors = errors.len();
    let context = Context { machine, sources, options, names: &names };
    let held = match &input.data {
        Data::Struct(data) => structs::form(&context, input, data, errors),
        Data::Enum(data) => enums::form(&context, input, data, errors),
        Data::Union(_) => {
            errors.at(&input.ident, "a machine is a struct or an enum");
            None
        }
    };
    let Some((form, checks)) = held else { return quote! {} };
    if let (Some(option), Form::Enum(_), false) = (&options.typestate, &form, machine.fields.is_empty()) {
        errors.at(option, "guards of this machine read a context: put `typestate` on the struct that has it");
    }
    let style = Style { facade: options.facade.clone(), serde: if options.serde { Serde::On } else { Serde::Off } };
    let stub = stub || errors.len() > n_errors;
    let visibility = options.visibility.clone().unwrap_or_else(|| {
        let visibility = &input.vis;
        quote! { #visibility }
    });
    let request = ModuleOptions {
        form,
        prefix: names.prefix.clone(),
        types: names.types.clone(),
        own: Some(input.ident.clone()),
        skip: options.skip.clone(),
        typestate: options.typestate.is_some(),
        stub,
        visibility,
        attributes: options.attributes.clone(),
    };
    let items = machine_items(machine, &style, &request);
    let checks = (!stub).then_some(checks);
    quote! { #items #checks }
}

/// A form, and what is left for the compiler to check; `None` where there can be no machine.
type Held = Option<(Form, TokenStream)>;

/// What a form is decided by.
struct Context<'a> {
    machine: &'a Machine,
    sources: &'a Sources,
    options: &'a Options,
    names: &'a Names,
}

impl Context<'_> {
    /// `machines/job.yaml:7:3`, for a note.
    fn location(&self, span: crate::source::Span) -> String {
        self.sources.location(span)
    }
}

/// What emitted types are called.
struct Names {
    prefix: String,
    types: std::collections::BTreeMap<String, proc_macro2::Ident>,
}

impl Names {
    fn new(input: &DeriveInput, options: &Options) -> Names {
        let own = input.ident.to_string();
        let prefix = options.prefix.clone().unwrap_or_else(|| own.trim_start_matches("r#").to_owned());
        let mut types: std::collections::BTreeMap<_, _> =
            TYPES.iter().map(|name| ((*name).to_owned(), ident(&format!("{prefix}{name}")))).collect();
        types.extend(options.names.iter().map(|(name, ident)| (name.clone(), ident.clone())));
        if matches!(input.data, Data::Enum(_)) {
            types.insert("State".to_owned(), input.ident.clone());
        }
        Names { prefix, types }
    }

    /// The name of the state type.
    fn state(&self) -> String {
        self.types["State"].to_string()
    }
}
