//! No text of a spec becomes code: whatever docs, labels, notes and refusals contain, emitted Rust has the same tokens,
//! except for string literals and docs.

use proc_macro2::{Delimiter, Group, Literal, TokenStream, TokenTree};
use proptest::prelude::*;
use quote::{format_ident, quote};
use statespec_codegen::diagnostic::{Code, LintLevel};
use statespec_codegen::source::Input;
use statespec_rust::derive::{Features, Found, expand};
use statespec_rust::{Style, files::file::machine_text, files::system::system_text};

use crate::project::{model, quoted};

/// Texts that close the surrounding literal or comment, or look like other syntax, if a printer writes them unescaped.
const HOSTILE: &[&str] = &[
    "\"",
    "say \"so\"",
    "\\",
    "ends with \\",
    "\\\"",
    "\\n \\t \\0 \\x41 \\u{41}",
    "{}",
    "{0} {name} {:?} {{}} {",
    "}",
    "*/",
    "/* open",
    "/** doc */",
    "//",
    "///",
    "//! inner",
    "/ slash",
    "#\"",
    "\"#",
    "r#\"raw\"#",
    "\"##, x",
    "#[doc = \"x\"]",
    "#![allow(warnings)]",
    "]",
    ")]",
    ");",
    "pub fn f() {}",
    "pub enum State { A }",
    "State::A => State::B,",
    "State::A,",
    "let x = \"",
    "const X: &str = \"x\";",
    "compile_error!(\"x\");",
    "include!(\"x\")",
    "$crate $x",
    "'",
    "'a",
    "b\"x\"",
    "c\"x\"",
    "0x1f",
    "r#type",
    "self",
    "crate",
    "one\ntwo",
    "one\n\ntwo",
    "\none",
    "one\n",
    "one\\\n  two",
    "\t",
    "    four",
    "    let x = 1;",
    "```\ncode\n```",
    "```rust\npanic!()\n```",
    "~~~\n~~~",
    "[`State`]",
    "[x]: y",
    "<b>",
    "| a | b |",
    "# heading",
    "\u{a0}",
    "\u{200b}",
    "e\u{301}",
    "${x} `",
    "\"\"\" '''",
    "日本語 🙂",
    "@generated",
    // The former placeholder of this crate's own printer, and similar texts.
    "__LIST__1",
    "__LIST__99_______________________________________________________________________________________",
    "__LIST__0_________________________________________________________________________________________",
    "\"__LIST__0",
    "__LIST__2! {}",
    "__LIST__3 => {}",
    "__Machine",
    "__private",
    "__0",
    "__ITEM__",
    "__PLACEHOLDER__",
    "PLACEHOLDER_0",
    "@@0@@",
    "%0%",
    "$0",
    "<<0>>",
    "{{0}}",
    "/*0*/",
    "//0",
    "__statespec_0",
];

/// A machine with texts in every place: `@` is a text, and `'@'` is a text in an expression.
const MACHINE: &str = r#"machine: m
title: @
doc: @
sources: [@, @]
actors: { somebody: @, other: @ }
constants: { limit: { value: 3, doc: @ }, word: { value: @, doc: @ } }
enums: { kind: { doc: @, ignore_case: true, values: { one: { label: @, doc: @ }, two: { label: @, doc: @ }, three: {} } } }
context:
  count: { type: int, label: @, doc: @, aliases: [@] }
  said: { type: text, default: @, doc: @ }
  of: { type: kind, default: one, doc: @ }
  job: { type: reference, optional: true, doc: @ }
attributes:
  sign: { type: text, label: @, doc: @ }
  signs: { type: list<text>, default: [@, @] }
  rank: { type: kind, default: one, doc: @ }
  first: { type: list<kind>, default: [one] }
states:
  a: { initial: true, label: @, doc: @, attributes: { sign: @, signs: [@, @] }, entry: enter }
  b: { label: @, doc: @, attributes: { sign: @ }, inferred: @, exit: leave }
  c: { doc: @, attributes: { sign: @ }, allow: { dead-end: "because" } }
  d:
    label: @
    doc: @
    attributes: { sign: @ }
    states:
      e: { initial: true, doc: @, label: @ }
      f: { doc: @, attributes: { signs: [] } }
  g: { doc: @, attributes: { sign: @ } }
  h: { terminal: true, doc: @, attributes: { sign: @ } }
events:
  go: { by: somebody, performer: other, label: @, doc: @, payload: { data: { type: text, doc: @, label: @ }, to: { type: reference, doc: @ } } }
  stop: { doc: @, aliases: [halt] }
  wait: { doc: @ }
  turn: { doc: @ }
  back: { doc: @ }
  jump: { doc: @, payload: { where: { type: state, doc: @ } } }
predicates: { ready: { doc: @ }, willing: { doc: @ } }
effects:
  enter: { doc: @, label: @ }
  leave: { doc: @, label: @ }
  tell: { label: @, doc: @, message: @ }
  send: { label: @, doc: @, payload: [data, to], message: @ }
  note: { doc: @ }
transitions:
  - { from: a, event: go, when: "ready and data == '@' and said != '@'", to: b, label: @, summary: @, doc: @, do: [tell, send], inferred: @ }
  - { from: a, event: go, to: a, do: tell, doc: @, set: { said: "'@'", count: count + limit } }
  - { from: b, event: go, refuse: @ }
  - { from: c, event: go, refuse: @ }
  - { from: d, event: go, refuse: @ }
  - { from: g, event: go, refuse: @ }
  - { from: "*", event: stop, refuse: @ }
  - { from: "*", except: [h], event: [wait, turn], to: c, summary: @, doc: @, before: note }
  - { from: [a, b, c], event: back, when: willing, to: d, label: @, commit: memory_first }
  - { from: [a, b, c], event: back, refuse: @ }
  - { from: "*", event: jump, to: "{where}", label: @ }
  - { from: d, to: [g, h], doc: @, label: @ }
  - { from: g, to: [a, h], summary: @ }
orders:
  sorting:
    doc: @
    item: { count: { type: int, label: @, doc: @ }, kind: { type: kind, label: @ } }
    keys: count asc
    states: { a: [{ rank: kind, first: first, label: @ }], b: count desc }
notes: [@, @, @]
"#;

/// A system with texts in every place.
const SYSTEM: &str = r#"system: s
title: @
doc: @
sources: [@]
actors: { somebody: @ }
parts: { m: { machine: m, label: @, doc: @ }, many: { machine: m, many: true, label: @, doc: @ } }
transactions:
  go:
    by: somebody
    surface: @
    payload: { data: { type: text, doc: @, label: @ }, to: { type: reference, doc: @ } }
    atomic: true
    fire: { m.go: { data: data, to: to } }
    doc: @
    on_failure: @
    inferred: @
  both: { doc: @, payload: { to: reference }, fire: [{ many.go: { data: "'@'", to: to } }, m.stop] }
rules:
  - { before: m.go, require: m.state == a, doc: @, inferred: @ }
  - { before: "many.*", except: many.stop, require: "m.said != '@'", doc: @ }
links:
  - { enter: many.b, fire: m.wait, optional: true, doc: @, inferred: @ }
  - { exit: many.a, when: "m.said == '@'", fire: { m.jump: { where: b } }, doc: @ }
invariants:
  - { require: m.state == a or m.count >= 0, doc: @, inferred: @ }
  - { require: many.state != h or m.state != h, doc: @ }
notes: [@, @]
"#;

/// A text for use inside double quotes of YAML.
fn escaped(text: &str) -> String {
    let quoted = quoted(&text.replace('\'', "").replace(['{', '}'], ""));
    quoted[1..quoted.len() - 1].to_owned()
}

/// A template with its placeholders replaced by texts.
fn fill(template: &str, text: &mut dyn FnMut() -> String) -> String {
    let mut filled = String::new();
    let mut rest = template;
    while let Some(at) = rest.find('@') {
        filled.push_str(&rest[..at]);
        let in_expression = rest[..at].ends_with('\'');
        filled.push_str(&if in_expression { escaped(&text()) } else { quoted(&text()) });
        rest = &rest[at + 1..];
    }
    filled + rest
}

/// The specs with these texts.
fn filled(text: &mut dyn FnMut() -> String) -> [Input; 2] {
    let (machine, system) = (fill(MACHINE, text), fill(SYSTEM, text));
    let input = |name: &str, text: String| Input { path: format!("machines/{name}.yaml"), text };
    [input("m", machine), input("s", system)]
}

/// A machine and a system in which each text is a hostile one.
pub(crate) fn specs(shift: usize) -> Vec<Input> {
    let hostile: Vec<String> = (0..HOSTILE.len()).map(|it| HOSTILE[(it + shift) % HOSTILE.len()].to_owned()).collect();
    filled(&mut numbered(&hostile)).into()
}

/// The emitted code: the module of the machine, the module of the system, and the output of a derive.
fn emitted(text: &mut dyn FnMut() -> String) -> [TokenStream; 3] {
    let inputs = filled(text);
    let (_, model) = model(&inputs);
    let [Input { text: machine, .. }, _] = inputs;
    let style = Style::default();
    // The lints of the graph do not matter here.
    let denied = Code::lints().filter(|it| it.lint_level() == Some(LintLevel::Deny));
    let denied = denied.map(|it| format_ident!("{}", it.short().replace('-', "_")));
    let derived = quote! {
        #[machine("machines/m.yaml", typestate, allow(#(#denied),*))]
        pub struct Job { state: JobState, count: i64, said: String, of: JobKind, job: Option<u64> }
    };
    let found = |_: &syn::LitStr, _: &syn::Ident| Ok(Found { text: machine.clone(), path: quote! { "" } });
    let parsed = |text: String| text.parse().unwrap_or_else(|error| panic!("{error}\n{text}"));
    [
        parsed(machine_text(&model.machines[0], &style).expect("the machine can be printed")),
        parsed(system_text(&model, &model.systems[0], &style).expect("the system can be printed")),
        expand(derived, &found, Features { serde: true, decimal: true }),
    ]
}

/// The tokens without docs, and with the same text in every string literal.
fn bare(tokens: TokenStream) -> TokenStream {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut bare = Vec::new();
    let mut next = 0;
    while let Some(token) = tokens.get(next) {
        let inner = matches!(tokens.get(next + 1), Some(TokenTree::Punct(it)) if it.as_char() == '!');
        let attribute = next + 1 + usize::from(inner);
        let is_doc = matches!(token, TokenTree::Punct(it) if it.as_char() == '#') && tokens.get(attribute).is_some_and(is_doc);
        if is_doc {
            next = attribute + 1;
            continue;
        }
        bare.push(match token {
            TokenTree::Group(group) => TokenTree::Group(Group::new(group.delimiter(), self::bare(group.stream()))),
            TokenTree::Literal(literal) if literal.to_string().ends_with(['"', '#']) => TokenTree::Literal(Literal::string("")),
            other => other.clone(),
        });
        next += 1;
    }
    bare.into_iter().collect()
}

/// Whether this is `[doc = "…"]`.
fn is_doc(token: &TokenTree) -> bool {
    let TokenTree::Group(group) = token else { return false };
    let mut inside = group.stream().into_iter();
    let is_word = matches!(inside.next(), Some(TokenTree::Ident(it)) if it == "doc");
    let is_value = matches!(inside.next(), Some(TokenTree::Punct(it)) if it.as_char() == '=');
    let is_literal = matches!(inside.next(), Some(TokenTree::Literal(_)));
    group.delimiter() == Delimiter::Bracket && is_word && is_value && is_literal && inside.next().is_none()
}

/// The bare tokens as text. A printer may add a comma or braces to long lines, so these are printed again.
fn printed(tokens: TokenStream) -> String {
    let bare = bare(tokens);
    let file = syn::parse2(bare.clone()).unwrap_or_else(|error| panic!("{error}\n{bare}"));
    prettyplease::unparse(&file)
}

/// The emitted code of a spec with these texts, without docs and literals.
fn code(text: &mut dyn FnMut() -> String) -> [String; 3] {
    let code = emitted(text).map(printed);
    assert!(!code[2].contains("compile_error!"), "the derive refuses the struct:\n{}", code[2]);
    code
}

/// The change that the texts of a spec make to its code, if any.
fn change(expected: &[String; 3], text: &mut dyn FnMut() -> String) -> Option<String> {
    // A panic of the printer counts as a change, too.
    let found = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| code(text)));
    let Ok(found) = found else { return Some("nothing is emitted".to_owned()) };
    expected
        .iter()
        .zip(&found)
        .filter(|(expected, found)| expected != found)
        .map(|(expected, found)| {
            let differing = expected.lines().zip(found.lines()).find(|(a, b)| a != b);
            differing.map_or_else(|| "lines come or go".to_owned(), |(a, b)| format!("`{}` becomes `{}`", a.trim(), b.trim()))
        })
        .next()
}

/// One text after the other, each one different: equal texts may share their code.
fn numbered(texts: &[String]) -> impl FnMut() -> String {
    let mut number = 0;
    move || {
        let text = &texts[number % texts.len()];
        let round = number / texts.len();
        number += 1;
        if round == 0 { text.clone() } else { format!("{text}{round}") }
    }
}

#[test]
fn one_hostile_text_in_every_place_changes_no_code() {
    let expected = code(&mut || "words".to_owned());
    // An odd step, so that the sample has texts of all kinds.
    let every = if crate::project::checks::is_complete() { 1 } else { 5 };
    let changes =
        HOSTILE.iter().step_by(every).filter_map(|text| Some(format!("{text:?}: {}", change(&expected, &mut || (*text).to_owned())?)));
    let changes: Vec<String> = changes.collect();
    assert!(changes.is_empty(), "{}", changes.join("\n"));
}

/// Texts without any special meaning.
fn plain(n_texts: usize) -> Vec<String> {
    (0..n_texts).map(|it| format!("words {it} and")).collect()
}

#[test]
fn hostile_texts_beside_each_other_change_no_code() {
    let expected = code(&mut numbered(&plain(HOSTILE.len())));
    // Each text is in another place every time.
    for shift in (0..HOSTILE.len()).step_by(11) {
        let hostile: Vec<String> = (0..HOSTILE.len()).map(|it| HOSTILE[(it + shift) % HOSTILE.len()].to_owned()).collect();
        let change = change(&expected, &mut numbered(&hostile));
        assert_eq!(change, None, "from {:?} on", hostile[0]);
    }
}

/// A text of pieces that have a meaning in Rust, in Markdown or to a printer.
fn hostile() -> impl Strategy<Value = String> {
    let listed = (0..HOSTILE.len()).prop_map(|it| HOSTILE[it].to_owned());
    let piece =
        prop_oneof![listed, "[a-z0-9 \"'\\\\{}()\\[\\]#/*!=>:;,.$@_`|<&\n-]{1,12}", "__[A-Z]{1,12}__[0-9]{1,2}_{0,90}", "[ _]{40,120}"];
    proptest::collection::vec(piece, 1..4).prop_map(|it| it.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..Default::default() })]

    #[test]
    fn no_text_changes_code(texts in proptest::collection::btree_set(hostile(), 7..40)) {
        let hostile: Vec<String> = texts.into_iter().collect();
        let expected = code(&mut numbered(&plain(hostile.len())));
        prop_assert_eq!(change(&expected, &mut numbered(&hostile)), None, "{:?}", hostile);
    }
}
