//! The rules: each kind of change, and its class for each audience. The guide is generated from this table.

use statespec_lang::output::{Blame, Region};

use super::Audience;
use super::Class::{self, Breaking as B, Informational as I, Review as R};

macro_rules! rules {
    ($($variant:ident $id:literal $what:literal $stored:ident $callers:ident $histories:ident $readers:ident;)*) => {
        /// A kind of change.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Rule {
            $(#[doc = $what] $variant,)*
        }

        impl Rule {
            /// Every rule, in the order of reports.
            pub const ALL: &'static [Rule] = &[$(Rule::$variant,)*];

            /// The stable name.
            pub fn id(self) -> &'static str {
                match self { $(Rule::$variant => $id,)* }
            }

            /// What changes, as a sentence.
            pub fn what(self) -> &'static str {
                match self { $(Rule::$variant => $what,)* }
            }

            /// The class for each of [`Audience::ALL`].
            pub fn classes(self) -> [Class; 4] {
                match self { $(Rule::$variant => [$stored, $callers, $histories, $readers],)* }
            }
        }
    };
}

// For stored state values, callers of the emitted Rust, recorded histories, readers of docs.
rules! {
    MachineAdded "machine-added" "A machine is new." I I I I;
    MachineRemoved "machine-removed" "A machine is removed." B B B B;
    MachineRenamed "machine-renamed" "A machine has another name." I B R R;
    SystemAdded "system-added" "A system is new." I I I I;
    SystemRemoved "system-removed" "A system is removed." I B B B;
    SystemChanged "system-changed" "A transaction, rule, link or invariant of a system changes." I R R R;
    StateRemoved "state-removed" "A state is removed." B B B B;
    StateRenamed "state-renamed" "A state has another name; `aka` has the old one." I B R R;
    StateWire "state-wire" "A state is stored and sent by another name." B R B R;
    StateNested "state-nested" "A state becomes a composite, or a composite becomes a state." B B B R;
    StateMoved "state-moved" "A state moves into another composite, or out of one." I R R R;
    StoredOtherwise "stored-otherwise" "A machine with regions is in other states at once, or stores them in another order or under other names." B R B R;
    StateAdded "state-added" "A state is new." R B I R;
    NoWayOut "no-way-out" "A state that had a way out has none any more." R R R R;
    NoLongerFinal "no-longer-final" "A state is no longer `terminal`." R R R B;
    NowFinal "now-final" "A state becomes `terminal`." R R R R;
    InitialChanged "initial-changed" "The machine, or a composite, starts in another state." I R B B;
    EdgeRemoved "edge-removed" "An edge is removed." I B B B;
    EdgeRetargeted "edge-retargeted" "An edge leads to another state." I B B B;
    EdgeAdded "edge-added" "An edge is new." I R I R;
    GuardNarrower "guard-narrower" "A guard refuses values that it let pass." I B B B;
    GuardDiffers "guard-differs" "A guard refuses values that it let pass, and may let others pass." I B B B;
    GuardWider "guard-wider" "A guard lets values pass that it refused." I R I R;
    SettlesFurther "settles-further" "An edge is new, or a guard is wider, for an event that settles: it can take a step more, and end elsewhere." I B B B;
    GuardUnclear "guard-unclear" "A guard is written differently, and whether its meaning changed could not be decided." I R R R;
    GuardReworded "guard-reworded" "A guard is written differently, with the same meaning." I I I I;
    Assignments "assignments-changed" "A step assigns other values to the context." R R R R;
    Effects "effects-changed" "A step has other effects, or another order of effects and store." I R R R;
    Commit "commit-changed" "A step stores at another time, or not at all." R R I R;
    RefusalText "refusal-text" "An event is refused with another text." I I I I;
    EventRemoved "event-removed" "An event is removed." I B B B;
    EventRenamed "event-renamed" "An event has another name; `aka` has the old one." I B B R;
    EventAdded "event-added" "An event is new." I B I R;
    Aliases "alias-removed" "An event loses one of its `aliases`, which emitted code reads." I R B R;
    Raisers "actors-changed" "Other actors may raise an event, or perform its work." I R R R;
    TimerChanged "timer-changed" "A timer elapses after another time, or runs in other states." R I R R;
    Settle "settle-changed" "An event begins or ceases to settle." I R R R;
    PayloadRequired "payload-required" "An event needs a new payload field." I B B R;
    PayloadOptional "payload-optional" "An event can carry a new payload field, which may be null." I B I R;
    PayloadRemoved "payload-removed" "An event loses a payload field." I B R R;
    PayloadRenamed "payload-renamed" "A payload field has another name; `aka` has the old one." I B B R;
    PayloadType "payload-type" "A payload field has another type." I B B R;
    PayloadNowRequired "payload-now-required" "A payload field may no longer be null." I B B R;
    PayloadNowOptional "payload-now-optional" "A payload field may now be null." I B I R;
    ContextAdded "context-added" "A context field is new." R B I R;
    ContextRemoved "context-removed" "A context field is removed." B B R R;
    ContextRenamed "context-renamed" "A context field has another name; `aka` has the old one." B B R R;
    ContextType "context-type" "A context field has another type." B B R R;
    ContextNowRequired "context-now-required" "A context field may no longer be null." B B R R;
    ContextNowOptional "context-now-optional" "A context field may now be null." I B I R;
    ContextDefault "context-default" "A context field has another value at creation." I R R R;
    EnumRemoved "enum-removed" "An enum is removed." R B R R;
    EnumAdded "enum-added" "An enum is new." I I I I;
    ValueRemoved "value-removed" "A value of an enum is removed." B B B B;
    ValueRenamed "value-renamed" "A value of an enum has another name; `aka` has the old one." I B R R;
    ValueWire "value-wire" "A value of an enum is stored and sent by another name." B R B R;
    ValueAdded "value-added" "A value of an enum is new." R B I R;
    EnumCase "enum-case" "Reading an enum begins or ceases to ignore case." R R R R;
    ConstantChanged "constant-changed" "A constant has another value or type." I R R R;
    ConstantRemoved "constant-removed" "A constant is removed." I B I I;
    ConstantAdded "constant-added" "A constant is new." I I I I;
    PredicateRemoved "predicate-removed" "A condition that your code decided is removed." I B R R;
    PredicateAdded "predicate-added" "A condition is new that your code has to decide." I B I R;
    EffectRemoved "effect-removed" "An effect is removed." I B R R;
    EffectAdded "effect-added" "An effect is new, which your code has to perform." I B I R;
    EffectTakes "effect-takes" "An effect takes other values." I B I R;
    ActorRemoved "actor-removed" "An actor is removed." I B B R;
    ActorAdded "actor-added" "An actor is new." I B I R;
    AttributeRemoved "attribute-removed" "An attribute of states is removed." I B I R;
    AttributeAdded "attribute-added" "An attribute of states is new." I I I I;
    AttributeType "attribute-type" "An attribute of states has another type." I B I R;
    AttributeValue "attribute-value" "A state has another value of an attribute." I R I R;
    OrderChanged "order-changed" "A sort order is new, is removed, or sorts differently." I R I R;
    Reordered "reordered" "States, events or values of an enum are in another order, which emitted enums compare by." I R I I;
    Rearranged "rearranged" "Rows or fields are in another order, with the same meaning." I I I I;
    NumberChanged "number-changed" "A state, an event or a value of an enum has another `number`, or none any more." B I B R;
    NumberReused "number-reused" "A state, an event or a value of an enum has the number of another one, or a number or name that was reserved." B I B R;
    NumberReleased "number-released" "A number that was in use is neither in use nor reserved, or a reserved number or name is no longer reserved." R I R I;
    NumberAdded "number-added" "A state, an event or a value of an enum that had no `number` has one." I I I I;
    NumberReserved "number-reserved" "A number or name is reserved." I I I I;
    Wording "wording" "Texts for people change: titles, descriptions, labels, notes, messages." I I I I;
}

impl Rule {
    /// The class for one audience.
    pub fn class(self, audience: Audience) -> Class {
        self.classes()[audience as usize]
    }
}

/// The table of the guide.
pub fn region() -> Region {
    let heads: Vec<&str> = Audience::ALL.iter().map(|it| it.heading()).collect();
    let mut text = format!("| Rule | {} | The change |\n| --- |{} --- |\n", heads.join(" | "), " --- |".repeat(heads.len()));
    for rule in Rule::ALL {
        let classes = rule.classes().map(Class::in_table);
        text.push_str(&format!("| `{}` | {} | {} |\n", rule.id(), classes.join(" | "), rule.what()));
    }
    Region { text, origin: None, blame: Blame::default() }
}
