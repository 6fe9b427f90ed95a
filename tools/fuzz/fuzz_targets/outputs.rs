#![no_main]

use merman_core::{Engine, ParseOptions};

libfuzzer_sys::fuzz_target!(|data: &[u8]| trust::fuzz::outputs(data, mermaid));

/// Whether a Mermaid parser accepts a text as a state diagram.
fn mermaid(text: &str) -> Result<(), String> {
    match Engine::new().parse_diagram_sync(text, ParseOptions::strict()) {
        Ok(Some(parsed)) if parsed.meta.diagram_type.starts_with("state") => Ok(()),
        Ok(_) => Err("this is no state diagram".into()),
        Err(error) => Err(error.to_string()),
    }
}
