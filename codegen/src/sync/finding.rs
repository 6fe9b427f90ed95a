//! One output that is not as it should be, as data.

use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

/// One output that is not as it should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The kind.
    pub kind: Kind,
    /// The file, relative to the project's root.
    pub path: String,
    /// The line of the page where the region or the marker stands, counted from 1.
    pub line: Option<usize>,
    /// The region of the page, if it is not about the whole file.
    pub region: Option<String>,
    /// What is wrong, in one sentence without a final full stop.
    pub message: String,
    /// The place to blame.
    pub place: Option<Place>,
    /// What is and what should be, where there is something to compare.
    pub texts: Option<Texts>,
    /// What fixes it.
    pub fix: Fix,
}

/// Two texts to compare. Where they differ anyway, the digests are made equal: they would be noise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Texts {
    /// What is on the disk: the whole file, or a region with a few lines around it.
    pub found: String,
    /// What should be.
    pub expected: String,
    /// The line of the file that both begin with, counted from 1.
    pub first_line: usize,
    /// The specs it comes from, as headers name them.
    pub origin: String,
}

/// What a finding points at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// A line of a spec, with what is said there.
    Spec(Span, &'static str),
    /// A marker in a page.
    Page(Box<Diagnostic>),
}

/// How an output can be wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// It is not there, or the region is still empty.
    Missing,
    /// It is as it was generated, and the spec has changed since.
    Stale,
    /// Someone edited it.
    Edited,
    /// No spec provides it any more.
    Orphaned,
    /// The markers of a region do not fit together.
    Marker,
    /// A region names nothing that the generator provides.
    UnknownRegion,
}

impl Kind {
    /// Every kind, in the order of summaries.
    pub const ALL: [Kind; 6] = [Kind::Missing, Kind::Stale, Kind::Edited, Kind::Orphaned, Kind::Marker, Kind::UnknownRegion];

    /// The code that messages show.
    pub fn code(self) -> Code {
        match self {
            Kind::Missing => Code::DriftMissing,
            Kind::Stale => Code::DriftStale,
            Kind::Edited => Code::DriftEdited,
            Kind::Orphaned => Code::DriftOrphaned,
            Kind::Marker => Code::DriftMarker,
            Kind::UnknownRegion => Code::DriftUnknownRegion,
        }
    }

    /// What a summary counts.
    pub fn noun(self) -> &'static str {
        match self {
            Kind::Missing => "missing",
            Kind::Stale => "stale",
            Kind::Edited => "edited by hand",
            Kind::Orphaned => "orphaned",
            Kind::Marker => "with broken markers",
            Kind::UnknownRegion => "with an unknown name",
        }
    }
}

/// What fixes a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fix {
    /// The command.
    Command,
    /// The command with `--force`: someone's work is lost.
    Force,
    /// The command with `--remove` and the file's path: nothing in it is known to be ours.
    Remove,
    /// Only a person.
    Hand,
}

impl Fix {
    /// Whether such a finding keeps the whole plan from being carried out.
    pub fn blocks(self, force: bool) -> bool {
        match self {
            Fix::Command => false,
            Fix::Force => !force,
            Fix::Remove | Fix::Hand => true,
        }
    }
}
