//! The changes between two versions of a machine, and their classes.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use statespec_codegen::changes::{Audience, Change, Class, Format, Rule, Side, changes, changes_of_models, print};
use statespec_codegen::diagnostic::{Style, render};
use statespec_codegen::model::Model;
use statespec_codegen::source::Input;
use statespec_lang::lower::{Loaded, load, used_files};

use crate::play::random::Random;

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/diff")
}

fn read(path: &str, text: &str) -> Loaded {
    let mut inputs = vec![Input { path: path.into(), text: text.into() }];
    for used in used_files(&inputs[0]) {
        inputs.push(Input { text: fs::read_to_string(&used).unwrap(), path: used });
    }
    let loaded = load(&inputs);
    assert!(loaded.model.is_some(), "{path}: {}", render(&loaded.sources, &loaded.diagnostics, Style::Plain));
    loaded
}

fn fixture(name: &str) -> Loaded {
    let file = format!("{name}.yaml");
    read(&file, &fs::read_to_string(folder().join(&file)).unwrap())
}

fn model(loaded: &Loaded) -> &Model {
    loaded.model.as_ref().unwrap()
}

fn found(old: &Loaded, new: &Loaded) -> Vec<Change> {
    changes_of_models((&old.sources, model(old)), (&new.sources, model(new)))
}

fn shown(old: &Loaded, new: &Loaded, format: Format) -> String {
    let sides = [Side { name: "old", sources: &old.sources }, Side { name: "new", sources: &new.sources }];
    print(&found(old, new), sides, &Audience::ALL, format)
}

/// The fixtures that are compared with `order.yaml`.
fn names() -> Vec<String> {
    let files = fs::read_dir(folder()).unwrap().map(|it| it.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = files.filter_map(|it| it.strip_suffix(".yaml").map(str::to_owned)).filter(|it| it != "order").collect();
    names.sort();
    names
}

#[test]
fn prepared_pairs() {
    let old = fixture("order");
    for name in names() {
        let new = fixture(&name);
        insta::assert_snapshot!(name.as_str(), shown(&old, &new, Format::Text));
    }
}

#[test]
fn a_version_does_not_differ_from_itself() {
    for name in names().iter().map(String::as_str).chain(["order"]) {
        assert_eq!(found(&fixture(name), &fixture(name)), [], "{name}");
    }
    for folder in ["../machines", "tests/fixtures/rust"] {
        for file in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).unwrap().map(|it| it.unwrap().path()) {
            let text = fs::read_to_string(&file).unwrap_or_default();
            if text.lines().any(|it| it.starts_with("machine:")) {
                let path = file.to_string_lossy();
                // The same at other places.
                let (old, new) = (read(&path, &text), read(&path, &format!("# A comment.\n{text}")));
                assert_eq!(changes(&model(&old).machines[0], &model(&new).machines[0]), [], "{}", file.display());
            }
        }
    }
}

#[test]
fn forms_for_programs_and_pull_requests() {
    let (old, new) = (fixture("order"), fixture("values-and-fields"));
    insta::assert_snapshot!("as_json", shown(&old, &new, Format::Json));
    insta::assert_snapshot!("as_markdown", shown(&old, &new, Format::Markdown));
    assert_eq!(shown(&old, &old, Format::Markdown), "<!-- statespec diff -->\n### State machines: no changes\n");
}

#[test]
fn the_json_form_follows_its_schema() {
    let schema =
        serde_json::from_str(&statespec_codegen::schema::schema("changes", statespec_codegen::registry::BACKENDS).unwrap()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    for name in names() {
        let json = shown(&fixture("order"), &fixture(&name), Format::Json);
        let errors: Vec<String> = validator.iter_errors(&serde_json::from_str(&json).unwrap()).map(|it| it.to_string()).collect();
        assert!(errors.is_empty(), "{name}: {errors:?}");
    }
}

#[test]
fn hostile_texts_stay_in_their_cells() {
    let with = |text: &str| {
        read(
            "m.yaml",
            &format!(
                "machine: m\nstates: [a, b]\nevents: [go]\ntransitions:\n  - {{ from: a, event: go, to: b }}\n  - {{ from: b, event: go, refuse: {text:?} }}\n"
            ),
        )
    };
    let new = with("`| <img src=x> -->\n::error::no\n# not `a` heading");
    let markdown = shown(&with("no"), &new, Format::Markdown);
    let lines: Vec<&str> = markdown.lines().collect();
    assert!(lines.iter().all(|it| !it.contains("<img") && (!it.starts_with('#') || it.starts_with("###"))), "{markdown}");
    let text = shown(&with("no"), &new, Format::Text);
    assert!(text.lines().all(|it| !it.trim_start().starts_with("::")), "{text}");
}

#[test]
fn a_rename_needs_aka() {
    let machine = |states: &str, target: &str| {
        read("m.yaml", &format!("machine: m\nstates:\n  a: {{ initial: true }}\n{states}transitions:\n  - {{ from: a, to: {target} }}\n"))
    };
    let rules =
        |new: &Loaded| -> BTreeSet<Rule> { found(&machine("  b: { terminal: true }\n", "b"), new).iter().map(|it| it.rule).collect() };
    let renamed = rules(&machine("  c: { terminal: true, aka: b, wire: b }\n", "c"));
    assert_eq!(renamed, BTreeSet::from([Rule::StateRenamed]));
    let replaced = rules(&machine("  c: { terminal: true, wire: b }\n", "c"));
    assert_eq!(replaced, BTreeSet::from([Rule::StateRemoved, Rule::StateAdded, Rule::EdgeRetargeted]));
}

#[test]
fn audiences_can_be_chosen() {
    let (old, new) = (fixture("order"), fixture("required-payload"));
    let changes = found(&old, &new);
    assert_eq!(changes.iter().map(|it| it.class(&[Audience::Stored])).max(), Some(Class::Informational));
    assert_eq!(changes.iter().map(|it| it.class(&Audience::ALL)).max(), Some(Class::Breaking));
}

#[test]
fn machines_and_systems_of_a_project() {
    let project = |texts: &[&str]| {
        let inputs: Vec<Input> =
            texts.iter().enumerate().map(|(idx, it)| Input { path: format!("{idx}.yaml"), text: (*it).into() }).collect();
        let loaded = load(&inputs);
        assert!(loaded.model.is_some(), "{}", render(&loaded.sources, &loaded.diagnostics, Style::Plain));
        loaded
    };
    let machine = |name: &str| {
        format!("machine: {name}\nstates: [on, off]\nevents: [flip]\ntransitions:\n  - {{ from: on, event: flip, to: off }}\n")
    };
    let (a, b, c) = (machine("a"), machine("b"), machine("c"));
    let system = |doc: &str, optional: &str| {
        format!(
            "system: both\ndoc: {doc}\nparts: {{ x: {{ machine: a }}, y: {{ machine: b }} }}\ntransactions: {{ go: {{ fire: x.flip }} }}\nlinks: [{{ enter: x.off, fire: y.flip{optional} }}]\n"
        )
    };
    let old = project(&[&a, &b, &system("First.", "")]);
    insta::assert_snapshot!("of_a_project", shown(&old, &project(&[&a, &b, &c, &system("First.", ", optional: true")]), Format::Text));
    let rules: Vec<Rule> = found(&old, &project(&[&a, &b, &system("Second.", "")])).iter().map(|it| it.rule).collect();
    assert_eq!(rules, [Rule::Wording]);
    let rules: Vec<Rule> = found(&old, &project(&[&a])).iter().map(|it| it.rule).collect();
    assert_eq!(rules, [Rule::MachineRemoved, Rule::SystemRemoved]);
    let one = |name: &str| project(&[&machine(name)]);
    assert_eq!(found(&one("a"), &one("b"))[0].rule, Rule::MachineRenamed);
}

#[test]
fn numbers_and_what_is_reserved() {
    let [old, new] = [("old", include_str!("fixtures/numbers/old.yaml")), ("new", include_str!("fixtures/numbers/new.yaml"))]
        .map(|(name, text)| read(&format!("{name}.yaml"), text));
    assert_eq!(found(&old, &old), []);
    assert_eq!(found(&new, &new), []);
    insta::assert_snapshot!("numbers", shown(&old, &new, Format::Text));
}

#[test]
fn a_timer_of_another_duration() {
    let machine = |states: &str, lease: &str, after: &str| {
        read(
            "m.yaml",
            &format!(
                "machine: m\nconstants: {{ lease: {lease} }}\ncontext: {{ rest: {{ type: duration, default: 1m }} }}\nstates: [a, b, c]\nevents: [go]\n\
                 transitions:\n  - {{ from: {states}, after: {after}, timer: end, to: c }}\n  - {{ from: a, event: go, to: b }}\n"
            ),
        )
    };
    let old = machine("a", "30s", "lease");
    let told = |new: &Loaded| found(&old, new).into_iter().map(|it| (it.rule, it.message)).collect::<Vec<_>>();
    assert_eq!(told(&machine("a", "30s", "30s")), []);
    let changed = "the timer `end` now elapses after `1m`, before after `30s`".to_owned();
    assert!(told(&machine("a", "1m", "lease")).contains(&(Rule::TimerChanged, changed)));
    let changed = "the timer `end` now elapses after `rest`, before after `30s`".to_owned();
    assert_eq!(told(&machine("a", "30s", "rest")), [(Rule::TimerChanged, changed)]);
    let changed = "the timer `end` now runs in `a`, `b`, before in `a`".to_owned();
    assert!(told(&machine("[a, b]", "30s", "lease")).contains(&(Rule::TimerChanged, changed)));
}

#[test]
fn earlier_names_belong_to_one_element() {
    let errors = |states: &str| {
        let loaded = load(&[Input {
            path: "m.yaml".into(),
            text: format!("machine: m\nstates: {states}\ntransitions:\n  - {{ from: a, to: b }}\n"),
        }]);
        loaded.diagnostics.into_iter().map(|it| it.message).collect::<Vec<_>>()
    };
    assert_eq!(errors("{ a: { initial: true, aka: b }, b: }"), ["`b` is still the name of a state, so it cannot be an earlier name"]);
    assert_eq!(errors("{ a: { initial: true, aka: c }, b: { aka: c } }"), ["two states were called `c`: `a` and `b`"]);
}

/// A state with one history, two, or two others.
fn reader(histories: &str, resume: &str) -> Loaded {
    let text = format!(
        "machine: reader
context: {{ page: {{ type: state, optional: true }}, part: {{ type: state, optional: true }} }}
states:
  shut: {{ initial: true }}
  open: {{ history: {histories}, states: {{ a: {{ initial: true }}, b: {{}} }} }}
events: {{ resume: {{}}, turn: {{}}, close: {{}} }}
transitions:
  - {{ from: shut, event: resume, to: \"{resume}\" }}
  - {{ from: a, event: turn, to: b }}
  - {{ from: open, event: close, to: shut }}
"
    );
    read("reader.yaml", &text)
}

#[test]
fn histories_of_one_state_are_told_apart() {
    let both = "[page, { field: part, shallow: true }]";
    let cases = [
        (("page", "{page}"), (both, "{page}")),
        ((both, "{page}"), (both, "{part}")),
        ((both, "{page}"), ("[{ field: part, shallow: true }, page]", "{page}")),
        ((both, "{page}"), ("part", "{part}")),
    ];
    let mut text = String::new();
    for ((old, from), (new, to)) in cases {
        text.push_str(&format!("-- {old}, to {from}; now {new}, to {to}\n"));
        text.push_str(&shown(&reader(old, from), &reader(new, to), Format::Text));
    }
    insta::assert_snapshot!(text);
}

/// A machine with regions: the name, the former names and the leaves of each.
type Regions = Vec<(String, Vec<String>, Vec<String>)>;

fn with_regions(regions: &Regions) -> Loaded {
    let mut text = "machine: player\nregions:\n".to_owned();
    let mut rows = String::new();
    let mut events = vec!["none".to_owned()];
    for (name, former, leaves) in regions {
        let inside: Vec<String> =
            leaves.iter().enumerate().map(|(idx, it)| format!("{it}: {{ {} }}", if idx == 0 { "initial: true" } else { "" })).collect();
        text.push_str(&format!("  {name}: {{ aka: [{}], states: {{ {} }} }}\n", former.join(", "), inside.join(", ")));
        for it in leaves {
            events.push(format!("to_{it}"));
            rows.push_str(&format!("  - {{ from: {name}, event: to_{it}, to: {it} }}\n"));
        }
    }
    read("player.yaml", &format!("{text}events: [{}]\ntransitions:\n{rows}", events.join(", ")))
}

/// Every configuration: a leaf of each region.
fn configurations(regions: &Regions) -> Vec<Vec<(&str, &str)>> {
    let mut found = vec![Vec::new()];
    for (name, _, leaves) in regions {
        let mut more = Vec::new();
        for at in &found {
            for leaf in leaves {
                let mut at: Vec<(&str, &str)> = Clone::clone(at);
                at.push((name.as_str(), leaf.as_str()));
                more.push(at);
            }
        }
        found = more;
    }
    found
}

/// Whether the new machine reads everything that the old one may have stored, as text and as JSON.
fn reads_all(old: &Regions, new: &Regions, machine: &Loaded) -> bool {
    let machine = &model(machine).machines[0];
    configurations(old).into_iter().all(|at| {
        let text: Vec<&str> = at.iter().map(|it| it.1).collect();
        let as_text = machine.configuration_of(&text.join("+")).is_ok_and(|it| machine.configuration_text(&it) == text.join("+"));
        // An object with a value for each region.
        let as_json = at.len() == new.len()
            && at.iter().all(|(region, leaf)| new.iter().any(|(name, _, leaves)| name == region && leaves.iter().any(|it| it == leaf)));
        as_text && as_json
    })
}

#[test]
fn what_was_stored_by_a_machine_with_regions_is_read_or_told() {
    let regions = |of: &[(&str, &[&str], &[&str])]| -> Regions {
        let owned = |it: &[&str]| it.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
        of.iter().map(|(name, former, leaves)| ((*name).to_owned(), owned(former), owned(leaves))).collect()
    };
    let (power, playback): (&[&str], &[&str]) = (&["full", "low"], &["stopped", "playing", "held"]);
    let player = regions(&[("power", &[], power), ("playback", &[], playback)]);
    let mut text = String::new();
    for (what, new) in [
        ("a region more", regions(&[("power", &[], power), ("playback", &[], playback), ("net", &[], &["up", "down"])])),
        ("another order", regions(&[("playback", &[], playback), ("power", &[], power)])),
        ("another name", regions(&[("battery", &["power"], power), ("playback", &[], playback)])),
        ("a leaf moved", regions(&[("power", &[], &["full", "low", "held"]), ("playback", &[], &["stopped", "playing"])])),
        ("a leaf more", regions(&[("power", &[], power), ("playback", &[], &["stopped", "playing", "held", "faded"])])),
    ] {
        let (old, now) = (with_regions(&player), with_regions(&new));
        let is_breaking = found(&old, &now).iter().any(|it| it.class(&[Audience::Stored]) == Class::Breaking);
        assert_eq!(is_breaking, !reads_all(&player, &new, &now), "{what}");
        let told = found(&old, &now).into_iter().filter(|it| it.rule == Rule::StoredOtherwise);
        text.push_str(&format!("{what}: {}\n", told.map(|it| it.message).collect::<String>()));
    }
    insta::assert_snapshot!(text);
}

#[test]
fn random_changes_of_regions_are_breaking_if_what_was_stored_is_not_read() {
    let mut random = Random::new(11);
    let (mut n_read, mut n_broken) = (0, 0);
    for _ in 0..400 {
        let mut n_leaves = 0;
        let old: Regions = (0..2 + random.below(2))
            .map(|region| {
                let leaves = (0..1 + random.below(3)).map(|_| {
                    n_leaves += 1;
                    format!("l{n_leaves}")
                });
                (format!("r{region}"), Vec::new(), leaves.collect())
            })
            .collect();
        let mut new = old.clone();
        for _ in 0..random.below(3) {
            let (a, b) = (random.below(new.len()), random.below(new.len()));
            match random.below(7) {
                0 => new.swap(a, b),
                1 => {
                    n_leaves += 1;
                    new.push((format!("added{n_leaves}"), Vec::new(), vec![format!("l{n_leaves}")]));
                }
                2 => {
                    n_leaves += 1;
                    let former = std::mem::replace(&mut new[a].0, format!("renamed{n_leaves}"));
                    new[a].1.push(former);
                }
                3 if new[a].2.len() > 1 => {
                    let leaf = new[a].2.pop().unwrap();
                    new[b].2.push(leaf);
                }
                4 if new.len() > 2 => _ = new.remove(a),
                5 => new[a].2.reverse(),
                _ => {
                    n_leaves += 1;
                    new[b].2.push(format!("l{n_leaves}"));
                }
            }
        }
        let (before, now) = (with_regions(&old), with_regions(&new));
        let is_breaking = found(&before, &now).iter().any(|it| it.class(&[Audience::Stored]) == Class::Breaking);
        let reads = reads_all(&old, &new, &now);
        assert_eq!(is_breaking, !reads, "{old:?}\n{new:?}\n{}", shown(&before, &now, Format::Text));
        *(if reads { &mut n_read } else { &mut n_broken }) += 1;
    }
    assert!(n_read > 50 && n_broken > 50, "{n_read} {n_broken}");
}
