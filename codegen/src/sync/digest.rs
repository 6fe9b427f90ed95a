//! The digest that tells an edited output from a stale one.

/// 64 bits of some texts, as 16 hexadecimal digits.
///
/// It guards against accidents, not against forgers, and never changes between versions or
/// machines. Two texts of one length that differ in a single byte never share a digest: every step is a
/// bijection of the running value. Where one text ends and the next one begins counts.
///
/// The texts are taken in words of eight bytes, little end first, the last one filled up with zeros; the length of
/// each text follows it. One byte a step, as FNV-1a goes, would take longer than everything else that compares a file.
pub(super) fn digest<'a>(texts: impl IntoIterator<Item = &'a [u8]>) -> String {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for text in texts {
        let (words, rest) = text.as_chunks::<8>();
        words.iter().for_each(|it| hash = step(hash, u64::from_le_bytes(*it)));
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        hash = step(hash, u64::from_le_bytes(last));
        hash = step(hash, text.len() as u64);
    }
    // Both halves depend on every bit.
    hash ^= hash >> 32;
    hash = hash.wrapping_mul(MULTIPLIER);
    hash ^= hash >> 29;
    format!("{hash:016x}")
}

/// Odd, and with about as many ones as zeros: the golden ratio.
const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

fn step(hash: u64, word: u64) -> u64 {
    (hash.rotate_left(23) ^ word).wrapping_mul(MULTIPLIER)
}

/// How many characters a digest has.
pub(super) const LEN: usize = 16;

/// Whether a word looks like a digest.
pub(super) fn is_digest(word: &[u8]) -> bool {
    word.len() == LEN && word.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn it_never_changes() {
        assert_eq!(digest([]), "DIGEST_NONE");
        assert_eq!(digest([b"foo".as_slice(), b"a longer text"]), "DIGEST_TWO");
        assert!(is_digest(digest([]).as_bytes()));
    }

    #[test]
    fn what_differs_a_little_differs_in_its_digest() {
        let text = b"the quick brown fox jumps over the lazy dog".as_slice();
        let mut seen = BTreeSet::from([digest([text])]);
        let mut add = |texts: &[&[u8]]| assert!(seen.insert(digest(texts.iter().copied())), "{texts:?}");
        for idx in 0..text.len() {
            for bit in 0..8 {
                let mut other = text.to_vec();
                other[idx] ^= 1 << bit;
                add(&[&other]);
            }
            add(&[&text[..idx]]);
            add(&[&text[..idx], &text[idx..]]);
            add(&[&text[..idx], &text[idx + 1..]]);
        }
        (1..20).for_each(|n_zeros| add(&[&[text, &[0; 20][..n_zeros]].concat()]));
        // Lines in another order, at distances of words and others.
        (1..40).for_each(|distance| add(&[&[&text[distance..], &text[..distance]].concat()]));
    }
}
