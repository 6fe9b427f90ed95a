//! Names that a spec may use and emitted code must support.

use std::collections::BTreeSet;

use statespec_lang::names;

use super::dice::Dice as _;
use crate::rng::Rng;

/// The percentage of unusual names and texts in a spec.
pub(super) type Hostility = usize;

/// Names without a meaning in Rust.
const PLAIN: &str = "
    alpha beta gamma delta kappa lambda omega queued running stopped opened closed waiting ready retry lease owner total limit count
    level sample lucky ticket parcel order budget worker share patience deadline customer priority colour shape notify report archive
    publish reopen
";

/// Keywords and reserved words of Rust, names of its prelude, names that emitted modules use, and names
/// that casing or Unicode normalisation changes.
const HOSTILE: &str = "
    self Self super crate mod type fn impl trait struct enum union match if else loop while for move ref mut pub use where async await
    dyn gen try yield box macro final abstract override virtual become priv typeof unsized static const let return break continue extern
    unsafe as do raw safe auto default macro_rules static_ a_ _1 __x x1_2 r2-d2

    option some none ok err result clone copy from into string vec iterator drop debug hash eq ord partial_eq bool i64 u64 usize str
    char core std alloc statespec display from_str to_string as_str fmt send sync sized fn_once box main test derive doc allow cfg serde

    event effect state context change refused event_kind actor composite effects predicates outcome row rows step host unit world key
    text new create born restore apply plan all initial transitions name index u r p h e s t k w it machine slot pass phase failure part
    transaction save load store commit perform run now next target source trigger guard marker in_ payload reference decimal duration
    timestamp kind value values number id error missing rule invariant link follow empty put take allows successors events is_terminal
    is_final is_in parse wire label transition transition_to enabled check into_machine unit_of_work item cmp order compare terminal
    states composites parent leaves message settle settled direct wish other leaf choice configuration region regions

    HTTPServer httpServer http-server Http_Server2 IN_PROGRESS InProgress2 a A1 aB x Été größe ß naïve Ωmega имя 状态
    İ ı K\u{212a}
";

/// Pairs of names that are one identifier to the compiler, which normalises them, and two by their characters.
const TWINS: &[&str] = &["état", "e\u{301}tat", "åb", "a\u{30a}b"];

/// The names of one list, which must differ after case conversion.
pub(super) struct Names {
    casing: fn(&str) -> String,
    taken: BTreeSet<String>,
    /// Names that are in use elsewhere in the same scope of expressions.
    excluded: BTreeSet<String>,
    /// Whether expressions use them, so that they cannot contain `-`.
    is_word: bool,
}

impl Names {
    /// An empty list of names that may contain `-`.
    pub(super) fn new(casing: fn(&str) -> String) -> Self {
        Names { casing, taken: BTreeSet::new(), excluded: BTreeSet::new(), is_word: false }
    }

    /// An empty list of names for use in expressions.
    pub(super) fn words(casing: fn(&str) -> String) -> Self {
        Names { is_word: true, ..Names::new(casing) }
    }

    /// Excludes names.
    pub(super) fn without<'a>(mut self, names: impl IntoIterator<Item = &'a str>) -> Self {
        self.excluded.extend(names.into_iter().map(str::to_owned));
        self
    }

    /// A new name for the list.
    pub(super) fn fresh(&mut self, rng: &mut Rng, hostility: Hostility) -> String {
        for _ in 0..20 {
            let name = candidate(rng, hostility);
            if self.accept(&name) {
                return name;
            }
        }
        let mut number = self.taken.len();
        loop {
            let name = format!("item_{number}");
            if self.accept(&name) {
                return name;
            }
            number += 1;
        }
    }

    /// Adds a name if it is allowed.
    pub(super) fn accept(&mut self, name: &str) -> bool {
        let is_operator = matches!(name, "and" | "or" | "not" | "in" | "true" | "false" | "null");
        let fits = names::is_name(name) && !(self.is_word && (is_operator || name.contains('-'))) && !self.excluded.contains(name);
        fits && self.taken.insert((self.casing)(name))
    }
}

fn candidate(rng: &mut Rng, hostility: Hostility) -> String {
    if rng.chance(hostility / 25) {
        return (*rng.pick(TWINS)).to_owned();
    }
    let pool = if rng.chance(hostility) { HOSTILE } else { PLAIN };
    let pool: Vec<&str> = pool.split_whitespace().collect();
    let name = (*rng.pick(&pool)).to_owned();
    if !rng.chance(hostility / 3) {
        return name;
    }
    // The same word in another case style.
    match rng.below(6) {
        0 => names::shouty(&name),
        1 => names::upper_camel(&name),
        2 => name.replace('_', "-"),
        3 => format!("_{name}"),
        4 => format!("{name}_"),
        _ => format!("{name}{}", rng.between(1, 9)),
    }
}
