//! Line ends of Windows as those of all others: the reader of tables counts these.

use std::io::{self, BufRead, Read};

/// A reader without the carriage returns in front of line feeds.
pub(super) struct LineEnds<R> {
    inner: R,
    /// A carriage return that was read, before it is known what follows.
    waits: bool,
}

impl<R> LineEnds<R> {
    pub(super) fn new(inner: R) -> Self {
        LineEnds { inner, waits: false }
    }
}

impl<R: BufRead> Read for LineEnds<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // A byte that waits needs a place beside the one behind it.
        if buffer.len() < 2 {
            return Err(io::Error::other("the buffer is too small"));
        }
        loop {
            let found = self.inner.fill_buf()?;
            if found.is_empty() {
                buffer[0] = b'\r';
                return Ok(usize::from(std::mem::take(&mut self.waits)));
            }
            let (mut n_read, mut n_written) = (0, 0);
            for &byte in found.iter().take(buffer.len() - 1) {
                if self.waits && byte != b'\n' {
                    buffer[n_written] = b'\r';
                    n_written += 1;
                }
                self.waits = byte == b'\r';
                if !self.waits {
                    buffer[n_written] = byte;
                    n_written += 1;
                }
                n_read += 1;
                if n_written + 2 > buffer.len() {
                    break;
                }
            }
            self.inner.consume(n_read);
            if n_written > 0 {
                return Ok(n_written);
            }
        }
    }
}
