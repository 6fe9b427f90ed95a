//! Whether a text may state something, before it is parsed: most files of a repository do not.

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use statespec_import::is_onward;
use statespec_lang::names::snake;

use super::statements::{beginning, is_of_states};

/// What the names of sets of states, and of tables of their steps, contain.
pub(super) const STEMS: [&str; 6] = ["state", "status", "phase", "stage", "lifecycle", "transition"];

/// A way in which the query of a language finds a set or a table. Whatever the query finds has a name that is declared so; the query
/// need not find something for every such name.
pub(super) struct Form {
    /// The text contains one of these, anywhere.
    needs: &'static [&'static str],
    /// Whether a name may be declared so.
    declares: fn(&Place<'_>) -> bool,
}

/// Whether a text may declare a set of states, or a table of steps, in one of these ways.
pub(super) fn may_state(forms: &[Form], text: &str) -> bool {
    let possible: Vec<&Form> = forms.iter().filter(|it| it.needs.iter().any(|it| text.contains(it))).collect();
    if possible.is_empty() {
        return false;
    }
    // Without a finder nothing is left out.
    let Some(finder) = FINDER.as_ref() else { return true };
    finder.find_iter(text).map(|it| Place::new(text, &it.range())).any(|it| possible.iter().any(|form| (form.declares)(&it)))
}

/// Whether one of the stems is in a text. Without a finder nothing is left out.
pub(super) fn has_stem(text: &str) -> bool {
    FINDER.as_ref().is_none_or(|it| it.is_match(text))
}

static FINDER: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| AhoCorasick::builder().ascii_case_insensitive(true).build(STEMS).ok());

/// `enum OrderStatus { … }`, or an enum in the declaration of one: `class OrderState { enum Value { … } }`.
pub(super) const ENUMS: &[Form] =
    &[Form { needs: &["enum"], declares: |it| it.is_behind(&["enum", "class", "message"]) && it.is_of_states() }];

pub(super) const KOTLIN: &[Form] = &[
    Form { needs: &["enum"], declares: |it| it.is_behind(&["class"]) && it.is_of_states() },
    // sealed class OrderState { object Open : OrderState() }
    Form { needs: &["sealed"], declares: |it| it.is_behind(&["class", "interface"]) && it.is_of_states() },
];

pub(super) const GO: &[Form] = &[
    // OrderOpen OrderStatus = "open"
    Form { needs: &["const"], declares: |it| it.is_behind_a_name() && it.value('=').is_some() && it.is_of_states() },
    // OrderStatusOpen = "open"
    Form { needs: &["const"], declares: |it| it.value('=').is_some_and(is_text) && beginning(it.name).is_some() },
    // var transitions = map[OrderStatus][]OrderStatus{…}
    Form { needs: &["map["], declares: |it| it.line().contains("map[") && it.is_onward() },
];

pub(super) const PYTHON: &[Form] = &[
    // class OrderStatus(str, Enum):
    Form { needs: &["Enum", "Choices"], declares: |it| it.is_behind(&["class"]) && it.is_of_states() },
    // OrderStatus = Literal["open", …]; class OrderState: value: Literal["open", …]
    Form { needs: &["Literal["], declares: |it| (it.line().contains("Literal[") || it.is_behind(&["class"])) && it.is_of_states() },
    // STATUS_CHOICES = [("open", "Open"), …]
    Form { needs: &["CHOICES"], declares: |it| it.value('=').is_some_and(|it| it.starts_with(['[', '('])) && it.is_of_states() },
    // ORDER_STATUSES = ("open", "closed")
    Form {
        needs: &["\"", "'"],
        declares: |it| {
            it.value('=').is_some_and(|it| ["[", "(", "{", "frozenset(", "set(", "tuple(", "list("].iter().any(|sign| it.starts_with(sign)))
                && it.is_of_states()
        },
    },
    // ORDER_STATUS_OPEN = "open"
    Form { needs: &["\"", "'"], declares: |it| it.value('=').is_some_and(is_text) && beginning(it.name).is_some() },
    // TRANSITIONS = {OrderStatus.OPEN: […]}
    Form { needs: &["{"], declares: |it| it.is_table() },
];

pub(super) const TYPESCRIPT: &[Form] = &[
    // enum OrderStatus { … }
    Form { needs: &["enum"], declares: |it| it.is_behind(&["enum"]) && it.is_of_states() },
    // type OrderStatus = "open" | …; interface OrderState { value: "open" | … }
    Form { needs: UNION, declares: |it| it.is_type_with_union() && it.is_of_states() },
    // status?: "open" | "closed"
    Form { needs: UNION, declares: |it| it.is_union() && it.is_of_states() },
    // const OrderStatus = { Open: "open" } as const
    Form {
        needs: &["as const"],
        declares: |it| {
            let is_list = it.value('=').is_some_and(|it| it.starts_with(['[', '{']));
            is_list && it.is_behind(VARIABLE) && it.is_of_states()
        },
    },
    // const OrderStatus = { Open: "open" }
    Form {
        needs: &["{"],
        declares: |it| {
            let is_object = it.value('=').is_some_and(|it| it.starts_with('{'));
            is_object && it.name.starts_with(char::is_uppercase) && it.is_behind(VARIABLE) && it.is_of_states()
        },
    },
    // const OrderStatus = z.enum(["open", …]); status: z.enum(["open", …]); pgEnum("order_status", …)
    Form {
        needs: &[".enum(", "pgEnum", "mysqlEnum"],
        declares: |it| {
            let is_variable = || it.is_behind(VARIABLE) && it.declaration().contains(".enum(");
            (it.is_in_quotes() || it.has_list_of_enum() || is_variable()) && it.is_of_states()
        },
    },
    // const TRANSITIONS: Record<OrderStatus, OrderStatus[]> = { open: ["closed"], … }
    Form { needs: &["["], declares: |it| it.is_table() },
];

/// The signs of a union of texts.
const UNION: &[&str] = &["|\"", "|'", "| \"", "| '", "\"|", "'|", "\" |", "' |"];
const VARIABLE: &[&str] = &["const", "let", "var"];

/// How far the value of a table may be behind its name: a type may stand between.
const MAX_TYPE: usize = 200;

/// A name that contains one of the stems.
struct Place<'t> {
    before: &'t str,
    name: &'t str,
    after: &'t str,
}

impl<'t> Place<'t> {
    fn new(text: &'t str, stem: &Range<usize>) -> Self {
        let before = text[..stem.start].trim_end_matches(is_part);
        let after = text[stem.end..].trim_start_matches(is_part);
        Place { before, name: &text[before.len()..text.len() - after.len()], after }
    }

    fn is_of_states(&self) -> bool {
        is_of_states(&snake(self.name))
    }

    fn is_onward(&self) -> bool {
        is_onward(self.name)
    }

    /// Whether one of these words is the one before the name.
    fn is_behind(&self, words: &[&str]) -> bool {
        let end = self.before.trim_end();
        end.len() < self.before.len() && words.contains(&&end[end.trim_end_matches(is_part).len()..])
    }

    /// Whether another name stands before this one, in the same line.
    fn is_behind_a_name(&self) -> bool {
        let end = self.before.trim_end_matches([' ', '\t']);
        end.len() < self.before.len() && end.ends_with(is_part)
    }

    /// The rest of the declaration of the name, and perhaps more: braces inside of it are not at the start of a line.
    fn declaration(&self) -> &'t str {
        self.after.split_once("\n}").map_or(self.after, |(own, _)| own)
    }

    /// Whether the name is that of a type of TypeScript, in whose declaration a union of texts may be. In `import { type Status }` it is
    /// declared elsewhere.
    fn is_type_with_union(&self) -> bool {
        let is_alias = || self.is_behind(&["type"]) && self.after.trim_start().starts_with(['=', '<']);
        let has_union = |declaration: &str| UNION.iter().any(|it| declaration.contains(it));
        (self.is_behind(&["interface"]) || is_alias()) && has_union(self.declaration())
    }

    /// Whether a list follows, as the argument of `enum`: `status: z.enum(["open", "closed"])`.
    fn has_list_of_enum(&self) -> bool {
        let Some(value) = self.value(':').or_else(|| self.value('=')) else { return false };
        let list = value.split_once(".enum(").filter(|it| it.0.len() < MAX_TYPE).map(|it| it.1.trim_start());
        list.is_some_and(|it| it.starts_with('['))
    }

    fn is_in_quotes(&self) -> bool {
        self.before.ends_with(['"', '\'']) && self.after.starts_with(['"', '\''])
    }

    /// The rest of the line.
    fn line(&self) -> &'t str {
        self.after.split('\n').next().unwrap_or_default()
    }

    /// The text behind a sign, if the sign follows the name. `==` is no `=`.
    fn value(&self, sign: char) -> Option<&'t str> {
        let value = self.after.trim_start().strip_prefix(sign)?;
        (!value.starts_with(sign)).then(|| value.trim_start())
    }

    /// Whether the name stands before a union of texts: `status?: "open" | "closed"`, `statuses: ("open" | "closed")[]`.
    fn is_union(&self) -> bool {
        let is_between = |it: char| matches!(it, '?' | ':' | '|' | '(' | '[') || it.is_whitespace();
        let value = self.after.trim_start_matches(is_between);
        let Some(quote) = value.chars().next().filter(|it| matches!(it, '"' | '\'')) else { return false };
        let behind = value[1..].split_once(quote).map_or("", |it| it.1.trim_start());
        // A comment may stand between; `||` is a condition.
        value.len() < self.after.len() && behind.starts_with(['|', '/']) && !behind.starts_with("||")
    }

    /// Whether the name is that of a table of steps, and a literal with braces follows, perhaps behind a type.
    fn is_table(&self) -> bool {
        let sign = self.after.char_indices().take(MAX_TYPE).find(|(_, it)| matches!(it, '=' | ';'));
        let value = sign.filter(|it| it.1 == '=').map(|(idx, _)| self.after[idx + 1..].trim_start());
        value.is_some_and(|it| it.starts_with('{') || it.starts_with("new Map")) && self.is_onward()
    }
}

fn is_text(code: &str) -> bool {
    code.starts_with(['"', '\'', '`'])
}

fn is_part(it: char) -> bool {
    it.is_alphanumeric() || it == '_'
}
