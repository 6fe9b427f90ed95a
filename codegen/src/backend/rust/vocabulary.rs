//! Fieldless enums whose values go by a name.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::form::Part;
use super::long::{Long, fixed};
use super::module::number;
use super::{Module, Style, docs};

/// An enum to emit.
pub(crate) struct Vocabulary {
    /// Its type.
    pub(crate) ident: Ident,
    /// What its values are, for messages: "state".
    pub(crate) kind: String,
    /// Its doc paragraphs.
    pub(crate) doc: Vec<String>,
    /// Its values.
    pub(crate) words: Vec<Word>,
    /// Whether reading pays no attention to ASCII case.
    pub(crate) ignore_case: bool,
}

/// A value of an enum to emit.
pub(crate) struct Word {
    /// Its variant.
    pub(crate) ident: Ident,
    /// How it is stored and sent.
    pub(crate) name: String,
    /// What a person reads.
    pub(crate) label: Option<String>,
    /// The user's description.
    pub(crate) text: Option<String>,
    /// Its doc paragraphs.
    pub(crate) doc: Vec<String>,
    /// Other names.
    pub(crate) aliases: Vec<String>,
}

/// The enum, its names, and reading and writing them.
pub(crate) fn expand_vocabulary(vocabulary: &Vocabulary, facade: &TokenStream, style: &Style, long: &Long<'_>) -> TokenStream {
    let type_item = expand_type(vocabulary, long);
    let inherent = expand_inherent(vocabulary, &quote! { self as usize }, long);
    let named = expand_named(vocabulary, facade, style, long);
    quote! { #type_item #inherent #named }
}

/// The names of the user's own enum; `index` is the position of `self`.
pub(crate) fn expand_own_names(vocabulary: &Vocabulary, module: &Module<'_>, index: &TokenStream) -> TokenStream {
    let Vocabulary { ident, kind, .. } = vocabulary;
    let facade = &module.facade;
    let inherent = expand_inherent(vocabulary, index, &module.long);
    let in_order = module.own_enum().is_none_or(|own| own.in_order);
    if in_order && module.has_part(Part::Display) && module.has_part(Part::FromStr) {
        return quote! { #inherent #facade::named!(#ident, #kind); };
    }
    let index = if in_order {
        quote! { as usize }
    } else {
        quote! { .index() }
    };
    let display = module.has_part(Part::Display).then(|| quote! { #facade::__display!(#ident); });
    let from_str = module.has_part(Part::FromStr).then(|| quote! { #facade::__from_str!(#ident); });
    quote! {
        #inherent
        #facade::__named!(#ident, #kind, [#index], ignore_case = false, aliases = []);
        #display
        #from_str
    }
}

fn expand_type(vocabulary: &Vocabulary, long: &Long<'_>) -> TokenStream {
    let ident = &vocabulary.ident;
    let doc = docs::attributes(&vocabulary.doc);
    let variants = long.declared(&vocabulary.words);
    quote! {
        #doc
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum #ident {
            #variants
        }
    }
}

fn expand_inherent(vocabulary: &Vocabulary, index: &TokenStream, long: &Long<'_>) -> TokenStream {
    let Vocabulary { ident, kind, words, .. } = vocabulary;
    let n_words = number(words.len());
    let variants = long.variants(ident, words.iter().map(|it| &it.ident));
    let names = long.texts(words.iter().map(|it| it.name.as_str()));
    let label = expand_text_method(
        vocabulary,
        (index, long),
        "label",
        &format!("What a person reads for the {kind}."),
        words.iter().any(|it| it.label.is_some()),
        |word| word.label.as_deref().unwrap_or(&word.name),
    );
    let doc = expand_text_method(
        vocabulary,
        (index, long),
        "doc",
        &format!("What the spec says about the {kind}."),
        words.iter().any(|it| it.text.is_some()),
        |word| word.text.as_deref().unwrap_or_default(),
    );
    let all_doc = docs::line(&format!("Every {kind}, in the order of the spec."));
    let name_doc = docs::line(&format!("The name by which the {kind} is stored and sent."));
    fixed!(long, items(ident, all_doc, n_words, variants, name_doc, names, index, label, doc) => {
        impl #ident {
            #all_doc
            pub const ALL: [#ident; #n_words] = [#variants];

            #name_doc
            #[inline]
            pub const fn name(self) -> &'static str {
                const NAMES: &[&str; #n_words] = &[#names];
                NAMES[#index]
            }

            #label
            #doc
        }
    })
}

/// A method that looks a text up, where there is any.
fn expand_text_method(
    vocabulary: &Vocabulary,
    (index, long): (&TokenStream, &Long<'_>),
    method: &str,
    doc: &str,
    wanted: bool,
    text: fn(&Word) -> &str,
) -> Option<TokenStream> {
    if !wanted {
        return None;
    }
    let n_words = number(vocabulary.words.len());
    let method = crate::names::ident(method);
    let texts = long.texts(vocabulary.words.iter().map(text));
    let doc = docs::line(doc);
    Some(fixed!(long, members(doc, method, n_words, texts, index) => {
        #doc
        pub const fn #method(self) -> &'static str {
            const TEXTS: &[&str; #n_words] = &[#texts];
            TEXTS[#index]
        }
    }))
}

/// Parsing, showing and, on request, serde.
fn expand_named(vocabulary: &Vocabulary, facade: &TokenStream, style: &Style, long: &Long<'_>) -> TokenStream {
    let Vocabulary { ident, kind, words, ignore_case, .. } = vocabulary;
    let pairs = words.iter().flat_map(|word| word.aliases.iter().map(move |alias| (alias, &word.ident)));
    let aliases: Vec<_> = pairs.map(|(alias, variant)| quote! { (#alias, #ident::#variant) }).collect();
    let details = (*ignore_case || !aliases.is_empty()).then(|| quote! { , ignore_case = #ignore_case, aliases = [#(#aliases),*] });
    let serde = style.serde_attribute().map(|condition| quote! { #condition #facade::named_serde!(#ident); });
    fixed!(long, items(facade, ident, kind, details, serde) => {
        #facade::named!(#ident, #kind #details);
        #serde
    })
}

impl Module<'_> {
    /// The enum as part of the machine's module.
    pub(crate) fn expand_vocabulary(&self, vocabulary: &Vocabulary) -> TokenStream {
        expand_vocabulary(vocabulary, &self.facade, self.style, &self.long)
    }
}

/// Who raises events.
pub(crate) fn expand_actors(module: &Module<'_>) -> Option<TokenStream> {
    let actors = &module.machine.actors;
    if actors.is_empty() {
        return None;
    }
    let words = actors.iter().zip(&module.actors).map(|(actor, ident)| Word {
        ident: ident.clone(),
        name: actor.name.clone(),
        label: None,
        text: Some(actor.doc.clone()),
        doc: vec![docs::sentence_or(Some(&actor.doc), || format!("The actor {}.", docs::code(&actor.name)))],
        aliases: Vec::new(),
    });
    let vocabulary = Vocabulary {
        ident: crate::names::ident("Actor"),
        kind: "actor".into(),
        doc: vec!["Who raises events, or does the work that they start.".into()],
        words: words.collect(),
        ignore_case: false,
    };
    Some(module.expand_vocabulary(&vocabulary))
}

/// The machine's enums.
pub(crate) fn expand_enums(module: &Module<'_>) -> TokenStream {
    let enums = module.machine.enums.iter().enumerate().map(|(idx, it)| {
        let variants = module.enum_variants(crate::model::EnumId::new(idx));
        let words = it.values.iter().zip(variants).map(|(value, ident)| Word {
            ident,
            name: value.name.clone(),
            label: value.label.clone(),
            text: value.doc.clone(),
            doc: vec![docs::sentence_or(value.doc.as_deref(), || format!("The value {}.", docs::code(&value.name)))],
            aliases: Vec::new(),
        });
        let vocabulary = Vocabulary {
            ident: module.enums[idx].clone(),
            kind: it.name.clone(),
            doc: vec![docs::sentence_or(it.doc.as_deref(), || format!("The enum {}.", docs::code(&it.name)))],
            words: words.collect(),
            ignore_case: it.ignore_case,
        };
        module.expand_vocabulary(&vocabulary)
    });
    quote! { #(#enums)* }
}
