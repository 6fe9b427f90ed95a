//! The table of the commands that were done.

use crate::row::number;
use crate::sql::Statement;
use crate::{Connection, Error, Kind, Recorded, Resolved, Table};

/// The commands that were done, in their table.
pub(crate) struct Commands<'a>(pub(crate) &'a Table);

impl Commands<'_> {
    /// Notes that a command was done.
    pub(crate) async fn record<C: Connection>(
        &self,
        c: &mut C,
        command: &str,
        entity: &str,
        version: i64,
        from: Option<&str>,
        to: &str,
    ) -> Result<(), Error> {
        let insert = format!("INSERT INTO {} (command, entity, version, from_state, to_state) VALUES (", self.0.own("commands"));
        let insert = Statement::new(self.0.engine, insert).bind(Kind::Text, command).push(", ");
        let insert = insert.bind(Kind::Text, entity).push(", ").bind(Kind::Integer, version).push(", ");
        let insert = insert.bind(Kind::Text, from).push(", ").bind(Kind::Text, to).push(") ON CONFLICT DO NOTHING");
        match c.execute(&insert.sql, &insert.parameters).await? {
            0 => Err(Error::taken(command)),
            _ => Ok(()),
        }
    }

    /// What is known of a command; `None` if nothing is.
    pub(crate) async fn known<C: Connection>(&self, c: &mut C, command: &str) -> Result<Option<Resolved>, Error> {
        let version = self.0.engine.text("version");
        let select = format!("SELECT entity, {version}, from_state, to_state FROM {} WHERE command = ", self.0.own("commands"));
        let select = Statement::new(self.0.engine, select).bind(Kind::Text, command);
        let Some(row) = c.query(&select.sql, &select.parameters).await?.into_iter().next() else { return Ok(None) };
        let [entity, version, from, to] =
            <[Option<String>; 4]>::try_from(row).map_err(|_| Error::unfit("a row of the commands has other columns"))?;
        let (Some(entity), Some(to)) = (entity, to) else { return Ok(Some(Resolved::Never)) };
        Ok(Some(Resolved::Done(Recorded { entity, version: number(self.0, "version", version)?, from, to })))
    }
}
