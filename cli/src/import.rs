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
use statespec_import::{Format, Imported, Markers, Options, TableSpec, import};
use statespec_rust::root::Root;

use crate::args::ImportArgs;

/// The markers of this project's regions.
const MARKERS: Markers = Markers { read: sync::regions, around: sync::marked };

/// Imports a file: returns the specs if they are to be printed, and the report.
pub(crate) fn run(root: &Root, args: &ImportArgs) -> Result<(String, Report), Report> {
    if args.markers && args.file == "-" {
        return Err(Report::of_misuse("markers go into a page, and the standard input is none: name the file"));
    }
    let table = table(args);
    if table.is_some() && args.from.is_some_and(|it| it != Format::Markdown) {
        return Err(Report::of_misuse("`--table`, `--columns` and the texts of a table are for a page: `--from markdown`"));
    }
    let text = crate::read_text(&args.file)?;
    let options = Options {
        format: args.from.or(table.is_some().then_some(Format::Markdown)),
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
        (String::new(), write(root, args, &text, &imported)?)
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
fn table(args: &ImportArgs) -> Option<TableSpec> {
    let spec = TableSpec {
        within: None,
        table: args.table,
        columns: args.columns.clone().unwrap_or_default(),
        any: args.any.clone(),
        stay: args.stay.clone(),
        end: args.end.clone(),
        none: args.none.clone(),
    };
    (spec != TableSpec::default()).then_some(spec)
}

/// Writes every spec, and the page with its markers; writes nothing on a conflict. `text` is the page as it was read.
fn write(root: &Root, args: &ImportArgs, text: &str, imported: &Imported) -> Result<String, Report> {
    let project = crate::open(root)?;
    if imported.page.is_some() {
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
    let paths: Vec<String> = imported.specs.iter().map(|it| place(&it.name)).collect();
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
    for (spec, path) in imported.specs.iter().zip(&paths) {
        let replaces = taken.contains(path.as_str()).then(|| fs::read(crate::on_disk(root, path))).transpose();
        let replaces = replaces.map_err(|error| Report::of_error(&format!("cannot write `{path}`: {error}; nothing was written")))?;
        drafts.push(Draft { path: path.clone(), text: spec.yaml.clone(), replaces });
    }
    save(root, drafts)?;
    let mut told: String = paths.iter().map(|it| format!("wrote {it}\n")).collect();
    if let Some(page) = &imported.page {
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
