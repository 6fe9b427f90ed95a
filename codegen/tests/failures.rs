//! Every combination of failures around a change, in all commit orders, with both kinds of hosts and in a transaction: the
//! table of the semantics.
//!
//! `UPDATE_SEMANTICS=1 cargo test -p statespec-codegen --test rust failures` writes the table into the page.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use statespec::{Attempt, Commit, Failure, RunError, Transacted, Unit};

use super::emitted::failing::{AsyncHost, Change, Effect, Event, Failing, Host, State};
use super::emitted::failures;

/// A host and a store whose actions fail on request; it notes what succeeds.
#[derive(Debug, Clone, Default, PartialEq)]
struct World {
    fails: [bool; 3],
    done: Vec<&'static str>,
    /// The machine as it is, and as it will be when the transaction commits.
    machines: [Failing; 2],
    /// For each attempt that was observed, whether anything moved, and the kind of error.
    seen: Vec<(bool, Option<&'static str>)>,
}

impl World {
    fn act(&mut self, idx: usize, what: &'static str) -> Result<(), &'static str> {
        if self.fails[idx] {
            return Err(what);
        }
        self.done.push(what);
        Ok(())
    }
}

impl Host for World {
    type Error = &'static str;

    fn store(&mut self, _: &Failing, _: &Change) -> Result<(), Self::Error> {
        self.act(1, "store")
    }

    fn prepare(&mut self) -> Result<(), Self::Error> {
        self.act(0, "before")
    }

    fn tell(&mut self) -> Result<(), Self::Error> {
        self.act(2, "effect")
    }
}

impl AsyncHost for World {
    type Error = &'static str;

    async fn store(&mut self, next: &Failing, change: &Change) -> Result<(), Self::Error> {
        Host::store(self, next, change)
    }

    async fn prepare(&mut self) -> Result<(), Self::Error> {
        Host::prepare(self)
    }

    async fn tell(&mut self) -> Result<(), Self::Error> {
        Host::tell(self)
    }
}

impl Unit for World {
    type Key = u64;
    type Error = &'static str;

    fn begin(&mut self) -> Result<(), Self::Error> {
        self.rollback();
        Ok(())
    }

    fn commit(&mut self, order: Commit) -> Result<(), Self::Error> {
        let stored = if order == Commit::MemoryOnly { Ok(()) } else { self.act(1, "store") };
        if stored.is_ok() || order != Commit::PersistFirst {
            self.machines[0] = self.machines[1].clone();
        }
        stored
    }

    fn rollback(&mut self) {
        self.machines[1] = self.machines[0].clone();
    }

    fn observe<S: statespec::State>(&mut self, attempt: &Attempt<'_, S>) {
        self.seen.push((attempt.moved(), attempt.error_type()));
    }

    fn observe_transaction(&mut self, attempt: &Transacted<'_>) {
        self.seen.push((attempt.moved(), attempt.error_type()));
    }
}

impl failures::UnitOfWork for World {
    fn load_failing(&mut self) -> Result<Option<Failing>, Self::Error> {
        Ok(Some(self.machines[1].clone()))
    }

    fn save_failing(&mut self, _: Option<&Failing>, after: &Failing) -> Result<(), Self::Error> {
        self.machines[1] = after.clone();
        Ok(())
    }

    fn perform_failing(&mut self, effect: Effect) -> Result<(), Self::Error> {
        effect.perform(self)
    }
}

/// The result of a future that never waits.
pub(crate) fn now<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(result) => result,
        Poll::Pending => panic!("nothing waits here"),
    }
}

/// What happened: the error, and whether the machine moved.
type Outcome = (&'static str, bool);

fn of_run(result: Result<Change, RunError<State, &'static str>>) -> Outcome {
    let error = match &result {
        Ok(_) => "",
        Err(RunError::Before { .. }) => "`Before`",
        Err(RunError::Store { moved: false, .. }) => "`Store`, not `moved`",
        Err(RunError::Store { moved: true, .. }) => "`Store`, `moved`",
        Err(RunError::After { store: None, .. }) => "`After`",
        Err(RunError::After { store: Some(_), .. }) => "`After`, with the failure of the store",
        Err(other) => panic!("{other:?}"),
    };
    (error, result.as_ref().map_or_else(RunError::moved, |_| true))
}

fn of_transaction(result: Result<(), failures::Failure<&'static str>>) -> Outcome {
    let error = match &result {
        Ok(()) => "",
        Err(Failure::Before { .. }) => "`Before`",
        Err(Failure::Store { moved: false, .. }) => "`Store`, not `moved`",
        Err(Failure::Store { moved: true, .. }) => "`Store`, `moved`",
        Err(Failure::After { store: None, .. }) => "`After`",
        Err(Failure::After { store: Some(_), .. }) => "`After`, with the failure of the store",
        Err(other) => panic!("{other:?}"),
    };
    (error, result.as_ref().map_or_else(Failure::moved, |()| true))
}

type Transact = fn(&mut World) -> Result<(), failures::Failure<&'static str>>;

/// The rows of the table: what fails, what then has happened, and the error that tells so.
fn table() -> String {
    let mut table = String::from(
        "| Commit order | Fails | Done | The machine | Error |\n\
         | --- | --- | --- | --- | --- |\n",
    );
    let orders: [(Event, Transact, &str); 3] = [
        (Event::StoreFirst, failures::store_first, "`persist_first`"),
        (Event::MoveFirst, failures::move_first, "`memory_first`"),
        (Event::MoveOnly, failures::move_only, "`memory_only`"),
    ];
    for (event, transact, order) in orders {
        for number in 0..8 {
            let fails = [number & 4 != 0, number & 2 != 0, number & 1 != 0];
            let new = || World { fails, ..World::default() };

            let (mut machine, mut world) = (Failing::new(), new());
            let (error, moved) = of_run(machine.run(event, &mut world));
            assert_eq!(machine.state() == State::Shut, moved, "the error knows whether the machine moved");

            let (mut awaited, mut awaited_world) = (Failing::new(), new());
            assert_eq!(of_run(now(awaited.run_async(event, &mut awaited_world))), (error, moved), "both hosts do the same");
            assert_eq!((awaited.state(), &awaited_world), (machine.state(), &world));

            let mut unit = new();
            assert_eq!(of_transaction(transact(&mut unit)), (error, moved), "a transaction does the same");
            assert_eq!((unit.machines[0].state(), &unit.done), (machine.state(), &world.done));
            // What moved is seen, and then the transaction; both tell the same failure.
            let kind = unit.seen.last().copied();
            assert_eq!(unit.seen, kind.map_or(vec![], |it| vec![it; if moved { 2 } else { 1 }]), "{order} {fails:?}");
            assert_eq!(kind.map(|(moved, error)| (moved, error.is_some())), Some((moved, !error.is_empty())));

            let list = |names: Vec<&str>| if names.is_empty() { "nothing".to_owned() } else { names.join(", ") };
            let failing = ["before", "store", "effect"].into_iter().zip(fails).filter_map(|(name, fails)| fails.then_some(name)).collect();
            let state = if moved { "moved" } else { "is unchanged" };
            table.push_str(&format!("| {order} | {} | {} | {state} | {error} |\n", list(failing), list(world.done)));
        }
    }
    table
}

#[test]
fn the_semantics_tell_every_combination_of_failures() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/reference/semantics.md");
    let page = std::fs::read_to_string(&path).unwrap().replace("\r\n", "\n");
    let (begin, end) = ("<!-- failures:begin -->\n\n", "\n<!-- failures:end -->");
    let start = page.find(begin).expect("the page has a place for the table") + begin.len();
    let stop = page.find(end).expect("the page has a place for the table");
    let table = table();
    if std::env::var_os("UPDATE_SEMANTICS").is_some() {
        std::fs::write(&path, format!("{}{table}{}", &page[..start], &page[stop..])).unwrap();
    } else {
        assert_eq!(page[start..stop], table, "UPDATE_SEMANTICS=1 writes the table");
    }
}
