//! A session, the pressure of its context, its policy and its resources as an independent model, written from the tables
//! and drawings and not from the specs.

use stateright::{Model, Property};

use crate::everything;

/// The size of the model.
#[derive(Debug, Clone)]
pub struct ContextOs {
    /// The number of resources.
    pub resources: usize,
}

/// The state of the session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs)]
pub enum Session {
    None,
    Loading,
    Bootstrap,
    Normal,
    Pressure,
    Persisting,
    Ended,
}

/// The state of a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs)]
pub enum Resource {
    Unknown,
    Cold,
    Loaded,
    Hot,
    Indexed,
    Offline,
}

/// The state of the whole system.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct State {
    /// The session.
    pub session: Session,
    /// The level of pressure, from 0, low, to 3, critical.
    pub level: usize,
    /// The index of the policy, one of four.
    pub policy: u8,
    /// The resources.
    pub resources: Vec<Resource>,
}

/// An action; resources are given by their positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs)]
pub enum Action {
    Start,
    Loaded,
    Reason,
    Observe(i32),
    Discover(usize),
    GetContext(usize),
    PageIn(usize),
    PageOut(usize),
    Attend(usize, bool),
    Prefer(u8),
    Expire(usize),
    Fail(usize),
    Recover(usize),
    End,
    Saved,
}

/// In hundredths: the threshold of each level except the lowest, and the distance below it at which the level falls back.
const BEGINS: [i32; 3] = [50, 70, 85];
const BUFFER: i32 = 5;

/// The level after a sample, reached one step after another.
fn settled(mut level: usize, sample: i32) -> usize {
    while level < BEGINS.len() && sample >= BEGINS[level] {
        level += 1;
    }
    while level > 0 && sample < BEGINS[level - 1] - BUFFER {
        level -= 1;
    }
    level
}

impl Model for ContextOs {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        vec![State { session: Session::None, level: 0, policy: 0, resources: vec![Resource::Unknown; self.resources] }]
    }

    fn actions(&self, _: &State, actions: &mut Vec<Action>) {
        actions.extend([Action::Start, Action::Loaded, Action::Reason, Action::End, Action::Saved]);
        actions.extend((0..=100).step_by(5).map(Action::Observe));
        actions.extend((0..4).map(Action::Prefer));
        for it in 0..self.resources {
            actions.extend([Action::Discover(it), Action::GetContext(it), Action::PageIn(it), Action::PageOut(it)]);
            actions.extend([Action::Attend(it, false), Action::Attend(it, true)]);
            actions.extend([Action::Expire(it), Action::Fail(it), Action::Recover(it)]);
        }
    }

    fn next_state(&self, last: &State, action: Action) -> Option<State> {
        use Resource::{Cold, Hot, Indexed, Loaded, Offline, Unknown};
        let mut next = last.clone();
        let active = matches!(last.session, Session::Normal | Session::Pressure);
        let mut session = |from: bool, to: Session| from.then(|| next.session = to);
        match action {
            Action::Start => session(last.session == Session::None, Session::Loading)?,
            Action::Loaded => session(last.session == Session::Loading, Session::Bootstrap)?,
            Action::Reason => {
                let active = if last.level == 3 { Session::Pressure } else { Session::Normal };
                session(last.session == Session::Bootstrap, active)?;
            }
            Action::End => session(active, Session::Persisting)?,
            Action::Saved => session(last.session == Session::Persisting, Session::Ended)?,
            Action::Observe(sample) => {
                next.level = settled(last.level, sample);
                match (last.level == 3, next.level == 3, last.session) {
                    (false, true, Session::Normal) => next.session = Session::Pressure,
                    (true, false, Session::Pressure) => next.session = Session::Normal,
                    _ => {}
                }
            }
            Action::Prefer(policy) => next.policy = policy,
            Action::Discover(it)
            | Action::GetContext(it)
            | Action::PageIn(it)
            | Action::PageOut(it)
            | Action::Attend(it, _)
            | Action::Expire(it)
            | Action::Fail(it)
            | Action::Recover(it) => {
                next.resources[it] = match (action, last.resources[it]) {
                    (Action::Discover(_), Unknown) | (Action::Expire(_), Indexed) | (Action::Recover(_), Offline) => Cold,
                    (Action::GetContext(_), Cold | Indexed | Loaded) | (Action::PageIn(_), Cold | Indexed) if active => Loaded,
                    (Action::GetContext(_), Hot) if active => Hot,
                    (Action::PageOut(_), Loaded | Hot) if active => Indexed,
                    (Action::Attend(_, hot), Loaded | Hot) if active => [Loaded, Hot][usize::from(hot)],
                    (Action::Fail(_), _) => Offline,
                    _ => return None,
                };
            }
        }
        Some(next)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![everything()]
    }
}
