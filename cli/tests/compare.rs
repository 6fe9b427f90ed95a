//! `compare`: two sources side by side, as the guide shows it.

use crate::scan::guide;
use crate::support::Project;

fn project() -> Project {
    let project = Project::empty();
    project.put("credit.md", &guide("markdown", 0));
    project.put("credit.rs", &guide("rust", 0));
    project
}

#[test]
fn the_guide_shows_what_the_command_prints() {
    let project = project();
    project.put("overview.md", &project.get("credit.md"));
    let run = project.statespec(&["compare", "overview.md", "credit.rs"]);
    assert_eq!(run.code, Some(100), "{}", run.stderr);
    assert!(run.stdout.ends_with(&format!("\n{}", guide("text", 2))), "{}", run.stdout);
    assert!(run.stdout.contains("error[compare::edge]: the edge `Suspended → Active` is missing in credit.rs#credit_line_status"));
}

#[test]
fn sources_that_agree_exit_with_0() {
    let project = project();
    let run = project.statespec(&["compare", "credit.md", "credit.md"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stdout.ends_with("both state the same\n"), "{}", run.stdout);
}

#[test]
fn a_report_for_programs_has_both_places() {
    let project = project();
    let run = project.statespec(&["compare", "credit.md", "credit.rs", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    let [finding] = report["annotations"].as_array().unwrap().as_slice() else { panic!("{report:#}") };
    assert_eq!((&finding["code"], &finding["place"]["line"]), (&"compare::edge".into(), &7.into()), "{finding:#}");
    let github = project.statespec(&["compare", "credit.md", "credit.rs", "--format", "github"]).stdout;
    assert!(github.starts_with("::error file=credit.md,line=7"), "{github}");
}

#[test]
fn a_source_that_is_not_clear_says_what_to_write() {
    let project = project();
    project.put("two.md", "# A\n\n```mermaid\nstateDiagram-v2\n  [*] --> on\n  on --> off\n```\n\n## B\n\n```mermaid\nstateDiagram-v2\n  [*] --> up\n  up --> down\n```\n");
    project.put("prose.md", "Nothing here.\n");
    let compare = |first: &str| project.statespec(&["compare", first, "credit.md"]);
    let told = |first: &str, code: i32, text: &str| {
        let run = compare(first);
        let shown = run.stdout.clone() + &run.stderr;
        assert!(run.code == Some(code) && shown.contains(text), "{first}: {:?} {shown}", run.code);
    };
    told("two.md", 2, "`two.md` has several machines; name one of `two.md#a`, `two.md#b`");
    told("two.md#c", 2, "`two.md` has no machine of that name; there are: `two.md#a`, `two.md#b`");
    told("two.md#b", 100, "the state `up` is missing in credit.md#credit_line");
    told("prose.md", 1, "no state diagram was found in this page, and no table that the import knows as one of transitions");
    told("missing.md", 1, "cannot read `missing.md`");
}
