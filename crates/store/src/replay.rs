//! The journal against the stored rows.

use std::collections::BTreeMap;

use crate::row::number;
use crate::sql::{Statement, quoted};
use crate::store::Stored;
use crate::{Clock, Connection, Error, Key, Kind, Row, Store, StoredState};

/// A place where the journal and the rows do not agree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deviation {
    /// The key.
    pub key: Key,
    /// What is wrong.
    pub what: String,
}

/// The number of entries, and of rows, that are in memory at once.
const PAGE: u32 = 1000;

/// Where the entries of a key have come to: the version and the state, which is `None` for a row that was deleted.
type End = (i64, Option<String>);

impl<M: Stored, S: StoredState, T: Clock<M, S> + Stored> Store<M, S, T> {
    /// Replays the journal: each entry begins in the state and the version in which the one before it ended, and each row has the
    /// state and the version of its last entry. The result is what does not agree; empty if everything does.
    ///
    /// Entries and rows are read in pages; of each key, its version and its state stay in memory. While others write, read in a
    /// transaction that sees one moment: on PostgreSQL, one of `REPEATABLE READ`.
    ///
    /// # Errors
    ///
    /// The error of the database; the table has no journal.
    pub async fn replay<C: Connection>(&self, c: &mut C) -> Result<Vec<Deviation>, Error> {
        self.replay_by(c, PAGE).await
    }

    /// The same with so many entries and rows in memory at once.
    #[doc(hidden)]
    pub async fn replay_by<C: Connection>(&self, c: &mut C, page: u32) -> Result<Vec<Deviation>, Error> {
        let page = page.max(1);
        if !self.table.journal {
            return Err(Error::unfit(format!("table {} has no journal", self.table.name)));
        }
        let (mut ends, mut deviations, mut read) = (BTreeMap::<Key, End>::new(), Vec::new(), 0);
        loop {
            let entries = self.entries(c, read, page).await?;
            let is_last = entries.len() < page as usize;
            for (key, entry, version, from, to) in entries {
                deviations.extend(follows(&key, ends.get(&key), version, &from, &to));
                ends.insert(key, (version, to));
                read = entry;
            }
            if is_last {
                break;
            }
        }
        self.compare(c, ends, page, &mut deviations).await?;
        Ok(deviations)
    }

    /// A page of entries after this one: the key, the number of the entry, the version, and the states.
    async fn entries<C: Connection>(
        &self,
        c: &mut C,
        after: i64,
        page: u32,
    ) -> Result<Vec<(Key, i64, i64, Option<String>, Option<String>)>, Error> {
        let table = &self.table;
        let selected = format!("{}, {}, {}, from_state, to_state", self.key_texts(), self.text("entry"), self.text("version"));
        let select = Statement::new(table.engine, format!("SELECT {selected} FROM {} AS j WHERE entry > ", table.own("journal")));
        let select = select.bind(Kind::Integer, after).push(&format!(" ORDER BY j.entry LIMIT {page}"));
        let mut all = Vec::new();
        for row in c.query(&select.sql, &select.parameters).await? {
            let (key, rest) = self.taken_apart(row)?;
            let [entry, version, from, to] = <[_; 4]>::try_from(rest).map_err(|_| Error::unfit("an entry has other columns"))?;
            all.push((key, number(table, "entry", entry)?, number(table, "version", version)?, from, to));
        }
        Ok(all)
    }

    /// Compares the rows with the ends of their entries.
    async fn compare<C: Connection>(
        &self,
        c: &mut C,
        mut ends: BTreeMap<Key, End>,
        page: u32,
        deviations: &mut Vec<Deviation>,
    ) -> Result<(), Error> {
        let (table, keys, mut compared) = (&self.table, self.table.key_columns(), None::<Key>);
        loop {
            let selected = format!("{}, {}, {}", self.key_texts(), self.text(table.version), self.text(table.state));
            let mut select = Statement::new(table.engine, format!("SELECT {selected} FROM {}", table.whole_name()));
            if let Some(key) = &compared {
                select = self.bound(select.push(&format!(" WHERE ({keys}) > (")), key).push(")");
            }
            let select = select.push(&format!(" ORDER BY {} LIMIT {page}", table.key_order()));
            let rows = c.query(&select.sql, &select.parameters).await?;
            let is_last = rows.len() < page as usize;
            for row in rows {
                let (key, rest) = self.taken_apart(row)?;
                let [version, state] = <[_; 2]>::try_from(rest).map_err(|_| Error::unfit("a row has other columns"))?;
                let version = number(table, table.version, version)?;
                let ended = ends.remove(&key);
                compared = Some(key.clone());
                if ended.as_ref() != Some(&(version, state.clone())) {
                    let state = state.unwrap_or_else(|| "NULL".to_owned());
                    let ended =
                        ended.map_or_else(|| "has no entry".to_owned(), |it| format!("ends in {} in version {}", shown(&it.1), it.0));
                    deviations.push(Deviation { key, what: format!("the row has {state} in version {version}, and the journal {ended}") });
                }
            }
            if is_last {
                break;
            }
        }
        let left = ends.into_iter().filter(|it| it.1.1.is_some());
        deviations.extend(left.map(|(key, _)| Deviation { key, what: "the journal has a row that is not there".to_owned() }));
        Ok(())
    }

    /// A column of a result as a text.
    fn text(&self, column: &str) -> String {
        self.table.engine.text(&quoted(column))
    }

    fn key_texts(&self) -> String {
        self.table.key.iter().map(|it| self.text(it.name)).collect::<Vec<_>>().join(", ")
    }

    fn bound(&self, statement: Statement, key: &Key) -> Statement {
        statement.list(", ", self.table.key.iter().zip(key.parts()), |it, (column, part)| it.bind(column.kind, part))
    }

    /// The key of a row, and the rest of it.
    fn taken_apart(&self, mut row: Row) -> Result<(Key, Row), Error> {
        let n_columns = self.table.key.len();
        if row.len() < n_columns {
            return Err(Error::unfit("a row without its key"));
        }
        let rest = row.split_off(n_columns);
        Ok((self.key(&row)?, rest))
    }
}

/// A state for a reader; a row that was deleted has none.
fn shown(state: &Option<String>) -> &str {
    state.as_deref().unwrap_or("nothing")
}

/// What is wrong if an entry does not follow on the one before it.
fn follows(key: &Key, before: Option<&End>, version: i64, from: &Option<String>, to: &Option<String>) -> Option<Deviation> {
    let follows = match (before, from, to) {
        (None, from, _) => from.is_none(),
        // A row that was deleted may be inserted again.
        (Some((_, None)), None, _) => true,
        (Some((at, state)), from, Some(_)) => state == from && version == at + 1,
        (Some((at, state)), from, None) => state == from && version == *at,
    };
    let ended = before.map_or_else(|| "nothing".to_owned(), |it| format!("{} in version {}", shown(&it.1), it.0));
    let what = || format!("an entry leads from {} to {} in version {version}, and follows on {ended}", shown(from), shown(to));
    (!follows).then(|| Deviation { key: key.clone(), what: what() })
}
