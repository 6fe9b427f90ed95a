//! Every code a user can meet, in one table.

use super::LintLevel;
use crate::output::{Blame, Region};

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Nothing is generated.
    Error,
    /// Worth a look.
    Warning,
}

/// What the catalogue says about how bad a code is.
#[derive(Clone, Copy)]
enum Rank {
    Error,
    /// No lint: what an import or an exploration has to tell is not for projects to set.
    Warning,
    Allow,
    Warn,
    Deny,
}

macro_rules! catalogue {
    ($($variant:ident $id:literal $level:ident $explanation:literal;)*) => {
        /// The stable name of a kind of diagnostic.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Code {
            $(#[doc = $explanation] $variant,)*
        }

        impl Code {
            /// Every code, in the order of the catalogue.
            pub const ALL: &'static [Code] = &[$(Code::$variant,)*];

            /// The name that messages show.
            pub fn id(self) -> &'static str {
                match self { $(Code::$variant => $id,)* }
            }

            fn rank(self) -> Rank {
                match self { $(Code::$variant => Rank::$level,)* }
            }

            /// What it means and what to do.
            pub fn explanation(self) -> &'static str {
                match self { $(Code::$variant => $explanation,)* }
            }
        }
    };
}

catalogue! {
    YamlSyntax "yaml::syntax" Error "The file is not YAML. A tab used for indentation, an unclosed bracket or quote, and a colon inside an unquoted text are the usual causes.";
    YamlForbidden "yaml::forbidden" Error "YAML allows it, a spec does not: anchors, aliases, tags, merge keys, directives, several documents, control characters and invisible direction marks make a file read differently than it looks.";
    YamlLimit "yaml::limit" Error "The file is larger or deeper than any spec a person would write. Split it.";
    DuplicateKey "yaml::duplicate-key" Error "The same key stands twice in one map; most YAML readers would silently keep the last one.";
    NotUtf8 "yaml::not-utf8" Error "A spec is UTF-8 text.";
    UnknownKey "spec::unknown-key" Error "The spec language has no such key here.";
    MissingKey "spec::missing-key" Error "A key that must be there is not.";
    WrongShape "spec::wrong-shape" Error "The value has another shape than expected: a list where a text belongs, a word where a number belongs.";
    UnknownKind "spec::unknown-kind" Error "A spec file starts with `machine:`, `system:` or `document:`.";
    BadName "name::invalid" Error "A name starts with a letter or `_` and goes on with letters, digits, `_` and `-`.";
    NameCollision "name::collision" Error "Two names become one: they are equal, or turn into the same identifier in emitted code, or stand in one scope of an expression.";
    UnknownName "name::unknown" Error "Nothing of that kind has this name.";
    InitialState "state::initial" Error "Every machine, and every state with states of its own, starts in exactly one of them.";
    BadEdge "transition::invalid" Error "The transition cannot be: it has no outcome or two, a target of the wrong kind, a birth edge without event, or parts that contradict each other.";
    BadType "type::unknown" Error "There is no such type, or it may not stand here.";
    TypeMismatch "type::mismatch" Error "An expression or a value has another type than its place asks for.";
    ExprSyntax "expression::syntax" Error "The expression cannot be read.";
    BadText "text::placeholder" Error "A text names something in braces that is not a constant (or, in the message of an effect, a payload field).";
    BadEffect "effect::payload" Error "An effect needs a payload field that an event of the transition does not carry.";
    BadOrder "order::invalid" Error "A sort order names a field or an attribute that cannot be sorted by.";
    BadSystem "system::invalid" Error "A part, rule, transaction, link or invariant of a system contradicts its machines.";
    Walkthrough "system::walkthrough" Error "A walkthrough was executed and did not go as written.";
    BadDocument "document::invalid" Error "A document asks for a view that its subject does not have, or two outputs share a path.";
    ConfigSyntax "config::syntax" Error "`statespec.toml` is not TOML. A text without quotes and a bracket that is not closed are the usual causes.";
    ConfigInvalid "config::invalid" Error "A value in `statespec.toml` cannot be: a path that leads out of the project, a word that is none of the choices, a template without a place for what it makes.";
    Template "template::failed" Error "A template of the project cannot be read or filled in: its syntax is wrong, or it asks for something that the model does not have. The values that it is given are those of `export`.";
    DriftMissing "drift::missing" Error "A generated file does not exist, or the region of a page has not been filled yet. The command that generates writes it.";
    DriftStale "drift::stale" Error "A generated file or region stands as it was generated, and the spec has changed since. The command that generates brings it up to date.";
    DriftEdited "drift::edited" Error "A generated file or region was changed by hand: the digest that it carries does not match its contents. Bring the change into the spec, or drop it with `--force`; without that nothing is written.";
    DriftOrphaned "drift::orphaned" Error "A file bears our header, or stands in a folder where everything is generated, and no spec provides it. The command that generates removes it; if it was changed by hand, only with `--force`, and if it bears no header of ours, only with `--remove` and its path.";
    DriftMarker "drift::marker" Error "The markers of regions in a page come in pairs, each alone on its line: `<!-- statespec:begin NAME -->`, then `<!-- statespec:end NAME -->`. A marker that stands alone, twice, inside another region or in another form must be mended by hand.";
    DriftUnknownRegion "drift::unknown-region" Error "The markers of a region name something that no spec provides.";
    LintUnreachableState "lint::unreachable-state" Deny "No edge leads from where the machine starts to this state, guards aside. Add the edge that is missing, or remove the state.";
    LintDeadEnd "lint::dead-end" Deny "The state can be reached and not left, and is not marked as an outcome: whatever gets there is stuck. Add the way out, or mark the state `terminal: true`. A machine of a single state is left alone.";
    LintNoOutcome "lint::no-outcome" Warn "The machine has terminal states, and none of them can be reached from here any more, guards aside: it goes round for good. Add a way out, or mark an outcome.";
    LintSinkEdge "lint::sink-edge" Warn "A `\"*\"` row, or one of a composite, takes a terminal sink state in, one that nothing leads out of: it is entered again, or its context changes after all is over. Leave it out with `except`. A row that names the state means it and is left alone.";
    LintTerminalEdge "lint::terminal-edge" Warn "An outcome is left by an edge that does not say so: one of `\"*\"` or of a composite, or one without an event. Resuming is explicit: a row that names the state, with an event.";
    LintSelfEdge "lint::self-edge" Warn "A row leaves a state only to enter it again, and has no effect, no assignment and no link on the way. Leave `to` out if the event is only accepted. A row that leads elsewhere from another state is left alone.";
    LintLoneChild "lint::lone-child" Warn "A state with a single state inside: the two are one.";
    LintShadowedEdge "lint::shadowed-edge" Deny "The edge is never taken: whenever its guard holds, so does that of an edge that is tried before it. Move the exception above the rule, or remove the edge. A `\"*\"` row or a row of a composite is left alone as long as one state is left in which it is taken.";
    LintNeverHolds "lint::never-holds" Deny "A guard that holds for no values at all: `x > 5 and x < 3`. Mend it, or remove its transition or link.";
    LintOverlappingGuards "lint::overlapping-guards" Warn "Two guards of one state and event read the same variable, hold together for some values and apart for others, and lead to different things. Which one wins is a matter of the order in the file. Make them exclude each other; where one is the exception of the other it is left alone.";
    LintGuardGap "lint::guard-gap" Warn "Several guards of one state and event divide the values of a variable among them and leave some out; there the event is turned down with no text of its own. Close the gap, or add a row without `when`, which may `refuse`. What all of the guards ask alike is a gate and left alone.";
    LintNeverSettles "lint::never-settles" Deny "An event under `settle` goes round in a circle for some payload, so that it is always refused there. Make the thresholds of the way up and the way down exclude each other.";
    LintUnusedEvent "lint::unused-event" Warn "No transition names the event, so it is refused everywhere. Add its transition, or remove it.";
    LintUnusedEffect "lint::unused-effect" Warn "No transition and no state makes the effect happen. Use it, or remove it.";
    LintUnusedPredicate "lint::unused-predicate" Warn "No guard asks the predicate. Use it, or remove it.";
    LintContextNeverRead "lint::context-never-read" Warn "No guard, assignment of another field, rule, link, invariant or transaction reads the field. Remove it, or say in a waiver which other code reads it.";
    LintContextNeverWritten "lint::context-never-written" Warn "The field is read, and no transition ever sets it, so it stays what it is at birth. Set it, make it a constant, or say in a waiver which other code sets it.";
    LintPayloadNeverRead "lint::payload-never-read" Warn "An event or a transaction carries a value that no guard, assignment, target or effect uses. Use it, or remove it.";
    LintIdleActor "lint::idle-actor" Warn "The actor raises, triggers and performs nothing. Name it where it acts, or remove it.";
    LintOpenToAnyone "lint::open-to-anyone" Warn "The machine, or system, knows its actors, and this event, or transaction, does not say which of them may raise it: anyone may. Say who with `by`.";
    LintNotAtomic "lint::not-atomic" Warn "The transaction changes several parts, itself or by links that must not fail, and does not say `atomic: true`. A part that only accepts its event does not count.";
    LintRuleNeverHolds "lint::rule-never-holds" Deny "A rule or invariant that no values satisfy, or a rule that none satisfy in the states in which its event is taken: what it guards can never happen.";
    LintRuleNeverBroken "lint::rule-never-broken" Warn "A rule or invariant that all values satisfy: it says nothing.";
    LintWalkthroughSkips "lint::walkthrough-skips" Warn "The system tells walkthroughs, and together they leave transitions of a part's machine out; the message counts them. Add steps, or waive it on the part.";
    LintConfusableNames "lint::confusable-names" Warn "Two names of one list differ in case, `_` and `-` only, two states are stored under such wire forms, or a state is stored under the name of another one.";
    LintLookalikeNames "lint::lookalike-names" Warn "Two names of one list are made of other letters and look the same, such as a Latin `a` and a Cyrillic one. Nobody can tell them apart in a guard or a table.";
    LintWireCase "lint::wire-case" Allow "A state is stored under its own name in another spelling, such as `LRU` under `lru`. For projects that want one spelling everywhere.";
    LintUndocumentedState "lint::undocumented-state" Warn "Most states of the machine have a `doc`, and this one has not.";
    LintUnneededWaiver "lint::unneeded-waiver" Warn "An `allow` for something that the lint does not find, or no longer finds. Remove it, lest it hide the next mistake.";
    ExploreInvariant "explore::invariant" Error "Exploration found a way on which everything is let through, and the last step breaks an invariant: nothing but the invariant itself stops it. Add the rule, guard or assignment that is missing on the way.";
    ExploreDeadlock "explore::deadlock" Error "Exploration found a configuration from which nothing leads to another one, and something in it has not ended. Add the way on, or mark what is an outcome `terminal: true`.";
    ExploreStuck "explore::stuck" Error "Exploration found an instance in no terminal state, and no way leads to one any more, whatever else happens.";
    ExploreImpossible "explore::impossible" Warning "A transaction, or an event of a machine by itself, never goes through in anything that exploration saw. Its rules and guards exclude each other, or ask for what nothing brings about.";
    ExploreUnreachable "explore::unreachable" Warning "The graph leads to this state, and no guard ever lets anything get there in what exploration saw.";
    ExploreUntaken "explore::untaken" Warning "Nothing that exploration saw ever takes this row.";
    ImportUnreadable "import::unreadable" Error "The text to import is not what it is taken for, or says something that no spec can be made of. Nothing is made of that part.";
    ImportLoss "import::loss" Warning "The imported text says something that the spec language cannot say. The rest was carried over; decide what becomes of this.";
    ImportAssumed "import::assumed" Warning "The imported text leaves open what a spec must say, and the likely thing was taken. Look whether it is right.";
    ImportLook "import::look" Warning "The imported text says how its picture looks: direction, colours, classes. A spec says nothing of that.";
}

impl Code {
    /// How bad it is, unless a project says otherwise.
    pub fn level(self) -> Level {
        match self.rank() {
            Rank::Error | Rank::Deny => Level::Error,
            Rank::Warning | Rank::Warn | Rank::Allow => Level::Warning,
        }
    }

    /// The level of a lint, unless a project says otherwise; `None` for a code that is no lint.
    pub fn lint_level(self) -> Option<LintLevel> {
        match self.rank() {
            Rank::Error | Rank::Warning => None,
            Rank::Allow => Some(LintLevel::Allow),
            Rank::Warn => Some(LintLevel::Warn),
            Rank::Deny => Some(LintLevel::Deny),
        }
    }

    /// The lints, in the order of the catalogue.
    pub fn lints() -> impl Iterator<Item = Code> {
        Code::ALL.iter().copied().filter(|it| it.lint_level().is_some())
    }

    /// The name of a lint in waivers and levels: `dead-end`. Other codes by their whole id.
    pub fn short(self) -> &'static str {
        self.id().strip_prefix("lint::").unwrap_or(self.id())
    }

    /// The lint with this name, `dead-end` or `lint::dead-end`.
    pub fn lint(name: &str) -> Option<Code> {
        Code::lints().find(|it| it.short() == name || it.id() == name)
    }

    /// What it means, how to mend it and, of a lint, how to live with it.
    pub fn explain(self) -> String {
        let mut text = self.explanation().to_owned();
        if let Some(level) = self.lint_level() {
            let name = self.short();
            text.push_str(&format!(
                "\n\nLevel: {level}. Another one for the whole project: `{name} = \"allow\"` (or \"warn\", \"deny\") under `[lints]` in statespec.toml.\n\
                 On one element that is right as it is: `allow: {{ {name}: the reason }}` in the spec."
            ));
        }
        text
    }

    /// The catalogue as Markdown tables: `diagnostics` has all of it, `drift.codes` what a check finds on the disk,
    /// `explore.codes` what an exploration finds.
    pub fn regions() -> [(String, Region); 3] {
        let of = |family: &str| Code::table(Code::ALL.iter().copied().filter(|it| it.id().starts_with(family)));
        [("diagnostics".into(), of("")), ("drift.codes".into(), of("drift::")), ("explore.codes".into(), of("explore::"))]
    }

    fn table(codes: impl Iterator<Item = Code>) -> Region {
        let mut text = String::from("| Code | Level | Meaning |\n| --- | --- | --- |\n");
        for code in codes {
            let level = match (code.lint_level(), code.level()) {
                (Some(level), _) => level.word(),
                (None, Level::Error) => "error",
                (None, Level::Warning) => "warning",
            };
            // A marker inside a region would pass for a real one: show it without its comment signs.
            let meaning = code.explanation().replace('|', "\\|").replace("<!-- ", "").replace(" -->", "");
            text.push_str(&format!("| `{}` | {level} | {meaning} |\n", code.id()));
        }
        Region { text, origin: None, blame: Blame::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_unique_and_explained() {
        for (idx, code) in Code::ALL.iter().enumerate() {
            assert!(code.explanation().ends_with('.'), "{}", code.id());
            assert!(Code::ALL[..idx].iter().all(|other| other.id() != code.id()), "{}", code.id());
            assert_eq!(code.lint_level().is_some(), code.id().starts_with("lint::"), "{}", code.id());
        }
    }
}
