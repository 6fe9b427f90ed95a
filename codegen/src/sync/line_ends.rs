//! The line ends of a file.

use std::borrow::Cow;

/// The text with LF line ends, if a checkout has converted every line end to CRLF.
pub(super) fn with_lf(bytes: &[u8]) -> Cow<'_, [u8]> {
    let n_lf = bytes.iter().filter(|byte| **byte == b'\n').count();
    let n_crlf = bytes.windows(2).filter(|it| it == b"\r\n").count();
    if n_lf == 0 || n_lf != n_crlf {
        return bytes.into();
    }
    let mut converted = Vec::with_capacity(bytes.len() - n_crlf);
    for (idx, byte) in bytes.iter().enumerate() {
        if *byte != b'\r' || bytes.get(idx + 1) != Some(&b'\n') {
            converted.push(*byte);
        }
    }
    converted.into()
}
