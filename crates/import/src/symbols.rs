//! Signs that pages write as commands of TeX: `$\\emptyset$` is `∅`.

/// The text with these signs. Other formulas stay as they are.
pub(super) fn with_signs(text: &str) -> String {
    if !text.contains('\\') {
        return text.to_owned();
    }
    let parts: Vec<&str> = text.split('$').collect();
    let mut found = String::new();
    for (idx, part) in parts.iter().enumerate() {
        let is_inside = idx % 2 == 1 && idx + 1 < parts.len();
        match sign(part.trim()).filter(|_| is_inside) {
            Some(sign) => found.push_str(sign),
            None if is_inside => found.push_str(&format!("${part}$")),
            None if idx % 2 == 1 => found.push_str(&format!("${part}")),
            None => found.push_str(part),
        }
    }
    found
}

/// The sign that a command stands for.
fn sign(command: &str) -> Option<&'static str> {
    match command {
        "\\emptyset" | "\\varnothing" => Some("∅"),
        "\\to" | "\\rightarrow" | "\\longrightarrow" | "\\Rightarrow" | "\\mapsto" => Some("→"),
        "\\checkmark" => Some("✓"),
        "\\times" => Some("✗"),
        _ => None,
    }
}
