//! What the interpreter allows.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use statespec_explore::machine_cases::{Explored, predicates_asked, subsets};
use statespec_lang::interpret::machine::plan;
use statespec_lang::interpret::{Instance, Request};
use statespec_lang::lower::load;
use statespec_lang::model::machine::Commit;
use statespec_lang::model::{Configuration, EventId, Machine, Model};
use statespec_lang::source::Input;

/// The reference machines.
pub(crate) fn model() -> &'static Model {
    static MODEL: OnceLock<Model> = OnceLock::new();
    MODEL.get_or_init(read)
}

fn read() -> Model {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut inputs: Vec<Input> = Vec::new();
    for entry in fs::read_dir(root.join("machines")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if name.ends_with(".yaml") && !name.ends_with(".doc.yaml") {
            inputs.push(Input { path: format!("machines/{name}"), text: fs::read_to_string(&path).unwrap() });
        }
    }
    inputs.sort_by(|a, b| a.path.cmp(&b.path));
    load(&inputs).model.expect("the reference machines are right")
}

/// A machine of its own.
pub(crate) fn machine(text: &str) -> Model {
    let loaded = load(&[Input { path: "machines/own.yaml".into(), text: text.to_owned() }]);
    loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics))
}

/// The changes of a stored state that the interpreter makes, and the states in which it creates a machine.
#[derive(Debug, Default)]
pub(crate) struct Oracle {
    pub(crate) births: BTreeSet<Configuration>,
    pub(crate) pairs: BTreeSet<(Configuration, Configuration)>,
}

/// The configurations to which one call leads, with the order of its store.
type Moves = BTreeSet<(Configuration, Commit)>;

impl Oracle {
    /// What the interpreter allows a reference machine in some configurations. Several tests ask; it runs once.
    pub(crate) fn of(idx: usize, configurations: &[Configuration]) -> Arc<Oracle> {
        type Asked = (usize, Vec<Configuration>);
        static FOUND: Mutex<BTreeMap<Asked, Arc<OnceLock<Arc<Oracle>>>>> = Mutex::new(BTreeMap::new());
        let asked = (idx, configurations.to_vec());
        let found = Arc::clone(FOUND.lock().unwrap_or_else(PoisonError::into_inner).entry(asked).or_default());
        Arc::clone(found.get_or_init(|| Arc::new(Oracle::run(model(), idx, configurations))))
    }

    /// Runs the interpreter in every configuration.
    fn run(model: &Model, idx: usize, configurations: &[Configuration]) -> Oracle {
        let machine = &model.machines[idx];
        let explored = Explored::new(model, idx);
        let calls = |at: Option<&Configuration>| -> Moves {
            let instances: Vec<Option<Instance>> = match at {
                Some(at) => explored.instances(at).into_iter().map(Some).collect(),
                None => vec![None],
            };
            instances.iter().flat_map(|it| moves(machine, &explored, it.as_ref())).collect()
        };
        let created = calls(None);
        let mut oracle = Oracle { births: BTreeSet::from([machine.initial()]), ..Oracle::default() };
        oracle.births.extend(created.iter().filter(|it| it.1 != Commit::MemoryOnly).map(|it| it.0.clone()));
        let loaded: BTreeSet<Configuration> = created.into_iter().filter(|it| it.1 == Commit::MemoryOnly).map(|it| it.0).collect();
        let moves: BTreeMap<&Configuration, Moves> = configurations.iter().map(|it| (it, calls(Some(it)))).collect();
        for from in configurations {
            // A step that is not stored leaves the row behind the machine.
            let mut ahead = BTreeSet::from([from.clone()]);
            ahead.extend(loaded.iter().cloned());
            let mut open: Vec<Configuration> = ahead.iter().cloned().collect();
            while let Some(at) = open.pop() {
                for (to, commit) in moves.get(&at).into_iter().flatten() {
                    if *commit != Commit::MemoryOnly && to != from {
                        oracle.pairs.insert((from.clone(), to.clone()));
                    }
                    if *commit != Commit::PersistFirst && ahead.insert(to.clone()) {
                        open.push(to.clone());
                    }
                }
            }
        }
        oracle
    }
}

/// The configurations to which one call of any kind leads from an instance.
fn moves(machine: &Machine, explored: &Explored<'_>, at: Option<&Instance>) -> Moves {
    let mut found = Moves::new();
    let asked = predicates_asked(machine, machine.edges.iter());
    let events = (0..machine.events.len()).map(EventId::new).map(Request::Event);
    let direct = machine.state_ids().map(Request::Direct).filter(|_| at.is_some());
    for request in events.chain(direct) {
        let payloads = request.event().map_or_else(|| vec![Vec::new()], |it| explored.payloads(it));
        for payload in &payloads {
            for holds in subsets(&asked) {
                if let Ok(plan) = plan(machine, at, request, payload, &[], &|it| holds.contains(&it)) {
                    found.insert((plan.end.configuration, plan.commit));
                }
            }
        }
    }
    found
}
