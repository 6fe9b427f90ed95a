//! The derive on every reference machine: on a struct and on an enum.

mod structs {
    pub(crate) mod agent_run {
        #[derive(Debug, Clone, PartialEq, statespec::StateMachine)]
        #[machine("machines/agent_run.yaml")]
        pub(crate) struct AgentRun {
            pub(crate) state: AgentRunState,
        }
    }
    pub(crate) mod mysis {
        #[derive(Debug, Clone, PartialEq, statespec::StateMachine)]
        #[machine("machines/mysis.yaml")]
        pub(crate) struct Mysis {
            pub(crate) id: u32,
            pub(crate) state: MysisState,
            pub(crate) nudge_failures: i64,
            pub(crate) last_error: Option<String>,
        }
    }
    pub(crate) mod hop {
        #[derive(Debug, Clone, PartialEq, statespec::StateMachine)]
        #[machine("machines/hop.yaml", prefix = "")]
        pub(crate) struct Hop {
            pub(crate) state: State,
            pub(crate) mission_id: Option<u64>,
            pub(crate) is_final: bool,
        }
    }
    pub(crate) mod mission {
        #[derive(Debug, Clone, PartialEq, statespec::StateMachine)]
        #[machine("machines/mission.yaml")]
        pub(crate) struct Mission {
            pub(crate) state: MissionState,
            pub(crate) current_hop_id: Option<u64>,
        }
    }
    pub(crate) mod resource {
        #[derive(Debug, Clone, PartialEq, statespec::StateMachine)]
        #[machine("machines/resource.yaml")]
        pub(crate) struct Resource {
            pub(crate) state: ResourceState,
            pub(crate) attention_weight: statespec::Decimal,
        }
    }
    pub(crate) mod run_job {
        #[derive(Debug, Clone, PartialEq, statespec::StateMachine)]
        #[machine("machines/run_job.yaml")]
        pub(crate) struct RunJob {
            pub(crate) state: RunJobState,
            pub(crate) lease_expires_at: Option<statespec::Timestamp>,
        }
    }
    pub(crate) mod session {
        #[derive(Debug, Clone, PartialEq, statespec::StateMachine)]
        #[machine("machines/session.yaml")]
        pub(crate) struct Session {
            pub(crate) state: SessionState,
        }
    }
    pub(crate) mod pressure {
        #[derive(Debug, Clone, PartialEq, statespec::StateMachine)]
        #[machine("machines/pressure.yaml")]
        pub(crate) struct Pressure {
            pub(crate) state: PressureState,
            pub(crate) utilization: statespec::Decimal,
        }
    }
    pub(crate) mod eviction_policy {
        #[derive(Debug, Clone, PartialEq, statespec::StateMachine)]
        #[machine("machines/eviction_policy.yaml")]
        pub(crate) struct EvictionPolicy {
            pub(crate) state: EvictionPolicyState,
        }
    }
    pub(crate) mod mysis_activity {
        #[derive(Debug, Clone, PartialEq, statespec::StateMachine)]
        #[machine("machines/mysis_activity.yaml")]
        pub(crate) struct MysisActivity {
            pub(crate) state: MysisActivityState,
            pub(crate) activity_until: Option<statespec::Timestamp>,
        }
    }
}

mod enums {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, statespec::StateMachine)]
    #[machine("machines/agent_run.yaml")]
    pub(crate) enum AgentRun {
        Queued,
        Running,
        Correcting,
        Optimizing,
        Complete = 40,
        Validating,
        Failed,
        Cancelled,
    }
}

#[test]
fn first() {
    let mut run = structs::agent_run::AgentRun { state: structs::agent_run::AgentRunState::Queued };
    run.transition_to(structs::agent_run::AgentRunState::Running).unwrap();
    let mut run = enums::AgentRun::Queued;
    run.transition_to(enums::AgentRun::Running).unwrap();
    run.transition_to(enums::AgentRun::Complete).unwrap();
    assert_eq!(run.to_string(), "complete");
}
