//! Desk.
//!
//! Names that Rust knows already, as names of parts, and one that begins with a digit without its `_`.

::statespec::__emitted!(6);

/// The transaction `move_in`.
pub fn move_in<U: UnitOfWork>(unit: &mut U) -> Result<U::Key, Failure<U::Error>> {
    Transaction::MoveIn
        .attempt(
            unit,
            |unit| {
                let tenant_id = unit.new_tenant().map_err(Failure::store)?;
                ::statespec::__private::transact(
                    unit,
                    |_| Ok(World::empty().new_tenant(tenant_id)),
                    |_, after, phase| {
                        after.create_tenant(super::outcome::Event::Make, phase)
                    },
                    World::save,
                )?;
                Ok(tenant_id)
            },
        )
}

/// The transaction `move_out`.
pub fn move_out<U: UnitOfWork>(
    unit: &mut U,
    tenant_id: U::Key,
) -> Result<(), Failure<U::Error>> {
    Transaction::MoveOut
        .transact(
            unit,
            |unit| World::empty().load_tenant(unit, tenant_id),
            |_, after, phase| after.fire_tenant(super::outcome::Event::Close, phase),
        )
}

/// The transaction `write`.
pub fn write<U: UnitOfWork>(
    unit: &mut U,
    tenant_id: U::Key,
) -> Result<U::Key, Failure<U::Error>> {
    Transaction::Write
        .attempt(
            unit,
            |unit| {
                let into_id = unit.new_into().map_err(Failure::store)?;
                ::statespec::__private::transact(
                    unit,
                    |unit| World::empty().new_into(into_id).load_tenant(unit, tenant_id),
                    |before, after, phase| {
                        before.tenant()?;
                        after.create_into(super::outcome::Event::Make, phase)
                    },
                    World::save,
                )?;
                Ok(into_id)
            },
        )
}

/// The transaction `close`.
pub fn close<U: UnitOfWork>(
    unit: &mut U,
    into_id: U::Key,
) -> Result<(), Failure<U::Error>> {
    Transaction::Close
        .transact(
            unit,
            |unit| World::empty().load_into(unit, into_id)?.load_tenant_of_into(unit),
            |before, after, phase| {
                before.tenant()?;
                before.into_()?;
                before.require(Rule::TenantIsOpen)?;
                after.fire_into(super::outcome::Event::Close, phase)
            },
        )
}

/// The transaction `first`.
pub fn first<U: UnitOfWork>(unit: &mut U) -> Result<(), Failure<U::Error>> {
    Transaction::First
        .transact(
            unit,
            |unit| World::empty().load_part_1(unit),
            |_, after, phase| after.create_part_1(super::outcome::Event::Make, phase),
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

/// The store of a `desk`, and the host of its effects, during one transaction.
pub trait UnitOfWork: ::statespec::Unit {
    /// The key of a new `tenant`: called once for each that is created.
    fn new_tenant(&mut self) -> Result<Self::Key, Self::Error>;

    /// Loads a `tenant`.
    fn load_tenant(
        &mut self,
        key: Self::Key,
    ) -> Result<Option<super::outcome::Outcome_<Self::Key>>, Self::Error>;

    /// Takes the `tenant` after a change into the transaction; `before` is what was loaded, `None` where it is new. The commit says whether the store is written. A failure undoes the transaction.
    fn save_tenant(
        &mut self,
        key: Self::Key,
        before: Option<&super::outcome::Outcome_<Self::Key>>,
        after: &super::outcome::Outcome_<Self::Key>,
    ) -> Result<(), Self::Error>;

    /// The key of a new `into`: called once for each that is created.
    fn new_into(&mut self) -> Result<Self::Key, Self::Error>;

    /// Loads an `into`.
    fn load_into(
        &mut self,
        key: Self::Key,
    ) -> Result<Option<super::outcome::Outcome_<Self::Key>>, Self::Error>;

    /// Takes the `into` after a change into the transaction; `before` is what was loaded, `None` where it is new. The commit says whether the store is written. A failure undoes the transaction.
    fn save_into(
        &mut self,
        key: Self::Key,
        before: Option<&super::outcome::Outcome_<Self::Key>>,
        after: &super::outcome::Outcome_<Self::Key>,
    ) -> Result<(), Self::Error>;

    /// Loads the `_1`.
    fn load_part_1(
        &mut self,
    ) -> Result<Option<super::outcome::Outcome_<Self::Key>>, Self::Error>;

    /// Takes the `_1` after a change into the transaction; `before` is what was loaded, `None` where it is new. The commit says whether the store is written. A failure undoes the transaction.
    fn save_part_1(
        &mut self,
        before: Option<&super::outcome::Outcome_<Self::Key>>,
        after: &super::outcome::Outcome_<Self::Key>,
    ) -> Result<(), Self::Error>;
}

impl<U: UnitOfWork> UnitOfWork for ::statespec::Planning<'_, U> {
    fn new_tenant(&mut self) -> Result<Self::Key, Self::Error> {
        self.unit_mut().new_tenant()
    }

    fn load_tenant(
        &mut self,
        key: Self::Key,
    ) -> Result<Option<super::outcome::Outcome_<Self::Key>>, Self::Error> {
        self.unit_mut().load_tenant(key)
    }

    fn save_tenant(
        &mut self,
        key: Self::Key,
        before: Option<&super::outcome::Outcome_<Self::Key>>,
        after: &super::outcome::Outcome_<Self::Key>,
    ) -> Result<(), Self::Error> {
        self.unit_mut().save_tenant(key, before, after)
    }

    fn new_into(&mut self) -> Result<Self::Key, Self::Error> {
        self.unit_mut().new_into()
    }

    fn load_into(
        &mut self,
        key: Self::Key,
    ) -> Result<Option<super::outcome::Outcome_<Self::Key>>, Self::Error> {
        self.unit_mut().load_into(key)
    }

    fn save_into(
        &mut self,
        key: Self::Key,
        before: Option<&super::outcome::Outcome_<Self::Key>>,
        after: &super::outcome::Outcome_<Self::Key>,
    ) -> Result<(), Self::Error> {
        self.unit_mut().save_into(key, before, after)
    }

    fn load_part_1(
        &mut self,
    ) -> Result<Option<super::outcome::Outcome_<Self::Key>>, Self::Error> {
        self.unit_mut().load_part_1()
    }

    fn save_part_1(
        &mut self,
        before: Option<&super::outcome::Outcome_<Self::Key>>,
        after: &super::outcome::Outcome_<Self::Key>,
    ) -> Result<(), Self::Error> {
        self.unit_mut().save_part_1(before, after)
    }
}

/// Why a transaction was refused; everything is as it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    /// A part that the transaction needs is not there.
    Missing(Part),
    /// A rule does not hold.
    Rule(Rule),
    /// The machine of `tenant` refused its event.
    Tenant(super::outcome::Refused),
    /// The machine of `into` refused its event.
    Into(super::outcome::Refused),
    /// The machine of `_1` refused its event.
    _1(super::outcome::Refused),
}

impl Refused {
    /// The kind of the refusal in one word, for metrics.
    pub fn reason(&self) -> &'static str {
        match self {
            Refused::Missing(_) => "missing",
            Refused::Rule(_) => "rule",
            Refused::Tenant(refused) => refused.reason().name(),
            Refused::Into(refused) => refused.reason().name(),
            Refused::_1(refused) => refused.reason().name(),
        }
    }
}

impl ::core::fmt::Display for Refused {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        match self {
            Refused::Missing(part) => ::core::write!(f, "there is no {}", part.name()),
            Refused::Rule(rule) => f.write_str(rule.doc()),
            Refused::Tenant(refused) => ::core::fmt::Display::fmt(refused, f),
            Refused::Into(refused) => ::core::fmt::Display::fmt(refused, f),
            Refused::_1(refused) => ::core::fmt::Display::fmt(refused, f),
        }
    }
}

impl ::core::error::Error for Refused {}

/// Why a transaction stopped; `X` is the error of the unit of work.
pub type Failure<X> = ::statespec::Failure<Refused, X>;

/// The rules: conditions on raising events, read before the transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// The tenant must be open.
    TenantIsOpen,
}

::statespec::__unit_enum!(pub Rule, "rule", 1, [TenantIsOpen("tenant_is_open")], serde);

impl Rule {
    /// The description of the rule in the spec.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 1] = &["The tenant must be open"];
        TEXTS[self as usize]
    }
}

/// The parts: machines in a role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// The part `tenant`.
    Tenant,
    /// The part `into`.
    Into,
    /// The part `_1`.
    _1,
}

::statespec::__unit_enum!(
    pub Part, "part", 3, [Tenant("tenant"), Into("into"), _1("_1")], serde
);

impl Part {
    /// The name of the part that a person reads.
    pub const fn label(self) -> &'static str {
        const TEXTS: &[&str; 3] = &["Tenant", "Into", "_1"];
        TEXTS[self as usize]
    }
}

/// The transactions of the system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Transaction {
    /// The transaction `move_in`.
    MoveIn,
    /// The transaction `move_out`.
    MoveOut,
    /// The transaction `write`.
    Write,
    /// The transaction `close`.
    Close,
    /// The transaction `first`.
    First,
}

::statespec::__unit_enum!(
    pub Transaction, "transaction", 5, [MoveIn("move_in"), MoveOut("move_out"),
    Write("write"), Close("close"), First("first")], serde
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
                "desk",
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
    tenant: ::statespec::__private::Slot<super::outcome::Outcome_<U::Key>, U::Key>,
    into: ::statespec::__private::Slot<super::outcome::Outcome_<U::Key>, U::Key>,
    _1: ::statespec::__private::Slot<super::outcome::Outcome_<U::Key>, U::Key>,
}

impl<U: UnitOfWork> World<U> {
    /// Nothing is loaded.
    const fn empty() -> Self {
        World {
            tenant: ::statespec::__private::Slot::empty(),
            into: ::statespec::__private::Slot::empty(),
            _1: ::statespec::__private::Slot::empty(),
        }
    }

    /// Loads the `tenant`.
    fn load_tenant(mut self, unit: &mut U, key: U::Key) -> Result<Self, U::Error> {
        self.tenant = ::statespec::__private::Slot::new(
            Some(key),
            unit.load_tenant(key)?,
        );
        Ok(self)
    }

    /// Loads the `tenant` that the `into` belongs to.
    fn load_tenant_of_into(mut self, unit: &mut U) -> Result<Self, U::Error> {
        if let Some(key) = self.into.now().and_then(|it| it.context().owner) {
            self.tenant = ::statespec::__private::Slot::new(
                Some(key),
                unit.load_tenant(key)?,
            );
        }
        Ok(self)
    }

    /// Makes place for a new `tenant`.
    fn new_tenant(mut self, key: U::Key) -> Self {
        self.tenant = ::statespec::__private::Slot::new(Some(key), None);
        self
    }

    /// Loads the `into`.
    fn load_into(mut self, unit: &mut U, key: U::Key) -> Result<Self, U::Error> {
        self.into = ::statespec::__private::Slot::new(Some(key), unit.load_into(key)?);
        Ok(self)
    }

    /// Makes place for a new `into`.
    fn new_into(mut self, key: U::Key) -> Self {
        self.into = ::statespec::__private::Slot::new(Some(key), None);
        self
    }

    /// Loads the `_1`.
    fn load_part_1(mut self, unit: &mut U) -> Result<Self, U::Error> {
        self._1 = ::statespec::__private::Slot::new(None, unit.load_part_1()?);
        Ok(self)
    }

    /// The `tenant`, which must be there.
    fn tenant(&self) -> Result<&super::outcome::Outcome_<U::Key>, Refused> {
        self.tenant.now().ok_or(Refused::Missing(Part::Tenant))
    }

    /// The `into`, which must be there.
    fn into_(&self) -> Result<&super::outcome::Outcome_<U::Key>, Refused> {
        self.into.now().ok_or(Refused::Missing(Part::Into))
    }

    /// The `_1`, which must be there.
    fn _1(&self) -> Result<&super::outcome::Outcome_<U::Key>, Refused> {
        self._1.now().ok_or(Refused::Missing(Part::_1))
    }

    /// Returns an error if the rule does not hold.
    fn require(&self, rule: Rule) -> Result<(), Refused> {
        let holds = match rule {
            Rule::TenantIsOpen => self.tenant()?.state() == super::outcome::State::Open,
        };
        if holds { Ok(()) } else { Err(Refused::Rule(rule)) }
    }

    /// Raises an event in the `tenant`.
    fn fire_tenant(
        &mut self,
        event: super::outcome::Event,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<(), Failure<U::Error>> {
        let mut next = Clone::clone(self.tenant()?);
        let change = next.apply(event).map_err(Refused::Tenant)?;
        phase.end(event.kind(), &change, |_, effect, _| match effect {})?;
        self.tenant.put(next, change.commit());
        Ok(())
    }

    /// Creates a `tenant`.
    fn create_tenant(
        &mut self,
        event: super::outcome::Event,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<(), Failure<U::Error>> {
        let (next, change) = super::outcome::Outcome_::create(event)
            .map_err(Refused::Tenant)?;
        phase.end(event.kind(), &change, |_, effect, _| match effect {})?;
        self.tenant.put(next, change.commit());
        Ok(())
    }

    /// Raises an event in the `into`.
    fn fire_into(
        &mut self,
        event: super::outcome::Event,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<(), Failure<U::Error>> {
        let mut next = Clone::clone(self.into_()?);
        let change = next.apply(event).map_err(Refused::Into)?;
        phase.end(event.kind(), &change, |_, effect, _| match effect {})?;
        self.into.put(next, change.commit());
        Ok(())
    }

    /// Creates an `into`.
    fn create_into(
        &mut self,
        event: super::outcome::Event,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<(), Failure<U::Error>> {
        let (next, change) = super::outcome::Outcome_::create_with(
                super::outcome::Context {
                    owner: self.tenant.key(),
                },
                event,
            )
            .map_err(Refused::Into)?;
        phase.end(event.kind(), &change, |_, effect, _| match effect {})?;
        self.into.put(next, change.commit());
        Ok(())
    }

    /// Raises an event in the `_1`.
    fn fire_part_1(
        &mut self,
        event: super::outcome::Event,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<(), Failure<U::Error>> {
        let mut next = Clone::clone(self._1()?);
        let change = next.apply(event).map_err(Refused::_1)?;
        phase.end(event.kind(), &change, |_, effect, _| match effect {})?;
        self._1.put(next, change.commit());
        Ok(())
    }

    /// Creates the `_1`; one that is there gets the event.
    fn create_part_1(
        &mut self,
        event: super::outcome::Event,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<(), Failure<U::Error>> {
        if self._1.now().is_some() {
            return self.fire_part_1(event, phase);
        }
        let (next, change) = super::outcome::Outcome_::create(event)
            .map_err(Refused::_1)?;
        phase.end(event.kind(), &change, |_, effect, _| match effect {})?;
        self._1.put(next, change.commit());
        Ok(())
    }

    /// Saves the parts that changed, and says when the store is written.
    fn save(&self, unit: &mut U) -> Result<::statespec::Commit, Failure<U::Error>> {
        self.tenant
            .save_by_key(|key, before, after| unit.save_tenant(key, before, after))
            .map_err(Failure::store)?;
        self.into
            .save_by_key(|key, before, after| unit.save_into(key, before, after))
            .map_err(Failure::store)?;
        self._1
            .save(|before, after| unit.save_part_1(before, after))
            .map_err(Failure::store)?;
        Ok(self.tenant.order().min(self.into.order()).min(self._1.order()))
    }
}

impl<U: UnitOfWork> Clone for World<U> {
    fn clone(&self) -> Self {
        World {
            tenant: Clone::clone(&self.tenant),
            into: Clone::clone(&self.into),
            _1: Clone::clone(&self._1),
        }
    }
}
