//! The command line as a man page and as a chapter of the docs, both from the clap definitions.

use clap::Command;
use statespec_codegen::report::{Report, Status};
use statespec_lang::output::{Blame, Region};

use crate::Caller;

/// The man page of the program, or of one command.
pub(crate) fn man(caller: Caller, of: Option<&str>) -> Result<String, Report> {
    let mut command = caller.command();
    command.build();
    let command = match of {
        None => command,
        Some(name) => {
            let known: Vec<String> = command.get_subcommands().map(|it| it.get_name().to_owned()).collect();
            let found = command.find_subcommand(name).cloned();
            found.ok_or_else(|| Report::of_misuse(&format!("there is no command `{name}`; there are: {}", known.join(", "))))?
        }
    };
    let mut text = Vec::new();
    // No date: the page must not change from day to day.
    clap_mangen::Man::new(command).date("").render(&mut text).map_err(|error| Report::of_error(&error.to_string()))?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// The regions `cli.commands`, `cli.exit-codes`, `cli.options` and `cli.summary`.
pub fn regions() -> Vec<(String, Region)> {
    let mut command = Caller::Cargo.command();
    command.build();
    let mut summary = String::from("| Command | What it does |\n| --- | --- |\n");
    let mut commands = String::new();
    for it in command.get_subcommands().filter(|it| it.get_name() != "help") {
        let about = it.get_about().map(ToString::to_string).unwrap_or_default();
        summary.push_str(&format!("| `{}` | {} |\n", it.get_name(), cell(&sentence(&about))));
        commands.push_str(&chapter(it));
    }
    commands.truncate(commands.trim_end().len());
    commands.push('\n');
    let region = |text: String| Region { text, origin: None, blame: Blame::default() };
    vec![
        ("cli.commands".to_owned(), region(commands)),
        ("cli.exit-codes".to_owned(), region(exit_codes())),
        ("cli.options".to_owned(), region(table(&command, true).trim_end().to_owned() + "\n")),
        ("cli.summary".to_owned(), region(summary)),
    ]
}

fn exit_codes() -> String {
    let mut text = String::from("| Exit code | Meaning |\n| --- | --- |\n");
    for status in Status::ALL {
        text.push_str(&format!("| {} | {} |\n", status.exit_code(), status.meaning()));
    }
    text
}

fn chapter(command: &Command) -> String {
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ");
    let about = command.get_long_about().or(command.get_about()).map(ToString::to_string).unwrap_or_default();
    let mut text = format!("## {}\n\n{}\n\n```text\n{usage}\n```\n\n", command.get_name(), sentence(&about));
    text.push_str(&table(command, false));
    text
}

/// A table of the arguments of a command, or of the options that every command has, which are described once.
fn table(command: &Command, global: bool) -> String {
    let shown = |it: &&clap::Arg| it.is_global_set() == global && !it.is_hide_set() && !matches!(it.get_id().as_str(), "help" | "version");
    let rows: Vec<String> = command.get_arguments().filter(shown).map(row).collect();
    if rows.is_empty() { String::new() } else { format!("| Argument | Meaning |\n| --- | --- |\n{}\n", rows.concat()) }
}

fn row(arg: &clap::Arg) -> String {
    let value = || {
        let names = arg.get_value_names().unwrap_or_default();
        names.iter().map(|it| format!("<{it}>")).collect::<Vec<_>>().join(" ")
    };
    let takes_value = arg.get_action().takes_values();
    let shown = match (arg.get_long(), takes_value) {
        (Some(long), true) => format!("--{long} {}", value()),
        (Some(long), false) => format!("--{long}"),
        (None, _) => value(),
    };
    let shown = arg.get_short().map_or_else(|| shown.clone(), |it| format!("-{it}, {shown}"));
    let mut meaning = arg.get_help().map(|it| sentence(&it.to_string())).unwrap_or_default();
    if takes_value && !arg.is_hide_possible_values_set() {
        let values: Vec<String> = arg.get_possible_values().iter().map(|it| format!("`{}`", it.get_name())).collect();
        if !values.is_empty() {
            meaning.push_str(&format!(" One of {}.", values.join(", ")));
        }
    }
    format!("| `{}` | {} |\n", cell(&shown), cell(&meaning))
}

/// A sentence with the full stop that clap drops.
fn sentence(text: &str) -> String {
    if text.is_empty() || text.ends_with(['.', ':', '!', '?']) { text.to_owned() } else { format!("{text}.") }
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}
