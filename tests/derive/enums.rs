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
    #[machine("machines/hop.yaml", prefix = "", context)]
    #[repr(i32)]
    pub(crate) enum State {
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
    #[machine("machines/mission.yaml", prefix = "", context)]
    pub(crate) enum State {
        AwaitingApproval,
        InProgress,
        Completed,
    }
}

pub(crate) mod mysis {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, statespec::StateMachine)]
    #[machine("machines/mysis.yaml", prefix = "", context)]
    pub(crate) enum State {
        Idle,
        Running,
        Stopped,
        Errored,
    }
}

pub(crate) mod mysis_activity {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, statespec::StateMachine)]
    #[machine("machines/mysis_activity.yaml", prefix = "", context)]
    pub(crate) enum State {
        None,
        LlmCall,
        Traveling,
        Cooldown,
    }
}

pub(crate) mod order {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, statespec::StateMachine)]
    #[machine("machines/order.yaml", prefix = "", context)]
    pub(crate) enum State {
        Cart,
        AwaitingPayment,
        Paid,
        Late,
        Shipped,
        Expired,
        Cancelled,
    }
}

pub(crate) mod pressure {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, statespec::StateMachine)]
    #[machine("machines/pressure.yaml", prefix = "", context)]
    pub(crate) enum State {
        Low,
        Medium,
        High,
        Critical,
    }
}

pub(crate) mod resource {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, statespec::StateMachine)]
    #[machine("machines/resource.yaml", prefix = "", context)]
    pub(crate) enum State {
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
    #[machine("machines/run_job.yaml", prefix = "", context)]
    pub(crate) enum State {
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

pub(crate) mod traffic_light {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, statespec::StateMachine)]
    #[machine("machines/traffic_light.yaml", prefix = "")]
    pub(crate) enum State {
        Red,
        Green,
        Requested,
        Amber,
    }
}
