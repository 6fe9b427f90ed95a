//! `play`: a script in a pipe, and a person at a terminal.

use crate::support::Project;

const LAMP: &str = "machine: lamp
states: { off: { initial: true }, on: { states: { dim: { initial: true }, bright: {} } } }
events: { press: {}, turn: { payload: { level: int, by: { type: timestamp, optional: true } } } }
transitions:
  - { from: off, event: press, to: on }
  - { from: on, event: press, to: off }
  - { from: dim, event: turn, when: level > 5, to: bright }
";

fn project() -> Project {
    let project = Project::empty();
    project.put("machines/lamp.yaml", LAMP);
    project
}

#[test]
fn a_script_in_a_pipe_reads_like_a_session() {
    let run = project().statespec_with_input(&["play", "lamp"], "press\nturn level=1\n\nturn level=9 by=+1h\nundo\nq\nnot executed\n");
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    insta::assert_snapshot!(run.stdout);
}

#[test]
fn colours_are_for_those_who_see_them() {
    let project = project();
    let piped = project.statespec_with_input(&["play"], "press\npres\nturn level=1\n").stdout;
    assert!(!piped.contains('\u{1b}'), "{piped}");
    let coloured = project.statespec_with_input(&["play", "--color", "always"], "press\npres\nturn level=1\n").stdout;
    for code in
        ["\u{1b}[32mlamp: off -> on/dim\u{1b}[0m", "\u{1b}[33mthere is no `pres`", "\u{1b}[31mrefused: `turn` is refused in `on/dim`"]
    {
        assert!(coloured.contains(code), "{coloured}");
    }
    let without = project.statespec_with_input(&["play", "--color", "never"], "press\npres\nturn level=1\n").stdout;
    assert_eq!(without, piped);
}

/// A terminal around the command, made by the program `script` of util-linux.
#[cfg(target_os = "linux")]
mod terminal {
    use std::io::{Read as _, Write as _};
    use std::process::{Child, Command, Stdio};
    use std::sync::mpsc::{Receiver, channel};
    use std::time::Duration;

    use super::{Project, project};

    struct Terminal {
        child: Child,
        output: Receiver<u8>,
        seen: String,
    }

    impl Terminal {
        /// `None` without `script`.
        fn new(project: &Project, arguments: &str) -> Option<Terminal> {
            let command = format!("{} play {arguments}", env!("CARGO_BIN_EXE_statespec"));
            let mut script = Command::new("script");
            script.args(["--quiet", "--return", "--command", &command, "/dev/null"]).current_dir(project.path()).env("TERM", "xterm");
            let pipes = script.env_remove("NO_COLOR").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
            let mut child = match pipes.spawn() {
                Ok(child) => child,
                Err(error) => {
                    let missing =
                        crate::checks::Missing::new(format!("`script` does not run: {error}"), "on Debian, `apt-get install bsdutils`");
                    crate::checks::skip("play in a terminal", &missing);
                    return None;
                }
            };
            let mut stdout = child.stdout.take().unwrap();
            let (sender, output) = channel();
            std::thread::spawn(move || {
                let mut byte = [0];
                while stdout.read(&mut byte).is_ok_and(|it| it == 1) && sender.send(byte[0]).is_ok() {}
            });
            Some(Terminal { child, output, seen: String::new() })
        }

        /// Waits until the terminal shows a text after what it has shown so far; returns everything up to it.
        #[track_caller]
        fn wait_for(&mut self, text: &str) -> String {
            let mut bytes = Vec::new();
            while !bytes.ends_with(text.as_bytes()) {
                match self.output.recv_timeout(Duration::from_secs(20)) {
                    Ok(byte) => bytes.push(byte),
                    Err(_) => panic!("`{text}` does not come:\n{}{}", self.seen, String::from_utf8_lossy(&bytes)),
                }
            }
            let new = String::from_utf8_lossy(&bytes).into_owned();
            self.seen.push_str(&new);
            new
        }

        /// Waits until the editor reads keys: before that, Ctrl-C is the terminal's. Other lines have a `> `, too.
        fn prompt(&mut self) {
            self.wait_for("\u{1b}[?2004h");
            self.wait_for("> ");
        }

        fn keys(&mut self, keys: &str) {
            self.child.stdin.as_mut().unwrap().write_all(keys.as_bytes()).unwrap();
        }

        fn exit_code(mut self) -> Option<i32> {
            self.child.wait().unwrap().code()
        }
    }

    #[test]
    fn keys_complete_cancel_and_leave() {
        let project = project();
        let Some(mut terminal) = Terminal::new(&project, "") else { return };
        terminal.wait_for("Ctrl-D leaves.");
        terminal.prompt();
        // Tab completes the event; the fields that it needs are shown after it.
        terminal.keys("pr\t\r");
        terminal.wait_for("lamp: off -> on/dim");
        terminal.prompt();
        terminal.keys("tu\t");
        terminal.wait_for("level=<a whole number>");
        // One Ctrl-C cancels the line, and a second one only asks.
        terminal.keys("le\t9\u{3}");
        terminal.prompt();
        terminal.keys("state\r");
        terminal.wait_for("lamp is in on/dim");
        terminal.prompt();
        terminal.keys("\u{3}");
        terminal.wait_for("Ctrl-C again");
        terminal.prompt();
        // A line in between starts again.
        terminal.keys("press\r");
        terminal.wait_for("lamp: on/dim -> off");
        terminal.prompt();
        terminal.keys("\u{3}");
        terminal.wait_for("Ctrl-C again");
        terminal.prompt();
        terminal.keys("\u{3}");
        assert_eq!(terminal.exit_code(), Some(0));
    }

    #[test]
    fn a_person_leaves_by_a_key_or_a_word() {
        let project = project();
        for keys in ["\u{4}", "q\r", "quit\r", ":quit\r"] {
            let Some(mut terminal) = Terminal::new(&project, "lamp") else { return };
            terminal.wait_for("Ctrl-D leaves.");
            terminal.prompt();
            terminal.keys(keys);
            assert_eq!(terminal.exit_code(), Some(0), "{keys:?}");
        }
    }

    #[test]
    fn a_terminal_has_colours_unless_they_are_turned_off() {
        let project = project();
        for (arguments, has_colours) in [("", true), ("--color never", false), ("--color always", true)] {
            let Some(mut terminal) = Terminal::new(&project, arguments) else { return };
            let greeting = terminal.wait_for("Ctrl-D leaves.");
            assert_eq!(greeting.contains("\u{1b}[1m"), has_colours, "{arguments}: {greeting:?}");
            terminal.keys("\u{4}");
            terminal.exit_code();
        }
    }
}
