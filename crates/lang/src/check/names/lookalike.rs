//! Names that look alike in different scripts.

use super::{Finding, MachineCx, lists, pairs, sound};
use crate::confusables::skeleton;

/// The appearance of a name: the same text for all names that look alike.
fn look(name: &str) -> String {
    sound(&skeleton(&sound(name)))
}

pub(in crate::check) fn lookalike_names(cx: &MachineCx<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (what, list) in lists(cx.machine) {
        // Within one script, `modern` and `modem` are different words; and most lists contain only Latin letters.
        if list.iter().all(|it| it.text.is_ascii()) {
            continue;
        }
        for (first, second) in pairs(&list, look) {
            let (one, two) = (first.text, second.text);
            if sound(one) == sound(two) || (one.is_ascii() && two.is_ascii()) {
                continue;
            }
            let other = |name: &str, than: &str| {
                let odd = name.chars().filter(|it| !it.is_ascii() && !than.contains(*it));
                odd.map(|it| format!("U+{:04X}", u32::from(it))).collect::<Vec<_>>()
            };
            let letters = [other(one, two), other(two, one)].concat().join(", ");
            let message = format!("the {what} {} and {} look the same, but their letters differ: {letters}", first.shown(), second.shown());
            let help = format!("write both in the letters of one script, or {}", second.remedy());
            findings.push(Finding::new(second.span, message).also(first.span, "the other one").help(help));
        }
    }
    findings
}
