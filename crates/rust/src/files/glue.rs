//! The names of emitted code, for glue code in the tests of this repository.
//!
//! Not part of the public API: it changes with the tests.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use statespec_lang::model::{self, PartId, Type};
use statespec_lang::names::ident;
use statespec_lang::output::RenderError;

use super::file::items_text;
use super::system::ir as system_ir;
use super::system::lower::lower as lower_system;
use crate::Style;
pub use crate::ir::Params;
use crate::ir::{self, OwnEnum, OwnStruct};
use crate::lower::{ModuleOptions, lower};
use crate::names::{ModuleNames, UniqueNames};

/// The owner of the machine's type and of its states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// An emitted module.
    Module,
    /// A struct with a derive: the context as fields, the state in `state`, no prefix.
    Struct,
    /// An enum with a derive, called `State`, without a prefix: the machine itself, which has no context.
    Enum,
    /// The same around which a machine with a `Context` is emitted.
    Around,
}

/// The names of one machine's types and methods, each list in the order of the spec.
pub struct Machine {
    /// The owner of the types.
    pub form: Form,
    /// The machine's type.
    pub ident: Ident,
    /// The type of the leaves.
    pub leaf: Ident,
    /// The type parameters of the machine and of `Context`.
    pub of_context: Params,
    /// The parameters of `Event`; `text` means the lifetime.
    pub of_event: Params,
    /// The type parameters of `Host`.
    pub of_effects: Params,
    /// The type parameters of `Effect`; `text` means the lifetime.
    pub of_values: Params,
    /// The type parameters of `Predicates`.
    pub of_predicates: Params,
    /// The fields of the context.
    pub fields: Vec<Ident>,
    /// The enums.
    pub enums: Vec<Ident>,
    /// The events.
    pub events: Vec<Event>,
    /// The effects.
    pub effects: Vec<Effect>,
    /// The predicates.
    pub predicates: Vec<Predicate>,
    /// Whether there is `create` instead of `new`.
    pub has_creation: bool,
    /// Whether `new` may fail.
    pub starts_by_conversion: bool,
    /// Whether there is `apply`.
    pub has_dispatch: bool,
    /// Whether there is `transition_to`.
    pub has_direct: bool,
}

/// A variant of `Event`.
pub struct Event {
    /// Its name.
    pub variant: Ident,
    /// The fields of its payload.
    pub fields: Vec<Ident>,
}

/// A method of `Host` for an effect.
pub struct Effect {
    /// Its name.
    pub method: Ident,
    /// The parameters, without the message.
    pub parameters: Vec<Ident>,
    /// The types of the user that hold them by conversion.
    pub held: Vec<Option<TokenStream>>,
}

/// A method of `Predicates`.
pub struct Predicate {
    /// Its name.
    pub method: Ident,
    /// Whether it takes the event after the context.
    pub takes_event: bool,
}

impl Machine {
    /// The names of a machine.
    pub fn new(machine: &model::Machine, form: Form, style: &Style) -> Self {
        let module = lower(machine, style, &ModuleOptions::default());
        let request = match form {
            Form::Module => return Machine::of(&module, form),
            Form::Struct => ModuleOptions {
                form: ir::Form::Struct(OwnStruct {
                    state: ident("state"),
                    fields: module.fields.iter().map(|it| it.ident.clone()).collect(),
                    reference: machine.fields.iter().any(|it| it.ty == Type::Reference).then(|| quote! { u64 }),
                    held: Vec::new(),
                    own: Vec::new(),
                    generics: ir::OwnGenerics::default(),
                    own_states: false,
                }),
                own: Some(module.types.machine.clone()),
                ..ModuleOptions::default()
            },
            Form::Enum | Form::Around => {
                let own = OwnEnum {
                    variants: module.states.variants.iter().map(|it| it.ident.clone()).collect(),
                    in_order: true,
                    reference: None,
                    other_names: Vec::new(),
                };
                let form = if form == Form::Around { ir::Form::Around(own) } else { ir::Form::Enum(own) };
                ModuleOptions { form, own: Some(module.types.state.clone()), ..ModuleOptions::default() }
            }
        };
        Machine::of(&lower(machine, style, &request), form)
    }

    fn of(module: &ir::Machine, form: Form) -> Self {
        let payload = |fields: &[ir::Field]| fields.iter().map(|it| it.ident.clone()).collect();
        let events = module.events.iter().flat_map(|events| {
            let variants = events.kinds.variants.iter().enumerate();
            variants.map(|(idx, it)| Event {
                variant: it.ident.clone(),
                fields: events.payloads.get(idx).map(|it| payload(it)).unwrap_or_default(),
            })
        });
        let effects = module.effects.iter().map(|it| Effect {
            method: it.method.clone(),
            parameters: it.parameters.iter().map(|it| it.field.local.clone()).collect(),
            held: it.parameters.iter().map(|it| it.held.as_ref().map(|it| it.own.clone())).collect(),
        });
        let predicates = module.predicates.iter().map(|it| Predicate { method: it.method.clone(), takes_event: it.takes_event });
        Machine {
            form,
            ident: module.types.machine.clone(),
            leaf: module.types.state.clone(),
            of_context: module.generics.of_context,
            of_event: module.generics.of_event,
            of_effects: module.generics.of_effects,
            of_values: module.generics.of_values,
            of_predicates: module.generics.of_predicates,
            fields: payload(&module.fields),
            enums: module.enums.iter().map(|it| it.ident.clone()).collect(),
            events: events.collect(),
            effects: effects.collect(),
            predicates: predicates.collect(),
            has_creation: module.creation.is_some(),
            starts_by_conversion: module.starts_by_conversion(),
            has_dispatch: module.dispatch.is_some(),
            has_direct: module.direct.is_some(),
        }
    }
}

/// The names of one system's module, each list in the order of the spec.
pub struct System {
    /// The methods of `UnitOfWork` for each part.
    pub parts: Vec<Part>,
    /// The transactions.
    pub transactions: Vec<Transaction>,
}

/// The methods of `UnitOfWork` for one part.
pub struct Part {
    /// The method that loads an instance.
    pub load: Ident,
    /// The method that saves an instance.
    pub save: Ident,
    /// The method for the key of the single instance.
    pub key: Option<Ident>,
    /// The method for the key of a new instance.
    pub new: Option<Ident>,
    /// The method that iterates over the instances.
    pub next: Option<Ident>,
    /// The method that performs effects.
    pub perform: Option<Ident>,
    /// The type that answers predicates, and the method that returns it.
    pub predicates: Option<(Ident, Ident)>,
}

/// The function of a transaction.
pub struct Transaction {
    /// Its name.
    pub function: Ident,
    /// The parts and roles whose keys the caller passes, in the order of the parameters.
    pub keys: Vec<PartId>,
    /// The parts and roles of which it creates instances.
    pub created: Vec<PartId>,
}

impl System {
    /// The names of a system.
    pub fn new(model: &model::Model, system: &model::System, style: &Style) -> Self {
        let module = lower_system(model, system, style);
        let part = |system_ir::Part { methods: it, .. }: system_ir::Part| Part {
            load: it.load,
            save: it.save,
            key: it.key,
            new: it.new,
            next: it.next,
            perform: it.perform,
            predicates: it.predicates,
        };
        let transaction = |it: system_ir::Transaction| Transaction {
            function: it.ident,
            keys: it.keys.into_iter().map(|(part, _)| PartId::new(part)).collect(),
            created: it.new.into_iter().map(|it| PartId::new(it.taken_by)).collect(),
        };
        System {
            parts: module.parts.into_iter().map(part).collect(),
            transactions: module.transactions.into_iter().map(transaction).collect(),
        }
    }
}

/// The module of each machine and system.
pub struct Modules(ModuleNames);

impl Modules {
    /// The modules of a model.
    pub fn of(model: &model::Model) -> Self {
        Modules(ModuleNames::of(model))
    }

    /// The module of a machine or system.
    pub fn of_name(&self, name: &str) -> Ident {
        self.0.of_name(name)
    }
}

/// Identifiers that differ from each other and from those that are taken.
pub fn unique<'a>(taken: &[&str], names: impl IntoIterator<Item = &'a String>, case: fn(&str) -> String) -> Vec<Ident> {
    UniqueNames::besides(taken.iter().copied()).claim_all(names, case)
}

/// Items as the text of a file.
///
/// # Errors
///
/// If the tokens are not Rust.
pub fn text(doc: &str, items: TokenStream) -> Result<String, RenderError> {
    items_text(&[doc.to_owned()], items)
}
