//! Lowers a machine to the IR: the only part of the Rust backend that reads the model.
//!
//! What the machine does is in its [`Program`]; here it gets the names and types of Rust.

mod assign;
mod dispatch;
pub(crate) mod docs;
pub(crate) mod expr;
mod graph;
pub(crate) mod groups;
pub mod held;
pub(crate) mod machine;
mod orders;
mod regions;
mod rows;
mod scope;
mod timers;
pub mod types;
mod typestate;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use statespec_lang::expr::Var;
use statespec_lang::model::machine::Field;
use statespec_lang::model::{EnumId, EventId, Literal, PayloadId, PredicateId, StateId, TransitionId, Type, machine as model};
use statespec_lang::names::{ident, shouty, snake, upper_camel};
use statespec_lang::program::{self, Program};

use super::Style;
use super::ir::{Env, EventPattern, Form, Machine, Part, Types};
use super::names::{CHOICE, LOCALS, MACHINE_METHODS, OUTCOME, PRELUDE, STATE_METHODS, TIMER_METHODS, UniqueNames, types_of};
pub(crate) use held::OwnTypes;

/// The options of a module: defaults for a file, more for a derive.
#[derive(Clone)]
pub struct ModuleOptions {
    /// The owner of the types of the machine and its states.
    pub form: Form,
    /// The prefix of types and constants that are named in the spec.
    pub(crate) prefix: String,
    /// The names of single types, keyed by [`types_of`].
    pub(crate) types: BTreeMap<String, Ident>,
    /// The type with the derive.
    pub(crate) own: Option<Ident>,
    /// The omitted parts.
    pub(crate) skip: BTreeSet<Part>,
    /// Whether there is a type for each state.
    pub(crate) typestate: bool,
    /// Whether the spec has errors, so that rows may be missing: all methods exist, without bodies.
    pub(crate) stub: bool,
    /// The visibility of items and methods.
    pub(crate) visibility: TokenStream,
    /// Attributes of single types, keyed by [`types_of`].
    pub(crate) attributes: BTreeMap<String, TokenStream>,
    /// The types that hold values; those of a module are in its style.
    pub(crate) own_types: OwnTypes,
}

impl Default for ModuleOptions {
    fn default() -> Self {
        ModuleOptions {
            form: Form::Module,
            prefix: String::new(),
            types: BTreeMap::new(),
            own: None,
            skip: BTreeSet::new(),
            typestate: false,
            stub: false,
            visibility: quote! { pub },
            attributes: BTreeMap::new(),
            own_types: OwnTypes::default(),
        }
    }
}

impl Env {
    /// The environment of a file.
    pub fn of_file(style: &Style) -> Self {
        Env::new(style, &ModuleOptions::default())
    }

    fn new(style: &Style, options: &ModuleOptions) -> Self {
        let in_file = matches!(options.form, Form::Module);
        // Most users do not call every method.
        let attributes = match (in_file, options.stub) {
            (true, _) => quote! {},
            (false, true) => quote! { #[allow(unused)] },
            (false, false) => quote! { #[allow(dead_code)] },
        };
        let derived = (!in_file).then(|| quote! { #[automatically_derived] });
        Env {
            facade: style.facade.tokens(),
            visibility: options.visibility.clone(),
            impl_attributes: quote! { #attributes #derived },
            attributes,
            serde: style.serde.clone(),
            async_host: style.async_host,
            in_file,
            stub: options.stub,
        }
    }
}

/// The machine's module.
pub fn lower(machine: &model::Machine, style: &Style, options: &ModuleOptions) -> Machine {
    Lowering::new(machine, style, options).machine()
}

/// The state of lowering a machine to the IR.
pub struct Lowering<'m> {
    pub(crate) machine: &'m model::Machine,
    /// What the machine does.
    pub(crate) program: Program<'m>,
    pub(crate) options: &'m ModuleOptions,
    pub(crate) env: Env,
    pub(crate) types: Types,
    pub(crate) params: ParamNames,
    pub(crate) names: Names,
    /// The leaves, in order.
    pub(crate) leaves: Vec<StateId>,
    /// The composites, in order.
    pub(crate) composites: Vec<StateId>,
    /// The types of the user that hold values.
    own_types: OwnTypes,
    /// The constant expressions with generated names.
    computed: RefCell<Vec<(String, Ident, Literal)>>,
}

/// The names of type parameters.
pub(crate) struct ParamNames {
    pub(crate) text: Ident,
    pub(crate) reference: Ident,
    pub(crate) predicates: Ident,
    pub(crate) host: Ident,
}

/// The identifiers of all spec elements, by id.
pub(crate) struct Names {
    pub(crate) states: Vec<Ident>,
    pub(crate) events: Vec<Ident>,
    pub(crate) effects: Vec<Ident>,
    pub(crate) effect_methods: Vec<Ident>,
    pub(crate) actors: Vec<Ident>,
    pub(crate) constants: Vec<Ident>,
    /// The fields of the context.
    pub(crate) fields: Vec<Ident>,
    pub(crate) enums: Vec<Ident>,
    /// The variants of each enum.
    pub(crate) enum_variants: Vec<Vec<Ident>>,
    pub(crate) predicates: Vec<Ident>,
    pub(crate) attributes: Vec<Ident>,
    pub(crate) orders: Vec<Ident>,
    pub(crate) order_items: Vec<Ident>,
    /// The types of the configurations of parallel states and regions.
    pub(crate) configurations: BTreeMap<StateId, Ident>,
    /// The rows of the spec.
    pub(crate) rows: Vec<Ident>,
}

/// The names of the other types of a module, and of its type parameters. They differ from the names of [`Types`].
pub(crate) struct OuterNames {
    params: ParamNames,
    machine: Ident,
    /// The types of the enums, in the order of the spec.
    pub(crate) enums: Vec<Ident>,
    order_items: Vec<Ident>,
    /// The types of the configurations of parallel states and regions.
    configurations: BTreeMap<StateId, Ident>,
}

impl OuterNames {
    /// The names beside `types`, for items that the derive emits for the type `own`.
    pub(crate) fn of_derive(machine: &model::Machine, prefix: &str, own: Option<&Ident>, types: impl Iterator<Item = Ident>) -> Self {
        let mut taken = UniqueNames::besides(["Self"]);
        own.into_iter().for_each(|own| taken.reserve(own));
        types.for_each(|it| taken.reserve(&it));
        OuterNames::new(machine, prefix, own, taken)
    }

    /// The names that differ from those in `taken`.
    fn new(machine: &model::Machine, prefix: &str, own: Option<&Ident>, mut taken: UniqueNames) -> Self {
        OuterNames {
            params: ParamNames {
                text: taken.claim("Text".into()),
                reference: taken.claim("R".into()),
                predicates: taken.claim("P".into()),
                host: taken.claim("H".into()),
            },
            machine: own.cloned().unwrap_or_else(|| taken.claim(upper_camel(&machine.name))),
            enums: machine.enums.iter().map(|it| taken.claim(format!("{prefix}{}", upper_camel(&it.name)))).collect(),
            order_items: machine.orders.iter().map(|it| taken.claim(format!("{prefix}{}Item", upper_camel(&it.name)))).collect(),
            configurations: machine
                .state_ids()
                .filter(|id| machine.is_region(*id) || machine.is_parallel(Some(*id)))
                .map(|id| (id, taken.claim(format!("{prefix}{}", upper_camel(&machine.state(id).name)))))
                .collect(),
        }
    }
}

/// The variants of an enum, without `Self`.
fn variants<'a>(names: impl IntoIterator<Item = &'a String>) -> Vec<Ident> {
    UniqueNames::besides(["Self"]).claim_all(names, upper_camel)
}

/// The variants of all states, if no enum of the user has other names for them.
fn state_variants(machine: &model::Machine) -> Vec<Ident> {
    variants(machine.states.iter().map(|it| &it.name))
}

/// The variants of the leaves, if no enum of the user has other names for them.
pub(crate) fn leaf_variants(machine: &model::Machine) -> Vec<Ident> {
    let states = state_variants(machine);
    machine.leaves().map(|leaf| states[leaf.index()].clone()).collect()
}

impl<'m> Lowering<'m> {
    /// Assigns all names.
    pub fn new(machine: &'m model::Machine, style: &Style, options: &'m ModuleOptions) -> Self {
        let prefix = &options.prefix;
        let is_enum = options.form.own_enum().is_some();
        let type_name = |name: &str| match &options.own {
            Some(own) if name == "State" && is_enum => own.clone(),
            _ => options.types.get(name).cloned().unwrap_or_else(|| ident(&format!("{prefix}{name}"))),
        };
        let outer = if matches!(options.form, Form::Module) {
            let mut taken = UniqueNames::besides(PRELUDE.iter().copied().chain(["Self", OUTCOME]));
            types_of(machine).for_each(|name| taken.reserve(&ident(name)));
            taken.reserve(&ident("Context"));
            if machine.has_regions() {
                taken.reserve(&ident(CHOICE));
            }
            OuterNames::new(machine, prefix, options.own.as_ref(), taken)
        } else {
            let around = matches!(options.form, Form::Around(_)).then_some(["Machine", "Context"]);
            let types = types_of(machine).chain(around.into_iter().flatten());
            let parameters = match &options.form {
                Form::Struct(own) => own.generics.names.clone(),
                Form::Module | Form::Enum(_) | Form::Around(_) => Vec::new(),
            };
            OuterNames::of_derive(machine, prefix, options.own.as_ref(), types.map(&type_name).chain(parameters))
        };
        let has_timers = machine.timers().next().is_some();
        let types = match options.form {
            Form::Around(_) => Types::new(type_name("Machine"), type_name("Context"), machine.has_regions(), has_timers, type_name),
            _ => Types::new(outer.machine, ident("Context"), machine.has_regions(), has_timers, type_name),
        };
        let mut states = state_variants(machine);
        if let Some(own) = options.form.own_enum() {
            machine.leaves().zip(&own.variants).for_each(|(leaf, variant)| states[leaf.index()] = variant.clone());
        }
        let of_machine = if is_enum { MACHINE_METHODS } else { &[] };
        let timers = if is_enum && has_timers { TIMER_METHODS } else { &[] };
        let mut methods = UniqueNames::besides(STATE_METHODS.iter().chain(of_machine).chain(timers).copied());
        if let Some(own) = options.form.own_enum() {
            // Other names of variants are constants of the enum: `_1` is one in every case.
            own.other_names.iter().for_each(|(name, _)| methods.reserve(name));
        }
        let attributes = methods.claim_all(machine.attributes.iter().map(|it| &it.name), snake);
        let orders = methods.claim_all(machine.orders.iter().map(|it| &it.name), snake);
        let mut constants = UniqueNames::default();
        let names = Names {
            states,
            events: variants(machine.events.iter().map(|it| &it.name)),
            effects: variants(machine.effects.iter().map(|it| &it.name)),
            effect_methods: UniqueNames::besides(["observe", "store"]).claim_all(machine.effects.iter().map(|it| &it.name), snake),
            actors: variants(machine.actors.iter().map(|it| &it.name)),
            constants: machine.constants.iter().map(|it| constants.claim(constant_name(prefix, &it.name))).collect(),
            fields: match &options.form {
                Form::Struct(own) => own.fields.clone(),
                _ => UniqueNames::default().claim_all(machine.fields.iter().map(|it| &it.name), snake),
            },
            enums: outer.enums,
            enum_variants: machine.enums.iter().map(|it| variants(it.values.iter().map(|it| &it.name))).collect(),
            order_items: outer.order_items,
            configurations: outer.configurations,
            predicates: UniqueNames::default().claim_all(machine.predicates.iter().map(|it| &it.name), snake),
            attributes,
            orders,
            rows: Vec::new(),
        };
        let mut lowering = Lowering {
            machine,
            program: Program::of(machine),
            options,
            env: Env::new(style, options),
            types,
            params: outer.params,
            names,
            leaves: machine.leaves().collect(),
            composites: machine.composites().collect(),
            own_types: match options.form {
                Form::Module => OwnTypes::of_module(style, &machine.name),
                Form::Struct(_) | Form::Enum(_) | Form::Around(_) => options.own_types.clone(),
            },
            computed: RefCell::default(),
        };
        lowering.names.rows = lowering.row_idents();
        lowering
    }

    /// `State::Idle`
    pub fn state_path(&self, id: StateId) -> TokenStream {
        let (state, variant) = (&self.types.state, &self.names.states[id.index()]);
        quote! { #state::#variant }
    }

    pub(crate) fn state(&self, id: StateId) -> Ident {
        self.names.states[id.index()].clone()
    }

    fn state_idents(&self, ids: impl IntoIterator<Item = StateId>) -> Vec<Ident> {
        ids.into_iter().map(|id| self.state(id)).collect()
    }

    /// `EventKind::Start`
    pub(crate) fn event_path(&self, id: EventId) -> TokenStream {
        let (kind, variant) = (&self.types.event_kind, &self.names.events[id.index()]);
        quote! { #kind::#variant }
    }

    /// The variant of an event.
    pub fn event(&self, id: EventId) -> Ident {
        self.names.events[id.index()].clone()
    }

    /// `Category::Soul`
    pub(crate) fn enum_value(&self, id: EnumId, idx: usize) -> TokenStream {
        let (ty, variant) = (&self.names.enums[id.index()], &self.names.enum_variants[id.index()][idx]);
        quote! { #ty::#variant }
    }

    /// The position of a leaf among the leaves.
    pub(crate) fn leaf_index(&self, id: StateId) -> usize {
        self.leaves.partition_point(|it| *it < id)
    }

    /// The leaves inside a state, or the state itself.
    pub(crate) fn leaves_in(&self, whole: StateId) -> Vec<StateId> {
        self.machine.leaves_in(whole).collect()
    }

    /// The fields of a payload, with their variables.
    pub fn payload(&self, fields: &[Field]) -> Vec<(Ident, Ident)> {
        let idents = UniqueNames::default().claim_all(fields.iter().map(|it| &it.name), snake);
        let mut locals = UniqueNames::besides(LOCALS.iter().copied());
        idents.into_iter().map(|it| (it.clone(), locals.claim(it.to_string().trim_start_matches("r#").to_owned()))).collect()
    }

    /// The variable of a payload field of an event.
    pub(crate) fn local(&self, event: EventId, field: PayloadId) -> Option<Ident> {
        let position = self.machine.payload_position(event, field)?;
        self.payload(&self.machine.event(event).payload).into_iter().nth(position).map(|it| it.1)
    }

    /// An event with some fields of its payload, bound to the variables of `holder`, an event that carries them as well.
    pub(crate) fn event_pattern(&self, id: EventId, used: &[PayloadId], holder: EventId) -> EventPattern {
        let idents = self.payload(&self.machine.event(id).payload);
        let locals = self.payload(&self.machine.event(holder).payload);
        let position = |event, field: &PayloadId| self.machine.payload_position(event, *field);
        let mut used: Vec<(usize, usize)> = used.iter().filter_map(|it| position(id, it).zip(position(holder, it))).collect();
        used.sort_unstable();
        used.dedup();
        let bindings: Vec<_> = used.iter().map(|(own, other)| (idents[*own].0.clone(), locals[*other].1.clone())).collect();
        EventPattern { variant: self.event(id), rest: bindings.len() < idents.len(), bindings }
    }

    /// Whether the context requires a type parameter for this type; the user's struct has none.
    pub(crate) fn context_has(&self, ty: &Type) -> bool {
        let settled = *ty == Type::Reference && self.own_reference().is_some();
        !settled && !matches!(self.options.form, Form::Struct(_)) && self.machine.fields.iter().any(|it| it.ty == *ty)
    }

    /// Whether payloads need a lifetime for texts, or a parameter for references.
    pub(crate) fn payload_has(&self, ty: &Type) -> bool {
        let settled = *ty == Type::Reference && self.own_reference().is_some();
        !settled && self.machine.events.iter().flat_map(|it| &it.payload).any(|it| it.ty == *ty)
    }

    /// The user's type of references.
    pub fn own_reference(&self) -> Option<&TokenStream> {
        match &self.options.form {
            Form::Struct(own) => own.reference.as_ref(),
            Form::Enum(own) | Form::Around(own) => own.reference.as_ref(),
            Form::Module => None,
        }
    }

    /// Whether some effect takes data from the event.
    pub(crate) fn effects_take_event(&self) -> bool {
        self.machine.effects.iter().any(|it| it.payload().next().is_some())
    }

    /// Whether events create the machine.
    pub(crate) fn has_creation(&self) -> bool {
        !self.program.cases_from(None).is_empty()
    }

    /// Whether a predicate takes the event: an event is available wherever the predicate is asked.
    pub(crate) fn predicate_takes_event(&self, predicate: PredicateId) -> bool {
        let asks = |row: &program::Row| {
            let values = row.set.iter().map(|it| &it.value);
            row.guard.iter().chain(values).any(|it| it.predicates().contains(&predicate))
        };
        let mut asking = self.program.rows.iter().zip(&self.machine.transitions).filter(|(row, _)| asks(row));
        !self.machine.events.is_empty() && asking.all(|(_, it)| !it.events().is_empty())
    }

    /// The rows of the program, with their ids and those of the events that they are for.
    fn rows_of_program(&self) -> impl Iterator<Item = (TransitionId, &program::Row, &'m [EventId])> {
        let rows = self.program.rows.iter().zip(&self.machine.transitions).enumerate();
        rows.map(|(idx, (row, it))| (TransitionId::new(idx), row, it.events()))
    }
}

/// `MAX_TRIES`, or `JOB_MAX_TRIES`. A name without case would also be the name of a variable.
fn constant_name(prefix: &str, name: &str) -> String {
    let prefix = if prefix.is_empty() { String::new() } else { shouty(prefix) + "_" };
    let shouted = prefix + &shouty(name);
    if shouted == snake(&shouted) { shouted + "_CONSTANT" } else { shouted }
}

/// The fields of the payload that an expression reads.
fn payload_fields(expr: &program::Expr) -> impl Iterator<Item = PayloadId> + use<> {
    let field = |var| if let Var::Payload(id) = var { Some(id) } else { None };
    expr.vars().into_iter().filter_map(field)
}
