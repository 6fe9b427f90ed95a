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
