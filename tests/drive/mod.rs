//! Drives every emitted machine and system by name.

use crate::support::*;

/// Visits every machine.
pub(crate) fn each_machine(visit: &mut impl VisitMachines) {
    visit.machine::<::statespec_machines::agent_run::AgentRun>();
    visit.machine::<::statespec_machines::eviction_policy::EvictionPolicy>();
    visit.machine::<::statespec_machines::hop::Hop<u64>>();
    visit.machine::<::statespec_machines::mission::Mission<u64>>();
    visit.machine::<::statespec_machines::mysis::Mysis<String>>();
    visit.machine::<::statespec_machines::mysis_activity::MysisActivity>();
    visit.machine::<::statespec_machines::pressure::Pressure>();
    visit.machine::<::statespec_machines::resource::Resource>();
    visit.machine::<::statespec_machines::run_job::RunJob>();
    visit.machine::<::statespec_machines::session::Session>();
}

/// Visits every system.
pub(crate) fn each_system(visit: &mut impl VisitSystems) {
    visit.system::<ContextOsInMemory>();
    visit.system::<MissionHopInMemory>();
    visit.system::<MysisRuntimeInMemory>();
}

impl Drive for ::statespec_machines::agent_run::AgentRun {
    type State = ::statespec_machines::agent_run::State;

    type Event<'v> = ::statespec_machines::agent_run::Event;

    fn event<'v>(name: &str, _payload: &Values<'v>) -> Option<Self::Event<'v>> {
        Some(
            match name {
                "resume" => ::statespec_machines::agent_run::Event::Resume,
                _ => return None,
            },
        )
    }

    fn at(state: Self::State, _context: &Values<'_>) -> Self {
        Self::restore(state)
    }

    fn state_now(&self) -> Self::State {
        self.state()
    }

    fn start() -> Option<Self> {
        Some(Self::new())
    }

    fn raise(
        &mut self,
        event: Self::Event<'_>,
        _holds: &Holds,
    ) -> Result<::statespec::Change<Self::State>, ::statespec::Refused<Self::State>> {
        self.apply(event)
    }

    fn go_to(
        &mut self,
        to: Self::State,
        _holds: &Holds,
    ) -> Result<::statespec::Change<Self::State>, ::statespec::Refused<Self::State>> {
        self.transition_to(to)
    }
}

impl Drive for ::statespec_machines::eviction_policy::EvictionPolicy {
    type State = ::statespec_machines::eviction_policy::State;

    type Event<'v> = ::statespec_machines::eviction_policy::Event;

    fn event<'v>(name: &str, payload: &Values<'v>) -> Option<Self::Event<'v>> {
        Some(
            match name {
                "set_priority" => {
                    ::statespec_machines::eviction_policy::Event::SetPriority {
                        policy: payload.state(0),
                    }
                }
                _ => return None,
            },
        )
    }

    fn at(state: Self::State, _context: &Values<'_>) -> Self {
        Self::restore(state)
    }

    fn state_now(&self) -> Self::State {
        self.state()
    }

    fn start() -> Option<Self> {
        Some(Self::new())
    }

    fn raise(
        &mut self,
        event: Self::Event<'_>,
        _holds: &Holds,
    ) -> Result<::statespec::Change<Self::State>, ::statespec::Refused<Self::State>> {
        self.apply(event)
    }
}

impl Drive for ::statespec_machines::hop::Hop<u64> {
    type State = ::statespec_machines::hop::State;

    type Event<'v> = ::statespec_machines::hop::Event;

    fn event<'v>(name: &str, payload: &Values<'v>) -> Option<Self::Event<'v>> {
        Some(
            match name {
                "create" => ::statespec_machines::hop::Event::Create,
                "complete_plan" => {
                    ::statespec_machines::hop::Event::CompletePlan {
                        r#final: payload.get(0),
                    }
                }
                "approve_plan" => ::statespec_machines::hop::Event::ApprovePlan,
                "start_implementation" => {
                    ::statespec_machines::hop::Event::StartImplementation
                }
                "complete_implementation" => {
                    ::statespec_machines::hop::Event::CompleteImplementation
                }
                "approve_implementation" => {
                    ::statespec_machines::hop::Event::ApproveImplementation
                }
                "execute" => ::statespec_machines::hop::Event::Execute,
                "complete" => ::statespec_machines::hop::Event::Complete,
                _ => return None,
            },
        )
    }

    fn at(state: Self::State, context: &Values<'_>) -> Self {
        Self::restore(
            state,
            ::statespec_machines::hop::Context {
                mission_id: context.get(0),
                is_final: context.get(1),
            },
        )
    }

    fn state_now(&self) -> Self::State {
        self.state()
    }

    fn context_now(
        &self,
        _machine: &::statespec_codegen::model::Machine,
    ) -> Vec<::statespec_codegen::model::Value> {
        vec![value(& self.context().mission_id), value(& self.context().is_final)]
    }

    fn birth(
        event: Self::Event<'_>,
        _holds: &Holds,
    ) -> Result<
        (Self, ::statespec::Change<Self::State>),
        ::statespec::Refused<Self::State>,
    > {
        Self::born(event)
    }

    fn raise(
        &mut self,
        event: Self::Event<'_>,
        _holds: &Holds,
    ) -> Result<::statespec::Change<Self::State>, ::statespec::Refused<Self::State>> {
        self.apply(event)
    }
}

impl Drive for ::statespec_machines::mission::Mission<u64> {
    type State = ::statespec_machines::mission::State;

    type Event<'v> = ::statespec_machines::mission::Event<u64>;

    fn event<'v>(name: &str, payload: &Values<'v>) -> Option<Self::Event<'v>> {
        Some(
            match name {
                "propose" => ::statespec_machines::mission::Event::Propose,
                "approve" => ::statespec_machines::mission::Event::Approve,
                "link_hop" => {
                    ::statespec_machines::mission::Event::LinkHop {
                        hop_id: payload.get(0),
                    }
                }
                "hop_completed" => {
                    ::statespec_machines::mission::Event::HopCompleted {
                        is_final: payload.get(0),
                    }
                }
                _ => return None,
            },
        )
    }

    fn at(state: Self::State, context: &Values<'_>) -> Self {
        Self::restore(
            state,
            ::statespec_machines::mission::Context {
                current_hop_id: context.get(0),
            },
        )
    }

    fn state_now(&self) -> Self::State {
        self.state()
    }

    fn context_now(
        &self,
        _machine: &::statespec_codegen::model::Machine,
    ) -> Vec<::statespec_codegen::model::Value> {
        vec![value(& self.context().current_hop_id)]
    }

    fn birth(
        event: Self::Event<'_>,
        _holds: &Holds,
    ) -> Result<
        (Self, ::statespec::Change<Self::State>),
        ::statespec::Refused<Self::State>,
    > {
        Self::born(event)
    }

    fn raise(
        &mut self,
        event: Self::Event<'_>,
        _holds: &Holds,
    ) -> Result<::statespec::Change<Self::State>, ::statespec::Refused<Self::State>> {
        self.apply(event)
    }

    fn run_event(
        &mut self,
        event: Self::Event<'_>,
        _holds: &Holds,
        log: &mut Log,
    ) -> Result<
        ::statespec::Change<Self::State>,
        ::statespec::RunError<Self::State, String>,
    > {
        self.run(event, log)
    }
}

impl ::statespec_machines::mission::Effects<u64> for Log {
    type Error = String;

    fn store(
        &mut self,
        _: &::statespec_machines::mission::Mission<u64>,
        _: &::statespec_machines::mission::Change,
    ) -> Result<(), String> {
        self.write()
    }

    fn create_assets(&mut self) -> Result<(), String> {
        self.perform(Effect {
            name: "create_assets",
            payload: vec![],
            message: None,
        })
    }
}

impl Drive for ::statespec_machines::mysis::Mysis<String> {
    type State = ::statespec_machines::mysis::State;

    type Event<'v> = ::statespec_machines::mysis::Event<'v>;

    fn event<'v>(name: &str, payload: &Values<'v>) -> Option<Self::Event<'v>> {
        Some(
            match name {
                "create" => ::statespec_machines::mysis::Event::Create,
                "load" => ::statespec_machines::mysis::Event::Load,
                "start" => ::statespec_machines::mysis::Event::Start,
                "stop" => ::statespec_machines::mysis::Event::Stop,
                "error" => {
                    ::statespec_machines::mysis::Event::Error {
                        cause: payload.get(0),
                    }
                }
                "tool_timed_out" => {
                    ::statespec_machines::mysis::Event::ToolTimedOut {
                        tool: payload.get(0),
                        cause: payload.get(1),
                    }
                }
                "mcp_retries_exhausted" => {
                    ::statespec_machines::mysis::Event::McpRetriesExhausted {
                        cause: payload.get(0),
                    }
                }
                "nudge" => ::statespec_machines::mysis::Event::Nudge,
                "nudge_failed" => ::statespec_machines::mysis::Event::NudgeFailed,
                "turn_completed" => ::statespec_machines::mysis::Event::TurnCompleted,
                "message" => {
                    ::statespec_machines::mysis::Event::Message {
                        body: payload.get(0),
                    }
                }
                _ => return None,
            },
        )
    }

    fn at(state: Self::State, context: &Values<'_>) -> Self {
        Self::restore(
            state,
            ::statespec_machines::mysis::Context {
                nudge_failures: context.get(0),
                last_error: context.get(1),
            },
        )
    }

    fn state_now(&self) -> Self::State {
        self.state()
    }

    fn context_now(
        &self,
        _machine: &::statespec_codegen::model::Machine,
    ) -> Vec<::statespec_codegen::model::Value> {
        vec![value(& self.context().nudge_failures), value(& self.context().last_error)]
    }

    fn birth(
        event: Self::Event<'_>,
        _holds: &Holds,
    ) -> Result<
        (Self, ::statespec::Change<Self::State>),
        ::statespec::Refused<Self::State>,
    > {
        Self::born(event)
    }

    fn raise(
        &mut self,
        event: Self::Event<'_>,
        _holds: &Holds,
    ) -> Result<::statespec::Change<Self::State>, ::statespec::Refused<Self::State>> {
        self.apply(event)
    }

    fn run_event(
        &mut self,
        event: Self::Event<'_>,
        _holds: &Holds,
        log: &mut Log,
    ) -> Result<
        ::statespec::Change<Self::State>,
        ::statespec::RunError<Self::State, String>,
    > {
        self.run(event, log)
    }
}

impl ::statespec_machines::mysis::Effects<String> for Log {
    type Error = String;

    fn store(
        &mut self,
        _: &::statespec_machines::mysis::Mysis<String>,
        _: &::statespec_machines::mysis::Change,
    ) -> Result<(), String> {
        self.write()
    }

    fn store_timeout_result(
        &mut self,
        tool: &str,
        cause: &str,
        message: ::core::fmt::Arguments<'_>,
    ) -> Result<(), String> {
        self.perform(Effect {
            name: "store_timeout_result",
            payload: vec![value(& tool), value(& cause)],
            message: Some(message.to_string()),
        })
    }

    fn store_error_result(&mut self, cause: &str) -> Result<(), String> {
        self.perform(Effect {
            name: "store_error_result",
            payload: vec![value(& cause)],
            message: None,
        })
    }

    fn release_account(&mut self) -> Result<(), String> {
        self.perform(Effect {
            name: "release_account",
            payload: vec![],
            message: None,
        })
    }

    fn emit_state_changed(&mut self) -> Result<(), String> {
        self.perform(Effect {
            name: "emit_state_changed",
            payload: vec![],
            message: None,
        })
    }

    fn signal_attention(
        &mut self,
        message: ::core::fmt::Arguments<'_>,
    ) -> Result<(), String> {
        self.perform(Effect {
            name: "signal_attention",
            payload: vec![],
            message: Some(message.to_string()),
        })
    }

    fn store_message(&mut self, body: &str) -> Result<(), String> {
        self.perform(Effect {
            name: "store_message",
            payload: vec![value(& body)],
            message: None,
        })
    }

    fn process_message(&mut self) -> Result<(), String> {
        self.perform(Effect {
            name: "process_message",
            payload: vec![],
            message: None,
        })
    }
}

impl Drive for ::statespec_machines::mysis_activity::MysisActivity {
    type State = ::statespec_machines::mysis_activity::State;

    type Event<'v> = ::statespec_machines::mysis_activity::Event;

    fn event<'v>(name: &str, payload: &Values<'v>) -> Option<Self::Event<'v>> {
        Some(
            match name {
                "set_activity" => {
                    ::statespec_machines::mysis_activity::Event::SetActivity {
                        activity: payload.state(0),
                        until: payload.get(1),
                    }
                }
                _ => return None,
            },
        )
    }

    fn at(state: Self::State, context: &Values<'_>) -> Self {
        Self::restore(
            state,
            ::statespec_machines::mysis_activity::Context {
                activity_until: context.get(0),
            },
        )
    }

    fn state_now(&self) -> Self::State {
        self.state()
    }

    fn context_now(
        &self,
        _machine: &::statespec_codegen::model::Machine,
    ) -> Vec<::statespec_codegen::model::Value> {
        vec![value(& self.context().activity_until)]
    }

    fn start() -> Option<Self> {
        Some(Self::new())
    }

    fn raise(
        &mut self,
        event: Self::Event<'_>,
        _holds: &Holds,
    ) -> Result<::statespec::Change<Self::State>, ::statespec::Refused<Self::State>> {
        self.apply(event)
    }
}

impl Drive for ::statespec_machines::pressure::Pressure {
    type State = ::statespec_machines::pressure::State;

    type Event<'v> = ::statespec_machines::pressure::Event;

    fn event<'v>(name: &str, payload: &Values<'v>) -> Option<Self::Event<'v>> {
        Some(
            match name {
                "observe" => {
                    ::statespec_machines::pressure::Event::Observe {
                        sample: payload.get(0),
                    }
                }
                _ => return None,
            },
        )
    }

    fn at(state: Self::State, context: &Values<'_>) -> Self {
        Self::restore(
            state,
            ::statespec_machines::pressure::Context {
                utilization: context.get(0),
            },
        )
    }

    fn state_now(&self) -> Self::State {
        self.state()
    }

    fn context_now(
        &self,
        _machine: &::statespec_codegen::model::Machine,
    ) -> Vec<::statespec_codegen::model::Value> {
        vec![value(& self.context().utilization)]
    }

    fn start() -> Option<Self> {
        Some(Self::new())
    }

    fn raise(
        &mut self,
        event: Self::Event<'_>,
        _holds: &Holds,
    ) -> Result<::statespec::Change<Self::State>, ::statespec::Refused<Self::State>> {
        self.apply(event)
    }
}

impl Drive for ::statespec_machines::resource::Resource {
    type State = ::statespec_machines::resource::State;

    type Event<'v> = ::statespec_machines::resource::Event<'v>;

    fn event<'v>(name: &str, payload: &Values<'v>) -> Option<Self::Event<'v>> {
        Some(
            match name {
                "discover" => ::statespec_machines::resource::Event::Discover,
                "page_in" => ::statespec_machines::resource::Event::PageIn,
                "load" => ::statespec_machines::resource::Event::Load,
                "set_attention" => {
                    ::statespec_machines::resource::Event::SetAttention {
                        weight: payload.get(0),
                    }
                }
                "page_out" => ::statespec_machines::resource::Event::PageOut,
                "stale" => ::statespec_machines::resource::Event::Stale,
                "error" => {
                    ::statespec_machines::resource::Event::Error {
                        reason: payload.get(0),
                    }
                }
                "recover" => ::statespec_machines::resource::Event::Recover,
                _ => return None,
            },
        )
    }

    fn at(state: Self::State, context: &Values<'_>) -> Self {
        Self::restore(
            state,
            ::statespec_machines::resource::Context {
                attention_weight: context.get(0),
            },
        )
    }

    fn state_now(&self) -> Self::State {
        self.state()
    }

    fn context_now(
        &self,
        _machine: &::statespec_codegen::model::Machine,
    ) -> Vec<::statespec_codegen::model::Value> {
        vec![value(& self.context().attention_weight)]
    }

    fn start() -> Option<Self> {
        Some(Self::new())
    }

    fn raise(
        &mut self,
        event: Self::Event<'_>,
        _holds: &Holds,
    ) -> Result<::statespec::Change<Self::State>, ::statespec::Refused<Self::State>> {
        self.apply(event)
    }

    fn run_event(
        &mut self,
        event: Self::Event<'_>,
        _holds: &Holds,
        log: &mut Log,
    ) -> Result<
        ::statespec::Change<Self::State>,
        ::statespec::RunError<Self::State, String>,
    > {
        self.run(event, log)
    }
}

impl ::statespec_machines::resource::Effects for Log {
    type Error = String;

    fn store(
        &mut self,
        _: &::statespec_machines::resource::Resource,
        _: &::statespec_machines::resource::Change,
    ) -> Result<(), String> {
        self.write()
    }

    fn add_to_registry(&mut self) -> Result<(), String> {
        self.perform(Effect {
            name: "add_to_registry",
            payload: vec![],
            message: None,
        })
    }

    fn update_region(&mut self) -> Result<(), String> {
        self.perform(Effect {
            name: "update_region",
            payload: vec![],
            message: None,
        })
    }

    fn update_access_time(&mut self) -> Result<(), String> {
        self.perform(Effect {
            name: "update_access_time",
            payload: vec![],
            message: None,
        })
    }

    fn create_summary(&mut self) -> Result<(), String> {
        self.perform(Effect {
            name: "create_summary",
            payload: vec![],
            message: None,
        })
    }

    fn free_context(&mut self) -> Result<(), String> {
        self.perform(Effect {
            name: "free_context",
            payload: vec![],
            message: None,
        })
    }

    fn load_summary_or_full(&mut self) -> Result<(), String> {
        self.perform(Effect {
            name: "load_summary_or_full",
            payload: vec![],
            message: None,
        })
    }

    fn clear_cached_summary(&mut self) -> Result<(), String> {
        self.perform(Effect {
            name: "clear_cached_summary",
            payload: vec![],
            message: None,
        })
    }

    fn log_error(&mut self, reason: &str) -> Result<(), String> {
        self.perform(Effect {
            name: "log_error",
            payload: vec![value(& reason)],
            message: None,
        })
    }

    fn mark_unavailable(&mut self) -> Result<(), String> {
        self.perform(Effect {
            name: "mark_unavailable",
            payload: vec![],
            message: None,
        })
    }
}

impl Drive for ::statespec_machines::run_job::RunJob {
    type State = ::statespec_machines::run_job::State;

    type Event<'v> = ::statespec_machines::run_job::Event;

    fn event<'v>(name: &str, payload: &Values<'v>) -> Option<Self::Event<'v>> {
        Some(
            match name {
                "reclaim" => {
                    ::statespec_machines::run_job::Event::Reclaim {
                        now: payload.get(0),
                    }
                }
                _ => return None,
            },
        )
    }

    fn at(state: Self::State, context: &Values<'_>) -> Self {
        Self::restore(
            state,
            ::statespec_machines::run_job::Context {
                lease_expires_at: context.get(0),
            },
        )
    }

    fn state_now(&self) -> Self::State {
        self.state()
    }

    fn context_now(
        &self,
        _machine: &::statespec_codegen::model::Machine,
    ) -> Vec<::statespec_codegen::model::Value> {
        vec![value(& self.context().lease_expires_at)]
    }

    fn start() -> Option<Self> {
        Some(Self::new())
    }

    fn raise(
        &mut self,
        event: Self::Event<'_>,
        _holds: &Holds,
    ) -> Result<::statespec::Change<Self::State>, ::statespec::Refused<Self::State>> {
        self.apply(event)
    }

    fn go_to(
        &mut self,
        to: Self::State,
        _holds: &Holds,
    ) -> Result<::statespec::Change<Self::State>, ::statespec::Refused<Self::State>> {
        self.transition_to(to)
    }
}

impl Drive for ::statespec_machines::session::Session {
    type State = ::statespec_machines::session::State;

    type Event<'v> = ::statespec_machines::session::Event<'v>;

    fn event<'v>(name: &str, payload: &Values<'v>) -> Option<Self::Event<'v>> {
        Some(
            match name {
                "start" => ::statespec_machines::session::Event::Start,
                "state_loaded" => ::statespec_machines::session::Event::StateLoaded,
                "reasoning_begun" => ::statespec_machines::session::Event::ReasoningBegun,
                "pressure_critical" => {
                    ::statespec_machines::session::Event::PressureCritical
                }
                "pressure_relieved" => {
                    ::statespec_machines::session::Event::PressureRelieved
                }
                "get_context" => ::statespec_machines::session::Event::GetContext,
                "page_in" => ::statespec_machines::session::Event::PageIn,
                "page_out" => ::statespec_machines::session::Event::PageOut,
                "set_attention" => ::statespec_machines::session::Event::SetAttention,
                "annotate" => {
                    ::statespec_machines::session::Event::Annotate {
                        note: payload.get(0),
                    }
                }
                "end" => ::statespec_machines::session::Event::End,
                "reset" => ::statespec_machines::session::Event::Reset,
                "state_saved" => ::statespec_machines::session::Event::StateSaved,
                _ => return None,
            },
        )
    }

    fn at(state: Self::State, _context: &Values<'_>) -> Self {
        Self::restore(state)
    }

    fn state_now(&self) -> Self::State {
        self.state()
    }

    fn birth(
        event: Self::Event<'_>,
        _holds: &Holds,
    ) -> Result<
        (Self, ::statespec::Change<Self::State>),
        ::statespec::Refused<Self::State>,
    > {
        Self::born(event)
    }

    fn raise(
        &mut self,
        event: Self::Event<'_>,
        _holds: &Holds,
    ) -> Result<::statespec::Change<Self::State>, ::statespec::Refused<Self::State>> {
        self.apply(event)
    }

    fn run_event(
        &mut self,
        event: Self::Event<'_>,
        _holds: &Holds,
        log: &mut Log,
    ) -> Result<
        ::statespec::Change<Self::State>,
        ::statespec::RunError<Self::State, String>,
    > {
        self.run(event, log)
    }
}

impl ::statespec_machines::session::Effects for Log {
    type Error = String;

    fn store(
        &mut self,
        _: &::statespec_machines::session::Session,
        _: &::statespec_machines::session::Change,
    ) -> Result<(), String> {
        self.write()
    }

    fn load_mind_map(&mut self) -> Result<(), String> {
        self.perform(Effect {
            name: "load_mind_map",
            payload: vec![],
            message: None,
        })
    }

    fn inject_map(&mut self) -> Result<(), String> {
        self.perform(Effect {
            name: "inject_map",
            payload: vec![],
            message: None,
        })
    }

    fn compress_map(&mut self) -> Result<(), String> {
        self.perform(Effect {
            name: "compress_map",
            payload: vec![],
            message: None,
        })
    }

    fn recommend_evictions(&mut self) -> Result<(), String> {
        self.perform(Effect {
            name: "recommend_evictions",
            payload: vec![],
            message: None,
        })
    }

    fn save_mind_map(&mut self) -> Result<(), String> {
        self.perform(Effect {
            name: "save_mind_map",
            payload: vec![],
            message: None,
        })
    }

    fn leave_note(&mut self, note: &str) -> Result<(), String> {
        self.perform(Effect {
            name: "leave_note",
            payload: vec![value(& note)],
            message: None,
        })
    }
}

/// A unit of work in memory.
#[derive(Debug, Default)]
pub(crate) struct ContextOsInMemory {
    log: Log,
    session: Kept<::statespec_machines::session::Session>,
    pressure: Kept<::statespec_machines::pressure::Pressure>,
    policy: Kept<::statespec_machines::eviction_policy::EvictionPolicy>,
    resource: Kept<::statespec_machines::resource::Resource>,
}

impl ::statespec::Unit for ContextOsInMemory {
    type Key = u64;

    type Error = String;

    fn begin(&mut self) -> Result<(), String> {
        self.session.begin();
        self.pressure.begin();
        self.policy.begin();
        self.resource.begin();
        Ok(())
    }

    fn commit(&mut self, order: ::statespec::Commit) -> Result<(), String> {
        let written = self.log.write();
        if written.is_ok() || order == ::statespec::Commit::MemoryFirst {
            self.session.commit();
            self.pressure.commit();
            self.policy.commit();
            self.resource.commit();
        }
        written
    }

    fn rollback(&mut self) {
        self.session.begin();
        self.pressure.begin();
        self.policy.begin();
        self.resource.begin();
    }
}

impl ::statespec_machines::context_os::UnitOfWork for ContextOsInMemory {
    fn load_session(
        &mut self,
    ) -> Result<Option<::statespec_machines::session::Session>, String> {
        Ok(self.session.get(1))
    }

    fn save_session(
        &mut self,
        before: Option<&::statespec_machines::session::Session>,
        after: &::statespec_machines::session::Session,
    ) -> Result<(), String> {
        self.session.put(1, before, after)
    }

    fn perform_session(
        &mut self,
        event: &::statespec_machines::session::Event<'_>,
        effect: ::statespec_machines::session::Effect,
    ) -> Result<(), String> {
        self.log.speak_of("session", 1);
        effect.perform(event, &mut self.log)
    }

    fn load_pressure(
        &mut self,
    ) -> Result<Option<::statespec_machines::pressure::Pressure>, String> {
        Ok(self.pressure.get(1))
    }

    fn save_pressure(
        &mut self,
        before: Option<&::statespec_machines::pressure::Pressure>,
        after: &::statespec_machines::pressure::Pressure,
    ) -> Result<(), String> {
        self.pressure.put(1, before, after)
    }

    fn load_policy(
        &mut self,
    ) -> Result<Option<::statespec_machines::eviction_policy::EvictionPolicy>, String> {
        Ok(self.policy.get(1))
    }

    fn save_policy(
        &mut self,
        before: Option<&::statespec_machines::eviction_policy::EvictionPolicy>,
        after: &::statespec_machines::eviction_policy::EvictionPolicy,
    ) -> Result<(), String> {
        self.policy.put(1, before, after)
    }

    fn load_resource(
        &mut self,
        key: u64,
    ) -> Result<Option<::statespec_machines::resource::Resource>, String> {
        Ok(self.resource.get(key))
    }

    fn save_resource(
        &mut self,
        key: u64,
        before: Option<&::statespec_machines::resource::Resource>,
        after: &::statespec_machines::resource::Resource,
    ) -> Result<(), String> {
        self.resource.put(key, before, after)
    }

    fn perform_resource(
        &mut self,
        key: u64,
        event: &::statespec_machines::resource::Event<'_>,
        effect: ::statespec_machines::resource::Effect,
    ) -> Result<(), String> {
        self.log.speak_of("resource", key);
        effect.perform(event, &mut self.log)
    }
}

impl DriveSystem for ContextOsInMemory {
    const SYSTEM: &'static str = "context_os";

    fn log(&mut self) -> &mut Log {
        &mut self.log
    }

    fn named(transaction: &str) -> &'static [&'static str] {
        match transaction {
            "start_session" => &[],
            "finish_loading" => &[],
            "begin_reasoning" => &[],
            "observe" => &[],
            "discover" => &["resource"],
            "get_context" => &["resource"],
            "page_in" => &["resource"],
            "page_out" => &["resource"],
            "set_attention" => &["resource"],
            "annotate" => &[],
            "set_priority" => &[],
            "expire" => &["resource"],
            "fail" => &["resource"],
            "recover" => &["resource"],
            "end_session" => &[],
            "reset_session" => &[],
            "finish_saving" => &[],
            _ => &[],
        }
    }

    fn run(
        &mut self,
        transaction: &str,
        chosen: &Numbers,
        payload: &SystemValues<'_>,
    ) -> Result<(), String> {
        let _ = (chosen, payload);
        match transaction {
            "start_session" => {
                ::statespec_machines::context_os::start_session(self)
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "finish_loading" => {
                ::statespec_machines::context_os::finish_loading(self)
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "begin_reasoning" => {
                ::statespec_machines::context_os::begin_reasoning(self)
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "observe" => {
                ::statespec_machines::context_os::observe(self, payload.get(0))
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "discover" => {
                ::statespec_machines::context_os::discover(
                        self,
                        chosen.number("resource"),
                    )
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "get_context" => {
                ::statespec_machines::context_os::get_context(
                        self,
                        chosen.number("resource"),
                    )
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "page_in" => {
                ::statespec_machines::context_os::page_in(
                        self,
                        chosen.number("resource"),
                    )
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "page_out" => {
                ::statespec_machines::context_os::page_out(
                        self,
                        chosen.number("resource"),
                    )
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "set_attention" => {
                ::statespec_machines::context_os::set_attention(
                        self,
                        chosen.number("resource"),
                        payload.get(0),
                    )
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "annotate" => {
                ::statespec_machines::context_os::annotate(self, payload.get(0))
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "set_priority" => {
                ::statespec_machines::context_os::set_priority(
                        self,
                        payload.state(0, "eviction_policy"),
                    )
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "expire" => {
                ::statespec_machines::context_os::expire(self, chosen.number("resource"))
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "fail" => {
                ::statespec_machines::context_os::fail(
                        self,
                        chosen.number("resource"),
                        payload.get(0),
                    )
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "recover" => {
                ::statespec_machines::context_os::recover(
                        self,
                        chosen.number("resource"),
                    )
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "end_session" => {
                ::statespec_machines::context_os::end_session(self)
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "reset_session" => {
                ::statespec_machines::context_os::reset_session(self)
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "finish_saving" => {
                ::statespec_machines::context_os::finish_saving(self)
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            _ => panic!("there is no such transaction"),
        }
    }

    fn instances(
        &self,
        part: &str,
        model: &::statespec_codegen::model::Model,
    ) -> Instances {
        match part {
            "session" => self.session.told(model, "session"),
            "pressure" => self.pressure.told(model, "pressure"),
            "policy" => self.policy.told(model, "eviction_policy"),
            "resource" => self.resource.told(model, "resource"),
            _ => panic!("there is no such part"),
        }
    }
}

/// A unit of work in memory.
#[derive(Debug, Default)]
pub(crate) struct MissionHopInMemory {
    log: Log,
    mission: Kept<::statespec_machines::mission::Mission<u64>>,
    hop: Kept<::statespec_machines::hop::Hop<u64>>,
}

impl ::statespec::Unit for MissionHopInMemory {
    type Key = u64;

    type Error = String;

    fn begin(&mut self) -> Result<(), String> {
        self.mission.begin();
        self.hop.begin();
        Ok(())
    }

    fn commit(&mut self, order: ::statespec::Commit) -> Result<(), String> {
        let written = self.log.write();
        if written.is_ok() || order == ::statespec::Commit::MemoryFirst {
            self.mission.commit();
            self.hop.commit();
        }
        written
    }

    fn rollback(&mut self) {
        self.mission.begin();
        self.hop.begin();
    }
}

impl ::statespec_machines::mission_hop::UnitOfWork for MissionHopInMemory {
    fn mission_key(&mut self) -> Result<u64, String> {
        Ok(1)
    }

    fn load_mission(
        &mut self,
    ) -> Result<Option<::statespec_machines::mission::Mission<u64>>, String> {
        Ok(self.mission.get(1))
    }

    fn save_mission(
        &mut self,
        before: Option<&::statespec_machines::mission::Mission<u64>>,
        after: &::statespec_machines::mission::Mission<u64>,
    ) -> Result<(), String> {
        self.mission.put(1, before, after)
    }

    fn perform_mission(
        &mut self,
        effect: ::statespec_machines::mission::Effect,
    ) -> Result<(), String> {
        self.log.speak_of("mission", 1);
        effect.perform::<u64, _>(&mut self.log)
    }

    fn new_hop(&mut self) -> Result<u64, String> {
        Ok(self.hop.next_key())
    }

    fn load_hop(
        &mut self,
        key: u64,
    ) -> Result<Option<::statespec_machines::hop::Hop<u64>>, String> {
        Ok(self.hop.get(key))
    }

    fn save_hop(
        &mut self,
        key: u64,
        before: Option<&::statespec_machines::hop::Hop<u64>>,
        after: &::statespec_machines::hop::Hop<u64>,
    ) -> Result<(), String> {
        self.hop.put(key, before, after)
    }

    fn next_hop(
        &mut self,
        after: Option<u64>,
    ) -> Result<Option<(u64, ::statespec_machines::hop::Hop<u64>)>, String> {
        Ok(self.hop.after(after))
    }
}

impl DriveSystem for MissionHopInMemory {
    const SYSTEM: &'static str = "mission_hop";

    fn log(&mut self) -> &mut Log {
        &mut self.log
    }

    fn named(transaction: &str) -> &'static [&'static str] {
        match transaction {
            "propose_mission" => &[],
            "approve_mission" => &[],
            "request_hop_plan" => &[],
            "complete_hop_plan" => &["hop"],
            "approve_hop_plan" => &["hop"],
            "request_implementation" => &["hop"],
            "complete_implementation" => &["hop"],
            "approve_implementation" => &["hop"],
            "trigger_execution" => &["hop"],
            "complete_hop_execution" => &["hop"],
            _ => &[],
        }
    }

    fn run(
        &mut self,
        transaction: &str,
        chosen: &Numbers,
        payload: &SystemValues<'_>,
    ) -> Result<(), String> {
        let _ = (chosen, payload);
        match transaction {
            "propose_mission" => {
                ::statespec_machines::mission_hop::propose_mission(self)
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "approve_mission" => {
                ::statespec_machines::mission_hop::approve_mission(self)
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "request_hop_plan" => {
                ::statespec_machines::mission_hop::request_hop_plan(self)
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "complete_hop_plan" => {
                ::statespec_machines::mission_hop::complete_hop_plan(
                        self,
                        chosen.number("hop"),
                        payload.get(0),
                    )
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "approve_hop_plan" => {
                ::statespec_machines::mission_hop::approve_hop_plan(
                        self,
                        chosen.number("hop"),
                    )
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "request_implementation" => {
                ::statespec_machines::mission_hop::request_implementation(
                        self,
                        chosen.number("hop"),
                    )
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "complete_implementation" => {
                ::statespec_machines::mission_hop::complete_implementation(
                        self,
                        chosen.number("hop"),
                    )
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "approve_implementation" => {
                ::statespec_machines::mission_hop::approve_implementation(
                        self,
                        chosen.number("hop"),
                    )
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "trigger_execution" => {
                ::statespec_machines::mission_hop::trigger_execution(
                        self,
                        chosen.number("hop"),
                    )
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "complete_hop_execution" => {
                ::statespec_machines::mission_hop::complete_hop_execution(
                        self,
                        chosen.number("hop"),
                    )
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            _ => panic!("there is no such transaction"),
        }
    }

    fn instances(
        &self,
        part: &str,
        model: &::statespec_codegen::model::Model,
    ) -> Instances {
        match part {
            "mission" => self.mission.told(model, "mission"),
            "hop" => self.hop.told(model, "hop"),
            _ => panic!("there is no such part"),
        }
    }

    fn check(&mut self) -> Result<(), String> {
        ::statespec_machines::mission_hop::check_invariants(self)
            .map_err(|it| it.to_string())
    }
}

/// A unit of work in memory.
#[derive(Debug, Default)]
pub(crate) struct MysisRuntimeInMemory {
    log: Log,
    mysis: Kept<::statespec_machines::mysis::Mysis<String>>,
    activity: Kept<::statespec_machines::mysis_activity::MysisActivity>,
}

impl ::statespec::Unit for MysisRuntimeInMemory {
    type Key = u64;

    type Error = String;

    fn begin(&mut self) -> Result<(), String> {
        self.mysis.begin();
        self.activity.begin();
        Ok(())
    }

    fn commit(&mut self, order: ::statespec::Commit) -> Result<(), String> {
        let written = self.log.write();
        if written.is_ok() || order == ::statespec::Commit::MemoryFirst {
            self.mysis.commit();
            self.activity.commit();
        }
        written
    }

    fn rollback(&mut self) {
        self.mysis.begin();
        self.activity.begin();
    }
}

impl ::statespec_machines::mysis_runtime::UnitOfWork for MysisRuntimeInMemory {
    type Text = String;

    fn load_mysis(
        &mut self,
    ) -> Result<Option<::statespec_machines::mysis::Mysis<String>>, String> {
        Ok(self.mysis.get(1))
    }

    fn save_mysis(
        &mut self,
        before: Option<&::statespec_machines::mysis::Mysis<String>>,
        after: &::statespec_machines::mysis::Mysis<String>,
    ) -> Result<(), String> {
        self.mysis.put(1, before, after)
    }

    fn perform_mysis(
        &mut self,
        event: &::statespec_machines::mysis::Event<'_>,
        effect: ::statespec_machines::mysis::Effect,
    ) -> Result<(), String> {
        self.log.speak_of("mysis", 1);
        effect.perform::<String, _>(event, &mut self.log)
    }

    fn load_activity(
        &mut self,
    ) -> Result<Option<::statespec_machines::mysis_activity::MysisActivity>, String> {
        Ok(self.activity.get(1))
    }

    fn save_activity(
        &mut self,
        before: Option<&::statespec_machines::mysis_activity::MysisActivity>,
        after: &::statespec_machines::mysis_activity::MysisActivity,
    ) -> Result<(), String> {
        self.activity.put(1, before, after)
    }
}

impl DriveSystem for MysisRuntimeInMemory {
    const SYSTEM: &'static str = "mysis_runtime";

    fn log(&mut self) -> &mut Log {
        &mut self.log
    }

    fn named(transaction: &str) -> &'static [&'static str] {
        match transaction {
            "create" => &[],
            "load" => &[],
            "start" => &[],
            "stop" => &[],
            "message" => &[],
            "nudge" => &[],
            "count_failed_nudge" => &[],
            "complete_turn" => &[],
            "fail" => &[],
            "time_out_tool" => &[],
            "exhaust_mcp_retries" => &[],
            "show_activity" => &[],
            _ => &[],
        }
    }

    fn run(
        &mut self,
        transaction: &str,
        chosen: &Numbers,
        payload: &SystemValues<'_>,
    ) -> Result<(), String> {
        let _ = (chosen, payload);
        match transaction {
            "create" => {
                ::statespec_machines::mysis_runtime::create(self)
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "load" => {
                ::statespec_machines::mysis_runtime::load(self)
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "start" => {
                ::statespec_machines::mysis_runtime::start(self)
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "stop" => {
                ::statespec_machines::mysis_runtime::stop(self)
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "message" => {
                ::statespec_machines::mysis_runtime::message(self, payload.get(0))
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "nudge" => {
                ::statespec_machines::mysis_runtime::nudge(self)
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "count_failed_nudge" => {
                ::statespec_machines::mysis_runtime::count_failed_nudge(self)
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "complete_turn" => {
                ::statespec_machines::mysis_runtime::complete_turn(self)
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "fail" => {
                ::statespec_machines::mysis_runtime::fail(self, payload.get(0))
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "time_out_tool" => {
                ::statespec_machines::mysis_runtime::time_out_tool(
                        self,
                        payload.get(0),
                        payload.get(1),
                    )
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "exhaust_mcp_retries" => {
                ::statespec_machines::mysis_runtime::exhaust_mcp_retries(
                        self,
                        payload.get(0),
                    )
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            "show_activity" => {
                ::statespec_machines::mysis_runtime::show_activity(
                        self,
                        payload.state(0, "mysis_activity"),
                        payload.get(1),
                    )
                    .map(|_| ())
                    .map_err(|it| it.to_string())
            }
            _ => panic!("there is no such transaction"),
        }
    }

    fn instances(
        &self,
        part: &str,
        model: &::statespec_codegen::model::Model,
    ) -> Instances {
        match part {
            "mysis" => self.mysis.told(model, "mysis"),
            "activity" => self.activity.told(model, "mysis_activity"),
            _ => panic!("there is no such part"),
        }
    }
}
