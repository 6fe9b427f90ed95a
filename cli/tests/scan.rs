//! `scan`: the machines of a repository, as the guide shows it.

use crate::support::Project;

/// A fenced block of the guide, by the language after the fence; a block of four backticks contains one of three.
pub(crate) fn guide(language: &str, position: usize) -> String {
    let page = include_str!("../../docs/guide/scan.md").replace("\r\n", "\n");
    let fence = if language == "markdown" { "````" } else { "```" };
    let start = format!("\n{fence}{language}\n");
    let found = page.match_indices(&start).nth(position);
    let begin = found.unwrap_or_else(|| panic!("the guide has no block {position} of {language}")).0 + start.len();
    let end = page[begin..].find(&format!("\n{fence}\n")).unwrap() + begin + 1;
    page[begin..end].to_owned()
}

const CODE: &str = "credit.rs#credit_line_status";
const PAGE: &str = "overview.md#credit_line";

fn project() -> Project {
    let project = Project::empty();
    project.put("overview.md", &guide("markdown", 0));
    project.put("credit.rs", &guide("rust", 0));
    project
}

/// Runs a command, and asserts its exit code and a part of what it prints.
fn told(project: &Project, args: &[&str], code: i32, text: &str) -> String {
    let run = project.statespec(args);
    let shown = run.stdout.clone() + &run.stderr;
    assert!(run.code == Some(code) && shown.contains(text), "{args:?}: {:?} {shown}", run.code);
    shown
}

#[test]
fn the_guide_shows_what_the_commands_print() {
    let project = project();
    let run = project.statespec(&["scan"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), guide("text", 0).as_str()), "{}", run.stderr);
    told(&project, &["scan", "--confirm", "same", CODE, PAGE], 0, "recorded in statespec.toml");
    assert_eq!(project.get("statespec.toml"), format!("[scan]\nsame = [\n    [\"{CODE}\", \"{PAGE}\"],\n]\n"));
    told(&project, &["check"], 100, &guide("text", 1));
    told(&project, &["scan"], 0, "0 candidate groups, 1 confirmed group, 0 alone");
}

/// Every way to confirm, without a spec and with comments that stay.
#[test]
fn what_is_confirmed_is_compared() {
    let project = project();
    project.put("statespec.toml", "# Ours.\n[scan]\nignore = [\"old\"] # gone soon\n");
    told(&project, &["check"], 0, "checked 0 outputs");
    told(
        &project,
        &["scan", "--confirm", "same", CODE, "overview.md#credit"],
        2,
        "there is no one source `overview.md#credit`; there are: `overview.md#credit_line`",
    );
    told(&project, &["scan", "--confirm", "same", CODE], 2, "write `same A B…`");
    told(&project, &["scan", "--confirm", "excerpt", CODE, PAGE], 0, "recorded");
    told(&project, &["check"], 0, "compared 2 sources in 1 confirmed group: all agree");
    let written = project.get("statespec.toml");
    assert!(written.starts_with("# Ours.\n[scan]\nignore = [\"old\"] # gone soon\n"), "{written}");
    project.edit("statespec.toml", &format!("excerpts = [\n    \"{CODE}\",\n]\n"), "");
    told(&project, &["check"], 100, "the edge `Suspended → Active` is missing in credit.rs#credit_line_status");
    told(&project, &["scan", "--confirm", "meant", CODE, "Active -> Closed", "why"], 2, "lacks no edge `Active -> Closed`");
    told(&project, &["scan", "--confirm", "meant", CODE, "suspended -> active", "Resumed by hand."], 0, "recorded");
    told(&project, &["check"], 0, "all agree");
    // A planted change, and one that makes the meant difference needless.
    let code = project.get("credit.rs");
    project.edit("credit.rs", "CreditLineStatus::Suspended | CreditLineStatus::Closed", "CreditLineStatus::Suspended");
    for (format, text) in [
        ("text", "the edge `Active → Closed` is missing"),
        ("github", "::error file=overview.md,line=8"),
        ("sarif", "compare::edge"),
        ("json", "\"compare::edge\""),
    ] {
        told(&project, &["check", "--format", format], 100, text);
    }
    told(&project, &["check", "credit.rs"], 100, "compare::edge");
    project.put("README.md", "# Ours\n");
    told(&project, &["check", "statespec.toml"], 100, "compare::edge");
    project.put("credit.rs", &code);
    project.edit("overview.md", "  Suspended --> Active : resume\n", "");
    told(&project, &["check"], 0, "warning[compare::meant]");
}

#[test]
fn a_source_that_is_gone_is_a_finding_at_its_name() {
    let project = project();
    told(&project, &["scan", "--confirm", "same", CODE, PAGE], 0, "recorded");
    project.edit("overview.md", "# Credit line", "# Loan");
    told(&project, &["check"], 100, "there is no source `overview.md#credit_line` any more; the file has `overview.md#loan`");
    project.put("overview.md", "# Credit line\n");
    told(&project, &["check"], 100, "nothing is read of `overview.md` any more");
    std::fs::remove_file(project.path().join("overview.md")).unwrap();
    told(&project, &["check"], 100, "there is no file `overview.md` any more");
    told(&project, &["check", "--format", "github"], 100, "::error file=statespec.toml,line=3");
}

/// Two sources of one name in one file have names of their own, and a name that fits both is a finding.
#[test]
fn sources_of_one_name_are_told_apart() {
    let project = Project::empty();
    let (first, second) =
        ("export type JobStatus = 'open' | 'done' | 'gone'\n", "export const JobStatus = { open: 'open', done: 'done' } as const\n");
    project.put("job.ts", first);
    project.put("job.py", "class JobStatus(Enum):\n    OPEN = 'open'\n    DONE = 'done'\n    LOST = 'lost'\n");
    told(&project, &["scan", "--confirm", "same", "job.ts#job_status", "job.py#job_status"], 0, "recorded");
    project.put("job.ts", &format!("{first}{second}"));
    let several = "`job.ts` has several sources that `job.ts#job_status` can mean: `job.ts#job_status.code`, `job.ts#job_status.code.2`";
    told(&project, &["check"], 100, several);
    told(&project, &["scan"], 0, "job.ts:2:14 `job_status.code.2`, code");
    project.put("statespec.toml", "[scan]\nsame = [[\"job.ts#job_status.code\", \"job.py#job_status\"]]\n");
    told(&project, &["check"], 100, "compared 2 sources in 1 confirmed group: 2 differences");
    // The other one goes: the name still means the first one.
    project.put("job.ts", &format!("// Jobs.\n\n{first}"));
    told(&project, &["check"], 100, "compared 2 sources in 1 confirmed group: 2 differences");
}

/// Answers line by line, as on a terminal.
#[test]
fn the_command_asks_about_each_group() {
    let project = project();
    let answer = |lines: &str| {
        let run = project.statespec_with_input(&["scan", "--confirm"], lines);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        run.stdout
    };
    assert!(answer("").ends_with("recorded 0 answers in statespec.toml; `check` compares what is confirmed as one\n"));
    assert!(answer("same z\nsame a\nwhat\n\n").contains("there is no source `z` in this group"));
    let shown = answer("s\nResumed by hand.\n");
    assert!(
        shown.contains("1 of 1: score 87") && shown.contains(&format!("{CODE} lacks the edge `Suspended → Active`: meant, because")),
        "{shown}"
    );
    told(&project, &["check"], 0, "all agree");
    assert!(project.get("statespec.toml").ends_with(
        "[[scan.meant]]\nsource = \"credit.rs#credit_line_status\"\nedge = \"Suspended -> Active\"\nreason = \"Resumed by hand.\"\n"
    ));
    project.put("statespec.toml", "");
    answer("d\n");
    told(&project, &["scan"], 0, "0 candidate groups, 0 confirmed groups, 2 alone");
    told(&project, &["scan", "--confirm", "same", CODE, PAGE], 1, "two of these are confirmed as different");
}

#[test]
fn places_and_configuration_limit_the_scan() {
    let project = project();
    let told = |args: &[&str], code: i32, text: &str| told(&project, args, code, text);
    told(&["scan", "overview.md"], 0, "1 source in 1 file");
    told(&["scan", "gone"], 2, "`gone` is no file or folder of the project");
    told(&["scan", "--write"], 2, "<--source <TABLE>|--guard>");
    project.put("statespec.toml", "[scan]\nignore = \"overview.md\"\n");
    told(&["scan"], 0, "1 source in 2 files");
    project.put("statespec.toml", &guide("toml", 0));
    told(&["check"], 100, "there is no file `docs/ticket.md` any more");
    project.put("statespec.toml", "[scan]\nexcerpt = \"x\"\n");
    told(&["scan"], 1, "did you mean `excerpts`?");
    for (text, message) in [
        ("[[scan.meant]]\nsource = \"a#b\"\nreason = \"c\"\n", "a difference is one `state`, one `edge`, one `start` or one `number`"),
        ("[[source]]\nfile = \"a\"\n", "a source has either a `kind` or a `pattern`"),
        (
            "[[source]]\nfile = \"a\"\nkind = \"list\"\nsymbol = \"b\"\nheading = \"c\"\n",
            "a source has one of `heading`, `symbol` and `between`",
        ),
        ("[[source]]\nfile = \"a\"\nkind = \"list\"\nbetween = [\"b\"]\n", "`between` has two texts"),
    ] {
        project.put("statespec.toml", text);
        told(&["check"], 1, message);
    }
}

/// `--all` shows all groups; a repository needs no project for it.
#[test]
fn all_groups_are_shown_without_a_project() {
    let project = project();
    for args in [&["scan", "--all"][..], &["scan", "--all", "."], &["--all", "scan"]] {
        told(&project, args, 0, "≠ Suspended → Active");
    }
    for idx in 0..25 {
        project.put(&format!("m{idx}/job{idx}.ts"), &format!("export type Kind{idx}qStatus = 'a{idx}' | 'b{idx}' | 'c{idx}'\n"));
        project.put(
            &format!("m{idx}/job{idx}.py"),
            &format!("class Kind{idx}qStatus(Enum):\n    A{idx} = 'a{idx}'\n    B{idx} = 'b{idx}'\n    C{idx} = 'c{idx}'\n"),
        );
    }
    told(&project, &["scan"], 0, "6 more with lower scores: `--all` shows them");
    assert!(told(&project, &["scan", "--all"], 0, "\n26. score").contains("26 candidate groups"));
}

#[test]
fn programs_get_all_groups_and_the_sources_that_stand_alone() {
    let project = project();
    project.put("door.ts", "export type DoorStatus = 'wide' | 'shut'\n");
    let run = project.statespec(&["scan", "--format", "json"]);
    assert_eq!(run.code, Some(0));
    let json: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    let group = &json["candidates"][0];
    assert_eq!(group["score"]["total"], 87);
    assert_eq!(group["sources"][1]["name"], PAGE);
    let last = group["facts"].as_array().unwrap().last().unwrap();
    assert_eq!((&last["kind"], &last["fact"], &last["differs"]), (&"edge".into(), &"Suspended → Active".into(), &true.into()));
    assert_eq!((&last["stated"][0]["says"], &last["stated"][1]["place"]["line"]), (&"no".into(), &7.into()));
    assert_eq!(json["alone"][0]["name"], "door.ts#door_status");
}

#[test]
fn a_repository_without_machines_is_silent() {
    let project = Project::empty();
    project.put("README.md", "Nothing here.\n");
    let run = project.statespec(&["scan"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), "0 sources in 1 file: 0 candidate groups, 0 confirmed groups, 0 alone\n"));
}

/// Each way to point at a source, with what is read of it.
#[test]
fn a_source_that_no_reader_knows_is_pointed_at() {
    let project = Project::empty();
    project.put(
        "next.c",
        "static int a;\n/* next */\nstatic const struct edge next[] = {\n  { Draft, Paid }, // { Paid, Draft }\n  { Paid, Closed },\n};\nint b[] = { Other, Thing };\n",
    );
    project.put(
        "order.md",
        "# Order\n\n## States\n\n- **In review**: somebody reads it\n- `paid`\n- Closed (for good)\n\n## Steps\n\n### Draft\n\n```\n# no heading\n```\n\n### Paid ###\n\n## Flow\n\n```mermaid\nflowchart LR\n  d[In draft] -->|pay| p(Paid)\n  p -- close --> c{Closed}\n  d & p --> x\n```\n",
    );
    project.put("order.erl", "next(draft, pay) -> paid;\nnext(paid,  close) -> closed.\n%% 1 = draft\n%% 2 = paid\n");
    project.put(
        "order.dot",
        "digraph order {\n  node [shape=box];\n  draft [label=\"In draft\"];\n  draft -> paid -> closed [label=\"a -> b\"];\n}\n",
    );
    project.put("order.rb", "class Order\n  STATES = %w[draft paid]\n  NEXT = {\n    draft: [:paid, :closed],\n    paid: [:closed],\n    closed: [],\n  }\n  ARROWS = { 'draft' => 'paid' }\nend\n");
    let read = |table: &str, text: &str| told(&project, &["scan", "--source", table], 0, text);
    read(
        "{ file = \"next.c\", symbol = \"next\", kind = \"pairs\" }",
        "`next.c#next`: 3 states: Draft, Paid, Closed\n2 edges: Draft → Paid, Paid → Closed\n",
    );
    read("file = \"order.md\", heading = \"states\", kind = \"list\"", "3 states: In review, paid, Closed\n");
    read("file = \"order.md\", heading = \"Steps\", kind = \"headings\"", "2 states: Draft, Paid\n");
    read(
        "file = \"order.md\", heading = \"Flow\", kind = \"mermaid-flowchart\"",
        "4 states: d (In draft), p (Paid), c (Closed), x\n4 edges: d → p, p → c, d → x, p → x\n",
    );
    read("file = \"order.dot\", kind = \"dot\"", "3 states: draft (In draft), paid, closed\n2 edges: draft → paid, paid → closed\n");
    read("file = \"order.rb\", symbol = \"NEXT\", kind = \"pairs\"", "3 edges: draft → paid, draft → closed, paid → closed\n");
    read("file = \"order.rb\", symbol = \"ARROWS\", kind = \"pairs\"", "1 edges: draft → paid\n");
    read("file = \"order.erl\", pattern = '%% (?<number>\\d+) = (?<state>\\w+)'", "2 states: draft (1), paid (2)\n");
    read(
        "file = \"order.erl\", between = [\"next(\", \"%%\"], pattern = 'draft, (?<event>\\w+)\\) -> (?<state>\\w+)|\\((?<from>\\w+), +\\w+\\) -> (?<to>\\w+)'",
        "1 edges: paid → closed\n",
    );
    // What the guide shows.
    project.put("src/next.erl", &project.get("order.erl"));
    let shown = guide("toml", 2).replace("[[source]]\n", "").trim_end().replace('\n', ", ");
    read(&shown, "`src/next.erl#next`: 3 states: draft, paid, closed\n2 edges: draft → paid, paid → closed\n");
    for (table, code, text) in [
        ("file = \"next.c\", kind = \"list\", columns = \"from=1\"", 1, "write `kind = \"table\"`"),
        ("file = \"order.md\", kind = \"table\"", 1, "this part has no table"),
        ("file = \"order.md\", kind = \"table\", columns = \"form=1\"", 2, "there is no column `form`"),
        ("file = \"order.md\", kind = \"table\", table = 0", 2, "tables are counted from 1"),
        ("file = \"next.c\", kind = \"tree\"", 2, "there is no kind `tree`; there are `list`"),
        ("file = \"next.c\", pattern = \"(\"", 2, "unclosed group"),
        ("file = \"next.c\", pattern = \"(?<other>a)\"", 2, "there is no capture `other`"),
        ("file = \"next.c\", pattern = \"a\"", 2, "it captures no state"),
        ("file = \"gone.c\", kind = \"list\"", 1, "`gone.c` is missing"),
        ("file = \"next.c\", symbol = \"nex\", kind = \"list\"", 1, "there is no `nex`"),
        ("file = \"next.c\", symbol = \"a\", kind = \"pairs\"", 1, "there is no `a`"),
        ("file = \"order.md\", heading = \"Prices\", kind = \"list\"", 1, "there is no heading `Prices`"),
        ("file = \"order.erl\", pattern = '(?<state>lost)'", 1, "nothing was read of it"),
        ("file = \"order.erl\", kind = \"list\", kind = \"list\"", 2, "is no source"),
        ("name = \"order\"", 1, "file"),
    ] {
        told(&project, &["scan", "--source", table], code, text);
    }
    let table = "{ file = \"next.c\", symbol = \"next\", kind = \"pairs\", name = \"order\" }";
    told(&project, &["scan", "--source", table, "--write"], 0, "wrote it into statespec.toml");
    assert_eq!(project.get("statespec.toml"), "[[source]]\nfile = \"next.c\"\nsymbol = \"next\"\nkind = \"pairs\"\nname = \"order\"\n");
    project.put("order.mmd", "---\ntitle: Order\n---\nstateDiagram-v2\n  [*] --> draft\n  draft --> paid\n  paid --> closed\n");
    told(&project, &["scan"], 0, "next.c:4:5 `order`, code");
    told(&project, &["scan", "--confirm", "same", "next.c#order", "order.mmd#order"], 0, "recorded");
    told(&project, &["check"], 0, "compared 2 sources in 1 confirmed group: all agree");
    project.edit("next.c", "{ Paid, Closed }", "{ Draft, Closed }");
    told(&project, &["check"], 100, "the edge `paid → closed` is missing in next.c#order");
    project.edit("next.c", "next[]", "after[]");
    told(&project, &["check"], 100, "this source cannot be read: there is no `next`");
}

/// A table whose headings are none of those of the rules: the same words as `import --table` takes.
#[test]
fn a_table_that_the_rules_do_not_read_is_pointed_at() {
    let project = Project::empty();
    let rows = "| Where | What | Goes to |\n| --- | --- | --- |\n| open | close | shut |\n| shut | reopen | open |\n| open | paint | as before |\n";
    project.put(
        "docs/ticket.md",
        &format!("# Tickets\n\n| a | b |\n| - | - |\n| c | d |\n\n## Ways of a ticket\n\n{rows}\n## Other\n\n{rows}| shut | burn | gone (for good) |\n"),
    );
    project.put("src/ticket.ts", "export type TicketStatus = 'open' | 'shut' | 'lost'\n");
    // What the guide shows.
    let shown = guide("toml", 1).replace("[[source]]\n", "").trim_end().replace('\n', ", ");
    let place = "docs/ticket.md#ways_of_a_ticket";
    let read = format!("`{place}`: 2 states: open, shut\n2 edges: open → shut, shut → open\n");
    told(&project, &["scan", "--source", &shown], 0, &read);
    let numbered = "file = \"docs/ticket.md\", kind = \"table\", table = 3, columns = \"from=Where,to=3\"";
    let odd = told(&project, &["scan", "--source", numbered], 0, "`docs/ticket.md#ticket`: 3 states: open, shut, as before\n");
    assert!(odd.contains("this row was not read: `gone (for good)` is neither a name of a state nor a list of names"), "{odd}");
    told(
        &project,
        &["import", "docs/ticket.md", "--stdout", "--table", "2", "--columns", "from=1,event=2,to=3", "--stay", "as before"],
        0,
        "from: open, event: close, to: shut",
    );
    told(&project, &["scan", "--source", &shown, "--write"], 0, "wrote it into statespec.toml");
    assert_eq!(project.get("statespec.toml"), guide("toml", 1));
    told(&project, &["scan", "--confirm", "same", place, "src/ticket.ts#ticket_status"], 0, "recorded");
    told(&project, &["check"], 100, "the state `lost` is missing in docs/ticket.md#ways_of_a_ticket");
    project.edit("src/ticket.ts", " | 'lost'", "");
    told(&project, &["check"], 0, "compared 2 sources in 1 confirmed group: all agree");
    project.edit("docs/ticket.md", "## Ways", "## Paths");
    told(&project, &["check"], 100, "this source cannot be read: there is no heading `Ways of a ticket`");
}

/// Pages that list the values of a status, as a table and as bullets, beside the code.
#[test]
fn lists_of_states_of_pages_are_candidates() {
    let project = Project::empty();
    project.put("api/types.go", "package core\n\ntype PodPhase string\n\nconst (\n\tPodPending PodPhase = \"Pending\"\n\tPodRunning PodPhase = \"Running\"\n\tPodFailed PodPhase = \"Failed\"\n)\n");
    let table = "## Pod phase\n\nThe possible values of `phase`:\n\nValue | Description\n--- | ---\n`Pending` | It waits.\n`Running` | It runs.\n`Completed` | It is over.\n";
    let bullets = "# Pod phase\n\n- `Pending`: it waits\n- `Running`: it runs\n- `Completed`: it is over\n";
    for page in [table, bullets] {
        project.put("docs/pods.md", page);
        let shown = told(&project, &["scan", "--all"], 0, "docs/pods.md");
        assert!(shown.contains("≠ Completed") && shown.contains("≠ PodFailed"), "{shown}");
    }
}

#[test]
fn markers_are_offered_for_what_agrees_with_a_spec() {
    let project = Project::empty();
    project.put("machines/order.yaml", include_str!("scan/order.yaml"));
    assert_eq!(project.statespec(&["gen"]).code, Some(0));
    let texts = [
        ("db/schema.sql", include_str!("scan/schema.sql"), "'closed'"),
        ("docs/order.md", include_str!("scan/order.md"), "paid --> closed"),
        ("web/order.ts", include_str!("scan/order.ts"), "\"paid\","),
        ("app/order.py", include_str!("scan/order.py"), "    PAID = \"paid\"\n"),
        ("api/order.proto", include_str!("scan/order.proto"), "  ORDER_STATUS_PAID = 3;\n"),
    ];
    texts.iter().for_each(|(path, text, _)| project.put(path, text));
    // It states another machine, so it gets no markers.
    project.put("web/old.ts", "export type OrderStatus = \"draft\" | \"in_review\" | \"paid\" | \"gone\";\n");
    let run = project.statespec(&["scan", "--guard"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    insta::assert_snapshot!("offered", format!("{}{}", run.stdout, run.stderr));
    for (path, text, _) in texts {
        assert_eq!(project.get(path), text, "{path} was changed by a run that only shows markers");
    }
    let write = || project.statespec(&["scan", "--guard", "--write"]);
    let run = write();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stdout.ends_with("wrote markers around 6 texts in 5 files; from now on, `check` compares them\n"), "{}", run.stdout);
    let check = || project.statespec(&["check"]);
    assert_eq!(check().code, Some(0), "{}", check().stderr);
    assert!(
        check().stderr.ends_with("checked 3 outputs: all up to date\ncompared 5 hand-written texts: all agree\n"),
        "{}",
        check().stderr
    );
    let again = write();
    assert_eq!((again.code, again.stdout.as_str()), (Some(0), "no text without markers agrees with a spec of the project\n"));
    for (path, _, part) in texts {
        let marked = project.get(path);
        project.edit(path, part, "");
        let code = if path == "db/schema.sql" { "drift::edited" } else { "expect::missing" };
        assert!(check().code == Some(100) && check().stderr.contains(code), "{path}: {}", check().stderr);
        project.put(path, &marked);
    }
}
