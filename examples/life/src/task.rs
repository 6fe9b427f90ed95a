//! What a worker is told when it starts: `life worker after worker-3 accept 3000001`.

/// A revision of the spec.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Revision {
    Before,
    After,
}

impl Revision {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Revision::Before => "before",
            Revision::After => "after",
        }
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Task {
    pub(crate) revision: Revision,
    pub(crate) name: String,
    /// The number of the first job that it accepts; without one, it goes on until every job has ended.
    pub(crate) accept: Option<i64>,
    /// Whether it stays in the middle of its first job.
    pub(crate) holds: bool,
}

impl Task {
    /// The task of these words, without `worker`; `None` if they are none.
    pub(crate) fn parse(words: &[String]) -> Option<Task> {
        let [revision, name, rest @ ..] = words else { return None };
        let revision = [Revision::Before, Revision::After].into_iter().find(|it| it.name() == revision)?;
        let mut task = Task { revision, name: name.clone(), accept: None, holds: false };
        let mut rest = rest.iter();
        while let Some(word) = rest.next() {
            match word.as_str() {
                "accept" => task.accept = Some(rest.next()?.parse().ok()?),
                "holds" => task.holds = true,
                _ => return None,
            }
        }
        Some(task)
    }

    pub(crate) fn words(&self) -> Vec<String> {
        let mut words = vec!["worker".to_owned(), self.revision.name().to_owned(), self.name.clone()];
        words.extend(self.accept.into_iter().flat_map(|it| ["accept".to_owned(), it.to_string()]));
        words.extend(self.holds.then(|| "holds".to_owned()));
        words
    }
}
