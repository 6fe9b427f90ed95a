//! `scan --confirm`: what a person knows of sources goes into `statespec.toml`, whose comments stay.

use std::io::{BufRead as _, IsTerminal as _, stdin};

use statespec_codegen::project::Project;
use statespec_codegen::report::{Report, Status};
use statespec_rust::root::{FILE, Root};
use statespec_scan::compare::{Fact, Said, Statement, is_same_fact};
use statespec_scan::{Confirmed, Group};
use toml_edit::{Array, ArrayOfTables, DocumentMut, Formatted, Item, Table, Value, value};

use crate::scan::{Scanned, confirmed, count};
use crate::settings::{document, write};

/// What a person confirms.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Answer {
    /// These sources are one.
    Same(Vec<String>),
    /// These are not.
    Different(Vec<String>),
    /// This one leaves something out on purpose.
    Excerpt(String),
    /// This difference is meant: the source, what it lacks, and the reason.
    Meant(String, Fact, String, String),
}

/// Confirms what the words say; or asks for each candidate, on a terminal or line by line.
pub(crate) fn run(project: &Project, scanned: &Scanned, words: &[String]) -> Result<Report, Report> {
    let answers = match words {
        [] => return ask(project, scanned),
        [how, names @ ..] => named(scanned, how, names)?,
    };
    record(&project.root, &answers)?;
    Ok(Report::clean(format!("recorded in {FILE}; `check` compares what is confirmed as one\n")))
}

/// The answers of a command line.
fn named(scanned: &Scanned, how: &str, words: &[String]) -> Result<Vec<Answer>, Report> {
    let usage = "write `same A B…`, `different A B…`, `excerpt A [OF]` or `meant A FACT REASON`";
    match (how, words) {
        ("same", [_, _, ..]) => Ok(vec![Answer::Same(places(scanned, words)?)]),
        ("different", [_, _, ..]) => Ok(vec![Answer::Different(places(scanned, words)?)]),
        ("excerpt", [_] | [_, _]) => {
            let places = places(scanned, words)?;
            let excerpt = Answer::Excerpt(places[0].clone());
            Ok(if places.len() > 1 { vec![Answer::Same(places), excerpt] } else { vec![excerpt] })
        }
        ("meant", [source, fact, reason]) => {
            let place = place(scanned, source)?;
            let (fact, words) = fact_of(fact);
            let lacks = |(kind, line): &(Fact, statespec_scan::compare::Line), heads: &[(String, statespec_codegen::source::Span)]| {
                let is_it = *kind == fact && line.words.iter().any(|it| is_same_fact(it, &words));
                is_it && line.said.iter().zip(heads).any(|(said, head)| *said == Said::No && head.0 == place)
            };
            let is_known = scanned.found.confirmed.iter().any(|it| it.differences.iter().any(|line| lacks(line, &it.comparison.heads)));
            if !is_known {
                let why = format!("`{place}` lacks no {} `{words}` that a source confirmed as the same has", fact.name());
                return Err(Report::of_misuse(&why));
            }
            Ok(vec![Answer::Meant(place, fact, words, reason.clone())])
        }
        _ => Err(Report::of_misuse(usage)),
    }
}

/// The kind of a fact: `paid`, `paid -> closed`, `start draft`, `paid = 2`.
fn fact_of(words: &str) -> (Fact, String) {
    match words.strip_prefix("start ") {
        Some(state) => (Fact::Start, state.trim().to_owned()),
        None if words.contains("->") || words.contains('→') => (Fact::Edge, words.replace('→', "->")),
        None if words.contains('=') => (Fact::Number, words.to_owned()),
        None => (Fact::State, words.strip_prefix("state ").unwrap_or(words).to_owned()),
    }
}

fn places(scanned: &Scanned, names: &[String]) -> Result<Vec<String>, Report> {
    names.iter().map(|it| place(scanned, it)).collect()
}

/// The name of a source in reports.
fn place(scanned: &Scanned, name: &str) -> Result<String, Report> {
    let statements = &scanned.found.statements;
    match Confirmed::default().find(statements, name) {
        Ok(idx) => Ok(statements[idx].place()),
        Err(unfound) => {
            let others = match unfound.others.as_slice() {
                [] => "nothing is read of its file".to_owned(),
                others => format!("there are: {}", others.iter().map(|it| format!("`{it}`")).collect::<Vec<_>>().join(", ")),
            };
            Err(Report::of_misuse(&format!("there is no one source `{name}`; {others}")))
        }
    }
}

/// The lines of a person.
struct Lines {
    is_terminal: bool,
}

impl Lines {
    /// The next line; none at the end of the input.
    fn ask(&self, question: &str) -> Result<Option<String>, Report> {
        if crate::print(question) != Status::Clean {
            return Ok(None);
        }
        let mut line = String::new();
        let n_bytes = stdin().lock().read_line(&mut line).map_err(|it| Report::of_error(&format!("cannot read an answer: {it}")))?;
        if !self.is_terminal {
            // What a person would see of the answer.
            let _ = crate::print(&format!("{}\n", line.trim_end()));
        }
        Ok((n_bytes > 0).then(|| line.trim().to_owned()))
    }
}

/// What can be answered.
const QUESTION: &str = "(s)ame, (d)ifferent, (e)xcerpt LETTER, Enter for later, (q)uit; with letters for some of them: same a c\n> ";

/// Asks for each candidate.
fn ask(project: &Project, scanned: &Scanned) -> Result<Report, Report> {
    let found = &scanned.found;
    let lines = Lines { is_terminal: stdin().is_terminal() };
    let n_groups = found.candidates.len();
    let mut n_recorded = 0;
    let mut confirmed = confirmed(project);
    'groups: for (idx, group) in found.candidates.iter().enumerate() {
        let shown = format!("\n{} of {n_groups}: {}", idx + 1, found.candidate(group, &scanned.sources));
        if crate::print(&shown) != Status::Clean {
            return Err(Report::stopped(""));
        }
        loop {
            let Some(line) = lines.ask(QUESTION)? else { break 'groups };
            if ["q", "quit"].contains(&line.as_str()) {
                break 'groups;
            }
            if line.is_empty() {
                break;
            }
            match answers(group, &found.statements, &line) {
                Ok(mut given) => {
                    given.extend(differences(&found.statements, &mut confirmed, &given, &lines)?);
                    record(&project.root, &given)?;
                    n_recorded += 1;
                    break;
                }
                Err(why) => _ = crate::print(&format!("{why}\n")),
            }
        }
    }
    Ok(Report::clean(format!("recorded {} in {FILE}; `check` compares what is confirmed as one\n", count(n_recorded, "answer"))))
}

/// The answers of a line about a group.
fn answers(group: &Group, statements: &[Statement], line: &str) -> Result<Vec<Answer>, String> {
    let mut words = line.split_whitespace();
    let how = words.next().unwrap_or_default();
    let letters: Vec<&str> = words.collect();
    let position = |letter: &&str| {
        let found = (0..group.members.len()).find(|idx| statespec_scan::letter(*idx) == **letter);
        found.map(|it| statements[group.members[it]].place()).ok_or_else(|| format!("there is no source `{letter}` in this group"))
    };
    let named: Vec<String> = letters.iter().map(position).collect::<Result<_, _>>()?;
    let all = || group.members.iter().map(|it| statements[*it].place()).collect::<Vec<String>>();
    let some = |named: Vec<String>| match named.len() {
        0 => Ok(all()),
        1 => Err("name two sources at least".to_owned()),
        _ => Ok(named),
    };
    match how {
        "s" | "same" => Ok(vec![Answer::Same(some(named)?)]),
        "d" | "different" => Ok(vec![Answer::Different(some(named)?)]),
        "e" | "excerpt" if !named.is_empty() => {
            Ok(std::iter::once(Answer::Same(all())).chain(named.into_iter().map(Answer::Excerpt)).collect())
        }
        _ => Err("write one of the words, and the letters of sources behind it".to_owned()),
    }
}

/// The differences of sources that are one now, those that are meant.
fn differences(statements: &[Statement], confirmed: &mut Confirmed, given: &[Answer], lines: &Lines) -> Result<Vec<Answer>, Report> {
    let mut named: Vec<String> = Vec::new();
    for answer in given {
        match answer {
            Answer::Same(names) => {
                named.extend(names.iter().cloned());
                confirmed.same.push(names.clone());
            }
            Answer::Excerpt(name) => confirmed.excerpts.push(name.clone()),
            Answer::Different(_) | Answer::Meant(..) => {}
        }
    }
    let mut meant = Vec::new();
    let is_about = |members: &[usize]| members.iter().any(|it| named.contains(&statements[*it].place()));
    for group in confirmed.enforce(statements).0.into_iter().filter(|it| is_about(&it.members)) {
        for (fact, line) in &group.differences {
            for (said, (name, _)) in line.said.iter().zip(&group.comparison.heads) {
                if *said != Said::No {
                    continue;
                }
                let lacks = match fact {
                    Fact::Number => "has another number than".to_owned(),
                    Fact::Start | Fact::State | Fact::Edge => format!("lacks the {}", fact.name()),
                };
                let question = format!("{name} {lacks} `{}`: meant, because (Enter: a difference to mend)\n> ", line.fact);
                let Some(reason) = lines.ask(&question)? else { return Ok(meant) };
                if !reason.is_empty() {
                    meant.push(Answer::Meant(name.clone(), *fact, line.fact.replace('→', "->"), reason));
                }
            }
        }
    }
    Ok(meant)
}

/// Adds answers to the configuration.
fn record(root: &Root, answers: &[Answer]) -> Result<(), Report> {
    let (mut document, before) = document(root)?;
    for answer in answers {
        add(&mut document, answer).map_err(|it| Report::of_error(&it))?;
    }
    write(root, &document, before)
}

fn add(document: &mut DocumentMut, answer: &Answer) -> Result<(), String> {
    let scan = document.entry("scan").or_insert(Item::Table(Table::new()));
    let scan = scan.as_table_mut().ok_or("write `scan` as a table, `[scan]`")?;
    match answer {
        Answer::Same(names) => {
            if scan.get("different").is_some_and(|it| lists(it).iter().any(|list| names.iter().filter(|it| list.contains(it)).count() > 1))
            {
                return Err("two of these are confirmed as different: remove that from `different` first".to_owned());
            }
            let same = array(scan, "same")?;
            // A list with one of them is the list of all.
            let known = same.iter_mut().filter_map(Value::as_array_mut).find(|it| it.iter().any(|it| is_one_of(it, names)));
            match known {
                Some(list) => {
                    let missing: Vec<&String> = names.iter().filter(|it| !list.iter().any(|known| known.as_str() == Some(it))).collect();
                    missing.into_iter().for_each(|it| list.push(it.as_str()));
                }
                None => push(same, Value::Array(names.iter().map(String::as_str).collect())),
            }
        }
        Answer::Different(names) => push(array(scan, "different")?, Value::Array(names.iter().map(String::as_str).collect())),
        Answer::Excerpt(name) => {
            let excerpts = array(scan, "excerpts")?;
            if !excerpts.iter().any(|it| it.as_str() == Some(name)) {
                push(excerpts, Value::String(Formatted::new(name.clone())));
            }
        }
        Answer::Meant(source, fact, words, reason) => {
            let list = scan.entry("meant").or_insert(Item::ArrayOfTables(ArrayOfTables::new()));
            let list = list.as_array_of_tables_mut().ok_or("write `meant` as `[[scan.meant]]`")?;
            let mut table = Table::new();
            table["source"] = value(source.as_str());
            table[fact.name()] = value(words.as_str());
            table["reason"] = value(reason.as_str());
            list.push(table);
        }
    }
    Ok(())
}

fn is_one_of(value: &Value, names: &[String]) -> bool {
    value.as_str().is_some_and(|it| names.iter().any(|name| name == it))
}

/// The lists of names of a key.
fn lists(item: &Item) -> Vec<Vec<String>> {
    let names =
        |it: &Value| -> Vec<String> { it.as_array().into_iter().flatten().filter_map(|it| it.as_str().map(str::to_owned)).collect() };
    item.as_array().into_iter().flatten().map(names).collect()
}

/// The array of a key. A text alone stands for a list of one.
fn array<'t>(table: &'t mut Table, key: &str) -> Result<&'t mut Array, String> {
    let item = table.entry(key).or_insert(value(Array::new()));
    if let Some(text) = item.as_str().map(str::to_owned) {
        *item = value(Array::from_iter([text]));
    }
    item.as_array_mut().ok_or_else(|| format!("write `{key}` as a list"))
}

/// Adds a value to an array, on a line of its own.
fn push(array: &mut Array, mut value: Value) {
    value.decor_mut().set_prefix("\n    ");
    array.push_formatted(value);
    array.set_trailing("\n");
    array.set_trailing_comma(true);
}
