//! Structs whose fields are the contexts of the reference machines.

pub(crate) mod agent_run {
    #[derive(Debug, Clone, PartialEq, statespec::StateMachine)]
    #[machine("machines/agent_run.yaml", prefix = "")]
    pub(crate) struct AgentRun {
        pub(crate) state: State,
    }
}

pub(crate) mod elevator {
    #[derive(Debug, Clone, PartialEq, statespec::StateMachine)]
    #[machine("machines/elevator.yaml", prefix = "")]
    pub(crate) struct Elevator {
        pub(crate) state: State,
        pub(crate) floor: i64,
        pub(crate) destination: i64,
    }
}

pub(crate) mod eviction_policy {
    #[derive(Debug, Clone, PartialEq, statespec::StateMachine)]
    #[machine("machines/eviction_policy.yaml", prefix = "")]
    pub(crate) struct EvictionPolicy {
        pub(crate) state: State,
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

pub(crate) mod media_player {
    #[derive(Debug, Clone, PartialEq, statespec::StateMachine)]
    #[machine("machines/media_player.yaml", prefix = "")]
    pub(crate) struct MediaPlayer {
        pub(crate) state: State,
        pub(crate) volume: i64,
        pub(crate) playback_was: Option<Leaf>,
        pub(crate) sound_was: Option<Leaf>,
        pub(crate) screen_was: Option<Leaf>,
    }
}

pub(crate) mod mission {
    #[derive(Debug, Clone, PartialEq, statespec::StateMachine)]
    #[machine("machines/mission.yaml", prefix = "")]
    pub(crate) struct Mission {
        pub(crate) state: State,
        pub(crate) current_hop_id: Option<u64>,
    }
}

pub(crate) mod mysis {
    #[derive(Debug, Clone, PartialEq, statespec::StateMachine)]
    #[machine("machines/mysis.yaml", prefix = "")]
    pub(crate) struct Mysis {
        pub(crate) state: State,
        pub(crate) nudge_failures: i64,
        pub(crate) last_error: Option<String>,
    }
}

pub(crate) mod mysis_activity {
    #[derive(Debug, Clone, PartialEq, statespec::StateMachine)]
    #[machine("machines/mysis_activity.yaml", prefix = "")]
    pub(crate) struct MysisActivity {
        pub(crate) state: State,
        pub(crate) activity_until: Option<statespec::Timestamp>,
    }
}

pub(crate) mod order {
    #[derive(Debug, Clone, PartialEq, statespec::StateMachine)]
    #[machine("machines/order.yaml", prefix = "")]
    pub(crate) struct Order {
        pub(crate) state: State,
        pub(crate) payment_window: statespec::Duration,
        pub(crate) extended: bool,
    }
}

pub(crate) mod pressure {
    #[derive(Debug, Clone, PartialEq, statespec::StateMachine)]
    #[machine("machines/pressure.yaml", prefix = "")]
    pub(crate) struct Pressure {
        pub(crate) state: State,
        pub(crate) utilization: statespec::Decimal,
    }
}

pub(crate) mod resource {
    #[derive(Debug, Clone, PartialEq, statespec::StateMachine)]
    #[machine("machines/resource.yaml", prefix = "")]
    pub(crate) struct Resource {
        pub(crate) state: State,
        pub(crate) attention_weight: statespec::Decimal,
        pub(crate) last_accessed: Option<statespec::Timestamp>,
        pub(crate) size_tokens: i64,
        pub(crate) category: Category,
    }
}

pub(crate) mod run_job {
    #[derive(Debug, Clone, PartialEq, statespec::StateMachine)]
    #[machine("machines/run_job.yaml", prefix = "")]
    pub(crate) struct RunJob {
        pub(crate) state: State,
        pub(crate) lease_expires_at: Option<statespec::Timestamp>,
    }
}

pub(crate) mod session {
    #[derive(Debug, Clone, PartialEq, statespec::StateMachine)]
    #[machine("machines/session.yaml", prefix = "")]
    pub(crate) struct Session {
        pub(crate) state: State,
    }
}

pub(crate) mod traffic_light {
    #[derive(Debug, Clone, PartialEq, statespec::StateMachine)]
    #[machine("machines/traffic_light.yaml", prefix = "")]
    pub(crate) struct TrafficLight {
        pub(crate) state: State,
    }
}
