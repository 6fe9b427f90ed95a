//! `#[derive(StateMachine)]`, as a function from tokens to tokens.
//!
//! The macro crate finds the spec and calls [`expand`]; everything else is here, where tests can
//! call it. The items come from the emitters of [`crate`], which also emit
//! checked-in modules; this module compares the user's type with the model and reports differences.

mod decimals;
mod enums;
mod errors;
mod foreign;
mod generics;
mod options;
mod structs;
mod types;

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use statespec_lang::check::check;
use statespec_lang::lower::{Loaded, load};
use statespec_lang::model::Machine;
use statespec_lang::names::ident;
use statespec_lang::source::{Input, Sources};
use syn::ext::IdentExt;
use syn::{Data, DeriveInput, LitStr};

use crate::ir::{Form, Part};
use crate::lower::ModuleOptions;
use crate::lower::OuterNames;
use crate::names::{LEAF, types_of};
use crate::{Serde, Style, machine_items, unsupported};
use errors::Errors;
use options::Options;

/// A spec that was found.
#[derive(Debug, Clone)]
pub struct Found {
    /// The contents of the spec.
    pub text: String,
    /// An expression for its path, for `include_bytes!`: an edit of the spec rebuilds the crate.
    pub path: TokenStream,
}

/// A spec that was not found.
#[derive(Debug, Clone)]
pub struct Missing {
    /// The error: the places that were searched.
    pub message: String,
    /// The text of a spec with a similar name. Its states and events suppress follow-on errors.
    pub near: Option<String>,
}

/// The features of the façade on which an expansion depends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Features {
    /// Whether the façade has serde's traits.
    pub serde: bool,
    /// Whether the façade has exact decimals.
    pub decimal: bool,
}

/// Finds the spec that the attribute of a type names.
pub type Find<'a> = &'a dyn Fn(&LitStr, &Ident) -> Result<Found, Missing>;

/// The expansion of `#[derive(StateMachine)]` on a struct or an enum.
///
/// All errors are reported at once, as `compile_error!` with the span of their cause.
pub fn expand(input: TokenStream, find: Find<'_>, features: Features) -> TokenStream {
    let input: DeriveInput = match syn::parse2(input) {
        Ok(input) => input,
        Err(error) => return error.to_compile_error(),
    };
    let mut errors = Errors::default();
    let items = expand_all(&input, find, features, &mut errors);
    let errors = errors.finish();
    quote! { #errors #items }
}

fn expand_all(input: &DeriveInput, find: Find<'_>, features: Features, errors: &mut Errors) -> TokenStream {
    let mut options = Options::read(input, errors);
    if let Some(option) = options.serde.take_if(|_| !features.serde) {
        errors.at(option, "`serde` needs the feature `serde` of the crate `statespec`: enable it in Cargo.toml");
    }
    let Some(path) = &options.path else { return expand_stand_in(input, &options, errors) };
    let found = match find(path, &input.ident) {
        Ok(found) => found,
        Err(missing) => {
            errors.at(path, missing.message);
            let loaded = missing.near.map(|text| load(&[Input { path: path.value(), text }]));
            return match loaded {
                Some(loaded) => expand_stub(input, &options, &loaded, errors),
                None => expand_stand_in(input, &options, errors),
            };
        }
    };
    let included = &found.path;
    let mut tracked = quote! { const _: &[u8] = ::core::include_bytes!(#included); };
    let mut inputs = vec![Input { path: path.value(), text: found.text }];
    for used in statespec_lang::lower::used_files(&inputs[0]) {
        // A file that is not there is reported at the line that uses it.
        if let Ok(found) = find(&LitStr::new(&used, path.span()), &input.ident) {
            let included = &found.path;
            tracked.extend(quote! { const _: &[u8] = ::core::include_bytes!(#included); });
            inputs.push(Input { path: used, text: found.text });
        }
    }
    let loaded = load(&inputs);
    errors.spec(path, &loaded.sources, &loaded.diagnostics);
    let Some(model) = &loaded.model else {
        let items = expand_stub(input, &options, &loaded, errors);
        return quote! { #tracked #items };
    };
    let [machine] = model.machines.as_slice() else {
        let message = format!("`{}` is no machine: a type follows a spec that begins with `machine:`", path.value());
        errors.at(path, message);
        let items = expand_stand_in(input, &options, errors);
        return quote! { #tracked #items };
    };
    let unsupported = unsupported(model);
    if !unsupported.is_empty() {
        errors.spec(path, &loaded.sources, &unsupported);
        let items = expand_machine(input, &options, machine, &loaded.sources, true, &mut Errors::default());
        return quote! { #tracked #items };
    }
    if let (Some(region), Data::Enum(_)) = (machine.first_region(), &input.data) {
        let (region, place) = (machine.state(region), loaded.sources.location(machine.state(region).span));
        let message = format!(
            "`{}` has regions, such as `{}` ({place}), so it may be in several states at once, which no variant is: put the derive on a struct with the field `state: {}State`",
            machine.name, region.name, input.ident
        );
        errors.at(&input.ident, message);
        let items = expand_stand_in(input, &options, errors);
        return quote! { #tracked #items };
    }
    let findings = check(model, &options.levels);
    errors.spec(path, &loaded.sources, &findings);
    let items = match decimals::first(machine).filter(|_| !features.decimal) {
        None => expand_machine(input, &options, machine, &loaded.sources, false, errors),
        Some(place) => {
            let place = loaded.sources.location(place);
            errors.at(
                path,
                format!(
                    "the decimals of this machine ({place}) need the feature `decimal` of the crate `statespec`: enable it in Cargo.toml"
                ),
            );
            expand_machine(input, &options, &decimals::without(machine), &loaded.sources, true, &mut Errors::default())
        }
    };
    quote! { #tracked #items }
}

/// The items without bodies, from what could be read of a spec: they suppress follow-on errors in the code around the type.
fn expand_stub(input: &DeriveInput, options: &Options, loaded: &Loaded, errors: &mut Errors) -> TokenStream {
    let partial = loaded.partial.iter().flat_map(|it| it.broken.iter().chain(&it.valid.machines));
    let mut machines = loaded.model.iter().flat_map(|it| &it.machines).chain(partial);
    match machines.next().filter(|it| !it.states.is_empty()) {
        Some(machine) => expand_machine(input, options, machine, &loaded.sources, true, &mut Errors::default()),
        None => expand_stand_in(input, options, errors),
    }
}

/// What stands in for everything if nothing is known of the spec: types of the usual names whose definition is the first error itself.
///
/// The compiler reports that error where it is, and no other about values of such types, whatever is done with them. The user's own
/// type dereferences to one, so that no method is missing.
fn expand_stand_in(input: &DeriveInput, options: &Options, errors: &mut Errors) -> TokenStream {
    let Some(error) = errors.take_first() else { return quote! {} };
    let own_states = structs::own_states(input, options);
    let (own, prefix) = (&input.ident, prefix(input, options, own_states.as_ref()));
    let vis = options.visibility.clone().unwrap_or_else(|| {
        let vis = &input.vis;
        quote! { #vis }
    });
    let is_enum = matches!(input.data, Data::Enum(_));
    let unknown = quote::format_ident!("__{}", own.unraw());
    // With the types of another enum, everything else is a matter of that enum's derive.
    let stood_in = STOOD_IN.iter().filter(|it| own_states.is_none() && !(is_enum && it.0 == "State"));
    let types = stood_in.map(|(name, has_parameters)| {
        let name = options.names.get(*name).cloned().unwrap_or_else(|| ident(&format!("{prefix}{name}")));
        match has_parameters {
            true => quote! { #vis type #name<Text = &'static str, R = u64> = <[(); #unknown] as ::core::ops::Add<(Text, R)>>::Output; },
            false => quote! { #vis type #name = <[(); #unknown] as ::core::ops::Deref>::Target; },
        }
    });
    let has = |part| !options.skip.contains(&part);
    let (names, traits) = match is_enum {
        true => (
            vec!["ALL", "INITIAL"],
            vec![
                has(Part::Display).then(|| {
                    quote! {
                        impl ::core::fmt::Display for #own {
                            fn fmt(&self, _: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                                ::core::panic!()
                            }
                        }
                    }
                }),
                has(Part::FromStr).then(|| {
                    quote! {
                        impl ::core::str::FromStr for #own {
                            type Err = <[(); #unknown] as ::core::ops::Deref>::Target;

                            fn from_str(_: &str) -> ::core::result::Result<Self, Self::Err> {
                                ::core::panic!()
                            }
                        }
                    }
                }),
            ],
        ),
        false if has(Part::New) => (vec!["new", "create", "create_with", "create_as"], Vec::new()),
        false => Default::default(),
    };
    let names = names.into_iter().map(ident);
    let (parameters, arguments, bounds) = input.generics.split_for_impl();
    quote! {
        #[allow(non_upper_case_globals)]
        const #unknown: usize = #error;

        #(
            #[allow(dead_code)]
            #types
        )*

        #[allow(dead_code, non_upper_case_globals)]
        impl #parameters #own #arguments #bounds {
            #(#vis const #names: <[(); #unknown] as ::core::ops::Deref>::Target = ::core::panic!();)*
        }

        impl #parameters ::core::ops::Deref for #own #arguments #bounds {
            type Target = <[(); #unknown] as ::core::ops::Deref>::Target;

            fn deref(&self) -> &Self::Target {
                ::core::panic!()
            }
        }

        impl #parameters ::core::ops::DerefMut for #own #arguments #bounds {
            fn deref_mut(&mut self) -> &mut Self::Target {
                ::core::panic!()
            }
        }

        #(#traits)*
    }
}

/// The types that stand in, and whether they have parameters.
const STOOD_IN: &[(&str, bool)] = &[
    ("Actor", false),
    ("Change", false),
    ("Composite", false),
    ("Effect", true),
    ("EffectKind", false),
    ("Event", true),
    ("EventKind", false),
    (LEAF, false),
    ("Recorded", true),
    ("Refused", false),
    ("Row", false),
    ("State", false),
    ("Timers", false),
];

/// The items; without bodies (`stub`) if there are errors.
fn expand_machine(
    input: &DeriveInput,
    options: &Options,
    machine: &Machine,
    sources: &Sources,
    stub: bool,
    errors: &mut Errors,
) -> TokenStream {
    let names = Names::new(input, options, machine);
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
    types::check(&context, &form, errors);
    if let (Some(option), Some(_), false) = (&options.typestate, form.own_enum(), machine.fields.is_empty()) {
        errors.at(option, "guards of this machine read a context: put `typestate` on the struct that has it");
    }
    if let (Some(option), Form::Struct(_)) = (&options.context, &form) {
        errors.at(option, "the fields of the struct are the context: remove this option, or put the derive on an enum");
    }
    let serde = if options.serde.is_some() { Serde::On } else { Serde::Off };
    let style = Style { facade: options.facade.clone(), serde, async_host: options.async_host, ..Style::default() };
    let stub = stub || errors.len() > n_errors;
    let items = machine_items(machine, &style, &request(input, options, &names, form, stub));
    let checks = (!stub).then_some(checks);
    quote! { #items #checks }
}

fn request(input: &DeriveInput, options: &Options, names: &Names, form: Form, stub: bool) -> ModuleOptions {
    let visibility = options.visibility.clone().unwrap_or_else(|| {
        let visibility = &input.vis;
        quote! { #visibility }
    });
    ModuleOptions {
        form,
        prefix: names.prefix.clone(),
        types: names.types.clone(),
        own: Some(input.ident.clone()),
        skip: options.skip.clone(),
        typestate: options.typestate.is_some() && input.generics.params.is_empty(),
        stub,
        visibility,
        attributes: options.attributes.clone(),
        own_types: types::own_types(options),
    }
}

/// The spec that a type names; `None` if it has no such derive, or if its options are wrong.
pub fn spec_of(input: &DeriveInput) -> Option<String> {
    let mut derives = false;
    for attribute in input.attrs.iter().filter(|it| it.path().is_ident("derive")) {
        // Any path is possible: `statespec::StateMachine`.
        let read = attribute.parse_nested_meta(|meta| {
            derives |= meta.path.segments.last().is_some_and(|it| it.ident == "StateMachine");
            Ok(())
        });
        read.ok()?;
    }
    let mut errors = Errors::default();
    let path = Options::read(input, &mut errors).path;
    let is_right = errors.len() == 0;
    path.filter(|_| derives && is_right).map(|it| it.value())
}

/// What the derive emits for a type that follows a machine; `None` if the type does not fit.
pub fn module_of(input: &DeriveInput, machine: &Machine, sources: &Sources) -> Option<(Style, ModuleOptions)> {
    let mut errors = Errors::default();
    let options = Options::read(input, &mut errors);
    let names = Names::new(input, &options, machine);
    let context = Context { machine, sources, options: &options, names: &names };
    let (form, _) = match &input.data {
        Data::Struct(data) => structs::form(&context, input, data, &mut errors),
        Data::Enum(data) => enums::form(&context, input, data, &mut errors),
        Data::Union(_) => None,
    }?;
    let style = Style { facade: options.facade.clone(), serde: Serde::Off, async_host: options.async_host, ..Style::default() };
    (errors.len() == 0).then(|| (style, request(input, &options, &names, form, false)))
}

/// A form, and the checks that are left to the compiler; `None` if there can be no machine.
type Held = Option<(Form, TokenStream)>;

/// The input that determines a form.
struct Context<'a> {
    machine: &'a Machine,
    sources: &'a Sources,
    options: &'a Options,
    names: &'a Names,
}

impl Context<'_> {
    /// `machines/job.yaml:7:3`, for a note.
    fn location(&self, span: statespec_lang::source::Span) -> String {
        self.sources.location(span)
    }
}

/// The names of emitted types.
struct Names {
    prefix: String,
    types: std::collections::BTreeMap<String, Ident>,
    /// The types of the enums, in the order of the spec.
    enums: Vec<Ident>,
    /// Whether the user's enum has the states of the user's struct.
    has_own_states: bool,
}

/// The prefix of emitted types: what the derive of an enum emits has the names of the enum, also for the struct with that enum.
fn prefix(input: &DeriveInput, options: &Options, own_states: Option<&Ident>) -> String {
    options.prefix.clone().unwrap_or_else(|| own_states.unwrap_or(&input.ident).unraw().to_string())
}

impl Names {
    fn new(input: &DeriveInput, options: &Options, machine: &Machine) -> Names {
        let own_states = structs::own_states(input, options);
        let prefix = prefix(input, options, own_states.as_ref());
        let mut types: std::collections::BTreeMap<_, _> =
            types_of(machine).map(|name| (name.to_owned(), ident(&format!("{prefix}{name}")))).collect();
        types.extend(options.names.iter().map(|(name, ident)| (name.clone(), ident.clone())));
        if matches!(input.data, Data::Enum(_)) {
            types.insert("State".to_owned(), input.ident.clone());
        }
        let has_own_states = own_states.is_some();
        if let Some(states) = own_states {
            types.insert("State".to_owned(), states);
        }
        let enums = OuterNames::of_derive(machine, &prefix, Some(&input.ident), types.values().cloned()).enums;
        Names { prefix, types, enums, has_own_states }
    }

    /// The name of the state type.
    fn state(&self) -> String {
        self.types["State"].to_string()
    }

    /// The name of the type of a single leaf: another one in a machine with regions.
    fn leaf(&self) -> String {
        self.types.get(LEAF).map_or_else(|| self.state(), Ident::to_string)
    }
}
