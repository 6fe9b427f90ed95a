//! Till.
//!
//! Divisions and lengths in rules, payloads, links and invariants.

::statespec::__emitted!(6);

/// The transaction `set_left`.
pub fn set_left<U: UnitOfWork>(
    unit: &mut U,
    n: i64,
    ratio: ::statespec::Decimal,
) -> Result<(), Failure<U::Error>> {
    Transaction::SetLeft
        .transact(
            unit,
            |unit| World::empty().load_left(unit)?.load_right(unit),
            |_, after, phase| {
                let change = after
                    .fire_left(
                        super::slot::Event::Set {
                            n,
                            ratio: ::statespec::__private::quotient(
                                ratio,
                                ::statespec::decimal(4, 0),
                            ),
                        },
                        phase,
                    )?;
                after.follow_left(&change, phase)
            },
        )
}

/// The transaction `set_right`.
pub fn set_right<U: UnitOfWork>(
    unit: &mut U,
    n: i64,
    ratio: ::statespec::Decimal,
) -> Result<(), Failure<U::Error>> {
    Transaction::SetRight
        .transact(
            unit,
            |unit| World::empty().load_right(unit),
            |before, after, phase| {
                before.right()?;
                after
                    .fire_right(
                        super::slot::Event::Set {
                            n,
                            ratio: if ratio == ::statespec::decimal(0, 0) {
                                return Err(Refused::DivisionByZero.into())
                            } else {
                                ::statespec::__private::quotient(
                                    ::statespec::decimal(1, 0),
                                    ratio,
                                )
                            },
                        },
                        phase,
                    )
            },
        )
}

/// The transaction `name`.
pub fn name<U: UnitOfWork>(
    unit: &mut U,
    label: &str,
    part: i64,
) -> Result<(), Failure<U::Error>> {
    Transaction::Name
        .transact(
            unit,
            |unit| World::empty().load_left(unit)?.load_right(unit),
            |before, after, phase| {
                before.left()?;
                before.right()?;
                before.require(Rule::LenLeftLabelBelowN5AndRightNIsN0OrN6OverRightN)?;
                let change = after
                    .fire_left(
                        super::slot::Event::Name {
                            label,
                            size: if part == 0 {
                                return Err(Refused::DivisionByZero.into())
                            } else {
                                Some(
                                    ::statespec::__private::quotient(
                                        ::statespec::__private::len(label),
                                        part,
                                    ),
                                )
                            },
                        },
                        phase,
                    )?;
                after.follow_left(&change, phase)
            },
        )
}

/// The transaction `rename`.
pub fn rename<U: UnitOfWork>(
    unit: &mut U,
    label: Option<&str>,
) -> Result<(), Failure<U::Error>> {
    let _ = label;
    Transaction::Rename
        .transact(
            unit,
            |unit| World::empty().load_left(unit)?.load_right(unit),
            |before, after, phase| {
                before.left()?;
                before.right()?;
                after
                    .fire_right(
                        super::slot::Event::Name {
                            label: AsRef::<str>::as_ref(&before.left()?.context().label),
                            size: Some(
                                ::statespec::__private::len(
                                    AsRef::<str>::as_ref(&before.left()?.context().label),
                                ),
                            ),
                        },
                        phase,
                    )
            },
        )
}

/// The transaction `go`.
pub fn go<U: UnitOfWork>(unit: &mut U, n: i64) -> Result<(), Failure<U::Error>> {
    Transaction::Go
        .transact(
            unit,
            |unit| World::empty().load_left(unit)?.load_right(unit),
            |before, after, phase| {
                before.left()?;
                before.right()?;
                before.require(Rule::LeftNModuloRightNIsN0)?;
                let left_change = after
                    .fire_left(
                        super::slot::Event::Go {
                            n: if n == 0 {
                                return Err(Refused::DivisionByZero.into())
                            } else {
                                ::statespec::__private::quotient(12i64, n)
                            },
                        },
                        phase,
                    )?;
                after
                    .fire_right(
                        super::slot::Event::Set {
                            n: before.left()?.context().n,
                            ratio: if before.right()?.context().ratio
                                == ::statespec::decimal(0, 0)
                            {
                                return Err(Refused::DivisionByZero.into())
                            } else {
                                ::statespec::__private::remainder(
                                    before.left()?.context().ratio,
                                    before.right()?.context().ratio,
                                )
                            },
                        },
                        phase,
                    )?;
                after.follow_left(&left_change, phase)
            },
        )
}

/// The transaction `rest`.
pub fn rest<U: UnitOfWork>(unit: &mut U) -> Result<(), Failure<U::Error>> {
    Transaction::Rest
        .transact(
            unit,
            |unit| World::empty().load_left(unit)?.load_right(unit),
            |_, after, phase| {
                let change = after.fire_left(super::slot::Event::Rest, phase)?;
                after.follow_left(&change, phase)
            },
        )
}

/// The transaction `rest_right`.
pub fn rest_right<U: UnitOfWork>(unit: &mut U) -> Result<(), Failure<U::Error>> {
    Transaction::RestRight
        .transact(
            unit,
            |unit| World::empty().load_right(unit),
            |_, after, phase| after.fire_right(super::slot::Event::Rest, phase),
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

/// The store of a `till`, and the host of its effects, during one transaction.
pub trait UnitOfWork: ::statespec::Unit {
    /// The type of texts in contexts.
    type Text: Clone + AsRef<str> + for<'e> From<&'e str>;

    /// Loads the `left`.
    fn load_left(
        &mut self,
    ) -> Result<Option<super::slot::Slot<Self::Text>>, Self::Error>;

    /// Takes the `left` after a change into the transaction; `before` is what was loaded, `None` where it is new. The commit says whether the store is written. A failure undoes the transaction.
    fn save_left(
        &mut self,
        before: Option<&super::slot::Slot<Self::Text>>,
        after: &super::slot::Slot<Self::Text>,
    ) -> Result<(), Self::Error>;

    /// Loads the `right`.
    fn load_right(
        &mut self,
    ) -> Result<Option<super::slot::Slot<Self::Text>>, Self::Error>;

    /// Takes the `right` after a change into the transaction; `before` is what was loaded, `None` where it is new. The commit says whether the store is written. A failure undoes the transaction.
    fn save_right(
        &mut self,
        before: Option<&super::slot::Slot<Self::Text>>,
        after: &super::slot::Slot<Self::Text>,
    ) -> Result<(), Self::Error>;
}

impl<U: UnitOfWork> UnitOfWork for ::statespec::Planning<'_, U> {
    type Text = U::Text;

    fn load_left(
        &mut self,
    ) -> Result<Option<super::slot::Slot<Self::Text>>, Self::Error> {
        self.unit_mut().load_left()
    }

    fn save_left(
        &mut self,
        before: Option<&super::slot::Slot<Self::Text>>,
        after: &super::slot::Slot<Self::Text>,
    ) -> Result<(), Self::Error> {
        self.unit_mut().save_left(before, after)
    }

    fn load_right(
        &mut self,
    ) -> Result<Option<super::slot::Slot<Self::Text>>, Self::Error> {
        self.unit_mut().load_right()
    }

    fn save_right(
        &mut self,
        before: Option<&super::slot::Slot<Self::Text>>,
        after: &super::slot::Slot<Self::Text>,
    ) -> Result<(), Self::Error> {
        self.unit_mut().save_right(before, after)
    }
}

/// Why a transaction was refused; everything is as it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    /// A part that the transaction needs is not there.
    Missing(Part),
    /// A rule does not hold.
    Rule(Rule),
    /// An invariant would not hold afterwards.
    Invariant(Invariant),
    /// A value of a payload, or the condition of a link, divides by zero.
    DivisionByZero,
    /// The machine of `left` refused its event.
    Left(super::slot::Refused),
    /// The machine of `right` refused its event.
    Right(super::slot::Refused),
}

impl Refused {
    /// The kind of the refusal in one word, for metrics.
    pub fn reason(&self) -> &'static str {
        match self {
            Refused::Missing(_) => "missing",
            Refused::Rule(_) => "rule",
            Refused::Invariant(_) => "invariant",
            Refused::DivisionByZero => "division_by_zero",
            Refused::Left(refused) => refused.reason().name(),
            Refused::Right(refused) => refused.reason().name(),
        }
    }
}

impl ::core::fmt::Display for Refused {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        match self {
            Refused::Missing(part) => ::core::write!(f, "there is no {}", part.name()),
            Refused::Rule(rule) => f.write_str(rule.doc()),
            Refused::Invariant(invariant) => f.write_str(invariant.doc()),
            Refused::DivisionByZero => f.write_str("a divisor is zero"),
            Refused::Left(refused) => ::core::fmt::Display::fmt(refused, f),
            Refused::Right(refused) => ::core::fmt::Display::fmt(refused, f),
        }
    }
}

impl ::core::error::Error for Refused {}

/// Why a transaction stopped; `X` is the error of the unit of work.
pub type Failure<X> = ::statespec::Failure<Refused, X>;

/// The rules: conditions on raising events, read before the transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// The right divides the left.
    LeftNModuloRightNIsN0,
    /// The label is full.
    LenLeftLabelBelowN5AndRightNIsN0OrN6OverRightN,
}

::statespec::__unit_enum!(
    pub Rule, "rule", 2, [LeftNModuloRightNIsN0("left_n_modulo_right_n_is_n0"),
    LenLeftLabelBelowN5AndRightNIsN0OrN6OverRightN("len_left_label_below_n5_and_right_n_is_n0_or_n6_over_right_n")],
    serde
);

impl Rule {
    /// The description of the rule in the spec.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 2] = &["The right divides the left", "The label is full"];
        TEXTS[self as usize]
    }
}

/// The invariants: conditions that hold after every transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Invariant {
    /// The ratios are alike.
    LeftRatioOverRightRatioBelowOrLeftNIsN3,
}

::statespec::__unit_enum!(
    pub Invariant, "invariant", 1,
    [LeftRatioOverRightRatioBelowOrLeftNIsN3("left_ratio_over_right_ratio_below_or_left_n_is_n3")],
    serde
);

impl Invariant {
    /// The description of the invariant in the spec.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 1] = &["The ratios are alike"];
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
            Invariant::LeftRatioOverRightRatioBelowOrLeftNIsN3 => {
                check_left_ratio_over_right_ratio_below_or_left_n_is_n3(unit)
            }
        };
        if holds.map_err(Failure::store)? {
            Ok(())
        } else {
            Err(Refused::Invariant(self).into())
        }
    }
}

/// The ratios are alike.
#[allow(clippy::nonminimal_bool, clippy::overly_complex_bool_expr)]
fn check_left_ratio_over_right_ratio_below_or_left_n_is_n3<U: UnitOfWork>(
    unit: &mut U,
) -> Result<bool, U::Error> {
    let left = unit.load_left()?.unwrap_or_else(super::slot::Slot::new);
    let right = unit.load_right()?.unwrap_or_else(super::slot::Slot::new);
    Ok(
        right.context().ratio != ::statespec::decimal(0, 0)
            && (::statespec::__private::quotient(
                left.context().ratio,
                right.context().ratio,
            ) < ::statespec::decimal(100, 0) || left.context().n == 3),
    )
}

/// The parts: machines in a role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// The part `left`.
    Left,
    /// The part `right`.
    Right,
}

::statespec::__unit_enum!(pub Part, "part", 2, [Left("left"), Right("right")], serde);

impl Part {
    /// The name of the part that a person reads.
    pub const fn label(self) -> &'static str {
        const TEXTS: &[&str; 2] = &["Left", "Right"];
        TEXTS[self as usize]
    }
}

/// The transactions of the system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Transaction {
    /// The transaction `set_left`.
    SetLeft,
    /// The transaction `set_right`.
    SetRight,
    /// The transaction `name`.
    Name,
    /// The transaction `rename`.
    Rename,
    /// The transaction `go`.
    Go,
    /// The transaction `rest`.
    Rest,
    /// The transaction `rest_right`.
    RestRight,
}

::statespec::__unit_enum!(
    pub Transaction, "transaction", 7, [SetLeft("set_left"), SetRight("set_right"),
    Name("name"), Rename("rename"), Go("go"), Rest("rest"), RestRight("rest_right")],
    serde
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
                "till",
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
    left: ::statespec::__private::Slot<super::slot::Slot<U::Text>, U::Key>,
    right: ::statespec::__private::Slot<super::slot::Slot<U::Text>, U::Key>,
}

impl<U: UnitOfWork> World<U> {
    /// Nothing is loaded.
    const fn empty() -> Self {
        World {
            left: ::statespec::__private::Slot::empty(),
            right: ::statespec::__private::Slot::empty(),
        }
    }

    /// Loads the `left`.
    fn load_left(mut self, unit: &mut U) -> Result<Self, U::Error> {
        self.left = ::statespec::__private::Slot::found_or(
            None,
            unit.load_left()?,
            super::slot::Slot::new,
        );
        Ok(self)
    }

    /// Loads the `right`.
    fn load_right(mut self, unit: &mut U) -> Result<Self, U::Error> {
        self.right = ::statespec::__private::Slot::found_or(
            None,
            unit.load_right()?,
            super::slot::Slot::new,
        );
        Ok(self)
    }

    /// The `left`, which must be there.
    fn left(&self) -> Result<&super::slot::Slot<U::Text>, Refused> {
        self.left.now().ok_or(Refused::Missing(Part::Left))
    }

    /// The `right`, which must be there.
    fn right(&self) -> Result<&super::slot::Slot<U::Text>, Refused> {
        self.right.now().ok_or(Refused::Missing(Part::Right))
    }

    /// Returns an error if the rule does not hold.
    #[allow(clippy::nonminimal_bool, clippy::overly_complex_bool_expr)]
    fn require(&self, rule: Rule) -> Result<(), Refused> {
        let holds = match rule {
            Rule::LeftNModuloRightNIsN0 => {
                self.right()?.context().n != 0
                    && ::statespec::__private::remainder(
                        self.left()?.context().n,
                        self.right()?.context().n,
                    ) == 0
            }
            Rule::LenLeftLabelBelowN5AndRightNIsN0OrN6OverRightN => {
                ::statespec::__private::len(
                    AsRef::<str>::as_ref(&self.left()?.context().label),
                ) < 5
                    && (self.right()?.context().n == 0
                        || ::statespec::__private::quotient(
                            6i64,
                            self.right()?.context().n,
                        ) > 0)
            }
        };
        if holds { Ok(()) } else { Err(Refused::Rule(rule)) }
    }

    /// Raises an event in the `left`.
    fn fire_left(
        &mut self,
        event: super::slot::Event<&str>,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<super::slot::Change, Failure<U::Error>> {
        let mut next = Clone::clone(self.left()?);
        let change = next.apply(event).map_err(Refused::Left)?;
        phase.end(event.kind(), &change, |_, effect, _| match effect {})?;
        self.left.put(next, change.commit());
        Ok(change)
    }

    /// Raises the events of the links that watch the `left`.
    fn follow_left(
        &mut self,
        change: &super::slot::Change,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<(), Failure<U::Error>> {
        for step in change.steps() {
            if step.leaves(super::slot::State::Busy) {
                ::statespec::__private::optional(
                    self.exit_left_busy_fires_right_set(phase),
                )?;
            }
            if step.enters(super::slot::State::Busy) {
                self.enter_left_busy_fires_right_go(phase)?;
            }
        }
        Ok(())
    }

    /// Raises an event in the `right`.
    fn fire_right(
        &mut self,
        event: super::slot::Event<&str>,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<(), Failure<U::Error>> {
        let mut next = Clone::clone(self.right()?);
        let change = next.apply(event).map_err(Refused::Right)?;
        phase.end(event.kind(), &change, |_, effect, _| match effect {})?;
        self.right.put(next, change.commit());
        Ok(())
    }

    /// A link of the spec.
    fn enter_left_busy_fires_right_go(
        &mut self,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<(), Failure<U::Error>> {
        self.left()?;
        self.right()?;
        let fires = if self.right()?.context().n == 0 {
            return Err(Refused::DivisionByZero.into())
        } else {
            ::statespec::__private::quotient(
                self.left()?.context().n,
                self.right()?.context().n,
            ) > 1
        };
        if !fires {
            return Ok(());
        }
        self.fire_right(
            super::slot::Event::Go {
                n: if self.right()?.context().n == 0 {
                    return Err(Refused::DivisionByZero.into())
                } else {
                    ::statespec::__private::quotient(
                        self.left()?.context().n,
                        self.right()?.context().n,
                    )
                },
            },
            phase,
        )
    }

    /// A link of the spec.
    fn exit_left_busy_fires_right_set(
        &mut self,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<(), Failure<U::Error>> {
        self.left()?;
        self.right()?;
        self.fire_right(
            super::slot::Event::Set {
                n: if self.left()?.context().n == 0 {
                    return Err(Refused::DivisionByZero.into())
                } else {
                    ::statespec::__private::quotient(6i64, self.left()?.context().n)
                },
                ratio: ::statespec::decimal(5, 1),
            },
            phase,
        )
    }

    /// Saves the parts that changed, checks the invariants that read these, and says when the store is written.
    fn save(&self, unit: &mut U) -> Result<::statespec::Commit, Failure<U::Error>> {
        self.left
            .save(|before, after| unit.save_left(before, after))
            .map_err(Failure::store)?;
        self.right
            .save(|before, after| unit.save_right(before, after))
            .map_err(Failure::store)?;
        if self.left.is_changed() || self.right.is_changed() {
            Invariant::LeftRatioOverRightRatioBelowOrLeftNIsN3.check(unit)?;
        }
        Ok(self.left.order().min(self.right.order()))
    }
}

impl<U: UnitOfWork> Clone for World<U> {
    fn clone(&self) -> Self {
        World {
            left: Clone::clone(&self.left),
            right: Clone::clone(&self.right),
        }
    }
}
