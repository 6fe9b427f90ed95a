//! The generated code by which tests drive emitted machines by name, with values of the interpreter as input and output.
//!
//! The traits that it implements (`Drive`, `DriveSystem`) are hand-written in `tests/support`; the
//! emitted part only maps names of the spec to names in Rust.

mod derived;
mod system;

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};
use statespec_lang::model::machine::{Field, Machine};
use statespec_lang::model::{Model, Type};
use statespec_lang::names::snake;
use statespec_lang::output::{Blame, Output, RenderError};
use statespec_rust::Style;
use statespec_rust::files::glue::{self, Form, Modules, Params};

pub use derived::derived_types;

/// The owner of the types that are driven.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Types {
    /// Structs with a derive: the context as fields, the state in `state`, no prefix.
    Structs,
    /// Enums with a derive, called `State`, without a prefix; with the option `context` if the machine has one.
    Enums,
    /// Structs with a derive whose states are an enum with a derive, called `Status`, without a prefix; machines without a
    /// context are left out.
    Both,
}

impl Types {
    /// Whether a machine has such types: one with regions is in several states at once, so no enum of a user has its states.
    pub fn fit(self, machine: &Machine) -> bool {
        self == Types::Structs || !machine.has_regions()
    }

    fn form(self, machine: &Machine) -> Form {
        match self {
            Types::Structs | Types::Both => Form::Struct,
            Types::Enums if machine.fields.is_empty() => Form::Enum,
            Types::Enums => Form::Around,
        }
    }
}

/// A machine whose types are driven.
struct Driven<'m> {
    machine: &'m Machine,
    names: glue::Machine,
    /// The path of its module: `::machines::mysis`.
    path: TokenStream,
}

/// The file that drives all machines with a derive; their modules are in `crate_path`, such as `crate::structs`.
///
/// # Errors
///
/// If a path or the emitted tokens are not Rust.
pub fn derived_file(model: &Model, path: &str, crate_path: &str, types: Types) -> Result<Output, RenderError> {
    let mut machines = driven(model, &path_of(crate_path)?, |it| types.form(it), &Style::default());
    machines.retain(|it| types.fit(it.machine));
    let (visit, items) = (expand_visit(&machines), machines.iter().map(Driven::expand));
    let items = quote! {
        use crate::support::*;

        #visit

        #(#items)*
    };
    output(path, glue::text("Drives every type with a derive by name.", items)?)
}

/// The file that drives all machines and systems; their modules are in `crate_path`, such as `::machines`.
///
/// # Errors
///
/// If a path or the emitted tokens are not Rust.
pub fn file(model: &Model, path: &str, crate_path: &str) -> Result<Output, RenderError> {
    file_of(model, path, crate_path, &Style::default())
}

/// The same for modules in which other types hold values.
///
/// # Errors
///
/// If a path or the emitted tokens are not Rust.
pub fn file_of(model: &Model, path: &str, crate_path: &str, style: &Style) -> Result<Output, RenderError> {
    let krate: TokenStream = path_of(crate_path)?;
    let machines = driven(model, &krate, |_| Form::Module, style);
    let (visit, items) = (expand_visit(&machines), machines.iter().map(Driven::expand));
    let systems = model.systems.iter().map(|it| system::expand_system(model, it, &machines, &krate, style));
    let units = model.systems.iter().map(system::unit_ident);
    let items = quote! {
        use crate::support::*;

        #visit

        /// Visits every system.
        pub(crate) fn each_system(visit: &mut impl VisitSystems) {
            #(visit.system::<#units>();)*
        }

        #(#items)*
        #(#systems)*
    };
    output(path, glue::text("Drives every emitted machine and system by name.", items)?)
}

/// The path of a crate as tokens.
fn path_of(path: &str) -> Result<TokenStream, RenderError> {
    syn::parse_str(path).map_err(|error| RenderError::new(format!("`{path}` is no path: {error}")))
}

fn output(path: &str, text: String) -> Result<Output, RenderError> {
    Ok(Output { path: path.to_owned(), text, origin: None, blame: Blame::default() })
}

/// The machines of a model, each in its form.
fn driven<'m>(model: &'m Model, krate: &TokenStream, form: impl Fn(&Machine) -> Form, style: &Style) -> Vec<Driven<'m>> {
    let modules = Modules::of(model);
    let machine = |machine: &'m Machine| {
        let module = modules.of_name(&machine.name);
        Driven { machine, names: glue::Machine::new(machine, form(machine), style), path: quote! { #krate::#module } }
    };
    model.machines.iter().map(machine).collect()
}

fn expand_visit(machines: &[Driven<'_>]) -> TokenStream {
    let types = machines.iter().map(Driven::ty);
    quote! {
        /// Visits every machine.
        pub(crate) fn each_machine(visit: &mut impl VisitMachines) {
            #(visit.machine::<#types>();)*
        }
    }
}

/// The arguments of a type with parameters: `<String, u64>`.
fn arguments(params: Params) -> TokenStream {
    match (params.text, params.reference) {
        (false, false) => quote! {},
        (true, false) => quote! { <String> },
        (false, true) => quote! { <u64> },
        (true, true) => quote! { <String, u64> },
    }
}

impl Driven<'_> {
    /// The type of the machine: `::machines::mysis::Mysis<String, u64>`.
    fn ty(&self) -> TokenStream {
        let (path, ident, arguments) = (&self.path, &self.names.ident, arguments(self.names.of_context));
        quote! { #path::#ident #arguments }
    }

    /// The type of all that can happen: `::machines::mysis::Event<&'v str, u64>`; `Recorded` where there are timers.
    fn event_ty(&self, lifetime: TokenStream) -> TokenStream {
        self.ty_of_event(&self.event_ident(), lifetime)
    }

    fn event_ident(&self) -> Ident {
        format_ident!("{}", if self.has_timers() { "Recorded" } else { "Event" })
    }

    fn ty_of_event(&self, ident: &Ident, lifetime: TokenStream) -> TokenStream {
        let (path, params) = (&self.path, self.names.of_event);
        let text = params.text.then(|| quote! { &#lifetime str, });
        let reference = params.reference.then(|| quote! { u64 });
        let parameters = (params.text || params.reference).then(|| quote! { <#text #reference> });
        quote! { #path::#ident #parameters }
    }

    fn has_timers(&self) -> bool {
        self.machine.timers().next().is_some()
    }

    fn has_context(&self) -> bool {
        !self.machine.fields.is_empty()
    }

    fn has_predicates(&self) -> bool {
        !self.machine.predicates.is_empty()
    }

    /// The implementation of `Drive` for one machine.
    fn expand(&self) -> TokenStream {
        let (drive, predicates, host) = (self.expand_drive(), self.expand_predicates(), self.expand_host());
        let input = self.has_timers().then(|| self.expand_input());
        quote! { #drive #input #predicates #host }
    }

    fn expand_drive(&self) -> TokenStream {
        let (ty, path, leaf) = (self.ty(), &self.path, &self.names.leaf);
        let event = if self.machine.events.is_empty() {
            quote! { ::statespec::Never }
        } else {
            self.event_ty(quote! { 'v })
        };
        let make_event = self.expand_event();
        let restore = self.expand_restore();
        let context = self.expand_context_values();
        let creation = self.expand_creation();
        let steps = self.expand_steps();
        let (run, timers) = (self.expand_run(), self.expand_timers());
        quote! {
            impl Drive for #ty {
                type State = #path::#leaf;
                type Event<'v> = #event;

                #make_event
                #restore
                #context
                #creation
                #steps
                #timers
                #run
            }
        }
    }

    /// The name of the function that tells events from timers.
    fn input_ident(&self) -> Ident {
        format_ident!("input_of_{}", snake(&self.machine.name))
    }

    /// The function from all that can happen to what a caller can raise; `None` for a timer.
    fn expand_input(&self) -> TokenStream {
        let (path, function) = (&self.path, self.input_ident());
        let (all, input) = (self.event_ty(quote! {}), self.ty_of_event(&format_ident!("Event"), quote! {}));
        let arms = self.machine.events.iter().zip(&self.names.events).filter(|(event, _)| event.timer.is_none()).map(|(_, names)| {
            let (variant, fields) = (&names.variant, &names.fields);
            let payload = (!fields.is_empty()).then(|| quote! { { #(#fields),* } });
            quote! { #path::Recorded::#variant #payload => Some(#path::Event::#variant #payload) }
        });
        quote! {
            /// The event, if a caller can raise it.
            fn #function(event: #all) -> Option<#input> {
                match event {
                    #(#arms,)*
                    _ => None,
                }
            }
        }
    }

    /// The parameter of predicates, and its argument.
    fn predicates_pieces(&self) -> (TokenStream, Option<TokenStream>) {
        if self.has_predicates() { (quote! { holds }, Some(quote! { , holds })) } else { (quote! { _holds }, None) }
    }

    fn expand_creation(&self) -> TokenStream {
        let (holds, argument) = self.predicates_pieces();
        if self.names.has_creation {
            let input = self.input_ident();
            let refused = self.has_timers().then(|| {
                quote! {
                    // No timer creates a machine.
                    let Some(event) = #input(event) else {
                        return Err(::statespec::Refused::of_event(None, event.kind(), ::statespec::Reason::NoTransition, None));
                    };
                }
            });
            return quote! {
                fn create(event: <Self as Drive>::Event<'_>, #holds: &Holds) -> Result<(Self, ::statespec::Change<<Self as Drive>::State>), ::statespec::Refused<<Self as Drive>::State>> {
                    #refused
                    Self::create(event #argument)
                }
            };
        }
        let start = match self.names.form {
            Form::Enum => quote! { Self::INITIAL },
            Form::Module | Form::Struct | Form::Around => quote! { Self::new() },
        };
        let start = if self.names.starts_by_conversion {
            quote! { #start.ok() }
        } else {
            quote! { Some(#start) }
        };
        quote! {
            fn start() -> Option<Self> {
                #start
            }
        }
    }

    fn expand_steps(&self) -> TokenStream {
        let (holds, argument) = self.predicates_pieces();
        let raise = self.names.has_dispatch.then(|| {
            let input = self.input_ident();
            let apply = match self.has_timers() {
                true => quote! {
                    match #input(event) {
                        Some(event) => self.apply(event #argument),
                        None => self.replay(event #argument),
                    }
                },
                false => quote! { self.apply(event #argument) },
            };
            quote! {
                fn raise(&mut self, event: <Self as Drive>::Event<'_>, #holds: &Holds) -> Result<::statespec::Change<<Self as Drive>::State>, ::statespec::Refused<<Self as Drive>::State>> {
                    #apply
                }
            }
        });
        let direct = self.names.has_direct.then(|| {
            quote! {
                fn transition_to(&mut self, to: <Self as Drive>::State, #holds: &Holds) -> Result<::statespec::Change<<Self as Drive>::State>, ::statespec::Refused<<Self as Drive>::State>> {
                    self.transition_to(to #argument)
                }
            }
        });
        quote! { #raise #direct }
    }

    fn expand_timers(&self) -> Option<TokenStream> {
        let n_timers = Literal::usize_unsuffixed(self.machine.timers().count());
        self.machine.timers().next()?;
        let timers = quote! { ::statespec::Timers::<<Self as Drive>::State, #n_timers> };
        let parse = quote! { <<<Self as Drive>::State as ::statespec::State>::Event as ::statespec::Named>::parse };
        let restored = quote! {
            let before = started.iter().map(|(name, moment)| (#parse(name).expect("a timer"), ::statespec::Timestamp::from_micros(*moment)));
            let mut timers = #timers::restore(before);
        };
        let all =
            quote! { timers.started().map(|(timer, moment)| (::statespec::Named::name(timer).to_owned(), moment.as_micros())).collect() };
        let holds = if self.has_predicates() {
            quote! { holds }
        } else {
            quote! { _holds }
        };
        let predicates = if self.has_predicates() {
            quote! { holds }
        } else {
            quote! { &() }
        };
        let elapse = quote! {
            fn elapse(&mut self, started: &Started, #holds: &Holds, now: i64) -> (Started, Option<(String, Result<::statespec::Change<<Self as Drive>::State>, ::statespec::Refused<<Self as Drive>::State>>)>) {
                #restored
                let elapsed = timers.elapse_with(self, #predicates, ::statespec::Timestamp::from_micros(now));
                (#all, elapsed.map(|it| (::statespec::Named::name(it.timer).to_owned(), it.result)))
            }
        };
        Some(quote! {
            fn running_timers(&self) -> Vec<(String, i64)> {
                self.timers().map(|(timer, after)| (::statespec::Named::name(timer).to_owned(), after.as_micros())).collect()
            }

            fn start_timers(state: ::statespec::ConfigurationOf<<Self as Drive>::State>, now: i64) -> Started {
                let timers = #timers::start(state, ::statespec::Timestamp::from_micros(now));
                #all
            }

            fn observe_timers(started: &Started, change: &::statespec::Change<<Self as Drive>::State>, now: i64) -> Started {
                #restored
                timers.observe(change, ::statespec::Timestamp::from_micros(now));
                #all
            }

            fn end_timer(started: &Started, timer: &str) -> Started {
                #restored
                timers.end(#parse(timer).expect("a timer"));
                #all
            }

            fn due_timers(&self, started: &Started) -> (Started, Option<(String, i64)>) {
                let before = started.iter().map(|(name, moment)| (#parse(name).expect("a timer"), ::statespec::Timestamp::from_micros(*moment)));
                let timers = #timers::restore(before);
                let named = |(timer, due): (_, ::statespec::Timestamp)| (::statespec::Named::name(timer).to_owned(), due.as_micros());
                (timers.due(self).map(named).collect(), timers.next_due(self).map(named))
            }

            #elapse
        })
    }

    fn expand_run(&self) -> TokenStream {
        let (holds, argument) = self.predicates_pieces();
        let run = self.names.has_dispatch.then(|| {
            let (input, n_timers) = (self.input_ident(), Literal::usize_unsuffixed(self.machine.timers().count()));
            let run = match self.has_timers() {
                // A timer elapses with a host only if it runs; in other states, it is refused.
                true => quote! {
                    if let Some(event) = #input(event) {
                        return self.run(event #argument, log);
                    }
                    let long_ago = [(event.kind(), ::statespec::Timestamp::MIN)];
                    let mut timers = ::statespec::Timers::<<Self as Drive>::State, #n_timers>::restore(long_ago);
                    let before = timers;
                    let result = self.run_due(&mut timers, ::statespec::Timestamp::MAX #argument, log);
                    match result {
                        Some(result) => {
                            assert_eq!(timers, timers_after(before, event.kind(), &result), "the timers after a run");
                            result
                        }
                        None => Err(self.clone().replay(event #argument).expect_err("it does not run").into()),
                    }
                },
                false => quote! { self.run(event #argument, log) },
            };
            quote! {
                fn run_event(&mut self, event: <Self as Drive>::Event<'_>, #holds: &Holds, log: &mut Log) -> Result<::statespec::Change<<Self as Drive>::State>, ::statespec::RunError<<Self as Drive>::State, String>> {
                    #run
                }
            }
        });
        let run_to = self.names.has_direct.then(|| {
            quote! {
                fn run_to(&mut self, to: <Self as Drive>::State, #holds: &Holds, log: &mut Log) -> Result<::statespec::Change<<Self as Drive>::State>, ::statespec::RunError<<Self as Drive>::State, String>> {
                    self.run_to(to #argument, log)
                }
            }
        });
        quote! { #run #run_to }
    }

    /// The event with this name, with its payload from values.
    fn expand_event(&self) -> TokenStream {
        if self.machine.events.is_empty() {
            return quote! {
                fn event<'v>(_name: &str, _payload: &Values<'v>) -> Option<<Self as Drive>::Event<'v>> {
                    None
                }
            };
        }
        let (path, ty) = (&self.path, self.event_ident());
        let arms = self.machine.events.iter().zip(&self.names.events).map(|(event, names)| {
            let (name, variant) = (&event.name, &names.variant);
            let fields = event.payload.iter().zip(&names.fields).enumerate().map(|(idx, (field, ident))| {
                let value = expand_from_value(field, idx, &quote! { payload });
                quote! { #ident: #value }
            });
            let fields = (!event.payload.is_empty()).then(|| quote! { { #(#fields),* } });
            quote! { #name => #path::#ty::#variant #fields }
        });
        let payload = if self.machine.events.iter().any(|it| !it.payload.is_empty()) {
            quote! { payload }
        } else {
            quote! { _payload }
        };
        quote! {
            fn event<'v>(name: &str, #payload: &Values<'v>) -> Option<<Self as Drive>::Event<'v>> {
                Some(match name {
                    #(#arms,)*
                    _ => return None,
                })
            }
        }
    }

    fn expand_restore(&self) -> TokenStream {
        let path = &self.path;
        let now = match self.names.form {
            Form::Enum => quote! { *self },
            Form::Module | Form::Struct | Form::Around => quote! { self.state() },
        };
        // A configuration of several leaves is made from its text.
        let state = match self.machine.has_regions() {
            true => quote! { let state = joined(leaves).parse().expect("a configuration"); },
            false => quote! { let [state] = *leaves else { panic!("one leaf") }; },
        };
        let now = quote! {
            fn state_now(&self) -> ::statespec::ConfigurationOf<<Self as Drive>::State> {
                #now
            }
        };
        if !self.has_context() {
            let machine = match self.names.form {
                Form::Module | Form::Around => quote! { Self::restore(state) },
                Form::Struct => quote! { Self { state } },
                Form::Enum => quote! { state },
            };
            return quote! {
                fn at(leaves: &[<Self as Drive>::State], _context: &Values<'_>) -> Self {
                    #state
                    #machine
                }

                #now
            };
        }
        let fields = self.machine.fields.iter().zip(&self.names.fields).enumerate().map(|(idx, (field, ident))| {
            let value = expand_from_value(field, idx, &quote! { context });
            quote! { #ident: #value }
        });
        let machine = match self.names.form {
            Form::Struct => quote! { Self { state, #(#fields),* } },
            Form::Module | Form::Enum | Form::Around => quote! { Self::restore(state, #path::Context { #(#fields),* }) },
        };
        quote! {
            fn at(leaves: &[<Self as Drive>::State], context: &Values<'_>) -> Self {
                #state
                #machine
            }

            #now
        }
    }

    fn expand_context_values(&self) -> Option<TokenStream> {
        if !self.has_context() {
            return None;
        }
        let values = self.machine.fields.iter().zip(&self.names.fields).map(|(field, ident)| {
            let place = match self.names.form {
                Form::Struct => quote! { self.#ident },
                Form::Module | Form::Enum | Form::Around => quote! { self.context().#ident },
            };
            expand_to_value(field, &place)
        });
        let machine = if self.machine.fields.iter().any(|it| it.ty == Type::State) {
            quote! { machine }
        } else {
            quote! { _machine }
        };
        Some(quote! {
            fn context_now(&self, #machine: &::statespec_lang::model::Machine) -> Vec<::statespec_lang::model::Value> {
                vec![#(#values),*]
            }
        })
    }

    fn expand_predicates(&self) -> Option<TokenStream> {
        if !self.has_predicates() {
            return None;
        }
        let (path, arguments) = (&self.path, arguments(self.names.of_predicates));
        let context_ty = self.context_ty();
        let context = self.has_context().then(|| quote! { _: &#context_ty, });
        let methods = self.machine.predicates.iter().zip(&self.names.predicates).map(|(predicate, names)| {
            let (name, method) = (&predicate.name, &names.method);
            let event = names.takes_event.then(|| {
                let ty = self.event_ty(quote! {});
                quote! { _: &#ty }
            });
            quote! {
                fn #method(&self, #context #event) -> bool {
                    self.holds(#name)
                }
            }
        });
        Some(quote! {
            impl #path::Predicates #arguments for Holds {
                #(#methods)*
            }
        })
    }

    /// The type of the context; the user's struct is its own context.
    fn context_ty(&self) -> TokenStream {
        match self.names.form {
            Form::Struct => self.ty(),
            Form::Module | Form::Enum | Form::Around => {
                let (path, arguments) = (&self.path, arguments(self.names.of_context));
                quote! { #path::Context #arguments }
            }
        }
    }

    fn expand_host(&self) -> TokenStream {
        let (path, machine, arguments) = (&self.path, self.ty(), arguments(self.names.of_effects));
        let methods = self.machine.effects.iter().zip(&self.names.effects).map(|(effect, names)| {
            let (name, method, idents) = (&effect.name, &names.method, &names.parameters);
            let fields = || effect.takes.iter().map(|it| &it.field).zip(idents);
            let parameters = fields().zip(&names.held).map(|((field, ident), held)| {
                let ty = self.argument_ty(field, held.as_ref());
                quote! { #ident: #ty }
            });
            let message = effect.message.is_some().then(|| quote! { message: ::core::fmt::Arguments<'_> });
            let parameters = parameters.chain(message);
            // A parameter may have the name of the function.
            let payload = fields().map(|(field, ident)| match field.ty {
                // The log has no access to the machine: states and values of enums are logged by name.
                Type::State | Type::Enum(_) if field.optional => quote! { ToValue::to_value(&#ident.map(|it| ToString::to_string(&it))) },
                // An attribute may be called `to_string`.
                Type::State | Type::Enum(_) => quote! { ToValue::to_value(&ToString::to_string(&#ident)) },
                _ => quote! { ToValue::to_value(&#ident) },
            });
            let message = if effect.message.is_some() {
                quote! { Some(message.to_string()) }
            } else {
                quote! { None }
            };
            quote! {
                fn #method(&mut self, #(#parameters),*) -> Result<(), String> {
                    self.perform(Effect { name: #name, payload: vec![#(#payload),*], message: #message })
                }
            }
        });
        quote! {
            impl #path::Host #arguments for Log {
                type Error = String;

                fn store(&mut self, _: &#machine, _: &#path::Change) -> Result<(), String> {
                    self.write()
                }

                #(#methods)*
            }
        }
    }

    /// The type of a parameter that takes a field of a payload.
    fn argument_ty(&self, field: &Field, held: Option<&TokenStream>) -> TokenStream {
        let (path, leaf, facade) = (&self.path, &self.names.leaf, quote! { ::statespec });
        let ty = match &field.ty {
            _ if held.is_some() => quote! { #held },
            Type::Bool => quote! { bool },
            Type::Int => quote! { i64 },
            Type::Decimal => quote! { #facade::Decimal },
            Type::Text => quote! { &str },
            Type::Duration => quote! { #facade::Duration },
            Type::Timestamp => quote! { #facade::Timestamp },
            Type::Reference => quote! { u64 },
            Type::State => quote! { #path::#leaf },
            Type::Enum(id) => {
                let ident: &Ident = &self.names.enums[id.index()];
                quote! { #path::#ident }
            }
            other => unreachable!("a field is never of the type {other:?}"),
        };
        if field.optional {
            quote! { Option<#ty> }
        } else {
            ty
        }
    }
}

/// The code that reads the value at a position.
fn expand_from_value(field: &Field, idx: usize, values: &TokenStream) -> TokenStream {
    let idx = Literal::usize_unsuffixed(idx);
    match (&field.ty, field.optional) {
        (Type::State, false) => quote! { #values.state(#idx) },
        (Type::State, true) => quote! { #values.optional_state(#idx) },
        (Type::Enum(_), false) => quote! { #values.choice(#idx) },
        (Type::Enum(_), true) => quote! { #values.optional_choice(#idx) },
        _ => quote! { #values.get(#idx) },
    }
}

/// The code that makes a value from a place.
fn expand_to_value(field: &Field, place: &TokenStream) -> TokenStream {
    match (&field.ty, field.optional) {
        (Type::State, false) => quote! { state_value(machine, Some(#place)) },
        (Type::State, true) => quote! { state_value(machine, #place) },
        (Type::Enum(id), optional) => {
            let id = Literal::u32_unsuffixed(id.0);
            let place = if optional {
                quote! { #place }
            } else {
                quote! { Some(#place) }
            };
            quote! { choice_value(#id, #place) }
        }
        _ => quote! { value(&#place) },
    }
}
