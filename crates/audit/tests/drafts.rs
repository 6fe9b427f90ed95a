//! First specs: they load, and the audit of the same history against them finds nothing.

use statespec_audit::{Format, Options, Reading, draft};

use crate::support::{Random, audit, found, spec};

/// A history of random steps: with events or without, with one start or several, with states whose names are no names of the language.
fn history(seed: u64) -> String {
    let mut random = Random(seed);
    let states = ["open", "in progress", "DONE", "done", "1st", "end", "über", "\"quoted\"", "a-b", "a_b", "s", "S", "s2"];
    let events = ["go", "back again", "back_again", "Stop", "go2", "go_2", "true", "null"];
    let n_states = 2 + random.below(states.len() - 1);
    let shift = random.below(states.len());
    let (with_events, with_births, with_from) = (random.below(2) == 0, random.below(2) == 0, random.below(3) > 0);
    let mut text = String::new();
    let mut at = [usize::MAX; 6];
    for time in 0..120 {
        let entity = random.below(at.len());
        let to = random.below(n_states);
        let json = |it: usize| serde_json::to_string(states[(it + shift) % states.len()]).unwrap();
        let from = if at[entity] == usize::MAX { "null".to_owned() } else { json(at[entity]) };
        let is_birth = at[entity] == usize::MAX;
        text.push_str(&format!("{{\"v\":1,\"entity\":{entity},\"at\":\"2026-01-01T00:{:02}:{:02}Z\"", time / 60, time % 60));
        if with_from && (with_births || !is_birth) {
            text.push_str(&format!(",\"from\":{from}"));
        } else if with_from {
            text.push_str(&format!(",\"from\":{}", json(0)));
        }
        if with_events && !is_birth {
            let event = events[random.below(events.len())];
            text.push_str(&format!(",\"event\":\"{event}\""));
        }
        text.push_str(&format!(",\"to\":{}}}\n", json(to)));
        at[entity] = to;
    }
    text
}

#[test]
fn a_history_has_nothing_that_its_own_first_spec_lacks() {
    for seed in 0..150 {
        let text = history(seed);
        let draft = draft(None, "thing", Format::Jsonl, &Reading::default(), text.as_bytes()).unwrap();
        let loaded = spec(&draft.yaml);
        let outcome = audit(&loaded, Format::Jsonl, &Reading::default(), Options::default(), text.as_bytes()).unwrap();
        assert_eq!(found(&outcome), [], "{seed}:\n{}\n{text}", draft.yaml);
        assert_eq!(outcome.n_records, 120);
    }
}

#[test]
fn numbers_become_notes() {
    let text = "id,from,to\n1,,open\n1,open,shut\n2,,open\n2,open,shut\n2,shut,open\n";
    let draft = draft(None, "door", Format::Csv, &Reading::default(), text.as_bytes()).unwrap();
    insta::assert_snapshot!(draft.yaml);
}

#[test]
fn one_event_with_several_targets_gets_predicates() {
    let text = "id,from,event,to\n1,,,open\n1,open,push,shut\n2,,,open\n2,open,push,locked\n2,locked,knock,locked\n";
    let draft = draft(None, "door", Format::Csv, &Reading::default(), text.as_bytes()).unwrap();
    insta::assert_snapshot!(draft.yaml);
}

#[test]
fn a_history_without_states_or_with_too_many_is_refused() {
    let of = |text: &str| draft(None, "x", Format::Csv, &Reading::default(), text.as_bytes()).unwrap_err();
    assert_eq!(of("id,event\n1,go\n"), "the history has no record with a state: name the column with `--columns to=…`");
    let many: String = (0..2_000).map(|it| format!("1,s{it}\n")).collect();
    assert_eq!(of(&format!("id,to\n{many}")), "the history has too many different states: is the right column named?");
}
