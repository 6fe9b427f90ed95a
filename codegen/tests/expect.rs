//! Hand-written texts in many languages against a machine: a change that is found, and one that is none.

use std::path::Path;

use statespec_codegen::diagnostic::{Style, render};
use statespec_codegen::expect::{Checked, check, has_marker};
use statespec_codegen::source::Input;
use statespec_lang::lower::load;

const ORDER: &str = "\
machine: order
states:
  draft: { initial: true }
  in_review: { label: In review }
  paid: { wire: PAID_IN_FULL }
  closed: { terminal: true }
events: { submit:, pay:, archive: { aliases: [store] } }
enums:
  channel: [web, shop, phone]
constants:
  limit: 100
  share: 0.25
  patience: 30s
  greeting: \"Hello, you\"
transitions:
  - { from: draft, event: submit, to: in_review }
  - { from: in_review, event: pay, to: paid }
  - { from: in_review, event: submit, to: draft }
  - { from: [draft, paid], event: archive, to: closed }
";

/// The findings about a text, as a person reads them.
fn findings(path: &str, text: &str) -> String {
    let (checked, shown) = checked(ORDER, path, text);
    assert!(checked.n_checked + checked.findings.len() > 0, "{path}: no marker was found");
    shown
}

/// What the comparison with the machine of a spec found in a text, also as a person reads it.
fn checked(spec: &str, path: &str, text: &str) -> (Checked, String) {
    let mut loaded = load(&[Input { path: "machines/order.yaml".into(), text: spec.into() }]);
    let model = loaded.model.unwrap_or_else(|| panic!("{}", render(&loaded.sources, &loaded.diagnostics, Style::Plain)));
    let id = loaded.sources.add(path, text);
    let checked = check(&loaded.sources, id, &model);
    let shown = render(&loaded.sources, &checked.findings, Style::Plain);
    (checked, shown)
}

/// A file, an edit of it that is drift, and an edit that is none.
struct Case {
    path: &'static str,
    text: &'static str,
    drift: (&'static str, &'static str),
    same: (&'static str, &'static str),
}

const CASES: &[Case] = &[
    Case {
        path: "migrations/1.sql",
        text: "\
CREATE TABLE orders (
  id bigint PRIMARY KEY,
  status text NOT NULL DEFAULT 'draft',
  -- statespec:expect order.states
  CONSTRAINT known CHECK (status IN ('draft', 'in_review', 'paid', 'closed')) -- not 'gone'
  -- statespec:end
);
",
        drift: ("'paid', ", ""),
        same: ("'in_review'", "'IN-REVIEW'"),
    },
    Case {
        path: "web/order.ts",
        text: "\
// statespec:expect order.states
export type OrderStatus =
  | \"draft\"
  | \"in_review\"
  | \"paid\"
  | \"closed\";
// statespec:end
",
        drift: ("  | \"closed\"", "  | \"closed\"\n  | \"refunded\""),
        same: ("\"in_review\"", "\"inReview\""),
    },
    Case {
        path: "web/enum.ts",
        text: "\
// statespec:expect order.states
export enum OrderStatus {
  Draft = 0,
  InReview = 1,
  Paid = 2, // 'gone' is no state
  Closed = 3,
}
// statespec:end
",
        drift: ("Closed = 3", "Closed = 3,\n  Gone = 4"),
        same: ("InReview", "IN_REVIEW"),
    },
    Case {
        path: "app/order.py",
        text: "\
class OrderStatus(StrEnum):
    # statespec:expect order.states
    DRAFT = \"draft\"
    IN_REVIEW = \"in_review\"
    PAID = \"PAID_IN_FULL\"
    CLOSED = \"closed\"
    # statespec:end
",
        drift: ("    CLOSED = \"closed\"\n", ""),
        same: ("PAID_IN_FULL", "paid"),
    },
    Case {
        path: "order.go",
        text: "\
const (
\tStatusUnknown Status = iota
\t// statespec:expect order.states
\tStatusDraft
\tStatusInReview
\tStatusPaid
\tStatusClosed
\t// statespec:end
)
",
        drift: ("\tStatusPaid\n", "\tStatusPayed\n"),
        same: ("StatusInReview", "StatusIn_Review"),
    },
    Case {
        path: "api/openapi.yaml",
        text: "\
Order:
  properties:
    status:
      type: string
      # statespec:expect order.states
      enum:
        - draft
        - in_review # by a person
        - paid
        - closed
      # statespec:end
",
        drift: ("- paid", "- payed"),
        same: ("- in_review", "- in-review"),
    },
    Case {
        path: "api/flow.yml",
        text: "\
status:
  type: string
  # statespec:expect order.states
  enum: [draft, in_review, paid, closed]
  # statespec:end
",
        drift: ("closed]", "closed, gone]"),
        same: ("in_review", "InReview"),
    },
    Case {
        path: "api/order.proto",
        text: "\
enum OrderStatus {
  ORDER_STATUS_UNSPECIFIED = 0;
  // statespec:expect order.states
  ORDER_STATUS_DRAFT = 1;
  ORDER_STATUS_IN_REVIEW = 2;
  ORDER_STATUS_PAID = 3;
  ORDER_STATUS_CLOSED = 4;
  // statespec:end
}
",
        drift: ("ORDER_STATUS_CLOSED = 4", "ORDER_STATUS_CLOSED = 4;\n  ORDER_STATUS_GONE = 5"),
        same: ("ORDER_STATUS_PAID", "ORDER_STATUS_PAID_IN_FULL"),
    },
    Case {
        path: "docs/prose.md",
        text: "\
# Orders

<!-- statespec:expect order.states -->
An order begins as `draft`.
Somebody looks at it while it is `in_review`; run `ship --now` then.
It is `paid` and at last `closed`.
<!-- statespec:end -->
",
        drift: ("at last `closed`", "at last `archived`"),
        same: ("`in_review`", "`In review`"),
    },
    Case {
        path: "docs/table.md",
        text: "\
<!-- statespec:expect order.states -->

| State | Meaning |
| --- | --- |
| `draft` | Not sent. |
| In review | Somebody looks at it. |
| **paid** | `draft` no more. |
| closed | Over. |

<!-- statespec:end -->
",
        drift: ("| closed | Over. |\n", ""),
        same: ("| In review |", "| IN_REVIEW |"),
    },
    Case {
        path: "docs/list.md",
        text: "\
<!-- statespec:expect order.events -->

- submit: somebody sends it
- pay – the money arrives
- archive (by the clerk)

<!-- statespec:end -->
",
        drift: ("- pay –", "- charge –"),
        same: ("- archive (", "- Store ("),
    },
    Case {
        path: "Order.java",
        text: "\
public enum OrderStatus {
    // statespec:expect order.states
    DRAFT(\"Entwurf\", Colour.GREY),
    IN_REVIEW(\"In Prüfung\", Colour.BLUE),
    @Deprecated
    PAID(\"Bezahlt\", Colour.GREEN),
    CLOSED(\"Zu\", Colour.BLACK);
    // statespec:end
}
",
        drift: ("PAID(", "SETTLED("),
        same: ("IN_REVIEW(", "INREVIEW("),
    },
    Case {
        path: "Wire.java",
        text: "\
public enum OrderStatus {
    // statespec:expect order.states
    DRAFT(\"draft\", \"grey\"),
    IN_REVIEW(\"in_review\", \"blue\"),
    PAID(\"paid\", \"green\"),
    CLOSED(\"closed\", \"black\"),
    // statespec:end
    UNKNOWN(\"\", \"\");
}
",
        drift: ("    PAID(", "    GONE(\"gone\", \"red\"),\n    PAID("),
        same: ("\"blue\"", "\"light-blue\""),
    },
    Case {
        path: "docs/order.rst",
        text: "\
.. An order isn't paid before somebody has looked at it.

// statespec:expect order.states
It begins as ``draft``, can't be ``paid`` before it was ``in-review``, and is ``closed``.
// statespec:end
",
        drift: ("``closed``", "``over``"),
        same: ("``draft``", "``Draft``"),
    },
    Case {
        path: "Order.kt",
        text: "\
// statespec:expect order.states
enum class OrderStatus { DRAFT, IN_REVIEW, PAID, CLOSED }
// statespec:end
",
        drift: ("PAID, ", ""),
        same: ("IN_REVIEW", "InReview"),
    },
    Case {
        path: "Order.cs",
        text: "\
/* statespec:expect order.enums.channel */
public enum Channel : byte
{
    Web = 1,
    Shop = 2,
    Phone = 3,
}
/* statespec:end */
",
        drift: ("Phone = 3,", "Phone = 3,\n    Fax = 4,"),
        same: ("Phone", "PHONE"),
    },
    Case {
        path: "schema.graphql",
        text: "\
enum OrderStatus {
  # statespec:expect order.states except draft
  IN_REVIEW
  PAID
  CLOSED
  # statespec:end
}
",
        drift: ("  PAID\n", "  PAID\n  DRAFT\n"),
        same: ("CLOSED", "closed"),
    },
    Case {
        path: "order.rs",
        text: "\
// statespec:expect order.states
#[derive(Debug, Clone)]
pub enum Status {
    /// Not sent.
    #[serde(rename = \"d\")]
    Draft,
    InReview { by: String },
    Paid(Money, Date),
    Closed,
}
// statespec:end
",
        drift: ("    Closed,\n", "    Closed,\n    Gone,\n"),
        same: ("Draft,", "DRAFT,"),
    },
    Case {
        path: "order.rb",
        text: "\
# statespec:expect order.states
STATES = %i[draft in_review paid closed].freeze
# statespec:end
",
        drift: ("paid ", ""),
        same: ("in_review", "IN_REVIEW"),
    },
    Case {
        path: "edges.ts",
        text: "\
// statespec:expect order.edges
export const next: Record<Status, Status[]> = {
  draft: ['in_review', 'closed'],
  in_review: ['paid', 'draft'],
  paid: ['closed'],
  closed: [],
};
// statespec:end
",
        drift: ("closed: []", "closed: ['draft']"),
        same: ("in_review: [", "inReview: ["),
    },
    Case {
        path: "edges.go",
        text: "\
// statespec:expect order.edges
var next = map[Status][]Status{
\tStatusDraft:    {StatusInReview, StatusClosed},
\tStatusInReview: {StatusPaid, StatusDraft},
\tStatusPaid:     {StatusClosed},
}
// statespec:end
",
        drift: ("{StatusPaid, StatusDraft}", "{StatusPaid}"),
        same: ("{StatusInReview, StatusClosed}", "{StatusClosed, StatusInReview}"),
    },
    Case {
        path: "edges.py",
        text: "\
# statespec:expect order.edges
NEXT = {
    Status.DRAFT: {Status.IN_REVIEW, Status.CLOSED},
    Status.IN_REVIEW: frozenset([Status.PAID, Status.DRAFT]),
    Status.PAID: [Status.CLOSED],
}
# statespec:end
",
        drift: ("    Status.PAID: [Status.CLOSED],\n", "    Status.PAID: [Status.DRAFT],\n"),
        same: ("{Status.IN_REVIEW, Status.CLOSED}", "[Status.CLOSED, Status.IN_REVIEW]"),
    },
    Case {
        path: "edges.sql",
        text: "\
INSERT INTO allowed VALUES
-- statespec:expect order.edges
  ('draft', 'in_review'),
  ('in_review', 'paid'),
  ('in_review', 'draft'),
  ('draft', 'closed'), ('paid', 'closed')
-- statespec:end
;
",
        drift: ("('paid', 'closed')", "('closed', 'paid')"),
        same: ("('paid', 'closed')", "('PAID', 'closed')"),
    },
    Case {
        path: "docs/edges.md",
        text: "\
<!-- statespec:expect order.edges -->

| From | On | To |
| --- | --- | --- |
| `draft` | submit | `in_review` |
| `in_review` | pay | `paid` |
| `in_review` | submit | `draft` |
| `draft`, `paid` | archive | `closed` |

<!-- statespec:end -->
",
        drift: ("| `in_review` | submit | `draft` |\n", ""),
        same: ("| `in_review` | pay", "| In-Review | pay"),
    },
    Case {
        path: "docs/drawing.md",
        text: "\
<!-- statespec:expect order.edges -->

```mermaid
stateDiagram-v2
    [*] --> draft
    draft --> in_review: submit
    in_review --> paid: pay
    in_review --> draft: submit
    draft --> closed: archive
    paid --> closed: archive
    closed --> [*]
```

<!-- statespec:end -->
",
        drift: ("paid --> closed", "paid --> draft"),
        same: ("draft --> in_review: submit", "draft --> in_review: send it"),
    },
    Case {
        path: "limits.ts",
        text: "\
// statespec:expect order.constants.limit
export const LIMIT = 100; // before: 90
// statespec:end
// statespec:expect order.constants.patience
export const PATIENCE_MS = 30_000;
// statespec:end
",
        drift: ("LIMIT = 100", "LIMIT = 200"),
        same: ("30_000", "30000"),
    },
    Case {
        path: "docs/limits.md",
        text: "\
<!-- statespec:expect order.constants.share -->
A quarter, **25%**, is paid at once.
<!-- statespec:end -->

<!-- statespec:expect order.constants.patience -->
After 30 seconds it gives up.
<!-- statespec:end -->
",
        drift: ("30 seconds", "30 minutes"),
        same: ("25%", "0.25"),
    },
    Case {
        path: "greeting.py",
        text: "\
# statespec:expect order.constants.greeting
GREETING = 'Hello, you'
# statespec:end
",
        drift: ("Hello, you", "Hello"),
        same: ("GREETING", "WELCOME"),
    },
];

fn edited(case: &Case, (from, to): (&str, &str)) -> String {
    assert!(case.text.contains(from), "{} has no {from:?}", case.path);
    case.text.replacen(from, to, 1)
}

#[test]
fn texts_that_agree_cause_nothing() {
    for case in CASES {
        assert_eq!(findings(case.path, case.text), "", "{}", case.path);
        assert_eq!(findings(case.path, &edited(case, case.same)), "", "{}: {:?}", case.path, case.same);
        let windows = case.text.replace('\n', "\r\n");
        assert_eq!(findings(case.path, &windows), "", "{} with CRLF", case.path);
    }
}

#[test]
fn drift_is_found_in_both_places() {
    let mut all = String::new();
    for case in CASES {
        let found = findings(case.path, &edited(case, case.drift));
        assert!(found.contains("error[expect::") && found.contains("machines/order.yaml:"), "{}: {found}", case.path);
        all.push_str(&format!("# {}: {:?}\n{found}\n", case.path, case.drift));
    }
    insta::assert_snapshot!("drift", all);
}

#[test]
fn markers_that_do_not_fit() {
    let cases = [
        ("a.sql", "-- statespec:expect order.states\n'draft'\n"),
        ("b.sql", "-- statespec:end\n-- statespec:expect order.enums.chanel\n-- statespec:end\n"),
        ("c.ts", "let a = 1; // statespec:expect order.states\n// statespec:end\n"),
        ("d.ts", "// statespec:expect ordr.states\n// statespec:end\n// statespec:expect order.state\n// statespec:end\n"),
        ("e.ts", "// statespec:expect order.states\n// statespec:expect order.events\nsubmit, pay, archive\n// statespec:end\n"),
        ("f.py", "# statespec:expect order.states except gone\n# statespec:end\n# statespec:expects order.states\n"),
        ("g.md", "<!-- statespec:expect order.states -->\nNothing of all this.\n<!-- statespec:end -->\n"),
        (
            "h.py",
            "# statespec:expect order.edges\n'draft', 'closed'\n# statespec:end\n# statespec:expect order.constants.limit\n# statespec:end\n",
        ),
    ];
    let all: Vec<String> = cases.iter().map(|(path, text)| format!("# {path}\n{}", findings(path, text))).collect();
    insta::assert_snapshot!("markers", all.join("\n"));
}

#[test]
fn a_review_lasts_until_the_meaning_changes() {
    let digest = |spec: &str| {
        let mut loaded = load(&[Input { path: "machines/order.yaml".into(), text: spec.into() }]);
        let model = loaded.model.unwrap_or_else(|| panic!("{}", render(&loaded.sources, &loaded.diagnostics, Style::Plain)));
        let id = loaded.sources.add("a.md", "<!-- statespec:reviewed order@0 -->\n");
        assert_eq!(check(&loaded.sources, id, &model).findings.len(), 1);
        statespec_codegen::expect::digest(&model.machines[0])
    };
    let edit = |from: &str, to: &str| {
        assert!(ORDER.contains(from), "{from}");
        ORDER.replacen(from, to, 1)
    };
    let now = digest(ORDER);
    assert_eq!(now, "8f6897f7ea2029f9", "another digest asks everybody to read everything again");
    for (from, to) in [
        ("machine: order\n", "machine: order\ntitle: Orders\ndoc: All of them.\nnotes: [They are many.]\n"),
        ("label: In review", "label: Being reviewed"),
        ("{ terminal: true }", "{ terminal: true, doc: Over and done. }"),
        ("to: paid }", "to: paid, label: money, doc: It arrives. }"),
        ("{ submit:, pay:,", "{ pay:, submit:,"),
        (
            "  - { from: draft, event: submit, to: in_review }\n  - { from: in_review, event: pay, to: paid }\n",
            "  - { from: in_review, event: pay, to: paid }\n  - { from: draft, event: submit, to: in_review }\n",
        ),
        (
            "  - { from: [draft, paid], event: archive, to: closed }\n",
            "  - { from: draft, event: archive, to: closed }\n  - { from: paid, event: archive, to: closed }\n",
        ),
    ] {
        assert_eq!(digest(&edit(from, to)), now, "{to}");
    }
    for (from, to) in [
        ("  closed: { terminal: true }", "  closed:"),
        ("wire: PAID_IN_FULL", "wire: PAID"),
        ("limit: 100", "limit: 90"),
        ("event: pay, to: paid", "event: pay, to: closed"),
        ("event: submit, to: draft", "event: submit, to: draft, when: true"),
        ("[web, shop, phone]", "[web, shop]"),
        ("  - { from: in_review, event: submit, to: draft }\n", ""),
    ] {
        assert_ne!(digest(&edit(from, to)), now, "{to}");
    }
}

/// The digest of the only machine of a spec.
fn digest(spec: &str) -> String {
    let loaded = load(&[Input { path: "machines/m.yaml".into(), text: spec.into() }]);
    let model = loaded.model.unwrap_or_else(|| panic!("{}", render(&loaded.sources, &loaded.diagnostics, Style::Plain)));
    statespec_codegen::expect::digest(&model.machines[0])
}

#[test]
fn a_guard_in_other_words_is_no_other_meaning() {
    let guarded = |guard: &str| {
        digest(&format!(
            "machine: m\nconstants: {{ limit: 100 }}\ncontext: {{ n: int, t: {{ type: text, optional: true }} }}\npredicates: {{ p: {{}} }}\n\
             states: {{ a: {{ initial: true }}, b: {{ terminal: true }} }}\nevents: {{ e: {{ payload: {{ amount: int }} }} }}\ntransitions:\n  \
             - {{ from: a, event: e, when: '{guard}', to: b }}\n"
        ))
    };
    for alike in [
        &[
            "amount <= limit",
            "limit >= amount",
            "not (amount > limit)",
            "not (not (amount <= limit))",
            "amount <= limit and amount <= limit",
        ][..],
        &["p and n > 3", "n > 3 and p", "3 < n and p", "not (not p or n <= 3)"],
        &["p or n == 1 or t == null", "t == null or (p or 1 == n)", "not (n != 1 and not p and t != null)"],
        &["1 / n > 2 and p"],
        // Which is asked first decides whether it divides by zero.
        &["p and 1 / n > 2"],
        &["amount < limit"],
        &["p and n > 3 or amount < limit"],
        &["p and (n > 3 or amount < limit)"],
    ] {
        let digests: Vec<String> = alike.iter().map(|it| guarded(it)).collect();
        assert!(digests.iter().all(|it| *it == digests[0]), "{alike:?}: {digests:?}");
    }
    let different =
        ["amount <= limit", "amount < limit", "amount >= limit", "p and n > 3", "p or n > 3", "1 / n > 2 and p", "p and 1 / n > 2"];
    let digests: std::collections::BTreeSet<String> = different.iter().map(|it| guarded(it)).collect();
    assert_eq!(digests.len(), different.len());
}

#[test]
fn regions_in_another_order_are_another_meaning() {
    let of = |regions: [&str; 2], inside: [&str; 2]| {
        digest(&format!(
            "machine: m\nallow: {{ racing-assignments: on purpose }}\ncontext: {{ n: int }}\nstates:\n  off: {{ initial: true }}\n  on: {{ regions: \
             {{ {}, {} }} }}\n  group: {{ states: {{ {}, {} }} }}\nevents: [start, go, sort]\ntransitions:\n  - {{ from: off, event: start, to: on }}\n  \
             - {{ from: a, event: go, to: b, set: {{ n: 2 }} }}\n  - {{ from: c, event: go, to: d, set: {{ n: 1 }} }}\n  \
             - {{ from: off, event: sort, to: group }}\n",
            regions[0], regions[1], inside[0], inside[1]
        ))
    };
    let (r, q) = ("r: { states: { a: { initial: true }, b: {} } }", "q: { states: { c: { initial: true }, d: {} } }");
    let (x, y) = ("x: { initial: true }", "y: {}");
    assert_ne!(of([r, q], [x, y]), of([q, r], [x, y]));
    // States of which one is active are no such list.
    assert_eq!(of([r, q], [x, y]), of([r, q], [y, x]));
    let top = |first: &str, second: &str| {
        digest(&format!(
            "machine: m\nregions: {{ {first}, {second} }}\nevents: [go]\ntransitions:\n  - {{ from: a, event: go, to: b }}\n  - {{ from: c, event: go, to: d }}\n"
        ))
    };
    assert_ne!(top(r, q), top(q, r));
}

#[test]
fn reviews_of_unknown_machines_and_other_versions() {
    let all = [
        "<!-- statespec:reviewed order -->\n",
        "<!-- statespec:reviewed order@0123456789abcdef -->\n",
        "<!-- statespec:reviewed ordr@0 -->\n",
    ];
    let all: Vec<String> = all.iter().map(|it| findings("docs/a.md", it)).collect();
    insta::assert_snapshot!("reviews", all.join("\n"));
}

/// A machine with these states, each as a key with its value.
fn with_states(states: &[&str]) -> String {
    let states: String = states.iter().map(|it| format!("  {it}\n")).collect();
    format!("machine: order\nstates:\n{states}transitions: []\n")
}

#[test]
fn markers_are_comments_of_many_languages() {
    let spec = with_states(&["open: { initial: true }", "shut:"]);
    for line in ["-- {}", "// {}", "# {}", "/* {} */", "  * {}", "<!-- {} -->", "(* {} *)", "{# {} #}", "{/* {} */}", "; {}"] {
        for end in ["\n", "\r\n"] {
            let marker = |it: &str| line.replace("{}", it);
            let text = |names: &str| [&marker("statespec:expect order.states"), names, &marker("statespec:end"), ""].join(end);
            let (found, shown) = checked(&spec, "list.txt", &text("open, shut"));
            assert_eq!((found.n_checked, shown.as_str()), (1, ""), "{line}");
            let (found, shown) = checked(&spec, "list.txt", &text("open"));
            assert_eq!((found.n_checked, found.findings.len()), (1, 1), "{line}: {shown}");
        }
    }
    let (found, shown) = checked(&spec, "list.py", "# statespec:reviewed order@12\n");
    assert_eq!((found.n_checked, found.findings.len()), (1, 1), "{shown}");
}

#[test]
fn a_text_about_markers_has_none() {
    let spec = with_states(&["open: { initial: true }", "shut:"]);
    let page = "`<!-- statespec:expect a.states -->`\n\n```md\n<!-- statespec:expect a.states -->\n```\n\n<!-- statespec:begin a.table -->\n<!-- statespec:end a.table -->\n";
    for (path, text) in [
        ("a.ts", "let a = \"// statespec:expect x.states\";"),
        ("a.ts", "the marker statespec:expect x"),
        ("a.ts", "print('# statespec:expect')"),
        ("a.md", page),
    ] {
        let (found, shown) = checked(&spec, path, text);
        assert_eq!((found.n_checked, shown.as_str()), (0, ""), "{text}");
    }
    let (found, _) = checked(&spec, "a.sql", "CREATE TABLE a ( -- statespec:expect a.states");
    assert_eq!(found.findings[0].message, "a marker stands alone on its line");
    let (found, _) = checked(&spec, "a.py", "# statespec:expects a.states");
    assert_eq!(found.findings[0].message, "there is no marker `statespec:expects`");
}

/// The names of a text are those of all states: none is missing, and none is too much.
#[test]
fn comments_quotes_and_names_are_told_apart() {
    for (path, text, states) in [
        ("a.ts", "a // 'b'\nc /* \"d\" */ 'e // f'", &["a: { initial: true }", "c:"][..]),
        ("a.ts", "a // 'b'\nc /* \"d\" */ 'e // f'", &["e_f: { initial: true, label: e // f }"]),
        ("a.sql", "a -- it's\n'b'", &["b: { initial: true }"]),
        ("a.sql", "a -- it's\n'b'", &["a: { initial: true }"]),
        ("a.txt", "it isn't ``b``, can't", &["b: { initial: true }"]),
        ("a.py", "a # \"b\"\n'it\\'s' 'é'", &["é: { initial: true }"]),
        (
            "a.txt",
            "in-progress a --> b, Status.OPEN State::Shut 12 x1 a - b",
            &["in-progress: { initial: true }", "a:", "b:", "open:", "shut:", "x1:"],
        ),
    ] {
        let marker = |it: &str| match path.rsplit_once('.').unwrap().1 {
            "ts" => format!("// {it}"),
            "sql" => format!("-- {it}"),
            _ => format!("# {it}"),
        };
        let text = format!("{}\n{text}\n{}\n", marker("statespec:expect order.states"), marker("statespec:end"));
        let (found, shown) = checked(&with_states(states), path, &text);
        assert_eq!((found.n_checked, shown.as_str()), (1, ""), "{text}");
    }
}

#[test]
fn what_cannot_be_read_is_not_taken_for_a_file_without_markers() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    assert!(has_marker(folder).is_err(), "a folder has no contents");
    assert!(!has_marker(&folder.join("gone")).unwrap());
    assert!(!has_marker(&folder.join("Cargo.toml")).unwrap());
    assert!(has_marker(&folder.join("tests/expect.rs")).unwrap());
}
