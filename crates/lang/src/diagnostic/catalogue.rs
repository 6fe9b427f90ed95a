//! The table of all codes that a user can see.

use super::LintLevel;
use crate::output::{Blame, Region};

/// The severity of a diagnostic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Nothing is generated.
    Error,
    /// Generation continues.
    Warning,
}

/// The severity of a code in the catalogue.
#[derive(Clone, Copy)]
enum Rank {
    Error,
    /// Not a lint: a project cannot configure the warnings of an import or an exploration.
    Warning,
    Allow,
    Warn,
    Deny,
}

macro_rules! catalogue {
    ($($variant:ident $id:literal $level:ident $explanation:literal;)*) => {
        /// The stable name of a kind of diagnostic.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Code {
            $(#[doc = $explanation] $variant,)*
        }

        impl Code {
            /// Every code, in the order of the catalogue.
            pub const ALL: &'static [Code] = &[$(Code::$variant,)*];

            /// The name shown in messages.
            pub fn id(self) -> &'static str {
                match self { $(Code::$variant => $id,)* }
            }

            fn rank(self) -> Rank {
                match self { $(Code::$variant => Rank::$level,)* }
            }

            /// The meaning and the remedy.
            pub fn explanation(self) -> &'static str {
                match self { $(Code::$variant => $explanation,)* }
            }
        }
    };
}

catalogue! {
    YamlSyntax "yaml::syntax" Error "The file is not YAML. A tab used for indentation, an unclosed bracket or quote, and a colon inside an unquoted text are the usual causes.";
    YamlForbidden "yaml::forbidden" Error "YAML allows this, but a spec does not. Anchors, aliases, tags, merge keys, directives, several documents, control characters and invisible direction marks make a file read differently than it looks.";
    YamlLimit "yaml::limit" Error "The file exceeds the limit on size or nesting. Split it.";
    DuplicateKey "yaml::duplicate-key" Error "The same key occurs twice in one map; most YAML readers would silently keep the last one.";
    NotUtf8 "yaml::not-utf8" Error "The file is not UTF-8 text. A spec must be.";
    UnknownKey "spec::unknown-key" Error "The spec language has no such key at this place.";
    MissingKey "spec::missing-key" Error "A required key is missing.";
    WrongShape "spec::wrong-shape" Error "The value has the wrong shape: for example a list instead of a text, or a word instead of a number.";
    UnknownKind "spec::unknown-kind" Error "The kind of the file is unknown. A spec file starts with `machine:`, `system:`, `document:` or `shared:`.";
    BadName "name::invalid" Error "The name is invalid. A name starts with a letter or `_` and continues with letters, digits, `_` and `-`.";
    NameCollision "name::collision" Error "Two names collide: they are equal, or become the same identifier in emitted code, or are in the same scope of an expression. So do two declarations of one name in a machine and in the shared files that it uses. Wire names and aliases collide as well, and so do the values of an enum with `ignore_case` whose wire names differ only in case.";
    UnknownName "name::unknown" Error "Nothing of the expected kind has this name.";
    InitialState "state::initial" Error "A machine or composite state has no initial state, or several. It starts in exactly one of its states.";
    BadRegions "state::regions" Error "The regions of a state or of a machine are invalid. There are at least two, in place of `states`; each has states inside, one of which is initial; and a value of type `state` is one leaf, so it cannot say where a state with regions is.";
    BadEdge "transition::invalid" Error "The transition is invalid: it has no outcome or two, a target of the wrong kind, a creation row without an event, or parts that contradict each other.";
    RustRegions "rust::regions" Error "A transition without an event leads to several states at once. In emitted Rust, a caller names the target of such a transition, and a target is one leaf. Give the transition an event, or leave the output of Rust and of conformance tests out of the project.";
    BadType "type::unknown" Error "The type does not exist, or is not allowed here.";
    TypeMismatch "type::mismatch" Error "An expression or a value has the wrong type for its place.";
    ExprSyntax "expression::syntax" Error "The expression has a syntax error.";
    BadText "text::placeholder" Error "A name in braces in a text is not a constant (or, in the message of an effect, a value that the effect takes).";
    BadEffect "effect::payload" Error "An effect needs a payload field that an event of the transition does not have, or takes two values with the same name.";
    BadOrder "order::invalid" Error "A sort order uses a field or an attribute that cannot be a sort key.";
    BadSystem "system::invalid" Error "A part, rule, transaction, link or invariant of a system contradicts the machines of the system.";
    Walkthrough "system::walkthrough" Error "A step of a walkthrough did not go as written when it was executed.";
    BadDocument "document::invalid" Error "A document shows a view that its machine or system does not have, or two outputs have the same path.";
    ConfigSyntax "config::syntax" Error "`statespec.toml` is not TOML. An unquoted text and an unclosed bracket are the usual causes.";
    ConfigInvalid "config::invalid" Error "A value in `statespec.toml` is invalid: for example a path that leads out of the project, a word that is not one of the choices, or a template without an output path.";
    Template "template::failed" Error "A template of the project cannot be read or rendered: its syntax is wrong, or it uses a value that does not exist. Its values are those that `export` prints.";
    DriftMissing "drift::missing" Error "A generated file does not exist, or a region of a page is empty. The `gen` command writes it.";
    DriftStale "drift::stale" Error "The spec has changed since a file or region was generated. The `gen` command updates it.";
    DriftEdited "drift::edited" Error "A generated file or region was edited by hand: its digest does not match its contents. Move the change into the spec, or discard it with `--force`; without `--force` nothing is written.";
    DriftOrphaned "drift::orphaned" Error "A file has the header of a generated file, or is in a folder of generated files, but no spec provides it. The `gen` command removes it. A file that was edited by hand is removed only with `--force`, and a file without our header only with `--remove` and its path.";
    DriftMarker "drift::marker" Error "A region marker in a page is invalid. Markers come in pairs, each alone on its line: `<!-- statespec:begin NAME -->`, then `<!-- statespec:end NAME -->`. A marker without its partner, a duplicate, a marker inside another region or one in another form must be fixed by hand.";
    DriftUnknownRegion "drift::unknown-region" Error "No spec provides a region with this name.";
    LintUnreachableState "lint::unreachable-state" Deny "The state cannot be reached from the start of the machine, even if all guards hold. Add the missing edge, or remove the state.";
    LintDeadEnd "lint::dead-end" Deny "The state can be reached but not left, and is not marked as an outcome: the machine gets stuck there. Add a transition out of it, or mark the state `terminal: true`. A machine with a single state is not reported.";
    LintNoOutcome "lint::no-outcome" Warn "The machine has terminal states, but none of them can be reached from this state, even if all guards hold: it cycles forever. Add a path to an outcome, or mark an outcome.";
    LintSinkEdge "lint::sink-edge" Warn "A `\"*\"` row, or one of a composite, also applies to a final state, one that is terminal and that nothing leaves: the row enters it again, or changes its context after the end. Leave it out with `except`. A row that names the state means it and is left alone.";
    LintTerminalEdge "lint::terminal-edge" Warn "An edge leaves an outcome implicitly: an edge of `\"*\"` or of a composite, or one without an event. Make resuming explicit with a row that names the state and an event.";
    LintSelfEdge "lint::self-edge" Warn "A row leaves a state only to enter it again, without an effect, an assignment, a link or a timer that starts again. Omit `to` if the event is only accepted. A row that leads from another state to a different one is not reported.";
    LintLoneChild "lint::lone-child" Warn "A composite state contains a single state. Merge the two, or add the missing states.";
    LintShadowedEdge "lint::shadowed-edge" Deny "The edge is never taken: whenever its guard holds, the guard of an earlier edge holds too. Move the exception above the rule, or remove the edge. A `\"*\"` row or a row of a composite is not reported if it is taken in at least one state.";
    LintNeverHolds "lint::never-holds" Deny "The guard holds for no values: `x > 5 and x < 3`. Fix it, or remove its transition or link.";
    LintOverlappingGuards "lint::overlapping-guards" Warn "Two guards of one state and event read the same variable and overlap: both hold for some values, and each alone for others. Their outcomes differ, so the order in the file decides. Make the guards mutually exclusive. A guard that is an exception of the other is not reported.";
    LintGuardGap "lint::guard-gap" Warn "Several guards of one state and event split the values of a variable but do not cover all of them; for the other values the event is refused without a specific text. Close the gap, or add a row without `when`, which may `refuse`. A condition that all of the guards share is a gate and is not reported.";
    LintNeverSettles "lint::never-settles" Deny "An event under `settle` cycles for some payload, so it is always refused there. Make the thresholds up and down mutually exclusive.";
    LintNeverRests "lint::never-rests" Deny "Automatic transitions lead in a circle for some values, or events that the machine raises itself raise each other without end, so that every call that gets there is refused. Add a guard that ends it.";
    LintRacingAssignments "lint::racing-assignments" Deny "One step can take two rows of different regions that set the same field to different values, so the order of the states in the file decides. Let one of them set it, or give each region a field of its own.";
    LintTimerNeverElapses "lint::timer-never-elapses" Deny "The timer never elapses: a shorter one starts with it and always leaves its state first, with a transition without a guard. Give it a shorter duration, a guard to the other one, or remove its transition.";
    LintZeroDivisor "lint::zero-divisor" Warn "A divisor is zero for some values that the guards admit, and a division by zero refuses its step; a rule or an invariant that divides by zero does not hold. Exclude zero in the guard or earlier in the expression, as in `n != 0 and total / n > 3`, or in a row before, which may `refuse` with a text of its own.";
    LintUnusedEvent "lint::unused-event" Warn "No transition names the event, so it is refused everywhere. Add its transition, or remove it.";
    LintUnusedEffect "lint::unused-effect" Warn "No transition and no state uses the effect. Use it, or remove it.";
    LintUnusedPredicate "lint::unused-predicate" Warn "No guard uses the predicate. Use it, or remove it.";
    LintUnusedConstant "lint::unused-constant" Warn "No expression and no text uses the constant. Use it, remove it, or add a waiver that names the code that uses it.";
    LintContextNeverRead "lint::context-never-read" Warn "No guard, assignment of another field, effect, rule, link, invariant, transaction or order of a system reads the field. Remove it, or say with `informative: true` that it is there for people or for other code.";
    LintContextNeverWritten "lint::context-never-written" Warn "The field is read, but no transition sets it, so it keeps its initial value. Set it, make it a constant, or add a waiver that names the code that sets it.";
    LintPayloadNeverRead "lint::payload-never-read" Warn "An event or a transaction has a payload field that no guard, assignment, target or effect uses. Use it, remove it, or say with `informative: true` that it is there for people or for other code.";
    LintIdleActor "lint::idle-actor" Warn "The actor raises, triggers and performs nothing. Name it where it acts, or remove it.";
    LintOpenToAnyone "lint::open-to-anyone" Warn "The machine or system declares actors, but this event or transaction does not say which of them may raise it, so anyone may. Name the actors with `by`.";
    LintNotAtomic "lint::not-atomic" Warn "The transaction changes several parts, directly or through links that are not optional, and is not marked `atomic: true`. A part that only accepts its event does not count.";
    LintRuleNeverHolds "lint::rule-never-holds" Deny "No values satisfy the rule or invariant, or none satisfy the rule in the states that accept its event: the guarded event can never happen.";
    LintRuleNeverBroken "lint::rule-never-broken" Warn "All values satisfy the rule or invariant, so it has no effect.";
    LintWalkthroughSkips "lint::walkthrough-skips" Warn "The walkthroughs of the system do not cover all transitions of a part's machine; the message counts them. Add steps, or waive the lint on the part.";
    LintConfusableNames "lint::confusable-names" Warn "Two elements of one list have names that differ only in case, `_` and `-`. The names of an element are its name in the spec, the wire name of a state or value and the aliases of an event or field.";
    LintLookalikeNames "lint::lookalike-names" Warn "Two elements of one list have names that look the same but consist of different letters, such as a Latin `a` and a Cyrillic one. They cannot be told apart in a guard, a table or a message. Wire names and aliases are names, too.";
    LintWireCase "lint::wire-case" Allow "The wire name of a state is another spelling of its name, such as `lru` for `LRU`. This lint is for projects that want one spelling everywhere.";
    LintMissingNumber "lint::missing-number" Warn "A state, an event or a value of an enum has no `number`, and others of its list have one. A message with numbers cannot carry it.";
    LintSharedNumber "lint::shared-number" Deny "Two states, two events or two values of an enum have the same `number`: a message does not tell them apart.";
    LintUndocumentedState "lint::undocumented-state" Warn "Most states of the machine have a `doc`, but this one does not.";
    LintTodo "lint::todo" Warn "A description begins with `TODO`, as those do that `new` writes. It stands on the page of the machine like any other.";
    LintUnneededWaiver "lint::unneeded-waiver" Warn "The `allow` waives a finding that the lint does not report, or no longer reports. Remove it, so that it cannot hide the next mistake.";
    DatabaseGuard "database::guard" Error "The guard of a table is not the one that the spec makes: a trigger or function is missing, disabled, changed or of another revision, or a row can be replaced past it. Run the script of `[[database]]` in the database.";
    DatabaseRow "database::row" Error "A row of a table has a value that is no state of the graph. It was written before the guard was attached, or while it was off. Correct the row.";
    DatabaseStranded "database::stranded" Warning "A state that only the holder of a lease leaves: if the holder dies there, nobody takes the row over. `lease` of `[[database]]` names the events that claim and reclaim. Let a row of one that reclaims lead from the state, with and without a lease.";
    AuditStep "audit::step" Error "A recorded step is none of the graph: the first one of its instance that the graph does not have. Either the program did what it must not do, or the spec lacks a row; the report has the missing rows as lines of the spec.";
    AuditReplay "audit::replay" Error "With the recorded payload and context, the interpreter does something else than what was recorded: a guard does not hold, another row is taken, or an attempt was refused that the machine accepts.";
    AuditGap "audit::gap" Error "A record begins in another state than the one before it left: a record is missing, or something changed the state without a record. A history whose first records were deleted begins with a gap, too; `--cut` admits those.";
    AuditOrder "audit::order" Error "A record is earlier than the one before it of the same instance: the lines are out of order, or a clock went backwards. A record out of order does not change where its instance is.";
    AuditDuplicate "audit::duplicate" Error "A record repeats the one before it of the same instance, at the same time. It is not counted.";
    AuditBroken "audit::broken" Error "A line cannot be read as a record: broken JSON, a time in another form, a missing value. It is left out.";
    AuditUnknown "audit::unknown" Error "A record has a name that the spec does not have: a state, an event, an actor or a machine. Map stored values to states with `--values`.";
    AuditActor "audit::actor" Error "The actor of a record must not raise its event.";
    AuditValue "audit::value" Error "A recorded payload or context does not fit: a value is none of its field, or the context is not the one that the record before it leaves, so that something changed it without a record.";
    AuditUnseen "audit::unseen" Error "No record shows that this row was ever taken, and `--all-rows` asks for each. Test it, or remove it.";
    ExploreInvariant "explore::invariant" Error "Exploration found a trace whose last step violates an invariant, and only the invariant itself prevents that step. Add the missing rule, guard or assignment.";
    ExploreDeadlock "explore::deadlock" Error "Exploration found a configuration without a further step, in which some instance is not in a terminal state. Add the missing transition, or mark the outcome `terminal: true`.";
    ExploreStuck "explore::stuck" Error "Exploration found an instance that is not in a terminal state and can no longer reach one, whatever else happens.";
    ExploreBounded "explore::bounded" Warning "Exploration did not see everything that can happen: it reached a limit, or cannot compute the values that a guard distinguishes. Findings are right as far as they go, but there may be others.";
    ExploreImpossible "explore::impossible" Warning "A transaction, or an event of a machine by itself, is refused in every configuration that exploration visited. Its rules and guards contradict each other, or require a condition that never occurs.";
    ExploreUnreachable "explore::unreachable" Warning "The graph has a path to this state, but the guards prevented it in every configuration that exploration visited.";
    ExploreUntaken "explore::untaken" Warning "No configuration that exploration visited takes this row.";
    ImportUnreadable "import::unreadable" Error "The text to import is not in the expected format, or cannot be turned into a spec. That part is not imported.";
    ImportLoss "import::loss" Warning "The imported text says something that the spec language cannot express. The rest was imported; decide how to handle this part.";
    ImportAssumed "import::assumed" Warning "The imported text leaves open something that a spec must state, so the likely meaning was assumed. Check whether it is right.";
    ImportAdded "import::added" Warning "The imported text does not say where a machine or a composite starts, and a spec must: its first state was marked, with `inferred` as the reason. Nothing of the text was lost.";
    CompareState "compare::state" Error "One of two compared sources has a state that the other lacks. Names differ in more than case and the marks between words.";
    CompareEdge "compare::edge" Error "One of two compared sources has an edge that the other lacks, between states that both have.";
    CompareStart "compare::start" Error "Two compared sources start in different states.";
    CompareNumber "compare::number" Error "Two compared sources state different numbers of one state, in storage or in messages.";
    CompareGone "compare::gone" Error "`statespec.toml` names a source that is gone or can no longer be read. Correct the name, point at the source with `[[source]]`, or remove the line.";
    CompareMeant "compare::meant" Warning "`statespec.toml` says that a difference is meant, and there is none: the sources agree, or are not confirmed as one. Remove the entry.";
    ExpectMarker "expect::marker" Error "A marker `statespec:expect`, `statespec:begin` or `statespec:reviewed` is invalid: it stands beside code, has no partner, is in another one, names something that no machine has or that cannot be generated, or the text behind it has none of the names. A comment whose first word is `statespec:` and a letter is a marker, too; in UTF-16 and UTF-32 none is read.";
    ExpectMissing "expect::missing" Error "A text between `statespec:expect` and `statespec:end` lacks a name that the machine has. Add it to the text, or remove it from the machine.";
    ExpectExtra "expect::extra" Error "A text between `statespec:expect` and `statespec:end` has a name that the machine lacks, or another value. Remove it from the text, or add it to the machine.";
    ExpectUnread "expect::unread" Warning "A file of the project cannot be read, so markers in it are not found, and its texts are not compared.";
    ExpectReread "expect::reread" Error "A text was reviewed with a machine whose meaning has changed since. Read it again, correct it, and record that with `gen --accept`.";
    ImportLook "import::look" Warning "The imported text describes the look of its diagram: direction, colours, classes. A spec has no place for this.";
}

impl Code {
    /// The severity, unless a project configures another.
    pub fn level(self) -> Level {
        match self.rank() {
            Rank::Error | Rank::Deny => Level::Error,
            Rank::Warning | Rank::Warn | Rank::Allow => Level::Warning,
        }
    }

    /// The level of a lint, unless a project configures another; `None` for a code that is not a lint.
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

    /// The name of a lint in waivers and levels, such as `dead-end`; for other codes, the whole id.
    pub fn short(self) -> &'static str {
        self.id().strip_prefix("lint::").unwrap_or(self.id())
    }

    /// The lint with this name, `dead-end` or `lint::dead-end`.
    pub fn lint(name: &str) -> Option<Code> {
        Code::lints().find(|it| it.short() == name || it.id() == name)
    }

    /// The code with this id, or the lint with this name.
    pub fn named(name: &str) -> Option<Code> {
        Code::ALL.iter().copied().find(|it| it.id() == name).or_else(|| Code::lint(name))
    }

    /// The first sentence of the explanation.
    pub fn summary(self) -> &'static str {
        let explanation = self.explanation();
        explanation.find(". ").map_or(explanation, |end| &explanation[..=end])
    }

    /// All codes, each on a line with its summary.
    pub fn list() -> String {
        let width = Code::ALL.iter().map(|it| it.id().len()).max().unwrap_or(0);
        Code::ALL.iter().map(|it| format!("{:width$}  {}\n", it.id(), it.summary())).collect()
    }

    /// The meaning, the remedy and, for a lint, the ways to allow it.
    pub fn explain(self) -> String {
        let mut text = self.explanation().to_owned();
        if let Some(level) = self.lint_level() {
            let name = self.short();
            text.push_str(&format!(
                "\n\nLevel: {level}. To change it for the whole project: `{name} = \"allow\"` (or \"warn\", \"deny\") under `[lints]` in statespec.toml.\n\
                 To waive it on one element: `allow: {{ {name}: the reason }}` in the spec."
            ));
        }
        text
    }

    /// The catalogue as Markdown tables: `diagnostics` has all codes, `audit.codes` those of an audit, `drift.codes` those of a check of the disk,
    /// `explore.codes` those of an exploration.
    pub fn regions() -> [(String, Region); 5] {
        let of = |family: &str| Code::table(Code::ALL.iter().copied().filter(|it| it.id().starts_with(family)));
        let family = |it: &str| (format!("{it}.codes"), of(&format!("{it}::")));
        [("diagnostics".into(), of("")), family("audit"), family("drift"), family("expect"), family("explore")]
    }

    fn table(codes: impl Iterator<Item = Code>) -> Region {
        let mut text = String::from("| Code | Level | Meaning |\n| --- | --- | --- |\n");
        for code in codes {
            let level = match (code.lint_level(), code.level()) {
                (Some(level), _) => level.word(),
                (None, Level::Error) => "error",
                (None, Level::Warning) => "warning",
            };
            // A marker inside a region would be taken for a real one, so it is shown without its comment signs.
            let meaning = code.explanation().replace('|', "\\|").replace("<!-- ", "").replace(" -->", "");
            text.push_str(&format!("| `{}` | {level} | {meaning} |\n", code.id()));
        }
        Region { text, origin: None, blame: Blame::default() }
    }
}
