//! Recorded attempts: an observer that writes each as a line of JSON, which `statespec audit` reads.

use core::fmt::{self, Display, Write};

use crate::configuration::names;
use crate::{Attempt, Named, Observer, State, Timestamp};

/// An observer that writes the attempt that it sees as one line of JSON: a recorded attempt, version 1.
///
/// A program knows the identity of its machine and the time, and may add the payload and the context, as JSON objects by field: with
/// both, `statespec audit` executes each attempt again.
///
/// ```
/// use statespec::{Machine, Record};
/// use statespec_machines::run_job::{Event, RunJob};
///
/// let mut log = String::new();
/// let (mut job, now) = (RunJob::new(), "2026-07-01T12:00:00Z".parse()?);
/// let before = r#"{"lease_expires_at":null}"#;
/// let event = Event::Claim { until: "2026-07-01T12:00:30Z".parse()? };
/// let mut record = Record::new(&mut log, &17, now).payload(&r#"{"until":"2026-07-01T12:00:30Z"}"#).context(&before);
/// job.apply_observed(&event, &(), &mut record).unwrap();
/// record.written().unwrap();
/// let expected = concat!(
///     r#"{"v":1,"machine":"run_job","entity":"17","at":"2026-07-01T12:00:00Z","from":"queued","event":"claim","to":"claimed","#,
///     r#""payload":{"until":"2026-07-01T12:00:30Z"},"context":{"lease_expires_at":null}}"#,
///     "\n"
/// );
/// assert_eq!(log, expected);
/// # Ok::<(), statespec::TimeError>(())
/// ```
pub struct Record<'a, W: ?Sized> {
    out: &'a mut W,
    entity: &'a dyn Display,
    at: Timestamp,
    payload: Option<&'a dyn Display>,
    context: Option<&'a dyn Display>,
    written: fmt::Result,
}

impl<'a, W: Write + ?Sized> Record<'a, W> {
    /// Writes to `out`; `entity` is the identity of the machine, and `at` the time of the attempt.
    pub fn new(out: &'a mut W, entity: &'a dyn Display, at: Timestamp) -> Self {
        Record { out, entity, at, payload: None, context: None, written: Ok(()) }
    }

    /// Adds the payload of the event: a JSON object by field, on one line.
    pub fn payload(mut self, json: &'a dyn Display) -> Self {
        self.payload = Some(json);
        self
    }

    /// Adds the context before the attempt, and at creation the values that are given: a JSON object by field, on one line.
    pub fn context(mut self, json: &'a dyn Display) -> Self {
        self.context = Some(json);
        self
    }

    /// The error of the writer, if there was one.
    pub fn written(&self) -> fmt::Result {
        self.written
    }

    fn write<S: State>(&mut self, attempt: &Attempt<'_, S>) -> fmt::Result {
        let out = &mut *self.out;
        write!(out, "{{\"v\":1,\"machine\":{},\"entity\":{}", Quoted(&attempt.machine()), Quoted(self.entity))?;
        write!(out, ",\"at\":\"{}\",\"from\":", self.at)?;
        match attempt.from() {
            Some(from) => write!(out, "{}", Quoted(&names::<S>(from)))?,
            None => out.write_str("null")?,
        }
        match attempt.event() {
            Some(event) => write!(out, ",\"event\":{}", Quoted(&event.name()))?,
            None => out.write_str(",\"event\":null")?,
        }
        if let (Some(to), true) = (attempt.to(), attempt.moved()) {
            write!(out, ",\"to\":{}", Quoted(&names::<S>(to)))?;
        }
        if let Some(actor) = attempt.actor() {
            write!(out, ",\"actor\":{}", Quoted(&actor.name()))?;
        }
        if let Some(reason) = attempt.error_type() {
            let key = if attempt.refused().is_some() { "refused" } else { "failed" };
            write!(out, ",\"{key}\":{}", Quoted(&reason))?;
        }
        if let Some(payload) = self.payload {
            write!(out, ",\"payload\":{payload}")?;
        }
        if let Some(context) = self.context {
            write!(out, ",\"context\":{context}")?;
        }
        out.write_str("}\n")
    }
}

impl<W: Write + ?Sized> Observer for Record<'_, W> {
    fn observe<S: State>(&mut self, attempt: &Attempt<'_, S>) {
        let written = self.write(attempt);
        self.written = self.written.and(written);
    }
}

impl<W: ?Sized> fmt::Debug for Record<'_, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Record").field("entity", &format_args!("{}", self.entity)).field("at", &self.at).finish_non_exhaustive()
    }
}

/// A text in quotes of JSON.
struct Quoted<'a>(&'a dyn Display);

impl Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        write!(Escaped(f), "{}", self.0)?;
        f.write_char('"')
    }
}

/// Writes texts as they stand within quotes of JSON.
struct Escaped<'a, 'f>(&'a mut fmt::Formatter<'f>);

impl Write for Escaped<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for character in text.chars() {
            match character {
                '"' | '\\' => write!(self.0, "\\{character}")?,
                it if it.is_control() => write!(self.0, "\\u{:04x}", u32::from(it))?,
                it => self.0.write_char(it)?,
            }
        }
        Ok(())
    }
}

#[cfg(feature = "std")]
pub use file::Recording;

#[cfg(feature = "std")]
mod file {
    use std::fs::{File, OpenOptions};
    use std::io::{self, Write as _};
    use std::path::Path;
    use std::string::{String, ToString};

    use super::Record;
    use crate::{Attempt, Observer, State, Timestamp};

    /// An observer that appends the attempts of one machine to a file: one line turns recording on, also in a test.
    ///
    /// Each line is written at once, so that several threads and programs can append to one file.
    ///
    /// ```
    /// use statespec::{Machine, Recording};
    /// use statespec_machines::run_job::{Event, RunJob};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("attempts.jsonl");
    /// let mut recording = Recording::append(&path, "job of a test")?;
    /// let mut job = RunJob::new();
    /// job.apply_observed(&Event::Claim { until: statespec::Timestamp::now() }, &(), &mut recording).unwrap();
    /// recording.finish()?;
    /// assert!(std::fs::read_to_string(&path)?.contains(r#""from":"queued","event":"claim","to":"claimed""#));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[derive(Debug)]
    pub struct Recording {
        file: File,
        entity: String,
        error: Option<io::Error>,
    }

    impl Recording {
        /// Opens a file, or makes it. `entity` is the identity of the machine: another one for each machine that is recorded.
        ///
        /// # Errors
        ///
        /// The file cannot be opened.
        pub fn append(path: impl AsRef<Path>, entity: &str) -> io::Result<Self> {
            let file = OpenOptions::new().append(true).create(true).open(path)?;
            Ok(Recording { file, entity: entity.to_string(), error: None })
        }

        /// The first error of writing, if there was one. Attempts are not held up by it.
        ///
        /// # Errors
        ///
        /// A line could not be written.
        pub fn finish(self) -> io::Result<()> {
            self.error.map_or(Ok(()), Err)
        }
    }

    impl Observer for Recording {
        fn observe<S: State>(&mut self, attempt: &Attempt<'_, S>) {
            let mut line = String::new();
            Record::new(&mut line, &self.entity, Timestamp::now()).observe(attempt);
            if let Err(error) = self.file.write_all(line.as_bytes()) {
                self.error.get_or_insert(error);
            }
        }
    }
}
