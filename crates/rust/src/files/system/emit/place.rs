//! Where a transaction has an instance of a part.

use proc_macro2::TokenStream;
use quote::quote;

use crate::files::system::ir::Slot;

/// The slot that has an instance: its own, or that of another part or role with the same instance.
pub(super) fn expand_place(slot: &Slot, is_changed: bool) -> TokenStream {
    let field = &slot.field;
    let borrow = if is_changed {
        quote! { &mut }
    } else {
        quote! { & }
    };
    if slot.may_be.is_empty() {
        return quote! { self.#field };
    }
    let others = slot.may_be.iter().map(|other| quote! { if self.#other.is(&self.#field) { #borrow self.#other } else });
    quote! { (#(#others)* { #borrow self.#field }) }
}
