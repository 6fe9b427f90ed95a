//! The derive as a function: it never panics, and it emits the same code as the checked-in modules.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use proc_macro2::TokenStream;
use quote::quote;
use statespec_rust::derive::{Features, Found, expand};

/// Expands an item whose attribute names a spec with this text.
fn expand_with(text: &str, item: TokenStream) -> TokenStream {
    expand(item, &|_, _| Ok(Found { text: text.to_owned(), path: quote! { "spec.yaml" } }), Features { serde: true, decimal: true })
}

/// Whether an item reports an error: by itself, or as the constant of which everything unknown is made.
fn is_error(item: &syn::Item) -> bool {
    let reports = |mac: &syn::Macro| mac.path.segments.last().is_some_and(|it| it.ident == "compile_error");
    match item {
        syn::Item::Macro(it) => reports(&it.mac),
        syn::Item::Const(it) => matches!(&*it.expr, syn::Expr::Macro(it) if reports(&it.mac)),
        _ => false,
    }
}

#[test]
fn decimals_without_their_feature_are_one_error() {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/ui/specs/job.yaml")).unwrap();
    let find: statespec_rust::derive::Find<'_> = &|_, _| Ok(Found { text: text.clone(), path: quote! { "spec.yaml" } });
    let item = quote! { #[machine("spec.yaml", context)] enum Job { Queued, Running, InReview, Done } };
    let tokens = expand(item, find, Features { serde: true, decimal: false });
    let file: syn::File = syn::parse2(tokens.clone()).unwrap();
    assert_eq!(file.items.iter().filter(|it| is_error(it)).count(), 1, "{tokens}");
    let code = tokens.to_string();
    assert!(code.contains("the decimals of this machine (spec.yaml:"), "{code}");
    assert!(!code.contains("Decimal") && !code.contains("decimal ("), "nothing else needs the feature: {code}");
}

#[test]
fn an_enum_is_no_machine_with_regions() {
    let text = "machine: keys
regions:
  caps: { states: { lower: { initial: true }, upper: {} } }
  num: { states: { off: { initial: true }, on: {} } }
events: [press]
transitions:
  - { from: lower, event: press, to: upper }
  - { from: upper, event: press, to: lower }
  - { from: off, event: press, to: on }
  - { from: on, event: press, to: off }
";
    let item = quote! { #[machine("spec.yaml")] enum Keys { Lower, Upper, Off, On } };
    let tokens = expand_with(text, item);
    let file: syn::File = syn::parse2(tokens.clone()).unwrap();
    assert_eq!(file.items.iter().filter(|it| is_error(it)).count(), 1, "{tokens}");
    assert!(tokens.to_string().contains("`keys` has regions, such as `caps` (spec.yaml:3:3)"), "{tokens}");
    let item = quote! { #[machine("spec.yaml")] struct Keys { state: KeysState } };
    let tokens = expand_with(text, item);
    let file: syn::File = syn::parse2(tokens.clone()).unwrap();
    assert!(!file.items.iter().any(is_error), "{tokens}");
}

fn files(folder: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut paths: Vec<PathBuf> = std::fs::read_dir(root).unwrap().map(|it| it.unwrap().path()).collect();
    paths.retain(|it| it.extension().is_some_and(|it| it == "yaml"));
    paths.sort();
    paths
}

#[test]
fn every_wrong_spec_gets_its_messages_and_stand_ins() {
    let paths = files("tests/fixtures/bad");
    assert!(paths.len() > 20);
    for path in paths {
        let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
        let items = [
            quote! { #[machine("spec.yaml")] struct Job { state: JobState } },
            quote! { #[machine("spec.yaml")] enum JobState { Open, Closed } },
        ];
        for item in items {
            let tokens = expand_with(&text, item);
            let file: syn::File = syn::parse2(tokens.clone()).unwrap_or_else(|error| panic!("{}: {error}\n{tokens}", path.display()));
            assert!(file.items.iter().any(is_error), "{}", path.display());
            assert!(file.items.iter().any(|it| matches!(it, syn::Item::Impl(_))), "{}: nothing stands in", path.display());
        }
    }
}

fn spec(machine: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../machines").join(format!("{machine}.yaml"))).unwrap()
}

fn pretty(tokens: TokenStream) -> String {
    prettyplease::unparse(&syn::parse2(tokens).unwrap())
}

/// The three machines whose expansions are compared: without a context, with texts and effects, nested.
fn forms() -> Vec<(&'static str, TokenStream, TokenStream)> {
    vec![
        (
            "agent_run",
            quote! { struct AgentRun { state: State } },
            quote! { enum State { Queued, Running, Correcting, Optimizing, Validating, Complete, Failed, Cancelled } },
        ),
        (
            "mysis",
            quote! { struct Mysis { state: State, nudge_failures: i64, last_error: Option<String> } },
            quote! { enum State { Idle, Running, Stopped, Errored } },
        ),
        (
            "resource",
            quote! {
                struct Resource {
                    state: State,
                    attention_weight: ::statespec::Decimal,
                    last_accessed: Option<::statespec::Timestamp>,
                    size_tokens: i64,
                    category: Category,
                }
            },
            quote! { enum State { Unknown, Cold, Loaded, Hot, Indexed, Offline } },
        ),
    ]
}

#[test]
fn expansions_read_well() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("snapshots/derive");
    settings.set_prepend_module_to_snapshot(false);
    settings.bind(|| {
        for (machine, on_struct, on_enum) in forms() {
            let path = format!("machines/{machine}.yaml");
            for (form, item) in [("struct", on_struct), ("enum", on_enum)] {
                let tokens = expand_with(&spec(machine), quote! { #[machine(#path)] pub #item });
                insta::assert_snapshot!(format!("{machine}_{form}"), pretty(tokens));
            }
        }
    });
}

/// `change` would be `OrderChange`, which is the change of the machine `Order`.
#[test]
fn a_field_has_the_type_that_the_expansion_gives_its_enum() {
    let text = "machine: order\nenums: { change: [minor, major] }\ncontext: { last: { type: change, default: minor } }\n\
                states: { open: { initial: true }, closed: { terminal: true } }\nevents: { close: { payload: { kind: change } } }\n\
                transitions: [{ from: open, event: close, to: closed, set: { last: kind } }]\n";
    let item = quote! { #[machine("order.yaml")] struct Order { state: OrderState, last: OrderChange_ } };
    let code = pretty(expand_with(text, item));
    assert!(code.contains("enum OrderChange_ {"), "{code}");
    assert!(code.contains("const _: fn(&Order) -> &OrderChange_ = |it| &it.last;"), "{code}");
    assert!(!code.contains("compile_error"), "{code}");
}

/// The state is the machine: one `apply` reads an attribute, the other applies an event.
#[test]
fn an_attribute_of_an_enum_leaves_the_methods_of_the_machine_alone() {
    let text = "machine: order\nattributes: { apply: { type: bool, default: true } }\n\
                states: { open: { initial: true }, closed: { terminal: true } }\nevents: { close: }\n\
                transitions: [{ from: open, event: close, to: closed }]\n";
    let code = pretty(expand_with(text, quote! { #[machine("order.yaml")] enum Order { Open, Closed } }));
    assert_eq!(code.matches("fn apply(").count(), 1, "{code}");
    assert!(code.contains("fn apply_(self) -> bool"), "{code}");
}

/// The items of a file, and the members of its `impl` blocks, each as formatted text.
///
/// Some checked-in code differs because of the user's own type, and is rewritten:
/// a context beside the state, texts of any type, short names of the prelude and of the façade.
fn units(file: syn::File) -> BTreeMap<String, String> {
    let mut units = BTreeMap::new();
    let mut add = |item: syn::Item, name: String| {
        let text = prettyplease::unparse(&syn::File { shebang: None, attrs: Vec::new(), items: vec![item], frontmatter: None });
        // The length of names decides where a line breaks.
        let mut text =
            text.split_whitespace().collect::<String>().replace(",)", ")").replace(",]", "]").replace(",}", "}").replace(",>", ">");
        let respelled = [
            ("#[allow(dead_code)]", ""),
            ("#[automatically_derived]", ""),
            ("::core::option::Option::", ""),
            ("::core::result::Result::", ""),
            ("::core::option::", ""),
            ("::core::result::", ""),
            ("::core::marker::", ""),
            ("::core::convert::", ""),
            ("::core::clone::", ""),
            ("::core::matches!", "matches!"),
            ("::core::format_args!", "format_args!"),
            ("#[cfg(feature=\"serde\")]", ""),
            ("use::statespec::__private::Outcome;", ""),
            ("use::statespec::{Source,Target,Transition,Trigger};", ""),
            ("use::statespec::Transition;", ""),
            ("::statespec::__private::Outcome::", "Outcome::"),
            ("::statespec::Source::", "Source::"),
            ("::statespec::Target::", "Target::"),
            ("::statespec::Transition::", "Transition::"),
            ("::statespec::Trigger::", "Trigger::"),
            ("self.context.", "self."),
            ("self.state", "*self"),
            ("&'estr", "&str"),
            ("impl<'e>", "impl"),
            ("#[cfg_attr(feature=\"serde\",derive(", "#[derive("),
            ("),serde(", ")]#[serde("),
            ("#[cfg_attr(feature=\"serde\",serde(", "#[serde("),
            ("\"))]", "\")]"),
            ("<Text>", ""),
            ("<Text=&'staticstr>", ""),
            ("<Text,H:", "<H:"),
            ("[Text=&'staticstr],[Text],[Text]", "[],[],[]"),
        ];
        respelled.iter().for_each(|(from, to)| text = text.replace(from, to));
        units.insert(without_braces_of_arms(text), name);
    };
    for item in file.items {
        match item {
            syn::Item::Impl(syn::ItemImpl { trait_, self_ty, items, .. }) => {
                let of = trait_.map(|(path, _)| quote! { #path for });
                for member in items {
                    let name = match &member {
                        syn::ImplItem::Fn(it) => it.sig.ident.to_string(),
                        _ => String::new(),
                    };
                    add(syn::parse2(quote! { impl #of #self_ty { #member } }).unwrap(), name);
                }
            }
            syn::Item::Struct(it) => {
                let name = it.ident.to_string();
                add(syn::Item::Struct(it), name);
            }
            item => add(item, String::new()),
        }
    }
    units
}

/// The length of a line decides whether an expression of a match arm has braces.
fn without_braces_of_arms(mut text: String) -> String {
    let mut start = 0;
    while let Some(at) = text[start..].find("=>{") {
        let open = start + at + 2;
        let mut depth = 0;
        let closes = |(_, character): &(usize, char)| {
            depth += i32::from(*character == '{') - i32::from(*character == '}');
            depth == 0
        };
        let length = text[open..].char_indices().find(closes).expect("braces are in pairs").0;
        let (inner, rest) = (&text[open + 1..open + length], &text[open + length + 1..]);
        start = open;
        if inner.contains(';') {
            start += 1;
            continue;
        }
        let comma = if rest.starts_with('}') { "" } else { "," };
        text = format!("{}{inner}{comma}{rest}", &text[..open]);
    }
    text
}

/// A module as the derive of an enum has it: without values of effects, the docs of each are at its kind, which has no message.
fn with_docs_at_kinds(mut file: syn::File) -> syn::File {
    let variants = |item: &syn::Item| match item {
        syn::Item::Enum(it) if it.ident == "Effect" => Some(it.variants.clone()),
        _ => None,
    };
    let Some(values) = file.items.iter().find_map(variants) else { return file };
    for item in &mut file.items {
        if let syn::Item::Enum(kinds) = item
            && kinds.ident == "EffectKind"
        {
            for (kind, value) in kinds.variants.iter_mut().zip(&values) {
                assert_eq!(kind.ident, value.ident);
                let of_message = value.attrs.iter().position(|it| quote! { #it }.to_string().contains("\" The message is `"));
                // An empty line comes before it.
                kind.attrs = value.attrs[..of_message.map_or(value.attrs.len(), |it| it - 1)].to_vec();
            }
        }
    }
    file
}

/// Derive, build script and checked-in modules share the same emitters: they emit the same tokens.
#[test]
fn tokens_agree_with_checked_in_modules() {
    for (machine, on_struct, on_enum) in forms() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../generated/src").join(format!("{machine}.rs"));
        let file = syn::parse_file(&std::fs::read_to_string(path).unwrap()).unwrap();
        let emitted_by_enum = units(with_docs_at_kinds(file.clone()));
        let mut emitted = units(file);
        // Checked-in code states its version; a derive is expanded by the version that compiles it.
        emitted.retain(|text, _| !text.starts_with("::statespec::__emitted!"));
        let derived = |item: TokenStream| {
            let tokens = expand_with(&spec(machine), quote! { #[machine("spec.yaml", prefix = "", vis = "pub", serde)] #item });
            let mut derived = units(syn::parse2(tokens).unwrap());
            // The tracked file, and the compile-time checks of field types.
            derived.retain(|text, _| !text.starts_with("const_:"));
            derived
        };
        let (on_struct, on_enum) = (derived(on_struct), derived(on_enum));
        // An enum is its own machine: the machine is not a separate type.
        let name = statespec_lang::names::upper_camel(machine);
        let as_enum = |text: &String| {
            let text = text.replace(&format!("impl{name}{{"), "implState{").replace(&format!("for{name}{{"), "forState{");
            // The user's enum has serde of its own.
            let text = if text.starts_with("::statespec::__unit_enum!(pubState,") { text.replace(",serde);", ");") } else { text };
            text.replace(&format!("next:&{name},"), "next:&State,")
        };
        let emitted_enum: BTreeMap<String, String> = emitted_by_enum.iter().map(|(text, name)| (as_enum(text), name.clone())).collect();
        for (form, derived, emitted) in [("struct", &on_struct, &emitted), ("enum", &on_enum, &emitted_enum)] {
            // A struct reads the positions in its enum. Constructors take the fields of the user's struct; `run` needs a
            // cloneable struct, or cloneable texts.
            let own = |name: &str| {
                ["index", "new", "create", "create_as", "create_with", "run", "run_as", "run_by", "run_to", "run_created"].contains(&name)
            };
            let strange: Vec<&String> =
                derived.iter().filter(|(text, name)| !emitted.contains_key(*text) && !own(name)).map(|it| it.0).collect();
            assert!(strange.is_empty(), "{machine}, {form}: {strange:#?}");
        }
        // The other direction: only the definition of the type is missing, and the items that need it.
        let missing: BTreeSet<&str> = emitted.iter().filter(|(text, _)| !on_struct.contains_key(*text)).map(|it| it.1.as_str()).collect();
        let own = [
            "AgentRun",
            "Context",
            "Mysis",
            "Resource",
            "create",
            "create_as",
            "create_with",
            "context",
            "context_mut",
            "default",
            "new",
            "restore",
            "run",
            "run_by",
            "run_created",
            "run_to",
            "run_as",
        ];
        assert!(missing.iter().all(|it| own.contains(it)), "{machine}: {missing:?}");
        assert!(on_enum.len() > 30 && on_enum.len() <= on_struct.len(), "{machine}: {} and {}", on_enum.len(), on_struct.len());
    }
}
