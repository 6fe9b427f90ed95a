//! Missions and their hops as an independent model, written from the table and not from the specs.

use stateright::{Model, Property};

use crate::everything;

/// The properties, by the names that both models use.
pub const RESET: &str = "mission.current_hop_id must reset to null when hop completes";
/// See [`RESET`].
pub const NO_OPEN_HOP: &str = "A completed mission has no open hop";

/// The size of the model, and the faults that are planted in it.
#[derive(Debug, Clone)]
pub struct Missions {
    /// The number of missions.
    pub missions: usize,
    /// The maximum number of hops of each mission.
    pub hops: usize,
    /// Whether the check is missing that a moving hop is the current one.
    pub no_match: bool,
    /// Whether the current hop is not reset.
    pub no_reset: bool,
    /// Whether a hop may be created while there is a current one.
    pub two_current: bool,
    /// The property to check; if there is none, all states are visited.
    pub property: Option<&'static str>,
}

/// One mission.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Mission {
    /// 0 not created, 1 awaiting approval, 2 in progress, 3 completed.
    pub state: u8,
    /// The number of the current hop; 0 for none.
    pub current: u8,
    /// 0 not created, 1 to 7 from `HOP_PLAN_STARTED` to `EXECUTING`, 8 completed; and whether it is final.
    pub hops: Vec<(u8, bool)>,
}

/// An action on one mission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    /// The mission is proposed.
    Propose,
    /// The mission is approved.
    Approve,
    /// A hop is created.
    Request,
    /// The plan of a hop is completed; the flag says whether the hop is final.
    Plan(usize, bool),
    /// A hop moves to its next state.
    Next(usize),
    /// A hop is completed.
    Complete(usize),
}

impl Missions {
    /// A model of this size without a fault.
    pub fn right(missions: usize, hops: usize) -> Self {
        Missions { missions, hops, no_match: false, no_reset: false, two_current: false, property: None }
    }

    fn act(&self, mission: &mut Mission, act: &Act) -> bool {
        let matches = |mission: &Mission, hop: usize| mission.state == 2 && (self.no_match || usize::from(mission.current) == hop + 1);
        match *act {
            Act::Propose if mission.state == 0 => mission.state = 1,
            Act::Approve if mission.state == 1 => mission.state = 2,
            Act::Request if mission.state == 2 && (self.two_current || mission.current == 0) => {
                let Some(hop) = mission.hops.iter().position(|it| it.0 == 0) else { return false };
                mission.hops[hop].0 = 1;
                mission.current = hop as u8 + 1;
            }
            Act::Plan(hop, is_final) if mission.hops[hop].0 == 1 && matches(mission, hop) => mission.hops[hop] = (2, is_final),
            Act::Next(hop) if (2..7).contains(&mission.hops[hop].0) && matches(mission, hop) => mission.hops[hop].0 += 1,
            Act::Complete(hop) if mission.hops[hop].0 == 7 && matches(mission, hop) => {
                mission.hops[hop].0 = 8;
                if mission.hops[hop].1 {
                    mission.state = 3;
                } else if !self.no_reset {
                    mission.current = 0;
                }
            }
            _ => return false,
        }
        true
    }
}

impl Model for Missions {
    type State = Vec<Mission>;
    type Action = (usize, Act);

    fn init_states(&self) -> Vec<Self::State> {
        vec![vec![Mission { hops: vec![(0, false); self.hops], ..Mission::default() }; self.missions]]
    }

    fn actions(&self, state: &Self::State, actions: &mut Vec<Self::Action>) {
        for idx in 0..self.missions {
            // Missions are proposed in order: their numbers have no meaning.
            if idx > 0 && state[idx - 1].state == 0 {
                break;
            }
            actions.extend([Act::Propose, Act::Approve, Act::Request].map(|it| (idx, it)));
            for hop in 0..self.hops {
                let acts = [Act::Plan(hop, false), Act::Plan(hop, true), Act::Next(hop), Act::Complete(hop)];
                actions.extend(acts.map(|it| (idx, it)));
            }
        }
    }

    fn next_state(&self, last: &Self::State, (idx, act): Self::Action) -> Option<Self::State> {
        let mut next = last.clone();
        self.act(&mut next[idx], &act).then_some(next)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        let all: [Property<Self>; 2] = [
            Property::always(RESET, |_, state: &Vec<Mission>| {
                state.iter().all(|it| it.state != 2 || it.current == 0 || it.hops[usize::from(it.current) - 1].0 != 8)
            }),
            Property::always(NO_OPEN_HOP, |_, state: &Vec<Mission>| {
                state.iter().all(|it| it.state != 3 || it.hops.iter().all(|hop| hop.0 == 0 || hop.0 == 8))
            }),
        ];
        match self.property {
            Some(name) => all.into_iter().filter(|it| it.name == name).collect(),
            None => vec![everything()],
        }
    }
}
