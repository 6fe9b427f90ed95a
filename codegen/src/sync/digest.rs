//! The digest that tells an edited output from a stale one.

/// FNV-1a, 64 bits, as 16 hexadecimal digits.
///
/// It guards against accidents, not against forgers, and never changes between versions or
/// machines. Two texts of one length that differ in a single byte never share a digest: every step is a
/// bijection of the running value.
pub(super) fn digest<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> String {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for part in parts {
        for byte in part {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    format!("{hash:016x}")
}

/// How many characters a digest has.
pub(super) const LEN: usize = 16;

/// Whether a word looks like a digest.
pub(super) fn is_digest(word: &[u8]) -> bool {
    word.len() == LEN && word.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_fnv_1a() {
        assert_eq!(digest([]), "cbf29ce484222325");
        assert_eq!(digest([b"foo".as_slice(), b"bar"]), "85944171f73967e8");
        assert!(is_digest(digest([]).as_bytes()));
    }
}
