//! Declarations of shared files: the machines that use one get copies of them, with the places where they are written.

use std::collections::{BTreeMap, BTreeSet};

use super::{limits, machine, names};
use crate::diagnostic::{Code, Diagnostic, Diagnostics, suggest};
use crate::limits::SHARED;
use crate::read::{Entries, Literal, OneOrMany, Read as _, Text};
use crate::source::{Input, SourceId, Sources, Span};
use crate::spec::machine::{ConstantOrValue, Machine};
use crate::spec::shared::Shared;
use crate::yaml::{Node, NodeKind};

/// The shared files of a project, by path; `None` for a file that could not be read.
pub(super) type SharedFiles = BTreeMap<String, Option<Shared>>;

/// The path of a file that `used` names in the file `from`; `None` if it leads out of the project.
fn path(from: &str, used: &str) -> Option<String> {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in used.split('/') {
        match part {
            "." => {}
            ".." => _ = parts.pop()?,
            part => parts.push(part),
        }
    }
    (!used.starts_with('/')).then(|| parts.join("/"))
}

/// The path of a file as one in the file `from` names it.
fn relative(from: &str, path: &str) -> String {
    let (mut from, mut to): (Vec<&str>, Vec<&str>) = (from.split('/').collect(), path.split('/').collect());
    from.pop();
    let n_common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    to.drain(..n_common);
    "../".repeat(from.len() - n_common) + &to.join("/")
}

/// The paths of the files that the text of a machine uses.
pub(super) fn used(input: &Input) -> Vec<String> {
    if !input.text.contains("use") {
        return Vec::new();
    }
    let mut sources = Sources::default();
    let id = sources.add(input.path.clone(), &input.text);
    let mut diagnostics = Diagnostics::default();
    let node = crate::yaml::parse(&sources, id, &mut diagnostics);
    // Errors are reported when the machine is read.
    drop(diagnostics.finish());
    let names = node.iter().flat_map(named);
    let paths: BTreeSet<String> = names.filter_map(|it| path(sources.get(id).path(), &it.value)).collect();
    paths.into_iter().collect()
}

/// Checks the declarations of a shared file, whether a machine uses it or not.
pub(super) fn check(shared: &Shared, diagnostics: &mut Diagnostics) {
    let alone = Machine {
        span: shared.span,
        machine: shared.shared.clone(),
        title: None,
        doc: shared.doc.clone(),
        sources: None,
        r#use: None,
        actors: shared.actors.clone(),
        constants: shared.constants.clone(),
        enums: shared.enums.clone(),
        context: None,
        attributes: None,
        states: None,
        regions: None,
        events: None,
        predicates: None,
        effects: None,
        transitions: Vec::new(),
        settle: None,
        reserved: None,
        orders: None,
        notes: None,
        allow: None,
    };
    names::check_name(&alone.machine, "shared file", diagnostics);
    if limits::declarations(&alone, diagnostics) {
        machine::declarations(&alone, &mut machine::empty(&alone), diagnostics);
    }
}

/// The files that a machine names.
fn named(machine: &Node) -> Vec<Text> {
    let NodeKind::Map(entries) = &machine.kind else { return Vec::new() };
    let value = entries.iter().find(|(key, _)| matches!(&key.kind, NodeKind::Scalar { text, .. } if text == "use"));
    // A value of the wrong shape is reported when the machine is read.
    let mut reported = Diagnostics::default();
    let names = value.and_then(|(_, value)| OneOrMany::<Text>::read(value.clone(), &mut reported));
    drop(reported.finish());
    names.unwrap_or_default().0
}

/// The shared files that a machine uses, each with the place where it says so. `None` if one of them cannot be read, which
/// is reported there.
pub(super) fn find<'s>(
    sources: &Sources,
    files: &'s SharedFiles,
    from: SourceId,
    machine: &Node,
    diagnostics: &mut Diagnostics,
) -> Option<Vec<(Span, &'s Shared)>> {
    let from = sources.get(from).path();
    let mut found: Vec<(Span, &Shared)> = Vec::new();
    let mut seen = BTreeSet::new();
    let mut complete = true;
    for name in named(machine) {
        let path = path(from, &name.value);
        let known = path.as_ref().and_then(|it| files.get(it));
        match (known, path) {
            (Some(Some(_)), Some(path)) if !seen.insert(path.clone()) => {
                let diagnostic = Diagnostic::new(Code::NameCollision, name.span, format!("`{}` is used twice", name.value));
                diagnostics.push(diagnostic.help("remove one of the two"));
            }
            (Some(Some(shared)), _) => found.push((name.span, shared)),
            (Some(None), _) => complete = false,
            (None, Some(path)) if sources.find(&path).is_some() => {
                let message = format!("`{path}` is no shared file");
                diagnostics
                    .push(Diagnostic::new(Code::UnknownName, name.span, message).help("a shared file begins with `shared:` and a name"));
                complete = false;
            }
            (None, path) => {
                let path = path.unwrap_or_else(|| name.value.clone());
                let diagnostic = Diagnostic::new(Code::UnknownName, name.span, format!("there is no file `{path}` among the specs"));
                let known: Vec<String> = files.keys().map(|it| relative(from, it)).collect();
                let help = suggest(&name.value, known.iter().map(String::as_str));
                diagnostics.push(diagnostic.help(help.unwrap_or_else(|| "the path starts at the folder of this file".into())));
                complete = false;
            }
        }
    }
    complete.then_some(found)
}

/// Adds the declarations of shared files before those of a machine. A name that two files declare is an error.
pub(super) fn merge(spec: &mut Machine, shared: &[(Span, &Shared)], diagnostics: &mut Diagnostics) {
    fn of<'s, T>(shared: &[(Span, &'s Shared)], list: fn(&'s Shared) -> &'s Option<Entries<T>>) -> Vec<(Span, &'s Entries<T>)> {
        shared.iter().filter_map(|(at, it)| Some((*at, list(it).as_ref()?))).collect()
    }
    add("actor", &of(shared, |it| &it.actors), &mut spec.actors, diagnostics);
    add("constant", &of(shared, |it| &it.constants), &mut spec.constants, diagnostics);
    add("enum", &of(shared, |it| &it.enums), &mut spec.enums, diagnostics);
}

fn add<T: Clone>(what: &str, shared: &[(Span, &Entries<T>)], own: &mut Option<Entries<T>>, diagnostics: &mut Diagnostics) {
    if shared.is_empty() {
        return;
    }
    let mut seen: BTreeMap<String, Span> = BTreeMap::new();
    let mut all = Vec::new();
    for (at, entries) in shared {
        for (name, value) in entries.iter() {
            match seen.get(&name.value) {
                Some(first) if first.source != name.span.source => {
                    let message = format!("two of the files declare the {what} `{}`", name.value);
                    let diagnostic = Diagnostic::new(Code::NameCollision, *at, message).also(*first, "here").also(name.span, "and here");
                    diagnostics.push(diagnostic.help("rename one of the two, or use one of the files only"));
                }
                _ => {
                    seen.insert(name.value.clone(), name.span);
                    all.push((name.clone(), value.clone()));
                }
            }
        }
    }
    for (name, value) in own.take().unwrap_or_default().0 {
        match seen.get(&name.value) {
            Some(first) => {
                let message = format!("a shared file declares the {what} `{}`, too", name.value);
                let diagnostic = Diagnostic::new(Code::NameCollision, name.span, message).also(*first, "there");
                diagnostics.push(diagnostic.help("remove it here, or rename one of the two"));
            }
            None => all.push((name, value)),
        }
    }
    *own = Some(Entries(all));
}

/// The number of declarations and of values of enums in shared files.
fn size(shared: &[(Span, &Shared)]) -> usize {
    let of = |it: &Shared| {
        let values = it.enums.iter().flat_map(Entries::iter).map(|(_, it)| match it {
            crate::spec::machine::Enum::Values(it) => 1 + it.len(),
            crate::spec::machine::Enum::Full(it) => 1 + it.values.iter().count(),
        });
        it.actors.as_ref().map_or(0, |it| it.iter().count())
            + it.constants.as_ref().map_or(0, |it| it.iter().count())
            + values.sum::<usize>()
    };
    shared.iter().map(|(_, it)| of(it)).sum()
}

/// Refuses machines that copy so much from shared files that reading them takes more than their text says: whether it does.
pub(super) fn too_many(total: &mut usize, sources: &Sources, shared: &[(Span, &Shared)], diagnostics: &mut Diagnostics) -> bool {
    *total = total.saturating_add(size(shared));
    shared.first().is_some_and(|(at, _)| limits::refuse(SHARED, *total, sources.n_bytes(), *at, diagnostics))
}

/// The lengths of the constants of shared files.
pub(super) fn lengths<'s>(shared: &[(Span, &'s Shared)]) -> BTreeMap<&'s str, usize> {
    let length = |it: &Literal| if let NodeKind::Scalar { text, .. } = &it.0.kind { text.len() } else { 0 };
    let constants = shared.iter().flat_map(|(_, it)| it.constants.iter().flat_map(Entries::iter));
    let of = |(name, it): (&'s Text, &'s ConstantOrValue)| {
        let value = match it {
            ConstantOrValue::Value(value) => value,
            ConstantOrValue::Full(body) => &body.value,
        };
        (name.value.as_str(), length(value))
    };
    constants.map(of).collect()
}
