//! An incorrect output, as data.

use statespec_lang::diagnostic::{Code, Diagnostic};
use statespec_lang::source::{SourceId, Span};

/// An incorrect output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The kind.
    pub kind: Kind,
    /// The file, relative to the project's root.
    pub path: String,
    /// The line of the region or marker in the page, counted from 1.
    pub line: Option<usize>,
    /// The region of the page, if the finding is not about the whole file.
    pub region: Option<String>,
    /// The problem, in one sentence without a final full stop.
    pub message: String,
    /// The places that cause it, each with the first line of the file that differs for this reason, counted from 1: several
    /// places if several lines of the specs changed, none if the output itself did.
    pub places: Vec<(Place, Option<usize>)>,
    /// The first line of the file that differs, counted from 1.
    pub drifted_line: Option<usize>,
    /// The element of a spec that an edited line should show, if that can be told.
    pub shows: Option<Span>,
    /// The actual and the expected text, if there is something to compare.
    pub texts: Option<Texts>,
    /// The fix.
    pub fix: Fix,
}

/// Two texts to compare. If they differ elsewhere, their digests are made equal to reduce noise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Texts {
    /// The text on the disk: the whole file, or a region with a few lines around it.
    pub found: String,
    /// The expected text.
    pub expected: String,
    /// The line of the file at which both texts begin, counted from 1.
    pub first_line: usize,
    /// The specs that it is generated from, as headers name them.
    pub origin: String,
}

/// The place that a finding points at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// A line of a spec, with a label.
    Spec(Span, &'static str),
    /// A spec, if the line cannot be told.
    WholeSpec(SourceId),
    /// A marker in a page.
    Page(Box<Diagnostic>),
}

/// The kinds of incorrect outputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The file does not exist, or the region is still empty.
    Missing,
    /// The output is unedited, and the spec has changed since.
    Stale,
    /// The output was edited.
    Edited,
    /// No spec provides the output any more.
    Orphaned,
    /// The markers of a region do not fit together.
    Marker,
    /// A region has a name that the generator does not provide.
    UnknownRegion,
}

impl Kind {
    /// Every kind, in the order of summaries.
    pub const ALL: [Kind; 6] = [Kind::Missing, Kind::Stale, Kind::Edited, Kind::Orphaned, Kind::Marker, Kind::UnknownRegion];

    /// The code shown in messages.
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

    /// The noun that summaries count.
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

/// The fix for a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fix {
    /// The command.
    Command,
    /// The command with `--force`: manual edits are lost.
    Force,
    /// The command with `--remove` and the file's path: no part of the file is known to be generated.
    Remove,
    /// A manual change.
    Hand,
}

impl Fix {
    /// Whether a finding of this kind prevents the whole plan from being applied.
    pub fn blocks(self, force: bool) -> bool {
        match self {
            Fix::Command => false,
            Fix::Force => !force,
            Fix::Remove | Fix::Hand => true,
        }
    }
}
