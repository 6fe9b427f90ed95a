//! A project by convention: everything that is made from its specs.

use crate::backend;
use crate::model::Model;
use crate::output::{Blame, Generated, Region};
use crate::source::{Sources, Span};

/// The folder of the crate that holds the emitted Rust.
pub const RUST: &str = "generated";

/// Everything that is made from a model: Rust, pages, regions, JSON, and the schemas of the language.
///
/// # Errors
///
/// Where emitted tokens are not Rust, which no spec should bring about.
pub fn generate(sources: &Sources, model: &Model) -> Result<Generated, syn::Error> {
    let mut generated = backend::emit(sources, model, &backend::Config::default());
    generated.files.extend(backend::rust::krate::files(model, RUST, &backend::rust::Style::default())?);
    #[cfg(feature = "schema")]
    {
        generated.files.extend(crate::spec::schema::outputs());
        generated.regions.extend(crate::spec::schema::regions());
    }
    for (name, span) in named(model) {
        generated.regions.insert(format!("{name}.spec"), spec(sources.get(span.source).text(), span));
    }
    generated.files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(generated)
}

fn named(model: &Model) -> impl Iterator<Item = (&str, Span)> {
    let machines = model.machines.iter().map(|it| (it.name.as_str(), it.span));
    machines.chain(model.systems.iter().map(|it| (it.name.as_str(), it.span)))
}

/// A spec as a page shows it.
fn spec(text: &str, origin: Span) -> Region {
    // Longer than every run of backticks in it, so that no text can end it.
    let longest_run = text.split(|it| it != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest_run.max(2) + 1);
    let mut start = 0;
    let mut blame = Vec::new();
    for line in text.split_inclusive('\n') {
        let shown = line.trim();
        if !shown.is_empty() {
            let indent = line.len() - line.trim_start().len();
            blame.push((vec![shown.to_owned()], Span::new(origin.source, start + indent..start + indent + shown.len())));
        }
        start += line.len();
    }
    let newline = if text.ends_with('\n') { "" } else { "\n" };
    Region { text: format!("{fence}yaml\n{text}{newline}{fence}\n"), origin: Some(origin), blame: Blame(blame) }
}
