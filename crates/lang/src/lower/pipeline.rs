//! From texts to the model, in one direction: each stage takes the results of the stages before it.

use super::name_table::NameTable;
use super::waivers::Waivers;
use super::{documents, execute, files, machines, shared, systems};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::model::{Machine, Model};
use crate::source::{Input, SourceId, Sources, Spanned};

/// The result of reading specs.
#[derive(Debug)]
pub struct Loaded {
    /// The files, in the order of their paths.
    pub sources: Sources,
    /// The names of machines, systems and documents, with errors or without. A file that cannot be read has no name.
    pub names: Vec<Spanned<String>>,
    /// The model, if no file has an error. Outputs are made of this model only.
    pub model: Option<Model>,
    /// The readable part, if some file has an error.
    pub partial: Option<Partial>,
    /// All diagnostics, sorted by place.
    pub diagnostics: Vec<Diagnostic>,
}

/// The readable part of specs with errors: for editors and for stubs, never for outputs.
#[derive(Debug)]
pub struct Partial {
    /// The machines, systems and documents without errors that refer to nothing with errors. Walkthroughs and invariants of
    /// the systems were not executed, or failed.
    pub valid: Model,
    /// The machines with errors, as far as they could be lowered; in the order of their paths.
    pub broken: Vec<Machine>,
}

/// Reads specs: all stages from text to model.
///
/// The order of `inputs` has no effect.
///
/// ```
/// use statespec_lang::lower::load;
/// use statespec_lang::source::Input;
///
/// let text = "machine: door\nstates: { open: { initial: true }, closed: }\ntransitions:\n  - { from: open, to: close }\n";
/// let loaded = load(&[Input { path: "machines/door.yaml".into(), text: text.into() }]);
/// assert_eq!(loaded.diagnostics[0].message, "there is no state `close`");
/// assert_eq!(loaded.diagnostics[0].help.as_deref(), Some("did you mean `closed`?"));
/// ```
pub fn load(inputs: &[Input]) -> Loaded {
    let mut inputs: Vec<&Input> = inputs.iter().collect();
    inputs.sort();
    let mut sources = Sources::default();
    let ids: Vec<SourceId> = inputs.iter().map(|it| sources.add(it.path.clone(), &it.text)).collect();
    let mut diagnostics = Diagnostics::default();
    let mut names = NameTable::default();
    let (model, partial) = match lower(&sources, &ids, &mut names, &mut diagnostics) {
        Ok(model) => (Some(model), None),
        Err(partial) => (None, Some(partial)),
    };
    Loaded { sources, names: names.finish(), model, partial, diagnostics: diagnostics.finish() }
}

/// [`load`] of files among other sources.
pub fn load_sources(sources: &Sources, ids: &[SourceId]) -> (Option<Model>, Vec<Diagnostic>) {
    let mut diagnostics = Diagnostics::default();
    let model = lower(sources, ids, &mut NameTable::default(), &mut diagnostics).ok();
    (model, diagnostics.finish())
}

/// The paths of the shared files that the text of a machine uses, for whoever reads files one by one.
pub fn used_files(input: &Input) -> Vec<String> {
    shared::used(input)
}

/// The stages. A file with an error keeps itself and the files that refer to it out of the later stages, and no other file.
fn lower(sources: &Sources, ids: &[SourceId], names: &mut NameTable, diagnostics: &mut Diagnostics) -> Result<Model, Partial> {
    let mut waivers = Waivers::default();
    let files = files::parse(sources, ids, names, diagnostics);
    // After this point, the kind of every file is known, and every shared file is read.
    let (machines, broken) = machines::lower(sources, files.machines, &files.shared, names, &mut waivers, diagnostics);
    // After this point, machines keep their positions.
    let systems = systems::lower(&files.systems, &machines, names, &mut waivers, diagnostics);
    // After this point, systems keep their positions.
    let mut model = Model { machines, systems, ..Model::default() };
    documents::lower(sources, &files.documents, &mut model, names, diagnostics);
    model.waivers = waivers.finish(diagnostics);
    // After this point, there are no unresolved names.
    if !diagnostics.has_errors() {
        execute::systems(&model, diagnostics);
    }
    if diagnostics.has_errors() { Err(Partial { valid: model, broken }) } else { Ok(model) }
}
