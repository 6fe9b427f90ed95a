//! Specs as texts: nesting, lengths, encodings, names.

use super::{Case, bad, good, odd};

const DEEP: usize = 100_000;
const LARGE: usize = 64 << 20;
const MANY: usize = 1_000_000;
const STATES: &str = "\nstates: { a: { initial: true } }\n";
const REST: &str = "\nstates: { a: { initial: true } }\ntransitions: []\n";

/// Specs as texts.
pub(super) const CASES: &[Case] = &[
    bad("aliases of aliases, nine deep", || {
        let line = |idx: usize| format!("l{idx}: &l{idx} [{}]\n", format!("*l{},", idx - 1).repeat(9));
        ["l0: &l0 [lol]\n".to_owned()].into_iter().chain((1..=9).map(line)).collect::<String>().into()
    }),
    bad("20,000 aliases of a list of 20,000", || format!("a: &a [{}]\nb: [{}]\n", "x,".repeat(20_000), "*a,".repeat(20_000)).into()),
    bad("2,000 aliases of a text of 1 MB", || format!("a: &a {}\nb: [{}]\n", "x".repeat(1 << 20), "*a,".repeat(2_000)).into()),
    bad("100,000 anchors", || (0..DEEP).map(|idx| format!("k{idx}: &a{idx} x\n")).collect::<String>().into()),
    bad("100,000 levels of `[`", || format!("machine: {}", "[".repeat(DEEP)).into()),
    bad("100,000 levels of `[`, closed", || format!("machine: {}{}", "[".repeat(DEEP), "]".repeat(DEEP)).into()),
    bad("100,000 levels of `{ a: `", || format!("machine: {}", "{ a: ".repeat(DEEP)).into()),
    bad("100,000 levels of `{ a: `, closed", || format!("machine: {}{}", "{ a: ".repeat(DEEP), "}".repeat(DEEP)).into()),
    bad("100,000 levels of `{ states: { a: `", || format!("machine: m\nstates: {{ a: {}", "{ states: { a: ".repeat(DEEP)).into()),
    bad("100,000 levels of `- `", || "- ".repeat(DEEP).into()),
    bad("100,000 levels of `? `", || "? ".repeat(DEEP).into()),
    bad("100,000 levels of `[{ a: `", || format!("machine: {}", "[{ a: ".repeat(DEEP)).into()),
    bad("4,000 levels of indented maps", || (0..4_000).map(|it| format!("{}a:\n", " ".repeat(it))).collect::<String>().into()),
    bad("4,000 levels of indented lists", || (0..4_000).map(|it| format!("{}-\n", " ".repeat(it))).collect::<String>().into()),
    bad("100,000 `(` in a guard", || guard(&"(".repeat(DEEP))),
    bad("100,000 `(` in a guard, closed", || guard(&format!("{}true{}", "(".repeat(DEEP), ")".repeat(DEEP)))),
    bad("100,000 `not` in a guard", || guard(&format!("{}true", "not ".repeat(DEEP)))),
    bad("100,000 `and` in a guard", || guard(&format!("{}true", "true and ".repeat(DEEP)))),
    bad("100,000 `+` in a guard", || guard(&format!("{}1 > 0", "1 + ".repeat(DEEP)))),
    bad("100,000 `<` in a guard", || guard(&format!("{}1", "1 < ".repeat(DEEP)))),
    bad("100,000 dots in a guard", || guard(&"a.".repeat(DEEP))),
    bad("100,000 levels of `list<` in a type", || format!("machine: m\ncontext: {{ a: \"{}\" }}{REST}", "list<".repeat(DEEP)).into()),
    bad("100,000 levels of closed `list<` in a type", || {
        format!("machine: m\ncontext: {{ a: \"{}int{}\" }}{REST}", "list<".repeat(DEEP), ">".repeat(DEEP)).into()
    }),
    bad("100,000 placeholders and 50,000 constants", || {
        let constants: String = (0..50_000).map(|idx| format!("c{idx}: 1, ")).collect();
        format!("machine: m\nconstants: {{ {constants} }}\ndoc: \"{}\"{REST}", "{c}".repeat(DEEP)).into()
    }),
    good("1,000 states with 20 edges each", || {
        let states: String = (0..1_000).map(|idx| format!("s{idx}: {{ initial: {} }}, ", idx == 0)).collect();
        let edge = |idx: usize| format!("  - {{ from: s{}, to: s{} }}\n", idx % 1_000, (idx % 1_000 + idx / 1_000 + 1) % 1_000);
        format!("machine: m\nstates: {{ {states} }}\ntransitions:\n{}", (0..20_000).map(edge).collect::<String>()).into()
    }),
    good("1,000 guards of one state and event", || guards(1_000, |idx| format!("n == {idx}"))),
    good("1,000 guards that overlap", || guards(1_000, |idx| format!("n > {idx} and b{}", idx % 60))),
    good("guards of 60 alternatives each", || {
        guards(8, |idx| (0..30).map(|at| format!("(b{at} or b{} or n > {idx})", at + 30)).collect::<Vec<_>>().join(" and "))
    }),
    good("100,000 open placeholders in a text", || format!("machine: m\ndoc: \"{}\"{REST}", "{x".repeat(DEEP)).into()),
    bad("100,000 unknown placeholders in a text", || format!("machine: m\ndoc: \"{}\"{REST}", "{x}".repeat(DEEP)).into()),
    bad("64 MiB in a plain scalar", || format!("machine: {}", "x".repeat(LARGE)).into()),
    bad("64 MiB in double quotes", || format!("machine: \"{}\"", "x".repeat(LARGE)).into()),
    bad("64 MiB in a block scalar", || format!("machine: |\n  {}", "x\n  ".repeat(LARGE / 4)).into()),
    bad("64 MiB in a key", || format!("{}: x", "x".repeat(LARGE)).into()),
    bad("64 MiB in a comment", || format!("# {}\n", "x".repeat(LARGE)).into()),
    bad("64 MiB of line ends", || "\n".repeat(LARGE).into()),
    bad("15 MiB in a name", || format!("machine: {}{REST}", "x".repeat(15 << 20)).into()),
    bad("15 MiB in double quotes, open", || format!("machine: \"{}", "x".repeat(15 << 20)).into()),
    bad("15 MiB of line ends", || "\n".repeat(15 << 20).into()),
    bad("15 MiB of escapes in a name", || format!("machine: \"{}\"{REST}", "\\x41".repeat((15 << 20) / 4)).into()),
    bad("15 MiB of NUL", || vec![0; 15 << 20]),
    bad("15 MiB of bytes that are not UTF-8", || vec![0xff; 15 << 20]),
    bad("15 MiB of `- `, one a line", || "- \n".repeat(5 << 20).into()),
    bad("15 MiB of `[],`", || format!("machine: [{}]", "[],".repeat(5 << 20)).into()),
    bad("15 MiB of `,`", || format!("machine: [{}]", "a,".repeat(7 << 20)).into()),
    bad("15 MiB of tags", || "!!binary ".repeat((15 << 20) / 9).into()),
    bad("a million keys", || (0..MANY).map(|idx| format!("k{idx}: x\n")).collect::<String>().into()),
    bad("a million keys in flow style", || format!("{{ {} }}", (0..MANY).map(|idx| format!("k{idx}: x, ")).collect::<String>()).into()),
    bad("a million states", || {
        format!("machine: m\ntransitions: []\nstates:\n{}", (0..MANY).map(|idx| format!("  k{idx}:\n")).collect::<String>()).into()
    }),
    bad("a million edges", || format!("machine: m{STATES}transitions: [{}]", "{from: a, to: a},".repeat(MANY)).into()),
    bad("a million notes", || format!("machine: m{REST}notes: [{}]", "a,".repeat(MANY)).into()),
    bad("a million times the same key", || "machine: m\n".repeat(MANY).into()),
    bad("50,000 times the same key", || "machine: m\n".repeat(50_000).into()),
    bad("50,000 unknown keys", || (0..50_000).map(|idx| format!("machin{idx}: x\n")).collect::<String>().into()),
    bad("50,000 unknown states", || format!("machine: m{STATES}transitions: [{}]", "{from: b, to: c},".repeat(50_000)).into()),
    bad("50,000 states that collide", || {
        format!("machine: m\ntransitions: []\nstates:\n{}", (0..50_000).map(|idx| format!("  {}: {{}}\n", cased(idx))).collect::<String>())
            .into()
    }),
    bad("a million digits", || format!("machine: m\nconstants: {{ n: {} }}{REST}", "9".repeat(MANY)).into()),
    bad("a duplicate key", || format!("machine: m\nmachine: n{REST}").into()),
    bad("a duplicate key, quoted otherwise", || format!("machine: m\n\"machine\": n{REST}").into()),
    good("a byte order mark at the start", || format!("\u{feff}machine: m{REST}").into()),
    bad("a byte order mark in the middle", || format!("machine: m\n\u{feff}doc: x{REST}").into()),
    bad("two byte order marks", || format!("\u{feff}\u{feff}machine: m{REST}").into()),
    good("CRLF", || format!("machine: m{REST}").replace('\n', "\r\n").into()),
    bad("CR alone", || format!("machine: m{REST}").replace('\n', "\r").into()),
    bad("NUL", || format!("machine: m\ndoc: a\0b{REST}").into()),
    bad("NUL as an escape in a name", || format!("machine: \"m\\0\"{REST}").into()),
    bad("a tab as indentation", || "machine: m\nstates:\n\ta: { initial: true }\ntransitions: []\n".into()),
    good("a tab between values", || "machine:\tm\nstates:\t{ a: { initial:\ttrue } }\ntransitions: []\n".into()),
    bad("Latin-1", || b"machine: m\ndoc: caf\xe9\n".to_vec()),
    bad("UTF-16", || "machine: m\n".encode_utf16().flat_map(u16::to_le_bytes).collect()),
    bad("an overlong encoding", || b"machine: m\ndoc: \xc0\xaf\n".to_vec()),
    bad("half a surrogate pair", || b"machine: m\ndoc: \xed\xa0\x80\n".to_vec()),
    bad("half a surrogate pair as an escape", || format!("machine: m\ndoc: \"\\uD800\"{REST}").into()),
    bad("two documents", || format!("machine: m{REST}---\nmachine: n{REST}").into()),
    bad("100,000 documents", || "---\nmachine: m\n".repeat(DEEP).into()),
    bad("a YAML directive", || format!("%YAML 1.2\n---\nmachine: m{REST}").into()),
    bad("a TAG directive", || format!("%TAG ! tag:example.org,2000:\n---\nmachine: m{REST}").into()),
    bad("a tag", || format!("machine: !!str m{REST}").into()),
    bad("a merge key", || format!("machine: m\n<<: {{ doc: x }}{REST}").into()),
    bad("a null key", || format!("machine: m\n~: x\n: y{REST}").into()),
    bad("a map as a key", || format!("machine: m\n{{ a: b }}: x{REST}").into()),
    bad("a line separator", || format!("machine: m\ndoc: a\u{2028}b{REST}").into()),
    bad("text that turns its direction", || format!("machine: m\ndoc: a\u{202e}b{REST}").into()),
    bad("nothing", Vec::new),
    bad("only a comment", || "# nothing\n".into()),
    bad("names that collide after casing", || {
        "machine: m\nstates: { in-progress: { initial: true }, In_Progress: {} }\ntransitions: []\n".into()
    }),
    odd("names that look alike, Latin and Cyrillic", "lookalike-names", || {
        "machine: m\nstates: { paid: { initial: true }, p\u{430}id: {} }\ntransitions: []\n".into()
    }),
    good("names in another script", || "machine: 注文\nstates: { 開: { initial: true }, ö: {} }\ntransitions: []\n".into()),
    bad("a name of 101 characters", || format!("machine: {}{REST}", "x".repeat(101)).into()),
    bad("a name that leads out of the tree", || format!("machine: ../../m{REST}").into()),
    bad("a page that leads out of the tree", || "document: d\npath: ../../d.md\ntitle: t\nsections: [{ text: x }]\n".into()),
    bad("an absolute page", || "document: d\npath: /etc/passwd.md\ntitle: t\nsections: [{ text: x }]\n".into()),
    good("keywords of Rust as names", || {
        let words = "as async await break const continue crate dyn else enum extern fn for gen if impl in let loop match mod move mut pub ref return self static struct super trait true type unsafe use where while abstract become box do final macro override priv try typeof unsized virtual yield union raw";
        words_as_names(words)
    }),
    good("keywords of Mermaid as names", || {
        words_as_names(
            "state end note class classDef default style click direction hide as fork join choice title left right of over TB LR root constructor toString __proto__ href call graph subgraph",
        )
    }),
];

/// A machine with this guard.
fn guard(text: &str) -> Vec<u8> {
    format!("machine: m{STATES}events: {{ e: {{}} }}\ntransitions: [{{ from: a, event: e, to: a, when: \"{text}\" }}]\n").into()
}

/// A machine with some edges of one state and event, and with sixty flags and a number for their guards.
fn guards(n: usize, when: fn(usize) -> String) -> Vec<u8> {
    let flags: String = (0..60).map(|idx| format!("b{idx}: bool, ")).collect();
    let edges: String = (0..n).map(|idx| format!("  - {{ from: a, event: e, to: a, when: \"{}\" }}\n", when(idx))).collect();
    format!("machine: m{STATES}context: {{ n: int, {flags} }}\nevents: {{ e: {{}} }}\ntransitions:\n{edges}").into()
}

/// `STATE_a`, `State_A` and so on: names that are equal after case conversion.
fn cased(idx: usize) -> String {
    "abcdefghijklmnopq".chars().enumerate().map(|(at, it)| if idx >> at & 1 == 1 { it.to_ascii_uppercase() } else { it }).collect()
}

/// A machine with all of these words as states, events, fields and effects.
fn words_as_names(words: &str) -> Vec<u8> {
    let words: Vec<&str> = words.split(' ').collect();
    let list = |value: &str| words.iter().map(|it| format!("  {it}: {value}\n")).collect::<String>();
    let edges: String = words.iter().map(|it| format!("  - {{ from: start, event: {it}, to: {it}, do: {it} }}\n")).collect();
    let states = format!("  start: {{ initial: true }}\n{}", list("{}"));
    format!("machine: fn\nstates:\n{states}events:\n{}effects:\n{}transitions:\n{edges}", list("{}"), list("{}")).into()
}
