//! Dispatch.
//!
//! Several instances of one part in one transaction.

::statespec::__emitted!(6);

/// The transaction `found`.
pub fn found<U: UnitOfWork>(unit: &mut U) -> Result<U::Key, Failure<U::Error>> {
    Transaction::Found
        .attempt(
            unit,
            |unit| {
                let crew_id = unit.new_crew().map_err(Failure::store)?;
                ::statespec::__private::transact(
                    unit,
                    |unit| World::empty().new_crew(crew_id).load_yard(unit),
                    |before, after, phase| {
                        before.yard()?;
                        let change = after
                            .create_crew(super::crew::Event::Found, phase)?;
                        after.follow_crew(&change, phase)
                    },
                    World::save,
                )?;
                Ok(crew_id)
            },
        )
}

/// The transaction `hire`.
pub fn hire<U: UnitOfWork>(
    unit: &mut U,
    crew_id: U::Key,
    load: i64,
) -> Result<U::Key, Failure<U::Error>> {
    Transaction::Hire
        .attempt(
            unit,
            |unit| {
                let hand_id = unit.new_hand().map_err(Failure::store)?;
                ::statespec::__private::transact(
                    unit,
                    |unit| {
                        World::empty()
                            .new_hand(unit, hand_id)?
                            .load_yard(unit)?
                            .load_crew(unit, crew_id)
                    },
                    |before, after, phase| {
                        before.crew()?;
                        let change = after
                            .create_hand(super::hand::Event::Hire { load }, phase)?;
                        after.follow_hand(&change, phase)
                    },
                    World::save,
                )?;
                Ok(hand_id)
            },
        )
}

/// The transaction `hire_two`.
///
/// The role `mate` is taken by a `hand`.
#[allow(clippy::type_complexity)]
pub fn hire_two<U: UnitOfWork>(
    unit: &mut U,
    crew_id: U::Key,
    load: i64,
) -> Result<(U::Key, U::Key), Failure<U::Error>> {
    Transaction::HireTwo
        .attempt(
            unit,
            |unit| {
                let hand_id = unit.new_hand().map_err(Failure::store)?;
                let mate_id = unit.new_hand().map_err(Failure::store)?;
                ::statespec::__private::transact(
                    unit,
                    |unit| {
                        World::empty()
                            .new_hand(unit, hand_id)?
                            .new_mate(unit, mate_id)?
                            .load_yard(unit)?
                            .load_crew(unit, crew_id)
                    },
                    |before, after, phase| {
                        if !::statespec::__private::distinct(
                            &[before.hand.key(), before.mate.key()],
                        ) {
                            return Err(Refused::Same(Part::Hand).into());
                        }
                        before.crew()?;
                        let hand_change = after
                            .create_hand(super::hand::Event::Hire { load }, phase)?;
                        let mate_change = after
                            .create_mate(
                                super::hand::Event::Hire {
                                    load: load.saturating_add(1),
                                },
                                phase,
                            )?;
                        after.follow_hand(&hand_change, phase)?;
                        after.follow_mate(&mate_change, phase)
                    },
                    World::save,
                )?;
                Ok((hand_id, mate_id))
            },
        )
}

/// The transaction `found_two`.
///
/// The role `second` is taken by a `crew`.
#[allow(clippy::type_complexity)]
pub fn found_two<U: UnitOfWork>(
    unit: &mut U,
) -> Result<(U::Key, U::Key), Failure<U::Error>> {
    Transaction::FoundTwo
        .attempt(
            unit,
            |unit| {
                let crew_id = unit.new_crew().map_err(Failure::store)?;
                let second_id = unit.new_crew().map_err(Failure::store)?;
                ::statespec::__private::transact(
                    unit,
                    |unit| {
                        World::empty()
                            .new_crew(crew_id)
                            .new_second(second_id)
                            .load_yard(unit)
                    },
                    |before, after, phase| {
                        if !::statespec::__private::distinct(
                            &[before.crew.key(), before.second.key()],
                        ) {
                            return Err(Refused::Same(Part::Crew).into());
                        }
                        before.yard()?;
                        let crew_change = after
                            .create_crew(super::crew::Event::Found, phase)?;
                        let second_change = after
                            .create_second(super::crew::Event::Found, phase)?;
                        after.follow_crew(&crew_change, phase)?;
                        after.follow_second(&second_change, phase)
                    },
                    World::save,
                )?;
                Ok((crew_id, second_id))
            },
        )
}

/// The transaction `take`.
pub fn take<U: UnitOfWork>(
    unit: &mut U,
    hand_id: U::Key,
    load: i64,
    held: Option<&str>,
) -> Result<(), Failure<U::Error>> {
    Transaction::Take
        .transact(
            unit,
            |unit| {
                World::empty()
                    .load_yard(unit)?
                    .load_hand(unit, hand_id)?
                    .load_crew_of_hand(unit)
            },
            |before, after, phase| {
                before.crew()?;
                before.hand()?;
                before.require(Rule::CrewIsOpenAndHandLoadBelowN5)?;
                let change = after
                    .fire_hand(
                        super::hand::Event::Take {
                            load,
                            held,
                        },
                        phase,
                    )?;
                after.follow_hand(&change, phase)
            },
        )
}

/// The transaction `give`.
pub fn give<U: UnitOfWork>(
    unit: &mut U,
    hand_id: U::Key,
) -> Result<(), Failure<U::Error>> {
    Transaction::Give
        .transact(
            unit,
            |unit| {
                World::empty()
                    .load_yard(unit)?
                    .load_hand(unit, hand_id)?
                    .load_crew_of_hand(unit)
            },
            |before, after, phase| {
                before.crew()?;
                before.hand()?;
                let change = after.fire_hand(super::hand::Event::Give, phase)?;
                after.follow_hand(&change, phase)
            },
        )
}

/// One hand gives what it holds to another, and a third one sees it.
///
/// Triggered by `foreman`.
///
/// The role `other` is taken by a `hand`.
///
/// The role `third` is taken by a `hand`.
pub fn hand_over<U: UnitOfWork>(
    unit: &mut U,
    hand_id: U::Key,
    other_id: U::Key,
    third_id: U::Key,
) -> Result<(), Failure<U::Error>> {
    Transaction::HandOver
        .transact(
            unit,
            |unit| {
                World::empty()
                    .load_yard(unit)?
                    .load_hand(unit, hand_id)?
                    .load_crew_of_hand(unit)?
                    .load_other(unit, other_id)?
                    .load_other_crew_of_other(unit)?
                    .load_third(unit, third_id)?
                    .load_third_crew_of_third(unit)
            },
            |before, after, phase| {
                if !::statespec::__private::distinct(
                    &[before.hand.key(), before.other.key(), before.third.key()],
                ) {
                    return Err(Refused::Same(Part::Hand).into());
                }
                before.crew()?;
                before.hand()?;
                before.other()?;
                before.other_crew()?;
                before.third()?;
                before.third_crew()?;
                before.require_crew_is_open_and_hand_load_below_n5_of_other()?;
                before.require(Rule::HandLoadAboveOtherLoadOrThirdLoadIsN0)?;
                let hand_change = after.fire_hand(super::hand::Event::Give, phase)?;
                let other_change = after
                    .fire_other(
                        super::hand::Event::Take {
                            load: before.hand()?.context().load,
                            held: before
                                .hand()?
                                .context()
                                .held
                                .as_ref()
                                .map(AsRef::<str>::as_ref),
                        },
                        phase,
                    )?;
                let third_change = after.fire_third(super::hand::Event::Note, phase)?;
                after.follow_hand(&hand_change, phase)?;
                after.follow_other(&other_change, phase)?;
                after.follow_third(&third_change, phase)
            },
        )
}

/// The transaction `praise`.
///
/// The role `newcomer` is taken by a `hand`.
///
/// The role `rival` is taken by a `crew`.
pub fn praise<U: UnitOfWork>(
    unit: &mut U,
    crew_id: U::Key,
    newcomer_id: U::Key,
    rival_id: U::Key,
) -> Result<(), Failure<U::Error>> {
    Transaction::Praise
        .transact(
            unit,
            |unit| {
                World::empty()
                    .load_yard(unit)?
                    .load_crew(unit, crew_id)?
                    .load_newcomer(unit, newcomer_id)?
                    .load_newcomer_crew_of_newcomer(unit)?
                    .load_rival(unit, rival_id)
            },
            |before, after, phase| {
                if !::statespec::__private::distinct(
                    &[before.crew.key(), before.rival.key()],
                ) {
                    return Err(Refused::Same(Part::Crew).into());
                }
                before.yard()?;
                before.crew()?;
                before.newcomer()?;
                before.newcomer_crew()?;
                before.rival()?;
                before.require_crew_is_open_and_hand_load_below_n5_of_newcomer()?;
                before.require(Rule::CrewNBusyIsNotRivalNBusy)?;
                let newcomer_change = after
                    .fire_newcomer(
                        super::hand::Event::Take {
                            load: 1,
                            held: None,
                        },
                        phase,
                    )?;
                let rival_change = after
                    .fire_rival(
                        super::crew::Event::Count {
                            n: before.newcomer()?.context().load.saturating_add(2),
                        },
                        phase,
                    )?;
                after.follow_newcomer(&newcomer_change, phase)?;
                after.follow_rival(&rival_change, phase)
            },
        )
}

/// The transaction `greet`.
///
/// The role `other` is taken by a `hand`.
pub fn greet<U: UnitOfWork>(
    unit: &mut U,
    hand_id: U::Key,
    other_id: U::Key,
) -> Result<(), Failure<U::Error>> {
    Transaction::Greet
        .transact(
            unit,
            |unit| {
                World::empty()
                    .load_yard(unit)?
                    .load_hand(unit, hand_id)?
                    .load_crew_of_hand(unit)?
                    .load_other(unit, other_id)?
                    .load_other_crew_of_other(unit)
            },
            |before, after, phase| {
                if !::statespec::__private::distinct(
                    &[before.hand.key(), before.other.key()],
                ) {
                    return Err(Refused::Same(Part::Hand).into());
                }
                before.hand()?;
                before.other()?;
                before.other_crew()?;
                before.require(Rule::HandCrewIdIsOtherCrewId)?;
                let change = after.fire_other(super::hand::Event::Note, phase)?;
                after.follow_other(&change, phase)
            },
        )
}

/// The transaction `compare`.
///
/// The role `rival` is taken by a `crew`.
pub fn compare<U: UnitOfWork>(
    unit: &mut U,
    hand_id: U::Key,
    rival_id: U::Key,
    n: i64,
) -> Result<(), Failure<U::Error>> {
    Transaction::Compare
        .transact(
            unit,
            |unit| {
                World::empty()
                    .load_yard(unit)?
                    .load_hand(unit, hand_id)?
                    .load_crew_of_hand(unit)?
                    .load_rival(unit, rival_id)
            },
            |before, after, phase| {
                if !::statespec::__private::distinct(
                    &[before.crew.key(), before.rival.key()],
                ) {
                    return Err(Refused::Same(Part::Crew).into());
                }
                before.yard()?;
                before.crew()?;
                before.hand()?;
                before.rival()?;
                before.require(Rule::CrewNBusyIsNotRivalNBusy)?;
                let rival_change = after
                    .fire_rival(
                        super::crew::Event::Count {
                            n: if n == 0 {
                                return Err(Refused::DivisionByZero.into())
                            } else {
                                ::statespec::__private::quotient(6i64, n)
                            },
                        },
                        phase,
                    )?;
                let hand_change = after.fire_hand(super::hand::Event::Note, phase)?;
                after.follow_rival(&rival_change, phase)?;
                after.follow_hand(&hand_change, phase)
            },
        )
}

/// The transaction `flip`.
pub fn flip<U: UnitOfWork>(
    unit: &mut U,
    crew_id: U::Key,
    badge_id: U::Key,
    n: i64,
) -> Result<(), Failure<U::Error>> {
    Transaction::Flip
        .transact(
            unit,
            |unit| {
                World::empty()
                    .load_yard(unit)?
                    .load_crew(unit, crew_id)?
                    .load_badge(unit, badge_id)
            },
            |before, after, phase| {
                before.crew()?;
                before.badge()?;
                let change = after.fire_badge(super::badge::Event::Flip { n }, phase)?;
                after.follow_badge(&change, phase)
            },
        )
}

/// The transaction `flip_both`.
///
/// The role `spare` is taken by a `badge`.
pub fn flip_both<U: UnitOfWork>(
    unit: &mut U,
    crew_id: U::Key,
    badge_id: U::Key,
    spare_id: U::Key,
) -> Result<(), Failure<U::Error>> {
    Transaction::FlipBoth
        .transact(
            unit,
            |unit| {
                World::empty()
                    .load_yard(unit)?
                    .load_crew(unit, crew_id)?
                    .load_badge(unit, badge_id)?
                    .load_spare(unit, spare_id)
            },
            |before, after, phase| {
                if !::statespec::__private::distinct(
                    &[before.badge.key(), before.spare.key()],
                ) {
                    return Err(Refused::Same(Part::Badge).into());
                }
                before.crew()?;
                before.badge()?;
                before.spare()?;
                let badge_change = after
                    .fire_badge(
                        super::badge::Event::Flip {
                            n: before.spare()?.context().n_flips,
                        },
                        phase,
                    )?;
                let spare_change = after
                    .fire_spare(
                        super::badge::Event::Flip {
                            n: before.badge()?.context().n_flips.saturating_add(1),
                        },
                        phase,
                    )?;
                after.follow_badge(&badge_change, phase)?;
                after.follow_spare(&spare_change, phase)
            },
        )
}

/// The transaction `calm`.
pub fn calm<U: UnitOfWork>(unit: &mut U) -> Result<(), Failure<U::Error>> {
    Transaction::Calm
        .transact(
            unit,
            |unit| World::empty().load_yard(unit),
            |_, after, phase| after.fire_yard(super::yard::Event::Calm, phase),
        )
}

/// Tries transactions out: each one loads and checks everything, performs no effect, and is rolled back.
///
/// It fails as it would fail now, so a refusal says why it is not enabled.
pub fn plan<'u, U: UnitOfWork, T>(
    unit: &'u mut U,
    transaction: impl FnOnce(&mut ::statespec::Planning<'u, U>) -> T,
) -> T {
    transaction(&mut ::statespec::Planning::new(unit))
}

/// The store of a `dispatch`, and the host of its effects, during one transaction.
pub trait UnitOfWork: ::statespec::Unit {
    /// The type of texts in contexts.
    type Text: Clone + AsRef<str> + for<'e> From<&'e str>;

    /// The actor that triggers the transactions; without one, none is refused for its actor.
    fn actor(&self) -> Option<Actor> {
        None
    }

    /// The key of the `yard`.
    fn yard_key(&mut self) -> Result<Self::Key, Self::Error>;

    /// Loads the `yard`.
    fn load_yard(&mut self) -> Result<Option<super::yard::Yard>, Self::Error>;

    /// Takes the `yard` after a change into the transaction; `before` is what was loaded, `None` where it is new. The commit says whether the store is written. A failure undoes the transaction.
    fn save_yard(
        &mut self,
        before: Option<&super::yard::Yard>,
        after: &super::yard::Yard,
    ) -> Result<(), Self::Error>;

    /// The key of a new `crew`: called once for each that is created.
    fn new_crew(&mut self) -> Result<Self::Key, Self::Error>;

    /// Loads a `crew`.
    fn load_crew(
        &mut self,
        key: Self::Key,
    ) -> Result<Option<super::crew::Crew<Self::Key>>, Self::Error>;

    /// Takes the `crew` after a change into the transaction; `before` is what was loaded, `None` where it is new. The commit says whether the store is written. A failure undoes the transaction.
    fn save_crew(
        &mut self,
        key: Self::Key,
        before: Option<&super::crew::Crew<Self::Key>>,
        after: &super::crew::Crew<Self::Key>,
    ) -> Result<(), Self::Error>;

    /// The `crew` after `after`, or the first one: any order will do that stays the same.
    ///
    /// Invariants check every one.
    #[allow(clippy::type_complexity)]
    fn next_crew(
        &mut self,
        after: Option<Self::Key>,
    ) -> Result<Option<(Self::Key, super::crew::Crew<Self::Key>)>, Self::Error>;

    /// Performs an effect of the `crew`; `effect.perform(host)` calls its method of a host.
    fn perform_crew(
        &mut self,
        key: Self::Key,
        effect: super::crew::Effect,
    ) -> Result<(), Self::Error>;

    /// The key of a new `hand`: called once for each that is created.
    fn new_hand(&mut self) -> Result<Self::Key, Self::Error>;

    /// Loads a `hand`.
    #[allow(clippy::type_complexity)]
    fn load_hand(
        &mut self,
        key: Self::Key,
    ) -> Result<Option<super::hand::Hand<Self::Text, Self::Key>>, Self::Error>;

    /// Takes the `hand` after a change into the transaction; `before` is what was loaded, `None` where it is new. The commit says whether the store is written. A failure undoes the transaction.
    fn save_hand(
        &mut self,
        key: Self::Key,
        before: Option<&super::hand::Hand<Self::Text, Self::Key>>,
        after: &super::hand::Hand<Self::Text, Self::Key>,
    ) -> Result<(), Self::Error>;

    /// The `hand` after `after`, or the first one: any order will do that stays the same.
    ///
    /// Invariants check every one.
    #[allow(clippy::type_complexity)]
    fn next_hand(
        &mut self,
        after: Option<Self::Key>,
    ) -> Result<
        Option<(Self::Key, super::hand::Hand<Self::Text, Self::Key>)>,
        Self::Error,
    >;

    /// Performs an effect of the `hand`; `effect.perform(host)` calls its method of a host.
    fn perform_hand(
        &mut self,
        key: Self::Key,
        effect: super::hand::Effect,
    ) -> Result<(), Self::Error>;

    /// The type that answers the predicates of the `hand`.
    type HandPredicates: super::hand::Predicates<Self::Text, Self::Key> + Clone;

    /// The predicates of the `hand` in this transaction: the same answers throughout.
    fn hand_predicates(&mut self) -> Result<Self::HandPredicates, Self::Error>;

    /// Loads a `badge`.
    fn load_badge(
        &mut self,
        key: Self::Key,
    ) -> Result<Option<super::badge::Badge<Self::Key>>, Self::Error>;

    /// Takes the `badge` after a change into the transaction; `before` is what was loaded, `None` where it is new. The commit says whether the store is written. A failure undoes the transaction.
    fn save_badge(
        &mut self,
        key: Self::Key,
        before: Option<&super::badge::Badge<Self::Key>>,
        after: &super::badge::Badge<Self::Key>,
    ) -> Result<(), Self::Error>;
}

impl<U: UnitOfWork> UnitOfWork for ::statespec::Planning<'_, U> {
    type Text = U::Text;

    fn actor(&self) -> Option<Actor> {
        self.unit().actor()
    }

    fn yard_key(&mut self) -> Result<Self::Key, Self::Error> {
        self.unit_mut().yard_key()
    }

    fn load_yard(&mut self) -> Result<Option<super::yard::Yard>, Self::Error> {
        self.unit_mut().load_yard()
    }

    fn save_yard(
        &mut self,
        before: Option<&super::yard::Yard>,
        after: &super::yard::Yard,
    ) -> Result<(), Self::Error> {
        self.unit_mut().save_yard(before, after)
    }

    fn new_crew(&mut self) -> Result<Self::Key, Self::Error> {
        self.unit_mut().new_crew()
    }

    fn load_crew(
        &mut self,
        key: Self::Key,
    ) -> Result<Option<super::crew::Crew<Self::Key>>, Self::Error> {
        self.unit_mut().load_crew(key)
    }

    fn save_crew(
        &mut self,
        key: Self::Key,
        before: Option<&super::crew::Crew<Self::Key>>,
        after: &super::crew::Crew<Self::Key>,
    ) -> Result<(), Self::Error> {
        self.unit_mut().save_crew(key, before, after)
    }

    fn next_crew(
        &mut self,
        after: Option<Self::Key>,
    ) -> Result<Option<(Self::Key, super::crew::Crew<Self::Key>)>, Self::Error> {
        self.unit_mut().next_crew(after)
    }

    fn perform_crew(
        &mut self,
        _key: Self::Key,
        _effect: super::crew::Effect,
    ) -> Result<(), Self::Error> {
        Ok(())
    }

    fn new_hand(&mut self) -> Result<Self::Key, Self::Error> {
        self.unit_mut().new_hand()
    }

    fn load_hand(
        &mut self,
        key: Self::Key,
    ) -> Result<Option<super::hand::Hand<Self::Text, Self::Key>>, Self::Error> {
        self.unit_mut().load_hand(key)
    }

    fn save_hand(
        &mut self,
        key: Self::Key,
        before: Option<&super::hand::Hand<Self::Text, Self::Key>>,
        after: &super::hand::Hand<Self::Text, Self::Key>,
    ) -> Result<(), Self::Error> {
        self.unit_mut().save_hand(key, before, after)
    }

    fn next_hand(
        &mut self,
        after: Option<Self::Key>,
    ) -> Result<
        Option<(Self::Key, super::hand::Hand<Self::Text, Self::Key>)>,
        Self::Error,
    > {
        self.unit_mut().next_hand(after)
    }

    fn perform_hand(
        &mut self,
        _key: Self::Key,
        _effect: super::hand::Effect,
    ) -> Result<(), Self::Error> {
        Ok(())
    }

    type HandPredicates = U::HandPredicates;

    fn hand_predicates(&mut self) -> Result<Self::HandPredicates, Self::Error> {
        self.unit_mut().hand_predicates()
    }

    fn load_badge(
        &mut self,
        key: Self::Key,
    ) -> Result<Option<super::badge::Badge<Self::Key>>, Self::Error> {
        self.unit_mut().load_badge(key)
    }

    fn save_badge(
        &mut self,
        key: Self::Key,
        before: Option<&super::badge::Badge<Self::Key>>,
        after: &super::badge::Badge<Self::Key>,
    ) -> Result<(), Self::Error> {
        self.unit_mut().save_badge(key, before, after)
    }
}

/// Why a transaction was refused; everything is as it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    /// The actor may not trigger the transaction.
    Actor(Transaction),
    /// A part that the transaction needs is not there.
    Missing(Part),
    /// An instance of the part takes two roles.
    Same(Part),
    /// A rule does not hold.
    Rule(Rule),
    /// An invariant would not hold afterwards.
    Invariant(Invariant),
    /// A value of a payload, or the condition of a link, divides by zero.
    DivisionByZero,
    /// The machine of `yard` refused its event.
    Yard(super::yard::Refused),
    /// The machine of `crew` refused its event.
    Crew(super::crew::Refused),
    /// The machine of `hand` refused its event.
    Hand(super::hand::Refused),
    /// The machine of `badge` refused its event.
    Badge(super::badge::Refused),
}

impl Refused {
    /// The kind of the refusal in one word, for metrics.
    pub fn reason(&self) -> &'static str {
        match self {
            Refused::Actor(_) => "actor",
            Refused::Missing(_) => "missing",
            Refused::Same(_) => "same",
            Refused::Rule(_) => "rule",
            Refused::Invariant(_) => "invariant",
            Refused::DivisionByZero => "division_by_zero",
            Refused::Yard(refused) => refused.reason().name(),
            Refused::Crew(refused) => refused.reason().name(),
            Refused::Hand(refused) => refused.reason().name(),
            Refused::Badge(refused) => refused.reason().name(),
        }
    }
}

impl ::core::fmt::Display for Refused {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        match self {
            Refused::Actor(transaction) => {
                ::statespec::__private::write_actors(f, transaction.by())?;
                ::core::write!(f, " may trigger `{}`", transaction.name())
            }
            Refused::Missing(part) => ::core::write!(f, "there is no {}", part.name()),
            Refused::Same(part) => {
                ::core::write!(f, "the same {} takes two roles", part.name())
            }
            Refused::Rule(rule) => f.write_str(rule.doc()),
            Refused::Invariant(invariant) => f.write_str(invariant.doc()),
            Refused::DivisionByZero => f.write_str("a divisor is zero"),
            Refused::Yard(refused) => ::core::fmt::Display::fmt(refused, f),
            Refused::Crew(refused) => ::core::fmt::Display::fmt(refused, f),
            Refused::Hand(refused) => ::core::fmt::Display::fmt(refused, f),
            Refused::Badge(refused) => ::core::fmt::Display::fmt(refused, f),
        }
    }
}

impl ::core::error::Error for Refused {}

/// Why a transaction stopped; `X` is the error of the unit of work.
pub type Failure<X> = ::statespec::Failure<Refused, X>;

/// The rules: conditions on raising events, read before the transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// The crew takes no more.
    CrewIsOpenAndHandLoadBelowN5,
    /// The other one has less to do.
    HandLoadAboveOtherLoadOrThirdLoadIsN0,
    /// They must be in one crew.
    HandCrewIdIsOtherCrewId,
    /// The crews are alike.
    CrewNBusyIsNotRivalNBusy,
}

::statespec::__unit_enum!(
    pub Rule, "rule", 4,
    [CrewIsOpenAndHandLoadBelowN5("crew_is_open_and_hand_load_below_n5"),
    HandLoadAboveOtherLoadOrThirdLoadIsN0("hand_load_above_other_load_or_third_load_is_n0"),
    HandCrewIdIsOtherCrewId("hand_crew_id_is_other_crew_id"),
    CrewNBusyIsNotRivalNBusy("crew_n_busy_is_not_rival_n_busy")], serde
);

impl Rule {
    /// The description of the rule in the spec.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 4] = &[
            "The crew takes no more",
            "The other one has less to do",
            "They must be in one crew",
            "The crews are alike",
        ];
        TEXTS[self as usize]
    }
}

/// The invariants: conditions that hold after every transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Invariant {
    /// No hand holds too much.
    HandLoadAtMostN7OrHandIsIdle,
    /// A crew has three hands at most.
    CrewNBusyAtLeastN0AndCrewNBusyAtMostN3,
}

::statespec::__unit_enum!(
    pub Invariant, "invariant", 2,
    [HandLoadAtMostN7OrHandIsIdle("hand_load_at_most_n7_or_hand_is_idle"),
    CrewNBusyAtLeastN0AndCrewNBusyAtMostN3("crew_n_busy_at_least_n0_and_crew_n_busy_at_most_n3")],
    serde
);

impl Invariant {
    /// The description of the invariant in the spec.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 2] = &[
            "No hand holds too much",
            "A crew has three hands at most",
        ];
        TEXTS[self as usize]
    }
}

/// Checks all invariants; transactions check those that they may break.
pub fn check_invariants<U: UnitOfWork>(unit: &mut U) -> Result<(), Failure<U::Error>> {
    Invariant::ALL.into_iter().try_for_each(|it| it.check(unit))
}

impl Invariant {
    /// Returns an error if the invariant does not hold.
    fn check<U: UnitOfWork>(self, unit: &mut U) -> Result<(), Failure<U::Error>> {
        let holds = match self {
            Invariant::HandLoadAtMostN7OrHandIsIdle => {
                check_hand_load_at_most_n7_or_hand_is_idle(unit)
            }
            Invariant::CrewNBusyAtLeastN0AndCrewNBusyAtMostN3 => {
                check_crew_n_busy_at_least_n0_and_crew_n_busy_at_most_n3(unit)
            }
        };
        if holds.map_err(Failure::store)? {
            Ok(())
        } else {
            Err(Refused::Invariant(self).into())
        }
    }
}

/// No hand holds too much.
#[allow(clippy::nonminimal_bool, clippy::overly_complex_bool_expr)]
fn check_hand_load_at_most_n7_or_hand_is_idle<U: UnitOfWork>(
    unit: &mut U,
) -> Result<bool, U::Error> {
    let mut after = None;
    while let Some((hand_id, hand)) = unit.next_hand(after)? {
        after = Some(hand_id);
        let holds = hand.context().load <= 7 || hand.state() == super::hand::State::Idle;
        if !holds {
            return Ok(false);
        }
    }
    Ok(true)
}

/// A crew has three hands at most.
#[allow(clippy::nonminimal_bool, clippy::overly_complex_bool_expr)]
fn check_crew_n_busy_at_least_n0_and_crew_n_busy_at_most_n3<U: UnitOfWork>(
    unit: &mut U,
) -> Result<bool, U::Error> {
    let mut after = None;
    while let Some((crew_id, crew)) = unit.next_crew(after)? {
        after = Some(crew_id);
        let holds = crew.context().n_busy >= 0 && crew.context().n_busy <= 3;
        if !holds {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The parts: machines in a role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// The part `yard`.
    Yard,
    /// The part `crew`.
    Crew,
    /// The part `hand`.
    Hand,
    /// The part `badge`.
    Badge,
}

::statespec::__unit_enum!(
    pub Part, "part", 4, [Yard("yard"), Crew("crew"), Hand("hand"), Badge("badge")],
    serde
);

impl Part {
    /// The name of the part that a person reads.
    pub const fn label(self) -> &'static str {
        const TEXTS: &[&str; 4] = &["Yard", "Crew", "Hand", "Badge"];
        TEXTS[self as usize]
    }
}

/// The transactions of the system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Transaction {
    /// The transaction `found`.
    Found,
    /// The transaction `hire`.
    Hire,
    /// The transaction `hire_two`.
    ///
    /// The role `mate` is taken by a `hand`.
    HireTwo,
    /// The transaction `found_two`.
    ///
    /// The role `second` is taken by a `crew`.
    FoundTwo,
    /// The transaction `take`.
    Take,
    /// The transaction `give`.
    Give,
    /// One hand gives what it holds to another, and a third one sees it.
    ///
    /// Triggered by `foreman`.
    ///
    /// The role `other` is taken by a `hand`.
    ///
    /// The role `third` is taken by a `hand`.
    HandOver,
    /// The transaction `praise`.
    ///
    /// The role `newcomer` is taken by a `hand`.
    ///
    /// The role `rival` is taken by a `crew`.
    Praise,
    /// The transaction `greet`.
    ///
    /// The role `other` is taken by a `hand`.
    Greet,
    /// The transaction `compare`.
    ///
    /// The role `rival` is taken by a `crew`.
    Compare,
    /// The transaction `flip`.
    Flip,
    /// The transaction `flip_both`.
    ///
    /// The role `spare` is taken by a `badge`.
    FlipBoth,
    /// The transaction `calm`.
    Calm,
}

::statespec::__unit_enum!(
    pub Transaction, "transaction", 13, [Found("found"), Hire("hire"),
    HireTwo("hire_two"), FoundTwo("found_two"), Take("take"), Give("give"),
    HandOver("hand_over"), Praise("praise"), Greet("greet"), Compare("compare"),
    Flip("flip"), FlipBoth("flip_both"), Calm("calm")], serde
);

impl Transaction {
    /// The description of the transaction in the spec.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 13] = &[
            "",
            "",
            "",
            "",
            "",
            "",
            "One hand gives what it holds to another, and a third one sees it",
            "",
            "",
            "",
            "",
            "",
            "",
        ];
        TEXTS[self as usize]
    }
}

impl Transaction {
    /// Runs the transaction: loads, plans, and saves what changed.
    fn transact<U: UnitOfWork>(
        self,
        unit: &mut U,
        load: impl FnOnce(&mut U) -> Result<World<U>, U::Error>,
        plan: impl Fn(
            &World<U>,
            &mut World<U>,
            &mut ::statespec::__private::Phase<'_, U>,
        ) -> Result<(), Failure<U::Error>>,
    ) -> Result<(), Failure<U::Error>> {
        self.attempt(
            unit,
            |unit| ::statespec::__private::transact(unit, load, plan, World::save),
        )
    }

    /// Runs the transaction, unless its actor may not, and shows the attempt to the unit of work.
    fn attempt<U: UnitOfWork, T>(
        self,
        unit: &mut U,
        run: impl FnOnce(&mut U) -> Result<T, Failure<U::Error>>,
    ) -> Result<T, Failure<U::Error>> {
        let result = match self.require(unit.actor()) {
            Ok(()) => run(unit),
            Err(refused) => Err(refused.into()),
        };
        let actor = unit.actor().map(Actor::name);
        unit.observe_transaction(
            &::statespec::Transacted::new(
                "dispatch",
                self.name(),
                actor,
                &result,
                Refused::reason,
            ),
        );
        result
    }

    /// The actors that may trigger the transaction; any actor when empty.
    pub const fn by(self) -> &'static [Actor] {
        const BY: &[&[Actor]; 13] = &[
            &[],
            &[],
            &[],
            &[],
            &[],
            &[],
            &[Actor::Foreman],
            &[],
            &[],
            &[],
            &[],
            &[],
            &[],
        ];
        BY[self as usize]
    }

    /// The actor that carries out the work, if not the one that runs the transaction.
    pub const fn performer(self) -> Option<Actor> {
        None
    }

    /// Whether this actor may trigger the transaction.
    pub fn may_be_triggered_by(self, actor: Actor) -> bool {
        self.by().is_empty() || self.by().contains(&actor)
    }

    /// Refuses an actor that may not trigger the transaction.
    fn require(self, actor: Option<Actor>) -> Result<(), Refused> {
        match actor {
            Some(actor) if !self.may_be_triggered_by(actor) => Err(Refused::Actor(self)),
            _ => Ok(()),
        }
    }

    /// Whether the spec asks for one database transaction.
    pub const fn is_atomic(self) -> bool {
        matches!(
            self,
            Transaction::FoundTwo | Transaction::HandOver | Transaction::Praise
        )
    }
}

/// The actors that trigger transactions, or do the work that transactions start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Actor {
    /// Hands work over.
    Foreman,
}

::statespec::__unit_enum!(pub Actor, "actor", 1, [Foreman("foreman")], serde);

impl Actor {
    /// The description of the actor in the spec.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 1] = &["Hands work over."];
        TEXTS[self as usize]
    }
}

/// The parts as a transaction sees them.
struct World<U: UnitOfWork> {
    yard: ::statespec::__private::Slot<super::yard::Yard, U::Key>,
    crew: ::statespec::__private::Slot<super::crew::Crew<U::Key>, U::Key>,
    hand: ::statespec::__private::Slot<super::hand::Hand<U::Text, U::Key>, U::Key>,
    badge: ::statespec::__private::Slot<super::badge::Badge<U::Key>, U::Key>,
    mate: ::statespec::__private::Slot<super::hand::Hand<U::Text, U::Key>, U::Key>,
    second: ::statespec::__private::Slot<super::crew::Crew<U::Key>, U::Key>,
    other: ::statespec::__private::Slot<super::hand::Hand<U::Text, U::Key>, U::Key>,
    other_crew: ::statespec::__private::Slot<super::crew::Crew<U::Key>, U::Key>,
    third: ::statespec::__private::Slot<super::hand::Hand<U::Text, U::Key>, U::Key>,
    third_crew: ::statespec::__private::Slot<super::crew::Crew<U::Key>, U::Key>,
    newcomer: ::statespec::__private::Slot<super::hand::Hand<U::Text, U::Key>, U::Key>,
    newcomer_crew: ::statespec::__private::Slot<super::crew::Crew<U::Key>, U::Key>,
    rival: ::statespec::__private::Slot<super::crew::Crew<U::Key>, U::Key>,
    spare: ::statespec::__private::Slot<super::badge::Badge<U::Key>, U::Key>,
    hand_predicates: Option<U::HandPredicates>,
    mate_predicates: Option<U::HandPredicates>,
    other_predicates: Option<U::HandPredicates>,
    third_predicates: Option<U::HandPredicates>,
    newcomer_predicates: Option<U::HandPredicates>,
}

impl<U: UnitOfWork> World<U> {
    /// Nothing is loaded.
    const fn empty() -> Self {
        World {
            yard: ::statespec::__private::Slot::empty(),
            crew: ::statespec::__private::Slot::empty(),
            hand: ::statespec::__private::Slot::empty(),
            badge: ::statespec::__private::Slot::empty(),
            mate: ::statespec::__private::Slot::empty(),
            second: ::statespec::__private::Slot::empty(),
            other: ::statespec::__private::Slot::empty(),
            other_crew: ::statespec::__private::Slot::empty(),
            third: ::statespec::__private::Slot::empty(),
            third_crew: ::statespec::__private::Slot::empty(),
            newcomer: ::statespec::__private::Slot::empty(),
            newcomer_crew: ::statespec::__private::Slot::empty(),
            rival: ::statespec::__private::Slot::empty(),
            spare: ::statespec::__private::Slot::empty(),
            hand_predicates: None,
            mate_predicates: None,
            other_predicates: None,
            third_predicates: None,
            newcomer_predicates: None,
        }
    }

    /// Loads the `yard`.
    fn load_yard(mut self, unit: &mut U) -> Result<Self, U::Error> {
        self.yard = ::statespec::__private::Slot::found_or(
            Some(unit.yard_key()?),
            unit.load_yard()?,
            super::yard::Yard::new,
        );
        Ok(self)
    }

    /// Loads the `crew`.
    fn load_crew(mut self, unit: &mut U, key: U::Key) -> Result<Self, U::Error> {
        self.crew = ::statespec::__private::Slot::new(Some(key), unit.load_crew(key)?);
        Ok(self)
    }

    /// Loads the `crew` that the `hand` belongs to.
    fn load_crew_of_hand(mut self, unit: &mut U) -> Result<Self, U::Error> {
        if let Some(key) = self.hand.now().and_then(|it| it.context().crew_id) {
            self.crew = ::statespec::__private::Slot::new(
                Some(key),
                unit.load_crew(key)?,
            );
        }
        Ok(self)
    }

    /// Makes place for a new `crew`.
    fn new_crew(mut self, key: U::Key) -> Self {
        self.crew = ::statespec::__private::Slot::new(Some(key), None);
        self
    }

    /// Loads the `hand`.
    fn load_hand(mut self, unit: &mut U, key: U::Key) -> Result<Self, U::Error> {
        self.hand = ::statespec::__private::Slot::new(Some(key), unit.load_hand(key)?);
        self.hand_predicates = Some(unit.hand_predicates()?);
        Ok(self)
    }

    /// Makes place for a new `hand`.
    fn new_hand(mut self, unit: &mut U, key: U::Key) -> Result<Self, U::Error> {
        self.hand = ::statespec::__private::Slot::new(Some(key), None);
        self.hand_predicates = Some(unit.hand_predicates()?);
        Ok(self)
    }

    /// Loads the `badge`.
    fn load_badge(mut self, unit: &mut U, key: U::Key) -> Result<Self, U::Error> {
        self.badge = ::statespec::__private::Slot::owned_or(
            Some(key),
            unit.load_badge(key)?,
            |it| it.context().crew_id == self.crew.key(),
            || super::badge::Badge::restore(
                super::badge::State::INITIAL,
                super::badge::Context {
                    crew_id: self.crew.key(),
                    ..Default::default()
                },
            ),
        );
        Ok(self)
    }

    /// Makes place for a new `mate`.
    fn new_mate(mut self, unit: &mut U, key: U::Key) -> Result<Self, U::Error> {
        self.mate = ::statespec::__private::Slot::new(Some(key), None);
        self.mate_predicates = Some(unit.hand_predicates()?);
        Ok(self)
    }

    /// Makes place for a new `second`.
    fn new_second(mut self, key: U::Key) -> Self {
        self.second = ::statespec::__private::Slot::new(Some(key), None);
        self
    }

    /// Loads the `other`.
    fn load_other(mut self, unit: &mut U, key: U::Key) -> Result<Self, U::Error> {
        self.other = ::statespec::__private::Slot::new(Some(key), unit.load_hand(key)?);
        self.other_predicates = Some(unit.hand_predicates()?);
        Ok(self)
    }

    /// Loads the `other.crew` that the `other` belongs to.
    fn load_other_crew_of_other(mut self, unit: &mut U) -> Result<Self, U::Error> {
        if let Some(key) = self.other.now().and_then(|it| it.context().crew_id) {
            self.other_crew = ::statespec::__private::Slot::new(
                Some(key),
                unit.load_crew(key)?,
            );
        }
        Ok(self)
    }

    /// Loads the `third`.
    fn load_third(mut self, unit: &mut U, key: U::Key) -> Result<Self, U::Error> {
        self.third = ::statespec::__private::Slot::new(Some(key), unit.load_hand(key)?);
        self.third_predicates = Some(unit.hand_predicates()?);
        Ok(self)
    }

    /// Loads the `third.crew` that the `third` belongs to.
    fn load_third_crew_of_third(mut self, unit: &mut U) -> Result<Self, U::Error> {
        if let Some(key) = self.third.now().and_then(|it| it.context().crew_id) {
            self.third_crew = ::statespec::__private::Slot::new(
                Some(key),
                unit.load_crew(key)?,
            );
        }
        Ok(self)
    }

    /// Loads the `newcomer`.
    fn load_newcomer(mut self, unit: &mut U, key: U::Key) -> Result<Self, U::Error> {
        self.newcomer = ::statespec::__private::Slot::new(
            Some(key),
            unit.load_hand(key)?,
        );
        self.newcomer_predicates = Some(unit.hand_predicates()?);
        Ok(self)
    }

    /// Loads the `newcomer.crew` that the `newcomer` belongs to.
    fn load_newcomer_crew_of_newcomer(mut self, unit: &mut U) -> Result<Self, U::Error> {
        if let Some(key) = self.newcomer.now().and_then(|it| it.context().crew_id) {
            self.newcomer_crew = ::statespec::__private::Slot::new(
                Some(key),
                unit.load_crew(key)?,
            );
        }
        Ok(self)
    }

    /// Loads the `rival`.
    fn load_rival(mut self, unit: &mut U, key: U::Key) -> Result<Self, U::Error> {
        self.rival = ::statespec::__private::Slot::new(Some(key), unit.load_crew(key)?);
        Ok(self)
    }

    /// Loads the `spare`.
    fn load_spare(mut self, unit: &mut U, key: U::Key) -> Result<Self, U::Error> {
        self.spare = ::statespec::__private::Slot::owned_or(
            Some(key),
            unit.load_badge(key)?,
            |it| it.context().crew_id == self.crew.key(),
            || super::badge::Badge::restore(
                super::badge::State::INITIAL,
                super::badge::Context {
                    crew_id: self.crew.key(),
                    ..Default::default()
                },
            ),
        );
        Ok(self)
    }

    /// The `yard`, which must be there.
    fn yard(&self) -> Result<&super::yard::Yard, Refused> {
        self.yard.now().ok_or(Refused::Missing(Part::Yard))
    }

    /// The `crew`, which must be there.
    fn crew(&self) -> Result<&super::crew::Crew<U::Key>, Refused> {
        self.crew.now().ok_or(Refused::Missing(Part::Crew))
    }

    /// The key of the `crew`.
    fn crew_id(&self) -> Result<U::Key, Refused> {
        self.crew.key().ok_or(Refused::Missing(Part::Crew))
    }

    /// The `hand`, which must be there.
    fn hand(&self) -> Result<&super::hand::Hand<U::Text, U::Key>, Refused> {
        self.hand.now().ok_or(Refused::Missing(Part::Hand))
    }

    /// The key of the `hand`.
    fn hand_id(&self) -> Result<U::Key, Refused> {
        self.hand.key().ok_or(Refused::Missing(Part::Hand))
    }

    /// The `badge`, which must be there.
    fn badge(&self) -> Result<&super::badge::Badge<U::Key>, Refused> {
        self.badge.now().ok_or(Refused::Missing(Part::Badge))
    }

    /// The key of the `mate`.
    fn mate_id(&self) -> Result<U::Key, Refused> {
        self.mate.key().ok_or(Refused::Missing(Part::Hand))
    }

    /// The key of the `second`.
    fn second_id(&self) -> Result<U::Key, Refused> {
        self.second.key().ok_or(Refused::Missing(Part::Crew))
    }

    /// The `other`, which must be there.
    fn other(&self) -> Result<&super::hand::Hand<U::Text, U::Key>, Refused> {
        self.other.now().ok_or(Refused::Missing(Part::Hand))
    }

    /// The key of the `other`.
    fn other_id(&self) -> Result<U::Key, Refused> {
        self.other.key().ok_or(Refused::Missing(Part::Hand))
    }

    /// The `other.crew`, which must be there.
    fn other_crew(&self) -> Result<&super::crew::Crew<U::Key>, Refused> {
        (if self.crew.is(&self.other_crew) {
            &self.crew
        } else if self.second.is(&self.other_crew) {
            &self.second
        } else if self.rival.is(&self.other_crew) {
            &self.rival
        } else {
            &self.other_crew
        })
            .now()
            .ok_or(Refused::Missing(Part::Crew))
    }

    /// The key of the `other.crew`.
    fn other_crew_id(&self) -> Result<U::Key, Refused> {
        self.other_crew.key().ok_or(Refused::Missing(Part::Crew))
    }

    /// The `third`, which must be there.
    fn third(&self) -> Result<&super::hand::Hand<U::Text, U::Key>, Refused> {
        self.third.now().ok_or(Refused::Missing(Part::Hand))
    }

    /// The key of the `third`.
    fn third_id(&self) -> Result<U::Key, Refused> {
        self.third.key().ok_or(Refused::Missing(Part::Hand))
    }

    /// The `third.crew`, which must be there.
    fn third_crew(&self) -> Result<&super::crew::Crew<U::Key>, Refused> {
        (if self.crew.is(&self.third_crew) {
            &self.crew
        } else if self.second.is(&self.third_crew) {
            &self.second
        } else if self.rival.is(&self.third_crew) {
            &self.rival
        } else if self.other_crew.is(&self.third_crew) {
            &self.other_crew
        } else {
            &self.third_crew
        })
            .now()
            .ok_or(Refused::Missing(Part::Crew))
    }

    /// The key of the `third.crew`.
    fn third_crew_id(&self) -> Result<U::Key, Refused> {
        self.third_crew.key().ok_or(Refused::Missing(Part::Crew))
    }

    /// The `newcomer`, which must be there.
    fn newcomer(&self) -> Result<&super::hand::Hand<U::Text, U::Key>, Refused> {
        self.newcomer.now().ok_or(Refused::Missing(Part::Hand))
    }

    /// The key of the `newcomer`.
    fn newcomer_id(&self) -> Result<U::Key, Refused> {
        self.newcomer.key().ok_or(Refused::Missing(Part::Hand))
    }

    /// The `newcomer.crew`, which must be there.
    fn newcomer_crew(&self) -> Result<&super::crew::Crew<U::Key>, Refused> {
        (if self.crew.is(&self.newcomer_crew) {
            &self.crew
        } else if self.second.is(&self.newcomer_crew) {
            &self.second
        } else if self.rival.is(&self.newcomer_crew) {
            &self.rival
        } else if self.other_crew.is(&self.newcomer_crew) {
            &self.other_crew
        } else if self.third_crew.is(&self.newcomer_crew) {
            &self.third_crew
        } else {
            &self.newcomer_crew
        })
            .now()
            .ok_or(Refused::Missing(Part::Crew))
    }

    /// The key of the `newcomer.crew`.
    fn newcomer_crew_id(&self) -> Result<U::Key, Refused> {
        self.newcomer_crew.key().ok_or(Refused::Missing(Part::Crew))
    }

    /// The `rival`, which must be there.
    fn rival(&self) -> Result<&super::crew::Crew<U::Key>, Refused> {
        self.rival.now().ok_or(Refused::Missing(Part::Crew))
    }

    /// The key of the `rival`.
    fn rival_id(&self) -> Result<U::Key, Refused> {
        self.rival.key().ok_or(Refused::Missing(Part::Crew))
    }

    /// The `spare`, which must be there.
    fn spare(&self) -> Result<&super::badge::Badge<U::Key>, Refused> {
        self.spare.now().ok_or(Refused::Missing(Part::Badge))
    }

    /// Returns an error if the rule does not hold.
    #[allow(clippy::nonminimal_bool, clippy::overly_complex_bool_expr)]
    fn require(&self, rule: Rule) -> Result<(), Refused> {
        let holds = match rule {
            Rule::CrewIsOpenAndHandLoadBelowN5 => {
                self.crew()?.state() == super::crew::State::Open
                    && self.hand()?.context().load < 5
            }
            Rule::HandLoadAboveOtherLoadOrThirdLoadIsN0 => {
                self.hand()?.context().load > self.other()?.context().load
                    || self.third()?.context().load == 0
            }
            Rule::HandCrewIdIsOtherCrewId => {
                self.hand()?.context().crew_id == self.other()?.context().crew_id
            }
            Rule::CrewNBusyIsNotRivalNBusy => {
                self.crew()?.context().n_busy != self.rival()?.context().n_busy
            }
        };
        if holds { Ok(()) } else { Err(Refused::Rule(rule)) }
    }

    /// Returns an error if the rule does not hold for the `other`.
    #[allow(clippy::nonminimal_bool, clippy::overly_complex_bool_expr)]
    fn require_crew_is_open_and_hand_load_below_n5_of_other(
        &self,
    ) -> Result<(), Refused> {
        let holds = self.other_crew()?.state() == super::crew::State::Open
            && self.other()?.context().load < 5;
        if holds {
            Ok(())
        } else {
            Err(Refused::Rule(Rule::CrewIsOpenAndHandLoadBelowN5))
        }
    }

    /// Returns an error if the rule does not hold for the `newcomer`.
    #[allow(clippy::nonminimal_bool, clippy::overly_complex_bool_expr)]
    fn require_crew_is_open_and_hand_load_below_n5_of_newcomer(
        &self,
    ) -> Result<(), Refused> {
        let holds = self.newcomer_crew()?.state() == super::crew::State::Open
            && self.newcomer()?.context().load < 5;
        if holds {
            Ok(())
        } else {
            Err(Refused::Rule(Rule::CrewIsOpenAndHandLoadBelowN5))
        }
    }

    /// Raises an event in the `yard`.
    fn fire_yard(
        &mut self,
        event: super::yard::Event,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<(), Failure<U::Error>> {
        let mut next = Clone::clone(self.yard()?);
        let change = next.apply(event).map_err(Refused::Yard)?;
        phase.end(event.kind(), &change, |_, effect, _| match effect {})?;
        self.yard.put(next, change.commit());
        Ok(())
    }

    /// Raises an event in the `crew`.
    fn fire_crew(
        &mut self,
        event: super::crew::Event,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<super::crew::Change, Failure<U::Error>> {
        let mut next = Clone::clone(self.crew()?);
        let change = next.apply(event).map_err(Refused::Crew)?;
        let key = self.crew_id()?;
        phase
            .end(
                event.kind(),
                &change,
                |unit, effect, step| {
                    ::statespec::Effects::effect(&next, effect, step, Some(&event))
                        .map_or(Ok(()), |it| unit.perform_crew(key, it))
                },
            )?;
        self.crew.put(next, change.commit());
        Ok(change)
    }

    /// Creates a `crew`.
    fn create_crew(
        &mut self,
        event: super::crew::Event,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<super::crew::Change, Failure<U::Error>> {
        let (next, change) = super::crew::Crew::create_with(
                super::crew::Context {
                    yard_id: self.yard.key(),
                    ..Default::default()
                },
                event,
            )
            .map_err(Refused::Crew)?;
        let key = self.crew_id()?;
        phase
            .end(
                event.kind(),
                &change,
                |unit, effect, step| {
                    ::statespec::Effects::effect(&next, effect, step, Some(&event))
                        .map_or(Ok(()), |it| unit.perform_crew(key, it))
                },
            )?;
        self.crew.put(next, change.commit());
        Ok(change)
    }

    /// Raises the events of the links that watch the `crew`.
    fn follow_crew(
        &mut self,
        change: &super::crew::Change,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<(), Failure<U::Error>> {
        for step in change.steps() {
            if step.enters(super::crew::State::Full) {
                self.enter_crew_full_fires_yard_fill(phase)?;
            }
        }
        Ok(())
    }

    /// Raises an event in the `hand`.
    fn fire_hand(
        &mut self,
        event: super::hand::Event<&str>,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<super::hand::Change, Failure<U::Error>> {
        let predicates = self
            .hand_predicates
            .as_ref()
            .ok_or(Refused::Missing(Part::Hand))?;
        let mut next = Clone::clone(self.hand()?);
        let change = next.apply(event, predicates).map_err(Refused::Hand)?;
        let key = self.hand_id()?;
        phase
            .end(
                event.kind(),
                &change,
                |unit, effect, step| {
                    ::statespec::Effects::effect(&next, effect, step, Some(&event))
                        .map_or(Ok(()), |it| unit.perform_hand(key, it))
                },
            )?;
        self.hand.put(next, change.commit());
        Ok(change)
    }

    /// Creates a `hand`.
    fn create_hand(
        &mut self,
        event: super::hand::Event<&str>,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<super::hand::Change, Failure<U::Error>> {
        let predicates = self
            .hand_predicates
            .as_ref()
            .ok_or(Refused::Missing(Part::Hand))?;
        let (next, change) = super::hand::Hand::create_with(
                super::hand::Context {
                    crew_id: self.crew.key(),
                    ..Default::default()
                },
                event,
                predicates,
            )
            .map_err(Refused::Hand)?;
        let key = self.hand_id()?;
        phase
            .end(
                event.kind(),
                &change,
                |unit, effect, step| {
                    ::statespec::Effects::effect(&next, effect, step, Some(&event))
                        .map_or(Ok(()), |it| unit.perform_hand(key, it))
                },
            )?;
        self.hand.put(next, change.commit());
        Ok(change)
    }

    /// Raises the events of the links that watch the `hand`.
    #[allow(clippy::collapsible_if)]
    fn follow_hand(
        &mut self,
        change: &super::hand::Change,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<(), Failure<U::Error>> {
        for step in change.steps() {
            if step.leaves(super::hand::State::Busy) {
                if let Some(change) = ::statespec::__private::optional(
                    self.exit_hand_busy_fires_crew_lose(phase),
                )? {
                    self.follow_crew(&change, phase)?;
                }
            }
            if step.enters(super::hand::State::Busy) {
                self.enter_hand_busy_fires_crew_gain(phase)?;
            }
        }
        Ok(())
    }

    /// Raises an event in the `badge`.
    fn fire_badge(
        &mut self,
        event: super::badge::Event,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<super::badge::Change, Failure<U::Error>> {
        let mut next = Clone::clone(self.badge()?);
        let change = next.apply(event).map_err(Refused::Badge)?;
        phase.end(event.kind(), &change, |_, effect, _| match effect {})?;
        self.badge.put(next, change.commit());
        Ok(change)
    }

    /// Raises the events of the links that watch the `badge`.
    #[allow(clippy::collapsible_if)]
    fn follow_badge(
        &mut self,
        change: &super::badge::Change,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<(), Failure<U::Error>> {
        for step in change.steps() {
            if step.enters(super::badge::State::Back) {
                if let Some(change) = ::statespec::__private::optional(
                    self.enter_badge_back_fires_crew_count(phase),
                )? {
                    self.follow_crew(&change, phase)?;
                }
            }
        }
        Ok(())
    }

    /// Creates a `mate`.
    fn create_mate(
        &mut self,
        event: super::hand::Event<&str>,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<super::hand::Change, Failure<U::Error>> {
        let predicates = self
            .mate_predicates
            .as_ref()
            .ok_or(Refused::Missing(Part::Hand))?;
        let (next, change) = super::hand::Hand::create_with(
                super::hand::Context {
                    crew_id: self.crew.key(),
                    ..Default::default()
                },
                event,
                predicates,
            )
            .map_err(Refused::Hand)?;
        let key = self.mate_id()?;
        phase
            .end(
                event.kind(),
                &change,
                |unit, effect, step| {
                    ::statespec::Effects::effect(&next, effect, step, Some(&event))
                        .map_or(Ok(()), |it| unit.perform_hand(key, it))
                },
            )?;
        self.mate.put(next, change.commit());
        Ok(change)
    }

    /// Raises the events of the links that watch the `mate`.
    #[allow(clippy::collapsible_if)]
    fn follow_mate(
        &mut self,
        change: &super::hand::Change,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<(), Failure<U::Error>> {
        for step in change.steps() {
            if step.leaves(super::hand::State::Busy) {
                if let Some(change) = ::statespec::__private::optional(
                    self.exit_mate_busy_fires_crew_lose(phase),
                )? {
                    self.follow_crew(&change, phase)?;
                }
            }
            if step.enters(super::hand::State::Busy) {
                self.enter_mate_busy_fires_crew_gain(phase)?;
            }
        }
        Ok(())
    }

    /// Creates a `second`.
    fn create_second(
        &mut self,
        event: super::crew::Event,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<super::crew::Change, Failure<U::Error>> {
        let (next, change) = super::crew::Crew::create_with(
                super::crew::Context {
                    yard_id: self.yard.key(),
                    ..Default::default()
                },
                event,
            )
            .map_err(Refused::Crew)?;
        let key = self.second_id()?;
        phase
            .end(
                event.kind(),
                &change,
                |unit, effect, step| {
                    ::statespec::Effects::effect(&next, effect, step, Some(&event))
                        .map_or(Ok(()), |it| unit.perform_crew(key, it))
                },
            )?;
        self.second.put(next, change.commit());
        Ok(change)
    }

    /// Raises the events of the links that watch the `second`.
    fn follow_second(
        &mut self,
        change: &super::crew::Change,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<(), Failure<U::Error>> {
        for step in change.steps() {
            if step.enters(super::crew::State::Full) {
                self.enter_second_full_fires_yard_fill(phase)?;
            }
        }
        Ok(())
    }

    /// Raises an event in the `other`.
    fn fire_other(
        &mut self,
        event: super::hand::Event<&str>,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<super::hand::Change, Failure<U::Error>> {
        let predicates = self
            .other_predicates
            .as_ref()
            .ok_or(Refused::Missing(Part::Hand))?;
        let mut next = Clone::clone(self.other()?);
        let change = next.apply(event, predicates).map_err(Refused::Hand)?;
        let key = self.other_id()?;
        phase
            .end(
                event.kind(),
                &change,
                |unit, effect, step| {
                    ::statespec::Effects::effect(&next, effect, step, Some(&event))
                        .map_or(Ok(()), |it| unit.perform_hand(key, it))
                },
            )?;
        self.other.put(next, change.commit());
        Ok(change)
    }

    /// Raises the events of the links that watch the `other`.
    #[allow(clippy::collapsible_if)]
    fn follow_other(
        &mut self,
        change: &super::hand::Change,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<(), Failure<U::Error>> {
        for step in change.steps() {
            if step.leaves(super::hand::State::Busy) {
                if let Some(change) = ::statespec::__private::optional(
                    self.exit_other_busy_fires_other_crew_lose(phase),
                )? {
                    self.follow_other_crew(&change, phase)?;
                }
            }
            if step.enters(super::hand::State::Busy) {
                self.enter_other_busy_fires_other_crew_gain(phase)?;
            }
        }
        Ok(())
    }

    /// Raises an event in the `other.crew`.
    fn fire_other_crew(
        &mut self,
        event: super::crew::Event,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<super::crew::Change, Failure<U::Error>> {
        let mut next = Clone::clone(self.other_crew()?);
        let change = next.apply(event).map_err(Refused::Crew)?;
        let key = self.other_crew_id()?;
        phase
            .end(
                event.kind(),
                &change,
                |unit, effect, step| {
                    ::statespec::Effects::effect(&next, effect, step, Some(&event))
                        .map_or(Ok(()), |it| unit.perform_crew(key, it))
                },
            )?;
        (if self.crew.is(&self.other_crew) {
            &mut self.crew
        } else if self.second.is(&self.other_crew) {
            &mut self.second
        } else if self.rival.is(&self.other_crew) {
            &mut self.rival
        } else {
            &mut self.other_crew
        })
            .put(next, change.commit());
        Ok(change)
    }

    /// Raises the events of the links that watch the `other.crew`.
    fn follow_other_crew(
        &mut self,
        change: &super::crew::Change,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<(), Failure<U::Error>> {
        for step in change.steps() {
            if step.enters(super::crew::State::Full) {
                self.enter_other_crew_full_fires_yard_fill(phase)?;
            }
        }
        Ok(())
    }

    /// Raises an event in the `third`.
    fn fire_third(
        &mut self,
        event: super::hand::Event<&str>,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<super::hand::Change, Failure<U::Error>> {
        let predicates = self
            .third_predicates
            .as_ref()
            .ok_or(Refused::Missing(Part::Hand))?;
        let mut next = Clone::clone(self.third()?);
        let change = next.apply(event, predicates).map_err(Refused::Hand)?;
        let key = self.third_id()?;
        phase
            .end(
                event.kind(),
                &change,
                |unit, effect, step| {
                    ::statespec::Effects::effect(&next, effect, step, Some(&event))
                        .map_or(Ok(()), |it| unit.perform_hand(key, it))
                },
            )?;
        self.third.put(next, change.commit());
        Ok(change)
    }

    /// Raises the events of the links that watch the `third`.
    #[allow(clippy::collapsible_if)]
    fn follow_third(
        &mut self,
        change: &super::hand::Change,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<(), Failure<U::Error>> {
        for step in change.steps() {
            if step.leaves(super::hand::State::Busy) {
                if let Some(change) = ::statespec::__private::optional(
                    self.exit_third_busy_fires_third_crew_lose(phase),
                )? {
                    self.follow_third_crew(&change, phase)?;
                }
            }
            if step.enters(super::hand::State::Busy) {
                self.enter_third_busy_fires_third_crew_gain(phase)?;
            }
        }
        Ok(())
    }

    /// Raises an event in the `third.crew`.
    fn fire_third_crew(
        &mut self,
        event: super::crew::Event,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<super::crew::Change, Failure<U::Error>> {
        let mut next = Clone::clone(self.third_crew()?);
        let change = next.apply(event).map_err(Refused::Crew)?;
        let key = self.third_crew_id()?;
        phase
            .end(
                event.kind(),
                &change,
                |unit, effect, step| {
                    ::statespec::Effects::effect(&next, effect, step, Some(&event))
                        .map_or(Ok(()), |it| unit.perform_crew(key, it))
                },
            )?;
        (if self.crew.is(&self.third_crew) {
            &mut self.crew
        } else if self.second.is(&self.third_crew) {
            &mut self.second
        } else if self.rival.is(&self.third_crew) {
            &mut self.rival
        } else if self.other_crew.is(&self.third_crew) {
            &mut self.other_crew
        } else {
            &mut self.third_crew
        })
            .put(next, change.commit());
        Ok(change)
    }

    /// Raises the events of the links that watch the `third.crew`.
    fn follow_third_crew(
        &mut self,
        change: &super::crew::Change,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<(), Failure<U::Error>> {
        for step in change.steps() {
            if step.enters(super::crew::State::Full) {
                self.enter_third_crew_full_fires_yard_fill(phase)?;
            }
        }
        Ok(())
    }

    /// Raises an event in the `newcomer`.
    fn fire_newcomer(
        &mut self,
        event: super::hand::Event<&str>,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<super::hand::Change, Failure<U::Error>> {
        let predicates = self
            .newcomer_predicates
            .as_ref()
            .ok_or(Refused::Missing(Part::Hand))?;
        let mut next = Clone::clone(self.newcomer()?);
        let change = next.apply(event, predicates).map_err(Refused::Hand)?;
        let key = self.newcomer_id()?;
        phase
            .end(
                event.kind(),
                &change,
                |unit, effect, step| {
                    ::statespec::Effects::effect(&next, effect, step, Some(&event))
                        .map_or(Ok(()), |it| unit.perform_hand(key, it))
                },
            )?;
        self.newcomer.put(next, change.commit());
        Ok(change)
    }

    /// Raises the events of the links that watch the `newcomer`.
    #[allow(clippy::collapsible_if)]
    fn follow_newcomer(
        &mut self,
        change: &super::hand::Change,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<(), Failure<U::Error>> {
        for step in change.steps() {
            if step.leaves(super::hand::State::Busy) {
                if let Some(change) = ::statespec::__private::optional(
                    self.exit_newcomer_busy_fires_newcomer_crew_lose(phase),
                )? {
                    self.follow_newcomer_crew(&change, phase)?;
                }
            }
            if step.enters(super::hand::State::Busy) {
                self.enter_newcomer_busy_fires_newcomer_crew_gain(phase)?;
            }
        }
        Ok(())
    }

    /// Raises an event in the `newcomer.crew`.
    fn fire_newcomer_crew(
        &mut self,
        event: super::crew::Event,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<super::crew::Change, Failure<U::Error>> {
        let mut next = Clone::clone(self.newcomer_crew()?);
        let change = next.apply(event).map_err(Refused::Crew)?;
        let key = self.newcomer_crew_id()?;
        phase
            .end(
                event.kind(),
                &change,
                |unit, effect, step| {
                    ::statespec::Effects::effect(&next, effect, step, Some(&event))
                        .map_or(Ok(()), |it| unit.perform_crew(key, it))
                },
            )?;
        (if self.crew.is(&self.newcomer_crew) {
            &mut self.crew
        } else if self.second.is(&self.newcomer_crew) {
            &mut self.second
        } else if self.rival.is(&self.newcomer_crew) {
            &mut self.rival
        } else if self.other_crew.is(&self.newcomer_crew) {
            &mut self.other_crew
        } else if self.third_crew.is(&self.newcomer_crew) {
            &mut self.third_crew
        } else {
            &mut self.newcomer_crew
        })
            .put(next, change.commit());
        Ok(change)
    }

    /// Raises the events of the links that watch the `newcomer.crew`.
    fn follow_newcomer_crew(
        &mut self,
        change: &super::crew::Change,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<(), Failure<U::Error>> {
        for step in change.steps() {
            if step.enters(super::crew::State::Full) {
                self.enter_newcomer_crew_full_fires_yard_fill(phase)?;
            }
        }
        Ok(())
    }

    /// Raises an event in the `rival`.
    fn fire_rival(
        &mut self,
        event: super::crew::Event,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<super::crew::Change, Failure<U::Error>> {
        let mut next = Clone::clone(self.rival()?);
        let change = next.apply(event).map_err(Refused::Crew)?;
        let key = self.rival_id()?;
        phase
            .end(
                event.kind(),
                &change,
                |unit, effect, step| {
                    ::statespec::Effects::effect(&next, effect, step, Some(&event))
                        .map_or(Ok(()), |it| unit.perform_crew(key, it))
                },
            )?;
        self.rival.put(next, change.commit());
        Ok(change)
    }

    /// Raises the events of the links that watch the `rival`.
    fn follow_rival(
        &mut self,
        change: &super::crew::Change,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<(), Failure<U::Error>> {
        for step in change.steps() {
            if step.enters(super::crew::State::Full) {
                self.enter_rival_full_fires_yard_fill(phase)?;
            }
        }
        Ok(())
    }

    /// Raises an event in the `spare`.
    fn fire_spare(
        &mut self,
        event: super::badge::Event,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<super::badge::Change, Failure<U::Error>> {
        let mut next = Clone::clone(self.spare()?);
        let change = next.apply(event).map_err(Refused::Badge)?;
        phase.end(event.kind(), &change, |_, effect, _| match effect {})?;
        self.spare.put(next, change.commit());
        Ok(change)
    }

    /// Raises the events of the links that watch the `spare`.
    #[allow(clippy::collapsible_if)]
    fn follow_spare(
        &mut self,
        change: &super::badge::Change,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<(), Failure<U::Error>> {
        for step in change.steps() {
            if step.enters(super::badge::State::Back) {
                if let Some(change) = ::statespec::__private::optional(
                    self.enter_spare_back_fires_crew_count(phase),
                )? {
                    self.follow_crew(&change, phase)?;
                }
            }
        }
        Ok(())
    }

    /// A link of the spec.
    fn enter_hand_busy_fires_crew_gain(
        &mut self,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<(), Failure<U::Error>> {
        self.yard()?;
        self.crew()?;
        let change = self.fire_crew(super::crew::Event::Gain, phase)?;
        self.follow_crew(&change, phase)
    }

    /// A link of the spec.
    fn exit_hand_busy_fires_crew_lose(
        &mut self,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<Option<super::crew::Change>, Failure<U::Error>> {
        self.crew()?;
        let fires = self.crew()?.context().n_busy > 0;
        if !fires {
            return Ok(None);
        }
        self.yard()?;
        self.fire_crew(super::crew::Event::Lose, phase).map(Some)
    }

    /// A link of the spec.
    fn enter_crew_full_fires_yard_fill(
        &mut self,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<(), Failure<U::Error>> {
        self.fire_yard(super::yard::Event::Fill, phase)
    }

    /// A link of the spec.
    fn enter_badge_back_fires_crew_count(
        &mut self,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<Option<super::crew::Change>, Failure<U::Error>> {
        self.badge()?;
        let fires = self.badge()?.context().n_flips > 1;
        if !fires {
            return Ok(None);
        }
        self.yard()?;
        self.crew()?;
        self.fire_crew(
                super::crew::Event::Count {
                    n: self.badge()?.context().n_flips,
                },
                phase,
            )
            .map(Some)
    }

    /// A link of the spec.
    fn enter_mate_busy_fires_crew_gain(
        &mut self,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<(), Failure<U::Error>> {
        self.yard()?;
        self.crew()?;
        let change = self.fire_crew(super::crew::Event::Gain, phase)?;
        self.follow_crew(&change, phase)
    }

    /// A link of the spec.
    fn exit_mate_busy_fires_crew_lose(
        &mut self,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<Option<super::crew::Change>, Failure<U::Error>> {
        self.crew()?;
        let fires = self.crew()?.context().n_busy > 0;
        if !fires {
            return Ok(None);
        }
        self.yard()?;
        self.fire_crew(super::crew::Event::Lose, phase).map(Some)
    }

    /// A link of the spec.
    fn enter_second_full_fires_yard_fill(
        &mut self,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<(), Failure<U::Error>> {
        self.fire_yard(super::yard::Event::Fill, phase)
    }

    /// A link of the spec.
    fn enter_other_busy_fires_other_crew_gain(
        &mut self,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<(), Failure<U::Error>> {
        self.yard()?;
        self.other_crew()?;
        let change = self.fire_other_crew(super::crew::Event::Gain, phase)?;
        self.follow_other_crew(&change, phase)
    }

    /// A link of the spec.
    fn exit_other_busy_fires_other_crew_lose(
        &mut self,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<Option<super::crew::Change>, Failure<U::Error>> {
        self.other_crew()?;
        let fires = self.other_crew()?.context().n_busy > 0;
        if !fires {
            return Ok(None);
        }
        self.yard()?;
        self.fire_other_crew(super::crew::Event::Lose, phase).map(Some)
    }

    /// A link of the spec.
    fn enter_other_crew_full_fires_yard_fill(
        &mut self,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<(), Failure<U::Error>> {
        self.fire_yard(super::yard::Event::Fill, phase)
    }

    /// A link of the spec.
    fn enter_third_busy_fires_third_crew_gain(
        &mut self,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<(), Failure<U::Error>> {
        self.yard()?;
        self.third_crew()?;
        let change = self.fire_third_crew(super::crew::Event::Gain, phase)?;
        self.follow_third_crew(&change, phase)
    }

    /// A link of the spec.
    fn exit_third_busy_fires_third_crew_lose(
        &mut self,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<Option<super::crew::Change>, Failure<U::Error>> {
        self.third_crew()?;
        let fires = self.third_crew()?.context().n_busy > 0;
        if !fires {
            return Ok(None);
        }
        self.yard()?;
        self.fire_third_crew(super::crew::Event::Lose, phase).map(Some)
    }

    /// A link of the spec.
    fn enter_third_crew_full_fires_yard_fill(
        &mut self,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<(), Failure<U::Error>> {
        self.fire_yard(super::yard::Event::Fill, phase)
    }

    /// A link of the spec.
    fn enter_newcomer_busy_fires_newcomer_crew_gain(
        &mut self,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<(), Failure<U::Error>> {
        self.yard()?;
        self.newcomer_crew()?;
        let change = self.fire_newcomer_crew(super::crew::Event::Gain, phase)?;
        self.follow_newcomer_crew(&change, phase)
    }

    /// A link of the spec.
    fn exit_newcomer_busy_fires_newcomer_crew_lose(
        &mut self,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<Option<super::crew::Change>, Failure<U::Error>> {
        self.newcomer_crew()?;
        let fires = self.newcomer_crew()?.context().n_busy > 0;
        if !fires {
            return Ok(None);
        }
        self.yard()?;
        self.fire_newcomer_crew(super::crew::Event::Lose, phase).map(Some)
    }

    /// A link of the spec.
    fn enter_newcomer_crew_full_fires_yard_fill(
        &mut self,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<(), Failure<U::Error>> {
        self.fire_yard(super::yard::Event::Fill, phase)
    }

    /// A link of the spec.
    fn enter_rival_full_fires_yard_fill(
        &mut self,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<(), Failure<U::Error>> {
        self.fire_yard(super::yard::Event::Fill, phase)
    }

    /// A link of the spec.
    fn enter_spare_back_fires_crew_count(
        &mut self,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<Option<super::crew::Change>, Failure<U::Error>> {
        self.spare()?;
        let fires = self.spare()?.context().n_flips > 1;
        if !fires {
            return Ok(None);
        }
        self.yard()?;
        self.crew()?;
        self.fire_crew(
                super::crew::Event::Count {
                    n: self.spare()?.context().n_flips,
                },
                phase,
            )
            .map(Some)
    }

    /// Saves the parts that changed, checks the invariants that read these, and says when the store is written.
    fn save(&self, unit: &mut U) -> Result<::statespec::Commit, Failure<U::Error>> {
        self.yard
            .save(|before, after| unit.save_yard(before, after))
            .map_err(Failure::store)?;
        self.crew
            .save_by_key(|key, before, after| unit.save_crew(key, before, after))
            .map_err(Failure::store)?;
        self.hand
            .save_by_key(|key, before, after| unit.save_hand(key, before, after))
            .map_err(Failure::store)?;
        self.badge
            .save_by_key(|key, before, after| unit.save_badge(key, before, after))
            .map_err(Failure::store)?;
        self.mate
            .save_by_key(|key, before, after| unit.save_hand(key, before, after))
            .map_err(Failure::store)?;
        self.second
            .save_by_key(|key, before, after| unit.save_crew(key, before, after))
            .map_err(Failure::store)?;
        self.other
            .save_by_key(|key, before, after| unit.save_hand(key, before, after))
            .map_err(Failure::store)?;
        self.other_crew
            .save_by_key(|key, before, after| unit.save_crew(key, before, after))
            .map_err(Failure::store)?;
        self.third
            .save_by_key(|key, before, after| unit.save_hand(key, before, after))
            .map_err(Failure::store)?;
        self.third_crew
            .save_by_key(|key, before, after| unit.save_crew(key, before, after))
            .map_err(Failure::store)?;
        self.newcomer
            .save_by_key(|key, before, after| unit.save_hand(key, before, after))
            .map_err(Failure::store)?;
        self.newcomer_crew
            .save_by_key(|key, before, after| unit.save_crew(key, before, after))
            .map_err(Failure::store)?;
        self.rival
            .save_by_key(|key, before, after| unit.save_crew(key, before, after))
            .map_err(Failure::store)?;
        self.spare
            .save_by_key(|key, before, after| unit.save_badge(key, before, after))
            .map_err(Failure::store)?;
        if self.hand.is_changed() || self.mate.is_changed() || self.other.is_changed()
            || self.third.is_changed() || self.newcomer.is_changed()
        {
            Invariant::HandLoadAtMostN7OrHandIsIdle.check(unit)?;
        }
        if self.crew.is_changed() || self.second.is_changed()
            || self.other_crew.is_changed() || self.third_crew.is_changed()
            || self.newcomer_crew.is_changed() || self.rival.is_changed()
        {
            Invariant::CrewNBusyAtLeastN0AndCrewNBusyAtMostN3.check(unit)?;
        }
        Ok(
            self
                .yard
                .order()
                .min(self.crew.order())
                .min(self.hand.order())
                .min(self.badge.order())
                .min(self.mate.order())
                .min(self.second.order())
                .min(self.other.order())
                .min(self.other_crew.order())
                .min(self.third.order())
                .min(self.third_crew.order())
                .min(self.newcomer.order())
                .min(self.newcomer_crew.order())
                .min(self.rival.order())
                .min(self.spare.order()),
        )
    }
}

impl<U: UnitOfWork> Clone for World<U> {
    fn clone(&self) -> Self {
        World {
            yard: Clone::clone(&self.yard),
            crew: Clone::clone(&self.crew),
            hand: Clone::clone(&self.hand),
            badge: Clone::clone(&self.badge),
            mate: Clone::clone(&self.mate),
            second: Clone::clone(&self.second),
            other: Clone::clone(&self.other),
            other_crew: Clone::clone(&self.other_crew),
            third: Clone::clone(&self.third),
            third_crew: Clone::clone(&self.third_crew),
            newcomer: Clone::clone(&self.newcomer),
            newcomer_crew: Clone::clone(&self.newcomer_crew),
            rival: Clone::clone(&self.rival),
            spare: Clone::clone(&self.spare),
            hand_predicates: Clone::clone(&self.hand_predicates),
            mate_predicates: Clone::clone(&self.mate_predicates),
            other_predicates: Clone::clone(&self.other_predicates),
            third_predicates: Clone::clone(&self.third_predicates),
            newcomer_predicates: Clone::clone(&self.newcomer_predicates),
        }
    }
}
