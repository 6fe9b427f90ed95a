//! Words of other languages: refusals, and texts among names of states that are no names.

use std::collections::BTreeSet;

use super::cell::Cell;
use super::known::Known;
use super::manner::Odd;
use super::phrase::words;

/// The words that refuse a step.
const REFUSALS: &[&str] = &[
    "禁止",
    "不可",
    "不允许",
    "不允許",
    "不許可",
    "금지",
    "불가",
    "verboten",
    "nicht erlaubt",
    "nicht zulässig",
    "unzulässig",
    "niet toegestaan",
    "interdit",
    "interdite",
    "non autorisé",
    "non autorisée",
    "prohibido",
    "prohibida",
    "no permitido",
    "no permitida",
    "proibido",
    "proibida",
    "não permitido",
    "vietato",
    "vietata",
    "non consentito",
    "запрещено",
    "запрещён",
    "запрещен",
    "запрещена",
    "заборонено",
    "niedozwolone",
];

/// Whether a text is such a word, alone or before a remark: `verboten (409)`. Of `不可恢复`, it is only a part.
pub(super) fn refuses(text: &str) -> bool {
    let text = text.to_lowercase();
    let bare = text.trim_start_matches(|it: char| !it.is_alphanumeric());
    let signs = ['—', '–', ':', ';', ',', '(', '.', '!', '（', '：', '；', '，', '。'];
    let ends = |rest: &str| {
        let behind = rest.trim_start_matches(['*', '_', '`', '"', ')', ']', '）']).trim_start();
        words(rest).is_empty() || behind.starts_with(signs)
    };
    REFUSALS.iter().filter_map(|it| bare.strip_prefix(it)).any(ends)
}

/// Whether a heading or a sentence says that what follows is not allowed: `Verbotene Übergänge`. Of `alle anderen sind verboten`, the
/// opposite is true.
pub(super) fn is_negative(text: &str) -> bool {
    const STEMS: &[&str] =
        &["禁止", "不允许", "不允許", "不許可", "금지", "verboten", "unzulässig", "interdit", "prohibid", "proibid", "vietat", "запрещ"];
    const OTHERS: &[&str] = &[
        "其他",
        "其它",
        "其余",
        "未列",
        "以外",
        "그 외",
        "ander",
        "sonst",
        "nicht auf",
        "autre",
        "otr",
        "outr",
        "altr",
        "друг",
        "остальн",
    ];
    let text = text.to_lowercase();
    STEMS.iter().any(|it| text.contains(it)) && !OTHERS.iter().any(|it| text.contains(it))
}

/// Whether a text has a word for states or their changes.
pub(super) fn speaks_of_states(text: &str) -> bool {
    const STEMS: &[&str] = &[
        "状态",
        "狀態",
        "状態",
        "遷移",
        "상태",
        "zustand",
        "zustände",
        "übergang",
        "übergänge",
        "état",
        "transizion",
        "transición",
        "transiciones",
        "transição",
        "transições",
        "estado",
        "stato ",
        "stati ",
        "состояни",
        "статус",
        "переход",
    ];
    let text = format!("{} ", text.to_lowercase());
    STEMS.iter().any(|it| text.contains(it))
}

/// How a table writes the names of its states.
#[derive(Debug, Default)]
pub(super) struct Style {
    /// In Latin letters.
    is_latin: bool,
    /// In backticks.
    is_code: bool,
    /// Whether most names are in backticks, so that a text of which only a part is says more than a name.
    pub(super) is_mostly_code: bool,
    /// The names that are written otherwise than all others.
    odd: Odd,
}

impl Style {
    /// Whether a name is written otherwise than all others of the table.
    pub(super) fn is_odd(&self, name: &str) -> bool {
        self.odd.has(name)
    }

    /// The style of the names of these cells, apart from a few that are on one side of the steps only.
    pub(super) fn of<'a>(cells: impl Iterator<Item = &'a Cell>, known: &Known) -> Self {
        let names: Vec<(String, bool)> = cells.flat_map(written).filter(|it| !refuses(&it.0)).collect();
        let odd = Odd::of(&names, known);
        let named: BTreeSet<(String, bool)> = names.into_iter().collect();
        let has = |fits: &dyn Fn(&(String, bool)) -> bool| {
            let (own, other): (Vec<_>, Vec<_>) = named.iter().partition(|it| fits(it));
            own.len() > 2 && own.len() > other.len() && !other.iter().any(|it| known.has_both(&it.0))
        };
        let n_code = named.iter().filter(|it| it.1).count();
        Style {
            is_latin: has(&|it| !has_other_letters(&it.0)),
            is_code: has(&|it| it.1),
            is_mostly_code: n_code > 1 && n_code * 2 > named.len(),
            odd,
        }
    }
}

impl Cell {
    /// Whether a cell of states is in another style than the names of states, so that it may say anything: `保持不变`.
    pub(super) fn is_no_state_of(&self, known: &Known) -> bool {
        let is_foreign = known.style.is_latin && has_other_letters(&self.text) && !self.only_codes();
        let is_phrase = known.style.is_code && self.codes.is_empty() && words(&self.text).len() > 1 && self.text.contains(' ');
        (is_foreign || is_phrase || known.style.is_odd(self.text.trim())) && !known.has_both(self.text.trim())
    }
}

/// The names of a cell, and whether each is in backticks. A name beside words, `` a stale `open` ``, is neither.
fn written(cell: &Cell) -> impl Iterator<Item = (String, bool)> {
    let is_in = |name: &String| cell.codes.contains(name);
    let has_code = |name: &String| cell.codes.iter().any(|it| name.contains(it.as_str()));
    let names = cell.sure_names().into_iter().filter(move |it| is_in(it) || !has_code(it));
    names.map(move |it| (it.clone(), cell.codes.contains(&it)))
}

/// Whether a text has letters that are not Latin.
fn has_other_letters(text: &str) -> bool {
    text.chars().any(|it| it.is_alphabetic() && it > '\u{24f}')
}
