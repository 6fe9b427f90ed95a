//! Hostile specs in TypeScript and Python: texts that look like code, and names that the languages use themselves. The compilers accept
//! what is emitted, and it does what the interpreter does.

use statespec_code::typescript::Style;
use statespec_codegen::source::Input;
use statespec_lang::lower::load;

use crate::subjects::HOSTILE;
use crate::trials::{python, typescript};

/// Names that mean something in TypeScript, in Python, or in what is emitted.
const WORDS: &str = "class constructor prototype __proto__ to_string value_of has_own_property arguments eval undefined none self cls type \
    event context state at it s default import export delete function var let new this yield await async lambda pass raise def del from \
    global nonlocal with as is print object str int bool list dict tuple statespec decimal final property field replace dataclass effect \
    change refused timer any map record symbol promise console process json v r p e c put plan store request predicates memory key apply \
    create planned drive enum match case super interface package static never unknown void number string boolean bigint file";

/// Words that are types of the language, so that no enum has them.
const TYPES: [&str; 5] = ["bool", "decimal", "event", "int", "state"];

fn spec(name: &str, text: &str) -> Input {
    Input { path: format!("machines/{name}.yaml"), text: format!("machine: {name}\n{text}") }
}

/// Two names that are one in the form NFKC, in which Python compares names, are refused before anything is emitted.
#[test]
fn names_that_python_takes_for_one_are_refused() {
    let machine = |name: &str| {
        spec("m", &format!("states: {{ file: {{ initial: true }}, {name}: {{}} }}\ntransitions: [{{ from: file, to: {name} }}]\n"))
    };
    assert!(load(&[machine("folder")]).model.is_some());
    let loaded = load(&[machine("\u{fb01}le")]);
    assert!(loaded.model.is_none());
    assert!(loaded.diagnostics.iter().any(|it| it.message.contains("is read as `file`")), "{:?}", loaded.diagnostics);
}

/// Machines and a system in which each kind of name is each of some words.
fn named(words: &[&str]) -> Vec<Input> {
    let first = words.iter().find(|it| !TYPES.contains(it)).expect("a word that an enum may have");
    let listed = |words: &[&str], text: &str| words.iter().map(|it| text.replace('@', it)).collect::<Vec<_>>().join(", ");
    let each = |text: &str| listed(words, text);
    let states = format!(
        "states: {{ start: {{ initial: true }}, {} }}\nactors: {{ {} }}\nevents: {{ {} }}\neffects: {{ {} }}\ntransitions: [{}]\n",
        each("@: {}"),
        each("@: somebody"),
        each("@: { by: @ }"),
        each("@: {}"),
        each("{ from: start, event: @, to: @, do: @ }"),
    );
    let plain = "states: { a: { initial: true }, b: {} }\n";
    let fields = format!(
        "context: {{ {} }}\n{plain}events: {{ go: {{}} }}\ntransitions: [{}, {{ from: a, event: go, to: b }}]\n",
        each("@: { type: int, default: 1 }"),
        each("{ from: a, event: go, when: @ > 5, to: b, set: { @: @ + 1 } }"),
    );
    let payload = format!(
        "{plain}events: {{ go: {{ payload: {{ {} }} }} }}\neffects: {{ tell: {{ payload: [{}], message: told }} }}\ntransitions: [{}, {{ from: a, event: go, to: b, do: tell }}]\n",
        each("@: int"),
        each("@"),
        each("{ from: a, event: go, when: @ > 5, to: b, do: tell }"),
    );
    let predicates = format!(
        "{plain}predicates: {{ {} }}\nevents: {{ go: {{}} }}\ntransitions: [{}]\n",
        each("@: { doc: asked }"),
        each("{ from: a, event: go, when: @, to: b }"),
    );
    let values = format!(
        "enums: {{ {} }}\nconstants: {{ {} }}\ncontext: {{ of: {{ type: {first}, default: {first} }} }}\n{plain}events: {{ go: {{ payload: {{ kind: {first} }} }} }}\ntransitions: [{{ from: a, event: go, to: b, set: {{ of: kind }} }}]\n",
        listed(&words.iter().copied().filter(|it| !TYPES.contains(it)).collect::<Vec<_>>(), &format!("@: [{}]", words.join(", "))),
        each("@: 3"),
    );
    let part = |it: &&str| format!("  {it}: {{ machine: payload }}\n");
    let parts: String = words.iter().map(part).collect();
    let given = each("@: 1");
    let transaction = |it: &&str| format!("  {it}: {{ payload: {{ {} }}, fire: {{ {it}.go: {{ {given} }} }} }}\n", "n: int");
    let transactions: String = words.iter().map(transaction).collect();
    let system = format!("system: import\nparts:\n{parts}transactions:\n{transactions}");
    vec![
        spec("class", &states),
        spec("fields", &fields),
        spec("payload", &payload),
        spec("predicates", &predicates),
        spec("values", &values),
        Input { path: "machines/import.yaml".into(), text: system },
    ]
}

/// The folders of models. What is emitted grows with the square of the words of a machine.
pub(crate) fn all() -> Vec<(String, Vec<Input>)> {
    let words: Vec<&str> = WORDS.split_whitespace().collect();
    let words: Vec<&[&str]> = words.chunks(words.len().div_ceil(8)).collect();
    let names = words.iter().enumerate().map(|(idx, words)| (format!("names{idx}"), named(words)));
    let texts = [0, 17].map(|shift| (format!("texts{shift}"), crate::hostile_texts::specs(shift)));
    names.chain(texts).collect()
}

#[test]
fn typescript_accepts_hostile_specs() {
    let Some(trial) = typescript::Trial::new("hostile") else { return };
    HOSTILE.iter().for_each(|it| trial.emit(&it.name, it, &Style::default()));
    trial.compile();
    trial.test();
}

#[test]
fn python_accepts_hostile_specs() {
    let Some(trial) = python::Trial::new("hostile") else { return };
    HOSTILE.iter().for_each(|it| trial.emit(it));
    trial.check_and_test(&HOSTILE);
}
