//! The whole path: every accepted spec must give valid Rust, Mermaid, Markdown and JSON.

use std::sync::OnceLock;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};
use statespec_codegen::backend::Backend as _;
use statespec_codegen::backend::database::Databases;
use statespec_codegen::language::Language;
use statespec_codegen::project::Project;
use statespec_drive as drive;
use statespec_lang::lower::load;

use super::Oracle;
use super::readers::split;

/// This repository's configuration, with every output except those about the language itself, which no input changes, and the tables,
/// which name machines of this repository.
fn project() -> &'static Project {
    static PROJECT: OnceLock<Project> = OnceLock::new();
    PROJECT.get_or_init(|| {
        let mut project = Project::open(xtask::root()).unwrap_or_else(|it| panic!("{it}"));
        project.config.settings.remove(Language.name());
        project.config.settings.remove(Databases.name());
        project
    })
}

/// Specs to outputs: every accepted spec gives outputs, and each output is valid.
pub fn outputs(data: &[u8], mermaid: Oracle) {
    let Some(specs) = split(data) else { return };
    let loaded = load(&specs);
    let Some(model) = &loaded.model else { return };
    // Both fail if the emitted code is not Rust.
    let mut generated = match project().generate(&loaded.sources, model) {
        Ok(generated) => generated,
        // No Rust is emitted for regions.
        Err(refused) if refused.to_string().starts_with("error[rust::regions]") => return,
        Err(refused) => panic!("{refused}"),
    };
    generated.files.push(drive::file(model, "tests/drive/mod.rs", "::machines").unwrap_or_else(|it| panic!("{it}")));
    for file in &generated.files {
        let text = &file.text;
        assert!(text.ends_with('\n') && !text.contains('\r'), "{}", file.path);
        match file.path.rsplit('.').next() {
            Some("rs") => assert!(syn::parse_file(text).is_ok(), "{}:\n{text}", file.path),
            Some("json") => assert!(serde_json::from_str::<serde_json::Value>(text).is_ok(), "{}:\n{text}", file.path),
            Some("md") => markdown(&file.path, text, mermaid),
            Some("svg") => assert!(roxmltree::Document::parse(text).is_ok(), "{}:\n{text}", file.path),
            other => panic!("{other:?} is not held against anything"),
        }
    }
    for (name, region) in &generated.regions {
        // A page quotes a spec verbatim, in a fence.
        if !name.ends_with(".spec") {
            markdown(name, &region.text, mermaid);
        }
        assert!(!region.text.lines().any(|it| it.starts_with("<!-- statespec:")), "{name}:\n{}", region.text);
    }
}

/// Tables keep their columns, diagrams are diagrams, and the only HTML is a line break.
fn markdown(name: &str, text: &str, mermaid: Oracle) {
    let mut diagram: Option<String> = None;
    let options = Options::ENABLE_TABLES | Options::ENABLE_GFM | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_FOOTNOTES;
    for event in Parser::new_ext(text, options) {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(word))) if &*word == "mermaid" => diagram = Some(String::new()),
            Event::Start(Tag::CodeBlock(_)) => panic!("a code block in {name}:\n{text}"),
            Event::Text(part) => diagram.iter_mut().for_each(|it| it.push_str(&part)),
            Event::End(TagEnd::CodeBlock) => {
                let diagram = diagram.take().unwrap_or_default();
                mermaid(&diagram).unwrap_or_else(|error| panic!("{error} in {name}:\n{diagram}"));
            }
            Event::InlineHtml(html) => assert_eq!(&*html, "<br>", "{name}:\n{text}"),
            Event::Html(_) | Event::Start(Tag::HtmlBlock | Tag::FootnoteDefinition(_)) => panic!("{event:?} in {name}:\n{text}"),
            _ => {}
        }
    }
    let mut n_expected = None;
    let mut n_rows = 0;
    for line in text.lines() {
        let n_pipes = line.match_indices('|').filter(|(at, _)| !line[..*at].ends_with('\\')).count();
        // No line of a diagram begins with a pipe.
        n_expected = line.starts_with('|').then(|| n_expected.unwrap_or(n_pipes));
        n_rows += usize::from(line.starts_with('|') && !line.starts_with("| ---"));
        assert!(n_expected.is_none_or(|it| it == n_pipes), "{line}\nin {name}:\n{text}");
    }
    let rows = Parser::new_ext(text, options).filter(|it| matches!(it, Event::Start(Tag::TableRow | Tag::TableHead))).count();
    assert_eq!(rows, n_rows, "rows of tables in {name}:\n{text}");
}
