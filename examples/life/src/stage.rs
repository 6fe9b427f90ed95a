//! Where the acts happen: the database, a folder with the project, the command `statespec`, and the output.

use std::error::Error;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use tempfile::TempDir;

use crate::place::{Place, URL};
use crate::task::{Revision, Task};
use crate::workers::{Told, Worker};
use crate::{after, before};

type Done = Result<(), Box<dyn Error>>;

/// Files of this folder, as they were when the program was compiled.
macro_rules! files {
    ($($path:literal),* $(,)?) => { &[$(($path, include_str!(concat!("../", $path)))),*] };
}

const FILES: &[(&str, &str)] = files![
    "before/statespec.toml",
    "before/machines/job.yaml",
    "before/db/sqlite.sql",
    "before/db/postgresql.sql",
    "statespec.toml",
    "machines/job.yaml",
    "db/sqlite.sql",
    "db/postgresql.sql",
    "migrations/sqlite/0001_job_expand.sql",
    "migrations/sqlite/0002_job_move.sql",
    "migrations/sqlite/0003_job_contract.sql",
    "migrations/postgresql/0001_job_expand.sql",
    "migrations/postgresql/0002_job_move.sql",
    "migrations/postgresql/0003_job_contract.sql",
];

fn file(path: &str) -> Result<String, String> {
    let found = FILES.iter().find(|it| it.0 == path);
    found.map(|it| it.1.replace("\r\n", "\n")).ok_or_else(|| format!("there is no file `{path}`"))
}

pub(crate) struct Stage {
    pub(crate) place: Place,
    pub(crate) told: Told,
    folder: TempDir,
    statespec: PathBuf,
    n_workers: i64,
}

impl Stage {
    pub(crate) fn new() -> Result<Stage, Box<dyn Error>> {
        let folder = tempfile::tempdir()?;
        let file = || folder.path().join("app.db").to_string_lossy().into_owned();
        let place = Place { url: std::env::var(URL).unwrap_or_else(|_| file()) };
        let statespec = std::env::var_os("STATESPEC").map_or_else(|| "statespec".into(), PathBuf::from);
        Ok(Stage { place, told: Told::default(), folder, statespec, n_workers: 0 })
    }

    /// The title of an act.
    pub(crate) fn act(&self, title: &str) {
        println!("## {title}");
    }

    /// Runs statements in one transaction, and shows them. What begins with `-- the file` is a file of this folder.
    pub(crate) fn transaction(&self, statements: &[&str]) -> Done {
        let mut script = if self.place.is_postgres() { "BEGIN;\n" } else { "BEGIN IMMEDIATE;\n" }.to_owned();
        for it in statements {
            match it.strip_prefix("-- the file ") {
                Some(path) => {
                    println!("sql> {it}");
                    script += &file(path)?;
                }
                None => {
                    println!("sql> {it};");
                    script += &format!("{it};\n");
                }
            }
        }
        Ok(self.place.run(&(script + "COMMIT;"))?)
    }

    /// Runs a migration, which begins and ends its transaction by itself.
    pub(crate) fn migrate(&self, name: &str) -> Done {
        let path = format!("migrations/{}/{name}.sql", self.place.engine());
        println!("sql> -- the file {path}");
        Ok(self.place.run(&file(&path)?)?)
    }

    /// Runs a statement as a person would.
    pub(crate) fn by_hand(&self, statement: &str) -> Done {
        println!("sql> {statement};");
        Ok(self.place.run(statement)?)
    }

    /// Starts a worker, and shows it.
    pub(crate) fn worker(&mut self, revision: Revision, accepts: bool, holds: bool) -> Result<Worker, Box<dyn Error>> {
        self.n_workers += 1;
        let accept = accepts.then_some(self.n_workers * 1_000_000 + 1);
        let task = Task { revision, name: format!("worker-{}", self.n_workers), accept, holds };
        println!("$ life {} &", task.words().join(" "));
        Ok(Worker::start(&self.place, &task, &self.told)?)
    }

    /// Compares the table with a revision, and shows what `statespec db check` says.
    pub(crate) fn check(&self, revision: Revision, code: i32) -> Done {
        println!("$ statespec db check");
        let from = if revision == Revision::Before { "before/" } else { "" };
        let project = self.folder.path();
        fs::create_dir_all(project.join("machines"))?;
        fs::write(project.join("machines/job.yaml"), file(&format!("{from}machines/job.yaml"))?)?;
        // The section of this database: the other one has no address.
        let config = file(&format!("{from}statespec.toml"))?;
        let mut sections = config.split("[[database]]\n").skip(1);
        let own = sections.find(|it| it.contains(&format!("engine = \"{}\"", self.place.engine()))).ok_or("no section has this engine")?;
        fs::write(project.join("statespec.toml"), format!("[[database]]\n{own}"))?;
        let mut command = Command::new(&self.statespec);
        command.args(["db", "check"]).current_dir(project).env(URL, &self.place.url);
        let done = command.output().map_err(|error| format!("`{}` does not run: {error}; set STATESPEC", self.statespec.display()))?;
        println!("{}", [done.stdout, done.stderr].map(|it| String::from_utf8_lossy(&it).into_owned()).concat().trim());
        if done.status.code() == Some(code) { Ok(()) } else { Err(format!("it ended with {}, and not with {code}", done.status).into()) }
    }

    /// Compares the rows with the journal, and shows each that differs.
    pub(crate) fn replay(&self, revision: Revision, n_expected: usize) -> Done {
        let differ = match revision {
            Revision::Before => before::replay(&self.place)?,
            Revision::After => after::replay(&self.place)?,
        };
        match &differ[..] {
            [] => println!("replay: the journal leads to every row"),
            all => all.iter().for_each(|it| println!("replay: job {}: {}", it.key, it.what)),
        }
        if differ.len() == n_expected { Ok(()) } else { Err(format!("{} rows differ, and not {n_expected}", differ.len()).into()) }
    }
}
