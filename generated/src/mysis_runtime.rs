//! Mysis and its activity.
//!
//! A Mysis beside the indicator of what it is busy with. The activity gates nothing: no rule reads it.

/// The Mysis is created in the store, as `idle`.
///
/// Triggered by `commander`.
pub fn create<U: UnitOfWork>(unit: &mut U) -> Result<(), Failure<U::Error>> {
    ::statespec::transact(
        unit,
        |unit| {
            let mysis = ::statespec::Slot::new(
                None,
                unit.load_mysis().map_err(Failure::store)?,
            );
            Ok(World { mysis, ..World::empty() })
        },
        |world: &mut World<U>, pass| {
            let mysis_event = super::mysis::Event::Create;
            let (mysis_next, mysis_change) = match world.mysis.now() {
                Some(now) => {
                    let mut next = Clone::clone(now);
                    let change = next.apply(mysis_event).map_err(Refused::Mysis)?;
                    (next, change)
                }
                None => super::mysis::Mysis::born(mysis_event).map_err(Refused::Mysis)?,
            };
            pass.perform(
                &mysis_change,
                |unit, effect| unit.perform_mysis(&mysis_event, effect),
            )?;
            world.mysis.put(mysis_next, mysis_change.commit());
            Ok(())
        },
        |unit, world| {
            let order = save(unit, world).map_err(Failure::store)?;
            Ok(order)
        },
    )
}

/// The Mysis is loaded at startup, as `idle`, and must be explicitly started.
///
/// Triggered by `runtime`.
pub fn load<U: UnitOfWork>(unit: &mut U) -> Result<(), Failure<U::Error>> {
    ::statespec::transact(
        unit,
        |unit| {
            let mysis = ::statespec::Slot::new(
                None,
                unit.load_mysis().map_err(Failure::store)?,
            );
            Ok(World { mysis, ..World::empty() })
        },
        |world: &mut World<U>, pass| {
            let mysis_event = super::mysis::Event::Load;
            let (mysis_next, mysis_change) = match world.mysis.now() {
                Some(now) => {
                    let mut next = Clone::clone(now);
                    let change = next.apply(mysis_event).map_err(Refused::Mysis)?;
                    (next, change)
                }
                None => super::mysis::Mysis::born(mysis_event).map_err(Refused::Mysis)?,
            };
            pass.perform(
                &mysis_change,
                |unit, effect| unit.perform_mysis(&mysis_event, effect),
            )?;
            world.mysis.put(mysis_next, mysis_change.commit());
            Ok(())
        },
        |unit, world| {
            let order = save(unit, world).map_err(Failure::store)?;
            Ok(order)
        },
    )
}

/// Starts or relaunches the Mysis.
///
/// Triggered by `commander`.
///
/// If the store update fails, the Mysis remains unchanged and start returns an error.
pub fn start<U: UnitOfWork>(unit: &mut U) -> Result<(), Failure<U::Error>> {
    ::statespec::transact(
        unit,
        |unit| {
            let mysis = ::statespec::Slot::new(
                None,
                unit.load_mysis().map_err(Failure::store)?,
            );
            Ok(World { mysis, ..World::empty() })
        },
        |world: &mut World<U>, pass| {
            let mysis_now = world.mysis.now().ok_or(Refused::Missing(Part::Mysis))?;
            let mysis_event = super::mysis::Event::Start;
            let mut mysis_next = Clone::clone(mysis_now);
            let mysis_change = mysis_next.apply(mysis_event).map_err(Refused::Mysis)?;
            pass.perform(
                &mysis_change,
                |unit, effect| unit.perform_mysis(&mysis_event, effect),
            )?;
            world.mysis.put(mysis_next, mysis_change.commit());
            Ok(())
        },
        |unit, world| {
            let order = save(unit, world).map_err(Failure::store)?;
            Ok(order)
        },
    )
}

/// Stops the Mysis and releases the current account.
///
/// Triggered by `commander`.
pub fn stop<U: UnitOfWork>(unit: &mut U) -> Result<(), Failure<U::Error>> {
    ::statespec::transact(
        unit,
        |unit| {
            let mysis = ::statespec::Slot::new(
                None,
                unit.load_mysis().map_err(Failure::store)?,
            );
            Ok(World { mysis, ..World::empty() })
        },
        |world: &mut World<U>, pass| {
            let mysis_now = world.mysis.now().ok_or(Refused::Missing(Part::Mysis))?;
            let mysis_event = super::mysis::Event::Stop;
            let mut mysis_next = Clone::clone(mysis_now);
            let mysis_change = mysis_next.apply(mysis_event).map_err(Refused::Mysis)?;
            pass.perform(
                &mysis_change,
                |unit, effect| unit.perform_mysis(&mysis_event, effect),
            )?;
            world.mysis.put(mysis_next, mysis_change.commit());
            Ok(())
        },
        |unit, world| {
            let order = save(unit, world).map_err(Failure::store)?;
            Ok(order)
        },
    )
}

/// A message or broadcast to the Mysis.
///
/// Triggered by `commander`.
#[allow(clippy::all)]
pub fn message<U: UnitOfWork>(
    unit: &mut U,
    body: &str,
) -> Result<(), Failure<U::Error>> {
    ::statespec::transact(
        unit,
        |unit| {
            let mysis = ::statespec::Slot::new(
                None,
                unit.load_mysis().map_err(Failure::store)?,
            );
            Ok(World { mysis, ..World::empty() })
        },
        |world: &mut World<U>, pass| {
            let mysis_now = world.mysis.now().ok_or(Refused::Missing(Part::Mysis))?;
            let mysis_event = super::mysis::Event::Message {
                body,
            };
            let mut mysis_next = Clone::clone(mysis_now);
            let mysis_change = mysis_next.apply(mysis_event).map_err(Refused::Mysis)?;
            pass.perform(
                &mysis_change,
                |unit, effect| unit.perform_mysis(&mysis_event, effect),
            )?;
            world.mysis.put(mysis_next, mysis_change.commit());
            Ok(())
        },
        |unit, world| {
            let order = save(unit, world).map_err(Failure::store)?;
            Ok(order)
        },
    )
}

/// `shouldNudge` ignores the activity: it is true whenever the Mysis is `running`.
///
/// Triggered by `runtime`.
pub fn nudge<U: UnitOfWork>(unit: &mut U) -> Result<(), Failure<U::Error>> {
    ::statespec::transact(
        unit,
        |unit| {
            let mysis = ::statespec::Slot::new(
                None,
                unit.load_mysis().map_err(Failure::store)?,
            );
            Ok(World { mysis, ..World::empty() })
        },
        |world: &mut World<U>, pass| {
            let mysis_now = world.mysis.now().ok_or(Refused::Missing(Part::Mysis))?;
            let mysis_event = super::mysis::Event::Nudge;
            let mut mysis_next = Clone::clone(mysis_now);
            let mysis_change = mysis_next.apply(mysis_event).map_err(Refused::Mysis)?;
            pass.perform(
                &mysis_change,
                |unit, effect| unit.perform_mysis(&mysis_event, effect),
            )?;
            world.mysis.put(mysis_next, mysis_change.commit());
            Ok(())
        },
        |unit, world| {
            let order = save(unit, world).map_err(Failure::store)?;
            Ok(order)
        },
    )
}

/// A nudge fell due with no turn in progress.
///
/// Triggered by `runtime`.
pub fn count_failed_nudge<U: UnitOfWork>(unit: &mut U) -> Result<(), Failure<U::Error>> {
    ::statespec::transact(
        unit,
        |unit| {
            let mysis = ::statespec::Slot::new(
                None,
                unit.load_mysis().map_err(Failure::store)?,
            );
            Ok(World { mysis, ..World::empty() })
        },
        |world: &mut World<U>, pass| {
            let mysis_now = world.mysis.now().ok_or(Refused::Missing(Part::Mysis))?;
            let mysis_event = super::mysis::Event::NudgeFailed;
            let mut mysis_next = Clone::clone(mysis_now);
            let mysis_change = mysis_next.apply(mysis_event).map_err(Refused::Mysis)?;
            pass.perform(
                &mysis_change,
                |unit, effect| unit.perform_mysis(&mysis_event, effect),
            )?;
            world.mysis.put(mysis_next, mysis_change.commit());
            Ok(())
        },
        |unit, world| {
            let order = save(unit, world).map_err(Failure::store)?;
            Ok(order)
        },
    )
}

/// Progress.
///
/// Triggered by `runtime`.
pub fn complete_turn<U: UnitOfWork>(unit: &mut U) -> Result<(), Failure<U::Error>> {
    ::statespec::transact(
        unit,
        |unit| {
            let mysis = ::statespec::Slot::new(
                None,
                unit.load_mysis().map_err(Failure::store)?,
            );
            Ok(World { mysis, ..World::empty() })
        },
        |world: &mut World<U>, pass| {
            let mysis_now = world.mysis.now().ok_or(Refused::Missing(Part::Mysis))?;
            let mysis_event = super::mysis::Event::TurnCompleted;
            let mut mysis_next = Clone::clone(mysis_now);
            let mysis_change = mysis_next.apply(mysis_event).map_err(Refused::Mysis)?;
            pass.perform(
                &mysis_change,
                |unit, effect| unit.perform_mysis(&mysis_event, effect),
            )?;
            world.mysis.put(mysis_next, mysis_change.commit());
            Ok(())
        },
        |unit, world| {
            let order = save(unit, world).map_err(Failure::store)?;
            Ok(order)
        },
    )
}

/// `setErrorState` on an execution failure.
///
/// Triggered by `runtime`.
#[allow(clippy::all)]
pub fn fail<U: UnitOfWork>(unit: &mut U, cause: &str) -> Result<(), Failure<U::Error>> {
    ::statespec::transact(
        unit,
        |unit| {
            let mysis = ::statespec::Slot::new(
                None,
                unit.load_mysis().map_err(Failure::store)?,
            );
            Ok(World { mysis, ..World::empty() })
        },
        |world: &mut World<U>, pass| {
            let mysis_now = world.mysis.now().ok_or(Refused::Missing(Part::Mysis))?;
            let mysis_event = super::mysis::Event::Error {
                cause,
            };
            let mut mysis_next = Clone::clone(mysis_now);
            let mysis_change = mysis_next.apply(mysis_event).map_err(Refused::Mysis)?;
            pass.perform(
                &mysis_change,
                |unit, effect| unit.perform_mysis(&mysis_event, effect),
            )?;
            world.mysis.put(mysis_next, mysis_change.commit());
            Ok(())
        },
        |unit, world| {
            let order = save(unit, world).map_err(Failure::store)?;
            Ok(order)
        },
    )
}

/// A tool call timed out or was cancelled.
///
/// Triggered by `runtime`.
#[allow(clippy::all)]
pub fn time_out_tool<U: UnitOfWork>(
    unit: &mut U,
    tool: &str,
    cause: &str,
) -> Result<(), Failure<U::Error>> {
    ::statespec::transact(
        unit,
        |unit| {
            let mysis = ::statespec::Slot::new(
                None,
                unit.load_mysis().map_err(Failure::store)?,
            );
            Ok(World { mysis, ..World::empty() })
        },
        |world: &mut World<U>, pass| {
            let mysis_now = world.mysis.now().ok_or(Refused::Missing(Part::Mysis))?;
            let mysis_event = super::mysis::Event::ToolTimedOut {
                tool,
                cause,
            };
            let mut mysis_next = Clone::clone(mysis_now);
            let mysis_change = mysis_next.apply(mysis_event).map_err(Refused::Mysis)?;
            pass.perform(
                &mysis_change,
                |unit, effect| unit.perform_mysis(&mysis_event, effect),
            )?;
            world.mysis.put(mysis_next, mysis_change.commit());
            Ok(())
        },
        |unit, world| {
            let order = save(unit, world).map_err(Failure::store)?;
            Ok(order)
        },
    )
}

/// An MCP tool failed for good.
///
/// Triggered by `runtime`.
#[allow(clippy::all)]
pub fn exhaust_mcp_retries<U: UnitOfWork>(
    unit: &mut U,
    cause: &str,
) -> Result<(), Failure<U::Error>> {
    ::statespec::transact(
        unit,
        |unit| {
            let mysis = ::statespec::Slot::new(
                None,
                unit.load_mysis().map_err(Failure::store)?,
            );
            Ok(World { mysis, ..World::empty() })
        },
        |world: &mut World<U>, pass| {
            let mysis_now = world.mysis.now().ok_or(Refused::Missing(Part::Mysis))?;
            let mysis_event = super::mysis::Event::McpRetriesExhausted {
                cause,
            };
            let mut mysis_next = Clone::clone(mysis_now);
            let mysis_change = mysis_next.apply(mysis_event).map_err(Refused::Mysis)?;
            pass.perform(
                &mysis_change,
                |unit, effect| unit.perform_mysis(&mysis_event, effect),
            )?;
            world.mysis.put(mysis_next, mysis_change.commit());
            Ok(())
        },
        |unit, world| {
            let order = save(unit, world).map_err(Failure::store)?;
            Ok(order)
        },
    )
}

/// The runtime shows what the Mysis is busy with.
///
/// Triggered by `runtime`.
#[allow(clippy::all)]
pub fn show_activity<U: UnitOfWork>(
    unit: &mut U,
    activity: super::mysis_activity::State,
    until: Option<::statespec::Timestamp>,
) -> Result<(), Failure<U::Error>> {
    ::statespec::transact(
        unit,
        |unit| {
            let activity = ::statespec::Slot::found_or(
                None,
                unit.load_activity().map_err(Failure::store)?,
                super::mysis_activity::MysisActivity::new,
            );
            Ok(World {
                activity,
                ..World::empty()
            })
        },
        |world: &mut World<U>, _pass| {
            let activity_now = world
                .activity
                .now()
                .ok_or(Refused::Missing(Part::Activity))?;
            let activity_event = super::mysis_activity::Event::SetActivity {
                activity,
                until,
            };
            let mut activity_next = Clone::clone(activity_now);
            let activity_change = activity_next
                .apply(activity_event)
                .map_err(Refused::Activity)?;
            world.activity.put(activity_next, activity_change.commit());
            Ok(())
        },
        |unit, world| {
            let order = save(unit, world).map_err(Failure::store)?;
            Ok(order)
        },
    )
}

/// Where the instances of a `mysis_runtime` are kept, while something is done to them.
pub trait UnitOfWork: ::statespec::Unit {
    /// What texts are kept in.
    type Text: Clone + AsRef<str> + for<'e> From<&'e str>;

    /// Finds the `mysis`.
    #[allow(clippy::type_complexity)]
    fn load_mysis(
        &mut self,
    ) -> Result<Option<super::mysis::Mysis<Self::Text>>, Self::Error>;

    /// Saves the `mysis` after a change; `before` is what was found, nothing where it is new.
    fn save_mysis(
        &mut self,
        before: Option<&super::mysis::Mysis<Self::Text>>,
        after: &super::mysis::Mysis<Self::Text>,
    ) -> Result<(), Self::Error>;

    /// Performs an effect of the `mysis`; `effect.perform(event, …)` calls its method.
    fn perform_mysis(
        &mut self,
        event: &super::mysis::Event<'_>,
        effect: super::mysis::Effect,
    ) -> Result<(), Self::Error>;

    /// Finds the `activity`.
    #[allow(clippy::type_complexity)]
    fn load_activity(
        &mut self,
    ) -> Result<Option<super::mysis_activity::MysisActivity>, Self::Error>;

    /// Saves the `activity` after a change; `before` is what was found, nothing where it is new.
    fn save_activity(
        &mut self,
        before: Option<&super::mysis_activity::MysisActivity>,
        after: &super::mysis_activity::MysisActivity,
    ) -> Result<(), Self::Error>;
}

/// Why a transaction was turned down; everything is as it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    /// A part that the transaction speaks of is not there.
    Missing(Part),
    /// The machine of `mysis` turned its event down.
    Mysis(super::mysis::Refused),
    /// The machine of `activity` turned its event down.
    Activity(super::mysis_activity::Refused),
}

impl ::core::fmt::Display for Refused {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        match self {
            Refused::Missing(part) => ::core::write!(f, "there is no {}", part.name()),
            Refused::Mysis(refused) => ::core::fmt::Display::fmt(refused, f),
            Refused::Activity(refused) => ::core::fmt::Display::fmt(refused, f),
        }
    }
}

impl ::core::error::Error for Refused {}

/// Why a transaction stopped; `X` is the error of the unit of work.
pub type Failure<X> = ::statespec::Failure<Refused, X>;

/// A machine in a role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// The lifecycle.
    Mysis,
    /// What the TUI and the context show; not a state of the Mysis.
    Activity,
}

impl Part {
    /// Every part, in the order of the spec.
    pub const ALL: [Part; 2] = [Part::Mysis, Part::Activity];

    /// The name by which the part is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 2] = &["mysis", "activity"];
        NAMES[self as usize]
    }

    /// What a person reads for the part.
    pub const fn label(self) -> &'static str {
        const TEXTS: &[&str; 2] = &["Mysis", "Activity"];
        TEXTS[self as usize]
    }

    /// What the spec says about the part.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 2] = &[
            "The lifecycle.",
            "What the TUI and the context show; not a state of the Mysis.",
        ];
        TEXTS[self as usize]
    }
}

::statespec::named!(Part, "part");

#[cfg(feature = "serde")]
::statespec::named_serde!(Part);

/// What can be done to the system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Transaction {
    /// The Mysis is created in the store, as `idle`.
    ///
    /// Triggered by `commander`.
    Create,
    /// The Mysis is loaded at startup, as `idle`, and must be explicitly started.
    ///
    /// Triggered by `runtime`.
    Load,
    /// Starts or relaunches the Mysis.
    ///
    /// Triggered by `commander`.
    ///
    /// If the store update fails, the Mysis remains unchanged and start returns an error.
    Start,
    /// Stops the Mysis and releases the current account.
    ///
    /// Triggered by `commander`.
    Stop,
    /// A message or broadcast to the Mysis.
    ///
    /// Triggered by `commander`.
    Message,
    /// `shouldNudge` ignores the activity: it is true whenever the Mysis is `running`.
    ///
    /// Triggered by `runtime`.
    Nudge,
    /// A nudge fell due with no turn in progress.
    ///
    /// Triggered by `runtime`.
    CountFailedNudge,
    /// Progress.
    ///
    /// Triggered by `runtime`.
    CompleteTurn,
    /// `setErrorState` on an execution failure.
    ///
    /// Triggered by `runtime`.
    Fail,
    /// A tool call timed out or was cancelled.
    ///
    /// Triggered by `runtime`.
    TimeOutTool,
    /// An MCP tool failed for good.
    ///
    /// Triggered by `runtime`.
    ExhaustMcpRetries,
    /// The runtime shows what the Mysis is busy with.
    ///
    /// Triggered by `runtime`.
    ShowActivity,
}

impl Transaction {
    /// Every transaction, in the order of the spec.
    pub const ALL: [Transaction; 12] = [
        Transaction::Create,
        Transaction::Load,
        Transaction::Start,
        Transaction::Stop,
        Transaction::Message,
        Transaction::Nudge,
        Transaction::CountFailedNudge,
        Transaction::CompleteTurn,
        Transaction::Fail,
        Transaction::TimeOutTool,
        Transaction::ExhaustMcpRetries,
        Transaction::ShowActivity,
    ];

    /// The name by which the transaction is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 12] = &[
            "create",
            "load",
            "start",
            "stop",
            "message",
            "nudge",
            "count_failed_nudge",
            "complete_turn",
            "fail",
            "time_out_tool",
            "exhaust_mcp_retries",
            "show_activity",
        ];
        NAMES[self as usize]
    }

    /// What a person reads for the transaction.
    pub const fn label(self) -> &'static str {
        const TEXTS: &[&str; 12] = &[
            "create",
            "load",
            "TUI key `r` (`Commander.StartMysis`)",
            "TUI key `s` (`Commander.StopMysis`)",
            "message",
            "nudge",
            "count_failed_nudge",
            "complete_turn",
            "fail",
            "time_out_tool",
            "exhaust_mcp_retries",
            "show_activity",
        ];
        TEXTS[self as usize]
    }

    /// What the spec says about the transaction.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 12] = &[
            "The Mysis is created in the store, as `idle`.",
            "The Mysis is loaded at startup, as `idle`, and must be explicitly started.",
            "Starts or relaunches the Mysis.",
            "Stops the Mysis and releases the current account.",
            "A message or broadcast to the Mysis.",
            "`shouldNudge` ignores the activity: it is true whenever the Mysis is `running`.",
            "A nudge fell due with no turn in progress.",
            "Progress.",
            "`setErrorState` on an execution failure.",
            "A tool call timed out or was cancelled.",
            "An MCP tool failed for good.",
            "The runtime shows what the Mysis is busy with.",
        ];
        TEXTS[self as usize]
    }
}

::statespec::named!(Transaction, "transaction");

#[cfg(feature = "serde")]
::statespec::named_serde!(Transaction);

impl Transaction {
    /// Who may trigger the transaction; anyone when empty.
    pub const fn by(self) -> &'static [Actor] {
        const BY: &[&[Actor]; 12] = &[
            &[Actor::Commander],
            &[Actor::Runtime],
            &[Actor::Commander],
            &[Actor::Commander],
            &[Actor::Commander],
            &[Actor::Runtime],
            &[Actor::Runtime],
            &[Actor::Runtime],
            &[Actor::Runtime],
            &[Actor::Runtime],
            &[Actor::Runtime],
            &[Actor::Runtime],
        ];
        BY[self as usize]
    }

    /// Who does the work that the transaction starts, where that is somebody else.
    pub const fn performer(self) -> Option<Actor> {
        const PERFORMERS: &[Option<Actor>; 12] = &[
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
        ];
        PERFORMERS[self as usize]
    }

    /// Whether this actor may trigger the transaction.
    pub fn may_be_triggered_by(self, actor: Actor) -> bool {
        self.by().is_empty() || self.by().contains(&actor)
    }

    /// Whether the spec asks for one database transaction.
    pub const fn is_atomic(self) -> bool {
        false
    }
}

/// Who triggers transactions, or does the work that they start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Actor {
    /// The human, through the TUI.
    Commander,
    /// The run loop of the Mysis.
    Runtime,
}

impl Actor {
    /// Every actor, in the order of the spec.
    pub const ALL: [Actor; 2] = [Actor::Commander, Actor::Runtime];

    /// The name by which the actor is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 2] = &["commander", "runtime"];
        NAMES[self as usize]
    }

    /// What the spec says about the actor.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 2] = &[
            "The human, through the TUI.",
            "The run loop of the Mysis.",
        ];
        TEXTS[self as usize]
    }
}

::statespec::named!(Actor, "actor");

#[cfg(feature = "serde")]
::statespec::named_serde!(Actor);

/// The parts that a transaction speaks of.
struct World<U: UnitOfWork> {
    mysis: ::statespec::Slot<super::mysis::Mysis<U::Text>, U::Key>,
    activity: ::statespec::Slot<super::mysis_activity::MysisActivity, U::Key>,
}

impl<U: UnitOfWork> World<U> {
    const fn empty() -> Self {
        World {
            mysis: ::statespec::Slot::empty(),
            activity: ::statespec::Slot::empty(),
        }
    }
}

impl<U: UnitOfWork> Clone for World<U> {
    fn clone(&self) -> Self {
        World {
            mysis: self.mysis.clone(),
            activity: self.activity.clone(),
        }
    }
}

/// Saves what took part, and says when the store is written.
fn save<U: UnitOfWork>(
    unit: &mut U,
    world: &World<U>,
) -> Result<::statespec::Commit, U::Error> {
    if let Some((before, after)) = world.mysis.changed() {
        unit.save_mysis(before, after)?;
    }
    if let Some((before, after)) = world.activity.changed() {
        unit.save_activity(before, after)?;
    }
    Ok(world.mysis.order().min(world.activity.order()))
}
