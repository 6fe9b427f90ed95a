//! The command as programs and terminals see it: streams, exit codes, help, printed output.

use crate::support::Project;

fn green() -> Project {
    let project = Project::cargo();
    project.new_ticket();
    project
}

#[test]
fn reports_go_to_stderr_and_what_was_asked_for_to_stdout() {
    let project = green();
    project.edit("machines/ticket.yaml", "title: \"Ticket\"", "title: \"Job\"");
    for (args, code, is_asked_for) in [
        (&["check"][..], 100, false),
        (&["check", "--format", "json"], 100, true),
        (&["check", "--format", "github"], 100, true),
        (&["check", "--format", "sarif"], 100, true),
        (&["gen", "--dry-run"], 0, false),
        (&["lint"], 0, false),
        (&["lint", "--format", "json"], 0, true),
        (&["explain", "drift::stale"], 0, true),
        (&["explain", "drift::stall"], 2, false),
        (&["schema", "machine"], 0, true),
        (&["export"], 0, true),
        (&["export", "ticket", "--format", "dot"], 0, true),
        (&["export", "tickt"], 2, false),
        (&["explore", "tickt"], 2, false),
        (&["explore", "--instances", "nobody=2"], 2, false),
        (&["play", "tickt"], 2, false),
        (&["schema", "machin"], 2, false),
        (&["explain"], 0, true),
        (&["explain", "dead-end"], 0, true),
        (&["explain", "dead-ends"], 2, false),
        (&["new"], 2, false),
        (&["new", "1st"], 2, false),
        (&["import", "-", "--markers"], 2, false),
        (&["check", "--root", "nowhere"], 2, false),
        (&["check", "--root", ".", "--all"], 2, false),
        (&["completions", "bash"], 0, true),
        (&["man"], 0, true),
        (&["man", "gen"], 0, true),
        (&["man", "no"], 2, false),
        (&["no"], 2, false),
        (&["gen", "--only", "docs"], 0, false),
        (&["check"], 0, false),
    ] {
        let run = project.cargo_statespec(args);
        assert_eq!(run.code, Some(code), "{args:?}: {}", run.stderr);
        assert_eq!((run.stdout.is_empty(), run.stderr.is_empty()), (!is_asked_for, is_asked_for), "{args:?}: {}{}", run.stdout, run.stderr);
        assert!(!run.stderr.contains('\u{1b}') && !run.stdout.contains('\u{1b}'), "no colours where nobody sees them: {args:?}");
    }
}

#[test]
fn a_lint_is_explained_by_the_name_in_the_configuration() {
    let project = Project::empty();
    let explained = project.statespec(&["explain", "dead-end"]).stdout;
    assert!(explained.starts_with("lint::dead-end\n\n"), "{explained}");
    assert_eq!(project.statespec(&["explain", "lint::dead-end"]).stdout, explained);
    for (name, near) in [("dead-ends", "dead-end"), ("drift::stall", "drift::stale"), ("lint::dead-ends", "lint::dead-end")] {
        let run = project.statespec(&["explain", name]);
        assert!(run.stderr.contains(&format!("did you mean `{near}`?")), "{}", run.stderr);
    }
    let all = project.statespec(&["explain"]).stdout;
    assert_eq!(all.lines().count(), statespec_codegen::diagnostic::Code::ALL.len());
    assert!(all.contains("\nlint::dead-end  "), "{all}");
}

/// Runs a script in bash that completes a command line, and returns the candidates.
#[cfg(unix)]
fn completed(script: &str, words: &[&str]) -> Option<String> {
    let words = words.iter().map(|it| format!("'{it}'")).collect::<Vec<_>>().join(" ");
    let test = format!(
        "_old() {{ COMPREPLY=(old); }}; complete -F _old cargo\n{script}\n{script}\nCOMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}}-1))\n\
         [[ $(complete -p \"${{COMP_WORDS[0]}}\") =~ -F\\ ([^ ]+) ]]\n\
         \"${{BASH_REMATCH[1]}}\" \"${{COMP_WORDS[0]}}\" \"${{COMP_WORDS[COMP_CWORD]}}\" \"${{COMP_WORDS[COMP_CWORD-1]}}\"\necho \"${{COMPREPLY[*]}}\"\n"
    );
    let output = std::process::Command::new("bash").args(["--norc", "-c", &test]).output();
    let missing = |error| crate::checks::Missing::new(format!("`bash` does not run: {error}"), "install bash");
    let output = crate::checks::needed("completions in bash", output.map_err(missing))?;
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).unwrap().trim().to_owned())
}

#[cfg(unix)]
#[test]
fn bash_completes_the_command_of_cargo_and_leaves_the_others() {
    let project = Project::empty();
    let (of_cargo, own) = (project.cargo_statespec(&["completions", "bash"]).stdout, project.statespec(&["completions", "bash"]).stdout);
    for (script, words, expected) in [
        (&of_cargo, &["cargo", "statespec", "ch"][..], "check"),
        (&of_cargo, &["cargo", "+nightly", "statespec", "check", "--fo"], "--format"),
        (&of_cargo, &["cargo", "statespec", "check", "--format", ""], "text json github sarif"),
        (&of_cargo, &["cargo", "statespec", "explain", "dead"], "dead-end"),
        (&of_cargo, &["cargo-statespec", "exp"], "explain export explore"),
        (&of_cargo, &["cargo", "bu"], "old"),
        (&own, &["statespec", "lint", "--form"], "--format"),
    ] {
        // Without bash there is nothing to try.
        let Some(found) = completed(script, words) else { return };
        assert_eq!(found, expected, "{words:?}");
    }
}

#[test]
fn what_is_printed_is_what_it_says() {
    let project = green();
    let json = |args: &[&str]| serde_json::from_str::<serde_json::Value>(&project.statespec(args).stdout).unwrap();
    assert_eq!(json(&["export"])["machines"][0]["states"][1]["name"], "running");
    assert_eq!(json(&["export", "ticket"])["initial"], "queued");
    assert_eq!(json(&["schema", "config"])["title"], "statespec config");
    assert_eq!(json(&["check", "--format", "json"])["status"], "clean");
    insta::assert_snapshot!("export_dot", project.statespec(&["export", "--format", "dot"]).stdout);
    insta::assert_snapshot!("export_mermaid", project.statespec(&["export", "ticket", "--format", "mermaid"]).stdout);
}

#[test]
fn the_help_names_the_command_as_it_was_called() {
    let project = Project::empty();
    insta::assert_snapshot!("help", project.cargo_statespec(&["--help"]).stdout);
    insta::assert_snapshot!("help_gen", project.statespec(&["gen", "--help"]).stdout);
    for word in ["new", "gen", "check", "lint", "explain", "schema", "export", "import", "explore", "completions", "man"] {
        assert!(project.statespec(&["man"]).stdout.contains(word), "{word}");
        assert!(project.statespec(&["completions", "zsh"]).stdout.contains(word), "{word}");
        assert_eq!(project.statespec(&["man", word]).code, Some(0), "{word}");
    }
}

#[test]
fn the_configuration_moves_everything() {
    let project = Project::cargo();
    project.put(
        "statespec.toml",
        "specs = \"graphs\"\ncommand = \"just gen\"\n[docs]\nout = \"book/machines\"\nplaces = [\"book\"]\n\
         [json]\nout = \"model\"\n[rust]\nout = \"src/machines\"\n[language]\nschemas = \"schemas\"\n[lints]\ndead-end = \"deny\"\n\
         [[template]]\nfile = \"templates/list.txt\"\nout = \"lists/{{ name | shouty }}.txt\"\n",
    );
    project.put("templates/list.txt", "{% for it in states %}\n- {{ it.name }}\n{% endfor %}\n");
    let steps = ["cargo statespec new run_job --state queued,done", "cargo statespec gen", "cargo statespec check"];
    insta::assert_snapshot!("configured", project.transcript(&steps));
    insta::assert_snapshot!("configured_template", project.get("lists/RUN_JOB.txt"));
    let rust = project.get("src/machines/mod.rs");
    assert!(rust.contains("pub mod run_job;") && !rust.contains("no_std"), "{rust}");
    // The outputs of templates are checked like all others.
    project.edit("lists/RUN_JOB.txt", "queued", "queud");
    let run = project.cargo_statespec(&["check"]);
    assert_eq!(run.code, Some(100));
    assert!(run.stderr.contains("error[drift::edited]: lists/RUN_JOB.txt was changed by hand"), "{}", run.stderr);
    // Outputs that were not selected are ignored.
    assert_eq!(project.cargo_statespec(&["check", "--only", "rust,json"]).code, Some(0));
}

#[test]
fn explore_says_in_every_format_what_it_did_not_see() {
    let project = Project::empty();
    let spec = "machine: area\nstates: { open: { initial: true }, measured: { terminal: true } }\nevents: { measure: { payload: { width: int, height: int } } }\ntransitions:\n  - { from: open, event: measure, when: width * height > 100, to: measured }\n";
    project.put("statespec.toml", "");
    project.put("machines/area.yaml", spec);
    for (format, words) in [
        ("text", ["bounded: not everything that can happen was seen", "no findings in what was seen"]),
        ("json", ["\"status\": \"bounded\",\n  \"exit_code\": 3", "\"code\": \"explore::bounded\""]),
        ("github", ["::warning file=machines/area.yaml,line=5", "the borders of this comparison are not computed"]),
        ("sarif", ["\"exitCode\": 3", "\"ruleId\": \"explore::bounded\""]),
    ] {
        let run = project.cargo_statespec(&["explore", "--format", format]);
        assert_eq!(run.code, Some(3), "{format}: {}", run.stderr);
        words.iter().for_each(|it| assert!(run.stdout.contains(it), "{format} has no {it}:\n{}", run.stdout));
    }
    // A limit does not make unknown borders acceptable, but is acceptable itself to those who set it.
    assert_eq!(project.cargo_statespec(&["explore", "--max-states", "1"]).code, Some(3));
    project.edit("machines/area.yaml", "when: width * height > 100, ", "");
    assert_eq!(project.cargo_statespec(&["explore"]).code, Some(0));
    let run = project.cargo_statespec(&["explore", "--max-states", "1", "--format", "json"]);
    assert_eq!(run.code, Some(0));
    assert!(run.stdout.contains("\"status\": \"bounded\",\n  \"exit_code\": 0"), "{}", run.stdout);
    let bounded = "there are more than 1 configurations";
    assert!(run.stdout.contains(bounded), "{}", run.stdout);
}

#[test]
fn explore_tells_what_goes_wrong() {
    let project = green();
    assert_eq!(project.cargo_statespec(&["explore"]).code, Some(0));
    project.edit("machines/ticket.yaml", "done: { terminal: true, ", "done: { ");
    let steps = ["cargo statespec explore ticket --walkthroughs", "cargo statespec explore tickets"];
    insta::assert_snapshot!("explore", project.transcript(&steps));
}
