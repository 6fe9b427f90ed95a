//! `import`: specs from existing diagrams, tables and code.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use statespec_codegen::config::{self, Role};
use statespec_codegen::diagnostic::Style;
use statespec_codegen::project::Project;
use statespec_codegen::report::{Report, Status};
use statespec_codegen::sync::{self, Draft, plan_files};
use statespec_import::{Format, Markers, Options, TableSpec, import};
use statespec_rust::root::Root;

use crate::args::{ImportArgs, ImportFormat};

/// The markers of this project's regions.
const MARKERS: Markers = Markers { read: sync::regions, around: sync::marked };

/// Imports a file: returns the specs if they are to be printed, and the report.
pub(crate) fn run(root: &Root, args: &ImportArgs) -> Result<(String, Report), Report> {
    let history = match args.from {
        None => statespec_audit::Format::detect(&args.file),
        Some(ImportFormat::History(format)) => Some(format),
        Some(ImportFormat::Text(_)) => None,
    };
    if let Some(format) = history {
        return of_history(root, args, format);
    }
    let from = match args.from {
        Some(ImportFormat::Text(format)) => Some(format),
        _ => None,
    };
    if args.markers && args.file == "-" {
        return Err(Report::of_misuse("markers go into a page, and the standard input is none: name the file"));
    }
    let table = table(args)?;
    if table.is_some() && from.is_some_and(|it| it != Format::Markdown) {
        return Err(Report::of_misuse("`--table`, `--columns` and the texts of a table are for a page: `--from markdown`"));
    }
    let text = crate::read_text(&args.file)?;
    let options = Options {
        format: from.or(table.is_some().then_some(Format::Markdown)),
        only: args.only.clone(),
        table,
        markers: args.markers.then_some(MARKERS),
        ..Options::default()
    };
    // The standard input has no informative name.
    let path = if args.file == "-" { "stdin" } else { &args.file };
    let imported = import(path, &text, &options);
    let (printed, told) = if args.stdout {
        let yaml: Vec<&str> = imported.specs.iter().map(|it| it.yaml.as_str()).collect();
        (yaml.join("\n"), String::new())
    } else {
        let specs: Vec<(&str, &str)> = imported.specs.iter().map(|it| (it.name.as_str(), it.yaml.as_str())).collect();
        (String::new(), write(root, args, &text, &specs, imported.page.as_deref())?)
    };
    let report = Report::clean(told).after(&imported.sources, &imported.findings(), Style::Colour);
    let status = match imported.specs.is_empty() {
        true => Status::CouldNotRun,
        false if imported.is_whole() => Status::Clean,
        false => Status::Findings,
    };
    Ok((printed, Report { status, ..report }))
}

/// The table that the arguments point at.
fn table(args: &ImportArgs) -> Result<Option<TableSpec>, Report> {
    let columns = args.columns.as_ref().map(|it| it.table.clone()).transpose().map_err(|why| Report::of_misuse(&why))?;
    let spec = TableSpec {
        within: None,
        table: args.table,
        columns: columns.unwrap_or_default(),
        any: args.any.clone(),
        stay: args.stay.clone(),
        end: args.end.clone(),
        none: args.none.clone(),
    };
    Ok((spec != TableSpec::default()).then_some(spec))
}

/// A first spec from a history, with the name of the machine that `--only` names, or that of the file.
fn of_history(root: &Root, args: &ImportArgs, format: statespec_audit::Format) -> Result<(String, Report), Report> {
    let columns = args.columns.as_ref().map(|it| it.history.clone()).transpose().map_err(|why| Report::of_misuse(&why))?;
    let of_pages = args.markers || args.table.is_some() || [&args.any, &args.stay, &args.end, &args.none].iter().any(|it| !it.is_empty());
    if of_pages {
        return Err(Report::of_misuse("`--markers`, `--table` and the texts of a table are for a page, and this is a history"));
    }
    let file = Path::new(&args.file).file_name().map_or_else(String::new, |it| it.to_string_lossy().into_owned());
    let stem = file.split('.').next().filter(|it| statespec_lang::names::is_name(it)).unwrap_or("history");
    let reading = statespec_audit::Reading { columns: columns.unwrap_or_default(), ..Default::default() };
    let reading = crate::audit::reading_of(&reading, &args.file);
    let input = crate::audit::opened(Path::new(&args.file), &args.file)?;
    let draft = statespec_audit::draft(args.only.as_deref(), stem, format, &reading, input)
        .map_err(|why| Report::of_error(&format!("`{}`: {why}", args.file)))?;
    let mut told = String::new();
    for (line, why) in &draft.broken {
        let _ = writeln!(told, "{}:{line}: not read: {why}", args.file);
    }
    let n_more = draft.n_broken - draft.broken.len() as u64;
    if n_more > 0 {
        let _ = writeln!(told, "and {n_more} more lines were not read");
    }
    let printed = match args.stdout {
        true => draft.yaml.clone(),
        false => {
            told.push_str(&write(root, args, "", &[(&draft.name, &draft.yaml)], None)?);
            String::new()
        }
    };
    let _ = writeln!(told, "read {} records; guards, effects and terms of a state are not in a history", draft.n_records);
    let status = if draft.n_broken > 0 { Status::Findings } else { Status::Clean };
    Ok((printed, Report { status, ..Report::clean(told) }))
}

/// Writes every spec, and the page with its markers; writes nothing on a conflict. `text` is the page as it was read.
fn write(root: &Root, args: &ImportArgs, text: &str, specs: &[(&str, &str)], page: Option<&str>) -> Result<String, Report> {
    let project = crate::open(root)?;
    if page.is_some() {
        check_place(&project, &args.file)?;
    }
    let folder = match &args.to {
        Some(folder) => folder.trim_end_matches('/').to_owned(),
        None => crate::specs_folder(&project).to_owned(),
    };
    let root = root.folder.as_path();
    let folder = folder.trim_start_matches("./");
    let in_root = matches!(folder, "" | ".");
    let place = |name: &str| if in_root { format!("{name}.yaml") } else { format!("{folder}/{name}.yaml") };
    let paths: Vec<String> = specs.iter().map(|it| place(it.0)).collect();
    let taken: BTreeSet<&str> = paths.iter().map(String::as_str).filter(|it| crate::on_disk(root, it).exists()).collect();
    if !args.force && !taken.is_empty() {
        let (files, them) = if taken.len() == 1 { ("file is", "it") } else { ("files are", "them") };
        let taken: Vec<&str> = taken.into_iter().collect();
        let why = format!(
            "{files} there already: {}; nothing was written: `--force` overwrites {them}, `--stdout` prints instead",
            taken.join(", ")
        );
        return Err(Report::of_error(&why));
    }
    let mut drafts = Vec::new();
    for (spec, path) in specs.iter().zip(&paths) {
        let replaces = taken.contains(path.as_str()).then(|| fs::read(crate::on_disk(root, path))).transpose();
        let replaces = replaces.map_err(|error| Report::of_error(&format!("cannot write `{path}`: {error}; nothing was written")))?;
        drafts.push(Draft { path: path.clone(), text: spec.1.to_owned(), replaces });
    }
    save(root, drafts)?;
    let mut told: String = paths.iter().map(|it| format!("wrote {it}\n")).collect();
    if let Some(page) = page {
        save_page(&args.file, text, page).map_err(|it| Report { text: format!("{told}{}", it.text), ..it })?;
        let _ = writeln!(told, "wrote {}: markers stand around what was read", args.file);
    } else if args.markers {
        told.push_str("there was nothing to put markers around\n");
    }
    Ok(told)
}

/// Refuses a page whose markers no check would find.
fn check_place(project: &Project, file: &str) -> Result<(), Report> {
    let outside = |why: &str| Err(Report::of_misuse(&format!("`{file}` {why}; nothing was written")));
    let Some(path) = crate::in_project(&project.root, Path::new(file)) else {
        return outside(&format!("is outside the project, so no check would see its markers; {}", project.root.note()));
    };
    if project.config.has_pages() && project.config.role(&path) == Some(Role::Output) {
        return Ok(());
    }
    let places = project.config.configured().flat_map(|(_, it)| it.pages().into_iter().flatten()).chain([&path]);
    let places: Vec<String> = places.map(|it| format!("{it:?}")).collect();
    outside(&format!(
        "is in none of the `places` of pages, so no check would see its markers: write `places = [{}]` under `[docs]` in {}",
        places.join(", "),
        config::FILE
    ))
}

/// Writes all of the files below a folder, or none.
fn save(root: &Path, drafts: Vec<Draft>) -> Result<(), Report> {
    plan_files(root, drafts).apply(false).map(drop).map_err(|it| Report::of_refusal(&it, Style::Colour))
}

/// Writes the page that was read, wherever it is: the user gave its path.
fn save_page(file: &str, read: &str, page: &str) -> Result<(), Report> {
    let fail = |why: &str| Report::of_error(&format!("cannot write `{file}`: {why}"));
    // The file itself is written, not a link to it.
    let full = fs::canonicalize(file).map_err(|error| fail(&error.to_string()))?;
    let (Some(folder), Some(name)) = (full.parent(), full.file_name().and_then(|it| it.to_str())) else {
        return Err(fail("its name is not UTF-8"));
    };
    save(folder, vec![Draft { path: name.to_owned(), text: page.to_owned(), replaces: Some(read.as_bytes().to_vec()) }])
}
