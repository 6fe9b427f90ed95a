//! The machines of one part of a system, in memory for one transaction.

use std::collections::BTreeMap;
use std::future::Future;

use serde::Serialize;
use statespec::Phase;

use crate::sql::{Statement, quoted};
use crate::store::Stored;
use crate::{
    Applied, Birth, Class, Column, Connection, Created, Emitted, Error, Found, Key, Outcome, Part, Planned, Store, StoredState, emitted,
};

/// The key of a machine as a unit of work has it.
pub trait Id: Copy + Ord {
    /// The key of the row.
    fn key(self) -> Key;

    /// The id of a row; `None` if the key is of another kind.
    fn of(key: &Key) -> Option<Self>;
}

impl Id for i64 {
    fn key(self) -> Key {
        Key::from(self)
    }

    fn of(key: &Key) -> Option<Self> {
        match key.parts() {
            [Part::Integer(it)] => Some(*it),
            _ => None,
        }
    }
}

/// What a transaction asked for that is not in memory.
#[derive(Debug, Clone, Copy)]
enum Wanted<K> {
    One(K),
    All,
}

/// The machines of one part of a system: what a transaction loads and saves, and the effects that it has.
///
/// A shelf is empty at first. What a transaction asks for and is not there is loaded by [`Transact::run`](crate::Transact::run), which
/// lets the transaction begin again.
#[derive(Debug)]
pub struct Shelf<M, S, K = i64> {
    store: Store<M, S>,
    /// The column that says to which owner a machine belongs, and the owner.
    owner: Option<(Column, Part)>,
    /// What the database has, with the stored states. `None` is a key without a row.
    rows: BTreeMap<K, Option<(Found<M>, String)>>,
    has_all: bool,
    wanted: Option<Wanted<K>>,
    /// In the order in which they were saved.
    saved: Vec<(K, M)>,
    effects: Vec<(K, Emitted)>,
    /// The events that changed machines.
    events: Vec<&'static str>,
    is_committed: bool,
}

impl<M: Stored, S: StoredState, K: Id> Shelf<M, S, K> {
    /// The shelf of a part.
    ///
    /// # Errors
    ///
    /// The table has columns of timers: a part with timers is not run in a system.
    pub fn new(store: Store<M, S>) -> Result<Self, Error> {
        if store.table.timers.is_some() {
            return Err(Error::unfit(format!("table {} has timers: a part with timers is not run in a system", store.table.name)));
        }
        Ok(Shelf {
            store,
            owner: None,
            rows: BTreeMap::new(),
            has_all: false,
            wanted: None,
            saved: Vec::new(),
            effects: Vec::new(),
            events: Vec::new(),
            is_committed: false,
        })
    }

    /// The shelf of a part whose machines belong to an owner, by a field with a column: [`next`](Shelf::next) gives those of this
    /// owner, and no others.
    ///
    /// # Errors
    ///
    /// As [`Shelf::new`]; the field has no column.
    pub fn of(store: Store<M, S>, field: &str, owner: impl Into<Part>) -> Result<Self, Error> {
        let column = store.table.columns.iter().find(|it| it.field == field).copied();
        let column = column.ok_or_else(|| Error::unfit(format!("field `{field}` has no column in table {}", store.table.name)))?;
        Ok(Shelf { owner: Some((column, owner.into())), ..Shelf::new(store)? })
    }

    /// The machine with this key, as it was saved last.
    ///
    /// # Errors
    ///
    /// It is not in memory: the transaction begins again when it is.
    pub fn load(&mut self, key: K) -> Result<Option<M>, Error> {
        if let Some((_, machine)) = self.saved.iter().find(|it| it.0 == key) {
            return Ok(Some(machine.clone()));
        }
        match self.rows.get(&key) {
            Some(row) => Ok(row.as_ref().map(|it| it.0.machine.clone())),
            None => Err(self.want(Wanted::One(key))),
        }
    }

    /// The machine with the next key after this one, or the first one.
    ///
    /// # Errors
    ///
    /// The machines are not in memory: the transaction begins again when they are.
    pub fn next(&mut self, after: Option<K>) -> Result<Option<(K, M)>, Error> {
        if !self.has_all {
            return Err(self.want(Wanted::All));
        }
        let is_later = |key: &K| after.is_none_or(|it| it < *key);
        let saved = self.saved.iter().map(|it| it.0).filter(is_later).min();
        let loaded = self.rows.iter().find(|(key, row)| is_later(key) && row.is_some()).map(|it| *it.0);
        let Some(key) = saved.into_iter().chain(loaded).min() else { return Ok(None) };
        Ok(self.load(key)?.map(|machine| (key, machine)))
    }

    /// Takes a machine after its change.
    ///
    /// # Errors
    ///
    /// None; it has the form of the methods of a unit of work.
    pub fn save(&mut self, key: K, after: &M) -> Result<(), Error> {
        match self.saved.iter_mut().find(|it| it.0 == key) {
            Some(it) => it.1 = after.clone(),
            None => self.saved.push((key, after.clone())),
        }
        Ok(())
    }

    /// Takes an effect of a machine: into the outbox, or among those that must succeed first.
    ///
    /// # Errors
    ///
    /// serde does not write it.
    pub fn perform(&mut self, key: K, effect: impl Serialize) -> Result<(), Error> {
        let phase = if self.is_committed { Phase::After } else { Phase::Before };
        self.effects.extend(emitted([(phase, effect)])?.into_iter().map(|it| (key, it)));
        Ok(())
    }

    fn want(&mut self, wanted: Wanted<K>) -> Error {
        self.wanted = Some(wanted);
        Error::unfit(format!("a {} is not in memory: run the transaction with `Transact::run`", self.store.table.machine))
    }

    /// The event of each change, if every saved machine had the same one and no other.
    fn event(&self) -> Option<&'static str> {
        let first = *self.events.first()?;
        (self.events.len() == self.saved.len() && self.events.iter().all(|it| *it == first)).then_some(first)
    }
}

/// The shelves of a system: one, or a tuple of them, at most six.
pub trait Shelves {
    /// The key of a machine.
    type Id: Id;

    /// Forgets what the transaction has saved.
    #[doc(hidden)]
    fn forget(&mut self);

    /// Effects that come from here on are those after the change.
    #[doc(hidden)]
    fn committed(&mut self);

    /// Notes the event of a change.
    #[doc(hidden)]
    fn changed(&mut self, machine: &str, event: &'static str);

    /// The effects that must succeed first.
    #[doc(hidden)]
    fn before(&self) -> Vec<Emitted>;

    /// Loads and locks what the transaction asked for; whether it asked for anything.
    #[doc(hidden)]
    fn fetch<C: Connection>(&mut self, c: &mut C) -> impl Future<Output = Result<bool, Error>>;

    /// Writes what was saved; the number of machines and of effects.
    #[doc(hidden)]
    fn write<C: Connection>(&mut self, c: &mut C, actor: Option<&str>) -> impl Future<Output = Result<(usize, usize), Error>>;
}

impl<M: Stored, S: StoredState, K: Id> Shelves for Shelf<M, S, K> {
    type Id = K;

    fn forget(&mut self) {
        self.saved.clear();
        self.effects.clear();
        self.events.clear();
        self.is_committed = false;
    }

    fn committed(&mut self) {
        self.is_committed = true;
    }

    fn changed(&mut self, machine: &str, event: &'static str) {
        if machine == S::MACHINE {
            self.events.push(event);
        }
    }

    fn before(&self) -> Vec<Emitted> {
        self.effects.iter().map(|it| &it.1).filter(|it| it.phase == Phase::Before).cloned().collect()
    }

    async fn fetch<C: Connection>(&mut self, c: &mut C) -> Result<bool, Error> {
        let (store, lock) = (&self.store, self.store.table.locked(false));
        match self.wanted.take() {
            None => return Ok(false),
            Some(Wanted::One(key)) => {
                let read = store.read(c, &key.key(), lock).await?;
                self.rows.insert(key, read.map(|(found, state, _)| (found, state)));
            }
            Some(Wanted::All) => {
                let mut select = Statement::new(store.table.engine, store.selection());
                if let Some((column, owner)) = &self.owner {
                    select = select.push(&format!(" WHERE {} = ", quoted(column.name))).bind(column.kind, owner);
                }
                let select = select.push(&format!(" ORDER BY {}{lock}", store.table.key_order()));
                for (found, state, _) in store.list(c, &select).await? {
                    let id = K::of(&found.key);
                    let key = id.ok_or_else(|| Error::unfit(format!("the key `{}` is no key of the unit of work", found.key)))?;
                    self.rows.entry(key).or_insert(Some((found, state)));
                }
                self.has_all = true;
            }
        }
        Ok(true)
    }

    async fn write<C: Connection>(&mut self, c: &mut C, actor: Option<&str>) -> Result<(usize, usize), Error> {
        let (event, mut n_effects) = (self.event(), 0);
        let faster = || Error::new(Class::Retryable, format!("another transaction changed a {}", S::MACHINE));
        for (key, machine) in &self.saved {
            let effects = self.effects.iter().filter(|it| it.0 == *key && it.1.phase == Phase::After);
            let effects: Vec<Emitted> = effects.map(|it| it.1.clone()).collect();
            let (id, machine) = (key.key(), machine.clone());
            let applied: Option<Applied<M, S>> = match self.rows.get(key).cloned().flatten() {
                Some((found, from)) => {
                    let next = Found { key: id, machine, timers: (), version: found.version + 1 };
                    let actor = actor.map(str::to_owned);
                    let planned = Planned { next, from, change: None, event, actor, command: None, effects };
                    match self.store.write(c, planned).await? {
                        Outcome::Applied(it) => Some(it),
                        _ => None,
                    }
                }
                None => {
                    let birth = Birth { event, effects, ..Birth::new(machine) };
                    match self.store.create(c, id, birth, None, actor).await? {
                        Created::Created(it) => Some(it),
                        _ => None,
                    }
                }
            };
            n_effects += applied.ok_or_else(faster)?.n_effects;
        }
        Ok((self.saved.len(), n_effects))
    }
}

macro_rules! tuples {
    ($($first:ident $(, $rest:ident)*;)*) => {$(
        #[allow(non_snake_case, reason = "a variable for each type")]
        impl<$first: Shelves $(, $rest: Shelves<Id = $first::Id>)*> Shelves for ($first, $($rest),*) {
            type Id = $first::Id;

            fn forget(&mut self) {
                let ($first, $($rest),*) = self;
                $first.forget();
                $($rest.forget();)*
            }

            fn committed(&mut self) {
                let ($first, $($rest),*) = self;
                $first.committed();
                $($rest.committed();)*
            }

            fn changed(&mut self, machine: &str, event: &'static str) {
                let ($first, $($rest),*) = self;
                $first.changed(machine, event);
                $($rest.changed(machine, event);)*
            }

            fn before(&self) -> Vec<Emitted> {
                let ($first, $($rest),*) = self;
                let mut all = $first.before();
                $(all.extend($rest.before());)*
                all
            }

            async fn fetch<Conn: Connection>(&mut self, c: &mut Conn) -> Result<bool, Error> {
                let ($first, $($rest),*) = self;
                let mut any = $first.fetch(c).await?;
                $(any |= $rest.fetch(c).await?;)*
                Ok(any)
            }

            async fn write<Conn: Connection>(&mut self, c: &mut Conn, actor: Option<&str>) -> Result<(usize, usize), Error> {
                let ($first, $($rest),*) = self;
                let mut all = $first.write(c, actor).await?;
                $(
                    let (n_machines, n_effects) = $rest.write(c, actor).await?;
                    all = (all.0 + n_machines, all.1 + n_effects);
                )*
                Ok(all)
            }
        }
    )*};
}

tuples! {
    A, B;
    A, B, C;
    A, B, C, D;
    A, B, C, D, E;
    A, B, C, D, E, F;
}
