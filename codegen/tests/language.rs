//! The small public functions of the language: characters, names, places, levels of lints, moments, parallel work.

use heck::ToUpperCamelCase as _;
use statespec_codegen::diagnostic::{Code, Levels, LintLevel};
use statespec_codegen::source::Sources;
use statespec_lang::chars::{printable, visible};
use statespec_lang::expr::{parse_timestamp, show_timestamp};
use statespec_lang::names::{ident, is_name, shouty, snake, start_with_letter, upper_camel};
use statespec_lang::parallel::{map, map_on};

#[test]
fn nothing_controls_the_terminal_or_the_runner() {
    for (text, expected) in [
        ("a\tb\nc\n", "a\tb\nc\n"),
        ("\u{1b}[31mred\u{1b}[0m", "\u{1b}[31mred\u{1b}[0m"),
        ("\u{1b}[2J\u{202e}x\u{85}", "\\u{1b}[2J\\u{202e}x\\u{85}"),
        ("a\n  ::error::x\n", "a\n  \\u{3a}:error::x\n"),
        (" ::: machines/a.yaml:1:1\n", " ::: machines/a.yaml:1:1\n"),
        ("3 | ::x ##[error]y", "3 | ::x #\\u{23}[error]y"),
    ] {
        assert_eq!(printable(text), expected);
    }
    assert_eq!(visible("a\n\u{200b}\r"), "a\\u{a}\\u{200b}\\u{d}");
}

#[test]
fn codes_are_unique_and_explained() {
    for (idx, code) in Code::ALL.iter().enumerate() {
        assert!(code.explanation().ends_with('.'), "{}", code.id());
        assert!(Code::ALL[..idx].iter().all(|other| other.id() != code.id()), "{}", code.id());
        assert_eq!(code.lint_level().is_some(), code.id().starts_with("lint::"), "{}", code.id());
    }
}

#[test]
fn all_wrong_levels_are_reported_at_once() {
    let wrong = Levels::from_pairs([("dead-end", "wran"), ("lint::dead-end", "deny"), ("name::unknown", "allow")]).unwrap_err();
    let messages: Vec<&str> = wrong.iter().map(|it| it.message.as_str()).collect();
    assert_eq!(messages, ["there is no level `wran`", "there is no lint `name::unknown`"]);
    assert!(wrong[0].is_level && !wrong[1].is_level);
}

#[test]
fn the_last_level_of_a_lint_counts() {
    let levels = Levels::from_pairs([("dead-end", "allow"), ("lint::dead-end", "warn")]).unwrap();
    assert_eq!(levels.of(Code::LintDeadEnd), Some(LintLevel::Warn));
}

#[test]
fn moments_are_written_by_rfc_3339() {
    for (micros, text) in [
        (0, "1970-01-01T00:00:00Z"),
        (-1, "1969-12-31T23:59:59.999999Z"),
        (951_782_400_000_000, "2000-02-29T00:00:00Z"),
        (951_868_800_000_000, "2000-03-01T00:00:00Z"),
        (4_107_542_399_000_000, "2100-02-28T23:59:59Z"),
        (4_107_542_400_000_000, "2100-03-01T00:00:00Z"),
    ] {
        assert_eq!(show_timestamp(micros), text);
        assert_eq!(parse_timestamp(text), Some(micros));
    }
    for text in [
        "",
        "2026-02-30T00:00:00Z",
        "2026-13-01T00:00:00Z",
        "2026-01-01T24:00:00Z",
        "2026-01-01T00:00:00.Z",
        "2026-01-01T0:00:00Z",
        "2026-01-01T+1:00:00Z",
        "2026-01-01",
        "2026-01-00T00:00:00Z",
    ] {
        assert_eq!(parse_timestamp(text), None, "{text}");
    }
    // No panic at the limits.
    let _ = (show_timestamp(i64::MIN), show_timestamp(i64::MAX));
}

#[test]
fn plain_names_are_cased_as_all_are() {
    for name in ["", "_", "a", "a_b", "_a__b_", "state_001", "a1b2_3c", "x9_", "1st", "r2_d2"] {
        assert_eq!(upper_camel(name), start_with_letter(name.to_upper_camel_case()), "{name}");
    }
}

#[test]
fn every_well_formed_name_makes_identifiers() {
    for name in ["self", "Self", "crate", "gen", "try", "a-b", "_1", "__x", "HTTPServer", "état", "r2-d2", "union", "ß", "ﬁ"] {
        assert!(is_name(name), "{name}");
        for cased in [upper_camel(name), snake(name), shouty(name)] {
            assert!(syn::parse_str::<proc_macro2::Ident>(&ident(&cased).to_string()).is_ok(), "{name} → {cased}");
        }
    }
    for name in ["", "1st", "-a", "a b", "a.b", "[*]", "_", "___", "__proto__ "] {
        assert!(!is_name(name), "{name}");
    }
}

#[test]
fn lines_and_columns_count_characters_from_one() {
    let mut sources = Sources::default();
    let id = sources.add("a\\b.yaml", "\u{feff}ä: 1\r\nb: 2");
    let source = sources.get(id);
    assert_eq!(source.path(), "a/b.yaml");
    assert_eq!(source.line_column(0), (1, 1));
    assert_eq!(source.line_column(2), (1, 2));
    assert_eq!(source.line_column(6), (2, 1));
    assert_eq!(source.line_column(1), (1, 1), "inside a character: its start");
    assert_eq!(source.line_column(usize::MAX), (2, 5));
}

#[test]
fn results_come_in_the_order_of_the_items() {
    let items: Vec<usize> = (0..1000).collect();
    let slow = |it: &usize| {
        let spin = if it.is_multiple_of(7) { 2000 } else { 1 };
        (0..spin).fold(*it, |sum, _| std::hint::black_box(sum)) * 2
    };
    let expected: Vec<usize> = items.iter().map(|it| it * 2).collect();
    for n_threads in [1, 2, 3, 64] {
        assert_eq!(map_on(n_threads, items.iter(), slow), expected, "{n_threads}");
    }
    assert_eq!(map(&items, slow), expected);
    assert_eq!(map(&items[..0], slow), Vec::<usize>::new());
}

#[test]
#[should_panic(expected = "seven")]
fn a_panic_in_another_thread_is_passed_on() {
    map_on(2, [1, 7].into_iter(), |it| assert_ne!(it, 7, "seven"));
}
