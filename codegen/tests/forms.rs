//! Every form of a region, of one machine with awkward names.

use std::fmt::Write as _;

use statespec_codegen::backend::code::{Context, FORMS, request, width};
use statespec_codegen::model::Model;
use statespec_codegen::source::{Input, Sources};

use crate::project;

/// Names that are words of languages, letters outside of ASCII, and texts that would end a text in quotes.
const JOB: &str = r#"machine: job
states:
  class: { initial: true, wire: "it's", label: "a \"b\" \\ ${c} </script> {{d}}", number: 2 }
  none: { label: "two\nlines\u2028\u202e", number: 0 }
  waiting_for_somebody_to_look_at_it_again: { wire: "no", number: 7 }
  waiting_for_somebody_else: { wire: "__proto__", number: 3 }
  gone: { terminal: true, number: -1 }
reserved: { states: [5, 6, old_name] }
events: { go:, default:, end: }
enums:
  kind: { values: { small: { number: 1 }, large: { label: Large one, number: 2 } }, reserved: [3] }
transitions:
  - { from: class, event: go, to: none }
  - { from: none, event: go, to: waiting_for_somebody_to_look_at_it_again }
  - { from: none, event: default, to: waiting_for_somebody_else }
  - { from: none, event: end, to: gone }
  - { from: [waiting_for_somebody_else, waiting_for_somebody_to_look_at_it_again], event: end, to: gone }
"#;

fn model(text: &str) -> (Sources, Model) {
    project::model(&[Input { path: "machines/job.yaml".into(), text: text.into() }])
}

/// The text of a region, or why there is none.
fn region(words: &str, indent: &str, sources: &Sources, model: &Model) -> String {
    let files = Sources::default();
    let context = Context { model, sources, own: &[], files: &files };
    match request(words, context).and_then(|it| it.render(width(indent), context)) {
        Ok(rendered) => rendered.text.into_owned(),
        Err(why) => format!("error: {} = {}\n", why.message, why.help),
    }
}

#[test]
fn every_form_says_what_the_machine_has() {
    let (sources, model) = model(JOB);
    for form in FORMS {
        let mut shown = String::new();
        for subject in ["states", "events", "enums.kind", "labels", "edges"] {
            for name in ["", " Own"] {
                let words = format!("job.{subject} {}{name}", form.name);
                let _ = writeln!(shown, "---- {words}\n{}", region(&words, "", &sources, &model));
            }
        }
        insta::assert_snapshot!(form.name, shown);
    }
}

#[test]
fn a_text_fits_into_the_columns_that_are_left() {
    let (sources, model) = model(JOB);
    let mut shown = String::new();
    for words in ["job.events ts-union", "job.events py-literal", "job.enums.kind sql-check", "job.edges ts-const"] {
        for indent in ["", &" ".repeat(40)] {
            let _ = writeln!(shown, "---- {words}, {} columns further right\n{}", indent.len(), region(words, indent, &sources, &model));
        }
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn names_that_a_language_cannot_have_are_refused() {
    let text = "machine: job\nstates: [self, a_b, aB, größe]\nevents: { go: }\ntransitions:\n  - { from: [self, a_b, aB], event: go, to: größe }\n  - { from: größe, event: go, to: self }\n";
    let text = text.replace("aB", "ab").replace("a_b", "a__b");
    let (sources, model) = model(&text);
    let shown: String = FORMS
        .iter()
        .filter(|it| it.takes.list())
        .map(|it| format!("---- {}\n{}", it.name, region(&format!("job.states {}", it.name), "", &sources, &model)))
        .collect();
    insta::assert_snapshot!(shown);
}
