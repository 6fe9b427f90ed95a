//! `docs/reference/model-json.md` names every key of the model's JSON, with the right kind of value, and no other key.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::Value;
use statespec_codegen::backend::json;
use statespec_codegen::source::Input;
use statespec_lang::lower::load;

/// Every place of the JSON with the kinds of values that occur there.
type Places = BTreeMap<String, BTreeSet<&'static str>>;

/// A table of the page: the places of the maps that it describes, and its rows as key and kinds.
struct Table {
    maps: Vec<String>,
    rows: Vec<(String, String)>,
}

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

fn page() -> String {
    std::fs::read_to_string(root().join("docs/reference/model-json.md")).unwrap()
}

fn code_spans(text: &str) -> Vec<String> {
    text.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

fn tables(page: &str) -> Vec<Table> {
    let mut tables: Vec<Table> = Vec::new();
    for line in page.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            tables.push(Table { maps: code_spans(heading), rows: Vec::new() });
        } else if line.starts_with("| `") {
            let cells: Vec<&str> = line.split(" | ").collect();
            let row = (code_spans(cells[0]).remove(0), cells[1].to_owned());
            tables.last_mut().unwrap().rows.push(row);
        }
    }
    tables
}

/// The places that the page documents, each with the kinds that it allows.
fn documented(tables: &[Table]) -> BTreeMap<String, Vec<String>> {
    let mut documented = BTreeMap::new();
    for table in tables {
        for (map, (key, kinds)) in table.maps.iter().flat_map(|map| table.rows.iter().map(move |row| (map, row))) {
            let kinds = match kinds.as_str() {
                "value" => ["true or false", "number", "text", "null", "list"].map(str::to_owned).to_vec(),
                "true or false" => vec![kinds.clone()],
                kinds => kinds.replace(" or ", ", ").split(", ").map(str::to_owned).collect(),
            };
            let twice = documented.insert(format!("{map}.{key}"), kinds);
            assert_eq!(twice, None, "{map}.{key} is documented twice");
        }
    }
    documented
}

/// Visits a value; a key that the page does not name counts as `<name>` if the page has that.
fn walk(value: &Value, place: String, documented: &BTreeMap<String, Vec<String>>, places: &mut Places) {
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "number",
        Value::String(_) => "text",
        Value::Array(_) => "list",
        Value::Object(_) => "map",
    };
    places.entry(place.clone()).or_default().insert(kind);
    match value {
        Value::Array(items) => items.iter().for_each(|it| walk(it, format!("{place}[]"), documented, places)),
        Value::Object(map) => {
            for (key, value) in map {
                let any = format!("{place}.<name>");
                let next = if documented.contains_key(&any) { any } else { format!("{place}.{key}") };
                walk(value, next, documented, places);
            }
        }
        _ => {}
    }
}

/// A machine and a system with features that no reference machine has.
const MORE: &[(&str, &str)] = &[
    (
        "machines/several.yaml",
        "system: several\nparts: { more: { machine: more, many: true } }\n\
         transactions: { both: { also: { other: more }, fire: [more.go, other.go] } }\n",
    ),
    ("machines/parcel_numbers.yaml", include_str!("fixtures/numbers/old.yaml")),
    (
        "machines/more.yaml",
        "machine: more\npredicates: { fits: { doc: Asks. } }\ntransitions:\n  - { from: '*', except: b, event: go, when: fits, to: b }\n\
     states: { a: { initial: true, exit: hum }, b: { terminal: true } }\nevents: { go: {} }\neffects: { hum: {} }\n",
    ),
];

/// A system whose parts have regions.
const CAR_WASH: &[(&str, &str)] = &[
    ("car_wash", include_str!("fixtures/rust/car_wash.yaml")),
    ("hall", include_str!("fixtures/rust/hall.yaml")),
    ("bay", include_str!("fixtures/rust/bay.yaml")),
    ("voucher", include_str!("fixtures/rust/voucher.yaml")),
];

fn seen(documented: &BTreeMap<String, Vec<String>>) -> Places {
    let mut inputs: Vec<Input> = Vec::new();
    for entry in std::fs::read_dir(root().join("machines")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        inputs.push(Input { path: format!("machines/{name}"), text: std::fs::read_to_string(&path).unwrap() });
    }
    let consignment = include_str!("fixtures/rust/consignment.yaml");
    inputs.push(Input { path: "machines/consignment.yaml".into(), text: consignment.into() });
    inputs.push(Input { path: "machines/studio.yaml".into(), text: include_str!("fixtures/rust/studio.yaml").into() });
    inputs.push(Input { path: "machines/regions.yaml".into(), text: include_str!("fixtures/regions.yaml").into() });
    for (name, text) in CAR_WASH {
        inputs.push(Input { path: format!("machines/{name}.yaml"), text: (*text).into() });
    }
    inputs.extend(MORE.iter().map(|(path, text)| Input { path: (*path).into(), text: (*text).into() }));
    let loaded = load(&inputs);
    let model = loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
    let mut places = Places::new();
    let mut project = serde_json::to_value(json::project(&loaded.sources, &model)).unwrap();
    for (key, kind) in [("machines", "machine"), ("systems", "system")] {
        let all = project[key].as_array_mut().unwrap();
        assert!(all.len() > 3 || kind == "system" && !all.is_empty());
        for value in all {
            walk(&value.take(), kind.to_owned(), documented, &mut places);
            *value = Value::Object(serde_json::Map::new());
        }
    }
    walk(&project, "project".into(), documented, &mut places);
    places
}

#[test]
fn the_page_names_every_key_with_its_kinds() {
    let documented = documented(&tables(&page()));
    let mut wrong = Vec::new();
    for (place, kinds) in seen(&documented) {
        if ["project", "machine", "system"].contains(&place.as_str()) {
            continue;
        }
        match documented.get(&place) {
            None => wrong.push(format!("{place} is not documented")),
            Some(allowed) => {
                let others = kinds.iter().filter(|it| !allowed.iter().any(|allowed| allowed == *it));
                wrong.extend(others.map(|it| format!("{place} can be {it}, and the page says {allowed:?}")));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn every_key_of_the_page_occurs() {
    let tables = tables(&page());
    let seen = seen(&documented(&tables));
    let mut missing = Vec::new();
    for table in &tables {
        missing.extend(table.maps.iter().filter(|it| !seen.contains_key(*it)).cloned());
        // A key that several maps share need not occur in each of them.
        let rows = table.rows.iter().filter(|(key, _)| !table.maps.iter().any(|map| seen.contains_key(&format!("{map}.{key}"))));
        missing.extend(rows.map(|(key, _)| format!("{} {key}", table.maps.join(", "))));
    }
    assert_eq!(missing, Vec::<String>::new());
}

#[test]
fn the_page_is_about_the_version_that_is_printed() {
    assert!(page().contains(&format!("This page describes version {}, ", json::VERSION)));
}

#[test]
fn json_is_laid_out_as_it_usually_is() {
    // Deeper than any model, with empty values at the end and in the middle.
    let nested = (0..30).fold(serde_json::json!([]), |inner, _| serde_json::json!({ "a": [], "b": [{}, inner, 1], "c": {} }));
    for value in [nested, serde_json::json!({}), serde_json::json!([[], [[]], "\n"])] {
        assert_eq!(json::text(&value), format!("{}\n", serde_json::to_string_pretty(&value).unwrap()));
    }
}
