//! Values as YAML: defaults, attributes, constants, and the payloads of walkthroughs.

use super::dice::Dice as _;
use super::expressions::{TIMESTAMPS, Ty, Vocabulary};
use super::machine::{Machine, Maker};
use super::names::Hostility;
use super::texts;
use super::yaml::{Yaml, plain, text};
use crate::rng::Rng;

const INTS: &[&str] = &["0", "1", "3", "-7", "100000", "2147483648", "9223372036854775807", "-9223372036854775808"];
const DECIMALS: &[&str] = &["0.0", "0.70", "-0.05", "100", "3.141592653589793238462643383", "0.0000000000000000000000000001"];
const DURATIONS: &[&str] = &["0s", "250ms", "30s", "5m", "1h", "2d", "1us", "106751991d", "9223372036854775807us"];

/// A value of a type; `None` if none can be written.
pub(super) fn value(maker: &mut Maker<'_>, machine: &Machine, ty: Ty, optional: bool) -> Option<Yaml> {
    literal(maker.rng, maker.texts, &machine.vocabulary, ty, optional)
}

/// Like `value`, for states and enums of this vocabulary.
pub(super) fn literal(rng: &mut Rng, hostility: Hostility, words: &Vocabulary, ty: Ty, optional: bool) -> Option<Yaml> {
    if optional && (rng.chance(30) || ty == Ty::Reference) {
        return Some(plain("null"));
    }
    Some(match ty {
        Ty::Bool => plain(rng.pick(&["true", "false"])),
        Ty::Int => plain(rng.pick(INTS)),
        Ty::Decimal => plain(rng.pick(DECIMALS)),
        Ty::Duration => plain(rng.pick(DURATIONS)),
        Ty::Text => text(texts::raw(rng, hostility)),
        Ty::State(_) => text(*rng.pick(&words.leaves())),
        Ty::Enum(_, idx) => text(rng.pick(&words.enums[idx].1).clone()),
        Ty::Timestamp => plain(rng.pick(TIMESTAMPS)),
        Ty::Reference | Ty::Configuration(_) => return None,
    })
}

/// The type and value of a constant, and whether the type must be declared.
pub(super) fn constant(maker: &mut Maker<'_>) -> (Ty, Yaml, bool) {
    match maker.rng.below(7) {
        0 => (Ty::Bool, plain(maker.rng.chance(50)), false),
        1 | 2 => (Ty::Int, plain(maker.rng.pick(INTS)), false),
        3 => {
            let value = *maker.rng.pick(DECIMALS);
            (Ty::Decimal, plain(value), !value.contains('.'))
        }
        4 => (Ty::Duration, plain(maker.rng.pick(DURATIONS)), false),
        5 => (Ty::Timestamp, plain(maker.rng.pick(TIMESTAMPS)), false),
        // A word without quotes is a text, unless YAML reads another type.
        _ => (Ty::Text, text(texts::raw(maker.rng, maker.texts)), false),
    }
}
