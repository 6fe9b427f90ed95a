//! `#[machine("machines/job.yaml", prefix = "Job", …)]`.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use statespec_lang::diagnostic::{Levels, suggest};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, DeriveInput, LitStr, Path, Token, parenthesized};

use super::errors::Errors;
use crate::Facade;
use crate::ir::Part;
use crate::lower::held::HELD;
use crate::names::TYPES;

/// The options in the attributes of a type.
pub(super) struct Options {
    /// The spec.
    pub(super) path: Option<LitStr>,
    /// The path of the façade crate.
    pub(super) facade: Facade,
    /// The visibility of emitted items; that of the type if omitted.
    pub(super) visibility: Option<TokenStream>,
    /// The prefix of emitted types; the name of the type if omitted.
    pub(super) prefix: Option<String>,
    /// Names of single types.
    pub(super) names: BTreeMap<String, Ident>,
    /// Derives of single types.
    pub(super) attributes: BTreeMap<String, TokenStream>,
    /// The parts that are omitted.
    pub(super) skip: BTreeSet<Part>,
    /// The type of references.
    pub(super) reference: Option<syn::Type>,
    /// The types that hold values, by their type in the spec.
    pub(super) types: Vec<(Ident, syn::Type)>,
    /// The types of single fields, by the name in the spec.
    pub(super) fields: Vec<(LitStr, syn::Type)>,
    /// The levels of lints.
    pub(super) levels: Levels,
    /// Whether serde, strum or sqlx may use names of states that differ from the spec.
    pub(super) foreign_names: bool,
    /// The span of the option that requests a type for each state.
    pub(super) typestate: Option<Ident>,
    /// Whether there is an asynchronous host, too.
    pub(super) async_host: bool,
    /// Whether emitted types implement serde's traits.
    pub(super) serde: Option<Ident>,
    /// The span of the option that requests a context for an enum.
    pub(super) context: Option<Ident>,
}

/// The options, for messages.
const OPTIONS: &[&str] = &[
    "spec",
    "prefix",
    "names",
    "vis",
    "derive",
    "skip",
    "reference",
    "types",
    "fields",
    "typestate",
    "context",
    "async_host",
    "serde",
    "allow",
    "foreign_names",
    "crate",
];

const PARTS: &[(&str, Part)] = &[
    ("new", Part::New),
    ("run", Part::Run),
    ("machine", Part::Machine),
    ("display", Part::Display),
    ("from_str", Part::FromStr),
    ("allows", Part::Allows),
    ("is_terminal", Part::IsTerminal),
    ("is_sink", Part::IsSink),
    ("label", Part::Label),
    ("doc", Part::Doc),
];

impl Options {
    /// Reads all `#[machine(…)]` of a type.
    pub(super) fn read(input: &DeriveInput, errors: &mut Errors) -> Options {
        let mut options = Options {
            path: None,
            facade: Facade::default(),
            visibility: None,
            prefix: None,
            names: BTreeMap::new(),
            attributes: BTreeMap::new(),
            skip: BTreeSet::new(),
            reference: None,
            types: Vec::new(),
            fields: Vec::new(),
            levels: Levels::default(),
            foreign_names: false,
            typestate: None,
            async_host: false,
            serde: None,
            context: None,
        };
        let mut found = false;
        for attribute in machine_attributes(&input.attrs) {
            found = true;
            match attribute.parse_args_with(Punctuated::<Argument, Token![,]>::parse_terminated) {
                Ok(read) => read.into_iter().for_each(|it| options.take(it, errors)),
                Err(error) => errors.push(error),
            }
        }
        if options.path.is_none() && (!found || errors.len() == 0) {
            errors.at(&input.ident, "which machine? name its spec: `#[machine(\"machines/….yaml\")]`");
        }
        options
    }

    fn take(&mut self, option: Argument, errors: &mut Errors) {
        match option {
            Argument::Spec(path) if self.path.is_some() => errors.at(path, "a type follows one machine: this is the second spec"),
            Argument::Spec(path) => self.path = Some(path),
            Argument::Prefix(prefix) => self.prefix = Some(prefix),
            Argument::Names(names) => self.names.extend(names),
            Argument::Visibility(visibility) => self.visibility = Some(visibility),
            Argument::Derive(attributes) => self.attributes.extend(attributes),
            Argument::Skip(parts) => self.skip.extend(parts),
            Argument::Reference(ty) => self.reference = Some(*ty),
            Argument::Types(types) => {
                for (name, ty) in types {
                    match name == "reference" {
                        true => self.reference = Some(ty),
                        false => self.types.push((name, ty)),
                    }
                }
            }
            Argument::Fields(fields) => self.fields.extend(fields),
            Argument::ForeignNames => self.foreign_names = true,
            Argument::Typestate(name) => self.typestate = Some(name),
            Argument::AsyncHost => self.async_host = true,
            Argument::Context(name) => self.context = Some(name),
            Argument::Serde(name) => self.serde = Some(name),
            Argument::Allow(lints) => {
                for lint in lints {
                    if let Err(error) = self.levels.set(&lint.to_string().replace('_', "-"), "allow") {
                        errors.at(lint, error.to_string());
                    }
                }
            }
            Argument::Facade(path) => self.facade = path,
        }
    }
}

/// The `#[machine(…)]` among attributes.
pub(super) fn machine_attributes(attributes: &[Attribute]) -> impl Iterator<Item = &Attribute> {
    attributes.iter().filter(|it| it.path().is_ident("machine"))
}

/// A parsed option.
enum Argument {
    Spec(LitStr),
    Prefix(String),
    Names(Vec<(String, Ident)>),
    Visibility(TokenStream),
    Derive(Vec<(String, TokenStream)>),
    Skip(Vec<Part>),
    Reference(Box<syn::Type>),
    Types(Vec<(Ident, syn::Type)>),
    Fields(Vec<(LitStr, syn::Type)>),
    AsyncHost,
    Context(Ident),
    Serde(Ident),
    ForeignNames,
    Typestate(Ident),
    Allow(Vec<Ident>),
    Facade(Facade),
}

impl Parse for Argument {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(LitStr) {
            return Ok(Argument::Spec(input.parse()?));
        }
        let name = input.call(Ident::parse_any)?;
        Ok(match name.to_string().as_str() {
            "spec" => Argument::Spec(value(input)?),
            "prefix" => {
                let prefix: LitStr = value(input)?;
                let fits = prefix.value().is_empty() || syn::parse_str::<Ident>(&prefix.value()).is_ok();
                if !fits {
                    return Err(syn::Error::new_spanned(prefix, "a prefix begins the names of types"));
                }
                Argument::Prefix(prefix.value())
            }
            "names" => Argument::Names(list(input, |input| {
                let name = type_name(input)?;
                input.parse::<Token![=]>()?;
                let ident: LitStr = input.parse()?;
                Ok((name, ident.parse()?))
            })?),
            "vis" => {
                let visibility: syn::Visibility = value::<LitStr>(input)?.parse()?;
                Argument::Visibility(quote! { #visibility })
            }
            "derive" => Argument::Derive(list(input, |input| {
                let name = type_name(input)?;
                let content;
                parenthesized!(content in input);
                let paths = Punctuated::<Path, Token![,]>::parse_terminated(&content)?;
                Ok((name, quote! { #[derive(#paths)] }))
            })?),
            "skip" => Argument::Skip(list(input, |input| {
                let name: Ident = input.call(Ident::parse_any)?;
                let known = PARTS.iter().find(|(part, _)| name == part);
                known.map(|(_, part)| *part).ok_or_else(|| unknown(&name, "part", PARTS.iter().map(|it| it.0)))
            })?),
            "reference" => Argument::Reference(Box::new(value::<LitStr>(input)?.parse()?)),
            "types" => Argument::Types(list(input, |input| {
                let name: Ident = input.call(Ident::parse_any)?;
                let known = || HELD.iter().copied().chain(["reference"]);
                if !known().any(|it| name == it) {
                    return Err(unknown(&name, "type of values", known()));
                }
                Ok((name, value::<LitStr>(input)?.parse()?))
            })?),
            "fields" => Argument::Fields(list(input, |input| {
                let name = match input.peek(LitStr) {
                    true => input.parse()?,
                    false => {
                        let name = input.call(Ident::parse_any)?;
                        LitStr::new(&name.unraw().to_string(), name.span())
                    }
                };
                Ok((name, value::<LitStr>(input)?.parse()?))
            })?),
            "typestate" => Argument::Typestate(name),
            "context" => Argument::Context(name),
            "async_host" => Argument::AsyncHost,
            "serde" => Argument::Serde(name),
            "foreign_names" => Argument::ForeignNames,
            "allow" => Argument::Allow(list(input, Ident::parse_any)?),
            "crate" => {
                let path: LitStr = value(input)?;
                let parsed: Path = path.parse()?;
                let text: String = quote! { #parsed }.to_string().split_whitespace().collect();
                Argument::Facade(Facade::parse(&text).map_err(|message| syn::Error::new_spanned(path, message))?)
            }
            _ => return Err(unknown(&name, "option", OPTIONS.iter().copied())),
        })
    }
}

/// `= value`
fn value<T: Parse>(input: ParseStream<'_>) -> syn::Result<T> {
    input.parse::<Token![=]>()?;
    input.parse()
}

/// `(item, item)`
fn list<T>(input: ParseStream<'_>, item: fn(ParseStream<'_>) -> syn::Result<T>) -> syn::Result<Vec<T>> {
    let content;
    parenthesized!(content in input);
    Ok(content.parse_terminated(item, Token![,])?.into_iter().collect())
}

/// One of the emitted types.
fn type_name(input: ParseStream<'_>) -> syn::Result<String> {
    let name: Ident = input.parse()?;
    let types = || TYPES.iter().copied();
    if types().any(|it| name == it) { Ok(name.to_string()) } else { Err(unknown(&name, "type", types())) }
}

/// The error for an unknown name in quotes.
pub(super) fn unknown_name<'a>(name: &LitStr, what: &str, known: impl Iterator<Item = &'a str> + Clone) -> syn::Error {
    let help = suggest(&name.value(), known).map_or_else(String::new, |it| format!("; {it}"));
    syn::Error::new_spanned(name, format!("there is no {what} `{}`{help}", name.value()))
}

/// The error for an unknown option: `prefx` is no option; did you mean `prefix`?
pub(super) fn unknown<'a>(name: &Ident, what: &str, known: impl Iterator<Item = &'a str> + Clone) -> syn::Error {
    // `async` is one of the words of `async_host`.
    let is_word = |known: &&str| known.split('_').any(|it| name == it);
    let help = match known.clone().find(is_word) {
        Some(near) => Some(format!("did you mean `{near}`?")),
        None => suggest(&name.to_string(), known),
    };
    let help = help.map_or_else(String::new, |it| format!("; {it}"));
    syn::Error::new_spanned(name, format!("there is no {what} `{name}`{help}"))
}
