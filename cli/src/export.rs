//! `export`: the resolved model, for other tools.

use statespec_codegen::backend::{dot, json, mermaid};
use statespec_codegen::diagnostic::nearest;
use statespec_codegen::model::document::DiagramStyle;
use statespec_codegen::model::{Machine, Model};
use statespec_codegen::project::Project;
use statespec_codegen::report::Report;
use statespec_rust::root::Root;

use crate::args::{ExportArgs, ExportFormat};

/// The requested text, or the report of a failure.
pub(crate) fn run(root: &Root, args: &ExportArgs) -> Result<String, Report> {
    let project = crate::open(root)?;
    let loaded = crate::load(&project)?;
    let model = crate::model(&loaded)?;
    match args.format {
        ExportFormat::Json => Ok(match &args.name {
            None => json::text(&json::project(&loaded.sources, model)),
            Some(name) => match (model.machine(name), model.systems.iter().find(|it| it.name == *name)) {
                (Some(machine), _) => json::text(&json::machine(&loaded.sources, machine)),
                (_, Some(system)) => json::text(&json::system(&loaded.sources, model, system)),
                (None, None) => return Err(unknown(&project, model, name, true)),
            },
        }),
        ExportFormat::Dot => Ok(machines(&project, model, args)?.iter().map(|it| dot::graph(it)).collect()),
        ExportFormat::Mermaid => match machines(&project, model, args)?.as_slice() {
            [machine] => mermaid::diagram(machine, &DiagramStyle::default())
                .map(|it| it.text().to_owned())
                .map_err(|it| Report::of_error(&format!("`{}` has {} states, too many for a readable diagram", machine.name, it.n_states))),
            _ => Err(Report::of_misuse("a Mermaid diagram shows one machine: name it")),
        },
    }
}

fn machines<'a>(project: &Project, model: &'a Model, args: &ExportArgs) -> Result<Vec<&'a Machine>, Report> {
    let Some(name) = &args.name else { return Ok(model.machines.iter().collect()) };
    model.machine(name).map(|it| vec![it]).ok_or_else(|| unknown(project, model, name, false))
}

/// The report of an unknown name.
pub(crate) fn unknown(project: &Project, model: &Model, name: &str, systems: bool) -> Report {
    let machines = model.machines.iter().map(|it| it.name.as_str());
    let known: Vec<&str> = machines.chain(model.systems.iter().map(|it| it.name.as_str()).filter(|_| systems)).collect();
    let help = match nearest(name, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("there are: {}", known.join(", ")),
    };
    let what = if systems { "machine or system" } else { "machine" };
    Report::of_misuse(&format!("there is no {what} `{name}`; {}; {help}", project.root.note()))
}
