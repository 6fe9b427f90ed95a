//! The \<workshop>
//!
//! Parts of parts, links that set off links, predicates, and everything else a system can say.

::statespec::__emitted!(6);

/// The transaction `accept`.
///
/// Triggered by `self`.
pub fn accept<U: UnitOfWork>(
    unit: &mut U,
    title: &str,
    n_steps: i64,
    kind: super::job::Size,
) -> Result<U::Key, Failure<U::Error>> {
    Transaction::Accept
        .attempt(
            unit,
            |unit| {
                let job_id = unit.new_job().map_err(Failure::store)?;
                ::statespec::__private::transact(
                    unit,
                    |unit| World::empty().new_job(job_id).load_plant(unit),
                    |_, after, phase| {
                        let change = after
                            .create_job(
                                super::job::Event::Create {
                                    title,
                                    n_steps,
                                    kind,
                                },
                                phase,
                            )?;
                        after.follow_job(&change, phase)
                    },
                    World::save,
                )?;
                Ok(job_id)
            },
        )
}

/// The transaction `begin`.
///
/// Triggered by `self` or `smith`.
///
/// The work is done by `smith`.
///
/// Nothing begins.
pub fn begin<U: UnitOfWork>(
    unit: &mut U,
    job_id: U::Key,
) -> Result<(), Failure<U::Error>> {
    Transaction::Begin
        .transact(
            unit,
            |unit| World::empty().load_plant(unit)?.load_job(unit, job_id),
            |before, after, phase| {
                before.plant()?;
                before.job()?;
                let job_change = after.fire_job(super::job::Event::Begin, phase)?;
                after
                    .fire_plant(
                        super::plant::Event::Take {
                            job: before.job_id()?,
                            name: AsRef::<str>::as_ref(&before.job()?.context().name),
                        },
                        phase,
                    )?;
                after.follow_job(&job_change, phase)
            },
        )
}

/// The transaction `plan`.
pub fn plan_<U: UnitOfWork>(
    unit: &mut U,
    job_id: U::Key,
    text: Option<&str>,
) -> Result<U::Key, Failure<U::Error>> {
    Transaction::Plan
        .attempt(
            unit,
            |unit| {
                let step_id = unit.new_step().map_err(Failure::store)?;
                ::statespec::__private::transact(
                    unit,
                    |unit| {
                        World::empty()
                            .new_step(step_id)
                            .load_plant(unit)?
                            .load_job(unit, job_id)
                    },
                    |before, after, phase| {
                        before.job()?;
                        before.require(Rule::JobInOpen)?;
                        let change = after
                            .create_step(super::step::Event::Plan { text }, phase)?;
                        after.follow_step(&change, phase)
                    },
                    World::save,
                )?;
                Ok(step_id)
            },
        )
}

/// The transaction `make`.
pub fn make<U: UnitOfWork>(
    unit: &mut U,
    step_id: U::Key,
) -> Result<U::Key, Failure<U::Error>> {
    Transaction::Make
        .attempt(
            unit,
            |unit| {
                let bolt_id = unit.new_bolt().map_err(Failure::store)?;
                ::statespec::__private::transact(
                    unit,
                    |unit| World::empty().new_bolt(bolt_id).load_step(unit, step_id),
                    |before, after, phase| {
                        before.step()?;
                        before.require(Rule::StepRemarkIsNullOrStepRemarkIsNot)?;
                        after.create_bolt(super::payload_target::Event::Make, phase)
                    },
                    World::save,
                )?;
                Ok(bolt_id)
            },
        )
}

/// The transaction `fix`.
pub fn fix<U: UnitOfWork>(
    unit: &mut U,
    bolt_id: U::Key,
) -> Result<(), Failure<U::Error>> {
    Transaction::Fix
        .transact(
            unit,
            |unit| {
                World::empty()
                    .load_plant(unit)?
                    .load_bolt(unit, bolt_id)?
                    .load_step_of_bolt(unit)?
                    .load_job_of_step(unit)
            },
            |before, after, phase| {
                before.plant()?;
                before.job()?;
                before.step()?;
                before.bolt()?;
                before.require(Rule::StepIsTodoAndJobSizeIsNotLargeOrPlantLoadAboveN0)?;
                before.require(Rule::JobInOpen)?;
                after.fire_bolt(super::payload_target::Event::Fix, phase)?;
                let step_change = after.fire_step(super::step::Event::BoltFixed, phase)?;
                after.follow_step(&step_change, phase)
            },
        )
}

/// The transaction `turn`.
pub fn turn<U: UnitOfWork>(
    unit: &mut U,
    bolt_id: U::Key,
    to: super::payload_target::State,
) -> Result<(), Failure<U::Error>> {
    Transaction::Turn
        .transact(
            unit,
            |unit| {
                World::empty()
                    .load_plant(unit)?
                    .load_bolt(unit, bolt_id)?
                    .load_step_of_bolt(unit)?
                    .load_job_of_step(unit)
            },
            |before, after, phase| {
                before.plant()?;
                before.job()?;
                before.step()?;
                before.bolt()?;
                before.require(Rule::StepIsTodoAndJobSizeIsNotLargeOrPlantLoadAboveN0)?;
                after
                    .fire_bolt(
                        super::payload_target::Event::Turn {
                            self_: to,
                        },
                        phase,
                    )
            },
        )
}

/// The transaction `reset`.
pub fn reset<U: UnitOfWork>(
    unit: &mut U,
    bolt_id: U::Key,
) -> Result<(), Failure<U::Error>> {
    Transaction::Reset
        .transact(
            unit,
            |unit| {
                World::empty()
                    .load_plant(unit)?
                    .load_bolt(unit, bolt_id)?
                    .load_step_of_bolt(unit)?
                    .load_job_of_step(unit)
            },
            |before, after, phase| {
                before.plant()?;
                before.job()?;
                before.step()?;
                before.bolt()?;
                before.require(Rule::StepIsTodoAndJobSizeIsNotLargeOrPlantLoadAboveN0)?;
                after
                    .fire_bolt(
                        super::payload_target::Event::Turn {
                            self_: super::payload_target::State::Loose,
                        },
                        phase,
                    )
            },
        )
}

/// The transaction `finish`.
pub fn finish<U: UnitOfWork>(
    unit: &mut U,
    step_id: U::Key,
) -> Result<(), Failure<U::Error>> {
    Transaction::Finish
        .transact(
            unit,
            |unit| {
                World::empty()
                    .load_plant(unit)?
                    .load_step(unit, step_id)?
                    .load_job_of_step(unit)
            },
            |before, after, phase| {
                before.job()?;
                before.step()?;
                before.require(Rule::JobInOpen)?;
                let change = after.fire_step(super::step::Event::Finish, phase)?;
                after.follow_step(&change, phase)
            },
        )
}

/// The transaction `abandon`.
pub fn abandon<U: UnitOfWork>(
    unit: &mut U,
    job_id: U::Key,
) -> Result<(), Failure<U::Error>> {
    Transaction::Abandon
        .transact(
            unit,
            |unit| World::empty().load_plant(unit)?.load_job(unit, job_id),
            |_, after, phase| {
                let change = after.fire_job(super::job::Event::Abandon, phase)?;
                after.follow_job(&change, phase)
            },
        )
}

/// The transaction `check`.
pub fn check<U: UnitOfWork>(unit: &mut U) -> Result<(), Failure<U::Error>> {
    Transaction::Check
        .transact(
            unit,
            |unit| World::empty().load_plant(unit),
            |_, after, phase| after.fire_plant(super::plant::Event::Check, phase),
        )
}

/// The transaction `match`.
///
/// Inferred: A keyword.
pub fn r#match<U: UnitOfWork>(unit: &mut U) -> Result<(), Failure<U::Error>> {
    Transaction::Match
        .transact(
            unit,
            |unit| World::empty().load_plant(unit),
            |_, after, phase| {
                after
                    .fire_plant(
                        super::plant::Event::Release {
                            name: None,
                        },
                        phase,
                    )
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

/// The store of a `workshop`, and the host of its effects, during one transaction.
pub trait UnitOfWork: ::statespec::Unit {
    /// The type of texts in contexts.
    type Text: Clone + AsRef<str> + for<'e> From<&'e str>;

    /// The actor that triggers the transactions; without one, none is refused for its actor.
    fn actor(&self) -> Option<Actor> {
        None
    }

    /// Loads the `plant`.
    #[allow(clippy::type_complexity)]
    fn load_plant(
        &mut self,
    ) -> Result<Option<super::plant::Plant<Self::Text, Self::Key>>, Self::Error>;

    /// Takes the `plant` after a change into the transaction; `before` is what was loaded, `None` where it is new. The commit says whether the store is written. A failure undoes the transaction.
    fn save_plant(
        &mut self,
        before: Option<&super::plant::Plant<Self::Text, Self::Key>>,
        after: &super::plant::Plant<Self::Text, Self::Key>,
    ) -> Result<(), Self::Error>;

    /// Performs an effect of the `plant`; `effect.perform(host)` calls its method of a host.
    fn perform_plant(
        &mut self,
        effect: super::plant::Effect<&str>,
    ) -> Result<(), Self::Error>;

    /// The type that answers the predicates of the `plant`.
    type PlantPredicates: super::plant::Predicates<Self::Text, Self::Key> + Clone;

    /// The predicates of the `plant` in this transaction: the same answers throughout.
    fn plant_predicates(&mut self) -> Result<Self::PlantPredicates, Self::Error>;

    /// The key of a new `job`: called once for each that is created.
    fn new_job(&mut self) -> Result<Self::Key, Self::Error>;

    /// Loads a `job`.
    fn load_job(
        &mut self,
        key: Self::Key,
    ) -> Result<Option<super::job::Job<Self::Text>>, Self::Error>;

    /// Takes the `job` after a change into the transaction; `before` is what was loaded, `None` where it is new. The commit says whether the store is written. A failure undoes the transaction.
    fn save_job(
        &mut self,
        key: Self::Key,
        before: Option<&super::job::Job<Self::Text>>,
        after: &super::job::Job<Self::Text>,
    ) -> Result<(), Self::Error>;

    /// The `job` after `after`, or the first one: any order will do that stays the same.
    ///
    /// Invariants check every one.
    #[allow(clippy::type_complexity)]
    fn next_job(
        &mut self,
        after: Option<Self::Key>,
    ) -> Result<Option<(Self::Key, super::job::Job<Self::Text>)>, Self::Error>;

    /// Performs an effect of the `job`; `effect.perform(host)` calls its method of a host.
    fn perform_job(
        &mut self,
        key: Self::Key,
        effect: super::job::Effect<&str>,
    ) -> Result<(), Self::Error>;

    /// The key of a new `step`: called once for each that is created.
    fn new_step(&mut self) -> Result<Self::Key, Self::Error>;

    /// Loads a `step`.
    #[allow(clippy::type_complexity)]
    fn load_step(
        &mut self,
        key: Self::Key,
    ) -> Result<Option<super::step::Step<Self::Text, Self::Key>>, Self::Error>;

    /// Takes the `step` after a change into the transaction; `before` is what was loaded, `None` where it is new. The commit says whether the store is written. A failure undoes the transaction.
    fn save_step(
        &mut self,
        key: Self::Key,
        before: Option<&super::step::Step<Self::Text, Self::Key>>,
        after: &super::step::Step<Self::Text, Self::Key>,
    ) -> Result<(), Self::Error>;

    /// The `step` after `after`, or the first one: any order will do that stays the same.
    ///
    /// Invariants check every one.
    #[allow(clippy::type_complexity)]
    fn next_step(
        &mut self,
        after: Option<Self::Key>,
    ) -> Result<
        Option<(Self::Key, super::step::Step<Self::Text, Self::Key>)>,
        Self::Error,
    >;

    /// Performs an effect of the `step`; `effect.perform(host)` calls its method of a host.
    fn perform_step(
        &mut self,
        key: Self::Key,
        effect: super::step::Effect,
    ) -> Result<(), Self::Error>;

    /// The key of a new `bolt`: called once for each that is created.
    fn new_bolt(&mut self) -> Result<Self::Key, Self::Error>;

    /// Loads a `bolt`.
    fn load_bolt(
        &mut self,
        key: Self::Key,
    ) -> Result<Option<super::payload_target::PayloadTarget<Self::Key>>, Self::Error>;

    /// Takes the `bolt` after a change into the transaction; `before` is what was loaded, `None` where it is new. The commit says whether the store is written. A failure undoes the transaction.
    fn save_bolt(
        &mut self,
        key: Self::Key,
        before: Option<&super::payload_target::PayloadTarget<Self::Key>>,
        after: &super::payload_target::PayloadTarget<Self::Key>,
    ) -> Result<(), Self::Error>;

    /// The `bolt` after `after`, or the first one: any order will do that stays the same.
    ///
    /// Invariants check every one.
    #[allow(clippy::type_complexity)]
    fn next_bolt(
        &mut self,
        after: Option<Self::Key>,
    ) -> Result<
        Option<(Self::Key, super::payload_target::PayloadTarget<Self::Key>)>,
        Self::Error,
    >;
}

impl<U: UnitOfWork> UnitOfWork for ::statespec::Planning<'_, U> {
    type Text = U::Text;

    fn actor(&self) -> Option<Actor> {
        self.unit().actor()
    }

    fn load_plant(
        &mut self,
    ) -> Result<Option<super::plant::Plant<Self::Text, Self::Key>>, Self::Error> {
        self.unit_mut().load_plant()
    }

    fn save_plant(
        &mut self,
        before: Option<&super::plant::Plant<Self::Text, Self::Key>>,
        after: &super::plant::Plant<Self::Text, Self::Key>,
    ) -> Result<(), Self::Error> {
        self.unit_mut().save_plant(before, after)
    }

    fn perform_plant(
        &mut self,
        _effect: super::plant::Effect<&str>,
    ) -> Result<(), Self::Error> {
        Ok(())
    }

    type PlantPredicates = U::PlantPredicates;

    fn plant_predicates(&mut self) -> Result<Self::PlantPredicates, Self::Error> {
        self.unit_mut().plant_predicates()
    }

    fn new_job(&mut self) -> Result<Self::Key, Self::Error> {
        self.unit_mut().new_job()
    }

    fn load_job(
        &mut self,
        key: Self::Key,
    ) -> Result<Option<super::job::Job<Self::Text>>, Self::Error> {
        self.unit_mut().load_job(key)
    }

    fn save_job(
        &mut self,
        key: Self::Key,
        before: Option<&super::job::Job<Self::Text>>,
        after: &super::job::Job<Self::Text>,
    ) -> Result<(), Self::Error> {
        self.unit_mut().save_job(key, before, after)
    }

    fn next_job(
        &mut self,
        after: Option<Self::Key>,
    ) -> Result<Option<(Self::Key, super::job::Job<Self::Text>)>, Self::Error> {
        self.unit_mut().next_job(after)
    }

    fn perform_job(
        &mut self,
        _key: Self::Key,
        _effect: super::job::Effect<&str>,
    ) -> Result<(), Self::Error> {
        Ok(())
    }

    fn new_step(&mut self) -> Result<Self::Key, Self::Error> {
        self.unit_mut().new_step()
    }

    fn load_step(
        &mut self,
        key: Self::Key,
    ) -> Result<Option<super::step::Step<Self::Text, Self::Key>>, Self::Error> {
        self.unit_mut().load_step(key)
    }

    fn save_step(
        &mut self,
        key: Self::Key,
        before: Option<&super::step::Step<Self::Text, Self::Key>>,
        after: &super::step::Step<Self::Text, Self::Key>,
    ) -> Result<(), Self::Error> {
        self.unit_mut().save_step(key, before, after)
    }

    fn next_step(
        &mut self,
        after: Option<Self::Key>,
    ) -> Result<
        Option<(Self::Key, super::step::Step<Self::Text, Self::Key>)>,
        Self::Error,
    > {
        self.unit_mut().next_step(after)
    }

    fn perform_step(
        &mut self,
        _key: Self::Key,
        _effect: super::step::Effect,
    ) -> Result<(), Self::Error> {
        Ok(())
    }

    fn new_bolt(&mut self) -> Result<Self::Key, Self::Error> {
        self.unit_mut().new_bolt()
    }

    fn load_bolt(
        &mut self,
        key: Self::Key,
    ) -> Result<Option<super::payload_target::PayloadTarget<Self::Key>>, Self::Error> {
        self.unit_mut().load_bolt(key)
    }

    fn save_bolt(
        &mut self,
        key: Self::Key,
        before: Option<&super::payload_target::PayloadTarget<Self::Key>>,
        after: &super::payload_target::PayloadTarget<Self::Key>,
    ) -> Result<(), Self::Error> {
        self.unit_mut().save_bolt(key, before, after)
    }

    fn next_bolt(
        &mut self,
        after: Option<Self::Key>,
    ) -> Result<
        Option<(Self::Key, super::payload_target::PayloadTarget<Self::Key>)>,
        Self::Error,
    > {
        self.unit_mut().next_bolt(after)
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
    /// The machine of `plant` refused its event.
    Plant(super::plant::Refused),
    /// The machine of `job` refused its event.
    Job(super::job::Refused),
    /// The machine of `step` refused its event.
    Step(super::step::Refused),
    /// The machine of `bolt` refused its event.
    Bolt(super::payload_target::Refused),
}

impl Refused {
    /// The kind of the refusal in one word, for metrics.
    pub fn reason(&self) -> &'static str {
        match self {
            Refused::Actor(_) => "actor",
            Refused::Missing(_) => "missing",
            Refused::Rule(_) => "rule",
            Refused::Invariant(_) => "invariant",
            Refused::Plant(refused) => refused.reason().name(),
            Refused::Job(refused) => refused.reason().name(),
            Refused::Step(refused) => refused.reason().name(),
            Refused::Bolt(refused) => refused.reason().name(),
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
            Refused::Plant(refused) => ::core::fmt::Display::fmt(refused, f),
            Refused::Job(refused) => ::core::fmt::Display::fmt(refused, f),
            Refused::Step(refused) => ::core::fmt::Display::fmt(refused, f),
            Refused::Bolt(refused) => ::core::fmt::Display::fmt(refused, f),
        }
    }
}

impl ::core::error::Error for Refused {}

/// Why a transaction stopped; `X` is the error of the unit of work.
pub type Failure<X> = ::statespec::Failure<Refused, X>;

/// The rules: conditions on raising events, read before the transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// The job must be open.
    JobInOpen,
    /// Large jobs need the plant.
    StepIsTodoAndJobSizeIsNotLargeOrPlantLoadAboveN0,
    /// This step takes no bolts.
    StepRemarkIsNullOrStepRemarkIsNot,
}

::statespec::__unit_enum!(
    pub Rule, "rule", 3, [JobInOpen("job_in_open"),
    StepIsTodoAndJobSizeIsNotLargeOrPlantLoadAboveN0("step_is_todo_and_job_size_is_not_large_or_plant_load_above_n0"),
    StepRemarkIsNullOrStepRemarkIsNot("step_remark_is_null_or_step_remark_is_not")],
    serde
);

impl Rule {
    /// The description of the rule in the spec.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 3] = &[
            "The job must be open",
            "Large jobs need the plant",
            "This step takes no bolts",
        ];
        TEXTS[self as usize]
    }
}

/// The invariants: conditions that hold after every transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Invariant {
    /// A closed job is done.
    JobIsNotClosedOrJobNDoneAtLeastJobWanted,
    /// Nothing of bolts in void jobs.
    NotBoltIsFixedAndJobIsVoidOrPlantLoadAtLeastN0,
    /// No more than wanted.
    JobNDoneAtMostJobWantedAndStepIdIsStepId,
}

::statespec::__unit_enum!(
    pub Invariant, "invariant", 3,
    [JobIsNotClosedOrJobNDoneAtLeastJobWanted("job_is_not_closed_or_job_n_done_at_least_job_wanted"),
    NotBoltIsFixedAndJobIsVoidOrPlantLoadAtLeastN0("not_bolt_is_fixed_and_job_is_void_or_plant_load_at_least_n0"),
    JobNDoneAtMostJobWantedAndStepIdIsStepId("job_n_done_at_most_job_wanted_and_step_id_is_step_id")],
    serde
);

impl Invariant {
    /// The description of the invariant in the spec.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 3] = &[
            "A closed job is done",
            "Nothing of bolts in void jobs",
            "No more than wanted",
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
            Invariant::JobIsNotClosedOrJobNDoneAtLeastJobWanted => {
                check_job_is_not_closed_or_job_n_done_at_least_job_wanted(unit)
            }
            Invariant::NotBoltIsFixedAndJobIsVoidOrPlantLoadAtLeastN0 => {
                check_not_bolt_is_fixed_and_job_is_void_or_plant_load_at_least_n0(unit)
            }
            Invariant::JobNDoneAtMostJobWantedAndStepIdIsStepId => {
                check_job_n_done_at_most_job_wanted_and_step_id_is_step_id(unit)
            }
        };
        if holds.map_err(Failure::store)? {
            Ok(())
        } else {
            Err(Refused::Invariant(self).into())
        }
    }
}

/// A closed job is done.
#[allow(clippy::nonminimal_bool, clippy::overly_complex_bool_expr)]
fn check_job_is_not_closed_or_job_n_done_at_least_job_wanted<U: UnitOfWork>(
    unit: &mut U,
) -> Result<bool, U::Error> {
    let mut after = None;
    while let Some((job_id, job)) = unit.next_job(after)? {
        after = Some(job_id);
        let holds = job.state() != super::job::State::Closed
            || job.context().n_done >= job.context().wanted;
        if !holds {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Nothing of bolts in void jobs.
#[allow(clippy::nonminimal_bool, clippy::overly_complex_bool_expr)]
fn check_not_bolt_is_fixed_and_job_is_void_or_plant_load_at_least_n0<U: UnitOfWork>(
    unit: &mut U,
) -> Result<bool, U::Error> {
    let plant = unit.load_plant()?.unwrap_or_else(super::plant::Plant::new);
    let mut after = None;
    while let Some((bolt_id, bolt)) = unit.next_bolt(after)? {
        after = Some(bolt_id);
        let Some(step_id) = bolt.context().step_id else { continue };
        let Some(step) = unit.load_step(step_id)? else { continue };
        let Some(job_id) = step.context().job_id else { continue };
        let Some(job) = unit.load_job(job_id)? else { continue };
        let holds = !(bolt.state() == super::payload_target::State::Fixed
            && job.state() == super::job::State::Void) || plant.context().load >= 0;
        if !holds {
            return Ok(false);
        }
    }
    Ok(true)
}

/// No more than wanted.
#[allow(clippy::eq_op, clippy::nonminimal_bool, clippy::overly_complex_bool_expr)]
fn check_job_n_done_at_most_job_wanted_and_step_id_is_step_id<U: UnitOfWork>(
    unit: &mut U,
) -> Result<bool, U::Error> {
    let mut after = None;
    while let Some((step_id, step)) = unit.next_step(after)? {
        after = Some(step_id);
        let Some(job_id) = step.context().job_id else { continue };
        let Some(job) = unit.load_job(job_id)? else { continue };
        let holds = job.context().n_done <= job.context().wanted && step_id == step_id;
        if !holds {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The parts: machines in a role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// The part `plant`.
    Plant,
    /// The part `job`.
    Job,
    /// The part `step`.
    Step,
    /// The part `bolt`.
    Bolt,
}

::statespec::__unit_enum!(
    pub Part, "part", 4, [Plant("plant"), Job("job"), Step("step"), Bolt("bolt")], serde
);

impl Part {
    /// The name of the part that a person reads.
    pub const fn label(self) -> &'static str {
        const TEXTS: &[&str; 4] = &["Plant", "Job", "Step", "Bolt"];
        TEXTS[self as usize]
    }
}

/// The transactions of the system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Transaction {
    /// The transaction `accept`.
    ///
    /// Triggered by `self`.
    Accept,
    /// The transaction `begin`.
    ///
    /// Triggered by `self` or `smith`.
    ///
    /// The work is done by `smith`.
    ///
    /// Nothing begins.
    Begin,
    /// The transaction `plan`.
    Plan,
    /// The transaction `make`.
    Make,
    /// The transaction `fix`.
    Fix,
    /// The transaction `turn`.
    Turn,
    /// The transaction `reset`.
    Reset,
    /// The transaction `finish`.
    Finish,
    /// The transaction `abandon`.
    Abandon,
    /// The transaction `check`.
    Check,
    /// The transaction `match`.
    ///
    /// Inferred: A keyword.
    Match,
}

::statespec::__unit_enum!(
    pub Transaction, "transaction", 11, [Accept("accept"), Begin("begin"), Plan("plan"),
    Make("make"), Fix("fix"), Turn("turn"), Reset("reset"), Finish("finish"),
    Abandon("abandon"), Check("check"), Match("match")], serde
);

impl Transaction {
    /// The name of the transaction that a person reads.
    pub const fn label(self) -> &'static str {
        const TEXTS: &[&str; 11] = &[
            "accept",
            "begin",
            "plan",
            "make",
            "fix",
            "turn",
            "reset",
            "finish",
            "abandon",
            "check",
            "button [x]",
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
                "workshop",
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
        const BY: &[&[Actor]; 11] = &[
            &[Actor::Self_],
            &[Actor::Self_, Actor::Smith],
            &[],
            &[],
            &[],
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
        const PERFORMERS: &[Option<Actor>; 11] = &[
            None,
            Some(Actor::Smith),
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

    /// Refuses an actor that may not trigger the transaction.
    fn require(self, actor: Option<Actor>) -> Result<(), Refused> {
        match actor {
            Some(actor) if !self.may_be_triggered_by(actor) => Err(Refused::Actor(self)),
            _ => Ok(()),
        }
    }

    /// Whether the spec asks for one database transaction.
    pub const fn is_atomic(self) -> bool {
        matches!(self, Transaction::Begin)
    }
}

/// The actors that trigger transactions, or do the work that transactions start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Actor {
    /// The owner.
    Self_,
    /// Does the work.
    Smith,
}

::statespec::__unit_enum!(pub Actor, "actor", 2, [Self_("self"), Smith("smith")], serde);

impl Actor {
    /// The description of the actor in the spec.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 2] = &["The owner.", "Does the work."];
        TEXTS[self as usize]
    }
}

/// The parts as a transaction sees them.
struct World<U: UnitOfWork> {
    plant: ::statespec::__private::Slot<super::plant::Plant<U::Text, U::Key>, U::Key>,
    job: ::statespec::__private::Slot<super::job::Job<U::Text>, U::Key>,
    step: ::statespec::__private::Slot<super::step::Step<U::Text, U::Key>, U::Key>,
    bolt: ::statespec::__private::Slot<
        super::payload_target::PayloadTarget<U::Key>,
        U::Key,
    >,
    plant_predicates: Option<U::PlantPredicates>,
}

impl<U: UnitOfWork> World<U> {
    /// Nothing is loaded.
    const fn empty() -> Self {
        World {
            plant: ::statespec::__private::Slot::empty(),
            job: ::statespec::__private::Slot::empty(),
            step: ::statespec::__private::Slot::empty(),
            bolt: ::statespec::__private::Slot::empty(),
            plant_predicates: None,
        }
    }

    /// Loads the `plant`.
    fn load_plant(mut self, unit: &mut U) -> Result<Self, U::Error> {
        self.plant = ::statespec::__private::Slot::found_or(
            None,
            unit.load_plant()?,
            super::plant::Plant::new,
        );
        self.plant_predicates = Some(unit.plant_predicates()?);
        Ok(self)
    }

    /// Loads the `job`.
    fn load_job(mut self, unit: &mut U, key: U::Key) -> Result<Self, U::Error> {
        self.job = ::statespec::__private::Slot::new(Some(key), unit.load_job(key)?);
        Ok(self)
    }

    /// Loads the `job` that the `step` belongs to.
    fn load_job_of_step(mut self, unit: &mut U) -> Result<Self, U::Error> {
        if let Some(key) = self.step.now().and_then(|it| it.context().job_id) {
            self.job = ::statespec::__private::Slot::new(Some(key), unit.load_job(key)?);
        }
        Ok(self)
    }

    /// Makes place for a new `job`.
    fn new_job(mut self, key: U::Key) -> Self {
        self.job = ::statespec::__private::Slot::new(Some(key), None);
        self
    }

    /// Loads the `step`.
    fn load_step(mut self, unit: &mut U, key: U::Key) -> Result<Self, U::Error> {
        self.step = ::statespec::__private::Slot::new(Some(key), unit.load_step(key)?);
        Ok(self)
    }

    /// Loads the `step` that the `bolt` belongs to.
    fn load_step_of_bolt(mut self, unit: &mut U) -> Result<Self, U::Error> {
        if let Some(key) = self.bolt.now().and_then(|it| it.context().step_id) {
            self.step = ::statespec::__private::Slot::new(
                Some(key),
                unit.load_step(key)?,
            );
        }
        Ok(self)
    }

    /// Makes place for a new `step`.
    fn new_step(mut self, key: U::Key) -> Self {
        self.step = ::statespec::__private::Slot::new(Some(key), None);
        self
    }

    /// Loads the `bolt`.
    fn load_bolt(mut self, unit: &mut U, key: U::Key) -> Result<Self, U::Error> {
        self.bolt = ::statespec::__private::Slot::new(Some(key), unit.load_bolt(key)?);
        Ok(self)
    }

    /// Makes place for a new `bolt`.
    fn new_bolt(mut self, key: U::Key) -> Self {
        self.bolt = ::statespec::__private::Slot::new(Some(key), None);
        self
    }

    /// The `plant`, which must be there.
    fn plant(&self) -> Result<&super::plant::Plant<U::Text, U::Key>, Refused> {
        self.plant.now().ok_or(Refused::Missing(Part::Plant))
    }

    /// The `job`, which must be there.
    fn job(&self) -> Result<&super::job::Job<U::Text>, Refused> {
        self.job.now().ok_or(Refused::Missing(Part::Job))
    }

    /// The key of the `job`.
    fn job_id(&self) -> Result<U::Key, Refused> {
        self.job.key().ok_or(Refused::Missing(Part::Job))
    }

    /// The `step`, which must be there.
    fn step(&self) -> Result<&super::step::Step<U::Text, U::Key>, Refused> {
        self.step.now().ok_or(Refused::Missing(Part::Step))
    }

    /// The key of the `step`.
    fn step_id(&self) -> Result<U::Key, Refused> {
        self.step.key().ok_or(Refused::Missing(Part::Step))
    }

    /// The `bolt`, which must be there.
    fn bolt(&self) -> Result<&super::payload_target::PayloadTarget<U::Key>, Refused> {
        self.bolt.now().ok_or(Refused::Missing(Part::Bolt))
    }

    /// Returns an error if the rule does not hold.
    #[allow(clippy::nonminimal_bool, clippy::overly_complex_bool_expr)]
    fn require(&self, rule: Rule) -> Result<(), Refused> {
        let holds = match rule {
            Rule::JobInOpen => self.job()?.state().is_in(super::job::Composite::Open),
            Rule::StepIsTodoAndJobSizeIsNotLargeOrPlantLoadAboveN0 => {
                self.step()?.state() == super::step::State::Todo
                    && self.job()?.context().size != super::job::Size::Large
                    || self.plant()?.context().load > 0
            }
            Rule::StepRemarkIsNullOrStepRemarkIsNot => {
                self.step()?.context().remark.is_none()
                    || self.step()?.context().remark.as_ref().map(AsRef::<str>::as_ref)
                        != Some("no bolts")
            }
        };
        if holds { Ok(()) } else { Err(Refused::Rule(rule)) }
    }

    /// Raises an event in the `plant`.
    fn fire_plant(
        &mut self,
        event: super::plant::Event<&str, U::Key>,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<(), Failure<U::Error>> {
        let predicates = self
            .plant_predicates
            .as_ref()
            .ok_or(Refused::Missing(Part::Plant))?;
        let mut next = Clone::clone(self.plant()?);
        let change = next.apply(event, predicates).map_err(Refused::Plant)?;
        phase
            .end(
                event.kind(),
                &change,
                |unit, effect, step| {
                    ::statespec::Effects::effect(&next, effect, step, Some(&event))
                        .map_or(Ok(()), |it| unit.perform_plant(it))
                },
            )?;
        self.plant.put(next, change.commit());
        Ok(())
    }

    /// Raises an event in the `job`.
    fn fire_job(
        &mut self,
        event: super::job::Event<&str>,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<super::job::Change, Failure<U::Error>> {
        let mut next = Clone::clone(self.job()?);
        let change = next.apply(event).map_err(Refused::Job)?;
        let key = self.job_id()?;
        phase
            .end(
                event.kind(),
                &change,
                |unit, effect, step| {
                    ::statespec::Effects::effect(&next, effect, step, Some(&event))
                        .map_or(Ok(()), |it| unit.perform_job(key, it))
                },
            )?;
        self.job.put(next, change.commit());
        Ok(change)
    }

    /// Creates a `job`.
    fn create_job(
        &mut self,
        event: super::job::Event<&str>,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<super::job::Change, Failure<U::Error>> {
        let (next, change) = super::job::Job::create(event).map_err(Refused::Job)?;
        let key = self.job_id()?;
        phase
            .end(
                event.kind(),
                &change,
                |unit, effect, step| {
                    ::statespec::Effects::effect(&next, effect, step, Some(&event))
                        .map_or(Ok(()), |it| unit.perform_job(key, it))
                },
            )?;
        self.job.put(next, change.commit());
        Ok(change)
    }

    /// Raises the events of the links that watch the `job`.
    fn follow_job(
        &mut self,
        change: &super::job::Change,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<(), Failure<U::Error>> {
        for step in change.steps() {
            if step.leaves_composite(|it| it.is_in(super::job::Composite::Open)) {
                ::statespec::__private::optional(
                    self.exit_job_open_fires_plant_release(phase),
                )?;
            }
            if step.enters(super::job::State::Closed) {
                self.enter_job_closed_fires_plant_release(phase)?;
            }
        }
        Ok(())
    }

    /// Raises an event in the `step`.
    fn fire_step(
        &mut self,
        event: super::step::Event<&str>,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<super::step::Change, Failure<U::Error>> {
        let mut next = Clone::clone(self.step()?);
        let change = next.apply(event).map_err(Refused::Step)?;
        let key = self.step_id()?;
        phase
            .end(
                event.kind(),
                &change,
                |unit, effect, step| {
                    ::statespec::Effects::effect(&next, effect, step, Some(&event))
                        .map_or(Ok(()), |it| unit.perform_step(key, it))
                },
            )?;
        self.step.put(next, change.commit());
        Ok(change)
    }

    /// Creates a `step`.
    fn create_step(
        &mut self,
        event: super::step::Event<&str>,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<super::step::Change, Failure<U::Error>> {
        let (next, change) = super::step::Step::create_with(
                super::step::Context {
                    job_id: self.job.key(),
                    ..Default::default()
                },
                event,
            )
            .map_err(Refused::Step)?;
        let key = self.step_id()?;
        phase
            .end(
                event.kind(),
                &change,
                |unit, effect, step| {
                    ::statespec::Effects::effect(&next, effect, step, Some(&event))
                        .map_or(Ok(()), |it| unit.perform_step(key, it))
                },
            )?;
        self.step.put(next, change.commit());
        Ok(change)
    }

    /// Raises the events of the links that watch the `step`.
    fn follow_step(
        &mut self,
        change: &super::step::Change,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<(), Failure<U::Error>> {
        for step in change.steps() {
            if step.enters(super::step::State::Done) {
                self.enter_step_done_fires_job_progress(phase)?;
            }
        }
        Ok(())
    }

    /// Raises an event in the `bolt`.
    fn fire_bolt(
        &mut self,
        event: super::payload_target::Event,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<(), Failure<U::Error>> {
        let mut next = Clone::clone(self.bolt()?);
        let change = next.apply(event).map_err(Refused::Bolt)?;
        phase.end(event.kind(), &change, |_, effect, _| match effect {})?;
        self.bolt.put(next, change.commit());
        Ok(())
    }

    /// Creates a `bolt`.
    fn create_bolt(
        &mut self,
        event: super::payload_target::Event,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<(), Failure<U::Error>> {
        let (next, change) = super::payload_target::PayloadTarget::create_with(
                super::payload_target::Context {
                    step_id: self.step.key(),
                },
                event,
            )
            .map_err(Refused::Bolt)?;
        phase.end(event.kind(), &change, |_, effect, _| match effect {})?;
        self.bolt.put(next, change.commit());
        Ok(())
    }

    /// A step done is progress.
    fn enter_step_done_fires_job_progress(
        &mut self,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<(), Failure<U::Error>> {
        let before = Clone::clone(self);
        let change = self
            .fire_job(
                super::job::Event::Progress {
                    why: AsRef::<str>::as_ref(&before.job()?.context().name),
                },
                phase,
            )?;
        self.follow_job(&change, phase)
    }

    /// A link of the spec.
    fn enter_job_closed_fires_plant_release(
        &mut self,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<(), Failure<U::Error>> {
        self.plant()?;
        let fires = self.plant()?.context().load > 0;
        if !fires {
            return Ok(());
        }
        self.job()?;
        let before = Clone::clone(self);
        self.fire_plant(
            super::plant::Event::Release {
                name: Some(AsRef::<str>::as_ref(&before.job()?.context().name)),
            },
            phase,
        )
    }

    /// A link of the spec.
    fn exit_job_open_fires_plant_release(
        &mut self,
        phase: &mut ::statespec::__private::Phase<'_, U>,
    ) -> Result<(), Failure<U::Error>> {
        self.job()?;
        let fires = self.job()?.state() == super::job::State::Void;
        if !fires {
            return Ok(());
        }
        self.fire_plant(
            super::plant::Event::Release {
                name: None,
            },
            phase,
        )
    }

    /// Saves the parts that changed, checks the invariants that read these, and says when the store is written.
    fn save(&self, unit: &mut U) -> Result<::statespec::Commit, Failure<U::Error>> {
        self.plant
            .save(|before, after| unit.save_plant(before, after))
            .map_err(Failure::store)?;
        self.job
            .save_by_key(|key, before, after| unit.save_job(key, before, after))
            .map_err(Failure::store)?;
        self.step
            .save_by_key(|key, before, after| unit.save_step(key, before, after))
            .map_err(Failure::store)?;
        self.bolt
            .save_by_key(|key, before, after| unit.save_bolt(key, before, after))
            .map_err(Failure::store)?;
        if self.job.is_changed() {
            Invariant::JobIsNotClosedOrJobNDoneAtLeastJobWanted.check(unit)?;
        }
        if self.plant.is_changed() || self.job.is_changed() || self.bolt.is_changed() {
            Invariant::NotBoltIsFixedAndJobIsVoidOrPlantLoadAtLeastN0.check(unit)?;
        }
        if self.job.is_changed() || self.step.is_changed() {
            Invariant::JobNDoneAtMostJobWantedAndStepIdIsStepId.check(unit)?;
        }
        Ok(
            self
                .plant
                .order()
                .min(self.job.order())
                .min(self.step.order())
                .min(self.bolt.order()),
        )
    }
}

impl<U: UnitOfWork> Clone for World<U> {
    fn clone(&self) -> Self {
        World {
            plant: Clone::clone(&self.plant),
            job: Clone::clone(&self.job),
            step: Clone::clone(&self.step),
            bolt: Clone::clone(&self.bolt),
            plant_predicates: Clone::clone(&self.plant_predicates),
        }
    }
}
