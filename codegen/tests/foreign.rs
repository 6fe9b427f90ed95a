//! Names of files and machines that other people chose: no report brings their control characters to a terminal or a log, and no name
//! is one that a system does not have.

use statespec_codegen::diagnostic::Style;
use statespec_codegen::project::{Extras, Project};
use statespec_codegen::report::{Format, RenderOptions};
use statespec_codegen::source::Input;
use statespec_codegen::sync::Mode;
use statespec_lang::lower::load;

const DOOR: &str = "machine: door\nstates: { shut: { initial: true }, open: {} }\nevents: { push: {}, pull: {} }\ntransitions:\n  \
                    - { from: shut, event: push, to: open }\n  - { from: open, event: pull, to: shut }\n";

#[cfg(unix)]
#[test]
fn no_report_has_characters_that_control_a_terminal() {
    let is_plain =
        |it: char| it == '\n' || !it.is_control() && !matches!(it, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}');
    for name in ["\u{202e}gnp", "\u{9b}31m", "a\u{c}b", "a\u{85}b", "a\u{2066}b", "a\u{1b}[31mb", "a\nb", "::error::"] {
        let folder = tempfile::tempdir().unwrap();
        for place in ["machines", "docs"] {
            std::fs::create_dir(folder.path().join(place)).unwrap();
        }
        std::fs::write(folder.path().join("machines/door.yaml"), DOOR).unwrap();
        let page = "# X\n\n<!-- statespec:begin nope.states -->\n<!-- statespec:end nope.states -->\n";
        std::fs::write(folder.path().join(format!("docs/{name}.md")), page).unwrap();
        let options = RenderOptions { full_diff: false, style: Style::Plain };
        let report = Project::open(folder.path()).unwrap().run(|_| Ok(Extras::default()), Mode::Check, options);
        assert!(report.text.contains("nope"), "{}", report.text);
        for format in [Format::Text, Format::Json, Format::Github, Format::Sarif] {
            let text = report.print(format);
            assert_eq!(text.chars().find(|it| !is_plain(*it)), None, "{format:?}: {text:?}");
        }
        // A program still learns the name.
        let json: serde_json::Value = serde_json::from_str(&report.print(Format::Json)).unwrap();
        let files: Vec<&str> = json["annotations"].as_array().unwrap().iter().filter_map(|it| it["place"]["file"].as_str()).collect();
        let files_too = || json["annotations"].as_array().unwrap().iter().any(|it| it["file"].as_str().is_some_and(|it| it.contains(name)));
        assert!(files.iter().any(|it| it.contains(name)) || files_too(), "{json}");
    }
}

fn refused(path: &str, text: &str) -> String {
    let loaded = load(&[Input { path: "machines/door.yaml".into(), text: DOOR.into() }, Input { path: path.into(), text: text.into() }]);
    loaded.diagnostics.iter().filter(|it| it.code.lint_level().is_none()).map(|it| it.message.clone()).collect()
}

#[test]
fn a_name_is_one_that_every_system_has() {
    for name in ["con", "aux", "NUL", "com1", "lpt9", "Con"] {
        let message = refused("machines/x.yaml", &DOOR.replace("machine: door", &format!("machine: {name}")));
        assert!(message.contains("names a device") || message.contains("name a device"), "{name}: {message}");
    }
    for name in ["console", "com", "auxiliary", "lpt10"] {
        assert_eq!(refused("machines/x.yaml", &DOOR.replace("machine: door", &format!("machine: {name}"))), "", "{name}");
    }
}

#[test]
fn a_name_is_written_as_rust_reads_it() {
    for (name, read) in [("ﬁ", "fi"), ("ｄoor", "door")] {
        let message = refused("machines/x.yaml", &DOOR.replace("machine: door", &format!("machine: {name}")));
        assert!(message.contains(&format!("`{read}`")), "{name}: {message}");
        let message = refused("machines/x.yaml", &DOOR.replace("machine: door", "machine: gate").replace("open", name));
        assert!(message.contains(&format!("`{read}`")), "{name}: {message}");
    }
    for name in ["tür", "tu\u{308}r"] {
        assert_eq!(refused("machines/x.yaml", &DOOR.replace("machine: door", &format!("machine: {name}"))), "", "{name}");
    }
}

#[test]
fn a_page_is_no_hidden_file() {
    for path in ["docs/.hidden.md", ".docs/d.md"] {
        let message = refused(
            "machines/d.yaml",
            &format!("document: d\npath: {path}\ntitle: D\nof: door\nsections: [{{ heading: H, show: states }}]\n"),
        );
        assert!(message.contains("hidden"), "{path}: {message}");
    }
}
