//! The lints as a region of the reference, with the examples that the tests run.

use statespec_lang::diagnostic::Code;
use statespec_lang::output::{Blame, Region};

/// A lint's name, a spec that violates it, and a similar spec that does not.
type Example = (&'static str, &'static str, &'static str);

macro_rules! examples {
    ($($name:literal)*) => {
        const EXAMPLES: &[Example] = &[$((
            $name,
            include_str!(concat!("../../tests/fixtures/lints/", $name, "/hit.yaml")),
            include_str!(concat!("../../tests/fixtures/lints/", $name, "/miss.yaml")),
        ),)*];
    };
}

examples! {
    "unreachable-state" "dead-end" "no-outcome" "sink-edge" "terminal-edge" "self-edge" "lone-child"
    "shadowed-edge" "never-holds" "overlapping-guards" "guard-gap" "never-settles" "never-rests"
    "racing-assignments" "timer-never-elapses" "zero-divisor"
    "unused-event" "unused-effect" "unused-predicate" "unused-constant" "context-never-read" "context-never-written" "payload-never-read"
    "idle-actor" "open-to-anyone" "not-atomic" "rule-never-holds" "rule-never-broken" "walkthrough-skips"
    "confusable-names" "lookalike-names" "wire-case" "missing-number" "shared-number" "undocumented-state" "todo" "unneeded-waiver"
}

/// A section for each lint: its level, its meaning, a spec that violates it and one that does not.
pub(crate) fn region() -> Region {
    let mut text = String::from("| Lint | Level |\n| --- | --- |\n");
    for lint in Code::lints() {
        let level = lint.lint_level().map_or("", |it| it.word());
        text.push_str(&format!("| [`{0}`](#{0}) | {level} |\n", lint.short()));
    }
    for lint in Code::lints() {
        let level = lint.lint_level().map_or("", |it| it.word());
        // The heading is only the name, which keeps links to it short.
        text.push_str(&format!("\n### {}\n\nLevel: {level}.\n{}\n", lint.short(), lint.explanation()));
        for (_, hit, miss) in EXAMPLES.iter().filter(|it| it.0 == lint.short()) {
            text.push_str(&format!("\nReported:\n\n```yml\n{}```\n\nNot reported:\n\n```yml\n{}```\n", unix(hit), unix(miss)));
        }
    }
    Region { text, origin: None, blame: Blame::default() }
}

/// Normalizes line ends, which a checkout may have converted.
fn unix(text: &str) -> String {
    text.replace("\r\n", "\n")
}
