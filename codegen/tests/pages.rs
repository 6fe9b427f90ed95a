//! The pages of the reference machines.

use std::collections::BTreeMap;

use statespec_codegen::backend::{Config, emit};
use statespec_codegen::diagnostic::{Style, render};
use statespec_codegen::lower::{Input, load};

fn root() -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// All pages of this repository's machines, by path.
fn pages() -> BTreeMap<String, String> {
    let mut inputs = Vec::new();
    for entry in std::fs::read_dir(root().join("machines")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        inputs.push(Input { path: format!("machines/{name}"), text: std::fs::read_to_string(&path).unwrap() });
    }
    let loaded = load(&inputs);
    let model = loaded.model.unwrap_or_else(|| panic!("{}", render(&loaded.sources, &loaded.diagnostics, Style::Plain)));
    let generated = emit(&loaded.sources, &model, &Config::default());
    if let Ok(dir) = std::env::var("DUMP") {
        for file in &generated.files {
            let path = std::path::Path::new(&dir).join(&file.path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, &file.text).unwrap();
        }
        let regions: String = generated.regions.iter().map(|(name, it)| format!("=== {name}\n{}", it.text)).collect();
        std::fs::write(std::path::Path::new(&dir).join("regions.txt"), regions).unwrap();
    }
    generated.files.into_iter().map(|it| (it.path, it.text)).collect()
}

#[test]
fn pages_exist() {
    assert!(pages().contains_key("docs/machines/mysis.md"));
}
