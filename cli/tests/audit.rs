//! `audit`: as the guide shows it, from files, the standard input and the configuration, in every format.

use crate::support::Project;

/// The fenced blocks of the guide, in order.
fn blocks() -> Vec<String> {
    let page = include_str!("../../docs/guide/audit.md").replace("\r\n", "\n");
    let parts: Vec<&str> = page.split("```").collect();
    parts.iter().skip(1).step_by(2).filter_map(|it| Some(it.split_once('\n')?.1.to_owned())).collect()
}

/// The project of the guide, with its log.
fn project() -> Project {
    let project = Project::empty();
    let blocks = blocks();
    project.put("machines/job.yaml", &blocks[0]);
    project.put("jobs.jsonl", &blocks[1]);
    project
}

#[test]
fn the_guide_shows_what_the_command_prints() {
    let (project, blocks) = (project(), blocks());
    let run = project.statespec(&["audit", "jobs.jsonl"]);
    assert_eq!((run.stdout.as_str(), run.code), (blocks[2].as_str(), Some(100)), "{}", run.stderr);
    let run = project.statespec(&["audit", "jobs.jsonl", "--diagram", "--cut"]);
    let diagram = blocks.iter().find(|it| it.starts_with("flowchart")).unwrap();
    assert_eq!((run.stdout.as_str(), run.code), (diagram.as_str(), Some(0)), "{}", run.stderr);
    // The configuration and the statements of the guide are valid.
    let toml = blocks.iter().find(|it| it.starts_with("[[audit]]")).unwrap();
    project.put("statespec.toml", toml);
    project
        .put("logs/history.csv", "job_id,old,new,created_at\n1,pending,claimed,2026-07-01 12:00:00\n1,claimed,done,2026-07-01 12:00:01\n");
    let run = project.statespec(&["audit"]);
    assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
    assert!(run.stdout.starts_with("audited 2 records of 1 entity of `job`\nlevel: pairs (2 records)\nno findings\n"), "{}", run.stdout);
    let run = project.statespec(&[
        "audit",
        "--machine",
        "job",
        "--sql",
        "postgresql",
        "--table",
        "public.job_history",
        "--columns",
        "entity=job_id,from=old,to=new",
        "--order",
        "created_at,id",
    ]);
    assert!(run.code == Some(0) && run.stdout.contains("FROM \"public\".\"job_history\""), "{}{}", run.stdout, run.stderr);
}

#[test]
fn every_format_has_each_finding_at_its_line() {
    let project = project();
    let places = ["jobs.jsonl:3", "jobs.jsonl:5", "jobs.jsonl:6"];
    let github = project.statespec(&["audit", "jobs.jsonl", "--format", "github"]);
    assert_eq!((github.stdout.lines().count(), github.code), (4, Some(100)));
    let notice = github.stdout.lines().last().unwrap();
    assert!(notice.starts_with("::notice title=audit of job::audited 6 records of 3 entities of `job`%0A"), "{notice}");
    let json = project.statespec(&["audit", "jobs.jsonl", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    let found: Vec<String> = json["annotations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| format!("{}:{}", it["place"]["file"].as_str().unwrap(), it["place"]["line"]))
        .collect();
    assert_eq!((found.as_slice(), &json["exit_code"]), (places.map(str::to_owned).as_slice(), &100.into()));
    let sarif = project.statespec(&["audit", "jobs.jsonl", "--format", "sarif"]);
    let sarif: serde_json::Value = serde_json::from_str(&sarif.stdout).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    let rules: Vec<&str> = results.iter().map(|it| it["ruleId"].as_str().unwrap()).collect();
    assert_eq!(rules, ["audit::replay", "audit::step", "audit::gap"]);
    // The summary, too.
    let audit = &json["audits"][0];
    assert_eq!((&audit["machine"], &audit["records"], &audit["entities"]), (&"job".into(), &6.into(), &3.into()));
    assert_eq!((&audit["findings"]["audit::step"], &audit["levels"]["full replay"]), (&1.into(), &4.into()));
    assert_eq!((audit["steps"].as_array().unwrap().len(), audit["rows"].as_array().unwrap().len()), (5, 5));
    assert_eq!(audit["times"][0]["mean"], 4_000_000);
    assert!(audit["missing"].as_str().unwrap().contains("- { from: queued, event: finish, to: done }"));
    assert_eq!(&sarif["runs"][0]["properties"]["audits"][0], audit);
    // What tests record: each row that none takes is a finding of the spec.
    let rows = project.statespec(&["audit", "jobs.jsonl", "--all-rows", "--format", "github"]);
    assert!(rows.stdout.contains("file=machines/job.yaml,line=19"), "{}", rows.stdout);
}

#[test]
fn a_log_from_a_pipe_and_a_first_spec_of_it() {
    let project = project();
    let log = "id,from,to\n1,,open\n1,open,shut\n2,,open\n";
    let run = project.statespec_with_input(&["import", "--from", "csv", "-", "--only", "door"], log);
    assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
    assert!(project.get("machines/door.yaml").contains("- { from: open, to: shut }"));
    let run = project.statespec_with_input(&["audit", "--machine", "door", "--from", "csv", "-"], log);
    assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
    let run = project.statespec_with_input(&["audit", "--machine", "door", "--from", "csv", "-"], "id,from,to\n1,shut,\u{1b}[2Jopen\n");
    assert!(run.code == Some(100) && !run.stdout.contains('\u{1b}'), "{}", run.stdout);
    // Records name their machine, and the file does not have to.
    let run = project.statespec(&["import", "jobs.jsonl", "--stdout"]);
    assert!(run.code == Some(0) && run.stdout.starts_with("machine: job\n"), "{}{}", run.stdout, run.stderr);
}

#[test]
fn what_cannot_be_audited_is_said() {
    let project = project();
    let told = |args: &[&str], code: i32, text: &str| {
        let all: Vec<&str> = ["audit"].iter().chain(args).copied().collect();
        let run = project.statespec(&all);
        assert!(run.code == Some(code) && run.stderr.contains(text), "{args:?}: {:?} {}", run.code, run.stderr);
    };
    told(&[], 2, "name the files of the histories, or give statespec.toml `[[audit]]`");
    told(&["missing.jsonl"], 1, "cannot read `missing.jsonl`");
    told(&["machines/job.yaml"], 2, "the format of `machines/job.yaml` is not that of its name: say it with `--from`");
    told(&["jobs.jsonl", "--machine", "jib"], 2, "there is no machine `jib`");
    told(&["jobs.jsonl", "--values", "open=x"], 2, "`open` is no state of `job`");
    told(&["jobs.jsonl", "--columns", "form=x"], 2, "`form` is no fact of an attempt");
    let columns = "entity=id,from=old,to=new,refused=why";
    told(&["--machine", "job", "--sql", "duckdb", "--table", "t", "--columns", columns], 2, "reads changes alone, and no refusals");
    project.put("statespec.toml", "[[audit]]\nmachine = \"jib\"\nfiles = \"a.csv\"\nfrom = \"cvs\"\nunit = \"h\"\ncolumns = \"x\"\n");
    let run = project.statespec(&["audit"]);
    for problem in ["there is no machine `jib`", "`cvs` is no format of histories", "`h` is no unit of times", "`x` is no column"] {
        assert!(run.stderr.contains(problem), "{problem}: {}", run.stderr);
    }
}
