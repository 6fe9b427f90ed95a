//! The part of the audit that runs the interpreter.

use statespec_lang::diagnostic::Code;
use statespec_lang::model::{Configuration, EventId};
use statespec_lang::types::TransitionId;

use super::{Audit, Numbers};
use crate::attempt::{Attempt, Ended};
use crate::entities::Entity;
use crate::possible::{Asked, At, BEGUN, Set, Target, Trigger, begins};
use crate::replay::{Recorded, Replayed};
use crate::shown::quoted;

impl Audit<'_> {
    /// Compares the attempt with the interpreter, if everything was recorded that it reads.
    pub(super) fn replayed(&mut self, line: u64, attempt: &Attempt<'_>, numbers: &Numbers, from: Set, entity: &mut Entity) {
        let expected = std::mem::replace(&mut entity.context, 0);
        let changes = attempt.ended == Ended::Changed;
        if attempt.ended == Ended::Failed {
            entity.context = expected;
        }
        let configuration = |at: At| self.possible.configurations.get(at as usize).cloned();
        if from == BEGUN {
            return;
        }
        let is_creation = begins(from);
        let before: Option<Configuration> = self.possible.only(from).and_then(configuration);
        let to: Option<Configuration> = match numbers.to {
            Target::At(at) => configuration(at),
            Target::Untold | Target::Deleted => None,
        };
        let event = match numbers.event {
            Trigger::Event(event) => Some(EventId::new(event as usize)),
            Trigger::Direct if !is_creation && changes => None,
            _ => return,
        };
        let is_told =
            numbers.are_known && attempt.ended != Ended::Failed && (before.is_some() || is_creation) && (to.is_some() || !changes);
        if !is_told || !is_creation && before.is_none() {
            return;
        }
        let asked = Asked { from, event: numbers.event, to: numbers.to, stored_only: attempt.stored_only };
        let step = changes.then(|| self.counted(asked, line));
        if step.is_some_and(|it| !self.steps[it].is_possible) {
            return;
        }
        let recorded = Recorded {
            from: before.as_ref(),
            event,
            payload: attempt.payload,
            context: attempt.context,
            to: to.as_ref(),
            is_refused: !changes,
        };
        let is_reported = entity.is_reported();
        match self.replay.attempt(&recorded) {
            Replayed::Incomplete => {}
            Replayed::Misfit(why) => {
                self.found(Code::AuditValue, line, 1, || format!("{}: {why}", quoted(attempt.entity)), || None, None);
            }
            Replayed::Differs { message, before } => {
                self.context(line, attempt, expected, before, entity);
                if !is_reported {
                    entity.report();
                    self.found(Code::AuditReplay, line, 1, || format!("{}: {message}", quoted(attempt.entity)), || None, None);
                }
                self.at_replay(step.is_some());
            }
            Replayed::Agrees { rows, before, after } => {
                if !is_creation {
                    self.context(line, attempt, expected, before, entity);
                }
                entity.context = after.unwrap_or(0);
                for row in &rows.certain {
                    self.taken.entry(*row).or_default().certain += 1;
                }
                match (step, rows.first) {
                    (Some(step), Some(first)) => {
                        *self.steps[step].taken.entry(first).or_insert(0) += 1;
                        self.steps[step].n_replayed += 1;
                    }
                    // The step counts as one that was not replayed, for each row that may begin it.
                    (Some(step), None) => rows.certain.iter().filter(|it| self.steps[step].rows.contains(it)).for_each(|row| {
                        if let Some(seen) = self.taken.get_mut(row) {
                            seen.certain -= 1;
                        }
                    }),
                    (None, _) => {}
                }
                let begins = |row: &TransitionId| rows.first.is_none() && step.is_some_and(|it| self.steps[it].rows.contains(row));
                for row in rows.possible.iter().filter(|it| !begins(it)) {
                    self.taken.entry(*row).or_default().at_most += 1;
                }
                self.at_replay(step.is_some());
            }
        }
    }

    fn at_replay(&mut self, was_counted: bool) {
        self.levels[2] += 1;
        if was_counted {
            self.levels[1] -= 1;
        }
    }

    /// Reports a context that is not the one that the last attempt left.
    pub(super) fn context(&mut self, line: u64, attempt: &Attempt<'_>, expected: u32, found: u32, entity: &Entity) {
        if expected != 0 && expected != found && !self.machine.fields.is_empty() {
            let message = format!("the context of {} is not the one that the record before it leaves", quoted(attempt.entity));
            self.found(Code::AuditValue, line, 1, || message, || None, Some((entity.line(), "the record before")));
        }
    }
}
