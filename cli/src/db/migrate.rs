//! `db migrate`: new files that lead a table from one revision of the specs to another one. `db plan`: the rows that would stop them.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use statespec_codegen::backend::database::{Attached, Database, Settings};
use statespec_codegen::changes::{earlier, states};
use statespec_codegen::diagnostic::{Code, Diagnostic, Diagnostics, Style as Look};
use statespec_codegen::model::{Machine, Model};
use statespec_codegen::project::Project;
use statespec_codegen::report::Report;
use statespec_codegen::source::Span;
use statespec_lang::lower::Loaded;
use statespec_rust::root::Root;
use statespec_sql::{File, Mapping, Migration, Revision, Style, attach, migration};

use super::{check, connect, counted};
use crate::diff;

/// Writes the files.
pub(super) fn run(root: &Root, old: &str, new: Option<&str>) -> Result<Report, Report> {
    let project = crate::open(root)?;
    let [old, new] = diff::read_both(root, old, new)?;
    // The files of each folder, with those that are planned: a later table takes the next number. None is written before all are known.
    let mut folders: Vec<(&str, Style, Vec<File>)> = Vec::new();
    let (mut planned, mut written) = (Vec::new(), String::new());
    for (attached, migration) in migrations(&project, &old, &new)? {
        let machine = &attached.machine.name;
        let Some((out, style)) = attached.database.migrations() else {
            let message = format!(
                "the `[[database]]` of `{machine}` has no `migrations`: write `migrations = {{ out = \"migrations\", style = \"plain\" }}`"
            );
            return Err(Report::of_error(&message));
        };
        if migration.steps.is_empty() {
            written.push_str(&format!("{machine}: nothing changes for its table\n"));
            continue;
        }
        let known = folders.iter().position(|it| (it.0, it.1) == (out, style));
        let idx = match known {
            Some(idx) => idx,
            None => {
                let read = super::replay::present(&root.folder.join(out), style);
                folders.push((out, style, read.map_err(|why| Report::of_error(&format!("cannot read `{out}`: {why}")))?));
                folders.len() - 1
            }
        };
        let present = &mut folders[idx].2;
        let files = style
            .files(attached.mapping.engine, machine, &migration.steps, present)
            .map_err(|why| Report::of_error(&format!("`{out}`: {why}")))?;
        present.extend(files.iter().cloned());
        planned.extend(files.into_iter().map(|(path, text)| (format!("{out}/{path}"), text)));
    }
    for (path, text) in planned {
        add(&root.folder.join(&path), &text).map_err(|why| Report::of_error(&format!("cannot write `{path}`: {why}")))?;
        written.push_str(&format!("wrote {path}\n"));
    }
    Ok(Report::clean(written))
}

/// Looks for the rows that would stop the files.
pub(super) fn plan(root: &Root, old: &str, new: Option<&str>) -> Result<Report, Report> {
    let project = crate::open(root)?;
    let [old, new] = diff::read_both(root, old, new)?;
    let (mut found, mut text) = (Vec::new(), String::new());
    for (attached, migration) in migrations(&project, &old, &new)? {
        let Attached { database, machine, mapping, .. } = &attached;
        let variable = database.url_env.as_ref().map_or(super::URL_ENV, |it| it.value.as_str());
        let failed = |why: String| Report::of_error(&why);
        let (engine, mut connection) = connect(variable).map_err(failed)?;
        if engine != mapping.engine {
            return Err(failed(format!(
                "`{variable}` has an address of {}, and the guard is one of {}",
                engine.name(),
                mapping.engine.name()
            )));
        }
        if !connection.has_table(mapping).map_err(failed)? {
            return Err(failed(format!("there is no table `{}`", mapping.table)));
        }
        let before = found.len();
        for it in &migration.removed {
            let rows = connection.holding(mapping, &it.column, &it.values).map_err(failed)?;
            if rows.n_rows > 0 {
                let verb = if rows.n_rows == 1 { "has" } else { "have" };
                let message = format!("{} {verb} a removed value in `{}`: {}", counted(rows.n_rows, "row"), it.column, check::shown(&rows));
                let help = "move them to a state that the later revision has, before the step `contract`";
                found.push(Diagnostic::new(Code::DatabaseRow, database.machine.span, message).help(help));
            }
        }
        for (from, to) in &migration.renamed {
            let rows = connection.holding(mapping, &mapping.state, std::slice::from_ref(from)).map_err(failed)?;
            text.push_str(&format!("{}: {} with `{from}` will have `{to}`\n", machine.name, counted(rows.n_rows, "row")));
        }
        if found.len() == before {
            text.push_str(&format!("{}: no row stops the {}\n", machine.name, counted(migration.steps.len() as i64, "step")));
        }
    }
    Ok(Report::clean(text).after(&project.files, &found, Look::Colour))
}

/// The way of each table of the project from one version to the other.
fn migrations<'a>(
    project: &'a Project,
    old: &(String, Loaded),
    new: &'a (String, Loaded),
) -> Result<Vec<(Attached<'a>, Migration)>, Report> {
    let (before, after): (&Model, &'a Model) = (diff::model(&old.1, &old.0)?, diff::model(&new.1, &new.0)?);
    let Some(settings) = project.config.get::<Settings>() else {
        return Err(Report::of_error("`statespec.toml` has no `[[database]]`; `statespec db introspect` proposes one"));
    };
    let mut diagnostics = Diagnostics::default();
    let attached = settings.guards(after, &mut diagnostics);
    let mut errors = diagnostics.finish();
    let others: Vec<(&Database, &Machine, Mapping)> = attached.iter().map(|it| (it.database, it.machine, it.mapping.clone())).collect();
    let mut ways = Vec::new();
    for it in attached {
        let span = it.database.machine.span;
        let Some(machine) = before.machines.iter().find(|other| other.name == it.machine.name) else {
            if let Some(was) = renamed(it.machine, before, after, (&old.1, &new.1)) {
                errors.push(other_name(it.machine, was, span));
                continue;
            }
            let way = attach(&it.guard, &it.mapping);
            ways.push((it, way));
            continue;
        };
        let mut mapping = earlier(machine, it.machine, &it.mapping);
        mapping.membership = settings.membership(it.database, before, &|other| {
            let today = others.iter().find(|it| it.0 == other)?;
            let then = before.machines.iter().find(|it| it.name == other.machine.value)?;
            Some(earlier(then, today.1, &today.2))
        });
        let revisions = (Revision { machine, mapping: &mapping }, Revision { machine: it.machine, mapping: &it.mapping });
        match migration(revisions.0, revisions.1, &states(machine, it.machine)) {
            Ok(way) => ways.push((it, way)),
            Err(objections) => {
                errors.extend(objections.into_iter().map(|it| Diagnostic::new(Code::ConfigInvalid, span, it.message).help(it.help)));
            }
        }
    }
    match errors.is_empty() {
        true => Ok(ways),
        false => Err(Report::stopped("").after(&project.files, &errors, Look::Colour)),
    }
}

/// The machine of the earlier version that the same file had, if the later version has none of that name.
fn renamed<'m>(machine: &Machine, before: &'m Model, after: &Model, (old, new): (&Loaded, &Loaded)) -> Option<&'m Machine> {
    let path = new.sources.get(machine.span.source).path();
    let is_gone = |it: &&Machine| after.machines.iter().all(|other| other.name != it.name);
    before.machines.iter().filter(is_gone).find(|it| old.sources.get(it.span.source).path() == path)
}

/// A guard has the name of its machine, so that the one of the earlier name would stay beside the new one.
fn other_name(machine: &Machine, was: &Machine, span: Span) -> Diagnostic {
    let message = format!("`{}` was called `{}`, and the triggers of a guard have the name of its machine", machine.name, was.name);
    let help = format!(
        "keep the name `{}`; or remove the machine and its triggers in one revision, and write `{}` in a later one",
        was.name, machine.name
    );
    Diagnostic::new(Code::ConfigInvalid, span, message).help(help)
}

/// Writes a file that is not there yet.
fn add(path: &Path, text: &str) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::File::create_new(path)?.write_all(text.as_bytes())
}
