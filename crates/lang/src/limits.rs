//! Every limit on what a project may contain and expand to. Input larger than any person would write, or that expands
//! to more than any person would read, is refused before it costs time or memory.

/// The maximum size of one spec file, in bytes.
pub const SPEC: usize = 8 << 20;
/// The maximum nesting of maps and lists.
pub const LEVELS: usize = 48;
/// The maximum number of values in one spec.
pub const VALUES: usize = 600_000;
/// The maximum number of entries of one map or list.
pub const ENTRIES: usize = 100_000;
/// The maximum length of a label or wire name, in bytes: each is repeated wherever its element is shown.
pub const LABEL: usize = 500;
/// The maximum number of fields of a machine, and of fields of a payload: every step copies them.
pub const FIELDS: usize = 1_000;
/// The maximum number of declarations of one other kind in a machine: constants, effects, predicates, actors, values of an enum.
pub const DECLARED: usize = 3_000;
/// The number of errors that are kept.
pub const ERRORS: usize = 2_000;

/// A limit on what text expands to: a number that every project has, and more for a larger one.
#[derive(Debug, Clone, Copy)]
pub struct Expansion {
    /// The thing that is counted, in the plural.
    what: &'static str,
    /// The number for any project, however small.
    any: usize,
    /// The number for each KiB of text.
    per_kib: usize,
}

/// The edges of a machine: rows times sources, events and targets.
pub const EDGES: Expansion = Expansion { what: "edges of a machine", any: 20_000, per_kib: 64 };
/// The values of attributes and the sort keys, for each state.
pub const ATTRIBUTES: Expansion =
    Expansion { what: "values of attributes, and sort keys, of all states of a machine", any: 20_000, per_kib: 64 };
/// The pairs of a state and an event, which tables of acceptance and conformance tests list.
pub const PAIRS: Expansion = Expansion { what: "pairs of a state and an event of a machine", any: 100_000, per_kib: 1 << 10 };
/// The leaves of other regions that edges leave.
pub const CROSSED: Expansion =
    Expansion { what: "leaves of other regions that the edges of a machine leave", any: 100_000, per_kib: 1 << 10 };
/// The declarations that machines copy from shared files.
pub const SHARED: Expansion = Expansion { what: "declarations and values that machines take from shared files", any: 50_000, per_kib: 256 };
/// The bytes that constants, inherited attributes and repeated rows add to the texts of a spec.
pub const TEXT: Expansion = Expansion { what: "bytes that a spec adds by repeating its texts", any: 1 << 20, per_kib: 4 << 10 };
/// The bytes of the views of all documents, by estimate.
pub const VIEWS: Expansion = Expansion { what: "bytes of the views of all documents, by estimate", any: 4 << 20, per_kib: 32 << 10 };
/// The bytes of all outputs of a run.
pub const OUTPUTS: Expansion = Expansion { what: "bytes of the outputs of a run", any: 8 << 20, per_kib: 64 << 10 };
/// The cases of the conformance tests of a machine, by estimate: one for each leaf that an edge may lead to.
pub const CASES: Expansion = Expansion { what: "cases of the conformance tests of a machine, by estimate", any: 20_000, per_kib: 64 };
/// The instructions that one template may execute.
pub const INSTRUCTIONS: Expansion = Expansion { what: "instructions that a template executes", any: 2_000_000, per_kib: 20_000 };
/// The bytes that one template may write.
pub const TEMPLATE: Expansion = Expansion { what: "bytes that a template writes", any: 8 << 20, per_kib: 64 << 10 };

impl Expansion {
    /// The limit for a text of this size.
    pub fn of(self, n_bytes: usize) -> usize {
        self.any.max((n_bytes / 1024).saturating_mul(self.per_kib))
    }

    /// The complaint about a number, if it exceeds the limit for a text of this size.
    pub fn exceeded(self, n_found: usize, n_bytes: usize) -> Option<String> {
        let limit = self.of(n_bytes);
        (n_found > limit).then(|| format!("at least {n_found} {}; {limit} are allowed", self.what))
    }
}

/// The limits as a table for the docs.
pub fn region() -> crate::output::Region {
    let fixed = [
        ("bytes of a spec", SPEC),
        ("levels of maps and lists", LEVELS),
        ("values of a spec", VALUES),
        ("entries of a map or list", ENTRIES),
        ("bytes of a label or wire name", LABEL),
        ("fields of a machine, or of a payload", FIELDS),
        ("constants, effects, predicates or actors of a machine, or values of an enum", DECLARED),
        ("errors that a run keeps", ERRORS),
    ];
    let expansions = [EDGES, ATTRIBUTES, PAIRS, CROSSED, SHARED, TEXT, VIEWS, OUTPUTS, CASES, INSTRUCTIONS, TEMPLATE];
    let mut text = String::from("| The number of | At most | Or, for each KiB of specs |\n| --- | ---: | ---: |\n");
    for (what, limit) in fixed {
        text.push_str(&format!("| {what} | {} | |\n", grouped(limit)));
    }
    for it in expansions {
        text.push_str(&format!("| {} | {} | {} |\n", it.what, grouped(it.any), grouped(it.per_kib)));
    }
    crate::output::Region { text, origin: None, blame: crate::output::Blame::default() }
}

/// `1,048,576`
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> = digits.as_bytes().rchunks(3).rev().filter_map(|it| std::str::from_utf8(it).ok()).collect();
    groups.join(",")
}
