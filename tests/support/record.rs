//! Attempts of the emitted machines, as `statespec audit` reads them: `STATESPEC_ATTEMPTS` names the folder, and turns recording on.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{LazyLock, Mutex};

use serde_json::{Map, Value as Json};
use statespec::{Attempt, Observer as _, Record, State, Timestamp};
use statespec_lang::interpret::value::show;
use statespec_lang::model::machine::Field;
use statespec_lang::model::{Machine, Value};

/// The folder, if attempts are recorded.
static FOLDER: LazyLock<Option<PathBuf>> = LazyLock::new(|| std::env::var_os("STATESPEC_ATTEMPTS").map(PathBuf::from));

/// The file of each machine.
static FILES: Mutex<BTreeMap<&str, File>> = Mutex::new(BTreeMap::new());

/// The number of the next instance.
static NEXT: AtomicU64 = AtomicU64::new(1);

/// Records one attempt of an instance of its own, with all that a full replay reads.
pub(super) fn record<S: State>(machine: &Machine, payload: (&[Field], &[Value]), context: Option<&[Value]>, attempt: &Attempt<'_, S>) {
    let Some(folder) = &*FOLDER else { return };
    let payload = object(machine, payload.0, payload.1);
    let context = context.map(|it| object(machine, &machine.fields, it));
    let (mut line, entity) = (String::new(), NEXT.fetch_add(1, Ordering::Relaxed));
    let mut record = Record::new(&mut line, &entity, Timestamp::EPOCH).payload(&payload);
    if let Some(context) = &context {
        record = record.context(context);
    }
    record.observe(attempt);
    record.written().expect("a text takes everything");
    let mut files = FILES.lock().expect("no test panics while it writes");
    let file = files.entry(S::MACHINE).or_insert_with(|| {
        let path = folder.join(format!("{}.jsonl", S::MACHINE));
        File::options().append(true).create(true).open(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    });
    file.write_all(line.as_bytes()).expect("the disk takes the attempt");
}

/// Values by field.
fn object(machine: &Machine, fields: &[Field], values: &[Value]) -> Json {
    let json = |value: &Value| match value {
        Value::Null => Json::Null,
        Value::Bool(it) => Json::from(*it),
        Value::Int(it) => Json::from(*it),
        Value::Text(it) => Json::from(it.as_str()),
        other => Json::from(show(machine, other)),
    };
    Json::Object(fields.iter().zip(values).map(|(field, value)| (field.name.clone(), json(value))).collect::<Map<_, _>>())
}
