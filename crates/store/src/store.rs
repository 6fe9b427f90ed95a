//! The store: load, create, apply.

use std::marker::PhantomData;

use serde::Serialize;
use serde::de::DeserializeOwned;
use statespec::Timestamp;

use crate::commands::Commands;
use crate::memory::stored;
use crate::row::{Read, Written, number, write};
use crate::sql::{Statement, quoted};
use crate::step::{Emitted, Made};
use crate::{
    Applied, Birth, Class, Clock, Column, Connection, Created, Engine, Error, Found, Key, Kind, Outcome, Part, Planned, Recorded, Request,
    Resolved, Row, Step, StoredState, Table, Value,
};

/// A store of machines `M` with the states `S` (of a machine with regions: its `Leaf`) and the timers `T` in a [`Table`].
///
/// Each operation is inside of a transaction of the caller, which commits it or rolls it back: an order and its state are one commit.
/// After an error, or an outcome that means that nothing was done, roll back, unless the rest of the transaction is to stand for itself.
#[derive(Debug)]
pub struct Store<M, S, T = ()> {
    pub(crate) table: Table,
    selection: String,
    of: PhantomData<fn(S) -> (M, T)>,
}

impl<M, S, T> Clone for Store<M, S, T> {
    fn clone(&self) -> Self {
        Store { table: self.table, selection: self.selection.clone(), of: PhantomData }
    }
}

/// What the store asks of a machine: serde reads and writes it.
pub trait Stored: Clone + Serialize + DeserializeOwned {}

impl<M: Clone + Serialize + DeserializeOwned> Stored for M {}

impl<M: Stored, S: StoredState, T: Clock<M, S> + Stored> Store<M, S, T> {
    /// A store in a table.
    ///
    /// # Errors
    ///
    /// The table is of another machine, it has no column for a field that it names, or no column for timers. With regions: it has a
    /// lease, numbers, or values of its own for states.
    pub fn new(table: Table) -> Result<Self, Error> {
        let unfit = |what: String| Err(Error::unfit(format!("table {}: {what}", table.name)));
        if table.machine != S::MACHINE {
            return unfit(format!("it is of the machine `{}`: expected `{}`", table.machine, S::MACHINE));
        }
        if table.key.is_empty() {
            return unfit("it has no key: expected a column".to_owned());
        }
        if let Some(lease) = table.lease.filter(|it| !table.columns.iter().any(|column| column.field == it.expires)) {
            return unfit(format!("the lease is in the field `{}`, which has no column", lease.expires));
        }
        if S::HAS_REGIONS {
            let what = match (table.values.first(), table.kind, table.lease) {
                (Some((name, _)), ..) => Some(format!("`values` has `{name}`")),
                (None, Kind::Integer, _) => Some("its state is a number".to_owned()),
                (None, _, Some(_)) => Some("it has a lease, which is about states of which one is active".to_owned()),
                (None, _, None) => None,
            };
            if let Some(what) = what {
                return unfit(format!("{what}, and `{}` has regions: a row has the text of its configuration", S::MACHINE));
            }
        }
        if size_of::<T>() > 0 && table.timers.is_none() {
            return unfit("its machine has timers: expected the columns `timers`".to_owned());
        }
        Ok(Store { selection: table.selection(), table, of: PhantomData })
    }

    pub(crate) fn selection(&self) -> &str {
        &self.selection
    }

    /// The table.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The machine with a key; `None` if there is none.
    ///
    /// # Errors
    ///
    /// The error of the database, or a row that is no such machine.
    pub async fn load<C: Connection>(&self, c: &mut C, key: &Key) -> Result<Option<Found<M, T>>, Error> {
        Ok(self.read(c, key, "").await?.map(|it| it.0))
    }

    /// Creates a machine. `actor` is who asks, for the journal.
    ///
    /// # Errors
    ///
    /// The error of the database; a machine that does not fit the table; an event that is kept in memory only, before anything is
    /// written.
    pub async fn create<C: Connection>(
        &self,
        c: &mut C,
        key: impl Into<Key>,
        birth: Birth<M, S, T>,
        command: Option<&str>,
        actor: Option<&str>,
    ) -> Result<Created<M, S, T>, Error> {
        let key = key.into();
        self.check::<C>(&key)?;
        birth.change.as_ref().map_or(Ok(()), |it| stored(it, birth.event))?;
        let now = self.now(c).await?;
        let timers = (birth.timers)(&birth.machine, birth.change.as_ref(), now);
        let found = Found { key, machine: birth.machine, timers, version: 1 };
        let row = write::<M, S>(&self.table, &found.machine)?;
        let said = self.say(c, birth.event, actor).await?;
        let insert = self.insert(&found, &row)?;
        let inserted = self.run(c, &insert).await?;
        self.unsay(c, said).await?;
        if inserted == 0 {
            if let Some(recorded) = self.recorded(c, command, &found.key).await? {
                return Ok(Created::Repeated(recorded));
            }
            let exists = self.load(c, &found.key).await?;
            return exists.map(Created::Exists).ok_or_else(|| {
                Error::new(Class::Retryable, format!("{} `{}` was in the way, and is gone", self.table.machine, found.key))
            });
        }
        self.emit(c, &found.key, 1, &birth.effects).await?;
        if let Some(command) = command {
            Commands(&self.table).record(c, command, &found.key.to_string(), 1, None, &row.state).await?;
        }
        Ok(Created::Created(Applied { found, change: birth.change, n_effects: birth.effects.len() }))
    }

    /// Takes a step of a machine.
    ///
    /// The row is locked before it is read, as far as the engine has locks, so that requests for one machine wait for each other.
    ///
    /// # Errors
    ///
    /// The error of the database; a write that the guard refuses; a row that is no such machine; a change that is kept in memory only
    /// (`commit: memory_only`), before anything is written: see [`Request::ahead`].
    pub async fn apply<C: Connection>(&self, c: &mut C, request: Request<'_, M, S, T>) -> Result<Outcome<M, S, T>, Error> {
        let Some((found, state, now)) = self.read(c, &request.key, self.table.locked(false)).await? else {
            return Ok(match self.recorded(c, request.command.as_deref(), &request.key).await? {
                Some(recorded) => Outcome::Repeated(recorded),
                None => Outcome::Missing,
            });
        };
        // After the lock: a transaction that was in the way has ended, so that its command is known.
        if let Some(recorded) = self.recorded(c, request.command.as_deref(), &request.key).await? {
            return Ok(Outcome::Repeated(recorded));
        }
        if request.fence.is_some_and(|it| it != found.version) {
            return Ok(Outcome::LostRace(found));
        }
        match self.planned(found, state, now, request.step, request.command, request.actor)? {
            Ok(planned) if planned.before().next().is_some() => Ok(Outcome::Before(Box::new(planned))),
            Ok(planned) => self.write(c, planned).await,
            Err(outcome) => Ok(outcome),
        }
    }

    /// The step on a copy of the machine.
    #[expect(clippy::type_complexity, reason = "a plan, or what else a request came to")]
    pub(crate) fn planned(
        &self,
        found: Found<M, T>,
        from: String,
        now: Timestamp,
        step: Step<'_, M, S, T>,
        command: Option<String>,
        actor: Option<String>,
    ) -> Result<Result<Planned<M, S, T>, Outcome<M, S, T>>, Error> {
        let (mut machine, mut timers) = (found.machine.clone(), found.timers.clone());
        let Some(made) = (step.0)(&mut machine, &mut timers, now)? else { return Ok(Err(Outcome::Nothing)) };
        let Made { result, ends_timer, event, actor: by, effects } = made;
        let change = match result {
            Ok(change) => {
                stored(&change, event)?;
                Some(change)
            }
            Err(_) if ends_timer => None,
            Err(refused) => return Ok(Err(Outcome::Refused(refused))),
        };
        let next = Found { key: found.key, machine, timers, version: found.version + 1 };
        let actor = actor.or_else(|| by.map(str::to_owned));
        Ok(Ok(Planned { next, from, change, event, actor, command, effects }))
    }

    /// Compares and sets, and writes what belongs to it.
    pub(crate) async fn write<C: Connection>(&self, c: &mut C, planned: Planned<M, S, T>) -> Result<Outcome<M, S, T>, Error> {
        let Planned { next, from, change, event, actor, command, effects } = planned;
        let row = write::<M, S>(&self.table, &next.machine)?;
        let said = self.say(c, event, actor.as_deref()).await?;
        let update = self.update(&next, &row)?;
        let updated = self.run(c, &update).await?;
        self.unsay(c, said).await?;
        if updated == 0 {
            if let Some(recorded) = self.recorded(c, command.as_deref(), &next.key).await? {
                return Ok(Outcome::Repeated(recorded));
            }
            return Ok(self.load(c, &next.key).await?.map_or(Outcome::Missing, Outcome::LostRace));
        }
        self.emit(c, &next.key, next.version, &effects).await?;
        if let Some(command) = &command {
            Commands(&self.table).record(c, command, &next.key.to_string(), next.version, Some(&from), &row.state).await?;
        }
        Ok(Outcome::Applied(Applied { found: next, change, n_effects: effects.len() }))
    }

    /// A machine, its stored state and the time of the database.
    pub(crate) async fn read<C: Connection>(
        &self,
        c: &mut C,
        key: &Key,
        lock: &str,
    ) -> Result<Option<(Found<M, T>, String, Timestamp)>, Error> {
        self.check::<C>(key)?;
        let select = Statement::new(self.table.engine, format!("{} WHERE ", self.selection));
        let select = self.table.where_key(select, key.parts()).push(lock);
        let rows = c.query(&select.sql, &select.parameters).await?;
        let Some(row) = rows.into_iter().next() else { return Ok(None) };
        self.found(row, Some(key.clone())).map(Some)
    }

    /// The machines that a statement selects, with their stored states and the time.
    pub(crate) async fn list<C: Connection>(&self, c: &mut C, select: &Statement) -> Result<Vec<(Found<M, T>, String, Timestamp)>, Error> {
        let rows = c.query(&select.sql, &select.parameters).await?;
        rows.into_iter().map(|row| self.found(row, None)).collect()
    }

    fn found(&self, row: Row, key: Option<Key>) -> Result<(Found<M, T>, String, Timestamp), Error> {
        let read = Read::of(&self.table, row)?;
        let timers = match &read.timers {
            Some(text) => serde_json::from_str(text)?,
            None => T::default(),
        };
        let key = match key {
            Some(key) => key,
            None => self.key(&read.parts)?,
        };
        Ok((Found { key, machine: read.machine::<M, S>(&self.table)?, timers, version: read.version }, read.state, read.now))
    }

    /// The key with these values, in the order of its columns.
    pub(crate) fn key(&self, parts: &[Option<String>]) -> Result<Key, Error> {
        let part = |(column, value): (&Column, &Option<String>)| match (column.kind, value) {
            (Kind::Integer, _) => number(&self.table, column.name, value.clone()).map(Part::Integer),
            (_, Some(text)) => Ok(Part::Text(text.clone())),
            (_, None) => Err(Error::unfit(format!("column {} of the key of {} has no value", column.name, self.table.name))),
        };
        let parts: Vec<Part> = self.table.key.iter().zip(parts).map(part).collect::<Result<_, _>>()?;
        Ok(Key::from(parts))
    }

    fn check<C: Connection>(&self, key: &Key) -> Result<(), Error> {
        if C::ENGINE != self.table.engine {
            return Err(Error::unfit(format!(
                "table {} is one of {:?}, and the connection is one to {:?}",
                self.table.name,
                self.table.engine,
                C::ENGINE
            )));
        }
        if key.parts().len() != self.table.key.len() {
            let (given, expected) = (key.parts().len(), self.table.key.len());
            return Err(Error::unfit(format!("the key `{key}` has {given} values, and that of table {} has {expected}", self.table.name)));
        }
        Ok(())
    }

    pub(crate) async fn now<C: Connection>(&self, c: &mut C) -> Result<Timestamp, Error> {
        let rows = c.query(&format!("SELECT {}", self.table.engine.text(&self.table.now())), &[]).await?;
        let first = rows.into_iter().next().and_then(|it| it.into_iter().next()).flatten();
        number(&self.table, "now", first).map(Timestamp::from_micros)
    }

    pub(crate) async fn run<C: Connection>(&self, c: &mut C, statement: &Statement) -> Result<u64, Error> {
        c.execute(&statement.sql, &statement.parameters).await
    }

    /// Says to the journal what follows.
    async fn say<C: Connection>(&self, c: &mut C, event: Option<&str>, actor: Option<&str>) -> Result<bool, Error> {
        if !self.table.journal {
            return Ok(false);
        }
        let sql = match self.table.engine {
            Engine::Sqlite => "INSERT INTO statespec_statement VALUES (1, ?1, ?2)",
            Engine::Postgres => {
                "SELECT set_config('statespec.event', COALESCE($1::text, ''), true), set_config('statespec.actor', COALESCE($2::text, ''), true)"
            }
        };
        match self.table.engine {
            Engine::Sqlite => _ = c.execute(sql, &[event.into(), actor.into()]).await?,
            Engine::Postgres => _ = c.query(sql, &[event.into(), actor.into()]).await?,
        }
        Ok(true)
    }

    /// What was said was about one write: others of the transaction are not the store's.
    async fn unsay<C: Connection>(&self, c: &mut C, said: bool) -> Result<(), Error> {
        if said && self.table.engine == Engine::Sqlite {
            c.execute("DELETE FROM statespec_statement", &[]).await?;
        }
        Ok(())
    }

    fn update(&self, next: &Found<M, T>, row: &Written) -> Result<Statement, Error> {
        let table = &self.table;
        let set = format!("UPDATE {} SET {} = {}", table.whole_name(), quoted(table.state), table.state_literal(&row.state));
        let mut update = Statement::new(table.engine, set).push(&format!(", {0} = {0} + 1", quoted(table.version)));
        for (column, kind, value) in self.others(next, row)? {
            update = update.push(&format!(", {} = ", quoted(column))).bind(kind, value);
        }
        let update = table.where_key(update.push(" WHERE "), next.key.parts()).push(&format!(" AND {} = ", quoted(table.version)));
        Ok(update.bind(Kind::Integer, next.version - 1))
    }

    fn insert(&self, found: &Found<M, T>, row: &Written) -> Result<Statement, Error> {
        let table = &self.table;
        let others = self.others(found, row)?;
        let keys = table.key.iter().map(|it| it.name);
        let names: Vec<String> = keys.chain([table.state, table.version]).chain(others.iter().map(|it| it.0)).map(quoted).collect();
        let insert = Statement::new(table.engine, format!("INSERT INTO {} ({}) VALUES (", table.whole_name(), names.join(", ")));
        let insert = insert.list(", ", table.key.iter().zip(found.key.parts()), |it, (column, part)| it.bind(column.kind, part));
        let insert = insert.push(&format!(", {}, 1", table.state_literal(&row.state)));
        let insert = others.into_iter().fold(insert, |it, (_, kind, value)| it.push(", ").bind(kind, value));
        // Of the key alone: another unique key that is in the way is an error.
        Ok(insert.push(&format!(") ON CONFLICT ({}) DO NOTHING", table.key_columns())))
    }

    /// The columns of fields, of the rest and of timers, with their values.
    fn others(&self, found: &Found<M, T>, row: &Written) -> Result<Vec<(&'static str, Kind, Value)>, Error> {
        let table = &self.table;
        let mut others: Vec<(&'static str, Kind, Value)> =
            table.columns.iter().zip(&row.columns).map(|(column, value)| (column.name, column.kind, value.clone())).collect();
        if let Some(name) = table.rest {
            others.push((name, Kind::Json, row.rest.as_deref().into()));
        }
        if let Some(columns) = table.timers {
            let due = found.timers.next_due(&found.machine);
            others.push((columns.started, Kind::Json, serde_json::to_string(&found.timers)?.as_str().into()));
            others.push(match table.engine {
                Engine::Sqlite => (columns.next_due, Kind::Integer, due.map(Timestamp::as_micros).into()),
                Engine::Postgres => (columns.next_due, Kind::Timestamp, due.map(|it| it.to_string()).as_deref().into()),
            });
        }
        Ok(others)
    }

    /// Effects go into the outbox.
    async fn emit<C: Connection>(&self, c: &mut C, key: &Key, version: i64, effects: &[Emitted]) -> Result<(), Error> {
        if effects.is_empty() {
            return Ok(());
        }
        let (table, entity) = (&self.table, key.to_string());
        let columns = "id, aggregatetype, aggregateid, type, payload, version, position";
        let insert = Statement::new(table.engine, format!("INSERT INTO {} ({columns}) VALUES ", table.own("outbox")));
        let insert = insert.list(", ", effects.iter().enumerate(), |it, (position, effect)| {
            let it = it.push("(").bind(Kind::Text, format!("{entity}:{version}:{position}").as_str()).push(", ");
            let it = it.bind(Kind::Text, table.machine).push(", ").bind(Kind::Text, entity.as_str()).push(", ");
            let it = it.bind(Kind::Text, effect.effect.as_str()).push(", ").bind(Kind::Json, effect.payload.as_str()).push(", ");
            it.bind(Kind::Integer, version).push(", ").bind(Kind::Integer, position as i64).push(")")
        });
        self.run(c, &insert).await.map(drop)
    }

    /// The command, if it was done.
    pub(crate) async fn recorded<C: Connection>(&self, c: &mut C, command: Option<&str>, key: &Key) -> Result<Option<Recorded>, Error> {
        let Some(command) = command else { return Ok(None) };
        match Commands(&self.table).known(c, command).await? {
            Some(Resolved::Done(it)) if it.entity == key.to_string() => Ok(Some(it)),
            Some(_) => Err(Error::taken(command)),
            None => Ok(None),
        }
    }
}
