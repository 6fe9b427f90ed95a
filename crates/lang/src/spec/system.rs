//! A system file as written: several machines, and what crosses their borders.

use super::machine::Field;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::read::{Entries, Literal, OneOrMany, Read, Text, spec_types};
use crate::source::Spanned;
use crate::yaml::{Node, NodeKind};

spec_types! {
    /// Several machines that act together. A machine file never mentions another machine; everything that involves several machines is in a system.
    pub struct System as "a system" {
        /// The system's name in documents and emitted code.
        system: Text,
        /// The heading of its page; the name if omitted.
        title: Option<Text>,
        /// A description of the system.
        doc: Option<Text>,
        /// The sources of the facts.
        sources: Option<Vec<Text>>,
        /// The actors who trigger transactions or who do the work that they start, each with a description.
        actors: Option<Entries<Text>>,
        /// The machines of the system, each in a role.
        parts: Entries<Part>,
        /// Conditions on events, wherever they are fired.
        rules: Option<Vec<Rule>>,
        /// The transactions: one or more events, of which all or none apply.
        transactions: Option<Entries<Transaction>>,
        /// Events that a change of one part raises in another.
        links: Option<Vec<Link>>,
        /// Conditions that hold after every transaction.
        invariants: Option<Vec<Invariant>>,
        /// Example runs of the system. They are executed whenever the spec is read, and must go as written.
        walkthroughs: Option<Entries<Walkthrough>>,
        /// Sentences for the page.
        notes: Option<Vec<Text>>,
        /// Lints waived here, each with the reason: `{ dead-end: It stays open for good. }`.
        allow: Option<Entries<Text>>,
    }

    /// A machine in a role.
    pub struct Part as "a part" {
        /// The machine's name.
        machine: Text,
        /// There can be many instances; at most one if omitted.
        many: Option<Spanned<bool>>,
        /// The part that every instance belongs to.
        of: Option<Text>,
        /// The context field that refers to the owner: a reference, set at creation and never assigned.
        by: Option<Text>,
        /// Orders of other parts that sort its instances, by the fields of its context: `policy.eviction`.
        orders: Option<OneOrMany<Text>>,
        /// Its name in tables; the capitalised name if omitted.
        label: Option<Text>,
        /// A description of the part.
        doc: Option<Text>,
        /// Lints waived here, each with the reason: `{ dead-end: It stays open for good. }`.
        allow: Option<Entries<Text>>,
    }

    /// A condition on firing events.
    pub struct Rule as "a rule" {
        /// The events: `part.event`, `part.*` for all of a part, or a list of these; `role.event` for one role of a part.
        before: OneOrMany<Text>,
        /// Excluded events, written in the same way.
        except: Option<OneOrMany<Text>>,
        /// The condition, read before the transaction.
        require: Text,
        /// A description; the text of the refusal.
        doc: Text,
        /// Marks what the source text does not contain; the text is the reason for adding it.
        inferred: Option<Text>,
        /// Lints waived here, each with the reason: `{ dead-end: It stays open for good. }`.
        allow: Option<Entries<Text>>,
    }

    /// One or more events, of which all or none apply.
    pub struct Transaction as "a transaction" {
        /// The actors who may trigger it; anyone if omitted.
        by: Option<OneOrMany<Text>>,
        /// The actor who does the work that it starts, if that is another one.
        performer: Option<Text>,
        /// The place in the user interface: `button "Execute Hop"`.
        surface: Option<Text>,
        /// The data of the transaction. A state is typed `part.state`, an enum `part.name`.
        payload: Option<Entries<Field>>,
        /// Further instances of parts with `many`, each in a role of its own: `{ target: session }`.
        also: Option<Entries<Text>>,
        /// Must be one database transaction.
        atomic: Option<Spanned<bool>>,
        /// The events, in order, at most one for each part or role.
        fire: OneOrMany<Fire>,
        /// A description of the transaction.
        doc: Option<Text>,
        /// What does not happen when a part of it fails.
        on_failure: Option<Text>,
        /// Marks what the source text does not contain; the text is the reason for adding it.
        inferred: Option<Text>,
        /// Lints waived here, each with the reason: `{ dead-end: It stays open for good. }`.
        allow: Option<Entries<Text>>,
    }

    /// An event that a change of one part raises in another.
    pub struct Link as "a link" {
        /// The state that is entered: `part.STATE`.
        enter: Option<Text>,
        /// The state that is left: `part.STATE`.
        exit: Option<Text>,
        /// The condition, read after the change.
        when: Option<Text>,
        /// The event that is raised.
        fire: Fire,
        /// A refusal is ignored; otherwise it undoes the whole transaction.
        optional: Option<Spanned<bool>>,
        /// A description of the link.
        doc: Option<Text>,
        /// Marks what the source text does not contain; the text is the reason for adding it.
        inferred: Option<Text>,
        /// Lints waived here, each with the reason: `{ dead-end: It stays open for good. }`.
        allow: Option<Entries<Text>>,
    }

    /// A condition that holds after every transaction, for all instances that belong together.
    pub struct Invariant as "an invariant" {
        /// The condition.
        require: Text,
        /// A description; the text of the refusal.
        doc: Text,
        /// Marks what the source text does not contain; the text is the reason for adding it.
        inferred: Option<Text>,
        /// Lints waived here, each with the reason: `{ dead-end: It stays open for good. }`.
        allow: Option<Entries<Text>>,
    }

    /// An example run of the system.
    pub struct Walkthrough as "a walkthrough" {
        /// A description of the run.
        doc: Option<Text>,
        /// The steps.
        steps: Vec<Step>,
        /// Lints waived here, each with the reason: `{ dead-end: It stays open for good. }`.
        allow: Option<Entries<Text>>,
    }

    /// One step of a walkthrough.
    pub struct Step as "a step" {
        /// Its number: `"2.1"`.
        step: Text,
        /// The transaction.
        run: Text,
        /// The time that passes before, such as `30s`. A timer that becomes due meanwhile is the one that the transaction fires.
        wait: Option<Text>,
        /// The instance of each part with `many`, and of each role, counted from 1: `{ hop: 1 }`. A new instance gets this number.
        instances: Option<Entries<Text>>,
        /// The transaction's payload.
        with: Option<Entries<Literal>>,
        /// The named predicates that hold during the step: `part.predicate`.
        holds: Option<OneOrMany<Text>>,
        /// The text in the table's Trigger column.
        trigger: Text,
        /// The text in the table's Notes column.
        note: Option<Text>,
        /// The step must be refused with this text.
        refused: Option<Text>,
        /// The expected states of parts and roles after the step: `{ session: PRESSURE }`; with regions several: `{ bay: shut+idle }`.
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
