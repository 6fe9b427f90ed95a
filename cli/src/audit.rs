//! `audit`: recorded histories, against the graph.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{BufReader, Read};

use statespec_audit::{
    Audit, Columns, Dialect, Dwell, Finding, Format, Key, Level, Options, Outcome, Query, Reading, Step, Unit, columns, row_text, sql,
};
use statespec_codegen::backend::mermaid::{Count, Node, counted};
use statespec_codegen::config;
use statespec_codegen::diagnostic::{Code, Diagnostic, Diagnostics, Style};
use statespec_codegen::model::document::DiagramStyle;
use statespec_codegen::model::{Machine, Model, StateId};
use statespec_codegen::project::Project;
use statespec_codegen::report::{Annotation, AuditRow, AuditStep, AuditSummary, AuditTime, Place, Related, Report, Status};
use statespec_lang::source::Sources;
use statespec_lang::types::TransitionId;
use statespec_rust::root::Root;

use crate::args::{AuditArgs, ReadingArgs};

/// The result of the command.
pub(crate) enum Answer {
    /// A text that was asked for in place of the report.
    Text(String),
    /// The report.
    Report(Report),
}

/// The histories of one machine, and how they are read.
struct Histories<'m> {
    machine: &'m Machine,
    files: Vec<String>,
    /// The folder that the files are named from, if it is not the present one.
    from_root: bool,
    format: Option<Format>,
    reading: Reading,
    options: Options,
}

/// Runs the command.
pub(crate) fn run(root: &Root, args: &AuditArgs) -> Result<Answer, Report> {
    let project = crate::open(root)?;
    let loaded = crate::load(&project)?;
    let model = crate::model(&loaded)?;
    if let Some(dialect) = args.sql {
        return Ok(Answer::Text(statement(&project, model, args, dialect)?));
    }
    let mut report = Report::clean("");
    let mut diagrams = String::new();
    let _progress = (!args.diagram).then(|| crate::progress::start("auditing"));
    for history in histories(&project, model, args)? {
        let outcome = audited(root, &project, &history, args)?;
        if args.diagram {
            diagrams.push_str(&diagram(history.machine, &outcome)?);
        } else {
            let next = report_of(&loaded.sources, history.machine, &outcome, args.all_rows);
            if !report.text.is_empty() {
                report.text.push('\n');
            }
            report = report.and(next);
        }
    }
    Ok(if args.diagram { Answer::Text(diagrams) } else { Answer::Report(report) })
}

/// What the command line asks for, or what the configuration has.
fn histories<'m>(project: &Project, model: &'m Model, args: &AuditArgs) -> Result<Vec<Histories<'m>>, Report> {
    if !args.files.is_empty() || args.journal {
        let machine = machine(project, model, args.machine.as_deref())?;
        let options = Options { values: values(machine, &args.values)?, cut: args.cut, others: others(model, machine) };
        let files = args.files.clone();
        return Ok(vec![Histories { machine, files, from_root: false, format: args.from, reading: reading(&args.reading)?, options }]);
    }
    let mut diagnostics = Diagnostics::default();
    let mut found = Vec::new();
    for written in project.config.audits.iter().filter(|it| args.machine.as_ref().is_none_or(|name| *name == it.machine.value)) {
        found.extend(configured(model, written, args, &mut diagnostics));
    }
    let errors = diagnostics.finish();
    if !errors.is_empty() {
        return Err(Report::stopped("").after(&project.files, &errors, Style::Colour));
    }
    match found.is_empty() {
        true => Err(Report::of_misuse(&format!("name the files of the histories, or give {} `[[audit]]`", config::FILE))),
        false => Ok(found),
    }
}

/// One table `[[audit]]`.
fn configured<'m>(model: &'m Model, it: &config::Audit, args: &AuditArgs, diagnostics: &mut Diagnostics) -> Option<Histories<'m>> {
    let mut error = |span, message: String, help: &str| {
        diagnostics.push(Diagnostic::new(Code::ConfigInvalid, span, message).help(help));
    };
    let machine = model.machine(&it.machine.value);
    if machine.is_none() {
        error(it.machine.span, format!("there is no machine `{}`", it.machine.value), "name a machine of the specs");
    }
    let format = it.from.as_ref().and_then(|from| {
        let found = Format::ALL.iter().copied().find(|it| it.name() == from.value);
        if found.is_none() {
            let known: Vec<&str> = Format::ALL.iter().map(|it| it.name()).collect();
            error(from.span, format!("`{}` is no format of histories", from.value), &format!("there are: {}", known.join(", ")));
        }
        found
    });
    let columns = it.columns.as_ref().map_or_else(
        || Some(Columns::new()),
        |text| match columns(&text.value) {
            Ok(columns) => Some(columns),
            Err(why) => {
                error(text.span, why, "write `entity=order_id,from=old_state,to=new_state,at=created_at`");
                None
            }
        },
    );
    let unit = it.unit.as_ref().and_then(|text| {
        let found = Unit::ALL.into_iter().find(|it| it.name() == text.value);
        if found.is_none() {
            error(text.span, format!("`{}` is no unit of times", text.value), "write `s`, `ms` or `us`");
        }
        found
    });
    let entries = |it: &Option<statespec_lang::read::Entries<statespec_lang::read::Text>>| -> Vec<(String, String)> {
        it.iter().flat_map(|it| &it.0).map(|(key, value)| (key.value.clone(), value.value.clone())).collect()
    };
    let given = machine.map(|machine| {
        let mut given = BTreeMap::<StateId, Vec<String>>::new();
        for (name, value) in it.values.iter().flat_map(|it| &it.0) {
            match machine.state_named(&name.value).filter(|it| machine.is_leaf(*it)) {
                Some(state) => given.entry(state).or_default().push(value.value.clone()),
                None => {
                    error(name.span, format!("`{}` is no state of `{}`", name.value, machine.name), "name a state without states inside")
                }
            }
        }
        given
    });
    let machine = machine?;
    let reading = Reading { columns: columns?, only: entries(&it.only), unit, separator: None };
    let cut = args.cut || it.cut.as_ref().is_some_and(|it| it.value);
    let options = Options { values: given?, cut, others: others(model, machine) };
    let files = it.files.0.iter().map(|it| it.value.clone()).collect();
    Some(Histories { machine, files, from_root: true, format, reading, options })
}

/// The machine that is meant.
pub(crate) fn machine<'m>(project: &Project, model: &'m Model, name: Option<&str>) -> Result<&'m Machine, Report> {
    match (name, model.machines.as_slice()) {
        (Some(name), _) => model.machine(name).ok_or_else(|| crate::export::unknown(project, model, name, false)),
        (None, [only]) => Ok(only),
        (None, _) => Err(Report::of_misuse("name the machine with `--machine`")),
    }
}

fn others(model: &Model, machine: &Machine) -> BTreeSet<String> {
    model.machines.iter().map(|it| it.name.clone()).filter(|it| *it != machine.name).collect()
}

/// The stored values of states.
fn values(machine: &Machine, written: &[(String, String)]) -> Result<BTreeMap<StateId, Vec<String>>, Report> {
    let mut values = BTreeMap::<StateId, Vec<String>>::new();
    for (name, value) in written {
        let state = machine.state_named(name).filter(|it| machine.is_leaf(*it));
        let state = state.ok_or_else(|| Report::of_misuse(&format!("`{name}` is no state of `{}` without states inside", machine.name)))?;
        values.entry(state).or_default().push(value.clone());
    }
    Ok(values)
}

/// How records are read.
pub(crate) fn reading(args: &ReadingArgs) -> Result<Reading, Report> {
    let separator = match args.separator.map(u8::try_from) {
        None => None,
        Some(Ok(byte)) if byte.is_ascii() => Some(byte),
        Some(_) => return Err(Report::of_misuse("`--separator` is one character of ASCII")),
    };
    Ok(Reading { columns: args.columns.clone().unwrap_or_default(), only: args.only.clone(), unit: args.unit, separator })
}

/// A file as it is read: the separator of its ending, if none was named.
pub(crate) fn reading_of(reading: &Reading, file: &str) -> Reading {
    let name = file.to_ascii_lowercase();
    let is_tabs = name.ends_with(".tsv") || name.ends_with(".tsv.gz");
    Reading { separator: reading.separator.or(is_tabs.then_some(b'\t')), ..reading.clone() }
}

/// A file that the user names, or the standard input.
pub(crate) fn opened(path: &std::path::Path, file: &str) -> Result<BufReader<Box<dyn Read>>, Report> {
    let input: Box<dyn Read> = match file {
        "-" => Box::new(std::io::stdin()),
        _ => Box::new(File::open(path).map_err(|error| Report::of_error(&format!("cannot read `{file}`: {error}")))?),
    };
    Ok(BufReader::with_capacity(1 << 16, input))
}

/// Reads all files of one machine.
fn audited(root: &Root, project: &Project, history: &Histories<'_>, args: &AuditArgs) -> Result<Outcome, Report> {
    let mut options = history.options.clone();
    if args.journal {
        return crate::db::journal(project, history.machine, &mut options);
    }
    let mut audit = Audit::new(history.machine, options).map_err(|why| Report::of_error(&why))?;
    for file in &history.files {
        let format = history.format.or_else(|| Format::detect(file));
        let format =
            format.ok_or_else(|| Report::of_misuse(&format!("the format of `{file}` is not that of its name: say it with `--from`")))?;
        let path = if history.from_root && file != "-" { crate::on_disk(&root.folder, file) } else { file.into() };
        let input = opened(&path, file)?;
        let name = if file == "-" { "stdin" } else { file };
        audit
            .read(name, format, &reading_of(&history.reading, file), input)
            .map_err(|why| Report::of_error(&format!("`{file}`: {why}")))?;
    }
    Ok(audit.finish())
}

fn report_of(sources: &Sources, machine: &Machine, outcome: &Outcome, all_rows: bool) -> Report {
    let mut annotations: Vec<Annotation> = outcome.findings.iter().map(annotation).collect();
    let mut text = outcome.text(sources, machine);
    let mut n_findings = outcome.n_findings();
    if all_rows {
        for row in &outcome.unseen {
            let message = format!("no record shows that this row of `{}` was ever taken", machine.name);
            annotations
                .push(Annotation::of_diagnostic(sources, &Diagnostic::new(Code::AuditUnseen, machine.transition(*row).span, message)));
        }
        n_findings += outcome.unseen.len() as u64;
        if !outcome.unseen.is_empty() {
            text.push_str("\nerror[audit::unseen]: `--all-rows` asks for a record of each row\n");
        }
    }
    let status = if n_findings > 0 { Status::Findings } else { Status::Clean };
    Report { status, annotations, audits: vec![summary(sources, machine, outcome)], ..Report::clean(text) }
}

/// The numbers, for programs.
fn summary(sources: &Sources, machine: &Machine, outcome: &Outcome) -> AuditSummary {
    let rows: BTreeSet<TransitionId> = outcome.seen.keys().chain(&outcome.unseen).copied().collect();
    let row = |id: TransitionId| {
        let seen = outcome.seen.get(&id).copied().unwrap_or_default();
        let place = Place::of(sources, machine.transition(id).span);
        AuditRow { row: row_text(machine, id), place, count: seen.certain, at_most: seen.at_most }
    };
    let step = |it: &Step| AuditStep {
        from: it.from.clone(),
        event: it.event.clone(),
        to: it.to.clone(),
        count: it.n,
        allowed: it.is_allowed,
        first: place(&it.first),
    };
    let time = |(state, it): (&String, &Dwell)| AuditTime {
        state: state.clone(),
        stays: it.n,
        mean: it.mean() as u64,
        half: it.quantile(0.5) as u64,
        most: it.quantile(0.95) as u64,
        longest: it.longest as u64,
    };
    AuditSummary {
        machine: outcome.machine.clone(),
        files: outcome.files.clone(),
        records: outcome.n_records,
        entities: outcome.n_entities,
        others: outcome.n_others,
        skipped: outcome.n_skipped,
        levels: Level::ALL.iter().map(|it| it.name()).zip(outcome.levels).collect(),
        findings: outcome.counts.iter().map(|(code, n)| (code.id(), *n)).collect(),
        steps: outcome.steps.iter().map(step).collect(),
        rows: rows.into_iter().map(row).collect(),
        hidden_rows: outcome.n_hidden,
        times: outcome.dwell.iter().map(time).collect(),
        missing: outcome.patch(machine),
        text: outcome.summary(sources, machine),
    }
}

fn place(it: &statespec_audit::Place) -> Place {
    let line = usize::try_from(it.line).unwrap_or(usize::MAX);
    Place { file: it.file.replace('\\', "/"), line, column: it.column, end_line: line, end_column: it.column }
}

fn annotation(finding: &Finding) -> Annotation {
    Annotation {
        code: Some(finding.code.id()),
        level: "error",
        message: finding.message.clone(),
        place: place(&finding.place),
        label: String::new(),
        help: finding.help.clone(),
        related: finding.related.iter().map(|(at, label)| Related { place: place(at), label: label.clone() }).collect(),
        way: Vec::new(),
        outputs: Vec::new(),
    }
}

fn diagram(machine: &Machine, outcome: &Outcome) -> Result<String, Report> {
    let count = |relation: &statespec_codegen::backend::mermaid::Relation<'_>| {
        let from = match relation.from {
            Node::State(id) => Some(id),
            Node::Start | Node::End => None,
        };
        let (Some(row), Node::State(to)) = (relation.row, relation.to) else { return Count::Unknown };
        match outcome.count(machine, row, from, to) {
            None => Count::Unknown,
            Some(seen) if seen.at_most > 0 => Count::AtMost(seen.certain + seen.at_most),
            Some(seen) => Count::Certain(seen.certain),
        }
    };
    let drawn = counted(machine, &DiagramStyle::default(), &count);
    let too_large = |it: statespec_codegen::backend::mermaid::TooLarge| {
        Report::of_error(&format!("`{}` has {} states, too many for a readable diagram", machine.name, it.n_states))
    };
    drawn.map(|it| it.text().to_owned()).map_err(too_large)
}

/// The statement of SQL.
fn statement(project: &Project, model: &Model, args: &AuditArgs, dialect: Dialect) -> Result<String, Report> {
    let machine = machine(project, model, args.machine.as_deref())?;
    let reading = reading(&args.reading)?;
    let of = |key: Key| -> Vec<String> { reading.columns.iter().filter(|it| it.0 == key).map(|it| it.1.clone()).collect() };
    let only = |key: Key| of(key).into_iter().next();
    let or = |found: Vec<String>, usual: &str| if found.is_empty() { vec![usual.to_owned()] } else { found };
    let is_usual = reading.columns.is_empty();
    let query = Query {
        table: args.table.clone().unwrap_or_default(),
        entity: or(of(Key::Entity), "id"),
        order: if args.order.is_empty() { or(of(Key::At), "at") } else { args.order.clone() },
        from: only(Key::From).or(is_usual.then(|| "from".to_owned())),
        to: only(Key::To).unwrap_or_else(|| "to".to_owned()),
        machine: only(Key::Machine),
        only: reading.only.clone(),
    };
    if let Some(column) = only(Key::Refused) {
        let why =
            format!("a statement of SQL reads changes alone, and no refusals: leave `refused={column}` out, and choose with `--only`");
        return Err(Report::of_misuse(&why));
    }
    sql(machine, &values(machine, &args.values)?, dialect, &query).map_err(|why| Report::of_error(&why))
}
