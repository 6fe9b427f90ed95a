//! Small repositories: which sources are taken for the same thing, and what is said of their disagreements.

use std::fs;
use std::path::{Path, PathBuf};

use statespec_codegen::diagnostic::{Style, render};
use statespec_codegen::source::Sources;
use statespec_codegen::{sync, walk};
use statespec_scan::compare::Fact;
use statespec_scan::compare::{Statement, compare};
use statespec_scan::{Confirmed, Meant, Scan, read, read_source, scan};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/scan").join(name)
}

/// The report on a repository: findings about what is confirmed, then the candidates.
fn report(name: &str, ignored: &[&str], confirmed: &Confirmed) -> String {
    let found = read(&folder(name), walk::files(&folder(name), ""), &|path| ignored.contains(&path), sync::regions);
    assert!(found.unread.is_empty() && found.problems.is_empty(), "{:?}", found.problems);
    let scan = scan(found.statements, &found.sources, confirmed);
    let unfound = confirmed.names().filter_map(|it| confirmed.find(&scan.statements, it).err());
    let unfound: Vec<String> = unfound.map(|it| format!("unfound: {} of {}\n", it.name, it.others.join(", "))).collect();
    let alone: Vec<String> = scan.alone().map(|it| format!("alone: {}\n", it.place())).collect();
    render(&found.sources, &scan.findings(), Style::Plain)
        + &scan.text(&found.sources, usize::MAX)
        + &unfound.concat()
        + &alone.concat()
        + &scan.summary(found.n_files)
}

#[test]
fn what_code_refuses_and_pages_allow() {
    insta::assert_snapshot!("scan__credit", report("credit", &[], &Confirmed::default()));
}

#[test]
fn what_an_excerpt_lacks_is_no_difference() {
    let same = vec![vec!["docs/ticket.md#tickets_in_short".into(), "machines/ticket.yaml#ticket".into()]];
    let confirmed = Confirmed { same, ..Confirmed::default() };
    insta::assert_snapshot!("scan__excerpt", report("excerpt", &[], &confirmed));
    let excerpts = vec!["docs/ticket.md#tickets_in_short".into(), "docs/gone.md#ticket".into()];
    insta::assert_snapshot!("scan__excerpt_told", report("excerpt", &[], &Confirmed { excerpts, ..confirmed }));
}

/// A meant difference is no finding; one that does not exist is not needed.
#[test]
fn a_meant_difference_is_told_by_its_fact() {
    let (page, spec) = ("docs/ticket.md#tickets_in_short", "machines/ticket.yaml#ticket");
    let same = vec![vec![page.to_owned(), spec.to_owned()]];
    let meant = |fact: Fact, words: &str| Meant { source: page.into(), fact, words: words.into() };
    let scanned = |meant: Vec<Meant>| {
        let found = read(&folder("excerpt"), walk::files(&folder("excerpt"), ""), &|_| false, sync::regions);
        scan(found.statements, &found.sources, &Confirmed { same: same.clone(), meant, ..Confirmed::default() })
    };
    let facts = |scan: &Scan| -> Vec<String> {
        scan.confirmed.iter().flat_map(|it| &it.differences).map(|(fact, line)| format!("{} {}", fact.name(), line.fact)).collect()
    };
    assert_eq!(facts(&scanned(Vec::new())), ["state waiting"]);
    assert_eq!(facts(&scanned(vec![meant(Fact::State, "Waiting")])), Vec::<String>::new());
    let other = scanned(vec![meant(Fact::Edge, "waiting -> solved"), meant(Fact::State, "waiting")]);
    assert_eq!((facts(&other), other.not_needed), (Vec::new(), vec![0]));
}

/// The report, with what could not be read.
fn report_with_problems(name: &str) -> String {
    let found = read(&folder(name), walk::files(&folder(name), ""), &|_| false, sync::regions);
    let problems = render(&found.sources, &found.problems, Style::Plain);
    let scan = scan(found.statements, &found.sources, &Confirmed::default());
    problems + &scan.text(&found.sources, usize::MAX) + &scan.summary(found.n_files)
}

#[test]
fn transitions_of_an_enum_of_another_file() {
    insta::assert_snapshot!("scan__elsewhere", report("elsewhere", &[], &Confirmed::default()));
    insta::assert_snapshot!("scan__re_exported", report("re-exported", &[], &Confirmed::default()));
    insta::assert_snapshot!("scan__same_name", report("same-name", &[], &Confirmed::default()));
    insta::assert_snapshot!("scan__parts", report("parts", &[], &Confirmed::default()));
}

#[test]
fn one_file_is_read_with_the_enum_of_another() {
    let mut sources = Sources::default();
    let mut statement = |path: &str| {
        let id = sources.add(path, &fs::read_to_string(folder("elsewhere").join(path)).unwrap());
        let mut read = read_source(&folder("elsewhere"), &mut sources, id);
        assert!(read.problems.is_empty() && read.found.len() == 1, "{read:?}");
        read.found.remove(0)
    };
    let (page, code) = (statement("docs/order.md"), statement("src/service.rs"));
    insta::assert_snapshot!("scan__one_file", compare(&[&page, &code]).text(&sources));
}

#[test]
fn it_is_open_which_enum_is_meant() {
    insta::assert_snapshot!("scan__ambiguous", report_with_problems("ambiguous"));
    insta::assert_snapshot!("scan__knots", report_with_problems("knots"));
}

#[test]
fn the_same_states_of_two_things() {
    insta::assert_snapshot!("scan__two_things", report("two-things", &[], &Confirmed::default()));
}

#[test]
fn names_with_a_common_beginning() {
    insta::assert_snapshot!("scan__prefixes", report("prefixes", &[], &Confirmed::default()));
}

/// Diagrams that are no state diagrams are none of the scan's business.
#[test]
fn two_plantuml_diagrams_and_code() {
    insta::assert_snapshot!("scan__plantuml", report("plantuml", &[], &Confirmed::default()));
}

#[test]
fn what_the_project_tells() {
    let (ticket, support) = ("docs/ticket.md#tickets_in_short".to_owned(), "docs/support.md#support_cases".to_owned());
    let pair = || vec![vec![ticket.clone(), support.clone()]];
    let same = Confirmed { same: pair(), ..Confirmed::default() };
    let different = Confirmed { different: pair(), ..Confirmed::default() };
    insta::assert_snapshot!("scan__told_same", report("told", &[], &same));
    insta::assert_snapshot!("scan__told_different", report("told", &[], &different));
    insta::assert_snapshot!("scan__ignored", report("told", &[&support], &same));
}

#[test]
fn sets_of_states_in_other_languages() {
    insta::assert_snapshot!("scan__languages", report("languages", &[], &Confirmed::default()));
}

/// Names in CamelCase and quotes, names of one word inside of a class, and lists that hold under a condition only.
#[test]
fn sets_have_the_names_that_people_gave_them() {
    let found = read(&folder("names"), walk::files(&folder("names"), ""), &|_| false, sync::regions);
    assert!(found.problems.is_empty(), "{:?}", found.problems);
    let states = |it: &Statement| it.states.iter().map(|it| it.name.as_str()).collect::<Vec<_>>().join(" ");
    let read: Vec<String> = found.statements.iter().map(|it| format!("{}: {}", it.place(), states(it))).collect();
    assert_eq!(
        read,
        [
            "app/models.py#delivery_status: NEW DONE",
            "app/models.py#delivery_state_choices: near far",
            "app/models.py#phase: FIRST SECOND",
            "db/parcels.sql#parcels_status: packed sent arrived",
            "db/parcels.sql#parcels_stage: in out",
            "prisma/migrations/1_init/migration.sql#invoice_status: OPEN SENT PAID",
            "prisma/migrations/1_init/migration.sql#payment_pay_status: new paid refunded",
            "prisma/migrations/2_more/migration.sql#job_state: QUEUED RUNNING DONE",
        ]
    );
}

#[test]
fn what_is_no_set_of_states() {
    insta::assert_snapshot!("scan__no_machines", report("no-machines", &[], &Confirmed::default()));
}

#[test]
fn sets_of_states_in_databases_and_interfaces() {
    insta::assert_snapshot!("scan__databases", report("databases", &[], &Confirmed::default()));
}

/// What looks like one thing: all of it is proposed, with its score, and nothing of it is a finding.
#[test]
fn what_looks_like_one_thing_is_proposed() {
    insta::assert_snapshot!("scan__false_alarms", report("false-alarms", &[], &Confirmed::default()));
    insta::assert_snapshot!("scan__no_mistakes", report_with_problems("no-mistakes"));
}

#[test]
fn one_state_in_two_spellings() {
    insta::assert_snapshot!("scan__spellings", report("spellings", &[], &Confirmed::default()));
}

/// Variants of one chart, types that another program sees, a second checkout, a row for any state: the score of each.
#[test]
fn what_a_survey_found_is_proposed() {
    for (snapshot, folders) in [("scan__false_alarms_2", "false-alarms-2"), ("scan__half_real", "half-real")] {
        let inner = fs::read_dir(folder(folders)).unwrap().map(|it| it.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = inner.collect();
        names.sort();
        let reports = names.iter().map(|it| format!("==== {it}\n{}\n", report_with_problems(&format!("{folders}/{it}"))));
        insta::assert_snapshot!(snapshot, reports.collect::<String>());
    }
}

/// A query that keeps each part of a list takes time by the square or the cube of their number.
#[test]
fn long_lists_take_little_time() {
    let parts = |separator: &str, part: &dyn Fn(usize) -> String| (0..3_000).map(part).collect::<Vec<String>>().join(separator);
    let union = format!("export type OrderStatus = {}\n", parts(" | ", &|it| format!("'s{it}'")));
    let array = format!("export const JOB_STATUSES = [{}] as const\n", parts(", ", &|it| format!("'s{it}'")));
    let object = format!("export const TaskStatus = {{{}}} as const\n", parts(", ", &|it| format!("s{it}: 's{it}'")));
    let mut sources = Sources::default();
    let id = sources.add("long.ts", &(union + &array + &object));
    let start = std::time::Instant::now();
    let found = read_source(Path::new(""), &mut sources, id).found;
    assert_eq!(found.iter().map(|it| it.states.len()).collect::<Vec<_>>(), [3_000, 3_000, 3_000]);
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}

/// One text of each language whose sets of states are found by a query.
#[test]
fn every_query_fits_its_grammar() {
    for (name, text) in [
        ("order.ts", "export enum OrderStatus { Open = 'open', Shut = 'shut' }\n"),
        ("order.mts", "export enum OrderStatus { Open = 'open', Shut = 'shut' }\n"),
        ("order.tsx", "export enum OrderStatus { Open = 'open', Shut = 'shut' }\n"),
        ("order.py", "class OrderStatus(Enum):\n    OPEN = 'open'\n    SHUT = 'shut'\n"),
        ("order.go", "package a\n\ntype OrderStatus string\n\nconst (\n\tOpen OrderStatus = \"open\"\n\tShut OrderStatus = \"shut\"\n)\n"),
        ("Order.java", "enum OrderStatus { OPEN, SHUT }\n"),
        ("Order.kt", "enum class OrderStatus { OPEN, SHUT }\n"),
        ("Order.cs", "enum OrderStatus { Open, Shut }\n"),
        ("order.proto", "enum OrderStatus {\n  OPEN = 0;\n  SHUT = 1;\n}\n"),
        ("order.graphql", "enum OrderStatus {\n  OPEN\n  SHUT\n}\n"),
    ] {
        let mut sources = Sources::default();
        let id = sources.add(name, text);
        let read = read_source(Path::new(""), &mut sources, id);
        assert_eq!(read.problems.iter().map(|it| it.message.as_str()).collect::<Vec<_>>(), Vec::<&str>::new(), "{name}");
        assert_eq!(read.found.iter().map(|it| it.states.len()).collect::<Vec<_>>(), [2], "{name}");
    }
}

/// A file whose text the quick look passes over is never parsed: that look must not pass over a text with states.
#[test]
fn the_quick_look_passes_every_text_with_states() {
    let mut open = vec![folder("")];
    let mut n_with_states = 0;
    while let Some(next) = open.pop() {
        for path in fs::read_dir(next).unwrap().map(|it| it.unwrap().path()) {
            let extension = path.extension().map(|it| it.to_str().unwrap().to_owned()).unwrap_or_default();
            if path.is_dir() {
                open.push(path);
            } else if ["ts", "mts", "cts", "tsx", "py", "pyi", "go", "java", "kt", "cs", "proto", "graphql", "gql", "graphqls"]
                .contains(&extension.as_str())
            {
                // Under a name that is not that of a test, and alone.
                let alone = tempfile::tempdir().unwrap();
                let name = format!("it.{extension}");
                fs::copy(&path, alone.path().join(&name)).unwrap();
                let mut sources = Sources::default();
                let id = sources.add(&name, &fs::read_to_string(&path).unwrap());
                let parsed = read_source(alone.path(), &mut sources, id).found.len();
                let found = read(alone.path(), vec![name], &|_| false, sync::regions).statements.len();
                n_with_states += usize::from(parsed > 0);
                assert_eq!(parsed > 0, found > 0, "{}", path.display());
            }
        }
    }
    assert!(n_with_states > 20, "{n_with_states}");
}
