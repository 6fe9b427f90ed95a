//! Hand-written texts in a project: found, compared, never rewritten, as the guide shows it.

use crate::support::Project;

/// The fenced blocks of the guide, in order.
fn blocks() -> Vec<String> {
    let page = include_str!("../../docs/guide/expect.md").replace("\r\n", "\n");
    let parts: Vec<&str> = page.split("```").collect();
    parts.iter().skip(1).step_by(2).filter_map(|it| Some(it.split_once('\n')?.1.to_owned())).collect()
}

/// The project of the guide, with its outputs.
fn project() -> Project {
    let project = Project::empty();
    project.put("machines/order.yaml", &blocks()[0]);
    let run = project.statespec(&["gen"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    project
}

#[test]
fn the_guide_shows_what_the_check_prints() {
    let project = project();
    project.put("migrations/1.sql", &blocks()[1]);
    let run = project.statespec(&["check"]);
    assert_eq!(run.code, Some(100), "{}", run.stderr);
    assert_eq!(run.stderr, blocks()[2]);
    // Generating finds the same, and rewrites nothing.
    let run = project.statespec(&["gen", "--force"]);
    assert_eq!((run.code, project.get("migrations/1.sql")), (Some(100), blocks()[1].clone()), "{}", run.stderr);
    project.edit("migrations/1.sql", "'payed'", "'PAID'");
    let run = project.statespec(&["check"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stderr.ends_with("compared 1 hand-written text: all agree\n"), "{}", run.stderr);
}

#[test]
fn a_review_is_renewed_on_request_only() {
    let project = project();
    project.put("docs/about.md", &blocks()[3].replace('\n', "\r\n"));
    let check = || project.statespec(&["check"]);
    assert!(check().code == Some(100) && check().stderr.contains("expect::reread"), "{}", check().stderr);
    assert_eq!(project.statespec(&["gen"]).code, Some(100));
    let accept = || project.statespec(&["gen", "--accept"]);
    let run = accept();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stderr.contains("recorded that docs/about.md (order) was read again\n"), "{}", run.stderr);
    let reviewed = project.get("docs/about.md");
    let digest = reviewed.strip_prefix("<!-- statespec:reviewed order@").and_then(|it| it.split_once(" -->\r\n")).map(|it| it.0).unwrap();
    assert!(digest.len() == 16 && reviewed.ends_with("is not accepted.\r\n"), "{reviewed:?}");
    assert_eq!(check().code, Some(0), "{}", check().stderr);
    assert_eq!((accept().code, project.get("docs/about.md")), (Some(0), reviewed.clone()), "nothing changed, so nothing is written");
    // Other words are not another meaning.
    project.edit("machines/order.yaml", "closed: { terminal: true }", "closed: { terminal: true, doc: Over. }");
    assert_eq!(project.statespec(&["gen"]).code, Some(0));
    project.edit("machines/order.yaml", "limit: 100", "limit: 200");
    let run = project.statespec(&["gen"]);
    assert!(run.code == Some(100) && run.stderr.contains("`order` means something else"), "{}", run.stderr);
    assert_eq!(project.get("docs/about.md"), reviewed);
    assert_eq!((accept().code, check().code), (Some(0), Some(0)));
    assert_ne!(project.get("docs/about.md"), reviewed);
}

#[test]
fn a_review_is_recorded_whatever_the_file_begins_with_or_said_not_to_be() {
    let project = project();
    let text = "<!-- statespec:reviewed order -->\n\nThe limit of an order.\n";
    project.put("docs/mark.md", &format!("\u{feff}{text}"));
    project.put("docs/plain.md", text);
    let run = project.statespec(&["gen", "--accept"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let recorded = project.get("docs/plain.md");
    assert!(recorded.starts_with("<!-- statespec:reviewed order@"), "{recorded}");
    assert_eq!(project.get("docs/mark.md"), format!("\u{feff}{recorded}"));
    assert_eq!(project.statespec(&["check"]).code, Some(0));
    // Latin-1, of which only the ASCII would be read.
    let latin = [b"# Caf\xe9\n\n", text.as_bytes()].concat();
    std::fs::write(project.path().join("docs/latin.md"), &latin).unwrap();
    let run = project.statespec(&["gen", "--accept"]);
    assert_eq!(run.code, Some(100), "{}", run.stderr);
    assert!(run.stderr.contains("did not record that docs/latin.md was read again: save it in UTF-8\n"), "{}", run.stderr);
    assert_eq!(std::fs::read(project.path().join("docs/latin.md")).unwrap(), latin);
}

#[test]
fn the_search_leaves_out_what_is_not_the_projects() {
    let project = project();
    let wrong = "# statespec:expect order.events\nsubmit\n# statespec:end\n";
    for path in [".hidden/a.py", "target/a.py", "node_modules/x/a.py", "ignored/a.py", "other/a.py", "web/built.py"] {
        project.put(path, wrong);
    }
    project.put(".gitignore", "/ignored/\nbuilt.py\n");
    project.put("other/statespec.toml", "");
    project.put("data.bin", &format!("\0{wrong}"));
    let run = project.statespec(&["check"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    project.put("app/a.py", wrong);
    project.put("lib/a.py", wrong);
    let found = |args: &[&str]| {
        let run = project.statespec(args);
        (run.code, run.stderr.matches("error[expect::missing]").count())
    };
    assert_eq!(found(&["check"]), (Some(100), 4));
    // The configuration, a file, or a kind of outputs narrows the search.
    assert_eq!(found(&["check", "lib/a.py"]), (Some(100), 2));
    assert_eq!(found(&["check", "machines/order.yaml"]), (Some(100), 4));
    assert_eq!(found(&["check", "--only", "docs"]), (Some(0), 0));
    project.put("statespec.toml", "expect = [\"lib\", \"nowhere\"]\n");
    assert_eq!(found(&["check"]), (Some(100), 2));
    let warned = project.statespec(&["check"]).stderr;
    assert!(warned.contains("`expect` in statespec.toml names it, and it does not exist"), "{warned}");
}

#[test]
fn reports_for_programs_have_both_places() {
    let project = project();
    project.put("migrations/1.sql", &blocks()[1]);
    let run = project.statespec(&["check", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    let places: Vec<(&str, &str)> = report["annotations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| (it["place"]["file"].as_str().unwrap(), it["related"][0]["place"]["file"].as_str().unwrap()))
        .collect();
    assert_eq!(places, [("migrations/1.sql", "machines/order.yaml"); 2], "{report:#}");
}

#[test]
fn a_page_can_have_regions_and_guarded_texts() {
    let project = project();
    let page = "# Order\n\n<!-- statespec:begin order.diagram -->\n<!-- statespec:end order.diagram -->\n\n<!-- statespec:expect order.events -->\n`submit`, `pay` and `archive`.\n<!-- statespec:end -->\n\n<!-- statespec:reviewed order -->\n";
    project.put("docs/page.md", page);
    let run = project.statespec(&["gen", "--accept"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stderr.ends_with("compared 2 hand-written texts: all agree\n"), "{}", run.stderr);
    assert!(project.get("docs/page.md").contains("stateDiagram"));
    assert_eq!(project.statespec(&["check"]).code, Some(0));
}
