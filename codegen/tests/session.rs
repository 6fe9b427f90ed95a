//! The dialogue of `play`: lines in, text out.

use statespec_codegen::diagnostic::Style;
use statespec_codegen::model::Model;
use statespec_codegen::rust_test::RustTests;
use statespec_codegen::source::Input;
use statespec_explore::play::{Answer, Session};
use statespec_explore::{Subject, subjects};
use statespec_lang::lower::load;

/// Moments, nested states, an enum, a predicate, effects, and steps that change nothing.
const LEASE: &str = r#"machine: lease
enums: { colour: [red, green, rose] }
context: { until: { type: timestamp, optional: true }, colour: { type: colour, default: red } }
predicates: { trusted: { doc: Whether the tenant is known. } }
states:
  free: { initial: true }
  let:
    states: { quiet: { initial: true }, loud: {} }
events:
  take: { payload: { until: timestamp, note: { type: text, optional: true } } }
  paint: { payload: { colour: colour, twice: bool } }
  ring: {}
  greet: {}
  end: { payload: { at: timestamp } }
effects: { wave: {} }
transitions:
  - { from: free, event: take, when: trusted, to: let, set: { until: event.until } }
  - { from: let, event: paint, set: { colour: event.colour } }
  - { from: quiet, event: ring }
  - { from: loud, event: greet, do: wave }
  - { from: quiet, to: loud }
  - { from: let, event: end, when: until != null and at >= until, to: free, set: { until: null } }
"#;

fn model(text: &str) -> Model {
    let loaded = load(&[Input { path: "machines/it.yaml".into(), text: text.into() }]);
    loaded.model.unwrap_or_else(|| panic!("{:#?}", loaded.diagnostics))
}

/// A session with the only subject of a model.
fn session(model: &Model) -> Session<'_> {
    let only: Vec<Subject<'_>> = subjects(model);
    Session::new(model, only[0]).unwrap().with_tests(RustTests::default())
}

/// The output of a session whose input comes from a pipe.
fn transcript(spec: &str, lines: &[&str]) -> String {
    let model = model(spec);
    let mut session = session(&model);
    let mut text = String::new();
    for line in lines {
        text.push_str(&Session::echo(line));
        match session.answer(line) {
            Answer::Said(said) => text.push_str(&said),
            Answer::Quit => return text + "(left)\n",
        }
    }
    text
}

#[test]
fn misspelt_words_are_suggested() {
    insta::assert_snapshot!(transcript(
        LEASE,
        &[
            "taek",
            "unod",
            "t",
            "holds trustd",
            "trustde=true",
            "take untl=now",
            "paint colour=gren twice=true",
            "to qiet",
            "test dervie",
            "ring now",
            "now +1x"
        ]
    ));
}

#[test]
fn moments_are_relative_to_a_clock_that_only_a_command_moves() {
    insta::assert_snapshot!(transcript(
        LEASE,
        &[
            "now",
            "trusted=true",
            "take until=+1h note=\"two words\"",
            "end at=now",
            "now +1h",
            "end at=-5m",
            "end at=now-1s",
            "end at=now",
            "now 2026-03-01T00:00:00Z",
            "now -1d",
            "take until=yesterday",
            "now +9999999999d",
            "state",
            "trace",
        ]
    ));
}

#[test]
fn undo_passes_over_what_changed_nothing() {
    insta::assert_snapshot!(transcript(
        LEASE,
        &[
            "undo",
            "take until=now",
            "undo",
            "trusted=true",
            "take until=now",
            "ring",
            "greet",
            "undo",
            "take until=now",
            "to loud",
            "greet",
            "ring",
            "undo",
            "undo",
            "undo",
            "trace",
        ]
    ));
}

#[test]
fn a_refusal_names_a_nested_state_by_its_path() {
    insta::assert_snapshot!(transcript(LEASE, &["trusted=true", "to loud", "take until=now", "greet", "to free", "to let/loud", "state"]));
}

#[test]
fn a_short_word_leaves_unless_it_is_an_event() {
    let spec = "machine: m\nstates: [a]\nevents: EVENTS\ntransitions: [{ from: a, event: EVENT }]\n";
    let own = spec.replace("EVENTS", "[q, now]").replace("EVENT", "q");
    let other = spec.replace("EVENTS", "[go]").replace("EVENT", "go");
    for word in ["q", "quit", "exit", ":q", ":quit"] {
        assert!(transcript(&other, &[word]).ends_with("(left)\n"), "{word}");
    }
    insta::assert_snapshot!(transcript(&own, &["q", "now", ":now", ":q"]));
}

#[test]
fn a_line_is_completed_by_what_can_follow() {
    let model = model(LEASE);
    let mut session = session(&model);
    session.answer("trusted=true");
    session.answer("take until=now");
    let mut text = String::new();
    for line in [
        "",
        "t",
        "ta",
        ":un",
        "tr",
        "trusted=f",
        "paint ",
        "paint c",
        "paint colour=",
        "paint colour=r",
        "take until=now note=\"n",
        "paint colour=red ",
        "paint colour=red twice=t",
        "end at=",
        "to ",
        "to loud ",
        "holds ",
        "holds trusted=",
        "given ",
        "given colour=g",
        "test ",
        "now ",
        "state ",
        "unknown ",
    ] {
        let (start, candidates) = session.complete(line);
        let candidates: Vec<String> = candidates.iter().map(|it| format!("{}⟨{}⟩", &line[..start], it.text)).collect();
        text.push_str(&format!("{line}⟨⟩: {}\n", candidates.join(", ")));
    }
    text.push('\n');
    for line in ["paint", "paint ", "paint colour=red", "paint colour=red twice=true", "paint c", "take until=now ", "end", "state", "x"] {
        text.push_str(&format!("{line}⟨{}⟩\n", session.hint(line)));
    }
    insta::assert_snapshot!(text);
}

#[test]
fn instances_of_a_system_are_completed() {
    let door = "machine: door\nstates: { shut: { initial: true }, open: {} }\nevents: { push: {} }\ntransitions: [{ from: shut, event: push, to: open }]\n";
    let house = "system: house\nparts: { door: { machine: door, many: true } }\ntransactions: { enter: { fire: door.push } }\n";
    let inputs = [("door", door), ("house", house)].map(|(name, text)| Input { path: format!("machines/{name}.yaml"), text: text.into() });
    let loaded = load(&inputs);
    let model = loaded.model.unwrap_or_else(|| panic!("{:#?}", loaded.diagnostics));
    let session = Session::new(&model, Subject::System("house")).unwrap();
    let shown = |line: &str| session.complete(line).1.into_iter().map(|it| it.text).collect::<Vec<_>>();
    assert_eq!(shown("en"), ["enter "]);
    assert_eq!(shown("enter "), ["door="]);
    assert_eq!(shown("enter door="), ["1"]);
}

#[test]
fn colours_are_a_choice() {
    let model = model(LEASE);
    let answers = |style: Style| {
        let mut session = session(&model).with_style(style);
        let mut text = session.greeting();
        for line in ["take until=now", "taek", "trusted=true", "take until=now", "bad\u{1b}[2J"] {
            if let Answer::Said(said) = session.answer(line) {
                text.push_str(&said);
            }
        }
        text
    };
    let coloured = answers(Style::Colour);
    insta::assert_snapshot!(coloured.replace('\u{1b}', "␛"));
    let codes = ["0", "1", "2", "31", "32", "33"].map(|it| format!("\u{1b}[{it}m"));
    assert_eq!(codes.iter().fold(coloured, |text, code| text.replace(code, "")), answers(Style::Plain));
}

#[test]
fn the_guide_shows_a_session_as_it_is() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let read = |path: &str| std::fs::read_to_string(root.join(path)).unwrap().replace("\r\n", "\n");
    let page = read("docs/guide/play.md");
    let shown = page.split("$ cargo statespec play run_job\n").nth(1).unwrap().split("```").next().unwrap();
    let lines: Vec<&str> = shown.lines().filter_map(|it| it.strip_prefix("> ")).collect();
    let spec = read("machines/run_job.yaml");
    let greeting = session(&model(&spec)).greeting();
    assert_eq!(shown, greeting + &transcript(&spec, &lines));
    // The table and `help` have the same commands.
    let model = model(&spec);
    let Answer::Said(help) = session(&model).answer("help") else { panic!("`help` ends the session") };
    for line in help.lines().filter(|it| it.starts_with(|it: char| it.is_lowercase())) {
        let command = line.split([' ', '[']).next().unwrap();
        assert!(page.contains(&format!("`{command}")), "the guide lacks `{command}`");
    }
}

#[test]
fn histories_of_one_state_are_named_by_their_fields() {
    let spec = include_str!("fixtures/rust/bookmark.yaml");
    insta::assert_snapshot!(transcript(
        spec,
        &["open_page", "turn", "turn", "close", "", "open_part", "turn", "skip", "turn", "again", "tear", "open_page", "state"]
    ));
}

/// The leaves of a configuration as the pages name them, from the words of a session: without the states around each leaf.
fn leaves(shown: &str) -> String {
    shown.split('+').map(|it| it.rsplit('/').next().unwrap_or(it)).collect::<Vec<_>>().join("+")
}

/// The numbered lists under the heading `Walkthroughs` of a page: a list for each walkthrough.
fn walkthroughs(page: &str) -> Vec<Vec<&str>> {
    let section = page.split("\n## Walkthroughs\n").nth(1).unwrap_or_default();
    let mut lists: Vec<Vec<&str>> = Vec::new();
    for (number, step) in section.lines().filter_map(|it| it.split_once(". `")).filter(|it| it.0.parse::<usize>().is_ok()) {
        if number == "1" {
            lists.push(Vec::new());
        }
        lists.last_mut().unwrap().push(step);
    }
    lists
}

#[test]
fn the_walkthroughs_of_the_pages_go_as_written() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for (name, page) in [("media_player", "media-player"), ("elevator", "elevator")] {
        let read = |path: String| std::fs::read_to_string(root.join(path)).unwrap().replace("\r\n", "\n");
        let (model, page) = (model(&read(format!("machines/{name}.yaml"))), read(format!("docs/machines/{page}.md")));
        let walkthroughs = walkthroughs(&page);
        assert!(walkthroughs.len() >= 3, "{name}: {walkthroughs:?}");
        for steps in walkthroughs {
            let mut session = session(&model);
            let mut now = leaves(session.greeting().lines().next().unwrap().rsplit(' ').next().unwrap());
            for step in steps {
                let (line, expected) = step.split_once('`').unwrap();
                let Answer::Said(said) = session.answer(line) else { panic!("{name}: `{line}` ends the session") };
                let mut refused = None;
                for line in said.lines() {
                    let moved = line.strip_prefix(name).and_then(|it| it.strip_prefix(": ")).map(|it| it.split(';').next().unwrap());
                    if let Some(moved) = moved {
                        now = leaves(moved.trim_end_matches(" again").rsplit(' ').next().unwrap());
                    }
                    refused = refused.or(line.strip_prefix("refused: "));
                }
                match expected.strip_prefix(" is refused: ") {
                    Some(why) => assert_eq!(refused, Some(why), "{name}: {line}"),
                    None => assert_eq!(format!(" → `{now}`"), expected, "{name}: {line}\n{said}"),
                }
            }
        }
    }
}

/// Two timers of one state.
const LAMP: &str = r#"machine: lamp
states: { off: { initial: true }, on: {} }
events: { press: {} }
transitions:
  - { from: off, event: press, to: on }
  - { from: on, after: 1h, to: off }
  - { from: on, after: 30m, timer: hint }
"#;

#[test]
fn a_line_raises_no_timer() {
    insta::assert_snapshot!(transcript(
        LAMP,
        &["on_timeout", "press", "on_timeout", "hint", "wait 30m", "hint", "now +2h", "on_timeout", "wait 1s", "state"]
    ));
    let model = model(LAMP);
    assert!(session(&model).complete("").1.iter().all(|it| !format!("{it:?}").contains("timeout")));
}

#[test]
fn a_step_that_ends_where_it_began_is_told_from_one_that_stays() {
    let spec = "machine: sub
states: { past_due: { initial: true }, over: { terminal: true } }
events: { nudge: {}, look: {}, end: {} }
effects: { mail: {} }
transitions:
  - { from: past_due, event: nudge, to: past_due, do: mail }
  - { from: past_due, event: look, do: mail }
  - { from: past_due, event: end, to: over }
";
    assert!(transcript(spec, &["nudge"]).contains("sub: enters past_due again"));
    assert!(transcript(spec, &["look"]).contains("sub: stays in past_due"));
}

#[test]
fn a_transaction_that_fires_a_timer_waits_for_it_only_while_it_runs() {
    let house = "system: house\nparts: { lamp: { machine: lamp } }\ntransactions: { press: { fire: lamp.press }, dim: { fire: lamp.on_timeout } }\n";
    let inputs = [("lamp", LAMP), ("house", house)].map(|(name, text)| Input { path: format!("machines/{name}.yaml"), text: text.into() });
    let loaded = load(&inputs);
    let model = loaded.model.unwrap_or_else(|| panic!("{:#?}", loaded.diagnostics));
    let mut session = Session::new(&model, Subject::System("house")).unwrap();
    let mut said = |line: &str| match session.answer(line) {
        Answer::Said(said) => said,
        Answer::Quit => panic!("`{line}` ends the session"),
    };
    let lines = ["dim", "press", "dim", "now +1h", "dim", "dim"];
    insta::assert_snapshot!(lines.map(|line| format!("{}{}", Session::echo(line), said(line))).concat());
}
