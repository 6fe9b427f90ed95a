//! No text of a spec can change the structure of a page.
//!
//! Every hostile text is put into every place where a spec takes text; then a real Markdown parser
//! reads the pages.

use std::collections::BTreeMap;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};
use statespec_codegen::backend::markdown::escape::{self, Place};
use statespec_codegen::source::Input;
use statespec_lang::output::Generated;
use statespec_rust::{Style, files::output};

use crate::project::checks::sample;
use crate::project::{emit, model, quoted};

const HOSTILE: &[&str] = &[
    "a | b",
    "|",
    "||",
    "\\|",
    "\\\\|",
    "`a|b`",
    "`a\\|b`",
    "`a\\`",
    "\\",
    "trailing \\",
    "`",
    "``",
    "```",
    "`unclosed",
    "``a`",
    "` `",
    "` a `",
    "`` a`b ``",
    "```\nfence\n```",
    "~~~\nfence",
    "~~struck~~",
    "<b>bold</b>",
    "<script>alert(1)</script>",
    "<!-- statespec:end m.states -->",
    "<!-- comment",
    "`<!-- statespec:begin m.states -->`",
    "-->",
    "<br",
    "a<",
    "< 5",
    "<https://example.org>",
    "&lt;",
    "&#60;b&#62;",
    "&",
    "& b;",
    "AT&T; x",
    "# heading",
    "heading #",
    "heading {#id}",
    "## heading\n# heading",
    "setext\n===",
    "setext\n---",
    "- item",
    "* item",
    "+ item",
    "1. item",
    "12) item",
    "- [ ] task",
    "> quote",
    "> [!NOTE]",
    "---",
    "***",
    "___",
    "* * *",
    "||| no row",
    "- ||| no row",
    "| a | b |\n|---|---|\n| c | d |",
    ":--",
    "a\n:-:",
    "[x]: https://example.org",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x]( javascript:alert(1))",
    "[x](&#106;avascript:alert(1))",
    "[x](java\\script:x)",
    "[x](<javascript:alert(1)>)",
    "![x](https://example.org/a.png)",
    "[x](https://example.org)",
    "[^1]",
    "[^1]: note",
    "[x][y]",
    "]",
    "[",
    "*emphasis*",
    "**strong**",
    "_under_",
    "__proto__",
    "snake_case_name",
    "*",
    "**",
    "***open",
    "{{#include /etc/passwd}}",
    "{{ x }}",
    "{% raw %}",
    "`{{ x }}`",
    "{#id}",
    "\\{{ x",
    "$x$",
    "$$x$$",
    "cost $5 and $6",
    "\\(x\\)",
    "one\ntwo",
    "one\n\ntwo",
    "\ttab",
    "    indented",
    "a\n    indented",
    " \u{a0} ",
    "日本語",
    "🙂",
    "e\u{301}",
    "—",
    "©",
    "www.example.org",
    ":smile:",
    "@user",
    "#1",
    "a\\\nb",
    "a  \nb",
    "<details>",
    "</td>",
    "<a href=\"x\">",
    "\"quotes\"",
    "'",
    "%%{init: {}}%%",
    "::: note",
    "+++",
    "...",
];

/// A project with the same text in every place.
fn project(text: &str) -> Vec<Input> {
    let t = quoted(text);
    let machine = format!(
        r#"machine: m
title: {t}
doc: {t}
sources: [{t}]
actors: {{ somebody: {t} }}
constants: {{ limit: {{ value: 3, doc: {t} }}, word: {{ value: {t}, doc: {t} }} }}
enums: {{ kind: {{ doc: {t}, values: {{ one: {{ label: {t}, doc: {t} }}, two: {{}} }} }} }}
context: {{ count: {{ type: int, label: {t}, doc: {t} }}, said: {{ type: text, default: {t} }} }}
attributes: {{ sign: {{ type: text, label: {t}, doc: {t} }}, signs: {{ type: list<text>, default: [] }}, of: {{ type: kind, default: one }} }}
states:
  a: {{ initial: true, label: {t}, doc: {t}, attributes: {{ sign: {t}, signs: [{t}, {t}] }} }}
  b: {{ terminal: true, wire: "wire-b", doc: {t}, attributes: {{ sign: {t} }}, inferred: {t} }}
events:
  go: {{ by: somebody, label: {t}, doc: {t}, payload: {{ data: {{ type: text, doc: {t} }} }} }}
predicates: {{ ready: {{ doc: {t} }} }}
effects: {{ tell: {{ label: {t}, doc: {t}, message: {t} }} }}
transitions:
  - {{ from: a, event: go, when: "ready and data == '{e}'", to: b, label: {t}, summary: {t}, doc: {t}, do: tell, inferred: {t} }}
  - {{ from: a, event: go, to: a, do: tell, doc: {t} }}
  - {{ from: b, event: go, refuse: {t} }}
orders:
  sorting: {{ doc: {t}, item: {{ count: {{ type: int, label: {t} }}, kind: {{ type: kind, label: {t} }} }}, keys: count asc }}
notes: [{t}, {t}]
"#,
        e = if text.contains(['\'', '"', '\\', '\n', '\r', '\t']) || text.chars().any(|it| !(' '..='~').contains(&it)) {
            "x".into()
        } else {
            text.to_owned()
        },
    );
    let system = format!(
        r#"system: s
title: {t}
doc: {t}
sources: [{t}]
actors: {{ somebody: {t} }}
parts: {{ m: {{ machine: m, label: {t}, doc: {t} }} }}
transactions:
  go: {{ by: somebody, surface: {t}, payload: {{ data: {{ type: text, doc: {t} }} }}, fire: {{ m.go: {{ data: data }} }}, doc: {t}, on_failure: {t}, inferred: {t} }}
rules: [{{ before: m.go, require: m.state == a, doc: {t}, inferred: {t} }}]
invariants: [{{ require: m.state == a or m.state == b, doc: {t} }}]
walkthroughs:
  one: {{ doc: {t}, steps: [{{ step: {t}, run: go, with: {{ data: {t} }}, trigger: {t}, note: {t} }}] }}
  two: {{ doc: {t}, steps: [{{ step: "1", run: go, with: {{ data: x }}, trigger: x }}] }}
notes: [{t}]
"#
    );
    let document = format!(
        r#"document: d
path: docs/d.md
title: {t}
intro: {t}
sections:
  - heading: {t}
    text: {t}
    of: m
    show: [about, {{ states: {{ columns: {{ {t}: name, Doc: doc }} }} }}, {{ states: {{ as: list }} }}, {{ notes: {{ lead: {t} }} }}, {{ transitions: {{ columns: {{ T: trigger, E: effects }} }} }}]
  - of: s
    show: [about, walkthrough, updates, surfaces]
"#
    );
    [("m", machine), ("s", system), ("d", document)].map(|(name, text)| Input { path: format!("machines/{name}.yaml"), text }).to_vec()
}

/// All pages of a project, those of the document and the default pages, and its regions.
fn pages(text: &str) -> BTreeMap<String, String> {
    let all = project(text);
    let mut pages = BTreeMap::new();
    for inputs in [&all[..], &all[..2]] {
        let (sources, model) = model(inputs);
        let Generated { files, regions } = emit(&sources, &model);
        pages.extend(files.into_iter().filter(|it| it.path.ends_with(".md")).map(|it| (it.path, it.text)));
        // A region quotes a spec verbatim, in a fence.
        pages.extend(regions.into_iter().filter(|(name, _)| !name.ends_with(".spec")).map(|(name, it)| (name, it.text)));
    }
    pages
}

fn parse(page: &str) -> impl Iterator<Item = Event<'_>> {
    // All syntax extensions that GitHub or mdBook reads.
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_HEADING_ATTRIBUTES
        | Options::ENABLE_MATH
        | Options::ENABLE_GFM
        | Options::ENABLE_DEFINITION_LIST
        | Options::ENABLE_WIKILINKS;
    Parser::new_ext(page, options)
}

/// The blocks of a page, as one line each.
fn blocks(page: &str) -> Vec<String> {
    let tags = parse(page).filter_map(|event| match event {
        Event::Start(tag) => Some(match tag {
            Tag::Heading { level, .. } => format!("{level}"),
            Tag::Paragraph => "p".into(),
            Tag::List(start) => format!("list {start:?}"),
            Tag::Item => "item".into(),
            Tag::Table(columns) => format!("table of {}", columns.len()),
            Tag::TableRow => "row".into(),
            Tag::CodeBlock(kind) => format!("{kind:?}"),
            Tag::TableHead | Tag::TableCell | Tag::Emphasis | Tag::Strong | Tag::Link { .. } => return None,
            other => format!("{other:?}"),
        }),
        _ => None,
    });
    tags.collect()
}

/// The texts of the last cells of all rows, as displayed.
fn last_cells(page: &str) -> Vec<String> {
    let mut cells = Vec::new();
    let mut row: Vec<String> = Vec::new();
    for event in parse(page) {
        match event {
            Event::Start(Tag::TableCell) => row.push(String::new()),
            Event::Text(text) | Event::Code(text) => row.last_mut().into_iter().for_each(|it| it.push_str(&text)),
            Event::InlineHtml(html) if &*html == "<br>" => row.last_mut().into_iter().for_each(|it| it.push('\n')),
            Event::End(TagEnd::TableRow) => cells.extend(std::mem::take(&mut row).pop()),
            Event::End(TagEnd::TableHead) => row.clear(),
            _ => {}
        }
    }
    cells
}

#[test]
fn no_text_changes_what_a_page_is_made_of() {
    let harmless = pages("plain words");
    for text in HOSTILE {
        for (name, page) in pages(text) {
            let context = || format!("{text:?} in {name}:\n{page}");
            for event in parse(&page) {
                match event {
                    Event::InlineHtml(html) => assert_eq!(&*html, "<br>", "{}", context()),
                    Event::Html(_) | Event::Start(Tag::HtmlBlock | Tag::BlockQuote(_) | Tag::FootnoteDefinition(_) | Tag::Image { .. }) => {
                        panic!("{event:?}: {}", context())
                    }
                    Event::InlineMath(_) | Event::DisplayMath(_) | Event::FootnoteReference(_) | Event::Rule | Event::TaskListMarker(_) => {
                        panic!("{event:?}: {}", context())
                    }
                    Event::Start(Tag::CodeBlock(kind)) => assert_eq!(kind, CodeBlockKind::Fenced("mermaid".into()), "{}", context()),
                    Event::Start(Tag::Link { dest_url, .. }) => {
                        let known = ["https://", "http://", "mailto:", "#"].iter().any(|it| dest_url.starts_with(it));
                        assert!(known || !dest_url.contains(':'), "{dest_url}: {}", context());
                    }
                    _ => {}
                }
            }
            let templates = ["{{", "{%", "{#", "<!--"].iter().find(|it| page.contains(**it));
            assert_eq!(templates, None, "{}", context());
            let odd = page.chars().find(|it| it.is_control() && *it != '\n' || matches!(it, '\u{202e}' | '\u{2028}' | '\u{feff}'));
            assert_eq!(odd, None, "{}", context());
            assert!(page.ends_with('\n') && !page.ends_with("\n\n"), "{}", context());
            let n_pipes = |line: &str| line.match_indices('|').filter(|(at, _)| !line[..*at].ends_with('\\')).count();
            let mut expected = None;
            for line in page.lines() {
                // No line of a diagram begins with a pipe.
                expected = line.starts_with('|').then(|| expected.unwrap_or(n_pipes(line)));
                assert!(expected.is_none_or(|it| it == n_pipes(line)), "{line}\n{}", context());
            }
            // In the places for prose, a text of more than one line may have paragraphs and lists.
            let structured =
                text.contains(['\n', '\r', '\u{85}', '\u{2028}']) || ["- ", "* ", "+ ", "1. "].iter().any(|it| text.starts_with(it));
            let invisible = text.trim().is_empty();
            if !invisible && !structured {
                assert_eq!(blocks(&page), blocks(&harmless[&name]), "{}", context());
            }
            let counts = |page: &str| {
                let blocks = blocks(page);
                ["h1", "h2", "h3", "table", "row", "Fenced"].map(|it| blocks.iter().filter(|block| block.starts_with(it)).count())
            };
            if !invisible {
                assert_eq!(counts(&page), counts(&harmless[&name]), "{}", context());
            }
        }
    }
}

#[test]
fn refusals_are_shown_to_the_letter() {
    let visible = |text: &str| {
        let odd = |it: char| it.is_control() && it != '\n' && it != '\t' || matches!(it, '\u{202e}' | '\u{feff}');
        let text = text.replace("\r\n", "\n").replace(['\u{85}', '\u{2028}'], "\n").replace('\t', " ").replace(odd, "\u{fffd}");
        text.trim().split('\n').map(str::trim).collect::<Vec<_>>().join("\n")
    };
    for text in HOSTILE.iter().filter(|it| !it.trim().is_empty()) {
        let page = &pages(text)["m.refusals"];
        assert_eq!(last_cells(page), [visible(text)], "{text:?}\n{page}");
    }
}

#[test]
fn links_code_and_emphasis_stay_in_prose() {
    let page = &pages("see [the book](https://example.org/a_b) or `x | y`, *now*")["m.predicates"];
    assert!(page.contains("| `ready` | see [the book](https://example.org/a_b) or `x \\| y`, *now* |"), "{page}");
}

/// The displayed text of a cell, and whether the page is still a table of one cell.
fn in_cell(markdown: &str) -> String {
    let page = format!("| H |\n| --- |\n| {markdown} |\n");
    assert_eq!(blocks(&page), ["table of 1", "row"], "{page}");
    let cells = last_cells(&page);
    assert_eq!(cells.len(), 1, "{page}");
    cells.into_iter().next().unwrap_or_default()
}

fn one_line(text: &str) -> String {
    text.trim().split('\n').map(str::trim).collect::<Vec<_>>().join("\n")
}

proptest::proptest! {
    #![proptest_config(proptest::test_runner::Config { cases: sample(20_000) as u32, failure_persistence: None, ..Default::default() })]

    #[test]
    fn plain_text_in_a_cell_is_itself(text in "[ab1 `|\\\\*_~<>&;#(){}\\[\\]!^:$%./=+'\"-]{0,14}") {
        let shown = in_cell(&escape::plain(&text, Place::Cell));
        // Two spaces and one space look the same.
        let same = |text: &str| text.split(' ').filter(|it| !it.is_empty()).collect::<Vec<_>>().join(" ");
        proptest::prop_assert_eq!(same(&shown), same(&text));
    }

    #[test]
    fn code_in_a_cell_is_itself(text in "[ab1`|\\\\*_<>&;{} ]{0,12}") {
        let text = one_line(&text);
        let shown = in_cell(&escape::code(&text, Place::Cell));
        let same = |text: &str| text.split(' ').filter(|it| !it.is_empty()).collect::<Vec<_>>().join(" ");
        proptest::prop_assert_eq!(same(&shown), same(&text));
    }

    #[test]
    fn prose_stays_in_its_cell_and_in_its_paragraph(text in "[ab1 `|\\\\*_~<>&;#(){}\\[\\]!^:$%./=+'\"\n-]{0,16}") {
        in_cell(&escape::prose(&text, Place::Cell));
        let line = escape::line(&text);
        let blocks = blocks(&format!("before\n\n{line}\n\nafter\n"));
        let expected = if line.is_empty() { 2 } else { 3 };
        proptest::prop_assert_eq!(blocks, vec!["p"; expected], "{}", line);
    }

    #[test]
    fn blocks_are_paragraphs_and_lists(text in "[ab1 `|\\\\*_~<>&;#(){}\\[\\]!^:$%./=+'\"\n-]{0,24}") {
        let written = escape::blocks(&text);
        for block in blocks(&format!("before\n\n{written}\n\nafter\n")) {
            proptest::prop_assert!(block == "p" || block == "item" || block.starts_with("list"), "{block} in {written}");
        }
        for event in parse(&written) {
            proptest::prop_assert!(!matches!(event, Event::Html(_) | Event::InlineHtml(_) | Event::InlineMath(_) | Event::DisplayMath(_)), "{written}");
        }
    }
}

/// The doc comments of a Rust file, each as one text.
fn docs(rust: &str) -> Vec<String> {
    let mut docs = vec![String::new()];
    for line in rust.lines().map(str::trim_start) {
        match line.strip_prefix("//!").or_else(|| line.strip_prefix("///")) {
            Some(text) => docs.last_mut().into_iter().for_each(|it| it.extend([text.strip_prefix(' ').unwrap_or(text), "\n"])),
            None if docs.last().is_some_and(String::is_empty) => {}
            None => docs.push(String::new()),
        }
    }
    docs
}

#[test]
fn no_text_becomes_a_doctest_or_html_in_emitted_rust() {
    for text in HOSTILE.iter().chain(&RUST_SHELL_AND_TEMPLATES) {
        let (_, model) = model(&project(text));
        let style = Style::default();
        let files = output::outputs(&model, "generated/src", output::Root::Crate, &style).render();
        let files = files.unwrap_or_else(|errors| panic!("{text:?}: {errors:?}")).files;
        assert!(files.iter().any(|it| it.path.ends_with("/m.rs")));
        for file in files {
            let docs = docs(&file.text);
            assert!(docs.len() > 10 || file.path.ends_with("/lib.rs"), "{}", file.text);
            for doc in docs {
                for event in parse(&doc) {
                    let harmless =
                        !matches!(event, Event::Start(Tag::CodeBlock(_) | Tag::HtmlBlock) | Event::Html(_) | Event::InlineHtml(_));
                    assert!(harmless, "{event:?} of {text:?} in {}:\n{doc}", file.path);
                }
            }
        }
    }
}

/// Texts that readers other than Markdown's would execute.
const RUST_SHELL_AND_TEMPLATES: [&str; 16] = [
    "```rust\npanic!()\n```",
    "~~~should_panic\npanic!()\n~~~",
    "    assert!(false);",
    "a\n\n    assert!(false);",
    "- a\n\n      assert!(false);",
    "> ```\n> panic!()\n> ```",
    "*/ fn f() {} /*",
    "\"#; fn f() {} r#\"",
    "[`std::fs`](crate::x)",
    "#![allow(x)]",
    "$(rm -rf /)",
    "`rm -rf /`; rm -rf / && echo",
    "${HOME} %PATH%",
    "{% include '/etc/passwd' %}",
    "{{ self.__init__ }}",
    "<% x %>",
];

#[test]
fn no_code_of_another_language_changes_what_a_page_is_made_of() {
    for text in RUST_SHELL_AND_TEMPLATES {
        for (name, page) in pages(text) {
            let context = || format!("{text:?} in {name}:\n{page}");
            for event in parse(&page) {
                match event {
                    Event::Start(Tag::CodeBlock(kind)) => assert_eq!(kind, CodeBlockKind::Fenced("mermaid".into()), "{}", context()),
                    Event::InlineHtml(html) => assert_eq!(&*html, "<br>", "{}", context()),
                    Event::Html(_) | Event::Start(Tag::HtmlBlock | Tag::BlockQuote(_)) => panic!("{event:?}: {}", context()),
                    _ => {}
                }
            }
            let templates = ["{{", "{%", "<!--"].iter().find(|it| page.contains(**it));
            assert_eq!(templates, None, "{}", context());
        }
    }
}
