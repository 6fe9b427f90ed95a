//! `scan`: the machines of a repository, as the guide shows it.

use crate::support::Project;

/// The fenced blocks of the guide, by the language after the fence; a block of four backticks contains one of three.
fn block(language: &str) -> String {
    let page = include_str!("../../docs/guide/scan.md").replace("\r\n", "\n");
    let fence = if language == "markdown" { "````" } else { "```" };
    let start = format!("\n{fence}{language}\n");
    let begin = page.find(&start).unwrap_or_else(|| panic!("the guide has no block of {language}")) + start.len();
    let end = page[begin..].find(&format!("\n{fence}\n")).unwrap() + begin + 1;
    page[begin..end].to_owned()
}

fn project() -> Project {
    let project = Project::empty();
    project.put("overview.md", &block("markdown"));
    project.put("credit.rs", &block("rust"));
    project
}

#[test]
fn the_guide_shows_what_the_command_prints() {
    let run = project().statespec(&["scan"]);
    assert_eq!(run.code, Some(100), "{}", run.stderr);
    assert!(run.stdout.ends_with(&format!("\n{}", block("text"))), "{}", run.stdout);
    assert!(run.stdout.contains("error[compare::edge]: the edge `Suspended → Active` is missing in credit.rs#credit_line_status"));
    assert!(run.stdout.contains("decides every case, and refuses this one"), "{}", run.stdout);
}

#[test]
fn places_and_configuration_limit_the_scan() {
    let project = project();
    let told = |args: &[&str], code: i32, text: &str| {
        let run = project.statespec(args);
        let shown = run.stdout.clone() + &run.stderr;
        assert!(run.code == Some(code) && shown.contains(text), "{args:?}: {:?} {shown}", run.code);
    };
    told(&["scan", "overview.md"], 0, "1 machine in 1 file");
    told(&["scan", "gone"], 2, "`gone` is no file or folder of the project");
    told(&["scan", "--format", "github"], 100, "::error file=overview.md,line=7");
    project.put("statespec.toml", "[scan]\nignore = \"overview.md\"\nexcerpts = [\"overview.md#credit_line\"]\n");
    told(&["scan"], 0, "`overview.md#credit_line` in `[scan]` of statespec.toml is no machine that was found");
    project.put("statespec.toml", &block("toml"));
    told(&["scan"], 100, "1 disagreement for sure");
    project.put("statespec.toml", "[scan]\nexcerpt = \"x\"\n");
    told(&["scan"], 1, "did you mean `excerpts`?");
}

/// `--all` shows all groups; a repository needs no project for it.
#[test]
fn all_groups_are_shown_without_a_project() {
    let project = project();
    for args in [&["scan", "--all"][..], &["scan", "--all", "."], &["--all", "scan"]] {
        let run = project.statespec(args);
        assert!(run.code == Some(100) && run.stdout.contains("≠ Suspended → Active"), "{args:?}: {} {}", run.stdout, run.stderr);
    }
}

#[test]
fn a_repository_without_machines_is_silent() {
    let project = Project::empty();
    project.put("README.md", "Nothing here.\n");
    let run = project.statespec(&["scan"]);
    assert_eq!(
        (run.code, run.stdout.as_str()),
        (Some(0), "0 machines in 1 file, 0 of them in 0 groups of the same thing: 0 disagreements for sure, 0 possible\n")
    );
}

#[test]
fn markers_are_offered_for_what_agrees_with_a_spec() {
    let project = Project::empty();
    project.put("machines/order.yaml", include_str!("scan/order.yaml"));
    assert_eq!(project.statespec(&["gen"]).code, Some(0));
    let texts = [
        ("db/schema.sql", include_str!("scan/schema.sql"), "'closed'"),
        ("docs/order.md", include_str!("scan/order.md"), "paid --> closed"),
        ("web/order.ts", include_str!("scan/order.ts"), "\"paid\","),
        ("app/order.py", include_str!("scan/order.py"), "    PAID = \"paid\"\n"),
        ("api/order.proto", include_str!("scan/order.proto"), "  ORDER_STATUS_PAID = 3;\n"),
    ];
    texts.iter().for_each(|(path, text, _)| project.put(path, text));
    // It states another machine, so it gets no markers.
    project.put("web/old.ts", "export type OrderStatus = \"draft\" | \"in_review\" | \"paid\" | \"gone\";\n");
    let run = project.statespec(&["scan", "--guard"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    insta::assert_snapshot!("offered", format!("{}{}", run.stdout, run.stderr));
    for (path, text, _) in texts {
        assert_eq!(project.get(path), text, "{path} was changed by a run that only shows markers");
    }
    let write = || project.statespec(&["scan", "--guard", "--write"]);
    let run = write();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stdout.ends_with("wrote markers around 6 texts in 5 files; from now on, `check` compares them\n"), "{}", run.stdout);
    let check = || project.statespec(&["check"]);
    assert_eq!(check().code, Some(0), "{}", check().stderr);
    assert!(
        check().stderr.ends_with("checked 3 outputs: all up to date\ncompared 5 hand-written texts: all agree\n"),
        "{}",
        check().stderr
    );
    let again = write();
    assert_eq!((again.code, again.stdout.as_str()), (Some(0), "no text without markers agrees with a spec of the project\n"));
    for (path, _, part) in texts {
        let marked = project.get(path);
        project.edit(path, part, "");
        let code = if path == "db/schema.sql" { "drift::edited" } else { "expect::missing" };
        assert!(check().code == Some(100) && check().stderr.contains(code), "{path}: {}", check().stderr);
        project.put(path, &marked);
    }
}
