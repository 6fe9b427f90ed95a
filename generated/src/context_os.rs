//! Context OS.
//!
//! Sessions of an agent whose context is paged: the pressure of the context drives the session, the session's operations drive the resources.
//!
//! - The source names one way into the pressure response: the pressure enters CRITICAL. A session that becomes active while the pressure is CRITICAL already is in normal operation until it does so again.
//! - A reset's next session is a new one, which starts at LOADING.
//! - Resources that nobody has discovered are UNKNOWN: they need no event to be there.

/// The persisted mind map is loaded.
///
/// Triggered by `system`.
pub fn start_session<U: UnitOfWork>(unit: &mut U) -> Result<(), Failure<U::Error>> {
    ::statespec::transact(
        unit,
        |unit| {
            let session = ::statespec::Slot::new(
                None,
                unit.load_session().map_err(Failure::store)?,
            );
            Ok(World { session, ..World::empty() })
        },
        |world: &mut World<U>, pass| {
            let session_event = super::session::Event::Start;
            let (session_next, session_change) = match world.session.now() {
                Some(now) => {
                    let mut next = Clone::clone(now);
                    let change = next.apply(session_event).map_err(Refused::Session)?;
                    (next, change)
                }
                None => {
                    super::session::Session::born(session_event)
                        .map_err(Refused::Session)?
                }
            };
            pass.perform(
                &session_change,
                |unit, effect| unit.perform_session(&session_event, effect),
            )?;
            world.session.put(session_next, session_change.commit());
            Ok(())
        },
        |unit, world| {
            let order = save(unit, world).map_err(Failure::store)?;
            Ok(order)
        },
    )
}

/// The ultra-dense map is injected to the agent.
///
/// Triggered by `system`.
pub fn finish_loading<U: UnitOfWork>(unit: &mut U) -> Result<(), Failure<U::Error>> {
    ::statespec::transact(
        unit,
        |unit| {
            let session = ::statespec::Slot::new(
                None,
                unit.load_session().map_err(Failure::store)?,
            );
            Ok(World { session, ..World::empty() })
        },
        |world: &mut World<U>, pass| {
            let session_now = world
                .session
                .now()
                .ok_or(Refused::Missing(Part::Session))?;
            let session_event = super::session::Event::StateLoaded;
            let mut session_next = Clone::clone(session_now);
            let session_change = session_next
                .apply(session_event)
                .map_err(Refused::Session)?;
            pass.perform(
                &session_change,
                |unit, effect| unit.perform_session(&session_event, effect),
            )?;
            world.session.put(session_next, session_change.commit());
            Ok(())
        },
        |unit, world| {
            let order = save(unit, world).map_err(Failure::store)?;
            Ok(order)
        },
    )
}

/// The session becomes active.
///
/// Triggered by `agent`.
pub fn begin_reasoning<U: UnitOfWork>(unit: &mut U) -> Result<(), Failure<U::Error>> {
    ::statespec::transact(
        unit,
        |unit| {
            let session = ::statespec::Slot::new(
                None,
                unit.load_session().map_err(Failure::store)?,
            );
            Ok(World { session, ..World::empty() })
        },
        |world: &mut World<U>, pass| {
            let session_now = world
                .session
                .now()
                .ok_or(Refused::Missing(Part::Session))?;
            let session_event = super::session::Event::ReasoningBegun;
            let mut session_next = Clone::clone(session_now);
            let session_change = session_next
                .apply(session_event)
                .map_err(Refused::Session)?;
            pass.perform(
                &session_change,
                |unit, effect| unit.perform_session(&session_event, effect),
            )?;
            world.session.put(session_next, session_change.commit());
            Ok(())
        },
        |unit, world| {
            let order = save(unit, world).map_err(Failure::store)?;
            Ok(order)
        },
    )
}

/// One sample may lead over several levels; a session that is active follows.
///
/// Triggered by `system`.
#[allow(clippy::all)]
pub fn observe<U: UnitOfWork>(
    unit: &mut U,
    sample: ::statespec::Decimal,
) -> Result<(), Failure<U::Error>> {
    ::statespec::transact(
        unit,
        |unit| {
            let session = ::statespec::Slot::new(
                None,
                unit.load_session().map_err(Failure::store)?,
            );
            let pressure = ::statespec::Slot::found_or(
                None,
                unit.load_pressure().map_err(Failure::store)?,
                super::pressure::Pressure::new,
            );
            Ok(World {
                session,
                pressure,
                ..World::empty()
            })
        },
        |world: &mut World<U>, pass| {
            let pressure_now = world
                .pressure
                .now()
                .ok_or(Refused::Missing(Part::Pressure))?;
            let pressure_event = super::pressure::Event::Observe {
                sample,
            };
            let mut pressure_next = Clone::clone(pressure_now);
            let pressure_change = pressure_next
                .apply(pressure_event)
                .map_err(Refused::Pressure)?;
            world.pressure.put(pressure_next, pressure_change.commit());
            follow_pressure(world, &pressure_change, pass)?;
            Ok(())
        },
        |unit, world| {
            let order = save(unit, world).map_err(Failure::store)?;
            Ok(order)
        },
    )
}

/// COS learns of a resource.
///
/// Triggered by `agent`.
pub fn discover<U: UnitOfWork>(
    unit: &mut U,
    resource_id: U::Key,
) -> Result<(), Failure<U::Error>> {
    ::statespec::transact(
        unit,
        |unit| {
            let resource = ::statespec::Slot::found_or(
                Some(resource_id),
                unit.load_resource(resource_id).map_err(Failure::store)?,
                super::resource::Resource::new,
            );
            Ok(World {
                resource,
                ..World::empty()
            })
        },
        |world: &mut World<U>, pass| {
            let resource_now = world
                .resource
                .now()
                .ok_or(Refused::Missing(Part::Resource))?;
            let resource_event = super::resource::Event::Discover;
            let mut resource_next = Clone::clone(resource_now);
            let resource_change = resource_next
                .apply(resource_event)
                .map_err(Refused::Resource)?;
            pass.perform(
                &resource_change,
                |unit, effect| {
                    unit.perform_resource(resource_id, &resource_event, effect)
                },
            )?;
            world.resource.put(resource_next, resource_change.commit());
            Ok(())
        },
        |unit, world| {
            let order = save(unit, world).map_err(Failure::store)?;
            Ok(order)
        },
    )
}

/// Load resources.
///
/// Triggered by `agent`.
///
/// Inferred: The source says that get\_context() loads resources, and that load() makes a COLD one active; that the one is the other is taken from the word.
pub fn get_context<U: UnitOfWork>(
    unit: &mut U,
    resource_id: U::Key,
) -> Result<(), Failure<U::Error>> {
    ::statespec::transact(
        unit,
        |unit| {
            let session = ::statespec::Slot::new(
                None,
                unit.load_session().map_err(Failure::store)?,
            );
            let resource = ::statespec::Slot::found_or(
                Some(resource_id),
                unit.load_resource(resource_id).map_err(Failure::store)?,
                super::resource::Resource::new,
            );
            Ok(World {
                session,
                resource,
                ..World::empty()
            })
        },
        |world: &mut World<U>, pass| {
            let session_now = world
                .session
                .now()
                .ok_or(Refused::Missing(Part::Session))?;
            let resource_now = world
                .resource
                .now()
                .ok_or(Refused::Missing(Part::Resource))?;
            let session_event = super::session::Event::GetContext;
            let resource_event = super::resource::Event::Load;
            let mut session_next = Clone::clone(session_now);
            let session_change = session_next
                .apply(session_event)
                .map_err(Refused::Session)?;
            let mut resource_next = Clone::clone(resource_now);
            let resource_change = resource_next
                .apply(resource_event)
                .map_err(Refused::Resource)?;
            pass.perform(
                &session_change,
                |unit, effect| unit.perform_session(&session_event, effect),
            )?;
            pass.perform(
                &resource_change,
                |unit, effect| {
                    unit.perform_resource(resource_id, &resource_event, effect)
                },
            )?;
            world.session.put(session_next, session_change.commit());
            world.resource.put(resource_next, resource_change.commit());
            Ok(())
        },
        |unit, world| {
            let order = save(unit, world).map_err(Failure::store)?;
            Ok(order)
        },
    )
}

/// Activate resources.
///
/// Triggered by `agent`.
pub fn page_in<U: UnitOfWork>(
    unit: &mut U,
    resource_id: U::Key,
) -> Result<(), Failure<U::Error>> {
    ::statespec::transact(
        unit,
        |unit| {
            let session = ::statespec::Slot::new(
                None,
                unit.load_session().map_err(Failure::store)?,
            );
            let resource = ::statespec::Slot::found_or(
                Some(resource_id),
                unit.load_resource(resource_id).map_err(Failure::store)?,
                super::resource::Resource::new,
            );
            Ok(World {
                session,
                resource,
                ..World::empty()
            })
        },
        |world: &mut World<U>, pass| {
            let session_now = world
                .session
                .now()
                .ok_or(Refused::Missing(Part::Session))?;
            let resource_now = world
                .resource
                .now()
                .ok_or(Refused::Missing(Part::Resource))?;
            let session_event = super::session::Event::PageIn;
            let resource_event = super::resource::Event::PageIn;
            let mut session_next = Clone::clone(session_now);
            let session_change = session_next
                .apply(session_event)
                .map_err(Refused::Session)?;
            let mut resource_next = Clone::clone(resource_now);
            let resource_change = resource_next
                .apply(resource_event)
                .map_err(Refused::Resource)?;
            pass.perform(
                &session_change,
                |unit, effect| unit.perform_session(&session_event, effect),
            )?;
            pass.perform(
                &resource_change,
                |unit, effect| {
                    unit.perform_resource(resource_id, &resource_event, effect)
                },
            )?;
            world.session.put(session_next, session_change.commit());
            world.resource.put(resource_next, resource_change.commit());
            Ok(())
        },
        |unit, world| {
            let order = save(unit, world).map_err(Failure::store)?;
            Ok(order)
        },
    )
}

/// Evict resources; under pressure the agent decides which.
///
/// Triggered by `agent`.
pub fn page_out<U: UnitOfWork>(
    unit: &mut U,
    resource_id: U::Key,
) -> Result<(), Failure<U::Error>> {
    ::statespec::transact(
        unit,
        |unit| {
            let session = ::statespec::Slot::new(
                None,
                unit.load_session().map_err(Failure::store)?,
            );
            let resource = ::statespec::Slot::found_or(
                Some(resource_id),
                unit.load_resource(resource_id).map_err(Failure::store)?,
                super::resource::Resource::new,
            );
            Ok(World {
                session,
                resource,
                ..World::empty()
            })
        },
        |world: &mut World<U>, pass| {
            let session_now = world
                .session
                .now()
                .ok_or(Refused::Missing(Part::Session))?;
            let resource_now = world
                .resource
                .now()
                .ok_or(Refused::Missing(Part::Resource))?;
            let session_event = super::session::Event::PageOut;
            let resource_event = super::resource::Event::PageOut;
            let mut session_next = Clone::clone(session_now);
            let session_change = session_next
                .apply(session_event)
                .map_err(Refused::Session)?;
            let mut resource_next = Clone::clone(resource_now);
            let resource_change = resource_next
                .apply(resource_event)
                .map_err(Refused::Resource)?;
            pass.perform(
                &session_change,
                |unit, effect| unit.perform_session(&session_event, effect),
            )?;
            pass.perform(
                &resource_change,
                |unit, effect| {
                    unit.perform_resource(resource_id, &resource_event, effect)
                },
            )?;
            world.session.put(session_next, session_change.commit());
            world.resource.put(resource_next, resource_change.commit());
            Ok(())
        },
        |unit, world| {
            let order = save(unit, world).map_err(Failure::store)?;
            Ok(order)
        },
    )
}

/// Adjust priorities.
///
/// Triggered by `agent`.
#[allow(clippy::all)]
pub fn set_attention<U: UnitOfWork>(
    unit: &mut U,
    resource_id: U::Key,
    weight: ::statespec::Decimal,
) -> Result<(), Failure<U::Error>> {
    ::statespec::transact(
        unit,
        |unit| {
            let session = ::statespec::Slot::new(
                None,
                unit.load_session().map_err(Failure::store)?,
            );
            let resource = ::statespec::Slot::found_or(
                Some(resource_id),
                unit.load_resource(resource_id).map_err(Failure::store)?,
                super::resource::Resource::new,
            );
            Ok(World {
                session,
                resource,
                ..World::empty()
            })
        },
        |world: &mut World<U>, pass| {
            let session_now = world
                .session
                .now()
                .ok_or(Refused::Missing(Part::Session))?;
            let resource_now = world
                .resource
                .now()
                .ok_or(Refused::Missing(Part::Resource))?;
            let session_event = super::session::Event::SetAttention;
            let resource_event = super::resource::Event::SetAttention {
                weight,
            };
            let mut session_next = Clone::clone(session_now);
            let session_change = session_next
                .apply(session_event)
                .map_err(Refused::Session)?;
            let mut resource_next = Clone::clone(resource_now);
            let resource_change = resource_next
                .apply(resource_event)
                .map_err(Refused::Resource)?;
            pass.perform(
                &session_change,
                |unit, effect| unit.perform_session(&session_event, effect),
            )?;
            pass.perform(
                &resource_change,
                |unit, effect| {
                    unit.perform_resource(resource_id, &resource_event, effect)
                },
            )?;
            world.session.put(session_next, session_change.commit());
            world.resource.put(resource_next, resource_change.commit());
            Ok(())
        },
        |unit, world| {
            let order = save(unit, world).map_err(Failure::store)?;
            Ok(order)
        },
    )
}

/// Leave notes.
///
/// Triggered by `agent`.
#[allow(clippy::all)]
pub fn annotate<U: UnitOfWork>(
    unit: &mut U,
    note: &str,
) -> Result<(), Failure<U::Error>> {
    ::statespec::transact(
        unit,
        |unit| {
            let session = ::statespec::Slot::new(
                None,
                unit.load_session().map_err(Failure::store)?,
            );
            Ok(World { session, ..World::empty() })
        },
        |world: &mut World<U>, pass| {
            let session_now = world
                .session
                .now()
                .ok_or(Refused::Missing(Part::Session))?;
            let session_event = super::session::Event::Annotate {
                note,
            };
            let mut session_next = Clone::clone(session_now);
            let session_change = session_next
                .apply(session_event)
                .map_err(Refused::Session)?;
            pass.perform(
                &session_change,
                |unit, effect| unit.perform_session(&session_event, effect),
            )?;
            world.session.put(session_next, session_change.commit());
            Ok(())
        },
        |unit, world| {
            let order = save(unit, world).map_err(Failure::store)?;
            Ok(order)
        },
    )
}

/// The agent chooses the eviction policy.
///
/// Triggered by `agent`.
#[allow(clippy::all)]
pub fn set_priority<U: UnitOfWork>(
    unit: &mut U,
    policy: super::eviction_policy::State,
) -> Result<(), Failure<U::Error>> {
    ::statespec::transact(
        unit,
        |unit| {
            let policy = ::statespec::Slot::found_or(
                None,
                unit.load_policy().map_err(Failure::store)?,
                super::eviction_policy::EvictionPolicy::new,
            );
            Ok(World { policy, ..World::empty() })
        },
        |world: &mut World<U>, _pass| {
            let policy_now = world.policy.now().ok_or(Refused::Missing(Part::Policy))?;
            let policy_event = super::eviction_policy::Event::SetPriority {
                policy,
            };
            let mut policy_next = Clone::clone(policy_now);
            let policy_change = policy_next
                .apply(policy_event)
                .map_err(Refused::Policy)?;
            world.policy.put(policy_next, policy_change.commit());
            Ok(())
        },
        |unit, world| {
            let order = save(unit, world).map_err(Failure::store)?;
            Ok(order)
        },
    )
}

/// The cached summary of a resource no longer holds.
///
/// Triggered by `agent`.
pub fn expire<U: UnitOfWork>(
    unit: &mut U,
    resource_id: U::Key,
) -> Result<(), Failure<U::Error>> {
    ::statespec::transact(
        unit,
        |unit| {
            let resource = ::statespec::Slot::found_or(
                Some(resource_id),
                unit.load_resource(resource_id).map_err(Failure::store)?,
                super::resource::Resource::new,
            );
            Ok(World {
                resource,
                ..World::empty()
            })
        },
        |world: &mut World<U>, pass| {
            let resource_now = world
                .resource
                .now()
                .ok_or(Refused::Missing(Part::Resource))?;
            let resource_event = super::resource::Event::Stale;
            let mut resource_next = Clone::clone(resource_now);
            let resource_change = resource_next
                .apply(resource_event)
                .map_err(Refused::Resource)?;
            pass.perform(
                &resource_change,
                |unit, effect| {
                    unit.perform_resource(resource_id, &resource_event, effect)
                },
            )?;
            world.resource.put(resource_next, resource_change.commit());
            Ok(())
        },
        |unit, world| {
            let order = save(unit, world).map_err(Failure::store)?;
            Ok(order)
        },
    )
}

/// A resource turns out to be unreachable.
///
/// Triggered by `environment`.
#[allow(clippy::all)]
pub fn fail<U: UnitOfWork>(
    unit: &mut U,
    resource_id: U::Key,
    reason: &str,
) -> Result<(), Failure<U::Error>> {
    ::statespec::transact(
        unit,
        |unit| {
            let resource = ::statespec::Slot::found_or(
                Some(resource_id),
                unit.load_resource(resource_id).map_err(Failure::store)?,
                super::resource::Resource::new,
            );
            Ok(World {
                resource,
                ..World::empty()
            })
        },
        |world: &mut World<U>, pass| {
            let resource_now = world
                .resource
                .now()
                .ok_or(Refused::Missing(Part::Resource))?;
            let resource_event = super::resource::Event::Error {
                reason,
            };
            let mut resource_next = Clone::clone(resource_now);
            let resource_change = resource_next
                .apply(resource_event)
                .map_err(Refused::Resource)?;
            pass.perform(
                &resource_change,
                |unit, effect| {
                    unit.perform_resource(resource_id, &resource_event, effect)
                },
            )?;
            world.resource.put(resource_next, resource_change.commit());
            Ok(())
        },
        |unit, world| {
            let order = save(unit, world).map_err(Failure::store)?;
            Ok(order)
        },
    )
}

/// A resource can be reached again.
///
/// Triggered by `environment`.
pub fn recover<U: UnitOfWork>(
    unit: &mut U,
    resource_id: U::Key,
) -> Result<(), Failure<U::Error>> {
    ::statespec::transact(
        unit,
        |unit| {
            let resource = ::statespec::Slot::found_or(
                Some(resource_id),
                unit.load_resource(resource_id).map_err(Failure::store)?,
                super::resource::Resource::new,
            );
            Ok(World {
                resource,
                ..World::empty()
            })
        },
        |world: &mut World<U>, pass| {
            let resource_now = world
                .resource
                .now()
                .ok_or(Refused::Missing(Part::Resource))?;
            let resource_event = super::resource::Event::Recover;
            let mut resource_next = Clone::clone(resource_now);
            let resource_change = resource_next
                .apply(resource_event)
                .map_err(Refused::Resource)?;
            pass.perform(
                &resource_change,
                |unit, effect| {
                    unit.perform_resource(resource_id, &resource_event, effect)
                },
            )?;
            world.resource.put(resource_next, resource_change.commit());
            Ok(())
        },
        |unit, world| {
            let order = save(unit, world).map_err(Failure::store)?;
            Ok(order)
        },
    )
}

/// The session is ending; the mind map is saved.
///
/// Triggered by `agent` or `system`.
pub fn end_session<U: UnitOfWork>(unit: &mut U) -> Result<(), Failure<U::Error>> {
    ::statespec::transact(
        unit,
        |unit| {
            let session = ::statespec::Slot::new(
                None,
                unit.load_session().map_err(Failure::store)?,
            );
            Ok(World { session, ..World::empty() })
        },
        |world: &mut World<U>, pass| {
            let session_now = world
                .session
                .now()
                .ok_or(Refused::Missing(Part::Session))?;
            let session_event = super::session::Event::End;
            let mut session_next = Clone::clone(session_now);
            let session_change = session_next
                .apply(session_event)
                .map_err(Refused::Session)?;
            pass.perform(
                &session_change,
                |unit, effect| unit.perform_session(&session_event, effect),
            )?;
            world.session.put(session_next, session_change.commit());
            Ok(())
        },
        |unit, world| {
            let order = save(unit, world).map_err(Failure::store)?;
            Ok(order)
        },
    )
}

/// The session is reset; the mind map is saved and a new session begins.
///
/// Triggered by `agent` or `system`.
pub fn reset_session<U: UnitOfWork>(unit: &mut U) -> Result<(), Failure<U::Error>> {
    ::statespec::transact(
        unit,
        |unit| {
            let session = ::statespec::Slot::new(
                None,
                unit.load_session().map_err(Failure::store)?,
            );
            Ok(World { session, ..World::empty() })
        },
        |world: &mut World<U>, pass| {
            let session_now = world
                .session
                .now()
                .ok_or(Refused::Missing(Part::Session))?;
            let session_event = super::session::Event::Reset;
            let mut session_next = Clone::clone(session_now);
            let session_change = session_next
                .apply(session_event)
                .map_err(Refused::Session)?;
            pass.perform(
                &session_change,
                |unit, effect| unit.perform_session(&session_event, effect),
            )?;
            world.session.put(session_next, session_change.commit());
            Ok(())
        },
        |unit, world| {
            let order = save(unit, world).map_err(Failure::store)?;
            Ok(order)
        },
    )
}

/// The session is complete.
///
/// Triggered by `system`.
pub fn finish_saving<U: UnitOfWork>(unit: &mut U) -> Result<(), Failure<U::Error>> {
    ::statespec::transact(
        unit,
        |unit| {
            let session = ::statespec::Slot::new(
                None,
                unit.load_session().map_err(Failure::store)?,
            );
            Ok(World { session, ..World::empty() })
        },
        |world: &mut World<U>, pass| {
            let session_now = world
                .session
                .now()
                .ok_or(Refused::Missing(Part::Session))?;
            let session_event = super::session::Event::StateSaved;
            let mut session_next = Clone::clone(session_now);
            let session_change = session_next
                .apply(session_event)
                .map_err(Refused::Session)?;
            pass.perform(
                &session_change,
                |unit, effect| unit.perform_session(&session_event, effect),
            )?;
            world.session.put(session_next, session_change.commit());
            Ok(())
        },
        |unit, world| {
            let order = save(unit, world).map_err(Failure::store)?;
            Ok(order)
        },
    )
}

/// Where the instances of a `context_os` are kept, while something is done to them.
pub trait UnitOfWork: ::statespec::Unit {
    /// Finds the `session`.
    #[allow(clippy::type_complexity)]
    fn load_session(&mut self) -> Result<Option<super::session::Session>, Self::Error>;

    /// Saves the `session` after a change; `before` is what was found, nothing where it is new.
    fn save_session(
        &mut self,
        before: Option<&super::session::Session>,
        after: &super::session::Session,
    ) -> Result<(), Self::Error>;

    /// Performs an effect of the `session`; `effect.perform(event, …)` calls its method.
    fn perform_session(
        &mut self,
        event: &super::session::Event<'_>,
        effect: super::session::Effect,
    ) -> Result<(), Self::Error>;

    /// Finds the `pressure`.
    #[allow(clippy::type_complexity)]
    fn load_pressure(
        &mut self,
    ) -> Result<Option<super::pressure::Pressure>, Self::Error>;

    /// Saves the `pressure` after a change; `before` is what was found, nothing where it is new.
    fn save_pressure(
        &mut self,
        before: Option<&super::pressure::Pressure>,
        after: &super::pressure::Pressure,
    ) -> Result<(), Self::Error>;

    /// Finds the `policy`.
    #[allow(clippy::type_complexity)]
    fn load_policy(
        &mut self,
    ) -> Result<Option<super::eviction_policy::EvictionPolicy>, Self::Error>;

    /// Saves the `policy` after a change; `before` is what was found, nothing where it is new.
    fn save_policy(
        &mut self,
        before: Option<&super::eviction_policy::EvictionPolicy>,
        after: &super::eviction_policy::EvictionPolicy,
    ) -> Result<(), Self::Error>;

    /// Finds a `resource`.
    #[allow(clippy::type_complexity)]
    fn load_resource(
        &mut self,
        key: Self::Key,
    ) -> Result<Option<super::resource::Resource>, Self::Error>;

    /// Saves the `resource` after a change; `before` is what was found, nothing where it is new.
    fn save_resource(
        &mut self,
        key: Self::Key,
        before: Option<&super::resource::Resource>,
        after: &super::resource::Resource,
    ) -> Result<(), Self::Error>;

    /// Performs an effect of the `resource`; `effect.perform(event, …)` calls its method.
    fn perform_resource(
        &mut self,
        key: Self::Key,
        event: &super::resource::Event<'_>,
        effect: super::resource::Effect,
    ) -> Result<(), Self::Error>;
}

/// Why a transaction was turned down; everything is as it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    /// A part that the transaction speaks of is not there.
    Missing(Part),
    /// The machine of `session` turned its event down.
    Session(super::session::Refused),
    /// The machine of `pressure` turned its event down.
    Pressure(super::pressure::Refused),
    /// The machine of `policy` turned its event down.
    Policy(super::eviction_policy::Refused),
    /// The machine of `resource` turned its event down.
    Resource(super::resource::Refused),
}

impl ::core::fmt::Display for Refused {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        match self {
            Refused::Missing(part) => ::core::write!(f, "there is no {}", part.name()),
            Refused::Session(refused) => ::core::fmt::Display::fmt(refused, f),
            Refused::Pressure(refused) => ::core::fmt::Display::fmt(refused, f),
            Refused::Policy(refused) => ::core::fmt::Display::fmt(refused, f),
            Refused::Resource(refused) => ::core::fmt::Display::fmt(refused, f),
        }
    }
}

impl ::core::error::Error for Refused {}

/// Why a transaction stopped; `X` is the error of the unit of work.
pub type Failure<X> = ::statespec::Failure<Refused, X>;

/// A machine in a role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// The session that is running.
    Session,
    /// How full the context of the session is.
    Pressure,
    /// Which resources leave the context first.
    Policy,
    /// What can be in the context.
    Resource,
}

impl Part {
    /// Every part, in the order of the spec.
    pub const ALL: [Part; 4] = [
        Part::Session,
        Part::Pressure,
        Part::Policy,
        Part::Resource,
    ];

    /// The name by which the part is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 4] = &["session", "pressure", "policy", "resource"];
        NAMES[self as usize]
    }

    /// What a person reads for the part.
    pub const fn label(self) -> &'static str {
        const TEXTS: &[&str; 4] = &["Session", "Pressure", "Policy", "Resource"];
        TEXTS[self as usize]
    }

    /// What the spec says about the part.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 4] = &[
            "The session that is running.",
            "How full the context of the session is.",
            "Which resources leave the context first.",
            "What can be in the context.",
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
    /// The persisted mind map is loaded.
    ///
    /// Triggered by `system`.
    StartSession,
    /// The ultra-dense map is injected to the agent.
    ///
    /// Triggered by `system`.
    FinishLoading,
    /// The session becomes active.
    ///
    /// Triggered by `agent`.
    BeginReasoning,
    /// One sample may lead over several levels; a session that is active follows.
    ///
    /// Triggered by `system`.
    Observe,
    /// COS learns of a resource.
    ///
    /// Triggered by `agent`.
    Discover,
    /// Load resources.
    ///
    /// Triggered by `agent`.
    ///
    /// Inferred: The source says that get\_context() loads resources, and that load() makes a COLD one active; that the one is the other is taken from the word.
    GetContext,
    /// Activate resources.
    ///
    /// Triggered by `agent`.
    PageIn,
    /// Evict resources; under pressure the agent decides which.
    ///
    /// Triggered by `agent`.
    PageOut,
    /// Adjust priorities.
    ///
    /// Triggered by `agent`.
    SetAttention,
    /// Leave notes.
    ///
    /// Triggered by `agent`.
    Annotate,
    /// The agent chooses the eviction policy.
    ///
    /// Triggered by `agent`.
    SetPriority,
    /// The cached summary of a resource no longer holds.
    ///
    /// Triggered by `agent`.
    Expire,
    /// A resource turns out to be unreachable.
    ///
    /// Triggered by `environment`.
    Fail,
    /// A resource can be reached again.
    ///
    /// Triggered by `environment`.
    Recover,
    /// The session is ending; the mind map is saved.
    ///
    /// Triggered by `agent` or `system`.
    EndSession,
    /// The session is reset; the mind map is saved and a new session begins.
    ///
    /// Triggered by `agent` or `system`.
    ResetSession,
    /// The session is complete.
    ///
    /// Triggered by `system`.
    FinishSaving,
}

impl Transaction {
    /// Every transaction, in the order of the spec.
    pub const ALL: [Transaction; 17] = [
        Transaction::StartSession,
        Transaction::FinishLoading,
        Transaction::BeginReasoning,
        Transaction::Observe,
        Transaction::Discover,
        Transaction::GetContext,
        Transaction::PageIn,
        Transaction::PageOut,
        Transaction::SetAttention,
        Transaction::Annotate,
        Transaction::SetPriority,
        Transaction::Expire,
        Transaction::Fail,
        Transaction::Recover,
        Transaction::EndSession,
        Transaction::ResetSession,
        Transaction::FinishSaving,
    ];

    /// The name by which the transaction is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 17] = &[
            "start_session",
            "finish_loading",
            "begin_reasoning",
            "observe",
            "discover",
            "get_context",
            "page_in",
            "page_out",
            "set_attention",
            "annotate",
            "set_priority",
            "expire",
            "fail",
            "recover",
            "end_session",
            "reset_session",
            "finish_saving",
        ];
        NAMES[self as usize]
    }

    /// What a person reads for the transaction.
    pub const fn label(self) -> &'static str {
        const TEXTS: &[&str; 17] = &[
            "start_session",
            "finish_loading",
            "begin_reasoning",
            "observe",
            "discover",
            "get_context()",
            "page_in()",
            "page_out()",
            "set_attention()",
            "annotate()",
            "set_priority()",
            "stale()",
            "fail",
            "recover",
            "end_session",
            "reset_session",
            "finish_saving",
        ];
        TEXTS[self as usize]
    }

    /// What the spec says about the transaction.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 17] = &[
            "The persisted mind map is loaded.",
            "The ultra-dense map is injected to the agent.",
            "The session becomes active.",
            "One sample may lead over several levels; a session that is active follows.",
            "COS learns of a resource.",
            "load resources",
            "activate resources",
            "evict resources; under pressure the agent decides which",
            "adjust priorities",
            "leave notes",
            "The agent chooses the eviction policy.",
            "The cached summary of a resource no longer holds.",
            "A resource turns out to be unreachable.",
            "A resource can be reached again.",
            "The session is ending; the mind map is saved.",
            "The session is reset; the mind map is saved and a new session begins.",
            "The session is complete.",
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
        const BY: &[&[Actor]; 17] = &[
            &[Actor::System],
            &[Actor::System],
            &[Actor::Agent],
            &[Actor::System],
            &[Actor::Agent],
            &[Actor::Agent],
            &[Actor::Agent],
            &[Actor::Agent],
            &[Actor::Agent],
            &[Actor::Agent],
            &[Actor::Agent],
            &[Actor::Agent],
            &[Actor::Environment],
            &[Actor::Environment],
            &[Actor::Agent, Actor::System],
            &[Actor::Agent, Actor::System],
            &[Actor::System],
        ];
        BY[self as usize]
    }

    /// Who does the work that the transaction starts, where that is somebody else.
    pub const fn performer(self) -> Option<Actor> {
        const PERFORMERS: &[Option<Actor>; 17] = &[
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
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
        false
    }
}

/// Who triggers transactions, or does the work that they start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Actor {
    /// Reasons, and calls the operations.
    Agent,
    /// Loads, saves and watches the utilization.
    System,
    /// What happens to resources without anybody calling.
    Environment,
}

impl Actor {
    /// Every actor, in the order of the spec.
    pub const ALL: [Actor; 3] = [Actor::Agent, Actor::System, Actor::Environment];

    /// The name by which the actor is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 3] = &["agent", "system", "environment"];
        NAMES[self as usize]
    }

    /// What the spec says about the actor.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 3] = &[
            "Reasons, and calls the operations.",
            "Loads, saves and watches the utilization.",
            "What happens to resources without anybody calling.",
        ];
        TEXTS[self as usize]
    }
}

::statespec::named!(Actor, "actor");

#[cfg(feature = "serde")]
::statespec::named_serde!(Actor);

/// The parts that a transaction speaks of.
struct World<U: UnitOfWork> {
    session: ::statespec::Slot<super::session::Session, U::Key>,
    pressure: ::statespec::Slot<super::pressure::Pressure, U::Key>,
    policy: ::statespec::Slot<super::eviction_policy::EvictionPolicy, U::Key>,
    resource: ::statespec::Slot<super::resource::Resource, U::Key>,
}

impl<U: UnitOfWork> World<U> {
    const fn empty() -> Self {
        World {
            session: ::statespec::Slot::empty(),
            pressure: ::statespec::Slot::empty(),
            policy: ::statespec::Slot::empty(),
            resource: ::statespec::Slot::empty(),
        }
    }
}

impl<U: UnitOfWork> Clone for World<U> {
    fn clone(&self) -> Self {
        World {
            session: self.session.clone(),
            pressure: self.pressure.clone(),
            policy: self.policy.clone(),
            resource: self.resource.clone(),
        }
    }
}

/// Saves what took part, and says when the store is written.
fn save<U: UnitOfWork>(
    unit: &mut U,
    world: &World<U>,
) -> Result<::statespec::Commit, U::Error> {
    if let Some((before, after)) = world.session.changed() {
        unit.save_session(before, after)?;
    }
    if let Some((before, after)) = world.pressure.changed() {
        unit.save_pressure(before, after)?;
    }
    if let Some((before, after)) = world.policy.changed() {
        unit.save_policy(before, after)?;
    }
    if let (Some((before, after)), Some(key)) = (
        world.resource.changed(),
        world.resource.key(),
    ) {
        unit.save_resource(key, before, after)?;
    }
    Ok(
        world
            .session
            .order()
            .min(world.pressure.order())
            .min(world.policy.order())
            .min(world.resource.order()),
    )
}

/// Follows what a change of `pressure` sets off.
#[allow(clippy::collapsible_if)]
fn follow_pressure<U: UnitOfWork>(
    world: &mut World<U>,
    change: &super::pressure::Change,
    pass: &mut ::statespec::Pass<'_, U>,
) -> Result<(), Failure<U::Error>> {
    for step in change.steps() {
        if step.leaves(super::pressure::State::Critical) {
            match link_1(world, pass) {
                Ok(_) | Err(Failure::Refused(_)) => {}
                Err(failure) => return Err(failure),
            }
        }
        if step.enters(super::pressure::State::Critical) {
            match link_0(world, pass) {
                Ok(_) | Err(Failure::Refused(_)) => {}
                Err(failure) => return Err(failure),
            }
        }
    }
    Ok(())
}

/// Pressure \> critical: the session responds by compressing the map and recommending evictions; a session that is not in normal operation does not.
fn link_0<U: UnitOfWork>(
    world: &mut World<U>,
    pass: &mut ::statespec::Pass<'_, U>,
) -> Result<Option<super::session::Change>, Failure<U::Error>> {
    let session_now = world.session.now().ok_or(Refused::Missing(Part::Session))?;
    let session_event = super::session::Event::PressureCritical;
    let mut session_next = Clone::clone(session_now);
    let session_change = session_next.apply(session_event).map_err(Refused::Session)?;
    pass.perform(
        &session_change,
        |unit, effect| unit.perform_session(&session_event, effect),
    )?;
    world.session.put(session_next, session_change.commit());
    Ok(Some(session_change))
}

/// The session returns to normal operation.
fn link_1<U: UnitOfWork>(
    world: &mut World<U>,
    pass: &mut ::statespec::Pass<'_, U>,
) -> Result<Option<super::session::Change>, Failure<U::Error>> {
    let session_now = world.session.now().ok_or(Refused::Missing(Part::Session))?;
    let session_event = super::session::Event::PressureRelieved;
    let mut session_next = Clone::clone(session_now);
    let session_change = session_next.apply(session_event).map_err(Refused::Session)?;
    pass.perform(
        &session_change,
        |unit, effect| unit.perform_session(&session_event, effect),
    )?;
    world.session.put(session_next, session_change.commit());
    Ok(Some(session_change))
}
