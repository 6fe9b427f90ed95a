//! Rack.
//!
//! Parts with names that emitted code could use, or that begin with a digit without their `_`.

::statespec::__emitted!(6);

/// The transaction `lift`.
pub fn lift<U: UnitOfWork>(unit: &mut U, weight: i64) -> Result<(), Failure<U::Error>> {
    Transaction::Lift
        .transact(
            unit,
            |unit| World::empty().load_base(unit)?.load_owner(unit),
            |before, after, phase| {
                before.base()?;
                before.owner()?;
                after
                    .fire_owner(
                        super::shelf::Event::Lift {
                            weight,
                        },
                        phase,
                    )
            },
        )
}

/// The transaction `lift_both`.
pub fn lift_both<U: UnitOfWork>(
    unit: &mut U,
    weight: i64,
) -> Result<(), Failure<U::Error>> {
    Transaction::LiftBoth
        .transact(
            unit,
            |unit| World::empty().load_base(unit)?.load_owner(unit)?.load_part_1(unit),
            |before, after, phase| {
                before.base()?;
                before.owner()?;
                before._1()?;
                after
                    .fire_owner(
                        super::shelf::Event::Lift {
                            weight,
                        },
                        phase,
                    )?;
                after
                    .fire_part_1(
                        super::shelf::Event::Lift {
                            weight,
                        },
                        phase,
                    )
            },
        )
}

/// The transaction `lower`.
pub fn lower<U: UnitOfWork>(unit: &mut U) -> Result<(), Failure<U::Error>> {
    Transaction::Lower
        .transact(
            unit,
            |unit| World::empty().load_base(unit)?.load_owner(unit),
            |before, after, phase| {
                before.base()?;
                before.owner()?;
                after.fire_owner(super::shelf::Event::Lower, phase)
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

/// The store of a `rack`, and the host of its effects, during one transaction.
pub trait UnitOfWork: ::statespec::Unit {
    /// The key of the `base`.
    fn base_key(&mut self) -> Result<Self::Key, Self::Error>;

    /// Loads the `base`.
    fn load_base(
        &mut self,
    ) -> Result<Option<super::shelf::Shelf<Self::Key>>, Self::Error>;

    /// Takes the `base` after a change into the transaction; `before` is what was loaded, `None` where it is new. The commit says whether the store is written. A failure undoes the transaction.
    fn save_base(
        &mut self,
        before: Option<&super::shelf::Shelf<Self::Key>>,
        after: &super::shelf::Shelf<Self::Key>,
    ) -> Result<(), Self::Error>;

    /// Loads the `owner`.
    fn load_owner(
        &mut self,
    ) -> Result<Option<super::shelf::Shelf<Self::Key>>, Self::Error>;

    /// Takes the `owner` after a change into the transaction; `before` is what was loaded, `None` where it is new. The commit says whether the store is written. A failure undoes the transaction.
    fn save_owner(
        &mut self,
        before: Option<&super::shelf::Shelf<Self::Key>>,
        after: &super::shelf::Shelf<Self::Key>,
    ) -> Result<(), Self::Error>;

    /// Loads the `_1`.
    fn load_part_1(
        &mut self,
    ) -> Result<Option<super::shelf::Shelf<Self::Key>>, Self::Error>;

    /// Takes the `_1` after a change into the transaction; `before` is what was loaded, `None` where it is new. The commit says whether the store is written. A failure undoes the transaction.
    fn save_part_1(
        &mut self,
        before: Option<&super::shelf::Shelf<Self::Key>>,
        after: &super::shelf::Shelf<Self::Key>,
    ) -> Result<(), Self::Error>;
}

impl<U: UnitOfWork> UnitOfWork for ::statespec::Planning<'_, U> {
    fn base_key(&mut self) -> Result<Self::Key, Self::Error> {
        self.unit_mut().base_key()
    }

    fn load_base(
        &mut self,
    ) -> Result<Option<super::shelf::Shelf<Self::Key>>, Self::Error> {
        self.unit_mut().load_base()
    }

    fn save_base(
        &mut self,
        before: Option<&super::shelf::Shelf<Self::Key>>,
        after: &super::shelf::Shelf<Self::Key>,
    ) -> Result<(), Self::Error> {
        self.unit_mut().save_base(before, after)
    }

    fn load_owner(
        &mut self,
    ) -> Result<Option<super::shelf::Shelf<Self::Key>>, Self::Error> {
        self.unit_mut().load_owner()
    }

    fn save_owner(
        &mut self,
        before: Option<&super::shelf::Shelf<Self::Key>>,
        after: &super::shelf::Shelf<Self::Key>,
    ) -> Result<(), Self::Error> {
        self.unit_mut().save_owner(before, after)
    }

    fn load_part_1(
        &mut self,
    ) -> Result<Option<super::shelf::Shelf<Self::Key>>, Self::Error> {
        self.unit_mut().load_part_1()
    }

    fn save_part_1(
        &mut self,
        before: Option<&super::shelf::Shelf<Self::Key>>,
        after: &super::shelf::Shelf<Self::Key>,
    ) -> Result<(), Self::Error> {
        self.unit_mut().save_part_1(before, after)
    }
}

/// Why a transaction was refused; everything is as it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    /// A part that the transaction needs is not there.
    Missing(Part),
    /// An invariant would not hold afterwards.
    Invariant(Invariant),
    /// The machine of `base` refused its event.
    Base(super::shelf::Refused),
    /// The machine of `owner` refused its event.
    Owner(super::shelf::Refused),
    /// The machine of `_1` refused its event.
    _1(super::shelf::Refused),
}

impl Refused {
    /// The kind of the refusal in one word, for metrics.
    pub fn reason(&self) -> &'static str {
        match self {
            Refused::Missing(_) => "missing",
            Refused::Invariant(_) => "invariant",
            Refused::Base(refused) => refused.reason().name(),
            Refused::Owner(refused) => refused.reason().name(),
            Refused::_1(refused) => refused.reason().name(),
        }
    }
}

impl ::core::fmt::Display for Refused {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        match self {
            Refused::Missing(part) => ::core::write!(f, "there is no {}", part.name()),
            Refused::Invariant(invariant) => f.write_str(invariant.doc()),
            Refused::Base(refused) => ::core::fmt::Display::fmt(refused, f),
            Refused::Owner(refused) => ::core::fmt::Display::fmt(refused, f),
            Refused::_1(refused) => ::core::fmt::Display::fmt(refused, f),
        }
    }
}

impl ::core::error::Error for Refused {}

/// Why a transaction stopped; `X` is the error of the unit of work.
pub type Failure<X> = ::statespec::Failure<Refused, X>;

/// The invariants: conditions that hold after every transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Invariant {
    /// The first one is lifted with the owner.
    OwnerIsLowOr1isHigh,
}

::statespec::__unit_enum!(
    pub Invariant, "invariant", 1, [OwnerIsLowOr1isHigh("owner_is_low_or1is_high")],
    serde
);

impl Invariant {
    /// The description of the invariant in the spec.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 1] = &["The first one is lifted with the owner"];
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
            Invariant::OwnerIsLowOr1isHigh => check_owner_is_low_or1is_high(unit),
        };
        if holds.map_err(Failure::store)? {
            Ok(())
        } else {
            Err(Refused::Invariant(self).into())
        }
    }
}

/// The first one is lifted with the owner.
#[allow(clippy::nonminimal_bool, clippy::overly_complex_bool_expr)]
fn check_owner_is_low_or1is_high<U: UnitOfWork>(unit: &mut U) -> Result<bool, U::Error> {
    let owner = unit.base_key()?;
    let owner_ = unit
        .load_owner()?
        .unwrap_or_else(|| super::shelf::Shelf::restore(
            super::shelf::State::INITIAL,
            super::shelf::Context {
                owner: Some(owner),
                ..Default::default()
            },
        ));
    let owner = unit.base_key()?;
    let part_1 = unit
        .load_part_1()?
        .unwrap_or_else(|| super::shelf::Shelf::restore(
            super::shelf::State::INITIAL,
            super::shelf::Context {
                owner: Some(owner),
                ..Default::default()
            },
        ));
    Ok(
        owner_.state() == super::shelf::State::Low
            || part_1.state() == super::shelf::State::High,
    )
}

/// Compares two instances of the part `owner` by the order `_1`, in a state of `base`.
///
/// A stable sort keeps the order of equal instances.
pub fn _1_of_owner<R>(
    state: super::shelf::State,
    first: &super::shelf::Shelf<R>,
    second: &super::shelf::Shelf<R>,
) -> ::core::cmp::Ordering {
    fn item<R>(of: &super::shelf::Shelf<R>) -> super::shelf::_1Item {
        let context = of.context();
        super::shelf::_1Item {
            weight: context.weight,
        }
    }
    state._1(&item(first), &item(second))
}

/// Compares two instances of the part `_1` by the order `_1`, in a state of `base`.
///
/// A stable sort keeps the order of equal instances.
pub fn _1_of_1<R>(
    state: super::shelf::State,
    first: &super::shelf::Shelf<R>,
    second: &super::shelf::Shelf<R>,
) -> ::core::cmp::Ordering {
    fn item<R>(of: &super::shelf::Shelf<R>) -> super::shelf::_1Item {
        let context = of.context();
        super::shelf::_1Item {
            weight: context.weight,
        }
    }
    state._1(&item(first), &item(second))
}

/// The parts: machines in a role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// The part `base`.
    Base,
    /// The part `owner`.
    Owner,
    /// The part `_1`.
    _1,
}

::statespec::__unit_enum!(
    pub Part, "part", 3, [Base("base"), Owner("owner"), _1("_1")], serde
);

impl Part {
    /// The name of the part that a person reads.
    pub const fn label(self) -> &'static str {
        const TEXTS: &[&str; 3] = &["Base", "Owner", "_1"];
        TEXTS[self as usize]
    }
}

/// The transactions of the system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Transaction {
    /// The transaction `lift`.
    Lift,
    /// The transaction `lift_both`.
    LiftBoth,
    /// The transaction `lower`.
    Lower,
}

::statespec::__unit_enum!(
    pub Transaction, "transaction", 3, [Lift("lift"), LiftBoth("lift_both"),
    Lower("lower")], serde
);

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
        let result = run(unit);
        let actor = None;
        unit.observe_transaction(
            &::statespec::Transacted::new(
                "rack",
                self.name(),
                actor,
                &result,
                Refused::reason,
            ),
        );
        result
    }

    /// Whether the spec asks for one database transaction.
    pub const fn is_atomic(self) -> bool {
        false
    }
}

/// The parts as a transaction sees them.
struct World<U: UnitOfWork> {
    base: ::statespec::__private::Slot<super::shelf::Shelf<U::Key>, U::Key>,
    owner: ::statespec::__private::Slot<super::shelf::Shelf<U::Key>, U::Key>,
    _1: ::statespec::__private::Slot<super::shelf::Shelf<U::Key>, U::Key>,
}

impl<U: UnitOfWork> World<U> {
    /// Nothing is loaded.
    const fn empty() -> Self {
        World {
            base: ::statespec::__private::Slot::empty(),
            owner: ::statespec::__private::Slot::empty(),
            _1: ::statespec::__private::Slot::empty(),
        }
    }

    /// Loads the `base`.
    fn load_base(mut self, unit: &mut U) -> Result<Self, U::Error> {
        self.base = ::statespec::__private::Slot::found_or(
            Some(unit.base_key()?),
            unit.load_base()?,
            super::shelf::Shelf::new,
        );
        Ok(self)
    }

    /// Loads the `owner`.
    fn load_owner(mut self, unit: &mut U) -> Result<Self, U::Error> {
        self.owner = ::statespec::__private::Slot::owned_or(
            None,
            unit.load_owner()?,
            |it| it.context().owner == self.base.key(),
            || super::shelf::Shelf::restore(
                super::shelf::State::INITIAL,
                super::shelf::Context {
                    owner: self.base.key(),
                    ..Default::default()
                },
            ),
        );
        Ok(self)
    }

    /// Loads the `_1`.
    fn load_part_1(mut self, unit: &mut U) -> Result<Self, U::Error> {
        self._1 = ::statespec::__private::Slot::owned_or(
            None,
            unit.load_part_1()?,
            |it| it.context().owner == self.base.key(),
            || super::shelf::Shelf::restore(
                super::shelf::State::INITIAL,
                super::shelf::Context {
                    owner: self.base.key(),
                    ..Default::default()
                },
            ),
        );
        Ok(self)
    }

    /// The `base`, which must be there.
    fn base(&self) -> Result<&super::shelf::Shelf<U::Key>, Refused> {
        self.base.now().ok_or(Refused::Missing(Part::Base))
    }

    /// The `owner`, which must be there.
    fn owner(&self) -> Result<&super::shelf::Shelf<U::Key>, Refused> {
        self.owner.now().ok_or(Refused::Missing(Part::Owner))
    }

    /// The `_1`, which must be there.
    fn _1(&self) -> Result<&super::shelf::Shelf<U::Key>, Refused> {
        self._1.now().ok_or(Refused::Missing(Part::_1))
    }

    /// Raises an event in the `owner`.
    fn fire_owner(
        &mut self,
        event: super::shelf::Event,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<(), Failure<U::Error>> {
        let mut next = Clone::clone(self.owner()?);
        let change = next.apply(event).map_err(Refused::Owner)?;
        phase.end(event.kind(), &change, |_, effect, _| match effect {})?;
        self.owner.put(next, change.commit());
        Ok(())
    }

    /// Raises an event in the `_1`.
    fn fire_part_1(
        &mut self,
        event: super::shelf::Event,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<(), Failure<U::Error>> {
        let mut next = Clone::clone(self._1()?);
        let change = next.apply(event).map_err(Refused::_1)?;
        phase.end(event.kind(), &change, |_, effect, _| match effect {})?;
        self._1.put(next, change.commit());
        Ok(())
    }

    /// Saves the parts that changed, checks the invariants that read these, and says when the store is written.
    fn save(&self, unit: &mut U) -> Result<::statespec::Commit, Failure<U::Error>> {
        self.owner
            .save(|before, after| unit.save_owner(before, after))
            .map_err(Failure::store)?;
        self._1
            .save(|before, after| unit.save_part_1(before, after))
            .map_err(Failure::store)?;
        if self.owner.is_changed() || self._1.is_changed() {
            Invariant::OwnerIsLowOr1isHigh.check(unit)?;
        }
        Ok(self.owner.order().min(self._1.order()))
    }
}

impl<U: UnitOfWork> Clone for World<U> {
    fn clone(&self) -> Self {
        World {
            base: Clone::clone(&self.base),
            owner: Clone::clone(&self.owner),
            _1: Clone::clone(&self._1),
        }
    }
}
