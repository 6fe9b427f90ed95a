//! Car wash.
//!
//! A hall with bays. The hall and the bays have regions, a voucher has none.

::statespec::__emitted!(6);

/// The transaction `open_up`.
///
/// Triggered by `staff`.
pub fn open_up<U: UnitOfWork>(unit: &mut U) -> Result<(), Failure<U::Error>> {
    Transaction::OpenUp
        .transact(
            unit,
            |unit| World::empty().load_hall(unit),
            |_, after, phase| after.fire_hall(super::hall::Event::Morning, phase),
        )
}

/// Lights and till at once.
///
/// Triggered by `staff`.
pub fn close_up<U: UnitOfWork>(unit: &mut U) -> Result<(), Failure<U::Error>> {
    Transaction::CloseUp
        .transact(
            unit,
            |unit| World::empty().load_hall(unit),
            |_, after, phase| after.fire_hall(super::hall::Event::Evening, phase),
        )
}

/// The transaction `unlock`.
///
/// Triggered by `staff`.
pub fn unlock<U: UnitOfWork>(
    unit: &mut U,
    bay_id: U::Key,
) -> Result<(), Failure<U::Error>> {
    Transaction::Unlock
        .transact(
            unit,
            |unit| World::empty().load_hall(unit)?.load_bay(unit, bay_id),
            |_, after, phase| {
                let change = after.fire_bay(super::bay::Recorded::Unlock, phase)?;
                after.follow_bay(&change, phase)
            },
        )
}

/// The transaction `pay`.
///
/// Triggered by `customer`.
pub fn pay<U: UnitOfWork>(
    unit: &mut U,
    by: super::hall::Leaf,
) -> Result<(), Failure<U::Error>> {
    Transaction::Pay
        .transact(
            unit,
            |unit| World::empty().load_hall(unit),
            |_, after, phase| after.fire_hall(super::hall::Event::Pay { by }, phase),
        )
}

/// The transaction `buy`.
///
/// Triggered by `customer`.
pub fn buy<U: UnitOfWork>(
    unit: &mut U,
    bay_id: U::Key,
    number: i64,
    member: bool,
    by: super::hall::Leaf,
) -> Result<U::Key, Failure<U::Error>> {
    Transaction::Buy
        .attempt(
            unit,
            |unit| {
                let voucher_id = unit.new_voucher().map_err(Failure::store)?;
                ::statespec::__private::transact(
                    unit,
                    |unit| {
                        World::empty()
                            .new_voucher(voucher_id)
                            .load_hall(unit)?
                            .load_bay(unit, bay_id)
                    },
                    |before, after, phase| {
                        before.hall()?;
                        before.bay()?;
                        before.require(Rule::HallInOpen)?;
                        after
                            .create_voucher(
                                super::voucher::Event::Buy {
                                    number,
                                    member,
                                },
                                phase,
                            )?;
                        after.fire_hall(super::hall::Event::Pay { by }, phase)
                    },
                    World::save,
                )?;
                Ok(voucher_id)
            },
        )
}

/// The transaction `wash`.
///
/// Triggered by `customer`.
pub fn wash<U: UnitOfWork>(
    unit: &mut U,
    voucher_id: U::Key,
) -> Result<(), Failure<U::Error>> {
    Transaction::Wash
        .transact(
            unit,
            |unit| {
                World::empty()
                    .load_hall(unit)?
                    .load_voucher(unit, voucher_id)?
                    .load_bay_of_voucher(unit)
            },
            |before, after, phase| {
                before.hall()?;
                before.bay()?;
                before.voucher()?;
                before.require(Rule::BayInGateAndBayInIdle)?;
                before.require(Rule::HallInLitAndNotBayInRaised)?;
                after.fire_voucher(super::voucher::Event::Use, phase)?;
                let bay_change = after
                    .fire_bay(
                        super::bay::Recorded::Begin {
                            to: before.voucher()?.context().number,
                        },
                        phase,
                    )?;
                after.follow_bay(&bay_change, phase)
            },
        )
}

/// The transaction `lift`.
pub fn lift<U: UnitOfWork>(
    unit: &mut U,
    bay_id: U::Key,
) -> Result<(), Failure<U::Error>> {
    Transaction::Lift
        .transact(
            unit,
            |unit| World::empty().load_hall(unit)?.load_bay(unit, bay_id),
            |_, after, phase| {
                let change = after.fire_bay(super::bay::Recorded::Lift, phase)?;
                after.follow_bay(&change, phase)
            },
        )
}

/// The transaction `drop`.
pub fn drop<U: UnitOfWork>(
    unit: &mut U,
    bay_id: U::Key,
) -> Result<(), Failure<U::Error>> {
    Transaction::Drop
        .transact(
            unit,
            |unit| World::empty().load_hall(unit)?.load_bay(unit, bay_id),
            |_, after, phase| {
                let change = after.fire_bay(super::bay::Recorded::Drop, phase)?;
                after.follow_bay(&change, phase)
            },
        )
}

/// The transaction `soaped`.
pub fn soaped<U: UnitOfWork>(
    unit: &mut U,
    bay_id: U::Key,
) -> Result<(), Failure<U::Error>> {
    Transaction::Soaped
        .transact(
            unit,
            |unit| World::empty().load_hall(unit)?.load_bay(unit, bay_id),
            |_, after, phase| {
                let change = after.fire_bay(super::bay::Recorded::Soaped, phase)?;
                after.follow_bay(&change, phase)
            },
        )
}

/// The water stops.
pub fn rinsed<U: UnitOfWork>(
    unit: &mut U,
    bay_id: U::Key,
) -> Result<(), Failure<U::Error>> {
    Transaction::Rinsed
        .transact(
            unit,
            |unit| World::empty().load_hall(unit)?.load_bay(unit, bay_id),
            |_, after, phase| {
                let change = after.fire_bay(super::bay::Recorded::Rinsed, phase)?;
                after.follow_bay(&change, phase)
            },
        )
}

/// The transaction `leave`.
///
/// Triggered by `customer`.
pub fn leave<U: UnitOfWork>(
    unit: &mut U,
    voucher_id: U::Key,
) -> Result<(), Failure<U::Error>> {
    Transaction::Leave
        .transact(
            unit,
            |unit| {
                World::empty().load_voucher(unit, voucher_id)?.load_bay_of_voucher(unit)
            },
            |before, after, phase| {
                before.bay()?;
                before.voucher()?;
                after.fire_voucher(super::voucher::Event::Spend, phase)
            },
        )
}

/// Gate and brushes at once.
///
/// Triggered by `staff`.
pub fn clear<U: UnitOfWork>(
    unit: &mut U,
    bay_id: U::Key,
) -> Result<(), Failure<U::Error>> {
    Transaction::Clear
        .transact(
            unit,
            |unit| World::empty().load_hall(unit)?.load_bay(unit, bay_id),
            |_, after, phase| {
                let change = after.fire_bay(super::bay::Recorded::Clear, phase)?;
                after.follow_bay(&change, phase)
            },
        )
}

/// The transaction `move_over`.
///
/// Triggered by `staff`.
///
/// The role `spare` is taken by a `bay`.
pub fn move_over<U: UnitOfWork>(
    unit: &mut U,
    bay_id: U::Key,
    spare_id: U::Key,
) -> Result<(), Failure<U::Error>> {
    Transaction::MoveOver
        .transact(
            unit,
            |unit| {
                World::empty()
                    .load_hall(unit)?
                    .load_bay(unit, bay_id)?
                    .load_spare(unit, spare_id)
            },
            |before, after, phase| {
                if !::statespec::__private::distinct(
                    &[before.bay.key(), before.spare.key()],
                ) {
                    return Err(Refused::Same(Part::Bay).into());
                }
                before.bay()?;
                before.spare()?;
                before.require(Rule::BayInJammedOrBayInCycle)?;
                let bay_change = after.fire_bay(super::bay::Recorded::Clear, phase)?;
                let spare_change = after.fire_spare(super::bay::Recorded::Lift, phase)?;
                after.follow_bay(&bay_change, phase)?;
                after.follow_spare(&spare_change, phase)
            },
        )
}

/// The transaction `jam`.
pub fn jam<U: UnitOfWork>(
    unit: &mut U,
    bay_id: U::Key,
) -> Result<(), Failure<U::Error>> {
    Transaction::Jam
        .transact(
            unit,
            |unit| World::empty().load_hall(unit)?.load_bay(unit, bay_id),
            |_, after, phase| {
                let change = after.fire_bay(super::bay::Recorded::Jam, phase)?;
                after.follow_bay(&change, phase)
            },
        )
}

/// The transaction `repair`.
///
/// Triggered by `staff`.
pub fn repair<U: UnitOfWork>(
    unit: &mut U,
    bay_id: U::Key,
) -> Result<(), Failure<U::Error>> {
    Transaction::Repair
        .transact(
            unit,
            |unit| World::empty().load_hall(unit)?.load_bay(unit, bay_id),
            |_, after, phase| {
                let change = after.fire_bay(super::bay::Recorded::Repair, phase)?;
                after.follow_bay(&change, phase)
            },
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

/// The store of a `car_wash`, and the host of its effects, during one transaction.
pub trait UnitOfWork: ::statespec::Unit {
    /// The actor that triggers the transactions; without one, none is refused for its actor.
    fn actor(&self) -> Option<Actor> {
        None
    }

    /// Loads the `hall`.
    fn load_hall(&mut self) -> Result<Option<super::hall::Hall>, Self::Error>;

    /// Takes the `hall` after a change into the transaction; `before` is what was loaded, `None` where it is new. The commit says whether the store is written. A failure undoes the transaction.
    fn save_hall(
        &mut self,
        before: Option<&super::hall::Hall>,
        after: &super::hall::Hall,
    ) -> Result<(), Self::Error>;

    /// Loads a `bay`.
    fn load_bay(
        &mut self,
        key: Self::Key,
    ) -> Result<Option<super::bay::Bay>, Self::Error>;

    /// Takes the `bay` after a change into the transaction; `before` is what was loaded, `None` where it is new. The commit says whether the store is written. A failure undoes the transaction.
    fn save_bay(
        &mut self,
        key: Self::Key,
        before: Option<&super::bay::Bay>,
        after: &super::bay::Bay,
    ) -> Result<(), Self::Error>;

    /// Performs an effect of the `bay`; `effect.perform(host)` calls its method of a host.
    fn perform_bay(
        &mut self,
        key: Self::Key,
        effect: super::bay::Effect,
    ) -> Result<(), Self::Error>;

    /// The key of a new `voucher`: called once for each that is created.
    fn new_voucher(&mut self) -> Result<Self::Key, Self::Error>;

    /// Loads a `voucher`.
    fn load_voucher(
        &mut self,
        key: Self::Key,
    ) -> Result<Option<super::voucher::Voucher<Self::Key>>, Self::Error>;

    /// Takes the `voucher` after a change into the transaction; `before` is what was loaded, `None` where it is new. The commit says whether the store is written. A failure undoes the transaction.
    fn save_voucher(
        &mut self,
        key: Self::Key,
        before: Option<&super::voucher::Voucher<Self::Key>>,
        after: &super::voucher::Voucher<Self::Key>,
    ) -> Result<(), Self::Error>;

    /// The `voucher` after `after`, or the first one: any order will do that stays the same.
    ///
    /// Invariants check every one.
    #[allow(clippy::type_complexity)]
    fn next_voucher(
        &mut self,
        after: Option<Self::Key>,
    ) -> Result<Option<(Self::Key, super::voucher::Voucher<Self::Key>)>, Self::Error>;
}

impl<U: UnitOfWork> UnitOfWork for ::statespec::Planning<'_, U> {
    fn actor(&self) -> Option<Actor> {
        self.unit().actor()
    }

    fn load_hall(&mut self) -> Result<Option<super::hall::Hall>, Self::Error> {
        self.unit_mut().load_hall()
    }

    fn save_hall(
        &mut self,
        before: Option<&super::hall::Hall>,
        after: &super::hall::Hall,
    ) -> Result<(), Self::Error> {
        self.unit_mut().save_hall(before, after)
    }

    fn load_bay(
        &mut self,
        key: Self::Key,
    ) -> Result<Option<super::bay::Bay>, Self::Error> {
        self.unit_mut().load_bay(key)
    }

    fn save_bay(
        &mut self,
        key: Self::Key,
        before: Option<&super::bay::Bay>,
        after: &super::bay::Bay,
    ) -> Result<(), Self::Error> {
        self.unit_mut().save_bay(key, before, after)
    }

    fn perform_bay(
        &mut self,
        _key: Self::Key,
        _effect: super::bay::Effect,
    ) -> Result<(), Self::Error> {
        Ok(())
    }

    fn new_voucher(&mut self) -> Result<Self::Key, Self::Error> {
        self.unit_mut().new_voucher()
    }

    fn load_voucher(
        &mut self,
        key: Self::Key,
    ) -> Result<Option<super::voucher::Voucher<Self::Key>>, Self::Error> {
        self.unit_mut().load_voucher(key)
    }

    fn save_voucher(
        &mut self,
        key: Self::Key,
        before: Option<&super::voucher::Voucher<Self::Key>>,
        after: &super::voucher::Voucher<Self::Key>,
    ) -> Result<(), Self::Error> {
        self.unit_mut().save_voucher(key, before, after)
    }

    fn next_voucher(
        &mut self,
        after: Option<Self::Key>,
    ) -> Result<Option<(Self::Key, super::voucher::Voucher<Self::Key>)>, Self::Error> {
        self.unit_mut().next_voucher(after)
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
    /// The machine of `hall` refused its event.
    Hall(super::hall::Refused),
    /// The machine of `bay` refused its event.
    Bay(super::bay::Refused),
    /// The machine of `voucher` refused its event.
    Voucher(super::voucher::Refused),
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
            Refused::Hall(refused) => refused.reason().name(),
            Refused::Bay(refused) => refused.reason().name(),
            Refused::Voucher(refused) => refused.reason().name(),
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
            Refused::Hall(refused) => ::core::fmt::Display::fmt(refused, f),
            Refused::Bay(refused) => ::core::fmt::Display::fmt(refused, f),
            Refused::Voucher(refused) => ::core::fmt::Display::fmt(refused, f),
        }
    }
}

impl ::core::error::Error for Refused {}

/// Why a transaction stopped; `X` is the error of the unit of work.
pub type Failure<X> = ::statespec::Failure<Refused, X>;

/// The rules: conditions on raising events, read before the transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// The hall is lit, and the gate is down.
    HallInLitAndNotBayInRaised,
    /// The till is open.
    HallInOpen,
    /// The bay is free.
    BayInGateAndBayInIdle,
    /// The other bay is still free.
    BayInJammedOrBayInCycle,
}

::statespec::__unit_enum!(
    pub Rule, "rule", 4,
    [HallInLitAndNotBayInRaised("hall_in_lit_and_not_bay_in_raised"),
    HallInOpen("hall_in_open"), BayInGateAndBayInIdle("bay_in_gate_and_bay_in_idle"),
    BayInJammedOrBayInCycle("bay_in_jammed_or_bay_in_cycle")], serde
);

impl Rule {
    /// The description of the rule in the spec.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 4] = &[
            "The hall is lit, and the gate is down",
            "The till is open",
            "The bay is free",
            "The other bay is still free",
        ];
        TEXTS[self as usize]
    }
}

/// The invariants: conditions that hold after every transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Invariant {
    /// Nobody sells in the dark.
    HallInLitOrHallInClosed,
    /// A used voucher has a bay that is unlocked.
    VoucherIsNotUsedOrBayInInUseOrBayInJammed,
}

::statespec::__unit_enum!(
    pub Invariant, "invariant", 2,
    [HallInLitOrHallInClosed("hall_in_lit_or_hall_in_closed"),
    VoucherIsNotUsedOrBayInInUseOrBayInJammed("voucher_is_not_used_or_bay_in_in_use_or_bay_in_jammed")],
    serde
);

impl Invariant {
    /// The description of the invariant in the spec.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 2] = &[
            "Nobody sells in the dark",
            "A used voucher has a bay that is unlocked",
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
            Invariant::HallInLitOrHallInClosed => {
                check_hall_in_lit_or_hall_in_closed(unit)
            }
            Invariant::VoucherIsNotUsedOrBayInInUseOrBayInJammed => {
                check_voucher_is_not_used_or_bay_in_in_use_or_bay_in_jammed(unit)
            }
        };
        if holds.map_err(Failure::store)? {
            Ok(())
        } else {
            Err(Refused::Invariant(self).into())
        }
    }
}

/// Nobody sells in the dark.
#[allow(clippy::nonminimal_bool, clippy::overly_complex_bool_expr)]
fn check_hall_in_lit_or_hall_in_closed<U: UnitOfWork>(
    unit: &mut U,
) -> Result<bool, U::Error> {
    let hall = unit.load_hall()?.unwrap_or_else(super::hall::Hall::new);
    Ok(
        hall.state().is_active(super::hall::Leaf::Lit)
            || hall.state().is_active(super::hall::Leaf::Closed),
    )
}

/// A used voucher has a bay that is unlocked.
#[allow(clippy::nonminimal_bool, clippy::overly_complex_bool_expr)]
fn check_voucher_is_not_used_or_bay_in_in_use_or_bay_in_jammed<U: UnitOfWork>(
    unit: &mut U,
) -> Result<bool, U::Error> {
    let mut after = None;
    while let Some((voucher_id, voucher)) = unit.next_voucher(after)? {
        after = Some(voucher_id);
        let Some(bay_id) = voucher.context().bay_id else { continue };
        let Some(bay) = unit.load_bay(bay_id)? else { continue };
        let holds = voucher.state() != super::voucher::State::Used
            || bay.state().is_in(super::bay::Composite::InUse)
            || bay.state().is_active(super::bay::Leaf::Jammed);
        if !holds {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Compares two instances of the part `voucher` by the order `waiting`, in a state of `hall`.
///
/// Who is next.
pub fn waiting_of_voucher<R>(
    state: super::hall::Leaf,
    first: &super::voucher::Voucher<R>,
    second: &super::voucher::Voucher<R>,
) -> ::core::cmp::Ordering {
    fn item<R>(of: &super::voucher::Voucher<R>) -> super::hall::WaitingItem {
        let context = of.context();
        super::hall::WaitingItem {
            number: context.number,
            member: context.member,
        }
    }
    state.waiting(&item(first), &item(second))
}

/// The parts: machines in a role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// The part `hall`.
    Hall,
    /// The part `bay`.
    Bay,
    /// The part `voucher`.
    Voucher,
}

::statespec::__unit_enum!(
    pub Part, "part", 3, [Hall("hall"), Bay("bay"), Voucher("voucher")], serde
);

impl Part {
    /// The name of the part that a person reads.
    pub const fn label(self) -> &'static str {
        const TEXTS: &[&str; 3] = &["Hall", "Bay", "Voucher"];
        TEXTS[self as usize]
    }
}

/// The transactions of the system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Transaction {
    /// The transaction `open_up`.
    ///
    /// Triggered by `staff`.
    OpenUp,
    /// Lights and till at once.
    ///
    /// Triggered by `staff`.
    CloseUp,
    /// The transaction `unlock`.
    ///
    /// Triggered by `staff`.
    Unlock,
    /// The transaction `pay`.
    ///
    /// Triggered by `customer`.
    Pay,
    /// The transaction `buy`.
    ///
    /// Triggered by `customer`.
    Buy,
    /// The transaction `wash`.
    ///
    /// Triggered by `customer`.
    Wash,
    /// The transaction `lift`.
    Lift,
    /// The transaction `drop`.
    Drop,
    /// The transaction `soaped`.
    Soaped,
    /// The water stops.
    Rinsed,
    /// The transaction `leave`.
    ///
    /// Triggered by `customer`.
    Leave,
    /// Gate and brushes at once.
    ///
    /// Triggered by `staff`.
    Clear,
    /// The transaction `move_over`.
    ///
    /// Triggered by `staff`.
    ///
    /// The role `spare` is taken by a `bay`.
    MoveOver,
    /// The transaction `jam`.
    Jam,
    /// The transaction `repair`.
    ///
    /// Triggered by `staff`.
    Repair,
}

::statespec::__unit_enum!(
    pub Transaction, "transaction", 15, [OpenUp("open_up"), CloseUp("close_up"),
    Unlock("unlock"), Pay("pay"), Buy("buy"), Wash("wash"), Lift("lift"), Drop("drop"),
    Soaped("soaped"), Rinsed("rinsed"), Leave("leave"), Clear("clear"),
    MoveOver("move_over"), Jam("jam"), Repair("repair")], serde
);

impl Transaction {
    /// The description of the transaction in the spec.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 15] = &[
            "",
            "Lights and till at once.",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "The water stops.",
            "",
            "Gate and brushes at once.",
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
                "car_wash",
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
        const BY: &[&[Actor]; 15] = &[
            &[Actor::Staff],
            &[Actor::Staff],
            &[Actor::Staff],
            &[Actor::Customer],
            &[Actor::Customer],
            &[Actor::Customer],
            &[],
            &[],
            &[],
            &[],
            &[Actor::Customer],
            &[Actor::Staff],
            &[Actor::Staff],
            &[],
            &[Actor::Staff],
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
        matches!(self, Transaction::Wash | Transaction::MoveOver)
    }
}

/// The actors that trigger transactions, or do the work that transactions start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Actor {
    /// Washes a car.
    Customer,
    /// Runs the hall.
    Staff,
}

::statespec::__unit_enum!(
    pub Actor, "actor", 2, [Customer("customer"), Staff("staff")], serde
);

impl Actor {
    /// The description of the actor in the spec.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 2] = &["washes a car", "runs the hall"];
        TEXTS[self as usize]
    }
}

/// The parts as a transaction sees them.
struct World<U: UnitOfWork> {
    hall: ::statespec::__private::Slot<super::hall::Hall, U::Key>,
    bay: ::statespec::__private::Slot<super::bay::Bay, U::Key>,
    voucher: ::statespec::__private::Slot<super::voucher::Voucher<U::Key>, U::Key>,
    spare: ::statespec::__private::Slot<super::bay::Bay, U::Key>,
}

impl<U: UnitOfWork> World<U> {
    /// Nothing is loaded.
    const fn empty() -> Self {
        World {
            hall: ::statespec::__private::Slot::empty(),
            bay: ::statespec::__private::Slot::empty(),
            voucher: ::statespec::__private::Slot::empty(),
            spare: ::statespec::__private::Slot::empty(),
        }
    }

    /// Loads the `hall`.
    fn load_hall(mut self, unit: &mut U) -> Result<Self, U::Error> {
        self.hall = ::statespec::__private::Slot::found_or(
            None,
            unit.load_hall()?,
            super::hall::Hall::new,
        );
        Ok(self)
    }

    /// Loads the `bay`.
    fn load_bay(mut self, unit: &mut U, key: U::Key) -> Result<Self, U::Error> {
        self.bay = ::statespec::__private::Slot::found_or(
            Some(key),
            unit.load_bay(key)?,
            super::bay::Bay::new,
        );
        Ok(self)
    }

    /// Loads the `bay` that the `voucher` belongs to.
    fn load_bay_of_voucher(mut self, unit: &mut U) -> Result<Self, U::Error> {
        if let Some(key) = self.voucher.now().and_then(|it| it.context().bay_id) {
            self.bay = ::statespec::__private::Slot::found_or(
                Some(key),
                unit.load_bay(key)?,
                super::bay::Bay::new,
            );
        }
        Ok(self)
    }

    /// Loads the `voucher`.
    fn load_voucher(mut self, unit: &mut U, key: U::Key) -> Result<Self, U::Error> {
        self.voucher = ::statespec::__private::Slot::new(
            Some(key),
            unit.load_voucher(key)?,
        );
        Ok(self)
    }

    /// Makes place for a new `voucher`.
    fn new_voucher(mut self, key: U::Key) -> Self {
        self.voucher = ::statespec::__private::Slot::new(Some(key), None);
        self
    }

    /// Loads the `spare`.
    fn load_spare(mut self, unit: &mut U, key: U::Key) -> Result<Self, U::Error> {
        self.spare = ::statespec::__private::Slot::found_or(
            Some(key),
            unit.load_bay(key)?,
            super::bay::Bay::new,
        );
        Ok(self)
    }

    /// The `hall`, which must be there.
    fn hall(&self) -> Result<&super::hall::Hall, Refused> {
        self.hall.now().ok_or(Refused::Missing(Part::Hall))
    }

    /// The `bay`, which must be there.
    fn bay(&self) -> Result<&super::bay::Bay, Refused> {
        self.bay.now().ok_or(Refused::Missing(Part::Bay))
    }

    /// The key of the `bay`.
    fn bay_id(&self) -> Result<U::Key, Refused> {
        self.bay.key().ok_or(Refused::Missing(Part::Bay))
    }

    /// The `voucher`, which must be there.
    fn voucher(&self) -> Result<&super::voucher::Voucher<U::Key>, Refused> {
        self.voucher.now().ok_or(Refused::Missing(Part::Voucher))
    }

    /// The `spare`, which must be there.
    fn spare(&self) -> Result<&super::bay::Bay, Refused> {
        self.spare.now().ok_or(Refused::Missing(Part::Bay))
    }

    /// The key of the `spare`.
    fn spare_id(&self) -> Result<U::Key, Refused> {
        self.spare.key().ok_or(Refused::Missing(Part::Bay))
    }

    /// Returns an error if the rule does not hold.
    #[allow(clippy::nonminimal_bool, clippy::overly_complex_bool_expr)]
    fn require(&self, rule: Rule) -> Result<(), Refused> {
        let holds = match rule {
            Rule::HallInLitAndNotBayInRaised => {
                self.hall()?.state().is_active(super::hall::Leaf::Lit)
                    && !self.bay()?.state().is_active(super::bay::Leaf::Raised)
            }
            Rule::HallInOpen => self.hall()?.state().is_in(super::hall::Composite::Open),
            Rule::BayInGateAndBayInIdle => {
                self.bay()?.state().is_in(super::bay::Composite::Gate)
                    && self.bay()?.state().is_active(super::bay::Leaf::Idle)
            }
            Rule::BayInJammedOrBayInCycle => {
                self.bay()?.state().is_active(super::bay::Leaf::Jammed)
                    || self.bay()?.state().is_in(super::bay::Composite::Cycle)
            }
        };
        if holds { Ok(()) } else { Err(Refused::Rule(rule)) }
    }

    /// Raises an event in the `hall`.
    fn fire_hall(
        &mut self,
        event: super::hall::Event,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<(), Failure<U::Error>> {
        let mut next = Clone::clone(self.hall()?);
        let change = next.apply(event).map_err(Refused::Hall)?;
        phase.end(event.kind(), &change, |_, effect, _| match effect {})?;
        self.hall.put(next, change.commit());
        Ok(())
    }

    /// Raises an event in the `bay`.
    fn fire_bay(
        &mut self,
        event: super::bay::Recorded,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<super::bay::Change, Failure<U::Error>> {
        let mut next = Clone::clone(self.bay()?);
        let change = next.replay(event).map_err(Refused::Bay)?;
        let key = self.bay_id()?;
        phase
            .end(
                event.kind(),
                &change,
                |unit, effect, step| {
                    ::statespec::Effects::effect(&next, effect, step, Some(&event))
                        .map_or(Ok(()), |it| unit.perform_bay(key, it))
                },
            )?;
        self.bay.put(next, change.commit());
        Ok(change)
    }

    /// Raises the events of the links that watch the `bay`.
    fn follow_bay(
        &mut self,
        change: &super::bay::Change,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<(), Failure<U::Error>> {
        for step in change.steps() {
            if step.leaves_node(super::bay::Composite::Cycle.node()) {
                ::statespec::__private::optional(
                    self.exit_bay_cycle_fires_hall_count(phase),
                )?;
            }
            if step.leaves(super::bay::Leaf::Idle) {
                ::statespec::__private::optional(
                    self.exit_bay_idle_fires_hall_pay(phase),
                )?;
            }
            if step.leaves_node(super::bay::Composite::Gate.node()) {
                ::statespec::__private::optional(
                    self.exit_bay_gate_fires_hall_count(phase),
                )?;
            }
            if step.enters(super::bay::Leaf::Shut) {
                ::statespec::__private::optional(
                    self.enter_bay_shut_fires_hall_count(phase),
                )?;
            }
            if step.enters_node(super::bay::Composite::Brushes.node()) {
                self.enter_bay_brushes_fires_hall_morning(phase)?;
            }
            if step.enters(super::bay::Leaf::Jammed) {
                ::statespec::__private::optional(
                    self.enter_bay_jammed_fires_hall_alarm(phase),
                )?;
            }
        }
        Ok(())
    }

    /// Raises an event in the `voucher`.
    fn fire_voucher(
        &mut self,
        event: super::voucher::Event,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<(), Failure<U::Error>> {
        let mut next = Clone::clone(self.voucher()?);
        let change = next.apply(event).map_err(Refused::Voucher)?;
        phase.end(event.kind(), &change, |_, effect, _| match effect {})?;
        self.voucher.put(next, change.commit());
        Ok(())
    }

    /// Creates a `voucher`.
    fn create_voucher(
        &mut self,
        event: super::voucher::Event,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<(), Failure<U::Error>> {
        let (next, change) = super::voucher::Voucher::create_with(
                super::voucher::Context {
                    bay_id: self.bay.key(),
                    ..Default::default()
                },
                event,
            )
            .map_err(Refused::Voucher)?;
        phase.end(event.kind(), &change, |_, effect, _| match effect {})?;
        self.voucher.put(next, change.commit());
        Ok(())
    }

    /// Raises an event in the `spare`.
    fn fire_spare(
        &mut self,
        event: super::bay::Recorded,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<super::bay::Change, Failure<U::Error>> {
        let mut next = Clone::clone(self.spare()?);
        let change = next.replay(event).map_err(Refused::Bay)?;
        let key = self.spare_id()?;
        phase
            .end(
                event.kind(),
                &change,
                |unit, effect, step| {
                    ::statespec::Effects::effect(&next, effect, step, Some(&event))
                        .map_or(Ok(()), |it| unit.perform_bay(key, it))
                },
            )?;
        self.spare.put(next, change.commit());
        Ok(change)
    }

    /// Raises the events of the links that watch the `spare`.
    fn follow_spare(
        &mut self,
        change: &super::bay::Change,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<(), Failure<U::Error>> {
        for step in change.steps() {
            if step.leaves_node(super::bay::Composite::Cycle.node()) {
                ::statespec::__private::optional(
                    self.exit_spare_cycle_fires_hall_count(phase),
                )?;
            }
            if step.leaves(super::bay::Leaf::Idle) {
                ::statespec::__private::optional(
                    self.exit_spare_idle_fires_hall_pay(phase),
                )?;
            }
            if step.leaves_node(super::bay::Composite::Gate.node()) {
                ::statespec::__private::optional(
                    self.exit_spare_gate_fires_hall_count(phase),
                )?;
            }
            if step.enters(super::bay::Leaf::Shut) {
                ::statespec::__private::optional(
                    self.enter_spare_shut_fires_hall_count(phase),
                )?;
            }
            if step.enters_node(super::bay::Composite::Brushes.node()) {
                self.enter_spare_brushes_fires_hall_morning(phase)?;
            }
            if step.enters(super::bay::Leaf::Jammed) {
                ::statespec::__private::optional(
                    self.enter_spare_jammed_fires_hall_alarm(phase),
                )?;
            }
        }
        Ok(())
    }

    /// A car is done.
    #[allow(clippy::nonminimal_bool, clippy::overly_complex_bool_expr)]
    fn exit_bay_cycle_fires_hall_count(
        &mut self,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<(), Failure<U::Error>> {
        self.bay()?;
        let fires = !self.bay()?.state().is_active(super::bay::Leaf::Jammed);
        if !fires {
            return Ok(());
        }
        self.fire_hall(super::hall::Event::Count, phase)
    }

    /// Nobody may buy any more.
    fn enter_bay_jammed_fires_hall_alarm(
        &mut self,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<(), Failure<U::Error>> {
        self.fire_hall(super::hall::Event::Alarm, phase)
    }

    /// The region of the gate ends.
    fn exit_bay_gate_fires_hall_count(
        &mut self,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<(), Failure<U::Error>> {
        self.fire_hall(super::hall::Event::Count, phase)
    }

    /// The gate closes behind a car.
    #[allow(clippy::nonminimal_bool, clippy::overly_complex_bool_expr)]
    fn enter_bay_shut_fires_hall_count(
        &mut self,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<(), Failure<U::Error>> {
        self.bay()?;
        let fires = self.bay()?.state().is_in(super::bay::Composite::Cycle)
            && self.bay()?.context().washed > 1;
        if !fires {
            return Ok(());
        }
        self.fire_hall(super::hall::Event::Count, phase)
    }

    /// The first bay wakes the hall.
    fn enter_bay_brushes_fires_hall_morning(
        &mut self,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<(), Failure<U::Error>> {
        self.hall()?;
        let fires = self.hall()?.state().is_active(super::hall::Leaf::Dark);
        if !fires {
            return Ok(());
        }
        self.fire_hall(super::hall::Event::Morning, phase)
    }

    /// The third car brings the card reader.
    #[allow(clippy::nonminimal_bool, clippy::overly_complex_bool_expr)]
    fn exit_bay_idle_fires_hall_pay(
        &mut self,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<(), Failure<U::Error>> {
        self.hall()?;
        self.bay()?;
        let fires = self.hall()?.state().is_active(super::hall::Leaf::Cash)
            && self.bay()?.context().washed == 2;
        if !fires {
            return Ok(());
        }
        self.fire_hall(
            super::hall::Event::Pay {
                by: super::hall::Leaf::Card,
            },
            phase,
        )
    }

    /// A car is done.
    #[allow(clippy::nonminimal_bool, clippy::overly_complex_bool_expr)]
    fn exit_spare_cycle_fires_hall_count(
        &mut self,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<(), Failure<U::Error>> {
        self.spare()?;
        let fires = !self.spare()?.state().is_active(super::bay::Leaf::Jammed);
        if !fires {
            return Ok(());
        }
        self.fire_hall(super::hall::Event::Count, phase)
    }

    /// Nobody may buy any more.
    fn enter_spare_jammed_fires_hall_alarm(
        &mut self,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<(), Failure<U::Error>> {
        self.fire_hall(super::hall::Event::Alarm, phase)
    }

    /// The region of the gate ends.
    fn exit_spare_gate_fires_hall_count(
        &mut self,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<(), Failure<U::Error>> {
        self.fire_hall(super::hall::Event::Count, phase)
    }

    /// The gate closes behind a car.
    #[allow(clippy::nonminimal_bool, clippy::overly_complex_bool_expr)]
    fn enter_spare_shut_fires_hall_count(
        &mut self,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<(), Failure<U::Error>> {
        self.spare()?;
        let fires = self.spare()?.state().is_in(super::bay::Composite::Cycle)
            && self.spare()?.context().washed > 1;
        if !fires {
            return Ok(());
        }
        self.fire_hall(super::hall::Event::Count, phase)
    }

    /// The first bay wakes the hall.
    fn enter_spare_brushes_fires_hall_morning(
        &mut self,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<(), Failure<U::Error>> {
        self.hall()?;
        let fires = self.hall()?.state().is_active(super::hall::Leaf::Dark);
        if !fires {
            return Ok(());
        }
        self.fire_hall(super::hall::Event::Morning, phase)
    }

    /// The third car brings the card reader.
    #[allow(clippy::nonminimal_bool, clippy::overly_complex_bool_expr)]
    fn exit_spare_idle_fires_hall_pay(
        &mut self,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<(), Failure<U::Error>> {
        self.hall()?;
        self.spare()?;
        let fires = self.hall()?.state().is_active(super::hall::Leaf::Cash)
            && self.spare()?.context().washed == 2;
        if !fires {
            return Ok(());
        }
        self.fire_hall(
            super::hall::Event::Pay {
                by: super::hall::Leaf::Card,
            },
            phase,
        )
    }

    /// Saves the parts that changed, checks the invariants that read these, and says when the store is written.
    fn save(&self, unit: &mut U) -> Result<::statespec::Commit, Failure<U::Error>> {
        self.hall
            .save(|before, after| unit.save_hall(before, after))
            .map_err(Failure::store)?;
        self.bay
            .save_by_key(|key, before, after| unit.save_bay(key, before, after))
            .map_err(Failure::store)?;
        self.voucher
            .save_by_key(|key, before, after| unit.save_voucher(key, before, after))
            .map_err(Failure::store)?;
        self.spare
            .save_by_key(|key, before, after| unit.save_bay(key, before, after))
            .map_err(Failure::store)?;
        if self.hall.is_changed() {
            Invariant::HallInLitOrHallInClosed.check(unit)?;
        }
        if self.bay.is_changed() || self.voucher.is_changed() || self.spare.is_changed()
        {
            Invariant::VoucherIsNotUsedOrBayInInUseOrBayInJammed.check(unit)?;
        }
        Ok(
            self
                .hall
                .order()
                .min(self.bay.order())
                .min(self.voucher.order())
                .min(self.spare.order()),
        )
    }
}

impl<U: UnitOfWork> Clone for World<U> {
    fn clone(&self) -> Self {
        World {
            hall: Clone::clone(&self.hall),
            bay: Clone::clone(&self.bay),
            voucher: Clone::clone(&self.voucher),
            spare: Clone::clone(&self.spare),
        }
    }
}
