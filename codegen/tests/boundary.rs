//! Conformance tests have a case on each side of each comparison, next to the boundary.

use statespec_codegen::backend::conformance::outputs;

use crate::project::model;
use statespec_codegen::source::Input;

/// The tests of a machine with one event, whose payload has a value `it` of this type.
fn cases(ty: &str, rows: &str) -> String {
    let text = format!(
        "machine: g\ncontext: {{ n: int }}\npredicates: {{ p: {{}} }}\nstates: {{ held: {{ initial: true }}, done: {{ terminal: true }} }}\n\
         events: {{ take: {{ payload: {{ it: {ty} }} }} }}\ntransitions:\n{rows}"
    );
    let (_, model) = model(&[Input { path: "machines/g.yaml".into(), text }]);
    let file = outputs(&model, "c").files.into_iter().find(|it| it.0 == "c/g.rs").unwrap().1;
    file.render().unwrap().text.into_owned()
}

#[test]
fn a_comparison_has_a_case_on_each_side() {
    let rows = |guard: &str| format!("  - {{ from: held, event: take, when: '{guard}', to: done }}\n");
    for (ty, guard, expected) in [
        ("int", "it > 0", &["Int(0)", "Int(1)"][..]),
        ("int", "100 <= it", &["Int(99)", "Int(100)"]),
        ("int", "it > 0 and it < 7", &["Int(0)", "Int(1)", "Int(6)", "Int(7)"]),
        ("int", "not (it > 3 or p)", &["Int(3)", "Int(4)"]),
        ("decimal", "it >= 0.70", &["Decimal(\"0.699\")", "Decimal(\"0.70\")"]),
        ("decimal", "it > 100", &["Decimal(\"100\")", "Decimal(\"100.1\")"]),
        ("int", "it + 2 > 10", &["Int(8)", "Int(9)"]),
        ("int", "it * 3 - 1 >= 100", &["Int(33)", "Int(34)"]),
        ("decimal", "it * 2 > 7", &["Decimal(\"3.5\")", "Decimal(\"3.6\")"]),
        ("duration", "it * 2 > 30s", &["Duration(15000000)", "Duration(15000001)"]),
        ("int", "it > n", &["Int(0)", "Int(1)"]),
        ("duration", "it > 30s", &["Duration(30000000)", "Duration(30000001)"]),
        ("timestamp", "it < 2020-01-01T00:00:00Z", &["Timestamp(1577836799999999)", "Timestamp(1577836800000000)"]),
        ("text", "len(it) <= 2", &["Text(\"𝄞x\")", "Text(\"𝄞xx\")"]),
    ] {
        let text = cases(ty, &rows(guard));
        for value in expected {
            assert!(text.contains(&format!("(\"it\", {value})")), "{guard}: {value} is in no case\n{text}");
        }
    }
}

#[test]
fn a_guard_behind_another_is_tried_at_its_own_boundary() {
    let rows = "  - { from: held, event: take, when: it > 100, refuse: more than is allowed }\n  - { from: held, event: take, when: it > 0, to: done }\n";
    let text = cases("int", rows);
    for (value, result) in [(0, "refused()"), (1, "to(\"done\")"), (100, "to(\"done\")"), (101, "refused()")] {
        assert!(text.contains(&format!("Event(\"take\", &[(\"it\", Int({value}))]).{result}")), "{value}\n{text}");
    }
}

#[test]
fn a_machine_with_too_many_cases_has_no_tests() {
    let states: String = (0..100).map(|it| format!("  s{it}: {{{}}}\n", if it == 0 { " initial: true " } else { "" })).collect();
    let machine = |n_events: usize| {
        let events: Vec<String> = (0..n_events).map(|it| format!("e{it}: {{ payload: {{ t: state }} }}")).collect();
        let names: Vec<String> = (0..n_events).map(|it| format!("e{it}")).collect();
        format!(
            "machine: m\nstates:\n{states}events: {{ {} }}\ntransitions:\n  - {{ from: \"*\", event: [{}], to: \"{{t}}\" }}\n",
            events.join(", "),
            names.join(", ")
        )
    };
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("machines")).unwrap();
    std::fs::write(folder.path().join("statespec.toml"), "[conformance]\nout = 'c'\n[docs]\npages = false\n").unwrap();
    for n_events in [3, 20] {
        std::fs::write(folder.path().join("machines/m.yaml"), machine(n_events)).unwrap();
        let project = statespec_codegen::project::Project::open(folder.path()).unwrap();
        let options = statespec_codegen::report::RenderOptions { full_diff: false, style: statespec_codegen::diagnostic::Style::Plain };
        let begun = std::time::Instant::now();
        let report = project.run(|_| Ok(Default::default()), statespec_codegen::sync::Mode::Check, options);
        assert!(report.text.contains("allowed"), "{}", report.text);
        assert!(begun.elapsed().as_secs() < 20);
    }
}
