//! The parts: their machines, and the methods of the unit of work.

use proc_macro2::TokenStream;
use quote::quote;
use statespec_lang::model::machine::Field;
use statespec_lang::model::system::Input;
use statespec_lang::model::{PartId, PredicateId, Type};
use statespec_lang::names::upper_camel;

use super::SystemLowering;
use crate::files::system::ir::{Machine, Methods, Part};
use crate::ir::Held;
use crate::names::UniqueNames;

impl SystemLowering<'_> {
    pub(super) fn lower_parts(&self) -> Vec<Part> {
        // A part `load` beside a part `key`: the key of the first must not collide with the load method of the second.
        let mut unique = UniqueNames::besides(["begin", "commit", "rollback", "Key", "Error", "Text"]);
        let part = |id| Part {
            name: self.part(id).name.clone(),
            variant: self.names(id).variant.clone(),
            machine: self.lower_machine(id),
            many: self.part(id).many,
            methods: self.methods(id, &mut unique),
        };
        self.system.part_ids().map(part).collect()
    }

    pub(super) fn lower_machine(&self, id: PartId) -> Machine {
        let lowering = self.machine(id);
        let machine = lowering.machine;
        let asked_with_event = (0..machine.predicates.len()).any(|idx| lowering.predicate_takes_event(PredicateId::new(idx)));
        let (reference, event_reference) = (lowering.context_has(&Type::Reference), lowering.payload_has(&Type::Reference));
        Machine {
            path: self.path(id),
            ident: lowering.types.machine.clone(),
            text: lowering.context_has(&Type::Text),
            reference,
            event_text: lowering.payload_has(&Type::Text),
            event_reference,
            predicates_reference: reference || (asked_with_event && event_reference),
            of_values: lowering.of_values(),
            has_creation: lowering.has_creation(),
            has_dispatch: lowering.has_dispatch(),
            has_timers: machine.timers().next().is_some(),
        }
    }

    /// The methods of the unit of work for one part.
    fn methods(&self, id: PartId, unique: &mut UniqueNames) -> Methods {
        let (base, part, machine) = (&self.names(id).base, self.part(id), self.machine(id));
        let each = self.program.invariants.iter().any(|it| it.each == Some(id));
        let (load, save) = (unique.claim(format!("load_{base}")), unique.claim(format!("save_{base}")));
        let mut method = |wanted: bool, name: String| wanted.then(|| unique.claim(name));
        let key = method(!part.many && self.program.uses_key(id), format!("{base}_key"));
        let new = method(part.many && machine.has_creation(), format!("new_{base}"));
        let next = method(each, format!("next_{base}"));
        let perform = method(self.has_effects(id), format!("perform_{base}"));
        let predicates = method(!machine.machine.predicates.is_empty(), format!("{base}_predicates"));
        let predicates = predicates.map(|it| (unique.claim(format!("{}Predicates", upper_camel(&part.name))), it));
        Methods { load, save, key, new, next, perform, predicates }
    }

    /// The type of an input of a transaction.
    pub(super) fn input_ty(&self, input: &Input) -> TokenStream {
        let ty = self.own_input(&input.field).cloned().unwrap_or_else(|| self.input_value_ty(&input.field.ty, input.of));
        if input.field.optional {
            quote! { __Option<#ty> }
        } else {
            ty
        }
    }

    /// The user's type of an input, if it holds the values by conversion.
    pub(super) fn own_input(&self, field: &Field) -> Option<&TokenStream> {
        // No name: only the types of values apply, which are the same for all machines.
        self.machine(PartId::new(0)).chosen(&field.ty, "")
    }

    /// A conversion that refuses the transaction.
    pub(super) fn refusing(held: Held) -> Held {
        Held { refused: Some(quote! { Refused::OutOfRange }), ..held }
    }

    fn input_value_ty(&self, ty: &Type, of: Option<PartId>) -> TokenStream {
        let facade = &self.env.facade;
        match ty {
            Type::Bool => quote! { bool },
            Type::Int => quote! { i64 },
            Type::Decimal => quote! { #facade::Decimal },
            Type::Duration => quote! { #facade::Duration },
            Type::Timestamp => quote! { #facade::Timestamp },
            Type::Text => quote! { &str },
            Type::Reference => quote! { U::Key },
            Type::Enum(id) => {
                let (machine, own) = self.enum_origin(*id);
                let (path, ident) = (self.module_path(&machine.machine.name), &machine.names.enums[own.index()]);
                quote! { #path::#ident }
            }
            Type::State | Type::Event => {
                // The check only accepts an input that is a state or an event of a part: `part.state`.
                let Some(part) = of else { return quote! { no_such_part } };
                let (path, types) = (self.path(part), &self.machine(part).types);
                let ident = if *ty == Type::State { &types.state } else { &types.event_kind };
                quote! { #path::#ident }
            }
            Type::List(item) => {
                let item = self.input_value_ty(item, of);
                quote! { &'static [#item] }
            }
        }
    }
}
