//! The outbox: effects that were committed with their changes, and that workers perform.

use statespec::Duration;

use crate::row::number;
use crate::sql::Statement;
use crate::store::Stored;
use crate::{Clock, Connection, Engine, Error, Kind, Store, StoredState, Value};

/// An effect that a worker is to perform.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// The id: the same in each delivery of the same effect, so that a receiver can tell that it has it already.
    pub id: String,
    /// The key of the machine, as [`Key`](crate::Key) shows it.
    pub entity: String,
    /// The version of the machine after the change.
    pub version: i64,
    /// The place among the effects of the change.
    pub position: i64,
    /// The name of the effect.
    pub effect: String,
    /// The effect with its data, in JSON: `serde_json::from_str::<Effect<String>>(&it.payload)`.
    pub payload: String,
    /// How often it was delivered, this time included. More than once: a worker may have performed it and died before it said so.
    pub delivery: i64,
}

impl<M: Stored, S: StoredState, T: Clock<M, S> + Stored> Store<M, S, T> {
    /// Claims effects for a worker, of at most `limit` machines and the first of each: the next one of a machine is delivered after
    /// this one is acknowledged, so that each machine's effects come in order, whatever the number of workers.
    ///
    /// If the worker has not acknowledged an effect after `lease`, by the clock of the database, another one gets it.
    ///
    /// # Errors
    ///
    /// The error of the database.
    pub async fn outbox<C: Connection>(&self, c: &mut C, limit: u32, holder: &str, lease: Duration) -> Result<Vec<Delivery>, Error> {
        let (table, outbox) = (&self.table, self.table.own("outbox"));
        let (until, free) = match table.engine {
            Engine::Sqlite => (format!("{} + ", table.now()), format!("(h.until IS NULL OR h.until < {})", table.now())),
            Engine::Postgres => ("clock_timestamp() + ".to_owned(), "(h.until IS NULL OR h.until < clock_timestamp())".to_owned()),
        };
        let (kind, span): (Kind, Value) = match table.engine {
            Engine::Sqlite => (Kind::Integer, lease.as_micros().into()),
            Engine::Postgres => (Kind::Duration, format!("{} microseconds", lease.as_micros()).as_str().into()),
        };
        let skip = if table.engine == Engine::Postgres { " FOR UPDATE SKIP LOCKED" } else { "" };
        let first = format!(
            "SELECT h.id FROM {outbox} AS h WHERE {free} AND NOT EXISTS (SELECT 1 FROM {outbox} AS e WHERE e.aggregateid = h.aggregateid \
             AND (e.version, e.position) < (h.version, h.position)) ORDER BY h.at, h.aggregateid LIMIT {limit}{skip}"
        );
        let columns = ["version", "position", "payload", "deliveries"].map(|it| table.engine.text(it)).join(", ");
        // Once, whatever the planner makes of it: each time it is evaluated, it takes others.
        let update = format!("WITH first(id) AS MATERIALIZED ({first}) UPDATE {outbox} SET holder = ");
        let update = Statement::new(table.engine, update).bind(Kind::Text, holder);
        let update = update.push(&format!(", deliveries = deliveries + 1, until = {until}")).bind(kind, span);
        let update = update.push(&format!(" WHERE id IN (SELECT first.id FROM first) RETURNING id, aggregateid, type, {columns}"));
        let rows = c.query(&update.sql, &update.parameters).await?;
        let mut deliveries = rows.into_iter().map(|row| self.delivery(row)).collect::<Result<Vec<_>, _>>()?;
        deliveries.sort_by(|a, b| (&a.entity, a.version, a.position).cmp(&(&b.entity, b.version, b.position)));
        Ok(deliveries)
    }

    fn delivery(&self, row: crate::Row) -> Result<Delivery, Error> {
        let [id, entity, effect, version, position, payload, deliveries] =
            <[Option<String>; 7]>::try_from(row).map_err(|_| Error::unfit("a row of the outbox has other columns"))?;
        let number = |column: &str, value| number(&self.table, column, value);
        let text = |column: &str, value: Option<String>| {
            value.ok_or_else(|| Error::unfit(format!("column {column} of {} has no value", self.table.own("outbox"))))
        };
        Ok(Delivery {
            id: text("id", id)?,
            entity: text("aggregateid", entity)?,
            effect: text("type", effect)?,
            payload: text("payload", payload)?,
            version: number("version", version)?,
            position: number("position", position)?,
            delivery: number("deliveries", deliveries)?,
        })
    }

    /// Says that an effect was performed; it is never delivered again. `false` if its lease has ended and another worker has it, or
    /// has acknowledged it already: exactly one acknowledgement of an effect is `true`.
    ///
    /// # Errors
    ///
    /// The error of the database.
    pub async fn acknowledge<C: Connection>(&self, c: &mut C, delivery: &Delivery) -> Result<bool, Error> {
        let delete = self.held(Statement::new(self.table.engine, format!("DELETE FROM {}", self.table.own("outbox"))), delivery);
        Ok(self.run(c, &delete).await? == 1)
    }

    /// Gives an effect back that could not be performed; it is delivered again at once. `false` as for
    /// [`acknowledge`](Store::acknowledge).
    ///
    /// # Errors
    ///
    /// The error of the database.
    pub async fn release<C: Connection>(&self, c: &mut C, delivery: &Delivery) -> Result<bool, Error> {
        let update = format!("UPDATE {} SET holder = NULL, until = NULL", self.table.own("outbox"));
        let update = self.held(Statement::new(self.table.engine, update), delivery);
        Ok(self.run(c, &update).await? == 1)
    }

    /// The condition that a worker still has an effect: nobody got it after it.
    fn held(&self, statement: Statement, delivery: &Delivery) -> Statement {
        let statement = statement.push(" WHERE id = ").bind(Kind::Text, delivery.id.as_str());
        statement.push(" AND holder IS NOT NULL AND deliveries = ").bind(Kind::Integer, delivery.delivery)
    }
}
