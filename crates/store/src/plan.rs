//! Plans: effects that must succeed before anything changes are performed while no transaction is open.

use statespec::Phase;

use crate::store::Stored;
use crate::{Clock, Connection, Database, Error, Outcome, Planned, Request, Store, StoredState};

impl<M: Stored, S: StoredState, T: Clock<M, S> + Stored> Store<M, S, T> {
    /// Plans a step in a short transaction of its own, which is over when this returns: perform the effects of
    /// [`Planned::before`], and [`commit`](Store::commit) the plan then.
    ///
    /// # Errors
    ///
    /// As [`Store::apply`].
    pub async fn plan<D: Database>(
        &self,
        database: &mut D,
        request: Request<'_, M, S, T>,
    ) -> Result<Result<Planned<M, S, T>, Outcome<M, S, T>>, Error> {
        let mut c = database.begin().await?;
        let read = self.read(&mut c, &request.key, "").await?;
        let recorded = self.recorded(&mut c, request.command.as_deref(), &request.key).await?;
        // Nothing was written. What comes next may take long: the transaction does not stay open.
        D::commit(c).await?;
        if let Some(it) = recorded {
            return Ok(Err(Outcome::Repeated(it)));
        }
        let Some((found, from, now)) = read else { return Ok(Err(Outcome::Missing)) };
        if request.fence.is_some_and(|it| it != found.version) {
            return Ok(Err(Outcome::LostRace(found)));
        }
        self.planned(found, from, now, request.step, request.command, request.actor)
    }

    /// Writes a plan whose effects of [`Planned::before`] have succeeded, if the machine is still as it was. These effects do not go
    /// into the outbox; the others do.
    ///
    /// # Errors
    ///
    /// As [`Store::apply`].
    pub async fn commit<C: Connection>(&self, c: &mut C, mut planned: Planned<M, S, T>) -> Result<Outcome<M, S, T>, Error> {
        planned.effects.retain(|it| it.phase == Phase::After);
        self.write(c, planned).await
    }
}
