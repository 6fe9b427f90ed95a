//! The cases of the SCXML test framework in the interpreter: a case passes if each configuration is as its script says.

use xtask::scxml_cases::{Outcome, run_interpreted};

const CHART: &str = r#"<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
    <!-- <data id="x"/> -->
    <parallel id="p">
        <state id="a"><transition event="t" cond="In('b2')" target="c"/></state>
        <state id="b"><state id="b1"><transition event="t" target="b2"/></state><state id="b2"/></state>
    </parallel>
    <state id="c"/>
</scxml>"#;

const TIMED: &str = r#"<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
    <state id="a"><onentry><send event="s" delay="10ms"/></onentry><transition event="s" target="b"/></state>
    <state id="b"/>
</scxml>"#;

/// The number of cases with data, and what became of the others.
fn run(cases: &[(&str, &str, String)]) -> (usize, Vec<Outcome>) {
    let folder = tempfile::tempdir().unwrap();
    for (name, chart, script) in cases {
        std::fs::write(folder.path().join(format!("{name}.scxml")), chart).unwrap();
        std::fs::write(folder.path().join(format!("{name}.json")), script).unwrap();
    }
    run_interpreted(folder.path()).unwrap()
}

fn script(last: &str) -> String {
    format!(
        r#"{{ "initialConfiguration": ["a", "b1"], "events": [
            {{ "event": {{ "name": "t" }}, "nextConfiguration": ["a", "b2"] }},
            {{ "event": {{ "name": "t" }}, "nextConfiguration": ["{last}"] }}] }}"#
    )
}

#[test]
fn a_case_passes_if_each_configuration_is_as_the_script_says() {
    let (n_data, cases) = run(&[("right", CHART, script("c")), ("wrong", CHART, script("a"))]);
    let [(_, right), (_, wrong)] = cases.as_slice() else { panic!("{cases:?}") };
    assert_eq!((n_data, right), (0, &Ok(())));
    let why = wrong.as_ref().expect_err("it passed");
    assert!(why.starts_with("after event 2, `t` it is in c, not in a"), "{why}");
}

#[test]
fn time_passes_where_a_script_says_so() {
    let script = |after: u32, place: &str| {
        let step = format!(r#"{{ "after": {after}, "event": {{ "name": "t" }}, "nextConfiguration": ["{place}"] }}"#);
        format!(r#"{{ "initialConfiguration": ["a"], "events": [{step}] }}"#)
    };
    let (_, cases) = run(&[("early", TIMED, script(9, "a")), ("late", TIMED, script(10, "b"))]);
    assert_eq!(cases, [("early".to_owned(), Ok(())), ("late".to_owned(), Ok(()))]);
}

#[test]
fn cases_with_data_are_left_out() {
    let with = |inside: &str| CHART.replace("<state id=\"c\"/>", inside);
    let assigns = with("<state id=\"c\"><onentry><assign location=\"x\" expr=\"1\"/></onentry></state>");
    let compares = with("<state id=\"c\"><transition cond=\"x > 1 &amp;&amp; In('a')\" target=\"a\"/></state>");
    let (n_data, cases) = run(&[("assigns", &assigns, script("c")), ("compares", &compares, script("c")), ("asks", CHART, script("c"))]);
    assert_eq!((n_data, cases), (2, vec![("asks".to_owned(), Ok(()))]));
}
