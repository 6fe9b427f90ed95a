//! The example of one machine in three languages: its programs answer alike, and a new state is noticed everywhere.
//!
//! The outputs are those of `docs/guide/three-languages.md`; `UPDATE_PAGE=1` writes them into the page.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use crate::checks;
use crate::support::Project;

const PAGE: &str = "docs/guide/three-languages.md";
const FILES: [&str; 9] = [
    "machines/order.yaml",
    "page/package.json",
    "page/page.ts",
    "page/tsconfig.json",
    "service/Cargo.toml",
    "service/src/main.rs",
    "statespec.toml",
    "worker/worker.py",
    ".gitignore",
];

/// The example in a folder of its own, with the tools of its languages.
struct Example {
    project: Project,
    packages: PathBuf,
    mypy: PathBuf,
}

impl Example {
    fn new(packages: PathBuf, mypy: PathBuf) -> Example {
        let project = Project::empty();
        for it in FILES {
            let text = fs::read_to_string(checks::root().join("examples/languages").join(it)).unwrap().replace("\r\n", "\n");
            let ours = format!("path = {:?}", checks::root().canonicalize().unwrap());
            project.put(it, &text.replace("path = \"../../..\"", &ours));
        }
        // The versions that this repository is tested with.
        fs::copy(checks::root().join("Cargo.lock"), project.path().join("service/Cargo.lock")).unwrap();
        Example { project, packages, mypy }
    }

    /// What the compiler says of the page.
    fn compiled(&self) -> Output {
        let compiler = self.packages.join("node_modules/typescript/bin/tsc");
        let types = self.packages.join("node_modules/@types");
        let project = self.project.path().join("page");
        Command::new("node")
            .arg(compiler)
            .arg("--project")
            .arg(&project)
            .arg("--typeRoots")
            .arg(types)
            .current_dir(project)
            .output()
            .unwrap()
    }

    /// What the type checker says of the worker.
    fn checked(&self) -> Output {
        let mut command = Command::new(&self.mypy);
        command.args(["--strict", "--python-version", "3.11", "--cache-dir"]).arg(checks::mypy_cache());
        command.arg("worker.py").current_dir(self.project.path().join("worker")).output().unwrap()
    }

    /// The answers of the program of a folder to some lines.
    fn answers(&self, folder: &str, lines: &[String]) -> Vec<String> {
        let path = |it: &str| self.project.path().join(it);
        let mut command = match folder {
            "page" => Command::new("node"),
            "worker" => Command::new(self.mypy.with_file_name("python")),
            _ => crate::nested::cargo(&path("service")),
        };
        match folder {
            "page" => command.arg(path("page/out/page.js")),
            "worker" => command.arg("-B").arg(path("worker/worker.py")),
            _ => command.args(["run", "--quiet"]),
        };
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(lines.concat().as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{folder}: {}", said(&output));
        String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
    }
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr)).replace("\r\n", "\n")
}

fn request(order: &str, event: &str) -> String {
    format!("{{\"order\":{order},\"event\":{event}}}\n")
}

/// The order in an answer, which is `{"order":…}`.
fn order(answer: &str) -> &str {
    answer.strip_prefix("{\"order\":").and_then(|it| it.strip_suffix('}')).unwrap_or_else(|| panic!("no order: {answer}"))
}

/// A block of the page is as it is computed.
fn holds(name: &str, computed: &str) {
    let path = checks::root().join(PAGE);
    let page = fs::read_to_string(&path).unwrap().replace("\r\n", "\n");
    let (begin, end) = (format!("<!-- example:begin {name} -->\n\n```text\n"), "```\n\n<!-- example:end -->\n");
    let (before, rest) = page.split_once(&begin).unwrap_or_else(|| panic!("{PAGE} has no block `{name}`"));
    let (block, after) = rest.split_once(end).unwrap_or_else(|| panic!("the block `{name}` of {PAGE} has no end"));
    if std::env::var_os("UPDATE_PAGE").is_some() {
        fs::write(path, format!("{before}{begin}{computed}{end}{after}")).unwrap();
    } else {
        assert_eq!(block, computed, "UPDATE_PAGE=1 mends {PAGE}");
    }
}

#[test]
fn programs_in_three_languages_answer_alike_and_a_new_state_is_noticed() {
    if !checks::in_full("the example in three languages", "it builds much") {
        return;
    }
    let Some(packages) = checks::needed("the example in three languages", checks::packages("tests/node")) else { return };
    let Some(mypy) = checks::needed("the example in three languages", checks::mypy()) else { return };
    let it = Example::new(packages, mypy);
    let generated = it.project.statespec(&["gen"]);
    assert_eq!(generated.code, Some(0), "{}", generated.stderr);
    for output in [it.compiled(), it.checked()] {
        assert!(output.status.success(), "{}", said(&output));
    }

    // The order goes from one to the other; each program starts once for its own step and once for the refusals.
    let cart = "{\"state\":\"cart\",\"context\":{\"payment_window\":0,\"extended\":false}}";
    let mut shown = String::new();
    let placed = it.answers("service", &[request(cart, "{\"place\":{\"window\":86400000000}}")]).remove(0);
    let extended = it.answers("page", &[request(order(&placed), "\"extend\"")]).remove(0);
    let paid = it.answers("worker", &[request(order(&extended), "\"pay\"")]).remove(0);
    for (folder, event, answer) in [("service", "place", &placed), ("page", "extend", &extended), ("worker", "pay", &paid)] {
        shown.push_str(&format!("{folder:8} {event:7} {answer}\n"));
    }
    let refused = [request(order(&extended), "\"extend\""), request(order(&paid), "\"cancel\"")];
    let answers = ["service", "page", "worker"].map(|folder| (folder, it.answers(folder, &refused)));
    for (number, event) in ["extend", "cancel"].into_iter().enumerate() {
        for (folder, found) in &answers {
            assert_eq!(found[number], answers[0].1[number], "{folder}");
            shown.push_str(&format!("{folder:8} {event:7} {}\n", found[number]));
        }
    }
    holds("answers", &shown);

    // A new state, and how an order comes there.
    let spec = |old: &str, new: &str| it.project.edit("machines/order.yaml", old, &format!("{new}{old}"));
    spec("  late: {", "  refunded: { terminal: true, doc: The customer has the money back. }\n");
    spec("effects:\n", "  refund: { by: shop, doc: The shop returns the money. }\n");
    spec("  - { from: paid, after: 1d", "  - { from: paid, event: refund, to: refunded }\n");
    let checked = it.project.statespec(&["check"]);
    assert_eq!(checked.code, Some(100));
    // Each line of the spec is a finding; the diffs are in the first.
    let last = checked.stderr.rfind("error[drift::stale]").unwrap();
    holds("stale", &checked.stderr[last..]);

    // Programs that were built before meet an order in the new state.
    let refunded = "{\"state\":\"refunded\",\"context\":{\"payment_window\":0,\"extended\":false}}";
    let old = ["page", "worker"].map(|folder| format!("{folder:8} {}\n", it.answers(folder, &[request(refunded, "\"pay\"")]).concat()));
    holds("old", &old.concat());

    // The type checkers name what the new state was forgotten in.
    assert_eq!(it.project.statespec(&["gen"]).code, Some(0));
    let forgotten = [it.compiled(), it.checked()].map(|output| {
        assert!(!output.status.success());
        let said = said(&output);
        said.lines().filter(|it| it.contains("error")).map(|it| format!("{it}\n")).collect::<String>()
    });
    holds("forgotten", &forgotten.concat());
}
