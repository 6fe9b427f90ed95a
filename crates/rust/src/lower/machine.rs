//! The whole module: enums, fields, effects, and the results of the other files.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use statespec_lang::model::machine::{Actor, Effect as SpecEffect, Event, Field as SpecField, Origin, Piece, Taken};
use statespec_lang::model::{ActorId, EffectId, EventId, FieldId, Literal, PredicateId, StateId, Type};
use statespec_lang::source::Span;

use super::types::Position;
use super::{Lowering, docs};
use crate::ir::{
    Argument, Constant, Effect, EventPattern, Events, Expr, Field, Generics, Machine, Message, Optional, Parameter, Params, Place,
    Predicate, UnitEnum, Variant,
};

impl<'m> Lowering<'m> {
    /// The complete module.
    pub(super) fn machine(self) -> Machine {
        let machine = self.machine;
        let mut referred = BTreeSet::new();
        let creation = self.creation(&mut referred);
        let dispatch = self.dispatch(&mut referred);
        let direct = self.direct(&mut referred);
        let reactions = self.reactions(&mut referred);
        let histories = self.histories(&mut referred);
        let on_event = self.on_event(&mut referred);
        let on_direct = self.on_direct(&mut referred);
        let typestate = self.typestate(&mut referred);
        let rows = self.rows(&referred);
        let timers = self.timers();
        let regions = self.regions();
        let doc = vec![docs::sentence(&machine.title), machine.doc.as_deref().map(docs::sentence).unwrap_or_default()];
        let module_doc = [doc.clone(), vec![docs::bullets(&machine.notes)]].concat();
        let mut constants = self.constants();
        constants.extend(self.computed_constants());
        let blame = self.blame(&rows);
        Machine {
            name: machine.name.clone(),
            module_doc,
            doc,
            generics: self.generics(),
            states: self.states(),
            composites: self.composite_enum(),
            regions,
            graph: self.graph(),
            rows,
            events: self.events(),
            effects: self.effects(),
            effects_take_event: self.effects_take_event(),
            effect_enum: self.effect_enum(),
            effect_attributes: self.attributes("Effect"),
            actors: self.actors(),
            enums: self.enums(),
            constants,
            fields: self.fields(),
            converted: self.converted(),
            predicates: self.predicates(),
            orders: self.orders(),
            creation,
            dispatch,
            direct,
            timers,
            reactions,
            histories,
            on_event,
            on_direct,
            typestate,
            blame,
            form: self.options.form.clone(),
            skip: self.options.skip.clone(),
            env: self.env,
            types: self.types,
        }
    }

    fn generics(&self) -> Generics {
        let own = self.own_generics();
        let has_own = !own.parameters.is_empty();
        let of_context = Params { text: self.context_has(&Type::Text), reference: self.context_has(&Type::Reference), own: has_own };
        let of_event = Params { text: self.payload_has(&Type::Text), reference: self.payload_has(&Type::Reference), own: false };
        let effects = &self.machine.effects;
        let effect_reference =
            self.own_reference().is_none() && effects.iter().flat_map(SpecEffect::payload).any(|it| it.ty == Type::Reference);
        let asked_with_event = (0..self.machine.predicates.len()).any(|idx| self.predicate_takes_event(PredicateId::new(idx)));
        Generics {
            text: self.params.text.clone(),
            reference: self.params.reference.clone(),
            predicates: self.params.predicates.clone(),
            host: self.params.host.clone(),
            of_effects: Params { text: of_context.text, reference: of_context.reference || effect_reference, own: has_own },
            of_values: self.of_values(),
            of_predicates: Params {
                text: of_context.text,
                reference: of_context.reference || (asked_with_event && of_event.reference),
                own: has_own,
            },
            own,
            default_reference: self.default_reference(),
            of_context,
            of_event,
            text_needs: self.text_needs(),
            default_text: self.default_text(),
        }
    }

    pub(super) fn attributes(&self, ty: &str) -> TokenStream {
        self.options.attributes.get(ty).cloned().unwrap_or_default()
    }

    fn states(&self) -> UnitEnum {
        UnitEnum {
            ident: self.types.state.clone(),
            kind: "state".into(),
            doc: vec![match self.machine.has_regions() {
                true => format!("The innermost states of {}; it may be in several at once.", docs::one(&self.machine.name)),
                false => format!("The states of {}.", docs::one(&self.machine.name)),
            }],
            variants: self.leaves.iter().map(|id| self.state_variant(*id)).collect(),
            ignore_case: false,
            attributes: self.attributes(if self.machine.has_regions() { "Leaf" } else { "State" }),
        }
    }

    fn composite_enum(&self) -> Option<UnitEnum> {
        (!self.composites.is_empty()).then(|| UnitEnum {
            ident: self.types.composite.clone(),
            kind: "composite state".into(),
            doc: vec!["States that contain other states; a machine is in one of the innermost.".into()],
            variants: self.composites.iter().map(|id| self.state_variant(*id)).collect(),
            ignore_case: false,
            attributes: self.attributes("Composite"),
        })
    }

    fn state_variant(&self, id: StateId) -> Variant {
        let state = self.machine.state(id);
        let mut doc = vec![docs::sentence_or(state.doc.as_deref(), || format!("The state {}.", docs::code(&state.name)))];
        if let Some(parent) = state.parent {
            let parent = docs::code(&self.machine.path_name(parent));
            doc.push(if self.machine.is_initial(id) { format!("The default state of {parent}.") } else { format!("Inside {parent}.") });
        }
        if state.terminal {
            doc.push("An outcome: the work has ended.".into());
        }
        if let Some(reason) = &state.inferred {
            doc.push(format!("Inferred: {}", docs::sentence(reason)));
        }
        let (name, label, text) = (state.wire.clone(), state.label.clone(), state.doc.clone());
        Variant { ident: self.state(id), name, label, text, doc, aliases: Vec::new() }
    }

    fn events(&self) -> Option<Events> {
        let machine = self.machine;
        if machine.events.is_empty() {
            return None;
        }
        let has_payload = machine.events.iter().any(|it| !it.payload.is_empty());
        let variants = machine.events.iter().zip(&self.names.events).map(|(event, ident)| Variant {
            ident: ident.clone(),
            name: event.name.clone(),
            label: event.label.clone(),
            text: event.doc.clone(),
            doc: self.event_doc(event),
            aliases: event.aliases.clone(),
        });
        let what = match (has_payload, machine.timers().next().is_some()) {
            (_, true) => "The names of the events and of the timers.",
            (true, false) => "The events, without their payloads.",
            (false, false) => "The events.",
        };
        let actor = |id: &ActorId| self.names.actors[id.index()].clone();
        let actors = machine.events.iter().map(|it| (it.by.iter().map(actor).collect(), it.performer.as_ref().map(actor)));
        Some(Events {
            kinds: UnitEnum {
                ident: self.types.event_kind.clone(),
                kind: "event".into(),
                doc: vec![what.into()],
                variants: variants.collect(),
                ignore_case: false,
                attributes: self.attributes("EventKind"),
            },
            payloads: match has_payload {
                true => machine.events.iter().map(|it| self.payload_fields(&it.payload, Position::Field)).collect(),
                false => Vec::new(),
            },
            actors: (!machine.actors.is_empty()).then(|| actors.collect()),
            attributes: self.attributes("Event"),
        })
    }

    fn event_doc(&self, event: &Event) -> Vec<String> {
        let actor = |id: &ActorId| self.machine.actors[id.index()].name.as_str();
        let mut doc = vec![docs::sentence_or(event.doc.as_deref(), || format!("The event {}.", docs::code(&event.name)))];
        if !event.by.is_empty() {
            doc.push(format!("Raised by {}.", docs::code_list(event.by.iter().map(actor), "or")));
        }
        if let Some(performer) = &event.performer {
            doc.push(format!("The work is done by {}.", docs::code(actor(performer))));
        }
        if let (Some(_), Some(label)) = (&event.timer, &event.label) {
            doc = vec![format!("The timer {}: {}.", docs::code(&event.name), docs::markdown(label))];
        }
        if event.settles {
            doc.push("Fires again until a transition stays or none is enabled.".into());
        }
        doc
    }

    /// Fields of a payload; `position` determines the type of a text.
    pub(super) fn payload_fields(&self, fields: &[SpecField], position: Position) -> Vec<Field> {
        self.fields_of(fields, position, |idx| self.own_payload(&fields[idx]))
    }

    /// Fields of a payload or an item; `own` are the types of the user that hold them.
    pub(super) fn fields_of<'t>(
        &self,
        fields: &[SpecField],
        position: Position,
        own: impl Fn(usize) -> Option<&'t TokenStream>,
    ) -> Vec<Field> {
        let fields = fields.iter().zip(self.payload(fields)).enumerate();
        fields.map(|(idx, (field, (ident, local)))| self.field(field, ident, local, position, own(idx))).collect()
    }

    fn field(&self, field: &SpecField, ident: Ident, local: Ident, position: Position, own: Option<&TokenStream>) -> Field {
        let ty = |position| own.map_or_else(|| self.field_ty(field, position), |own| self.option_of(own.clone(), field.optional));
        let is = |ty: &Type| (field.ty == *ty).then_some(Optional(field.optional));
        Field {
            ident,
            name: field.name.clone(),
            text: is(&Type::Text),
            own_state: is(&Type::State).filter(|_| self.options.form.has_own_states()),
            local,
            doc: vec![docs::sentence_or(field.doc.as_deref(), || self.type_in_words(field))],
            ty: ty(position),
            argument: ty(Position::Argument),
            default: None,
        }
    }

    /// What can be said of a field that the spec does not describe.
    fn type_in_words(&self, field: &SpecField) -> String {
        let words = match &field.ty {
            Type::Bool => "`true` or `false`",
            Type::Int => "A whole number",
            Type::Decimal => "A decimal number",
            Type::Text => "A text",
            Type::Duration => "A duration",
            Type::Timestamp => "A moment",
            Type::Reference => "The key of an object outside the machine",
            Type::State => "A state of this machine",
            Type::Event => "An event of this machine",
            Type::Enum(id) => &format!("A value of {}", docs::code(&self.machine.enums[id.index()].name)),
            Type::List(_) => "A list",
        };
        format!("{words}{}.", if field.optional { ", or `None`" } else { "" })
    }

    /// The fields of the context, with their values at creation.
    fn fields(&self) -> Vec<Field> {
        let fields = self.machine.fields.iter().zip(&self.names.fields).enumerate().map(|(idx, (field, ident))| {
            let (own, default) = (self.own_field(FieldId::new(idx)), field.default.as_ref().unwrap_or(&Literal::Null));
            Field {
                default: Some(match self.held_field(FieldId::new(idx)) {
                    Some(held) => self.held_default(held, field, default),
                    None => self.kept_literal(default, field.optional),
                }),
                ..self.field(field, ident.clone(), ident.clone(), Position::Field, own)
            }
        });
        fields.collect()
    }

    /// The parameters of an effect with its data.
    pub(crate) fn of_values(&self) -> Params {
        let taken = || self.machine.effects.iter().flat_map(|it| &it.takes).map(|it| &it.field.ty);
        let reference = self.own_reference().is_none() && taken().any(|it| *it == Type::Reference);
        Params { text: taken().any(|it| *it == Type::Text), reference, own: false }
    }

    fn effect_enum(&self) -> Option<UnitEnum> {
        let has_data = self.machine.effects.iter().any(|it| !it.takes.is_empty());
        let (kinds, values) = (self.attributes("EffectKind"), self.attributes("Effect"));
        let variants = self.machine.effects.iter().zip(&self.names.effects).map(|(effect, ident)| Variant {
            ident: ident.clone(),
            name: effect.name.clone(),
            label: effect.label.clone(),
            text: effect.doc.clone(),
            doc: vec![effect_doc(effect)],
            aliases: Vec::new(),
        });
        (!self.machine.effects.is_empty()).then(|| UnitEnum {
            ident: self.types.effect_kind.clone(),
            kind: "effect".into(),
            doc: vec![match has_data {
                true => "The effects of transitions outside the machine, without their data.".into(),
                false => "The effects of transitions outside the machine.".into(),
            }],
            variants: variants.collect(),
            ignore_case: false,
            // Without data, an effect is its kind.
            attributes: if has_data {
                kinds
            } else {
                quote! { #kinds #values }
            },
        })
    }

    fn effects(&self) -> Vec<Effect> {
        let effects = self.machine.effects.iter().enumerate();
        effects.map(|(idx, effect)| self.effect(EffectId::new(idx), effect)).collect()
    }

    fn effect(&self, id: EffectId, effect: &SpecEffect) -> Effect {
        let parameters = self.parameters(effect);
        let mut doc = vec![effect_doc(effect)];
        if let Some(pieces) = &effect.message {
            doc.push(format!("The message is {}.", docs::code(&message_text(effect, pieces))));
        }
        let with_payload = Some(&self.program.effects[id.index()]).filter(|_| effect.payload().next().is_some());
        let events =
            with_payload.iter().flat_map(|it| it.events.iter().map(|id| self.effect_pattern(*id, it.takes, &parameters))).collect();
        Effect {
            variant: self.names.effects[id.index()].clone(),
            method: self.names.effect_methods[id.index()].clone(),
            doc,
            message: effect.message.as_ref().map(|pieces| message(effect, pieces)),
            events,
            parameters,
        }
    }

    /// The values that an effect takes, as parameters of its method.
    fn parameters(&self, effect: &SpecEffect) -> Vec<Parameter> {
        let fields: Vec<SpecField> = effect.takes.iter().map(|it| it.field.clone()).collect();
        let own = |taken: &Taken| match taken.origin {
            Origin::Payload(_) => self.own_payload(&taken.field),
            Origin::Context(id) => self.own_field(id),
            Origin::From | Origin::To => None,
        };
        let is_alias = |taken: &Taken| match taken.origin {
            Origin::Context(id) => self.held_field(id).is_some_and(|it| it.is_alias),
            Origin::Payload(_) | Origin::From | Origin::To => false,
        };
        let parameter = |(taken, field): (&Taken, Field)| Parameter {
            argument: match taken.origin {
                Origin::Payload(_) => Argument::Event,
                Origin::Context(id) => Argument::Machine(self.lent_field(id)),
                Origin::From => Argument::From,
                Origin::To => Argument::To,
            },
            optional: taken.field.optional,
            held: own(taken).map(|own| self.held(own, &taken.field.ty, &taken.field.name)).filter(|_| !is_alias(taken)),
            field,
        };
        let mut fields = self.fields_of(&fields, Position::Field, |idx| own(&effect.takes[idx]));
        for (field, taken) in fields.iter_mut().zip(&effect.takes) {
            match taken.origin {
                Origin::From => field.doc = vec!["The state before the step; `None` at creation.".into()],
                Origin::To => field.doc = vec!["The state after the step.".into()],
                Origin::Payload(_) | Origin::Context(_) => {}
            }
        }
        effect.takes.iter().zip(fields).map(parameter).collect()
    }

    /// A field of the context, its text borrowed.
    fn lent_field(&self, id: FieldId) -> Expr {
        let (field, place) = (&self.machine.fields[id.index()], Place::Context(self.names.fields[id.index()].clone()));
        if field.ty == Type::Text { Expr::Str { place, optional: field.optional } } else { Expr::Place(place) }
    }

    /// An event, with the fields that an effect takes bound to its parameters.
    fn effect_pattern(&self, id: EventId, takes: &[Taken], parameters: &[Parameter]) -> EventPattern {
        let idents = self.payload(&self.machine.event(id).payload);
        let bound = takes.iter().zip(parameters).filter_map(|(taken, parameter)| {
            let Origin::Payload(field) = taken.origin else { return None };
            let position = self.machine.payload_position(id, field)?;
            Some((idents[position].0.clone(), parameter.field.local.clone()))
        });
        let bindings: Vec<_> = bound.collect();
        EventPattern { variant: self.event(id), rest: bindings.len() < idents.len(), bindings }
    }

    fn actors(&self) -> Option<UnitEnum> {
        let actors = &self.machine.actors;
        (!actors.is_empty()).then(|| UnitEnum {
            ident: self.types.actor.clone(),
            kind: "actor".into(),
            doc: vec!["The actors that raise events, or do the work that events start.".into()],
            variants: actor_variants(actors, &self.names.actors),
            ignore_case: false,
            attributes: self.attributes("Actor"),
        })
    }

    fn enums(&self) -> Vec<UnitEnum> {
        let enums = self.machine.enums.iter().enumerate().map(|(idx, it)| {
            let idents = &self.names.enum_variants[idx];
            let variants = it.values.iter().zip(idents).map(|(value, ident)| Variant {
                ident: ident.clone(),
                name: value.wire.clone(),
                label: value.label.clone(),
                text: value.doc.clone(),
                doc: vec![docs::sentence_or(value.doc.as_deref(), || format!("The value {}.", docs::code(&value.name)))],
                aliases: Vec::new(),
            });
            UnitEnum {
                ident: self.names.enums[idx].clone(),
                kind: it.name.clone(),
                doc: vec![docs::sentence_or(it.doc.as_deref(), || format!("The enum {}.", docs::code(&it.name)))],
                variants: variants.collect(),
                ignore_case: it.ignore_case,
                attributes: TokenStream::new(),
            }
        });
        enums.collect()
    }

    fn constants(&self) -> Vec<Constant> {
        let constants = self.machine.constants.iter().zip(&self.names.constants).map(|(constant, ident)| Constant {
            ident: ident.clone(),
            doc: vec![docs::sentence_or(constant.doc.as_deref(), || format!("The constant {}.", docs::code(&constant.name)))],
            ty: self.ty(&constant.ty, Position::Table),
            value: self.literal(&constant.value),
        });
        constants.collect()
    }

    /// The constants that guards and assignments compute; they are complete once everything else is lowered.
    fn computed_constants(&self) -> Vec<Constant> {
        let computed = self.computed.borrow();
        let constants = computed.iter().map(|(words, ident, value)| Constant {
            ident: ident.clone(),
            doc: vec![format!("{}, computed exactly.", docs::code(words))],
            ty: self.ty(&Type::Decimal, Position::Table),
            value: self.literal(value),
        });
        constants.collect()
    }

    fn predicates(&self) -> Vec<Predicate> {
        let predicates = self.machine.predicates.iter().zip(&self.names.predicates).enumerate();
        let predicate = |(idx, (predicate, method)): (usize, (&statespec_lang::model::machine::Predicate, &Ident))| Predicate {
            method: method.clone(),
            doc: vec![docs::sentence_or(predicate.doc.as_deref(), || format!("The predicate {}.", docs::code(&predicate.name)))],
            takes_event: self.predicate_takes_event(PredicateId::new(idx)),
        };
        predicates.map(predicate).collect()
    }

    /// The lines of the module that show one element of the spec.
    fn blame(&self, rows: &crate::ir::Rows) -> Vec<(String, Span)> {
        let lines = rows.list.iter().zip(&self.machine.transitions);
        lines.map(|(row, spec)| (format!("/// {}", row.words), spec.span)).collect()
    }
}

fn effect_doc(effect: &SpecEffect) -> String {
    let text = effect.doc.as_deref().or(effect.label.as_deref());
    docs::sentence_or(text, || format!("The effect {}.", docs::code(&effect.name)))
}

fn message_text(effect: &SpecEffect, pieces: &[Piece]) -> String {
    let piece = |piece: &Piece| match piece {
        Piece::Text(text) => text.clone(),
        Piece::Taken(idx) => format!("{{{}}}", effect.takes[*idx].field.name),
    };
    pieces.iter().map(piece).collect()
}

fn message(effect: &SpecEffect, pieces: &[Piece]) -> Message {
    let mut message = Message { format: String::new(), arguments: Vec::new(), shows_references: false };
    for piece in pieces {
        match piece {
            Piece::Text(text) => message.format.push_str(&text.replace('{', "{{").replace('}', "}}")),
            Piece::Taken(idx) => {
                message.format.push_str("{}");
                message.arguments.push(*idx);
                message.shows_references |= effect.takes[*idx].field.ty == Type::Reference;
            }
        }
    }
    message
}

/// The actors of a machine or of a system.
pub(crate) fn actor_variants(actors: &[Actor], idents: &[Ident]) -> Vec<Variant> {
    let variants = actors.iter().zip(idents).map(|(actor, ident)| Variant {
        ident: ident.clone(),
        name: actor.name.clone(),
        label: None,
        text: Some(actor.doc.clone()),
        doc: vec![docs::sentence_or(Some(&actor.doc), || format!("The actor {}.", docs::code(&actor.name)))],
        aliases: Vec::new(),
    });
    variants.collect()
}
