//! Bank.
//!
//! Transactions whose inputs, rules, links and invariants read values that types of a user hold.

::statespec::__emitted!(6);

/// The transaction `open`.
///
/// Triggered by `clerk`.
pub fn open<U: UnitOfWork>(
    unit: &mut U,
    balance: i128,
    at: std::time::SystemTime,
) -> Result<U::Key, Failure<U::Error>> {
    Transaction::Open
        .attempt(
            unit,
            |unit| {
                let account_id = unit.new_account().map_err(Failure::store)?;
                ::statespec::__private::transact(
                    unit,
                    |unit| {
                        World::empty().new_account(unit, account_id)?.load_vault(unit)
                    },
                    |_, after, phase| {
                        let change = after
                            .create_account(
                                super::account::Event::Create {
                                    balance,
                                    at,
                                },
                                phase,
                            )?;
                        after.follow_account(&change, phase)
                    },
                    World::save,
                )?;
                Ok(account_id)
            },
        )
}

/// The transaction `deposit`.
///
/// Triggered by `clerk`.
pub fn deposit<U: UnitOfWork>(
    unit: &mut U,
    account_id: U::Key,
    amount: i128,
    at: Option<std::time::SystemTime>,
) -> Result<(), Failure<U::Error>> {
    Transaction::Deposit
        .transact(
            unit,
            |unit| World::empty().load_vault(unit)?.load_account(unit, account_id),
            |before, after, phase| {
                before.vault()?;
                before.account()?;
                before
                    .require(
                        Rule::AccountBalanceBelowN500000AndVaultSeenAtIsNullOrVaultTotalAtLeastN0,
                    )?;
                let account_change = after
                    .fire_account(
                        super::account::Recorded::Deposit {
                            amount,
                            why: "cash",
                        },
                        phase,
                    )?;
                after
                    .fire_vault(
                        super::vault::Event::Add {
                            amount: <i128 as ::statespec::Holds<
                                i64,
                            >>::store_field(
                                    <i128 as ::statespec::Holds<
                                        i64,
                                    >>::load_field(amount, "amount")
                                        .map_err(Refused::OutOfRange)?
                                        .saturating_add(before.account()?.context().balance),
                                    "vault.amount",
                                )
                                .map_err(Refused::OutOfRange)?,
                            at: at
                                .map(|it| <std::time::SystemTime as ::statespec::Holds<
                                    ::statespec::Timestamp,
                                >>::load_field(it, "at"))
                                .transpose()
                                .map_err(Refused::OutOfRange)?
                                .map(|it| <statespec::Timestamp as ::statespec::Holds<
                                    ::statespec::Timestamp,
                                >>::store_field(it, "vault.at"))
                                .transpose()
                                .map_err(Refused::OutOfRange)?,
                        },
                        phase,
                    )?;
                after.follow_account(&account_change, phase)
            },
        )
}

/// The transaction `draw`.
pub fn draw<U: UnitOfWork>(
    unit: &mut U,
    account_id: U::Key,
    amount: Option<i128>,
    at: std::time::SystemTime,
) -> Result<(), Failure<U::Error>> {
    Transaction::Draw
        .transact(
            unit,
            |unit| World::empty().load_vault(unit)?.load_account(unit, account_id),
            |_, after, phase| {
                let change = after
                    .fire_account(
                        super::account::Recorded::Draw {
                            amount,
                            at,
                        },
                        phase,
                    )?;
                after.follow_account(&change, phase)
            },
        )
}

/// The transaction `rate`.
pub fn rate<U: UnitOfWork>(
    unit: &mut U,
    account_id: U::Key,
    rate: Option<crate::Exact>,
    wait: jiff::SignedDuration,
) -> Result<(), Failure<U::Error>> {
    Transaction::Rate
        .transact(
            unit,
            |unit| World::empty().load_vault(unit)?.load_account(unit, account_id),
            |_, after, phase| {
                let change = after
                    .fire_account(
                        super::account::Recorded::Rate {
                            rate,
                            wait,
                        },
                        phase,
                    )?;
                after.follow_account(&change, phase)
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

/// The store of a `bank`, and the host of its effects, during one transaction.
pub trait UnitOfWork: ::statespec::Unit {
    /// The type of texts in contexts.
    type Text: Clone + AsRef<str> + for<'e> From<&'e str>;

    /// The actor that triggers the transactions; without one, none is refused for its actor.
    fn actor(&self) -> Option<Actor> {
        None
    }

    /// Loads the `vault`.
    fn load_vault(&mut self) -> Result<Option<super::vault::Vault>, Self::Error>;

    /// Takes the `vault` after a change into the transaction; `before` is what was loaded, `None` where it is new. The commit says whether the store is written. A failure undoes the transaction.
    fn save_vault(
        &mut self,
        before: Option<&super::vault::Vault>,
        after: &super::vault::Vault,
    ) -> Result<(), Self::Error>;

    /// The key of a new `account`: called once for each that is created.
    fn new_account(&mut self) -> Result<Self::Key, Self::Error>;

    /// Loads an `account`.
    fn load_account(
        &mut self,
        key: Self::Key,
    ) -> Result<Option<super::account::Account<Self::Text>>, Self::Error>;

    /// Takes the `account` after a change into the transaction; `before` is what was loaded, `None` where it is new. The commit says whether the store is written. A failure undoes the transaction.
    fn save_account(
        &mut self,
        key: Self::Key,
        before: Option<&super::account::Account<Self::Text>>,
        after: &super::account::Account<Self::Text>,
    ) -> Result<(), Self::Error>;

    /// The `account` after `after`, or the first one: any order will do that stays the same.
    ///
    /// Invariants check every one.
    #[allow(clippy::type_complexity)]
    fn next_account(
        &mut self,
        after: Option<Self::Key>,
    ) -> Result<Option<(Self::Key, super::account::Account<Self::Text>)>, Self::Error>;

    /// Performs an effect of the `account`; `effect.perform(host)` calls its method of a host.
    fn perform_account(
        &mut self,
        key: Self::Key,
        effect: super::account::Effect,
    ) -> Result<(), Self::Error>;

    /// The type that answers the predicates of the `account`.
    type AccountPredicates: super::account::Predicates<Self::Text> + Clone;

    /// The predicates of the `account` in this transaction: the same answers throughout.
    fn account_predicates(&mut self) -> Result<Self::AccountPredicates, Self::Error>;
}

impl<U: UnitOfWork> UnitOfWork for ::statespec::Planning<'_, U> {
    type Text = U::Text;

    fn actor(&self) -> Option<Actor> {
        self.unit().actor()
    }

    fn load_vault(&mut self) -> Result<Option<super::vault::Vault>, Self::Error> {
        self.unit_mut().load_vault()
    }

    fn save_vault(
        &mut self,
        before: Option<&super::vault::Vault>,
        after: &super::vault::Vault,
    ) -> Result<(), Self::Error> {
        self.unit_mut().save_vault(before, after)
    }

    fn new_account(&mut self) -> Result<Self::Key, Self::Error> {
        self.unit_mut().new_account()
    }

    fn load_account(
        &mut self,
        key: Self::Key,
    ) -> Result<Option<super::account::Account<Self::Text>>, Self::Error> {
        self.unit_mut().load_account(key)
    }

    fn save_account(
        &mut self,
        key: Self::Key,
        before: Option<&super::account::Account<Self::Text>>,
        after: &super::account::Account<Self::Text>,
    ) -> Result<(), Self::Error> {
        self.unit_mut().save_account(key, before, after)
    }

    fn next_account(
        &mut self,
        after: Option<Self::Key>,
    ) -> Result<Option<(Self::Key, super::account::Account<Self::Text>)>, Self::Error> {
        self.unit_mut().next_account(after)
    }

    fn perform_account(
        &mut self,
        _key: Self::Key,
        _effect: super::account::Effect,
    ) -> Result<(), Self::Error> {
        Ok(())
    }

    type AccountPredicates = U::AccountPredicates;

    fn account_predicates(&mut self) -> Result<Self::AccountPredicates, Self::Error> {
        self.unit_mut().account_predicates()
    }
}

/// Why a transaction was refused; everything is as it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    /// The actor may not trigger the transaction.
    Actor(Transaction),
    /// A part that the transaction needs is not there.
    Missing(Part),
    /// A rule does not hold.
    Rule(Rule),
    /// An invariant would not hold afterwards.
    Invariant(Invariant),
    /// A value is out of the range of the type that is to hold it.
    OutOfRange(::statespec::OutOfRange),
    /// The machine of `vault` refused its event.
    Vault(super::vault::Refused),
    /// The machine of `account` refused its event.
    Account(super::account::Refused),
}

impl Refused {
    /// The kind of the refusal in one word, for metrics.
    pub fn reason(&self) -> &'static str {
        match self {
            Refused::Actor(_) => "actor",
            Refused::Missing(_) => "missing",
            Refused::Rule(_) => "rule",
            Refused::Invariant(_) => "invariant",
            Refused::OutOfRange(_) => "out_of_range",
            Refused::Vault(refused) => refused.reason().name(),
            Refused::Account(refused) => refused.reason().name(),
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
            Refused::Rule(rule) => f.write_str(rule.doc()),
            Refused::Invariant(invariant) => f.write_str(invariant.doc()),
            Refused::OutOfRange(error) => ::core::fmt::Display::fmt(error, f),
            Refused::Vault(refused) => ::core::fmt::Display::fmt(refused, f),
            Refused::Account(refused) => ::core::fmt::Display::fmt(refused, f),
        }
    }
}

impl ::core::error::Error for Refused {}

/// Why a transaction stopped; `X` is the error of the unit of work.
pub type Failure<X> = ::statespec::Failure<Refused, X>;

/// The rules: conditions on raising events, read before the transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// The account is full.
    AccountBalanceBelowN500000AndVaultSeenAtIsNullOrVaultTotalAtLeastN0,
}

::statespec::__unit_enum!(
    pub Rule, "rule", 1,
    [AccountBalanceBelowN500000AndVaultSeenAtIsNullOrVaultTotalAtLeastN0("account_balance_below_n500000_and_vault_seen_at_is_null_or_vault_total_at_least_n0")]
);

impl Rule {
    /// The description of the rule in the spec.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 1] = &["The account is full"];
        TEXTS[self as usize]
    }
}

/// The invariants: conditions that hold after every transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Invariant {
    /// No account holds that much.
    AccountBalanceBelowN20000000,
    /// The vault has a size.
    VaultTotalBelowN90000000,
}

::statespec::__unit_enum!(
    pub Invariant, "invariant", 2,
    [AccountBalanceBelowN20000000("account_balance_below_n20000000"),
    VaultTotalBelowN90000000("vault_total_below_n90000000")]
);

impl Invariant {
    /// The description of the invariant in the spec.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 2] = &[
            "No account holds that much",
            "The vault has a size",
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
            Invariant::AccountBalanceBelowN20000000 => {
                check_account_balance_below_n20000000(unit)
            }
            Invariant::VaultTotalBelowN90000000 => {
                check_vault_total_below_n90000000(unit)
            }
        };
        if holds.map_err(Failure::store)? {
            Ok(())
        } else {
            Err(Refused::Invariant(self).into())
        }
    }
}

/// No account holds that much.
fn check_account_balance_below_n20000000<U: UnitOfWork>(
    unit: &mut U,
) -> Result<bool, U::Error> {
    let mut after = None;
    while let Some((account_id, account)) = unit.next_account(after)? {
        after = Some(account_id);
        let holds = account.context().balance < 20000000;
        if !holds {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The vault has a size.
fn check_vault_total_below_n90000000<U: UnitOfWork>(
    unit: &mut U,
) -> Result<bool, U::Error> {
    let vault = unit.load_vault()?.unwrap_or_else(super::vault::Vault::new);
    Ok(
        (|| -> Result<bool, ::statespec::OutOfRange> {
            Ok(
                <i128 as ::statespec::Holds<
                    i64,
                >>::load_field(vault.context().total, "vault.total")? < 90000000,
            )
        })()
            .unwrap_or(false),
    )
}

/// The parts: machines in a role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// The part `vault`.
    Vault,
    /// The part `account`.
    Account,
}

::statespec::__unit_enum!(pub Part, "part", 2, [Vault("vault"), Account("account")]);

impl Part {
    /// The name of the part that a person reads.
    pub const fn label(self) -> &'static str {
        const TEXTS: &[&str; 2] = &["Vault", "Account"];
        TEXTS[self as usize]
    }
}

/// The transactions of the system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Transaction {
    /// The transaction `open`.
    ///
    /// Triggered by `clerk`.
    Open,
    /// The transaction `deposit`.
    ///
    /// Triggered by `clerk`.
    Deposit,
    /// The transaction `draw`.
    Draw,
    /// The transaction `rate`.
    Rate,
}

::statespec::__unit_enum!(
    pub Transaction, "transaction", 4, [Open("open"), Deposit("deposit"), Draw("draw"),
    Rate("rate")]
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
        let result = match self.require(unit.actor()) {
            Ok(()) => run(unit),
            Err(refused) => Err(refused.into()),
        };
        let actor = unit.actor().map(Actor::name);
        unit.observe_transaction(
            &::statespec::Transacted::new(
                "bank",
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
        const BY: &[&[Actor]; 4] = &[&[Actor::Clerk], &[Actor::Clerk], &[], &[]];
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
        false
    }
}

/// The actors that trigger transactions, or do the work that transactions start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Actor {
    /// Works there.
    Clerk,
}

::statespec::__unit_enum!(pub Actor, "actor", 1, [Clerk("clerk")]);

impl Actor {
    /// The description of the actor in the spec.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 1] = &["Works there."];
        TEXTS[self as usize]
    }
}

/// The parts as a transaction sees them.
struct World<U: UnitOfWork> {
    vault: ::statespec::__private::Slot<super::vault::Vault, U::Key>,
    account: ::statespec::__private::Slot<super::account::Account<U::Text>, U::Key>,
    account_predicates: Option<U::AccountPredicates>,
}

impl<U: UnitOfWork> World<U> {
    /// Nothing is loaded.
    const fn empty() -> Self {
        World {
            vault: ::statespec::__private::Slot::empty(),
            account: ::statespec::__private::Slot::empty(),
            account_predicates: None,
        }
    }

    /// Loads the `vault`.
    fn load_vault(mut self, unit: &mut U) -> Result<Self, U::Error> {
        self.vault = ::statespec::__private::Slot::found_or(
            None,
            unit.load_vault()?,
            super::vault::Vault::new,
        );
        Ok(self)
    }

    /// Loads the `account`.
    fn load_account(mut self, unit: &mut U, key: U::Key) -> Result<Self, U::Error> {
        self.account = ::statespec::__private::Slot::new(
            Some(key),
            unit.load_account(key)?,
        );
        self.account_predicates = Some(unit.account_predicates()?);
        Ok(self)
    }

    /// Makes place for a new `account`.
    fn new_account(mut self, unit: &mut U, key: U::Key) -> Result<Self, U::Error> {
        self.account = ::statespec::__private::Slot::new(Some(key), None);
        self.account_predicates = Some(unit.account_predicates()?);
        Ok(self)
    }

    /// The `vault`, which must be there.
    fn vault(&self) -> Result<&super::vault::Vault, Refused> {
        self.vault.now().ok_or(Refused::Missing(Part::Vault))
    }

    /// The `account`, which must be there.
    fn account(&self) -> Result<&super::account::Account<U::Text>, Refused> {
        self.account.now().ok_or(Refused::Missing(Part::Account))
    }

    /// The key of the `account`.
    fn account_id(&self) -> Result<U::Key, Refused> {
        self.account.key().ok_or(Refused::Missing(Part::Account))
    }

    /// Returns an error if the rule does not hold.
    #[allow(clippy::nonminimal_bool, clippy::overly_complex_bool_expr)]
    fn require(&self, rule: Rule) -> Result<(), Refused> {
        let holds = match rule {
            Rule::AccountBalanceBelowN500000AndVaultSeenAtIsNullOrVaultTotalAtLeastN0 => {
                self.account()?.context().balance < 500000
                    && (self.vault()?.context().seen_at.is_none()
                        || <i128 as ::statespec::Holds<
                            i64,
                        >>::load_field(self.vault()?.context().total, "vault.total")
                            .map_err(Refused::OutOfRange)? >= 0)
            }
        };
        if holds { Ok(()) } else { Err(Refused::Rule(rule)) }
    }

    /// Raises an event in the `vault`.
    fn fire_vault(
        &mut self,
        event: super::vault::Event,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<(), Failure<U::Error>> {
        let mut next = Clone::clone(self.vault()?);
        let change = next.apply(event).map_err(Refused::Vault)?;
        phase.end(event.kind(), &change, |_, effect, _| match effect {})?;
        self.vault.put(next, change.commit());
        Ok(())
    }

    /// Raises an event in the `account`.
    fn fire_account(
        &mut self,
        event: super::account::Recorded<&str>,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<super::account::Change, Failure<U::Error>> {
        let predicates = self
            .account_predicates
            .as_ref()
            .ok_or(Refused::Missing(Part::Account))?;
        let mut next = Clone::clone(self.account()?);
        let change = next.replay(event, predicates).map_err(Refused::Account)?;
        let key = self.account_id()?;
        phase
            .end(
                event.kind(),
                &change,
                |unit, effect, step| {
                    ::statespec::Effects::effect(&next, effect, step, Some(&event))
                        .map_or(Ok(()), |it| unit.perform_account(key, it))
                },
            )?;
        self.account.put(next, change.commit());
        Ok(change)
    }

    /// Creates an `account`.
    fn create_account(
        &mut self,
        event: super::account::Event<&str>,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<super::account::Change, Failure<U::Error>> {
        let predicates = self
            .account_predicates
            .as_ref()
            .ok_or(Refused::Missing(Part::Account))?;
        let (next, change) = super::account::Account::create(event, predicates)
            .map_err(Refused::Account)?;
        let event = super::account::Recorded::from(event);
        let key = self.account_id()?;
        phase
            .end(
                event.kind(),
                &change,
                |unit, effect, step| {
                    ::statespec::Effects::effect(&next, effect, step, Some(&event))
                        .map_or(Ok(()), |it| unit.perform_account(key, it))
                },
            )?;
        self.account.put(next, change.commit());
        Ok(change)
    }

    /// Raises the events of the links that watch the `account`.
    fn follow_account(
        &mut self,
        change: &super::account::Change,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<(), Failure<U::Error>> {
        for step in change.steps() {
            if step.enters(super::account::State::Frozen) {
                ::statespec::__private::optional(
                    self.enter_account_frozen_fires_vault_add(phase),
                )?;
            }
        }
        Ok(())
    }

    /// A frozen balance is kept.
    fn enter_account_frozen_fires_vault_add(
        &mut self,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<(), Failure<U::Error>> {
        self.account()?;
        let fires = self.account()?.context().balance > 10;
        if !fires {
            return Ok(());
        }
        self.fire_vault(
            super::vault::Event::Add {
                amount: <i128 as ::statespec::Holds<
                    i64,
                >>::store_field(self.account()?.context().balance, "vault.amount")
                    .map_err(Refused::OutOfRange)?,
                at: self
                    .account()?
                    .context()
                    .opened_at
                    .map(|it| <std::time::SystemTime as ::statespec::Holds<
                        ::statespec::Timestamp,
                    >>::load_field(it, "account.opened_at"))
                    .transpose()
                    .map_err(Refused::OutOfRange)?
                    .map(|it| <statespec::Timestamp as ::statespec::Holds<
                        ::statespec::Timestamp,
                    >>::store_field(it, "vault.at"))
                    .transpose()
                    .map_err(Refused::OutOfRange)?,
            },
            phase,
        )
    }

    /// Saves the parts that changed, checks the invariants that read these, and says when the store is written.
    fn save(&self, unit: &mut U) -> Result<::statespec::Commit, Failure<U::Error>> {
        self.vault
            .save(|before, after| unit.save_vault(before, after))
            .map_err(Failure::store)?;
        self.account
            .save_by_key(|key, before, after| unit.save_account(key, before, after))
            .map_err(Failure::store)?;
        if self.account.is_changed() {
            Invariant::AccountBalanceBelowN20000000.check(unit)?;
        }
        if self.vault.is_changed() {
            Invariant::VaultTotalBelowN90000000.check(unit)?;
        }
        Ok(self.vault.order().min(self.account.order()))
    }
}

impl<U: UnitOfWork> Clone for World<U> {
    fn clone(&self) -> Self {
        World {
            vault: Clone::clone(&self.vault),
            account: Clone::clone(&self.account),
            account_predicates: Clone::clone(&self.account_predicates),
        }
    }
}
