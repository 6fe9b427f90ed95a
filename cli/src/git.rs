//! Git, as far as commands need it.

use std::io::{self, Write as _};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use statespec_codegen::report::Report;

/// A git command in a folder.
fn git(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new("git");
    command.arg("-C").arg(folder).args(args);
    command
}

/// The report that git could not be run.
fn not_run(error: io::Error) -> Report {
    Report::of_error(&format!("cannot run git: {error}"))
}

/// What a git command that failed said first; its exit status if it said nothing.
fn complaint(output: &Output) -> String {
    let said = String::from_utf8_lossy(&output.stderr);
    match said.lines().next() {
        Some(line) => line.trim_start_matches("fatal: ").to_owned(),
        None => output.status.to_string(),
    }
}

/// The output of a git command in a folder. `task` says in a message what git cannot do.
pub(crate) fn run(folder: &Path, task: &str, args: &[&str]) -> Result<Vec<u8>, Report> {
    let output = git(folder, args).output().map_err(not_run)?;
    match output.status.success() {
        true => Ok(output.stdout),
        false => Err(Report::of_misuse(&format!("git cannot {task} in `{}`: {}", folder.display(), complaint(&output)))),
    }
}

/// The texts between zero bytes, as `-z` prints them.
pub(crate) fn list(output: &[u8]) -> Vec<String> {
    String::from_utf8_lossy(output).split('\0').filter(|it| !it.is_empty()).map(str::to_owned).collect()
}

/// Refuses what git would take for an option.
pub(crate) fn revision(text: &str) -> Result<&str, Report> {
    if text.starts_with('-') { Err(Report::of_misuse(&format!("`{text}` is no revision"))) } else { Ok(text) }
}

/// The id of a commit; `None` if there is no such revision, or no repository.
pub(crate) fn commit(folder: &Path, revision: &str) -> Result<Option<String>, Report> {
    let wanted = format!("{revision}^{{commit}}");
    let output = git(folder, &["rev-parse", "--verify", "--quiet", &wanted]).output().map_err(not_run)?;
    Ok(output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned()))
}

/// The files below a folder in a commit, by their paths from there, each with the id of its contents.
pub(crate) fn files(folder: &Path, commit: &str) -> Result<Vec<(String, String)>, Report> {
    let listed = run(folder, "list the files of a revision", &["ls-tree", "-r", "-z", commit, "--", "."])?;
    // `100644 blob ID<tab>PATH`; links and submodules have other modes.
    let file = |line: &String| {
        let (head, path) = line.split_once('\t')?;
        let mut words = head.split(' ');
        let is_plain = words.next()?.starts_with("100");
        let id = words.nth(1)?;
        is_plain.then(|| (path.to_owned(), id.to_owned()))
    };
    Ok(list(&listed).iter().filter_map(file).collect())
}

/// The contents of these ids, in their order.
pub(crate) fn contents(folder: &Path, ids: &[&str]) -> Result<Vec<Vec<u8>>, Report> {
    let fail = |why: String| Report::of_error(&format!("git cannot read the files of a revision: {why}"));
    let mut command = git(folder, &["cat-file", "--batch"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().map_err(not_run)?;
    let asked: String = ids.iter().map(|it| format!("{it}\n")).collect();
    let stdin = child.stdin.take();
    // Git answers while it reads, so both pipes are served at once.
    let output = std::thread::scope(|scope| {
        scope.spawn(move || stdin.map(|mut it| it.write_all(asked.as_bytes())));
        child.wait_with_output()
    });
    let output = output.map_err(|error| fail(error.to_string()))?;
    if !output.status.success() {
        return Err(fail(complaint(&output)));
    }
    let mut rest = output.stdout.as_slice();
    let mut contents = Vec::new();
    for id in ids {
        let of_id = || {
            let end = rest.iter().position(|it| *it == b'\n')?;
            let head = std::str::from_utf8(&rest[..end]).ok()?;
            let n_bytes: usize = head.strip_prefix(id)?.strip_prefix(" blob ")?.parse().ok()?;
            let text = rest.get(end + 1..end + 1 + n_bytes)?;
            Some((text.to_vec(), rest.get(end + 2 + n_bytes..)?))
        };
        let (text, after) = of_id().ok_or_else(|| fail(format!("{id} is missing")))?;
        contents.push(text);
        rest = after;
    }
    Ok(contents)
}
