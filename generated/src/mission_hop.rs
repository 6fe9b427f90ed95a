//! State Transition Table.
//!
//! This table shows every state transition in the mission and hop system. Each trigger may cause updates to multiple entities simultaneously.
//!
//! - The hops 2.x and 3.x are two instances of one pattern: only the completion of the final one differs.
//! - After the final hop mission.current\_hop\_id keeps pointing at it: only step 2.8 is said to reset it.
//! - Nothing rejects a proposal: it stays proposed until it is approved.

/// The mission is created with its input/output assets.
///
/// Triggered by `agent`.
pub fn propose_mission<U: UnitOfWork>(unit: &mut U) -> Result<(), Failure<U::Error>> {
    ::statespec::transact(
        unit,
        |unit| {
            let mission = ::statespec::Slot::new(
                Some(unit.mission_key().map_err(Failure::store)?),
                unit.load_mission().map_err(Failure::store)?,
            );
            Ok(World { mission, ..World::empty() })
        },
        |world: &mut World<U>, pass| {
            let mission_event = super::mission::Event::Propose;
            let (mission_next, mission_change) = match world.mission.now() {
                Some(now) => {
                    let mut next = Clone::clone(now);
                    let change = next.apply(mission_event).map_err(Refused::Mission)?;
                    (next, change)
                }
                None => {
                    super::mission::Mission::born(mission_event)
                        .map_err(Refused::Mission)?
                }
            };
            pass.perform(&mission_change, |unit, effect| unit.perform_mission(effect))?;
            world.mission.put(mission_next, mission_change.commit());
            Ok(())
        },
        |unit, world| {
            let order = save(unit, world).map_err(Failure::store)?;
            invariant_0(unit)?;
            invariant_1(unit)?;
            invariant_2(unit)?;
            Ok(order)
        },
    )
}

/// User approves mission proposal.
///
/// Triggered by `user`.
pub fn approve_mission<U: UnitOfWork>(unit: &mut U) -> Result<(), Failure<U::Error>> {
    ::statespec::transact(
        unit,
        |unit| {
            let mission = ::statespec::Slot::new(
                Some(unit.mission_key().map_err(Failure::store)?),
                unit.load_mission().map_err(Failure::store)?,
            );
            Ok(World { mission, ..World::empty() })
        },
        |world: &mut World<U>, pass| {
            let mission_now = world
                .mission
                .now()
                .ok_or(Refused::Missing(Part::Mission))?;
            let mission_event = super::mission::Event::Approve;
            let mut mission_next = Clone::clone(mission_now);
            let mission_change = mission_next
                .apply(mission_event)
                .map_err(Refused::Mission)?;
            pass.perform(&mission_change, |unit, effect| unit.perform_mission(effect))?;
            world.mission.put(mission_next, mission_change.commit());
            Ok(())
        },
        |unit, world| {
            let order = save(unit, world).map_err(Failure::store)?;
            invariant_0(unit)?;
            invariant_1(unit)?;
            invariant_2(unit)?;
            Ok(order)
        },
    )
}

/// User button click triggers hop creation + mission.current\_hop\_id update; the agent starts planning.
///
/// Triggered by `user`.
///
/// The work is done by `agent`.
///
/// If hop creation fails, mission.current\_hop\_id should not be set.
#[allow(clippy::all)]
pub fn request_hop_plan<U: UnitOfWork>(
    unit: &mut U,
) -> Result<U::Key, Failure<U::Error>> {
    let hop_id = unit.new_hop().map_err(Failure::store)?;
    ::statespec::transact(
        unit,
        |unit| {
            let mission = ::statespec::Slot::new(
                Some(unit.mission_key().map_err(Failure::store)?),
                unit.load_mission().map_err(Failure::store)?,
            );
            Ok(World {
                hop: ::statespec::Slot::new(Some(hop_id), None),
                mission,
            })
        },
        |world: &mut World<U>, pass| {
            let mission_now = world
                .mission
                .now()
                .ok_or(Refused::Missing(Part::Mission))?;
            let mission_id = world.mission.key().ok_or(Refused::Missing(Part::Mission))?;
            if !(mission_now.state() == super::mission::State::InProgress) {
                return Err(Refused::Rule(0).into());
            }
            let hop_event = super::hop::Event::Create;
            let mission_event = super::mission::Event::LinkHop {
                hop_id,
            };
            let (hop_next, hop_change) = super::hop::Hop::born_with(
                    super::hop::Context {
                        mission_id: Some(mission_id),
                        ..Default::default()
                    },
                    hop_event,
                )
                .map_err(Refused::Hop)?;
            let mut mission_next = Clone::clone(mission_now);
            let mission_change = mission_next
                .apply(mission_event)
                .map_err(Refused::Mission)?;
            pass.perform(&mission_change, |unit, effect| unit.perform_mission(effect))?;
            world.hop.put(hop_next, hop_change.commit());
            world.mission.put(mission_next, mission_change.commit());
            Ok(())
        },
        |unit, world| {
            let order = save(unit, world).map_err(Failure::store)?;
            invariant_0(unit)?;
            invariant_1(unit)?;
            invariant_2(unit)?;
            Ok(order)
        },
    )?;
    Ok(hop_id)
}

/// Agent automatically completes planning and proposes to user.
///
/// Triggered by `agent`.
#[allow(clippy::all)]
pub fn complete_hop_plan<U: UnitOfWork>(
    unit: &mut U,
    hop_id: U::Key,
    r#final: bool,
) -> Result<(), Failure<U::Error>> {
    ::statespec::transact(
        unit,
        |unit| {
            let hop = ::statespec::Slot::new(
                Some(hop_id),
                unit.load_hop(hop_id).map_err(Failure::store)?,
            );
            let mission = ::statespec::Slot::new(
                Some(unit.mission_key().map_err(Failure::store)?),
                unit.load_mission().map_err(Failure::store)?,
            );
            Ok(World { hop, mission })
        },
        |world: &mut World<U>, _pass| {
            let mission_now = world
                .mission
                .now()
                .ok_or(Refused::Missing(Part::Mission))?;
            let hop_now = world.hop.now().ok_or(Refused::Missing(Part::Hop))?;
            if !(mission_now.state() == super::mission::State::InProgress) {
                return Err(Refused::Rule(1).into());
            }
            if !(mission_now.context().current_hop_id == Some(hop_id)) {
                return Err(Refused::Rule(2).into());
            }
            let hop_event = super::hop::Event::CompletePlan {
                r#final,
            };
            let mut hop_next = Clone::clone(hop_now);
            let hop_change = hop_next.apply(hop_event).map_err(Refused::Hop)?;
            world.hop.put(hop_next, hop_change.commit());
            Ok(())
        },
        |unit, world| {
            let order = save(unit, world).map_err(Failure::store)?;
            invariant_1(unit)?;
            invariant_2(unit)?;
            Ok(order)
        },
    )
}

/// User approves hop plans.
///
/// Triggered by `user`.
#[allow(clippy::all)]
pub fn approve_hop_plan<U: UnitOfWork>(
    unit: &mut U,
    hop_id: U::Key,
) -> Result<(), Failure<U::Error>> {
    ::statespec::transact(
        unit,
        |unit| {
            let hop = ::statespec::Slot::new(
                Some(hop_id),
                unit.load_hop(hop_id).map_err(Failure::store)?,
            );
            let mission = ::statespec::Slot::new(
                Some(unit.mission_key().map_err(Failure::store)?),
                unit.load_mission().map_err(Failure::store)?,
            );
            Ok(World { hop, mission })
        },
        |world: &mut World<U>, _pass| {
            let mission_now = world
                .mission
                .now()
                .ok_or(Refused::Missing(Part::Mission))?;
            let hop_now = world.hop.now().ok_or(Refused::Missing(Part::Hop))?;
            if !(mission_now.state() == super::mission::State::InProgress) {
                return Err(Refused::Rule(1).into());
            }
            if !(mission_now.context().current_hop_id == Some(hop_id)) {
                return Err(Refused::Rule(2).into());
            }
            let hop_event = super::hop::Event::ApprovePlan;
            let mut hop_next = Clone::clone(hop_now);
            let hop_change = hop_next.apply(hop_event).map_err(Refused::Hop)?;
            world.hop.put(hop_next, hop_change.commit());
            Ok(())
        },
        |unit, world| {
            let order = save(unit, world).map_err(Failure::store)?;
            invariant_1(unit)?;
            invariant_2(unit)?;
            Ok(order)
        },
    )
}

/// Agent begins implementation.
///
/// Triggered by `user`.
///
/// The work is done by `agent`.
#[allow(clippy::all)]
pub fn request_implementation<U: UnitOfWork>(
    unit: &mut U,
    hop_id: U::Key,
) -> Result<(), Failure<U::Error>> {
    ::statespec::transact(
        unit,
        |unit| {
            let hop = ::statespec::Slot::new(
                Some(hop_id),
                unit.load_hop(hop_id).map_err(Failure::store)?,
            );
            let mission = ::statespec::Slot::new(
                Some(unit.mission_key().map_err(Failure::store)?),
                unit.load_mission().map_err(Failure::store)?,
            );
            Ok(World { hop, mission })
        },
        |world: &mut World<U>, _pass| {
            let mission_now = world
                .mission
                .now()
                .ok_or(Refused::Missing(Part::Mission))?;
            let hop_now = world.hop.now().ok_or(Refused::Missing(Part::Hop))?;
            if !(mission_now.state() == super::mission::State::InProgress) {
                return Err(Refused::Rule(1).into());
            }
            if !(mission_now.context().current_hop_id == Some(hop_id)) {
                return Err(Refused::Rule(2).into());
            }
            let hop_event = super::hop::Event::StartImplementation;
            let mut hop_next = Clone::clone(hop_now);
            let hop_change = hop_next.apply(hop_event).map_err(Refused::Hop)?;
            world.hop.put(hop_next, hop_change.commit());
            Ok(())
        },
        |unit, world| {
            let order = save(unit, world).map_err(Failure::store)?;
            invariant_1(unit)?;
            invariant_2(unit)?;
            Ok(order)
        },
    )
}

/// Agent automatically completes implementation and proposes to user.
///
/// Triggered by `agent`.
#[allow(clippy::all)]
pub fn complete_implementation<U: UnitOfWork>(
    unit: &mut U,
    hop_id: U::Key,
) -> Result<(), Failure<U::Error>> {
    ::statespec::transact(
        unit,
        |unit| {
            let hop = ::statespec::Slot::new(
                Some(hop_id),
                unit.load_hop(hop_id).map_err(Failure::store)?,
            );
            let mission = ::statespec::Slot::new(
                Some(unit.mission_key().map_err(Failure::store)?),
                unit.load_mission().map_err(Failure::store)?,
            );
            Ok(World { hop, mission })
        },
        |world: &mut World<U>, _pass| {
            let mission_now = world
                .mission
                .now()
                .ok_or(Refused::Missing(Part::Mission))?;
            let hop_now = world.hop.now().ok_or(Refused::Missing(Part::Hop))?;
            if !(mission_now.state() == super::mission::State::InProgress) {
                return Err(Refused::Rule(1).into());
            }
            if !(mission_now.context().current_hop_id == Some(hop_id)) {
                return Err(Refused::Rule(2).into());
            }
            let hop_event = super::hop::Event::CompleteImplementation;
            let mut hop_next = Clone::clone(hop_now);
            let hop_change = hop_next.apply(hop_event).map_err(Refused::Hop)?;
            world.hop.put(hop_next, hop_change.commit());
            Ok(())
        },
        |unit, world| {
            let order = save(unit, world).map_err(Failure::store)?;
            invariant_1(unit)?;
            invariant_2(unit)?;
            Ok(order)
        },
    )
}

/// User approves implementations.
///
/// Triggered by `user`.
#[allow(clippy::all)]
pub fn approve_implementation<U: UnitOfWork>(
    unit: &mut U,
    hop_id: U::Key,
) -> Result<(), Failure<U::Error>> {
    ::statespec::transact(
        unit,
        |unit| {
            let hop = ::statespec::Slot::new(
                Some(hop_id),
                unit.load_hop(hop_id).map_err(Failure::store)?,
            );
            let mission = ::statespec::Slot::new(
                Some(unit.mission_key().map_err(Failure::store)?),
                unit.load_mission().map_err(Failure::store)?,
            );
            Ok(World { hop, mission })
        },
        |world: &mut World<U>, _pass| {
            let mission_now = world
                .mission
                .now()
                .ok_or(Refused::Missing(Part::Mission))?;
            let hop_now = world.hop.now().ok_or(Refused::Missing(Part::Hop))?;
            if !(mission_now.state() == super::mission::State::InProgress) {
                return Err(Refused::Rule(1).into());
            }
            if !(mission_now.context().current_hop_id == Some(hop_id)) {
                return Err(Refused::Rule(2).into());
            }
            let hop_event = super::hop::Event::ApproveImplementation;
            let mut hop_next = Clone::clone(hop_now);
            let hop_change = hop_next.apply(hop_event).map_err(Refused::Hop)?;
            world.hop.put(hop_next, hop_change.commit());
            Ok(())
        },
        |unit, world| {
            let order = save(unit, world).map_err(Failure::store)?;
            invariant_1(unit)?;
            invariant_2(unit)?;
            Ok(order)
        },
    )
}

/// Hop execution begins.
///
/// Triggered by `user`.
#[allow(clippy::all)]
pub fn trigger_execution<U: UnitOfWork>(
    unit: &mut U,
    hop_id: U::Key,
) -> Result<(), Failure<U::Error>> {
    ::statespec::transact(
        unit,
        |unit| {
            let hop = ::statespec::Slot::new(
                Some(hop_id),
                unit.load_hop(hop_id).map_err(Failure::store)?,
            );
            let mission = ::statespec::Slot::new(
                Some(unit.mission_key().map_err(Failure::store)?),
                unit.load_mission().map_err(Failure::store)?,
            );
            Ok(World { hop, mission })
        },
        |world: &mut World<U>, _pass| {
            let mission_now = world
                .mission
                .now()
                .ok_or(Refused::Missing(Part::Mission))?;
            let hop_now = world.hop.now().ok_or(Refused::Missing(Part::Hop))?;
            if !(mission_now.state() == super::mission::State::InProgress) {
                return Err(Refused::Rule(1).into());
            }
            if !(mission_now.context().current_hop_id == Some(hop_id)) {
                return Err(Refused::Rule(2).into());
            }
            let hop_event = super::hop::Event::Execute;
            let mut hop_next = Clone::clone(hop_now);
            let hop_change = hop_next.apply(hop_event).map_err(Refused::Hop)?;
            world.hop.put(hop_next, hop_change.commit());
            Ok(())
        },
        |unit, world| {
            let order = save(unit, world).map_err(Failure::store)?;
            invariant_1(unit)?;
            invariant_2(unit)?;
            Ok(order)
        },
    )
}

/// Mission.current\_hop\_id is reset to null when a hop completes; with the final hop (is\_final=true), mission and hop are completed simultaneously.
///
/// Triggered by `system`.
///
/// If hop completion fails, mission.current\_hop\_id should not reset.
#[allow(clippy::all)]
pub fn complete_hop_execution<U: UnitOfWork>(
    unit: &mut U,
    hop_id: U::Key,
) -> Result<(), Failure<U::Error>> {
    ::statespec::transact(
        unit,
        |unit| {
            let hop = ::statespec::Slot::new(
                Some(hop_id),
                unit.load_hop(hop_id).map_err(Failure::store)?,
            );
            let mission = ::statespec::Slot::new(
                Some(unit.mission_key().map_err(Failure::store)?),
                unit.load_mission().map_err(Failure::store)?,
            );
            Ok(World { hop, mission })
        },
        |world: &mut World<U>, pass| {
            let mission_now = world
                .mission
                .now()
                .ok_or(Refused::Missing(Part::Mission))?;
            let hop_now = world.hop.now().ok_or(Refused::Missing(Part::Hop))?;
            if !(mission_now.state() == super::mission::State::InProgress) {
                return Err(Refused::Rule(1).into());
            }
            if !(mission_now.context().current_hop_id == Some(hop_id)) {
                return Err(Refused::Rule(2).into());
            }
            let mission_event = super::mission::Event::HopCompleted {
                is_final: hop_now.context().is_final,
            };
            let hop_event = super::hop::Event::Complete;
            let mut mission_next = Clone::clone(mission_now);
            let mission_change = mission_next
                .apply(mission_event)
                .map_err(Refused::Mission)?;
            let mut hop_next = Clone::clone(hop_now);
            let hop_change = hop_next.apply(hop_event).map_err(Refused::Hop)?;
            pass.perform(&mission_change, |unit, effect| unit.perform_mission(effect))?;
            world.mission.put(mission_next, mission_change.commit());
            world.hop.put(hop_next, hop_change.commit());
            Ok(())
        },
        |unit, world| {
            let order = save(unit, world).map_err(Failure::store)?;
            invariant_0(unit)?;
            invariant_1(unit)?;
            invariant_2(unit)?;
            Ok(order)
        },
    )
}

/// Checks everything that holds after every transaction.
///
/// Transactions check by themselves what they may have changed.
pub fn check_invariants<U: UnitOfWork>(unit: &mut U) -> Result<(), Failure<U::Error>> {
    invariant_0(unit)?;
    invariant_1(unit)?;
    invariant_2(unit)?;
    Ok(())
}

/// A mission awaiting approval has no current hop.
#[allow(clippy::all)]
fn invariant_0<U: UnitOfWork>(unit: &mut U) -> Result<(), Failure<U::Error>> {
    if let Some(mission_now) = unit.load_mission().map_err(Failure::store)? {
        if !(mission_now.state() != super::mission::State::AwaitingApproval
            || mission_now.context().current_hop_id.is_none())
        {
            return Err(Refused::Invariant(0).into());
        }
    }
    Ok(())
}

/// mission.current\_hop\_id must reset to null when hop completes.
#[allow(clippy::all)]
fn invariant_1<U: UnitOfWork>(unit: &mut U) -> Result<(), Failure<U::Error>> {
    if let Some(mission_now) = unit.load_mission().map_err(Failure::store)? {
        let mission_id = unit.mission_key().map_err(Failure::store)?;
        let mut hop_next = None;
        while let Some((hop_id, hop_now)) = unit
            .next_hop(hop_next)
            .map_err(Failure::store)?
        {
            hop_next = Some(hop_id);
            if Some(&hop_now)
                .and_then(|it| it.context().mission_id)
                .is_some_and(|it| it != mission_id)
            {
                continue;
            }
            if !(mission_now.state() != super::mission::State::InProgress
                || mission_now.context().current_hop_id != Some(hop_id)
                || hop_now.state() != super::hop::State::Completed)
            {
                return Err(Refused::Invariant(1).into());
            }
        }
    }
    Ok(())
}

/// Final hop (is\_final=true) completion triggers mission completion.
#[allow(clippy::all)]
fn invariant_2<U: UnitOfWork>(unit: &mut U) -> Result<(), Failure<U::Error>> {
    if let Some(mission_now) = unit.load_mission().map_err(Failure::store)? {
        let mission_id = unit.mission_key().map_err(Failure::store)?;
        let mut hop_next = None;
        while let Some((hop_id, hop_now)) = unit
            .next_hop(hop_next)
            .map_err(Failure::store)?
        {
            hop_next = Some(hop_id);
            if Some(&hop_now)
                .and_then(|it| it.context().mission_id)
                .is_some_and(|it| it != mission_id)
            {
                continue;
            }
            if !(!hop_now.context().is_final
                || hop_now.state() != super::hop::State::Completed
                || mission_now.state() == super::mission::State::Completed)
            {
                return Err(Refused::Invariant(2).into());
            }
        }
    }
    Ok(())
}

/// Where the instances of a `mission_hop` are kept, while something is done to them.
pub trait UnitOfWork: ::statespec::Unit {
    /// What tells the `mission` of this unit apart.
    fn mission_key(&mut self) -> Result<Self::Key, Self::Error>;

    /// Finds the `mission`.
    #[allow(clippy::type_complexity)]
    fn load_mission(
        &mut self,
    ) -> Result<Option<super::mission::Mission<Self::Key>>, Self::Error>;

    /// Saves the `mission` after a change; `before` is what was found, nothing where it is new.
    fn save_mission(
        &mut self,
        before: Option<&super::mission::Mission<Self::Key>>,
        after: &super::mission::Mission<Self::Key>,
    ) -> Result<(), Self::Error>;

    /// Performs an effect of the `mission`; `effect.perform(…)` calls its method.
    fn perform_mission(
        &mut self,
        effect: super::mission::Effect,
    ) -> Result<(), Self::Error>;

    /// What will tell a new `hop` apart: called once for each that is born.
    fn new_hop(&mut self) -> Result<Self::Key, Self::Error>;

    /// Finds a `hop`.
    #[allow(clippy::type_complexity)]
    fn load_hop(
        &mut self,
        key: Self::Key,
    ) -> Result<Option<super::hop::Hop<Self::Key>>, Self::Error>;

    /// Saves the `hop` after a change; `before` is what was found, nothing where it is new.
    fn save_hop(
        &mut self,
        key: Self::Key,
        before: Option<&super::hop::Hop<Self::Key>>,
        after: &super::hop::Hop<Self::Key>,
    ) -> Result<(), Self::Error>;

    /// Goes through every `hop`: the first one, or the one after `after`, in any order that stays the same.
    ///
    /// Invariants ask it.
    #[allow(clippy::type_complexity)]
    fn next_hop(
        &mut self,
        after: Option<Self::Key>,
    ) -> Result<Option<(Self::Key, super::hop::Hop<Self::Key>)>, Self::Error>;
}

/// Why a transaction was turned down; everything is as it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    /// A part that the transaction speaks of is not there.
    Missing(Part),
    /// A rule does not hold: its position in [`RULES`].
    Rule(usize),
    /// An invariant would not hold afterwards: its position in [`INVARIANTS`].
    Invariant(usize),
    /// The machine of `mission` turned its event down.
    Mission(super::mission::Refused),
    /// The machine of `hop` turned its event down.
    Hop(super::hop::Refused),
}

impl ::core::fmt::Display for Refused {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        match self {
            Refused::Missing(part) => ::core::write!(f, "there is no {}", part.name()),
            Refused::Rule(rule) => {
                f.write_str(RULES.get(*rule).copied().unwrap_or_default())
            }
            Refused::Invariant(invariant) => {
                f.write_str(INVARIANTS.get(*invariant).copied().unwrap_or_default())
            }
            Refused::Mission(refused) => ::core::fmt::Display::fmt(refused, f),
            Refused::Hop(refused) => ::core::fmt::Display::fmt(refused, f),
        }
    }
}

impl ::core::error::Error for Refused {}

/// Why a transaction stopped; `X` is the error of the unit of work.
pub type Failure<X> = ::statespec::Failure<Refused, X>;

/// What must hold before events, in the order of the spec.
pub const RULES: [&str; 3] = [
    "Mission is IN_PROGRESS before creating hops",
    "Mission is IN_PROGRESS before updating hops",
    "current_hop_id matches the hop being updated",
];

/// What holds after every transaction, in the order of the spec.
pub const INVARIANTS: [&str; 3] = [
    "A mission awaiting approval has no current hop",
    "mission.current_hop_id must reset to null when hop completes",
    "Final hop (is_final=true) completion triggers mission completion",
];

/// A machine in a role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// What is to be achieved.
    Mission,
    /// One stretch of the mission; all hops go through the same states.
    Hop,
}

impl Part {
    /// Every part, in the order of the spec.
    pub const ALL: [Part; 2] = [Part::Mission, Part::Hop];

    /// The name by which the part is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 2] = &["mission", "hop"];
        NAMES[self as usize]
    }

    /// What a person reads for the part.
    pub const fn label(self) -> &'static str {
        const TEXTS: &[&str; 2] = &["Mission", "Hop"];
        TEXTS[self as usize]
    }

    /// What the spec says about the part.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 2] = &[
            "What is to be achieved.",
            "One stretch of the mission; all hops go through the same states.",
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
    /// The mission is created with its input/output assets.
    ///
    /// Triggered by `agent`.
    ProposeMission,
    /// User approves mission proposal.
    ///
    /// Triggered by `user`.
    ApproveMission,
    /// User button click triggers hop creation + mission.current\_hop\_id update; the agent starts planning.
    ///
    /// Triggered by `user`.
    ///
    /// The work is done by `agent`.
    ///
    /// If hop creation fails, mission.current\_hop\_id should not be set.
    RequestHopPlan,
    /// Agent automatically completes planning and proposes to user.
    ///
    /// Triggered by `agent`.
    CompleteHopPlan,
    /// User approves hop plans.
    ///
    /// Triggered by `user`.
    ApproveHopPlan,
    /// Agent begins implementation.
    ///
    /// Triggered by `user`.
    ///
    /// The work is done by `agent`.
    RequestImplementation,
    /// Agent automatically completes implementation and proposes to user.
    ///
    /// Triggered by `agent`.
    CompleteImplementation,
    /// User approves implementations.
    ///
    /// Triggered by `user`.
    ApproveImplementation,
    /// Hop execution begins.
    ///
    /// Triggered by `user`.
    TriggerExecution,
    /// Mission.current\_hop\_id is reset to null when a hop completes; with the final hop (is\_final=true), mission and hop are completed simultaneously.
    ///
    /// Triggered by `system`.
    ///
    /// If hop completion fails, mission.current\_hop\_id should not reset.
    CompleteHopExecution,
}

impl Transaction {
    /// Every transaction, in the order of the spec.
    pub const ALL: [Transaction; 10] = [
        Transaction::ProposeMission,
        Transaction::ApproveMission,
        Transaction::RequestHopPlan,
        Transaction::CompleteHopPlan,
        Transaction::ApproveHopPlan,
        Transaction::RequestImplementation,
        Transaction::CompleteImplementation,
        Transaction::ApproveImplementation,
        Transaction::TriggerExecution,
        Transaction::CompleteHopExecution,
    ];

    /// The name by which the transaction is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 10] = &[
            "propose_mission",
            "approve_mission",
            "request_hop_plan",
            "complete_hop_plan",
            "approve_hop_plan",
            "request_implementation",
            "complete_implementation",
            "approve_implementation",
            "trigger_execution",
            "complete_hop_execution",
        ];
        NAMES[self as usize]
    }

    /// What a person reads for the transaction.
    pub const fn label(self) -> &'static str {
        const TEXTS: &[&str; 10] = &[
            "propose_mission",
            "Approval (Chat/UI)",
            "button \"Create Next Hop\"",
            "automatic",
            "Approval (Chat/UI)",
            "button \"Start Implementation\"",
            "automatic",
            "Approval (Chat/UI)",
            "button \"Execute Hop\"",
            "complete_hop_execution",
        ];
        TEXTS[self as usize]
    }

    /// What the spec says about the transaction.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 10] = &[
            "The mission is created with its input/output assets.",
            "User approves mission proposal.",
            "User button click triggers hop creation + mission.current_hop_id update; the agent starts planning.",
            "Agent automatically completes planning and proposes to user.",
            "User approves hop plans.",
            "Agent begins implementation.",
            "Agent automatically completes implementation and proposes to user.",
            "User approves implementations.",
            "Hop execution begins.",
            "Mission.current_hop_id is reset to null when a hop completes; with the final hop (is_final=true), mission and hop are completed simultaneously.",
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
        const BY: &[&[Actor]; 10] = &[
            &[Actor::Agent],
            &[Actor::User],
            &[Actor::User],
            &[Actor::Agent],
            &[Actor::User],
            &[Actor::User],
            &[Actor::Agent],
            &[Actor::User],
            &[Actor::User],
            &[Actor::System],
        ];
        BY[self as usize]
    }

    /// Who does the work that the transaction starts, where that is somebody else.
    pub const fn performer(self) -> Option<Actor> {
        const PERFORMERS: &[Option<Actor>; 10] = &[
            None,
            None,
            Some(Actor::Agent),
            None,
            None,
            Some(Actor::Agent),
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
        matches!(
            self, Transaction::ProposeMission | Transaction::RequestHopPlan |
            Transaction::CompleteHopExecution
        )
    }
}

/// Who triggers transactions, or does the work that they start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Actor {
    /// Proposes missions, creates hop plans, implements tool steps, completes planning/implementation work.
    Agent,
    /// Approves missions/plans/implementations, requests hop planning via button clicks, triggers execution.
    User,
    /// Handles completion events and coordinates mission/hop state updates.
    System,
}

impl Actor {
    /// Every actor, in the order of the spec.
    pub const ALL: [Actor; 3] = [Actor::Agent, Actor::User, Actor::System];

    /// The name by which the actor is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 3] = &["agent", "user", "system"];
        NAMES[self as usize]
    }

    /// What the spec says about the actor.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 3] = &[
            "Proposes missions, creates hop plans, implements tool steps, completes planning/implementation work",
            "Approves missions/plans/implementations, requests hop planning via button clicks, triggers execution",
            "Handles completion events and coordinates mission/hop state updates",
        ];
        TEXTS[self as usize]
    }
}

::statespec::named!(Actor, "actor");

#[cfg(feature = "serde")]
::statespec::named_serde!(Actor);

/// The parts that a transaction speaks of.
struct World<U: UnitOfWork> {
    mission: ::statespec::Slot<super::mission::Mission<U::Key>, U::Key>,
    hop: ::statespec::Slot<super::hop::Hop<U::Key>, U::Key>,
}

impl<U: UnitOfWork> World<U> {
    const fn empty() -> Self {
        World {
            mission: ::statespec::Slot::empty(),
            hop: ::statespec::Slot::empty(),
        }
    }
}

impl<U: UnitOfWork> Clone for World<U> {
    fn clone(&self) -> Self {
        World {
            mission: self.mission.clone(),
            hop: self.hop.clone(),
        }
    }
}

/// Saves what took part, and says when the store is written.
fn save<U: UnitOfWork>(
    unit: &mut U,
    world: &World<U>,
) -> Result<::statespec::Commit, U::Error> {
    if let Some((before, after)) = world.mission.changed() {
        unit.save_mission(before, after)?;
    }
    if let (Some((before, after)), Some(key)) = (world.hop.changed(), world.hop.key()) {
        unit.save_hop(key, before, after)?;
    }
    Ok(world.mission.order().min(world.hop.order()))
}
