//! Imports: every imported spec loads.

use statespec_codegen::diagnostic::{Style, render};
use statespec_codegen::source::Input;
use statespec_codegen::sync;
use statespec_import::{Format, Markers, Options, import as read};
use statespec_lang::lower::load;

use super::readers::check_messages;

/// Any text in any format; the first byte selects the format.
pub fn import(data: &[u8]) {
    let Some((first, rest)) = data.split_first() else { return };
    let Ok(text) = std::str::from_utf8(rest) else { return };
    let format = Format::ALL[usize::from(*first) % Format::ALL.len()];
    let imported = read(
        "fuzz",
        text,
        &Options {
            format: Some(format),
            markers: (format == Format::Markdown).then_some(Markers { read: sync::regions, around: sync::marked }),
            ..Options::default()
        },
    );
    let findings = imported.findings();
    check_messages(&imported.sources, &findings);
    assert!(!imported.specs.is_empty() || !findings.is_empty(), "nothing is dropped in silence");
    for spec in imported.specs {
        let loaded = load(&[Input { path: format!("machines/{}.yaml", spec.name), text: spec.yaml.clone() }]);
        let messages = || render(&loaded.sources, &loaded.diagnostics, Style::Plain);
        assert!(loaded.model.is_some(), "{}\n{}", spec.yaml, messages());
    }
}
