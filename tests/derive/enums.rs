//! Enums whose variants are the states of the reference machines, in the owners' order and with the owners' numbers.

pub(crate) mod agent_run {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, statespec::StateMachine)]
    #[machine("machines/agent_run.yaml", prefix = "")]
    pub(crate) enum State {
        Queued,
        Running,
        Correcting,
        Optimizing,
        Validating,
        Complete,
        Failed,
        Cancelled,
    }
}

pub(crate) mod eviction_policy {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, statespec::StateMachine)]
    #[machine("machines/eviction_policy.yaml", prefix = "")]
    pub(crate) enum State {
        Lru,
        SizeFirst,
        KeepRelational,
        KeepTechnical,
    }
}

pub(crate) mod hop {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, statespec::StateMachine)]
    #[machine("machines/hop.yaml")]
    #[repr(i32)]
    pub(crate) enum HopStatus {
        HopPlanStarted = 0,
        HopPlanProposed = 1,
        HopPlanReady = 2,
        HopImplStarted = 3,
        HopImplProposed = 4,
        HopImplReady = 5,
        Executing = 6,
        Completed = 7,
    }
}

pub(crate) mod mission {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, statespec::StateMachine)]
    #[machine("machines/mission.yaml")]
    pub(crate) enum MissionStatus {
        AwaitingApproval,
        InProgress,
        Completed,
    }
}

pub(crate) mod mysis {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, statespec::StateMachine)]
    #[machine("machines/mysis.yaml")]
    pub(crate) enum MysisState {
        Idle,
        Running,
        Stopped,
        Errored,
    }
}

pub(crate) mod mysis_activity {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, statespec::StateMachine)]
    #[machine("machines/mysis_activity.yaml")]
    pub(crate) enum Activity {
        None,
        LlmCall,
        Traveling,
        Cooldown,
    }
}

pub(crate) mod pressure {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, statespec::StateMachine)]
    #[machine("machines/pressure.yaml")]
    pub(crate) enum Level {
        Low,
        Medium,
        High,
        Critical,
    }
}

pub(crate) mod resource {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, statespec::StateMachine)]
    #[machine("machines/resource.yaml")]
    pub(crate) enum ResourceState {
        Unknown,
        Cold,
        Loaded,
        Hot,
        Indexed,
        Offline,
    }
}

pub(crate) mod run_job {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, statespec::StateMachine)]
    #[machine("machines/run_job.yaml")]
    pub(crate) enum JobStatus {
        Failed,
        Complete,
        Running,
        Claimed,
        Queued,
    }
}

pub(crate) mod session {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, statespec::StateMachine)]
    #[machine("machines/session.yaml", prefix = "")]
    #[repr(i32)]
    pub(crate) enum State {
        Loading = 70,
        Bootstrap = 60,
        Normal = 50,
        Pressure = 40,
        Persisting = 30,
        Ended = 20,
    }
}
