//! Small specs that expand: to edges, attributes, texts, outputs, and cases of the lints.

use super::{Case, bad, good};

/// Specs that expand.
pub(super) const CASES: &[Case] = &[
    // Texts.
    bad("a constant of 100 kB in 10,000 notes", || long_constant("", &format!("notes: [{}]\n", "\"{c}\",".repeat(10_000)))),
    bad("a constant of 100 kB, 10,000 times in one text", || long_constant(&format!("doc: \"{}\"\n", "{c}".repeat(10_000)), "")),
    bad("a constant of 100 kB in the docs of 2,000 states", || {
        let states: String = (1..2_000).map(|idx| format!("s{idx}: {{ doc: \"{{c}}\" }}, ")).collect();
        machine(&format!("constants: {{ c: {} }}\n", "x".repeat(100_000)), &states, "")
    }),
    bad("a constant of 100 kB in 2,000 attributes", || {
        let states: String = (1..2_000).map(|idx| format!("s{idx}: {{ attributes: {{ a: \"{{c}}\" }} }}, ")).collect();
        machine(
            &format!("constants: {{ c: {} }}\nattributes: {{ a: {{ type: text, optional: true }} }}\n", "x".repeat(100_000)),
            &states,
            "",
        )
    }),
    bad("a default of 100 kB for 10,000 states", || {
        machine(&format!("attributes: {{ a: {{ type: text, default: {} }} }}\n", "x".repeat(100_000)), &states(10_000), "")
    }),
    good("a text of 100 kB in 3,000 edges of one row", || {
        machine(EVENT, &states(3_000), &format!("{{ from: \"*\", event: e, to: a, doc: {} }}", "x".repeat(100_000)))
    }),
    bad("a refusal of 100 kB in 3,000 states", || {
        machine(EVENT, &states(3_000), &format!("{{ from: \"*\", event: e, refuse: {} }}", "x".repeat(100_000)))
    }),
    bad("a label of 100 kB for an event of 3,000 edges", || {
        machine(&format!("events: {{ e: {{ label: {} }} }}\n", "x".repeat(100_000)), &states(3_000), "{ from: \"*\", event: e, to: a }")
    }),
    bad("a label of 100 kB for a state with 3,000 edges", || {
        let inside = format!("b: {{ label: {}, states: {{ c: {{ initial: true }} }} }}, {}", "x".repeat(100_000), states(3_000));
        machine(EVENT, &inside, "{ from: \"*\", event: e, to: b }")
    }),
    bad("a wire name of 100 kB with 3,000 edges", || {
        machine(EVENT, &format!("b: {{ wire: {} }}, {}", "x".repeat(100_000), states(3_000)), "{ from: \"*\", event: e, to: b }")
    }),
    bad("a guard of 4 kB in 3,000 states", || {
        let guard = (0..300).map(|idx| format!("n != {idx}")).collect::<Vec<_>>().join(" and ");
        let row = format!("{{ from: \"*\", event: e, to: a, when: \"{guard}\", set: {{ n: n + 1 }} }}");
        machine(&format!("context: {{ n: int }}\n{EVENT}"), &states(3_000), &row)
    }),
    bad("2,000 assignments in 3,000 states", || {
        let fields: String = (0..2_000).map(|idx| format!("f{idx}: int, ")).collect();
        let set: String = (0..2_000).map(|idx| format!("f{idx}: f{idx} + 1, ")).collect();
        let row = format!("{{ from: \"*\", event: e, to: a, set: {{ {set} }} }}");
        machine(&format!("context: {{ {fields} }}\n{EVENT}"), &states(3_000), &row)
    }),
    bad("2,000 effects in 3,000 states", || {
        let effects: String = (0..2_000).map(|idx| format!("f{idx}: {{}}, ")).collect();
        let row = format!("{{ from: \"*\", event: e, to: a, do: [{}] }}", (0..2_000).map(|idx| format!("f{idx}, ")).collect::<String>());
        machine(&format!("effects: {{ {effects} }}\n{EVENT}"), &states(3_000), &row)
    }),
    // Edges.
    bad("a `\"*\"` row of 3,000 events over 3,000 states", || rows_of_all(3_000, 3_000, "to: a")),
    bad("a `\"*\"` row of 20,000 events over 20,000 states", || rows_of_all(20_000, 20_000, "to: a")),
    bad("a `\"*\"` refusal of 1,000 events over 1,000 states", || rows_of_all(1_000, 1_000, "refuse: no")),
    bad("3,000 `\"*\"` rows over 3,000 states", || {
        machine(EVENT, &states(3_000), &"{ from: \"*\", event: e, to: a, when: \"1 < 2\" }, ".repeat(3_000))
    }),
    bad("a row from 3,000 states to 3,000 states", || {
        let names = (0..3_000).map(|idx| format!("s{idx}, ")).collect::<String>();
        machine("", &states(3_000), &format!("{{ from: [{names}], to: [{names}] }}"))
    }),
    bad("rows of 40 nested composites over 10,000 states", || {
        let inner = format!("l0: {{ initial: true }}, {}", states(10_000));
        let nested = (0..20).fold(inner, |inner, idx| format!("c{idx}: {{ initial: true, states: {{ {inner} }} }}"));
        let rows: String = (0..20).map(|idx| format!("{{ from: c{idx}, event: e, to: a }}, ")).collect();
        machine(EVENT, &nested, &rows)
    }),
    bad("10,000 payload targets over 10,000 states", || {
        let events: String = (0..1_000).map(|idx| format!("e{idx}: {{ payload: {{ to: state }} }}, ")).collect();
        let names: String = (0..1_000).map(|idx| format!("e{idx}, ")).collect();
        machine(&format!("events: {{ {events} }}\n"), &states(1_000), &format!("{{ from: \"*\", event: [{names}], to: \"{{to}}\" }}"))
    }),
    bad("20 events that carry one of 100 states", || {
        let events: String = (0..20).map(|idx| format!("e{idx}: {{ payload: {{ to: state }} }}, ")).collect();
        let named: String = (0..20).map(|idx| format!("e{idx}, ")).collect();
        machine(&format!("events: {{ {events} }}\n"), &states(100), &format!("{{ from: \"*\", event: [{named}], to: \"{{to}}\" }}"))
    }),
    // Timers, regions, histories and automatic rows.
    bad("300 timers of 300 states each", || {
        let from: String = (0..300).map(|idx| format!("s{idx}, ")).collect();
        let rows: String = (0..300).map(|idx| format!("{{ from: [{from}], after: {}s, timer: t{idx}, to: a }}, ", idx + 1)).collect();
        machine("", &states(300), &rows)
    }),
    bad("600 states, each of which leaves 600 states of another region", || {
        let region = |name: &str| format!("r{name}: {{ states: {{ {name}: {{ initial: true }}, {} }} }}", names(600, name));
        let from: String = (0..600).map(|idx| format!("x{idx}, ")).collect();
        let row = format!("{{ from: [{from}], event: e, to: y1 }}");
        format!("machine: m\n{EVENT}regions: {{ {}, {} }}\ntransitions: [{row}]\n", region("x"), region("y")).into()
    }),
    good("12 regions of 12 states", || {
        let region = |at: usize| format!("r{at}: {{ states: {{ i{at}: {{ initial: true }}, {} }} }}, ", names(11, &format!("r{at}s")));
        let rows: String = (0..12).map(|at| format!("{{ from: \"*\", event: e{at}, to: r{at}s3 }}, ")).collect();
        let regions: String = (0..12).map(region).collect();
        format!("machine: m\nevents: {{ {} }}\nregions: {{ {regions} }}\ntransitions: [{rows}]\n", names(12, "e")).into()
    }),
    good("100 histories, each of 20 states", || {
        let fields: String = (0..100).map(|idx| format!("h{idx}: {{ type: state, optional: true }}, ")).collect();
        let inside = |at: usize| {
            format!("c{at}: {{ history: h{at}, states: {{ i{at}: {{ initial: true }}, {} }} }}, ", names(19, &format!("c{at}s")))
        };
        let rows: String = (0..100)
            .map(|at| format!("{{ from: a, event: e{at}, to: \"{{h{at}}}\" }}, {{ from: c{at}, event: e{at}, to: a }}, "))
            .collect();
        let composites: String = (0..100).map(inside).collect();
        machine(&format!("context: {{ {fields} }}\nevents: {{ {} }}\n", names(100, "e")), &composites, &rows)
    }),
    good("200 automatic rows behind 30 predicates", || {
        let row = |idx: usize| format!("{{ from: s{idx}, automatic: true, when: p{}, to: s{} }}, ", idx % 30, idx + 1);
        let rows: String = (0..200).map(row).collect();
        let keys = format!("predicates: {{ {} }}\nevents: {{ e: {{}}, f: {{}} }}\n", names(30, "p"));
        machine(&keys, &states(201), &format!("{{ from: a, event: e, to: s0 }}, {{ from: \"*\", event: f, to: s7 }}, {rows}"))
    }),
    // States by something else.
    bad("1,000 attributes over 1,000 states", || {
        let attributes: String = (0..1_000).map(|idx| format!("a{idx}: {{ type: int, default: 1 }}, ")).collect();
        machine(&format!("attributes: {{ {attributes} }}\n"), &states(1_000), "")
    }),
    bad("3,000 states and 3,000 events without a row", || {
        machine(&format!("events: {{ {} }}\n", names(3_000, "e")), &states(3_000), "{ from: a, event: e0, to: a }")
    }),
    bad("3,000 states, each with a direct row to all others", || {
        let names = (0..1_000).map(|idx| format!("s{idx}, ")).collect::<String>();
        machine("", &states(1_000), &format!("{{ from: \"*\", to: [{names}] }}"))
    }),
    good("20,000 states in a ring", || {
        let rows: String = (0..20_000).map(|idx| format!("{{ from: s{idx}, event: e, to: s{} }}, ", (idx + 1) % 20_000)).collect();
        machine(EVENT, &states(20_000), &rows)
    }),
    good("20,000 rows of one state, each with its event", || {
        let rows: String = (0..20_000).map(|idx| format!("{{ from: a, event: e{idx}, to: a }}, ")).collect();
        machine(&format!("events: {{ {} }}\n", names(20_000, "e")), "", &rows)
    }),
    // Lists of one kind.
    bad("30,000 fields, each assigned and read", || {
        let fields: String = (0..30_000).map(|idx| format!("f{idx}: int, ")).collect();
        let set: String = (0..30_000).map(|idx| format!("f{idx}: f{} + 1, ", (idx + 1) % 30_000)).collect();
        machine(&format!("context: {{ {fields} }}\n{EVENT}"), "", &format!("{{ from: a, event: e, to: a, set: {{ {set} }} }}"))
    }),
    bad("10,000 payload fields", || {
        let fields: String = (0..10_000).map(|idx| format!("f{idx}: int, ")).collect();
        machine(&format!("events: {{ e: {{ payload: {{ {fields} }} }} }}\n"), "", "{ from: a, event: e, to: a }")
    }),
    bad("20,000 effects", || {
        let rows: String = (0..20_000).map(|idx| format!("f{idx}, ")).collect();
        machine(&format!("effects: {{ {} }}\n{EVENT}", names(20_000, "f")), "", &format!("{{ from: a, event: e, to: a, do: [{rows}] }}"))
    }),
    bad("20,000 predicates", || {
        let rows: String = (0..20_000).map(|idx| format!("{{ from: a, event: e, to: a, when: p{idx} }}, ")).collect();
        machine(&format!("predicates: {{ {} }}\n{EVENT}", names(20_000, "p")), "", &rows)
    }),
    bad("20,000 actors", || {
        let actors: String = (0..20_000).map(|idx| format!("a{idx}: x, ")).collect();
        let by: String = (0..20_000).map(|idx| format!("a{idx}, ")).collect();
        machine(&format!("actors: {{ {actors} }}\nevents: {{ e: {{ by: [{by}] }} }}\n"), "", "{ from: a, event: e, to: a }")
    }),
    bad("an enum of 30,000 values", || {
        let values: String = (0..30_000).map(|idx| format!("v{idx}, ")).collect();
        machine(
            &format!("enums: {{ k: [{values}] }}\ncontext: {{ f: {{ type: k, default: v0 }} }}\n{EVENT}"),
            "",
            "{ from: a, event: e, to: a, when: f != v7, set: { f: v29999 } }",
        )
    }),
    good("150 fields of an enum of 3,000 values", || {
        let values: String = (0..3_000).map(|idx| format!("v{idx}, ")).collect();
        let fields: String = (0..150).map(|idx| format!("f{idx}: {{ type: k, default: v0 }}, ")).collect();
        let guard = (0..150).map(|idx| format!("f{idx} != v{idx}")).collect::<Vec<_>>().join(" and ");
        machine(
            &format!("enums: {{ k: [{values}] }}\ncontext: {{ {fields} }}\n{EVENT}"),
            "",
            &format!("{{ from: a, event: e, to: a, when: \"{guard}\" }}"),
        )
    }),
    good("1,000 fields, each assigned and read", || {
        let fields: String = (0..1_000).map(|idx| format!("f{idx}: bool, ")).collect();
        let set: String = (0..1_000).map(|idx| format!("f{idx}: f{}, ", (idx + 1) % 1_000)).collect();
        let row = |idx: usize| format!("{{ from: a, event: e, when: \"f{idx}\", to: a }}, ");
        let rows: String = (0..1_000).map(row).collect();
        machine(&format!("context: {{ {fields} }}\n{EVENT}"), "", &format!("{rows}{{ from: a, event: e, to: a, set: {{ {set} }} }}"))
    }),
    good("3,000 effects of one row", || {
        let rows: String = (0..3_000).map(|idx| format!("f{idx}, ")).collect();
        machine(&format!("effects: {{ {} }}\n{EVENT}", names(3_000, "f")), "", &format!("{{ from: a, event: e, to: a, do: [{rows}] }}"))
    }),
    good("a `\"*\"` row of 140 events over 140 states", || rows_of_all(140, 140, "to: a")),
    good("a `\"*\"` row of 19,000 states", || machine(EVENT, &states(19_000), "{ from: \"*\", event: e, to: a }")),
    good("a row that names 19,000 states", || {
        machine(
            EVENT,
            &states(19_000),
            &format!("{{ from: [{}], event: e, to: a }}", (0..19_000).map(|idx| format!("s{idx}, ")).collect::<String>()),
        )
    }),
    good("20 rows of all but 15,000 of 15,100 states", || {
        let row = format!(
            "{{ from: \"*\", except: [{}], event: e, when: n > 3, to: a }}, ",
            (0..15_000).map(|idx| format!("s{idx}, ")).collect::<String>()
        );
        machine(&format!("context: {{ n: int }}\n{EVENT}"), &states(15_100), &row.repeat(20))
    }),
    // Cases of the lints.
    good("10 rows of 200 disjunctions", || {
        guards(10, 60, |row| (0..200).map(|at| format!("n == {}", row * 200 + at)).collect::<Vec<_>>().join(" or "))
    }),
    good("10 rows of 150 disjunctions of two variables", || {
        guards(10, 60, |row| (0..150).map(|at| format!("(n == {} and b{})", row * 150 + at, at % 60)).collect::<Vec<_>>().join(" or "))
    }),
    good("10 rows of 150 disjunctions of texts", || {
        guards(10, 60, |row| (0..150).map(|at| format!("t == '{}{at}'", "x".repeat(row + 1))).collect::<Vec<_>>().join(" or "))
    }),
    good("40 rows of 60 excluded numbers", || {
        guards(40, 60, |row| (0..60).map(|at| format!("n != {}", row * 60 + at)).collect::<Vec<_>>().join(" and "))
    }),
    good("one guard of 300 excluded numbers", || {
        guards(1, 1, |_| (0..300).map(|at| format!("n != {at}")).collect::<Vec<_>>().join(" and "))
    }),
    good("60 rows over 30 booleans", || {
        guards(60, 30, |row| {
            (0..30).map(|at| format!("{}b{at}", if row >> (at % 6) & 1 == 1 { "not " } else { "" })).collect::<Vec<_>>().join(" and ")
        })
    }),
    good("48 rows over 30 booleans", || {
        guards(48, 30, |row| {
            (0..30).map(|at| format!("{}b{at}", if row >> (at % 6) & 1 == 1 { "not " } else { "" })).collect::<Vec<_>>().join(" and ")
        })
    }),
    good("48 rows of 8 disjunctions of 3 booleans", || {
        guards(48, 60, |row| {
            (0..8)
                .map(|at| format!("(b{} or b{} or not b{})", (row + at) % 60, (row * 7 + at) % 60, (row * 3 + at * 5) % 60))
                .collect::<Vec<_>>()
                .join(" and ")
        })
    }),
    good("200 events, each with 40 rows of two disjunctions", || {
        let flags: String = (0..40).map(|idx| format!("b{idx}: bool, ")).collect();
        let rows: String = (0..200 * 40)
            .map(|idx| {
                format!(
                    "{{ from: a, event: e{}, to: a, when: \"(b{} or n > {idx}) and (b{} or n < {idx})\" }},\n",
                    idx / 40,
                    idx % 40,
                    (idx + 1) % 40
                )
            })
            .collect();
        machine(&format!("context: {{ n: int, {flags} }}\nevents: {{ {} }}\n", names(200, "e")), "", &rows)
    }),
    good("30 guarded rows of 400 events", || {
        let rows: String = (0..30)
            .map(|idx| {
                format!(
                    "{{ from: a, event: [{}], to: a, when: \"n > {idx} and n < {}\" }},\n",
                    (0..400).map(|it| format!("e{it}, ")).collect::<String>(),
                    idx + 2
                )
            })
            .collect();
        machine(&format!("context: {{ n: int }}\nevents: {{ {} }}\n", names(1_000, "e")), "", &rows)
    }),
    good("20 settling events over 900 states", || {
        let events: String = (0..20).map(|idx| format!("e{idx}: {{ payload: {{ p: int, q: int, r: decimal }} }}, ")).collect();
        let settle: String = (0..20).map(|idx| format!("e{idx}, ")).collect();
        let rows: String = (0..20)
            .map(|idx| format!("{{ from: \"*\", event: e{idx}, to: s{idx}, when: \"p > {idx} and q < {idx} or r > 0.{idx}\" }}, "))
            .collect();
        machine(&format!("events: {{ {events} }}\nsettle: [{settle}]\n"), &states(900), &rows)
    }),
    // Outputs.
    Case { others: || vec![("machines/p0.yaml", page(0, 400))], ..bad("a page with 400 tables of 3,000 edges", tables) },
    Case {
        others: || PAGES.iter().enumerate().map(|(idx, path)| (*path, page(idx, 1))).collect(),
        ..good("8 pages with a table of 3,000 edges each", tables)
    },
    Case {
        others: || {
            let parts: String = (0..200).map(|idx| format!("p{idx}: {{ machine: m }}, ")).collect();
            let transactions: String = (0..200).map(|idx| format!("t{idx}: {{ fire: p{idx}.e }}, ")).collect();
            let links: String = (1..200).map(|idx| format!("{{ enter: p{}.a, fire: p{idx}.e }}, ", idx - 1)).collect();
            vec![("machines/s.yaml", format!("system: s\nparts: {{ {parts} }}\ntransactions: {{ {transactions} }}\nlinks: [{links}]\n"))]
        },
        ..good("a system of 200 parts in a chain", || machine(EVENT, "", "{ from: a, event: e, to: a }"))
    },
    good("10,000 states with 50,000 edges", || {
        let row = |idx: usize| format!("  - {{ from: s{}, event: e{}, to: s{} }}\n", idx % 10_000, idx / 10_000, (idx * 7 + 1) % 10_000);
        let rows: String = (0..50_000).map(row).collect();
        format!(
            "machine: m\nevents: {{ {} }}\nstates: {{ a: {{ initial: true }}, {} }}\ntransitions:\n{rows}",
            names(5, "e"),
            states(10_000)
        )
        .into()
    }),
];

const EVENT: &str = "events: { e: {} }\n";

const PAGES: &[&str] = &[
    "machines/p0.yaml",
    "machines/p1.yaml",
    "machines/p2.yaml",
    "machines/p3.yaml",
    "machines/p4.yaml",
    "machines/p5.yaml",
    "machines/p6.yaml",
    "machines/p7.yaml",
];

/// A machine with further keys, states besides `a`, and rows.
fn machine(keys: &str, states: &str, rows: &str) -> Vec<u8> {
    format!("machine: m\n{keys}states: {{ a: {{ initial: true }}, {states} }}\ntransitions: [{rows}]\n").into()
}

/// A machine with a constant of 100 kB, and further keys.
fn long_constant(before: &str, after: &str) -> Vec<u8> {
    machine(&format!("{before}constants: {{ c: {} }}\n{after}", "x".repeat(100_000)), "", "")
}

/// `s0: {}, s1: {}` and so on.
fn states(n: usize) -> String {
    names(n, "s")
}

fn names(n: usize, word: &str) -> String {
    (0..n).map(|idx| format!("{word}{idx}: {{}}, ")).collect()
}

/// A machine in which one row names some events, in all of some states.
fn rows_of_all(n_events: usize, n_states: usize, outcome: &str) -> Vec<u8> {
    let named: String = (0..n_events).map(|idx| format!("e{idx}, ")).collect();
    let row = format!("{{ from: \"*\", event: [{named}], {outcome} }}");
    machine(&format!("events: {{ {} }}\n", names(n_events, "e")), &states(n_states), &row)
}

/// A machine with guarded edges of one state and event, over some flags, a number and a text.
fn guards(n: usize, n_flags: usize, when: fn(usize) -> String) -> Vec<u8> {
    let flags: String = (0..n_flags).map(|idx| format!("b{idx}: bool, ")).collect();
    let edges: String =
        (0..n).map(|idx| format!("{{ from: a, event: e, to: a, when: \"{}\", set: {{ n: {idx} }} }},\n", when(idx))).collect();
    machine(&format!("context: {{ n: int, t: text, {flags} }}\n{EVENT}"), "", &edges)
}

/// A machine of 60 states with 50 events each.
fn tables() -> Vec<u8> {
    rows_of_all(50, 60, "to: a")
}

fn page(idx: usize, n_tables: usize) -> String {
    format!("document: p{idx}\npath: docs/p{idx}.md\ntitle: t\nof: m\nsections: [{{ show: [{}] }}]\n", "transitions, ".repeat(n_tables))
}
