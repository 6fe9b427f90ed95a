//! The forms of regions in source files: each as a text, and as what the compiler or interpreter of its language makes of it.
//!
//! Go, Kotlin, C#, GraphQL, Protocol Buffers and PostgreSQL are compared as texts only.

use std::fmt::Write as _;
use std::fs;
use std::process::Command;

use serde_json::{Map, Value, json};
use statespec_codegen::backend::Configured as _;
use statespec_codegen::backend::code::own::{OwnForm, Settings};
use statespec_codegen::backend::code::schema::{Components, Schemas};
use statespec_codegen::backend::code::{self, Form, Kind, Objection, forms};
use statespec_codegen::config;
use statespec_codegen::diagnostic::{Diagnostics, Style, render};
use statespec_codegen::model::Model;
use statespec_codegen::registry::BACKENDS;
use statespec_codegen::source::{Input, Sources};

use crate::project::{checks, emit_by, model, read};

/// Names and labels with everything that a language may trip over.
fn awkward() -> (Sources, Model) {
    let text = read("codegen/tests/fixtures/forms/awkward.yaml").unwrap();
    model(&[Input { path: "machines/awkward.yaml".into(), text }])
}

fn parsed(text: &str) -> Model {
    model(&[Input { path: "machines/m.yaml".into(), text: text.into() }]).1
}

/// The text that a marker asks for, with all the columns of its language.
fn fill(words: &str, model: &Model) -> Result<String, Objection> {
    let request = code::request(words, model, &[])?;
    Ok(request.render(request.columns())?.text.into_owned())
}

#[track_caller]
fn filled(words: &str, model: &Model) -> String {
    fill(words, model).unwrap_or_else(|it| panic!("{words}: {it:?}"))
}

/// The subjects of the fixture of one kind.
fn subjects(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::States => &["awkward.states"],
        Kind::Events => &["awkward.events"],
        Kind::Values => &["awkward.enums.channel", "awkward.enums.flag"],
        Kind::Labels => &["awkward.labels"],
        Kind::Edges => &["awkward.edges"],
    }
}

/// The markers of all subjects that a form can show.
fn markers(form: &Form) -> impl Iterator<Item = String> + '_ {
    form.kinds.iter().flat_map(|it| subjects(*it)).map(|it| format!("{it} {}", form.name))
}

fn form(name: &str) -> &'static Form {
    forms().find(|it| it.name == name).unwrap()
}

/// All that a form makes of the fixture, without objections.
fn all(name: &str, model: &Model) -> String {
    markers(form(name)).map(|it| filled(&it, model)).collect::<Vec<_>>().join("\n")
}

#[test]
fn each_form_as_text() {
    let (_, model) = awkward();
    for form in forms() {
        let mut text = String::new();
        for words in markers(form) {
            match fill(&words, &model) {
                Ok(filled) => writeln!(text, "== {words}\n{filled}").unwrap(),
                Err(it) => writeln!(text, "== {words}\nobjection: {}\nhelp: {}\n", it.message, it.help).unwrap(),
            }
        }
        insta::assert_snapshot!(form.name, text);
    }
}

/// What the code of the fixture has to come to: the wire names of each subject, the labels, and the edges.
fn expected(model: &Model) -> Value {
    let machine = &model.machines[0];
    let leaves: Vec<_> = machine.leaves().map(|id| machine.state(id)).collect();
    let states: Vec<&str> = leaves.iter().map(|it| it.wire.as_str()).collect();
    let events: Vec<&str> = machine.events.iter().map(|it| it.name.as_str()).collect();
    let values = |idx: usize| machine.enums[idx].values.iter().map(|it| it.wire.as_str()).collect::<Vec<_>>();
    let label = |it: &statespec_codegen::model::machine::State| it.label.as_ref().unwrap_or(&it.name).clone();
    let labels: Map<String, Value> = leaves.iter().map(|it| (it.wire.clone(), json!(label(it)))).collect();
    let mut edges: Map<String, Value> = states.iter().map(|it| ((*it).to_owned(), json!([]))).collect();
    for (from, id) in machine.leaves().map(|id| (&machine.state(id).wire, id)) {
        // In the order of the states, each once.
        let leads_to = |to| machine.edges.iter().any(|it| it.from == Some(id) && machine.targets(it).contains(&to));
        edges[from] = machine.leaves().filter(|to| leads_to(*to)).map(|to| json!(machine.state(to).wire)).collect();
    }
    json!({ "states": states, "events": events, "channel": values(0), "flag": values(1), "labels": labels, "edges": edges })
}

/// What a program has printed: a subject in each line, and its texts in hexadecimal.
fn printed(stdout: &[u8]) -> Value {
    let text = |hex: &str| {
        let bytes = (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap());
        String::from_utf8(bytes.collect()).unwrap()
    };
    let mut printed = json!({ "states": [], "events": [], "channel": [], "flag": [], "labels": {}, "edges": {} });
    for line in std::str::from_utf8(stdout).unwrap().lines() {
        let mut words = line.split(' ');
        let subject = words.next().unwrap();
        let first = text(words.next().unwrap());
        let mut others = words.map(text);
        match subject {
            "labels" => printed[subject][first] = json!(others.next().unwrap()),
            "edges" => printed[subject][first] = others.map(Value::from).collect(),
            _ => printed[subject].as_array_mut().unwrap().push(json!(first)),
        }
    }
    printed
}

/// Runs a program that has to succeed.
#[track_caller]
fn run(command: &mut Command) -> Vec<u8> {
    let done = command.output().unwrap();
    let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(done.status.success(), "{command:?}\n{}\n{}", said(&done.stdout), said(&done.stderr));
    done.stdout
}

/// Whether a tool is there, which a test needs.
fn has(tool: &str) -> bool {
    let found = Command::new(tool).arg("--version").output().is_ok_and(|it| it.status.success());
    let missing = || checks::Missing::new(format!("there is no `{tool}`"), "install it");
    checks::needed("forms in the languages that they are written in", found.then_some(()).ok_or_else(missing)).is_some()
}

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    files.iter().for_each(|(path, text)| fs::write(folder.path().join(path), text).unwrap());
    folder
}

#[test]
fn typescript_compiles_and_has_the_values() {
    let packages = checks::packages("cli/tests/typescript");
    let Some(home) = checks::needed("forms of TypeScript in the real compiler", packages) else { return };
    let (_, model) = awkward();
    let expected = expected(&model);
    let mut text = all("ts-const", &model);
    for (subject, name, key) in [
        ("states", "AwkwardState", "states"),
        ("events", "AwkwardEvent", "events"),
        ("enums.channel", "AwkwardChannel", "channel"),
        ("enums.flag", "AwkwardFlag", "flag"),
    ] {
        text += &filled(&format!("awkward.{subject} ts-union {name}Union"), &model);
        // The two types are the same, and have these values and no other.
        writeln!(text, "export const {key}: readonly {name}Union[] = Object.values({name});").unwrap();
        writeln!(text, "export const {key}Back: readonly {name}[] = {key};").unwrap();
        writeln!(text, "export const {key}Given: readonly {name}Union[] = {};", expected[key]).unwrap();
        writeln!(text, "// @ts-expect-error\nexport const {key}Other: {name}Union = \"other\";").unwrap();
    }
    let folder = folder(&[
        ("forms.ts", text.as_str()),
        ("package.json", "{ \"type\": \"module\" }\n"),
        (
            "print.mjs",
            "import * as it from './forms.js';\n\
             const { states, events, channel, flag, awkwardStateLabels: labels, awkwardEdges: edges } = it;\n\
             process.stdout.write(JSON.stringify({ states, events, channel, flag, labels, edges }));\n",
        ),
    ]);
    let strict = ["--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess", "--isolatedModules"];
    let options = ["--target", "es2022", "--module", "nodenext", "forms.ts"];
    let script = home.join("node_modules/typescript/lib/tsc.js");
    run(Command::new("node").arg(script).args(strict).args(options).current_dir(folder.path()));
    let said = run(Command::new("node").arg("print.mjs").current_dir(folder.path()));
    assert_eq!(serde_json::from_slice::<Value>(&said).unwrap(), expected);
}

#[test]
fn python_has_the_values() {
    if !has("python3") {
        return;
    }
    let (_, model) = awkward();
    let mut text = "import json\nfrom enum import StrEnum\nfrom typing import Literal, get_args\n\n".to_owned();
    text += &all("py-strenum", &model);
    text += &all("py-dict", &model);
    for (subject, name) in
        [("states", "AwkwardState"), ("events", "AwkwardEvent"), ("enums.channel", "AwkwardChannel"), ("enums.flag", "AwkwardFlag")]
    {
        text += &filled(&format!("awkward.{subject} py-literal {name}Name"), &model);
        writeln!(text, "assert [it.value for it in {name}] == list(get_args({name}Name))").unwrap();
    }
    text += "values = lambda it: [one.value for one in it]\n\
             print(json.dumps(dict(states=values(AwkwardState), events=values(AwkwardEvent), channel=values(AwkwardChannel),\n\
             flag=values(AwkwardFlag), labels=AWKWARD_STATE_LABELS, edges=AWKWARD_EDGES)))\n";
    let folder = folder(&[("forms.py", text.as_str())]);
    let said = run(Command::new("python3").arg("forms.py").current_dir(folder.path()));
    assert_eq!(serde_json::from_slice::<Value>(&said).unwrap(), expected(&model));
}

#[test]
fn java_compiles_and_has_the_values() {
    if !has("javac") || !has("java") {
        return;
    }
    let (_, model) = awkward();
    let main = "
        static String hex(String text) { return HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8)); }
        public static void main(String[] arguments) {
            for (var it : AwkwardState.values()) System.out.println(\"states \" + hex(it.wire));
            for (var it : AwkwardEvent.values()) System.out.println(\"events \" + hex(it.wire));
            for (var it : AwkwardChannel.values()) System.out.println(\"channel \" + hex(it.wire));
            for (var it : AwkwardFlag.values()) System.out.println(\"flag \" + hex(it.wire));
            AWKWARD_STATE_LABELS.forEach((key, it) -> System.out.println(\"labels \" + hex(key) + \" \" + hex(it)));
            AWKWARD_EDGES.forEach((key, all) -> {
                String line = \"edges \" + hex(key);
                for (var it : all) line += \" \" + hex(it);
                System.out.println(line);
            });
        }\n";
    let imports = "import java.nio.charset.StandardCharsets;\nimport java.util.HexFormat;\nimport java.util.List;\nimport java.util.Map;\n";
    let body = format!("{}\n{}", all("java-enum", &model), all("java-map", &model));
    let folder = folder(&[("Forms.java", format!("{imports}\nclass Forms {{\n{body}{main}}}\n").as_str())]);
    run(Command::new("javac").args(["-encoding", "UTF-8", "-Xlint:all", "-Werror", "Forms.java"]).current_dir(folder.path()));
    let said = run(Command::new("java").arg("Forms").current_dir(folder.path()));
    assert_eq!(printed(&said), expected(&model));
}

#[test]
fn rust_compiles_and_has_the_values() {
    let (_, model) = awkward();
    let mut main = String::new();
    for (subject, name) in [("states", "State"), ("events", "Event"), ("channel", "Channel"), ("flag", "Flag")] {
        let marker = if ["states", "events"].contains(&subject) { subject.to_owned() } else { format!("enums.{subject}") };
        let text = filled(&format!("awkward.{marker} rust-enum"), &model);
        let body = text.split_once('{').unwrap().1.split_once('}').unwrap().0.to_owned();
        for variant in body.split(',').map(str::trim).filter(|it| !it.is_empty()) {
            writeln!(main, "    println!(\"{subject} {{}}\", hex(Awkward{name}::{variant}.as_str()));").unwrap();
        }
    }
    main += "    for (key, it) in AWKWARD_STATE_LABELS {\n        println!(\"labels {} {}\", hex(key), hex(it));\n    }\n\
             \x20   for (key, all) in AWKWARD_EDGES {\n        let all: String = all.iter().map(|it| format!(\" {}\", hex(it))).collect();\n\
             \x20       println!(\"edges {}{all}\", hex(key));\n    }\n";
    let hex = "fn hex(text: &str) -> String {\n    text.bytes().map(|it| format!(\"{it:02x}\")).collect()\n}\n";
    let body = format!("{}\n{}", all("rust-enum", &model), all("rust-const", &model));
    let folder = folder(&[("forms.rs", body.as_str()), ("main.rs", &format!("{body}\n{hex}\nfn main() {{\n{main}}}\n"))]);
    let options = ["--edition", "2024", "--deny", "warnings", "--allow", "dead_code", "-o", "forms", "main.rs"];
    run(Command::new("rustc").args(options).current_dir(folder.path()));
    let said = run(&mut Command::new(folder.path().join("forms")));
    assert_eq!(printed(&said), expected(&model));
    if has("rustfmt") {
        run(Command::new("rustfmt").args(["--check", "--edition", "2024", "forms.rs"]).current_dir(folder.path()));
    }
}

#[test]
fn a_check_of_sqlite_accepts_the_values_and_no_other() {
    if !has("sqlite3") {
        return;
    }
    let (_, model) = awkward();
    let expected = expected(&model);
    for (subject, key) in [("states", "states"), ("events", "events"), ("enums.channel", "channel"), ("enums.flag", "flag")] {
        let check = filled(&format!("awkward.{subject} sql-check it"), &model);
        let insert = |text: &str| {
            let hex: String = text.bytes().map(|it| format!("{it:02x}")).collect();
            let script = format!("CREATE TABLE t (it text NOT NULL, {check});\nINSERT INTO t VALUES (CAST(x'{hex}' AS text));\n");
            let done = Command::new("sqlite3").args(["-bail", ":memory:", &script]).output().unwrap();
            (done.status.success(), String::from_utf8_lossy(&done.stderr).into_owned())
        };
        for value in expected[key].as_array().unwrap() {
            let (is_in, said) = insert(value.as_str().unwrap());
            assert!(is_in, "{value}: {said}");
        }
        let (is_in, said) = insert("other");
        assert!(!is_in && said.contains("CHECK constraint failed"), "{said}");
    }
}

#[test]
fn fragments_of_yaml_have_the_values() {
    let (_, model) = awkward();
    let expected = expected(&model);
    for form in ["json-schema", "openapi"] {
        let read: Value = serde_yaml::from_str(&all(form, &model)).unwrap();
        let schema = |key: &str| json!({ "type": "string", "enum": expected[key] });
        let whole = json!({
            "AwkwardState": schema("states"), "AwkwardEvent": schema("events"), "AwkwardChannel": schema("channel"),
            "AwkwardFlag": schema("flag"),
        });
        assert_eq!(read, whole);
    }
}

#[test]
fn whole_files_have_the_values() {
    let (sources, model) = awkward();
    let expected = expected(&model);
    let settings = (Schemas { out: "schemas".into() }, Components { out: "api/states.yaml".into() });
    let generated = emit_by(&[&settings.0, &settings.1], &sources, &model);
    let [openapi, schema] = &generated.files[..] else { panic!("{:?}", generated.files) };
    assert_eq!((openapi.path.as_str(), schema.path.as_str()), ("api/states.yaml", "schemas/awkward.json"));
    insta::assert_snapshot!("awkward.json", schema.text);
    insta::assert_snapshot!("states.yaml", openapi.text);

    let definitions: Value = serde_json::from_str(&schema.text).unwrap();
    let read: Value = serde_yaml::from_str(&openapi.text).unwrap();
    assert_eq!(read["components"]["schemas"], definitions["$defs"]);
    for (name, key) in [("AwkwardState", "states"), ("AwkwardEvent", "events"), ("AwkwardChannel", "channel"), ("AwkwardFlag", "flag")] {
        let mut schema = definitions.clone();
        schema["$ref"] = json!(format!("#/$defs/{name}"));
        let validator = jsonschema::draft202012::new(&schema).unwrap();
        assert!(expected[key].as_array().unwrap().iter().all(|it| validator.is_valid(it)));
        assert!(!validator.is_valid(&json!("other")) && !validator.is_valid(&json!(1)));
    }
    // A line that shows one value points at it.
    let state = &model.machines[0].states.iter().find(|it| it.wire == "in progress").unwrap();
    assert_eq!(schema.blame.find("\"in progress\","), Some(state.span));
    assert_eq!(openapi.blame.find("- \"in progress\""), Some(state.span));
}

#[test]
fn types_with_one_name_are_refused() {
    let text = "machine: order\nenums: { State: [a] }\ncontext: { at: { type: State, default: a } }\n\
                states: { open: { initial: true }, shut: { terminal: true } }\nevents: { push: }\n\
                transitions: [{ from: open, event: push, to: shut }]\n";
    let (sources, model) = model(&[Input { path: "machines/order.yaml".into(), text: text.into() }]);
    let schemas = Schemas { out: "schemas".into() }.unsupported(&model);
    let components = Components { out: "api.yaml".into() }.unsupported(&model);
    insta::assert_snapshot!("collision", render(&sources, &[schemas, components].concat(), Style::Plain));
}

#[test]
fn what_a_marker_cannot_mean_is_said() {
    let model = parsed(
        "machine: order\nenums: { Channel: { values: { aĸ:, aȡ:, shop: { wire: \"a\\\\b\" } } } }\n\
         context: { at: { type: Channel, default: shop } }\nstates: { open: { initial: true }, shut: { terminal: true } }\n\
         events: { push: }\ntransitions: [{ from: open, event: push, to: shut }]\n",
    );
    let mut said = String::new();
    for words in [
        "",
        "ordr.states ts-union",
        "order.state ts-union",
        "order.enums.Chanel ts-union",
        "order.states",
        "order.states ts-unoin",
        "order.states nothing-like-it",
        "order.edges ts-union",
        "order.states py-dict",
        "order.labels graphql",
        "order.states ts-union 1st",
        "order.states ts-union class",
        "order.states ts-union A B",
        "order.enums.Channel kotlin-enum",
        "order.enums.Channel graphql",
        "order.enums.Channel sql-check",
    ] {
        let Err(Objection { message, help, also }) = fill(words, &model) else { panic!("{words} is filled") };
        writeln!(said, "{words}\n  {message}\n  help: {help}\n  also: {}\n", also.map_or_else(|| "-".to_owned(), |it| it.1)).unwrap();
    }
    insta::assert_snapshot!("objections", said);
    // A column may have the name of a keyword; it is in quotes.
    assert_eq!(filled("order.states sql-check order", &model), "CHECK (\"order\" IN ('open', 'shut'))\n");
}

#[test]
fn the_indentation_leaves_less_room() {
    let (_, model) = awkward();
    let request = code::request("awkward.enums.flag ts-union Flag", &model, &[]).unwrap();
    assert_eq!(request.machine().name, "awkward");
    let line = "export type Flag = \"yes_\" | \"no_\" | \"on\" | \"off\" | \"0\";\n";
    assert_eq!(request.render(line.len() - 1).unwrap().text, line);
    let rendered = request.render(line.len() - 2).unwrap();
    assert_eq!(rendered.text, "export type Flag =\n  | \"yes_\"\n  | \"no_\"\n  | \"on\"\n  | \"off\"\n  | \"0\";\n");
    // Each line points at its value.
    let blame = (rendered.blame)();
    assert_eq!(blame.find("| \"on\""), Some(model.machines[0].enums[1].values[2].span));
    assert_eq!(blame.find("export type Flag ="), None);
}

#[test]
fn examples_of_the_docs_compile_where_the_fixture_does() {
    // The machine of the examples has none of the names that a language refuses.
    for form in forms() {
        let (open, close) = form.language.comment;
        let example = code::example(form);
        let lines: Vec<&str> = example.lines().collect();
        assert!(lines[0].starts_with(&format!("{open}statespec:begin order.")), "{example}");
        let last = lines[lines.len() - 1];
        assert!(last.starts_with(&format!("{open}statespec:end ")) && last.ends_with(close), "{example}");
        assert!(example.contains("in_review") || example.contains("IN_REVIEW"), "{example}");
    }
}

#[test]
fn a_form_of_ones_own() {
    let (sources, model) = awkward();
    let own = |text: &'static str| [OwnForm { name: "list", path: "templates/list.jinja", text, specs: &sources }];
    let rendered = |text, words: &str| {
        let own = own(text);
        let request = code::request(words, &model, &own)?;
        request.render(request.columns()).map(|it| it.text.into_owned())
    };
    let text = "{% for it in items %}\n{{ type }} {{ it.name | shouty }} {{ it.wire }}{% if it.targets %} -> {{ it.targets | join(' ') }}{% endif %};\n\
                {% endfor %}\n{{ machine.spec }} {{ subject }}\n\n";
    insta::assert_snapshot!("own", rendered(text, "awkward.edges list").unwrap());
    assert_eq!(rendered("{{ type }}", "awkward.enums.flag list Flags").unwrap(), "Flags\n");
    let objection = rendered("\n{{ typ }}", "awkward.states list").unwrap_err();
    assert!(objection.message.contains("undefined value"), "{objection:?}");
    assert_eq!(objection.help, "the template is templates/list.jinja, line 2");
    assert!(rendered("{% for a in range(100000) %}{% for b in range(100000) %}{% endfor %}{% endfor %}", "awkward.states list").is_err());
}

#[test]
fn the_form_in_the_guide_is_filled_in() {
    let (sources, model) = awkward();
    let page = read("docs/guide/regions-in-code.md").unwrap();
    let text = page.split_once("templates/elixir-list.jinja\"\n```\n\n```text\n").unwrap().1.split_once("```").unwrap().0;
    let own = [OwnForm { name: "elixir-list", path: "templates/elixir-list.jinja", text, specs: &sources }];
    let request = code::request("awkward.enums.flag elixir-list", &model, &own).unwrap();
    assert_eq!(request.render(80).unwrap().text, "@awkward_flag [:yes_, :no_, :on, :off, :0]\n");
    // The first example of the page is what the form makes.
    assert!(page.contains(&format!("```ts\n{}```\n", code::example(form("ts-union")))));
}

#[test]
fn forms_of_the_configuration_are_read() {
    let read = |text: &str| {
        let mut files = Sources::default();
        let id = files.add(config::FILE, text);
        let mut diagnostics = Diagnostics::default();
        let config = config::read(&files, id, BACKENDS, &mut diagnostics);
        config.ok_or_else(|| render(&files, &diagnostics.finish(), Style::Plain))
    };
    let config = read("[[form]]\nname = \"list\"\nfile = \"templates/list.jinja\"\n").unwrap();
    let mut files = Sources::default();
    files.add("templates/list.jinja", "x");
    let specs = Sources::default();
    let own = config.get::<Settings>().unwrap().own(&files, &specs);
    assert_eq!(own.iter().map(|it| (it.name, it.path, it.text)).collect::<Vec<_>>(), [("list", "templates/list.jinja", "x")]);
    let twice = "[[form]]\nname = \"a b\"\nfile = \"a\"\n[[form]]\nname = \"ts-union\"\nfile = \"a\"\n[[form]]\nname = \"c\"\n\
                 file = \"a\"\n[[form]]\nname = \"c\"\nfile = \"a\"\n[openapi]\nout = \"api/states.json\"\n";
    insta::assert_snapshot!("configuration", read(twice).unwrap_err());
}
