//! Failures.
//!
//! The same failures around a transaction.

::statespec::__emitted!(6);

/// The transaction `store_first`.
pub fn store_first<U: UnitOfWork>(unit: &mut U) -> Result<(), Failure<U::Error>> {
    Transaction::StoreFirst
        .transact(
            unit,
            |unit| World::empty().load_failing(unit),
            |_, after, phase| {
                after.fire_failing(super::failing::Event::StoreFirst, phase)
            },
        )
}

/// The transaction `move_first`.
pub fn move_first<U: UnitOfWork>(unit: &mut U) -> Result<(), Failure<U::Error>> {
    Transaction::MoveFirst
        .transact(
            unit,
            |unit| World::empty().load_failing(unit),
            |_, after, phase| after.fire_failing(super::failing::Event::MoveFirst, phase),
        )
}

/// The transaction `move_only`.
pub fn move_only<U: UnitOfWork>(unit: &mut U) -> Result<(), Failure<U::Error>> {
    Transaction::MoveOnly
        .transact(
            unit,
            |unit| World::empty().load_failing(unit),
            |_, after, phase| after.fire_failing(super::failing::Event::MoveOnly, phase),
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

/// The store of a `failures`, and the host of its effects, during one transaction.
pub trait UnitOfWork: ::statespec::Unit {
    /// Loads the `failing`.
    fn load_failing(&mut self) -> Result<Option<super::failing::Failing>, Self::Error>;

    /// Takes the `failing` after a change into the transaction; `before` is what was loaded, `None` where it is new. The commit says whether the store is written. A failure undoes the transaction.
    fn save_failing(
        &mut self,
        before: Option<&super::failing::Failing>,
        after: &super::failing::Failing,
    ) -> Result<(), Self::Error>;

    /// Performs an effect of the `failing`; `effect.perform(host)` calls its method of a host.
    fn perform_failing(
        &mut self,
        effect: super::failing::Effect,
    ) -> Result<(), Self::Error>;
}

impl<U: UnitOfWork> UnitOfWork for ::statespec::Planning<'_, U> {
    fn load_failing(&mut self) -> Result<Option<super::failing::Failing>, Self::Error> {
        self.unit_mut().load_failing()
    }

    fn save_failing(
        &mut self,
        before: Option<&super::failing::Failing>,
        after: &super::failing::Failing,
    ) -> Result<(), Self::Error> {
        self.unit_mut().save_failing(before, after)
    }

    fn perform_failing(
        &mut self,
        _effect: super::failing::Effect,
    ) -> Result<(), Self::Error> {
        Ok(())
    }
}

/// Why a transaction was refused; everything is as it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    /// A part that the transaction needs is not there.
    Missing(Part),
    /// The machine of `failing` refused its event.
    Failing(super::failing::Refused),
}

impl Refused {
    /// The kind of the refusal in one word, for metrics.
    pub fn reason(&self) -> &'static str {
        match self {
            Refused::Missing(_) => "missing",
            Refused::Failing(refused) => refused.reason().name(),
        }
    }
}

impl ::core::fmt::Display for Refused {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        match self {
            Refused::Missing(part) => ::core::write!(f, "there is no {}", part.name()),
            Refused::Failing(refused) => ::core::fmt::Display::fmt(refused, f),
        }
    }
}

impl ::core::error::Error for Refused {}

/// Why a transaction stopped; `X` is the error of the unit of work.
pub type Failure<X> = ::statespec::Failure<Refused, X>;

/// The parts: machines in a role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// The part `failing`.
    Failing,
}

::statespec::__unit_enum!(pub Part, "part", 1, [Failing("failing")], serde);

impl Part {
    /// The name of the part that a person reads.
    pub const fn label(self) -> &'static str {
        const TEXTS: &[&str; 1] = &["Failing"];
        TEXTS[self as usize]
    }
}

/// The transactions of the system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Transaction {
    /// The transaction `store_first`.
    StoreFirst,
    /// The transaction `move_first`.
    MoveFirst,
    /// The transaction `move_only`.
    MoveOnly,
}

::statespec::__unit_enum!(
    pub Transaction, "transaction", 3, [StoreFirst("store_first"),
    MoveFirst("move_first"), MoveOnly("move_only")], serde
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
                "failures",
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
    failing: ::statespec::__private::Slot<super::failing::Failing, U::Key>,
}

impl<U: UnitOfWork> World<U> {
    /// Nothing is loaded.
    const fn empty() -> Self {
        World {
            failing: ::statespec::__private::Slot::empty(),
        }
    }

    /// Loads the `failing`.
    fn load_failing(mut self, unit: &mut U) -> Result<Self, U::Error> {
        self.failing = ::statespec::__private::Slot::found_or(
            None,
            unit.load_failing()?,
            super::failing::Failing::new,
        );
        Ok(self)
    }

    /// The `failing`, which must be there.
    fn failing(&self) -> Result<&super::failing::Failing, Refused> {
        self.failing.now().ok_or(Refused::Missing(Part::Failing))
    }

    /// Raises an event in the `failing`.
    fn fire_failing(
        &mut self,
        event: super::failing::Event,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<(), Failure<U::Error>> {
        let mut next = Clone::clone(self.failing()?);
        let change = next.apply(event).map_err(Refused::Failing)?;
        phase
            .end(
                event.kind(),
                &change,
                |unit, effect, step| {
                    ::statespec::Effects::effect(&next, effect, step, Some(&event))
                        .map_or(Ok(()), |it| unit.perform_failing(it))
                },
            )?;
        self.failing.put(next, change.commit());
        Ok(())
    }

    /// Saves the parts that changed, and says when the store is written.
    fn save(&self, unit: &mut U) -> Result<::statespec::Commit, Failure<U::Error>> {
        self.failing
            .save(|before, after| unit.save_failing(before, after))
            .map_err(Failure::store)?;
        Ok(self.failing.order())
    }
}

impl<U: UnitOfWork> Clone for World<U> {
    fn clone(&self) -> Self {
        World {
            failing: Clone::clone(&self.failing),
        }
    }
}
