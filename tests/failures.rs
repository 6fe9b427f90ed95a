//! Every combination of failures around a change, in all commit orders, with both kinds of hosts: the table of the semantics.
//!
//! `UPDATE_SEMANTICS=1 cargo test --test failures` writes the table into the page.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use statespec::{RunError, StateMachine};

#[derive(Debug, Clone, StateMachine)]
#[machine("tests/specs/failing.yaml", async_host, prefix = "")]
struct Failing {
    state: State,
}

/// A host whose actions fail on request; it notes what succeeds.
#[derive(Debug, Clone, Default, PartialEq)]
struct World {
    fails: [bool; 3],
    done: Vec<&'static str>,
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

/// The result of a future that never waits.
fn now<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(result) => result,
        Poll::Pending => panic!("nothing waits here"),
    }
}

/// The rows of the table: what fails, what then has happened, and the error that tells so.
fn table() -> String {
    let mut table = String::from(
        "| Commit order | Fails | Done | The machine | Error |\n\
         | --- | --- | --- | --- | --- |\n",
    );
    let orders = [(Event::StoreFirst, "`persist_first`"), (Event::MoveFirst, "`memory_first`"), (Event::MoveOnly, "`memory_only`")];
    for (event, order) in orders {
        for number in 0..8 {
            let fails = [number & 4 != 0, number & 2 != 0, number & 1 != 0];
            let new = || (Failing { state: State::INITIAL }, World { fails, ..World::default() });
            let (mut machine, mut world) = new();
            let result = machine.run(event, &mut world);
            let (mut awaited, mut awaited_world) = new();
            assert_eq!(now(awaited.run_async(event, &mut awaited_world)), result, "both hosts do the same");
            assert_eq!((awaited.state, &awaited_world), (machine.state, &world));

            let moved = machine.state == State::Shut;
            assert_eq!(result.as_ref().map_or_else(|it| it.moved(), |_| true), moved, "the error knows whether the machine moved");
            let error = match &result {
                Ok(_) => "",
                Err(RunError::Before { .. }) => "`Before`",
                Err(RunError::Store { moved: false, .. }) => "`Store`, not `moved`",
                Err(RunError::Store { moved: true, .. }) => "`Store`, `moved`",
                Err(RunError::After { store: None, .. }) => "`After`",
                Err(RunError::After { store: Some(_), .. }) => "`After`, with the failure of the store",
                Err(other) => panic!("{other:?}"),
            };
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
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reference/semantics.md");
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
