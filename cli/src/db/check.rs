//! `db check`: whether the guard is there as the spec makes it, and whether every row is inside the graph.

use statespec_codegen::backend::database::{Attached, Settings};
use statespec_codegen::diagnostic::{Code, Diagnostic, Diagnostics, Style};
use statespec_codegen::report::Report;
use statespec_rust::root::Root;

use super::{N_SHOWN, Names, Outside, connect, counted};

pub(super) fn run(root: &Root, machine: Option<&str>, replay: Option<&str>) -> Result<Report, Report> {
    let project = crate::open(root)?;
    let loaded = crate::load(&project)?;
    let model = crate::model(&loaded)?;
    let Some(settings) = project.config.get::<Settings>() else {
        return Err(Report::of_error("`statespec.toml` has no `[[database]]`; `statespec db introspect` proposes one"));
    };
    let mut diagnostics = Diagnostics::default();
    let attached = settings.guards(model, &mut diagnostics);
    let errors = diagnostics.finish();
    if !errors.is_empty() {
        return Err(Report::stopped("").after(&project.files, &errors, Style::Colour));
    }
    let chosen: Vec<&Attached<'_>> = attached.iter().filter(|it| machine.is_none_or(|name| it.machine.name == name)).collect();
    if let (Some(name), true) = (machine, chosen.is_empty()) {
        return Err(Report::of_misuse(&format!("no `[[database]]` of `statespec.toml` is about `{name}`")));
    }
    let (mut found, mut text) = (Vec::new(), String::new());
    for it in chosen {
        let names = Names::new(it.machine, model);
        let findings = match replay {
            None => of_table(it, &names),
            Some(variable) => of_files(root, it, &names, variable),
        };
        let findings = findings.map_err(|why| Report::of_error(&why))?;
        let table = format!("{}, {} `{}`", it.machine.name, it.mapping.engine.name(), it.mapping.table);
        text.push_str(&match findings.len() {
            0 if replay.is_some() => format!("{table}: the migrations make the guard\n"),
            0 => format!("{table}: the guard is there, and every row is in a state of the graph\n"),
            n_findings => format!("{table}: {}\n", counted(n_findings as i64, "finding")),
        });
        found.extend(findings);
    }
    Ok(Report::clean(text).after(&project.files, &found, Style::Colour))
}

/// The findings about one table.
fn of_table(attached: &Attached<'_>, names: &Names) -> Result<Vec<Diagnostic>, String> {
    let Attached { database, machine, mapping, guard } = attached;
    let variable = database.url_env.as_ref().map_or(super::URL_ENV, |it| it.value.as_str());
    let (engine, mut connection) = connect(variable)?;
    if engine != mapping.engine {
        return Err(format!("`{variable}` has an address of {}, and the guard is one of {}", engine.name(), mapping.engine.name()));
    }
    if !connection.has_table(mapping)? {
        let message = format!("there is no table `{}`", mapping.table);
        return Ok(vec![Diagnostic::new(Code::DatabaseGuard, database.machine.span, message).help("correct `table`, or `url_env`")]);
    }
    let help = format!("run `{}` in the database, in one transaction", database.out.value);
    let objects = connection.objects(names, mapping, guard)?;
    let of_object = |it: String| Diagnostic::new(Code::DatabaseGuard, database.machine.span, it).help(help.clone());
    let mut found: Vec<Diagnostic> = objects.into_iter().map(of_object).collect();
    let rights = connection.rights(database.role.as_ref().map(|it| it.value.as_str()), mapping, guard)?;
    let span = database.role.as_ref().map_or(database.machine.span, |it| it.span);
    found.extend(
        rights
            .into_iter()
            .map(|it| Diagnostic::new(Code::DatabaseGuard, span, it).help("see `In a database` of the guide: who can get past it")),
    );
    let outside = connection.rows(mapping, &guard.stored)?;
    if outside.n_rows > 0 {
        found.push(Diagnostic::new(Code::DatabaseRow, database.machine.span, listed(&outside)).help(format!(
            "correct them; the states of `{}` are: {}",
            machine.name,
            guard.stored.join(", ")
        )));
    }
    for held in mapping.membership.iter().flat_map(|it| &it.invariants) {
        let broken = connection.broken(held)?;
        if broken.n_rows > 0 {
            let keys: Vec<&str> = broken.first.iter().map(|it| it.0.as_str()).collect();
            let verb = if broken.n_rows == 1 { "breaks" } else { "break" };
            let message =
                format!("{} {verb} an invariant: {}: {}{}", counted(broken.n_rows, "row"), held.doc, keys.join(", "), more(&broken));
            let help = "correct them: a transaction that writes one of them is refused";
            found.push(Diagnostic::new(Code::DatabaseRow, database.machine.span, message).help(help));
        }
    }
    Ok(found)
}

/// The findings about what the migrations of a table make of an empty database.
fn of_files(root: &Root, attached: &Attached<'_>, names: &Names, variable: &str) -> Result<Vec<Diagnostic>, String> {
    let Attached { database, machine, mapping, guard } = attached;
    let span = database.machine.span;
    let Some((out, style)) = database.migrations() else {
        return Err(format!("the `[[database]]` of `{}` has no `migrations`", machine.name));
    };
    let folder = root.folder.join(out);
    let present = super::replay::present(&folder, style).map_err(|why| format!("cannot read `{out}`: {why}"))?;
    let (paths, in_transaction) = style.replayed(mapping.engine, &present)?;
    let mut connection = super::replay::empty(mapping.engine, variable)?;
    for path in paths {
        let text = std::fs::read_to_string(folder.join(&path)).map_err(|why| format!("cannot read `{out}/{path}`: {why}"))?;
        let text = if in_transaction { format!("BEGIN;\n{text}\n;COMMIT") } else { text };
        if let Err(why) = connection.run(&text) {
            let message = format!("`{out}/{path}` does not run in an empty database: {why}");
            return Ok(vec![Diagnostic::new(Code::DatabaseGuard, span, message).help("the files before it lack what it needs")]);
        }
    }
    let mut made = connection.made(variable)?;
    if !made.has_table(mapping)? {
        let message = format!("the files of `{out}` make no table `{}`", mapping.table);
        return Ok(vec![Diagnostic::new(Code::DatabaseGuard, span, message).help("correct `table`, or add the file that makes it")]);
    }
    let help = "run `statespec db migrate` with the last revision that the files lead to";
    let objects = made.objects(names, mapping, guard)?;
    Ok(objects
        .into_iter()
        .map(|it| Diagnostic::new(Code::DatabaseGuard, span, format!("after the files of `{out}`: {it}")).help(help))
        .collect())
}

/// The rows outside the graph in one sentence.
fn listed(outside: &Outside) -> String {
    let verb = if outside.n_rows == 1 { "is" } else { "are" };
    format!("{} {verb} in no state of the graph: {}", counted(outside.n_rows, "row"), shown(outside))
}

/// Some of the rows, with their keys.
pub(super) fn shown(outside: &Outside) -> String {
    let row = |(key, value): &(String, Option<String>)| match value {
        Some(value) => format!("{key} has `{value}`"),
        None => format!("{key} has no value"),
    };
    let rows: Vec<String> = outside.first.iter().map(row).collect();
    format!("{}{}", rows.join(", "), more(outside))
}

/// What follows if there are more rows than are shown.
fn more(outside: &Outside) -> &'static str {
    match usize::try_from(outside.n_rows) {
        Ok(n_rows) if n_rows > N_SHOWN => ", and so on",
        _ => "",
    }
}
