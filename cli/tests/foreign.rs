//! What the command is given, and did not choose: whatever characters it has, none of them reaches a terminal or a log.

use crate::support::Project;

/// A text in a command line is in the place of `X`.
const COMMANDS: &[&str] = &[
    "X",
    "check X",
    "check --X",
    "check --format X",
    "check --only X",
    "check --changed=X",
    "check --output X/X",
    "check --root X",
    "gen X",
    "gen --only X",
    "lint X",
    "lint --format X",
    "play X",
    "play order --event X",
    "test X",
    "explore X",
    "explore --max-states X",
    "explain X",
    "schema X",
    "completions X",
    "new X",
    "new --X",
    "diff X",
    "diff X X",
    "diff --since X",
    "export X",
    "export order X",
    "compare X X",
    "compare X order",
    "import X",
    "import --from X X",
    "import --only X machines/order.yaml",
    "scan X",
    "scan --format X",
    "confirm X",
];

/// A bell, colours of two kinds, a carriage return, form feed, a line that GitHub executes, and directions.
const TEXTS: &[&str] =
    &["a\u{7}b", "a\u{1b}]0;b", "a\u{9b}31mb", "a\rb", "a\u{c}b", "a\u{85}b", "a\n::error::b", "a\u{202e}b", "a\u{2066}b", "a\u{200f}b"];

fn is_control(it: char) -> bool {
    it.is_control() && !matches!(it, '\n' | '\t')
        || matches!(it, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[test]
fn no_message_has_characters_that_control_a_terminal() {
    let project = Project::empty();
    let order = "machine: order\nstates: { open: { initial: true }, shut: { terminal: true } }\nevents: { push: }\ntransitions:\n  \
                 - { from: open, event: push, to: shut }\n";
    project.put("machines/order.yaml", order);
    let mut wrong = Vec::new();
    let mut n_told = 0;
    for command in COMMANDS {
        for text in TEXTS {
            let args: Vec<String> = command.split(' ').map(|it| it.replace('X', text)).collect();
            let run = project.statespec(&args.iter().map(String::as_str).collect::<Vec<_>>());
            let said = run.stdout + &run.stderr;
            n_told += usize::from(said.contains('b'));
            let is_command = |line: &str| line.trim_start().starts_with("::error");
            if said.contains(is_control) || said.lines().any(is_command) {
                wrong.push(format!("{command} with {text:?}: {said:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(n_told > COMMANDS.len() * TEXTS.len() / 2, "{n_told}");
}
