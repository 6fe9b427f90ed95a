//! The first stage: texts become YAML, and the first key of each file says its kind.

use std::collections::BTreeSet;

use super::each::each;
use super::name_table::NameTable;
use super::placeholders;
use super::shared::{self, SharedFiles};
use crate::diagnostic::{Code, Diagnostic, Diagnostics, suggest};
use crate::read::Read;
use crate::source::{SourceId, Sources, Span};
use crate::spec;
use crate::yaml::{Node, NodeKind};

/// The files by kind, in the order of their paths.
#[derive(Default)]
pub(super) struct Files {
    /// Machines are read by the next stage, together with the shared files that they use.
    pub(super) machines: Vec<(SourceId, Node)>,
    pub(super) shared: SharedFiles,
    pub(super) systems: Vec<spec::system::System>,
    /// The documents, each with the names in its placeholders.
    pub(super) documents: Vec<(spec::document::Document, BTreeSet<String>)>,
}

/// The content of a file.
enum File {
    Machine(Node),
    /// A shared file; `None` if it cannot be read.
    Shared(Option<spec::shared::Shared>),
    System(spec::system::System),
    /// Nothing refers to a document, so an unreadable one leaves no gap.
    Document(Option<(spec::document::Document, BTreeSet<String>)>),
}

/// Parses the files.
pub(super) fn parse(sources: &Sources, ids: &[SourceId], names: &mut NameTable, diagnostics: &mut Diagnostics) -> Files {
    let mut files = Files::default();
    let parsed = each(ids.to_vec(), diagnostics, |id, diagnostics| (id, parse_file(sources, id, diagnostics)));
    for (id, file) in parsed {
        match file {
            Some(File::Machine(it)) => files.machines.push((id, it)),
            Some(File::Shared(it)) => _ = files.shared.insert(sources.get(id).path().to_owned(), it),
            Some(File::System(it)) => files.systems.push(it),
            Some(File::Document(it)) => files.documents.extend(it),
            None => {
                names.miss();
                files.shared.insert(sources.get(id).path().to_owned(), None);
            }
        }
    }
    files
}

fn parse_file(sources: &Sources, id: SourceId, diagnostics: &mut Diagnostics) -> Option<File> {
    let node = crate::yaml::parse(sources, id, diagnostics)?;
    Some(match kind(&node, id, diagnostics)? {
        "machine" => File::Machine(node),
        "shared" => {
            let shared = spec::shared::Shared::read(node, diagnostics);
            shared.iter().for_each(|it| shared::check(it, diagnostics));
            File::Shared(shared)
        }
        "system" => File::System(spec::system::System::read(node, diagnostics)?),
        _ => {
            let shown = placeholders::named(&node);
            File::Document(spec::document::Document::read(node, diagnostics).map(|it| (it, shown)))
        }
    })
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
