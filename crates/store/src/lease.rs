//! Leases and timers: what many workers find and take, each its own.

use crate::sql::{Statement, quoted};
use crate::store::Stored;
use crate::{Applied, Clock, Connection, Error, Found, Outcome, Step, Store, StoredState};

impl<M: Stored, S: StoredState, T: Clock<M, S> + Stored> Store<M, S, T> {
    /// Claims machines that nobody has, at most `limit`, in the order of their keys. `steps` is what a claim does, one step after the
    /// other: `|_| vec![Step::at(|now| Step::event(Event::Claim { until: now + LEASE }))]`.
    ///
    /// The version of each is the fence of its holder: give it with each request, so that a holder that has slept longer than its
    /// lease is refused.
    ///
    /// A machine that refuses is left out. Rows that another transaction holds are passed over on PostgreSQL.
    ///
    /// # Errors
    ///
    /// As [`Store::apply`]; the table has no lease.
    pub async fn claim<'s, C: Connection>(
        &self,
        c: &mut C,
        limit: u32,
        actor: &str,
        steps: impl FnMut(&M) -> Vec<Step<'s, M, S, T>>,
    ) -> Result<Vec<Applied<M, S, T>>, Error> {
        let condition = self.is_one_of(self.lease()?.free);
        self.take(c, &condition, limit, actor, steps).await
    }

    /// Takes over machines whose holder has let its lease end, or that have none, as the clock of the database has it; otherwise like
    /// [`claim`](Store::claim).
    ///
    /// # Errors
    ///
    /// As [`Store::claim`].
    pub async fn reclaim<'s, C: Connection>(
        &self,
        c: &mut C,
        limit: u32,
        actor: &str,
        steps: impl FnMut(&M) -> Vec<Step<'s, M, S, T>>,
    ) -> Result<Vec<Applied<M, S, T>>, Error> {
        let lease = self.lease()?;
        let expired: Vec<String> =
            self.table.columns.iter().filter(|it| it.field == lease.expires).map(|it| self.table.is_expired(it)).collect();
        let condition = format!("{} AND {}", self.is_one_of(lease.held), expired.concat());
        self.take(c, &condition, limit, actor, steps).await
    }

    /// Lets timers elapse that are due by the clock of the database, at most `limit` machines and one timer of each: `step` is
    /// [`Step::elapse`]. Call it until it has nothing. A timer that was started again meanwhile is not due.
    ///
    /// # Errors
    ///
    /// As [`Store::apply`]; the table has no columns of timers.
    pub async fn due<'s, C: Connection>(
        &self,
        c: &mut C,
        limit: u32,
        actor: &str,
        mut step: impl FnMut(&M) -> Step<'s, M, S, T>,
    ) -> Result<Vec<Applied<M, S, T>>, Error> {
        let Some(columns) = self.table.timers else {
            return Err(Error::unfit(format!("table {} has no columns of timers", self.table.name)));
        };
        let next = quoted(columns.next_due);
        let now = match self.table.engine {
            crate::Engine::Sqlite => self.table.now(),
            crate::Engine::Postgres => "clock_timestamp()".to_owned(),
        };
        let order = format!("{next} <= {now} ORDER BY {next}");
        self.take_ordered(c, &order, limit, actor, |machine| vec![step(machine)]).await
    }

    fn lease(&self) -> Result<crate::Lease, Error> {
        self.table.lease.ok_or_else(|| Error::unfit(format!("table {} has no lease", self.table.name)))
    }

    fn is_one_of(&self, names: &[&str]) -> String {
        let stored = |name: &&str| self.table.values.iter().find(|it| it.0 == *name).map_or((*name).to_owned(), |it| it.1.to_owned());
        let values: Vec<String> = names.iter().map(|it| self.table.state_literal(&stored(it))).collect();
        // No state at all is no state of a row.
        if values.is_empty() { "1 = 0".to_owned() } else { format!("{} IN ({})", quoted(self.table.state), values.join(", ")) }
    }

    async fn take<'s, C: Connection>(
        &self,
        c: &mut C,
        condition: &str,
        limit: u32,
        actor: &str,
        steps: impl FnMut(&M) -> Vec<Step<'s, M, S, T>>,
    ) -> Result<Vec<Applied<M, S, T>>, Error> {
        self.take_ordered(c, &format!("{condition} ORDER BY {}", self.table.key_order()), limit, actor, steps).await
    }

    async fn take_ordered<'s, C: Connection>(
        &self,
        c: &mut C,
        condition: &str,
        limit: u32,
        actor: &str,
        mut steps: impl FnMut(&M) -> Vec<Step<'s, M, S, T>>,
    ) -> Result<Vec<Applied<M, S, T>>, Error> {
        let select = format!("{} WHERE {condition} LIMIT {limit}{}", self.selection(), self.table.locked(true));
        let select = Statement::new(self.table.engine, select);
        let mut taken = Vec::new();
        for (found, state, now) in self.list(c, &select).await? {
            let steps = steps(&found.machine);
            if let Some(applied) = self.all(c, found, state, now, steps, actor).await? {
                taken.push(applied);
            }
        }
        Ok(taken)
    }

    /// Takes several steps of one machine, or none of them.
    async fn all<'s, C: Connection>(
        &self,
        c: &mut C,
        found: Found<M, T>,
        state: String,
        now: statespec::Timestamp,
        steps: Vec<Step<'s, M, S, T>>,
        actor: &str,
    ) -> Result<Option<Applied<M, S, T>>, Error> {
        let (mut plans, mut current, mut from, mut steps) = (Vec::new(), found, state, steps.into_iter().peekable());
        while let Some(step) = steps.next() {
            let Ok(planned) = self.planned(current, from, now, step, None, Some(actor.to_owned()))? else { return Ok(None) };
            if planned.before().next().is_some() {
                return Err(Error::unfit(format!(
                    "a step of `{}` has effects that must succeed before: plan it, and commit the plan",
                    self.table.machine
                )));
            }
            plans.push(planned);
            let Some((planned, _)) = plans.last().zip(steps.peek()) else { break };
            current = planned.next.clone();
            from = crate::row::write::<M, S>(&self.table, &current.machine)?.state;
        }
        let mut last = None;
        for planned in plans {
            match self.write(c, planned).await? {
                Outcome::Applied(applied) => last = Some(applied),
                // Only where rows are not locked: another transaction was faster.
                _ if last.is_none() => return Ok(None),
                _ => return Err(Error::new(crate::Class::Retryable, "another transaction changed a row that was being claimed")),
            }
        }
        Ok(last)
    }
}
