//! Commands, and whole attempts: what is known after a connection was lost.

use crate::commands::Commands;
use crate::sql::Statement;
use crate::store::Stored;
use crate::{Class, Clock, Connection, Database, Error, Kind, Outcome, Request, Resolved, Store, StoredState};

/// How often an attempt is made.
const ATTEMPTS: usize = 5;

impl<M: Stored, S: StoredState, T: Clock<M, S> + Stored> Store<M, S, T> {
    /// What became of a command after a commit whose outcome is unknown. If it was not done, it never will be: a transaction that
    /// still waits somewhere is refused, and the command can be given again under another id.
    ///
    /// # Errors
    ///
    /// The error of the database.
    pub async fn resolve<C: Connection>(&self, c: &mut C, command: &str) -> Result<Resolved, Error> {
        // This waits for a transaction that has noted the command and not ended.
        let insert = Statement::new(self.table.engine, format!("INSERT INTO {} (command) VALUES (", self.table.own("commands")));
        let insert = insert.bind(Kind::Text, command).push(") ON CONFLICT DO NOTHING");
        match self.run(c, &insert).await? {
            0 => Ok(Commands(&self.table).known(c, command).await?.unwrap_or(Resolved::Never)),
            _ => Ok(Resolved::Never),
        }
    }

    /// A whole attempt: begins, applies and commits; again after a failure that can be tried again, and on a new connection after a
    /// lost one, at most five times. `request` must give the same request each time, with a command.
    ///
    /// An attempt after an unknown outcome asks for the same command, so that the result is [`Outcome::Repeated`] if the first one
    /// was stored, and the machine moves once.
    ///
    /// # Errors
    ///
    /// A request without a command; as [`Store::apply`]; the error of the last attempt, which is of [`Class::Unknown`] if its outcome
    /// is: then [`Store::resolve`] tells.
    pub async fn attempt<'s, D: Database>(
        &self,
        mut connect: impl AsyncFnMut() -> Result<D, Error>,
        mut request: impl FnMut() -> Request<'s, M, S, T>,
    ) -> Result<Outcome<M, S, T>, Error> {
        let (mut database, mut unknown, mut last): (Option<D>, Option<Error>, Option<Error>) = (None, None, None);
        for _ in 0..ATTEMPTS {
            let request = request();
            if request.command.is_none() {
                return Err(Error::unfit("an attempt that may be made again needs a command"));
            }
            let current = match &mut database {
                Some(it) => it,
                None => match connect().await {
                    Ok(new) => database.insert(new),
                    Err(error) if error.class() == Class::Lost => {
                        last = Some(error);
                        continue;
                    }
                    Err(error) => return Err(unknown.unwrap_or(error)),
                },
            };
            match self.once(current, request).await {
                Ok(outcome) => return Ok(outcome),
                Err(error) => match error.class() {
                    Class::Retryable => last = Some(error),
                    Class::Lost => {
                        database = None;
                        last = Some(error);
                    }
                    Class::Unknown => {
                        database = None;
                        unknown = Some(error);
                    }
                    _ => return Err(unknown.unwrap_or(error)),
                },
            }
        }
        Err(unknown.or(last).unwrap_or_else(|| Error::new(Class::Other, "no attempt was made")))
    }

    /// One transaction.
    async fn once<D: Database>(&self, database: &mut D, request: Request<'_, M, S, T>) -> Result<Outcome<M, S, T>, Error> {
        let mut c = database.begin().await?;
        let outcome = self.apply(&mut c, request).await?;
        if matches!(outcome, Outcome::Applied(_)) {
            D::commit(c).await.map_err(Error::of_commit)?;
        }
        Ok(outcome)
    }
}
