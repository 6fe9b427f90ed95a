//! The formats of histories.

/// The format of a history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Format {
    /// Recorded attempts; with columns, other JSON lines.
    Jsonl,
    /// A table with a header.
    Csv,
    /// The table of django-fsm-log.
    DjangoFsmLog,
    /// The table of statesman.
    Statesman,
    /// The table of PaperTrail.
    PaperTrail,
    /// XES.
    Xes,
    /// OCEL 2.0, as JSON.
    Ocel,
}

impl Format {
    /// All formats, in the order of the docs.
    pub const ALL: &'static [Format] =
        &[Format::Jsonl, Format::Csv, Format::DjangoFsmLog, Format::Statesman, Format::PaperTrail, Format::Xes, Format::Ocel];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Format::Jsonl => "jsonl",
            Format::Csv => "csv",
            Format::DjangoFsmLog => "django-fsm-log",
            Format::Statesman => "statesman",
            Format::PaperTrail => "paper-trail",
            Format::Xes => "xes",
            Format::Ocel => "ocel",
        }
    }

    /// The contents, for the help of the command line.
    pub fn about(self) -> &'static str {
        match self {
            Format::Jsonl => "Recorded attempts; with `--columns`, other JSON lines",
            Format::Csv => "A table with a header: `entity` or `id`, `from`, `to`, `at`, `event`, `actor`, or the names in `--columns`",
            Format::DjangoFsmLog => "The table of django-fsm-log, as CSV",
            Format::Statesman => "The table of statesman, as CSV",
            Format::PaperTrail => "The table of PaperTrail, as CSV",
            Format::Xes => "An event log in XES",
            Format::Ocel => "An event log in OCEL 2.0, as JSON",
        }
    }

    /// The format that the name of a file says, `.gz` aside.
    pub fn detect(path: &str) -> Option<Format> {
        let path = path.to_ascii_lowercase();
        let path = path.strip_suffix(".gz").unwrap_or(&path);
        let endings: [(&str, Format); 8] = [
            (".jsonl", Format::Jsonl),
            (".ndjson", Format::Jsonl),
            (".csv", Format::Csv),
            (".tsv", Format::Csv),
            (".xes", Format::Xes),
            (".jsonocel", Format::Ocel),
            (".ocel.json", Format::Ocel),
            (".ocel", Format::Ocel),
        ];
        endings.iter().find(|it| path.ends_with(it.0)).map(|it| it.1)
    }
}
