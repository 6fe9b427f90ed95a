//! `import`: specs out of what people have today.

use std::fs;
use std::path::Path;

use statespec_codegen::diagnostic::Style;
use statespec_codegen::import::{Options, import};
use statespec_codegen::report::Report;
use statespec_codegen::sync::Status;

use crate::args::ImportArgs;
use crate::new::{create, spec_path};

/// Reads the file, then writes or prints its machines. What was lost is told in either case.
pub(crate) fn run(root: &Path, args: &ImportArgs) -> Result<Status, Report> {
    let project = crate::open(root)?;
    let path = args.file.display().to_string().replace('\\', "/");
    let text = fs::read_to_string(&args.file).map_err(|error| Report::of_error(&format!("cannot read `{path}`: {error}")))?;
    let options = Options { format: args.format, only: args.only.clone(), markers: args.markers };
    let imported = import(&path, &text, &options);
    let mut said = String::new();
    let mut failed: Option<Report> = None;
    if args.print {
        let specs: Vec<&str> = imported.specs.iter().map(|it| it.yaml.as_str()).collect();
        crate::print(&specs.join("\n"));
    } else {
        for spec in &imported.specs {
            let path = spec_path(&project, &spec.name);
            match create(&project.root, &path, &spec.yaml) {
                Ok(()) => said.push_str(&format!("wrote {path}\n")),
                Err(problem) => {
                    said.push_str(&problem.text);
                    failed = Some(problem);
                }
            }
        }
        // A page must not name what is not there.
        if let (Some(page), None) = (&imported.page, &failed) {
            fs::write(&args.file, page).map_err(|error| Report::of_error(&format!("cannot write `{path}`: {error}")))?;
            said.push_str(&format!("wrote {path}\n"));
        }
        if !imported.specs.is_empty() && failed.is_none() {
            said.push_str(&format!("next: read what was written, then run `{}`\n", project.command()));
        }
    }
    let report = Report { text: said, ..failed.unwrap_or_else(|| Report::clean("")) };
    Ok(crate::tell(&report.after(&imported.sources, &imported.findings(), Style::Colour)))
}
