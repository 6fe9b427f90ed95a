//! Every example in the reference behaves as the page says.
//!
//! A block of `yaml` that starts with a kind is a spec that must be accepted; a block of
//! `yaml fails` must be refused with the text of the `text` block after it. A shared file of a page is in the folder of its examples.

use std::path::{Path, PathBuf};

use statespec_codegen::diagnostic::{Style, render};
use statespec_codegen::source::Input;
use statespec_lang::lower::load;

/// The fenced blocks of a page: line, info string, text.
fn blocks(page: &str) -> Vec<(usize, String, String)> {
    let mut blocks = Vec::new();
    let mut open: Option<(usize, String, String)> = None;
    for (idx, line) in page.lines().enumerate() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(info)) => open = Some((idx + 1, info.trim().to_owned(), String::new())),
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some((_, _, text)), None) => {
                text.push_str(line);
                text.push('\n');
            }
            (None, None) => {}
        }
    }
    blocks
}

fn pages() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut pages = vec![root.join("README.md")];
    for folder in ["docs/guide", "docs/reference"] {
        pages.extend(std::fs::read_dir(root.join(folder)).unwrap().map(|it| it.unwrap().path()));
    }
    pages.retain(|it| it.extension().is_some_and(|it| it == "md"));
    pages.sort();
    pages
}

#[test]
fn every_example_does_what_the_page_says() {
    let mut n_examples = 0;
    let mut wrong = Vec::new();
    for page in pages() {
        let blocks = blocks(&std::fs::read_to_string(&page).unwrap());
        // The machines of a page are inputs of its systems and documents.
        let starts = |text: &str| ["machine:", "system:", "document:"].iter().any(|it| text.starts_with(it));
        let all: Vec<Input> = blocks
            .iter()
            .filter(|(_, info, text)| info == "yaml" && text.starts_with("machine:"))
            .map(|(line, _, text)| Input { path: format!("machines/example{line}.yaml"), text: text.clone() })
            .collect();
        let shared: Vec<Input> = blocks
            .iter()
            .filter_map(|(_, _, text)| Some((text.strip_prefix("shared: ")?.lines().next()?, text)))
            .map(|(name, text)| Input { path: format!("machines/{name}.yaml"), text: text.clone() })
            .collect();
        for (idx, (line, info, text)) in blocks.iter().enumerate() {
            if !info.starts_with("yaml") || !starts(text) {
                continue;
            }
            n_examples += 1;
            let example = Input { path: "machines/example.yaml".into(), text: text.clone() };
            let mut inputs = vec![example];
            inputs.extend(shared.clone());
            if !text.starts_with("machine:") {
                inputs.extend(all.clone());
            }
            let loaded = load(&inputs);
            let found = render(&loaded.sources, &loaded.diagnostics, Style::Plain);
            let expected = match info.as_str() {
                "yaml fails" => blocks.get(idx + 1).filter(|it| it.1 == "text").map_or("(no text block follows)", |it| it.2.as_str()),
                _ => "",
            };
            if found.trim() != expected.trim() {
                wrong.push(format!("{}:{line}\nexpected:\n{expected}\nfound:\n{found}", page.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(n_examples >= 10, "only {n_examples} examples found: did the pages move?");
}

/// A page of the guide is read in one sitting.
#[test]
fn pages_of_the_guide_are_short() {
    let is_guide = |it: &PathBuf| it.parent().is_some_and(|it| it.ends_with("docs/guide"));
    let pages: Vec<PathBuf> = pages().into_iter().filter(is_guide).collect();
    assert!(pages.len() > 10, "only {} pages found: did they move?", pages.len());
    for page in pages {
        let n_lines = std::fs::read_to_string(&page).unwrap().lines().count();
        assert!(n_lines <= 350, "{} has {n_lines} lines; a page of the guide has at most 350", page.display());
    }
}

#[test]
fn the_way_of_one_row_leads_through_files_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let page = std::fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap();
    let section = page.split("## The way of one row").nth(1).and_then(|it| it.split("\n## ").next()).unwrap();
    let rows: Vec<Vec<&str>> = section.lines().filter(|it| it.starts_with("| ")).map(|it| it.split(" | ").collect()).skip(2).collect();
    assert!((4..=6).contains(&rows.len()), "the way has {} steps", rows.len());
    for row in rows {
        let (file, text) = (row[1].trim_matches('`'), row[2].trim_end_matches(" |").trim_matches('`'));
        let contents = std::fs::read_to_string(root.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
        assert!(contents.contains(text), "{file} does not contain `{text}`");
    }
}
