//! Lowering of texts to the model: parse, lower, and a barrier that stops on errors between stages.

mod document;
mod edges;
mod fields;
mod former;
mod limits;
mod machine;
mod orders;
mod regions;
mod scope;
mod shared;
mod states;
mod system;
mod text;
mod timers;
mod transitions;
mod waivers;

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostic::{Code, Diagnostic, Diagnostics, suggest};
use crate::interpret::World;
use crate::model::{Machine, Model, System, Waiver};
use crate::parallel;
use crate::read::Read;
use crate::source::{Input, SourceId, Sources, Span, Spanned};
use crate::spec;
use crate::yaml::{Node, NodeKind};

/// The result of reading specs.
#[derive(Debug)]
pub struct Loaded {
    /// The files, in the order of their paths.
    pub sources: Sources,
    /// The model, if there are no errors.
    pub model: Option<Model>,
    /// The incomplete model if there are errors: for stubs, never for outputs.
    pub draft: Option<Model>,
    /// All diagnostics, sorted by place.
    pub diagnostics: Vec<Diagnostic>,
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
    let (model, diagnostics) = load_sources(&sources, &ids);
    // After this point, there are no unresolved names.
    let (model, draft) = if diagnostics.has_errors() { (None, Some(model)) } else { (Some(model), None) };
    Loaded { sources, model, draft, diagnostics: diagnostics.finish() }
}

/// The paths of the shared files that the text of a machine uses, for whoever reads files one by one.
pub fn used_files(input: &Input) -> Vec<String> {
    shared::used(input)
}

/// [`load`] of files among other sources; where there are errors, the model is a draft.
pub fn load_sources(sources: &Sources, ids: &[SourceId]) -> (Model, Diagnostics) {
    let mut diagnostics = Diagnostics::default();
    let files = parse(sources, ids, &mut diagnostics);
    // After this point, every file is known to be a machine, a system or a document, and machines are lowered.
    let model = lower(sources, files, &mut diagnostics);
    (model, diagnostics)
}

/// The files by kind, in the order of their paths. Machines need no other files but shared ones and are already lowered; the
/// others are as written.
#[derive(Default)]
struct Files {
    machines: Vec<Lowered>,
    shared: shared::SharedFiles,
    systems: Vec<spec::system::System>,
    documents: Vec<spec::document::Document>,
    /// The names in the placeholders of each document.
    shown: Vec<BTreeSet<String>>,
    /// Some file could not be read, so an unknown name may be one of its names.
    incomplete: bool,
}

fn parse(sources: &Sources, ids: &[SourceId], diagnostics: &mut Diagnostics) -> Files {
    let mut files = Files::default();
    let mut using = Vec::new();
    let parsed = parallel::map(ids, |id| collected(|diagnostics| parse_file(sources, *id, diagnostics)));
    for (id, (file, found)) in ids.iter().zip(parsed) {
        diagnostics.append(found);
        match file {
            Some(File::Machine(it)) => files.machines.push(*it),
            Some(File::Using(node)) => using.push((*id, node)),
            Some(File::Shared(it)) => _ = files.shared.insert(sources.get(*id).path().to_owned(), it),
            Some(File::System(it)) => files.systems.push(it),
            Some(File::Document(Some((document, shown)))) => {
                files.documents.push(document);
                files.shown.push(shown);
            }
            Some(File::Document(None)) => {}
            None => {
                files.incomplete = true;
                files.shared.insert(sources.get(*id).path().to_owned(), None);
            }
        }
    }
    // After this point, every shared file is known.
    let mut n_copied = 0;
    let mut ready = Vec::new();
    for (id, node) in &using {
        let shared = shared::find(sources, &files.shared, *id, node, diagnostics);
        let shared = shared.filter(|it| !shared::too_many(&mut n_copied, sources, it, diagnostics));
        files.incomplete |= shared.is_none();
        ready.extend(shared.map(|it| (*id, node, it)));
    }
    for (machine, found) in parallel::map(&ready, |(id, node, shared)| {
        collected(|diagnostics| lower_machine(sources, *id, (*node).clone(), shared, diagnostics))
    }) {
        diagnostics.append(found);
        match machine {
            Some(it) => files.machines.push(it),
            None => files.incomplete = true,
        }
    }
    files
}

/// A lowered machine.
struct Lowered {
    name: Spanned<String>,
    machine: Machine,
    /// Its waivers, and the errors in them.
    waivers: (Vec<Waiver>, Diagnostics),
}

/// The content of a file.
enum File {
    Machine(Box<Lowered>),
    /// A machine that uses shared files.
    Using(Node),
    /// A shared file; `None` if it cannot be read.
    Shared(Option<spec::shared::Shared>),
    System(spec::system::System),
    /// Nothing refers to a document, so an unreadable one leaves no gap.
    Document(Option<(spec::document::Document, BTreeSet<String>)>),
}

fn parse_file(sources: &Sources, id: SourceId, diagnostics: &mut Diagnostics) -> Option<File> {
    let node = crate::yaml::parse(sources, id, diagnostics)?;
    Some(match kind(&node, id, diagnostics)? {
        "machine" if shared::uses(&node) => File::Using(node),
        "machine" => File::Machine(Box::new(lower_machine(sources, id, node, &[], diagnostics)?)),
        "shared" => {
            let shared = spec::shared::Shared::read(node, diagnostics);
            shared.iter().for_each(|it| shared::check(it, diagnostics));
            File::Shared(shared)
        }
        "system" => File::System(spec::system::System::read(node, diagnostics)?),
        _ => {
            let shown = text::named(&node);
            File::Document(spec::document::Document::read(node, diagnostics).map(|it| (it, shown)))
        }
    })
}

/// Reads and lowers a machine, with the declarations of the shared files that it uses.
fn lower_machine(
    sources: &Sources,
    id: SourceId,
    node: Node,
    used: &[(Span, &spec::shared::Shared)],
    diagnostics: &mut Diagnostics,
) -> Option<Lowered> {
    if !limits::constants(&node, &shared::lengths(used), sources.get(id).text().len(), diagnostics) {
        return None;
    }
    let shown = text::named(&node);
    let mut spec = spec::machine::Machine::read(node, diagnostics)?;
    shared::merge(&mut spec, used, diagnostics);
    let uses = used.iter().map(|(_, it)| it.span.source).collect();
    // Errors in names are collected separately from errors in the shape.
    let (mut machine, found) = collected(|found| machine::lower(sources, &spec, uses, found));
    diagnostics.append(found);
    machine::settle_types(&mut machine);
    machine::show_constants(&mut machine, &shown);
    let waivers = collected(|found| waivers::of_machine(&spec, found));
    Some(Lowered { name: spec.machine, machine, waivers })
}

/// The result of a stage for one file, and its diagnostics.
fn collected<T>(stage: impl FnOnce(&mut Diagnostics) -> T) -> (T, Diagnostics) {
    let mut diagnostics = Diagnostics::default();
    let made = stage(&mut diagnostics);
    (made, diagnostics)
}

const KINDS: &[&str] = &["machine", "shared", "system", "document"];

/// The kind of a file, determined by its first key.
fn kind(node: &Node, id: SourceId, diagnostics: &mut Diagnostics) -> Option<&'static str> {
    let help = "start it with `machine:`, `system:`, `document:` or `shared:` and a name";
    let NodeKind::Map(entries) = &node.kind else {
        let message = format!("a spec is a map, this is {}", node.describe());
        diagnostics.push(Diagnostic::new(Code::UnknownKind, Span::new(id, 0..1), message).help(help));
        return None;
    };
    let Some((key, _)) = entries.first() else {
        diagnostics.push(Diagnostic::new(Code::UnknownKind, node.span, "the spec is empty").help(help));
        return None;
    };
    let NodeKind::Scalar { text, .. } = &key.kind else { return None };
    let found = KINDS.iter().find(|it| *it == text).copied();
    if found.is_none() {
        let message = format!("a spec starts with its kind, not with `{text}`");
        let help = match KINDS
            .iter()
            .find(|kind| entries.iter().any(|(key, _)| matches!(&key.kind, NodeKind::Scalar { text, .. } if text == *kind)))
        {
            Some(kind) => format!("move `{kind}:` to the top"),
            None => suggest(text, KINDS.iter().copied()).filter(|it| it.starts_with("did")).unwrap_or_else(|| help.into()),
        };
        diagnostics.push(Diagnostic::new(Code::UnknownKind, key.span, message).help(help));
    }
    found
}

fn lower(sources: &Sources, mut files: Files, diagnostics: &mut Diagnostics) -> Model {
    let mut names = BTreeMap::new();
    let mut model = Model::default();
    let mut waivers = Vec::new();
    for it in files.machines.drain(..) {
        claim(&mut names, &it.name.value, it.name.span, diagnostics);
        model.machines.push(it.machine);
        waivers.push(it.waivers);
    }
    model.machines.sort_by(|a, b| a.name.cmp(&b.name));
    // From here on, machines keep their positions.
    lower_systems(sources, &files, &mut names, &mut model, diagnostics);
    waivers.extend(files.systems.iter().map(|it| collected(|found| waivers::of_system(it, found))));
    // Nothing depends on a waiver, so an invalid one hides no other error.
    for (own, found) in waivers {
        model.waivers.extend(own);
        diagnostics.append(found);
    }
    model.waivers.sort();
    run_walkthroughs(&model, diagnostics);
    model
}

/// Lowers systems, then the documents about machines and systems.
fn lower_systems(sources: &Sources, files: &Files, names: &mut BTreeMap<String, Span>, model: &mut Model, diagnostics: &mut Diagnostics) {
    for spec in &files.systems {
        claim(names, &spec.system.value, spec.system.span, diagnostics);
        if follows_from_machines(spec, files, model, diagnostics) {
            continue;
        }
        model.systems.extend(system::lower(spec, &model.machines, diagnostics));
    }
    model.systems.sort_by(|a, b| a.name.cmp(&b.name));
    // From here on, systems keep their positions.
    let mut weight = document::Weight::new(sources);
    for (spec, shown) in files.documents.iter().zip(&files.shown) {
        claim(names, &spec.document.value, spec.document.span, diagnostics);
        for name in document::subjects(spec) {
            let machine = model.machines.iter_mut().find(|it| it.name == name.value);
            machine.into_iter().for_each(|it| machine::show_constants(it, shown));
        }
        if !document_follows(spec, files, model, diagnostics) {
            let document = document::lower(sources, spec, model, &mut weight, diagnostics);
            model.documents.push(document);
        }
    }
    document::check_paths(&files.documents, diagnostics);
    model.documents.sort_by(|a, b| a.name.cmp(&b.name));
}

/// Reports an invariant that does not hold before the first transaction: emitted code checks an invariant only after a
/// change of a part that it reads.
fn begin(model: &Model, system: &System, diagnostics: &mut Diagnostics) {
    let world = match World::new(model, system) {
        Ok(world) => world,
        Err(error) => {
            let message = format!("the parts of the system cannot start: {}", error.show(model, system));
            diagnostics.push(Diagnostic::new(Code::BadSystem, system.span, message));
            return;
        }
    };
    if let Some(invariant) = world.broken_invariant(model, system).and_then(|it| system.invariants.get(it)) {
        let message = "this invariant does not hold before the first transaction";
        let help = "correct the condition, or the initial states and defaults; or let an event create the part: an invariant holds for parts that do not exist";
        diagnostics.push(Diagnostic::new(Code::BadSystem, invariant.require.span, message).help(help));
    }
}

fn run_walkthroughs(model: &Model, diagnostics: &mut Diagnostics) {
    if !diagnostics.has_errors() {
        model.systems.iter().for_each(|it| begin(model, it, diagnostics));
    }
    if !diagnostics.has_errors() {
        // After this point, a walkthrough can only fail because of its own content.
        let told = model.systems.iter().flat_map(|system| (0..system.walkthroughs.len()).map(move |idx| (system, idx)));
        let failed: Vec<Diagnostic> = told.filter_map(|(system, idx)| crate::interpret::walkthrough(model, system, idx).err()).collect();
        failed.into_iter().for_each(|it| diagnostics.push(it));
    }
}

/// Whether a machine has errors, in its own file or in one that it uses.
fn has_errors(machine: &Machine, diagnostics: &Diagnostics) -> bool {
    diagnostics.has_errors_in(machine.source) || machine.uses.iter().any(|it| diagnostics.has_errors_in(*it))
}

/// Whether errors in a system would only be follow-on errors from one of its machines.
fn follows_from_machines(spec: &spec::system::System, files: &Files, model: &Model, diagnostics: &Diagnostics) -> bool {
    spec.parts.iter().any(|(_, part)| match model.machine(&part.machine.value) {
        Some(machine) => has_errors(machine, diagnostics),
        None => files.incomplete,
    })
}

/// Whether errors in a document would only be follow-on errors from a subject that it shows.
fn document_follows(spec: &spec::document::Document, files: &Files, model: &Model, diagnostics: &Diagnostics) -> bool {
    document::subjects(spec).into_iter().any(|name| {
        let machine = model.machine(&name.value).map(|it| has_errors(it, diagnostics));
        let system = || model.systems.iter().find(|it| it.name == name.value).map(|it| diagnostics.has_errors_in(it.source));
        match machine.or_else(system) {
            Some(has_errors) => has_errors,
            None => files.incomplete || files.systems.iter().any(|it| it.system.value == name.value),
        }
    })
}

/// Reserves a name. Machines, systems and documents share one name space: regions and modules are named after them.
fn claim(names: &mut BTreeMap<String, Span>, name: &str, span: Span, diagnostics: &mut Diagnostics) {
    let key = crate::names::snake(name);
    if let Some(first) = names.get(&key) {
        let message = format!("the name `{name}` is taken");
        diagnostics.push(
            Diagnostic::new(Code::NameCollision, span, message)
                .also(*first, "by this")
                .help("machines, systems and documents need names of their own"),
        );
    } else {
        names.insert(key, span);
    }
}
