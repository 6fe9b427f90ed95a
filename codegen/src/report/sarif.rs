//! SARIF 2.1.0: the subset that code scanning services read.

use serde::Serialize;
use statespec_lang::diagnostic::{Code, Level};

use super::Status;
use super::{Annotation, AuditSummary, Place, Report};

/// A whole log with its single run.
pub(super) fn log(report: &Report) -> Log<'_> {
    let rules = Code::ALL.iter().map(|code| Rule::of(*code)).collect();
    Log {
        schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        version: "2.1.0",
        runs: [Run {
            tool: Tool { driver: Driver::new(rules) },
            invocations: [Invocation {
                execution_successful: !matches!(report.status, Status::CouldNotRun | Status::Misused),
                exit_code: report.status.exit_code(),
            }],
            // Our columns count characters, not UTF-16 units.
            column_kind: "unicodeCodePoints",
            results: report.annotations.iter().map(Finding::of).collect(),
            properties: (!report.audits.is_empty()).then_some(Properties { audits: &report.audits }),
        }],
    }
}

#[derive(Debug, Serialize)]
pub(super) struct Log<'a> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run<'a>; 1],
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<'a> {
    tool: Tool,
    invocations: [Invocation; 1],
    column_kind: &'static str,
    results: Vec<Finding<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    properties: Option<Properties<'a>>,
}

/// What the standard has no place for, in its property bag.
#[derive(Debug, Serialize)]
struct Properties<'a> {
    audits: &'a [AuditSummary],
}

#[derive(Debug, Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    version: &'static str,
    semantic_version: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    information_uri: Option<&'static str>,
    rules: Vec<Rule>,
}

impl Driver {
    fn new(rules: Vec<Rule>) -> Self {
        let version = env!("CARGO_PKG_VERSION");
        Driver { name: "statespec", version, semantic_version: version, information_uri: crate::repository(), rules }
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: bool,
    exit_code: u8,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: &'static str,
    short_description: Message<'static>,
    full_description: Message<'static>,
    help: OwnedMessage,
    default_configuration: Configuration,
}

#[derive(Debug, Serialize)]
struct Configuration {
    level: &'static str,
}

impl Rule {
    fn of(code: Code) -> Self {
        let level = match code.level() {
            Level::Error => "error",
            Level::Warning => "warning",
        };
        Rule {
            id: code.id(),
            short_description: Message { text: code.summary() },
            full_description: Message { text: code.explanation() },
            help: OwnedMessage { text: code.explain() },
            default_configuration: Configuration { level },
        }
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Finding<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    rule_id: Option<&'static str>,
    level: &'static str,
    message: OwnedMessage,
    locations: [Location<'a>; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Location<'a>>,
}

#[derive(Debug, Serialize)]
struct Message<'a> {
    text: &'a str,
}

#[derive(Debug, Serialize)]
struct OwnedMessage {
    text: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Location<'a> {
    physical_location: PhysicalLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Message<'a>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    region: TextRegion,
}

#[derive(Debug, Serialize)]
struct ArtifactLocation {
    uri: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct TextRegion {
    start_line: usize,
    start_column: usize,
    end_line: usize,
    end_column: usize,
}

impl<'a> Finding<'a> {
    fn of(annotation: &'a Annotation) -> Self {
        let drifted = annotation.outputs.iter().filter(|it| it.file != annotation.place.file);
        let outputs = drifted.map(|it| Location::of(&Place::line(&it.file, it.any_line().unwrap_or(1)), "the output"));
        let related = annotation.related.iter().map(|it| Location::of(&it.place, &it.label));
        Finding {
            rule_id: annotation.code,
            level: annotation.level,
            message: OwnedMessage { text: annotation.full_message() },
            locations: [Location::of(&annotation.place, &annotation.label)],
            related_locations: outputs.chain(related).collect(),
        }
    }
}

impl<'a> Location<'a> {
    fn of(place: &Place, label: &'a str) -> Self {
        let region =
            TextRegion { start_line: place.line, start_column: place.column, end_line: place.end_line, end_column: place.end_column };
        let message = (!label.is_empty()).then_some(Message { text: label });
        Location { physical_location: PhysicalLocation { artifact_location: ArtifactLocation { uri: uri(&place.file) }, region }, message }
    }
}

/// A relative path as a URI reference: all characters except unreserved ones and slashes are escaped.
fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => uri.push(byte as char),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}
