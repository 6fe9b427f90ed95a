//! The journal that a guard keeps, as recorded attempts.

use statespec_audit::{Audit, Format, Options, Outcome, Reading, Rows};
use statespec_codegen::backend::database::{Attached, Settings};
use statespec_codegen::diagnostic::{Diagnostics, Style};
use statespec_codegen::model::Machine;
use statespec_codegen::project::Project;
use statespec_codegen::report::Report;
use statespec_sql::Births;

use super::connect;

/// The columns of a journal behind those of the key.
pub(super) const COLUMNS: [&str; 5] = ["from_state", "to_state", "at", "event", "actor"];

/// Audits the journal of a machine.
pub(crate) fn journal(project: &Project, machine: &Machine, options: &mut Options) -> Result<Outcome, Report> {
    let loaded = crate::load(project)?;
    let model = crate::model(&loaded)?;
    let missing = || Report::of_misuse(&format!("no `[[database]]` of `statespec.toml` keeps a journal of `{}`", machine.name));
    let settings = project.config.get::<Settings>().ok_or_else(missing)?;
    let mut diagnostics = Diagnostics::default();
    let attached = settings.guards(model, &mut diagnostics);
    let errors = diagnostics.finish();
    if !errors.is_empty() {
        return Err(Report::stopped("").after(&project.files, &errors, Style::Colour));
    }
    let Attached { database, mapping, guard, .. } =
        attached.iter().find(|it| it.machine.name == machine.name && it.mapping.journal).ok_or_else(missing)?;
    // The journal has the values of the table.
    for (state, value) in guard.graph.states.iter().zip(&guard.stored) {
        options.values.extend(state.configuration.only().map(|leaf| (leaf, vec![value.clone()])));
    }
    options.cut |= mapping.births == Births::Any;
    let variable = database.url_env.as_ref().map_or(super::URL_ENV, |it| it.value.as_str());
    let read = || -> Result<Outcome, String> {
        let (engine, mut connection) = connect(variable)?;
        if engine != mapping.engine {
            return Err(format!("`{variable}` has an address of {}, and the guard is one of {}", engine.name(), mapping.engine.name()));
        }
        let mut audit = Audit::new(machine, options.clone())?;
        audit.begin(&format!("journal of {}", machine.name));
        let header: Vec<&str> = mapping.key.iter().map(String::as_str).chain(COLUMNS).collect();
        let mut columns: statespec_audit::Columns = mapping.key.iter().map(|it| (statespec_audit::Key::Entity, it.clone())).collect();
        columns.extend(
            [
                statespec_audit::Key::From,
                statespec_audit::Key::To,
                statespec_audit::Key::At,
                statespec_audit::Key::Event,
                statespec_audit::Key::Actor,
            ]
            .into_iter()
            .zip(COLUMNS.map(str::to_owned)),
        );
        let reading = Reading { columns, ..Reading::default() };
        let mut rows = Rows::new(Format::Csv, &header, &reading)?;
        connection.journal(&machine.name, mapping, &mut |entry, values| {
            let item = rows.item(entry, &|idx| values.get(idx).map(|it| it.as_deref()));
            audit.item(&item);
        })?;
        Ok(audit.finish())
    };
    read().map_err(|why| Report::of_error(&why))
}
