//! Generated regions in source files of several languages: one repository, filled, drifted and mended.

use std::process::Command;

use crate::checks::{self, needed, packages};
use crate::support::Project;
use statespec_codegen::diagnostic::Style;
use statespec_codegen::project::{self as opened, Extras};
use statespec_codegen::report::{RenderOptions, Status};
use statespec_codegen::sync::Mode;
use statespec_rust::root::Root;

const ORDER: &str = "machine: order
states:
  draft: { initial: true, number: 1 }
  in_review: { label: 'In \"review\"', number: 2 }
  paid: { wire: PAID_IN_FULL, number: 3 }
  closed: { terminal: true, number: 4 }
reserved: { states: [5, parked] }
events: { submit:, pay:, archive: }
transitions:
  - { from: draft, event: submit, to: in_review }
  - { from: in_review, event: pay, to: paid }
  - { from: [draft, paid], event: archive, to: closed }
";

/// A file, with the markers that a person writes.
const FILES: &[(&str, &str)] = &[
    (
        "service/order.rs",
        "// statespec:begin order.states rust-enum\n// statespec:end\n\n// statespec:begin order.edges rust-const\n// statespec:end\n",
    ),
    (
        "web/order.ts",
        "// statespec:begin order.states ts-union\n// statespec:end\n\n// statespec:begin order.edges ts-const\n// statespec:end\n\n\
         export function shown(state: OrderState): string {\n  switch (state) {\n    case \"draft\":\n    case \"in_review\":\n      return \"open\";\n    \
         case \"PAID_IN_FULL\":\n    case \"closed\":\n      return \"done\";\n    default:\n      return state satisfies never;\n  }\n}\n",
    ),
    (
        "worker/order.py",
        "from enum import StrEnum\nfrom typing import Literal, assert_never\n\n\n# statespec:begin order.states py-strenum\n# statespec:end\n\n\n\
         # statespec:begin order.events py-literal\n# statespec:end\n# statespec:begin order.labels py-dict\n# statespec:end\n\n\n\
         def shown(state: OrderState) -> str:\n    match state:\n        case OrderState.DRAFT | OrderState.IN_REVIEW:\n            return \"open\"\n        \
         case OrderState.PAID | OrderState.CLOSED:\n            return \"done\"\n        case _:\n            assert_never(state)\n",
    ),
    (
        "migrations/1.sql",
        "CREATE TABLE orders (\r\n  state text NOT NULL,\r\n  -- statespec:begin order.states sql-check\r\n  -- statespec:end\r\n);\r\n",
    ),
    ("proto/order.proto", "\u{feff}syntax = \"proto3\";\n\n/* statespec:begin order.states proto-enum */\n/* statespec:end */\n"),
];

fn project() -> Project {
    let project = Project::empty();
    project.put("machines/order.yaml", ORDER);
    project.put("statespec.toml", "[docs]\npages = false\n");
    FILES.iter().for_each(|(path, text)| project.put(path, text));
    project
}

/// The same, filled.
fn filled() -> Project {
    let project = project();
    let run = project.statespec(&["gen"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    project
}

fn all(project: &Project) -> String {
    FILES.iter().map(|(path, _)| format!("==== {path}\n{}", project.get(path).replace('\r', "\\r"))).collect()
}

#[test]
fn one_run_fills_all_and_one_state_more_makes_all_stale() {
    let project = project();
    let run = project.statespec(&["check"]);
    assert_eq!(run.code, Some(100));
    assert_eq!(run.stderr.matches("is not filled yet").count(), 9, "{}", run.stderr);
    let run = project.statespec(&["gen"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    insta::assert_snapshot!("regions_in_code-filled", all(&project));
    assert_eq!(project.statespec(&["check"]).code, Some(0));

    project.edit("machines/order.yaml", "reserved:", "  lost: { terminal: true, number: 6 }\nreserved:");
    project.edit(
        "machines/order.yaml",
        "event: pay, to: paid }",
        "event: pay, to: paid }\n  - { from: in_review, event: archive, to: lost }",
    );
    let run = project.statespec(&["check"]);
    assert_eq!(run.code, Some(100));
    insta::assert_snapshot!("regions_in_code-drift", run.stderr);

    let run = project.statespec(&["gen"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(project.statespec(&["check"]).code, Some(0));
    let again = all(&project);
    assert_eq!(project.statespec(&["gen"]).code, Some(0));
    assert_eq!(all(&project), again);
}

#[test]
fn an_edit_is_protected_and_a_region_without_a_machine_is_told() {
    let project = filled();
    project.edit("worker/order.py", "CLOSED = \"closed\"", "CLOSED = \"shut\"");
    let run = project.statespec(&["gen"]);
    assert_eq!(run.code, Some(100));
    assert!(run.stderr.contains("error[drift::edited]: region `order.states py-strenum` in worker/order.py, line 5,"), "{}", run.stderr);
    assert!(project.get("worker/order.py").contains("shut"));
    assert_eq!(project.statespec(&["gen", "--force"]).code, Some(0));
    assert!(!project.get("worker/order.py").contains("shut"));

    // Black puts two blank lines behind a class.
    project.edit("worker/order.py", "CLOSED = \"closed\"\n# statespec:end", "CLOSED = \"closed\"\n\n\n# statespec:end");
    let run = project.statespec(&["check"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    project.edit("machines/order.yaml", "closed: { terminal: true", "closed: { wire: shut, terminal: true");
    assert_eq!(project.statespec(&["gen"]).code, Some(0));
    assert!(project.get("worker/order.py").contains("CLOSED = \"shut\"\n\n\n# statespec:end"));

    // A region that moves to another depth together with its markers is the same.
    let text = project.get("service/order.rs");
    let deeper: String = text.lines().map(|it| if it.is_empty() { "\n".to_owned() } else { format!("    {it}\n") }).collect();
    project.put("service/order.rs", &format!("mod order {{\n{deeper}}}\n"));
    let run = project.statespec(&["check"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);

    project.edit("machines/order.yaml", "machine: order", "machine: purchase");
    let run = project.statespec(&["check"]);
    assert_eq!(run.code, Some(100));
    assert_eq!(run.stderr.matches("error[expect::marker]: there is no machine `order`").count(), 9, "{}", run.stderr);
}

#[test]
fn wrong_markers_are_told_at_their_places() {
    let project = project();
    let wrong = "// statespec:begin order.states ts-onion\n// statespec:end\n// statespec:begin order.states\n// statespec:end\n\
                 // statespec:begin order.stats ts-union\n// statespec:end\n// statespec:begin order.labels ts-union\n// statespec:end\n\
                 // statespec:begin order.states ts-union\n// statespec:expect order.states\n// statespec:end\n\
                 // statespec:expect order.states\n// statespec:begin order.states ts-union\n// statespec:end\n\
                 // statespec:begin order.states ts-union 1Order\n// statespec:end\n// statespec:begin order.events proto-enum\n// statespec:end\n\
                 // statespec:begin order.states ts-union\n// statespec:end soon\n// statespec:begin order.states ts-union\n";
    project.put("web/order.ts", wrong);
    let wide: Vec<u8> = "// statespec:expect order.states\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    std::fs::write(project.path().join("web/wide.ts"), [&[0xff, 0xfe][..], &wide].concat()).unwrap();
    assert_eq!(project.statespec(&["gen"]).code, Some(100));
    let run = project.statespec(&["check"]);
    assert_eq!(run.code, Some(100));
    insta::assert_snapshot!("regions_in_code-markers", run.stderr);
    assert_eq!(project.get("web/order.ts"), wrong);
}

#[test]
fn a_run_about_some_files_is_about_their_regions() {
    let project = filled();
    project.edit("machines/order.yaml", "PAID_IN_FULL", "PAID");
    let run = project.statespec(&["check", "web/order.ts"]);
    assert_eq!(run.code, Some(100));
    assert!(run.stderr.contains("web/order.ts") && !run.stderr.contains("worker/order.py"), "{}", run.stderr);
    // All regions of a machine are about its spec.
    let run = project.statespec(&["check", "machines/order.yaml"]);
    assert!(run.stderr.contains("web/order.ts") && run.stderr.contains("worker/order.py"), "{}", run.stderr);
    // A spec of another machine is about none.
    project.put(
        "machines/door.yaml",
        "machine: door\nstates: [open, shut]\ntransitions:\n  - { from: open, to: shut }\n  - { from: shut, to: open }\n",
    );
    let run = project.statespec(&["check", "machines/door.yaml"]);
    assert!(!run.stderr.contains("web/order.ts"), "{}", run.stderr);
    let run = project.statespec(&["gen", "--only", "json"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(project.get("web/order.ts").contains("| \"PAID_IN_FULL\" |"));
    assert_eq!(project.statespec(&["gen", "--only", "forms"]).code, Some(0));
    assert!(project.get("web/order.ts").contains("| \"PAID\" |"));
}

#[test]
fn what_changed_since_a_commit_is_checked() {
    let project = filled();
    let git = |args: &[&str]| {
        let identity = ["-c", "user.name=x", "-c", "user.email=x@x.example"];
        let done = Command::new("git").arg("-C").arg(project.path()).args(identity).args(args).output().unwrap();
        assert!(done.status.success(), "{args:?}: {}", String::from_utf8_lossy(&done.stderr));
    };
    git(&["init", "--quiet"]);
    git(&["add", "."]);
    git(&["commit", "--quiet", "-m", "All."]);
    let changed = || project.statespec(&["check", "--changed"]);
    assert_eq!(changed().code, Some(0), "{}", changed().stderr);
    // A region, and the spec that all regions are about.
    project.edit("worker/order.py", "CLOSED = \"closed\"", "CLOSED = \"shut\"");
    let run = changed();
    assert!(run.code == Some(100) && run.stderr.contains("worker/order.py") && !run.stderr.contains("web/order.ts"), "{}", run.stderr);
    project.edit("worker/order.py", "shut", "closed");
    project.edit("machines/order.yaml", "PAID_IN_FULL", "PAID");
    let run = changed();
    assert!(run.code == Some(100) && run.stderr.contains("worker/order.py") && run.stderr.contains("web/order.ts"), "{}", run.stderr);
}

#[test]
fn an_own_form_is_a_template() {
    let project = project();
    project.put("statespec.toml", "[docs]\npages = false\n\n[[form]]\nname = \"elm\"\nfile = \"elm.jinja\"\n");
    project.put(
        "elm.jinja",
        "type {{ type }}\n{% for it in items %}    {{ '=' if loop.first else '|' }} {{ it.name | pascal }}\n{% endfor %}",
    );
    project.put("web/Order.elm", "module Order exposing (..)\n\n-- statespec:begin order.states elm\n-- statespec:end\n");
    let run = project.statespec(&["gen"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    insta::assert_snapshot!("regions_in_code-elm", project.get("web/Order.elm"));
    project.put("elm.jinja", "type {{ type | nothing }}\n");
    let run = project.statespec(&["check"]);
    assert_eq!(run.code, Some(100));
    assert!(run.stderr.contains("error[expect::marker]: the form `elm` cannot be filled in: unknown filter"), "{}", run.stderr);
}

#[test]
fn compilers_name_the_forgotten_cases() {
    let project = filled();
    let more = || {
        project.edit("machines/order.yaml", "reserved:", "  lost: { terminal: true, number: 6 }\nreserved:");
        project.edit(
            "machines/order.yaml",
            "event: pay, to: paid }",
            "event: pay, to: paid }\n  - { from: in_review, event: archive, to: lost }",
        );
        assert_eq!(project.statespec(&["gen"]).code, Some(0));
    };
    let typescript = needed("regions in TypeScript", packages("cli/tests/typescript"));
    let tsc = || {
        let script = typescript.as_ref()?.join("node_modules/typescript/lib/tsc.js");
        let options = ["--strict", "--noEmit", "--target", "es2022", "web/order.ts"];
        let done = Command::new("node").arg(script).args(options).current_dir(project.path()).output().unwrap();
        Some((done.status.success(), String::from_utf8(done.stdout).unwrap()))
    };
    let mypy = needed("regions in Python", checks::mypy());
    let python = || {
        let done = Command::new(mypy.as_ref()?)
            .args(["--strict", "worker/order.py", "--cache-dir"])
            .arg(checks::mypy_cache())
            .current_dir(project.path())
            .output()
            .unwrap();
        Some((done.status.success(), String::from_utf8(done.stdout).unwrap()))
    };
    for (accepts, said) in tsc().into_iter().chain(python()) {
        assert!(accepts, "{said}");
    }
    more();
    if let Some((accepts, said)) = tsc() {
        assert!(!accepts && said.contains("Type '\"lost\"' does not satisfy the expected type 'never'"), "{said}");
    }
    if let Some((accepts, said)) = python() {
        assert!(!accepts && said.contains("assert_never") && said.contains("LOST"), "{said}");
    }
}

/// Every byte of every generated text and of its digest, changed alone, is found.
#[test]
fn a_change_of_any_byte_is_found() {
    let project = filled();
    let check = || {
        let opened = opened::Project::open(Root::from(&project.path().to_owned())).unwrap();
        opened.run(|_| Ok(Extras::default()), Mode::Check, RenderOptions { full_diff: false, style: Style::Plain }).status
    };
    assert_eq!(check(), Status::Clean);
    // A sample has one byte in nine.
    let every = if checks::is_complete() { 1 } else { 9 };
    let mut n_changed = 0;
    for (path, _) in FILES {
        let full = project.path().join(path);
        let bytes = std::fs::read(&full).unwrap();
        let mut at = 0;
        let mut is_inside = false;
        for line in bytes.split_inclusive(|it| *it == b'\n') {
            let text = String::from_utf8_lossy(line);
            is_inside &= !text.contains("statespec:end");
            let digest = text.find("statespec:end ").map(|it| it + "statespec:end ".len()..it + "statespec:end ".len() + 16);
            let changed = if is_inside { 0..line.len() } else { digest.unwrap_or_default() };
            for position in changed.map(|it| at + it).filter(|it| it % every == 0) {
                let mut mutant = bytes.clone();
                mutant[position] ^= 1;
                std::fs::write(&full, &mutant).unwrap();
                assert_eq!(check(), Status::Findings, "{path}, byte {position}: {:?}", String::from_utf8_lossy(&mutant));
                n_changed += 1;
            }
            is_inside |= text.contains("statespec:begin");
            at += line.len();
        }
        std::fs::write(&full, &bytes).unwrap();
    }
    assert!(n_changed * every > 1000, "{n_changed}");
    assert_eq!(check(), Status::Clean);
}
