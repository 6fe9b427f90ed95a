//! The names of Rust's prelude.
//!
//! Emitters write `__Some`. In a file, that becomes `Some`; beside the user's items, which may have any name, it becomes
//! `::core::option::Option::Some`. Names of a spec never look like these: a variant begins with a letter, and a field is in lower
//! case.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::quote;

/// The tokens with the names of the prelude in their final form.
pub(crate) fn resolved(tokens: TokenStream, in_file: bool) -> TokenStream {
    let mut resolved = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                let (delimiter, span, inner) = (group.delimiter(), group.span(), group.stream());
                // Its tokens are moved, not copied, if nobody else has them.
                drop(group);
                let mut group = Group::new(delimiter, self::resolved(inner, in_file));
                group.set_span(span);
                resolved.push(TokenTree::Group(group));
            }
            TokenTree::Ident(name) => match in_prelude(&name) {
                Some((short, module)) => {
                    if !in_file {
                        resolved.extend(module());
                    }
                    resolved.push(TokenTree::Ident(Ident::new(short, name.span())));
                }
                None => resolved.push(TokenTree::Ident(name)),
            },
            token => resolved.push(token),
        }
    }
    resolved.into_iter().collect()
}

/// Makes the path before a name.
type Module = fn() -> TokenStream;

/// The short name that a name stands for, and the path before it.
fn in_prelude(name: &Ident) -> Option<(&'static str, Module)> {
    let name = name.to_string();
    Some(match name.strip_prefix("__")? {
        "Option" => ("Option", || quote! { ::core::option:: }),
        "Some" => ("Some", || quote! { ::core::option::Option:: }),
        "None" => ("None", || quote! { ::core::option::Option:: }),
        "Result" => ("Result", || quote! { ::core::result:: }),
        "Ok" => ("Ok", || quote! { ::core::result::Result:: }),
        "Err" => ("Err", || quote! { ::core::result::Result:: }),
        "Default" => ("Default", || quote! { ::core::default:: }),
        "Clone" => ("Clone", || quote! { ::core::clone:: }),
        "Copy" => ("Copy", || quote! { ::core::marker:: }),
        "Sized" => ("Sized", || quote! { ::core::marker:: }),
        "From" => ("From", || quote! { ::core::convert:: }),
        "AsRef" => ("AsRef", || quote! { ::core::convert:: }),
        "PartialEq" => ("PartialEq", || quote! { ::core::cmp:: }),
        "Ord" => ("Ord", || quote! { ::core::cmp:: }),
        "Matches" => ("matches", || quote! { ::core:: }),
        "FormatArgs" => ("format_args", || quote! { ::core:: }),
        _ => return None,
    })
}
