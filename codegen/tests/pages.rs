//! Pages and regions as a whole: default pages, the index, the source of each line, order, sizes.

use std::collections::BTreeSet;

use statespec_codegen::backend::markdown;
use statespec_codegen::backend::mermaid::{self, Node, diagram, relations};
use statespec_codegen::model::StateId;
use statespec_codegen::model::document::DiagramStyle;
use statespec_codegen::model::machine::{Branch, Machine, Target, Trigger};
use statespec_codegen::source::Input;

use crate::project::{emit, emit_by, generate, inputs, model};

fn input(path: &str, text: &str) -> Input {
    Input { path: path.into(), text: text.into() }
}

fn lamp() -> Input {
    input(
        "machines/lamp.yaml",
        r#"machine: lamp
title: Lamp
doc: Shines.
sources: [the box]
actors: { child: Presses buttons., clock: Never sleeps. }
constants: { most: { value: 100, doc: Lumen. }, step: 10 }
enums: { colour: { doc: What it looks like., values: { red: { doc: Like blood. }, warm_white: { label: warm white } } } }
context:
  level: { type: int, doc: How bright it is. }
  colour: { type: colour, default: red, aliases: [tint] }
attributes:
  power: { type: int, default: 0, label: Watt, doc: What it takes. }
  pattern: { type: list<colour>, default: [] }
states:
  off: { initial: true, doc: Dark. }
  on:
    doc: Bright.
    attributes: { power: 5 }
    entry: click
    states:
      steady: { initial: true, wire: s }
      blinking: { label: Blinking, doc: On and off., attributes: { power: 3, pattern: [red, warm_white] } }
  broken: { terminal: true, exit: click, inferred: Nobody said that lamps last. }
events:
  press: { by: child, label: press the button, doc: The button. }
  dim: { by: [child, clock], performer: clock, payload: { by_how_much: { type: int, doc: In lumen. } }, aliases: [darken] }
  fall: {}
predicates: { carpet: { doc: What it falls on is soft. } }
effects:
  click: { label: Clicks, doc: A sound. }
  report: { payload: by_how_much, message: "dimmed by {by_how_much} of {most}" }
transitions:
  - { from: off, event: press, to: on, set: { level: most } }
  - { from: steady, event: press, to: blinking, label: again }
  - { from: blinking, event: press, to: off, do: click }
  - { from: on, event: dim, when: level - by_how_much > most - step * 2, set: { level: level - by_how_much }, do: report, summary: less light }
  - { from: on, event: dim, refuse: too dark, commit: persist_first }
  - { from: "*", except: broken, event: fall, when: not carpet, to: broken, before: click, commit: memory_first, doc: Crash., inferred: Gravity. }
  - { from: broken, to: off }
orders:
  shelf:
    doc: Which lamp stands first.
    item: { age: { type: duration, label: years }, colour: { type: colour } }
    keys: age desc
    states: { off: [colour asc, age asc] }
notes: [Do not eat.]
"#,
    )
}

fn shop() -> Input {
    input(
        "machines/shop.yaml",
        r#"system: shop
doc: Lamps and who lights them.
actors: { child: Presses buttons. }
parts:
  lamp: { machine: lamp, many: true, doc: On the shelf. }
rules:
  - { before: lamp.press, require: lamp.state != broken, doc: broken lamps have no button }
transactions:
  press: { by: child, performer: child, surface: the counter, atomic: true, fire: lamp.press, doc: Click., on_failure: Nothing shines. }
  drop: { by: child, fire: lamp.fall, inferred: Children. }
invariants:
  - { require: lamp.level <= 100, doc: it does not blind }
walkthroughs:
  visit:
    doc: A child comes by.
    steps:
      - { step: "1", run: press, instances: { lamp: 1 }, trigger: A button, note: Light! }
      - { step: "2", run: press, instances: { lamp: 1 }, trigger: The same one }
      - { step: "3", run: drop, instances: { lamp: 1 }, trigger: A noise }
      - { step: "4", run: press, instances: { lamp: 1 }, trigger: Regret, refused: broken lamps have no button }
notes: [Mind the cord.]
"#,
    )
}

#[test]
fn what_no_document_shows_gets_a_page_of_its_own() {
    let (sources, model) = model(&[lamp(), shop()]);
    let generated = emit(&sources, &model);
    for file in generated.files.iter().filter(|it| it.path.ends_with(".md")) {
        insta::assert_snapshot!(file.path.rsplit('/').next().unwrap().trim_end_matches(".md").to_owned(), file.text);
    }
    let regions: String = generated.regions.keys().map(|it| format!("{it}\n")).collect();
    insta::assert_snapshot!("regions", regions);
    insta::assert_snapshot!("spec_region", generated.regions["shop.spec"].text.lines().take(4).collect::<Vec<_>>().join("\n"));
}

#[test]
fn a_document_stands_for_the_default_page_and_never_shares_a_path() {
    let elsewhere =
        input("machines/p.doc.yaml", "document: p\npath: docs/Machines/LAMP.md\ntitle: P\nsections: [{ of: shop, show: parts }]\n");
    let index = input(
        "machines/i.doc.yaml",
        "document: i\npath: docs/machines/README.md\ntitle: I\nsections: [{ of: lamp, text: Hello., show: about }]\n",
    );
    let paths = |inputs: &[Input]| {
        let (sources, model) = model(inputs);
        let files = emit(&sources, &model).files;
        files.into_iter().map(|it| it.path).filter(|it| it.ends_with(".md")).collect::<Vec<_>>()
    };
    assert_eq!(paths(&[lamp(), shop()]), ["docs/machines/README.md", "docs/machines/lamp.md", "docs/machines/shop.md"]);
    let beside = ["docs/Machines/LAMP.md", "docs/machines/README.md", "docs/machines/lamp-2.md"];
    assert_eq!(paths(&[lamp(), shop(), elsewhere]), beside);
    assert_eq!(paths(&[lamp(), shop(), index]), ["docs/machines/README.md", "docs/machines/shop.md"]);
}

#[test]
fn outputs_are_sorted_and_do_not_depend_on_the_order_of_specs() {
    let generated = generate();
    let paths: Vec<&str> = generated.files.iter().map(|it| it.path.as_str()).collect();
    assert!(paths.is_sorted_by(|a, b| a < b), "{paths:?}");
    let mut backwards = inputs();
    backwards.sort();
    backwards.reverse();
    let (sources, model) = model(&backwards);
    let again = emit(&sources, &model);
    let texts = |it: &statespec_lang::output::Generated| {
        let files = it.files.iter().map(|it| it.text.clone());
        files.chain(it.regions.iter().map(|(name, it)| format!("{name} {}", it.text))).collect::<Vec<_>>()
    };
    assert_eq!(texts(&generated), texts(&again));
    for text in texts(&generated) {
        assert!(text.ends_with('\n') && !text.ends_with("\n\n") && !text.contains('\r'), "{text}");
    }
}

#[test]
fn lines_are_blamed_on_what_they_speak_of() {
    let (sources, model) = model(&[lamp(), shop()]);
    let generated = emit(&sources, &model);
    let page = generated.files.iter().find(|it| it.path == "docs/machines/lamp.md").unwrap();
    let blamed = |line: &str| {
        assert!(page.text.contains(line), "{line} is not in {}", page.text);
        page.blame.find(line).map(|it| sources.slice(it).to_owned())
    };
    let line = |start: &str| page.text.lines().find(|it| it.starts_with(start)).unwrap_or_else(|| panic!("{start}\n{}", page.text));
    assert!(blamed("    steady --> blinking: again").unwrap().contains("label: again"));
    assert!(blamed(line("| `on/blinking` | `off` |")).unwrap().contains("from: blinking"));
    assert_eq!(blamed(line("| `off` |")).as_deref(), Some("off"));
    assert_eq!(blamed(line("| `press` | press the button")).as_deref(), Some("press"));
    assert_eq!(blamed(line("| `most` |")).as_deref(), Some("most"));
    assert!(page.origin.is_some());
}

/// Leaf-level arrows, `None` for creation.
fn expanded(machine: &Machine, style: &DiagramStyle) -> BTreeSet<(Option<StateId>, StateId)> {
    let mut found = BTreeSet::new();
    for it in relations(machine, style).into_iter().filter(|it| !(it.from == Node::Start && it.scope.is_some())) {
        let Node::State(to) = it.to else { continue };
        let row = it.row.map(|row| machine.transition(row));
        let is_history = row.is_some_and(|row| match &row.target {
            Target::History(_) => true,
            Target::Fork(branches) => branches.iter().any(|it| matches!(it, Branch::History(recall) if recall.whole == to)),
            _ => false,
        });
        let to: Vec<StateId> = if is_history { machine.leaves_in(to).collect() } else { machine.default_leaves(to) };
        // What is done has entered a terminal state directly inside, or one of each region.
        let completes = |leaf: StateId, whole: StateId| {
            let parent = machine.state(leaf).parent;
            let is_region = parent.is_some_and(|it| machine.is_region(it) && machine.state(it).parent == Some(whole));
            machine.state(leaf).terminal && (parent == Some(whole) || is_region)
        };
        let is_done = row.is_some_and(|row| row.trigger == Trigger::Done);
        let from: Vec<Option<StateId>> = match it.from {
            Node::State(from) => machine.leaves_in(from).filter(|leaf| !is_done || completes(*leaf, from)).map(Some).collect(),
            _ => vec![None],
        };
        found.extend(from.iter().flat_map(|from| to.iter().map(move |to| (*from, *to))));
    }
    found
}

#[test]
fn diagrams_say_the_graph_of_the_model() {
    let mut all = inputs();
    all.push(lamp());
    let (_, model) = model(&all);
    for machine in &model.machines {
        let mut expected = BTreeSet::new();
        for edge in &machine.edges {
            expected.extend(machine.targets(edge).into_iter().map(|to| (edge.from, to)));
        }
        // A machine that consists of regions starts in all of them, and each says where.
        if machine.edges_from(None).is_empty() && !machine.parallel {
            expected.extend(machine.initial().leaves().map(|to| (None, to)));
        }
        for sorted in [true, false] {
            let style = DiagramStyle { sorted, ..DiagramStyle::default() };
            assert_eq!(expanded(machine, &style), expected, "{}", machine.name);
        }
    }
}

#[test]
fn a_diagram_that_is_too_large_says_so() {
    let chain = |n_states: usize, length: usize| {
        let name = |idx: usize| format!("s{idx:0length$}");
        let states: String = (0..n_states).map(|idx| format!("  {}: {{ initial: {} }}\n", name(idx), idx == 0)).collect();
        let rows: String = (1..n_states).map(|idx| format!("  - {{ from: {}, to: {} }}\n", name(idx - 1), name(idx))).collect();
        input("machines/chain.yaml", &format!("machine: chain\nstates:\n{states}transitions:\n{rows}"))
    };
    for (n_states, length, fits) in [(mermaid::MAX_STATES, 3, true), (mermaid::MAX_STATES + 1, 3, false), (350, 90, false)] {
        let (sources, model) = model(&[chain(n_states, length)]);
        assert_eq!(diagram(&model.machines[0], &DiagramStyle::default()).is_ok(), fits, "{n_states} states");
        let region = &emit(&sources, &model).regions["chain.diagram"].text;
        assert_eq!(region.starts_with("```mermaid\n"), fits, "{region}");
        assert_eq!(region.contains(&format!("{n_states} states are too many to draw")), !fits);
    }
}

/// Tables, lists, notes with and without a lead, diagrams, and a page without a section; braces in a text are no template.
#[test]
fn templates_lay_out_what_they_are_given() {
    let door = "machine: door\ndoc: \"{{{{ x }}}}\"\nstates: { open: { initial: true, doc: \"{{{{ x }}}}\" }, shut: }\nevents: { push: }\n\
                transitions: [{ from: open, event: push, to: shut }]\nnotes: [\"{{% x %}}\"]\n";
    let document =
        "document: doors\npath: docs/doors.md\ntitle: Doors\nsections:\n  - { of: door, show: [{ states: { as: list } }, notes] }\n";
    let pages = |inputs: &[Input]| {
        let (sources, model) = model(inputs);
        let pages = markdown::Settings { sections: markdown::Sections::All, ..markdown::Settings::default() };
        let files = emit_by(&[&pages], &sources, &model).files;
        files.iter().map(|it| format!("==== {}\n{}", it.path, it.text)).collect::<String>()
    };
    let shown = [
        pages(&[]),
        pages(&[input("machines/door.yaml", door)]),
        pages(&[input("machines/door.yaml", door), input("machines/doors.doc.yaml", document)]),
    ];
    insta::assert_snapshot!(shown.concat());
}

#[test]
fn a_default_page_has_five_sections() {
    let (sources, model) = model(&[lamp(), shop()]);
    let files = emit_by(&[&markdown::Settings::default()], &sources, &model).files;
    for (name, path) in [("default_lamp", "docs/machines/lamp.md"), ("default_shop", "docs/machines/shop.md")] {
        insta::assert_snapshot!(name, files.iter().find(|it| it.path == path).unwrap().text);
    }
}
