//! What a project writes beside its specs, and what reaches the terminal: templates, escapes, workflow commands.

use super::{Case, bad, good};

/// A project with a template that is filled in for its machine.
macro_rules! template {
    ($name:literal, $text:expr) => {
        Case { others: || vec![("statespec.toml", template_at("t.txt", "o/{{ name }}.txt")), ("t.txt", $text.into())], ..bad($name, door) }
    };
}

/// Templates, escapes and messages.
pub(super) const CASES: &[Case] = &[
    template!(
        "a template that counts to 10^10",
        "{% for a in range(100000) %}{% for b in range(100000) %}{% set x = 1 %}{% endfor %}{% endfor %}"
    ),
    template!("a template that writes 10^10 bytes", "{% for a in range(100000) %}{% for b in range(100000) %}x{% endfor %}{% endfor %}"),
    template!("a template that repeats a text of 1 MB", "{% for a in range(100) %}{{ 'x' * 999999 }}{% endfor %}"),
    template!("a template that calls itself", "{% macro m() %}{{ m() }}{{ m() }}{% endmacro %}{{ m() }}"),
    template!("a template that doubles a macro 60 times", doubling()),
    template!("a template with 100,000 open brackets", format!("{{{{ {}", "[".repeat(100_000))),
    template!("a template that fails with escapes of the terminal", "\u{1b}[2J\u{202e}{{ x.y\u{1b}[31m }}"),
    template!("a template that asks for a name with escapes", "{{ ['\\u001b[2J\\n::error::x'] | nofilter }}{{ name['::error::x'] }}"),
    Case {
        others: || {
            vec![
                (
                    "statespec.toml",
                    template_at("t.txt", "o/{% for a in range(100000) %}{% for b in range(100000) %}x{% endfor %}{% endfor %}"),
                ),
                ("t.txt", "x".into()),
            ]
        },
        ..bad("a path template that writes 10^10 bytes", door)
    },
    Case {
        others: || vec![("statespec.toml", template_at("t.txt", "o/{{ name }}\u{1b}[2J")), ("t.txt", "x".into())],
        ..bad("a path with escapes of the terminal", door)
    },
    Case {
        others: || vec![("statespec.toml", template_at("t.txt", "o/{{ name }}\\n::error::x")), ("t.txt", "x".into())],
        ..bad("a path with a workflow command", door)
    },
    // The texts of specs.
    bad("an escape that turns the direction", || texts("\\u202e")),
    bad("an escape that isolates the direction", || texts("\\u2066")),
    bad("an escape of an Arabic letter mark", || texts("\\u061c")),
    bad("an escape of ESC", || texts("\\e[2J")),
    bad("an escape of NUL", || texts("\\0")),
    bad("an escape of a bell", || texts("\\a")),
    bad("an escape of CR", || texts("\\r")),
    bad("an escape of a next line", || texts("\\N")),
    bad("an escape of a line separator", || texts("\\L")),
    bad("an escape of a byte order mark", || texts("\\uFEFF")),
    bad("an escape of ESC in a key", || "machine: m\n\"k\\e[2J\": 1\nstates: { a: { initial: true } }\ntransitions: []\n".into()),
    bad("an escape of ESC in a guard", || {
        "machine: m\nevents: { e: {} }\nstates: { a: { initial: true } }\ntransitions: [{ from: a, event: e, to: a, when: \"x == '\\e[2J'\" }]\n".into()
    }),
    bad("10,000 escapes of ESC", || texts(&"\\e".repeat(10_000))),
    bad("1,000 texts with an escape of ESC", || format!("machine: m\nnotes: [{}]\n", "\"\\e\", ".repeat(1_000)).into()),
    good("an escape of a line end", || texts("a\\nb")),
    good("an escape of a letter", || texts("\\u00e9")),
    // Workflow commands.
    bad("a name that is a workflow command", || "machine: m\nstates: { \"::error::x\": { initial: true } }\ntransitions: []\n".into()),
    bad("a name with a workflow command after a line end", || {
        "machine: m\nstates: { \"a\\n::error file=x::y\": { initial: true } }\ntransitions: []\n".into()
    }),
    bad("an unknown name with a workflow command", || {
        "machine: m\nstates: { a: { initial: true } }\ntransitions: [{ from: \"b\\n  ::error::x\\n##[error]x\", to: a }]\n".into()
    }),
    bad("an unknown key with a workflow command", || {
        "machine: m\n\"k\\n::error::x\": 1\nstates: { a: { initial: true } }\ntransitions: []\n".into()
    }),
    bad("a placeholder in front of a workflow command", || {
        "machine: m\ndoc: |\n  {x}\n  ::error::x\n  ##[error]x\nstates: { a: { initial: true } }\ntransitions: []\n".into()
    }),
    bad("a guard with a workflow command", || {
        "machine: m\nevents: { e: {} }\nstates: { a: { initial: true } }\ntransitions: [{ from: a, event: e, to: a, when: \"'\\n::error::x\\n##[error]y' + 1\" }]\n".into()
    }),
    Case {
        others: || {
            vec![(
                "docs/page.md",
                format!(
                    "{}\n::error::x\n##[error]y\n{}\n",
                    "<!-- statespec:begin m.states -->", "<!-- statespec:end m.states 0123456789abcdef -->"
                ),
            )]
        },
        ..good("a region edited to a workflow command", door)
    },
];

const DOOR: &str = "machine: door\nstates: { a: { initial: true } }\ntransitions: []\n";

/// An ordinary machine.
fn door() -> Vec<u8> {
    DOOR.into()
}

/// A machine with a text in double quotes.
fn texts(text: &str) -> Vec<u8> {
    format!("machine: m\ndoc: \"{text}\"\nstates: {{ a: {{ initial: true }} }}\ntransitions: []\n").into()
}

/// The configuration of a template.
fn template_at(file: &str, out: &str) -> String {
    format!("[[template]]\nfile = \"{file}\"\nout = \"{out}\"\n")
}

/// Macros that each call the one before twice.
fn doubling() -> String {
    let next = |idx: usize| format!("{{% macro m{idx}() %}}{{{{ m{0}() }}}}{{{{ m{0}() }}}}{{% endmacro %}}", idx - 1);
    format!("{{% macro m0() %}}x{{% endmacro %}}{}{{{{ m60() }}}}", (1..=60).map(next).collect::<String>())
}
