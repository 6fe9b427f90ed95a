//! The journal against the stored rows.

use statespec::State;

use crate::row::number;
use crate::sql::quoted;
use crate::store::Stored;
use crate::{Clock, Connection, Engine, Error, Key, Store};

/// A place where the journal and the rows do not agree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deviation {
    /// The key.
    pub key: Key,
    /// What is wrong.
    pub what: String,
}

impl<M: Stored, S: State, T: Clock<M, S> + Stored> Store<M, S, T> {
    /// Replays the journal: each entry begins in the state and the version in which the one before it ended, and each row has the
    /// state and the version of its last entry. The result is what does not agree; empty if everything does.
    ///
    /// # Errors
    ///
    /// The error of the database; the table has no journal.
    pub async fn replay<C: Connection>(&self, c: &mut C) -> Result<Vec<Deviation>, Error> {
        let table = &self.table;
        if !table.journal {
            return Err(Error::unfit(format!("table {} has no journal", table.name)));
        }
        let text = |it: &str| if table.engine == Engine::Postgres { format!("{it}::text") } else { it.to_owned() };
        let keys = table.key.iter().map(|it| text(&quoted(it.name))).collect::<Vec<_>>().join(", ");
        let entries = format!(
            "SELECT {keys}, {}, from_state, to_state FROM {} ORDER BY {}, entry",
            text("version"),
            table.own("journal"),
            table.key.iter().map(|it| quoted(it.name)).collect::<Vec<_>>().join(", ")
        );
        let rows = format!("SELECT {keys}, {}, {} FROM {}", text(&quoted(table.version)), text(&quoted(table.state)), table.whole_name());
        let (mut ends, mut deviations) = (std::collections::BTreeMap::<Key, (i64, Option<String>)>::new(), Vec::new());
        for row in c.query(&entries, &[]).await? {
            let (parts, rest) = row.split_at_checked(table.key.len()).ok_or_else(|| Error::unfit("a row without its key"))?;
            let key = self.key(parts)?;
            let mut rest = rest.iter().cloned();
            let mut next = || rest.next().flatten();
            let version = number(table, "version", next())?;
            let (from, to) = (next(), next());
            let before = ends.get(&key);
            let follows = match (before, &from, &to) {
                (None, from, _) => from.is_none(),
                // A row that was deleted may be inserted again.
                (Some((_, None)), None, _) => true,
                (Some((at, state)), from, Some(_)) => state == from && version == at + 1,
                (Some((at, state)), from, None) => state == from && version == *at,
            };
            if !follows {
                let shown = |it: &Option<String>| it.clone().unwrap_or_else(|| "nothing".to_owned());
                let ended = before.map_or_else(|| "nothing".to_owned(), |it| format!("{} in version {}", shown(&it.1), it.0));
                let what = format!("an entry leads from {} to {} in version {version}, and follows on {ended}", shown(&from), shown(&to));
                deviations.push(Deviation { key: key.clone(), what });
            }
            ends.insert(key, (version, to));
        }
        for row in c.query(&rows, &[]).await? {
            let (parts, rest) = row.split_at_checked(table.key.len()).ok_or_else(|| Error::unfit("a row without its key"))?;
            let key = self.key(parts)?;
            let mut rest = rest.iter().cloned();
            let mut next = || rest.next().flatten();
            let (version, state) = (number(table, table.version, next())?, next());
            let ended = ends.remove(&key);
            if ended != Some((version, state.clone())) {
                let state = state.unwrap_or_else(|| "NULL".to_owned());
                let ended = ended.map_or_else(|| "has no entry".to_owned(), |it| format!("ends in {:?} in version {}", it.1, it.0));
                deviations.push(Deviation { key, what: format!("the row has {state} in version {version}, and the journal {ended}") });
            }
        }
        let left = ends.into_iter().filter(|it| it.1.1.is_some());
        deviations.extend(left.map(|(key, _)| Deviation { key, what: "the journal has a row that is not there".to_owned() }));
        Ok(deviations)
    }
}
