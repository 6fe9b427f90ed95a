//! `import`: specs from what people have today.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::io::Read as _;
use std::path::Path;

use statespec_codegen::diagnostic::Style;
use statespec_codegen::import::{Imported, Options, import};
use statespec_codegen::report::{Report, Status};

use crate::args::ImportArgs;

/// Imports a file: the specs where they are to be printed, and how it went.
pub(crate) fn run(root: &Path, args: &ImportArgs) -> Result<(String, Report), Report> {
    let text = read(&args.file)?;
    let options = Options { format: args.from.map(Into::into), only: args.only.clone(), markers: args.markers };
    // The standard input has no name that tells anything.
    let path = if args.file == "-" { "stdin" } else { &args.file };
    let imported = import(path, &text, &options);
    let (printed, told) = if args.stdout {
        let yaml: Vec<&str> = imported.specs.iter().map(|it| it.yaml.as_str()).collect();
        (yaml.join("\n"), String::new())
    } else {
        (String::new(), write(root, args, &imported)?)
    };
    let report = Report::clean(told).after(&imported.sources, &imported.findings(), Style::Colour);
    let status = match imported.specs.is_empty() {
        true => Status::CouldNotRun,
        false if imported.is_whole() => Status::Clean,
        false => Status::Findings,
    };
    Ok((printed, Report { status, ..report }))
}

fn read(file: &str) -> Result<String, Report> {
    let mut bytes = Vec::new();
    let read = if file == "-" { std::io::stdin().read_to_end(&mut bytes).map(drop) } else { fs::read(file).map(|it| bytes = it) };
    read.map_err(|error| Report::of_error(&format!("cannot read `{file}`: {error}")))?;
    String::from_utf8(bytes).map_err(|_| Report::of_error(&format!("`{file}` is not UTF-8 text")))
}

/// Writes every spec, and the page with its markers; nothing where something is in the way.
fn write(root: &Path, args: &ImportArgs, imported: &Imported) -> Result<String, Report> {
    let folder = match &args.to {
        Some(folder) => folder.trim_end_matches('/').to_owned(),
        None => crate::specs_folder(&crate::open(root)?).to_owned(),
    };
    let paths: Vec<String> = imported.specs.iter().map(|it| format!("{folder}/{}.yaml", it.name)).collect();
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
    let mut told = String::new();
    for (spec, path) in imported.specs.iter().zip(&paths) {
        save(&crate::on_disk(root, path), path, &spec.yaml)?;
        let _ = writeln!(told, "wrote {path}");
    }
    if let Some(page) = &imported.page {
        save(Path::new(&args.file), &args.file, page)?;
        let _ = writeln!(told, "wrote {}: markers stand around what was read", args.file);
    } else if args.markers {
        told.push_str("there was nothing to put markers around\n");
    }
    Ok(told)
}

/// Writes a file whole or not at all.
fn save(full: &Path, path: &str, text: &str) -> Result<(), Report> {
    let fail = |error: &dyn std::fmt::Display| Report::of_error(&format!("cannot write `{path}`: {error}"));
    let folder = full.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(|error| fail(&error))?;
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(|error| fail(&error))?;
    std::io::Write::write_all(&mut file, text.as_bytes()).map_err(|error| fail(&error))?;
    file.persist(full).map(drop).map_err(|error| fail(&error.error))
}
