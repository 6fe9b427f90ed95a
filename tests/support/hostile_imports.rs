//! Texts that an importer could take long for: deep, long, repeated, or ambiguous.

use statespec_import::Format;

/// The texts; each length is proportional to `scale`.
pub(crate) fn texts(scale: usize) -> Vec<(Format, String)> {
    // Lengths for a scale of 1.
    let n = |length: usize| length * scale;
    let nested = |open: &str, close: &str, length: usize| format!("{}{}", open.repeat(n(length)), close.repeat(n(length)));
    let lines = |length: usize, line: &dyn Fn(usize) -> String| (0..n(length)).map(line).collect::<String>();
    let mermaid = |text: String| (Format::Mermaid, format!("stateDiagram-v2\n{text}"));
    let can = |body: String| (Format::Rust, format!("enum A {{ B, C }} fn can(a: A, to: A) -> bool {{ {body} }}"));
    let n_variants = n(150);
    vec![
        mermaid(nested("state a {\n", "}\n", 1_000)),
        mermaid(lines(1_000, &|it| format!("state s{it} {{\n"))),
        mermaid("a --> b: direction x ".repeat(n(10_000))),
        mermaid(lines(20, &|it| format!("state c{it} <<choice>>\nc{it} --> c{}\nc{it} --> c{}: x\n", it + 1, it + 1))),
        mermaid(lines(1_500, &|it| format!("s{it} --> s{}: e{it} [g{it}]\n", it + 1))),
        (Format::PlantUml, nested("state a {\n", "}\n", 1_000)),
        (Format::PlantUml, lines(1_500, &|it| format!("state s{it} {{\nstate s{}\n}}\n", it + 1)) + "[*] --> s0\n"),
        (Format::PlantUml, format!("[*] --> a\na : {}", "<b".repeat(n(25_000)))),
        (Format::PlantUml, format!("[*] --> a\na : {}", "<b>".repeat(n(25_000)))),
        (Format::PlantUml, format!("[*] --> a{}", ".a".repeat(n(25_000)))),
        (Format::PlantUml, format!("[*] --> a\nstate a\na --> a{}", ".a".repeat(n(25_000)))),
        (Format::PlantUml, "/'\n".repeat(n(25_000))),
        (Format::PlantUml, lines(2_500, &|it| format!("!define d{it} x\na --> b{it}\n")) + "[*] --> a\n"),
        (Format::PlantUml, "@startuml\n[*] --> a\n".repeat(n(200))),
        (Format::Markdown, format!("```plantuml\n{}```\n", "@startuml\n[*] --> a\n".repeat(n(200)))),
        (Format::Markdown, "> ".repeat(n(25_000))),
        (Format::Markdown, format!("|From|To|\n|-|-|\n{}", "|a|b, c, d|\n".repeat(n(1_500)))),
        (Format::Scxml, nested("<state>", "</state>", 2_500)),
        (Format::Scxml, format!("<scxml>{}</scxml>", nested("<state>", "</state>", 150))),
        (Format::Scxml, "<!DOCTYPE x [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;&a;\">]><scxml>&b;</scxml>".into()),
        (Format::XState, nested("{\"states\":", "}", 2_500)),
        (Format::XState, "[".repeat(n(25_000))),
        (Format::Rust, nested("(", ")", 25_000)),
        (Format::Rust, format!("enum A {{ B = {}1 }}", "!".repeat(n(25_000)))),
        (Format::Rust, format!("enum A {{ B }} const X: A = {};", nested("[", "]", 10_000))),
        can("return ".repeat(n(1_750))),
        can(format!("{} 1", "|| ".repeat(n(1_750)))),
        can(format!("a{}", ".b()".repeat(n(50_000)))),
        can(format!("1{}", "+1".repeat(n(950)))),
        can(format!("{} {{ 1 }}", "if a {} else ".repeat(n(10_000)))),
        can(format!("{} a == to", "if x() { return y(); }".repeat(n(500)))),
        can("can(a, to) || can(to, a) || allowed(to)".into()),
        (
            Format::Rust,
            format!(
                "enum A {{ {} }} fn can(a: A, to: A) -> bool {{ match (a, to) {{ {} _ => false }} }}",
                (0..n_variants).map(|it| format!("V{it},")).collect::<String>(),
                (0..n_variants).map(|it| format!("(A::V{it}, A::V{}) => true,", n_variants - 1 - it)).collect::<String>()
            ),
        ),
    ]
}
