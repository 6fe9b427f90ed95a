//! The digest that distinguishes an edited output from a stale one.

/// FNV-1a, 64 bits, as 16 hexadecimal digits.
///
/// It protects against accidents, not against forgery, and is the same in all versions and on all
/// machines. Two texts of equal length that differ in a single byte never share a digest: every step is a
/// bijection of the running value.
pub fn digest<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> String {
    format!("{:016x}", hash(parts))
}

const PRIME: u64 = 0x0100_0000_01b3;

fn hash<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> u64 {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for part in parts {
        for byte in part {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(PRIME);
        }
    }
    hash
}

/// Whether these are the bytes of a digest.
///
/// Each step depends on the one before it and is invertible. The digest is therefore computed backwards through the second
/// half while the first half is hashed forwards, which doubles the throughput.
pub(crate) fn fits<'a>(digest: &[u8], before: impl IntoIterator<Item = &'a [u8]>, last: &[u8]) -> bool {
    let value = std::str::from_utf8(digest).ok().filter(|it| is_digest(it.as_bytes()));
    let Some(mut end) = value.and_then(|it| u64::from_str_radix(it, 16).ok()) else { return false };
    let mut start = hash(before);
    let (first, second) = last.split_at(last.len() / 2);
    let mut backwards = second.iter().rev();
    let mut step_back = |byte: &u8| end = end.wrapping_mul(INVERSE) ^ u64::from(*byte);
    for (byte, from_end) in first.iter().zip(&mut backwards) {
        start = (start ^ u64::from(*byte)).wrapping_mul(PRIME);
        step_back(from_end);
    }
    // With an odd length, the second half is one byte longer.
    backwards.for_each(step_back);
    start == end
}

/// The inverse of the prime modulo 2^64; each round doubles the number of correct bits.
const INVERSE: u64 = {
    let (mut inverse, mut n_right) = (PRIME, 3);
    while n_right < 64 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(PRIME.wrapping_mul(inverse)));
        n_right *= 2;
    }
    inverse
};

/// The length of a digest in characters.
pub(crate) const LEN: usize = 16;

/// Whether a word has the form of a digest.
pub(crate) fn is_digest(word: &[u8]) -> bool {
    word.len() == LEN && word.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}
