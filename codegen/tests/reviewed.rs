//! What a reviewer of emitted code stumbles over, looked for in all emitted files that are checked in.
//!
//! A failure names the file, the line and its text. The functions that print it are in `crates/rust/src/emit`, and in
//! `codegen/src/backend/conformance` for `generated/conformance`.

use std::path::Path;

/// An emitted file, and its path in the repository.
struct File {
    path: String,
    text: String,
}

/// The emitted modules of the reference machines, and those of the fixtures.
fn modules() -> Vec<File> {
    files(&["generated/src", "codegen/tests/emitted", "codegen/tests/own_types"], |name| !["lib.rs", "drive.rs"].contains(&name))
}

fn files(folders: &[&str], wanted: fn(&str) -> bool) -> Vec<File> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    for folder in folders {
        for entry in std::fs::read_dir(root.join(folder)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            if name.ends_with(".rs") && wanted(&name) {
                let path = format!("{folder}/{name}");
                let text = std::fs::read_to_string(root.join(&path)).unwrap();
                files.push(File { path, text });
            }
        }
    }
    assert!(!files.is_empty(), "no emitted files in {folders:?}");
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files
}

/// Fails with all lines of which `is_wrong` is true; it takes the lines of a file, and the index of one.
fn no_line(files: &[File], objection: &str, is_wrong: impl Fn(&[&str], usize) -> bool) {
    let mut found = Vec::new();
    for File { path, text } in files {
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        let wrong = (0..lines.len()).filter(|idx| is_wrong(&lines, *idx));
        found.extend(wrong.map(|idx| format!("{path}:{}: {}", idx + 1, lines[idx])));
    }
    assert!(found.is_empty(), "{objection}:\n{}", found.join("\n"));
}

fn comment(line: &str) -> Option<&str> {
    line.strip_prefix("///").or_else(|| line.strip_prefix("//!"))
}

/// The code of a line, without the texts in it; empty for a comment.
fn code(line: &str) -> String {
    if line.starts_with("//") {
        return String::new();
    }
    let mut code = String::new();
    let mut in_text = false;
    let mut characters = line.chars();
    while let Some(it) = characters.next() {
        match it {
            '\\' if in_text => _ = characters.next(),
            '"' => in_text = !in_text,
            it if !in_text => code.push(it),
            _ => {}
        }
    }
    code
}

/// The texts between backticks are names of a spec.
fn without_names(text: &str) -> String {
    text.split('`').step_by(2).collect::<Vec<_>>().join("`")
}

#[test]
fn the_place_of_rows_without_a_guard_is_named() {
    no_line(&modules(), "a table without a word about its rows", |lines, idx| {
        let table = ["__table!(", "__direct_table!("].iter().any(|it| lines[idx].contains(it));
        let function = lines[..idx].iter().rposition(|it| it.starts_with("fn ")).unwrap_or(0);
        let mut docs = lines[..function].iter().rev().take_while(|it| !it.is_empty());
        table && !docs.any(|it| it.contains("::transitions()`"))
    });
}

#[test]
fn positions_have_names() {
    const SINGLE: [&str; 8] =
        ["Choice::row(", "parent: Some(", "node: ", "of: Some(", ".reenter(", "leaves_node(", "nodes: &[", "parent: "];
    const LISTS: [&str; 3] = ["const ORDER:", "const COMPLETING:", "const MAY_COMPLETE:"];
    // The value of a constant, which may have several lines.
    let value = |lines: &[&str]| {
        let end = lines.iter().position(|it| it.ends_with(';')).unwrap_or(lines.len() - 1);
        lines[..=end].concat().split_once(" = ").map(|it| it.1.to_owned()).unwrap_or_default()
    };
    let has_number = |text: &str| text.split(|it: char| !it.is_alphanumeric()).any(|it| it.parse::<u32>().is_ok());
    no_line(&modules(), "a position without a name", |lines, idx| {
        let line = code(lines[idx]);
        let is_single = SINGLE.iter().filter_map(|it| line.split_once(it)).any(|(_, rest)| has_number(rest));
        let is_list = LISTS.iter().any(|it| line.starts_with(it)) && has_number(&value(&lines[idx..]));
        is_single || is_list
    });
}

#[test]
fn articles_fit_the_next_word() {
    no_line(&modules(), "a wrong article", |lines, idx| {
        let words: Vec<&str> = comment(lines[idx]).unwrap_or_default().split_whitespace().collect();
        words.windows(2).any(|pair| {
            let word = pair[1].trim_start_matches('`').to_lowercase();
            let by_ear = ["eu", "one", "uni", "usa", "use", "usi", "usu", "uti"].iter().any(|it| word.starts_with(it));
            let vowel = word.starts_with(['a', 'e', 'i', 'o', 'u']) && !by_ear;
            pair[1].starts_with('`') && (pair[0].eq_ignore_ascii_case("a") && vowel || pair[0].eq_ignore_ascii_case("an") && !vowel)
        })
    });
}

#[test]
fn the_arguments_of_macros_are_formatted() {
    no_line(&modules(), "the arguments of a macro without format", |lines, idx| code(lines[idx]).contains(" : "));
    // A chain that is formatted is indented below its receiver.
    let indent = |line: &str| line.len() - line.trim_start().len();
    for File { path, text } in modules() {
        let lines: Vec<&str> = text.lines().collect();
        for (idx, pair) in lines.windows(2).enumerate() {
            let is_chain = pair[1].trim_start().starts_with('.') && !pair[1].trim_start().starts_with("..");
            let begins = pair[0].ends_with(char::is_alphanumeric) && !pair[0].trim_start().starts_with('.');
            assert!(!(is_chain && begins && indent(pair[0]) == indent(pair[1])), "no format at {path}:{}: {}", idx + 2, pair[1]);
        }
    }
}

#[test]
fn durations_are_in_their_greatest_unit() {
    no_line(&modules(), "a duration in a smaller unit than needed", |lines, idx| {
        let number = |start: &str| {
            let (_, rest) = lines[idx].split_once(start)?;
            // A long line continues on the next one.
            let number = if rest.is_empty() { lines[idx + 1] } else { rest };
            number.split([')', ',']).next()?.parse::<i64>().ok()
        };
        let units = [("micros", 1_000), ("millis", 1_000), ("seconds", 60), ("minutes", 60), ("hours", 24)];
        units.iter().any(|(unit, greater)| number(&format!("::statespec::Duration::from_{unit}(")).is_some_and(|it| it % greater == 0))
    });
}

#[test]
fn rows_of_timers_do_not_stutter() {
    no_line(&modules(), "a row that names its state twice", |lines, idx| {
        let variant = lines[idx].strip_suffix(',').filter(|it| it.ends_with("Timeout") && it.chars().all(char::is_alphanumeric));
        variant.and_then(|it| it.strip_suffix("Timeout")).is_some_and(|it| {
            it.len().is_multiple_of(2) && !it.is_empty() && it.is_char_boundary(it.len() / 2) && it[..it.len() / 2] == it[it.len() / 2..]
        })
    });
}

#[test]
fn comments_say_more_than_names() {
    no_line(&modules(), "a comment that only repeats a name", |lines, idx| {
        let words = comment(lines[idx]).map(|it| without_names(it.trim())).unwrap_or_default();
        words == "The field `." || words.starts_with("Every ") && words.ends_with(", in the order of the spec.")
    });
}

#[test]
fn a_function_begins_with_its_imports() {
    no_line(&modules(), "an import behind a statement", |lines, idx| {
        let is_inside = lines[idx].starts_with("use ") && lines[idx].ends_with(';');
        is_inside && !lines[idx - 1].ends_with('{') && !lines[idx - 1].starts_with("use ") && !lines[idx - 1].is_empty()
    });
}

#[test]
fn what_is_known_is_not_planned() {
    no_line(&modules(), "a plan of what is there already", |lines, idx| lines[idx] == "let planned = Ok(change);");
}

#[test]
fn long_functions_are_not_inlined() {
    no_line(&modules(), "a long function with `#[inline]`", |lines, idx| {
        let begins = lines[idx].starts_with("fn decide") || lines[idx].starts_with("fn direct_step");
        let inline = lines[..idx].iter().rev().take_while(|it| !it.is_empty()).any(|it| *it == "#[inline]");
        let n_arms = lines[idx..].iter().take_while(|it| !it.is_empty()).filter(|it| it.contains("=>")).count();
        begins && inline && n_arms > 20
    });
}

#[test]
fn names_in_comments_are_code() {
    no_line(&modules(), "a name with escapes", |lines, idx| {
        let words = comment(lines[idx]).map(without_names).unwrap_or_default();
        let is_name = |(place, _): (usize, &str)| {
            let around = [words[..place].chars().next_back(), words[place + 2..].chars().next()];
            around.iter().all(|it| it.is_some_and(char::is_alphanumeric))
        };
        words.match_indices(r"\_").any(is_name)
    });
}

#[test]
fn a_conformance_case_is_one_line() {
    let files = files(&["generated/conformance"], |name| name != "mod.rs");
    no_line(&files, "a case on several lines", |lines, idx| {
        let line = lines[idx];
        ["Event(", "Elapsed(", "Direct("].iter().any(|it| line.starts_with(it)) && !line.ends_with("),")
    });
    let n_lines: usize = files.iter().map(|it| it.text.lines().count()).sum();
    let n_cases: usize = files.iter().map(|it| it.text.matches(".to(").count() + it.text.matches(".refused()").count()).sum();
    assert!(n_cases > 600 && n_lines < 4 * n_cases, "{n_lines} lines for {n_cases} cases");
}
