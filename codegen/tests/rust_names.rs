//! Names and texts of people in emitted Rust: identifiers that differ, and Markdown that shows what was written.

use statespec_codegen::source::Input;
use statespec_rust::names::UniqueNames;
use statespec_rust::{Style, files::file::machine_text};

use crate::project::{model, quoted};

#[test]
fn names_that_become_the_same_identifier_are_told_apart() {
    let mut names = UniqueNames::default();
    let claimed = ["self", "self", "self_", "type", "type", "type"].map(|it| names.claim(it.to_owned()).to_string());
    assert_eq!(claimed, ["self_", "self__", "self___", "r#type", "type_", "type__"]);
}

/// The doc comments of the states of an emitted module, each up to its first empty line.
fn docs_of_states(module: &str) -> Vec<String> {
    let file = syn::parse_file(module).unwrap();
    let states = file.items.into_iter().find_map(|it| match it {
        syn::Item::Enum(it) if it.ident == "State" => Some(it.variants),
        _ => None,
    });
    let line = |it: &syn::Attribute| match &it.meta {
        syn::Meta::NameValue(syn::MetaNameValue { value: syn::Expr::Lit(it), .. }) => match &it.lit {
            syn::Lit::Str(it) => Some(it.value().strip_prefix(' ').map_or_else(|| it.value(), str::to_owned)),
            _ => None,
        },
        _ => None,
    };
    let doc = |it: syn::Variant| it.attrs.iter().filter_map(line).take_while(|it| !it.is_empty()).collect::<Vec<_>>().join("\n");
    states.unwrap().into_iter().map(doc).collect()
}

#[test]
fn texts_are_shown_as_they_were_written() {
    let docs = [
        ("see [Foo] and <b> too", r"See \[Foo\] and \<b> too."),
        ("    let x = 1;", "Let x = 1;"),
        ("```\nassert!(false)\n```", "\\`\\`\\`\nassert!(false)\n\\`\\`\\`."),
        ("uses `last_error` and a`b", r"Uses `last_error` and a\`b."),
        ("# heading\n- item\n1. one", "\\# heading\n\\- item\n&#49;. one."),
        ("executeToolCall returned ctx.Canceled", "executeToolCall returned ctx.Canceled."),
        ("see https://a.example/x?y=1, then", "See <https://a.example/x?y=1>, then."),
        ("tab\there", "Tab here."),
        ("| a | b |", r"\| a \| b \|"),
        ("mission.current_hop_id is set by get_context(), see a_b.", "`mission.current_hop_id` is set by `get_context()`, see `a_b`."),
        ("> quoted, 2 * 3 -> *6*", r"\> quoted, 2 * 3 -> \*6\*"),
        ("_emphasis_ and __init__", r"\_emphasis\_ and \_\_init\_\_"),
    ];
    let states: Vec<String> = docs.iter().enumerate().map(|(idx, (text, _))| format!("  s{idx}: {{ doc: {} }}\n", quoted(text))).collect();
    let text = format!(
        "machine: m\nstates:\n  first: {{ initial: true }}\n{}events: {{ go: {{}} }}\neffects: {{ tell: {{ message: \"a`b\" }}, say: {{ message: \"`\" }} }}\n\
         transitions: [{{ from: first, event: go, to: s0, do: [tell, say] }}]\n",
        states.concat()
    );
    let (_, model) = model(&[Input { path: "machines/m.yaml".into(), text }]);
    let module = machine_text(&model.machines[0], &Style::default()).unwrap();
    let shown = docs_of_states(&module);
    assert_eq!(shown[0], "The state `first`.");
    assert_eq!(shown[1..].iter().map(String::as_str).collect::<Vec<_>>(), docs.map(|it| it.1));
    for code in ["``a`b``", "`` ` ``"] {
        assert!(module.contains(&format!("The message is {code}.")), "{code}: {module}");
    }
}
