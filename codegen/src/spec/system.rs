//! A system file as written: several machines, and what crosses their borders.

use super::machine::Field;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::read::{Entries, Literal, OneOrMany, Read, Text, spec_types};
use crate::source::Spanned;
use crate::yaml::{Node, NodeKind};

spec_types! {
    /// Several machines that act together. A machine file never mentions another machine; whatever crosses machines stands here.
    pub struct System as "a system" {
        /// The system's name, as documents and emitted code call it.
        system: Text,
        /// The heading of its page; the name when left out.
        title: Option<Text>,
        /// What it is about.
        doc: Option<Text>,
        /// Where the facts come from.
        sources: Option<Vec<Text>>,
        /// Who triggers transactions or does the work they start, each with a text that says who that is.
        actors: Option<Entries<Text>>,
        /// The machines that take part, each in a role.
        parts: Entries<Part>,
        /// Conditions on firing events, wherever that happens.
        rules: Option<Vec<Rule>>,
        /// What can be done to the system: one or more events, all or none.
        transactions: Option<Entries<Transaction>>,
        /// Events that a change of one part raises in another.
        links: Option<Vec<Link>>,
        /// What holds after every transaction.
        invariants: Option<Vec<Invariant>>,
        /// Told ways through the system. They are executed whenever the spec is read, and must go as written.
        walkthroughs: Option<Entries<Walkthrough>>,
        /// Sentences for the page.
        notes: Option<Vec<Text>>,
        /// Lints that find something here which is right as it is, each with the reason: `{ dead-end: It stays open for good. }`.
        allow: Option<Entries<Text>>,
    }

    /// A machine in a role.
    pub struct Part as "a part" {
        /// The machine's name.
        machine: Text,
        /// There may be many instances; at most one when left out.
        many: Option<Spanned<bool>>,
        /// The part that every instance belongs to.
        of: Option<Text>,
        /// The context field that says to which instance it belongs: a reference, given at creation and never assigned.
        by: Option<Text>,
        /// What tables call it; the name, capitalised, when left out.
        label: Option<Text>,
        /// What it is here for.
        doc: Option<Text>,
        /// Lints that find something here which is right as it is, each with the reason: `{ dead-end: It stays open for good. }`.
        allow: Option<Entries<Text>>,
    }

    /// A condition on firing events.
    pub struct Rule as "a rule" {
        /// The events: `part.event`, `part.*` for all of a part, or a list of these.
        before: OneOrMany<Text>,
        /// Events left out, written in the same way.
        except: Option<OneOrMany<Text>>,
        /// What must hold, read before the transaction.
        require: Text,
        /// What it says; the refusal's text.
        doc: Text,
        /// Set where the source text did not say so: the reason it is here all the same.
        inferred: Option<Text>,
        /// Lints that find something here which is right as it is, each with the reason: `{ dead-end: It stays open for good. }`.
        allow: Option<Entries<Text>>,
    }

    /// Something that can be done to the system.
    pub struct Transaction as "a transaction" {
        /// The actors who may trigger it; anyone when left out.
        by: Option<OneOrMany<Text>>,
        /// The actor who does the work it starts, where that is somebody else.
        performer: Option<Text>,
        /// Where a person finds it: `button "Execute Hop"`.
        surface: Option<Text>,
        /// The data it takes. A state is typed `part.state`, an enum `part.name`.
        payload: Option<Entries<Field>>,
        /// Must be one database transaction.
        atomic: Option<Spanned<bool>>,
        /// The events, in order, at most one for each part.
        fire: OneOrMany<Fire>,
        /// What it means.
        doc: Option<Text>,
        /// What does not happen when a part of it fails.
        on_failure: Option<Text>,
        /// Set where the source text did not say so: the reason it is here all the same.
        inferred: Option<Text>,
        /// Lints that find something here which is right as it is, each with the reason: `{ dead-end: It stays open for good. }`.
        allow: Option<Entries<Text>>,
    }

    /// An event that a change of one part raises in another.
    pub struct Link as "a link" {
        /// The state that is entered: `part.STATE`.
        enter: Option<Text>,
        /// The state that is left: `part.STATE`.
        exit: Option<Text>,
        /// What must hold, read after the change.
        when: Option<Text>,
        /// The event that is raised.
        fire: Fire,
        /// A refusal is passed over; otherwise it undoes the whole transaction.
        optional: Option<Spanned<bool>>,
        /// What it says.
        doc: Option<Text>,
        /// Set where the source text did not say so: the reason it is here all the same.
        inferred: Option<Text>,
        /// Lints that find something here which is right as it is, each with the reason: `{ dead-end: It stays open for good. }`.
        allow: Option<Entries<Text>>,
    }

    /// What holds after every transaction, for all instances that belong together.
    pub struct Invariant as "an invariant" {
        /// The condition.
        require: Text,
        /// What it says; the refusal's text.
        doc: Text,
        /// Set where the source text did not say so: the reason it is here all the same.
        inferred: Option<Text>,
        /// Lints that find something here which is right as it is, each with the reason: `{ dead-end: It stays open for good. }`.
        allow: Option<Entries<Text>>,
    }

    /// A told way through the system.
    pub struct Walkthrough as "a walkthrough" {
        /// What it shows.
        doc: Option<Text>,
        /// The steps.
        steps: Vec<Step>,
        /// Lints that find something here which is right as it is, each with the reason: `{ dead-end: It stays open for good. }`.
        allow: Option<Entries<Text>>,
    }

    /// One step of a walkthrough.
    pub struct Step as "a step" {
        /// Its number: `"2.1"`.
        step: Text,
        /// The transaction.
        run: Text,
        /// Which instance, counted from 1, of each part with `many`: `{ hop: 1 }`. A new one gets this number.
        instances: Option<Entries<Text>>,
        /// The transaction's payload.
        with: Option<Entries<Literal>>,
        /// The named predicates that hold during the step: `part.predicate`.
        holds: Option<OneOrMany<Text>>,
        /// What the table's Trigger column says.
        trigger: Text,
        /// What the table's Notes column says.
        note: Option<Text>,
        /// The step must be turned down, with this text.
        refused: Option<Text>,
        /// The states in which parts must be afterwards: `{ session: PRESSURE }`.
        then: Option<Entries<Text>>,
    }
}

/// An event of a part: `hop.create`, or with its payload `{ hop.complete_plan: { final: final } }`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(untagged))]
pub enum Fire {
    /// `part.event`, without a payload.
    Event(Text),
    /// `{ part.event: { field: expression } }`, one entry.
    With(Entries<Entries<Text>>),
}

impl Fire {
    /// The event as written, and the expressions of its payload.
    pub fn parts(&self) -> (&Text, &[(Text, Text)]) {
        match self {
            Fire::Event(event) => (event, &[]),
            // The reader lets nothing but one entry through.
            Fire::With(entries) => (&entries.0[0].0, &entries.0[0].1.0),
        }
    }
}

impl Read for Fire {
    fn read(node: Node, diagnostics: &mut Diagnostics) -> Option<Self> {
        let NodeKind::Map(entries) = &node.kind else {
            return Text::read(node, diagnostics).map(Fire::Event);
        };
        if entries.len() != 1 {
            let message = format!("expected one event with its payload, found {} keys", entries.len());
            let help = "write `{ part.event: { field: expression } }`, one event to a list item";
            diagnostics.push(Diagnostic::new(Code::WrongShape, node.span, message).help(help));
            return None;
        }
        Entries::read(node, diagnostics).map(Fire::With)
    }
}
