//! The cases in emitted Rust: one crate with a module and a function for each, which prints the active leaves.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;
use std::path::Path;
use std::process::Command;

use statespec_rust::files::glue::{Form, Machine as Names};
use statespec_rust::{Serde, Style, files::file::machine_text};

use super::{Case, Leaves, Turn};

/// Plays the script of each case: the active leaves at the start, and after each turn, by the name of its module.
pub(super) fn play(cases: &[Case], folder: &Path) -> io::Result<BTreeMap<String, Vec<Leaves>>> {
    let src = folder.join("src");
    std::fs::create_dir_all(&src)?;
    let facade = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    std::fs::write(folder.join("Cargo.toml"), manifest(&facade))?;
    let style = Style { serde: Serde::Off, ..Style::default() };
    let mut main = "//! The cases, one function for each.\n\n".to_owned();
    let mut calls = String::new();
    for case in cases {
        let module = &case.module;
        let text = machine_text(case.machine(), &style).map_err(|it| io::Error::other(it.to_string()))?;
        std::fs::write(src.join(format!("{module}.rs")), text)?;
        let _ = write!(main, "#[allow(dead_code)]\nmod {module};\n\n{}\n", function(case, &style));
        let _ = writeln!(calls, "    play_{module}();");
    }
    let _ = write!(main, "fn main() {{\n{calls}}}\n");
    std::fs::write(src.join("main.rs"), main)?;
    let ran = Command::new("cargo").args(["run", "--quiet"]).current_dir(folder).output()?;
    if !ran.status.success() {
        return Err(io::Error::other(format!("the cases do not run: {}", String::from_utf8_lossy(&ran.stderr))));
    }
    read(cases, &String::from_utf8_lossy(&ran.stdout))
}

fn manifest(facade: &Path) -> String {
    let path = facade.to_string_lossy();
    format!(
        "[package]\nname = \"scxml-cases\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\nstatespec = {{ path = {path:?} }}\n\n[workspace]\n"
    )
}

/// The function that plays one case.
fn function(case: &Case, style: &Style) -> String {
    let (machine, names) = (case.machine(), Names::new(case.machine(), Form::Module, style));
    let (module, ty) = (&case.module, &names.ident);
    let event = |id: statespec_codegen::model::EventId| format!("{module}::Event::{}", names.events[id.index()].variant);
    let creation = machine.edges_from(None).first().and_then(|it| it.on.event());
    let start = match creation {
        Some(id) => format!("{module}::{ty}::create({}).expect(\"a machine\").0", event(id)),
        None => format!("{module}::{ty}::new()"),
    };
    let fires = names.has_dispatch && case.turns.iter().any(|it| it.event.is_some());
    let has_timers = machine.timers().next().is_some();
    let mut body = String::new();
    let mut line = |text: &str| {
        let _ = writeln!(body, "    {text}");
    };
    line(&format!("let {}machine = {start};", if fires { "mut " } else { "" }));
    if has_timers {
        line("let mut now = statespec::Timestamp::from_micros(0);");
        line(&format!("let mut timers = {module}::Timers::start(machine.state(), now);"));
    }
    let print = format!("println!(\"{} {{}}\", machine.state());", case.module);
    line(&print);
    for Turn { after, event: fired, .. } in &case.turns {
        if has_timers {
            line(&format!("let end = now + statespec::Duration::from_micros({after});"));
            line("while let Some((_, due)) = timers.next_due(&machine).filter(|it| it.1 <= end) {");
            line("    now = due;");
            line("    timers.elapse(&mut machine, now);");
            line("}");
            line("now = end;");
        }
        // A chart drops an event that nothing takes.
        match fired.filter(|_| names.has_dispatch).map(event) {
            Some(event) if has_timers => {
                line(&format!("if let Ok(change) = machine.apply({event}) {{ timers.observe(&change, now); }}"));
            }
            Some(event) => line(&format!("let _ = machine.apply({event});")),
            None => {}
        }
        line(&print);
    }
    format!("fn play_{module}() {{\n{body}}}\n")
}

/// Reads what the program printed: a line for each configuration, with the name of the module before it.
fn read(cases: &[Case], printed: &str) -> io::Result<BTreeMap<String, Vec<Leaves>>> {
    let mut played: BTreeMap<String, Vec<Leaves>> = BTreeMap::new();
    for line in printed.lines() {
        let found = line.split_once(' ').and_then(|(name, text)| Some((cases.iter().find(|it| it.module == name)?, text)));
        let Some((case, text)) = found else { return Err(io::Error::other(format!("the program printed `{line}`"))) };
        let configuration = case.machine().configuration_of(text).map_err(|it| io::Error::other(it.to_string()))?;
        played.entry(case.module.clone()).or_default().push(case.leaves(&configuration));
    }
    Ok(played)
}
