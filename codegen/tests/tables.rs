//! The rules of tables, as the guide states them: each form on the page is read, and its texts are the inputs of these tests.

use std::collections::BTreeSet;

use pulldown_cmark::{Event, Options as MarkdownOptions, Parser, Tag, TagEnd};
use statespec_codegen::diagnostic::Code;
use statespec_codegen::model::machine::Outcome;
use statespec_codegen::source::{Input, Sources};
use statespec_import::{Options, import, statements};

use crate::project::{model, read};

const PAGE: &str = "docs/guide/tables.md";

/// A cell: its text, and its texts in code marks.
type Cell = (String, Vec<String>);

/// The tables of the page: rows of cells.
fn tables() -> Vec<Vec<Vec<Cell>>> {
    let page = read(PAGE).unwrap();
    let mut tables: Vec<Vec<Vec<Cell>>> = Vec::new();
    let mut cell: Option<Cell> = None;
    for event in Parser::new_ext(&page, MarkdownOptions::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Table(_)) => tables.push(Vec::new()),
            Event::Start(Tag::TableHead | Tag::TableRow) => tables.last_mut().unwrap().push(Vec::new()),
            Event::Start(Tag::TableCell) => cell = Some((String::new(), Vec::new())),
            Event::End(TagEnd::TableCell) => tables.last_mut().unwrap().last_mut().unwrap().extend(cell.take()),
            Event::Text(text) => cell.iter_mut().for_each(|it| it.0.push_str(&text)),
            Event::Code(code) => cell.iter_mut().for_each(|it| it.1.push(code.to_string())),
            _ => {}
        }
    }
    tables
}

/// The texts in code marks of the rows of the table with this first heading.
fn forms(heading: &str) -> Vec<(String, Vec<String>)> {
    let all = tables();
    let table = all.iter().find(|it| it[0][0].0 == heading).unwrap_or_else(|| panic!("no table with the heading `{heading}`"));
    table[1..].iter().map(|row| (row[0].0.clone(), row[1].1.clone())).collect()
}

/// The texts in code marks of the line of the page that begins like this, from a word on.
fn listed(begin: &str, from: &str) -> Vec<String> {
    let page = read(PAGE).unwrap();
    let line = page.lines().find(|it| it.starts_with(begin)).unwrap_or_else(|| panic!("no line `{begin}…`"));
    let list = line.split_once(from).unwrap_or_else(|| panic!("no `{from}` in `{line}`")).1;
    list.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// What is read of a page with one table: its steps, `a -go-> b`, or `None`; its ends; and what the report says.
struct Read {
    steps: Option<BTreeSet<String>>,
    ends: BTreeSet<String>,
    starts: Vec<String>,
    yaml: String,
    report: String,
}

fn table(heading: &str, rows: &[&str]) -> String {
    let n_columns = heading.trim_matches('|').split('|').count();
    format!("## Door states\n\n{heading}\n{}|\n{}\n", "| - ".repeat(n_columns), rows.join("\n"))
}

fn import_page(page: &str) -> Read {
    let imported = import("door.md", page, &Options::default());
    let findings = imported.findings();
    let messages: Vec<String> = findings.iter().filter(|it| it.code != Code::ImportAdded).map(|it| it.message.clone()).collect();
    let report = messages.join("\n");
    let Some(spec) = imported.specs.first() else {
        return Read { steps: None, ends: BTreeSet::new(), starts: Vec::new(), yaml: String::new(), report };
    };
    let (_, model) = model(&[Input { path: "machines/it.yaml".into(), text: spec.yaml.clone() }]);
    let machine = &model.machines[0];
    let name = |id| machine.state(id).name.clone();
    let step = |edge: &statespec_codegen::model::machine::Edge| {
        let row = machine.transition(edge.transition);
        let events: Vec<&str> = row.events().iter().map(|it| machine.event(*it).name.as_str()).collect();
        let to = if edge.outcome == Outcome::Stay { "=".to_owned() } else { machine.targets(edge).into_iter().map(name).collect() };
        format!("{} -{}-> {to}", edge.from.map_or("[*]".to_owned(), name), events.join(","))
    };
    let is_certain = !findings.iter().any(|it| it.code == Code::ImportAdded);
    Read {
        steps: Some(machine.edges.iter().map(step).collect()),
        ends: machine.leaves().filter(|it| machine.is_sink(*it)).map(name).collect(),
        starts: machine.initial().leaves().filter(|_| is_certain).map(name).collect(),
        yaml: spec.yaml.clone(),
        report,
    }
}

fn steps(steps: &[&str]) -> Option<BTreeSet<String>> {
    Some(steps.iter().map(|it| (*it).to_owned()).collect())
}

/// Each heading of the page makes the column that the page says.
#[test]
fn every_heading_makes_its_column() {
    let mut n_headings = 0;
    for (column, headings) in forms("Column") {
        // `A → B` is the form of the cells.
        for heading in headings.into_iter().filter(|it| !it.contains('→')) {
            n_headings += 1;
            let (head, rows): (String, &[&str]) = match column.as_str() {
                "source" => (format!("| {heading} | Next | Trigger |"), &["| p | q | go |", "| q | p | back |"]),
                "target" => (format!("| From | {heading} | Trigger |"), &["| p | q | go |", "| q | p | back |"]),
                "event" => (format!("| From | {heading} | To |"), &["| p | go | q |", "| q | back | p |"]),
                "guard" | "effect" | "actor" | "text" => {
                    (format!("| From | To | Trigger | {heading} |"), &["| p | q | go | polite |", "| q | p | back | |"])
                }
                "allowed" => {
                    let rows = &["| p | q | go | yes |", "| q | p | back | ✓ |", "| q | r | leave | no |"];
                    (format!("| From | To | Trigger | {heading} |"), rows)
                }
                "both sides" => (format!("| {heading} | Trigger |"), &["| p → q | go |", "| q → p | back |"]),
                other => panic!("the page has a column `{other}`, which no test knows"),
            };
            let read = import_page(&table(&head, rows));
            assert_eq!(read.steps, steps(&["p -go-> q", "q -back-> p"]), "{column} `{heading}`: {}\n{}", read.report, read.yaml);
            assert_eq!(read.report, "", "{column} `{heading}`");
            let says = match column.as_str() {
                "guard" => "when: ",
                "effect" => "do: ",
                "actor" => "by: ",
                "text" => "doc: ",
                _ => continue,
            };
            let has_it = read.yaml.lines().any(|it| it.contains(says) && it.contains("polite"));
            assert!(has_it, "{column} `{heading}`: {}", read.yaml);
        }
    }
    assert!(n_headings > 40, "only {n_headings} headings were found");
}

/// Each form of a cell of states is read as the page says.
#[test]
fn every_form_of_a_cell_is_read() {
    let mut n_forms = 0;
    let head = "| State | Next state | Event |";
    for (form, examples) in forms("Form") {
        for example in examples {
            n_forms += 1;
            let cell = example.replace('|', "\\|");
            let check = |rows: &[&str], expected: Option<BTreeSet<String>>| {
                let read = import_page(&table(head, rows));
                assert_eq!(read.steps, expected, "{form}: `{example}`: {}", read.report);
                assert_eq!(read.report, "", "{form}: `{example}`");
                read
            };
            match form.as_str() {
                "a name" => {
                    let other = if example.starts_with('`') { "`x`" } else { "x" };
                    let name = example.trim_matches('`').replace("In Progress", "in_progress");
                    let rows = [format!("| {cell} | {other} | go |"), format!("| {other} | {cell} | back |")];
                    check(&[&rows[0], &rows[1]], steps(&[&format!("{name} -go-> x"), &format!("x -back-> {name}")]));
                }
                "several names" => {
                    let words = example.split(|it: char| !it.is_alphabetic()).filter(|it| !it.is_empty() && *it != "or");
                    let [one, two] = words.collect::<Vec<_>>()[..] else { panic!("`{example}` has no two names") };
                    let rows = [format!("| {cell} | {one}s | go |"), format!("| {one}s | {one} | x |"), format!("| {one}s | {two} | w |")];
                    let expected = ["{1} -go-> {1}s", "{2} -go-> {1}s", "{1}s -x-> {1}", "{1}s -w-> {2}"];
                    let expected = expected.map(|it| it.replace("{1}", one).replace("{2}", two));
                    check(&[&rows[0], &rows[1], &rows[2]], steps(&expected.each_ref().map(String::as_str)));
                }
                "every state (sources)" => {
                    let any = format!("| {cell} | q | go |");
                    check(&["| p | q | x |", &any, "| q | p | w |"], steps(&["p -go-> q", "q -go-> q", "p -x-> q", "q -w-> p"]));
                }
                "no change (targets)" => {
                    let stay = format!("| q | {cell} | go |");
                    check(&["| p | q | x |", &stay, "| q | p | w |"], steps(&["p -x-> q", "q -go-> =", "q -w-> p"]));
                }
                "an end (targets)" => {
                    let end = format!("| q | {cell} | |");
                    let read = check(&["| p | q | x |", &end], steps(&["p -x-> q"]));
                    assert_eq!(read.ends, BTreeSet::from(["q".to_owned()]), "`{example}`");
                }
                "a start (sources)" => {
                    let start = format!("| {cell} | q | |");
                    let read = check(&[&start, "| p | q | x |", "| q | p | w |"], steps(&["p -x-> q", "q -w-> p"]));
                    assert_eq!(read.starts, ["q"], "`{example}`");
                }
                "refused (targets)" => {
                    let refused = format!("| q | {cell} | undo |");
                    check(&["| p | q | x |", &refused, "| q | p | w |"], steps(&["p -x-> q", "q -w-> p"]));
                }
                other => panic!("the page has a form `{other}`, which no test knows"),
            }
        }
    }
    assert!(n_forms > 25, "only {n_forms} examples were found");
}

/// Sentences of the page, each with rows and whether they are read; the page must have the sentence.
const ROWS: &[(&str, &str, bool)] = &[
    ("up to four words", "| One Two Three Four | One Two Three Four | go |", true),
    ("up to four words", "| One Two Three Four Five | One Two Three Four Five | go |", false),
    ("with several words, it begins each with a capital or stands in two cells", "| waiting room | q | go |", false),
    ("with several words, it begins each with a capital or stands in two cells", "| waiting room | waiting room | go |", true),
    ("no word of sentences, such as `the`, `if`, `not`, `back` or `previous`", "| the_end or not | q | go |", false),
    ("it is written like the others", "| ODD | q | go |", false),
    ("A number is a name in code marks only.", "| 7 | q | go |", false),
    (
        "In a list, a name that is the end of another one, such as `PART` beside `PAID_PART`, stands in a further cell.",
        "| long_p, p | q | go |",
        true,
    ),
    (
        "In a list, a name that is the end of another one, such as `PART` beside `PAID_PART`, stands in a further cell.",
        "| long_s / s | q | go |",
        false,
    ),
    ("If names of the table stand in code marks, all of its names do.", "| `odd` | q | go |", false),
    ("The target is empty, or an end or a dash behind an event or a condition.", "| p | | go |", false),
    ("The target is empty, or an end or a dash behind an event or a condition.", "| p | (terminal) | go |", false),
    ("The target is empty, or an end or a dash behind an event or a condition.", "| p | — | go |", false),
    ("differs from another one in its case or marks only", "| Q | p | go |", false),
    ("differs from another one in its case or marks only", "| p | q | X |", false),
    ("The row has several sources and several targets", "| p, r | p, q | go |", false),
    ("several events and several targets", "| p | p, q | go, come |", false),
    ("A remark in parentheses", "| p | q | go (quickly) |", false),
    ("a second sentence", "| p | q | Go. Then come |", false),
    ("words beside code marks", "| p | q | on `go` |", false),
    ("lists texts in code marks, words, or words with capitals, as `pay, cancel`", "| p | q | pay, cancel |", true),
    ("or it is one event of several words, with `[guard]` behind it", "| p | q | pay all of it [has money] |", true),
];

#[test]
fn every_rule_of_a_row_holds() {
    let page = read(PAGE).unwrap();
    for (sentence, row, is_read) in ROWS {
        assert!(page.contains(sentence), "the page does not say `{sentence}`");
        let read = import_page(&table("| State | Next state | Event |", &["| p | q | x |", "| q | p | w |", "| p | r | z |", row]));
        assert_eq!(!read.report.contains("was not read"), *is_read, "{sentence}: {row}: {}\n{}", read.report, read.yaml);
    }
}

/// A cell of another column that begins with a refusal.
#[test]
fn a_refusal_in_any_column_leaves_the_row_unread() {
    let begin = "- A cell of another column begins with a refusal:";
    let [always, but_text] = ["refusal: ", "; "].map(|it| listed(begin, it));
    let row = |column: &str, cell: &str| {
        let cell = cell.replace('…', "now");
        let head = format!("| State | Next state | Event | {column} |");
        import_page(&table(&head, &["| p | q | x | |", "| q | p | w | |", &format!("| p | r | go | {cell} |")])).report
    };
    assert_eq!((always.len(), but_text.len()), (4, 2));
    for cell in &always {
        for column in ["Effect", "Actor", "Condition"] {
            assert!(row(column, cell).contains("this row was not read"), "{column}: {cell}");
        }
        assert_eq!(row("Notes", cell).contains("this row was not read"), !but_text.contains(cell), "{cell}");
    }
}

/// The words of headings and sentences around a table.
#[test]
fn the_text_around_a_table_decides_as_the_page_says() {
    let rows = "| From | To | Trigger |\n| - | - | - |\n| p | q | x |\n| q | p | w |\n";
    let is_read = |page: &str| !import("door.md", page, &Options::default()).specs.is_empty();
    let of_states = listed("- If no heading speaks of states", "has a word such as");
    assert!(of_states.len() > 4);
    for word in of_states {
        assert!(is_read(&format!("## The {word} of a door\n\n{rows}")), "{word}");
        assert!(is_read(&format!("## Doors\n\nThe {word}:\n\n{rows}")), "{word}");
    }
    assert!(!is_read(&format!("## Doors\n\n{rows}")));
    let no_event = "| From | To |\n| - | - |\n| p | q |\n| q | p |\n";
    assert!(is_read(&format!("## States\n\n{no_event}")) && !is_read(&format!("## Doors\n\nThe states:\n\n{no_event}")));
    for word in listed("- The heading above it, and the last sentence before it", "have no word such as") {
        assert!(!is_read(&format!("## Door states, {word}\n\n{rows}")), "{word}");
        assert!(!is_read(&format!("## Door states\n\nSome are {word}:\n\n{rows}")), "{word}");
    }
    for heading in listed("- No heading says that the rows are about something else", "such as") {
        let rows = format!("| State | Next state | Event | {heading} |\n| - | - | - | - |\n| p | q | x | 1 |\n| q | p | w | 2 |\n");
        assert!(!is_read(&format!("## Door states\n\n{rows}")), "{heading}");
    }
    let verdict = "| State | Next state | Event | Odd |\n| - | - | - | - |\n| p | q | x | yes |\n| q | p | w | no |\n";
    assert!(!is_read(&format!("## Door states\n\n{verdict}")));
    let half = "| State | Next state | Event |\n| - | - | - |\n| p | q | x |\n| q | | w |\n| q | | z |\n";
    assert!(!is_read(&format!("## Door states\n\n{half}")));
}

/// Cells of events, guards, effects and actors that name none.
#[test]
fn cells_that_name_nothing_are_none() {
    let page = read(PAGE).unwrap();
    for text in ["`automatic` is no event", "`always` and `—` are none", "up to four words without `if`, `when` or the like"] {
        assert!(page.contains(text), "the page does not say `{text}`");
    }
    let head = "| State | Next state | Event | Guard | Effect |";
    let read = import_page(&table(
        head,
        &["| p | q | automatic | always | — |", "| q | p | w | — | ring the bell |", "| p | r | z | | ring if late |"],
    ));
    assert_eq!(read.steps, steps(&["p --> q", "q -w-> p", "p -z-> r"]));
    assert_eq!(read.report, "`ring if late` is no list of names: the effects of this row were left out");
    assert!(!read.yaml.contains("when:") && read.yaml.contains("ring_the_bell"), "{}", read.yaml);
}

/// A page that lists the values of a status: a table, or bullets.
#[test]
fn lists_of_states_are_read() {
    let heads = ["State", "Status", "Phase", "Value"];
    let lists = heads.map(|it| format!("| {it} | Description |\n| - | - |\n| `open` | It is open. |\n| `shut` | It is shut. |\n"));
    let bullets =
        ["- `open`: it is open\n- `shut`: it is shut\n", "* `open` – wide\n* `shut`\n", "1. `open` (wide)\n2. `shut`\n"].map(str::to_owned);
    for list in lists.iter().chain(&bullets) {
        let mut sources = Sources::default();
        let id = sources.add("door.md", &format!("## Door status\n\nThe possible values:\n\n{list}"));
        let found = statements(&sources, id).found;
        let names: Vec<&str> = found.iter().flat_map(|it| &it.states).map(|it| it.name.as_str()).collect();
        assert_eq!(names, ["open", "shut"], "{list}");
    }
}

/// A matrix of many cells is read in time by their number: 40,000 of them in seconds, also where nothing is optimised.
#[test]
fn a_large_matrix_is_read() {
    let n_states = 200;
    let names: Vec<String> = (0..n_states).map(|it| format!("s{it}")).collect();
    let mut page = format!("## States\n\n| From \\ To | {} |\n|{}\n", names.join(" | "), " - |".repeat(n_states + 1));
    for name in &names {
        page.push_str(&format!("| {name} |{}\n", " ✓ |".repeat(n_states)));
    }
    let mut sources = Sources::default();
    let id = sources.add("door.md", &page);
    let found = statements(&sources, id).found;
    assert_eq!(found.iter().map(|it| (it.states.len(), it.edges.len())).collect::<Vec<_>>(), [(n_states, n_states * n_states)]);
}
