//! The \<workshop\>
//!
//! Parts of parts, links that set off links, predicates, and everything else a system can say.

/// The transaction `accept`.
///
/// Triggered by `self`.
#[allow(clippy::all)]
pub fn accept<U: UnitOfWork>(
    unit: &mut U,
    title: &str,
    n_steps: i64,
    kind: super::job::Size,
) -> Result<U::Key, Failure<U::Error>> {
    let job_id = unit.new_job().map_err(Failure::store)?;
    ::statespec::transact(
        unit,
        |unit| {
            let plant = ::statespec::Slot::found_or(
                None,
                unit.load_plant().map_err(Failure::store)?,
                super::plant::Plant::new,
            );
            Ok(World {
                job: ::statespec::Slot::new(Some(job_id), None),
                plant,
                plant_predicates: Some(unit.plant_predicates().map_err(Failure::store)?),
                ..World::empty()
            })
        },
        |world: &mut World<U>, pass| {
            let job_event = super::job::Event::Create {
                title,
                n_steps,
                kind,
            };
            let (job_next, job_change) = super::job::Job::born(job_event)
                .map_err(Refused::Job)?;
            pass.perform(
                &job_change,
                |unit, effect| unit.perform_job(job_id, &job_event, effect),
            )?;
            world.job.put(job_next, job_change.commit());
            follow_job(world, &job_change, pass)?;
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
    Ok(job_id)
}

/// The transaction `begin`.
///
/// Triggered by `self` or `smith`.
///
/// The work is done by `smith`.
///
/// Nothing begins.
#[allow(clippy::all)]
pub fn begin<U: UnitOfWork>(
    unit: &mut U,
    job_id: U::Key,
) -> Result<(), Failure<U::Error>> {
    ::statespec::transact(
        unit,
        |unit| {
            let plant = ::statespec::Slot::found_or(
                None,
                unit.load_plant().map_err(Failure::store)?,
                super::plant::Plant::new,
            );
            let job = ::statespec::Slot::new(
                Some(job_id),
                unit.load_job(job_id).map_err(Failure::store)?,
            );
            Ok(World {
                plant,
                job,
                plant_predicates: Some(unit.plant_predicates().map_err(Failure::store)?),
                ..World::empty()
            })
        },
        |world: &mut World<U>, pass| {
            let plant_now = world.plant.now().ok_or(Refused::Missing(Part::Plant))?;
            let job_now = world.job.now().ok_or(Refused::Missing(Part::Job))?;
            let job_event = super::job::Event::Begin;
            let plant_event = super::plant::Event::Take {
                job: job_id,
                name: AsRef::<str>::as_ref(&job_now.context().name),
            };
            let mut job_next = Clone::clone(job_now);
            let job_change = job_next.apply(job_event).map_err(Refused::Job)?;
            let mut plant_next = Clone::clone(plant_now);
            let plant_change = plant_next
                .apply(
                    plant_event,
                    world.plant_predicates.as_ref().ok_or(Refused::Missing(Part::Plant))?,
                )
                .map_err(Refused::Plant)?;
            pass.perform(
                &job_change,
                |unit, effect| unit.perform_job(job_id, &job_event, effect),
            )?;
            pass.perform(
                &plant_change,
                |unit, effect| unit.perform_plant(&plant_event, effect),
            )?;
            world.job.put(job_next, job_change.commit());
            world.plant.put(plant_next, plant_change.commit());
            follow_job(world, &job_change, pass)?;
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

/// The transaction `plan`.
#[allow(clippy::all)]
pub fn plan<U: UnitOfWork>(
    unit: &mut U,
    job_id: U::Key,
    text: Option<&str>,
) -> Result<U::Key, Failure<U::Error>> {
    let step_id = unit.new_step().map_err(Failure::store)?;
    ::statespec::transact(
        unit,
        |unit| {
            let plant = ::statespec::Slot::found_or(
                None,
                unit.load_plant().map_err(Failure::store)?,
                super::plant::Plant::new,
            );
            let job = ::statespec::Slot::new(
                Some(job_id),
                unit.load_job(job_id).map_err(Failure::store)?,
            );
            Ok(World {
                step: ::statespec::Slot::new(Some(step_id), None),
                plant,
                job,
                plant_predicates: Some(unit.plant_predicates().map_err(Failure::store)?),
                ..World::empty()
            })
        },
        |world: &mut World<U>, pass| {
            let job_now = world.job.now().ok_or(Refused::Missing(Part::Job))?;
            if !(job_now.state().is_in(super::job::Composite::Open)) {
                return Err(Refused::Rule(0).into());
            }
            let step_event = super::step::Event::Plan { text };
            let (step_next, step_change) = super::step::Step::born_with(
                    super::step::Context {
                        job_id: Some(job_id),
                        ..Default::default()
                    },
                    step_event,
                )
                .map_err(Refused::Step)?;
            pass.perform(
                &step_change,
                |unit, effect| unit.perform_step(step_id, effect),
            )?;
            world.step.put(step_next, step_change.commit());
            follow_step(world, &step_change, pass)?;
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
    Ok(step_id)
}

/// The transaction `make`.
#[allow(clippy::all)]
pub fn make<U: UnitOfWork>(
    unit: &mut U,
    step_id: U::Key,
) -> Result<U::Key, Failure<U::Error>> {
    let bolt_id = unit.new_bolt().map_err(Failure::store)?;
    ::statespec::transact(
        unit,
        |unit| {
            let step = ::statespec::Slot::new(
                Some(step_id),
                unit.load_step(step_id).map_err(Failure::store)?,
            );
            Ok(World {
                bolt: ::statespec::Slot::new(Some(bolt_id), None),
                step,
                ..World::empty()
            })
        },
        |world: &mut World<U>, _pass| {
            let step_now = world.step.now().ok_or(Refused::Missing(Part::Step))?;
            if !(step_now.context().remark.is_none()
                || step_now.context().remark.as_ref().map(AsRef::<str>::as_ref)
                    != Some("no bolts"))
            {
                return Err(Refused::Rule(2).into());
            }
            let bolt_event = super::payload_target::Event::Make;
            let (bolt_next, bolt_change) = super::payload_target::PayloadTarget::born_with(
                    super::payload_target::Context {
                        step_id: Some(step_id),
                    },
                    bolt_event,
                )
                .map_err(Refused::Bolt)?;
            world.bolt.put(bolt_next, bolt_change.commit());
            Ok(())
        },
        |unit, world| {
            let order = save(unit, world).map_err(Failure::store)?;
            invariant_1(unit)?;
            Ok(order)
        },
    )?;
    Ok(bolt_id)
}

/// The transaction `fix`.
#[allow(clippy::all)]
pub fn fix<U: UnitOfWork>(
    unit: &mut U,
    bolt_id: U::Key,
) -> Result<(), Failure<U::Error>> {
    ::statespec::transact(
        unit,
        |unit| {
            let bolt = ::statespec::Slot::new(
                Some(bolt_id),
                unit.load_bolt(bolt_id).map_err(Failure::store)?,
            );
            let step = match bolt.now().and_then(|it| it.context().step_id) {
                Some(step_id) => {
                    ::statespec::Slot::new(
                        Some(step_id),
                        unit.load_step(step_id).map_err(Failure::store)?,
                    )
                }
                None => ::statespec::Slot::empty(),
            };
            let plant = ::statespec::Slot::found_or(
                None,
                unit.load_plant().map_err(Failure::store)?,
                super::plant::Plant::new,
            );
            let job = match step.now().and_then(|it| it.context().job_id) {
                Some(job_id) => {
                    ::statespec::Slot::new(
                        Some(job_id),
                        unit.load_job(job_id).map_err(Failure::store)?,
                    )
                }
                None => ::statespec::Slot::empty(),
            };
            Ok(World {
                bolt,
                step,
                plant,
                job,
                plant_predicates: Some(unit.plant_predicates().map_err(Failure::store)?),
            })
        },
        |world: &mut World<U>, pass| {
            let plant_now = world.plant.now().ok_or(Refused::Missing(Part::Plant))?;
            let job_now = world.job.now().ok_or(Refused::Missing(Part::Job))?;
            let step_now = world.step.now().ok_or(Refused::Missing(Part::Step))?;
            let step_id = world.step.key().ok_or(Refused::Missing(Part::Step))?;
            let bolt_now = world.bolt.now().ok_or(Refused::Missing(Part::Bolt))?;
            if !(step_now.state() == super::step::State::Todo
                && job_now.context().size != super::job::Size::Large
                || plant_now.context().load > 0)
            {
                return Err(Refused::Rule(1).into());
            }
            if !(job_now.state().is_in(super::job::Composite::Open)) {
                return Err(Refused::Rule(0).into());
            }
            let bolt_event = super::payload_target::Event::Fix;
            let step_event = super::step::Event::BoltFixed;
            let mut bolt_next = Clone::clone(bolt_now);
            let bolt_change = bolt_next.apply(bolt_event).map_err(Refused::Bolt)?;
            let mut step_next = Clone::clone(step_now);
            let step_change = step_next.apply(step_event).map_err(Refused::Step)?;
            pass.perform(
                &step_change,
                |unit, effect| unit.perform_step(step_id, effect),
            )?;
            world.bolt.put(bolt_next, bolt_change.commit());
            world.step.put(step_next, step_change.commit());
            follow_step(world, &step_change, pass)?;
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

/// The transaction `turn`.
#[allow(clippy::all)]
pub fn turn<U: UnitOfWork>(
    unit: &mut U,
    bolt_id: U::Key,
    to: super::payload_target::State,
) -> Result<(), Failure<U::Error>> {
    ::statespec::transact(
        unit,
        |unit| {
            let bolt = ::statespec::Slot::new(
                Some(bolt_id),
                unit.load_bolt(bolt_id).map_err(Failure::store)?,
            );
            let step = match bolt.now().and_then(|it| it.context().step_id) {
                Some(step_id) => {
                    ::statespec::Slot::new(
                        Some(step_id),
                        unit.load_step(step_id).map_err(Failure::store)?,
                    )
                }
                None => ::statespec::Slot::empty(),
            };
            let plant = ::statespec::Slot::found_or(
                None,
                unit.load_plant().map_err(Failure::store)?,
                super::plant::Plant::new,
            );
            let job = match step.now().and_then(|it| it.context().job_id) {
                Some(job_id) => {
                    ::statespec::Slot::new(
                        Some(job_id),
                        unit.load_job(job_id).map_err(Failure::store)?,
                    )
                }
                None => ::statespec::Slot::empty(),
            };
            Ok(World {
                bolt,
                step,
                plant,
                job,
                plant_predicates: Some(unit.plant_predicates().map_err(Failure::store)?),
            })
        },
        |world: &mut World<U>, _pass| {
            let plant_now = world.plant.now().ok_or(Refused::Missing(Part::Plant))?;
            let job_now = world.job.now().ok_or(Refused::Missing(Part::Job))?;
            let step_now = world.step.now().ok_or(Refused::Missing(Part::Step))?;
            let bolt_now = world.bolt.now().ok_or(Refused::Missing(Part::Bolt))?;
            if !(step_now.state() == super::step::State::Todo
                && job_now.context().size != super::job::Size::Large
                || plant_now.context().load > 0)
            {
                return Err(Refused::Rule(1).into());
            }
            let bolt_event = super::payload_target::Event::Turn {
                self_: to,
            };
            let mut bolt_next = Clone::clone(bolt_now);
            let bolt_change = bolt_next.apply(bolt_event).map_err(Refused::Bolt)?;
            world.bolt.put(bolt_next, bolt_change.commit());
            Ok(())
        },
        |unit, world| {
            let order = save(unit, world).map_err(Failure::store)?;
            invariant_1(unit)?;
            Ok(order)
        },
    )
}

/// The transaction `reset`.
#[allow(clippy::all)]
pub fn reset<U: UnitOfWork>(
    unit: &mut U,
    bolt_id: U::Key,
) -> Result<(), Failure<U::Error>> {
    ::statespec::transact(
        unit,
        |unit| {
            let bolt = ::statespec::Slot::new(
                Some(bolt_id),
                unit.load_bolt(bolt_id).map_err(Failure::store)?,
            );
            let step = match bolt.now().and_then(|it| it.context().step_id) {
                Some(step_id) => {
                    ::statespec::Slot::new(
                        Some(step_id),
                        unit.load_step(step_id).map_err(Failure::store)?,
                    )
                }
                None => ::statespec::Slot::empty(),
            };
            let plant = ::statespec::Slot::found_or(
                None,
                unit.load_plant().map_err(Failure::store)?,
                super::plant::Plant::new,
            );
            let job = match step.now().and_then(|it| it.context().job_id) {
                Some(job_id) => {
                    ::statespec::Slot::new(
                        Some(job_id),
                        unit.load_job(job_id).map_err(Failure::store)?,
                    )
                }
                None => ::statespec::Slot::empty(),
            };
            Ok(World {
                bolt,
                step,
                plant,
                job,
                plant_predicates: Some(unit.plant_predicates().map_err(Failure::store)?),
            })
        },
        |world: &mut World<U>, _pass| {
            let plant_now = world.plant.now().ok_or(Refused::Missing(Part::Plant))?;
            let job_now = world.job.now().ok_or(Refused::Missing(Part::Job))?;
            let step_now = world.step.now().ok_or(Refused::Missing(Part::Step))?;
            let bolt_now = world.bolt.now().ok_or(Refused::Missing(Part::Bolt))?;
            if !(step_now.state() == super::step::State::Todo
                && job_now.context().size != super::job::Size::Large
                || plant_now.context().load > 0)
            {
                return Err(Refused::Rule(1).into());
            }
            let bolt_event = super::payload_target::Event::Turn {
                self_: super::payload_target::State::Loose,
            };
            let mut bolt_next = Clone::clone(bolt_now);
            let bolt_change = bolt_next.apply(bolt_event).map_err(Refused::Bolt)?;
            world.bolt.put(bolt_next, bolt_change.commit());
            Ok(())
        },
        |unit, world| {
            let order = save(unit, world).map_err(Failure::store)?;
            invariant_1(unit)?;
            Ok(order)
        },
    )
}

/// The transaction `finish`.
#[allow(clippy::all)]
pub fn finish<U: UnitOfWork>(
    unit: &mut U,
    step_id: U::Key,
) -> Result<(), Failure<U::Error>> {
    ::statespec::transact(
        unit,
        |unit| {
            let step = ::statespec::Slot::new(
                Some(step_id),
                unit.load_step(step_id).map_err(Failure::store)?,
            );
            let plant = ::statespec::Slot::found_or(
                None,
                unit.load_plant().map_err(Failure::store)?,
                super::plant::Plant::new,
            );
            let job = match step.now().and_then(|it| it.context().job_id) {
                Some(job_id) => {
                    ::statespec::Slot::new(
                        Some(job_id),
                        unit.load_job(job_id).map_err(Failure::store)?,
                    )
                }
                None => ::statespec::Slot::empty(),
            };
            Ok(World {
                step,
                plant,
                job,
                plant_predicates: Some(unit.plant_predicates().map_err(Failure::store)?),
                ..World::empty()
            })
        },
        |world: &mut World<U>, pass| {
            let job_now = world.job.now().ok_or(Refused::Missing(Part::Job))?;
            let step_now = world.step.now().ok_or(Refused::Missing(Part::Step))?;
            if !(job_now.state().is_in(super::job::Composite::Open)) {
                return Err(Refused::Rule(0).into());
            }
            let step_event = super::step::Event::Finish;
            let mut step_next = Clone::clone(step_now);
            let step_change = step_next.apply(step_event).map_err(Refused::Step)?;
            pass.perform(
                &step_change,
                |unit, effect| unit.perform_step(step_id, effect),
            )?;
            world.step.put(step_next, step_change.commit());
            follow_step(world, &step_change, pass)?;
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

/// The transaction `abandon`.
pub fn abandon<U: UnitOfWork>(
    unit: &mut U,
    job_id: U::Key,
) -> Result<(), Failure<U::Error>> {
    ::statespec::transact(
        unit,
        |unit| {
            let plant = ::statespec::Slot::found_or(
                None,
                unit.load_plant().map_err(Failure::store)?,
                super::plant::Plant::new,
            );
            let job = ::statespec::Slot::new(
                Some(job_id),
                unit.load_job(job_id).map_err(Failure::store)?,
            );
            Ok(World {
                plant,
                job,
                plant_predicates: Some(unit.plant_predicates().map_err(Failure::store)?),
                ..World::empty()
            })
        },
        |world: &mut World<U>, pass| {
            let job_now = world.job.now().ok_or(Refused::Missing(Part::Job))?;
            let job_event = super::job::Event::Abandon;
            let mut job_next = Clone::clone(job_now);
            let job_change = job_next.apply(job_event).map_err(Refused::Job)?;
            pass.perform(
                &job_change,
                |unit, effect| unit.perform_job(job_id, &job_event, effect),
            )?;
            world.job.put(job_next, job_change.commit());
            follow_job(world, &job_change, pass)?;
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

/// The transaction `check`.
pub fn check<U: UnitOfWork>(unit: &mut U) -> Result<(), Failure<U::Error>> {
    ::statespec::transact(
        unit,
        |unit| {
            let plant = ::statespec::Slot::found_or(
                None,
                unit.load_plant().map_err(Failure::store)?,
                super::plant::Plant::new,
            );
            Ok(World {
                plant,
                plant_predicates: Some(unit.plant_predicates().map_err(Failure::store)?),
                ..World::empty()
            })
        },
        |world: &mut World<U>, pass| {
            let plant_now = world.plant.now().ok_or(Refused::Missing(Part::Plant))?;
            let plant_event = super::plant::Event::Check;
            let mut plant_next = Clone::clone(plant_now);
            let plant_change = plant_next
                .apply(
                    plant_event,
                    world.plant_predicates.as_ref().ok_or(Refused::Missing(Part::Plant))?,
                )
                .map_err(Refused::Plant)?;
            pass.perform(
                &plant_change,
                |unit, effect| unit.perform_plant(&plant_event, effect),
            )?;
            world.plant.put(plant_next, plant_change.commit());
            Ok(())
        },
        |unit, world| {
            let order = save(unit, world).map_err(Failure::store)?;
            invariant_1(unit)?;
            Ok(order)
        },
    )
}

/// The transaction `match`.
///
/// Inferred: A keyword.
#[allow(clippy::all)]
pub fn r#match<U: UnitOfWork>(unit: &mut U) -> Result<(), Failure<U::Error>> {
    ::statespec::transact(
        unit,
        |unit| {
            let plant = ::statespec::Slot::found_or(
                None,
                unit.load_plant().map_err(Failure::store)?,
                super::plant::Plant::new,
            );
            Ok(World {
                plant,
                plant_predicates: Some(unit.plant_predicates().map_err(Failure::store)?),
                ..World::empty()
            })
        },
        |world: &mut World<U>, pass| {
            let plant_now = world.plant.now().ok_or(Refused::Missing(Part::Plant))?;
            let plant_event = super::plant::Event::Release {
                name: None,
            };
            let mut plant_next = Clone::clone(plant_now);
            let plant_change = plant_next
                .apply(
                    plant_event,
                    world.plant_predicates.as_ref().ok_or(Refused::Missing(Part::Plant))?,
                )
                .map_err(Refused::Plant)?;
            pass.perform(
                &plant_change,
                |unit, effect| unit.perform_plant(&plant_event, effect),
            )?;
            world.plant.put(plant_next, plant_change.commit());
            Ok(())
        },
        |unit, world| {
            let order = save(unit, world).map_err(Failure::store)?;
            invariant_1(unit)?;
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

/// A closed job is done.
#[allow(clippy::all)]
fn invariant_0<U: UnitOfWork>(unit: &mut U) -> Result<(), Failure<U::Error>> {
    let mut job_next = None;
    while let Some((job_id, job_now)) = unit.next_job(job_next).map_err(Failure::store)?
    {
        job_next = Some(job_id);
        if !(job_now.state() != super::job::State::Closed
            || job_now.context().n_done >= job_now.context().wanted)
        {
            return Err(Refused::Invariant(0).into());
        }
    }
    Ok(())
}

/// Nothing of bolts in void jobs.
#[allow(clippy::all)]
fn invariant_1<U: UnitOfWork>(unit: &mut U) -> Result<(), Failure<U::Error>> {
    let plant_now = unit
        .load_plant()
        .map_err(Failure::store)?
        .unwrap_or_else(super::plant::Plant::new);
    let mut job_next = None;
    while let Some((job_id, job_now)) = unit.next_job(job_next).map_err(Failure::store)?
    {
        job_next = Some(job_id);
        let mut bolt_next = None;
        while let Some((bolt_id, bolt_now)) = unit
            .next_bolt(bolt_next)
            .map_err(Failure::store)?
        {
            bolt_next = Some(bolt_id);
            let step_event = match Some(&bolt_now).and_then(|it| it.context().step_id) {
                Some(key) => unit.load_step(key).map_err(Failure::store)?,
                None => None,
            };
            if step_event
                .as_ref()
                .and_then(|it| it.context().job_id)
                .is_some_and(|it| it != job_id)
            {
                continue;
            }
            if !(!(bolt_now.state() == super::payload_target::State::Fixed
                && job_now.state() == super::job::State::Void)
                || plant_now.context().load >= 0)
            {
                return Err(Refused::Invariant(1).into());
            }
        }
    }
    Ok(())
}

/// No more than wanted.
#[allow(clippy::all)]
fn invariant_2<U: UnitOfWork>(unit: &mut U) -> Result<(), Failure<U::Error>> {
    let mut job_next = None;
    while let Some((job_id, job_now)) = unit.next_job(job_next).map_err(Failure::store)?
    {
        job_next = Some(job_id);
        let mut step_next = None;
        while let Some((step_id, step_now)) = unit
            .next_step(step_next)
            .map_err(Failure::store)?
        {
            step_next = Some(step_id);
            if Some(&step_now)
                .and_then(|it| it.context().job_id)
                .is_some_and(|it| it != job_id)
            {
                continue;
            }
            if !(job_now.context().n_done <= job_now.context().wanted
                && step_id == step_id)
            {
                return Err(Refused::Invariant(2).into());
            }
        }
    }
    Ok(())
}

/// Where the instances of a `workshop` are kept, while something is done to them.
pub trait UnitOfWork: ::statespec::Unit {
    /// What texts are kept in.
    type Text: Clone + AsRef<str> + for<'e> From<&'e str>;

    /// Finds the `plant`.
    #[allow(clippy::type_complexity)]
    fn load_plant(
        &mut self,
    ) -> Result<Option<super::plant::Plant<Self::Text, Self::Key>>, Self::Error>;

    /// Saves the `plant` after a change; `before` is what was found, nothing where it is new.
    fn save_plant(
        &mut self,
        before: Option<&super::plant::Plant<Self::Text, Self::Key>>,
        after: &super::plant::Plant<Self::Text, Self::Key>,
    ) -> Result<(), Self::Error>;

    /// Performs an effect of the `plant`; `effect.perform(event, …)` calls its method.
    fn perform_plant(
        &mut self,
        event: &super::plant::Event<'_, Self::Key>,
        effect: super::plant::Effect,
    ) -> Result<(), Self::Error>;

    /// What decides the predicates of the `plant`.
    type PlantPredicates: super::plant::Predicates<Self::Text, Self::Key> + Clone;

    /// The predicates of the `plant` in this transaction: the same answers throughout.
    fn plant_predicates(&mut self) -> Result<Self::PlantPredicates, Self::Error>;

    /// What will tell a new `job` apart: called once for each that is born.
    fn new_job(&mut self) -> Result<Self::Key, Self::Error>;

    /// Finds a `job`.
    #[allow(clippy::type_complexity)]
    fn load_job(
        &mut self,
        key: Self::Key,
    ) -> Result<Option<super::job::Job<Self::Text>>, Self::Error>;

    /// Saves the `job` after a change; `before` is what was found, nothing where it is new.
    fn save_job(
        &mut self,
        key: Self::Key,
        before: Option<&super::job::Job<Self::Text>>,
        after: &super::job::Job<Self::Text>,
    ) -> Result<(), Self::Error>;

    /// Goes through every `job`: the first one, or the one after `after`, in any order that stays the same.
    ///
    /// Invariants ask it.
    #[allow(clippy::type_complexity)]
    fn next_job(
        &mut self,
        after: Option<Self::Key>,
    ) -> Result<Option<(Self::Key, super::job::Job<Self::Text>)>, Self::Error>;

    /// Performs an effect of the `job`; `effect.perform(event, …)` calls its method.
    fn perform_job(
        &mut self,
        key: Self::Key,
        event: &super::job::Event<'_>,
        effect: super::job::Effect,
    ) -> Result<(), Self::Error>;

    /// What will tell a new `step` apart: called once for each that is born.
    fn new_step(&mut self) -> Result<Self::Key, Self::Error>;

    /// Finds a `step`.
    #[allow(clippy::type_complexity)]
    fn load_step(
        &mut self,
        key: Self::Key,
    ) -> Result<Option<super::step::Step<Self::Text, Self::Key>>, Self::Error>;

    /// Saves the `step` after a change; `before` is what was found, nothing where it is new.
    fn save_step(
        &mut self,
        key: Self::Key,
        before: Option<&super::step::Step<Self::Text, Self::Key>>,
        after: &super::step::Step<Self::Text, Self::Key>,
    ) -> Result<(), Self::Error>;

    /// Goes through every `step`: the first one, or the one after `after`, in any order that stays the same.
    ///
    /// Invariants ask it.
    #[allow(clippy::type_complexity)]
    fn next_step(
        &mut self,
        after: Option<Self::Key>,
    ) -> Result<
        Option<(Self::Key, super::step::Step<Self::Text, Self::Key>)>,
        Self::Error,
    >;

    /// Performs an effect of the `step`; `effect.perform(…)` calls its method.
    fn perform_step(
        &mut self,
        key: Self::Key,
        effect: super::step::Effect,
    ) -> Result<(), Self::Error>;

    /// What will tell a new `bolt` apart: called once for each that is born.
    fn new_bolt(&mut self) -> Result<Self::Key, Self::Error>;

    /// Finds a `bolt`.
    #[allow(clippy::type_complexity)]
    fn load_bolt(
        &mut self,
        key: Self::Key,
    ) -> Result<Option<super::payload_target::PayloadTarget<Self::Key>>, Self::Error>;

    /// Saves the `bolt` after a change; `before` is what was found, nothing where it is new.
    fn save_bolt(
        &mut self,
        key: Self::Key,
        before: Option<&super::payload_target::PayloadTarget<Self::Key>>,
        after: &super::payload_target::PayloadTarget<Self::Key>,
    ) -> Result<(), Self::Error>;

    /// Goes through every `bolt`: the first one, or the one after `after`, in any order that stays the same.
    ///
    /// Invariants ask it.
    #[allow(clippy::type_complexity)]
    fn next_bolt(
        &mut self,
        after: Option<Self::Key>,
    ) -> Result<
        Option<(Self::Key, super::payload_target::PayloadTarget<Self::Key>)>,
        Self::Error,
    >;
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
    /// The machine of `plant` turned its event down.
    Plant(super::plant::Refused),
    /// The machine of `job` turned its event down.
    Job(super::job::Refused),
    /// The machine of `step` turned its event down.
    Step(super::step::Refused),
    /// The machine of `bolt` turned its event down.
    Bolt(super::payload_target::Refused),
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

/// What must hold before events, in the order of the spec.
pub const RULES: [&str; 3] = [
    "The job must be open",
    "Large jobs need the plant",
    "This step takes no bolts",
];

/// What holds after every transaction, in the order of the spec.
pub const INVARIANTS: [&str; 3] = [
    "A closed job is done",
    "Nothing of bolts in void jobs",
    "No more than wanted",
];

/// A machine in a role.
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

impl Part {
    /// Every part, in the order of the spec.
    pub const ALL: [Part; 4] = [Part::Plant, Part::Job, Part::Step, Part::Bolt];

    /// The name by which the part is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 4] = &["plant", "job", "step", "bolt"];
        NAMES[self as usize]
    }

    /// What a person reads for the part.
    pub const fn label(self) -> &'static str {
        const TEXTS: &[&str; 4] = &["Plant", "Job", "Step", "Bolt"];
        TEXTS[self as usize]
    }
}

::statespec::named!(Part, "part");

::statespec::named_serde!(Part);

/// What can be done to the system.
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

impl Transaction {
    /// Every transaction, in the order of the spec.
    pub const ALL: [Transaction; 11] = [
        Transaction::Accept,
        Transaction::Begin,
        Transaction::Plan,
        Transaction::Make,
        Transaction::Fix,
        Transaction::Turn,
        Transaction::Reset,
        Transaction::Finish,
        Transaction::Abandon,
        Transaction::Check,
        Transaction::Match,
    ];

    /// The name by which the transaction is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 11] = &[
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
            "match",
        ];
        NAMES[self as usize]
    }

    /// What a person reads for the transaction.
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

::statespec::named!(Transaction, "transaction");

::statespec::named_serde!(Transaction);

impl Transaction {
    /// Who may trigger the transaction; anyone when empty.
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

    /// Who does the work that the transaction starts, where that is somebody else.
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

    /// Whether the spec asks for one database transaction.
    pub const fn is_atomic(self) -> bool {
        matches!(self, Transaction::Begin)
    }
}

/// Who triggers transactions, or does the work that they start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Actor {
    /// The owner.
    Self_,
    /// Does the work.
    Smith,
}

impl Actor {
    /// Every actor, in the order of the spec.
    pub const ALL: [Actor; 2] = [Actor::Self_, Actor::Smith];

    /// The name by which the actor is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 2] = &["self", "smith"];
        NAMES[self as usize]
    }

    /// What the spec says about the actor.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 2] = &["The owner.", "Does the work."];
        TEXTS[self as usize]
    }
}

::statespec::named!(Actor, "actor");

::statespec::named_serde!(Actor);

/// The parts that a transaction speaks of.
struct World<U: UnitOfWork> {
    plant: ::statespec::Slot<super::plant::Plant<U::Text, U::Key>, U::Key>,
    job: ::statespec::Slot<super::job::Job<U::Text>, U::Key>,
    step: ::statespec::Slot<super::step::Step<U::Text, U::Key>, U::Key>,
    bolt: ::statespec::Slot<super::payload_target::PayloadTarget<U::Key>, U::Key>,
    plant_predicates: Option<U::PlantPredicates>,
}

impl<U: UnitOfWork> World<U> {
    const fn empty() -> Self {
        World {
            plant: ::statespec::Slot::empty(),
            job: ::statespec::Slot::empty(),
            step: ::statespec::Slot::empty(),
            bolt: ::statespec::Slot::empty(),
            plant_predicates: None,
        }
    }
}

impl<U: UnitOfWork> Clone for World<U> {
    fn clone(&self) -> Self {
        World {
            plant: self.plant.clone(),
            job: self.job.clone(),
            step: self.step.clone(),
            bolt: self.bolt.clone(),
            plant_predicates: self.plant_predicates.clone(),
        }
    }
}

/// Saves what took part, and says when the store is written.
fn save<U: UnitOfWork>(
    unit: &mut U,
    world: &World<U>,
) -> Result<::statespec::Commit, U::Error> {
    if let Some((before, after)) = world.plant.changed() {
        unit.save_plant(before, after)?;
    }
    if let (Some((before, after)), Some(key)) = (world.job.changed(), world.job.key()) {
        unit.save_job(key, before, after)?;
    }
    if let (Some((before, after)), Some(key)) = (
        world.step.changed(),
        world.step.key(),
    ) {
        unit.save_step(key, before, after)?;
    }
    if let (Some((before, after)), Some(key)) = (
        world.bolt.changed(),
        world.bolt.key(),
    ) {
        unit.save_bolt(key, before, after)?;
    }
    Ok(
        world
            .plant
            .order()
            .min(world.job.order())
            .min(world.step.order())
            .min(world.bolt.order()),
    )
}

/// Follows what a change of `job` sets off.
#[allow(clippy::collapsible_if)]
fn follow_job<U: UnitOfWork>(
    world: &mut World<U>,
    change: &super::job::Change,
    pass: &mut ::statespec::Pass<'_, U>,
) -> Result<(), Failure<U::Error>> {
    for step in change.steps() {
        if step.from().is_some_and(|it| it.is_in(super::job::Composite::Open))
            && !step.to().is_in(super::job::Composite::Open)
        {
            match link_2(world, pass) {
                Ok(_) | Err(Failure::Refused(_)) => {}
                Err(failure) => return Err(failure),
            }
        }
        if step.enters(super::job::State::Closed) {
            link_1(world, pass)?;
        }
    }
    Ok(())
}

/// Follows what a change of `step` sets off.
#[allow(clippy::collapsible_if)]
fn follow_step<U: UnitOfWork>(
    world: &mut World<U>,
    change: &super::step::Change,
    pass: &mut ::statespec::Pass<'_, U>,
) -> Result<(), Failure<U::Error>> {
    for step in change.steps() {
        if step.enters(super::step::State::Done) {
            if let Some(change) = link_0(world, pass)? {
                follow_job(world, &change, pass)?;
            }
        }
    }
    Ok(())
}

/// A step done is progress.
#[allow(clippy::all)]
fn link_0<U: UnitOfWork>(
    world: &mut World<U>,
    pass: &mut ::statespec::Pass<'_, U>,
) -> Result<Option<super::job::Change>, Failure<U::Error>> {
    let job_now = world.job.now().ok_or(Refused::Missing(Part::Job))?;
    let job_id = world.job.key().ok_or(Refused::Missing(Part::Job))?;
    let job_event = super::job::Event::Progress {
        why: AsRef::<str>::as_ref(&job_now.context().name),
    };
    let mut job_next = Clone::clone(job_now);
    let job_change = job_next.apply(job_event).map_err(Refused::Job)?;
    pass.perform(
        &job_change,
        |unit, effect| unit.perform_job(job_id, &job_event, effect),
    )?;
    world.job.put(job_next, job_change.commit());
    Ok(Some(job_change))
}

/// A link of the spec.
#[allow(clippy::all)]
fn link_1<U: UnitOfWork>(
    world: &mut World<U>,
    pass: &mut ::statespec::Pass<'_, U>,
) -> Result<Option<super::plant::Change>, Failure<U::Error>> {
    {
        let plant_now = world.plant.now().ok_or(Refused::Missing(Part::Plant))?;
        if !(plant_now.context().load > 0) {
            return Ok(None);
        }
    }
    let plant_now = world.plant.now().ok_or(Refused::Missing(Part::Plant))?;
    let job_now = world.job.now().ok_or(Refused::Missing(Part::Job))?;
    let plant_event = super::plant::Event::Release {
        name: Some(AsRef::<str>::as_ref(&job_now.context().name)),
    };
    let mut plant_next = Clone::clone(plant_now);
    let plant_change = plant_next
        .apply(
            plant_event,
            world.plant_predicates.as_ref().ok_or(Refused::Missing(Part::Plant))?,
        )
        .map_err(Refused::Plant)?;
    pass.perform(
        &plant_change,
        |unit, effect| unit.perform_plant(&plant_event, effect),
    )?;
    world.plant.put(plant_next, plant_change.commit());
    Ok(Some(plant_change))
}

/// A link of the spec.
#[allow(clippy::all)]
fn link_2<U: UnitOfWork>(
    world: &mut World<U>,
    pass: &mut ::statespec::Pass<'_, U>,
) -> Result<Option<super::plant::Change>, Failure<U::Error>> {
    {
        let job_now = world.job.now().ok_or(Refused::Missing(Part::Job))?;
        if !(job_now.state() == super::job::State::Void) {
            return Ok(None);
        }
    }
    let plant_now = world.plant.now().ok_or(Refused::Missing(Part::Plant))?;
    let plant_event = super::plant::Event::Release {
        name: None,
    };
    let mut plant_next = Clone::clone(plant_now);
    let plant_change = plant_next
        .apply(
            plant_event,
            world.plant_predicates.as_ref().ok_or(Refused::Missing(Part::Plant))?,
        )
        .map_err(Refused::Plant)?;
    pass.perform(
        &plant_change,
        |unit, effect| unit.perform_plant(&plant_event, effect),
    )?;
    world.plant.put(plant_next, plant_change.commit());
    Ok(Some(plant_change))
}
