//! Texts for docs, labels, notes and refusals, including texts that look like code.

use super::dice::Dice as _;
use super::names::Hostility;
use crate::rng::Rng;

/// Realistic texts.
const PLAIN: &[&str] = &[
    "Somebody asks for it.",
    "The work has ended",
    "Tells the operator.",
    "Nothing is on its way any more: the order is done.",
    "First line.\n\nSecond paragraph, with `code`.",
    "A longer text that goes on for so many words that no printer keeps it on one line, whatever the indentation of that line is.",
];

/// Texts that end a literal, a comment, an attribute or a table cell unless they are escaped.
const HOSTILE: &[&str] = &[
    "\"",
    "a \"quoted\" text",
    "\\",
    "ends with \\",
    "\\n \\u{41} \\x41 \\0",
    "'",
    "{}",
    "{0} {:?} {{}} {",
    "}",
    "*/",
    "/* unclosed",
    "/*! */ */",
    "//",
    "/// doc",
    "//! inner",
    "#\"",
    "r#\"raw\"#",
    "\"##",
    "#[doc = \"x\"]",
    "#![allow(warnings)]",
    "]",
    ")]",
    "pub fn f() {}",
    "State::A => unreachable!(),",
    "let x = \"",
    "` | `",
    "| a | b |",
    "```\nlet x = 1;\n```",
    "```rust\ncompile_error!(\"x\");\n```",
    "    indented by four",
    "\tindented by a tab",
    "~~~",
    "# heading",
    "- item\n  - inner",
    "> quote",
    "[link]",
    "[`State`]",
    "[a]: https://example.org",
    "<b>html</b>",
    "<!-- statespec:begin x -->",
    "https://example.org/?a=b",
    "__LIST__0",
    "__LIST__0_________________________________________________________________________________________",
    "__LIST__1 => {}",
    "__Machine",
    "$crate $x",
    "%s %d",
    "\u{a0}non-breaking\u{a0}",
    "\u{200b}zero width",
    "é e\u{301} ß ﬁ 状态 👩‍👩‍👧",
    "a\nb",
    "\n",
    " ",
    " leading and trailing ",
    "first\n\n\nlast\n",
    "trailing spaces   \nnext",
    "@generated",
    "ends with a backslash before a line \\\n  end",
    "null",
    "true",
    "0",
    "cr: \\r",
];

/// A text with doubled braces, for places with placeholders.
pub(super) fn text(rng: &mut Rng, hostility: Hostility) -> String {
    doubled(&raw(rng, hostility))
}

/// A text of at most 500 bytes, with doubled braces.
pub(super) fn label(rng: &mut Rng, hostility: Hostility) -> String {
    doubled(&short(rng, hostility))
}

/// A text of at most 500 bytes for places without placeholders.
pub(super) fn short(rng: &mut Rng, hostility: Hostility) -> String {
    let mut text = raw(rng, hostility);
    while text.len() > 500 {
        text.pop();
    }
    text
}

/// A text for places without placeholders, with single braces.
pub(super) fn raw(rng: &mut Rng, hostility: Hostility) -> String {
    if !rng.chance(hostility) {
        return (*rng.pick(PLAIN)).to_owned();
    }
    match rng.below(12) {
        0 => "word ".repeat(rng.between(20, 300)),
        1 => "x".repeat(rng.between(80, 700)),
        2 => format!("{}{}", rng.pick(HOSTILE), rng.pick(HOSTILE)),
        3 => format!("{}\n{}\n{}", rng.pick(HOSTILE), rng.pick(PLAIN), rng.pick(HOSTILE)),
        4 => format!("{} {}", rng.pick(PLAIN), rng.pick(HOSTILE)),
        _ => (*rng.pick(HOSTILE)).to_owned(),
    }
}

/// A text with doubled braces, for places where braces contain the names of constants.
pub(super) fn doubled(text: &str) -> String {
    text.replace('{', "{{").replace('}', "}}")
}

/// A text with constants or payload fields in braces; `names` says of each whether it is a number.
pub(super) fn filled(rng: &mut Rng, hostility: Hostility, names: &[(String, bool)]) -> String {
    let mut text = text(rng, hostility);
    if rng.chance(30)
        && let Some((name, is_number)) = rng.maybe(names)
    {
        let percent = if *is_number && rng.chance(30) { ":%" } else { "" };
        let named = format!("{{{name}{percent}}}");
        text = if rng.chance(50) { format!("{text} {named}") } else { format!("{named}{text}") };
    }
    text
}
