//! An observer for the crate `tracing`.

use core::fmt;

use crate::{Attempt, Change, Ended, Labels, Named, Observer, State, Transacted};

/// An observer that emits an event of the crate `tracing` for every attempt, with the target `statespec`: a change at the
/// level `info`, a refusal at `warn`, a failure at `error`.
///
/// The fields are those of [`Labels`]. `error.type` has the name and the meaning that OpenTelemetry gives it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Tracing;

impl Observer for Tracing {
    fn observe<S: State>(&mut self, attempt: &Attempt<'_, S>) {
        // Each call site of `tracing` has one level.
        macro_rules! emit {
            ($level:ident, $($message:tt)*) => {{
                let Labels { machine, from, to, event, actor, ended: _, error_type } = attempt.labels();
                let effects = attempt.change().map(|it| tracing::field::debug(EffectNames(it)));
                tracing::$level!(target: "statespec", machine, from, to, event, actor, effects, error.type = error_type, $($message)*)
            }};
        }
        match (attempt.refused(), attempt.change(), attempt.ended()) {
            (Some(refused), ..) => emit!(warn, "{refused}"),
            (None, Some(change), Ended::Failed) if attempt.moved() => emit!(error, "{change}, but not everything was done"),
            (None, Some(change), Ended::Failed) => emit!(error, "not {change}: nothing changed"),
            (None, Some(change), _) => emit!(info, "{change}"),
            // An attempt that is not refused has a change.
            (None, None, _) => {}
        }
    }

    fn observe_transaction(&mut self, attempt: &Transacted<'_>) {
        macro_rules! emit {
            ($level:ident, $($message:tt)*) => {{
                let (system, transaction) = (attempt.system(), attempt.transaction());
                let (actor, error_type) = (attempt.actor(), attempt.error_type());
                tracing::$level!(target: "statespec", system, transaction, actor, error.type = error_type, $($message)*)
            }};
        }
        match (attempt.refused(), attempt.ended(), attempt.moved()) {
            (Some(refused), ..) => emit!(warn, "{refused}"),
            (None, Ended::Failed, true) => emit!(error, "the machines changed, but not everything was done"),
            (None, Ended::Failed, false) => emit!(error, "nothing changed"),
            (None, ..) => emit!(info, "done"),
        }
    }
}

struct EffectNames<'a, S: State>(&'a Change<S>);

impl<S: State> fmt::Debug for EffectNames<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.effects().map(|it| it.name())).finish()
    }
}
