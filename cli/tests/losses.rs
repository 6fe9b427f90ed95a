//! No file of the user is lost: outside the project, in projects below it, or in outputs that were not selected.

use std::fs;

use crate::support::{Project, contents};

/// A project with the machine `ticket` and all its outputs.
fn green(configuration: &str) -> Project {
    let project = Project::cargo();
    project.put("statespec.toml", configuration);
    project.new_ticket();
    project
}

const PAGE: &str = "# Ticket\n\n<!-- statespec:begin ticket.diagram -->\n<!-- statespec:end ticket.diagram -->\n";

#[cfg(unix)]
#[test]
fn nothing_is_written_or_removed_behind_a_link() {
    use std::os::unix::fs::symlink;

    for (link, configuration) in [
        ("book", "[docs]\nout = \"docs/machines\"\nplaces = [\"book\"]\n"),
        ("book", "[docs]\nout = \"docs/machines\"\nplaces = [\"book/\"]\n"),
        ("book", "owned = [\"book\"]\n"),
        ("book", "owned = [\"book/src\"]\n"),
        ("book", "[docs]\nplaces = [\"book/src\"]\n"),
        ("book", "[docs]\nplaces = [\"book/src/page.md\"]\n"),
        ("book", "[docs]\nout = \"book\"\n"),
        ("book", "[docs]\nout = \"book/src/new\"\n"),
    ] {
        let outside = tempfile::tempdir().unwrap();
        let other = green("");
        fs::create_dir(outside.path().join("src")).unwrap();
        for folder in ["", "src"] {
            fs::write(outside.path().join(folder).join("page.md"), PAGE).unwrap();
            // The file has our header, and no spec provides it in this place.
            fs::write(outside.path().join(folder).join("old.md"), other.get("docs/machines/ticket.md")).unwrap();
        }
        let before = contents(outside.path());
        let project = green("");
        project.put("statespec.toml", configuration);
        symlink(outside.path(), project.path().join(link)).unwrap();
        for args in [&["check"][..], &["gen"], &["gen", "--force"]] {
            let run = project.cargo_statespec(args);
            assert_eq!(run.code, Some(1), "{configuration}{args:?}: {}", run.stderr);
            assert!(run.stderr.contains("`book` is a symbolic link"), "{configuration}{args:?}: {}", run.stderr);
            assert!(contents(outside.path()) == before, "{configuration}{args:?} changed what is outside");
        }
    }
}

#[test]
fn what_is_scaffolded_or_imported_stays_in_the_project() {
    let above = Project::empty();
    above.put("shop/Cargo.toml", "[package]\nname = \"shop\"\nversion = \"0.1.0\"\n");
    above.put("shop/other/statespec.toml", "");
    above.put("shop/door.mmd", "stateDiagram-v2\n  [*] --> shut\n  shut --> open\n  open --> shut\n");
    let elsewhere = above.path().join("elsewhere.md");
    #[cfg(unix)]
    std::os::unix::fs::symlink("..", above.path().join("shop/up")).unwrap();
    let before = contents(&above.path().join("shop/other"));
    for page in ["../elsewhere.md", "docs/../../elsewhere.md", elsewhere.to_str().unwrap(), "up/elsewhere.md", "other/page.md"] {
        if page.starts_with("up") && !cfg!(unix) {
            continue;
        }
        let run = above.statespec(&["--root", "shop", "new", "lamp", "--page", page]);
        assert_eq!(run.code, Some(1), "{page}: {}", run.stderr);
        assert!(run.stderr.contains(&format!("cannot write `{page}`: ")), "{page}: {}", run.stderr);
        assert!(!elsewhere.exists() && !above.path().join("shop/machines").exists(), "{page} was refused too late");
    }
    for folder in ["../elsewhere", "a/../../elsewhere", "up/elsewhere", "other"] {
        if folder.starts_with("up") && !cfg!(unix) {
            continue;
        }
        let run = above.statespec(&["--root", "shop", "import", "shop/door.mmd", "--to", folder]);
        assert_eq!(run.code, Some(1), "{folder}: {}", run.stderr);
        assert!(run.stderr.contains(&format!("cannot write `{folder}/door.yaml`: ")), "{folder}: {}", run.stderr);
        assert!(!above.path().join("elsewhere").exists(), "{folder}");
    }
    assert!(contents(&above.path().join("shop/other")) == before);
    assert_eq!(above.statespec(&["--root", "shop", "new", "lamp", "--page", "docs/lamp.md"]).code, Some(0));
}

#[test]
fn other_projects_below_are_left_alone() {
    let project = green("");
    let page = project.get("docs/machines/ticket.md");
    for (folder, mark) in [("project", "statespec.toml"), ("worktree", ".git"), ("module", ".git/HEAD")] {
        project.put(&format!("docs/{folder}/{mark}"), "");
        project.put(&format!("docs/{folder}/deep/old.md"), &page);
        project.put(&format!("docs/{folder}/page.md"), &PAGE.replace("ticket", "theirs"));
    }
    // A folder that is not a project of its own still belongs to this one.
    project.put("docs/ours/old.md", &page);
    let before = contents(&project.path().join("docs"));
    let run = project.cargo_statespec(&["check"]);
    assert_eq!(run.code, Some(100), "{}", run.stderr);
    assert!(run.stderr.contains("docs/ours/old.md") && run.stderr.contains("1 output needs attention"), "{}", run.stderr);
    assert_eq!(project.cargo_statespec(&["gen", "--force"]).code, Some(0));
    let after = contents(&project.path().join("docs"));
    let gone: Vec<_> = before.keys().filter(|it| !after.contains_key(*it)).collect();
    assert_eq!(gone.len(), 1, "{gone:?}");
    assert!(before.iter().all(|(path, bytes)| after.get(path).is_none_or(|it| it == bytes)));

    // Nothing is written there either.
    for configuration in [
        "[json]\nout = \"docs/project/model\"\n",
        "[json]\nout = \"docs/worktree\"\n",
        "[json]\nout = \"docs/module/deep\"\n",
        "[docs]\nplaces = [\"docs/project\"]\n",
        "[docs]\nplaces = [\"docs/project/page.md\"]\n",
        "owned = [\"docs/worktree/deep\"]\n",
    ] {
        project.put("statespec.toml", configuration);
        let run = project.cargo_statespec(&["gen", "--force"]);
        assert_eq!(run.code, Some(1), "{configuration}{}", run.stderr);
        assert!(run.stderr.contains("is a project of its own"), "{configuration}{}", run.stderr);
        assert!(contents(&project.path().join("docs")) == after, "{configuration}");
    }
    // The marker of the project itself forbids nothing.
    project.put(".git/HEAD", "");
    project.put("statespec.toml", "");
    assert_eq!(project.cargo_statespec(&["check"]).code, Some(0));
}

#[test]
fn a_run_about_some_outputs_knows_all_of_them() {
    let configuration = "owned = [\"all\"]\n[docs]\nout = \"all/pages\"\nplaces = [\"all\"]\n[json]\nout = \"all\"\n[rust]\nout = \"all\"\n\
        [conformance]\nout = \"all/tests\"\n[json-schema]\nout = \"all/schemas\"\n[openapi]\nout = \"all/states.yaml\"\n[language]\nschemas = \"all\"\n\
        [[template]]\nfile = \"list.txt\"\nout = \"all/{{ name }}.txt\"\n";
    let project = Project::cargo();
    project.put("statespec.toml", configuration);
    project.put("list.txt", "{{ name }}\n");
    project.put("notes/page.md", PAGE);
    assert_eq!(project.cargo_statespec(&["new", "ticket"]).code, Some(0));
    let run = project.cargo_statespec(&["gen"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let all = contents(&project.path().join("all"));
    assert!(all.len() > 8 && all.contains_key("ticket.txt"), "{:?}", all.keys());
    let kinds = ["docs", "json", "rust", "conformance", "json-schema", "openapi", "schemas", "templates", "forms"];
    for kind in kinds {
        for command in [&["check"][..], &["gen"], &["gen", "--force"]] {
            let run = project.cargo_statespec(&[command, &["--only", kind]].concat());
            assert_eq!(run.code, Some(0), "{command:?} {kind}: {}", run.stderr);
            assert!(contents(&project.path().join("all")) == all, "{command:?} --only {kind}");
        }
    }
    // The same with a page in the folder whose regions are not among those outputs.
    project.put("statespec.toml", &configuration.replace("owned = [\"all\"]\n", ""));
    project.put("all/page.md", PAGE);
    assert_eq!(project.cargo_statespec(&["gen", "--only", "docs"]).code, Some(0));
    for kind in kinds {
        let run = project.cargo_statespec(&["check", "--only", kind]);
        assert_eq!(run.code, Some(0), "{kind}: {}", run.stderr);
    }
    // A file that no kind of outputs provides is found whatever is selected.
    project.put("all/gone.md", &project.get("all/pages/ticket.md"));
    project.edit(
        "all/page.md",
        "end ticket.diagram",
        "end ticket.diagram-->\n\n<!-- statespec:begin no.such -->\n<!-- statespec:end no.such",
    );
    project.put("all/page.md", &format!("{PAGE}\n<!-- statespec:begin no.such -->\n<!-- statespec:end no.such -->\n"));
    let run = project.cargo_statespec(&["check", "--only", "json"]);
    assert_eq!(run.code, Some(100), "{}", run.stderr);
    assert!(run.stderr.contains("all/gone.md has no spec") && run.stderr.contains("no spec provides region `no.such`"), "{}", run.stderr);
    assert!(run.stderr.contains("2 outputs need attention"), "what was not asked for is not compared: {}", run.stderr);
}

#[test]
fn owned_folders_hold_nothing_that_people_write() {
    let machine = |name: &str| {
        format!(
            "machine: {name}\nstates:\n  one: {{ initial: true }}\n  two: {{ terminal: true }}\ntransitions:\n  - {{ from: one, to: two }}\n"
        )
    };
    let project = green("");
    project.put("graphs/extra.yaml", &machine("extra"));
    project.put("templates/deep/list.txt", "{{ name }}\n");
    let template = "[[template]]\nfile = \"templates/deep/list.txt\"\nout = \"lists/{{ name }}.txt\"\n";
    for (configuration, place, what) in [
        ("owned = [\"docs/machines\", \"machines\"]\n".to_owned(), "statespec.toml:1:27", "specs"),
        ("owned = \"machines/\"\n".to_owned(), "statespec.toml:1:9", "specs"),
        ("specs = [\"machines\", \"graphs/extra.yaml\"]\nowned = \"graphs\"\n".to_owned(), "statespec.toml:2:9", "specs"),
        ("owned = \"statespec.toml\"\n".to_owned(), "statespec.toml:1:9", "configuration"),
        (format!("owned = \"templates\"\n{template}"), "statespec.toml:1:9", "template"),
    ] {
        project.put("statespec.toml", &configuration);
        let before = contents(project.path());
        for args in [&["check"][..], &["gen"], &["gen", "--force"]] {
            let run = project.cargo_statespec(args);
            assert_eq!(run.code, Some(1), "{configuration}{}", run.stderr);
            for part in ["error[config::invalid]", place, what, "help: "] {
                assert!(run.stderr.contains(part), "{part} in {configuration}{}", run.stderr);
            }
        }
        assert!(contents(project.path()) == before, "{configuration}");
    }
    // Only the disk shows that a folder inside a folder of specs contains specs.
    project.put("statespec.toml", "specs = [\"graphs\", \"machines\"]\nowned = [\"graphs/deep\"]\n");
    project.put("graphs/deep/more.yaml", &machine("more"));
    let run = project.cargo_statespec(&["gen", "--force"]);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert!(run.stderr.contains("`graphs/deep/more.yaml`: it is a spec"), "{}", run.stderr);
    assert!(project.path().join("graphs/deep/more.yaml").exists());
}

#[test]
fn what_bears_no_header_is_only_removed_by_name() {
    let project = green("owned = [\"docs/machines\"]\n");
    project.put("docs/machines/notes.txt", "mine\n");
    project.put("docs/machines/more.txt", "mine, too\n");
    let run = project.cargo_statespec(&["check"]);
    assert_eq!(run.code, Some(100));
    assert!(run.stderr.contains("--remove docs/machines/notes.txt") && !run.stderr.contains("--force"), "{}", run.stderr);
    for args in [&["gen"][..], &["gen", "--force"], &["gen", "--force", "--remove", "docs/machines/more.txt"], &["gen", "--remove", "docs"]]
    {
        let run = project.cargo_statespec(args);
        assert_ne!(run.code, Some(0), "{args:?}");
        assert_eq!(project.get("docs/machines/notes.txt"), "mine\n", "{args:?}");
    }
    let run = project.cargo_statespec(&["gen", "--remove", "docs/machines/notes.txt", "--remove", "docs/machines/more.txt"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(!project.path().join("docs/machines/notes.txt").exists());
    // A named file is removed only if it is in the way.
    for path in ["machines/ticket.yaml", "../x", "docs/machines/ticket.md", "nowhere.md"] {
        let run = project.cargo_statespec(&["gen", "--remove", path]);
        assert_eq!(run.code, Some(2), "{path}: {}", run.stderr);
        assert!(run.stderr.contains(&format!("cannot remove `{path}`: ")), "{path}: {}", run.stderr);
        assert_eq!(project.cargo_statespec(&["gen", "--dry-run", "--remove", path]).code, Some(2), "{path}");
    }
    assert!(project.path().join("machines/ticket.yaml").exists());
}

#[test]
fn temporary_files_of_runs_that_died_are_swept() {
    let project = green("");
    project.put("docs/guide.md", PAGE);
    assert_eq!(project.cargo_statespec(&["gen"]).code, Some(0));
    // A number that is not the id of any process.
    let (dead, alive) = (i32::MAX, std::process::id());
    project.put(&format!("docs/.statespec-new-{dead}-aaaaaa"), "half a te");
    project.put(&format!("docs/machines/.statespec-old-{dead}-bbbbbb-ticket.md"), &project.get("docs/machines/ticket.md"));
    project.put(&format!("docs/.statespec-old-{dead}-cccccc-guide.md"), &project.get("docs/guide.md"));
    project.put(&format!("docs/.statespec-new-{alive}-dddddd"), "half a te");
    project.put("docs/.statespec-mine", "not ours");
    let n_before = contents(&project.path().join("docs")).len();
    let run = project.cargo_statespec(&["check"]);
    assert_eq!((run.code, contents(&project.path().join("docs")).len()), (Some(0), n_before), "{}", run.stderr);
    let run = project.cargo_statespec(&["gen"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stderr.contains("`docs/.statespec-mine`"), "{}", run.stderr);
    let left: Vec<String> = contents(&project.path().join("docs")).into_keys().filter(|it| it.contains(".statespec")).collect();
    assert_eq!(left, [".statespec-mine".to_owned(), format!(".statespec-new-{alive}-dddddd")], "{}", run.stderr);

    // In a folder of specs, the next command that writes a spec removes the temporary file.
    project.put(&format!("machines/.statespec-new-{dead}-ffffff"), "half a te");
    assert_eq!(project.cargo_statespec(&["new", "other"]).code, Some(0));
    assert!(!contents(&project.path().join("machines")).keys().any(|it| it.contains(".statespec")));

    // A file that a run moved aside before comparing it may contain an edit.
    let aside = format!("docs/.statespec-old-{dead}-eeeeee-guide.md");
    project.put(&aside, &project.get("docs/guide.md").replace("# Ticket", "# Ticket, by hand"));
    for args in [&["check"][..], &["gen"], &["gen", "--force"]] {
        let run = project.cargo_statespec(args);
        assert_eq!(run.code, Some(1), "{}", run.stderr);
        assert!(run.stderr.contains(&format!("`{aside}`")) && run.stderr.contains("`docs/guide.md`"), "{}", run.stderr);
        assert!(project.get(&aside).contains("by hand"));
    }
}

#[cfg(unix)]
#[test]
fn an_imported_spec_has_the_mode_of_any_new_file() {
    use std::os::unix::fs::PermissionsExt as _;

    let project = Project::cargo();
    project.put("door.mmd", "stateDiagram-v2\n  [*] --> shut\n  shut --> open\n  open --> shut\n");
    let run = project.statespec(&["import", "door.mmd"]);
    assert!(project.path().join("machines/door.yaml").exists(), "{}", run.stderr);
    let mode = |path: &str| fs::metadata(project.path().join(path)).unwrap().permissions().mode();
    assert_eq!(mode("machines/door.yaml"), mode("door.mmd"));
    // A file also keeps its own permissions.
    fs::set_permissions(project.path().join("machines/door.yaml"), fs::Permissions::from_mode(0o640)).unwrap();
    project.statespec(&["import", "door.mmd", "--force"]);
    assert_eq!(mode("machines/door.yaml") & 0o777, 0o640);
}

#[test]
fn an_import_that_fails_in_the_middle_says_what_was_written() {
    let project = Project::cargo();
    let machine = |name: &str| format!("## {name}\n\n```mermaid\nstateDiagram-v2\n  [*] --> one\n  one --> two\n  two --> one\n```\n\n");
    project.put("page.md", &(machine("Alpha") + &machine("Beta")));
    let names: Vec<String> = {
        assert!(project.statespec(&["import", "page.md", "--to", "probe"]).code.is_some());
        contents(&project.path().join("probe")).into_keys().collect()
    };
    assert_eq!(names.len(), 2);
    // A folder is at the path of the second spec; `--force` overwrites files only.
    project.put(&format!("graphs/{}/x", names[1]), "");
    let run = project.statespec(&["import", "page.md", "--to", "graphs", "--force"]);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert!(run.stderr.contains(&format!("graphs/{}", names[1])), "{}", run.stderr);
    let is_written = project.path().join("graphs").join(&names[0]).exists();
    assert_eq!(run.stderr.contains(&format!("wrote graphs/{}", names[0])), is_written, "{}", run.stderr);
    assert_eq!(run.stderr.contains("nothing was written"), !is_written, "{}", run.stderr);
}

#[test]
fn what_is_not_looked_at_is_told() {
    let project = green("[docs]\nplaces = [\"docs\", \"bok\"]\n");
    let run = project.cargo_statespec(&["check"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stderr.contains("warning: `bok`: `places` in statespec.toml names it"), "{}", run.stderr);
    project.put("docs/page.mdx", PAGE);
    let run = project.cargo_statespec(&["check"]);
    assert!(run.stderr.contains("warning: `docs/page.mdx`: region markers in MDX"), "{}", run.stderr);
    let json = project.cargo_statespec(&["check", "--format", "json"]).stdout;
    assert!(json.contains("\"level\": \"warning\"") && json.contains("\"file\": \"bok\""), "{json}");
    // Markdown files with other extensions are read, too.
    for name in ["docs/a.MD", "docs/b.markdown"] {
        project.put(name, PAGE);
        let run = project.cargo_statespec(&["check"]);
        assert!(run.stderr.contains(&format!("region `ticket.diagram` in {name}")), "{}", run.stderr);
    }
    assert_eq!(project.cargo_statespec(&["gen"]).code, Some(0));
    let utf16: Vec<u8> = std::iter::once(0xfeff).chain(project.get("docs/a.MD").encode_utf16()).flat_map(u16::to_le_bytes).collect();
    fs::write(project.path().join("docs/a.MD"), utf16).unwrap();
    let run = project.cargo_statespec(&["check"]);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert!(run.stderr.contains("cannot read `docs/a.MD`: it is not UTF-8"), "{}", run.stderr);
}

#[test]
fn generated_text_outside_the_places_is_told() {
    let configuration =
        "owned = [\"bok\"]\nspecs = [\"machines\", \"graphz\"]\n[docs]\nplaces = [\"docs\", \"notes\"]\n[json]\nout = \"model\"\n";
    let project = Project::cargo();
    project.put("statespec.toml", configuration);
    project.put("notes/page.md", PAGE);
    assert_eq!(project.cargo_statespec(&["new", "ticket"]).code, Some(0));
    let run = project.cargo_statespec(&["gen"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    for (path, key) in [("bok", "owned"), ("graphz", "specs")] {
        let warning = format!("warning: `{path}`: `{key}` in statespec.toml names it, and it does not exist");
        assert!(run.stderr.contains(&warning), "{}", run.stderr);
    }
    let is_told = |path: &str, what: &str| {
        let run = project.cargo_statespec(&["check"]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let warning = run.stderr.lines().find(|it| it.starts_with(&format!("warning: `{path}`: ")));
        assert_eq!(warning.is_some_and(|it| it.contains(what)), !what.is_empty(), "{path}: {}", run.stderr);
    };
    is_told("model/ticket.json", "");
    is_told("notes/page.md", "");

    // The configuration names neither the folder of the JSON nor that of the page any more.
    project.put("statespec.toml", "");
    let before = contents(project.path());
    is_told("model/ticket.json", "(from machines/ticket.yaml), and no output has this path");
    is_told("notes/page.md", "add it to `places`");
    assert_eq!(project.cargo_statespec(&["gen", "--force"]).code, Some(0));
    assert!(contents(project.path()) == before, "nothing is written or removed outside the places");

    // Files of another project, whether or not it has a configuration.
    for (folder, mark) in [("app", "machines/theirs.yaml"), ("lib", "statespec.toml"), ("tree", ".git")] {
        project.put(&format!("{folder}/{mark}"), "");
        project.put(&format!("{folder}/model/ticket.json"), &project.get("model/ticket.json"));
        project.put(&format!("{folder}/page.md"), &project.get("notes/page.md"));
        is_told(&format!("{folder}/model/ticket.json"), "");
        is_told(&format!("{folder}/page.md"), "");
    }
    // A header that names another folder of specs.
    project.put("vendor/ticket.json", &project.get("model/ticket.json").replace("machines/", "elsewhere/"));
    is_told("vendor/ticket.json", "");
}

#[cfg(unix)]
#[test]
fn a_page_that_became_a_link_is_told() {
    use std::os::unix::fs::symlink;

    let outside = tempfile::tempdir().unwrap();
    let project = green("");
    project.put("docs/deep/page.md", PAGE);
    assert_eq!(project.cargo_statespec(&["gen"]).code, Some(0));
    // A link to a page that is compared anyway.
    symlink("deep/page.md", project.path().join("docs/same.md")).unwrap();
    assert!(!project.cargo_statespec(&["check"]).stderr.contains("warning"));
    fs::rename(project.path().join("docs/deep"), outside.path().join("deep")).unwrap();
    symlink(outside.path().join("deep"), project.path().join("docs/deep")).unwrap();
    let run = project.cargo_statespec(&["check"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stderr.contains("warning: `docs/deep/page.md`: it is or lies behind a symbolic link"), "{}", run.stderr);
    assert!(run.stderr.contains("warning: `docs/same.md`"), "{}", run.stderr);
}

#[test]
fn temporary_files_beside_a_single_file_are_swept() {
    let project = green("");
    project.put("README.md", PAGE);
    assert_eq!(project.cargo_statespec(&["gen"]).code, Some(0));
    let temporary = format!(".statespec-new-{}-aaaaaa", i32::MAX);
    project.put(&temporary, "half a te");
    assert_eq!(project.cargo_statespec(&["gen"]).code, Some(0));
    assert!(!project.path().join(&temporary).exists());
}
