//! The processes of the service, and what they say.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{JoinHandle, sleep, spawn};
use std::time::{Duration, Instant};

use crate::place::{Place, URL};
use crate::task::Task;

/// How long a worker may say nothing.
const PATIENCE: Duration = Duration::from_secs(120);

/// A line of a worker.
#[derive(Debug, Clone)]
pub(crate) struct Said {
    pub(crate) at: Instant,
    pub(crate) worker: String,
    pub(crate) line: String,
}

/// What all workers have said.
#[derive(Debug, Clone, Default)]
pub(crate) struct Told(Arc<Mutex<Vec<Said>>>);

impl Told {
    /// What was said after a word such as `ended`, with who has said it and when.
    pub(crate) fn after(&self, word: &str) -> Vec<Said> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let rest = |it: &Said| Some(Said { line: it.line.strip_prefix(word)?.trim_start().to_owned(), ..it.clone() });
        all.iter().filter_map(rest).collect()
    }
}

/// A running worker.
pub(crate) struct Worker {
    pub(crate) name: String,
    child: Child,
    input: Option<ChildStdin>,
    reader: Option<JoinHandle<()>>,
    told: Told,
}

impl Worker {
    pub(crate) fn start(place: &Place, task: &Task, told: &Told) -> std::io::Result<Worker> {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(task.words()).env(URL, &place.url).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn()?;
        let (input, output, name) = (child.stdin.take(), child.stdout.take(), task.name.clone());
        let (worker, all) = (name.clone(), told.clone());
        let reader = output.map(|output| {
            spawn(move || {
                for line in BufReader::new(output).lines().map_while(Result::ok) {
                    let said = Said { at: Instant::now(), worker: worker.clone(), line };
                    all.0.lock().unwrap_or_else(PoisonError::into_inner).push(said);
                }
            })
        });
        Ok(Worker { name, child, input, reader, told: told.clone() })
    }

    /// Waits until it has said something that begins so, so often since now; what it said last.
    pub(crate) fn until(&mut self, word: &str, n_times: usize) -> Result<String, String> {
        let own = |told: &Told| told.after(word).into_iter().filter(|it| it.worker == self.name).map(|it| it.line).collect::<Vec<_>>();
        let before = own(&self.told).len();
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE {
            let lines = own(&self.told);
            match lines.last().filter(|_| lines.len() >= before + n_times) {
                Some(last) => return Ok(last.clone()),
                None => sleep(Duration::from_millis(2)),
            }
            if let Ok(Some(status)) = self.child.try_wait() {
                return Err(format!("{} has ended early: {status}", self.name));
            }
        }
        Err(format!("{} has not said `{word}` for {} s", self.name, PATIENCE.as_secs()))
    }

    /// Lets it end after the job that it has.
    pub(crate) fn stop(mut self) -> Result<(), String> {
        drop(self.input.take());
        self.end()
    }

    /// Says that it is to go on until every job has ended.
    pub(crate) fn drain(&mut self) -> Result<(), String> {
        let said = self.input.as_mut().map_or(Ok(()), |it| writeln!(it, "drain").and_then(|()| it.flush()));
        said.map_err(|error| format!("{} has ended early: {error}", self.name))
    }

    /// Waits for its end.
    pub(crate) fn end(mut self) -> Result<(), String> {
        let status = self.child.wait().map_err(|error| error.to_string())?;
        let read = self.reader.take().is_none_or(|it| it.join().is_ok());
        if status.success() && read { Ok(()) } else { Err(format!("{}: {status}", self.name)) }
    }

    /// `kill -9`.
    pub(crate) fn kill(mut self) -> std::io::Result<()> {
        self.child.kill()?;
        self.child.wait().map(drop)
    }
}

impl Drop for Worker {
    /// No process is left behind if an act fails.
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
