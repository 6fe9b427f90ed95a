//! Elements with nothing but a name can be written as a list; the machine is the same as with a map.

use statespec_codegen::backend::json;
use statespec_codegen::registry::BACKENDS;
use statespec_codegen::schema;
use statespec_codegen::source::Input;
use statespec_lang::lower::load;

const MAPS: &str = "machine: door
states: { shut: { initial: true }, open: { states: { ajar: { initial: true }, wide: {} } }, gone: { terminal: true, doc: Away. } }
events: { push: {}, pull: { payload: { force: int } }, take: {} }
predicates: { is_unlocked: {}, is_light: { doc: A child can push it. } }
effects: { creak: {}, ring: { doc: The bell. } }
transitions:
  - { from: shut, event: push, when: is_unlocked, to: open, do: creak }
  - { from: ajar, event: push, when: is_light, to: wide, do: [creak, ring] }
  - { from: open, event: pull, when: force > 3, to: shut }
  - { from: '*', except: gone, event: take, to: gone }
";

const LISTS: &str = "machine: door
states: [shut, { open: { states: [ajar, wide] } }, { gone: { terminal: true, doc: Away. } }]
events: [push, { pull: { payload: { force: int } } }, take]
predicates: [is_unlocked, { is_light: { doc: A child can push it. } }]
effects: [creak, { ring: { doc: The bell. } }]
transitions:
  - { from: shut, event: push, when: is_unlocked, to: open, do: creak }
  - { from: ajar, event: push, when: is_light, to: wide, do: [creak, ring] }
  - { from: open, event: pull, when: force > 3, to: shut }
  - { from: '*', except: gone, event: take, to: gone }
";

/// The resolved machine as JSON.
fn machine(text: &str) -> String {
    let loaded = load(&[Input { path: "machines/door.yaml".into(), text: text.into() }]);
    let model = loaded.model.unwrap_or_else(|| panic!("{:#?}", loaded.diagnostics));
    json::text(&json::machine(&loaded.sources, &model.machines[0]))
}

#[test]
fn a_list_of_names_is_the_same_machine_as_a_map() {
    assert_eq!(machine(LISTS), machine(MAPS));
}

#[test]
fn a_list_starts_in_its_first_state_unless_another_is_marked() {
    let initial = |states: &str| {
        let text = format!("machine: m\nstates: {states}\nevents: [go]\ntransitions:\n  - {{ from: '*', event: go, to: b }}\n");
        let json: serde_json::Value = serde_json::from_str(&machine(&text)).unwrap();
        json["initial"].as_str().unwrap().to_owned()
    };
    assert_eq!(initial("[a, b, c]"), "a");
    assert_eq!(initial("[a, { b: { initial: true } }, c]"), "b");
    assert_eq!(initial("[{ a: { doc: First. } }, b]"), "a");
}

#[test]
fn editors_accept_lists() {
    let schema = serde_json::from_str(&schema::schema("machine", BACKENDS).unwrap()).unwrap();
    let validator = jsonschema::draft7::new(&schema).unwrap();
    for text in [MAPS, LISTS] {
        let value: serde_json::Value = serde_yaml::from_str(text).unwrap();
        let errors: Vec<String> = validator.iter_errors(&value).map(|it| format!("{}: {it}", it.instance_path())).collect();
        assert!(errors.is_empty(), "{errors:?}");
    }
    for wrong in ["states: [a, { b: {}, c: {} }]", "states: a", "states: [[a]]"] {
        let value: serde_json::Value = serde_yaml::from_str(&format!("machine: m\n{wrong}\ntransitions: []\n")).unwrap();
        assert!(!validator.is_valid(&value), "{wrong}");
    }
}
