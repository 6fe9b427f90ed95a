//! Markers in every way that languages write comments, and texts that are no markers.

use statespec_codegen::marks::{Marked, Region, read};

/// What begins a comment, and what ends it.
const COMMENTS: &[(&str, &str)] = &[
    ("// ", ""),
    ("//", ""),
    ("/// ", ""),
    ("//! ", ""),
    ("# ", ""),
    ("## ", ""),
    ("#", ""),
    ("-- ", ""),
    ("--- ", ""),
    ("/* ", " */"),
    ("/*", "*/"),
    ("/** ", " */"),
    (" * ", ""),
    ("<!-- ", " -->"),
    ("<!--- ", " --->"),
    ("; ", ""),
    (";; ", ""),
    ("% ", ""),
    ("%% ", ""),
    ("%{ ", " %}"),
    ("(* ", " *)"),
    ("{- ", " -}"),
    ("{# ", " #}"),
    ("{{! ", " }}"),
    ("{{!-- ", " --}}"),
    ("{{/* ", " */}}"),
    ("{{- /* ", " */ -}}"),
    ("{{# ", " }}"),
    ("{/* ", " */}"),
    ("{* ", " *}"),
    ("{ ", " }"),
    ("<%# ", " %>"),
    ("<%-- ", " --%>"),
    ("<%/* ", " */%>"),
    ("<# ", " #>"),
    ("#= ", " =#"),
    ("#[ ", " ]#"),
    ("#| ", " |#"),
    ("#* ", " *#"),
    ("#- ", " -#"),
    ("### ", " ###"),
    ("--[[ ", " ]]"),
    ("--[==[ ", " ]==]"),
    ("/+ ", " +/"),
    ("/# ", " #/"),
    ("@* ", " *@"),
    ("@/* ", " */"),
    ("@ ", ""),
    ("//- ", ""),
    ("-# ", ""),
    (".. ", ""),
    (":: ", ""),
    ("REM ", ""),
    ("rem ", ""),
    ("@REM ", ""),
    ("@rem ", ""),
    ("dnl ", ""),
    ("NB. ", ""),
    ("' ", ""),
    ("\" ", ""),
    ("''' ", " '''"),
    ("\"\"\" ", " \"\"\""),
    ("! ", ""),
    ("!! ", ""),
    ("*> ", ""),
    ("\\ ", ""),
    ("⍝ ", ""),
    ("<!--- ", ""),
];

#[test]
fn a_marker_is_found_in_every_comment() {
    for (before, after) in COMMENTS {
        for indent in ["", "    ", "\t"] {
            for end in ["\n", "\r\n"] {
                let marker = |words: &str| format!("{indent}{before}statespec:{words}{after}{end}");
                let text = format!("{}draft{end}{}", marker("expect order.states"), marker("end"));
                let found = read("a.x", &text);
                assert_eq!(found.mistakes, [], "{text:?}");
                assert_eq!(found.expectations.iter().map(|it| it.words).collect::<Vec<_>>(), ["order.states"], "{text:?}");
                assert_eq!(&text[found.expectations[0].body.clone()], format!("draft{end}"));

                let text = format!("{}draft{end}{}", marker("begin order.states ts-union"), marker("end 85944171f73967e8"));
                let found = read("a.x", &text);
                assert_eq!(found.mistakes, [], "{text:?}");
                let region = Region {
                    words: "order.states ts-union",
                    marker: text.find("statespec").unwrap()..text.find(" ts-union").unwrap() + " ts-union".len(),
                    lines: (0, 2),
                    indent: if before.starts_with(' ') { [indent, " "].concat().leak() } else { indent },
                    end: ([indent, before].concat().leak(), after),
                    digest: Some("85944171f73967e8"),
                };
                assert_eq!(found.regions, [region], "{text:?}");

                // A name that no marker has is a mistake, whatever the comment looks like.
                let text = marker("expcet order.states");
                assert_eq!(read("a.x", &text).mistakes.len(), 1, "{text:?}");
            }
        }
    }
}

#[test]
fn text_about_markers_and_code_are_none() {
    let texts = [
        "use statespec::Machine;",
        "// statespec::Machine",
        "# statespec: a generator",
        "#statespec:1",
        "// See statespec:expect in the guide.",
        "let a = \"statespec:expect order.states\";",
        "    \"statespec:expect order.states\",",
        "    '-- statespec:expect order.states',",
        "\"# statespec:expect order.states\\n\"",
        "//! <!-- statespec:begin order.diagram -->",
        "/// # statespec:expect order.states",
        "-- -- statespec:expect order.states",
        "- statespec:expect order.states",
        "(statespec:expect order.states)",
        "statespec:expect order.states",
        "println!(\"// statespec:expect order.states\");",
        "xmlns:statespec:end",
    ];
    for text in texts {
        assert_eq!(read("a.x", text), Marked::default(), "{text}");
    }
}

#[test]
fn in_a_page_comments_outside_of_code_count() {
    let page = "<!-- statespec:expect order.states -->\ndraft\n<!-- statespec:end -->\n\n[//]: # (statespec:expect order.events)\n\npay\n\n\
                [//]: # (statespec:end)\n\n```sql\n-- statespec:expect order.states\n```\n\n<!-- statespec:begin order.diagram -->\n\
                <!-- statespec:end order.diagram 85944171f73967e8 -->\n";
    let found = read("a.md", page);
    assert_eq!(found.expectations.iter().map(|it| it.words).collect::<Vec<_>>(), ["order.states", "order.events"]);
    assert_eq!((found.regions, found.mistakes), (Vec::new(), Vec::new()));
}
